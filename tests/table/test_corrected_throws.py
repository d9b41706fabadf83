"""Sessions of craps in which wagers are taken back and throws are corrected: the stakes hold what lies there."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from croupier.errors import Error
from croupier.rulesets import known_game, ruleset
from croupier.table import commands as c
from croupier.table.desk import LiveTable
from croupier.table.evolve import after
from croupier.table.state import new_table
from tests.helpers.desks.table import opening, until_chance, until_paid

GAME, RULES = known_game("craps"), ruleset("nz1996", game="craps")
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
    desk = LiveTable(GAME, RULES)
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
    assert after(new_table("table 1", GAME, RULES), desk.journal).balances == desk.state.balances
