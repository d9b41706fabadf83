"""Tickets: who somebody is, in which role and at which table, signed so that a page cannot make one.

Everything at a table goes by tickets.  A demonstration gives one to whoever asks; a house with accounts gives them for
a session, in the roles of the account.  A ticket carries the `epoch` of the account, so that it ends with it, and when
it ends by itself: after a shift, or after a moment where an official lends a role at somebody else's screen, for one
command and no other.  Both are looked at for every command, however long the line has been open.

The secret that signs tickets and sessions is a file beside the key, never in the database: it is the same after a new
start, and the same for all processes of a house.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from itsdangerous import BadData, URLSafeSerializer

from croupier.floor.keeping.clock import clock_ms
from croupier.floor.store.heads import BadKey, written_once

SHIFT_SECONDS: Final = 12 * 60 * 60
LENT_SECONDS: Final = 120
SECRET_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Ticket:
    """Who somebody is, in which role, and at which table; no table is the house itself, for its staff.

    `device`: what kind of device this is, if it is one and no person.  `command`: the one command that this is good
    for, where a role was lent or a second factor was shown (`factor`).  `until_ms`: when it ends.
    """

    name: str
    role: str
    table: str
    epoch: int = 0
    device: str = ""
    command: str = ""
    until_ms: int = field(default=0, compare=False)
    factor: bool = False


class NoTicket(ValueError):
    """A ticket that this house did not give, or that is too old."""


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def open_secret(path: Path) -> bytes:
    """The secret in the file; made on the first start, readable by its owner alone."""
    try:
        raw = path.read_bytes() if path.exists() else written_once(path, new_secret())
    except OSError as error:
        raise BadKey(f"{path}: the secret of tickets cannot be read or made: {error.strerror}") from None
    if len(raw) != SECRET_BYTES:
        raise BadKey(f"{path}: the secret of tickets has {SECRET_BYTES} bytes, this file {len(raw)}")
    if path.stat().st_mode & 0o077:
        raise BadKey(f"{path}: the secret of tickets can be read by others; chmod 600 it")
    return raw


def secret_beside(key_path: Path, of: str = "tickets") -> bytes:
    """The secret of tickets, or of something else, that belongs to a key."""
    return open_secret(key_path.with_name(f"{key_path.name}.{of}"))


ENDED: Final = "this ticket has ended: enter again through the lobby"


@dataclass(slots=True)
class Tickets:
    """What signs tickets, and reads them."""

    secret: bytes = field(repr=False)
    now_ms: Callable[[], int] = clock_ms
    signer: URLSafeSerializer = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.signer = URLSafeSerializer(self.secret, salt="croupier ticket 2")

    def give(self, ticket: Ticket, *, seconds: int = SHIFT_SECONDS) -> str:
        until_ms = self.now_ms() + seconds * 1000
        return self.signer.dumps(
            [
                ticket.name,
                ticket.role,
                ticket.table,
                ticket.epoch,
                ticket.device,
                ticket.command,
                until_ms,
                ticket.factor,
            ]
        )

    def read(self, text: str) -> Ticket:
        """The ticket that a text is, if this house signed it and it has not ended."""
        try:
            ticket = Ticket(*self.signer.loads(text))
        except (BadData, TypeError) as error:
            raise NoTicket("this ticket is not good here: enter again through the lobby") from error
        self.check(ticket)
        return ticket

    def check(self, ticket: Ticket) -> None:
        """Refuse a ticket whose time is over; one that was read before may have ended since."""
        if ticket.until_ms and self.now_ms() > ticket.until_ms:
            raise NoTicket(ENDED)
