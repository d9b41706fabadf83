"""Who may be at a table: seats, standing, age, exclusion, private tables, and the seat that nobody uses."""

from __future__ import annotations

from datetime import date, timedelta

from croupier.game import Refusal
from croupier.table.accounts import owed_by
from croupier.table.commands import AllowStanding, AskToLeave, Exclude, Leave, Request, Sit
from croupier.table.events import (
    Events,
    PlacementShown,
    PlayerExcluded,
    PlayerLeft,
    Seated,
    SeatWanted,
    StandingAllowed,
    WagerPlaced,
)
from croupier.table.general import PLAYER, in_force, lowest
from croupier.table.state import Table

DAY_MS = 86_400_000
LONGEST_NAME = 100
EPOCH = date(1970, 1, 1)


def barred(table: Table, player: str) -> Refusal | None:
    """Why a person may not play here: shut out, or not a guest of a private table."""
    people = table.general.people
    if player in table.excluded:
        return Refusal(f"{player} is excluded: {table.excluded[player]}", _exclusion_rule(table))
    guests = table.house.private
    if guests and player not in guests and in_force(people.private):
        return Refusal(f"{player} is not on the list of this private table", people.private.rule)
    return None


def unknown(table: Table, player: str) -> Refusal | None:
    """Why a person cannot act at this table: not there."""
    if player in table.players:
        return None
    return Refusal(f"{player or 'nobody'} is not at this table", table.general.money.wagers_in_chips.rule)


def shown_back(table: Table, role: str, placed: WagerPlaced) -> Events:
    """A wager that staff placed for a player, shown to that player where the law makes it his to check."""
    law = table.layout.checked
    if role == PLAYER or not in_force(law):
        return ()
    return (PlacementShown(number=placed.number, player=placed.player, rule=law.rule),)


def _exclusion_rule(table: Table) -> str:
    leave = table.general.people.may_be_required_to_leave
    return leave.rule if in_force(leave) else table.general.trouble.device_excludes.rule


def _no_name(table: Table, player: str) -> Refusal | None:
    """Why nobody can be called that: a name is read aloud and written down."""
    if player.strip() and len(player) <= LONGEST_NAME and player.isprintable():
        return None
    return Refusal(f"a name has 1 to {LONGEST_NAME} characters that can be read: {player!r:.60}", _seat_rule(table))


def sit(table: Table, request: Request, command: Sit) -> Events | Refusal:
    refusal = _no_name(table, command.player) or barred(table, command.player)
    refusal = refusal or _too_young(table, request, command) or _no_seat(table, command)
    if refusal:
        return refusal
    rule = _joining_rule(table, standing=command.seat == 0)
    return (Seated(player=command.player, seat=command.seat, edition=table.ruleset.edition, rule=rule),)


def _joining_rule(table: Table, *, standing: bool) -> str:
    """Why somebody may take part: standing, where the layout's law says so; seated, bound by the rules."""
    on_foot, bound = table.layout.standing, table.general.people.bound_by_rules
    if standing and in_force(on_foot):
        return on_foot.rule
    return bound.rule if in_force(bound) else _seat_rule(table)


def _seat_rule(table: Table) -> str:
    law = table.procedure.seats(table.ruleset.rules)
    return law.rule if law else table.general.people.idle_rounds.rule


def _too_young(table: Table, request: Request, command: Sit) -> Refusal | None:
    age = table.general.people.minimum_age
    if not in_force(age) or not command.born:
        return None
    try:
        born = date.fromisoformat(command.born)
    except ValueError:
        return Refusal(f"{command.born!r:.20} is not a date of birth like 1990-12-31", age.rule)
    today = _day(request.at_ms)
    years = today.year - born.year - ((today.month, today.day) < (born.month, born.day))
    if years < age.value:
        return Refusal(f"{command.player} is {years}: nobody under {age.value} plays", age.rule)
    return None


def _day(at_ms: int) -> date:
    """The day of a moment, for any number that may be written as one."""
    days = min(max(at_ms // DAY_MS, 0), (date.max - EPOCH).days)
    return EPOCH + timedelta(days=days)


def _no_seat(table: Table, command: Sit) -> Refusal | None:
    """Why this seat cannot be taken; a player who holds one may move to another."""
    standing, rule = table.general.people.standing, _seat_rule(table)
    if command.seat == 0:
        barred = in_force(standing) and command.player not in table.standing_allowed
        return _no_standing(command.player, standing.rule) if in_force(standing) and barred else None
    if table.staked(command.player):
        return Refusal(f"{command.player} has wagers in play", rule)
    if command.seat not in range(1, table.house.seats + 1):
        return Refusal(f"seat {command.seat}: the table has seats 1 to {table.house.seats}", rule)
    holder = table.seats.get(command.seat)
    if holder and holder != command.player:
        return Refusal(f"seat {command.seat} is taken by {holder}", rule)
    return None


def _no_standing(player: str, rule: str) -> Refusal:
    return Refusal(f"{player} may not bet standing unless a game supervisor lets him", rule)


def leave(table: Table, request: Request, command: Leave) -> Events | Refusal:
    """A player leaves; deferred commission is collected first, where the law says so."""
    rule = table.general.people.idle_rounds.rule
    missing = unknown(table, command.player)
    if missing:
        return missing
    if table.staked(command.player):
        return Refusal(f"{command.player} has wagers in play", rule)
    on_leaving = table.general.money.deferral_on_leaving
    if table.balances.get(owed_by(command.player), 0) and in_force(on_leaving):
        return Refusal(f"{command.player} owes commission: collect it first", on_leaving.rule)
    return (PlayerLeft(player=command.player, rule=rule),)


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
    if not in_force(law):
        return Refusal("this law excludes a player only with a sanction", table.general.trouble.device_excludes.rule)
    return (PlayerExcluded(player=command.player, reason=command.reason, rule=law.rule),)


def allow_standing(table: Table, request: Request, command: AllowStanding) -> Events | Refusal:
    law = table.general.people.standing
    if not in_force(law):
        return Refusal("standing players need no leave here", _seat_rule(table))
    if request.role not in law.value:
        return Refusal(f"players are let stand by the {lowest(law.value)} or above", law.rule)
    return (StandingAllowed(player=command.player, rule=law.rule),)
