"""Opening a database so that what it says is durable is durable; refusing it otherwise.

Theory of operation.  SQLite: exactly one read-write connection in one process, held there by a lock file; every reader
has a connection of its own, opened `mode=ro`.  That also keeps old versions safe, which can spoil a write-ahead log
with two writers.  The log is synced at every commit (`synchronous=FULL`): with less, acknowledged rows are lost with
the power.  PostgreSQL: the server's own settings for syncing are read and refused when they are off.
"""

from __future__ import annotations

import fcntl
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.pool import QueuePool, StaticPool

from croupier.floor.store.appends import Stopped
from croupier.floor.store.frames import DamagedLog, damage_in
from croupier.floor.store.heads import sync_folder
from croupier.floor.store.schema import migrate

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger(__name__)

FULL = 2
# On macOS a plain sync stops at the drive's own memory; elsewhere the two about it mean nothing.  SQLite's own way
# of bringing its log into the database passes over a failed sync, so the writer does it.
DURABLE = ("journal_mode=WAL", "synchronous=FULL", "fullfsync=1", "checkpoint_fullfsync=1", "wal_autocheckpoint=0")
PAGE_BYTES = 4_096
TWO_WRITERS_ARE_SAFE = (3, 51, 3)
MIGRATION_LOCK = 0x63726F7570696572
BUSY_SECONDS = 10
PREPARED = 256
"""Statements that a connection to SQLite keeps prepared: those of the writer for each number of rows among them."""
WRITER = "croupier writer"
# A server that vanished without a word is noticed within seconds, whether it was being asked something or not.
ALIVE: dict[str, Any] = {
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 11_000,
    "connect_timeout": 10,
}
ANSWERING: Final = (
    "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3;"
    "SET tcp_user_timeout = 11000"
)
"""The same the other way round.  A server by itself keeps a connection whose machine is gone for two hours, with the
rows that it has locked; and it has only so many connections."""


EXIT_FAILED: Final = 74
"""How a process ends whose store failed; it is started again, where a wrong setting (2) is left to people."""
MEND: Final = "restore the house from its second journal or its newest backup (croupier restore)"
"""What is to be done about a damaged database."""


class BadStore(ValueError):
    """A database that cannot be used, in one line that names it."""


class Away(BadStore):
    """A database server that cannot be asked now; it may be later, so that whoever starts the house tries again."""

    exit_code: Final = EXIT_FAILED


class NotDurable(BadStore):
    """A server with a setting off without which commits do not survive the loss of power."""

    def __init__(self, name: str, setting: str) -> None:
        super().__init__(f"{name}: {setting} is off: commits would not be durable")
        self.setting = setting


class BadLog(BadStore):
    """A write-ahead log that was damaged after it was durable."""

    def __init__(self, path: Path, found: DamagedLog) -> None:
        super().__init__(f"{path}: {found}; {MEND}, or let two people accept the loss (croupier accept-loss)")
        self.found = found


