"""The permission table: as people read it, and what the proof of roles, which walks it, does not say."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path
from typing import get_args

import pytest

from croupier.floor.app import DOORS
from croupier.floor.doors.door import EVERYBODY, permit
from croupier.floor.doors.permissions import COMMANDS, FOUR_EYES, may_ask
from croupier.floor.keeping.credentials.tickets import Ticket
from croupier.floor.keeping.house import House
from croupier.floor.practice.dealer import Pace, VirtualDealer
from croupier.floor.practice.guests import Guest, seat_guest
from croupier.law.officials import ROLES
from croupier.notation import write_fact
from croupier.prove.house.entrances import TABLE, name_of, operations, running
from croupier.rulesets import every_ruleset, known_game
from croupier.table import commands
from croupier.table.decide import DECISIONS
from croupier.table.events import RoundCorrected
from croupier.table.state import new_table
from tests.helpers import places

BY_NAME = {door.operation: door for door in DOORS}
GOLDEN = places.GOLDEN / "permissions.txt"


def matrix() -> str:
    """Doors and commands as text: a column for each role, `+` may, `.` may not, `2` only with a second person."""
    width = max(map(len, (*(door.operation for door in DOORS), *COMMANDS)))
    head = f"{'operation':<{width}}  shown    {'  '.join(ROLES)}"
    rows = [_row(door.operation, door.shown, door.roles, width) for door in DOORS]
    asked = [_row(name, "inside", roles, width, two=name in FOUR_EYES) for name, roles in COMMANDS.items()]
    return "\n".join((head, "", *rows, "", *asked, ""))


def _row(name: str, shown: str, roles: frozenset[str], width: int, *, two: bool = False) -> str:
    sign = "2" if two else "+"
    cells = "  ".join(f"{sign if role in roles else '.':^{len(role)}}" for role in ROLES)
    return f"{name:<{width}}  {shown:<7}  {cells}".rstrip()


def test_the_table_is_the_golden_matrix() -> None:
    assert matrix() == GOLDEN.read_text(), "look at every changed cell, then write it to the golden file"


def test_every_command_is_listed_with_the_roles_that_some_law_gives_it() -> None:
    """The floor lets nobody through whom every law refuses, and stops nobody whom a law lets."""
    assert set(COMMANDS) == {each.__name__ for each in get_args(commands.AnyCommand)}
    tables = [new_table("T", known_game(each.game), each) for each in every_ruleset()]
    for kind, (may, _) in DECISIONS.items():
        lawful = frozenset[str]().union(*(may(table.general).value for table in tables))
        assert COMMANDS[kind.__name__] == lawful, kind.__name__


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("command", COMMANDS)
def test_each_cell_of_the_commands(command: str, role: str) -> None:
    row = next(line for line in GOLDEN.read_text().splitlines() if line.startswith(f"{command} "))
    assert may_ask(command, role) == (cell(row, role) in "+2")
    assert (cell(row, role) == "2") == (command in FOUR_EYES and may_ask(command, role))


def cell(row: str, role: str) -> str:
    """The sign in the column of a role."""
    head = GOLDEN.read_text().splitlines()[0]
    start = 0
    for each in head[head.index(ROLES[0]) :].split("  "):
        if each == role:
            break
        start += len(each) + 2
    at = head.index(ROLES[0]) + start
    return row[at : at + len(role)].strip()


@pytest.mark.parametrize(("command", "role"), [("Unlisted", "casino manager"), ("Sit", "king"), ("Sit", "")])
def test_what_is_not_listed_is_refused(command: str, role: str) -> None:
    assert not may_ask(command, role)


# ---------------------------------------------------------------- the routes, in a running application


def test_every_route_is_listed_and_every_listed_route_exists(tmp_path: Path) -> None:
    async def walked() -> None:
        async with running(tmp_path, demo=False) as (_, app, _client):
            assert {f"{method} {path}" for method, path in operations(app)} == set(BY_NAME)

    asyncio.run(walked())


def test_a_settled_round_is_corrected_by_two_people_and_its_line_names_both(tmp_path: Path) -> None:
    """NZEB-12.3: in a house with accounts, one person alone recalculates nothing."""

    async def corrected() -> None:
        async with running(tmp_path, demo=False) as (house, _, client):
            host = house.hosts[TABLE]
            cards = await played(house)
            first = house.give(Ticket(name_of("game supervisor"), "game supervisor", TABLE))
            second = house.give(Ticket(name_of("inspector"), "inspector", ""))
            command = {"type": "Correct", "round": 1, "facts": cards, "reason": "a card was read wrongly"}
            body = {"id": secrets.token_hex(16), "ticket": first, "command": command}
            alone = (await client.post(f"/api/tables/{TABLE}/commands", json=body)).json()
            assert (alone["done"], alone["rule"]) == (False, "NZEB-12.3")
            both = (await client.post(f"/api/tables/{TABLE}/commands", json=body | {"second": second})).json()
            assert both["done"], both
            line = host.recent.lines[-1]
            assert isinstance(line.event, RoundCorrected)
            assert (line.by, line.second) == ("the game supervisor", "the inspector")

    asyncio.run(corrected())


async def played(house: House) -> list[str]:
    """The cards of the first round, once a virtual dealer has dealt it."""
    host = house.hosts[TABLE]
    await seat_guest(host, "Pat", chips=100_000)
    work = [
        asyncio.create_task(VirtualDealer(host, Pace(0.05, 0.0, 0.0), house.closing).run()),
        asyncio.create_task(Guest(host, "Pat", {"banker": 2_000}, house.closing, every=0.02).run()),
    ]
    async with asyncio.timeout(60):
        while not host.shown.records:
            await asyncio.sleep(0.01)
    for task in work:
        task.cancel()
    await asyncio.gather(*work, return_exceptions=True)
    facts = map(write_fact, host.shown.records[0].facts)
    return [fact for fact in facts if isinstance(fact, str)]


def test_a_demonstration_opens_only_what_it_says(tmp_path: Path) -> None:
    async def walked() -> None:
        async with running(tmp_path, demo=True) as (_, _app, client):
            for door in DOORS:
                here = permit(door, demo=True)
                assert here.roles == door.roles
                assert here.shown == (getattr(door, "demo", None) or door.shown)
            assert (await client.get("/api/people")).status_code == 403
            assert "no accounts" in (await client.post("/api/sign-out")).json()["reason"]
            answer = await client.post("/api/sign-in", json={"name": "x", "password": "y"})
            assert "no accounts" in answer.json()["reason"]

    asyncio.run(walked())


def test_everybody_is_every_role() -> None:
    assert frozenset(ROLES) == EVERYBODY
