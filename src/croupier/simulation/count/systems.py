"""Counting cards: systems of tags, true counts, and how much is staked at each.

Theory of operation.  A system gives each rank a tag.  The running count is the sum of the tags of all cards seen since
the shoe was mixed; the true count is that per deck still to come, rounded down.  An unbalanced system starts at a
number of its own for each deck and is used as it runs.  A `Counting` joins a system to a ramp: what is staked at which
count, from what count on the bettor plays at all (rounds below are watched, and dealt to somebody else), and at which
counts a play departs from the chart.

What a count is worth for betting is told before a card is dealt: `betting_correlation` is the correlation of its tags
with what the removal of each card does to the edge.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from croupier.equipment import RANKS
from croupier.errors import BadInput, unknown
from croupier.simulation.betting import Betting
from croupier.simulation.plan import Ints

LOW, HIGH = -10, 10
"""Counts beyond these are told with them."""
COUNTS: Final = HIGH - LOW + 1
DECK: Final = 52
MOST_UNITS: Final = 10_000


@dataclass(frozen=True, slots=True)
class CountSystem:
    """Tags by rank, from the ace to the king, as whole numbers; `scale` of them make one.

    `start` is where the running count starts, for each deck; without `true` it is used as it runs.
    """

    name: str
    tags: tuple[int, ...]
    scale: int = 1
    true: bool = True
    start: int = 0
    source: str = ""

    def __post_init__(self) -> None:
        whole = all(type(tag) is int and abs(tag) <= 100 for tag in self.tags)
        if len(self.tags) != len(RANKS) or not whole or not 1 <= self.scale <= 10:
            raise BadInput(f"count {self.name!r:.40}: thirteen whole tags from the ace to the king, and a scale to 10")


def _tags(ace: int, two_to_nine: Sequence[int], ten: int) -> tuple[int, ...]:
    return (ace, *two_to_nine, *[ten] * 4)


SYSTEMS: Final[Mapping[str, CountSystem]] = {
    each.name: each
    for each in (
        CountSystem("hi_lo", _tags(-1, (1, 1, 1, 1, 1, 0, 0, 0), -1), source="Wong, Professional Blackjack"),
        CountSystem("hi_opt_1", _tags(0, (0, 1, 1, 1, 1, 0, 0, 0), -1), source="Humble and Cooper"),
        CountSystem("omega_2", _tags(0, (1, 1, 2, 2, 2, 1, 0, -1), -2), source="Carlson, Blackjack for Blood"),
        CountSystem("zen", _tags(-1, (1, 1, 2, 2, 2, 1, 0, 0), -2), source="Snyder, Blackbelt in Blackjack"),
        CountSystem("halves", _tags(-2, (1, 2, 2, 3, 2, 1, 0, -1), -2), 2, source="Wong, Professional Blackjack"),
        CountSystem(
            "ko", _tags(-1, (1, 1, 1, 1, 1, 1, 0, 0), -1), true=False, start=-4, source="Vancura and Fuchs, Knock-Out"
        ),
        CountSystem(
            "dragon_7",
            _tags(1, (0, 0, -1, -1, -1, -1, 2, 2), 0),
            true=False,
            start=-4,
            source="S. How, Discount Gambling",
        ),
    )
}
"""The known ones; a `CountSystem` of one's own does as well."""


