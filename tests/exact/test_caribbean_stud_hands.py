"""Every hand of five cards, in the order of the law and in that of an independent evaluator."""

from __future__ import annotations

from itertools import combinations

import pytest
from phevaluator import evaluate_cards  # type: ignore[import-untyped]

from croupier.equipment import CARDS
from croupier.games.caribbean_stud.hands import Value, value
from tests.games.caribbean_stud.test_hands import DISTINCT, THEIRS, ranking

COUNTS = {
    "odd cards": 1_302_540,
    "one pair": 1_098_240,
    "two pairs": 123_552,
    "three of a kind": 54_912,
    "straight": 10_200,
    "flush": 5_108,
    "full house": 3_744,
    "four of a kind": 624,
    "straight flush": 36,
    "royal flush": 4,
}


def test_all_hands_are_ordered_as_by_an_independent_evaluator() -> None:
    here = ranking()
    theirs_of: dict[Value, int] = {}
    classes = [0] * len(COUNTS)
    for cards, same in zip(combinations(range(CARDS), 5), combinations(THEIRS, 5), strict=True):
        mine, theirs = value(here, cards), evaluate_cards(*same)
        classes[mine[0]] += 1
        if theirs_of.setdefault(mine, theirs) != theirs:
            pytest.fail(f"{cards} is not equal to the other hands of value {mine}")
    assert dict(zip(here.order.value, classes, strict=True)) == COUNTS
    assert sum(classes) == 2_598_960
    assert [theirs_of[mine] for mine in sorted(theirs_of, reverse=True)] == list(range(1, DISTINCT + 1))
