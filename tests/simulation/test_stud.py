"""The simulation of Caribbean stud: kernel = play for the same cards, estimates = exact odds, chunks add up."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from croupier.equipment import Card
from croupier.exact.caribbean_stud import STRATEGIES, StudPlay, play
from croupier.exact.caribbean_stud.counting import PATTERNS
from croupier.exact.caribbean_stud.loops.listing import pattern_of
from croupier.games.caribbean_stud.jackpot import payouts
from croupier.law.ruleset import Ruleset
from croupier.rulesets import ruleset
from croupier.simulation import sessions
from croupier.simulation.plan import Chunk, Ints, PlanRow, Simulated, SimulationSettings, run_chunk
from croupier.simulation.stud import StudTable, simulated
from croupier.simulation.stud.kernel import suits_of
from croupier.simulation.stud.lookup import PLACES, bets_of, place_of
from croupier.simulation.stud.twin import Bets, bets_by, counted, disagreements, played, random_pack, words_of

THUMB = "three rules of thumb"
POOL_CENTS, STAKE_CENTS = 50_000_00, 2_50


@lru_cache(maxsize=4)
def rules_of(device: str = "shoe") -> Ruleset[Any]:
    return ruleset("nz1996", game="caribbean_stud", elections={"device": device})


@lru_cache(maxsize=4)
def play_of(name: str = "") -> StudPlay:
    return play(rules_of().rules, STRATEGIES.get(name))


def game(settings: SimulationSettings) -> Simulated:
    return simulated(rules_of(), replace(settings, pool_cents=POOL_CENTS, stake_cents=STAKE_CENTS))


@lru_cache(maxsize=1)
def optimum_bets() -> Bets:
    return bets_by(play_of())


def optimum(hand: tuple[Card, ...], up: Card) -> bool:
    """What the exact engine's table says."""
    return optimum_bets()(hand, up)


def test_the_quick_look_into_a_table_is_the_slow_one() -> None:
    for number in range(40):
        pack = random_pack(3, number)
        hand = tuple(sorted(pack[:5]))
        assert optimum(hand, pack[5]) == play_of().table.bets_on(hand, pack[5])


# ---------------------------------------------------------------- kernel = play


@pytest.mark.parametrize(("device", "boxes", "packs"), [("shoe", 1, 600), ("shuffler", 3, 400), ("shoe", 7, 200)])
def test_kernel_is_play(device: str, boxes: int, packs: int) -> None:
    """NZ1996-VIII-7.3 and 7.4: each device deals in its own order; the jackpot is shared as VIII-12.2 says."""
    ways: list[tuple[StudPlay, Bets]] = [(play_of(), optimum), (play_of(THUMB), STRATEGIES[THUMB].choose)]  # type: ignore[list-item]
    mine = [ways[box % 2] for box in range(boxes)]
    plays = tuple(each for each, _ in mine)
    table = StudTable(rules_of(device).rules, plays, SimulationSettings(boxes=boxes), POOL_CENTS, STAKE_CENTS)
    assert disagreements(table, [bets for _, bets in mine], packs=packs) == []


def test_viii_12_2_several_hands_share_the_jackpot() -> None:
    """A full house and a flush in one round: both get their fixed sums, in the kernel as in play."""
    table = StudTable(rules_of().rules, (play_of(),) * 2, SimulationSettings(boxes=2), POOL_CENTS, STAKE_CENTS)
    held = {0: (0, 13, 26, 1, 14), 1: (2, 4, 6, 8, 10), 2: (3, 17, 32, 45, 50)}
    front = [held[hand][turn] for turn in range(5) for hand in range(3)]
    pack = (*front, *(card for card in range(52) if card not in front))
    tale = counted(table, pack, words_of(table))
    assert tale == played(table, pack, [optimum, optimum])
    paid = payouts(rules_of().rules.progressive, POOL_CENTS, ["flush", "full house"])
    nets = sorted(end.net for (_, end), n in tale.items() for _ in range(n) if end.wager == "jackpot")
    assert nets == sorted(each.cents / STAKE_CENTS - 1 for each in paid)


