"""Server processes of a real house whose plug is pulled, and the lines of terminals and a dealer that come back.

Theory of operation.  `Plug` is a process that serves the house, forked from one that has everything loaded and nothing
else, and started again on the port that it had.  A `PlugAsker` is one line to the table: it asks one thing at a time
and asks again under the same id, at another process if there is one, until it is answered.  While the house is `quiet`,
nobody asks anything new, so that what is shown can be held against the journal.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import secrets
import ssl
import time
import urllib.request
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, Final, Protocol

import websockets

from croupier.equipment import card_name
from croupier.floor.keeping.credentials.tickets import Ticket, Tickets, secret_beside
from croupier.floor.serve import serve
from croupier.floor.settings import Server, Settings, Storage, TableSettings
from croupier.floor.store.leases import SharedOwnership
from croupier.game import DECLINING
from croupier.prove.books.telling import answers, free_port, silenced
from croupier.prove.together import forking
from croupier.table.terminals.slips import digest

TABLE: Final = "E-30"
SCHEME: Final = "http:" + "//"
PLAYED: Final = TableSettings(
    TABLE, "baccarat", "nzeb", minimum=500, maximum=100_000, version="terminals", supervisor="Sue"
)
SLOW: Final = "600,60,60"
"""The other tables of the demonstration stand still."""
HANGS_UP: Final = 1.0
"""So many seconds an answer is waited for where another process can be asked."""
LOOKS: Final = 0.25
"""So many seconds without a message are waited before it is looked whether something is to be asked."""


@dataclass(slots=True)
class Plug:
    """One server process of a house; a `trusting` one, a control, never asks whether it slept past its leases."""

    folder: Path
    url: str
    lease_seconds: float = 15.0
    trusting: bool = False
    port: int = 0
    process: ForkServerProcess | None = None

    async def start(self) -> None:
        """Start it, everything imported already, and wait until it answers."""
        self.port = self.port or free_port()
        store = Storage(url=self.url, key=str(self.folder / "house.key"), lease_seconds=self.lease_seconds)
        settings = Settings(server=Server(port=self.port), store=store, tables=(PLAYED,))
        self.process = forking().Process(target=_served, args=(settings, self.trusting))
        self.process.start()
        await asyncio.to_thread(answers, self.port)

    def signal(self, number: int) -> None:
        assert self.process is not None
        assert self.process.pid is not None
        os.kill(self.process.pid, number)

    def pull(self) -> None:
        """The process is killed, whatever it was doing; one that is not there is not."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"


def _served(settings: Settings, trusting: bool) -> None:  # noqa: FBT001
    """What the process does."""
    silenced()
    if trusting:
        SharedOwnership.lapses = property(lambda _: 0)  # type: ignore[assignment,method-assign]
    serve(settings, demo=True, pace=SLOW)


@dataclass(slots=True)
class Quiet:
    """Whether nobody asks anything new."""

    on: bool = False


class AnsweringAddress(Protocol):
    """Something with an address: a process, or a proxy before some."""

    @property
    def address(self) -> str: ...


