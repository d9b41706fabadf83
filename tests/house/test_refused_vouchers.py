"""Vouchers that a malfunction case holds: what it credited is refused, and another voucher pays the rest."""

from __future__ import annotations

import pytest

from croupier.house.cage import messages as m
from tests.house.test_cage import CODES, issue, opened, redeem

FAULT = issue(held="locked", case=0, credited=15_000)
SUPERVISOR = "casino supervisor"


def void(voucher: str, number: str = CODES[2]) -> m.VoidVoucher:
    return m.VoidVoucher(voucher, "credited by fault 3", FAULT, number)


def test_nzeb_12_4_only_what_the_malfunction_credited_is_refused() -> None:
    desk = opened()
    gone, instead = desk.ask(void(CODES[0]), SUPERVISOR)
    assert (gone.amount, gone.refused, gone.rule) == (40_000, 15_000, "NZEB-12.4")
    assert (instead.voucher, instead.amount, instead.rule) == (CODES[2], 25_000, "NZEB-10.6")
    assert desk.cage.balances["refused"] == 15_000
    desk.refused(redeem(), "NZEB-12.4", "voided already")
    desk.done(m.RedeemVoucher(CODES[2], 25_000))
    # What was refused on one voucher of the case is not refused on another.
    desk.refused(void(CODES[1]), "NZEB-12.4", "nothing on this voucher", role=SUPERVISOR)


@pytest.mark.parametrize(("number", "reason"), [("", "figures"), (CODES[2], "exists already")])
def test_nzeb_12_4_the_rest_of_a_refused_voucher_needs_a_number_of_its_own(number: str, reason: str) -> None:
    desk = opened()
    desk.done(m.IssueVoucher(30_000, CODES[2]))
    desk.refused(void(CODES[0], number), "NZEB-10.6", reason, role=SUPERVISOR)
    assert not desk.cage.ended


def test_nzeb_12_4_what_was_paid_is_not_refused_afterwards() -> None:
    desk = opened()
    desk.done(redeem())
    desk.refused(void(CODES[0]), "NZEB-10.6", "paid", role=SUPERVISOR)
    assert "refused" not in desk.cage.balances


def test_nzeb_12_4_what_no_case_holds_is_not_refused() -> None:
    desk = opened()
    free = m.VoidVoucher(CODES[0], "a whim", issue(), CODES[2])
    desk.refused(free, "NZEB-12.4", "no case holds this voucher", role=SUPERVISOR)
