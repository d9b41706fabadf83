"""A jackpot that several tables play for: the pool, the meters, the order between tables, the books."""

from __future__ import annotations

import doctest
from fractions import Fraction
from typing import Any

import pytest

from croupier.house.jackpot import messages as m
from croupier.house.jackpot.hands import who_is_first
from croupier.house.jackpot.state import BETWEEN, bank_of, pool_of, retained_by
from croupier.journal.accounts import HOUSE
from croupier.journal.entries import BadJournal, encode
from tests.helpers.desks.jackpot import DEALER, SUPERVISOR, Desk, R, a_link, joining, replay, snapshot, terms, the
from tests.helpers.ledger import books
from tests.helpers.observe import carries
from tests.helpers.places import DOCS

# ---------------------------------------------------------------- terms


@pytest.mark.parametrize(("pool", "kept"), [(7_500, 2_499), (7_500, 2_501), (0, 10_000), (-1, 10_001), (10_001, -1)])
def test_a_wager_is_the_pools_but_for_the_portion_kept(pool: int, kept: int) -> None:
    refusal = Desk().refused(terms(pool, kept))
    carries(refusal, R + "11.3")
    assert "hundredths of a percent" in refusal.reason


@pytest.mark.parametrize(("pool", "kept"), [(7_500, 2_500), (10_000, 0), (1, 9_999)])
def test_rates_that_make_a_whole_wager_are_taken(pool: int, kept: int) -> None:
    carries(the(m.TermsSet, Desk().ask(terms(pool, kept))), R + "11.3")


@pytest.mark.parametrize("approval", ["", "  "])
def test_rates_need_an_approval(approval: str) -> None:
    carries(Desk().refused(terms(approval=approval)), R + "11.3")
    open_link = a_link()
    carries(open_link.refused(m.ChangeTerms(5_000, 5_000, 0, approval)), R + "11.3")


def test_a_wager_feeds_the_pool_at_the_approved_rate() -> None:
    desk = a_link()
    event = the(m.WagerRecorded, desk.ask(m.RecordWager("T1", 1, 1, "ann", 200), DEALER))
    assert {transfer.credit: transfer.amount for transfer in event.transfers} == {
        "pool:grand": 150,
        "retained:grand": 50,
    }
    assert {transfer.debit for transfer in event.transfers} == {bank_of("T1")}
    for transfer in event.transfers:
        carries(transfer, R + "11.3")


def test_less_than_a_cent_waits_until_it_is_one() -> None:
    desk = a_link(pool_rate=3_333, retained_rate=6_667)
    for number in range(1, 101):
        desk.ask(m.RecordWager("T1", number, 1, "ann", 200))
        desk.ask(m.TimeHand("T1", 1, 0, 0))
        desk.ask(m.ReportHands("T1"))
        assert desk.link.pool == (Fraction(3_333, 10_000) * 200 * number).__floor__()
    assert (desk.of(pool_of("grand")), desk.of(retained_by("grand"))) == (6_666, 13_334)


def test_new_terms_are_for_the_wagers_to_come() -> None:
    desk = a_link()
    desk.ask(m.RecordWager("T1", 1, 1, "ann", 200))
    desk.ask(m.ChangeTerms(10_000, 0, 5_000, "CCA 96/3"))
    assert desk.link.pool == 150
    desk.ask(m.RecordWager("T1", 1, 2, "ben", 200))
    assert desk.link.pool == 350
    desk.ask(m.ReturnWager("T1", 1))
    assert (desk.link.pool, desk.of(retained_by("grand"))) == (200, 0)


@pytest.mark.parametrize(
    ("role", "what"),
    [
        ("game supervisor", terms()),
        ("dealer", m.JoinTable("T9", "shoe", "manual", 200)),
        ("player", m.RecordWager("T1", 1, 1, "ann", 200)),
        ("dealer", m.PayHands("T1")),
        ("nobody", m.CheckMeter("M1", 0)),
    ],
)
def test_each_has_a_part(role: str, what: m.AnyCommand) -> None:
    desk = Desk() if isinstance(what, m.OpenLink) else a_link()
    refusal = desk.refused(what, role)
    assert f"not for the {role}" in refusal.reason
    assert refusal.rule.startswith("NZ1996-I-1.0-def-")


# ---------------------------------------------------------------- the equipment


