"""Answers to look at: short texts, tables for a screen, tables for a notebook, all from the same rows.

An object that people look at (a sheet, a result, a case, a table) gives `rows()`: a list of flat dictionaries that any
data frame takes.  What a screen or a notebook shows of it is drawn here from those rows, so that each kind of answer
says the same everywhere.  `rich` is imported only when something is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from croupier.once import fitting

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.table import Table

    from croupier.markup import Html

Rows: TypeAlias = "list[dict[str, Any]]"
FOLDED: Final = 24
"""Characters to which words may be folded before a table does without a column."""
MOST_ROWS: Final = 60
"""Rows that a notebook shows; `rows()` has them all."""


def short(kind: str, **said: object) -> str:
    """A `repr` that fits a line: the kind of thing, and what tells it from others."""
    details = ", ".join(f"{name}={value}" for name, value in said.items() if value not in (None, ""))
    return fitting(f"<{kind}: {details}>")


def screen_table(
    rows: Iterable[Mapping[str, str]], title: str = "", *, right: Sequence[str] = (), edged: bool = True
) -> Table:
    """Rows of cells by column; a column that says nothing in any row is left out, figures are set to the right."""
    from rich import box
    from rich.table import Table

    cells = list(rows)
    table = Table(
        box=box.SIMPLE_HEAD,
        title=title or None,
        title_justify="left",
        title_style="bold",
        show_edge=edged,
        pad_edge=edged,
    )
    columns = kept_columns(cells, right)
    for name, set_right in columns.items():
        table.add_column(name, justify="right" if set_right else "left", overflow="fold", no_wrap=set_right)
    for row in cells:
        table.add_row(*(row[name] for name in columns))
    return table


def kept_columns(cells: Sequence[Mapping[str, str]], right: Sequence[str]) -> dict[str, bool]:
    """The columns that say something, and whether they are set to the right: figures are, without words among them."""
    names = [name for name in (cells[0] if cells else ()) if any(row[name] for row in cells)]
    return {n: n in right and not any(char.isalpha() for row in cells for char in row[n]) for n in names}


class Fitted:
    """A table that leaves out its spare columns, the first named first, until the screen has room for the rest."""

    def __init__(
        self, rows: Iterable[Mapping[str, str]], title: str, right: Sequence[str], spare: Sequence[str]
    ) -> None:
        self.rows, self.title, self.right, self.spare = list(rows), title, right, spare

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> Iterator[Table]:
        rows = self.fitting(options.max_width)
        # Where even the columns that must stay have no room, the four of the edges are theirs.
        edged = self._needed(rows) <= options.max_width
        yield screen_table(rows, self.title, right=self.right, edged=edged)

    def fitting(self, width: int) -> Sequence[Mapping[str, str]]:
        """The rows without the columns for which there is no room."""
        rows: Sequence[Mapping[str, str]] = self.rows
        left = [name for name in self.spare if any(name in row for row in self.rows)]
        while left and self._needed(rows) > width:
            gone, *left = left
            rows = [{name: cell for name, cell in row.items() if name != gone} for row in rows]
        return rows

    def _needed(self, rows: Sequence[Mapping[str, str]]) -> int:
        """Characters that the columns take; words may be folded, figures not."""
        widths: dict[str, int] = {}
        for name, text in ((name, text) for row in rows for name, text in row.items() if text):
            longest = max(len(name), *map(len, text.splitlines()))
            words = any(char.isalpha() for char in text)
            widths[name] = max(widths.get(name, 0), min(longest, FOLDED) if words else longest)
        return sum(widths.values()) + 3 * len(widths)


def drawn(rows: Sequence[Mapping[str, object]], title: str) -> Table:
    """Rows of figures for a screen."""
    figures = [name for name in (rows[0] if rows else ()) if any(isinstance(row[name], int | float) for row in rows)]
    return screen_table(({name: cell(value) for name, value in row.items()} for row in rows), title, right=figures)


def cell(value: object) -> str:
    """A value as people read it."""
    match value:
        case None | "":
            return ""
        case bool():
            return "yes" if value else "no"
        case Fraction() | float():
            return f"{float(value):.6g}"
        case int():
            return f"{value:,}"
        case _:
            return str(value)


def html_table(rows: Sequence[Mapping[str, object]], title: str, *notes: str) -> str:
    """Rows for a notebook, with what must be said beside them."""
    from croupier.markup import el

    head = list(rows[0]) if rows else []
    kept = [name for name in head if any(row[name] not in (None, "") for row in rows)]
    shown, more = rows[:MOST_ROWS], len(rows) - MOST_ROWS
    table = el(
        "table",
        el("thead", el("tr", *(el("th", name.replace("_", " ")) for name in kept))),
        el("tbody", *(el("tr", *(_cell(row[name]) for name in kept)) for row in shown)),
    )
    said = (*notes, f"{more} more rows: see rows()") if more > 0 else notes
    return el("div", el("p", el("b", title)), table, *(el("p", note) for note in said if note)).text


def _cell(value: object) -> Html:
    from croupier.markup import el

    return el("td", cell(value), style="text-align:right" if isinstance(value, int | float | Fraction) else "")
