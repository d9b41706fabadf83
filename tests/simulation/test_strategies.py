"""Strategies a user can write, and what the documentation shows of them."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

import croupier
from croupier.simulation.blackjack import Seen
from croupier.simulation.results import Result, WagerResult
from tests.helpers.places import DOCS

DOCUMENT = DOCS / "simulation.md"


def blocks() -> list[str]:
    """The Python of the document."""
    return re.findall(r"^```python\n(.*?)^```", DOCUMENT.read_text(encoding="utf-8"), flags=re.M | re.S)


def test_what_the_document_shows_runs_as_it_is_written() -> None:
    space: dict[str, Any] = {}
    for block in blocks():
        exec(compile(block, str(DOCUMENT), "exec"), space)
    assert abs(space["banker"].z) < 5
    assert {line.policy for line in space["played"].lines if line.wager == "main"} == {
        *("own:like_the_dealer", "own:chart", "main:chart", "all boxes of a round")
    }
    assert [line.policy for line in space["dealt"].lines] == ["pairs_only", "optimum", "all boxes of a round"]
    assert space["craps"].line("place:6").decided > 100_000


# ---------------------------------------------------------------- blackjack


def never_bust(seen: Seen) -> str:
    """Draws only while no card can bust the hand; never insures, doubles or splits."""
    if "" in seen.options:
        return ""
    return "hit" if seen.total < 12 and "hit" in seen.options else "stand"


NEVER_BUST = {"hard 4-11": "hit", "hard 12-21": "stand", "soft 12-21": "stand"}


def blackjack(strategy: object, boxes: int = 1) -> Result:
    rules = croupier.ruleset("nz1996", game="blackjack")
    return croupier.simulate(rules, rounds=200_000, seed=6, strategy=strategy, boxes=boxes, exact=False)


def met(line: WagerResult) -> set[tuple[str, str]]:
    """The ends that came up, with their rules."""
    return {(count.ending.result, count.ending.rule) for count in line.counts if count.times}


def test_a_function_and_a_chart_that_say_the_same_play_the_same() -> None:
    mine, chart = blackjack(never_bust).line("main"), blackjack(NEVER_BUST).line("main")
    assert mine.policy == "own:never_bust"
    assert mine.counts == chart.counts
    assert not [result for result, _ in met(mine) if result.startswith(("double", "split"))]


def test_a_player_who_never_busts_never_does() -> None:
    """The rule by which busted hands lose is met by none of his, and by those of one who draws on."""
    rash = blackjack({**NEVER_BUST, "hard 12-16": "hit", "hard 17-21": "stand"}).line("main")
    assert met(rash) - met(blackjack(never_bust).line("main")) == {("bust", "NZ1996-II-12.2")}


def test_boxes_with_different_strategies_are_counted_each_for_itself() -> None:
    """The better play does better on the same dealer's cards, and both make up what the round brings."""
    result = blackjack(["basic", never_bust, never_bust], boxes=3)
    best, mine = result.line("main", "main:chart"), result.line("main", "own:never_bust")
    together = result.line("main", "all boxes of a round")
    assert (best.decided, mine.decided, together.decided) == (200_000, 400_000, 200_000)
    assert best.mean > mine.mean + 0.02
    assert together.mean == pytest.approx((best.mean + 2 * mine.mean) / 3)


def test_a_function_that_answers_what_is_not_open_is_told_where() -> None:
    with pytest.raises(ValueError, match=r"the strategy answered 'surrender' on 11 11 against 11: say one of"):
        blackjack(lambda seen: "surrender" if "" not in seen.options else "")


# ---------------------------------------------------------------- Caribbean stud


def stud(strategy: object, boxes: int = 1) -> Result:
    rules = croupier.ruleset("nz1996", game="caribbean_stud")
    return croupier.simulate(rules, rounds=300_000, seed=6, strategy=strategy, boxes=boxes)


def test_a_chart_of_stud_has_exact_odds_of_its_own() -> None:
    line = stud({"one pair": "any"}).line("ante")
    assert line.exact is not None
    assert isinstance(line.exact.mean, Fraction)
    assert line.z is not None
    assert abs(line.z) < 5


def test_boxes_of_stud_may_play_differently() -> None:
    """Who bets on everything loses more than who plays by a rule of thumb."""
    result = stud(["three rules of thumb", {"2": "any"}], boxes=2)
    careful, careless = result.line("ante", "three rules of thumb"), result.line("ante", "chart")
    assert careful.mean > careless.mean + 0.05
    assert not [count for count in careless.counts if count.ending.result == "fold" and count.times]
    together = result.line("ante", "all boxes of a round")
    assert together.mean == pytest.approx((careful.mean + careless.mean) / 2)


# ---------------------------------------------------------------- craps


@pytest.mark.parametrize("wager", ["field", "place:8", "any_seven"])
def test_a_plan_of_a_users_own_keeps_what_it_says(wager: str) -> None:
    rules = croupier.ruleset("nz1996", game="craps")
    own = croupier.simulate(
        rules, rounds=200_000, seed=2, strategy=lambda sight: [] if sight.units(wager) else [(wager, 1)]
    )
    named = croupier.simulate(rules, rounds=200_000, seed=2, strategy={wager: 1})
    assert own.lines == named.lines
    assert own.line(wager).decided > 10_000
