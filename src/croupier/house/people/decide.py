"""The people of the house: their accounts, what became of each, and who signed in when.

Theory of operation.  The people are a journal as a table is: `decide` turns a request into events or refuses it,
`after` makes the people that follow, and replaying the lines gives the same people again.  No secret is in it.  Of a
password or PIN the journal knows only the `mark` of its verifier, which lets nobody in, but shows whether the verifier
in the database is the one that was set.

Whether a password was right is found out elsewhere, and told here as a fact (`Try`).  From the wrong try `TRIES` on, an
account is locked for a time that doubles with every further one; a right password does not open it before then.  Tries
on a device that the person has used before are counted apart, so that a stranger cannot lock somebody out.  The `epoch`
of an account counts what ends its sessions: another password, disabling, signing out.  Second factors are in
`factors.py`.

The rules of the games say who does what at a table; how a house knows its people is its own affair, so that these
events cite no rule.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from croupier.game import Refusal
from croupier.house.people import factors
from croupier.house.people import messages as m
from croupier.house.people.messages import decode
from croupier.house.people.state import (
    CONSOLE,
    FIRST_WAIT_MS,
    JOURNAL,
    LONGEST_WAIT_MS,
    TRIES,
    People,
    Person,
    after,
    entries,
    mark_of,
    wait_ms,
)
from croupier.journal.entries import BadJournal, encode
from croupier.journal.names import called, plain, readable
from croupier.law.officials import CASINO_MANAGER, DEALER, INSPECTOR, PLAYER, ROLES, SHIFT_MANAGER, STICKPERSON

LONGEST_NAME = 40
DEVICES = ("terminal", "virtual dealer")
"""How the names of devices begin at a table."""
SHOE = "shoe"

BY_PIN = frozenset({DEALER, STICKPERSON, PLAYER})
"""Who may have a PIN instead of a password."""

MANAGES = frozenset({CONSOLE, CASINO_MANAGER})
MANAGING = frozenset({CASINO_MANAGER, SHIFT_MANAGER})
UNLOCKS = MANAGES | {SHIFT_MANAGER}

# ---------------------------------------------------------------- deciding


def decide(people: People, request: m.Asked) -> m.Events | Refusal:
    """The events that follow from a request, or why none do."""
    what = request.what
    if isinstance(what, m.MakeAccount):
        no = _not_manager(request) or _bad_name(people, what.name) or _bad_kind(what.roles, what.kind)
        return no or _not_given(people, request, what.roles) or _made(what)
    if isinstance(what, m.Try):
        return _tried(people, request, what)
    if isinstance(what, m.AcceptLoss):
        return _not_manager(request) or _not_two(people, request, what) or (_accepted(what),)
    person = people.find(what.name)
    if person is None:
        return Refusal(f"nobody here is called {what.name!r:.60}", "")
    match what:
        case m.GiveRoles(roles=roles):
            no = _not_manager(request) or _bad_kind(roles, person.kind) or _last_manager(people, person, roles)
            no = no or _not_given(people, request, (*roles, *person.roles))
            return no or (m.RolesGiven(name=person.name, roles=tuple(roles)),)
        case m.Disable(reason=reason):
            no = _not_manager(request) or _last_manager(people, person, ())
            no = no or _not_given(people, request, person.roles, alone=frozenset(ROLES) - MANAGING)
            return no or (m.AccountDisabled(name=person.name, reason=reason[:200]),)
        case m.Enable():
            return (
                _not_manager(request)
                or _not_given(people, request, person.roles)
                or (m.AccountEnabled(name=person.name),)
            )
        case m.Unlock():
            return _not_one_of(request, UNLOCKS) or (m.AccountUnlocked(name=person.name),)
        case m.SetCredential():
            return _bad_setting(people, request, person, what) or (_set(person, what),)
        case m.SignOut():
            return _not_self(request, person) or (m.SignedOut(name=person.name),)
        case m.AddFactor() | m.RemoveFactor() | m.ShowFactor():
            return factors.decide(person, request, what)
        case m.ForgetFactors():
            return (
                _not_one_of(request, MANAGING) or _not_recovered(people, request, person) or factors.forgotten(person)
            )
        case _:
            assert_never(what)


def _made(what: m.MakeAccount) -> m.Events:
    return (
        m.AccountMade(
            name=_spelled(what.name),
            roles=tuple(what.roles),
            kind=what.kind,
            mark=mark_of(what.verifier),
            must_change=what.must_change,
        ),
    )


def _not_two(people: People, request: m.Asked, what: m.AcceptLoss) -> Refusal | None:
    if people.find(what.second) is None or plain(what.second) == plain(request.by):
        return Refusal("a loss is accepted by two different people", "")
    return None


def _accepted(what: m.AcceptLoss) -> m.LossAccepted:
    return m.LossAccepted(table=what.table, witnessed=what.witnessed, kept=what.kept, second=what.second)


def _set(person: Person, what: m.SetCredential) -> m.CredentialSet:
    mark = mark_of(what.verifier)
    return m.CredentialSet(name=person.name, kind=what.kind, mark=mark, must_change=what.must_change)


def _tried(people: People, request: m.Asked, what: m.Try) -> m.Events:
    person = people.find(what.name)
    if person is None:
        return (m.SignInFailed(),)
    known = what.known
    if person.disabled or request.at_ms < (person.own_locked_until_ms if known else person.locked_until_ms):
        return (m.SignInRefused(name=person.name),)
    if what.right:
        return (m.SignedIn(name=person.name, purpose=what.purpose, known=known),)
    failures = (person.own_failures if known else person.failures) + 1
    failed = m.SignInFailed(name=person.name, failures=failures, known=known)
    wait = wait_ms(failures)
    locked = m.AccountLocked(name=person.name, until_ms=request.at_ms + wait, known=known)
    return (failed, locked) if wait else (failed,)


def _spelled(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split())


def _bad_name(people: People, name: str) -> Refusal | None:
    spelled = _spelled(name)
    if not readable(spelled, LONGEST_NAME) or not all(part.isalnum() or part in " .'-" for part in spelled):
        says = f"a name is 1 to {LONGEST_NAME} letters of one alphabet, figures, spaces, . ' and -"
        return Refusal(f"{says}: {name!r:.60}", "")
    if plain(name) in (CONSOLE, *ROLES):
        return Refusal(f"{name!r:.60} is the name of a role", "")
    if plain(name).startswith(DEVICES) or plain(name) == SHOE:
        return Refusal(f"{name!r:.60} is the name of a device: nobody may be taken for one", "")
    if people.find(name) is not None:
        return Refusal(f"somebody here is called {spelled!r} already", "")
    return None


def _bad_kind(roles: Iterable[str], kind: m.Kind) -> Refusal | None:
    given = tuple(roles)
    unknown = [role for role in given if role not in ROLES]
    if unknown or not given or len(set(given)) != len(given):
        return Refusal(f"roles are one or more of {', '.join(ROLES)}, each once: {', '.join(given)!r:.80}", "")
    above = [role for role in given if role not in BY_PIN]
    if kind == "pin" and above:
        return Refusal(f"a PIN is not enough for the {above[0]}: a password is needed", "")
    return None


def _bad_setting(people: People, request: m.Asked, person: Person, what: m.SetCredential) -> Refusal | None:
    own = plain(request.by) == plain(person.name) and not what.must_change
    given = request.role in MANAGES and what.must_change
    if not own and not given:
        return Refusal("a password is changed by its owner, or given for one use by the casino manager", "")
    if not own and (no := _not_given(people, request, person.roles)):
        return no
    return _bad_kind(person.roles, what.kind)


def _not_given(
    people: People, request: m.Asked, roles: Iterable[str], *, alone: frozenset[str] = frozenset({PLAYER})
) -> Refusal | None:
    """Why one who manages may not give these roles, or an account that has them, without another.

    The inspector is not the operator's: those accounts are made at the machine itself.  Until a house has two people
    who manage, the first one works alone.
    """
    if request.role == CONSOLE:
        return None
    if INSPECTOR in (given := frozenset(roles)):
        return Refusal("an inspector's account is not the house's to give: it is made at the machine itself", "")
    others = [each for each in people.by_name.values() if manages(each) and plain(each.name) != plain(request.by)]
    if given <= alone or not others:
        return None
    if not request.second or not any(plain(each.name) == plain(request.second) for each in others):
        return Refusal("roles are given by two people who manage: a second one must show a ticket", "")
    return None


def _not_recovered(people: People, request: m.Asked, person: Person) -> Refusal | None:
    """Why the second factors of somebody are not forgotten: that takes two others, both of whom manage."""
    others = {plain(each.name) for each in people.by_name.values() if manages(each)} - {plain(person.name)}
    if {plain(request.by), plain(request.second)} <= others and plain(request.by) != plain(request.second):
        return None
    return Refusal(f"the second factors of {person.name} are forgotten by two others who manage", "")


def wants_another(people: People, request: m.Asked) -> bool:
    """Whether what one person asks for in vain would be done if somebody else who manages asked for it, too."""
    others = (each.name for each in people.by_name.values() if manages(each))
    return not request.second and any(
        not isinstance(decide(people, replace(request, second=other)), Refusal) for other in others
    )


def manages(person: Person) -> bool:
    """Whether somebody can be the other one where two people who manage are needed."""
    return bool(MANAGING & {*person.roles}) and not person.disabled and not person.must_change


def _last_manager(people: People, person: Person, roles: Iterable[str]) -> Refusal | None:
    """A house without a casino manager could let nobody in any more."""
    if CASINO_MANAGER in tuple(roles) or CASINO_MANAGER not in person.roles or person.disabled:
        return None
    others = [each for each in people.by_name.values() if each is not person and not each.disabled]
    if any(CASINO_MANAGER in each.roles for each in others):
        return None
    return Refusal(f"{person.name} is the last casino manager", "")


def _not_manager(request: m.Asked) -> Refusal | None:
    return _not_one_of(request, MANAGES)


def _not_one_of(request: m.Asked, roles: frozenset[str]) -> Refusal | None:
    if request.role in roles:
        return None
    return Refusal(f"{called(type(request.what))} is not for the {request.role or 'nobody'}", "")


def _not_self(request: m.Asked, person: Person) -> Refusal | None:
    if plain(request.by) == plain(person.name) or request.role in MANAGES:
        return None
    return Refusal(f"{request.by} does not act for {person.name}", "")


__all__ = [
    "CONSOLE",
    "FIRST_WAIT_MS",
    "JOURNAL",
    "LONGEST_WAIT_MS",
    "TRIES",
    "BadJournal",
    "People",
    "Person",
    "after",
    "decide",
    "decode",
    "encode",
    "entries",
    "mark_of",
    "plain",
    "wait_ms",
]
