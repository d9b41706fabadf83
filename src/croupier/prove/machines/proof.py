"""A house on four machines behind one address: its tables spread, its machines restarted in turn, one cut off.

Theory of operation.  Four network namespaces are four machines (`network`); on each runs one process of a real house,
with accounts, under TLS; they share a PostgreSQL and nothing else (`house`), and nginx with the shipped file stands
before them.  Paired terminals, a shoe and a dealer at each table play electronic baccarat through that one address, on
lines as pages have them: silent for twelve seconds, a line is given up, and what was not answered is asked again under
its id.  Meanwhile

1. the tables spread from the process that was first to all four;
2. each machine in turn is stopped and started, and gets its share of the tables back;
3. the cable of a machine that keeps tables is pulled: it closes nothing, and others take its tables over when its
   leases have ended; then it is plugged in again, and the machine comes back.  In a long run, again and again.

At the end everybody is answered, each terminal shows what the journal says, nothing that was acknowledged is missing,
no wager was settled twice, and the journals verify.  The longest time that anybody waited for an answer is told for
each part, and must not be longer than a page's patience with a silent line and its way back in take.  The controls are
an acknowledgement of something that no journal has, and somebody who waited too long.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from croupier.client.asking import AsyncClient
from croupier.client.calls import command, device_code, device_enter, enter, pair, set_password, sign_in
from croupier.floor.audit.verify import verify
from croupier.floor.store.durable import Store, open_reader
from croupier.prove import Findings, ProofScope, Tell, Verdict
from croupier.prove.books.instruments import servers
from croupier.prove.books.plugs import DealerAsker, PlugAsker, Quiet, TerminalAsker
from croupier.prove.books.rounds import Played, settled, table_in, untrue
from croupier.prove.machines.house import Floor, FloorMachine, NoProxy, built, proxy
from croupier.prove.machines.network import HUB, NETWORK, NoNamespaces, inside, network

MACHINES: Final = 4
STAFF: Final = 3
"""At each table somebody deals, somebody supervises, and a shoe tells its cards."""
A_TABLE: Final = 30
"""Terminals at one table, at most."""
SILENCE_SECONDS: Final = 12.0
"""When a page gives a silent line up (`web/kit/connection.js`)."""
PAUSE_SECONDS: Final = 0.5
"""Nobody is quicker than that: without it the players alone would keep two processors busy."""
PATIENCE_SECONDS: Final = 400.0
LONGEST_SECONDS: Final = 90.0
"""Nobody waits longer for an answer, whatever is pulled; on processors with nothing else to do it is some 15 s."""
CUTS: Final = 20
"""How often a long run cuts a machine off: what it is doing in that moment is up to chance, and matters."""
CREDIT_CENTS: Final = 10_000_000


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    scope.no_games("several machines")
    found, terminals = Findings(), scope.count(short=8, long=300)
    try:
        with (
            network(MACHINES) as made,
            TemporaryDirectory(prefix="croupier-machines-", ignore_cleanup_errors=True) as name,
            inside(made.hub),
            servers.postgresql(f"listen_addresses={HUB}", network=NETWORK) as server,
        ):
            database = servers.new_database(server).partition("?")[0].rpartition("/")[2]
            tables = max(MACHINES, min(2 * MACHINES, terminals // 2), -(-terminals // A_TABLE))
            floor = built(Path(name), f"postgresql:{'/' * 2}croupier@{HUB}/{database}", made, tables)
            cuts = CUTS if scope.length == "long" else 1
            shown(found, floor, Path(name), (terminals, cuts), tell, random.Random(scope.seed))
    except (NoNamespaces, NoProxy, servers.NoPostgresql) as error:
        found.not_run.append(f"MACHINES ARE NOT TRIED: {error}")
    return found.verdict()


def shown(
    found: Findings, floor: Floor, folder: Path, size: tuple[int, int], tell: Tell, chance: random.Random
) -> None:
    """All of it, on a house that is built and not yet open; the size is that of `_shown`."""
    try:
        floor.open()
        with proxy(floor, folder), open_reader(floor.url) as store:
            asyncio.run(_shown(found, Evening(floor, store, chance), size, tell))
    finally:
        for machine in floor.machines:
            machine.kill()
    for code, times in Counter(code for machine in floor.machines for code in machine.ends).items():
        found.count(f"processes that ended with {code} and were started again", times)
    fault = verify(floor.url, floor.key).fault
    (found.faults if fault else found.holds).append(fault or "the journals verify")


async def _shown(found: Findings, evening: Evening, size: tuple[int, int], tell: Tell) -> None:
    """So many terminals play, and machines are cut off so often."""
    terminals, cuts = size
    parts: tuple[tuple[str, Callable[[], Any]], ...] = (
        ("the tables spread", evening.spread),
        ("each machine restarted in turn", evening.rolled),
        *(("a machine cut off", evening.cut), ("the machine that was cut off comes back", evening.mended)) * cuts,
    )
    tell(0, len(parts), "terminals are paired")
    await evening.seated(terminals)
    try:
        await evening.until("everybody plays", lambda: evening.playing(0.0))
        for done, (words, part) in enumerate(parts):
            tell(done, len(parts), words)
            began = time.monotonic()
            await part()
            await evening.until(f"everybody plays on ({words})", lambda since=began: evening.playing(since))  # type: ignore[misc]
            waited = evening.pause()
            told = f"{words}: {time.monotonic() - began:.0f} s; the longest wait for an answer was {waited:.1f} s"
            (found.faults if waited > LONGEST_SECONDS else found.holds).append(told)
        await evening.rested(found)
    finally:
        await evening.ended()
    evening.held(found)
    evening.everybody[-1].longest_seconds = 2 * LONGEST_SECONDS
    found.controls["somebody who waited too long"] = evening.pause() > LONGEST_SECONDS


def _supervised(due: dict[str, Any]) -> bool:
    return "supervisor" in (due.get("official") or "")


@dataclass(slots=True)
class TellingShoe(DealerAsker):
    """In a real house the cards come out of the shoe, which is a device with a line of its own."""

    def mine(self, due: dict[str, Any]) -> bool:
        return bool(due["kind"] == "deal")


@dataclass(slots=True)
class ActingSupervisor(DealerAsker):
    def mine(self, due: dict[str, Any]) -> bool:
        return _supervised(due)


@dataclass(slots=True)
class ActingDealer(DealerAsker):
    """Does what is left: no dealer does what is a supervisor's."""

    def mine(self, due: dict[str, Any]) -> bool:
        return due["kind"] != "deal" and not _supervised(due)