def test_the_equipment_records_what_was_wagered_at_the_table_and_the_pool() -> None:
    desk = a_link()
    for box in range(1, 6):
        event = the(m.WagerRecorded, desk.ask(m.RecordWager("T1", 1, box, f"p{box}", 200)))
        assert (event.at_table, event.pool) == (200 * box, 150 * box)
        carries(event, R + "2.4a")
    other = the(m.WagerRecorded, desk.ask(m.RecordWager("T2", 1, 1, "zoe", 200)))
    assert (other.at_table, other.pool) == (200, 900)


@pytest.mark.parametrize(("meters", "joins"), [((), False), (("M1",), True), (("M1", "M2"), True)])
def test_electronic_mode_needs_a_meter(meters: tuple[str, ...], joins: bool) -> None:  # noqa: FBT001
    desk = Desk()
    desk.ask(terms())
    if joins:
        carries(desk.ask(joining(meters=meters))[0], R + "2.4")
    else:
        carries(desk.refused(joining(meters=meters)), R + "2.4b")
    carries(desk.ask(joining("T7", mode="manual", meters=()))[0], R + "2.4")


def test_the_meters_show_the_pool() -> None:
    desk = a_link(pool=1_234_550)
    shown = the(m.MetersShow, desk.ask(joining("T4", meters=("M2", "M1"))))
    assert (shown.amount, shown.meters) == (1_234_550, ("M1", "M2"))
    carries(shown, R + "2.4b")
    shown = the(m.MetersShow, desk.ask(m.RecordWager("T1", 1, 1, "ann", 200)))
    assert shown.amount == desk.link.pool == 1_234_700


def test_a_meter_that_is_wrong_takes_no_wagers_until_it_is_right() -> None:
    desk = a_link(pool=500_000)
    desk.ask(joining("T4", meters=("M2",)))
    carries(the(m.MeterChecked, desk.ask(m.CheckMeter("M1", 499_999), DEALER)), R + "2.4b")
    carries(desk.refused(m.RecordWager("T1", 1, 1, "ann", 200)), R + "2.4b")
    desk.ask(m.RecordWager("T4", 1, 1, "zoe", 200))
    desk.ask(m.CheckMeter("M1", 500_150))
    desk.ask(m.RecordWager("T1", 1, 1, "ann", 200))
    carries(desk.refused(m.CheckMeter("M9", 0)), R + "2.4b")


@pytest.mark.parametrize("choices", [{"device": "hand"}, {"mode": "by heart"}, {"table": "T1"}, {"table": ""}])
def test_only_a_table_that_the_law_knows_joins(choices: dict[str, Any]) -> None:
    carries(a_link().refused(joining(**{"table": "T5", **choices})), R + "2.4")


@pytest.mark.parametrize(
    "choices", [{"wager": 0}, {"wager": -200}, {"chip": 0}, {"chip": 150}, {"wager": 10**12 + 100}]
)
def test_the_amount_on_the_sign_is_one_that_chips_can_make(choices: dict[str, Any]) -> None:
    carries(a_link().refused(joining("T5", **choices)), R + "11.5")


def test_a_table_with_wagers_in_play_does_not_leave() -> None:
    desk = a_link()
    desk.ask(m.RecordWager("T1", 1, 1, "ann", 200))
    assert desk.refused(m.LeaveTable("T1")).reason == "T1 has jackpot wagers in play"
    desk.ask(m.TimeHand("T1", 1, 1, 2))
    desk.ask(m.ReportHands("T1"))
    desk.ask(m.LeaveTable("T1"))
    assert "not a table of grand" in desk.refused(m.RecordWager("T1", 2, 1, "ann", 200)).reason


# ---------------------------------------------------------------- wagers


@pytest.mark.parametrize("amount", [199, 201, 0, -200])
def test_the_wager_is_the_amount_on_the_sign(amount: int) -> None:
    carries(a_link().refused(m.RecordWager("T1", 1, 1, "ann", amount)), R + "11.5")


