"""The host of one table: decides commands in order, makes them durable, and tells whoever watches.

Theory of operation.  A command is decided against the table in memory and the table evolves at once, so that the next
command sees it; but nobody is told anything until the store has made the lines, the money and the answer durable
together.  The store commits in the order in which it was asked, so answers come in that order too, and a group of
commands shares one commit.  A command id that was seen before gets the answer it had, and no second effect.

If the store can not take the lines (another process owns the table now) the table in memory is not true any more: the
host stops, and whoever asks is told so.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from croupier.floor.appends import Append, Appended, LedgerRow, Repeated
from croupier.floor.store import Store
from croupier.floor.views import view
from croupier.floor.wire import Answer, ToPage, View
from croupier.game import AnyGame, Refusal
from croupier.law.ruleset import Ruleset
from croupier.table.commands import AnyCommand, Request
from croupier.table.decide import decide
from croupier.table.events import Entry, decode, encode
from croupier.table.evolve import after, entries
from croupier.table.state import Table, new_table

RECENT = 4_000
"""Lines kept for the pages: some shoes of results and the last things said."""


class Stopped(Exception):
    """This process does not run the table any more."""


@dataclass(eq=False, slots=True)
class Watcher:
    """Somebody who watches a table: who, in which role, and how to tell them."""

    name: str
    role: str
    tell: Callable[[ToPage], None]


@dataclass(eq=False, slots=True)
class Host:
    """One table, run by this process: `table` as decided, `shown` as far as it is durable."""

    store: Store
    table: Table
    shown: Table
    practice: bool
    now_ms: Callable[[], int]
    recent: deque[Entry] = field(default_factory=lambda: deque(maxlen=RECENT))
    watchers: set[Watcher] = field(default_factory=set)
    asked: dict[str, asyncio.Future[Answer]] = field(default_factory=dict)
    stopped: str = ""
    closes_ms: int = 0

    # ---------------------------------------------------------------- asking

    async def ask(self, command_id: str, what: AnyCommand, *, by: str, role: str) -> Answer:
        """Decide a command, make it durable, tell everybody; the same id again gets the same answer."""
        known = self.asked.get(command_id)
        if known is not None:
            return await asyncio.shield(known)
        before = await asyncio.to_thread(self.store.answer, command_id)
        if before is not None:
            return _answered(before)
        if command_id in self.asked:
            return await asyncio.shield(self.asked[command_id])
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.asked[command_id] = answer
        try:
            answer.set_result(await self._decided(command_id, Request(what, by, role, self.now_ms())))
        except BaseException as error:
            answer.set_exception(error)
            raise
        finally:
            self._forget(command_id)
        return answer.result()

    def _forget(self, command_id: str) -> None:
        """The store answers for a command once it is durable."""
        self.asked.pop(command_id, None)

    async def _decided(self, command_id: str, request: Request) -> Answer:
        if self.stopped:
            raise Stopped(self.stopped)
        events = decide(self.table, request)
        number = self.table.entries
        if isinstance(events, Refusal):
            answer = Answer(command_id, done=False, line=number, reason=events.reason, rule=events.rule)
            lines: tuple[Entry, ...] = ()
        else:
            lines = entries(self.table, request, events)
            self.table = after(self.table, lines)
            answer = Answer(command_id, done=True, line=self.table.entries)
        decided = self.table
        durable = self.store.append(_unit(decided.name, number, command_id, lines, answer))
        made = await asyncio.wrap_future(durable)
        match made:
            case Appended():
                if lines:
                    self._made_durable(decided, lines)
                return answer
            case Repeated():
                return _answered(made)
            case _:
                self.stopped = f"{self.table.name} is run by another process now"
                raise Stopped(self.stopped)

    # ---------------------------------------------------------------- showing

    def _made_durable(self, decided: Table, lines: tuple[Entry, ...]) -> None:
        self.shown = decided
        self.recent.extend(lines)
        self.show()

    def show(self) -> None:
        """Send everybody who watches the table as it is now."""
        for watcher in tuple(self.watchers):
            self.show_to(watcher)

    def show_to(self, watcher: Watcher) -> None:
        watcher.tell(View(self.shown.entries, self.seen_by(watcher.name, watcher.role)))

    def seen_by(self, name: str, role: str) -> dict[str, Any]:
        told = view(self.shown, tuple(self.recent), name=name, role=role, practice=self.practice)
        return {**told, "closes_ms": self.closes_ms, "at_ms": self.now_ms()}


_ANSWERS = msgspec.json.Decoder(Answer)


def _unit(table: str, number: int, command_id: str, lines: tuple[Entry, ...], answer: Answer) -> Append:
    rows = tuple(
        LedgerRow(line.number + 1, move.debit, move.credit, move.amount, move.rule)
        for line in lines
        for move in line.event.transfers
    )
    written = tuple(encode(line) for line in lines)
    return Append(table, number, command_id, written, rows, msgspec.json.encode(answer))


def _answered(known: Repeated) -> Answer:
    return _ANSWERS.decode(known.answer)


def open_host(
    store: Store, name: str, game: AnyGame, ruleset: Ruleset[Any], *, practice: bool, now_ms: Callable[[], int]
) -> Host:
    """The host of a table, with everything that its journal says."""
    table = new_table(name, game, ruleset)
    recent: deque[Entry] = deque(maxlen=RECENT)
    for line in store.each_line(name):
        entry = decode(line.body)
        table = after(table, (entry,))
        recent.append(entry)
    return Host(store, table, table, practice, now_ms, recent)
