"""The terminals of a table: pairing, activation, how credits are paid, and the slips they confirm.

A terminal plays under an account of its own.  Its credits come from notes or through the dealer, and leave by voucher
or by cancelled credits, never otherwise; at the cut-off it confirms what it shows.  `touches.py` has its wagers,
`screens.py` what is on its screen, `malfunctions.py` what follows when it fails.

Only an active terminal is a player at the table: it becomes one with its first credit, and stops being one when it is
paid out with nothing in play.
"""

from __future__ import annotations

from croupier.game import Refusal
from croupier.journal.accounts import CASH, VOUCHERS, chips_of, due_from
from croupier.journal.messages import Transfer
from croupier.journal.names import plain
from croupier.law.terminals import TerminalRules
from croupier.money import LARGEST_AMOUNT, Cents, dollars
from croupier.table.commands import TableRequest
from croupier.table.events import Events, WagerWithdrawn
from croupier.table.money.settling import put_back
from croupier.table.people import barred, namesake, nobodys_name
from croupier.table.state import Table
from croupier.table.terminals import commands as c
from croupier.table.terminals import events as e
from croupier.table.terminals.slips import betting_closed, dealt, laws, laws_for, slip_of, unconfirmed, wagers_of
from croupier.table.trouble.posting import due_to

# ---------------------------------------------------------------- pairing


def approve_system(table: Table, request: TableRequest, command: c.ApproveSystem) -> Events | Refusal:
    rules = laws(table)
    if isinstance(rules, Refusal):
        return rules
    if not command.version or not command.approval:
        return Refusal("a game system has a version and the reference of its type approval", rules.approved.rule)
    return (e.SystemApproved(version=command.version, approval=command.approval, rule=rules.approved.rule),)


def pair(table: Table, request: TableRequest, command: c.PairTerminal) -> Events | Refusal:
    rules = laws(table)
    if isinstance(rules, Refusal):
        return rules
    name = command.name or c.usual_name(command.number)
    refusal = (
        _no_room(table, rules, command, name)
        or _not_approved(table, rules, name, command.approval)
        or _not_built(rules, command.features)
        or _bad_limits(rules, command, command.denomination)
        or _bad_notes(rules, command)
    )
    if refusal:
        return refusal
    return (
        e.TerminalPaired(
            terminal=name, number=command.number, minimum=command.minimum, maximum=command.maximum,
            increment=command.increment, aggregate=command.aggregate, kinds=command.kinds,
            denomination=command.denomination, notes=command.notes, approval=command.approval,
            features=command.features, rule=rules.requirements.rule,
        ),
    )  # fmt: skip


def _no_room(table: Table, rules: TerminalRules, command: c.PairTerminal, name: str) -> Refusal | None:
    rule, taken = rules.most.rule, {terminal.number for terminal in table.terminals.values()}
    if len(table.terminals) >= rules.most.value:
        return Refusal(f"{table.name} has its {rules.most.value} terminals", rule)
    if command.number < 1:
        return Refusal(f"{command.number} is no number of a terminal", rule)
    if no := nobodys_name(name, rule):
        return no
    if command.number in taken or plain(name) in map(plain, table.terminals):
        return Refusal(f"{name} is paired already", rule)
    used = name in table.players or namesake(table, name) or table.chips(name) or table.staked(name)
    return Refusal(f"{name} is the name of somebody at this table", rule) if used else None


def _not_approved(table: Table, rules: TerminalRules, name: str, approval: str) -> Refusal | None:
    """Neither a terminal nor the game system comes into play before its type is approved."""
    if not approval:
        return Refusal(f"{name} is not of an approved type", rules.approved.rule)
    if not table.system.approval:
        return Refusal("the game system is not of an approved type", rules.approved.rule)
    return None


def _not_built(rules: TerminalRules, features: tuple[str, ...]) -> Refusal | None:
    """What a terminal lacks of what the law wants of each."""
    unknown = [each for each in features if each not in c.FEATURES]
    if unknown:
        return Refusal(f"{unknown[0]!r:.40} is no feature of a terminal", rules.requirements.rule)
    for feature, law in rules.must.items():
        if law.value and feature not in features:
            return Refusal(f"a terminal has a {feature} as the rules describe it", law.rule)
    if not rules.pays_by.value & set(features):
        return Refusal(f"a terminal pays by {' or '.join(sorted(rules.pays_by.value))}", rules.pays_by.rule)
    return None