@dataclass(frozen=True, slots=True)
class Counting:
    """A way to bet by the count.

    `ramp` are the stakes from the count `at` on, one count after the other, the first also below it and the last also
    above.  Below the count `enter` nothing is staked.  `indices`: whether plays depart from the chart by the count, and
    insurance is taken by it.  `estimate`: to how many cards the discards are judged (26: half decks).  `on` is the
    wager, where there are several.
    """

    system: CountSystem
    ramp: tuple[int, ...] = (1,)
    at: int = 1
    enter: int | None = None
    indices: bool = False
    estimate: int = 1
    on: str = ""

    @property
    def name(self) -> str:
        steps = "/".join(map(str, self.ramp))
        enters = "" if self.enter is None else f", nothing below {self.enter:+d}"
        return f"{self.system.name} {steps} from {self.at:+d}{enters}{', with index plays' if self.indices else ''}"

    def stake(self, count: int) -> int:
        if self.enter is not None and count < self.enter:
            return 0
        return self.ramp[min(max(count - self.at, 0), len(self.ramp) - 1)]

    def stakes(self) -> Ints:
        return np.array([self.stake(count) for count in range(LOW, HIGH + 1)], dtype=np.int64)

    def running(self, decks: int) -> int:
        """Where the running count starts, in parts of a tag."""
        return self.system.start * decks * self.system.scale

    def parts(self, size: int) -> NDArray[np.float64]:
        """What a running count in fifty-seconds is divided by, and rounded down, by how many cards are left.

        A true count is so one whole number by another.  They are divided as doubles, which is quicker and exact: a
        quotient of whole numbers below 2²⁶ that is not whole itself is further from every whole number than the
        rounding can carry it.
        """
        left, near = np.arange(size + 1), self.estimate
        judged = np.maximum(near, (left + near // 2) // near * near) if self.system.true else np.full(size + 1, DECK)
        return (self.system.scale * judged).astype(np.float64)


OPTIONS: Final = ("ramp", "at", "enter", "indices", "estimate", "on")


def counting_of(given: object) -> Counting | None:
    """A way to bet by the count: itself, or `hi_lo:ramp=1/2/4/8,at=1,enter=0,indices=yes`; None for anything else."""
    if isinstance(given, Counting):
        return given
    if not isinstance(given, str) or given.partition(":")[0] not in SYSTEMS:
        return None
    name, _, written = given.partition(":")
    this = Counting(SYSTEMS[name])
    met: set[str] = set()
    for part in filter(None, written.split(",")):
        word, _, value = (text.strip() for text in part.partition("="))
        if word not in OPTIONS or word in met:
            raise unknown("option of a count", word, OPTIONS)
        met.add(word)
        this = _with(this, given, word, value)
    return this


def _with(this: Counting, given: str, word: str, value: str) -> Counting:
    if word == "ramp":
        steps = value.split("/")
        if not all(re.fullmatch(r"[0-9]{1,5}", step) and int(step) <= MOST_UNITS for step in steps):
            raise BadInput(f"{given!r:.60}: a ramp is written like 1/2/4/8, in units to {MOST_UNITS}: {value!r:.40}")
        return replace(this, ramp=tuple(map(int, steps)))
    if word == "indices":
        if value not in ("", "yes", "no"):
            raise BadInput(f"{given!r:.60}: indices is yes or no: {value!r:.40}")
        return replace(this, indices=value != "no")
    if word == "on":
        return replace(this, on=value)
    if not re.fullmatch(r"-?[0-9]{1,2}", value) or not LOW <= int(value) <= DECK:
        raise BadInput(f"{given!r:.60}: {word} is a whole number: {value!r:.40}")
    if word == "estimate":
        if int(value) < 1:
            raise BadInput(f"{given!r:.60}: estimate is a number of cards, 1 to {DECK}: {value!r:.40}")
        return replace(this, estimate=int(value))
    return replace(this, at=int(value)) if word == "at" else replace(this, enter=int(value))


def betting_by_count(counting: Counting, sums: Sequence[Sequence[int]], grains: int, wager: str) -> Betting:
    """What a ramp made of rounds, nets of a unit and their squares, in grains, told for each count from the lowest."""
    return betting_by_stake(counting.name, counting.stakes().tolist(), sums, grains, wager, first=LOW)


def betting_by_stake(
    name: str,
    stakes: Sequence[int],
    sums: Sequence[Sequence[int]],
    grains: int,
    wager: str,
    *,
    first: int | None = None,
) -> Betting:
    """The same for any list of stakes; `first` is the count of the first of them, if they go by a count."""
    pairs = list(zip(stakes, sums, strict=True))
    seen = sum(rounds for _, (rounds, _, _) in pairs)
    staked = sum(rounds * stake for stake, (rounds, _, _) in pairs)
    net = sum(total * stake for stake, (_, total, _) in pairs) / grains
    square = sum(each * stake**2 for stake, (_, _, each) in pairs) / grains**2
    deviation = sqrt(max(0.0, square / seen - (net / seen) ** 2)) if seen else 0.0
    return Betting(
        strategy=name,
        coups=seen,
        bets=sum(rounds for stake, (rounds, _, _) in pairs if stake),
        staked=staked,
        net=net,
        edge=0.0 - net / staked if staked else 0.0,
        error=deviation * sqrt(seen) / staked if staked else 0.0,
        expected=None,
        z=None,
        deviation=deviation,
        largest=max((stake for stake, (rounds, _, _) in pairs if rounds), default=0),
        wagers=((wager, staked),),
        states=len(stakes),
        flat=0.0 - sum(total for _, (_, total, _) in pairs) / grains / seen if seen else None,
        by_count=tuple(
            (first + n, rounds, stake, 0.0 - total / grains / rounds)
            for n, (stake, (rounds, total, _)) in enumerate(pairs)
            if rounds and first is not None
        ),
    )


def betting_correlation(tags: Sequence[int], effects: Sequence[float]) -> float:
    """How well tags tell what a removal does, both by rank from the ace to the king; balanced or not."""
    mean = sum(tags) / len(tags), sum(effects) / len(effects)
    pairs = [(tag - mean[0], effect - mean[1]) for tag, effect in zip(tags, effects, strict=True)]
    squares = sum(tag * tag for tag, _ in pairs) * sum(effect * effect for _, effect in pairs)
    return sum(tag * effect for tag, effect in pairs) / sqrt(squares) if squares else 0.0
