"""The durable store: journal, ledger and command ids in one commit, before anyone is told.

Theory of operation.  A `Store` is opened by URL: an SQLite file (one process) or PostgreSQL (several processes, one
owner per table).  Everything that writes goes to the writer's queue and answers with a future, which resolves when the
answer is durable (`writer.py`).  Everything that reads has connections of its own and sees only what is committed.

    store = open_store("sqlite:///house.db", key_path=Path("house.key"))
    store.own("EB-1").result()
    store.append(Append("EB-1", after=0, command=..., lines=..., ledger=..., answer=...)).result()
"""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, bindparam, func, select, union_all
from sqlalchemy.exc import InterfaceError, OperationalError

from croupier.floor.store.appends import (
    GREATEST_NUMBER,
    AccountRow,
    Append,
    AppendAnswer,
    Awaiting,
    BadAppend,
    KeepSnapshot,
    Kept,
    LedgerRow,
    LivingProcess,
    NotOwner,
    Own,
    Owned,
    OwnedElsewhere,
    Release,
    Released,
    Repeated,
    SignHead,
    Stale,
    Stopped,
    checked,
    checked_table,
    command_id,
)
from croupier.floor.store.chain import StoredLine, follows, genesis
from croupier.floor.store.copies.witnesses import told_elsewhere, witness_at, witnessed
from croupier.floor.store.engines import BadStore, Opened, open_database, told_plainly
from croupier.floor.store.heads import Head, Key, is_signed, open_key, snapshot_text
from croupier.floor.store.lookups import Lookups
from croupier.floor.store.ownership import Alone, Hear, Subscribers
from croupier.floor.store.plan import last_line
from croupier.floor.store.schema import account, command, head, journal, known_commands, lease, ledger, snapshot
from croupier.floor.store.writer import WaitingWork, Writer
from croupier.money import Cents

if TYPE_CHECKING:
    from croupier.floor.store.ends import EndsAsked
    from croupier.floor.store.fanout import Listener

PAGE = 1000
LEASE_SECONDS = 15.0

_LINES = (
    select(journal.c.number, journal.c.body, journal.c.hash)
    .where(journal.c.table_name == bindparam("name"), journal.c.number >= bindparam("first"))
    .order_by(journal.c.number)
    .limit(bindparam("most"))
)
_NEXT_TABLE = select(func.min(journal.c.table_name)).where(journal.c.table_name > bindparam("name"))


def _running_loop() -> AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _on_loop(loop: AbstractEventLoop, tell: Callable[[], None]) -> None:
    try:
        loop.call_soon_threadsafe(tell)
    except RuntimeError:  # the loop has ended, and with it whoever waited there
        tell()


