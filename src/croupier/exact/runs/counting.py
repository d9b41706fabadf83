"""Runs: wagers on several coups in a row, exactly within one shoe for two and three coups.

Theory of operation.  A coup looks at six cards at most.  Cards are exchangeable: the coup after it may be thought to
look at the next six reserved places, whether the first one used all of its own or not.  So n coups are 6n places, and
what counts is how many cards of each value lie on them.

For an outcome x let f(x, m) be the number of value sequences of six cards with the multiset m that give it; there are
5,005 multisets.  A multiset weighs the product, over the values, of the falling factorials of what the shoe holds.

- `once_more` gives, for every multiset that may be gone, the number of ways in which the rest gives an outcome; it is
  done value by value (`gone`).
- Two coups x, y: the sum over the multisets of the first of weight × f(x) × once_more(y).
- Three coups x, x, y: the same over multisets of twelve cards, where `doubled` counts the sequences whose halves both
  give x.  It does not depend on the shoe, so one `Runs` prices many.

Beyond three coups the sums are out of reach: `halves` and `longer` give these chances with a proven error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.automaton import Automaton
from croupier.exact.runs import CARDS
from croupier.exact.runs.gone import after_gone, sizes
from croupier.once import dataclass

EXACT_COUPS = 3
"""The longest run that is reckoned within one shoe."""

BASE = 32
"""More than any multiset here holds of one value, so that keys add when multisets do."""

Ints = NDArray[np.int64]
Bigs = NDArray[Any]


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
    keys = counts @ (BASE ** np.arange(values, dtype=np.int64))
    order = np.argsort(keys)
    return Multisets(counts[order], keys[order])


def sequences_by_multiset(automaton: Automaton, wanted: Mapping[int, int], kinds: int, of_six: Multisets) -> Ints:
    """f: for each outcome and multiset of six cards, the number of value sequences that give it.

    `wanted` maps final positions of the automaton to outcomes 0…kinds-1; a coup that ends early ignores the rest.
    """
    step = np.array(automaton.step, dtype=np.int64)
    values = len(automaton.symbols)
    position = np.zeros(1, dtype=np.int64)
    keys = np.zeros(1, dtype=np.int64)
    weight = BASE ** np.arange(values, dtype=np.int64)
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


# ---------------------------------------------------------------- counting


def weights(shoe: Sequence[int], sets: Multisets) -> Bigs:
    """The number of ordered draws that make up each multiset's values in a given order of places."""
    product: Bigs = np.ones(len(sets.keys), dtype=object)
    for value, held in enumerate(shoe):
        ways = [perm(held, a) if a <= held else 0 for a in range(int(sets.counts[:, value].max()) + 1)]
        product = product * np.array(ways, dtype=object)[sets.counts[:, value]]
    return product


def doubled(f: Ints, of_six: Multisets, of_twelve: Multisets) -> Ints:
    """For each multiset of twelve cards, the number of value sequences whose halves both give the outcome of f."""
    place = _places(of_twelve)
    some = np.flatnonzero(f)
    ways = f[some]
    low, high = _halves(of_six.counts[some])
    total = np.zeros(len(of_twelve.keys), dtype=np.int64)
    for n in range(len(some)):
        # Multisets that differ stay different when the same one is added to both, so no place comes up twice.
        total[place(low[n:] + low[n], high[n:] + high[n])] += ways[n:] * (ways[n] * 2)
        total[place(low[n : n + 1] * 2, high[n : n + 1] * 2)] -= ways[n] ** 2
    return total


HALF_BASE = 2 * CARDS + 1


def _halves(counts: Ints) -> tuple[Ints, Ints]:
    """Two short keys of each multiset, one for either half of the values, that add when multisets do."""
    half = counts.shape[1] // 2
    low, high = counts[:, :half], counts[:, half:]
    powers = HALF_BASE ** np.arange(max(low.shape[1], high.shape[1]), dtype=np.int64)
    return low @ powers[: low.shape[1]], high @ powers[: high.shape[1]]


def _places(sets: Multisets) -> Any:
    """Where the multiset with two given short keys stands.

    With the high half as it is, the low halves of one total are a full list: so the place is where the high half's list
    starts, plus the low half's rank among those of its total.
    """
    low, high = _halves(sets.counts)
    start = np.zeros(int(high.max()) + 1, dtype=np.int64)
    rank = np.zeros(int(low.max()) + 1, dtype=np.int64)
    order = np.lexsort((low, high))
    first = np.r_[True, high[order][1:] != high[order][:-1]]
    begin = np.maximum.accumulate(np.where(first, np.arange(len(order)), 0))
    start[high[order]] = begin
    rank[low[order]] = np.arange(len(order)) - begin
    return lambda lows, highs: order[start[highs] + rank[lows]]


