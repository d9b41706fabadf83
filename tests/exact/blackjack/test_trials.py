"""Close decisions at blackjack, tried: both alternatives are dealt out many times and compared with the exact values.

The trial is a second way to the same number: cards are drawn one by one from a real shoe, counted, and paid; it shares
with the odds engine only the tables of the rules and the play of further cards.  The test deals few rounds; for more

    .venv/bin/python -m tests.exact.blackjack.test_trials 20000000

tries every first hand whose two best choices are closer than a cent in the dollar, and says what differs.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from croupier.equipment import full_shoe
from croupier.exact.blackjack import Solved, solve, values
from croupier.exact.blackjack.board import (
    AFTER_KEPT,
    AFTER_SECOND,
    FIRST_OF_THREE,
    FIRST_OF_TWO,
    LATER_OF_THREE,
    SECOND,
    SECOND_OF_TWO,
)
from croupier.exact.blackjack.policy import plan_of
from croupier.exact.blackjack.terms import BITS, FIRST, LATER, ONLY
from croupier.kept.compiling import compiled
from tests.helpers.blackjack_shoes import eight_decks, rules_of

SITUATIONS = (FIRST_OF_TWO, FIRST_OF_THREE, LATER_OF_THREE, SECOND, AFTER_SECOND, AFTER_KEPT, SECOND_OF_TWO)
STAND, HIT, DOUBLE, SPLIT = BITS["stand"], BITS["hit"], BITS["double"], BITS["split"]
SIGMAS = 5


@compiled
def draw(left: Any) -> int:
    """One card of those left."""
    at = np.random.randint(0, left.sum())
    symbol = 0
    while at >= left[symbol]:
        at -= left[symbol]
        symbol += 1
    left[symbol] -= 1
    return symbol


@compiled
def played(left: Any, lattice: Any, choice: Any, hand: int, first: int) -> Any:
    """A hand to its end: its total and whether it was doubled.  `first` is what is done at once, 0 the choice."""
    child, total, bust = lattice
    act = first if first else choice[hand]
    while act in (HIT, DOUBLE):
        hand = child[hand, draw(left)]
        if hand < 0:
            return bust, int(act == DOUBLE)
        if act == DOUBLE:
            return total[hand], 1
        act = choice[hand]
    return total[hand], 0


@compiled
def dealer(left: Any, up: int, dealing: Any) -> Any:
    """The number of the dealer's ending."""
    lows, high, stands, limit, completes = dealing
    low, ace, cards = lows[up], up == 0, 1
    while True:
        symbol = draw(left)
        cards += 1
        if cards == 2 and symbol == completes:
            return limit - stands + 2
        low += lows[symbol]
        ace = ace or symbol == 0
        count = low + high if ace and low + high <= limit else low
        if count > limit:
            return 0
        if count >= stands:
            return count - stands + 1


@compiled
def split(left: Any, lattice: Any, single: Any, symbol: int, most: int, choices: Any, again: Any) -> Any:
    """The hands of a split: rows of total and doubled, the last row holding how many there are."""
    child = lattice[0]
    out = np.zeros((4, 2), dtype=np.int64)
    one, number, which = single[symbol], 2, 0
    second = draw(left)
    kept = second == symbol
    if most > 2 and kept and again[0]:
        number, which = 3, 1
        second = draw(left)
    for at in range(3):
        if at == number:
            break
        if at > 0:
            second = draw(left)
        if at == 1 and number == 3:
            which = 2
        elif at == 1 and most == 2:
            which = 6
        elif at == 1 and second == symbol and again[2 if kept else 1]:
            number, which = 3, 5 if kept else 4
            second = draw(left)
        elif at == 1:
            which = 2 if kept else 3
        total, doubled = played(left, lattice, choices[which], child[one, second], 0)
        out[at, 0] = total
        out[at, 1] = doubled
    out[3, 0] = number
    return out


@compiled
def tried(
    rounds: int, seed: int, shoe: Any, up: int, hand: int, act: int, symbol: int, most: int,
    lattice: Any, single: Any, alone: Any, choices: Any, again: Any, dealing: Any, pay: Any,
) -> tuple[float, float]:  # fmt: skip
    """The sums of results and of their squares, in units."""
    np.random.seed(seed)
    one = two = 0.0
    for _ in range(rounds):
        left = shoe.copy()
        if act == SPLIT:
            hands = split(left, lattice, single, symbol, most, choices, again)
            end = dealer(left, up, dealing)
            result = pay[FIRST, hands[0, 1], hands[0, 0], end]
            for each in range(1, hands[3, 0]):
                result += pay[LATER, hands[each, 1], hands[each, 0], end]
        else:
            total, doubled = played(left, lattice, alone, hand, act)
            result = pay[ONLY, doubled, total, dealer(left, up, dealing)]
        one += result
        two += result * result
    return one, two


@dataclass(frozen=True, slots=True)
class Trial:
    """One choice on one hand, by points: what it is worth, and what it brought on average, with its error."""

    up: int
    hand: tuple[int, int]
    act: str
    worth: float
    mean: float
    error: float

    @property
    def agrees(self) -> bool:
        return abs(self.mean - self.worth) < SIGMAS * self.error


