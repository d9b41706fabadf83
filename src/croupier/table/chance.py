"""Where the results of wheels and dice come from at a table, which nobody may be able to predict.

A table is opened with the source of its results: the equipment itself, or at a practice table the system's own random
numbers.  A sequence that somebody gave the start of can be computed by whoever knows it, so where the law wants results
that cannot be predicted no table is opened with one; simulations, which are no tables, are repeated in that way.

A virtual shoe, which only practice tables have, says the hash of its order before its first card, and the order itself
when the next shoe is fixed.  Both are in the journal, and an order that does not have the hash is refused; so whoever
has the journal can see that no card was chosen after a wager.
"""

from __future__ import annotations

import re
from hashlib import sha256

from msgspec.structs import replace as changed

from croupier.game import Refusal
from croupier.law.model import Law
from croupier.table.commands import FixShoe, OpenTable, TableRequest
from croupier.table.events import Events, ShoeFixed, SignShown
from croupier.table.state import FixedShoe, Table


def _law(table: Table) -> Law[frozenset[str]] | None:
    return table.procedure.unpredictable(table.ruleset.rules)


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


# ---------------------------------------------------------------- a virtual shoe

_HASH = re.compile(r"[0-9a-f]{64}")


def fix_shoe(table: Table, _request: TableRequest, command: FixShoe) -> Events | Refusal:
    """The order of a shoe, fixed; the one before it, if it was used, is no secret any more."""
    rule = table.general.supervisor.rule
    if not _HASH.fullmatch(command.commitment):
        return Refusal(f"{command.commitment!r:.80} is no SHA-256 in hexadecimal digits", rule)
    if command.revealed and sha256(command.revealed.encode()).hexdigest() != table.shoe.commitment:
        return Refusal("this is not the order that was fixed for the last shoe", rule)
    return (ShoeFixed(commitment=command.commitment, revealed=command.revealed, rule=rule),)


def shoe_fixed(table: Table, event: ShoeFixed) -> Table:
    last = table.shoe
    used = (last.commitment, event.revealed) if event.revealed else (last.before, last.revealed)
    return changed(table, shoe=FixedShoe(event.commitment, *used))
