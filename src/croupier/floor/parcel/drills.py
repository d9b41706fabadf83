"""Drills for the worst: a backup restored, a dead machine taken over, a key replaced, a house closed for ever.

Theory of operation.  Each drill does the real thing with the house's own means, and says in numbers what came of it;
what may be lost is known before it is needed.  `restored` works in a folder that it makes and removes, beside a house
that runs.  `taken_over` makes a database for another machine out of the second journal or a backup, and holds it
against the witness.  `key_replaced` and `closed` change a house that is stopped: the store's lock sees to that.

A key that was replaced stays known by its public half, in the file `KEY.trusted` beside the new one, because it signed
all heads so far.  A house that was closed for ever has the file `KEY.closed`, and opens no more; its books are exports
that prove themselves (`croupier verify --export`), and the ledger as a table that any program reads.
"""

from __future__ import annotations

import csv
import shutil
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import msgspec

from croupier.floor.audit.export import FORMAT, Header, law_of, written
from croupier.floor.audit.verify import kind_of, redecided, table_of, verify
from croupier.floor.keeping.clock import clock_ms
from croupier.floor.store.copies.backup import restore
from croupier.floor.store.durable import Store, open_reader, open_store
from croupier.floor.store.engines import there
from croupier.floor.store.heads import Key, closed_mark, open_key, trusted_beside, written_once
from croupier.floor.store.opening import behind, check_opening
from croupier.house.cage import state as cage_state
from croupier.table.events import decode
from croupier.table.evolve import after

SECRETS: Final = ("tickets", "vouchers", "factors", "heads", "trusted")


class NotNow(ValueError):
    """A drill that cannot be done as things are, in one line."""


def restored(backup: Path, key: Path) -> dict[str, Any]:
    """Restore a backup into a folder of its own, verify everything in it, and tell how far the house had gone on."""
    with tempfile.TemporaryDirectory(prefix="croupier-drill-") as folder:
        url, copy = f"sqlite:///{folder}/house.db", Path(folder) / "house.key"
        shutil.copy(key, copy)
        if trusted_beside(key).exists():
            shutil.copy(trusted_beside(key), trusted_beside(copy))
        rows = restore(backup, url).rows
        found = verify(url, copy)
        with open_reader(url, key_path=key) as store:
            gone_on = {each.table: each.number - each.last for each in behind(store)}
    return {"backup": str(backup), "rows": rows, "verified": asdict(found), "gone_on": gone_on}


def taken_over(source: Path, url: str, key: Path, witness: str = "") -> dict[str, Any]:
    """A dead machine's house in a new database, from its second journal or a backup; told against the witness."""
    open_key(key, make=False)
    rows = restore(source, url).rows
    with open_reader(url, key_path=key, witness=witness) as store:
        lost = {each.table: each.number - each.last for each in behind(store)}
    found = None if lost else asdict(verify(url, key, witness))
    return {"from": str(source), "rows": rows, "lost": lost, "verified": found}


def key_replaced(url: str, key: Path, new: Path, witness: str = "") -> dict[str, Any]:
    """Sign all heads anew with a new key, and go on with it; what the old one signed stays good."""
    old = open_key(key, make=False)
    if new.exists():
        raise NotNow(f"{new}: there is a file already")
    with open_store(there(url), key_path=key, witness=witness) as store:
        check_opening(store)
    made = open_key(new)
    for each in SECRETS:
        beside = key.with_name(f"{key.name}.{each}")
        if beside.exists():
            shutil.copy2(beside, new.with_name(f"{new.name}.{each}"))
    _trust(made, old.public)
    with open_store(url, key_path=new, witness=witness) as store:
        check_opening(store)
        for table in store.tables():
            store.own(table).result()
            store.sign_head(table, clock_ms()).result()
        tables = store.tables()
    return {"key": str(new), "public": made.public.hex(), "replaced": old.public.hex(), "signed": len(tables)}


def _trust(key: Key, earlier: bytes) -> None:
    path = trusted_beside(key.path)
    path.touch(mode=0o600)
    with path.open("a", encoding="ascii") as file:
        file.write(earlier.hex() + "\n")


# ---------------------------------------------------------------- closing for ever


def closed(
    url: str, key: Path, folder: Path, *, by: str, witness: str = "", practice: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Write the books of a house into a folder, and let it never open again; `practice` are its practice tables."""
    if folder.exists() and any(folder.iterdir()):
        raise NotNow(f"{folder}: not empty")
    with open_store(there(url), key_path=key, witness=witness) as store:
        check_opening(store)
        for table in store.tables():
            _at_rest(store, table)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        journals = [_exported(store, table, folder, by=by, practice=table in practice) for table in store.tables()]
        rows = _ledger(store, folder / "ledger.csv")
        owed = {name: cents for name, cents in store.balances().items() if cents}
        public = store.key.public.hex() if store.key else ""
    index = {
        "closed_ms": clock_ms(),
        "by": by,
        "key": public,
        "journals": journals,
        "rows": rows,
        "balances": owed,
    }
    (folder / "books.json").write_bytes(msgspec.json.format(msgspec.json.encode(index)))
    written_once(closed_mark(key), msgspec.json.encode({"closed_ms": clock_ms(), "by": by, "books": str(folder)}))
    return {"folder": str(folder), **index}


def _at_rest(store: Store, name: str) -> None:
    """Refuse to close while a round is in hand or the cage has a shift."""
    if kind_of(name) is None:
        entries = [decode(line.body) for line in store.each_sound_line(name)]
        table = table_of(name, entries[0])
        if after(table, entries).round.standing:
            raise NotNow(f"{name}: a round is in hand; finish it first")
    elif name == cage_state.NAME:
        kind = kind_of(name)
        assert kind is not None
        cage = kind[0].after(kind[1], (kind[0].decode(line.body) for line in store.each_sound_line(name)))
        if cage.shift is not None:
            raise NotNow("the cage has an open shift; count and close it first")


def _exported(store: Store, name: str, folder: Path, *, by: str, practice: bool) -> dict[str, Any]:
    """One journal as an export that proves itself."""
    store.own(name).result()
    store.sign_head(name, clock_ms()).result()
    lines, heads = tuple(store.each_sound_line(name)), store.heads(name)
    is_table = kind_of(name) is None
    header = Header(
        format=FORMAT,
        table=name,
        practice=practice,
        lines=len(lines),
        heads=len(heads),
        at_ms=clock_ms(),
        by=by,
        keys=tuple(sorted(known.hex() for known in store.trusted)),
        law=law_of(lines) if is_table else {},
    )
    assert store.key is not None
    path = folder / f"{''.join(letter if letter.isalnum() else '-' for letter in name).strip('-')}.export"
    if path.exists():
        path = path.with_stem(f"{path.stem}-{len(list(folder.iterdir()))}")
    path.write_bytes(b"".join(written(header, lines, heads, store.key)))
    settled = redecided(store, name) if is_table else 0
    if isinstance(settled, str):
        raise NotNow(f"{name}: {settled}; `croupier verify` tells more")
    return {"journal": name, "file": path.name, "lines": len(lines), "settlements": settled}


def _ledger(store: Store, path: Path) -> int:
    """Every movement of money, a row each."""
    count = 0
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(("journal", "line", "debit", "credit", "cents", "rule"))
        for table in store.tables():
            for row in store.ledger_rows(table):
                out.writerow((table, row.number, row.debit, row.credit, row.cents, row.rule))
                count += 1
    return count
