"""The floor: all tables of a house with their hosts, and the tickets with which people enter.

Everything at a table goes by tickets.  In a demonstration the lobby gives one for any role to whoever asks, and the
server listens on a loopback address only.  Any other house has accounts: a ticket is then good only as long as the
account that it was given for.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import msgspec

from croupier.floor.addresses import Origins
from croupier.floor.keeping.accounts import Accounts, Hashing
from croupier.floor.keeping.catching_up import CatchingUp
from croupier.floor.keeping.clock import clock_ms
from croupier.floor.keeping.contests import Contests
from croupier.floor.keeping.credentials.factors import Factors
from croupier.floor.keeping.credentials.sessions import Sessions
from croupier.floor.keeping.credentials.tickets import SHIFT_SECONDS, Ticket, Tickets, new_secret, secret_beside
from croupier.floor.keeping.devices import DeviceKeeping
from croupier.floor.keeping.host import Host, all_heard, open_host
from croupier.floor.keeping.keeper import Keeper, Kind, new_id
from croupier.floor.keeping.links import Links, PlannedLink
from croupier.floor.keeping.metrics import Metrics
from croupier.floor.keeping.peers import Peers
from croupier.floor.keeping.planned import Planned
from croupier.floor.keeping.spreading import Spreading
from croupier.floor.keeping.telling.feed import EventFeed
from croupier.floor.keeping.telling.in_turn import NewsInTurn
from croupier.floor.keeping.telling.news import News
from croupier.floor.keeping.telling.significant import SignificantEvents
from croupier.floor.keeping.telling.webhooks import Webhooks
from croupier.floor.keeping.vouchers import VoucherNumbers
from croupier.floor.store.appends import Stopped
from croupier.floor.store.durable import LEASE_SECONDS, Store, open_store
from croupier.floor.store.engines import BadStore
from croupier.floor.store.heads import closed_mark
from croupier.floor.store.opening import check_opening
from croupier.floor.wire import Answer, Sorry
from croupier.game import Refusal
from croupier.house.cage import messages as cage_messages
from croupier.house.cage import state as cage_state
from croupier.house.cage.decide import decide, entries
from croupier.house.cage.state import Cage
from croupier.house.devices.decide import Device
from croupier.house.pay_scales import another_scale
from croupier.house.people.decide import CONSOLE, People
from croupier.house.premises import comes, sent_away
from croupier.journal.entries import encode
from croupier.journal.names import plain
from croupier.law.officials import CASINO_SUPERVISOR, GAME_SUPERVISOR, PLAYER, ROLES
from croupier.rulesets import known_game
from croupier.table import commands as c
from croupier.table.limits import needed_signs
from croupier.table.state import Table

log = logging.getLogger(__name__)

CURRENT_SECONDS: Final = 5.0
"""How long somebody waits for the journals to be read again; then they are told to ask again."""
READ_ON_SECONDS: Final = 0.1
"""Between two readings of what others wrote, for somebody who would be refused."""
POLL_SECONDS = 0.05
MOST_WAITING = 5_000
"""Pieces of work before the writer with which a process takes no more."""
K = TypeVar("K")

CAGE: Kind[Cage] = Kind(
    decide,
    entries,
    cage_state.after,
    encode,
    cage_messages.decode,
    cage_messages.CageRequest,
    said=cage_messages.said,
    voucher=cage_messages.issued_by,
)


class Practice(Protocol):
    """What plays by itself at practice tables; only a house that has such tables is given one (`floor/practice`)."""

    async def play(self, house: House, host: Host, planned: Planned) -> None:
        """A practice table was opened: set up what it needs, and let it play."""

    async def receive(self, house: House, host: Host, name: str) -> tuple[Device, str, str] | None:
        """Somebody enters a demonstration as a player: give them a place, and money to play with.

        Where that is a terminal, it is answered with its secret.
        """

    async def exchange(self, host: Host, name: str, cents: int, *, command_id: str) -> Answer:
        """A player of a practice table buys in, or cashes out what is less than nothing."""


@dataclass(slots=True)
class House:
    """A running house; a demonstration has no accounts."""

    store: Store
    demo: bool
    secret: bytes = field(default_factory=new_secret, repr=False)
    accounts: Accounts | None = None
    origins: Origins = field(default_factory=Origins)
    hosts: dict[str, Host] = field(default_factory=dict)
    excluding: dict[Host, None] = field(default_factory=dict)
    """The tables at which anybody is excluded."""
    cage: Keeper[Cage] | None = None
    practice: Practice | None = None
    tasks: list[asyncio.Task[None]] = field(default_factory=list)
    tickets: Tickets = field(init=False)
    sessions: Sessions = field(init=False)
    peers: Peers = field(init=False)
    devices: DeviceKeeping = field(init=False)
    contests: Contests = field(init=False)
    links: Links = field(init=False)
    feed: EventFeed = field(init=False)
    webhooks: Webhooks = field(init=False)
    significant: SignificantEvents = field(init=False)
    planned_links: tuple[PlannedLink, ...] = ()
    metrics: Metrics = field(default_factory=Metrics)
    snapshot_lines: int = 0
    voucher_days: int | None = None
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    kept: dict[type, Any] = field(default_factory=dict, repr=False)
    at_end: list[Callable[[], Awaitable[None]]] = field(default_factory=list, repr=False)
    """What is done when the house closes, before its store does."""
    numbers: VoucherNumbers = field(default_factory=lambda: VoucherNumbers(new_secret()))
    factor_key: bytes = field(default_factory=new_secret, repr=False)
    factors: Factors | None = field(init=False, default=None)
    reading: asyncio.Task[None] | None = None
    read_at: int = 0
    lapse_told: int = 0
    """The lapse that was last told in the log: whoever asks while the database is away adds no line."""
    refusing: CatchingUp = field(init=False)
    ordering: CatchingUp = field(init=False)
    address: str = ""
    """Where the other processes of the house reach this one."""
    lease_seconds: float = LEASE_SECONDS

    def __post_init__(self) -> None:
        self.tickets = Tickets(self.secret)
        self.refusing, self.ordering = CatchingUp(self.store, READ_ON_SECONDS), CatchingUp(self.store)
        self.peers = Peers(self.secret, self.address)
        self.devices = DeviceKeeping(self.store, self.hosts, clock_ms, self.secret, self.works_here)
        self.devices.keeper.pass_on = self.peers.pass_on
        self.contests = Contests(self.store, self.hosts, clock_ms, lambda: self.people, self.peers.pass_on)
        self.links = Links(self.store, self.hosts, clock_ms, self.peers.pass_on)
        self.feed = EventFeed(self.store, clock_ms)
        self.webhooks = Webhooks(self.store, self.feed, clock_ms)
        self.significant = SignificantEvents(self.store, self.feed, clock_ms)
        self.sessions = Sessions(self.secret, self.accounts, clock_ms)
        if self.accounts is not None:
            self.accounts.ended = self.end
            self.factors = Factors(self.factor_key, self.accounts, clock_ms)

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
        yield self.feed.keeper
        yield self.webhooks.keeper
        yield self.significant.keeper

    @property
    def people(self) -> People | None:
        """Who has an account; a demonstration has none."""
        return self.accounts.people if self.accounts is not None else None

    def keeper(self, journal: str) -> Keeper[Any] | None:
        host = self.hosts.get(journal)
        return host.keeper if host else next((each for each in self.keepers() if each.name == journal), None)

    @property
    def alone(self) -> bool:
        """Whether no other process can have written anything."""
        return not self.store.opened.shared

    @property
    def is_current(self) -> bool:
        """Whether what this process knows is what it knew when it last read everything, and all since."""
        return self.store.lapses == self.read_at

    async def current(self) -> None:
        """Before this process says or does anything: after it slept past its leases, it reads everything again.

        Another process may have kept the journals meanwhile, and closed an account or released a device.
        """
        while not self.is_current:
            if self.reading is None or self.reading.done():
                self.reading = asyncio.create_task(self._read_again(), name="reading the journals again")
                # Whoever waits for it may have gone; the next one begins anew and is told.
                self.reading.add_done_callback(lambda done: done.cancelled() or done.exception())
            try:
                async with asyncio.timeout(CURRENT_SECONDS):
                    await asyncio.shield(self.reading)
            except TimeoutError:
                raise Stopped("this process lost its leases and reads its journals again: ask again") from None

    async def heard(self, table: str = "") -> None:
        """Before it says anything of a table, or of all: what was heard of and not read, as nobody watches, is read."""
        host = self.hosts.get(table)
        await all_heard([host] if host is not None else self.hosts.values())

    async def _read_again(self) -> None:
        lapses = self.store.lapses
        if self.lapse_told != lapses:
            self.lapse_told = lapses
            log.warning("this process lost its leases or slept past them: it reads its journals again")
        for keeper in tuple(self.keepers()):
            await keeper.read_again()
        self.read_at = lapses

    async def read_on(self) -> bool:
        """Before somebody is refused: whether another process keeps people, devices or tables; its lines are read now.

        What was just made durable there, a new password or a paired terminal, may be news that is still on its way.
        """
        return await self.refusing.done((*self._who_may(), *(host.keeper for host in self.hosts.values())))

    async def known_now(self) -> bool:
        """Before somebody who may order something does: whether another process keeps people or devices; it is read.

        Whoever was shut out there is shut out here from the moment when that was acknowledged.
        """
        return await self.ordering.done(self._who_may())

    def _who_may(self) -> tuple[Keeper[Any], ...]:
        """The journals that say who is somebody here."""
        return (*((self.accounts.keeper,) if self.accounts is not None else ()), self.devices.keeper)

    async def start(self, planned: tuple[Planned, ...]) -> None:
        """Open everything: the accounts, the devices, the cage, the tables, the links between them."""
        clock_ms.not_before(await asyncio.to_thread(last_written_ms, self.store))
        self.store.deliver_on(asyncio.get_running_loop())
        self.store.subscribe(News(self.keeper).hear)
        if self.accounts is not None:
            self.accounts.keeper.pass_on = self.peers.pass_on
            await self.accounts.start()
        await self.devices.start()
        await self.open_cage()
        await self.contests.start()
        for each in planned:
            await self.open(each)
        await self.links.start(self.planned_links)
        for name, link in self.links.by_name.items():
            self.run(link.run(), f"link {name}")
        await self.feed.start(self.peers.pass_on, self.snapshot_lines)
        await self.webhooks.start(self.peers.pass_on)
        await self.significant.start(self.peers.pass_on, self.address)
        if self.store.opened.shared and self.address:
            spreading = Spreading(self.store, self.hosts, self.address, clock_ms, self.closing)
            self.run(spreading.run(self.lease_seconds), "the spreading of tables")
        self.run(self.feed.run(), "the feed of events")
        self.run(self.significant.run(), "the significant events")
        for hook in self.webhooks.hooks:
            self.run(self.webhooks.run(hook), f"webhook {hook.name}")

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
        self.tickets.check(ticket)
        self.devices.check(ticket)
        if self.accounts is not None and not ticket.device:
            self.accounts.check(ticket)

    def works_here(self, name: str, role: str) -> bool:
        """Whether somebody has this role now; who has no account is the house itself, which shuts nobody out."""
        person = self.people.find(name) if self.people is not None else None
        return person is None or (not person.disabled and role in person.roles)

    def end(self, name: str) -> None:
        """Somebody signed out, or the account changed: whoever watches under that name watches no more."""
        for host in self.hosts.values():
            for watcher in [each for each in host.watchers if plain(each.name) == plain(name)]:
                host.watchers.pop(watcher, None)
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

    async def open(self, planned: Planned) -> None:
        """Run a table: read its journal, open it if it was never opened, and let a practice table play."""
        rules, game, practice = planned.rules(), known_game(planned.game), self.demo or planned.practice
        host = await open_host(self.store, planned.name, game, rules, practice=practice, now_ms=clock_ms)
        host.in_turn = self.keep(NewsInTurn, NewsInTurn)
        host.keeper.pass_on, host.keeper.snapshot_lines = self.peers.pass_on, self.snapshot_lines
        host.keeper.kind = self.contests.guarding(self._alike(host.keeper.kind, practice=practice))
        self.hosts[planned.name] = host
        host.followers.append(partial(self._note_excluded, host))
        self._note_excluded(host)
        if not host.table.open:
            # Whoever runs a real table puts up its notices and says so; at a practice table they stand by themselves.
            stands = {"signs": tuple(notice.value for notice in needed_signs(host.table))} if practice else {}
            opening = c.OpenTable(**(stands | dict(planned.sign)))
            try:
                opened = await host.ask(new_id(), opening, by=CONSOLE, role=GAME_SUPERVISOR)
                if not opened.done:
                    log.error("%s stays closed: %s (%s)", planned.name, opened.reason, opened.rule)
            except Stopped as error:
                # A process that starts at the same time keeps it, answers nobody yet, and opens it itself.
                log.warning("%s is for another process to open: %s", planned.name, error)
        await asyncio.wrap_future(self.store.sign_head(planned.name, clock_ms()))
        if practice and self.practice is not None:
            await self.practice.play(self, host, planned)

    def _note_excluded(self, host: Host) -> None:
        """Note whether anybody is excluded at a table: every wager is asked about that, and few tables have anyone."""
        if host.shown.excluded:
            self.excluding[host] = None
        else:
            self.excluding.pop(host, None)

    def _alike(self, kind: Kind[Table], *, practice: bool) -> Kind[Table]:
        """The kind of a table: opened as the other open tables allow, and for nobody who must leave the casino."""

        def decided(table: Table, request: Any) -> Any:
            if isinstance(request.what, c.OpenTable):
                refusal = another_scale(table, (host.table for host in self.hosts.values()))
                if refusal is not None:
                    return refusal
            events = kind.decide(table, request)
            away = None if isinstance(events, Refusal) else sent_away(table, request, same_kind())
            return away or events

        def same_kind() -> Iterator[Table]:
            return (host.shown for host in self.excluding if host.practice == practice)

        def beside(request: Any) -> Awaitable[None] | None:
            looks = isinstance(request.what, c.OpenTable) or comes(request.what)
            return all_heard(self.hosts.values()) if looks else None

        return replace(kind, decide=decided, beside=beside)

    def keep(self, kind: type[K], make: Callable[[], K]) -> K:
        """What a room keeps for this house, made when it is first asked for."""
        if kind not in self.kept:
            self.kept[kind] = make()
        kept: K = self.kept[kind]
        return kept

    def run(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Let something go on until the house closes; if it ends by a fault, the log says so at once."""
        task = asyncio.create_task(work, name=name)
        task.add_done_callback(_log_fault)
        self.tasks.append(task)

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

    @property
    def unready(self) -> str:
        """Why this process takes no work now, though it lives; nothing if it does."""
        writer = self.store.writer
        if self.closing.is_set():
            return "this process stops when the rounds in hand have ended"
        if writer is None or writer.closed or self.cage is None:
            return "the store of this process is closed, or not open yet"
        if self.store.deaf:
            return "this process does not hear the others at present"
        if writer.tickets.qsize() > MOST_WAITING:
            return "the store cannot keep up"
        return ""

    def in_hand(self) -> list[str]:
        """The tables of this process at which somebody has a wager."""
        return [name for name, host in self.hosts.items() if host.keeper.owned and host.table.round.standing]

    async def close(self) -> None:
        """Stop what goes on, finish what is queued, close the store."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for ended in self.at_end:
            await ended()
        await self.significant.stop()
        await self.peers.close()
        for host in self.hosts.values():
            await host.keeper.keep(host.shown)
        await self.feed.keeper.keep(self.feed.keeper.shown)
        for name in (*self.hosts, *((self.cage.name,) if self.cage else ())):
            await asyncio.wrap_future(self.store.sign_head(name, clock_ms()))
        if self.accounts is not None:
            await self.accounts.sign()
        await self.devices.sign()
        await self.contests.sign()
        await self.links.sign()
        await asyncio.to_thread(self.store.close)


class _At(msgspec.Struct):
    at_ms: int = 0


def _log_fault(task: asyncio.Task[None]) -> None:
    """A table whose dealer has ended stands still: nobody else would say why."""
    error = None if task.cancelled() else task.exception()
    if error is not None:
        log.error("%s has ended by a fault", task.get_name(), exc_info=error)


def last_written_ms(store: Store) -> int:
    """When the last line of any journal was written."""
    lasts = (store.lines(name, store.last(name)[0], 1) for name in store.tables())
    return max((msgspec.json.decode(line.body, type=_At).at_ms for page in lasts for line in page), default=0)


def open_house(
    url: str,
    key_path: Path,
    *,
    demo: bool,
    hashing: Hashing | None = None,
    origins: Origins | None = None,
    address: str = "",
    lease_seconds: float = LEASE_SECONDS,
    witness: str = "",
    second: Path | None = None,
) -> House:
    """A house on its store; the secret that signs its tickets lies beside the key.

    `address` is where other processes of the house reach this one.
    """
    if closed_mark(key_path).exists():
        raise BadStore(f"this house was closed for ever: {closed_mark(key_path).read_text('utf-8', 'replace'):.300}")
    store = open_store(
        url, key_path=key_path, address=address, lease_seconds=lease_seconds, witness=witness, second=second
    )
    try:
        check_opening(store)
    except BaseException:
        store.close()
        raise
    accounts = None if demo else Accounts(store, clock_ms, hashing or Hashing())
    numbers = VoucherNumbers(secret_beside(key_path, "vouchers"))
    return House(
        store,
        demo,
        secret_beside(key_path),
        accounts,
        origins or Origins(),
        address=address,
        lease_seconds=lease_seconds,
        numbers=numbers,
        factor_key=secret_beside(key_path, "factors"),
    )
