"""A running house with accounts: signing in, sessions, tickets, four eyes, and what the journal keeps of it."""

from __future__ import annotations

import asyncio
import json
import secrets
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from croupier.floor.audit.verify import verify
from croupier.floor.store.durable import open_reader
from croupier.house.people.decide import TRIES
from tests.helpers.houses.people import (
    GOOD,
    TABLE,
    Page,
    Running,
    do,
    house_with_accounts,
    manager_of,
    person,
    plain_house,
    settled,
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with house_with_accounts(tmp_path_factory.mktemp("people")) as running:
        yield running


@pytest.fixture(scope="module")
def manager(house: Running) -> Page:
    """The first test of the first start: the one-time password opens nothing but the change of itself."""
    page = Page(house.address)
    assert page.enter("casino manager").status_code == 403
    assert page.sign_in("manager", "guess").status_code == 403
    answer = page.sign_in("manager", house.one_time)
    assert answer.json()["must_change"]
    refused = page.enter("casino manager")
    assert (refused.status_code, "for one use" in refused.json()["reason"]) == (403, True)
    assert "12 to 200" in page.change(house.one_time, password="short").json()["reason"]
    assert "the same again" in page.change(house.one_time, password=house.one_time).json()["reason"]
    assert page.change(house.one_time, password=GOOD).status_code == 200
    assert Page(house.address).sign_in("manager", house.one_time).status_code == 403
    page.client.headers["Authorization"] = f"Ticket {page.ticket('casino manager')}"
    return page


@pytest.fixture(scope="module")
def staff(house: Running, manager: Page) -> dict[str, Page]:
    roles = {"Dan": "dealer", "Sue": "game supervisor", "Max": "casino supervisor", "Pat": "player"}
    passwords = {name: person(manager, name, role) for name, role in roles.items()} | {"Ina": house.inspector}
    pages = {name: settled(house.address, name, secret) for name, secret in passwords.items()}
    return pages


def test_the_cookie_cannot_be_read_by_scripts_or_sent_by_other_sites(house: Running, manager: Page) -> None:
    page = Page(house.address)
    cookie = page.sign_in("manager", GOOD).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert page.client.get("/api/me").json()["name"] == "manager"
    assert httpx.get(f"{house.address}/api/me").json() == {"demo": False, "name": ""}


def test_what_changes_anything_wants_the_origin_and_the_token(house: Running, manager: Page) -> None:
    page = Page(house.address)
    page.sign_in("manager", GOOD)
    body = {"role": "casino manager", "table": ""}
    evil = page.client.post("/api/enter", json=body, headers={"Origin": "https://evil.example"})
    assert "another site" in evil.json()["reason"]
    del page.client.headers["Origin"]
    assert "Origin" in page.client.post("/api/enter", json=body).json()["reason"]
    page.client.headers["Origin"] = house.address
    wrong = page.client.post("/api/enter", json=body, headers={"X-Croupier-Token": "made up"})
    assert "token" in wrong.json()["reason"]
    del page.client.headers["X-Croupier-Token"]
    assert "token" in page.client.post("/api/enter", json=body).json()["reason"]


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_pages_of_other_sites_change_nothing(house: Running, headers: dict[str, str]) -> None:
    answer = httpx.post(f"{house.address}/api/sign-in", json={"name": "x", "password": "y"}, headers=headers)
    assert (answer.status_code, "another site" in answer.json()["reason"]) == (403, True)


def test_another_name_pointed_at_the_house_opens_nothing(house: Running) -> None:
    answer = httpx.get(f"{house.address}/api/tables", headers={"Host": "evil.example"})
    assert (answer.status_code, "not called" in answer.json()["reason"]) == (403, True)


def test_a_line_from_another_site_is_not_opened(house: Running) -> None:
    async def opened() -> None:
        url = f"{house.address.replace('http', 'ws', 1)}/api/tables/{TABLE}/live"
        with pytest.raises(websockets.InvalidStatus) as refused:
            await websockets.connect(url, additional_headers={"Origin": "https://evil.example"})
        assert refused.value.response.status_code == 403

    asyncio.run(opened())


def test_unknown_names_and_wrong_passwords_are_answered_alike(house: Running, manager: Page) -> None:
    known = Page(house.address).sign_in("manager", "not the password")
    unknown = Page(house.address).sign_in("nobody at all", "not the password")
    assert (known.status_code, known.json()) == (unknown.status_code, unknown.json())
    assert Page(house.address).sign_in("manager", GOOD).status_code == 200


def test_a_stranger_in_the_lobby_is_told_nobodys_name(house: Running, staff: dict[str, Page]) -> None:
    """The name of an account is half of what is needed to enter: that somebody deals is told, and not who."""
    ticket = staff["Dan"].ticket("dealer", TABLE)

    async def watched() -> tuple[dict[str, Any], dict[str, Any]]:
        url = f"{house.address.replace('http', 'ws', 1)}/api/tables/{TABLE}/live"
        async with websockets.connect(url) as line:
            await line.send(json.dumps({"type": "Hello", "ticket": ticket}))
            await line.recv()
            (strange,) = httpx.get(f"{house.address}/api/tables").json()["tables"]
            (known,) = staff["Dan"].client.get("/api/tables").json()["tables"]
            return strange, known

    strange, known = asyncio.run(watched())
    assert (strange["deals"], strange["dealer"]) == ("person", "")
    assert (known["deals"], known["dealer"]) == ("person", "Dan")


def test_a_role_is_had_only_by_the_account_that_has_it(house: Running, staff: dict[str, Page]) -> None:
    assert "is not 'inspector'" in staff["Dan"].enter("inspector", TABLE).json()["reason"]
    assert staff["Dan"].enter("dealer", "none").status_code == 422
    entered = staff["Dan"].enter("dealer", TABLE).json()
    assert entered["name"] == "Dan"
    shown = httpx.get(f"{house.address}/api/people", headers={"Authorization": f"Ticket {entered['ticket']}"})
    assert (shown.status_code, "not for the dealer" in shown.json()["reason"]) == (403, True)


def test_pins_are_for_dealers_and_players(house: Running, manager: Page) -> None:
    add = {"type": "Add", "name": "Pia", "roles": ["cashier"], "kind": "pin"}
    assert "a PIN is not enough" in manager.post("/api/people", add).json()["reason"]
    page = settled(house.address, "Pin", person(manager, "Pin", "dealer", kind="pin"), pin="802753")
    assert page.enter("dealer", TABLE).status_code == 200
    body = {"name": "pin", "pin": "802753", "role": "dealer", "table": TABLE}
    assert httpx.post(f"{house.address}/api/lend", json=body, timeout=30).json()["name"] == "Pin"


def test_too_many_wrong_tries_lock_even_for_the_right_password(house: Running, manager: Page) -> None:
    secret = person(manager, "Lou", "dealer")
    page = settled(house.address, "Lou", secret)
    with httpx.Client(base_url=house.address, timeout=60) as client:
        for _ in range(TRIES):
            client.post("/api/sign-in", json={"name": "lou", "password": "wrong"})
        assert client.post("/api/sign-in", json={"name": "Lou", "password": GOOD}).status_code == 403
    (lou,) = [each for each in manager.client.get("/api/people").json()["people"] if each["name"] == "Lou"]
    assert (lou["failures"], lou["locked_until_ms"] > 0) == (TRIES, True)
    assert page.enter("dealer", TABLE).status_code == 200, "whoever was in already is not thrown out by a stranger"
    assert manager.post("/api/people", {"type": "Unlock", "name": "Lou"}).status_code == 200
    assert page.sign_in("Lou", GOOD).status_code == 200


def test_signing_out_and_disabling_end_sessions_and_tickets(house: Running, manager: Page) -> None:
    page = settled(house.address, "Out", person(manager, "Out", "dealer"))
    ticket = page.ticket("dealer", TABLE)
    assert do(house.address, ticket, {"type": "ShowRules"})["done"]
    kept = dict(page.client.cookies)
    assert page.post("/api/sign-out", {}).json() == {"name": ""}
    assert "has ended" in do(house.address, ticket, {"type": "ShowRules"})["reason"]
    page.client.cookies.update(kept)
    assert page.enter("dealer", TABLE).status_code == 403
    page = Page(house.address)
    page.sign_in("Out", GOOD)
    ticket = page.ticket("dealer", TABLE)
    assert manager.post("/api/people", {"type": "Disable", "name": "Out", "reason": "left"}).status_code == 200
    assert "has ended" in do(house.address, ticket, {"type": "ShowRules"})["reason"]
    assert page.sign_in("Out", GOOD).status_code == 403


def test_a_page_that_watches_is_ended_with_the_account(house: Running, manager: Page) -> None:
    page = settled(house.address, "Wat", person(manager, "Wat", "dealer"))

    async def watched() -> None:
        url = f"{house.address.replace('http', 'ws', 1)}/api/tables/{TABLE}/live"
        async with websockets.connect(url, origin=websockets.Origin(house.address)) as socket:
            await socket.send(json.dumps({"type": "Hello", "ticket": page.ticket("dealer", TABLE)}))
            assert json.loads(await asyncio.wait_for(socket.recv(), 30))["type"] == "View"
            await asyncio.to_thread(manager.post, "/api/people", {"type": "Disable", "name": "Wat"})
            types = [json.loads(text)["type"] async for text in socket]
            assert types[-1] == "Sorry"

    asyncio.run(watched())


def test_the_last_casino_manager_stays(manager: Page) -> None:
    refused = manager.post("/api/people", {"type": "Disable", "name": "manager"})
    assert "the last casino manager" in refused.json()["reason"]


def test_the_house_makes_no_inspectors_and_touches_none(manager: Page, staff: dict[str, Page]) -> None:
    for act in (
        {"type": "Add", "name": "Own", "roles": ["inspector"]},
        {"type": "SetRoles", "name": "Dan", "roles": ["dealer", "inspector"]},
        {"type": "SetRoles", "name": "Ina", "roles": ["dealer"]},
        {"type": "Reset", "name": "Ina"},
        {"type": "Disable", "name": "Ina"},
    ):
        refused = manager.post("/api/people", act)
        assert (refused.status_code, "not the house's to give" in refused.json()["reason"]) == (403, True), act


# ---------------------------------------------------------------- four eyes


def tell(act: str, by: str, detail: str = "") -> dict[str, Any]:
    return {"type": "Tell", "fact": {"perform": act, "by": by} | ({"detail": detail} if detail else {})}


def view_of(house: Running, ticket: str) -> dict[str, Any]:
    async def seen() -> dict[str, Any]:
        url = f"{house.address.replace('http', 'ws', 1)}/api/tables/{TABLE}/live"
        async with websockets.connect(url) as socket:
            await socket.send(json.dumps({"type": "Hello", "ticket": ticket}))
            view: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), 30))["view"]
            return view

    return asyncio.run(seen())


