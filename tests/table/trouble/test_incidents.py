"""Disputes, devices, invalid outcomes, wrong payments, rulings."""

from __future__ import annotations

import pytest

from croupier.game import Choose
from croupier.table import commands as c
from croupier.table.desk import LiveTable
from croupier.table.events import (
    Announced,
    DeviceFound,
    DisputeDecided,
    DisputeRaised,
    Flagged,
    InspectorNotified,
    OverpaymentRecovered,
    PaidOtherwise,
    PlayerExcluded,
    PlayerSanctioned,
    ReviewAsked,
    RoundInvalidated,
    WagerSettled,
)
from tests.helpers.desks.table import (
    RICH,
    ROUND,
    a_desk,
    asked,
    moved,
    only,
    played,
    put,
    refused,
    until_chance,
    until_paid,
    with_players,
)
from tests.helpers.observe import carries

I = "NZ1996-I-"  # noqa: E741
V = "VIC2002-"
MANAGER = "shift manager"
CASINO = "casino supervisor"
GROUNDS = ("civil commotion", "fire", "riot", "brawl", "robbery", "act of God")


def betting(edition: str = "nz1998") -> LiveTable:
    """Three players with 100 dollars on the Player's Hand, cards about to be dealt."""
    desk = with_players(a_desk(edition), "ann", "bob", "cy", chips=50_000)
    for name in ("ann", "bob", "cy"):
        desk.bet(name, "player", 10_000)
    return desk


def all_chips(desk: LiveTable) -> tuple[int, ...]:
    return tuple(desk.chips(name) for name in ("ann", "bob", "cy"))


# ---------------------------------------------------------------- disputes


@pytest.mark.parametrize(
    ("edition", "dispute", "advice", "first"),
    [("nz1998", I + "8.1", I + "8.2", "game supervisor"), ("vic2002", V + "13.10", V + "13.9", CASINO)],
)
def test_a_complainant_is_told_of_the_inspector(edition: str, dispute: str, advice: str, first: str) -> None:
    desk = betting(edition)
    raised = only(asked(desk, c.RaiseDispute("ann", "the count"), role="player", by="ann"), DisputeRaised)
    carries(raised, dispute)
    open_end = c.DecideDispute(0, "stands", resolved=False)
    carries(refused(desk, open_end, role=first), advice)
    advised = c.DecideDispute(0, "stands", resolved=False, inspector_named=True)
    events = asked(desk, advised, role=first, at=99)
    carries(only(events, InspectorNotified), advice)
    assert (only(events, DisputeDecided).level, desk.journal[-1].at_ms) == (first, 99)
    assert refused(desk, advised, role=first).rule == dispute
    if first != CASINO:
        asked(desk, advised, role=CASINO)
    last = only(asked(desk, c.DecideDispute(0, "overturned"), role="inspector"), DisputeDecided)
    assert (last.level, last.resolved) == ("inspector", True)
    assert refused(desk, c.DecideDispute(0, "again"), role="inspector").rule == dispute
    assert refused(desk, c.DecideDispute(1, "none"), role="inspector").rule == dispute


def test_i_8_1_a_dispute_goes_first_to_the_game_supervisor_and_up_by_review_on_request() -> None:
    desk = betting()
    carries(refused(desk, c.RaiseDispute("ann", "x"), role="player", by="bob"), I + "8.1")
    asked(desk, c.RaiseDispute("ann", "the count"), role="player", by="ann")
    for early in (CASINO, MANAGER, "inspector"):
        carries(refused(desk, c.DecideDispute(0, "stands"), role=early), I + "8.1")
    carries(refused(desk, c.AskReview(0), role="player", by="ann"), I + "8.1")
    asked(desk, c.DecideDispute(0, "stands"), role="game supervisor")
    carries(refused(desk, c.DecideDispute(0, "again"), role=CASINO), I + "8.1")
    carries(refused(desk, c.AskReview(0), role="player", by="bob"), I + "8.1")
    assert only(asked(desk, c.AskReview(0), role="player", by="ann"), ReviewAsked).level == CASINO
    carries(refused(desk, c.DecideDispute(0, "again"), role="game supervisor"), I + "8.1")
    asked(desk, c.DecideDispute(0, "reviewed"), role=MANAGER)
    assert only(asked(desk, c.AskReview(0), role="player", by="ann"), ReviewAsked).level == "inspector"
    carries(refused(desk, c.DecideDispute(0, "again"), role=MANAGER), I + "8.1")
    asked(desk, c.DecideDispute(0, "final"), role="inspector")
    carries(refused(desk, c.AskReview(0), role="player", by="ann"), I + "8.1")


