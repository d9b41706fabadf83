"""A round with terminals, its server killed in every phase of it: what is shown afterwards is what is true.

Theory of operation.  Terminals and a dealer play electronic baccarat at a real server (`plugs`).  A phase is what is
due at the table; the server is killed in the phase that was hit least so far and started again.  Then nobody asks
anything new until every line is back and no answer is owed, and each terminal's round, credits and stakes must be those
that the journal leads to.  In the end nothing that was acknowledged is missing, no wager was settled twice, the money
adds up to nothing and the books verify.  With PostgreSQL there are two processes: either is killed.

A process that was stopped past its lease may not know that a terminal was released meanwhile: when it wakes it must not
admit it.  The control is a process that does not ask whether it slept past its lease.
"""

from __future__ import annotations

import asyncio
import random
import signal
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from croupier.floor.audit.verify import table_of, verify
from croupier.floor.keeping.credentials.tickets import Ticket
from croupier.floor.store.durable import open_reader
from croupier.journal.accounts import chips_of
from croupier.prove.books.plugs import (
    TABLE,
    DealerAsker,
    Plug,
    PlugAsker,
    Quiet,
    SupervisorAsker,
    TerminalAsker,
    ordered,
    paired,
    posted,
    tickets_of,
)
from croupier.table.desk import replay
from croupier.table.events import WagerPlaced, WagerSettled, decode
from croupier.table.state import Table

MOST_PASSED: Final = 16
PATIENCE: Final = 10.0
"""So many seconds are waited for a phase that was hit less; some come only once in a shoe."""
A_KILL_SECONDS: Final = 180.0
STILL: Final = 60.0
"""A table at which nothing happens for so many seconds stands still."""


@dataclass(slots=True)
class Played:
    """What was done and what was found wrong; a phase that was only seen has no kills yet."""

    kills: Counter[str] = field(default_factory=Counter)
    compared: int = 0
    acknowledged: int = 0
    faults: list[str] = field(default_factory=list)


async def played(
    done: Played, folder: Path, url: str, *, kills: Iterable[int], terminals: int, processes: int, seed: int
) -> None:
    """Play until so many were killed, each in a phase that was hit least."""
    chance, quiet = random.Random(seed), Quiet()
    plugs = [Plug(folder, url, lease_seconds=2.0) for _ in range(processes)]
    running: list[asyncio.Task[None]] = []
    try:
        for plug in plugs:
            await plug.start()
        tickets = tickets_of(folder)
        entered = await paired(plugs[0], tickets, terminals, cents=10_000_000)
        dealer = DealerAsker(
            plugs, tickets.give(Ticket("Dot", "dealer", TABLE)), "Dot", quiet, chance, terminals=terminals
        )
        supervisor = SupervisorAsker(
            plugs, tickets.give(Ticket("Max", "casino manager", TABLE)), "Max", quiet, chance, terminals=terminals
        )
        askers = [TerminalAsker(plugs, ticket, name, quiet, chance) for name, (_, ticket) in entered.items()]
        everyone: list[PlugAsker] = [dealer, supervisor, *askers]
        running = [asyncio.create_task(each.run()) for each in everyone]
        for _ in kills:
            async with asyncio.timeout(A_KILL_SECONDS):
                phase = await _killed(done, plugs, dealer, running, chance)
                wrong = await _compared(done, url, folder, everyone, quiet)
                done.faults += [f"after a kill in {phase!r}: {wrong}"] if wrong else []
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for plug in plugs:
            plug.pull()
    settled(done, url, folder / "house.key", everyone)
    if (found := verify(url, folder / "house.key")).fault:
        done.faults.append(f"verify: {found.fault}")


async def _killed(
    done: Played, plugs: list[Plug], dealer: DealerAsker, running: list[asyncio.Task[None]], chance: random.Random
) -> str:
    """Let some phases pass; then wait for one that was hit no more than any, or take what comes."""
    clock = asyncio.get_running_loop().time
    passing, passed, moved, began = chance.randrange(1, MOST_PASSED), set[str](), clock(), clock()
    while (
        len(passed) <= passing
        or not dealer.phase
        or (done.kills[dealer.phase] > min(done.kills.values()) and clock() < began + PATIENCE)
    ):
        if dealer.phase and (now := f"{dealer.view['round']} {dealer.phase}") not in passed:
            passed.add(now)
            done.kills[dealer.phase] += 0
            moved, began = clock(), clock() if len(passed) <= passing else began
        if clock() > moved + STILL:
            done.faults.append(f"nothing happens any more in {dealer.phase!r}")
            break
        for task in running:
            if task.done():
                task.result()
        # Any moment of a phase may be the one: what is looked at then is what is hit.
        await asyncio.sleep(chance.random() * 0.02)
    phase = dealer.phase
    done.kills[phase] += 1
    plug = chance.choice(plugs)
    plug.pull()
    await plug.start()
    return phase


