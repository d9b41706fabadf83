"""The best play once any one card is gone from the deck, for every card in one sweep.

Theory of operation.  To take a card out and play the whole deck again costs a sweep a card, each over three times as
many classes of hands, because a deck with a gap has fewer suits to exchange.  But the dealer's hands with an up card u,
without the player's cards and without a card c are those of the whole deck less those with u and c.  So one sweep over
the whole deck, with its own classes of hands, does for all c:

- where the hand bets on every up card whatever card is gone, the up card no longer matters: each of the dealer's hands
  is met once for each of its five cards, and those with c are what `look_up` found for c itself;
- where it folds on every up card whatever is gone, the deals are counted without looking at the dealer;
- exceptions from either are taken pair by pair of u and c: even the lowest hand bets when two other cards of the up
  card's rank are gone;
- only the hands that bet on some up cards and fold on others need every pair (`look_up_with`): few but A K.

Which of them a hand is, is known by a bound.  What betting gains over folding, summed over the dealer's hands with u,
moves when c goes by the gains of the hands with u and c.  These are as many as there are sets of three more cards, of
each ending no more than there are in the whole deck with both (`bounds`).  So the move is at most what they would gain
if the endings that gain most came first, and at least what they would if those that gain least did.  Where that leaves
an up card open for some c, the hands with u and this c are counted: first without those that hold any one of the
player's cards (`with_three`).  These were then taken away too often, all together by a number that is known, three in a
hundred; only where it matters which endings these are, the others follow (`with_more`).

Suits that hold the same ranks can be exchanged, cards of one rank in such suits are alike, and a class of hands meets
each of them as often: so what is found for one hand of the class is summed over the alike cards and divided by their
number.  `policy.play` of the deck without the card is the slow path; a twin test holds the two together.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.exact.caribbean_stud.counting import (
    CHOOSE,
    FIELD,
    FIELD_MASK,
    FOLDED,
    HAND,
    NO_HAND,
    ONE_BELOW,
    ONE_EQUAL,
    ONE_NO_HAND,
    TERM,
    Bytes,
    Ints,
    Shorts,
    starts_of,
)
from croupier.exact.caribbean_stud.endings import checked, endings, whole_pays
from croupier.exact.caribbean_stud.loops.sweeping import look_up, one_hand, put_in
from croupier.exact.caribbean_stud.patterns import deck_of, patterns, qualifying
from croupier.exact.caribbean_stud.policy import LEAST, checked_deck
from croupier.games.caribbean_stud.rules import StudRules
from croupier.kept.compiling import compiled

Bools: TypeAlias = npt.NDArray[np.bool_]
LIFT: Final = 1 << 14
LIFTED: Final = LIFT * (ONE_NO_HAND + ONE_BELOW + ONE_EQUAL)
"""What is added to each of three counts that share an integer while one of them may be below nothing."""


@compiled
def look_up_with(found: Ints, table: Ints, starts: Ints, hand: Bytes, up: int, dealer: Shorts, value: int) -> None:
    """For every card above `up` the dealer's hands with both and without the cards of `hand`: the three counts.

    As in `look_up`, but the chosen cards of the hand have the up card among them, and a set of five is a hand itself.
    """
    chosen = np.empty(HAND, np.int64)
    found[:] = 0
    for subset in range(31):
        k = 0
        among = 0
        for i in range(HAND):
            if subset >> i & 1:
                k += 1
        if k > 3:
            continue
        k = 0
        for i in range(HAND):
            if subset >> i & 1:
                if hand[i] > up and k == among:
                    chosen[k] = up
                    k += 1
                chosen[k] = hand[i]
                k += 1
                if hand[i] < up:
                    among += 1
        if k == among:
            chosen[k] = up
            k += 1
        number = np.uint64(starts[k + 1]) if k < 4 else np.uint64(0)
        for i in range(k):
            number += TERM[i + 1, chosen[i]] if i <= among else TERM[i + 2, chosen[i]]
        first = up + 1
        for before in range(among + 1, k + 1):
            last = chosen[before] if before < k else len(found)
            if k == 4:
                for other in range(first, last):
                    found[other] -= one_hand(dealer[number + TERM[before + 1, other]], value)
            elif k % 2:
                for other in range(first, last):
                    found[other] += table[number + TERM[before + 1, other]]
            else:
                for other in range(first, last):
                    found[other] -= table[number + TERM[before + 1, other]]
            if before < k:
                number += TERM[before + 1, last]
                number -= TERM[before + 2, last]
                first = last + 1


@compiled
def extreme(count: int, ends: Ints, gains: Ints, order: Ints) -> int:
    """What so many of the dealer's hands gain if the endings come in this order, of each `ends` at most.

    `gains` is by ending, NO_HAND and after.
    """
    total, left = 0, count
    for end in order:
        here = min(left, ends[end])
        total += here * gains[end]
        left -= here
    return total


@compiled
def spread_out(packed: int, every: int, ends: Ints) -> None:
    """The four counts of the dealer's hands by ending, from the three that share an integer."""
    ends[0] = packed >> 2 * FIELD
    ends[1] = packed >> FIELD & FIELD_MASK
    ends[2] = packed & FIELD_MASK
    ends[3] = every - ends[0] - ends[1] - ends[2]


