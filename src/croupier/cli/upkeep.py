"""The commands that keep a house going: its beginning, its settings, its health, its backup, and what was lost."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from croupier.cli import FAULT
from croupier.cli.telling import DB_FROM

app = typer.Typer()

Db = Annotated[str, typer.Option(metavar="URL", envvar=DB_FROM, help="The database of the house.")]
File = Annotated[str, typer.Argument(metavar="FILE", help="The file of the backup.")]
Json = Annotated[bool, typer.Option("--json", help="The answer as JSON.")]


@app.command()
def settings() -> None:
    """The file of settings with everything as it is usually, and what each value means."""
    from croupier.floor.settings import explained

    print(explained(), end="")


@app.command()
def init(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="Where the house is kept.")],
    person: Annotated[
        list[str] | None, typer.Option(metavar="'NAME: ROLE, ROLE'", help="Somebody with an account.")
    ] = None,
    table: Annotated[
        list[str] | None, typer.Option(metavar="'NAME: GAME EDITION [VERSION] LEAST-MOST'", help="A table, in dollars.")
    ] = None,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="What the house is called in addresses: makes a certificate.")
    ] = "",
    certificate: Annotated[str, typer.Option(metavar="FILE", help="A certificate that there is already.")] = "",
    certificate_key: Annotated[str, typer.Option(metavar="FILE", help="Its key.")] = "",
    db: Annotated[
        str, typer.Option(metavar="URL", envvar=DB_FROM, help="The database; if none, a file in the folder.")
    ] = "",
    key: Annotated[str, typer.Option(metavar="FILE", help="Where the key goes; best on another disk.")] = "",
    witness: Annotated[str, typer.Option(metavar="WHERE", help="Where signed heads go too.")] = "",
    second: Annotated[str, typer.Option(metavar="PATH", help="A second journal, on another disk.")] = "",
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[str, typer.Option(metavar="N", help="On which port.")] = "8700",
    second_factor: Annotated[
        str, typer.Option(metavar="WHO", help="Who shows a second factor: required (all), or enrolled.")
    ] = "required",
    as_json: Json = False,
) -> None:
    """Begin a house: its settings, key, database, first people and first tables.  What is not said is asked."""
    from croupier.cli.beginning import begin

    report = begin(
        folder, person, table, name=name, certificate=(certificate, certificate_key), url=db, key=key, witness=witness,
        second=second, host=host, port=port, second_factor=second_factor, quiet=as_json,
    )  # fmt: skip
    print(json.dumps(report) if as_json else _begun(report))


def _begun(report: dict[str, Any]) -> str:
    words = [f"{name:<12}{report[name]}" for name in ("settings", "database", "key", "certificate") if report[name]]
    words += [f"{'table':<12}{name}" for name in report["tables"]]
    words += ["", "Passwords, each for one use; they are not told again:"]
    words += [f"  {name:<20}{secret}" for name, secret in report["one_time"].items()]
    return "\n".join(
        [
            *words,
            "",
            f"Look at it: croupier doctor {report['settings']}",
            f"Open it:    croupier serve --config {report['settings']}",
        ]
    )


@app.command()
def doctor(
    config: Annotated[str, typer.Argument(metavar="SETTINGS", help="The file of settings of the house.")],
    db: Annotated[str, typer.Option(metavar="URL", help="The database, where the file names none.")] = "",
    key: Annotated[str, typer.Option(metavar="FILE", help="The key, where the file names none.")] = "",
    as_json: Json = False,
) -> None:
    """Look whether everything around a house is in order, and say what to do; exit 1 where something is bad."""
    from dataclasses import asdict
    from pathlib import Path

    from croupier.floor.parcel.doctor import examined

    found = examined(Path(config), db, key)
    bad = sum(each.level == "bad" for each in found)
    if as_json:
        print(json.dumps({"bad": bad, "found": [asdict(each) for each in found]}))
    else:
        print(
            "\n".join(
                f"{each.level:<5}{each.check:<13}{each.says}" + f"\n{'':18}{each.remedy}" * bool(each.remedy)
                for each in found
            )
        )
    if bad:
        raise typer.Exit(FAULT)


@app.command("feed-key")
def feed_key(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The system that reads.")], as_json: Json = False
) -> None:
    """A key with which a system reads the feed of events, and the line for the settings."""
    import secrets
    from hashlib import sha256

    if not name.strip() or not name.isprintable():
        raise ValueError(f"a system that reads has a name that can be read: {name!r:.40}")
    key = secrets.token_urlsafe(32)
    line = f'readers = {{{json.dumps(name)} = "{sha256(key.encode()).hexdigest()}"}}'
    if as_json:
        print(json.dumps({"name": name, "key": key, "settings": {"feed": line}}, indent=1))
        return
    print(f"key of {name}, told once: {key}")
    print(f"under [feed] in the settings: {line}")


@app.command()
def backup(file: File, db: Db, as_json: Json = False) -> None:
    """Write a house to a file, as it is at this moment; it may go on meanwhile."""
    from pathlib import Path

    from croupier.floor.store.copies.backup import back_up

    _tell(back_up(db, Path(file)).rows, file, "written to", as_json)


@app.command()
def restore(file: File, db: Db, as_json: Json = False) -> None:
    """Write a backup into an empty database, whole or not at all."""
    from pathlib import Path

    from croupier.floor.store.copies.backup import restore as restored

    _tell(restored(Path(file), db).rows, file, "restored from", as_json)


@app.command("accept-loss")
def accept_loss(
    db: Db,
    first: Annotated[str, typer.Argument(metavar="NAME", help="Who accepts it.")],
    second: Annotated[str, typer.Argument(metavar="NAME", help="The other one.")],
    key: Annotated[str, typer.Option(metavar="FILE", help="The key, if it is not in its usual place.")] = "",
    witness: Annotated[str, typer.Option(metavar="WHERE", help="Where heads go besides the key's file.")] = "",
    as_json: Json = False,
) -> None:
    """Two people accept that a database is older than its witness, with their own passwords."""
    from croupier.cli.losses import accepted

    secrets = [typer.prompt(f"Password of {name}", hide_input=True, err=True) for name in (first, second)]
    report = accepted(db, key, witness, ((first, secrets[0]), (second, secrets[1])))
    words = [f"{each['table']}: goes on from line {each['kept']}" for each in report["accepted"]]
    print(json.dumps(report) if as_json else "\n".join(words) or "nothing that was witnessed is lost")


def _tell(rows: dict[str, int], file: str, verb: str, as_json: bool) -> None:
    words = ", ".join(f"{count:,} of {table}" for table, count in rows.items())
    print(json.dumps({"file": file, "rows": rows}) if as_json else f"rows {verb} {file}: {words}")
