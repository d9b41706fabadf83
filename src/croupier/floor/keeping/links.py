"""The jackpot links of a running house: their journals, and what goes between them and their tables.

Theory of operation.  A link is a journal "@link:NAME", kept as the cage is.  It is opened with the terms of the
settings once; after that a person changes them, with the approval that this needs.  `LinkHost` tends one link, again
whenever the link or one of its tables has changed:

1.  what the tables' journals hold is told to the link (`link_feed.py`), exactly once;
2.  hands that claim the pool are paid, if no hand of another table was received before (NZ1996-VIII-12.3);
3.  each table is told what it must know (`table/linked.py`): that it belongs to the link, the pool when its betting has
    closed, and the pool and the prizes when its hands were paid.

The steps 2 and 3 look only at what the two journals say, so they need no memory: a claim that was paid is no claim any
more, and a table that was told of it does not wait any more.  A crash between any two of them leaves the next step to
be done, and the start does it.  A table is tended by the process that keeps it, and the link may be kept by another.

The pool as it grows is on every page of a table of the link (`Host.pool`); that is a meter, and no fact of the game.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import msgspec

from croupier.floor.keeping.host import Host
from croupier.floor.keeping.keeper import Keeper, Kind, PassOn, new_id
from croupier.floor.keeping.link_feed import Feeder, LinkCommand
from croupier.floor.keeping.telling.trying import Trying
from croupier.floor.store.durable import Store
from croupier.floor.wire import Answer
from croupier.game import Refusal, Wager
from croupier.house.jackpot import messages as m
from croupier.house.jackpot.decide import LinkRequest, decide
from croupier.house.jackpot.feed import JACKPOT, Feed
from croupier.house.jackpot.pool import dark
from croupier.house.jackpot.state import Link, after, new_link
from croupier.house.people.decide import CONSOLE
from croupier.journal import entries as journal
from croupier.journal.names import Family, own_name
from croupier.law.officials import CASINO_MANAGER, GAME_SUPERVISOR, JACKPOT_EQUIPMENT
from croupier.table.commands import ShowPool
from croupier.table.linked import waits
from croupier.table.state import Table

log = logging.getLogger(__name__)

PREFIX: Final[Family] = "@link:"
WHOLE: Final = new_link("").rules.whole.value
AGAIN_SECONDS: Final = 0.5
LOOK_SECONDS: Final = 2.0
REFUSED_KEPT, PAID_KEPT = 50, 200


def _entries(link: Link, request: Any, events: m.Events) -> tuple[Any, ...]:
    return journal.entries(link.entries, request, events)


def _said(what: m.AnyCommand) -> m.AnyCommand:
    """A command without what the journals of the house say in it."""
    match what:
        case m.JoinTable(table=table):
            return m.JoinTable(table, device="", mode="", wager=0)
        case m.ReceivePool():
            return msgspec.structs.replace(what, amount=0)
        case _:
            return what


KIND: Final[Kind[Link]] = Kind(decide, _entries, after, journal.encode, m.decode, LinkRequest, said=_said)


def begun(name: str) -> tuple[Kind[Link], Link] | None:
    """How the journal of a link is read, and what it begins with; nothing if this is no such journal."""
    own = own_name(name, PREFIX)
    return (KIND, new_link(own)) if own else None


@dataclass(frozen=True, slots=True)
class PlannedLink:
    """A link as it is to be opened: its terms, and the tables that play for it.

    `pool_rate` is what a wager adds to the pool, in hundredths of a percent; the rest is kept.
    """

    name: str
    tables: tuple[str, ...]
    pool_rate: int
    seed: int
    approval: str

    def terms(self) -> m.OpenLink:
        return m.OpenLink(self.pool_rate, WHOLE - self.pool_rate, self.seed, self.approval)


@dataclass(frozen=True, slots=True)
class NotTaken:
    """What a line of a table gave and the link did not take, and why: somebody should look."""

    table: str
    line: int
    command: str
    reason: str
    rule: str
    at_ms: int


@dataclass(eq=False, slots=True)
class LinkHost:
    """One link; `hosts` are all tables of the house, `refused` and `paid` what its page shows of late."""

    keeper: Keeper[Link]
    hosts: Mapping[str, Host]
    now_ms: Callable[[], int]
    feeders: dict[str, Feeder] = field(default_factory=dict)
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    tending: asyncio.Lock = field(default_factory=asyncio.Lock)
    refused: deque[NotTaken] = field(default_factory=lambda: deque(maxlen=REFUSED_KEPT))
    paid: deque[Any] = field(default_factory=lambda: deque(maxlen=PAID_KEPT))

    @property
    def name(self) -> str:
        return self.keeper.shown.name

    @property
    def shown(self) -> Link:
        """The link as far as it is durable."""
        return self.keeper.shown

    async def ask(self, what: m.AnyCommand, *, by: str, role: str, command_id: str = "", at_ms: int = 0) -> Answer:
        request = LinkRequest(what, by, role, at_ms or self.now_ms())
        answer = await self.keeper.ask(command_id or new_id(), request)
        await self.keeper.follow()
        return answer

    def heard(self, lines: tuple[Any, ...]) -> None:
        """Lines of the link have become durable: every table of it shows the pool as it is now."""
        self.paid.extend(line for line in lines if isinstance(line.event, m.JackpotPaid | m.HandsCorrected))
        self.meter()
        self.wake.set()

    def meter(self) -> None:
        for name, host in self.hosts.items():
            own = name in self.shown.tables
            if own and host.pool != (self.name, self.shown.pool):
                host.pool = (self.name, self.shown.pool)
                host.show()
            elif not own and host.pool is not None and host.pool[0] == self.name:
                host.pool = None
                host.show()

    # ---------------------------------------------------------------- opening

    async def open(self, planned: PlannedLink | None) -> None:
        """Read the journal; begin it if the link was never opened, and let the tables of the settings join."""
        await self.keeper.take_over()
        await self.keeper.follow()
        for host in self.hosts.values():
            host.followers.append(self.wake.set)
        if self.keeper.owned and planned is not None:
            await self._planned(planned)
        self.meter()
        self.wake.set()

    async def _planned(self, planned: PlannedLink) -> None:
        link = self.keeper.state
        if not link.entries:
            await self._begun(planned.terms())
        elif link.terms is not None and _opening(link) != planned.terms():
            log.warning("link %s keeps its terms: others than the settings say need a person", self.name)
        for name in planned.tables:
            if self.keeper.state.open and name not in self.keeper.state.tables:
                joining = joined(self.hosts[name].table) if name in self.hosts else None
                if joining is None:
                    log.error("link %s: %s is no table with a jackpot wager on its sign", self.name, name)
                else:
                    await self._begun(joining)

    async def _begun(self, what: m.AnyCommand) -> None:
        done = await self.ask(what, by=CONSOLE, role=CASINO_MANAGER)
        if not done.done:
            log.error("link %s: %s (%s)", self.name, done.reason, done.rule)

    # ---------------------------------------------------------------- tending

    async def run(self) -> None:
        """Tend the link whenever something has changed, and now and then, until this is cancelled.

        A table that this process has taken over from one that is gone may have nothing new to say, and still wait.
        """
        trying = Trying(f"link {self.name}")
        while True:
            # Not `wait_for`: if something changes in the moment of the end, it would forget that it was cancelled.
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self.wake.wait()
            self.wake.clear()
            if not await trying.once(self.tend()):
                await asyncio.sleep(AGAIN_SECONDS)
                self.wake.set()

    async def tend(self) -> None:
        async with self.tending:
            await self._heard_all()
            for name, host in self.own_tables():
                await self._pay(name)
                await self._tell(name, host)

    def own_tables(self) -> list[tuple[str, Host]]:
        """The tables that this process keeps and that belong, or belonged, to the link."""
        return [
            (name, host)
            for name, host in self.hosts.items()
            if host.keeper.owned and (name in self.shown.tables or host.shown.linkage.link == self.name)
        ]

    async def _heard_all(self) -> None:
        await asyncio.gather(*(self._feeder(name, host).catch_up(self._fed(name)) for name, host in self.own_tables()))

    def _feeder(self, name: str, host: Host) -> Feeder:
        if name not in self.feeders:
            device = str(host.table.ruleset.elections.get("device", ""))
            self.feeders[name] = Feeder(self.keeper.name, self.name, host, Feed(name, device))
        return self.feeders[name]

    def _fed(self, name: str) -> Callable[[LinkCommand], Any]:
        return partial(self._passed_on, name)

    async def _passed_on(self, name: str, linked: LinkCommand) -> Answer:
        answer = await self.ask(
            linked.command, by=name, role=GAME_SUPERVISOR, command_id=linked.id, at_ms=linked.at_ms
        )  # fmt: skip
        if not answer.done:
            what = type(linked.command).__name__
            log.warning("link %s does not take line %s of %s: %s", self.name, linked.line, name, answer.reason)
            self.refused.append(NotTaken(name, linked.line, what, answer.reason, answer.rule, linked.at_ms))
        return answer

    async def _pay(self, name: str) -> None:
        """Pay the hands of a table that claim the pool, if it is their turn."""
        table, paying = self.keeper.state.tables.get(name), m.PayHands(name)
        if table is None or not table.claims:
            return
        request = LinkRequest(paying, name, GAME_SUPERVISOR, self.now_ms())
        if not isinstance(decide(self.keeper.state, request), Refusal):
            await self.ask(paying, by=name, role=GAME_SUPERVISOR)

    async def _tell(self, name: str, host: Host) -> None:
        """Tell a table what it must know and does not; nothing most of the time."""
        if self._feeder(name, host).heard < host.shown.entries:
            return  # what the table says now comes first; it has woken this link again
        if (what := due(self.shown, name, host.shown)) is not None:
            answer = await host.ask(new_id(), what, by=self.keeper.name, role=JACKPOT_EQUIPMENT)
            if answer.done:
                self.wake.set()

    # ---------------------------------------------------------------- leaving

    @asynccontextmanager
    async def shut(self, *names: str) -> AsyncIterator[None]:
        """No jackpot wager is taken at these tables meanwhile, and the link knows of all there were."""
        async with self.tending:
            for name in names:
                host, linkage = self.hosts.get(name), ShowPool(self.name, self.shown.pool, shut=True)
                if host is not None:
                    await host.keeper.hear()
                if host is not None and host.table.linkage.link == self.name:
                    await host.ask(new_id(), linkage, by=self.keeper.name, role=JACKPOT_EQUIPMENT)
            await self._heard_all()
            yield
        self.wake.set()


def _opening(link: Link) -> m.OpenLink | None:
    terms = link.terms
    return m.OpenLink(terms.pool_rate, terms.retained_rate, terms.seed_cents, terms.approval) if terms else None


def joined(table: Table) -> m.JoinTable | None:
    """How a table joins a link: its equipment as elected, the wager on its sign, and a meter of its own."""
    elections, sign = table.ruleset.elections, table.sign
    if sign.jackpot_wager is None or JACKPOT not in table.game.wagers(table.ruleset.rules):
        return None
    return m.JoinTable(
        table.name,
        device=str(elections["device"]),
        mode=str(elections["jackpot_mode"]),
        wager=sign.jackpot_wager,
        chip=sign.chip,
        meters=(f"{table.name} meter",),
    )


def due(link: Link, name: str, table: Table) -> ShowPool | None:
    """What a table must be told now, if anything: what the two journals say is all that this looks at."""
    linkage, here = table.linkage, link.tables.get(name)
    if here is None:
        own = linkage.link == link.name
        return ShowPool("", table.sign.jackpot or 0, shut=True) if own else None
    shut = dark(link, here) is not None
    if linkage.link != link.name:
        free = not any(entry.wager.on == JACKPOT for entry in table.round.book)
        return ShowPool(link.name, link.pool, shut=shut) if free else None
    played = here.history.get(table.number)
    if waits(table) and played is not None:
        prizes = {box: prize.paid_cents for box, prize in played.prizes.items()}
        return ShowPool(link.name, played.pool_cents, table.number, paid=True, prizes=prizes, shut=shut)
    if linkage.told != table.number and _is_closed(table):
        return ShowPool(link.name, link.pool, table.number, shut=shut)
    return ShowPool(link.name, table.sign.jackpot or 0, shut=shut) if shut != linkage.shut else None


def _is_closed(table: Table) -> bool:
    """Whether jackpot wagers stand and no more are taken."""
    lines = [entry for entry in table.round.book if entry.wager.on == JACKPOT]
    closed = table.procedure.closed(table.ruleset.rules, table.round.state, Wager(JACKPOT, 1))
    return bool(lines) and closed is not None


@dataclass(eq=False, slots=True)
class Links:
    """The links of a house by their names."""

    store: Store
    hosts: Mapping[str, Host]
    now_ms: Callable[[], int]
    pass_on: PassOn
    by_name: dict[str, LinkHost] = field(default_factory=dict)

    async def start(self, planned: tuple[PlannedLink, ...]) -> None:
        """Open the links of the settings, and those that there once were: their journals are still read."""
        names = await asyncio.to_thread(self.store.tables)
        known = [own for name in names if (own := own_name(name, PREFIX))]
        wanted = {each.name: each for each in planned}
        for name in dict.fromkeys((*wanted, *known)):
            fresh = new_link(name)
            keeper = Keeper(self.store, f"{PREFIX}{name}", KIND, fresh, fresh, pass_on=self.pass_on)
            link = LinkHost(keeper, self.hosts, self.now_ms)
            keeper.changed = link.heard
            self.by_name[name] = link
            await link.open(wanted.get(name))
        await self.sign()

    def keepers(self) -> Iterator[Keeper[Any]]:
        yield from (link.keeper for link in self.by_name.values())

    def of_table(self, name: str) -> LinkHost | None:
        """The link that a table plays for."""
        return next((link for link in self.by_name.values() if name in link.shown.tables), None)

    async def sign(self) -> None:
        """Sign the heads of the journals that this process keeps."""
        for keeper in self.keepers():
            await keeper.sign(self.now_ms())
