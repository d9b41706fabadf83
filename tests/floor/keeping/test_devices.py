"""Devices of a real house: pairing by a code, secrets, notes, slips, vouchers to the cage, a shoe, and the plug."""

from __future__ import annotations

import secrets
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from croupier.floor.audit.verify import verify
from croupier.floor.keeping.credentials.sessions import TRIES_AT_ADDRESS
from croupier.floor.keeping.devices import CODE_SECONDS
from croupier.floor.store.durable import open_reader
from croupier.game import Refusal
from croupier.house.devices import decide as book
from croupier.house.devices.decide import TRIES, mark_of
from croupier.journal.entries import BadJournal
from tests.floor.rooms.test_cage_desk import Desk
from tests.helpers.houses.devices import TABLE, Device, DeviceHouse, device_house

SUPERVISOR = "game supervisor"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeviceHouse]:
    folder = tmp_path_factory.mktemp("devices")
    with device_house(folder) as running:
        running.do(SUPERVISOR, "ApproveSystem", version="1.0", approval="TA-0")
        yield running
    # Whatever was paired and released, the journals lead to it again.
    assert verify(f"sqlite:///{folder}/house.db", folder / "house.key").fault == ""


@pytest.fixture(scope="module")
def one(house: DeviceHouse) -> Device:
    return house.device(1)


# ---------------------------------------------------------------- pairing


def test_the_right_code_pairs_whoever_used_up_the_tries_of_the_address(house: DeviceHouse) -> None:
    house.do(SUPERVISOR, "PairTerminal", number=29, minimum=500, maximum=5000, approval="TA-1")
    code = house.code("Terminal 29").json()["code"]
    with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.9"), timeout=30) as client:
        door = f"{house.address}/api/devices/pair"
        tried = [client.post(door, json={"code": "aaaa-bbbb-cccc"}).status_code for _ in range(TRIES_AT_ADDRESS + 1)]
        assert tried[-1] == 429
        wrong = code[:-1] + ("a" if code[-1] != "a" else "b")
        assert client.post(door, json={"code": wrong}).status_code == 429
        paired = client.post(door, json={"code": code})
        assert (paired.status_code, paired.json()["name"]) == (200, "Terminal 29")
        assert client.post(door, json={"code": code}).status_code == 429


def test_a_code_pairs_one_device_once(house: DeviceHouse) -> None:
    house.do(SUPERVISOR, "PairTerminal", number=11, minimum=500, maximum=5000, approval="TA-1")
    code = house.code("Terminal 11").json()["code"]
    wrong = code[:-1] + ("a" if code[-1] != "a" else "b")
    answer = house.post("/api/devices/pair", {"code": wrong})
    assert (answer.status_code, "wrong, was used, or is too old" in answer.json()["reason"]) == (403, True)
    # Letters may be typed as they come; a code that was used is as good as none.
    paired = house.post("/api/devices/pair", {"code": code.upper().replace("-", " ")}).json()
    assert (paired["name"], paired["table"], len(bytes.fromhex(paired["secret"]))) == ("Terminal 11", TABLE, 32)
    assert house.post("/api/devices/pair", {"code": code}).status_code == 403
    entered = house.enter(paired["secret"]).json()
    assert (entered["name"], entered["table"]) == ("Terminal 11", TABLE)
    assert house.view(entered["ticket"])["terminal"]["number"] == 11
    for nonsense in ("", "x", paired["secret"][:-1], paired["secret"] + "0", code):
        assert house.enter(nonsense).status_code == 403


def test_only_a_supervisor_offers_a_code_and_only_for_what_the_table_has(house: DeviceHouse, one: Device) -> None:
    for role in ("dealer", "cashier", "inspector"):
        assert house.code(one.name, role).status_code == 403
    assert house.post("/api/devices/code", {"table": TABLE, "device": one.name}).status_code == 403
    missing = house.code("Terminal 99")
    assert (missing.status_code, "pair it with the table first" in missing.json()["reason"]) == (422, True)
    elsewhere = {"table": "EB-1", "device": "Terminal 1"}
    assert house.post("/api/devices/code", elsewhere, house.ticket(SUPERVISOR)).status_code == 403


