"""Whose choice it is, and what else somebody may choose now.

What is due names a person, a seat or a box; `decider` is the player behind that name.  Beside what is due a player may
have a choice that nobody waits for under the rules, as to insure, to take even money, or to join a double: the game
says which it offers, and the table whether it would take them.
"""

from __future__ import annotations

from typing import Any, Final

from croupier.answers.facts import choices
from croupier.game import Choose, Deal, Refusal
from croupier.game.places import read_place
from croupier.law.officials import PLAYER
from croupier.once import once
from croupier.table.commands import TableRequest, Tell
from croupier.table.decide import decide
from croupier.table.events import StakeAdded
from croupier.table.state import Table

open_choices: Final = once(choices)
"""The choices that are open at a table: each of thirty pages looks for its own among them."""


def decider(table: Table, by: str) -> str:
    """The player whom a demand names by name, by seat or by box; nobody if no player is meant."""
    if by in table.players:
        return by
    place = read_place(by)
    if place is None or place.kind not in ("seat", "box"):
        return ""
    seated = table.seats.get(place.number, "")
    if place.kind == "seat":
        return seated
    return next((wager.by for wager in table.round.standing if wager.box == place.number), seated)


def asked(table: Table) -> str:
    """The player whose choice is due, if one is."""
    due = table.due
    return decider(table, due.by) if isinstance(due, Choose) else ""


def beside(table: Table, name: str) -> tuple[dict[str, Any], ...]:
    """The choices that are offered to this player apart from what is due, as the table would be told of them."""
    due, game = table.due, table.game
    if not isinstance(due, Choose | Deal) or not game.offered:
        return ()
    own = due.options if isinstance(due, Choose) and decider(table, due.by) == name else ()
    mine = (each for each in open_choices(table.attended) if each.by == name and each.option in game.offered)
    offers = ({"choose": each.option, "by": name, "box": each.box} for each in mine if each.option not in own)
    tried = ((each, decide(table, TableRequest(Tell(each), name, PLAYER))) for each in offers)
    return tuple(each for each, answer in tried if not isinstance(answer, Refusal))


def costs(table: Table, name: str) -> dict[str, int]:
    """What each choice that is open to this player would put down, in cents: by the choice, and by its box too.

    Found by trying, as all here: the table decides what a double or an insurance costs, and no page reckons it.
    """
    if not isinstance(table.due, Choose | Deal):
        return {}
    found = dict[str, int]()
    for each in open_choices(table.attended):
        if decider(table, each.by) != name:
            continue
        place = {"box": each.box, "hand": each.hand} if each.box else {}
        events = decide(table, TableRequest(Tell({"choose": each.option, "by": each.by, **place}), name, PLAYER))
        put = () if isinstance(events, Refusal) else events
        cents = sum(event.stake for event in put if isinstance(event, StakeAdded) and event.player == name)
        if cents:
            found |= {each.option: cents, f"{each.option}@{each.box}": cents}
    return found
