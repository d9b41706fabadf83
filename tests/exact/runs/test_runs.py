"""Runs within one shoe: the reckoning over reserved places against dealing coup after coup from a small shoe."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import pytest

from croupier.equipment import full_shoe
from croupier.exact.automaton import Automaton, build
from croupier.exact.engines import OddsAsked
from croupier.exact.runs import CARDS
from croupier.exact.runs.counting import Chances, Runs, multisets, sequences_by_multiset
from croupier.exact.runs.rows import RunTable
from croupier.exact.sheet import by_symbol, sheet
from croupier.exact.ways import Worth
from croupier.game import Won
from croupier.rulesets import known_game, ruleset

BACCARAT = known_game("baccarat")
RULES = ruleset("vic2002").rules
MAIN = ("player", "banker", "tie")
AUTOMATON: Automaton = build(BACCARAT, RULES, at_start=MAIN)


def outcomes() -> Mapping[int, int]:
    """The outcome of each final position: the number of the main wager that wins."""
    return {
        position: [isinstance(how, Won) for how in AUTOMATON.decided[position]].index(True)
        for position, over in enumerate(AUTOMATON.over)
        if over and any(isinstance(how, Won) for how in AUTOMATON.decided[position])
    }


OUTCOMES = outcomes()
WAYS = sequences_by_multiset(AUTOMATON, dict(OUTCOMES), len(MAIN), multisets(len(AUTOMATON.symbols), CARDS))
RUNS = Runs(len(AUTOMATON.symbols), WAYS)


@cache
def dealt(coups: int, wanted: int, position: int, shoe: tuple[int, ...]) -> Fraction:
    """The chance of so many more coups with this outcome, dealing card by card from what is left."""
    if AUTOMATON.over[position]:
        if OUTCOMES[position] != wanted:
            return Fraction(0)
        return Fraction(1) if coups == 1 else dealt(coups - 1, wanted, 0, shoe)
    cards, chance = sum(shoe), Fraction(0)
    for symbol, held in enumerate(shoe):
        if held:
            left = (*shoe[:symbol], held - 1, *shoe[symbol + 1 :])
            chance += Fraction(held, cards) * dealt(coups, wanted, AUTOMATON.step[position][symbol], left)
    return chance


def test_every_sequence_of_six_values_is_counted_once() -> None:
    assert int(WAYS.sum()) == 10**6


@pytest.mark.parametrize("wanted", range(len(MAIN)), ids=MAIN)
@pytest.mark.parametrize(
    ("coups", "shoe"),
    [
        (1, (2, 1, 0, 1, 0, 0, 1, 0, 1, 1)),
        (2, (4, 0, 3, 0, 0, 4, 0, 0, 3, 0)),
        (2, (5, 4, 0, 0, 0, 0, 0, 0, 0, 4)),
        (3, (6, 0, 0, 4, 0, 0, 5, 0, 4, 0)),
    ],
)
def test_small_shoes_equal_dealing_coup_after_coup(coups: int, shoe: tuple[int, ...], wanted: int) -> None:
    found = RUNS.from_shoe(shoe, coups=coups)
    assert found.of([wanted] * coups) == dealt(coups, wanted, 0, shoe)


def test_two_bankers_from_eight_decks_differ_a_little_from_independent_coups() -> None:
    shoe = by_symbol(BACCARAT, RULES, full_shoe(8), exact_cards=False)
    chances = RUNS.from_shoe(shoe, coups=2)
    one, two = chances.one[1], chances.two[1][1]
    assert one == Fraction(2_292_252_566_437_888, 4_998_398_275_503_360)
    assert two != one**2
    assert abs(two - one**2) < Fraction(1, 100_000)


@cache
def found(coups: int, shoe: tuple[int, ...]) -> Chances:
    return RUNS.from_shoe(shoe, coups=coups)


@pytest.mark.parametrize("first", range(len(MAIN)), ids=MAIN)
def test_what_comes_after_a_coup_adds_up_to_the_coup(first: int) -> None:
    """In any shoe: some outcome follows, and the order of two outcomes does not matter."""
    shoe = (6, 1, 2, 3, 1, 4, 0, 2, 3, 2)
    chances = found(3, shoe)
    assert sum(chances.two[first]) == chances.one[first]
    assert sum(chances.three[first]) == chances.two[first][first]
    for second in range(len(MAIN)):
        assert chances.two[first][second] == chances.two[second][first]
        assert chances.of([first, second, first]) == chances.three[first][second]


def test_chances_that_were_not_reckoned_are_not_known() -> None:
    shoe = (6, 1, 2, 3, 1, 4, 0, 2, 3, 2)
    assert found(3, shoe).of([0, 1, 2]) is None
    assert found(3, shoe).of([0, 0, 0, 0]) is None
    assert RUNS.from_shoe(shoe, coups=1).of([0, 0]) is None
    assert found(3, shoe).of([]) == 1


@pytest.mark.parametrize(("cards", "enough"), [(11, False), (12, True), (13, True)])
def test_two_coups_need_twelve_cards(cards: int, *, enough: bool) -> None:
    shoe = (cards - 9, *(1,) * 9)
    if enough:
        assert sum(RUNS.from_shoe(shoe, coups=2).one) == 1
    else:
        with pytest.raises(ValueError, match="2 coups need 12 cards, and the shoe has 11"):
            RUNS.from_shoe(shoe, coups=2)


# ---------------------------------------------------------------- the rows


@cache
def rows() -> dict[str, Worth]:
    """The Runs of Victoria from a shoe of 24 cards, in which what is gone matters much."""
    shoe = (8, 2, 2, 2, 2, 2, 2, 1, 2, 1)
    names = [name for name in BACCARAT.wagers(RULES) if "_run_" in name and not name.endswith(("5", "6"))]
    priced, left_out = RunTable(BACCARAT, RULES).rows(names, shoe)
    assert left_out == []
    return {row.wager: row for row in priced}


def test_runs_of_two_and_three_are_exact_and_longer_ones_independent() -> None:
    for name, row in rows().items():
        assert row.method == ("exact" if name[-1] in "23" else "independent")
        assert row.win + row.lose == 1
        assert sum(pay.probability for pay in row.pays) == 1


@pytest.mark.parametrize("name", ["player", "banker", "tie"])
def test_a_run_is_won_as_often_as_its_coups_come_in_a_row(name: str) -> None:
    shoe = (8, 2, 2, 2, 2, 2, 2, 1, 2, 1)
    kind, one = MAIN.index(name), found(1, shoe).one
    for coups in (2, 3):
        assert rows()[f"{name}_run_{coups}"].win == found(coups, shoe).of([kind] * coups) != one[kind] ** coups
    assert rows()[f"{name}_run_4"].win == one[kind] ** 4


def test_a_combination_follows_the_banker_and_says_so() -> None:
    for coups in (2, 3, 4):
        combination, banker = (rows()[f"{kind}_run_{coups}"] for kind in ("combination", "banker"))
        assert (combination.policy, banker.policy) == ("banker each coup", "")
        assert combination.win == banker.win


def test_a_tie_breaks_every_run_but_its_own() -> None:
    """VIC2002-10.1.fn-run: a run is lost on the first coup that is not what it wants, and the rule of it is told."""
    broken = {pay.result: pay.rule for pay in rows()["player_run_3"].pays}
    assert broken["broken by a tie"] == "VIC2002-10.1.fn-run"
    assert broken["3 in a row"] == "VIC2002-10.1.run-player-3"
    assert {pay.result for pay in rows()["tie_run_2"].pays} == {"2 in a row", "broken"}


def test_a_run_that_the_shoe_cannot_finish_is_left_out_with_the_reason() -> None:
    shoe = (4, *(1,) * 9)
    priced, left_out = RunTable(BACCARAT, RULES).rows(["banker_run_2", "banker_run_3"], shoe)
    assert [row.wager for row in priced] == ["banker_run_2"]
    assert left_out == [("banker_run_3", "needs 18 cards, and the shoe has 13")]


def test_a_quick_sheet_leaves_runs_out() -> None:
    quick = sheet(BACCARAT, ruleset("vic2002"), asked=OddsAsked(quick=True))
    assert [line.wager for line in quick.lines] == ["player", "banker", "tie"]
    assert {reason for _, reason in quick.left_out} == {"priced over several coups"}
    assert len(quick.left_out) == 18