def _bad_limits(rules: TerminalRules, command: c.PairTerminal | c.SetTerminalLimits, credit: Cents) -> Refusal | None:
    """Limits are whole credits and a step no larger than the minimum, over which the steps are counted."""
    rule, step = rules.own_limits.rule, command.increment
    if step < 1 or credit < 1 or step % credit:
        return Refusal(f"wagers in steps of {dollars(step)} with credits of {dollars(credit)}", rule)
    for on, (least, most) in {"each bet": (command.minimum, command.maximum), **command.kinds}.items():
        if not step <= least <= most <= LARGEST_AMOUNT or least % credit:
            reason = f"{on}: limits {dollars(least)} to {dollars(most)} in steps of {dollars(step)}"
            return Refusal(f"{reason} with credits of {dollars(credit)}", rule)
    if not 0 <= command.aggregate <= LARGEST_AMOUNT:
        return Refusal(f"an aggregate minimum of {dollars(command.aggregate)}", rule)
    return None


def _bad_notes(rules: TerminalRules, command: c.PairTerminal) -> Refusal | None:
    if any(note <= 0 for note in command.notes):
        return Refusal("notes are worth something", rules.notes_credited.rule)
    return None


def unpair(table: Table, request: TableRequest, command: c.UnpairTerminal) -> Events | Refusal:
    rules = laws_for(table, command.terminal)
    if isinstance(rules, Refusal):
        return rules
    name = command.terminal
    if table.chips(name) or table.staked(name) or table.balances.get(due_from(name), 0):
        return Refusal(f"{name} holds credits: pay them out first", rules.paid.rule)
    return (*deactivated(table, rules, name), e.TerminalUnpaired(terminal=name, rule=rules.most.rule))


def set_limits(table: Table, request: TableRequest, command: c.SetTerminalLimits) -> Events | Refusal:
    rules = laws_for(table, command.terminal)
    if isinstance(rules, Refusal):
        return rules
    if wagers_of(table, command.terminal):
        return Refusal(f"{command.terminal} has wagers in play", rules.own_limits.rule)
    return _bad_limits(rules, command, table.terminals[command.terminal].denomination) or (
        e.TerminalLimitsSet(
            terminal=command.terminal, minimum=command.minimum, maximum=command.maximum, increment=command.increment,
            aggregate=command.aggregate, kinds=command.kinds, rule=rules.own_limits.rule,
        ),
    )  # fmt: skip


# ---------------------------------------------------------------- credits in


def insert_notes(table: Table, request: TableRequest, command: c.InsertNotes) -> Events | Refusal:
    rules = laws_for(table, command.terminal)
    if isinstance(rules, Refusal):
        return rules
    accepted, total = table.terminals[command.terminal].notes, sum(command.notes)
    activated = _activation(table, rules, command.terminal, "note")
    if isinstance(activated, Refusal):
        return activated
    wrong = [note for note in command.notes if note not in accepted]
    if wrong or not command.notes:
        said = f"no note of {dollars(wrong[0])}" if wrong else "no note"
        return Refusal(f"{command.terminal} takes {said}", rules.means["note"].rule)
    rule = rules.notes_credited.rule
    move = Transfer(CASH, chips_of(command.terminal), total, rule)
    return (*activated, e.NotesInserted(terminal=command.terminal, notes=command.notes, rule=rule, transfers=(move,)))


