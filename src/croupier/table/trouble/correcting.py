"""Corrections: an earlier round on its true facts, or without an outcome, with every wager that it touched.

The round is played again without its ceremony: the wagers it began with and those placed in it, and the facts as they
should have been.  Wagers that live longer go on through the rounds that followed, on the facts recorded there.  What
comes out is compared with the settlements in force.  Differences are posted as new entries; nothing is erased.

Where rounds go on from each other (a point in craps) each begins on the layout that the one before it truly left, and
so does the round in hand.  Events that were written before this was done are read as they were (`resumed` is off).

A wager that could not have been placed in the round as it truly was goes back.

What bettors said before the first card, throw or spin (the hand that a Run follows, a wager called off) stays said,
unless the true facts begin with such words themselves: a card that was misread takes nothing back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from msgspec.structs import replace as changed

from croupier.errors import BadInput
from croupier.game import (
    NO_SIGN,
    BallFell,
    Called,
    CardSeen,
    Chosen,
    DiceFell,
    Fact,
    Irregular,
    Refusal,
    Void,
    Wager,
    WheelStopped,
    told,
)
from croupier.notation import read_fact
from croupier.once import replace
from croupier.round import AnyRound, BookLine, happen, open_round
from croupier.table.money.settling import line_of
from croupier.table.state import Record, SettledWager, Table

CHANCE = (CardSeen, DiceFell, BallFell, WheelStopped)


@dataclass(frozen=True, slots=True)
class Recalculated:
    """The records from the corrected round on, the wagers that are open after the last of them, what lies then."""

    records: tuple[Record, ...]
    still_open: tuple[Wager, ...]
    left: Any = None


def read_facts(table: Table, record: Record, raw: tuple[object, ...]) -> tuple[Fact, ...] | Refusal:
    """The true facts, each read in the light of what is due when it comes; or why they make no round."""
    this, later = _begun(table, record, record.carried)
    facts: list[Fact] = []
    this = _laid(this, later, 0)
    for word in () if _own_words(raw) else _words(record):
        after = happen(this, word)
        if not isinstance(after, Refusal):
            this = after
            facts.append(word)
    said = len(facts)
    for item in raw:
        try:
            fact = read_fact(item, this.due)
        except BadInput as error:
            return Refusal(str(error), this.due.rule)
        after = happen(_laid(this, later, len(facts) - said), fact)
        if isinstance(after, Refusal):
            return after
        this = after
        facts.append(fact)
    if not this.game.at_rest(this.rules, this.state):
        return Refusal(f"the round is not over with these facts: due is {told(this.due)}", this.due.rule)
    if not any(isinstance(fact, (*CHANCE, Irregular)) for fact in facts):
        return Refusal("these facts make no round: one without an outcome is invalidated, not corrected", this.due.rule)
    return tuple(facts)


def _words(record: Record) -> Iterator[Fact]:
    """What bettors said in a round before anything fell."""
    for fact in record.facts:
        if _told_by_the_wager(record, fact):
            continue
        if isinstance(fact, (*CHANCE, Irregular)):
            return
        if isinstance(fact, Called | Chosen):
            yield fact


def _told_by_the_wager(record: Record, fact: Fact) -> bool:
    """Whether a call took part of a wager of the same round: it is kept as it was left, and not made smaller twice."""
    if record.began is None or not isinstance(fact, Called) or fact.call != "take":
        return False
    return (fact.by, fact.on) in {(wager.by, wager.on) for _, wager in record.placed}


def _own_words(raw: tuple[object, ...]) -> bool:
    """Whether true facts begin with what somebody said."""
    first = raw[0] if raw else ""
    return isinstance(first, dict) and bool({"call", "choose", "take", "nominate"} & first.keys())


@dataclass(frozen=True, slots=True)
class NoOutcome:
    """Why a round has none, under which rule its wagers are refunded, and whose are forfeited instead."""

    ground: str
    rule: str
    forfeited: tuple[str, ...] = ()


def recalculated(
    table: Table, number: int, true_round: tuple[Fact, ...] | NoOutcome, *, resumed: bool
) -> Recalculated | Refusal:
    """All rounds from this one on, with its true facts or without an outcome of it."""
    following = [record for record in table.records if record.number >= number]
    facts = None if isinstance(true_round, NoOutcome) else true_round
    carried, left = following[0].carried, following[0].began if resumed else None
    done: list[Record] = []
    gone: set[int] = set()
    for record in following:
        # What is decided earlier now was not there any more to be taken back.
        if resumed:
            record = replace(record, lines=tuple(line for line in record.lines if line.wager.number not in gone))
        added = _added(record)
        # What a round began with is corrected too, since a later correction may start from it.
        record = replace(record, carried=carried, began=left)
        if record.number == number and isinstance(true_round, NoOutcome):
            record = _undone(table, record, true_round)
        if record.invalid:
            record = _still_invalid(record, carried, added)
            carried = _past(record, carried)
            done.append(record)
            gone |= {line.wager.number for line in record.lines}
            continue
        true = facts if record.number == number else None
        ended = _played(table, record, carried, true)
        if isinstance(ended, Refusal):
            return ended
        lines, carried, outcome, state = ended
        left = None if left is None else state
        if true is not None:
            record = replace(record, facts=true, placed=_placed_among(record, true))
        done.append(replace(record, lines=lines, outcome=outcome))
        gone |= {line.wager.number for line in lines}
    taken = {line.wager.number for line in table.settled if resumed}
    return Recalculated(tuple(done), tuple(wager for wager in carried if wager.number not in taken), left)


def smaller_now(table: Table, again: Recalculated) -> Wager | None:
    """A wager that was made smaller in the round in hand, which the rounds before it do not know of."""
    lies = {entry.wager.number: entry.wager.stake_cents for entry in table.round.book}
    return next(
        (each for each in again.still_open if lies.get(each.number, each.stake_cents) != each.stake_cents), None
    )


def goes_on_from(table: Table, left: Any) -> Table:
    """The round in hand on the layout that those before it truly left."""
    resume, rules = table.procedure.resume, table.ruleset.rules
    if resume is None or left is None:
        return table

    def on(this: AnyRound) -> AnyRound:
        return changed(this, state=resume(rules, this.state, left))

    steps = tuple(replace(step, before=on(step.before)) for step in table.steps)
    return changed(table, round=on(table.round), steps=steps)


def _undone(table: Table, record: Record, why: NoOutcome) -> Record:
    """A round that lost its outcome: its wagers are refunded or forfeited, those on more than its result go on."""

    def refunded(wager: Wager) -> SettledWager:
        lost = wager.by in why.forfeited
        back = 0 if lost else wager.stake_cents + wager.voided_cents + wager.fee_cents
        return SettledWager(wager, "lost" if lost else "void", back, why.rule)

    apart = tuple(line for line in record.lines if line.apart)
    ended = {line.wager.number for line in apart}
    decided = {line.wager.number for line in record.lines}
    # In a game whose rounds go on from each other a wager of this one may last longer, too.
    lasting = {wager.number for _, wager in record.placed} if record.began is not None else set()
    open_then = ({wager.number for wager in record.carried} | lasting) - decided
    wagers = (*record.carried, *(wager for _, wager in record.placed), *_added(record))
    over = [wager for wager in wagers if wager.number not in ended and not goes_on(table, wager, open_then)]
    return replace(record, invalid=why.ground, lines=(*map(refunded, over), *apart))


def _added(record: Record) -> tuple[Wager, ...]:
    """The wagers that choices put down in a round."""
    known = {wager.number for wager in (*record.carried, *(wager for _, wager in record.placed))}
    return tuple(line.wager for line in record.lines if line.wager.number not in known)


def goes_on(table: Table, wager: Wager, from_before: Collection[int]) -> bool:
    """Whether a wager stays although its round has no outcome: the game says so, or it is from an earlier round."""
    outlives = table.procedure.outlives
    return outlives(table.ruleset.rules, wager) if outlives else wager.number in from_before


def _still_invalid(before: Record, carried: tuple[Wager, ...], added: tuple[Wager, ...]) -> Record:
    """A round without an outcome, whose wagers were refunded or forfeited; those that ended before are not its own."""
    own = {wager.number for wager in (*carried, *added, *(wager for _, wager in before.placed))}
    return replace(before, lines=tuple(line for line in before.lines if line.wager.number in own))


def _past(invalid: Record, carried: tuple[Wager, ...]) -> tuple[Wager, ...]:
    """The wagers that go on after a round without an outcome: all that it did not end."""
    ended = {line.wager.number for line in invalid.lines}
    placed = (wager for _, wager in invalid.placed if wager.stake_cents)
    return tuple(wager for wager in (*carried, *placed) if wager.number not in ended)


Played: TypeAlias = tuple[tuple[SettledWager, ...], tuple[Wager, ...], Mapping[str, Any], Any]
"""The lines of a round, the wagers that go on, its outcome, and the layout that it leaves."""


def _played(
    table: Table, record: Record, carried: tuple[Wager, ...], true: tuple[Fact, ...] | None
) -> Played | Refusal:
    this, later = _begun(table, record, carried)
    count = 0
    facts = record.facts if true is None else true
    for fact in (each for each in facts if not _told_by_the_wager(record, each)):
        # On a layout that was truly another a wager may be one that could not be made: odds on a point that was not on.
        there = tuple(wager for wager in later.pop(count, []) if wager.stake_cents)
        this = _put(this, there) if record.began is None else _returned(this, there)
        after = happen(this, fact)
        if isinstance(after, Refusal):
            if true is None and not isinstance(fact, CHANCE):
                continue  # an act or answer of the ceremony, which the game itself does not know
            return after
        if isinstance(fact, Called) and record.began is not None:
            after = _given_back(this, after)
        # Words before the first card are no part of the play that wagers were placed in.
        this, count = after, count + (count > 0 or not isinstance(fact, Called | Chosen))
    this = _returned(this, tuple(wager for at in sorted(later) for wager in later[at]))
    outcome = dict(this.game.outcome(this.rules, this.state)) if true is not None else record.outcome
    return _lines(table, record, this), this.standing, outcome, this.state


def _given_back(before: AnyRound, after: AnyRound) -> AnyRound:
    """A round after a call that made wagers smaller: at the table what no longer counts goes back at once."""
    was = {entry.wager.number: entry.wager for entry in before.book}

    def kept(entry: BookLine) -> BookLine:
        wager, old = entry.wager, was.get(entry.wager.number, entry.wager)
        same = changed(wager, voided_cents=old.voided_cents, refunded_cents=old.refunded_cents)
        return BookLine(same, entry.resolution) if entry.resolution is None else entry

    return changed(after, book=tuple(map(kept, after.book)))


def _begun(table: Table, record: Record, carried: tuple[Wager, ...]) -> tuple[AnyRound, dict[int, list[Wager]]]:
    """The round before its first fact, and the wagers that came later, by the facts of play before them.

    Wagers that were settled apart from the end of the round are no part of it.
    """
    apart = {line.wager.number for line in record.lines if line.apart}
    carried = tuple(wager for wager in carried if wager.number not in apart)
    this = open_round(table.game, table.ruleset.rules, sign=table.sign, following=record.following)
    if table.procedure.resume and record.began is not None:
        this = changed(this, state=table.procedure.resume(table.ruleset.rules, this.state, record.began))
    later: dict[int, list[Wager]] = {}
    for at, wager in record.placed:
        if wager.number in apart:
            continue
        later.setdefault(_play_facts(record, at), []).append(wager)
    first = max((wager.number + 1 for _, wager in record.placed), default=0)
    this = changed(this, numbered=max(first, *(wager.number + 1 for wager in carried), 0))
    return _put(this, carried), later


def _play_facts(record: Record, at: int) -> int:
    return sum(isinstance(fact, CHANCE) for fact in record.facts[:at])


def _placed_among(record: Record, true: tuple[Fact, ...]) -> tuple[tuple[int, Wager], ...]:
    """The wagers of a round at the same points of its play, counted among its true facts, which have no ceremony."""
    return tuple((_point(true, _play_facts(record, at)), wager) for at, wager in record.placed)


def _point(facts: tuple[Fact, ...], fallen: int) -> int:
    """After how many facts so many of chance have fallen."""
    for at, fact in enumerate(facts):
        if not fallen:
            return at
        fallen -= isinstance(fact, CHANCE)
    return len(facts)


def _laid(this: AnyRound, later: dict[int, list[Wager]], count: int) -> AnyRound:
    """The round with the wagers that were placed at this point."""
    return _put(this, tuple(later.pop(count, ())))


def _returned(this: AnyRound, left: Iterable[Wager]) -> AnyRound:
    """The round with wagers as its true facts leave them: void by the rule that would not take them there."""
    for wager in left:
        # What a wager has seen may be what was said of it (the parts of a C & E), or what it is yet to see.
        tried = [
            this.game.accept(this.rules, NO_SIGN, this.state, this.standing, (changed(wager, seen=seen),))
            for seen in ((), wager.seen)
        ]
        refused = [each for each in tried if isinstance(each, Refusal)]
        line = BookLine(wager, Void(refused[0].rule) if len(refused) == len(tried) else None)
        this = changed(this, book=(*this.book, line), start=(*this.start, line))
    return this


def _put(this: AnyRound, wagers: tuple[Wager, ...]) -> AnyRound:
    lines = tuple(BookLine(wager) for wager in wagers if wager.stake_cents)
    state = this.game.seat(this.rules, this.state, wagers)
    return changed(this, state=state, book=(*this.book, *lines), start=(*this.start, *lines))


def _lines(table: Table, record: Record, this: AnyRound) -> tuple[SettledWager, ...]:
    decided = [line_of(table, entry) for entry in this.book if entry.resolution is not None]
    # Wagers that were void when they were placed never lay in play.
    kept = [line for line in record.lines if line.apart or not line.wager.stake_cents]
    return (*decided, *kept)
