"""A simulated house and its network: processes of real houses, lines to them, and what goes wrong.

Theory of operation.  A `Town` has a disk, two processes, and a network.  A process is a real `House` on the simulated
disk.  What somebody asks travels as the bytes of the wire, is read by `wire.read` and done by `live.done`; the answer
travels back.  On the way it may be lost, come twice, late, or after something that was sent later.  A terminal has its
line to one process and is shown what `Host.view_for` writes for it.

A process may crash, with what it was writing written or not; or be stopped for longer than its leases, and wake.  It
may be unreachable for a while, and so may a terminal.  The clock of the machine jumps.  All of it ends when the town
becomes calm; from then on everything must come to its end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, TypeAlias

import msgspec

from croupier.floor.doors.live import done
from croupier.floor.keeping.clock import clock_ms
from croupier.floor.keeping.credentials.tickets import NoTicket, Ticket
from croupier.floor.keeping.host import Host, Watcher, all_heard
from croupier.floor.keeping.house import House
from croupier.floor.keeping.links import PlannedLink
from croupier.floor.keeping.planned import Planned
from croupier.floor.keeping.vouchers import IssuedVouchers, VoucherNumbers
from croupier.floor.rooms.cage.doors import CagePosted
from croupier.floor.rooms.cage.doors import ask as ask_cage
from croupier.floor.store.appends import Stopped
from croupier.floor.store.engines import BadStore
from croupier.floor.wire import Answer, Do, Sorry, read, write
from croupier.prove.world.disk import LEASE_SECONDS, Spindle, WorldDisk
from croupier.prove.world.loop import SimulatedLoop

SECRET: Final = b"a simulated house has one secret"
BEGAN_MS: Final = 1_700_000_000_000
AGAIN_SECONDS: Final = 1.5
PEER_SECONDS: Final = 15.0
NEWS_SECONDS: Final = 0.04
"""So long a line waits for more news before it is told the view."""
MOST_TRIES: Final = 400
Shows: TypeAlias = Callable[[House], Ticket]
"""The ticket that somebody shows at a house."""


@dataclass(frozen=True, slots=True)
class Troubles:
    """How likely each message is to be lost, doubled or late, and how late."""

    lost: float = 0.0
    doubled: float = 0.0
    late: float = 0.0
    late_seconds: float = 2.0


CALM: Final = Troubles()


def nobody() -> None:
    """Nobody hears of it."""


@dataclass(eq=False, slots=True)
class Process:
    """One process of the house: it is up, or was."""

    address: str
    house: House
    up: bool = True
    ready: bool = False
    cut_until: float = 0.0
    """So long nobody reaches it, nor it anybody."""
    work: dict[asyncio.Task[Any], None] = field(default_factory=dict)
    """What it is doing, in the order in which it began: nothing here may follow from where objects lie in memory."""

    def begins(self, task: asyncio.Task[Any]) -> None:
        self.work[task] = None
        task.add_done_callback(lambda done: self.work.pop(done, None))

    @property
    def spindle(self) -> Spindle:
        writer = self.house.store.writer
        assert isinstance(writer, Spindle)
        return writer


@dataclass(eq=False, slots=True)
class TownAsked:
    """One thing that a client asked: what, when, for which round, and the answer once it came."""

    id: str
    what: Any
    by: str
    role: str
    table: str
    asked: float
    round: int = 0
    answer: Answer | None = None
    gave_up: bool = False
    voucher: str = ""


@dataclass(eq=False, slots=True)
class SimulatedPeers:
    """The lines between processes."""

    town: Town
    address: str

    async def pass_on(self, address: str, journal: str, command_id: str, request: Any) -> Answer:
        loop, back = self.town.loop, self.town.loop.create_future()
        body = msgspec.json.encode(request)
        other = next((each for each in self.town.processes if each.address == address and each.up), None)
        own = next(each for each in self.town.processes if each.address == self.address)
        if other is None:
            raise Stopped(f"{journal} is run at {address}, and nobody answers there: ask again")

        def arrived() -> None:
            task = loop.create_task(self._answered(other, own, journal, command_id, body, back))
            other.begins(task)

        self.town.carry(arrived, own, other)
        try:
            async with asyncio.timeout(PEER_SECONDS):
                reply = await back
        except TimeoutError:
            raise Stopped(f"{journal} is run at {address}, and it does not answer: ask again") from None
        if isinstance(reply, str):
            raise Stopped(reply)
        answer: Answer = reply
        return answer

    async def _answered(
        self, other: Process, own: Process, journal: str, command_id: str, body: bytes, back: asyncio.Future[Any]
    ) -> None:
        keeper = other.house.keeper(journal)
        if keeper is None:
            return
        try:
            request = msgspec.json.decode(body, type=keeper.kind.request)
            reply: Any = await keeper.ask(command_id, request, passed_on=True)
        except Stopped as error:
            reply = str(error)
        self.town.carry(lambda: None if back.done() else back.set_result(reply), other, own)

    async def close(self) -> None:
        """Nothing is open."""


@dataclass(eq=False, slots=True)
class Town:
    """The whole simulated world."""

    loop: SimulatedLoop
    chance: Random
    tables: tuple[Planned, ...]
    links: tuple[PlannedLink, ...] = ()
    disk: WorldDisk = field(init=False)
    processes: list[Process] = field(default_factory=list)
    troubles: Troubles = field(default_factory=Troubles)
    clogged: dict[str, float] = field(default_factory=dict)
    wall_ms: int = BEGAN_MS
    history: list[TownAsked] = field(default_factory=list)
    happened: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    planted: Callable[[House], None] | None = None
    """What is done to every house that starts: one of the controls."""

    def __post_init__(self) -> None:
        self.disk = WorldDisk(self.loop)

    def count(self, what: str) -> None:
        self.happened[what] = self.happened.get(what, 0) + 1

    # ---------------------------------------------------------------- time

    @contextmanager
    def own_time(self) -> Iterator[None]:
        """The clock of the house is that of this world as long as the block lasts."""
        kept = clock_ms.wall, clock_ms.steady, clock_ms.last_ms, clock_ms.last_steady, clock_ms.behind
        clock_ms.wall = lambda: self.wall_ms + int(self.loop.now * 1000)
        clock_ms.steady = lambda: int(self.loop.now * 1000)
        clock_ms.last_ms, clock_ms.last_steady, clock_ms.behind = 0, 0, False
        try:
            yield
        finally:
            clock_ms.wall, clock_ms.steady, clock_ms.last_ms, clock_ms.last_steady, clock_ms.behind = kept

    # ---------------------------------------------------------------- processes

    async def start(self) -> Process:
        """One more process of the house."""
        address = f"process {len(self.processes) + 1}"
        house = House(
            self.disk.open(address), demo=True, secret=SECRET, address=address, numbers=VoucherNumbers(SECRET)
        )
        peers: Any = SimulatedPeers(self, address)
        house.peers = peers
        house.devices.keeper.pass_on = house.contests.pass_on = house.links.pass_on = peers.pass_on
        house.planned_links = self.links
        process = Process(address, house)
        self.processes.append(process)
        process.begins(self.loop.create_task(self._renews(process)))
        try:
            await house.start(self.tables)
        except Stopped:
            # Another process took something over in the middle of it: this one ends, and is started again.
            self.count("starts that failed")
            self.crash(process)
            return await self.start()
        process.ready = True
        if self.planted is not None:
            self.planted(house)
        return process

    async def _renews(self, process: Process) -> None:
        while process.up:
            await asyncio.sleep(LEASE_SECONDS / 3 + 0.01)
            process.spindle.renew()

    def crash(self, process: Process) -> None:
        """The process is gone, in the middle of whatever it did."""
        process.up = False
        process.spindle.die(written=self.chance.random() < 0.5)
        for task in (*process.house.tasks, *process.work):
            task.cancel()
        for host in process.house.hosts.values():
            host.watchers.clear()
        process.house.store.subscribers.listeners.clear()

    def stop(self, process: Process, seconds: float) -> None:
        """The process sleeps: nothing reaches it, and it writes nothing, until it wakes."""
        process.cut_until = process.spindle.held_until = self.loop.now + seconds

    @property
    def living(self) -> list[Process]:
        """Those that answer."""
        return [each for each in self.processes if each.up and each.ready]

    def keeping(self, table: str) -> Host | None:
        """The host of a table where most of its journal is known; staff look there."""
        hosts = [each.house.hosts[table] for each in self.living if table in each.house.hosts]
        return max(hosts, key=lambda host: host.shown.entries, default=None)

    # ---------------------------------------------------------------- the network

    def carry(self, deliver: Callable[[], object], *ends: Process | str, lost: Callable[[], object] = nobody) -> None:
        """A message on its way between these ends; `lost` hears of it if it never comes."""
        trouble = self.troubles
        if self.chance.random() < trouble.lost:
            self.count("messages lost")
            lost()
            return
        again = self.chance.random() < trouble.doubled
        self.happened["messages"] = self.happened.get("messages", 0) + 1 + again
        for _ in range(1 + again):
            late = self.chance.random() < trouble.late
            delay = self.chance.uniform(0.002, 0.03) + (self.chance.random() * trouble.late_seconds if late else 0.0)
            self.loop.call_at(self.loop.now + delay, self._arrive, deliver, ends)
        if again:
            self.count("messages doubled")

    def _arrive(self, deliver: Callable[[], object], ends: tuple[Process | str, ...]) -> None:
        """Deliver it, once nobody at either end is cut off."""
        until = 0.0
        for end in ends:
            if isinstance(end, Process) and not end.up:
                return
            until = max(until, end.cut_until if isinstance(end, Process) else self.clogged.get(end, 0.0))
        if until > self.loop.now:
            self.loop.call_at(until + 0.001, self._arrive, deliver, ends)
        else:
            deliver()

    # ---------------------------------------------------------------- asking

    async def ask(self, asked: TownAsked, ticket: Shows) -> Answer:
        """Ask until there is an answer, each time under the same id."""
        self.history.append(asked)
        for _ in range(MOST_TRIES):
            back: asyncio.Future[Any] = self.loop.create_future()
            up = self.living
            if up:
                process = self.chance.choice(up)
                text = self._written(asked)
                self.carry(lambda p=process, x=text, b=back: self._reach(p, asked, ticket, x, b), asked.by, process)  # type: ignore[misc]
            try:
                async with asyncio.timeout(AGAIN_SECONDS * (0.5 + self.chance.random())):
                    heard: Answer | Sorry = await back
            except TimeoutError:
                continue
            if isinstance(heard, Sorry):
                heard = Answer(asked.id, done=False, line=0, reason=heard.reason)
            asked.answer = heard
            asked.voucher = heard.voucher
            return heard
        asked.gave_up = True
        raise Stuck(f"{asked.by} asked {asked.what} {MOST_TRIES} times and had no answer")

    def _written(self, asked: TownAsked) -> bytes:
        if asked.table:
            return msgspec.json.encode(Do(asked.id, asked.what, asked.round))
        return msgspec.json.encode({"id": asked.id, "command": asked.what})

    def _reach(
        self,
        process: Process,
        asked: TownAsked,
        ticket: Callable[[House], Ticket],
        text: bytes,
        back: asyncio.Future[Any],
    ) -> None:
        process.begins(self.loop.create_task(self._done(process, asked, ticket, text, back)))

    async def _done(
        self,
        process: Process,
        asked: TownAsked,
        ticket: Callable[[House], Ticket],
        text: bytes,
        back: asyncio.Future[Any],
    ) -> None:
        """What a process does with a message; where it can do nothing, its line ends without a word."""
        house = process.house
        try:
            # As before every door, and before every line.
            await all_heard(house.hosts.values())
            answer = await (self._at_table if asked.table else self._at_cage)(house, ticket(house), text)
        except (Stopped, BadStore):
            return
        except NoTicket as error:
            answer = Sorry(str(error))
        sent = write(answer)
        self.carry(lambda: None if back.done() else back.set_result(_READ.decode(sent)), process, asked.by)

    async def _at_table(self, house: House, ticket: Ticket, text: bytes) -> Answer | Sorry:
        message = read(text)
        assert isinstance(message, Do)
        return await done(house, ticket, message)

    async def _at_cage(self, house: House, ticket: Ticket, text: bytes) -> Answer | Sorry:
        await house.current()
        posted = msgspec.json.decode(text, type=CagePosted)
        book = house.keep(IssuedVouchers, lambda: IssuedVouchers(house.store))
        outcome = await ask_cage(house, book, ticket, posted)
        return msgspec.convert(outcome, Answer) if isinstance(outcome, dict) else Sorry("not at this cage")

    # ---------------------------------------------------------------- watching

    def watch(self, process: Process, table: str, name: str, role: str, seen: Callable[[Any], None]) -> TownLine:
        """A line to a process, on which views come in their order; one that is lost ends the line."""
        line = TownLine(self, process, process.house.hosts[table], name, seen)
        line.watcher = Watcher(name, role, line.news, lambda _: line.end())
        line.host.watchers[line.watcher] = None
        process.begins(self.loop.create_task(line.host.keeper.hear()))
        line.news()
        return line


@dataclass(eq=False, slots=True)
class TownLine:
    """The line of a terminal: nobody is told faster than it can carry."""

    town: Town
    process: Process
    host: Host
    name: str
    seen: Callable[[Any], None]
    watcher: Watcher = field(init=False)
    waiting: bool = False
    sent: int = 0
    came: int = 0

    @property
    def open(self) -> bool:
        return self.process.up and self.watcher in self.host.watchers

    def end(self) -> None:
        self.host.watchers.pop(self.watcher, None)

    def news(self) -> None:
        if not self.waiting:
            self.waiting = True
            cut = max(self.process.cut_until, self.town.clogged.get(self.name, 0.0))
            self.town.loop.call_at(max(cut, self.town.loop.now + NEWS_SECONDS), self._send)

    def _send(self) -> None:
        self.waiting = False
        text = self.host.view_for(self.watcher) if self.open else None
        if text is not None:
            self.town.count("views")
            self.sent += 1
            number = self.sent
            self.town.carry(lambda: self._come(number, text), self.process, self.name, lost=self.end)

    def _come(self, number: int, text: bytes) -> None:
        if number > self.came and self.open:
            self.came = number
            self.seen(msgspec.json.decode(text)["view"])


class Stuck(Exception):
    """Somebody who never had an answer."""


_READ: Final[msgspec.json.Decoder[Answer | Sorry]] = msgspec.json.Decoder(Answer | Sorry)
