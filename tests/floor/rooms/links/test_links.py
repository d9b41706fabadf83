"""The jackpot links of a running house: fed once, whatever happens to the process."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from croupier.floor.app import create_app
from croupier.floor.audit.verify import verify
from croupier.floor.keeping.host import Host, Watcher
from croupier.floor.keeping.house import House, open_house
from croupier.floor.keeping.keeper import Keeper
from croupier.floor.keeping.link_feed import feed_id
from croupier.floor.keeping.links import PREFIX, PlannedLink
from croupier.floor.practice.dealer import Pace
from croupier.floor.practice.demonstration import LINKS, TABLES
from croupier.floor.practice.room import practise
from croupier.floor.store.durable import open_reader
from croupier.game import CardSeen, Refusal, Wager
from croupier.house.jackpot import messages as m
from croupier.house.jackpot.feed import Feed, hear
from croupier.house.jackpot.state import Link, new_link
from croupier.journal.messages import Request
from croupier.table import commands as c
from croupier.table.events import WagerSettled, decode
from tests.helpers.desks.jackpot import asked, snapshot
from tests.helpers.desks.jackpot import replay as replayed
from tests.helpers.desks.links import FLUSH, NOTHING, ROYAL
from tests.helpers.houses.links import (
    FED,
    SEED,
    WAGER,
    do,
    facts_of,
    opening,
    play,
    quiet,
    running,
    seated,
    until,
    wagers,
)
from tests.helpers.places import ROOT


def paid_at(house: House, table: str) -> dict[str, int]:
    """What the last jackpot wagers of a table were paid."""
    lines = [decode(line.body).event for line in house.store.each_line(table)]
    return {line.player: line.pays for line in lines if isinstance(line, WagerSettled) and line.on == "jackpot"}


# ---------------------------------------------------------------- the pool


def test_a_table_of_the_house_pays_what_the_pool_of_its_link_holds(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as (house, _):
            one, two = house.hosts["S-1"], house.hosts["S-2"]
            link = house.links.by_name["Grand"]
            await until(lambda: one.table.linkage.link == two.table.linkage.link == "Grand")
            await seated(one, "ann", "ben")
            await seated(two, "cid")
            await wagers(one, 1, 2)
            await wagers(two, 1)
            await until(lambda: link.shown.pool == SEED + 3 * FED)
            assert one.shown_pool == two.shown_pool == SEED + 3 * FED
            await play(two, {1: NOTHING})
            await play(one, {1: ROYAL, 2: FLUSH})
            await quiet(house, link)
            left = SEED + 3 * FED - 10_000
            assert paid_at(house, "S-1") == {"ann": left + 50, "ben": 10_000}
            assert link.shown.pool == one.shown_pool == SEED
            assert not link.refused

        async with running(tmp_path) as (house, _):
            again = house.links.by_name["Grand"].shown
            assert snapshot(again) == snapshot(link.shown)
            assert house.hosts["S-1"].shown_pool == SEED

    asyncio.run(run())
    found = verify(f"sqlite:///{tmp_path}/house.db", tmp_path / "key")
    assert (found.fault, found.settlements > 0) == ("", True)


def test_a_hand_that_was_misread_is_corrected_at_the_table_and_in_the_link(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as (house, _):
            host, link = house.hosts["S-1"], house.links.by_name["Grand"]
            await until(lambda: host.table.linkage.link)
            await seated(host, "ann")
            await wagers(host, 1)
            await play(host, {1: NOTHING})
            await do(host, c.Correct(1, facts_of(FLUSH), "misread"), role="game supervisor")
            await quiet(house, link)
            assert link.shown.pool == SEED + FED - 10_000
            assert link.shown.tables["S-1"].history[1].prizes[1].paid_cents == 10_000
            assert host.table.balances["chips:ann"] == 500_000 + 1_000 - WAGER + 10_000

    asyncio.run(run())


# ---------------------------------------------------------------- once


def replay(store: Any, name: str = "Grand", tables: tuple[str, ...] = ("S-1",)) -> Link:
    """The link that its own terms and the journal of its table lead to, without any host."""
    link = new_link(name)
    role = "casino manager"
    lines = [m.decode(line.body).event for line in store.each_line(f"{PREFIX}{name}")]
    terms = next(event for event in lines if isinstance(event, m.TermsSet))
    link = _after(link, m.OpenLink(terms.pool_rate, terms.retained_rate, terms.seed, terms.approval), role)
    for event in (event for event in lines if isinstance(event, m.TableJoined)):
        link = _after(
            link, m.JoinTable(event.table, event.device, event.mode, event.wager, event.chip, event.meters), role
        )
    for table in tables:
        feed = Feed(table, link.tables[table].device)
        for line in store.each_line(table):
            feed, commands = hear(feed, decode(line.body))
            for what in commands if feed.link == name else ():
                link = _after(link, what, role)
                if isinstance(what, m.ReportHands) and what.hands:
                    link = _after(link, m.PayHands(table), role)
    return link


def _after(link: Link, what: m.AnyCommand, role: str) -> Link:
    made = asked(link, Request(what, "replay", role))
    assert not isinstance(made, Refusal), (what, made)
    return made[0]


def test_a_command_has_the_same_id_whenever_it_is_made() -> None:
    ids = {
        feed_id(*each)
        for each in (("@link:G", "S", 1, 0), ("@link:G", "S", 1, 1), ("@link:G", "S1", 1, 0), ("@link:G", "S", 11, 0))
    }
    assert len(ids) == 4
    assert feed_id("@link:G", "S", 1, 0) in ids


KILLED = (PlannedLink("Grand", ("S-1",), pool_rate=7_500, seed=SEED, approval="CCA 96/1"),)
HANDS = (FLUSH, NOTHING, ROYAL)
OTHER = ("3c", "6h", "Qh", "Kd", "8c")


async def plays_until_killed(folder: Path, at: int, *, after: bool) -> None:
    """Rounds at S-1 until something is asked for the `at`-th time between the table and its link: then an end at once.

    The process dies before that is durable, or right `after`, when nobody has heard of it yet.
    """
    count, ask = 0, Keeper.ask

    async def counted(self: Keeper[Any], command_id: str, request: Any, *, passed_on: bool = False) -> Any:
        nonlocal count
        between = self.name.startswith(PREFIX) or isinstance(request.what, c.ShowPool)
        count += between
        if between and count == at and not after:
            os.kill(os.getpid(), signal.SIGKILL)
        answer = await ask(self, command_id, request, passed_on=passed_on)
        if between and count >= at:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer

    Keeper.ask = counted  # type: ignore[method-assign]
    async with running(folder, links=KILLED) as (house, _):
        host = house.hosts["S-1"]
        await until(lambda: host.table.linkage.link)
        if not host.table.players:
            await seated(host, "ann", "ben")
        while True:
            await _round(host)


async def _round(host: Host) -> None:
    """A round, or what is left of one; every third is corrected when the next is over."""
    number, there = host.table.number, {(entry.wager.on, entry.wager.box) for entry in host.table.round.book}
    if not any(isinstance(step.fact, CardSeen) for step in host.table.steps):
        await opening(host)
        closed = host.table.procedure.closed(host.table.ruleset.rules, host.table.round.state, Wager("ante", 1))
        for on, box in () if closed else (("ante", 1), ("jackpot", 1), ("ante", 2), ("jackpot", 2)):
            name, cents = host.table.seats[box], WAGER if on == "jackpot" else 1_000
            if (on, box) not in there:
                await do(host, c.PlaceWager(name, on, cents, box=box), by=name, role="player")
    await play(host, {1: HANDS[number % 3], 2: OTHER})
    if number % 3 == 0:
        await do(host, c.Correct(number, facts_of(NOTHING, OTHER), "misread"), role="game supervisor")


KILLS = ((2, False), (4, False), (5, True), (9, False), (12, True), (26, False), (33, True))


def killed_in_turn(folder: Path) -> None:
    """Processes one after another on one store, each killed at its time; tells how often the link was left behind."""
    behind = 0
    for at, after in KILLS:
        child = os.fork()
        if not child:
            asyncio.run(plays_until_killed(folder, at, after=after))
        _, status = os.waitpid(child, 0)
        assert os.WTERMSIG(status) == signal.SIGKILL, status
        with open_reader(f"sqlite:///{folder}/house.db", key_path=folder / "key") as store:
            behind += bool(stored(store).tables) and snapshot(replay(store)) != snapshot(stored(store))
    print(behind)


def test_a_process_killed_between_the_table_and_the_link_loses_nothing_and_tells_nothing_twice(tmp_path: Path) -> None:
    """Killed at every kind of step between the two, and started again: the link is what the table's journal says."""
    run = f"from tests.floor.rooms.links import test_links as t; t.killed_in_turn(t.Path({str(tmp_path)!r}))"
    here = ROOT
    ended = subprocess.run(
        [sys.executable, "-c", run], cwd=here, timeout=300, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert int(ended.stdout) > 2, "hardly any process died with the link behind its table"

    async def caught_up() -> Link:
        async with running(tmp_path, links=KILLED) as (house, _):
            link = house.links.by_name["Grand"]
            await until(lambda: link.feeders)
            await quiet(house, link)
            await quiet(house, link)
            assert not link.refused
            return link.shown

    link = asyncio.run(caught_up())
    with open_reader(f"sqlite:///{tmp_path}/house.db", key_path=tmp_path / "key") as store:
        assert snapshot(replay(store)) == snapshot(link) == snapshot(stored(store))
    assert link.pool == link.balances["pool:Grand"] > 0
    assert any(one.prizes for one in link.tables["S-1"].history.values())
    assert verify(f"sqlite:///{tmp_path}/house.db", tmp_path / "key").fault == ""


def stored(store: Any) -> Link:
    """The link as its journal says."""
    return replayed("Grand", [line.body for line in store.each_line(f"{PREFIX}Grand")])


def test_in_the_demonstration_the_pool_grows_with_the_wagers_of_its_guests(tmp_path: Path) -> None:
    async def run() -> None:
        house = open_house(f"sqlite:///{tmp_path}/house.db", tmp_path / "key", demo=True)
        house.planned_links = LINKS
        planned = tuple(each for each in TABLES if each.name == "S-1")
        practise(house, Pace(0.06, 0, 0, 0))
        async with (app := create_app(house, planned)).router.lifespan_context(app):
            host, (link,) = house.hosts["S-1"], house.links.by_name.values()
            await until(lambda: host.table.number > 4 and link.shown.tables["S-1"].wagered_cents > 300, 60)
            assert host.shown_pool == link.shown.pool
            assert not link.refused
            view = host.view_for(Watcher("Kay", "player", lambda: None, lambda _: None))
            assert view is not None
            assert json.loads(view)["view"]["pool"] == host.shown_pool

    asyncio.run(run())
