"""The compiled deal of Caribbean stud: a fresh pack each round, hands valued by tables, decisions looked up.

Theory of operation.  A card is its place in the pack by rank and then suit: place // 4 is its rank.  Five ranks become
the number of their pattern in three steps without sorting them: two ranks are a pair of 91, two pairs a set of 1,820,
and a set with the fifth rank the pattern that `exact.caribbean_stud.counting` numbers.  A hand of one suit counts from
`PATTERNS` on.  `value_of` has the law's value of each pattern.

A strategy has for each pattern the set of up cards on which to bet, a bit for each place; where suits decide, the
pattern has 1,024 sets, by the suits of its five cards in order (see `lookup`).

A round adds one to a bin of each box's block: class of the hand × ending, as the exact engine tallies.  The jackpot is
counted by the box's prize and by all prizes of the round, because they share the pool; `steps` numbers the multisets of
prizes.  The slow path this must agree with is `twin`: the same cards through `round.happen`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import njit

from croupier.exact.caribbean_stud.counting import EQUAL, FOLDED, HIGHER, LOWER, NO_HAND, PATTERNS
from croupier.simulation import sessions
from croupier.simulation.plan import Chunk, Ints, Table, play_chunk
from croupier.simulation.streams import first_word, mix_up_to

RANK_BITS: Final = 4
RANK_STRIDE: Final = 1 << RANK_BITS
PAIRS: Final = 91
SUITS: Final = 3
BLOCK: Final = 1 << 10
ENDS: Final = 5

SHAPE: Final = (
    *("boxes", "up", "session", "width", "sessions_at", "together_at", "jackpot_at"),
    *("prizes", "least", "ready", "unit", "history_at", "stop", "goal"),
)
BOXES, UP, SESSION, WIDTH, SESSIONS_AT, TOGETHER_AT, JACKPOT_AT, PRIZES, LEAST, READY = range(10)
UNIT, HISTORY_AT, STOP, GOAL = range(10, 14)
"""The numbers that the kernel needs besides tables.

`least` is the lowest value with which the dealer qualifies; `ready` cards of the pack are not mixed, for the twin.
A unit has so many rounds.  Who stakes by history is counted from `history_at` on (-1: nobody), by state.
"""
STATE_SUMS: Final = 4
"""Of each state: rounds, the sum of their nets for an ante of one unit, that of the squares, and hands that bet."""


def kernel(tables: tuple[Table, ...], chunk: Chunk, counts: Ints) -> int:
    """Play the rounds, or sessions, of a chunk."""
    return play_chunk(play_units, tables, chunk, counts)


@njit(inline="always")
def pattern_of(a, b, c, d, e, pair, four, five):  # type: ignore[no-untyped-def]
    """The number of a hand's pattern; a hand of one suit comes after all others."""
    one = np.int64(pair[(a >> 2) * RANK_STRIDE + (b >> 2)])
    other = np.int64(pair[(c >> 2) * RANK_STRIDE + (d >> 2)])
    pattern = np.int64(five[np.int64(four[one * PAIRS + other]) * RANK_STRIDE + (e >> 2)])
    return pattern + PATTERNS if ((a ^ b) | (a ^ c) | (a ^ d) | (a ^ e)) & SUITS == 0 else pattern


@njit(nogil=True, cache=True)
def suits_of(hand: Any) -> Any:
    """The suits of five cards in the order of their places, two bits each, the lowest first; sorts the hand."""
    for i in range(1, 5):
        place, last = hand[i], i
        while last > 0 and hand[last - 1] > place:
            hand[last] = hand[last - 1]
            last -= 1
        hand[last] = place
    suits = 0
    for i in range(5):
        suits |= (hand[i] & SUITS) << 2 * i
    return suits


