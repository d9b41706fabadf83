"""Wagers touched on terminals, the cut-off, the slips that must be confirmed, and corrections after cashing out."""

from __future__ import annotations

import pytest

from croupier.errors import Refused
from croupier.table import commands as c
from croupier.table.events import (
    Flagged,
    Happened,
    RoundCorrected,
    RoundInvalidated,
    WagerPlaced,
    WagerReduced,
    WagerSettled,
    WagerWithdrawn,
)
from croupier.table.terminals import commands as t
from croupier.table.terminals import screens
from croupier.table.terminals.events import SlipConfirmed, SlipReturned, TouchHeld, VoucherDue, VoucherIssued
from croupier.table.terminals.slips import unconfirmed
from tests.helpers.desks.table import ROUND, asked, only, refused
from tests.helpers.desks.terminal import (
    EB,
    EIGHT,
    SEVEN,
    SUPERVISOR,
    approved,
    closed,
    confirmed,
    coup,
    pairing,
    same_after_replay,
    shown,
    slip,
    touch,
    with_terminals,
)
from tests.helpers.observe import carries

# ---------------------------------------------------------------- touches


@pytest.mark.parametrize(
    ("touched", "lies", "rule"),
    [
        (999, 0, "3.4c.ii"),
        (1000, 1000, "5.2a"),
        (1001, 1000, "3.4c.iii.A"),
        (1499, 1000, "3.4c.iii.A"),
        (1500, 1500, "5.2a"),
        (2300, 2000, "3.4c.iii.A"),
        (49_999, 49_500, "3.4c.iii.A"),
        (50_000, 50_000, "5.2a"),
        (50_001, 50_000, "3.4c.iii.B"),
        (70_000, 50_000, "3.4c.iii.B"),
    ],
)
def test_3_4c_what_a_touched_amount_shows(touched: int, lies: int, rule: str) -> None:
    desk = with_terminals(7, chips=100_000)
    events = touch(desk, SEVEN, "player", touched)
    assert len(events) == 1
    carries(events[0], EB + rule)
    assert isinstance(events[0], WagerPlaced if lies else TouchHeld)
    assert (desk.state.staked(SEVEN), desk.chips(SEVEN)) == (lies, 100_000 - lies)
    assert shown(desk, SEVEN).wagered.value == lies


def test_3_4c_iii_a_maximum_off_the_steps_shows_the_step_below() -> None:
    desk = with_terminals(7, maximum=50_300, chips=100_000)
    carries(only(touch(desk, SEVEN, "player", 70_000), WagerPlaced), EB + "3.4c.iii.B")
    assert desk.state.staked(SEVEN) == 50_000


def test_3_4c_ii_touches_are_held_until_they_reach_the_minimum() -> None:
    desk = with_terminals(7)
    assert only(touch(desk, SEVEN, "player", 500), TouchHeld).held == 500
    assert only(touch(desk, SEVEN, "player", 400), TouchHeld).held == 900
    assert desk.state.terminals[SEVEN].held == {"player": 900}
    events = touch(desk, SEVEN, "player", 100)
    assert only(events, WagerPlaced).stake == 1000
    assert only(events, TouchHeld).held == 0
    assert not desk.state.terminals[SEVEN].held
    more = touch(desk, SEVEN, "player", 500)
    assert only(more, WagerPlaced).stake == 1500
    carries(only(more, WagerWithdrawn), EB + "5.2a")
    assert (desk.state.staked(SEVEN), desk.chips(SEVEN)) == (1500, 48_500)
    same_after_replay(desk)


def test_3_4c_ii_what_is_held_is_forgotten_with_the_round() -> None:
    desk = with_terminals(7)
    touch(desk, SEVEN, "tie", 900)
    touch(desk, SEVEN, "player", 1000)
    coup(desk, *ROUND["player"])
    assert only(touch(desk, SEVEN, "tie", 100), TouchHeld).held == 100