@contextmanager
def told_plainly(name: str) -> Iterator[None]:
    """What the database or the system finds wrong when the books are read, in one line."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        raise BadStore(f"{name}: the database cannot be read: {one_line(error)}; {MEND}") from None
    except UnicodeDecodeError:
        raise _spoiled(name) from None
    except Stopped as error:
        raise BadStore(f"{name}: {error}") from None
    except OSError as error:
        raise BadStore(f"{error.filename or name}: {error.strerror}") from None


@dataclass(frozen=True, slots=True)
class Opened:
    """The two ways into a database; `lock` is the descriptor of the lock file, held as long as it is open."""

    writing: Engine | None
    reading: Engine
    lock: int | None
    name: str

    @property
    def write_engine(self) -> Engine:
        if self.writing is None:
            raise BadStore(f"{self.name}: open for reading only")
        return self.writing

    @property
    def shared(self) -> bool:
        """Whether other processes may append to this database too."""
        return self.reading.dialect.name == "postgresql"

    def close(self) -> None:
        self.reading.dispose()
        if self.writing is not None:
            self.writing.dispose()
        if self.lock is not None:
            os.close(self.lock)


def open_database(url: str, *, writing: bool, whole: bool = True) -> Opened:
    """The database at `url`: `sqlite:///path` or `postgresql://…`; brought up to date if it is opened for writing.

    Only who accepts that commits are lost (`whole` is off) may open a database for writing whose log was damaged.
    """
    parsed = parsed_url(url)
    try:
        if not writing:
            there(url)
        if parsed.get_backend_name() == "sqlite":
            return _open_sqlite(path_of(parsed), writing=writing, whole=whole)
        return _open_postgresql(parsed, writing=writing)
    except (DBAPIError, sqlite3.Error) as error:
        raise BadStore(f"{_shown(parsed)}: {one_line(error)}") from None
    except UnicodeDecodeError:
        raise _spoiled(_shown(parsed)) from None
    except OSError as error:
        raise BadStore(f"{error.filename or _shown(parsed)}: {error.strerror}") from None


def _spoiled(name: str) -> BadStore:
    """SQLite quotes a damaged schema when it complains of it, and Python then cannot read the complaint."""
    return BadStore(f"{name}: the database cannot be read: its schema is damaged; {MEND}")


def one_line(error: BaseException) -> str:
    """What went wrong, without the statement that it happened in."""
    original = getattr(error, "orig", None) or error
    return " ".join(str(original).split()) or type(original).__name__


def parsed_url(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise BadStore(f"{url!r} is no database URL; sqlite:///PATH or postgresql://HOST/NAME") from None
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise BadStore(f"{parsed.get_backend_name()} is not supported; sqlite:///PATH or postgresql://HOST/NAME")
    return parsed


def _shown(url: URL) -> str:
    return url.database or "" if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)


# ---------------------------------------------------------------- SQLite


def path_of(url: URL) -> Path:
    if not url.database or url.database == ":memory:" or url.query:
        raise BadStore(f"{url.render_as_string()}: the store needs a file and takes no options: sqlite:///PATH")
    # Two names of one file must meet at one lock.
    return Path(os.path.realpath(url.database))


def there(url: str) -> str:
    """The URL of a database that is there; opened for writing, a file that is not would be made."""
    parsed = parsed_url(url)
    if parsed.get_backend_name() == "sqlite" and not path_of(parsed).is_file():
        raise BadStore(f"{path_of(parsed)}: no such database")
    return url


def _open_sqlite(path: Path, *, writing: bool, whole: bool) -> Opened:
    if not writing:
        return Opened(None, _sqlite_readers(path), None, str(path))
    lock = _lock(path)
    try:
        if whole and (found := log_damage(path, looks=1)) is not None:
            raise BadLog(path, found)
        return _write_sqlite(path, lock)
    except BaseException:
        os.close(lock)
        raise


def _write_sqlite(path: Path, lock: int) -> Opened:
    _note_version(path)
    keep_to_owner(path)
    engine = create_engine("sqlite+pysqlite://", creator=_connector(path, mode="rwc"), poolclass=StaticPool)
    # The driver's own idea of when a transaction begins is turned off; every transaction here is going to write.
    event.listen(engine, "begin", _begin_immediate)
    with engine.begin() as connection:
        check_sqlite(connection, str(path))
        _migrated(connection, str(path))
    sync_folder(path.parent)
    return Opened(engine, _sqlite_readers(path), lock, str(path))


def log_damage(path: Path, *, looks: int = 3) -> DamagedLog | None:
    """What is wrong with the log of a database; it is looked at again where somebody may be writing it meanwhile.

    SQLite takes a damaged log away when it closes.  So a copy of it is kept (`set_aside`) while a loss is accepted, and
    as long as that copy is there, nobody has.
    """
    found = None
    for look in range(looks):
        if look:
            time.sleep(0.05)
        raw = next((log.read_bytes() for log in (_aside(path), Path(f"{path}-wal")) if log.exists()), b"")
        if (found := damage_in(raw)) is None:
            return None
    return found


def pages_in_log(name: str) -> int:
    """About how many pages lie in the log of a database, by its file: what a process that was killed left there."""
    left = Path(f"{name}-wal")
    return left.stat().st_size // PAGE_BYTES if left.exists() else 0


def _aside(path: Path) -> Path:
    return Path(f"{path}-wal.damaged")


def set_aside(path: Path) -> None:
    """Keep a damaged log from being taken away."""
    aside, raw = _aside(path), Path(f"{path}-wal").read_bytes() if Path(f"{path}-wal").exists() else b""
    if not aside.exists() and damage_in(raw) is not None:
        with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        sync_folder(path.parent)


def loss_accepted(path: Path, at_ms: int) -> None:
    """The copy of a damaged log stays, under a name that stops nobody."""
    if _aside(path).exists():
        _aside(path).rename(f"{path}-wal.accepted.{at_ms}")
        sync_folder(path.parent)


def keep_to_owner(path: Path) -> None:
    """Let nobody but its owner read the file; SQLite makes those beside it like it."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    for each in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        if each.exists() and each.stat().st_mode & 0o077:
            each.chmod(0o600)


