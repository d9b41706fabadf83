"""Two server processes, one house: either can be asked, and when one is killed the other goes on with its tables."""

from __future__ import annotations

import asyncio
import secrets
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.floor.audit.verify import verify
from croupier.floor.store.engines import EXIT_FAILED
from croupier.prove.books.instruments import servers as postgres
from tests.floor.keeping.test_house import Terminal, enter
from tests.floor.rooms.test_cage_desk import Desk, redeem
from tests.helpers.houses.devices import SETTINGS, DeviceHouse
from tests.helpers.houses.served import served

DEALT = "B-4"
PLAYED = "EB-1"


@dataclass(slots=True)
class TwoHouses:
    """Two processes on one database, the first of which runs all tables."""

    url: str
    folder: Path
    addresses: tuple[str, str]
    processes: tuple[subprocess.Popen[str], subprocess.Popen[str]]


@contextmanager
def opened(server: str, folder: Path, config: str = "") -> Iterator[TwoHouses]:
    url = postgres.new_database(server)
    with ExitStack() as stack:
        (one, first), (two, second) = (stack.enter_context(served(folder, db=url, config=config)) for _ in range(2))
        yield TwoHouses(url, folder, (one, two), (first, second))


@pytest.fixture(scope="module")
def houses(server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoHouses]:
    with opened(server, tmp_path_factory.mktemp("houses")) as both:
        yield both


def test_a_device_that_was_released_while_its_process_was_stopped_is_nobody_when_that_wakes(
    server: str, tmp_path: Path
) -> None:
    """Stopped past its lease, the process knows nothing of the release; it reads again before it admits anybody."""
    (tmp_path / "house.toml").write_text(SETTINGS + "[store]\nlease_seconds = 1.0\n")
    with opened(server, tmp_path, config=str(tmp_path / "house.toml")) as both:
        here, there = (
            DeviceHouse(address, process) for address, process in zip(both.addresses, both.processes, strict=True)
        )
        here.do("casino supervisor", "ApproveSystem", version="1.0", approval="TA-0")
        device = here.device(1)
        ticket = device.ticket
        assert here.ask(ticket, "ShowRules")["done"]
        here.process.send_signal(signal.SIGSTOP)
        try:
            time.sleep(2.0)
            unpair = {"type": "UnpairTerminal", "terminal": device.name}
            body = {"id": secrets.token_hex(16), "ticket": there.ticket("game supervisor"), "command": unpair}
            answer = there.post(f"/api/tables/{there.table}/commands", body)
            for _ in range(40):
                if answer.status_code == 200:
                    break
                time.sleep(0.5)
                answer = there.post(f"/api/tables/{there.table}/commands", body)
            assert answer.json()["done"], answer.text
        finally:
            here.process.send_signal(signal.SIGCONT)
        try:
            entered = here.enter(device.secret).status_code
        except httpx.ConnectError:
            # Cut off by its heir in the middle of a commit it ends, and admits nobody: its unit starts it again.
            assert here.process.wait(timeout=20) == EXIT_FAILED
            return
        assert entered == 403
        reply = here.ask(ticket, "ShowRules")
        assert not reply.get("done", False), reply


@pytest.fixture
def doomed(server: str, tmp_path: Path) -> Iterator[TwoHouses]:
    with opened(server, tmp_path) as both:
        yield both


def buy(player: str, cents: int = 100) -> dict[str, Any]:
    return {"type": "BuyChips", "player": player, "amount": cents}


def test_a_command_reaches_its_table_through_either_process(houses: TwoHouses) -> None:
    async def both() -> None:
        one, two = houses.addresses
        async with (
            Terminal(one, enter(one, "Dot", "dealer", DEALT), DEALT) as here,
            Terminal(two, enter(one, "Dot", "dealer", DEALT), DEALT) as there,
        ):
            await there.hear()
            before = there.view["players"][0]["chips"]
            answer = await there.do(buy("Gus", 500))
            assert answer["done"], answer
            # Both processes show it, and the same id has no second effect through the other one.
            for terminal in (here, there):
                shown = await terminal.until(lambda view: view["players"][0]["chips"] == before + 500)
                assert shown["players"][0]["name"] == "Gus"
            assert await here.do(buy("Gus", 500), answer["id"]) == answer
            refused = await there.do({"type": "Sit", "player": "Gus", "seat": 1})
            assert not refused["done"]
            assert refused["rule"]

    asyncio.run(both())