def credit(table: Table, request: TableRequest, command: c.CreditTerminal) -> Events | Refusal:
    """The dealer takes cash or chips, gives control of the terminal, and credits exactly what was tendered.

    Who has control of a terminal keeps it: more credits without a name are theirs, and another player gets another.
    """
    rules, name = laws_for(table, command.terminal), command.terminal
    if isinstance(rules, Refusal):
        return rules
    if command.holder and (shut_out := barred(table, command.holder)):
        return shut_out
    activated = _activation(table, rules, name, "dealer", holder=command.holder)
    if isinstance(activated, Refusal):
        return activated
    if not 0 < command.amount <= LARGEST_AMOUNT:
        return Refusal(f"{dollars(command.amount)} is no tender", rules.credited.rule)
    held = "" if _free(table, name, command.holder) else table.terminals[name].holder
    named = namesake(table, command.holder) or command.holder
    if held and named and plain(named) != plain(held):
        return Refusal(f"{held} has control of {name}: pay out its credits first", rules.control.rule)
    from_player = command.tender == "chips" and named in table.players and named != name
    if from_player and command.amount > table.chips(named):
        reason = f"{named} has {dollars(table.chips(named))} in chips, not {dollars(command.amount)}"
        return Refusal(reason, rules.credited.rule)
    source = chips_of(named) if from_player else CASH
    return (
        *activated,
        e.ControlGiven(terminal=name, holder=held or named, rule=rules.control.rule),
        e.TerminalCredited(
            terminal=name, amount=command.amount, tender=command.tender, rule=rules.credited.rule,
            transfers=(Transfer(source, chips_of(name), command.amount, rules.credited.rule),),
        ),
    )  # fmt: skip


def _activation(table: Table, rules: TerminalRules, name: str, means: str, *, holder: str = "") -> Events | Refusal:
    """What makes a terminal active, if it is not; one that is not of an approved type never becomes so.

    One without credits and wagers is nobody's: it is activated anew, unless the dealer names its last player (R-210).
    """
    if table.terminals[name].active and not _free(table, name, holder):
        return ()
    refusal = _not_approved(table, rules, name, table.terminals[name].approval)
    return refusal or (e.TerminalActivated(terminal=name, means=means, rule=rules.means[means].rule),)


def _free(table: Table, name: str, holder: str) -> bool:
    """Whether nobody plays at a terminal any more, or somebody else than this holder did."""
    last = table.terminals[name].holder
    return not (table.chips(name) or table.staked(name) or (last and plain(holder) == plain(last)))


# ---------------------------------------------------------------- credits out


def cash_out(table: Table, request: TableRequest, command: c.CashOut) -> Events | Refusal:
    """A voucher for all that is not wagered; the terminal is free again if nothing is in play."""
    rules, name = laws_for(table, command.terminal), command.terminal
    if isinstance(rules, Refusal):
        return rules
    amount = table.chips(name)
    refusal = _no_voucher(table, rules, command.voucher) or _cannot_pay(table, name, "voucher", rules.voucher.rule)
    if refusal:
        return refusal
    if amount <= 0:
        return Refusal(f"{name} has no credits to pay", rules.paid.rule)
    move = Transfer(chips_of(name), VOUCHERS, amount, rules.paid.rule)
    paid = e.VoucherIssued(
        voucher=command.voucher, terminal=name, amount=amount, rule=rules.voucher.rule, transfers=(move,)
    )
    return (paid, *deactivated(table, rules, name))


def cancel(table: Table, request: TableRequest, command: c.CancelCredit) -> Events | Refusal:
    """The dealer pays the full value in chips: to the named player, or to whoever has control of the terminal."""
    rules, name = laws_for(table, command.terminal), command.terminal
    if isinstance(rules, Refusal):
        return rules
    amount, rule = table.chips(name), rules.cancelled.rule
    refusal = _cannot_pay(table, name, "cancel credit", rule)
    if refusal:
        return refusal
    player = command.player or table.terminals[name].holder or f"the player of {name}"
    if player in table.terminals:
        return Refusal(f"chips are paid to a person, not to {player}", rule)
    if amount <= 0:
        return Refusal(f"{name} has no credits to cancel", rule)
    move = Transfer(chips_of(name), chips_of(player), amount, rules.paid.rule)
    paid = e.CreditsCancelled(terminal=name, amount=amount, player=player, rule=rule, transfers=(move,))
    return (paid, *deactivated(table, rules, name))


def _cannot_pay(table: Table, name: str, feature: str, rule: str) -> Refusal | None:
    return None if feature in table.terminals[name].features else Refusal(f"{name} has no {feature}", rule)


