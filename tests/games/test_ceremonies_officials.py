"""Who may order or announce what, where trouble comes at a wheel or a dice tumbler.

The table is the gazette's: for each circumstance the officials it names and the rule.  Each of them may say so, the
first of them is meant where nobody is named, and nobody else may.
"""

from __future__ import annotations

import pytest

from croupier.game import AnyGame, Irregular, Refusal, Ruling
from croupier.games.money_wheel import MONEY_WHEEL
from croupier.games.roulette import ROULETTE
from croupier.games.single_draw.play import Draw
from tests.helpers.observe import carries
from tests.helpers.single_draw import rules_of

EVERYBODY = ("dealer", "game supervisor", "casino supervisor", "shift manager", "casino manager", "seat 1")
DEALER_OR_SUPERVISOR = ("dealer", "game supervisor")
DEALER_OR_SENIOR = ("dealer", "game supervisor", "casino supervisor", "shift manager", "casino manager")

OFFICIALS: list[tuple[AnyGame, str, tuple[str, ...], str]] = [
    (ROULETTE, "same_direction", DEALER_OR_SENIOR, "III-6.1"),
    (ROULETTE, "foreign_object", DEALER_OR_SENIOR, "III-6.2"),
    (ROULETTE, "hung_ball", DEALER_OR_SENIOR, "III-6.3"),
    (ROULETTE, "ball_out", DEALER_OR_SENIOR, "III-6.4"),
    (ROULETTE, "interference", DEALER_OR_SENIOR, "III-6.5"),
    (ROULETTE, "short_spin_expected", DEALER_OR_SENIOR, "III-6.6"),
    (ROULETTE, "short_spin", DEALER_OR_SENIOR, "III-3.2"),
    (ROULETTE, "display_wrong", DEALER_OR_SENIOR, "III-6.9"),
    (MONEY_WHEEL, "interference", DEALER_OR_SUPERVISOR, "VII-6.1"),
    (MONEY_WHEEL, "unbalanced", DEALER_OR_SUPERVISOR, "VII-6.1"),
    (MONEY_WHEEL, "mechanical_fault", DEALER_OR_SUPERVISOR, "VII-6.1"),
    (MONEY_WHEEL, "on_peg", DEALER_OR_SUPERVISOR, "VII-6.2"),
    (MONEY_WHEEL, "short_spin", DEALER_OR_SUPERVISOR, "VII-6.3"),
]


@pytest.mark.parametrize(
    ("game", "circumstance", "officials", "rule"),
    [pytest.param(*line, id=f"{line[0].name} {line[1]}") for line in OFFICIALS],
)
def test_officials(game: AnyGame, circumstance: str, officials: tuple[str, ...], rule: str) -> None:
    for by in (*officials, ""):
        found = game.rule_on(rules_of(game), Draw(), Irregular(circumstance, by=by, call="No spin"))
        assert isinstance(found, Ruling)
        assert found.by == (by or officials[0])
        carries(found, f"NZ1996-{rule}")
    for by in set(EVERYBODY) - set(officials):
        answer = game.rule_on(rules_of(game), Draw(), Irregular(circumstance, by=by, call="No spin"))
        assert isinstance(answer, Refusal), by
        carries(answer, f"NZ1996-{rule}")
