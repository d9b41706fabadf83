"""A solved shoe on paper: the chart as tables, where the best play departs from it, and the dealer's ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from croupier.exact.blackjack.board import BEST, DOUBLES, HITS, STANDS, Board
from croupier.exact.blackjack.charts import Search
from croupier.exact.blackjack.rational import Rational
from croupier.exact.blackjack.size import dealer_cards, why_short
from croupier.exact.blackjack.solve import Solved
from croupier.exact.blackjack.terms import DOUBLING, HIT, STAND, WORDS, NotPriced
from croupier.games.blackjack.rules import BlackjackRules

AS_TOTAL = "as total"


@dataclass(frozen=True, slots=True)
class ChartTable:
    """One part of a chart: a row for each total, or for each card of a pair, with a word against each first card.

    Cards are told by their points, an ace being 11.  `double` means to hit where it is not allowed; a pair that is not
    split is played `as total`.
    """

    part: Literal["hard", "soft", "pairs"]
    ups: tuple[int, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]


def chart_tables(solved: Solved) -> tuple[ChartTable, ChartTable, ChartTable]:
    """The best chart in three tables, the dealer's first cards from two up to the ace."""
    board, chart = solved.board, solved.chart
    ups = sorted(board.ups, key=lambda up: board.terms.values[up])
    shown = tuple(board.terms.values[up] for up in ups)

    def word(up: int, total: int, *, soft: bool) -> str:
        if not soft and chart.doubles(up, total):
            return WORDS[DOUBLING]
        return WORDS[HIT if chart.hits(up, total, soft=soft) else STAND]

    def part(*, soft: bool) -> tuple[tuple[int, tuple[str, ...]], ...]:
        totals = sorted(_totals(board, soft=soft), reverse=True)
        return tuple((total, tuple(word(up, total, soft=soft) for up in ups)) for total in totals)

    def pair(up: int, symbol: int) -> str:
        return "split" if chart.splits(up, symbol) else AS_TOTAL

    symbols = [symbol for symbol in range(board.kinds) if board.terms.most_hands(symbol) > 1]
    symbols.sort(key=lambda symbol: -board.terms.values[symbol])
    pairs = tuple((board.terms.values[symbol], tuple(pair(up, symbol) for up in ups)) for symbol in symbols)
    return (
        ChartTable("hard", shown, part(soft=False)),
        ChartTable("soft", shown, part(soft=True)),
        ChartTable("pairs", shown, pairs),
    )


def _totals(board: Board, *, soft: bool) -> set[int]:
    """The totals on which something is to be decided."""
    open_to = (board.options != 0) & (board.hands.soft == int(soft))
    return set(board.hands.total[open_to].tolist())


@dataclass(frozen=True, slots=True)
class Departure:
    """A first hand on which the best play departs from the chart, and what that gains per unit wagered on it."""

    up: int
    hand: tuple[int, int]
    chart: str
    best: str
    gain: float


def departures(solved: Solved) -> tuple[Departure, ...]:
    """The first hands, by points, on which the best play is not what the chart says."""
    board, values = solved.board, solved.board.terms.values
    found = []
    for up in board.ups:
        said = Search(board, up).choices(solved.chart.columns[up].entries)
        worth = solved.alone[up].worth
        for a in range(board.kinds):
            for b in range(a, board.kinds):
                hand = int(board.hands.child[board.hands.single[a], b])
                split = a == b and (up, a) in solved.main.plans
                told = a == b and solved.chart.splits(up, a) and (up, a) in solved.splits
                best = "split" if split else WORDS.get(int(solved.main.alone[up][hand]), "")
                chart = "split" if told else WORDS.get(int(said[hand]), "")
                if best and best != chart and board.pair_chance(up, a, b) > 0:
                    column = {"stand": STANDS, "hit": HITS, "double": DOUBLES}
                    by = {word: float(worth[hand, at]) for word, at in column.items()}
                    by["split"] = solved.splits[up, a].worth if split or told else float(worth[hand, BEST])
                    found.append(Departure(values[up], (values[a], values[b]), chart, best, by[best] - by[chart]))
    return tuple(sorted(found, key=lambda each: -each.gain))


def dealer_totals(rules: BlackjackRules, shoe: Sequence[int]) -> dict[int, dict[str, Fraction]]:
    """The exact chance of each end of the dealer by the first card, which alone is known to be gone."""
    board = Board(rules, shoe)
    short = why_short(rules, need=dealer_cards(board.terms, board.shoe), shoe=shoe, table=board.terms)
    if short:
        raise NotPriced(short)
    exact = Rational(board)
    names = ["bust", *map(str, range(board.terms.stands, board.terms.limit + 1)), "blackjack"]
    return {
        board.terms.values[up]: dict(zip(names, exact.dealer(up, exact.without(board.shoe, up)), strict=True))
        for up in board.ups
    }
