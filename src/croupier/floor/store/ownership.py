"""Who may append to a table, and who is told of it: the part of writing that differs between the databases.

Theory of operation.  The writer asks an `Ownership` at each step of a group.  `Alone` is the answer of an SQLite file,
where the lock file has settled the question: every table is this process's, and its own subscribers are told after the
commit.  `leases.Shared` is the answer where several processes share a PostgreSQL database.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from sqlalchemy import Connection

from croupier.floor.store.appends import LivingProcess
from croupier.floor.store.schema import TableRows, command, put

log = logging.getLogger(__name__)

Hear: TypeAlias = Callable[[str, int], None]
Rows: TypeAlias = list[tuple[Any, ...]]


class Ownership(Protocol):
    """Each call is inside a transaction of the writer's connection, but `committed`, which follows the commit."""

    @property
    def patience_seconds(self) -> float | None:
        """How long the writer may wait for work before it must `renew`."""

    @property
    def lapses(self) -> int:
        """How often this process went without its leases, the present one included."""

    def reconnected(self) -> None:
        """The connection is another one: what this process owned may be another's."""

    def announce(self, connection: Connection, /) -> None:
        """Show that this process lives, as long as the connection does."""

    def take(self, connection: Connection, table: str, /) -> int | str:
        """The epoch, if the table is now this process's; otherwise the address of its owner."""

    def held(self, connection: Connection, tables: frozenset[str], /) -> Mapping[str, int]:
        """The epochs of those tables that this process owns, and goes on owning until the transaction ends."""

    def renew(self, connection: Connection, /) -> None:
        """Go on owning what this process owns."""

    def release(self, connection: Connection, table: str | None, to: LivingProcess | None = None, /) -> None:
        """Give up one table, or all; it is then nobody's, or that of the process that is named."""

    def claim(self, connection: Connection, commands: Rows, /, *beside: TableRows) -> bool:
        """Write the command ids, and what goes with them; false if another process has used one of them meanwhile.

        What was written is then to be undone.
        """

    def tell(self, connection: Connection, news: Mapping[str, int], /) -> None:
        """Tell other processes, together with the commit."""

    def committed(self, news: Mapping[str, int], /) -> None:
        """Tell this process, after the commit."""


def claimed(connection: Connection, commands: Rows, *beside: TableRows) -> bool:
    """Write command ids with what goes with them, unless one was used."""
    return put(connection, *beside, (command, commands), unless_there=True) == len(commands)


@dataclass(slots=True)
class Subscribers:
    """Who wants to hear.  A listener must be quick and must not raise; one that raises is logged and kept."""

    listeners: list[Hear] = field(default_factory=list)

    def publish(self, table: str, last: int) -> None:
        for hear in tuple(self.listeners):
            try:
                hear(table, last)
            except Exception:
                log.exception("a listener failed at line %d of %s", last, table)


@dataclass(frozen=True, slots=True)
class Alone:
    """One process, all tables."""

    publish: Hear

    @property
    def patience_seconds(self) -> float | None:
        return None

    @property
    def lapses(self) -> int:
        return 0

    def reconnected(self) -> None:
        """A file is not reconnected to."""

    def announce(self, connection: Connection) -> None:
        """The lock file has said it."""

    def take(self, _connection: Connection, _table: str) -> int | str:
        return 0

    def held(self, _connection: Connection, tables: frozenset[str]) -> Mapping[str, int]:
        return dict.fromkeys(tables, 0)

    def renew(self, connection: Connection) -> None:
        """Nothing ends."""

    def release(self, connection: Connection, table: str | None, to: LivingProcess | None = None) -> None:
        """Nobody else could take it."""

    def claim(self, connection: Connection, commands: Rows, *beside: TableRows) -> bool:
        return claimed(connection, commands, *beside)

    def tell(self, connection: Connection, news: Mapping[str, int]) -> None:
        """There are no others."""

    def committed(self, news: Mapping[str, int]) -> None:
        for table, last in news.items():
            self.publish(table, last)
