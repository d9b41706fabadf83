"""Malfunctions: payment refused, a terminal or the whole system locked, and the three duties before it is free again.

A case is opened with the rounds whose payment is refused.  What they credited comes back to the house, what a
terminal's credits no longer cover becomes a debt and a report.  From then on nobody operates the terminal (or any, and
no card is dealt, if it is the system) until the inspector has the report, the fault was looked into, and the wagers of
those rounds were refunded.  Another fault may be found meanwhile: it is a case of its own, which refuses what no open
one has refused, and what both are about is free when both are closed.  Cases and locks are part of the table, so that
they outlive every restart.
"""

from __future__ import annotations

from typing import NamedTuple

from croupier.errors import BadInput
from croupier.game import Refusal, Void
from croupier.journal.accounts import BANK, COMMISSION, chips_of, moves, owed_by
from croupier.journal.messages import Command, Transfer
from croupier.law.terminals import TerminalRules
from croupier.money import LARGEST_AMOUNT, Cents, dollars
from croupier.notation import read_fact
from croupier.round import BookLine
from croupier.table import commands as c
from croupier.table.commands import TableRequest
from croupier.table.events import Events, Flagged
from croupier.table.money.paying import reopened
from croupier.table.money.settling import difference, settled
from croupier.table.state import SettledWager, Table
from croupier.table.terminals import commands as t
from croupier.table.terminals import events as e
from croupier.table.terminals.changes import refused_lines
from croupier.table.terminals.slips import laws, voids
from croupier.table.terminals.state import Left, MalfunctionCase, Voucher
from croupier.table.terminals.words import case_words
from croupier.table.trouble.posting import posted

SYSTEM = ""
"""The game system, where a terminal would be named."""

OF_ITS_PLAYER = (c.PlaceWager, c.WithdrawWager, c.Leave, c.HoldUnclaimed, c.RecoverPaid)
OPERATING = (
    *OF_ITS_PLAYER, t.UnpairTerminal, t.SetTerminalLimits, t.InsertNotes, t.CreditTerminal, t.CashOut, t.CancelCredit,
    t.PayDue, t.ConfirmSlip, t.ReturnSlip,
)  # fmt: skip
"""What nobody does with a locked terminal."""

RUNNING = (c.Tell, c.ConfirmOrder, c.TakeBack, c.Overrule, t.PairTerminal)
"""What, beside these, nobody does with a locked game system."""


def locked(table: Table, command: Command) -> Refusal | None:
    """Why a command is not carried out now: what it operates is locked.

    What may have been credited by the fault is not paid on a voucher here either.
    That a hand is void the dealer announces all the same: it is no operation, and gives back what lies on the layout.
    """
    rules = laws(table)
    if not table.locks or isinstance(rules, Refusal) or (isinstance(command, c.Tell) and _ends_it(table, command)):
        return None
    rule, name = rules.cases.locked.rule, ""
    if isinstance(command, OPERATING):
        name = command.player if isinstance(command, OF_ITS_PLAYER) else command.terminal
    elif isinstance(command, t.RedeemVoucher) and command.voucher in table.vouchers:
        printed = table.vouchers[command.voucher].terminal
        name = printed if credited_by_fault(table, printed, command.voucher) else ""
    if SYSTEM in table.locks and (name in table.terminals or isinstance(command, RUNNING)):
        return Refusal("the game system is locked until its malfunction is dealt with", rule)
    if name and name in table.locks:
        return Refusal(f"{name} is locked until its malfunction is dealt with", rule)
    return None


def _ends_it(table: Table, command: c.Tell) -> bool:
    try:
        return voids(table, read_fact(command.fact, table.due))
    except BadInput:
        return False


# ---------------------------------------------------------------- a case is opened


