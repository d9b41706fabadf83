"""Victoria's ceremonies: a burn of one card, three methods of dealing, and a shoe that a player may hold."""

from __future__ import annotations

from croupier.ceremony import Act, Order, Orders, Script, calling
from croupier.game.kinds import NO_MORE_BETS, ActKind
from croupier.games.baccarat.ceremonies.parts import (
    ANY,
    BURN_VALUES,
    HAND,
    HANDLER,
    HANDS,
    RENEWED,
    SHOE_HANDLER,
    SHUFFLED,
    SUPERVISORS,
    THIRD,
    Ids,
    announced,
    banker_first,
    marked,
    one_hand_out,
    passed,
    reducing,
    returned,
    revealed,
    settling,
    to_shuffle,
    turned,
)
from croupier.games.baccarat.ceremonies.sitting import BETTORS
from croupier.games.baccarat.play import GIVE_BACK
from croupier.games.baccarat.rules import BaccaratCeremony, CutOffer, Depth, Style
from croupier.law.conditions import conditions
from croupier.law.model import Citer, absent, cites
from croupier.law.officials import CASINO_SUPERVISOR, DEALER, GAME_SUPERVISOR, PIT_BOSS, PLAYER, SUPERVISOR_OR_ABOVE
from croupier.once import replace

WITH_DEALER = ("player hand", "banker hand", "shoe")


def vic2002() -> BaccaratCeremony:
    law = cites("VIC2002")
    checked = law(Act("check cards before gaming"), "3.4")
    return BaccaratCeremony(
        opening=(checked,),
        mixing=(law(SHUFFLED, "4.1.1a", "4.1.1"),),
        prepared={"pre-shuffled": (checked, law(Act("take from secured area"), "4.1.2"))},
        cut_offer=law(CutOffer("highest"), "4.2.1a", "4.2.1", "4.2.2.s1"),
        cut_by=law(SUPERVISOR_OR_ABOVE, "4.2.2.s2"),
        cut_depth=law(Depth(52, about=7), "4.2.3"),
        end_depth=law(Depth(20, about=3), "4.2.4a", "4.2.4"),
        end_fanned=law(13, "4.2.4b"),
        loading=(
            law(Act("insert cutting card", kind=ActKind("insert")), "4.2.4", "4.2.4a", "4.2.4b"),
            law(Act("load"), "4.2.4c"),
            law(Act("burn one face down", when="no value burn", kind=ActKind("burn")), "4.3.1a", "4.3.1"),
            law(Act("burn face up", when="value burn", kind=ActKind("burn up")), "4.3.1b"),
            law(Act("burn face down", when="value burn", kind=ActKind("burn down")), "4.3.1b"),
            law(Act("call for bets", kind=ActKind("call")), "4.3.1c"),
        ),
        burn_values=law(BURN_VALUES, "4.3.1b"),
        calls=(law(calling(NO_MORE_BETS.of), "8.2.2a", "8.2.2", "4.3.1d"),),
        styles={"1": _opened_by_bettors(law), "2": _kept_by_dealer(law), "3": _dealt_by_a_player(law)},
        ending=settling(law, "8.3.2", ("6.7.1", "6.7"), ("6.7.2",)),
        closing=(law(Act("check cards after gaming"), "3.4"),),
        exchange=(),
        last_call=law("Last coup", "8.3.4", "8.3.4a"),
        rounds_after=law(1, "8.3.4c", "8.3.4b"),
        rounds_if_first=law(1, "8.3.4c"),
        after_shoe={
            "handled": law("replace", "4.4.3"),
            "1": law("mix", "8.3.4e", "4.1.1b"),
            "2": law("mix", "8.3.4e", "4.1.1b"),
            "3": law("mix", "8.3.4e", "4.1.1b"),
        },
        style_fixed=absent,
        vacancy=absent,
        free_rounds=absent,
        nothing_staked=law("dummy", "11.5", "11.5.1", "11.5.2", "11.5.3", "11.5.4", "11.9.3"),
        orders=(*_of_the_shoe(law), *_of_the_coup(law), *_of_the_holder(law)),
    )


def _of_the_shoe(law: Citer) -> Orders:
    """What may be ordered or asked for about the cards."""
    return (
        law(Order("designate cutter", (GAME_SUPERVISOR,), "before cut"), "4.2.1b"),
        law(Order("ask for a value burn", (PLAYER,), "before burn"), "4.3.1b"),
        law(Order("ask to see the burned card", (PLAYER,), "burned unseen"), "4.3.1a"),
        law(to_shuffle("for an abnormal sequence", (CASINO_SUPERVISOR,)), "4.1.1c"),
        law(to_shuffle("for reasonable cause", (CASINO_SUPERVISOR,)), "4.1.1d"),
        law(Order("replace cards after the shoe", SUPERVISORS, "after shoe", RENEWED), "4.4.1"),
        law(Order("replace cards", (CASINO_SUPERVISOR,), "between rounds", RENEWED), "4.4.2", "4.4.2a"),
        law(Order("replace some cards", (CASINO_SUPERVISOR,), "between rounds"), "4.4.2"),
        law(Order("direct dummy coups", (GAME_SUPERVISOR,), "after shoe"), "8.3.4d"),
        law(Order("check cards after gaming", (DEALER,), "between rounds"), "3.4"),
    )


