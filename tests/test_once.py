"""A pure function that remembers its last answer: nobody can tell, but for the time."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from croupier.once import LATELY, once, once_of_both


@dataclass(frozen=True)
class Hand:
    cards: tuple[int, ...]


def test_the_same_object_is_asked_about_once() -> None:
    seen: list[Hand] = []

    @once
    def total(hand: Hand) -> int:
        seen.append(hand)
        return sum(hand.cards)

    first, equal, other = Hand((1, 2)), Hand((1, 2)), Hand((3, 4))
    assert [total(first), total(first), total(other), total(other), total(first)] == [3, 3, 7, 7, 3]
    assert seen == [first, other]
    # An equal hand is another object: it is asked about anew, since to compare could cost more than to ask.
    assert total(equal) == 3
    assert len(seen) == 3


def test_two_objects_are_asked_about_together() -> None:
    seen: list[tuple[Hand, Hand]] = []

    @once_of_both
    def ahead(left: Hand, right: Hand) -> int:
        seen.append((left, right))
        return sum(left.cards) - sum(right.cards)

    low, high = Hand((1,)), Hand((9,))
    assert [ahead(low, high), ahead(low, high), ahead(high, low), ahead(low, low), ahead(low, high)] == [
        -8,
        -8,
        8,
        0,
        -8,
    ]
    assert seen == [(low, high), (high, low), (low, low)]


def test_only_the_last_few_answers_are_kept() -> None:
    seen: list[Hand] = []

    @once
    def total(hand: Hand) -> int:
        seen.append(hand)
        return sum(hand.cards)

    hands = [Hand((number,)) for number in range(LATELY + 1)]
    assert [total(hand) for hand in hands] == list(range(LATELY + 1))
    assert [total(hands[0]), total(hands[-1]), total(hands[0])] == [0, LATELY, 0]
    assert seen == [*hands, hands[0]]


def test_an_object_that_takes_the_place_of_another_is_asked_about() -> None:
    @once
    def total(hand: Hand) -> int:
        return sum(hand.cards)

    assert [total(Hand((number,))) for number in range(500)] == list(range(500))


def test_an_answer_of_nothing_is_remembered_too() -> None:
    asked = 0

    @once
    def nothing(hand: Hand) -> None:
        nonlocal asked
        asked += 1

    hand = Hand(())
    nothing(hand)
    nothing(hand)
    assert asked == 1


def test_a_question_that_fails_leaves_no_answer() -> None:
    @once
    def first(hand: Hand) -> int:
        return hand.cards[0]

    empty, full = Hand(()), Hand((5,))
    assert first(full) == 5
    for _ in range(2):
        with pytest.raises(IndexError):
            first(empty)
    assert first(full) == 5
