"""What a process does for tables that another one keeps: nothing until somebody asks, and then everything at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from croupier.floor.app import create_app
from croupier.floor.keeping.host import FAR, Host, Watcher
from croupier.floor.keeping.house import House, open_house
from croupier.floor.keeping.keeper import new_id
from croupier.floor.keeping.planned import Planned
from croupier.floor.store.appends import Stopped
from croupier.floor.store.chain import StoredLine
from croupier.floor.store.durable import Store
from croupier.floor.store.ends import EndsAsked
from croupier.house.people.decide import CONSOLE
from croupier.law.officials import DEALER, GAME_SUPERVISOR, PLAYER
from croupier.prove.books.instruments import servers as postgres
from croupier.prove.house.desks import HERE
from croupier.table import commands as c

TABLE, OTHER = "B-1", "B-2"
SIGN: dict[str, Any] = {"minimum": 500, "maximum": 10_000_000, "chip": 100, "supervisor": "Sue"}
CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s"


def planned(*names: str) -> tuple[Planned, ...]:
    return tuple(Planned(name, "nzd5", "baccarat", "full", SIGN) for name in names)


@asynccontextmanager
async def two_processes(server: str, folder: Path) -> AsyncIterator[tuple[House, House, str]]:
    """One house twice, as two processes would have it; the first keeps the table, its feed and all else."""
    url = postgres.new_database(server)
    one, two = (open_house(url, folder / "key", demo=True) for _ in range(2))
    await one.start(planned(TABLE))
    await two.start(planned(TABLE, OTHER))
    assert one.hosts[TABLE].keeper.owned
    assert two.hosts[OTHER].keeper.owned
    try:
        yield one, two, url
    finally:
        await two.close()
        if not one.store.closed:
            await one.close()


def held(server: str, folder: Path, told: Callable[[House, House, str], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        async with asyncio.timeout(90), two_processes(server, folder) as (one, two, url):
            await told(one, two, url)

    asyncio.run(run())


async def come(host: Host, people: int, first: int = 0) -> None:
    for number in range(first, first + people):
        assert (await host.ask(new_id(), c.Sit(f"P{number}"), by="Dot", role=DEALER)).done


async def until(true: Callable[[], bool]) -> None:
    while not true():
        await asyncio.sleep(0.01)


def watch(host: Host) -> asyncio.Event:
    news = asyncio.Event()
    host.watchers[Watcher("P0", PLAYER, news.set, lambda _: None)] = None
    return news


def test_a_process_that_shows_nothing_of_a_table_reads_none_of_its_lines(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor those of the feed, which is heard of; until somebody asks, who is then answered from all of it."""
    read: list[tuple[Store, str]] = []
    real = Store.sound_lines

    def counted(self: Store, table: str, first: int = 1, most: int = 1000) -> tuple[StoredLine, ...]:
        read.append((self, table))
        return real(self, table, first, most)

    monkeypatch.setattr(Store, "sound_lines", counted)

    async def told(one: House, two: House, _: str) -> None:
        here, there = one.hosts[TABLE], two.hosts[TABLE]
        decoded: list[bytes] = []
        kind = there.keeper.kind

        def decode(body: bytes) -> Any:
            decoded.append(body)
            return kind.decode(body)

        there.keeper.kind = replace(kind, decode=decode)
        before, numbered = there.shown.entries, two.feed.keeper.shown.entries
        read.clear()
        await come(here, 40)
        await until(lambda: there.keeper.end == here.shown.entries and two.feed.last > numbered + 30)
        await asyncio.sleep(0.3)
        assert there.shown.entries == before
        assert two.feed.keeper.shown.entries == numbered
        assert not decoded
        assert not [table for store, table in read if store is two.store and table in (TABLE, "@feed")]
        await until(lambda: not one.feed.behind and two.feed.last == one.feed.last)
        assert two.feed.page(two.feed.last - 3, 3) == one.feed.page(one.feed.last - 3, 3)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(create_app(two, ())), base_url=HERE) as client:
            for path in ("/health", "/health/ready", f"/api/tables/{OTHER}/rules"):
                await client.get(path)
            assert there.shown.entries == before
            assert (await client.get("/api/tables")).status_code == 200
        assert there.shown.entries == here.shown.entries
        assert there.shown.players.keys() == here.shown.players.keys()
        assert len(decoded) == here.shown.entries - before

    held(server, tmp_path, told)


