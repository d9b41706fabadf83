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
)
from croupier.exact.blackjack.loops import LOOPS
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


class Search:
    """The search against one first card."""

    def __init__(self, board: Board, up: int) -> None:
        self.board, self.up = board, up
        self.limit, self.options = board.terms.limit, board.open.options
        self.size = self._splitting(board.kinds)
        self.first = self._first()

    def _first(self) -> Floats:
        """The chance of each first hand; a blackjack asks nothing."""
        reach, hands = np.zeros(len(self.options)), self.board.hands
        reach[self.board.open.twos] = self.board.two_chances(self.up)
        a, b = self.board.terms.natural
        reach[hands.child[hands.single[a], b]] = 0.0
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
        hit = (
            np.bincount(
                self.board.open.entry, weight * (worth[:, HITS] - worth[:, STANDS]) * self.board.open.chosen, self.size
            )
            > 0
        )
        must = np.bincount(self.board.open.entry, (self.options & HIT > 0) & ~self.board.open.chosen, self.size) > 0
        gain = worth[:, DOUBLES] - np.maximum(
            worth[:, HITS], np.where(self.board.open.chosen, worth[:, STANDS], -np.inf)
        )
        double = np.bincount(self._doubling(), np.where(self.board.open.doubled, weight * gain, 0.0), self.size) > 0
        split = np.zeros(self.size, dtype=bool)
        for symbol, found in splits.items():
            split[self._splitting(symbol)] = found.worth > alone.worth[self._pair(symbol), BEST]
        plain = np.maximum(gain, 0.0) + np.maximum(
            worth[:, HITS], np.where(self.board.open.chosen, worth[:, STANDS], -np.inf)
        )
        give = np.bincount(
            self._giving(), np.where(self.board.open.given, weight * (worth[:, GIVES_UP] - plain), 0.0), self.size
        )
        return (hit | must | double | (give > 0) | split).astype(np.int64)

    def _doubling(self) -> Ints:
        return 2 * (self.limit + 1) + self.board.open.entry

    def _giving(self) -> Ints:
        return 4 * (self.limit + 1) + self.board.open.entry

    def _splitting(self, symbol: int) -> int:
        return 6 * (self.limit + 1) + symbol

    def _pair(self, symbol: int) -> int:
        return int(self.board.hands.child[self.board.hands.single[symbol], symbol])

    def choices(self, entries: Ints) -> Ints:
        """What a column says on each hand."""
        hits = (entries[self.board.open.entry] == 1) & (self.options & HIT > 0) | (self.options & STAND == 0)
        doubles = self.board.open.doubled & (entries[self._doubling()] == 1)
        choice = np.where(doubles, DOUBLING, np.where(hits, HIT, STAND))
        choice = np.where(self.board.open.given & (entries[self._giving()] == 1), GIVING_UP, choice)
        return np.where(self.options == 0, 0, choice)

    def weighed(self, entries: Ints) -> Column:
        """What a column is worth, and what turning each entry over would gain."""
        board, up = self.board, self.up
        choice = self.choices(entries)
        alone = board.alone(up, choice)
        gains = np.zeros(self.size)
        reach = self.first.copy()
        worth = 0.0
        pairs = [symbol for symbol in range(board.kinds) if board.can_split(up, symbol)]
        splitting = entries[self._splitting(0) :]
        splits = board.splits(up, pairs, choice, keep=splitting)
        for symbol, split in splits.items():
            pair, at = self._pair(symbol), self._splitting(symbol)
            more = float(self.first[pair] * (split.worth - alone.worth[pair, BEST]))
            gains[at] = -more if entries[at] else more
            if entries[at]:
                worth += float(self.first[pair]) * split.worth
                reach[pair] = 0.0
        self._weigh_splits(gains, entries, {symbol: splits[symbol] for symbol in pairs if splitting[symbol]})
        worth += float(reach @ alone.worth[:, BEST])
        a, b = board.terms.natural
        worth += board.pair_chance(up, a, b) * float(alone.worth[board.hands.child[board.hands.single[a], b], BEST])
        hands, room = board.hands.all_hands, board.room
        listed = hands.listed
        LOOPS.functions["weighing.weigh"](
            hands.cards,
            hands.after,
            self.board.open.entry[listed],
            board.open.alone,
            board.open.alone,
            room.made,
            room.worth,
            board.left(up),
            -1,
            entries,
            self.limit + 1,
            np.append(reach[listed], 0.0),
            gains,
            room.left,
        )
        return Column(entries, gains, worth, alone, splits)

    def _weigh_splits(self, gains: Floats, entries: Ints, splits: Mapping[int, SplitWorth]) -> None:
        """Add what the split hands make of each entry; `Room.worths` still has what they are worth."""
        board, hands, room = self.board, self.board.hands.families, self.board.room
        plans, many = board.open.chart
        weights, second = np.zeros((*plans.shape[:2], 2)), np.zeros((*plans.shape[:2], board.kinds))
        made = np.empty((plans.shape[1], len(hands.listed)), dtype=np.uint8)
        for symbol, split in splits.items():
            chance = float(self.first[self._pair(symbol)])
            mine = slice(board.hands.starts[symbol], board.hands.starts[symbol + 1])
            for at, (which, weight, pairs) in enumerate(situations(split, symbol)):
                weights[symbol, at] = chance * weight, chance * weight * pairs
                second[symbol, at], made[at, mine] = split.played[which].second, split.played[which].made
        LOOPS.functions["weighing.weigh_split"](
            np.array(list(splits), dtype=np.int64),
            plans,
            many,
            weights,
            board.hands.starts,
            hands.cards,
            hands.after,
            board.open.pairs,
            self.board.open.entry[hands.listed],
            self.options[hands.listed],
            board.open.splits,
            made,
            second,
            room.worths,
            board.left(self.up),
            entries,
            self.limit + 1,
            room.reach,
            gains,
            room.left,
            room.from_shoe,
        )


def situations(split: SplitWorth, symbol: int) -> Iterator[tuple[Situation, float, float]]:
    """The situations of hands when pairs are split as often as can be: how many there are of each, on average, and
    whether those that begin with another pair count (0: they are split)."""
    one = split.played[FIRST_OF_TWO]
    if SECOND_OF_TWO in split.played:
        yield FIRST_OF_TWO, 1.0, 1.0
        yield SECOND_OF_TWO, 1.0, 1.0
        return
    pair = one.second[symbol]
    yield FIRST_OF_TWO, 1.0, 0.0
    yield FIRST_OF_THREE, pair, 1.0
    yield LATER_OF_THREE, 2 * pair, 1.0
    yield SECOND, 1 - pair, 0.0
    yield AFTER_SECOND, 2 * (1 - pair) * split.played[SECOND].second[symbol], 1.0
