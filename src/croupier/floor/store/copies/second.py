"""A second journal on another disk: every row once more, durable before anybody is told.

Theory of operation.  The writer commits a group to the database and then writes its rows to this file, and syncs it,
before it answers.  So the file never holds what the database did not; if the database is behind it at a start, the
first disk has lost something, and the house does not open.  If the file is behind (the process ended between the two,
or it is new), it is brought up to date.  `croupier restore` reads it like a backup.

The file is lines of JSON, each a row as a backup has it.  Each group of rows ends with a line that tells its length and
its hash.  The last group may be half there, in any of its parts: nobody was told of it, and it is cut off.  A broken
group before a whole one was damaged later; the house then opens only if the database has what follows, and the file is
written anew from there.  (The files of the first version had no such lines: they are read, and written anew.)
"""

from __future__ import annotations

import logging
import os
from base64 import b64encode
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
from sqlalchemy import Connection, Table, select, tuple_

from croupier.floor.store.chain import genesis, link
from croupier.floor.store.durable import Store
from croupier.floor.store.engines import BadStore
from croupier.floor.store.heads import add_durably, sync_folder
from croupier.floor.store.plan import GroupPlan, head_row
from croupier.floor.store.schema import REVISION, account, command, head, journal, ledger

log = logging.getLogger(__name__)

COPIED: Final = {str(table.name): table for table in (ledger, command, head, account, journal)}
"""In the order of a group: where a line is, its money and its answer are."""
GROUP: Final = "group"
VERSION: Final = 2
BATCH: Final = 1_000
TAIL: Final = 2_000
"""So many of the last rows are compared with the database at every start, and all of them by `croupier verify`."""

FileRow: TypeAlias = tuple[str, list[Any]]


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of the file."""

    croupier_second: int
    revision: str


@dataclass(slots=True)
class Second:
    """The file, open for adding."""

    path: Path
    file: FileIO

    def write(self, plan: GroupPlan) -> None:
        """The rows of a group that was committed; durable on return."""
        rows: dict[str, Iterable[tuple[Any, ...]]] = {
            "journal": plan.lines,
            "ledger": plan.money,
            "command": plan.commands,
            "head": map(head_row, plan.signed),
        }
        texts = {name: b"".join(_row(COPIED[name], row) for row in each_row) for name, each_row in rows.items()}
        texts["account"] = self._accounts(plan)
        self.add(b"".join(texts[name] for name in COPIED))

    def _accounts(self, plan: GroupPlan) -> bytes:
        names = sorted({person.name for person in plan.accounts})
        if not names:
            return b""
        found = plan.connection.execute(select(account).where(account.c.name.in_(names))).all()
        plan.connection.rollback()
        return b"".join(_row(account, row) for row in found)

    def add(self, text: bytes) -> None:
        if text:
            add_durably(self.file, self.path, text + _end(text))

    def close(self) -> None:
        self.file.close()


def open_second(path: Path, store: Store) -> Second:
    """The second journal of a store, compared with it and brought up to date."""
    try:
        read = _Read(path)
        ends = _ends(read, store) if path.exists() and path.stat().st_size else {}
        if read.broken is not None:
            _check_rest(read, store)
            os.truncate(path, read.whole)
        second = _anew(path, store) if read.version != VERSION else _more(path, store, ends)
        sync_folder(path.parent)
    except OSError as error:
        raise BadStore(f"{path}: the second journal cannot be opened or made: {error.strerror}") from None
    return second


def _anew(path: Path, store: Store) -> Second:
    """A file that takes its name when all that the database has is in it."""
    beside = path.with_name(f"{path.name}.new")
    beside.unlink(missing_ok=True)
    if not path.exists() and store.tables():
        log.warning("%s: there is no second journal: it is made anew from the database", path)
    second = _more(beside, store, {}, first=msgspec.json.encode(Opening(VERSION, REVISION)) + b"\n")
    beside.rename(path)
    return Second(path, second.file)


def _more(path: Path, store: Store, ends: dict[str, int], first: bytes = b"") -> Second:
    """The file with what is missing in it."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    second = Second(path, FileIO(descriptor, "ab"))
    try:
        if first:
            add_durably(second.file, path, first)
        with store.opened.reading.connect() as connection:
            for text in _missing(connection, store, ends):
                second.add(text)
    except BaseException:
        second.close()
        raise
    return second


