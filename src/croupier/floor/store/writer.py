"""The one thread that writes: natural group commit, and nothing said before it is durable.

Theory of operation.  Work is queued with a future.  The thread takes everything that was queued while the last commit
ran, plans it in order, writes the rows, commits once, and only then resolves the futures.  The more clients, the larger
the groups: the price of a sync is shared and nobody waits for a timer.

Heads that were signed with a group go to their witnesses after the commit, which takes a sync of its own, and a thread
of its own (`copies/bearing.py`).  Whoever asked for a head (the end of a round, a voucher, a number of the feed) is
told after that, and so is what comes later in the same journal; the others, whose lines no witness need know yet, at
once.  All of them are told by the writer, so that nobody is told anything after something in the database failed.

To bring SQLite's log into the database takes some tens of milliseconds, in which nobody is answered.  So it is done
when there is nothing to do, as between two rounds; and only where there always is something, when the log is long.

Where several processes share the database, owning a table is a transaction of its own, before the group, and releasing
one after it; the group locks the leases of its tables first.  No transaction waits for a lease while it holds another,
so no two processes can wait for each other.

If a commit fails, nobody can know what reached the disk: the process tells why and ends at once, and the next start
reads what is there.  No future of the failed group is ever resolved.  A connection that is lost before anything was
committed on it is another matter: what was not committed did not happen, and is done on a new connection.
"""

from __future__ import annotations

import logging
import math
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar, assert_never

from msgspec import Struct
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from croupier.floor.store.appends import (
    Append,
    Awaiting,
    KeepSnapshot,
    NotOwner,
    Own,
    Owned,
    OwnedElsewhere,
    Release,
    Released,
    SignHead,
    Stale,
    Work,
)
from croupier.floor.store.copies.bearing import Bearer, Borne
from croupier.floor.store.copies.witnesses import Witness, open_witness
from croupier.floor.store.engines import EXIT_FAILED, BadStore, one_line, pages_in_log
from croupier.floor.store.heads import Key
from croupier.floor.store.ownership import Ownership
from croupier.floor.store.plan import GroupPlan, Where, Written, begin, beside, last_line, place, sign_news, write

if TYPE_CHECKING:
    from croupier.floor.store.copies.second import Second

log = logging.getLogger(__name__)

T = TypeVar("T")

LARGEST_GROUP = 1000
SIGN_SECONDS: Final = 2.0
"""The head of a table that grows is signed that often, and that long after its last line."""
LOG_PAGES: Final = 8_000
"""The log of an SQLite file goes into the database when it is about that long, whoever waits meanwhile."""
REST_PAGES: Final = 250
REST_SECONDS: Final = 0.2
"""When nobody has asked for anything that long, a log of so many pages goes there too."""
REMEMBERED: Final = 5_000
"""Lines that are remembered at least, for whoever follows what is written."""
RECONNECT_SECONDS: Final = 60.0
RETRY_SECONDS: Final = 0.5
BORNE: Final = "borne"
"""Stands in the queue where heads came to their witnesses: somebody is to be told."""


class WaitingWork(Struct, frozen=True):
    """A piece of work and who waits for it: a thread, or somebody on the loop that groups are delivered on."""

    work: Work
    future: Awaiting


class Tidings(Struct, frozen=True):
    """What is told together of a group: how far journals have come, and who is answered what."""

    news: dict[str, int]
    answered: list[tuple[Awaiting, Any]]


def _at_once(tell: Callable[[], None]) -> None:
    tell()


def _resolve(answered: Sequence[tuple[Awaiting, Any]]) -> None:
    for future, answer in answered:
        # A coroutine that waited may have been ended; and with its loop all have.
        if not future.done():
            try:
                future.set_result(answer)
            except RuntimeError:
                continue
            except Exception:  # what one of them makes of it keeps the answer from nobody else
                log.exception("what became durable was not told")


