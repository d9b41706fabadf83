"""Evolving, for what happens to terminals: one function an event, as in `evolve.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec.structs import replace as changed

from croupier.journal.accounts import due_from, owed_by
from croupier.journal.messages import Event
from croupier.once import replace
from croupier.table.state import Player, Record, SettledWager, Table
from croupier.table.terminals import events as e
from croupier.table.terminals.state import Left, MalfunctionCase, System, Terminal, Voucher
from croupier.table.trouble.posting import fetched, waiting_after

Change: TypeAlias = Callable[[Table, Any], Table]


def _with(table: Table, name: str, **changes: Any) -> Table:
    return changed(table, terminals={**table.terminals, name: replace(table.terminals[name], **changes)})


def _paired(table: Table, event: e.TerminalPaired) -> Table:
    terminal = Terminal(
        event.terminal, event.number, event.minimum, event.maximum, event.increment, aggregate=event.aggregate,
        kinds=event.kinds, denomination=event.denomination, notes=event.notes, approval=event.approval,
        features=event.features,
    )  # fmt: skip
    return changed(table, terminals={**table.terminals, event.terminal: terminal})


def _unpaired(table: Table, event: e.TerminalUnpaired) -> Table:
    left = {name: terminal for name, terminal in table.terminals.items() if name != event.terminal}
    slips = {name: slip for name, slip in table.slips.items() if name != event.terminal}
    return changed(table, terminals=left, slips=slips, retired=table.retired | {event.terminal})


def _limits_set(table: Table, event: e.TerminalLimitsSet) -> Table:
    return _with(
        table, event.terminal, minimum=event.minimum, maximum=event.maximum, increment=event.increment,
        aggregate=event.aggregate, kinds=event.kinds,
    )  # fmt: skip


def _activated(table: Table, event: e.TerminalActivated) -> Table:
    """Somebody plays there from now on; what was settled in this round already was another's.

    So were the nominee and the number of a card, also when the one before has lost all and was never paid out.
    """
    name = event.terminal
    since = table.number + any(line.wager.by == name for line in table.settled)
    player = table.terminals[name].player + 1
    table = _with(table, name, active=True, holder="", since=since, player=player)
    return changed(table, players={**table.players, name: Player(name)})


def _deactivated(table: Table, event: e.TerminalDeactivated) -> Table:
    others = {name: player for name, player in table.players.items() if name != event.terminal}
    empty = changed(table, players=others, vacancies=table.vacancies + (not others))
    return _with(empty, event.terminal, active=False, holder="", held={})


def _held(table: Table, event: e.TouchHeld) -> Table:
    terminal = table.terminals[event.terminal]
    before = terminal.held if terminal.held_in == event.round else {}
    held = {on: amount for on, amount in (*before.items(), (event.on, event.held)) if on != event.on or event.held}
    return _with(table, event.terminal, held=held, held_in=event.round)


def _voucher(table: Table, event: e.VoucherIssued) -> Table:
    name, rounds = event.terminal, event.rounds
    if any(move.debit == due_from(name) for move in event.transfers):
        printed = Voucher(name, event.amount, since=_since(table, name, rounds[0]) if rounds else 0, rounds=rounds)
        table = fetched(table, name, rounds)
    else:
        own = table.terminals[name]
        printed = Voucher(name, event.amount, since=own.since, player=own.player, round=table.number)
    return changed(table, vouchers={**table.vouchers, event.voucher: printed})


def _since(table: Table, terminal: str, number: int) -> int:
    """Since when whoever played a round at a terminal sat there, if that is known."""
    record = table.record(number)
    return record.since.get(terminal, 0) if record else 0


def _redeemed(table: Table, event: e.VoucherRedeemed) -> Table:
    paid = replace(table.vouchers[event.voucher], paid=True)
    return changed(table, vouchers={**table.vouchers, event.voucher: paid})


# ---------------------------------------------------------------- malfunctions


def refused_lines(record: Record, terminal: str) -> tuple[SettledWager, ...]:
    """The wagers of a terminal whose payment was refused and which were not refunded yet."""
    return tuple(line for line in record.lines if _awaits(line, terminal))


def _awaits(line: SettledWager, terminal: str) -> bool:
    return line.wager.by == terminal and line.apart and line.result == "void" and not line.returned


def _reported(table: Table, event: e.MalfunctionReported) -> Table:
    return changed(table, cases=(*table.cases, MalfunctionCase(event.terminal, event.fault, event.rounds)))


def _of_case(table: Table, number: int, **changes: Any) -> Table:
    cases = tuple(replace(case, **changes) if at == number else case for at, case in enumerate(table.cases))
    return changed(table, cases=cases)


def _payment_refused(table: Table, event: e.PaymentRefused) -> Table:
    def unpaid(line: SettledWager) -> SettledWager:
        own = line.wager.by == event.terminal and not line.apart
        return SettledWager(line.wager, "void", 0, event.rule, apart=True) if own else line

    refused = (*table.cases[event.case].refused, (event.terminal, event.round))
    table = _of_case(table, event.case, refused=refused, left=_left(table, event))
    return _relined(table, event, unpaid)


def _refunded(table: Table, event: e.WagersRefunded) -> Table:
    def back(line: SettledWager) -> SettledWager:
        # Earlier releases refunded nothing of a round that was invalidated since.
        if not event.amount or not _awaits(line, event.terminal):
            return line
        return changed(line, returned=line.wager.stake_cents + line.wager.voided_cents, rule=event.rule)

    return _relined(_of_case(table, event.case, left=_left(table, event)), event, back)


def _left(table: Table, event: e.PaymentRefused | e.WagersRefunded) -> tuple[Left, ...]:
    """What had left the terminals of a case: this brought a debt, or was set against one."""
    name, account = event.terminal, owed_by(event.terminal)
    change = sum(each.amount * ((each.debit == account) - (each.credit == account)) for each in event.transfers)
    player = 0 if event.round else table.terminals[name].player
    left = Left(name, event.round, since=_since(table, name, event.round), player=player, amount=change)
    return (*table.cases[event.case].left, left)


def _relined(
    table: Table, event: e.PaymentRefused | e.WagersRefunded, line: Callable[[SettledWager], SettledWager]
) -> Table:
    """The table with the lines of one earlier round changed, and what waits of it."""

    def again(record: Record) -> Record:
        if record.number != event.round:
            return record
        return waiting_after(replace(record, lines=tuple(map(line, record.lines))), event.transfers)

    return changed(table, records=tuple(map(again, table.records)))


def _closed(table: Table, event: e.CaseClosed) -> Table:
    """What no other open case is about is free again."""
    table = _of_case(table, event.case, closed=True)
    still = any(case.terminal == event.terminal and not case.closed for case in table.cases)
    return table if still else changed(table, locks=table.locks - {event.terminal})


TERMINAL_CHANGES: Mapping[type[Event], Change] = {
    e.SystemApproved: lambda table, event: changed(table, system=System(event.version, event.approval)),
    e.TerminalPaired: _paired,
    e.TerminalUnpaired: _unpaired,
    e.TerminalLimitsSet: _limits_set,
    e.TerminalActivated: _activated,
    e.ControlGiven: lambda table, event: _with(table, event.terminal, holder=event.holder),
    e.TerminalDeactivated: _deactivated,
    e.TouchHeld: _held,
    e.VoucherIssued: _voucher,
    e.VoucherRedeemed: _redeemed,
    e.SlipConfirmed: lambda table, event: changed(table, slips={**table.slips, event.terminal: event.slip}),
    e.MalfunctionReported: _reported,
    e.PaymentRefused: _payment_refused,
    e.LockedOut: lambda table, event: changed(table, locks=table.locks | {event.terminal}),
    e.InspectorTold: lambda table, event: _of_case(table, event.case, report=event.reference),
    e.FaultInvestigated: lambda table, event: _of_case(table, event.case, finding=event.finding),
    e.WagersRefunded: _refunded,
    e.RefundsMade: lambda table, event: _of_case(table, event.case, refunded=True),
    e.CaseClosed: _closed,
}
