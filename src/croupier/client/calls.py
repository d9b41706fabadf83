"""What a program can ask of a house: each call as a value with the type of its answer.

A call that may be sent twice says so (`again`): it reads, or it carries a command id, which has one effect however
often it comes.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import msgspec

from croupier.errors import Error

T = TypeVar("T")


class HouseRefused(Error):
    """What the house did not do: why, under which rule if one refused it, and the status of the answer."""

    def __init__(self, reason: str, rule: str = "", status: int = 200) -> None:
        super().__init__(f"{reason} ({rule})" if rule else reason)
        self.reason, self.rule, self.status = reason, rule, status


# ---------------------------------------------------------------- what is answered


class SignedIn(msgspec.Struct, frozen=True):
    """Who is signed in; `token` goes into a header of what changes anything, which the client does by itself."""

    name: str
    roles: tuple[str, ...]
    token: str
    must_change: bool
    factor: bool = False


class TicketGiven(msgspec.Struct, frozen=True):
    """The answer of the lobby, and of the door of devices, which names the table too."""

    ticket: str
    table: str = ""


class Done(msgspec.Struct, frozen=True):
    """What became of a command: done with line `line`, or refused with a reason and a rule."""

    id: str
    done: bool
    line: int
    reason: str = ""
    rule: str = ""
    voucher: str = ""
    on: str = ""


class CodeShown(msgspec.Struct, frozen=True):
    code: str
    until_ms: int


class PairedSecret(msgspec.Struct, frozen=True):
    """What a device is told once, when it was paired."""

    secret: str
    name: str
    table: str
    kind: str


class Money(msgspec.Struct, frozen=True):
    """Cents that a line moved, and the rule that moved them."""

    debit: str
    credit: str
    cents: int
    rule: str = ""


class FeedEvent(msgspec.Struct, frozen=True):
    """One event of the feed: a line of a journal of the house, with the money that it moved.

    `id` counts from 1 without a gap, for ever.  `entry` is the line as it was written.  An event of the journal
    `@feed` itself speaks of the feed: `{"type": "FeedRestored", "first", "last"}` says that the house lost the lines
    that those ids told of, and that whoever counted them must count again from the beginning; `{"type": "EventGone"}`
    stands in the place of each.
    """

    id: int
    journal: str
    line: int
    entry: dict[str, Any]
    money: tuple[Money, ...] = ()


class FeedPage(msgspec.Struct, frozen=True):
    """Events in order, and the last id there is."""

    events: tuple[FeedEvent, ...]
    last: int


# ---------------------------------------------------------------- what is asked


@dataclass(frozen=True, slots=True)
class HouseCall(Generic[T]):
    """A request; `again` says that it may be sent twice."""

    method: str
    path: str
    answer: type[T]
    body: Mapping[str, Any] | None = None
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    again: bool = True


def _shown(ticket: str) -> dict[str, str]:
    return {"Authorization": f"Ticket {ticket}"}


def new_id() -> str:
    """An id for a command: the same command under the same id has one effect."""
    return secrets.token_hex(16)


def sign_in(name: str, password: str) -> HouseCall[SignedIn]:
    return HouseCall("POST", "/api/sign-in", SignedIn, {"name": name, "password": password}, again=False)


def set_password(old: str, new: str) -> HouseCall[SignedIn]:
    return HouseCall("POST", "/api/password", SignedIn, {"old": old, "password": new}, again=False)


def enter(role: str, table: str = "") -> HouseCall[TicketGiven]:
    """A ticket for whoever is signed in."""
    return HouseCall("POST", "/api/enter", TicketGiven, {"role": role, "table": table})


def command(table: str, ticket: str, what: Mapping[str, Any], *, id: str = "") -> HouseCall[Done]:
    """A command of a table, as `{"type": "PlaceWager", …}`."""
    body = {"id": id or new_id(), "ticket": ticket, "command": dict(what)}
    return HouseCall("POST", f"/api/tables/{table}/commands", Done, body)


def cage_command(ticket: str, what: Mapping[str, Any], *, id: str = "") -> HouseCall[Done]:
    body = {"id": id or new_id(), "command": dict(what)}
    return HouseCall("POST", "/api/cage/commands", Done, body, headers=_shown(ticket))


def device_code(table: str, device: str, ticket: str, *, id: str = "") -> HouseCall[CodeShown]:
    body = {"table": table, "device": device, "id": id}
    return HouseCall("POST", "/api/devices/code", CodeShown, body, headers=_shown(ticket), again=False)


def pair(code: str) -> HouseCall[PairedSecret]:
    return HouseCall("POST", "/api/devices/pair", PairedSecret, {"code": code}, again=False)


def device_enter(secret: str) -> HouseCall[TicketGiven]:
    return HouseCall("POST", "/api/devices/enter", TicketGiven, {"secret": secret})


def notes(secret: str, cents: tuple[int, ...], *, id: str = "") -> HouseCall[Done]:
    """The notes that an acceptor took."""
    return HouseCall("POST", "/api/devices/notes", Done, {"id": id or new_id(), "secret": secret, "notes": cents})


def device_event(secret: str, kind: str, said: str = "", *, id: str = "") -> HouseCall[Done]:
    """What a device says of itself: `door`, `note_acceptor` or `device`, and what of it."""
    body = {"id": id or new_id(), "secret": secret, "kind": kind, "said": said}
    return HouseCall("POST", "/api/devices/event", Done, body)


def card(table: str, ticket: str, drawn: str, *, id: str = "") -> HouseCall[Done]:
    """A card out of the electronic shoe of a table."""
    return HouseCall(
        "POST", f"/api/tables/{table}/shoe", Done, {"id": id or new_id(), "card": drawn}, headers=_shown(ticket)
    )


def voucher_bytes(number: str) -> HouseCall[bytes]:
    """A voucher for a printer that speaks ESC/POS."""
    return HouseCall("GET", "/voucher/escpos", bytes, query={"id": number})


def events(
    after: int = 0, *, most: int = 500, wait: float = 0.0, key: str = "", ticket: str = ""
) -> HouseCall[FeedPage]:
    """The events after an id; with `wait`, the answer comes when there is one, or after so many seconds."""
    shown = {"Authorization": f"Bearer {key}"} if key else _shown(ticket) if ticket else {}
    return HouseCall("GET", "/api/events", FeedPage, query={"after": after, "most": most, "wait": wait}, headers=shown)