def test_a_bet_may_have_limits_of_its_own() -> None:
    desk = with_terminals(7, kinds={"tie": (500, 1000)})
    assert only(touch(desk, SEVEN, "tie", 500), WagerPlaced).stake == 500
    carries(only(touch(desk, SEVEN, "tie", 5000), WagerPlaced), EB + "3.4c.iii.B")
    assert desk.state.staked(SEVEN) == 1000
    carries(refused(desk, c.PlaceWager(SEVEN, "tie", 500), role="player", by=SEVEN), EB + "3.4c.iii.B")
    touch(desk, SEVEN, "player", 1000)
    carries(refused(desk, c.PlaceWager(SEVEN, "player", 300), role="player", by=SEVEN), EB + "3.4c.iii.A")


def test_what_is_no_wager_is_refused() -> None:
    desk = with_terminals(7, chips=2000)
    tries = {
        "is not a wager here": c.PlaceWager(SEVEN, "the rail", 1000),
        "is no amount": c.PlaceWager(SEVEN, "player", 0),
        "$20 available": c.PlaceWager(SEVEN, "player", 2500),
    }
    for reason, what in tries.items():
        assert reason in refused(desk, what, role="player", by=SEVEN).reason
    carries(refused(desk, c.PlaceWager(SEVEN, "player", 1000)), EB + "5.2a")
    touch(desk, SEVEN, "player", 1000)
    carries(refused(desk, c.WithdrawWager(SEVEN, 0)), EB + "5.2a")
    asked(desk, c.WithdrawWager(SEVEN, 0), role="player", by=SEVEN)
    assert desk.chips(SEVEN) == 2000


def test_11_a_1_a_side_bet_goes_back_with_the_wager_that_it_goes_with() -> None:
    desk = with_terminals(7)
    carries(refused(desk, c.PlaceWager(SEVEN, "perfect_pairs", 1000), role="player", by=SEVEN), "NZD5-11A.2.s1")
    touch(desk, SEVEN, "player", 1000)
    touch(desk, SEVEN, "perfect_pairs", 1000)
    touch(desk, SEVEN, "player", 1000)
    assert desk.state.staked(SEVEN) == 3000
    main = next(entry.wager.number for entry in desk.state.round.book if entry.wager.on == "player")
    events = asked(desk, c.WithdrawWager(SEVEN, main), role="player", by=SEVEN)
    assert len(events) == 2
    carries(events[1], "NZD5-11A.2.s1")
    assert (desk.chips(SEVEN), desk.state.staked(SEVEN)) == (50_000, 0)
    same_after_replay(desk)


def test_3_4c_i_after_the_cut_off_nothing_changes() -> None:
    desk = with_terminals(7, 8, version="hybrid")
    touch(desk, SEVEN, "player", 1000)
    closed(desk)
    for what in (c.PlaceWager(SEVEN, "player", 1000), c.WithdrawWager(SEVEN, 0)):
        carries(refused(desk, what, role="player", by=SEVEN), EB + "3.4c.i")
    carries(refused(desk, c.PlaceWager(EIGHT, "tie", 1000), role="player", by=EIGHT), EB + "3.4c.i")
    confirmed(desk)
    desk.tell("9h")
    carries(refused(desk, c.PlaceWager(SEVEN, "player", 1000), role="player", by=SEVEN), EB + "3.4c.i")


@pytest.mark.parametrize(("total", "stands"), [(2000, False), (2500, True), (3000, True)])
def test_3_4c_iv_wagers_below_the_aggregate_minimum_go_back_at_the_cut_off(total: int, *, stands: bool) -> None:
    desk = with_terminals(7, 8, aggregate=2500)
    touch(desk, SEVEN, "player", 1000)
    touch(desk, SEVEN, "tie", total - 1000)
    touch(desk, EIGHT, "banker", 5000)
    before = len(desk.journal)
    closed(desk)
    back = [entry.event for entry in desk.journal[before:] if isinstance(entry.event, WagerWithdrawn)]
    assert len(back) == (0 if stands else 2)
    for event in back:
        carries(event, EB + "3.4c.iv")
    assert desk.chips(SEVEN) == 50_000 - (total if stands else 0)
    assert unconfirmed(desk.state) == ((SEVEN, EIGHT) if stands else (EIGHT,))
    same_after_replay(desk)


