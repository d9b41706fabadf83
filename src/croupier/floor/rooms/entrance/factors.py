"""The doors of second factors: one's own, and showing one for a command.

Whoever is signed in adds a factor by showing the password once more, and, if there is one already, that too: a session
left open gives nobody else a factor.  A new one counts once it was seen to work.

For a command that wants a second factor, the person shows it (`/api/step-up`) with the ticket that they have, their own
or one that was lent, and gets a ticket of the same role for that one command.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
import segno
from starlette.responses import Response

from croupier.floor.doors import answers as a
from croupier.floor.doors.common import answer, no
from croupier.floor.doors.door import Asked, Door
from croupier.floor.keeping.credentials.factors import Factors, ShownFactor, Site
from croupier.floor.keeping.credentials.sessions import NO_ACCOUNTS
from croupier.floor.keeping.credentials.tickets import LENT_SECONDS, NoTicket, Ticket
from croupier.floor.rooms.entrance.doors import SigningIn, signed_in, tried
from croupier.floor.store.appends import command_id
from croupier.house.people import messages as m
from croupier.house.people.decide import Person

OWN: Final = "their own second factors"
LONGEST_LABEL: Final = 40


class FactorBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The base of what is sent here."""


class OfferFactor(FactorBody):
    """A new second factor is wanted; `shown` is one that there is already, if there is."""

    kind: m.FactorKind
    password: str
    shown: ShownFactor | None = None


class AddingFactor(FactorBody):
    """What was offered, with what shows that it works."""

    offer: str
    shown: ShownFactor
    label: str = ""


class RemovingFactor(FactorBody):
    factor: str
    shown: ShownFactor


class StepUpAsked(FactorBody):
    """What may be shown for a command, with the ticket of whoever will show it."""

    ticket: str
    command: str


class SteppingUp(FactorBody):
    ticket: str
    command: str
    shown: ShownFactor


async def own(asked: Asked[None]) -> Response:
    _, person = _mine(asked)
    return _listed(asked, person)


async def offer(asked: Asked[OfferFactor]) -> Response:
    factors, person = _mine(asked)
    known = await tried(asked, SigningIn(person.name, asked.body.password), purpose="a second factor")
    if isinstance(known, Response):
        return known
    if person.must_change or person.kind == "pin":
        return no("a second factor stands beside a password of one's own: set that first", 403)
    if person.factors:
        await factors.shown(person, asked.body.shown or ShownFactor(), purpose=OWN, site=_site(asked))
    if asked.body.kind == "passkey":
        token, options = factors.offer_passkey(person, _site(asked))
        return answer({"offer": token, "options": options})
    token, totp = factors.offer_code(person)
    address = totp.provisioning_uri()
    return answer({"offer": token, "secret": totp.secret, "address": address, "picture": _picture(address)})


def _picture(text: str) -> list[str]:
    return ["".join("#" if dark else "." for dark in row) for row in segno.make(text, micro=False).matrix]


async def add(asked: Asked[AddingFactor]) -> Response:
    factors, person = _mine(asked)
    label = " ".join(asked.body.label.split())[:LONGEST_LABEL]
    outcome = await factors.add(person, asked.body.offer, asked.body.shown, label=label, site=_site(asked))
    return _listed(asked, _mine(asked)[1]) if outcome.done else no(outcome.reason, 422)


async def remove(asked: Asked[RemovingFactor]) -> Response:
    factors, person = _mine(asked)
    await factors.shown(person, asked.body.shown, purpose=OWN, site=_site(asked))
    outcome = await factors.remove(person, asked.body.factor)
    return _listed(asked, _mine(asked)[1]) if outcome.done else no(outcome.reason, 422)


async def own_challenge(asked: Asked[None]) -> Response:
    factors, person = _mine(asked)
    return _asked_for(factors, person, OWN, _site(asked))


async def challenge(asked: Asked[StepUpAsked]) -> Response:
    factors, person, ticket = _of_ticket(asked, asked.body.ticket, asked.body.command)
    return _asked_for(factors, person, _purpose(ticket, asked.body.command), _site(asked))


