"""Machines that are network namespaces: what vanishes without a word is noticed, and holds up nobody else.

The house on four of them is for `croupier prove machines`, which takes minutes.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from croupier.floor.keeping import peers
from croupier.floor.keeping.peers import PATH, Peers, answer_peer
from croupier.floor.keeping.spreading import PROCESS, surplus
from croupier.floor.parcel.certificates import self_signed
from croupier.floor.store.appends import LivingProcess, Stopped
from croupier.floor.store.durable import Store, open_store
from croupier.prove.books.instruments.servers import postgresql
from croupier.prove.machines.network import HUB, NETWORK, Network, NoNamespaces, inside, machine_address, network

SECRET = b"s" * 32
PORT = 8700


LEFT = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'croupier %'"


def url(number: int) -> str:
    return f"https://{machine_address(number)}:{PORT}"


@pytest.fixture(scope="module")
def machines() -> Iterator[Network]:
    try:
        with network(2) as made:
            yield made
    except NoNamespaces as error:
        pytest.skip(f"NO NETWORK NAMESPACES, MACHINES THAT VANISH ARE NOT TESTED: {error}")


@contextmanager
def answering(made: Network, number: int, certificate: tuple[Path, Path]) -> Iterator[None]:
    """A machine that answers other processes of the house, and keeps no journal."""

    async def answer(socket: WebSocket) -> None:
        await answer_peer(socket, SECRET, lambda _: None, url(number))

    config = uvicorn.Config(
        Starlette(routes=[WebSocketRoute(PATH, answer)]),
        host=machine_address(number),
        port=PORT,
        ssl_certfile=str(certificate[0]),
        ssl_keyfile=str(certificate[1]),
        log_config=None,
    )
    server = uvicorn.Server(config)

    def live() -> None:
        with inside(made.machine(number)):
            server.run()

    living = threading.Thread(target=live, daemon=True)
    living.start()
    try:
        yield
    finally:
        server.should_exit = True
        living.join(60)


async def asked(house: Peers, number: int) -> str:
    """Why it was not done, which is all that such a machine has to say."""
    with pytest.raises(Stopped) as refused:
        await house.pass_on(url(number), "EB-1", f"{number:032x}", {})
    return str(refused.value)


def test_a_machine_that_vanishes_is_noticed_and_holds_up_nobody_else(
    machines: Network, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "SIGN_SECONDS", 0.5)
    monkeypatch.setattr(peers, "SECONDS_TO_CONNECT", 2.0)
    certificate = self_signed(tmp_path, machine_address(1), machine_address(2))

    async def played() -> None:
        house = Peers(SECRET, "https://here", trust=str(certificate[0]))
        async with asyncio.timeout(60):
            for number in (1, 2):
                while "no journal" not in await asked(house, number):
                    await asyncio.sleep(0.05)
            machines.pull(1)
            # The line is there and says nothing; then it is gone, and cannot be opened again.
            assert "no journal" not in await asked(house, 1)
            began = time.monotonic()
            lost = [asyncio.create_task(asked(house, 1)) for _ in range(20)]
            assert "no journal" in await asked(house, 2)
            assert not any(each.done() for each in lost)
            assert all("cannot be asked" in each or "was lost" in each for each in await asyncio.gather(*lost))
            # Twenty waited for one attempt, not each for its own.
            assert time.monotonic() - began < 10 * peers.SECONDS_TO_CONNECT
            machines.plug(1)
            while "no journal" not in await asked(house, 1):
                await asyncio.sleep(0.05)
        await house.close()

    with answering(machines, 1, certificate), answering(machines, 2, certificate), inside(machines.hub):
        asyncio.run(played())


def test_a_machine_whose_certificate_nobody_vouches_for_is_not_asked(machines: Network, tmp_path: Path) -> None:
    certificate = self_signed(tmp_path, machine_address(2))

    async def played() -> str:
        async with asyncio.timeout(60):
            while "certificate" not in (why := await asked(Peers(SECRET, "https://here"), 2)):
                await asyncio.sleep(0.05)
        return why

    with answering(machines, 2, certificate), inside(machines.hub):
        assert "certificate verify failed" in asyncio.run(played())


def test_tables_are_handed_on_to_whoever_keeps_the_fewest() -> None:
    one, two, three = (LivingProcess(number, f"machine {number}") for number in (1, 2, 3))
    living = {f"{PROCESS}{each.address}": each for each in (one, two, three)}
    mine = [f"T-{number}" for number in range(6)]
    holders = living | dict.fromkeys(mine, one) | {"T-9": two, "@cage": three}
    # The cage is no table; a table with a wager goes last; half of the difference goes.
    assert surplus(mine, frozenset({"T-0"}), one, holders) == [("T-1", three), ("T-2", three), ("T-3", three)]
    assert surplus(["T-9"], frozenset(), two, holders) == []
    assert surplus(mine, frozenset(), one, dict.fromkeys(holders, one)) == []


def test_the_database_notices_soon_that_a_machine_is_gone(machines: Network, tmp_path: Path) -> None:
    """By itself it would keep each connection of that machine, and what it has locked, for two hours."""

    def open_there() -> Store:
        with inside(machines.machine(1)):
            store = open_store(f"postgresql://croupier@{HUB}/postgres", key_path=tmp_path / "key", address="there")
            store.own("A").result()
            store.last("A")
            return store

    with (
        inside(machines.hub),
        postgresql(f"listen_addresses={HUB}", network=NETWORK) as server,
        psycopg.connect(server, autocommit=True) as database,
        ThreadPoolExecutor(1) as there,
        there.submit(open_there).result(),
    ):
        assert database.execute(LEFT).fetchone() == (3,), "one writes, one reads, one listens"
        machines.pull(1)
        try:
            until = time.monotonic() + 30
            while database.execute(LEFT).fetchone() != (0,):
                assert time.monotonic() < until
                time.sleep(0.2)
        finally:
            machines.plug(1)
