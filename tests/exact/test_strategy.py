"""The best play as data: it can be written as JSON, shown, changed, and followed by the simulator."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

import croupier
from croupier.exact.blackjack import solve
from croupier.exact.blackjack.paper.sheet import full_solved, main_rows
from croupier.exact.blackjack.terms import terms
from croupier.exact.strategy import strategy
from croupier.simulation.blackjack import kernel as k
from croupier.simulation.blackjack import plan_of
from croupier.simulation.blackjack.strategies import from_policy
from tests.helpers.blackjack_shoes import FIVES, ranks


@lru_cache(maxsize=1)
def blackjack() -> Any:
    return croupier.ruleset("nz1996", game="blackjack")


@lru_cache(maxsize=1)
def data() -> dict[str, Any]:
    return strategy(blackjack())


def test_blackjack_is_told_as_plain_data() -> None:
    answer = json.loads(json.dumps(data()))
    assert answer == data()
    assert (answer["game"], answer["policy"], answer["ruleset"]) == ("blackjack", "main:chart", blackjack().hash)
    assert answer["chart"]["hard 16"].split() == ["stand"] * 5 + ["hit"] * 5
    assert answer["chart"]["hard 11"].split() == ["double"] * 9 + ["hit"]
    assert answer["chart"]["pair 8"].split() == ["split"] * 10
    assert answer["chart"]["pair 10"].split() == ["-"] * 10
    assert [table["part"] for table in answer["tables"]] == ["hard", "soft", "pairs"]
    assert 0.005 < answer["edge"] < 0.006


def test_the_edge_is_that_of_the_sheet_where_hands_do_not_add_up() -> None:
    rules = croupier.ruleset("nz1996", game="blackjack", readings={"dealer_blackjack": "busted_plus_one"})
    chart = main_rows(solve(rules.rules, FIVES))[1]
    assert chart.method == "exact"
    assert strategy(rules, FIVES)["edge"] == pytest.approx(float(chart.worth.edge), abs=1e-12)


def test_each_entry_of_the_chart_says_what_its_hands_bring() -> None:
    """Cents for a dollar, by hand from other tables of this game (8 decks, no card for the dealer before players)."""
    worth = {
        (table["part"], row["row"], up): round(100 * value)
        for table in data()["tables"]
        for row in table["rows"]
        for up, value in zip(table["ups"], row["worths"], strict=True)
    }
    known = {("hard", 19, 2): 39, ("hard", 11, 6): 67, ("hard", 16, 10): -57, ("hard", 20, 10): 44}
    known |= {("soft", 18, 2): 12, ("pairs", 8, 11): -63, ("pairs", 11, 6): 68, ("pairs", 5, 4): 48}
    assert {key: worth[key] for key in known} == known


def test_the_simulator_follows_the_chart_as_the_odds_engine_plays_it() -> None:
    """The chart as a user's, read back by the simulator, is the play that the odds sheet weighs."""
    rules = blackjack().rules
    read, exact = plan_of(rules, data()["chart"]), from_policy(full_solved(rules).chart_play, terms(rules))
    alone = {key: row for key, row in exact.rows.items() if key[0] == k.ALONE}
    assert len(alone) == 10
    for key, row in alone.items():
        assert np.array_equal(read.rows[key], row)
    found = croupier.simulate(blackjack(), rounds=20_000, seed=5, strategy=data()["chart"])
    same = croupier.simulate(blackjack(), rounds=20_000, seed=5, strategy=data()["policy"])
    assert found.outcomes == same.outcomes


def test_a_shoe_may_be_given() -> None:
    rich = strategy(blackjack(), ranks(a=3, c6=4, c8=4, t=12))
    assert rich["chart"] != data()["chart"]


@pytest.mark.parametrize("game", ["craps", "roulette"])
def test_games_without_decisions_have_no_strategy(game: str) -> None:
    with pytest.raises(ValueError, match=f"^{game} asks for no decisions: strategies are for blackjack and caribbean"):
        strategy(croupier.ruleset("nz1996", game=game))


def test_caribbean_stud_is_told_as_plain_data() -> None:
    """From a small deck, for speed; the lines are those of the odds engine's description."""
    deck = tuple(1 if card % 13 in (0, 9, 10, 11, 12) else 0 for card in range(52))
    answer = json.loads(json.dumps(strategy(croupier.ruleset("nz1996", game="caribbean_stud"), deck)))
    assert answer["policy"] == "optimum"
    assert {line["up"] for line in answer["lines"]} == {"A", "10", "J", "Q", "K"}
    assert {each["policy"] for each in answer["rules_of_thumb"]} >= {"pair or better"}
    assert all(each["source"] for each in answer["rules_of_thumb"])
