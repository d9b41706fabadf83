"""Where the results of wheels and dice come from at a table, which nobody may be able to predict.

A table is opened with the source of its results: the equipment itself, or at a practice table the system's own random
numbers.  A sequence that somebody gave the start of can be computed by whoever knows it, so where the law wants results
that cannot be predicted no table is opened with one; simulations, which are no tables, are repeated in that way.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.game import Refusal
from croupier.law.model import Law, cites
from croupier.table.commands import OpenTable
from croupier.table.events import Events, SignShown
from croupier.table.state import Table

NOBODY_KNOWS = frozenset({"equipment", "system"})
"""The sources whose next result nobody can know."""

UNPREDICTABLE: Mapping[tuple[str, str], Law[frozenset[str]]] = {
    ("nz1996", "roulette"): cites("NZ1996-III")(NOBODY_KNOWS, "2.5c"),
    ("nz1996", "tai_sai"): cites("NZ1996-VI")(NOBODY_KNOWS, "2.6c"),
    ("nz1996", "money_wheel"): cites("NZ1996-VII")(NOBODY_KNOWS, "2.2c"),
    ("nz1996", "craps"): cites("NZ1996-X")(NOBODY_KNOWS, "2.3c"),
}


def _law(table: Table) -> Law[frozenset[str]] | None:
    return UNPREDICTABLE.get((table.ruleset.edition, table.ruleset.game))


def predictable(table: Table, command: OpenTable) -> Refusal | None:
    """Why a table is not opened with this source of its results."""
    law = _law(table)
    if law is None or command.chance in law.value:
        return None
    return Refusal("results that follow from a seed can be predicted", law.rule)


def source_shown(table: Table, command: OpenTable) -> Events:
    """The source of the results, on record, where it is not the equipment itself."""
    law = _law(table)
    if law is None or command.chance == "equipment":
        return ()
    return (SignShown(sign=f"results by the {command.chance}", rule=law.rule),)
