"""The best chart: one entry for each total and pair against each first card, whatever cards make it up.

A chart says for a hard or soft total whether to hit, for the totals on which the rules allow it whether to double two
cards, and for a pair whether to split it, again and again as far as the rules go; it serves split hands as well.  The
best chart is found by search.  Each entry is weighed over all hands that it decides, first and split ones, by how
likely the chart lets them come; entries that lose by it are changed, all together as long as that gains and else one by
one, until no single change gains.  A hand meets an entry at most once and hands add up, so what one change gains is
known exactly; that no two changes at once would gain is not proven.

Entries that cannot come up keep what the search started with: what most of the hands that they decide would best do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from croupier.exact.blackjack import valuing
from croupier.exact.blackjack.board import (
    AFTER_SECOND,
    BEST,
    DOUBLES,
    FIRST_OF_THREE,
    FIRST_OF_TWO,
    GIVES_UP,
    HITS,
    LATER_OF_THREE,
    SECOND,
    SECOND_OF_TWO,
    STANDS,
    Board,
    HandWorth,
    Situation,
    SplitWorth,
    situation_table,
)
from croupier.exact.blackjack.terms import DOUBLING, GIVING_UP, HIT, STAND, Floats, Ints
from croupier.once import dataclass

MOST_ROUNDS = 200
NOTHING = 1e-15
"""A gain that is no more than rounding."""


@dataclass(frozen=True, slots=True)
class Column:
    """A chart against one first card.

    `entries` are 1 where the chart hits (hard totals, then soft ones), doubles, gives up (both the same way) and splits
    (by symbol), else 0; `gains` is what turning an entry over would gain, per round against this card; `worth` what the
    chart is worth.
    """

    entries: Ints
    gains: Floats
    worth: float
    alone: HandWorth
    splits: Mapping[int, SplitWorth]


@dataclass(frozen=True, slots=True)
class Chart:
    """The columns by the dealer's first card, and where a blackjack is paid at once."""

    columns: Mapping[int, Column]
    even_money: frozenset[int]
    limit: int

    def hits(self, up: int, total: int, *, soft: bool) -> bool:
        return bool(self.columns[up].entries[int(soft) * (self.limit + 1) + total])

    def doubles(self, up: int, total: int, *, soft: bool) -> bool:
        return bool(self.columns[up].entries[(2 + soft) * (self.limit + 1) + total])

    def gives_up(self, up: int, total: int, *, soft: bool) -> bool:
        return bool(self.columns[up].entries[(4 + soft) * (self.limit + 1) + total])

    def splits(self, up: int, symbol: int) -> bool:
        return bool(self.columns[up].entries[6 * (self.limit + 1) + symbol])


def best_chart(board: Board, alone: Mapping[int, HandWorth], splits: Mapping[tuple[int, int], SplitWorth]) -> Chart:
    """The best chart, from where the best play for each hand stands."""
    columns = {}
    for up in board.ups:
        mine = {symbol: split for (at, symbol), split in splits.items() if at == up}
        columns[up] = Search(board, up).best(alone[up], mine)
    even = frozenset(up for up in board.ups if board.takes_even_money(up, alone[up].worth))
    return Chart(columns, even, board.terms.limit)


