"""One ladder of officials, one spelling."""

from __future__ import annotations

import pytest

from croupier.ceremony import Order, declared_in
from croupier.game import Irregular, Perform, Performed
from croupier.law.officials import (
    CASINO_SUPERVISOR,
    DEALER,
    EMPLOYEE,
    GAME_SUPERVISOR,
    INSPECTOR,
    LADDER,
    PIT_BOSS,
    SHIFT_MANAGER,
    STICKPERSON,
    acting,
    canonical,
    doer,
    words,
)
from croupier.notation import read_fact
from croupier.rulesets import every_ruleset


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("government inspector", INSPECTOR),
        ("Government Inspector", INSPECTOR),
        ("inspector", INSPECTOR),
        ("Pit Boss", PIT_BOSS),
        ("authorised employee", EMPLOYEE),
        ("seat 3", "seat 3"),
        ("Ann", "Ann"),
        ("", ""),
    ],
)
def test_officials_have_one_spelling(written: str, meant: str) -> None:
    assert canonical(written) == meant


def test_facts_are_read_in_the_one_spelling() -> None:
    due = Perform("cut", DEALER, "x")
    assert read_fact({"perform": "cut", "by": "government inspector"}, due) == Performed("cut", INSPECTOR)
    assert read_fact({"irregular": "x", "by": "Pit Boss"}, due) == Irregular("x", by=PIT_BOSS)


def test_powers_rise_with_the_ladder_and_the_inspector_stands_outside() -> None:
    for at, role in enumerate(LADDER):
        roles = acting(role)
        assert roles is not None
        assert [each in roles for each in LADDER] == [other >= at for other in range(len(LADDER))]
        assert INSPECTOR not in roles
        assert words(role)[0] == role
    assert words(INSPECTOR) == (INSPECTOR,)


def test_a_pit_boss_ranks_below_the_casino_supervisor_and_above_the_game_supervisor() -> None:
    assert PIT_BOSS in words(CASINO_SUPERVISOR)
    assert PIT_BOSS not in words(GAME_SUPERVISOR)


def test_the_operator_is_not_spoken_for_by_a_dealer() -> None:
    assert "operator" not in words(DEALER)
    assert "operator" in words(GAME_SUPERVISOR)


def test_a_group_is_anybody_of_it() -> None:
    assert acting("game supervisor or above") == acting(GAME_SUPERVISOR)
    assert doer("shift manager or casino manager") == SHIFT_MANAGER
    assert doer("dealer or game supervisor") == DEALER
    assert doer(STICKPERSON) == DEALER
    assert acting("dealer or somebody") is None, "a group is one of those that a document names"


NO_OFFICIALS = {"player", "handler", "shoe handler", "player opener", "banker opener", "{hand} opener", "shooter"} | {
    "player of box {box}",
    "game system",
    "automatic shuffler",
}


def test_everybody_for_whom_an_edition_has_an_act_is_known() -> None:
    declared = [each for rules in every_ruleset() for each in declared_in(rules.rules)]
    named = {by for each in declared for by in (each.by if isinstance(each, Order) else (each.by,))}
    assert {by for by in named if acting(by) is None} == NO_OFFICIALS


@pytest.mark.parametrize("word", ["seat 3", "shooter", "game system", "automatic shuffler", "Ann", "", "player"])
def test_players_and_devices_are_no_officials(word: str) -> None:
    assert acting(word) is None
    assert doer(word) == DEALER
