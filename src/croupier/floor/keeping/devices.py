"""The devices of a running house: codes for pairing, secrets, and who is on the line of a device that was released.

Theory of operation.  A supervisor asks for a code, which is told once and lies nowhere; the device shows it and is told
its secret, once.  The journal "@devices" keeps the marks of both.  Each device has one job: with its secret a terminal
gets tickets and plays under the account of its name, a shoe gets tickets and tells cards, and a note acceptor tells
what it took; the secret of a terminal credits nothing.  A ticket of a device is good as long as the device is the one
that was paired then, and, for a terminal, as long as the table has that terminal.

The table's journal and this one cannot change together.  So whatever device still has the name of a terminal is
released before the table pairs that name, and again after the table took the terminal away: at no moment, and after no
crash, does an old secret open a newly paired terminal.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Any, Final

import msgspec

from croupier.floor.keeping.accounts import LETTERS
from croupier.floor.keeping.credentials.tickets import NoTicket, Ticket
from croupier.floor.keeping.host import Host
from croupier.floor.keeping.keeper import Keeper, Kind, new_id
from croupier.floor.store.durable import Store
from croupier.floor.wire import Answer, Sorry
from croupier.game import Refusal
from croupier.house.devices import decide as book
from croupier.house.devices.decide import JOURNAL, Device, mark_of
from croupier.house.people.decide import People
from croupier.journal.names import called, plain
from croupier.law.officials import DEALER, NOTE_ACCEPTOR, PLAYER
from croupier.table.commands import AnyCommand, TableRequest, Tell
from croupier.table.decide import decide
from croupier.table.terminals.commands import PairTerminal, UnpairTerminal, usual_name

CODE_SECONDS: Final = 300
SECRET_BYTES: Final = 32
PART: Final = 4
PARTS: Final = 3
SHOE: Final = "shoe"
TERMINAL: Final = "terminal"
ROLE_OF: Final[Mapping[str, str]] = {TERMINAL: PLAYER, SHOE: DEALER, "acceptor": NOTE_ACCEPTOR}
ACCEPTOR: Final = " note acceptor"
"""How the device in a terminal that takes notes is called, after its terminal."""
ENDED: Final = "this device is paired here no more: pair it again"

TOLD_BEFORE: Final = "the code for this command was told, once: ask for another"


def _said(what: book.AnyCommand) -> book.AnyCommand:
    """An offer without its code, which is another each time."""
    return msgspec.structs.replace(what, selector="", mark="", until_ms=0) if isinstance(what, book.OfferCode) else what


DEVICES: Kind[book.Devices] = Kind(
    book.decide, book.entries, book.after, book.encode, book.decode, request=book.Asked, said=_said
)


@dataclass(frozen=True, slots=True)
class Code:
    """A code as a supervisor reads it out, and until when it is good."""

    text: str
    until_ms: int


@dataclass(frozen=True, slots=True)
class NotDone:
    reason: str


def new_code() -> tuple[str, str]:
    """A new code: the part that selects the offer, and the rest, which nobody can guess in a few tries."""
    text = "".join(secrets.choice(LETTERS) for _ in range(PART * PARTS))
    return text[:PART], text[PART:]


def read_code(text: str) -> tuple[str, str]:
    """A code as somebody typed it."""
    plain = "".join(letter for letter in text.lower() if letter.isalnum())
    return plain[:PART], plain[PART:]


@dataclass(slots=True, eq=False)
class DeviceKeeping:
    """The devices of a house."""

    store: Store
    hosts: Mapping[str, Host]
    now_ms: Callable[[], int]
    key: bytes = field(repr=False)
    """What the marks of codes are made with; it is in no journal and no database."""
    works_here: Callable[[str, str], bool]
    """Whether somebody still has a role in this house: who was shut out has left no code behind."""
    keeper: Keeper[book.Devices] = field(init=False)

    def __post_init__(self) -> None:
        self.keeper = Keeper(self.store, JOURNAL, DEVICES, book.Devices(), book.Devices(), changed=self._changed)

    @property
    def known(self) -> book.Devices:
        """The devices as far as they are durable."""
        return self.keeper.shown

    async def start(self) -> None:
        await self.keeper.take_over()
        await self.keeper.follow()
        await self.sign()

    async def sign(self) -> None:
        await self.keeper.sign(self.now_ms())

    async def _ask(self, what: book.AnyCommand, *, by: str, role: str, asked: str = "") -> Answer:
        answer = await self.keeper.ask(asked or new_id(), book.Asked(what, by, role, self.now_ms()))
        await self.keeper.follow()
        return answer

    def _changed(self, lines: tuple[Any, ...]) -> None:
        """A device was released, or is another one now: a line that the old one has open ends, in every process."""
        for event in (line.event for line in lines if isinstance(line.event, book.DeviceReleased | book.DevicePaired)):
            host = self.hosts.get(event.table)
            for watcher in [each for each in host.watchers if each.name == event.name] if host else ():
                if host and watcher.role in ROLE_OF.values():
                    host.watchers.pop(watcher, None)
                    watcher.tell(Sorry(ENDED, end=True))

    # ---------------------------------------------------------------- pairing

    async def offer(self, host: Host, name: str, *, by: str, role: str, asked: str = "") -> Code | NotDone:
        """A code for a terminal of this table, or for its shoe; one for each command that asks for one."""
        if name != SHOE and terminal_of(name) not in host.table.terminals:
            await host.keeper.follow()
        if name != SHOE and terminal_of(name) not in host.table.terminals:
            return NotDone(f"{name!r:.60} is no terminal of {host.table.name}: pair it with the table first")
        selector, rest = new_code()
        until_ms = self.now_ms() + CODE_SECONDS * 1000
        what = book.OfferCode(host.table.name, name, _kind(name), selector, self._mark(selector, rest), until_ms)
        answer = await self._ask(what, by=by, role=role, asked=asked)
        if answer.done and not self.offered(selector + rest):
            return NotDone(TOLD_BEFORE)
        text = selector + rest
        spelled = "-".join(text[start : start + PART] for start in range(0, len(text), PART))
        return Code(spelled, until_ms) if answer.done else NotDone(answer.reason)

    def _mark(self, selector: str, rest: str) -> str:
        """What the journal keeps of a code.

        Eight letters are found from a plain hash within the minutes that a code is good for, by whoever reads the
        journal, the feed of events or a copy of the database meanwhile; so the hash is keyed.
        """
        return hmac.digest(self.key, f"croupier code 1\n{selector}\n{rest}".encode(), "sha256").hex()

    def offered(self, code: str) -> bool:
        """Whether this is the code of an offer, as far as this process knows; nothing is counted."""
        selector, rest = read_code(code)
        offer = self.known.offers.get(selector)
        is_right = offer is not None and compare_digest(offer.mark, self._mark(selector, rest))
        return is_right and not self._is_void(selector)

    def _is_void(self, selector: str) -> bool:
        """Whether somebody told this code who has that role no more."""
        offer = self.known.offers.get(selector)
        return offer is not None and not self.works_here(offer.by, offer.role)

    async def pair(self, code: str) -> tuple[Device, str] | None:
        """The device that a code makes, and its secret, which is told only now."""
        selector, rest = read_code(code)
        if self._is_void(selector):
            return None
        secret = secrets.token_hex(SECRET_BYTES)
        what = book.PairDevice(selector, self._mark(selector, rest), mark_of(secret))
        await self._ask(what, by="a device", role="")
        device = self.known.with_secret(secret)
        await self.sign()
        return (device, secret) if device else None

    async def release(self, host: Host, name: str, *, by: str, role: str) -> None:
        """Whoever was this device is it no more, nor its note acceptor."""
        for each in (name, name + ACCEPTOR):
            here = (host.table.name, each)
            if here in self.known.paired or any((o.table, o.name) == here for o in self.known.offers.values()):
                await self._ask(book.ReleaseDevice(*here), by=by, role=role)

    # ---------------------------------------------------------------- tickets

    def ticket(self, device: Device) -> Ticket:
        return Ticket(device.name, ROLE_OF[device.kind], device.table, device.epoch, device.kind)

    def check(self, ticket: Ticket) -> None:
        """Refuse the ticket of a device that was released, and of anybody who has the name of a terminal."""
        host = self.hosts.get(ticket.table)
        is_terminal = host is not None and ticket.name in host.table.terminals
        if not ticket.device:
            if is_terminal and ticket.role in (PLAYER, NOTE_ACCEPTOR):
                raise NoTicket(f"{ticket.name} is a terminal: it enters with its own secret")
            return
        device = self.known.paired.get((ticket.table, ticket.name))
        is_terminal = is_terminal or (host is not None and terminal_of(ticket.name) in host.table.terminals)
        if device is None or device.epoch != ticket.epoch or not (is_terminal or device.kind == SHOE):
            raise NoTicket(ENDED)


def _kind(name: str) -> book.Kind:
    """What a device of this name is: only a note acceptor is called after its terminal, and only a shoe so."""
    return "shoe" if name == SHOE else "acceptor" if name.endswith(ACCEPTOR) else "terminal"


def terminal_of(device: str) -> str:
    """The terminal that a device is, or that it is the note acceptor of."""
    return device.removesuffix(ACCEPTOR)


def not_of_device(ticket: Ticket, command: AnyCommand) -> Refusal | None:
    """Why a device may not ask for this: a shoe tells what came out of it, and does nothing else of a dealer's."""
    if ticket.device != SHOE or (isinstance(command, Tell) and isinstance(command.fact, str)):
        return None
    return Refusal(f"{called(type(command))} is not for a shoe: it tells cards", "")


def named_otherwise(people: People | None, command: AnyCommand) -> Refusal | None:
    """Why a terminal may not be called that: it would be taken for another device, or for somebody of the house."""
    if not isinstance(command, PairTerminal) or not command.name:
        return None
    if _kind(plain(command.name)) != "terminal":
        return Refusal(f"{command.name!r:.60} is the name of another device", "")
    if people is not None and people.find(command.name) is not None:
        return Refusal(f"{command.name!r:.60} is the name of somebody of this house", "")
    return None


async def before_pairing(devices: DeviceKeeping, host: Host, command: PairTerminal, *, by: str, role: str) -> None:
    """Before a table pairs a terminal, if it will: a device that still has this name was another one."""
    if not isinstance(decide(host.table, TableRequest(command, by, role, devices.now_ms())), Refusal):
        await devices.release(host, command.name or usual_name(command.number), by=by, role=role)


async def after_unpairing(devices: DeviceKeeping, host: Host, command: UnpairTerminal, *, by: str, role: str) -> None:
    """After a table took a terminal away: its device is none any more; one that was paired since is another."""
    if command.terminal not in host.table.terminals:
        await devices.release(host, command.terminal, by=by, role=role)
