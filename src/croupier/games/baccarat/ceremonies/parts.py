"""Parts of ceremonies that several documents share, given the numbers under which each prints them.

An act is for one person, or for any of several: `STANDS_FOR` says who may act under a name such as "casino employee".

What is done with a hand, or with its third card, is an act of its own name and kind: `passed("player", HAND)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, TypeVar

from croupier.ceremony import Act, Order, Script, inspected_twice
from croupier.game.kinds import MIX, ActKind
from croupier.games.baccarat.rules import Style
from croupier.games.baccarat.tables import points_by_rank
from croupier.law.conditions import When, conditions
from croupier.law.model import Citer, Law, absent
from croupier.law.officials import (
    A_MANAGER,
    CASINO_MANAGER,
    CASINO_SUPERVISOR,
    DEALER,
    DEALER_OR_SUPERVISOR,
    EMPLOYEE,
    GAME_SUPERVISOR,
    PIT_BOSS,
    SHIFT_MANAGER,
    SUPERVISOR_OR_ABOVE,
)
from croupier.once import dataclass, replace

T = TypeVar("T")

Ids: TypeAlias = tuple[str, ...]
Roles: TypeAlias = Mapping[str, Law[Literal["before deal", "after deal"]]]

GAME_SYSTEM, SHUFFLER = "game system", "automatic shuffler"
SUPERVISORS = (GAME_SUPERVISOR, CASINO_SUPERVISOR)
MANAGERS = (SHIFT_MANAGER, CASINO_MANAGER)
SHOE, HANDLER, SHOE_HANDLER = "shoe", "handler", "shoe handler"

STANDS_FOR: Mapping[str, tuple[str, ...]] = {
    EMPLOYEE: (DEALER, *SUPERVISORS, *MANAGERS),
    SUPERVISOR_OR_ABOVE: (GAME_SUPERVISOR, PIT_BOSS, CASINO_SUPERVISOR),
    A_MANAGER: MANAGERS,
    DEALER_OR_SUPERVISOR: (DEALER, GAME_SUPERVISOR, GAME_SYSTEM),
}

HANDLERS: Mapping[str, str] = {SHOE_HANDLER: SHOE}
OPENERS: Mapping[str, str] = {"player opener": "player", "banker opener": "banker"}
"""Of what somebody is meant who is named by what he holds or opens."""

BURN_VALUES = points_by_rank(ace=1, tens=10)
HANDS = ("player", "banker")
HAND, THIRD = "hand", "third card"
ANY = "{hand}"
"""Either hand, in an act that is written for both."""
MIXED = (
    (Act("wash", kind=MIX), "a"),
    (Act("stack"), "b"),
    (Act("riffle", kind=MIX), "c"),
)
SHUFFLED = Act("shuffle", kind=MIX)
MIXED_AGAIN, REMOVED = Act("mix again", kind=ActKind("mix again")), Act("remove cards", kind=ActKind("renew"))
CUT = Act("cut", kind=ActKind("cut"))
RESULT = "announce result"
ORDERED, RENEWED = ActKind("order mixing"), ActKind("renew")


def passed(hand: str, what: str, when: When = "") -> Act:
    return Act(f"pass {hand} {what}", when=when, kind=ActKind("pass", hand, what))


def returned(hand: str, what: str, when: When = "") -> Act:
    return Act(f"return {hand} {what}", when=when, kind=ActKind("return", hand, what))


def turned(hand: str, what: str, when: When = "") -> Act:
    return Act(f"turn {hand} {what}", when=when, kind=ActKind("turn", hand, what))


def revealed(hand: str, what: str, when: When) -> Act:
    return Act(f"reveal {hand} {what}", f"{hand} opener", when, kind=ActKind("reveal", hand, what))


def announced(hand: str, what: str = HAND) -> Act:
    """The count of a hand; it is announced again once its third card is shown."""
    return Act(f"announce {hand}" if what == HAND else f"announce {hand} again", kind=ActKind("announce", hand, what))


def to_shuffle(why: str, by: tuple[str, ...], when: When = ("mixed", "between rounds")) -> Order:
    """The word of somebody who may want cards mixed once more."""
    return Order(f"shuffle {why}", by, when, ORDERED)


def marked(role: str, mark: str, when: When) -> Act:
    """Who accepted a hand or the shoe gets a puck or a marker."""
    return Act(f"place {role} {mark}", when=when, kind=ActKind("mark", role))


def inspection(law: Citer, *, both: str, spread: str, turned: str, how: str) -> Script:
    """Dealer and game supervisor each check the cards; they are spread for the first players, then turned down."""
    return (
        *inspected_twice(law, both),
        law(Act(f"spread in {how} for players", when="no shuffler"), spread),
        law(Act("turn face down", when="no shuffler"), turned),
    )


def mixing(law: Citer, *, mixed: str, start: Ids) -> Script:
    """New cards are washed, stacked and riffled; then the dealer shuffles them, as before any start of play."""
    return (
        *(law(act, f"{mixed}{letter}") for act, letter in MIXED),
        law(SHUFFLED, *start),
    )


def loading(law: Citer, *, inserted: str, second: str, loaded: Ids, up: str, down: str, discarded: str) -> Script:
    """The cutting card, the shoe, and the burn: one card up and its value face down."""
    return (
        law(Act("insert cutting card", when="not continuous", kind=ActKind("insert")), inserted),
        law(Act("second cutting card at the back", when=("two cutting cards", "not continuous")), second),
        law(Act("load"), *loaded),
        law(Act("burn face up", kind=ActKind("burn up")), up),
        law(Act("burn face down", kind=ActKind("burn down")), down),
        law(Act("discard burned cards", kind=ActKind("burn")), discarded),
    )


def kept_by_dealer(
    law: Citer, face: Law[Literal["up", "down", "either"]], third: str, *, shown: Ids, control: Ids, deals: str
) -> Style:
    """Styles A and C: the dealer deals, turns and announces, the Player's Hand first; no card leaves the dealer."""
    down = face.value == "down"
    acts = [act for hand in HANDS for act in ((turned(hand, HAND),) if down else ()) + (announced(hand),)]
    barred = [passed(hand, what).act for hand in HANDS for what in (HAND, THIRD)]
    return Style(
        face=face,
        third_face=law("up", third),
        shown=tuple(law(act, *shown) for act in acts),
        third=(),
        roles={},
        order=absent,
        keeps_until=absent,
        declined=absent,
        forbids={act: law("the dealer keeps the cards", *control) for act in barred} | no_shoe(law, deals),
        first={},
    )


