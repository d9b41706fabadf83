"""One loop that needs nobody, and three that do."""

from __future__ import annotations

from typing import Any

import numpy as np

from croupier.kept.compiling import alone, compiled


@alone
def _part(table: Any, row: int, column: int) -> float:
    return float(table[row, column] / (row + 1))


@alone
def weighed(table: Any, found: Any, skip: int) -> None:
    """Sums of columns, after a filling of memory that the compiler makes a call of its own."""
    found[:] = 0.0
    for row in range(skip, len(table)):
        for column in range(len(found)):
            found[column] += _part(table, row, column)


@compiled
def raises(found: Any) -> None:
    if found[0] < 0:
        raise ValueError("below nought")
    found[0] %= 2.5


@compiled
def allocates(found: Any) -> None:
    copied = np.empty(len(found))
    copied[0] = found[0]
    found[0] = copied[0] - 2.5


@compiled
def calls(found: Any) -> None:
    found[0] %= 2.5
