"""The time that a run of a proof may take: its work ends with it, its controls and its verdict do not.

Theory of operation.  The work of a proof is so many units: kills, images, rounds, bits.  Whoever is about to begin one
asks `goes_on`, with how many are done of how many; `each` and `results` ask it for those who have a list of units, or
of work that other processes do.  The first unit is always done, since a verdict must be of something.  What was cut is
kept here, and `prove.run` tells it.  A proof whose work has several parts gives each a `share` of what is left.

The moment of the end is one of the steady clock, which is the same in all processes of a machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from math import inf
from time import monotonic
from typing import TypeVar

Unit = TypeVar("Unit")


@dataclass(slots=True)
class Allowance:
    """When work ends, and what of it was not done for that."""

    ends: float = inf
    cut: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Of each kind of unit how many were done, and of how many."""

    def goes_on(self, units: str, done: int, of: int) -> bool:
        """Whether there is another unit to do, and time for it."""
        if done >= of:
            return False
        if not done or monotonic() < self.ends:
            return True
        self.cut[units] = done, of
        return False

    def each(self, of: Sequence[Unit], units: str) -> Iterator[Unit]:
        """One after another, while there is time."""
        for done, unit in enumerate(of):
            if not self.goes_on(units, done, len(of)):
                return
            yield unit

    def results(self, of: Sequence[Future[Unit]], units: str) -> Iterator[Unit]:
        """What work in other processes came to; when the time is over, what has not begun there is not begun."""
        done = 0
        for one in of:
            if done and monotonic() >= self.ends and one.cancel():
                continue
            yield one.result()
            done += 1
        if done < len(of):
            self.cut[units] = done, len(of)

    def share(self, parts: int) -> Allowance:
        """The time of the first of so many parts that are still to be done."""
        left = self.ends - monotonic()
        return replace(self, ends=inf if left == inf else monotonic() + left / parts)

    def lines(self, minutes: float) -> Iterator[str]:
        """What was cut, in words."""
        over = f"the {minutes:g} minutes were over" if minutes != 1 else "the minute was over"
        for units, (done, of) in self.cut.items():
            yield f"cut: {done:,} of {of:,} {units}, {over}"


def of_minutes(minutes: float) -> Allowance:
    """So much time from now on; with none there is no end."""
    return Allowance(monotonic() + 60 * minutes) if minutes else Allowance()
