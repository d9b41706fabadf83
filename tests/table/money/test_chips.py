"""Chips, cash and colours."""

from __future__ import annotations

import pytest

from croupier.money import LARGEST_AMOUNT
from croupier.table import commands as c
from croupier.table.desk import LiveTable
from croupier.table.events import (
    ChipsBought,
    ChipsExchanged,
    ChipsRedeemed,
    ColourIssued,
    ColourRedeemed,
    ColourRequired,
    UnclaimedHeld,
    WagerPlaced,
)
from tests.helpers.desks.table import a_desk, asked, moved, only, put, refused, with_players
from tests.helpers.observe import carries

I = "NZ1996-I-"  # noqa: E741
V = "VIC2002-"


def roulette(*names: str) -> LiveTable:
    return with_players(a_desk("nz1996", "roulette", minimum=500), *names, chips=10_000)


# ---------------------------------------------------------------- wagers are chips


@pytest.mark.parametrize(
    ("edition", "buying", "rule"), [("nz1998", I + "14.3", I + "14.3"), ("vic2002", V + "6.3", V + "6.1")]
)
def test_cash_becomes_chips_before_it_is_a_wager(edition: str, buying: str, rule: str) -> None:
    desk = with_players(a_desk(edition), "ann", chips=0)
    carries(refused(desk, put("ann", "player", 1000)), rule)
    bought = only(asked(desk, c.BuyChips("ann", 1000)), ChipsBought)
    carries(bought, buying)
    carries(moved(bought, "cash", "chips:ann"), buying)
    placed = only(asked(desk, put("ann", "player", 1000)), WagerPlaced)
    carries(moved(placed, "chips:ann", "stakes:ann"), rule)
    carries(refused(desk, put("ann", "player", 1000)), rule)


@pytest.mark.parametrize("amount", [0, -100, 99, 101, LARGEST_AMOUNT + 100])
def test_chips_are_bought_in_whole_chips(amount: int) -> None:
    carries(refused(with_players(a_desk(), "ann"), c.BuyChips("ann", amount)), I + "14.3")


def test_i_1_0_only_what_stands_in_for_money_here() -> None:
    desk = with_players(a_desk(), "ann")
    carries(refused(desk, c.BuyChips("ann", 1000, tender="keno chips")), I + "14.3")
    assert only(asked(desk, c.BuyChips("ann", 100, tender="voucher")), ChipsBought).tender == "voucher"
    carries(refused(desk, c.BuyChips("zoe", 1000)), I + "14.3")
    carries(refused(desk, put("ann", "player", 1050)), I + "14.3")


# ---------------------------------------------------------------- exchanged and redeemed


def test_i_17_1a_an_exchange_is_of_equal_value() -> None:
    desk = with_players(a_desk(), "ann", chips=10_000)
    swap = c.ExchangeChips("ann", given=(10_000,), wanted=(2500,) * 4)
    event = only(asked(desk, swap, role="cashier"), ChipsExchanged)
    carries(event, I + "17.1a")
    assert (event.amount, event.transfers, desk.chips("ann")) == (10_000, (), 10_000)
    for given, wanted in (
        ((10_000,), (2500,) * 3),
        ((10_000,), (10_100,)),
        ((), ()),
        ((-100, 200), (100,)),
        ((10_100,), (10_100,)),
    ):
        carries(refused(desk, c.ExchangeChips("ann", given, wanted), role="cashier"), I + "17.1a")


def test_i_17_1b_chips_are_redeemed_in_cash_and_by_cheque() -> None:
    desk = with_players(a_desk(), "ann", chips=25_000)
    event = only(asked(desk, c.RedeemChips("ann", 25_000, cheque=20_000), role="cashier"), ChipsRedeemed)
    carries(event, I + "17.1b")
    assert (event.cash, event.cheque) == (5000, 20_000)
    assert moved(event, "chips:ann", "cash").amount == 5000
    assert moved(event, "chips:ann", "cheques").amount == 20_000
    assert desk.chips("ann") == 0


@pytest.mark.parametrize(("amount", "cheque"), [(0, 0), (10_100, 0), (10_000, 10_001), (10_000, -1), (-100, 0)])
def test_i_17_1b_no_more_than_there_is(amount: int, cheque: int) -> None:
    desk = with_players(a_desk(), "ann", chips=10_000)
    carries(refused(desk, c.RedeemChips("ann", amount, cheque), role="cashier"), I + "17.1b")


def test_whoever_left_with_chips_may_still_redeem_them() -> None:
    desk = with_players(a_desk(), "ann", chips=10_000)
    asked(desk, c.Leave("ann"))
    carries(only(asked(desk, c.RedeemChips("ann", 10_000), role="cashier"), ChipsRedeemed), I + "17.1b")
    carries(refused(desk, c.RedeemChips("ann", 100), role="cashier"), I + "14.3")


def test_i_17_2_promotional_chips_are_no_cash() -> None:
    desk = with_players(a_desk(), "ann")
    carries(refused(desk, c.RedeemChips("ann", 1000, promotional=True), role="cashier"), I + "17.2")
    assert only(asked(desk, c.RedeemChips("ann", 1000), role="cashier"), ChipsRedeemed).cash == 1000


def test_i_16_2_what_nobody_collects_is_held() -> None:
    desk = with_players(a_desk(), "ann", chips=4000)
    asked(desk, c.Leave("ann"))
    for amount in (0, 4001):
        carries(refused(desk, c.HoldUnclaimed("ann", amount), role="game supervisor"), I + "16.2")
    event = only(asked(desk, c.HoldUnclaimed("ann", 4000), role="game supervisor", at=77), UnclaimedHeld)
    carries(event, I + "16.2")
    carries(moved(event, "chips:ann", "held"), I + "16.2")
    assert (desk.journal[-1].at_ms, desk.state.balances["held"]) == (77, 4000)


