"""Tickets: who somebody is, in which role and at which table, signed so that a page cannot make one.

Everything at a table goes by tickets.  A demonstration gives one to whoever asks; a house with accounts gives them for
a session, in the roles of the account.  A ticket carries the `epoch` of the account, so that it ends with it, and how
long it is good for: a shift, or a moment where an official lends a role at somebody else's screen.

The secret that signs tickets and sessions is a file beside the key, never in the database: it is the same after a new
start, and the same for all processes of a house.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from itsdangerous import BadData, URLSafeTimedSerializer

from croupier.floor.heads import BadKey, written_once

SHIFT_SECONDS: Final = 12 * 60 * 60
LENT_SECONDS: Final = 120
SECRET_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Ticket:
    """Who somebody is, in which role, and at which table; no table is the house itself, for its staff.

    `device`: what kind of device this is, if it is one and no person.
    """

    name: str
    role: str
    table: str
    epoch: int = 0
    device: str = ""


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


def secret_beside(key_path: Path) -> bytes:
    """The secret that belongs to a key."""
    return open_secret(key_path.with_name(f"{key_path.name}.tickets"))


@dataclass(slots=True)
class Tickets:
    """What signs tickets, and reads them."""

    secret: bytes = field(repr=False)
    signer: URLSafeTimedSerializer = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.signer = URLSafeTimedSerializer(self.secret, salt="croupier ticket")

    def give(self, ticket: Ticket, *, seconds: int = SHIFT_SECONDS) -> str:
        return self.signer.dumps([ticket.name, ticket.role, ticket.table, ticket.epoch, seconds, ticket.device])

    def read(self, text: str) -> Ticket:
        """The ticket that a text is, if this house signed it and it is not too old."""
        try:
            name, role, table, epoch, seconds, device = self.signer.loads(text)
            self.signer.loads(text, max_age=seconds)
        except (BadData, ValueError) as error:
            raise NoTicket("this ticket is not good here: enter again through the lobby") from error
        return Ticket(name, role, table, epoch, device)
