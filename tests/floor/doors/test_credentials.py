"""Credentials that end, and where a request comes from; the proof of roles walks every door with bad ones."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from croupier.floor.keeping.sessions import TRIES_AT_ADDRESS
from croupier.floor.keeping.tickets import Ticket
from croupier.house.people.decide import CONSOLE
from croupier.house.people.messages import Disable
from croupier.prove.house.entrances import name_of, running
from tests.helpers.houses.served import served


def test_a_stolen_ticket_ends_with_the_account_at_every_door(tmp_path: Path) -> None:
    async def walked() -> None:
        async with running(tmp_path, demo=False) as (house, _, client):
            assert house.accounts is not None
            shown = {"Authorization": f"Ticket {house.give(Ticket(name_of('cashier'), 'cashier', ''))}"}
            assert (await client.get("/api/cage/state", headers=shown)).status_code == 200
            assert (await house.accounts.ask(Disable(name_of("cashier")), by=CONSOLE, role=CONSOLE)).done
            assert (await client.get("/api/cage/state", headers=shown)).status_code == 403

    asyncio.run(walked())


# ---------------------------------------------------------------- where a request comes from


@pytest.fixture(scope="module")
def behind_a_proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("proxy")
    (folder / "house.toml").write_text('[server]\nproxies = ["127.0.0.2"]\n')
    with served(folder, pace="600,0.1,0.05", config=str(folder / "house.toml")) as (where, _):
        yield where


def test_only_a_named_proxy_says_for_whom_it_asks(behind_a_proxy: str) -> None:
    """A stranger who makes up an address for each try is counted by his own; those whom the proxy names are many."""

    def tried(local: str) -> set[int]:
        with httpx.Client(transport=httpx.HTTPTransport(local_address=local), timeout=30) as client:
            return {
                client.post(
                    f"{behind_a_proxy}/api/devices/pair",
                    json={"code": "aaaa-bbbb-cccc"},
                    headers={"X-Forwarded-For": f"10.0.{number}.1", "X-Forwarded-Proto": "https"},
                ).status_code
                for number in range(TRIES_AT_ADDRESS + 1)
            }

    assert tried("127.0.0.2") == {403}
    assert tried("127.0.0.3") == {403, 429}
