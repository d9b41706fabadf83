"""A throw that was miscalled and put right leaves a table as if it had been called truly at once (X-7.5 to 7.7)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from croupier.errors import Error, Refused
from croupier.game import Perform
from croupier.table import commands as c
from croupier.table.desk import LiveTable, replay
from croupier.table.state import snapshot
from tests.helpers.desks.table import closed_desk, opening, until_chance, until_paid

PLAYERS = ("ann", "ben")
ONS = (
    "pass", "dont_pass", "come", "dont_come", "place:6", "place:8", "buy:4", "lay:10", "hardway:8", "hardway:6",
    "big_six", "field", "any_seven", "horn", "c_and_e", "pass_odds:6", "pass_odds:8", "come_odds:9", "come_odds:6",
)  # fmt: skip
LADDER = ("game supervisor", "casino supervisor", "shift manager")


def wrong_call(call: str) -> dict[str, Any]:
    return {"irregular": "wrong_call", "call": call}


def _throw(chance: random.Random) -> str:
    return f"{chance.randint(1, 6)}-{chance.randint(1, 6)}"


class Pair:
    """Two tables: at one a throw may be miscalled first, the other has only true throws."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.wrong, self.true = (closed_desk("nz1996", "craps") for _ in range(2))
        for desk in (self.wrong, self.true):
            desk.ask(opening(supervisor="sue"), by="sue", role="game supervisor")
            for seat, player in enumerate(PLAYERS, 1):
                desk.sit(player, seat, chips=1_000_000)

    def both(self, what: Any, *, by: str, role: str = "player") -> None:
        answers = []
        for desk in (self.wrong, self.true):
            try:
                desk.ask(what, by=by, role=role)
                answers.append("")
            except Refused as refused:
                answers.append(str(refused))
        assert answers[0] == answers[1], what

    def bettors(self) -> None:
        chance = self.chance
        for _ in range(chance.randint(0, 5)):
            who = chance.choice(PLAYERS)
            amount = chance.choice((1000, 1200, 2000, 6000))
            self.both(c.PlaceWager(who, chance.choice(ONS), amount), by=who)
        for player in PLAYERS:
            self.both(c.PlaceWager(player, "pass", 1000), by=player)
        self.call()

    def call(self) -> None:
        """Somebody calls wagers on or off; "on" is confirmed by the dealer, who tells it."""
        who, on = self.chance.choice(PLAYERS), self.chance.choice(("", "place:6", "hardway:8", "buy:4"))
        said = {"call": self.chance.choice(("on", "off")), "by": who} | ({"on": on} if on else {})
        self.both(c.Tell(said), by="dan", role="dealer")

    def throw(self) -> None:
        """The same throw at both tables, at one of them after one or two wrong ones, put right at any time."""
        chance, true = self.chance, _throw(self.chance)
        calls = [_throw(chance) for _ in range(chance.randint(1, 3))]
        officials = LADDER[: len(calls)]
        self.wrong.tell(calls[0])
        self._acts(self.wrong, chance.randint(0, 3))
        for call, official in zip((*calls[1:], true), officials, strict=True):
            void = chance.random() < 0.2
            self.wrong.tell(wrong_call("no_roll" if void else call), role=official)
            if void:
                until_chance(self.wrong)
                self.wrong.tell(true)
                break
        self.true.tell(true)

    @staticmethod
    def _acts(desk: LiveTable, count: int) -> None:
        for _ in range(count):
            due = desk.state.due
            assert isinstance(due, Perform)
            desk.act(due)

    def alike(self) -> None:
        wrong, true = (desk.state for desk in (self.wrong, self.true))
        assert wrong.round.state == true.round.state
        assert wrong.due == true.due
        for account in {*wrong.balances, *true.balances}:
            assert wrong.balances.get(account, 0) == true.balances.get(account, 0), account
        assert [entry.wager for entry in wrong.round.book] == [entry.wager for entry in true.round.book]
        for ours, theirs in zip(wrong.records, true.records, strict=True):
            assert sorted(map(repr, ours.lines)) == sorted(map(repr, theirs.lines))


@pytest.mark.parametrize("seed", range(60))
def test_x_7_5_a_session_of_wrong_calls_ends_as_one_of_true_throws(seed: int) -> None:
    pair = Pair(seed)
    for _ in range(8):
        pair.bettors()
        try:
            for desk in (pair.wrong, pair.true):
                until_chance(desk)
        except Error:
            break
        pair.throw()
        for desk in (pair.wrong, pair.true):
            until_paid(desk)
        pair.alike()
        if pair.chance.random() < 0.3:
            number = pair.chance.randint(1, pair.true.state.number - 1)
            pair.both(c.Correct(number, (_throw(pair.chance),), "misread"), by="mia", role="casino manager")
            pair.alike()
    for desk in (pair.wrong, pair.true):
        again = replay(desk.state.game, desk.state.ruleset, desk.written(), desk.state.name)
        assert snapshot(again) == snapshot(desk.state)
