"""A jackpot link that is fed by the journals of its tables."""

from __future__ import annotations

from random import Random

import pytest

from croupier.game import Choose, Deal, Perform
from croupier.house.jackpot import messages as m
from croupier.house.jackpot.feed import Feed, hear
from croupier.prove.table_driver import Driver
from croupier.rulesets import known_game, ruleset
from croupier.table import commands as table_commands
from croupier.table import events as table_events
from croupier.table.desk import LiveTable
from tests.helpers.desks.jackpot import MANAGER, a_link, joining, the
from tests.helpers.desks.table import closed_desk, opened, with_players

CARDS = {
    "box 1": ("As", "Ks", "Qs", "Js", "10s"),
    "box 2": ("2h", "3h", "4d", "9c", "7c"),
    "dealer": ("2c", "5c", "8d", "9h", "Jh"),
}


def stud_table(device: str) -> LiveTable:
    """Ann and Ben with antes and jackpot wagers."""
    table = opened(
        closed_desk("nz1996", "caribbean_stud", device=device),
        jackpot=(4_500_000, 200),
        kinds={"jackpot": (200, 200)},
        supplies=device,
    )
    with_players(table, "ann", "ben")
    table.ceremony()
    for box, name in enumerate(("ann", "ben"), 1):
        table.bet(name, "ante", 1_000, box=box)
        table.bet(name, "jackpot", 200, box=box)
    return table


def play_on(table: LiveTable, most: int = 100) -> None:
    """Whatever is due, a second each, until the round is over or so much happened."""
    number, dealt = table.state.number, dict.fromkeys(CARDS, 0)
    for _ in range(most):
        due = table.state.due
        if table.state.number > number:
            return
        table.now_ms += 1_000
        match due:
            case Deal(to=to):
                table.tell(CARDS[to][dealt[to]])
                dealt[to] += 1
            case Choose(by=by):
                table.tell({"choose": "bet", "by": by})
            case Perform():
                table.act(due)
            case _:
                raise AssertionError(due)


def heard(journal: list[table_events.TableEntry], device: str = "shoe") -> tuple[m.AnyCommand, ...]:
    feed, commands = Feed("T1", device), list[m.AnyCommand]()
    for line in journal:
        feed, more = hear(feed, line)
        commands += more
    return tuple(commands)


@pytest.mark.parametrize(("device", "moments"), [("shoe", (2_000, 3_000)), ("shuffler", (6_000, 11_000))])
def test_a_round_of_a_table_feeds_the_link_and_is_paid_from_it(device: str, moments: tuple[int, int]) -> None:
    table = stud_table(device)
    play_on(table)
    commands = heard(table.journal, device)
    assert commands == (
        m.RecordWager("T1", 1, 1, "ann", 200),
        m.RecordWager("T1", 1, 2, "ben", 200),
        m.TimeHand("T1", 1, moments[0], moments[0]),
        m.TimeHand("T1", 2, moments[1], moments[1]),
        m.ReportHands("T1", {1: "royal flush"}),
    )
    # The link gets three quarters of each wager, the table's own pool all of it.
    desk = a_link(4_500_100)
    desk.ask(m.LeaveTable("T1"))
    desk.ask(joining("T1", device=device))
    for what in commands:
        desk.ask(what)
    paid = the(m.JackpotPaid, desk.ask(m.PayHands("T1")))
    settled = [line.event for line in table.journal if isinstance(line.event, table_events.WagerSettled)]
    assert (paid.player, paid.paid) == next((one.player, one.pays) for one in settled if one.rule == paid.rule)


def test_a_wager_taken_back_or_not_lit_goes_back() -> None:
    table = stud_table("shoe")
    table.ask(table_commands.WithdrawWager("ann", 1))
    table.tell({"irregular": "light_off", "to": "box 2", "call": "return"})
    assert heard(table.journal)[2:] == (m.ReturnWager("T1", 1), m.ReturnWager("T1", 2))
    play_on(table)
    assert len(heard(table.journal)) == 4


def test_a_misdeal_carries_the_wagers_and_an_invalid_round_returns_them() -> None:
    table = stud_table("shoe")
    play_on(table, 3)
    table.tell({"irregular": "wrong_count", "to": "box 1", "call": "4"})
    table.ceremony()
    assert heard(table.journal)[4:] == (m.CarryWagers("T1"),)
    table = stud_table("shoe")
    play_on(table, 3)
    table.ask(table_commands.Invalidate(1, "fire"), role=MANAGER)
    assert heard(table.journal)[4:] == (m.CarryWagers("T1"), m.ReturnWager("T1", 1), m.ReturnWager("T1", 2))


@pytest.mark.parametrize("number", [1, 5, 8, 12])
def test_whatever_happens_at_a_table_the_link_can_follow(number: int) -> None:
    """A table under any use: each command that its journal makes is one that the link takes."""
    device = ("shoe", "shuffler")[number % 2]
    rules = ruleset("nz1996", game="caribbean_stud", version="", elections={"device": device})
    driver = Driver(known_game("caribbean_stud"), rules, Random(number))
    while driver.requests < 1_500:
        driver.step()
        antes = [wager for wager in driver.table.round.standing if wager.on == "ante"]
        for ante in antes if not driver.chance.randrange(4) else ():
            driver.ask(table_commands.PlaceWager(ante.by, "jackpot", 100, box=ante.box), "player", ante.by)
    desk = a_link(100_000_000)
    desk.ask(m.LeaveTable("T1"))
    desk.ask(joining(wager=100, device=device))
    commands = heard(driver.journal, device)
    for what in commands:
        desk.ask(what)
        if isinstance(what, m.ReportHands) and what.hands:
            desk.ask(m.PayHands("T1"))
    assert sum(isinstance(what, m.ReportHands) for what in commands) > 1
