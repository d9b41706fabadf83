"""The accounts of a house: argon2 verifiers, tries to sign in, and the journal "@people" that tells of them.

Theory of operation.  What is true of a person is the state of the journal; the row in the database holds the same and
the verifier, written in one commit with the line.  A try takes the same way whether the name is known or not: one
verification in a thread, one durable line, one answer, so that neither the words nor the time tell who has an account.
Tries at one name go one after another, so that many at once cannot outrun the lock.

A verifier that is not the one the journal marked opens nothing: whoever can write to the database cannot let himself
in without breaking the chain.  Passwords and PINs are in no line, no log and no error.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from hmac import compare_digest
from itertools import pairwise
from typing import Any, Final

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from croupier.floor.keeping.credentials.tickets import NoTicket, Ticket
from croupier.floor.keeping.keeper import Keeper, Kind, new_id
from croupier.floor.store.appends import AccountRow
from croupier.floor.store.durable import Store
from croupier.floor.wire import Answer
from croupier.house.people import decide as book
from croupier.house.people import messages as m
from croupier.house.people.decide import JOURNAL, People, Person, mark_of
from croupier.journal.names import plain
from croupier.law.officials import CASINO_MANAGER

AT_ONCE: Final = 4
"""Verifications at one time: each takes memory, and anybody may ask for one."""

TURNS: Final = 64
"""Queues for tries: those at one name stand in the same one."""

SHORTEST_PASSWORD, SHORTEST_PIN, LONGEST = 12, 6, 200
LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
FIRST_NAME: Final = "manager"
BETWEEN_ROLES: Final = ", "


@dataclass(frozen=True, slots=True)
class Hashing:
    """What a verification costs: passes, memory, lanes."""

    passes: int = 3
    memory_kib: int = 65_536
    lanes: int = 4


def read_hashing(text: str) -> Hashing:
    """Passes, KiB of memory, lanes: `3,65536,4`; nothing means the usual cost."""
    if not text:
        return Hashing()
    try:
        passes, memory_kib, lanes = (int(part) for part in text.split(","))
        PasswordHasher(passes, memory_kib, lanes).hash("x")
    except (ValueError, Argon2Error):
        raise ValueError(f"argon2 takes passes, KiB of memory and lanes, like 3,65536,4: {text!r:.40}") from None
    return Hashing(passes, memory_kib, lanes)


def weak(secret: str, *, kind: str, name: str = "") -> str:
    """Why this password or PIN is not taken; nothing if it is."""
    if kind == "pin":
        if not secret.isascii() or not secret.isdecimal() or not SHORTEST_PIN <= len(secret) <= LONGEST:
            return f"a PIN has at least {SHORTEST_PIN} digits, and nothing else"
        steps = {ord(b) - ord(a) for a, b in pairwise(secret)}
        return "all digits alike, or counting up or down, is no PIN" if steps in ({0}, {1}, {-1}) else ""
    if not SHORTEST_PASSWORD <= len(secret) <= LONGEST:
        return f"a password has {SHORTEST_PASSWORD} to {LONGEST} characters"
    if len(set(secret)) < 5 or (name and plain(name) == plain(secret)):
        return "this password is too simple"
    return ""


def one_time(kind: str) -> str:
    """A password or PIN for one use."""
    if kind == "pin":
        return "".join(secrets.choice("0123456789") for _ in range(10))
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(4))


def rows(people: People, request: Any, lines: tuple[Any, ...]) -> tuple[AccountRow, ...]:
    """The people whom these lines speak of, as they are now."""
    touched = dict.fromkeys(plain(line.event.name) for line in lines if line.event.name)
    verifier = getattr(request.what, "verifier", "")
    return tuple(row_of(people.by_name[name], verifier) for name in touched)


def roles_of(row: AccountRow) -> tuple[str, ...]:
    """The roles of a person, of which the row is one text."""
    return tuple(row.roles.split(BETWEEN_ROLES))


def row_of(person: Person, verifier: str = "") -> AccountRow:
    return AccountRow(
        person.name,
        BETWEEN_ROLES.join(person.roles),
        person.kind,
        person.failures,
        person.locked_until_ms,
        person.must_change,
        person.disabled,
        verifier,
    )


def _said(what: m.AnyCommand) -> m.AnyCommand:
    """A command without the verifier, which is another each time."""
    return msgspec.structs.replace(what, verifier="") if isinstance(what, m.MakeAccount | m.SetCredential) else what


PEOPLE: Kind[People] = Kind(
    book.decide, book.entries, book.after, book.encode, book.decode, request=m.Asked, accounts=rows, said=_said
)


@dataclass(slots=True, eq=False)
class Accounts:
    """The people of a running house; `ended` hears whose sessions and tickets are good no more."""

    store: Store
    now_ms: Callable[[], int]
    hashing: Hashing = field(default_factory=Hashing)
    ended: Callable[[str], None] = lambda _name: None
    keeper: Keeper[People] = field(init=False)
    hasher: PasswordHasher = field(init=False)
    nobody: str = field(init=False, repr=False, default="")
    at_once: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    in_turn: tuple[asyncio.Lock, ...] = field(default_factory=lambda: tuple(asyncio.Lock() for _ in range(TURNS)))

    def __post_init__(self) -> None:
        self.keeper = Keeper(self.store, JOURNAL, PEOPLE, People(), People(), changed=self._changed)
        self.hasher = PasswordHasher(self.hashing.passes, self.hashing.memory_kib, self.hashing.lanes)
        self.nobody = self.hasher.hash(secrets.token_hex(16))

    @property
    def people(self) -> People:
        """The people as far as it is durable."""
        return self.keeper.shown

    async def start(self) -> None:
        """Read the journal, and keep it unless another process does; the house then has it followed."""
        await self.keeper.take_over()
        await self.keeper.follow()
        await self.sign()

    async def sign(self) -> None:
        await self.keeper.sign(self.now_ms())

    def _changed(self, lines: tuple[Any, ...]) -> None:
        ends = m.AccountDisabled | m.CredentialSet | m.SignedOut | m.RolesGiven | m.FactorsForgotten
        for name in dict.fromkeys(line.event.name for line in lines if isinstance(line.event, ends)):
            self.ended(name)

    # ---------------------------------------------------------------- asking

    async def ask(self, what: m.AnyCommand, *, by: str, role: str, second: str = "", command_id: str = "") -> Answer:
        request = m.Asked(what, by, role, self.now_ms(), second)
        answer = await self.keeper.ask(command_id or new_id(), request)
        # Where another process keeps the people, this one knows now what it has just had done there.
        await self.keeper.follow()
        return answer

    async def verifier(self, secret: str) -> str:
        """What a password or PIN is kept as."""
        async with self.at_once:
            return await asyncio.to_thread(self.hasher.hash, secret)

    async def tried(self, name: str, secret: str, *, purpose: str, known: bool = False) -> Person | None:
        """The person, if the password is right and the account open; each try is a line of the journal."""
        async with self.in_turn[hash(plain(name)) % TURNS]:
            right = await self._right(name, secret)
            before = self.people.entries
            answer = await self.ask(m.Try(name, right, purpose, known), by=self._known(name), role="")
            return self._admitted(name, before, answer, known=known) if right else None

    def _known(self, name: str) -> str:
        """The name of a person; what was typed may be anything, even a password, and is not written down."""
        person = self.people.find(name)
        return person.name if person else "somebody"

    def _admitted(self, name: str, before: int, answer: Answer, *, known: bool) -> Person | None:
        """The person, if the line that the try made let them in: one who was locked meanwhile is not."""
        person = self.people.find(name)
        if person is None or person.disabled:
            return None
        tries = (
            (person.own_failures, person.own_locked_until_ms) if known else (person.failures, person.locked_until_ms)
        )
        return person if answer.done and not any(tries) and answer.line > before else None

    async def _right(self, name: str, secret: str) -> bool:
        row = await asyncio.to_thread(self.store.account, self._known(name))
        person = self.people.find(name)
        kept = row.verifier if row else self.nobody
        async with self.at_once:
            matches = await asyncio.to_thread(_matches, self.hasher, kept, secret)
        return matches and person is not None and compare_digest(mark_of(kept), person.mark)

    # ---------------------------------------------------------------- accounts

    async def make(self, name: str, roles: tuple[str, ...], *, kind: m.Kind, **asked: str) -> tuple[Answer, str]:
        """A new account with a password for one use."""
        secret = one_time(kind)
        return await self._given(m.MakeAccount(name, roles, await self.verifier(secret), kind), secret, **asked)

    async def reset(self, name: str, **asked: str) -> tuple[Answer, str]:
        """A new password for one use."""
        person = self.people.find(name)
        kind: m.Kind = person.kind if person else "password"
        secret = one_time(kind)
        what = m.SetCredential(name, await self.verifier(secret), kind, must_change=True)
        return await self._given(what, secret, **asked)

    async def _given(self, what: m.MakeAccount | m.SetCredential, secret: str, **asked: str) -> tuple[Answer, str]:
        """What became of it, and the password if it is this one: the same command again set none."""
        answer = await self.ask(what, **asked)
        person = self.people.find(what.name)
        return answer, secret if person and person.mark == mark_of(what.verifier) else ""

    async def first(self) -> tuple[str, str] | None:
        """In a house that has no casino manager, make one."""
        managers = [each for each in self.people.by_name.values() if CASINO_MANAGER in each.roles]
        if not self.keeper.owned or managers or self.people.find(FIRST_NAME):
            return None
        answer, secret = await self.make(
            FIRST_NAME, (CASINO_MANAGER,), kind="password", by=book.CONSOLE, role=book.CONSOLE
        )
        assert answer.done, answer.reason
        return FIRST_NAME, secret

    def check(self, ticket: Ticket) -> None:
        """Refuse the ticket of somebody whose account is closed or changed since."""
        person = self.people.find(ticket.name)
        if person is None or person.disabled or person.epoch != ticket.epoch or ticket.role not in person.roles:
            raise NoTicket("this ticket has ended: enter again through the lobby")


async def first_account(accounts: Accounts) -> tuple[str, str] | None:
    """The name and the password for one use of the first account, if it was made now."""
    await accounts.start()
    made = await accounts.first()
    await accounts.sign()
    return made


def _matches(hasher: PasswordHasher, kept: str, secret: str) -> bool:
    try:
        return hasher.verify(kept, secret)
    except (Argon2Error, InvalidHashError):
        return False
