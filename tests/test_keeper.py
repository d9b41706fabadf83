"""A journal's keeper: one effect for one id, and nothing half done when whoever asked goes away."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.floor.appends import BadAppend
from croupier.floor.host import TABLES
from croupier.floor.keeper import Keeper
from croupier.floor.store import open_store
from croupier.rulesets import known_game, ruleset
from croupier.table import commands as c
from croupier.table.commands import Request
from croupier.table.events import Transfer
from croupier.table.state import Table, new_table

OPEN = Request(c.OpenTable(500, 100_000, supervisor="Sue"), "Sue", "game supervisor")
SIT = Request(c.Sit("Ann", 1), "Dot", "dealer")


def kept(folder: Path, use: Callable[[Keeper[Table], list[Any]], Awaitable[None]]) -> None:
    """Use the keeper of a new table; it notes every line that became durable."""

    async def used() -> None:
        heard: list[Any] = []
        table = new_table("B-1", known_game("baccarat"), ruleset("nz1998", game="baccarat"))
        with open_store(f"sqlite:///{folder}/db", key_path=folder / "key") as store:
            keeper = Keeper(store, "B-1", TABLES, table, table, changed=heard.extend)
            await use(keeper, heard)

    asyncio.run(used())


def test_what_was_asked_is_done_and_shown_although_the_asker_has_gone(tmp_path: Path) -> None:
    async def use(keeper: Keeper[Table], heard: list[Any]) -> None:
        asking = asyncio.create_task(keeper.ask(f"{1:032x}", OPEN))
        while not keeper.state.entries:
            await asyncio.sleep(0)
        asking.cancel()
        async with asyncio.timeout(10):
            while not keeper.shown.entries:
                await asyncio.sleep(0.001)
        assert keeper.shown.open
        assert len(heard) == keeper.shown.entries == keeper.store.last("B-1")[0]
        assert (await keeper.ask(f"{2:032x}", SIT)).done
        assert len(heard) == keeper.shown.entries

    kept(tmp_path, use)


def test_a_command_that_is_asked_many_times_has_one_effect_and_one_answer(tmp_path: Path) -> None:
    async def use(keeper: Keeper[Table], heard: list[Any]) -> None:
        await keeper.ask(f"{1:032x}", OPEN)
        before = len(heard)
        answers = await asyncio.gather(*(keeper.ask(f"{2:032x}", SIT) for _ in range(50)))
        assert answers == [answers[0]] * 50
        assert answers[0].done
        assert await keeper.ask(f"{2:032x}", SIT) == answers[0]
        assert keeper.asked == {}
        assert len(heard) == before + 1

    kept(tmp_path, use)


def test_what_no_journal_can_hold_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    """An account with the character zero cannot be written: whoever asked is told so, and the keeper goes on."""

    def spoilt(table: Table, request: Request, events: Any) -> tuple[Any, ...]:
        lines = TABLES.entries(table, request, events)
        if request.what != SIT.what:
            return lines
        bad = Transfer("cash", "a\0b", 1, "NZ1996-I-1.0a")
        return tuple(replace(line, event=replace(line.event, transfers=(bad,))) for line in lines)

    async def use(keeper: Keeper[Table], heard: list[Any]) -> None:
        keeper.kind = dataclasses.replace(TABLES, entries=spoilt)
        await keeper.ask(f"{1:032x}", OPEN)
        before = keeper.state
        with pytest.raises(BadAppend):
            await keeper.ask(f"{2:032x}", SIT)
        assert (keeper.state, keeper.shown, len(heard)) == (before, before, before.entries)
        again = Request(c.Sit("Bob", 2), "Dot", "dealer")
        assert (await keeper.ask(f"{3:032x}", again)).done

    kept(tmp_path, use)