@compiled
def with_three(table: Ints, starts: Ints, hand: Bytes, low: int, high: int) -> int:
    """The dealer's hands with a pair of cards, less those with each card of `hand` too: the three counts, of which
    each may be below nothing."""
    total = int(table[starts[2] + CHOOSE[1, low] + CHOOSE[2, high]])
    for i in range(HAND):
        card = hand[i]
        after_low, after_high = int(card > low), int(card > high)
        number = TERM[1 + after_low + after_high, card] + TERM[2 - after_low, low] + TERM[3 - after_high, high]
        total -= int(table[np.uint64(starts[3]) + number])
    return total


@compiled
def with_more(table: Ints, starts: Ints, hand: Bytes, low: int, high: int, dealer: Shorts, value: int) -> int:
    """What `with_three` lacks: the dealer's hands with the pair and two cards of `hand`, less those with three."""
    total = 0
    fourth = np.uint64(starts[4])
    for i in range(HAND):
        below_low, below_high = int(hand[i] < low), int(hand[i] < high)
        one = TERM[3 - below_low - below_high, hand[i]]
        for j in range(i + 1, HAND):
            low_two, high_two = below_low + int(hand[j] < low), below_high + int(hand[j] < high)
            two = one + TERM[4 - int(hand[j] < low) - int(hand[j] < high), hand[j]]
            total += table[fourth + two + TERM[1 + low_two, low] + TERM[2 + high_two, high]]
            for k in range(j + 1, HAND):
                after_low, after_high = int(hand[k] > low), int(hand[k] > high)
                three = two + TERM[3 + after_low + after_high, hand[k]]
                number = three + TERM[2 + low_two - after_low, low] + TERM[3 + high_two - after_high, high]
                total -= one_hand(dealer[number], value)
    return total


@compiled
def bounds(table: Ints, starts: Ints, size: int, gains: Ints, reach: Ints) -> None:
    """`reach[low, high]`: for two cards the least and the most that the dealer's hands with both can gain, whatever
    five other cards the player holds; `reach[card, card]` the same with any other card."""
    ends = np.zeros(4, np.int64)
    whole, three = CHOOSE[3, size - 2], CHOOSE[3, size - 7]
    rising = np.argsort(gains)
    falling = rising[::-1].copy()
    for card in range(size):
        reach[card, card, 0], reach[card, card, 1] = 1 << 62, -(1 << 62)
    for high in range(1, size):
        for low in range(high):
            spread_out(table[starts[2] + low + CHOOSE[2, high]], whole, ends)
            least, most = extreme(three, ends, gains, rising), extreme(three, ends, gains, falling)
            reach[low, high, 0], reach[low, high, 1] = least, most
            for card in (low, high):
                reach[card, card, 0] = min(reach[card, card, 0], least)
                reach[card, card, 1] = max(reach[card, card, 1], most)


@compiled
def settle(found: Ints, reach: Ints, held: Bools, gains: Ints, settled: Ints, margins: Ints) -> int:
    """For each up card what betting gains over folding, and 1 where the hand bets whatever else is gone, -1 where it
    folds, 0 where that is open; returns 1 if it bets nearly always, -1 if it folds so, 0 if it does both."""
    size = len(found)
    every = CHOOSE[4, size - 6]
    ends = np.zeros(4, np.int64)
    bets, folds = False, False
    for up in range(size):
        if held[up]:
            continue
        spread_out(found[up], every, ends)
        margins[up] = 0
        for end in range(4):
            margins[up] += ends[end] * gains[end]
        settled[up] = 0
        if margins[up] > reach[up, up, 1]:
            settled[up], bets = 1, True
        elif margins[up] <= reach[up, up, 0]:
            settled[up], folds = -1, True
    return 0 if bets and folds else 1 if bets else -1


@compiled
def sweep_without(
    hands: Bytes, dealer: Shorts, order: Ints, weights: Bytes, classes: Ints, starts: Ints, size: int, pays: Ints
) -> Ints:
    """`tally[card, class, ending]`: the deals of the deck without that card, the best play being played there."""
    table = np.zeros(starts[HAND], np.int64)
    work = np.zeros((3, size), np.int64)
    both, reach = np.zeros((size, size), np.int64), np.zeros((size, size, 2), np.int64)
    tally = np.zeros((size, len(pays), 5), np.int64)
    for number in order:
        if dealer[number] < 0:
            put_in(table, starts, hands[number], ONE_NO_HAND)
    first = 0
    while first < len(order):
        value = dealer[order[first]]
        last = first
        while last < len(order) and dealer[order[last]] == value:
            if value >= 0:
                put_in(table, starts, hands[order[last]], ONE_EQUAL)
            last += 1
        bounded = False
        for number in order[first:last]:
            if weights[number] > 0:
                hand, pay = hands[number], pays[classes[number]]
                if not bounded:
                    bounds(table, starts, size, pay[NO_HAND:] - pay[FOLDED], reach)
                    bounded = True
                mine = tally[:, classes[number]]
                play_without(mine, work, both, reach, table, starts, hand, weights[number], dealer, value, pay)
        if value >= 0:
            for number in order[first:last]:
                put_in(table, starts, hands[number], ONE_BELOW - ONE_EQUAL)
        first = last
    return tally


