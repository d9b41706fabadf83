"""Who may be at a table: seats, standing, age, exclusion, private tables, and the seat that nobody uses."""

from __future__ import annotations

from datetime import UTC, date, datetime

from croupier.game import Refusal
from croupier.law.model import present
from croupier.table.commands import AllowStanding, AskToLeave, Exclude, Leave, Request, Sit
from croupier.table.events import (
    AnyEvent,
    PlayerExcluded,
    PlayerLeft,
    Seated,
    SeatWanted,
    StandingAllowed,
)
from croupier.table.state import Table

Events = tuple[AnyEvent, ...]


def barred(table: Table, player: str) -> Refusal | None:
    """Why a person may not play here: shut out, or not a guest of a private table."""
    people = table.general.people
    if player in table.excluded:
        return Refusal(f"{player} is excluded: {table.excluded[player]}", _exclusion_rule(table))
    if table.private and player not in table.private and present(people.private):
        return Refusal(f"{player} is not on the list of this private table", people.private.rule)
    return None


def _exclusion_rule(table: Table) -> str:
    leave = table.general.people.may_be_required_to_leave
    return leave.rule if present(leave) else table.general.trouble.device_excludes.rule


def sit(table: Table, request: Request, command: Sit) -> Events | Refusal:
    refusal = barred(table, command.player) or _too_young(table, request, command) or _no_seat(table, command)
    if refusal:
        return refusal
    bound = table.general.people.bound_by_rules
    rule = bound.rule if present(bound) else table.ruleset.rules.seats.rule
    return (Seated(player=command.player, seat=command.seat, rule=rule),)


def _too_young(table: Table, request: Request, command: Sit) -> Refusal | None:
    age = table.general.people.minimum_age
    if not present(age) or not command.born:
        return None
    born = date.fromisoformat(command.born)
    today = datetime.fromtimestamp(request.at_ms / 1000, UTC).date()
    years = today.year - born.year - ((today.month, today.day) < (born.month, born.day))
    if years < age.value:
        return Refusal(f"{command.player} is {years}: nobody under {age.value} plays", age.rule)
    return None


def _no_seat(table: Table, command: Sit) -> Refusal | None:
    seats = table.ruleset.rules.seats
    if command.seat == 0:
        return None
    if command.seat not in range(1, seats.value.stop):
        return Refusal(f"seat {command.seat}: the table has seats 1 to {seats.value.stop - 1}", seats.rule)
    holder = table.seats.get(command.seat)
    if holder and holder != command.player:
        return Refusal(f"seat {command.seat} is taken by {holder}", seats.rule)
    return None


def leave(table: Table, request: Request, command: Leave) -> Events | Refusal:
    """A player leaves; deferred commission is collected first, where the law says so."""
    player = table.players.get(command.player)
    if player is None:
        return Refusal(f"{command.player} is not at this table", table.general.people.idle_rounds.rule)
    if player.staked:
        return Refusal(f"{command.player} has wagers in play", table.general.limits.shown.rule)
    on_leaving = table.general.money.deferral_on_leaving
    if player.owed and present(on_leaving):
        return Refusal(f"{command.player} owes commission: collect it first", on_leaving.rule)
    return (PlayerLeft(player=command.player, rule=table.general.people.idle_rounds.rule),)


def ask_to_leave(table: Table, request: Request, command: AskToLeave) -> Events | Refusal:
    """A seat is wanted back only after the set number of idle rounds with every other seat in use."""
    law = table.general.people.idle_rounds
    player = table.players.get(command.player)
    if player is None or not player.seat:
        return Refusal(f"{command.player} has no seat here", law.rule)
    if player.idle < law.value:
        return Refusal(f"{command.player} has been idle for {player.idle} rounds of {law.value}", law.rule)
    return (SeatWanted(player=command.player, rule=law.rule),)


def exclude(table: Table, request: Request, command: Exclude) -> Events | Refusal:
    law = table.general.people.may_be_required_to_leave
    if not present(law):
        return Refusal("this law excludes a player only with a sanction", table.general.trouble.device_excludes.rule)
    return (PlayerExcluded(player=command.player, reason=command.reason, rule=law.rule),)


def allow_standing(table: Table, request: Request, command: AllowStanding) -> Events | Refusal:
    law = table.general.people.standing
    if not present(law):
        return Refusal("standing players need no leave here", table.ruleset.rules.seats.rule)
    if request.role not in law.value:
        return Refusal(f"standing players are let play by {law.value[0]} or above", law.rule)
    return (StandingAllowed(player=command.player, rule=law.rule),)
