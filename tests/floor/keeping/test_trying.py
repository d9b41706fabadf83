"""What the house does by itself goes on, whatever stops it for a while; each reason is told once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.floor.app import create_app
from croupier.floor.keeping.house import open_house
from croupier.floor.keeping.keeper import Keeper
from croupier.floor.keeping.links import KIND, LinkHost
from croupier.floor.keeping.spreading import Spreading
from croupier.floor.keeping.telling.feed import EventFeed
from croupier.floor.keeping.telling.significant import SignificantEvents
from croupier.floor.keeping.telling.trying import Trying
from croupier.floor.keeping.telling.webhooks import Webhook, Webhooks
from croupier.floor.store.appends import BadAppend, Stopped
from croupier.floor.store.durable import open_store
from croupier.floor.store.engines import BadStore
from croupier.house.jackpot.state import new_link
from croupier.prove.house.desks import HERE


def now_ms() -> int:
    return 1


@pytest.mark.parametrize("error", [Stopped, BadAppend, BadStore])
def test_what_goes_on_by_itself_outlives_what_stops_it(
    error: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried: dict[str, int] = {}

    def fails_once(name: str) -> Callable[..., Awaitable[None]]:
        async def work(*_: Any) -> None:
            tried[name] = tried.get(name, 0) + 1
            if tried[name] == 1:
                raise error("the database is away")
            await asyncio.sleep(0)

        return work

    for kind, name in (
        (EventFeed, "_numbered"),
        (SignificantEvents, "_looked"),
        (LinkHost, "tend"),
        (Webhooks, "_looked"),
        (Spreading, "look"),
    ):
        monkeypatch.setattr(kind, name, fails_once(kind.__name__))

    async def run() -> None:
        with open_store(f"sqlite:///{tmp_path}/house.db", key_path=tmp_path / "key") as store:
            feed, link = EventFeed(store, now_ms), new_link("one")
            hook = Webhook("one", "http://127.0.0.1:9", b"secret")
            works = [
                feed.run(),
                SignificantEvents(store, feed, now_ms).run(),
                LinkHost(Keeper(store, "@link:one", KIND, link, link), {}, now_ms).run(),
                Webhooks(store, feed, now_ms, (hook,)).run(hook),
                Spreading(store, {}, "here", now_ms, asyncio.Event()).run(0.01),
            ]
            tasks = [asyncio.create_task(each) for each in works]
            while len(tried) < len(works) or min(tried.values()) < 2:
                assert not any(task.done() for task in tasks)
                await asyncio.sleep(0.01)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    with caplog.at_level(logging.WARNING):
        asyncio.run(run())
    assert caplog.text.count("waits: the database is away") == 5
    assert "Traceback" not in caplog.text


def test_a_reason_is_told_once_and_so_is_the_end_of_it(caplog: pytest.LogCaptureFixture) -> None:
    async def stopped(reason: str) -> None:
        raise Stopped(reason)

    async def run() -> list[bool]:
        trying = Trying("the work")
        found = [await trying.once(stopped(reason)) for reason in ("one", "one", "two", "two")]
        return [*found, await trying.once(asyncio.sleep(0)), await trying.once(asyncio.sleep(0))]

    with caplog.at_level(logging.WARNING):
        assert asyncio.run(run()) == [False] * 4 + [True] * 2
    assert [record.getMessage() for record in caplog.records] == [
        "the work waits: one",
        "the work waits: two",
        "the work goes on",
    ]


def test_while_the_journals_are_read_again_everybody_is_told_to_ask_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that lost its leases, and whose database is away or slow, holds nobody up and says that it lives."""

    async def away(_: Keeper[Any]) -> None:
        raise Stopped("the database cannot be asked now")

    async def slow(_: Keeper[Any]) -> None:
        await asyncio.Event().wait()

    async def run() -> None:
        house = open_house(f"sqlite:///{tmp_path}/house.db", tmp_path / "key", demo=True)
        app = create_app(house)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=HERE) as client,
        ):
            read_again = Keeper.read_again
            for stops, why in ((away, "cannot be asked now"), (slow, "reads its journals again")):
                house.read_at = -1
                monkeypatch.setattr(Keeper, "read_again", stops)
                monkeypatch.setattr("croupier.floor.keeping.house.CURRENT_SECONDS", 0.05)
                found = await client.get("/api/tables")
                assert (found.status_code, why in found.json()["reason"]) == (503, True)
                assert (await client.get("/health")).status_code == 200
            monkeypatch.setattr(Keeper, "read_again", read_again)
            monkeypatch.setattr("croupier.floor.keeping.house.CURRENT_SECONDS", 60.0)
            assert house.reading is not None
            house.reading.cancel()
            with suppress(asyncio.CancelledError):
                await house.reading
            assert (await client.get("/api/tables")).status_code == 200
            assert house.read_at == house.store.lapses

    asyncio.run(run())