def test_one_wager_a_box_and_one_round_at_a_time() -> None:
    desk = a_link()
    desk.ask(m.RecordWager("T1", 3, 1, "ann", 200))
    assert "box 1 has no room" in desk.refused(m.RecordWager("T1", 3, 1, "ben", 200)).reason
    assert "box 0 has no room" in desk.refused(m.RecordWager("T1", 3, 0, "ben", 200)).reason
    assert "round 3 of T1 is in play" in desk.refused(m.RecordWager("T1", 4, 2, "ben", 200)).reason
    desk.ask(m.TimeHand("T1", 1, 1, 2))
    assert "round 3 of T1 is in play" in desk.refused(m.RecordWager("T1", 3, 2, "ben", 200)).reason
    desk.ask(m.ReportHands("T1"))
    assert "round 3 of T1 is over" in desk.refused(m.RecordWager("T1", 3, 2, "ben", 200)).reason
    desk.ask(m.RecordWager("T1", 4, 2, "ben", 200))


def test_a_wager_whose_light_was_off_goes_back_and_may_be_made_again() -> None:
    desk = a_link()
    desk.ask(m.RecordWager("T1", 1, 1, "ann", 200))
    returned = the(m.WagerReturned, desk.ask(m.ReturnWager("T1", 1)))
    assert (returned.player, returned.amount, desk.link.pool, desk.link.tables["T1"].wagered_cents) == (
        "ann",
        200,
        0,
        0,
    )
    assert not any(desk.link.balances.values())
    desk.ask(m.RecordWager("T1", 1, 1, "ann", 200))
    desk.ask(m.TimeHand("T1", 1, 1, 2))
    assert "no jackpot wager that could go back" in desk.refused(m.ReturnWager("T1", 1)).reason


def test_misdealt_wagers_wait_for_the_next_round() -> None:
    desk = a_link()
    assert "no wagers that could wait" in desk.refused(m.CarryWagers("T1")).reason
    desk.ask(m.RecordWager("T1", 1, 1, "ann", 200))
    desk.ask(m.TimeHand("T1", 1, 1, 2))
    carries(the(m.WagersCarried, desk.ask(m.CarryWagers("T1"))), R + "14.10")
    desk.ask(m.RecordWager("T1", 2, 2, "ben", 200))
    assert desk.link.pool == 300
    assert sorted(desk.link.tables["T1"].stakes) == [1, 2]


# ---------------------------------------------------------------- hands of one table


@pytest.mark.parametrize(
    ("hand", "pool", "paid", "rule"),
    [
        ("royal flush", 799_850, 1_000_000, "12.1a"),
        ("royal flush", 4_500_000 - 150, 4_500_000, "12.1a"),
        ("straight flush", 799_850, 100_000, "12.1b"),
        ("straight flush", 4_500_000 - 150, 450_000, "12.1b"),
        ("four of a kind", 4_500_000, 50_000, "12.1c"),
        ("full house", 4_500_000, 15_000, "12.1d"),
        ("flush", 4_500_000, 10_000, "12.1e"),
    ],
)
def test_one_hand_is_paid_from_the_pool_and_the_rest_by_the_house(hand: str, pool: int, paid: int, rule: str) -> None:
    desk = a_link(pool)
    desk.play("T1", 1, {1: hand}, {1: 10})
    before = desk.link.pool
    events = desk.ask(m.PayHands("T1"), SUPERVISOR)
    event = the(m.JackpotPaid, events)
    carries(event, R + rule)
    assert (event.paid, event.from_pool) == (paid, min(before, paid))
    assert desk.of(HOUSE) == -max(0, paid - before)
    assert desk.link.pool == before - event.from_pool
    assert the(m.MetersShow, events).amount == desk.link.pool


def test_several_hands_of_a_round_are_paid_together_in_the_order_of_the_law() -> None:
    desk = a_link(2_000_000 - 450)
    desk.play("T1", 1, {1: "royal flush", 2: "flush", 3: "straight flush"}, {1: 10, 2: 11, 3: 12})
    paid = [event for event in desk.ask(m.PayHands("T1")) if isinstance(event, m.JackpotPaid)]
    assert [(event.box, event.paid) for event in paid] == [(2, 10_000), (3, 199_000), (1, 1_791_000)]
    assert desk.link.pool == 0
    for event, number in zip(paid, ("12.2a", "12.2b", "12.2c-ii"), strict=True):
        carries(event, R + number)


