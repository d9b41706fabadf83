"""What commands were answered before, looked up in groups.

Theory of operation.  Every command that comes in must be looked up, and nearly none of them is known.  A look into the
database costs a thread and a query, however many it is for.  So there is one look at a time: who asks while it lasts
waits for the next, which is for all who wait.  It is the group commit of the writer, for reading.

Whoever keeps a journal need not look at all: the commit finds an id that was used, and what was decided under it is
then taken back.  But then others decide again too, which nobody should be able to cause as often as they like.  So ids
that were answered here lately are remembered (`may_be_known`), and one of these is looked up before anything is
decided.  An older one shows at the commit, once, and is remembered from then on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from croupier.floor.store.appends import Awaiting, Repeated, command_id

Look = Callable[[tuple[str, ...]], Mapping[str, Repeated]]
MOST = 500
"""Commands in one look; databases limit what a query may name."""
REMEMBERED = 50_000
"""Ids that are remembered at least; twice as many at most."""


@dataclass(slots=True)
class InWork:
    """A command that is being worked on in this process: the mark of the request that its id belongs to, and who waits.

    Each who asks waits for themselves: one who goes away takes the answer away from nobody.
    """

    mark: str
    waiting: list[Awaiting] = field(default_factory=list)
    task: asyncio.Task[Any] | None = None
    """What works on it, where more is to be done than to decide and to wait for the disk."""

    async def over(self) -> None:
        """Wait until it was answered, whatever the answer is."""
        waiter = asyncio.get_running_loop().create_future()
        self.waiting.append(waiter)
        await asyncio.gather(waiter, return_exceptions=True)


@dataclass(slots=True)
class Lookups:
    """Who waits for which command, and the task that looks; and the commands that are being worked on."""

    look: Look
    waiting: dict[str, asyncio.Future[Repeated | None]] = field(default_factory=dict)
    looking: asyncio.Task[None] | None = None
    asked: dict[str, InWork] = field(default_factory=dict)
    lately: set[str] = field(default_factory=set)
    before: set[str] = field(default_factory=set)
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "store-lookups"))
    """Its own: whatever else is read or reckoned in threads, no command waits behind it."""

    def may_be_known(self, plain: str) -> bool:
        """Whether a command was answered here not long ago; if not, it is most likely new."""
        return plain in self.lately or plain in self.before

    def remember(self, plain: str) -> None:
        """This command was answered."""
        if len(self.lately) >= REMEMBERED:
            self.before, self.lately = self.lately, set()
        self.lately.add(plain)

    async def answer(self, command_text: str) -> Repeated | None:
        """What a command was answered, if it is known."""
        loop = asyncio.get_running_loop()
        waiting = self.waiting.setdefault(command_id(command_text), loop.create_future())
        if self.looking is None or self.looking.done():
            self.looking = loop.create_task(self._look())
        # One who goes away must not take the answer away from another who asked the same.
        return await asyncio.shield(waiting)

    async def _look(self) -> None:
        loop = asyncio.get_running_loop()
        while self.waiting:
            group = [(each, self.waiting.pop(each)) for each in tuple(self.waiting)[:MOST]]
            try:
                found = await loop.run_in_executor(self.thread, self.look, tuple(each for each, _ in group))
            except Exception as error:
                for _, waiting in group:
                    waiting.set_exception(error)
                continue
            for each, waiting in group:
                waiting.set_result(found.get(each))
