"""Deciding: what follows from a request at a table, or the one reason why nothing does.

Refusals come in a fixed order, so that the same request is always refused for the same reason:

1. the table is open (or, to open it, closed);
2. the role may ask for this at all;
3. the person is known here and not shut out;
4. the time is right: betting open, notice given, the act due;
5. the kind: wager, area, equipment, ground;
6. the amount: limits, steps, chips that can pay it;
7. the money: the player has the chips.

`decide` looks only at the table and the request, and changes nothing; `evolve` makes the table that follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any, TypeAlias

from croupier.game import Refusal
from croupier.journal.entries import not_for
from croupier.journal.messages import Command
from croupier.law.general import GeneralRules
from croupier.law.model import Law, present
from croupier.law.officials import CASHIER, JACKPOT_EQUIPMENT, NOTE_ACCEPTOR, PLAYER, ROLES, VIRTUAL_SHOE
from croupier.once import once
from croupier.table import chance, commands, limits, linked, orders, people, rounds
from croupier.table.betting import parts
from croupier.table.commands import OpenTable, ShowRules, TableRequest
from croupier.table.events import Events
from croupier.table.evolve import after, entries
from croupier.table.money import chips
from croupier.table.state import Table
from croupier.table.terminals import commands as t
from croupier.table.terminals import decide as terminals
from croupier.table.terminals import malfunctions, touches
from croupier.table.trouble import devices, disputes, outcomes

Decision: TypeAlias = Callable[[Table, TableRequest, Any], Events | Refusal]
May: TypeAlias = Callable[[GeneralRules], Law[frozenset[str]]]


def _staff(general: GeneralRules) -> frozenset[str]:
    """Those who run the game: its dealers, and everybody above them."""
    return general.dealer.value | general.supervisor.value


def _anybody(general: GeneralRules) -> Law[frozenset[str]]:
    return Law(frozenset(ROLES), general.trouble.rules_on_request.rules)


@once
def _player_or_dealer(general: GeneralRules) -> Law[frozenset[str]]:
    return Law(_staff(general) | {PLAYER}, general.dealer.rules)


@once
def _dealer(general: GeneralRules) -> Law[frozenset[str]]:
    return Law(_staff(general), general.dealer.rules)


@once
def _cash_desk(general: GeneralRules) -> Law[frozenset[str]]:
    return Law(_staff(general) | {CASHIER}, general.dealer.rules)


@once
def _tells(general: GeneralRules) -> Law[frozenset[str]]:
    return Law(_staff(general) | general.inspector.value | {PLAYER}, general.dealer.rules)


@once
def _confirms(general: GeneralRules) -> Law[frozenset[str]]:
    return Law(_staff(general) | general.inspector.value, general.supervisor.rules)


def _supervisor(general: GeneralRules) -> Law[frozenset[str]]:
    return general.supervisor


def _reviews(general: GeneralRules) -> Law[frozenset[str]]:
    return Law(general.supervisor.value | general.inspector.value, general.supervisor.rules)


def _senior(general: GeneralRules) -> Law[frozenset[str]]:
    return general.senior


def _acceptor(general: GeneralRules) -> Law[frozenset[str]]:
    """A note counts because the acceptor took it, never because somebody says so."""
    rules = general.terminals.notes_credited.rules if present(general.terminals) else general.dealer.rules
    return Law(frozenset({NOTE_ACCEPTOR}), rules)


def _equipment(general: GeneralRules) -> Law[frozenset[str]]:
    """The pool is what the link says it is, never what a person says."""
    return Law(frozenset({JACKPOT_EQUIPMENT}), general.supervisor.rules)


def _virtual(general: GeneralRules) -> Law[frozenset[str]]:
    """No document allows a virtual shoe in real play, so nobody who enters a house can speak for one."""
    return Law(frozenset({VIRTUAL_SHOE}), general.supervisor.rules)


def _screen(general: GeneralRules) -> Law[frozenset[str]]:
    """What only the terminal itself can say: it speaks as the player who has control of it."""
    rules = general.terminals.as_shown.rules if present(general.terminals) else general.dealer.rules
    return Law(frozenset({PLAYER}), rules)


def _credits(general: GeneralRules) -> Law[frozenset[str]]:
    return general.terminals.dealer_credits if present(general.terminals) else _dealer(general)


def _cancels(general: GeneralRules) -> Law[frozenset[str]]:
    return general.terminals.cancelled if present(general.terminals) else _dealer(general)


DECISIONS: Mapping[type[Command], tuple[May, Decision]] = {
    commands.OpenTable: (_supervisor, limits.open_table),
    commands.PostClosing: (lambda general: general.closing_by, limits.post_closing),
    commands.CloseTable: (lambda general: general.closing_by, limits.close_table),
    commands.Sit: (_player_or_dealer, people.sit),
    commands.Leave: (_player_or_dealer, rounds.leave),
    commands.AskToLeave: (_supervisor, people.ask_to_leave),
    commands.Exclude: (_senior, people.exclude),
    commands.AllowStanding: (_supervisor, people.allow_standing),
    commands.NameNominee: (_player_or_dealer, people.name_nominee),
    commands.NumberPlayer: (_player_or_dealer, people.number_player),
    commands.PostLimits: (lambda general: general.limits.by, limits.post_limits),
    commands.ChangeLimits: (lambda general: general.limits.by, limits.change_limits),
    commands.SetDifferential: (lambda general: general.limits.by, limits.set_differential),
    commands.SetPersonalLimit: (lambda general: general.limits.personal_by, limits.set_personal_limit),
    commands.BuyChips: (_cash_desk, chips.buy),
    commands.ExchangeChips: (_cash_desk, chips.exchange),
    commands.RedeemChips: (_cash_desk, chips.redeem),
    commands.IssueColour: (_dealer, chips.issue_colour),
    commands.RedeemColour: (_dealer, chips.redeem_colour),
    commands.RequireColour: (_dealer, chips.require_colour),
    commands.Tip: (_anybody, chips.tip),
    commands.FixShoe: (_virtual, chance.fix_shoe),
    commands.ShowPool: (_equipment, linked.show_pool),
    commands.PlaceWager: (_player_or_dealer, touches.place_or_touch),
    commands.WithdrawWager: (_player_or_dealer, rounds.take_down),
    commands.Tell: (_tells, rounds.tell),
    commands.ConfirmOrder: (_confirms, rounds.confirm),
    commands.DeclineOrder: (_confirms, orders.decline),
    commands.TakeBack: (_dealer, rounds.take_back),
    commands.DeferCommission: (_dealer, rounds.defer),
    commands.CollectCommission: (_dealer, rounds.collect),
    commands.Overrule: (_reviews, rounds.overrule),
    commands.Correct: (_supervisor, outcomes.correct),
    commands.Invalidate: (lambda general: general.trouble.invalidate_by, outcomes.invalidate),
    commands.ReportDevice: (_dealer, devices.report_device),
    commands.Sanction: (lambda general: general.trouble.device_by, devices.sanction),
    commands.RaiseDispute: (_anybody, disputes.raise_dispute),
    commands.DecideDispute: (_reviews, disputes.decide_dispute),
    commands.AskReview: (_anybody, disputes.ask_review),
    commands.ReportPaid: (_supervisor, disputes.report_paid),
    commands.RecoverPaid: (_supervisor, disputes.recover),
    commands.HoldUnclaimed: (_supervisor, disputes.hold),
    commands.ShowRules: (_anybody, disputes.show_rules),
    commands.Advise: (_anybody, disputes.advise),
    t.ApproveSystem: (_supervisor, terminals.approve_system),
    t.PairTerminal: (_supervisor, terminals.pair),
    t.UnpairTerminal: (_supervisor, terminals.unpair),
    t.SetTerminalLimits: (lambda general: general.limits.by, terminals.set_limits),
    t.InsertNotes: (_acceptor, terminals.insert_notes),
    t.CreditTerminal: (_credits, terminals.credit),
    t.CashOut: (_player_or_dealer, terminals.cash_out),
    t.CancelCredit: (_cancels, terminals.cancel),
    t.RedeemVoucher: (_cash_desk, terminals.redeem_voucher),
    t.PayDue: (_cash_desk, terminals.pay_due),
    t.ConfirmSlip: (_screen, terminals.confirm),
    t.ReturnSlip: (_supervisor, terminals.give_back),
    t.ReportMalfunction: (_supervisor, malfunctions.report),
    t.ReportToInspector: (_supervisor, malfunctions.tell_inspector),
    t.Investigate: (_supervisor, malfunctions.investigate),
    t.RefundRound: (_supervisor, malfunctions.refund),
    t.CloseMalfunction: (_supervisor, malfunctions.close),
}

OWN = (
    commands.Sit, commands.Leave, commands.NameNominee, commands.NumberPlayer, commands.PlaceWager,
    commands.WithdrawWager,
)  # fmt: skip
FOR_THEMSELVES = (PLAYER, NOTE_ACCEPTOR)
FOR_ANOTHER = (commands.PlaceWager, commands.WithdrawWager)
MAY_BE_OF_PARTS = (commands.Tell, commands.WithdrawWager)
OWN_TERMINAL = (t.InsertNotes, t.CashOut, t.ConfirmSlip)
"""What a player or a device may ask for, and only in its own name; for another, wagers as that one's nominee."""
OWNER: Mapping[type[Command], Callable[[Any], str]] = {
    **dict.fromkeys(OWN, attrgetter("player")), **dict.fromkeys(OWN_TERMINAL, attrgetter("terminal")),
}  # fmt: skip

