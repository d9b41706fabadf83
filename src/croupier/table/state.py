"""A live table as a value.

Everything a table is at a moment: its rule set and sign, the round in hand, who sits where, the balances of all
accounts, what was posted, ruled and disputed.  It changes only by `evolve`, one event at a time; balances only by the
transfers that the events carry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from msgspec.structs import replace as changed

from croupier.game import NO_SIGN, NORMAL, AnyGame, Attendance, Demand, Fact, Next, Procedure, Sign, Wager
from croupier.law.ruleset import Ruleset
from croupier.money import Cents
from croupier.once import once
from croupier.round import AnyRound, Entry, open_round
from croupier.table.accounts import Balances, chips_of, stakes_of
from croupier.table.areas import AreaRules, areas_of
from croupier.table.devices import Case, System, Terminal, Voucher
from croupier.table.general import GENERAL, GeneralRules
from croupier.table.live import live, procedure_of

RECORDS_KEPT = 200
"""Finished rounds that a table remembers for correction; older ones are read back from the journal."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person at the table.  `seat` 0 is standing; `tolerated`: a wager below the minimum was let pass once."""

    name: str
    seat: int = 0
    personal: tuple[Cents, Cents] | None = None
    tolerated: bool = False
    idle: int = 0
    deferring: bool = False
    won_with_device: bool = False
    colours: Mapping[str, Cents] = field(default_factory=dict)
    colours_only: bool = False


@dataclass(frozen=True, slots=True)
class House:
    """What the operator chose for this table beside the sign."""

    seats: int = 0
    kinds: Mapping[str, tuple[Cents, Cents]] = field(default_factory=dict)
    multiples: bool = False
    players_per_area: int = 1
    area_cap: str = ""
    refuse_unpayable: bool = False
    supervisor: str = ""
    private: frozenset[str] = frozenset()
    event: str = ""
    first_today: bool = False
    signs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Linkage:
    """The link whose pool the jackpot wagers play for, if any, and the last rounds of this table that it knew of.

    `told`: the round for which it told the pool; `claimed`: whose hands claimed it; `paid`: whose hands it paid.
    `shut`: the link takes no wagers now.
    """

    link: str = ""
    told: int = 0
    claimed: int = 0
    paid: int = 0
    shut: bool = False


class Line(msgspec.Struct, frozen=True, gc=False):
    """A settled wager: how it ended, all that went back, and whether that was apart from the end of its round.

    `commission` was taken from the winnings; one that was paid at placement is the wager's own.
    """

    wager: Wager
    result: str
    returned: Cents
    rule: str
    apart: bool = False
    commission: Cents = 0

    @property
    def net(self) -> Cents:
        return self.returned - self.wager.stake_cents - self.wager.voided_cents - self.wager.fee_cents


@dataclass(frozen=True, slots=True)
class Record:
    """A finished round: what it began with, what was placed (after so many facts), what happened, how it ended."""

    number: int
    following: Next
    carried: tuple[Wager, ...]
    placed: tuple[tuple[int, Wager], ...]
    facts: tuple[Fact, ...]
    lines: tuple[Line, ...]
    invalid: str = ""
    outcome: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """A fact of the round in hand, with the round as it was before it."""

    before: AnyRound
    fact: Fact


@dataclass(frozen=True, slots=True)
class RulingMade:
    """A ruling of the round in hand: the step it was made at, its rule, and whose call is in force."""

    step: int
    rule: str
    level: str


@dataclass(frozen=True, slots=True)
class Dispute:
    complainant: str
    about: str
    level: int = 0
    decision: str = ""
    resolved: bool = False


class FixedShoe(msgspec.Struct, frozen=True):
    """What is known of a virtual shoe: the hash of its order; the hash of the last one that was used, and its text."""

    commitment: str = ""
    before: str = ""
    revealed: str = ""


