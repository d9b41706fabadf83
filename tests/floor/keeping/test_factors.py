"""Second factors in a running house: enrolling, showing one for a command, using one twice, losing them."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from croupier.floor.audit.verify import verify
from croupier.floor.store.durable import open_reader
from croupier.house.people import decide as book
from croupier.house.people import messages as m
from croupier.house.people.decide import CONSOLE, TRIES
from tests.helpers.houses.factors import Telephone
from tests.helpers.houses.people import GOOD, TABLE, Page, Running, house_with_accounts, settled


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with house_with_accounts(tmp_path_factory.mktemp("factors"), second_factor="required") as running:
        yield running


def enrolled(page: Page, **shown: Any) -> Telephone:
    offered = page.post("/api/factors/offer", {"kind": "totp", "password": GOOD, **shown})
    assert offered.status_code == 200, offered.text
    offer = offered.json()
    assert offer["address"].startswith("otpauth:")
    assert len({len(row) for row in offer["picture"]}) == 1
    telephone = Telephone(offer["secret"])
    wrong = page.post("/api/factors", {"offer": offer["offer"], "shown": {"code": "000000"}})
    assert wrong.status_code == 422
    added = page.post("/api/factors", {"offer": offer["offer"], "shown": {"code": telephone.code()}, "label": "phone"})
    assert (added.status_code, added.json()["factors"][-1]["label"]) == (200, "phone"), added.text
    return telephone


def stepped(page: Page, telephone: Telephone, ticket: str, one: str) -> str:
    answer = page.post("/api/step-up", {"ticket": ticket, "command": one, "shown": {"code": telephone.code()}})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["ticket"])


def act(page: Page, ticket: str, one: str, **body: Any) -> httpx.Response:
    return page.post("/api/people", {"id": one, **body}, Authorization=f"Ticket {ticket}")


def added(page: Page, telephone: Telephone, second: tuple[Page, Telephone] | None, name: str, role: str) -> str:
    """A new person, given by one or two who manage; answers with the password for one use."""
    one = secrets.token_hex(16)
    ticket = stepped(page, telephone, page.ticket("casino manager"), one)
    other = stepped(*second, second[0].ticket("shift manager"), one) if second else ""
    answer = act(page, ticket, one, type="Add", name=name, roles=[role], second=other)
    assert answer.status_code == 200, answer.text
    # The same again has one effect, and no second password.
    assert act(page, ticket, one, type="Add", name=name, roles=[role], second=other).json() == {"name": name}
    return str(answer.json()["one_time"])


def test_roles_want_a_second_factor_once_for_each_and_losing_it_takes_two_others(house: Running) -> None:
    manager = settled(house.address, "manager", house.one_time)
    plain, one = manager.ticket("casino manager"), secrets.token_hex(16)
    body = {"type": "Add", "name": "Sam", "roles": ["shift manager"]}
    refused = act(manager, plain, one, **body)
    assert (refused.status_code, refused.json()["wants"]) == (403, "factor")
    assert manager.client.get("/api/me").json()["factor"]
    # A session that was left open is no second factor, nor does it give one.
    assert manager.post("/api/factors/offer", {"kind": "totp", "password": "not this one"}).status_code == 403
    telephone = enrolled(manager)
    assert manager.post("/api/factors/offer", {"kind": "totp", "password": GOOD}).status_code == 422

    code = telephone.code()
    shown = {"ticket": plain, "command": one, "shown": {"code": code}}
    ticket = manager.post("/api/step-up", shown).json()["ticket"]
    again = manager.post("/api/step-up", shown | {"command": secrets.token_hex(16)})
    assert (again.status_code, "used before" in again.json()["reason"]) == (422, True)
    # The ticket is good for that command and for no other, and not for anything else in the house.
    other = secrets.token_hex(16)
    assert act(manager, ticket, other, **body).status_code == 403
    assert manager.client.get("/api/people", headers={"Authorization": f"Ticket {ticket}"}).status_code == 403
    given = act(manager, ticket, one, **body)
    assert given.status_code == 200, given.text
    sam = settled(house.address, "Sam", given.json()["one_time"])
    his = enrolled(sam)
    dan = settled(house.address, "Dan", added(manager, telephone, (sam, his), "Dan", "casino manager"))
    lost = enrolled(dan)
    assert lost.code()

    # Two others who manage let Dan begin again; one alone, or he himself, do not.
    one = secrets.token_hex(16)
    forget: dict[str, Any] = {"type": "ForgetFactors", "name": "Dan"}
    ticket = stepped(manager, telephone, manager.ticket("casino manager"), one)
    alone = act(manager, ticket, one, **forget)
    assert (alone.status_code, "two others" in alone.json()["reason"]) == (403, True)
    unshown = sam.ticket("shift manager")
    assert act(manager, ticket, one, **forget, second=unshown).json()["wants"] == "factor"
    both = act(manager, ticket, one, **forget, second=stepped(sam, his, unshown, one))
    assert both.status_code == 200, both.text
    assert dan.client.get("/api/me").json()["name"] == ""
    dan = Page(house.address)
    assert dan.sign_in("Dan", GOOD).json()["factors"] == 0

    with open_reader(f"sqlite:///{house.folder}/house.db") as store:
        lines = [line.body for line in store.each_line("@people")]
    assert any(b'"FactorsForgotten"' in line and b'"second":"Sam"' in line for line in lines)
    assert not any(telephone.totp.secret.encode() in line for line in lines)
    assert verify(f"sqlite:///{house.folder}/house.db", house.folder / "house.key").fault == ""


def test_a_code_for_a_device_is_a_key_and_wants_one_too(house: Running) -> None:
    manager = Page(house.address)
    assert manager.sign_in("manager", GOOD).status_code == 200
    ticket = manager.ticket("casino manager", TABLE)
    answer = manager.post(
        "/api/devices/code", {"table": TABLE, "device": "shoe"}, Authorization=f"Ticket {ticket}"
    )  # fmt: skip
    assert (answer.status_code, answer.json()["wants"]) == (403, "factor")


@pytest.mark.parametrize(
    "shown",
    [
        {"passkey": {}},
        {"state": "x", "passkey": {"id": [], "rawId": 5}},
        {"code": "x" * 500},
        {"code": "１２３４５６"},
        {"state": "a.b.c", "passkey": {"response": {"authenticatorData": "????"}}},
    ],
)
def test_nonsense_for_a_factor_is_refused_in_one_line(house: Running, shown: dict[str, Any]) -> None:
    manager = Page(house.address)
    assert manager.sign_in("manager", GOOD).status_code == 200
    one = secrets.token_hex(16)
    for path in ("/api/step-up", "/api/step-up/challenge"):
        body = {"ticket": "made up", "command": one} | ({"shown": shown} if path == "/api/step-up" else {})
        assert manager.post(path, body).status_code == 403
    body = {"ticket": manager.ticket("casino manager"), "command": one, "shown": shown}
    answer = manager.post("/api/step-up", body)
    assert (answer.status_code, len(answer.text) < 300) == (422, True), answer.text
    assert manager.post("/api/step-up", body | {"command": "x"}).status_code in (403, 422)


# ---------------------------------------------------------------- what is decided


def after(people: book.People, what: m.AnyCommand, at_ms: int, *, by: str = CONSOLE, second: str = "") -> book.People:
    asked = m.Asked(what, by, CONSOLE if by == CONSOLE else "casino manager", at_ms, second)
    events = book.decide(people, asked)
    assert isinstance(events, tuple), events
    return book.after(people, book.entries(people, asked, events))


def refusal(people: book.People, what: m.AnyCommand, at_ms: int, *, by: str, second: str = "") -> str:
    decision = book.decide(people, m.Asked(what, by, "casino manager", at_ms, second))
    return "" if isinstance(decision, tuple) else decision.reason


def test_wrong_codes_lock_and_a_passkey_whose_counter_stands_still_was_copied() -> None:
    people = book.People()
    for name in ("Ann", "Ben", "Cat"):
        people = after(people, m.MakeAccount(name, ("casino manager",), "none", must_change=False), 0)
    for factor in (m.Factor("t", "totp", used=10), m.Factor("p", "passkey", public="x"), m.Factor("q", "passkey")):
        people = after(people, m.AddFactor("Ann", factor), 0, by="Ann")
    assert "does not act" in refusal(people, m.AddFactor("Ann", m.Factor("z", "totp")), 0, by="Ben")
    assert "used before" in refusal(people, m.ShowFactor("Ann", "t", right=True, count=10), 0, by="Ann")
    people = after(people, m.ShowFactor("Ann", "p", right=True, count=7), 0, by="Ann")
    for count in (7, 6, 0):
        assert "used before" in refusal(people, m.ShowFactor("Ann", "p", right=True, count=count), 0, by="Ann")
    for _ in range(2):  # a passkey that counts nothing
        people = after(people, m.ShowFactor("Ann", "q", right=True), 0, by="Ann")
    for _ in range(TRIES):
        people = after(people, m.ShowFactor("Ann", "t", right=False), 1_000, by="Ann")
    right = m.ShowFactor("Ann", "t", right=True, count=11)
    assert "locked" in refusal(people, right, 2_000, by="Ann")
    assert refusal(people, right, 1_000 + book.FIRST_WAIT_MS, by="Ann") == ""
    # Recovery: by two others, who are two.
    forget = m.ForgetFactors("Ann")
    for by, second in (("Ben", ""), ("Ben", "Ben"), ("Ben", "Ann"), ("Ann", "Ben"), ("Ben", "Nobody")):
        assert "two others" in refusal(people, forget, 0, by=by, second=second)
    people = after(people, forget, 0, by="Ben", second="Cat")
    ann = people.find("Ann")
    assert ann is not None
    assert (ann.factors, ann.factor_locked_until_ms, ann.epoch) == ((), 0, 1)
