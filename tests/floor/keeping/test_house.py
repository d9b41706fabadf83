"""The running house: a real server process and real sockets; what is acknowledged is never lost."""

from __future__ import annotations

import asyncio
import json
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from croupier.floor.store.chain import Sound, verify_chain
from croupier.floor.store.durable import open_reader
from croupier.game import AnyGame
from croupier.rulesets import known_game, ruleset
from croupier.table.desk import replay
from croupier.table.events import WagerPlaced, decode
from croupier.table.terminals.slips import digest
from tests.helpers.houses.served import served

TABLE = "EB-1"


def enter(address: str, name: str, role: str = "player", table: str = TABLE) -> str:
    answer = httpx.post(f"{address}/api/enter", json={"name": name, "role": role, "table": table}, timeout=20)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["ticket"])


class Terminal:
    """One page at a table: it says hello, asks, and keeps the last view and every answer."""

    def __init__(self, address: str, ticket: str, table: str = TABLE) -> None:
        self.url = f"{address.replace('http', 'ws', 1)}/api/tables/{table}/live"
        self.ticket = ticket
        self.view: dict[str, Any] = {}
        self.answers: dict[str, dict[str, Any]] = {}
        self.shown = 0

    @property
    def name(self) -> str:
        """Under which name the table knows this page: that of its terminal, if it is one."""
        return str(self.view["me"]["name"])

    async def __aenter__(self) -> Terminal:
        self.socket = await websockets.connect(self.url)
        await self.say({"type": "Hello", "ticket": self.ticket})
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.socket.close()

    async def say(self, message: dict[str, Any]) -> None:
        await self.socket.send(json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(self.socket.recv(), 20))
        if message["type"] == "View":
            self.view = message["view"]
            await self._confirmed()
        if message["type"] == "Answer":
            self.answers[message["id"]] = message
        return message

    async def _confirmed(self) -> None:
        """A terminal confirms the slip that it shows, once a round."""
        owed = self.view.get("terminal", {}).get("slip", {}).get("owed", False)
        if owed and self.shown != self.view["round"]:
            self.shown = self.view["round"]
            amounts = {each["on"]: each["stake"] for each in sorted(self.view["wagers"], key=lambda each: each["on"])}
            slip = {"type": "ConfirmSlip", "terminal": self.name, "slip": digest(self.name, self.shown, amounts)}
            await self.say({"type": "Do", "id": secrets.token_hex(16), "command": slip})

    async def do(self, command: dict[str, Any], command_id: str = "") -> dict[str, Any]:
        command_id = command_id or secrets.token_hex(16)
        await self.say({"type": "Do", "id": command_id, "command": command})
        while True:
            message = await self.hear()
            if message["type"] == "Sorry" or message.get("id") == command_id:
                return message

    async def until(self, wanted: Any, most: int = 400) -> dict[str, Any]:
        for _ in range(most):
            if self.view and wanted(self.view):
                return self.view
            await self.hear()
        raise AssertionError("it never came to that")


def wager(player: str, on: str = "banker", amount: int = 2_000) -> dict[str, Any]:
    return {"type": "PlaceWager", "player": player, "on": on, "amount": amount}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with served(tmp_path_factory.mktemp("house")) as (address, _):
        yield address


def test_health_tables_and_pages_answer_under_a_strict_policy(house: str) -> None:
    with urllib.request.urlopen(f"{house}/health", timeout=10) as answer:
        assert json.load(answer)["alive"]
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    tables = httpx.get(f"{house}/api/tables").json()["tables"]
    assert {table["name"] for table in tables} >= {"EB-1", "B-4", "R-1", "T-1", "C-1"}
    assert all(table["practice"] for table in tables)


@pytest.mark.parametrize("path", ["/nothing", "/../pyproject.toml", "/api/tables/none/rounds/1", "/tokens.css.py"])
def test_what_is_not_there_is_one_line(house: str, path: str) -> None:
    answer = httpx.get(f"{house}{path}")
    assert answer.status_code == 404
    assert "\n" not in answer.json()["reason"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"name": "", "role": "player", "table": TABLE}, "a name has"),
        ({"name": "x", "role": "king", "table": TABLE}, "unknown role"),
        ({"name": "x", "role": "player", "table": "none"}, "unknown table"),
        ({"name": "x"}, "missing required field"),
    ],
)
def test_nobody_enters_with_nonsense(house: str, body: dict[str, str], reason: str) -> None:
    answer = httpx.post(f"{house}/api/enter", json=body)
    assert answer.status_code == 422
    assert reason in answer.json()["reason"]


