"""A house that plays for long is after its last round what it was after its first: as large, as quick, as tidy.

Theory of operation.  A table plays as fast as it can, on a file of SQLite, while pages come and go:
each opens a line to the real door, is shown the table, asks something, and leaves.  The run is cut into windows.  After
each window are counted the tasks of the loop, the open files, and the memory of the process; and how long an answer
took, of which one in a hundred took longer.  The first quarter is warming up; after it nothing may grow.

How long an answer takes is compared within the run, and only where the windows are long enough to mean something.  The
control is a page that leaves a task behind whenever it goes.
"""

from __future__ import annotations

import asyncio
import gc
import re
from collections.abc import AsyncIterator, Callable, Iterable, MutableMapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

import msgspec
from starlette.applications import Starlette

from croupier.answers.walker import Stack, Walker, teller
from croupier.floor.app import create_app
from croupier.floor.doors.turns import LINE
from croupier.floor.keeping.host import Host
from croupier.floor.keeping.house import House, open_house
from croupier.floor.keeping.keeper import new_id
from croupier.floor.keeping.planned import Planned
from croupier.floor.practice.demonstration import SIGN
from croupier.floor.practice.guests import seat_guest
from croupier.floor.wire import Do, Hello
from croupier.law.officials import DEALER, PLAYER
from croupier.notation import write_fact
from croupier.prove import Findings, ProofScope, Verdict
from croupier.prove import Tell as Telling
from croupier.prove.allowance import Allowance
from croupier.table.commands import BuyChips, PlaceWager, ShowRules, Tell

TABLE: Final = "T-1"
PLANNED: Final = (Planned(TABLE, "nz1996", "tai_sai", "", SIGN),)
WINDOWS: Final = 8
WARMING: Final = 2
GROWTH_BYTES: Final = 32 << 20
MORE_TASKS: Final = 3
SLOWER: Final = 1.2
ENOUGH: Final = 500
"""Answers in a window from which one in a hundred means something."""
OF_CONTROL: Final = 24
BETWEEN_SECONDS: Final = 0.05
CHIPS: Final = 1_000_000


