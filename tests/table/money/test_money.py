"""Money: the ledger is derived from the journal, balances after every event, and tells why of every cent."""

from __future__ import annotations

import pytest

from croupier.journal.accounts import Unbalanced
from croupier.journal.messages import Transfer
from croupier.table import commands as c
from croupier.table.desk import LiveTable
from croupier.table.events import (
    ChipsBought,
    CommissionCollected,
    CommissionDeferred,
    Flagged,
    PlayerLeft,
    RoundCorrected,
    TableEntry,
    WagerPlaced,
    WagerReduced,
    WagerSettled,
    WagerWithdrawn,
)
from croupier.table.evolve import after
from croupier.table.state import new_table
from tests.helpers.desks.table import (
    ROUND,
    a_desk,
    asked,
    closed_desk,
    moved,
    only,
    opened,
    played,
    put,
    refused,
    until_chance,
    with_players,
)
from tests.helpers.ledger import books
from tests.helpers.observe import carries

I = "NZ1996-I-"  # noqa: E741
V = "VIC2002-"
MANAGER = "shift manager"


# ---------------------------------------------------------------- the ledger


def busy_baccarat(edition: str, version: str = "") -> LiveTable:
    """A few rounds with wins, losses, a tie, a withdrawal, a void part, a correction and a cash-out."""
    desk = with_players(a_desk(edition, version=version), "ann", "bob", chips=100_000)
    for winner in ("banker", "player", "tie"):
        desk.bet("ann", "banker", 4100, found=True)
        desk.bet("bob", "player", 2000)
        desk.bet("bob", "tie", 1000)
        asked(desk, c.WithdrawWager("bob", desk.bet("bob", "player", 3000)), role="player", by="bob")
        played(desk, *ROUND[winner])
    asked(desk, c.Correct(2, ROUND["banker"], "misread"), role="game supervisor")
    asked(desk, c.RedeemChips("ann", desk.chips("ann"), cheque=100), role="cashier")
    return desk


def busy_craps() -> LiveTable:
    desk = with_players(a_desk("nz1996", "craps"), "ann", "bob", chips=100_000)
    desk.bet("ann", "pass", 1000)
    desk.bet("ann", "buy:4", 4000)
    desk.bet("bob", "pass", 1000)
    desk.bet("bob", "field", 1000)
    for dice in ("4-4", "2-2", "3-4"):
        played(desk, dice)
    return desk


def busy_roulette() -> LiveTable:
    desk = with_players(a_desk("nz1996", "roulette"), "ann", chips=100_000)
    desk.bet("ann", "straight:7", 1000)
    asked(desk, c.Invalidate(1, "fire"), role=MANAGER)
    return desk


BUSY = {
    "nz1996": lambda: busy_baccarat("nz1996"),
    "nz1998": lambda: busy_baccarat("nz1998"),
    "nzd5": lambda: busy_baccarat("nzd5"),
    "nzeb": lambda: busy_baccarat("nzeb", "hybrid"),
    "vic2002": lambda: busy_baccarat("vic2002"),
    "craps": busy_craps,
    "roulette": busy_roulette,
}


@pytest.mark.parametrize("name", BUSY)
def test_the_ledger_equals_the_table_and_sums_to_nothing_after_every_event(name: str) -> None:
    desk = BUSY[name]()
    table = new_table(desk.state.name, desk.state.game, desk.state.ruleset)
    for number, entry in enumerate(desk.journal, 1):
        table, ledger = after(table, (entry,)), books(desk.journal[:number])
        assert ledger.total == 0
        assert dict(ledger.balances) == dict(table.balances)
        assert all(ledger.of(account) >= 0 for account in ledger.balances if account.startswith(("chips:", "stakes:")))
        assert all(ledger.of(account) <= 0 for account in ledger.balances if account.startswith("owed:"))
    assert all(posting.transfer.rule for posting in books(desk.journal).postings)


def test_a_stake_is_pending_until_it_is_posted_or_goes_back() -> None:
    desk = with_players(a_desk(), "ann", chips=10_000)
    number = desk.bet("ann", "player", 3000)
    pending = books(desk.journal)
    assert (pending.of("chips:ann"), pending.of("stakes:ann"), pending.worth_of("ann")) == (7000, 3000, 10_000)
    back = only(asked(desk, c.WithdrawWager("ann", number), role="player", by="ann"), WagerWithdrawn)
    carries(moved(back, "stakes:ann", "chips:ann"), I + "14.3")
    desk.bet("ann", "player", 2000)
    lost = only(played(desk, *ROUND["banker"]), WagerSettled)
    assert moved(lost, "stakes:ann", "bank").amount == 2000
    posted = books(desk.journal)
    assert (posted.of("chips:ann"), posted.of("stakes:ann"), posted.of("bank")) == (8000, 0, 2000)


