"""The commands `croupier people`: accounts, from the machine itself."""

from __future__ import annotations

from types import ModuleType
from typing import Annotated

import typer

from croupier.cli.telling import PLAIN, Db, Json, show, tell

app = typer.Typer(help="The people of a house: their accounts, from the machine itself.", **PLAIN)

Key = Annotated[str, typer.Option(metavar="FILE", help="The key that signs it, if it is not in its usual place.")]
Name = Annotated[str, typer.Argument(metavar="NAME")]


def _people() -> ModuleType:
    from croupier.cli import people as people_command

    return people_command


@app.command("add")
def add_person(
    name: Name,
    db: Db,
    role: Annotated[list[str], typer.Option(metavar="ROLE", help="dealer, cashier, inspector, …; more than once.")],
    key: Key = "",
    pin: Annotated[bool, typer.Option("--pin", help="With a PIN, for dealers and players.")] = False,
    as_json: Json = False,
) -> None:
    """A new account, with a password for one use."""
    tell(_people().add(db, key, name, tuple(role), pin=pin), as_json, show.person)


@app.command("list")
def list_people(db: Db, as_json: Json = False) -> None:
    """Everybody who has an account."""
    tell(_people().listed(db), as_json, show.people)


@app.command("disable")
def disable_person(name: Name, db: Db, key: Key = "", as_json: Json = False) -> None:
    """Close an account; its sessions end."""
    tell(_people().disable(db, key, name), as_json, show.person)


@app.command("unlock")
def unlock_person(name: Name, db: Db, key: Key = "", as_json: Json = False) -> None:
    """Let somebody try again who was locked out."""
    tell(_people().unlock(db, key, name), as_json, show.person)


@app.command("reset")
def reset_person(name: Name, db: Db, key: Key = "", as_json: Json = False) -> None:
    """A new password for one use."""
    tell(_people().reset(db, key, name), as_json, show.person)
