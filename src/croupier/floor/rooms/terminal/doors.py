"""The doors of the devices: a code, pairing, entering, notes into a terminal, and cards out of an electronic shoe.

A device proves itself by its secret.  It travels in the body, like a password, and never in an address.  The note
acceptor of a terminal, which is paired by itself, sends what it took (`/api/devices/notes`), under an id it made, so
that a message that is sent twice credits once; one that tells of more than it can take locks the terminal.  The table
is told in the role of the note acceptor, which no person has.  An electronic shoe sends each card as it comes out, with
its ticket; what was not due is answered with the reason and the rule, and nothing is recorded.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Final

import msgspec
from starlette.responses import Response

from croupier.floor.doors import answers as a
from croupier.floor.doors.askers import without_factor
from croupier.floor.doors.common import answer, no
from croupier.floor.doors.door import TABLE, Asked, Door
from croupier.floor.doors.live import COMMAND_ID, done
from croupier.floor.doors.permissions import SUPERVISORS
from croupier.floor.keeping.credentials.sessions import Patience
from croupier.floor.keeping.credentials.tickets import NoTicket
from croupier.floor.keeping.devices import ENDED, SHOE, NotDone, terminal_of
from croupier.floor.keeping.host import Host
from croupier.floor.keeping.house import House
from croupier.floor.keeping.keeper import new_id
from croupier.floor.store.appends import command_id
from croupier.floor.wire import Answer, Do
from croupier.house.devices.decide import Device
from croupier.law.officials import DEALER, GAME_SUPERVISOR, NOTE_ACCEPTOR
from croupier.money import Cents, dollars
from croupier.table.commands import Tell
from croupier.table.terminals.commands import InsertNotes, ReportMalfunction
from croupier.table.terminals.events import NotesInserted

log = logging.getLogger(__name__)

WRONG: Final = "this code is wrong, was used, or is too old: ask a supervisor for a new one"
TOO_MANY: Final = "too many tries from here: wait a few minutes"
MOST_NOTES: Final = 50
METER_JUMP: Final[Cents] = 1_000_000
"""More than this in a minute, no acceptor takes: a note goes in every few seconds, and the largest has 100 dollars."""
MINUTE_MS: Final = 60_000


class DeviceBody(msgspec.Struct, forbid_unknown_fields=True):
    """The base of what is sent here."""


class Offering(DeviceBody):
    """A code is wanted for a device; `id` is what a role was lent or a second factor was shown for, if it was."""

    table: str
    device: str
    id: str = ""


class Pairing(DeviceBody):
    code: str


class DeviceEntering(DeviceBody):
    secret: str


class Notes(DeviceBody):
    """What the acceptor of a terminal took, in cents."""

    id: str
    secret: str
    notes: tuple[Cents, ...]


class Drawn(DeviceBody):
    """A card that came out of a shoe, like `10h`."""

    id: str
    card: str


async def code(asked: Asked[Offering]) -> Response:
    wanted = asked.body
    ticket = asked.ticket_for(wanted.id)
    host = asked.house.hosts.get(wanted.table)
    if host is None or ticket.table not in ("", wanted.table):
        return no(f"this ticket is not for {wanted.table!r:.40}", 403)
    if refusal := without_factor(asked.house.factors, "a code for a device", ticket):
        return answer({"reason": refusal.reason, "wants": "factor"}, 403)
    found = await asked.house.devices.offer(
        host, wanted.device, by=ticket.name, role=ticket.role, asked=command_id(wanted.id) if wanted.id else new_id()
    )
    if isinstance(found, NotDone):
        return no(found.reason, 422)
    return answer({"code": found.text, "until_ms": found.until_ms, "device": wanted.device, "table": wanted.table})


class _Tries(Patience):
    """The patience with codes, apart from that with passwords."""


async def pair(asked: Asked[Pairing]) -> Response:
    house, code = asked.house, asked.body.code[:40]
    tries = house.keep(_Tries, lambda: _Tries(house.sessions.now_ms))
    await house.known_now()
    # The right code is good whoever used up the tries of the address: nobody finds one by trying.
    if not house.devices.offered(code) and tries.is_over(asked.address):
        return no(TOO_MANY, 429)
    made = await house.devices.pair(code)
    if made is None:
        return no(WRONG, 403)
    device, secret = made
    return answer({"secret": secret, "name": device.name, "table": device.table, "kind": device.kind})


async def known_device(house: House, secret: str) -> Device:
    """The device that has this secret, as long as its table has it and wherever it was released."""
    device = _device(house, secret)
    return _device(house, secret) if await house.known_now() else device


def _device(house: House, secret: str) -> Device:
    device = house.devices.known.with_secret(secret[:200])
    if device is None or device.table not in house.hosts:
        raise NoTicket(ENDED)
    house.devices.check(house.devices.ticket(device))
    return device


async def enter(asked: Asked[DeviceEntering]) -> Response:
    house = asked.house
    device = await known_device(house, asked.body.secret)
    if device.kind == "acceptor":
        return no("a note acceptor tells what it took, and enters no table", 403)
    ticket = house.give(house.devices.ticket(device))
    return answer({"ticket": ticket, "name": device.name, "table": device.table})


async def notes(asked: Asked[Notes]) -> Response:
    house, taken = asked.house, asked.body
    if not COMMAND_ID.fullmatch(taken.id):
        return no("a command id is 32 hexadecimal digits", 422)
    if len(taken.notes) > MOST_NOTES:
        return no(f"at most {MOST_NOTES} notes at a time", 422)
    device = await known_device(house, taken.secret)
    if device.kind != "acceptor":
        return no("only the note acceptor of a terminal, paired by itself, credits notes", 403)
    host, terminal = house.hosts[device.table], terminal_of(device.name)
    await host.keeper.follow()
    now_ms = house.sessions.now_ms()
    booked = booked_since(host, terminal, now_ms - MINUTE_MS)
    jumped = house.keep(MetersRead, MetersRead).jumped(device, taken, now_ms, booked=booked)
    if jumped and terminal not in host.table.locks:
        fault = f"its meter jumped by {dollars(jumped)} within a minute"
        await host.ask(token_hex(16), ReportMalfunction(fault, terminal), by="meter watch", role=GAME_SUPERVISOR)
        log.error("a terminal was locked: %s", fault, extra={"table": device.table, "terminal": terminal})
    if jumped:
        return no(f"{terminal} is locked: more notes came than an acceptor can take", 403)
    return answer(await host.ask(taken.id, InsertNotes(terminal, taken.notes), by=terminal, role=NOTE_ACCEPTOR))


def booked_since(host: Host, terminal: str, since_ms: int) -> Cents:
    """The notes of a terminal in the last lines of its table, since some time."""
    lately = (line.event for line in host.recent.lines if line.at_ms > since_ms)
    return sum(sum(each.notes) for each in lately if isinstance(each, NotesInserted) and each.terminal == terminal)


@dataclass(slots=True)
class MetersRead:
    """What each acceptor took within the last minute: more than one can take is a fault of it, or a forger's."""

    most: Cents = METER_JUMP
    taken: dict[tuple[str, str], dict[str, tuple[int, Cents]]] = field(default_factory=dict)

    def jumped(self, device: Device, notes: Notes, now_ms: int, *, booked: Cents = 0) -> Cents:
        """By how much the meter jumps with these notes, if that is too much; the same message counts once.

        `booked` is what the journal says came within the last minute, through whichever process.
        """
        here = (device.table, device.name)
        recent = {one: each for one, each in self.taken.get(here, {}).items() if each[0] > now_ms - MINUTE_MS}
        known = notes.id in recent
        # What was said once of a message stays said, and no note takes anything off the meter.
        said = max(sum(map(abs, notes.notes)), recent.get(notes.id, (0, 0))[1])
        self.taken[here] = recent | {notes.id: (now_ms, said)}
        said_here = sum(cents for _, cents in self.taken[here].values())
        total = max(said_here, booked + (0 if known else said))
        return total if total > self.most else 0


