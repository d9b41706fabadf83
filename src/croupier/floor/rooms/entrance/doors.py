"""The entrance of a house with accounts: signing in and out, another password, a role lent, and the people.

Nobody is told why a try failed: the name, the password, or a lock.  Signing in gives the cookie of a session and its
token; `/api/enter` (in `tables.py`) gives tickets for it.  At somebody else's screen an official shows name and
password once and lends a role for one moment (`/api/lend`): a ticket, and no session.
"""

from __future__ import annotations

from secrets import token_hex
from typing import Any, Final, TypeAlias

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.floor.doors import answers as a
from croupier.floor.doors.askers import without_factor
from croupier.floor.doors.common import answer, no
from croupier.floor.doors.door import Asked, Door
from croupier.floor.doors.permissions import MANAGERS
from croupier.floor.keeping.accounts import Accounts, weak
from croupier.floor.keeping.credentials.sessions import NO_ACCOUNTS, Patience, Session, forget
from croupier.floor.keeping.credentials.tickets import LENT_SECONDS, NoTicket, Ticket
from croupier.floor.keeping.house import House
from croupier.floor.store.appends import command_id
from croupier.floor.wire import Answer
from croupier.game import Refusal
from croupier.house.people import messages as m
from croupier.house.people.decide import Person, decide, wants_another
from croupier.law.officials import PLAYER
from croupier.once import like

WRONG: Final = "the name or the password is wrong, or the account is locked for a time"
GIVING: Final = ("Add", "SetRoles", "Enable", "Reset", "ForgetFactors")
"""The acts that give somebody a role or a key."""
CHANGE_FIRST: Final = "this password was for one use: set another one first"
TOO_MANY: Final = "too many tries from here: wait a few minutes"


class EntranceBody(msgspec.Struct, forbid_unknown_fields=True):
    """The base of what is sent here."""


class SigningIn(EntranceBody):
    name: str
    password: str = ""
    pin: str = ""


class Lending(EntranceBody):
    name: str
    role: str
    table: str
    password: str = ""
    pin: str = ""
    command: str = ""
    """The id of the command that the role is lent for; if none is said, the answer names one."""


class Changing(EntranceBody):
    """The password or PIN so far, and the new one."""

    old: str
    password: str = ""
    pin: str = ""


class PeopleAct(msgspec.Struct, tag=True, forbid_unknown_fields=True, kw_only=True):
    """The base of what is done about a person; `second` is the ticket of the other one, where two do it.

    `id` is the command that a role was lent or a second factor was shown for; the same again has one effect.
    """

    name: str
    second: str = ""
    id: str = ""


class Add(PeopleAct):
    roles: tuple[str, ...]
    kind: m.Kind = "password"


class SetRoles(PeopleAct):
    roles: tuple[str, ...]


class DisableAct(PeopleAct, tag="Disable"):
    reason: str = ""


class EnableAct(PeopleAct, tag="Enable"):
    pass


class UnlockAct(PeopleAct, tag="Unlock"):
    pass


class Reset(PeopleAct):
    pass


class ForgetAct(PeopleAct, tag="ForgetFactors"):
    """Somebody lost their second factors; two others who manage let them begin again."""


AnyAct: TypeAlias = Add | SetRoles | DisableAct | EnableAct | UnlockAct | Reset | ForgetAct


async def me(asked: Asked[None]) -> Response:
    house, request = asked.house, asked.request
    found = house.sessions.of(request)
    if found is None:
        return answer({"demo": house.demo, "name": ""})
    return house.sessions.keep(answer(_session_view(house, *found)), found[0], request)


async def people(asked: Asked[None]) -> Response:
    if asked.house.accounts is None:
        return no(NO_ACCOUNTS, 403)
    shown = [listed(each) for each in asked.house.accounts.people.by_name.values()]
    wanted = without_factor(asked.house.factors, "", asked.ticket) is not None
    return answer({"people": shown, "factor": GIVING if wanted else ()})


# ---------------------------------------------------------------- signing in and out


async def sign_in(asked: Asked[SigningIn]) -> Response:
    person = await tried(asked, asked.body, purpose="session")
    return person if isinstance(person, Response) else _welcome(asked.house, asked.request, person)


def _welcome(house: House, request: Request, person: Person) -> Response:
    session = house.sessions.begin(person)
    return house.sessions.keep(answer(_session_view(house, session, person)), session, request)


