"""Vouchers at the cage: paid once, paid late by a supervisor, given up as unclaimed, or refused for good.

The order of the reasons is that of `cage.py`: mistyped, never issued, ended before, practice, held, another amount,
expired.  Whether it was paid comes before the amount, because then nothing is paid whatever the paper shows.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from msgspec.structs import replace

from croupier.game import Refusal
from croupier.house.cage import messages as m
from croupier.house.cage.checks import cash_short, text_wrong
from croupier.house.cage.codes import Mistyped, is_mark, read_code
from croupier.house.cage.law import RULES
from croupier.house.cage.messages import CageRequest, Events, Issued
from croupier.house.cage.state import CASH, REFUSED, UNCLAIMED, Cage, Ended
from croupier.journal.accounts import VOUCHERS
from croupier.journal.messages import Transfer
from croupier.law.model import Law
from croupier.money import Cents, dollars


def known(cage: Cage, voucher: str, issued: Issued | None) -> tuple[str, Issued] | Refusal:
    """What the journals call a voucher, and its issue; or that it is mistyped, or was never issued."""
    rule = RULES.redeemed.rule
    try:
        code = read_code(voucher)
    except Mistyped as error:
        return Refusal(str(error), rule)
    key = issued.key if issued is not None and issued.key else code
    found = cage.issued.get(key, issued)
    if found is None:
        return Refusal("no voucher with this number was issued here: do not pay, call a supervisor", rule)
    # What only the floor knows of it, that it is held for instance, counts for those of the cage too.
    return key, replace(found, held=issued.held) if issued is not None else found


def not_payable(cage: Cage, code: str, issued: Issued) -> Refusal | None:
    """Why a voucher is not to be paid at all, whatever is printed on it and however old it is."""
    ended = cage.ended.get(code)
    if ended is not None and ended.how == "voided":
        return Refusal(_ended_words(ended), RULES.refused.rule)
    if ended is not None and ended.how == "paid" and RULES.redeemed.value == 1:
        return Refusal(_ended_words(ended), RULES.redeemed.rule)
    if issued.paid:
        return Refusal(f"paid already, at table {issued.table}", RULES.redeemed.rule)
    if issued.practice != cage.practice:
        kind = "a practice voucher is not money" if issued.practice else "this cage has practice money only"
        return Refusal(f"{kind}: it is not paid here", RULES.redeemed.rule)
    if issued.held:
        return Refusal(f"held: {issued.held}; it is not paid until that is cleared", RULES.refused.rule)
    return None


def _ended_words(ended: Ended) -> str:
    # Whole seconds: the milliseconds would need a fraction, and nobody reads them.
    at = datetime.fromtimestamp(ended.at_ms // 1000, UTC)
    words = f"{ended.how} already on {at.day} {at:%b %Y at %H:%M:%S} UTC by {ended.by}"
    return f"{words}: {ended.reason}" if ended.reason else words


def expired(cage: Cage, code: str, issued: Issued, *, at_ms: int) -> bool:
    """Whether the window pays it no more: its time is over, or it was given up as unclaimed."""
    until = cage.expires_ms(issued.at_ms)
    return code in cage.ended or (bool(until) and at_ms > until)


def _presented(cage: Cage, what: m.RedeemVoucher | m.PayLate) -> tuple[str, Issued] | Refusal:
    """The voucher that is to be paid, or why it is not."""
    found = known(cage, what.voucher, what.issued)
    if isinstance(found, Refusal):
        return found
    return not_payable(cage, *found) or _other_amount(found[1], what.amount) or found


def redeem(cage: Cage, request: CageRequest, what: m.RedeemVoucher) -> Events | Refusal:
    found = _presented(cage, what)
    if isinstance(found, Refusal):
        return found
    code, issued = found
    if expired(cage, code, issued, at_ms=request.at_ms):
        return Refusal("expired: only a supervisor can still pay it", RULES.redeemed.rule)
    return _pay(cage, code, issued)


def _other_amount(issued: Issued, amount: Cents) -> Refusal | None:
    if amount == issued.amount:
        return None
    problem = f"it shows {dollars(amount)}, but was issued for another amount"
    return Refusal(f"{problem}: do not pay, keep the paper and call a supervisor", RULES.redeemed.rule)


def _pay(cage: Cage, code: str, issued: Issued, *, late: str = "") -> Events | Refusal:
    law = RULES.redeemed
    # What was given up as unclaimed is owed from there.
    owed = UNCLAIMED if code in cage.ended else VOUCHERS
    paid = m.VoucherPaid(
        voucher=code,
        amount=issued.amount,
        table=issued.table,
        terminal=issued.terminal,
        issued_ms=issued.at_ms,
        late=bool(late),
        reason=late,
        rule=law.rule,
        transfers=(Transfer(owed, CASH, issued.amount, law.rule),),
    )
    return cash_short(cage, issued.amount, law) or (paid,)


def pay_late(cage: Cage, request: CageRequest, what: m.PayLate) -> Events | Refusal:
    found = _presented(cage, what)
    if isinstance(found, Refusal):
        return found
    code, issued = found
    if not expired(cage, code, issued, at_ms=request.at_ms):
        return Refusal("not expired: it is paid at the window", RULES.redeemed.rule)
    return text_wrong(what.reason, "the reason") or _pay(cage, code, issued, late=what.reason.strip())


def expire(cage: Cage, request: CageRequest, what: m.ExpireVoucher) -> Events | Refusal:
    found = known(cage, what.voucher, what.issued)
    if isinstance(found, Refusal):
        return found
    code, issued = found
    law = RULES.unclaimed
    refusal = not_payable(cage, code, issued)
    if not refusal and code in cage.ended:
        refusal = Refusal(_ended_words(cage.ended[code]), law.rule)
    if not refusal and not expired(cage, code, issued, at_ms=request.at_ms):
        refusal = Refusal("not expired: it is still owed", law.rule)
    held = Transfer(VOUCHERS, UNCLAIMED, issued.amount, law.rule)
    return refusal or (
        m.VoucherExpired(
            voucher=code,
            amount=issued.amount,
            table=issued.table,
            terminal=issued.terminal,
            rule=law.rule,
            transfers=(held,),
        ),
    )


def void(cage: Cage, _: CageRequest, what: m.VoidVoucher) -> Events | Refusal:
    """A voucher that is held, while a malfunction is looked into or since no money bears it, is refused for good."""
    found = known(cage, what.voucher, what.issued)
    if isinstance(found, Refusal):
        return found
    code, issued = found
    law = RULES.refused
    ended = cage.ended.get(code)
    if (ended is not None and ended.how != "expired") or issued.paid:
        return not_payable(cage, code, issued) or Refusal("paid already", law.rule)
    if not issued.held:
        return Refusal("only what a malfunction credited is refused: no case holds this voucher", law.rule)
    rest = issued.amount - _credited(cage, issued)
    if rest == issued.amount:
        return Refusal("nothing on this voucher was credited by the malfunction", law.rule)
    again = _replaced(cage, what.rest, rest) if rest else ()
    if isinstance(again, Refusal):
        return again
    kept = Transfer(UNCLAIMED if ended else VOUCHERS, REFUSED, issued.amount, law.rule)
    return text_wrong(what.reason, "the reason") or (
        m.VoucherVoided(
            voucher=code,
            amount=issued.amount,
            table=issued.table,
            terminal=issued.terminal,
            reason=what.reason.strip(),
            case=issued.case,
            rest=rest,
            since=issued.since,
            rule=law.rule,
            transfers=(kept,),
        ),
        *again,
    )


def _credited(cage: Cage, issued: Issued) -> Cents:
    """What of a voucher the malfunction credited and was not refused on another; all, where no malfunction holds it."""
    if issued.case is None:
        return issued.amount
    of = issued.table, issued.case, issued.terminal
    # Events of earlier releases do not say whose the voucher was.
    before = sum(cage.withheld.get((*of, since), 0) for since in {0, issued.since})
    return min(issued.amount, max(0, issued.credited - before))


def _replaced(cage: Cage, number: str, rest: Cents) -> Events | Refusal:
    """A voucher for what the player is owed all the same (R-213)."""
    law = RULES.redeemed
    code = new_number(cage, number, law)
    if isinstance(code, Refusal):
        return code
    move = Transfer(REFUSED, VOUCHERS, rest, law.rule)
    return (m.VoucherIssued(voucher=code, amount=rest, rule=law.rule, transfers=(move,)),)


def new_number(cage: Cage, number: str, law: Law[Any]) -> str | Refusal:
    """The number of a voucher that the cage issues, as its journal keeps it."""
    try:
        code = number if is_mark(number) else read_code(number)
    except Mistyped as error:
        return Refusal(str(error), law.rule)
    if code in cage.issued or code in cage.ended:
        return Refusal("a voucher with this number exists already", law.rule)
    return code
