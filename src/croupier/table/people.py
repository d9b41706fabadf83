"""Who may be at a table: seats, standing, age, exclusion, private tables, and the seat that nobody uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from croupier.game import Refusal, Void
from croupier.game.places import read_place
from croupier.journal.accounts import owed_by
from croupier.journal.names import plain, readable
from croupier.law.general import in_force
from croupier.law.officials import CASHIER, PLAYER, STRANGER, acting, lowest
from croupier.round import BookLine
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.money.settling import settled
from croupier.table.state import Table

DAY_MS = 86_400_000
LONGEST_NAME = 100
PLAYER_NUMBER = re.compile(r"(?:[A-Za-z0-9][A-Za-z0-9-]{0,19})?")
"""The number of a card: up to 20 letters, digits and dashes; nothing is none."""
EPOCH = date(1970, 1, 1)
NOBODYS = frozenset({PLAYER, CASHIER, "shooter", "handler", "game system", "automatic shuffler", "shoe", STRANGER})
"""Words that facts and rules have for others than a person at the table."""


def barred(table: Table, player: str) -> Refusal | None:
    """Why a person may not play here: shut out, or not a guest of a private table."""
    excluded = table.excluded.items()
    out = next((each for name, each in excluded if plain(name) == plain(player)), None) if excluded else None
    if out:
        return Refusal(f"{player} is excluded: {out.reason}", out.rule)
    guests = table.house.private
    invited = not guests or player in guests or plain(player) in map(plain, guests)
    if not invited and in_force(law := table.general.people.private):
        return Refusal(f"{player} is not on the list of this private table", law.rule)
    return None


def present(table: Table) -> frozenset[str]:
    """The players who are at a table: who is shut out has left it, as far as anybody must be told or asked."""
    return frozenset(name for name in table.players if barred(table, name) is None)


def unsaid(text: str, rule: str) -> Refusal | None:
    """Why something is not taken that goes on record with its words: there are none."""
    return None if text.strip() else Refusal("it goes on record in words, and there are none", rule)


def namesake(table: Table, name: str) -> str:
    """Who at this table is called so in another spelling: names are read aloud, and one name is one person."""
    return next((each for each in table.players if each != name and plain(each) == plain(name)), "")


def unknown(table: Table, player: str) -> Refusal | None:
    """Why a person cannot act at this table: not there."""
    if player in table.players:
        return None
    return Refusal(f"{player or 'nobody'} is not at this table", table.general.money.wagers_in_chips.rule)


def shown_back(table: Table, role: str, placed: e.WagerPlaced) -> e.Events:
    """A wager that staff placed for a player, shown to that player where the law makes it his to check."""
    law = table.layout.checked
    if role == PLAYER or not in_force(law):
        return ()
    return (e.PlacementShown(number=placed.number, player=placed.player, rule=law.rule),)


def _anothers_place(table: Table, command: c.Sit) -> Refusal | None:
    """Why a player who is called like a seat does not sit there: facts would name somebody else."""
    place = read_place(command.player.lower())
    if place is None or place.kind not in ("seat", "box") or place.number == command.seat:
        return None
    return Refusal(f"{command.player!r:.60} is the name of another place", _seat_rule(table))


def _no_name(table: Table, player: str) -> Refusal | None:
    """Why nobody can be called that: an office, somebody who is here, or no name at all."""
    rule, other = _seat_rule(table), namesake(table, player)
    if no := _office(player, rule):
        return no
    return Refusal(f"{player!r:.60} is at this table as {other}", rule) if other else unreadable(player, rule)


def _office(name: str, rule: str) -> Refusal | None:
    if acting(name) is not None or name.lower() in NOBODYS:
        return Refusal(f"{name!r:.60} is the name of an office, not of a player", rule)
    return None


def unreadable(name: str, rule: str) -> Refusal | None:
    """Why nobody can be called that: a name is read aloud and written down."""
    if readable(name, LONGEST_NAME):
        return None
    return Refusal(f"a name has 1 to {LONGEST_NAME} characters that can be read, of one alphabet: {name!a:.60}", rule)


def nobodys_name(name: str, rule: str) -> Refusal | None:
    """Why a terminal cannot be called that: its wagers are written down under its name, as a player's are."""
    return _office(name, rule) or unreadable(name, rule)