def trial(this: Solved, up: int, hand: tuple[int, int], act: str, *, rounds: int, seed: int) -> Trial:
    board, table = this.board, this.board.terms
    at, first, second = (table.values.index(points) for points in (up, *hand))
    shoe = np.array(board.shoe, dtype=np.int64)
    for gone in (at, first, second):
        shoe[gone] -= 1
    hands = board.hands
    lattice = (hands.child, hands.total, table.bust)
    alone = this.main.alone[at]
    plan = plan_of(this.splits[at, first]) if act == "split" else None
    nothing = np.zeros_like(alone)
    choices = np.array([plan.choices.get(which, nothing) if plan else nothing for which in SITUATIONS])
    again = np.array([plan.again_first, plan.again_second, plan.again_kept] if plan else [False] * 3)
    dealing = (
        np.array(table.lows), table.values[0] - table.lows[0], table.stands, table.limit, table.completes[at]
    )  # fmt: skip
    number = int(hands.child[hands.single[first], second])
    one, two = tried(
        rounds, seed, shoe, at, number, BITS[act], first, table.most_hands(first), lattice, hands.single, alone,
        choices, again, dealing, table.pay,
    )  # fmt: skip
    unit = float(table.unit)
    mean = one / rounds
    error = float(np.sqrt(max(two / rounds - mean**2, 0.0) / rounds))
    return Trial(up, hand, act, values(this, up=up, hand=hand)[act], mean * unit, error * unit)


@dataclass(frozen=True, slots=True)
class Close:
    """A first hand with its two best choices, and how far they are apart."""

    margin: float
    up: int
    hand: tuple[int, int]
    best: str
    second: str


def by_margin(this: Solved) -> list[Close]:
    """Every first hand with a choice, the closest first."""
    points = sorted(this.board.terms.values)
    found = []
    for up in points:
        for hand in ((a, b) for a in points for b in points if a <= b):
            worth = values(this, up=up, hand=hand)
            ranked = sorted((each for each in worth if each != "even_money"), key=lambda act: -worth[act])
            if len(ranked) > 1:
                found.append(Close(worth[ranked[0]] - worth[ranked[1]], up, hand, ranked[0], ranked[1]))
    return sorted(found, key=lambda each: each.margin)


# ---------------------------------------------------------------- the tests

ROUNDS = 400_000


def both(this: Solved, close: Close, *, rounds: int, seed: int) -> tuple[Trial, Trial]:
    best = trial(this, close.up, close.hand, close.best, rounds=rounds, seed=seed)
    return best, trial(this, close.up, close.hand, close.second, rounds=rounds, seed=seed + 1)


@pytest.mark.parametrize("place", range(6))
def test_the_closest_decisions_are_worth_what_the_engine_says(place: int) -> None:
    """The six closest first hands of eight decks: both choices agree with their values."""
    close = by_margin(eight_decks())[place]
    assert close.margin < 0.01
    assert all(each.agrees for each in both(eight_decks(), close, rounds=ROUNDS, seed=100 + place))


RESOLVED = 0.03
"""Margins that so few rounds can tell: more than ten errors of a difference."""


@pytest.mark.parametrize("place", range(6))
def test_decisions_of_small_margin_go_the_way_that_trials_go(place: int) -> None:
    """The closest first hands whose margin the trial can resolve, one for each pair of choices."""
    seen: dict[tuple[str, str], Close] = {}
    for each in by_margin(eight_decks()):
        if each.margin > RESOLVED:
            seen.setdefault((each.best, each.second), each)
    close = list(seen.values())[place]
    best, second = both(eight_decks(), close, rounds=ROUNDS, seed=200 + place)
    assert best.agrees
    assert second.agrees
    assert best.mean > second.mean
    assert best.mean - second.mean > 2 * (best.error + second.error)


def test_every_kind_of_choice_is_tried() -> None:
    pairs = {(each.best, each.second) for each in by_margin(eight_decks()) if each.margin > RESOLVED}
    assert {act for pair in pairs for act in pair} == {"stand", "hit", "double", "split"}
    assert len(pairs) >= 6


def test_a_trial_tells_a_wrong_value() -> None:
    """The control: the value of another shoe, or of the other choice, is not taken for right."""
    this = eight_decks()
    hit = trial(this, 10, (6, 10), "hit", rounds=ROUNDS, seed=1)
    assert hit.agrees
    other = values(this, up=10, hand=(6, 9))["hit"]
    assert abs(hit.mean - other) > SIGMAS * hit.error
    split_tens = trial(this, 6, (10, 10), "split", rounds=ROUNDS, seed=2)
    assert split_tens.agrees
    assert abs(split_tens.mean - values(this, up=6, hand=(10, 10))["stand"]) > SIGMAS * split_tens.error


@pytest.mark.parametrize("reading", ["first_hand", "original_only"])
def test_splits_are_worth_what_trials_bring(reading: str) -> None:
    """Eights and aces against a ten and an ace, where the reading of a dealer's blackjack counts."""
    this = solve(rules_of(reading), full_shoe(4))
    for number, (up, symbol) in enumerate(((10, 8), (11, 8), (11, 11), (6, 4))):
        assert trial(this, up, (symbol, symbol), "split", rounds=ROUNDS // 2, seed=300 + number).agrees


def main(rounds: int) -> int:
    """Try every close first hand; returns how many disagree."""
    wrong = 0
    this = eight_decks()
    for number, close in enumerate(each for each in by_margin(this) if each.margin < 0.01):
        best, second = both(this, close, rounds=rounds, seed=1000 + 2 * number)
        distance = (best.mean - second.mean) / (best.error**2 + second.error**2) ** 0.5
        wrong += not (best.agrees and second.agrees) or distance < -SIGMAS
        hand = "-".join(map(str, close.hand))
        print(
            f"{hand:>6} against {close.up:>2}: {close.best:>6} {best.worth:+.5f} {best.mean:+.5f}, {close.second:>6} "
            f"{second.worth:+.5f} {second.mean:+.5f}, margin {close.margin:.5f}, {distance:+.1f} sigma"
        )
    return wrong


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000))
