"""Whoever can write to the database cannot change the past unseen: `verify` sees it, and so does a start.

Theory of operation.  A store of true journals is spoiled on copies, one way at a time: bits of lines flipped, rows
taken out, exchanged and put in, the end cut off, all of it rewritten with right hashes, and an old copy put in its
place.  Each must be found by `verify`, with the entry named, and whoever starts from these books must refuse them.  The
control is a verifier of the chain alone: it does not see a chain that was computed again.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from croupier.floor.store.chain import Sound, follows, genesis, link, verify_chain, verify_ledger
from croupier.floor.store.durable import Store
from croupier.floor.store.engines import BadStore
from croupier.floor.store.opening import check_opening
from croupier.prove import Findings, ProofScope, Tell, Verdict
from croupier.prove.allowance import Allowance
from croupier.prove.books.instruments.made import Books, write
from croupier.prove.books.lives import moved

Damage: TypeAlias = Callable[[sqlite3.Connection], None]
Check: TypeAlias = Callable[[Store], object]
"""What is wrong with a store, or None."""

FLIPS: Final = 200
"""Bits that are flipped in the database, for each round; every bit of it is flipped in memory."""
JOURNAL: Final = "SELECT table_name, number, body, hash FROM journal ORDER BY table_name, number"


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    scope.no_games("tampering")
    found = Findings()
    rounds = scope.count(short=10, long=100)
    with TemporaryDirectory(prefix="croupier-tamper-") as folder:
        books, old = Books(Path(folder, "house")), Path(folder, "old.db")
        books.folder.mkdir()
        before = (rounds + 1) // 2
        found.count("lines", write(books, rounds=before, seed=scope.seed))
        _copy(books.database, old)
        found.count("lines", write(books, rounds=rounds - before, seed=scope.seed, first=before))
        found.count("rounds", rounds)
        with books.reader() as store:
            if (wrong := verified(store)) is not None:
                found.faults.append(f"honest books are called spoiled: {wrong}")
        _flips(found, books, FLIPS * rounds, scope, tell)
        _every_bit(found, books, scope.time.share(2), tell)
        for name, damage in damages():
            found.count("ways of spoiling")
            found.faults += _missed(books, name, damage, verified)
        found.faults += _missed(books, "an old copy in place of the books", _put(old), verified)
        if not found.faults:
            found.holds.append("each was found by verify, its entry named, and refused at a start")
        found.controls = {
            "a chain without signed heads": any(_missed(books, name, damage, chain_only) for name, damage in damages())
        }
    return found.verdict()


def verified(store: Store) -> object:
    """What `croupier verify` finds in the chain and in the ledger."""
    sound = verify_chain(store)
    return verify_ledger(store, moved) if isinstance(sound, Sound) else sound


def chain_only(store: Store) -> object:
    """The control: every hash follows from the line before, and nobody asks for a signature."""
    try:
        for table in store.tables():
            for _ in store.each_sound_line(table):
                pass
    except BadStore as fault:
        return fault
    return None


# ---------------------------------------------------------------- bits


def _flips(found: Findings, books: Books, wanted: int, scope: ProofScope, tell: Tell) -> None:
    """So many bits of bodies and hashes in the database; each must be found at its line by whoever reads that line."""
    spoiled, chance, time = _copied(books), Random(scope.seed), scope.time.share(2)
    with closing(sqlite3.connect(spoiled.database, isolation_level=None)) as database:
        database.execute("PRAGMA synchronous = OFF")
        rows = _rows(database)
        with spoiled.reader() as store:
            for done in time.each(range(wanted), "bits flipped in the database"):
                table, number, body, digest = chance.choice(rows)
                changed = bytearray(body + digest)
                bit = chance.randrange(len(changed) * 8)
                changed[bit // 8] ^= 1 << bit % 8
                update = "UPDATE journal SET body = ?, hash = ? WHERE table_name = ? AND number = ?"
                spoilt = bytes(changed[: len(body)]), bytes(changed[len(body) :])
                database.execute(update, (*spoilt, table, number))
                if not _named(store, table, number):
                    found.faults.append(f"bit {bit} of line {number} of {table} was flipped and nobody saw it")
                database.execute(update, (body.decode(), digest, table, number))
                found.count("bits flipped in the database")
                if done % 500 == 0:
                    tell(done, wanted, "flipping bits")
    shutil.rmtree(spoiled.folder)


def _every_bit(found: Findings, books: Books, time: Allowance, tell: Tell) -> None:
    """Every bit of every line, in memory: no line follows any more, as `verify` and every reader of a chain ask it."""
    with closing(sqlite3.connect(books.database)) as database:
        rows = _rows(database)
    chain, name = b"", ""
    for done, (table, number, body, digest) in enumerate(time.each(rows, "lines of which every bit is flipped")):
        if done % 100 == 0:
            tell(done, len(rows), "flipping every bit")
        chain, name = chain if table == name else genesis(table), table
        for flipped in _each_flipped(body):
            if follows(chain, flipped, digest):
                found.faults.append(f"line {number} of {table} with a flipped bit still follows")
        for flipped in _each_flipped(digest):
            if follows(chain, body, flipped):
                found.faults.append(f"line {number} of {table} with a flipped bit in its hash still follows")
        found.count("bits flipped in memory", 8 * len(body + digest))
        if not follows(chain, body, digest):
            found.faults.append(f"line {number} of {table}, unchanged, does not follow")
        chain = digest


def _each_flipped(text: bytes) -> Iterator[bytes]:
    """The same bytes with each of their bits flipped in turn."""
    changed = bytearray(text)
    for at in range(len(changed)):
        for bit in range(8):
            changed[at] ^= 1 << bit
            yield bytes(changed)
            changed[at] ^= 1 << bit


def _rows(database: sqlite3.Connection) -> list[tuple[str, int, bytes, bytes]]:
    return [(*row[:2], row[2].encode(), row[3]) for row in database.execute(JOURNAL)]


def _named(store: Store, table: str, number: int) -> bool:
    """Whether reading that line as every reader of a journal does names it."""
    try:
        store.sound_lines(table, number, 1)
    except BadStore as fault:
        return f"{table}, line {number}:" in str(fault)
    return False


# ---------------------------------------------------------------- rows


def damages() -> Iterator[tuple[str, Damage]]:
    """Ways of spoiling a store, in words."""
    for name, statements in STATEMENTS.items():
        yield name, lambda database, statements=statements: [database.execute(each) for each in statements] and None  # type: ignore[misc]
    yield "a line changed and the chain computed again", _rewritten


LAST: Final = "(SELECT max(number) FROM journal WHERE table_name = 'T0')"
CUT: Final = tuple(
    f"DELETE FROM {name} WHERE table_name = 'T0' AND number > 3" for name in ("journal", "command", "head", "ledger")
)
STATEMENTS: Final = {
    "a line taken out": ("DELETE FROM journal WHERE table_name = 'T0' AND number = 5",),
    "two lines exchanged": (
        "UPDATE journal SET number = -1 WHERE table_name = 'T0' AND number = 5",
        "UPDATE journal SET number = 5 WHERE table_name = 'T0' AND number = 6",
        "UPDATE journal SET number = 6 WHERE table_name = 'T0' AND number = -1",
    ),
    "a line put in after the end": (
        f"INSERT INTO journal SELECT 'T0', {LAST} + 1, body, hash FROM journal WHERE table_name = 'T0' AND number = 3",
    ),
    "the last line cut off": (f"DELETE FROM journal WHERE table_name = 'T0' AND number = {LAST}",),
    "the end cut off with its heads, answers and money": CUT,
    "a table taken out": tuple(
        f"DELETE FROM {name} WHERE table_name = 'T0'" for name in ("journal", "command", "head")
    ),
    "a head taken out": ("DELETE FROM head WHERE table_name = 'T0' AND ordinal = 1",),
    "a signature changed": ("UPDATE head SET signature = x'00' WHERE table_name = 'T0'",),
}


def _rewritten(database: sqlite3.Connection) -> None:
    """One person's name changed where it first stands, and every hash computed again from there."""
    chain = genesis("T0")
    rows = database.execute("SELECT number, body FROM journal WHERE table_name = 'T0' ORDER BY number").fetchall()
    for number, body in rows:
        text = body if isinstance(body, str) else body.decode()
        changed = text.replace("ann", "eve")
        chain = link(chain, changed.encode())
        database.execute(
            "UPDATE journal SET body = ?, hash = ? WHERE table_name = 'T0' AND number = ?", (changed, chain, number)
        )


