"""The feed of events: who may read it, what it tells after kills and restores, and what becomes of bad receivers."""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
import sqlite3
import subprocess
import sys
import threading
import time
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from croupier.cli.losses import accepted
from croupier.client.calls import FeedEvent, FeedPage
from croupier.client.consumer import Totals
from croupier.floor.app import create_app
from croupier.floor.audit.verify import verify
from croupier.floor.keeping.accounts import Hashing
from croupier.floor.keeping.credentials.tickets import Ticket
from croupier.floor.keeping.house import House, open_house
from croupier.floor.keeping.planned import Planned
from croupier.floor.keeping.telling.feed import EventFeed
from croupier.floor.keeping.telling.webhooks import REPORTED_AFTER, read_webhook
from croupier.floor.practice.demonstration import SIGN
from croupier.floor.store.copies.backup import back_up, restore
from croupier.floor.store.opening import BehindItsWitness
from croupier.house.people.decide import CONSOLE
from croupier.house.people.messages import Disable, SetCredential
from croupier.table import commands as c

TABLE = "B-1"
PLANNED = (Planned(TABLE, "nz1998", "baccarat", "full", SIGN),)
HERE = "http://127.0.0.1"
CHEAP = Hashing(1, 64, 1)
KEY = secrets.token_urlsafe(32)


@asynccontextmanager
async def opened(
    folder: Path, *, demo: bool = False, prepared: Callable[[House], object] = lambda _: None
) -> AsyncIterator[tuple[House, httpx.AsyncClient]]:
    house = open_house(f"sqlite:///{folder}/house.db", folder / "key", demo=demo, hashing=CHEAP)
    house.feed.readers = {"bonus": sha256(KEY.encode()).hexdigest()}
    prepared(house)
    app = create_app(house, PLANNED)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=HERE, timeout=30) as client,
    ):
        yield house, client


async def bought(house: House, times: int, cents: int = 500) -> None:
    if not house.hosts[TABLE].table.seats:
        assert (await house.hosts[TABLE].ask(secrets.token_hex(16), c.Sit("Gus", 1), by="Dan", role="dealer")).done
    for _ in range(times):
        what = c.BuyChips("Gus", cents)
        assert (await house.hosts[TABLE].ask(secrets.token_hex(16), what, by="Dan", role="dealer")).done


async def numbered(feed: EventFeed) -> int:
    """The last event, once every line has one."""
    async with asyncio.timeout(30):
        while feed.behind:
            await asyncio.sleep(0.02)
    return feed.last


async def read(client: httpx.AsyncClient, after: int = 0) -> tuple[FeedEvent, ...]:
    headers = {"Authorization": f"Bearer {KEY}"}
    answer = await client.get("/api/events", params={"after": after, "most": 1000}, headers=headers)
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=FeedPage).events


def ledger(folder: Path) -> dict[str, int]:
    with sqlite3.connect(f"file:{folder}/house.db?mode=ro", uri=True) as database:
        rows = database.execute(
            "SELECT account, sum(cents) FROM (SELECT debit account, -cents cents FROM ledger"
            " UNION ALL SELECT credit, cents FROM ledger) GROUP BY account"
        )
        return {name: cents for name, cents in rows if cents}