def test_every_posting_names_its_line_and_rule() -> None:
    desk = with_players(a_desk(), "ann", chips=10_000)
    desk.bet("ann", "player", 3000)
    first, second = books(desk.journal).statement("chips:ann")
    assert isinstance(desk.journal[first.line].event, ChipsBought)
    assert isinstance(desk.journal[second.line].event, WagerPlaced)
    assert first.transfer == Transfer("cash", "chips:ann", 10_000, I + "14.3")


@pytest.mark.parametrize(
    "bad", [Transfer("bank", "cash", 0, "r"), Transfer("bank", "cash", -1, "r"), Transfer("bank", "bank", 1, "r")]
)
def test_no_journal_holds_a_transfer_of_nothing(bad: Transfer) -> None:
    entry = TableEntry(
        0, 0, "x", "dealer", ChipsBought(player="ann", amount=1, tender="cash", rule="r", transfers=(bad,))
    )
    with pytest.raises(Unbalanced):
        books([entry])


# ---------------------------------------------------------------- commission


def test_commission_is_a_transfer_of_its_own() -> None:
    desk = with_players(a_desk(), "ann", chips=10_000)
    desk.bet("ann", "banker", 4000)
    won = only(played(desk, *ROUND["banker"]), WagerSettled)
    assert moved(won, "bank", "chips:ann").amount == 4000
    assert moved(won, "chips:ann", "commission").amount == 200
    assert (won.pays, won.commission, desk.chips("ann")) == (3800, 200, 13_800)


def deferring(edition: str = "vic2002", chips: int = 50_000) -> LiveTable:
    """Ann, seated, owes a dollar of commission."""
    desk = with_players(a_desk(edition), "ann", "bob", chips=chips)
    carries(only(asked(desk, c.DeferCommission("ann")), CommissionDeferred), V + "10.2.1b")
    for name in ("ann", "bob"):
        desk.bet(name, "banker", 2000)
    played(desk, *ROUND["banker"])
    return desk


def test_victoria_10_2_1_commission_is_deferred_for_seated_players() -> None:
    desk = deferring()
    assert (desk.chips("ann"), desk.chips("bob")) == (52_000, 51_900)
    assert (desk.state.balances["owed:ann"], desk.state.balances["commission"]) == (-100, 200)
    asked(desk, c.AllowStanding("stan"), role="game supervisor")
    asked(desk, c.Sit("stan"))
    carries(refused(desk, c.DeferCommission("stan")), V + "10.2.1")


@pytest.mark.parametrize(
    ("ground", "rule"),
    [
        ("end of shoe", "10.2.1a"),
        ("on request", "10.2.1a.i"),
        ("on leaving", "10.2.1a.ii"),
        ("by management", "10.2.1a.iii"),
    ],
)
def test_victoria_10_2_1a_deferred_commission_is_collected(ground: str, rule: str) -> None:
    desk = deferring()
    event = only(asked(desk, c.CollectCommission("ann", ground), role=MANAGER, by="Mo"), CommissionCollected)  # type: ignore[arg-type]
    carries(event, V + rule)
    carries(moved(event, "chips:ann", "owed:ann"), V + rule)
    assert (event.amount, desk.chips("ann"), desk.state.balances["owed:ann"]) == (100, 51_900, 0)
    assert desk.journal[-1].by == "Mo"
    carries(refused(desk, c.CollectCommission("ann", ground), role=MANAGER), V + rule)  # type: ignore[arg-type]


def test_victoria_10_2_1a_iii_only_management_orders_it() -> None:
    desk = deferring()
    for role in ("dealer", "game supervisor", "casino supervisor"):
        carries(refused(desk, c.CollectCommission("ann", "by management"), role=role), V + "10.2.1a.iii")


def test_victoria_10_2_1a_ii_whoever_leaves_pays_first() -> None:
    desk = deferring()
    carries(refused(desk, c.Leave("ann")), V + "10.2.1a.ii")
    asked(desk, c.CollectCommission("ann", "on leaving"))
    assert only(asked(desk, c.Leave("ann")), PlayerLeft).player == "ann"