async def step_up(asked: Asked[SteppingUp]) -> Response:
    body = asked.body
    factors, person, ticket = _of_ticket(asked, body.ticket, body.command)
    await factors.shown(person, body.shown, purpose=_purpose(ticket, body.command), site=_site(asked))
    stepped = Ticket(person.name, ticket.role, ticket.table, person.epoch, command=body.command, factor=True)
    text = asked.house.give(stepped, seconds=LENT_SECONDS)
    return answer({"ticket": text, "name": person.name, "command": body.command, "factor": False})


def _purpose(ticket: Ticket, command: str) -> str:
    return f"{ticket.role} at {ticket.table or 'the house'}: {command}"


def _asked_for(factors: Factors, person: Person, purpose: str, site: Site) -> Response:
    state, options = factors.challenge(person, purpose, site)
    kinds = sorted({each.kind for each in person.factors if each.kind == "totp" or each.host == site.host})
    return answer({"kinds": kinds, "state": state, "options": options})


def _site(asked: Asked[Any]) -> Site:
    """The house under the name by which it was asked, which the guard has looked at."""
    host = asked.request.headers.get("host", "")
    return Site(host.rpartition(":")[0] or host, lambda origin: asked.house.origins.may_ask(origin, host))


def _mine(asked: Asked[Any]) -> tuple[Factors, Person]:
    _, (_, person) = signed_in(asked.house, asked.request)
    assert asked.house.factors is not None
    return asked.house.factors, person


def _of_ticket(asked: Asked[Any], text: str, command: str) -> tuple[Factors, Person, Ticket]:
    """Whose ticket this is, if it can be good for this command."""
    if asked.house.factors is None:
        raise NoTicket(NO_ACCOUNTS)
    ticket = asked.house.admit(text)
    person = asked.house.factors.accounts.people.find(ticket.name)
    if ticket.device or person is None:
        raise NoTicket("a device has no second factor")
    if command_id(command) != command or ticket.command not in ("", command):
        raise NoTicket("this ticket is for another command")
    return asked.house.factors, person, ticket


def _listed(asked: Asked[Any], person: Person) -> Response:
    assert asked.house.factors is not None
    shown = [
        {"id": each.id, "kind": each.kind, "label": each.label, "host": each.host, "added_ms": each.added_ms}
        for each in person.factors
    ]
    return answer({"factors": shown, "wanted": asked.house.factors.wants(person.name)})


DOORS: Final = (
    Door("GET /api/factors", own, "people", "One's own second factors.", a.ListedFactors, shown="session", ends=(422,)),
    Door(
        "POST /api/factors/offer",
        offer,
        "people",
        "Begin to add a second factor.",
        (a.TotpOffered, a.PasskeyOffered),
        shown="session",
        body=OfferFactor,
        ends=(429, 503),
    ),
    Door(
        "POST /api/factors",
        add,
        "people",
        "Add a second factor that was offered, by showing that it works.",
        a.ListedFactors,
        shown="session",
        body=AddingFactor,
        ends=(503,),
    ),
    Door(
        "POST /api/factors/remove",
        remove,
        "people",
        "Remove one of one's own second factors, by showing one.",
        a.ListedFactors,
        shown="session",
        body=RemovingFactor,
        ends=(503,),
    ),
    Door(
        "POST /api/factors/challenge",
        own_challenge,
        "people",
        "What may be shown to change one's own second factors.",
        a.FactorAsked,
        shown="session",
        ends=(422,),
    ),
    Door(
        "POST /api/step-up/challenge",
        challenge,
        "people",
        "What may be shown for a command that wants a second factor.",
        a.FactorAsked,
        shown="inside",
        body=StepUpAsked,
    ),
    Door(
        "POST /api/step-up",
        step_up,
        "people",
        "Show a second factor for one command.",
        a.Lent,
        shown="inside",
        body=SteppingUp,
        ends=(503,),
        says="Answers with a ticket of the same role, good for that command and for no other.",
    ),
)
