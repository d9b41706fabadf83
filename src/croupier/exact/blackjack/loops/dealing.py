"""What the dealer comes to, behind everything that can be gone."""

from __future__ import annotations

from croupier.exact.blackjack.loops.vectors import add_eight, grow_eight, product_eight
from croupier.exact.blackjack.terms import EIGHT, WIDE, Floats, Ints
from croupier.kept.compiling import alone as compiled


@compiled
def count_ways(drawing: Ints, child: Ints, ways: Ints) -> None:
    """In how many orders each hand can come about from each first card, while all hands before it draw."""
    for at in drawing:
        for symbol in range(child.shape[1]):
            then = child[at, symbol]
            if then >= 0:
                for up in range(ways.shape[1]):
                    ways[then, up] += ways[at, up]


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
    for node in range(len(symbol)):
        kind, off, here = symbol[node] * WIDE, float(used[node]), depth[node] * WIDE
        for lane in range(0, WIDE, EIGHT):
            grow_eight(work, here + lane, here - WIDE + lane, left, kind + lane, off)
        first, last = start[node], start[node + 1]
        if first < last:
            for lane in range(0, WIDE, EIGHT):
                product_eight(leaf, lane, work, here + lane, order, here + lane)
            for entry in range(first, last):
                onto, orders = row[entry] * WIDE, ways[entry]
                for lane in range(0, WIDE, EIGHT):
                    add_eight(rows, onto + lane, leaf, lane, orders)


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
    left: Floats,
    order: Floats,
    work: Floats,
    rows: Floats,
    held: Floats,
    each: Floats,
    leaf: Floats,
) -> None:
    """The dealer's chances for all first cards behind each multiset gone, `tables[first, gone, ending]`.

    One walk of the tree of whole hands (`lattice.DealerWalk`): the chance of a hand is a product that does not ask
    which of its cards came first.  `joining.dealer_table` is the slow path, a walk for each first card.  The rest is
    room to work in, for so many shoes side by side.
    """
    kinds, endings, most = tables.shape[0], tables.shape[2], len(order) // WIDE - 1
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
                left[kind * WIDE + lane] = still
                cards += still
            order[lane] = 1.0
            # The first card is drawn too; given which it is, the chance is that of the rest.
            for k in range(most):
                fewer = order[k * WIDE + lane] / (cards - k) if cards - k > 0.5 else 0.0
                order[(k + 1) * WIDE + lane] = fewer
            each[lane] = cards
            work[lane] = 1.0
        for at in range(len(rows)):
            rows[at] = 0.0
        walk(symbol, used, depth, start, row, ways, left, order, work, leaf, rows)
        for up in range(kinds):
            for lane in range(here):
                # Where there is no such card, or not that many are gone, nothing comes.
                card = left[up * WIDE + lane]
                some = held[lane] == 1.0 and card > 0.5
                factor = each[lane] / card if some else 0.0
                rest = 1.0 if some else 0.0
                for end in range(1, endings):
                    share = rows[(up * endings + end) * WIDE + lane] * factor
                    tables[up, begin + lane, end] = share
                    rest -= share
                tables[up, begin + lane, 0] = rest