@dataclass(slots=True)
class Window:
    """What was there at the end of a part of the run."""

    tasks: int
    files: int
    memory: int
    rounds: int
    seconds: list[float] = field(default_factory=list)

    @property
    def slowest(self) -> float:
        """What all but one in a hundred answers took at most."""
        return sorted(self.seconds)[max(0, len(self.seconds) * 99 // 100 - 1)] if self.seconds else 0.0


def prove(scope: ProofScope, tell: Telling) -> Verdict:
    scope.no_games("long running")
    found, rounds = Findings(), scope.count(short=500, long=100_000)
    windows = asyncio.run(_soaked(rounds, tell, Page, scope.time))
    found.count("rounds", sum(window.rounds for window in windows))
    found.count("pages", sum(len(window.seconds) for window in windows))
    found.faults += grown(windows)
    kept = windows[WARMING:]
    if min(len(window.seconds) for window in kept) < ENOUGH:
        found.not_run.append(f"how long answers take: that needs {ENOUGH} in each window, as in a long run")
    else:
        half = len(kept) // 2
        before, later = (median(window.slowest for window in part) for part in (kept[:half], kept[half:]))
        line = f"one answer in a hundred took more than {before * 1000:.1f} ms, later {later * 1000:.1f} ms"
        (found.holds if later <= before * SLOWER else found.faults).append(line)
    leaking = asyncio.run(_soaked(OF_CONTROL, tell, Leaky, Allowance()))
    found.controls["a page that leaves a task behind"] = bool(grown(leaking))
    if not found.faults:
        sizes = ", ".join(f"{window.memory >> 20}" for window in windows)
        found.holds.append(f"memory {sizes} MB; {windows[-1].tasks} tasks and {windows[-1].files} files throughout")
    return found.verdict()


def grown(windows: list[Window]) -> list[str]:
    """What became more after the warming up."""
    first, last = windows[WARMING], windows[-1]
    wrong = []
    if last.tasks > first.tasks + MORE_TASKS:
        wrong.append(f"{first.tasks} tasks became {last.tasks}")
    if last.files > first.files:
        wrong.append(f"{first.files} open files became {last.files}")
    if last.memory > first.memory + GROWTH_BYTES:
        wrong.append(f"{first.memory >> 20} MB became {last.memory >> 20}")
    return wrong


async def _soaked(rounds: int, tell: Telling, kind: type[Page], time: Allowance) -> list[Window]:
    with TemporaryDirectory(prefix="croupier-soak-") as folder:
        async with _playing(Path(folder)) as (house, app):
            windows: list[Window] = []
            for number in range(WINDOWS):
                tell(number, WINDOWS, f"{rounds} rounds")
                many = rounds * (number + 1) // WINDOWS - rounds * number // WINDOWS
                windows.append(await _window(house, app, kind, many, time.share(WINDOWS - number)))
            if "rounds" in time.cut:
                time.cut["rounds"] = sum(window.rounds for window in windows), rounds
            return windows


async def _window(house: House, app: Starlette, kind: type[Page], rounds: int, time: Allowance) -> Window:
    """Pages come and go, one after another, until so many rounds were played; then it is looked at what is there."""
    seconds, first = list[float](), house.hosts[TABLE].shown.number
    while time.goes_on("rounds", house.hosts[TABLE].shown.number - first, rounds):
        seconds.append(await kind(app).visit(house))
        await asyncio.sleep(BETWEEN_SECONDS)
    await asyncio.sleep(0.05)
    gc.collect()
    played = house.hosts[TABLE].shown.number - first
    return Window(len(asyncio.all_tasks()), _files(), _memory(), played, seconds)


def _files() -> int:
    here = Path("/proc/self/fd")
    return len(list(here.iterdir())) if here.exists() else 0


def _memory() -> int:
    here = Path("/proc/self/status")
    found = re.search(r"VmRSS:\s+(\d+) kB", here.read_text()) if here.exists() else None
    return int(found[1]) << 10 if found else 0


@asynccontextmanager
async def _playing(folder: Path) -> AsyncIterator[tuple[House, Starlette]]:
    """A house with one practice table at which a guest plays as fast as it goes."""
    house = open_house(f"sqlite:///{folder}/house.db", folder / "key", demo=True)
    app = create_app(house, PLANNED)
    async with app.router.lifespan_context(app):
        host = house.hosts[TABLE]
        await seat_guest(host, "Pat", chips=CHIPS)
        house.run(_plays(host), "play")
        yield house, app


async def _plays(host: Host) -> None:
    """Round after round, as fast as it goes."""
    walker = Walker(Stack(1), Random(1).randrange)
    while True:
        if not host.table.round.standing:
            if host.table.chips("Pat") < CHIPS // 2:
                await host.ask(new_id(), BuyChips("Pat", CHIPS // 2), by="Dot", role=DEALER)
            await host.ask(new_id(), PlaceWager("Pat", "small", 1_000), by="Pat", role=PLAYER)
        this = host.table.attended
        for fact in walker.facts(this):
            if (await host.ask(new_id(), Tell(write_fact(fact)), by=f"the {teller(fact)}", role=teller(fact))).done:
                walker.took(this, fact)
                break


# ---------------------------------------------------------------- pages


@dataclass(slots=True)
class Page:
    """Somebody who opens a line to the table, asks one thing, and leaves; the line (an `OpenLine`) has no network."""

    app: Starlette
    has_room: bool = True
    when_room: Callable[[], None] = field(init=False)
    heard: asyncio.Queue[MutableMapping[str, Any]] = field(default_factory=asyncio.Queue)
    said: asyncio.Queue[MutableMapping[str, Any]] = field(default_factory=asyncio.Queue)

    async def visit(self, house: House) -> float:
        """How long the answer took."""
        scope = {
            "type": "websocket", "path": f"/api/tables/{TABLE}/live", "headers": [(b"host", b"127.0.0.1")],
            "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "subprotocols": [], "query_string": b"",
            "scheme": "ws", "root_path": "", LINE: self,
        }  # fmt: skip
        line = asyncio.create_task(self.app(scope, self.said.get, self.heard.put))
        await self.said.put({"type": "websocket.connect"})
        await self._says(Hello(house.ticket("Kim", PLAYER, TABLE)))
        await self._hears("View")
        began = perf_counter()
        await self._says(Do(new_id(), ShowRules()))
        await self._hears("Answer")
        took = perf_counter() - began
        await self.said.put({"type": "websocket.disconnect", "code": 1000})
        await line
        return took

    async def receive(self) -> Any:
        return await self.said.get()

    def tell(self, texts: Iterable[bytes]) -> None:
        for text in texts:
            self.heard.put_nowait({"text": text.decode()})

    def cut(self) -> None:
        self.said.put_nowait({"type": "websocket.disconnect", "code": 1006})

    async def _says(self, what: Any) -> None:
        await self.said.put({"type": "websocket.receive", "text": msgspec.json.encode(what).decode()})

    async def _hears(self, kind: str) -> None:
        while f'"type":"{kind}"' not in str((await self.heard.get()).get("text", "")):
            pass


LEFT: Final[set[asyncio.Task[None]]] = set()


@dataclass(slots=True)
class Leaky(Page):
    """Leaves something behind that never ends."""

    async def visit(self, house: House) -> float:
        LEFT.add(asyncio.create_task(asyncio.sleep(3_600)))
        # Not `super()`: a dataclass with slots is another class than the one that is written here.
        return await Page.visit(self, house)