def check_sqlite(connection: Connection, name: str) -> None:
    """Refuse a connection whose commits would not survive the loss of power."""
    mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar()
    if mode != "wal":
        raise BadStore(f"{name}: journal_mode is {mode}, not wal: the file system cannot hold a write-ahead log")
    synchronous = connection.exec_driver_sql("PRAGMA synchronous").scalar()
    if synchronous != FULL:
        raise BadStore(f"{name}: synchronous is {synchronous}, not {FULL} (FULL): commits would not be durable")


def _note_version(path: Path) -> None:
    if sqlite3.sqlite_version_info < TWO_WRITERS_ARE_SAFE:
        least = ".".join(map(str, TWO_WRITERS_ARE_SAFE))
        log.warning("%s: SQLite %s is older than %s; one writer keeps it safe", path, sqlite3.sqlite_version, least)


def _connector(path: Path, *, mode: str) -> Callable[[], sqlite3.Connection]:
    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"file:{quote(str(path))}?mode={mode}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=BUSY_SECONDS,
            cached_statements=PREPARED,
        )
        # A body that somebody spoiled must still be read, byte for byte, so that it can be called spoiled.
        connection.text_factory = _any_text
        for setting in DURABLE if mode == "rwc" else ():
            connection.execute(f"PRAGMA {setting}")
        return connection

    return connect


def _any_text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _sqlite_readers(path: Path) -> Engine:
    return create_engine("sqlite+pysqlite://", creator=_connector(path, mode="ro"), poolclass=QueuePool)


def _lock(path: Path) -> int:
    """The one writer's lock.  Not on the database itself: closing that file would drop SQLite's own locks."""
    name = f"{path}.lock"
    try:
        descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise BadStore(f"{path}: cannot make the lock file beside it: {error.strerror}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip() or "unknown"
        os.close(descriptor)
        raise BadStore(f"{path}: another process has this store open (process {holder})") from None
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    return descriptor


# ---------------------------------------------------------------- PostgreSQL


def look_after(connection: psycopg.Connection[Any], _: object = None) -> None:
    """Let the server notice soon that this process is gone."""
    connection.execute(ANSWERING)
    connection.commit()


def _open_postgresql(url: URL, *, writing: bool) -> Opened:
    url = url.set(drivername="postgresql+psycopg")
    reading = create_engine(
        url,
        connect_args=ALIVE | {"application_name": "croupier reader"},
        pool_pre_ping=True,
        execution_options={"postgresql_readonly": True},
    )
    event.listen(reading, "connect", look_after)
    name = _shown(url)
    if not writing:
        return Opened(None, reading, None, name)
    engine = create_engine(url, connect_args=ALIVE | {"application_name": WRITER}, pool_size=2)
    event.listen(engine, "connect", look_after)
    try:
        with _reached(engine, name) as connection, connection.begin():
            check_postgresql(connection, name)
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
            _migrated(connection, name)
    except BaseException:
        engine.dispose()
        raise
    return Opened(engine, reading, None, name)


def _reached(engine: Engine, name: str) -> Connection:
    try:
        return engine.connect()
    except OperationalError as error:
        raise Away(f"{name}: {one_line(error)}") from None


def check_postgresql(connection: Connection, name: str) -> None:
    """Refuse a server whose commits would not survive the loss of power, or that cannot hold every text."""
    for setting in ("fsync", "full_page_writes", "synchronous_commit"):
        if connection.exec_driver_sql(f"SHOW {setting}").scalar() == "off":
            raise NotDurable(name, setting)
    encoding = connection.exec_driver_sql("SHOW server_encoding").scalar()
    if encoding != "UTF8":
        raise BadStore(f"{name}: the database is in {encoding}, not UTF8")


def _migrated(connection: Connection, name: str) -> None:
    from alembic.util.exc import CommandError

    try:
        migrate(connection)
    except CommandError as error:
        raise BadStore(f"{name}: the database is of another version of this program: {one_line(error)}") from None
