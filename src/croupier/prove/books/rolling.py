"""Four processes of a house, restarted one after another under terminals that play: nothing lost, nothing doubled.

Theory of operation.  A PostgreSQL of its own, four server processes, and one address before them that passes each
connection on to the next process that answers.  Terminals ask commands through that address, a moment apart, each under
an id of its own, and ask again under the same id until they are answered.  Meanwhile each process in turn is asked to
stop, ends, is started again and is waited for.  At the end the chips of everybody are held against what was
acknowledged, and the journals are verified; the longest time that any terminal waited is told.  The control is a
purchase that was done twice.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from croupier.client.asking import AsyncClient
from croupier.client.calls import HouseCall, HouseRefused, TicketGiven, command, new_id
from croupier.floor.audit.verify import verify
from croupier.floor.serve import serve
from croupier.floor.settings import Server, Settings, Storage
from croupier.floor.store.durable import open_reader
from croupier.journal.accounts import chips_of
from croupier.prove import Findings, ProofScope, Tell, Verdict
from croupier.prove.allowance import Allowance
from croupier.prove.books.telling import PATIENCE_SECONDS, answers, born, free_port

PROCESSES: Final = 4
TABLES: Final = ("B-4", "R-1", "C-1", "J-1")
STILL: Final = "3600,0.1,0.1"
CENTS: Final = 100
PAUSE_SECONDS: Final = 2.0
"""Between two commands of a terminal: quicker ones keep all processors busy, and then everybody waits for these."""


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    scope.no_games("rolling restarts")
    found, terminals = Findings(), scope.count(short=40, long=300)
    from croupier.prove.books.instruments import servers

    try:
        with TemporaryDirectory(prefix="croupier-rolling-") as name, servers.postgresql() as server:
            rolled(found, Path(name), servers.new_database(server), terminals, scope.time, tell)
    except servers.NoPostgresql as error:
        found.not_run.append(f"PostgreSQL: {error}")
    return found.verdict()


def rolled(found: Findings, folder: Path, url: str, terminals: int, allowed: Allowance, tell: Tell) -> None:
    ports = [free_port() for _ in range(PROCESSES)]
    starts = [_starting(folder, url, port) for port in ports]
    living: dict[int, int] = {}
    try:
        for port, start in zip(ports, starts, strict=True):
            living[port] = born(start)
            answers(port)
        played = asyncio.run(_played(living, dict(zip(ports, starts, strict=True)), terminals, allowed, tell))
    finally:
        for process in living.values():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
    _compare(found, folder, url, played)


def _starting(folder: Path, url: str, port: int) -> Callable[[], None]:
    settings = Settings(server=Server(port=port), store=Storage(url=url, key=str(folder / "key"), lease_seconds=5.0))
    return lambda: serve(settings, demo=True, pace=STILL)


# ---------------------------------------------------------------- one address


@dataclass(slots=True)
class Address:
    """Passes each connection on to the next process that takes it."""

    ports: tuple[int, ...]
    turn: int = 0

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(2 * len(self.ports)):
            self.turn += 1
            with suppress(OSError, asyncio.CancelledError):
                there = await asyncio.open_connection("127.0.0.1", self.ports[self.turn % len(self.ports)])
                await asyncio.gather(_pumped(reader, there[1]), _pumped(there[0], writer))
                return
        writer.close()


async def _pumped(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while piece := await reader.read(1 << 16):
            writer.write(piece)
            await writer.drain()
    writer.close()


# ---------------------------------------------------------------- terminals


@dataclass(slots=True)
class InTurn:
    """What terminals were acknowledged, and how long the longest of them waited."""

    acknowledged: dict[str, int] = field(default_factory=dict)
    longest_seconds: float = 0.0
    restarts: int = 0
    over: bool = False


async def _played(
    living: dict[int, int], starts: dict[int, Callable[[], None]], terminals: int, allowed: Allowance, tell: Tell
) -> InTurn:
    played, proxy = InTurn(), await asyncio.start_server(Address(tuple(starts)).connected, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}"
    # Each terminal has a line of its own: none waits for another one's before it has asked anything.
    async with AsyncClient(address, patience=PATIENCE_SECONDS, lines=terminals) as house:
        asking = [asyncio.create_task(_asked(house, number, played)) for number in range(terminals)]
        while len(played.acknowledged) < terminals and not any(task.done() for task in asking):
            await asyncio.sleep(0.1)
        for done, (port, start) in enumerate(allowed.each(list(starts.items()), "restarts")):
            tell(done, len(starts), f"process {done + 1} of {len(starts)}")
            os.kill(living[port], signal.SIGTERM)
            await asyncio.to_thread(os.waitpid, living[port], 0)
            living[port] = born(start)
            await asyncio.to_thread(answers, port)
            played.restarts += 1
            await asyncio.sleep(1.0)
        played.over = True
        await asyncio.gather(*asking)
    proxy.close()
    return played


async def _asked(house: AsyncClient, number: int, played: InTurn) -> None:
    """One terminal: it has chips bought for it, over and over, each time once."""
    table, player = TABLES[number % len(TABLES)], f"Guest {number}"
    entering = HouseCall("POST", "/api/enter", TicketGiven, {"name": "Dot", "role": "dealer", "table": table})
    ticket = (await house.ask(entering)).ticket
    await house.ask(command(table, ticket, {"type": "Sit", "player": player, "seat": 0}))
    while not played.over:
        began, one = time.monotonic(), new_id()
        bought = command(table, ticket, {"type": "BuyChips", "player": player, "amount": CENTS}, id=one)
        while True:
            try:
                await house.ask(bought)
                break
            except HouseRefused as error:
                if error.status not in (502, 503):
                    raise
        played.longest_seconds = max(played.longest_seconds, time.monotonic() - began)
        played.acknowledged[player] = played.acknowledged.get(player, 0) + 1
        await asyncio.sleep(PAUSE_SECONDS)


def _compare(found: Findings, folder: Path, url: str, played: InTurn) -> None:
    with open_reader(url) as store:
        balances = store.balances()
    wrong = {
        player: (balances.get(chips_of(player), 0), count * CENTS)
        for player, count in played.acknowledged.items()
        if balances.get(chips_of(player), 0) != count * CENTS
    }
    found.count("terminals", len(played.acknowledged))
    found.count("acknowledged commands", sum(played.acknowledged.values()))
    found.count("restarts", played.restarts)
    found.count("longest pause in milliseconds", int(played.longest_seconds * 1000))
    if wrong or not played.acknowledged:
        found.faults.append(f"chips that were not acknowledged, or acknowledged and not there: {wrong}")
    else:
        found.holds.append(f"nothing lost, nothing doubled; the longest pause was {played.longest_seconds:.1f} s")
    fault = verify(url, folder / "key").fault
    (found.faults if fault else found.holds).append(fault or "the journals verify")
    one = next(iter(played.acknowledged), "")
    found.controls["a purchase that was done twice"] = (
        balances.get(chips_of(one), 0) + CENTS != played.acknowledged.get(one, 0) * CENTS
    )
