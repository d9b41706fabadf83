"""One pay scale in the whole house: what the tables of a house must have alike.

A table that offers Perfect Pairs opens with the scale by which the open tables of the house pay already; the operator
changes it when none of them is open.
"""

from __future__ import annotations

from collections.abc import Iterable

from croupier.game import Refusal
from croupier.games.baccarat.bets import elected
from croupier.games.baccarat.rules import BaccaratRules
from croupier.law.elections import Options
from croupier.law.model import Law, present
from croupier.table.state import Table


def another_scale(table: Table, others: Iterable[Table]) -> Refusal | None:
    """Why a table may not open with its pay scale: an open table of the house pays by another."""
    mine = _scale(table)
    if mine is None:
        return None
    for other in others:
        theirs = _scale(other) if other.open and other.name != table.name else None
        if theirs is not None and theirs.value.elected != mine.value.elected:
            reason = f"{other.name} pays Perfect Pairs by Pay Scale {theirs.value.elected}, so that all tables do"
            return Refusal(reason, mine.rule)
    return None


def _scale(table: Table) -> Law[Options[int]] | None:
    """The pay scale of a table that offers Perfect Pairs, under the rule that wants one in the whole house."""
    rules = table.ruleset.rules
    if not isinstance(rules, BaccaratRules) or not elected(rules.perfect_pairs):
        return None
    if not present(rules.pairs) or not present(rules.pay_scale) or not rules.pairs.one_scale.value:
        return None
    return Law(rules.pay_scale.value, rules.pairs.one_scale.rules)
