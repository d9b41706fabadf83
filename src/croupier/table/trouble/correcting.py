"""Corrections: an earlier round on its true facts, or without an outcome, with every wager that it touched.

The round is played again without its ceremony: the wagers it began with and those placed in it, and the facts as they
should have been.  Wagers that live longer go on through the rounds that followed, on the facts recorded there.  What
comes out is compared with the settlements in force.  Differences are posted as new entries; nothing is erased.

Where rounds go on from each other (a point in craps) each begins on the layout that the one before it truly left, and
so does the round in hand.  What was said and placed in that one is said of, and placed on, what truly lies there; and
the turn to throw is whose it truly is.  Events that were written before this was done are read as they were (`resumed`
or `anew` is off).

A wager that could not have been placed in the round as it truly was goes back.  What went back so in the round in hand,
or was refunded with an outcome that was lost, stays with its bettor whatever is corrected afterwards.

A wager that a choice put down keeps its number as long as the choice is made; a choice that was truly made, and not at
the table, puts down one with a new number.

What bettors said before the first card, throw or spin (the hand that a Run follows, a wager called off) stays said,
unless the true facts begin with such words themselves: a card that was misread takes nothing back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import compress, takewhile
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
from croupier.table.trouble.replaying import given_back, heard_with, marked_as, with_numbers

CHANCE = (CardSeen, DiceFell, BallFell, WheelStopped)


@dataclass(frozen=True, slots=True)
class Recalculated:
    """The records from the corrected round on, the wagers that are open after the last of them, what lies then.

    Where the round in hand is played anew with them: its `book`, what of it was `settled` apart, and the number that
    its next wager gets.
    """

    records: tuple[Record, ...]
    still_open: tuple[Wager, ...]
    left: Any = None
    book: tuple[BookLine, ...] | None = None
    settled: tuple[SettledWager, ...] = ()
    numbered: int = 0


def read_facts(
    table: Table, record: Record, raw: tuple[object, ...], *, anew: bool, spoken: bool
) -> tuple[Fact, ...] | Refusal:
    """The true facts, each read in the light of what is due when it comes; or why they make no round."""
    record = replace(record, facts=record.said) if anew else record
    this, later = _begun(table, record, record.carried, anew=anew)
    throw = _throw(record) if spoken else None
    facts: list[Fact] = []
    for at, word in _words(record, raw, anew=anew, throw=throw):
        this = _laid(this, later, upto=at if anew else 0)
        after = happen(this, word)
        if not isinstance(after, Refusal):
            this = after
        if not isinstance(after, Refusal) or (anew and _stays(word, throw)):
            facts.append(word)
    said_first, fallen = len(facts), 0
    for item in raw:
        try:
            # What was said before anything fell was said of what lay there by then.
            said = [read_fact(item, this.due)] if anew and isinstance(item, dict) and not fallen else []
            falls = _point(record.facts, fallen + 1) - 1 if throw is None else throw
            at = record.facts.index(said[0]) if set(said) & {*record.facts} else falls
            this = _laid(this, later, upto=at if anew else len(facts) - said_first)
            fact = read_fact(item, this.due)
        except BadInput as error:
            return Refusal(str(error), this.due.rule)
        after = happen(this, fact)
        known = (said or throw is not None) and fact in record.facts
        if isinstance(after, Refusal) and not (known and _stays(fact, throw)):
            return after
        this = this if isinstance(after, Refusal) else after
        facts.append(fact)
        fallen += isinstance(fact, CHANCE)
    for word in () if throw is None or _is_word(raw[-1:]) else record.facts[throw + 1 :]:
        if isinstance(word, Called):
            after = happen(this, word)
            this = this if isinstance(after, Refusal) else after
            facts.append(word)
    if not this.game.at_rest(this.rules, this.state):
        return Refusal(f"the round is not over with these facts: due is {told(this.due)}", this.due.rule)
    if not any(isinstance(fact, (*CHANCE, Irregular)) for fact in facts):
        return Refusal("these facts make no round: one without an outcome is invalidated, not corrected", this.due.rule)
    return tuple(facts)


def in_play(table: Table) -> bool:
    """Whether the round in hand has begun: what lies there is no longer what the round before it left."""
    return any(isinstance(step.fact, (*CHANCE, Irregular)) for step in table.steps)


def _throw(record: Record) -> int | None:
    """Where the throw that counts stands among the facts of a round that goes on from the last; none before it did."""
    if record.began is None:
        return None
    fell = [at for at, fact in enumerate(record.said) if isinstance(fact, CHANCE)]
    ruled = [at for at, fact in enumerate(record.said) if isinstance(fact, Irregular)]
    return max(fell or ruled, default=None)


def _is_word(raw: tuple[object, ...]) -> bool:
    return any(isinstance(each, dict) and {"call", "choose", "take", "nominate"} & each.keys() for each in raw)


def _words(record: Record, raw: tuple[object, ...], *, anew: bool, throw: int | None) -> Iterator[tuple[int, Fact]]:
    """What bettors said in a round before anything fell, and when; what they took back then lay there in no case."""
    own = _is_word(raw[:1])
    taken = not anew or any(isinstance(each, dict) and "take" in each for each in raw)
    for at, fact in enumerate(record.facts[:throw]):
        if throw is None and isinstance(fact, (*CHANCE, Irregular)):
            return
        kept = isinstance(fact, Called | Chosen) and not _told_by_the_wager(record, fact, anew=anew)
        if kept and not (own and (taken or not _is_take(fact))):
            yield at, fact


def _told_by_the_wager(record: Record, fact: Fact, *, anew: bool) -> bool:
    """Whether a call took part of a wager of the same round: it is kept as it was left, and not made smaller twice."""
    if record.began is None or not isinstance(fact, Called) or fact.call != "take":
        return False
    named = {
        (wager.by, on) for _, wager in record.placed for on in (wager.on, f"#{wager.number}" if anew else wager.on)
    }
    return (fact.by, fact.on) in named


def _is_take(fact: Fact) -> bool:
    return isinstance(fact, Called) and fact.call == "take"


def _stays(fact: Fact, throw: int | None) -> bool:
    """Whether a word is kept though it is of nothing that lies there now: it may, when another round is corrected."""
    return _is_take(fact) or (throw is not None and isinstance(fact, Called))


@dataclass(frozen=True, slots=True)
class NoOutcome:
    """Why a round has none, under which rule its wagers are refunded, and whose are forfeited instead."""

    ground: str
    rule: str
    forfeited: tuple[str, ...] = ()


def recalculated(
    table: Table,
    number: int,
    true_round: tuple[Fact, ...] | NoOutcome,
    *,
    resumed: bool,
    anew: bool,
    spoken: bool,
    in_full: bool,
) -> Recalculated | Refusal:
    """All rounds from this one on, with its true facts or without an outcome of it.

    Wagers are laid as they were, whatever the limits.  `in_full`: what chips can pay is asked of those of the table,
    and what was said of a wager that came down later in the round is heard.
    """
    following = [record for record in table.records if record.number >= number]
    facts = None if isinstance(true_round, NoOutcome) else true_round
    carried, left = following[0].carried, following[0].began if resumed else None
    done: list[Record] = []
    gone: set[int] = set()
    numbered = table.round.numbered
    for record in following:
        # What is decided earlier now was not there any more to be taken back.
        if resumed:
            record = replace(record, lines=tuple(line for line in record.lines if line.wager.number not in gone))
        added = _added(record)
        # What a round began with is corrected too, since a later correction may start from it.
        true = facts if record.number == number else None
        record = replace(record, carried=carried, began=left, invalid="" if true else record.invalid)
        none = true_round if record.number == number and isinstance(true_round, NoOutcome) else None
        if none or record.invalid:
            said = _said(table, record, anew=anew, spoken=spoken, in_full=in_full)
            if isinstance(said, Refusal):
                return said
            record = _undone(table, record, none, said[1]) if none else _still_invalid(record, carried, added)
            own = {line.wager.number for line in record.lines}
            record = replace(record, lines=(*record.lines, *(line for line in said[0] if line.wager.number not in own)))
            carried = _past(record, said[1])
            done.append(record)
            gone |= {line.wager.number for line in record.lines}
            continue
        placed = record.placed if true is None else _placed_among(record, true, anew=anew, spoken=spoken)
        ended = _played(table, replace(record, placed=placed), carried, true, anew=anew, in_full=in_full)
        if isinstance(ended, Refusal):
            return ended
        lines, carried, outcome, state = ended
        left = None if left is None else state
        if true is not None:
            record = replace(record, facts=true, placed=placed, said=true)
        if anew:
            lines = with_numbers(lines, record, added, numbered)
            numbered = max(numbered, *(line.wager.number + 1 for line in lines), 0)
        done.append(replace(record, lines=lines, outcome=outcome))
        gone |= {line.wager.number for line in lines}
    if anew and not in_play(table):
        return _in_hand(table, Recalculated(tuple(done), carried, left, numbered=numbered), gone, in_full=in_full)
    taken = {line.wager.number for line in table.settled if resumed}
    still_open = tuple(wager for wager in carried if wager.number not in taken)
    return Recalculated(tuple(done), still_open, left, numbered=numbered)


def _in_hand(table: Table, again: Recalculated, gone: set[int], *, in_full: bool) -> Recalculated | Refusal:
    """The same with the round in hand, in which nothing has fallen: what was said and placed in it."""
    taken = tuple(line for line in table.settled if line.wager.number not in gone)
    facts = tuple(step.said or step.fact for step in table.steps)
    record = Record(
        table.number, table.following, again.still_open, table.placed, facts, taken if again.left is not None else (),
        began=again.left, said=facts,
    )  # fmt: skip
    ended = _played(table, record, again.still_open, None, anew=True, in_full=in_full)
    if isinstance(ended, Refusal):
        return ended
    lines, standing, _, state = ended
    if again.left is None:
        # No round hangs on the one before it: what was placed in this one lies as it lay.
        own = {wager.number for wager in again.still_open}
        before = {wager.number for wager in table.carried}
        kept = tuple(entry for entry in table.round.book if entry.wager.number not in before)
        book = (*(BookLine(wager) for wager in standing if wager.number in own), *kept)
        return replace(again, book=book, settled=table.settled)
    void = tuple(entry for entry in table.round.book if not entry.wager.stake_cents)
    settled = tuple(replace(line, apart=True) for line in lines)
    return replace(again, left=state, book=(*map(BookLine, standing), *void), settled=settled)


def goes_on_from(table: Table, left: Any, *, threw: tuple[str, str] | None = None) -> Table:
    """The round in hand on the layout that those before it truly left.

    `threw` says whose the last throw was and whose it is now, if the turn to throw may be another's by that.
    """
    resume, rules = table.procedure.resume, table.ruleset.rules
    if resume is None or left is None:
        return table

    def on(this: AnyRound) -> AnyRound:
        sitting = this.state if threw is None else turn_after(table, this.state, left, threw)[0]
        return changed(this, state=resume(rules, sitting, left))

    steps = tuple(replace(step, before=on(step.before)) for step in table.steps)
    return changed(table, round=on(table.round if threw is None else table.attended), steps=steps)


def turn_after(table: Table, sitting: Any, left: Any, threw: tuple[str, str]) -> tuple[Any, str]:
    """A sitting with the turn where the last throw truly left it, and the rule by which it is another's."""
    turn = table.procedure.turn
    return turn(table.ruleset.rules, sitting, left, threw) if turn and left is not None else (sitting, "")