def once_more(f: Ints, shoe: Sequence[int], gone: Multisets) -> Ints:
    """For each outcome and multiset gone from the shoe, the number of ordered coups from the rest that give it."""
    cards = int(gone.counts[0].sum())
    many = sizes(len(shoe), max(cards, CARDS))
    # The order of multisets by their keys is the order of `gone` with the values turned round.
    held = np.array(shoe[::-1], dtype=np.int64)
    found = np.zeros((cards + 1, len(gone.keys)), dtype=np.int64)
    rest = []
    for each in f:
        after_gone(each, held, CARDS, cards, many, found)
        rest.append(found[cards].copy())
    return np.stack(rest)


# ---------------------------------------------------------------- chances


@dataclass(frozen=True)
class Runs:
    """What does not depend on the shoe: for each outcome the sequences that give it."""

    values: int
    f: Ints

    @cached_property
    def of_six(self) -> Multisets:
        return multisets(self.values, CARDS)

    @cached_property
    def of_twelve(self) -> Multisets:
        return multisets(self.values, 2 * CARDS)

    @cached_property
    def twice(self) -> tuple[Ints, ...]:
        return tuple(doubled(each, self.of_six, self.of_twelve) for each in self.f)

    def from_shoe(self, shoe: Sequence[int], *, coups: int) -> Chances:
        """The chances of one coup after the other from this shoe, up to so many."""
        if len(shoe) != self.values:
            raise ValueError(f"a shoe of {len(shoe)} kinds for coups of {self.values} values")
        if sum(shoe) < CARDS * coups:
            raise ValueError(f"{coups} coups need {CARDS * coups} cards, and the shoe has {sum(shoe)}")
        heavy = weights(shoe, self.of_six)
        one = [Fraction(int((heavy * each).sum()), perm(sum(shoe), CARDS)) for each in self.f]
        two = self._after(shoe, heavy, tuple(self.f), self.of_six) if coups > 1 else []
        three = self._after(shoe, weights(shoe, self.of_twelve), self.twice, self.of_twelve) if coups > 2 else []
        return Chances(tuple(one), tuple(map(tuple, two)), tuple(map(tuple, three)))

    def _after(self, shoe: Sequence[int], heavy: Bigs, first: Sequence[Ints], gone: Multisets) -> list[list[Fraction]]:
        """For each way to begin and each outcome after it, the chance of both."""
        taken = int(gone.counts[0].sum())
        rest = once_more(self.f[1:], shoe, gone)
        # What gives none of the others gives the first: that saves a third of the work.
        more = [each.astype(object) for each in (perm(sum(shoe) - taken, CARDS) - rest.sum(axis=0), *rest)]
        total = perm(sum(shoe), taken + CARDS)
        return [[Fraction(int((begun * each).sum()), total) for each in more] for begun in (heavy * x for x in first)]


@dataclass(frozen=True, slots=True)
class Joined:
    """A chance, and how far from the exact one it is at most."""

    chance: float
    error: float


@dataclass(frozen=True, slots=True)
class Chances:
    """From one shoe: `one[x]`, `two[x][y]` for x then y, `three[x][y]` for x, x and y, in whatever order.

    `longer` has chances of more coups that are not exact, by their outcomes in the order of numbers.
    """

    one: tuple[Fraction, ...]
    two: tuple[tuple[Fraction, ...], ...]
    three: tuple[tuple[Fraction, ...], ...]
    longer: Mapping[tuple[int, ...], Joined] = field(default_factory=dict)

    def of(self, outcomes: Sequence[int]) -> Fraction | None:
        """The chance of these outcomes in a row within the shoe; None where it is not known."""
        match sorted(outcomes):
            case []:
                return Fraction(1)
            case [x]:
                return self.one[x]
            case [x, y]:
                return self.two[x][y] if self.two else None
            case [x, y, z] if x == y or y == z:
                return self.three[y][z if x == y else x] if self.three else None
            case [x, y, *rest] if len(rest) > 1:
                found = self.longer.get((x, y, *rest))
                return self._left((x, y, *rest)) if found is None else Fraction(found.chance)
            case _:
                return None

    def _left(self, outcomes: tuple[int, ...]) -> Fraction | None:
        """What the other outcomes of the last coup leave of a run, where this one was not reckoned itself."""
        usual = max(set(outcomes), key=outcomes.count)
        begun = (usual,) * (len(outcomes) - 1)
        if outcomes.count(usual) != len(begun):
            return None
        ends = {tuple(sorted((*begun, last))) for last in range(len(self.one))} - {outcomes}
        before, known = self.of(begun), [self.longer[end].chance for end in ends if end in self.longer]
        if before is None or len(known) < len(ends):
            return None
        return before - sum(map(Fraction, known), Fraction(0))

    def unsure(self, outcomes: Sequence[int]) -> float:
        """How far the chance of these outcomes is from the exact one at most, where it was reckoned itself."""
        found = self.longer.get(tuple(sorted(outcomes)))
        return found.error if found else 0.0


def runs_of(automaton: Automaton, outcomes: Mapping[int, int], kinds: int) -> Runs:
    """Runs over the coups of an automaton; `outcomes` maps its final positions to 0…kinds-1."""
    values = len(automaton.symbols)
    return Runs(values, sequences_by_multiset(automaton, outcomes, kinds, multisets(values, CARDS)))
