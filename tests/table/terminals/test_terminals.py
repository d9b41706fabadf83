"""Terminals of Electronic Baccarat: pairing, activation, credits in and out, and what the screen shows."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from croupier.game import Refusal
from croupier.law.officials import NOTE_ACCEPTOR
from croupier.table import commands as c
from croupier.table.events import RoundEnded, Seated, WagerSettled
from croupier.table.explain import say_event
from croupier.table.terminals import commands as t
from croupier.table.terminals import screens
from croupier.table.terminals.events import (
    AnyTerminalEvent,
    ControlGiven,
    CreditsCancelled,
    NotesInserted,
    SystemApproved,
    TerminalActivated,
    TerminalCredited,
    TerminalDeactivated,
    TerminalLimitsSet,
    TerminalPaired,
    TerminalUnpaired,
    VoucherIssued,
    VoucherRedeemed,
)
from tests.helpers.desks.table import ROUND, a_desk, asked, moved, only, played, refused
from tests.helpers.desks.terminal import (
    EB,
    EIGHT,
    SEVEN,
    SUPERVISOR,
    approved,
    coup,
    noted,
    pairing,
    same_after_replay,
    shown,
    slip,
    touch,
    with_terminals,
)
from tests.helpers.observe import carries

# ---------------------------------------------------------------- pairing


def test_3_3a_a_table_has_up_to_thirty_terminals() -> None:
    desk = approved()
    for number in range(1, 31):
        event = only(asked(desk, pairing(number), role=SUPERVISOR), TerminalPaired)
        assert event.terminal == f"Terminal {number}"
        carries(event, EB + "3.4")
    carries(refused(desk, pairing(31), role=SUPERVISOR), EB + "3.3a")
    carries(only(asked(desk, t.UnpairTerminal("Terminal 30"), role=SUPERVISOR), TerminalUnpaired), EB + "3.3a")
    asked(desk, pairing(31), role=SUPERVISOR)
    assert len(desk.state.terminals) == 30
    same_after_replay(desk)


@pytest.mark.parametrize(
    ("lacking", "rule"),
    [(("layout",), "3.4a"), (("display",), "3.4b"), (("programming",), "3.4c"), (("voucher", "cancel credit"), "3.4d")],
)
def test_3_4_a_terminal_is_built_as_the_rules_describe(lacking: tuple[str, ...], rule: str) -> None:
    built = tuple(each for each in t.FEATURES if each not in lacking)
    carries(refused(approved(), pairing(features=built), role=SUPERVISOR), EB + rule)


def test_3_4_nobody_knows_other_features() -> None:
    carries(refused(approved(), pairing(features=(*t.FEATURES, "jukebox")), role=SUPERVISOR), EB + "3.4")


@pytest.mark.parametrize("one", ["voucher", "cancel credit"])
def test_3_4d_one_way_to_be_paid_is_enough(one: str) -> None:
    desk = approved()
    asked(desk, pairing(features=(*t.FEATURES[:3], one)), role=SUPERVISOR)
    asked(desk, t.CreditTerminal(SEVEN, 5000, holder="ann"))
    ways: dict[str, t.AnyTerminalCommand] = {"voucher": t.CashOut(SEVEN, "v1"), "cancel credit": t.CancelCredit(SEVEN)}
    other = next(way for name, way in ways.items() if name != one)
    carries(refused(desk, other), EB + ("3.4e" if one == "voucher" else "3.4d"))
    asked(desk, ways[one])
    assert desk.chips(SEVEN) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"minimum": 0},
        {"minimum": 60_000},
        {"minimum": 1250},
        {"minimum": 400},
        {"increment": 0},
        {"aggregate": -1},
        {"kinds": {"tie": (750, 5000)}},
        {"kinds": {"tie": (400, 5000)}},
        {"denomination": 300},
        {"denomination": 0},
    ],
)
def test_5_6_limits_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    carries(refused(approved(), pairing(**wrong), role=SUPERVISOR), EB + "5.6")


def test_pairing_wants_a_free_number_and_name() -> None:
    desk = with_terminals(7)
    for wrong in (pairing(7), pairing(0), pairing(9, name=SEVEN)):
        carries(refused(desk, wrong, role=SUPERVISOR), EB + "3.3a")
    desk.sit("ann", 1, chips=1000)
    carries(refused(desk, pairing(9, name="ann"), role=SUPERVISOR), EB + "3.3a")
    carries(refused(desk, pairing(9, notes=(0,)), role=SUPERVISOR), EB + "5.3A")
    carries(refused(desk, c.Sit(SEVEN, 2)), EB + "3.3a")
    carries(refused(desk, t.UnpairTerminal("Terminal 1"), role=SUPERVISOR), EB + "3.3a")
    carries(refused(desk, t.UnpairTerminal(SEVEN), role=SUPERVISOR), EB + "10.5")


def test_5_6_limits_differ_between_terminals() -> None:
    desk = with_terminals(7, 8)
    carries(refused(desk, t.SetTerminalLimits(SEVEN, 0, 1), role=SUPERVISOR), EB + "5.6")
    event = only(asked(desk, t.SetTerminalLimits(EIGHT, 2500, 10_000, 500), role=SUPERVISOR), TerminalLimitsSet)
    carries(event, EB + "5.6")
    assert [shown(desk, name).limits.value for name in (SEVEN, EIGHT)] == [(1000, 50_000), (2500, 10_000)]
    touch(desk, SEVEN, "player", 1000)
    touch(desk, EIGHT, "player", 1000)
    assert (desk.state.staked(SEVEN), desk.state.staked(EIGHT)) == (1000, 0)
    carries(refused(desk, t.SetTerminalLimits(SEVEN, 500, 1000, 500), role=SUPERVISOR), EB + "5.6")
    carries(refused(desk, c.SetPersonalLimit(SEVEN, 500, 1000), role="shift manager"), EB + "5.6")


def test_3_5_only_approved_types_are_paired() -> None:
    desk = a_desk("nzeb", version="terminals")
    carries(refused(desk, pairing(7), role=SUPERVISOR), EB + "3.5")
    carries(refused(desk, t.ApproveSystem("1.0", ""), role=SUPERVISOR), EB + "3.5")
    carries(only(asked(desk, t.ApproveSystem("1.0", "TA-0"), role=SUPERVISOR), SystemApproved), EB + "3.5")
    carries(refused(desk, pairing(8, approval=""), role=SUPERVISOR), EB + "3.5")
    asked(desk, pairing(7), role=SUPERVISOR)
    asked(desk, t.CreditTerminal(SEVEN, 5000))
    assert desk.state.terminals[SEVEN].approval == "TA-1"
    assert (desk.state.system.version, desk.state.system.approval) == ("1.0", "TA-0")


NO_TERMINALS = (
    t.ApproveSystem("1.0", "TA-0"),
    pairing(7),
    t.UnpairTerminal(SEVEN),
    t.SetTerminalLimits(SEVEN, 1000, 2000, 500),
    t.InsertNotes(SEVEN, (5000,)),
    t.CreditTerminal(SEVEN, 5000),
    t.CashOut(SEVEN, "v1"),
    t.CancelCredit(SEVEN),
    t.RedeemVoucher("v1", 5000),
    t.PayDue(SEVEN, "v1"),
    t.ConfirmSlip(SEVEN, ""),
    t.ReturnSlip(SEVEN, "slow"),
    t.ReportMalfunction("smoke", SEVEN),
    t.ReportToInspector(0, "r"),
    t.Investigate(0, "dust"),
    t.RefundRound(0),
    t.CloseMalfunction(0),
)


@pytest.mark.parametrize("edition", ["nz1998", "nzd5", "vic2002"])
@pytest.mark.parametrize("what", NO_TERMINALS, ids=lambda what: type(what).__name__)
def test_where_the_law_knows_no_terminals_all_of_it_is_refused(edition: str, what: t.AnyTerminalCommand) -> None:
    role = {t.InsertNotes: NOTE_ACCEPTOR, t.ConfirmSlip: "player"}.get(type(what), "casino manager")
    no = refused(a_desk(edition), what, role=role, by=SEVEN)
    assert "no terminals under this law" in no.reason
    carries(no, "VIC2002-6.1" if edition == "vic2002" else "NZ1996-I-14.3")
    found = screens.display(a_desk(edition).state, SEVEN)
    assert isinstance(found, Refusal)


def test_every_terminal_command_is_in_the_list_above() -> None:
    assert {type(what) for what in NO_TERMINALS} == set(t.AnyTerminalCommand.__args__)


# ---------------------------------------------------------------- credits in


def test_5_3_an_inactive_terminal_takes_no_wager() -> None:
    desk = with_terminals(7, chips=0)
    no = refused(desk, c.PlaceWager(SEVEN, "player", 1000), role="player", by=SEVEN)
    carries(no, EB + "5.3")
    carries(refused(desk, c.Leave(SEVEN)), EB + "5.3")
    carries(refused(desk, c.BuyChips(SEVEN, 1000)), EB + "5.3")


def test_5_3a_a_note_activates_a_terminal_and_is_credited() -> None:
    desk = with_terminals(7, chips=0)
    events = noted(desk, SEVEN, 5000, 2000)
    carries(only(events, TerminalActivated), EB + "5.3a")
    credited = only(events, NotesInserted)
    carries(credited, EB + "5.3A")
    assert moved(credited, "cash", f"chips:{SEVEN}").amount == 7000
    assert shown(desk, SEVEN).available.value == 7000
    assert [type(event) for event in noted(desk, SEVEN, 500)] == [NotesInserted]
    carries(refused(desk, t.InsertNotes(SEVEN, (300,)), role=NOTE_ACCEPTOR, by=SEVEN), EB + "5.3a")
    carries(refused(desk, t.InsertNotes(SEVEN, ()), role=NOTE_ACCEPTOR, by=SEVEN), EB + "5.3a")
    same_after_replay(desk)


@pytest.mark.parametrize("role", ["player", "dealer", "cashier", "casino manager", "inspector"])
def test_5_3_a_only_the_acceptor_says_that_a_note_was_inserted(role: str) -> None:
    carries(refused(with_terminals(7), t.InsertNotes(SEVEN, (5000,)), role=role, by=SEVEN), EB + "5.3A")


def test_an_acceptor_and_a_player_speak_for_their_own_terminal() -> None:
    desk = with_terminals(7, 8)
    for what, role in (
        (t.InsertNotes(SEVEN, (5000,)), NOTE_ACCEPTOR),
        (t.CashOut(SEVEN, "v1"), "player"),
        (t.ConfirmSlip(SEVEN, ""), "player"),
        (c.PlaceWager(SEVEN, "player", 1000), "player"),
    ):
        assert f"does not act for {SEVEN}" in refused(desk, what, role=role, by=EIGHT).reason


def test_5_3_b_the_dealer_gives_control_and_credits_the_tender() -> None:
    desk = with_terminals(7, chips=0)
    events = asked(desk, t.CreditTerminal(SEVEN, 10_000, holder="ann"))
    carries(only(events, TerminalActivated), EB + "5.3b")
    given = only(events, ControlGiven)
    carries(given, EB + "5.3B.a")
    assert given.holder == desk.state.terminals[SEVEN].holder == "ann"
    credited = only(events, TerminalCredited)
    carries(credited, EB + "5.3B.b")
    assert moved(credited, "cash", f"chips:{SEVEN}").amount == credited.amount == 10_000
    carries(refused(desk, t.CreditTerminal(SEVEN, 100), role="player", by=SEVEN), EB + "5.3B")
    for nothing in (0, -100):
        carries(refused(desk, t.CreditTerminal(SEVEN, nothing)), EB + "5.3B.b")


def test_5_3_b_chips_of_a_player_at_the_layout_become_credits() -> None:
    desk = with_terminals(7, version="hybrid", chips=0)
    desk.sit("ann", 1, chips=10_000)
    carries(refused(desk, t.CreditTerminal(SEVEN, 10_001, "chips", "ann")), EB + "5.3B.b")
    asked(desk, t.CreditTerminal(SEVEN, 6000, "chips", "ann"))
    assert (desk.chips("ann"), desk.chips(SEVEN)) == (4000, 6000)
    paid = only(asked(desk, t.CancelCredit(SEVEN)), CreditsCancelled)
    assert (paid.player, desk.chips("ann"), desk.chips(SEVEN)) == ("ann", 10_000, 0)
    same_after_replay(desk)


# ---------------------------------------------------------------- credits out


def test_3_4d_and_10_5_credits_leave_by_voucher() -> None:
    desk = with_terminals(7, chips=38_000)
    carries(refused(desk, t.CashOut(SEVEN, ""), role="player", by=SEVEN), EB + "3.4d")
    events = asked(desk, t.CashOut(SEVEN, "v1"), role="player", by=SEVEN)
    paid = only(events, VoucherIssued)
    carries(paid, EB + "3.4d")
    carries(moved(paid, f"chips:{SEVEN}", "vouchers"), EB + "10.5")
    assert (paid.amount, desk.chips(SEVEN)) == (38_000, 0)
    carries(only(events, TerminalDeactivated), EB + "5.3")
    assert not desk.state.terminals[SEVEN].active
    assert SEVEN not in desk.state.players
    carries(refused(desk, t.CashOut(SEVEN, "v2")), EB + "10.5")
    asked(desk, t.CreditTerminal(SEVEN, 1000))
    carries(refused(desk, t.CashOut(SEVEN, "v1")), EB + "3.4d")
    same_after_replay(desk)


def test_10_6_a_voucher_is_paid_once_for_what_it_says() -> None:
    desk = with_terminals(7, chips=38_000)
    asked(desk, t.CashOut(SEVEN, "v1"))
    carries(refused(desk, t.RedeemVoucher("v2", 38_000), role="cashier"), EB + "10.6")
    for wrong in (37_999, 38_001):
        carries(refused(desk, t.RedeemVoucher("v1", wrong), role="cashier"), EB + "10.6")
    paid = only(asked(desk, t.RedeemVoucher("v1", 38_000), role="cashier"), VoucherRedeemed)
    carries(paid, EB + "10.6")
    assert moved(paid, "vouchers", "cash").amount == 38_000
    again = refused(desk, t.RedeemVoucher("v1", 38_000), role="cashier")
    carries(again, EB + "10.6")
    assert "paid already" in again.reason
    assert desk.state.balances["vouchers"] == 0
    same_after_replay(desk)


def test_3_4e_the_dealer_cancels_credits_and_pays_their_full_value_in_chips() -> None:
    desk = with_terminals(7, chips=38_000)
    carries(refused(desk, t.CancelCredit(SEVEN), role="player", by=SEVEN), EB + "3.4e")
    carries(refused(desk, t.CancelCredit(SEVEN, SEVEN)), EB + "3.4e")
    events = asked(desk, t.CancelCredit(SEVEN, "ann"))
    paid = only(events, CreditsCancelled)
    carries(paid, EB + "3.4e")
    carries(moved(paid, f"chips:{SEVEN}", "chips:ann"), EB + "10.5")
    assert (paid.amount, desk.chips(SEVEN), desk.chips("ann")) == (38_000, 0, 38_000)
    only(events, TerminalDeactivated)
    carries(refused(desk, t.CancelCredit(SEVEN)), EB + "3.4e")


@pytest.mark.parametrize("other", [c.RedeemChips(SEVEN, 100), c.ExchangeChips(SEVEN, (100,), (100,))])
def test_10_5_there_is_no_other_way_to_be_paid(other: c.AnyCommand) -> None:
    carries(refused(with_terminals(7), other, role="cashier"), EB + "10.5")


def test_10_5_what_is_wagered_stays_when_the_rest_is_paid() -> None:
    desk = with_terminals(7, chips=10_000)
    touch(desk, SEVEN, "player", 4000)
    carries(refused(desk, c.Leave(SEVEN)), EB + "10.5")
    events = asked(desk, t.CashOut(SEVEN, "v1"), role="player", by=SEVEN)
    assert only(events, VoucherIssued).amount == 6000
    assert desk.state.terminals[SEVEN].active
    carries(refused(desk, t.CashOut(SEVEN, "v2")), EB + "10.5")
    coup(desk, *ROUND["banker"])
    assert desk.chips(SEVEN) == desk.state.staked(SEVEN) == 0
    carries(only(asked(desk, c.Leave(SEVEN)), TerminalDeactivated), EB + "5.3")
    same_after_replay(desk)


# ---------------------------------------------------------------- the screen


def test_3_4b_the_six_items_of_a_terminal() -> None:
    desk = with_terminals(7, 8)
    touch(desk, SEVEN, "banker", 10_000)
    touch(desk, SEVEN, "tie", 2000)
    before = shown(desk, SEVEN)
    for item, rule in (
        (before.limits, "3.4b.i"),
        (before.cut_off, "3.4b.ii"),
        (before.available, "3.4b.iii"),
        (before.wagered, "3.4b.iv"),
        (before.result, "3.4b.v"),
        (before.won, "3.4b.vi"),
    ):
        carries(item, EB + rule)
    assert (before.limits.value, before.cut_off.value) == ((1000, 50_000), "open")
    assert (before.available.value, before.wagered.value) == (38_000, 12_000)
    assert (before.result.value, before.won.value) == ({}, 0)
    events = coup(desk, *ROUND["banker"])
    after = shown(desk, SEVEN)
    assert (after.available.value, after.wagered.value, after.won.value) == (57_500, 0, 9500)
    assert dict(after.result.value) == only(events, RoundEnded).outcome
    assert shown(desk, EIGHT).won.value == 0
    assert shown(desk, EIGHT).result.value == after.result.value


def test_3_4b_ii_the_cut_off_shows_as_closed_until_the_round_is_over() -> None:
    desk = with_terminals(7)
    touch(desk, SEVEN, "player", 1000)
    desk.ceremony()
    assert shown(desk, SEVEN).cut_off.value == "closed"
    coup(desk, *ROUND["player"])
    assert shown(desk, SEVEN).cut_off.value == "open"


def test_3_4c_v_losing_wagers_vanish_and_winnings_are_credit() -> None:
    desk = with_terminals(7)
    touch(desk, SEVEN, "player", 5000)
    touch(desk, SEVEN, "tie", 1000)
    coup(desk, *ROUND["player"])
    assert slip(desk, SEVEN).lines == ()
    assert desk.chips(SEVEN) == 50_000 + 5000 - 1000


def test_1_2_a_bet_is_the_outcome_and_a_wager_the_money_on_it() -> None:
    desk = with_terminals(7)
    touch(desk, SEVEN, "banker", 5000)
    (line,) = slip(desk, SEVEN).lines
    carries(line.bet, EB + "1.2a")
    carries(line.wager, EB + "1.2b")
    assert (line.bet.value, line.wager.value) == ("banker", 5000)


def test_3_3b_a_terminal_recalls_its_last_ten_rounds() -> None:
    desk = with_terminals(7, 8, chips=50_000)
    for number in range(1, 13):
        touch(desk, SEVEN, "player" if number % 2 else "banker", 1000)
        if number == 3:
            touch(desk, EIGHT, "tie", 1000)
        coup(desk, *ROUND["player"])
    recalled = screens.recall(desk.state, SEVEN)
    assert not isinstance(recalled, Refusal)
    assert [each.round for each in recalled] == list(range(12, 2, -1))
    first = recalled[0]
    carries(first, EB + "3.3b")
    assert (first.cards, first.won, first.returned) == (ROUND["player"], 0, 0)
    assert (recalled[1].won, recalled[1].returned) == (1000, 2000)
    assert first.result == shown(desk, SEVEN).result.value
    assert [line.wager.on for line in first.wagers] == ["banker"]
    other = screens.recall(desk.state, EIGHT)
    assert not isinstance(other, Refusal)
    assert [each.round for each in other] == [3]
    nobody = screens.recall(desk.state, "Terminal 1")
    assert isinstance(nobody, Refusal)
    carries(nobody, EB + "3.3a")


def test_10_4_a_terminal_is_paid_to_the_cent() -> None:
    """A Banker wager of 15 dollars wins 14.25, which on the layout chips of a dollar could not pay."""
    desk = with_terminals(7, version="terminals")
    touch(desk, SEVEN, "banker", 1500)
    events = coup(desk, *ROUND["banker"])
    paid = {event.player: event.pays for event in events if isinstance(event, WagerSettled)}
    assert paid == {SEVEN: 1425}


def test_whoever_is_shut_out_touches_nothing() -> None:
    desk = with_terminals(7, chips=0)
    asked(desk, t.CreditTerminal(SEVEN, 5000, holder="ann"))
    asked(desk, c.Exclude("ann", "unruly"), role="casino supervisor")
    no = refused(desk, c.PlaceWager(SEVEN, "player", 1000), role="player", by=SEVEN)
    assert "ann is excluded" in no.reason
    asked(desk, t.CashOut(SEVEN, "v1"), role="player", by=SEVEN)


VALUES: dict[str, Any] = {"str": "seven", "Cents": 700, "int": 7}


@pytest.mark.parametrize("kind", get_args(AnyTerminalEvent))
def test_every_event_of_a_terminal_is_told_in_words(kind: type[AnyTerminalEvent]) -> None:
    fields = {each.name: each for each in msgspec.structs.fields(kind)}
    wanted = {
        name: VALUES.get(kind.__annotations__[name], ()) for name in kind.__annotations__ if fields[name].required
    }
    sentence = say_event(kind(rule=EB + "3.4", **wanted))
    assert kind.__name__ not in sentence
    assert len(sentence) > 10


def test_a_table_without_terminals_is_as_before() -> None:
    desk = approved("hybrid")
    assert isinstance(asked(desk, c.Sit("ann", 1))[0], Seated)
    asked(desk, c.BuyChips("ann", 5000))
    desk.bet("ann", "player", 1000)
    played(desk, *ROUND["player"])
    assert desk.chips("ann") == 6000