async def _compared(done: Played, url: str, folder: Path, everyone: list[PlugAsker], quiet: Quiet) -> str:
    """Let everybody come back and be answered, and hold what they see against the journal; what is wrong in the end."""
    quiet.on, wrong = True, "not everybody came back"
    for _ in range(1_200):
        await asyncio.sleep(0.05)
        # News of the last commit may still be on its way to a page.
        if all(each.view and each.asked is None for each in everyone):
            wrong = untrue(table_in(url, folder / "house.key", TABLE), _terminals(everyone))
            if not wrong:
                done.compared += len(_terminals(everyone))
                break
    quiet.on = False
    return wrong


def _terminals(everyone: list[PlugAsker]) -> list[PlugAsker]:
    return [each for each in everyone if isinstance(each, TerminalAsker)]


def untrue(table: Table, terminals: Sequence[PlugAsker]) -> str:
    """The first terminal that shows something else than the journal says."""
    for each in terminals:
        true = (table.number, table.balances.get(chips_of(each.name), 0), table.staked(each.name))
        shown = (each.view["round"], each.view["me"]["chips"], each.view["me"]["staked"])
        if shown != true:
            return f"{each.name} shows round, credits, stakes {shown}; the journal has {true}"
    return ""


def table_in(url: str, key: Path, name: str) -> Table:
    """The table that a journal leads to."""
    with open_reader(url, key_path=key) as store:
        lines = [line.body for line in store.each_sound_line(name)]
    fresh = table_of(name, decode(lines[0]))
    return replay(fresh.game, fresh.ruleset, lines, name)


def settled(done: Played, url: str, key: Path, everyone: Sequence[PlugAsker], table: str = TABLE) -> None:
    """What must hold of the books of a table when all is over."""
    with open_reader(url, key_path=key) as store:
        lost = [each for asker in everyone for each in asker.acknowledged if store.answer(each) is None]
        events = [decode(line.body).event for line in store.each_line(table)]
        if sum(store.balances(table).values()):
            done.faults.append("the money does not add up to nothing")
    done.acknowledged += sum(len(asker.acknowledged) for asker in everyone)
    placed = sum(each["type"] == "PlaceWager" for asker in everyone for each in asker.acknowledged.values())
    booked = sum(isinstance(event, WagerPlaced) for event in events)
    numbers = [event.number for event in events if isinstance(event, WagerSettled)]
    if lost or not placed <= booked <= placed + len(everyone):
        done.faults.append(f"{len(lost)} answers lost; {placed} wagers acknowledged and {booked} booked")
    if len(numbers) != len(set(numbers)):
        done.faults.append("a wager was settled twice")


# ---------------------------------------------------------------- authority that was taken away


async def revoked(folder: Path, url: str, *, trusting: bool) -> bool:
    """Whether a process that slept past its lease admits a terminal that was released while it slept."""
    lease = 1.0
    plugs = [Plug(folder, url, lease, trusting=trusting) for _ in range(2)]
    try:
        for plug in plugs:
            await plug.start()
        sleeper, heir = plugs
        tickets = tickets_of(folder)
        entered = await paired(sleeper, tickets, 1)
        secret, _ = entered["Terminal 1"]
        sleeper.signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(2 * lease)
            supervisor = tickets.give(Ticket("Sue", "game supervisor", TABLE))
            for _ in range(60):
                try:
                    await ordered(heir, supervisor, {"type": "UnpairTerminal", "terminal": "Terminal 1"})
                    break
                except OSError:
                    await asyncio.sleep(0.5)
        finally:
            sleeper.signal(signal.SIGCONT)
        try:
            return "ticket" in await posted(sleeper, "/api/devices/enter", {"secret": secret})
        except OSError:
            return False
    finally:
        for plug in plugs:
            plug.pull()
