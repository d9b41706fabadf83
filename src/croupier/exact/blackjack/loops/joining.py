"""How likely hands are, and what the hands of a split bring together.

All loops run over the numbered hands of `lattice` or over multisets of cards.  A shoe is the number of cards of each
symbol that may still come to the hands and the dealer.
"""

from __future__ import annotations

import numpy as np

from croupier.exact.blackjack.loops.vectors import add_eight, add_product_eight, grow_eight
from croupier.exact.blackjack.terms import EIGHT, HIT, LANES, Bools, Floats, Ints, Unions
from croupier.kept.compiling import alone as compiled


@compiled
def dealer_table(
    symbol: Ints,
    used: Ints,
    depth: Ints,
    ways: Floats,
    end: Ints,
    shoe: Floats,
    gone: Ints,
    table: Floats,
    left: Floats,
    rows: Floats,
    order: Floats,
    work: Floats,
) -> None:
    """The dealer's chances behind each multiset gone, `table[gone, ending]`; none where the shoe does not hold it.

    One walk of a tree (`lattice.Dealer`) serves several shoes side by side; a bust is what the other endings leave.
    The table was made of noughts, and may be wider than there are endings.  The rest is room to work in.
    """
    kinds, endings, most = len(shoe), len(rows) // LANES, len(order) // LANES - 1
    for begin in range(0, len(gone), LANES):
        here = min(LANES, len(gone) - begin)
        for lane in range(LANES):
            at = begin + min(lane, here - 1)
            cards = 0.0
            for kind in range(kinds):
                still = max(shoe[kind] - gone[at, kind], 0.0)
                left[kind * LANES + lane] = still
                cards += still
            order[lane] = 1.0
            for k in range(most):
                fewer = order[k * LANES + lane] / (cards - k) if cards - k > 0.5 else 0.0
                order[(k + 1) * LANES + lane] = fewer
            work[lane] = 1.0
        for at in range(len(rows)):
            rows[at] = 0.0
        for node in range(1, len(symbol)):
            kind, off, now = symbol[node] * LANES, float(used[node]), depth[node] * LANES
            for lane in range(0, LANES, EIGHT):
                grow_eight(work, now + lane, now - LANES + lane, left, kind + lane, off)
            if ways[node] > 0.0:
                onto = end[node] * LANES
                for lane in range(0, LANES, EIGHT):
                    add_product_eight(rows, onto + lane, work, now + lane, order, ways[node])
        for lane in range(here):
            held = 1.0
            for kind in range(kinds):
                if gone[begin + lane, kind] > shoe[kind]:
                    held = 0.0
            rest = 0.0
            for ending in range(1, endings):
                rest += rows[ending * LANES + lane]
                table[begin + lane, ending] = rows[ending * LANES + lane] * held
            table[begin + lane, 0] = (1.0 - rest) * held


@compiled
def count_orders(listed: Ints, child: Ints, choice: Ints, ways: Floats) -> None:
    """In how many orders each hand can come about, from those of the first hands, while the play says hit."""
    for hand in listed:
        if ways[hand] > 0.0 and choice[hand] == HIT:
            for symbol in range(child.shape[1]):
                if child[hand, symbol] >= 0:
                    ways[child[hand, symbol]] += ways[hand]


@compiled
def number_unions(
    many: Ints,
    ends: Ints,
    room: Ints,
    drawn: Ints,
    guard: int,
    slots: Ints,
    unions: Ints,
    index: Unions,
    different: Ints,
) -> None:
    """Number the unions of each multiset gone with each that is drawn, told by their keys: equal ones alike, -1 where
    what is left does not hold them.  How many are `different`, their keys in `unions`; or -1 if that fills more than
    half of the slots.

    There is a power of two of slots, of a key and its number each.  `room` and `drawn` are what is left behind the
    multiset gone, and the one drawn, in two words each: where all of `guard` is left of their difference, no count is
    below nought.
    """
    mask = len(slots) - 1
    count = 0
    for gone in range(len(many)):
        first, second = room[gone, 0], room[gone, 1]
        fits = first & second & guard == guard
        for end in range(len(ends)):
            if not fits or (first - drawn[end, 0]) & (second - drawn[end, 1]) & guard != guard:
                index[gone, end] = -1
                continue
            key = many[gone] + ends[end]
            slot = ((key * 0x9E3779B97F4A7C1) >> 32) & mask
            while slots[slot, 0] != key:
                if slots[slot, 0] < 0:
                    if 2 * count > mask:
                        different[0] = -1
                        return
                    slots[slot, 0] = key
                    slots[slot, 1] = count
                    unions[count] = key
                    count += 1
                    break
                slot = (slot + 1) & mask
            index[gone, end] = slots[slot, 1]
    different[0] = count


@compiled
def sequence_chances(cards: Ints, left: Floats, found: Floats) -> None:
    """The chance that the next cards are those of each multiset in one given order."""
    for at in range(len(cards)):
        chance_now = 1.0
        total = 0.0
        for symbol in range(len(left)):
            total += left[symbol]
        for symbol in range(len(left)):
            for k in range(cards[at, symbol]):
                chance_now *= max(left[symbol] - k, 0.0) / total if total > 0.5 else 0.0
                total -= 1.0
        found[at] = chance_now


