"""A solved shoe on paper: the chart as tables, where the best play departs from it, and the dealer's ends."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from croupier.exact.blackjack.board import BEST, DOUBLES, GIVES_UP, HITS, STANDS, Board
from croupier.exact.blackjack.charts import Search
from croupier.exact.blackjack.rational import Rational
from croupier.exact.blackjack.size import dealer_cards, why_short
from croupier.exact.blackjack.solve import Solved
from croupier.exact.blackjack.terms import DOUBLING, GIVING_UP, HIT, STAND, WORDS, NotPriced
from croupier.games.blackjack.rules import BlackjackRules
from croupier.once import dataclass

AS_TOTAL = "as total"
COLUMNS = {WORDS[STAND]: STANDS, WORDS[HIT]: HITS, WORDS[DOUBLING]: DOUBLES, WORDS[GIVING_UP]: GIVES_UP}


@dataclass(frozen=True, slots=True)
class ChartTable:
    """One part of a chart: a row for each total, or for each card of a pair, with a word against each first card.

    Cards are told by their points, an ace being 11.  `double` and `surrender` mean to hit where they are not allowed,
    `double-stand` and `surrender-stand` to stand; a pair that is not split is played `as total`.
    `worths` has beside each word what the first hands of that row bring when they are played so, per unit wagered: the
    mean by their chances, pairs left out of totals unless there is nothing else; nothing where there is no such
    hand of two cards.
    """

    part: Literal["hard", "soft", "pairs"]
    ups: tuple[int, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    worths: tuple[tuple[float | None, ...], ...] = ()


def chart_tables(solved: Solved) -> tuple[ChartTable, ChartTable, ChartTable]:
    """The best chart in three tables, the dealer's first cards from two up to the ace."""
    board, chart = solved.board, solved.chart
    ups = sorted(board.ups, key=lambda up: board.terms.values[up])
    shown = tuple(board.terms.values[up] for up in ups)

    def word(up: int, total: int, *, soft: bool) -> str:
        plain = WORDS[HIT if chart.hits(up, total, soft=soft) else STAND]
        for bit, said in ((GIVING_UP, chart.gives_up), (DOUBLING, chart.doubles)):
            if said(up, total, soft=soft):
                return WORDS[bit] if plain == WORDS[HIT] else f"{WORDS[bit]}-{plain}"
        return plain

    def part(*, soft: bool) -> tuple[tuple[int, tuple[str, ...]], ...]:
        totals = sorted(_totals(board, soft=soft), reverse=True)
        return tuple((total, tuple(word(up, total, soft=soft) for up in ups)) for total in totals)

    def pair(up: int, symbol: int) -> str:
        return "split" if chart.splits(up, symbol) else AS_TOTAL

    symbols = [symbol for symbol in range(board.kinds) if board.terms.most_hands(symbol) > 1]
    symbols.sort(key=lambda symbol: -board.terms.values[symbol])
    pairs = tuple((board.terms.values[symbol], tuple(pair(up, symbol) for up in ups)) for symbol in symbols)

    def worths(rows: tuple[tuple[int, tuple[str, ...]], ...], *, soft: bool) -> tuple[tuple[float | None, ...], ...]:
        return tuple(
            tuple(_mean(solved, up, word, total, soft=soft) for up, word in zip(ups, words, strict=True))
            for total, words in rows
        )

    def paired(symbol: int, up: int) -> float:
        if chart.splits(up, symbol):
            return float(solved.splits[up, symbol].worth)
        hand = int(board.hands.child[board.hands.single[symbol], symbol])
        soft = bool(board.hands.soft[hand])
        return float(solved.alone[up].worth[hand, _column(word(up, int(board.hands.total[hand]), soft=soft))])

    hard, soft = part(soft=False), part(soft=True)
    return (
        ChartTable("hard", shown, hard, worths(hard, soft=False)),
        ChartTable("soft", shown, soft, worths(soft, soft=True)),
        ChartTable("pairs", shown, pairs, tuple(tuple(paired(symbol, up) for up in ups) for symbol in symbols)),
    )


def _column(word: str) -> int:
    """The column of a word, whatever is done where it is not allowed."""
    return COLUMNS[word.partition("-")[0]]


def _mean(solved: Solved, up: int, word: str, total: int, *, soft: bool) -> float | None:
    """What first hands of a total bring when they are all played by one word."""
    board, found = solved.board, []
    for a in range(board.kinds):
        for b in range(a, board.kinds):
            hand = int(board.hands.child[board.hands.single[a], b])
            if (int(board.hands.total[hand]), bool(board.hands.soft[hand])) == (total, soft):
                worth = float(solved.alone[up].worth[hand, _column(word)])
                found.append((a == b, board.pair_chance(up, a, b), worth))
    of = [each for each in found if not each[0]] or found
    chances = sum(chance for _, chance, _ in of)
    return sum(chance * worth for _, chance, worth in of) / chances if chances else None


def _totals(board: Board, *, soft: bool) -> set[int]:
    """The totals on which something is to be decided."""
    open_to = (board.open.options != 0) & (board.hands.soft == int(soft))
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
                charted = a == b and solved.chart.splits(up, a) and (up, a) in solved.splits
                best = "split" if split else WORDS.get(int(solved.main.alone[up][hand]), "")
                chart = "split" if charted else WORDS.get(int(said[hand]), "")
                if best and best != chart and board.pair_chance(up, a, b) > 0:
                    by = {word: float(worth[hand, at]) for word, at in COLUMNS.items()}
                    by["split"] = solved.splits[up, a].worth if split or charted else float(worth[hand, BEST])
                    found.append(
                        Departure(values[up], (values[a], values[b]), chart, best, float(by[best] - by[chart]))
                    )
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
