"""What a shift brings: the distribution of the house's result after many equal wagers.

Theory of operation.  Every wager of one unit has a few nets with known chances.  On the lattice that their differences
span, the sum of many such wagers is the many-fold convolution, done at once by Fourier transform; its errors are far
below what a picture shows.  Where the lattice is too fine for that, the normal approximation stands in, and says so.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, erf, exp, gcd, lcm, pi, sqrt
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from croupier.exact.ways import Worth
from croupier.once import dataclass

ROUNDS: Final = 480
"""Eight hours of sixty rounds."""

LARGEST: Final = 1 << 21
"""Points of the lattice that are still transformed in a moment."""

BARS: Final = 56
RARE: Final = 0.001
SPREAD: Final = 4
"""Standard deviations shown on either side of the mean."""


@dataclass(frozen=True, slots=True)
class Bar:
    """The chance of a result from `low` to below `high`, in units."""

    low: float
    high: float
    chance: float


@dataclass(frozen=True, slots=True)
class ShiftResult:
    """The house's result after `rounds` wagers of one unit; `behind` is the chance that it lost on them."""

    rounds: int
    method: Literal["convolution", "normal approximation"]
    mean: float
    sd: float
    behind: float
    bars: tuple[Bar, ...]


def shift(line: Worth, rounds: int = ROUNDS) -> ShiftResult:
    """The distribution for a row whose edge is known."""
    nets = [-pay.net for pay in line.pays]
    low, step = min(nets), _step(nets)
    longest = int((max(nets) - low) / step) * rounds + 1 if step else 1
    mean, sd = float(line.edge) * rounds, sqrt(float(line.variance) * rounds)
    if longest > LARGEST or line.method == "float":
        return _normal(rounds, mean, sd)
    single = np.zeros(longest)
    for net, pay in zip(nets, line.pays, strict=True):
        single[int((net - low) / step) if step else 0] += float(pay.probability)
    chances = _power(single, rounds)
    start, width = float(low) * rounds, float(step)
    # The first result that is no loss is found in fractions: to come out even must not count as one.
    even = max(0, ceil(-low * rounds / step)) if step else int(low < 0)
    behind = float(chances[:even].sum())
    steps = _usual_steps(single)
    return ShiftResult(rounds, "convolution", mean, sd, behind, _bars(chances, start, width, mean, sd, steps=steps))


def _step(nets: list[Fraction]) -> Fraction:
    """The greatest step of which all differences of the nets are multiples; 0 if there is but one net."""
    scale = lcm(*(net.denominator for net in nets))
    whole = [int(net * scale) for net in nets]
    return Fraction(gcd(*(each - min(whole) for each in whole)), scale)


def _power(single: npt.NDArray[np.float64], rounds: int) -> npt.NDArray[np.float64]:
    size = 1 << (len(single) - 1).bit_length() if len(single) > 1 else 1
    found = np.fft.irfft(np.fft.rfft(single, size) ** rounds, size) if size > 1 else single
    return np.maximum(found[: len(single)], 0)


def _usual_steps(single: npt.NDArray[np.float64]) -> int:
    """How many steps lie between usual results: bars of fewer would stand like a comb."""
    usual = np.flatnonzero(single > RARE)
    return max(1, gcd(*(int(each - usual[0]) for each in usual)))


def _bars(
    chances: npt.NDArray[np.float64], start: float, width: float, mean: float, sd: float, *, steps: int
) -> tuple[Bar, ...]:
    """The part around the mean in equal bars, each of a whole number of steps."""
    if not width:
        return (Bar(start - 0.5, start + 0.5, 1.0),)
    per_bar = steps * max(1, round(2 * SPREAD * sd / BARS / width / steps))
    first = max(0, int((mean - SPREAD * sd - start) / width) // per_bar * per_bar)
    last = min(len(chances), int((mean + SPREAD * sd - start) / width) + per_bar)
    return tuple(
        Bar(start + (at - 0.5) * width, start + (at + per_bar - 0.5) * width, float(chances[at : at + per_bar].sum()))
        for at in range(first, last, per_bar)
    )


def _normal(rounds: int, mean: float, sd: float) -> ShiftResult:
    width = 2 * SPREAD * sd / BARS
    lows = [mean - SPREAD * sd + width * n for n in range(BARS)]
    bars = tuple(Bar(low, low + width, width * _density((low + width / 2 - mean) / sd) / sd) for low in lows)
    return ShiftResult(rounds, "normal approximation", mean, sd, 0.5 * (1 + erf(-mean / sd / sqrt(2))), bars)


def _density(z: float) -> float:
    return exp(-z * z / 2) / sqrt(2 * pi)