def due_at(house: Running, ticket: str) -> dict[str, Any]:
    due: dict[str, Any] = view_of(house, ticket)["due"]
    return due


def test_cards_are_inspected_by_two_people(house: Running, staff: dict[str, Page]) -> None:
    dealer, supervisor = staff["Dan"].ticket("dealer", TABLE), staff["Sue"].ticket("game supervisor", TABLE)
    while not (due := due_at(house, supervisor)).get("act", "").startswith("inspect as"):
        done = do(house.address, supervisor, tell(due["act"], due["by"], due.get("usual", "")))
        assert done["done"], (due, done)
    assert due["act"] == "inspect as dealer"
    assert do(house.address, supervisor, tell("inspect as dealer", "dealer"))["done"]
    again = do(house.address, supervisor, tell("inspect as game supervisor", "game supervisor"))
    assert (again["done"], again["rule"]) == (False, due["rule"])
    assert "another person" in again["reason"]
    # What the dealer tells of the supervisor is an order that waits: it is not done, and not for either of them.
    assert do(house.address, dealer, tell("inspect as game supervisor", "game supervisor"))["done"]
    view = view_of(house, supervisor)
    (order,) = view["awaited"]
    assert view["due"]["act"] == "inspect as game supervisor"
    confirm = {"type": "ConfirmOrder", "order": order["order"]}
    for ticket in (dealer, supervisor):
        assert not do(house.address, ticket, confirm)["done"]
    assert "another person" in do(house.address, supervisor, confirm)["reason"]
    other = staff["Max"].ticket("casino supervisor", TABLE)
    assert do(house.address, other, confirm)["done"]
    assert view_of(house, supervisor)["due"].get("act") != "inspect as game supervisor"


