"""Where a house keeps its things, if nobody says where.

The key that signs a journal is never inside the database that it vouches for.  It lies beside the file of an SQLite
database, under its name with `.key` behind; for a database on a server, in the folder of the user who runs the house.
A house with more to lose names another place (`--key`, or `key` in the settings): whoever can take the database's disk
should not find the key there.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

from croupier.floor.store.engines import parsed_url, path_of


def data_folder() -> Path:
    """The folder of the user who runs the house."""
    base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    folder = base / "croupier"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def key_for(url: str, named: str = "") -> Path:
    """The file of the key of a database: the one that is named, or the usual one."""
    if named:
        return Path(named)
    known = parsed_url(url)
    if known.get_backend_name() == "sqlite":
        return Path(f"{path_of(known)}.key")
    where = f"{known.host or ''}:{known.port or ''}/{known.database or ''}"
    return data_folder() / f"{sha256(where.encode()).hexdigest()[:16]}.key"
