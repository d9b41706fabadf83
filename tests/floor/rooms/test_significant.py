"""Significant events: found in the journals, declared at the doors, acknowledged by whoever may, once, and for ever."""

from __future__ import annotations

import secrets
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from croupier.floor.audit.verify import verify
from croupier.game import Refusal
from croupier.house.cage import messages as cage
from croupier.house.jackpot import messages as link
from croupier.house.significant import messages as m
from croupier.house.significant.decide import FAR, LONGEST_NOTE, Significant, after, decide, entries
from croupier.house.significant.kinds import KINDS
from croupier.house.significant.seen import seen
from croupier.journal.entries import encode
from croupier.journal.messages import Entry, Event
from croupier.law.officials import INSPECTOR, ROLES
from croupier.prove.books.instruments import servers as postgres
from croupier.table import events as e
from croupier.table.terminals import events as t
from tests.floor.rooms.test_bridges import answered, bridged
from tests.helpers.houses.devices import SETTINGS, TABLE, Device, DeviceHouse
from tests.helpers.houses.people import house_with_accounts, manager_of, person, settled
from tests.helpers.houses.served import served

LARGE = 1_000
CONFIG = f"{SETTINGS}[significant]\nlarge_win = {LARGE}\n"
PATIENCE_SECONDS = 60


def running(folder: Path, stack: ExitStack, *, db: str = "", **more: Any) -> DeviceHouse:
    (folder / "house.toml").write_text(CONFIG)
    how = {"pace": "600,0.1,0.05", "config": str(folder / "house.toml"), "db": db}
    return DeviceHouse(*stack.enter_context(served(folder, **(how | more))))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeviceHouse]:
    with ExitStack() as stack:
        made = running(tmp_path_factory.mktemp("significant"), stack)
        made.do("game supervisor", "ApproveSystem", version="1.0", approval="TA-0")
        yield made


@pytest.fixture(scope="module")
def device(house: DeviceHouse) -> Device:
    return house.device(1)


def ticket(house: DeviceHouse, role: str, name: str = "", table: str = TABLE) -> str:
    body = {"name": name or f"The {role}", "role": role, "table": table}
    return str(house.post("/api/enter", body).json()["ticket"])


def shown(house: DeviceHouse, role: str = "casino supervisor", table: str = TABLE) -> dict[str, Any]:
    headers = {"Authorization": f"Ticket {ticket(house, role, table=table)}"}
    answer = httpx.get(f"{house.address}/api/significant", headers=headers, timeout=30)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def waiting(house: DeviceHouse, *kinds: str, table: str = TABLE, **parts: Any) -> list[dict[str, Any]]:
    """The open events of these kinds, once there are any of each."""
    until, there = time.monotonic() + PATIENCE_SECONDS, list[dict[str, Any]]()
    while time.monotonic() < until:
        there = shown(house, table=table)["open"]
        found = [each for each in there if each["kind"] in kinds and parts.items() <= each.items()]
        if {each["kind"] for each in found} == set(kinds):
            return found
        time.sleep(0.1)
    raise AssertionError(f"no {kinds} with {parts} in {there}")


def acknowledge(house: DeviceHouse, number: int, shown: str, note: str = "looked at", one: str = "") -> httpx.Response:
    body = {"id": one or secrets.token_hex(16), "note": note}
    return house.post(f"/api/significant/{number}", body, shown)


def declare(house: DeviceHouse, shown: str, **parts: Any) -> httpx.Response:
    usual = {"id": secrets.token_hex(16), "kind": "door", "said": "the cabinet", "table": TABLE, "device": "Terminal 9"}
    return house.post("/api/significant", usual | parts, shown)


def opened(house: DeviceHouse, **parts: Any) -> int:
    """The number of a door that a supervisor declared."""
    answer = declare(house, house.ticket("game supervisor"), **parts).json()
    assert answer["done"], answer
    return int(answer["line"])


# ---------------------------------------------------------------- what the journals know


def line(event: Event) -> bytes:
    return encode(Entry(41, 7_000, "Sue", "game supervisor", event, second="Max"))


