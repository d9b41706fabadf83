"""The time that a run of a proof may take: its work ends with it, its controls and its verdict do not.

Theory of operation.  The work of a proof is so many units: kills, images, rounds, bits.  Whoever is about to begin one
asks `goes_on`, with how many are done of how many; `each` asks it for those who have a list of units.  The first unit
is always done, since a verdict must be of something.  What was cut is kept here, and `prove.run` tells it.  A proof
whose work has several parts gives each a `share` of what is left.

Work that other processes do is many units at a time.  Who waits for it has the `results`, and asks `goes_on` at last;
where a piece of it can take long, the process that does it is given the allowance too, and looks whether it `lasts`.

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
        if self.lasts(done):
            return True
        self.cut[units] = done, of
        return False

    def lasts(self, done: int) -> bool:
        """Whether there is time for another unit; for the first there always is."""
        return not done or monotonic() < self.ends

    def each(self, of: Sequence[Unit], units: str) -> Iterator[Unit]:
        """One after another, while there is time."""
        for done, unit in enumerate(of):
            if not self.goes_on(units, done, len(of)):
                return
            yield unit

    def results(self, of: Sequence[Future[Unit]]) -> Iterator[Unit]:
        """What work in other processes came to; when the time is over, what has not begun there is not begun."""
        done = 0
        for one in of:
            if not self.lasts(done):
                for each in of:
                    each.cancel()
            if not one.cancelled():
                yield one.result()
                done += 1

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
