"""The chances of four to six coups in a row from one shoe, by `halves`: which halves make up which run.

A run is decided by coups that all have one outcome, and perhaps a last one that has another.  Coups are exchangeable,
so only how many there are of each outcome counts.  Halves are one, two or three coups:

    x x x x      two and two            x x x y      one, and three with y
    x x x x x    two and three          x x x x y    two, and three with y
    x^6          three and three        x^5 y        three, and three with y

Where the last coup has the third outcome, the chance is what is left of the run before it; so all ends add up to one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import perm

import numpy as np

from croupier.exact.runs import CARDS, MOST_ERROR
from croupier.exact.runs.counting import Chances, Joined, Runs
from croupier.exact.runs.gone import after_gone, in_order, sizes
from croupier.exact.runs.halves import MOST_CARDS, Floats, Half, Ints, cut, joined, one_before

TOPS = (3, 4, 5, 6, 7)
"""The levels at which the series may be cut; the work of each is twice that of the one below."""
LONGEST = 6


def longer(
    runs: Runs, shoe: Sequence[int], known: Chances, outcome: int, *, coups: int
) -> Mapping[tuple[int, ...], Joined]:
    """The chances of four coups up to `coups` that all have one outcome, or all but one, by the outcomes in order of
    number; nothing where the bound would be too wide."""
    # The order of multisets by their keys is the order of `halves` with the values turned round.
    held = np.array(shoe[::-1], dtype=np.int64)
    top = _top(held, known, outcome, min(coups, LONGEST))
    if coups < 4 or top is None:
        return {}
    many = sizes(len(held), MOST_CARDS)
    other = max(kind for kind in range(len(runs.f)) if kind != outcome)
    one = _taken(runs.f[outcome], held, CARDS, top, top, many)[1]
    two_gone, two = _taken(runs.twice[outcome], held, 2 * CARDS, top + CARDS, top, many)
    three, with_other = _three(runs, two_gone, held, (outcome, other), top, many)
    pairs = {
        (outcome,) * 4: (two, two),
        (*(outcome,) * 3, other): (with_other, one),
        (outcome,) * 5: (three, two),
        (*(outcome,) * 4, other): (with_other, two),
        (outcome,) * 6: (three, three),
        (*(outcome,) * 5, other): (with_other, three),
    }
    return {
        tuple(sorted(sequence)): joined(first, second, held, top)
        for sequence, (first, second) in pairs.items()
        if len(sequence) <= coups
    }


def _top(shoe: Ints, known: Chances, outcome: int, coups: int) -> int | None:
    """Where to cut: as low as leaves little for the longest run; None if even the highest leaves too much for four."""
    two, three = known.two[outcome][outcome], known.three[outcome][outcome]
    halves = [Half(2 * CARDS, (np.array([float(two)]),)), Half(3 * CARDS, (np.array([float(three)]),))]
    number = int(shoe.sum())
    if number < 6 * CARDS or cut(halves[0], halves[0], number, TOPS[-1]) >= MOST_ERROR:
        return None
    first, second = halves[coups >= 6], halves[coups >= 5]
    return next((top for top in TOPS if cut(first, second, number, top) < MOST_ERROR / 2), TOPS[-1])


def _taken(ways: Ints, shoe: Ints, cards: int, most: int, top: int, many: Ints) -> tuple[Floats, Half]:
    """The ways of a half with up to `most` cards gone, and the half."""
    gone = np.zeros((most + 1, int(many[len(shoe), most])))
    after_gone(ways.astype(np.float64), shoe, cards, most, many, gone)
    number = int(shoe.sum())
    worth = (gone[j, : int(many[len(shoe), j])] / float(perm(number - j, cards)) for j in range(top + 1))
    return gone, Half(cards, tuple(worth))


def _three(runs: Runs, two: Floats, shoe: Ints, outcomes: tuple[int, int], top: int, many: Ints) -> tuple[Half, Half]:
    """Two coups of the first outcome and one of each."""
    sets = np.ascontiguousarray(runs.of_six.counts[:, ::-1])
    ways = np.stack([runs.f[each] for each in outcomes]).astype(np.float64)
    number, worth = int(shoe.sum()), []
    for size in range(top + 1):
        gone = in_order(len(shoe), size)
        found = np.zeros((len(outcomes), len(gone)))
        one_before(ways, sets, two, shoe, gone, many, found)
        worth.append(found / float(perm(number - size, 3 * CARDS)))
    first, second = (Half(3 * CARDS, tuple(each[at] for each in worth)) for at in range(2))
    return first, second
