"""What all commands share: their help, how an answer is told, and how far long work is."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperGroup

from croupier.cli.telling.plain import Answer, Draw, text

if TYPE_CHECKING:
    from croupier.prove import Tell, Verdict


class Commands(TyperGroup):
    """A group whose help says of each command the whole first sentence, however narrow the screen."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for command in self.commands.values():
            paragraph = (command.help or "").partition("\n\n")[0]
            command.short_help = " ".join(paragraph.split()).partition(". ")[0].rstrip(".") + "."
        super().format_commands(ctx, formatter)


# Plain help: drawing it with rich would take longer than all the rest.
PLAIN: Final[dict[str, Any]] = {"cls": Commands, "rich_markup_mode": None, "pretty_exceptions_enable": False}


def games_begun(incomplete: str) -> list[str]:
    """The games whose names begin so, for a shell that completes them."""
    from croupier.survey import catalogue

    return [name for name in catalogue.games() if name.startswith(incomplete)]


def editions_begun(incomplete: str) -> list[str]:
    """The same of editions."""
    from croupier.survey import catalogue

    return [name for name in catalogue.editions() if name.startswith(incomplete)]


Json = Annotated[bool, typer.Option("--json", help="The answer as JSON.")]
GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="baccarat, blackjack, roulette, craps, …", autocompletion=games_begun)
]
EditionName = Annotated[
    str,
    typer.Option(metavar="E", help="nz1996, nz1998, nzd5, nzeb, vic2002, or FILE.toml.", autocompletion=editions_begun),
]
DB_FROM: Final = "CROUPIER_DB"
"""Where a database may be named that holds a password: what a command is given, everybody on its machine can read."""
Db = Annotated[str, typer.Option(metavar="URL", envvar=DB_FROM, help="The journal's database.")]


def tell(answer: Answer, as_json: bool, draw: Draw) -> None:
    print(json.dumps(answer, indent=1) if as_json else text(draw, answer))


def with_progress(work: Callable[[Tell], Verdict]) -> Verdict:
    """Run work that tells how far it is, with a bar where somebody watches."""
    if not sys.stderr.isatty():
        return work(_unheard)
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}", markup=False))
    # A proof may fork, so the bar must not have a thread of its own.
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as progress:
        task = progress.add_task("", total=None)
        return work(
            lambda done, total, what: progress.update(task, completed=done, total=total, description=what, refresh=True)
        )


@contextmanager
def patience(what: str) -> Iterator[None]:
    """A sign of life for work that takes more than a second, where somebody watches."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    status = Console(stderr=True).status(what)
    waiting = Timer(1.0, status.start)
    waiting.start()
    try:
        yield
    finally:
        waiting.cancel()
        waiting.join()
        status.stop()


def _unheard(*_: object) -> None:
    """How far the work is, told to nobody."""
