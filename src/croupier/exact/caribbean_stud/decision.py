"""One decision: what to bet and to fold are worth with six cards seen, by going through every hand of the dealer's."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from croupier.equipment import RANKS, Card, card_name, check_card
from croupier.exact.caribbean_stud.counting import EQUAL, FOLDED, HIGHER, LOWER, NO_HAND, against
from croupier.exact.caribbean_stud.endings import checked, endings
from croupier.exact.caribbean_stud.patterns import Patterns, cards_in, patterns, qualifying
from croupier.exact.caribbean_stud.policy import checked_deck
from croupier.games.caribbean_stud.hands import value
from croupier.games.caribbean_stud.rules import StudRules
from croupier.money import Cents
from croupier.once import dataclass

ENDS = (NO_HAND, HIGHER, EQUAL, LOWER)


@dataclass(frozen=True, slots=True)
class Outlook:
    """The dealer's hands by how the player's fares, and what each choice is worth, in antes."""

    no_hand: int
    higher: int
    equal: int
    lower: int
    bet: Fraction
    fold: Fraction


def outlook(
    rules: StudRules,
    hand: Sequence[Card],
    up: Card,
    *,
    deck: Sequence[int] | None = None,
    ante_cents: Cents | None = None,
) -> Outlook:
    """What the player can expect from five cards against an up card.  This is the slow path of the sweep."""
    counts = checked_deck(deck)
    seen = [check_card(card) for card in (*hand, up)]
    if len(hand) != 5 or len(set(seen)) != 6 or not all(counts[card] for card in seen):
        raise ValueError(f"not five cards and an up card of this deck: {' '.join(map(card_name, seen))}")
    known = patterns(rules.ranking)
    found = endings(rules, known, checked(rules, ante_cents))
    mine = known.values.index(value(known.ranking, hand))
    ends = _counted(known, tuple(hand), up, counts, qualifying(known, rules.qualifies.value), mine)
    kind = int(known.classes[mine])
    nets = {end: found[kind, end].net for end, count in ends.items() if count}
    bet = sum((ends[end] * net for end, net in nets.items()), Fraction(0)) / sum(ends.values())
    fold = found[kind, FOLDED].net
    return Outlook(ends[NO_HAND], ends[HIGHER], ends[EQUAL], ends[LOWER], bet, fold)


def _counted(
    known: Patterns,
    hand: tuple[Card, ...],
    up: Card,
    counts: Sequence[int],
    qualifies: npt.NDArray[np.bool_],
    mine: int,
) -> dict[int, int]:
    cards = cards_in(counts)
    listed = cards.tolist()
    places = np.array(sorted(map(listed.index, hand)), dtype=np.uint8)
    dealer_of = np.where(qualifies[known.value_of], known.value_of, np.int16(-1))
    ends = against(places, listed.index(up), cards % len(RANKS), cards // len(RANKS), dealer_of, mine)
    return {end: int(ends[end]) for end in ENDS}
