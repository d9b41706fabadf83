"""The journal "@feed": every line of every other journal of the house, numbered on, so that others can be told of it.

Theory of operation.  Line n of this journal is event n of the feed: it names a journal and a line of it.  It is written
after that line is durable, by one process at a time, and is a journal as any other: chained, signed, witnessed and
backed up.  So the number of an event never changes, whichever process tells of it and however often the house is
restarted or moved.

A house that was restored from an old copy has lost events that others may have been told of; the witness of this
journal knows how many.  Their numbers are not given again: `EventGone` stands in the place of each, and `FeedRestored`
after them says which they were, so that whoever counted them counts again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from croupier.game import Refusal
from croupier.journal.entries import BadJournal, decoded, encode, in_order
from croupier.journal.entries import entries as numbered
from croupier.journal.messages import Command, Entry, Event, Request

JOURNAL = "@feed"


class TellLines(Command, frozen=True):
    """Lines of other journals that are durable: of each journal the first and the last that were not told yet."""

    spans: tuple[tuple[str, int, int], ...]


class NumberOn(Command, frozen=True):
    """Events up to `last` were told before a restore, and are lost."""

    last: int


FeedCommand: TypeAlias = TellLines | NumberOn
FeedAsked: TypeAlias = Request[FeedCommand]


class LineTold(Event, frozen=True, kw_only=True):
    rule: str = ""
    journal: str
    line: int


class EventGone(Event, frozen=True, kw_only=True):
    """In the place of an event that the house lost."""

    rule: str = ""


class FeedRestored(Event, frozen=True, kw_only=True):
    """The events `first` to `last` were lost with lines of the house: whoever counted them counts again."""

    rule: str = ""
    first: int
    last: int


FeedLine: TypeAlias = LineTold | EventGone | FeedRestored
_LINES = msgspec.json.Decoder(Entry[FeedLine])


def decode(line: bytes | str) -> Entry[FeedLine]:
    return decoded(_LINES, line)


class FeedProgress(msgspec.Struct, frozen=True):
    """How many events there are, and up to which line each journal was told."""

    entries: int = 0
    ends: Mapping[str, int] = {}


def decide(progress: FeedProgress, request: FeedAsked) -> tuple[FeedLine, ...] | Refusal:
    what = request.what
    match what:
        case TellLines(spans=spans):
            ends = dict(progress.ends)
            for journal, first, last in spans:
                if first != ends.get(journal, 0) + 1 or last < first:
                    return Refusal(f"{journal}: line {first} is not the next to be told", "")
                ends[journal] = last
            return tuple(
                [LineTold(journal=name, line=line) for name, first, last in spans for line in range(first, last + 1)]
            )
        case NumberOn(last=last):
            if last <= progress.entries:
                return Refusal("nothing was lost", "")
            gone: list[FeedLine] = [EventGone()] * (last - progress.entries)
            return (*gone, FeedRestored(first=progress.entries + 1, last=last))
        case _:
            assert_never(what)


def entries(progress: FeedProgress, request: FeedAsked, events: tuple[FeedLine, ...]) -> tuple[Entry[FeedLine], ...]:
    return numbered(progress.entries, request, events)


def after(progress: FeedProgress, lines: Iterable[Entry[Any]]) -> FeedProgress:
    ends = dict(progress.ends)

    def happens(state: FeedProgress, line: Entry[FeedLine]) -> FeedProgress:
        event = line.event
        if isinstance(event, LineTold):
            if event.line != ends.get(event.journal, 0) + 1:
                raise BadJournal(f"line {event.line} of {event.journal} is told out of turn")
            ends[event.journal] = event.line
        return state

    progress, number = in_order(progress, progress.entries, lines, happens)
    return replace(progress, entries=number, ends=ends)


def packed(progress: FeedProgress) -> bytes:
    return msgspec.json.encode(progress)


def unpacked(body: bytes, _: FeedProgress) -> FeedProgress | None:
    try:
        return msgspec.json.decode(body, type=FeedProgress)
    except msgspec.DecodeError:
        return None


__all__ = ["JOURNAL", "FeedProgress", "after", "decide", "decode", "encode", "entries", "packed", "unpacked"]
