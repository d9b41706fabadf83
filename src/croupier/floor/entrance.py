"""The entrance of a house with accounts: signing in and out, another password, a role lent, and the people.

Nobody is told why a try failed: the name, the password, or a lock.  Signing in gives the cookie of a session and its
token; `/api/enter` (in `tables.py`) gives tickets for it.  At somebody else's screen an official shows name and
password once and lends a role for one moment (`/api/lend`): a ticket, and no session.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec
from fastapi import FastAPI, Request, Response

from croupier.floor.accounts import Accounts, weak
from croupier.floor.doors import answer, no, shown_ticket
from croupier.floor.house import House
from croupier.floor.keeper import Stopped
from croupier.floor.sessions import NO_ACCOUNTS, Patience, Session, forget
from croupier.floor.tickets import LENT_SECONDS, Ticket
from croupier.floor.wire import Answer
from croupier.house import people_messages as m
from croupier.house.people import Person

WRONG: Final = "the name or the password is wrong, or the account is locked for a time"
CHANGE_FIRST: Final = "this password was for one use: set another one first"
TOO_MANY: Final = "too many tries from here: wait a few minutes"


class Body(msgspec.Struct, forbid_unknown_fields=True):
    """The base of what is sent here."""


class SigningIn(Body):
    name: str
    password: str = ""
    pin: str = ""


class Lending(Body):
    name: str
    role: str
    table: str
    password: str = ""
    pin: str = ""


class Changing(Body):
    """The password or PIN so far, and the new one."""

    old: str
    password: str = ""
    pin: str = ""


class Act(msgspec.Struct, tag=True, forbid_unknown_fields=True):
    """The base of what is done about a person."""

    name: str


class Add(Act):
    roles: tuple[str, ...]
    kind: m.Kind = "password"


class SetRoles(Act):
    roles: tuple[str, ...]


class Disable(Act):
    reason: str = ""


class Enable(Act):
    pass


class Unlock(Act):
    pass


class Reset(Act):
    pass


AnyAct: TypeAlias = Add | SetRoles | Disable | Enable | Unlock | Reset
_SIGNING_IN = msgspec.json.Decoder(SigningIn)
_LENDING = msgspec.json.Decoder(Lending)
_CHANGING = msgspec.json.Decoder(Changing)
_ACTS: msgspec.json.Decoder[AnyAct] = msgspec.json.Decoder(AnyAct)


def routes(app: FastAPI, house: House) -> None:
    patience = Patience(house.sessions.now_ms)

    @app.get("/api/me")
    async def me(request: Request) -> Response:
        found = house.sessions.of(request)
        if found is None:
            return answer({"demo": house.demo, "name": ""})
        return house.sessions.keep(answer(_told(house, *found)), found[0], request)

    @app.post("/api/sign-in")
    async def sign_in(request: Request) -> Response:
        return await _safely(_signed_in(house, patience, request))

    @app.post("/api/sign-out")
    async def sign_out(request: Request) -> Response:
        return await _safely(_signed_out(house, request))

    @app.post("/api/password")
    async def password(request: Request) -> Response:
        return await _safely(_changed(house, patience, request))

    @app.post("/api/lend")
    async def lend(request: Request) -> Response:
        return await _safely(_lent(house, patience, request))

    @app.get("/api/people")
    async def people() -> Response:
        if house.accounts is None:
            return no(NO_ACCOUNTS, 403)
        return answer({"people": [listed(each) for each in house.accounts.people.by_name.values()]})

    @app.post("/api/people")
    async def act(request: Request) -> Response:
        return await _safely(_acted(house, request))


async def _safely(work: Any) -> Response:
    """The answer; bad input and a journal that cannot be written are one line."""
    try:
        response: Response = await work
    except (msgspec.MsgspecError, ValueError) as error:
        return no(str(error), 422)
    except Stopped as error:
        return no(str(error), 503)
    return response


# ---------------------------------------------------------------- signing in and out


async def _signed_in(house: House, patience: Patience, request: Request) -> Response:
    asked = _SIGNING_IN.decode(await request.body())
    person = await _tried(house, patience, request, asked, purpose="session")
    if isinstance(person, Response):
        return person
    return _welcome(house, request, person)


def _welcome(house: House, request: Request, person: Person) -> Response:
    session = house.sessions.begin(person)
    return house.sessions.keep(answer(_told(house, session, person)), session, request)


async def _tried(
    house: House, patience: Patience, request: Request, asked: SigningIn | Lending, *, purpose: str
) -> Person | Response:
    """The person who shows a password, or the answer that nobody is let in."""
    if house.accounts is None:
        return no(NO_ACCOUNTS, 403)
    secret = asked.password or asked.pin
    if not asked.name or not secret or len(asked.name) > 200 or len(secret) > 200:
        return no("a name and a password or PIN are needed", 422)
    if patience.is_over(request.client.host if request.client else ""):
        return no(TOO_MANY, 429)
    person = await house.accounts.tried(asked.name, secret, purpose=purpose)
    return person or no(WRONG, 403)


async def _signed_out(house: House, request: Request) -> Response:
    accounts, (_, person) = _here(house, request)
    await accounts.ask(m.SignOut(person.name), by=person.name, role="")
    return forget(answer({"name": ""}))


async def _changed(house: House, patience: Patience, request: Request) -> Response:
    accounts, (_, person) = _here(house, request)
    asked = _CHANGING.decode(await request.body())
    kind: m.Kind = "pin" if asked.pin else "password"
    secret = asked.password or asked.pin
    reason = weak(secret, kind=kind, name=person.name) or ("" if secret != asked.old else "this is the same again")
    if reason:
        return no(reason, 422)
    tried = await _tried(house, patience, request, SigningIn(person.name, asked.old), purpose="password")
    if isinstance(tried, Response):
        return tried
    what = m.SetCredential(person.name, await accounts.verifier(secret), kind)
    told = await accounts.ask(what, by=person.name, role="")
    changed = accounts.people.find(person.name)
    return _welcome(house, request, changed) if told.done and changed else no(told.reason, 422)


async def _lent(house: House, patience: Patience, request: Request) -> Response:
    asked = _LENDING.decode(await request.body())
    person = await _tried(house, patience, request, asked, purpose=f"{asked.role} at {asked.table}"[:80])
    if isinstance(person, Response):
        return person
    ticket = ticket_of(house, person, asked.role, asked.table, seconds=LENT_SECONDS)
    return no(ticket.reason, 403) if isinstance(ticket, NotGiven) else answer({"ticket": ticket, "name": person.name})


class NotGiven(msgspec.Struct, frozen=True):
    """A ticket that was not given."""

    reason: str


def ticket_of(house: House, person: Person, role: str, table: str, *, seconds: int | None = None) -> str | NotGiven:
    """A ticket for a person of the house, in one of that person's roles."""
    if person.must_change:
        return NotGiven(CHANGE_FIRST)
    if role not in person.roles:
        return NotGiven(f"{person.name} is not {role!r:.40} in this house")
    return house.give(Ticket(person.name, role, table, person.epoch), seconds=seconds)


