"""The clock of a house: it never goes back, whatever the machine's clock does, and says so when that does.

Theory of operation.  What is good until some time (a ticket, a session, a lock, a code) was given by this clock and is
judged by it.  If the machine's clock is set back, the house goes on by the steady clock of the system from where it
was, so that what was just given is not refused and what is locked stays locked; once the machine's clock has caught up,
it counts again.  A house that starts begins no earlier than its last line was written; a line from more than a day
ahead was written by a clock that was wrong, and is told and not followed.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

log = logging.getLogger(__name__)

SLACK_MS: Final = 1_000
"""Clocks are nudged all the time; that much is not worth a word."""
FURTHEST_MS: Final = 24 * 60 * 60 * 1000


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000


def _steady_ms() -> int:
    return time.monotonic_ns() // 1_000_000


@dataclass(slots=True, eq=False)
class Clock:
    """Milliseconds since 1970, each call no less than the one before."""

    wall: Callable[[], int] = _wall_ms
    steady: Callable[[], int] = _steady_ms
    last_ms: int = 0
    last_steady: int = 0
    behind: bool = False
    """Whether the machine's clock is behind the house's, which was told."""
    lock: Lock = field(default_factory=Lock)

    def __call__(self) -> int:
        with self.lock:
            wall, steady = self.wall(), self.steady()
            went_on = self.last_ms + steady - self.last_steady if self.last_ms else wall
            back_ms, self.last_steady = went_on - wall, steady
            if back_ms <= SLACK_MS:
                self.behind, now = False, wall
            else:
                if not self.behind:
                    log.error(
                        "the clock of this machine went back; the house goes on by its own", extra={"ms": back_ms}
                    )
                self.behind, now = True, went_on
            if now > self.last_ms:
                self.last_ms = now
            return self.last_ms

    def not_before(self, at_ms: int) -> None:
        """Something was written at this time: it is no earlier now."""
        ahead = at_ms - self()
        if ahead > FURTHEST_MS:
            log.error("a line was written by a clock that was far ahead", extra={"ms": ahead})
        elif ahead > 0:
            with self.lock:
                self.last_ms = at_ms


clock_ms: Final = Clock()
