"""What the bins of the kernel mean: the exact engine's endings, which the game's own judge decided.

A strategy has a block of class × ending.  The jackpot's bins come after the blocks: first the wagers that win nothing,
then, for each multiset of prizes in a round, one bin for each prize.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import TypeAlias

import numpy as np

from croupier.exact.caribbean_stud.counting import FOLDED, NO_HAND
from croupier.exact.caribbean_stud.endings import Endings
from croupier.exact.caribbean_stud.endings import StudEnding as Judged
from croupier.games.caribbean_stud.jackpot import payouts
from croupier.games.caribbean_stud.rules import StudRules
from croupier.money import Cents
from croupier.simulation.plan import BinEnding, Ints
from croupier.simulation.stud.kernel import ENDS

Prizes: TypeAlias = tuple[int, ...]


def ante_endings(found: Endings, classes: int) -> tuple[BinEnding | None, ...]:
    """How ante and bet end together, by class and ending."""
    keys = ((kind, end) for kind in range(classes) for end in range(ENDS))
    return tuple(_ending(found[key], key[1]) if key in found else None for key in keys)


def _ending(judged: Judged, end: int) -> BinEnding:
    telling = judged.ante if judged.bet is None or end == NO_HAND else judged.bet
    return BinEnding("fold" if end == FOLDED else telling.result, judged.net, telling.rule)


# ---------------------------------------------------------------- the jackpot


@dataclass(frozen=True, slots=True)
class Shares:
    """The prizes by class of hand, and the multisets of them that so many boxes can win; the first is none."""

    names: tuple[str, ...]
    held: tuple[Prizes, ...]

    @property
    def bins(self) -> int:
        return 1 + len(self.held) * len(self.names)

    def bin(self, won: Prizes, prize: int) -> int:
        return 1 + self.held.index(won) * len(self.names) + prize


def shares(rules: StudRules, boxes: int) -> Shares:
    names = tuple(name for name in rules.ranking.order.value if name in rules.progressive.prizes)
    held = (won for size in range(boxes + 1) for won in combinations_with_replacement(range(len(names)), size))
    return Shares(names, tuple(held))


def steps_of(shared: Shares) -> Ints:
    """The number of a multiset with one prize more; a row for the fullest, too, which gets no more."""
    numbers = {won: number for number, won in enumerate(shared.held)}
    steps = np.zeros((len(shared.held), max(1, len(shared.names))), dtype=np.int64)
    for won, number in numbers.items():
        for prize in range(len(shared.names)):
            steps[number, prize] = numbers.get(tuple(sorted((*won, prize))), 0)
    return steps


def jackpot_endings(
    rules: StudRules, shared: Shares, *, lost_rule: str, pool_cents: Cents, stake_cents: Cents
) -> tuple[BinEnding | None, ...]:
    """How a jackpot wager ends in each bin."""
    found: list[BinEnding | None] = [None] * shared.bins
    found[0] = BinEnding("no jackpot", Fraction(-1), lost_rule)
    back = 0 if rules.progressive.kept.value else 1
    for won in shared.held[1:]:
        names = [shared.names[prize] for prize in won]
        for prize, paid in zip(won, payouts(rules.progressive, pool_cents, names), strict=True):
            net = paid.cents / stake_cents - 1 + back
            found[shared.bin(won, prize)] = BinEnding(shared.names[prize], net, paid.rule)
    return tuple(found)
