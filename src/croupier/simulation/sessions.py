"""Sessions: what a bettor's money does over a number of rounds.

Theory of operation.  A session starts at 0; after each round the net, in whole *grains* of a unit (a unit is 20 grains
where a commission of 5 % is taken), is added.  Three figures tell a session: where it ended, its lowest point, and its
greatest fall from a peak.  Each is counted in a histogram.  The lowest point answers for every bankroll at once: who
brings b is ruined in the sessions whose lowest point is −b or below.  Sums and sums of squares are kept beside
the histograms, so that mean and variance are exact whatever the width of a bin.

All figures are integers that add up over chunks, so a tally with sessions is still only a histogram.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from croupier.simulation.streams import inlined

HALF: Final = 1024
"""Bins on each side of zero."""

SUMS: Final = 5
"""Sessions, sum of results, sum of their squares, sum of drawdowns, sum of rounds: before the histograms."""

TYPICAL: Final = 200
"""Rounds of a session for which the shares of a bettor's states are reckoned."""

SIZE: Final = SUMS + (2 * HALF + 1) + 2 * (HALF + 1)
"""How many bins the figures of sessions take."""


@dataclass(frozen=True, slots=True)
class Bins:
    """Where the figures start, how many grains are a unit, and how many grains a bin is wide.

    `stakes` has the units that were staked for each count of the bins it covers, from bin `staked_at` on: what a
    session stakes may depend on how it is played.
    """

    first: int
    grains: int
    width: int
    rounds: int
    stakes: NDArray[np.float64] = field(compare=False)
    staked_at: int = 0

    def staked(self, counts: NDArray[Any], rounds: int) -> float:
        """Units staked in a session, on the average of so many rounds."""
        covered = counts[self.staked_at : self.staked_at + len(self.stakes)]
        return float(covered.astype(float) @ self.stakes) / rounds * self.rounds


def width_for(grains: int, rounds: int, deviation: float) -> int:
    """A width with which eight standard deviations of a session's result lie within the histogram."""
    return max(1, ceil(8 * deviation * grains * sqrt(rounds) / HALF))


def typical_net(
    following: NDArray[Any], nets: NDArray[Any], chances: NDArray[np.float64], rounds: int, start: int = 0
) -> float:
    """The root mean square of a round's net, in grains, for a bettor whose states follow one another.

    `following` and `nets` go by state × end, `chances` by end.  The shares of the states are reckoned for the first
    rounds of a session: somebody who doubles stakes far more on average than at first, and bins must be wide enough.
    """
    squares = (nets.astype(float) ** 2).reshape(-1, len(chances)) @ chances
    share = np.zeros(len(squares))
    share[start] = 1.0
    total, steps = 0.0, min(max(1, rounds), TYPICAL)
    for _ in range(steps):
        total += float(share @ squares)
        share = np.bincount(following, np.outer(share, chances).ravel(), len(squares)).astype(np.float64)
    return sqrt(total / steps)


@inlined
def begin(state):  # type: ignore[no-untyped-def]
    """A session's state: balance, peak, lowest point, drawdown, rounds."""
    state[:] = 0


@inlined
def after(state, net):  # type: ignore[no-untyped-def]
    """A round came to this net, in grains."""
    state[4] += 1
    moved(state, net)


@inlined
def moved(state, net):  # type: ignore[no-untyped-def]
    """Money came or went, without a round of its own."""
    state[0], state[1], state[2], state[3] = step(state[0], state[1], state[2], state[3], net)


@inlined
def step(balance, peak, lowest, drawdown, net):  # type: ignore[no-untyped-def]
    """`moved` for a state that is held in variables, because an array would be read and written each time."""
    balance += net
    peak = max(peak, balance)
    return balance, peak, min(lowest, balance), max(drawdown, peak - balance)


@inlined
def fill(state, balance, peak, lowest, drawdown, rounds):  # type: ignore[no-untyped-def]
    """Write down a state that was held in variables."""
    state[0], state[1], state[2], state[3], state[4] = balance, peak, lowest, drawdown, rounds


@inlined
def close(state, counts, first, width):  # type: ignore[no-untyped-def]
    """Count a session that is over."""
    counts[first] += 1
    counts[first + 1] += state[0]
    counts[first + 2] += state[0] * state[0]
    counts[first + 3] += state[3]
    counts[first + 4] += state[4]
    at = first + SUMS
    # Rounded down, also below zero: a bin holds the results from its edge up to the next.
    result = int(np.floor(state[0] / width))
    counts[at + HALF + min(max(result, -HALF), HALF)] += 1
    at += 2 * HALF + 1
    counts[at + min(-state[2] // width, HALF)] += 1
    at += HALF + 1
    counts[at + min(state[3] // width, HALF)] += 1
