"""Runs within one shoe: the reckoning over reserved places against dealing coup after coup from a small shoe."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import pytest

from croupier.equipment import full_shoe
from croupier.exact.automaton import Automaton, build
from croupier.exact.runs import CARDS, multisets, run_chances, sequences_by_multiset
from croupier.exact.sheet import by_symbol
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
    assert run_chances(WAYS[wanted], shoe, coups=coups) == dealt(coups, wanted, 0, shoe)


def test_two_bankers_from_eight_decks_differ_a_little_from_independent_coups() -> None:
    shoe = by_symbol(BACCARAT, RULES, full_shoe(8), exact_cards=False)
    one = run_chances(WAYS[1], shoe, coups=1)
    assert one == Fraction(2_292_252_566_437_888, 4_998_398_275_503_360)
    two = run_chances(WAYS[1], shoe, coups=2)
    assert two != one**2
    assert abs(two - one**2) < Fraction(1, 100_000)
