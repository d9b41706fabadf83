"""A house with two stud tables and their jackpot link, and short words for playing there."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette

from croupier.floor.app import create_app
from croupier.floor.keeping.accounts import Hashing
from croupier.floor.keeping.host import Host
from croupier.floor.keeping.house import House, open_house
from croupier.floor.keeping.links import LinkHost, PlannedLink
from croupier.floor.keeping.planned import Planned
from croupier.floor.practice.demonstration import SIGN
from croupier.game import CardSeen, Choose, Deal, Perform
from croupier.table import commands as c
from croupier.table.linked import waits
from croupier.table.state import RoundStep
from tests.helpers.desks.links import DEALER

HERE = "http://127.0.0.1"
WAGER, SEED, FED = 200, 2_000_000, 150
TERMS = {"pool_rate": 7_500, "retained_rate": 2_500, "seed": SEED, "approval": "CCA 96/1"}
STUD_SIGN = {**SIGN, "jackpot": (0, WAGER), "kinds": {"jackpot": (WAGER, WAGER)}}
TABLES = tuple(Planned(name, "nz1996", "caribbean_stud", "", STUD_SIGN) for name in ("S-1", "S-2"))
GRAND = PlannedLink("Grand", ("S-1", "S-2"), pool_rate=7_500, seed=SEED, approval="CCA 96/1")


# ---------------------------------------------------------------- a house with two stud tables and their link


@asynccontextmanager
async def running(
    folder: Path, *, links: tuple[PlannedLink, ...] = (GRAND,), demo: bool = True
) -> AsyncIterator[tuple[House, Starlette]]:
    house = open_house(f"sqlite:///{folder}/house.db", folder / "key", demo=demo, hashing=Hashing(1, 64, 1))
    house.planned_links = links
    app = create_app(house, TABLES)
    async with app.router.lifespan_context(app):
        yield house, app


async def until(what: Callable[[], object], seconds: float = 20.0) -> None:
    async with asyncio.timeout(seconds):
        while not what():
            await asyncio.sleep(0.005)


async def quiet(house: House, link: LinkHost) -> None:
    """Wait until the link has heard everything and has told everything."""
    await until(lambda: all(f.heard == house.hosts[n].shown.entries for n, f in link.feeders.items()))
    await link.tend()


async def do(host: Host, what: Any, *, by: str = "", role: str = "dealer") -> None:
    done = await host.ask(secrets.token_hex(16), what, by=by or role, role=role)
    assert done.done, (what, done)


async def seated(host: Host, *names: str) -> None:
    for seat, name in enumerate(names, 1):
        await do(host, c.Sit(name, seat))
        await do(host, c.BuyChips(name, 500_000))


async def act(host: Host, due: Perform) -> None:
    await do(host, c.Tell({"perform": due.act, "by": due.by}), role=due.by if due.by == "game supervisor" else "dealer")


async def opening(host: Host) -> None:
    """What staff do until betting is open."""
    while isinstance(due := host.table.due, Perform) and "No more bets" not in due.act:
        await act(host, due)


async def wagers(host: Host, *boxes: int) -> None:
    await opening(host)
    for box in boxes:
        name = host.table.seats[box]
        await do(host, c.PlaceWager(name, "ante", 1_000, box=box), by=name, role="player")
        await do(host, c.PlaceWager(name, "jackpot", WAGER, box=box), by=name, role="player")


async def play(host: Host, hands: dict[int, tuple[str, ...]]) -> None:
    """The round in hand to its end, wherever it stands; where it waits for the link, until the link has paid."""
    number, cards = host.table.number, {**{f"box {box}": hand for box, hand in hands.items()}, "dealer": DEALER}
    while host.table.number == number:
        await until(lambda: not waits(host.table))
        match host.table.due:
            case Perform() as due:
                await act(host, due)
            case Deal(to=to):
                dealt = sum(isinstance(step.fact, CardSeen) and _to(step) == to for step in host.table.steps)
                await do(host, c.Tell(cards[to][dealt]))
            case Choose(by=by):
                await do(host, c.Tell({"choose": "bet", "by": by}))
            case other:
                raise AssertionError(other)


def _to(step: RoundStep) -> str:
    due = step.before.due
    return due.to if isinstance(due, Deal) else ""


def facts_of(*hands: tuple[str, ...]) -> tuple[Any, ...]:
    """A round of these hands as it is told afterwards: dealt from a shoe, and everybody bets."""
    cards = [card for dealt in zip(*hands, DEALER, strict=True) for card in dealt]
    return (*cards, *({"choose": "bet", "by": f"box {box}"} for box in range(1, len(hands) + 1)))
