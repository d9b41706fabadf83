"""The house comes back: from its snapshots and journals, from a backup put up elsewhere, from the second journal alone.

Theory of operation.  Tables are driven and written to a store with a second journal; near the end of each journal a
snapshot is kept, as the house does.  Then each way back is gone, with the parts that a start really uses, and must lead
to every table as it was, byte for byte: from snapshots and the lines after them, from the journals alone, from a backup
in another SQLite file and in PostgreSQL, and from the second journal with the database gone.  A snapshot that is stale
(kept for a line, of a state before it), damaged or another table's must not be used.  The control is a start that takes
a stale one at its word.  How long the starts took is told, not judged: the benchmarks do that.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

import msgspec.structs

from croupier.floor.audit.verify import sound_books
from croupier.floor.keeping.host import open_host
from croupier.floor.store.appends import Append
from croupier.floor.store.chain import Sound
from croupier.floor.store.copies.backup import back_up, restore
from croupier.floor.store.durable import Store, open_store
from croupier.floor.store.opening import check_opening
from croupier.floor.store.snapshots import packed, unpacked
from croupier.journal.entries import BadJournal, encode
from croupier.prove import Findings, ProofScope, Tell, Verdict
from croupier.prove.books.instruments.scripts import BookPlace
from croupier.prove.books.kill import postgresql_or_not
from croupier.prove.books.lives import moved
from croupier.prove.table_driver import Driver
from croupier.rulesets import every_ruleset, known_game
from croupier.table.events import decode
from croupier.table.evolve import after
from croupier.table.state import Table, new_table, snapshot

LINES: Final = 2_000
"""Lines of a table in a long run."""
WAYS: Final = 5
BEHIND: Final = 40
"""A snapshot is so many lines behind the end of its journal, a stale one as many behind the snapshot."""


@dataclass(slots=True)
class Driven:
    """What was written: how each table is, and how it was at its snapshot and before."""

    tables: dict[str, Table] = field(default_factory=dict)
    ends: dict[str, bytes] = field(default_factory=dict)
    early: dict[str, Table] = field(default_factory=dict)
    at: dict[str, Table] = field(default_factory=dict)


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    scope.no_games("coming back")
    found = Findings()
    lines = scope.count(short=5_000, long=1_000_000)
    with TemporaryDirectory(prefix="croupier-recover-") as name:
        place, books = BookPlace(Path(name, "one")).make(), Driven()
        with place.open() as store:
            found.count("lines", _written(store, books, lines, scope, tell))
            found.count("tables", len(books.tables))
            _kept(store, books.at)
        _ways(found, place, books, Path(name))
        with place.open() as store:
            _snapshots(found, store, books)
    return found.verdict()


def _written(store: Store, books: Driven, wanted: int, scope: ProofScope, tell: Tell) -> int:
    """Drive tables of all games and editions until so many lines are written, a table at a time."""
    rulesets, lines, seed = list(every_ruleset()), 0, scope.seed
    each = min(LINES, max(4 * BEHIND, wanted // 8))
    # Coming back five ways from what was written, and verifying it, takes longer than writing it.
    time = scope.time.share(WAYS + 1)
    while time.goes_on("lines", lines, wanted):
        tell(lines, wanted, "writing")
        name = f"T{len(books.tables)}"
        chosen = rulesets[Random(f"{seed} {name}").randrange(len(rulesets))]
        driver = Driver(known_game(chosen.game), chosen, Random(f"{seed} {name} driven"))
        while len(driver.journal) < each:
            driver.step()
        entries, fresh = driver.journal, new_table(name, driver.game, chosen)
        for first in range(0, len(entries), 100):
            bodies = tuple(map(encode, entries[first : first + 100]))
            rows = tuple(row for number, body in enumerate(bodies, first + 1) for row in moved(number, body))
            command = f"{Random(f'{name} {first}').getrandbits(128):032x}"
            store.append(Append(name, first, command, bodies, rows, b"done", sign=True))
        books.early[name] = after(fresh, entries[: -2 * BEHIND])
        books.at[name] = after(books.early[name], entries[-2 * BEHIND : -BEHIND])
        books.tables[name] = after(books.at[name], entries[-BEHIND:])
        books.ends[name] = snapshot(books.tables[name])
        lines += len(entries)
    return lines


# ---------------------------------------------------------------- the ways back


def _ways(found: Findings, place: BookPlace, books: Driven, folder: Path) -> None:
    quick = _back(found, "snapshots and journals", place, books)
    shutil.copytree(place.folder, folder / "bare")
    bare = BookPlace(folder / "bare")
    # By a connection of its own: that of an open store is its writer's alone.
    with closing(sqlite3.connect(bare.database)) as connection, connection:
        connection.execute("DELETE FROM snapshot")
    slow = _back(found, "the journals alone", bare, books)
    found.holds.append(f"a start took {quick:.1f} s from snapshots, {slow:.1f} s from the journals")
    back_up(place.url, folder / "backup")
    other = BookPlace(folder / "other").make()
    _moved(place, other)
    restore(folder / "backup", other.url)
    _back(found, "a backup in another database", other, books)
    with postgresql_or_not(found) as url:
        if url:
            restore(folder / "backup", url)
            _back(found, "a backup in PostgreSQL", other, books, url=url)
    alone = BookPlace(folder / "alone").make()
    _moved(place, alone)
    shutil.copy(place.second, alone.second)
    restore(alone.second, alone.url)
    _back(found, "the second journal alone", alone, books)


def _moved(place: BookPlace, to: BookPlace) -> None:
    """The key and its witness, which are not in the database."""
    for path in place.key.parent.glob("key*"):
        shutil.copy(path, to.key.parent)


def _back(found: Findings, way: str, place: BookPlace, books: Driven, *, url: str = "") -> float:
    """Start as a house does, and hold every table against what it was; the seconds it took."""
    found.count("ways back")
    began = perf_counter()
    with open_store(url or place.url, key_path=place.key) as store:
        check_opening(store)
        tables = asyncio.run(_started(store, books.tables))
        took = perf_counter() - began
        wrong = [name for name, table in tables.items() if snapshot(table) != books.ends[name]]
        sound = sound_books(store, None if url else place.second if place.second.exists() else None)
    if wrong or not isinstance(sound, Sound):
        found.faults.append(f"{way}: {sound if isinstance(sound, str) else f'{wrong} are not as they were'}")
    else:
        found.holds.append(f"{way}: every table as it was, chain, heads and ledger sound")
    return took


async def _started(store: Store, tables: Mapping[str, Table]) -> dict[str, Table]:
    """Every table as a start of the house opens it."""
    opened = {}
    for name, table in tables.items():
        host = await open_host(store, name, table.game, table.ruleset, practice=False, now_ms=lambda: 1)
        opened[name] = host.table
    return opened


# ---------------------------------------------------------------- snapshots


def _snapshots(found: Findings, store: Store, books: Driven) -> None:
    """Snapshots that must not be used lead to the same tables all the same."""
    bad: dict[str, Callable[[str], bytes]] = {
        "stale": lambda name: packed(books.early[name]),
        "damaged": lambda name: packed(books.at[name])[:-20],
        "another table's": lambda name: packed(next(t for other, t in books.at.items() if other != name)),
    }
    for words, body in bad.items():
        for name, table in books.at.items():
            store.keep_snapshot(name, table.entries, body(name)).result()
        found.count("bad snapshots", len(books.at))
        tables = asyncio.run(_started(store, books.tables))
        wrong = [name for name, table in tables.items() if snapshot(table) != books.ends[name]]
        if wrong:
            found.faults.append(f"{words} snapshots: {wrong} are not as they were")
    if not found.faults:
        found.holds.append("a snapshot that is stale, damaged or another table's is not used")
    _kept(store, books.early, at=books.at)
    found.controls["a stale snapshot taken at its word"] = any(
        _trusting(store, name, table) != books.ends[name] for name, table in books.tables.items()
    )


def _kept(store: Store, states: Mapping[str, Table], *, at: Mapping[str, Table] | None = None) -> None:
    for name, table in states.items():
        store.keep_snapshot(name, (at or states)[name].entries, packed(table)).result()


def _trusting(store: Store, name: str, table: Table) -> bytes:
    """The control: whatever a snapshot holds is the state at its line, and the lines after it are put upon that."""
    kept = store.snapshot(name)
    assert kept is not None
    state = unpacked(kept.body, new_table(name, table.game, table.ruleset))
    assert state is not None
    lines = tuple(decode(line.body) for line in store.each_sound_line(name, kept.number + 1))
    try:
        return snapshot(after(msgspec.structs.replace(state, entries=kept.number), lines))
    except (BadJournal, LookupError, ValueError, TypeError):
        return b"it stumbles over the first line that does not follow"