def test_3_4c_iv_betting_does_not_close_on_wagers_that_are_not_recognised_alone() -> None:
    desk = with_terminals(7, version="hybrid", aggregate=2500)
    touch(desk, SEVEN, "player", 1000)
    with pytest.raises(Refused, match="no wager is down"):
        closed(desk)
    touch(desk, SEVEN, "player", 1500)
    closed(desk)
    assert unconfirmed(desk.state) == (SEVEN,)


def test_3_4c_iv_the_differential_is_of_what_is_recognised() -> None:
    """Without the Player wager that goes back, 200 dollars on the Banker are trimmed to the differential of 100."""
    desk = approved("hybrid", differential=(10_000, 10_000))
    for number in (7, 8):
        asked(desk, pairing(number, aggregate=15_000 if number == 7 else 0), role=SUPERVISOR)
        asked(desk, t.CreditTerminal(f"Terminal {number}", 50_000))
    touch(desk, SEVEN, "player", 10_000)
    touch(desk, EIGHT, "banker", 20_000)
    closed(desk)
    desk.tell({"perform": "reduce wagers to the differential"})
    reduced = [entry.event for entry in desk.journal if isinstance(entry.event, WagerReduced)]
    assert [(event.number, event.stake) for event in reduced] == [(1, 10_000)]
    assert (desk.chips(SEVEN), desk.state.staked(SEVEN)) == (50_000, 0)
    assert slip(desk, EIGHT).lines[0].wager.value == 10_000
    same_after_replay(desk)


def test_the_differential_is_of_terminals_and_layout_together() -> None:
    """80 and 60 dollars on the Banker against a differential of 100: 57.00 to the cent, 40 in payable chips."""
    desk = approved("hybrid", differential=(10_000, 10_000))
    asked(desk, pairing(7), role=SUPERVISOR)
    asked(desk, t.CreditTerminal(SEVEN, 50_000))
    desk.sit("ann", 1, chips=50_000)
    touch(desk, SEVEN, "banker", 8000)
    desk.bet("ann", "banker", 6000)
    closed(desk)
    desk.tell({"perform": "reduce wagers to the differential"})
    stakes = {entry.wager.by: entry.wager.stake_cents for entry in desk.state.round.book}
    assert stakes == {SEVEN: 5700, "ann": 4000}
    assert (desk.chips(SEVEN), desk.chips("ann")) == (44_300, 46_000)
    same_after_replay(desk)


# ---------------------------------------------------------------- slips


def test_5_5_no_card_before_every_terminal_confirmed_its_slip() -> None:
    desk = with_terminals(7, 8, 9)
    touch(desk, SEVEN, "player", 1000)
    touch(desk, SEVEN, "tie", 1000)
    touch(desk, EIGHT, "banker", 1000)
    assert unconfirmed(desk.state) == ()
    carries(refused(desk, t.ConfirmSlip(SEVEN, slip(desk, SEVEN).digest), role="player", by=SEVEN), EB + "5.5")
    closed(desk)
    assert unconfirmed(desk.state) == (SEVEN, EIGHT)
    no = refused(desk, c.Tell("9h"))
    carries(no, EB + "5.5")
    assert no.reason == f"not confirmed by {SEVEN}, {EIGHT}"
    event = only(asked(desk, t.ConfirmSlip(SEVEN, slip(desk, SEVEN).digest), role="player", by=SEVEN), SlipConfirmed)
    carries(event, EB + "5.5")
    assert event.wagers == (("player", 1000), ("tie", 1000))
    assert unconfirmed(desk.state) == (EIGHT,)
    assert EIGHT in refused(desk, c.Tell("9h")).reason
    confirmed(desk)
    desk.tell("9h")
    assert unconfirmed(desk.state) == ()
    same_after_replay(desk)


def test_5_5_another_slip_is_no_confirmation() -> None:
    desk = with_terminals(7, 8)
    touch(desk, SEVEN, "player", 1000)
    stale = slip(desk, SEVEN).digest
    touch(desk, SEVEN, "player", 500)
    closed(desk)
    no = refused(desk, t.ConfirmSlip(SEVEN, stale), role="player", by=SEVEN)
    carries(no, EB + "5.5")
    assert "other wagers" in no.reason
    carries(refused(desk, t.ConfirmSlip(EIGHT, slip(desk, EIGHT).digest), role="player", by=EIGHT), EB + "5.5")
    carries(refused(desk, t.ConfirmSlip(SEVEN, slip(desk, SEVEN).digest), role="dealer"), EB + "5.5")