def test_victoria_says_nothing_of_either() -> None:
    desk = with_players(a_desk("vic2002"), "ann")
    carries(refused(desk, c.ExchangeChips("ann", (100,), (100,)), role="cashier"), V + "6.1")
    carries(refused(desk, c.HoldUnclaimed("ann", 100), role="game supervisor"), V + "13.10")


# ---------------------------------------------------------------- colours


def test_i_18_2e_a_value_is_declared_before_play() -> None:
    desk = roulette("ann")
    carries(refused(desk, put("ann", "straight:7", 2000, colour="blue")), I + "18.2e")
    for value in (0, -500):
        carries(refused(desk, c.IssueColour("ann", "blue", value, 10)), I + "18.2e")
    event = only(asked(desk, c.IssueColour("ann", "blue", 500, 20)), ColourIssued)
    carries(event, I + "18.2e")
    carries(refused(desk, put("ann", "straight:7", 1900, colour="blue")), I + "18.2e")
    assert only(asked(desk, put("ann", "straight:7", 4 * 500, colour="blue")), WagerPlaced).stake == 2000
    carries(refused(desk, c.IssueColour("ann", "blue", 1000, 1)), I + "18.2e")
    carries(refused(desk, c.RedeemColour("ann", "blue")), I + "18.2d")
    asked(desk, c.WithdrawWager("ann", 0), role="player", by="ann")
    asked(desk, c.RedeemColour("ann", "blue"))
    assert only(asked(desk, c.IssueColour("ann", "blue", 1000, 1)), ColourIssued).value == 1000


@pytest.mark.parametrize(("chips", "issued"), [(0, False), (-1, False), (19, True), (20, True), (21, False)])
def test_i_18_2_colours_are_bought_with_chips(chips: int, *, issued: bool) -> None:
    desk, wanted = roulette("ann"), c.IssueColour("ann", "blue", 500, chips)
    if issued:
        assert only(asked(desk, wanted), ColourIssued).chips == chips
    else:
        carries(refused(desk, wanted), I + "18.1")


def test_i_18_2b_played_where_they_were_issued() -> None:
    desk = roulette("ann")
    asked(desk, c.IssueColour("ann", "blue", 500, 20))
    carries(refused(desk, put("ann", "straight:7", 500, colour="blue", table="R2")), I + "18.2b")
    assert desk.bet("ann", "straight:7", 500, colour="blue", table=desk.state.name) == 0


def test_i_18_2c_redeemed_where_they_were_issued() -> None:
    desk = roulette("ann")
    asked(desk, c.IssueColour("ann", "blue", 500, 20))
    carries(refused(desk, c.RedeemColour("ann", "blue", table="R2")), I + "18.2c")
    carries(refused(desk, c.RedeemColour("ann", "red")), I + "18.2c")
    carries(only(asked(desk, c.RedeemColour("ann", "blue")), ColourRedeemed), I + "18.2c")
    carries(refused(desk, c.RedeemColour("ann", "blue")), I + "18.2c")


@pytest.mark.parametrize(("cents", "paid"), [(7_900, True), (8_000, True), (8_100, False)])
def test_i_18_2c_cash_is_paid_for_chips_of_value_alone(cents: int, *, paid: bool) -> None:
    desk = roulette("ann")
    asked(desk, c.IssueColour("ann", "blue", 500, 4))
    if paid:
        assert only(asked(desk, c.RedeemChips("ann", cents), role="cashier"), ChipsRedeemed).cash == cents
    else:
        carries(refused(desk, c.RedeemChips("ann", cents), role="cashier"), I + "18.2c")
        asked(desk, c.RedeemColour("ann", "blue"))
        assert only(asked(desk, c.RedeemChips("ann", 10_000), role="cashier"), ChipsRedeemed).cash == 10_000


def test_i_18_2d_one_colour_one_player() -> None:
    desk = roulette("ann", "bob")
    asked(desk, c.IssueColour("ann", "blue", 500, 2))
    carries(refused(desk, c.IssueColour("bob", "blue", 500, 2)), I + "18.2d")
    assert only(asked(desk, c.IssueColour("bob", "red", 100, 2)), ColourIssued).player == "bob"
    asked(desk, c.RedeemColour("ann", "blue"))
    assert only(asked(desk, c.IssueColour("bob", "blue", 500, 2)), ColourIssued).player == "bob"


def test_i_18_3_value_chips_may_be_restricted() -> None:
    desk = roulette("ann")
    asked(desk, c.IssueColour("ann", "blue", 500, 4))
    carries(only(asked(desk, c.RequireColour("ann")), ColourRequired), I + "18.3")
    carries(refused(desk, put("ann", "straight:7", 500)), I + "18.3")
    assert desk.bet("ann", "straight:7", 500, colour="blue") == 0
    asked(desk, c.RequireColour("ann", required=False))
    assert desk.bet("ann", "straight:7", 500) == 1


@pytest.mark.parametrize(("edition", "rule"), [("nz1998", I + "18.1"), ("vic2002", V + "6.1")])
def test_baccarat_is_played_with_value_chips(edition: str, rule: str) -> None:
    desk = with_players(a_desk(edition), "ann")
    carries(refused(desk, c.IssueColour("ann", "blue", 500, 2)), rule)
    carries(refused(desk, c.RequireColour("ann")), rule)
