"""Money that comes back, is owed or moves again: buys taken down, deferred commission, corrections, wrong payments."""

from __future__ import annotations

import pytest

from croupier.game import Perform
from croupier.table import commands as c
from croupier.table.events import PlacementShown, WagerPlaced, WagerSettled
from tests.helpers.desks.table import (
    ROUND,
    a_desk,
    asked,
    only,
    played,
    put,
    refused,
    until_chance,
    until_paid,
    with_players,
)
from tests.helpers.desks.terminal import EIGHT, SEVEN, confirmed, same_after_replay, touch, with_terminals
from tests.helpers.observe import carries


def test_withdraw_a_buy() -> None:
    d = with_players(a_desk("nz1996", "craps"), "ann", chips=10_000)
    n = d.bet("ann", "buy:4", 4000)
    asked(d, c.WithdrawWager("ann", n), role="player", by="ann")
    assert (d.chips("ann"), d.state.balances["commission"]) == (10_000, 0)


def test_cut_then_down() -> None:
    d = with_players(a_desk("nz1996", "craps"), "ann", chips=10_000)
    d.bet("ann", "buy:4", 4000)
    d.tell({"take": "buy:4", "amount": 2000}, role="player", by="ann")
    d.tell({"take": "buy:4"}, role="player", by="ann")
    assert (d.chips("ann"), d.state.staked("ann"), d.state.balances["commission"]) == (10_000, 0, 0)


def test_10_2_1_crown_s_half_on_six_is_not_deferred_nor_anything_of_a_standing_player() -> None:
    d = with_players(a_desk("vic2002", version="crown"), "ann", chips=50_000)
    asked(d, c.DeferCommission("ann"))
    d.bet("ann", "banker", 2000)
    won = only(played(d, "2h", "6d", "Kc", "Ks", "2d"), WagerSettled)
    assert (won.pays, d.state.balances.get("owed:ann", 0)) == (1000, 0)
    asked(d, c.AllowStanding("bob"), role="game supervisor")
    asked(d, c.Sit("bob"))
    carries(refused(d, c.DeferCommission("bob")), "VIC2002-10.2.1")


def test_new_shoe_with_commission_owing_is_blocked() -> None:
    d = with_players(a_desk("vic2002"), "ann", chips=50_000)
    asked(d, c.DeferCommission("ann"))
    d.bet("ann", "banker", 2000)
    until_chance(d)
    d.tell(ROUND["banker"][0])
    d.tell({"perform": "cutting card"})
    played(d, *ROUND["banker"][1:])
    for _ in range(5):
        due = d.state.due
        if isinstance(due, Perform) and due.act in ("mix again", "remove cards"):
            assert refused(d, c.Tell({"perform": due.act, "by": due.by})).rule == "VIC2002-10.2.1a"
            return
        if isinstance(due, Perform) and not due.act.startswith("call No more"):
            d.act(due)
        else:
            d.bet("ann", "player", 1000)
            played(d, *ROUND["player"])
    pytest.fail("no new shoe")


def test_commission_account_after_correction() -> None:
    d = with_players(a_desk(), "ann", chips=50_000)
    d.bet("ann", "banker", 2000)
    played(d, *ROUND["banker"])
    asked(d, c.Correct(1, ROUND["player"], "x"), role="game supervisor")
    assert (d.chips("ann"), d.state.balances["commission"], d.state.balances["bank"]) == (48_000, 0, 2000)


def test_shown_back_by_decide() -> None:
    d = with_players(a_desk("nzd5"), "ann")
    assert only(asked(d, put("ann", "player", 1000)), PlacementShown).rule == "NZD5-5.5.s2"


def test_time_before_kind_against() -> None:
    d = with_players(a_desk(), "ann", "bob")
    d.bet("bob", "player", 1000)
    until_chance(d)
    assert "no wager after the call" in refused(d, put("ann", "player", 1000, against="bob")).reason
    assert "no wager after the call" in refused(d, put("ann", "player", 1000, colour="blue")).reason
    assert "no wager after the call" in refused(d, put("ann", "player", 1000, stack=(500,))).reason


