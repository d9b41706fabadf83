"""What many are to be told, a part of it in each turn of the loop.

Theory of operation.  What is written in one turn of the loop leaves the process at the end of that turn, and nothing is
read meanwhile.  When the dealers of a hundred tables deal at the same moment, the first page would so wait for the view
of the last, and a command that comes meanwhile for all of them.  So a table tells its news in a turn of its own, one
table behind the other; and the pages of staff, whose views take as long to write as those of many players, stand at the
end of the same queue.  Everybody stands in it once, so that nobody waits for more than one of each.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class NewsInTurn:
    """What is still to be called, in its order."""

    waiting: deque[Callable[[], None]] = field(default_factory=deque)

    def soon(self, call: Callable[[], None]) -> None:
        """Call this when all that waits was called, each in turns of its own."""
        self.waiting.append(call)
        if len(self.waiting) == 1:
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        try:
            self.waiting[0]()
        finally:
            self.waiting.popleft()
            if self.waiting:
                # What this one has the loop call in its next turn is done and sent before the next one is called.
                loop = asyncio.get_running_loop()
                loop.call_soon(loop.call_soon, self._next)
