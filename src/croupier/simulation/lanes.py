"""Shoes of baccarat mixed and dealt side by side: the fast kernel.

Theory of operation.  A processor does several things at once where none waits for another.  Within one shoe nearly
everything waits: a number for what the one before left of the word, a coup for the place at which the one before
ended.  So `LANES` shoes go together.  Their words are made in one loop over the lanes without a branch, which the
compiler turns into vectors: a number below n < 2³² is made by two products of half words, and comes out as `wide` has
it.  A word that is to be drawn again is so rare that its step is then done lane by lane (`mix_six`).  A coup reads its
six cards at once, and puts the low halves of their bytes side by side.

`deal_lanes` only counts ends.  Where more is asked of a coup (pairs, Runs, a bettor's money), `deal_out` notes what
came in each lane, and the kernel goes through the notes, lane by lane.

Every shoe takes the same words and has the same cards as alone: `kernels.mixed` is the slow path of the mixing, and the
twin tests hold the counts to plain play.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic

from croupier.simulation.streams import compiled, inlined, mix_one, mix_six, word

LANES: Final = 16
DEAL: Final = 6
"""The most cards a coup uses, and the numbers that one word serves."""

MORE: Final = 8
"""Bytes behind the cards of a lane, so that eight can be read at the place of any card."""

COUNTER: Final = DEAL + 1
"""The row of `work` with each lane's place among the words; the six above it hold numbers, the seventh what is left."""

_HALF: Final = np.uint64(0xFFFFFFFF)
_LOW: Final = np.uint64(0x0F0F0F0F0F0F)
_PAIRS: Final = np.uint64(0x00FF00FF00FF)
_FOUR: Final = np.uint64(0xFFFF)
_BYTE: Final = np.uint64(0xFF)