def test_kind_before_amount_zero() -> None:
    d = with_players(a_desk(), "ann")
    assert "is not a wager" in refused(d, put("ann", "the rail", 0)).reason


def test_all_decline_after_a_seven_out() -> None:
    d = with_players(a_desk("nz1996", "craps"), "ann", "bob")
    for n in ("ann", "bob"):
        d.bet(n, "pass", 1000)
    for dice in ("4-4", "3-4"):
        played(d, dice)
    for n in ("ann", "bob"):
        d.bet(n, "pass", 1000)
    # Who threw the seven out must pass the dice, so only bob is asked.
    assert "offered to bob" in refused(d, c.Tell({"choose": "decline_dice", "by": "ann"})).reason
    d.tell({"choose": "decline_dice", "by": "bob"})
    d.ceremony()
    assert "roll stickperson" in d.due, d.due


def test_paid_otherwise_does_not_bring_back_who_left() -> None:
    d = with_players(a_desk(), "ann", chips=50_000)
    d.bet("ann", "player", 10_000)
    played(d, *ROUND["player"])
    asked(d, c.Leave("ann"))
    asked(d, c.ReportPaid(1, 0, 30_000), role="game supervisor")
    assert "ann" not in d.state.players
    same_after_replay(d)


def test_6_6_a_banker_wager_that_chips_cannot_pay_is_turned_away_where_the_operator_says_so() -> None:
    d = with_players(a_desk("vic2002", refuse_unpayable=True), "ann")
    carries(refused(d, put("ann", "banker", 1000)), "VIC2002-6.6")
    asked(d, put("ann", "banker", 2000))


def test_14_4_a_place_wager_that_chips_cannot_pay_is_turned_away_where_the_operator_says_so() -> None:
    d = with_players(a_desk("nz1996", "craps", refuse_unpayable=True, minimum=500), "ann")
    carries(refused(d, put("ann", "place:6", 500)), "NZ1996-I-14.4")
    asked(d, put("ann", "place:6", 600))


@pytest.mark.parametrize(("edition", "rule"), [("nz1998", "NZ1996-I-14.2b"), ("vic2002", "VIC2002-7.3.2")])
def test_what_lies_above_the_maximum_unnoticed_is_void(edition: str, rule: str) -> None:
    d = with_players(a_desk(edition), "ann")
    event = only(asked(d, put("ann", "player", 110_000, found=True)), WagerPlaced)
    assert (event.stake, event.voided, event.void_rule) == (100_000, 10_000, rule)


def test_10_3b_iii_terminals_have_their_winnings_when_balances_are_shown_and_the_layout_when_it_is_paid() -> None:
    d = with_players(with_terminals(7, 8, version="hybrid"), "ann", chips=50_000)
    d.bet("ann", "player", 1000)
    touch(d, SEVEN, "player", 1000)
    touch(d, EIGHT, "banker", 1000)
    until_chance(d)
    confirmed(d)
    d.tell(*ROUND["player"])
    while not (isinstance(due := d.state.due, Perform) and due.act == "show winnings and balances"):
        assert isinstance(due, Perform)
        d.act(due)
    assert (d.chips(SEVEN), d.chips(EIGHT), d.chips("ann")) == (49_000, 49_000, 49_000)
    before = len(d.journal)
    d.act(due)
    paid = {e.event.player: e.event.result for e in d.journal[before:] if isinstance(e.event, WagerSettled)}
    assert paid == {SEVEN: "won", EIGHT: "lost"}
    assert (d.chips(SEVEN), d.chips(EIGHT), d.chips("ann")) == (51_000, 49_000, 49_000)
    until_paid(d)
    assert (d.chips(SEVEN), d.chips(EIGHT), d.chips("ann")) == (51_000, 49_000, 51_000)
    same_after_replay(d)
