"""The commands, gathered.

Theory of operation.  A command reads its words, asks the rooms below for an answer in the public form (plain data),
and tells it: as JSON, or as tables for people.  The heavy rooms are imported inside the commands, so that help is
quick.  What goes wrong is told in one place, `run`: one line on stderr that names the input and the rule, and no
traceback; with `--json` the same as an object on stdout.

Exit codes: 0 done; 1 a proof or a verification failed, or a fault of croupier itself; 2 bad input, or a wager or fact
of a case that the rules refuse; 3 what the law refuses elsewhere; 74 the store failed; 130 interrupted.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Annotated, Final

import typer
from typer.main import get_command

from croupier import __version__
from croupier.cli.telling import BAD_INPUT, FAULT, INTERRUPTED, PLAIN, REFUSED_BY_LAW
from croupier.errors import MissingExtra, NotPermitted, missing

COMPLETES: Final = "_CROUPIER_COMPLETE"
"""What a shell sets in the environment when it asks for completion."""

HEARS_A_CASE = ("adjudicate", "settle", "due", "shoe", "score")

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
"""The modules and the commands that each has; a command needs its own module only."""


def app_for(command: str = "") -> typer.Typer:
    """The program with the module of this command, or with all of them where it names none."""
    wanted = [module for module, names in GROUPS.items() if command in names]
    made = typer.Typer(help=ABOUT, add_completion=not wanted, **PLAIN)
    made.callback()(croupier)
    for module in wanted or GROUPS:
        group, (first, *_) = import_module(f"croupier.cli.{module}").app, GROUPS[module]
        # A group that tells about itself is called by its name; the commands of others stand beside each other.
        made.add_typer(group, name=first if group.info.help else None)
    return made


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


def main() -> None:
    """The one place where what goes wrong is told."""
    # Starting makes many objects that all stay: looking for lost ones among them every 700 takes a tenth of the time.
    gc.set_threshold(50_000, 20, 20)
    if os.environ.get(COMPLETES):
        # A shell asks how what is typed may go on; the program with all its commands answers, and ends.
        get_command(app_for()).main(prog_name="croupier")
    arguments = sys.argv[1:] or ["--help"]
    sys.exit(run(arguments))


def run(arguments: Sequence[str]) -> int:
    """Run a command and answer with its exit code; nothing that a user can do raises."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    command = get_command(app_for(arguments[0] if arguments else ""))
    try:
        with command.make_context("croupier", list(arguments)) as context:
            command.invoke(context)
        sys.stdout.flush()
        return 0
    except typer.Exit as done:
        return int(done.exit_code)
    except KeyboardInterrupt:
        return _complain("interrupted", code=INTERRUPTED)
    except BrokenPipeError:
        # Python flushes stdout once more at the end, and there is nobody left to read it; whoever closed it knows.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        reason, rule, code = _explained(error, arguments[0] if arguments else "")
        if "--json" in arguments:
            print(json.dumps({"error": {"reason": reason, "rule": rule or None}}))
        return _complain(f"{reason} ({rule})" if rule else reason, code=code)


def _explained(error: Exception, command: str) -> tuple[str, str, int]:
    """The reason, the rule if one refused, and the exit code."""
    # A refusal is known by what it carries; importing the rooms that raise it could fail in its turn.
    refusal = getattr(error, "refusal", error)
    if hasattr(refusal, "rule"):
        by_law = isinstance(error, NotPermitted) and bool(error.rule) and command not in HEARS_A_CASE
        # What it is about stands apart from the reason; a line that is read alone has both.
        reason = getattr(refusal, "whole", None) or getattr(refusal, "reason", error)
        return str(reason), str(refusal.rule), REFUSED_BY_LAW if by_law else BAD_INPUT
    if isinstance(error, MissingExtra):
        return str(error), "", FAULT
    if isinstance(error, OSError):
        return f"{error.filename or 'input'}: {error.strerror or error}", "", BAD_INPUT
    if isinstance(error, ValueError):
        return str(error), "", int(getattr(error, "exit_code", BAD_INPUT))
    if isinstance(error, ModuleNotFoundError):
        return str(missing(error.name)), "", FAULT
    if hasattr(error, "format_message"):
        return f"{error.format_message().rstrip('.')}; try --help", "", BAD_INPUT
    return f"a fault of croupier itself: {type(error).__name__}: {error}", "", FAULT


def _complain(message: str, *, code: int = BAD_INPUT) -> int:
    line = "".join(c if c.isprintable() else " " for c in message)
    print(f"croupier: {' '.join(line.split())}", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
