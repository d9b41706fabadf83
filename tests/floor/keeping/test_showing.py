"""Who is woken by what becomes durable: whom it concerns, at once; staff for wagers of a moment together."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.floor.keeping import host as hosting
from croupier.floor.keeping.host import Host, Watcher, open_host
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
