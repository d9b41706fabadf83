"""Vouchers and notes against whoever can write to the database, has a device's secret, or tries numbers."""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.floor.keeping.house import House, open_house
from croupier.floor.keeping.vouchers import UNCOVERED, UNSIGNED, IssuedVouchers, VoucherNumbers, issue_of
from croupier.floor.rooms.terminal.doors import METER_JUMP, MetersRead, Notes
from croupier.floor.store.chain import link
from croupier.house.cage.codes import code_of
from croupier.house.cage.messages import CageRequest, IssueVoucher, OpenShift
from croupier.house.cage.state import NAME
from croupier.house.devices.decide import Device as Paired
from tests.helpers.houses.devices import TABLE, DeviceHouse, device_house

NOTE = 2_000


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeviceHouse]:
    with device_house(tmp_path_factory.mktemp("meters"), pace="600,0.1,0.05") as running:
        running.do("casino supervisor", "ApproveSystem", version="1.0", approval="TA-0")
        yield running


# ---------------------------------------------------------------- what the ledger bears


def test_a_voucher_that_its_ledger_does_not_bear_is_held(tmp_path: Path) -> None:
    """Somebody puts a line into the database that nobody signed, or takes money off the ledger."""

    async def walked() -> None:
        house = open_house(f"sqlite:///{tmp_path}/house.db", tmp_path / "key", demo=True)
        try:
            await house.start(())
            assert house.cage is not None
            code, forged = house.numbers.number(NAME, "1" * 32, "Lee"), code_of(123_456)
            for what in (OpenShift(cash=100_000, chips=100_000), IssueVoucher(40_000, house.numbers.mark(code))):
                request = CageRequest(what, "Lee", "cashier", 1_000)
                assert (await house.cage.ask(secrets.token_hex(16), request)).done
            assert held(house, code) == ""
            with sqlite3.connect(tmp_path / "house.db") as db:
                db.execute("UPDATE ledger SET cents = 39999 WHERE table_name = ? AND cents = 40000", (NAME,))
            assert held(house, code) == UNCOVERED
            add_line(tmp_path / "house.db", house.numbers, forged, 90_000)
            assert held(house, forged) == UNSIGNED
        finally:
            await house.close()

    asyncio.run(walked())


def held(house: House, code: str) -> str:
    found = issue_of(IssuedVouchers(house.store), {}, house.numbers, code, practice=True)
    assert found is not None
    return found.held


def add_line(database: Path, numbers: VoucherNumbers, code: str, amount: int) -> None:
    """A line that follows from the last, as the one of an issue would."""
    with sqlite3.connect(database) as db:
        query = "SELECT number, body, hash FROM journal WHERE table_name = ? ORDER BY number DESC LIMIT 1"
        number, body, chain = db.execute(query, (NAME,)).fetchone()
        entry = msgspec.json.decode(body)
        entry |= {"number": number + 1, "event": entry["event"] | {"voucher": numbers.mark(code), "amount": amount}}
        text = msgspec.json.encode(entry)
        db.execute("INSERT INTO journal VALUES (?, ?, ?, ?)", (NAME, number + 1, text.decode(), link(chain, text)))


# ---------------------------------------------------------------- what a malfunction did not credit


def test_nzeb_12_4_the_player_is_paid_what_the_malfunction_did_not_credit(house: DeviceHouse) -> None:
    terminal = house.device(20, notes=[NOTE])
    assert terminal.notes(NOTE, NOTE, NOTE).json()["done"]
    code = terminal.do("CashOut", terminal=terminal.name, voucher="")["voucher"]
    # One of the notes was read twice; what it credited is on the voucher.
    fault = {"fault": "read a note twice", "terminal": terminal.name, "amount": NOTE}
    house.do("game supervisor", "ReportMalfunction", **fault)
    at_cage(house, "cashier", "OpenShift", cash=100_000)
    paid = at_cage(house, "cashier", "RedeemVoucher", voucher=code, amount=3 * NOTE)
    assert (paid["done"], paid["rule"]) == (False, "NZEB-12.4")
    instead = at_cage(house, "casino supervisor", "VoidVoucher", voucher=code, reason="a note was read twice")
    assert instead["done"], instead
    assert at_cage(house, "cashier", "RedeemVoucher", voucher=instead["voucher"], amount=2 * NOTE)["done"]
    assert not at_cage(house, "cashier", "RedeemVoucher", voucher=code, amount=3 * NOTE)["done"]


