"""Every hand of a deck: its pattern, its value, how many are alike; and one hand against every one of the dealer's."""

from __future__ import annotations

from croupier.exact.caribbean_stud.counting import (
    CHOOSE,
    EQUAL,
    HAND,
    HIGHER,
    LOWER,
    NO_HAND,
    PATTERNS,
    Bytes,
    Ints,
    Shorts,
)
from croupier.kept.compiling import alone as compiled


@compiled
def pattern_of(places: Bytes, ranks: Ints, suits: Ints) -> int:
    """The number of a hand's pattern: its ranks, and whether it is of one suit."""
    pattern, suited = 0, True
    for i in range(HAND):
        pattern += CHOOSE[i + 1, ranks[places[i]] + i]
        suited = suited and suits[places[i]] == suits[places[0]]
    return pattern + PATTERNS if suited else pattern


@compiled
def patterns_of(hands: Bytes, ranks: Ints, suits: Ints, found: Ints) -> None:
    """The patterns of some hands."""
    for number in range(len(hands)):
        found[number] = pattern_of(hands[number], ranks, suits)


@compiled
def all_hands(ranks: Ints, suits: Ints, value_of: Shorts, hands: Bytes, values: Shorts) -> None:
    """Every hand in the order of its number, and its value."""
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


@compiled
def in_order(values: Shorts, begins: Ints, order: Ints) -> None:
    """The hands by rising value, those of one value by number; `begins` is a nought for each value and one more."""
    for number in range(len(values)):
        begins[values[number] + 1] += 1
    for value in range(1, len(begins)):
        begins[value] += begins[value - 1]
    for number in range(len(values)):
        order[begins[values[number]]] = number
        begins[values[number]] += 1


@compiled
def weights_of(hands: Bytes, ranks: Ints, suits: Ints, alike: Ints, weights: Bytes, held: Ints) -> None:
    """For one hand of each class the size of the class, and 0 for the others.

    Hands are of one class if suits that are `alike` can be exchanged to make one the other.  The one counted has the
    sets of ranks of such suits in falling order; there are as many others as orders of these sets.
    `held` is room for the sets.
    """
    for number in range(len(hands)):
        for suit in range(4):
            held[suit] = 0
        for i in range(HAND):
            held[suits[hands[number, i]]] |= 1 << ranks[hands[number, i]]
        falling = True
        for suit in range(1, 4):
            for other in range(suit):
                if alike[other] == alike[suit] and held[other] < held[suit]:
                    falling = False
        weights[number] = 0
        if falling:
            orders, repeats = 1, 1
            for suit in range(4):
                among, same = 1, 1
                for other in range(suit):
                    if alike[other] == alike[suit]:
                        among += 1
                        same += held[other] == held[suit]
                orders *= among
                repeats *= same
            weights[number] = orders // repeats


@compiled
def against(
    rest: Ints, up: int, ranks: Ints, suits: Ints, dealer_of: Shorts, value: int, ends: Ints, places: Bytes
) -> None:
    """One hand against one up card by going through every hand of the dealer's from the rest: deals by ending."""
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


@compiled
def put_among(places: Bytes, place: int) -> None:
    """Put the fifth place among four that are sorted."""
    last = HAND - 1
    while last > 0 and places[last - 1] > place:
        places[last] = places[last - 1]
        last -= 1
    places[last] = place