def test_only_a_known_system_an_inspector_or_a_manager_reads_it(tmp_path: Path) -> None:
    async def asked() -> None:
        key = KEY
        async with opened(tmp_path) as (house, client):
            assert house.accounts is not None
            await house.accounts.make("Ina", ("inspector", "dealer"), kind="password", by=CONSOLE, role=CONSOLE)
            person = house.accounts.people.find("Ina")
            assert person is not None
            tickets = {role: house.give(Ticket("Ina", role, "", person.epoch)) for role in ("inspector", "dealer")}
            shown = {
                "": 403, "Bearer x": 403, f"Bearer {key[:-1]}": 403, f"Ticket {key}": 403,
                f"Ticket {tickets['dealer']}": 403, f"Ticket {tickets['inspector']}": 200, f"Bearer {key}": 200,
            }  # fmt: skip
            for words, status in shown.items():
                headers = {"Authorization": words} if words else {}
                assert (await client.get("/api/events", headers=headers)).status_code == status, words
            good = {"Authorization": f"Bearer {key}"}
            for query in ("after=-1", "after=x", "most=1001", "wait=31", "after=9999999999999999999"):
                assert (await client.get(f"/api/events?{query}", headers=good)).status_code == 422, query
            # Nobody's password, nor anything that stands for it, is told.
            text = (await client.get("/api/events?most=1000", headers=good)).text
            assert "argon2" not in text

    asyncio.run(asked())


@pytest.mark.parametrize(("how", "words"), [({"Accept": "text/event-stream"}, {}), ({}, {"wait": 20})])
def test_who_was_shut_out_reads_no_more_of_an_answer_that_goes_on(
    tmp_path: Path, how: dict[str, str], words: dict[str, int]
) -> None:
    async def asked() -> httpx.Response:
        async with opened(tmp_path) as (house, client):
            assert house.accounts is not None
            await house.accounts.make("Ina", ("inspector",), kind="password", by=CONSOLE, role=CONSOLE)
            person = house.accounts.people.find("Ina")
            assert person is not None
            shown = {"Authorization": f"Ticket {house.give(Ticket('Ina', 'inspector', '', person.epoch))}", **how}
            last = await numbered(house.feed)
            reading = asyncio.create_task(client.get("/api/events", params={"after": last, **words}, headers=shown))
            await asyncio.sleep(0.3)
            assert not reading.done()
            assert (await house.accounts.ask(Disable("Ina", "left"), by=CONSOLE, role=CONSOLE)).done
            await bought(house, 1)
            async with asyncio.timeout(10):
                return await reading

    answer = asyncio.run(asked())
    assert "AccountDisabled" not in answer.text
    assert "ChipsBought" not in answer.text


def test_it_is_the_same_after_a_restart_and_can_be_followed(tmp_path: Path) -> None:
    async def first() -> tuple[FeedEvent, ...]:
        async with opened(tmp_path, demo=True) as (house, client):
            await bought(house, 5)
            last = await numbered(house.feed)
            events = await read(client)
            assert [each.id for each in events] == list(range(1, last + 1))
            waiting = asyncio.create_task(client.get("/api/events", params={"after": last, "wait": 20}))
            await bought(house, 1)
            (first, *_) = msgspec.json.decode((await waiting).content, type=FeedPage).events
            assert first.id == last + 1
            # Guests of the house may be told of first.
            await numbered(house.feed)
            later = [each for each in await read(client) if each.id > last and each.journal == TABLE]
            (event, *_) = (each for each in later if each.entry["event"]["type"] == "ChipsBought")
            assert [(each.debit, each.credit, each.cents) for each in event.money] == [("cash", "chips:Gus", 500)]
            await numbered(house.feed)
            return await read(client)

    async def second(before: tuple[FeedEvent, ...]) -> None:
        async with opened(tmp_path, demo=True) as (house, client):
            assert (await read(client))[: len(before)] == before
            await bought(house, 1)
            await numbered(house.feed)
            rest = await read(client, before[-1].id)
            assert [each.id for each in rest] == list(range(before[-1].id + 1, house.feed.last + 1))

    asyncio.run(second(asyncio.run(first())))
    assert verify(f"sqlite:///{tmp_path}/house.db", tmp_path / "key").fault == ""


