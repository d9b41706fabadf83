"""Requests at the terminals of a table: those that keep a round going, and those that may make no sense.

Only where the law knows terminals.  Every slip is confirmed or returned before a card, and what is locked is freed in
the end, so that rounds go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from croupier.game import Refusal
from croupier.law.model import present
from croupier.law.officials import CASINO_MANAGER, DEALER, LADDER, NOTE_ACCEPTOR, PLAYER
from croupier.table.commands import AnyCommand, PlaceWager
from croupier.table.state import Table
from croupier.table.terminals import commands as t
from croupier.table.terminals import screens
from croupier.table.terminals.slips import unconfirmed

TERMINALS = ("Terminal 1", "Terminal 2", "Terminal 3")
NOTES = (500, 1_000, 2_000, 5_000, 300)
AMOUNTS = (100, 400, 500, 1_000, 2_300, 5_000, 30_000, 100_000)

Ask = tuple[AnyCommand, str, str]


def opening(table: Table) -> Iterator[Ask]:
    """Three terminals; the third asks for 10 dollars together."""
    if not present(table.general.terminals):
        return
    yield t.ApproveSystem("1.0", "TA-0"), LADDER[1], ""
    for number, name in enumerate(TERMINALS, 1):
        aggregate = 1_000 if number == len(TERMINALS) else 0
        yield t.PairTerminal(number, 500, 20_000, 500, aggregate=aggregate, approval="TA-1"), LADDER[1], ""
        yield t.CreditTerminal(name, 200_000), DEALER, ""


def due(table: Table, chance: Random) -> Ask | None:
    """What must be done at a terminal before the game goes on."""
    open_cases = [number for number, case in enumerate(table.cases) if not case.closed]
    if open_cases and chance.random() < 0.7:
        case = open_cases[0]
        duties = (t.ReportToInspector(case, "R"), t.Investigate(case, "a cable"), t.RefundRound(case))
        return chance.choice((*duties, t.CloseMalfunction(case))), CASINO_MANAGER, ""
    waiting = unconfirmed(table)
    if not waiting:
        return None
    name = waiting[0]
    slip = screens.slip(table, name)
    if name in table.locks or isinstance(slip, Refusal) or chance.random() < 0.1:
        return t.ReturnSlip(name, "no answer"), LADDER[1], ""
    return t.ConfirmSlip(name, slip.digest), PLAYER, name


def bet(table: Table, chance: Random) -> Ask:
    name, on = chance.choice(TERMINALS), chance.choice(table.game.wagers(table.ruleset.rules))
    if name not in table.terminals:
        return t.PairTerminal(int(name[-1]), 500, 20_000, 500, approval="TA-1"), LADDER[1], ""
    if table.chips(name) < AMOUNTS[-2]:
        return t.CreditTerminal(name, 100_000), DEALER, ""
    return PlaceWager(name, on, chance.choice(AMOUNTS)), PLAYER, name


def anything(table: Table, chance: Random) -> Ask:
    """Something about a terminal that may or may not make sense now."""
    name, pick = chance.choice(TERMINALS), chance.choice
    voucher = f"v{len(table.vouchers) - pick((0, 0, 1))}"
    worth = table.vouchers[voucher].amount if voucher in table.vouchers else 100
    rounds = pick(((), (max(1, table.number - 1),), (max(1, table.number - 2), table.number)))
    some: tuple[tuple[AnyCommand, str], ...] = (
        (t.InsertNotes(name, (pick(NOTES),)), NOTE_ACCEPTOR),
        (t.CreditTerminal(name, pick((100, 50_000, -5)), holder="eve"), DEALER),
        (t.CashOut(name, voucher), PLAYER),
        (t.CancelCredit(name, "eve"), DEALER),
        (t.RedeemVoucher(voucher, worth), DEALER),
        (t.PayDue(name, voucher), DEALER),
        (t.ConfirmSlip(name, "another"), PLAYER),
        (t.ReturnSlip(name, "slow"), LADDER[1]),
        (t.SetTerminalLimits(name, pick((500, 1_000)), 20_000, 500, aggregate=pick((0, 1_500))), LADDER[1]),
        (t.UnpairTerminal(name), LADDER[1]),
        (t.PairTerminal(int(name[-1]), 500, 20_000, 500, approval="TA-1"), LADDER[1]),
        (t.ReportMalfunction("smoke", pick((name, name, "")), rounds, amount=pick((0, 0, 100))), LADDER[1]),
        (t.RefundRound(0), LADDER[1]),
        (t.CloseMalfunction(0), LADDER[1]),
    )
    what, role = pick(some)
    return what, role, name