async def shoe(asked: Asked[Drawn]) -> Response:
    ticket, name = asked.ticket, asked.part("name")
    if ticket.device != SHOE or ticket.table != name:
        return no(f"only the paired shoe of {name!r:.40} tells its cards here", 403)
    outcome = await done(asked.house, ticket, Do(asked.body.id, Tell(asked.body.card)))
    return answer(outcome) if isinstance(outcome, Answer) else no(outcome.reason, 422)


DOORS: Final = (
    Door(
        "POST /api/devices/code",
        code,
        "devices",
        "A code with which a terminal or a shoe is paired.",
        a.DeviceCode,
        shown="ticket",
        roles=SUPERVISORS,
        lent=True,
        body=Offering,
        ends=(503,),
    ),
    # A device proves itself by its code or its secret, so nothing is shown at the door.
    Door(
        "POST /api/devices/pair",
        pair,
        "devices",
        "Pair a device by its code.",
        a.DeviceSecret,
        body=Pairing,
        ends=(429, 503),
    ),
    Door(
        "POST /api/devices/enter",
        enter,
        "devices",
        "A ticket for a paired device.",
        a.DeviceTicket,
        body=DeviceEntering,
        ends=(503,),
    ),
    Door(
        "POST /api/devices/notes",
        notes,
        "devices",
        "The notes that the acceptor of a terminal took.",
        Answer,
        body=Notes,
        ends=(503,),
        says="The same id again credits once and has the same answer.",
    ),
    Door(
        "POST /api/tables/{name}/shoe",
        shoe,
        "devices",
        "A card out of the electronic shoe of a table.",
        Answer,
        shown="ticket",
        roles=frozenset({DEALER}),
        devices=frozenset({SHOE}),
        parameters=(TABLE,),
        body=Drawn,
        ends=(503,),
    ),
)