class Table(msgspec.Struct, frozen=True):
    """One table.

    `steps`, `placed`, `settled` and `carried` are the round in hand; `areas` where its wagers lie.  `overpaid` is what
    somebody was paid too much (or, below nothing, too little) and has not settled yet.  `slips` are the digests that
    terminals confirmed last, `locks` the terminals that nobody may operate (the empty name: the game system).  Those in
    `retired` were terminals of this table once.
    """

    name: str
    game: AnyGame
    ruleset: Ruleset[Any]
    round: AnyRound
    procedure: Procedure[Any, Any]
    general: GeneralRules
    layout: AreaRules
    open: bool = False
    sign: Sign = NO_SIGN
    house: House = House()
    number: int = 1
    following: Next = NORMAL
    steps: tuple[Step, ...] = ()
    carried: tuple[Wager, ...] = ()
    placed: tuple[tuple[int, Wager], ...] = ()
    settled: tuple[Line, ...] = ()
    areas: Mapping[int, int] = {}
    players: Mapping[str, Player] = {}
    balances: Balances = {}
    overpaid: Mapping[str, Cents] = {}
    excluded: Mapping[str, str] = {}
    standing_allowed: frozenset[str] = frozenset()
    closing: tuple[int, int] | None = None
    posted: tuple[Cents, Cents, int, int] | None = None
    records: tuple[Record, ...] = ()
    rulings: tuple[RulingMade, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    system: System = System()
    terminals: Mapping[str, Terminal] = {}
    retired: frozenset[str] = frozenset()
    slips: Mapping[str, str] = {}
    vouchers: Mapping[str, Voucher] = {}
    cases: tuple[Case, ...] = ()
    locks: frozenset[str] = frozenset()
    linkage: Linkage = Linkage()
    shoe: FixedShoe = FixedShoe()
    entries: int = 0

    @property
    def seats(self) -> dict[int, str]:
        """Who sits on which number."""
        return {player.seat: name for name, player in self.players.items() if player.seat}

    @property
    def due(self) -> Demand:
        """What is due now, given who is there and what they staked."""
        return standing_now(self)[1]

    def chips(self, player: str) -> Cents:
        return self.balances.get(chips_of(player), 0)

    def staked(self, player: str) -> Cents:
        return self.balances.get(stakes_of(player), 0)

    def record(self, number: int) -> Record | None:
        return next((record for record in reversed(self.records) if record.number == number), None)

    def line(self, number: int) -> Entry | None:
        """A line of the book in hand, by its number."""
        return next((entry for entry in self.round.book if entry.wager.number == number), None)


def new_table(name: str, game: AnyGame, ruleset: Ruleset[Any]) -> Table:
    """A table that was never opened."""
    return Table(
        name=name,
        game=game,
        ruleset=ruleset,
        round=open_round(live(game), ruleset.rules),
        procedure=procedure_of(game),
        general=GENERAL[ruleset.edition],
        layout=areas_of(ruleset.edition, ruleset.game, ruleset.version),
    )


def with_player(table: Table, name: str, **changes: Any) -> Table:
    """The table with one player changed, or added."""
    player = table.players.get(name) or Player(name)
    return changed(table, players={**table.players, name: replace(player, **changes)})


@once
def standing_now(table: Table) -> tuple[AnyRound, Demand]:
    """The round with its sitting told who is there and what they staked, and what is due in it."""
    this = _attended(table)
    return this, this.due


def _attended(table: Table) -> AnyRound:
    this = table.round
    wagers = tuple([entry.wager for entry in this.book if entry.wager.stake_cents])
    there = Attendance(table.seats, wagers, this.standing)
    return changed(this, state=table.procedure.attend(this.rules, this.state, there))


def snapshot(table: Table) -> bytes:
    """The table as bytes, the same for equal tables on any machine; what never changes is left out."""
    this = table.round
    told = {name: getattr(table, name) for name in table.__struct_fields__ if name not in _FIXED}
    told["round"] = (this.state, this.book, this.start, this.following, this.numbered)
    told["steps"] = [step.fact for step in table.steps]
    told["areas"] = sorted(table.areas.items())
    return msgspec.json.encode(told, order="deterministic", enc_hook=repr)


_FIXED = ("game", "ruleset", "round", "procedure", "general", "layout", "steps", "areas")
