"""A table of any game under whatever requests Hypothesis can think of; the checks are those of the proof."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from croupier.prove import ProofScope
from croupier.prove.table_driver import Driver
from croupier.prove.tables import controls, prove
from croupier.rulesets import every_ruleset, known_game

RULESETS = every_ruleset()
CHANCE = st.randoms(use_true_random=False)


def silent(done: int, of: int, what: str) -> None:
    """Nobody watches the proof."""


class AnyTable(RuleBasedStateMachine):
    """Each rule is a kind of request; `Driver.ask` checks everything that must hold after it."""

    driver: Driver

    @initialize(chosen=st.sampled_from(RULESETS), chance=CHANCE)
    def opened(self, chosen, chance: Random) -> None:  # type: ignore[no-untyped-def]
        self.driver = Driver(known_game(chosen.game), chosen, chance)

    @rule(chance=CHANCE, times=st.integers(1, 40))
    def goes_on(self, chance: Random, times: int) -> None:
        self.driver.chance = chance
        for _ in range(times):
            self.driver.go_on()

    @rule(chance=CHANCE)
    def bets(self, chance: Random) -> None:
        self.driver.chance = chance
        self.driver.bet()

    @rule(chance=CHANCE)
    def asks_anything(self, chance: Random) -> None:
        self.driver.chance = chance
        self.driver.ask_anything()

    def teardown(self) -> None:
        if hasattr(self, "driver"):
            self.driver.check_journal()


AnyTable.TestCase.settings = settings(
    max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
TestAnyTable = AnyTable.TestCase


@pytest.mark.parametrize("each", RULESETS, ids=lambda each: f"{each.game}-{each.edition}-{each.version}")
def test_every_game_and_edition_under_random_use(each) -> None:  # type: ignore[no-untyped-def]
    driver = Driver(known_game(each.game), each, Random(7))
    while driver.requests < 400:
        driver.step()
    driver.check_journal()
    assert driver.table.number > 3, "rounds were played"


@pytest.mark.parametrize("game", ["baccarat", "craps"])
def test_journals_that_were_tampered_with_are_caught(game: str) -> None:
    chosen = next(each for each in RULESETS if each.game == game)
    assert controls(chosen) == dict.fromkeys(controls(chosen), True)


def test_the_proof_counts_what_it_did_and_refuses_what_it_cannot_do() -> None:
    verdict = prove(ProofScope(game="roulette", sample=300), silent)
    assert verdict.proved
    assert verdict.answer["requests"] >= 300
    assert verdict.answer["tables"] == 1
    with pytest.raises(ValueError, match="no rules of roulette in nzd5"):
        prove(ProofScope(game="roulette", edition="nzd5"), silent)
