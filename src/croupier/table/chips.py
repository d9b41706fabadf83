"""Chips, cash and colours: buying, exchanging, redeeming, and the chips that have a value only here."""

from __future__ import annotations

from croupier.game import Refusal
from croupier.law.model import present
from croupier.money import Cents
from croupier.table.accounts import CASH, CHEQUES, chips_of
from croupier.table.commands import (
    BuyChips,
    ExchangeChips,
    IssueColour,
    RedeemChips,
    RedeemColour,
    Request,
    RequireColour,
    Tip,
)
from croupier.table.events import (
    AnyEvent,
    ChipsBought,
    ChipsExchanged,
    ChipsRedeemed,
    ColourIssued,
    ColourRedeemed,
    ColourRequired,
    Transfer,
)
from croupier.table.state import Player, Table

Events = tuple[AnyEvent, ...]

TENDERS = ("cash", "voucher", "token", "chips")


def _known(table: Table, name: str) -> Player | Refusal:
    player = table.players.get(name)
    return player or Refusal(f"{name} is not at this table", table.general.money.wagers_in_chips.rule)


def buy(table: Table, request: Request, command: BuyChips) -> Events | Refusal:
    law = table.general.money.converted
    rule = law.rule if present(law) else table.general.money.wagers_in_chips.rule
    player = _known(table, command.player)
    if isinstance(player, Refusal):
        return player
    if command.tender not in TENDERS:
        return Refusal(f"{command.tender} is no tender; known are {', '.join(TENDERS)}", rule)
    if command.amount <= 0:
        return Refusal(f"an amount above zero: {command.amount}", rule)
    move = Transfer(CASH, chips_of(command.player), command.amount, rule)
    return (
        ChipsBought(player=command.player, amount=command.amount, tender=command.tender, rule=rule, transfers=(move,)),
    )


def exchange(table: Table, request: Request, command: ExchangeChips) -> Events | Refusal:
    law = table.general.money.exchanged
    if not present(law):
        return Refusal("this law does not speak of exchanging chips", table.general.money.wagers_in_chips.rule)
    given, wanted = sum(command.given), sum(command.wanted)
    if given != wanted or given <= 0:
        return Refusal(f"{given} for {wanted}: an exchange is of equal value", law.rule)
    return (ChipsExchanged(player=command.player, amount=given, rule=law.rule),)


def redeem(table: Table, request: Request, command: RedeemChips) -> Events | Refusal:
    money = table.general.money
    law = money.redeemed if present(money.redeemed) else money.wagers_in_chips
    if command.promotional and present(money.promotional):
        return Refusal("promotional chips are not redeemed", money.promotional.rule)
    player = _known(table, command.player)
    if isinstance(player, Refusal):
        return player
    if not 0 < command.amount <= player.chips:
        return Refusal(f"{command.player} has {player.chips}, not {command.amount}", law.rule)
    if not 0 <= command.cheque <= command.amount:
        return Refusal(f"a cheque of {command.cheque} for {command.amount}", law.rule)
    cash = command.amount - command.cheque
    return (
        ChipsRedeemed(
            player=command.player,
            cash=cash,
            cheque=command.cheque,
            rule=law.rule,
            transfers=_paid_out(command.player, cash, command.cheque, law.rule),
        ),
    )


def _paid_out(player: str, cash: Cents, cheque: Cents, rule: str) -> tuple[Transfer, ...]:
    moves = (Transfer(chips_of(player), CASH, cash, rule), Transfer(chips_of(player), CHEQUES, cheque, rule))
    return tuple(move for move in moves if move.amount)


def tip(table: Table, request: Request, command: Tip) -> Events | Refusal:
    law = table.general.people.tips
    rule = law.rule if present(law) else table.general.people.advice.rule
    return Refusal("staff take no tips", rule)


# ---------------------------------------------------------------- colours


def issue_colour(table: Table, request: Request, command: IssueColour) -> Events | Refusal:
    money = table.general.money
    law = money.own_colours
    if not present(law) or table.ruleset.game not in law.value:
        rule = law.rule if present(law) else money.wagers_in_chips.rule
        return Refusal(f"{table.ruleset.game} is played with value chips", rule)
    refusal = _colour_taken(table, command)
    if refusal:
        return refusal
    player = _known(table, command.player)
    if isinstance(player, Refusal):
        return player
    if command.chips * command.value > player.chips or command.chips <= 0:
        return Refusal(f"{command.player} cannot buy {command.chips} chips of {command.value}", law.rule)
    assert present(money.colour_declared)
    return (
        ColourIssued(
            player=command.player,
            colour=command.colour,
            value=command.value,
            chips=command.chips,
            rule=money.colour_declared.rule,
        ),
    )


def _colour_taken(table: Table, command: IssueColour) -> Refusal | None:
    money = table.general.money
    assert present(money.colour_unique)
    assert present(money.colour_declared)
    if command.value <= 0:
        return Refusal("a colour's value is declared before play", money.colour_declared.rule)
    for name, player in table.players.items():
        if command.colour in player.colours and name != command.player:
            return Refusal(f"{command.colour} is {name}'s at this table", money.colour_unique.rule)
    held = table.players.get(command.player)
    if held and held.colours.get(command.colour, command.value) != command.value:
        return Refusal(f"{command.colour} keeps its value until it is redeemed", money.colour_declared.rule)
    return None


def redeem_colour(table: Table, request: Request, command: RedeemColour) -> Events | Refusal:
    money = table.general.money
    if not present(money.colour_redeemed_here):
        return Refusal("this law knows no colours", money.wagers_in_chips.rule)
    if command.table and command.table != table.name:
        return Refusal(f"chips of {command.table} are redeemed there", money.colour_redeemed_here.rule)
    player = table.players.get(command.player)
    if player is None or command.colour not in player.colours:
        return Refusal(f"{command.player} holds no {command.colour} of this table", money.colour_redeemed_here.rule)
    return (ColourRedeemed(player=command.player, colour=command.colour, rule=money.colour_redeemed_here.rule),)


def require_colour(table: Table, request: Request, command: RequireColour) -> Events | Refusal:
    law = table.general.money.colour_required
    if not present(law):
        return Refusal("this law knows no colours", table.general.money.wagers_in_chips.rule)
    return (ColourRequired(player=command.player, required=command.required, rule=law.rule),)
