"""A journal of the house: what is asked, what is written, and the books that follow from it.

A link of jackpots and a tournament work as a table does: a request is decided into events or refused, events are lines
of a journal, and replaying the lines gives the same value again.  What differs is only which commands and events there
are, so the line and the request are generic in them.  Each line carries the version of its form; a line of a form that
is not known here is refused rather than guessed at.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

import msgspec

from croupier.game import Refusal
from croupier.house.ledger import Ledger, Posting
from croupier.law.model import Law
from croupier.table.accounts import moved
from croupier.table.events import Event
from croupier.table.general import lowest

VERSION = 1

HOUSE = "house"
"""The operator's own money."""

C = TypeVar("C")
E = TypeVar("E", bound=Event)


class BadJournal(Exception):
    """A journal that cannot be of this link or tournament."""


class Request(msgspec.Struct, Generic[C], frozen=True, forbid_unknown_fields=True):
    """A command, who asks, in which role, and when."""

    what: C
    by: str
    role: str
    at_ms: int = 0


class Entry(msgspec.Struct, Generic[E], frozen=True):
    """A line of the journal: the event, who caused it, and when."""

    number: int
    at_ms: int
    by: str
    role: str
    event: E
    version: int = VERSION


def entries(number: int, request: Request[Any], events: Iterable[E]) -> tuple[Entry[E], ...]:
    """The lines that a decision makes, numbered on."""
    return tuple(
        Entry(number + index, request.at_ms, request.by, request.role, event) for index, event in enumerate(events)
    )


def encode(entry: Entry[Any]) -> bytes:
    """The bytes of a line, the same on any machine."""
    return msgspec.json.encode(entry, order="deterministic")


def decoded(decoder: msgspec.json.Decoder[Entry[E]], line: bytes | str) -> Entry[E]:
    """A line that was written before, if its form is known here."""
    try:
        entry = decoder.decode(line)
    except msgspec.DecodeError as wrong:
        raise BadJournal(f"not a line of this journal: {wrong}") from None
    if entry.version != VERSION:
        raise BadJournal(f"line {entry.number} is of version {entry.version}; known is {VERSION}")
    return entry


def books(lines: Iterable[Entry[Any]]) -> Ledger:
    """The ledger of a journal: every transfer with its line and rule, and the balances they make."""
    postings = tuple(Posting(line.number, transfer) for line in lines for transfer in line.event.transfers)
    return Ledger(moved({}, (posting.transfer for posting in postings)), postings)


def not_for(request: Request[Any], law: Law[frozenset[str]]) -> Refusal | None:
    """Why this role may not ask for it."""
    if request.role in law.value:
        return None
    asked, role = type(request.what).__name__, request.role or "nobody"
    return Refusal(f"{asked} is for the {lowest(law.value)} and those above, not for the {role}", law.rule)
