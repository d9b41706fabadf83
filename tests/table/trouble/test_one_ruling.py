"""A declaration is ruled on once, and all that is ruling_on, booked and carried out reads that ruling."""

from __future__ import annotations

import json
from typing import Any

import pytest

from croupier.game import Irregular, Perform, Refusal, Ruling
from croupier.hearing import adjudicate, as_json, read_case
from croupier.once import replace
from croupier.rulesets import known_game, ruleset
from croupier.table.desk import LiveTable
from croupier.table.events import Announced, Happened, Ruled
from croupier.table.explain import explain
from tests.helpers.desks.table import ROUND, a_desk, only, opened, played, put, until_chance, with_players

RESTART = {"irregular": "burn_forgotten", "call": "restart", "by": "game supervisor"}


def forgetful() -> LiveTable:
    """A Victorian table at which the burn was forgotten, with the first coup about to be dealt."""
    desk = with_players(a_desk("vic2002", version="traditional"), "ann")
    while "burn" not in desk.due:
        due = desk.state.due
        if isinstance(due, Perform):
            desk.act(due)
        else:
            desk.tell({"choose": "decline", "by": "seat 1"})
    desk.tell({"irregular": "burn_forgotten"})
    bets(desk)
    return desk


def bets(desk: LiveTable) -> None:
    """A wager is down, so that a coup is dealt."""
    while desk.due.startswith("call for bets"):
        due = desk.state.due
        assert isinstance(due, Perform)
        desk.act(due)
    desk.bet("ann", "player", 2000)


def ruling_on(desk: LiveTable, fact: dict[str, str]) -> Ruled:
    before = len(desk.journal)
    desk.tell(fact, role="game supervisor")
    return only(tuple(line.event for line in desk.journal[before:]), Ruled)


def test_vic2002_11_1_1_the_first_coup_is_begun_again_as_the_ruling_says() -> None:
    desk = forgetful()
    until_chance(desk)
    desk.tell("2h")
    ruling = ruling_on(desk, RESTART)
    assert (ruling.remedy, ruling.rule) == ("restart", "VIC2002-11.1.1")
    assert "burn" in desk.due


def test_vic2002_11_1_in_a_later_coup_the_ruling_is_the_one_that_is_carried_out() -> None:
    desk = forgetful()
    played(desk, *ROUND["player"])
    bets(desk)
    until_chance(desk)
    desk.tell("2h")
    ruling = ruling_on(desk, RESTART)
    assert (ruling.remedy, ruling.rule) == ("play on", "VIC2002-11.1")
    assert desk.due.startswith("deal banker"), "play goes on as the ruling says"
    assert "play on" in explain(desk.journal, 2)
    assert "restart, ordered" not in explain(desk.journal, 2)


def test_vic2002_11_1_between_two_coups_nothing_is_begun_again() -> None:
    desk = forgetful()
    played(desk, *ROUND["player"])
    due = desk.due
    assert ruling_on(desk, RESTART).rule == "VIC2002-11.1"
    assert desk.due == due


@pytest.mark.parametrize(("coup", "remedy", "rule"), [(0, "restart", "VIC2002-11.1.1"), (1, "play on", "VIC2002-11.1")])
def test_a_hearing_knows_which_coup_of_the_shoe_it_hears(coup: int, remedy: str, rule: str) -> None:
    whole = {"facts": list(ROUND["player"])}
    asked = {"facts": ["2h", RESTART]}
    case = read_case(json.dumps({"edition": "vic2002", "game": "baccarat", "rounds": [*[whole] * coup, asked]}))
    step = as_json(adjudicate(case))["steps"][-1]  # type: ignore[index]
    assert (step["ruling"]["remedy"], step["ruling"]["rule"]) == (remedy, rule)


DECLARED: dict[str, tuple[str, str, tuple[str, ...], Any]] = {
    "baccarat": ("nzd5", "player", ("9h", "Kd"), {"irregular": "insufficient_cards"}),
    "blackjack": ("nz1996", "main", ("9h",), {"irregular": "missing_cutting_card"}),
    "roulette": ("nz1996", "red", (), {"irregular": "foreign_object", "call": "No spin"}),
    "craps": ("nz1996", "pass", (), {"irregular": "dice_lost"}),
}


class Counting:
    """A game that counts how often it is asked for a ruling."""

    def __init__(self, name: str) -> None:
        game, self.asked = known_game(name), 0
        assert game.procedure is not None
        own = game.procedure.rule_on

        def rule_on(rules: Any, state: Any, it: Irregular) -> Ruling | Refusal:
            self.asked += 1
            return game.rule_on(rules, state, it)

        def rule_on_sitting(rules: Any, sitting: Any, it: Irregular) -> Ruling | Refusal:
            assert own is not None
            self.asked += 1
            return own(rules, sitting, it)

        procedure = replace(game.procedure, rule_on=rule_on_sitting if own else None)
        self.game = replace(game, rule_on=rule_on, procedure=procedure)


@pytest.mark.parametrize("name", DECLARED)
def test_one_declaration_is_ruled_on_once(name: str) -> None:
    edition, on, before, declared = DECLARED[name]
    counting = Counting(name)
    desk = with_players(opened(LiveTable(counting.game, ruleset(edition, game=name))), "ann")
    if on:
        desk.ask(put("ann", on, 2000), role="player", by="ann")
    until_chance(desk)
    for fact in before:
        desk.tell(fact)
    lines = len(desk.journal)
    desk.tell(declared, role="game supervisor")
    events = tuple(line.event for line in desk.journal[lines:])
    ruling = only(events, Ruled)
    assert counting.asked == 1
    assert only(events, Happened).rule == ruling.rule
    assert [event.text for event in events if isinstance(event, Announced)][:1] == (
        [ruling.call] if ruling.call else []
    )
