"""The books of a house, as a copy of them is: sound line by line, in their money and by their rules.

With `--books URL` the books are a copy that the house made of its own, with the public key of their heads in a file
beside it; without, some rounds are written first.  The controls change a copy of the copy: a letter of a line, an
amount in the ledger, a line taken out.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from croupier.floor.rooms.inspector.proofs import PUBLIC
from croupier.floor.store.durable import open_reader
from croupier.floor.store.engines import BadStore, parsed_url, path_of
from croupier.prove import Findings, ProofScope, Tell, Verdict
from croupier.prove.books.instruments import made
from croupier.prove.world.model import books_faults

CHANGES: Final = {
    "a letter put into a line": "UPDATE journal SET body = body || ' ' WHERE number = 1",
    "an amount of the ledger changed": "UPDATE ledger SET cents = cents + 1",
    "a line taken out": "DELETE FROM journal WHERE number = 1",
}
ROUNDS: Final = 5


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    scope.no_games("books")
    found = Findings()
    with TemporaryDirectory(prefix="croupier-books-") as name:
        folder = Path(name)
        books, public = _given(scope.books) if scope.books else _written(folder, scope.seed)
        tell(0, 1 + len(CHANGES), "the books")
        with open_reader(f"sqlite:///{books}", trusted=(public,)) as store:
            found.count("journals", len(store.tables()))
            found.count("lines", sum(store.last(each)[0] for each in store.tables()))
            found.faults += books_faults(store)
        for at, (change, statement) in enumerate(CHANGES.items(), 1):
            tell(at, 1 + len(CHANGES), f"control: {change}")
            copy = folder / f"{at}.db"
            shutil.copy(books, copy)
            with closing(sqlite3.connect(copy)) as changed, changed:
                touched = changed.execute(statement).rowcount
            with open_reader(f"sqlite:///{copy}", trusted=(public,)) as store:
                found.controls[change] = not touched or bool([*books_faults(store)])
    if not found.faults:
        found.holds.append("chain, signed heads, ledger and every settlement are sound")
    return found.verdict()


def _given(url: str) -> tuple[Path, bytes]:
    books = path_of(parsed_url(url))
    try:
        return books, bytes.fromhex(books.with_name(books.name + PUBLIC).read_text(encoding="ascii"))
    except (OSError, ValueError):
        raise BadStore(f"{books}{PUBLIC}: the public key of the copy is not there") from None


def _written(folder: Path, seed: int) -> tuple[Path, bytes]:
    books = made.Books(folder)
    made.write(books, rounds=ROUNDS, seed=seed)
    with books.reader() as store:
        assert store.key is not None
        with closing(sqlite3.connect(books.database)) as whole:
            whole.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return books.database, store.key.public
