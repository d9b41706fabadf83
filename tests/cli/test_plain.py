"""What is written to a file or a pipe without `rich` is letter for letter what `rich` would write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from croupier.cli.telling import plain, show
from croupier.cli.telling.plain import NotPlain, PlainPage
from croupier.present import Fitted
from croupier.survey import pages


def _page() -> dict[str, Any]:
    return pages.pages("nzd5")["NZD5-5.11"]


def _listed() -> dict[str, Any]:
    return {"rows": [{"game": "craps", "ways": 36, "said": "two\nlines"}, {"game": "a", "ways": 1, "said": ""}]}


def _case() -> dict[str, Any]:
    from croupier.hearing import adjudicate, as_json, read_line

    return dict(as_json(adjudicate(read_line("nz1998 banker 100, tie 5: 2h 3d Kc Qs 8h"))))


def _odds() -> dict[str, Any]:
    import croupier

    return croupier.odds(croupier.ruleset("nz1996", game="roulette")).to_dict()


@pytest.mark.parametrize(
    ("draw", "answer"),
    [(show.rule, _page), (show.listed, _listed), (show.case, _case), (show.sheet, _odds)],
)
def test_both_write_the_same(draw: plain.Draw, answer: Callable[[], dict[str, Any]]) -> None:
    result = answer()
    page = PlainPage(plain.PIPE_WIDTH)
    draw(page, result)  # type: ignore[arg-type]
    assert "\n".join(page.lines).rstrip("\n") == plain.by_rich(draw, result)


@pytest.mark.parametrize(
    "what",
    ["", "short", "  indented", "two\nlines\n", "word " * 60, "x" * 159 + " y", "x" * 160 + " y", "a  b " * 50],
)
def test_lines_are_folded_where_rich_folds_them(what: str) -> None:
    page = PlainPage(plain.PIPE_WIDTH)
    page.print(what)
    drawn = plain.by_rich(lambda console, _: console.print(what), {})
    assert "\n".join(page.lines).rstrip("\n") == drawn


@pytest.mark.parametrize(
    "what",
    ["牌", "a\tb", "\x1b[31m", "e\u0301", "x" * 161, Fitted([{"a": "x" * 200}], "", (), ()), Fitted([], "", (), ())],
)
def test_what_only_rich_can_set_is_left_to_it(what: str | Fitted) -> None:
    with pytest.raises(NotPlain):
        PlainPage(plain.PIPE_WIDTH).print(what)