def _put(old: Path) -> Damage:
    """An older copy of the whole database, under the same key and beside the same witness."""

    def damage(database: sqlite3.Connection) -> None:
        with closing(sqlite3.connect(old)) as source:
            source.backup(database)

    return damage


def _missed(books: Books, name: str, damage: Damage, check: Check) -> list[str]:
    """What nobody saw of one way of spoiling a copy."""
    spoiled = _copied(books)
    try:
        with closing(sqlite3.connect(spoiled.database)) as database:
            damage(database)
            database.commit()
        with spoiled.reader() as store:
            missed = [] if check(store) is not None else [f"{name}: verify saw nothing"]
        if check is verified and _starts(spoiled):
            missed.append(f"{name}: the house started from it")
        return missed
    finally:
        shutil.rmtree(spoiled.folder)


def _starts(books: Books) -> bool:
    """Whether the books open and every journal can be read to its end, as a house does without snapshots."""
    try:
        with books.writer() as store:
            check_opening(store)
            return chain_only(store) is None
    except BadStore:
        return False


def _copy(database: Path, to: Path) -> None:
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(to)) as target:
        source.backup(target)


def _copied(books: Books) -> Books:
    """The same books in another folder."""
    folder = Path(books.folder.parent, "spoiled")
    shutil.copytree(books.folder, folder)
    return Books(folder)
