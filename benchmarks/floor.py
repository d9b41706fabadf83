"""Terminals at a running server: durable wagers a second, how long they wait, how soon the last one sees the news.

    python -m benchmarks.floor [TERMINALS...]        (30 300 3000 if none are named)

A server process runs tables of 30 terminals each; this process holds the line of every terminal.  Each bets again as
soon as its last wager is acknowledged, so every wager has waited for its commit: that is the most the house can take.
Then each bets at intervals that make a quarter of that load, and it counts how long the slowest in a hundred waits.
The news is a card that the dealer of each table deals; what counts is when the last terminal has it.

In the same run, on the same disk and the same loopback: appends of the same shape to the bare store by as many clients,
and a card told to as many lines by a server that makes it durable, decides nothing, and sends the same message of the
same size to all (`floor_bare.py`).  The ratios are what remains of those.  The store has become quicker itself since
its bound was set, so that it stands beside the house twice: as it is, and as it was then (`startup.BEFORE`).

    python -m benchmarks.floor --electronic [TERMINALS...]

The same at tables of Electronic Baccarat, whose terminals confirm their slips before a card; without it players sit at
the layout, as they always did in this benchmark, and their pages are called terminals here.

    python -m benchmarks.floor --processes [PROCESSES...]        (1 2 4)

Four tables of 30 on PostgreSQL, kept by one, two and four processes of one house; the first number is linear growth.
With `--growing` in its place each process has four tables, so that as many terminals share its commits as with one.

Where other work shares the machine, wagers a second say little, and what holds is the time of the processor: of the
server and of this process a wager, of the store an append, of a server that does nothing but read and answer
(`floor_bare.py`) a wager; of the server for each view that a dealt card and the acts before it send.  What this
process took of the cores is told, so that nobody takes its limit for the house's.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import random
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import websockets
from websockets.asyncio.client import ClientConnection

from benchmarks.startup import BEFORE, source
from benchmarks.store import durable
from croupier.floor.keeping.credentials.tickets import Ticket, Tickets
from croupier.prove.books.instruments.servers import postgresql

PROCESSES = (1, 2, 4)
TABLES = 4
TERMINALS = (30, 300, 3000)
A_TABLE = 30
LAYOUT, ELECTRONIC = "full", "terminals"
DEVICES: dict[tuple[str, str], int] = {}
"""The terminals of the house that runs, by table and name, each with what its tickets carry."""
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
    arrived: dict[int, float] = field(default_factory=dict)
    """When each line of the journal was first seen here, of those that a view named since a card was told."""
    size: int = 0
    views: int = 0
    news: asyncio.Event = field(default_factory=asyncio.Event)
    view: str = ""
    reading: asyncio.Task[None] | None = None

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
                self.views += 1
                self.arrived.setdefault(self.seen, time.perf_counter())
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
                assert answer.get("done"), answer
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

    async def confirm(self) -> None:
        """Confirm what a terminal shows, if its slip is owed."""
        while not (view := json.loads(self.view)["view"])["terminal"]["slip"]["owed"]:
            self.news.clear()
            await self.news.wait()
        shown = "|".join([f"{each['on']} {each['stake']}" for each in view["wagers"]])
        digest = sha256(f"{self.name}|{view['round']}|{shown}".encode()).hexdigest()
        answer = await self.ask({"type": "ConfirmSlip", "terminal": self.name, "slip": digest})
        assert answer.get("done"), answer

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
        """When this line came, whoever was told meanwhile."""
        while self.seen < line:
            self.news.clear()
            await self.news.wait()
        return min((when for number, when in self.arrived.items() if number >= line), default=0.0)


def percentile(values: list[float], share: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * share // 100)]


def processor_seconds(pid: int, *, with_children: bool = False) -> float:
    """What a process has had of the processors, and those that it started."""
    ticks, children = 0, []
    for entry in Path("/proc").iterdir() if with_children else (Path(f"/proc/{pid}"),):
        try:
            parts = (entry / "stat").read_text().rpartition(")")[2].split()
        except (OSError, NotADirectoryError):
            continue
        if entry.name == str(pid) or int(parts[1]) == pid:
            ticks += int(parts[11]) + int(parts[12])
            children += parts[13:15] if with_children and entry.name == str(pid) else []
    return (ticks + sum(map(int, children))) / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> int:
    """What a process holds in memory."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


@dataclass(frozen=True, slots=True)
class Betting:
    """Wagers as fast as they are acknowledged: how long each waited, and the time of the processors for each."""

    waited: list[float]
    per_second: float
    server_ms: float
    generator_ms: float
    database_ms: float = 0.0

    @property
    def generator_share(self) -> float:
        """What this process took of all cores."""
        return self.generator_ms / 1000 * self.per_second / (os.cpu_count() or 1)


@dataclass(frozen=True, slots=True)
class Measured:
    full: Betting
    full_p99_ms: float
    quarter_p99_ms: float
    news_p99_ms: float
    view_bytes: int
    view_us: float
    """What the server took for what a card and the acts before it change on one terminal."""
    megabytes: int


