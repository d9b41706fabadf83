"""A stated play weighed in fractions: the slow path that the compiled loops must agree with.

The ends of hands are the same lists as in `joint`, with whole numbers of orders.  A multiset can be drawn in one order
in as many ways as the product of falling factorials of what the shoe holds; the dealer's tree counts the same way.

What a split hand is worth follows from the law of its situation.  Where one card is gone of which only is known that it
is not of the split value, that law is a difference: all first cards of the other hand, less those of the value.

The net results of two or three hands together are counted one by one.  From a full shoe that would take days, so
it is done only where the lists are short (`MOST_TOGETHER`); otherwise the caller has the doubles of `joint`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import field
from fractions import Fraction
from math import perm, prod

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
)
from croupier.exact.blackjack.joint import Ends, cases, first_ends, split_ends
from croupier.exact.blackjack.policy import Policy, SplitPlan
from croupier.exact.blackjack.shares import EndOf, Number
from croupier.exact.blackjack.terms import FIRST, LATER, LATER_ALONE
from croupier.once import dataclass

MOST_TOGETHER = 2_000_000
QUICK = 50_000
"""So many steps take no longer than doubles do."""
Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RationalEnding:
    """One end of a hand, as whole numbers."""

    cards: Cards
    ways: int
    total: int
    doubled: int


@dataclass(slots=True)
class Rational:
    """One shoe; the dealer's chances are remembered."""

    board: Board
    _dealt: dict[tuple[int, Cards], tuple[Fraction, ...]] = field(default_factory=dict)

    def without(self, cards: Cards, *symbols: int) -> Cards:
        return tuple(held - symbols.count(symbol) for symbol, held in enumerate(cards))

    def dealer(self, up: int, left: Cards) -> tuple[Fraction, ...]:
        """The chance of each ending of the dealer."""
        if (up, left) not in self._dealt:
            self._dealt[up, left] = self._stands(up, left)
        return self._dealt[up, left]

    def _stands(self, up: int, left: Cards) -> tuple[Fraction, ...]:
        tree = self.board.trees[up]
        cards, most = sum(left), int(tree.drawn.max())
        counted = [0] * self.board.terms.endings
        work = [1] * len(tree.parent)
        orders = [perm(cards - k, most - k) if k <= cards else 0 for k in range(most + 1)] if cards >= most else []
        found = [Fraction(0)] * len(counted)
        columns = (tree.parent, tree.symbol, tree.used, tree.ways, tree.end, tree.drawn)
        listed = zip(*(column.tolist() for column in columns), strict=True)
        for node, (parent, symbol, used, ways, end, drawn) in enumerate(listed):
            if node:
                work[node] = work[parent] * max(left[symbol] - used, 0)
                if ways and work[node]:
                    if orders:
                        counted[end] += work[node] * ways * orders[drawn]
                    else:
                        found[end] += Fraction(work[node] * ways, perm(cards, drawn))
        if orders:
            found = [Fraction(count, perm(cards, most)) for count in counted]
        return (1 - sum(found[1:], Fraction(0)), *found[1:])

    # ------------------------------------------------------------ first cards

    def up_chance(self, up: int) -> Fraction:
        return Fraction(self.board.shoe[up], sum(self.board.shoe))

    def pair_chance(self, up: int, a: int, b: int) -> Fraction:
        """The chance of these two first cards behind the dealer's."""
        left = self.without(self.board.shoe, up)
        second = self.without(left, a)[b]
        return Fraction((1 if a == b else 2) * left[a] * second, perm(sum(left), 2))

    def behind_natural(self, up: int) -> tuple[Number, ...]:
        return self._behind_natural(up)

    def _behind_natural(self, up: int) -> tuple[Fraction, ...]:
        """The chance of each ending of the dealer behind a blackjack of the player."""
        left = self.without(self.board.shoe, up, *self.board.terms.natural)
        return self.dealer(up, left) if min(left) >= 0 else ()

    # ------------------------------------------------------------ one hand

    def lines(self, ends: Ends, left: Cards) -> Iterator[tuple[RationalEnding, Fraction, Cards]]:
        """The ends that the shoe allows, each with its chance and what is left behind it."""
        total = sum(left)
        columns = (ends.cards, ends.ways, ends.total, ends.doubled)
        for cards, ways, reached, doubled in zip(*(column.tolist() for column in columns), strict=True):
            orders = prod(perm(held, drawn) for held, drawn in zip(left, cards, strict=True))
            if orders:
                line = RationalEnding(tuple(cards), int(ways), reached, doubled)
                behind = tuple(held - drawn for held, drawn in zip(left, cards, strict=True))
                yield line, Fraction(line.ways * orders, perm(total, sum(cards))), behind

    def first_hands(self, up: int, policy: Policy) -> dict[EndOf, Number]:
        return dict(self._ends(up, policy))

    def _ends(self, up: int, policy: Policy) -> dict[EndOf, Fraction]:
        """The chance of each end of the hands that are neither split nor blackjacks, given the first card."""
        found: defaultdict[EndOf, Fraction] = defaultdict(Fraction)
        left = self.without(self.board.shoe, up)
        for line, chance, behind in self.lines(first_ends(self.board, up, policy), left):
            for end, share in enumerate(self.dealer(up, behind)):
                if share:
                    found[bool(line.doubled), line.total, end] += chance * share
        return dict(found)

    def _hand(self, up: int, left: Cards, ends: Ends, place: int) -> Fraction:
        """What a split hand brings, on average, in units."""
        pay = self.board.terms.pay[place].tolist()
        found = Fraction(0)
        for line, chance, behind in self.lines(ends, left):
            row = pay[line.doubled][line.total]
            if len(set(row)) == 1:
                found += chance * row[0]
            else:
                found += chance * sum(share * paid for share, paid in zip(self.dealer(up, behind), row, strict=True))
        return found

    # ------------------------------------------------------------ splits

    def split_worth(self, up: int, symbol: int, plan: SplitPlan) -> Fraction:
        """What a split pair brings per unit of the main wager, where hands add up."""
        left = self.without(self.board.shoe, up, symbol, symbol)
        fewer = self.without(left, symbol)

        def hand(which: Situation, shoe: Cards, second: str = "all") -> Fraction:
            if min(shoe) < 0:
                return Fraction(0)
            ends = split_ends(self.board, symbol, plan.choices[which], second)
            return self._hand(up, shoe, ends, which.place)

        def later(first: Situation, after: Situation, shoe: Cards, *, again: bool) -> Fraction:
            """The second hand and, where it is split again, the third."""
            if min(shoe) < 0:
                return Fraction(0)
            found = hand(first, shoe, "others" if again else "all")
            pair = Fraction(shoe[symbol], sum(shoe))
            return found + pair * 2 * hand(after, self.without(shoe, symbol)) if again else found

        if SECOND_OF_TWO in plan.choices:
            return (hand(FIRST_OF_TWO, left) + hand(SECOND_OF_TWO, left)) * self.board.terms.unit
        pair = Fraction(left[symbol], sum(left))
        worth = hand(FIRST_OF_TWO, left, "others")
        worth += later(SECOND, AFTER_SECOND, left, again=plan.again_second)
        worth -= pair * later(SECOND, AFTER_SECOND, fewer, again=plan.again_second)
        if plan.again_first:
            worth += pair * (hand(FIRST_OF_THREE, fewer) + 2 * hand(LATER_OF_THREE, fewer))
        else:
            worth += hand(FIRST_OF_TWO, left, "pair")
            worth += pair * later(LATER_OF_THREE, AFTER_KEPT, fewer, again=plan.again_kept)
        return worth * self.board.terms.unit

    def worth(self, policy: Policy) -> Fraction:
        """What a round is worth by a stated play, per unit of the main wager, where hands add up."""
        ups = self.board.ups
        return sum((self.up_chance(up) * self.against(up, policy) for up in ups), Fraction(0))

    def against(self, up: int, policy: Policy) -> Fraction:
        """The same given the dealer's first card."""
        terms = self.board.terms
        worth = self.pair_chance(up, *terms.natural) * self._natural_worth(up, policy)
        for end, chance in self._ends(up, policy).items():
            worth += terms.ending[end].net * chance
        for (at, symbol), plan in policy.plans.items():
            if at == up:
                worth += self.pair_chance(up, symbol, symbol) * self.split_worth(up, symbol, plan)
        return worth

    def _natural_worth(self, up: int, policy: Policy) -> Fraction:
        """What a blackjack brings."""
        terms = self.board.terms
        if up in policy.even_money:
            return terms.even_money_ending.net
        shares = enumerate(self._behind_natural(up))
        return sum((terms.natural_ending[up, end].net * share for end, share in shares if share), Fraction(0))

    def feasible(self, policy: Policy, *, most: int = MOST_TOGETHER) -> bool:
        """Whether the net results of all splits can be counted in fractions, in so many steps."""
        lists = (case.hands for (_, symbol), plan in policy.plans.items() for case in cases(self.board, symbol, plan))
        return sum(prod(map(self._length, hands)) for hands in lists) <= most

    def _length(self, ends: Ends) -> int:
        """How many ends the shoe allows."""
        return int((ends.cards <= self.board.shoe).all(axis=1).sum())

    def split_nets(self, up: int, symbol: int, plan: SplitPlan) -> dict[Fraction, Number]:
        """The chance of each net result of a split pair, per unit of the main wager."""
        found: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
        pair = self.without(self.board.shoe, up, symbol, symbol)
        if min(pair) < 0:
            return {}
        for case in cases(self.board, symbol, plan):
            left = self.without(pair, *[symbol] * case.extra)
            weight = Fraction(pair[symbol], sum(pair)) if case.extra else Fraction(1)
            if min(left) >= 0:
                for (_, net), chance in self._together(up, left, case.hands, FIRST, {}).items():
                    found[net * self.board.terms.unit] += weight * chance
        return dict(found)

    def _together(
        self,
        up: int,
        left: Cards,
        hands: tuple[Ends, ...],
        place: int,
        known: dict[tuple[Cards, int, int], dict[tuple[int, int], Fraction]],
    ) -> dict[tuple[int, int], Fraction]:
        """The chance of each ending of the dealer with what these hands bring, the first of them in this place."""
        if not hands:
            return {(end, 0): share for end, share in enumerate(self.dealer(up, left)) if share}
        key = (left, len(hands), place)
        if key in known:
            return known[key]
        pay, limit = self.board.terms.pay[place].tolist(), self.board.terms.limit
        found: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for line, chance, behind in self.lines(hands[0], left):
            following = LATER if line.total <= limit or place == LATER else LATER_ALONE
            for (end, net), share in self._together(up, behind, hands[1:], following, known).items():
                found[end, net + pay[line.doubled][line.total][end]] += chance * share
        known[key] = dict(found)
        return known[key]
