"""The jackpot links seen from outside: the doors, the verification, the export, the settings."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from starlette.applications import Starlette

from croupier.floor import serve
from croupier.floor.audit.export import verify_export
from croupier.floor.audit.verify import verify
from croupier.floor.keeping.credentials.tickets import Ticket
from croupier.floor.keeping.house import House
from croupier.floor.keeping.links import PREFIX, PlannedLink
from croupier.floor.practice.demonstration import LINKS, TABLES
from croupier.floor.rooms.links.answers import LinkStates
from croupier.floor.settings import BadSettings, read_settings
from croupier.house.jackpot import messages as m
from croupier.table import commands as c
from tests.helpers.desks.links import FLUSH, NOTHING
from tests.helpers.houses.links import (
    FED,
    HERE,
    SEED,
    TERMS,
    WAGER,
    do,
    facts_of,
    play,
    quiet,
    running,
    seated,
    until,
    wagers,
)

# ---------------------------------------------------------------- the doors


@asynccontextmanager
async def asking(house: House, app: Starlette, role: str) -> AsyncIterator[httpx.AsyncClient]:
    shown = {"Origin": HERE, "Authorization": f"Ticket {house.give(Ticket('Kim', role, ''))}"}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=HERE, headers=shown) as client:
        yield client


async def posted(client: httpx.AsyncClient, name: str, command: dict[str, Any], one: str = "") -> httpx.Response:
    body = {"id": one or secrets.token_hex(16), "command": command}
    return await client.post(f"/api/links/{name}/commands", json=body)


async def link_view(client: httpx.AsyncClient, name: str = "Grand") -> dict[str, Any]:
    answer = await client.get("/api/links")
    assert answer.status_code == 200, answer.text
    links = msgspec.json.decode(answer.content, type=LinkStates).links
    return msgspec.to_builtins(next(link for link in links if link.name == name))  # type: ignore[no-any-return]


def test_a_supervisor_sees_the_pool_the_wagers_in_play_and_the_payouts(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as (house, app), asking(house, app, "game supervisor") as client:
            host, link = house.hosts["S-1"], house.links.by_name["Grand"]
            await until(lambda: host.table.linkage.link)
            await seated(host, "ann")
            await wagers(host, 1)
            await quiet(house, link)
            seen = await link_view(client)
            (one, two) = seen["tables"]
            assert (seen["pool"], seen["terms"]) == (SEED + FED, TERMS)
            assert (one["wagered"], two["wagered"], one["behind"]) == (WAGER, 0, 0)
            assert one["stakes"] == [{"box": 1, "player": "ann", "amount": WAGER, "received_ms": 0, "hand": ""}]
            listed = (await client.get("/api/tables")).json()["tables"]
            assert [table["pool"] for table in listed] == [SEED + FED, SEED + FED]
            await play(host, {1: FLUSH})
            await quiet(house, link)
            (paid,) = (await link_view(client))["payouts"]
            assert (paid["player"], paid["hand"], paid["paid"], paid["round"]) == ("ann", "flush", 10_000, 1)
            await do(host, c.Correct(1, facts_of(NOTHING), "misread"), role="game supervisor")
            await quiet(house, link)
            (corrected, _) = (await link_view(client))["payouts"]
            assert (corrected["paid"], corrected["corrected"]) == (0, True)

    asyncio.run(run())


def test_a_person_closes_a_link_into_another_and_lets_its_tables_join_that(tmp_path: Path) -> None:
    minor = PlannedLink("Minor", ("S-2",), pool_rate=10_000, seed=0, approval="CCA 96/2")
    grand = PlannedLink("Grand", ("S-1",), pool_rate=7_500, seed=SEED, approval="CCA 96/1")

    async def run() -> None:
        async with running(tmp_path, links=(grand, minor)) as (house, app):
            host = house.hosts["S-1"]
            await until(lambda: all(each.table.linkage.link for each in house.hosts.values()))
            async with asking(house, app, "game supervisor") as client:
                no = (await posted(client, "Grand", {"type": "CloseLink", "to": "Minor", "approval": "CCA"})).json()
                assert (no["done"], no["rule"].startswith("NZ1996-")) == (False, True)
            async with asking(house, app, "casino manager") as client:
                for wrong, words in (
                    ({"type": "CloseLink", "to": "Major", "approval": "CCA"}, "unknown link 'Major'"),
                    ({"type": "JoinLink", "table": "S-2"}, "plays for the link Minor"),
                    ({"type": "JoinLink", "table": "S-9"}, "unknown table 'S-9'"),
                    ({"type": "ReceiveFrom", "link": "Minor", "approval": "CCA"}, "left nothing"),
                    (
                        {"type": "RecordWager", "table": "S-1", "round": 1, "box": 1, "player": "x", "amount": 200},
                        "type",
                    ),
                ):
                    answer = await posted(client, "Grand", wrong)
                    assert (answer.status_code, words in answer.json()["reason"]) == (422, True), answer.text
                assert (await posted(client, "Major", {"type": "CloseLink"})).status_code == 404
                assert (await posted(client, "Grand", {"type": "CloseLink", "to": "Minor", "approval": "CCA"})).json()[
                    "done"
                ]
                await until(lambda: host.table.linkage.shut)
                assert host.shown_pool is None
                received = {"type": "ReceiveFrom", "link": "Grand", "approval": "CCA"}
                joining = {"type": "JoinLink", "table": "S-1"}
                one, two = secrets.token_hex(16), secrets.token_hex(16)
                for command, known in ((received, one), (joining, two)):
                    first = (await posted(client, "Minor", command, known)).json()
                    # The same again is answered as it was, although it could not be done again.
                    assert first["done"]
                    assert (await posted(client, "Minor", command, known)).json() == first
                    assert (await posted(client, "Minor", command)).status_code == 422
                assert not (await posted(client, "Minor", received, two)).json()["done"]
                await until(lambda: host.table.linkage.link == "Minor" and not host.table.linkage.shut)
                assert host.shown_pool == house.hosts["S-2"].shown_pool == SEED

    asyncio.run(run())


def test_a_meter_that_is_wrong_shuts_the_jackpot_at_its_table_alone(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as (house, app), asking(house, app, "game supervisor") as client:
            one, two = house.hosts["S-1"], house.hosts["S-2"]
            await until(lambda: one.table.linkage.link and two.table.linkage.link)
            assert (await posted(client, "Grand", {"type": "CheckMeter", "meter": "S-1 meter", "shows": 5})).json()[
                "done"
            ]
            await until(lambda: one.table.linkage.shut)
            assert not two.table.linkage.shut
            right = {"type": "CheckMeter", "meter": "S-1 meter", "shows": SEED}
            assert (await posted(client, "Grand", right)).json()["done"]
            await until(lambda: not one.table.linkage.shut)

    asyncio.run(run())


# ---------------------------------------------------------------- verifying


def test_the_journal_of_a_link_is_verified_and_exported_like_any_other(tmp_path: Path) -> None:
    async def run() -> bytes:
        async with running(tmp_path) as (house, app), asking(house, app, "inspector") as client:
            host, link = house.hosts["S-1"], house.links.by_name["Grand"]
            await until(lambda: host.table.linkage.link)
            await seated(host, "ann")
            await wagers(host, 1)
            await play(host, {1: FLUSH})
            await quiet(house, link)
            rows = (await client.post("/api/inspect/verify")).text.splitlines()
            assert f'"table":"{PREFIX}Grand"' in "".join(rows)
            assert '"over":true,"fault":""' in rows[-1]
            file = await client.get("/api/inspect/export", params={"table": f"{PREFIX}Grand"})
            assert file.status_code == 200
            return file.content

    export = tmp_path / "grand.jsonl"
    export.write_bytes(asyncio.run(run()))
    sound = verify_export(export)
    assert (sound.found.fault, sound.found.lines > 5, sound.table) == ("", True, f"{PREFIX}Grand")


def test_a_pool_that_nobody_fed_is_found(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as (house, _):
            host, link = house.hosts["S-1"], house.links.by_name["Grand"]
            await until(lambda: host.table.linkage.link)
            forged = m.RecordWager("S-1", 1, 1, "ann", WAGER)
            assert (await link.ask(forged, by="S-1", role="game supervisor")).done

    asyncio.run(run())
    found = verify(f"sqlite:///{tmp_path}/house.db", tmp_path / "key")
    assert found.fault.startswith(f"{PREFIX}Grand: line ")
    assert "S-1 does not say so: wager, 1, 1, ann, 200" in found.fault


# ---------------------------------------------------------------- the settings

FILE = """
[[tables]]
name = "S-1"
game = "caribbean_stud"
edition = "nz1996"
minimum = 500
maximum = 10000
supervisor = "Sue"

