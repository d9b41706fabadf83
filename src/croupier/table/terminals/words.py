"""What happened to a terminal, in a few words."""

from __future__ import annotations

from typing import assert_never

from croupier.money import dollars
from croupier.table.terminals import events as e


def say_terminal(event: e.AnyTerminalEvent) -> str:
    """An event of a terminal, its vouchers, its slip or its malfunction."""
    match event:
        case e.SystemApproved():
            return f"game system {event.version}, type approval {event.approval}"
        case e.TerminalPaired():
            approval = f"type approval {event.approval}" if event.approval else "no type approval"
            return f"{event.terminal} joins the table ({_limits(event)}; {approval})"
        case e.TerminalUnpaired():
            return f"{event.terminal} is taken from the table"
        case e.TerminalLimitsSet():
            return f"{event.terminal}: {_limits(event)}"
        case e.TerminalActivated():
            return f"{event.terminal} is activated by {'a note' if event.means == 'note' else 'the dealer'}"
        case e.ControlGiven():
            return f"{event.holder or 'a player'} has control of {event.terminal}"
        case e.NotesInserted():
            return f"{event.terminal} takes {', '.join(map(dollars, event.notes))} in notes"
        case e.TerminalCredited():
            return f"{event.terminal} is credited with {dollars(event.amount)} for {event.tender}"
        case e.TerminalDeactivated():
            return f"{event.terminal} is free"
        case e.TouchHeld():
            held = (
                f"{dollars(event.held)} on {event.on} shows no chips yet"
                if event.held
                else f"nothing held on {event.on}"
            )
            return f"{event.terminal}: {held}"
        case e.SlipConfirmed():
            shown = ", ".join(f"{dollars(amount)} on {on}" for on, amount in event.wagers)
            return f"{event.terminal} confirms {shown} (slip {event.slip[:12]})"
        case e.SlipReturned():
            return f"the wagers of {event.terminal} go back: {event.reason}"
        case (
            e.VoucherIssued()
            | e.VoucherRedeemed()
            | e.VoucherDue()
            | e.CreditsCancelled()
            | e.PaymentRefused()
            | e.WagersRefunded()
        ):
            return _say_paid(event)
        case _:
            return _say_case(event)


def _limits(event: e.TerminalPaired | e.TerminalLimitsSet) -> str:
    together = f", together at least {dollars(event.aggregate)}" if event.aggregate else ""
    return f"{dollars(event.minimum)} to {dollars(event.maximum)} in steps of {dollars(event.increment)}{together}"


def _say_paid(
    event: e.VoucherIssued
    | e.VoucherRedeemed
    | e.VoucherDue
    | e.CreditsCancelled
    | e.PaymentRefused
    | e.WagersRefunded,
) -> str:
    match event:
        case e.VoucherIssued():
            return f"{event.terminal} pays {dollars(event.amount)} by voucher {event.voucher[:8]}"
        case e.VoucherRedeemed():
            return f"voucher {event.voucher[:8]} is paid: {dollars(event.amount)}"
        case e.VoucherDue():
            return f"{dollars(event.amount)} of round {event.round} is due to whoever cashed out of {event.terminal}"
        case e.CreditsCancelled():
            paid = f"{event.player} is paid {dollars(event.amount)} in chips"
            return f"the credits of {event.terminal} are cancelled: {paid}"
        case e.PaymentRefused():
            return (
                f"{case_words(event.case)}: {_where(event.terminal)} is not paid {dollars(event.credited)}"
                f"{_of(event.round)}, "
                f"{dollars(event.prize)} of it a prize"
            )
        case e.WagersRefunded():
            back = f"{dollars(event.amount)} wagered{_of(event.round)} goes back to {event.terminal}"
            return f"{case_words(event.case)}: {back}"
        case unreachable:
            assert_never(unreachable)


def case_words(number: int) -> str:
    """A case as people call it: malfunctions are counted from one."""
    return f"malfunction {number + 1}"


def _say_case(
    event: e.MalfunctionReported | e.LockedOut | e.InspectorTold | e.FaultInvestigated | e.RefundsMade | e.CaseClosed,
) -> str:
    said = case_words(event.case)
    match event:
        case e.MalfunctionReported():
            rounds = ", ".join(map(str, event.rounds))
            return f"{said}: {_where(event.terminal)} malfunctioned in round {rounds}: {event.fault}"
        case e.LockedOut():
            return f"{said}: nobody operates {_where(event.terminal)}"
        case e.InspectorTold():
            return f"{said}: the inspector has report {event.reference}"
        case e.FaultInvestigated():
            return f"{said}: {event.finding}"
        case e.RefundsMade():
            return f"{said}: the wagers are refunded"
        case e.CaseClosed():
            return f"{said} is closed: {_where(event.terminal)} is free again"
        case unreachable:
            assert_never(unreachable)


def _where(terminal: str) -> str:
    return terminal or "the game system"


def _of(number: int) -> str:
    return f" in round {number}" if number else ""