@njit(nogil=True, cache=True)
def play_units(
    pack: Any,
    shape: Any,
    slots: Any,
    pair: Any,
    four: Any,
    five: Any,
    value_of: Any,
    class_of: Any,
    bets: Any,
    where: Any,
    detail: Any,
    strategy_of: Any,
    blocks: Any,
    prize_of: Any,
    steps: Any,
    grains: Any,
    stakes: Any,
    following: Any,
    k0: Any,
    k1: Any,
    first: Any,
    count: Any,
    limit: Any,
    counts: Any,
) -> Any:
    """Play units in a row and count them: how many rounds that were.

    One function, because arrays that are handed on are counted as references, which costs more than the play itself.
    """
    boxes, length = shape[BOXES], shape[SESSION]
    together_at, jackpot_at, prizes, least = shape[TOGETHER_AT], shape[JACKPOT_AT], shape[PRIZES], shape[LEAST]
    history, stop, goal = shape[HISTORY_AT], shape[STOP], shape[GOAL]
    money = length > 0 or together_at >= 0 or history >= 0
    needed, ready = 5 * (boxes + 1), shape[READY]
    cards = pack.copy()
    hand = np.zeros(5, dtype=np.int64)
    prize = np.zeros(boxes, dtype=np.int64)
    session = np.zeros(5, dtype=np.int64)
    played = shape[UNIT]
    rounds = 0
    for unit in range(first, first + count):
        counter = first_word(unit)
        sessions.begin(session)
        bet, gone = np.int64(0), False
        for _ in range(min(played, limit - rounds)):
            rounds += 1
            cards[:] = pack
            _, counter = mix_up_to(cards, ready, needed, k0, k1, counter)
            a, b, c = cards[slots[boxes, 0]], cards[slots[boxes, 1]], cards[slots[boxes, 2]]
            d, e = cards[slots[boxes, 3]], cards[slots[boxes, 4]]
            dealers = np.int64(value_of[pattern_of(a, b, c, d, e, pair, four, five)])
            up = np.uint64(cards[shape[UP]])
            net, together, won, end = 0, 0, 0, FOLDED
            for box in range(boxes):
                a, b, c = cards[slots[box, 0]], cards[slots[box, 1]], cards[slots[box, 2]]
                d, e = cards[slots[box, 3]], cards[slots[box, 4]]
                pattern = pattern_of(a, b, c, d, e, pair, four, five)
                strategy = strategy_of[box]
                chosen = bets[strategy, pattern]
                if where[strategy, pattern] >= 0:
                    hand[0], hand[1], hand[2], hand[3], hand[4] = a, b, c, d, e
                    chosen = detail[where[strategy, pattern] + suits_of(hand)]
                mine = np.int64(value_of[pattern])
                end = FOLDED
                if (chosen >> up) & np.uint64(1) != 0:
                    if dealers < least:
                        end = NO_HAND
                    elif mine > dealers:
                        end = HIGHER
                    else:
                        end = EQUAL if mine == dealers else LOWER
                kind = np.int64(class_of[mine])
                code = blocks[box] + kind * ENDS + end
                if not gone:
                    counts[code] += 1
                if money:
                    net += grains[0, code]
                    together += grains[1, code]
                prize[box] = prize_of[kind] if end != FOLDED else -1
                if prize[box] >= 0:
                    won = steps[won, prize[box]]
            if together_at >= 0:
                counts[together_at + together] += 1
            if jackpot_at >= 0:
                if won == 0:
                    counts[jackpot_at] += boxes
                    net += boxes * grains[0, jackpot_at]
                else:
                    for box in range(boxes):
                        code = jackpot_at
                        if prize[box] >= 0:
                            code += 1 + won * prizes + prize[box]
                        counts[code] += 1
                        net += grains[0, code]
            if history >= 0 and not gone:
                sums = history + bet * STATE_SUMS
                counts[sums] += 1
                counts[sums + 1] += net
                counts[sums + 2] += net * net
                counts[sums + 3] += 1 if end != FOLDED else 0
                sessions.after(session, net * stakes[bet])
                bet = following[3 * bet + (1 if net > 0 else 2 if net < 0 else 0)]
                gone = (stop > 0 and session[0] <= -stop) or (goal > 0 and session[0] >= goal)
            elif length > 0:
                sessions.after(session, 0 if gone else net)
        if length > 0 and session[4] == length:
            sessions.close(session, counts, shape[SESSIONS_AT], shape[WIDTH])
        if rounds >= limit:
            break
    return rounds
