"""Deciding at the cage: what follows from a request, or the one reason why nothing does.

Refusals come in a fixed order, so that the same request is always refused for the same reason:

1. the role may ask for this, and the law has it done at a cage;
2. the cage is open, and a shift is (where the drawer is touched);
3. the voucher: its number is mistyped; it was never issued; it was paid, voided or given up before (when, by whom); it
   is practice and not money; it is held at its table; the amount is another; it has expired;
4. the amounts: above nothing, within reason, equal;
5. the drawer holds enough.

A voucher is paid at most once, because the cage remembers every one it paid and decides one request after another.
`decide` looks only at the cage and the request, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, TypeAlias

from croupier.game import Refusal
from croupier.house.cage import messages as m
from croupier.house.cage import vouchers
from croupier.house.cage.checks import amount_wrong, cash_short, chips_short, text_wrong, toward, uncountable
from croupier.house.cage.law import RULES, named
from croupier.house.cage.messages import AnyCommand, CageEntry, CageRequest, Events
from croupier.house.cage.state import CASH, CHIPS, DROP_DIFFERENCE, OVER_AND_SHORT, VAULT, Cage, Shift, drop_of, tray_of
from croupier.journal.accounts import CHEQUES, VOUCHERS, moves
from croupier.journal.entries import entries as numbered
from croupier.journal.messages import Transfer
from croupier.journal.names import called
from croupier.law.cage import CageRules
from croupier.law.model import Law
from croupier.law.officials import CASHIER
from croupier.money import Cents, dollars
from croupier.once import like

LONGEST_EXPIRY_DAYS = 36_500

Of: TypeAlias = Callable[[CageRules], Law[Any]]
Decision: TypeAlias = Callable[[Cage, CageRequest, Any], Events | Refusal]


def decide(cage: Cage, request: CageRequest) -> Events | Refusal:
    """The events that follow from a request, or the first reason why none do."""
    may, under, decision = DECISIONS[type(request.what)]
    refusal = _not_for(request, may(RULES)) or _not_provided(under(RULES)) or _not_open(cage, request.what)
    return refusal or decision(cage, request, request.what)


def entries(cage: Cage, request: CageRequest, events: Events) -> tuple[CageEntry, ...]:
    """The lines of the journal that a decision makes."""
    return numbered(cage.entries, request, events)


def _not_for(request: CageRequest, law: Law[frozenset[str]]) -> Refusal | None:
    if request.role in law.value:
        return None
    who = "the cashier and casino supervisors" if CASHIER in law.value else "casino supervisors and those above"
    return Refusal(f"{called(type(request.what))} is for {who}, not for the {request.role or 'public'}", law.rule)


def _not_provided(law: Law[Any]) -> Refusal | None:
    """Whether the law lets a cage do this at all."""
    return None if law.value else Refusal("the law has no such thing done at a cage", law.rule)


def _not_open(cage: Cage, what: AnyCommand) -> Refusal | None:
    if cage.opened == isinstance(what, m.OpenCage):
        return Refusal("the cage is open already" if cage.opened else "the cage is not open", RULES.kept.rule)
    if cage.shift is None and isinstance(what, NEEDS_SHIFT):
        return Refusal("no shift is open: open one with its float first", RULES.kept.rule)
    return None


# ---------------------------------------------------------------- the cage and its shifts


def _open_cage(_: Cage, __: CageRequest, what: m.OpenCage) -> Events | Refusal:
    days, rule = what.expiry_days, RULES.kept.rule
    opened = m.CageOpened(practice=what.practice, expiry_days=days, law=named(), rule=rule)
    return _days(days) or (opened,)


def _set_expiry(_: Cage, __: CageRequest, what: m.SetExpiry) -> Events | Refusal:
    return _days(what.days) or (m.ExpirySet(days=what.days, rule=RULES.redeemed.rule),)


def _days(days: int) -> Refusal | None:
    if 0 <= days <= LONGEST_EXPIRY_DAYS:
        return None
    return Refusal(f"an expiry of {days} days: 0 (never) to {LONGEST_EXPIRY_DAYS}", RULES.redeemed.rule)


def _open_shift(cage: Cage, _: CageRequest, what: m.OpenShift) -> Events | Refusal:
    if cage.shift is not None:
        return Refusal(f"shift {cage.shift.number} of {cage.shift.opened_by} is open", RULES.kept.rule)
    refusal = uncountable(RULES.kept, what.cash, what.chips)
    if refusal:
        return refusal
    rule = RULES.kept.rule
    brought = moves(Transfer(CASH, VAULT, what.cash, rule), Transfer(CHIPS, VAULT, what.chips, rule))
    return (m.ShiftOpened(shift=cage.shifts + 1, cash=what.cash, chips=what.chips, rule=rule, transfers=brought),)


def _count(cage: Cage, _: CageRequest, what: m.CountDrawer) -> Events | Refusal:
    shift = _shift(cage)
    refusal = uncountable(RULES.counted, what.cash, what.chips)
    return refusal or (
        m.DrawerCounted(
            shift=shift.number,
            expected_cash=cage.cash,
            counted_cash=what.cash,
            expected_chips=cage.chips,
            counted_chips=what.chips,
            rule=RULES.counted.rule,
        ),
    )


def _shift(cage: Cage) -> Shift:
    assert cage.shift is not None
    return cage.shift


def _close_shift(cage: Cage, _: CageRequest, what: m.CloseShift) -> Events | Refusal:
    shift = _shift(cage)
    if shift.counted is None:
        return Refusal("the drawer was not counted since money last moved: count it first", RULES.counted.rule)
    cash, chips = shift.counted[0] - cage.cash, shift.counted[1] - cage.chips
    if (cash or chips) and text_wrong(what.reason, "the difference"):
        difference = f"cash {dollars(cash)}, chips {dollars(chips)}"
        return Refusal(f"the count differs ({difference}): say why before closing", RULES.counted.rule)
    if what.reason and (refusal := text_wrong(what.reason, "the reason")):
        return refusal
    return (
        m.ShiftClosed(
            shift=shift.number,
            cash_difference=cash,
            chips_difference=chips,
            reason=what.reason.strip(),
            rule=RULES.counted.rule,
            transfers=_settled(shift.counted, (cash, chips)),
        ),
    )


def _settled(counted: tuple[Cents, Cents], differences: tuple[Cents, Cents]) -> tuple[Transfer, ...]:
    """The differences are booked, then the drawer goes to the vault as it was counted."""
    rule = RULES.counted.rule
    drawers = tuple(zip((CASH, CHIPS), counted, differences, strict=True))
    booked = [toward(drawer, OVER_AND_SHORT, found, rule) for drawer, _, found in drawers]
    back = [Transfer(VAULT, drawer, amount, rule) for drawer, amount, _ in drawers]
    return moves(*booked, *back)


def _move_float(cage: Cage, _: CageRequest, what: m.MoveFloat) -> Events | Refusal:
    law = RULES.kept
    refusal = uncountable(law, abs(what.cash), abs(what.chips)) or text_wrong(what.reason, "the reason")
    if not refusal and not (what.cash or what.chips):
        refusal = Refusal("nothing to move between vault and drawer", law.rule)
    refusal = refusal or cash_short(cage, -what.cash, law) or chips_short(cage, -what.chips, law)
    if refusal:
        return refusal
    moved = moves(toward(CASH, VAULT, what.cash, law.rule), toward(CHIPS, VAULT, what.chips, law.rule))
    return (m.FloatMoved(cash=what.cash, chips=what.chips, reason=what.reason.strip(), rule=law.rule, transfers=moved),)


# ---------------------------------------------------------------- tables


def _collect(_: Cage, __: CageRequest, what: m.CollectDrop) -> Events | Refusal:
    law = RULES.dropped
    refusal = text_wrong(what.table, "the table") or (text_wrong(what.box, "the box") if what.box else None)
    refusal = refusal or uncountable(law, what.counted)
    if refusal:
        return refusal
    drop, over = drop_of(what.table, what.box), what.counted - what.expected
    came = moves(Transfer(CASH, drop, what.counted, law.rule), toward(drop, DROP_DIFFERENCE, over, law.rule))
    return (like(m.DropCollected, what, rule=law.rule, transfers=came),)


def _fill(cage: Cage, _: CageRequest, what: m.FillTable) -> Events | Refusal:
    law = RULES.chips
    refusal = (
        text_wrong(what.table, "the table") or amount_wrong(what.amount, law) or chips_short(cage, what.amount, law)
    )
    went = Transfer(tray_of(what.table), CHIPS, what.amount, law.rule)
    return refusal or (m.TableFilled(table=what.table, amount=what.amount, rule=law.rule, transfers=(went,)),)


def _credit(_: Cage, __: CageRequest, what: m.CreditTable) -> Events | Refusal:
    law = RULES.chips
    refusal = text_wrong(what.table, "the table") or amount_wrong(what.amount, law)
    came = Transfer(CHIPS, tray_of(what.table), what.amount, law.rule)
    return refusal or (m.TableCredited(table=what.table, amount=what.amount, rule=law.rule, transfers=(came,)),)


# ---------------------------------------------------------------- chips


def _cash_chips(cage: Cage, _: CageRequest, what: m.CashChips) -> Events | Refusal:
    law = RULES.cashed
    if what.promotional and not RULES.promotional.value:
        return Refusal("promotional chips are not redeemed", RULES.promotional.rule)
    if what.table and RULES.foreign.value:
        return Refusal(f"these chips have a value only at {what.table!r:.40}: redeem them there", RULES.foreign.rule)
    refusal = amount_wrong(what.amount, law)
    if refusal:
        return refusal
    if not 0 <= what.cheque <= what.amount:
        return Refusal(f"a cheque of {dollars(what.cheque)} for chips of {dollars(what.amount)}", law.rule)
    cash = what.amount - what.cheque
    paid = moves(Transfer(CHIPS, CASH, cash, law.rule), Transfer(CHIPS, CHEQUES, what.cheque, law.rule))
    return cash_short(cage, cash, law) or (m.ChipsCashed(cash=cash, cheque=what.cheque, rule=law.rule, transfers=paid),)


def _sell(cage: Cage, _: CageRequest, what: m.SellChips) -> Events | Refusal:
    law = RULES.chips
    refusal = amount_wrong(what.amount, law) or chips_short(cage, what.amount, law)
    sold = Transfer(CASH, CHIPS, what.amount, law.rule)
    return refusal or (m.ChipsSold(amount=what.amount, rule=law.rule, transfers=(sold,)),)


def _issue(cage: Cage, _: CageRequest, what: m.IssueVoucher) -> Events | Refusal:
    law = RULES.exchanged
    code = vouchers.new_number(cage, what.voucher, law)
    if isinstance(code, Refusal):
        return code
    made = Transfer(CHIPS, VOUCHERS, what.amount, law.rule)
    return amount_wrong(what.amount, law) or (
        m.VoucherIssued(voucher=code, amount=what.amount, rule=law.rule, transfers=(made,)),
    )


CASHIERS, SUPERVISORS = attrgetter("cashier"), attrgetter("supervisor")

DECISIONS: Mapping[type[AnyCommand], tuple[Of, Of, Decision]] = {
    m.OpenCage: (SUPERVISORS, attrgetter("kept"), _open_cage),
    m.SetExpiry: (SUPERVISORS, attrgetter("redeemed"), _set_expiry),
    m.OpenShift: (CASHIERS, attrgetter("kept"), _open_shift),
    m.CountDrawer: (CASHIERS, attrgetter("counted"), _count),
    m.CloseShift: (CASHIERS, attrgetter("counted"), _close_shift),
    m.MoveFloat: (CASHIERS, attrgetter("kept"), _move_float),
    m.CollectDrop: (CASHIERS, attrgetter("dropped"), _collect),
    m.FillTable: (CASHIERS, attrgetter("chips"), _fill),
    m.CreditTable: (CASHIERS, attrgetter("chips"), _credit),
    m.CashChips: (CASHIERS, attrgetter("cashed"), _cash_chips),
    m.SellChips: (CASHIERS, attrgetter("chips"), _sell),
    m.IssueVoucher: (CASHIERS, attrgetter("exchanged"), _issue),
    m.RedeemVoucher: (CASHIERS, attrgetter("redeemed"), vouchers.redeem),
    m.PayLate: (SUPERVISORS, attrgetter("redeemed"), vouchers.pay_late),
    m.ExpireVoucher: (SUPERVISORS, attrgetter("unclaimed"), vouchers.expire),
    m.VoidVoucher: (SUPERVISORS, attrgetter("refused"), vouchers.void),
}
"""For each command the law on who may ask it, the law under which it is done, and how it is decided."""

NEEDS_SHIFT = (
    m.CountDrawer, m.CloseShift, m.MoveFloat, m.CollectDrop, m.FillTable, m.CreditTable, m.CashChips, m.SellChips,
    m.IssueVoucher, m.RedeemVoucher, m.PayLate,
)  # fmt: skip
"""What touches the drawer."""