def _of_the_coup(law: Citer) -> Orders:
    """What may be ordered or chosen about a coup."""
    return (
        law(Order("change style", (DEALER,), "between rounds"), "8.1"),
        law(Order(BETTORS, (DEALER,), ("shoe declined", "before first card")), "8.1.3b"),
        law(Order("choose face", (GAME_SUPERVISOR,), "before first card"), "8.2.3"),
        reducing(law, "7.4"),
        law(Order("burn a card", (DEALER,), ("betting closed", "before first card", "none burned")), "8.2.2b"),
        law(Order("show banker first", (DEALER,), "before showing"), "8.3.1"),
        law(Order(GIVE_BACK, (CASINO_SUPERVISOR,), "betting closed"), "6.5.7"),
    )


def _of_the_holder(law: Citer) -> Orders:
    """What the player who holds cards or the shoe may do, and what may be done about it."""
    return (
        law(Order("use markers", (DEALER,), "style 1"), "8.1.1c"),
        law(Order("use markers", (DEALER,), "style 3"), "8.1.3d"),
        law(Order("open both hands", (HANDLER,), ("style 1", "one hand kept")), "8.1.1f"),
        law(Order("open both hands", (SHOE_HANDLER,), ("style 3", "shoe handled")), "8.1.3i"),
        law(Order("let another open", (HANDLER,), "style 1"), "8.1.1g", "1.1.player"),
        law(Order("let another open", (SHOE_HANDLER,), ("style 3", "shoe handled")), "8.1.3c.ii"),
        law(Order("let another deal", (SHOE_HANDLER,), ("style 3", "shoe handled")), "8.1.3c.i"),
        law(Order("relinquish the shoe", (SHOE_HANDLER,), ("style 3", "between rounds")), "8.1.3h.i", "8.1.3h"),
        law(Order("take the shoe back", (PIT_BOSS, CASINO_SUPERVISOR), ("style 3", "shoe handled")), "8.1.3h.iii"),
    )


def _shown(law: Citer, *, out: Ids, kept: Ids, marker: str) -> Script:
    """Each hand to whoever opens it, one at a time; the dealer announces each count and says which comes first."""
    acts = []
    for hand in HANDS:
        held = f"{hand} handled"
        acts += [
            law(marked(hand, "marker", (held, "markers")), marker),
            law(passed(hand, HAND, held), *out),
            law(revealed(hand, HAND, held), *out),
            law(turned(hand, HAND, f"{hand} kept"), *kept),
            law(announced(hand), "8.3.1"),
            law(returned(hand, HAND, held), *out),
        ]
    return banker_first(tuple(acts))


def _opened_by_bettors(law: Citer) -> Style:
    """Method 1: the dealer delivers each hand to its highest bettor, if that player will have it."""
    return Style(
        face=law("either", "8.2.3"),
        third_face=law("either", "8.3.1"),
        shown=_shown(law, out=("8.1.1",), kept=("8.1.1d",), marker="8.1.1c"),
        third=(),
        roles={"player": law("after deal", "8.1.1"), "banker": law("after deal", "8.1.1")},
        order=law(("highest wager", "lowest seat"), "8.1.1a", "8.1.1b", "8.1.1b.i"),
        keeps_until=absent,
        declined=absent,
        forbids={},
        first=one_hand_out(law, "8.1.1e"),
    )


def _kept_by_dealer(law: Citer) -> Style:
    """Method 2: the dealer keeps the shoe and acts for both hands."""
    return Style(
        face=law("either", "8.2.3"),
        third_face=law("either", "8.3.1"),
        shown=tuple(
            each
            for each in _shown(law, out=("8.1.2",), kept=("8.1.2",), marker="8.1.2")
            if f"{each.value.kind.of} handled" not in conditions(each.value.when)
        ),
        third=(),
        roles={},
        order=absent,
        keeps_until=absent,
        declined=absent,
        forbids={f"pass {what}": law("the dealer acts for both hands", "8.1.2") for what in WITH_DEALER},
        first={},
    )


def _dealt_by_a_player(law: Citer) -> Style:
    """Method 3: the shoe is offered to the seated player with the highest wager on either hand.

    Who holds the shoe opens both hands; a hand that another is to open goes through the dealer.
    """
    blocks = []
    for hand in HANDS:
        through = ("shoe handled", f"{hand} opened by another")
        blocks += [
            law(replace(passed(hand, "hand to dealer", through), by=SHOE_HANDLER), "8.1.3f"),
            law(Act(f"deliver {hand} hand", when=through, kind=ActKind(of=hand)), "8.1.3f"),
            law(revealed(hand, HAND, "shoe handled"), "8.1.3c", "8.1.3e"),
            law(turned(hand, HAND, "shoe kept"), "8.1.3b"),
            law(announced(hand), "8.3.1"),
        ]
    return Style(
        face=law("either", "8.2.3"),
        third_face=law("either", "8.3.1"),
        shown=(
            law(marked("shoe", "marker", ("shoe handled", "markers")), "8.1.3d"),
            *banker_first(tuple(blocks)),
            law(Act("lay hands on their areas", when="shoe handled"), "8.1.3g"),
        ),
        third=(
            law(revealed(ANY, THIRD, "shoe handled"), "8.1.3g.i"),
            law(Act("lay {hand} third card on its area", when="shoe handled"), "8.1.3g.ii"),
        ),
        roles={"shoe": law("before deal", "8.1.3")},
        order=law(("highest wager", "lowest seat"), "8.1.3a"),
        keeps_until=law("a loss", "8.1.3h.ii"),
        declined=law(("1", "2"), "8.1.3b"),
        forbids={},
        first={},
    )
