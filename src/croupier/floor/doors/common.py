"""What all doors of the house have in common: how they answer, and how they know who asks.

Everything is answered in JSON; what cannot be done is one line in `reason`, with the rule where one refused it.
Whoever asks shows a ticket: in the body of a command, in the first message of a line, or in the header
`Authorization: Ticket …` elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.floor.keeping.credentials.tickets import NoTicket, Ticket

if TYPE_CHECKING:
    from croupier.floor.doors.door import AnyDoor
    from croupier.floor.keeping.house import House

OWN: Final = ("connect-src", "img-src", "script-src", "style-src", "form-action")
NONE: Final = ("default-src", "base-uri", "frame-ancestors")
"""The policy of every page: nothing by default, and what the first rule does not cover is named with it."""

HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": "; ".join(
        [*(f"{kind} 'none'" for kind in NONE), *(f"{kind} 'self'" for kind in OWN)],
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
SCHEME: Final = "ticket "


def answer(body: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(body), status, headers=dict(HEADERS), media_type="application/json")


def no(reason: str, status: int) -> Response:
    return answer({"reason": reason}, status)


def ticket_in(house: House, text: str, table: str, door: AnyDoor) -> Ticket:
    """The ticket inside a message, if it is good for this table, and its role for this door."""
    ticket = house.admit(text)
    if ticket.table != table or table not in house.hosts:
        raise NoTicket(f"this ticket is for {ticket.table or 'the house'}, not for {table!r:.40}")
    if reason := not_for(ticket, door):
        raise NoTicket(reason)
    return ticket


def not_for(ticket: Ticket, door: AnyDoor) -> str:
    """Why a door is not for whoever has this ticket: another role's, or a person's where this is a device."""
    if ticket.role not in door.roles:
        return f"{door.operation} is not for the {ticket.role}"
    if ticket.device and ticket.device not in door.devices:
        return f"{door.operation} is not for the {ticket.device}"
    return ""


def header_ticket(house: House, request: Request) -> Ticket:
    """The ticket that a request shows in its header, whatever it is good for."""
    shown = request.headers.get("authorization", "")
    if not shown.lower().startswith(SCHEME):
        raise NoTicket("no ticket was shown: enter through the lobby")
    return house.admit(shown[len(SCHEME) :].strip())


def bearer(house: House, authorization: str) -> str:
    """The system whose key this is; nothing if it is none."""
    scheme, _, key = authorization.partition(" ")
    return house.feed.reader(key.strip()) if scheme.lower() == "bearer" else ""


def shown_ticket(house: House, request: Request, command: str = "") -> Ticket:
    """The ticket that a request shows in its header; one that was lent is good for its command alone."""
    ticket = header_ticket(house, request)
    if ticket.command not in ("", command):
        raise NoTicket(f"the {ticket.role} was lent for another command")
    return ticket
