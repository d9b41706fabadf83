"""What this process hears of journals that others keep, and when it reads them.

Theory of operation.  Every commit of the house is told to every process: "journal J now ends at line n".  Most of it is
of tables that nobody looks at here.  So the thread that listens only notes the end, and wakes the loop once for all
that came in a turn of it.  A journal that is `wanted`, a table that somebody watches here and each journal of the house
itself, is read at once: one reading at a time, and one more if something came meanwhile, however many commits that was.
Of any other only the end is remembered.  It is read when a door is asked for it or for all tables (`House.heard`),
when somebody begins to watch, before something is decided that depends on it (`Kind.beside`), when this process takes
it over, and when it is far behind, so that none of these takes long.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from croupier.floor.keeping.keeper import Keeper

Find = Callable[[str], Keeper[Any] | None]


@dataclass(eq=False, slots=True)
class News:
    """The ends that were heard; `find` gives the keeper of a journal."""

    find: Find
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    heard: dict[str, int] = field(default_factory=dict)
    gate: threading.Lock = field(default_factory=threading.Lock)
    reading: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    def hear(self, journal: str, last: int) -> None:
        """A journal has new lines; this is called in another thread."""
        with self.gate:
            first = not self.heard
            self.heard[journal] = last
        if first:
            with suppress(RuntimeError):  # the loop may have ended
                self.loop.call_soon_threadsafe(self._look)

    def _look(self) -> None:
        with self.gate:
            heard, self.heard = self.heard, {}
        for journal, last in heard.items():
            keeper = self.find(journal)
            if keeper is None or keeper.owned or last <= keeper.shown.entries:
                continue
            keeper.end = max(keeper.end, last)
            if journal not in self.reading and keeper.wanted():
                self.reading[journal] = asyncio.create_task(self._read(keeper), name=f"reading {journal}")

    async def _read(self, keeper: Keeper[Any]) -> None:
        try:
            while not keeper.owned and keeper.shown.entries < keeper.end:
                await keeper.hear()
        finally:
            del self.reading[keeper.name]
