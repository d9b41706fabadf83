"""The terminals of a table, their vouchers, and the cases of those that malfunctioned, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from croupier.money import Cents


@dataclass(frozen=True, slots=True)
class Terminal:
    """A terminal of the table; `name` is the account it plays with.

    `active`: somebody plays there, under the name `holder` if the dealer knows it, since round `since`, the
    `player`th of all.  `held` are the amounts that were built up on bets in round `held_in` and are no wagers yet.
    """

    name: str
    number: int
    minimum: Cents
    maximum: Cents
    increment: Cents
    aggregate: Cents = 0
    kinds: Mapping[str, tuple[Cents, Cents]] = field(default_factory=dict)
    denomination: Cents = 1
    notes: tuple[Cents, ...] = ()
    approval: str = ""
    features: tuple[str, ...] = ()
    active: bool = False
    holder: str = ""
    since: int = 0
    player: int = 0
    held: Mapping[str, Cents] = field(default_factory=dict)
    held_in: int = 0

    def limits(self, on: str) -> tuple[Cents, Cents]:
        """The minimum and maximum of one bet."""
        return self.kinds.get(on, (self.minimum, self.maximum))


@dataclass(frozen=True, slots=True)
class Voucher:
    """What a terminal printed in round `round` for its player, who sat there since round `since`, the `player`th.

    `rounds` are those of which it pays what was due; none: it is of the terminal's credits.
    """

    terminal: str
    amount: Cents
    paid: bool = False
    since: int = 0
    player: int = 0
    round: int = 0
    rounds: tuple[int, ...] = ()


class Left(NamedTuple):
    """What of a refused round had left a terminal with its player, who sat there since round `since`.

    Of no round (0) is what the last player was credited beside them, the `player`th who sat there.
    """

    terminal: str
    round: int
    since: int
    player: int
    amount: Cents


class Unfetched(NamedTuple):
    """What is due of a round that the table remembers no more, to whoever sat at a terminal since round `since`."""

    terminal: str
    since: int
    round: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class MalfunctionCase:
    """A malfunction: of a terminal, or of the game system if none is named.

    `refused` are the terminals and rounds whose payment was refused, `left` what of it had left them, below nothing
    where the refund of wagers was set against it; `report`, `finding` and `refunded` are the duties.
    """

    terminal: str
    fault: str
    rounds: tuple[int, ...]
    refused: tuple[tuple[str, int], ...] = ()
    left: tuple[Left, ...] = ()
    report: str = ""
    finding: str = ""
    refunded: bool = False
    closed: bool = False


@dataclass(frozen=True, slots=True)
class System:
    """The game system: its version and type approval."""

    version: str = ""
    approval: str = ""
