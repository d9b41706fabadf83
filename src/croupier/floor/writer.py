"""The one thread that writes: natural group commit, and nothing said before it is durable.

Theory of operation.  Work is queued with a future.  The thread takes everything that was queued while the last commit
ran, plans it in order, writes the rows, commits once, and only then resolves the futures.  The more clients, the larger
the groups: the price of a sync is shared and nobody waits for a timer.

Where several processes share the database, owning a table is a transaction of its own, before the group, and releasing
one after it; the group locks the leases of its tables first.  No transaction waits for a lease while it holds another,
so no two processes can wait for each other.

If a commit fails, nobody can know what reached the disk: the process tells why and ends at once, and the next start
reads what is there.  No future of the failed group is ever resolved.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn, assert_never

from sqlalchemy import Connection, Engine

from croupier.floor.appends import (
    Append,
    KeepSnapshot,
    NotOwner,
    Own,
    Owned,
    OwnedElsewhere,
    Release,
    Released,
    SignHead,
    Work,
)
from croupier.floor.engines import BadStore, one_line
from croupier.floor.heads import Key, bear_witness
from croupier.floor.ownership import Ownership
from croupier.floor.plan import Plan, Where, Written, begin, last_line, place, write

LARGEST_GROUP = 1000
EXIT_FAILED = 74


@dataclass(frozen=True, slots=True)
class Ticket:
    """A piece of work and who waits for it."""

    work: Work
    future: Future[Any]


def _at_once(tell: Callable[[], None]) -> None:
    tell()


def _resolve(futures: Sequence[Future[Any]], answers: Sequence[Any]) -> None:
    for future, answer in zip(futures, answers, strict=True):
        future.set_result(answer)


@dataclass(slots=True)
class Writer:
    """The queue, the thread, and what the thread remembers of the database."""

    name: str
    engine: Engine
    key: Key
    ownership: Ownership
    tickets: queue.SimpleQueue[Ticket | None] = field(default_factory=queue.SimpleQueue)
    heads: dict[str, Where] = field(default_factory=dict)
    gate: threading.Lock = field(default_factory=threading.Lock)
    deliver: Callable[[Callable[[], None]], object] = _at_once
    """How a group that is durable is told: at once by this thread, or by the thread of an event loop."""
    closed: bool = False
    thread: threading.Thread | None = None

    def start(self) -> None:
        self.thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self.thread.start()

    def submit(self, work: Work) -> Future[Any]:
        """Queue a piece of work.  Its future cannot be cancelled: the work will be done whoever still waits."""
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        # Nothing may be queued behind the end of the queue: nobody would ever answer it.
        with self.gate:
            if self.closed:
                raise BadStore(f"{self.name}: the store is closed")
            self.tickets.put(Ticket(work, future))
        return future

    def stop(self) -> None:
        """Finish what is queued, then end the thread."""
        with self.gate:
            self.closed = True
            self.tickets.put(None)
        if self.thread is not None:
            self.thread.join()

    # ------------------------------------------------------------ the thread

    def _run(self) -> None:
        try:
            self._serve()
        except BaseException as error:
            end_process(self.name, error)

    def _serve(self) -> None:
        with self.engine.connect() as connection:
            with connection.begin():
                self.ownership.announce(connection)
            going = True
            while going:
                group, going = self._next_group()
                self._do(connection, group)
            with connection.begin():
                self.ownership.release(connection, None)

    def _next_group(self) -> tuple[list[Ticket], bool]:
        """Everything that waits, or nothing if it is time to renew the leases; and whether to go on."""
        group: list[Ticket] = []
        try:
            ticket = self.tickets.get(timeout=self.ownership.patience_seconds)
            while ticket is not None and len(group) < LARGEST_GROUP - 1:
                group.append(ticket)
                ticket = self.tickets.get_nowait()
        except queue.Empty:
            return group, True
        if ticket is not None:
            group.append(ticket)
        return group, ticket is not None

    def _do(self, connection: Connection, group: Sequence[Ticket]) -> None:
        """Do all of a group, and tell those who wait once it is durable."""
        if self.ownership.patience_seconds is not None:
            with connection.begin():
                self.ownership.renew(connection)
        writing: list[tuple[Ticket, Written]] = []
        releasing: list[tuple[Ticket, Release]] = []
        for ticket in group:
            match ticket.work:
                case Own() as work:
                    ticket.future.set_result(self._own(connection, work))
                case Append() | SignHead() | KeepSnapshot() as work:
                    writing.append((ticket, work))
                case Release() as work:
                    releasing.append((ticket, work))
                case _:
                    assert_never(ticket.work)
        self._write(connection, writing)
        for ticket, given_up in releasing:
            ticket.future.set_result(self._release(connection, given_up))

    def _write(self, connection: Connection, writing: Sequence[tuple[Ticket, Written]]) -> None:
        if not writing:
            return
        works = [work for _, work in writing]
        committed = None
        while committed is None:
            committed = self._commit(connection, works)
        plan, answers = committed
        self._remember(plan, answers)
        self.deliver(partial(_resolve, [ticket.future for ticket, _ in writing], answers))
        self.ownership.told(plan.news)

    def _commit(self, connection: Connection, works: Sequence[Written]) -> tuple[Plan, list[Any]] | None:
        """The plan and its answers, durable; nothing if another process used a command id meanwhile."""
        tables = frozenset(work.table for work in works)
        with connection.begin() as transaction:
            owned = self.ownership.held(connection, tables)
            plan = begin(connection, works, key=self.key, owned=owned, heads=self.heads)
            answers = [place(plan, work) for work in works]
            if plan.commands and not self.ownership.claim(connection, plan.commands):
                transaction.rollback()
                return None
            write(plan)
            self.ownership.tell(connection, plan.news)
        return plan, answers

    def _remember(self, plan: Plan, answers: Sequence[Any]) -> None:
        bear_witness(self.key, plan.signed)
        self.heads |= plan.heads
        for answer in answers:
            if isinstance(answer, NotOwner):
                self.heads.pop(answer.table, None)

    # ------------------------------------------------------------ owning

    def _own(self, connection: Connection, work: Own) -> Owned | OwnedElsewhere:
        with connection.begin():
            epoch = self.ownership.take(connection, work.table)
            where = last_line(connection, work.table)
        if isinstance(epoch, str):
            return OwnedElsewhere(work.table, epoch)
        self.heads[work.table] = where
        return Owned(work.table, epoch, *where)

    def _release(self, connection: Connection, work: Release) -> Released:
        with connection.begin():
            self.ownership.release(connection, work.table)
        self.heads.pop(work.table, None)
        return Released(work.table)


def end_process(name: str, error: BaseException) -> NoReturn:
    """End at once: what is not durable must not be acknowledged, by anyone."""
    sys.stderr.write(f"croupier: {name}: the store failed and the process ends: {one_line(error)}\n")
    sys.stderr.flush()
    os._exit(EXIT_FAILED)
