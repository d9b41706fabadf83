"""The devices of the house: terminals, note acceptors and electronic shoes, each known by a secret that only it has.

Theory of operation.  The devices are a journal as the people are: `decide` turns a request into events or refuses it,
`after` makes the devices that follow, and replaying the lines gives the same devices again.  A supervisor offers a code
for one device; whoever shows that code in time becomes that device, and gets a secret.  No code and no secret is in the
journal, only the marks of them: a secret has 256 random bits, so that its mark lets nobody find it; a code is short,
but good for minutes, for one use and for few tries.

A device that is paired anew, or released, is another one from then on: its `epoch`, which its tickets carry, is the
line that paired it.

The rules of the games say what a terminal does; how a house knows its devices is its own affair, so that these events
cite no rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from hmac import compare_digest
from typing import Any, Literal, TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from croupier.game import Refusal
from croupier.house.people.decide import CONSOLE
from croupier.journal.entries import BadJournal, decoded, encode, in_order
from croupier.journal.entries import entries as numbered
from croupier.journal.messages import Command, Entry, Event, Request
from croupier.law.officials import GAME_SUPERVISOR, at_least

JOURNAL = "@devices"
TRIES = 5
"""Wrong codes after which an offer is void."""
LONGEST_NAME = 60
OFFERS = at_least(GAME_SUPERVISOR) | {CONSOLE}

Kind: TypeAlias = Literal["terminal", "acceptor", "shoe"]


def mark_of(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


# ---------------------------------------------------------------- what is asked and what happened


class OfferCode(Command, frozen=True):
    """A supervisor offers a code for a device; `selector` is the part of it that tells which offer is meant."""

    table: str
    name: str
    kind: Kind
    selector: str
    mark: str
    until_ms: int


class PairDevice(Command, frozen=True):
    """Somebody shows a code: the mark of it, and the mark of the secret that the device is to have."""

    selector: str
    tried: str
    mark: str


class ReleaseDevice(Command, frozen=True):
    table: str
    name: str


AnyCommand: TypeAlias = OfferCode | PairDevice | ReleaseDevice
Asked: TypeAlias = Request[AnyCommand]


class DeviceEvent(Event, frozen=True, kw_only=True):
    rule: str = ""


class CodeOffered(DeviceEvent, frozen=True):
    table: str
    name: str
    kind: Kind
    selector: str
    mark: str
    until_ms: int


class PairingFailed(DeviceEvent, frozen=True):
    """A wrong code for this offer."""

    selector: str


class DevicePaired(DeviceEvent, frozen=True):
    table: str
    name: str
    selector: str
    mark: str


class DeviceReleased(DeviceEvent, frozen=True):
    table: str
    name: str


AnyEvent: TypeAlias = CodeOffered | PairingFailed | DevicePaired | DeviceReleased
Events: TypeAlias = tuple[AnyEvent, ...]

_LINES = msgspec.json.Decoder(Entry[AnyEvent])


def decode(line: bytes | str) -> Entry[AnyEvent]:
    return decoded(_LINES, line)


# ---------------------------------------------------------------- the devices


class Device(msgspec.Struct, frozen=True):
    """A paired device; its tickets are good as long as its epoch is the same."""

    table: str
    name: str
    kind: Kind
    mark: str
    epoch: int


class Offer(msgspec.Struct, frozen=True):
    """A code that was told, and who told it in which role."""

    table: str
    name: str
    kind: Kind
    mark: str
    until_ms: int
    by: str = ""
    role: str = ""
    tries: int = 0


class Devices(msgspec.Struct, frozen=True):
    """The paired devices by table and name, and the offers that stand, by their selectors."""

    entries: int = 0
    paired: Mapping[tuple[str, str], Device] = {}
    offers: Mapping[str, Offer] = {}

    def with_secret(self, secret: str) -> Device | None:
        """The device that this is the secret of; every mark is looked at, whichever it is."""
        mark, found = mark_of(secret), None
        for device in self.paired.values():
            if compare_digest(device.mark, mark):
                found = device
        return found


# ---------------------------------------------------------------- deciding


def decide(devices: Devices, request: Asked) -> Events | Refusal:
    """The events that follow from a request, or why none do."""
    what = request.what
    match what:
        case OfferCode():
            return _bad_offer(devices, request, what) or (_offered(what),)
        case PairDevice():
            return _tried(devices, request, what)
        case ReleaseDevice(table=table, name=name):
            known = (table, name) in devices.paired or _offers_of(devices, table, name)
            no = Refusal(f"{name!r:.60} of {table!r:.60} is not paired", "")
            return (DeviceReleased(table=table, name=name),) if known else no
        case _:
            assert_never(what)


def _offered(what: OfferCode) -> CodeOffered:
    return CodeOffered(
        table=what.table, name=what.name, kind=what.kind, selector=what.selector, mark=what.mark, until_ms=what.until_ms
    )


def _bad_offer(devices: Devices, request: Asked, what: OfferCode) -> Refusal | None:
    if request.role not in OFFERS:
        return Refusal(f"a code is offered by the {GAME_SUPERVISOR} and those above, not by the {request.role}", "")
    if not 0 < len(what.name) <= LONGEST_NAME:
        return Refusal(f"a device has a name of 1 to {LONGEST_NAME} characters", "")
    if what.until_ms <= request.at_ms or what.selector in devices.offers:
        return Refusal("this code is of no use: ask for another", "")
    return None


def _tried(devices: Devices, request: Asked, what: PairDevice) -> Events | Refusal:
    """Whoever shows a wrong code is told no more than whoever shows one that never was."""
    offer = devices.offers.get(what.selector)
    if offer is None or offer.tries >= TRIES or request.at_ms > offer.until_ms:
        return Refusal("this code is wrong, was used, or is too old", "")
    if not compare_digest(offer.mark, what.tried):
        return (PairingFailed(selector=what.selector),)
    return (DevicePaired(table=offer.table, name=offer.name, selector=what.selector, mark=what.mark),)


def _offers_of(devices: Devices, table: str, name: str) -> list[str]:
    return [key for key, offer in devices.offers.items() if (offer.table, offer.name) == (table, name)]


# ---------------------------------------------------------------- evolving


def entries(devices: Devices, request: Asked, events: Events) -> tuple[Entry[AnyEvent], ...]:
    return numbered(devices.entries, request, events)


def after(devices: Devices, lines: Iterable[Entry[Any]]) -> Devices:
    """The devices after these lines of the journal."""
    devices, number = in_order(devices, devices.entries, lines, _happens)
    return replace(devices, entries=number)


def _happens(devices: Devices, line: Entry[AnyEvent]) -> Devices:
    event = line.event
    match event:
        case CodeOffered(selector=selector):
            offer = Offer(event.table, event.name, event.kind, event.mark, event.until_ms, line.by, line.role)
            kept = _without(devices, event.table, event.name)
            # Offers that nobody took are forgotten with the first that comes after their time.
            live = {key: each for key, each in kept.items() if each.until_ms >= line.at_ms}
            return replace(devices, offers={**live, selector: offer})
        case PairingFailed(selector=selector):
            offer = _standing(devices, selector)
            return replace(devices, offers={**devices.offers, selector: replace(offer, tries=offer.tries + 1)})
        case DevicePaired(selector=selector, mark=mark):
            offer = _standing(devices, selector)
            device = Device(offer.table, offer.name, offer.kind, mark, line.number + 1)
            paired = {**devices.paired, (offer.table, offer.name): device}
            return replace(devices, paired=paired, offers=_without(devices, offer.table, offer.name))
        case DeviceReleased(table=table, name=name):
            left = {key: device for key, device in devices.paired.items() if key != (table, name)}
            return replace(devices, paired=left, offers=_without(devices, table, name))
        case _:
            assert_never(event)


def _standing(devices: Devices, selector: str) -> Offer:
    if selector not in devices.offers:
        raise BadJournal(f"a code {selector!r:.20} that nobody offered")
    return devices.offers[selector]


def _without(devices: Devices, table: str, name: str) -> dict[str, Offer]:
    gone = _offers_of(devices, table, name)
    return {key: offer for key, offer in devices.offers.items() if key not in gone}


__all__ = ["JOURNAL", "Asked", "Device", "Devices", "after", "decide", "decode", "encode", "entries", "mark_of"]
