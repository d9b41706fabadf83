"""Backing a house up while it runs, and restoring it into an empty database, of the same kind or another.

Theory of operation.  A backup is one compressed file of JSON lines: what it is, then every row of the tables that
matter, then how many rows there were and the hash of all lines before.  It is read in one transaction, so it is the
house as it was at one moment.  Snapshots and leases are left out: they can be made again.  The keys are not in it.

Restoring reads the file once before it opens the database, so that nothing is left of one that is not whole, and then
writes everything in one transaction.  The chain and the signed heads
come with the rows, so `croupier verify` says whether the restored house is what it was; the witnesses beside the key
then also tell which tables have lost lines since the backup.
"""

from __future__ import annotations

import gzip
import os
import tempfile
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, LargeBinary, Table, func, insert, select

from croupier.floor.store.copies.second import rows_of
from croupier.floor.store.engines import BadStore, Opened, open_database, told_plainly
from croupier.floor.store.heads import sync_folder
from croupier.floor.store.schema import REVISION, account, command, head, journal, ledger, revision_of

KEPT: Final = (journal, ledger, command, head, account)
EARLIER: Final = ("0002",)
"""Versions of the tables whose backups are read too: a row then lacks the last columns, which are empty."""
FORMAT: Final = 1
BATCH: Final = 1_000


class BadBackup(ValueError):
    """A file that is no whole backup, in one line."""


class First(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: which format, and the version of the tables."""

    croupier_backup: int
    revision: str


class Last(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: all rows that came before, and the hash of all lines."""

    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Copied:
    """How many rows of each table were copied."""

    rows: dict[str, int]


# ---------------------------------------------------------------- backing up


def back_up(url: str, path: Path) -> Copied:
    """Write the house to a file, which appears under its name when it is whole and durable."""
    if path.exists():
        raise BadBackup(f"{path}: there is a file already")
    opened = open_database(url, writing=False)
    try:
        with told_plainly(opened.name), _one_moment(opened) as connection, _appearing(path) as file:
            if (revision := revision_of(connection)) != REVISION:
                raise BadStore(f"{opened.name}: a database of version {revision or 'none'}, not {REVISION}")
            return _written(connection, file)
    finally:
        opened.close()


@contextmanager
def _one_moment(opened: Opened) -> Iterator[Connection]:
    """A connection that sees the database as it is at its first look."""
    with opened.reading.connect() as connection:
        if opened.shared:
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        with connection.begin():
            if not opened.shared:
                connection.exec_driver_sql("BEGIN")
            yield connection


@contextmanager
def _appearing(path: Path) -> Iterator[gzip.GzipFile]:
    """A compressed file that takes its name only when everything is on the disk."""
    try:
        raw = tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False)  # noqa: SIM115
    except OSError as error:
        raise BadBackup(f"{path}: {error.strerror}") from None
    try:
        with raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as file:
            yield file
            file.close()
            raw.flush()
            os.fsync(raw.fileno())
        Path(raw.name).rename(path)
        sync_folder(path.parent)
    except BaseException:
        Path(raw.name).unlink(missing_ok=True)
        raise


def _written(connection: Connection, file: gzip.GzipFile) -> Copied:
    digest, rows = sha256(), {}

    def line(content: object) -> None:
        text = msgspec.json.encode(content) + b"\n"
        digest.update(text)
        file.write(text)

    line(First(FORMAT, REVISION))
    for table in KEPT:
        rows[str(table.name)] = 0
        for row in connection.execution_options(yield_per=BATCH).execute(select(table)):
            line([str(table.name), *row])
            rows[str(table.name)] += 1
    file.write(msgspec.json.encode(Last(sum(rows.values()), digest.hexdigest())) + b"\n")
    return Copied(rows)


# ---------------------------------------------------------------- restoring


def restore(path: Path, url: str) -> Copied:
    """Write a backup into an empty database; everything or nothing."""
    for _ in _known(path):
        pass  # A file that is not whole is refused before a database is made for it.
    opened = open_database(url, writing=True)
    try:
        with told_plainly(opened.name), opened.write_engine.begin() as connection:
            for table in KEPT:
                if connection.execute(select(func.count()).select_from(table)).scalar():
                    raise BadBackup(f"{opened.name}: not empty: it has rows in {table.name}")
            return _inserted(connection, path)
    finally:
        opened.close()


def _inserted(connection: Connection, path: Path) -> Copied:
    rows = {str(table.name): 0 for table in KEPT}
    batch: list[dict[str, Any]] = []
    filling = KEPT[0]
    for table, values in _known(path):
        if batch and (table is not filling or len(batch) == BATCH):
            connection.execute(insert(filling), batch)
            batch = []
        filling = table
        batch.append(_row(table, values))
        rows[str(table.name)] += 1
    if batch:
        connection.execute(insert(filling), batch)
    return Copied(rows)


def _known(path: Path) -> Iterator[tuple[Table, list[Any]]]:
    """The rows of a backup or a second journal, each with its table."""
    known = {table.name: table for table in KEPT}
    for name, values in _once(rows_of(path)) if _is_second(path) else _lines(path):
        table = known.get(name)
        if table is None or not _complete(table, values):
            raise BadBackup(f"{path}: a row of {name!r:.40} that this version does not know")
        yield table, values


def _is_second(path: Path) -> bool:
    """Whether the file is a second journal, which is not compressed."""
    try:
        with path.open("rb") as file:
            return file.read(1) == b"{"
    except OSError as error:
        raise BadBackup(f"{path}: {error.strerror}") from None


def _once(rows: Iterator[tuple[str, list[Any]]]) -> Iterator[tuple[str, list[Any]]]:
    """The rows of a second journal, each once: people as they were last, all else as it was first."""
    people: dict[str, list[Any]] = {}
    seen: set[tuple[Any, ...]] = set()
    keys = {str(table.name): len(table.primary_key.columns) for table in KEPT}
    for name, values in rows:
        if name == account.name:
            people[str(values[0])] = values
        elif (key := (name, *values[: keys.get(name, 1)])) not in seen:
            seen.add(key)
            yield name, values
    for values in people.values():
        yield str(account.name), values


def _complete(table: Table, values: list[Any]) -> bool:
    """Whether a row has a value for every column; those that an earlier version did not have are filled in."""
    for column in tuple(table.columns)[len(values) :]:
        if column.server_default is not None:
            values.append("")
    return len(values) == len(table.columns)


def _row(table: Table, values: list[Any]) -> dict[str, Any]:
    return {
        column.name: b64decode(value) if isinstance(column.type, LargeBinary) else value
        for column, value in zip(table.columns, values, strict=True)
    }


def _lines(path: Path) -> Iterator[tuple[str, list[Any]]]:
    """The rows of a backup; it ends without an error only if the file is whole."""
    digest, count, waiting = sha256(), 0, b""
    try:
        with gzip.open(path) as file:
            first = msgspec.json.decode(start := next(file, b""), type=First)
            if first.croupier_backup != FORMAT or first.revision not in (*EARLIER, REVISION):
                raise BadBackup(f"{path}: a backup of version {first.revision}, not {REVISION}")
            digest.update(start)
            for text in file:
                if waiting:
                    digest.update(waiting)
                    count += 1
                    name, *values = msgspec.json.decode(waiting, type=list[Any])
                    yield str(name), values
                waiting = text
            last = msgspec.json.decode(waiting, type=Last)
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        raise BadBackup(f"{path}: no whole backup: {error}") from None
    if (last.rows, last.sha256) != (count, digest.hexdigest()):
        raise BadBackup(f"{path}: no whole backup: its rows are not those that were written")