def test_a_terminal_that_is_taken_away_is_nobody_even_when_it_comes_back(house: DeviceHouse) -> None:
    gone = house.device(12)
    ticket = gone.ticket
    assert house.ask(ticket, "ShowRules")["done"]
    house.do(SUPERVISOR, "UnpairTerminal", terminal=gone.name)
    assert house.enter(gone.secret).status_code == 403
    assert "paired here no more" in house.ask(ticket, "ShowRules")["reason"]
    back = house.device(12)
    assert back.secret != gone.secret
    assert house.enter(gone.secret).status_code == 403
    assert gone.notes(1000).status_code == 403
    # Pairing it a second time is refused, and does not end the one that is there.
    again = house.ask(house.ticket(SUPERVISOR), "PairTerminal", number=12, minimum=500, maximum=5000)
    assert (again["done"], again["rule"]) == (False, "NZEB-3.3a")
    assert house.enter(back.secret).status_code == 200
    # A new code makes a new device of it, and the old one ends with its tickets.
    ticket = back.ticket
    newer = house.pair(back.name)
    assert house.enter(back.secret).status_code == 403
    assert "paired here no more" in house.ask(ticket, "ShowRules")["reason"]
    assert house.enter(newer).status_code == 200


def test_nobody_is_a_terminal_by_name(house: DeviceHouse) -> None:
    one = house.device(16)
    assert one.notes(5000).json()["done"]
    # Whoever enters is given this one, at which nobody plays.
    house.device(17)
    body = {"name": one.name, "role": "note acceptor", "table": TABLE}
    ticket = house.post("/api/enter", body).json()["ticket"]
    answer = house.ask(ticket, "InsertNotes", terminal=one.name, notes=[5000])
    assert "it enters with its own secret" in answer["reason"]
    player = house.post("/api/enter", body | {"role": "player"}).json()
    assert player["name"] != one.name


# ---------------------------------------------------------------- notes and limits


def test_nzeb_5_3a_notes_are_credited_once_by_the_acceptor_alone(house: DeviceHouse) -> None:
    device = house.device(13, notes=[500, 2000])
    assert not device.view()["terminal"]["active"]
    key = secrets.token_hex(16)
    first = device.notes(2000, 500, one=key)
    again = device.notes(2000, 500, one=key)
    assert first.json() == again.json()
    assert first.json()["done"]
    view = device.view()
    assert (view["me"]["chips"], view["terminal"]["active"]) == (2500, True)
    refused = device.notes(5000).json()
    assert (refused["done"], refused["rule"]) == (False, "NZEB-5.3a")
    assert device.notes(2000, secret="0" * 64).status_code == 403
    assert device.notes(2000, one="short").status_code == 422
    assert not device.do("InsertNotes", terminal=device.name, notes=[2000])["done"]
    assert device.view()["me"]["chips"] == 2500


def test_another_persons_command_id_tells_nothing_of_his_voucher(house: DeviceHouse) -> None:
    victim, thief = house.device(14, notes=[500, 2000]), house.device(15, notes=[500, 2000])
    assert victim.notes(2000).json()["done"]
    assert thief.notes(500).json()["done"]
    key = secrets.token_hex(16)
    first = victim.do("CashOut", key, terminal=victim.name, voucher="")
    assert len(first["voucher"]) == 28
    assert victim.do("CashOut", key, terminal=victim.name, voucher="") == first
    stolen = thief.do("CashOut", key, terminal=thief.name, voucher="")
    assert (stolen["done"], stolen.get("voucher", "")) == (False, "")
    assert "another request" in stolen["reason"]
    # Neither does the owner get a second effect under that id.
    assert "another request" in victim.do("PlaceWager", key, player=victim.name, on="tie", amount=1000)["reason"]
    # An id of a line elsewhere is no key to a line here.
    shown = thief.do("ShowRules", key := secrets.token_hex(16))
    assert shown["done"]
    assert "voucher" not in thief.do("CashOut", key, terminal=thief.name, voucher="")
    assert thief.view()["me"]["chips"] == 500


def test_nzeb_3_4b_a_terminal_sees_its_own_six_items_and_nobody_else_does(house: DeviceHouse, one: Device) -> None:
    view = one.view()["terminal"]
    rules = [item["rule"] for item in view["display"].values()]
    assert rules == [f"NZEB-3.4b.{part}" for part in ("i", "ii", "iii", "iv", "v", "vi")]
    assert view["display"]["limits"]["value"] == [1000, 50_000]
    assert view["limits"]["banker"] == [1000, 50_000]
    assert "terminal" not in house.view(house.ticket("dealer"))