def report(table: Table, request: TableRequest, command: t.ReportMalfunction) -> Events | Refusal:
    rules = laws(table)
    if isinstance(rules, Refusal):
        return rules
    rounds = _rounds(table, command)
    refusal = _no_case(table, rules, command, rounds)
    if refusal:
        return refusal
    case = len(table.cases)
    opened = e.MalfunctionReported(
        case=case, terminal=command.terminal, fault=command.fault, rounds=rounds, rule=rules.cases.refusal.rule
    )
    refused = _refused(table, rules, command, case=case, rounds=rounds)
    return (
        opened,
        *refused,
        e.LockedOut(case=case, terminal=command.terminal, rule=rules.cases.locked.rule),
    )


def _rounds(table: Table, command: t.ReportMalfunction) -> tuple[int, ...]:
    """The rounds of a case: those named, and the one in hand if there are wagers in it that nobody can confirm now."""
    own = {entry.wager.by for entry in table.round.book} & set(table.terminals)
    in_hand = command.terminal in own if command.terminal else bool(own)
    named = set(command.rounds) | ({table.number} if in_hand or not command.rounds else set())
    return tuple(sorted(named))


def _no_case(
    table: Table, rules: TerminalRules, command: t.ReportMalfunction, rounds: tuple[int, ...]
) -> Refusal | None:
    rule = rules.cases.refusal.rule
    if command.terminal and command.terminal not in table.terminals:
        return Refusal(f"{command.terminal} is no terminal of this table", rules.most.rule)
    if any((case.terminal, case.fault) == (command.terminal, command.fault) for case in _open_cases(table)):
        return Refusal(f"a case of {command.terminal or 'the game system'} with this fault is open", rule)
    unknown = [number for number in rounds if number != table.number and table.record(number) is None]
    if unknown:
        return Refusal(f"round {unknown[0]} is no round that this table remembers", rule)
    if not command.fault:
        return Refusal("a payment is refused for a reason", rule)
    if command.amount and not (command.terminal and 0 < command.amount <= LARGEST_AMOUNT):
        return Refusal(f"{dollars(command.amount)} was credited to no terminal", rule)
    return None


def _refused(
    table: Table, rules: TerminalRules, command: t.ReportMalfunction, *, case: int, rounds: tuple[int, ...]
) -> Events:
    """The refusals, each with what comes back; each finds what the ones before it left of the credits."""
    found: list[e.PaymentRefused | Flagged] = []
    left = {name: table.chips(name) for name in table.terminals}
    for name, number, lines in _affected(table, command, rounds):
        law = rules.cases.by_malfunction if number in (0, rounds[0]) else rules.cases.before_repair
        credited = sum(line.returned for line in lines) if number else command.amount
        back = _taken_back(table, name, number, credited, have=left[name], rule=law.rule)
        found.append(
            e.PaymentRefused(
                case=case, terminal=name, round=number, credited=credited,
                prize=sum(max(line.net, 0) for line in lines), rule=law.rule,
                transfers=(*back, *_commission(lines, law.rule)),
            )
        )  # fmt: skip
        left[name] -= _from(chips_of(name), back)
        if short := _from(owed_by(name), back):
            of = f"of round {number}" if number else "beside the rounds"
            about = f"{case_words(case)}: {dollars(short)} {of} had left the terminal"
            found.append(Flagged(about=about, player=name, rule=law.rule))
    return tuple(found)


def _taken_back(
    table: Table, name: str, number: int, credited: Cents, *, have: Cents, rule: str
) -> tuple[Transfer, ...]:
    """What was credited, back from wherever it is: still due, on the terminal, or gone and owed."""
    if not number:
        return difference(name, -credited, have=have, rule=rule)
    return posted(table, number, name, -credited, rule=rule, have=have)


def _from(account: str, transfers: tuple[Transfer, ...]) -> Cents:
    return sum(each.amount for each in transfers if each.debit == account)


Affected = tuple[str, int, tuple[SettledWager, ...]]


def _affected(table: Table, command: t.ReportMalfunction, rounds: tuple[int, ...]) -> list[Affected]:
    """The terminals and rounds (0: none) whose payment is refused, each with its settled wagers."""
    names = [command.terminal] if command.terminal else list(table.terminals)
    beside: list[Affected] = [(command.terminal, 0, ())] if command.amount else []
    found = [(name, number, _lines(table, number, name)) for number in rounds for name in names]
    in_hand = {entry.wager.by for entry in table.round.book}
    already = {each for case in _open_cases(table) for each in case.refused}
    kept = [each for each in found if _credited(table, each[2]) or (each[1] == table.number and each[0] in in_hand)]
    return [*beside, *(each for each in kept if each[:2] not in already)]