EVENTS: tuple[tuple[str, Event, str], ...] = (
    ("B-1", t.MalfunctionReported(case=0, fault="dark", rounds=(), terminal="T", rule="NZEB-12.4"), "malfunction"),
    ("B-1", t.LockedOut(case=0, terminal="T", rule="NZEB-12.4"), "lock_out"),
    ("B-1", t.VoucherDue(terminal="T", round=3, amount=500, rule=""), "unpaid"),
    ("B-1", e.UnclaimedHeld(player="Gus", amount=500, rule=""), "unpaid"),
    ("B-1", e.RoundCorrected(round=3, facts=(), reason="a card was misread", rule=""), "correction"),
    ("B-1", e.RoundInvalidated(round=3, ground="fire", rule=""), "correction"),
    ("B-1", e.JackpotClaimed(round=3, link="Grand", hands={}, rule=""), "jackpot"),
    ("@cage", cage.VoucherVoided(voucher="x", amount=500, table="B-1", reason="a fault", rule=""), "unpaid"),
    ("@link:Grand", link.HandsCorrected(table="B-1", round=3, prizes={}, rule=""), "correction"),
)


@pytest.mark.parametrize(("journal", "event", "kind"), EVENTS, ids=lambda each: type(each).__name__)
def test_what_a_journal_says_is_read_from_there(journal: str, event: Event, kind: str) -> None:
    noted = seen(journal, line(event), LARGE)
    assert noted is not None
    assert (noted.kind, noted.table, noted.line, noted.at_ms) == (kind, "B-1", 42, 7_000)
    assert (noted.person, noted.second, noted.rule) == ("Sue", "Max", event.rule)


@pytest.mark.parametrize(
    ("cents", "threshold", "large"), [(999, 1000, False), (1000, 1000, True), (1001, 1000, True), (1000, 0, False)]
)
def test_a_win_is_large_from_what_the_settings_say(cents: int, threshold: int, *, large: bool) -> None:
    event = e.WagerSettled(number=1, player="Gus", on="player", result="won", pays=cents, rule="NZD5-5.7a")
    noted = seen("B-1", line(event), threshold)
    assert (noted is not None) == large
    assert noted is None or (noted.kind, noted.cents, noted.device) == ("large_win", cents, "Gus")


def test_what_was_told_before_the_journal_began_is_not_asked_for_and_nothing_is_noted_twice() -> None:
    def asked(book: Significant, what: m.AnyCommand) -> Significant:
        request = m.Asked(what, "console", "console", 5)
        events = decide(book, request)
        assert not isinstance(events, Refusal), events
        return after(book, entries(book, request, events))

    def found(number: int) -> m.Noted:
        return m.Noted(kind="malfunction", at_ms=1, event=number, journal="B-1", line=1, table="B-1")

    book = asked(Significant(), m.Note((), until=5_000))
    assert (book.begun, book.watched, len(book.open)) == (True, 5_000, 0)
    for known in (4_999, 5_000):
        assert isinstance(decide(book, m.Asked(m.Note((found(known),), until=6_000), "", "", 5)), Refusal)
    book = asked(book, m.Note((found(5_001), found(5_003)), until=5_100))
    assert (book.watched, [each.event for each in book.open.values()]) == (5_003, [5_001, 5_003])
    # Where nothing happens for long, the journal says how far the feed was read, and not more often.
    assert decide(book, m.Asked(m.Note((), until=5_002 + FAR), "", "", 5)) == ()
    assert decide(book, m.Asked(m.Note((), until=5_003 + FAR), "", "", 5)) == (m.WatchedUntil(event=5_003 + FAR),)


def test_a_round_leaves_its_events_with_the_rule_of_each(house: DeviceHouse, device: Device) -> None:
    """A large win, its correction, and a malfunction, each done at the table by whoever does it there."""
    house.do("dealer", "CreditTerminal", terminal=device.name, amount=5_000)
    house.until(act="close betting")
    number = int(device.view()["round"])
    assert device.touch("player", LARGE)["done"]
    house.until("deal")
    assert device.confirm()["done"]
    for card in ("9c", "Kh", "10d", "7s"):
        assert house.tell(card)["done"]
    house.until(act="close betting")
    (won,) = waiting(house, "large_win")
    assert (won["cents"], won["device"], won["table"], won["practice"]) == (LARGE, device.name, TABLE, True)
    assert won["rule"].startswith("NZ")
    assert won["summary"]

    facts = ["9c", "Kh", "10d", "9s"]
    house.do("casino supervisor", "Correct", round=number, facts=facts, reason="the seven was a nine")
    (corrected,) = waiting(house, "correction")
    assert (corrected["round"], corrected["said"]) == (number, "the seven was a nine")

    house.do("game supervisor", "ReportMalfunction", terminal=device.name, fault="the screen is dark")
    both = waiting(house, "malfunction", "lock_out", device=device.name)
    assert all(each["rule"].startswith("NZEB-12") and each["summary"] for each in both)


