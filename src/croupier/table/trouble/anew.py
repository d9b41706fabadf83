"""The table after a round was corrected, or lost its outcome: what followed upon it is played again."""

from __future__ import annotations

from msgspec.structs import replace as changed

from croupier.game import Fact, Refusal
from croupier.journal.entries import BadJournal
from croupier.once import replace
from croupier.round import BookLine
from croupier.table import events as e
from croupier.table.state import Table, as_begun
from croupier.table.trouble.correcting import NoOutcome, goes_on_from, read_facts, recalculated, threw_last
from croupier.table.trouble.posting import waiting_after


def corrected(table: Table, event: e.RoundCorrected, role: str) -> Table:
    table = as_begun(table) if event.begun else table
    record = table.record(event.round)
    facts: tuple[Fact, ...] | Refusal = Refusal("no such round", event.rule)
    if record:
        facts = read_facts(table, record, event.facts, anew=event.anew, spoken=event.spoken)
    again = played_anew(table, event, facts)
    if role not in table.procedure.overrules(table.ruleset.rules):
        return again
    by_word = (replace(each, level=role) if each.number == event.round else each for each in again.records)
    return changed(again, records=tuple(by_word))


def played_anew(
    table: Table, event: e.RoundCorrected | e.RoundInvalidated, true: tuple[Fact, ...] | NoOutcome | Refusal
) -> Table:
    """The table with its records from one round on played again, and the wagers that are open after them."""
    table = as_begun(table) if event.begun else table
    number, how = event.round, {"resumed": event.resumed, "anew": event.anew, "spoken": event.spoken}
    how["in_full"] = event.in_full
    again = true if isinstance(true, Refusal) else recalculated(table, number, true, **how)
    if isinstance(again, Refusal):
        raise BadJournal(f"round {number} cannot have been played again: {again.whole}")
    by_number = {record.number: record for record in again.records}
    by_number[number] = waiting_after(by_number[number], event.transfers)
    records = tuple(by_number.get(record.number, record) for record in table.records)
    before = {wager.number for wager in table.carried}
    went_on = tuple(BookLine(wager) for wager in again.still_open)
    table = goes_on_from(table, again.left, threw=threw_last(table, again) if event.turn else None)
    table = changed(table, records=records, carried=again.still_open)
    this = changed(table.round, numbered=max(table.round.numbered, again.numbered))
    if again.book is not None:
        # What lay there before a fact of this round was something else, and is not taken back to.
        steps = tuple(replace(step, before=changed(step.before, book=(), start=())) for step in table.steps)
        this = changed(this, book=again.book, start=again.book)
        return changed(table, round=this, settled=again.settled, steps=steps)
    # What was placed in the round in hand stays as it is, and so does what a choice there put down beside it.
    book, start = (
        (*went_on, *(entry for entry in those if entry.wager.number not in before)) for those in (this.book, this.start)
    )
    decided = {line.wager.number for r in again.records for line in r.lines if r.began is not None}
    kept = tuple(line for line in table.settled if line.wager.number not in decided)
    return changed(table, round=changed(this, book=book, start=start), settled=kept)
