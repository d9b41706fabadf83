"""What the hands of a split bring together: the chance of each net result of a stated play.

Theory of operation.  Split hands share the dealer, and the cards that one draws are gone for the others: their results
must be weighed together.  A hand ends with a multiset of drawn cards, which can come in so many orders.  Begin at the
end: let f(V) be the chances of what the last hand and the dealer come to when the multiset V is gone.  Then the hand
before it: each of its ends m, with its chance when V is gone, shifts f(V + m) by what it brings; the sum is again a
function of V.  So hand by hand to the first, where V is empty.

These functions are smooth, and there are too many V to find f at each.  Newton's series

    f(V) = sum over J <= V of C(V, J) * (difference of f over J)

ends by itself when J reaches V, and here it is cut off at multisets J of `order` cards: what the last hand comes to is
counted there, and developed at every V that the hands before it can take.  Where those are fewer, as from a deck, it is
counted at each of them and nothing is cut off.  The terms fall by a factor of about four over the number of cards each,
so that `order_for` a full shoe is 3; no chance in a round is then off by more than 5e-13.  From much less than a deck
of all kinds that order would take too long (`affordable`), and chances can be off by 1e-11; what a play is worth is not
found this way.

Where hands do not add up (`RuleTables.separable`) each function has two halves: behind a hand that lives, and behind
none.  The slow path this must agree with is `rational`, and both with the game itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from math import ceil, comb, log, prod

import numpy as np

from croupier.exact.blackjack import kernels
from croupier.exact.blackjack.board import (
    AFTER_KEPT,
    AFTER_SECOND,
    FIRST_OF_THREE,
    FIRST_OF_TWO,
    LATER_OF_THREE,
    SECOND,
    SECOND_OF_TWO,
    Board,
    Situation,
    tree_arrays,
)
from croupier.exact.blackjack.policy import Policy, SplitPlan
from croupier.exact.blackjack.terms import (
    DOUBLING,
    FIRST,
    GIVEN_UP,
    GIVING_UP,
    HIT,
    LATER,
    LATER_ALONE,
    Floats,
    Ints,
    RuleTables,
)
from croupier.once import dataclass

BITS = 6
"""Bits for each symbol in the key of a multiset: no three hands hold more than 63 of one."""
MOST_ORDER = 12
MOST_NODES = 8_008
"""How long a series may be: six cards of ten kinds."""


@dataclass(frozen=True, slots=True)
class Ends:
    """The ways in which a split hand can end: cards drawn to its first, orders in which they come, total, doubled."""

    cards: Ints
    ways: Floats
    total: Ints
    doubled: Ints

    @property
    def keys(self) -> Ints:
        return multiset_keys(self.cards)

    @property
    def content(self) -> bytes:
        """Equal for equal lists."""
        return b"".join(part.tobytes() for part in (self.keys, self.ways, self.total, self.doubled))


@dataclass(frozen=True, slots=True)
class SplitCourse:
    """One course of a split: how many cards of the value it takes besides the pair, and how its hands can end."""

    extra: int
    hands: tuple[Ends, ...]

    @property
    def content(self) -> bytes:
        return bytes([self.extra]) + b"".join(hand.content for hand in self.hands)


# ---------------------------------------------------------------- how hands can end


def split_ends(board: Board, symbol: int, choice: Ints, second: str) -> Ends:
    """The ends of a hand that began with a symbol; `second` is which second cards count: all, others or the pair."""
    hands, kinds = board.hands, board.kinds
    ways = np.zeros(len(hands.size))
    seconds = {"all": range(kinds), "others": [c for c in range(kinds) if c != symbol], "pair": [symbol]}[second]
    ways[hands.child[hands.single[symbol], list(seconds)]] = 1.0
    return _ends(board, hands.with_symbol[symbol], choice, ways, without=symbol)


def first_ends(board: Board, up: int, policy: Policy) -> Ends:
    """The ends of hands that are neither split nor blackjacks, their first two cards counted as drawn."""
    hands = board.hands
    ways = np.zeros(len(hands.size))
    for a in range(board.kinds):
        for b in range(a, board.kinds):
            if (a, b) != board.terms.natural and (a != b or (up, a) not in policy.plans):
                ways[hands.child[hands.single[a], b]] = 1.0 if a == b else 2.0
    return _ends(board, board.listed, policy.alone[up], ways)


def _ends(board: Board, listed: Ints, choice: Ints, ways: Floats, without: int = -1) -> Ends:
    hands, kinds, bust = board.hands, board.kinds, board.terms.bust
    kernels.count_orders(listed, hands.child, choice, ways)
    live = ways > 0
    stood = np.flatnonzero(live & (choice != HIT) & (choice != DOUBLING))
    hit, more = np.nonzero((live & (choice == HIT))[:, None] & (hands.child < 0))
    doubled, last = np.nonzero(np.repeat((live & (choice == DOUBLING))[:, None], kinds, axis=1))
    one = np.eye(kinds, dtype=np.int64)
    cards = np.concatenate([hands.cards[stood], hands.cards[hit] + one[more], hands.cards[doubled] + one[last]])
    after = hands.child[doubled, last]
    ended = np.where(choice[stood] == GIVING_UP, GIVEN_UP, hands.total[stood])
    total = np.concatenate([ended, np.full(len(hit), bust), np.where(after >= 0, hands.total[after], bust)])
    flag = np.repeat(np.array([0, 1]), [len(stood) + len(hit), len(doubled)])
    if without >= 0:
        cards = cards - one[without]
    return _merged(Ends(cards, np.concatenate([ways[stood], ways[hit], ways[doubled]]), total, flag))


def _merged(found: Ends) -> Ends:
    """The same cards with the same end, reached in several ways, as one."""
    code = (found.keys << BITS) + (found.total << 1) + found.doubled
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    ways = np.asarray(np.bincount(inverse, found.ways), dtype=np.float64)
    return Ends(found.cards[first], ways, found.total[first], found.doubled[first])


def cases(board: Board, symbol: int, plan: SplitPlan) -> tuple[SplitCourse, ...]:
    """Every course that a split can take."""
    return tuple(_cases(board, symbol, plan))


def _cases(board: Board, symbol: int, plan: SplitPlan) -> Iterator[SplitCourse]:
    def of(which: Situation, second: str = "all") -> Ends:
        return split_ends(board, symbol, plan.choices[which], second)

    if SECOND_OF_TWO in plan.choices:
        yield SplitCourse(0, (of(FIRST_OF_TWO), of(SECOND_OF_TWO)))
        return
    first = of(FIRST_OF_TWO, "others")
    yield SplitCourse(0, (first, of(SECOND, "others" if plan.again_second else "all")))
    if plan.again_second:
        after = of(AFTER_SECOND)
        yield SplitCourse(1, (first, after, after))
    if plan.again_first:
        later = of(LATER_OF_THREE)
        yield SplitCourse(1, (of(FIRST_OF_THREE), later, later))
        return
    kept = of(FIRST_OF_TWO, "pair")
    yield SplitCourse(0, (kept, of(LATER_OF_THREE, "others" if plan.again_kept else "all")))
    if plan.again_kept:
        after = of(AFTER_KEPT)
        yield SplitCourse(1, (kept, after, after))


# ---------------------------------------------------------------- what they bring together


def split_nets(board: Board, up: int, symbol: int, courses: tuple[SplitCourse, ...]) -> Floats:
    """The chance of each net result of a split pair, in steps of `net_step` units, nought in the middle."""
    found: Floats = np.zeros(1)
    sharing: dict[tuple[int, bytes], list[SplitCourse]] = {}
    for case in courses:
        sharing.setdefault((case.extra, b"".join(hand.content for hand in case.hands[1:])), []).append(case)
    weighings: dict[int, Weighing] = {}
    for (extra, _), alike in sharing.items():
        left = board.left(up, symbol, 2 + extra)
        weight = (left[symbol] + 1) / (left.sum() + 1) if extra else 1.0
        if weight > 0 and left.min() >= 0:
            weighing = weighings.setdefault(extra, Weighing(board, up, left))
            more = weight * weighing.nets([case.hands[0] for case in alike], alike[0].hands[1:])
            room = (len(more) - len(found)) // 2
            found = np.pad(found, max(room, 0)) + np.pad(more, max(-room, 0))
    return found


def order_for(cards: float) -> int:
    """How far the series goes."""
    return max(2, ceil(log(2e-6) / log(4.2 / cards))) if cards > 5 else MOST_ORDER


def affordable(kinds: int, order: int) -> int:
    """The order, or the highest below it whose series is not too long."""
    while comb(kinds + order, order) > MOST_NODES:
        order -= 1
    return order


class Weighing:
    """Hands that share a shoe and a dealer."""

    def __init__(self, board: Board, up: int, left: Floats) -> None:
        self.board, self.up, self.left = board, up, left
        self.present: Ints = np.flatnonzero(left > 0)
        self.order = affordable(len(self.present), min(order_for(float(left.sum())), MOST_ORDER))
        self.nodes = comb(len(self.present) + self.order, self.order)
        self.halves = 1 if board.terms.separable else 2
        self.endings = board.terms.endings - (1 if board.terms.completes[up] < 0 else 0)
        self.known: dict[bytes, Floats] = {}
        self.step = net_step(board.terms)
        self.most = int(np.abs(board.terms.pay[FIRST:]).max()) // self.step

    def nets(self, firsts: list[Ends], later: tuple[Ends, ...]) -> Floats:
        """The chances of the net results of all these hands, added up over courses that differ in the first of them."""
        ends = np.concatenate([first.cards for first in firsts])
        _, points = numbered(multiset_keys(ends[(ends <= self.left).all(axis=1)]), self.board.kinds)
        if not len(points):
            return np.zeros(1)
        values = self._at(points, later)
        alone = np.zeros((1, self.board.kinds), dtype=np.int64)
        found = [self._before(first, values, points, alone, later=False) for first in firsts]
        return np.asarray(sum(each[0, 0].sum(axis=0) for each in found))

    def _at(self, points: Ints, hands: tuple[Ends, ...]) -> Floats:
        """What these hands and the dealer come to when each of the points is gone."""
        if len(hands) == 1:
            return self._last_at(points, hands[0])
        _, unions, _ = self._unions(hands[0], points)
        return self._before(hands[0], self._at(unions, hands[1:]), unions, points, later=True)

    def _last_at(self, points: Ints, hand: Ends) -> Floats:
        """The last hand: where there are fewer points than nodes each is counted, otherwise the series is developed."""
        if len(points) <= self.nodes:
            return self._last(hand, points)
        tree = series(len(self.present), self.order)
        if hand.content not in self.known:
            many = np.zeros((len(tree.many), self.board.kinds), dtype=np.int64)
            many[:, self.present] = tree.many
            self.known[hand.content] = self._last(hand, many)
        nodes = self.known[hand.content]
        values = nodes.reshape(len(nodes), -1)
        rows = np.zeros((len(points), values.shape[1]))
        symbol = self.present[tree.symbol]
        kernels.newton(
            symbol, tree.held, tree.depth, tree.skip, tree.start, tree.within, tree.sign, values, points, rows
        )
        return rows.reshape(len(points), *nodes.shape[1:])

    def _pays(self, hand: Ends, *, later: bool) -> Ints:
        """What each end brings by the dealer's ending, in steps; in two halves behind no live hand and behind one."""
        places = ((LATER_ALONE, LATER) if later else (FIRST, FIRST))[-self.halves :]
        return np.stack([self.board.terms.pay[place][hand.doubled, hand.total] for place in places]) // self.step

    def _last(self, hand: Ends, many: Ints) -> Floats:
        """What the last hand and the dealer come to when each multiset of `many` is gone."""
        index, unions, chances = self._unions(hand, many)
        dealer = np.empty((len(unions), self.board.terms.endings))
        kernels.dealer_table(*tree_arrays(self.board.trees[self.up]), self.left, unions, np.arange(len(unions)), dealer)
        found = np.zeros((len(many), self.halves, self.endings, 2 * self.most + 1))
        kernels.last_hand(index, chances, hand.ways, dealer, self._pays(hand, later=True), found)
        return found

    def _before(self, hand: Ends, behind: Floats, points: Ints, many: Ints, *, later: bool) -> Floats:
        """The same with one more hand before, from what comes behind it at the points."""
        index, unions, chances = self._unions(hand, many)
        keys = multiset_keys(points)
        order = np.argsort(keys)
        place = order[np.minimum(np.searchsorted(keys[order], multiset_keys(unions)), len(keys) - 1)]
        found = np.zeros((len(many), self.halves, self.endings, behind.shape[3] + 2 * self.most))
        live = (hand.total <= self.board.terms.limit).astype(np.int64)
        shift = self._pays(hand, later=later) + self.most
        kernels.hand_before(place[index], chances, hand.ways, live, shift, behind, found)
        return found

    def _unions(self, hand: Ends, many: Ints) -> tuple[Ints, Ints, Floats]:
        """For each multiset gone and each end the union, and the chance to draw the end in one order; where the shoe
        does not hold the union, any other with no chance."""
        keys = np.empty((len(many), len(hand.ways)), dtype=np.int64)
        kernels.union_keys(many, hand.cards, self.left, BITS, keys)
        held = keys >= 0
        index, unions = numbered(np.where(held, keys, 0).ravel(), self.board.kinds)
        together, gone = np.empty(len(unions)), np.empty(len(many))
        kernels.sequence_chances(unions, self.left, together)
        kernels.sequence_chances(many, self.left, gone)
        chances = together[index].reshape(len(many), -1)
        safe = np.where(gone > 0, gone, 1.0)
        held &= gone[:, None] > 0
        return index.reshape(len(many), -1), unions, np.where(held, chances / safe[:, None], 0.0)


