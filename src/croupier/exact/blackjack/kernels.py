"""The inner loops, compiled: what the dealer comes to, how likely hands are; `valuing` has what they are worth.

All loops run over the numbered hands of `lattice`.  A shoe is the number of cards of each symbol that may still come to
the hand and the dealer: what lies elsewhere is taken out before.  `unseen` is a symbol, or -1: then one more card is
gone of which only is known that it is not this symbol.  By exchangeability that card may be thought to be drawn last,
and what it does to the chances is a factor.

Each function fills arrays that its caller made.  The slow path they agree with is `rational`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numpy as np
from numba import njit

from croupier.exact.blackjack.terms import HIT, Floats, Ints

P = ParamSpec("P")
T = TypeVar("T")
LANES = 8
WIDE = 64
"""Shoes side by side: few where one tree is walked, many where the loops would be too short for their start."""


def compiled(function: Callable[P, T]) -> Callable[P, T]:
    """The function in machine code, kept on disk, and free to run beside other threads."""
    return cast(Callable[P, T], njit(cache=True, nogil=True)(function))


@compiled
def stand_chances(
    parent: Ints,
    symbol: Ints,
    used: Ints,
    ways: Floats,
    end: Ints,
    drawn: Ints,
    left: Floats,
    rows: Floats,
    work: Floats,
) -> None:
    """The chance of each ending of the dealer, `rows[end, lane]`, from what is left in each lane; a bust is the rest.

    Lanes are shoes side by side, so that one walk of the tree serves several.
    """
    lanes = left.shape[1]
    most = drawn.max()
    order = np.empty((most + 1, lanes))
    for lane in range(lanes):
        cards = left[:, lane].sum()
        order[0, lane] = 1.0
        for k in range(most):
            order[k + 1, lane] = order[k, lane] / (cards - k) if cards - k > 0.5 else 0.0
    rows[:] = 0.0
    work[0] = 1.0
    for node in range(1, len(parent)):
        above, kind, gone = parent[node], symbol[node], float(used[node])
        for lane in range(lanes):
            work[node, lane] = work[above, lane] * (left[kind, lane] - gone)
        if ways[node] > 0.0:
            at, cards_drawn, orders = end[node], drawn[node], ways[node]
            for lane in range(lanes):
                rows[at, lane] += work[node, lane] * orders * order[cards_drawn, lane]
    for lane in range(lanes):
        rows[0, lane] = 1.0 - rows[1:, lane].sum()


@compiled
def dealer_table(
    parent: Ints,
    symbol: Ints,
    used: Ints,
    ways: Floats,
    end: Ints,
    drawn: Ints,
    shoe: Floats,
    cards: Ints,
    listed: Ints,
    table: Floats,
) -> None:
    """The dealer's chances behind each listed hand; none where the shoe does not hold the hand."""
    left = np.empty((len(shoe), LANES))
    rows = np.empty((table.shape[1], LANES))
    work = np.empty((len(parent), LANES))
    for start in range(0, len(listed), LANES):
        here = min(LANES, len(listed) - start)
        for lane in range(LANES):
            left[:, lane] = shoe - cards[listed[start + min(lane, here - 1)]]
        stand_chances(parent, symbol, used, ways, end, drawn, np.maximum(left, 0.0), rows, work)
        for lane in range(here):
            held = left[:, lane].min() >= 0.0
            table[listed[start + lane]] = rows[:, lane] * (1.0 if held else 0.0)


@compiled
def walk(
    symbol: Ints,
    used: Ints,
    depth: Ints,
    start: Ints,
    row: Ints,
    ways: Floats,
    left: Floats,
    order: Floats,
    work: Floats,
    leaf: Floats,
    rows: Floats,
) -> None:
    """One walk of the tree of whole hands, from several shoes side by side; adds up `rows`."""
    lanes = left.shape[1]
    for node in range(len(symbol)):
        kind, off, here = symbol[node], float(used[node]), depth[node]
        for lane in range(lanes):
            work[here, lane] = work[here - 1, lane] * (left[kind, lane] - off)
        first, last = start[node], start[node + 1]
        if first < last:
            for lane in range(lanes):
                leaf[lane] = work[here, lane] * order[here, lane]
            for entry in range(first, last):
                onto, orders = row[entry], ways[entry]
                for lane in range(lanes):
                    rows[onto, lane] += leaf[lane] * orders


@compiled
def dealer_tables(
    symbol: Ints,
    used: Ints,
    depth: Ints,
    start: Ints,
    row: Ints,
    ways: Floats,
    shoe: Floats,
    gone: Ints,
    tables: Floats,
) -> None:
    """The dealer's chances for all first cards behind each multiset gone, `tables[first, gone, ending]`.

    One walk of the tree of whole hands (`lattice.DealerWalk`): the chance of a hand is a product that does not ask
    which of its cards came first.  `dealer_table` is the slow path, a walk for each first card.
    """
    kinds, endings = tables.shape[0], tables.shape[2]
    most = depth.max()
    left = np.empty((kinds, WIDE))
    order = np.empty((most + 1, WIDE))
    work = np.empty((most + 1, WIDE))
    rows = np.empty((kinds * endings, WIDE))
    held = np.empty(WIDE)
    each = np.empty(WIDE)
    leaf = np.empty(WIDE)
    for begin in range(0, len(gone), WIDE):
        here = min(WIDE, len(gone) - begin)
        for lane in range(WIDE):
            at = begin + min(lane, here - 1)
            held[lane] = 1.0
            cards = 0.0
            for kind in range(kinds):
                still = shoe[kind] - gone[at, kind]
                if still < 0.0:
                    held[lane] = 0.0
                    still = 0.0
                left[kind, lane] = still
                cards += still
            order[0, lane] = 1.0
            # The first card is drawn too; given which it is, the chance is that of the rest.
            for k in range(most):
                order[k + 1, lane] = order[k, lane] / (cards - k) if cards - k > 0.5 else 0.0
            each[lane] = cards
            work[0, lane] = 1.0
        rows[:] = 0.0
        walk(symbol, used, depth, start, row, ways, left, order, work, leaf, rows)
        for up in range(kinds):
            for lane in range(here):
                found = tables[up, begin + lane]
                if held[lane] == 0.0 or left[up, lane] < 0.5:
                    found[:] = 0.0
                    continue
                factor = each[lane] / left[up, lane]
                rest = 1.0
                for end in range(1, endings):
                    found[end] = rows[up * endings + end, lane] * factor
                    rest -= found[end]
                found[0] = rest


