"""The people of the house: their accounts, what became of each, and who signed in when.

Theory of operation.  The people are a journal as a table is: `decide` turns a request into events or refuses it,
`after` makes the people that follow, and replaying the lines gives the same people again.  No secret is in it.  Of a
password or PIN the journal knows only the `mark` of its verifier, which lets nobody in, but shows whether the verifier
in the database is the one that was set.

Whether a password was right is found out elsewhere, and told here as a fact (`Try`).  From the wrong try `TRIES` on, an
account is locked for a time that doubles with every further one; a right password does not open it before then.  The
`epoch` of an account counts what ends its sessions: another password, disabling, signing out.

The rules of the games say who does what at a table; how a house knows its people is its own affair, so that these
events cite no rule.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, assert_never

import msgspec
from msgspec.structs import replace

from croupier.game import Refusal
from croupier.house.journal import BadJournal, Entry, encode
from croupier.house.journal import entries as numbered
from croupier.house.people_messages import (
    AccountDisabled,
    AccountEnabled,
    AccountLocked,
    AccountMade,
    AccountUnlocked,
    AnyEvent,
    Asked,
    CredentialSet,
    Disable,
    Enable,
    Events,
    GiveRoles,
    Kind,
    MakeAccount,
    RolesGiven,
    SetCredential,
    SignedIn,
    SignedOut,
    SignInFailed,
    SignInRefused,
    SignOut,
    Try,
    Unlock,
    decode,
)
from croupier.table.general import CASINO_MANAGER, DEALER, PLAYER, ROLES, SHIFT_MANAGER, STICKPERSON

JOURNAL = "@people"
CONSOLE = "console"
"""Who works at the machine itself: no ticket carries this role."""

TRIES = 5
FIRST_WAIT_MS = 60_000
LONGEST_WAIT_MS = 24 * 60 * 60 * 1000
LONGEST_NAME = 40
DEVICES = ("terminal", "virtual dealer")
"""How the names of devices begin at a table."""

BY_PIN = frozenset({DEALER, STICKPERSON, PLAYER})
"""Who may have a PIN instead of a password."""

MANAGES = frozenset({CONSOLE, CASINO_MANAGER})
UNLOCKS = MANAGES | {SHIFT_MANAGER}

# ---------------------------------------------------------------- the people


class Person(msgspec.Struct, frozen=True):
    name: str
    roles: tuple[str, ...]
    kind: Kind
    mark: str
    must_change: bool = False
    failures: int = 0
    locked_until_ms: int = 0
    disabled: bool = False
    epoch: int = 0


class People(msgspec.Struct, frozen=True):
    """Everybody, by the plain form of the name."""

    entries: int = 0
    by_name: Mapping[str, Person] = {}

    def find(self, name: str) -> Person | None:
        return self.by_name.get(plain(name))


def plain(name: str) -> str:
    """The form in which two spellings of one name are the same."""
    return " ".join(unicodedata.normalize("NFKC", name).split()).casefold()


def mark_of(verifier: str) -> str:
    return sha256(verifier.encode()).hexdigest()


def wait_ms(failures: int) -> int:
    """How long an account is locked after so many wrong tries."""
    over = failures - TRIES
    return 0 if over < 0 else min(FIRST_WAIT_MS << min(over, 20), LONGEST_WAIT_MS)


# ---------------------------------------------------------------- deciding


def decide(people: People, request: Asked) -> Events | Refusal:
    """The events that follow from a request, or why none do."""
    what = request.what
    if isinstance(what, MakeAccount):
        return _not_manager(request) or _bad_name(people, what.name) or _bad_roles(what) or _made(what)
    if isinstance(what, Try):
        return _tried(people, request, what)
    person = people.find(what.name)
    if person is None:
        return Refusal(f"nobody here is called {what.name!r:.60}", "")
    match what:
        case GiveRoles(roles=roles):
            no = _not_manager(request) or _bad_kind(roles, person.kind) or _last_manager(people, person, roles)
            return no or (RolesGiven(name=person.name, roles=tuple(roles)),)
        case Disable(reason=reason):
            no = _not_manager(request) or _last_manager(people, person, ())
            return no or (AccountDisabled(name=person.name, reason=reason[:200]),)
        case Enable():
            return _not_manager(request) or (AccountEnabled(name=person.name),)
        case Unlock():
            return _not_one_of(request, UNLOCKS) or (AccountUnlocked(name=person.name),)
        case SetCredential():
            return _bad_setting(request, person, what) or (_set(person, what),)
        case SignOut():
            return _not_self(request, person) or (SignedOut(name=person.name),)
        case _:
            assert_never(what)


def _made(what: MakeAccount) -> Events:
    return (
        AccountMade(
            name=_spelled(what.name),
            roles=tuple(what.roles),
            kind=what.kind,
            mark=mark_of(what.verifier),
            must_change=what.must_change,
        ),
    )


def _set(person: Person, what: SetCredential) -> CredentialSet:
    mark = mark_of(what.verifier)
    return CredentialSet(name=person.name, kind=what.kind, mark=mark, must_change=what.must_change)


def _tried(people: People, request: Asked, what: Try) -> Events:
    person = people.find(what.name)
    if person is None:
        return (SignInFailed(),)
    if person.disabled or request.at_ms < person.locked_until_ms:
        return (SignInRefused(name=person.name),)
    if what.right:
        return (SignedIn(name=person.name, purpose=what.purpose),)
    failures = person.failures + 1
    failed = SignInFailed(name=person.name, failures=failures)
    wait = wait_ms(failures)
    return (failed, AccountLocked(name=person.name, until_ms=request.at_ms + wait)) if wait else (failed,)


def _spelled(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split())


def _bad_name(people: People, name: str) -> Refusal | None:
    spelled = _spelled(name)
    if not 0 < len(spelled) <= LONGEST_NAME or not all(part.isalnum() or part in " .'-" for part in spelled):
        return Refusal(f"a name is 1 to {LONGEST_NAME} letters, figures, spaces, . ' and -: {name!r:.60}", "")
    if plain(name) in (CONSOLE, *ROLES):
        return Refusal(f"{name!r:.60} is the name of a role", "")
    if plain(name).startswith(DEVICES):
        return Refusal(f"{name!r:.60} is the name of a device: nobody may be taken for one", "")
    if people.find(name) is not None:
        return Refusal(f"somebody here is called {spelled!r} already", "")
    return None


def _bad_roles(what: MakeAccount) -> Refusal | None:
    return _bad_kind(what.roles, what.kind)


def _bad_kind(roles: Iterable[str], kind: Kind) -> Refusal | None:
    given = tuple(roles)
    unknown = [role for role in given if role not in ROLES]
    if unknown or not given or len(set(given)) != len(given):
        return Refusal(f"roles are one or more of {', '.join(ROLES)}, each once: {', '.join(given)!r:.80}", "")
    above = [role for role in given if role not in BY_PIN]
    if kind == "pin" and above:
        return Refusal(f"a PIN is not enough for the {above[0]}: a password is needed", "")
    return None


def _bad_setting(request: Asked, person: Person, what: SetCredential) -> Refusal | None:
    own = plain(request.by) == plain(person.name) and not what.must_change
    given = request.role in MANAGES and what.must_change
    if not own and not given:
        return Refusal("a password is changed by its owner, or given for one use by the casino manager", "")
    return _bad_kind(person.roles, what.kind)


def _last_manager(people: People, person: Person, roles: Iterable[str]) -> Refusal | None:
    """A house without a casino manager could let nobody in any more."""
    if CASINO_MANAGER in tuple(roles) or CASINO_MANAGER not in person.roles or person.disabled:
        return None
    others = [each for each in people.by_name.values() if each is not person and not each.disabled]
    if any(CASINO_MANAGER in each.roles for each in others):
        return None
    return Refusal(f"{person.name} is the last casino manager", "")


def _not_manager(request: Asked) -> Refusal | None:
    return _not_one_of(request, MANAGES)


def _not_one_of(request: Asked, roles: frozenset[str]) -> Refusal | None:
    if request.role in roles:
        return None
    return Refusal(f"{type(request.what).__name__} is not for the {request.role or 'nobody'}", "")


def _not_self(request: Asked, person: Person) -> Refusal | None:
    if plain(request.by) == plain(person.name) or request.role in MANAGES:
        return None
    return Refusal(f"{request.by} does not act for {person.name}", "")


# ---------------------------------------------------------------- evolving


def entries(people: People, request: Asked, events: Events) -> tuple[Entry[AnyEvent], ...]:
    return numbered(people.entries, request, events)


def after(people: People, lines: Iterable[Entry[Any]]) -> People:
    """The people after these lines of the journal."""
    number, by_name = people.entries, dict(people.by_name)
    for line in lines:
        if line.number != number:
            raise BadJournal(f"line {line.number} where {number} is next")
        _happens(by_name, line.event)
        number += 1
    return People(number, by_name)


def _happens(by_name: dict[str, Person], event: AnyEvent) -> None:
    if not event.name:
        return
    here = plain(event.name)
    if isinstance(event, AccountMade) == (here in by_name):
        raise BadJournal(f"{type(event).__name__} of {event.name!r:.60}, who is {'here' if here in by_name else 'not'}")
    by_name[here] = _made_from(event) if isinstance(event, AccountMade) else _changed(by_name[here], event)


def _made_from(event: AccountMade) -> Person:
    return Person(event.name, event.roles, event.kind, event.mark, event.must_change)


def _changed(person: Person, event: AnyEvent) -> Person:
    ended = person.epoch + 1
    match event:
        case RolesGiven(roles=roles):
            return replace(person, roles=roles, epoch=ended)
        case AccountDisabled():
            return replace(person, disabled=True, epoch=ended)
        case AccountEnabled():
            return replace(person, disabled=False)
        case AccountUnlocked():
            return replace(person, failures=0, locked_until_ms=0)
        case CredentialSet(kind=kind, mark=mark, must_change=must):
            free = replace(person, failures=0, locked_until_ms=0, epoch=ended)
            return replace(free, kind=kind, mark=mark, must_change=must)
        case SignedIn():
            return replace(person, failures=0, locked_until_ms=0)
        case SignInFailed(failures=failures):
            return replace(person, failures=failures)
        case AccountLocked(until_ms=until_ms):
            return replace(person, locked_until_ms=until_ms)
        case SignedOut():
            return replace(person, epoch=ended)
        case AccountMade() | SignInRefused():
            return person
        case _:
            assert_never(event)


__all__ = ["BadJournal", "People", "Person", "after", "decide", "decode", "encode", "entries"]
