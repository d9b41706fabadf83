"""Runs of four coups and more within one shoe: two halves that are exact in themselves, joined by a series that is cut.

Theory of operation.  Let A and B be disjoint sets of a and b cards of a shoe of N, each equally likely, F(A) the chance
that the coups dealt from A, in any order of its cards, are the first half of a run, and G(B) that of the second half.
The chance of the run is the mean of F(A) G(B).

Functions of a set of cards fall into orthogonal levels (the Johnson scheme).  Level j of F is the sum of phi_j over the
j-sets within A, where phi_j is harmonic: it sums to nothing over all that one card of a set can be.  Three facts follow
by inclusion and exclusion, where x_j is the falling factorial x (x-1) … (x-j+1).

1. With the cards T gone from the shoe, the mean of F is the sum over j of (-1)^j a_j / (N-|T|)_j times the sum of
   phi_j over the j-sets within T.  Summed over the s-sets S within T that is, for each s, the sum over j of (-1)^j a_j
   / (N-s)_j × C(|T|-j, s-j) times the same sums of phi_j: a triangle of equations, which gives phi of T from what the
   half is worth with each part of T gone: `levels`.
2. The mean of F(A) G(B) is the sum over j of (-1)^j a_j / (N-b)_j × C(N-2j, b-j) / C(N, b) × the sum of phi_j gamma_j
   over all j-sets of the shoe: `joined`.
3. The square norm of level j of F is C(N-2j, a-j) / C(N, a) times the sum of phi_j².  So the part of level j of the
   mean is at most s_j |F_j| |G_j| with s_j = sqrt(a_j b_j / ((N-a)_j (N-b)_j)), by the inequality of Cauchy.

The levels sum up to |F|² = mean of F² <= mean of F, F being a chance, and s_j falls with j, so what the levels above J
add is at most s_(J+1) sqrt(mean F × mean G).  That is the proven error of the cut.  For six coups it is less than 4e-10
from eight decks with J = 5, and less than 2e-10 from four with J = 7.  With J = min(a, b) nothing is cut.

What a half is worth with cards gone is a sum of products without a minus sign, in doubles (`gone`).  A third coup goes
before the two: the sum over its six cards of what the two are worth with these gone too.

Rounding.  A sum of products without a minus sign is right to one part in 2^53 for each operation on the longest way to
it, which `UNSURE` bounds.  `levels` carries how wrong each phi may be beside it: the same sum with the shares' absolute
values, some 2^j times what the set itself brings; to find each phi from those before would multiply the doubts of all
of them.  `joined` adds to the error what that comes to.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb, perm, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.exact.runs.counting import Joined
from croupier.exact.runs.gone import in_order, place_of, sizes
from croupier.kept.compiling import compiled
from croupier.once import dataclass

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

PART = 71
MOST_CARDS = 20
UNSURE = 7e-14
"""How wrong, in parts of itself, what a half is worth may be: fewer than 600 operations lie on the longest way to it,
27 for each value and, where a coup goes before, two times 71 and twenty; 600 / 2^53 is less than this."""
ROUNDED = 1e-13
"""The same for the sums over levels, which are shorter than 800 operations or have halves of numpy's pairwise sums."""


# ---------------------------------------------------------------- what a half is worth with cards gone


@compiled
def one_before(ways: Floats, sets: Ints, two: Floats, shoe: Ints, gone: Ints, many: Ints, found: Floats) -> None:
    """`found[outcome, gone]`: the sum over a first coup's cards of the ways to its outcome times those of two more.

    What a value's count adds to the place of a multiset, and to the product of cards there are, is looked up.  The sets
    come in order, so that one differs from the one before in its last values: only these are gone through again.
    """
    values, cards, taken = len(shoe), sets[0].sum(), gone[0].sum()
    places = np.zeros((values, cards + taken + 1, cards + taken + 1), np.int64)
    for value in range(values - 1):
        for left in range(cards + taken + 1):
            for held in range(left):
                places[value, left, held + 1] = places[value, left, held] + many[values - value - 1, left - held]
    changed = np.zeros(len(sets), np.int64)
    for first in range(1, len(sets)):
        while sets[first, changed[first]] == sets[first - 1, changed[first]]:
            changed[first] += 1
    products = np.ones((values, cards + 1))
    product, place, cards_left = np.ones(values + 1), np.zeros(values + 1, np.int64), np.zeros(values + 1, np.int64)
    cards_left[0] = cards + taken
    added, part = np.zeros(len(ways)), np.zeros(len(ways))
    for at in range(len(gone)):
        for value in range(values):
            for k in range(cards):
                products[value, k + 1] = products[value, k] * max(shoe[value] - gone[at, value] - k, 0)
        added[:] = 0.0
        part[:] = 0.0
        for first in range(len(sets)):
            if first % PART == 0:
                added += part
                part[:] = 0.0
            for value in range(changed[first], values):
                union = gone[at, value] + sets[first, value]
                product[value + 1] = product[value] * products[value, sets[first, value]]
                place[value + 1] = place[value] + places[value, cards_left[value], union]
                cards_left[value + 1] = cards_left[value] - union
            if product[values] > 0.0:
                here = product[values] * two[cards + taken, place[values]]
                for outcome in range(len(ways)):
                    part[outcome] += here * ways[outcome, first]
        for outcome in range(len(ways)):
            found[outcome, at] = added[outcome] + part[outcome]


