"""What the doors of the house answer, as types: those of the tables, the entrance, the devices and the inspector.

The rooms make their answers as plain data; these types say what that data is, for the description of the house
(`Door.answer`), and a test holds every real answer against them.  No field may come that is not said here: an answer
that grows is described anew.  `UNSET` marks what is sometimes left out.  Money is in cents, time in milliseconds.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from croupier.floor.views.parts import Figures
from croupier.floor.views.shapes import DueShown

Says: TypeAlias = dict[str, str]
"""Rules by their ids, each in our own words."""


class Answered(Struct, forbid_unknown_fields=True):
    """The base of all answers."""


class Reason(Answered):
    """Why not, in one line; with the rule, where a rule refused it.

    `wants`: what it could be done with, `factor` for a second factor that is shown for this command, `second` for
    another person who asks for it, too.
    """

    reason: str
    rule: str | UnsetType | None = UNSET
    wants: str | UnsetType = UNSET


# ---------------------------------------------------------------- the house and its tables


class Health(Answered):
    """That the house lives."""

    alive: bool
    tables: int
    at_ms: int


class Ready(Answered):
    """That the house takes work."""

    ready: bool
    tables: int
    at_ms: int


class ListedTable(Answered):
    """A table, as the lobby shows it; `history` has the results of its last rounds.

    `deals` says who deals: `virtual`, `paused`, a `person` (the `dealer`, whose name is told to who is signed in), or
    nobody.  `pool` is what the meter of its jackpot link shows, if it has one.
    """

    name: str
    game: str
    edition: str
    version: str
    minimum: int
    maximum: int
    open: bool
    practice: bool
    deals: str
    dealer: str
    round: int
    players: int
    closes_ms: int
    betting: bool
    pool: int | None
    history: list[Figures]


class CallsOpen(Answered):
    """How many players of the table have called for staff and were not answered yet."""

    calls: int


class WhoDeals(Answered):
    deals: str


class ListedTables(Answered):
    demo: bool
    tables: list[ListedTable]


class RuleOfAnother(Answered):
    edition: str
    id: str
    summary: str


class SaidRule(Answered):
    """A rule in our own words, and how other editions say it."""

    id: str
    summary: str
    others: list[RuleOfAnother]


class MoneyMoved(Answered):
    """Money from one account to another, and the rule that moves it; of each account what it is for and whose it is."""

    debit: str
    credit: str
    amount: int
    rule: str
    debited: tuple[str, str]
    credited: tuple[str, str]


class StoryEvent(Answered):
    """An event: in words, as data, and with the money it moved.

    `event` is the event as the journal has it; `name` what it is called where it has no words of its own, `figures`
    what it then says: a name, a value, whether that is cents, and of a point of time what happens then.  `to` is the
    place to which a card was due, `card` whether the fact of it is one.
    """

    type: str
    name: str
    words: str
    rule: str
    transfers: list[MoneyMoved]
    event: Figures
    to: str
    card: bool
    figures: list[tuple[str, str | int | bool, bool, str]]


class StoryLine(StoryEvent, kw_only=True):
    """A line of the journal."""

    line: int
    at_ms: int
    by: str
    role: str


class SettledSide(Answered):
    """How a wager was settled."""

    result: str
    returned: int
    commission: int
    rule: str


class SettledLine(SettledSide, kw_only=True):
    """What became of a wager of a round; `was` and `change` tell what a correction made of it."""

    number: int
    by: str
    on: str
    stake: int | None
    was: SettledSide | None
    change: int


class Story(Answered):
    """A round as text and line by line; what lies on its felt, and lay there before it was corrected."""

    table: str
    game: str
    round: int
    story: str
    entries: list[StoryLine]
    felt: Figures | None
    was: Figures | None
    wagers: list[SettledLine]
    rules: Says


class Entered(Answered):
    """The ticket with which somebody goes on; the name, where an account has one."""

    ticket: str
    name: str | UnsetType = UNSET


class Lent(Answered):
    """The ticket of a role that was lent, and the one command that it is good for.

    `factor`: what wants a second factor wants one of this person too.
    """

    ticket: str
    name: str
    command: str
    factor: bool


# ---------------------------------------------------------------- the supervisor's room


class Unlawful(Answered):
    """A preview: the command would be refused."""

    lawful: bool
    reason: str
    on: str
    rule: str
    rules: Says
    second: list[str]
    factor: bool


class Settled(Answered):
    result: str
    returned: int
    rule: str


class Resettled(Answered):
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


class ChipsMoved(Answered):
    name: str
    before: int
    after: int


class PositionShown(Answered):
    """What lies on the layout, and what is due; `due` is that of a view."""

    round: int
    layout: Figures
    due: DueShown


class Previewed(Answered):
    """A preview: what would follow from the command.

    `second`: the roles that a second person may have; `factor`: whoever asks must show a second factor for it.
    """

    lawful: bool
    line: int
    events: list[StoryEvent]
    wagers: list[Resettled]
    chips: list[ChipsMoved]
    before: PositionShown
    after: PositionShown
    outcome: Figures
    rules: Says
    second: list[str]
    factor: bool


class PlayedFact(Answered):
    """A fact as it is written in a correction: a card or a throw as a word, a choice or a call with its parts.

    `due` is what was due when it came, `to` the place to which a card was.
    """

    fact: str | dict[str, Any]
    due: str
    to: str


class PlayedWager(Answered):
    number: int
    by: str
    on: str
    stake: int
    result: str
    returned: int
    rule: str


class RoundShown(Answered):
    """A finished round, with its facts as a correction gives them; `invalid` says why it does not count."""

    round: int
    invalid: str
    outcome: Figures
    facts: list[PlayedFact]
    wagers: list[PlayedWager]


class PlayedRounds(Answered):
    table: str
    rounds: list[RoundShown]


# ---------------------------------------------------------------- the inspector's room


class Reported(StoryLine, kw_only=True):
    """A line that the inspector is told of."""

    table: str
    practice: bool
    round: int
    kind: str
    summary: str


class Reports(Answered):
    """The reports of all tables, newest first; `key` is the public key of the signed heads."""

    reports: list[Reported]
    key: str


# ---------------------------------------------------------------- the entrance


class Nobody(Answered):
    """Nobody is signed in."""

    demo: bool
    name: str


class SessionShown(Answered):
    """Who is signed in; `token` goes with every request that changes anything, in `X-Croupier-Token`.

    `factor`: before a correction, a role or a key this person shows a second factor, of which they have `factors`.
    """

    demo: bool
    name: str
    roles: list[str]
    kind: str
    must_change: bool
    token: str
    factor: bool
    factors: int


class SessionEnded(Answered):
    name: str


class ListedPerson(Answered):
    name: str
    roles: list[str]
    kind: str
    must_change: bool
    failures: int
    locked_until_ms: int
    disabled: bool
    factors: int


class ListedPeople(Answered):
    """Everybody; `factor`: whoever asks shows a second factor for those acts that give a role or a key, by type."""

    people: list[ListedPerson]
    factor: list[str]


class PersonChanged(Answered):
    """Done; `one_time` is a new password or PIN for one use, told once."""

    name: str
    one_time: str | UnsetType = UNSET


class ListedFactor(Answered):
    """A second factor: a source of codes (`totp`), or a passkey of this house under the name `host`."""

    id: str
    kind: str
    label: str
    host: str
    added_ms: int


class ListedFactors(Answered):
    """One's own second factors; `wanted`: one is shown before a correction, a role or a key."""

    factors: list[ListedFactor]
    wanted: bool


class TotpOffered(Answered):
    """A new secret for codes, told once: in letters, as an address for a telephone, and as a picture, row by row.

    `offer` comes back with the first code.
    """

    offer: str
    secret: str
    address: str
    picture: list[str]


class PasskeyOffered(Answered):
    """What the browser makes a passkey with; `offer` comes back with what it made."""

    offer: str
    options: dict[str, Any]


class FactorAsked(Answered):
    """Which second factors somebody can show; `options` is for a passkey, and `state` comes back with its answer."""

    kinds: list[str]
    state: str
    options: dict[str, Any] | None


# ---------------------------------------------------------------- devices


class DeviceCode(Answered):
    """A code for one pairing, good until then."""

    code: str
    until_ms: int
    device: str
    table: str


class DeviceSecret(Answered):
    """What a device shows from now on to be known; told once."""

    secret: str
    name: str
    table: str
    kind: str


class DeviceTicket(Answered):
    ticket: str
    name: str
    table: str