# ---------------------------------------------------------------- reading


@dataclass(slots=True)
class _Read:
    """The rows of the whole groups of a file, and how far it is whole."""

    path: Path
    version: int = 0
    whole: int = 0
    broken: int | None = None
    """Where a group begins that is not as it was written."""
    rest: list[FileRow] = field(default_factory=list)
    """The rows of whole groups behind that: if there are any, it was durable once."""

    def rows(self) -> Iterator[FileRow]:
        with self.path.open("rb") as file:
            self.version = _version(self.path, first := next(file, b""))
            self.whole = len(first)
            waiting: list[bytes] = []
            for text in file:
                if self.version == 1:
                    yield from self._old(text)
                elif not _is_end(text, waiting):
                    waiting.append(text)
                else:
                    self.whole += sum(map(len, waiting)) + len(text)
                    yield from map(_row_of, waiting)
                    waiting = []
            if waiting:
                self._left(waiting)

    def _old(self, text: bytes) -> Iterator[FileRow]:
        if text.endswith(b"\n"):
            self.whole += len(text)
            yield _row_of(text)

    def _left(self, waiting: list[bytes]) -> None:
        self.broken = self.whole
        text, at = b"".join(waiting), 0
        for line in waiting:
            match _read(line):
                case (name, [int() as length, str()]) if name == GROUP and 0 < length <= at:
                    group = text[at - length : at]
                    self.rest += map(_row_of, group.splitlines()) if line == _end(group) else ()
            at += len(line)


def rows_of(path: Path) -> Iterator[FileRow]:
    """The rows in a second journal, but for a last group that is not whole."""
    read = _Read(path)
    try:
        yield from read.rows()
    except (OSError, msgspec.MsgspecError) as error:
        raise BadStore(f"{path}: no second journal: {error}") from None
    if read.rest:
        raise BadStore(f"{path}: the second journal is damaged at byte {read.broken}: rows follow that were durable")


def _version(path: Path, first: bytes) -> int:
    if not first.endswith(b"\n"):
        return 0
    opening = msgspec.json.decode(first, type=Opening)
    if opening.croupier_second not in (1, VERSION):
        raise BadStore(f"{path}: a second journal of another version")
    return opening.croupier_second


def _end(text: bytes) -> bytes:
    return msgspec.json.encode([GROUP, len(text), sha256(text).hexdigest()]) + b"\n"


def _is_end(text: bytes, lines: list[bytes]) -> bool:
    return text.startswith(b'["group",') and bool(lines) and text == _end(b"".join(lines))


def _row_of(text: bytes) -> FileRow:
    name, *values = msgspec.json.decode(text, type=list[Any])
    return str(name), values


def _read(text: bytes) -> FileRow | None:
    try:
        return _row_of(text)
    except (msgspec.MsgspecError, ValueError):
        return None


# ---------------------------------------------------------------- comparing


