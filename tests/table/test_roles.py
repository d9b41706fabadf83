"""Who may ask for what, role by role: every cell of the table of permissions, under both general laws.

The lists below are written from the laws, not from the code.  A role that may is not refused for its role (it may still
be refused for something else); any other is refused with the rule that says whose business it is.
"""

from __future__ import annotations

import pytest

from croupier.equipment import CARDS
from croupier.game import Refusal
from croupier.law.officials import ROLES
from croupier.table import commands as c
from croupier.table.commands import AnyCommand, TableRequest
from croupier.table.decide import decide
from croupier.table.events import ColourIssued, RoundInvalidated
from croupier.table.terminals import commands as t
from tests.helpers.desks.table import a_desk, asked, only, put, refused, until_chance, with_players
from tests.helpers.observe import carries

LADDER = ("dealer", "game supervisor", "casino supervisor", "shift manager", "casino manager")
GAME, CASINO, SHIFT = LADDER[1:], LADDER[2:], LADDER[3:]
NZ, VIC, EB = "NZ1996-I-", "VIC2002-", "NZEB-"
STAFF_NZ, STAFF_VIC = (*LADDER, "stickperson"), LADDER
DEALER = {"nz1998": NZ + "1.0-def-dealer", "vic2002": VIC + "1.1.dealer"}
SUPERVISOR = {"nz1998": NZ + "1.0-def-game-supervisor", "vic2002": VIC + "1.1.game-supervisor"}

MAY: tuple[tuple[str, AnyCommand, tuple[str, ...], str], ...] = (
    *(
        (edition, what, (*staff, *more), DEALER[edition])
        for edition, staff in (("nz1998", STAFF_NZ), ("vic2002", STAFF_VIC))
        for what, more in (
            (c.TakeBack("a slip"), ()),
            (c.DeferCommission("ann"), ()),
            (c.BuyChips("ann", 100), ("cashier",)),
            (c.PlaceWager("ann", "player", 1000), ("player",)),
            (c.Tell("2h"), ("player", "inspector")),
        )
    ),
    *((edition, c.AskToLeave("ann"), GAME, SUPERVISOR[edition]) for edition in ("nz1998", "vic2002")),
    *((edition, c.Overrule(0, ""), (*GAME, "inspector"), SUPERVISOR[edition]) for edition in ("nz1998", "vic2002")),
    ("nz1998", c.Exclude("ann", "noise"), CASINO, NZ + "1.0-def-casino-supervisor"),
    ("vic2002", c.Exclude("ann", "noise"), CASINO, VIC + "1.1.casino-supervisor"),
    ("nz1998", c.PostClosing(10**9), CASINO, NZ + "6.0"),
    ("vic2002", c.PostClosing(10**9), CASINO, VIC + "13.7"),
    ("nz1998", c.ChangeLimits(500, 100_000), GAME, NZ + "13.1"),
    ("vic2002", c.ChangeLimits(500, 100_000), CASINO, VIC + "7.7"),
    ("nz1998", c.SetPersonalLimit("ann", 500, 200_000), SHIFT, NZ + "13.4"),
    ("vic2002", c.SetPersonalLimit("ann", 500, 200_000), CASINO, VIC + "7.6"),
    ("nz1998", c.Invalidate(1, "fire"), SHIFT, NZ + "12.1"),
    ("vic2002", c.Invalidate(1, "fire"), CASINO, VIC + "13.3"),
    ("nz1998", c.Sanction("ann", "exclude"), SHIFT, NZ + "11.2"),
    ("vic2002", c.Sanction("ann", "exclude"), CASINO, VIC + "13.2"),
    *(
        ("nzeb", what, GAME, NZ + "1.0-def-game-supervisor")
        for what in (
            t.ApproveSystem("1.0", "TA-0"),
            t.PairTerminal(7, 1000, 5000),
            t.UnpairTerminal("ann"),
            t.ReturnSlip("ann", "slow"),
            t.ReportMalfunction("smoke", "ann"),
            t.ReportToInspector(0, "R-1"),
            t.Investigate(0, "a cable"),
            t.RefundRound(0),
            t.CloseMalfunction(0),
        )
    ),
    ("nzeb", t.SetTerminalLimits("ann", 1000, 5000), GAME, NZ + "13.1"),
    ("nzeb", t.InsertNotes("ann", (500,)), ("note acceptor",), EB + "5.3A"),
    ("nzeb", t.ConfirmSlip("ann", ""), ("player",), EB + "5.5"),
    ("nzeb", t.CreditTerminal("ann", 500), STAFF_NZ, EB + "5.3B"),
    ("nzeb", t.CancelCredit("ann"), STAFF_NZ, EB + "3.4e"),
    ("nzeb", t.CashOut("ann", "v1"), (*STAFF_NZ, "player"), NZ + "1.0-def-dealer"),
    ("nzeb", t.RedeemVoucher("v1", 500), (*STAFF_NZ, "cashier"), NZ + "1.0-def-dealer"),
    ("nzeb", t.PayDue("ann", "v1"), (*STAFF_NZ, "cashier"), NZ + "1.0-def-dealer"),
)


