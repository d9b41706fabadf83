"""Corrections with the next round on the layout: each bettor stands as if the true result had been told at once."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from croupier.errors import Error
from croupier.game import Choose, Deal, Roll
from croupier.table import commands as c
from croupier.table.desk import LiveTable, replay
from croupier.table.events import RoundCorrected
from croupier.table.state import snapshot
from tests.helpers.desks.table import (
    RICH,
    ROUND,
    a_desk,
    asked,
    closed_desk,
    only,
    opening,
    played,
    refused,
    until_chance,
    until_paid,
    with_players,
)

MANAGER = "casino manager"
STUD = ("Ah", "Ac", "2d", "7s", "9h", "Kh", "Ad", "3c", "8d", "Jc")
"""Ann has a pair of aces; so has the dealer's hand an ace and a king, which qualifies."""


def craps(*players: str) -> LiveTable:
    return with_players(a_desk("nz1996", "craps"), *(players or ("ann", "bob")))


def corrected(desk: LiveTable, number: int, *facts: str | dict[str, Any]) -> RoundCorrected:
    return only(asked(desk, c.Correct(number, facts, "misread"), role=MANAGER), RoundCorrected)


def holdings(desk: LiveTable, player: str = "ann") -> tuple[int, int]:
    return desk.chips(player) - RICH, desk.state.staked(player)


def replays(desk: LiveTable) -> bool:
    again = replay(desk.state.game, desk.state.ruleset, desk.written(), desk.state.name)
    return snapshot(again) == snapshot(desk.state)


def stud_round(desk: LiveTable, choice: str) -> None:
    """A round of stud with the same cards, in which every player makes the same choice."""
    cards, number = iter(STUD), desk.state.number
    while desk.state.number == number:
        match desk.state.due:
            case Deal():
                desk.tell(next(cards))
            case Choose(by=by):
                desk.tell({"choose": choice, "by": by})
            case _:
                desk.ceremony()


# ---------------------------------------------------------------- choices that were truly others


def test_a_bet_that_was_truly_made_is_paid_and_is_not_the_wager_of_the_next_round() -> None:
    desk = with_players(a_desk("nz1996", "caribbean_stud"), "ann")
    desk.bet("ann", "ante", 1000)
    stud_round(desk, "fold")
    desk.bet("ann", "ante", 2000)
    assert holdings(desk) == (-3000, 2000)
    corrected(desk, 1, *STUD, {"choose": "bet", "by": "box 1"})
    assert holdings(desk) == (1000, 2000)  # the ante and the bet of twice as much win; the next ante lies there
    stud_round(desk, "fold")
    assert holdings(desk) == (1000, 0)
    numbers = [line.wager.number for record in desk.state.records for line in record.lines]
    assert len(numbers) == len({*numbers}) == 3
    assert replays(desk)


def test_a_bet_that_was_truly_not_made_goes_back_and_comes_again() -> None:
    desk = with_players(a_desk("nz1996", "caribbean_stud"), "ann")
    desk.bet("ann", "ante", 1000)
    stud_round(desk, "bet")
    won = holdings(desk)
    assert won == (3000, 0)
    corrected(desk, 1, *STUD, {"choose": "fold", "by": "box 1"})
    assert holdings(desk) == (-1000, 0)
    corrected(desk, 1, *STUD, {"choose": "bet", "by": "box 1"})
    assert holdings(desk) == won
    assert replays(desk)


# ---------------------------------------------------------------- what was said and placed in the round in hand


def test_nz1996_x_3_8_a_wager_called_off_before_the_throw_stays_off() -> None:
    desk = craps()
    desk.bet("ann", "pass", 1000)
    desk.bet("ann", "place:8", 1200)
    played(desk, "3-3")
    played(desk, "4-5")
    asked(desk, c.Tell({"call": "off", "on": "place:8", "by": "ann"}))
    corrected(desk, 2, "5-5")
    played(desk, "4-4")
    assert holdings(desk) == (-2200, 2200)


