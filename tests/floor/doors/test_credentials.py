"""Credentials that end, and where a request comes from; the proof of roles walks every door with bad ones."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from croupier.floor.app import DOORS
from croupier.floor.doors.common import ticket_in
from croupier.floor.keeping.credentials.sessions import TRIES_AT_ADDRESS
from croupier.floor.keeping.credentials.tickets import NoTicket, Ticket
from croupier.house.people.decide import CONSOLE
from croupier.house.people.messages import Disable
from croupier.prove.house.desks import HERE
from croupier.prove.house.entrances import TABLE, name_of, running, shown
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


def test_what_lies_face_down_is_not_for_whoever_sits_at_the_cage(tmp_path: Path) -> None:
    """While players choose, the dealer's cards are worth money: a cashier watches no table and reads no round of it."""

    async def walked() -> None:
        async with running(tmp_path, demo=False) as (house, _, client):
            round_one = f"/api/tables/{TABLE}/rounds/1"
            for role, status in (("cashier", 403), ("dealer", 200), ("inspector", 200), ("game supervisor", 200)):
                assert (await client.get(round_one, headers=shown(house, role))).status_code == status, role
            line = next(door for door in DOORS if door.operation == "WS /api/tables/{name}/live")
            ticket = house.give(Ticket(name_of("cashier"), "cashier", TABLE))
            with pytest.raises(NoTicket, match="not for the cashier"):
                ticket_in(house, ticket, TABLE, line)

    asyncio.run(walked())


# ---------------------------------------------------------------- where a request comes from


@pytest.fixture(scope="module")
def behind_a_proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("proxy")
    (folder / "house.toml").write_text('[server]\nproxies = ["127.0.0.2"]\n')
    with served(folder, pace="600,0.1,0.05", config=str(folder / "house.toml")) as (where, _):
        yield where


def test_a_page_that_came_without_tls_asks_nothing_of_a_house_that_has_it(tmp_path: Path) -> None:
    """Whoever is between a browser and the house makes pages of its name as they like, but none that came by https."""

    async def walked() -> None:
        async with running(tmp_path, demo=False) as (_, _, client):
            body = {"name": "x", "password": "y"}
            for scheme, origin, foreign in (
                ("https", "http", True),
                ("https", "https", False),
                ("http", "http", False),
            ):
                headers = {"Origin": f"{origin}://127.0.0.1"}
                answer = await client.post(f"{scheme}://127.0.0.1/api/sign-in", json=body, headers=headers)
                assert ("another site" in answer.json()["reason"]) == foreign, (scheme, origin)

    asyncio.run(walked())


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


# ---------------------------------------------------------------- one address, many people


def at(app: Starlette, address: str, **cookies: str) -> httpx.AsyncClient:
    """Whoever asks from an address."""
    transport = httpx.ASGITransport(app, client=(address, 4711))
    return httpx.AsyncClient(transport=transport, base_url=HERE, headers={"Origin": HERE}, cookies=cookies)


def test_a_stranger_in_the_network_uses_up_no_tries_of_known_devices(tmp_path: Path) -> None:
    async def tried() -> None:
        wrong = {"name": "the dealer", "password": "not the right one"}
        async with running(tmp_path, demo=False) as (house, app, _):
            async with at(app, "10.0.0.1") as stranger:
                found = [(await stranger.post("/api/sign-in", json=wrong)).status_code for _ in range(70)]
                assert found[-1] == 429
                assert (await stranger.post("/api/lend", json=wrong | {"role": "x", "table": "y"})).status_code == 429
            known = house.sessions.devices.dumps(["the dealer", "chance"])
            async with at(app, "10.0.0.1", croupier_device=known) as own:
                assert (await own.post("/api/sign-in", json=wrong)).status_code == 403
                lending = wrong | {"name": "the game supervisor", "role": "game supervisor", "table": TABLE}
                assert (await own.post("/api/lend", json=lending)).status_code == 403
                # A device that was stolen has so many tries, and no more.
                assert 429 in [(await own.post("/api/sign-in", json=wrong)).status_code for _ in range(70)]
            async with at(app, "10.0.0.1", croupier_device="forged") as forged:
                assert (await forged.post("/api/sign-in", json=wrong)).status_code == 429

    asyncio.run(tried())


def test_who_guesses_numbers_of_vouchers_does_not_shut_the_cage(tmp_path: Path) -> None:
    async def looked() -> None:
        async with running(tmp_path, demo=False) as (house, app, _), at(app, "10.0.0.1") as client:
            number = house.numbers.number(TABLE, "0" * 32, "nobody")
            found = [(await client.get(f"/voucher?id={number}")).status_code for _ in range(40)]
            assert (found[0], found[-1]) == (404, 429)
            desk = shown(house, "cashier")
            states = [(await client.get(f"/api/cage/vouchers/{number}", headers=desk)).status_code for _ in range(40)]
            assert (states[0], states[-1]) == (200, 429)

    asyncio.run(looked())


def test_what_lies_in_the_drawer_is_told_on_the_machine_itself_or_for_a_key(tmp_path: Path) -> None:
    async def asked() -> None:
        async with running(tmp_path, demo=False) as (house, app, _):
            house.feed.readers = {"prometheus": sha256(b"a key").hexdigest()}

            async def metrics_for(address: str, **headers: str) -> tuple[bool, bool]:
                async with at(app, address) as client:
                    text = (await client.get("/metrics", headers=headers)).text
                return "croupier_rounds_total" in text, "croupier_cage_cents" in text and "croupier_money_cents" in text

            assert await metrics_for("10.0.0.1") == (True, False)
            assert await metrics_for("10.0.0.1", Authorization="Bearer another") == (True, False)
            for here in ("127.0.0.1", "::1", "::ffff:127.0.0.1"):
                assert await metrics_for(here) == (True, True)
            assert await metrics_for("10.0.0.1", Authorization="Bearer a key") == (True, True)
            assert await metrics_for("10.0.0.1") == (True, False)

    asyncio.run(asked())
