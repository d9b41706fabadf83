"""A shoe solved: the value of every hand and action, the best play, the best chart.

Where hands do not add up (a dealer's blackjack takes the first hand that lives: the reading `busted_plus_one`), what a
hand brings is replaced by its average: a later hand is behind no live one as often as the first hand is bust, and the
bust of the first hand costs what the next then loses.  The best play for these averages is found, the averages are
found anew from that play, and so on a few times: a search, and no proof that nothing is better.  What the play is worth
is then weighed exactly, hands together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from croupier.exact.blackjack.board import (
    BEST,
    DOUBLES,
    FIRST_OF_TWO,
    GIVES_UP,
    HITS,
    STANDS,
    Board,
    HandWorth,
    SplitWorth,
    sequence_chances,
)
from croupier.exact.blackjack.charts import Chart, Search
from croupier.exact.blackjack.joint import cases, net_step, split_ends, split_nets
from croupier.exact.blackjack.policy import Policy, best_policy, chart_policy, pair_of, plan_of
from croupier.exact.blackjack.size import most_cards, why_short
from croupier.exact.blackjack.terms import DOUBLING, FIRST, GIVING_UP, HIT, LATER, LATER_ALONE, STAND, NotPriced
from croupier.games.blackjack.rules import BlackjackRules
from croupier.once import dataclass

AVERAGINGS = 3


@dataclass(frozen=True, slots=True)
class Solved:
    """Every value from one shoe, and the two plays: `main` looks at the cards of a hand, `chart_play` at its total."""

    board: Board
    alone: Mapping[int, HandWorth]
    splits: Mapping[tuple[int, int], SplitWorth]
    chart: Chart
    main: Policy
    chart_play: Policy

    @property
    def main_worth(self) -> float:
        """What a round is worth by the best play, per unit of the main wager."""
        return sum(self.board.up_chance(up) * self._against(up) for up in self.board.ups)

    def _against(self, up: int) -> float:
        board = self.board
        hands = board.hands
        values: list[float] = self.alone[up].worth[:, BEST].tolist()
        for (first, symbol), split in self.splits.items():
            if first == up and (up, symbol) in self.main.plans:
                values[pair_of(hands, symbol)] = split.worth
        chances = zip(board.open.twos.tolist(), board.two_chances(up), strict=True)
        return float(sum(chance * values[hand] for hand, chance in chances))

    @property
    def chart_worth(self) -> float:
        """What a round is worth by the chart; on average payments, where hands do not add up."""
        return sum(self.board.up_chance(up) * column.worth for up, column in self.chart.columns.items())


def solve(rules: BlackjackRules, shoe: Sequence[int]) -> Solved:
    """Solve a shoe of 52 counts, or of 13 by rank; `NotPriced` if it may run out within a round."""
    board, alone, columns = _board(rules, shoe), {}, {}
    splits: dict[tuple[int, int], SplitWorth] = {}
    for up in board.ups:
        alone[up], mine = _played_best(board, up)
        columns[up] = Search(board, up).best(alone[up], mine)
        splits |= {(up, symbol): split for symbol, split in mine.items()}
    even = frozenset(up for up in board.ups if board.takes_even_money(up, alone[up].worth))
    chart = Chart(columns, even, board.terms.limit)
    return Solved(board, alone, splits, chart, best_policy(board, alone, splits), chart_policy(board, chart))


def best_worth(rules: BlackjackRules, shoe: Sequence[int]) -> float:
    """What a round from a shoe is worth by the best play, without looking for a chart."""
    board, alone = _board(rules, shoe), {}
    splits: dict[tuple[int, int], SplitWorth] = {}
    for up in board.ups:
        alone[up], mine = _played_best(board, up)
        splits |= {(up, symbol): split for symbol, split in mine.items()}
    best = best_policy(board, alone, splits)
    return Solved(board, alone, splits, Chart({}, frozenset(), board.terms.limit), best, best).main_worth


def _board(rules: BlackjackRules, shoe: Sequence[int]) -> Board:
    board = Board(rules, shoe)
    short = why_short(rules, need=most_cards(board.terms, board.shoe), shoe=shoe, table=board.terms)
    if short:
        raise NotPriced(short)
    return board


def _played_best(board: Board, up: int) -> tuple[HandWorth, dict[int, SplitWorth]]:
    """The best play against one first card: of hands that are not split, and of splits by their symbol."""
    splits = board.splits(up, [symbol for symbol in range(board.kinds) if board.can_split(up, symbol)])
    if not board.terms.separable and board.terms.completes[up] >= 0:
        splits = {symbol: _dependent(board, up, symbol) for symbol in splits}
    return board.alone(up), splits


def _dependent(board: Board, up: int, symbol: int) -> SplitWorth:
    """A split whose hands do not add up: the play found by averages, the worth weighed."""
    split = board.split(up, symbol)
    pay = board.pay
    more = pay[LATER_ALONE] - pay[LATER]
    for _ in range(AVERAGINGS):
        bust = _bust_chance(board, up, symbol, split)
        first = pay[FIRST].copy()
        first[:, -1, -1] += (1 - bust) * more[0, board.terms.limit, -1]
        board.split_pay[up, symbol] = (first, pay[LATER] + bust * more)
        split = board.split(up, symbol)
    return replace(
        split, worth=mean_of_nets(board, split_nets(board, up, symbol, cases(board, symbol, plan_of(split))))
    )


def _bust_chance(board: Board, up: int, symbol: int, split: SplitWorth) -> float:
    """The chance that the first hand is bust."""
    ends = split_ends(board, symbol, split.played[FIRST_OF_TWO].choice, "all")
    chance = sequence_chances(ends.cards, board.left(up, symbol, 2))
    return float((ends.ways * chance)[ends.total == board.terms.bust].sum())


def mean_of_nets(board: Board, nets: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    steps = np.arange(len(nets)) - len(nets) // 2
    return float(nets @ steps) * net_step(board.terms) * float(board.terms.unit)


# ---------------------------------------------------------------- for the lab


def values(solved: Solved, *, up: int, hand: Sequence[int]) -> dict[str, float]:
    """What each open action is worth on a hand against a first card, all cards told by their points (an ace is 11).

    Further cards are played best; the hand has not been split.  A blackjack can only wait, or be paid at once.
    """
    board = solved.board
    symbols = [board.terms.values.index(points) for points in (up, *hand)]
    first, cards = symbols[0], symbols[1:]
    number = board.hands.find(tuple(cards.count(symbol) for symbol in range(board.kinds)))
    if len(cards) < 2 or number < 0:
        raise ValueError(f"not a hand of two cards or more that is not bust: {tuple(hand)}")
    worth = solved.alone[first].worth[number]
    if len(cards) == 2 and tuple(sorted(cards)) == board.terms.natural:
        even = {} if board.terms.even_money[first] is None else {"even_money": float(worth[HITS])}
        return {"stand": float(worth[STANDS]), **even}
    open_to = int(board.open.options[number])
    columns = {"stand": (STAND, STANDS), "hit": (HIT, HITS), "double": (DOUBLING, DOUBLES)}
    columns["surrender"] = (GIVING_UP, GIVES_UP)
    found = {word: float(worth[column]) for word, (bit, column) in columns.items() if open_to & bit}
    if not open_to:
        found["stand"] = float(worth[STANDS])
    if len(cards) == 2 and cards[0] == cards[1] and (first, cards[0]) in solved.splits:
        found["split"] = solved.splits[first, cards[0]].worth
    return found