def test_whoever_shows_a_table_hears_each_commit_of_it(server: str, tmp_path: Path) -> None:
    async def told(one: House, two: House, _: str) -> None:
        here, there = one.hosts[TABLE], two.hosts[TABLE]
        news = watch(there)
        for number in range(5):
            news.clear()
            await come(here, 1, first=number)
            await until(lambda: there.shown.entries == here.shown.entries)
            await news.wait()

    held(server, tmp_path, told)


def test_news_that_was_missed_is_made_good(server: str, tmp_path: Path) -> None:
    """The line for news was cut while others wrote: afterwards the last line of every journal is told again."""

    async def told(one: House, two: House, url: str) -> None:
        here, there = one.hosts[TABLE], two.hosts[TABLE]
        watch(there)
        with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as administrator:
            administrator.execute(CUT, ("croupier listener",))
        await until(lambda: two.store.deaf)
        await come(here, 10)
        await until(lambda: there.shown.entries == here.shown.entries)
        await until(lambda: two.feed.last == one.feed.last and not one.feed.behind and not two.feed.behind)

    held(server, tmp_path, told)


def test_a_table_that_nobody_showed_is_taken_over_whole_and_the_feed_goes_on(server: str, tmp_path: Path) -> None:
    async def told(one: House, two: House, _: str) -> None:
        here, there = one.hosts[TABLE], two.hosts[TABLE]
        await come(here, 20)
        await until(lambda: there.keeper.end == here.shown.entries and not one.feed.behind)
        assert there.shown.entries < here.shown.entries
        last, sat = here.shown.entries, set(here.shown.players)
        await one.close()
        answer = await there.ask(new_id(), c.Sit("Ann"), by="Dot", role=DEALER)
        assert (answer.done, answer.line) == (True, last + 1)
        assert set(there.shown.players) == {*sat, "Ann"}
        await until(lambda: two.feed.keeper.owned and not two.feed.behind)
        events = two.feed.page(0, 1000)
        assert [event.id for event in events] == list(range(1, len(events) + 1))
        assert [event.line for event in events if event.journal == TABLE] == list(range(1, last + 2))

    held(server, tmp_path, told)


def test_what_a_decision_depends_on_is_read_before_it(server: str, tmp_path: Path) -> None:
    """A table may be opened only with the pay scale of the other open ones, whoever keeps these."""

    async def told(one: House, two: House, _: str) -> None:
        here, there = one.hosts[TABLE], two.hosts[TABLE]
        await come(here, 3)
        await until(lambda: there.keeper.end == here.shown.entries)
        await two.hosts[OTHER].ask(new_id(), c.ShowRules(), by="Ann", role=GAME_SUPERVISOR)
        assert there.shown.entries < here.shown.entries
        await two.hosts[OTHER].ask(new_id(), c.OpenTable(**SIGN), by=CONSOLE, role=GAME_SUPERVISOR)
        assert there.shown.entries == here.shown.entries

    held(server, tmp_path, told)


def test_what_is_far_behind_is_read_in_one_go(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.floor.keeping.host.FAR", 20)
    assert FAR > 20

    async def told(one: House, two: House, _: str) -> None:
        here, there = one.hosts[TABLE], two.hosts[TABLE]
        before = there.shown.entries
        await come(here, 25)
        await until(lambda: there.shown.entries > before + 20)

    held(server, tmp_path, told)


def test_all_who_order_at_once_share_the_question_whether_others_wrote(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And it is asked again on another connection where the first was cut."""
    asked: list[int] = []
    real = EndsAsked.longer

    def counted(self: EndsAsked, ends: dict[str, int]) -> frozenset[str]:
        asked.append(len(ends))
        return real(self, ends)

    monkeypatch.setattr(EndsAsked, "longer", counted)

    async def told(_: House, two: House, url: str) -> None:
        assert all(await asyncio.gather(*(two.known_now() for _ in range(200))))
        assert asked == [1]
        with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as administrator:
            administrator.execute(CUT, ("croupier reader",))
        assert await two.known_now()
        assert asked == [1, 1]
        assert two.store.ends is not None
        two.store.ends.close()
        with pytest.raises(Stopped):
            await two.known_now()

    held(server, tmp_path, told)