# ---------------------------------------------------------------- acknowledging


def test_who_did_not_cause_it_and_may_acknowledges_once_with_a_note(house: DeviceHouse) -> None:
    number = opened(house)
    for role in ROLES:
        if role in ("note acceptor", "player"):
            continue
        answer = acknowledge(house, number, ticket(house, role), note="")
        if role in KINDS["door"].acknowledged_by | {INSPECTOR}:
            assert (answer.status_code, answer.json()["done"]) == (200, False), role
        else:
            assert answer.status_code == 403, role
    assert "game supervisor" in acknowledge(house, number, ticket(house, INSPECTOR)).json()["reason"]
    assert acknowledge(house, number, "").status_code == 403

    sue, one = ticket(house, "game supervisor", "Sue"), secrets.token_hex(16)
    for bad in ("", "   ", "x" * (LONGEST_NOTE + 1)):
        assert not acknowledge(house, number, sue, bad).json()["done"]
    forged = {"id": one, "note": "looked at", "by": "Max", "role": "casino manager"}
    assert house.post(f"/api/significant/{number}", forged, sue).status_code == 422
    first = acknowledge(house, number, sue, "the technician had it open", one=one).json()
    assert first["done"], first
    assert acknowledge(house, number, sue, "the technician had it open", one=one).json() == first
    again = acknowledge(house, number, ticket(house, "casino manager", "Max")).json()
    assert (again["done"], again["reason"]) == (
        False,
        f"event {number} was acknowledged by Sue, the game supervisor",
    )
    # The same id for something else is taken.
    assert not acknowledge(house, opened(house), sue, one=one).json()["done"]
    (looked,) = [each for each in shown(house)["acknowledged"] if each["number"] == number]
    assert looked["acknowledged"]["note"] == "the technician had it open"
    assert (looked["acknowledged"]["person"], looked["mine"]) == ("Sue", False)


@pytest.mark.parametrize("number", ["0", "-1", "x", "999999", str(2**63), "1e3"])
def test_a_number_that_no_event_has_is_refused(house: DeviceHouse, number: str) -> None:
    answer = house.post(
        f"/api/significant/{number}",
        {"id": secrets.token_hex(16), "note": "x"},
        house.ticket("game supervisor"),
    )
    assert answer.status_code == 422 or not answer.json()["done"]


def test_whoever_caused_a_correction_does_not_acknowledge_it() -> None:
    noted = m.Noted(kind="correction", at_ms=1, event=1, journal="B-1", line=1, person="Sue", second="Max")
    request = m.Asked(m.Note((noted,), until=1), "", "", 1)
    made = decide(Significant(begun=True), request)
    assert not isinstance(made, Refusal)
    book = after(Significant(begun=True), entries(Significant(begun=True), request, made))
    for name, role, done in (
        ("sue", "casino manager", False),
        ("MAX", "casino supervisor", False),
        ("Ina", "game supervisor", False),
        ("Ina", "inspector", True),
    ):
        answer = decide(book, m.Asked(m.Acknowledge(1, "looked at"), name, role, 2))
        assert isinstance(answer, Refusal) != done, (name, role)


def test_a_ticket_of_another_table_sees_and_acknowledges_nothing_of_this_one(house: DeviceHouse) -> None:
    number = opened(house)
    other = ticket(house, "game supervisor", table="B-4")
    assert number not in {each["number"] for each in shown(house, table="B-4")["open"]}
    assert acknowledge(house, number, other).json()["reason"] == f"there is no open event {number} here"
    assert declare(house, other).status_code == 403
    assert declare(house, other, table="").status_code == 403
    assert declare(house, ticket(house, "game supervisor", table=""), table="B-9").status_code == 422
    everywhere = ticket(house, "game supervisor", table="")
    assert number in {each["number"] for each in shown(house, table="")["open"]}
    assert acknowledge(house, number, everywhere).json()["done"]


@pytest.mark.parametrize("kind", [kind for kind, each in KINDS.items() if not each.declared])
def test_what_the_journals_know_cannot_be_declared(house: DeviceHouse, kind: str) -> None:
    answer = declare(house, house.ticket("game supervisor"), kind=kind).json()
    assert (answer["done"], "read from the journals" in answer["reason"]) == (False, True)


