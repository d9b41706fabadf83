"""What was done at one process of a house is true at the other at once, whether or not the news has come."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from croupier.floor.app import create_app
from croupier.floor.doors.live import SERVICE_RESTART
from croupier.floor.keeping.accounts import Hashing
from croupier.floor.keeping.credentials.tickets import Ticket
from croupier.floor.keeping.house import CAGE, House, open_house
from croupier.floor.keeping.keeper import Keeper
from croupier.floor.store.appends import Stopped
from croupier.floor.store.durable import open_store
from croupier.floor.wire import Answer
from croupier.house.cage.messages import AnyCommand, CageRequest, MoveFloat, OpenCage, OpenShift
from croupier.house.cage.state import Cage
from croupier.house.people.messages import Disable
from croupier.prove.books.instruments import servers as postgres
from croupier.prove.house.desks import HERE
from croupier.prove.house.entrances import PLANNED, TABLE, made, name_of
from croupier.table.terminals.commands import ApproveSystem, PairTerminal

SUPERVISOR = "game supervisor"
AWAY = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"


@asynccontextmanager
async def opened(url: str, folder: Path) -> AsyncIterator[tuple[House, httpx.AsyncClient]]:
    """A house with accounts, as another process would have it: it has a number and connections of its own."""
    house = open_house(url, folder / "key", demo=False, hashing=Hashing(1, 64, 1))
    app = create_app(house, PLANNED)
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url=HERE, headers={"Origin": HERE}, timeout=60) as client,
    ):
        yield house, client


def deafen(house: House) -> None:
    """From now on this process hears nothing of what others write."""
    assert house.store.listener is not None
    house.store.listener.stop()


def test_whoever_was_shut_out_at_one_process_orders_nothing_at_the_other(server: str, tmp_path: Path) -> None:
    """Not even where the news of it does not come: the account, and the device, are asked for before each order."""

    async def run() -> None:
        url = postgres.new_database(server)
        async with opened(url, tmp_path) as (one, _), opened(url, tmp_path) as (two, client):
            await made(one)
            assert one.accounts is not None
            for what in (ApproveSystem("1.0", "TA-0"), PairTerminal(1, 500, 50_000, approval="TA-1")):
                answer = await one.hosts[TABLE].ask(secrets.token_hex(16), what, by="x", role=SUPERVISOR)
                assert answer.done, answer
            code = await one.devices.offer(one.hosts[TABLE], "Terminal 1 note acceptor", by="x", role=SUPERVISOR)
            paired = await one.devices.pair(getattr(code, "text", ""))
            assert paired is not None
            ticket = one.give(Ticket(name_of(SUPERVISOR), SUPERVISOR, TABLE))
            shown = {"Authorization": f"Ticket {ticket}"}

            async def asked() -> list[int]:
                """A command with its ticket inside, an order with the ticket in its header, and notes."""
                order = {"id": secrets.token_hex(16), "ticket": ticket, "command": {"type": "ShowRules"}}
                credit = {"id": secrets.token_hex(16), "secret": paired[1], "notes": [2_000]}
                answers = [
                    await client.post(f"/api/tables/{TABLE}/commands", json=order),
                    await client.post("/api/devices/code", json={"table": TABLE, "device": "shoe"}, headers=shown),
                    await client.post("/api/devices/notes", json=credit),
                ]
                return [each.status_code for each in answers]

            # Each is let in, and would be passed on; the other process does not say where it is.
            assert await asked() == [503, 503, 503]
            deafen(two)
            assert (await one.accounts.ask(Disable(name_of(SUPERVISOR)), by="x", role="casino manager")).done
            await one.devices.release(one.hosts[TABLE], "Terminal 1", by="x", role=SUPERVISOR)
            assert await asked() == [422, 403, 403]

    asyncio.run(run())


def test_while_its_database_is_away_every_door_of_the_cage_says_so(
    server: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever asks meanwhile is told to ask again, and adds nothing to the log."""
    url = postgres.new_database(server)
    name = url.split("@/")[1].split("?")[0]

    async def run() -> None:
        async with opened(url, tmp_path) as (house, client):
            await made(house)
            shown = {"Authorization": f"Ticket {house.give(Ticket(name_of('cashier'), 'cashier', ''))}"}
            assert (await client.get("/api/cage/meters", headers=shown)).status_code == 200
            with psycopg.connect(server, autocommit=True) as administrator:
                administrator.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
                administrator.execute(AWAY, (name,))
                house.read_at = house.store.lapses
                found = await asyncio.to_thread(_meters, house)
                house.read_at = -1
                for _ in range(20):
                    assert (await client.get("/api/tables")).status_code == 503
                administrator.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
            assert isinstance(found, Stopped), found

    with caplog.at_level(logging.WARNING):
        asyncio.run(run())
    assert caplog.text.count("it reads its journals again") <= 3
    assert "Traceback" not in caplog.text


