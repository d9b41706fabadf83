"""The significant events of a running house: found in its feed, declared at its doors, acknowledged by its people.

Theory of operation.  One process keeps the journal "@significant" and reads the feed of events on from where that
journal says; another one goes on if it ends.  Each process says in the same journal that it started and, at its end,
that it was stopped; where that did not become durable, the next start finds it (`house/significant/decide.py`).  Every
process follows the journal, so that each shows the same and counts the same.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import msgspec

from croupier.floor.keeping.keeper import Keeper, Kind, PassOn, new_id
from croupier.floor.keeping.telling.feed import EventFeed
from croupier.floor.keeping.telling.trying import Trying
from croupier.floor.store.appends import Stopped
from croupier.floor.store.durable import Store
from croupier.floor.wire import Answer
from croupier.house.people.decide import CONSOLE
from croupier.house.significant import decide as book
from croupier.house.significant import messages as m
from croupier.house.significant.seen import seen
from croupier.money import Cents

log = logging.getLogger(__name__)

LARGE_WIN: Final[Cents] = 1_000_000
MOST_READ: Final = 500
"""Events of the feed that are looked at together."""
MOST_FOUND: Final = 40
"""Events that are noted in one request, which has a bound of its own."""
LOOK_SECONDS: Final = 1.0
STOP_SECONDS: Final = 5.0
"""How long a process that stops waits for whoever keeps the journal."""

SIGNIFICANT: Kind[book.Significant] = Kind(
    book.decide, book.entries, book.after, book.encode, m.decode, request=m.Asked
)


@dataclass(eq=False, slots=True)
class SignificantEvents:
    """The significant events of a house; `place` is where this process runs, `alone` says that no other can."""

    store: Store
    feed: EventFeed
    now_ms: Callable[[], int]
    large_win: Cents = LARGE_WIN
    keeper: Keeper[book.Significant] = field(init=False)
    place: str = ""
    started: bool = False
    read: int = 0
    """The last event of the feed that this process has looked at."""

    def __post_init__(self) -> None:
        empty = book.Significant()
        self.keeper = Keeper(self.store, book.JOURNAL, SIGNIFICANT, empty, empty)

    @property
    def shown(self) -> book.Significant:
        """The events as far as they are durable."""
        return self.keeper.shown

    async def start(self, pass_on: PassOn, place: str) -> None:
        self.keeper.pass_on, self.place = pass_on, place
        await self.keeper.take_over()
        await self.keeper.follow()

    async def ask(self, command_id: str, what: m.AnyCommand, *, by: str, role: str) -> Answer:
        """What became of a request; the same id again has one effect and the same answer."""
        answer = await self.keeper.ask(command_id, m.Asked(what, by, role, self.now_ms()))
        await self.keeper.follow()
        return answer

    async def run(self) -> None:
        """Say that this process started, and note what happens, as long as the house runs."""
        trying = Trying("the book of significant events")
        while True:
            if not await trying.once(self._looked()):
                await asyncio.sleep(LOOK_SECONDS)
            if self.keeper.owned:
                await self.feed.wait(self.read, LOOK_SECONDS)
            else:
                await asyncio.sleep(LOOK_SECONDS)

    async def _looked(self) -> None:
        if not self.started:
            await self._started()
        if not self.keeper.owned:
            await self.keeper.take_over()
            self.read = 0
        if self.keeper.owned:
            await self._noted()

    async def _started(self) -> None:
        what = m.StartProcess(self.place, alone=not self.store.opened.shared)
        await self.ask(new_id(), what, by=CONSOLE, role=CONSOLE)
        self.started = True

    async def stop(self) -> None:
        """Say that this process was stopped.  Where nobody can write that down, the next start takes it for killed."""
        if self.started:
            with suppress(Stopped, TimeoutError):
                async with asyncio.timeout(STOP_SECONDS):
                    await self.ask(new_id(), m.StopProcess(self.place), by=CONSOLE, role=CONSOLE)

    async def _noted(self) -> None:
        """Look at the next events of the feed, until there are no more."""
        if not self.keeper.state.begun:
            # Whatever the house was told before this journal began, nobody has to look at now.
            await self._ask(m.Note((), until=self.feed.last))
        self.read = max(self.read, self.keeper.state.watched)
        while self.read < self.feed.last:
            events = self.feed.just_told(self.read, MOST_READ)
            if not events:
                events = await asyncio.to_thread(self.feed.page, self.read, MOST_READ, money=False)
            found: list[m.Noted] = []
            for event in events:
                noted = seen(event.journal, bytes(event.entry), self.large_win)
                if noted is not None:
                    found.append(msgspec.structs.replace(noted, event=event.id, journal=event.journal))
                if len(found) == MOST_FOUND:
                    break
            last = found[-1].event if len(found) == MOST_FOUND else events[-1].id
            if found or last - self.keeper.state.watched >= book.FAR:
                await self._ask(m.Note(tuple(found), until=last))
            self.read = last

    async def _ask(self, what: m.Note) -> None:
        answer = await self.keeper.ask(new_id(), m.Asked(what, CONSOLE, CONSOLE, self.now_ms()))
        if not answer.done:
            # Another process noted them meanwhile: what is to be read next is looked up again.
            log.warning("the significant events: %s", answer.reason)
            self.read = 0
