"""Thirty terminals and a dealer through many rounds of electronic baccarat, and the plug is pulled now and then.

The server is a real process and is killed with SIGKILL at random moments; the terminals and the dealer are real lines
that come back and ask again what was not answered, with the same ids.  In the end nothing that was acknowledged is
missing, nothing happened twice, the money adds up to nothing, and the journal verifies.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import secrets
import subprocess
import sys
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import websockets

from croupier.equipment import card_name
from croupier.floor.store import open_reader
from croupier.floor.tickets import Ticket, Tickets, secret_beside
from croupier.floor.verify import verify
from croupier.table.events import RoundEnded, WagerPlaced, WagerSettled, decode
from croupier.table.slips import digest
from tests.served import SCHEME

TABLE = "E-30"
TERMINALS = 30
ROUNDS = int(os.environ.get("ROUNDS", "20"))
"""As many as the machine has time for; ROUNDS=200 is the whole proof."""
KILLS = 2
SETTINGS = """
[server]
port = {port}
[store]
url = "sqlite:///{folder}/house.db"
key = "{folder}/house.key"
[[tables]]
name = "E-30"
game = "baccarat"
edition = "nzeb"
version = "terminals"
minimum = 500
maximum = 100000
supervisor = "Sue"
"""
SLOW = "600,60,60"
"""The other tables of the demonstration stand still."""


@dataclass(slots=True)
class Plug:
    """The server process, started again after every kill on the port it had."""

    folder: Path
    port: int = 0
    process: subprocess.Popen[str] | None = None

    async def start(self) -> None:
        (self.folder / "house.toml").write_text(SETTINGS.format(folder=self.folder, port=self.port))
        words = ["serve", "--demo", "--pace", SLOW, "--config", str(self.folder / "house.toml")]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "croupier.cli", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.port = await asyncio.to_thread(self._told)

    def _told(self) -> int:
        assert self.process is not None
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if SCHEME in line:
                return int(line.split(SCHEME, 1)[1].split()[0].rpartition(":")[2])
        raise AssertionError("the server ended")

    def pull(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def address(self, scheme: str = SCHEME) -> str:
        return f"{scheme}127.0.0.1:{self.port}"


@dataclass(slots=True)
class Asker:
    """One line to the table: it asks one command at a time, and asks again under the same id until it is answered."""

    plug: Plug
    ticket: str
    name: str
    view: dict[str, Any] = field(default_factory=dict)
    asked: tuple[str, dict[str, Any]] | None = None
    acknowledged: dict[str, dict[str, Any]] = field(default_factory=dict)
    last: dict[str, Any] = field(default_factory=dict)

    async def run(self) -> None:
        while True:
            with suppress(OSError, websockets.WebSocketException, TimeoutError):
                address = self.plug.address("ws://")
                async with websockets.connect(f"{address}/api/tables/{TABLE}/live", ping_interval=None) as line:
                    await self._talk(line)
            await asyncio.sleep(0.05)

    async def _talk(self, line: Any) -> None:
        await line.send(json.dumps({"type": "Hello", "ticket": self.ticket}))
        if self.asked is not None:
            await self._send(line)
        async for text in line:
            message = json.loads(text)
            match message["type"]:
                case "View":
                    self.view = message["view"]
                case "Answer" if self.asked is not None and message["id"] == self.asked[0]:
                    self.last = message
                    if message["done"]:
                        self.acknowledged[message["id"]] = self.asked[1]
                    self.asked = None
                case "Sorry":
                    raise AssertionError(message)
                case _:
                    continue
            if self.asked is None and (command := self.wanted()) is not None:
                self.asked = secrets.token_hex(16), command
                await self._send(line)

    async def _send(self, line: Any) -> None:
        assert self.asked is not None
        command_id, command = self.asked
        await line.send(json.dumps({"type": "Do", "id": command_id, "command": command}))

    def wanted(self) -> dict[str, Any] | None:
        raise NotImplementedError


@dataclass(slots=True)
class Player(Asker):
    """A terminal: one wager a round, then it confirms what it shows."""

    placed: int = 0
    confirmed: int = 0
    chance: random.Random = field(default_factory=random.Random)

    def wanted(self) -> dict[str, Any] | None:
        view = self.view
        number = view["round"]
        mine = [wager for wager in view["wagers"] if wager["mine"]]
        if view["betting"]["open"]:
            if self.placed == number or mine:
                return None
            self.placed = number
            on, amount = self.chance.choice((("player", 500), ("banker", 2_000), ("tie", 500), ("player", 1_500)))
            return {"type": "PlaceWager", "player": self.name, "on": on, "amount": amount}
        if mine and self.confirmed != number and view["terminal"]["slip"]["owed"]:
            self.confirmed = number
            amounts = {wager["on"]: wager["stake"] + wager["voided"] for wager in mine}
            return {"type": "ConfirmSlip", "terminal": self.name, "slip": digest(self.name, number, amounts)}
        return None


@dataclass(slots=True)
class Dealer(Asker):
    """Does what is due, with real cards from a shuffled shoe; betting stays open until most have bet."""

    cards: deque[str] = field(default_factory=deque)
    chance: random.Random = field(default_factory=random.Random)

    def wanted(self) -> dict[str, Any] | None:
        view, due = self.view, self.view["due"]
        if due.get("act") == "close betting" and len(view["wagers"]) < TERMINALS - 2:
            return None
        if due["kind"] == "deal" and view["electronic"]["unconfirmed"]:
            return None
        return {"type": "Tell", "fact": self._fact(due)}

    def _fact(self, due: dict[str, Any]) -> object:
        match due["kind"]:
            case "deal":
                return self._card()
            case "choose":
                word = next((word for word in due["options"] if word.startswith("decline")), due["options"][-1])
                return {"choose": word, "by": due["by"]}
            case _:
                detail = self._card() if due["act"] == "burn face up" else due.get("usual", "")
                return {"perform": due["act"], "by": due["by"]} | ({} if detail == "" else {"detail": detail})

    def _card(self) -> str:
        if not self.cards:
            cards = [card_name(card) for card in range(52)] * 8
            self.chance.shuffle(cards)
            self.cards.extend(cards)
        return self.cards.popleft()


async def posted(plug: Plug, path: str, body: dict[str, Any], ticket: str = "") -> dict[str, Any]:
    headers = {"Authorization": f"Ticket {ticket}"} if ticket else {}
    async with httpx.AsyncClient(timeout=30) as client:
        answer = await client.post(f"{plug.address()}{path}", json=body, headers=headers)
    assert answer.status_code == 200, (body, answer.text)
    told: dict[str, Any] = answer.json()
    return told


async def ordered(plug: Plug, ticket: str, command: dict[str, Any]) -> None:
    body = {"id": secrets.token_hex(16), "ticket": ticket, "command": command}
    answer = await posted(plug, f"/api/tables/{TABLE}/commands", body)
    assert answer["done"], (command, answer)


async def prepared(plug: Plug, tickets: Tickets) -> dict[str, str]:
    """The system is approved, thirty terminals are paired and have credits; answers with the ticket of each."""
    supervisor = tickets.give(Ticket("Sue", "game supervisor", TABLE))
    dealer = tickets.give(Ticket("Dot", "dealer", TABLE))
    await ordered(plug, supervisor, {"type": "ApproveSystem", "version": "1.0", "approval": "TA-0"})
    entered = {}
    for number in range(1, TERMINALS + 1):
        pairing = {"type": "PairTerminal", "number": number, "minimum": 500, "maximum": 100_000, "approval": "TA-1"}
        await ordered(plug, supervisor, pairing)
        name = f"Terminal {number}"
        credit = {"type": "CreditTerminal", "terminal": name, "amount": 10_000_000}
        await ordered(plug, dealer, credit)
        offered = await posted(plug, "/api/devices/code", {"table": TABLE, "device": name}, supervisor)
        device = await posted(plug, "/api/devices/pair", {"code": offered["code"]})
        entered[name] = (await posted(plug, "/api/devices/enter", {"secret": device["secret"]}))["ticket"]
    return entered


async def played(folder: Path, rounds: int, kills: int, seed: int) -> tuple[list[Player], Dealer]:
    chance, plug = random.Random(seed), Plug(folder)
    await plug.start()
    tickets = Tickets(secret_beside(folder / "house.key"))
    terminals = await prepared(plug, tickets)
    # A dealer who does the supervisors' acts too: whose act it was is in the act itself.
    dealer = Dealer(plug, tickets.give(Ticket("Max", "casino manager", TABLE)), "Max", chance=chance)
    players = [Player(plug, ticket, name, chance=chance) for name, ticket in terminals.items()]
    running = [asyncio.create_task(each.run()) for each in (dealer, *players)]
    killing = sorted(chance.sample(range(2, rounds - 2), kills))
    try:
        async with asyncio.timeout(120 + 4 * rounds):
            for at in killing:
                await _reached(dealer, running, at)
                await asyncio.sleep(chance.random() * 0.05)
                plug.pull()
                await plug.start()
            await _reached(dealer, running, rounds + 1)
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        plug.pull()
    return players, dealer


async def _reached(dealer: Dealer, running: list[asyncio.Task[None]], number: int) -> None:
    while dealer.view.get("round", 0) < number:
        for task in running:
            if task.done():
                task.result()
        await asyncio.sleep(0.01)


def test_thirty_terminals_play_on_whatever_is_pulled_out_of_the_wall(tmp_path: Path) -> None:
    players, dealer = asyncio.run(played(tmp_path, ROUNDS, KILLS, seed=30))
    url, key = f"sqlite:///{tmp_path}/house.db", tmp_path / "house.key"
    placed = [each for player in players for each in player.acknowledged.values() if each["type"] == "PlaceWager"]
    assert len(placed) > 0.9 * TERMINALS * ROUNDS
    with open_reader(url, key_path=key) as store:
        for asker in (dealer, *players):
            assert all(store.answer(command_id) is not None for command_id in asker.acknowledged)
        events = [decode(line.body).event for line in store.each_line(TABLE)]
        assert sum(store.balances(TABLE).values()) == 0
    booked = [event for event in events if isinstance(event, WagerPlaced)]
    settled = [event.number for event in events if isinstance(event, WagerSettled)]
    # Every acknowledged wager is in the book; at most one of each terminal was booked and not yet acknowledged.
    assert len(placed) <= len(booked) <= len(placed) + TERMINALS * (KILLS + 1)
    assert len(settled) == len(set(settled))
    assert sum(isinstance(event, RoundEnded) for event in events) >= ROUNDS
    found = verify(url, key)
    assert found.fault == ""
    assert found.settlements >= 0.9 * TERMINALS * ROUNDS
