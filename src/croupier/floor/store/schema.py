"""The tables of the store, and how a database comes to have them.

Theory of operation.  `journal` is the truth: one row a line, numbered from 1 within its table, with the event in
`body` and the hash of the chain so far.  `command` remembers every command id with its answer, and the mark of the
request that it belongs to (none where an earlier version wrote it).  `ledger` is the money that the lines moved, in
rows that SQL can sum.  `head` holds signed heads of the chain and `snapshot` the state of a table at a line; `lease`
says which process may append to a table where several share one database.  `account` holds the people of the house:
what the journal "@people" says of them, and the verifier of the password, which it does not.

The tables are written down twice: here for the queries, and in `migrations/` for databases that exist.  A test holds
the two against each other.

What every wager costs is said to the database in statements that are written down once and prepared there: `put` and
`KNOWN` go past the compiler of SQLAlchemy, which takes longer for a row than SQLite does, and on SQLite past all of it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cache
from itertools import chain
from json import dumps
from pathlib import Path
from typing import Any, Final, TypeAlias

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    DateTime,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    inspect,
)

REVISION = "0003"
MIGRATIONS = Path(__file__).with_name("migrations")

metadata = MetaData()

# A line is found by its table and number, so the rows themselves are kept in that order (WITHOUT ROWID).
journal = Table(
    "journal",
    metadata,
    Column("table_name", Text, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    PrimaryKeyConstraint("table_name", "number"),
    sqlite_with_rowid=False,
)

ledger = Table(
    "ledger",
    metadata,
    Column("table_name", Text, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("position", Integer, nullable=False),
    Column("debit", Text, nullable=False),
    Column("credit", Text, nullable=False),
    Column("cents", BigInteger, nullable=False),
    Column("rule", Text, nullable=False),
    PrimaryKeyConstraint("table_name", "number", "position"),
    sqlite_with_rowid=False,
)

command = Table(
    "command",
    metadata,
    Column("id", Text, nullable=False),
    Column("table_name", Text, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("request", Text, nullable=False, server_default=""),
    PrimaryKeyConstraint("id"),
    sqlite_with_rowid=False,
)

head = Table(
    "head",
    metadata,
    Column("table_name", Text, nullable=False),
    Column("ordinal", BigInteger, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("key", LargeBinary, nullable=False),
    Column("signature", LargeBinary, nullable=False),
    PrimaryKeyConstraint("table_name", "ordinal"),
    sqlite_with_rowid=False,
)

snapshot = Table(
    "snapshot",
    metadata,
    Column("table_name", Text, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("key", LargeBinary, nullable=False),
    Column("signature", LargeBinary, nullable=False),
    PrimaryKeyConstraint("table_name"),
)

lease = Table(
    "lease",
    metadata,
    Column("table_name", Text, nullable=False),
    Column("owner", BigInteger, nullable=False),
    Column("address", Text, nullable=False),
    Column("epoch", BigInteger, nullable=False),
    Column("expires", DateTime(timezone=True), nullable=False),
    PrimaryKeyConstraint("table_name"),
)

account = Table(
    "account",
    metadata,
    Column("name", Text, nullable=False),
    Column("roles", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("verifier", Text, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("locked_until_ms", BigInteger, nullable=False),
    Column("must_change", Boolean, nullable=False),
    Column("disabled", Boolean, nullable=False),
    PrimaryKeyConstraint("name"),
)


ARRAYS: Final[dict[type[Any], str]] = {Text: "text", Integer: "integer", BigInteger: "bigint", LargeBinary: "bytea"}
"""What the types of columns are called in PostgreSQL, as far as rows of them are put there together."""
KNOWN: Final = {
    "sqlite": f"SELECT {', '.join(command.c.keys())} FROM command WHERE id IN (SELECT value FROM json_each(?))",
    "postgresql": f"SELECT {', '.join(command.c.keys())} FROM command WHERE id = ANY(%b)",
}


def known_commands(connection: Connection, ids: Sequence[str]) -> Sequence[Sequence[Any]]:
    """The rows of those of these command ids that were used."""
    if (raw := _sqlite(connection)) is not None:
        return raw.execute(KNOWN["sqlite"], (dumps(list(ids)),)).fetchall()
    return connection.exec_driver_sql(KNOWN["postgresql"], (list(ids),)).all()


SKIPPING: Final = " ON CONFLICT DO NOTHING"
TOGETHER: Final = 50
"""Rows that SQLite is given in one statement; each number of them is a statement that the connection keeps prepared."""
TableRows: TypeAlias = tuple[Table, Sequence[tuple[Any, ...]]]
"""A table, and rows of it, each with its values in the order of the columns."""


def put(connection: Connection, *several: TableRows, unless_there: bool = False) -> int:
    """Put rows into tables, all of them, and tell how many into the last of these.

    `unless_there`: into that one without those whose key is used.
    """
    if (raw := _sqlite(connection)) is not None:
        *before, (last, rows) = several
        for table, others in before:
            _put_in_file(raw, table, others, "")
        return _put_in_file(raw, last, rows, SKIPPING * unless_there)
    columns = {
        f"{table.name}_{name}": list(values)
        for table, rows in several
        for name, values in zip(table.c.keys(), zip(*rows, strict=True), strict=True)
    }
    text = postgresql_text(tuple(table for table, _ in several))
    return connection.exec_driver_sql(text + SKIPPING * unless_there, columns).rowcount


def _put_in_file(raw: sqlite3.Connection, table: Table, rows: Sequence[tuple[Any, ...]], end: str) -> int:
    """Put rows into a table of SQLite, some in each statement."""
    count = 0
    for first in range(0, len(rows), TOGETHER):
        some = rows[first : first + TOGETHER]
        count += raw.execute(sqlite_text(table, len(some)) + end, [*chain.from_iterable(some)]).rowcount
    return count


def _sqlite(connection: Connection) -> sqlite3.Connection | None:
    """The driver's own connection, within the transaction that was begun on this one."""
    raw = connection.connection.driver_connection
    return raw if isinstance(raw, sqlite3.Connection) else None


@cache
def sqlite_text(table: Table, rows: int) -> str:
    """So many rows in one statement.

    Each statement lets go of the interpreter while SQLite works, and must wait for whoever has it then: with one for
    each row a commit waits some fifty times for the thread that reads the lines of the house.
    """
    row = f"({', '.join('?' * len(table.c.keys()))})"
    return f"{_into(table)} VALUES {', '.join([row] * rows)}"


@cache
def postgresql_text(tables: tuple[Table, ...]) -> str:
    """All rows of several tables in one message.

    They go by columns, and as they are (`b`): as text every quotation mark of a line would be escaped, in Python.
    """
    *before, last = [
        f"{_into(table)} SELECT * FROM unnest("
        + ", ".join(f"%({table.name}_{each.name})b::{ARRAYS[type(each.type)]}[]" for each in table.columns)
        + ")"
        for table in tables
    ]
    beside = ", ".join(f"also_{table.name} AS ({text})" for table, text in zip(tables, before, strict=False))
    return f"WITH {beside} {last}" if before else last


def _into(table: Table) -> str:
    return f"INSERT INTO {table.name} ({', '.join(table.c.keys())})"


def revision_of(connection: Connection) -> str | None:
    """The version of the tables in a database, if it has any."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return None if revision is None else str(revision)


def migrate(connection: Connection) -> None:
    """Bring the database up to this version of the program, in the transaction of `connection`."""
    if revision_of(connection) == REVISION:
        return
    # Alembic is large, and most starts find nothing to do.
    from alembic import command as alembic_command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    alembic_command.upgrade(config, "head")
