"""One honest table beside whoever wants to stop it: how much longer its commands wait, and whether anything is lost.

    python -m benchmarks.beside [SECONDS] [SILENT]        (6 seconds of each, 5000 silent lines if nothing is said)

A server process runs the demonstration; one dealer sells chips at a steady pace and waits for each answer, first alone
and then beside each attack, which comes from other addresses of the loopback.  What counts is the slowest in a hundred
beside an attack, as a multiple of the slowest in a hundred in the quiet, in one run on one machine; the attackers have
their share of its processors.  Then the server is killed and started again: every command that was answered is asked
once more and must have the same answer, and the chips must be those that were sold, no more and no less.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect

TABLE: Final = "B-4"
BESIDE: Final = "EB-1"
PLAYER: Final = "Gus"
CENTS: Final = 100
PACE_SECONDS: Final = 0.02
SCHEME: Final = "http://"
SETTINGS: Final = "[server]\nlines = 1000\nlines_per_address = 150\n"


# ---------------------------------------------------------------- the house


@dataclass(slots=True)
class Beside:
    """A running demonstration, and its log."""

    folder: Path
    address: str = ""
    process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def start(self) -> None:
        (self.folder / "house.toml").write_text(SETTINGS)
        before = self.log.stat().st_size if self.log.exists() else 0
        command = [sys.executable, "-m", "croupier", "serve", "--demo", "--port", "0", "--pace", "30,0.1,0.05"]
        command += ["--db", f"sqlite:///{self.folder}/house.db", "--key", f"{self.folder}/house.key"]
        command += ["--config", f"{self.folder}/house.toml"]
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        for _ in range(1_200):
            output = self.log.read_bytes()[before:].decode()
            if SCHEME in output:
                self.address = SCHEME + output.split(SCHEME, 1)[1].split()[0]
                with suppress(OSError), urllib.request.urlopen(f"{self.address}/health", timeout=5):
                    return
            time.sleep(0.05)
        raise RuntimeError(self.log.read_text())

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(20)

    def ticket(self, name: str, role: str, table: str) -> str:
        asked = urllib.request.Request(
            f"{self.address}/api/enter",
            json.dumps({"name": name, "role": role, "table": table}).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(asked, timeout=60) as response:
            return str(json.load(response)["ticket"])


@dataclass(slots=True)
class Dealer:
    """Who sells chips at the honest table, one command after another."""

    house: Beside
    answered: dict[str, dict[str, Any]] = field(default_factory=dict)

    @contextmanager
    def line(self) -> Iterator[ClientConnection]:
        where = f"{self.house.address.replace('http', 'ws', 1)}/api/tables/{TABLE}/live"
        with connect(where, open_timeout=60) as line:
            line.send(json.dumps({"type": "Hello", "ticket": self.house.ticket("Dot", "dealer", TABLE)}))
            yield line

    def sold(self, seconds: float) -> list[float]:
        """How long each command waited, in milliseconds."""
        waited, until = [], time.monotonic() + seconds
        with self.line() as line:
            while time.monotonic() < until:
                began = time.perf_counter()
                self.ask(line, secrets.token_hex(16))
                waited.append((time.perf_counter() - began) * 1000)
                time.sleep(PACE_SECONDS)
        return waited

    def ask(self, line: ClientConnection, one: str) -> dict[str, Any]:
        command = {"type": "BuyChips", "player": PLAYER, "amount": CENTS}
        line.send(json.dumps({"type": "Do", "id": one, "command": command}))
        while (answer := json.loads(line.recv(120)))["type"] == "View":
            pass
        if not answer.get("done"):
            raise RuntimeError(f"the honest table was refused: {answer}")
        self.answered[one] = answer
        return dict(answer)


# ---------------------------------------------------------------- the attacks


def _from(address: str, local: str, sent: bytes = b"") -> socket.socket:
    to = urlsplit(address)
    line = socket.create_connection((to.hostname or "", to.port or 0), timeout=20, source_address=(local, 0))
    if sent:
        line.sendall(sent)
    return line


@contextmanager
def silent(house: Beside, many: int) -> Iterator[None]:
    """Lines that are opened and say nothing, from five addresses; those that are closed are opened again."""
    ended = threading.Event()

    def holding(local: str) -> None:
        with ExitStack() as held:
            for _ in range(many // 5):
                if ended.is_set():
                    return
                with suppress(OSError):
                    held.enter_context(_from(house.address, local))
            ended.wait(60)

    yield from _beside([partial(holding, f"127.0.1.{n}") for n in range(1, 6)], ended)


@contextmanager
def flood(house: Beside, _many: int) -> Iterator[None]:
    """Requests as fast as they are answered: nonsense, wrong codes, wrong numbers, unknown doors."""
    ended = threading.Event()
    body = b'{"code":"aaaa-bbbb-cccc"}'
    asks = (
        b"POST /api/devices/pair HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body),
        b"GET /voucher?id=1234 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"POST /api/enter HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n" + b"[" * 9,
        b"GET /api/tables/nowhere/rounds/1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"\x00\xff nonsense\r\n\r\n",
    )

    def asking(local: str) -> None:
        number = 0
        while not ended.is_set():
            number += 1
            with suppress(OSError), _from(house.address, local, asks[number % len(asks)]) as line:
                line.recv(65_536)

    yield from _beside([partial(asking, f"127.0.2.{n}") for n in range(1, 3)], ended)


@contextmanager
def dear_to_read(house: Beside, _many: int) -> Iterator[None]:
    """What is little to send and long to read: thousands of chunks, of headers, of pings on the line of a board."""
    ended, host = threading.Event(), b"Host: 127.0.0.1\r\n"
    line_of_a_board = (
        b"GET /api/tables/%s/board HTTP/1.1\r\n%sUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ) % (BESIDE.encode(), host)
    asks = (
        (b"POST /api/enter HTTP/1.1\r\n%sTransfer-Encoding: chunked\r\n\r\n" % host, b"1\r\n \r\n" * 30_000),
        (b"GET /health HTTP/1.1\r\n" + host, b"a: b\r\n" * 8_000 + b"\r\n"),
        (line_of_a_board, b"\x89\x80\0\0\0\0" * 40_000),
    )

    def asking() -> None:
        number = 0
        while not ended.is_set():
            number += 1
            head, rest = asks[number % len(asks)]
            with suppress(OSError), _from(house.address, "127.0.3.1", head) as line:
                if head is line_of_a_board:
                    line.recv(65_536)
                line.sendall(rest)
                line.recv(65_536)

    yield from _beside([asking], ended)


@contextmanager
def slow_readers(house: Beside, _many: int) -> Iterator[None]:
    """Pages that watch and ask at another table and never read an answer."""
    ended, ticket = threading.Event(), house.ticket("Zoe", "dealer", BESIDE)
    ask = json.dumps({"type": "Do", "id": "x", "command": {"type": "ShowRules"}})

    def asking() -> None:
        async def never_read() -> None:
            from websockets.asyncio.client import connect as open_line

            where = f"{house.address.replace('http', 'ws', 1)}/api/tables/{BESIDE}/live"
            async with open_line(where, max_queue=1, ping_interval=None) as line:
                await line.send(json.dumps({"type": "Hello", "ticket": ticket}))
                while not ended.is_set():
                    async with asyncio.timeout(1):
                        await line.send(ask)

        while not ended.is_set():
            with suppress(Exception):
                asyncio.run(never_read())

    yield from _beside([asking] * 2, ended)


@contextmanager
def tampering(house: Beside, _many: int) -> Iterator[None]:
    """Somebody changes a line of another table in the database."""
    with sqlite3.connect(house.folder / "house.db", timeout=20) as db:
        db.execute("UPDATE journal SET body = body || ' ' WHERE table_name = ? AND number = 1", (BESIDE,))
    yield
    with sqlite3.connect(house.folder / "house.db", timeout=20) as db:
        db.execute("UPDATE journal SET body = rtrim(body) WHERE table_name = ? AND number = 1", (BESIDE,))


def _beside(work: Sequence[Callable[[], None]], ended: threading.Event) -> Iterator[None]:
    threads = [threading.Thread(target=each, daemon=True) for each in work]
    for each in threads:
        each.start()
    try:
        yield
    finally:
        ended.set()
        for each in threads:
            each.join(30)


ATTACKS: Final = {
    "silent lines": silent,
    "a flood": flood,
    "dear to read": dear_to_read,
    "slow readers": slow_readers,
    "a tampered row": tampering,
}


# ---------------------------------------------------------------- measuring


def slowest(waited: list[float]) -> float:
    """The slowest in a hundred."""
    return sorted(waited)[min(len(waited) - 1, len(waited) * 99 // 100)]


def measured(folder: Path, seconds: float, silent_lines: int) -> dict[str, float]:
    """The slowest in a hundred in the quiet and beside each attack; raises if anything was lost or done twice."""
    house = Beside(folder)
    house.start()
    try:
        dealer = Dealer(house)
        dealer.sold(1.0)
        found = {"quiet": slowest(dealer.sold(seconds))}
        for name, attack in ATTACKS.items():
            with attack(house, silent_lines):
                found[name] = slowest(dealer.sold(seconds))
        house.kill()
        house.start()
        _nothing_lost(dealer)
    finally:
        house.kill()
    return found


def _nothing_lost(dealer: Dealer) -> None:
    with dealer.line() as line:
        for one, before in tuple(dealer.answered.items()):
            if dealer.ask(line, one) != before:
                raise RuntimeError(f"{one} was answered otherwise after the kill")
    with sqlite3.connect(f"file:{dealer.house.folder}/house.db?mode=ro", uri=True) as db:
        rows = db.execute("SELECT body FROM journal WHERE table_name = ? AND body LIKE '%\"ChipsBought\"%'", (TABLE,))
        events = [json.loads(body)["event"] for (body,) in rows]
    sold = sum((event["player"], event["amount"]) == (PLAYER, CENTS) for event in events)
    if sold != len(dealer.answered):
        raise RuntimeError(f"{len(dealer.answered)} sales were answered and {sold} are there")


def main(seconds: float = 6.0, silent_lines: int = 5_000) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = measured(Path(folder), seconds, silent_lines)
    quiet = found["quiet"]
    for name, waited in found.items():
        print(f"  {name:<16} {waited:8.1f} ms   {waited / quiet:5.1f} times the quiet")


if __name__ == "__main__":
    main(*(kind(each) for kind, each in zip((float, int), sys.argv[1:], strict=False)))
