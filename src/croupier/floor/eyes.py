"""Whether a person may ask a command, alone or with another.

Three things are looked at before a table decides: the permission table, the second person where a command wants two,
and the inspection of cards or dice, which two people do independently: the dealer's and the supervisor's must not be
one person's.  The last two hold in a house with accounts, where a name is somebody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from croupier.floor.permissions import FOUR_EYES, may_ask
from croupier.floor.tickets import Ticket
from croupier.game import Performed, Refusal
from croupier.house.people import plain
from croupier.notation import BadInput, read_fact
from croupier.table.commands import AnyCommand, Request, Tell
from croupier.table.decide import decide
from croupier.table.events import Entry, FactTakenBack, Happened
from croupier.table.general import in_force
from croupier.table.state import Table

INSPECTION: Final = "inspect as "


def not_permitted(table: Table, command: AnyCommand, ticket: Ticket) -> Refusal | None:
    """Why this role may not ask for it: in the words of the table's law, if that refuses it too."""
    asked = type(command).__name__
    if may_ask(asked, ticket.role):
        return None
    by_law = decide(table, Request(command, ticket.name, ticket.role, 0))
    return by_law if isinstance(by_law, Refusal) else Refusal(f"{asked} is not for the {ticket.role}", "")


def needs_another(table: Table, command: AnyCommand, ticket: Ticket, second: Ticket | None) -> Refusal | None:
    """Why the second person is missing, or is not the right one."""
    asked = type(command).__name__
    fitting = FOUR_EYES.get(asked)
    if fitting is None:
        return None
    law = table.general.trouble.recalculated
    rule = law.rule if in_force(law) else table.general.supervisor.rule
    if second is None:
        return Refusal(f"{asked} is done by two people: a second one must show a ticket", rule)
    if plain(second.name) == plain(ticket.name):
        return Refusal(f"{asked} is done by two people, and {second.name} is one", rule)
    if second.table not in ("", ticket.table) or second.role not in fitting:
        return Refusal(f"the {second.role} {second.name} cannot be the second person for {asked} here", rule)
    return None


def both(ticket: Ticket, second: Ticket | None) -> str:
    """Who did it, as the journal names them."""
    return f"{ticket.name}, with {second.name} ({second.role})" if second else ticket.name


def inspected_before(table: Table, lines: Sequence[Entry], command: AnyCommand, ticket: Ticket) -> Refusal | None:
    """The other inspection of the pair was this person's: it was not independent."""
    act = _inspection(table, command)
    if not act:
        return None
    for line in reversed(lines):
        match line.event:
            case Happened(fact={"perform": str(other)}) if other.startswith(INSPECTION) and other != act:
                if plain(line.by) == plain(ticket.name):
                    return Refusal(f"{ticket.name} has inspected already: another person must", table.due.rule)
                return None
            case Happened() | FactTakenBack():
                return None
            case _:
                continue
    return None


def is_inspection(table: Table, command: AnyCommand) -> bool:
    return bool(_inspection(table, command))


def _inspection(table: Table, command: AnyCommand) -> str:
    """The act of inspecting that a command tells, if it tells one."""
    if not isinstance(command, Tell) or not isinstance(command.fact, dict):
        return ""
    # Most of what is told is cards: only what speaks of inspecting is read twice.
    if INSPECTION not in str(command.fact.get("perform", "")):
        return ""
    try:
        fact = read_fact(command.fact, table.due)
    except BadInput:
        return ""
    return fact.act if isinstance(fact, Performed) and fact.act.startswith(INSPECTION) else ""
