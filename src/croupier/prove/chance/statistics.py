"""Tests of randomness: each turns a sample into a number that has a known distribution, and that into a probability.

The probability is of a sample at least as odd as this one, if chance is as it should be.  All tests are chi-square or
normal; their counts are arranged so that each class expects at least five.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import comb, erfc, exp, factorial, lgamma, log, perm, sqrt
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Counts: TypeAlias = NDArray[np.int64]
Probability: TypeAlias = float

FEWEST: Final = 5.0
"""What a class must expect to be counted alone; rarer ones are counted with their neighbours."""


def chi_square(counts: Sequence[float] | Counts, expected: Sequence[float] | NDArray[np.float64]) -> Probability:
    """Of counts that add up to what was expected."""
    met, wanted = _pooled(np.asarray(counts, float).ravel(), np.asarray(expected, float).ravel())
    return upper_tail(float(((met - wanted) ** 2 / wanted).sum()), len(met) - 1)


def _pooled(met: NDArray[np.float64], wanted: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Neighbours taken together until each class expects enough."""
    if (wanted >= FEWEST).all():
        return met, wanted
    starts, sum_ = [0], 0.0
    for place, expected in enumerate(wanted):
        if sum_ >= FEWEST:
            starts.append(place)
            sum_ = 0.0
        sum_ += expected
    if sum_ < FEWEST and len(starts) > 1:
        starts.pop()
    return np.add.reduceat(met, starts), np.add.reduceat(wanted, starts)


def upper_tail(value: float, freedom: int) -> Probability:
    """Of a chi-square as large as this: the upper incomplete gamma function, by its series or its fraction.

    Both forms are in Abramowitz and Stegun, 6.5.29 and 6.5.31.
    """
    shape, at = freedom / 2, value / 2
    if at <= 0:
        return 1.0
    scale = exp(shape * log(at) - at - lgamma(shape))
    if at < shape + 1:
        term = total = 1 / shape
        step = shape
        while term > total * 1e-16:
            step += 1
            term *= at / step
            total += term
        return 1 - scale * total
    tiny = 1e-300
    below, number = at + 1 - shape, 0
    above, fraction, change = 1 / tiny, 1 / below, 0.0
    result = fraction
    while abs(change - 1) > 1e-15:
        number += 1
        weight = -number * (number - shape)
        below += 2
        fraction = 1 / (weight * fraction + below or tiny)
        above = below + weight / above or tiny
        change = fraction * above
        result *= change
    return scale * result


def normal(distance: float) -> Probability:
    """Of a normal as far from its mean as this many standard deviations, on either side."""
    return erfc(abs(distance) / sqrt(2))


# ---------------------------------------------------------------- orders of cards


def of_orders(orders: NDArray[np.int64], kinds: int) -> Iterator[tuple[str, Probability]]:
    """Tests of shoes: a row an order, each card one of so many kinds, all kinds equally often."""
    shoes, cards = orders.shape
    yield "position and card", _positions(orders % kinds, kinds)
    yield "position and place in the new pack", _positions(orders, cards)
    yield "a card after a card", _followers(orders % kinds, kinds)
    yield "runs up and down", _turning(orders)
    yield "rising sequences", _rising(orders)
    yield "poker hands of ranks", _poker(orders % 13)
    yield (
        "places of the first and last card",
        chi_square(np.bincount(np.argmin(orders, 1), minlength=cards), _even(shoes, cards)),
    )


def _even(total: float, classes: int) -> NDArray[np.float64]:
    return np.full(classes, total / classes)


def _positions(orders: NDArray[np.int64], kinds: int) -> Probability:
    """How often each kind lies at each position: a table whose rows and columns add up alike whatever chance does.

    Of it (positions - 1)(kinds - 1) are free.  A cell of one shoe varies as a draw does, but cells of a row and of a
    column are tied; the usual sum over many shoes is a chi-square of that freedom, larger by cards / (cards - 1).
    """
    shoes, cards = orders.shape
    met = np.bincount((np.arange(cards) * kinds + orders).ravel(), minlength=cards * kinds)
    wanted = shoes / kinds
    value = float(((met - wanted) ** 2 / wanted).sum()) * (cards - 1) / cards
    return upper_tail(value, (cards - 1) * (kinds - 1))


def _followers(orders: NDArray[np.int64], kinds: int) -> Probability:
    """How often each kind follows each other, over pairs that share no card."""
    first, second = orders[:, 0:-1:2].ravel(), orders[:, 1::2].ravel()
    met = np.bincount(first * kinds + second, minlength=kinds * kinds).reshape(kinds, kinds)
    decks = orders.shape[1] // kinds
    pairs, cards = met.sum(), orders.shape[1]
    alike, other = decks * (decks - 1), decks * decks
    wanted = np.full((kinds, kinds), other, float)
    np.fill_diagonal(wanted, alike)
    return chi_square(met, wanted / (cards * (cards - 1)) * pairs)


