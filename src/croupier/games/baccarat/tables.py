"""The cards' values and the Tables of Play, in the typography of each gazette.

New Zealand prints a row per Banker count: the third cards of the Player's Hand on which the Banker draws, then those
on which it stands.  Victoria prints a grid of D and S, with a column for "no card".  Each is kept as printed and read
by a small function; a test proves that they all say the same.
"""

from __future__ import annotations

from croupier.law.model import Citer, Law

COUNTS = range(10)


def points_by_rank(ace: int, tens: int) -> tuple[int, ...]:
    """Point values from the ace to the king; two to nine count their figure."""
    return (ace, *range(2, 10), tens, tens, tens, tens)


def row(text: str) -> frozenset[int]:
    """A row as New Zealand prints it: the third cards on which the Banker draws, a bar, those on which it stands."""
    draws, stands = (frozenset(int(n) for n in part.split("-") if n) for part in text.split("|"))
    if draws | stands != frozenset(COUNTS) or draws & stands:
        raise ValueError(f"a row of the Table must name each of 0 to 9 once: {text!r}")
    return draws


def grid_row(text: str) -> tuple[bool, frozenset[int]]:
    """A row as Victoria prints it: D or S for no card, then for third cards 0 to 9."""
    cells = text.split()
    if len(cells) != 11 or set(cells) - {"D", "S"}:
        raise ValueError(f"a row of the grid has eleven cells of D or S: {text!r}")
    return cells[0] == "D", frozenset(n for n in COUNTS if cells[n + 1] == "D")


def nz1996_table_2(law: Citer) -> tuple[Law[frozenset[int]], ...]:
    """Table 2 as the 1996 gazette prints it, in its order of rows turned to the order of counts."""
    always = law(row("0-1-2-3-4-5-6-7-8-9|"), "9.4-row-0-2", "9.4", "9.4a")
    never = law(row("|0-1-2-3-4-5-6-7-8-9"), "9.4-row-7", "9.4b")
    return (
        *(always, always, always),
        law(row("0-1-2-3-4-5-6-7-9|8"), "9.4-row-3"),
        law(row("2-3-4-5-6-7|0-1-8-9"), "9.4-row-4"),
        law(row("4-5-6-7|0-1-2-3-8-9"), "9.4-row-5"),
        law(row("6-7|0-1-2-3-4-5-8-9"), "9.4-row-6"),
        *(never, never, never),
    )


def later_table_2(law: Citer) -> tuple[Law[frozenset[int]], ...]:
    """Table 2 as the 1998 gazette and Division 5 print it."""
    always = law(row("0-1-2-3-4-5-6-7-8-9|"), "9.4.T2.0-2", "9.4", "9.4a")
    never = law(row("|0-1-2-3-4-5-6-7-8-9"), "9.4.T2.7", "9.4b")
    return (
        *(always, always, always),
        law(row("0-1-2-3-4-5-6-7-9|8"), "9.4.T2.3"),
        law(row("2-3-4-5-6-7|0-1-8-9"), "9.4.T2.4"),
        law(row("4-5-6-7|0-1-2-3-8-9"), "9.4.T2.5"),
        law(row("6-7|0-1-2-3-4-5-8-9"), "9.4.T2.6"),
        *(never, never, never),
    )


# Table 2 as Victoria prints it: no card, then the Player's third card from 0 to 9.
VIC2002_TABLE_2: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("D  D D D D D D D D D D", ("9.T2.0-2", "9.3.1")),
    ("D  D D D D D D D D D D", ("9.T2.0-2",)),
    ("D  D D D D D D D D D D", ("9.T2.0-2",)),
    ("D  D D D D D D D D S D", ("9.T2.3",)),
    ("D  S S D D D D D D S S", ("9.T2.4",)),
    ("D  S S S S D D D D S S", ("9.T2.5",)),
    ("S  S S S S S S D D S S", ("9.T2.6",)),
    ("S  S S S S S S S S S S", ("9.T2.7", "9.3.2")),
    ("S  S S S S S S S S S S", ("9.T2.8-9",)),
    ("S  S S S S S S S S S S", ("9.T2.8-9",)),
)
