"""What a terminal shows, as values of which each names the rule that wants it shown.

All of it follows from the table alone, so a page that draws it has nothing to keep: the six items of information, the
slip to confirm, and the last rounds that were played there.
Amounts are in cents; a page divides them by the terminal's denomination.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from croupier.equipment import card_name
from croupier.game import CardSeen, Refusal
from croupier.money import Cents
from croupier.once import once
from croupier.table.money.paying import shows_balances
from croupier.table.state import Record, SettledWager, Table
from croupier.table.terminals.slips import Shown, Slip, amounts_of, betting_closed, laws_for, slip_of
from croupier.table.trouble.posting import gone

RECALLED: Final = 10
"""Rounds that a terminal can show again."""


@dataclass(frozen=True, slots=True)
class Display:
    """The six items: limits, whether wagers are taken, credits, what is wagered, the last result, the last win."""

    limits: Shown[tuple[Cents, Cents]]
    cut_off: Shown[str]
    available: Shown[Cents]
    wagered: Shown[Cents]
    result: Shown[Mapping[str, Any]]
    won: Shown[Cents]


@dataclass(frozen=True, slots=True)
class Recalled:
    """A round of a terminal as the game system recorded it."""

    round: int
    cards: tuple[str, ...]
    result: Mapping[str, Any]
    wagers: tuple[SettledWager, ...]
    won: Cents
    returned: Cents
    void: str
    rule: str


def display(table: Table, terminal: str) -> Display | Refusal:
    """What a terminal shows now."""
    rules = laws_for(table, terminal)
    if isinstance(rules, Refusal):
        return rules
    items, own = rules.display, table.terminals[terminal]
    last = _shown_now(table) or (table.records[-1] if table.records else None)
    return Display(
        limits=Shown((own.minimum, own.maximum), items.limits.rule),
        cut_off=Shown("closed" if betting_closed(table) else "open", items.cut_off.rule),
        available=Shown(table.chips(terminal), items.available.rule),
        wagered=Shown(sum(amounts_of(table, terminal).values()), items.wagered.rule),
        result=Shown(last.result if last else {}, items.result.rule),
        won=Shown(_won(last, terminal) if last and not gone(table, terminal, last.number) else 0, items.won.rule),
    )


@once
def _shown_now(table: Table) -> Record | None:
    """The round in hand as a terminal beside a layout sees it: settled for it, while the layout is yet to be paid."""
    if not any(shows_balances(table, step.fact) for step in table.steps):
        return None
    this, facts = table.round, tuple(step.fact for step in table.steps)
    outcome = this.game.outcome(this.rules, this.state)
    return Record(table.number, table.following, (), (), facts, table.settled, outcome=dict(outcome))


def slip(table: Table, terminal: str) -> Slip | Refusal:
    """The slip that a terminal shows and confirms."""
    rules = laws_for(table, terminal)
    return rules if isinstance(rules, Refusal) else slip_of(table, terminal, rules)


def recall(table: Table, terminal: str) -> tuple[Recalled, ...] | Refusal:
    """The last rounds in which a terminal had wagers, the latest first."""
    rules = laws_for(table, terminal)
    if isinstance(rules, Refusal):
        return rules
    own = [record for record in reversed(table.records) if _lines(record, terminal)]
    return tuple(_recalled(record, terminal, rules.records.rule) for record in own[:RECALLED])


def _recalled(record: Record, terminal: str, rule: str) -> Recalled:
    lines = _lines(record, terminal)
    return Recalled(
        round=record.number,
        cards=tuple(card_name(fact.card) for fact in record.facts if isinstance(fact, CardSeen)),
        result=record.result,
        wagers=lines,
        won=_won(record, terminal),
        returned=sum(line.returned for line in lines),
        void=record.invalid,
        rule=rule,
    )


def _lines(record: Record, terminal: str) -> tuple[SettledWager, ...]:
    return tuple(line for line in record.lines if line.wager.by == terminal)


def _won(record: Record, terminal: str) -> Cents:
    """The winnings of a round, without the stakes that came back with them."""
    won = [line for line in _lines(record, terminal) if line.result == "won"]
    return 0 if record.invalid else sum(line.net for line in won)
