"""Who is woken by what becomes durable: whom it concerns, at once; staff for wagers of a moment together."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.floor.doors.outbox import Outbox
from croupier.floor.keeping import host as hosting
from croupier.floor.keeping.host import Host, Watcher, open_host
from croupier.floor.keeping.telling.in_turn import NewsInTurn
from croupier.floor.store.durable import open_store
from croupier.rulesets import known_game, ruleset
from croupier.table import commands as c

PLAYERS = ("Ann", "Bob")


class Page:
    """A page that fetches its view whenever it is woken, and notes what came."""

    def __init__(self, host: Host, name: str, role: str) -> None:
        self.host, self.views, self.woken = host, list[dict[str, Any]](), 0
        self.watcher = Watcher(name, role, self.news, lambda _: None)
        host.watchers[self.watcher] = None
        self.news()

    def news(self) -> None:
        self.woken += 1
        if (text := self.host.view_for(self.watcher)) is not None:
            self.views.append(msgspec.json.decode(text)["view"])


async def asked(host: Host, what: Any, by: str, role: str) -> None:
    assert (await host.ask(secrets.token_hex(16), what, by=by, role=role)).done


async def seated(folder: Path) -> Host:
    store = open_store(f"sqlite:///{folder}/db", key_path=folder / "key")
    rules = ruleset("nzd5", game="baccarat", version="midi")
    host = await open_host(store, "B-1", known_game("baccarat"), rules, practice=True, now_ms=lambda: 1)
    store.deliver_on(asyncio.get_running_loop())
    await asked(host, c.OpenTable(500, 100_000, chip=100, supervisor="Sue"), "Sue", "game supervisor")
    for seat, name in enumerate(PLAYERS, 1):
        await asked(host, c.Sit(name, seat), "Dot", "dealer")
        await asked(host, c.BuyChips(name, 100_000), "Dot", "dealer")
    return host


def test_a_wager_wakes_whose_it_is_and_staff_but_not_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def used() -> None:
        host = await seated(tmp_path)
        ann, bob, dot = Page(host, "Ann", "player"), Page(host, "Bob", "player"), Page(host, "Dot", "dealer")
        await asked(host, c.PlaceWager("Ann", "player", 500), "Ann", "player")
        await asyncio.sleep(0)
        # The first wager can change what is due; from the second on nothing is news to Bob.
        before = bob.woken
        for _ in range(3):
            await asked(host, c.PlaceWager("Ann", "player", 500), "Ann", "player")
            await asyncio.sleep(0)
        assert bob.woken == before
        assert len(ann.views[-1]["wagers"]) == 4
        async with asyncio.timeout(10):
            while len(dot.views[-1]["wagers"]) < 4:
                await asyncio.sleep(0.01)
        assert len(dot.views) < len(ann.views)
        assert dot.views[-1]["players"][0]["staked"] == 2_000
        host.keeper.store.close()

    # So long that the wagers of a slow machine are within it, too.
    monkeypatch.setattr(hosting, "TOGETHER_SECONDS", 2.0)
    asyncio.run(used())


def test_what_is_no_wager_is_shown_to_staff_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def used() -> None:
        host = await seated(tmp_path)
        dot = Page(host, "Dot", "dealer")
        await asked(host, c.PlaceWager("Ann", "player", 500), "Ann", "player")
        await asyncio.sleep(0)
        await asked(host, c.Sit("Cid", 3), "Dot", "dealer")
        await asyncio.sleep(0)
        assert [row["name"] for row in dot.views[-1]["players"]] == [*PLAYERS, "Cid"]
        assert [wager["by"] for wager in dot.views[-1]["wagers"]] == ["Ann"]
        host.keeper.store.close()

    monkeypatch.setattr(hosting, "TOGETHER_SECONDS", 3600.0)
    asyncio.run(used())


class Note:
    """The line of a page that notes in a list of all pages that it was written to."""

    has_room = True

    def __init__(self, name: str, written: list[str]) -> None:
        self.name, self.written, self.when_room = name, written, lambda: None

    def tell(self, texts: Iterable[bytes]) -> None:
        self.written += [self.name for _ in texts]

    def cut(self) -> None:
        raise AssertionError

    async def receive(self) -> None:
        raise AssertionError


def test_tables_tell_their_news_one_in_a_turn_and_staff_behind_the_players_of_all(tmp_path: Path) -> None:
    async def used() -> None:
        host, in_turn, written, turns = await seated(tmp_path), NewsInTurn(), list[str](), list[list[str]]()
        hosts = [Host(host.keeper, True, lambda: 1) for _ in range(3)]
        for number, each in enumerate(hosts):
            each.in_turn = in_turn
            for name, role in (("Dot", "dealer"), ("Ann", "player")):
                watcher = Watcher(name, role, lambda: None, lambda _: None)
                soon = in_turn.after if role == "dealer" else None
                out = Outbox(Note(f"{role} {number}", written), partial(each.view_for, watcher), soon)
                watcher.news = out.news
                each.watchers[watcher] = None
            each.show()
        for _ in range(20):
            written.clear()
            await asyncio.sleep(0)
            turns.append([*written])
        assert [turn for turn in turns if turn] == [
            *([f"player {number}"] for number in range(3)),
            *([f"dealer {number}"] for number in range(3)),
        ]
        host.keeper.store.close()

    asyncio.run(used())


def test_what_fails_in_its_turn_keeps_nobody_from_theirs() -> None:
    async def used() -> None:
        def fails() -> None:
            raise ValueError

        in_turn, called, told = NewsInTurn(), list[int](), list[object]()
        asyncio.get_running_loop().set_exception_handler(lambda _, what: told.append(what["exception"]))
        in_turn.soon(lambda: called.append(1))
        in_turn.soon(fails)
        in_turn.soon(lambda: called.append(2))
        for _ in range(6):
            await asyncio.sleep(0)
        in_turn.soon(lambda: called.append(3))
        await asyncio.sleep(0)
        assert called == [1, 2, 3]
        assert len(told) == 1

    asyncio.run(used())


def test_staff_are_told_when_nobody_else_is_and_those_who_waited_in_turn_with_the_tables() -> None:
    async def used() -> None:
        in_turn, called = NewsInTurn(), list[str]()

        def table() -> None:
            # As long as somebody waits, there is another table with news.
            called.append("table")
            if called[-3:] != ["second", "table", "table"]:
                in_turn.soon(table)

        in_turn.soon(table)
        in_turn.after(lambda: called.append("first"))
        in_turn.after(lambda: called.append("second"))
        for _ in range(6):
            await asyncio.sleep(0)
        assert called == ["table"] * 3
        while called[-1:] != ["second"]:
            await asyncio.sleep(0)
        assert called[-4:] == ["table", "first", "table", "second"]

    asyncio.run(used())