def test_5_5_a_slip_is_of_one_terminal_one_round_and_these_wagers() -> None:
    desk = with_terminals(7, 8)
    empty = slip(desk, SEVEN).digest
    touch(desk, SEVEN, "player", 1000)
    touch(desk, EIGHT, "player", 1000)
    digests = {empty, slip(desk, SEVEN).digest, slip(desk, EIGHT).digest}
    coup(desk, *ROUND["player"])
    touch(desk, SEVEN, "player", 1000)
    digests.add(slip(desk, SEVEN).digest)
    assert len(digests) == 4
    closed(desk)
    assert unconfirmed(desk.state) == (SEVEN,)
    carries(slip(desk, SEVEN), EB + "5.5")


def test_5_5_a_supervisor_returns_the_wagers_that_nobody_confirms() -> None:
    desk = with_terminals(7, 8)
    touch(desk, SEVEN, "player", 1000)
    touch(desk, EIGHT, "banker", 1000)
    carries(refused(desk, t.ReturnSlip(SEVEN, "early"), role=SUPERVISOR), EB + "5.5")
    closed(desk)
    for nothing in ("", "  "):
        carries(refused(desk, t.ReturnSlip(SEVEN, nothing), role=SUPERVISOR), EB + "5.5")
    events = asked(desk, t.ReturnSlip(SEVEN, "no answer"), role=SUPERVISOR)
    carries(only(events, SlipReturned), EB + "5.5")
    carries(only(events, WagerWithdrawn), EB + "5.5")
    assert (desk.chips(SEVEN), unconfirmed(desk.state)) == (50_000, (EIGHT,))
    carries(refused(desk, t.ReturnSlip(SEVEN, "again"), role=SUPERVISOR), EB + "5.5")
    coup(desk, *ROUND["player"])
    assert (desk.chips(SEVEN), desk.chips(EIGHT)) == (50_000, 49_000)
    same_after_replay(desk)


def test_5_5_a_round_goes_on_when_every_wager_went_back() -> None:
    desk = with_terminals(7)
    touch(desk, SEVEN, "player", 1000)
    closed(desk)
    asked(desk, t.ReturnSlip(SEVEN, "no answer"), role=SUPERVISOR)
    coup(desk, *ROUND["player"])
    assert desk.state.number == 2


def test_5_5_wagers_changed_after_the_call_was_taken_back_are_confirmed_again() -> None:
    desk = with_terminals(7)
    touch(desk, SEVEN, "player", 1000)
    closed(desk)
    confirmed(desk)
    while shown(desk, SEVEN).cut_off.value == "closed":
        desk.ask(c.TakeBack("too early"))
    touch(desk, SEVEN, "player", 1000)
    closed(desk)
    assert unconfirmed(desk.state) == (SEVEN,)


def test_5_5_wagers_that_went_back_do_not_come_again_with_the_fact_before_them() -> None:
    desk = with_terminals(7, version="hybrid")
    desk.sit("ann", 1, chips=5000)
    number = desk.bet("ann", "player", 1000)
    desk.act(desk.state.due)  # type: ignore[arg-type]
    asked(desk, c.WithdrawWager("ann", number), role="player", by="ann")
    assert "taken back since" in refused(desk, c.TakeBack("a slip")).reason
    touch(desk, SEVEN, "player", 1000)
    closed(desk)
    asked(desk, t.ReturnSlip(SEVEN, "no answer"), role=SUPERVISOR)
    assert "taken back since" in refused(desk, c.TakeBack("a slip")).reason


def test_5_5_players_at_the_layout_confirm_nothing() -> None:
    desk = with_terminals(7, version="hybrid")
    desk.sit("ann", 1, chips=5000)
    desk.bet("ann", "player", 1000)
    closed(desk)
    assert unconfirmed(desk.state) == ()
    desk.tell("9h")


