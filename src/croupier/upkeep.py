"""The commands that keep a house going: its settings explained, its backup, and its restoring."""

from __future__ import annotations

import json
from typing import Annotated

import typer

app = typer.Typer()

Db = Annotated[str, typer.Option(metavar="URL", help="The database of the house.")]
File = Annotated[str, typer.Argument(metavar="FILE", help="The file of the backup.")]
Json = Annotated[bool, typer.Option("--json", help="The answer as JSON.")]


@app.command()
def settings() -> None:
    """The file of settings with everything as it is usually, and what each value means."""
    from croupier.floor.settings import explained

    print(explained(), end="")


@app.command()
def backup(file: File, db: Db, as_json: Json = False) -> None:
    """Write a house to a file, as it is at this moment; it may go on meanwhile."""
    from pathlib import Path

    from croupier.floor.backup import back_up

    _tell(back_up(db, Path(file)).rows, file, "written to", as_json)


@app.command()
def restore(file: File, db: Db, as_json: Json = False) -> None:
    """Write a backup into an empty database, whole or not at all."""
    from pathlib import Path

    from croupier.floor.backup import restore as restored

    _tell(restored(Path(file), db).rows, file, "restored from", as_json)


def _tell(rows: dict[str, int], file: str, verb: str, as_json: bool) -> None:
    words = ", ".join(f"{count:,} of {table}" for table, count in rows.items())
    print(json.dumps({"file": file, "rows": rows}) if as_json else f"rows {verb} {file}: {words}")