@compiled
def last_hand(
    index: Unions,
    behind: Floats,
    ways: Floats,
    sort: Ints,
    doubled: Ints,
    shares: Floats,
    busts: Bools,
    dealer: Floats,
    width: int,
    pays: Ints,
    lost: Ints,
    found: Floats,
    each: Floats,
) -> None:
    """`found[gone, half, ending, net]`: the chances of what the last hand brings.

    `index[gone, end]` numbers what is gone then, and `dealer` has for each how likely it is in one order with each
    ending of the dealer, in rows of `width`, behind each other; `behind` is how likely is what is gone before.  Ends of
    one `sort` bring the same.  What is left of the wholes (`joint.WeighedEnds`) are the busts, which bring `lost`.
    """
    halves, endings, middle = found.shape[1], found.shape[2], found.shape[3] // 2
    sorts = len(doubled)
    for gone in range(len(index)):
        if behind[gone] <= 0.0:
            continue
        for at in range(len(each)):
            each[at] = 0.0
        for end in range(len(ways)):
            union = np.int64(index[gone, end])
            if union >= 0:
                for at in range(0, width, EIGHT):
                    add_eight(each, sort[end] * width + at, dealer, union * width + at, ways[end])
        for whole in range(len(shares)):
            union = np.int64(index[gone, len(ways) + whole])
            if union >= 0:
                for twice in range(2):
                    for at in range(0, width, EIGHT):
                        add_eight(each, (sorts + twice) * width + at, dealer, union * width + at, shares[whole, twice])
        for kind in range(sorts):
            for at in range(endings):
                share = each[kind * width + at]
                each[(sorts + doubled[kind]) * width + at] -= share
                for half in range(halves):
                    found[gone, half, at, middle + pays[half, kind, at]] += share / behind[gone]
        for twice in range(2):
            if busts[twice]:
                for half in range(halves):
                    for at in range(endings):
                        share = max(each[(sorts + twice) * width + at], 0.0)
                        found[gone, half, at, middle + lost[half, twice, at]] += share / behind[gone]


@compiled
def hand_before(
    index: Unions,
    chances: Floats,
    behind: Floats,
    ways: Floats,
    doubled: Ints,
    shares: Floats,
    busts: Bools,
    live: Ints,
    shift: Ints,
    lost: Ints,
    rows: Floats,
    found: Floats,
    rest: Floats,
) -> None:
    """`found` as in `last_hand` with one hand more: what comes behind each of its ends, shifted by what that brings."""
    halves, endings, columns = rows.shape[1], rows.shape[2], rows.shape[3]
    any_bust = busts[0] or busts[1]
    for gone in range(len(index)):
        if behind[gone] <= 0.0:
            continue
        for twice in range(2):
            for half in range(halves):
                for at in range(endings):
                    for net in range(columns):
                        rest[twice, half, at, net] = 0.0
        for end in range(len(ways)):
            union = index[gone, end]
            if union < 0:
                continue
            weight, twice = ways[end] * (chances[union] / behind[gone]), doubled[end]
            for half in range(halves):
                row = max(half, live[end]) if halves > 1 else 0
                for at in range(endings):
                    here = shift[half, end, at]
                    for net in range(columns):
                        found[gone, half, at, here + net] += weight * rows[union, row, at, net]
                    if any_bust:
                        for net in range(columns):
                            rest[twice, half, at, net] -= weight * rows[union, half, at, net]
        for whole in range(len(shares)):
            union = index[gone, len(ways) + whole]
            if union < 0:
                continue
            for twice in range(2):
                weight = shares[whole, twice] * (chances[union] / behind[gone])
                for half in range(halves):
                    for at in range(endings):
                        for net in range(columns):
                            rest[twice, half, at, net] += weight * rows[union, half, at, net]
        for twice in range(2):
            if busts[twice]:
                for half in range(halves):
                    for at in range(endings):
                        here = lost[half, twice, at]
                        for net in range(columns):
                            found[gone, half, at, here + net] += max(rest[twice, half, at, net], 0.0)


@compiled
def needed(skip: Ints, drawn: Ints, room: Ints, guard: int, found: Bools) -> None:
    """Which nodes of a series lie within any of the points, told in two words each, as in `number_unions`."""
    node, last = 0, 0
    while node < len(skip):
        for _ in range(len(room)):
            if (room[last, 0] - drawn[node, 0]) & (room[last, 1] - drawn[node, 1]) & guard == guard:
                found[node] = True
                break
            last = last + 1 if last + 1 < len(room) else 0
        node = node + 1 if found[node] else skip[node]


@compiled
def newton(
    symbol: Ints,
    held: Ints,
    depth: Ints,
    deepest: Ints,
    skip: Ints,
    fewer: Ints,
    values: Floats,
    points: Ints,
    rows: Floats,
    factor: Floats,
) -> None:
    """Newton's series at each point, from the values at the nodes of the series, which become their differences; both
    flat, with some eights of columns.

    `fewer[symbol, node]` is the node with one card less of a symbol, -1 where it holds none.  Differences are taken
    symbol by symbol, as often as the node holds it, from the `deepest` nodes up.  `factor` is room to work in.
    """
    nodes, columns = len(symbol), len(values) // len(symbol)
    for kind in range(len(fewer)):
        for taken in range(len(factor) - 1):
            for node in deepest:
                less = node
                for _ in range(taken + 1):
                    less = fewer[kind, less] if less >= 0 else -1
                if less >= 0:
                    below = fewer[kind, node]
                    for column in range(0, columns, EIGHT):
                        add_eight(values, node * columns + column, values, below * columns + column, -1.0)
    factor[0] = 1.0
    for point in range(len(points)):
        for column in range(columns):
            rows[point * columns + column] = values[column]
        node = 1
        while node < nodes:
            room = points[point, symbol[node]] - held[node]
            if room <= 0:
                node = skip[node]
                continue
            here = factor[depth[node] - 1] * room / (held[node] + 1.0)
            factor[depth[node]] = here
            for column in range(0, columns, EIGHT):
                add_eight(rows, point * columns + column, values, node * columns + column, here)
            node += 1
