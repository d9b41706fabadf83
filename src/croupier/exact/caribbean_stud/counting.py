"""The compiled part: every hand of a deck, and what the dealer can have against each of them.

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

The slow paths these functions must agree with are `games.caribbean_stud.hands.value` and plain play through
`round.happen`; twin tests hold them together.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt
from numba import njit

P = ParamSpec("P")
T = TypeVar("T")
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


def compiled(function: Callable[P, T]) -> Callable[P, T]:
    """The function in machine code, kept on disk, and free to run beside other threads."""
    return cast(Callable[P, T], njit(cache=True, nogil=True)(function))


# ---------------------------------------------------------------- hands


@compiled
def pattern_of(places: Bytes, ranks: Ints, suits: Ints) -> int:
    """The number of a hand's pattern: its ranks, and whether it is of one suit."""
    pattern, suited = 0, True
    for i in range(HAND):
        pattern += CHOOSE[i + 1, ranks[places[i]] + i]
        suited = suited and suits[places[i]] == suits[places[0]]
    return pattern + PATTERNS if suited else pattern


@compiled
def patterns_of(hands: Bytes, ranks: Ints, suits: Ints) -> Ints:
    """The patterns of some hands."""
    return np.array([pattern_of(hand, ranks, suits) for hand in hands], dtype=np.int64)


@compiled
def all_hands(ranks: Ints, suits: Ints, value_of: Shorts) -> tuple[Bytes, Shorts]:
    """Every hand in the order of its number, and its value."""
    count = CHOOSE[HAND, len(ranks)]
    hands = np.empty((count, HAND), np.uint8)
    values = np.empty(count, np.int16)
    number = 0
    for e in range(4, len(ranks)):
        for d in range(3, e):
            for c in range(2, d):
                for b in range(1, c):
                    for a in range(b):
                        hand = hands[number]
                        hand[0], hand[1], hand[2], hand[3], hand[4] = a, b, c, d, e
                        values[number] = value_of[pattern_of(hand, ranks, suits)]
                        number += 1
    return hands, values


@compiled
def weights_of(hands: Bytes, ranks: Ints, suits: Ints, alike: Ints) -> Bytes:
    """For one hand of each class the size of the class, and 0 for the others.

    Hands are of one class if suits that are `alike` can be exchanged to make one the other.  The one counted has the
    sets of ranks of such suits in falling order; there are as many others as orders of these sets.
    """
    weights = np.zeros(len(hands), np.uint8)
    held = np.zeros(4, np.int64)
    for number in range(len(hands)):
        held[:] = 0
        for place in hands[number]:
            held[suits[place]] |= 1 << ranks[place]
        orders, repeats, falling = 1, 1, True
        for suit in range(4):
            among, same = 1, 1
            for other in range(suit):
                if alike[other] == alike[suit]:
                    among += 1
                    same += held[other] == held[suit]
                    falling = falling and held[other] >= held[suit]
            orders *= among
            repeats *= same
        if falling:
            weights[number] = orders // repeats
    return weights


# ---------------------------------------------------------------- the table of sets


@compiled
def starts_of(size: int) -> Ints:
    """Where the sets of k cards begin in the table; of k = 5 it is the table's length."""
    starts = np.zeros(HAND + 2, np.int64)
    for k in range(1, HAND + 1):
        starts[k + 1] = starts[k] + CHOOSE[k, size]
    return starts


@compiled
def put_in(table: Ints, starts: Ints, hand: Bytes, unit: int) -> None:
    """Count a hand in every set of one to four of its cards."""
    for i in range(5):
        one = CHOOSE[1, hand[i]]
        table[one] += unit
        for j in range(i + 1, 5):
            two = one + CHOOSE[2, hand[j]]
            table[starts[2] + two] += unit
            for k in range(j + 1, 5):
                three = two + CHOOSE[3, hand[k]]
                table[starts[3] + three] += unit
                for m in range(k + 1, 5):
                    table[starts[4] + three + CHOOSE[4, hand[m]]] += unit


@compiled
def look_up(found: Ints, table: Ints, starts: Ints, hand: Bytes, dealer: Shorts, value: int) -> None:
    """For every up card the dealer's hands with it and without the cards of `hand`: the three counts.

    For each set of cards of the hand, the up card comes before, between or after them.  The number of the set with it
    is its own term and those of the chosen cards, which count one more as long as it comes before them.  What is
    found for the hand's own cards means nothing.
    """
    chosen = np.empty(HAND, np.int64)
    found[:] = 0
    for subset in range(31):
        k = 0
        for i in range(HAND):
            if subset >> i & 1:
                chosen[k] = hand[i]
                k += 1
        number = np.uint64(starts[k + 1]) if k < 4 else np.uint64(0)
        for i in range(k):
            number += TERM[i + 2, chosen[i]]
        first = 0
        for before in range(k + 1):
            last = chosen[before] if before < k else len(found)
            if k == 4:
                for up in range(first, last):
                    found[up] += one_hand(dealer[number + TERM[before + 1, up]], value)
            elif k % 2:
                for up in range(first, last):
                    found[up] -= table[number + TERM[before + 1, up]]
            else:
                for up in range(first, last):
                    found[up] += table[number + TERM[before + 1, up]]
            if before < k:
                number += TERM[before + 1, last]
                number -= TERM[before + 2, last]
                first = last + 1


