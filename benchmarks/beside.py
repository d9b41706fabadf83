"""One honest table beside whoever wants to stop it: how much longer its commands wait, and whether anything is lost.

    python -m benchmarks.beside [SECONDS] [SILENT]        (4 seconds of each, 5000 silent lines if nothing is said)

A server process runs the demonstration; one dealer sells chips at a steady pace and waits for each answer, first alone
and then beside each attack, which comes from other addresses of the loopback (`beside_attacks.py`).  What counts is the
slowest in a hundred beside an attack, as a multiple of the slowest in a hundred in the quiet, in one run.  Then the
server is killed and started again: every command that was answered is asked once more and must have the same answer,
and the chips must be those that were sold, no more and no less.

All of this is done twice.  Attackers who are elsewhere do not use the processors of the house: so first the house and
the dealer have one processor and the attackers another.  Then all of them share all processors, and what the attackers
reckon for themselves is in the way too.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from websockets.sync.client import ClientConnection, connect

from benchmarks.beside_attacks import ATTACKS, TABLE, ticket

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


@dataclass(slots=True)
class Dealer:
    """Who sells chips at the honest table, one command after another."""

    house: Beside
    answered: dict[str, dict[str, Any]] = field(default_factory=dict)

    @contextmanager
    def line(self) -> Iterator[ClientConnection]:
        where = f"{self.house.address.replace('http', 'ws', 1)}/api/tables/{TABLE}/live"
        with connect(where, open_timeout=60) as line:
            line.send(json.dumps({"type": "Hello", "ticket": ticket(self.house.address, "Dot", "dealer", TABLE)}))
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


# ---------------------------------------------------------------- measuring


@contextmanager
def attacked(house: Beside, name: str, silent_lines: int, processors: set[int]) -> Iterator[None]:
    """The attack is under way meanwhile, on these processors."""
    command = [sys.executable, "-m", "benchmarks.beside_attacks", name, house.address, str(house.folder)]
    process = subprocess.Popen([*command, str(silent_lines)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        os.sched_setaffinity(process.pid, processors)
        assert process.stdout is not None
        if process.stdout.readline() != b"begun\n":
            raise RuntimeError(f"there is no attack: {name}")
        yield
    finally:
        process.communicate(timeout=60)


def slowest(waited: list[float]) -> float:
    """The slowest in a hundred."""
    return sorted(waited)[min(len(waited) - 1, len(waited) * 99 // 100)]


def measured(folder: Path, seconds: float, silent_lines: int, *, apart: bool) -> dict[str, float]:
    """The slowest in a hundred in the quiet and beside each attack; raises if anything was lost or done twice."""
    every = os.sched_getaffinity(0)
    own = {min(every)} if apart else every
    os.sched_setaffinity(0, own)
    house = Beside(folder)
    try:
        house.start()
        dealer = Dealer(house)
        dealer.sold(1.0)
        found = {"quiet": slowest(dealer.sold(seconds))}
        for name in ATTACKS:
            with attacked(house, name, silent_lines, (every - own) or every):
                found[name] = slowest(dealer.sold(seconds))
        house.kill()
        house.start()
        _nothing_lost(dealer)
    finally:
        house.kill()
        os.sched_setaffinity(0, every)
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


def main(seconds: float = 4.0, silent_lines: int = 5_000) -> None:
    found = []
    for apart in (True, False):
        with tempfile.TemporaryDirectory() as folder:
            found.append(measured(Path(folder), seconds, silent_lines, apart=apart))
    print(f"  {'':<16} {'attackers elsewhere':>22} {'on the same processors':>26}")
    for name in found[0]:
        told = [f"{each[name]:8.1f} ms {each[name] / each['quiet']:6.1f} times" for each in found]
        print(f"  {name:<16} {told[0]:>22} {told[1]:>26}")


if __name__ == "__main__":
    main(*(kind(each) for kind, each in zip((float, int), sys.argv[1:], strict=False)))
