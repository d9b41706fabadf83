"""One owner per table where several processes share a PostgreSQL database.

Theory of operation.  A row of `lease` names the owner of a table, an epoch that counts its owners, and when the lease
ends by the clock of the database.  The owner renews its leases; each append first locks its lease row and reads the
epoch, in the same transaction as the lines.  So an owner that was replaced while it slept finds another epoch and
appends nothing, and a new owner waits for the last append of the old one and then sees its lines: that is the fence.
The time decides only when a lease may be taken, never whether an append counts.

A process also holds an advisory lock under its own number, on the connection that appends.  When the process dies, the
database drops the lock at once, and a table of a dead owner can be taken without waiting for the lease to end.

An owner may hand a table on to another process that lives: it writes that one's number into the row, under a new epoch,
after its own last append.  So that a process without tables is known too, each has a lease under its own address.

A process may also stop, neither dead nor alive, in the middle of an append or of a renewal, with the lease rows locked.
Nobody waits for such a lock, since whoever waits renews nothing, and one machine that is gone would stop all: whoever
wants the table and finds its lease ended and its row locked cuts the owner's connection, which undoes what it had not
committed, and takes the table at the next try.  (The database's own time limits do not see an owner that stops
between two messages of one batch.)  The owner finds its connection gone when it wakes, and ends.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Interval, Row, bindparam, cast, func, literal, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.elements import ColumnElement

from croupier.floor.store.appends import LivingProcess
from croupier.floor.store.ownership import Rows, claimed
from croupier.floor.store.schema import TableRows, lease

log = logging.getLogger(__name__)

CHANNEL = "croupier_journal"
NOBODY = 0

_ENDED = (lease.c.expires < func.clock_timestamp()).label("late")
_TELL = "SELECT pg_notify(%s, said) FROM unnest(%b::text[]) AS said"
_HELD = "SELECT table_name, epoch FROM lease WHERE owner = %s AND table_name = ANY(%b) ORDER BY table_name FOR SHARE"
_SEEN = select(lease.c.owner, lease.c.address, lease.c.epoch, _ENDED).where(lease.c.table_name == bindparam("name"))
_LOCKED = _SEEN.with_for_update(skip_locked=True)
_CUT = text(
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1"
    " AND (classid::bigint << 32 | objid::bigint) = :owner AND pid <> pg_backend_pid()"
)


def _number() -> int:
    return secrets.randbelow(2**62) + 1


@dataclass(slots=True)
class SharedOwnership:
    """What this process owns.  `epochs` is its memory of it; the database decides."""

    address: str
    seconds: float
    owner: int = field(default_factory=_number)
    epochs: dict[str, int] = field(default_factory=dict)
    renewed: float = field(default_factory=time.monotonic)
    missed: int = 0

    @property
    def patience_seconds(self) -> float | None:
        return self.seconds / 3

    @property
    def lapses(self) -> int:
        return self.missed + (time.monotonic() - self.renewed > self.seconds)

    def reconnected(self) -> None:
        self.missed += 1

    def announce(self, connection: Connection) -> None:
        # A connection that was lost with the network lives on in the database, with the lock: nobody told it to end.
        connection.execute(_CUT, {"owner": self.owner})
        connection.execute(select(func.pg_advisory_lock(self.owner)))

    def take(self, connection: Connection, table: str) -> int | str:
        # Who only looks locks nothing: an owner would wait for one that looks and is gone.
        seen = connection.execute(_SEEN, {"name": table}).first()
        if seen is None:
            # Where there is a row, this would wait for whoever is changing it.
            absent = {
                "table_name": table,
                "owner": NOBODY,
                "address": "",
                "epoch": 0,
                "expires": func.clock_timestamp(),
            }
            connection.execute(insert(lease).values(absent).on_conflict_do_nothing())
        elif self._is_others(connection, seen):
            return str(seen.address)
        seen = connection.execute(_LOCKED, {"name": table}).first()
        if seen is None:
            return self._writing(connection, table)
        if self._is_others(connection, seen):
            return str(seen.address)
        # An owner that takes its own table again begins a new epoch too: its memory of the old one may be wrong.
        self._write(connection, table, seen.epoch + 1)
        self.epochs[table] = seen.epoch + 1
        return self.epochs[table]

    def _is_others(self, connection: Connection, seen: Row[Any]) -> bool:
        """Whether another process has the table, and lives."""
        return seen.owner != self.owner and not seen.late and not _is_gone(connection, seen.owner)

    def _writing(self, connection: Connection, table: str) -> str:
        """The address of an owner that appends or renews at this moment; one whose lease has ended is cut off."""
        holder = connection.execute(_SEEN, {"name": table}).one()
        if holder.late:
            log.warning("%s: its owner stopped in the middle of a transaction and is cut off", table)
            with suppress(DBAPIError), connection.begin_nested():
                connection.execute(_CUT, {"owner": holder.owner})
        return str(holder.address)

    def _write(self, connection: Connection, table: str, epoch: int) -> None:
        mine = {"owner": self.owner, "address": self.address, "epoch": epoch, "expires": self._end()}
        connection.execute(update(lease).where(lease.c.table_name == table).values(mine))

    def _end(self) -> ColumnElement[datetime]:
        return func.clock_timestamp() + cast(literal(f"{self.seconds} seconds"), Interval)

    def held(self, connection: Connection, tables: frozenset[str]) -> Mapping[str, int]:
        mine = tables & self.epochs.keys()
        if not mine:
            return {}
        rows = connection.exec_driver_sql(_HELD, (self.owner, list(mine)))
        held = {row.table_name: int(row.epoch) for row in rows if self.epochs[row.table_name] == row.epoch}
        for lost in mine - held.keys():
            log.warning("%s: another process owns this table now", lost)
            del self.epochs[lost]
        return held

    def renew(self, connection: Connection) -> None:
        began = time.monotonic()
        if began - self.renewed < self.seconds / 3:
            return
        renewal = update(lease).where(lease.c.owner == self.owner).values(expires=self._end())
        rows = connection.execute(renewal.returning(lease.c.table_name, lease.c.epoch)).all() if self.epochs else ()
        held = {row.table_name for row in rows if self.epochs.get(row.table_name) == row.epoch}
        lost = self.epochs.keys() - held
        for table in lost:
            log.warning("%s: another process owns this table now", table)
            del self.epochs[table]
        # A process that slept past its leases may find them still its own, and has missed what was said meanwhile.
        self.missed += bool(lost) or began - self.renewed > self.seconds
        self.renewed = began

    def release(self, connection: Connection, table: str | None, to: LivingProcess | None = None) -> None:
        given_up = update(lease).where(lease.c.owner == self.owner)
        if table is not None:
            given_up = given_up.where(lease.c.table_name == table)
        if to is None:
            connection.execute(given_up.values(owner=NOBODY, address="", expires=func.clock_timestamp()))
        else:
            # The new owner renews it with its own from now on, and begins an epoch when it is first asked.
            theirs = {"owner": to.owner, "address": to.address, "epoch": lease.c.epoch + 1, "expires": self._end()}
            connection.execute(given_up.values(theirs))
        for name in [table] if table is not None else list(self.epochs):
            self.epochs.pop(name, None)

    def claim(self, connection: Connection, commands: Rows, *beside: TableRows) -> bool:
        # In one order in every process: two groups that share two ids must not wait for each other.
        return claimed(connection, sorted(commands, key=itemgetter(0)), *beside)

    def tell(self, connection: Connection, news: Mapping[str, int]) -> None:
        if news:
            connection.exec_driver_sql(_TELL, (CHANNEL, [f"{last} {table}" for table, last in news.items()]))

    def committed(self, news: Mapping[str, int]) -> None:
        """The listener of this process hears it from the database, as the others do."""


def holders(connection: Connection) -> dict[str, LivingProcess]:
    """Which process has which lease, of those that have not ended."""
    held = select(lease.c.table_name, lease.c.owner, lease.c.address).where(lease.c.owner != NOBODY, ~_ENDED.element)
    return {row.table_name: LivingProcess(row.owner, row.address) for row in connection.execute(held)}


def _is_gone(connection: Connection, owner: int) -> bool:
    """Whether the owner's connection has ended: then its advisory lock is free."""
    return owner == NOBODY or bool(connection.execute(select(func.pg_try_advisory_xact_lock(owner))).scalar())
