"""What the doors of the tournaments answer, as types; see `answers.py`.  `views.py` fills them in."""

from __future__ import annotations

from croupier.floor.doors.answers import Answered
from croupier.house.tournament.conditions import Stated
from croupier.house.tournament.due import Due


class HouseTable(Answered):
    """A table that could be designated; `held_by` is the tournament that has it for itself now."""

    name: str
    game: str
    edition: str
    held_by: str


class ListedContest(Answered):
    name: str
    state: str
    round: int
    rounds: int
    players: int
    director: str
    tables: list[str]


class ListedContests(Answered):
    """The tournaments of the house, and what one needs to begin another.

    `offices` qualify for a director, `approver` is who approves conditions, `asked` the rule of each of their items.
    """

    at_ms: int
    demo: bool
    tournaments: list[ListedContest]
    tables: list[HouseTable]
    offices: list[str]
    approver: str
    asked: dict[str, str]
    rules: dict[str, str]


class SaidItem(Answered):
    """One item of the conditions in words; `at_ms` is the time it speaks of, 0 if none."""

    title: str
    words: str
    rule: str
    at_ms: int = 0


class ListedEntrant(Answered):
    name: str
    number: int
    status: str
    chips: int
    briefed: bool
    signed: bool
    table: str
    seat: int
    person: str
    nominated: str
    substitute: str
    buy_backs: int
    due: bool


class ContestTable(Answered):
    """A designated table: how far the round is there, who sits where, and which wagers its law has."""

    name: str
    players: list[str]
    hands: int
    of: int
    ended: bool
    used_up: bool
    exclusive: bool
    wagers: list[str]


class ListedPlace(Answered):
    place: int
    player: str
    status: str
    round: int
    chips: int
    prize: int


class ListedPrize(Answered):
    place: int
    cents: int


class SaidLine(Answered):
    line: int
    at_ms: int
    by: str
    words: str
    rule: str


class ContestView(Answered):
    """One tournament, as everybody may see it."""

    name: str
    edition: str
    at_ms: int
    demo: bool
    line: int
    state: str
    over: bool
    round: int
    rounds: int
    director: str
    deputies: list[str]
    present: list[str]
    approval: str
    signatures: bool
    refused: list[str]
    conditions: Stated | None
    items: list[SaidItem]
    due: list[Due]
    entrants: list[ListedEntrant]
    tables: list[ContestTable]
    house_tables: list[HouseTable]
    standings: list[ListedPlace]
    prizes: list[ListedPrize]
    lines: list[SaidLine]
    rules: dict[str, str]