def _eight(typing_context: Any, cards: Any, at: Any) -> Any:  # noqa: ARG001
    """Eight bytes from a place on as one word, the first lowest."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        place = builder.bitcast(builder.gep(data, [values[1]]), ir.IntType(64).as_pointer())
        return builder.load(place, align=1)

    return types.uint64(cards, types.uint64), generate


eight: Any = intrinsic(_eight)


@inlined
def coup(cards, at, four, rest):  # type: ignore[no-untyped-def]
    """The end of the coup that starts at a place, times four, plus the cards it used beyond four.

    Two bytes are read that are none of its cards: there must be as many behind the last.
    """
    return ended(eight(cards, at), four, rest)


@inlined
def halves(six):  # type: ignore[no-untyped-def]
    """The symbols of six cards in a word: two in a byte, the first of them in its low half, and a byte between."""
    six &= _LOW
    return (six | six >> np.uint64(4)) & _PAIRS


@inlined
def ended(six, four, rest):  # type: ignore[no-untyped-def]
    """`coup` of six cards in a word."""
    six = halves(six)
    mix = (six | six >> np.uint64(8)) & _FOUR
    return np.uint64(rest[np.uint64(four[mix]) << np.uint64(8) | six >> np.uint64(32)])


@inlined
def lay_packs(cards, pack):  # type: ignore[no-untyped-def]
    """A pack in order in every lane; card by card, which the compiler makes faster than it copies an array."""
    size = np.uint64(len(pack))
    for lane in range(LANES):
        start = np.uint64(lane) * (size + np.uint64(MORE))
        for place in range(size):
            cards[start + place] = pack[place]


@inlined
def mix_lanes(cards, work, pack, needed, k0, k1):  # type: ignore[no-untyped-def]
    """Mix a pack in every lane as far as `needed`, from the places of words that `work` tells, which move on."""
    size = len(pack)
    stride = np.uint64(size + MORE)
    lay_packs(cards, pack)
    done = 0
    while done < needed and size - done >= DEAL:
        _mix_six_each(cards, work, stride, done, size - done, k0, k1)
        done += DEAL
    while done < needed:
        for lane in range(LANES):
            mine = cards[lane * (size + MORE) :]
            work[COUNTER, lane] = mix_one(mine, done, size - done, k0, k1, work[COUNTER, lane])
        done += 1


@inlined
def _mix_six_each(cards, work, stride, done, left, k0, k1):  # type: ignore[no-untyped-def]
    """`mix_six` in every lane."""
    if _draw_six_each(work, left, k0, k1):
        for lane in range(LANES):
            mine = cards[np.uint64(lane) * stride :]
            work[COUNTER, lane] = mix_six(mine, done, left, k0, k1, work[COUNTER, lane])
        return
    for k in range(DEAL):
        for lane in range(LANES):
            at = np.uint64(lane) * stride + np.uint64(done + k)
            other = at + work[k, lane]
            cards[at], cards[other] = cards[other], cards[at]
    for lane in range(LANES):
        work[COUNTER, lane] += np.uint64(1)


@inlined
def _draw_six_each(work, left, k0, k1):  # type: ignore[no-untyped-def]
    """Six numbers for every lane, and whether the word of any is to be drawn again."""
    n = np.uint64(left)
    one = np.uint64(1)
    product = n * (n - one) * (n - np.uint64(2)) * (n - np.uint64(3)) * (n - np.uint64(4)) * (n - np.uint64(5))
    for lane in range(LANES):
        drawn = word(k0, k1, work[COUNTER, lane])
        for k in range(DEAL):
            below = (n - np.uint64(k)) & _HALF
            low = (drawn & _HALF) * below
            high = (drawn >> np.uint64(32)) * below + (low >> np.uint64(32))
            work[k, lane] = high >> np.uint64(32)
            drawn = high << np.uint64(32) | (low & _HALF)
        work[DEAL, lane] = drawn
    again = False
    for lane in range(LANES):
        again |= work[DEAL, lane] < product
    return again


@inlined
def deal_lanes(cards, at, size, free, four, rest, ends):  # type: ignore[no-untyped-def]
    """A coup in every lane, again and again until the first of them comes to `free`: how many each had.

    Each lane counts for itself, because the count of an end that comes twice in a row would wait for itself.
    """
    stride = np.uint64(size + MORE)
    most = np.max(at)
    dealt = 0
    while most < free:
        dealt += 1
        most = np.uint64(0)
        for lane in range(LANES):
            here = at[lane]
            found = coup(cards, np.uint64(lane) * stride + here, four, rest)
            ends[lane, found >> np.uint64(2)] += 1
            here += np.uint64(4) + (found & np.uint64(3))
            at[lane] = here
            most = max(most, here)
    return dealt


@inlined
def rounds_left(left, at, used, cut, after, first):  # type: ignore[no-untyped-def]
    """How many coups follow this one, which used these cards: -1 while the cutting card has not come."""
    if left > 0:
        return left - 1
    start = np.int64(at)
    if start == cut:
        return first
    if start < cut and cut < start + np.int64(used):
        return after
    return -1


@compiled
def _noted(six, lane, index, four, rest, pair, found, kinds):  # type: ignore[no-untyped-def]
    """Note the end of a coup of six cards in a word, and the kinds of its pairs; how many cards it used."""
    one = ended(six, four, rest)
    found[lane, index] = one
    if pair is not None:
        mine = pair[six & _BYTE, six >> np.uint64(16) & _BYTE]
        kinds[lane, index] = 4 * mine + pair[six >> np.uint64(8) & _BYTE, six >> np.uint64(24) & _BYTE]
    return np.uint64(4) + (one & np.uint64(3))


@compiled
def deal_out(cards, size, most, cut, after, first, four, rest, pair, found, kinds, coups):  # type: ignore[no-untyped-def]
    """Deal the shoe of every lane to its end, or `most` coups, and note every coup.

    `coups` begins as the cards burned in each lane and ends as the coups it had.
    """
    stride = np.uint64(size + MORE)
    places = np.empty(LANES, np.uint64)
    for lane in range(LANES):
        places[lane] = coups[lane]
    free = np.uint64(max(0, cut - DEAL + 1))
    together = 0
    while together < most and np.max(places) < free:
        for lane in range(LANES):
            at = np.uint64(lane) * stride + places[lane]
            places[lane] += _noted(eight(cards, at), lane, together, four, rest, pair, found, kinds)
        together += 1
    for lane in range(LANES):
        index, left, at = together, np.int64(-1), places[lane]
        while left != 0 and index < most:
            six = eight(cards, np.uint64(lane) * stride + at)
            used = _noted(six, lane, index, four, rest, pair, found, kinds)
            left = np.int64(rounds_left(left, at, used, cut, after, first))
            at += used
            index += 1
        coups[lane] = index


@compiled
def deal_anew(cards, work, size, many, four, rest, pair, found, kinds, k0, k1):  # type: ignore[no-untyped-def]
    """So many coups of a continuous shuffler in every lane, noted: all cards are in the machine when one begins."""
    stride = np.uint64(size + MORE)
    for index in range(many):
        if _draw_six_each(work, size, k0, k1):
            for lane in range(LANES):
                mine = cards[np.uint64(lane) * stride :]
                work[COUNTER, lane] = mix_six(mine, 0, size, k0, k1, work[COUNTER, lane])
                _noted(eight(mine, np.uint64(0)), lane, index, four, rest, pair, found, kinds)
            continue
        for lane in range(LANES):
            # The cards are put into a word as they come: read anew, it would wait until the last of them is written.
            six = np.uint64(0)
            for k in range(np.uint64(DEAL)):
                at = np.uint64(lane) * stride + k
                other = at + work[k, lane]
                came = cards[other]
                cards[other] = cards[at]
                cards[at] = came
                six |= np.uint64(came) << np.uint64(8) * k
            work[COUNTER, lane] += np.uint64(1)
            _noted(six, lane, index, four, rest, pair, found, kinds)