# ---------------------------------------------------------------- levels


@dataclass(frozen=True, slots=True)
class Half:
    """A half of `cards` cards: what it is worth with each multiset gone, by the number of cards gone."""

    cards: int
    worth: tuple[Floats, ...]


def levels(half: Half, shoe: Ints, top: int) -> tuple[list[Floats], list[Floats]]:
    """phi_j at each multiset of j values, and how wrong it may be, for j up to `top`."""
    number, many = int(shoe.sum()), sizes(len(shoe), MOST_CARDS)
    phi: list[Floats] = []
    wrong: list[Floats] = []
    for size in range(top + 1):
        value, doubt = np.zeros(len(half.worth[size])), np.zeros(len(half.worth[size]))
        for below, share in enumerate(_shares(half.cards, number, size)):
            summed = np.zeros(len(value))
            within(in_order(len(shoe), size), below, many, half.worth[below], summed)
            value += share * summed
            doubt += abs(share) * summed
        phi.append(value)
        wrong.append(doubt * (UNSURE + 2 * ROUNDED))
    return phi, wrong


def _shares(cards: int, number: int, size: int) -> list[float]:
    """What a set of `size` cards takes of the worths of its subsets, by their number of cards, for its phi.

    Beyond the cards of the half there are no levels.
    """
    if size > cards:
        return []
    shares = [Fraction(0)] * (size + 1)
    for below in range(size, -1, -1):
        above = sum(
            (shares[each] * comb(size - below, each - below) / perm(number - each, below))
            for each in range(below + 1, size + 1)
        )
        scale = Fraction((-1) ** below * perm(cards, below))
        shares[below] = (int(below == size) / scale - above) * perm(number - below, below)
    return [float(each) for each in shares]


@compiled
def within(sets: Ints, below: int, many: Ints, worth: Floats, summed: Floats) -> None:
    """For each set of cards the sum of the worths of those of its subsets that have `below` cards."""
    values = sets.shape[1]
    part = np.zeros(values, np.int64)
    for at in range(len(sets)):
        part[:] = 0
        value, total = 0, 0
        while True:
            if total == below:
                ways = 1.0
                for v in range(values):
                    for k in range(part[v]):
                        ways *= (sets[at, v] - k) / (k + 1.0)
                summed[at] += ways * worth[place_of(part, many)]
            # The next part: one card more of the lowest value that has one, and none of those below it.
            value = 0
            while value < values and (part[value] == sets[at, value] or total == below):
                total -= part[value]
                part[value] = 0
                value += 1
                if value < values and part[value] < sets[at, value] and total < below:
                    break
            if value == values:
                break
            part[value] += 1
            total += 1


def joined(first: Half, second: Half, shoe: Ints, top: int) -> Joined:
    """The chance of both halves from one shoe by the levels up to `top`, with what the others and rounding may add."""
    number, a, b = int(shoe.sum()), first.cards, second.cards
    phi, wrong = levels(first, shoe, top)
    gamma, amiss = levels(second, shoe, top) if second is not first else (phi, wrong)
    chance = error = 0.0
    for level in range(min(top, a, b) + 1):
        scale = perm(a, level) / perm(number - b, level) * (comb(number - 2 * level, b - level) / comb(number, b))
        ways = _subsets(tuple(shoe.tolist()), level)
        here = ways * phi[level] * gamma[level]
        chance += (-1) ** level * scale * float(here.sum())
        doubt = np.abs(phi[level]) * amiss[level] + np.abs(gamma[level]) * wrong[level] + wrong[level] * amiss[level]
        error += scale * float((ways * doubt + np.abs(here) * ROUNDED).sum())
    return Joined(chance, error + cut(first, second, number, top))


def cut(first: Half, second: Half, number: int, top: int) -> float:
    """The most that the levels above `top` can add."""
    a, b, level = first.cards, second.cards, top + 1
    if level > min(a, b):
        return 0.0
    norm = sqrt(perm(a, level) * perm(b, level) / (perm(number - a, level) * perm(number - b, level)))
    return norm * sqrt(float(first.worth[0][0]) * float(second.worth[0][0])) * (1 + ROUNDED)


@lru_cache(maxsize=8)
def _subsets(shoe: tuple[int, ...], cards: int) -> Floats:
    """For each multiset of so many cards, how many sets of the shoe's cards have it."""
    product = np.ones(len(in_order(len(shoe), cards)), dtype=object)
    for held, taken in zip(shoe, in_order(len(shoe), cards).T, strict=True):
        product *= np.array([comb(held, k) for k in range(cards + 1)], dtype=object)[taken]
    return product.astype(np.float64)