def test_the_lookup_says_what_the_table_says() -> None:
    """Also where suits decide: those hands are sought."""
    bets, checked, by_suits = bets_of(play_of().table), 0, 0
    for number in range(4_000):
        pack = random_pack(7, 4 * number)
        if number % 2:
            ace, king = (next(card for card in pack if card % 13 == rank) for rank in (0, 12))
            pack = (ace, king, *(card for card in pack if card % 13 not in (0, 12)))
        hand, up = tuple(sorted(pack[:5])), pack[5]
        places = np.array(sorted(map(place_of, hand)), dtype=np.int64)
        pattern = pattern_of(places.astype(np.uint8), PLACES // 4, PLACES % 4)
        chosen = bets.sets[pattern]
        if bets.where[pattern] >= 0:
            by_suits += 1
            chosen = bets.detail[bets.where[pattern] + suits_of(places)]
        checked += 1
        assert bool(int(chosen) >> place_of(up) & 1) == optimum(hand, up), (hand, up)
    assert checked == 4_000
    assert by_suits > 100


def test_only_some_patterns_are_kept_by_suits() -> None:
    where = bets_of(play_of().table).where
    assert 0 < (where[:PATTERNS] >= 0).sum() < 165
    assert (where[PATTERNS:] == -1).all()
    assert (bets_of(play_of(THUMB).table).where == -1).all()


# ---------------------------------------------------------------- estimates


def estimate(row: PlanRow, counts: Ints) -> tuple[float, float, int]:
    """Mean, its standard error, and the number of wagers."""
    pairs = [(float(each.net), int(counts[row.first + at])) for at, each in enumerate(row.endings) if each]
    total = sum(n for _, n in pairs)
    mean = sum(net * n for net, n in pairs) / total
    square = sum(net * net * n for net, n in pairs) / total
    return mean, ((square - mean * mean) / total) ** 0.5, total


@pytest.mark.parametrize("name", ["", THUMB])
def test_all_wagers_are_within_five_sigma_of_the_exact_odds(name: str) -> None:
    """Ante, jackpot, and every class of hands with every ending."""
    here, rounds = game(SimulationSettings(strategy=play_of(name))), 4_000_000
    counts, exact = run_chunk(here.program, Chunk(11, 0, rounds)).counts, here.exact()
    assert {row.wager for row in here.rows} == {"ante", "jackpot"}
    for row in here.rows:
        mean, _, total = estimate(row, counts)
        known = exact[row.wager, row.policy]
        assert total == rounds
        assert abs(mean - float(known.mean)) < 5 * (float(known.variance) / rounds) ** 0.5, row.wager
    expected = play_of(name).tally.ravel() / play_of(name).deals * rounds
    seen = counts[: len(expected)]
    assert (np.abs(seen - expected) < 5 * np.sqrt(np.maximum(expected, 5))).all()
    assert (seen[expected == 0] == 0).all()


def test_boxes_of_a_round_are_counted_together() -> None:
    here = game(SimulationSettings(strategy=play_of(THUMB), boxes=4))
    tally = run_chunk(here.program, Chunk(2, 0, 20_000))
    single, together = here.rows[0], here.rows[-1]
    assert estimate(single, tally.counts)[2] == 4 * estimate(together, tally.counts)[2] == 4 * tally.rounds
    assert estimate(single, tally.counts)[0] == pytest.approx(estimate(together, tally.counts)[0])


# ---------------------------------------------------------------- chunks and sessions


@pytest.mark.parametrize("session", [0, 30])
def test_the_same_seed_gives_the_same_counts_whatever_the_chunks(session: int) -> None:
    program = game(SimulationSettings(strategy=play_of(), boxes=2, session=session)).program
    whole = run_chunk(program, Chunk(9, 0, 600))
    parts = [run_chunk(program, Chunk(9, first, count)) for first, count in ((0, 1), (1, 200), (201, 399))]
    assert sum(part.rounds for part in parts) == whole.rounds == 600 * max(1, session)
    assert np.sum([part.counts for part in parts], axis=0).tolist() == whole.counts.tolist()


@pytest.mark.parametrize(("limit", "complete"), [(59, 1), (60, 2), (61, 2)])
def test_a_limit_gives_the_first_rounds(limit: int, complete: int) -> None:
    here = game(SimulationSettings(strategy=play_of(), session=30))
    tally = run_chunk(here.program, Chunk(9, 0, 600, limit))
    assert here.sessions is not None
    assert (tally.rounds, int(tally.counts[here.sessions.first])) == (limit, complete)


def test_sessions_add_up_to_the_bins() -> None:
    stakes = {"ante": 3, "jackpot": 1}
    here = game(SimulationSettings(strategy=play_of(), session=50, wagers=stakes))
    counts = run_chunk(here.program, Chunk(4, 0, 400)).counts
    assert here.sessions is not None
    figures = counts[here.sessions.first : here.sessions.first + sessions.SIZE]
    net = Fraction(0)
    for row in here.rows:
        for at, ending in enumerate(row.endings):
            net += int(counts[row.first + at]) * stakes[row.wager] * ending.net if ending else 0
    assert figures[:2].tolist() == [400, net * here.sessions.grains]


def test_strategies_of_one_name_are_counted_apart() -> None:
    charts = [{"one pair": "any"}, {"two pairs": "any"}]
    here = game(SimulationSettings(strategy=[charts[0], charts[1], charts[0]], boxes=3))
    tally = run_chunk(here.program, Chunk(4, 0, 1_000))
    antes = {row.policy: estimate(row, tally.counts)[2] for row in here.rows if row.wager == "ante"}
    assert antes == {"chart 1": 2_000, "chart 2": 1_000, "all boxes of a round": 1_000}
    assert {policy for _, policy in here.exact()} == {"chart 1", "chart 2"}


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (
            SimulationSettings(strategy="bluff"),
            "no strategy 'bluff' for Caribbean stud; known are optimum, three rules",
        ),
        (SimulationSettings(boxes=0), r"1 to 7 boxes, not 0 \(NZ1996-VIII-2.1"),
        (SimulationSettings(boxes=8), "1 to 7 boxes, not 8"),
        (SimulationSettings(strategy=["", ""], boxes=3), "2 strategies for 3 boxes"),
        (SimulationSettings(strategy={"A X": "any"}), "chart line 'A X'"),
    ],
)
def test_bad_input_is_told_in_one_line(settings: SimulationSettings, says: str) -> None:
    with pytest.raises(ValueError, match=says) as error:
        simulated(rules_of(), settings)
    assert "\n" not in str(error.value)


def test_a_session_names_its_wagers() -> None:
    with pytest.raises(ValueError, match="no wager 'jackpot' in this session; known are ante"):
        simulated(rules_of(), SimulationSettings(strategy=play_of(), session=5, wagers={"jackpot": 1}))


def test_without_a_pool_the_jackpot_has_no_row_but_its_prizes_are_counted() -> None:
    here = simulated(rules_of(), SimulationSettings(strategy=play_of()))
    counts = run_chunk(here.program, Chunk(1, 0, 100_000)).counts
    assert [row.wager for row in here.rows] == ["ante"]
    assert counts[list(here.outcomes["jackpot: flush"])].sum() > 100