class Search:
    """The search against one first card."""

    def __init__(self, board: Board, up: int) -> None:
        self.board, self.up = board, up
        hands, self.limit = board.hands, board.terms.limit
        self.options = board.options
        self.entry: Ints = hands.soft * (self.limit + 1) + hands.total
        self.chosen = (self.options & STAND > 0) & (self.options & HIT > 0)
        self.doubled = self.options & DOUBLING > 0
        self.given = self.options & GIVING_UP > 0
        self.size = self._splitting(board.kinds)
        self.first = self._first()

    def _first(self) -> Floats:
        """The chance of each first hand; a blackjack asks nothing."""
        board, hands = self.board, self.board.hands
        reach = np.zeros(len(hands.size))
        for a in range(board.kinds):
            for b in range(a, board.kinds):
                if (a, b) != board.terms.natural:
                    reach[hands.child[hands.single[a], b]] = board.pair_chance(self.up, a, b)
        return reach

    def best(self, alone: HandWorth, splits: Mapping[int, SplitWorth]) -> Column:
        """The column that no single change betters."""
        column = self.weighed(self._start(alone, splits))
        for _ in range(MOST_ROUNDS):
            losing = column.gains > NOTHING
            if not losing.any():
                break
            together = self.weighed(np.where(losing, 1 - column.entries, column.entries))
            if together.worth <= column.worth:
                single = np.arange(self.size) == int(column.gains.argmax())
                together = self.weighed(np.where(single, 1 - column.entries, column.entries))
            column = together
        return column

    def _start(self, alone: HandWorth, splits: Mapping[int, SplitWorth]) -> Ints:
        """What the hands of each entry best do, by weight of the first hands; all other hands count a little."""
        weight = self.first + 1e-9
        worth = alone.worth
        hit = np.bincount(self.entry, weight * (worth[:, HITS] - worth[:, STANDS]) * self.chosen, self.size) > 0
        must = np.bincount(self.entry, (self.options & HIT > 0) & ~self.chosen, self.size) > 0
        gain = worth[:, DOUBLES] - np.maximum(worth[:, HITS], np.where(self.chosen, worth[:, STANDS], -np.inf))
        double = np.bincount(self._doubling(), np.where(self.doubled, weight * gain, 0.0), self.size) > 0
        split = np.zeros(self.size, dtype=bool)
        for symbol, found in splits.items():
            split[self._splitting(symbol)] = found.worth > alone.worth[self._pair(symbol), BEST]
        plain = np.maximum(gain, 0.0) + np.maximum(worth[:, HITS], np.where(self.chosen, worth[:, STANDS], -np.inf))
        give = np.bincount(self._giving(), np.where(self.given, weight * (worth[:, GIVES_UP] - plain), 0.0), self.size)
        return (hit | must | double | (give > 0) | split).astype(np.int64)

    def _doubling(self) -> Ints:
        return 2 * (self.limit + 1) + self.entry

    def _giving(self) -> Ints:
        return 4 * (self.limit + 1) + self.entry

    def _splitting(self, symbol: int) -> int:
        return 6 * (self.limit + 1) + symbol

    def _pair(self, symbol: int) -> int:
        return int(self.board.hands.child[self.board.hands.single[symbol], symbol])

    def choices(self, entries: Ints) -> Ints:
        """What a column says on each hand."""
        hits = (entries[self.entry] == 1) & (self.options & HIT > 0) | (self.options & STAND == 0)
        doubles = self.doubled & (entries[self._doubling()] == 1)
        choice = np.where(doubles, DOUBLING, np.where(hits, HIT, STAND))
        choice = np.where(self.given & (entries[self._giving()] == 1), GIVING_UP, choice)
        return np.where(self.options == 0, 0, choice)

    def weighed(self, entries: Ints) -> Column:
        """What a column is worth, and what turning each entry over would gain."""
        board, up = self.board, self.up
        choice = self.choices(entries)
        alone = board.alone(up, choice)
        gains = np.zeros(self.size)
        reach = self.first.copy()
        worth = 0.0
        splits = {}
        for symbol in range(board.kinds):
            pair, at = self._pair(symbol), self._splitting(symbol)
            if not board.can_split(up, symbol):
                continue
            splits[symbol] = board.split(up, symbol, choice)
            more = self.first[pair] * (splits[symbol].worth - alone.worth[pair, BEST])
            gains[at] = -more if entries[at] else more
            if entries[at]:
                worth += self.first[pair] * splits[symbol].worth
                reach[pair] = 0.0
                self._weigh_split(gains, entries, splits[symbol], symbol)
        worth += float(reach @ alone.worth[:, BEST])
        a, b = board.terms.natural
        worth += board.pair_chance(up, a, b) * float(alone.worth[board.hands.child[board.hands.single[a], b], BEST])
        hands = board.hands.all_hands
        listed, open_to = hands.listed, self.options[hands.listed]
        valuing.weigh(
            hands.cards,
            hands.after,
            self.entry[listed],
            open_to,
            open_to,
            alone.choice[listed],
            np.ascontiguousarray(alone.worth[listed, STANDS:]),
            board.left(up),
            -1,
            entries,
            self.limit + 1,
            np.append(reach[listed], 0.0),
            gains,
        )
        return Column(entries, gains, worth, alone, splits)

    def _weigh_split(self, gains: Floats, entries: Ints, split: SplitWorth, symbol: int) -> None:
        """Add what the split hands make of each entry; `Board.split_worths` still has what they are worth."""
        board, hands = self.board, self.board.hands.families[symbol]
        chance = self.first[self._pair(symbol)]
        listed = list(situations(split, symbol))
        played = [split.played[which] for which, _, _ in listed]
        weights = np.array([(chance * weight, chance * weight * pairs) for _, weight, pairs in listed])
        valuing.weigh_split(
            situation_table(tuple(which for which, _, _ in listed)),
            weights,
            symbol,
            hands.cards,
            hands.after,
            board.pairs[symbol],
            self.entry[hands.listed],
            self.options[hands.listed],
            board.split_options(symbol)[0],
            np.stack([hand.made for hand in played]),
            np.stack([hand.second for hand in played]),
            board.split_worths(symbol, len(listed)),
            board.left(self.up),
            entries,
            self.limit + 1,
            gains,
        )


def situations(split: SplitWorth, symbol: int) -> Iterator[tuple[Situation, float, float]]:
    """The situations of hands when pairs are split as often as can be: how many there are of each, on average, and
    whether those that begin with another pair count (0: they are split)."""
    one = split.played[FIRST_OF_TWO]
    if SECOND_OF_TWO in split.played:
        yield FIRST_OF_TWO, 1.0, 1.0
        yield SECOND_OF_TWO, 1.0, 1.0
        return
    pair = float(one.second[symbol])
    yield FIRST_OF_TWO, 1.0, 0.0
    yield FIRST_OF_THREE, pair, 1.0
    yield LATER_OF_THREE, 2 * pair, 1.0
    yield SECOND, 1 - pair, 0.0
    yield AFTER_SECOND, 2 * (1 - pair) * float(split.played[SECOND].second[symbol]), 1.0
