"""Chips, cash and colours: buying, exchanging, redeeming, and the chips that have a value only here."""

from __future__ import annotations

from croupier.game import Refusal, worded
from croupier.journal.accounts import CASH, CHEQUES, chips_of, moves, owed_by
from croupier.journal.messages import Transfer
from croupier.journal.names import plain
from croupier.law.general import barred_by, in_force
from croupier.money import LARGEST_AMOUNT, Cents, dollars
from croupier.once import like
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.people import barred, unknown
from croupier.table.state import Table

TENDERS = ("cash", "voucher", "token", "chips")


def buy(table: Table, request: c.TableRequest, command: c.BuyChips) -> e.Events | Refusal:
    law = table.general.money.converted
    rule = law.rule if in_force(law) else table.general.money.wagers_in_chips.rule
    missing = unknown(table, command.player) or barred(table, command.player)
    if missing:
        return missing
    if command.tender not in TENDERS:
        return Refusal(f"{command.tender} is no tender; known are {', '.join(TENDERS)}", rule)
    if not 0 < command.amount <= LARGEST_AMOUNT or command.amount % table.sign.chip:
        return Refusal(f"{dollars(command.amount)}: chips are of {dollars(table.sign.chip)} and more", rule)
    move = Transfer(CASH, chips_of(command.player), command.amount, rule)
    return (
        e.ChipsBought(
            player=command.player, amount=command.amount, tender=command.tender, rule=rule, transfers=(move,)
        ),
    )


def exchange(table: Table, request: c.TableRequest, command: c.ExchangeChips) -> e.Events | Refusal:
    law = table.general.money.exchanged
    missing = unknown(table, command.player)
    if missing:
        return missing
    if not in_force(law):
        return Refusal("this law does not speak of exchanging chips", table.general.money.wagers_in_chips.rule)
    given, wanted = sum(command.given), sum(command.wanted)
    if any(chip <= 0 for chip in (*command.given, *command.wanted)):
        return Refusal("chips have a value above zero", law.rule)
    if given != wanted or given <= 0:
        return Refusal(f"{dollars(given)} for {dollars(wanted)}: an exchange is of equal value", law.rule)
    if given > table.chips(command.player):
        return Refusal(f"{command.player} has {dollars(table.chips(command.player))}, not {dollars(given)}", law.rule)
    return (e.ChipsExchanged(player=command.player, amount=given, rule=law.rule),)


def redeem(table: Table, request: c.TableRequest, command: c.RedeemChips) -> e.Events | Refusal:
    money = table.general.money
    law = money.redeemed if in_force(money.redeemed) else money.wagers_in_chips
    # Whoever left with chips may still come back for the money.
    missing = None if table.chips(command.player) else unknown(table, command.player)
    if missing:
        return missing
    if command.promotional and barred_by(money.promotional):
        return Refusal("promotional chips are not redeemed", money.promotional.rule)
    if command.amount <= 0 or not 0 <= command.cheque <= command.amount:
        return Refusal(f"a cheque of {dollars(command.cheque)} for {dollars(command.amount)}", law.rule)
    if command.amount > table.chips(command.player):
        reason = f"{command.player} has {dollars(table.chips(command.player))}, not {dollars(command.amount)}"
        return Refusal(reason, law.rule)
    if in_force(here := money.colour_redeemed_here) and command.amount > of_value(table, command.player):
        colours = ", ".join(sorted(table.players[command.player].colours))
        return Refusal(f"{command.player} holds {colours} chips: they are redeemed at {table.name} first", here.rule)
    owed, leaving = -table.balances.get(owed_by(command.player), 0), money.deferral_on_leaving
    if in_force(leaving) and owed > 0 and table.chips(command.player) - command.amount < owed:
        return Refusal(f"{command.player} owes {dollars(owed)} of commission: collect it first", leaving.rule)
    cash = command.amount - command.cheque
    return (
        e.ChipsRedeemed(
            player=command.player,
            cash=cash,
            cheque=command.cheque,
            rule=law.rule,
            transfers=_paid_out(command.player, cash, command.cheque, law.rule),
        ),
    )


def _paid_out(player: str, cash: Cents, cheque: Cents, rule: str) -> tuple[Transfer, ...]:
    chips = chips_of(player)
    return moves(Transfer(chips, CASH, cash, rule), Transfer(chips, CHEQUES, cheque, rule))


