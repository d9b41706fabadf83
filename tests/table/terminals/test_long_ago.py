"""What is due or to be refunded of rounds that the table would have forgotten."""

from __future__ import annotations

from croupier.journal.accounts import due_from, owed_by
from croupier.table import commands as c
from croupier.table.desk import LiveTable
from croupier.table.state import RECORDS_KEPT
from croupier.table.terminals import commands as t
from croupier.table.terminals.events import VoucherIssued, WagersRefunded
from tests.helpers.desks.table import ROUND, asked, only, refused
from tests.helpers.desks.terminal import EB, SEVEN, SUPERVISOR, coup, same_after_replay, touch, with_terminals
from tests.helpers.observe import carries


def long_after(desk: LiveTable) -> None:
    """So many rounds without wagers that the table remembers none of those before."""
    for _ in range(RECORDS_KEPT + 1):
        coup(desk, *ROUND["banker"])


def played(desk: LiveTable, cents: int, winner: str) -> None:
    """A player comes to terminal 7, backs the tie, and takes a voucher."""
    asked(desk, t.CreditTerminal(SEVEN, 20_000))
    touch(desk, SEVEN, "tie", cents)
    coup(desk, *ROUND[winner])
    asked(desk, t.CashOut(SEVEN, f"of round {desk.state.number - 1}"), role="player", by=SEVEN)


def test_12_3_what_is_due_to_two_stays_each_ones_own_however_long_it_waits() -> None:
    desk = with_terminals(7, 8, chips=0)
    for cents in (1000, 5000):
        played(desk, cents, "banker")
    for number in (1, 2):
        asked(desk, c.Correct(number, ROUND["tie"], "misread"), role="casino supervisor")
    long_after(desk)
    assert desk.state.record(1) is None
    carries(refused(desk, t.PayDue(SEVEN, "for whom?")), EB + "12.3")
    paid = only(asked(desk, t.PayDue(SEVEN, "of the second", round=2)), VoucherIssued)
    assert (paid.amount, paid.rounds) == (45_000, (2,))
    carries(refused(desk, t.PayDue(SEVEN, "once more", round=2)), EB + "12.3")
    assert only(asked(desk, t.PayDue(SEVEN, "of the first")), VoucherIssued).amount == 9000
    assert desk.state.balances[due_from(SEVEN)] == 0
    same_after_replay(desk)


def test_12_5c_wagers_are_refunded_however_long_the_fault_is_looked_into() -> None:
    desk = with_terminals(7, 8, chips=0)
    asked(desk, t.CreditTerminal(SEVEN, 20_000))
    touch(desk, SEVEN, "tie", 1000)
    coup(desk, *ROUND["tie"])
    asked(desk, t.ReportMalfunction("wrong count", terminal=SEVEN, rounds=(1,)), role=SUPERVISOR)
    assert desk.chips(SEVEN) == 19_000
    long_after(desk)
    refund = only(asked(desk, t.RefundRound(0), role=SUPERVISOR), WagersRefunded)
    assert (refund.amount, desk.chips(SEVEN)) == (1000, 20_000)
    coup(desk, *ROUND["banker"])
    assert desk.state.record(1) is None
    assert len(desk.state.records) == RECORDS_KEPT
    same_after_replay(desk)


def test_12_5c_a_refund_is_set_against_what_had_left_however_long_it_waits() -> None:
    desk = with_terminals(7, 8, chips=0)
    played(desk, 1000, "tie")
    asked(desk, t.ReportMalfunction("wrong count", terminal=SEVEN, rounds=(1,)), role=SUPERVISOR)
    assert desk.state.balances[owed_by(SEVEN)] == -9000
    long_after(desk)
    asked(desk, t.RefundRound(0), role=SUPERVISOR)
    assert (desk.state.balances[owed_by(SEVEN)], desk.state.balances.get(due_from(SEVEN), 0)) == (-8000, 0)
    same_after_replay(desk)
