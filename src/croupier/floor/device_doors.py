"""The doors of the devices: a code, pairing, entering, notes into a terminal, and cards out of an electronic shoe.

A device proves itself by its secret.  It travels in the body, like a password, and never in an address.  The note
acceptor of a terminal sends what it took (`/api/devices/notes`), under an id it made, so that a message that is sent
twice credits once; the table is told in the role of the note acceptor, which no person has.  An electronic shoe sends
each card as it comes out, with its ticket; what was not due is answered with the reason and the rule, and nothing is
recorded.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Final

import msgspec
from fastapi import FastAPI, Request, Response

from croupier.floor.devices import ENDED, SHOE, NotDone
from croupier.floor.doors import answer, no, shown_ticket
from croupier.floor.house import House, NoTicket
from croupier.floor.keeper import Stopped
from croupier.floor.sessions import Patience
from croupier.floor.watching import COMMAND_ID, done
from croupier.floor.wire import Answer, Do
from croupier.house.devices import Device
from croupier.money import Cents
from croupier.table.commands import Tell
from croupier.table.general import NOTE_ACCEPTOR
from croupier.table.terminal_commands import InsertNotes

WRONG: Final = "this code is wrong, was used, or is too old: ask a supervisor for a new one"
TOO_MANY: Final = "too many tries from here: wait a few minutes"
MOST_NOTES: Final = 50


class Body(msgspec.Struct, forbid_unknown_fields=True):
    """The base of what is sent here."""


class Offering(Body):
    table: str
    device: str


class Pairing(Body):
    code: str


class Entering(Body):
    secret: str


class Notes(Body):
    """What the acceptor of a terminal took, in cents."""

    id: str
    secret: str
    notes: tuple[Cents, ...]


class Drawn(Body):
    """A card that came out of a shoe, like `10h`."""

    id: str
    card: str


_OFFERING = msgspec.json.Decoder(Offering)
_PAIRING = msgspec.json.Decoder(Pairing)
_ENTERING = msgspec.json.Decoder(Entering)
_NOTES = msgspec.json.Decoder(Notes)
_DRAWN = msgspec.json.Decoder(Drawn)


def routes(app: FastAPI, house: House) -> None:
    patience = Patience(house.sessions.now_ms)

    @app.post("/api/devices/code")
    async def code(request: Request) -> Response:
        return await _safely(_offered(house, request))

    @app.post("/api/devices/pair")
    async def pair(request: Request) -> Response:
        return await _safely(_paired(house, patience, request))

    @app.post("/api/devices/enter")
    async def enter(request: Request) -> Response:
        return await _safely(_entered(house, request))

    @app.post("/api/devices/notes")
    async def notes(request: Request) -> Response:
        return await _safely(_noted(house, request))

    @app.post("/api/tables/{name}/shoe")
    async def shoe(name: str, request: Request) -> Response:
        return await _safely(_drawn(house, name, request))


async def _safely(work: Awaitable[Response]) -> Response:
    """The answer; what cannot be taken is one line."""
    try:
        return await work
    except NoTicket as error:
        return no(str(error), 403)
    except (msgspec.MsgspecError, ValueError) as error:
        return no(str(error), 422)
    except Stopped as error:
        return no(str(error), 503)


async def _offered(house: House, request: Request) -> Response:
    ticket = shown_ticket(house, request)
    asked = _OFFERING.decode(await request.body())
    host = house.hosts.get(asked.table)
    if host is None or ticket.table not in ("", asked.table):
        return no(f"this ticket is not for {asked.table!r:.40}", 403)
    found = await house.devices.offer(host, asked.device, by=ticket.name, role=ticket.role)
    if isinstance(found, NotDone):
        return no(found.reason, 422)
    return answer({"code": found.text, "until_ms": found.until_ms, "device": asked.device, "table": asked.table})


async def _paired(house: House, patience: Patience, request: Request) -> Response:
    asked = _PAIRING.decode(await request.body())
    if patience.is_over(request.client.host if request.client else ""):
        return no(TOO_MANY, 429)
    made = await house.devices.pair(asked.code[:40])
    if made is None:
        return no(WRONG, 403)
    device, secret = made
    return answer({"secret": secret, "name": device.name, "table": device.table, "kind": device.kind})


def _known(house: House, secret: str) -> Device:
    """The device that has this secret, as long as its table has it."""
    device = house.devices.known.with_secret(secret[:200])
    if device is None or device.table not in house.hosts:
        raise NoTicket(ENDED)
    house.devices.check(house.devices.ticket(device))
    return device


async def _entered(house: House, request: Request) -> Response:
    device = _known(house, _ENTERING.decode(await request.body()).secret)
    ticket = house.give(house.devices.ticket(device))
    return answer({"ticket": ticket, "name": device.name, "table": device.table})


async def _noted(house: House, request: Request) -> Response:
    asked = _NOTES.decode(await request.body())
    if not COMMAND_ID.fullmatch(asked.id):
        return no("a command id is 32 hexadecimal digits", 422)
    if len(asked.notes) > MOST_NOTES:
        return no(f"at most {MOST_NOTES} notes at a time", 422)
    device = _known(house, asked.secret)
    what = InsertNotes(device.name, asked.notes)
    return answer(await house.hosts[device.table].ask(asked.id, what, by=device.name, role=NOTE_ACCEPTOR))


async def _drawn(house: House, name: str, request: Request) -> Response:
    ticket = shown_ticket(house, request)
    if ticket.device != SHOE or ticket.table != name:
        return no(f"only the paired shoe of {name!r:.40} tells its cards here", 403)
    asked = _DRAWN.decode(await request.body())
    told = await done(house, ticket, Do(asked.id, Tell(asked.card)))
    return answer(told) if isinstance(told, Answer) else no(told.reason, 422)
