"""Wagers touched on the screen of a terminal, and what else a terminal does unlike a player at the layout.

To the game a terminal's wagers are a player's like any other.  But an amount that is not permitted shows as the next
lower wager instead of being refused, and one below the minimum is held and shows nothing until it is enough.  There is
one wager a bet: touching more takes the old one up and puts the new one down.
"""

from __future__ import annotations

from croupier.game import NO_SIGN, Refusal, Wager
from croupier.journal.messages import Command
from croupier.law.officials import PLAYER
from croupier.law.terminals import TerminalRules
from croupier.money import LARGEST_AMOUNT, Cents, dollars, terminal_wager
from croupier.table.betting.wagers import place
from croupier.table.betting.withdrawals import withdraw
from croupier.table.commands import (
    BuyChips,
    ExchangeChips,
    Leave,
    PlaceWager,
    RedeemChips,
    SetPersonalLimit,
    Sit,
    TableRequest,
    WithdrawWager,
)
from croupier.table.events import Events, WagerPlaced, WagerWithdrawn
from croupier.table.money.settling import put_back, put_down
from croupier.table.people import barred, leave
from croupier.table.state import Table
from croupier.table.terminals.decide import deactivated
from croupier.table.terminals.events import TouchHeld
from croupier.table.terminals.slips import amounts_of, betting_closed, laws, wagers_of

LAYOUT = (BuyChips, RedeemChips, ExchangeChips, SetPersonalLimit, Sit)
"""What is done for players at the layout only."""


def place_or_touch(table: Table, request: TableRequest, command: PlaceWager) -> Events | Refusal:
    """A wager on the layout, or one touched on the screen of a terminal."""
    if command.player not in table.terminals:
        return place(table, request, command)
    rules = laws(table)
    if isinstance(rules, Refusal):
        return rules
    refusal = _no_touch(table, rules, request, command.player) or _too_late(table, rules, command.player)
    return refusal or _touched(table, rules, command)


def _no_touch(table: Table, rules: TerminalRules, request: TableRequest, name: str) -> Refusal | None:
    if request.role != PLAYER:
        return Refusal(f"wagers of {name} are touched on its screen", rules.touched.rule)
    if not table.terminals[name].active:
        return Refusal(f"{name} is not active", rules.activated.rule)
    return barred(table, table.terminals[name].holder or name)


def _too_late(table: Table, rules: TerminalRules, name: str) -> Refusal | None:
    return Refusal(f"{name}: the cut-off is past", rules.cut_off.rule) if betting_closed(table) else None


def _touched(table: Table, rules: TerminalRules, command: PlaceWager) -> Events | Refusal:
    """The amount built up on a bet, as far as it is permitted: held below the minimum, else the next lower wager."""
    name, on = command.player, command.on
    terminal = table.terminals[name]
    least, most = terminal.limits(on)
    lies, held = amounts_of(table, name).get(on, 0), _held(table, name, on)
    sane = 0 < command.amount <= LARGEST_AMOUNT
    wanted = (lies or held) + command.amount if sane else 0
    shown = terminal_wager(wanted, least, terminal.increment, most)
    taken = _accepted(table, name, on, shown or least)
    if isinstance(taken, Refusal):
        return taken
    if not sane:
        return Refusal(f"{dollars(command.amount)} is no amount", rules.touched.rule)
    if (shown or wanted) - lies > table.chips(name):
        # What the player cannot pay is no wager; the screen shows what is available.
        return Refusal(f"{name} has {dollars(table.chips(name))} available", rules.display.available.rule)
    if not shown:
        rule = rules.below_minimum.rule
        return (TouchHeld(terminal=name, on=on, held=wanted, round=table.number, rule=rule),)
    if shown == lies:
        law = rules.rounded_maximum if wanted > most else rules.rounded_step
        return Refusal(f"{name} shows {dollars(shown)} on {on} already: the next lower permitted wager", law.rule)
    rule = _shown_rule(rules, wanted, shown=shown, most=most)
    forgotten = (TouchHeld(terminal=name, on=on, held=0, round=table.number, rule=rule),) if held else ()
    return (*forgotten, *_lifted(table, name, on, rules.touched.rule), _laid(taken, rule))


def _held(table: Table, name: str, on: str) -> Cents:
    terminal = table.terminals[name]
    return terminal.held.get(on, 0) if terminal.held_in == table.number else 0


def _shown_rule(rules: TerminalRules, wanted: Cents, *, shown: Cents, most: Cents) -> str:
    if wanted == shown:
        return rules.touched.rule
    return rules.rounded_maximum.rule if wanted > most else rules.rounded_step.rule


def _accepted(table: Table, name: str, on: str, amount: Cents) -> Wager | Refusal:
    """The wager as the game takes it beside the terminal's other bets; its limits are the terminal's own."""
    this = table.round
    wager = Wager(on, amount, by=name, number=this.numbered)
    others = tuple(each for each in this.standing if not (each.by == name and each.on == on))
    taken = this.game.accept(this.rules, NO_SIGN, this.state, others, (wager,))
    return taken if isinstance(taken, Refusal) else taken[0]


def _lifted(table: Table, name: str, on: str, rule: str) -> Events:
    return tuple(
        WagerWithdrawn(number=wager.number, rule=rule, transfers=put_back(wager, rule))
        for wager in wagers_of(table, name)
        if wager.on == on
    )


def _laid(wager: Wager, rule: str) -> WagerPlaced:
    return WagerPlaced(
        number=wager.number, player=wager.by, on=wager.on, stake=wager.stake_cents, voided=wager.voided_cents,
        void_rule=wager.void_rule, fee=wager.fee_cents, rule=rule, transfers=put_down(wager, rule),
    )  # fmt: skip


def withdraw_or_lift(table: Table, request: TableRequest, command: WithdrawWager) -> Events | Refusal:
    """A wager on the layout, or one on a terminal, which locks at the cut-off."""
    rules = laws(table)
    if command.player not in table.terminals or isinstance(rules, Refusal):
        return withdraw(table, request, command)
    refusal = _no_touch(table, rules, request, command.player) or _too_late(table, rules, command.player)
    return refusal or withdraw(table, request, command)


def leave_or_free(table: Table, request: TableRequest, command: Leave) -> Events | Refusal:
    """A player leaves; a terminal without credits is free again."""
    rules, name = laws(table), command.player
    if name not in table.terminals or isinstance(rules, Refusal):
        return leave(table, request, command)
    if table.chips(name) or table.staked(name):
        return Refusal(f"{name} holds credits: pay them out first", rules.paid.rule)
    return deactivated(table, rules, name) or Refusal(f"{name} is not active", rules.activated.rule)


def not_so(table: Table, command: Command) -> Refusal | None:
    """What is done for players at the layout and not with terminals."""
    rules = laws(table)
    if isinstance(rules, Refusal) or not isinstance(command, LAYOUT) or command.player not in table.terminals:
        return None
    name = command.player
    match command:
        case BuyChips():
            return Refusal(f"credits of {name} come by note or through the dealer", rules.activated.rule)
        case RedeemChips() | ExchangeChips():
            return Refusal(f"credits of {name} are paid by voucher or cancelled by the dealer", rules.paid.rule)
        case SetPersonalLimit():
            return Refusal(f"{name} has limits of its own", rules.own_limits.rule)
        case Sit():
            return Refusal(f"{name} is a terminal and takes no seat", rules.most.rule)