def test_a_shoe_is_shown_what_any_guest_is(house: DeviceHouse, one: Device) -> None:
    """It tells cards as the dealer does; who plays there, with how much, is none of its job, nor is it the dealer."""
    view, dealers = (house.view(house.enter(house.pair("shoe")).json()["ticket"]), house.view(house.ticket("dealer")))
    assert one.name in str(dealers["electronic"])
    assert {"players", "electronic", "payments", "disputes", "orders"} <= dealers.keys() - view.keys()
    assert one.name not in str(view)
    assert view["due"] == dealers["due"]


# ---------------------------------------------------------------- a hand, from the slips to the cage


def test_nzeb_5_5_no_card_before_every_slip_and_a_voucher_to_the_cage(house: DeviceHouse, one: Device) -> None:
    two = house.device(18)
    for device in (one, two):
        house.do("dealer", "CreditTerminal", terminal=device.name, amount=20_000)
    shoe = house.enter(house.pair("shoe")).json()["ticket"]

    def drawn(card: str) -> dict[str, object]:
        body = {"id": secrets.token_hex(16), "card": card}
        answer: dict[str, object] = house.post(f"/api/tables/{TABLE}/shoe", body, shoe).json()
        return answer

    house.until(act="close betting")
    assert one.touch("banker", 5000)["done"]
    assert one.touch("banker", 1000)["done"]
    assert two.touch("player", 1000)["done"]
    early = one.confirm()
    assert (early["done"], early["rule"]) == (False, "NZEB-5.5")
    house.until("deal")
    late = two.touch("tie", 1000)
    assert (late["done"], late["rule"]) == (False, "NZEB-3.4c.i")
    _refused_until_confirmed(house, one, two, drawn)
    # The wagers of the second went back; the first is dealt for.
    assert two.view()["me"]["chips"] == 20_000
    _dealt(house, shoe, drawn)
    view = one.view()
    assert view["me"]["chips"] == 20_000 - 6000 + 11_700
    assert [each["on"] for each in view["terminal"]["recall"][0]["wagers"]] == ["banker"]
    assert view["terminal"]["display"]["won"]["value"] == 5700
    assert two.view()["terminal"]["recall"] == []
    _cashed(house, one)


def _refused_until_confirmed(house: DeviceHouse, one: Device, two: Device, drawn: object) -> None:
    assert callable(drawn)
    for answer in (drawn("9h"), house.tell("9h")):
        assert (answer["done"], answer["rule"], "Terminal 1, Terminal 18" in answer["reason"]) == (
            False,
            "NZEB-5.5",
            True,
        )
    assert house.view(house.ticket("dealer"))["electronic"]["unconfirmed"] == ["Terminal 1", "Terminal 18"]
    other = one.confirm("0" * 64)
    assert (other["done"], "shows other wagers" in other["reason"]) == (False, True)
    assert not two.do("ConfirmSlip", terminal=one.name, slip=one.shows())["done"]
    assert one.view()["terminal"]["slip"]["owed"]
    assert one.confirm()["done"]
    assert one.view()["terminal"]["slip"] == {"owed": False, "confirmed": True, "rule": "NZEB-5.5"}
    answer = drawn("9h")
    assert (answer["done"], "not confirmed by Terminal 18" in answer["reason"]) == (False, True)
    assert not house.ask(house.ticket("dealer"), "ReturnSlip", terminal=two.name, reason="it is dark")["done"]
    house.do(SUPERVISOR, "ReturnSlip", terminal=two.name, reason="it is dark")


