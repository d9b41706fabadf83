"""Wheels, dice and craps: the kernels against play by the rules on the same draws; every wager within five sigma."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pytest

from croupier.exact.automaton import STAKE
from croupier.game import Refusal, Wager
from croupier.games.craps import CRAPS
from croupier.law.ruleset import Ruleset
from croupier.round import happen, open_round, place
from croupier.rulesets import known_game, ruleset
from croupier.simulation import craps, draws, kernels
from croupier.simulation.craps import STRATEGIES, Sight, keep_up
from croupier.simulation.plan import BinEnding, Chunk, SimulationSettings, run_chunk
from croupier.simulation.run import simulate
from croupier.simulation.settled import net_of
from croupier.simulation.streams import keys_of
from croupier.simulation.twins import throws as twin_throws

SINGLE = ("roulette", "tai_sai", "money_wheel")


@cache
def rules_of(game: str) -> Ruleset[Any]:
    return ruleset("nz1996", game=game)


# ---------------------------------------------------------------- single draws


@pytest.mark.parametrize("name", SINGLE)
def test_the_tickets_are_those_of_the_words(name: str) -> None:
    game = draws.simulated(rules_of(name), SimulationSettings())
    tickets = game.program.bins
    drawn = list(islice(twin_throws.tickets_drawn(tickets, 9, 5), 1000))
    for limit in (1, 2, 7, 8, 9, 1000):
        tally = run_chunk(game.program, Chunk(9, 5, 1, limit))
        assert tally.rounds == limit
        assert list(tally.counts) == [Counter(drawn[:limit])[ticket] for ticket in range(tickets)]


@pytest.mark.parametrize("name", SINGLE)
def test_whole_blocks_are_counted_like_single_draws(name: str) -> None:
    game = draws.simulated(rules_of(name), SimulationSettings())
    tally = run_chunk(game.program, Chunk(2, 7, 3))
    drawn = np.zeros(kernels.BLOCK, dtype=np.int64)
    counted = np.zeros(game.program.bins, dtype=np.int64)
    for block in (7, 8, 9):
        kernels.draws_of(game.program.bins, *keys_of(2), block, drawn)
        counted += np.bincount(drawn, minlength=game.program.bins)
    assert list(tally.counts) == list(counted)
    assert tally.rounds == 3 * kernels.BLOCK


@pytest.mark.parametrize("name", SINGLE)
def test_each_ticket_settles_wagers_as_a_round_does(name: str) -> None:
    rules, played = rules_of(name), known_game(name)
    game = draws.simulated(rules, SimulationSettings())
    tickets = draws.tickets_of(played, rules.rules)
    for row in game.rows[:: 1 + len(game.rows) // 25]:
        for ticket in range(0, len(tickets), 5):
            this = place(open_round(played, rules.rules), (Wager(row.wager, STAKE),))
            assert not isinstance(this, Refusal)
            after = happen(this, tickets[ticket])
            assert not isinstance(after, Refusal)
            (entry,) = after.book
            assert entry.resolution is not None
            expected = BinEnding(entry.resolution.result, net_of(entry.resolution), entry.resolution.rule)
            assert row.endings[ticket] == expected


@pytest.mark.parametrize("name", SINGLE)
def test_every_wager_of_a_single_draw_is_within_five_sigma(name: str) -> None:
    result = simulate(rules_of(name), rounds=20_000_000, seed=77)
    assert {line.wager for line in result.lines} == set(known_game(name).wagers(rules_of(name).rules))
    assert [(line.wager, line.z) for line in result.lines if line.z is None or abs(line.z) > 5] == []


def test_sessions_of_roulette_keep_the_bettors_money() -> None:
    settings = SimulationSettings(session=50, wagers={"red": 1, "straight:17": 2})
    result = simulate(rules_of("roulette"), rounds=1_000_000, seed=4, settings=settings)
    figures = result.sessions
    assert figures is not None
    assert figures.sessions == 20_000
    assert abs(figures.mean - 50 * 3 * (-1 / 37)) < 5 * figures.deviation / figures.sessions**0.5
    assert figures.ruin[0] == (0.0, 1.0)


# ---------------------------------------------------------------- craps


def all_out(sight: Sight) -> list[tuple[str, int]]:
    """A plan of a user's own: a second Come once the first has its number, and a Lay bet."""
    comes = [each for each in sight.standing if each.on == "come"]
    moved = all(each.seen for each in comes)
    wanted = [("pass", 2)] if sight.point is None and not sight.units("pass") else []
    if sight.point is not None and len(comes) < 2 and moved:
        wanted.append(("come", 1))
    return [*wanted, *((name, 1) for name in ("lay:10",) if not sight.units(name))]


