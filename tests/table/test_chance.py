"""Where results come from at a table: nobody may be able to predict them."""

from __future__ import annotations

import secrets

import pytest

from croupier.games.roulette import ROULETTE
from croupier.law.editions import EDITIONS as DOCUMENTS
from croupier.law.model import Law
from croupier.once import replace
from croupier.rulesets import known_game, ruleset
from croupier.table.events import SignShown, TableOpened
from tests.helpers.desks.table import asked, closed_desk, only, opening, refused
from tests.helpers.observe import carries

RULES = {
    "roulette": "NZ1996-III-2.5c",
    "tai_sai": "NZ1996-VI-2.6c",
    "money_wheel": "NZ1996-VII-2.2c",
    "craps": "NZ1996-X-2.3c",
}
SUPERVISOR = "game supervisor"
MANY = 60


@pytest.mark.parametrize(("game", "rule"), RULES.items())
def test_no_table_is_opened_with_results_that_follow_from_a_seed(game: str, rule: str) -> None:
    desk = closed_desk("nz1996", game)
    carries(refused(desk, opening(chance="seeded"), role=SUPERVISOR), rule)
    assert "open table is for" in refused(desk, opening(chance="seeded")).reason
    events = asked(desk, opening(chance="system"), role=SUPERVISOR)
    shown = [event for event in events if isinstance(event, SignShown) and event.sign == "results by the system"]
    assert len(shown) == 1
    carries(shown[0], rule)


def test_an_edition_that_is_added_says_itself_where_results_may_come_from(monkeypatch: pytest.MonkeyPatch) -> None:
    nz1996 = ROULETTE.editions["nz1996"]["roulette"]
    common = replace(nz1996.common, unpredictable=Law(frozenset({"equipment"}), ("MADE-2.5c",)))
    monkeypatch.setitem(ROULETTE.editions, "made", {"roulette": replace(nz1996, common=common)})
    monkeypatch.setitem(DOCUMENTS, "made", replace(DOCUMENTS["nz1996"], key="made"))
    desk = closed_desk("made", "roulette")
    carries(refused(desk, opening(chance="system"), role=SUPERVISOR), "MADE-2.5c")
    only(asked(desk, opening(), role=SUPERVISOR), TableOpened)


@pytest.mark.parametrize("game", RULES)
def test_the_equipment_itself_needs_no_sign(game: str) -> None:
    events = asked(closed_desk("nz1996", game), opening(), role=SUPERVISOR)
    assert not [event for event in events if isinstance(event, SignShown) and event.sign.startswith("results")]


@pytest.mark.parametrize("game", RULES)
def test_two_runs_on_the_system_s_random_numbers_differ(game: str) -> None:
    """As the virtual dealer draws; that two are alike by chance is less likely than one in 10 to the 40."""
    chances = known_game(game).chances
    assert chances is not None
    space = chances(ruleset("nz1996", game=game).rules)
    first, second = ([space.draw(secrets.randbelow) for _ in range(MANY)] for _ in range(2))
    assert first != second


def test_a_law_without_such_a_rule_says_nothing_of_it() -> None:
    events = asked(closed_desk("nz1998"), opening(chance="system"), role=SUPERVISOR)
    assert only(events, TableOpened).rule == "NZ1996-I-13.1"
    assert not [event for event in events if isinstance(event, SignShown) and event.sign.startswith("results")]
