"""Runs of four coups and more: halves joined by a series, against going through every course of a small shoe."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import perm

import numpy as np
import pytest

from croupier.exact.runs import CARDS, MOST_ERROR
from croupier.exact.runs.counting import Chances, Ints, Runs, multisets
from croupier.exact.runs.gone import after_gone, in_order, place_of, sizes
from croupier.exact.runs.halves import MOST_CARDS, Half, cut, joined, one_before
from croupier.exact.runs.longer import longer
from croupier.exact.runs.rows import RunTable
from croupier.rulesets import known_game, ruleset
from tests.exact.runs.test_runs import RUNS

VALUES = 3
EIGHT_DECKS = (128, *(32,) * 9)


def small() -> Runs:
    """Coups over three values whose outcome is drawn by lot for each sequence of six."""
    of_six = multisets(VALUES, CARDS)
    digits = np.array(np.unravel_index(np.arange(VALUES**CARDS), (VALUES,) * CARDS)).T
    counts = np.stack([(digits == value).sum(axis=1) for value in range(VALUES)], axis=1)
    places = {tuple(each): at for at, each in enumerate(of_six.counts.tolist())}
    f = np.zeros((3, len(of_six.keys)), dtype=np.int64)
    for each, outcome in zip(counts.tolist(), np.random.default_rng(7).integers(0, 3, len(digits)), strict=True):
        f[outcome, places[tuple(each)]] += 1
    return Runs(VALUES, f)


SMALL = small()


@cache
def dealt(outcomes: tuple[int, ...], shoe: tuple[int, ...]) -> Fraction:
    """The chance of these outcomes, one coup after another, through all that their cards can be."""
    if not outcomes:
        return Fraction(1)
    total = Fraction(0)
    for held, ways in zip(SMALL.of_six.counts.tolist(), SMALL.f[outcomes[0]].tolist(), strict=True):
        if ways and all(taken <= there for taken, there in zip(held, shoe, strict=True)):
            weight = ways
            for taken, there in zip(held, shoe, strict=True):
                weight *= perm(there, taken)
            rest = tuple(there - taken for taken, there in zip(held, shoe, strict=True))
            total += weight * dealt(outcomes[1:], rest)
    return total / perm(sum(shoe), CARDS)


def halves(shoe: tuple[int, ...], outcome: int, top: int) -> dict[int, Half]:
    """One, two and three coups of an outcome, by the number of coups."""
    held, many, number = np.array(shoe[::-1]), sizes(VALUES, MOST_CARDS), sum(shoe)
    gone = {}
    for coups, ways in ((1, SMALL.f[outcome]), (2, SMALL.twice[outcome])):
        gone[coups] = np.zeros((top + CARDS + 1, int(many[VALUES, top + CARDS])))
        after_gone(ways.astype(float), held, coups * CARDS, top + CARDS, many, gone[coups])
    three = np.zeros((top + 1, 1, int(many[VALUES, top])))
    sets = np.ascontiguousarray(SMALL.of_six.counts[:, ::-1])
    for j in range(top + 1):
        listed = in_order(VALUES, j)
        one_before(SMALL.f[[outcome]].astype(float), sets, gone[2], held, listed, many, three[j][:, : len(listed)])
    gone[3] = three[:, 0]

    def half(coups: int) -> Half:
        cards = coups * CARDS
        worth = (gone[coups][j, : int(many[VALUES, j])] / float(perm(number - j, cards)) for j in range(top + 1))
        return Half(cards, tuple(worth))

    return {coups: half(coups) for coups in (1, 2, 3)}


@pytest.mark.parametrize("shoe", [(30, 20, 14), (90, 40, 50), (13, 13, 13)], ids=str)
@pytest.mark.parametrize("top", [0, 1, 3, 5, 7])
@pytest.mark.parametrize(("first", "second"), [(1, 2), (2, 2), (3, 1), (3, 2), (3, 3)])
def test_the_exact_chance_is_within_the_proven_error(shoe: tuple[int, ...], top: int, first: int, second: int) -> None:
    made = halves(shoe, 1, top)
    found = joined(made[first], made[second], np.array(shoe[::-1]), top)
    apart = abs(Fraction(found.chance) - dealt((1,) * (first + second), shoe))
    assert apart <= found.error


def test_doubts_do_not_multiply_from_level_to_level() -> None:
    shoe = (90, 40, 50)
    made = halves(shoe, 1, 7)
    found = joined(made[2], made[2], np.array(shoe[::-1]), 7)
    assert found.error - cut(made[2], made[2], sum(shoe), 7) < 1e-9


def test_nothing_is_cut_where_a_half_has_no_more_levels() -> None:
    shoe = (30, 20, 14)
    made = halves(shoe, 2, CARDS)
    found = joined(made[3], made[1], np.array(shoe[::-1]), CARDS)
    assert found.chance == pytest.approx(float(dealt((2,) * 4, shoe)), rel=1e-9)
    low = joined(made[3], made[1], np.array(shoe[::-1]), 1)
    assert abs(low.chance - float(dealt((2,) * 4, shoe))) > 1e-9


def test_multisets_stand_in_the_order_in_which_they_are_counted() -> None:
    many: Ints = sizes(4, MOST_CARDS)
    for cards in range(7):
        listed = in_order(4, cards)
        assert [place_of(each, many) for each in listed] == list(range(int(many[4, cards])))


@cache
def known() -> Chances:
    return RUNS.from_shoe(EIGHT_DECKS, coups=3)


def test_from_eight_decks_every_run_is_proven() -> None:
    rules, game = ruleset("vic2002").rules, known_game("baccarat")
    names = [name for name in game.wagers(rules) if "_run_" in name]
    priced, left_out = RunTable(game, rules).rows(names, EIGHT_DECKS)
    assert left_out == []
    for row in priced:
        assert row.method == ("exact" if row.wager[-1] in "23" else "bounded")
        assert row.win + row.lose == sum(pay.probability for pay in row.pays) == 1
        if row.wager == "banker_run_6":
            one = known().one[1]
            assert abs(row.win - one**6) > Fraction(1, 10**6)


def test_a_shoe_too_small_for_a_proof_gives_nothing() -> None:
    shoe = (8, *(3,) * 9)
    assert longer(RUNS, shoe, RUNS.from_shoe(shoe, coups=3), 1, coups=4) == {}


@pytest.mark.parametrize("decks", [4, 8])
def test_from_any_shoe_the_error_is_below_the_bound_and_the_chances_fall_in_line(decks: int) -> None:
    shoe = tuple(held * decks // 8 for held in EIGHT_DECKS)
    chances = RUNS.from_shoe(shoe, coups=3)
    found = longer(RUNS, shoe, chances, 1, coups=6)
    assert sum(each.error for each in found.values()) < MOST_ERROR
    three = float(chances.three[1][1])
    for coups in (4, 5, 6):
        chance = found[(1,) * coups].chance
        assert 0.4 < chance / three < 0.5
        three = chance
