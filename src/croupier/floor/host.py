"""The host of one table: its keeper, its last lines, and whoever watches it.

The keeper decides and makes durable; the host remembers the last lines of the journal for the pages and sends every
watcher a view of the table, as that watcher may see it, whenever something has become durable.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from croupier.floor.keeper import Keeper, Kind
from croupier.floor.store import Store
from croupier.floor.views import view
from croupier.floor.wire import Answer, ToPage, View
from croupier.game import AnyGame
from croupier.law.ruleset import Ruleset
from croupier.table.commands import AnyCommand, Request
from croupier.table.decide import decide
from croupier.table.events import Entry, decode, encode
from croupier.table.evolve import after, entries
from croupier.table.state import Table, new_table

RECENT = 4_000
"""Lines kept for the pages: some shoes of results and the last things said."""

TABLES: Kind[Table] = Kind(decide, entries, after, encode, decode)


@dataclass(eq=False, slots=True)
class Watcher:
    """Somebody who watches a table: who, in which role, and how to tell them."""

    name: str
    role: str
    tell: Callable[[ToPage], None]


@dataclass(eq=False, slots=True)
class Host:
    """One table of the house; `practice` is marked wherever the table is shown."""

    keeper: Keeper[Table]
    practice: bool
    now_ms: Callable[[], int]
    recent: deque[Entry] = field(default_factory=lambda: deque(maxlen=RECENT))
    watchers: set[Watcher] = field(default_factory=set)
    closes_ms: int = 0

    @property
    def table(self) -> Table:
        """The table as decided."""
        return self.keeper.state

    @property
    def shown(self) -> Table:
        """The table as far as it is durable: all that anybody may be told."""
        return self.keeper.shown

    async def ask(self, command_id: str, what: AnyCommand, *, by: str, role: str) -> Answer:
        """Decide a command, make it durable, tell everybody; the same id again gets the same answer."""
        return await self.keeper.ask(command_id, Request(what, by, role, self.now_ms()))

    def heard(self, lines: tuple[Entry, ...]) -> None:
        """Lines have become durable."""
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


async def open_host(
    store: Store, name: str, game: AnyGame, ruleset: Ruleset[Any], *, practice: bool, now_ms: Callable[[], int]
) -> Host:
    """The host of a table, with everything that its journal says; this process runs it unless another one does."""
    table = new_table(name, game, ruleset)
    host = Host(Keeper(store, name, TABLES, table, table), practice, now_ms)
    host.keeper.changed = host.heard
    await host.keeper.take_over()
    await host.keeper.follow()
    return host