AFTER_CLOSING = (
    OpenTable, ShowRules, commands.Correct, commands.RaiseDispute, commands.DecideDispute, commands.AskReview,
    commands.RedeemChips, commands.RedeemColour, commands.ReportPaid, commands.RecoverPaid, commands.Invalidate,
    commands.HoldUnclaimed, commands.CollectCommission, commands.Leave, commands.ShowPool, t.UnpairTerminal, t.CashOut,
    t.CancelCredit, t.RedeemVoucher, t.PayDue, t.ReportMalfunction, t.ReportToInspector, t.Investigate, t.RefundRound,
    t.CloseMalfunction,
)  # fmt: skip
"""What a closed table still answers."""


def decide(table: Table, request: TableRequest) -> Events | Refusal:
    """The events that follow from a request, or the first reason why none do."""
    command = request.what
    may, decision = DECISIONS[type(command)]
    refusal = (
        _not_open(table, command)
        or not_for(request, may(table.general))
        or (_not_own(table, request) if request.role in FOR_THEMSELVES else None)
        or (malfunctions.locked(table, command) if table.locks else None)
        or (touches.not_so(table, command) if table.terminals else None)
        or (linked.shut(table, command) if table.linkage.shut else None)
    )
    if refusal:
        return refusal
    calls = parts.in_parts(table, request) if isinstance(command, MAY_BE_OF_PARTS) else ()
    return _one_by_one(table, request, calls) if calls else decision(table, request, command)


def _one_by_one(table: Table, request: TableRequest, calls: Iterable[commands.Tell]) -> Events | Refusal:
    """What follows from several calls, each told of what the one before it left; all of them, or none."""
    events: Events = ()
    for call in calls:
        done = rounds.tell(table, request, call)
        if isinstance(done, Refusal):
            return done
        events = (*events, *done)
        table = after(table, entries(table, request, done))
    return events


def _not_open(table: Table, command: Command) -> Refusal | None:
    if table.open:
        return Refusal(f"{table.name} is open", _sign_rule(table)) if type(command) is OpenTable else None
    return None if isinstance(command, AFTER_CLOSING) else Refusal(f"{table.name} is closed", _sign_rule(table))


def _sign_rule(table: Table) -> str:
    return table.general.limits.set.rule


def _not_own(table: Table, request: TableRequest) -> Refusal | None:
    named = OWNER.get(type(request.what))
    owner = named(request.what) if named else request.by
    if owner == request.by or (isinstance(request.what, FOR_ANOTHER) and people.acts_for(table, request.by, owner)):
        return None
    return Refusal(f"{request.by} does not act for {owner}", table.general.dealer.rule)
