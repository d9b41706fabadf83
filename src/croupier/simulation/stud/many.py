"""Many rounds of Caribbean stud side by side, for whoever decides outside the kernel.

Theory of operation.  `dealt` mixes a pack for each round from the words of a unit of its own and lays the cards out as
the table deals them; `settled` values both hands by the kernel's tables and pays what was chosen.  So a step of any
number of rounds is two compiled calls.  The slow path is `round.happen` on the same cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.equipment import CARDS
from croupier.exact.caribbean_stud.counting import EQUAL, FOLDED, HIGHER, LOWER, NO_HAND
from croupier.exact.caribbean_stud.endings import checked, endings
from croupier.exact.caribbean_stud.patterns import patterns
from croupier.games.caribbean_stud.rules import StudRules
from croupier.kept.compiling import compiled
from croupier.simulation.plan import Ints, Table
from croupier.simulation.streams import first_word, keys_of, mix_up_to
from croupier.simulation.stud.dealing import slots_of
from croupier.simulation.stud.kernel import ENDS, pattern_of
from croupier.simulation.stud.lookup import CARD_AT, rank_tables
from croupier.simulation.stud.tables import least_value

HAND = 5
DEALT = 2 * HAND


@dataclass(frozen=True, slots=True)
class ManyRounds:
    """One box under a rule set: the tables that deal and settle it."""

    slots: Ints
    up: int
    ranks: tuple[Table, Table, Table]
    value_of: Table
    class_of: Ints
    least: int
    nets: NDArray[np.float64]

    def dealt(self, seed: int, units: Ints) -> Ints:
        """For each unit the places of the box's five cards, of the dealer's five, and of the card that is up."""
        k0, k1 = keys_of(seed)
        found = np.empty((len(units), DEALT + 1), dtype=np.int64)
        _dealt(np.arange(CARDS, dtype=np.uint8), self.slots, self.up, k0, k1, units, found)
        return found

    def settled(self, dealt: Ints, bets: NDArray[np.bool_]) -> NDArray[np.float64]:
        """What each round brings for an ante of one unit."""
        won = np.empty(len(dealt))
        _settled(dealt, bets, *self.ranks, self.value_of, self.class_of, self.least, self.nets, won)
        return won


def many_rounds(rules: StudRules) -> ManyRounds:
    """The tables of a box; every net is the game's own judgement."""
    slots, up = slots_of(rules, 1)
    known = patterns(rules.ranking)
    nets = np.zeros(len(rules.ranking.order.value) * ENDS)
    for (kind, end), ending in endings(rules, known, checked(rules, None)).items():
        nets[kind * ENDS + end] = float(ending.net)
    classes = np.asarray(known.classes, dtype=np.int64)
    return ManyRounds(slots, up, rank_tables(), known.value_of, classes, least_value(rules, known), nets)


def cards_of(places: Ints) -> Ints:
    """Places in the kernel's pack as cards."""
    return np.asarray(CARD_AT[places])


@compiled
def _dealt(pack: Any, slots: Any, up: Any, k0: Any, k1: Any, units: Any, found: Any) -> None:
    cards = pack.copy()
    for n in range(len(units)):
        cards[:] = pack
        mix_up_to(cards, 0, DEALT, k0, k1, first_word(units[n]))
        for side in range(2):
            for place in range(HAND):
                found[n, side * HAND + place] = cards[slots[side, place]]
        found[n, DEALT] = cards[up]


@compiled
def _settled(
    dealt: Any,
    bets: Any,
    pair: Any,
    four: Any,
    five: Any,
    value_of: Any,
    class_of: Any,
    least: Any,
    nets: Any,
    won: Any,
) -> None:
    for n in range(len(dealt)):
        row = dealt[n]
        mine = np.int64(value_of[pattern_of(row[0], row[1], row[2], row[3], row[4], pair, four, five)])
        dealers = np.int64(value_of[pattern_of(row[5], row[6], row[7], row[8], row[9], pair, four, five)])
        end = FOLDED
        if bets[n]:
            if dealers < least:
                end = NO_HAND
            elif mine > dealers:
                end = HIGHER
            else:
                end = EQUAL if mine == dealers else LOWER
        won[n] = nets[class_of[mine] * ENDS + end]