[[tables]]
name = "S-2"
game = "caribbean_stud"
edition = "nz1996"
minimum = 500
maximum = 10000
practice = true

[[links]]
name = "Grand"
tables = ["S-1"]
wager = 200
pool_rate = 7500
seed = 2000000
approval = "CCA 96/1"
"""


def test_the_settings_name_the_links_and_put_their_wager_on_the_sign(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(FILE)
    settings = read_settings(path)
    planned = serve.planned(settings.tables[0], settings.links)
    assert (planned.sign["jackpot"], planned.sign["kinds"]) == ((2_000_000, 200), {"jackpot": (200, 200)})
    assert serve.planned_link(settings.links[0]) == PlannedLink("Grand", ("S-1",), 7_500, 2_000_000, "CCA 96/1")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('tables = ["S-1"]', 'tables = ["S-9"]', "'S-9' is no table of Caribbean stud"),
        ('tables = ["S-1"]', 'tables = ["S-1", "S-1"]', "table 'S-1' is linked twice"),
        ('tables = ["S-1"]', 'tables = ["S-1", "S-2"]', "it is one or the other"),
        ("pool_rate = 7500", "pool_rate = 10001", "pool_rate"),
        ("pool_rate = 7500", "pool_rate = 0", "pool_rate"),
        ('name = "Grand"', 'name = "@x"', "name"),
        ('approval = "CCA 96/1"', 'approval = ""', "approval"),
    ],
)
def test_a_link_that_cannot_be_is_told_in_one_line(tmp_path: Path, old: str, new: str, words: str) -> None:
    path = tmp_path / "house.toml"
    path.write_text(FILE.replace(old, new))
    with pytest.raises(BadSettings, match=words):
        read_settings(path)


def test_the_demonstration_has_a_link() -> None:
    (link,) = LINKS
    signs = {planned.name: planned.sign for planned in TABLES}
    assert all(signs[name]["jackpot"] == (link.seed, 100) for name in link.tables)