def thrower(records: Iterable[Record]) -> str:
    """Whose throw the last was that counts."""
    return next((record.by for record in reversed(tuple(records)) if not record.invalid), "")


def threw_last(table: Table, again: Recalculated) -> tuple[str, str]:
    """Whose throw was the last that counts, and whose is."""
    earlier = (record for record in table.records if record.number < again.records[0].number)
    return thrower(table.records), thrower((*earlier, *again.records))


def _said(
    table: Table, record: Record, *, anew: bool, spoken: bool, in_full: bool
) -> tuple[tuple[SettledWager, ...], tuple[Wager, ...]] | Refusal:
    """What a round without an outcome decided by what was said and placed in it, and the wagers that lay there."""
    if not anew or record.began is None:
        return (), (*record.carried, *(wager for _, wager in record.placed if wager.stake_cents))
    facts = tuple(takewhile(lambda fact: not isinstance(fact, (*CHANCE, Irregular)), record.said))
    placed = record.placed
    if spoken:
        words = [isinstance(fact, Called | Chosen) for fact in record.said]
        facts = tuple(compress(record.said, words))
        placed = tuple((sum(words[:at]), wager) for at, wager in record.placed)
    as_said = replace(record, facts=facts, said=facts, placed=placed, lines=_apart(record))
    ended = _played(table, as_said, record.carried, None, anew=anew, in_full=in_full)
    return ended if isinstance(ended, Refusal) else (ended[0], ended[1])


