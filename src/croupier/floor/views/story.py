"""The story of a round as data: its lines, the hands as they lay, and what became of each wager.

A line of a journal is told with all its parts, so that a page makes its own words and takes none apart.  A round that
was corrected has two of everything: as it was settled, and as it is now.  The first is played again from the facts as
they were told at the table, the second from those that are in force; a round that the table remembers no more is told
by its lines alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from croupier.equipment import parse_card
from croupier.errors import BadInput
from croupier.floor.views.viewer import laid, layout
from croupier.game import Refusal
from croupier.journal.accounts import parted
from croupier.journal.messages import Transfer
from croupier.journal.names import called
from croupier.law import inventory
from croupier.notation import read_fact, write_fact
from croupier.round import AnyRound, BookLine, happen, open_round
from croupier.table import events as e
from croupier.table.events import TableEntry
from croupier.table.explain import dealt_to, explained, figures_of, own_words, say_event
from croupier.table.state import Record, Table


def story_event(event: e.AnyEvent) -> dict[str, Any]:
    """An event with its parts; `name` is what it is called where it has no words of its own."""
    return {
        "type": type(event).__name__,
        "name": "" if own_words(event) else called(type(event)),
        "words": say_event(event),
        "rule": event.rule,
        "transfers": [_money(move) for move in event.transfers],
        "event": msgspec.to_builtins(event),
        "to": dealt_to(event) if isinstance(event, e.Happened) else "",
        "card": isinstance(event, e.Happened | e.FactTakenBack) and _is_card(event.fact),
        "figures": list(figures_of(event)),
    }


def _money(move: Transfer) -> dict[str, Any]:
    """A transfer, and of each account what it is for and whose it is."""
    told = {"debited": parted(move.debit), "credited": parted(move.credit)}
    return msgspec.structs.asdict(move) | told


def _is_card(fact: object) -> bool:
    if not isinstance(fact, str):
        return False
    try:
        parse_card(fact)
    except ValueError:
        return False
    return True


def story_line(entry: TableEntry) -> dict[str, Any]:
    """A line of the journal: who, when, and what."""
    line = {"line": entry.number, "at_ms": entry.at_ms, "by": entry.people, "role": entry.role}
    return line | story_event(entry.event)


def said(rules: Iterable[str]) -> dict[str, str]:
    """What rules say, by their ids."""
    return {rule: " ".join(row.summary for row in inventory.parts(rule)) for rule in sorted(set(rules)) if rule}


def cited(events: Iterable[e.AnyEvent]) -> list[str]:
    return [rule for event in events for rule in (event.rule, *(move.rule for move in event.transfers))]


def story(table: Table, lines: Sequence[TableEntry], number: int, *, felt: bool) -> dict[str, Any]:
    """A round by its lines, as text and one by one; `felt`: with the hands, which not everybody may see."""
    record = table.record(number)
    now, was = _hands(table, record, lines) if felt else (None, None)
    return {
        "table": table.name,
        "game": table.ruleset.game,
        "round": number,
        "story": explained(lines, number),
        "entries": [story_line(line) for line in lines],
        "felt": layout(table, hidden=False) if felt and number == table.number else now,
        "was": was,
        "wagers": settlement(lines, record),
        "rules": said(cited(line.event for line in lines)),
    }


# ---------------------------------------------------------------- the hands


def _hands(table: Table, record: Record | None, lines: Sequence[TableEntry]) -> tuple[Any, Any]:
    """The felt at the end of a round as it is in force, and as it was settled where that was otherwise."""
    if record is None:
        return None, None
    now = _played(table, record, [write_fact(fact) for fact in record.as_begun.facts])
    corrected = any(isinstance(line.event, e.RoundCorrected | e.RoundInvalidated) for line in lines)
    return now, _played(table, record, _facts_given(lines)) if corrected else None


def _facts_given(lines: Sequence[TableEntry]) -> list[object]:
    """The facts as they were told at the table, without those that were taken back at once."""
    facts: list[object] = []
    for line in lines:
        match line.event:
            case e.Happened(fact=fact):
                facts.append(fact)
            case e.FactTakenBack() if facts:
                facts.pop()
            case _:
                pass
    return facts


def _played(table: Table, record: Record, facts: Iterable[object]) -> dict[str, Any]:
    """The felt after these facts; acts of the ceremony are refused by the game, and left out."""
    this = laid_out(table, record)
    for raw in facts:
        try:
            then = happen(this, read_fact(raw, this.due))
        except BadInput:
            continue
        this = this if isinstance(then, Refusal) else then
    return laid(table.game, table.ruleset.rules, this.state)


def laid_out(table: Table, record: Record) -> AnyRound:
    """A finished round before its first fact, with all its wagers on the layout."""
    this = open_round(table.game, table.ruleset.rules, sign=table.sign, following=record.as_begun.following)
    wagers = (*record.carried, *(wager for _, wager in record.placed))
    lines = tuple(BookLine(wager) for wager in wagers if wager.stake_cents)
    numbered = max((wager.number + 1 for wager in wagers), default=0)
    state = this.game.seat(this.rules, this.state, wagers)
    return msgspec.structs.replace(this, state=state, book=lines, start=lines, numbered=numbered)


# ---------------------------------------------------------------- the wagers


def settlement(lines: Sequence[TableEntry], record: Record | None) -> list[dict[str, Any]]:
    """What became of each wager, and what had become of it before a correction."""
    first: dict[int, e.WagerSettled] = {}
    last: dict[int, e.WagerSettled] = {}
    stakes = (
        {line.wager.number: line.wager.stake_cents + line.wager.voided_cents for line in record.lines} if record else {}
    )
    for line in lines:
        match line.event:
            case e.WagerPlaced(number=number, stake=stake, voided=voided):
                stakes[number] = stake + voided
            case e.StakeAdded(number=number, stake=stake):
                stakes[number] = stake
            case e.WagerSettled(number=number) as event:
                first[number] = event
            case e.WagerReopened(number=number):
                first.pop(number, None)
            case e.RoundCorrected(settled=changed) | e.RoundInvalidated(settled=changed):
                last |= {event.number: event for event in changed}
            case _:
                pass
    both = ((first.get(number), last.get(number)) for number in sorted({*first, *last}))
    return [_wager(was, now, stakes) for was, now in both]


def _wager(was: e.WagerSettled | None, now: e.WagerSettled | None, stakes: dict[int, int]) -> dict[str, Any]:
    final = now or was
    assert final is not None
    old = was.returned if was else 0
    return {
        "number": final.number,
        "by": final.player,
        "on": final.on,
        "stake": stakes.get(final.number),
        **_settled(final),
        "was": _settled(was) if was and now else None,
        "change": final.returned - old if now else 0,
    }


def _settled(event: e.WagerSettled) -> dict[str, Any]:
    return {"result": event.result, "returned": event.returned, "commission": event.commission, "rule": event.rule}
