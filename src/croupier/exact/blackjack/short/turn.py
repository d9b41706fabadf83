"""One hand played from every part of a small shoe at once: its worth, and where its ways go.

`HandTurn` begins with what it is worth to end on each total (by the parts then left, for several layouts `before` side
by side).  From the highest counts down it finds what each count is worth with the best choice, or a chart's, and keeps
the choices.  `follow` goes the other way: it carries the ways that reach the hand to the totals on which it ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from croupier.exact.blackjack.charts import Chart
from croupier.exact.blackjack.short.cardsleft import Counts, Parts, counted
from croupier.exact.blackjack.terms import DOUBLING, HIT, SPLITTING, STAND, Ints, RuleTables

EndOn: TypeAlias = tuple[bool, int]
"""Whether the hand was doubled, and its total."""


class HandTurn:
    """The play of a hand; `stopped` is what each layout before it brings when its card is due and none is left."""

    def __init__(
        self,
        parts: Parts,
        table: RuleTables,
        ends: Mapping[EndOn, Counts],
        stopped: Counts,
        *,
        up: int,
        hands: int,
        chart: Chart | None = None,
        split: Counts | None = None,
    ) -> None:
        self.parts, self.table, self.ends, self.up, self.hands = parts, table, ends, up, hands
        self.stopped, self.chart, self.split = stopped, chart, split
        self.choice: dict[tuple[int, bool], Ints] = {}
        self.worth: dict[tuple[int, bool], Counts] = {}
        for low in range(table.limit, 2, -1):
            for ace in (False, True):
                total, soft = counted(table, low, ace=ace)
                open_to = int(table.more[int(soft), total])
                offers = self._offers(low, ace=ace, open_to=open_to & (STAND | HIT))
                self.worth[low, ace], self.choice[low, ace] = self._chosen(offers, self._said(low, ace=ace))
        self._two: dict[tuple[int, int], tuple[Counts, Ints]] = {}

    # ------------------------------------------------------------ what it is worth

    def _offers(self, low: int, *, ace: bool, open_to: int) -> dict[int, Counts]:
        """What each open choice is worth; a hand on which nothing is open has ended."""
        total, _ = counted(self.table, low, ace=ace)
        offers: dict[int, Counts] = {}
        if not open_to or open_to & STAND:
            offers[STAND] = self.ends[False, total]
        if open_to & HIT:
            offers[HIT] = self._card(low, ace=ace, doubled=False)
        if open_to & DOUBLING:
            offers[DOUBLING] = self._card(low, ace=ace, doubled=True)
        return offers

    def _card(self, low: int, *, ace: bool, doubled: bool) -> Counts:
        found = self._nothing()
        for symbol in self.parts.symbols:
            more = self._after(low + self.table.lows[symbol], ace=ace or symbol == 0, doubled=doubled)
            self.parts.draw(symbol, more, found)
        return found

    def _nothing(self) -> Counts:
        """No card drawn yet; with none left, what the layouts before bring."""
        found = np.zeros((len(self.stopped), self.parts.size), dtype=self.parts.orders.dtype)
        found[:, 0] = self.stopped
        return found

    def _after(self, low: int, *, ace: bool, doubled: bool) -> Counts:
        """What the hand is worth with one more card."""
        if doubled or low > self.table.limit:
            return self.ends[doubled, min(counted(self.table, low, ace=ace)[0], self.table.bust)]
        return self.worth[low, ace]

    def _chosen(self, offers: Mapping[int, Counts], said: int) -> tuple[Counts, Ints]:
        if said in offers:
            return offers[said], np.full(offers[said].shape, said)
        bits = list(offers)
        worth, choice = offers[bits[0]], np.full(offers[bits[0]].shape, bits[0])
        for bit in bits[1:]:
            better = offers[bit] > worth
            worth, choice = np.where(better, offers[bit], worth), np.where(better, bit, choice)
        return worth, choice

    def _said(self, low: int, *, ace: bool, two: int = -1, open_to: int = 0) -> int:
        """What a chart says; 0 without one."""
        if self.chart is None:
            return 0
        total, soft = counted(self.table, low, ace=ace)
        if open_to & SPLITTING and self.chart.splits(self.up, two):
            return SPLITTING
        if open_to & DOUBLING and self.chart.doubles(self.up, total, soft=soft):
            return DOUBLING
        return HIT if self.chart.hits(self.up, total, soft=soft) else STAND

    def two(self, first: int, second: int) -> tuple[Counts, Ints]:
        """The worth and choice with two cards of which the first is known."""
        if (first, second) not in self._two:
            low, ace = self.counts_low(first, second)
            open_to = int(self.table.two[self.hands - 1, first, second])
            offers = self._offers(low, ace=ace, open_to=open_to)
            if open_to & SPLITTING and self.split is not None:
                offers[SPLITTING] = np.broadcast_to(self.split, offers[HIT].shape)
            self._two[first, second] = self._chosen(offers, self._said(low, ace=ace, two=first, open_to=open_to))
        return self._two[first, second]

    def counts_low(self, first: int, second: int) -> tuple[int, bool]:
        """What two cards count low, and whether there is an ace."""
        return self.table.lows[first] + self.table.lows[second], 0 in (first, second)

    def start(self, first: int) -> Counts:
        """The worth of a split hand that holds its first card."""
        found = self._nothing()
        for second in self.parts.symbols:
            self.parts.draw(second, self.two(first, second)[0], found)
        return found


class Follow:
    """The ways of a turn: `ended` by total, `stopped` by layout before, `split` where the pair is split (again)."""

    def __init__(self, turn: HandTurn) -> None:
        self.turn = turn
        some = next(iter(turn.ends.values()))
        self.shape, self.kind = some.shape, some.dtype
        self.ended: dict[EndOn, Counts] = {}
        self.stopped = np.zeros(self.shape[0], dtype=self.kind)
        self.split = np.zeros(self.shape, dtype=self.kind)
        self._reach: dict[tuple[int, bool], Counts] = {}

    def start(self, first: int, weight: Counts) -> None:
        """Ways that reach a split hand with its first card."""
        parts = self.turn.parts
        self.stopped += weight[:, 0]
        for second in parts.symbols:
            onto = np.zeros(self.shape, dtype=self.kind)
            parts.spread(second, weight, onto)
            self.two(first, second, onto)

    def two(self, first: int, second: int, weight: Counts) -> None:
        """Ways that reach two cards."""
        if weight.any():
            low, ace = self.turn.counts_low(first, second)
            self._goes(low, self.turn.two(first, second)[1], weight, ace=ace)

    def _goes(self, low: int, choice: Ints, weight: Counts, *, ace: bool) -> None:
        table = self.turn.table
        self._end((False, counted(table, low, ace=ace)[0]), np.where(choice == STAND, weight, 0))
        self.split += np.where(choice == SPLITTING, weight, 0)
        for bit in (HIT, DOUBLING):
            going = np.where(choice == bit, weight, 0)
            if going.any():
                self.stopped += going[:, 0]
                self._card(low, going, ace=ace, doubled=bit == DOUBLING)

    def _card(self, low: int, weight: Counts, *, ace: bool, doubled: bool) -> None:
        table = self.turn.table
        for symbol in self.turn.parts.symbols:
            onto = np.zeros(self.shape, dtype=self.kind)
            self.turn.parts.spread(symbol, weight, onto)
            held = (low + table.lows[symbol], ace or symbol == 0)
            if doubled or held[0] > table.limit:
                self._end((doubled, min(counted(table, held[0], ace=held[1])[0], table.bust)), onto)
            elif onto.any():
                self._reach[held] = self._reach.get(held, 0) + onto

    def _end(self, on: EndOn, weight: Counts) -> None:
        if weight.any():
            self.ended[on] = self.ended.get(on, 0) + weight

    def finish(self) -> None:
        """Carry all that waits to its end, from the lowest counts up."""
        for low in range(3, self.turn.table.limit + 1):
            for ace in (False, True):
                if (low, ace) in self._reach:
                    self._goes(low, self.turn.choice[low, ace], self._reach.pop((low, ace)), ace=ace)
