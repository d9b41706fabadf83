"""Terminals at a running server: durable wagers a second, how long they wait, how soon the last one sees the news.

    python -m benchmarks.floor [TERMINALS...]        (30 300 3000 if none are named)

A server process runs tables of 30 terminals each; this process holds the line of every terminal.  Each bets again as
soon as its last wager is acknowledged, so every wager has waited for its commit: that is the most the house can take.
Then each bets at intervals that make a quarter of that load, and it counts how long the slowest in a hundred waits.
The news is a card that the dealer of each table deals; what counts is when the last terminal has it.

In the same run, on the same disk and the same loopback: appends of the same shape to the bare store by as many clients,
and messages of the same size from a bare server to as many lines.  The ratios are what remains of those.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import re
import secrets
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import websockets
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import ServerConnection, serve

from benchmarks.store import durable
from croupier.floor.keeping.credentials.tickets import Ticket, Tickets

TERMINALS = (30, 300, 3000)
A_TABLE = 30
SECONDS = 6.0
TURNS = 4
NUMBER = re.compile(r'"wagers":\[\{"number":(\d+)')
CARDS = [f"{rank}{suit}" for rank in ("2", "3", "10", "J", "Q") for suit in "cdhs"]


@dataclass(slots=True)
class Line:
    """One terminal: its line to the server and what it has seen."""

    table: str
    name: str
    ticket: str
    socket: ClientConnection | None = None
    waited: list[float] = field(default_factory=list)
    answers: asyncio.Queue[dict[str, Any]] = field(default_factory=asyncio.Queue)
    seen: int = 0
    size: int = 0
    news: asyncio.Event = field(default_factory=asyncio.Event)
    view: str = ""

    async def open(self, port: int) -> None:
        self.socket = await websockets.connect(
            f"ws://127.0.0.1:{port}/api/tables/{self.table}/live",
            compression=None,
            open_timeout=120,
            ping_interval=None,
        )
        await self.socket.send(json.dumps({"type": "Hello", "ticket": self.ticket}))

    async def read(self) -> None:
        assert self.socket is not None
        async for message in self.socket:
            text = str(message)
            # The line's number stands near the front; taking a whole view apart would measure this process.
            if text.startswith('{"type":"View"'):
                self.seen, self.size, self.view = int(text[22:40].partition(",")[0]), len(text), text
                self.news.set()
            else:
                self.answers.put_nowait(json.loads(text))

    async def ask(self, command: dict[str, Any]) -> dict[str, Any]:
        assert self.socket is not None
        began = time.perf_counter()
        await self.socket.send(json.dumps({"type": "Do", "id": secrets.token_hex(16), "command": command}))
        answer = await self.answers.get()
        self.waited.append(time.perf_counter() - began)
        return answer

    async def bet_until(self, end: float, interval: float = 0.0) -> None:
        """Bet and take back in turn, so that the layout stays as full as a layout is."""
        await asyncio.sleep(random.random() * interval)
        number: int | None = None
        # It ends with a wager on the layout, without which no card is dealt.
        while time.perf_counter() < end or number is None:
            if number is not None:
                answer = await self.ask({"type": "WithdrawWager", "player": self.name, "number": number})
                number = None
            else:
                answer = await self.ask({"type": "PlaceWager", "player": self.name, "on": "player", "amount": 500})
                number = await self._number()
            assert answer.get("done"), answer
            await asyncio.sleep(interval)

    async def empty(self) -> None:
        """Take back what is left on the layout."""
        if found := NUMBER.search(self.view):
            await self.ask({"type": "WithdrawWager", "player": self.name, "number": int(found[1])})
            while NUMBER.search(self.view):
                self.news.clear()
                await self.news.wait()

    async def _number(self) -> int:
        """The number of this terminal's wager, once it shows."""
        while not (found := NUMBER.search(self.view)):
            self.news.clear()
            await self.news.wait()
        return int(found[1])

    async def ready(self) -> None:
        """Do what is due until a card is."""
        while (due := json.loads(self.view)["view"]["due"])["kind"] != "deal":
            detail = {} if due.get("usual", "") == "" else {"detail": due["usual"]}
            answer = await self._tell({"perform": due["act"], "by": due["by"]} | detail)
            await self.sees(answer["line"])

    async def card(self) -> int:
        """Deal a card; answers with its line."""
        return int((await self._tell(secrets.choice(CARDS)))["line"])

    async def _tell(self, fact: object) -> dict[str, Any]:
        answer = await self.ask({"type": "Tell", "fact": fact})
        assert answer.get("done"), answer
        return answer

    async def sees(self, line: int) -> float:
        while self.seen < line:
            self.news.clear()
            await self.news.wait()
        return time.perf_counter()