def sit(table: Table, request: c.TableRequest, command: c.Sit) -> e.Events | Refusal:
    refusal = _no_name(table, command.player) or _anothers_place(table, command) or barred(table, command.player)
    refusal = refusal or _too_young(table, request, command) or _no_seat(table, command) or _apart(table, command)
    if refusal:
        return refusal
    rule = _joining_rule(table, standing=command.seat == 0)
    return (_seated(table, command.player, command.seat, rule),)


def _seated(table: Table, player: str, seat: int, rule: str) -> e.Seated:
    """A player on a seat, or standing; whoever was here before keeps his place among those who came."""
    here = table.players.get(player)
    last = max((each.arrival for each in table.players.values()), default=0)
    arrival = here.arrival if here else last + 1
    return e.Seated(player=player, seat=seat, edition=table.ruleset.edition, arrival=arrival, rule=rule)


def _apart(table: Table, command: c.Sit) -> Refusal | None:
    """Why somebody may not join those who are there."""
    others = tuple(name for name in table.players if name != command.player)
    return table.procedure.joins(table.ruleset.rules, table.round.state, command.player, others)


def _joining_rule(table: Table, *, standing: bool) -> str:
    """Why somebody may take part: standing, where the layout's law says so; seated, bound by the rules."""
    on_foot, bound = table.layout.standing, table.general.people.bound_by_rules
    if standing and in_force(on_foot):
        return on_foot.rule
    return bound.rule if in_force(bound) else _seat_rule(table)


def _seat_rule(table: Table) -> str:
    law = table.procedure.seats(table.ruleset.rules)
    return law.rule if law else table.general.people.idle_rounds.rule


def _too_young(table: Table, request: c.TableRequest, command: c.Sit) -> Refusal | None:
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


def _no_seat(table: Table, command: c.Sit) -> Refusal | None:
    """Why this seat cannot be taken; a player who holds one may move to another."""
    standing, rule = table.general.people.standing, _seat_rule(table)
    if command.seat == 0 and command.player in table.seats.values() and table.staked(command.player):
        return Refusal(f"{command.player} has wagers in play", rule)
    if command.seat == 0:
        if in_force(standing) and command.player not in table.standing_allowed:
            return _no_standing(command.player, standing.rule)
        return _owes_seated(table, command.player)
    if table.staked(command.player):
        return Refusal(f"{command.player} has wagers in play", rule)
    if command.seat not in range(1, table.house.seats + 1):
        return Refusal(f"seat {command.seat}: the table has seats 1 to {table.house.seats}", rule)
    holder = table.seats.get(command.seat)
    if holder and holder != command.player:
        return Refusal(f"seat {command.seat} is taken by {holder}", rule)
    return None


def _owes_seated(table: Table, player: str) -> Refusal | None:
    """Why a seat is not given up for a place to stand: where only the seated may owe commission, it is paid first."""
    law = table.general.money.deferral
    if not in_force(law) or not table.balances.get(owed_by(player), 0):
        return None
    return Refusal(f"{player} owes commission, as the seated may: collect it first", law.rule)


def _no_standing(player: str, rule: str) -> Refusal:
    return Refusal(f"{player} may not bet standing unless a game supervisor lets him", rule)


def leave(table: Table, request: c.TableRequest, command: c.Leave) -> e.Events | Refusal:
    """A player leaves; deferred commission is collected first, where the law says so.

    A wager that could not be decided without the player's next one goes back.
    """
    rule = _seat_rule(table)
    missing = unknown(table, command.player)
    if missing:
        return missing
    back = tuple(forsaken(table, command.player))
    if table.staked(command.player) > sum(each.returned for each in back):
        return Refusal(f"{command.player} has wagers in play", rule)
    on_leaving = table.general.money.deferral_on_leaving
    if table.balances.get(owed_by(command.player), 0) and in_force(on_leaving):
        return Refusal(f"{command.player} owes commission: collect it first", on_leaving.rule)
    held, here = table.players[command.player].colours, table.general.money.colour_redeemed_here
    if held and in_force(here):
        return Refusal(f"{command.player} holds {', '.join(sorted(held))} chips: redeem them here first", here.rule)
    return (*back, e.PlayerLeft(player=command.player, rule=rule))