def test_the_second_process_shows_what_the_first_one_plays(houses: TwoHouses) -> None:
    async def watched() -> None:
        _, two = houses.addresses
        async with Terminal(two, enter(two, "Zoe", table=PLAYED), PLAYED) as terminal:
            await terminal.hear()
            began = terminal.view["round"]
            await terminal.until(lambda view: view["round"] > began)

    asyncio.run(watched())


def test_one_voucher_at_the_cages_of_both_processes_is_paid_once(houses: TwoHouses) -> None:
    one, two = (Desk(address) for address in houses.addresses)
    code = one.voucher()
    await_state(two, code, "to pay")

    async def everybody() -> list[dict[str, Any]]:
        async with httpx.AsyncClient(timeout=60) as client:
            return await asyncio.gather(*(redeem(client, desk, code) for desk in (one, two) * 10))

    answers = asyncio.run(everybody())
    assert sum(each["done"] for each in answers) == 1
    assert {each["rule"] for each in answers if not each["done"]} == {"NZEB-10.6"}
    for desk in (one, two):
        await_state(desk, code, "paid")


def await_state(desk: Desk, code: str, state: str) -> None:
    """A process knows what the other one did when the news has come."""
    current = ""
    for _ in range(200):
        current = desk.get(f"/api/cage/vouchers/{code}").json()["state"]
        if current == state:
            return
        time.sleep(0.05)
    raise AssertionError(f"{code} is {current}, not {state}")


@dataclass(slots=True)
class Buyer:
    """Buys chips for one player, over and over; a lost answer is asked for again at the other process."""

    ticket: str
    player: str
    acknowledged: set[str] = field(default_factory=set)
    again: str = ""

    async def buy(self, addresses: tuple[str, ...], times: int) -> None:
        async with httpx.AsyncClient(timeout=30) as client:
            for turn in range(10_000):
                if len(self.acknowledged) >= times:
                    return
                await self._try(client, addresses[turn % len(addresses)])
        raise AssertionError(f"{self.player} was not served: {len(self.acknowledged)} of {times}")

    async def _try(self, client: httpx.AsyncClient, address: str) -> None:
        self.again = self.again or secrets.token_hex(16)
        asked = {"id": self.again, "ticket": self.ticket, "command": buy(self.player)}
        try:
            answer = await client.post(f"{address}/api/tables/{DEALT}/commands", json=asked)
        except httpx.HTTPError:
            await asyncio.sleep(0.02)
            return
        if answer.status_code == 200 and answer.json()["done"]:
            self.acknowledged.add(self.again)
            self.again = ""
        else:
            await asyncio.sleep(0.02)


def chips(address: str, player: str) -> int:
    async def looked() -> int:
        async with Terminal(address, enter(address, "Dot", "dealer", DEALT), DEALT) as terminal:
            await terminal.hear()
            return int(next(each["chips"] for each in terminal.view["players"] if each["name"] == player))

    return asyncio.run(looked())


def test_a_killed_process_is_taken_over_and_nothing_acknowledged_is_lost_or_doubled(doomed: TwoHouses) -> None:
    one, two = doomed.addresses
    before = {player: chips(one, player) for player in ("Gus", "Hal")}
    ticket = enter(one, "Dot", "dealer", DEALT)
    buyers = [Buyer(ticket, player) for player in ("Gus", "Hal", "Gus", "Hal")]

    async def bought_while_killed() -> None:
        buying = asyncio.gather(*(each.buy((one, two), 60) for each in buyers))
        while sum(len(each.acknowledged) for each in buyers) < 40:
            await asyncio.sleep(0.01)
        doomed.processes[0].kill()
        await buying

    asyncio.run(bought_while_killed())
    for player, had in before.items():
        bought = sum(len(each.acknowledged) for each in buyers if each.player == player)
        assert chips(two, player) == had + 100 * bought
    doomed.processes[1].terminate()
    doomed.processes[1].wait(30)
    found = verify(doomed.url, doomed.folder / "house.key")
    assert found.fault == ""
    assert found.lines > 240
