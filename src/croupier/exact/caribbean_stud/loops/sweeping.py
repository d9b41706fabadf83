"""The table of sets, and the sweep over all hands; `counting` has the theory."""

from __future__ import annotations

import numpy as np

from croupier.exact.caribbean_stud.counting import (
    CHOOSE,
    EQUAL,
    FIELD,
    FIELD_MASK,
    FOLDED,
    HAND,
    HIGHER,
    LOWER,
    NO_HAND,
    ONE_BELOW,
    ONE_EQUAL,
    ONE_NO_HAND,
    TERM,
    Bytes,
    Ints,
    Shorts,
)
from croupier.kept.compiling import alone as compiled


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
def look_up(found: Ints, table: Ints, starts: Ints, hand: Bytes, dealer: Shorts, value: int, chosen: Ints) -> None:
    """For every up card the dealer's hands with it and without the cards of `hand`: the three counts.

    For each set of cards of the hand, the up card comes before, between or after them.  The number of the set with it
    is its own term and those of the chosen cards, which count one more as long as it comes before them.  What is
    found for the hand's own cards means nothing.  As long as it comes first, up card after up card is one further in
    the table, which the machine reads in one go.  `chosen` is room for five cards.
    """
    for up in range(len(found)):
        found[up] = 0
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
            elif before == 0 and k % 2:
                for up in range(last):
                    found[up] -= table[number + np.uint64(up)]
            elif before == 0:
                for up in range(last):
                    found[up] += table[number + np.uint64(up)]
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
    starts: Ints,
    table: Ints,
    tally: Ints,
    bets: Ints,
    found: Ints,
    chosen: Ints,
) -> None:
    """The deals by class of the player's hand and by ending, and for each hand that counts the up cards it bets on.

    `dealer` is the value of each hand as the dealer's, -1 where it does not qualify; `order` the hands by rising value;
    `pays` what each ending pays to a hand of each class.  A set of up cards has bit c for card c.  Where sets are
    given they are played; otherwise a hand bets where that pays more than to fold.  Tables and tallies begin with
    noughts.
    """
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
                look_up(found, table, starts, hands[number], dealer, value, chosen)
                kind = classes[number]
                wanted = given[row] if len(given) > 0 else -1
                bets[row] = decide(tally[kind], found, hands[number], weights[number], cards, pays[kind], wanted)
                row += 1
        if value >= 0:
            for number in order[first:last]:
                put_in(table, starts, hands[number], ONE_BELOW - ONE_EQUAL)
        first = last


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