async def tried(asked: Asked[Any], shown: SigningIn | Lending, *, purpose: str) -> Person | Response:
    """The person who shows a password, or the answer that nobody is let in."""
    house = asked.house
    if house.accounts is None:
        return no(NO_ACCOUNTS, 403)
    secret = shown.password or shown.pin
    if not shown.name or not secret or len(shown.name) > 200 or len(secret) > 200:
        return no("a name and a password or PIN are needed", 422)
    # At one address, or in one network, a stranger may use up everybody's tries but those on devices of the house.
    owner = house.sessions.owner(asked.request)
    trying = f"the devices of {owner}" if owner else asked.address
    if house.keep(Patience, lambda: Patience(house.sessions.now_ms)).is_over(trying):
        return no(TOO_MANY, 429)
    known = house.sessions.knows(asked.request, shown.name)
    person = await house.accounts.tried(shown.name, secret, purpose=purpose, known=known)
    return person or no(WRONG, 403)


async def sign_out(asked: Asked[None]) -> Response:
    accounts, (_, person) = signed_in(asked.house, asked.request)
    await accounts.ask(m.SignOut(person.name), by=person.name, role="")
    return forget(answer({"name": ""}))


async def password(asked: Asked[Changing]) -> Response:
    changing = asked.body
    accounts, (_, person) = signed_in(asked.house, asked.request)
    kind: m.Kind = "pin" if changing.pin else "password"
    secret = changing.password or changing.pin
    reason = weak(secret, kind=kind, name=person.name) or ("" if secret != changing.old else "this is the same again")
    if reason:
        return no(reason, 422)
    again = await tried(asked, SigningIn(person.name, changing.old), purpose="password")
    if isinstance(again, Response):
        return again
    what = m.SetCredential(person.name, await accounts.verifier(secret), kind)
    outcome = await accounts.ask(what, by=person.name, role="")
    changed = accounts.people.find(person.name)
    return _welcome(asked.house, asked.request, changed) if outcome.done and changed else no(outcome.reason, 422)


async def lend(asked: Asked[Lending]) -> Response:
    lending = asked.body
    lent_for = command_id(lending.command or token_hex(16))
    person = await tried(asked, lending, purpose=f"{lending.role} at {lending.table}"[:80])
    if isinstance(person, Response):
        return person
    ticket = ticket_of(asked.house, person, lending.role, lending.table, lent_for=lent_for)
    if isinstance(ticket, NotGiven):
        return no(ticket.reason, 403)
    factors = asked.house.factors
    wants = factors is not None and factors.wants(person.name)
    return answer({"ticket": ticket, "name": person.name, "command": lent_for, "factor": wants})


class NotGiven(msgspec.Struct, frozen=True):
    """A ticket that was not given."""

    reason: str


def ticket_of(house: House, person: Person, role: str, table: str, *, lent_for: str = "") -> str | NotGiven:
    """A ticket for a person of the house, in one of that person's roles."""
    if person.must_change:
        return NotGiven(CHANGE_FIRST)
    if role not in person.roles:
        return NotGiven(f"{person.name} is not {role!r:.40} in this house")
    seconds = LENT_SECONDS if lent_for else None
    return house.give(Ticket(person.name, role, table, person.epoch, command=lent_for), seconds=seconds)


# ---------------------------------------------------------------- the people


async def act_on(asked: Asked[AnyAct]) -> Response:
    accounts, act = accounts_of(asked.house), asked.body
    ticket, second = asked.ticket_for(act.id), _second(asked.house, act)
    if _gives(act) and (refusal := without_factor(asked.house.factors, "to give a role or a key", ticket, second)):
        return answer({"reason": refusal.reason, "wants": "factor"}, 403)
    asked_by = {"by": ticket.name, "role": ticket.role, "second": second.name if second else ""}
    # A refusal is kept under its id for ever; what may be asked again with another person is not asked yet.
    if not act.id or await asked.house.store.lookups.answer(act.id) is None:
        request = m.Asked(_what(act), at_ms=accounts.now_ms(), **asked_by)
        thought = decide(accounts.people, request)
        if isinstance(thought, Refusal):
            wants = {"wants": "second"} if wants_another(accounts.people, request) else {}
            return answer({"reason": thought.reason, **wants}, 403)
    outcome, secret = await _done(accounts, act, **asked_by, command_id=act.id)
    await accounts.sign()
    if not outcome.done:
        return no(outcome.reason, 403)
    return answer({"name": act.name} | ({"one_time": secret} if secret else {}))


