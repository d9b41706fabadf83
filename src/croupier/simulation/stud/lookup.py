"""Hands and decisions as tables for the kernel, made from the law's values and from the exact engine's strategies.

A strategy's table (`exact.caribbean_stud.Table`) has a set of up cards for one hand of each class.  Most patterns need
no more than one set, whatever their suits: those that always bet, always fold, or go by the rank that is up.  A pattern
in which some hand bets and another folds against the same card is kept by suits.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations
from math import comb
from typing import Final

import numpy as np

from croupier.equipment import CARDS, RANKS, Card, rank, suit
from croupier.exact.caribbean_stud.counting import PATTERNS, Ints, patterns_of
from croupier.exact.caribbean_stud.strategies import BettingTable as BetTable
from croupier.simulation.plan import Table
from croupier.simulation.stud.kernel import BLOCK, PAIRS, RANK_STRIDE

SUITS: Final = 4
PLACES: Final = np.arange(CARDS)
PLACE_OF: Final = np.array([rank(card) * SUITS + suit(card) for card in range(CARDS)])
"""The place of a card in the pack by rank and then suit."""
CARD_AT: Final = np.argsort(PLACE_OF)


def place_of(card: Card) -> int:
    return int(PLACE_OF[card])


def _number(ranks: tuple[int, ...]) -> int:
    """The number of a multiset of ranks, as `counting` numbers patterns."""
    return sum(comb(each + i, i + 1) for i, each in enumerate(sorted(ranks)))


def rank_tables() -> tuple[Table, Table, Table]:
    """Two ranks to a pair, two pairs to a set of four, four and one to a pattern."""
    ranks = range(len(RANKS))
    pair = np.zeros((RANK_STRIDE, RANK_STRIDE), dtype=np.uint8)
    pairs = list(combinations_with_replacement(ranks, 2))
    for each in pairs:
        pair[each] = pair[each[::-1]] = _number(each)
    four = np.zeros((PAIRS, PAIRS), dtype=np.uint16)
    for one in pairs:
        for other in pairs:
            four[_number(one), _number(other)] = _number((*one, *other))
    five = np.zeros((comb(len(RANKS) + 3, 4), RANK_STRIDE), dtype=np.uint16)
    for held in combinations_with_replacement(ranks, 4):
        five[_number(held), : len(RANKS)] = [_number((*held, last)) for last in ranks]
    return pair.ravel(), four.ravel(), five.ravel()


@dataclass(frozen=True, slots=True)
class Bets:
    """A strategy: the set of up places for each pattern, or where its sets by suits begin (-1: suits do not count)."""

    sets: Table
    where: Table
    detail: Table


def bets_of(table: BetTable) -> Bets:
    """A strategy's table as the kernel looks it up."""
    held = np.sort(PLACE_OF[table.hands], axis=1)
    shown: Ints = patterns_of(held.astype(np.uint8), PLACES // SUITS, PLACES % SUITS)
    bet = _in_places(table.bets)
    fold = ~bet & ~_bits(held) & np.uint64((1 << CARDS) - 1)
    alike = len(set(table.alike.tolist())) == 1
    some_bet, some_fold = (_gathered(each, shown, alike=alike) for each in (bet, fold))
    apart = np.flatnonzero(some_bet & some_fold)
    where = np.full(2 * PATTERNS, -1, dtype=np.int64)
    where[apart] = np.arange(len(apart)) * BLOCK
    detail = np.zeros(max(1, len(apart)) * BLOCK, dtype=np.uint64)
    rows = np.flatnonzero(where[shown] >= 0)
    for order in permutations(range(SUITS)) if alike else (tuple(range(SUITS)),):
        moved = np.sort(_moved(held[rows], order), axis=1)
        suits = (moved % SUITS << 2 * np.arange(5)).sum(axis=1)
        detail[where[shown[rows]] + suits] = _moved_sets(bet[rows], order)
    return Bets(some_bet, where, detail)


def _in_places(sets: Ints) -> Table:
    """Sets of cards as sets of places."""
    found = np.zeros(len(sets), dtype=np.uint64)
    for card in range(CARDS):
        found |= (sets >> card & 1).astype(np.uint64) << np.uint64(PLACE_OF[card])
    return found


def _bits(held: Ints) -> Table:
    return np.asarray((np.uint64(1) << held.astype(np.uint64)).sum(axis=1, dtype=np.uint64))


def _gathered(sets: Table, shown: Ints, *, alike: bool) -> Table:
    """All up places for which some hand of a pattern has them in its set, whatever its suits where these are alike."""
    found = np.zeros(2 * PATTERNS, dtype=np.uint64)
    np.bitwise_or.at(found, shown, sets)
    if not alike:
        return found
    one = np.uint64(1)
    low = np.uint64(sum(1 << SUITS * each for each in range(len(RANKS))))
    ranks = (found | found >> one | found >> np.uint64(2) | found >> np.uint64(3)) & low
    return np.asarray(ranks * np.uint64(15))


def _moved(places: Ints, order: tuple[int, ...]) -> Ints:
    return np.asarray(places // SUITS * SUITS + np.array(order)[places % SUITS])


def _moved_sets(sets: Table, order: tuple[int, ...]) -> Table:
    """Sets of places after the same exchange of suits."""
    low = np.uint64(sum(1 << SUITS * each for each in range(len(RANKS))))
    found = np.zeros_like(sets)
    for old, new in enumerate(order):
        found |= (sets >> np.uint64(old) & low) << np.uint64(new)
    return found