@pytest.mark.parametrize("role", ["dealer", "cashier", "inspector"])
def test_only_a_supervisor_declares(house: DeviceHouse, role: str) -> None:
    assert declare(house, ticket(house, role)).status_code == 403


# ---------------------------------------------------------------- devices


def test_a_device_speaks_of_itself_and_says_nothing_twice(house: DeviceHouse, device: Device) -> None:
    def says(secret: str, **more: Any) -> httpx.Response:
        body = {"id": secrets.token_hex(16), "secret": secret, "kind": "door", "said": "top box"}
        return house.post("/api/devices/event", body | more)

    assert says("nobody's").status_code == 403
    for bad in ({"kind": "power"}, {"kind": "nonsense"}, {"device": "Terminal 2"}, {"table": "B-4"}):
        assert says(device.secret, **bad).status_code == 422, bad
    for _ in range(3):
        assert says(device.secret).json()["done"]
    (door,) = waiting(house, "door", device=device.name)
    assert (door["said"], door["table"], door["person"]) == ("top box", TABLE, device.name)
    assert acknowledge(house, door["number"], house.ticket("game supervisor")).json()["done"]
    assert says(device.secret).json()["done"]
    (again,) = waiting(house, "door", device=device.name)
    assert again["number"] > door["number"]


def test_an_acceptor_on_its_line_tells_of_its_door_and_its_faults(
    house: DeviceHouse, device: Device, tmp_path: Path
) -> None:
    with bridged(house, "notes", device.acceptor, tmp_path) as serial:
        assert answered(serial, "1 DOOR stacker") == "OK 1"
        assert answered(serial, "2 FAULT note jam") == "OK 2"
        assert answered(serial, "2 FAULT note jam") == "OK 2"
    name = f"{device.name} note acceptor"
    both = waiting(house, "door", "note_acceptor", device=name)
    assert {(each["kind"], each["said"]) for each in both} == {("door", "stacker"), ("note_acceptor", "note jam")}


# ---------------------------------------------------------------- metrics, feed, restarts, processes


def gauge(house: DeviceHouse, kind: str) -> float:
    text = httpx.get(f"{house.address}/metrics", timeout=30).text
    (found,) = [row for row in text.splitlines() if row.startswith(f'croupier_significant_open{{kind="{kind}"}}')]
    return float(found.split()[-1])


def test_metrics_and_the_feed_tell_of_them(house: DeviceHouse) -> None:
    before = gauge(house, "door")
    number = opened(house)
    assert gauge(house, "door") == before + 1
    assert acknowledge(house, number, house.ticket("game supervisor"), "seen").json()["done"]
    assert gauge(house, "door") == before
    until, told_of = time.monotonic() + PATIENCE_SECONDS, list[Any]()
    while len(told_of) < 2 and time.monotonic() < until:
        page = httpx.get(f"{house.address}/api/events", params={"most": 1000}, timeout=30).json()
        mine = [each for each in page["events"] if each["journal"] == "@significant"]
        told_of = [each for each in mine if each["line"] == number or each["entry"]["event"].get("number") == number]
        time.sleep(0.1)
    assert [each["entry"]["event"]["type"] for each in told_of] == ["Noted", "Acknowledged"]
    assert (told_of[1]["entry"]["by"], told_of[1]["entry"]["event"]["note"]) == ("Sue", "seen")


def test_they_outlive_restarts_and_a_kill_is_told_from_a_stop(tmp_path: Path) -> None:
    with ExitStack() as stack:
        first = running(tmp_path, stack)
        kept, gone = opened(first), opened(first)
        assert acknowledge(first, gone, first.ticket("game supervisor")).json()["done"]
        assert not [each for each in shown(first)["open"] if each["kind"] == "power"]
    with ExitStack() as stack:
        second = running(tmp_path, stack)
        after_stop = shown(second)
        assert [each["number"] for each in after_stop["open"]] == [kept]
        assert [each["number"] for each in after_stop["acknowledged"]] == [gone]
        # Wait until its start is written, so that a kill can be known.
        wait_for(lambda: started(second))
        second.process.send_signal(signal.SIGKILL)
        second.process.wait(20)
    with ExitStack() as stack:
        third = running(tmp_path, stack)
        (power,) = waiting(third, "power")
        assert (power["table"], power["for_role"]) == ("", "casino supervisor")
        refused = acknowledge(third, power["number"], ticket(third, "game supervisor")).json()
        assert "casino supervisor" in refused["reason"]
        assert acknowledge(third, power["number"], ticket(third, "casino supervisor")).json()["done"]
    assert verify(f"sqlite:///{tmp_path}/house.db", tmp_path / "house.key").fault == ""


