"""A live table as a value.

Everything a table is at a moment: its rule set and sign, the round in hand, who sits where with how many chips, what
was posted, ruled and disputed.  It changes only by `evolve`, one event at a time.  Balances here are for deciding;
the ledger derives the same figures from the transfers alone, and a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from croupier.game import NO_SIGN, Fact, Sign, Wager
from croupier.law.ruleset import Ruleset
from croupier.money import Cents
from croupier.round import AnyRound
from croupier.table.general import GENERAL, GeneralRules

RECORDS_KEPT = 200
"""Finished rounds that a table remembers; older ones are read back from the journal."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person at the table.  `seat` 0 is standing; `owed` is commission not yet collected."""

    name: str
    seat: int = 0
    chips: Cents = 0
    staked: Cents = 0
    personal: tuple[Cents, Cents] | None = None
    tolerated: bool = False
    idle: int = 0
    deferring: bool = False
    owed: Cents = 0
    won: Cents = 0
    colours: Mapping[str, Cents] = field(default_factory=dict)
    colours_only: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A settled wager as it was recorded: what was staked, and what the bettor got back."""

    wager: Wager
    result: str
    pays: Cents
    commission: Cents
    returned: Cents
    rule: str


@dataclass(frozen=True, slots=True)
class Record:
    """A finished round: its facts and its settled wagers, in the versions now in force."""

    number: int
    facts: tuple[Fact, ...]
    lines: tuple[Line, ...]
    placed: tuple[tuple[int, Wager], ...]
    invalid: str = ""


@dataclass(frozen=True, slots=True)
class RulingMade:
    """A ruling of the round in hand, kept for review."""

    circumstance: str
    remedy: str
    rule: str
    by: str


@dataclass(frozen=True, slots=True)
class Dispute:
    complainant: str
    about: str
    level: int = 0
    decision: str = ""
    resolved: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """One table.  `facts` and `placed` are the round in hand so far: (facts before it, wager) for each wager placed."""

    name: str
    ruleset: Ruleset[Any]
    round: AnyRound
    open: bool = False
    sign: Sign = NO_SIGN
    aggregate: Cents = 0
    supervisor: str = ""
    private: frozenset[str] = frozenset()
    event: str = ""
    number: int = 1
    facts: tuple[Fact, ...] = ()
    placed: tuple[tuple[int, Wager], ...] = ()
    players: Mapping[str, Player] = field(default_factory=dict)
    excluded: Mapping[str, str] = field(default_factory=dict)
    standing_allowed: frozenset[str] = frozenset()
    closing: tuple[int, int] | None = None
    posted: tuple[Cents, Cents, int, int] | None = None
    records: tuple[Record, ...] = ()
    rulings: tuple[RulingMade, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    entries: int = 0

    @property
    def general(self) -> GeneralRules:
        return GENERAL[self.ruleset.edition]

    @property
    def seats(self) -> Mapping[int, str]:
        """Who sits on which number."""
        return {player.seat: name for name, player in self.players.items() if player.seat}

    def record(self, number: int) -> Record | None:
        return next((record for record in self.records if record.number == number), None)


def with_player(table: Table, name: str, **changes: Any) -> Table:
    """The table with one player changed, or added."""
    player = table.players.get(name) or Player(name)
    return replace(table, players={**table.players, name: replace(player, **changes)})
