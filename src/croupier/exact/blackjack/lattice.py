"""Hands as multisets of symbols, and the ways in which a dealer's hand can end.

Cards are drawn without replacement, so what a hand is worth depends on which cards it holds, not on their order.  There
are 3,083 multisets that are not bust.  They are numbered by growing hard total, so that a hand comes before all that it
can become: values are found from the last to the first, chances from the first to the last.

A dealer's hand is a multiset too.  `Dealer` lists, for one first card, those on which the dealer stands, each with the
number of orders in which the cards can have come; busts are what is left.  The list is a tree: a node adds one card to
its parent, so that the falling factorials of all hands cost one multiplication each.

`DealerWalk` is the same for all first cards at once: the chance of a dealer's hand is the same product whichever of its
cards came first, so that one walk of the tree of whole hands serves every first card.  It also numbers what can be gone
when the dealer draws: every hand, and every hand with one to three more cards of a symbol that it holds, as splits take
them; most of the latter are hands themselves, or are met again under another symbol.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from croupier.exact.blackjack.loops import LOOPS
from croupier.exact.blackjack.terms import Ints, Numbers, RuleTables
from croupier.once import dataclass


@dataclass(frozen=True, slots=True)
class Family:
    """Hands that become only each other: `after` is the place in the family with one card more, the last for a bust.

    Several may stand behind each other; places count from the beginning of each.
    """

    listed: Ints
    cards: NDArray[np.float64]
    size: NDArray[np.float64]
    total: Ints
    after: Numbers


@dataclass(frozen=True, slots=True)
class Lattice:
    """Every hand that is not bust: its cards, its total, and what it becomes with one card more (-1: bust)."""

    cards: Ints
    size: Ints
    total: Ints
    soft: Ints
    child: Ints
    single: Ints
    with_symbol: tuple[Ints, ...]
    most: NDArray[np.float64]
    """How many of each symbol a hand can hold."""
    all_hands: Family
    families: Family
    starts: Ints
    """Of all hands of two cards and more, and of those with each symbol behind each other, with where each begins."""

    def find(self, counts: tuple[int, ...]) -> int:
        """The number of a hand; -1 if it is bust."""
        at = 0
        for symbol, held in enumerate(counts):
            for _ in range(held):
                at = int(self.child[at, symbol])
                if at < 0:
                    return -1
        return at


@lru_cache(maxsize=8)
def lattice(lows: tuple[int, ...], ace: int, limit: int) -> Lattice:
    """The hands of symbols that count at least `lows`, the first of them `ace` where that is not too much."""
    kinds = len(lows)
    layers: list[list[tuple[int, ...]]] = [[] for _ in range(limit + 1)]
    layers[0] = [(0,) * kinds]
    for total, layer in enumerate(layers):
        layer.sort(reverse=True)
        for hand in layer:
            last = next((k for k in range(kinds - 1, -1, -1) if hand[k]), 0)
            for symbol in range(last, kinds):
                if total + lows[symbol] <= limit:
                    layers[total + lows[symbol]].append((*hand[:symbol], hand[symbol] + 1, *hand[symbol + 1 :]))
    hands = [hand for layer in layers for hand in layer]
    cards = np.array(hands, dtype=np.int64)
    hard = cards @ np.array(lows)
    soft = (cards[:, 0] > 0) & (hard + ace - lows[0] <= limit)
    size = cards.sum(axis=1)
    total = np.where(soft, hard + ace - lows[0], hard)
    child = _children(cards, hard, lows, limit)
    with_symbol = tuple(np.flatnonzero((cards[:, s] > 0) & (size > 1)) for s in range(kinds))

    def family(*lists: Ints) -> Family:
        after = []
        for listed in lists:
            place = np.full(len(cards) + 1, len(listed), dtype=np.uint32)
            place[listed] = np.arange(len(listed))
            after.append(place[child[listed]])
        every = np.concatenate(lists)
        floats = cards[every].astype(np.float64), size[every].astype(np.float64)
        return Family(every, *floats, total[every], np.concatenate(after))

    return Lattice(
        cards=cards,
        size=size,
        total=total,
        soft=soft.astype(np.int64),
        child=child,
        single=child[0].copy(),
        with_symbol=with_symbol,
        most=cards.max(axis=0).astype(np.float64),
        all_hands=family(np.flatnonzero(size > 1)),
        families=family(*with_symbol),
        starts=np.cumsum([0, *map(len, with_symbol)]),
    )


def _children(cards: Ints, hard: Ints, lows: tuple[int, ...], limit: int) -> Ints:
    """Found by keys that add as the multisets do."""
    weights = (limit + 2) ** np.arange(len(lows), dtype=np.int64)
    keys = cards @ weights
    order = np.argsort(keys)
    wanted = keys[:, None] + weights[None, :]
    at = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
    fits = hard[:, None] + np.array(lows)[None, :] <= limit
    return np.where(fits, order[at], -1)


@dataclass(frozen=True, slots=True)
class Dealer:
    """The tree of hands on which a dealer with one first card stands.

    Node 0 is the first card alone; a node stands right behind all that build on its elder siblings.  `used` is how many
    cards of the node's symbol its parent has drawn already; `ways` counts the orders in which the cards can come (0:
    the dealer cannot stand here), `end` is the ending, `drawn` the number of cards after the first.
    """

    parent: Ints
    symbol: Ints
    used: Ints
    ways: Ints
    end: Ints
    drawn: Ints


def dealers(terms: RuleTables) -> tuple[Dealer, ...]:
    """The dealer's trees, one for each first card."""
    return _dealers(terms.lows, terms.values[0], terms.limit, terms.stands, terms.completes, terms.soft_hits)


