"""Whether an asker may ask a command, alone or with another person.

Three things are looked at before a table decides: the permission table, the second person where a command wants two,
and the second factor of both.  All but the first hold in a house with accounts, where a name is somebody.
"""

from __future__ import annotations

from croupier.floor.doors.permissions import FOUR_EYES, may_ask
from croupier.floor.keeping.credentials.factors import Factors
from croupier.floor.keeping.credentials.tickets import Ticket
from croupier.game import Refusal
from croupier.journal.names import called, plain
from croupier.law.general import in_force
from croupier.table.commands import AnyCommand, TableRequest
from croupier.table.decide import decide
from croupier.table.state import Table


def not_permitted(table: Table, command: AnyCommand, ticket: Ticket) -> Refusal | None:
    """Why this role may not ask for it: in the words of the table's law, if that refuses it too."""
    if may_ask(type(command).__name__, ticket.role):
        return None
    by_law = decide(table, TableRequest(command, ticket.name, ticket.role, 0))
    return (
        by_law if isinstance(by_law, Refusal) else Refusal(f"{called(type(command))} is not for the {ticket.role}", "")
    )


def needs_another(table: Table, command: AnyCommand, ticket: Ticket, second: Ticket | None) -> Refusal | None:
    """Why the second person is missing, or is not the right one."""
    asked, fitting = called(type(command)), FOUR_EYES.get(type(command).__name__)
    if fitting is None:
        return Refusal(f"{asked} is done by one person: a second ticket is not for it", "") if second else None
    law = table.general.trouble.recalculated
    rule = law.rule if in_force(law) else table.general.supervisor.rule
    if second is None:
        return Refusal(f"{asked} is done by two people: a second one must show a ticket", rule)
    if plain(second.name) == plain(ticket.name):
        return Refusal(f"{asked} is done by two people, and {second.name} is one", rule)
    if second.table not in ("", ticket.table) or second.role not in fitting:
        return Refusal(f"the {second.role} {second.name} cannot be the second person for {asked} here", rule)
    return None


def without_factor(factors: Factors | None, what: str, *tickets: Ticket | None) -> Refusal | None:
    """Whose second factor is missing, where the house wants one for this command."""
    for ticket in tickets:
        if ticket is not None and factors is not None and not ticket.factor and factors.wants(ticket.name):
            return Refusal(f"{what} wants a second factor of {ticket.name}, shown for this command", "")
    return None