def test_a_wager_of_the_round_in_hand_that_could_not_be_made_goes_back() -> None:
    desk = craps()
    desk.bet("ann", "pass", 1000)
    played(desk, "5-6")
    desk.bet("bob", "pass", 3000)
    desk.bet("bob", "field", 1000)
    corrected(desk, 1, "5-5")
    assert holdings(desk, "bob") == (-1000, 1000)
    assert holdings(desk) == (-1000, 1000)
    assert replays(desk)


def test_nz1996_x_3_11_commission_that_goes_back_with_a_wager_is_no_commission() -> None:
    desk = craps()
    desk.bet("ann", "pass", 1000)
    played(desk, "3-3")
    desk.bet("ann", "buy:4", 4000)
    played(desk, "4-5")
    assert desk.state.balances["commission"] == 200
    asked(desk, c.WithdrawWager("ann", 1), role="player", by="ann")
    assert (holdings(desk), desk.state.balances["commission"]) == ((-1000, 1000), 0)
    corrected(desk, 2, "3-4")
    assert (holdings(desk), desk.state.balances["commission"]) == ((-5200, 0), 200)
    corrected(desk, 2, "4-5")
    assert (holdings(desk), desk.state.balances["commission"]) == ((-1000, 1000), 0)


def test_what_one_wager_lost_by_a_call_another_of_its_name_keeps() -> None:
    desk = craps()
    desk.bet("ann", "pass", 1000)
    desk.bet("ann", "place:8", 6000)
    played(desk, "3-3")
    played(desk, "3-4")
    desk.bet("ann", "place:8", 1200)
    asked(desk, c.WithdrawWager("ann", 2), role="player", by="ann")
    corrected(desk, 2, "4-5")
    assert holdings(desk) == (-7000, 7000)
    assert replays(desk)


def test_a_part_that_was_taken_by_number_is_not_taken_twice() -> None:
    desk = craps()
    desk.bet("ann", "pass", 1000)
    desk.bet("ann", "place:8", 6000)
    asked(desk, c.Tell({"take": "#1", "by": "ann", "amount": 2400}), role="player", by="ann")
    played(desk, "3-3")
    assert holdings(desk) == (-4600, 4600)
    corrected(desk, 1, "2-4")
    assert holdings(desk) == (-4600, 4600)
    corrected(desk, 1, {"call": "off", "on": "place:8", "by": "ann"}, "5-5")
    assert holdings(desk) == (-4600, 4600)
    assert replays(desk)


def test_a_part_that_was_taken_back_is_not_placed_again_by_taking_back_the_call() -> None:
    desk = craps()
    desk.bet("ann", "place:8", 6000)
    asked(desk, c.Tell({"take": "place:8", "by": "ann", "amount": 2400}), role="player", by="ann")
    assert "taken back since" in refused(desk, c.TakeBack("by mistake")).reason
    assert holdings(desk) == (-3600, 3600)


# ---------------------------------------------------------------- while something has fallen already


def a_throw(desk: LiveTable) -> None:
    desk.tell("4-4")


def a_tilted_die(desk: LiveTable) -> None:
    desk.tell({"irregular": "tilted_die", "to": "4-r3"})


@pytest.mark.parametrize("falls", [a_throw, a_tilted_die])
def test_no_earlier_throw_is_changed_while_one_is_in_hand(falls: Callable[[LiveTable], None]) -> None:
    desk = craps()
    desk.bet("ann", "pass", 1000)
    played(desk, "5-6")
    desk.bet("ann", "pass", 1000)
    until_chance(desk)
    assert isinstance(desk.state.due, Roll)
    falls(desk)
    first = "finish the round in hand first"
    assert refused(desk, c.Correct(1, ("5-5",), "misread"), role=MANAGER).reason == first
    assert refused(desk, c.Invalidate(1, "fire"), role=MANAGER).reason == first


# ---------------------------------------------------------------- rounds without an outcome


