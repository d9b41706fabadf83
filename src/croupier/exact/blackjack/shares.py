"""How a round of the main wager ends by a stated play: every result with its chance, net and rule.

A wager made of several stakes wins or loses by its net.  Hands that are not split end as the game says, with the rule
that it names; of a split the net of all hands is told, under the rule that pays split hands.

The chances come from a `Weigher`: `Doubles` here, or `rational.Rational`, which does the same in fractions.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import field
from fractions import Fraction
from typing import Protocol, TypeAlias

import numpy as np

from croupier.exact.blackjack.board import Board, dealer_chances, sequence_chances
from croupier.exact.blackjack.joint import cases, first_ends, net_step, split_nets
from croupier.exact.blackjack.policy import Policy, SplitPlan
from croupier.exact.blackjack.terms import HandEnding
from croupier.once import dataclass

Number: TypeAlias = Fraction | float
EndOf: TypeAlias = tuple[bool, int, int]
"""Whether the hand was doubled, its total, the dealer's ending."""

NOTHING = 1e-18
"""A chance of a net result of a split that is no more than what the series leaves where there is none."""


@dataclass(frozen=True, slots=True)
class Share:
    """One way in which the wager can end: the net per unit placed, and its chance."""

    net: Fraction
    result: str
    odds: str
    rule: str
    chance: Number


class Weigher(Protocol):
    """Where chances come from, all given the dealer's first card but its own."""

    def up_chance(self, up: int) -> Number: ...

    def pair_chance(self, up: int, a: int, b: int) -> Number: ...

    def first_hands(self, up: int, policy: Policy) -> dict[EndOf, Number]: ...

    def behind_natural(self, up: int) -> tuple[Number, ...]: ...

    def split_nets(self, up: int, symbol: int, plan: SplitPlan) -> dict[Fraction, Number]: ...


def shares(board: Board, weigher: Weigher, policy: Policy) -> tuple[Share, ...]:
    """Every result of a stated play, the best first."""
    found: defaultdict[HandEnding, Number] = defaultdict(int)
    terms = board.terms
    for up in board.ups:
        chance = weigher.up_chance(up)
        for end, share in weigher.first_hands(up, policy).items():
            found[terms.ending[end]] += chance * share
        natural = chance * weigher.pair_chance(up, *terms.natural)
        if up in policy.even_money:
            found[terms.even_money_ending] += natural
        else:
            for number, share in enumerate(weigher.behind_natural(up)):
                if share:
                    found[terms.natural_ending[up, number]] += natural * share
        for symbol in range(board.kinds):
            plan = policy.plans.get((up, symbol))
            if plan is not None:
                pair = chance * weigher.pair_chance(up, symbol, symbol)
                for net, share in weigher.split_nets(up, symbol, plan).items():
                    found[split_ending(net, terms.split_rule)] += pair * share
    listed = (Share(each.net, each.result, each.odds, each.rule, chance) for each, chance in found.items() if chance)
    return tuple(sorted(listed, key=lambda share: (-share.net, share.result, share.rule)))


def split_ending(net: Fraction, rule: str) -> HandEnding:
    word = "win" if net > 0 else "lose" if net < 0 else "tie"
    return HandEnding(net, f"split {word}", "", rule)


def mean(listed: tuple[Share, ...]) -> Number:
    return sum(share.net * share.chance for share in listed)


@dataclass(slots=True)
class Doubles:
    """Chances in doubles.  Splits that were weighed are kept, as two policies mostly play them alike."""

    board: Board
    _nets: dict[tuple[int, int, bytes], dict[Fraction, Number]] = field(default_factory=dict)

    def up_chance(self, up: int) -> float:
        return self.board.up_chance(up)

    def pair_chance(self, up: int, a: int, b: int) -> float:
        return self.board.pair_chance(up, a, b)

    def behind_natural(self, up: int) -> tuple[Number, ...]:
        a, b = self.board.terms.natural
        hands = self.board.hands
        return tuple(self.board.known(up)[hands.child[hands.single[a], b]].tolist())

    def first_hands(self, up: int, policy: Policy) -> dict[EndOf, Number]:
        board, ends = self.board, first_ends(self.board, up, policy)
        left = board.left(up)
        dealer = np.zeros((len(ends.ways), board.terms.endings))
        dealer_chances(board.trees[up], left, ends.cards, dealer)
        chance = sequence_chances(ends.cards, left)
        found = np.zeros((2, board.terms.bust + 1, board.terms.endings))
        np.add.at(found, (ends.doubled, ends.total), (ends.ways * chance)[:, None] * dealer)
        return {(bool(d), int(t), int(e)): float(found[d, t, e]) for d, t, e in np.argwhere(found > 0)}

    def split_nets(self, up: int, symbol: int, plan: SplitPlan) -> dict[Fraction, Number]:
        courses = cases(self.board, symbol, plan)
        key = (up, symbol, b"".join(case.content for case in courses))
        if key not in self._nets:
            nets = split_nets(self.board, up, symbol, courses)
            step = net_step(self.board.terms) * self.board.terms.unit
            middle = len(nets) // 2
            self._nets[key] = {
                (at - middle) * step: float(chance) for at, chance in enumerate(nets) if chance > NOTHING
            }
        return self._nets[key]