@pytest.mark.parametrize(("left", "pays"), [(99, False), (100, True), (101, True)])
def test_victoria_10_2_1a_it_is_paid_from_the_chips(left: int, *, pays: bool) -> None:
    desk = deferring()
    redeem = c.RedeemChips("ann", 52_000 - left)
    if pays:
        asked(desk, redeem, role="cashier")
        assert only(asked(desk, c.CollectCommission("ann", "end of shoe")), CommissionCollected).amount == 100
    else:
        carries(refused(desk, redeem, role="cashier"), V + "10.2.1a.ii")


def test_new_zealand_defers_nothing() -> None:
    desk = with_players(a_desk(), "ann")
    assert refused(desk, c.DeferCommission("ann")).rule == I + "14.3"
    assert refused(desk, c.CollectCommission("ann")).rule == I + "14.3"


# ---------------------------------------------------------------- a commission at placement


def buying() -> LiveTable:
    """Forty dollars bought on four, with a commission of two."""
    desk = with_players(a_desk("nz1996", "craps"), "ann", chips=10_000)
    placed = only(asked(desk, put("ann", "buy:4", 4000)), WagerPlaced)
    assert moved(placed, "chips:ann", "commission").amount == 200
    return desk


def test_craps_a_commission_goes_back_with_a_buy_that_is_taken_down() -> None:
    desk = buying()
    down = only(desk.tell({"take": "buy:4"}, role="player", by="ann"), WagerSettled)
    assert moved(down, "commission", "chips:ann").amount == 200
    assert (desk.chips("ann"), desk.state.staked("ann"), desk.state.balances["commission"]) == (10_000, 0, 0)


def test_craps_the_commission_on_a_part_goes_back_with_the_part() -> None:
    desk = buying()
    cut = only(desk.tell({"take": "buy:4", "amount": 2000}, role="player", by="ann"), WagerReduced)
    assert moved(cut, "commission", "chips:ann").amount == 100
    assert (desk.chips("ann"), desk.state.staked("ann"), desk.state.balances["commission"]) == (7900, 2000, 100)


# ---------------------------------------------------------------- corrections


@pytest.mark.parametrize(("kept", "debt"), [(20_100, 0), (20_000, 0), (19_900, 100), (0, 20_000)])
def test_a_correction_after_cash_out_leaves_no_negative_balance(kept: int, debt: int) -> None:
    desk = with_players(a_desk(), "ann", chips=50_000)
    desk.bet("ann", "player", 10_000)
    played(desk, *ROUND["player"])
    asked(desk, c.RedeemChips("ann", 60_000 - kept), role="cashier")
    asked(desk, c.Leave("ann"))
    before = list(desk.journal)
    events = asked(desk, c.Correct(1, ROUND["banker"], "a card was misread"), role="game supervisor")
    corrected = only(events, RoundCorrected)
    carries(corrected, I + "15.1")
    assert (corrected.differences, corrected.report) == ({"ann": -20_000}, debt > 0)
    assert any(isinstance(event, Flagged) for event in events) is (debt > 0)
    ledger = books(desk.journal)
    assert (ledger.of("chips:ann"), ledger.of("owed:ann"), ledger.total) == (max(0, kept - 20_000), -debt, 0)
    assert ledger.of("bank") == 10_000
    assert desk.journal[: len(before)] == before
    assert [line.result for line in desk.state.records[0].lines] == ["lost"]


def test_a_correction_that_gives_is_paid_to_whoever_left() -> None:
    desk = with_players(a_desk(), "ann", chips=50_000)
    desk.bet("ann", "player", 10_000)
    played(desk, *ROUND["banker"])
    asked(desk, c.RedeemChips("ann", 40_000), role="cashier")
    asked(desk, c.Leave("ann"))
    asked(desk, c.Correct(1, ROUND["player"], "a card was misread"), role="game supervisor")
    assert (desk.chips("ann"), "ann" in desk.state.players) == (20_000, False)
    asked(desk, c.RedeemChips("ann", 20_000), role="cashier")
    ledger = books(desk.journal)
    assert (ledger.of("cash"), ledger.of("bank"), ledger.worth_of("ann")) == (10_000, -10_000, 0)


def test_a_round_corrected_twice_is_as_if_it_had_been_right_at_once() -> None:
    desk = with_players(opened(closed_desk("nzeb", version="hybrid")), "ann", chips=50_000)
    desk.bet("ann", "player", 10_000)
    until_chance(desk)
    played(desk, *ROUND["player"])
    for winner, chips in (("banker", 40_000), ("tie", 50_000), ("player", 60_000)):
        asked(desk, c.Correct(1, ROUND[winner], "again"), role="game supervisor")
        assert desk.chips("ann") == chips