def test_nz1996_i_12_2_what_was_taken_back_in_a_round_without_an_outcome_stays_taken_back() -> None:
    desk = craps()
    desk.bet("ann", "pass", 1000)
    desk.bet("ann", "place:8", 6000)
    played(desk, "3-3")
    asked(desk, c.Tell({"take": "place:8", "by": "ann", "amount": 2400}), role="player", by="ann")
    played(desk, "4-5")
    asked(desk, c.Invalidate(2, "fire"), role=MANAGER)
    assert holdings(desk) == (-4600, 4600)
    corrected(desk, 1, "2-4")
    assert holdings(desk) == (-4600, 4600)
    assert replays(desk)


def test_vic2002_a_run_that_was_void_when_it_was_placed_goes_back_once() -> None:
    desk = with_players(a_desk("vic2002", minimum=1000), "ann", "bob")
    desk.bet("bob", "player", 500, found=True)  # let pass once
    found = desk.bet("bob", "player_run_3", 500, found=True)
    line = desk.state.line(found)
    assert line is not None
    assert not line.wager.stake_cents
    played(desk, *ROUND["banker"])
    assert holdings(desk, "bob") == (-500, 0)
    asked(desk, c.Invalidate(1, "fire"), role=MANAGER)
    assert holdings(desk, "bob") == (0, 0)
    assert replays(desk)


# ---------------------------------------------------------------- whole sessions of craps

PLAYERS = ("ann", "ben")
ONS = (
    "pass", "dont_pass", "come", "dont_come", "place:6", "place:8", "place:4", "buy:4", "lay:10", "hardway:8",
    "big_six", "field", "any_seven", "horn", "c_and_e", "pass_odds:6", "pass_odds:8", "come_odds:9",
)  # fmt: skip


def _throw(chance: random.Random) -> str:
    return f"{chance.randint(1, 6)}-{chance.randint(1, 6)}"


def _bettors(desk: LiveTable, chance: random.Random) -> None:
    """Some bet, and somebody takes a wager back, or part of it."""
    for _ in range(chance.randint(0, 4)):
        with suppress(Error):
            desk.bet(chance.choice(PLAYERS), chance.choice(ONS), chance.choice((1000, 1200, 2000, 6000)))
    book = [entry.wager for entry in desk.state.round.book]
    if book and chance.random() < 0.5:
        wager = chance.choice(book)
        whole = c.WithdrawWager(wager.by, wager.number)
        part = c.Tell({"take": wager.on, "by": wager.by, "amount": 1000})
        with suppress(Error):
            desk.ask(chance.choice((whole, part)), by=wager.by, role="player")


def _officials(desk: LiveTable, chance: random.Random) -> None:
    """An earlier throw is corrected, or loses its outcome."""
    if desk.state.number == 1 or chance.random() < 0.6:
        return
    number = chance.randint(max(1, desk.state.number - 4), desk.state.number - 1)
    corrected, invalid = c.Correct(number, (_throw(chance),), "misread"), c.Invalidate(number, "fire")
    with suppress(Error):
        desk.ask(chance.choice((corrected, corrected, invalid)), by="mia", role="casino manager")


@pytest.mark.parametrize("seed", range(40))
def test_nz1996_i_15_1_after_corrections_the_stakes_are_what_lies_there(seed: int) -> None:
    chance = random.Random(seed)
    desk = closed_desk("nz1996", "craps")
    desk.ask(opening(supervisor="sue"), by="sue", role="game supervisor")
    for seat, player in enumerate(PLAYERS, 1):
        desk.sit(player, seat, chips=1_000_000)
    for _ in range(10):
        _bettors(desk, chance)
        _officials(desk, chance)
        for player in PLAYERS:
            with suppress(Error):
                desk.bet(player, "pass", 1000)
        try:
            until_chance(desk)
        except Error:
            break  # a correction may leave a point on and nobody on the line, who alone may throw
        desk.tell(_throw(chance))
        until_paid(desk)
        for player in PLAYERS:
            there = [entry.wager for entry in desk.state.round.book if entry.wager.by == player]
            assert desk.state.staked(player) == sum(wager.stake_cents + wager.voided_cents for wager in there)
    assert replays(desk)
