"""What is simulated: units of play, kernels that play them, and tallies that add up.

Theory of operation.  Play is a numbered sequence of *units*: shoes, sessions of craps, blocks of spins.  A `Chunk` is
some of them in a row.  A kernel plays a chunk and counts into a histogram of integers; the histograms of chunks add
up, so the result is the same whoever played what.  Asked for n rounds, the simulation is the first n rounds of the
sequence: the chunk in which the n-th falls is played again with a limit.

A game plugs in with a `Program` (kernel, tables, size of the histogram) and the `PlanRow`s that say for each wager what
the bins of the histogram mean to it: resolutions made by the game's own `judge`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from croupier.simulation.sessions import Bins
from croupier.simulation.streams import keys_of

Ints: TypeAlias = NDArray[np.int64]
Table: TypeAlias = NDArray[Any]

NO_LIMIT: Final = (1 << 62) - 1


@dataclass(frozen=True, slots=True)
class Chunk:
    """The units `first` … `first + count - 1` under a seed, but at most `limit` rounds."""

    seed: int
    first: int
    count: int
    limit: int = NO_LIMIT


Kernel: TypeAlias = Callable[[tuple[Table, ...], Chunk, Ints], int]
"""Play a chunk with these tables, add to the histogram, answer with the number of rounds played.

A kernel is a plain function of a module, so that it can be sent by name to another process or machine; inside it calls
a compiled function that holds no lock (`nogil`) and is cached on disk.  A round at which the limit is reached is the
last; what was begun before it and not decided is not counted.
"""


@dataclass(frozen=True, slots=True)
class Program:
    """A kernel with its tables; `units_each` make a chunk that takes some hundredths of a second.

    `mean_rounds` is about how many rounds a unit has.
    """

    kernel: Kernel
    tables: tuple[Table, ...]
    bins: int
    units_each: int
    mean_rounds: float


@dataclass(frozen=True, slots=True)
class Tally:
    """What some chunks came to."""

    counts: Ints
    rounds: int

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.counts + other.counts, self.rounds + other.rounds)


def always(_done: int) -> bool:
    """Goes on, however many are done."""
    return True


def nothing(program: Program) -> Tally:
    return Tally(np.zeros(program.bins, dtype=np.int64), 0)


def play_chunk(loop: Any, tables: tuple[Table, ...], chunk: Chunk, counts: Ints) -> int:
    """Let a compiled loop play the units of a chunk: how many rounds that were."""
    k0, k1 = keys_of(chunk.seed)
    return int(loop(*tables, k0, k1, chunk.first, chunk.count, chunk.limit, counts))


def run_chunk(program: Program, chunk: Chunk) -> Tally:
    """Play one chunk, here."""
    counts = np.zeros(program.bins, dtype=np.int64)
    rounds = program.kernel(program.tables, chunk, counts)
    return Tally(counts, int(rounds))


# ---------------------------------------------------------------- what is asked for


@dataclass(frozen=True, slots=True)
class SimulationSettings:
    """What a user asks of a simulation beyond the rules.

    `strategy` is a name, or a table or function the game understands; `boxes` how many are played.  `wagers` is what
    the bettor of a session stakes, in units, by wager; a game has its own default.  With `session` > 0 every unit of
    play is a session of so many rounds, and its result, lowest point and drawdown are counted too.  `behind` is how
    many cards lie behind the cutting card, where the edition leaves room.  `quick`: exact odds that take seconds are
    not wanted.  `pool_cents` and `stake_cents` are those of a jackpot, whose row needs both.
    """

    strategy: object = ""
    boxes: int = 1
    wagers: Mapping[str, int] = field(default_factory=dict)
    session: int = 0
    behind: int | None = None
    quick: bool = False
    pool_cents: int | None = None
    stake_cents: int | None = None


P = TypeVar("P")


def of_each_box(
    settings: SimulationSettings, made: Callable[[Any], P], *, label: str, most: int, where: str, rule: str
) -> tuple[P, ...]:
    """What is played at each box: one strategy for all of them, or one for each, made into what the game knows.

    Different ones of one name (`label` is the field that has it) get numbers, so that each is counted for itself.
    """
    boxes, given = settings.boxes, settings.strategy
    if type(boxes) is not int or not 1 <= boxes <= most:
        raise ValueError(f"{where} has 1 to {most} boxes, not {boxes!r:.20} ({rule})")
    each = list(given) if isinstance(given, list | tuple) else [given] * boxes
    if len(each) != boxes:
        raise ValueError(f"{len(each)} strategies for {boxes} boxes: give one, or one for each")
    known = {id(one): made(one) for one in {id(one): one for one in each}.values()}
    played = [known[id(one)] for one in each]
    different: dict[int, Any] = {id(one): one for one in played}
    names = [getattr(one, label) for one in different.values()]
    numbered = {}
    for number, (key, one) in enumerate(different.items()):
        name, same = names[number], names[:number].count(names[number]) + 1
        numbered[key] = replace(one, **{label: f"{name} {same}"}) if names.count(name) > 1 else one
    return tuple(numbered[id(one)] for one in played)


# ---------------------------------------------------------------- what the bins mean


@dataclass(frozen=True, slots=True)
class BinEnding:
    """How a wager ended, and its net per unit staked."""

    result: str
    net: Fraction
    rule: str


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A wager: what each bin from `first` on means to it.  None: it was not placed, or not decided, there.

    `policy` names how choices were made; `count` is that at which it was staked, of a row for one count alone.
    """

    wager: str
    first: int
    endings: tuple[BinEnding | None, ...]
    policy: str = ""
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Exact:
    """What the exact odds say of a wager, per unit staked."""

    mean: Fraction | float
    variance: Fraction | float
    method: str = "exact"


class BettorLike(Protocol):
    """Whoever can tell of a bettor's visits from a tally, beside the exact odds."""

    def results(self, counts: Ints, exact: Mapping[tuple[str, str], Exact], /) -> Any: ...


@dataclass(frozen=True, slots=True)
class Simulated:
    """All that a game brings to its simulation.

    `exact` answers, when it is asked, with the exact worth of wagers by (wager, policy); it may know fewer than there
    are rows.  `notes` are sentences about what was simulated (the cut, the boxes, the plan).  `outcomes` names bins for
    the list of plain counts: name to bins.  `sessions` says where a session's figures are, if there are any; `bettor`
    tells what somebody who bets by a strategy did.
    """

    program: Program
    rows: tuple[PlanRow, ...]
    exact: Callable[[], Mapping[tuple[str, str], Exact]]
    notes: tuple[str, ...] = ()
    outcomes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    sessions: Bins | None = None
    bettor: BettorLike | None = None
