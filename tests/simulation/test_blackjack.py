"""The simulation of blackjack: kernel = play for the same cards, estimates = exact odds, chunks add up."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from croupier.equipment import full_shoe
from croupier.exact.blackjack import chart_tables
from croupier.exact.blackjack.paper.sheet import full_solved, main_rows
from croupier.exact.blackjack.terms import terms
from croupier.games.blackjack.shoe import cards_in_stack
from croupier.law.ruleset import Ruleset
from croupier.rulesets import ruleset
from croupier.simulation import sessions
from croupier.simulation.blackjack import Seen, StrategyTables, plan_of, plans_of, simulated, table_of, twin
from croupier.simulation.blackjack import kernel as k
from croupier.simulation.blackjack.outcomes import stakes_of
from croupier.simulation.blackjack.strategies import HANDS
from croupier.simulation.blackjack.tables import SimulatedTable, lattice_of
from croupier.simulation.blackjack.twin import StrategyPlayer, counted, disagreements, played, random_shoe
from croupier.simulation.plan import Chunk, Exact, Ints, PlanRow, SimulationSettings, run_chunk

STANDING = {"hard 4-11": "hit", "hard 12-21": "stand", "soft 12-21": "stand"}
MIMIC = {"hard 4-16": "hit", "hard 17-21": "stand", "soft 12-16": "hit", "soft 17-21": "stand"}
READINGS = ("first_hand", "busted_plus_one", "original_only")


@lru_cache(maxsize=8)
def rules_of(reading: str = "first_hand", decks: int = 8) -> Ruleset[Any]:
    return ruleset("nz1996", game="blackjack", elections={"decks": decks}, readings={"dealer_blackjack": reading})


def table(strategy: object, *, boxes: int = 1, rules: Ruleset[Any] | None = None, behind: int = 78) -> SimulatedTable:
    law = (rules or rules_of()).rules
    settings = SimulationSettings(strategy=strategy, boxes=boxes)
    return table_of(law, plans_of(law, settings), behind=behind, settings=settings)


@lru_cache(maxsize=8)
def random_plan(seed: int) -> StrategyTables:
    held = terms(rules_of().rules)
    return twin.random_plan(held, lattice_of(held), seed)


# ---------------------------------------------------------------- kernel = play


@pytest.mark.parametrize("reading", READINGS)
def test_kernel_is_play_with_random_choices(reading: str) -> None:
    """NZ1996-II-11.7 in each reading; splits to three hands, doubles after them, aces, insurance, Super Sevens."""
    rules = rules_of(reading)
    for seed in range(3):
        made = table(random_plan(seed), rules=rules)
        assert disagreements(rules.rules, made, lattice_of(terms(rules.rules)), shoes=250, seed=seed, rounds=1) == []


def test_kernel_is_play_with_the_engine_s_strategies_on_three_boxes() -> None:
    made = table(["basic", "main", "basic insured"], boxes=3)
    assert disagreements(rules_of().rules, made, lattice_of(terms(rules_of().rules)), shoes=200, rounds=2) == []


def test_kernel_is_play_on_seven_boxes_after_a_burned_card() -> None:
    rules = ruleset("nz1996", game="blackjack", elections={"burn_card": True, "super_sevens": False})
    plans = [random_plan(seed) for seed in range(7)]
    made = table(plans, boxes=7, rules=rules)
    assert disagreements(rules.rules, made, lattice_of(terms(rules.rules)), shoes=25, rounds=1) == []


def test_every_way_to_play_a_split_hand_comes_up() -> None:
    """The twin proves something only of what happens in it."""
    rules, seen = rules_of(), Counter[int]()

    class Watched(dict[tuple[int, int, int], Ints]):
        def __getitem__(self, key: tuple[int, int, int]) -> Ints:
            seen[key[0]] += 1
            return super().__getitem__(key)

    hands = lattice_of(terms(rules.rules))
    for seed in range(8):
        plan = random_plan(seed)
        player = StrategyPlayer(rules.rules, StrategyTables(plan.name, Watched(plan.rows), plan.early), hands)
        for number in range(1, 40, 4):
            played([player], random_shoe(rules.rules, seed, number, size=90), cut=1)
    assert set(seen) == set(HANDS)


# ---------------------------------------------------------------- the shoe


def rounds_of_tens(cut: int, size: int = 40) -> int:
    """Rounds of a shoe in which each takes four cards."""
    return counted(rules_of().rules, table(STANDING), (9,) * size, cut=cut)[1]


@pytest.mark.parametrize(("cut", "rounds"), [(3, 1), (4, 1), (5, 2), (8, 2), (9, 3)])
def test_ii_6_1b_a_cutting_card_that_comes_out_first_ends_the_shoe(cut: int, rounds: int) -> None:
    """NZ1996-II-6.1b and 6.1c: a round is begun only while a card lies before the cutting card."""
    assert rounds_of_tens(cut) == rounds


def test_ii_15_10_the_discards_are_mixed_when_the_cards_run_out() -> None:
    """NZ1996-II-15.10: the two sevens on the layout are not dealt again, and the shoe ends with the round."""
    seven, ten = 6, 9
    shoe = (ten,) * 8 + (seven, seven)
    tale, rounds = counted(rules_of().rules, table(STANDING), shoe, cut=10)
    assert rounds == 3
    assert {(end.wager, end.result): n for (_, end), n in tale.items() if end.wager == "main"} == {("main", "tie"): 3}


def test_a_round_that_takes_every_card_is_an_error() -> None:
    with pytest.raises(ValueError, match="every card"):
        counted(rules_of().rules, table(STANDING), (9, 9, 9), cut=3)


@pytest.mark.parametrize(("behind", "good"), [(207, True), (208, True), (209, False), (-1, False), (0, True)])
def test_ii_6_5_the_cutting_card_lies_at_most_half_way(behind: int, good: bool) -> None:  # noqa: FBT001
    settings = SimulationSettings(strategy=STANDING, behind=behind)
    if good:
        tally = run_chunk(simulated(rules_of(), settings).program, Chunk(1, 0, 20))
        assert tally.rounds > 20 * (416 - behind) / 9
    else:
        with pytest.raises(ValueError, match=r"NZ1996-II-6\.5"):
            simulated(rules_of(), settings)


# ---------------------------------------------------------------- estimates


def estimate(row: PlanRow, counts: Ints) -> tuple[float, float, int]:
    """Mean, its standard error, and the number of wagers."""
    pairs = [(float(each.net), int(counts[row.first + at])) for at, each in enumerate(row.endings) if each]
    total = sum(n for _, n in pairs)
    mean = sum(net * n for net, n in pairs) / total
    square = sum(net * net * n for net, n in pairs) / total
    return mean, ((square - mean * mean) / total) ** 0.5, total


@lru_cache(maxsize=1)
def exact_odds() -> dict[tuple[str, str], Exact]:
    return dict(simulated(rules_of(), SimulationSettings(strategy=["basic", "main"], boxes=2)).exact())


def check_within_five_sigma(rows: tuple[PlanRow, ...], counts: Ints) -> None:
    known = [row for row in rows if (row.wager, row.policy) in exact_odds()]
    assert {row.wager for row in known} >= {"main", "insurance"}
    for row in known:
        mean, error, _ = estimate(row, counts)
        assert abs(mean - float(exact_odds()[row.wager, row.policy].mean)) < 5 * error, row.wager


@pytest.mark.parametrize("strategy", ["basic", "main"])
def test_first_rounds_are_within_five_sigma_of_the_exact_odds(strategy: str) -> None:
    """A fresh shoe for each round."""
    made = table(strategy, behind=415)
    check_within_five_sigma(made.rows, run_chunk(made.program, Chunk(20, 0, 2_000_000)).counts)


def test_each_result_of_the_main_wager_is_as_frequent_as_the_exact_odds_say() -> None:
    made = table("basic", behind=415)
    counts = run_chunk(made.program, Chunk(21, 0, 2_000_000)).counts
    row = made.rows[0]
    worth = next(each for each in main_rows(full_solved(rules_of().rules)) if each.policy == row.policy).worth
    total = estimate(row, counts)[2]
    seen, expected = Counter[tuple[str, Fraction]](), dict[tuple[str, Fraction], float]()
    for at, ending in enumerate(row.endings):
        if ending and counts[row.first + at]:
            seen[ending.result, ending.net] += int(counts[row.first + at])
    for pay in worth.pays:
        key = (pay.result, pay.net)
        expected[key] = expected.get(key, 0.0) + float(pay.probability) * total
    assert set(seen) <= set(expected)
    for key, mean in expected.items():
        assert abs(seen[key] - mean) < 5 * max(mean, 5) ** 0.5, key


def test_whole_shoes_are_within_five_sigma() -> None:
    game = simulated(rules_of(), SimulationSettings())
    check_within_five_sigma(game.rows, run_chunk(game.program, Chunk(3, 0, 60_000)).counts)


def test_a_chart_is_what_the_odds_engine_prints() -> None:
    """The engine's chart written out by hand plays as the engine's own, count for count."""
    solved, words = full_solved(rules_of().rules), {}
    for part in chart_tables(solved):
        for total, row in part.rows:
            kind = "pair" if part.part == "pairs" else part.part
            words[f"{kind} {total}"] = " ".join(word.replace("as total", "-") for word in row)
    words["hard 21"] = words["soft 21"] = "stand"
    mine, theirs = (run_chunk(table(each).program, Chunk(5, 0, 3_000)).counts for each in (words, "basic"))
    assert mine.tolist() == theirs.tolist()


def test_insurance_is_counted_for_all_and_taken_by_strategy() -> None:
    for strategy, taken in (("basic", 0), ("basic insured", 1)):
        game = simulated(rules_of(), SimulationSettings(strategy=strategy))
        counts = run_chunk(game.program, Chunk(1, 0, 500)).counts
        offered, said = (int(counts[list(game.outcomes[f"insurance {word}"])].sum()) for word in ("offered", "taken"))
        assert offered > 1_000
        assert said == taken * offered


def test_a_function_sees_the_cards_and_may_take_even_money() -> None:
    def cautious(seen: Seen) -> str:
        if "even_money" in seen.options:
            return "even_money"
        if "" in seen.options:
            return ""
        return "hit" if seen.total < 12 else "stand"

    made = table(cautious)
    counts = run_chunk(made.program, Chunk(1, 0, 3_000)).counts
    at = made.block.even_money
    assert counts[at : at + made.block.terms.endings].sum() > 100
    aces = made.block.naturals
    assert counts[aces : aces + made.block.terms.endings].sum() == 0


# ---------------------------------------------------------------- chunks and sessions


@pytest.mark.parametrize("session", [0, 70])
def test_the_same_seed_gives_the_same_counts_whatever_the_chunks(session: int) -> None:
    program = simulated(rules_of(), SimulationSettings(strategy=MIMIC, boxes=2, session=session)).program
    whole = run_chunk(program, Chunk(9, 0, 60))
    parts = [run_chunk(program, Chunk(9, first, count)) for first, count in ((0, 1), (1, 20), (21, 39))]
    assert sum(part.rounds for part in parts) == whole.rounds
    assert np.sum([part.counts for part in parts], axis=0).tolist() == whole.counts.tolist()
    assert run_chunk(program, Chunk(10, 0, 60)).counts.tolist() != whole.counts.tolist()


@pytest.mark.parametrize("limit", [1, 61, 62, 200])
def test_a_limit_gives_the_first_rounds(limit: int) -> None:
    made = table(MIMIC)
    limited = run_chunk(made.program, Chunk(9, 0, 50, limit))
    more = run_chunk(made.program, Chunk(9, 0, 50, limit + 1))
    assert limited.rounds == limit
    gained = more.counts - limited.counts
    assert gained.min() == 0
    assert gained[: made.block.insurance].sum() == 1


def test_sessions_add_up_to_the_bins() -> None:
    settings = SimulationSettings(strategy="basic insured", session=100, wagers={"main": 2, "super_sevens": 1})
    game = simulated(rules_of(), settings)
    counts = run_chunk(game.program, Chunk(4, 0, 300)).counts
    assert game.sessions is not None
    figures = counts[game.sessions.first : game.sessions.first + sessions.SIZE]
    stakes = {"main": 2, "insurance": 1, "super_sevens": 1}
    net = Fraction(0)
    for row in game.rows:
        for at, ending in enumerate(row.endings):
            net += int(counts[row.first + at]) * stakes[row.wager] * ending.net if ending else 0
    assert figures[0] == 300
    assert figures[4] == 300 * 100
    assert figures[1] == net * game.sessions.grains


def test_what_a_bin_was_staked_for_is_what_play_stakes() -> None:
    """Doubles, splits and insurance count with all their stakes in the hold of a session."""
    rules, block = rules_of().rules, table(STANDING).block
    stakes = stakes_of(rules, block, {"main": 2, "super_sevens": 5})
    each = {"main": 2, "insurance": 1, "super_sevens": 5}
    words = [(at, end) for at, end in enumerate(twin.bin_words(rules, block)) if end is not None]
    assert {end.stakes for _, end in words} == {1, 2, 3, 4, 5, 6}
    assert [(at, stakes[at]) for at, _ in words] == [(at, each[end.wager] * end.stakes) for at, end in words]


def test_a_session_cut_short_is_not_counted() -> None:
    game = simulated(rules_of(), SimulationSettings(strategy=MIMIC, session=100))
    assert game.sessions is not None
    for limit, complete in ((199, 1), (200, 2), (201, 2)):
        tally = run_chunk(game.program, Chunk(4, 0, 300, limit))
        assert (tally.rounds, int(tally.counts[game.sessions.first])) == (limit, complete)


def test_all_boxes_of_a_round_are_counted_together() -> None:
    game = simulated(rules_of(), SimulationSettings(strategy=MIMIC, boxes=3))
    tally = run_chunk(game.program, Chunk(4, 0, 300))
    single, together = game.rows[0], game.rows[-1]
    assert estimate(together, tally.counts)[2] == tally.rounds
    assert estimate(single, tally.counts)[2] == 3 * tally.rounds
    assert estimate(together, tally.counts)[0] == pytest.approx(estimate(single, tally.counts)[0])


def test_strategies_of_one_name_are_counted_apart() -> None:
    game = simulated(rules_of(), SimulationSettings(strategy=[MIMIC, STANDING, MIMIC], boxes=3))
    tally = run_chunk(game.program, Chunk(4, 0, 100))
    mains = {row.policy: estimate(row, tally.counts)[2] for row in game.rows[:-1] if row.wager == "main"}
    assert mains == {"own:chart 1": 2 * tally.rounds, "own:chart 2": tally.rounds}


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (SimulationSettings(strategy="wild"), "no strategy 'wild' for blackjack; known are basic"),
        (SimulationSettings(strategy=7), "a strategy is a name"),
        (SimulationSettings(strategy=MIMIC, boxes=0), r"1 to 7 boxes, not 0 \(NZ1996-II-2.1"),
        (SimulationSettings(strategy=MIMIC, boxes=8), "1 to 7 boxes, not 8"),
        (SimulationSettings(strategy=[MIMIC, MIMIC], boxes=3), "2 strategies for 3 boxes"),
        (SimulationSettings(strategy=MIMIC, session=5, wagers={"tie": 1}), "no wager 'tie'"),
        (SimulationSettings(strategy={"hard 16": "hit"}), "the chart says nothing of"),
        (SimulationSettings(strategy={"hart 16": "hit"}), "chart line 'hart 16'"),
        (SimulationSettings(strategy={"hard 16": "hit stand"}), "2 words"),
        (SimulationSettings(strategy={"hard 16": "fold"}), "'fold' is no word"),
        (SimulationSettings(strategy={"hard 16": "split"}), "only a line of pairs"),
        (SimulationSettings(strategy={"insure": "maybe"}), "say yes or no"),
        (SimulationSettings(strategy=lambda _seen: "fold"), "the strategy answered 'fold' on"),
    ],
)
def test_bad_input_is_told_in_one_line(settings: SimulationSettings, says: str) -> None:
    with pytest.raises(ValueError, match=says) as error:
        simulated(rules_of(), settings)
    assert "\n" not in str(error.value)


def test_a_pack_holds_the_shoe() -> None:
    made = table(plan_of(rules_of().rules, MIMIC))
    codes = Counter(made.program.tables[0].tolist())
    assert sum(codes.values()) == cards_in_stack(rules_of().rules) == sum(full_shoe(8))
    assert sum(n for code, n in codes.items() if code & k.FIGURE) == 32
