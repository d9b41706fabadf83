"""The compiled play of whole shoes of blackjack, and where each outcome is counted.

Theory of operation.  A card is one byte: what it counts (bits 0-3), its suit (4-5), and whether it is the figure that
Super Sevens looks at (6).  A hand is a state of the automaton that `hands` makes of the strategies: `child[state,
symbol]` is the hand with one card more, `choice[row, state]` what a strategy does with it, and the row is found from
the box, the dealer's first card and, for split hands, what the play may know of the other hands.  Nothing of the rules
is here but their order: two cards to each box around the dealer's one, boxes in turn, hands in turn, the dealer last.
A hole card is drawn before the boxes play, and a blackjack with it ends the round; a hand that is given up counts 0.

All split hands of a box begin with the same symbol.  So a hand that is split again simply draws a new second card, and
one more hand waits: their order needs no list.

The pack is mixed as far as cards are needed.  Should the cards run out in a round, the discards are mixed and the round
goes on (II-15.10); the shoe ends with that round, as it does with any in which the cutting card came out.

A round adds one to a bin of each box's block: an unsplit hand by doubled, total and the dealer's end; a blackjack by
the dealer's first card and end; an even money; a split by the units staked and the net.  Then insurance where it was
offered, and Super Sevens.  The slow path this must agree with is `twin`: the same cards through `round.happen`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import njit

from croupier.simulation import sessions
from croupier.simulation.plan import Chunk, Ints, Table, play_chunk
from croupier.simulation.streams import first_word, mix_up_to

STAND, HIT, DOUBLE, SPLIT, SURRENDER = range(5)
"""What a strategy does with a hand."""

ALONE, FIRST_OF_TWO, FIRST_OF_THREE, KEPT, SECOND, AFTER_SECOND, AFTER_KEPT, LATER_OF_THREE = VARIANTS = range(8)
"""Which hand of a box it is, as far as a play may look: see `exact.blackjack.policy.situation`.

`KEPT` is the second of two hands where the first kept its pair; `LATER_OF_THREE` a later one where the first was split
again.
"""

NOTHING, INSURE, EVEN_MONEY = range(3)
"""What is said to a dealer's ace."""

LOST, ONE, TWO, TWO_SUITED, THREE, THREE_SUITED = range(6)
"""How Super Sevens ends."""

SYMBOLS: Final = 16
"""Symbols are told apart by four bits."""
SYMBOL: Final = 15
SUIT_SHIFT: Final = 4
FIGURE: Final = 64

SHAPE: Final = (
    *("boxes", "burned", "cut", "session", "width", "sessions_at", "together_at"),
    *("natural", "bust", "ends", "totals", "naturals_at", "even_money_at", "split_at", "split_width"),
    *("insurance_at", "sevens_at", "ready", "hole"),
)
"""The numbers that the kernel needs besides tables, in order; `ready` cards of the pack are not mixed, for the twin."""
BOXES, BURNED, CUT, SESSION, WIDTH, SESSIONS_AT, TOGETHER_AT = range(7)
NATURAL, BUST, ENDS, TOTALS, NATURALS_AT, EVEN_MONEY_AT, SPLIT_AT, SPLIT_WIDTH = range(7, 15)
INSURANCE_AT, SEVENS_AT, READY, HOLE = range(15, 19)

MIXED, START = range(2)
"""What is noted of a shoe: how many cards are mixed, and where the round began (-1: the discards were taken up)."""


def kernel(tables: tuple[Table, ...], chunk: Chunk, counts: Ints) -> int:
    """Play the shoes, or sessions, of a chunk."""
    return play_chunk(play_units, tables, chunk, counts)


# ---------------------------------------------------------------- cards


@njit(nogil=True, cache=True)
def more(shoe: Any, at: Any, note: Any, keys: Any) -> Any:
    """Mix on when all mixed cards are dealt: where the next card lies."""
    if at == len(shoe):
        at = take_up_discards(shoe, note)
    mixed, counter = mix_up_to(shoe, at, at + 1, keys[0], keys[1], keys[2])
    note[MIXED] = mixed
    keys[2] = counter
    return at


@njit(nogil=True, cache=True)
def take_up_discards(shoe: Any, note: Any) -> Any:
    """The cards on the layout go to the front and the discards behind them, to be mixed: where these begin."""
    start = note[START]
    if start <= 0:
        raise ValueError("a round took every card of the shoe")
    on_layout = len(shoe) - start
    before = shoe.copy()
    for at in range(len(shoe)):
        shoe[at] = before[start + at] if at < on_layout else before[at - on_layout]
    note[START] = -1
    return on_layout


@njit(nogil=True)
def draw(shoe, at, note, keys):  # type: ignore[no-untyped-def]
    """The next card, and where the one after it lies."""
    if at >= note[MIXED]:
        at = more(shoe, at, note, keys)
    return np.int64(shoe[np.uint64(at)]), at + 1


# ---------------------------------------------------------------- a round