@pytest.mark.parametrize("strategy", [*STRATEGIES, all_out], ids=lambda each: getattr(each, "__name__", str(each)))
def test_a_plan_is_played_as_the_rules_play_it(strategy: Any) -> None:
    rules = rules_of("craps")
    game = craps.simulated(rules, SimulationSettings(strategy=strategy))
    plan = strategy if callable(strategy) else keep_up(CRAPS, rules.rules, STRATEGIES[strategy])
    for rounds in (1, 10, 300, 301):
        tally = run_chunk(game.program, Chunk(31, 6, 1, rounds))
        assert tally.rounds == rounds
        ends = twin_throws.thrown(rules, {"bettor": plan}, seed=31, unit=6, rounds=rounds)
        assert twin_throws.kernel_ends(game, tally.counts) == ends


def test_each_wager_by_itself_is_played_as_the_rules_play_it() -> None:
    rules = rules_of("craps")
    plans = twin_throws.every_wager(rules.rules)
    same = twin_throws.compare_throws(rules, craps.simulated(rules, SimulationSettings()), plans, rounds=150, seed=3)
    assert len(plans) == len(CRAPS.wagers(rules.rules))
    assert same.decided > 2_000
    assert same.differences == ()


def test_wagers_by_themselves_are_those_of_bettors_who_sit_alone() -> None:
    """Bettors at one table do not meet: each has the same ends with the table to himself."""
    rules = rules_of("craps")
    every = twin_throws.every_wager(rules.rules)
    together = twin_throws.thrown(rules, every, seed=3, unit=2, rounds=60)
    for name in ("come_odds:6", "lay:4", "hardway:8", "horn"):
        alone = twin_throws.thrown(rules, {name: every[name]}, seed=3, unit=2, rounds=60)
        assert {key: n for key, n in together.items() if key[0] == name} == dict(alone)


def test_every_wager_of_craps_is_within_five_sigma() -> None:
    result = simulate(rules_of("craps"), rounds=3_000_000, seed=12)
    assert {line.wager for line in result.lines} == set(CRAPS.wagers(rules_of("craps").rules))
    assert [(line.wager, line.z) for line in result.lines if line.z is None or abs(line.z) > 5] == []


def test_sessions_of_a_plan_keep_the_bettors_money() -> None:
    settings = SimulationSettings(strategy="pass_with_odds", session=60)
    result = simulate(rules_of("craps"), rounds=1_200_000, seed=8, settings=settings, exact=False)
    figures = result.sessions
    assert figures is not None
    assert figures.sessions == 20_000
    total = sum(float(count.ending.net) * count.times for line in result.lines for count in line.counts)
    assert figures.mean * figures.sessions == pytest.approx(total)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (SimulationSettings(strategy="doubling"), "unknown strategy 'doubling'; known are pass,"),
        (SimulationSettings(strategy={"pass": 0}), "pass: the stake is a whole number of units"),
        (SimulationSettings(strategy={"passe": 1}), "unknown wager 'passe'; near to it are pass"),
        (SimulationSettings(strategy=7), "a strategy of craps is"),
        (SimulationSettings(strategy="pass", wagers={"pass": 1}), "a strategy or stakes, not both"),
        (SimulationSettings(boxes=2), "neither boxes nor"),
    ],
)
def test_what_craps_does_not_know_is_named(settings: SimulationSettings, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        craps.simulated(rules_of("craps"), settings)


def test_a_plan_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(craps.walk, "MOST_POSITIONS", 300)
    with pytest.raises(ValueError, match="more than 300 positions"):
        craps.simulated(rules_of("craps"), SimulationSettings(strategy=lambda _: [("come", 1), ("pass", 1)]))


@pytest.mark.parametrize("name", SINGLE)
def test_a_game_without_choices_knows_only_how_to_bet(name: str) -> None:
    with pytest.raises(ValueError, match="unknown strategy 'wild'"):
        draws.simulated(rules_of(name), SimulationSettings(strategy="wild"))
