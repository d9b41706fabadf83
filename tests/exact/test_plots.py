"""The figures behind the plots of a PAR sheet: the result of a shift, and what each card is worth."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import comb

import pytest

import croupier
from croupier.equipment import RANKS, full_shoe
from croupier.exact.par.plots import edge_bars, nice_step, signed
from croupier.exact.par.removal import removals
from croupier.exact.par.shift import shift
from croupier.exact.ways import Worth, worth_of
from croupier.game import Lost, Resolution, StandOff, Won
from croupier.markup import el
from croupier.money import to
from croupier.rulesets import known_game


def coin(*, win: Fraction, pays: int = 1, off: Fraction = Fraction(0)) -> Worth:
    ends: dict[Resolution, Fraction] = {Won(to(pays), "R-1"): win, StandOff("R-2"): off, Lost("R-3"): 1 - win - off}
    return worth_of("coin", {how: chance for how, chance in ends.items() if chance}, offered=Fraction(1))


@pytest.mark.parametrize(("pays", "rounds"), [(1, 1), (1, 10), (35, 20), (7, 33)])
def test_a_shift_is_the_binomial_sum(pays: int, rounds: int) -> None:
    """The convolution against counting: the house is behind if enough wagers win."""
    p = Fraction(1, 5)
    this = shift(coin(win=p, pays=pays), rounds)
    behind = sum(
        comb(rounds, wins) * p**wins * (1 - p) ** (rounds - wins)
        for wins in range(rounds + 1)
        if wins * pays > rounds - wins
    )
    assert this.method == "convolution"
    assert this.behind == pytest.approx(float(behind), abs=1e-12)
    assert this.mean == pytest.approx(rounds * float(1 - p * (pays + 1)))


def test_coming_out_even_is_no_loss() -> None:
    this = shift(coin(win=Fraction(1, 2)), 2)
    assert this.behind == pytest.approx(0.25)
    assert sum(bar.chance for bar in this.bars) == pytest.approx(1)


def test_a_wager_with_one_end_has_one_bar() -> None:
    this = shift(coin(win=Fraction(0)), 5)
    assert [(bar.chance, this.behind, this.mean) for bar in this.bars] == [(1, 0, 5)]


def test_bars_cover_all_but_the_far_tails() -> None:
    for rounds in (100, 480):
        bars = shift(coin(win=Fraction(2, 5), off=Fraction(1, 10)), rounds).bars
        assert sum(bar.chance for bar in bars) > 0.9998
        assert all(a.high == pytest.approx(b.low) for a, b in pairwise(bars))


def test_a_lattice_too_fine_is_told_as_normal() -> None:
    half = Fraction(1, 2)
    ends: dict[Resolution, Fraction] = {
        Won(to(99_991, 99_989), "R-1"): half,
        Lost("R-2"): half,
        StandOff("R-3"): half * 0,
    }
    this = shift(worth_of("odd", ends, offered=Fraction(1)), 480)
    assert this.method == "normal approximation"
    assert this.behind == pytest.approx(0.5, abs=0.01)


# ---------------------------------------------------------------- what a card is worth


def test_removing_a_card_is_the_difference_of_two_sheets() -> None:
    rules = croupier.ruleset("nz1998")
    full = croupier.odds(rules)
    found = {each.wager: each.changes for each in removals(known_game("baccarat"), full)}
    assert set(found) == {"player", "banker", "tie"}
    for rank in (0, 5):
        shoe = list(full_shoe(8))
        shoe[rank] -= 1
        for line, before in zip(croupier.odds(rules, shoe=shoe).lines, full.lines, strict=True):
            assert found[line.wager][rank] == line.edge - before.edge
    assert len({found["banker"][rank] for rank in (9, 10, 11, 12)}) == 1


def test_a_rank_that_is_not_there_cannot_be_removed() -> None:
    shoe = [0 if card % 13 == 3 else 8 for card in range(52)]
    found = removals(known_game("baccarat"), croupier.odds(croupier.ruleset("nz1998"), shoe=shoe))
    assert [RANKS[n] for n, change in enumerate(found[0].changes) if change is None] == ["4"]


def test_dice_have_no_cards_to_remove() -> None:
    assert removals(known_game("roulette"), croupier.odds(croupier.ruleset("nz1996", game="roulette"))) == ()


# ---------------------------------------------------------------- drawing


def test_texts_are_escaped() -> None:
    assert el("p", "<b>&", cls='"').text == '<p class="&quot;">&lt;b&gt;&amp;</p>'
    assert "<b>" not in edge_bars([("<b>", Fraction(1, 3))]).text


@pytest.mark.parametrize(("span", "about", "step"), [(10, 5, 2), (1, 4, 0.5), (37, 4, 10), (480, 6, 100)])
def test_steps_are_round_numbers(span: float, about: int, step: float) -> None:
    assert nice_step(span, about) == pytest.approx(step)


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0.0"), (0.04, "0.0"), (-0.04, "0.0"), (1.25, "+1.2"), (-1234.5, "−1,234.5")]
)
def test_numbers_have_their_sign(value: float, text: str) -> None:
    assert signed(value, 1) == text