@compiled
def one_hand(dealer: int, value: int) -> int:
    """A single hand of the dealer's (-1: does not qualify) as a count."""
    if dealer < 0:
        return ONE_NO_HAND
    if dealer < value:
        return ONE_BELOW
    return ONE_EQUAL if dealer == value else 0


# ---------------------------------------------------------------- the sweep


@compiled
def sweep(
    hands: Bytes,
    dealer: Shorts,
    order: Ints,
    weights: Bytes,
    classes: Ints,
    cards: Ints,
    pays: Ints,
    given: Ints,
) -> tuple[Ints, Ints]:
    """The deals by class of the player's hand and by ending, and for each hand that counts the up cards it bets on.

    `dealer` is the value of each hand as the dealer's, -1 where it does not qualify; `order` the hands by rising value;
    `pays` what each ending pays to a hand of each class.  A set of up cards has bit c for card c.  Where sets are
    given they are played; otherwise a hand bets where that pays more than to fold.
    """
    size = len(cards)
    starts = starts_of(size)
    table = np.zeros(starts[HAND], np.int64)
    found = np.zeros(size, np.int64)
    tally = np.zeros((len(pays), 5), np.int64)
    bets = np.zeros(np.count_nonzero(weights), np.int64)
    for number in order:
        if dealer[number] < 0:
            put_in(table, starts, hands[number], ONE_NO_HAND)
    row = first = 0
    while first < len(order):
        value = dealer[order[first]]
        last = first
        while last < len(order) and dealer[order[last]] == value:
            if value >= 0:
                put_in(table, starts, hands[order[last]], ONE_EQUAL)
            last += 1
        for number in order[first:last]:
            if weights[number] > 0:
                look_up(found, table, starts, hands[number], dealer, value)
                kind = classes[number]
                wanted = given[row] if len(given) > 0 else -1
                bets[row] = decide(tally[kind], found, hands[number], weights[number], cards, pays[kind], wanted)
                row += 1
        if value >= 0:
            for number in order[first:last]:
                put_in(table, starts, hands[number], ONE_BELOW - ONE_EQUAL)
        first = last
    return tally, bets


@compiled
def decide(tally: Ints, found: Ints, hand: Bytes, weight: int, cards: Ints, pays: Ints, wanted: int) -> int:
    """Tally one hand against every up card; `wanted` is the set of those to bet on, or -1 for the best."""
    every = CHOOSE[4, len(cards) - 6]
    bets = 0
    for up in range(len(cards)):
        if up == hand[0] or up == hand[1] or up == hand[2] or up == hand[3] or up == hand[4]:
            continue
        no_hand = found[up] >> 2 * FIELD
        higher = found[up] >> FIELD & FIELD_MASK
        equal = found[up] & FIELD_MASK
        lower = every - no_hand - higher - equal
        net = no_hand * pays[NO_HAND] + higher * pays[HIGHER] + equal * pays[EQUAL] + lower * pays[LOWER]
        if net > every * pays[FOLDED] if wanted < 0 else wanted >> cards[up] & 1:
            bets |= 1 << cards[up]
            tally[NO_HAND] += weight * no_hand
            tally[HIGHER] += weight * higher
            tally[EQUAL] += weight * equal
            tally[LOWER] += weight * lower
        else:
            tally[FOLDED] += weight * every
    return bets


@compiled
def against(hand: Bytes, up: int, ranks: Ints, suits: Ints, dealer_of: Shorts, value: int) -> Ints:
    """One hand against one up card by going through every hand of the dealer's: deals by ending."""
    rest = [place for place in range(len(ranks)) if place != up and not np.any(hand == place)]
    ends = np.zeros(5, np.int64)
    places = np.empty(HAND, np.uint8)
    for a in range(len(rest)):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    places[0], places[1], places[2], places[3] = rest[d], rest[c], rest[b], rest[a]
                    put_among(places, up)
                    dealer = dealer_of[pattern_of(places, ranks, suits)]
                    if dealer < 0:
                        ends[NO_HAND] += 1
                    elif dealer < value:
                        ends[HIGHER] += 1
                    elif dealer == value:
                        ends[EQUAL] += 1
                    else:
                        ends[LOWER] += 1
    return ends


@compiled
def put_among(places: Bytes, place: int) -> None:
    """Put the fifth place among four that are sorted."""
    last = HAND - 1
    while last > 0 and places[last - 1] > place:
        places[last] = places[last - 1]
        last -= 1
    places[last] = place


def compiling() -> bool:
    """Whether the next call will first compile, which takes some seconds: it was neither used nor kept on disk."""
    kernel = cast(Any, sweep)
    if kernel.signatures:
        return False
    source = Path(__file__)
    kept = Path(kernel.stats.cache_path).glob(f"{source.stem}.{sweep.__name__}-*.nbi")
    return not any(index.stat().st_mtime >= source.stat().st_mtime for index in kept)
