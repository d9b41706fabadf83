"""Second factors of the people of a house: codes that change with time (TOTP), and passkeys (WebAuthn).

Theory of operation.  Some acts want more than a password: a correction, a role, a key.  Whoever asks for one shows a
second factor for that command, and gets a ticket that is good for it alone and says so (`Ticket.factor`).  The journal
of the people has which factors somebody has, and each time one was shown and for what; what is decided there is that a
code counts once (`house/people/factors.py`).

No secret is kept.  The secret of a code follows from the id of its factor and a key that lies in a file beside the key
of the house, and in no database; of a passkey the house has only the public part.  What is offered or asked between two
requests is not remembered either: it goes to the page and comes back, signed, for a person, a purpose and some minutes.

Codes are reckoned by pyotp and passkeys checked by Yubico's fido2.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode, b64decode, b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Literal, TypeAlias

import msgspec
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticatorData,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    UserVerificationRequirement,
)
from itsdangerous import BadData, URLSafeSerializer
from pyotp import TOTP

from croupier.floor.keeping.accounts import Accounts
from croupier.floor.wire import Answer
from croupier.house.people import messages as m
from croupier.house.people.decide import Person

Wanted: TypeAlias = Literal["required", "enrolled"]
"""Who shows a second factor: everybody, or whoever has one."""

STEP_SECONDS: Final = 30
STEPS: Final = (0, -1, 1)
"""Steps around the present one in which a code is taken: clocks differ, and people type slowly."""
SECRET_BYTES: Final = 20
OFFER_SECONDS: Final = 600
CHALLENGE_SECONDS: Final = 120
ISSUER: Final = "croupier"
NOT_GOOD: Final = "this second factor is not good here: try again"
TOO_LATE: Final = "this took too long, or was for somebody else: begin again"


class BadFactor(ValueError):
    """Something that was shown and is not good, in one line."""


class ShownFactor(msgspec.Struct, forbid_unknown_fields=True):
    """A second factor as somebody shows it: the figures of a code, or what a passkey answered to a challenge."""

    code: str = ""
    state: str = ""
    passkey: dict[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Site:
    """The house as a browser knows it: its name, and which pages are its own."""

    host: str
    is_own: Callable[[str], bool]

    def server(self) -> Fido2Server:
        return Fido2Server(PublicKeyCredentialRpEntity(id=self.host, name=ISSUER), verify_origin=self.is_own)


@dataclass(slots=True, eq=False)
class Factors:
    """What makes, asks for and checks second factors."""

    key: bytes = field(repr=False)
    accounts: Accounts
    now_ms: Callable[[], int]
    wanted: Wanted = "enrolled"
    signer: URLSafeSerializer = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.signer = URLSafeSerializer(self.key, salt="croupier factor 1")

    def wants(self, name: str) -> bool:
        """Whether this person shows a second factor before what needs one."""
        person = self.accounts.people.find(name)
        return self.wanted == "required" or bool(person and person.factors)

    # ---------------------------------------------------------------- a new one

    def offer_code(self, person: Person) -> tuple[str, TOTP]:
        """A new secret for codes, and what comes back with the first of them."""
        known = secrets.token_hex(16)
        return self._signed("totp", person.name, known, OFFER_SECONDS), self._totp(person.name, known)

    def offer_passkey(self, person: Person, site: Site) -> tuple[str, dict[str, Any]]:
        """What a browser is asked to make a passkey with, and what comes back with it."""
        user = PublicKeyCredentialUserEntity(id=self._user(person.name), name=person.name, display_name=person.name)
        there = [_credential(each) for each in _passkeys(person, site.host)]
        options, state = site.server().register_begin(
            user, there or None, user_verification=UserVerificationRequirement.PREFERRED
        )
        return self._signed("passkey", person.name, dict(state), OFFER_SECONDS), dict(options)

    async def add(self, person: Person, offer: str, shown: ShownFactor, *, label: str, site: Site) -> Answer:
        """One more factor, if what was offered comes back with what shows that it works."""
        kind, held = self._held(offer, person.name, ("totp", "passkey"))
        if kind == "totp":
            step = self._step(person.name, str(held), shown.code)
            if step is None:
                raise BadFactor(NOT_GOOD)
            factor = m.Factor(str(held), "totp", label, used=step, added_ms=self.now_ms())
        else:
            made = _checked(lambda: site.server().register_complete(held, shown.passkey))
            data = made.credential_data
            assert data is not None
            public = b64encode(bytes(data)).decode()
            known = data.credential_id.hex()[:64]
            factor = m.Factor(known, "passkey", label, public, site.host, made.counter, self.now_ms())
        return await self._ask(m.AddFactor(person.name, factor), person.name)

    async def remove(self, person: Person, factor: str) -> Answer:
        return await self._ask(m.RemoveFactor(person.name, factor), person.name)

    # ---------------------------------------------------------------- showing one

    def challenge(self, person: Person, purpose: str, site: Site) -> tuple[str, dict[str, Any] | None]:
        """What a passkey is asked to sign for a purpose, and what comes back with it; nothing if there is none here."""
        there = [_credential(each) for each in _passkeys(person, site.host)]
        if not there:
            return "", None
        options, state = site.server().authenticate_begin(there, UserVerificationRequirement.PREFERRED)
        return self._signed("challenge", person.name, [purpose, dict(state)], CHALLENGE_SECONDS), dict(options)

    async def shown(self, person: Person, shown: ShownFactor, *, purpose: str, site: Site) -> None:
        """Take a second factor for a purpose, once; `BadFactor` says why not."""
        factor, count = self._found(person, shown, purpose, site)
        what = m.ShowFactor(person.name, factor, count is not None, count or 0, purpose[:80])
        answer = await self._ask(what, person.name)
        if count is None or not answer.done:
            raise BadFactor(answer.reason or NOT_GOOD)

    def _found(self, person: Person, shown: ShownFactor, purpose: str, site: Site) -> tuple[str, int | None]:
        """Which factor it is, and its step or counter if it is right."""
        if shown.code:
            codes = [each for each in person.factors if each.kind == "totp"]
            steps = [(each.id, self._step(person.name, each.id, shown.code)) for each in codes]
            return next((each for each in steps if each[1] is not None), steps[0] if steps else ("", None))
        _, held = self._held(shown.state, person.name, ("challenge",))
        asked, state = held
        known = {_credential(each).credential_id: each for each in _passkeys(person, site.host)}
        if asked != purpose or not known:
            raise BadFactor(TOO_LATE)
        there = list(map(_credential, known.values()))
        try:
            used = _checked(lambda: site.server().authenticate_complete(state, there, shown.passkey))
        except BadFactor:
            return next(iter(known.values())).id, None
        return known[used.credential_id].id, _counter(shown.passkey)

    # ---------------------------------------------------------------- how they are reckoned

    def _totp(self, name: str, known: str) -> TOTP:
        said = "\n".join(("croupier totp 1", name, known)).encode()
        secret = b32encode(hmac.digest(self.key, said, "sha256")[:SECRET_BYTES]).decode()
        return TOTP(secret, name=name, issuer=ISSUER, interval=STEP_SECONDS)

    def _step(self, name: str, known: str, code: str) -> int | None:
        """The time step that a code is of, if it is one of about now."""
        figures, now = "".join(code.split()), self.now_ms() // 1000
        totp, at = self._totp(name, known), datetime.fromtimestamp(now, UTC)
        for step in STEPS:
            if hmac.compare_digest(totp.at(at, step).encode(), figures.encode()):
                return now // STEP_SECONDS + step
        return None

    def _user(self, name: str) -> bytes:
        """What a passkey knows its owner by: nothing that tells the name."""
        return hmac.digest(self.key, f"croupier user 1\n{name}".encode(), "sha256")

    def _signed(self, kind: str, name: str, held: object, seconds: int) -> str:
        return self.signer.dumps([kind, name, held, self.now_ms() + seconds * 1000])

    def _held(self, text: str, name: str, kinds: Iterable[str]) -> tuple[str, Any]:
        try:
            kind, whose, held, until_ms = self.signer.loads(text)
        except (BadData, ValueError, TypeError):
            raise BadFactor(TOO_LATE) from None
        if kind not in kinds or whose != name or self.now_ms() > until_ms:
            raise BadFactor(TOO_LATE)
        return kind, held

    async def _ask(self, what: m.AnyCommand, name: str) -> Answer:
        answer = await self.accounts.ask(what, by=name, role="")
        await self.accounts.keeper.follow()
        return answer


def _passkeys(person: Person, host: str) -> list[m.Factor]:
    return [each for each in person.factors if each.kind == "passkey" and each.host == host]


def _credential(factor: m.Factor) -> AttestedCredentialData:
    return AttestedCredentialData(b64decode(factor.public))


def _counter(passkey: dict[str, Any]) -> int:
    """The counter in what a passkey signed, which was found genuine."""
    text = str(passkey["response"]["authenticatorData"])
    return AuthenticatorData(b64decode(text + "=" * (-len(text) % 4), altchars=b"-_")).counter


def _checked(work: Callable[[], Any]) -> Any:
    """What the library makes of something from outside, of which it says in many ways that it is bad."""
    try:
        return work()
    except Exception:
        raise BadFactor(NOT_GOOD) from None