def test_a_terminal_bets_sees_the_result_and_its_money(house: str) -> None:
    async def played() -> None:
        async with Terminal(house, enter(house, "Zoe")) as zoe:
            await zoe.until(lambda view: view["betting"]["open"] and not view["me"]["staked"])
            before = zoe.view["me"]["chips"]
            assert (await zoe.do(wager(zoe.name)))["done"]
            number = zoe.view["round"]
            await zoe.until(lambda view: view["round"] > number)
            assert zoe.view["me"]["last"][0]["on"] == "banker"
            assert zoe.view["me"]["chips"] != before or zoe.view["me"]["last"][0]["result"] == "standoff"
            assert [each["by"] for each in zoe.view["wagers"]] == [zoe.name] * len(zoe.view["wagers"])
            assert "players" not in zoe.view

    asyncio.run(played())


def test_a_command_repeated_has_one_effect_and_the_same_answer(house: str) -> None:
    async def played() -> None:
        async with Terminal(house, enter(house, "Yan")) as yan:
            await yan.until(lambda view: view["betting"]["open"])
            one = secrets.token_hex(16)
            first = await yan.do(wager(yan.name, "player"), one)
            again = await yan.do(wager(yan.name, "player"), one)
            assert first == again
            assert first["done"]
            assert sum(each["stake"] for each in yan.view["wagers"]) <= 2_000

    asyncio.run(played())


def test_nobody_acts_without_a_ticket_or_in_another_role(house: str) -> None:
    async def played() -> None:
        async with Terminal(house, "made up") as nobody:
            message = await nobody.hear()
            assert (message["type"], message["end"]) == ("Sorry", True)
        async with Terminal(house, enter(house, "Xia")) as xia:
            message = await xia.do({"type": "CloseTable"})
            assert not message["done"]
            assert message["rule"] == "NZ1996-I-6.0"
            message = await xia.do(wager("Ann"))
            assert "does not act for Ann" in message["reason"]
            await xia.socket.send("nonsense")
            while (message := await xia.hear())["type"] != "Sorry":
                pass
            assert "not a message" in message["reason"]
        ticket = enter(house, "Wes", table="R-1")
        body = {"id": secrets.token_hex(16), "ticket": ticket, "command": {"type": "ShowRules"}}
        assert httpx.post(f"{house}/api/tables/{TABLE}/commands", json=body).status_code == 403
        assert httpx.post(f"{house}/api/tables/R-1/commands", json=body).json()["done"]

    asyncio.run(played())


def test_the_story_of_a_round_can_be_read(house: str) -> None:
    async def played() -> int:
        async with Terminal(house, enter(house, "Ina", "inspector")) as ina:
            await ina.until(lambda view: view["history"])
            return int(ina.view["history"][-1]["round"])

    record = httpx.get(f"{house}/api/tables/{TABLE}/rounds/{asyncio.run(played())}").json()
    assert "the round is over: " in record["story"]
    assert "NZD5-8.4" in record["rules"]
    assert {"Happened", "RoundEnded"} <= {entry["type"] for entry in record["entries"]}
    moved = [move for entry in record["entries"] for move in entry["transfers"]]
    assert all(move["amount"] > 0 for move in moved)


def test_a_rule_tells_what_it_says_and_how_others_say_it(house: str) -> None:
    rule = httpx.get(f"{house}/api/rules/NZD5-12.1a").json()
    assert rule["summary"].startswith("If the Banker's Hand must draw")
    assert all(other["id"] and other["summary"] for other in rule["others"])
    assert httpx.get(f"{house}/api/rules/NZD5-99").status_code == 404


# ---------------------------------------------------------------- the plug


async def bets_until_it_dies(address: str, name: str, acknowledged: set[str]) -> None:
    """A terminal that bets and takes back as fast as it is answered, and notes what was acknowledged."""
    try:
        async with Terminal(address, await asyncio.to_thread(enter, address, name)) as terminal:
            await terminal.until(lambda view: view["me"])
            while True:
                command_id = secrets.token_hex(16)
                answer = await terminal.do(wager(terminal.name, "player", 500), command_id)
                if answer.get("done"):
                    acknowledged.add(command_id)
                await asyncio.sleep(0.01)
    except (websockets.WebSocketException, OSError, httpx.HTTPError, TimeoutError, AssertionError):
        return


def killed_once(folder: Path, after_wagers: int, names: list[str]) -> set[str]:
    """Run the house with these terminals and pull the plug; answers with the commands it had acknowledged."""
    acknowledged: set[str] = set()

    async def played(address: str, process: subprocess.Popen[str]) -> None:
        terminals = [asyncio.create_task(bets_until_it_dies(address, name, acknowledged)) for name in names]
        async with asyncio.timeout(60):
            while len(acknowledged) < after_wagers:
                await asyncio.sleep(0.001)
        await asyncio.sleep(secrets.randbelow(20) / 1000)
        process.send_signal(signal.SIGKILL)
        await asyncio.gather(*terminals)

    with served(folder, pace="0.5,0.02,0.01") as (address, process):
        asyncio.run(played(address, process))
    return acknowledged


