"""A house starts after so many lines: from its snapshots, and from its journals alone; and how that grows.

    python -m benchmarks.start [LINES] [TABLES]        (1000000 and 10 if none are named)
    python -m benchmarks.start grow [LINES] [TABLES]   (with half as many, a quarter, an eighth, a sixteenth)

Tables of thirty players are played, and their lines written to a store as a house writes them, with heads that are
signed and a snapshot a little before the end of each journal.  Then every table is opened as a start of the house opens
it, in a process of its own, which has read nothing before.  The unit, in the same run, is reading the same rows from
the same file with SQLite's own module and hashing each: nobody who looks at every line can be faster.

To see growth the same is done at doubling sizes, with `verify` beside it: seconds of the processor, the most memory
that each process held, and the exponent that fits the larger sizes (`benchmarks.growth`).
"""

from __future__ import annotations

import asyncio
import logging
import resource
import secrets
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from benchmarks.growth import exponent
from benchmarks.table import rounds, table
from croupier.floor.audit.verify import verify
from croupier.floor.keeping.host import open_host
from croupier.floor.store.appends import Append, LedgerRow
from croupier.floor.store.durable import Store, open_store
from croupier.floor.store.opening import check_opening
from croupier.floor.store.snapshots import packed
from croupier.journal.entries import encode
from croupier.table.desk import LiveTable
from croupier.table.events import TableEntry

GROUP = 100
"""Lines that are written at once."""
BEHIND = 1_000
"""So many lines come after a snapshot, or a few more."""


def played(this: LiveTable, lines: int) -> Iterator[list[TableEntry]]:
    """The lines of a table as they are played, a round at a time."""
    first, this.journal = this.journal, []
    yield first
    written = len(first)
    while written < lines:
        rounds(this, 1, keep=True)
        new, this.journal = this.journal, []
        written += len(new)
        yield new


def _append(store: Store, name: str, entries: list[TableEntry], *, sign: bool) -> None:
    rows = tuple(
        LedgerRow(entry.number + 1, move.debit, move.credit, move.amount, move.rule)
        for entry in entries
        for move in entry.event.transfers
    )
    bodies = tuple(map(encode, entries))
    store.append(Append(name, entries[0].number, secrets.token_hex(16), bodies, rows, b"done", sign=sign)).result()


def write(folder: Path, lines: int, tables: int) -> int:
    """Play and write; the number of lines."""
    written = 0
    with open_store(f"sqlite:///{folder}/house.db", key_path=folder / "key") as store:
        for number in range(tables):
            name, kept = f"T{number}", False
            this = table(name)
            for new in played(this, lines // tables):
                for first in range(0, len(new), GROUP):
                    _append(store, name, new[first : first + GROUP], sign=first + GROUP >= len(new))
                written += len(new)
                if not kept and this.state.entries >= lines // tables - BEHIND:
                    store.keep_snapshot(name, this.state.entries, packed(this.state)).result()
                    kept = True
    return written


def start(folder: Path) -> None:
    """What a new process does: look whether the store may be trusted, and open its tables."""
    this = table().state
    with open_store(f"sqlite:///{folder}/house.db", key_path=folder / "key") as store:
        check_opening(store)
        for name in store.tables():
            asyncio.run(open_host(store, name, this.game, this.ruleset, practice=False, now_ms=lambda: 1))


def verified(folder: Path) -> None:
    """What `croupier verify` does, in a new process."""
    if fault := verify(f"sqlite:///{folder}/house.db", folder / "key").fault:
        raise RuntimeError(fault)


WORK = {"open": start, "verify": verified}


class Took(NamedTuple):
    """What a process needed: by the clock, of the processor, and at most of memory."""

    seconds: float
    processor: float
    megabytes: int


def _told(work: str, folder: Path) -> None:
    """Do some work and tell what it took."""
    began, busy = time.perf_counter(), time.process_time()
    WORK[work](folder)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(time.perf_counter() - began, time.process_time() - busy, most)


def took(work: str, folder: Path) -> Took:
    command = [sys.executable, "-m", "benchmarks.start", work, str(folder)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return Took(float(told[0]), float(told[1]), int(told[2]))


def without_snapshots(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "house.db")) as connection, connection:
        connection.execute("DELETE FROM snapshot")


def bare(folder: Path) -> float:
    """Seconds to read every line of the journals and hash it."""
    began = time.perf_counter()
    with closing(sqlite3.connect(folder / "house.db")) as connection:
        for _, _, body in connection.execute("SELECT table_name, number, body FROM journal ORDER BY 1, 2"):
            sha256(body.encode()).digest()
    return time.perf_counter() - began


def main(lines: int = 1_000_000, tables: int = 10) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written, unit = write(folder, lines, tables), bare(folder)
        quick = took("open", folder).seconds
        without_snapshots(folder)
        slow = took("open", folder).seconds
    print(f"{written:,} lines of {tables} tables; read and hashed bare: {unit:.1f} s")
    print(f"start from snapshots {quick:6.1f} s {quick / unit:6.2f}")
    print(f"start from journals  {slow:6.1f} s {slow / unit:6.2f}")


def grow(lines: int = 1_000_000, tables: int = 10) -> None:
    sizes, found = list[int](), dict[str, list[Took]]()
    for halved in range(4, -1, -1):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            sizes.append(write(folder, lines >> halved, tables))
            found.setdefault("start from snapshots", []).append(took("open", folder))
            without_snapshots(folder)
            found.setdefault("start from journals", []).append(took("open", folder))
            found.setdefault("verify", []).append(took("verify", folder))
        each = ", ".join(f"{what} {all_of[-1].processor:.1f} s" for what, all_of in found.items())
        print(f"{sizes[-1]:>10,} lines: {each}", flush=True)
    for what, all_of in found.items():
        power = exponent(sizes, [each.processor for each in all_of])
        span = f"{all_of[0].processor:.2f} to {all_of[-1].processor:.2f} s"
        print(f"{what:<22} {span:>18} {power:6.2f} {all_of[0].megabytes:>6} to {all_of[-1].megabytes} MB")


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    match sys.argv[1:]:
        case ["grow", *numbers]:
            grow(*map(int, numbers))
        case [work, folder] if work in WORK:
            _told(work, Path(folder))
        case numbers:
            main(*map(int, numbers))