# ---------------------------------------------------------------- the people


async def _acted(house: House, request: Request) -> Response:
    accounts = _accounts(house)
    ticket = shown_ticket(house, request)
    act = _ACTS.decode(await request.body())
    told, secret = await _done(accounts, act, by=ticket.name, role=ticket.role)
    await accounts.sign()
    if not told.done:
        return no(told.reason, 403)
    return answer({"name": act.name} | ({"one_time": secret} if secret else {}))


async def _done(accounts: Accounts, act: AnyAct, *, by: str, role: str) -> tuple[Answer, str]:
    """What became of it, and the password for one use if there is one."""
    match act:
        case Add(name=name, roles=roles, kind=kind):
            return await accounts.make(name, roles, kind=kind, by=by, role=role)
        case Reset(name=name):
            return await accounts.reset(name, by=by, role=role)
        case SetRoles(name=name, roles=roles):
            return await accounts.ask(m.GiveRoles(name, roles), by=by, role=role), ""
        case Disable(name=name, reason=reason):
            return await accounts.ask(m.Disable(name, reason), by=by, role=role), ""
        case Enable(name=name):
            return await accounts.ask(m.Enable(name), by=by, role=role), ""
        case Unlock(name=name):
            return await accounts.ask(m.Unlock(name), by=by, role=role), ""


def listed(person: Person) -> dict[str, Any]:
    """A person, as managers see them."""
    return {
        "name": person.name,
        "roles": list(person.roles),
        "kind": person.kind,
        "must_change": person.must_change,
        "failures": person.failures,
        "locked_until_ms": person.locked_until_ms,
        "disabled": person.disabled,
    }


def _told(house: House, session: Session, person: Person) -> dict[str, Any]:
    return {
        "demo": house.demo,
        "name": person.name,
        "roles": list(person.roles),
        "kind": person.kind,
        "must_change": person.must_change,
        "token": house.sessions.token(session),
    }


def _accounts(house: House) -> Accounts:
    if house.accounts is None:
        raise ValueError(NO_ACCOUNTS)
    return house.accounts


def _here(house: House, request: Request) -> tuple[Accounts, tuple[Session, Person]]:
    """Who is signed in; the guard let nobody else through, but a session may have ended since."""
    found = house.sessions.of(request)
    if found is None:
        raise ValueError("nobody is signed in here: sign in first")
    return _accounts(house), found