@njit(nogil=True, cache=True)
def play_split(
    shoe: Any, at: Any, note: Any, keys: Any, two: Any, child: Any, place: Any, choice: Any, rows: Any, made: Any
) -> Any:
    """Play the hands of a split: where the next card lies.

    `rows` are those of the eight variants.  `made` holds the symbol and what a bust counts; then come the number of
    hands, whether any lives, and for each whether it was doubled and its total.
    """
    symbol, bust = made[0], made[1]
    number, which, again, kept, lives = 2, 0, False, False, False
    while which < number:
        variant = FIRST_OF_TWO if number == 2 else FIRST_OF_THREE
        if which > 0 and number == 2:
            variant = KEPT if kept else SECOND
        elif which > 0:
            variant = LATER_OF_THREE if again else (AFTER_KEPT if kept else AFTER_SECOND)
        row = rows[variant]
        card, at = draw(shoe, at, note, keys)
        hand = two[symbol * SYMBOLS + (card & SYMBOL)]
        act = choice[row + hand]
        if act == SPLIT:
            number += 1
            again = which == 0
            continue
        if which == 0:
            kept = (card & SYMBOL) == symbol
        while act in (HIT, DOUBLE):
            card, at = draw(shoe, at, note, keys)
            hand = child[hand * SYMBOLS + (card & SYMBOL)]
            made[4 + 2 * which] = act == DOUBLE
            act = STAND if act == DOUBLE else choice[row + hand]
        lives |= place[hand] != bust
        made[5 + 2 * which] = place[hand]
        which += 1
    made[2], made[3] = number, lives
    return at


@njit(nogil=True, cache=True)
def split_bin(made: Any, end: Any, pay: Any, ends: Any, totals: Any, width: Any) -> Any:
    """The bin of a split by its number of stakes and what its hands bring together."""
    bust = made[1]
    stakes, brings, lives = 0, 0, False
    for which in range(made[2]):
        doubled, total = made[4 + 2 * which], made[5 + 2 * which]
        where = 1 if which == 0 else (2 if lives else 3)
        brings += pay[((where * 2 + doubled) * totals + total) * ends + end]
        stakes += 1 + doubled
        lives |= total != bust
    return (stakes - 2) * width + width // 2 + brings


@njit(inline="always")
def sevens_of(first, second, third):  # type: ignore[no-untyped-def]
    """How Super Sevens ends by the first three cards of a box; a third of 0 did not come."""
    if second & FIGURE == 0:
        return ONE
    if third & FIGURE == 0:
        return TWO_SUITED if first == second else TWO
    return THREE_SUITED if first == second and first == third else THREE