def net_step(terms: RuleTables) -> int:
    """The step, in units, in which the results of split hands lie."""
    return int(np.gcd.reduce(np.abs(terms.pay[FIRST:]), axis=None)) or 1


def multiset_keys(cards: Ints) -> Ints:
    return cards @ (1 << (BITS * np.arange(cards.shape[1], dtype=np.int64)))


def numbered(keys: Ints, kinds: int) -> tuple[Ints, Ints]:
    """Each key's number among the different ones, and the multisets of those."""
    index = np.empty(len(keys), dtype=np.int64)
    size, count = 1 << 10, -1
    while count < 0:
        size *= 4
        count = kernels.number_keys(keys, np.full(size, -1, dtype=np.int64), np.empty(size, dtype=np.int64), index)
    different = np.empty(count, dtype=np.int64)
    different[index] = keys
    return index, different[:, None] >> (BITS * np.arange(kinds)) & (1 << BITS) - 1


@dataclass(frozen=True, slots=True)
class Series:
    """The multisets J of a series, each right behind the one it adds a card to and before all that add to it.

    A node adds one card of `symbol` to a node of `depth - 1`, which holds `held` of it; `skip` is the next node that
    does not build on it.  Differences are sums of values at the multisets within: `within[start[j]:start[j + 1]]` with
    the factors `sign`.
    """

    many: Ints
    symbol: Ints
    held: Ints
    depth: Ints
    skip: Ints
    start: Ints
    within: Ints
    sign: Floats