def dealer_draws(hands: Lattice, stands: int, soft_hits: frozenset[int]) -> NDArray[np.bool_]:
    """The hands on which a dealer draws."""
    return (hands.total < stands) | (hands.soft > 0) & np.isin(hands.total, sorted(soft_hits))


@lru_cache(maxsize=8)
def _dealers(
    lows: tuple[int, ...], ace: int, limit: int, stands: int, completes: tuple[int, ...], soft_hits: frozenset[int]
) -> tuple[Dealer, ...]:
    hands = lattice(lows, ace, limit)
    draws = dealer_draws(hands, stands, soft_hits) & (hands.size > 0)
    ways = _ways(hands, np.flatnonzero(draws))
    end = np.where(draws, 0, hands.total - stands + 1)
    parent, symbol = _parents(hands)
    trees = []
    for up, other in enumerate(completes):
        mine = end.copy()
        if other >= 0:
            mine[hands.child[hands.single[up], other]] = limit - stands + 2
        trees.append(_tree(hands, up, np.where(draws, 0, ways[:, up]), mine, parent, symbol))
    return tuple(trees)


def _ways(hands: Lattice, drawing: Ints) -> Ints:
    """In how many orders each hand can come about from each first card, while all hands before it draw."""
    ways = np.zeros((len(hands.size), len(hands.single)), dtype=np.int64)
    ways[hands.single, np.arange(len(hands.single))] = 1
    LOOPS.functions["dealing.count_ways"](drawing, hands.child, ways)
    return ways


def _parents(hands: Lattice) -> tuple[Ints, Ints]:
    """For each hand the one without its lowest symbol, and that symbol."""
    symbol = np.argmax(hands.cards > 0, axis=1)
    parent = np.zeros(len(symbol), dtype=np.int64)
    for added in range(len(hands.single)):
        before = np.flatnonzero(hands.child[:, added] >= 0)
        after = hands.child[before, added]
        lowest = symbol[after] == added
        parent[after[lowest]] = before[lowest]
    return parent, symbol


def _tree(hands: Lattice, up: int, ways: Ints, end: Ints, parent: Ints, symbol: Ints) -> Dealer:
    """The cards drawn to one first card, with all that is needed to build them card by card, as one list."""
    with_up = hands.child[:, up]
    leaf = (with_up >= 0) & (ways[with_up] > 0)
    listed = np.concatenate([[0], _walked(hands, leaf, parent)])
    place = np.full(len(leaf), -1, dtype=np.int64)
    place[listed] = np.arange(len(listed))
    added = symbol[listed]
    return Dealer(
        parent=place[parent[listed]],
        symbol=added,
        used=hands.cards[listed, added] - 1,
        ways=np.where(leaf, ways[with_up], 0)[listed],
        end=np.where(leaf, end[with_up], 0)[listed],
        drawn=hands.size[listed],
    )


@dataclass(frozen=True, slots=True)
class DealerWalk:
    """What can be gone when the dealer draws, and the tree of whole dealer's hands.

    `gone[row]` is a multiset of cards; its first rows are the hands.  `more[symbol][times, hand]` is the row of a hand
    with so many more cards of a symbol, -1 where that is never asked.  A node of the tree stands right behind all that
    build on its elder siblings, at a `depth`; it adds a card of `symbol` to `used` ones.  Where a dealer can stand,
    `start` to the next node's bounds the `row` (first card times endings, plus the ending) and `ways` of first cards.
    """

    gone: Ints
    more: tuple[Ints, ...]
    symbol: Ints
    used: Ints
    depth: Ints
    start: Ints
    row: Ints
    ways: NDArray[np.float64]


