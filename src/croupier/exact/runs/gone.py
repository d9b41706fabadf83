"""In how many ways the rest of a shoe gives something, for every multiset of cards that may be gone from it.

Theory of operation.  The number of ways is a sum, over the multisets that the coups may take, of products with a factor
for each value.  So it is done value by value, walking the multisets gone as a tree: what the coups take of the values
to come stands beside what is gone of the values so far, and every multiset gone costs a few sums of vectors.  Ways in
whole numbers stay whole numbers, ways in doubles are doubles.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.kept.compiling import compiled

Ints: TypeAlias = NDArray[np.int64]
Numbers: TypeAlias = NDArray[Any]


@lru_cache(maxsize=64)
def in_order(values: int, cards: int) -> Ints:
    """The multisets of so many cards, those with fewer of the first value first, and so on with the others."""
    if values == 1:
        return np.array([[cards]], dtype=np.int64)
    parts = [(c, in_order(values - 1, cards - c)) for c in range(cards + 1)]
    return np.concatenate([np.c_[np.full(len(rest), c, dtype=np.int64), rest] for c, rest in parts])


@lru_cache(maxsize=8)
def sizes(values: int, cards: int) -> Ints:
    """How many multisets of each number of cards there are of 0, 1, … values."""
    return np.array([[_number(v, c) for c in range(cards + 1)] for v in range(values + 1)], dtype=np.int64)


def _number(values: int, cards: int) -> int:
    return comb(values + cards - 1, cards) if values else int(cards == 0)


@compiled
def place_of(counts: Ints, many: Ints) -> int:
    """Where a multiset stands among those of its number of cards."""
    values, left, place = len(counts), counts.sum(), 0
    for value in range(values - 1):
        for fewer in range(counts[value]):
            place += many[values - value - 1, left - fewer]
        left -= counts[value]
    return place


@compiled
def after_gone(ways: Numbers, shoe: Ints, taken: int, most: int, many: Ints, found: Numbers) -> None:
    """`found[cards, place]`: the ordered ways in which `taken` cards from the rest of a shoe are among `ways`, for
    every multiset of up to `most` cards gone.

    At a depth the vector has, for each number t of cards still to take of the values from there on, the multisets of t
    cards in order.  To take c cards of the next value leaves a block of them, again in order.
    """
    values = len(shoe)
    starts = np.zeros((values + 1, taken + 2), np.int64)
    block = np.zeros((values, taken + 1, taken + 2), np.int64)
    for depth in range(values):
        for t in range(taken + 1):
            starts[depth, t + 1] = starts[depth, t] + many[values - depth, t]
            block[depth, t, 0] = starts[depth, t]
            for c in range(t + 1):
                block[depth, t, c + 1] = block[depth, t, c] + many[values - depth - 1, t - c]
    vector = np.zeros((values, starts[0, taken + 1]), ways.dtype)
    vector[0, starts[0, taken] : starts[0, taken + 1]] = ways
    one = np.ones(1, ways.dtype)[0]
    gone = np.zeros(values, np.int64)
    depth, total = 0, 0
    while depth >= 0:
        if total + gone[depth] > most:
            gone[depth] = 0
            depth -= 1
            if depth >= 0:
                total -= gone[depth]
                gone[depth] += 1
            continue
        held, here, factor = shoe[depth] - gone[depth], vector[depth], one
        if depth == values - 1:
            last = one - one
            for c in range(taken + 1):
                last += factor * here[starts[depth, c]]
                factor *= max(held - c, 0)
            found[total + gone[depth], place_of(gone, many)] = last
            gone[depth] += 1
            continue
        there = vector[depth + 1]
        there[: starts[depth + 1, taken] + many[values - depth - 1, taken]] = 0
        for c in range(taken + 1):
            for t in range(taken if depth == 0 else c, taken + 1):
                at, to = block[depth, t, c], starts[depth + 1, t - c]
                part = here[at : block[depth, t, c + 1]]
                grown = there[to : to + len(part)]
                for k in range(len(part)):
                    grown[k] += factor * part[k]
            factor *= max(held - c, 0)
            if factor == 0:
                break
        total += gone[depth]
        depth += 1
