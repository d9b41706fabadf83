"""Shoes of baccarat: the kernel against play by the rules, card for card; the end of a shoe; five sigma."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from croupier.games.baccarat import BACCARAT
from croupier.law.ruleset import Ruleset
from croupier.rulesets import every_ruleset, ruleset
from croupier.simulation import kernels
from croupier.simulation.baccarat import shoe_of, simulated
from croupier.simulation.plan import NO_LIMIT, Chunk, Simulated, SimulationSettings, run_chunk
from croupier.simulation.results import QUANTILES, Result
from croupier.simulation.run import simulate
from croupier.simulation.twins import coups as twin

RULESETS = every_ruleset((BACCARAT,))
INDICES = range(len(RULESETS))
NAMES = [f"{each.edition}/{each.version}" for each in RULESETS]
VARIANTS = [
    ("nzd5", "mini", {"no_commission": True, "pay_scale": 2, "decks": 6}),
    ("nzeb", "terminals", {"perfect_pairs": False}),
    ("vic2002", "crown", {"runs": False, "decks": 4}),
    ("vic2002", "crown", {"insurance": False}),
]


@cache
def table(edition: str, version: str = "", **elections: Any) -> tuple[Ruleset[Any], Simulated]:
    """A rule set with its tables, which take some tenths of a second to make."""
    rules = ruleset(edition, version=version, elections=elections)
    return rules, simulated(rules, SimulationSettings(quick=True))


@pytest.mark.parametrize("index", INDICES, ids=NAMES)
def test_the_kernel_plays_as_the_rules_do(index: int) -> None:
    """Every wager of every coup, on shoes that the kernel mixed."""
    rules, game = table(RULESETS[index].edition, RULESETS[index].version)
    compared = twin.compare(rules, shoes=3, first=11, seed=97, runs_every=3, game=game)
    assert compared.coups > 200
    assert compared.differences == ()


@pytest.mark.parametrize(("edition", "version", "elections"), VARIANTS, ids=str)
def test_the_kernel_plays_elections_as_the_rules_do(edition: str, version: str, elections: dict[str, object]) -> None:
    rules, game = table(edition, version, **elections)
    compared = twin.compare(rules, shoes=3, seed=5, runs_every=3, game=game)
    assert compared.differences == ()


def test_a_kernel_with_a_wrong_table_is_found() -> None:
    """The control: one entry of the Table of Play changed."""
    rules, game = table("nz1998", "full")
    four = game.program.tables[1]
    wrong = np.array(four)
    met = np.flatnonzero(four != four[0])
    wrong[met] = np.where(four[met] == four[met[0]], four[0], four[met])
    finished = twin.Finished(rules.rules)
    play = twin.RulesAtWork(rules)
    tables = (game.program.tables[0], wrong, *game.program.tables[2:])
    for unit in range(3):
        counts = np.zeros(game.program.bins, dtype=np.int64)
        kernels.play_shoes(tables, Chunk(1, unit, 1), counts)
        dealt = twin.Dealt(rules, game, 1, unit, finished)
        if twin.kernel_ends(game, counts) != play.shoe(dealt, with_runs=True):
            return
    pytest.fail("a wrong table went unnoticed")


@pytest.mark.parametrize(
    ("edition", "elections", "settings"),
    [
        ("nz1998", {}, {}),
        ("nzd5", {}, {}),
        ("nzd5", {"shuffler": "continuous"}, {"session": 30}),
        ("vic2002", {}, {}),
        ("nz1998", {}, {"strategy": "martingale", "session": 130}),
    ],
    ids=str,
)
def test_units_played_side_by_side_are_those_played_alone(
    edition: str, elections: dict[str, object], settings: dict[str, Any]
) -> None:
    """More units than there are lanes, and a last group that is not full; with a limit, the first rounds of them."""
    rules = ruleset(edition, elections=elections)
    program = simulated(rules, SimulationSettings(quick=True, **settings)).program
    alone = [run_chunk(program, Chunk(5, unit, 1)) for unit in range(40, 77)]
    together = run_chunk(program, Chunk(5, 40, 37))
    assert together.rounds == sum(each.rounds for each in alone)
    assert together.counts.tolist() == np.sum([each.counts for each in alone], axis=0).tolist()
    first = sum(each.rounds for each in alone[:18])
    limited = run_chunk(program, Chunk(5, 40, 37, limit=first))
    assert limited.rounds == first
    assert limited.counts.tolist() == np.sum([each.counts for each in alone[:18]], axis=0).tolist()


@pytest.mark.parametrize("index", INDICES, ids=NAMES)
@pytest.mark.parametrize("unit", [3, 4])
def test_shoes_are_burned_and_ended_as_the_ceremony_does(index: int, unit: int) -> None:
    """The same cards through the whole procedure: burn, cutting card, last coup."""
    rules, game = table(RULESETS[index].edition, RULESETS[index].version)
    dealt = twin.Dealt(rules, game, 1, unit, twin.Finished(rules.rules))
    behind = len(dealt.cards) - dealt.layout.cut
    assert twin.ceremony(rules.rules, dealt.cards, behind) == dealt.coups


@pytest.mark.parametrize("edition", ["nz1998", "vic2002"])
def test_the_cutting_card_comes_first_in_a_coup_and_later_in_one(edition: str) -> None:
    """Both cases of the last coup are among the shoes that the twins compare."""
    version = {"nz1998": "full", "vic2002": "traditional"}[edition]
    rules, game = table(edition, version)
    finished = twin.Finished(rules.rules)
    first = 0
    for unit in range(40):
        dealt = twin.Dealt(rules, game, 1, unit, finished)
        used = dealt.layout.burned[dealt.cards[0] % 13]
        starts = []
        for coup in dealt.coups:
            starts.append(used)
            used += len(coup)
        came_first = dealt.layout.cut in starts
        first += came_first
        after = sum(start >= dealt.layout.cut for start in starts)
        assert after == (1 + dealt.layout.first if came_first else dealt.layout.after)
        assert run_chunk(game.program, Chunk(1, unit, 1)).rounds == len(dealt.coups)
    assert 0 < first < 40


# ---------------------------------------------------------------- agreement with the exact odds


def within(result: Result, sigmas: float = 5) -> int:
    """How many wagers were compared with their exact odds; each must be near."""
    compared = [line for line in result.lines if line.z is not None]
    assert [(line.wager, line.z) for line in compared if abs(line.z or 0) > sigmas] == []
    return len(compared)


@pytest.mark.parametrize(
    ("edition", "version", "elections", "wagers"),
    [
        ("nz1996", "mini", {}, 3),
        ("nz1998", "full", {}, 3),
        ("nzd5", "full", {"no_commission": True, "pay_scale": 2}, 4),
        ("nzd5", "mini", {"shuffler": "continuous", "style": "C"}, 4),
        ("nzeb", "hybrid", {}, 4),
        ("vic2002", "crown", {"decks": 4}, 4),
    ],
    ids=str,
)
def test_every_wager_is_within_five_sigma(
    edition: str, version: str, elections: dict[str, object], wagers: int
) -> None:
    rules = ruleset(edition, version=version, elections=elections)
    assert within(simulate(rules, rounds=2_000_000, seed=20260801)) >= wagers


def test_runs_are_within_five_sigma_of_their_exact_odds() -> None:
    result = simulate(ruleset("vic2002"), rounds=10_000_000, seed=11)
    assert within(result) == 21
    assert {line.exact.method for line in result.lines if line.exact} == {"exact", "bounded"}
    for line in result.lines:
        runs = int(line.wager[-1]) if "_run_" in line.wager else 1
        assert result.rounds / runs <= line.decided <= result.rounds + 200_000


# ---------------------------------------------------------------- counting


def test_the_counts_of_the_ends_are_the_rounds() -> None:
    result = simulate(ruleset("nzd5"), rounds=123_457, seed=3, exact=False)
    assert result.rounds == 123_457
    assert dict(result.outcomes).keys() == {"player", "banker", "tie"}
    assert sum(times for _, times in result.outcomes) == 123_457
    assert {line.decided for line in result.lines} == {123_457}


@pytest.mark.parametrize("limit", [1, 2, 79, 80, 81, 82, 500])
def test_a_limit_is_kept_and_is_the_beginning_of_more(limit: int) -> None:
    for elections in ({}, {"perfect_pairs": False}):
        program = table("nzd5", "mini", **elections)[1].program
        cut = run_chunk(program, Chunk(8, 0, 100, limit))
        more = run_chunk(program, Chunk(8, 0, 100, limit + 1))
        assert (cut.rounds, more.rounds) == (limit, limit + 1)
        ends = more.counts - cut.counts
        assert ends.min() == 0
        assert ends.sum() == (2 if not elections else 1)


def test_both_kernels_play_the_same_coups() -> None:
    """The fast one, and the one with sessions: a session of one shoe's length is dealt from the same shoe."""
    rules = ruleset("nz1998")
    fast = run_chunk(table("nz1998", "full")[1].program, Chunk(6, 0, 1, 70))
    slow = run_chunk(simulated(rules, SimulationSettings(session=70)).program, Chunk(6, 0, 1, NO_LIMIT))
    ends = len(fast.counts)
    assert slow.rounds == 70
    assert list(slow.counts[:ends]) == list(fast.counts)


