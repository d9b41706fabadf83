"""The slip of a terminal: the wagers it shows when betting closes, which it must confirm before a card is dealt.

A terminal's wagers are settled only as it showed them at the cut-off.  So that the table and the screen cannot differ,
each terminal with wagers sends back the digest of what it shows; until all have, or a supervisor returned the wagers of
those that did not, no card is dealt.  Wagers that together are below the terminal's aggregate minimum are not
recognised: they go back with the call that closes the betting.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Generic, TypeVar

from msgspec.structs import replace as changed

from croupier.game import Fact, Irregular, Refusal, Remedy, Ruling, Wager
from croupier.law.model import Absent, present
from croupier.law.terminals import TerminalRules
from croupier.money import Cents
from croupier.once import once
from croupier.round import ruled
from croupier.table.events import Events, WagerWithdrawn
from croupier.table.money.settling import put_back
from croupier.table.state import RoundStep, Table
from croupier.table.trouble.correcting import CHANCE

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shown(Generic[T]):
    """Something that a terminal shows, and the rule that wants it shown."""

    value: T
    rule: str


@dataclass(frozen=True, slots=True)
class SlipLine:
    """A bet, which is the outcome wagered on, and the wager, which is the money put on it."""

    bet: Shown[str]
    wager: Shown[Cents]


@dataclass(frozen=True, slots=True)
class Slip:
    """The wagers of a terminal in the round in hand; `digest` is what the terminal confirms."""

    terminal: str
    round: int
    lines: tuple[SlipLine, ...]
    digest: str
    rule: str


def laws(table: Table) -> TerminalRules | Refusal:
    """The laws on terminals, or that there are none here."""
    rules: TerminalRules | Absent = table.general.terminals
    if present(rules):
        return rules
    rule = table.general.money.wagers_in_chips.rule
    return Refusal("no terminals under this law: wagers are chips on the layout", rule)


def laws_for(table: Table, terminal: str) -> TerminalRules | Refusal:
    """The law on terminals, where this is one of the table's."""
    rules = laws(table)
    if isinstance(rules, Refusal) or terminal in table.terminals:
        return rules
    return Refusal(f"{terminal or 'nothing'} is no terminal of this table", rules.most.rule)


def wagers_of(table: Table, terminal: str) -> tuple[Wager, ...]:
    """What a terminal has in the book and is not decided."""
    return table.round.backed.get(terminal, ())


def slip_of(table: Table, terminal: str, rules: TerminalRules) -> Slip:
    """The slip that a terminal should show now."""
    amounts = amounts_of(table, terminal)
    lines = tuple(
        SlipLine(Shown(on, rules.bet.rule), Shown(amount, rules.wager.rule)) for on, amount in amounts.items()
    )
    return Slip(terminal, table.number, lines, digest(terminal, table.number, amounts), rules.as_shown.rule)


def amounts_of(table: Table, terminal: str) -> dict[str, Cents]:
    """The bets of a terminal in the order of their names, each with the money on it."""
    amounts: dict[str, Cents] = {}
    for wager in wagers_of(table, terminal):
        amounts[wager.on] = amounts.get(wager.on, 0) + wager.stake_cents
    return dict(sorted(amounts.items()))


def digest(terminal: str, number: int, amounts: dict[str, Cents]) -> str:
    """The digest of a slip, which a screen makes of what it shows: SHA-256 of "Terminal 7|12|banker 5000|tie 1000"."""
    text = "|".join((terminal, str(number), *(f"{on} {amount}" for on, amount in amounts.items())))
    return sha256(text.encode()).hexdigest()


# ---------------------------------------------------------------- the cut-off


def betting_closed(table: Table) -> bool:
    """Whether the cut-off of the round in hand is past."""
    rules, state = table.ruleset.rules, table.round.state
    any_wager = Wager(table.game.wagers(rules)[0], 1)
    return dealt(table) or table.procedure.closed(rules, state, any_wager) is not None


def dealt(table: Table) -> bool:
    """Whether a card of this round is out."""
    return _dealt(table.steps)


@once
def _dealt(steps: tuple[RoundStep, ...]) -> bool:
    """The same steps are asked about after every wager, by each terminal several times."""
    return any(isinstance(step.fact, CHANCE) for step in steps)


def awaits_slips(table: Table) -> bool:
    """Whether slips are to be confirmed: once betting is closed, and until the first card."""
    return bool(table.terminals) and betting_closed(table) and not dealt(table)


def unconfirmed(table: Table) -> tuple[str, ...]:
    """The terminals that have not confirmed their slip when they are to."""
    return tuple(name for name in table.terminals if owes_slip(table, name)) if awaits_slips(table) else ()


def owes_slip(table: Table, terminal: str) -> bool:
    """Whether a terminal has wagers that it has not confirmed as they are."""
    return bool(wagers_of(table, terminal)) and table.slips.get(terminal) != slip_digest(table, terminal)


def slip_digest(table: Table, terminal: str) -> str:
    """The digest of what a terminal should show now."""
    return digest(terminal, table.number, amounts_of(table, terminal))


def held_up(table: Table, fact: Fact) -> Refusal | None:
    """Why the round does not go on: a locked terminal has wagers in it, or a card would come before a slip."""
    rules = table.general.terminals
    if not table.terminals or not present(rules) or (table.locks and voids(table, fact)):
        return None
    locked = sorted(table.locks & {entry.wager.by for entry in table.round.book}) if table.locks else []
    if locked:
        return Refusal(f"{', '.join(locked)}: refund the wagers of a locked terminal first", rules.cases.refund.rule)
    missing = unconfirmed(table) if isinstance(fact, CHANCE) else ()
    return Refusal(f"not confirmed by {', '.join(missing)}", rules.as_shown.rule) if missing else None


def voids(table: Table, fact: Fact) -> bool:
    """Whether a declaration makes the round void: then the wagers of a locked terminal go back with all the others."""
    found = ruled(table.attended, fact) if isinstance(fact, Irregular) else None
    return isinstance(found, Ruling) and found.remedy is Remedy.VOID_ROUND


def unrecognised(table: Table) -> Events:
    """At the cut-off: the wagers of terminals that together are below the terminal's aggregate minimum go back."""
    rules = table.general.terminals
    if not present(rules):
        return ()
    rule = rules.aggregate.rule
    return tuple(
        WagerWithdrawn(number=wager.number, rule=rule, transfers=put_back(wager, rule))
        for name, terminal in table.terminals.items()
        if terminal.aggregate and sum(amounts_of(table, name).values()) < terminal.aggregate
        for wager in wagers_of(table, name)
    )


def without(table: Table, withdrawn: Events) -> Table:
    """The table as it will be without wagers that go back."""
    gone = {event.number for event in withdrawn if isinstance(event, WagerWithdrawn)}
    if not gone:
        return table
    book = tuple(entry for entry in table.round.book if entry.wager.number not in gone)
    placed = tuple(each for each in table.placed if each[1].number not in gone)
    start = tuple(entry for entry in table.round.start if entry.wager.number not in gone)
    return changed(table, round=changed(table.round, book=book, start=start), placed=placed)