def _turning(orders: NDArray[np.int64]) -> Probability:
    """How many inner places of an order of different cards are peaks or valleys: (2n - 4) / 3 of them."""
    shoes, cards = orders.shape
    rises = np.diff(orders, axis=1) > 0
    turns = int((rises[:, 1:] != rises[:, :-1]).sum())
    mean, variance = shoes * (2 * cards - 4) / 3, shoes * (16 * cards - 29) / 90
    return normal((turns - mean) / sqrt(variance))


def _rising(orders: NDArray[np.int64]) -> Probability:
    """How often a card lies before the one that follows it in a new pack: half of the times."""
    shoes, cards = orders.shape
    place = np.argsort(orders, axis=1)
    falls = int((np.diff(place, axis=1) < 0).sum())
    mean, variance = shoes * (cards - 1) / 2, shoes * (cards + 1) / 12
    return normal((falls - mean) / sqrt(variance))


def _poker(ranks: NDArray[np.int64]) -> Probability:
    """How many different ranks five cards in a row have, drawn without replacement."""
    cards = ranks.shape[1]
    hands = np.sort(ranks[:, : cards // 5 * 5].reshape(-1, 5), axis=1)
    different = 1 + (np.diff(hands, axis=1) != 0).sum(axis=1)
    met = np.bincount(different, minlength=6)[1:]
    of_a_rank = cards // 13
    shares = [_hands_with(number, of_a_rank) / comb(cards, 5) for number in range(1, 6)]
    return chi_square(met, np.array(shares) * len(hands))


def _hands_with(different: int, of_a_rank: int) -> int:
    """Hands of five cards with so many different ranks of thirteen, by how the five fall on them."""
    falls: Mapping[int, Sequence[tuple[int, ...]]] = {
        1: [(5,)], 2: [(4, 1), (3, 2)], 3: [(3, 1, 1), (2, 2, 1)], 4: [(2, 1, 1, 1)], 5: [(1, 1, 1, 1, 1)],
    }  # fmt: skip
    total = 0
    for fall in falls[different]:
        ways = perm(13, different)
        for size in set(fall):
            ways //= factorial(fall.count(size))
        for size in fall:
            ways *= comb(of_a_rank, size)
        total += ways
    return total


# ---------------------------------------------------------------- throws and spins


def of_draws(draws: NDArray[np.int64], faces: int) -> Iterator[tuple[str, Probability]]:
    """Tests of independent draws from equally likely faces."""
    total = len(draws)
    yield "faces", chi_square(np.bincount(draws, minlength=faces), _even(total, faces))
    even = draws[: total // 2 * 2]
    pairs = np.bincount(even[::2] * faces + even[1::2], minlength=faces * faces)
    yield "pairs", chi_square(pairs, _even(len(even) // 2, faces * faces))
    yield "serial correlation", _correlation(draws)
    yield "gaps", _gaps(draws, faces)
    yield "coupons", _coupons(draws, faces)
    yield "runs", _runs(draws, faces)


def _correlation(draws: NDArray[np.int64]) -> Probability:
    centred = draws - draws.mean()
    share = float((centred[:-1] * centred[1:]).sum() / (centred**2).sum())
    return normal(share * sqrt(len(draws)))


def _gaps(draws: NDArray[np.int64], faces: int) -> Probability:
    """How many draws lie between two zeros."""
    gaps = np.diff(np.flatnonzero(draws == 0)) - 1
    most = int(log(FEWEST / len(gaps)) / log(1 - 1 / faces)) if len(gaps) > FEWEST else 1
    met = np.bincount(np.minimum(gaps, most), minlength=most + 1)
    shares = (1 - 1 / faces) ** np.arange(most + 1) / faces
    shares[-1] = (1 - 1 / faces) ** most
    return chi_square(met, shares * len(gaps))


COUPONS: Final = 200_000


def _coupons(draws: NDArray[np.int64], faces: int) -> Probability:
    """How many draws it takes until every face has come."""
    lengths: list[int] = []
    seen: set[int] = set()
    length = 0
    for face in draws[:COUPONS].tolist():
        length += 1
        seen.add(face)
        if len(seen) == faces:
            lengths.append(length)
            seen, length = set(), 0
    most = max(lengths, default=faces)
    shares = list(islice(_last_comes(faces), most))[faces - 1 :]
    shares[-1] += 1 - sum(shares)
    return chi_square(np.bincount(lengths, minlength=most + 1)[faces:], np.array(shares) * len(lengths))


def _last_comes(faces: int) -> Iterator[float]:
    """For each draw from the first on: the probability that the last missing face comes with it."""
    seen = np.zeros(faces)
    seen[0] = 1.0
    number = np.arange(faces)
    while True:
        yield float(seen[-1]) / faces
        seen = (
            seen * number / faces
            + np.concatenate(([0.0], seen[:-1])) * np.concatenate(([0], faces - number[:-1])) / faces
        )


def _runs(draws: NDArray[np.int64], faces: int) -> Probability:
    """How often a draw differs from the one before."""
    changes, total, share = int((np.diff(draws) != 0).sum()), len(draws) - 1, 1 - 1 / faces
    return normal((changes - total * share) / sqrt(total * share * (1 - share)))
