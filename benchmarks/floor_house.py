"""A house for the load benchmark: so many tables with betting open, each with so many seated players.

    python -m benchmarks.floor_house VERSION FOLDER TABLES PLAYERS [URL FIRST]

Of the version `full` players sit at the layout, of the version `terminals` at those of an electronic table.  Prints its
port, the secret of its tickets and the devices that are its terminals when it answers.  With the URL of a PostgreSQL it
is one of the processes of a house, and its tables are numbered from the first.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from pathlib import Path

import uvicorn
import uvloop

from croupier.floor.app import create_app
from croupier.floor.doors.bounds import CommandRate
from croupier.floor.doors.lines import gate_for, protocols
from croupier.floor.keeping.house import House, open_house
from croupier.floor.keeping.keeper import new_id
from croupier.floor.keeping.planned import Planned
from croupier.floor.practice.dealer import Pace, VirtualDealer
from croupier.floor.practice.terminals import set_up, take_terminal
from croupier.floor.serve import calm_collector
from croupier.law.officials import DEALER
from croupier.table import commands as c
from croupier.table.betting.offers import betting

SIGN = {"minimum": 500, "maximum": 10_000_000, "chip": 100, "supervisor": "Sue"}
LINES = 10_000
EDITIONS, GAME = {"full": "nzd5", "terminals": "nzeb"}, "baccarat"


def names(tables: int, first: int = 0) -> list[str]:
    return [f"T{number}" for number in range(first, first + tables)]


async def seated(house: House, table: str, players: int) -> None:
    """Everybody is there with chips, and betting is open."""
    host = house.hosts[table]
    if host.table.ruleset.version == "terminals":
        await set_up(host, ())
        for number in range(players):
            await take_terminal(house.devices, host, f"P{number}", cents=100_000_000)
    else:
        for number in range(players):
            await host.ask(new_id(), c.Sit(f"P{number}"), by="Dot", role=DEALER)
            await host.ask(new_id(), c.BuyChips(f"P{number}", 100_000_000), by="Dot", role=DEALER)
    dealer = VirtualDealer(host, Pace(0, 0, 0, 0), house.closing)
    closing = host.table.procedure.closing(host.table.ruleset.rules)
    # Without a wager the call is due and not yet taken, so that betting does not count as closing.
    while not (closing and str(closing.value) in str(host.table.due)) and betting(host.table).state != "closing":
        await dealer.step()


async def main(version: str, folder: Path, tables: int, players: int, url: str = "", first: int = 0) -> None:
    logging.disable(logging.WARNING)
    logging.basicConfig()
    house = open_house(url or f"sqlite:///{folder}/house.db", folder / "house.key", demo=True)
    # Nobody plays so fast: a player would wait, and the benchmark would measure that.
    house.keep(CommandRate, lambda: CommandRate(per_second=1e9))
    planned = tuple(Planned(name, EDITIONS[version], GAME, version, SIGN) for name in names(tables, first))
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(4096)
    app = create_app(house, planned)
    config = uvicorn.Config(app, log_config=None, **protocols(gate_for(LINES, LINES)))
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        await asyncio.sleep(0.01)
    await asyncio.gather(*(seated(house, name, players) for name in names(tables, first)))
    calm_collector()
    paired = ",".join(
        [f"{table}/{name}/{device.epoch}" for (table, name), device in house.devices.known.paired.items()]
    )
    print(listening.getsockname()[1], house.secret.hex(), paired.replace(" ", "_"), flush=True)
    await serving


if __name__ == "__main__":
    version, where, tables, players, url, first = (*sys.argv[1:], "", "0")[:6]
    uvloop.run(main(version, Path(where), int(tables), int(players), url, int(first)))
