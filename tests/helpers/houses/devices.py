"""A real house with an electronic table that nobody deals at by itself, and devices that a test pairs with it."""

from __future__ import annotations

import json
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import connect

from croupier.table.terminals.slips import digest
from tests.helpers.houses.served import served

TABLE = "E-2"
SETTINGS = f"""
[[tables]]
name = "{TABLE}"
game = "baccarat"
edition = "nzeb"
version = "terminals"
minimum = 500
maximum = 100000
supervisor = "Sue"
"""
PEOPLE = {"dealer": "Dan", "game supervisor": "Sue", "cashier": "Lee"}


@dataclass(slots=True)
class DeviceHouse:
    """What a test asks of the house, each by whoever does it there."""

    address: str
    process: subprocess.Popen[str]
    tickets: dict[str, str] = field(default_factory=dict)
    table: str = TABLE

    def post(self, path: str, body: dict[str, Any], ticket: str = "") -> httpx.Response:
        headers = {"Authorization": f"Ticket {ticket}"} if ticket else {}
        return httpx.post(f"{self.address}{path}", json=body, headers=headers, timeout=30)

    def ticket(self, role: str) -> str:
        if role not in self.tickets:
            body = {"name": PEOPLE.get(role, "Ida"), "role": role, "table": self.table}
            self.tickets[role] = self.post("/api/enter", body).json()["ticket"]
        return self.tickets[role]

    def ask(self, ticket: str, kind: str, one: str = "", **parts: Any) -> dict[str, Any]:
        body = {"id": one or secrets.token_hex(16), "ticket": ticket, "command": {"type": kind, **parts}}
        answer: dict[str, Any] = self.post(f"/api/tables/{self.table}/commands", body).json()
        return answer

    def do(self, role: str, kind: str, **parts: Any) -> dict[str, Any]:
        """A command that is done."""
        answer = self.ask(self.ticket(role), kind, **parts)
        assert answer.get("done"), answer
        return answer

    def view(self, ticket: str) -> dict[str, Any]:
        """What whoever has this ticket sees now."""
        with connect(f"{self.address.replace('http', 'ws', 1)}/api/tables/{self.table}/live") as line:
            line.send(json.dumps({"type": "Hello", "ticket": ticket}))
            message = json.loads(line.recv(20))
        assert message["type"] == "View", message
        found: dict[str, Any] = message["view"]
        return found

    # ------------------------------------------------------------ devices

    def code(self, device: str, role: str = "game supervisor") -> httpx.Response:
        return self.post("/api/devices/code", {"table": self.table, "device": device}, self.ticket(role))

    def pair(self, device: str) -> str:
        """The secret of a device, paired with a code."""
        answer = self.post("/api/devices/pair", {"code": self.code(device).json()["code"]})
        assert answer.status_code == 200, answer.text
        assert answer.json()["name"] == device
        return str(answer.json()["secret"])

    def enter(self, secret: str) -> httpx.Response:
        return self.post("/api/devices/enter", {"secret": secret})

    def device(self, number: int, **limits: Any) -> Device:
        """A terminal that joins the table and is paired."""
        usual = {"minimum": 1000, "maximum": 50_000, "increment": 500, "approval": "TA-1"}
        self.do("game supervisor", "PairTerminal", number=number, **(usual | limits))
        name = f"Terminal {number}"
        return Device(self, name, self.pair(name), self.pair(f"{name} note acceptor"))

    # ------------------------------------------------------------ dealing

    def tell(self, fact: Any, role: str = "dealer") -> dict[str, Any]:
        return self.ask(self.ticket(role), "Tell", fact=fact)

    def until(self, *kinds: str, act: str = "") -> dict[str, Any]:
        """Everything that staff does is done, until something of another kind, or this act, is due."""
        for _ in range(40):
            due: dict[str, Any] = self.view(self.ticket("dealer"))["due"]
            if due["kind"] in kinds or (act and act == due.get("act")):
                return due
            assert self._done(due)["done"], due
        raise AssertionError("it never came to that")

    def _done(self, due: dict[str, Any]) -> dict[str, Any]:
        if due["kind"] == "choose":
            return self.tell({"choose": next(each for each in due["options"] if "decline" in each), "by": due["by"]})
        details = {"burn face up": "2c", "burn face down": 2, "cut": 100}
        detail = details.get(due["act"], due.get("usual", ""))
        fact = {"perform": due["act"], "by": due["by"]} | ({} if detail == "" else {"detail": detail})
        return self.tell(fact, due.get("official") or "dealer")


@dataclass(slots=True)
class Device:
    """A paired terminal and its note acceptor, each with a secret of its own."""

    house: DeviceHouse
    name: str
    secret: str
    acceptor: str = ""

    @property
    def ticket(self) -> str:
        answer = self.house.enter(self.secret)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["ticket"])

    def do(self, kind: str, one: str = "", **parts: Any) -> dict[str, Any]:
        return self.house.ask(self.ticket, kind, one, **parts)

    def touch(self, on: str, cents: int) -> dict[str, Any]:
        return self.do("PlaceWager", player=self.name, on=on, amount=cents)

    def notes(self, *notes: int, one: str = "", secret: str = "") -> httpx.Response:
        body = {"id": one or secrets.token_hex(16), "secret": secret or self.acceptor, "notes": notes}
        return self.house.post("/api/devices/notes", body)

    def view(self) -> dict[str, Any]:
        return self.house.view(self.ticket)

    def shows(self) -> str:
        """The digest of what this terminal shows."""
        view = self.view()
        amounts = {each["on"]: each["stake"] for each in sorted(view["wagers"], key=lambda each: each["on"])}
        return digest(self.name, view["round"], amounts)

    def confirm(self, slip: str = "") -> dict[str, Any]:
        return self.do("ConfirmSlip", terminal=self.name, slip=slip or self.shows())


@contextmanager
def device_house(folder: Path, *, pace: str = "30,0.1,0.05") -> Iterator[DeviceHouse]:
    settings = folder / "house.toml"
    settings.write_text(SETTINGS)
    with served(folder, pace=pace, config=str(settings)) as (address, process):
        yield DeviceHouse(address, process)
