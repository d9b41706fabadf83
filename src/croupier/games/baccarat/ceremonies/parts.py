"""Parts of ceremonies that several documents share, given the numbers under which each prints them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from croupier.ceremony import Act, Script
from croupier.games.baccarat.rules import Style
from croupier.games.baccarat.tables import points_by_rank
from croupier.law.model import Citer, Law, absent

Ids: TypeAlias = tuple[str, ...]
Roles: TypeAlias = Mapping[str, Law[Literal["before deal", "after deal"]]]

GAME_SUPERVISOR, CASINO_SUPERVISOR = "game supervisor", "casino supervisor"
SHIFT_MANAGER, CASINO_MANAGER = "shift manager", "casino manager"
INSPECTOR, OPERATOR, EMPLOYEE, PLAYER = "government inspector", "operator", "casino employee", "player"
SUPERVISORS = (GAME_SUPERVISOR, CASINO_SUPERVISOR)
BURN_VALUES = points_by_rank(ace=1, tens=10)
HANDS = ("player", "banker")
MIXED = (("wash", "a"), ("stack", "b"), ("riffle", "c"))


def inspection(law: Citer, both: str, spread: str, turned: str) -> Script:
    """Dealer and game supervisor each check the cards; they are spread for the first players, then turned down."""
    return (
        law(Act("inspect as dealer"), both),
        law(Act("inspect as game supervisor", GAME_SUPERVISOR), both),
        law(Act("spread for players", when="no shuffler"), spread),
        law(Act("turn face down"), turned),
    )


def mixing(law: Citer, wash: str, stack: str, riffle: str) -> Script:
    return (law(Act("wash"), wash), law(Act("stack"), stack), law(Act("riffle"), riffle))


def loading(law: Citer, *, inserted: str, second: str, loaded: Ids, up: str, down: str, discarded: str) -> Script:
    """The cutting card, the shoe, and the burn: one card up and its value face down."""
    return (
        law(Act("insert cutting card", when="not continuous"), inserted),
        law(Act("second cutting card at the back", when="two cutting cards, not continuous"), second),
        law(Act("load"), *loaded),
        law(Act("burn face up"), up),
        law(Act("burn face down"), down),
        law(Act("discard burned cards"), discarded),
    )


def kept_by_dealer(
    law: Citer, face: Law[Literal["up", "down", "either"]], third: str, *, shown: Ids, control: Ids
) -> Style:
    """Styles A and C: the dealer deals, turns and announces, the Player's Hand first; no card leaves the dealer."""
    turned = face.value == "down"
    acts = [
        act
        for hand in HANDS
        for act in ((f"turn {hand} hand", f"announce {hand}") if turned else (f"announce {hand}",))
    ]
    return Style(
        face=face,
        third_face=law("up", third),
        shown=banker_first(tuple(law(Act(act), *shown) for act in acts)),
        third=(),
        roles={},
        order=absent,
        keeps_until=absent,
        forbids={f"pass {hand} hand": law("the dealer keeps the cards", *control) for hand in HANDS},
        first={},
    )


def banker_first(shown: Script) -> Script:
    """The acts on the Banker's Hand first where that was authorised, then all in their usual order."""
    banker = tuple(law for law in shown if "banker" in law.value.act)
    early = tuple(
        Law(Act(law.value.act, law.value.by, ", ".join(filter(None, ("banker first", law.value.when)))), law.rules)
        for law in banker
    )
    return (*early, *shown)


def opened_by_players(
    law: Citer,
    *,
    face: Ids,
    third: Ids,
    puck: Ids,
    passed: Ids,
    revealed: Ids,
    returned: Ids,
    banker: Ids,
    kept: Ids,
    roles: Roles,
    order: Ids,
    apart: str,
) -> Style:
    """Style B: each hand goes face down to the seated player who accepted it, one hand at a time."""
    blocks: list[Law[Act]] = []
    for hand in HANDS:
        out = passed if hand == "player" else banker
        shows = revealed if hand == "player" else banker
        back = returned if hand == "player" else banker
        held, not_held = f"{hand} handled", f"{hand} kept"
        blocks += [
            law(Act(f"place {hand} puck", when=held), *puck),
            law(Act(f"pass {hand} hand", when=held), *out),
            law(Act(f"reveal {hand} hand", f"{hand} handler", held), *shows),
            law(Act(f"turn {hand} hand", when=not_held), *kept),
            law(Act(f"announce {hand}"), *back),
            law(Act(f"return {hand} hand", when=held), *back),
        ]
    return Style(
        face=law("down", *face),
        third_face=law("down", *third),
        shown=banker_first(tuple(blocks)),
        third=(
            law(Act("pass {hand} third card", when="{hand} handled"), *third),
            law(Act("reveal {hand} third card", "{hand} handler", "{hand} handled"), *third),
            law(Act("turn {hand} third card", when="{hand} kept"), *third),
        ),
        roles=roles,
        order=law(("highest wager", "lowest seat"), *order),
        keeps_until=absent,
        forbids={},
        first={
            "pass banker hand": law("return player hand", apart),
            "pass player hand": law("return banker hand", apart),
        },
    )


def settling(law: Citer, announced: str, collected: Ids, paid: Ids) -> Script:
    return (
        law(Act("announce result"), announced),
        law(Act("collect losing wagers"), *collected),
        law(Act("pay winning wagers"), *paid),
    )
