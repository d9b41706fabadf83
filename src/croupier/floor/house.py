"""The floor: all tables of a house with their hosts, and the tickets with which people enter.

A ticket says who somebody is, in which role and at which table; it is signed, so that a page cannot make one.  In a
demonstration the lobby gives a ticket for any role to whoever asks, and the server listens on a loopback address only.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from itsdangerous import BadSignature, URLSafeTimedSerializer

from croupier.floor.host import Host, open_host
from croupier.floor.store import Store, open_store
from croupier.floor.virtual import NAME, Guest, Pace, VirtualDealer, new_id
from croupier.rulesets import known_game, ruleset
from croupier.table import commands as c
from croupier.table.general import DEALER, GAME_SUPERVISOR, PLAYER, ROLES

TICKET_SECONDS = 12 * 60 * 60


def clock_ms() -> int:
    return int(time.time() * 1000)


@dataclass(frozen=True, slots=True)
class Ticket:
    """Who somebody is, in which role, and at which table; no table is the house itself, for its staff."""

    name: str
    role: str
    table: str


class NoTicket(ValueError):
    """A ticket that this house did not give, or that is too old."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A table as it is to be opened: its rules, its sign, and the guests of the demonstration."""

    name: str
    edition: str
    game: str
    version: str = ""
    sign: Mapping[str, Any] = field(default_factory=dict)
    guests: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    virtual: bool = True


SIGN = {"minimum": 500, "maximum": 100_000, "chip": 100, "supervisor": "Sue"}
DEMONSTRATION = (
    Planned(
        "EB-1",
        "nzeb",
        "baccarat",
        "terminals",
        {**SIGN, "kinds": {"perfect_pairs": (500, 20_000)}},
        {
            "Ann": {"banker": 4_000, "player": 2_500},
            "Bob": {"player": 5_000, "banker": 2_000},
            "Cid": {"banker": 10_000, "tie": 500},
        },
    ),
    Planned(
        "B-4",
        "nzd5",
        "baccarat",
        "midi",
        {**SIGN, "kinds": {"perfect_pairs": (500, 20_000)}},
        {"Gus": {"banker": 2_000, "player": 1_500}, "Hal": {"player": 2_500}},
        virtual=False,
    ),
    Planned("R-1", "nz1996", "roulette", "", SIGN, {"Dee": {"red": 1_000, "straight:17": 500}}),
    Planned("T-1", "nz1996", "tai_sai", "", SIGN, {"Eve": {"small": 1_000, "total:10": 500}}),
    Planned("C-1", "nz1996", "craps", "", SIGN, {"Fay": {"pass": 1_000, "field": 500}}),
)


@dataclass(slots=True)
class House:
    """A running house."""

    store: Store
    demo: bool
    hosts: dict[str, Host] = field(default_factory=dict)
    dealers: dict[str, VirtualDealer] = field(default_factory=dict)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)
    signer: URLSafeTimedSerializer = field(
        default_factory=lambda: URLSafeTimedSerializer(secrets.token_hex(32), salt="ticket")
    )

    def ticket(self, name: str, role: str, table: str) -> str:
        if role not in ROLES:
            raise ValueError(f"unknown role {role!r:.40}; known are {', '.join(ROLES)}")
        if table not in self.hosts and (table or role == PLAYER):
            raise ValueError(f"unknown table {table!r:.40}; known are {', '.join(self.hosts)}")
        if not 0 < len(name.strip()) <= 40:
            raise ValueError("a name has 1 to 40 characters")
        return self.signer.dumps([name.strip(), role, table])

    def admit(self, text: str) -> Ticket:
        try:
            name, role, table = self.signer.loads(text, max_age=TICKET_SECONDS)
        except BadSignature as error:
            raise NoTicket("this ticket is not good here: enter again through the lobby") from error
        return Ticket(name, role, table)

    async def open(self, planned: Planned, pace: Pace) -> None:
        """Run a table: read its journal, open it if it was never opened, and let the demonstration play."""
        rules = ruleset(planned.edition, game=planned.game, version=planned.version)
        game = known_game(planned.game)
        host = await open_host(self.store, planned.name, game, rules, practice=self.demo, now_ms=clock_ms)
        self.hosts[planned.name] = host
        if not host.table.open:
            await host.ask(new_id(), c.OpenTable(**planned.sign), by="Sue", role=GAME_SUPERVISOR)
        await asyncio.wrap_future(self.store.sign_head(planned.name, clock_ms()))
        for seat, (guest, stakes) in enumerate(planned.guests.items(), 1):
            await seat_guest(host, guest, seat=seat, chips=200_000)
            if self.demo:
                self._start(Guest(host, guest, stakes, every=pace.betting / 3).run(), f"{guest} at {planned.name}")
        if self.demo and planned.virtual:
            self.dealers[planned.name] = VirtualDealer(host, pace)
            self._start(self.dealers[planned.name].run(), f"dealer of {planned.name}")

    def _start(self, work: Any, name: str) -> None:
        self.tasks.append(asyncio.create_task(work, name=name))

    async def close(self) -> None:
        """Stop the demonstration, finish what is queued, close the store."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for name in self.hosts:
            await asyncio.wrap_future(self.store.sign_head(name, clock_ms()))
        await asyncio.to_thread(self.store.close)


async def seat_guest(host: Host, name: str, *, seat: int = 0, chips: int) -> None:
    """Somebody sits down with chips, unless they are there already; without a seat named, on the first that is free."""
    if name in host.table.players:
        return
    free = [number for number in range(1, host.table.house.seats + 1) if number not in host.table.seats]
    await host.ask(new_id(), c.Sit(name, seat or next(iter(free), 0)), by=NAME, role=DEALER)
    await host.ask(new_id(), c.BuyChips(name, chips), by=NAME, role=DEALER)


def open_house(url: str, key_path: Path, *, demo: bool) -> House:
    return House(open_store(url, key_path=key_path), demo=demo)
