"""In which way a wager is made: in chips of value or of a colour, stacked, or in words."""

from __future__ import annotations

from itertools import pairwise

from croupier.game import Refusal
from croupier.law.general import in_force
from croupier.law.model import Law
from croupier.law.officials import lowest
from croupier.money import Cents, dollars
from croupier.table.commands import PlaceWager, TableRequest
from croupier.table.events import Announced, Events
from croupier.table.money.chips import out_in, value_chips_only
from croupier.table.state import Player, Table


def chips_rule(table: Table) -> str:
    return table.general.money.wagers_in_chips.rule


def known_already(table: Table) -> Refusal | None:
    """Why no wager is made or changed: what chance gave was told, and taken back, and somebody may have seen it."""
    if not table.uncovered:
        return None
    law = table.procedure.closing(table.ruleset.rules)
    reason = "what came was told and taken back: wagers stay as they are until it is told again"
    return Refusal(reason, law.rule if law else table.due.rule)


def spoken_law(table: Table) -> Law[bool] | None:
    """The law on wagers made in words: the layout's, else the game's."""
    return table.layout.spoken if in_force(table.layout.spoken) else table.procedure.spoken(table.ruleset.rules)


def how(table: Table, command: PlaceWager) -> Refusal | None:
    if command.against and not (side_bets := table.general.people.side_bets).value:
        return Refusal(f"{command.player} may bet against the house, not {command.against}", side_bets.rule)
    spoken = spoken_law(table) if command.oral else None
    if spoken and not command.tendered:
        return Refusal("a spoken wager counts only with its chips", spoken.rule)
    misstacked = _misstacked(table, command) if command.stack else None
    player = table.players[command.player]
    coloured = command.colour or player.colours_only
    return misstacked or (_colour(table, command, player) if coloured else None)


def _misstacked(table: Table, command: PlaceWager) -> Refusal | None:
    stacked = table.layout.stacked
    if in_force(stacked) and any(above > below for below, above in pairwise(command.stack)):
        return Refusal("smaller chips go on top", stacked.rule)
    if sum(command.stack) != command.amount:
        reason = f"the stack is {dollars(sum(command.stack))}, not {dollars(command.amount)}"
        return Refusal(reason, chips_rule(table))
    return None


def unconfirmed(table: Table, request: TableRequest) -> Refusal | None:
    """Where a spoken wager must be confirmed aloud, it counts once one who may do so enters it."""
    law = table.layout.confirmed
    if not in_force(law) or request.role in law.value:
        return None
    return Refusal(f"a spoken wager counts once the {lowest(law.value)} confirms it aloud", law.rule)


def confirmed_aloud(table: Table, command: PlaceWager) -> Events:
    law = table.layout.confirmed
    if not in_force(law):
        return ()
    return (Announced(text=f"{command.player}: {dollars(command.amount)} on {command.on}", rule=law.rule),)


def _more_than_issued(table: Table, command: PlaceWager, player: Player, value: Cents) -> Refusal | None:
    """Why a wager in a colour is none of that player's chips: so many were not issued, or they were lost."""
    law, issued = table.general.money.colour_unique, player.issued.get(command.colour, 0)
    if not in_force(law) or out_in(table, command.colour) + command.amount <= issued * value:
        return None
    return Refusal(f"{issued} {command.colour} chips are {command.player}'s, and no more", law.rule)


def _colour(table: Table, command: PlaceWager, player: Player) -> Refusal | None:
    money = table.general.money
    if command.colour:
        if unheard := value_chips_only(table):
            return unheard
        if in_force(money.colour_here_only) and command.table not in ("", table.name):
            return Refusal(f"chips of {command.table} are played there", money.colour_here_only.rule)
        value = player.colours.get(command.colour, 0)
        rule = money.colour_declared.rule if in_force(money.colour_declared) else chips_rule(table)
        if not value:
            return Refusal(f"{command.player} has no {command.colour} chips with a declared value", rule)
        if command.amount % value:
            return Refusal(f"{dollars(command.amount)} is no number of chips of {dollars(value)}", rule)
        return _more_than_issued(table, command, player, value)
    if in_force(money.colour_required):
        return Refusal(f"{command.player} plays with non-value chips here", money.colour_required.rule)
    return None
