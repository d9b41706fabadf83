"""Victoria's ceremonies: a burn of one card, three methods of dealing, and a shoe that a player may hold."""

from __future__ import annotations

from croupier.ceremony import Act, Order, Script
from croupier.games.baccarat.ceremonies.parts import (
    BURN_VALUES,
    CASINO_SUPERVISOR,
    GAME_SUPERVISOR,
    HANDS,
    PLAYER,
    SUPERVISORS,
    settling,
)
from croupier.games.baccarat.rules import Ceremony, CutOffer, Depth, Style
from croupier.law.model import Citer, absent, cites


def vic2002() -> Ceremony:
    law = cites("VIC2002")
    return Ceremony(
        opening=(law(Act("check cards before gaming"), "3.4"),),
        mixing=(law(Act("shuffle"), "4.1.1", "4.1.1a"),),
        prepared={"pre-shuffled": (law(Act("take from secured area"), "4.1.2"),)},
        cut_offer=law(CutOffer("highest"), "4.2.1a", "4.2.1", "4.2.2.s1"),
        cut_by=law(GAME_SUPERVISOR, "4.2.2.s2"),
        cut_depth=law(Depth(52, about=7), "4.2.3"),
        end_depth=law(Depth(20, about=3), "4.2.4a", "4.2.4"),
        end_fanned=law(13, "4.2.4b"),
        loading=(
            law(Act("insert cutting card"), "4.2.4", "4.2.4a"),
            law(Act("load"), "4.2.4c"),
            law(Act("burn one face down", when="no value burn"), "4.3.1a", "4.3.1"),
            law(Act("burn face up", when="value burn"), "4.3.1b"),
            law(Act("burn face down", when="value burn"), "4.3.1b"),
            law(Act("call for bets"), "4.3.1c"),
        ),
        burn_values=law(BURN_VALUES, "4.3.1b"),
        calls=(law(Act("call No more bets"), "8.2.2a", "8.2.2", "4.3.1d"),),
        styles={"1": _opened_by_bettors(law), "2": _kept_by_dealer(law), "3": _dealt_by_a_player(law)},
        ending=settling(law, "8.3.2", ("6.7.1", "6.7"), ("6.7.2",)),
        last_call=law("Last coup", "8.3.4c", "8.3.4", "8.3.4a"),
        rounds_after=law(1, "4.1.1b", "8.3.4b"),
        rounds_if_first=law(1, "8.3.4c"),
        after_shoe={
            "handled": law("replace", "4.4.3"),
            "1": law("mix", "8.3.4e"),
            "2": law("mix", "8.3.4e"),
            "3": law("mix", "8.3.4e"),
        },
        style_fixed=absent,
        free_rounds=absent,
        orders=(
            law(Order("designate cutter", (GAME_SUPERVISOR,), "before cut"), "4.2.1b"),
            law(Order("ask for a value burn", (PLAYER,), "before burn"), "4.3.1b"),
            law(Order("burn a card", ("dealer",), "before first card"), "8.2.2b"),
            law(Order("show banker first", ("dealer",)), "8.3.1"),
            law(Order("shuffle for an abnormal sequence", (CASINO_SUPERVISOR,), "between rounds"), "4.1.1c"),
            law(Order("shuffle for reasonable cause", (CASINO_SUPERVISOR,), "between rounds"), "4.1.1d"),
            law(Order("replace cards after the shoe", SUPERVISORS, "after shoe"), "4.4.1"),
            law(Order("replace cards", (CASINO_SUPERVISOR,), "between rounds"), "4.4.2", "4.4.2a"),
            law(Order("direct dummy coups", (GAME_SUPERVISOR,), "after shoe"), "8.3.4d"),
            law(Order("check cards after gaming", ("dealer",), "between rounds"), "3.4"),
            law(Order("change style", ("dealer",), "between rounds"), "8.1"),
            law(Order("use markers", ("dealer",)), "8.1.1c", "8.1.3d"),
            law(Order("open both hands", (PLAYER,)), "8.1.1f", "8.1.3i"),
            law(Order("let another open", (PLAYER,)), "8.1.1g", "8.1.3c.ii", "1.1.player"),
            law(Order("let another deal", (PLAYER,), "shoe handled"), "8.1.3c.i"),
            law(Order("relinquish the shoe", (PLAYER,), "shoe handled, between rounds"), "8.1.3h.i", "8.1.3h"),
            law(Order("take the shoe back", ("pit boss", *SUPERVISORS), "shoe handled"), "8.1.3h.iii"),
        ),
    )