def _apart(record: Record) -> tuple[SettledWager, ...]:
    return tuple(line for line in record.lines if line.apart)


def _undone(table: Table, record: Record, why: NoOutcome, lay: tuple[Wager, ...]) -> Record:
    """A round that lost its outcome: its wagers are refunded or forfeited, those on more than its result go on."""

    def refunded(wager: Wager) -> SettledWager:
        lost = wager.by in why.forfeited
        back = 0 if lost else wager.stake_cents + wager.voided_cents + wager.fee_cents
        return SettledWager(wager, "lost" if lost else "void", back, why.rule)

    apart = _apart(record)
    decided = {line.wager.number for line in record.lines}
    # In a game whose rounds go on from each other a wager of this one may last longer, too.
    lasting = {wager.number for _, wager in record.placed} if record.began is not None else set()
    open_then = ({wager.number for wager in record.carried} | lasting) - decided
    wagers = (*lay, *(wager for _, wager in record.placed if not wager.stake_cents), *_added(record))
    ended = {line.wager.number for line in apart}
    over = [wager for wager in wagers if wager.number not in ended and not goes_on(table, wager, open_then)]
    return replace(record, invalid=why.ground, lines=(*map(refunded, over), *apart))


def _added(record: Record) -> tuple[Wager, ...]:
    """The wagers that choices put down in a round."""
    known = {wager.number for wager in (*record.carried, *(wager for _, wager in record.placed))}
    return tuple(line.wager for line in record.lines if line.wager.number not in known)


