"""What the law fixes about craps: one typed object per edition.

A bet is of one of five sorts.  A line bet takes the next roll and then perhaps a number of its own; an odds bet follows
a line bet; a number bet waits for its number or a seven; a one-roll bet is decided by the next roll; a bet in parts
is several one-roll bets in one stake.  What a throw is to a number is one of three things: the number the hard way
(a double), the number the easy way, or a seven.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from croupier.ceremony import Script
from croupier.equipment import Space
from croupier.game import Remedy, Rounding
from croupier.game.kinds import wager_place
from croupier.law.conditions import IN_A_ROW, CaseWhen
from croupier.law.elections import Options
from croupier.law.model import Absent, Law
from croupier.law.officials import GAME_SUPERVISOR, STICKPERSON
from croupier.money import Odds
from croupier.once import dataclass

When: TypeAlias = Literal["come out", "point on", "any time"]
How: TypeAlias = Literal["hard", "easy", "seven"]

NUMBER: Final[frozenset[How]] = frozenset({"hard", "easy"})
SEVEN: Final[frozenset[How]] = frozenset({"seven"})

SETTLE = "settle"
"""The act with which the money of a throw moves."""


# ---------------------------------------------------------------- the bets


@dataclass(frozen=True, slots=True)
class LineBet:
    """Pass, Don't Pass, Come, Don't Come: decided at once, or by its number against the seven.

    `taken` says how long the player may take it down.
    """

    placed: Law[When]
    points: Law[frozenset[int]]
    wins_at_once: Law[frozenset[int]]
    loses_at_once: Law[frozenset[int]]
    void_at_once: Law[frozenset[int]] | Absent
    wins_on: Law[frozenset[How]]
    loses_on: Law[frozenset[How]]
    pays: Law[Odds]
    taken: Law[Literal["until its point", "any time"]]


@dataclass(frozen=True, slots=True)
class Limit:
    """So many times the base wager, measured by the stake or by what it can win."""

    times: int
    of: Literal["stake", "winnings"]


@dataclass(frozen=True, slots=True)
class OddsBet:
    """An additional wager on the number of a line bet.

    `returned` are the facts that send it back undecided: its base was taken down, or was decided while it was off.
    """

    base: Law[str]
    numbers: Law[frozenset[int]]
    limit: Law[Limit]
    wins_on: Law[frozenset[How]]
    loses_on: Law[frozenset[How]]
    returned: Law[Literal["base taken", "base decided while off"]] | Absent
    pays: Mapping[int, Law[Odds]]


@dataclass(frozen=True, slots=True)
class Commission:
    """A rate, of the stake or of what the wager can win, paid with the wager."""

    rate: Fraction
    of: Literal["stake", "winnings"]


@dataclass(frozen=True, slots=True)
class NumberBet:
    """A number against the seven: Place, Buy, Lay, Hardways, Big Six, Big Eight."""

    placed: Law[When]
    numbers: Law[frozenset[int]]
    wins_on: Law[frozenset[How]]
    loses_on: Law[frozenset[How]]
    pays: Mapping[int, Law[Odds]]
    commission: Law[Commission] | Absent


@dataclass(frozen=True, slots=True)
class OneRollBet:
    """Totals that win on the next roll, and those that lose."""

    placed: Law[When]
    wins: Law[frozenset[int]]
    loses: Law[frozenset[int]]
    pays: Mapping[int, Law[Odds]]


@dataclass(frozen=True, slots=True)
class PartsBet:
    """Several one-roll bets in one stake, a unit on each.

    `high` is the bet that carries a further unit, by the total the player names; `divided` whether the player may
    divide it otherwise; `parts` the bets it is paid as.
    """

    placed: Law[When]
    units: Law[int]
    high: Law[Mapping[int, str]] | Absent
    divided: Law[bool]
    wins: Law[frozenset[int]]
    loses: Law[frozenset[int]]
    parts: Law[tuple[str, ...]]


Bet: TypeAlias = LineBet | OddsBet | NumberBet | OneRollBet | PartsBet


def named_number(on: str) -> int | None:
    """6 of `place:6`; None where no number is named."""
    text = wager_place(on)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 and not text.startswith("0") else None


def numbers_named(bet: Bet) -> tuple[int, ...]:
    """The numbers a player must name one of; none for bets that have no number in their name."""
    match bet:
        case OddsBet(numbers=numbers):
            return tuple(sorted(numbers.value))
        case NumberBet(numbers=numbers):
            return tuple(sorted(numbers.value)) if len(numbers.value) > 1 else ()
        case PartsBet(high=Law(value=high)):
            return tuple(sorted(high))
        case _:
            return ()


# ---------------------------------------------------------------- the dice, the shooter, the officials


@dataclass(frozen=True, slots=True)
class DiceRules:
    """The set of dice, where throws may come from, what one of two dice can show, and when a set is replaced."""

    count: Law[int]
    face_mm: Law[int]
    opposite: Law[int]
    unpredictable: Law[frozenset[str]]
    outcomes: Law[Space[tuple[int, int]]]
    kept: Law[int]
    thrown: Law[int]
    lost: Law[int]
    told: Law[str]


@dataclass(frozen=True, slots=True)
class ShooterRules:
    """Who may throw, what makes them give up the dice, and to whom these are then offered.

    The offers are counted in seats: the first of the table from the game supervisor, a later one from the last shooter.
    """

    throws: Law[str]
    to_begin: Law[frozenset[str]]
    to_go_on: Law[frozenset[str]]
    may_pass: Law[bool]
    must_pass: Law[bool]
    ordered: Law[frozenset[str]]
    offered: Law[tuple[str, str]]
    first_offer: Law[int]
    next_offer: Law[int]
    others: Law[bool]
    nobody: Law[str]


@dataclass(frozen=True, slots=True)
class CrapsCase:
    """One line of the table of irregularities: when it applies, what is ordered, by whom, what is called out."""

    when: CaseWhen = field(metadata=IN_A_ROW)
    remedy: Remedy
    by: tuple[str, ...] = (STICKPERSON, GAME_SUPERVISOR)
    call: str = ""


Irregularities: TypeAlias = Mapping[str, tuple[Law[CrapsCase], ...]]


@dataclass(frozen=True, slots=True)
class CrapsRules:
    """The edition, with the elections in force.

    `no_point` is the point before a come out roll; `removal` where the dice must be for a wager to come down;
    `covers_similar` the calls that reach all wagers of the same kind.
    """

    # the come out roll, the point and the seven
    no_point: Law[int]
    points: Law[frozenset[int]]
    seven: Law[int]
    puck: Law[tuple[str, str]]
    # the wagers
    permitted: Law[frozenset[str]]
    bets: Mapping[str, Bet]
    double_odds: Law[Options[bool]]
    doubled: Law[int]
    confirmers: Law[frozenset[str]]
    removal: Law[Literal["held"]]
    switched: Law[frozenset[str]]
    off_on_come_out: Law[bool]
    covers_similar: Law[frozenset[str]]
    calls: Law[frozenset[str]]
    marked_by: Law[frozenset[str]]
    markers: Law[frozenset[str]]
    commission_back: Law[bool]
    charged: Law[frozenset[str]]
    over_maximum: Law[Literal["excess void"]]
    rounding: Law[Rounding]
    # the dice and who throws them
    dice: DiceRules
    shooter: ShooterRules
    # calls, officials, irregularities
    caller: Law[str]
    called: Law[Literal["binds"]]
    late_call: Law[str]
    overrules: Mapping[str, Law[frozenset[str]]]
    irregularities: Irregularities
    unprovided: Law[str]
    scripts: Mapping[str, Script]
