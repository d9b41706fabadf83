"""Whose choice it is, and what else somebody may choose now.

What is due names a person, a seat or a box; `decider` is the player behind that name.  Beside what is due a player may
have a choice that nobody waits for under the rules, as to insure, to take even money, or to join a double.  These
are found by trying: the rules of the table are pure, so a choice that they would take is one that is open.
"""

from __future__ import annotations

from typing import Any, Final

from croupier.game import Choose, Chosen, Deal, Refusal
from croupier.table.commands import Request, Tell
from croupier.table.decide import decide
from croupier.table.general import PLAYER
from croupier.table.state import Table

BESIDE: Final = ("insure", "even_money", "double")
"""Choices that a player may make when another thing is due."""


def decider(table: Table, by: str) -> str:
    """The player whom a demand names by name, by seat or by box; nobody if no player is meant."""
    if by in table.players:
        return by
    word, _, number = by.partition(" ")
    number = number.partition(" ")[0]
    if word not in ("seat", "box") or not number.isdigit():
        return ""
    seated = table.seats.get(int(number), "")
    if word == "seat":
        return seated
    bets = [wager.by for wager in table.round.standing if wager.box == int(number)]
    return bets[0] if bets else seated


def asked(table: Table) -> str:
    """The player whose choice is due, if one is."""
    due = table.due
    return decider(table, due.by) if isinstance(due, Choose) else ""


def turn(table: Table) -> dict[str, int]:
    """The box and the hand on which a choice is due, where the game has boxes; found by trying, as all here."""
    due, rules = table.due, table.ruleset.rules
    if not isinstance(due, Choose):
        return {}
    felt = table.procedure.layout(rules, table.round.state)
    for box in getattr(felt, "boxes", ()):
        for hand in getattr(box, "hands", ()):
            tried = Chosen(due.options[0], due.by, box.number, hand.number)
            if not isinstance(table.procedure.apply(rules, table.round.state, tried), Refusal):
                return {"box": box.number, "hand": hand.number}
    return {}


def beside(table: Table, name: str) -> tuple[dict[str, Any], ...]:
    """The choices open to this player apart from what is due, as the table would be told of them."""
    due, rules = table.due, table.ruleset.rules
    if not isinstance(due, Choose | Deal):
        return ()
    felt = table.procedure.layout(rules, table.round.state)
    boxes = [box.number for box in getattr(felt, "boxes", ()) if name in getattr(box, "bettors", ())]
    own = due.options if isinstance(due, Choose) and decider(table, due.by) == name else ()
    return tuple(
        {"choose": option, "by": name, "box": box}
        for box in boxes
        for option in BESIDE
        if option not in own and _open(table, Chosen(option, name, box))
    )


def _open(table: Table, choice: Chosen) -> bool:
    """Whether the table would take a choice; the play is asked first, because it is quick to say no."""
    if isinstance(table.procedure.apply(table.ruleset.rules, table.round.state, choice), Refusal):
        return False
    told = Tell({"choose": choice.option, "by": choice.by, "box": choice.box})
    return not isinstance(decide(table, Request(told, choice.by, PLAYER)), Refusal)