def _ends(read: _Read, store: Store) -> dict[str, int]:
    """Where each table ends in the file, which must be where the database was."""
    path, ends = read.path, dict[str, tuple[int, bytes]]()
    tail: deque[FileRow] = deque(maxlen=TAIL)
    try:
        for name, values in read.rows():
            tail.append((name, values))
            if name == "journal":
                table, number, body, digest = (
                    values[0],
                    values[1],
                    values[2].encode("utf-8", "surrogateescape"),
                    values[3],
                )
                last, chain = ends.get(table, (0, genesis(table)))
                if number <= last:
                    continue  # written again after a start that did not end
                if number != last + 1 or b64encode(link(chain, body)).decode() != digest:
                    raise BadStore(f"{path}: {table}, line {number}: the second journal is damaged")
                ends[table] = (number, link(chain, body))
    except msgspec.MsgspecError as error:
        raise BadStore(f"{path}: no second journal: {error}") from None
    for table, (number, chain) in ends.items():
        found = store.hash_at(table, number)
        if found is None:
            raise BadStore(
                f"{store.opened.name}: {table} ends before line {number}, which the second journal has: the first disk"
                f" has lost lines; restore the house from {path}"
            )
        if found != chain:
            raise BadStore(f"{store.opened.name} and {path} differ at line {number} of {table}: one was changed")
    if wrong := differing(store, tail):
        raise BadStore(f"{store.opened.name} and {path} differ: {wrong}: one was changed, or has lost something")
    return {table: number for table, (number, _) in ends.items()}


def _check_rest(read: _Read, store: Store) -> None:
    """A broken group may be cut off if the database has all that was durable after it."""
    if wrong := differing(store, read.rest):
        raise BadStore(f"{read.path}: damaged at byte {read.broken}, and what follows is not in the database: {wrong}")
    level = logging.ERROR if read.rest else logging.WARNING
    log.log(level, "%s: broken from byte %s on; it is written anew from the database", read.path, read.broken)


def compared(store: Store, path: Path) -> str:
    """The first row of a second journal that the database has not, or has otherwise, in words; all rows are asked."""
    return differing(store, rows_of(path))


def differing(store: Store, rows: Iterable[FileRow]) -> str:
    """The first of these rows that is not in the database as it is here."""
    with store.opened.reading.connect() as connection:
        for name, batch in _batches(rows):
            # What is true of a person changes, and the database may be ahead; the journal of the people tells more.
            asked = [values[:1] for values in batch] if name == account.name else batch
            if wrong := _differs(connection, name, asked):
                return wrong
    return ""


def _batches(rows: Iterable[FileRow]) -> Iterator[tuple[str, list[list[Any]]]]:
    waiting: dict[str, list[list[Any]]] = {}
    for name, values in rows:
        waiting.setdefault(name, []).append(values)
        if len(waiting[name]) == BATCH:
            yield name, waiting.pop(name)
    yield from waiting.items()


def _differs(connection: Connection, name: str, batch: list[list[Any]]) -> str:
    if name not in COPIED:
        return f"a row of {name!r:.40}, which this version does not know"
    table = COPIED[name]
    keys = tuple(table.primary_key.columns)
    wanted = {tuple(values[: len(keys)]): values for values in batch}
    query = select(table).where(tuple_(*keys).in_(list(wanted)))
    there = {tuple(row[: len(keys)]): [_plain(value) for value in row] for row in connection.execute(query)}
    for key, values in wanted.items():
        if there.get(key, [])[: len(values)] != values:
            return f"{name} {', '.join(map(str, key))} {'is not as it was' if key in there else 'is missing'}"
    return ""


def _plain(value: Any) -> Any:
    return b64encode(value).decode() if isinstance(value, bytes) else value


# ---------------------------------------------------------------- bringing up to date


def _missing(connection: Connection, store: Store, ends: dict[str, int]) -> Iterator[bytes]:
    """The rows that the file has not; those of people and answers are written again where it is not certain."""
    for name in {*store.tables(), *store.answered(), *store.headed_tables()}:
        after = ends.get(name, 0)
        for table in (ledger, command, head, journal):
            # An answer without lines has the number of the line before it, and so has a head.
            least = after if table in (command, head) and name in ends else after + (table in (journal, ledger))
            query = select(table).where(table.c.table_name == name, table.c.number >= least)
            for page in connection.execution_options(yield_per=BATCH).execute(query).partitions():
                yield b"".join(_row(table, row) for row in page)
    yield b"".join(_row(account, row) for row in connection.execute(select(account)))


def _row(table: Table, values: Iterable[Any]) -> bytes:
    return msgspec.json.encode([str(table.name), *values]) + b"\n"
