"""The doors of the significant events: what is open, acknowledging it, and declaring what no journal knows.

A ticket for a table shows and acknowledges what happened there, and what happened to the house; one for the house,
everything.  Who acknowledges what is in the list of kinds (`house/significant/kinds.py`); the person is the one of the
ticket, and nothing in the message can say another.  A device declares by its secret and about itself alone.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec
from starlette.responses import Response

from croupier.floor.doors.common import answer, no
from croupier.floor.doors.door import Asked, Door, Parameter, whole
from croupier.floor.doors.live import COMMAND_ID
from croupier.floor.doors.permissions import REVIEWERS, SUPERVISORS
from croupier.floor.keeping.credentials.tickets import Ticket
from croupier.floor.keeping.house import House
from croupier.floor.rooms.terminal.doors import DeviceBody, known_device
from croupier.floor.store.appends import GREATEST_NUMBER
from croupier.floor.views.story import said
from croupier.floor.wire import Answer
from croupier.house.significant import messages as m
from croupier.house.significant.decide import DEVICE, LONGEST_NOTE, Acknowledgement, concerns
from croupier.house.significant.kinds import KINDS, KindName
from croupier.journal.names import plain
from croupier.law.officials import lowest
from croupier.once import like

LONGEST_NAME: Final = 60


class ListedSignificant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A significant event: what, when, where, and under which rule, if there is one.

    `for_role` is the lowest official who acknowledges it, `mine` whether whoever asks may.
    """

    number: int
    kind: KindName
    says: str
    at_ms: int
    table: str
    practice: bool
    device: str
    person: str
    round: int
    cents: int
    said: str
    rule: str
    summary: str
    event: int
    for_role: str
    mine: bool
    acknowledged: Acknowledgement | None = None


class ListedKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: KindName
    says: str
    declared: bool


class SignificantList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The open events, oldest first; those that were acknowledged last, newest first; and the whole list of kinds."""

    open: list[ListedSignificant]
    acknowledged: list[ListedSignificant]
    kinds: list[ListedKind]


class Acknowledging(msgspec.Struct, forbid_unknown_fields=True):
    """That somebody has looked, under an id that the page made; `note`: what was found or done."""

    id: str
    note: str


class Declaring(msgspec.Struct, forbid_unknown_fields=True):
    """What a supervisor saw happen; at a table and a device, where it was at one."""

    id: str
    kind: KindName
    said: str
    table: str = ""
    device: str = ""


class DeviceDeclaring(DeviceBody):
    """What a device says about itself."""

    id: str
    secret: str
    kind: Literal["door", "note_acceptor", "device"]
    said: str = ""


async def listed(asked: Asked[None]) -> Response:
    await asked.house.significant.keeper.follow()
    book, house, ticket = asked.house.significant.shown, asked.house, asked.ticket
    return answer(
        SignificantList(
            [_event_view(house, ticket, *each) for each in book.open.items() if concerns(ticket.table, each[1])],
            [_event_view(house, ticket, *each) for each in reversed(book.recent) if concerns(ticket.table, each[1])],
            [ListedKind(name, kind.says, kind.declared) for name, kind in KINDS.items()],
        )
    )


def _event_view(
    house: House, ticket: Ticket, number: int, noted: m.Noted, acknowledged: Acknowledgement | None = None
) -> ListedSignificant:
    kind, host = KINDS[noted.kind], house.hosts.get(noted.table)
    caused = kind.by_another and plain(ticket.name) in {plain(noted.person), plain(noted.second)}
    return like(
        ListedSignificant,
        noted,
        number=number,
        says=kind.says,
        practice=host.practice if host else house.demo,
        summary=said((noted.rule,)).get(noted.rule, ""),
        for_role=lowest(kind.acknowledged_by),
        mine=acknowledged is None and ticket.role in kind.acknowledged_by and not caused,
        acknowledged=acknowledged,
    )


async def acknowledge(asked: Asked[Acknowledging]) -> Response:
    ticket, body, number = asked.ticket, asked.body, asked.whole("number")
    if not 0 < number <= GREATEST_NUMBER:
        return no(f"no event has the number {number!s:.40}", 422)
    what = m.Acknowledge(number, body.note[: LONGEST_NOTE + 1], ticket.table)
    return await _asked(asked.house, body.id, what, by=ticket.name, role=ticket.role)


async def declare(asked: Asked[Declaring]) -> Response:
    ticket, body, hosts = asked.ticket, asked.body, asked.house.hosts
    if body.table and body.table not in hosts:
        return no(f"unknown table {body.table!r:.40}; known are {', '.join(hosts)}", 422)
    if ticket.table not in ("", body.table):
        return no(f"this ticket is for {ticket.table}, not for {body.table or 'the house'}", 403)
    if len(body.device) > LONGEST_NAME:
        return no(f"a device has a name of at most {LONGEST_NAME} characters", 422)
    what = m.Declare(body.kind, body.table, body.device, body.said[: LONGEST_NOTE + 1])
    return await _asked(asked.house, body.id, what, by=ticket.name, role=ticket.role)


async def declare_as_device(asked: Asked[DeviceDeclaring]) -> Response:
    body = asked.body
    device = await known_device(asked.house, body.secret)
    what = m.Declare(body.kind, device.table, device.name, body.said[: LONGEST_NOTE + 1])
    return await _asked(asked.house, body.id, what, by=device.name, role=DEVICE)


async def _asked(house: House, command: str, what: m.AnyCommand, *, by: str, role: str) -> Response:
    if not COMMAND_ID.fullmatch(command):
        return no("a command id is 32 hexadecimal digits", 422)
    return answer(await house.significant.ask(command, what, by=by, role=role))


NUMBER: Final = Parameter("number", "The number of the event.", whole(GREATEST_NUMBER, 1), "path")
ONCE: Final = "The same id again has one effect and the same answer."

DOORS: Final = (
    Door(
        "GET /api/significant",
        listed,
        "significant",
        "The significant events that wait for a person, and those that were acknowledged last.",
        SignificantList,
        shown="ticket",
        roles=REVIEWERS,
    ),
    Door(
        "POST /api/significant/{number}",
        acknowledge,
        "significant",
        "Acknowledge a significant event, with a note.",
        Answer,
        shown="ticket",
        roles=REVIEWERS,
        parameters=(NUMBER,),
        body=Acknowledging,
        ends=(503,),
        says=ONCE,
    ),
    Door(
        "POST /api/significant",
        declare,
        "significant",
        "Declare a significant event that no journal knows of.",
        Answer,
        shown="ticket",
        roles=SUPERVISORS,
        body=Declaring,
        ends=(503,),
        says=ONCE,
    ),
    Door(
        "POST /api/devices/event",
        declare_as_device,
        "devices",
        "A door of a device was opened, or something in it fails.",
        Answer,
        body=DeviceDeclaring,
        ends=(503,),
        says=f"A device proves itself by its secret. {ONCE}",
    ),
)
