"""Hands as the states of a small automaton, made from what the strategies of all boxes do.

A hand is a multiset of symbols (`exact.blackjack.lattice`), 3,083 of them.  Most strategies look at little of it: hands
that count alike, that every strategy plays alike, and that become alike with every further card, are one state.  They
are found from the last hand to the first, since a hand comes before all that it can become.  A chart leaves some
hundred states, which stay in the fastest cache; a play that looks at every card keeps as many as it needs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from croupier.exact.blackjack.lattice import Lattice, dealer_draws
from croupier.exact.blackjack.terms import Ints, RuleTables
from croupier.simulation.blackjack.kernel import ALONE, SYMBOLS, VARIANTS
from croupier.simulation.blackjack.strategies import StrategyTables
from croupier.simulation.plan import Table

BUST = 0
"""The first state."""


@dataclass(frozen=True, slots=True)
class HandTables:
    """The tables of the kernel, flat: see `kernel`.  `alone` and `split` find the row of a box's choice."""

    two: Table
    child: Table
    place: Table
    choice: Table
    alone: Table
    split: Table
    early: Table
    natural: int

    @property
    def states(self) -> int:
        return len(self.place)


def automaton(terms: RuleTables, hands: Lattice, plans: tuple[StrategyTables, ...]) -> HandTables:
    """One automaton for the strategies of all boxes."""
    rows, alone, split = _rows(plans)
    early = np.stack([_early(plan, up, len(hands.size)) for plan in plans for up in range(SYMBOLS)])
    state_of, shown = _merged(terms, hands, np.concatenate([rows, early]))
    low, high = terms.natural
    return HandTables(
        two=_two(terms, hands, state_of),
        child=_children(hands, state_of, shown),
        place=np.array([terms.bust, *hands.total[shown[1:]]], dtype=np.uint8),
        choice=_by_state(rows, shown).astype(np.uint8).ravel(),
        alone=(alone * len(shown)).astype(np.uint32).ravel(),
        split=split * len(shown),
        early=_by_state(early, shown).astype(np.uint8).ravel(),
        natural=int(state_of[hands.child[hands.single[low], high]]),
    )


def _rows(plans: tuple[StrategyTables, ...]) -> tuple[Ints, Ints, Ints]:
    """All rows of choices, each once, and where those of each box are."""
    kept: dict[bytes, int] = {}
    rows: list[Ints] = []
    alone = np.zeros((len(plans), SYMBOLS), dtype=np.int64)
    split = np.zeros((len(plans), SYMBOLS, SYMBOLS, len(VARIANTS)), dtype=np.int64)
    for box, plan in enumerate(plans):
        for (variant, symbol, up), row in plan.rows.items():
            number = kept.setdefault(row.tobytes(), len(rows))
            if number == len(rows):
                rows.append(row)
            if variant == ALONE:
                alone[box, up] = number
            else:
                split[box, up, symbol, variant] = number
    return np.stack(rows), alone, split


def _early(plan: StrategyTables, up: int, hands: int) -> Ints:
    return plan.early.get(up, np.zeros(hands, dtype=np.int64))


def _merged(terms: RuleTables, hands: Lattice, plays: Ints) -> tuple[Ints, list[int]]:
    """The state of each hand, and a hand that shows each state; the first state, shown by none, is every bust."""
    low, high = terms.natural
    natural = int(hands.child[hands.single[low], high])
    state_of = np.zeros(len(hands.size) + 1, dtype=np.int64)
    known: dict[bytes, int] = {}
    shown = [-1]
    columns = np.ascontiguousarray(plays.T)
    for hand in range(len(hands.size) - 1, -1, -1):
        after = state_of[hands.child[hand]]
        mark = (int(hands.total[hand]), int(hand == natural), min(int(hands.size[hand]), 2))
        key = np.array(mark).tobytes() + columns[hand].tobytes() + after.tobytes()
        number = known.setdefault(key, len(shown))
        if number == len(shown):
            shown.append(hand)
        state_of[hand] = number
    return state_of, shown


def _two(terms: RuleTables, hands: Lattice, state_of: Ints) -> Table:
    """The state of any two cards."""
    two = np.zeros((SYMBOLS, SYMBOLS), dtype=np.uint16)
    kinds = len(terms.values)
    two[:kinds, :kinds] = state_of[hands.child[hands.single]]
    return two.ravel()


def _children(hands: Lattice, state_of: Ints, shown: list[int]) -> Table:
    child = np.zeros((len(shown), SYMBOLS), dtype=np.uint16)
    child[1:, : hands.child.shape[1]] = state_of[hands.child[shown[1:]]]
    return child.ravel()


def _by_state(rows: Ints, shown: list[int]) -> Ints:
    """What rows over hands say of states; a bust stands."""
    found = rows[:, shown]
    found[:, BUST] = 0
    return found


def dealer_table(terms: RuleTables, hands: Lattice) -> Table:
    """The dealer's hands: states below the number of endings are those, the others draw.

    The first row is no hand: it finds the state of a first card.  Endings draw nothing, so that it is free.
    """
    ends, kinds = terms.endings, len(terms.values)
    state_of = np.zeros(len(hands.size) + 1, dtype=np.int64)
    rows: dict[tuple[int, ...], int] = {}
    drawn = dealer_draws(hands, terms.stands, terms.soft_hits)
    for hand in range(len(hands.size) - 1, 0, -1):
        after = state_of[hands.child[hand]]
        if hands.size[hand] == 1 and terms.completes[int(hands.cards[hand].argmax())] >= 0:
            after[terms.completes[int(hands.cards[hand].argmax())]] = ends - 1
        stands = not drawn[hand]
        draws = ends + len(rows) if stands else rows.setdefault(tuple(after.tolist()), ends + len(rows))
        state_of[hand] = hands.total[hand] - terms.stands + 1 if stands else draws
    table = np.zeros((ends + len(rows), SYMBOLS), dtype=np.int64)
    table[0, :kinds] = state_of[hands.single]
    for row, number in rows.items():
        table[number, :kinds] = row
    return table.astype(np.uint8).ravel()
