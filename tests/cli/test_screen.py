"""What a narrow screen shows."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

import croupier
from croupier.cli import show


@pytest.mark.parametrize(("width", "columns"), [(60, set()), (160, {"stands off"})])
def test_a_narrow_screen_leaves_columns_out(width: int, columns: set[str]) -> None:
    console = Console(width=width, markup=False, highlight=False, file=io.StringIO(), record=True)
    show.sheet(console, croupier.odds(croupier.ruleset("nzd5")).to_dict())
    text = console.export_text()
    assert max(map(len, text.splitlines())) <= width
    assert {name for name in ("stands off",) if name in text} == columns
    assert "14.3596 %" in text