def _open_cases(table: Table) -> list[MalfunctionCase]:
    return [case for case in table.cases if not case.closed]


def _credited(table: Table, lines: tuple[SettledWager, ...]) -> bool:
    """Whether these wagers are of the case: something was credited on them, or by reading any (R-203)."""
    if table.ruleset.readings.get("malfunction_refund") == "all_of_the_round":
        return bool(lines)
    return any(line.returned for line in lines)


def _lines(table: Table, number: int, terminal: str) -> tuple[SettledWager, ...]:
    """The settled wagers of a terminal in an earlier round that were not dealt with apart from its end."""
    record = table.record(number)
    if record is None or record.invalid:
        return ()
    return tuple(line for line in record.lines if line.wager.by == terminal and not line.apart)


def _commission(lines: tuple[SettledWager, ...], rule: str) -> tuple[Transfer, ...]:
    """The commission on winnings that are not paid is not due either."""
    return moves(Transfer(COMMISSION, BANK, sum(line.commission for line in lines), rule))


# ---------------------------------------------------------------- the duties, and the end of a case


def _case(table: Table, number: int) -> tuple[TerminalRules, MalfunctionCase] | Refusal:
    rules = laws(table)
    if isinstance(rules, Refusal):
        return rules
    if not 0 <= number < len(table.cases) or table.cases[number].closed:
        return Refusal(f"{case_words(number)} is not open", rules.cases.duties.rule)
    return rules, table.cases[number]


def tell_inspector(table: Table, request: TableRequest, command: t.ReportToInspector) -> Events | Refusal:
    found = _case(table, command.case)
    if isinstance(found, Refusal):
        return found
    rule = found[0].cases.inspector.rule
    if not command.reference:
        return Refusal("a report to the inspector has a reference", rule)
    return (e.InspectorTold(case=command.case, reference=command.reference, rule=rule),)


def investigate(table: Table, request: TableRequest, command: t.Investigate) -> Events | Refusal:
    found = _case(table, command.case)
    if isinstance(found, Refusal):
        return found
    rule = found[0].cases.locked.rule
    if not command.finding:
        return Refusal("an investigation has a finding", rule)
    return (e.FaultInvestigated(case=command.case, finding=command.finding, rule=rule),)


def refund(table: Table, request: TableRequest, command: t.RefundRound) -> Events | Refusal:
    """What was wagered on the rounds of a case goes back, once."""
    found = _case(table, command.case)
    if isinstance(found, Refusal):
        return found
    rules, case = found
    rule = rules.cases.refund.rule
    if case.refunded:
        return Refusal(f"the wagers of {case_words(command.case)} were refunded", rule)
    back = tuple(
        event
        for name, number in case.refused
        if number
        for event in _refunded(table, command.case, name, number, rule=rule)
    )
    return (*back, e.RefundsMade(case=command.case, rule=rule))


def _refunded(table: Table, case: int, name: str, number: int, *, rule: str) -> Events:
    return _now(table, case, name, rule) if number == table.number else _then(table, case, name, number, rule=rule)


def _now(table: Table, case: int, name: str, rule: str) -> Events:
    """The wagers of the round in hand are void, those too that were settled before its end; none goes back twice."""
    before = [line for line in table.settled if line.wager.by == name]
    back = {line.wager.number for line in before if line.result == "void"}
    wagers = [entry.wager for entry in table.round.book if entry.wager.by == name and entry.wager.number not in back]
    undone = reopened(table, [line for line in before if line.wager.number not in back], rule)
    amount = sum(wager.stake_cents + wager.voided_cents for wager in wagers)
    event = e.WagersRefunded(case=case, terminal=name, round=table.number, amount=amount, rule=rule)
    return (*undone, *(settled(table, BookLine(wager, Void(rule)), apart=True) for wager in wagers), event)


