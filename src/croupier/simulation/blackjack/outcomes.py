"""What the bins of the kernel mean: the game's own judge says how each outcome ends.

A strategy has a block of bins.  In it come, in order: unsplit hands by doubled, total and the dealer's end; blackjacks
by the dealer's first card and end; even money; splits by number of stakes and net; insurance by whether it was taken
and won; Super Sevens.  Insurance and Super Sevens never change the play, so that they are counted for every box,
whether or not anybody stakes on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.equipment import RANKS
from croupier.exact.blackjack.terms import HandEnding as Judged
from croupier.exact.blackjack.terms import Ints, RuleTables, brings
from croupier.game import CardSeen, Chosen, Lost, Plain, Resolution, Wager, Won, granted
from croupier.games.blackjack import BLACKJACK
from croupier.games.blackjack.layout import Box, Layout
from croupier.games.blackjack.rules import INSURANCE, MAIN, SUPER_SEVENS, BlackjackRules
from croupier.simulation.plan import BinEnding, PlanRow

Floats: TypeAlias = NDArray[np.float64]
MOST_STAKES = 6
STAKE = 1_000_000


@dataclass(frozen=True, slots=True)
class Block:
    """Where everything is in the bins of one strategy."""

    terms: RuleTables
    sevens: bool

    @property
    def totals(self) -> int:
        return self.terms.limit + 2

    @property
    def naturals(self) -> int:
        return 2 * self.totals * self.terms.endings

    @property
    def even_money(self) -> int:
        return self.naturals + len(self.terms.values) * self.terms.endings

    @property
    def split(self) -> int:
        return self.even_money + self.terms.endings

    @property
    def most(self) -> int:
        """The most that a split can bring or cost, in units of the terms."""
        return 3 * int(np.abs(self.terms.pay).max())

    @property
    def split_width(self) -> int:
        return 2 * self.most + 1

    @property
    def insurance(self) -> int:
        return self.split + (MOST_STAKES - 1) * self.split_width

    @property
    def super_sevens(self) -> int:
        return self.insurance + 4

    @property
    def size(self) -> int:
        return self.super_sevens + (6 if self.sevens else 0)


def rows_of(rules: BlackjackRules, block: Block, first: int, policy: str) -> tuple[PlanRow, ...]:
    """The wagers of a strategy whose bins start at `first`."""
    rows = [
        PlanRow(MAIN, first, main_endings(block), policy),
        PlanRow(INSURANCE, first + block.insurance, insurance_endings(rules) * 2, ""),
    ]
    if block.sevens:
        play = f"{SUPER_SEVENS}:{policy.removeprefix(MAIN).strip(':') or policy}"
        rows.append(PlanRow(SUPER_SEVENS, first + block.super_sevens, sevens_endings(rules), play))
    return tuple(rows)


def main_endings(block: Block) -> tuple[BinEnding | None, ...]:
    """How the main wager ends in each bin up to the splits."""
    terms, found = block.terms, [None] * block.insurance
    listed: list[BinEnding | None] = list(found)
    for (doubled, total, end), judged in terms.ending.items():
        listed[(int(doubled) * block.totals + total) * terms.endings + end] = _plain(judged)
    for (up, end), judged in terms.natural_ending.items():
        listed[block.naturals + up * terms.endings + end] = _plain(judged)
    for end in range(terms.endings):
        listed[block.even_money + end] = _plain(terms.even_money_ending)
    for stakes, brought in product(range(MOST_STAKES - 1), range(-block.most, block.most + 1)):
        word = "split win" if brought > 0 else "split lose" if brought < 0 else "split tie"
        at = block.split + stakes * block.split_width + block.most + brought
        listed[at] = BinEnding(word, brought * terms.unit, terms.split_rule)
    return tuple(listed)


def _plain(judged: Judged) -> BinEnding:
    return BinEnding(judged.result, judged.net, judged.rule)


def insurance_endings(rules: BlackjackRules) -> tuple[BinEnding, ...]:
    """Lost, then won."""
    law = rules.insurance
    ends: tuple[Resolution, ...] = (Lost(law.taken_at.rule), Won(law.pays.value, law.pays.rule))
    return tuple(BinEnding(end.result, brings(end), end.rule) for end in ends)


def sevens_endings(rules: BlackjackRules) -> tuple[BinEnding, ...]:
    """Super Sevens in the order in which the kernel numbers its ends, as the judge decides an example of each."""
    seven = rules.sevens.figure.value - 1
    other, suit = seven + 1, len(RANKS)
    drawn = (
        *((other, other), (seven, other), (seven, seven + suit, other), (seven, seven, other)),
        *((seven, seven + suit, seven), (seven, seven, seven)),
    )
    ends = (_watched(rules, cards) for cards in drawn)
    return tuple(BinEnding(end.result, brings(end), end.rule) for end in ends)


def _watched(rules: BlackjackRules, cards: tuple[int, ...]) -> Resolution:
    """How the game decides Super Sevens on these cards of a box."""
    facts: list[Plain] = [CardSeen(cards[0]), CardSeen(0), CardSeen(cards[1])]
    facts += [Chosen("hit"), CardSeen(cards[2])] if len(cards) > 2 else []
    layout, wager = Layout((Box(1),)), Wager(SUPER_SEVENS, STAKE)
    for fact in facts:
        after = granted(BLACKJACK.apply(rules, layout, fact))
        judged = BLACKJACK.judge(rules, wager, layout, fact, after)
        if not isinstance(judged, Wager):
            return judged
        layout, wager = after, judged
    raise AssertionError("the wager is decided")


# ---------------------------------------------------------------- money


def grains_of(rules: BlackjackRules, block: Block, wagers: Mapping[str, int]) -> tuple[int, Ints]:
    """How many grains are a unit, and what each bin of a block brings in grains to the bettor of a session.

    Insurance follows the main wager, where the strategy takes it.
    """
    nets: list[Fraction] = [Fraction(0)] * block.size
    for at, ending in enumerate(main_endings(block)):
        nets[at] = ending.net * wagers.get(MAIN, 0) if ending else Fraction(0)
    for at, ending in enumerate(insurance_endings(rules)):
        nets[block.insurance + 2 + at] = ending.net * rules.insurance.part.value * wagers.get(MAIN, 0)
    for at, ending in enumerate(sevens_endings(rules) if block.sevens else ()):
        nets[block.super_sevens + at] = ending.net * wagers.get(SUPER_SEVENS, 0)
    grains = lcm(*(net.denominator for net in nets))
    return grains, np.array([int(net * grains) for net in nets], dtype=np.int64)


def stakes_of(rules: BlackjackRules, block: Block, wagers: Mapping[str, int]) -> Floats:
    """What each bin of a block was staked for in units: a split by the number of its stakes, a double twice."""
    main = float(wagers.get(MAIN, 0))
    stakes = np.zeros(block.size)
    stakes[: block.split] = main
    stakes[block.totals * block.terms.endings : block.naturals] = 2 * main
    for more in range(MOST_STAKES - 1):
        first = block.split + more * block.split_width
        stakes[first : first + block.split_width] = (2 + more) * main
    stakes[block.insurance + 2 : block.insurance + 4] = main * float(rules.insurance.part.value)
    stakes[block.super_sevens :] = wagers.get(SUPER_SEVENS, 0)
    return stakes


def main_nets(block: Block) -> Ints:
    """What each bin of a block brings to the main wager, in units of the terms."""
    nets = np.zeros(block.size, dtype=np.int64)
    for at, ending in enumerate(main_endings(block)):
        nets[at] = int(ending.net / block.terms.unit) if ending else 0
    return nets