def banker_first(shown: Script, *rules: str) -> Script:
    """The acts on the Banker's Hand first where that was authorised, then all in their usual order.

    A puck or marker is no part of the showing: it is placed as soon as a player accepts the hand.
    """
    early = tuple(
        Law(replace(law.value, when=("banker first", *conditions(law.value.when))), (*rules, *law.rules))
        for law in shown
        if law.value.kind.of == "banker" and law.value.kind.verb != "mark"
    )
    return (*early, *shown)


@dataclass(frozen=True, slots=True)
class Passing:
    """Where a document says that a hand goes to a player: the puck, the pass, the showing, the announcing."""

    puck: Ids
    passed: Ids
    revealed: Ids
    returned: Ids


def opened_by_players(
    law: Citer,
    *,
    face: Ids,
    third: Ids,
    player: Passing,
    banker: Passing,
    kept: Ids,
    roles: Roles,
    order: Ids,
    apart: str,
    deals: str,
) -> Style:
    """Style B: each hand goes face down to the seated player who accepted it, one hand at a time."""
    blocks: list[Law[Act]] = []
    for hand, ids in (("player", player), ("banker", banker)):
        held, not_held = f"{hand} handled", f"{hand} kept"
        blocks += [
            law(marked(hand, "puck", held), *ids.puck),
            law(passed(hand, HAND, held), *ids.passed),
            law(revealed(hand, HAND, held), *ids.revealed),
            law(turned(hand, HAND, not_held), *kept),
            law(announced(hand), *ids.returned),
            law(returned(hand, HAND, held), *ids.returned),
        ]
    return Style(
        face=law("down", *face),
        third_face=law("down", *third),
        shown=tuple(blocks),
        third=(
            law(passed(ANY, THIRD, f"{ANY} handled"), *third),
            law(revealed(ANY, THIRD, f"{ANY} handled"), *third),
            law(turned(ANY, THIRD, f"{ANY} kept"), *third),
            law(announced(ANY, THIRD), *third),
            law(returned(ANY, THIRD, f"{ANY} handled"), *third),
        ),
        roles=roles,
        order=law(("highest wager", "lowest seat"), *order),
        keeps_until=absent,
        declined=absent,
        forbids=no_shoe(law, deals),
        first=one_hand_out(law, apart) | {passed("banker", THIRD).act: law(returned("player", THIRD).act, apart)},
    )


def no_shoe(law: Citer, deals: str) -> dict[str, Law[str]]:
    return {"pass shoe": law("the dealer deals the cards", deals)}


def one_hand_out(law: Citer, *apart: str) -> dict[str, Law[str]]:
    """What must have come back before a hand goes out: the hands are never out together."""
    both = (("banker", "player"), ("player", "banker"))
    return {passed(hand, HAND).act: law(returned(other, HAND).act, *apart) for hand, other in both}


def settling(law: Citer, announced: str, collected: Ids, paid: Ids) -> Script:
    """The result, then the wagers that count, if there are any."""
    return (
        law(Act(RESULT, kind=ActKind("announce")), announced),
        law(Act("collect losing wagers", when="wagers"), *collected),
        law(Act("pay winning wagers", when="wagers"), *paid),
    )


def reducing(law: Citer, rule: str) -> Law[Order]:
    """What a dealer may do about wagers beyond the differential, once betting is closed."""
    return law(Order("reduce wagers to the differential", (DEALER,), ("betting closed", "before first card")), rule)


def under(incorporated: Law[T], *ids: str) -> Law[T]:
    """A law of Division 5 together with the rule of Electronic Baccarat that incorporates it."""
    return Law(incorporated.value, (*incorporated.rules, *(f"NZEB-{i}" for i in ids)))