def _no_voucher(table: Table, rules: TerminalRules, voucher: str) -> Refusal | None:
    if not voucher:
        return Refusal("a voucher has an id", rules.voucher.rule)
    return Refusal("a voucher with this id was issued", rules.voucher.rule) if voucher in table.vouchers else None


def deactivated(table: Table, rules: TerminalRules, name: str) -> Events:
    if not table.terminals[name].active or table.staked(name):
        return ()
    return (e.TerminalDeactivated(terminal=name, rule=rules.activated.rule),)


def redeem_voucher(table: Table, request: TableRequest, command: c.RedeemVoucher) -> Events | Refusal:
    """A voucher is paid once, for what it says."""
    rules = laws(table)
    if isinstance(rules, Refusal):
        return rules
    voucher, rule = table.vouchers.get(command.voucher), rules.redeemed.rule
    if voucher is None:
        return Refusal("no such voucher of this table", rule)
    if voucher.paid:
        return Refusal("this voucher is paid already", rule)
    if voucher.amount != command.amount:
        return Refusal(f"this voucher is not over {dollars(command.amount)}", rule)
    move = Transfer(VOUCHERS, CASH, voucher.amount, rule)
    return (e.VoucherRedeemed(voucher=command.voucher, amount=voucher.amount, rule=rule, transfers=(move,)),)


def pay_due(table: Table, request: TableRequest, command: c.PayDue) -> Events | Refusal:
    rules, name = laws(table), command.terminal
    if isinstance(rules, Refusal):
        return rules
    refusal = _no_voucher(table, rules, command.voucher)
    if refusal:
        return refusal
    rule, waiting = rules.recalculated.rule, due_to(table, name)
    whose = [each for each in waiting if not command.round or command.round in each.rounds]
    if not whose:
        of = f" for round {command.round}" if command.round else ""
        return Refusal(f"nothing is due from {name}{of}", rule)
    if len(whose) > 1:
        played = " or ".join(str(each.rounds[0]) for each in whose if each.rounds)
        return Refusal(f"it is due to several who played there: say who by a round, {played}", rule)
    amount, rounds = whose[0].amount, whose[0].rounds
    move = Transfer(due_from(name), VOUCHERS, amount, rules.paid.rule)
    return (
        e.VoucherIssued(
            voucher=command.voucher, terminal=name, amount=amount, rounds=rounds, rule=rule, transfers=(move,)
        ),
    )


# ---------------------------------------------------------------- slips


def confirm(table: Table, request: TableRequest, command: c.ConfirmSlip) -> Events | Refusal:
    """A terminal confirms that it shows what the table holds."""
    rules = laws_for(table, command.terminal)
    if isinstance(rules, Refusal):
        return rules
    slip, rule = slip_of(table, command.terminal, rules), rules.as_shown.rule
    if not betting_closed(table):
        return Refusal("a slip is confirmed when betting is closed", rule)
    if command.terminal not in unconfirmed(table):
        return Refusal(f"{command.terminal} has nothing to confirm", rule)
    if command.slip != slip.digest:
        return Refusal(f"{command.terminal} shows other wagers than the table holds", rule)
    wagers = tuple((line.bet.value, line.wager.value) for line in slip.lines)
    return (e.SlipConfirmed(terminal=command.terminal, slip=slip.digest, wagers=wagers, rule=rule),)


def give_back(table: Table, request: TableRequest, command: c.ReturnSlip) -> Events | Refusal:
    rules = laws_for(table, command.terminal)
    if isinstance(rules, Refusal):
        return rules
    rule = rules.as_shown.rule
    if dealt(table) or command.terminal not in unconfirmed(table):
        return Refusal(f"{command.terminal} owes no confirmation", rule)
    if not command.reason.strip():
        return Refusal("wagers are returned for a reason", rule)
    back = tuple(
        WagerWithdrawn(number=wager.number, rule=rule, transfers=put_back(wager, rule))
        for wager in wagers_of(table, command.terminal)
    )
    return (*back, e.SlipReturned(terminal=command.terminal, reason=command.reason, rule=rule))