def test_kill_9_loses_nothing_acknowledged_and_doubles_nothing(tmp_path: Path) -> None:
    names = [f"T{number}" for number in range(8)]
    acknowledged: set[str] = set()
    for wagers in (20, 1, 30):
        acknowledged |= killed_once(tmp_path, wagers, names)
    assert len(acknowledged) >= 51
    store = open_reader(f"sqlite:///{tmp_path}/house.db", key_path=tmp_path / "house.key")
    with store:
        for command_id in acknowledged:
            assert store.answer(command_id) is not None
        lines = [line.body for line in store.each_line(TABLE)]
        assert sum(store.balances(TABLE).values()) == 0
        events = [decode(body).event for body in lines]
        numbers = [event.number for event in events if isinstance(event, WagerPlaced)]
        assert len(numbers) == len(set(numbers))
        game: AnyGame = known_game("baccarat")
        table = replay(game, ruleset("nzeb", game="baccarat", version="terminals"), lines, TABLE)
        balances = {account: cents for account, cents in table.balances.items() if cents}
        assert balances == {account: cents for account, cents in store.balances(TABLE).items() if cents}
        assert isinstance(verify_chain(store), Sound)


# ---------------------------------------------------------------- the commands


def command(*words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "croupier", *words]
    return subprocess.run(line, check=False, capture_output=True, text=True, timeout=90)


def test_a_journal_is_verified_and_a_round_of_it_explained(tmp_path: Path) -> None:
    async def played(address: str) -> None:
        async with Terminal(address, enter(address, "Ina", "inspector")) as ina:
            await ina.until(lambda view: len(view["history"]) > 1)

    with served(tmp_path, pace="0.5,0.02,0.01") as (address, _):
        asyncio.run(played(address))
    url, key = f"sqlite:///{tmp_path}/house.db", str(tmp_path / "house.key")
    sound = command("verify", "--db", url, "--key", key, "--json")
    report = json.loads(sound.stdout)
    assert (sound.returncode, report["fault"]) == (0, "")
    assert report["settlements"] > 1
    story = command("explain", TABLE, "1", "--db", url)
    assert story.returncode == 0
    assert "the round is over" in story.stdout
    unknown = command("explain", "Z-9", "1", "--db", url)
    assert (unknown.returncode, "unknown table" in unknown.stderr) == (2, True)
    with sqlite3.connect(tmp_path / "house.db") as database:
        where = "table_name = ? and body like '%WagerSettled%'"
        (number,) = database.execute(f"select min(number) from journal where {where}", (TABLE,)).fetchone()
        database.execute("update ledger set cents = cents + 1 where table_name = ? and number = ?", (TABLE, number))
    broken = command("verify", "--db", url, "--key", key)
    assert broken.returncode == 1
    assert f"{number}" in broken.stdout


REFUSED = """
import contextlib, io, json, sys
from croupier.cli import app as cli
told = []
for words in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.run(["serve", *words])
    told.append([code, out.getvalue(), err.getvalue()])
print(json.dumps(told))
"""


def test_what_cannot_be_served_is_told_in_one_line_and_nothing_is_left_open(tmp_path: Path) -> None:
    nowhere = ("--db", f"sqlite:///{tmp_path}/no/where.db", "--key", f"{tmp_path}/k")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = str(taken.getsockname()[1])
        cases = {
            f"port {number} of 127.0.0.1 cannot be had": ("--demo", "--port", number),
            "is no database URL": ("--port", "0", "--db", str(tmp_path / "a.db")),
            "answers this machine only": ("--demo", "--port", "0", "--host", "192.0.2.1"),
            "65536": ("--demo", "--port", "65536"),
            "--pace takes three or four numbers": ("--demo", "--port", "0", "--pace", "fast"),
            str(tmp_path): ("--demo", "--port", "0", *nowhere),
        }
        line = [sys.executable, "-W", "error", "-c", REFUSED, json.dumps(list(cases.values()))]
        done = subprocess.run(line, check=False, capture_output=True, text=True, timeout=90)
    assert done.stderr == ""
    for reason, (code, out, err) in zip(cases, json.loads(done.stdout), strict=True):
        assert (code, out) == (2, "")
        assert err.startswith("croupier: ")
        assert reason in err
        assert err.count("\n") == 1
