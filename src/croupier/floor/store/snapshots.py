"""Snapshots: the state of a table as bytes, so that a start need not read its whole journal.

Theory of operation.  A snapshot is only a short cut; the journal is the truth.  It is used if a trusted key signed it
for a line that is still in the journal (the store checks that), and if the program that made it is this one, file for
file; otherwise the journal is read from its first line, which leads to the same state.  So a snapshot needs no format
that outlives a release: it is pickled.  What never changes at a table (its game, its rules) is named, not written, and
nothing but this program's own types and plain values is ever read back.
"""

from __future__ import annotations

import io
import logging
import pickle
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from croupier.table.state import Table

log = logging.getLogger(__name__)

FIXED: Final = ("game", "ruleset", "procedure", "general", "layout")
PLAIN: Final = frozenset(
    {("builtins", "frozenset"), ("builtins", "set"), ("builtins", "range"), ("fractions", "Fraction")}
)


@cache
def program() -> bytes:
    """What this program is: the hash of its files."""
    root = Path(str(files("croupier")))
    digest = sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    return digest.digest()


def packed(table: Table) -> bytes:
    """The state of a table; its fixed parts are left out."""
    out = io.BytesIO()
    out.write(program())
    _Pack(out, table).dump(table)
    return out.getvalue()


def unpacked(body: bytes, fresh: Table) -> Table | None:
    """The table of a snapshot, with the fixed parts of a fresh one; nothing if another program or table made it."""
    mark = program()
    if not body.startswith(mark):
        return None
    try:
        table = _Unpack(io.BytesIO(body[len(mark) :]), fresh).load()
    except Exception:
        log.warning("%s: the snapshot is damaged; the journal is read from its first line", fresh.name)
        return None
    return table if isinstance(table, Table) and table.name == fresh.name else None


def _fixed(table: Table) -> dict[str, Any]:
    """The parts that are the same in every state of one table, by name."""
    parts = {name: getattr(table, name) for name in FIXED}
    return {**parts, "rules": table.ruleset.rules, "live": table.round.game}


class _Pack(pickle.Pickler):
    def __init__(self, out: io.BytesIO, table: Table) -> None:
        super().__init__(out, protocol=pickle.HIGHEST_PROTOCOL)
        self._names = {id(part): name for name, part in _fixed(table).items()}

    def persistent_id(self, part: Any) -> str | None:
        return self._names.get(id(part))


class _Unpack(pickle.Unpickler):
    def __init__(self, source: io.BytesIO, fresh: Table) -> None:
        super().__init__(source)
        self._parts = _fixed(fresh)

    def persistent_load(self, name: Any) -> Any:
        return self._parts[name]

    def find_class(self, module: str, name: str) -> Any:
        if module.partition(".")[0] == "croupier" or (module, name) in PLAIN:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is nothing that a table is made of")