async def opened(port_of: dict[str, int], secret: bytes, people: list[tuple[str, str, str]]) -> list[Line]:
    """The lines of people, by table, name and role, each to the process that keeps the table."""
    tickets = Tickets(secret)
    given = [
        Ticket(name, role, table, DEVICES[table, name], "terminal")
        if (table, name) in DEVICES
        else Ticket(name, role, table)
        for table, name, role in people
    ]
    lines = [Line(each.table, each.name, tickets.give(each)) for each in given]
    for first in range(0, len(lines), 100):
        await asyncio.gather(*(line.open(port_of[line.table]) for line in lines[first : first + 100]))
    for line in lines:
        line.reading = asyncio.create_task(line.read())
    await asyncio.gather(*(line.sees(1) for line in lines))
    return lines


async def closed(lines: list[Line]) -> None:
    for line in lines:
        assert line.reading is not None
        assert line.socket is not None
        line.reading.cancel()
        await line.socket.close()


def players(terminals: int, version: str = LAYOUT) -> list[tuple[str, str, str]]:
    called = [f"P{number}" if version == LAYOUT else f"Terminal {number + 1}" for number in range(A_TABLE)]
    return [(table, name, "player") for table in tables(terminals) for name in called][:terminals]


def tables(terminals: int) -> list[str]:
    return [f"T{number}" for number in range(-(-terminals // A_TABLE))]


async def loaded(version: str, port: int, secret: bytes, terminals: int, server: int) -> Measured:
    port_of = dict.fromkeys(tables(terminals), port)
    lines = await opened(port_of, secret, players(terminals, version))
    dealers = await opened(port_of, secret, [(table, "Dot", "dealer") for table in port_of])
    full = await at_most(lines, (server,))
    quarter, _ = await betting(lines, interval=4 * len(lines) / full.per_second)
    await asyncio.gather(*(dealer.ready() for dealer in dealers))
    if version != LAYOUT:
        await asyncio.gather(*(line.confirm() for line in lines))
    told, spent = sum(line.views for line in lines), processor_seconds(server)
    late = await news(lines, dealers, due_first=True)
    told, spent = sum(line.views for line in lines) - told, processor_seconds(server) - spent
    size = max(line.size for line in lines)
    held = megabytes(server)
    await closed(lines + dealers)
    return Measured(
        full=full,
        full_p99_ms=percentile(full.waited, 99) * 1000,
        quarter_p99_ms=percentile(quarter, 99) * 1000,
        news_p99_ms=percentile(late, 99) * 1000,
        view_bytes=size,
        view_us=spent / told * 1e6,
        megabytes=held,
    )


async def news(lines: list[Line], dealers: list[Line], *, due_first: bool) -> list[float]:
    """How long each terminal waited for each card, from the moment in which the dealers of all tables told theirs."""
    late: list[float] = []
    for _ in range(TURNS):
        if due_first:
            # What is due before the card is done first, and not measured.
            await asyncio.gather(*(dealer.ready() for dealer in dealers))
        for line in lines:
            line.arrived.clear()
        began = time.perf_counter()
        numbers = await asyncio.gather(*(dealer.card() for dealer in dealers))
        line_of = {dealer.table: line for dealer, line in zip(dealers, numbers, strict=True)}
        late += [seen - began for seen in await asyncio.gather(*(line.sees(line_of[line.table]) for line in lines))]
        await asyncio.gather(*(dealer.sees(line_of[dealer.table]) for dealer in dealers))
    return late


async def at_most(lines: list[Line], servers: tuple[int, ...], database: int = 0) -> Betting:
    """All bet again as soon as they are answered; `database` is the process of a PostgreSQL."""

    def spent() -> tuple[float, float, float]:
        behind = processor_seconds(database, with_children=True) if database else 0.0
        return sum(map(processor_seconds, servers)), time.process_time(), behind

    before = spent()
    waited, rate = await betting(lines, interval=0.0)
    each = [(now - then) / len(waited) * 1000 for now, then in zip(spent(), before, strict=True)]
    return Betting(waited, rate, *each)


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


@contextmanager
def running(module: str, *arguments: object) -> Iterator[tuple[int, list[str]]]:
    """A process of a benchmark, and what it said when it was ready."""
    command = [sys.executable, "-m", f"benchmarks.{module}", *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.pid, process.stdout.readline().split()
        finally:
            process.kill()


async def bare_lines(port: int, terminals: int, server: int) -> tuple[Betting, float]:
    """What a wager takes of a server that does nothing, and how long 99 of 100 terminals wait for a card there."""
    port_of = dict.fromkeys(tables(terminals), port)
    lines = await opened(port_of, b"", players(terminals))
    dealers = await opened(port_of, b"", [(table, "Dot", "dealer") for table in port_of])
    most = await at_most(lines, (server,))
    late = await news(lines, dealers, due_first=False)
    await closed(lines + dealers)
    return most, percentile(late, 99) * 1000


def former_store(folder: Path, clients: int) -> float:
    """Appends a second of the store as it was when its bound was set, by its own benchmark, on the same disk."""
    asked = "from pathlib import Path; from benchmarks.store import durable; import logging; logging.disable();"
    asked += f"print(durable(Path({str(folder / 'then')!r}), {SECONDS}, clients={clients})[0])"
    (folder / "then").mkdir()
    with tempfile.TemporaryDirectory() as name:
        then = source(BEFORE, name)
        command = [sys.executable, "-c", asked]
        places = {**os.environ, "PYTHONPATH": then}
        return float(subprocess.run(command, check=True, capture_output=True, text=True, cwd=name, env=places).stdout)


def measured(version: str, terminals: int, folder: Path) -> None:
    with running("floor_house", version, folder, len(tables(terminals)), A_TABLE) as (server, (port, secret, *paired)):
        for each in "".join(paired).split(",") if paired else ():
            table, name, epoch = each.replace("_", " ").split("/")
            DEVICES[table, name] = int(epoch)
        house = asyncio.run(loaded(version, int(port), bytes.fromhex(secret), terminals, server))
    rate, store_p99, store_ms = durable(folder, SECONDS, clients=terminals)
    with running("floor_bare", house.view_bytes, folder) as (server, (port,)):
        line, fan_out = asyncio.run(bare_lines(int(port), terminals, server))
    full, then = house.full, former_store(folder, terminals)
    print(
        f"{terminals:>9,} {full.per_second:>9,.0f} {full.per_second / rate:>9.3f} {full.per_second / then:>6.2f}"
        f" {house.full_p99_ms:>6,.0f}"
        f" {house.quarter_p99_ms:>8,.0f} {house.quarter_p99_ms / store_p99:>6.1f} {house.news_p99_ms:>6,.0f}"
        f" {house.news_p99_ms / fan_out:>6.1f}   {full.server_ms:>6.3f} {store_ms:>6.3f} {line.server_ms:>6.3f}"
        f" {full.generator_ms:>9.3f} {full.generator_share:>6.0%} {house.view_us:>7.0f} {house.megabytes:>6,}"
    )


def by_processes(counts: tuple[int, ...], *, growing: bool = False) -> None:
    """The terminals of a house on PostgreSQL that is kept by more and more processes: the same, or as many for each."""
    print("processes  wagers/s  of linear   ms a wager: server  database  generator   of the cores: generator, all")
    first = 0.0
    for count in counts:
        with postgresql() as url, tempfile.TemporaryDirectory() as name, ExitStack() as stack:
            each = TABLES if growing else TABLES // count
            port_of, servers, secret = dict[str, int](), [], ""
            for number in range(count):
                own = (each, A_TABLE, url, number * each, each * count)
                house = stack.enter_context(running("floor_house", LAYOUT, name, *own))
                servers.append(house[0])
                port, secret, *_ = house[1]
                port_of |= {f"T{table}": int(port) for table in range(number * each, (number + 1) * each)}
            most = asyncio.run(_together(port_of, bytes.fromhex(secret), tuple(servers), postmaster(url)))
        first = first or most.per_second / count
        taken = (most.server_ms + most.database_ms + most.generator_ms) / 1000 * most.per_second
        print(
            f"{count:>9} {most.per_second:>9,.0f} {most.per_second / first / count:>10.2f} {most.server_ms:>20.3f}"
            f" {most.database_ms:>9.3f} {most.generator_ms:>10.3f} {most.generator_share:>26.0%},"
            f" {taken / (os.cpu_count() or 1):.0%}"
        )


async def _together(port_of: dict[str, int], secret: bytes, servers: tuple[int, ...], database: int) -> Betting:
    lines = await opened(port_of, secret, players(len(port_of) * A_TABLE))
    most = await at_most(lines, servers, database)
    await closed(lines)
    return most


def postmaster(url: str) -> int:
    """The process of a PostgreSQL that was started on a socket of its own."""
    return int((Path(url.rpartition("=")[2]) / "data" / "postmaster.pid").read_text().split()[0])


def main(counts: tuple[int, ...] = TERMINALS, version: str = LAYOUT) -> None:
    logging.disable(logging.WARNING)
    print(f"{'p99    p99 at          news         ms a wager                 generator   house:':>127}")
    print("terminals  wagers/s  of store   then   full   quarter      x    p99      x", end="")
    print("   house  store   line   its ms  share  µs, view   MB")
    for terminals in counts:
        with tempfile.TemporaryDirectory() as name:
            measured(version, terminals, Path(name))


if __name__ == "__main__":
    asked = sys.argv[1:]
    if asked[:1] in (["--processes"], ["--growing"]):
        logging.disable(logging.WARNING)
        by_processes(tuple(map(int, asked[1:])) or PROCESSES, growing=asked[0] == "--growing")
    else:
        electronic = asked[:1] == ["--electronic"]
        main(tuple(map(int, asked[electronic:])) or TERMINALS, ELECTRONIC if electronic else LAYOUT)