def _dealt(house: DeviceHouse, shoe: str, drawn: object) -> None:
    """A hand from the shoe: Banker wins with 9 over 7; nothing else is a shoe's to do."""
    assert callable(drawn)
    assert drawn("Kh")["done"]
    no = drawn("17")
    assert (no["done"], no["reason"] != "") == (False, True)
    assert "not for a shoe" in house.ask(shoe, "CreditTerminal", terminal="Terminal 1", amount=100)["reason"]
    assert "not for a shoe" in house.ask(shoe, "Tell", fact={"perform": "announce player", "by": "dealer"})["reason"]
    body = {"id": secrets.token_hex(16), "card": "9c"}
    assert house.post(f"/api/tables/{TABLE}/shoe", body, house.ticket("dealer")).status_code == 403
    assert house.post("/api/tables/EB-1/shoe", body, shoe).status_code == 403
    for card in ("9c", "7s", "10d"):
        assert drawn(card)["done"]
    not_due = drawn("2c")
    assert (not_due["done"], str(not_due["rule"]).startswith(("NZEB-", "NZD5-"))) == (False, True)
    house.until(act="close betting")


def _cashed(house: DeviceHouse, one: Device) -> None:
    key = secrets.token_hex(16)
    answer = one.do("CashOut", key, terminal=one.name, voucher="1" * 18)
    assert answer["done"], answer
    code = answer["voucher"]
    assert code != "1" * 18
    assert one.do("CashOut", key, terminal=one.name, voucher="")["voucher"] == code
    assert not one.view()["terminal"]["active"]
    at_table = house.ask(house.ticket("dealer"), "RedeemVoucher", voucher=code, amount=25_700)
    assert (at_table["done"], at_table["rule"]) == (False, "NZEB-10.6")
    tender = house.ask(house.ticket("dealer"), "BuyChips", player="Gus", amount=25_700, tender="voucher")
    assert (tender["done"], tender["rule"]) == (False, "NZEB-10.6")
    desk = Desk(house.address)
    assert desk.do("OpenShift", cash=100_000)["done"]
    assert httpx.get(f"{house.address}/voucher", params={"id": code}).status_code == 200
    assert desk.do("RedeemVoucher", voucher=code, amount=25_700)["done"]
    twice = desk.do("RedeemVoucher", voucher=code, amount=25_700)
    assert (twice["done"], twice["rule"]) == (False, "NZEB-10.6")


# ---------------------------------------------------------------- the demonstration


def test_whoever_enters_the_demonstration_has_the_next_free_terminal(house: DeviceHouse) -> None:
    def enter(name: str) -> dict[str, str]:
        entered: dict[str, str] = house.post("/api/enter", {"name": name, "role": "player", "table": "EB-1"}).json()
        return entered

    zoe, yan, again = enter("Zoe"), enter("Yan"), enter("Zoe")
    assert (zoe["name"], yan["name"]) == ("Terminal 4", "Terminal 5")
    # Somebody who comes again has the same terminal, whose secret was told before.
    assert (again["name"], again["secret"]) == ("Terminal 4", "")
    assert house.enter(zoe["secret"]).json()["name"] == "Terminal 4"
    # The page plays the note acceptor too, which is a device of its own: the terminal itself credits nothing.
    practised = Device(house, zoe["name"], zoe["secret"], zoe["acceptor"])
    assert practised.notes(5000, secret=zoe["secret"]).status_code == 403
    assert practised.notes(5000).json()["done"]


# ---------------------------------------------------------------- the plug


def test_nzeb_12_5b_a_pairing_and_a_lock_outlive_the_plug(tmp_path: Path) -> None:
    with device_house(tmp_path) as house:
        house.do(SUPERVISOR, "ApproveSystem", version="1.0", approval="TA-0")
        device = house.device(7)
        assert device.notes(10_000).json()["done"]
        house.do(SUPERVISOR, "ReportMalfunction", terminal=device.name, fault="the screen is dark")
        code = house.code(device.name).json()["code"]
        house.process.send_signal(signal.SIGKILL)
        house.process.wait(20)
    raw = b"".join(path.read_bytes() for path in tmp_path.glob("house.db*"))
    assert device.secret.encode() not in raw
    assert code.encode() not in raw
    assert code.replace("-", "").encode() not in raw
    with device_house(tmp_path) as house:
        device.house = house
        view = device.view()
        assert (view["terminal"]["locked"], view["me"]["chips"]) == (True, 10_000)
        for answer in (device.notes(1000).json(), device.do("CashOut", terminal=device.name, voucher="")):
            assert (answer["done"], answer["rule"]) == (False, "NZEB-12.5b")
        # The code that was offered before is good still, and then used.
        assert house.post("/api/devices/pair", {"code": code}).status_code == 200
        assert house.enter(device.secret).status_code == 403
    with open_reader(f"sqlite:///{tmp_path}/house.db", key_path=tmp_path / "house.key") as store:
        # The terminal and its acceptor were each offered a code and paired, and then the terminal once more.
        assert store.last(book.JOURNAL)[0] == 6
    assert verify(f"sqlite:///{tmp_path}/house.db", tmp_path / "house.key").fault == ""


