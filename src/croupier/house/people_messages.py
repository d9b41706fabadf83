"""Everything that can be asked about the people of a house, and everything that can have happened, on one page.

A command that sets a password or PIN carries its verifier to the database; no event does.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from croupier.house.journal import Entry, Request, decoded
from croupier.table.commands import Command
from croupier.table.events import Event

Kind: TypeAlias = Literal["password", "pin"]

# ---------------------------------------------------------------- commands


class MakeAccount(Command, frozen=True):
    name: str
    roles: tuple[str, ...]
    verifier: str
    kind: Kind = "password"
    must_change: bool = True


class GiveRoles(Command, frozen=True):
    """These roles and no others from now on."""

    name: str
    roles: tuple[str, ...]


class Disable(Command, frozen=True):
    name: str
    reason: str = ""


class Enable(Command, frozen=True):
    name: str


class Unlock(Command, frozen=True):
    name: str


class SetCredential(Command, frozen=True):
    """Another password or PIN: one's own, or one for one use that a manager gives."""

    name: str
    verifier: str
    kind: Kind = "password"
    must_change: bool = False


class Try(Command, frozen=True):
    """Somebody tried to sign in under a name, for `purpose`; `right`: the password was the right one."""

    name: str
    right: bool
    purpose: str = ""


class SignOut(Command, frozen=True):
    name: str


AnyCommand: TypeAlias = MakeAccount | GiveRoles | Disable | Enable | Unlock | SetCredential | Try | SignOut
Asked: TypeAlias = Request[AnyCommand]

# ---------------------------------------------------------------- events


class PersonEvent(Event, frozen=True, kw_only=True):
    """The base: something about one person."""

    rule: str = ""
    name: str = ""


class AccountMade(PersonEvent, frozen=True):
    roles: tuple[str, ...]
    kind: Kind
    mark: str
    must_change: bool = False


class RolesGiven(PersonEvent, frozen=True):
    roles: tuple[str, ...]


class AccountDisabled(PersonEvent, frozen=True):
    reason: str = ""


class AccountEnabled(PersonEvent, frozen=True):
    pass


class AccountUnlocked(PersonEvent, frozen=True):
    pass


class CredentialSet(PersonEvent, frozen=True):
    kind: Kind
    mark: str
    must_change: bool = False


class SignedIn(PersonEvent, frozen=True):
    purpose: str = ""


class SignInFailed(PersonEvent, frozen=True):
    """A wrong password; without a name where nobody has the name that was tried, which may be anything."""

    failures: int = 0


class AccountLocked(PersonEvent, frozen=True):
    until_ms: int


class SignInRefused(PersonEvent, frozen=True):
    """A try at an account that is locked or disabled; whether the password was right is not told."""


class SignedOut(PersonEvent, frozen=True):
    pass


AnyEvent: TypeAlias = (
    AccountMade
    | RolesGiven
    | AccountDisabled
    | AccountEnabled
    | AccountUnlocked
    | CredentialSet
    | SignedIn
    | SignInFailed
    | AccountLocked
    | SignInRefused
    | SignedOut
)
Events: TypeAlias = tuple[AnyEvent, ...]

_LINES = msgspec.json.Decoder(Entry[AnyEvent])


def decode(line: bytes | str) -> Entry[AnyEvent]:
    return decoded(_LINES, line)
