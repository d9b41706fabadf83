"""A house that plays for long is after its last round what it was after its first: as large, as quick, as tidy.

Theory of operation.  A table plays as fast as it can, on a file of SQLite, while pages come and go:
each opens a line to the real door, is shown the table, asks something, and leaves.  The run is cut into windows.  After
each window are counted the tasks of the loop, the open files, and the memory of the process; and how long an answer
took, of which one in a hundred took longer.  The first quarter is warming up; after it nothing may grow.

How long an answer takes is compared within the run, and only where the windows are long enough to mean something.  It
is measured twice: by the clock, and by what the processors did for this process until the answer came, which is all
that the house itself can be blamed for.  What others took of the processors in each window is known too.  Answers that
take longer by the clock, but not by the processors, while others took more of these than before, say nothing about the
house, and are told as that.  The control is a page that leaves a task behind whenever it goes.
"""

from __future__ import annotations

import asyncio
import gc
import os
import re
from collections.abc import AsyncIterator, Callable, Iterable, MutableMapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, Final, NamedTuple

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
BUSY_BESIDE: Final = 0.1
"""Of a processor: others who take that much more of it than before can be why answers are later by the clock."""
CHIPS: Final = 1_000_000


class Waited(NamedTuple):
    """How long one answer took: by the clock, and of the processors, for everything that this process did meanwhile."""

    seconds: float
    processor: float


@dataclass(slots=True)
class Window:
    """What was there at the end of a part of the run; `beside` is what others took, in processors."""

    tasks: int
    files: int
    memory: int
    rounds: int
    waits: list[Waited] = field(default_factory=list)
    beside: float = 0.0


@dataclass(frozen=True, slots=True)
class Slowest:
    """Some windows, each by the slowest of a hundred answers: the median of these, and of what others took."""

    seconds: float
    processor: float
    beside: float


def slowest(windows: list[Window]) -> Slowest:
    return Slowest(
        median(_ninety_nine([wait.seconds for wait in window.waits]) for window in windows),
        median(_ninety_nine([wait.processor for wait in window.waits]) for window in windows),
        median(window.beside for window in windows),
    )


def _ninety_nine(waits: list[float]) -> float:
    """What all but one in a hundred took at most."""
    return sorted(waits)[max(0, len(waits) * 99 // 100 - 1)] if waits else 0.0


def prove(scope: ProofScope, tell: Telling) -> Verdict:
    scope.no_games("long running")
    found, rounds = Findings(), scope.count(short=500, long=100_000)
    windows = asyncio.run(_soaked(rounds, tell, Page, scope.time))
    found.count("rounds", sum(window.rounds for window in windows))
    found.count("pages", sum(len(window.waits) for window in windows))
    found.faults += grown(windows)
    kept = windows[WARMING:]
    if min(len(window.waits) for window in kept) < ENOUGH:
        found.not_run.append(f"how long answers take: that needs {ENOUGH} in each window, as in a long run")
    else:
        compare(found, slowest(kept[: len(kept) // 2]), slowest(kept[len(kept) // 2 :]))
    leaking = asyncio.run(_soaked(OF_CONTROL, tell, Leaky, Allowance()))
    found.controls["a page that leaves a task behind"] = bool(grown(leaking))
    if not found.faults:
        sizes = ", ".join(f"{window.memory >> 20}" for window in windows)
        found.holds.append(f"memory {sizes} MB; {windows[-1].tasks} tasks and {windows[-1].files} files throughout")
    return found.verdict()


def compare(found: Findings, before: Slowest, later: Slowest) -> None:
    """Whether answers take as long in the end as in the beginning, and whose doing it is if they do not."""
    words = (
        f"one answer in a hundred took more than {before.seconds * 1000:.1f} ms, later {later.seconds * 1000:.1f} ms; "
        f"of the processors {before.processor * 1000:.1f} and {later.processor * 1000:.1f} ms"
    )
    if later.processor > before.processor * SLOWER:
        found.faults.append(words)
    elif later.seconds <= before.seconds * SLOWER:
        found.holds.append(words)
    elif later.beside > before.beside + BUSY_BESIDE:
        found.holds.append(words)
        found.not_run.append(
            f"how long answers take by the clock: others took {before.beside:.1f} processors first "
            f"and {later.beside:.1f} later"
        )
    else:
        found.faults.append(words)


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
    waits, first = list[Waited](), house.hosts[TABLE].shown.number
    began, ours, all_busy = perf_counter(), process_time(), _busy()
    while time.goes_on("rounds", house.hosts[TABLE].shown.number - first, rounds):
        waits.append(await kind(app).visit(house))
        await asyncio.sleep(BETWEEN_SECONDS)
    beside = (_busy() - all_busy - (process_time() - ours)) / (perf_counter() - began)
    await asyncio.sleep(0.05)
    gc.collect()
    played = house.hosts[TABLE].shown.number - first
    return Window(len(asyncio.all_tasks()), _files(), _memory(), played, waits, max(0.0, beside))


def _busy() -> float:
    """The seconds for which the processors of this machine were at work since it was started."""
    here = Path("/proc/stat")
    if not here.exists():
        return 0.0
    # user, nice, system, idle, waiting for disks, interrupts, soft interrupts, stolen by other machines
    user, nice, system, _, _, *interrupts = map(int, here.read_text().splitlines()[0].split()[1:9])
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


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
    """Somebody who opens a line to the table, asks one thing, and leaves; the line (a `HeardLine`) has no network."""

    app: Starlette
    has_room: bool = True
    when_room: Callable[[], None] = field(init=False)
    at_once: Callable[[str], bool] = field(init=False)
    heard: asyncio.Queue[MutableMapping[str, Any]] = field(default_factory=asyncio.Queue)
    said: asyncio.Queue[MutableMapping[str, Any]] = field(default_factory=asyncio.Queue)

    async def visit(self, house: House) -> Waited:
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
        began, worked = perf_counter(), process_time()
        await self._says(Do(new_id(), ShowRules()))
        await self._hears("Answer")
        took = Waited(perf_counter() - began, process_time() - worked)
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

    def answered(self) -> None:
        """Nothing was taken at once here."""

    async def _says(self, what: Any) -> None:
        await self.said.put({"type": "websocket.receive", "text": msgspec.json.encode(what).decode()})

    async def _hears(self, kind: str) -> None:
        while f'"type":"{kind}"' not in str((await self.heard.get()).get("text", "")):
            pass


LEFT: Final[set[asyncio.Task[None]]] = set()


@dataclass(slots=True)
class Leaky(Page):
    """Leaves something behind that never ends."""

    async def visit(self, house: House) -> Waited:
        LEFT.add(asyncio.create_task(asyncio.sleep(3_600)))
        # Not `super()`: a dataclass with slots is another class than the one that is written here.
        return await Page.visit(self, house)
