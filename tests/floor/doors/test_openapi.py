"""`/openapi.json` is true and complete: every door is in it, and every answer is as it says."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_type_hints

import httpx
import pytest
import schemathesis
from starlette.applications import Starlette
from starlette.responses import Response

from croupier.floor.app import DOORS
from croupier.floor.doors.common import answer
from croupier.floor.doors.door import AnyDoor, Asked, Door, DoorRoute, LineDoor
from croupier.floor.doors.intake import LARGEST_BODY
from croupier.floor.doors.openapi import document, paths_of
from croupier.floor.keeping.credentials.tickets import Ticket
from croupier.floor.keeping.devices import ACCEPTOR
from croupier.floor.keeping.house import House
from croupier.floor.practice.demonstration import LINKS
from croupier.floor.rooms.inspector.proofs import announce
from croupier.law.officials import ROLES
from croupier.prove import ProofScope, run
from croupier.prove.http_driver import HERE, asking, cases_of, fault, fit, opened
from tests.floor.rooms.test_contests import FOUR, stated
from tests.helpers.houses.factors import visit_factors
from tests.helpers.visits import visit_lab, visit_rulebook, visit_training

GOOD = "correct horse 42"
BY_NAME = {door.operation: door for door in DOORS}
BODIES = [door.operation for door in DOORS if isinstance(door, Door) and door.body is not None]


def client(app: Starlette) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app))


def in_the_document(description: dict[str, Any]) -> set[tuple[str, str]]:
    return {(method, path) for path, item in description["paths"].items() for method in item}


def of_the_routes(app: Starlette) -> set[tuple[str, str]]:
    """What a document of these routes must have."""
    found = set()
    for route in app.router.routes:
        path = str(getattr(route, "path", ""))
        methods = [method.lower() for method in getattr(route, "methods", None) or ()] or ["x-websocket"]
        plain = re.sub(r"{(\w+):\w+}", r"{\1}", path)
        found |= {(method, plain) for method in methods}
        if path == "/{path:path}":
            found |= {(method, "/") for method in methods}
    return found


def test_every_route_is_in_the_document_and_the_other_way_round(tmp_path: Path) -> None:
    async def walked() -> None:
        async with opened(tmp_path / "house", demo=True) as (house, app):
            described = in_the_document((await client(app).get(f"{HERE}/openapi.json")).json())
            assert described == of_the_routes(app)

            # The test itself has a control: a route that nobody described is missed.
            async def undescribed(_: Asked[None]) -> Response:
                return answer({})

            app.router.routes.append(DoorRoute(Door("GET /undescribed", undescribed, "", "", None), house))
            assert of_the_routes(app) - described == {("get", "/undescribed")}

    asyncio.run(walked())


def test_no_two_doors_are_one_operation() -> None:
    assert len(BY_NAME) == len(DOORS)


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.operation)
def test_whoever_answers_takes_the_body_that_the_door_names(door: AnyDoor) -> None:
    if isinstance(door, Door):
        (asked,) = [kind for name, kind in get_type_hints(door.handler).items() if name != "return"]
        assert asked == Asked[door.body if door.body is not None else None]  # type: ignore[misc]


@pytest.mark.parametrize("demo", [True, False])
def test_every_operation_is_described_completely(*, demo: bool) -> None:
    description = document(DOORS, demo=demo)
    ids = []
    for key, each in BY_NAME.items():
        method = key.partition(" ")[0]
        assert each.summary.endswith("."), key
        for shown in paths_of(each):
            item = description["paths"][shown]["x-websocket" if method == "WS" else method.lower()]
            named = {this["name"] for this in item["parameters"] if this["in"] == "path"}
            assert named == set(re.findall(r"{(\w+)}", shown)), key
            assert all(this["description"] and this["schema"] for this in item["parameters"]), key
            if isinstance(each, Door):
                ids.append(item["operationId"])
                check_answers(key, each, item)
    assert len(ids) == len(set(ids))


def check_answers(key: str, each: Door, item: dict[str, Any]) -> None:
    """A good answer has content, and every other a reason; what takes a body says of what form."""
    assert ("content" in item["responses"]["200"]) == (not key.startswith("HEAD ")), key
    assert set(item["responses"]) == {"200", *map(str, each.endings)}
    assert "403" in item["responses"]
    assert ("requestBody" in item) == (each.body is not None), key
    if each.body is not None:
        assert {"413", "422"} <= set(item["responses"]), key
        assert item["requestBody"]["content"]["application/json"]["schema"], key


def test_the_document_says_how_somebody_is_known() -> None:
    with_accounts, demo = document(DOORS, demo=False)["paths"], document(DOORS, demo=True)["paths"]
    assert with_accounts["/api/enter"]["post"]["security"] == [{"session": [], "token": []}]
    assert demo["/api/enter"]["post"]["security"] == []
    assert with_accounts["/api/cage/state"]["get"]["security"] == [{"ticket": []}]
    assert with_accounts["/api/events"]["get"]["security"] == [{"ticket": []}, {"key": []}]
    assert "For: " in with_accounts["/api/cage/state"]["get"]["description"]
    assert set(document(DOORS, demo=True)["components"]["securitySchemes"]) == {"ticket", "key", "session", "token"}


def test_a_line_is_described_with_its_closed_unions() -> None:
    description = document(DOORS, demo=True)
    live = description["paths"]["/api/tables/{name}/live"]["x-websocket"]
    assert set(live["send"]["discriminator"]["mapping"]) == {"Hello", "Do", "Ping"}
    assert set(live["receive"]["discriminator"]["mapping"]) == {"View", "Answer", "Pong", "Sorry"}
    assert {"Hello", "Do", "View", "Answer", "PlaceWager"} <= set(description["components"]["schemas"])


def test_every_reference_of_the_document_leads_somewhere() -> None:
    description = document(DOORS, demo=True)
    for ref in set(re.findall(r"'(?:\$ref|\w+)': '(#/[^']+)'", repr(description))):
        at: Any = description
        for part in ref.removeprefix("#/").split("/"):
            at = at[part]
        assert at


# ---------------------------------------------------------------- true


@dataclass(slots=True)
class Walk:
    """Asks doors, and holds each answer against the document."""

    house: House
    client: httpx.AsyncClient
    schema: Any
    good: set[str] = field(default_factory=set)

    async def ask(self, key: str, *, role: str = "", **parts: Any) -> Any:
        """An answer, which must be good; parts of the path are given by their names, the rest goes into the query."""
        method, _, path = key.partition(" ")
        headers = {"Authorization": f"Ticket {self.ticket(role)}"} if role else {}
        body = parts.pop("body", None)
        headers |= parts.pop("headers", {})
        query = {name: value for name, value in parts.items() if f"{{{name}" not in path}
        for name, value in parts.items():
            path = re.sub(rf"{{{name}(:\w+)?}}", str(value), path)
        response = await self.client.request(method, HERE + path, params=query, json=body, headers=headers)
        assert response.status_code == 200, f"{key}: {response.status_code} {response.text[:300]}"
        described = self.schema[paths_of(BY_NAME[key])[-1]][method]
        described.validate_response(response)
        kind = response.headers["content-type"].partition(";")[0]
        assert kind in described.definition.raw["responses"]["200"].get("content", kind), key
        self.good.add(key)
        return (
            response.json()
            if response.headers["content-type"] == "application/json" and method != "HEAD"
            else response.text
        )

    def ticket(self, role: str, table: str = "") -> str:
        name = "Ann" if role == "player" else f"the {role}"
        person = self.house.accounts.people.find(name) if self.house.accounts is not None else None
        return self.house.give(Ticket(name, role, table, person.epoch if person else 0))


@asynccontextmanager
async def walking(folder: Path, *, demo: bool) -> AsyncIterator[Walk]:
    async with opened(folder, demo=demo) as (house, app):
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, headers={"Origin": HERE}, timeout=240) as client:
            yield Walk(house, client, schemathesis.openapi.from_dict(document(DOORS, demo=house.demo)))


def test_real_answers_of_every_door_are_as_described(tmp_path: Path) -> None:
    async def walked() -> set[str]:
        async with walking(tmp_path / "demo", demo=True) as walk:
            for visit in VISITS:
                await visit(walk)
            good = walk.good
        async with walking(tmp_path / "house", demo=False) as walk:
            await visit_entrance(walk)
            return good | walk.good

    doors = {key for key, each in BY_NAME.items() if not isinstance(each, LineDoor)}
    assert asyncio.run(walked()) == doors, "ask every door here, so that its good answer is held against the document"


async def visit_devices(walk: Walk) -> None:
    terminal = next(iter(walk.house.hosts["EB-1"].table.terminals), "")
    secret = {}
    for device, table in ((terminal + ACCEPTOR, "EB-1"), ("shoe", "B-4")):
        wanted = {"table": table, "device": device}
        code = await walk.ask("POST /api/devices/code", role="game supervisor", body=wanted)
        made = await walk.ask("POST /api/devices/pair", body={"code": code["code"]})
        secret[device] = {"secret": made["secret"]}
    entered = await walk.ask("POST /api/devices/enter", body=secret["shoe"])
    noted = {"id": secrets.token_hex(16), "notes": [2_000], **secret[terminal + ACCEPTOR]}
    await walk.ask("POST /api/devices/notes", body=noted)
    happened = {"id": secrets.token_hex(16), "secret": noted["secret"], "kind": "door", "said": "stacker"}
    event = await walk.ask("POST /api/devices/event", body=happened)
    declared = {"id": secrets.token_hex(16), "kind": "device", "said": "the lamp"}
    await walk.ask("POST /api/significant", role="game supervisor", body=declared)
    looked = {"id": secrets.token_hex(16), "note": "closed it"}
    done = await walk.ask("POST /api/significant/{number}", role="game supervisor", number=event["line"], body=looked)
    assert done["done"], done
    listed = await walk.ask("GET /api/significant", role="inspector")
    assert (len(listed["open"]), len(listed["acknowledged"])) == (1, 1)
    card = {"id": secrets.token_hex(16), "card": "2h"}
    shown = {"Authorization": f"Ticket {entered['ticket']}"}
    await walk.ask("POST /api/tables/{name}/shoe", name="B-4", body=card, headers=shown)


async def visit_links(walk: Walk) -> None:
    await walk.house.links.start(LINKS)
    await walk.ask("GET /api/links", role="game supervisor")
    checked = {"type": "CheckMeter", "meter": "S-1 meter", "shows": walk.house.links.by_name["Grand"].shown.pool}
    body = {"id": secrets.token_hex(16), "command": checked}
    await walk.ask("POST /api/links/{name}/commands", role="game supervisor", name="Grand", body=body)


async def visit_contests(walk: Walk) -> None:
    """A tournament from its beginning to its draw; what is refused is described too."""
    begun = {"id": secrets.token_hex(16), "name": "Cup", "director": "the casino manager"}
    begun |= {"qualified_as": "casino manager"}
    path = "POST /api/tournaments/{name}/commands"

    async def command(kind: str, **parts: Any) -> Any:
        body = {"id": secrets.token_hex(16), "command": {"type": kind, **parts}}
        return await walk.ask(path, role="casino manager", name="Cup", body=body)

    assert (await walk.ask("POST /api/tournaments", role="casino manager", body=begun))["done"]
    assert not (await command("PublishConditions", conditions={}))["done"]
    assert (await command("PublishConditions", conditions=stated()))["done"]
    office = "Director of Casino Surveillance"
    assert (await command("RecordApproval", approver=office, reference="7"))["done"]
    for player in FOUR:
        assert (await command("Enter", player=player))["done"]
    assert (await command("DesignateTables", tables=["B-4", "EB-1"]))["done"]
    assert (await command("DrawSeats", seats={}))["done"]
    assert (await walk.ask("GET /api/tournaments"))["tournaments"]
    assert (await walk.ask("GET /api/tournaments/{name}", name="Cup"))["items"]


async def visit_cage(walk: Walk) -> None:
    cashier = "cashier"

    async def command(kind: str, **parts: Any) -> Any:
        body = {"id": secrets.token_hex(16), "command": {"type": kind, **parts}}
        return await walk.ask("POST /api/cage/commands", role=cashier, body=body)

    assert (await command("OpenShift", cash=500_000, chips=100_000))["done"]
    voucher = (await command("IssueVoucher", amount=4_000))["voucher"]
    assert not (await command("RedeemVoucher", voucher=voucher, amount=1))["done"]
    for code in (voucher, "1234"):
        await walk.ask("GET /api/cage/vouchers/{code}", role=cashier, code=code)
    assert [await walk.ask(f"GET /voucher{kind}", id=voucher) for kind in ("", "/escpos")]
    assert (await command("RedeemVoucher", voucher=voucher, amount=4_000))["done"]
    for key in ("GET /api/cage/state", "GET /api/cage/meters", "GET /api/cage/report", "GET /api/cage/report.html"):
        await walk.ask(key, role=cashier)
    assert (await command("CountDrawer", cash=496_000, chips=104_000))["done"]
    assert (await command("CloseShift"))["done"]
    await walk.ask("GET /api/cage/state", role=cashier)
    await walk.ask("GET /api/cage/report", role="inspector", shift=1)


async def bought_in(walk: Walk, shown: dict[str, str]) -> None:
    """Practice credits: bought, the same id once more, cashed out, and nothing that makes no sense."""
    door, bought = "POST /api/tables/{name}/credits", {"id": secrets.token_hex(16), "cents": 5_000}
    first = await walk.ask(door, name="R-1", body=bought, headers=shown)
    assert first["done"]
    assert await walk.ask(door, name="R-1", body=bought, headers=shown) == first
    assert walk.house.hosts["R-1"].table.chips("Zoe") == 105_000
    too_much = {"id": secrets.token_hex(16), "cents": -105_001}
    assert not (await walk.ask(door, name="R-1", body=too_much, headers=shown))["done"]
    out = {"id": secrets.token_hex(16), "cents": -5_000}
    assert (await walk.ask(door, name="R-1", body=out, headers=shown))["done"]
    assert walk.house.hosts["R-1"].table.chips("Zoe") == 100_000
    other = await walk.client.post(f"{HERE}/api/tables/W-1/credits", json=out, headers=shown)
    nonsense = await walk.client.post(f"{HERE}/api/tables/R-1/credits", json={"id": "x", "cents": 0}, headers=shown)
    assert (other.status_code, nonsense.status_code) == (403, 422)


async def visit_tables(walk: Walk) -> None:
    for path in ("health", "health/ready", "metrics", "api/tables", "api/me", "api/events", "openapi.json"):
        await walk.ask(f"GET /{path}")
    await walk.ask("HEAD /openapi.json")
    for path in ("lab", "kit/tokens.css", "cage/page.js"):
        await walk.ask("GET /{path:path}", path=path)
    entered = await walk.ask("POST /api/enter", body={"name": "Zoe", "role": "player", "table": "R-1"})
    await bought_in(walk, {"Authorization": f"Ticket {entered['ticket']}"})
    await played(walk.house, "R-1")
    at = {"name": "R-1"}
    await walk.ask("GET /api/tables/{name}/rounds/{number}", number=1, **at)
    finished = (await walk.ask("GET /api/tables/{name}/records", role="inspector", **at))["rounds"][-1]
    right = {"type": "Correct", "round": finished["round"], "facts": ["5"], "reason": "misread"}
    for command in (right, {"type": "Tip", "player": "Dee", "amount": 1}, {"type": "ShowRules"}):
        body = {"ticket": walk.ticket("casino supervisor", "R-1"), "command": command}
        await walk.ask("POST /api/tables/{name}/preview", body=body, **at)
        asked = body | {"id": secrets.token_hex(16)}
        await walk.ask("POST /api/tables/{name}/commands", body=asked, **at)
    called, came = ({"Authorization": f"Ticket {walk.ticket(role, 'R-1')}"} for role in ("player", "dealer"))
    assert (await walk.ask("POST /api/tables/{name}/call", headers=called, **at))["calls"] == 1
    assert not (await walk.ask("POST /api/tables/{name}/answered", body={"player": "Ann"}, headers=came, **at))["calls"]
    await walk.ask("POST /api/tables/{name}/virtual", body={"paused": False}, headers=came, **at)
    assert '"over":true,"fault":""' in await walk.ask("POST /api/inspect/verify", role="inspector")
    for key in ("export", "round"):
        assert "R-1" in await walk.ask(f"GET /api/inspect/{key}", role="inspector", table="R-1", round="1")
    assert all([await walk.ask(f"GET /api/{path}", role="inspector") for path in ("inspect/reports", "webhooks")])
    announce(walk.house, {"books": "that they are sound"})
    assert not (await walk.ask("GET /api/inspect/proofs", role="inspector"))["running"]
    started = await walk.ask("POST /api/inspect/proofs", body={"name": "books"}, role="inspector")
    assert started["running"] == "books"


async def played(house: House, table: str) -> None:
    for _ in range(600):
        if house.hosts[table].shown.records:
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"no round ended at {table}")


VISITS = (
    visit_devices,
    visit_cage,
    visit_lab,
    visit_rulebook,
    visit_training,
    visit_tables,
    visit_links,
    visit_contests,
)


async def visit_entrance(walk: Walk) -> None:
    """A person of a house with accounts, from the password for one use to the end."""
    manager = "casino manager"
    other = walk.ticket("shift manager")
    person = {"type": "Add", "name": "Mia", "roles": ["cashier", "player"], "second": other}
    made = await walk.ask("POST /api/people", role=manager, body=person)
    await walk.ask("GET /api/people", role=manager)
    session = await walk.ask("POST /api/sign-in", body={"name": "Mia", "password": made["one_time"]})
    token = {"X-Croupier-Token": session["token"]}
    changed = {"old": made["one_time"], "password": GOOD}
    session = await walk.ask("POST /api/password", body=changed, headers=token)
    token = {"X-Croupier-Token": session["token"]}
    await walk.ask("GET /api/me")
    await walk.ask("POST /api/enter", body={"role": "player", "table": "EB-1"}, headers=token)
    lending = {"name": "Mia", "password": GOOD, "role": "cashier", "table": "EB-1"}
    await visit_factors(walk.ask, await walk.ask("POST /api/lend", body=lending), GOOD, token)
    await walk.ask("POST /api/sign-out", headers=token)


# ---------------------------------------------------------------- where no door answers


def test_what_no_door_answers_is_json_with_a_reason(tmp_path: Path) -> None:
    async def walked() -> None:
        async with walking(tmp_path / "demo", demo=True) as walk:
            for method, path, status, words in (
                ("GET", "/nothing/here", 404, "nothing here"),
                ("POST", "/api/nothing", 404, "nothing here"),
                ("DELETE", "/api/tables", 405, "answers to GET, not to DELETE"),
                ("PUT", "/api/people", 405, "answers to GET, POST, not to PUT"),
                ("POST", "/", 405, "answers to GET, not to POST"),
                ("GET", "/api/tables/EB-1/rounds/one", 422, "number: "),
                ("POST", "/api/enter", 422, "truncated"),
                ("GET", f"/{'a' * 300}.css", 404, "nothing here"),
            ):
                response = await walk.client.request(method, HERE + path, content=b"{" if method == "POST" else None)
                assert response.status_code == status, (method, path, response.text)
                assert response.headers["content-type"] == "application/json"
                assert words in response.json()["reason"]
                assert set(response.json()) == {"reason"}
                assert "\n" not in response.json()["reason"]
                assert ("allow" in response.headers) == (status == 405)

    asyncio.run(walked())


def test_a_name_that_nobody_can_read_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    """Nobody sits down under a name with the character zero, and no money goes to it; the table goes on."""

    async def walked() -> None:
        async with walking(tmp_path / "demo", demo=True) as walk:
            host = walk.house.hosts["B-4"]

            async def asked(kind: str, player: str, **parts: Any) -> bool:
                command = {"type": kind, "player": player, **parts}
                body = {"id": secrets.token_hex(16), "ticket": walk.ticket("dealer", "B-4"), "command": command}
                answer = await walk.client.post(f"{HERE}/api/tables/B-4/commands", json=body)
                assert answer.status_code == 200, answer.text
                return bool(answer.json()["done"])

            assert not await asked("Sit", "a\0b")
            assert not await asked("BuyChips", "a\0b", amount=500)
            assert "a\0b" not in host.table.players
            assert await asked("BuyChips", "Gus", amount=500)
            assert host.keeper.owned

    asyncio.run(walked())


def test_a_body_that_is_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    read = []

    async def parts(size: int) -> AsyncIterator[bytes]:
        for _ in range(size // 1024):
            read.append(1024)
            yield b" " * 1024
        yield b" " * (size % 1024)

    async def walked() -> None:
        async with walking(tmp_path / "demo", demo=True) as walk:
            assert len(BODIES) > 10
            for key in BODIES:
                path = key.partition(" ")[2].replace("{name}", "EB-1")
                shown = {"Authorization": f"Ticket {walk.ticket('casino manager')}"}
                for size in (LARGEST_BODY - 1, LARGEST_BODY, LARGEST_BODY + 1):
                    response = await walk.client.post(HERE + path, content=b" " * size, headers=shown)
                    assert (response.status_code == 413) == (size > LARGEST_BODY) or response.status_code == 403, (
                        key,
                        response.text,
                    )
            for size, status in ((LARGEST_BODY, 422), (LARGEST_BODY + 1, 413)):
                response = await walk.client.post(f"{HERE}/api/enter", content=parts(size))
                assert response.status_code == status
            read.clear()
            said = {"Content-Length": str(LARGEST_BODY * 9)}
            response = await walk.client.post(f"{HERE}/api/enter", content=parts(LARGEST_BODY * 9), headers=said)
            assert (response.status_code, set(response.json())) == (413, {"reason"})

    asyncio.run(walked())


# ---------------------------------------------------------------- whatever is asked, by everybody


def test_nothing_that_anybody_asks_has_an_undocumented_answer() -> None:
    """The proof in short: `croupier prove http` is the same with many more requests."""
    verdict = run("http", ProofScope(sample=1), lambda _done, _of, _what: None)
    assert verdict.answer["faults"] == []
    assert verdict.proved
    assert all(verdict.answer["controls"].values())
    assert {"nobody", *ROLES, "casino manager with a session"} <= set(verdict.answer["viewers"])
    assert verdict.answer["operations"] >= sum(isinstance(each, Door) for each in DOORS)
    assert verdict.answer["statuses"]["200"] > 200


def test_a_proof_with_a_fault_proves_nothing(tmp_path: Path) -> None:
    """A field too many in a real answer is found by the same walk that found nothing."""

    async def walked() -> list[str]:
        async with opened(tmp_path / "house", demo=True) as (house, app):
            description = document(DOORS, demo=True)
            table = description["components"]["schemas"]["ListedTable"]
            del table["properties"]["round"]
            table["required"].remove("round")
            one = {**description, "paths": {"/api/tables": description["paths"]["/api/tables"]}}
            async with asking(house, app) as asker:
                found = []
                for case in cases_of(one, examples=1, chance=1):
                    fit(case, house, asker.random)
                    found.append(fault(case, await asker.client.get(f"{HERE}/api/tables")))
                return found

    found = asyncio.run(walked())
    assert found
    assert all("round" in each for each in found)