def started(house: DeviceHouse) -> bool:
    page = httpx.get(f"{house.address}/api/events", params={"most": 1000}, timeout=30).json()
    last = [each for each in page["events"] if each["journal"] == "@significant"]
    return bool(last) and last[-1]["entry"]["event"]["type"] == "ProcessStarted"


def wait_for(true: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < until
        time.sleep(0.1)


def test_either_of_two_processes_shows_and_acknowledges_them(tmp_path: Path) -> None:
    with ExitStack() as stack:
        try:
            url = postgres.new_database(stack.enter_context(postgres.postgresql()))
        except postgres.NoPostgresql as error:
            pytest.skip(f"NO POSTGRESQL, TWO PROCESSES ARE NOT TESTED: {error}")
        here, there = (running(tmp_path, stack, db=url) for _ in range(2))
        numbers = [opened(here), opened(there)]
        wait_for(
            lambda: all({each["number"] for each in shown(house)["open"]} >= set(numbers) for house in (here, there))
        )
        assert acknowledge(there, numbers[0], there.ticket("game supervisor")).json()["done"]
        assert not acknowledge(here, numbers[0], here.ticket("game supervisor")).json()["done"]
        wait_for(lambda: gauge(here, "door") == gauge(there, "door") == 1)
        here.process.kill()
        here.process.wait(20)
        # The other one goes on, and keeps the journal from now on.
        answer = acknowledge(there, numbers[1], there.ticket("game supervisor"))
        until = time.monotonic() + PATIENCE_SECONDS
        while answer.status_code == 503 and time.monotonic() < until:
            time.sleep(0.5)
            answer = acknowledge(there, numbers[1], there.ticket("game supervisor"))
        assert answer.json()["done"]


def test_in_a_house_with_accounts_a_credential_acknowledges_and_ends_with_its_account(tmp_path: Path) -> None:
    with house_with_accounts(tmp_path) as made:
        manager = manager_of(made)
        sue = settled(made.address, "Sue", person(manager, "Sue", "game supervisor"))
        shown_by = {"Authorization": f"Ticket {sue.ticket('game supervisor')}"}
        body = {"id": secrets.token_hex(16), "kind": "door", "said": "the cabinet"}
        number = httpx.post(f"{made.address}/api/significant", json=body, headers=shown_by, timeout=60).json()["line"]
        way = f"{made.address}/api/significant/{number}"
        ack = {"id": secrets.token_hex(16), "note": "seen"}
        # A cookie alone is no ticket, nor is a ticket that was touched, nor one whose account was closed since.
        assert sue.post(f"/api/significant/{number}", ack).status_code == 403
        spoiled = {"Authorization": shown_by["Authorization"][:-2] + "xx"}
        assert httpx.post(way, json=ack, headers=spoiled, timeout=60).status_code == 403
        assert manager.post("/api/people", {"type": "Disable", "name": "Sue", "reason": "left"}).status_code == 200
        assert httpx.post(way, json=ack, headers=shown_by, timeout=60).status_code == 403
        answer = manager.post(f"/api/significant/{number}", ack)
        assert answer.json()["done"], answer.text
        (looked,) = manager.client.get("/api/significant").json()["acknowledged"]
        assert (looked["person"], looked["acknowledged"]["person"]) == ("Sue", "manager")


def test_every_line_of_the_journal_can_be_written_and_read() -> None:
    events: tuple[m.AnyEvent, ...] = (
        m.Noted(kind="door", at_ms=1),
        m.Acknowledged(number=1, note="x"),
        m.WatchedUntil(event=9),
        m.ProcessStarted(place="here"),
        m.ProcessStopped(place="here"),
    )
    for event in events:
        made: Entry[Any] = Entry(0, 1, "Sue", "game supervisor", event)
        assert m.decode(encode(made)) == made
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "Declare", "kind": "nonsense", "table": "", "device": "", "said": ""}, m.AnyCommand)
