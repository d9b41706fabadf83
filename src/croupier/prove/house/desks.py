"""Houses with a cage for a proof, in processes of their own or in this one, and people who ask them over HTTP.

A process is this module, run with the URL of a database, the path of a key and a port: the doors of a house and no
tables, which starts quickly.  Whoever asks has a ticket that is made here, with the secret that lies beside the key.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
import uvicorn

from croupier.floor.app import create_app
from croupier.floor.doors.lines import gate_for, protocols
from croupier.floor.keeping.credentials.tickets import Ticket, Tickets, secret_beside
from croupier.floor.keeping.house import House, open_house
from croupier.floor.keeping.planned import Planned
from croupier.floor.practice.demonstration import SIGN
from croupier.law.officials import CASHIER

HERE: Final = "http" + "://127.0.0.1"
COMMANDS: Final = "/api/cage/commands"
TRIES, WAIT_SECONDS = 60, 0.1
LINES: Final = 1_000
ENDS_SECONDS: Final = 30


@dataclass(slots=True)
class Cashier:
    """Somebody of the cage, who may ask any of the processes of the house."""

    name: str
    ticket: str
    lines: tuple[httpx.AsyncClient, ...]
    chance: Random

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Ticket {self.ticket}"}

    def new_id(self) -> str:
        return f"{self.chance.getrandbits(128):032x}"

    async def ask(self, command_id: str, what: dict[str, Any], process: int = -1) -> dict[str, Any]:
        """What became of a command; while nobody can decide it, or a line is closed under it, it is asked again."""
        body = {"id": command_id, "command": what}
        outcome: dict[str, Any] = {}
        for _ in range(TRIES):
            line = self.lines[process] if process >= 0 else self.chance.choice(self.lines)
            try:
                answer = await line.post(COMMANDS, json=body, headers=self.headers)
            except (httpx.RemoteProtocolError, httpx.NetworkError) as closed:
                # A server closes a line that was quiet for long, and may do so while a request is on its way: the line
                # then ends without an answer, or is reset under it.
                outcome = {"status": 0, "reason": str(closed) or type(closed).__name__}
                await asyncio.sleep(WAIT_SECONDS)
                continue
            outcome = {"status": answer.status_code, **answer.json()}
            if answer.status_code != 503:
                break
            await asyncio.sleep(WAIT_SECONDS)
        return outcome

    async def get(self, path: str, process: int = 0) -> httpx.Response:
        return await self.lines[process].get(path, headers=self.headers)


def cashier(name: str, key: Path, lines: tuple[httpx.AsyncClient, ...], chance: Random) -> Cashier:
    ticket = Tickets(secret_beside(key)).give(Ticket(name, CASHIER, ""))
    return Cashier(name, ticket, lines, chance)


# ---------------------------------------------------------------- in processes of their own


@contextmanager
def processes(url: str, key: Path, count: int, table: str = "") -> Iterator[tuple[str, ...]]:
    """So many processes of one house, with a table if one is named, and where each answers.

    They wait for their connections to end, however long that takes: one that never ends is found so.
    """
    ports = [_free_port() for _ in range(count)]
    running = [_started(url, key, port, table) for port in ports]
    try:
        PROCESSES.update({f"{HERE}:{port}": one.pid for port, one in zip(ports, running, strict=True)})
        yield tuple(_answering(f"{HERE}:{port}", one) for port, one in zip(ports, running, strict=True))
    finally:
        for one in running:
            one.terminate()
        try:
            for one in running:
                one.wait(ENDS_SECONDS)
        finally:
            for one in running:
                one.kill()


PROCESSES: Final[dict[str, int]] = {}
"""The number of the process at each address."""


def _started(url: str, key: Path, port: int, table: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "croupier.prove.house.desks", url, str(key), str(port), table])


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def _answering(address: str, process: subprocess.Popen[bytes]) -> str:
    for _ in range(1200):
        try:
            if httpx.get(f"{address}/health", timeout=30).status_code == 200:
                return address
        except httpx.HTTPError:
            if process.poll() is not None:
                break
            time.sleep(0.05)
    raise RuntimeError(f"{address} does not answer")


def _serve(url: str, key: str, port: str, table: str) -> None:
    logging.disable()
    house = open_house(url, Path(key), demo=True, address=f"{HERE}:{port}")
    planned = (Planned(table, "nzeb", "baccarat", "terminals", SIGN),) if table else ()
    gated = protocols(gate_for(LINES, LINES))
    uvicorn.run(create_app(house, planned), port=int(port), log_config=None, access_log=False, **gated)


# ---------------------------------------------------------------- in this one


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[tuple[House, httpx.AsyncClient]]:
    """A house in this process and a line to its doors; its key is the file `key` of the folder."""
    house = open_house(f"sqlite:///{folder}/house.db", folder / "key", demo=True)
    app = create_app(house)
    async with app.router.lifespan_context(app), line_to(HERE, httpx.ASGITransport(app)) as line:
        yield house, line


def line_to(address: str, transport: httpx.AsyncBaseTransport | None = None) -> httpx.AsyncClient:
    """A client of one address; nothing here is encrypted, and a context for that would take longer than a request."""
    return httpx.AsyncClient(base_url=address, transport=transport, timeout=120, verify=False)


if __name__ == "__main__":
    _serve(*sys.argv[1:])
