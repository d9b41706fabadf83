"""Baccarat's money at a live table: what a correction, an invalid coup and a deferred commission come to."""

from __future__ import annotations

from typing import Literal

import pytest

from croupier.journal.accounts import COMMISSION, owed_by
from croupier.rulesets import known_game, ruleset
from croupier.table import commands as c
from croupier.table.desk import LiveTable
from croupier.table.events import RoundInvalidated, WagerSettled
from tests.helpers.desks.table import (
    RICH,
    ROUND,
    a_desk,
    asked,
    only,
    opened,
    played,
    until_chance,
    until_paid,
    with_players,
)
from tests.helpers.desks.table import refused as no
from tests.helpers.desks.terminal import same_after_replay

SIX = ("2h", "2d", "Kc", "4s", "9h", "Kd")
"""The Banker has six on two cards, the Player draws to one and the Banker stands: it wins with six."""


def lines(desk: LiveTable, number: int) -> dict[str, tuple[str, int]]:
    record = desk.state.record(number)
    assert record is not None
    return {line.wager.on: (line.result, line.returned) for line in record.lines}


# ---------------------------------------------------------------- Insurance/No 6


def insured() -> LiveTable:
    """A coup of Crown Baccarat in which Ann insured her Banker wager and lost it."""
    desk = with_players(a_desk("vic2002", version="crown"), "Ann")
    desk.bet("Ann", "banker", 10_000)
    for card in SIX[:4]:
        until_chance(desk)
        desk.tell(card)
    until_chance(desk)
    desk.bet("Ann", "insurance", 5_000)
    desk.tell(SIX[4])
    until_paid(desk)
    assert lines(desk, 1) == {"banker": ("won", 15_000), "insurance": ("lost", 0)}
    return desk


@pytest.mark.parametrize(
    "true",
    [
        ("2h", "9d", "Kc", "Ks"),  # a natural: no card was due on which insurance could have waited
        ("2h", "2d", "Kc", "5s", "9h"),  # the Banker had seven
        ("7h", "2d", "Kc", "4s"),  # the Player stood
    ],
)
def test_vic_1_1_insurance_that_a_correction_makes_impossible_goes_back(true: tuple[str, ...]) -> None:
    desk = insured()
    before = desk.chips("Ann")
    asked(desk, c.Correct(1, true, "misread"), role="game supervisor")
    assert lines(desk, 1)["insurance"] == ("void", 5_000)
    assert not desk.state.round.standing
    assert desk.state.staked("Ann") == 0
    assert desk.chips("Ann") - before == 5_000 + lines(desk, 1)["banker"][1] - 15_000
    same_after_replay(desk)


# ---------------------------------------------------------------- Runs and invalidated coups


def running(*winners: str, on: str = "player_run_3", **readings: str) -> LiveTable:
    """Ann runs from the first coup on; the coups are won by these."""
    rules = ruleset("vic2002", readings=readings)
    desk = with_players(opened(LiveTable(known_game("baccarat"), rules)), "Ann", "Bob")
    for number, winner in enumerate(winners):
        desk.bet("Bob", "tie", 1_000)
        if number == 0:
            desk.bet("Ann", on, 1_000)
        played(desk, *ROUND[winner])
    return desk


def invalidate(desk: LiveTable, number: int) -> RoundInvalidated:
    return only(asked(desk, c.Invalidate(number, "riot"), role="casino supervisor"), RoundInvalidated)


def test_vic_13_3_a_coup_invalidated_later_does_not_count_for_a_run() -> None:
    desk = running("player", "player")
    invalidate(desk, 2)
    played_on = [wager for wager in desk.state.round.standing if wager.on == "player_run_3"]
    assert [wager.seen for wager in played_on] == [(1,)]
    assert desk.chips("Bob") == RICH - 1_000
    for won in ("player", "player"):
        desk.bet("Bob", "tie", 1_000)
        played(desk, *ROUND[won])
    assert lines(desk, 4)["player_run_3"] == ("won", 9_000)
    same_after_replay(desk)


def test_vic_13_3_a_run_that_the_invalidated_coup_broke_goes_on() -> None:
    desk = running("player", "banker", "player")
    assert desk.chips("Ann") == RICH - 1_000
    event = invalidate(desk, 2)
    assert event.rule == "VIC2002-13.3.1"
    assert (desk.chips("Ann"), desk.state.staked("Ann")) == (RICH - 1_000, 1_000)
    desk.bet("Bob", "tie", 1_000)
    played(desk, *ROUND["player"])
    assert lines(desk, 4)["player_run_3"] == ("won", 9_000)
    same_after_replay(desk)