# ---------------------------------------------------------------- when the result was wrong, or the hand void


def test_12_2_a_disruption_voids_the_hand_and_refunds_every_terminal() -> None:
    desk = with_terminals(7, 8)
    touch(desk, SEVEN, "player", 1000)
    touch(desk, EIGHT, "tie", 2000)
    closed(desk)
    confirmed(desk)
    desk.tell("9h")
    events = desk.tell({"irregular": "disruption"})
    carries(only(events, Happened), EB + "12.2")
    settled = [event for event in events if isinstance(event, WagerSettled)]
    assert [event.result for event in settled] == ["void", "void"]
    for event in settled:
        carries(event, EB + "12.2")
    assert (desk.chips(SEVEN), desk.chips(EIGHT)) == (50_000, 50_000)
    assert shown(desk, SEVEN).won.value == 0
    same_after_replay(desk)


def test_12_3_a_wrong_result_is_recalculated_on_the_screens() -> None:
    desk = with_terminals(7, 8)
    touch(desk, SEVEN, "player", 5000)
    touch(desk, EIGHT, "banker", 10_000)
    coup(desk, *ROUND["player"])
    assert shown(desk, SEVEN).won.value == 5000
    event = only(asked(desk, c.Correct(1, ROUND["banker"], "misread"), role=SUPERVISOR), RoundCorrected)
    carries(event, EB + "12.3")
    assert event.differences == {SEVEN: -10_000, EIGHT: 19_500}
    assert (shown(desk, SEVEN).won.value, shown(desk, EIGHT).won.value) == (0, 9500)
    assert (desk.chips(SEVEN), desk.chips(EIGHT)) == (45_000, 59_500)
    assert dict(shown(desk, SEVEN).result.value)["winner"] == "banker"
    recalled = screens.recall(desk.state, SEVEN)
    assert isinstance(recalled, tuple)
    assert recalled[0].cards == ROUND["banker"]
    same_after_replay(desk)


def test_12_3_a_loss_after_cashing_out_is_a_report_and_never_the_next_player_s() -> None:
    desk = with_terminals(7)
    touch(desk, SEVEN, "player", 5000)
    coup(desk, *ROUND["player"])
    asked(desk, t.CashOut(SEVEN, "v1"))
    asked(desk, t.CreditTerminal(SEVEN, 20_000, holder="bob"))
    events = asked(desk, c.Correct(1, ROUND["banker"], "misread"), role=SUPERVISOR)
    corrected, report = only(events, RoundCorrected), only(events, Flagged)
    carries(report, EB + "12.3")
    assert corrected.report
    assert report.player == SEVEN
    assert desk.chips(SEVEN) == 20_000
    assert desk.state.balances[f"owed:{SEVEN}"] == -10_000
    same_after_replay(desk)


@pytest.mark.parametrize("taken", [False, True])
def test_12_3_a_gain_after_cashing_out_leaves_a_voucher_due(*, taken: bool) -> None:
    desk = with_terminals(7)
    touch(desk, SEVEN, "banker", 10_000)
    coup(desk, *ROUND["player"])
    asked(desk, t.CashOut(SEVEN, "v1"))
    if taken:
        asked(desk, t.CreditTerminal(SEVEN, 20_000, holder="bob"))
    carries(refused(desk, t.PayDue(SEVEN, "v2"), role="cashier"), EB + "12.3")
    due = only(asked(desk, c.Correct(1, ROUND["banker"], "misread"), role=SUPERVISOR), VoucherDue)
    carries(due, EB + "12.3")
    assert (due.terminal, due.round, due.amount) == (SEVEN, 1, 19_500)
    assert desk.chips(SEVEN) == (20_000 if taken else 0)
    carries(refused(desk, t.UnpairTerminal(SEVEN), role=SUPERVISOR), EB + "10.5")
    carries(refused(desk, t.PayDue(SEVEN, "v1"), role="cashier"), EB + "3.4d")
    paid = only(asked(desk, t.PayDue(SEVEN, "v2"), role="cashier"), VoucherIssued)
    carries(paid, EB + "12.3")
    asked(desk, t.RedeemVoucher("v2", 19_500), role="cashier")
    carries(refused(desk, t.PayDue(SEVEN, "v3"), role="cashier"), EB + "12.3")
    same_after_replay(desk)