@dataclass(slots=True)
class PlugAsker:
    """One line to the table."""

    plugs: Sequence[AnsweringAddress]
    ticket: str
    name: str
    quiet: Quiet
    chance: random.Random
    view: dict[str, Any] = field(default_factory=dict)
    asked: tuple[str, dict[str, Any]] | None = None
    acknowledged: dict[str, dict[str, Any]] = field(default_factory=dict)
    turn: int = 0
    lines: int = 0
    """How often it had a line."""
    table: str = TABLE
    trusted: ssl.SSLContext | None = None
    """Whom it trusts, where the line is TLS."""
    silence_seconds: float | None = None
    """After how long it gives up a line that says nothing, as pages do; it pings then, so that there is an answer."""
    heard_at: float = 0.0
    asked_at: float = 0.0
    answered_at: float = 0.0
    longest_seconds: float = 0.0
    """How long it waited for an answer, at most."""
    pause_seconds: float = 0.0
    """How long it does nothing after an answer."""

    async def run(self) -> None:
        while True:
            self.turn += 1
            address = self.plugs[self.turn % len(self.plugs)].address
            with suppress(OSError, websockets.WebSocketException, TimeoutError):
                async with asyncio.timeout(self.silence_seconds or 60):
                    scheme = "ws:" if self.trusted is None else "wss:"
                    line = await websockets.connect(
                        f"{scheme}{'/' * 2}{address}/api/tables/{self.table}/live",
                        ping_interval=None,
                        close_timeout=1.0,
                        ssl=self.trusted,
                        proxy=None,
                    )
                async with line:
                    pinging = asyncio.create_task(self._ping(line))
                    try:
                        await self._talk(line)
                    finally:
                        pinging.cancel()
            await asyncio.sleep(0.05)

    async def _ping(self, line: Any) -> None:
        with suppress(websockets.WebSocketException):
            while self.silence_seconds is not None:
                await asyncio.sleep(self.silence_seconds / 2.4)
                await line.send('{"type": "Ping"}')

    async def _talk(self, line: Any) -> None:
        self.view, self.heard_at = {}, time.monotonic()
        await line.send(json.dumps({"type": "Hello", "ticket": self.ticket}))
        if self.asked is not None:
            await self._send(line)
        while True:
            message = await self._heard(line)
            if message["type"] == "View":
                self.lines += not self.view
                self.view = message["view"]
            elif message["type"] == "Answer" and self.asked is not None and message["id"] == self.asked[0]:
                if message["done"]:
                    self.acknowledged[message["id"]] = self.asked[1]
                self.answered_at = time.monotonic()
                self.longest_seconds = max(self.longest_seconds, self.answered_at - self.asked_at)
                self.asked = None
            elif message["type"] == "Sorry":
                return
            rests = self.quiet.on or time.monotonic() < self.answered_at + self.pause_seconds
            if self.asked is None and self.view and not rests and (command := self.wanted()) is not None:
                self.asked, self.asked_at = (secrets.token_hex(16), command), time.monotonic()
                await self._send(line)

    async def _heard(self, line: Any) -> dict[str, Any]:
        """The next message; or that nothing was said, so that something is asked when the house is quiet no more."""
        owed = self.asked is not None
        # A process that was stopped says nothing and does not hang up either.
        longest = self.silence_seconds if len(self.plugs) == 1 else HANGS_UP
        try:
            async with asyncio.timeout(longest if owed else LOOKS):
                message: dict[str, Any] = json.loads(await line.recv())
        except TimeoutError:
            silent = time.monotonic() - self.heard_at
            if owed or (self.silence_seconds is not None and silent > self.silence_seconds):
                raise
            return {"type": ""}
        self.heard_at = time.monotonic()
        return message

    async def _send(self, line: Any) -> None:
        assert self.asked is not None
        await line.send(json.dumps({"type": "Do", "id": self.asked[0], "command": self.asked[1]}))

    def wanted(self) -> dict[str, Any] | None:
        """What it asks next, if anything."""
        raise NotImplementedError


@dataclass(slots=True)
class TerminalAsker(PlugAsker):
    """A terminal: one wager a round, then it confirms what it shows."""

    def wanted(self) -> dict[str, Any] | None:
        view = self.view
        mine = [wager for wager in view["wagers"] if wager["mine"]]
        if view["betting"]["open"]:
            if mine:
                return None
            on, amount = self.chance.choice((("player", 500), ("banker", 2_000), ("tie", 500), ("player", 1_500)))
            return {"type": "PlaceWager", "player": self.name, "on": on, "amount": amount}
        if mine and view["terminal"]["slip"]["owed"] and not view["terminal"]["slip"]["confirmed"]:
            amounts = {wager["on"]: wager["stake"] + wager["voided"] for wager in mine}
            slip = digest(self.name, view["round"], amounts)
            return {"type": "ConfirmSlip", "terminal": self.name, "slip": slip}
        return None


