"""Runs: wagers on several coups in a row, exactly within one shoe for two and three coups.

Theory of operation.  A coup looks at six cards at most.  Cards are exchangeable: the coup after it may be thought to
look at the next six reserved places, whether the first one used all of its own or not.  So n coups are 6n places, and
what counts is how many cards of each value lie on them.

For an outcome let f(m) be the number of value sequences of six cards with the multiset m that give it; there are 5,005
multisets.  Two coups: every pair of multisets adds up to one of twelve cards, and a multiset M weighs the product over
the values of the falling factorials of what the shoe holds.  Three coups: to each M of twelve cards belongs the number
of ways in which the shoe without M gives the outcome once more, which is one more sum over f.

Beyond three coups the exact answer is out of reach, and the coups are taken as independent: `method` says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.automaton import Automaton

CARDS = 6
"""The most cards a coup looks at."""

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Multisets:
    """All multisets of some number of cards over the values: their counts, and keys that add when they do."""

    counts: Ints
    keys: Ints


def multisets(values: int, cards: int) -> Multisets:
    drawn = np.array(list(combinations_with_replacement(range(values), cards)), dtype=np.int64)
    counts = np.zeros((len(drawn), values), dtype=np.int64)
    for column in range(cards):
        np.add.at(counts, (np.arange(len(drawn)), drawn[:, column]), 1)
    keys = counts @ (32 ** np.arange(values, dtype=np.int64))
    order = np.argsort(keys)
    return Multisets(counts[order], keys[order])


def sequences_by_multiset(automaton: Automaton, wanted: dict[int, int], kinds: int, of_six: Multisets) -> Ints:
    """f: for each outcome and multiset of six cards, the number of value sequences that give it.

    `wanted` maps final positions of the automaton to outcomes 0…kinds-1; a coup that ends early ignores the rest.
    """
    step = np.array(automaton.step, dtype=np.int64)
    values = len(automaton.symbols)
    position = np.zeros(1, dtype=np.int64)
    keys = np.zeros(1, dtype=np.int64)
    weight = 32 ** np.arange(values, dtype=np.int64)
    for _ in range(CARDS):
        position = step[position].reshape(-1)
        keys = (keys[:, None] + weight[None, :]).reshape(-1)
    outcome = np.full(len(step), -1, dtype=np.int64)
    for final, kind in wanted.items():
        outcome[final] = kind
    found = outcome[position]
    rank = np.searchsorted(of_six.keys, keys)
    f = np.zeros((kinds, len(of_six.keys)), dtype=np.int64)
    np.add.at(f, (found, rank), 1)
    return f


def falling_tables(shoe: Sequence[int], most: int) -> list[list[int]]:
    """For each value v and number a, the ways to draw a cards of that value in order, as plain integers."""
    return [[perm(held, a) if a <= held else 0 for a in range(most + 1)] for held in shoe]


def weights(shoe: Sequence[int], sets: Multisets) -> list[int]:
    """The number of ordered draws that make up each multiset's values in a given order of places."""
    tables = falling_tables(shoe, int(sets.counts.max()))
    result = []
    for row in sets.counts.tolist():
        product = 1
        for table, a in zip(tables, row, strict=True):
            if a:
                product *= table[a]
        result.append(product)
    return result


def pairs(first: Ints, second: Ints, of_six: Multisets, of_twelve: Multisets) -> Ints:
    """F: for each multiset of twelve cards, the number of value sequences whose halves give both outcomes."""
    total = np.zeros(len(of_twelve.keys), dtype=np.int64)
    for key, ways in zip(of_six.keys, first, strict=True):
        if ways:
            np.add.at(total, np.searchsorted(of_twelve.keys, of_six.keys + key), second * ways)
    return total


def once_more(f: Ints, shoe: Sequence[int], of_six: Multisets, gone: Multisets) -> Ints:
    """For each multiset gone from the shoe, the number of ordered coups from the rest that give the outcome."""
    left = np.asarray(shoe, dtype=np.int64)[None, :] - gone.counts
    falling = np.ones((left.shape[1], CARDS + 1, left.shape[0]), dtype=np.int64)
    for a in range(1, CARDS + 1):
        falling[:, a, :] = falling[:, a - 1, :] * np.maximum(left.T - (a - 1), 0)
    total = np.zeros(left.shape[0], dtype=np.int64)
    for counts, ways in zip(of_six.counts, f, strict=True):
        if ways:
            term = np.full(left.shape[0], ways, dtype=np.int64)
            for value in np.flatnonzero(counts):
                term *= falling[value, counts[value]]
            total += term
    return total


def run_chances(f: Ints, shoe: Sequence[int], *, coups: int) -> Fraction:
    """The exact chance that the outcome f counts comes so many times in a row from this shoe."""
    cards = sum(shoe)
    of_six = multisets(len(shoe), CARDS)
    if coups == 1:
        ways = sum(w * int(n) for w, n in zip(weights(shoe, of_six), f, strict=True))
        return Fraction(ways, perm(cards, CARDS))
    of_twelve = multisets(len(shoe), 2 * CARDS)
    both = pairs(f, f, of_six, of_twelve)
    heavy = weights(shoe, of_twelve)
    if coups == 2:
        return Fraction(_dot(heavy, both), perm(cards, 2 * CARDS))
    third = once_more(f, shoe, of_six, of_twelve)
    ways = sum(w * int(a) * int(b) for w, a, b in zip(heavy, both, third, strict=True))
    return Fraction(ways, perm(cards, 3 * CARDS))


def _dot(heavy: list[int], counts: Any) -> int:
    return sum(w * int(n) for w, n in zip(heavy, counts, strict=True) if n)
