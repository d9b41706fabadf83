"""Two royal flushes: the only class of five cards in which no card is left to compare."""

from __future__ import annotations

from croupier.games.caribbean_stud.hands import value
from tests.games.caribbean_stud.test_hands import hand, ranking
from tests.helpers.observe import carries

ROYAL = [" ".join(f"{rank}{suit}" for rank in ("10", "J", "Q", "K", "A")) for suit in "cdhs"]


def test_13_1j_royal_flushes_are_equal_and_compare_no_card() -> None:
    order = ranking()
    highest = len(order.order.value) - 1
    assert [value(order, hand(cards)) for cards in ROYAL] == [(highest,)] * 4
    law = order.compares["royal flush"]
    assert law.value == ()
    carries(law, "NZ1996-VIII-13.1j")