def _then(table: Table, case: int, name: str, number: int, *, rule: str) -> Events:
    amount, back = _wagered(table, name, number, rule=rule)
    return (e.WagersRefunded(case=case, terminal=name, round=number, amount=amount, rule=rule, transfers=back),)


def _wagered(table: Table, name: str, number: int, *, rule: str) -> tuple[Cents, tuple[Transfer, ...]]:
    """The wagers of an earlier round that wait for it; that the round was invalidated since gave none of them back."""
    record = table.record(number)
    lines = () if record is None else refused_lines(record, name)
    amount = sum(line.wager.stake_cents + line.wager.voided_cents for line in lines)
    return amount, posted(table, number, name, amount, rule=rule)


class Withheld(NamedTuple):
    """The case for which a voucher is held, and what it credited of all that left the terminal with its player.

    `since`: since when that player sat there.
    """

    case: int
    since: int
    credited: Cents


def credited_by_fault(table: Table, terminal: str, voucher: str) -> Withheld | None:
    """The case for which a voucher is held, the first of several, and what may be refused on it and its like.

    Those are the vouchers of the same player, printed after it was credited.  Wagers that are not refunded yet are set
    against it, as they will be.  What was printed before the malfunction carries nothing of it, and is paid.
    """
    printed = table.vouchers.get(voucher, Voucher(terminal, 0))
    open_now = [
        (number, case)
        for number, case in enumerate(table.cases)
        if not case.closed and case.terminal in (SYSTEM, terminal) and _may_carry(printed, case)
    ]
    if not open_now:
        return None
    credited = sum(
        left.amount - _to_come(table, case, left)
        for _, case in open_now
        for left in case.left
        if left.terminal == terminal and _carries(printed, left)
    )
    return Withheld(open_now[0][0], printed.since, credited)


def _may_carry(printed: Voucher, case: MalfunctionCase) -> bool:
    """Whether a voucher can be of what a case is about: credited as a result of the fault, or after it.

    The first round of a case is that of the malfunction.  Of a voucher that an earlier release printed nobody knows.
    """
    if any(left.terminal == printed.terminal and _carries(printed, left) for left in case.left):
        return True
    rounds = printed.rounds or (printed.round,)
    return not all(rounds) or max(rounds) >= min(case.rounds, default=0)


def _carries(printed: Voucher, left: Left) -> bool:
    """Whether a voucher can be of what was credited, as far as it is known who printed it and when."""
    if not left.round:
        return printed.player in (0, left.player) and not printed.rounds
    if printed.rounds:
        return left.round in printed.rounds
    another = printed.since and left.since and printed.since != left.since
    return not another and (not printed.round or left.round < printed.round)


def _to_come(table: Table, case: MalfunctionCase, left: Left) -> Cents:
    """What of the refund of a case will be set against this, which had left the terminal."""
    if case.refunded or left.round in (0, table.number):
        return 0
    _, moved = _wagered(table, left.terminal, left.round, rule="")
    return sum(each.amount for each in moved if each.credit == owed_by(left.terminal))


def close(table: Table, request: TableRequest, command: t.CloseMalfunction) -> Events | Refusal:
    """A case is closed when all duties are done; the first that is not is the reason."""
    found = _case(table, command.case)
    if isinstance(found, Refusal):
        return found
    rules, case = found
    duties = {
        "inspector": (bool(case.report), "the report to the inspector", rules.cases.inspector),
        "investigation": (bool(case.finding), "the investigation", rules.cases.locked),
        "refund": (case.refunded, "the refund of the wagers", rules.cases.refund),
    }
    asked = [status for duty, status in duties.items() if duty in rules.cases.duties.value]
    missing = [(name, law) for done, name, law in asked if not done]
    if missing:
        return Refusal(f"missing: {', '.join(name for name, _ in missing)}", missing[0][1].rule)
    return (e.CaseClosed(case=command.case, terminal=case.terminal, rule=rules.cases.duties.rule),)