@njit(nogil=True, cache=True)
def play_units(
    pack: Any,
    shape: Any,
    two: Any,
    child: Any,
    place: Any,
    choice: Any,
    alone: Any,
    split: Any,
    early: Any,
    offers: Any,
    dealer: Any,
    pay: Any,
    blocks: Any,
    grains: Any,
    k0: Any,
    k1: Any,
    first: Any,
    count: Any,
    limit: Any,
    counts: Any,
) -> Any:
    """Play units in a row and count them: how many rounds that were.

    One function, and drawing a card written out wherever one is drawn, because arrays that are handed on are counted as
    references: with `draw` called here a round took two and a half times as long.
    """
    boxes, cut, length = shape[BOXES], shape[CUT], shape[SESSION]
    natural, bust, ends, totals = shape[NATURAL], shape[BUST], shape[ENDS], shape[TOTALS]
    insurance_at, sevens_at, together_at = shape[INSURANCE_AT], shape[SEVENS_AT], shape[TOGETHER_AT]
    money, hole = length > 0 or together_at >= 0, shape[HOLE] > 0
    shoe = pack.copy()
    keys = np.array([k0, k1, np.uint64(0)], dtype=np.uint64)
    note = np.zeros(2, dtype=np.int64)
    session = np.zeros(5, dtype=np.int64)
    firsts, seconds, thirds = np.zeros(boxes, np.int64), np.zeros(boxes, np.int64), np.zeros(boxes, np.int64)
    codes, twos = np.zeros(boxes, np.int64), np.zeros(boxes, np.int64)
    made = np.zeros((boxes, 10), dtype=np.int64)
    rounds = 0
    at = len(shoe)
    unit = first - 1
    while rounds < limit:
        # A new shoe, and a new unit unless a session goes on.
        if length == 0 or unit < first or session[4] == length:
            if unit >= first and length > 0:
                sessions.close(session, counts, shape[SESSIONS_AT], shape[WIDTH])
            unit += 1
            if unit == first + count:
                break
            sessions.begin(session)
            keys[2] = first_word(unit)
        shoe[:] = pack
        mixed, counter = mix_up_to(shoe, shape[READY], cut, k0, k1, keys[2])
        note[MIXED], note[START], keys[2] = mixed, 0, counter
        at = shape[BURNED]
        while at < cut and note[START] >= 0 and rounds < limit and (length == 0 or session[4] < length):
            rounds += 1
            note[START] = at

            # The initial deal.
            for box in range(boxes):
                if at >= mixed:
                    at = more(shoe, at, note, keys)
                    mixed = note[MIXED]
                firsts[box] = np.int64(shoe[np.uint64(at)])
                at += 1
            if at >= mixed:
                at = more(shoe, at, note, keys)
                mixed = note[MIXED]
            up = np.int64(shoe[np.uint64(at)]) & SYMBOL
            at += 1
            for box in range(boxes):
                if at >= mixed:
                    at = more(shoe, at, note, keys)
                    mixed = note[MIXED]
                seconds[box] = np.int64(shoe[np.uint64(at)])
                at += 1

            # A hole card, which the dealer looks at.
            second, looked = np.int64(0), False
            if hole:
                if at >= mixed:
                    at = more(shoe, at, note, keys)
                    mixed = note[MIXED]
                second = np.int64(shoe[np.uint64(at)]) & SYMBOL
                at += 1
                looked = dealer[np.int64(dealer[up]) * SYMBOLS + second] == ends - 1

            # The boxes in turn.
            depends = False
            for box in range(boxes):
                hand = two[(firsts[box] & SYMBOL) * SYMBOLS + (seconds[box] & SYMBOL)]
                twos[box] = hand
                thirds[box] = 0
                if hand == natural:
                    paid = offers[up] & 2 > 0 and early[(box * SYMBOLS + up) * len(place) + hand] == EVEN_MONEY
                    codes[box] = shape[EVEN_MONEY_AT] if paid else shape[NATURALS_AT] + up * ends
                    continue
                if looked:
                    codes[box] = np.int64(place[hand]) * ends
                    continue
                row = np.int64(alone[box * SYMBOLS + up])
                act = choice[row + hand]
                if act == SURRENDER:
                    codes[box] = 0
                    continue
                if act == SPLIT:
                    codes[box] = -1
                    made[box] = 0
                    made[box, 0], made[box, 1] = firsts[box] & SYMBOL, bust
                    rows = split[box, up, firsts[box] & SYMBOL]
                    at = play_split(shoe, at, note, keys, two, child, place, choice, rows, made[box])
                    mixed = note[MIXED]
                    depends |= made[box, 3] != 0
                    continue
                code = 0
                if act != STAND:
                    if at >= mixed:
                        at = more(shoe, at, note, keys)
                        mixed = note[MIXED]
                    card = np.int64(shoe[np.uint64(at)])
                    at += 1
                    thirds[box] = card
                    hand = child[hand * SYMBOLS + (card & SYMBOL)]
                    if act == DOUBLE:
                        code = totals
                    else:
                        while choice[row + hand] != STAND:
                            if at >= mixed:
                                at = more(shoe, at, note, keys)
                                mixed = note[MIXED]
                            card = np.int64(shoe[np.uint64(at)])
                            at += 1
                            hand = child[hand * SYMBOLS + (card & SYMBOL)]
                total = np.int64(place[hand])
                depends |= total != bust
                codes[box] = (code + total) * ends

            # The dealer: a second card always, more only where a hand depends on them.
            if not hole:
                if at >= mixed:
                    at = more(shoe, at, note, keys)
                    mixed = note[MIXED]
                second = np.int64(shoe[np.uint64(at)]) & SYMBOL
                at += 1
            end = np.int64(dealer[np.int64(dealer[up]) * SYMBOLS + second])
            if depends:
                while end >= ends:
                    if at >= mixed:
                        at = more(shoe, at, note, keys)
                        mixed = note[MIXED]
                    card = np.int64(shoe[np.uint64(at)])
                    at += 1
                    end = np.int64(dealer[end * SYMBOLS + (card & SYMBOL)])
            elif end != ends - 1:
                end = np.int64(0)

            # What it came to.
            net = 0
            together = 0
            for box in range(boxes):
                block = blocks[box]
                code = block + codes[box] + end
                if codes[box] < 0:
                    code = block + shape[SPLIT_AT] + split_bin(made[box], end, pay, ends, totals, shape[SPLIT_WIDTH])
                counts[code] += 1
                if money:
                    net += grains[0, code]
                    together += grains[1, code]
                # Two wagers that never change the play are counted for every box.
                if offers[up] & 1 > 0:
                    taken = early[(box * SYMBOLS + up) * len(place) + twos[box]] == INSURE
                    code = block + insurance_at + (2 if taken else 0) + offers[SYMBOLS + second]
                    counts[code] += 1
                    net += grains[0, code]
                if sevens_at >= 0:
                    code = block + sevens_at
                    if firsts[box] & FIGURE > 0:
                        code += sevens_of(firsts[box], seconds[box], thirds[box])
                    counts[code] += 1
                    net += grains[0, code]
            if together_at >= 0:
                counts[together_at + together] += 1
            if length > 0:
                sessions.after(session, net)
    if length > 0 and unit < first + count and unit >= first and session[4] == length:
        sessions.close(session, counts, shape[SESSIONS_AT], shape[WIDTH])
    return rounds
