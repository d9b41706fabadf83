"""Those who want to stop the house, for `benchmarks.beside`: a process of their own, with one attack at a time.

    python -m benchmarks.beside_attacks NAME ADDRESS FOLDER MANY      (as long as somebody holds its standard input)

Threads of one interpreter wait for each other, and a dealer that waits for an attacker's thread says nothing of the
house; so the attackers are no threads of whoever measures.
"""

from __future__ import annotations

import asyncio
import json
import selectors
import socket
import sqlite3
import sys
import threading
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

TABLE: Final = "B-4"
BESIDE: Final = "EB-1"


@dataclass(frozen=True, slots=True)
class Attacked:
    """The house, how many silent lines there are to be, and when to end."""

    address: str
    folder: Path
    many: int
    ended: threading.Event = field(default_factory=threading.Event)

    def line(self, local: str, sent: bytes = b"") -> socket.socket:
        to = urlsplit(self.address)
        line = socket.create_connection((to.hostname or "", to.port or 0), timeout=20, source_address=(local, 0))
        if sent:
            line.sendall(sent)
        return line


def ticket(address: str, name: str, role: str, table: str) -> str:
    """A ticket of the demonstration."""
    asked = urllib.request.Request(
        f"{address}/api/enter",
        json.dumps({"name": name, "role": role, "table": table}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(asked, timeout=60) as response:
        return str(json.load(response)["ticket"])


Work = Sequence[Callable[[], None]]


def silent(house: Attacked) -> Work:
    """Lines that are opened and say nothing, from five addresses."""

    def holding(local: str) -> None:
        with ExitStack() as held:
            for _ in range(house.many // 5):
                if house.ended.is_set():
                    return
                with suppress(OSError):
                    held.enter_context(house.line(local))
            house.ended.wait()

    return [partial(holding, f"127.0.1.{n}") for n in range(1, 6)]


def flood(house: Attacked) -> Work:
    """Requests as fast as they are answered: nonsense, wrong codes, wrong numbers, unknown doors."""
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
        while not house.ended.is_set():
            number += 1
            with suppress(OSError), house.line(local, asks[number % len(asks)]) as line:
                line.recv(65_536)

    return [partial(asking, f"127.0.2.{n}") for n in range(1, 3)]


def wide_flood(house: Attacked) -> Work:
    """Good requests of pages that anybody may see, on four hundred connections, as fast as they are answered."""
    pages = (b"/", b"/api/tables", b"/openapi.json", b"/metrics", b"/voucher?id=1234")
    asks = [b"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" % page for page in pages]

    def asking() -> None:
        with ExitStack() as held, selectors.DefaultSelector() as ready:
            for number in range(400):
                line = held.enter_context(house.line(f"127.0.4.{number % 4 + 1}", asks[number % len(asks)]))
                ready.register(line, selectors.EVENT_READ, asks[number % len(asks)])
            while not house.ended.is_set():
                for key, _ in ready.select(1):
                    taken = key.fileobj
                    assert isinstance(taken, socket.socket)
                    try:
                        if not taken.recv(1 << 20):
                            raise ConnectionResetError
                        taken.sendall(key.data)
                    except OSError:
                        ready.unregister(taken)

    return [asking]


def boards(house: Attacked) -> Work:
    """Public boards of the honest table itself, as many as may be: each is owed every change of it."""
    ask = (
        b"GET /api/tables/%s/board HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ) % TABLE.encode()

    def watching() -> None:
        with ExitStack() as held, selectors.DefaultSelector() as ready:
            for number in range(400):
                line = held.enter_context(house.line(f"127.0.5.{number % 4 + 1}", ask))
                ready.register(line, selectors.EVENT_READ)
            while not house.ended.is_set():
                for key, _ in ready.select(1):
                    taken = key.fileobj
                    assert isinstance(taken, socket.socket)
                    with suppress(OSError):
                        taken.recv(1 << 20)

    return [watching]


def dear_to_read(house: Attacked) -> Work:
    """What is little to send and long to read: thousands of chunks, of headers, of pings on the line of a board."""
    host = b"Host: 127.0.0.1\r\n"
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
        while not house.ended.is_set():
            number += 1
            head, rest = asks[number % len(asks)]
            with suppress(OSError), house.line("127.0.3.1", head) as line:
                if head is line_of_a_board:
                    line.recv(65_536)
                line.sendall(rest)
                line.recv(65_536)

    return [asking]


def slow_readers(house: Attacked) -> Work:
    """Pages that watch and ask at another table and never read an answer."""
    shown = ticket(house.address, "Zoe", "dealer", BESIDE)
    ask = json.dumps({"type": "Do", "id": "x", "command": {"type": "ShowRules"}})

    async def never_read() -> None:
        from websockets.asyncio.client import connect

        where = f"{house.address.replace('http', 'ws', 1)}/api/tables/{BESIDE}/live"
        async with connect(where, max_queue=1, ping_interval=None, local_addr=("127.0.6.1", 0)) as line:
            await line.send(json.dumps({"type": "Hello", "ticket": shown}))
            while not house.ended.is_set():
                async with asyncio.timeout(1):
                    await line.send(ask)

    def asking() -> None:
        while not house.ended.is_set():
            with suppress(Exception):
                asyncio.run(never_read())

    return [asking] * 2


def tampering(house: Attacked) -> Work:
    """Somebody changes a line of another table in the database, and in the end changes it back."""

    def changed() -> None:
        for change in ("body || ' '", "rtrim(body)"):
            with sqlite3.connect(house.folder / "house.db", timeout=20) as db:
                db.execute(f"UPDATE journal SET body = {change} WHERE table_name = ? AND number = 1", (BESIDE,))
            house.ended.wait()

    return [changed]


ATTACKS: Final[dict[str, Callable[[Attacked], Work]]] = {
    "silent lines": silent,
    "a flood": flood,
    "a wide flood": wide_flood,
    "public boards": boards,
    "dear to read": dear_to_read,
    "slow readers": slow_readers,
    "a tampered row": tampering,
}


def main(name: str, address: str, folder: str, many: str) -> None:
    house = Attacked(address, Path(folder), int(many))
    threads = [threading.Thread(target=each, daemon=True) for each in ATTACKS[name](house)]
    for each in threads:
        each.start()
    print("begun", flush=True)
    sys.stdin.read()
    house.ended.set()
    for each in threads:
        each.join(5)


if __name__ == "__main__":
    main(*sys.argv[1:])
