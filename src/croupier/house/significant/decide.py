"""The journal "@significant": what a person of the house must have looked at, and who did.

Theory of operation.  Most significant events are lines of other journals.  One process follows the feed of events, and
writes `Noted` for each such line, in the order of the feed; the last number of the feed in this journal says from where
it goes on after a restart, so that nothing is noted twice or passed over.  Other events are declared by a device or a
supervisor.  A noted event is open until somebody of a fitting role acknowledges it, with a note; a second time is
refused, and tells who did.

Power.  A process that starts says so here, and again when it stops as it should.  One that starts where the journal
thinks that one still runs was not stopped: the power failed, or it was killed.  Where no other process can be running,
that is so for every place that the journal thinks of.

A house that had years of events before this journal began is not asked to look at them: the first line says from which
event on it watches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from croupier.game import Refusal
from croupier.house.significant import messages as m
from croupier.house.significant.kinds import DECLARERS, KINDS
from croupier.journal.entries import encode, in_order
from croupier.journal.entries import entries as numbered
from croupier.journal.messages import Entry
from croupier.journal.names import plain
from croupier.law.officials import lowest

JOURNAL: Final = "@significant"
DEVICE: Final = "device"
"""The role of a device that declares something about itself; nobody enters in it."""
LONGEST_NOTE: Final = 300
RECENT: Final = 100
"""Acknowledged events that are still shown."""
FAR: Final = 5_000
"""Events of the feed without a significant one after which the journal says how far it has come."""

Decided: TypeAlias = m.Events | Refusal


class Acknowledgement(msgspec.Struct, frozen=True):
    """Who acknowledged an event, when, and what they said."""

    person: str
    role: str
    at_ms: int
    note: str


class Significant(msgspec.Struct, frozen=True):
    """The open events by their numbers, the last that were acknowledged, and where processes are thought to run."""

    entries: int = 0
    begun: bool = False
    watched: int = 0
    open: Mapping[int, m.Noted] = {}
    recent: tuple[tuple[int, m.Noted, Acknowledgement], ...] = ()
    running: tuple[str, ...] = ()


def decide(book: Significant, request: m.Asked) -> Decided:
    """The events that follow from a request, or why none do."""
    what = request.what
    match what:
        case m.Note():
            return _noted(book, what)
        case m.Declare():
            return _declared(book, request, what)
        case m.Acknowledge():
            return _acknowledged(book, request, what)
        case m.StartProcess():
            return _started(book, request, what)
        case m.StopProcess(place=place):
            known = place in book.running
            return (m.ProcessStopped(place=place),) if known else Refusal(f"nothing runs at {place!r:.80}", "")
        case _:
            assert_never(what)


def _noted(book: Significant, what: m.Note) -> Decided:
    last = book.watched
    for each in what.found:
        if each.event <= last:
            return Refusal(f"event {each.event} was looked at already", "")
        last = each.event
    if what.until < last:
        return Refusal(f"event {last} comes after {what.until}", "")
    # What was found says how far the feed was read; where nothing is found for long, a line says so.
    far = not book.begun or what.until - last >= FAR
    return (*what.found, *((m.WatchedUntil(event=what.until),) if far else ()))


def _declared(book: Significant, request: m.Asked, what: m.Declare) -> Decided:
    if request.role != DEVICE and request.role not in DECLARERS:
        return Refusal(f"this is declared by the {lowest(DECLARERS)} and those above, not by the {request.role}", "")
    if not KINDS[what.kind].declared:
        return Refusal(f"{what.kind} is read from the journals, and not declared", "")
    if len(what.said) > LONGEST_NOTE or not (what.said.strip() or request.role == DEVICE):
        return Refusal(f"what happened is said in 1 to {LONGEST_NOTE} characters", "")
    if request.role == DEVICE and any(_is_same(each, what) for each in book.open.values()):
        # A device that says it again before anybody has looked adds nothing: a loose contact must not fill the journal.
        return ()
    return (
        m.Noted(
            kind=what.kind,
            at_ms=request.at_ms,
            table=what.table,
            device=what.device,
            person=request.by,
            second=request.second,
            said=what.said.strip(),
        ),
    )


def _is_same(noted: m.Noted, what: m.Declare) -> bool:
    return (noted.kind, noted.table, noted.device, noted.event) == (what.kind, what.table, what.device, 0)


def _acknowledged(book: Significant, request: m.Asked, what: m.Acknowledge) -> Decided:
    noted = book.open.get(what.number)
    if noted is None or not concerns(what.table, noted):
        return Refusal(_not_open(book, what), "")
    kind = KINDS[noted.kind]
    if request.role not in kind.acknowledged_by:
        wanted = lowest(kind.acknowledged_by)
        return Refusal(f"this is acknowledged by the {wanted} and those above, not by the {request.role}", "")
    if kind.by_another and plain(request.by) in {plain(noted.person), plain(noted.second)}:
        return Refusal(f"{request.by} caused it: somebody else looks at it", "")
    if not 0 < len(what.note.strip()) <= LONGEST_NOTE:
        return Refusal(f"a note says in 1 to {LONGEST_NOTE} characters what was found or done", "")
    return (m.Acknowledged(number=what.number, note=what.note.strip()),)


def concerns(table: str, noted: m.Noted) -> bool:
    """Whether an event is for whoever is at a table (none: for the whole house) to see and to acknowledge."""
    return table in ("", noted.table) or not noted.table


def _not_open(book: Significant, what: m.Acknowledge) -> str:
    """Why an event cannot be acknowledged; whoever is at one table is not told of another's."""
    for number, noted, looked in book.recent:
        if number == what.number and concerns(what.table, noted):
            return f"event {number} was acknowledged by {looked.person}, the {looked.role}"
    return f"there is no open event {what.number} here"


def _started(book: Significant, request: m.Asked, what: m.StartProcess) -> Decided:
    ended = [place for place in book.running if what.alone or place == what.place]
    power = (m.Noted(kind="power", at_ms=request.at_ms, device=place, person=request.by) for place in ended)
    return (*power, *(m.ProcessStopped(place=place) for place in ended), m.ProcessStarted(place=what.place))


# ---------------------------------------------------------------- what it becomes


def entries(book: Significant, request: m.Asked, events: m.Events) -> tuple[Entry[m.AnyEvent], ...]:
    return numbered(book.entries, request, events)


def after(book: Significant, lines: Iterable[Entry[Any]]) -> Significant:
    """The book after these lines; what is open is copied once for all of them."""
    opened, recent, running = dict(book.open), list(book.recent), dict.fromkeys(book.running)
    begun, watched = book.begun, book.watched

    def happens(_: None, line: Entry[m.AnyEvent]) -> None:
        nonlocal begun, watched
        event = line.event
        match event:
            case m.Noted():
                opened[line.number + 1] = event
                watched = max(watched, event.event)
            case m.Acknowledged(number=number, note=note):
                looked = Acknowledgement(line.by, line.role, line.at_ms, note)
                recent.append((number, opened.pop(number), looked))
            case m.WatchedUntil(event=until):
                begun, watched = True, max(watched, until)
            case m.ProcessStarted(place=place):
                running[place] = None
            case m.ProcessStopped(place=place):
                running.pop(place, None)
            case _:
                assert_never(event)

    _, number = in_order(None, book.entries, lines, happens)
    return replace(
        book,
        entries=number,
        begun=begun,
        watched=watched,
        open=opened,
        recent=tuple(recent[-RECENT:]),
        running=tuple(running),
    )


__all__ = ["JOURNAL", "Significant", "after", "decide", "encode", "entries"]