def test_a_correction_is_done_by_two_people_and_the_journal_names_both(house: Running, staff: dict[str, Page]) -> None:
    first = staff["Sue"].ticket("game supervisor", TABLE)
    correct = {"type": "Correct", "round": 1, "facts": [], "reason": "a card was read wrongly"}
    alone = do(house.address, first, correct)
    assert (alone["done"], alone["rule"], "two people" in alone["reason"]) == (False, "NZEB-12.3", True)
    assert "Sue is one" in do(house.address, first, correct, first)["reason"]
    dealer = staff["Dan"].ticket("dealer", TABLE)
    assert "cannot be the second person" in do(house.address, first, correct, dealer)["reason"]
    assert "not good here" in do(house.address, first, correct, "made up")["reason"]
    with_two = do(house.address, first, correct, staff["Ina"].ticket("inspector", TABLE))
    assert "two people" not in with_two["reason"], "now the table itself decides"
    # Where one person does it, another's ticket is not for it.
    shown = do(house.address, first, {"type": "ShowRules"}, staff["Ina"].ticket("inspector", TABLE))
    assert "a second ticket is not for it" in shown["reason"]


def test_stories_need_a_ticket_and_players_read_only_their_own(house: Running, staff: dict[str, Page]) -> None:
    path = f"{house.address}/api/tables/{TABLE}/rounds/1"
    assert httpx.get(path).status_code == 403
    pat = staff["Pat"].ticket("player", TABLE)
    dealer = staff["Dan"].ticket("dealer", TABLE)
    for name in ("Pat", "Quin"):
        do(house.address, dealer, {"type": "Sit", "player": name, "seat": 0})
        do(house.address, dealer, {"type": "BuyChips", "player": name, "amount": 10_000})
    story = httpx.get(path, headers={"Authorization": f"Ticket {dealer}"}).json()["story"]
    assert "Pat" in story
    assert "Quin" in story
    own = httpx.get(path, headers={"Authorization": f"Ticket {pat}"}).json()["story"]
    assert "Pat" in own
    assert "Quin" not in own


