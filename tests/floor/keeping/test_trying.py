"""What the house does by itself goes on, whatever stops it for a while; each reason is told once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from croupier.floor.keeping.keeper import Keeper, Trying
from croupier.floor.keeping.links import KIND, LinkHost
from croupier.floor.keeping.telling.feed import EventFeed
from croupier.floor.keeping.telling.significant import SignificantEvents
from croupier.floor.keeping.telling.webhooks import Webhook, Webhooks
from croupier.floor.store.appends import BadAppend, Stopped
from croupier.floor.store.durable import open_store
from croupier.floor.store.engines import BadStore
from croupier.house.jackpot.decide import new_link


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
    assert caplog.text.count("waits: the database is away") == 4
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
