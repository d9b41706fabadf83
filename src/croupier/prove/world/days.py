"""A day in a simulated house: it opens, people play while things go wrong, it becomes calm, and everything must end.

`play` runs one day from a seed and answers with what it left: the town with its disk and its history, and the people.
The day has a number of rounds at an electronic table and, beside it, a table of Caribbean stud with a jackpot link.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from croupier.floor.keeping.host import all_heard
from croupier.floor.keeping.links import PlannedLink
from croupier.floor.keeping.planned import Planned
from croupier.journal.entries import BadJournal
from croupier.prove.world import people as p
from croupier.prove.world.disk import LEASE_SECONDS
from croupier.prove.world.loop import Deadlock, SimulatedLoop, simulated
from croupier.prove.world.town import CALM, Process, Stuck, Town, Troubles
from croupier.table import commands as c
from croupier.table.events import decode
from croupier.table.terminals.events import VoucherIssued

SIGN: Final = {"minimum": 500, "maximum": 100_000, "chip": 100, "supervisor": "Sue"}
JACKPOT: Final = {**SIGN, "jackpot": (1_000_000, 100), "kinds": {"jackpot": (100, 100)}}
EB, STUD = "EB-1", "S-1"
TABLES: Final = (
    Planned(EB, "nzeb", "baccarat", "terminals", SIGN),
    Planned(STUD, "nz1996", "caribbean_stud", "", JACKPOT),
)
LINKS: Final = (PlannedLink("Grand", (STUD,), pool_rate=7_500, seed=1_000_000, approval="simulated"),)
TERMINALS: Final = 3
STORMY: Final = Troubles(lost=0.04, doubled=0.05, late=0.06, late_seconds=6.0)
LONGEST_SECONDS: Final = 3_000.0
CALM_SECONDS: Final = 90.0
BUSY_LOOKS: Final = 400
DEAF: Final = 0.75
"""How often those who stay hear nothing of the last lines of whoever goes."""
Bug = Callable[[Town], AbstractContextManager[None]]


def no_bug(_: Town) -> AbstractContextManager[None]:
    return nullcontext()


@dataclass(eq=False, slots=True)
class Day:
    """What a day left."""

    seed: int
    town: Town
    terminals: tuple[p.TownTerminal, ...] = ()
    cage: p.AtCage | None = None
    faults: list[str] = field(default_factory=list)
    rounds: int = 0
    journals: dict[str, tuple[bytes, ...]] = field(default_factory=dict)
    """Every journal as it was when the day ended, but that of the devices, whose secrets are drawn by the machine."""

    def keep(self) -> None:
        store = self.town.disk.reader()
        names = [name for name in store.tables() if name != "@devices"]
        self.journals = {name: tuple(line.body for line in store.each_line(name)) for name in names}


@dataclass(frozen=True, slots=True)
class Weather:
    """What goes wrong on a day: messages, and beside them processes, clocks, people and their equipment; or no stud.

    With `aimed`, terminals send their wagers so that they arrive about when betting closes.
    """

    troubles: Troubles = CALM
    nemesis: bool = False
    stud: bool = True
    aimed: bool = False


BAD: Final = Weather(STORMY, nemesis=True)
AIMED: Final = Weather(Troubles(lost=0.1, doubled=0.05, late=0.05, late_seconds=0.3), stud=False, aimed=True)


def play(seed: int, rounds: int, checks: Callable[[Day], None], *, bug: Bug = no_bug, weather: Weather = BAD) -> Day:
    """One day of so many rounds; `checks` looks at it while it still stands, if nothing was found before."""
    chance = Random(f"world {seed}")

    async def lived(loop: SimulatedLoop) -> Day:
        town = Town(loop, chance, TABLES if weather.stud else TABLES[:1], LINKS if weather.stud else ())
        day = Day(seed, town)
        with town.own_time(), bug(town):
            try:
                await _lived(day, rounds, weather)
            except (Stuck, Deadlock, GaveWay, BadJournal) as error:
                day.faults.append(f"{type(error).__name__}: {error}")
            day.faults += [*town.disk.failed, *town.faults]
            if not day.faults:
                checks(day)
            day.keep()
        return day

    return simulated(chance, lived)


async def _lived(day: Day, rounds: int, weather: Weather) -> None:
    town = day.town
    await town.start()
    await town.start()
    day.terminals = await p.set_up(town, EB, TERMINALS)
    players, staff = await _people(day, weather)
    working = [town.loop.create_task(each.run()) for each in (*players, *staff)]
    town.troubles = weather.troubles
    evil = [town.loop.create_task(nemesis(town))] if weather.nemesis else []
    await _until(day, rounds, [*working, *evil], LONGEST_SECONDS)
    for task in evil:
        task.cancel()
    await calm(town)
    await _until(day, day.rounds + 2, working, CALM_SECONDS)
    for each in players:
        each.plays = False
    for one in staff:
        # What somebody reports in the last moment of a day is on its way to the screens when these are looked at.
        if isinstance(one, p.TownDealer | p.Supervisor):
            one.trouble = 0.0
    await _rest(day, working)
    for task in working:
        task.cancel()
    # Whoever asked would see what was only heard of, because nobody watches it there.
    for process in town.living:
        await all_heard(process.house.hosts.values())


async def _people(day: Day, weather: Weather) -> tuple[list[p.TownTerminal | p.TownGuest], list[Any]]:
    """Who plays, and who works."""
    town, bad = day.town, 0.04 if weather.nemesis else 0.0
    names = tuple(each.name for each in day.terminals)
    day.cage = p.AtCage(town, "Lee", terminals=day.terminals, amounts=lambda table, line: _worth(day, table, line))
    dealer = p.TownDealer(town, "Dee", table=EB, trouble=bad)
    players: list[p.TownTerminal | p.TownGuest] = [*day.terminals]
    staff: list[Any] = [dealer, p.Supervisor(town, "Sue", table=EB, terminals=names, trouble=bad), day.cage]
    if weather.aimed:
        for terminal in day.terminals:
            terminal.aims = dealer
    if not weather.stud:
        return players, staff
    dot = p.TownDealer(town, "Dot", table=STUD)
    for box, name in enumerate(("Kay", "Lea"), 1):
        await dot.do(c.Sit(name, box))
        await dot.do(c.BuyChips(name, p.CREDIT))
        players.append(p.TownGuest(town, name, table=STUD, box=box))
    return players, [*staff, dot, p.Supervisor(town, "Sid", table=STUD)]


def _worth(day: Day, table: str, line: int) -> int:
    """What a voucher shows: it was printed with the line that issued it."""
    found = day.town.disk.reader().lines(table, max(1, line - 3), 4)
    events = [decode(each.body).event for each in found]
    return next((event.amount for event in reversed(events) if isinstance(event, VoucherIssued)), 0)


async def _until(day: Day, rounds: int, working: list[asyncio.Task[Any]], seconds: float) -> None:
    """Wait until so many rounds have ended at the electronic table."""
    town = day.town
    ends = town.loop.now + seconds
    while town.loop.now < ends:
        await asyncio.sleep(0.5)
        host = town.keeping(EB)
        day.rounds = max(day.rounds, host.shown.number - 1 if host else 0)
        for task in working:
            if task.done() and not task.cancelled() and task.exception() is not None:
                error = task.exception()
                if isinstance(error, Stuck):
                    raise error
                raise GaveWay(f"{type(error).__name__}: {error}") from error
        if day.rounds >= rounds:
            return
    raise Stuck(f"{day.rounds} of {rounds} rounds ended in {seconds:g} s of simulated time")


class GaveWay(Exception):
    """Somebody whose work ended by an error."""


async def _rest(day: Day, working: list[asyncio.Task[Any]]) -> None:
    """Nobody bets any more: wait until nothing stands, nobody asks, and every voucher was paid."""
    town, ends = day.town, day.town.loop.now + CALM_SECONDS
    while town.loop.now < ends:
        await asyncio.sleep(1.0)
        hosts = [town.keeping(planned.name) for planned in town.tables]
        standing = any(host is None or host.shown.round.standing or host.shown.locks for host in hosts)
        asking = any(each.asking or each.vouchers for each in day.terminals)
        if not standing and not asking and not any(asked.answer is None for asked in town.history[-20:]):
            await asyncio.sleep(8.0)
            return
    raise Stuck(f"{len(working)} people were not at rest {CALM_SECONDS:g} s after everything was calm")


# ---------------------------------------------------------------- what goes wrong


async def nemesis(town: Town) -> None:
    """One thing after another goes wrong."""
    chance = town.chance
    while True:
        await asyncio.sleep(chance.uniform(1.0, 8.0))
        town.troubles = STORMY if chance.random() < 0.7 else Troubles(lost=0.25, doubled=0.1, late=0.3)
        roll, up = chance.random(), town.living
        if roll < 0.25 and len(up) > 1:
            _deafened(town, victim := chance.choice(up))
            await _busy(victim)
            town.count("crashes")
            town.crash(victim)
            town.loop.create_task(_again(town, chance.uniform(0.5, 8.0)))
        elif roll < 0.45:
            _deafened(town, victim := chance.choice(up))
            await _busy(victim)
            town.count("sleeps past the lease")
            town.stop(victim, LEASE_SECONDS + chance.uniform(0.5, 5.0))
        elif roll < 0.65:
            town.count("clock jumps")
            town.wall_ms += chance.choice((-3_600_000, -90_000, -500, 500, 60_000, 600_000))
        else:
            town.count("clogged terminals")
            for name in chance.sample([f"Terminal {n}" for n in range(1, TERMINALS + 1)], 2):
                town.clogged[name] = town.loop.now + chance.uniform(0.5, 8.0)


def _deafened(town: Town, victim: Process) -> None:
    """Those who will take over from the victim may have heard nothing of its last lines."""
    if town.chance.random() < DEAF:
        town.count("takeovers by the deaf")
        for each in town.living:
            if each is not victim:
                each.spindle.deaf_until = town.loop.now + LEASE_SECONDS + town.chance.uniform(1.0, 5.0)


async def _busy(process: Process) -> None:
    """Wait a little until the process is in the middle of writing: there it hurts most."""
    for _ in range(BUSY_LOOKS):
        if process.spindle.pending:
            return
        await asyncio.sleep(0.005)


async def _again(town: Town, seconds: float) -> None:
    await asyncio.sleep(seconds)
    await town.start()
    town.count("starts")


async def calm(town: Town) -> None:
    """Everything works from here on: the network, the clocks, two processes."""
    town.troubles = CALM
    town.clogged.clear()
    await asyncio.sleep(12.0)
    for process in town.processes:
        if process.up and not process.ready:
            town.crash(process)
    while len(town.living) < 2:
        await town.start()
