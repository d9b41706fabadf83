"""What a simulation came to: for every wager its counts, its estimate with an interval, and the exact odds beside it.

The estimate is the bettor's mean net per unit staked; the house's edge is its negative, as on an odds sheet, and
intervals and z-scores are told of the edge.  The standard error takes the wagers of a row as independent.  Those of one
shoe are not quite so, and the error is very nearly the same.  The z-score is the distance to the exact edge in standard
errors, by the exact variance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from croupier.errors import unknown
from croupier.law.ruleset import Ruleset
from croupier.present import Rows, drawn, html_table, short
from croupier.simulation.betting import Betting
from croupier.simulation.plan import BinEnding, Exact, Ints, PlanRow, Simulated, Tally
from croupier.simulation.sessions import HALF, SUMS, Bins

if TYPE_CHECKING:
    from rich.table import Table

CONFIDENCE: Final = 0.95
SPREAD: Final = 1.959963984540054
"""Standard errors to either side that hold the mean with this confidence (the normal quantile of 0.975)."""

QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
CURVE: Final = 64
"""Points of a curve at most."""


@dataclass(frozen=True, slots=True)
class Count:
    """How often a wager ended in one way."""

    ending: BinEnding
    times: int


@dataclass(frozen=True, slots=True)
class WagerResult:
    """A wager over the whole run, or at one `count` of it; `exact` is None where nothing exact is known."""

    wager: str
    policy: str
    decided: int
    counts: tuple[Count, ...]
    mean: float
    deviation: float
    error: float
    exact: Exact | None
    z: float | None
    count: int | None = None

    def __repr__(self) -> str:
        z = None if self.z is None else f"{self.z:+.2f}"
        edge = f"{self.edge:.4%} ± {SPREAD * self.error:.4%}"
        return short("WagerResult", wager=self.wager, policy=self.policy, decided=f"{self.decided:,}", edge=edge, z=z)

    @property
    def edge(self) -> float:
        """The house's, as on an odds sheet; never a negative nothing."""
        return 0.0 - self.mean

    @property
    def interval(self) -> tuple[float, float]:
        """Where the edge lies with this confidence."""
        return self.edge - SPREAD * self.error, self.edge + SPREAD * self.error


@dataclass(frozen=True, slots=True)
class SessionResults:
    """What sessions of so many rounds came to, in units.

    `ruin` is, for a bankroll, the share of sessions that lost it at some time; `fall` the share with at least such a
    drawdown; `hold` what the house kept, at each quantile of the sessions, of the mean stakes of a session.
    `results` is the histogram of results: from which edge on, and how many.
    """

    sessions: int
    rounds: int
    mean: float
    deviation: float
    mean_drawdown: float
    ruin: tuple[tuple[float, float], ...]
    fall: tuple[tuple[float, float], ...]
    quantiles: tuple[tuple[float, float], ...]
    hold: tuple[tuple[float, float], ...]
    results: tuple[tuple[float, int], ...]

    def __repr__(self) -> str:
        many, mean, spread = f"{self.sessions:,}", f"{self.mean:.3f}", f"{self.deviation:.3f}"
        return short("SessionResults", sessions=many, rounds=self.rounds, mean=mean, deviation=spread)

    @property
    def variance(self) -> float:
        return self.deviation**2


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """A whole run.  `rounds` were played of those asked for; fewer if it was interrupted."""

    ruleset: Ruleset[Any]
    rounds: int
    lines: tuple[WagerResult, ...]
    outcomes: tuple[tuple[str, int], ...]
    sessions: SessionResults | None
    notes: tuple[str, ...]
    betting: Betting | None = None
    asked: int = 0
    seed: int = 0
    interrupted: bool = False
    seconds: float | None = None

    @property
    def rounds_per_second(self) -> float | None:
        return self.rounds / self.seconds if self.seconds else None

    def line(self, wager: str, policy: str = "") -> WagerResult:
        """The line of a wager."""
        found = [each for each in self.lines if each.wager == wager]
        if not found:
            raise unknown("wager", wager, dict.fromkeys(line.wager for line in self.lines))
        for each in found:
            if policy in ("", each.policy):
                return each
        raise unknown(f"policy of {wager}", policy, [each.policy for each in found])

    def rows(self) -> Rows:
        """One flat dictionary a wager, for a data frame."""
        return [
            {
                "wager": line.wager,
                "policy": line.policy,
                "decided": line.decided,
                "edge": line.edge,
                "edge_percent": 100 * line.edge,
                "standard_error": line.error,
                "low": line.interval[0],
                "high": line.interval[1],
                "exact_edge": 0.0 - float(line.exact.mean) if line.exact else None,
                "z": line.z,
                "sd": line.deviation,
            }
            for line in self.lines
        ]

    def to_dict(self) -> dict[str, Any]:
        """The result in the public form, as `croupier simulate --json` prints it."""
        from croupier.simulation.paper.report import as_json

        return as_json(self)

    @property
    def _title(self) -> str:
        return f"{self.rounds:,} rounds of {self.ruleset.label}, seed {self.seed}"

    def __repr__(self) -> str:
        return short(
            "Result", rules=self.ruleset.label, rounds=f"{self.rounds:,}", wagers=len(self.lines), seed=self.seed
        )

    def __rich__(self) -> Table:
        return drawn(self.rows(), self._title)

    def _repr_html_(self) -> str:
        from croupier.simulation.paper.report import plots

        return html_table(self.rows(), self._title, *self.notes) + plots(self)