@dataclass(slots=True)
class Writer:
    """The queue, the thread, and what the thread remembers of the database."""

    name: str
    engine: Engine
    key: Key
    ownership: Ownership
    tickets: queue.SimpleQueue[WaitingWork | str | None] = field(default_factory=queue.SimpleQueue)
    heads: dict[str, Where] = field(default_factory=dict)
    gate: threading.Lock = field(default_factory=threading.Lock)
    deliver: Callable[[Callable[[], None]], object] = _at_once
    """How a group that is durable is told: at once by this thread, or by the thread of an event loop."""
    closed: bool = False
    thread: threading.Thread | None = None
    witnesses: list[Witness] = field(default_factory=list)
    second: Second | None = None
    bearer: Bearer | None = None
    """Who bears heads beside the thread; without one, it does that itself."""
    tails: dict[str, float] = field(default_factory=dict)
    """The tables that have lines after their last heads, and since when."""
    connection: Connection | None = None
    committing: bool = False
    log_pages: int = LOG_PAGES
    logged: int = 0
    """About how many pages the log has by now."""
    active: float = 0.0
    """When the last group was written."""
    written: dict[tuple[str, int], str] = field(default_factory=dict)
    before: dict[tuple[str, int], str] = field(default_factory=dict)
    """The lines that this process wrote last, so that nobody has to read them back."""
    steady: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    """The clocks, in seconds, by which heads are signed; a simulated house has its own."""

    def __post_init__(self) -> None:
        self.witnesses.append(open_witness(self.key.witness))

    def start(self) -> None:
        self.thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self.thread.start()

    def submit(self, work: Work) -> Future[Any]:
        """Queue a piece of work.  Its future cannot be cancelled: the work will be done whoever still waits."""
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        self.queue(WaitingWork(work, future))
        return future

    def queue(self, *several: WaitingWork) -> None:
        """Queue pieces of work, each with the future of whoever waits."""
        # Nothing may be queued behind the end of the queue: nobody would ever answer it.
        with self.gate:
            if self.closed:
                raise BadStore(f"{self.name}: the store is closed")
            for waiting in several:
                self.tickets.put(waiting)

    def stop(self) -> None:
        """Finish what is queued, then end the thread."""
        with self.gate:
            self.closed = True
            self.tickets.put(None)
        if self.thread is not None:
            self.thread.join()
        self.close_files()

    def close_files(self) -> None:
        for witness in self.witnesses:
            witness.close()
        if self.second is not None:
            self.second.close()

    # ------------------------------------------------------------ the thread

    def _run(self) -> None:
        try:
            self._serve()
        except BaseException as error:
            end_process(self.name, error)

    def _serve(self) -> None:
        self.connection = self.engine.connect()
        self._announce(self.connection)
        # Processes that are killed again and again, each before its log is long, leave one log that grows with all.
        self.logged = pages_in_log(self.name)
        self.bearer = Bearer(self.witnesses, partial(self.tickets.put, BORNE), partial(end_process, self.name))
        going = True
        while going:
            group, going = self._next_group()
            self._do(group)
        self.bearer.stop()
        self._surely(self._release_all)
        self.connection.close()

    def _announce(self, connection: Connection) -> None:
        with connection.begin():
            self.ownership.announce(connection)

    def _release_all(self, connection: Connection) -> None:
        with connection.begin():
            self.ownership.release(connection, None)

    def _surely(self, work: Callable[[Connection], T]) -> T:
        """Do something in the database, on a new connection if this one is lost and nothing was being committed."""
        while True:
            assert self.connection is not None
            try:
                return work(self.connection)
            except DBAPIError as error:
                if not error.connection_invalidated or self.committing:
                    raise
                log.warning("the connection to the database was lost: %s", one_line(error))
                self._reconnect()

    def _reconnect(self) -> None:
        """Whoever owned the tables meanwhile, they may be another's now, and their ends are not known here any more."""
        assert self.connection is not None
        self.connection.invalidate()
        self.connection.close()
        until = time.monotonic() + RECONNECT_SECONDS
        while True:
            try:
                self.connection = self.engine.connect()
                self._announce(self.connection)
                # The leases may have ended meanwhile.  Whoever then appended under one would be taken for a process
                # that stopped in the middle of it, and be cut off by the next who wants the table.
                self._renew(self.connection)
                break
            except DBAPIError:
                if time.monotonic() > until:
                    raise
                time.sleep(RETRY_SECONDS)
        self.heads.clear()
        self.ownership.reconnected()
        log.warning("the connection to the database is there again")

    def _next_group(self) -> tuple[list[WaitingWork], bool]:
        """Everything that waits, or nothing if it is time to renew the leases; and whether to go on."""
        group: list[WaitingWork] = []
        try:
            ticket = self._ticket(timeout=self._patience())
            while ticket is not None and len(group) < LARGEST_GROUP - 1:
                group.append(ticket)
                ticket = self._ticket(block=False)
        except queue.Empty:
            if not group:
                self._sign_tails()
                self._rest()
            return group, True
        if ticket is not None:
            group.append(ticket)
        return group, ticket is not None

    def _ticket(self, *, block: bool = True, timeout: float | None = None) -> WaitingWork | None:
        """What waits next, or `queue.Empty`; who waited for a witness is told on the way."""
        while isinstance(ticket := self.tickets.get(block=block, timeout=timeout), str):
            self._tell_borne()
        return ticket

    def _patience(self) -> float | None:
        """How long to wait for work before there is something else to do; for ever if there is nothing."""
        times = [] if self.ownership.patience_seconds is None else [self.ownership.patience_seconds]
        if self.tails:
            times.append(max(0.0, min(self.tails.values()) + SIGN_SECONDS - self.steady()) + 0.01)
        if self.logged >= REST_PAGES:
            times.append(REST_SECONDS)
        return min(times, default=None)

    def _do(self, group: Sequence[WaitingWork]) -> None:
        """Do all of a group, and tell those who wait once it is durable."""
        if self.ownership.patience_seconds is not None:
            self._surely(self._renew)
        writing: list[tuple[WaitingWork, Written]] = []
        releasing: list[tuple[WaitingWork, Release]] = []
        for ticket in group:
            match ticket.work:
                case Own() as work:
                    ticket.future.set_result(self._surely(partial(self._own, work=work)))
                case Append() | SignHead() | KeepSnapshot() as work:
                    writing.append((ticket, work))
                case Release() as work:
                    releasing.append((ticket, work))
                case _:
                    assert_never(ticket.work)
        self._write(writing)
        if releasing and self.bearer is not None:
            self.bearer.rest()
        for ticket, given_up in releasing:
            ticket.future.set_result(self._surely(partial(self._release, work=given_up)))

    def _renew(self, connection: Connection) -> None:
        with connection.begin():
            self.ownership.renew(connection)

    def _write(self, writing: Sequence[tuple[WaitingWork, Written]]) -> None:
        if not writing:
            return
        works = [work for _, work in writing]
        committed, look = None, False
        while committed is None:
            committed = self._surely(partial(self._commit, works=works, look=look))
            look = True
        plan, answers = committed
        self._remember(plan, answers)
        self._tell_borne()
        # A table is told in its order what was done there, so that all of it waits for a witness or nothing does.
        waits = {work.table for work in works if isinstance(work, SignHead) or (isinstance(work, Append) and work.sign)}
        behind = self.bearer.behind() - waits if self.bearer is not None else frozenset[str]()
        at_once, later, witnessed = Tidings({}, []), Tidings({}, []), Tidings({}, [])
        for (ticket, work), answer in zip(writing, answers, strict=True):
            table = work.table
            told = witnessed if table in waits else later if table in behind else at_once
            told.answered.append((ticket.future, answer))
            if table in plan.news:
                told.news[table] = plan.news[table]
        self._tell(at_once)
        if self.bearer is None:
            for witness in self.witnesses:
                witness.bear(plan.signed)
            self._tell(witnessed)
        elif plan.signed or later.answered or witnessed.answered:
            tables = {work.table for work in works} & (waits | behind)
            first = partial(self._tell, later) if later.answered else None
            self.bearer.bear(Borne(tables, first, plan.signed, partial(self._tell, witnessed)))
        self._log(plan)

    def _tell_borne(self) -> None:
        """Tell who waited for heads that have come to their witnesses."""
        if self.bearer is not None:
            self.bearer.tell()

    def _tell(self, told: Tidings) -> None:
        """Tell those who wait, and then whoever follows these journals."""
        if told.answered:
            self.deliver(partial(_resolve, told.answered))
        self.ownership.committed(told.news)

    def _log(self, plan: GroupPlan) -> None:
        """Reckon what a group adds to the log, and shorten it when it is long."""
        if self.engine.dialect.name == "sqlite":
            # A group touches a page or two of each table; rows lie some to a page, command ids each on one of its own.
            self.logged += 6 + (len(plan.lines) + len(plan.money)) // 8 + len(plan.commands)
            self.active = self.steady()
            if self.logged >= self.log_pages:
                self._shorten_log()

    def _rest(self) -> None:
        """Nothing is to be done: shorten the log if that has been so for a while."""
        if self.logged >= REST_PAGES and self.steady() - self.active >= REST_SECONDS:
            self._shorten_log()

    def _shorten_log(self) -> None:
        """Bring the log into the database; an error ends the process before anybody is told more."""
        self.logged = 0
        assert self.connection is not None
        raw = self.connection.connection.driver_connection
        assert raw is not None
        raw.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def _commit(
        self, connection: Connection, works: Sequence[Written], *, look: bool
    ) -> tuple[GroupPlan, list[Any]] | None:
        """The plan and its answers, durable; nothing if a command id was used before, and this did not `look`.

        Nearly every id is new, which its claim finds out.  Only where something is not as it should be they are looked
        up, and all is planned anew; another process may use one even then.
        """
        tables = frozenset(work.table for work in works)
        with connection.begin() as transaction:
            owned = self.ownership.held(connection, tables)
            plan = begin(connection, works, key=self.key, owned=owned, heads=self.heads, look=look)
            answers = [place(plan, work) for work in works]
            if not look and any(isinstance(answer, Stale | NotOwner) for answer in answers):
                transaction.rollback()
                return None
            sign_news(plan, self._due(plan, works), int(self.wall() * 1000))
            if plan.commands and not self.ownership.claim(connection, plan.commands, *beside(plan)):
                transaction.rollback()
                return None
            write(plan)
            self.ownership.tell(connection, plan.news)
            # From here on nobody can know whether it is durable, until the database has said so.
            self.committing = True
        self.committing = False
        return plan, answers

    def _due(self, plan: GroupPlan, works: Sequence[Written]) -> list[str]:
        """The tables whose heads are signed with this group: a round ended there, or the last head is some time ago."""
        asked = {work.table for work in works if isinstance(work, Append) and work.sign}
        late = self.steady() - SIGN_SECONDS
        return [table for table in plan.news if table in asked or self.tails.get(table, math.inf) <= late]

    def _sign_tails(self) -> None:
        """The lines since the last heads have waited long enough, and nothing comes that they could be signed with."""
        late, at_ms = self.steady() - SIGN_SECONDS, int(self.wall() * 1000)
        works = [SignHead(table, at_ms) for table, since in self.tails.items() if since <= late]
        for work in works:
            del self.tails[work.table]
        self._write([(WaitingWork(work, Future()), work) for work in works])

    def _remember(self, plan: GroupPlan, answers: Sequence[Any]) -> None:
        if self.second is not None:
            self.second.write(plan)
        now = self.steady()
        for table in plan.news:
            self.tails.setdefault(table, now)
        for head in plan.signed:
            self.tails.pop(head.table, None)
        self.heads |= plan.heads
        if len(self.written) >= REMEMBERED:
            self.before, self.written = self.written, {}
        for table, number, body, _ in plan.lines:
            self.written[table, number] = body
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
            self.ownership.release(connection, work.table, work.to)
        self.heads.pop(work.table, None)
        return Released(work.table)


def end_process(name: str, error: BaseException) -> NoReturn:
    """End at once: what is not durable must not be acknowledged, by anyone."""
    sys.stderr.write(f"croupier: {name}: the store failed and the process ends: {one_line(error)}\n")
    sys.stderr.flush()
    os._exit(EXIT_FAILED)