def test_a_line_that_begins_while_the_journals_are_read_again_is_closed_without_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(_: Keeper[Any]) -> None:
        raise Stopped("the database cannot be asked now")

    async def run() -> list[dict[str, Any]]:
        house = open_house(f"sqlite:///{tmp_path}/house.db", tmp_path / "key", demo=True)
        app, sent = create_app(house, PLANNED), list[dict[str, Any]]()
        async with app.router.lifespan_context(app):
            hello = {"type": "Hello", "ticket": house.ticket("Zoe", "dealer", TABLE)}
            heard = iter([{"type": "websocket.connect"}, {"type": "websocket.receive", "text": json.dumps(hello)}])

            async def receive() -> dict[str, Any]:
                if (message := next(heard))["type"] == "websocket.receive":
                    monkeypatch.setattr(Keeper, "read_again", away)
                    house.read_at = -1
                return message

            async def send(message: Any) -> None:
                sent.append(message)

            scope = {"type": "websocket", "path": f"/api/tables/{TABLE}/live", "headers": [], "subprotocols": []}
            await app(scope, receive, send)
            monkeypatch.undo()
        return sent

    sent = asyncio.run(run())
    assert [each["type"] for each in sent] == ["websocket.accept", "websocket.close"]
    assert sent[-1]["code"] == SERVICE_RESTART


def test_what_was_decided_before_another_kept_the_journal_is_not_appended_after_it(server: str, tmp_path: Path) -> None:
    """Its number may fit again: then what it was decided upon would be taken for what the other one wrote."""
    url, names = postgres.new_database(server), ("here", "there")
    held, go_on = threading.Event(), threading.Event()

    def hold(tell: Callable[[], None]) -> None:
        held.set()
        assert go_on.wait(60)
        tell()

    async def run() -> None:
        loop = asyncio.get_running_loop()
        with ExitStack() as stack:
            one, two = (
                Keeper(
                    stack.enter_context(open_store(url, key_path=tmp_path / "key", address=name)),
                    "@cage", CAGE, Cage(), Cage(),
                )
                for name in names
            )  # fmt: skip
            for keeper in (one, two):
                keeper.store.deliver_on(loop)
            await asked(one, OpenCage(practice=False))
            assert one.store.writer is not None
            # The writer of one, which bears its heads itself, stops after the first of these; two more wait for it.
            one.store.writer.deliver, one.store.writer.bearer, bearer = hold, None, one.store.writer.bearer
            waiting = [asyncio.create_task(asked(one, OpenShift(cash=1)))]
            await asyncio.to_thread(held.wait, 60)
            waiting += [asyncio.create_task(asked(one, MoveFloat("x", cash))) for cash in (10, 20)]
            while one.state.entries < 4:
                await asyncio.sleep(0.01)
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("UPDATE lease SET expires = clock_timestamp() - interval '1 second'")
                await asked(two, MoveFloat("x", 300))
                connection.execute("UPDATE lease SET expires = clock_timestamp() - interval '1 second'")
            taking = asyncio.create_task(_taken_again(one))
            while one.store.writer.tickets.qsize() < 3:
                await asyncio.sleep(0.01)
            one.store.deliver_on(loop)
            one.store.writer.bearer = bearer
            go_on.set()
            await taking
            await asyncio.gather(*waiting, return_exceptions=True)
            await two.follow()
            assert (one.shown, one.state) == (two.shown, two.shown)
            assert one.shown.cash == 301

    asyncio.run(run())


async def _taken_again(keeper: Keeper[Cage]) -> None:
    await keeper.read_again()
    await keeper.take_over()


async def asked(keeper: Keeper[Cage], what: AnyCommand) -> Answer:
    return await keeper.ask(secrets.token_hex(16), CageRequest(what, "Lee", "casino supervisor", 1))


def _meters(house: House) -> Any:
    from croupier.floor.keeping.vouchers import owed_by
    from croupier.floor.rooms.cage.views import meters

    try:
        return meters(house.store, house.hosts), owed_by(house.store, TABLE)
    except Stopped as error:
        return error