def result_of(ruleset: Ruleset[Any], game: Simulated, tally: Tally, *, exact: bool) -> Result:
    """The result of a tally; `exact` says whether the exact odds are wanted beside it."""
    known = game.exact() if exact else {}
    groups: dict[tuple[str, str], list[PlanRow]] = {}
    for row in game.rows:
        groups.setdefault((row.wager, row.policy), []).append(row)
    lines = [_line(key, rows, tally.counts, known.get(key) or known.get((key[0], ""))) for key, rows in groups.items()]
    outcomes = tuple((name, int(tally.counts[list(bins)].sum())) for name, bins in game.outcomes.items())
    figures = _sessions(game.sessions, tally) if game.sessions else None
    betting = game.bettor.results(tally.counts, known) if game.bettor else None
    return Result(ruleset, tally.rounds, tuple(lines), outcomes, figures, game.notes, betting)


def _line(key: tuple[str, str], rows: Sequence[PlanRow], counts: Ints, exact: Exact | None) -> WagerResult:
    times: dict[BinEnding, int] = {}
    for row in rows:
        found = counts[row.first : row.first + len(row.endings)].tolist()
        for how, number in zip(row.endings, found, strict=True):
            if how is not None:
                times[how] = times.get(how, 0) + number
    decided = sum(times.values())
    mean, variance = _moments(times, decided)
    error = sqrt(variance / decided) if decided else 0.0
    return WagerResult(
        wager=key[0],
        policy=key[1],
        decided=decided,
        counts=tuple(Count(how, n) for how, n in sorted(times.items(), key=lambda item: -item[0].net)),
        mean=float(mean),
        deviation=sqrt(variance),
        error=error,
        exact=exact,
        z=_z(mean, decided, exact),
        count=rows[0].count,
    )


def _moments(times: dict[BinEnding, int], decided: int) -> tuple[Fraction, float]:
    """Mean and variance, reckoned in integers: the counts may be too large for doubles."""
    if not decided:
        return Fraction(0), 0.0
    total = sum((how.net * n for how, n in times.items()), Fraction(0))
    square = sum((how.net**2 * n for how, n in times.items()), Fraction(0))
    mean = total / decided
    return mean, float(square / decided - mean**2)


def _z(mean: Fraction, decided: int, exact: Exact | None) -> float | None:
    if exact is None or not decided or exact.variance <= 0:
        return None
    return (float(exact.mean) - float(mean)) / sqrt(float(exact.variance) / decided)


# ---------------------------------------------------------------- sessions


def _sessions(bins: Bins, tally: Tally) -> SessionResults | None:
    counts = tally.counts
    many, total, squares, falls, _ = (int(each) for each in counts[bins.first : bins.first + SUMS])
    if not many:
        return None
    at = bins.first + SUMS
    results = counts[at : at + 2 * HALF + 1]
    lowest = counts[at + 2 * HALF + 1 : at + 3 * HALF + 2]
    drawdowns = counts[at + 3 * HALF + 2 : at + 4 * HALF + 3]
    unit = bins.width / bins.grains
    mean = Fraction(total, many)
    variance = Fraction(squares, many) - mean**2
    staked = bins.staked(counts, tally.rounds)
    quantiles = _quantiles(results, many, unit)
    hold = tuple((round(1 - share, 6), -value / staked) for share, value in reversed(quantiles)) if staked else ()
    return SessionResults(
        sessions=many,
        rounds=bins.rounds,
        mean=float(mean) / bins.grains,
        deviation=sqrt(float(variance)) / bins.grains,
        mean_drawdown=falls / many / bins.grains,
        ruin=_at_least(lowest, many, unit),
        fall=_at_least(drawdowns, many, unit),
        quantiles=quantiles,
        hold=hold,
        results=tuple(((n - HALF) * unit, int(times)) for n, times in enumerate(results) if times),
    )


def _at_least(histogram: Ints, many: int, unit: float) -> tuple[tuple[float, float], ...]:
    """The share of sessions that reached each amount, from 0 to the largest met, thinned to a curve."""
    reached = np.cumsum(histogram[::-1])[::-1]
    last = int(np.flatnonzero(histogram)[-1])
    every = max(1, -(-last // CURVE))
    return tuple((n * unit, float(reached[n]) / many) for n in range(0, last + 1, every))


def _quantiles(histogram: Ints, many: int, unit: float) -> tuple[tuple[float, float], ...]:
    below = np.cumsum(histogram)
    return tuple((share, (int(np.searchsorted(below, share * many)) - HALF) * unit) for share in QUANTILES)
