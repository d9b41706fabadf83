"""The lines of a journal: written, read back, and gone through in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import msgspec

from croupier.game import Refusal
from croupier.journal.messages import VERSION, Entry, Event, Request
from croupier.journal.names import called
from croupier.law.model import Law
from croupier.law.officials import lowest

S = TypeVar("S")
E = TypeVar("E", bound=Event)
L = TypeVar("L", bound=Entry[Any])


class BadJournal(Exception):
    """A journal that cannot be what it is said to be: a journal is true or it is nothing."""


def entries(number: int, request: Request[Any], events: Iterable[E]) -> tuple[Entry[E], ...]:
    """The lines that a decision makes, numbered on."""
    at_ms, by, role, second = request.at_ms, request.by, request.role, request.second or msgspec.UNSET
    return tuple([Entry(at, at_ms, by, role, event, second=second) for at, event in enumerate(events, number)])


def encode(entry: Entry[Any]) -> bytes:
    """The bytes of a line, the same on any machine."""
    return msgspec.json.encode(entry, order="deterministic")


def decoded(decoder: msgspec.json.Decoder[L], line: bytes | str) -> L:
    """A line that was written before, if its form is known here."""
    try:
        entry = decoder.decode(line)
    except msgspec.DecodeError as wrong:
        raise BadJournal(f"not a line of this journal: {wrong}") from None
    if entry.version != VERSION:
        raise BadJournal(f"line {entry.number} is of version {entry.version}; known is {VERSION}")
    return entry


def in_order(state: S, number: int, lines: Iterable[L], step: Callable[[S, L], S]) -> tuple[S, int]:
    """The state after these lines and the number of the line after them; none may be missing."""
    for line in lines:
        if line.number != number:
            raise missing(line, number)
        state = step(state, line)
        number += 1
    return state, number


def missing(line: Entry[Any], number: int) -> BadJournal:
    """Why a line cannot follow here: it is not the next."""
    return BadJournal(f"line {line.number} where {number} is next")


def not_for(request: Request[Any], law: Law[frozenset[str]]) -> Refusal | None:
    """Why this role may not ask for it."""
    if request.role in law.value:
        return None
    asked, role = called(type(request.what)), request.role or "nobody"
    return Refusal(f"{asked} is for the {lowest(law.value)} and those above, not for the {role}", law.rule)