def test_what_was_just_told_is_what_the_store_has(tmp_path: Path) -> None:
    """The quick way, by memory, and the slow one, by the store; what is remembered no more is not told by memory."""

    async def asked() -> None:
        async with opened(tmp_path, demo=True) as (house, _):
            await bought(house, 5)
            last = await numbered(house.feed)
            begun = house.feed.told[0][0] - 1
            # More may be numbered meanwhile: both are asked for as much.
            stored, told = house.feed.page(begun, last - begun), house.feed.just_told(begun, last - begun)
            assert [each.id for each in stored] == list(range(begun + 1, last + 1))
            plain = [(each.id, each.journal, each.line, bytes(each.entry)) for each in stored]
            assert [(each.id, each.journal, each.line, bytes(each.entry)) for each in told] == plain
            assert len(house.feed.just_told(last - 3, 2)) == 2
            assert house.store.writer is not None
            del house.store.writer.written[TABLE, house.hosts[TABLE].shown.entries]
            assert len(house.feed.just_told(begun, last - begun)) < len(stored)

    asyncio.run(asked())


def test_a_house_that_lost_lines_gives_no_number_twice_and_says_so(tmp_path: Path) -> None:
    """Restored from a backup with two people's consent, it goes on after the last number that anybody was told."""
    totals = Totals(tmp_path / "totals.db")

    async def played() -> int:
        async with opened(tmp_path) as (house, client):
            assert house.accounts is not None
            for name in ("Mia", "Max"):
                await house.accounts.make(name, ("casino manager",), kind="password", by=CONSOLE, role=CONSOLE)
                verifier = await house.accounts.verifier("correct horse 42")
                await house.accounts.ask(SetCredential(name, verifier), by=name, role="")
            await bought(house, 3)
            await numbered(house.feed)
            await asyncio.to_thread(back_up, f"sqlite:///{tmp_path}/house.db", tmp_path / "backup")
            await bought(house, 4)
            last = await numbered(house.feed)
            totals.take(await read(client))
            return last

    async def after(last: int) -> None:
        async with opened(tmp_path) as (house, client):
            await bought(house, 2, 700)
            await numbered(house.feed)
            events = await read(client)
            by_id = {each.id: each.entry["event"] for each in events}
            restored = next(number for number, event in by_id.items() if event["type"] == "FeedRestored")
            assert restored == last + 1
            first = by_id[restored]["first"]
            assert {by_id[number]["type"] for number in range(first, last + 1)} == {"EventGone"}
            # Whoever counted what is lost counts again; whoever did not goes on.
            for _ in range(3):
                totals.take(each for each in events if each.id > totals.last)
            fresh = Totals(tmp_path / "fresh.db")
            fresh.take(events)
            assert totals.last == fresh.last == house.feed.last
            assert totals.balances() == fresh.balances()

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CROUPIER_ARGON2", "1,64,1")
        last = asyncio.run(played())
        for each in tmp_path.glob("house.db*"):
            each.unlink()
        url = f"sqlite:///{tmp_path}/house.db"
        restore(tmp_path / "backup", url)
        with pytest.raises(BehindItsWitness):
            open_house(url, tmp_path / "key", demo=False, hashing=CHEAP)
        people = (("Mia", "correct horse 42"), ("Max", "correct horse 42"))
        losses = accepted(url, str(tmp_path / "key"), "", people)
        assert {each["table"] for each in losses["accepted"]} >= {TABLE, "@feed"}
        asyncio.run(after(last))
    assert totals.balances() == ledger(tmp_path)


# ---------------------------------------------------------------- receivers