@pytest.mark.parametrize(
    ("edition", "what", "who", "rule"), MAY, ids=[f"{edition}-{type(what).__name__}" for edition, what, _, _ in MAY]
)
def test_who_may_ask(edition: str, what: AnyCommand, who: tuple[str, ...], rule: str) -> None:
    desk = with_players(a_desk(edition), "ann")
    for role in ROLES:
        answer = decide(desk.state, TableRequest(what, "ann" if role == "player" else role, role, 0))
        barred = isinstance(answer, Refusal) and "and those above, not for the" in answer.reason
        assert barred == (role not in who), f"{role}: {answer}"
        if barred:
            assert isinstance(answer, Refusal)
            carries(answer, rule)


def test_6_2_1_who_may_let_a_player_stand() -> None:
    desk = a_desk("vic2002")
    for role in GAME:
        carries(only(asked(desk, c.AllowStanding("ann"), role=role), type(desk.journal[-1].event)), VIC + "6.2.1")


# ---------------------------------------------------------------- values that are compared as they are


def test_19_1_a_deck_has_52_cards_and_no_more_of_one_come_than_the_packs_hold() -> None:
    desk = with_players(a_desk("nz1996", "caribbean_stud"), "ann")
    desk.bet("ann", "ante", 1000, box=1)
    until_chance(desk)
    desk.tell("2h")
    carries(refused(desk, c.Tell("2h")), NZ + "19.1")
    law = desk.state.general.deck
    assert law.value == CARDS  # type: ignore[union-attr]


def test_12_2_a_fraudster_s_wager_is_forfeited() -> None:
    desk = with_players(a_desk(), "ann", "bob", chips=10_000)
    desk.bet("ann", "player", 2000)
    desk.bet("bob", "player", 2000)
    events = asked(desk, c.Invalidate(1, "fraud", ("bob",)), role="shift manager")
    event = only(events, RoundInvalidated)
    assert event.forfeited == ("bob",)
    carries(event.transfers[0], NZ + "12.2")
    assert (desk.chips("ann"), desk.chips("bob")) == (10_000, 8_000)


@pytest.mark.parametrize("game", ["roulette", "tai_sai", "money_wheel"])
def test_18_1_colours_are_for_three_games(game: str) -> None:
    desk = with_players(a_desk("nz1996", game), "ann")
    carries(only(asked(desk, c.IssueColour("ann", "blue", 500, 4)), ColourIssued), NZ + "18.2e")
    other = with_players(a_desk("nz1996", "craps"), "ann")
    carries(refused(other, c.IssueColour("ann", "blue", 500, 4)), NZ + "18.1")


def test_6_1_victoria_takes_wagers_in_chips_only() -> None:
    desk = with_players(a_desk("vic2002"), "ann")
    carries(refused(desk, put("ann", "player", 1050)), VIC + "6.1")
