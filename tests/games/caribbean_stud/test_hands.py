"""The order of five-card hands (part 13), against examples of the gazette and against an independent evaluator."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

import pytest
from phevaluator import evaluate_cards  # type: ignore[import-untyped]

from croupier.equipment import CARDS, Card, parse_card, rank, suit
from croupier.games.caribbean_stud import CARIBBEAN_STUD
from croupier.games.caribbean_stud.hands import Ranking, class_name, value
from tests.helpers.observe import carries

DISTINCT = 7_462


def ranking() -> Ranking:
    found: Ranking = CARIBBEAN_STUD.editions["nz1996"]["caribbean_stud"].ranking
    return found


def hand(text: str) -> tuple[Card, ...]:
    return tuple(parse_card(card) for card in text.split())


def compare(first: str, second: str) -> int:
    """1, 0 or -1 as the first hand is higher, equal or lower."""
    one, other = value(ranking(), hand(first)), value(ranking(), hand(second))
    return (one > other) - (one < other)


# The evaluator numbers cards by rank, deuces first, then by suit; its ranks run from 1 (the best) to 7462.
THEIRS = [(rank(card) - 1) % 13 * 4 + suit(card) for card in range(CARDS)]


def one_of_each() -> Iterator[tuple[Card, ...]]:
    """A hand of each value: ranks in mixed suits, and those that all differ in one suit, too."""
    for ranks in combinations_with_replacement(range(13), 5):
        if len(set(ranks)) == 5:
            yield ranks
        if ranks.count(ranks[2]) < 5:
            suits = [ranks[:at].count(each) for at, each in enumerate(ranks)]
            suits[0] = 3 if len(set(ranks)) == 5 else suits[0]
            yield tuple(suit * 13 + each for suit, each in zip(suits, ranks, strict=True))


def test_every_value_is_ordered_as_by_an_independent_evaluator() -> None:
    """That all hands of a value are equal is shown by `tests/exact/test_caribbean_stud_hands.py`."""
    theirs_of = {value(ranking(), cards): evaluate_cards(*(THEIRS[card] for card in cards)) for cards in one_of_each()}
    assert [theirs_of[mine] for mine in sorted(theirs_of, reverse=True)] == list(range(1, DISTINCT + 1))


@pytest.mark.parametrize(
    ("text", "name", "rule"),
    [
        ("Qh 10c 6d 4s 2c", "odd cards", "13.1a"),
        ("9h 9c 6d 4s 2c", "one pair", "13.1b"),
        ("9h 9c 4d 4s Kc", "two pairs", "13.1c"),
        ("Kh Kc Kd 2s 3c", "three of a kind", "13.1d"),
        ("10h Jc Qd Ks Ac", "straight", "13.1e"),
        ("Ah 2c 3d 4s 5c", "straight", "13.1e"),
        ("Ah 9h 5h 3h 2h", "flush", "13.1f"),
        ("3h 3c 3d 2s 2c", "full house", "13.1g"),
        ("2h 2c 2d 2s 3c", "four of a kind", "13.1h"),
        ("6d 7d 8d 9d 10d", "straight flush", "13.1i"),
        ("As 2s 3s 4s 5s", "straight flush", "13.1i"),
        ("9d 10d Jd Qd Kd", "straight flush", "13.1i"),
        ("10d Jd Qd Kd Ad", "royal flush", "13.1j"),
    ],
)
def test_class_of_a_hand(text: str, name: str, rule: str) -> None:
    assert class_name(ranking(), hand(text)) == name
    carries(ranking().combinations[name], f"NZ1996-VIII-{rule}")


@pytest.mark.parametrize("text", ["Qc Kd Ah 2s 3c", "Jc Qc Kc Ac 2c", "Kd Ac 2c 3h 4s"])
def test_a_sequence_does_not_go_round_the_ace(text: str) -> None:
    assert class_name(ranking(), hand(text)) in ("odd cards", "flush")


def test_the_ten_classes_rise_in_the_order_of_the_law() -> None:
    lowest_to_highest = [
        *("Qh 10c 6d 4s 2c", "2h 2c 3d 4s 5c", "2h 2c 3d 3s 4c", "2h 2c 2d 3s 4c", "Ah 2c 3d 4s 5c"),
        *("2h 3h 4h 5h 7h", "2h 2c 2d 3s 3c", "2h 2c 2d 2s 3c", "As 2s 3s 4s 5s", "10d Jd Qd Kd Ad"),
    ]
    values = [value(ranking(), hand(text)) for text in lowest_to_highest]
    assert [found[0] for found in values] == list(range(10))
    assert values == sorted(values)


@pytest.mark.parametrize(
    ("higher", "lower", "rule"),
    [
        ("Ah 3c 4d 5s 7c", "Kh Qc Jd 10s 8c", "3.2"),
        ("Ah Ac 2d 3s 4c", "Kh Kc Qd Js 10c", "13.1b"),
        ("Ah Ac Kd Ks 2c", "As Ad Qd Qs Kc", "13.1c"),
        ("Kh Kc Kd 2s 3c", "Qh Qc Qd As Kc", "13.1d"),
        ("Ah 9h 5h 3h 2h", "Kc Qc Jc 9c 8c", "13.1f"),
        ("Ah Kh 5h 4h 2h", "Ac Kc 5c 3c 2c", "13.1f"),
        ("3h 3c 3d 2s 2c", "2h 2c 2d As Ac", "13.1g"),
        ("2h 2c 2d 2s 3c", "Ah Ac Ad Ks Kc", "13.1h"),
        ("6d 7d 8d 9d 10d", "Ah Ac Ad As Kc", "13.1i"),
        ("10d Jd Qd Kd Ad", "9d 10d Jd Qd Kd", "13.1j"),
        ("9h 10c Jd Qs Kc", "7h 8c 9d 10s Jc", "13.3a"),
        ("2h 3c 4d 5s 6c", "Ah 2c 3d 4s 5c", "13.3a"),
        ("2h 3h 4h 5h 6h", "As 2s 3s 4s 5s", "13.3a"),
        ("10h 10c 2d 2s 3c", "9h 9c 8d 8s Ac", "13.3b"),
        ("9h 9c 5d 5s 2c", "9s 9d 4d 4s Kc", "13.3b"),
        ("9h 9c 4d 4s Kc", "9s 9d 4h 4c Qc", "13.3b"),
        ("8h 8c Ad 5s 2c", "8s 8d Kc Qc Jc", "13.3c"),
        ("8h 8c Ad 5s 2c", "8s 8d Ac 4c 3c", "13.3c"),
        ("8h 8c Ad 5s 3c", "8s 8d Ac 5c 2c", "13.3c"),
        ("Ah Kc 9d 4s 2c", "As Kd 8c 7c 6h", "13.3d"),
        ("Ah Kc 9d 4s 3c", "As Kd 9c 4c 2h", "13.3d"),
        ("7h 7c 7d 3s 2c", "6h 6c 6d As Kc", "13.3"),
        ("7h 7c 7d 7s 2c", "6h 6c 6d 6s Ac", "13.3"),
    ],
)
def test_which_hand_is_higher(higher: str, lower: str, rule: str) -> None:
    assert compare(higher, lower) == 1
    assert compare(lower, higher) == -1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("2s 4s 6s 8s 10s", "2h 4h 6h 8h 10h"),
        ("10d Jd Qd Kd Ad", "10s Js Qs Ks As"),
        ("Ah Kc 9d 4s 2c", "As Kd 9c 4c 2h"),
    ],
)
def test_suits_are_equal(first: str, second: str) -> None:
    assert compare(first, second) == 0


def test_the_order_of_the_cards_in_a_hand_does_not_matter() -> None:
    assert len({value(ranking(), cards) for cards in (hand("9h 9c 4d 4s Kc"), hand("Kc 4s 9c 4d 9h"))}) == 1