def test_12_3_a_terminal_that_was_taken_away_is_recalculated_too() -> None:
    desk = with_terminals(7)
    touch(desk, SEVEN, "banker", 1500)
    coup(desk, *ROUND["player"])
    asked(desk, t.CashOut(SEVEN, "v1"))
    asked(desk, t.UnpairTerminal(SEVEN), role=SUPERVISOR)
    due = only(asked(desk, c.Correct(1, ROUND["banker"], "misread"), role=SUPERVISOR), VoucherDue)
    assert due.amount == 1500 + 1425
    asked(desk, pairing(7), role=SUPERVISOR)
    asked(desk, t.CreditTerminal(SEVEN, 1000))
    assert only(asked(desk, t.PayDue(SEVEN, "v2")), VoucherIssued).amount == 2925
    assert desk.chips(SEVEN) == 1000
    same_after_replay(desk)


def test_an_invalid_outcome_goes_to_whoever_played_it() -> None:
    desk = with_terminals(7)
    touch(desk, SEVEN, "banker", 10_000)
    coup(desk, *ROUND["player"])
    asked(desk, t.CashOut(SEVEN, "v1"))
    asked(desk, t.CreditTerminal(SEVEN, 20_000))
    events = asked(desk, c.Invalidate(1, "fire"), role="shift manager")
    assert only(events, RoundInvalidated).round == 1
    assert only(events, VoucherDue).amount == 10_000
    assert desk.chips(SEVEN) == 20_000
    assert shown(desk, SEVEN).result.value == {"void": "fire"}
    same_after_replay(desk)


# ---------------------------------------------------------------- the story


def test_the_story_of_a_round_tells_what_terminals_did() -> None:
    desk = with_terminals(7)
    touch(desk, SEVEN, "player", 500)
    touch(desk, SEVEN, "player", 500)
    coup(desk, *ROUND["player"])
    story = desk.explain(1)
    for sentence in (
        "game system 1.0, type approval TA-0",
        f"{SEVEN} joins the table",
        f"{SEVEN} is activated by the dealer",
        "shows no chips yet",
        f"{SEVEN} confirms $10 on player",
    ):
        assert sentence in story, story


def test_a_refusal_at_the_desk_names_who_is_waited_for() -> None:
    desk = with_terminals(7)
    touch(desk, SEVEN, "player", 1000)
    with pytest.raises(Refused, match=SEVEN):
        desk.deal(*ROUND["player"])


def test_12_3_each_who_played_at_a_terminal_gets_what_is_theirs() -> None:
    desk = with_terminals(7)
    for voucher in ("v1", "v2"):
        for _ in range(2):
            touch(desk, SEVEN, "banker", 10_000)
            coup(desk, *ROUND["player"])
        asked(desk, t.CashOut(SEVEN, voucher))
        asked(desk, t.CreditTerminal(SEVEN, 50_000))
    for number in (1, 2, 4):
        asked(desk, c.Correct(number, ROUND["banker"], "misread"), role=SUPERVISOR)
    carries(refused(desk, t.PayDue(SEVEN, "v3"), role="cashier"), EB + "12.3")
    carries(refused(desk, t.PayDue(SEVEN, "v3", round=3), role="cashier"), EB + "12.3")
    first = only(asked(desk, t.PayDue(SEVEN, "v3", round=2), role="cashier"), VoucherIssued)
    assert (first.amount, first.rounds) == (2 * 19_500, (1, 2))
    carries(refused(desk, t.PayDue(SEVEN, "v4", round=1), role="cashier"), EB + "12.3")
    asked(desk, c.Correct(1, ROUND["player"], "read again"), role=SUPERVISOR)
    assert desk.state.balances[f"due:{SEVEN}"] == 19_500
    assert only(asked(desk, t.PayDue(SEVEN, "v4"), role="cashier"), VoucherIssued).amount == 19_500
    assert desk.chips(SEVEN) == 50_000
    same_after_replay(desk)