@pytest.mark.parametrize(
    ("edition", "permitted", "refused"),
    [("nz1998", (20, 21, 399), (19, 400)), ("vic2002", (13, 17, 18, 399), (12, 14, 16, 400))],
)
def test_the_cutting_card_lies_where_the_edition_permits_it(
    edition: str, permitted: tuple[int, ...], refused: tuple[int, ...]
) -> None:
    rules = ruleset(edition).rules
    assert [shoe_of(rules, behind).cut for behind in permitted] == [416 - behind for behind in permitted]
    assert shoe_of(rules, None).cut == 396
    for behind in refused:
        with pytest.raises(ValueError, match=f"the cutting card {behind} from the back"):
            shoe_of(rules, behind)


def test_a_shoe_with_the_cutting_card_further_forward_has_fewer_coups() -> None:
    rules = ruleset("nz1998")
    rounds = [
        run_chunk(simulated(rules, SimulationSettings(behind=behind)).program, Chunk(1, 0, 50)).rounds
        for behind in (20, 200, 399)
    ]
    assert rounds == sorted(rounds, reverse=True)
    assert 2 * 50 < rounds[2] < 4 * 50


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (SimulationSettings(strategy="martingail"), "unknown strategy 'martingail'"),
        (SimulationSettings(boxes=2), "boxes: 2"),
        (SimulationSettings(session=10, wagers={"dealer": 1}), "'dealer' is not staked"),
        (SimulationSettings(session=10, wagers={"banker": 0}), "whole number of units"),
    ],
)
def test_what_baccarat_does_not_know_is_named(settings: SimulationSettings, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        simulated(ruleset("nz1998"), settings)


# ---------------------------------------------------------------- sessions


def test_sessions_have_the_mean_and_variance_of_their_coups() -> None:
    result = simulate(
        ruleset("nz1998"),
        rounds=4_000_000,
        seed=5,
        settings=SimulationSettings(session=100, wagers={"banker": 2, "tie": 1}),
    )
    figures = result.sessions
    assert figures is not None
    assert figures.sessions == 40_000
    exact = {line.wager: line.exact for line in result.lines}
    banker, tie = exact["banker"], exact["tie"]
    assert banker is not None
    assert tie is not None
    mean = float(2 * banker.mean + tie.mean)
    assert abs(figures.mean - 100 * mean) < 5 * figures.deviation / figures.sessions**0.5
    assert figures.ruin[0] == (0.0, 1.0)
    assert all(earlier[1] >= later[1] for earlier, later in zip(figures.ruin, figures.ruin[1:], strict=False))
    assert figures.mean_drawdown > abs(figures.mean)
    assert sum(times for _, times in figures.results) == figures.sessions
    assert tuple(share for share, _ in figures.hold) == QUANTILES
    held = [value for _, value in figures.hold]
    assert held == sorted(held)
    assert held[3] == pytest.approx(-mean / 3, abs=0.05)


def test_a_session_that_was_cut_short_is_not_counted() -> None:
    result = simulate(ruleset("nz1998"), rounds=1_099, seed=5, settings=SimulationSettings(session=100), exact=False)
    assert result.rounds == 1_099
    assert result.sessions is not None
    assert result.sessions.sessions == 10
