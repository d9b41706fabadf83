"""What a terminal is told of itself, beside what every player sees.  Nobody else is told it.

The digest of the slip is not told: a terminal makes it of what it shows.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from msgspec.structs import replace

from croupier.floor.views import shapes as v
from croupier.game import Refusal
from croupier.journal.accounts import due_from
from croupier.table.state import Table
from croupier.table.terminals.commands import usual_name
from croupier.table.terminals.screens import Recalled, display, recall
from croupier.table.terminals.slips import awaits_slips, dealt, laws, owes_slip, slip_digest

NO_SLIP: Final = v.SlipView(owed=False, confirmed=False, rule="")


def terminal_standing(table: Table, name: str, recalled: list[v.RecalledRound]) -> v.TerminalShown:
    """What this terminal, one of the table, is told; without what wagers, and what is paid for them, may change."""
    own = table.terminals[name]
    return v.TerminalShown(
        number=own.number,
        named=name != usual_name(own.number),
        holder=own.holder,
        active=own.active,
        locked=name in table.locks or "" in table.locks,
        due=0,
        approval=own.approval,
        denomination=own.denomination,
        notes=list(own.notes),
        display={},
        held=dict(own.held) if own.held_in == table.number else {},
        slip=NO_SLIP,
        recall=recalled,
        minimum=own.minimum,
        maximum=own.maximum,
        increment=own.increment,
        aggregate=own.aggregate,
        limits={on: own.limits(on) for on in table.game.wagers(table.ruleset.rules)},
    )


def terminal_following(table: Table, kept: v.TerminalShown, name: str) -> v.TerminalShown:
    """All of it, as the wagers are now."""
    due = table.balances.get(due_from(name), 0)
    return replace(kept, due=due, display=_display(table, name), slip=_slip(table, name))


def _display(table: Table, name: str) -> dict[str, v.ShownItem]:
    """The six items, each with the rule that wants it shown."""
    items = display(table, name)
    if isinstance(items, Refusal):
        return {}
    found = {item.name: getattr(items, item.name) for item in fields(items)}
    return {item: v.ShownItem(value=shown.value, rule=shown.rule) for item, shown in found.items()}


def _slip(table: Table, name: str) -> v.SlipView:
    rules = laws(table)
    rule = "" if isinstance(rules, Refusal) else rules.as_shown.rule
    betting = any(entry.wager.by == name for entry in table.round.book)
    # No card is dealt before every slip is confirmed; after that a settled wager is on the slip no more.
    confirmed = betting and (dealt(table) or table.slips.get(name) == slip_digest(table, name))
    return v.SlipView(owed=awaits_slips(table) and owes_slip(table, name), confirmed=confirmed, rule=rule)


def rounds_recalled(table: Table, name: str) -> list[v.RecalledRound]:
    """The rounds that a terminal can show again; they follow from the records of the table alone."""
    found = recall(table, name)
    return [] if isinstance(found, Refusal) else [_recalled(each) for each in found]


def _recalled(each: Recalled) -> v.RecalledRound:
    wagers = [
        v.RecalledLine(
            on=line.wager.on,
            result=line.result,
            stake=line.wager.stake_cents + line.wager.voided_cents,
            returned=line.returned,
        )
        for line in each.wagers
    ]
    return v.RecalledRound(
        round=each.round,
        cards=list(each.cards),
        result=dict(each.result),
        wagers=wagers,
        won=each.won,
        returned=each.returned,
        void=each.void,
        rule=each.rule,
    )
