"""Counting by compiled loops: every hand of a deck, and what the dealer can have against each of them.

Theory of operation.  A player's five cards and the dealer's up card leave 163,185 hands that the dealer can have.  To
go through them for each of 134,459 hands and 47 up cards would be a million million hands.  But of the dealer's hand
only three numbers matter: how many do not qualify, how many are lower than the player's, how many are equal.  They
come by inclusion and exclusion: the dealer's hands with the up card and without the cards `a b c d e` are

    those with the up card - those with a too - ... + those with a and b too + ... - ...

and "those with these cards" is a table over all sets of one to four cards, 294,203 numbers.  Into that table go first
the dealer's hands that do not qualify.  Then a sweep takes the others from the lowest value to the highest: when it
comes to a value, the table holds the hands below, and those of this value are put in twice, as equal before the
player's hands of the value are looked at and as lower after.  A set of five cards is a hand itself and is looked at
directly.

Cards are places 0, 1, 2, ... in the deck at hand, by rank and then suit, so that sorted places are sorted ranks.  A set
of k places a < b < c < ... has the number C(a,1) + C(b,2) + C(c,3) + ..., which leaves no gaps.

Numbers.  The three counts share one 64-bit integer, 21 bits each.  Each counts hands of five that contain a given card,
at most C(51,4) = 249,900; the alternating sum of 31 of them stays within 2^19 on the way, and its end, at most
163,185, is not negative, so that no count ever touches its neighbour's bits.  Tallies count deals, at most
19,933,230,517,200 < 2^45.  The net of a decision is at most the largest pay times 163,185; `endings.whole_pays` checks
that this is below 2^63 before it comes here.  Nothing here is a float.

The loops themselves are in `loops`, and their machine code is kept; here are the arrays that they fill.

The slow paths these functions must agree with are `games.caribbean_stud.hands.value` and plain play through
`round.happen`; twin tests hold them together.
"""

from __future__ import annotations

from math import comb
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.exact.caribbean_stud.loops import LOOPS

Ints: TypeAlias = npt.NDArray[np.int64]
Shorts: TypeAlias = npt.NDArray[np.int16]
Bytes: TypeAlias = npt.NDArray[np.uint8]

HAND: Final = 5
PATTERNS: Final = comb(17, 5)
"""Five sorted ranks r0 <= ... <= r4 are the set r0, r1 + 1, ..., r4 + 4 of 17 things.  Hands of one suit come after."""

FOLDED, NO_HAND, HIGHER, EQUAL, LOWER = range(5)
"""How a deal ends: the player folds; the dealer does not qualify; else the player's hand against the dealer's."""

FIELD: Final = 21
ONE_EQUAL: Final = 1
ONE_BELOW: Final = 1 << FIELD
ONE_NO_HAND: Final = 1 << 2 * FIELD
FIELD_MASK: Final = (1 << FIELD) - 1
CHOOSE: Final = np.array([[comb(n, k) for n in range(53)] for k in range(HAND + 1)], dtype=np.int64)
TERM: Final = CHOOSE.astype(np.uint64)
"""The same without a sign, for the innermost loops: an index with a sign is first looked at for being negative."""


def patterns_of(hands: Bytes, ranks: Ints, suits: Ints) -> Ints:
    """The patterns of some hands."""
    found = np.empty(len(hands), np.int64)
    LOOPS.functions["listing.patterns_of"](np.ascontiguousarray(hands), ranks, suits, found)
    return found


def all_hands(ranks: Ints, suits: Ints, value_of: Shorts) -> tuple[Bytes, Shorts, Ints]:
    """Every hand in the order of its number, its value, and the hands by rising value."""
    count = comb(len(ranks), HAND)
    hands, values, order = np.empty((count, HAND), np.uint8), np.empty(count, np.int16), np.empty(count, np.int64)
    LOOPS.functions["listing.all_hands"](ranks, suits, value_of, hands, values)
    LOOPS.functions["listing.in_order"](values, np.zeros(int(value_of.max()) + 2, np.int64), order)
    return hands, values, order


def weights_of(hands: Bytes, ranks: Ints, suits: Ints, alike: Ints) -> Bytes:
    """For one hand of each class the size of the class, and 0 for the others."""
    weights = np.empty(len(hands), np.uint8)
    LOOPS.functions["listing.weights_of"](hands, ranks, suits, alike, weights, np.empty(len(alike), np.int64))
    return weights


def starts_of(size: int) -> Ints:
    """Where the sets of k cards begin in the table; of k = 5 it is the table's length."""
    return np.cumsum([0, 0, *(comb(size, k) for k in range(1, HAND + 1))])


def sweep(
    hands: Bytes, dealer: Shorts, order: Ints, weights: Bytes, classes: Ints, cards: Ints, pays: Ints, given: Ints
) -> tuple[Ints, Ints]:
    """The deals by class of the player's hand and by ending, and for each hand that counts the up cards it bets on."""
    starts, size = starts_of(len(cards)), len(cards)
    table, tally = np.zeros(int(starts[HAND]), np.int64), np.zeros((len(pays), 5), np.int64)
    bets = np.zeros(int(np.count_nonzero(weights)), np.int64)
    room = np.empty(size, np.int64), np.empty(HAND, np.int64)
    LOOPS.functions["sweeping.sweep"](
        hands, dealer, order, weights, classes, cards, pays, given, starts, table, tally, bets, *room
    )
    return tally, bets


def against(hand: Bytes, up: int, ranks: Ints, suits: Ints, dealer_of: Shorts, value: int) -> Ints:
    """One hand against one up card by going through every hand of the dealer's: deals by ending."""
    rest, ends = np.setdiff1d(np.arange(len(ranks)), [up, *hand]), np.zeros(5, np.int64)
    room = np.empty(HAND, np.uint8)
    LOOPS.functions["listing.against"](rest, up, ranks, suits, dealer_of, value, ends, room)
    return ends


def compiling() -> bool:
    """Whether the next call will first compile, which takes some seconds: it was neither used nor kept on disk."""
    return LOOPS.compiling()