# ---------------------------------------------------------------- the journal of the devices


def asked(devices: book.Devices, what: book.AnyCommand, at_ms: int = 0, role: str = SUPERVISOR) -> book.Devices:
    request = book.Asked(what, "Sue", role, at_ms)
    events = book.decide(devices, request)
    assert not isinstance(events, Refusal), events
    lines = tuple(book.decode(book.encode(line)) for line in book.entries(devices, request, events))
    return book.after(devices, lines)


def no(devices: book.Devices, what: book.AnyCommand, at_ms: int = 0, role: str = SUPERVISOR) -> str:
    events = book.decide(devices, book.Asked(what, "Sue", role, at_ms))
    assert isinstance(events, Refusal)
    return events.reason


def offer(selector: str = "abcd", name: str = "Terminal 7", until_ms: int = 1000) -> book.OfferCode:
    return book.OfferCode(TABLE, name, "terminal", selector, mark_of("right"), until_ms)


RIGHT = book.PairDevice("abcd", mark_of("right"), mark_of("secret"))
WRONG = book.PairDevice("abcd", mark_of("wrong"), mark_of("other"))


@pytest.mark.parametrize(("at_ms", "good"), [(999, True), (1000, True), (1001, False)])
def test_a_code_is_good_until_its_time(at_ms: int, *, good: bool) -> None:
    devices = asked(book.Devices(), offer())
    if good:
        assert asked(devices, RIGHT, at_ms).with_secret("secret") is not None
    else:
        assert "too old" in no(devices, RIGHT, at_ms)


@pytest.mark.parametrize(("tries", "good"), [(TRIES - 1, True), (TRIES, False), (TRIES + 1, False)])
def test_a_code_is_void_after_so_many_wrong_tries(tries: int, *, good: bool) -> None:
    devices = asked(book.Devices(), offer())
    for number in range(tries):
        if number < TRIES:
            devices = asked(devices, WRONG)
        else:
            assert "too old" in no(devices, WRONG)
    assert not devices.paired
    if good:
        assert asked(devices, RIGHT).with_secret("secret") is not None
    else:
        assert "too old" in no(devices, RIGHT)


def test_a_newer_code_for_a_device_ends_the_older_one() -> None:
    devices = asked(asked(book.Devices(), offer()), offer("efgh"))
    assert "wrong" in no(devices, RIGHT)
    assert "of no use" in no(devices, offer("efgh", "Terminal 8"))
    assert "not by the dealer" in no(devices, offer("ijkl"), role="dealer")
    assert "1 to 60" in no(devices, offer("ijkl", "x" * 61))
    assert asked(devices, offer("ijkl", "x" * 60)).offers.keys() == {"efgh", "ijkl"}


def test_a_device_paired_anew_is_another_and_a_released_one_is_none() -> None:
    first = asked(asked(book.Devices(), offer()), RIGHT)
    second = asked(asked(first, offer("efgh")), book.PairDevice("efgh", mark_of("right"), mark_of("new")))
    key = (TABLE, "Terminal 7")
    assert first.paired[key].epoch != second.paired[key].epoch
    assert (second.with_secret("secret"), second.with_secret("new")) == (None, second.paired[key])
    third = asked(second, book.ReleaseDevice(*key))
    assert (third.paired, third.with_secret("new")) == ({}, None)
    assert "is not paired" in no(third, book.ReleaseDevice(*key))


def test_a_journal_that_cannot_be_is_refused() -> None:
    (line,) = book.entries(book.Devices(), book.Asked(RIGHT, "", ""), (book.PairingFailed(selector="abcd"),))
    with pytest.raises(BadJournal, match="nobody offered"):
        book.after(book.Devices(), (line,))
    with pytest.raises(BadJournal, match="where 1 is next"):
        book.after(book.Devices(entries=1), (line,))


def test_codes_are_good_for_minutes() -> None:
    assert 60 <= CODE_SECONDS <= 600
