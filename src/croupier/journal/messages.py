"""What every journal is made of: commands asked, events that happened, transfers of money, and lines that hold them.

A journal of any room works as a table's does: a request is decided into events or refused, events are lines of a
journal, and replaying the lines gives the same value again.  What differs from room to room is only which commands and
events there are, so the request and the line are generic in them.  Time and people enter with a request and nowhere
else.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from croupier.money import Cents

VERSION = 1
"""The form of a line.  A line of a form that is not known here is refused rather than guessed at."""


class Command(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The base of all commands; the tag is the name of the class."""


class Transfer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Money from one account to another, and the rule that moves it."""

    debit: str
    credit: str
    amount: Cents
    rule: str


class Event(msgspec.Struct, frozen=True, tag=True, omit_defaults=True, kw_only=True):
    """The base of all events; `rule` is what it happened under, `transfers` the money it moved."""

    rule: str
    transfers: tuple[Transfer, ...] = ()


C = TypeVar("C", bound=Command)
E = TypeVar("E", bound=Event)


class Request(msgspec.Struct, Generic[C], frozen=True, forbid_unknown_fields=True):
    """A command, who asks, in which role, and when; `second` is the other person, where two do it."""

    what: C
    by: str
    role: str
    at_ms: int = 0
    second: str = ""


class Entry(msgspec.Struct, Generic[E], frozen=True):
    """A line of a journal: the event, who caused it, and when; `second`, where two people did it, is the other."""

    number: int
    at_ms: int
    by: str
    role: str
    event: E
    version: int = VERSION
    second: str | msgspec.UnsetType = msgspec.UNSET

    @property
    def people(self) -> str:
        """Who did it, in words."""
        return f"{self.by}, with {self.second}" if self.second else self.by
