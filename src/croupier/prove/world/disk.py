"""A simulated disk and the processes that share it: the real tables and the real group commit, at a simulated time.

Theory of operation.  The database is SQLite in memory, with the schema of the house, and every store in a world has
the same.  A `Spindle` is the writer of one process: the real `Writer`, but its group is committed when the simulated
disk is done with it, and not by a thread.  Whoever crashes before that has written nothing; or all of it without a word
to anybody, because the disk was faster than the answer.

`Leases` say who owns a journal, as `leases.py` does with a PostgreSQL: an owner that has not renewed for so long can be
taken over from, an epoch counts the owners, and what an earlier one still wants to write is refused.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from croupier.floor.store.appends import Append, Appended, LivingProcess
from croupier.floor.store.durable import Store
from croupier.floor.store.engines import BadStore, Opened, one_line
from croupier.floor.store.heads import Key
from croupier.floor.store.ownership import Rows, Subscribers, claimed
from croupier.floor.store.schema import TableRows, migrate
from croupier.floor.store.writer import WaitingWork, Writer
from croupier.prove.world.loop import SimulatedLoop

LEASE_SECONDS: Final = 5.0
COMMIT_SECONDS: Final = (0.001, 0.02)
KEY: Final = Ed25519PrivateKey.from_private_bytes(b"a simulated world has no secrets")
NOWHERE: Final = Path("nowhere")


@cache
def _empty() -> bytes:
    """A database with the schema and no rows; made once, because migrating takes longer than a round."""
    engine = create_engine("sqlite+pysqlite://", poolclass=StaticPool)
    with engine.begin() as connection:
        migrate(connection)
    with engine.connect() as connection:
        raw: Any = connection.connection.dbapi_connection
        made: bytes = raw.serialize()
    engine.dispose()
    return made


def _engine() -> Engine:
    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.deserialize(_empty())
        return connection

    engine = create_engine("sqlite+pysqlite://", creator=connect, poolclass=StaticPool)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    return engine


@dataclass(slots=True)
class Lease:
    owner: int
    address: str
    epoch: int
    expires: float


@dataclass(slots=True)
class WorldDisk:
    """What all processes of a world share."""

    loop: SimulatedLoop
    engine: Engine = field(default_factory=_engine)
    leases: dict[str, Lease] = field(default_factory=dict)
    stores: list[Store] = field(default_factory=list)
    rechecked: bool = True
    """Whether an owner is still the owner is looked at when it writes: not so in one of the controls."""
    failed: list[str] = field(default_factory=list)
    eager: bool = False
    """Whether a command is acknowledged before it is durable: one of the controls."""

    def open(self, address: str) -> Store:
        """The store of one more process."""
        store = Store(Opened(self.engine, self.engine, None, "simulated"), frozenset((_public(),)), Subscribers())
        owner = Leases(self, len(self.stores) + 1, address)
        store.writer = Spindle("simulated", self.engine, Key(KEY, NOWHERE), owner, disk=self)
        store.writer.connection = self.engine.connect()
        self.stores.append(store)
        return store

    def reader(self) -> Store:
        return Store(Opened(None, self.engine, None, "simulated"), frozenset((_public(),)), Subscribers())


def _public() -> bytes:
    return Key(KEY, NOWHERE).public


@dataclass(slots=True)
class Spindle(Writer):
    """The writer of a process, whose groups are committed in simulated time; `held_until` while it is stopped.

    `deaf_until` the process hears nothing of what others append, as after a lost connection; then it hears all of it.
    """

    disk: WorldDisk = field(kw_only=True)
    pending: list[WaitingWork] = field(default_factory=list)
    dead: bool = False
    held_until: float = 0.0
    deaf_until: float = 0.0

    def __post_init__(self) -> None:
        """No witness: nobody else looks at this disk.  And heads are signed by the time of this world."""
        self.steady = self.wall = self.disk.loop.time

    def queue(self, *several: WaitingWork) -> None:
        if self.closed:
            raise BadStore("the store is closed")
        for waiting in () if self.dead else several:
            if not self.pending:
                loop = self.disk.loop
                at = max(loop.now, self.held_until) + loop.chance.uniform(*COMMIT_SECONDS)
                loop.call_at(at, self.commit)
            work = waiting.work
            if self.disk.eager and isinstance(work, Append):
                waiting.future.set_result(Appended(work.table, work.after + len(work.lines), b""))
                self.pending.append(WaitingWork(work, Future()))
            else:
                self.pending.append(waiting)

    def commit(self) -> None:
        """The disk is done with what waited."""
        if self.dead:
            return
        if self.disk.loop.now < self.held_until:
            self.disk.loop.call_at(self.held_until, self.commit)
            return
        group, self.pending = self.pending, []
        try:
            self._do(group)
        except (DBAPIError, sqlite3.Error) as error:
            # A real process ends here; that it had to is a fault of this world.
            self.dead = True
            self.disk.failed.append(f"a commit failed: {one_line(error)}")

    def die(self, *, written: bool) -> None:
        """The process is gone; what waited was written or not, and nobody is told."""
        if written and self.pending:
            silent, self.pending = [WaitingWork(each.work, Future()) for each in self.pending], []
            self._do(silent)
        self.dead = True
        self.pending.clear()

    def renew(self) -> None:
        """What the thread of a real writer does while it waits."""
        if not self.dead and self.disk.loop.now >= self.held_until:
            self._surely(self._renew)

    def stop(self) -> None:
        self.closed = True


@dataclass(slots=True)
class Leases:
    """Who owns what, for one process, by simulated time."""

    disk: WorldDisk
    owner: int
    address: str
    epochs: dict[str, int] = field(default_factory=dict)
    renewed: float = 0.0
    missed: int = 0

    def __post_init__(self) -> None:
        self.renewed = self.disk.loop.now

    @property
    def patience_seconds(self) -> float | None:
        return LEASE_SECONDS / 3

    @property
    def lapses(self) -> int:
        return self.missed + (self.disk.loop.now - self.renewed > LEASE_SECONDS)

    def reconnected(self) -> None:
        self.missed += 1

    def announce(self, connection: Connection) -> None:
        """Its leases show that it lives."""

    def take(self, _connection: Connection, table: str) -> int | str:
        now, lease = self.disk.loop.now, self.disk.leases.get(table)
        if lease is not None and lease.owner not in (0, self.owner) and now <= lease.expires:
            return lease.address
        epoch = (lease.epoch if lease else 0) + 1
        self.disk.leases[table] = Lease(self.owner, self.address, epoch, now + LEASE_SECONDS)
        self.epochs[table] = epoch
        return epoch

    def held(self, _connection: Connection, tables: frozenset[str]) -> Mapping[str, int]:
        mine = tables & self.epochs.keys()
        for lost in [table for table in mine if self.disk.rechecked and not self._is_mine(table)]:
            del self.epochs[lost]
        return {table: self.epochs[table] for table in mine & self.epochs.keys()}

    def _is_mine(self, table: str) -> bool:
        lease = self.disk.leases[table]
        return lease.owner == self.owner and lease.epoch == self.epochs[table]

    def renew(self, _connection: Connection) -> None:
        now = self.disk.loop.now
        if now - self.renewed < LEASE_SECONDS / 3:
            return
        lost = [table for table in self.epochs if not self._is_mine(table)]
        for table in lost if self.disk.rechecked else ():
            del self.epochs[table]
        for table in self.epochs:
            if self._is_mine(table):
                self.disk.leases[table].expires = now + LEASE_SECONDS
        self.missed += bool(lost) or now - self.renewed > LEASE_SECONDS
        self.renewed = now

    def release(self, _connection: Connection, table: str | None, _to: LivingProcess | None = None) -> None:
        for name in [table] if table is not None else list(self.epochs):
            self.epochs.pop(name, None)
            self.disk.leases[name].owner = 0

    def claim(self, connection: Connection, commands: Rows, *beside: TableRows) -> bool:
        return claimed(connection, commands, *beside)

    def tell(self, connection: Connection, news: Mapping[str, int]) -> None:
        """Told after the commit, to every process alike."""

    def committed(self, news: Mapping[str, int]) -> None:
        loop = self.disk.loop
        for table, last in news.items():
            for store in self.disk.stores:
                assert isinstance(store.writer, Spindle)
                at = max(loop.now, store.writer.deaf_until) + loop.chance.uniform(0.0005, 0.01)
                loop.call_at(at, store.subscribers.publish, table, last)
