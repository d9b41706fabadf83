"""Each device has one job: which doors its ticket opens, what it may be called, and who pairs it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.floor.app import DOORS
from croupier.floor.doors.door import Door
from croupier.floor.keeping.credentials.tickets import Ticket
from croupier.floor.keeping.devices import ACCEPTOR, SHOE, TERMINAL, Code
from croupier.floor.keeping.house import House
from croupier.house.devices.decide import mark_of
from croupier.house.people.messages import Disable
from croupier.law.officials import CASINO_MANAGER, CASINO_SUPERVISOR, GAME_SUPERVISOR
from croupier.prove.house.entrances import TABLE, address, body_of, name_of, running
from croupier.table.terminals.commands import ApproveSystem, PairTerminal

ONE = "Terminal 1"
PASSES = {
    SHOE: {"POST /api/tables/{name}/shoe"},
    TERMINAL: {
        "POST /api/tables/{name}/credits",
        "POST /api/tables/{name}/call",
        "GET /api/tables/{name}/rounds/{number}",
    },
}
"""The doors that show a ticket and let a device in."""


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[tuple[House, httpx.AsyncClient]]:
    async with running(folder, demo=False) as (house, _, client):
        for what in (
            ApproveSystem("1.0", "TA-0"),
            PairTerminal(1, minimum=500, maximum=5000, increment=500, approval="TA-1"),
        ):
            done = await house.hosts[TABLE].ask(secrets.token_hex(16), what, by="Sue", role=GAME_SUPERVISOR)
            assert done.done, done
        yield house, client


async def paired(house: House, name: str) -> str:
    """The ticket of a device that was paired with a code."""
    code = await house.devices.offer(house.hosts[TABLE], name, by="Sue", role=GAME_SUPERVISOR)
    assert isinstance(code, Code), code
    made = await house.devices.pair(code.text)
    assert made is not None
    return house.give(house.devices.ticket(made[0]))


def shown(ticket: str) -> dict[str, str]:
    return {"Authorization": f"Ticket {ticket}"}


def test_a_device_passes_the_doors_of_its_job_and_no_other(tmp_path: Path) -> None:
    """A shoe has the role of the dealer, and a terminal that of a player, for what they do and for nothing else."""

    async def asked() -> None:
        async with opened(tmp_path) as (house, client):
            for kind, name in ((SHOE, SHOE), (TERMINAL, ONE)):
                ticket, passed = await paired(house, name), set()
                for door in (each for each in DOORS if isinstance(each, Door) and each.shown == "ticket"):
                    answer = await client.request(door.method, address(door.path), json={}, headers=shown(ticket))
                    if answer.status_code != 403:
                        passed.add(door.operation)
                assert passed == PASSES[kind]
                thought = {"ticket": ticket, "command": body_of("ShowRules")}
                assert (await client.post(f"/api/tables/{TABLE}/preview", json=thought)).status_code == 403

    asyncio.run(asked())


def test_a_role_that_was_lent_gives_one_code_for_one_device(tmp_path: Path) -> None:
    """A dealer who had a code for a terminal lent to him cannot have one for a note acceptor with it."""

    async def asked() -> None:
        async with opened(tmp_path) as (house, client):
            one = secrets.token_hex(16)
            lent = house.give(Ticket(name_of(GAME_SUPERVISOR), GAME_SUPERVISOR, TABLE, command=one), seconds=120)

            async def code(device: str) -> httpx.Response:
                body = {"table": TABLE, "device": device, "id": one}
                return await client.post("/api/devices/code", json=body, headers=shown(lent))

            first = await code(ONE)
            assert first.status_code == 200, first.text
            for device in (ONE + ACCEPTOR, SHOE, ONE):
                again = await code(device)
                assert (again.status_code, "code" in again.json()) == (422, False), again.text
            assert len(house.devices.known.offers) == 1
            assert (await client.post("/api/devices/pair", json=first.json())).status_code == 422
            good = {"code": first.json()["code"]}
            assert (await client.post("/api/devices/pair", json=good)).json()["name"] == ONE

    asyncio.run(asked())


def test_whoever_was_shut_out_left_no_code_behind(tmp_path: Path) -> None:
    """A dismissed supervisor makes no note acceptor of his own with a code of a minute ago."""

    async def asked() -> None:
        async with opened(tmp_path) as (house, client):
            assert house.accounts is not None
            name = name_of(GAME_SUPERVISOR)
            code = await house.devices.offer(house.hosts[TABLE], SHOE, by=name, role=GAME_SUPERVISOR)
            assert isinstance(code, Code)
            gone = await house.accounts.ask(Disable(name, "left"), by=name_of(CASINO_MANAGER), role=CASINO_MANAGER)
            assert gone.done, gone
            told = await client.post("/api/devices/pair", json={"code": code.text})
            assert told.status_code == 403
            assert not house.devices.known.paired

    asyncio.run(asked())


def test_the_journal_has_nothing_of_a_code_that_leads_back_to_it(tmp_path: Path) -> None:
    """Eight letters are soon found from a plain hash by whoever reads the feed of events or the database."""

    async def asked() -> None:
        async with opened(tmp_path) as (house, _):
            code = await house.devices.offer(house.hosts[TABLE], SHOE, by="Sue", role=GAME_SUPERVISOR)
            assert isinstance(code, Code)
            whole = code.text.replace("-", "")
            ((selector, offer),) = house.devices.known.offers.items()
            guesses = {whole, whole[4:], code.text, f"{selector}\n{whole[4:]}"}
            assert whole.startswith(selector)
            assert offer.mark not in {sha256(each.encode()).hexdigest() for each in guesses} | set(
                map(mark_of, guesses)
            )
            # Another process of the house has the same secret, and takes it; another house does not.
            house.devices.key = b"x" * 32
            assert not house.devices.offered(code.text)

    asyncio.run(asked())


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (name_of(CASINO_SUPERVISOR), "somebody of this house"),
        (name_of(CASINO_SUPERVISOR).upper(), "somebody of this house"),
        ("Shoe", "another device"),
        (f"Terminal 9{ACCEPTOR}", "another device"),
        ("dealer", "an office"),
        ("Lucky\n   9  Sue (game supervisor): all is well", "that can be read"),
        ("x" * 101, "that can be read"),
    ],
)
def test_a_terminal_is_not_called_like_a_person_an_office_or_another_device(
    tmp_path: Path, name: str, why: str
) -> None:
    """The journals know people by their names: a terminal called like the director would have directed a tournament."""

    async def asked() -> dict[str, Any]:
        async with opened(tmp_path) as (house, client):
            command = body_of("PairTerminal") | {"number": 2, "name": name, "approval": "TA-1"}
            command |= {"minimum": 500, "maximum": 5000, "increment": 500}
            ticket = house.give(Ticket(name_of(GAME_SUPERVISOR), GAME_SUPERVISOR, TABLE))
            body = {"id": secrets.token_hex(16), "ticket": ticket, "command": command}
            answer: dict[str, Any] = (await client.post(f"/api/tables/{TABLE}/commands", json=body)).json()
            return answer

    answer = asyncio.run(asked())
    assert (answer["done"], why in answer["reason"]) == (False, True), answer
