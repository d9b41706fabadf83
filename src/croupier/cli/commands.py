"""The commands, gathered: the modules that have them, and the program that is made of those.

The heavy rooms are imported inside the commands, so that help is quick, and a command needs its own module only.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.main import get_command

from croupier import __version__
from croupier.cli.telling import PLAIN

ABOUT = "Casino table games by the book: every step with its rule, every wager with its odds."
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "odds": ("odds", "simulate"),
    "cases": ("adjudicate", "settle", "due", "shoe", "score"),
    "listing": ("list",),
    "rules": ("rules",),
    "proofs": ("prove",),
    "house": ("serve", "verify", "explain"),
    "upkeep": ("init", "doctor", "settings", "backup", "restore", "accept-loss", "feed-key"),
    "accounts": ("people",),
    "drills": ("drill",),
}
"""The modules and the commands that each has."""


def program(command: str = "") -> Any:
    """The program with the module of this command, or with all of them where it names none."""
    wanted = [module for module, names in GROUPS.items() if command in names]
    made = typer.Typer(help=ABOUT, add_completion=not wanted, **PLAIN)
    made.callback()(croupier)
    for module in wanted or GROUPS:
        group, (first, *_) = import_module(f"croupier.cli.{module}").app, GROUPS[module]
        # A group that tells about itself is called by its name; the commands of others stand beside each other.
        made.add_typer(group, name=first if group.info.help else None)
    return get_command(made)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"croupier {__version__}")
        raise typer.Exit


def croupier(
    version: Annotated[
        bool, typer.Option("--version", help="The version of croupier.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    """Casino table games by the book: every step with its rule, every wager with its odds."""