@compiled
def play_without(
    tally: Ints,
    work: Ints,
    both: Ints,
    reach: Ints,
    table: Ints,
    starts: Ints,
    hand: Bytes,
    weight: int,
    dealer: Shorts,
    value: int,
    pays: Ints,
) -> None:
    """Tally one hand against every up card, for every other card gone."""
    found, settled, margins = work[0], work[1], work[2]
    size = len(found)
    every, left, three = CHOOSE[4, size - 6], CHOOSE[4, size - 7], CHOOSE[3, size - 7]
    ends, whole = np.zeros(4, np.int64), np.zeros(4, np.int64)
    gains = pays[NO_HAND:] - pays[FOLDED]
    sure = CHOOSE[3, size - 2] - 5 * CHOOSE[2, size - 3]
    open_least, open_most = (three - sure) * np.min(gains), (three - sure) * np.max(gains)
    lifted = LIFT * (gains[0] + gains[1] + gains[2])
    held = np.zeros(size, np.bool_)
    for place in hand:
        held[place] = True
    look_up(found, table, starts, hand, dealer, value, np.empty(HAND, np.int64))
    usual = settle(found, reach, held, gains, settled, margins)
    for up in range(size):
        if not held[up] and usual > 0:
            spread_out(found[up], every, ends)
            whole += ends
        elif not held[up] and usual == 0:
            look_up_with(both[up], table, starts, hand, up, dealer, value)
    for gone in range(size):
        if not held[gone] and usual < 0:
            tally[gone, FOLDED] += weight * (size - 6) * left
        elif not held[gone] and usual > 0:
            spread_out(found[gone], every, ends)
            for end in range(4):
                tally[gone, NO_HAND + end] += weight * (whole[end] - 5 * ends[end])
    for up in range(size):
        if held[up] or (usual != 0 and settled[up] == usual):
            continue
        spread_out(found[up], every, whole)
        for gone in range(size):
            if held[gone] or gone == up:
                continue
            low, high = min(up, gone), max(up, gone)
            if usual < 0 and margins[up] <= reach[low, high, 0]:
                continue
            if usual > 0 and margins[up] > reach[low, high, 1]:
                continue
            if usual == 0:
                packed = both[low, high]
            else:
                packed = with_three(table, starts, hand, low, high)
                spread_out(packed + LIFTED, sure + 3 * LIFT, ends)
                near = margins[up] + lifted
                for end in range(4):
                    near -= ends[end] * gains[end]
                if (usual < 0 and near <= open_least) or (usual > 0 and near > open_most):
                    continue
                packed += with_more(table, starts, hand, low, high, dealer, value)
            spread_out(packed, three, ends)
            net = margins[up]
            for end in range(4):
                net -= ends[end] * gains[end]
            betting = 1 if net > 0 else -1
            if betting == usual:
                continue
            # Where the hand has no usual way nothing was counted before; else what was counted is taken back.
            if betting < 0 or usual < 0:
                tally[gone, FOLDED] -= weight * left * betting
            if betting > 0 or usual > 0:
                for end in range(4):
                    tally[gone, NO_HAND + end] += weight * (whole[end] - ends[end]) * betting


def edges_without(rules: StudRules, deck: Sequence[int] | None = None) -> dict[int, Fraction]:
    """For each card of a deck the house's edge per ante once it is gone; none if too few would be left to deal."""
    counts = checked_deck(deck)
    if sum(counts) <= LEAST:
        return {}
    known = patterns(rules.ranking)
    cards = deck_of(known, counts)
    found = endings(rules, known, checked(rules, None))
    pays, parts = whole_pays(found, len(rules.ranking.order.value), dealers=comb(cards.size - 6, 4))
    dealer = np.where(qualifying(known, rules.qualifies.value)[cards.values], cards.values, np.int16(-1))
    tally = sweep_without(
        cards.hands,
        dealer,
        cards.order,
        cards.weights,
        known.classes[cards.values],
        starts_of(cards.size),
        cards.size,
        pays,
    )
    nets = [sum(int(n) * int(pay) for n, pay in zip(each.flat, pays.flat, strict=True)) for each in tally]
    size = cards.size - 1
    deals = comb(size, 5) * (size - 5) * comb(size - 6, 4)
    ranks = len(counts) // len(cards.alike)
    groups = [(int(card) % ranks, int(cards.alike[int(card) // ranks])) for card in cards.cards]
    edges = {}
    for card, group in zip(cards.cards, groups, strict=True):
        of = [net for net, other in zip(nets, groups, strict=True) if other == group]
        edges[int(card)] = -Fraction(sum(of), len(of) * parts * deals)
    return edges