def tip(table: Table, request: c.TableRequest, command: c.Tip) -> e.Events | Refusal:
    law = table.general.people.tips
    rule = law.rule if barred_by(law) else table.general.people.advice.rule
    return Refusal("staff take no tips", rule)


# ---------------------------------------------------------------- colours


def issue_colour(table: Table, request: c.TableRequest, command: c.IssueColour) -> e.Events | Refusal:
    money = table.general.money
    refusal = unknown(table, command.player) or barred(table, command.player) or value_chips_only(table)
    refusal = refusal or _colour_taken(table, command)
    if refusal:
        return refusal
    assert in_force(money.own_colours)
    assert in_force(money.colour_declared)
    if command.chips <= 0 or command.chips * command.value > of_value(table, command.player):
        reason = f"{command.player} cannot buy {command.chips} chips of {dollars(command.value)}"
        return Refusal(reason, money.own_colours.rule)
    return (like(e.ColourIssued, command, rule=money.colour_declared.rule),)


def value_chips_only(table: Table) -> Refusal | None:
    """Why nobody plays with non-value chips here, if so."""
    law = table.general.money.own_colours
    if in_force(law) and table.ruleset.game in law.value:
        return None
    rule = law.rule if in_force(law) else table.general.money.wagers_in_chips.rule
    return Refusal(f"{worded(table.ruleset.game)} is played with value chips", rule)


def _colour_taken(table: Table, command: c.IssueColour) -> Refusal | None:
    money = table.general.money
    assert in_force(money.colour_unique)
    assert in_force(money.colour_declared)
    if command.value <= 0:
        return Refusal("a colour's value is declared before play", money.colour_declared.rule)
    for name, player in table.players.items():
        other = next((each for each in player.colours if plain(each) == plain(command.colour)), None)
        if other is not None and (other != command.colour or name != command.player):
            return Refusal(f"{other} is {name}'s at this table", money.colour_unique.rule)
    held = table.players.get(command.player)
    if held and held.colours.get(command.colour, command.value) != command.value:
        return Refusal(f"{command.colour} keeps its value until it is redeemed", money.colour_declared.rule)
    return None


def out_in(table: Table, colour: str) -> Cents:
    """What lies on the layout in chips of one colour, not paid or taken yet."""
    book = {entry.wager.number: entry.wager for entry in table.round.book}
    there = [number for number, each in table.coloured if each == colour and number in book]
    return sum(book[number].stake_cents for number in there if not table.is_settled(number))


def of_value(table: Table, player: str) -> Cents:
    """What a player may have in chips of value: not what was issued to him in a colour, and neither lost nor staked.

    What a wager in a colour won may have been paid in either.
    """
    held = table.players.get(player)
    if held is None:
        return table.chips(player)
    return table.chips(player) - sum(
        max(0, (chips - held.won.get(colour, 0)) * held.colours[colour] - out_in(table, colour))
        for colour, chips in held.issued.items()
    )


def redeem_colour(table: Table, request: c.TableRequest, command: c.RedeemColour) -> e.Events | Refusal:
    money = table.general.money
    missing = unknown(table, command.player)
    if missing:
        return missing
    if not in_force(money.colour_redeemed_here):
        return Refusal("this law knows no colours", money.wagers_in_chips.rule)
    if command.table and command.table != table.name:
        return Refusal(f"chips of {command.table} are redeemed there", money.colour_redeemed_here.rule)
    if command.colour not in table.players[command.player].colours:
        return Refusal(f"{command.player} holds no {command.colour} of this table", money.colour_redeemed_here.rule)
    if out_in(table, command.colour) and in_force(money.colour_unique):
        return Refusal(
            f"{command.colour} chips lie on the layout: they are {command.player}'s", money.colour_unique.rule
        )
    held = table.players[command.player]
    return (
        e.ColourRedeemed(
            player=command.player,
            colour=command.colour,
            value=held.colours[command.colour],
            chips=held.issued.get(command.colour, 0),
            rule=money.colour_redeemed_here.rule,
        ),
    )


def require_colour(table: Table, request: c.TableRequest, command: c.RequireColour) -> e.Events | Refusal:
    law = table.general.money.colour_required
    refusal = unknown(table, command.player) or value_chips_only(table)
    if refusal:
        return refusal
    assert in_force(law)
    return (e.ColourRequired(player=command.player, required=command.required, rule=law.rule),)
