"""A real server process with accounts, for tests: one table, and people who sign in as a page would."""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from croupier.cli import people

TABLE = "B-1"
CHEAP = "1,64,1"
SETTINGS = """
[server]
port = 0
grace_seconds = 0.0
[store]
url = "sqlite:///{folder}/house.db"
key = "{folder}/house.key"
[people]
second_factor = "{second_factor}"
[[tables]]
name = "B-1"
game = "baccarat"
edition = "nzeb"
version = "terminals"
minimum = 500
maximum = 100000
supervisor = "Sue"
"""
GOOD = "correct horse 42"


@dataclass(slots=True)
class Running:
    """A running house, and the password that its first start told."""

    address: str
    told: str
    folder: Path
    inspector: str = ""
    """The password for one use of Ina, the inspector, whose account was made at the machine itself."""

    @property
    def one_time(self) -> str:
        found = re.search(r"password  (\S+)", self.told)
        assert found is not None, self.told
        return found[1]


@contextmanager
def house_with_accounts(folder: Path, second_factor: str = "enrolled", more: str = "") -> Iterator[Running]:
    """A house with one table, and what more its settings say; it may have been open in this folder before."""
    settings = folder / "house.toml"
    settings.write_text(SETTINGS.format(folder=folder, second_factor=second_factor) + more)
    known = (folder / "house.db").exists()
    where = (f"sqlite:///{folder}/house.db", f"{folder}/house.key")
    # In a thread of its own: whoever drives a browser has a loop running in this one.
    with ThreadPoolExecutor(1) as apart:
        made = {} if known else apart.submit(people.add, *where, "Ina", ("inspector",), pin=False).result()
    with _running([sys.executable, "-m", "croupier", "serve", "--config", str(settings)], folder) as running:
        running.inspector = made.get("one_time", "")
        yield running


@contextmanager
def plain_house(folder: Path) -> Iterator[Running]:
    """A house as the command starts it, with nothing said; its data go below the folder."""
    with _running([sys.executable, "-m", "croupier", "serve", "--port", "0"], folder) as running:
        yield running


@contextmanager
def _running(command: list[str], folder: Path) -> Iterator[Running]:
    environment = {**os.environ, "CROUPIER_ARGON2": CHEAP, "XDG_DATA_HOME": str(folder)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as process:
        try:
            yield _opened(process, folder)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def _opened(process: subprocess.Popen[str], folder: Path) -> Running:
    """The house once it answers, with everything that it told before."""
    assert process.stdout is not None
    output = ""
    for line in process.stdout:
        output += line
        if found := re.search(r"The house is open: (\S+)", line):
            return Running(_answering(found[1]), output, folder)
    raise AssertionError(f"the server ended: {output}")


def _answering(address: str) -> str:
    for _ in range(600):
        try:
            httpx.get(f"{address}/health", timeout=10)
            return address
        except httpx.HTTPError:
            time.sleep(0.1)
    raise AssertionError(f"{address} does not answer")


class Page:
    """What a page of the house does: it keeps the cookie, and shows the origin and the token."""

    def __init__(self, address: str) -> None:
        self.address = address
        # No connection outlives its request, so that nobody has to close the page.
        limits = httpx.Limits(max_keepalive_connections=0)
        self.client = httpx.Client(base_url=address, headers={"Origin": address}, timeout=60, limits=limits)

    def post(self, path: str, body: dict[str, Any], **headers: str) -> httpx.Response:
        return self.client.post(path, json=body, headers=headers)

    def sign_in(self, name: str, password: str) -> httpx.Response:
        answer = self.post("/api/sign-in", {"name": name, "password": password})
        if answer.status_code == 200:
            self.client.headers["X-Croupier-Token"] = answer.json()["token"]
        return answer

    def change(self, old: str, **new: str) -> httpx.Response:
        answer = self.post("/api/password", {"old": old, **new})
        if answer.status_code == 200:
            self.client.headers["X-Croupier-Token"] = answer.json()["token"]
        return answer

    def enter(self, role: str, table: str = "") -> httpx.Response:
        return self.post("/api/enter", {"role": role, "table": table})

    def ticket(self, role: str, table: str = "") -> str:
        answer = self.enter(role, table)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["ticket"])


def settled(address: str, name: str, one_time: str, **new: str) -> Page:
    """A page on which somebody signed in for the first time and set a password."""
    page = Page(address)
    assert page.sign_in(name, one_time).status_code == 200
    answer = page.change(one_time, **(new or {"password": GOOD}))
    assert answer.status_code == 200, answer.text
    return page


def manager_of(house: Running) -> Page:
    """The casino manager, past the first sign-in, with a ticket for the house itself in the header."""
    page = settled(house.address, "manager", house.one_time)
    page.client.headers["Authorization"] = f"Ticket {page.ticket('casino manager')}"
    return page


def person(manager: Page, name: str, *roles: str, kind: str = "password") -> str:
    """A new person; answers with the password for one use."""
    answer = manager.post("/api/people", {"type": "Add", "name": name, "roles": roles, "kind": kind})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["one_time"])


def do(address: str, ticket: str, command: dict[str, Any], second: str = "") -> dict[str, Any]:
    """A command over HTTP, without a browser."""
    body = {"id": secrets.token_hex(16), "ticket": ticket, "command": command, "second": second}
    answer: dict[str, Any] = httpx.post(f"{address}/api/tables/{TABLE}/commands", json=body, timeout=60).json()
    return answer
