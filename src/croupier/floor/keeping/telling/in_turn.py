"""What many are to be told, a part of it in each turn of the loop.

Theory of operation.  What is written in one turn of the loop leaves the process at the end of that turn, and nothing is
read meanwhile.  When the dealers of a hundred tables deal at the same moment, the first page would so wait for the view
of the last, and a command that comes meanwhile for all of them.  So a table tells its news in a turn of its own, one
table behind the other.

The view of somebody of the staff takes as long to write as those of many players.  So staff are told when there is
nobody else to be told; but those who have waited for a while (`LATEST_SECONDS`) come in turn with the tables, so that
tables with much to tell keep nobody waiting.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

LATEST_SECONDS: Final = 0.05


@dataclass(slots=True)
class NewsInTurn:
    """What is still to be called, in its order, and what when that is done: the latter with the time since when."""

    waiting: deque[Callable[[], None]] = field(default_factory=deque)
    staff: deque[tuple[float, Callable[[], None]]] = field(default_factory=deque)
    called: bool = False
    served: bool = False
    """Whether staff had the last turn."""

    def soon(self, call: Callable[[], None]) -> None:
        """Call this when all that waits was called, each in turns of its own."""
        self.waiting.append(call)
        self._go_on()

    def after(self, call: Callable[[], None]) -> None:
        """Call this when nothing else waits, or when its time has come."""
        self.staff.append((asyncio.get_running_loop().time(), call))
        self._go_on()

    def _go_on(self) -> None:
        if not self.called:
            self.called = True
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        loop = asyncio.get_running_loop()
        late = bool(self.staff) and not self.served and loop.time() - self.staff[0][0] >= LATEST_SECONDS
        self.served = late or not self.waiting
        call = self.staff.popleft()[1] if self.served else self.waiting.popleft()
        try:
            call()
        finally:
            self.called = bool(self.waiting or self.staff)
            if self.called:
                # What this one has the loop call in its next turn is done and sent before the next one is called.
                loop.call_soon(loop.call_soon, self._next)
