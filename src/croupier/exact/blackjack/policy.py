"""A stated play: what to do on every hand, so that it can be weighed exactly, simulated, or followed at a table.

A `Policy` holds one choice for each numbered hand: for hands that are not split, and for each situation of the hands of
each pair that it splits (see `board`).  `decide` reads a layout and says what the policy does there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from croupier.exact.blackjack.board import (
    AFTER_KEPT,
    AFTER_SECOND,
    BEST,
    FIRST_OF_THREE,
    FIRST_OF_TWO,
    LATER_OF_THREE,
    SECOND,
    SECOND_OF_TWO,
    Board,
    HandWorth,
    Situation,
    SplitHand,
    SplitWorth,
)
from croupier.exact.blackjack.charts import Chart
from croupier.exact.blackjack.lattice import Lattice
from croupier.exact.blackjack.terms import WORDS, Ints
from croupier.games.blackjack.layout import Box, Hand, Layout, points
from croupier.games.blackjack.rules import BlackjackRules
from croupier.once import dataclass


@dataclass(frozen=True, slots=True)
class SplitPlan:
    """How a pair is split: the choices by situation, and whether the pairs of its hands are split again."""

    choices: Mapping[Situation, Ints]
    again_first: bool
    again_second: bool
    again_kept: bool


@dataclass(frozen=True, slots=True)
class Policy:
    """A stated play.  Pairs without a plan are not split; `even_money` is taken against those first cards."""

    name: str
    values: tuple[int, ...]
    hands: Lattice
    alone: Mapping[int, Ints]
    plans: Mapping[tuple[int, int], SplitPlan]
    even_money: frozenset[int]


def best_policy(board: Board, alone: Mapping[int, HandWorth], splits: Mapping[tuple[int, int], SplitWorth]) -> Policy:
    """The play that is best for each hand."""
    plans = {
        (up, symbol): plan_of(split)
        for (up, symbol), split in splits.items()
        if split.worth > alone[up].worth[pair_of(board.hands, symbol), BEST]
    }
    even = frozenset(up for up in board.ups if board.takes_even_money(up, alone[up].worth))
    choices = {up: played.choice for up, played in alone.items()}
    return Policy("main", board.terms.values, board.hands, choices, plans, even)


def chart_policy(board: Board, chart: Chart) -> Policy:
    """The play that a chart says."""
    plans = {
        (up, symbol): plan_of(split)
        for up, column in chart.columns.items()
        for symbol, split in column.splits.items()
        if chart.splits(up, symbol)
    }
    choices = {up: column.alone.choice for up, column in chart.columns.items()}
    return Policy("main:chart", board.terms.values, board.hands, choices, plans, chart.even_money)


class _Choices(Mapping[Situation, Ints]):
    """The play of split hands by situation, laid out by the number of a hand when somebody asks for it."""

    def __init__(self, played: Mapping[Situation, SplitHand]) -> None:
        self.played = played
        self.made: dict[Situation, Ints] = {}

    def __getitem__(self, which: Situation) -> Ints:
        if which not in self.made:
            self.made[which] = self.played[which].choice
        return self.made[which]

    def __contains__(self, which: object) -> bool:
        return which in self.played

    def __iter__(self) -> Iterator[Situation]:
        return iter(self.played)

    def __len__(self) -> int:
        return len(self.played)


def plan_of(split: SplitWorth) -> SplitPlan:
    return SplitPlan(_Choices(split.played), split.again_first, split.again_second, split.again_kept)


def pair_of(hands: Lattice, symbol: int) -> int:
    return int(hands.child[hands.single[symbol], symbol])


# ---------------------------------------------------------------- at a table


def decide(policy: Policy, rules: BlackjackRules, layout: Layout, box: Box, hand: Hand) -> str:
    """What the policy does with the hand in turn: an option of the game."""
    up = policy.values.index(points(rules, layout.dealer[0]))
    cards = [policy.values.index(points(rules, card)) for card in hand.cards]
    number = policy.hands.find(tuple(cards.count(symbol) for symbol in range(len(policy.values))))
    pair = len(cards) == 2 and cards[0] == cards[1]
    plan = policy.plans.get((up, cards[0]))
    if len(box.hands) == 1:
        if pair and plan is not None:
            return "split"
        return WORDS[int(policy.alone[up][number])]
    assert plan is not None, "the policy splits no such pair"
    which = situation(plan, rules, box, hand)
    if pair and _again(plan, which, len(box.hands)):
        return "split"
    return WORDS[int(plan.choices[which][number])]


def _again(plan: SplitPlan, which: Situation, hands: int) -> bool:
    """Whether a pair on a split hand is split again; never where there are three hands already."""
    again = {FIRST_OF_TWO: plan.again_first, SECOND: plan.again_second, LATER_OF_THREE: plan.again_kept}
    return hands == 2 and again.get(which, False)


def situation(plan: SplitPlan, rules: BlackjackRules, box: Box, hand: Hand) -> Situation:
    """What the play of a split hand knows of the others."""
    order = [each.number for each in box.hands]
    first = box.hands[0].cards
    kept = len(first) > 1 and points(rules, first[1]) == points(rules, first[0])
    if hand.number == order[0]:
        return FIRST_OF_TWO if len(order) == 2 else FIRST_OF_THREE
    if SECOND_OF_TWO in plan.choices:
        return SECOND_OF_TWO
    if len(order) == 2:
        return LATER_OF_THREE if kept else SECOND
    if order[1] == len(order):
        return LATER_OF_THREE
    return AFTER_KEPT if kept else AFTER_SECOND
