"""The people as their journal leads to them: accounts, how often each was tried, their second factors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, assert_never

import msgspec
from msgspec.structs import replace

from croupier.house.people import messages as m
from croupier.journal.entries import BadJournal, in_order
from croupier.journal.entries import entries as numbered
from croupier.journal.messages import Entry
from croupier.journal.names import plain

JOURNAL = "@people"
CONSOLE = "console"
"""Who works at the machine itself: no ticket carries this role."""

TRIES = 5
FIRST_WAIT_MS = 60_000
LONGEST_WAIT_MS = 24 * 60 * 60 * 1000

# ---------------------------------------------------------------- the people


class Person(msgspec.Struct, frozen=True):
    name: str
    roles: tuple[str, ...]
    kind: m.Kind
    mark: str
    must_change: bool = False
    failures: int = 0
    locked_until_ms: int = 0
    disabled: bool = False
    epoch: int = 0
    own_failures: int = 0
    own_locked_until_ms: int = 0
    """The same for tries on the person's own devices, which no stranger can use up."""
    factors: tuple[m.Factor, ...] = ()
    factor_failures: int = 0
    factor_locked_until_ms: int = 0

    def factor(self, known: str) -> m.Factor | None:
        return next((each for each in self.factors if each.id == known), None)


class People(msgspec.Struct, frozen=True):
    """Everybody, by the plain form of the name."""

    entries: int = 0
    by_name: Mapping[str, Person] = {}

    def find(self, name: str) -> Person | None:
        return self.by_name.get(plain(name))


def mark_of(verifier: str) -> str:
    return sha256(verifier.encode()).hexdigest()


def wait_ms(failures: int) -> int:
    """How long an account is locked after so many wrong tries."""
    over = failures - TRIES
    return 0 if over < 0 else min(FIRST_WAIT_MS << min(over, 20), LONGEST_WAIT_MS)


# ---------------------------------------------------------------- evolving


def entries(people: People, request: m.Asked, events: m.Events) -> tuple[Entry[m.AnyEvent], ...]:
    return numbered(people.entries, request, events)


def after(people: People, lines: Iterable[Entry[Any]]) -> People:
    """The people after these lines of the journal."""
    by_name, number = in_order(dict(people.by_name), people.entries, lines, _happens)
    return People(number, by_name)


def _happens(by_name: dict[str, Person], line: Entry[m.AnyEvent]) -> dict[str, Person]:
    """The people after a line, in the same dictionary: a house has many, and their journal is long."""
    event = line.event
    if not event.name:
        return by_name
    here = plain(event.name)
    if isinstance(event, m.AccountMade) == (here in by_name):
        raise BadJournal(f"{type(event).__name__} of {event.name!r:.60}, who is {'here' if here in by_name else 'not'}")
    by_name[here] = _made_from(event) if isinstance(event, m.AccountMade) else _changed(by_name[here], event)
    return by_name


def _made_from(event: m.AccountMade) -> Person:
    return Person(event.name, event.roles, event.kind, event.mark, event.must_change)


def _free(person: Person) -> Person:
    return replace(person, failures=0, locked_until_ms=0, own_failures=0, own_locked_until_ms=0)


def _changed(person: Person, event: m.AnyEvent) -> Person:
    ended = person.epoch + 1
    match event:
        case m.RolesGiven(roles=roles):
            return replace(person, roles=roles, epoch=ended)
        case m.AccountDisabled():
            return replace(person, disabled=True, epoch=ended)
        case m.AccountEnabled():
            return replace(person, disabled=False)
        case m.AccountUnlocked():
            return _free(person)
        case m.CredentialSet(kind=kind, mark=mark, must_change=must):
            return replace(_free(person), epoch=ended, kind=kind, mark=mark, must_change=must)
        case m.SignedIn(known=True):
            return replace(person, own_failures=0, own_locked_until_ms=0)
        case m.SignedIn():
            return replace(person, failures=0, locked_until_ms=0)
        case m.SignInFailed(failures=failures, known=True):
            return replace(person, own_failures=failures)
        case m.SignInFailed(failures=failures):
            return replace(person, failures=failures)
        case m.AccountLocked(until_ms=until_ms, known=True):
            return replace(person, own_locked_until_ms=until_ms)
        case m.AccountLocked(until_ms=until_ms):
            return replace(person, locked_until_ms=until_ms)
        case m.SignedOut():
            return replace(person, epoch=ended)
        case m.FactorAdded() | m.FactorRemoved() | m.FactorShown() | m.FactorFailed() | m.FactorsForgotten():
            return _factors(person, event)
        case m.AccountMade() | m.SignInRefused() | m.LossAccepted():
            return person
        case _:
            assert_never(event)


def _factors(
    person: Person, event: m.FactorAdded | m.FactorRemoved | m.FactorShown | m.FactorFailed | m.FactorsForgotten
) -> Person:
    kept = person.factors
    match event:
        case m.FactorAdded(factor=added):
            return replace(person, factors=(*kept, added))
        case m.FactorRemoved(factor=gone):
            return replace(person, factors=tuple(each for each in kept if each.id != gone))
        case m.FactorShown(factor=shown, count=count):
            used = tuple(replace(each, used=count) if each.id == shown else each for each in kept)
            return replace(person, factors=used, factor_failures=0, factor_locked_until_ms=0)
        case m.FactorFailed(failures=failures, until_ms=until_ms):
            return replace(person, factor_failures=failures, factor_locked_until_ms=until_ms)
        case m.FactorsForgotten():
            return replace(person, factors=(), factor_failures=0, factor_locked_until_ms=0, epoch=person.epoch + 1)
        case _:
            assert_never(event)