class Receiver:
    """A system that takes events, or does not: how it answers can be changed at any time."""

    def __init__(self) -> None:
        self.how, self.taken, self.bad, self.calls, self.asked = "good", dict[int, Any](), 0, 0, 0
        self.secret = b"a secret of both"
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                receiver.calls += 1
                body = self.rfile.read(int(self.headers["content-length"]))
                text = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + body
                mark = b64encode(hmac.new(receiver.secret, text, sha256).digest()).decode()
                receiver.bad += self.headers["webhook-signature"] != f"v1,{mark}"
                receiver.answer(self, json.loads(body))

            def do_GET(self) -> None:
                """What the house asks of its own network, where a receiver sends it on."""
                receiver.asked += 1
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b'{"received":%s}' % self.path.strip("/").encode())

            def log_message(self, *_: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, handler: BaseHTTPRequestHandler, page: Any) -> None:
        if self.how == "hangs":
            time.sleep(1.0)
            return
        if self.how == "no http":
            handler.wfile.write(b"EHLO\r\n\r\n")
            return
        if self.how in ("drips", "never ends"):
            handler.send_response(200)
            handler.end_headers()
            with suppress(OSError):
                while self.how in ("drips", "never ends"):
                    handler.wfile.write(b" " if self.how == "drips" else b" " * 65_536)
                    time.sleep(0.05 if self.how == "drips" else 0)
            return
        if self.how == "sends on":
            handler.send_response(302)
            handler.send_header("Location", f"{self.url}{page['last']}")
            handler.end_headers()
            return
        if self.how == "good":
            self.taken |= {each["id"]: each for each in page["events"]}
        handler.send_response(500 if self.how == "fails" else 200)
        handler.end_headers()
        last = page["last"] - 1 if self.how == "lies" else page["last"]
        handler.wfile.write(b"<html>welcome</html>" if self.how == "page" else b'{"received":%d}' % last)


@contextmanager
def receiving(folder: Path) -> Iterator[tuple[Receiver, Callable[[House], None]]]:
    receiver = Receiver()
    path = folder / "secret"
    path.write_bytes(receiver.secret + b"\n")
    with pytest.raises(ValueError, match="chmod 600"):
        read_webhook("bonus", receiver.url, path)
    path.chmod(0o600)

    def prepared(house: House) -> None:
        house.webhooks.hooks = (read_webhook("bonus", receiver.url, path),)
        house.webhooks.first_wait, house.webhooks.answer_seconds = 0.02, 0.2

    try:
        yield receiver, prepared
    finally:
        receiver.server.shutdown()
        receiver.server.server_close()


@pytest.mark.parametrize("how", ["fails", "hangs", "lies", "page", "sends on", "no http", "drips", "never ends"])
def test_a_receiver_that_does_not_take_events_is_tried_again_and_reported(tmp_path: Path, how: str) -> None:
    async def run(receiver: Receiver, prepared: Callable[[House], None]) -> None:
        receiver.how = how
        async with opened(tmp_path, demo=True, prepared=prepared) as (house, client):
            await bought(house, 3)
            last, ticket = await numbered(house.feed), house.ticket("Ina", "inspector", "")
            shown = {"Authorization": f"Ticket {ticket}"}

            async def state() -> Any:
                return (await client.get("/api/webhooks", headers=shown)).json()["webhooks"][0]

            async with asyncio.timeout(60):
                while not house.webhooks.keeper.shown.failing:
                    await asyncio.sleep(0.05)
            seen = await state()
            assert (seen["took"], seen["behind"] >= last, seen["tries"] >= REPORTED_AFTER) == (0, True, True)
            assert seen["reason"]
            assert receiver.taken == {}
            receiver.how = "good"
            async with asyncio.timeout(60):
                while house.webhooks.keeper.shown.took.get("bonus", 0) < house.feed.last:
                    await asyncio.sleep(0.05)
            assert (await state())["reason"] == ""
            assert [*receiver.taken] == list(range(1, house.feed.last + 1))
            assert receiver.bad == 0
            assert receiver.asked == 0

    with receiving(tmp_path) as (receiver, prepared):
        asyncio.run(run(receiver, prepared))
    assert verify(f"sqlite:///{tmp_path}/house.db", tmp_path / "key").fault == ""


def test_house_and_consumer_killed_at_random_agree_to_the_cent() -> None:
    words = [sys.executable, "-m", "croupier", "prove", "feed", "--sample", "4", "--json"]
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert json.loads(result.stdout)["tried"]["events"] > 20