def behind(terms: RuleTables) -> DealerWalk:
    """The dealer behind everything that hands of these rules can take."""
    times = tuple({1: 0, 2: 1}.get(terms.most_hands(symbol), 3) for symbol in range(len(terms.values)))
    rules = (terms.lows, terms.values[0], terms.limit, terms.stands, terms.completes, terms.soft_hits)
    return _behind(*rules, times)


@lru_cache(maxsize=8)
def _behind(
    lows: tuple[int, ...],
    ace: int,
    limit: int,
    stands: int,
    completes: tuple[int, ...],
    soft_hits: frozenset[int],
    times: tuple[int, ...],
) -> DealerWalk:
    hands = lattice(lows, ace, limit)
    gone, more = _gone(hands, times)
    draws = dealer_draws(hands, stands, soft_hits) & (hands.size > 0)
    ways = np.where(draws[:, None], 0, _ways(hands, np.flatnonzero(draws)))
    end = np.repeat((hands.total - stands + 1)[:, None], len(lows), axis=1)
    for up, other in enumerate(completes):
        if other >= 0:
            end[hands.child[hands.single[up], other], up] = limit - stands + 2
    ways[hands.size < 2] = 0
    parent, symbol = _parents(hands)
    listed = _walked(hands, ways.max(axis=1) > 0, parent)
    at, first = np.nonzero(ways[listed])
    return DealerWalk(
        gone=gone,
        more=more,
        symbol=symbol[listed],
        used=hands.cards[listed, symbol[listed]] - 1,
        depth=hands.size[listed],
        start=np.searchsorted(at, np.arange(len(listed) + 1)),
        row=first * (limit - stands + 3) + end[listed[at], first],
        ways=ways[listed[at], first].astype(np.float64),
    )


def _gone(hands: Lattice, times: tuple[int, ...]) -> tuple[Ints, tuple[Ints, ...]]:
    """The rows of what can be gone, and where each hand with more cards of a symbol is among them."""
    weights = 1 << (6 * np.arange(len(times), dtype=np.int64))
    keys, count = hands.cards @ weights, len(hands.cards)
    places, asked = [], [np.zeros(0, dtype=np.int64)]
    for symbol, most in enumerate(times):
        place = np.full((most + 1, count), -1, dtype=np.int64)
        place[0] = np.arange(count)
        listed = hands.with_symbol[symbol]
        for k in range(1, most + 1):
            before = place[k - 1, listed]
            place[k, listed] = np.where(before >= 0, hands.child[before, symbol], -1)
            beyond = listed[place[k, listed] < 0]
            asked.append(keys[beyond] + k * weights[symbol])
        places.append(place)
    different, index = np.unique(np.concatenate(asked), return_inverse=True)
    at = 0
    for symbol, place in enumerate(places):
        listed = hands.with_symbol[symbol]
        for k in range(1, len(place)):
            beyond = listed[place[k, listed] < 0]
            place[k, beyond] = count + index[at : at + len(beyond)]
            at += len(beyond)
    rest = different[:, None] >> (6 * np.arange(len(times))) & 63
    return np.concatenate([hands.cards, rest]), tuple(places)


def _walked(hands: Lattice, leaf: NDArray[np.bool_], parent: Ints) -> Ints:
    """The dealer's hands and all that they are built from, each right behind what it adds a card to."""
    needed = leaf.copy()
    for _ in range(int(hands.size[leaf].max())):
        needed[parent[needed]] = True
    needed[0] = False
    listed = np.flatnonzero(needed)
    # A hand is built by adding symbols from the highest to the lowest: so its path sorts it behind its parent.
    path = np.zeros((len(listed), int(hands.size[listed].max())), dtype=np.int64)
    drawn = np.zeros(len(listed), dtype=np.int64)
    for symbol in range(hands.cards.shape[1])[::-1]:
        held = hands.cards[listed, symbol]
        for k in range(int(held.max())):
            more = np.flatnonzero(held > k)
            path[more, drawn[more]] = symbol + 1
            drawn[more] += 1
    return np.asarray(listed[np.lexsort(path.T[::-1])])
