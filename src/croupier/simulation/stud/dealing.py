"""In which order the cards of the pack go to the hands: the game itself is asked."""

from __future__ import annotations

import numpy as np

from croupier.equipment import CARDS
from croupier.game import CardSeen, Deal, granted
from croupier.games.caribbean_stud.play import StudBox, StudLayout, apply, demand, face_up
from croupier.games.caribbean_stud.rules import StudRules
from croupier.simulation.plan import Ints


def slots_of(rules: StudRules, boxes: int) -> tuple[Ints, int]:
    """The places in the pack of each box's cards, then the dealer's; and the place of the card that is up."""
    layout = StudLayout(tuple(StudBox(number) for number in range(1, boxes + 1)))
    card = 0
    while isinstance(demand(rules, layout), Deal):
        after = granted(apply(rules, layout, CardSeen(card)))
        layout, card = after, card + 1
    assert card <= CARDS
    shown = face_up(rules, layout)
    assert shown is not None
    hands = [box.cards for box in layout.boxes] + [layout.dealer]
    return np.array(hands, dtype=np.int64), layout.dealer[shown.value]
