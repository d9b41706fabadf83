"""Rounds from a shoe that may run out: every course counted, and what is void when no card is left.

Theory of operation.  A shoe is told by its counts, so a round for which they do not suffice cannot be completed from
it.  What was decided before stays so (a bust is taken at once, a blackjack may be paid at once); stakes that still wait
for a card are void and go back.  At a table the round would go on with reshuffled discards: the rule that says so is
told beside the void rounds, for what the discards hold is not told by the counts of a shoe.

Hands no longer come apart here, for each card that one takes may be missed by the next.  So hands are counted together,
from every part of the shoe (`cardsleft`): the last hand first, for each layout of ended hands before it, then the one
before that (`turn`).  Cards gone need not be remembered: they are what is not left.

The best play looks at every card on the layout, which is more than the play of larger shoes may do; its optimum is
exact.  The slow path that this must agree with is the game itself, played card by card.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import perm
from typing import NamedTuple, TypeAlias

import numpy as np

from croupier.exact.blackjack.charts import Chart
from croupier.exact.blackjack.early import early
from croupier.exact.blackjack.shares import Number, split_ending
from croupier.exact.blackjack.short.cardsleft import MOST_WHOLE, Counts, Dealing, Parts
from croupier.exact.blackjack.short.turn import EndOn, Follow, HandTurn
from croupier.exact.blackjack.terms import DOUBLING, FIRST, LATER, LATER_ALONE, ONLY, HandEnding, RuleTables, terms
from croupier.games.blackjack.rules import BlackjackRules

Cards: TypeAlias = tuple[int, ...]


class Before(NamedTuple):
    """Hands that have ended: what they bring by each ending of the dealer, and `stopped` if no card is left.

    Some stake is `open` till the dealer is done; some hand is `live`.  `place` is that of the next hand; `on` tells
    how the only hand ended, which has words of its own.
    """

    brings: tuple[int, ...]
    stopped: int
    open: bool
    live: bool
    place: int
    on: EndOn | None = None


class Came(NamedTuple):
    """How a round came out, and whether it could not be completed."""

    ending: HandEnding
    void: bool


@dataclass(slots=True)
class CountedOrders:
    """The orders of the whole shoe by how the round comes out, and what insurance comes to where it is offered."""

    orders: Number
    came: defaultdict[Came, Number] = field(default_factory=lambda: defaultdict(int))
    insured: defaultdict[str, Number] = field(default_factory=lambda: defaultdict(int))


def parts_of(shoe: Sequence[int]) -> int:
    """How many parts a shoe has."""
    return Parts(tuple(shoe), whole=False).size


class Short:
    """One shoe, by symbol, under one rule set; played best, or by a chart."""

    def __init__(self, rules: BlackjackRules, shoe: Cards, chart: Chart | None = None) -> None:
        self.rules, self.shoe, self.chart = rules, shoe, chart
        self.table: RuleTables = terms(rules)
        self.early = early(rules)
        self.whole = sum(shoe) <= MOST_WHOLE
        self.void_rule = rules.irregularities["insufficient_cards"][0].rule

    def counted(self) -> CountedOrders:
        cards = sum(self.shoe)
        found = CountedOrders(perm(cards) if self.whole else float(perm(cards)))
        if cards < len(self.rules.passes):
            found.came[Came(self.void(0), void=True)] = found.orders
        else:
            for up, held in enumerate(self.shoe):
                if held:
                    RoundsAgainst(self, up, held, found).count()
        return found

    def void(self, net: int) -> HandEnding:
        """A round that cannot be completed; a split hand may have been lost before."""
        return HandEnding(net * self.table.unit, "void after a bust" if net else "void", "", self.void_rule)

    # ------------------------------------------------------------ layouts of ended hands

    def none(self, place: int) -> Before:
        return Before((0,) * self.table.endings, 0, open=False, live=False, place=place)

    def ended(self, before: Before, on: EndOn) -> Before:
        """The layout when the hand in play has ended so."""
        doubled, total = on
        pay = self.table.pay[before.place, int(doubled), total].tolist()
        lives = total <= self.table.limit
        decided = not lives and self.early.bust[before.place]
        return Before(
            tuple(a + b for a, b in zip(before.brings, pay, strict=True)),
            before.stopped + (pay[0] if decided else 0),
            open=before.open or not decided,
            live=before.live or lives,
            place=ONLY if before.place == ONLY else LATER if lives or before.place == LATER else LATER_ALONE,
            on=on if before.place == ONLY else None,
        )

    def endings(self, symbol: int | None = None) -> list[EndOn]:
        """How a hand can end that began with this card, or any."""
        open_to = self.table.two[0] if symbol is None else self.table.two[1:, symbol]
        doubles = (False, True) if (open_to & DOUBLING).any() else (False,)
        return [(doubled, total) for doubled in doubles for total in range(3, self.table.bust + 1)]


class Layouts:
    """Layouts side by side, each once; `into[on]` tells where each goes when the hand in play ends so."""

    def __init__(self, short: Short, befores: Sequence[Before], symbol: int | None = None) -> None:
        self.befores = list(befores)
        self.after: list[Before] = []
        self.into: dict[EndOn, list[int]] = {}
        place: dict[Before, int] = {}
        for on in short.endings(symbol):
            self.into[on] = [place.setdefault(short.ended(each, on), len(place)) for each in self.befores]
        self.after = list(place)

    def gathered(self, ended: Mapping[EndOn, Counts], size: int) -> Counts:
        """The ways to each layout after the hand."""
        kind = next(iter(ended.values())).dtype if ended else np.int64
        found = np.zeros((len(self.after), size), dtype=kind)
        for on, weight in ended.items():
            np.add.at(found, self.into[on], weight)
        return found

    @property
    def stopped(self) -> Counts:
        return np.array([each.stopped for each in self.befores])


class RoundsAgainst:
    """All rounds with one first card of the dealer."""

    def __init__(self, short: Short, up: int, held: int, found: CountedOrders) -> None:
        self.short, self.up, self.held, self.found = short, up, held, found
        self.left = _without(short.shoe, up)

    def count(self) -> None:
        """Every hand of two cards, whether it is played as it is or split."""
        short, table = self.short, self.short.table
        parts = Parts(self.left, short.whole)
        dealing = Dealing(parts, table, self.up)
        layouts = Layouts(short, [short.none(ONLY)])
        values = worth_of(short, layouts.after, dealing)
        turn = self.turn(parts, layouts, values, hands=1)
        follow = Follow(turn)
        for first, firsts in enumerate(self.left):
            for second, seconds in enumerate(_without(self.left, first)):
                if firsts and seconds > 0:
                    at = parts.number(_without(self.left, first, second))
                    self._first(follow, dealing, first, second, at, ways=self.held * firsts * seconds)
        follow.finish()
        self.out(layouts.gathered(follow.ended, parts.size), layouts.after, dealing)
        self.stopped(layouts, follow)

    def turn(
        self, parts: Parts, layouts: Layouts, values: Counts, *, hands: int, split: Counts | None = None
    ) -> HandTurn:
        ends = {on: values[into] for on, into in layouts.into.items()}
        short = self.short
        return HandTurn(
            parts, short.table, ends, layouts.stopped, up=self.up, hands=hands, chart=short.chart, split=split
        )

    def _first(self, follow: Follow, dealing: Dealing, first: int, second: int, at: int, *, ways: int) -> None:
        """Two cards, in one order."""
        table, chart = self.short.table, self.short.chart
        if (min(first, second), max(first, second)) == table.natural:
            self._natural(dealing, at, ways)
            return
        if first == second and table.most_hands(first) > 1 and (chart is None or chart.splits(self.up, first)):
            splitting = Splitting(self, first)
            if chart is not None or splitting.worth > follow.turn.two(first, second)[0][0, at]:
                splitting.follow(ways)
                return
        weight = np.zeros(follow.shape, dtype=follow.kind)
        weight[0, at] = ways
        follow.two(first, second, weight)

    def _natural(self, dealing: Dealing, at: int, ways: int) -> None:
        """A blackjack: paid at once, on request, or when the dealer is done."""
        short, table, up = self.short, self.short.table, self.up
        parts = dealing.parts
        weight = np.zeros(parts.size, dtype=parts.orders.dtype)
        weight[at] = ways
        self._insured(weight, dealing)
        paid, even = short.early.natural[up], table.even_money[up]
        spared = short.rules.dealer_spared.value
        ends = (dealing.spared if spared else dealing.full)[:, at]
        waits = sum(int(pay) * end for pay, end in zip(table.natural_pay[up], ends[:-1], strict=True))
        if paid is None and even is not None:
            asks = even * parts.orders[at] > waits if short.chart is None else up in short.chart.even_money
            paid = table.even_money_ending if asks else None
        if paid is not None:
            self._add(paid, ways * parts.orders[at])
            return
        for end, orders in enumerate(ends[:-1]):
            if orders:
                self._add(table.natural_ending[up, end], ways * orders)
        self._add(short.void(0), ways * ends[-1], void=True)

    # ------------------------------------------------------------ what is added to the answer

    def _add(self, ending: HandEnding, orders: Number, *, void: bool = False) -> None:
        if orders:
            self.found.came[Came(ending, void)] += _plain(orders)

    def stopped(self, layouts: Layouts, follow: Follow) -> None:
        """A player's card was due and there was none."""
        for before, orders in zip(layouts.befores, follow.stopped.tolist(), strict=True):
            self._add(self.short.void(before.stopped), orders, void=True)
        if self._offers():
            self.found.insured["void"] += _plain(follow.stopped.sum())

    def _offers(self) -> bool:
        return self.short.table.values[self.up] in self.short.rules.insurance.against.value

    def _insured(self, weight: Counts, dealing: Dealing) -> None:
        """The dealer's second card behind these ways to the parts."""
        if not self._offers():
            return
        parts, wins = dealing.parts, self.short.rules.insurance.wins_on.value
        good = sum(held for value, held in zip(self.short.table.values, parts.held, strict=True) if value in wins)
        won = _plain((weight * parts.fewer_orders * good).sum())
        none = _plain(weight[0])
        self.found.insured["won"] += won
        self.found.insured["void"] += none
        self.found.insured["lost"] += _plain((weight * parts.orders).sum()) - won - none

    def out(self, weight: Counts, layouts: Sequence[Before], dealing: Dealing) -> None:
        """All hands have ended; the dealer draws."""
        short = self.short
        self._insured(weight.sum(axis=0), dealing)
        for ways, each in zip(weight, layouts, strict=True):
            if not ways.any():
                continue
            if not each.open:
                self._add(self._ending(each, 0), (ways * dealing.parts.orders).sum())
                continue
            spared = short.rules.dealer_spared.value and not each.live
            orders = (dealing.spared if spared else dealing.full) @ ways
            for end in np.flatnonzero(orders[:-1]).tolist():
                self._add(self._ending(each, end), orders[end])
            self._add(short.void(each.stopped), orders[-1], void=True)

    def _ending(self, before: Before, end: int) -> HandEnding:
        table = self.short.table
        if before.on is not None:
            return table.ending[before.on[0], before.on[1], end]
        return split_ending(before.brings[end] * table.unit, table.split_rule)