def percentile(values: list[float], share: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * share // 100)]


@dataclass(frozen=True, slots=True)
class Measured:
    wagers_per_second: float
    full_p99_ms: float
    quarter_p99_ms: float
    news_p99_ms: float
    view_bytes: int


async def loaded(port: int, secret: bytes, terminals: int) -> Measured:
    tickets = Tickets(secret)
    tables = [f"T{number}" for number in range(-(-terminals // A_TABLE))]
    lines = [
        Line(table, f"P{number}", tickets.give(Ticket(f"P{number}", "player", table)))
        for table in tables
        for number in range(A_TABLE)
    ][:terminals]
    dealers = [Line(table, "Dot", tickets.give(Ticket("Dot", "dealer", table))) for table in tables]
    everybody = lines + dealers
    for first in range(0, len(everybody), 100):
        await asyncio.gather(*(line.open(port) for line in everybody[first : first + 100]))
    reading = [asyncio.create_task(line.read()) for line in everybody]
    await asyncio.gather(*(line.sees(1) for line in everybody))
    full, rate = await betting(lines, interval=0.0)
    quarter, _ = await betting(lines, interval=4 * len(lines) / rate)
    late: list[float] = []
    for _ in range(TURNS):
        # What is due before the card is done first, and not measured.
        await asyncio.gather(*(dealer.ready() for dealer in dealers))
        began = time.perf_counter()
        numbers = await asyncio.gather(*(dealer.card() for dealer in dealers))
        line_of = {dealer.table: line for dealer, line in zip(dealers, numbers, strict=True)}
        late += [seen - began for seen in await asyncio.gather(*(line.sees(line_of[line.table]) for line in lines))]
        await asyncio.gather(*(dealer.sees(line_of[dealer.table]) for dealer in dealers))
    for task in reading:
        task.cancel()
    await asyncio.gather(*(line.socket.close() for line in everybody if line.socket is not None))
    size = max(line.size for line in lines)
    return Measured(
        wagers_per_second=rate,
        full_p99_ms=percentile(full, 99) * 1000,
        quarter_p99_ms=percentile(quarter, 99) * 1000,
        news_p99_ms=percentile(late, 99) * 1000,
        view_bytes=size,
    )


async def betting(lines: list[Line], *, interval: float) -> tuple[list[float], float]:
    """How long each wager of all terminals waited, and how many there were in a second."""
    for line in lines:
        line.waited.clear()
        await line.empty()
    began = time.perf_counter()
    await asyncio.gather(*(line.bet_until(began + SECONDS, interval) for line in lines))
    took = time.perf_counter() - began
    waited = [each for line in lines for each in line.waited]
    return waited, len(waited) / took


async def bare_fan_out(terminals: int, size: int) -> float:
    """Milliseconds until 99 of 100 lines have a message of this size, from a server that does nothing else."""
    lines: set[ServerConnection] = set()

    async def keep(line: ServerConnection) -> None:
        lines.add(line)
        await line.wait_closed()

    async with serve(keep, "127.0.0.1", 0, compression=None, ping_interval=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        clients = []
        for _ in range(terminals):
            clients.append(await websockets.connect(f"ws://127.0.0.1:{port}", compression=None, ping_interval=None))
        late = []
        for _ in range(TURNS):
            began = time.perf_counter()

            async def heard(client: ClientConnection, began: float = began) -> float:
                await client.recv()
                return time.perf_counter() - began

            waiting = [asyncio.create_task(heard(client)) for client in clients]
            for line in tuple(lines):
                await line.send("x" * size)
            late += await asyncio.gather(*waiting)
        await asyncio.gather(*(client.close() for client in clients))
    return percentile(late, 99) * 1000


def measured(terminals: int, folder: Path) -> None:
    tables = -(-terminals // A_TABLE)
    command = [sys.executable, "-m", "benchmarks.floor_house", str(folder), str(tables), str(A_TABLE)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            port, secret = server.stdout.readline().split()
            house = asyncio.run(loaded(int(port), bytes.fromhex(secret), terminals))
        finally:
            server.kill()
    store_rate, store_p99 = durable(folder, SECONDS, clients=terminals)
    fan_out = asyncio.run(bare_fan_out(terminals, house.view_bytes))
    print(
        f"{terminals:>9,} {tables:>7} {house.wagers_per_second:>10,.0f} {house.wagers_per_second / store_rate:>8.3f}"
        f" {house.full_p99_ms:>8,.0f} ms {house.full_p99_ms / store_p99:>8.1f} {house.quarter_p99_ms:>8,.0f} ms"
        f" {house.news_p99_ms:>9,.0f} ms {house.news_p99_ms / fan_out:>8.1f}"
    )


def main(counts: tuple[int, ...] = TERMINALS) -> None:
    logging.disable(logging.WARNING)
    print("                                                           p99 at a")
    print("terminals  tables   wagers/s of store         p99    x p99     quarter    news p99   x bare")
    for terminals in counts:
        with tempfile.TemporaryDirectory() as name:
            measured(terminals, Path(name))


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or TERMINALS)