def test_victoria_13_10_the_casino_supervisor_decides_and_is_reviewed_from_outside() -> None:
    desk = betting("vic2002")
    asked(desk, c.RaiseDispute("ann", "the count"))
    for early in ("game supervisor", "inspector"):
        carries(refused(desk, c.DecideDispute(0, "stands"), role=early), V + "13.10")
    asked(desk, c.DecideDispute(0, "stands"), role=CASINO)
    carries(only(asked(desk, c.AskReview(0), role="player", by="ann"), ReviewAsked), V + "13.10")
    asked(desk, c.DecideDispute(0, "stands"), role="inspector")
    carries(refused(desk, c.AskReview(0), role="player", by="ann"), V + "13.10")


@pytest.mark.parametrize(
    ("edition", "rule", "own"), [("nz1998", I + "4.2", I + "4.1"), ("vic2002", V + "13.6", V + "13.5")]
)
def test_unasked_advice_is_reported_and_its_giver_warned(edition: str, rule: str, own: str) -> None:
    desk = betting(edition)
    events = asked(desk, c.Advise("ann", "take the tie", by="bob"))
    flagged = only(events, Flagged)
    carries(flagged, rule)
    assert flagged.player == "bob"
    carries(only(events, Announced), rule)
    carries(refused(desk, c.Advise("ann", "take the tie", by="bob", asked=True)), rule)
    carries(refused(desk, c.Advise("ann", "take the tie")), own)
    carries(refused(desk, c.Advise("ann", "take the tie"), role="player", by="cy"), rule)


# ---------------------------------------------------------------- devices


@pytest.mark.parametrize(
    ("edition", "held", "by", "low", "high"),
    [("nz1998", "11.1", "11.2", CASINO, MANAGER), ("vic2002", "13.1", "13.2", "game supervisor", CASINO)],
)
def test_a_device_is_reported_and_dealt_with(edition: str, held: str, by: str, low: str, high: str) -> None:
    prefix = I if edition == "nz1998" else V
    desk = betting(edition)
    carries(refused(desk, c.Sanction("ann", "exclude"), role=high), prefix + by)
    found = asked(desk, c.ReportDevice("ann", "a card counter"))
    carries(only(found, Flagged), prefix + held)
    assert only(found, DeviceFound).what == "a card counter"
    carries(refused(desk, c.Sanction("ann", "exclude"), role=low), prefix + by)
    carries(refused(desk, c.Sanction("bob", "exclude"), role=high), prefix + by)
    assert only(asked(desk, c.Sanction("ann", "exclude"), role=high), PlayerSanctioned).measure == "exclude"


@pytest.mark.parametrize(
    ("edition", "rule", "back", "role"),
    [("nz1998", I + "11.2a", I + "11.2a", MANAGER), ("vic2002", V + "13.2.1", V + "13.2.1", CASINO)],
)
def test_wagers_of_the_holder_are_declared_void(edition: str, rule: str, back: str, role: str) -> None:
    desk = betting(edition)
    until_chance(desk)
    asked(desk, c.ReportDevice("ann"))
    events = asked(desk, c.Sanction("ann", "void wagers"), role=role)
    carries(only(events, PlayerSanctioned), rule)
    voided = only(events, WagerSettled)
    carries(voided, rule)
    carries(moved(voided, "stakes:ann", "chips:ann"), back)
    played(desk, *ROUND["player"])
    assert all_chips(desk) == (50_000, 60_000, 60_000)


@pytest.mark.parametrize(
    ("edition", "rule", "role"), [("nz1998", I + "11.2b", MANAGER), ("vic2002", V + "13.2.2", CASINO)]
)
def test_the_holder_is_shut_out(edition: str, rule: str, role: str) -> None:
    desk = betting(edition)
    asked(desk, c.ReportDevice("ann"))
    events = asked(desk, c.Sanction("ann", "exclude"), role=role)
    carries(only(events, PlayerExcluded), rule)
    carries(only(events, PlayerSanctioned), rule)
    out = refused(desk, put("ann", "player", 1000))
    carries(out, rule)
    assert out.reason == "ann is excluded: prohibited device"


def test_victoria_13_2_any_contravention_is_a_ground_and_stands_on_record() -> None:
    desk = betting("vic2002")
    events = asked(desk, c.Sanction("ann", "exclude", ground="a side bet (13.11)"), role=CASINO)
    assert only(events, PlayerSanctioned).ground == "a side bet (13.11)"
    assert refused(desk, put("ann", "player", 1000)).reason == "ann is excluded: a side bet (13.11)"
    carries(refused(betting("vic2002"), c.Sanction("ann", "detain", ground="rude"), role=CASINO), V + "13.2")
    nz = betting()
    carries(refused(nz, c.Sanction("ann", "exclude", ground="a side bet"), role=MANAGER), I + "11.2")


