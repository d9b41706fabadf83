"""Who is who at a table: one ladder of officials, one spelling, and the words in which the documents name them.

Theory of operation.  A person enters in one `role`.  The rules name whom they want by a word: a rank, a position at the
table (stickperson, pit boss), a group ("game supervisor or above"), or somebody who is no rank at all (the operator).
`acting` says which roles may act under such a word, and `words` under which words a role may act, its own first.  By
reading (R-001) each rank has the powers of those below; the inspector stands outside and reviews.  The documents spell
some of them differently: `canonical` is the one spelling in which facts, journals and rules speak of them here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

Roles = frozenset[str]

DEALER, STICKPERSON, CASHIER = "dealer", "stickperson", "cashier"
GAME_SUPERVISOR, CASINO_SUPERVISOR = "game supervisor", "casino supervisor"
SHIFT_MANAGER, CASINO_MANAGER = "shift manager", "casino manager"
INSPECTOR, PLAYER = "inspector", "player"
PIT_BOSS, OPERATOR, EMPLOYEE = "pit boss", "operator", "casino employee"
SUPERVISOR_OR_ABOVE, A_MANAGER = "game supervisor or above", "shift manager or casino manager"
DEALER_OR_SUPERVISOR = "dealer or game supervisor"
NOTE_ACCEPTOR = "note acceptor"
JACKPOT_EQUIPMENT = "jackpot equipment"
VIRTUAL_SHOE = "virtual shoe"
"""What speaks for a link of jackpots, and for a shoe at a practice table; nobody enters in these roles."""

STRANGER: Final = "somebody"
"""A name that nobody can have at a table, neither an official nor a player."""

LADDER: Final = (DEALER, GAME_SUPERVISOR, CASINO_SUPERVISOR, SHIFT_MANAGER, CASINO_MANAGER)
"""Who may do what those below may do; a rule that names one of them means that one or above, unless it says else."""

RANKS: Final = (DEALER, GAME_SUPERVISOR, PIT_BOSS, CASINO_SUPERVISOR, SHIFT_MANAGER, CASINO_MANAGER)
"""The ladder with the rank that only Victoria names, in which nobody enters (R-087)."""

STAFF: Final = (*LADDER, STICKPERSON, CASHIER)
ROLES: Final = (PLAYER, *STAFF, INSPECTOR, NOTE_ACCEPTOR)


def at_least(role: str) -> Roles:
    return frozenset(LADDER[LADDER.index(role) :])


def lowest(roles: Roles) -> str:
    """The first of those who may, in the order of the house."""
    return next((role for role in ROLES if role in roles), ", ".join(sorted(roles)))


_ACTING: Final[Mapping[str, Roles]] = {
    **{role: at_least(role) for role in LADDER},
    # A dealer has the stick: it is a place at the table, and whoever stands there deals.
    DEALER: at_least(DEALER) | {STICKPERSON},
    STICKPERSON: at_least(DEALER) | {STICKPERSON},
    EMPLOYEE: at_least(DEALER) | {STICKPERSON},
    PIT_BOSS: at_least(CASINO_SUPERVISOR),
    # What the operator chooses is the house's choice, not a dealer's: its supervisors speak for it.
    OPERATOR: at_least(GAME_SUPERVISOR),
    INSPECTOR: frozenset({INSPECTOR}),
    SUPERVISOR_OR_ABOVE: at_least(GAME_SUPERVISOR),
    A_MANAGER: at_least(SHIFT_MANAGER),
    DEALER_OR_SUPERVISOR: at_least(DEALER) | {STICKPERSON},
}
"""Every word for officials, groups of them among it, with the roles that may act under it."""

_SPELLINGS: Final[Mapping[str, str]] = {
    "government inspector": INSPECTOR,
    "authorised employee": EMPLOYEE,
    "employee": EMPLOYEE,
}

IN_TURN: Final = (*LADDER, STICKPERSON, EMPLOYEE, PIT_BOSS, OPERATOR, INSPECTOR)
"""Every word for an official: the ranks as they rise, then the places and titles, and the one outside the house."""


@lru_cache(4096)
def canonical(word: str) -> str:
    """An official in the one spelling; any other word as it is."""
    plain = " ".join(word.lower().split())
    found = _SPELLINGS.get(plain, plain)
    return found if found in _ACTING else word


def acting(word: str) -> Roles | None:
    """The roles that may act under a word; none where it names no official."""
    return _ACTING.get(canonical(word))


@cache
def words(role: str) -> tuple[str, ...]:
    """The words under which a role may act, its own first and then down from it."""
    may = [word for word in reversed(IN_TURN) if role in _ACTING[word]]
    return tuple(sorted(may, key=lambda word: word != role))


def may_order(by: str, wanted: str) -> bool:
    """Whether everybody who acts under a word may act under the one wanted."""
    mine, theirs = acting(by), acting(wanted)
    return theirs is None or (mine is not None and mine <= theirs)


def doer(word: str) -> str:
    """The lowest role that does what is for this word; a dealer records what a player or a device does."""
    roles = acting(word)
    return lowest(roles) if roles else DEALER