@lru_cache(maxsize=16)
def series(kinds: int, order: int) -> Series:
    nodes = list(_grown((0,) * kinds, 0, order))
    place = {many: at for at, (many, _) in enumerate(nodes)}
    depth = [sum(many) for many, _ in nodes]
    skip = _skips(depth)
    start, within, sign = [0], [], []
    for many, _ in nodes:
        for part in product(*(range(held + 1) for held in many)):
            within.append(place[part])
            ways = prod(comb(a, b) for a, b in zip(many, part, strict=True))
            sign.append(float(-ways if (sum(many) - sum(part)) % 2 else ways))
        start.append(len(within))
    return Series(
        many=np.array([many for many, _ in nodes], dtype=np.int64),
        symbol=np.array([symbol for _, symbol in nodes], dtype=np.int64),
        held=np.array([many[symbol] - 1 for many, symbol in nodes], dtype=np.int64),
        depth=np.array(depth, dtype=np.int64),
        skip=np.array(skip, dtype=np.int64),
        start=np.array(start, dtype=np.int64),
        within=np.array(within, dtype=np.int64),
        sign=np.array(sign),
    )


def _skips(depth: list[int]) -> list[int]:
    """For each node the next one that is no deeper."""
    skips, waiting = [len(depth)] * len(depth), [0]
    for at in range(1, len(depth)):
        while waiting and depth[waiting[-1]] >= depth[at]:
            skips[waiting.pop()] = at
        waiting.append(at)
    return skips


def _grown(many: tuple[int, ...], last: int, room: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """A multiset with the symbol added last, and all that grow from it by that symbol or later ones."""
    yield many, last
    if room:
        for symbol in range(last, len(many)):
            yield from _grown((*many[:symbol], many[symbol] + 1, *many[symbol + 1 :]), symbol, room - 1)