def _shown(law: Citer, *, passed: tuple[str, ...], kept: tuple[str, ...], marker: str) -> Script:
    """Each hand to whoever opens it, one at a time; the dealer announces each count."""
    acts = []
    for hand in HANDS:
        held = f"{hand} handled"
        acts += [
            law(Act(f"place {hand} marker", when=f"{held}, markers"), marker),
            law(Act(f"pass {hand} hand", when=held), *passed),
            law(Act(f"reveal {hand} hand", f"{hand} handler", held), *passed),
            law(Act(f"turn {hand} hand", when=f"{hand} kept"), *kept),
            law(Act(f"announce {hand}"), "8.3.1"),
            law(Act(f"return {hand} hand", when=held), *passed),
        ]
    early = tuple(
        law(Act(each.value.act, each.value.by, ", ".join(filter(None, ("banker first", each.value.when)))), *each.rules)
        for each in acts
        if "banker" in each.value.act
    )
    return (*early, *acts)


def _opened_by_bettors(law: Citer) -> Style:
    """Method 1: the dealer delivers each hand to its highest bettor, if that player will have it."""
    return Style(
        face=law("either", "8.2.3"),
        third_face=law("either", "8.3.1"),
        shown=_shown(law, passed=("8.1.1",), kept=("8.1.1d",), marker="8.1.1c"),
        third=(),
        roles={"player": law("after deal", "8.1.1"), "banker": law("after deal", "8.1.1")},
        order=law(("highest wager", "lowest seat"), "8.1.1a", "8.1.1b", "8.1.1b.i"),
        keeps_until=absent,
        forbids={},
        first={
            "pass banker hand": law("return player hand", "8.1.1e"),
            "pass player hand": law("return banker hand", "8.1.1e"),
        },
    )


def _kept_by_dealer(law: Citer) -> Style:
    """Method 2: the dealer keeps the shoe and acts for both hands."""
    return Style(
        face=law("either", "8.2.3"),
        third_face=law("either", "8.3.1"),
        shown=_shown(law, passed=("8.1.2",), kept=("8.1.2",), marker="8.1.1c"),
        third=(),
        roles={},
        order=absent,
        keeps_until=absent,
        forbids={f"pass {hand} hand": law("the dealer acts for both hands", "8.1.2") for hand in HANDS},
        first={},
    )


def _dealt_by_a_player(law: Citer) -> Style:
    """Method 3: the shoe is offered to the seated player with the highest wager on either hand."""
    return Style(
        face=law("either", "8.2.3"),
        third_face=law("either", "8.3.1"),
        shown=(
            law(Act("place shoe marker", when="shoe handled, markers"), "8.1.3d"),
            law(Act("pass hands face down to dealer", "shoe handler", "shoe handled, another opens"), "8.1.3f"),
            law(Act("reveal player hand", "shoe handler", "shoe handled"), "8.1.3c", "8.1.3e"),
            law(Act("turn player hand", when="shoe kept"), "8.1.3b"),
            law(Act("announce player"), "8.3.1"),
            law(Act("reveal banker hand", "shoe handler", "shoe handled"), "8.1.3c"),
            law(Act("turn banker hand", when="shoe kept"), "8.1.3b"),
            law(Act("announce banker"), "8.3.1"),
            law(Act("lay hands on their areas"), "8.1.3g", "8.1.3g.ii"),
        ),
        third=(law(Act("reveal {hand} third card", "shoe handler", "shoe handled"), "8.1.3g.i"),),
        roles={"shoe": law("before deal", "8.1.3")},
        order=law(("highest wager", "lowest seat"), "8.1.3a"),
        keeps_until=law("a loss", "8.1.3h.ii"),
        forbids={},
        first={},
    )
