"""Betting by history at craps and Caribbean stud: throw for throw, and round for round, as plain Python does it."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from typing import Any

import pytest

import croupier
from croupier.errors import BadInput
from croupier.law.ruleset import Ruleset
from croupier.simulation import craps, stud
from croupier.simulation.betting import BUILT_IN, BettingStrategy, Knowledge, played, strategy_of
from croupier.simulation.plan import Chunk, SimulationSettings, run_chunk
from tests.simulation.slowly import bet_slowly, rounds_of

CRAPS = croupier.ruleset("nz1996", game="craps")
STUD = croupier.ruleset("nz1996", game="caribbean_stud")
SEED = 5


def with_odds(seen: Knowledge) -> dict[str, int]:
    """Pass with twice the odds behind it, a unit more after each loss; the Field once a seven was thrown twice."""
    if seen.outcomes == ("7", "7"):
        return {"field": 3}
    last = dict(seen.staked).get("pass", 1)
    units = min(last + 1, 5) if seen.result == "lost" else 1
    return {"pass": units, "pass_odds": 2 * units}


def while_a_point_is_on(seen: Knowledge) -> tuple[dict[str, int], int]:
    """Place bets while a point is on, every second time; the note counts the times it was asked in vain."""
    skipped = seen.note if isinstance(seen.note, int) else 0
    if seen.point is None or skipped % 2:
        return {}, (skipped + 1) % 4
    return {"place:6": 1, "place:8": 2}, (skipped + 1) % 4


OWN = (
    BettingStrategy("with odds", with_odds, remember=2),
    BettingStrategy("while a point is on", while_a_point_is_on),
    strategy_of("dalembert:on=dont_pass,maximum=6", ""),
    strategy_of("martingale:on=come,maximum=16", ""),
    strategy_of("fibonacci:on=hardway:8,maximum=20", ""),
)


@pytest.mark.parametrize("strategy", OWN, ids=lambda each: each.name)
def test_the_dice_are_bet_on_as_plain_python_does_throw_for_throw(strategy: BettingStrategy) -> None:
    game = craps.simulated(CRAPS, SimulationSettings(strategy=strategy, quick=True))
    assert game.bettor is not None
    for rounds in (1, 2, 3, 10, 57, 300):
        slow = list(bet_slowly(CRAPS, strategy, seed=SEED, unit=2, rounds=rounds))
        betting = game.bettor.results(run_chunk(game.program, Chunk(SEED, 2, 1, limit=rounds)).counts, {})
        assert betting.coups == rounds
        assert betting.staked == sum(sum(placed.values()) for placed, _ in slow)
        assert betting.net == pytest.approx(float(sum(net for _, net in slow)))
        assert rounds < 300 or betting.bets > 5


def test_a_stop_at_craps_ends_the_bets_and_what_stands_is_thrown_out() -> None:
    strategy = strategy_of("martingale:on=pass,maximum=64,stop_loss=20,win_goal=4", "")
    game = craps.simulated(CRAPS, SimulationSettings(strategy=strategy, session=60, quick=True))
    assert game.bettor is not None
    left_early = 0
    for unit in range(12):
        slow = list(bet_slowly(CRAPS, strategy, seed=SEED, unit=unit, rounds=60))
        betting = game.bettor.results(run_chunk(game.program, Chunk(SEED, unit, 1)).counts, {})
        assert betting.net == pytest.approx(float(sum(net for _, net in slow)))
        assert betting.staked == sum(sum(placed.values()) for placed, _ in slow)
        left_early += betting.coups < 60
    assert left_early > 6


@pytest.mark.parametrize("name", ["martingale:maximum=8", "paroli", "fibonacci", "flat:base=3"])
def test_antes_are_staked_as_plain_python_does_round_for_round(name: str) -> None:
    strategy = strategy_of(name, "ante")
    game = stud.simulated(STUD, SimulationSettings(strategy=name, quick=True))
    table = stud.StudTable(
        STUD.rules, stud.plays_of(STUD.rules, SimulationSettings()), SimulationSettings(), None, None
    )
    assert game.bettor is not None
    staked, net = 0, Fraction(0)
    rounds = islice(rounds_of(table, seed=SEED, unit=4), 40)
    for number, (stakes, won) in enumerate(played(strategy, ("ante",), [rounds]), start=1):
        staked, net = staked + sum(stakes.values()), net + won
        betting = game.bettor.results(run_chunk(game.program, Chunk(SEED, 4, 1, limit=number)).counts, {})
        assert (betting.coups, betting.staked) == (number, staked)
        assert betting.net == pytest.approx(float(net))


def test_a_stop_at_stud_ends_the_session() -> None:
    name = "martingale:maximum=8,stop_loss=20,win_goal=10"
    game = stud.simulated(STUD, SimulationSettings(strategy=name, session=50, quick=True))
    table = stud.StudTable(
        STUD.rules, stud.plays_of(STUD.rules, SimulationSettings()), SimulationSettings(), None, None
    )
    assert game.bettor is not None
    for unit in range(3):
        rounds = islice(rounds_of(table, seed=SEED, unit=unit), 50)
        slow = list(played(strategy_of(name, "ante"), ("ante",), [rounds]))
        betting = game.bettor.results(run_chunk(game.program, Chunk(SEED, unit, 1)).counts, {})
        assert betting.staked == sum(stakes.get("ante", 0) for stakes, _ in slow)
        assert betting.net == pytest.approx(float(sum(net for _, net in slow)))


@pytest.mark.parametrize(
    ("rules", "name", "edge"),
    [
        (CRAPS, "martingale:maximum=32", 7 / 495),
        (CRAPS, "paroli:on=dont_pass", 3 / 220),
        (STUD, "fibonacci:maximum=8", 0.052),
    ],
)
def test_no_strategy_changes_the_edge_and_its_spread_and_ruin_are_shown(
    rules: Ruleset[Any], name: str, edge: float
) -> None:
    """The edge of what is staked is that of the wager; a flat bettor of the same game has less spread and ruin."""
    wager = "on=dont_pass" if "dont" in name else ""
    both = [
        croupier.simulate(rules, rounds=400_000, seed=9, strategy=each, session=100, workers=1)
        for each in (name, f"flat:{wager}")
    ]
    (bold, bold_money), (flat, flat_money) = [(each.betting, each.sessions) for each in both]
    assert bold is not None
    assert flat is not None
    assert bold.expected == pytest.approx(edge, abs=5e-4)
    assert bold.expected == pytest.approx(flat.expected)
    assert abs(bold.z or 9) < 4
    assert bold_money is not None
    assert flat_money is not None
    assert bold.deviation > flat.deviation
    assert bold_money.deviation > flat_money.deviation
    assert bold_money.mean * bold_money.sessions == pytest.approx(bold.net)
    ruined = [next(share for units, share in money.ruin if units >= 10) for money in (bold_money, flat_money)]
    assert ruined[0] > ruined[1]
    # The histogram is wide enough for the progression: next to nothing lies in its last bin.
    assert bold_money.ruin[-1][1] < 0.01


def test_what_cannot_be_staked_is_named() -> None:
    with pytest.raises(BadInput, match=r"unknown wager of a strategy 'pas'.*pass"):
        croupier.simulate(CRAPS, rounds=1000, strategy="flat:on=pas")
    with pytest.raises(BadInput, match="unknown wager of a strategy 'jackpot'"):
        croupier.simulate(STUD, rounds=1000, strategy="flat:on=jackpot")
    with pytest.raises(ValueError, match="give neither boxes nor stakes"):
        stud.simulated(STUD, SimulationSettings(strategy="flat", boxes=2))
    with pytest.raises(ValueError, match="give --session"):
        craps.simulated(CRAPS, SimulationSettings(strategy="flat:win_goal=3"))
    with pytest.raises(ValueError, match=f"known are pass, .*{list(BUILT_IN)[-1]}"):
        craps.simulated(CRAPS, SimulationSettings(strategy="doubling"))