@compiled
def chance(left: Floats, total: float, symbol: int, unseen: int) -> float:
    """The chance that the next card is of a symbol."""
    plain = left[symbol] / total
    if unseen < 0:
        return float(plain)
    others = total - left[unseen]
    if others <= 0.0:
        return 0.0
    after = others if symbol == unseen else others - 1.0
    return float(plain * after * total / ((total - 1.0) * others)) if total > 1.0 else 0.0


@compiled
def count_orders(listed: Ints, child: Ints, choice: Ints, ways: Floats) -> None:
    """In how many orders each hand can come about, from those of the first hands, while the play says hit."""
    for hand in listed:
        if ways[hand] > 0.0 and choice[hand] == HIT:
            for symbol in range(child.shape[1]):
                if child[hand, symbol] >= 0:
                    ways[child[hand, symbol]] += ways[hand]


@compiled
def number_keys(keys: Ints, held: Ints, place: Ints, index: Ints) -> int:
    """Number equal keys alike, in a table of slots whose size is a power of two; returns how many differ, or -1 if that
    fills more than half of the table."""
    mask = len(held) - 1
    count = 0
    for at in range(len(keys)):
        key = keys[at]
        slot = ((key * 0x9E3779B97F4A7C1) >> 20) & mask
        while held[slot] != key:
            if held[slot] < 0:
                if 2 * count > mask:
                    return -1
                held[slot] = key
                place[slot] = count
                count += 1
                break
            slot = (slot + 1) & mask
        index[at] = place[slot]
    return count


@compiled
def union_keys(many: Ints, ends: Ints, left: Floats, bits: int, keys: Ints) -> None:
    """The key of each multiset with each end together; -1 where what is left does not hold them."""
    kinds = len(left)
    for gone in range(len(many)):
        for end in range(len(ends)):
            key = 0
            for kind in range(kinds):
                held = many[gone, kind] + ends[end, kind]
                if held > left[kind]:
                    key = -1
                    break
                key += held << (bits * kind)
            keys[gone, end] = key


@compiled
def sequence_chances(cards: Ints, left: Floats, found: Floats) -> None:
    """The chance that the next cards are those of each multiset in one given order."""
    for at in range(len(cards)):
        chance_now = 1.0
        total = left.sum()
        for symbol in range(len(left)):
            for k in range(cards[at, symbol]):
                chance_now *= max(left[symbol] - k, 0.0) / total if total > 0.5 else 0.0
                total -= 1.0
        found[at] = chance_now


@compiled
def last_hand(index: Ints, chances: Floats, ways: Floats, dealer: Floats, pays: Ints, found: Floats) -> None:
    """`found[gone, half, ending, net]`: the chances of what the last hand brings."""
    middle = found.shape[3] // 2
    for gone in range(len(index)):
        for end in range(len(ways)):
            union = index[gone, end]
            weight = ways[end] * chances[gone, end]
            if weight <= 0.0:
                continue
            for half in range(found.shape[1]):
                for at in range(found.shape[2]):
                    found[gone, half, at, middle + pays[half, end, at]] += weight * dealer[union, at]


@compiled
def hand_before(
    index: Ints, chances: Floats, ways: Floats, live: Ints, shift: Ints, rows: Floats, found: Floats
) -> None:
    """`found` as in `last_hand` with one hand more: what comes behind each of its ends, shifted by what that brings."""
    for gone in range(len(index)):
        for end in range(len(ways)):
            weight = ways[end] * chances[gone, end]
            if weight <= 0.0:
                continue
            for half in range(rows.shape[1]):
                row = rows[index[gone, end], max(half, live[end]) if rows.shape[1] > 1 else 0]
                for at in range(row.shape[0]):
                    here = shift[half, end, at]
                    for net in range(row.shape[1]):
                        found[gone, half, at, here + net] += weight * row[at, net]


@compiled
def newton(
    symbol: Ints,
    held: Ints,
    depth: Ints,
    skip: Ints,
    start: Ints,
    within: Ints,
    sign: Floats,
    values: Floats,
    unions: Ints,
    rows: Floats,
) -> None:
    """Newton's series at each union, from the values at the nodes of the series."""
    nodes, columns = values.shape
    delta = np.zeros((nodes, columns))
    for node in range(nodes):
        for at in range(start[node], start[node + 1]):
            for column in range(columns):
                delta[node, column] += sign[at] * values[within[at], column]
    factor = np.empty(depth.max() + 1)
    factor[0] = 1.0
    for union in range(len(unions)):
        rows[union] = delta[0]
        node = 1
        while node < nodes:
            room = unions[union, symbol[node]] - held[node]
            if room <= 0:
                node = skip[node]
                continue
            here = factor[depth[node] - 1] * room / (held[node] + 1.0)
            factor[depth[node]] = here
            for column in range(columns):
                rows[union, column] += here * delta[node, column]
            node += 1
