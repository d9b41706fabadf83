"""Everything that can be asked about the people of a house, and everything that can have happened, on one page.

A command that sets a password or PIN carries its verifier to the database; no event does.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from croupier.journal.entries import decoded
from croupier.journal.messages import Command, Entry, Event, Request

Kind: TypeAlias = Literal["password", "pin"]
FactorKind: TypeAlias = Literal["totp", "passkey"]


class Factor(msgspec.Struct, frozen=True, omit_defaults=True):
    """A second factor of a person; nothing in it is secret.

    `public` is the public part of a passkey and `host` the name of the house that it is for.  `used` is how far it was
    used: the last time step of a code, or the counter of a passkey.
    """

    id: str
    kind: FactorKind
    label: str = ""
    public: str = ""
    host: str = ""
    used: int = 0
    added_ms: int = 0


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
    """Somebody tried to sign in under a name, for `purpose`; `right`: the password was the right one.

    `known`: on a device on which this person has signed in before.
    """

    name: str
    right: bool
    purpose: str = ""
    known: bool = False


class SignOut(Command, frozen=True):
    name: str


class AcceptLoss(Command, frozen=True):
    """Two people accept that lines of a journal are lost: `witnessed` was known outside, it agrees up to `kept`."""

    table: str
    witnessed: int
    kept: int
    second: str


class AddFactor(Command, frozen=True):
    """One more second factor of one's own, which was shown to work."""

    name: str
    factor: Factor


class RemoveFactor(Command, frozen=True):
    """One factor less of one's own."""

    name: str
    factor: str


class ShowFactor(Command, frozen=True):
    """Somebody shows a second factor, for `purpose`; `right`: it was good.  `count` is its step or its counter."""

    name: str
    factor: str
    right: bool
    count: int = 0
    purpose: str = ""


class ForgetFactors(Command, frozen=True):
    """Two people let somebody who lost them begin again without second factors."""

    name: str


AnyCommand: TypeAlias = (
    MakeAccount
    | GiveRoles
    | Disable
    | Enable
    | Unlock
    | SetCredential
    | Try
    | SignOut
    | AcceptLoss
    | AddFactor
    | RemoveFactor
    | ShowFactor
    | ForgetFactors
)
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
    known: bool = False


class SignInFailed(PersonEvent, frozen=True):
    """A wrong password; without a name where nobody has the name that was tried, which may be anything."""

    failures: int = 0
    known: bool = False


class AccountLocked(PersonEvent, frozen=True):
    """No more tries until then: of strangers, or of the person's `known` devices."""

    until_ms: int
    known: bool = False


class SignInRefused(PersonEvent, frozen=True):
    """A try at an account that is locked or disabled; whether the password was right is not told."""


class SignedOut(PersonEvent, frozen=True):
    pass


class LossAccepted(PersonEvent, frozen=True):
    table: str
    witnessed: int
    kept: int
    second: str


class FactorAdded(PersonEvent, frozen=True):
    factor: Factor


class FactorRemoved(PersonEvent, frozen=True):
    factor: str


class FactorShown(PersonEvent, frozen=True):
    factor: str
    count: int = 0
    purpose: str = ""


class FactorFailed(PersonEvent, frozen=True):
    """A wrong code or a passkey that did not fit; none is taken until then."""

    failures: int
    until_ms: int = 0


class FactorsForgotten(PersonEvent, frozen=True):
    """All second factors of a person, and their sessions, are good no more; the line names the two who did it."""


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
    | LossAccepted
    | FactorAdded
    | FactorRemoved
    | FactorShown
    | FactorFailed
    | FactorsForgotten
)
Events: TypeAlias = tuple[AnyEvent, ...]

_LINES = msgspec.json.Decoder(Entry[AnyEvent])


def decode(line: bytes | str) -> Entry[AnyEvent]:
    return decoded(_LINES, line)