def test_nzeb_12_4_nothing_is_refused_on_the_voucher_of_whoever_played_there_before(house: DeviceHouse) -> None:
    terminal = house.device(23, notes=[NOTE])
    codes = []
    for _ in ("ann", "bob"):
        assert terminal.notes(NOTE, NOTE).json()["done"]
        codes.append(terminal.do("CashOut", terminal=terminal.name, voucher="")["voucher"])
    fault = {"fault": "read a note twice", "terminal": terminal.name, "amount": NOTE}
    house.do("game supervisor", "ReportMalfunction", **fault)
    first, second = (at_cage(house, "casino supervisor", "VoidVoucher", voucher=code, reason="twice") for code in codes)
    assert (first["done"], first["rule"], second["done"]) == (False, "NZEB-12.4", True)
    # It is held while the fault is looked into, as all that was printed since, and paid whole after that.
    case = len(house.view(house.ticket("game supervisor"))["electronic"]["cases"]) - 1
    house.do("game supervisor", "ReportToInspector", case=case, reference="R-1")
    house.do("game supervisor", "Investigate", case=case, finding="a worn cable")
    house.do("game supervisor", "RefundRound", case=case)
    house.do("game supervisor", "CloseMalfunction", case=case)
    at_cage(house, "cashier", "OpenShift", cash=100_000)
    assert at_cage(house, "cashier", "RedeemVoucher", voucher=codes[0], amount=2 * NOTE)["done"]
    assert at_cage(house, "cashier", "RedeemVoucher", voucher=second["voucher"], amount=NOTE)["done"]


def at_cage(house: DeviceHouse, role: str, kind: str, **parts: Any) -> dict[str, Any]:
    body = {"id": secrets.token_hex(16), "command": {"type": kind, **parts}}
    answer: dict[str, Any] = house.post("/api/cage/commands", body, house.ticket(role)).json()
    return answer


# ---------------------------------------------------------------- a meter that jumps


def test_a_meter_that_jumps_locks_its_terminal_and_nobody_elses(house: DeviceHouse) -> None:
    jumping, beside = house.device(21, notes=[NOTE]), house.device(22, notes=[NOTE])
    assert jumping.notes(NOTE).json()["done"]
    # Whether the table takes them or not, the meter says that they came.
    for many in (*[50] * 9, 49):
        assert jumping.notes(*[NOTE] * many).status_code == 200
    before = jumping.view()["me"]["chips"]
    answer = jumping.notes(NOTE)
    assert (answer.status_code, "is locked" in answer.json()["reason"]) == (403, True)
    assert jumping.view()["terminal"]["locked"]
    assert jumping.view()["me"]["chips"] == before
    assert beside.notes(NOTE).json()["done"]
    assert not beside.view()["terminal"]["locked"]
    # The secret in the page of a terminal credits nothing.
    page = house.post("/api/devices/notes", {"id": secrets.token_hex(16), "secret": beside.secret, "notes": [NOTE]})
    assert (page.status_code, "note acceptor" in page.json()["reason"]) == (403, True)


def test_what_came_through_another_process_counts_on_the_meter() -> None:
    """Each process counts what it was told; the journal has all, and is looked at by each."""
    meters, device = MetersRead(), Paired(TABLE, "Terminal 1 note acceptor", "acceptor", "", 0)
    one = secrets.token_hex(16)
    assert meters.jumped(device, Notes(one, "", (NOTE,)), 0, booked=METER_JUMP - NOTE) == 0
    assert meters.jumped(device, Notes(one, "", (NOTE,)), 1, booked=METER_JUMP) == 0
    assert meters.jumped(device, Notes(secrets.token_hex(16), "", (NOTE,)), 2, booked=METER_JUMP) > METER_JUMP


def test_nothing_that_is_said_of_notes_takes_anything_off_the_meter() -> None:
    meters, device = MetersRead(), Paired(TABLE, "Terminal 1 note acceptor", "acceptor", "", 0)
    one = secrets.token_hex(16)
    assert meters.jumped(device, Notes(one, "", (METER_JUMP,)), 0) == 0
    assert meters.jumped(device, Notes(one, "", (METER_JUMP,)), 1) == 0
    assert meters.jumped(device, Notes(one, "", ()), 2) == 0
    for notes in ((-METER_JUMP, 1), (1,)):
        assert meters.jumped(device, Notes(secrets.token_hex(16), "", notes), 3) > METER_JUMP