@pytest.mark.parametrize(("by", "paid"), [("chips", 234_600), ("cash", 234_600), ("cheque", 234_560)])
def test_chips_round_up_at_the_houses_cost_and_a_cheque_is_exact(by: str, paid: int) -> None:
    desk = a_link(2_345_600 - 150)
    desk.play("T1", 1, {1: "straight flush"}, {1: 10})
    event = the(m.JackpotPaid, desk.ask(m.PayHands("T1", {1: by})))
    assert (event.due, event.paid, event.from_pool) == ("234560", paid, 234_560)
    assert (desk.of(HOUSE), desk.link.pool) == (234_560 - paid, 2_345_600 - 234_560)
    desk.play("T1", 2, {1: "flush"}, {1: 10})
    if by != "chips":
        carries(desk.refused(m.PayHands("T1", {1: by})), R + "11.8")
    assert "no hand on box 4" in desk.refused(m.PayHands("T1", {4: "cash"})).reason


def test_a_pool_that_was_won_starts_again_from_the_seed() -> None:
    desk = a_link(pool=2_000_000 - 150 - 50_000, seed=50_000)
    assert desk.of(HOUSE) == -50_000
    desk.play("T1", 1, {1: "royal flush"}, {1: 10})
    events = desk.ask(m.PayHands("T1"))
    carries(the(m.PoolSeeded, events), R + "11.3")
    assert the(m.MetersShow, events).amount == desk.link.pool == 50_000
    desk.play("T1", 2, {1: "flush"}, {1: 20})
    assert not [event for event in desk.ask(m.PayHands("T1")) if isinstance(event, m.PoolSeeded)]


def test_only_a_hand_that_qualifies_and_entered_is_reported() -> None:
    desk = a_link()
    assert "no round of jackpot wagers" in desk.refused(m.ReportHands("T1")).reason
    desk.ask(m.RecordWager("T1", 1, 1, "ann", 200))
    desk.ask(m.RecordWager("T1", 1, 2, "ben", 200))
    desk.ask(m.TimeHand("T1", 1, 1, 2))
    assert "no round of jackpot wagers" in desk.refused(m.ReportHands("T1")).reason
    desk.ask(m.TimeHand("T1", 2, 1, 2))
    carries(desk.refused(m.ReportHands("T1", {1: "straight"})), R + "11.2")
    carries(desk.refused(m.ReportHands("T1", {3: "flush"})), R + "11.2")
    assert "no hand to be paid" in desk.refused(m.PayHands("T1")).reason
    assert the(m.HandQualified, desk.ask(m.ReportHands("T1", {2: "flush"}))).player == "ben"
    assert "no round of jackpot wagers" in desk.refused(m.ReportHands("T1", {1: "flush"})).reason


# ---------------------------------------------------------------- hands of several tables


@pytest.mark.parametrize(("table", "moment", "rule"), [("T1", 1_000, "12.3a"), ("T3", 3_000, "12.3b")])
def test_the_moment_of_a_hand_is_its_first_card_from_a_shoe_and_its_last_from_a_shuffler(
    table: str, moment: int, rule: str
) -> None:
    desk = a_link()
    desk.ask(m.RecordWager(table, 1, 2, "ann", 200))
    refusal = desk.refused(m.TimeHand(table, 2, 3_000, 2_999), DEALER)
    assert refusal.reason == "a hand is complete before its first card"
    timed = the(m.HandTimed, desk.ask(m.TimeHand(table, 2, 1_000, 3_000), DEALER))
    assert (timed.at_ms, timed.round, timed.box) == (moment, 1, 2)
    carries(timed, R + rule)
    carries(desk.refused(m.TimeHand(table, 2, 1_000, 3_000)), R + rule)
    carries(desk.refused(m.TimeHand(table, 3, 1_000, 3_000)), R + rule)


def test_two_tables_are_paid_in_the_order_in_which_the_hands_were_received() -> None:
    desk = a_link(3_000_000 - 300)
    desk.play("T2", 1, {1: "royal flush"}, {1: 4_000})
    desk.play("T1", 1, {1: "royal flush"}, {1: 1_000})
    assert who_is_first(desk.link) == "T1"
    refusal = desk.refused(m.PayHands("T2"))
    carries(refusal, R + "12.3")
    assert refusal.reason == "a hand was received at T1 before that at T2"
    first = desk.ask(m.PayHands("T1"))
    carries(the(m.PayOrder, first), R + "12.3")
    second = desk.ask(m.PayHands("T2"))
    assert (the(m.JackpotPaid, first).paid, the(m.JackpotPaid, second).paid) == (3_000_000, 1_000_000)
    assert the(m.JackpotPaid, second).from_pool == 0


