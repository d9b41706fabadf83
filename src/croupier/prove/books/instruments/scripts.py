"""A short life of a store, always the same: what it is asked, in which order, and what must be in it after each.

Theory of operation.  The script is a list of units of work for two tables: lines with money, refusals that are answers
without lines, a person.  One asks them one after the other, so the books are at any moment those after some whole
number of them, and `marks` says what the rows are after each number: a digest of everything but the signatures.  A
process that plays the script tells `sent N` before it hands a unit in and `done N` when it was acknowledged.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec.structs import replace as changed

from croupier.floor.store.appends import AccountRow, Append, Appended, Repeated, checked
from croupier.floor.store.chain import genesis, link
from croupier.floor.store.copies.backup import back_up
from croupier.floor.store.durable import Store, open_store
from croupier.floor.store.opening import check_opening
from croupier.floor.store.writer import WaitingWork
from croupier.prove.books.instruments.watching import tell
from croupier.prove.books.lives import command_of, unit

TABLES = ("T1", "T2")
PERSON = AccountRow("Ann", "dealer", "password", 0, 0, False, False, "a verifier")


@dataclass(frozen=True, slots=True)
class BookPlace:
    """Where the books of one store lie: database and key on one disk, the second journal on another."""

    folder: Path

    @property
    def database(self) -> Path:
        return self.folder / "house" / "house.db"

    @property
    def key(self) -> Path:
        return self.folder / "house" / "key"

    @property
    def second(self) -> Path:
        return self.folder / "other" / "second"

    @property
    def url(self) -> str:
        return f"sqlite:///{self.database}"

    def make(self) -> BookPlace:
        for folder in (self.database.parent, self.second.parent):
            folder.mkdir(parents=True, exist_ok=True)
        return self

    def open(self, *, second: bool = True) -> Store:
        return open_store(self.url, key_path=self.key, second=self.second if second else None)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Which units of the script one process asks, and how; `pages` is when its log goes into the database."""

    first: int
    last: int
    close: bool = True
    second: bool = True
    pages: int = 1_000
    synchronous: str = "FULL"
    backup: bool = False


def script(seed: int, count: int) -> list[Append]:
    """So many units of work; every fifth is refused, every seventh changes a person."""
    ends = dict.fromkeys(TABLES, 0)
    works: list[Append] = []
    for number in range(count):
        table = TABLES[number % 3 % 2]
        command = command_of(seed, table, number)
        if number % 5 == 4:
            work = Append(table, ends[table], command, (), (), b'{"done":false}')
        else:
            work = unit(table, ends[table], command)
        if number % 7 == 3:
            work = changed(work, accounts=(replace(PERSON, failures=number),) if work.lines else ())
        works.append(changed(work, sign=number % 4 == 3 and bool(work.lines)))
        ends[table] += len(work.lines)
    return works


def play(place: BookPlace, works: list[Append], stretch: Stretch) -> None:
    """Ask the units of a stretch, one by one, and tell of each."""
    store = place.open(second=stretch.second)
    check_opening(store)
    store.own(TABLES[0]).result()
    assert store.writer is not None
    store.writer.log_pages = stretch.pages
    # For a control.  The writer has begun its work and waits for more, so nobody else uses its connection now.
    with closing(store.opened.write_engine.raw_connection()) as raw:
        raw.driver_connection.execute(f"PRAGMA synchronous={stretch.synchronous}")  # type: ignore[union-attr]
    tell("open")
    for number in range(stretch.first, stretch.last):
        tell(f"sent {number}")
        told, asked = threading.Event(), Future[Any]()
        asked.add_done_callback(partial(_told, number, told))
        store.writer.queue(WaitingWork(checked(works[number]), asked))
        told.wait()
        if not isinstance(answer := asked.result(), Appended | Repeated):
            raise AssertionError(f"unit {number} was answered with {answer}")
        if number % 8 == 6:
            table, last = works[number].table, works[number].after + len(works[number].lines)
            store.keep_snapshot(table, last, b"a state").result()
    if stretch.backup:
        back_up(place.url, place.second.with_name("backup"))
        tell("backed up")
    if stretch.close:
        store.close()
        tell("closed")


def _told(number: int, told: threading.Event, done: Future[Any]) -> None:
    """Tell of a unit in the thread that made it durable: whoever waits may say so when something else has failed."""
    if isinstance(done.result(), Appended | Repeated):
        tell(f"done {number}")
    told.set()


# ---------------------------------------------------------------- what must be there


def marks(works: list[Append]) -> list[bytes]:
    """The digest of the rows after each number of units, from none on."""
    lines: list[tuple[Any, ...]] = []
    money: list[tuple[Any, ...]] = []
    answers: list[tuple[Any, ...]] = []
    people: dict[str, tuple[Any, ...]] = {}
    chains = {table: genesis(table) for table in TABLES}
    found = [digest(lines, money, answers, people.values())]
    for work in works:
        for number, body in enumerate(work.lines, work.after + 1):
            chains[work.table] = link(chains[work.table], body)
            lines.append((work.table, number, body.decode(), chains[work.table]))
        money += [
            (work.table, row.number, at, row.debit, row.credit, row.cents, row.rule)
            for at, row in enumerate(work.ledger)
        ]
        last = work.after + len(work.lines)
        answers.append((work.command, work.table, last, work.answer, work.request))
        people |= {each.name: (each.name, each.failures, each.verifier) for each in work.accounts}
        found.append(digest(lines, money, answers, people.values()))
    return found


def digest(*tables: Iterable[tuple[Any, ...]]) -> bytes:
    return sha256(repr([sorted(rows) for rows in tables]).encode()).digest()


ROWS = (
    "SELECT table_name, number, body, hash FROM journal",
    "SELECT table_name, number, position, debit, credit, cents, rule FROM ledger",
    "SELECT id, table_name, number, answer, request FROM command",
    "SELECT name, failures, verifier FROM account",
    "SELECT * FROM head",
)


def rows(database: Path) -> bytes | None:
    """The digest of what must never change in a database; nothing if it cannot be read.

    What is true of a person may change, and is held against the journal of the people by `verify`.
    """
    with closing(sqlite3.connect(database)) as connection:
        connection.text_factory = bytes
        try:
            return digest(*(connection.execute(query).fetchall() for query in ROWS if "account" not in query))
        except sqlite3.DatabaseError:
            return None


@dataclass(frozen=True, slots=True)
class Found:
    """What a file of SQLite holds: the books after so many units, or what is wrong with it."""

    units: int
    wrong: str = ""


def look(database: Path, known: list[bytes]) -> Found:
    """What the database holds by itself, as SQLite reads it."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        try:
            answer = connection.execute("PRAGMA quick_check").fetchone()[0]
            if answer != "ok":
                return Found(0, f"corrupt: {answer}")
            if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'account'").fetchone():
                return Found(0)
            tables = [connection.execute(query).fetchall() for query in ROWS[:4]]
        except sqlite3.DatabaseError as error:
            return Found(0, f"corrupt: {error}")
    units = len(tables[2])
    if units >= len(known) or digest(*tables) != known[units]:
        return Found(units, f"the rows are not those after {units} units")
    return Found(units)
