"""Time that nobody waits for: an event loop whose clock jumps to whatever comes next.

All tasks of a simulated world run in this one loop and thread.  Nothing outside is waited for, so the order in which
things happen follows from the seed alone.  What the house does in threads is done at once, and told a little later.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any, Final, TypeVar

T = TypeVar("T")
READ_SECONDS: Final = 0.002
"""What a look into the database takes at most."""


class Deadlock(Exception):
    """Everybody waits, and nothing is going to happen."""


class _Skips(selectors.SelectSelector):
    """Waits for nothing: the time that it was to wait has passed."""

    loop: SimulatedLoop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise Deadlock("everybody waits for somebody else")
        self.loop.now += max(0.0, timeout)
        return []


class SimulatedLoop(asyncio.SelectorEventLoop):
    """An event loop of simulated time."""

    def __init__(self, chance: Random) -> None:
        self.now, self.chance = 0.0, chance
        skips = _Skips()
        skips.loop = self
        super().__init__(skips)

    def time(self) -> float:
        return self.now

    def run_in_executor(self, _executor: Any, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:  # type: ignore[override]
        future: asyncio.Future[T] = self.create_future()
        try:
            found = func(*args)
        except Exception as error:
            self.call_later(self.chance.random() * READ_SECONDS, _fail, future, error)
        else:
            self.call_later(self.chance.random() * READ_SECONDS, _tell, future, found)
        return future

    def _write_to_self(self) -> None:
        """Nobody waits in another thread to be woken."""


def _tell(future: asyncio.Future[Any], found: Any) -> None:
    if not future.done():
        future.set_result(found)


def _fail(future: asyncio.Future[Any], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)


def simulated(chance: Random, work: Callable[[SimulatedLoop], Coroutine[Any, Any, T]]) -> T:
    """Run something in simulated time; whatever still goes on at its end is dropped."""
    loop = SimulatedLoop(chance)
    try:
        asyncio.set_event_loop(loop)
        return loop.run_until_complete(work(loop))
    finally:
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        asyncio.set_event_loop(None)
        loop.close()
