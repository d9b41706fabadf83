"""`croupier init`: what was not said on the command line is asked, where somebody is there to answer."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Final

import typer

from croupier.cli import arguments
from croupier.floor.keeping.accounts import read_hashing
from croupier.floor.parcel.begin import NewHouse, begun, read_person, read_table, supervisor_of

FIRST: Final = ("casino manager", "game supervisor", "dealer", "cashier", "inspector")


def begin(
    folder: str, person: list[str] | None, table: list[str] | None, *, port: str, quiet: bool, **said: Any
) -> dict[str, Any]:
    """Begin the house, and tell what there is now."""
    asks = sys.stdin.isatty() and not quiet
    if asks and not person:
        person = [f"{name}: {role}" for role in FIRST if (name := _asked(f"Name of the {role} (empty: none)"))]
    if asks and not table:
        answer = _asked("First table, as EB-1: baccarat nzeb terminals 5-1000 (empty: none)")
        table = [answer] if answer else []
    if asks and not said["name"] and not any(said["certificate"]):
        said["name"] = _asked("What the house is called in addresses (empty: a proxy has the certificate)")
    people = dict(map(read_person, person or ()))
    if len(people) < len(person or ()):
        raise ValueError("two people have one name: give all roles of a person at once")
    tables = tuple(read_table(each, supervisor_of(people)) for each in table or ())
    number = arguments.whole("--port", port, range(65536))
    hashing = read_hashing(os.environ.get("CROUPIER_ARGON2", ""))
    return begun(NewHouse(folder=Path(folder), people=people, tables=tables, port=number, hashing=hashing, **said))


def _asked(question: str) -> str:
    return str(typer.prompt(question, default="", show_default=False, err=True)).strip()