@dataclass(slots=True)
class DealerAsker(PlugAsker):
    """Does what is due from the dealer, with cards from a shuffled shoe; betting stays open until most have bet."""

    terminals: int = 0
    cards: deque[str] = field(default_factory=deque)

    @property
    def phase(self) -> str:
        """What is due, in the words of the table, and how many cards lie there."""
        due = self.view.get("due", {})
        few = "few wagers" if due.get("closes_betting") and len(self.view["wagers"]) < self.terminals else ""
        return " ".join(filter(None, (due.get("kind", ""), due.get("act", ""), due.get("to", ""), few)))

    def wanted(self) -> dict[str, Any] | None:
        view, due = self.view, self.view["due"]
        if not self.mine(due):
            return None
        if due.get("closes_betting") and len(view["wagers"]) < max(1, self.terminals - 2):
            return None
        # A shoe sees what any guest sees: it does not know which slips are missing, and a card too early is refused.
        if due["kind"] == "deal" and view.get("electronic", {}).get("unconfirmed"):
            return None
        return {"type": "Tell", "fact": self._fact(due)}

    def mine(self, due: dict[str, Any]) -> bool:
        """Whether it is for this person to do what is due: some acts are for another than the dealer."""
        return bool(due.get("official", "dealer") == "dealer")

    def _fact(self, due: dict[str, Any]) -> object:
        match due["kind"]:
            case "deal":
                return self._card()
            case "choose":
                word = next((word for word in due["options"] if word in DECLINING), due["options"][-1])
                return {"choose": word, "by": due["by"]}
            case _:
                detail = self._card() if due["does"]["verb"] == "burn up" else due.get("usual", "")
                return {"perform": due["act"], "by": due["by"]} | ({} if detail == "" else {"detail": detail})

    def _card(self) -> str:
        if not self.cards:
            cards = [card_name(card) for card in range(52)] * 8
            self.chance.shuffle(cards)
            self.cards.extend(cards)
        return self.cards.popleft()


@dataclass(slots=True)
class SupervisorAsker(DealerAsker):
    """Does the acts that are not the dealer's."""

    def mine(self, due: dict[str, Any]) -> bool:
        return bool(due.get("official", "dealer") != "dealer")


# ---------------------------------------------------------------- asking once


async def posted(plug: Plug, path: str, body: dict[str, Any], ticket: str = "") -> dict[str, Any]:
    """What a door answers; an answer that is no success is an `OSError`."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Ticket {ticket}"} if ticket else {})
    asked = urllib.request.Request(f"{SCHEME}{plug.address}{path}", json.dumps(body).encode(), headers)

    def ask() -> dict[str, Any]:
        with urllib.request.urlopen(asked, timeout=60) as answer:
            outcome: dict[str, Any] = json.load(answer)
            return outcome

    return await asyncio.to_thread(ask)


async def ordered(plug: Plug, ticket: str, command: dict[str, Any]) -> None:
    body = {"id": secrets.token_hex(16), "ticket": ticket, "command": command}
    answer = await posted(plug, f"/api/tables/{TABLE}/commands", body)
    if not answer["done"]:
        raise AssertionError(f"{command} was refused: {answer}")


def tickets_of(folder: Path) -> Tickets:
    return Tickets(secret_beside(folder / "house.key"))


async def paired(plug: Plug, tickets: Tickets, count: int, *, cents: int = 0) -> dict[str, tuple[str, str]]:
    """The system is approved, so many terminals are paired and have so much credit: the secret and ticket of each."""
    supervisor = tickets.give(Ticket("Sue", "game supervisor", TABLE))
    dealer = tickets.give(Ticket("Dot", "dealer", TABLE))
    await ordered(plug, supervisor, {"type": "ApproveSystem", "version": "1.0", "approval": "TA-0"})
    entered = {}
    for number in range(1, count + 1):
        pairing = {"type": "PairTerminal", "number": number, "minimum": 500, "maximum": 100_000, "approval": "TA-1"}
        await ordered(plug, supervisor, pairing)
        name = f"Terminal {number}"
        if cents:
            await ordered(plug, dealer, {"type": "CreditTerminal", "terminal": name, "amount": cents})
        offered = await posted(plug, "/api/devices/code", {"table": TABLE, "device": name}, supervisor)
        device = await posted(plug, "/api/devices/pair", {"code": offered["code"]})
        ticket = (await posted(plug, "/api/devices/enter", {"secret": device["secret"]}))["ticket"]
        entered[name] = (device["secret"], ticket)
    return entered
