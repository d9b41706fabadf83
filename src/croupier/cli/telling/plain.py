"""Answers written without `rich`, where nobody looks at a screen.

Loading `rich` takes longer than answering most questions, and a file or a pipe gets neither colour nor a width of its
own.  `PlainPage` stands in for its console and writes the same characters: `tests/cli/test_plain.py` holds both side by
side.  What it does not know how to set (wide letters, a table or a word wider than the page) it gives up with
`NotPlain`, and `rich` draws the whole.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from croupier.present import Fitted, kept_columns

if TYPE_CHECKING:
    from rich.console import Console

Answer: TypeAlias = Mapping[str, Any]
Draw: TypeAlias = "Callable[[Console, Answer], None]"

PIPE_WIDTH = 160
"""Columns where there is no screen to ask: a file has room for a whole table, unless `COLUMNS` says what it has."""

NARROWEST = 20

COLOUR_ANYWHERE: Final = frozenset({"FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"})
"""Words of the environment by which somebody asks `rich` for colours where there is no screen."""

WORDS = re.compile(r"\s*\S+\s*")
STRANGE = re.compile("[^ -~\n\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u22ff]")
"""Letters that may not be one column wide each."""


def text(draw: Draw, answer: Answer) -> str:
    """The answer as it is to be printed.  What users typed must not be taken for markup."""
    watched = sys.stdout.isatty() or bool(COLOUR_ANYWHERE & os.environ.keys())
    if not watched:
        page = PlainPage(page_width())
        with suppress(NotPlain):
            draw(cast("Console", page), answer)
            return "\n".join(page.lines).rstrip("\n")
    return by_rich(draw, answer)


def page_width() -> int:
    """The columns of what is no screen.

    A program that reads lines from a terminal sets `COLUMNS` together with `LINES` for all that it starts, and nobody
    wished for it; a person sets `COLUMNS` alone.
    """
    wished = "" if "LINES" in os.environ else os.environ.get("COLUMNS", "")
    return max(NARROWEST, int(wished)) if wished.isdecimal() and wished.isascii() else PIPE_WIDTH


def by_rich(draw: Draw, answer: Answer) -> str:
    """The same with everything that a screen can show."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else page_width()
    console = Console(width=width, markup=False, emoji=False, highlight=False)
    with console.capture() as drawn:
        draw(console, answer)
    return drawn.get().rstrip("\n")


class NotPlain(Exception):
    """Something that only `rich` can set."""


class PlainPage:
    """A console of so many columns that keeps what is printed."""

    def __init__(self, width: int) -> None:
        self.width, self.lines = width, list[str]()

    def print(self, what: str | Fitted = "", *, style: str = "", **how: object) -> None:  # noqa: ARG002
        """As the console of `rich` prints it; a style needs a screen."""
        if how:
            raise NotPlain
        if isinstance(what, Fitted):
            self.lines += self._table(what)
        else:
            self.lines += [part for line in _checked(what).split("\n") for part in self._wrapped(line)]

    def _wrapped(self, line: str) -> list[str]:
        lines, room = [""], self.width
        if len(line) <= room:
            return [line]
        for word in WORDS.findall(line):
            needed = len(word.rstrip())
            if needed > self.width:
                raise NotPlain
            if needed > room:
                lines.append("")
                room = self.width
            lines[-1] += word
            room -= len(word)
        return [line[: self.width] if line[self.width :].isspace() else line for line in lines]

    def _table(self, table: Fitted) -> list[str]:
        rows = table.fitting(self.width)
        columns = kept_columns(rows, table.right)
        cells = [[_checked(row[name]).split("\n") for name in columns] for row in rows]
        widths = [max(len(name), *(len(line) for row in cells for line in row[n])) for n, name in enumerate(columns)]
        whole = sum(widths) + 3 * len(widths) + 1
        if not columns or whole > self.width or len(_checked(table.title)) > whole:
            raise NotPlain
        flush = [columns[name] for name in columns]
        return [
            *([table.title.ljust(whole)] if table.title else []),
            " " * whole,
            *_set([[name] for name in columns], widths, flush),
            f" {'─' * (whole - 2)} ",
            *(line for row in cells for line in _set(row, widths, flush)),
            " " * whole,
        ]


def _checked(text: str) -> str:
    if STRANGE.search(text):
        raise NotPlain
    return text


def _set(row: Sequence[Sequence[str]], widths: Sequence[int], flush: Sequence[bool]) -> list[str]:
    """The lines of a row, every cell as wide as its column; the true ones are set to the right."""
    lines = []
    for n in range(max(map(len, row))):
        cells = [cell[n] if n < len(cell) else "" for cell in row]
        padded = (c.rjust(w) if right else c.ljust(w) for c, w, right in zip(cells, widths, flush, strict=True))
        lines.append(f"  {'   '.join(padded)}  ")
    return lines
