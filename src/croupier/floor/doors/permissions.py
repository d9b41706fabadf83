"""Who may ask what: groups of roles for the doors, the commands of a table, and the whole matrix for people.

Theory of operation.  A door names its roles itself (`door.py`).  A command of a table is permitted by what decides it:
`DECISIONS` names the law that says who may ask, and the floor lets through whom the law of some edition lets; the law
of the table at hand then decides, and may be narrower.  `tests/golden/permissions.txt` is the whole matrix.

`FOUR_EYES` are the commands that one person does not do alone in a house with accounts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.law.editions import EDITIONS
from croupier.law.officials import (
    CASINO_SUPERVISOR,
    GAME_SUPERVISOR,
    INSPECTOR,
    LADDER,
    PLAYER,
    SHIFT_MANAGER,
    STICKPERSON,
    Roles,
    at_least,
)
from croupier.table.decide import DECISIONS

DEALERS: Final[Roles] = frozenset({STICKPERSON, *LADDER})
SUPERVISORS: Final = at_least(GAME_SUPERVISOR)
SENIORS: Final = at_least(CASINO_SUPERVISOR)
MANAGERS: Final = at_least(SHIFT_MANAGER)
REVIEWERS: Final[Roles] = frozenset({INSPECTOR, *SUPERVISORS})
INSPECTORS: Final[Roles] = frozenset({INSPECTOR, *MANAGERS})
AT_THE_TABLE: Final[Roles] = frozenset({PLAYER, INSPECTOR, *DEALERS})
"""Who watches a table and reads its rounds: of staff, those who may look at cards that lie face down.

The cashier is none of them: while players choose, the dealer's cards are worth money to whoever is told them.
"""


COMMANDS: Final[Mapping[str, Roles]] = {
    kind.__name__: frozenset[str]().union(*(may(edition.general).value for edition in EDITIONS.values()))
    for kind, (may, _) in DECISIONS.items()
}
"""Every command of a table with the roles that the law of some edition gives it."""

FOUR_EYES: Final[Mapping[str, Roles]] = {"Correct": REVIEWERS}
"""Commands of settled money, with the roles that the second person may have."""

NOBODY: Final[Roles] = frozenset()


def may_ask(command: str, role: str) -> bool:
    return role in COMMANDS.get(command, NOBODY)
