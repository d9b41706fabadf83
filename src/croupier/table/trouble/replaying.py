"""A round that is played again: the numbers of what choices put down, and calls as the table heard them."""

from __future__ import annotations

from msgspec.structs import replace as changed

from croupier.game import Called, Refusal, Wager
from croupier.once import replace
from croupier.round import AnyRound, BookLine, happen, without
from croupier.table.state import Record, SettledWager


def with_numbers(
    lines: tuple[SettledWager, ...], record: Record, added: tuple[Wager, ...], first: int
) -> tuple[SettledWager, ...]:
    """The lines of a round, of which those that choices put down have the numbers they had, or new ones."""
    placed = {wager.number for wager in (*record.carried, *(wager for _, wager in record.placed))}
    known, numbers = list(added), dict[int, int]()
    for wager in (line.wager for line in lines if line.wager.number not in placed):
        same = next((each for each in known if _kind(each) == _kind(wager)), None)
        if same is not None:
            known.remove(same)
        else:
            first += 1
        numbers[wager.number] = same.number if same else first - 1

    def named(line: SettledWager) -> SettledWager:
        wager = line.wager
        of = None if wager.of is None else numbers.get(wager.of, wager.of)
        return replace(line, wager=changed(wager, number=numbers.get(wager.number, wager.number), of=of))

    return tuple(map(named, lines))


def _kind(wager: Wager) -> tuple[object, ...]:
    return wager.by, wager.on, wager.box, wager.hand


def heard_with(this: AnyRound, down: tuple[BookLine, ...], call: Called) -> AnyRound | Refusal:
    """A call of a wager that came down later, which may reach others: one that is on has similar ones on."""
    there = changed(this, book=(*this.book, *down), start=(*this.start, *down))
    after = happen(there, call)
    return after if isinstance(after, Refusal) else without(after, {entry.wager.number for entry in down})


def given_back(before: AnyRound, after: AnyRound) -> AnyRound:
    """A round after a call that made wagers smaller: at the table what no longer counts goes back at once."""
    was = {entry.wager.number: entry.wager for entry in before.book}

    def kept(entry: BookLine) -> BookLine:
        wager, old = entry.wager, was.get(entry.wager.number, entry.wager)
        same = changed(wager, voided_cents=old.voided_cents, refunded_cents=old.refunded_cents)
        return BookLine(same, entry.resolution) if entry.resolution is None else entry

    return changed(after, book=tuple(map(kept, after.book)))


def marked_as(wager: Wager, taken: Wager) -> Wager:
    """A wager under the marker that truly covers it: that of a similar one, if one is on where it is laid."""
    words = tuple(each for each in taken.seen if isinstance(each, str))
    return changed(wager, seen=(*(each for each in wager.seen if not isinstance(each, str)), *words))
