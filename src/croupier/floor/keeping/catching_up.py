"""Reading what another process has just written, before somebody is let in or refused here.

Theory of operation.  News between processes takes a moment, and more when the line for it was cut.  Whoever was shut
out at one process must find the other shut already when that was acknowledged; whoever was let in at one must not be
refused at the other.  So the journals that others keep are read on first.  There is one reading at a time: all who
asked before it began share it, and who asks while it lasts waits for the next.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from croupier.floor.keeping.keeper import Keeper
from croupier.floor.store.appends import Stopped
from croupier.floor.store.durable import Store
from croupier.floor.store.engines import BadStore


@dataclass(slots=True, eq=False)
class CatchingUp:
    """Readings of some journals; `seconds` is the least time between two, where strangers can cause them."""

    store: Store
    seconds: float = 0.0
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    began: float = 0.0
    behind: list[Keeper[Any]] = field(default_factory=list)
    following: asyncio.Task[None] | None = None
    """The reading that has not begun yet, for which all wait who ask now."""

    async def done(self, journals: Iterable[Keeper[Any]]) -> bool:
        """Whether any of these journals is another process's; what it wrote before this was asked is then known."""
        if self.store.ends is None:
            return False
        behind = [keeper for keeper in journals if not keeper.owned]
        if not behind:
            return False
        self.behind = behind
        if (following := self.following) is None:
            following = self.following = asyncio.create_task(self._next(), name="reading what others wrote")
            # Whoever waited may have gone; the next one begins anew and is told.
            following.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.shield(following)
        return True

    async def _next(self) -> None:
        clock = asyncio.get_running_loop().time
        async with self.reading:
            try:
                if self.seconds:
                    await asyncio.sleep(self.began + self.seconds - clock())
            finally:
                # From here on whoever asks waits for the one after this.
                self.following = None
            self.began = clock()
            await self._read(self.behind)

    async def _read(self, behind: list[Keeper[Any]]) -> None:
        asked, ends = self.store.ends, {keeper.name: keeper.shown.entries for keeper in behind}
        assert asked is not None
        longer = await asyncio.get_running_loop().run_in_executor(asked.thread, asked.longer, ends)
        try:
            for keeper in behind:
                if keeper.name in longer:
                    await keeper.follow()
        except BadStore as error:
            raise Stopped(str(error)) from None
