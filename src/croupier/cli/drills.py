"""The commands `croupier drill`: the worst, done once while it is not needed, and done in earnest when it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from croupier.cli import FAULT
from croupier.cli.telling import PLAIN, Json

app = typer.Typer(help="Drills: restore elsewhere, take over, replace a key, close for ever.", **PLAIN)

Key = Annotated[str, typer.Option(metavar="FILE", help="The key of the house.")]
Config = Annotated[str, typer.Argument(metavar="SETTINGS", help="The file of settings of the house, which is stopped.")]
Witness = Annotated[str, typer.Option(metavar="WHERE", help="Where heads went besides the key's file.")]


@app.command()
def restore(
    backup: Annotated[str, typer.Argument(metavar="BACKUP", help="A backup, or a second journal.")],
    key: Key,
    as_json: Json = False,
) -> None:
    """Restore a backup into a folder that is removed again, and verify every line; the house may run meanwhile."""
    from croupier.floor.parcel.drills import restored

    report = restored(Path(backup), Path(key))
    verified = report["verified"]
    since = ", ".join(f"{count} of {name}" for name, count in report["gone_on"].items()) or "none"
    _tell(report, as_json, f"{_found(verified)}\nlines since the backup: {since}", failed=bool(verified["fault"]))


@app.command()
def takeover(
    source: Annotated[str, typer.Argument(metavar="FILE", help="The second journal of the dead machine, or a backup.")],
    db: Annotated[str, typer.Option(metavar="URL", help="The new database, which is empty.")],
    key: Key,
    witness: Witness = "",
    as_json: Json = False,
) -> None:
    """Make the house of a dead machine anew on this one, and say whether anything is lost."""
    from croupier.floor.parcel.drills import taken_over

    report = taken_over(Path(source), db, Path(key), witness)
    lost = ", ".join(f"{count} lines of {name}" for name, count in report["lost"].items())
    words = f"lost: {lost}; look for a newer copy, or `croupier accept-loss`" if lost else _found(report["verified"])
    failed = bool(lost) or bool(report["verified"]["fault"])
    _tell(report, as_json, words if failed else f"{words}\nnothing is lost: open it with croupier serve", failed=failed)


@app.command("replace-key")
def replace_key(
    config: Config,
    new: Annotated[str, typer.Argument(metavar="FILE", help="Where the new key goes.")],
    as_json: Json = False,
) -> None:
    """Go on with a new key; what the old one signed stays good."""
    from croupier.floor.parcel.drills import key_replaced

    _, where = _house(config)
    report = key_replaced(where["url"], where["key"], Path(new), where["witness"])
    words = (
        f"{report['signed']} journals are signed by {report['public']}\nnow say in {config}: key = {json.dumps(new)}"
    )
    _tell(report, as_json, f"{words}\nand tell the inspector the new public key")


@app.command()
def close(
    config: Config,
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="Where the books go.")],
    by: Annotated[str, typer.Option(metavar="NAME", help="Who closes it.")],
    yes: Annotated[bool, typer.Option("--for-ever", help="It is meant: the house opens no more.")] = False,
    as_json: Json = False,
) -> None:
    """Close a house for ever: its journals as exports that prove themselves, its ledger, its balances."""
    from croupier.floor.parcel.drills import closed

    if not yes:
        raise ValueError("a closed house opens no more: say --for-ever")
    settings, where = _house(config)
    practice = frozenset(table.name for table in settings.tables if table.practice)
    report = closed(**where, folder=Path(folder), by=by, practice=practice)
    words = "\n".join(f"{each['file']}: {each['lines']} lines of {each['journal']}" for each in report["journals"])
    _tell(report, as_json, f"{words}\nledger.csv: {report['rows']} rows\nthe public key is {report['key']}")


def _house(config: str) -> tuple[Any, dict[str, Any]]:
    from croupier.floor.places import key_for
    from croupier.floor.settings import read_settings

    settings = read_settings(Path(config))
    if not settings.store.url:
        raise ValueError(f"{config}: no database is named")
    store = settings.store
    return settings, {"url": store.url, "key": key_for(store.url, store.key), "witness": store.witness}


def _found(verified: dict[str, Any]) -> str:
    if verified["fault"]:
        return f"not in order: {verified['fault']}"
    return (
        f"in order: {verified['lines']} lines of {verified['tables']} journals, {verified['settlements']} settlements"
    )


def _tell(report: dict[str, Any], as_json: bool, words: str, *, failed: bool = False) -> None:
    print(json.dumps(report) if as_json else words)
    if failed:
        raise typer.Exit(FAULT)
