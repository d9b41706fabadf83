"""What a terminal is told of itself, beside what every player sees.  Nobody else is told it.

    {"number", "holder", "active", "locked", "due": cents of a correction, "approval",
     "minimum", "maximum", "increment", "aggregate", "limits": {wager: [minimum, maximum]}, "notes": [cents, ...],
     "display": {"limits" | "cut_off" | "available" | "wagered" | "result" | "won": {"value", "rule"}},
     "held": {wager: cents built up and no wager yet},
     "slip": {"owed", "confirmed", "rule"},
     "recall": [{"round", "cards", "result", "won", "returned", "void", "rule",
                 "wagers": [{"on", "stake", "result", "returned"}]}]}

The digest of the slip is not told: a terminal makes it of what it shows.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from croupier.game import Refusal
from croupier.table.accounts import due_from
from croupier.table.devices import Terminal
from croupier.table.screens import Recalled, display, recall
from croupier.table.slips import dealt, laws, slip_digest, unconfirmed
from croupier.table.state import Table


def terminal_view(table: Table, name: str) -> dict[str, Any]:
    """What this terminal is told; it is one of the table."""
    own = table.terminals[name]
    return {
        "number": own.number,
        "holder": own.holder,
        "active": own.active,
        "locked": name in table.locks or "" in table.locks,
        "due": table.balances.get(due_from(name), 0),
        "approval": own.approval,
        "denomination": own.denomination,
        "notes": list(own.notes),
        "display": _display(table, name),
        "held": dict(own.held) if own.held_in == table.number else {},
        "slip": _slip(table, name),
        "recall": _recall(table, name),
        **_limits(table, own),
    }


def _limits(table: Table, own: Terminal) -> dict[str, Any]:
    offers = table.game.wagers(table.ruleset.rules)
    return {
        "minimum": own.minimum,
        "maximum": own.maximum,
        "increment": own.increment,
        "aggregate": own.aggregate,
        "limits": {on: list(own.limits(on)) for on in offers},
    }


def _display(table: Table, name: str) -> dict[str, Any]:
    """The six items, each with the rule that wants it shown."""
    items = display(table, name)
    if isinstance(items, Refusal):
        return {}
    found = {item.name: getattr(items, item.name) for item in fields(items)}
    return {item: {"value": shown.value, "rule": shown.rule} for item, shown in found.items()}


def _slip(table: Table, name: str) -> dict[str, Any]:
    rules = laws(table)
    rule = "" if isinstance(rules, Refusal) else rules.as_shown.rule
    betting = any(entry.wager.by == name for entry in table.round.book)
    # No card is dealt before every slip is confirmed; after that a settled wager is on the slip no more.
    confirmed = betting and (dealt(table) or table.slips.get(name) == slip_digest(table, name))
    return {"owed": name in unconfirmed(table), "confirmed": confirmed, "rule": rule}


def _recall(table: Table, name: str) -> list[dict[str, Any]]:
    found = recall(table, name)
    return [] if isinstance(found, Refusal) else [_recalled(each) for each in found]


def _recalled(each: Recalled) -> dict[str, Any]:
    wagers = [
        {"on": line.wager.on, "stake": line.wager.stake_cents + line.wager.voided_cents}
        | {"result": line.result, "returned": line.returned}
        for line in each.wagers
    ]
    return {
        "round": each.round,
        "cards": list(each.cards),
        "result": dict(each.result),
        "wagers": wagers,
        "won": each.won,
        "returned": each.returned,
        "void": each.void,
        "rule": each.rule,
    }