def test_vic_13_3_a_run_that_the_invalidated_coup_completed_is_open_again() -> None:
    desk = running("player", "player", "player")
    assert desk.chips("Ann") == RICH + 8_000
    invalidate(desk, 1)
    assert (desk.chips("Ann"), desk.state.staked("Ann")) == (RICH - 1_000, 1_000)
    same_after_replay(desk)


def test_vic_13_3_of_the_coup_in_hand_a_run_that_began_with_it_stays() -> None:
    desk = running()
    desk.bet("Ann", "player_run_2", 1_000)
    desk.bet("Ann", "player", 1_000)
    until_chance(desk)
    desk.tell("9h")
    events = asked(desk, c.Invalidate(1, "fire"), role="casino supervisor")
    assert only(events, WagerSettled).on == "player"
    assert [wager.on for wager in desk.state.round.standing] == ["player_run_2"]
    assert desk.chips("Ann") == RICH - 1_000
    same_after_replay(desk)


@pytest.mark.parametrize("number", [1, 2])
def test_r_104_by_the_other_reading_the_run_goes_back_with_the_coup(number: int) -> None:
    desk = running("player", "banker", run_and_void_coups="refunded")
    invalidate(desk, number)
    assert (desk.chips("Ann"), desk.state.staked("Ann")) == (RICH, 0)
    same_after_replay(desk)


def test_vic_13_3_nothing_is_played_again_while_a_coup_is_in_hand() -> None:
    desk = running("player")
    desk.bet("Bob", "tie", 1_000)
    until_chance(desk)
    desk.tell("9h")
    assert no(desk, c.Invalidate(1, "riot"), role="casino supervisor").reason == "finish the round in hand first"


# ---------------------------------------------------------------- deferred commission


def deferring() -> LiveTable:
    desk = with_players(a_desk("vic2002", version="traditional"), "Ann", "Bob")
    asked(desk, c.DeferCommission("Ann"))
    return desk


def test_vic_10_2_1_a_deferred_commission_is_owed_and_the_win_paid_whole() -> None:
    """The rest after commission could not be paid in chips of a dollar; who pays it at once has it rounded up."""
    desk = deferring()
    desk.bet("Ann", "banker", 1_100)
    desk.bet("Bob", "banker", 1_100)
    events = played(desk, *ROUND["banker"])
    ann, bob = (event for event in events if isinstance(event, WagerSettled))
    assert (ann.pays, ann.commission, ann.deferred) == (1_100, 55, 55)
    assert (bob.pays, bob.commission, bob.deferred) == (1_100, 55, 0)
    assert (desk.chips("Ann"), desk.state.balances[owed_by("Ann")]) == (RICH + 1_100, -55)
    assert desk.chips("Bob") == RICH + 1_100
    same_after_replay(desk)


@pytest.mark.parametrize("ground", ["", "on request"])
def test_vic_10_2_1_a_correction_takes_back_the_debt_with_the_win(ground: Literal["", "on request"]) -> None:
    desk = deferring()
    desk.bet("Ann", "banker", 2_000)
    played(desk, *ROUND["banker"])
    assert desk.state.balances[owed_by("Ann")] == -100
    if ground:
        asked(desk, c.CollectCommission("Ann", ground))
    asked(desk, c.Correct(1, ROUND["player"], "misread"), role="game supervisor")
    assert (desk.chips("Ann"), desk.state.balances.get(owed_by("Ann"), 0)) == (RICH - 2_000, 0)
    assert desk.state.balances.get(COMMISSION, 0) == 0
    asked(desk, c.Correct(1, ROUND["banker"], "it was right"), role="game supervisor")
    assert (desk.chips("Ann"), desk.state.balances[owed_by("Ann")]) == (RICH + 2_000, -100)
    same_after_replay(desk)


def test_vic_10_2_1_an_invalidated_coup_leaves_no_debt() -> None:
    desk = deferring()
    desk.bet("Ann", "banker", 2_000)
    played(desk, *ROUND["banker"])
    invalidate(desk, 1)
    assert (desk.chips("Ann"), desk.state.balances.get(owed_by("Ann"), 0)) == (RICH, 0)
    same_after_replay(desk)
