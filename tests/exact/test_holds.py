"""Bands of the hold, and grids of edges over decks, commission and scales."""

from __future__ import annotations

import json

import pytest

import croupier
from croupier.cli.app import run
from croupier.errors import BadInput
from croupier.exact.par.holds import bands, grid, read_axes
from croupier.exact.par.page import page
from croupier.rulesets import known_game


def test_bands_are_what_the_variance_says() -> None:
    sheet = croupier.odds(croupier.ruleset("nz1996", game="roulette"))
    red = next(row for row in bands(sheet, (10_000,), speed=50) if row["wager"] == "red")
    low, high = red["bands"]["95 %"]
    assert red["hours"] == 200
    assert (low + high) / 2 == pytest.approx(100 / 37)
    assert (high - low) / 2 == pytest.approx(1.959964 * 100 * (1 - 1 / 37**2) ** 0.5 / 100)
    assert "The hold, with its bands" in page(known_game("roulette"), sheet)


def test_a_grid_is_the_sheets_of_its_cells(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["odds", "baccarat", "--edition", "nzd5", "--grid", "decks=6|8"]
    assert run([*words, "--grid", "bets.banker.pays=1 to 1 less 4%|1 to 1 less 5%", "--hands", "500", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert len(answer["grid"]) == 4
    assert {row["hands"] for row in answer["holds"]} == {500}
    for row in answer["grid"]:
        if "less 5%" in row["bets.banker.pays"]:
            sheet = croupier.odds(croupier.ruleset("nzd5", elections={"decks": int(row["decks"])}), quick=True)
            assert row["edges"]["banker"] == pytest.approx(100 * float(sheet.line("banker").edge))
    by = {(row["decks"], row["bets.banker.pays"]): row["edges"]["banker"] for row in answer["grid"]}
    assert by["8", "1 to 1 less 4%"] < by["8", "1 to 1 less 5%"]


def test_what_a_grid_cannot_be_is_named() -> None:
    base = croupier.ruleset("nz1998")
    game = known_game("baccarat")
    (refused,) = grid(game, base, {"decks": ["5"]})
    assert "not permitted" in refused["refused"]
    (unknown,) = grid(game, base, {"bets.banker.paid": ["1 to 1"]})
    assert "unknown law 'paid'" in unknown["refused"]
    with pytest.raises(BadInput, match="election of a grid"):
        grid(game, base, {"deck": ["8"]})
    with pytest.raises(BadInput, match="--grid takes each"):
        read_axes(["decks"])
