"""A strategy in few words: against each up rank, from which hand up it bets.

Value decides nearly everything, together with whether the hand holds the rank that is up, for then the dealer is less
likely to have a pair.  So a strategy of millions of decisions becomes 26 lines.  Where single suits decide there is a
stretch of values between never and always, with the number of decisions each way.
"""

from __future__ import annotations

import numpy as np

from croupier.equipment import RANKS
from croupier.exact.caribbean_stud.counting import Ints
from croupier.exact.caribbean_stud.patterns import Patterns
from croupier.exact.caribbean_stud.strategies import BettingTable
from croupier.once import dataclass


@dataclass(frozen=True, slots=True)
class Against:
    """What a strategy does against one up rank, with hands that hold the rank too or hands that do not.

    It never bets below `never_below` and always from `always_from` up (empty: no such hand).  From the first to below
    the second it bets `between_bet` of `between` pairs of a hand and an up card.
    """

    up: str
    held: bool
    never_below: str
    always_from: str
    between_bet: int
    between: int

    def __str__(self) -> str:
        whose = "held" if self.held else "not held"
        if not self.never_below:
            return f"{self.up} up, {whose}: never bet"
        if not self.between:
            return f"{self.up} up, {whose}: bet from {self.always_from}"
        always = f"always from {self.always_from}" if self.always_from else "never always"
        part = f"{self.between_bet} of {self.between} between"
        return f"{self.up} up, {whose}: bet never below {self.never_below}, {always}, {part}"


def described(table: BettingTable, known: Patterns) -> tuple[Against, ...]:
    """The lines of a strategy by up rank."""
    lines = []
    for number, up in enumerate(RANKS):
        free, bet, held = _decisions(table, number)
        for wanted in (False, True):
            every, chosen = free * (held == wanted), bet * (held == wanted)
            if every.any():
                lines.append(_line(table, known, up, every, chosen, held=wanted))
    return tuple(lines)


def _decisions(table: BettingTable, number: int) -> tuple[Ints, Ints, Ints]:
    """For each hand the decisions against a rank, how many of them are bets, and whether the hand holds the rank."""
    free = np.zeros(len(table.hands), np.int64)
    bet, held = free.copy(), free.copy()
    for up in table.ups[table.ups % len(RANKS) == number]:
        inside = (table.hands == up).any(axis=1)
        held |= inside
        free += ~inside * table.weights
        bet += ~inside * table.weights * (table.bets >> up & 1)
    return free, bet, held


def _line(table: BettingTable, known: Patterns, up: str, free: Ints, bet: Ints, *, held: bool) -> Against:
    every, chosen = np.zeros((2, len(known.values)), np.int64)
    np.add.at(every, table.values, free)
    np.add.at(chosen, table.values, bet)
    there = np.flatnonzero(every)
    folding = np.flatnonzero(chosen < every)
    first = next((int(value) for value in np.flatnonzero(chosen)), len(every))
    always = next((int(value) for value in there if not len(folding) or value > folding[-1]), len(every))
    between = slice(first, max(first, always))

    def name(value: int) -> str:
        return known.name(value) if value < len(every) else ""

    return Against(up, held, name(first), name(always), int(chosen[between].sum()), int(every[between].sum()))
