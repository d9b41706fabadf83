"""Who was required to leave the casino: whichever table that was said at, they take no part at another.

A sanction shuts somebody out of the game in which the rules were broken, and stays at its table.  That somebody must
leave the premises is said at a table too, since officials are there, but it holds in the whole house.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from croupier.game import Refusal
from croupier.journal.messages import Command
from croupier.journal.names import plain
from croupier.law.general import in_force
from croupier.law.officials import PLAYER
from croupier.table.commands import NameNominee, PlaceWager, Sit, TableRequest
from croupier.table.state import Exclusion, Table
from croupier.table.terminals.commands import CreditTerminal

COMING: Final = (Sit, CreditTerminal, NameNominee)
"""What lets somebody take part at a table."""


def sent_away(table: Table, request: TableRequest, others: Iterable[Table]) -> Refusal | None:
    """Why what is asked is not done: it is for somebody who must leave the casino, as another table has it."""
    elsewhere = [other for other in others if other.name != table.name]
    people = {plain(name) for name in _concerned(table, request)} if elsewhere else set[str]()
    for other in elsewhere:
        for name, out in other.excluded.items():
            if plain(name) in people and _whole_house(other, name, out):
                return Refusal(f"{name} is excluded: {out.reason}", out.rule)
    return None


def _whole_house(table: Table, name: str, out: Exclusion) -> bool:
    """Whether a person was required to leave, and not a terminal, which is called like those of other tables."""
    law = table.general.people.may_be_required_to_leave
    return in_force(law) and out.rule == law.rule and name not in table.terminals and name not in table.retired


def _concerned(table: Table, request: TableRequest) -> Iterator[str]:
    """Who would take part by a command: the player, whoever has control of the terminal, and who acts for them."""
    match request.what:
        case Sit(player=player):
            yield player
        case PlaceWager(player=player):
            yield from (player, request.by) if request.role == PLAYER else (player,)
            if player in table.terminals:
                yield table.terminals[player].holder
        case CreditTerminal(holder=holder):
            yield holder
        case NameNominee(nominee=nominee):
            yield nominee
        case _:
            return


def comes(command: Command) -> bool:
    """Whether by this command somebody comes to a table."""
    return isinstance(command, COMING)
