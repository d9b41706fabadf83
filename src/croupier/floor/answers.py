"""What the doors of the house answer, as types: those of the tables, the entrance, the devices and the inspector.

The rooms make their answers as plain data; these types say what that data is, for the description of the house
(`described.py`), and a test holds every real answer against them.  No field may come that is not said here: an answer
that grows is described anew.  `UNSET` marks what is sometimes left out.  Money is in cents, time in milliseconds.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import UNSET, Struct, UnsetType

Figures: TypeAlias = dict[str, Any]
"""The figures of a game, each game its own."""
Says: TypeAlias = dict[str, str]
"""Rules by their ids, each in our own words."""


class Told(Struct, forbid_unknown_fields=True):
    """The base of all answers."""


class Reason(Told):
    """Why not, in one line; with the rule, where a rule refused it."""

    reason: str
    rule: str | UnsetType | None = UNSET


# ---------------------------------------------------------------- the house and its tables


class Health(Told):
    """That the house lives."""

    alive: bool
    tables: int
    at_ms: int


class ListedTable(Told):
    """A table, as the lobby shows it; `history` has the results of its last rounds.

    `pool` is what the meter of its jackpot link shows, if it has one.
    """

    name: str
    game: str
    edition: str
    version: str
    minimum: int
    maximum: int
    open: bool
    practice: bool
    round: int
    players: int
    closes_ms: int
    betting: bool
    pool: int | None
    history: list[Figures]


class ListedTables(Told):
    demo: bool
    tables: list[ListedTable]


class RuleOfAnother(Told):
    edition: str
    id: str
    summary: str


class SaidRule(Told):
    """A rule in our own words, and how other editions say it."""

    id: str
    summary: str
    others: list[RuleOfAnother]


class MoneyMoved(Told):
    """Money from one account to another, and the rule that moves it."""

    debit: str
    credit: str
    amount: int
    rule: str


class StoryLine(Told):
    """A line of the journal, in words and with the money it moved."""

    line: int
    at_ms: int
    by: str
    role: str
    type: str
    words: str
    rule: str
    transfers: list[MoneyMoved]


class Story(Told):
    """A round, as text and line by line."""

    table: str
    round: int
    story: str
    entries: list[StoryLine]
    rules: Says


class Entered(Told):
    """The ticket with which somebody goes on; the name, where an account has one."""

    ticket: str
    name: str | UnsetType = UNSET


# ---------------------------------------------------------------- the supervisor's room


class Unlawful(Told):
    """A preview: the command would be refused."""

    lawful: bool
    reason: str
    rule: str
    rules: Says
    second: list[str]


class PreviewedEvent(Told):
    type: str
    words: str
    rule: str
    transfers: list[MoneyMoved]


class Settled(Told):
    result: str
    returned: int
    rule: str


class Resettled(Told):
    """A wager of a finished round that would be settled otherwise."""

    round: int
    number: int
    by: str
    on: str
    difference: int
    stake: int
    before: Settled | None
    after: Settled | None
    rule: str


class ChipsMoved(Told):
    name: str
    before: int
    after: int


class Position(Told):
    """What lies on the layout, and what is due; `due` is described in `views.py`."""

    round: int
    layout: Figures
    due: Figures


class Previewed(Told):
    """A preview: what would follow from the command; `second`: the roles that a second person may have."""

    lawful: bool
    line: int
    events: list[PreviewedEvent]
    wagers: list[Resettled]
    chips: list[ChipsMoved]
    before: Position
    after: Position
    outcome: Figures
    rules: Says
    second: list[str]


class PlayedFact(Told):
    """A fact as it is written in a correction: a card or a throw as a word, a choice or a call with its parts."""

    fact: str | dict[str, Any]
    due: str


class PlayedWager(Told):
    number: int
    by: str
    on: str
    stake: int
    result: str
    returned: int
    rule: str


class PlayedRound(Told):
    """A finished round, with its facts as a correction gives them; `invalid` says why it does not count."""

    round: int
    invalid: str
    outcome: Figures
    facts: list[PlayedFact]
    wagers: list[PlayedWager]


class PlayedRounds(Told):
    table: str
    rounds: list[PlayedRound]


# ---------------------------------------------------------------- the inspector's room


class Reported(Told):
    """An event that the inspector is told of, in words."""

    table: str
    practice: bool
    line: int
    round: int
    at_ms: int
    by: str
    role: str
    kind: str
    type: str
    says: str
    rule: str
    summary: str


class Reports(Told):
    """The reports of all tables, newest first; `key` is the public key of the signed heads."""

    reports: list[Reported]
    key: str


# ---------------------------------------------------------------- the entrance


class Nobody(Told):
    """Nobody is signed in."""

    demo: bool
    name: str


class SignedIn(Told):
    """Who is signed in; `token` goes with every request that changes anything, in `X-Croupier-Token`."""

    demo: bool
    name: str
    roles: list[str]
    kind: str
    must_change: bool
    token: str


class SignedOut(Told):
    name: str


class ListedPerson(Told):
    name: str
    roles: list[str]
    kind: str
    must_change: bool
    failures: int
    locked_until_ms: int
    disabled: bool


class ListedPeople(Told):
    people: list[ListedPerson]


class PersonChanged(Told):
    """Done; `one_time` is a new password or PIN for one use, told once."""

    name: str
    one_time: str | UnsetType = UNSET


# ---------------------------------------------------------------- devices


class DeviceCode(Told):
    """A code for one pairing, good until then."""

    code: str
    until_ms: int
    device: str
    table: str


class DeviceSecret(Told):
    """What a device shows from now on to be known; told once."""

    secret: str
    name: str
    table: str
    kind: str


class DeviceTicket(Told):
    ticket: str
    name: str
    table: str