def _pass_on(waiting: Awaiting, known: asyncio.Future[Any]) -> None:
    if waiting.done() or known.cancelled():
        return
    error = known.exception()
    if error is None:
        waiting.set_result(known.result())
    else:
        waiting.set_exception(error)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a table after line `number`."""

    number: int
    body: bytes


@dataclass(slots=True)
class Store:
    """An open store.  Without a writer it is for reading only."""

    opened: Opened
    trusted: frozenset[bytes]
    subscribers: Subscribers
    key: Key | None = None
    writer: Writer | None = None
    listener: Listener | None = None
    ends: EndsAsked | None = None
    """Who is asked whether journals have grown, where other processes may write them."""
    lookups: Lookups = field(init=False)
    closed: bool = False
    turn: list[WaitingWork] = field(default_factory=list)
    """What was appended on that loop in this turn of it."""
    loop: AbstractEventLoop | None = None
    """The loop that groups are delivered on, if one was named."""
    elsewhere: str = ""
    """Where heads are witnessed besides the file beside the key: a file on another volume, or an address."""

    def __post_init__(self) -> None:
        self.lookups = Lookups(self.answers)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Finish what is queued, give up the tables, and close the database; a second time it does nothing."""
        if self.closed:
            return
        self.closed = True
        self._queue_turn()
        if self.writer is not None:
            self.writer.stop()
            self.writer = None
        if self.listener is not None:
            self.listener.stop()
            self.listener = None
        if self.ends is not None:
            self.ends.close()
        self.opened.close()

    # ------------------------------------------------------------ writing

    def append(self, unit: Append) -> Future[AppendAnswer]:
        """One unit of work, durable when the future resolves."""
        return self._submit(checked(unit))

    def appended(self, unit: Append) -> asyncio.Future[AppendAnswer]:
        """The same for a coroutine."""
        future: asyncio.Future[AppendAnswer] = asyncio.get_running_loop().create_future()
        self.append_for(unit, future)
        return future

    def append_for(self, unit: Append, waiting: Awaiting) -> None:
        """The same for whoever waits on a loop; on that which groups are delivered on, without a future.

        What is appended in one turn of that loop is queued at its end, together: the writer, which has nothing else to
        do, would else begin with the first of them, and all the others would wait for its commit before their own.
        """
        loop = asyncio.get_running_loop()
        if loop is not self.loop or self.writer is None:
            asyncio.wrap_future(self.append(unit)).add_done_callback(partial(_pass_on, waiting))
            return
        work = WaitingWork(checked(unit), waiting)
        if not self.turn:
            loop.call_soon(self._queue_turn)
        self.turn.append(work)

    def _queue_turn(self) -> None:
        turn, self.turn = self.turn, []
        try:
            if turn:
                self._writing().queue(*turn)
        except BadStore as error:
            for waiting in turn:
                waiting.future.set_exception(error)

    def sign_head(self, table: str, at_ms: int) -> Future[Head | NotOwner]:
        """Sign the head of a table's chain, with all that was queued before."""
        return self._submit(SignHead(checked_table(table), at_ms))

    def keep_snapshot(self, table: str, number: int, body: bytes) -> Future[Kept | Stale | NotOwner]:
        """Keep the state after a line that is in the journal."""
        return self._submit(KeepSnapshot(checked_table(table), number, body))

    def own(self, table: str) -> Future[Owned | OwnedElsewhere]:
        """Become the owner of a table, taking it over from an owner that is dead or silent."""
        return self._submit(Own(checked_table(table)))

    def release(self, table: str, to: LivingProcess | None = None) -> Future[Released]:
        """Give a table up once all that was queued before is durable; the process that is named has it then."""
        return self._submit(Release(checked_table(table), to))

    def deliver_on(self, loop: AbstractEventLoop) -> None:
        """Have the futures of a group resolved together by this loop's thread, which wakes once for all of them.

        Nothing in that thread may then block on one of them.
        """
        if self.writer is not None:
            self.loop, self.writer.deliver = loop, partial(_on_loop, loop)

    def _submit(self, work: Any) -> Future[Any]:
        writer = self._writing()
        if _running_loop() is self.loop:
            # What comes from that loop is queued in the order in which it was asked for.
            self._queue_turn()
        return writer.submit(work)

    def _writing(self) -> Writer:
        if self.writer is None:
            raise BadStore(f"{self.opened.name}: the store is closed, or open for reading only")
        return self.writer

    def subscribe(self, hear: Hear) -> None:
        """Have `hear(table, last)` called, in another thread, whenever a table has new lines."""
        self.subscribers.listeners.append(hear)

    @property
    def lapses(self) -> int:
        """How often this process cannot have known what others wrote: each time, what is in memory may be the past."""
        return self.writer.ownership.lapses if self.writer is not None else 0

    @property
    def deaf(self) -> bool:
        """Whether this process does not hear at present what others append."""
        return self.listener is not None and not self.listener.ready.is_set()

    # ------------------------------------------------------------ reading

    def tables(self) -> tuple[str, ...]:
        """The tables that have lines, by one look into the index for each."""
        names: list[str] = []
        with self.reading() as connection:
            while (name := connection.execute(_NEXT_TABLE, {"name": names[-1] if names else ""}).scalar()) is not None:
                names.append(name)
        return tuple(names)

    def last(self, table: str) -> tuple[int, bytes]:
        """The number of a table's last line, and its hash; 0 and the beginning of the chain where there is none."""
        with self.reading() as connection:
            return last_line(connection, table)

    def lines(self, table: str, first: int = 1, most: int = PAGE) -> tuple[StoredLine, ...]:
        """Up to `most` lines of a table from number `first` on."""
        with self.reading() as connection:
            return tuple(map(_line, connection.execute(_LINES, {"name": table, "first": first, "most": most})))

    def just_written(self, table: str, number: int) -> bytes | None:
        """A line, if this process made it durable not long ago and remembers it."""
        writer, here = self.writer, (table, number)
        body = None if writer is None else writer.written.get(here) or writer.before.get(here)
        return None if body is None else body.encode()

    def each_line(self, table: str, first: int = 1) -> Iterator[StoredLine]:
        """All lines of a table from number `first` on, a page at a time."""
        while page := self.lines(table, first):
            yield from page
            first = page[-1].number + 1

    def sound_lines(self, table: str, first: int = 1, most: int = PAGE) -> tuple[StoredLine, ...]:
        """The same lines, if each follows from the one before; whoever acts on a journal reads it so."""
        page = self.lines(table, max(first - 1, 1), most + 1 if first > 1 else most)
        chain, number = genesis(table), first
        if first > 1:
            chain = page[0].hash if page and page[0].number == first - 1 else b""
            page = page[1:]
        for number, line in enumerate(page, first):
            if line.number != number or not follows(chain, line.body, line.hash):
                raise BadStore(f"{table}, line {number}: the chain is broken; `croupier verify` tells more")
            chain = line.hash
        return page

    def each_sound_line(self, table: str, first: int = 1) -> Iterator[StoredLine]:
        """All of them, a page at a time."""
        while page := self.sound_lines(table, first):
            yield from page
            first = page[-1].number + 1

    def hash_at(self, table: str, number: int) -> bytes | None:
        """The hash of a line, if it is there."""
        page = self.lines(table, number, 1)
        return page[0].hash if page and page[0].number == number else None

    def answer(self, command_text: str) -> Repeated | None:
        """What a command was answered, if it is known."""
        plain = command_id(command_text)
        return self.answers((plain,)).get(plain)

    def answers(self, ids: tuple[str, ...]) -> Mapping[str, Repeated]:
        """What those of these commands that are known were answered; ids as `command_id` writes them."""
        with self.reading() as connection:
            rows = known_commands(connection, ids)
        return {id_: Repeated(*known) for id_, *known in rows}

    def answered(self) -> Mapping[str, int]:
        """For each table, the highest line that a command was answered with."""
        query = select(command.c.table_name, func.max(command.c.number).label("last")).group_by(command.c.table_name)
        with self.reading() as connection:
            return {row.table_name: row.last for row in connection.execute(query)}

    def ledger_rows(self, table: str, first: int = 1, last: int = GREATEST_NUMBER) -> tuple[LedgerRow, ...]:
        """The money that lines `first` to `last` of a table moved."""
        query = select(ledger).where(ledger.c.table_name == table, ledger.c.number.between(first, last))
        ordered = query.order_by(ledger.c.number, ledger.c.position)
        with self.reading() as connection:
            return tuple(LedgerRow(r.number, r.debit, r.credit, r.cents, r.rule) for r in connection.execute(ordered))

    def balances(self, table: str | None = None) -> Mapping[str, Cents]:
        """The balance of every account, of one table or of all; their sum is zero."""
        rows = select(ledger) if table is None else select(ledger).where(ledger.c.table_name == table)
        one = rows.subquery()
        both = union_all(
            select(one.c.debit.label("account"), (-one.c.cents).label("cents")),
            select(one.c.credit.label("account"), one.c.cents.label("cents")),
        ).subquery()
        query = select(both.c.account, func.sum(both.c.cents)).group_by(both.c.account).order_by(both.c.account)
        with self.reading() as connection:
            return {account: int(cents) for account, cents in connection.execute(query)}

    def snapshot(self, table: str) -> Snapshot | None:
        """The snapshot of a table, if a trusted key signed it for a line that is still in the journal."""
        with self.reading() as connection:
            row = connection.execute(select(snapshot).where(snapshot.c.table_name == table)).first()
            if row is None or not self._is_true(connection, row):
                return None
        return Snapshot(row.number, row.body)

    def _is_true(self, connection: Connection, row: Row[Any]) -> bool:
        page = connection.execute(_LINES, {"name": row.table_name, "first": row.number, "most": 1}).first()
        if row.number and (page is None or (page.number, page.hash) != (row.number, row.hash)):
            return False
        text = snapshot_text(row.table_name, row.number, chain=row.hash, body=row.body)
        return is_signed(text, key=row.key, signature=row.signature, trusted=self.trusted)

    def heads(self, table: str, numbers: Collection[int] | None = None) -> tuple[Head, ...]:
        """The signed heads of a table in order; with `numbers`, those of these lines only."""
        query = select(head).where(head.c.table_name == table).order_by(head.c.ordinal)
        if numbers is not None:
            query = query.where(head.c.number.in_(numbers))
        with self.reading() as connection:
            return tuple(
                Head(r.table_name, r.ordinal, r.number, r.hash, r.at_ms, r.key, r.signature)
                for r in connection.execute(query)
            )

    def last_head(self, table: str) -> Head | None:
        """The newest signed head of a table."""
        query = select(head).where(head.c.table_name == table).order_by(head.c.ordinal.desc()).limit(1)
        with self.reading() as connection:
            r = connection.execute(query).first()
        return Head(r.table_name, r.ordinal, r.number, r.hash, r.at_ms, r.key, r.signature) if r else None

    def headed_tables(self) -> tuple[str, ...]:
        with self.reading() as connection:
            return tuple(connection.execute(select(head.c.table_name).distinct()).scalars())

    def missing_heads(self) -> tuple[str, ...]:
        """The tables of which fewer heads are here than were signed: they are numbered from one on."""
        query = select(head.c.table_name).group_by(head.c.table_name).having(func.count() != func.max(head.c.ordinal))
        with self.reading() as connection:
            return tuple(connection.execute(query).scalars())

    def witnessed_heads(self) -> tuple[Head, ...]:
        """The heads that are witnessed outside: in the file beside the key, and wherever else they go."""
        beside = witnessed(self.key.witness, self.trusted) if self.key is not None else ()
        return (*beside, *told_elsewhere(self.elsewhere, self.trusted)) if self.elsewhere else beside

    def account(self, name: str) -> AccountRow | None:
        """What the database has of a person, with the verifier."""
        with self.reading() as connection:
            row = connection.execute(select(account).where(account.c.name == name)).first()
        return AccountRow(**row._mapping) if row else None

    def accounts(self) -> tuple[AccountRow, ...]:
        """All people of the house, by name."""
        with self.reading() as connection:
            return tuple(AccountRow(**row._mapping) for row in connection.execute(select(account).order_by("name")))

    def owner(self, table: str) -> str | None:
        """The address of the process that owns a table, as far as the database knows."""
        with self.reading() as connection:
            address = connection.execute(select(lease.c.address).where(lease.c.table_name == table)).scalar()
        return address or None

    def holders(self) -> dict[str, LivingProcess]:
        """Which living process has which journal, where several share the database."""
        from croupier.floor.store.leases import holders

        with self.reading() as connection:
            return holders(connection)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read with; a server that is away is no fault of whoever asks, who may ask again."""
        try:
            with self.opened.reading.connect() as connection:
                yield connection
        except (OperationalError, InterfaceError):
            if not self.opened.shared:
                raise
            # Why not is in the log, by whoever writes and listens; where the database is concerns nobody outside.
            raise Stopped("the database cannot be asked now: ask again") from None


def _line(row: Any) -> StoredLine:
    body = row.body.encode("utf-8", "surrogateescape") if isinstance(row.body, str) else bytes(row.body)
    return StoredLine(row.number, body, row.hash)


def open_store(
    url: str,
    *,
    key_path: Path,
    trusted: Iterable[bytes] = (),
    address: str = "",
    lease_seconds: float = LEASE_SECONDS,
    witness: str = "",
    second: Path | None = None,
    whole: bool = True,
) -> Store:
    """Open a store for writing; `trusted` are public keys of other processes, `address` where this one answers.

    `witness` is where heads go besides the file beside the key, `second` a journal on another disk.  What was damaged
    is opened only if it need not be `whole`.
    """
    key = open_key(key_path)
    opened = open_database(url, writing=True, whole=whole)
    store = Store(opened, frozenset((key.public, *key.earlier, *trusted)), Subscribers(), key, elsewhere=witness)
    try:
        if opened.shared:
            _share(store, key, address=address, lease_seconds=lease_seconds)
        else:
            store.writer = Writer(opened.name, opened.write_engine, key, Alone(store.subscribers.publish))
        assert store.writer is not None
        with told_plainly(opened.name):
            _copied(store, store.writer, second)
    except BaseException:
        if store.writer is not None:
            store.writer.close_files()
        opened.close()
        raise
    store.writer.start()
    return store


def _copied(store: Store, writer: Writer, second: Path | None) -> None:
    """Let the writer tell the witness elsewhere, and write the second journal."""
    from croupier.floor.store.copies.second import open_second

    if store.elsewhere:
        writer.witnesses.append(witness_at(store.elsewhere))
    if second is not None and store.opened.shared:
        raise BadStore("a second journal is for an SQLite file; PostgreSQL has its own ways to keep a copy")
    if second is not None:
        writer.second = open_second(second, store)


def _share(store: Store, key: Key, *, address: str, lease_seconds: float) -> None:
    """Write as one of several processes, and listen to the others."""
    # Only PostgreSQL needs these, and they are slow to load.
    from croupier.floor.store.ends import EndsAsked
    from croupier.floor.store.fanout import Listener
    from croupier.floor.store.leases import SharedOwnership

    opened = store.opened
    store.ends = EndsAsked(opened.reading)
    store.writer = Writer(opened.name, opened.write_engine, key, SharedOwnership(address, lease_seconds))
    store.listener = Listener(opened.reading, store.subscribers, lambda: _ends(store))
    store.listener.start()


def open_reader(url: str, *, key_path: Path | None = None, trusted: Iterable[bytes] = (), witness: str = "") -> Store:
    """Open a store for reading, beside its writer or without one; the key's own public half is trusted too."""
    # A key that was made now could have signed nothing.
    key = open_key(key_path, make=False) if key_path is not None else None
    known = (*trusted, key.public, *key.earlier) if key is not None else tuple(trusted)
    return Store(open_database(url, writing=False), frozenset(known), Subscribers(), key, elsewhere=witness)


def _ends(store: Store) -> list[tuple[str, int]]:
    return [(table, store.last(table)[0]) for table in store.tables()]


__all__ = ["Append", "BadAppend", "BadStore", "LedgerRow", "Store", "open_reader", "open_store"]
