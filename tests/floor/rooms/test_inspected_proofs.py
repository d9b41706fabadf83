"""Proofs at the inspector's desk: listed, started on a copy of the books, kept with their figures and dates."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.floor.app import create_app
from croupier.floor.keeping.house import House, open_house
from croupier.floor.rooms.inspector.proofs import announce, copied
from croupier.prove import PROOFS, ProofScope, run
from croupier.prove.books.instruments.servers import new_database
from tests.helpers.running.processes import started_by, wait_until_gone

SAYS = {name: proof.says for name, proof in PROOFS.items()}
DOOR = "/api/inspect/proofs"


def client_of(house: House) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(create_app(house)), base_url="http://house")


def test_an_inspector_starts_a_proof_on_a_copy_of_the_books_and_reads_it_after_a_restart(tmp_path: Path) -> None:
    async def opened() -> House:
        house = open_house(f"sqlite:///{tmp_path}/house.db", tmp_path / "key", demo=True)
        await house.start(())
        announce(house, SAYS)
        return house

    async def first() -> None:
        house = await opened()
        shown = {"Authorization": f"Ticket {house.ticket('Ina', 'inspector', '')}"}
        async with client_of(house) as client:
            state = (await client.get(DOOR, headers=shown)).json()
            assert {each["name"] for each in state["proofs"]} == set(PROOFS)
            assert not any(each["at_ms"] for each in state["proofs"])
            dealer = {"Authorization": f"Ticket {house.ticket('Dot', 'dealer', '')}"}
            assert (await client.post(DOOR, json={"name": "books"}, headers=dealer)).status_code == 403
            assert (await client.post(DOOR, json={"name": "rm -rf"}, headers=shown)).status_code == 422
            state = (await client.post(DOOR, json={"name": "books"}, headers=shown)).json()
            assert state["running"] == "books"
            assert (await client.post(DOOR, json={"name": "books"}, headers=shown)).status_code == 503
            async with asyncio.timeout(600):
                while (state := (await client.get(DOOR, headers=shown)).json())["running"]:
                    await asyncio.sleep(0.2)
            held(state)
        await house.close()

    async def again() -> None:
        house = await opened()
        shown = {"Authorization": f"Ticket {house.ticket('Ina', 'inspector', '')}"}
        async with client_of(house) as client:
            held((await client.get(DOOR, headers=shown)).json())
        await house.close()

    asyncio.run(first())
    asyncio.run(again())


def held(state: dict[str, Any]) -> None:
    books = next(each for each in state["proofs"] if each["name"] == "books")
    assert (books["proved"], books["by"]) == (True, "Ina"), books
    assert books["at_ms"] > 0
    # The copy is of this house: the journal of its cage has the one line of its opening, and those who follow what is
    # written may have told of it in theirs.
    journals, lines = (int(each.split()[0]) for each in books["lines"][:2])
    assert journals <= min(lines, 3) <= lines < 10
    assert "control: a letter put into a line: caught" in books["lines"]


def test_a_house_that_was_told_of_no_proofs_starts_none(tmp_path: Path) -> None:
    async def asked() -> None:
        house = open_house(f"sqlite:///{tmp_path}/house.db", tmp_path / "key", demo=True)
        await house.start(())
        shown = {"Authorization": f"Ticket {house.ticket('Ina', 'inspector', '')}"}
        async with client_of(house) as client:
            assert (await client.get(DOOR, headers=shown)).json() == {"proofs": [], "running": ""}
            assert (await client.post(DOOR, json={"name": "kill"}, headers=shown)).status_code == 422
        await house.close()

    asyncio.run(asked())


@pytest.mark.skipif(not Path("/proc").exists(), reason="it is seen in /proc which processes there are")
def test_a_proof_ends_with_its_house_and_leaves_no_process(tmp_path: Path) -> None:
    async def asked() -> set[int]:
        house = open_house(f"sqlite:///{tmp_path}/house.db", tmp_path / "key", demo=True)
        await house.start(())
        announce(house, SAYS)
        shown = {"Authorization": f"Ticket {house.ticket('Ina', 'inspector', '')}"}
        before, began = started_by(os.getpid()), set[int]()
        async with client_of(house) as client:
            await client.post(DOOR, json={"name": "kill"}, headers=shown)
            async with asyncio.timeout(60):
                # The proof itself, what serves the database to it, and somebody whom it means to kill.
                while len(began) < 3:
                    await asyncio.sleep(0.05)
                    began |= started_by(os.getpid()) - before
        await house.close()
        return began

    wait_until_gone(asyncio.run(asked()))


def test_the_copy_of_books_in_postgresql_is_of_this_house_too(server: str, tmp_path: Path) -> None:
    async def played() -> str:
        house = open_house(new_database(server), tmp_path / "key", demo=True)
        await house.start(())
        copy = await asyncio.to_thread(copied, house.store, tmp_path)
        await house.close()
        return copy

    copy = asyncio.run(played())
    assert copy == f"sqlite:///{tmp_path}/books.db"
    verdict = run("books", ProofScope(length="short", books=copy), lambda *_: None)
    assert verdict.proved, verdict.lines
    assert verdict.answer["tried"]["journals"] in (1, 2, 3)