def winner() -> LiveTable:
    """Ann has won 100 dollars before the device was there, and 100 with it."""
    desk = betting("vic2002")
    played(desk, *ROUND["player"])
    desk.bet("ann", "player", 10_000)
    asked(desk, c.ReportDevice("ann", "a card counter", since=2))
    played(desk, *ROUND["player"])
    return desk


@pytest.mark.parametrize(("amount", "taken"), [(0, False), (1, True), (10_000, True), (10_001, False)])
def test_victoria_13_2_3_what_was_won_with_the_device_is_seized_and_kept(amount: int, *, taken: bool) -> None:
    desk, measure = winner(), c.Sanction("ann", "seize winnings", amount)
    carries(refused(desk, measure, role="game supervisor"), V + "13.2")
    if not taken:
        carries(refused(desk, measure, role=CASINO), V + "13.2.3")
        return
    event = only(asked(desk, measure, role=CASINO), PlayerSanctioned)
    carries(event, V + "13.2.3")
    carries(moved(event, "chips:ann", "seized:ann"), V + "13.2.3")
    assert desk.state.balances["seized:ann"] == amount
    carries(refused(desk, c.Sanction("ann", "seize winnings", 10_001 - amount), role=CASINO), V + "13.2.3")


def test_victoria_13_2_4_the_device_is_confiscated_by_its_description() -> None:
    desk = betting("vic2002")
    asked(desk, c.ReportDevice("ann"))
    carries(refused(desk, c.Sanction("ann", "confiscate device"), role=CASINO), V + "13.2.4")
    asked(desk, c.ReportDevice("ann", "a card counter"))
    event = only(asked(desk, c.Sanction("ann", "confiscate device"), role=CASINO, at=5), PlayerSanctioned)
    carries(event, V + "13.2.4")
    assert (event.device, desk.journal[-1].at_ms) == ("a card counter", 5)
    carries(refused(betting(), c.Sanction("ann", "confiscate device"), role=MANAGER), I + "11.2")


def test_victoria_13_2_5_the_holder_is_detained_until_somebody_takes_over() -> None:
    desk = betting("vic2002")
    asked(desk, c.ReportDevice("ann"))
    over = c.Sanction("ann", "hand over", to="Constable Kay")
    carries(refused(desk, over, role=CASINO), V + "13.2.5")
    carries(only(asked(desk, c.Sanction("ann", "detain"), role=CASINO, at=5), PlayerSanctioned), V + "13.2.5")
    carries(refused(desk, c.Sanction("ann", "hand over"), role=CASINO), V + "13.2.5")
    carries(refused(desk, over, role="game supervisor"), V + "13.2")
    assert only(asked(desk, over, role=CASINO, at=9), PlayerSanctioned).to == "Constable Kay"
    carries(refused(desk, over, role=CASINO), V + "13.2.5")


# ---------------------------------------------------------------- invalid outcomes


@pytest.mark.parametrize(
    ("edition", "by", "low", "high"),
    [("nz1998", I + "12.1", CASINO, MANAGER), ("vic2002", V + "13.3", "game supervisor", CASINO)],
)
def test_an_outcome_is_invalid_on_a_ground_only(edition: str, by: str, low: str, high: str) -> None:
    desk = betting(edition)
    for ground in ("", "a bad mood", "Fire"):
        carries(refused(desk, c.Invalidate(1, ground), role=high), by)
    carries(refused(desk, c.Invalidate(1, "fire"), role=low), by)
    for round_number in (0, 2, -1):
        carries(refused(desk, c.Invalidate(round_number, "fire"), role=high), by)


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize(
    ("edition", "rule", "refund", "role"),
    [("nz1998", I + "12.1a", I + "12.2", MANAGER), ("vic2002", V + "13.3.1", V + "13.4", CASINO)],
)
def test_a_disrupted_round_is_refunded(edition: str, rule: str, refund: str, role: str, ground: str) -> None:
    desk = betting(edition)
    desk.bet("cy", "tie", 1000)
    until_chance(desk)
    desk.tell("9h")
    events = asked(desk, c.Invalidate(1, ground), role=role)
    carries(only(events, RoundInvalidated), rule)
    refunds = [event for event in events if isinstance(event, WagerSettled)]
    assert [event.returned for event in refunds] == [10_000, 10_000, 10_000, 1000]
    for event in refunds:
        carries(event, refund)
    assert (all_chips(desk), desk.state.number) == ((50_000, 50_000, 50_000), 2)