# ---------------------------------------------------------------- what is kept


def test_a_house_starts_clean_without_the_demonstration(tmp_path: Path) -> None:
    with plain_house(tmp_path) as running:
        assert len(running.one_time) == 19
        assert httpx.get(f"{running.address}/api/tables").json() == {"demo": False, "tables": []}
        asked = httpx.post(f"{running.address}/api/enter", json={"name": "x", "role": "dealer", "table": ""})
        assert (asked.status_code, "sign in first" in asked.json()["reason"]) == (403, True)
    folder = tmp_path / "croupier"
    assert {"house.db", "house.db.key", "house.db.key.tickets"} <= {each.name for each in folder.iterdir()}
    assert verify(f"sqlite:///{folder}/house.db", folder / "house.db.key").fault == ""


def test_no_secret_is_in_the_journal_and_the_house_verifies(tmp_path: Path) -> None:
    with house_with_accounts(tmp_path) as running:
        manager = manager_of(running)
        one_time = person(manager, "Dan", "dealer")
        ticket = manager.ticket("casino manager")
    url, key = f"sqlite:///{tmp_path}/house.db", tmp_path / "house.key"
    with open_reader(url) as store:
        written = b"".join(line.body for line in store.each_line("@people"))
    for secret in (running.one_time, one_time, GOOD, "argon2"):
        assert secret.encode() not in written
    assert verify(url, key).fault == ""
    assert (tmp_path / "house.key.tickets").stat().st_mode & 0o077 == 0
    with house_with_accounts(tmp_path) as again:
        assert "password" not in again.told, "the password is told once"
        shown = httpx.get(f"{again.address}/api/people", headers={"Authorization": f"Ticket {ticket}"})
        assert shown.status_code == 200, "tickets are good after a new start"
    with sqlite3.connect(tmp_path / "house.db") as database:
        database.execute("update account set verifier = (select verifier from account where name = 'manager')")
    database.close()
    assert "the password of 'dan'" in verify(url, key).fault
    with sqlite3.connect(tmp_path / "house.db") as database:
        database.execute("update account set roles = 'casino manager' where name = 'Dan'")
    database.close()
    assert "the account of 'dan'" in verify(url, key).fault


def people_command(*words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "croupier", "people", *words]
    return subprocess.run(line, check=False, capture_output=True, text=True, timeout=90)


def test_people_are_added_and_listed_at_the_console(tmp_path: Path) -> None:
    where = ("--db", f"sqlite:///{tmp_path}/house.db", "--key", f"{tmp_path}/house.key")
    made = json.loads(people_command("add", "Cas", "--role", "cashier", "--json", *where).stdout)
    assert len(made["one_time"]) == 19
    listed = json.loads(people_command("list", "--json", *where[:2]).stdout)["people"]
    assert listed == [{"name": "Cas", "roles": "cashier", "by": "password", "state": "to set a password"}]
    wrong = people_command("unlock", "Nob", *where)
    assert (wrong.returncode, "nobody here is called" in wrong.stderr) == (2, True)
    assert verify(where[1], tmp_path / "house.key").fault == ""


def test_ids_are_needed_for_commands(house: Running, staff: dict[str, Page]) -> None:
    body = {"id": secrets.token_hex(4), "ticket": staff["Ina"].ticket("inspector", TABLE), "command": {"type": "Tip"}}
    assert httpx.post(f"{house.address}/api/tables/{TABLE}/commands", json=body).status_code == 422
