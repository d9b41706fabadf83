"""The permission table, walked cell by cell against a real application; what is not listed is refused."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from fastapi import FastAPI
from msgspec.inspect import (
    BoolType,
    DictType,
    IntType,
    LiteralType,
    StrType,
    StructType,
    UnionType,
    VarTupleType,
    type_info,
)

from croupier.floor.accounts import Hashing
from croupier.floor.api import create_app
from croupier.floor.house import SIGN, House, Planned, open_house, seat_guest
from croupier.floor.permissions import COMMANDS, DOORS, EVERYBODY, FOUR_EYES, door_of, matrix, may_ask, may_pass
from croupier.floor.tickets import Ticket
from croupier.floor.virtual import Guest, Pace, VirtualDealer
from croupier.house.people import CONSOLE
from croupier.house.people_messages import MakeAccount
from croupier.notation import write_fact
from croupier.rulesets import every_ruleset, known_game
from croupier.table import commands
from croupier.table.decide import DECISIONS
from croupier.table.events import RoundCorrected
from croupier.table.general import PLAYER, ROLES
from croupier.table.state import new_table

GOLDEN = Path(__file__).with_name("golden") / "permissions.txt"
TABLE = "B-1"
PLANNED = (Planned(TABLE, "nzeb", "baccarat", "terminals", SIGN),)
HERE = "http://127.0.0.1"


def test_the_table_is_the_golden_matrix() -> None:
    assert matrix() == GOLDEN.read_text(), "look at every changed cell, then write matrix() to the golden file"


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
    assert not may_pass("GET /not/there", role)


# ---------------------------------------------------------------- the routes, in a running application


@asynccontextmanager
async def running(folder: Path, *, demo: bool) -> AsyncIterator[tuple[House, FastAPI, httpx.AsyncClient]]:
    house = open_house(f"sqlite:///{folder}/house.db", folder / "key", demo=demo, hashing=Hashing(1, 64, 1))
    app = create_app(house, () if demo else PLANNED)
    async with app.router.lifespan_context(app):
        if house.accounts is not None:
            await made(house)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=HERE, headers={"Origin": HERE}) as client:
            yield house, app, client


async def made(house: House) -> None:
    """A person for each role, named after it."""
    assert house.accounts is not None
    for role in ROLES:
        what = MakeAccount(name_of(role), (role,), "no verifier", must_change=False)
        assert (await house.accounts.ask(what, by=CONSOLE, role=CONSOLE)).done


def name_of(role: str) -> str:
    return f"the {role}"


def shown(house: House, role: str) -> dict[str, str]:
    table = TABLE if role == PLAYER else ""
    return {"Authorization": f"Ticket {house.give(Ticket(name_of(role), role, table))}"}


def operations(app: FastAPI) -> Iterator[tuple[str, str]]:
    for route in app.router.routes:
        methods = getattr(route, "methods", None) or {"WS"}
        yield from ((method, str(getattr(route, "path", ""))) for method in sorted(methods))


def address(path: str) -> str:
    given = {"{name}": TABLE, "{number}": "1", "{rule}": "NZD5-8.4", "{path:path}": "nothing.css", "{code}": "1234"}
    for part, value in given.items():
        path = path.replace(part, value)
    return path


def is_refused(answer: httpx.Response) -> bool:
    """Whether the permission table said no, and not the work behind the door."""
    reason = answer.json()["reason"] if answer.status_code == 403 else ""
    return any(
        words in reason for words in ("not for the", "permission table", "no ticket was shown", "is signed in here")
    )


def test_every_route_is_listed_and_every_listed_route_exists(tmp_path: Path) -> None:
    async def walked() -> None:
        async with running(tmp_path, demo=False) as (_, app, _client):
            assert {f"{method} {path}" for method, path in operations(app)} == set(DOORS)

    asyncio.run(walked())


def test_each_cell_of_the_routes(tmp_path: Path) -> None:
    """Every route, with a ticket of every role and with none: let in exactly as the table says."""

    async def walked() -> None:
        async with running(tmp_path, demo=False) as (house, app, client):
            for method, path in operations(app):
                operation = f"{method} {path}"
                # Pages and papers of the study are public and slow; the guard treats them as it does the others.
                if method == "WS" or path.startswith(("/api/lab/", "/api/rulebook/")) or path == "/first":
                    continue
                door = DOORS[operation]
                bare = await client.request(method, address(path), content=b"{}")
                assert is_refused(bare) == (door.shown in ("session", "ticket")), operation
                for role in ROLES:
                    answer = await client.request(method, address(path), content=b"{}", headers=shown(house, role))
                    wanted = door.shown == "session" or (door.shown == "ticket" and role not in door.roles)
                    assert is_refused(answer) == wanted, (operation, role, answer.text)

    asyncio.run(walked())


def test_a_route_that_nobody_listed_answers_403(tmp_path: Path) -> None:
    async def walked() -> None:
        async with running(tmp_path, demo=False) as (house, app, client):
            app.router.add_route("/unlisted", lambda _request: pytest.fail("the door was opened"))
            app.router.routes.insert(0, app.router.routes.pop())
            for headers in ({}, shown(house, "casino manager")):
                answer = await client.get("/unlisted", headers=headers)
                assert (answer.status_code, "not in the permission table" in answer.json()["reason"]) == (403, True)

    asyncio.run(walked())


def test_each_cell_of_the_commands_at_a_table(tmp_path: Path) -> None:
    """Commands over HTTP by every role: those whom the table leaves out are refused, and nothing is written."""

    async def walked() -> None:
        async with running(tmp_path, demo=False) as (house, _, client):
            for command, role in ((command, role) for command in COMMANDS for role in ROLES):
                if may_ask(command, role):
                    continue
                ticket = house.give(Ticket(name_of(role), role, TABLE))
                one = secrets.token_hex(16)
                body = {"id": one, "ticket": ticket, "command": body_of(command)}
                answer = await client.post(f"/api/tables/{TABLE}/commands", json=body)
                assert answer.status_code == 200, (command, answer.text)
                told = answer.json()
                # An open table says first that it is open.
                reason = "is open" if command == "OpenTable" else "not for the"
                assert (told["done"], reason in told["reason"]) == (False, True), (command, role, told)
                assert house.store.answer(one) is None

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
            assert line.by == "the game supervisor, with the inspector (inspector)"

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
            for operation, door in DOORS.items():
                here = door_of(operation, demo=True)
                assert here is not None
                assert here.roles == door.roles
                assert here.shown == (door.demo or door.shown)
            assert (await client.get("/api/people")).status_code == 403
            assert "no accounts" in (await client.post("/api/sign-out")).json()["reason"]
            answer = await client.post("/api/sign-in", json={"name": "x", "password": "y"})
            assert "no accounts" in answer.json()["reason"]

    asyncio.run(walked())


KINDS = {each.__name__: each for each in get_args(commands.AnyCommand)}
VALUES: tuple[tuple[type[Any], Any], ...] = (
    (StrType, "Pat"),
    (IntType, 1),
    (BoolType, True),
    (VarTupleType, []),
    (DictType, {}),
)


def body_of(command: str) -> dict[str, Any]:
    """The command with the fields that it must have, whatever they say."""
    wanted = type_info(KINDS[command])
    assert isinstance(wanted, StructType)
    return {"type": command} | {each.name: _value(each.type) for each in wanted.fields if each.required}


def _value(kind: Any) -> Any:
    if isinstance(kind, UnionType):
        return _value(kind.types[0])
    if isinstance(kind, LiteralType):
        return kind.values[0]
    return next(value for of, value in VALUES if isinstance(kind, of))


def test_everybody_is_every_role() -> None:
    assert frozenset(ROLES) == EVERYBODY