@pytest.mark.parametrize(
    ("edition", "rule", "refund", "role"),
    [("nz1998", I + "12.1b", I + "12.2", MANAGER), ("vic2002", V + "13.3.2", V + "13.4", CASINO)],
)
@pytest.mark.parametrize("winner", ["player", "banker", "tie"])
def test_a_round_that_is_over_is_undone(edition: str, rule: str, refund: str, role: str, winner: str) -> None:
    desk = betting(edition)
    played(desk, *ROUND[winner])
    event = only(asked(desk, c.Invalidate(1, "fraud"), role=role), RoundInvalidated)
    carries(event, rule)
    for transfer in event.transfers:
        carries(transfer, refund)
    assert all_chips(desk) == (50_000, 50_000, 50_000)
    assert "cannot be invalidated" in refused(desk, c.Invalidate(1, "fraud"), role=role).reason


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("winner", ["player", "banker", "tie"])
def test_i_12_2_a_fraudsters_wager_is_forfeited(winner: str, *, over: bool) -> None:
    desk = betting()
    if over:
        played(desk, *ROUND[winner])
    events = asked(desk, c.Invalidate(1, "fraud", forfeit=("bob",)), role=MANAGER)
    ended = only(events, RoundInvalidated)
    carries(ended, I + "12.1b")
    assert (ended.forfeited, all_chips(desk)) == (("bob",), (50_000, 40_000, 50_000))


def test_i_12_2_forfeited_only_for_fraud() -> None:
    carries(refused(betting(), c.Invalidate(1, "fire", forfeit=("bob",)), role=MANAGER), I + "12.2")
    carries(refused(betting("vic2002"), c.Invalidate(1, "fraud", forfeit=("bob",)), role=CASINO), V + "13.4")


def test_an_undone_round_that_chips_do_not_cover_is_a_debt_and_a_report() -> None:
    desk = betting()
    played(desk, *ROUND["player"])
    asked(desk, c.RedeemChips("ann", 60_000), role="cashier")
    events = asked(desk, c.Invalidate(1, "fire"), role=MANAGER)
    assert only(events, Flagged).player == "ann"
    assert (desk.chips("ann"), desk.state.balances["owed:ann"]) == (0, -10_000)


def test_i_1_0b_a_void_round_has_no_result() -> None:
    desk = betting()
    played(desk, *ROUND["player"])
    asked(desk, c.Invalidate(1, "fire"), role=MANAGER)
    carries(refused(desk, c.Correct(1, ROUND["banker"], "misread"), role="game supervisor"), I + "1.0b")
    assert all_chips(desk) == (50_000, 50_000, 50_000)


def test_victoria_13_4_runs_in_progress_do_not_count_an_invalid_coup() -> None:
    desk = with_players(a_desk("vic2002"), "ann", chips=50_000)
    desk.bet("ann", "player_run_2", 1000)
    played(desk, *ROUND["player"])
    desk.bet("ann", "banker", 1000)
    until_chance(desk)
    events = asked(desk, c.Invalidate(2, "fire"), role=CASINO)
    carries(only(events, WagerSettled), V + "13.4")
    assert [wager.on for wager in desk.state.round.standing] == ["player_run_2"]


# ---------------------------------------------------------------- wrong payments


@pytest.mark.parametrize("paid", [19_000, 21_000])
def test_i_15_1_what_is_due_is_due_whatever_was_paid(paid: int) -> None:
    desk = betting()
    played(desk, *ROUND["player"])
    event = only(asked(desk, c.ReportPaid(1, 0, paid), role="game supervisor"), PaidOtherwise)
    carries(event, I + "15.1")
    assert (event.due, desk.chips("ann")) == (20_000, 40_000 + paid)
    back = only(asked(desk, c.RecoverPaid("ann"), role="game supervisor"), OverpaymentRecovered)
    carries(back, I + "15.1")
    assert (back.amount, desk.chips("ann"), desk.state.balances.get("held", 0)) == (paid - 20_000, 60_000, 0)
    carries(refused(desk, c.RecoverPaid("ann"), role="game supervisor"), I + "15.1")