def _second(house: House, act: AnyAct) -> Ticket | None:
    """The other person, who must manage here too; where that role was lent, it was for this act."""
    if not act.second:
        return None
    second = house.admit(act.second)
    if second.command not in ("", act.id):
        raise NoTicket(f"the {second.role} was lent for another command")
    if second.role not in MANAGERS:
        raise NoTicket(f"the {second.role} is not one of two people who manage")
    return second


def _gives(act: AnyAct) -> bool:
    """Whether an act gives somebody a role or a key; to take it away must be quick."""
    is_player = isinstance(act, Add) and set(act.roles) == {PLAYER}
    return type(act).__struct_config__.tag in GIVING and not is_player


def _what(act: AnyAct) -> m.AnyCommand:
    """The command of an act; one that gives a password does not have it yet."""
    match act:
        case Add(name=name, roles=roles, kind=kind):
            return m.MakeAccount(name, roles, "", kind)
        case Reset(name=name):
            return m.SetCredential(name, "", must_change=True)
        case SetRoles(name=name, roles=roles):
            return m.GiveRoles(name, roles)
        case DisableAct(name=name, reason=reason):
            return m.Disable(name, reason)
        case EnableAct(name=name):
            return m.Enable(name)
        case UnlockAct(name=name):
            return m.Unlock(name)
        case ForgetAct(name=name):
            return m.ForgetFactors(name)


async def _done(accounts: Accounts, act: AnyAct, **asked: str) -> tuple[Answer, str]:
    """What became of it, and the password for one use if there is one."""
    match act:
        case Add(name=name, roles=roles, kind=kind):
            return await accounts.make(name, roles, kind=kind, **asked)
        case Reset(name=name):
            return await accounts.reset(name, **asked)
        case _:
            return await accounts.ask(_what(act), **asked), ""


def listed(person: Person) -> a.ListedPerson:
    """A person, as managers see them."""
    return like(a.ListedPerson, person, factors=len(person.factors))


def _session_view(house: House, session: Session, person: Person) -> dict[str, Any]:
    return {
        "demo": house.demo,
        "name": person.name,
        "roles": list(person.roles),
        "kind": person.kind,
        "must_change": person.must_change,
        "token": house.sessions.token(session),
        "factor": house.factors is not None and house.factors.wants(person.name),
        "factors": len(person.factors),
    }


def accounts_of(house: House) -> Accounts:
    if house.accounts is None:
        raise ValueError(NO_ACCOUNTS)
    return house.accounts


def signed_in(house: House, request: Request) -> tuple[Accounts, tuple[Session, Person]]:
    """Who is signed in; the guard let nobody else through, but a session may have ended since."""
    found = house.sessions.of(request)
    if found is None:
        raise ValueError("nobody is signed in here: sign in first")
    return accounts_of(house), found


DOORS: Final = (
    Door("GET /api/me", me, "people", "Who is signed in.", (a.SessionShown, a.Nobody)),
    Door("POST /api/sign-in", sign_in, "people", "Begin a session.", a.SessionShown, body=SigningIn, ends=(429, 503)),
    Door(
        "POST /api/lend",
        lend,
        "people",
        "Lend a role for one command at somebody else's screen.",
        a.Lent,
        body=Lending,
        ends=(429, 503),
    ),
    Door(
        "POST /api/sign-out",
        sign_out,
        "people",
        "End all sessions and tickets of whoever asks.",
        a.SessionEnded,
        shown="session",
        ends=(422, 503),
    ),
    Door(
        "POST /api/password",
        password,
        "people",
        "Set another password or PIN.",
        a.SessionShown,
        shown="session",
        body=Changing,
        ends=(429, 503),
    ),
    Door(
        "GET /api/people",
        people,
        "people",
        "The people of the house.",
        a.ListedPeople,
        shown="ticket",
        roles=MANAGERS,
    ),
    Door(
        "POST /api/people",
        act_on,
        "people",
        "Add a person, or change an account.",
        a.PersonChanged,
        shown="ticket",
        roles=MANAGERS,
        lent=True,
        body=AnyAct,
        ends=(503,),
    ),
)