class Splitting:
    """A pair split against one first card: its hands one after another, again as far as rules and cards go."""

    def __init__(self, against: RoundsAgainst, symbol: int) -> None:
        self.against, self.symbol = against, symbol
        short = against.short
        left = _without(against.left, symbol, symbol)
        self.parts = Parts(left, short.whole)
        self.dealing = Dealing(self.parts, short.table, against.up)
        self.at = self.parts.number(left)
        self.three = short.table.most_hands(symbol) > 2 and left[symbol] > 0
        self.one = Layouts(short, [short.none(FIRST)], symbol)
        self.two = Layouts(short, self.one.after, symbol)
        self._turns(short)

    def _turns(self, short: Short) -> None:
        """From the last hand to the first."""
        symbol = self.symbol
        split_second = split_first = None
        if self.three:
            self.last = Layouts(short, self.two.after, symbol)
            values = worth_of(short, self.last.after, self.dealing)
            self.third_of_three = self._turn(self.last, values, hands=3)
            self.second_of_three = self._turn(self.two, self.third_of_three.start(symbol), hands=3)
            split_second = self.second_of_three.start(symbol)
            self.first_of_three = self._turn(self.one, split_second, hands=3)
            split_first = self.first_of_three.start(symbol)
        values = worth_of(short, self.two.after, self.dealing)
        self.second = self._turn(self.two, values, hands=2, split=split_second)
        self.first = self._turn(self.one, self.second.start(symbol), hands=2, split=split_first)
        self.worth = self.first.start(symbol)[0, self.at]

    def _turn(self, layouts: Layouts, values: Counts, *, hands: int, split: Counts | None = None) -> HandTurn:
        return self.against.turn(self.parts, layouts, values, hands=hands, split=split)

    def follow(self, ways: int) -> None:
        """Carry the ways that reach this pair through its hands to the answer."""
        weight = np.zeros((1, self.parts.size), dtype=self.parts.orders.dtype)
        weight[0, self.at] = ways
        one, first = self._through(self.first, self.one, weight)
        two, second = self._through(self.second, self.two, one)
        self.against.out(two, self.two.after, self.dealing)
        if self.three:
            again, _ = self._through(self.first_of_three, self.one, first)
            then, _ = self._through(self.second_of_three, self.two, again + second)
            last, _ = self._through(self.third_of_three, self.last, then)
            self.against.out(last, self.last.after, self.dealing)

    def _through(self, turn: HandTurn, layouts: Layouts, weight: Counts) -> tuple[Counts, Counts]:
        """The ways to each layout after a hand, and those that split its pair again."""
        follow = Follow(turn)
        follow.start(self.symbol, weight)
        follow.finish()
        self.against.stopped(layouts, follow)
        return layouts.gathered(follow.ended, self.parts.size), follow.split


def worth_of(short: Short, layouts: Sequence[Before], dealing: Dealing) -> Counts:
    """What each layout of ended hands brings from each part, in units, summed over all orders."""
    orders = dealing.parts.orders
    found = np.empty((len(layouts), len(orders)), dtype=orders.dtype)
    for at, each in enumerate(layouts):
        spared = short.rules.dealer_spared.value and not each.live
        pays = np.array([*each.brings, each.stopped])
        found[at] = pays @ (dealing.spared if spared else dealing.full) if each.open else orders * each.brings[0]
    return found


def _without(cards: Cards, *symbols: int) -> Cards:
    return tuple(held - symbols.count(symbol) for symbol, held in enumerate(cards))


def _plain(number: Number) -> Number:
    """A number of the arrays as one of Python's, which never overflows."""
    return int(number) if isinstance(number, int | np.integer) else float(number)