def test_i_15_1_an_overpayment_already_spent_is_a_debt() -> None:
    desk = betting()
    played(desk, *ROUND["player"])
    asked(desk, c.ReportPaid(1, 0, 30_000), role="game supervisor")
    asked(desk, c.RedeemChips("ann", 66_000), role="cashier")
    asked(desk, c.RecoverPaid("ann"), role="game supervisor")
    assert (desk.chips("ann"), desk.state.balances["owed:ann"]) == (0, -6000)


@pytest.mark.parametrize(
    "wrong", [c.ReportPaid(1, 0, 20_000), c.ReportPaid(1, 9, 1), c.ReportPaid(2, 0, 1), c.ReportPaid(1, 0, -1)]
)
def test_i_15_1_only_a_wrong_payment_of_a_settled_wager(wrong: c.ReportPaid) -> None:
    desk = betting()
    played(desk, *ROUND["player"])
    carries(refused(desk, wrong, role="game supervisor"), I + "15.1")


def test_i_15_2_winnings_are_paid_in_chips() -> None:
    desk = betting()
    settled = [event for event in played(desk, *ROUND["player"]) if isinstance(event, WagerSettled)]
    assert {transfer.credit for event in settled for transfer in event.transfers} == {
        "chips:ann",
        "chips:bob",
        "chips:cy",
    }
    carries(refused(desk, c.ReportPaid(1, 0, 20_100, in_chips=False), role="game supervisor"), I + "15.2")


def test_victoria_says_nothing_of_wrong_payments() -> None:
    desk = betting("vic2002")
    played(desk, *ROUND["player"])
    assert refused(desk, c.ReportPaid(1, 0, 1), role="game supervisor").rule == V + "13.10"


def test_a_second_correction_starts_from_what_the_first_left() -> None:
    """A wager that the first correction decided earlier is not on the layout of the rounds that followed."""
    desk = with_players(a_desk("nz1996", "craps"), "bob", "ann")
    desk.bet("ann", "big_eight", 2500)
    for dice in ("1-1", "1-2", "3-4"):
        desk.bet("bob", "pass", 1000)
        played(desk, dice)
    for number, dice in ((1, "3-4"), (2, "6-6"), (3, "6-6")):
        asked(desk, c.Correct(number, (dice,), "it was misread"), role="casino manager")
        assert desk.state.round.book == ()
        assert (desk.chips("ann"), desk.state.staked("ann")) == (RICH - 2500, 0)


def test_a_round_that_is_corrected_twice_settles_the_wagers_that_followed_its_ceremony() -> None:
    desk = with_players(a_desk("nz1998"), "ann", "bob")
    desk.ceremony()
    desk.bet("ann", "player", 10_000)
    desk.bet("bob", "banker", 10_000)
    until_chance(desk)
    for card in ROUND["banker"]:
        desk.tell(card)
    until_paid(desk)
    for truth, ann, bob in (("tie", 0, 0), ("player", 10_000, -10_000), ("banker", -10_000, 9_500)):
        asked(desk, c.Correct(1, ROUND[truth], "it was misread"), role="casino manager")
        assert (desk.chips("ann"), desk.state.staked("ann")) == (RICH + ann, 0)
        assert (desk.chips("bob"), desk.state.staked("bob")) == (RICH + bob, 0)


def test_a_correction_does_not_bring_back_a_wager_that_ended_in_an_invalid_round() -> None:
    desk = with_players(a_desk("nz1996", "craps"), "bob", "ann")
    desk.bet("ann", "big_eight", 2500)
    for dice in ("1-2", "3-4"):
        desk.bet("bob", "pass", 1000)
        played(desk, dice)
    asked(desk, c.Invalidate(2, "fraud"), role="casino manager")
    refunded = desk.chips("ann")
    asked(desk, c.Correct(1, ("1-3",), "it was misread"), role="casino manager")
    assert desk.state.staked("ann") == 0
    assert [entry.wager.on for entry in desk.state.round.book] == ["pass"]
    assert desk.chips("ann") == refunded


def test_a_fact_is_not_taken_back_past_a_correction_that_brought_a_wager_back() -> None:
    desk = with_players(a_desk("nz1996", "craps"), "bob", "ann")
    desk.bet("ann", "big_eight", 2500)
    desk.bet("bob", "pass", 1000)
    for dice in ("2-4", "3-4"):
        played(desk, dice)
    due = desk.state.due
    assert isinstance(due, Choose)
    desk.tell({"choose": "decline_dice", "by": due.by})
    asked(desk, c.Correct(2, ("1-3",), "it was misread"), role="casino manager")
    assert desk.state.staked("ann") == 2500
    assert "a correction brought a wager back" in refused(desk, c.TakeBack("by mistake")).reason
