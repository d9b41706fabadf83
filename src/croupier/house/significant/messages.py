"""What is asked of the journal of significant events, and what can have happened in it.

These events are kept beside what they speak of: each `Noted` names the line it was read from, so that nothing is said
here that another journal does not say, except where somebody declared it.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from croupier.house.significant.kinds import KindName
from croupier.journal.entries import decoded
from croupier.journal.messages import Command, Entry, Event, Request
from croupier.money import Cents

# ---------------------------------------------------------------- what happened


class Noted(Event, frozen=True, kw_only=True):
    """A significant event, open until it is acknowledged; its number is that of this line, from 1 on.

    `event` is its number in the feed, `journal` and `line` what it was read from; a declared one has neither.
    `person` and `second` caused it, `said` is what they or the device said, `rule` what it happened under.
    """

    rule: str = ""
    kind: KindName
    at_ms: int
    event: int = 0
    journal: str = ""
    line: int = 0
    table: str = ""
    device: str = ""
    person: str = ""
    second: str = ""
    round: int = 0
    cents: Cents = 0
    said: str = ""


class Acknowledged(Event, frozen=True, kw_only=True):
    """Somebody, who caused this line, has looked at a significant event; `note` is what they found or did."""

    rule: str = ""
    number: int
    note: str


class WatchedUntil(Event, frozen=True, kw_only=True):
    """Up to this event of the feed there is nothing significant that is not noted."""

    rule: str = ""
    event: int


class ProcessStarted(Event, frozen=True, kw_only=True):
    """A process of the house runs at this place from now on."""

    rule: str = ""
    place: str


class ProcessStopped(Event, frozen=True, kw_only=True):
    """It was stopped, as a house is stopped."""

    rule: str = ""
    place: str


AnyEvent: TypeAlias = Noted | Acknowledged | WatchedUntil | ProcessStarted | ProcessStopped
Events: TypeAlias = tuple[AnyEvent, ...]


# ---------------------------------------------------------------- what is asked


class Note(Command, frozen=True):
    """Significant events that were found in the feed, in its order; all up to the event `until` were looked at."""

    found: tuple[Noted, ...]
    until: int


class Declare(Command, frozen=True):
    """Something happened that no journal knows of; at a table, or at none."""

    kind: KindName
    table: str
    device: str
    said: str


class Acknowledge(Command, frozen=True):
    """A person has looked at it; `table`: the one that they are at, if it is one."""

    number: int
    note: str
    table: str = ""


class StartProcess(Command, frozen=True):
    """A process begins; `alone`: no other process of the house can be running now."""

    place: str
    alone: bool


class StopProcess(Command, frozen=True):
    place: str


AnyCommand: TypeAlias = Note | Declare | Acknowledge | StartProcess | StopProcess
Asked: TypeAlias = Request[AnyCommand]

_LINES = msgspec.json.Decoder(Entry[AnyEvent])


def decode(line: bytes | str) -> Entry[AnyEvent]:
    return decoded(_LINES, line)
