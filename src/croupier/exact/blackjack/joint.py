"""What the hands of a split bring together: the chance of each net result of a stated play.

Theory of operation.  Split hands share the dealer, and the cards that one draws are gone for the others: their results
must be weighed together.  A hand ends with a multiset of drawn cards, which can come in so many orders.  Begin at the
end: let f(V) be the chances of what the last hand and the dealer come to when the multiset V is gone.  Then the hand
before it: each of its ends m, with its chance when V is gone, shifts f(V + m) by what it brings; the sum is again a
function of V.  So hand by hand to the first, where V is empty.  Busts are not weighed one by one, as they are many and
bring the same: they are what all other ends leave (`WeighedEnds`).

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
from math import ceil, comb, log

import numpy as np

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
    dealer_chances,
    sequence_chances,
)
from croupier.exact.blackjack.loops import JOINED
from croupier.exact.blackjack.policy import Policy, SplitPlan
from croupier.exact.blackjack.terms import (
    DOUBLING,
    EIGHT,
    FIRST,
    GIVEN_UP,
    GIVING_UP,
    HIT,
    LATER,
    LATER_ALONE,
    Bools,
    Floats,
    Ints,
    RuleTables,
    Unions,
)
from croupier.once import dataclass

BITS = 6
"""Bits for each symbol in the key of a multiset: no three hands hold more than 63 of one."""
GUARD = sum(1 << (2 * BITS * field + 2 * BITS - 1) for field in range(5))
"""The highest bit of each count in a word of `halved`: it stays where no more is taken than there is."""
MOST_ORDER = 12
MOST_NODES = 8_008
"""How long a series may be: six cards of ten kinds."""


@dataclass(frozen=True, slots=True)
class Ends:
    """The ways in which a split hand can end: cards drawn to its first, orders in which they come, total, doubled.

    `wholes` are the multisets from which busts are found as what is left: `shares` says how often each counts for
    hands that are not doubled, and for those that are.
    """

    cards: Ints
    ways: Floats
    total: Ints
    doubled: Ints
    wholes: Ints
    shares: Floats

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
    key = (symbol, second, choice.tobytes())
    if key not in board.split_ends:
        board.split_ends[key] = _split_ends(board, symbol, choice, second)
    return board.split_ends[key]


def _split_ends(board: Board, symbol: int, choice: Ints, second: str) -> Ends:
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
    begun = np.flatnonzero(ways)
    shares = np.stack([ways[begun], np.zeros(len(begun))], axis=1)
    JOINED.functions["joining.count_orders"](listed, hands.child, choice, ways)
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
    doubling = np.flatnonzero(live & (choice == DOUBLING))
    wholes = hands.cards[np.concatenate([begun, doubling])]
    shares = np.concatenate([shares, np.stack([-ways[doubling], ways[doubling]], axis=1)])
    if without >= 0:
        cards, wholes = cards - one[without], wholes - one[without]
    counted = np.concatenate([ways[stood], ways[hit], ways[doubled]])
    return _merged(Ends(cards, counted, total, flag, wholes, shares))


def _merged(found: Ends) -> Ends:
    """The same cards with the same end, reached in several ways, as one."""
    code = (found.keys << BITS) + (found.total << 1) + found.doubled
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    ways = np.asarray(np.bincount(inverse, found.ways), dtype=np.float64)
    return Ends(found.cards[first], ways, found.total[first], found.doubled[first], found.wholes, found.shares)


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


@dataclass(frozen=True, slots=True)
class WeighedEnds:
    """What is counted of a hand: `cards` are those of its ends that are not bust, then those of the wholes.

    However a hand is played, what comes behind it is as likely as if it had drawn nothing.  So what comes behind all
    its busts is what comes behind the wholes, less what comes behind the other ends; `busts` says whether there are any
    that are not doubled, and that are.
    """

    cards: Ints
    ways: Floats
    total: Ints
    doubled: Ints
    shares: Floats
    busts: Bools


class Weighing:
    """Hands that share a shoe and a dealer."""

    def __init__(self, board: Board, up: int, left: Floats) -> None:
        self.board, self.up, self.left = board, up, left
        self.present: Ints = np.flatnonzero(left > 0)
        self.order = affordable(len(self.present), min(order_for(float(left.sum())), MOST_ORDER))
        self.nodes = comb(len(self.present) + self.order, self.order)
        self.halves = 1 if board.terms.separable else 2
        self.endings = board.terms.endings - (1 if board.terms.completes[up] < 0 else 0)
        self.step = net_step(board.terms)
        self.most = int(np.abs(board.terms.pay[FIRST:]).max()) // self.step

    def nets(self, firsts: list[Ends], later: tuple[Ends, ...]) -> Floats:
        """The chances of the net results of all these hands, added up over courses that differ in the first of them."""
        alone = np.zeros((1, self.board.kinds), dtype=np.int64)
        parts = [self._parts(first) for first in firsts]
        index, points = self._unions(np.concatenate([part.cards for part in parts]), alone)
        if not len(points):
            return np.zeros(1)
        values, found, at = self._at(points, later), np.zeros(1), 0
        for part in parts:
            mine, at = index[:, at : at + len(part.cards)], at + len(part.cards)
            found = found + self._before(part, mine, points, values, alone, later=False)[0, 0].sum(axis=0)
        return found

    def _at(self, points: Ints, hands: tuple[Ends, ...]) -> Floats:
        """What these hands and the dealer come to when each of the points is gone."""
        if len(hands) == 1:
            return self._last_at(points, hands[0])
        part = self._parts(hands[0])
        index, unions = self._unions(part.cards, points)
        return self._before(part, index, unions, self._at(unions, hands[1:]), points, later=True)

    def _last_at(self, points: Ints, hand: Ends) -> Floats:
        """The last hand: where there are fewer points than nodes each is counted, otherwise the series is developed."""
        if len(points) <= self.nodes:
            return self._last(hand, points)
        tree = series(len(self.present), self.order)
        symbol = self.present[tree.symbol]
        many = np.zeros((len(symbol), self.board.kinds), dtype=np.int64)
        many[:, self.present] = tree.many
        used = np.zeros(len(symbol), dtype=np.bool_)
        JOINED.functions["joining.needed"](tree.skip, halved(many), halved(points) + GUARD, GUARD, used)
        counted = self._last(hand, many[used])
        size, columns = counted[0].size, eights(counted[0].size)
        values, rows = np.zeros((len(used), columns)), np.zeros((len(points), columns))
        values[used, :size] = counted.reshape(len(counted), -1)
        JOINED.functions["joining.newton"](
            symbol,
            tree.held,
            tree.depth,
            np.argsort(-tree.depth),
            tree.skip,
            tree.fewer,
            values.reshape(-1),
            points,
            rows.reshape(-1),
            np.empty(int(tree.depth.max()) + 1),
        )
        return np.ascontiguousarray(rows[:, :size]).reshape(len(points), *counted.shape[1:])

    def _parts(self, hand: Ends) -> WeighedEnds:
        """What is counted of a hand: the ends that are not bust, and behind them the wholes, where it can be bust."""
        bust = hand.total == self.board.terms.bust
        can = (hand.cards <= self.left).all(axis=1) & bust
        busts = np.array([(can & (hand.doubled == twice)).any() for twice in (0, 1)])
        shares = hand.shares * busts
        kept, wholes = np.flatnonzero(~bust), np.flatnonzero(shares.any(axis=1))
        return WeighedEnds(
            cards=np.concatenate([hand.cards[kept], hand.wholes[wholes]]),
            ways=hand.ways[kept],
            total=hand.total[kept],
            doubled=hand.doubled[kept],
            shares=shares[wholes],
            busts=busts,
        )

    def _pays(self, total: Ints, doubled: Ints, *, later: bool) -> Ints:
        """What each end brings by the dealer's ending, in steps; in two halves behind no live hand and behind one."""
        places = ((LATER_ALONE, LATER) if later else (FIRST, FIRST))[-self.halves :]
        return np.stack([self.board.terms.pay[place][doubled, total] for place in places]) // self.step

    def _lost(self, *, later: bool) -> Ints:
        """What a bust brings that is not doubled, or is."""
        return self._pays(np.full(2, self.board.terms.bust), np.arange(2), later=later)

    def _last(self, hand: Ends, many: Ints) -> Floats:
        """What the last hand and the dealer come to when each multiset of `many` is gone."""
        part = self._parts(hand)
        index, unions = self._unions(part.cards, many)
        dealer = np.zeros((len(unions), eights(self.board.terms.endings)))
        dealer_chances(self.board.trees[self.up], self.left, unions, dealer)
        dealer *= sequence_chances(unions, self.left)[:, None]
        found = np.zeros((len(many), self.halves, self.endings, 2 * self.most + 1))
        sorts, sort = np.unique(part.total << 1 | part.doubled, return_inverse=True)
        pays = self._pays(sorts >> 1, sorts & 1, later=True)
        JOINED.functions["joining.last_hand"](
            index,
            sequence_chances(many, self.left),
            part.ways,
            sort,
            sorts & 1,
            part.shares,
            part.busts,
            dealer.reshape(-1),
            dealer.shape[1],
            pays,
            self._lost(later=True),
            found,
            np.empty((len(sorts) + 2) * dealer.shape[1]),
        )
        return found

    def _before(
        self, part: WeighedEnds, index: Unions, unions: Ints, behind: Floats, many: Ints, *, later: bool
    ) -> Floats:
        """The same with one more hand before, from what comes behind it at the unions."""
        found = np.zeros((len(many), self.halves, self.endings, behind.shape[3] + 2 * self.most))
        live = (part.total <= self.board.terms.limit).astype(np.int64)
        shift = self._pays(part.total, part.doubled, later=later)
        JOINED.functions["joining.hand_before"](
            np.ascontiguousarray(index),
            sequence_chances(unions, self.left),
            sequence_chances(many, self.left),
            part.ways,
            part.doubled,
            part.shares,
            part.busts,
            live,
            shift + self.most,
            self._lost(later=later) + self.most,
            behind,
            found,
            np.empty((2, *behind.shape[1:])),
        )
        return found

    def _unions(self, cards: Ints, many: Ints) -> tuple[Unions, Ints]:
        """For each multiset gone and each that is drawn the number of their union, -1 where the shoe does not hold it;
        and the unions."""
        index = np.empty((len(many), len(cards)), dtype=np.int32)
        room, drawn = halved(self.left.astype(np.int64) - many) + GUARD, halved(cards)
        slots, count, unions = 1 << 12, np.array([-1]), np.zeros(0, dtype=np.int64)
        while count[0] < 0:
            slots *= 4
            table, unions = np.full((slots, 2), -1, dtype=np.int64), np.empty(slots // 2 + 1, dtype=np.int64)
            JOINED.functions["joining.number_unions"](
                multiset_keys(many), multiset_keys(cards), room, drawn, GUARD, table, unions, index, count
            )
        unions = unions[: count[0]]
        return index, unions[:, None] >> (BITS * np.arange(self.board.kinds)) & (1 << BITS) - 1


def net_step(terms: RuleTables) -> int:
    """The step, in units, in which the results of split hands lie."""
    return int(np.gcd.reduce(np.abs(terms.pay[FIRST:]), axis=None)) or 1


def multiset_keys(cards: Ints) -> Ints:
    return cards @ (1 << (BITS * np.arange(cards.shape[1], dtype=np.int64)))


def eights(columns: int) -> int:
    """So many columns, and as many more as fill the last eight."""
    return -(-columns // EIGHT) * EIGHT


def halved(cards: Ints) -> Ints:
    """Multisets as two words each, of every second symbol, with room for the sign of each count."""
    weights = 1 << (2 * BITS * (np.arange(cards.shape[1], dtype=np.int64) // 2))
    return np.stack([cards[:, side::2] @ weights[side::2] for side in (0, 1)], axis=1)


@dataclass(frozen=True, slots=True)
class Series:
    """The multisets J of a series, each right behind the one it adds a card to and before all that add to it.

    A node adds one card of `symbol` to a node of `depth - 1`, which holds `held` of it; `skip` is the next node that
    does not build on it; `fewer[symbol]` the one with a card of a symbol less, -1 where it holds none.
    """

    many: Ints
    symbol: Ints
    held: Ints
    depth: Ints
    skip: Ints
    fewer: Ints


@lru_cache(maxsize=16)
def series(kinds: int, order: int) -> Series:
    nodes = list(_grown((0,) * kinds, 0, order))
    many = np.array([each for each, _ in nodes], dtype=np.int64)
    symbol = np.array([added for _, added in nodes], dtype=np.int64)
    depth, keys = many.sum(axis=1), multiset_keys(many)
    order_of = np.argsort(keys)
    less = keys - (1 << (BITS * np.arange(kinds, dtype=np.int64)))[:, None]
    at = order_of[np.minimum(np.searchsorted(keys[order_of], less), len(keys) - 1)]
    return Series(
        many=many,
        symbol=symbol,
        held=many[np.arange(len(nodes)), symbol] - 1,
        depth=depth,
        skip=np.array(_skips(depth.tolist()), dtype=np.int64),
        fewer=np.where(many.T > 0, at, -1),
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