def goes_on(table: Table, wager: Wager, from_before: Collection[int]) -> bool:
    """Whether a wager stays although its round has no outcome: the game says so, or it is from an earlier round."""
    outlives = table.procedure.outlives
    if not wager.stake_cents:
        return False  # it was void when it was placed
    return outlives(table.ruleset.rules, wager) if outlives else wager.number in from_before


def _still_invalid(before: Record, carried: tuple[Wager, ...], added: tuple[Wager, ...]) -> Record:
    """A round without an outcome, whose wagers were refunded or forfeited; those that ended before are not its own."""
    own = {wager.number for wager in (*carried, *added, *(wager for _, wager in before.placed))}
    return replace(before, lines=tuple(line for line in before.lines if line.wager.number in own))


def _past(invalid: Record, lay: tuple[Wager, ...]) -> tuple[Wager, ...]:
    """The wagers that go on after a round without an outcome: all that it did not end."""
    ended = {line.wager.number for line in invalid.lines}
    return tuple(wager for wager in lay if wager.number not in ended)


Played: TypeAlias = tuple[tuple[SettledWager, ...], tuple[Wager, ...], Mapping[str, Any], Any]
"""The lines of a round, the wagers that go on, its outcome, and the layout that it leaves."""


def _played(
    table: Table,
    record: Record,
    carried: tuple[Wager, ...],
    true: tuple[Fact, ...] | None,
    *,
    anew: bool,
    in_full: bool,
) -> Played | Refusal:
    facts, in_full = true or (record.said if anew else record.facts), in_full and record.began is not None
    this, later = _begun(table, replace(record, facts=facts), carried, anew=anew)
    said, count = len(_spoken(facts)), 0
    down = tuple(BookLine(line.wager) for line in record.lines if in_full and line.apart and line.wager.stake_cents)
    for at, fact in enumerate(facts):
        if _told_by_the_wager(record, fact, anew=anew):
            continue
        # On a layout that was truly another a wager may be one that could not be made: odds on a point that was not on.
        there = tuple(wager for when in sorted(later) if when <= (at if anew else count) for wager in later.pop(when))
        this = _put(this, there) if record.began is None else _returned(this, there, anew=anew, in_full=in_full)
        after = happen(this, fact)
        if isinstance(after, Refusal) and isinstance(fact, Called) and not _is_take(fact):
            after = heard_with(this, down, fact)
        if isinstance(after, Refusal):
            if at < said or isinstance(fact, Called) or (true is None and not isinstance(fact, CHANCE)):
                continue  # what it was said of is not so; or an act or answer of the ceremony, unknown to the game
            return after
        # Words before the first card are no part of the play that wagers were placed in.
        count += count > 0 or not isinstance(fact, Called | Chosen)
        this = given_back(this, after) if isinstance(fact, Called) and record.began is not None else after
    this = _returned(this, (wager for when in sorted(later) for wager in later[when]), anew=anew, in_full=in_full)
    outcome = dict(this.game.outcome(this.rules, this.state)) if true is not None else record.outcome
    return _lines(table, record, this), this.standing, outcome, this.state