def forsaken(table: Table, player: str) -> Iterator[e.WagerSettled]:
    """What goes back of a player's wagers because no more of them will follow."""
    for wager in table.round.standing:
        law = table.procedure.forsaken(table.ruleset.rules, table.round.state, wager) if wager.by == player else ""
        if law:
            yield settled(table, BookLine(wager, Void(law)), apart=True)


def ask_to_leave(table: Table, request: c.TableRequest, command: c.AskToLeave) -> e.Events | Refusal:
    """A seat is given up by order only after the set number of idle rounds with every other seat in use."""
    law = table.general.people.idle_rounds
    player = table.players.get(command.player)
    if player is None or not player.seat:
        return Refusal(f"{command.player} has no seat here", law.rule)
    if player.idle < law.value:
        return Refusal(f"{command.player} has been idle for {player.idle} rounds of {law.value}", law.rule)
    return _owes_seated(table, command.player) or (
        e.SeatWanted(player=command.player, rule=law.rule),
        _seated(table, command.player, 0, law.rule),
    )


def exclude(table: Table, request: c.TableRequest, command: c.Exclude) -> e.Events | Refusal:
    law = table.general.people.may_be_required_to_leave
    if not in_force(law):
        return Refusal("this law excludes a player only with a sanction", table.general.trouble.device_excludes.rule)
    return unsaid(command.reason, law.rule) or (
        *forsaken(table, command.player),
        e.PlayerExcluded(player=command.player, reason=command.reason, passes=True, rule=law.rule),
    )


def allow_standing(table: Table, request: c.TableRequest, command: c.AllowStanding) -> e.Events | Refusal:
    law = table.general.people.standing
    if not in_force(law):
        return Refusal("standing players need no leave here", _seat_rule(table))
    if request.role not in law.value:
        return Refusal(f"players are let stand by the {lowest(law.value)} or above", law.rule)
    return (e.StandingAllowed(player=command.player, rule=law.rule),)


def number_player(table: Table, request: c.TableRequest, command: c.NumberPlayer) -> e.Events | Refusal:
    """The number of the card of somebody who is there; who leaves, or cashes out, takes it along."""
    rule = _joining_rule(table, standing=False)
    missing = unknown(table, command.player)
    if missing:
        return missing
    if not PLAYER_NUMBER.fullmatch(command.number):
        return Refusal(f"a player's number has up to 20 letters and digits: {command.number!r:.40}", rule)
    if command.number == table.players[command.player].number:
        return Refusal(f"{command.player} has this number already", rule)
    return (e.PlayerNumbered(player=command.player, number=command.number, rule=rule),)


# ---------------------------------------------------------------- acting for another


def name_nominee(table: Table, request: c.TableRequest, command: c.NameNominee) -> e.Events | Refusal:
    """Who acts for a player is at the table, and may be there; to handle cards, seated."""
    law, nominee = table.general.people.nominee, command.nominee
    if not in_force(law):
        return Refusal("nobody bets or handles cards for another under this law", table.general.dealer.rule)
    missing = unknown(table, command.player)
    if missing or not nominee:
        return missing or (e.NomineeNamed(player=command.player, nominee="", rule=law.rule),)
    refusal = barred(table, nominee)
    if refusal:
        return refusal
    if nominee == command.player or nominee not in table.players or nominee in table.terminals:
        return Refusal(f"{nominee} cannot act for {command.player}: not another person at this table", law.rule)
    return (e.NomineeNamed(player=command.player, nominee=nominee, rule=law.rule),)


def acts_for(table: Table, person: str, player: str) -> bool:
    """Whether somebody was named to act for a player, and both are there."""
    there = table.players.get(player)
    return there is not None and there.nominee == person and person in table.players and not barred(table, person)
