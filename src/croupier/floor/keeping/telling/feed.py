"""The feed of events of a running house: every durable line of every journal, numbered, readable from any number on.

Theory of operation.  One process keeps the journal "@feed"; whenever lines have become durable anywhere, it adds a line
for each.  Nobody has to be there when something happens: whoever asks later for the events after a number gets the
same.  What is told is read from the store, line by line, with the money that each moved.  So the other processes do not
follow the feed: they hear how far it has come, and take up its last snapshot now and then, so as to go on from there.

At the start the witness is asked how far the feed had come; if that is further than the database knows, the house was
restored from an old copy, and the numbers in between are never given again (`house/feed/lines.py`).
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from itertools import islice
from typing import Any, Final

import msgspec

from croupier.floor.keeping.keeper import Keeper, Kind, PassOn, new_id
from croupier.floor.keeping.telling.trying import Trying
from croupier.floor.store.copies.witnesses import furthest
from croupier.floor.store.durable import Store
from croupier.house.feed import hooks as hook_book
from croupier.house.feed import lines as book
from croupier.house.people.decide import CONSOLE

log = logging.getLogger(__name__)

MOST_LINES: Final = 500
"""Lines that are told of in one commit."""
TOGETHER_SECONDS: Final = 0.1
"""What happens within this time is told of together."""
REMEMBERED: Final = 5_000
FAR: Final = 5_000
"""Events that a process may be behind the one that numbers them, where no snapshots are kept."""
LOOK_SECONDS: Final = 1.0
"""How often a process looks whether the one that keeps the feed is gone."""
UNTOLD: Final = frozenset({book.JOURNAL, hook_book.JOURNAL})
"""The journals about telling are not told of."""

FEED: Kind[book.FeedProgress] = Kind(
    book.decide,
    book.entries,
    book.after,
    book.encode,
    book.decode,
    request=book.FeedAsked,
    pack=book.packed,
    unpack=book.unpacked,
)


class MovedMoney(msgspec.Struct, frozen=True):
    """Cents that a line moved, and the rule that moved them."""

    debit: str
    credit: str
    cents: int
    rule: str


class FeedRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """Event `id` of the feed: a line of a journal as it was written, and the money that it moved."""

    id: int
    journal: str
    line: int
    entry: msgspec.Raw
    money: tuple[MovedMoney, ...] = ()


@dataclass(eq=False, slots=True)
class EventFeed:
    """The feed of a house; `readers` are the digests of the keys of systems that may read it, by their names."""

    store: Store
    now_ms: Callable[[], int]
    keeper: Keeper[book.FeedProgress] = field(init=False)
    readers: dict[str, str] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    """Where each journal stands, as far as this process has heard."""
    told: deque[tuple[int, str, int]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    """The events that were numbered last, each with its journal and its line there."""
    heard: int = 0
    """The last event that another process numbered, as far as this one has heard."""
    awake: bool = False
    """Whether the loop was told that there is news."""
    waiting: int = 0
    news: asyncio.Event = field(default_factory=asyncio.Event)
    numbered: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        empty = book.FeedProgress()
        self.keeper = Keeper(self.store, book.JOURNAL, FEED, empty, empty, changed=self._changed)
        self.keeper.wanted = self._is_far

    def _is_far(self) -> bool:
        """Whether no snapshot came of what another process numbers; else what it numbers is not followed here."""
        return self.keeper.end - self.keeper.shown.entries > max(FAR, 3 * self.keeper.snapshot_lines)

    @property
    def last(self) -> int:
        """The number of the last event."""
        known = self.keeper.shown.entries
        return known if self.keeper.owned else max(known, self.heard)

    @property
    def behind(self) -> int:
        """How many durable lines have no number yet."""
        shown = self.keeper.shown
        lines = sum(max(0, last - shown.ends.get(name, 0)) for name, last in tuple(self.ends.items()))
        # Where another process numbers them, each event since is one of these lines.
        return max(0, lines - (self.last - shown.entries))

    async def start(self, pass_on: PassOn, snapshot_lines: int) -> None:
        self.keeper.pass_on, self.keeper.snapshot_lines = pass_on, snapshot_lines
        await self.keeper.resume()
        await self.keeper.take_over()
        await self.keeper.follow()
        loop = asyncio.get_running_loop()

        def hear(journal: str, last: int) -> None:
            if self._heard(journal, last):
                with suppress(RuntimeError):  # the loop may have ended
                    loop.call_soon_threadsafe(self._wake)

        self.store.subscribe(hear)
        for name, last in await asyncio.to_thread(self._ends):
            self._heard(name, last)
        self._wake()
        if self.keeper.owned:
            await self._number_on()

    def _ends(self) -> list[tuple[str, int]]:
        return [(name, self.store.last(name)[0]) for name in self.store.tables()]

    def _heard(self, journal: str, last: int) -> bool:
        """Note the end of a journal, in whatever thread it is heard; whether somebody of this process waits for it.

        Only whoever numbers the lines waits for those of the house, and only once for all until it begins.
        """
        if journal == book.JOURNAL:
            self.heard = max(self.heard, last)
            return self.waiting > 0 and not self.keeper.owned
        if journal in UNTOLD or last <= self.ends.get(journal, 0):
            return False
        self.ends[journal] = last
        if self.awake or not self.keeper.owned:
            return False
        self.awake = True
        return True

    def _wake(self) -> None:
        if self.keeper.owned:
            self.news.set()
        else:
            self._tell_numbered()

    def _tell_numbered(self) -> None:
        """Wake whoever waits for events; those who come later wait for the next."""
        self.numbered.set()
        self.numbered = asyncio.Event()

    def _changed(self, lines: tuple[Any, ...]) -> None:
        for line in lines:
            event = line.event
            here = (event.journal, event.line) if isinstance(event, book.LineTold) else (book.JOURNAL, line.number + 1)
            self.told.append((line.number + 1, *here))
        self._tell_numbered()

    async def _number_on(self) -> None:
        """Give no number again that somebody may have been told, though the database does not know it."""
        before = await asyncio.to_thread(furthest, self.store, book.JOURNAL)
        if before > self.keeper.shown.entries:
            log.error("the house was restored: events were told that are lost", extra={"last": before})
            await self._ask(book.NumberOn(before))

    async def _ask(self, what: book.FeedCommand) -> None:
        answer = await self.keeper.ask(new_id(), book.FeedAsked(what, CONSOLE, "", self.now_ms()))
        if not answer.done:
            log.warning("the feed of events: %s", answer.reason)

    # ---------------------------------------------------------------- numbering

    async def run(self) -> None:
        """Number what has become durable, as long as the house runs."""
        trying = Trying("the feed of events")
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self.news.wait()
            self.news.clear()
            # What is heard from here on wakes this again.
            self.awake = False
            await trying.once(self._numbered())
            await asyncio.sleep(TOGETHER_SECONDS)

    async def _numbered(self) -> None:
        if not self.keeper.owned and not await self._taken_over():
            return
        while spans := self._due():
            await self._ask(book.TellLines(spans))
            # What has become durable meanwhile gathers: each commit of the feed is signed and witnessed.
            if sum(last - first + 1 for _, first, last in spans) < MOST_LINES:
                break

    async def _taken_over(self) -> bool:
        """Whether this process keeps the feed now, because the one that did is gone."""
        if self.heard - self.keeper.shown.entries > MOST_LINES and await self.keeper.resume():
            # Nobody here read what another process numbered; the lines before its snapshot need not be read any more.
            self.told.clear()
        await self.keeper.take_over()
        if self.keeper.owned:
            await self._number_on()
        return self.keeper.owned

    def _due(self) -> tuple[tuple[str, int, int], ...]:
        """The next lines that have no number, of each journal from its first."""
        spans, left, ends = [], MOST_LINES, self.keeper.state.ends
        for name, last in tuple(self.ends.items()):
            first = ends.get(name, 0) + 1
            until = min(last, first + left - 1)
            if until >= first and left > 0:
                spans.append((name, first, until))
                left -= until - first + 1
        return tuple(spans)

    # ---------------------------------------------------------------- reading

    def page(self, after: int, most: int, *, money: bool = True) -> tuple[FeedRow, ...]:
        """Up to `most` events after a number; it asks the store, so it is called beside the loop.

        Without `money` what each line moved is not looked up.
        """
        numbered = self.store.lines(book.JOURNAL, after + 1, min(most, max(0, self.last - after)))
        entries = [(line.number, book.decode(line.body).event, line.body) for line in numbered]
        bodies, moved = self._looked_up((event for _, event, _ in entries), money=money)
        made = []
        for number, event, body in entries:
            if isinstance(event, book.LineTold):
                here = (event.journal, event.line)
                made.append(FeedRow(number, *here, msgspec.Raw(bodies[here]), tuple(moved.get(here, ()))))
            else:
                made.append(FeedRow(number, book.JOURNAL, number, msgspec.Raw(body)))
        return tuple(made)

    def just_told(self, after: int, most: int) -> tuple[FeedRow, ...]:
        """The same without the money, as far as this process wrote it itself not long ago; nothing is read for it."""
        if not self.told or after + 1 < self.told[0][0]:
            return ()
        made: list[FeedRow] = []
        for number, journal, line in islice(self.told, after + 1 - self.told[0][0], None):
            body = self.store.just_written(journal, line)
            if body is None or len(made) == most:
                break
            made.append(FeedRow(number, journal, line, msgspec.Raw(body)))
        return tuple(made)

    def _looked_up(
        self, events: Iterable[book.FeedLine], *, money: bool
    ) -> tuple[dict[tuple[str, int], bytes], dict[tuple[str, int], list[MovedMoney]]]:
        """The lines that events tell of, and the money they moved, with one look for each journal."""
        wanted: dict[str, list[int]] = {}
        for event in events:
            if isinstance(event, book.LineTold):
                wanted.setdefault(event.journal, []).append(event.line)
        bodies: dict[tuple[str, int], bytes] = {}
        moved: dict[tuple[str, int], list[MovedMoney]] = {}
        for name, numbers in wanted.items():
            first, last = numbers[0], numbers[-1]
            bodies |= {(name, line.number): line.body for line in self.store.lines(name, first, last - first + 1)}
            for row in self.store.ledger_rows(name, first, last) if money else ():
                moved.setdefault((name, row.number), []).append(MovedMoney(row.debit, row.credit, row.cents, row.rule))
        return bodies, moved

    async def wait(self, after: int, seconds: float) -> None:
        """Until there is an event after a number, or so long."""
        self.waiting += 1
        try:
            if self.last <= after:
                with suppress(TimeoutError):
                    async with asyncio.timeout(seconds):
                        await self.numbered.wait()
        finally:
            self.waiting -= 1

    def reader(self, key: str) -> str:
        """The name of the system that this is the key of; nothing if it is nobody's."""
        mark = sha256(key.encode()).hexdigest()
        return next((name for name, known in self.readers.items() if compare_digest(known, mark)), "")