def _begun(
    table: Table, record: Record, carried: tuple[Wager, ...], *, anew: bool
) -> tuple[AnyRound, dict[int, list[Wager]]]:
    """The round before its first fact, and the wagers that came later, by the facts before them.

    Wagers that were settled apart from the end of the round are no part of it.  Events of earlier releases counted the
    facts of play alone.
    """
    apart = {line.wager.number for line in record.lines if line.apart}
    carried = tuple(wager for wager in carried if wager.number not in apart)
    this = open_round(table.game, table.ruleset.rules, sign=table.sign, following=record.following)
    if table.procedure.resume and record.began is not None:
        this = changed(this, state=table.procedure.resume(table.ruleset.rules, this.state, record.began))
    later: dict[int, list[Wager]] = {}
    for at, wager in record.placed:
        if wager.number not in apart and wager.stake_cents:
            later.setdefault(at if anew else _play_facts(record, at), []).append(wager)
    first = max((wager.number + 1 for _, wager in record.placed), default=0)
    this = changed(this, numbered=max(first, *(wager.number + 1 for wager in carried), 0))
    return _put(this, carried), later


def _play_facts(record: Record, at: int) -> int:
    return sum(isinstance(fact, CHANCE) for fact in record.facts[:at])


def _placed_among(record: Record, true: tuple[Fact, ...], *, anew: bool, spoken: bool) -> tuple[tuple[int, Wager], ...]:
    """The wagers of a round at the same points of its play, counted among its true facts, which have no ceremony."""
    said, throw = _spoken(true), _throw(record) if spoken else None

    def among(at: int) -> int:
        fallen = _play_facts(record, at) if throw is None else int(at > throw)
        words = sum(fact in said for fact in record.said[:at]) if anew else 0
        return _point(true, fallen) if fallen else words

    return tuple((among(at), wager) for at, wager in record.placed)


def _spoken(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """What was said before anything else."""
    return tuple(takewhile(lambda fact: isinstance(fact, Called | Chosen), facts))


def _point(facts: tuple[Fact, ...], fallen: int) -> int:
    """After how many facts so many of chance have fallen."""
    for at, fact in enumerate(facts):
        if not fallen:
            return at
        fallen -= isinstance(fact, CHANCE)
    return len(facts)


def _laid(this: AnyRound, later: dict[int, list[Wager]], *, upto: int) -> AnyRound:
    """The round with the wagers that were placed up to this point."""
    return _put(this, tuple(wager for at in sorted(later) if at <= upto for wager in later.pop(at)))


def _returned(this: AnyRound, left: Iterable[Wager], *, anew: bool, in_full: bool) -> AnyRound:
    """The round with wagers as its true facts leave them: void by the rule that would not take them there."""
    laid = replace(NO_SIGN, chip=this.sign.chip) if in_full else NO_SIGN
    for wager in left:
        # No bettor brings the commission; it was put on the wager when it was taken.
        asked = changed(wager, fee_cents=0) if anew else wager
        # What a wager has seen may be what was said of it (the parts of a C & E), or what it is yet to see.
        plain, told = (
            this.game.accept(this.rules, laid, this.state, this.standing, (changed(asked, seen=seen),))
            for seen in ((), wager.seen)
        )
        refused = [each for each in (plain, told) if isinstance(each, Refusal)]
        there = wager if isinstance(plain, Refusal) or not in_full else marked_as(wager, plain[0])
        line = BookLine(there, Void(refused[0].rule) if len(refused) == 2 else None)
        this = changed(this, book=(*this.book, line), start=(*this.start, line))
    return this


def _put(this: AnyRound, wagers: tuple[Wager, ...]) -> AnyRound:
    lines = tuple(BookLine(wager) for wager in wagers if wager.stake_cents)
    state = this.game.seat(this.rules, this.state, wagers)
    return changed(this, state=state, book=(*this.book, *lines), start=(*this.start, *lines))


def _lines(table: Table, record: Record, this: AnyRound) -> tuple[SettledWager, ...]:
    decided = [line_of(table, entry, this.book) for entry in this.book if entry.resolution is not None]
    # Wagers that were void when they were placed never lay in play.
    kept = [line for line in record.lines if line.apart or not line.wager.stake_cents]
    return (*decided, *kept)
