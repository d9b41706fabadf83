"""The floor: all tables of a house with their hosts, and the tickets with which people enter.

Everything at a table goes by tickets.  In a demonstration the lobby gives one for any role to whoever asks, and the
server listens on a loopback address only.  Any other house has accounts: a ticket is then good only as long as the
account that it was given for.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from croupier.floor.accounts import Accounts, Hashing
from croupier.floor.contest_keeping import Contests
from croupier.floor.devices import Devices
from croupier.floor.guard import Origins
from croupier.floor.host import Host, open_host
from croupier.floor.keeper import Keeper, Kind
from croupier.floor.links_host import Links, PlannedLink
from croupier.floor.metrics import Metrics
from croupier.floor.peers import Peers, follow_news
from croupier.floor.sessions import Sessions
from croupier.floor.store import LEASE_SECONDS, Store, open_store
from croupier.floor.tickets import SHIFT_SECONDS, NoTicket, Ticket, Tickets, new_secret, secret_beside
from croupier.floor.virtual import NAME, Guest, Pace, VirtualDealer, new_id
from croupier.floor.virtual_terminals import TerminalGuest, called, set_up
from croupier.floor.wire import Sorry
from croupier.house import cage_messages, cage_state
from croupier.house.cage import decide, entries
from croupier.house.cage_state import Cage
from croupier.house.journal import encode
from croupier.house.people import CONSOLE, People, plain
from croupier.law.ruleset import Ruleset
from croupier.rulesets import known_game, ruleset
from croupier.table import commands as c
from croupier.table.general import CASINO_SUPERVISOR, DEALER, GAME_SUPERVISOR, PLAYER, ROLES

log = logging.getLogger(__name__)

POLL_SECONDS = 0.05

CAGE: Kind[Cage] = Kind(decide, entries, cage_state.after, encode, cage_messages.decode, cage_messages.CageRequest)


def clock_ms() -> int:
    return int(time.time() * 1000)


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
    practice: bool = False
    elections: Mapping[str, Any] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    terminals: bool = False
    """Whether the guests, and whoever enters the demonstration, play on terminals."""

    def rules(self) -> Ruleset[Any]:
        """The rules of the table, if the law has such rules."""
        return ruleset(
            self.edition,
            game=self.game,
            version=self.version,
            elections=dict(self.elections),
            readings=dict(self.readings),
        )


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
        terminals=True,
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
    Planned("J-1", "nz1996", "blackjack", "", SIGN, {"Ida": {"main": 2_000}, "Jim": {"main": 1_000}}),
    Planned(
        "S-1",
        "nz1996",
        "caribbean_stud",
        "",
        {**SIGN, "jackpot": (1_000_000, 100), "kinds": {"jackpot": (100, 100)}},
        {"Kay": {"ante": 1_000, "jackpot": 100}, "Lea": {"ante": 500, "jackpot": 100}},
    ),
    Planned("W-1", "nz1996", "money_wheel", "", SIGN, {"Max": {"A": 1_000, "C": 500}}),
)


DEMONSTRATION_LINKS = (PlannedLink("Grand", ("S-1",), pool_rate=7_500, seed=1_000_000, approval="for practice"),)


@dataclass(slots=True)
class House:
    """A running house; a demonstration has no accounts."""

    store: Store
    demo: bool
    secret: bytes = field(default_factory=new_secret, repr=False)
    accounts: Accounts | None = None
    origins: Origins = field(default_factory=Origins)
    hosts: dict[str, Host] = field(default_factory=dict)
    cage: Keeper[Cage] | None = None
    dealers: dict[str, VirtualDealer] = field(default_factory=dict)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)
    eyes: asyncio.Lock = field(default_factory=asyncio.Lock)
    tickets: Tickets = field(init=False)
    sessions: Sessions = field(init=False)
    peers: Peers = field(init=False)
    devices: Devices = field(init=False)
    contests: Contests = field(init=False)
    links: Links = field(init=False)
    planned_links: tuple[PlannedLink, ...] = ()
    metrics: Metrics = field(default_factory=Metrics)
    snapshot_lines: int = 0
    voucher_days: int | None = None
    closing: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.tickets = Tickets(self.secret)
        self.peers = Peers(self.secret)
        self.devices = Devices(self.store, self.hosts, clock_ms)
        self.devices.keeper.pass_on = self.peers.pass_on
        self.contests = Contests(self.store, self.hosts, clock_ms, self._people, self.peers.pass_on)
        self.links = Links(self.store, self.hosts, clock_ms, self.peers.pass_on)
        self.sessions = Sessions(self.secret, self.accounts, clock_ms)
        if self.accounts is not None:
            self.accounts.ended = self.end

    def keepers(self) -> Iterator[Keeper[Any]]:
        """The journals of this house: its tables, its devices, its cage, its people, its tournaments, its links."""
        yield from (host.keeper for host in self.hosts.values())
        yield self.devices.keeper
        if self.cage is not None:
            yield self.cage
        if self.accounts is not None:
            yield self.accounts.keeper
        yield from self.contests.keepers()
        yield from self.links.keepers()

    def _people(self) -> People | None:
        return self.accounts.people if self.accounts is not None else None

    def keeper(self, journal: str) -> Keeper[Any] | None:
        return next((keeper for keeper in self.keepers() if keeper.name == journal), None)

    async def start(self, planned: tuple[Planned, ...], pace: Pace) -> None:
        """Open everything: the accounts, the devices, the cage, the tables, the links between them."""
        self.store.deliver_on(asyncio.get_running_loop())
        self.store.subscribe(follow_news(self.keepers))
        if self.accounts is not None:
            self.accounts.keeper.pass_on = self.peers.pass_on
            await self.accounts.start()
        await self.devices.start()
        await self.open_cage()
        await self.contests.start()
        for each in planned:
            await self.open(each, pace)
        await self.links.start(self.planned_links)
        for name, link in self.links.by_name.items():
            self._start(link.run(), f"link {name}")

    def ticket(self, name: str, role: str, table: str) -> str:
        """A ticket of a demonstration, for whoever asks."""
        if not 0 < len(name.strip()) <= 40:
            raise ValueError("a name has 1 to 40 characters")
        return self.give(Ticket(name.strip(), role, table))

    def give(self, ticket: Ticket, *, seconds: int | None = None) -> str:
        """A ticket as text, if there is such a role and such a table."""
        if ticket.role not in ROLES:
            raise ValueError(f"unknown role {ticket.role!r:.40}; known are {', '.join(ROLES)}")
        if ticket.table not in self.hosts and (ticket.table or ticket.role == PLAYER):
            raise ValueError(f"unknown table {ticket.table!r:.40}; known are {', '.join(self.hosts)}")
        return self.tickets.give(ticket, seconds=seconds or SHIFT_SECONDS)

    def admit(self, text: str) -> Ticket:
        """The ticket, if it is good now."""
        ticket = self.tickets.read(text)
        self.check(ticket)
        return ticket

    def check(self, ticket: Ticket) -> None:
        """Refuse a ticket that was good and has ended."""
        self.devices.check(ticket)
        if self.accounts is not None and not ticket.device:
            self.accounts.check(ticket)

    def end(self, name: str) -> None:
        """Somebody signed out, or the account changed: whoever watches under that name watches no more."""
        for host in self.hosts.values():
            for watcher in [each for each in host.watchers if plain(each.name) == plain(name)]:
                host.watchers.discard(watcher)
                watcher.tell(Sorry("you were signed out: enter again through the lobby", end=True))

    async def open_cage(self) -> None:
        """Run the cage: read its journal, and begin it if it was never open; a demonstration has practice money."""
        keeper = Keeper(self.store, cage_state.NAME, CAGE, Cage(), Cage(), pass_on=self.peers.pass_on)
        await keeper.take_over()
        await keeper.follow()
        asked: cage_messages.AnyCommand | None = None
        if not keeper.state.opened:
            asked = cage_messages.OpenCage(practice=self.demo, expiry_days=self.voucher_days or 0)
        elif self.voucher_days not in (None, keeper.state.expiry_days):
            asked = cage_messages.SetExpiry(self.voucher_days or 0)
        if keeper.owned and asked is not None:
            await keeper.ask(new_id(), cage_messages.CageRequest(asked, CONSOLE, CASINO_SUPERVISOR, clock_ms()))
        await asyncio.wrap_future(self.store.sign_head(keeper.name, clock_ms()))
        self.cage = keeper

    async def open(self, planned: Planned, pace: Pace) -> None:
        """Run a table: read its journal, open it if it was never opened, and let the demonstration play."""
        rules, game, practice = planned.rules(), known_game(planned.game), self.demo or planned.practice
        host = await open_host(self.store, planned.name, game, rules, practice=practice, now_ms=clock_ms)
        host.keeper.pass_on, host.keeper.snapshot_lines = self.peers.pass_on, self.snapshot_lines
        host.keeper.kind = self.contests.guarding(host.keeper.kind)
        self.hosts[planned.name] = host
        if not host.table.open:
            by = "Sue" if self.demo else CONSOLE
            opened = await host.ask(new_id(), c.OpenTable(**planned.sign), by=by, role=GAME_SUPERVISOR)
            if not opened.done:
                log.error("%s stays closed: %s (%s)", planned.name, opened.reason, opened.rule)
        await asyncio.wrap_future(self.store.sign_head(planned.name, clock_ms()))
        if self.demo and planned.terminals:
            await set_up(host, planned.guests)
        for seat, (guest, stakes) in enumerate(planned.guests.items() if self.demo else (), 1):
            every, where = pace.betting / 3, f"{guest} at {planned.name}"
            if planned.terminals:
                self._start(TerminalGuest(host, called(seat), guest, stakes, self.closing, every).run(), where)
                continue
            await seat_guest(host, guest, seat=seat, chips=200_000)
            self._start(Guest(host, guest, stakes, self.closing, every=every).run(), where)
        if practice and planned.virtual:
            self.dealers[planned.name] = VirtualDealer(host, pace, self.closing, guests=frozenset(planned.guests))
            self._start(self.dealers[planned.name].run(), f"dealer of {planned.name}")

    def _start(self, work: Any, name: str) -> None:
        self.tasks.append(asyncio.create_task(work, name=name))

    async def drain(self, seconds: float) -> None:
        """Begin no more rounds of the house's own making, and wait for those in hand to end, up to so long."""
        self.closing.set()
        log.info("stopping when the rounds in hand have ended, or in %s s", seconds)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.in_hand():
                    await asyncio.sleep(POLL_SECONDS)
        for name in self.in_hand():
            log.warning("stopping within a round; it goes on at the next start", extra={"table": name})

    def in_hand(self) -> list[str]:
        """The tables of this process at which somebody has a wager."""
        return [name for name, host in self.hosts.items() if host.keeper.owned and host.table.round.standing]

    async def close(self) -> None:
        """Stop the demonstration, finish what is queued, close the store."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.peers.close()
        for host in self.hosts.values():
            await host.keeper.keep(host.shown)
        for name in (*self.hosts, *((self.cage.name,) if self.cage else ())):
            await asyncio.wrap_future(self.store.sign_head(name, clock_ms()))
        if self.accounts is not None:
            await self.accounts.sign()
        await self.devices.sign()
        await self.contests.sign()
        await self.links.sign()
        await asyncio.to_thread(self.store.close)


async def seat_person(host: Host, name: str) -> None:
    """Somebody with an account takes the first seat that is free, if the table lets them; money is another matter."""
    if name not in host.table.players:
        await host.ask(new_id(), c.Sit(name, _free_seat(host)), by=name, role=PLAYER)


def _free_seat(host: Host) -> int:
    """The first seat that nobody has; 0, standing, if there is none."""
    free = (number for number in range(1, host.table.house.seats + 1) if number not in host.table.seats)
    return next(free, 0)


async def seat_guest(host: Host, name: str, *, seat: int = 0, chips: int) -> None:
    """Somebody sits down with chips, unless they are there already; without a seat named, on the first that is free."""
    if name in host.table.players:
        return
    await host.ask(new_id(), c.Sit(name, seat or _free_seat(host)), by=NAME, role=DEALER)
    await host.ask(new_id(), c.BuyChips(name, chips), by=NAME, role=DEALER)


def open_house(
    url: str,
    key_path: Path,
    *,
    demo: bool,
    hashing: Hashing | None = None,
    origins: Origins | None = None,
    address: str = "",
    lease_seconds: float = LEASE_SECONDS,
) -> House:
    """A house on its store; the secret that signs its tickets lies beside the key.

    `address` is where other processes of the house reach this one.
    """
    store = open_store(url, key_path=key_path, address=address, lease_seconds=lease_seconds)
    accounts = None if demo else Accounts(store, clock_ms, hashing or Hashing())
    return House(store, demo, secret_beside(key_path), accounts, origins or Origins())


__all__ = ["DEMONSTRATION", "House", "NoTicket", "Planned", "Ticket", "clock_ms", "open_house", "seat_guest"]