@dataclass(slots=True)
class OneAddress:
    address: str = HUB


@dataclass(slots=True)
class Evening:
    """Everybody who plays, and what is done to the house meanwhile."""

    floor: Floor
    store: Store
    """A reader of the house's database, from where that is."""
    chance: random.Random
    quiet: Quiet = field(default_factory=Quiet)
    tables: dict[str, list[PlugAsker]] = field(default_factory=dict)
    running: list[asyncio.Task[None]] = field(default_factory=list)
    cut_off: FloorMachine | None = None

    # ------------------------------------------------------------ people and terminals

    async def seated(self, terminals: int) -> None:
        """Everybody signs in, and the terminals are paired, all through the one address."""
        floor = self.floor
        async with (
            AsyncClient(f"https:{'/' * 2}{HUB}", trust=str(floor.certificate)) as max_,
            AsyncClient(f"https:{'/' * 2}{HUB}", trust=str(floor.certificate)) as sue,
        ):
            for client, name in ((max_, "Max"), (sue, "Sue")):
                await client.ask(sign_in(name, floor.passwords[name]))
                await client.ask(set_password(floor.passwords[name], secrets.token_urlsafe(12)))
            for count, table in enumerate(floor.tables):
                share = len(range(count, terminals, len(floor.tables)))
                await self._opened(table, share, max_, sue)
        self.running = [asyncio.create_task(each.run()) for each in self.everybody]

    async def _opened(self, table: str, terminals: int, max_: AsyncClient, sue: AsyncClient) -> None:
        dealing = (await max_.ask(enter("casino manager", table))).ticket
        supervising = (await sue.ask(enter("game supervisor", table))).ticket

        async def do(ticket: str, kind: str, **parts: Any) -> None:
            await sue.ask(command(table, ticket, {"type": kind, **parts}))

        await do(supervising, "ApproveSystem", version="1.0", approval="TA-0")
        shoe = await self._paired(sue, table, "shoe", supervising)
        self.tables[table] = [
            self._asker(ActingDealer, table, dealing, "Max", terminals=terminals),
            self._asker(ActingSupervisor, table, supervising, "Sue"),
            self._asker(TellingShoe, table, shoe, "shoe"),
        ]
        for number in range(1, terminals + 1):
            name = f"Terminal {number}"
            await do(supervising, "PairTerminal", number=number, minimum=500, maximum=100_000, approval="TA-1")
            await do(dealing, "CreditTerminal", terminal=name, amount=CREDIT_CENTS)
            ticket = await self._paired(sue, table, name, supervising)
            self.tables[table].append(self._asker(TerminalAsker, table, ticket, name))

    async def _paired(self, house: AsyncClient, table: str, device: str, supervising: str) -> str:
        """The ticket of a device that was just paired."""
        code = (await house.ask(device_code(table, device, supervising))).code
        return (await house.ask(device_enter((await house.ask(pair(code))).secret))).ticket

    def _asker(self, kind: type[PlugAsker], table: str, ticket: str, name: str, **more: Any) -> PlugAsker:
        return kind(
            [OneAddress()],
            ticket,
            name,
            self.quiet,
            self.chance,
            table=table,
            trusted=self.floor.trusted,
            silence_seconds=SILENCE_SECONDS,
            pause_seconds=PAUSE_SECONDS,
            **more,
        )

    @property
    def everybody(self) -> list[PlugAsker]:
        return [each for askers in self.tables.values() for each in askers]

    # ------------------------------------------------------------ what is waited for

    async def until(self, what: str, holds: Callable[[], bool]) -> None:
        limit = time.monotonic() + PATIENCE_SECONDS
        while not holds():
            for task in self.running:
                if task.done():
                    task.result()
            if time.monotonic() > limit:
                raise TimeoutError(f"{what}: not in {PATIENCE_SECONDS:.0f} s; the tables are kept at {self.kept()}")
            await asyncio.sleep(0.1)

    def playing(self, since: float) -> bool:
        """Whether everybody was answered after this moment who has something to do in every coup."""
        return all(each.answered_at > since for each in self.everybody if each.name != "Sue")

    def pause(self) -> float:
        """The longest that anybody waited since this was asked last."""
        longest = max(each.longest_seconds for each in self.everybody)
        for each in self.everybody:
            each.longest_seconds = 0.0
        return longest

    def kept(self) -> Counter[str]:
        """How many tables are kept at which address, of processes that hold their leases."""
        holders = self.store.holders()
        return Counter(holders[name].address for name in self.floor.tables if name in holders)

    def even(self) -> bool:
        counted = self.kept()
        return (
            len(counted) == len(self.floor.machines)
            and sum(counted.values()) == len(self.floor.tables)
            and max(counted.values()) - min(counted.values()) <= 1
        )

    # ------------------------------------------------------------ what is done

    async def spread(self) -> None:
        await self.until("the tables are spread", self.even)

    async def rolled(self) -> None:
        for machine in self.floor.machines:
            await asyncio.to_thread(machine.stop)
            await asyncio.to_thread(machine.start)
            await asyncio.to_thread(self.floor.await_ready, machine)
            await self.until(f"machine {machine.number} has tables again", self.even)

    async def cut(self) -> None:
        machine = self.cut_off = self.chance.choice(self.floor.machines)
        await self.until("it keeps tables", lambda: self.kept()[machine.url] > 0)
        machine.network.pull(machine.number)
        await self.until(
            "its tables are kept by others",
            lambda: not (kept := self.kept())[machine.url] and sum(kept.values()) == len(self.floor.tables),
        )

    async def mended(self) -> None:
        machine = self.cut_off
        assert machine is not None
        machine.network.plug(machine.number)
        await asyncio.to_thread(self.floor.await_ready, machine)
        await self.until("the machine that was cut off has tables again", self.even)

    async def rested(self, found: Findings) -> None:
        """Nobody asks anything new; when all is answered, each terminal shows what the journal says."""
        self.quiet.on = True
        wrong: list[str] = []

        def at_rest() -> bool:
            if not all(each.view and each.asked is None for each in self.everybody):
                return False
            wrong[:] = [
                f"{name}: {text}"
                for name, askers in self.tables.items()
                if (text := untrue(table_in(self.floor.url, self.floor.key, name), askers[STAFF:]))
            ]
            return not wrong

        try:
            await self.until("every terminal shows what the journal says", at_rest)
            found.holds.append("every terminal shows what the journal says")
        except TimeoutError as error:
            found.faults.append(f"{error}; {wrong}")

    async def ended(self) -> None:
        for task in self.running:
            task.cancel()
        await asyncio.gather(*self.running, return_exceptions=True)

    def held(self, found: Findings) -> None:
        """The books against what was acknowledged, table by table."""
        done = Played()
        for name, askers in self.tables.items():
            settled(done, self.floor.url, self.floor.key, askers, name)
        found.count("machines", len(self.floor.machines))
        found.count("tables", len(self.tables))
        found.count("terminals", len(self.everybody) - STAFF * len(self.tables))
        found.count("acknowledged commands", done.acknowledged)
        found.faults.extend(done.faults)
        if not done.faults:
            found.holds.append("nothing that was acknowledged is missing, and no wager was settled twice")
        name, askers = next(iter(self.tables.items()))
        control = Played()
        askers[0].acknowledged[secrets.token_hex(16)] = {"type": "Tell"}
        settled(control, self.floor.url, self.floor.key, askers, name)
        found.controls["an acknowledgement of what no journal has"] = bool(control.faults)