@pytest.mark.parametrize(("other", "first"), [(999, "T3"), (1_000, ""), (1_001, "")])
def test_a_hand_still_in_play_that_was_received_before_is_waited_for(other: int, first: str) -> None:
    desk = a_link(3_000_000)
    desk.ask(m.RecordWager("T3", 1, 1, "zoe", 200))
    desk.ask(m.TimeHand("T3", 1, 500, other))
    desk.play("T1", 1, {1: "royal flush"}, {1: 1_000})
    if not first:
        desk.ask(m.PayHands("T1"))
        return
    carries(desk.refused(m.PayHands("T1")), R + "12.3")
    desk.ask(m.ReportHands("T3"))
    desk.ask(m.PayHands("T1"))


def test_a_hand_not_dealt_yet_is_not_waited_for_and_one_that_lost_is_not_counted() -> None:
    desk = a_link(3_000_000)
    desk.ask(m.RecordWager("T2", 1, 1, "zoe", 200))
    desk.play("T1", 1, {2: "flush"}, {1: 500, 2: 2_000})
    desk.play("T3", 1, {1: "flush"}, {1: 1_000})
    assert who_is_first(desk.link) == "T3"
    carries(desk.refused(m.PayHands("T1")), R + "12.3")
    desk.ask(m.PayHands("T3"))
    desk.ask(m.PayHands("T1"))


# ---------------------------------------------------------------- the end of a link


def test_the_pool_of_a_closed_link_goes_to_another() -> None:
    desk = a_link(700_000)
    carries(desk.refused(m.CloseLink()), R + "11.3")
    carries(desk.refused(m.CloseLink("new")), R + "11.3")
    carries(desk.refused(m.CloseLink("grand", "CCA 96/9")), R + "11.3")
    desk.ask(m.RecordWager("T1", 1, 1, "ann", 200))
    assert "T1 has jackpot wagers in play" in desk.refused(m.CloseLink("new", "CCA 96/9")).reason
    desk.ask(m.ReturnWager("T1", 1))
    closed = the(m.LinkClosed, desk.ask(m.CloseLink("new", "CCA 96/9")))
    assert (closed.amount, desk.link.pool, desk.of(BETWEEN)) == (700_000, 0, 0)
    other = Desk("new")
    other.ask(terms())
    carries(other.refused(m.ReceivePool("grand", 700_000, "")), R + "11.3")
    carries(other.refused(m.ReceivePool("grand", 0, "CCA 96/9")), R + "11.3")
    other.ask(m.ReceivePool("grand", 700_000, "CCA 96/9"))
    assert other.link.pool == 700_000
    assert desk.refused(m.CheckMeter("M1", 0)).reason == "grand is closed"
    assert other.refused(terms()).reason == "new is open"


def test_an_empty_link_is_closed_and_opened_again_with_its_seed() -> None:
    desk = Desk()
    desk.ask(terms())
    desk.ask(m.CloseLink())
    desk.ask(terms(seed=1_000))
    assert desk.link.pool == 1_000


# ---------------------------------------------------------------- the journal


def test_the_journal_leads_to_the_same_link_and_its_books_balance() -> None:
    desk = a_link(3_000_000)
    desk.play("T1", 1, {1: "royal flush", 3: "flush"}, {1: 1_000, 3: 1_200})
    desk.ask(m.PayHands("T1"))
    written = [encode(line) for line in desk.journal]
    assert snapshot(replay("grand", written)) == snapshot(desk.link)
    ledger = books(desk.journal)
    assert (ledger.total, dict(ledger.balances)) == (0, dict(desk.link.balances))
    assert len(ledger.statement(pool_of("grand"))) == 5
    with pytest.raises(BadJournal, match="line 1 where 0 is next"):
        replay("grand", written[1:])
    with pytest.raises(BadJournal, match="version 2"):
        replay("grand", [written[0].replace(b'"version":1', b'"version":2')])
    with pytest.raises(BadJournal, match="not a line"):
        replay("grand", [b"{}"])


def test_the_example_of_the_documentation_runs() -> None:
    page = DOCS / "house.md"
    done = doctest.testfile(str(page), module_relative=False)
    assert done.attempted > 5
    assert done.failed == 0
