"""The cage of a running house: a real server, many clients at once, a server killed in the middle, and the papers."""

from __future__ import annotations

import asyncio
import re
import secrets
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from croupier.floor.app import create_app
from croupier.floor.audit.verify import verify
from croupier.floor.keeping.house import CAGE, House, open_house
from croupier.floor.keeping.keeper import Keeper
from croupier.floor.keeping.vouchers import VoucherNumbers
from croupier.floor.keeping.vouchers import at_table as numbered
from croupier.floor.practice.demonstration import TABLES
from croupier.floor.rooms.cage.paper import fingerprint
from croupier.floor.store.appends import Stopped
from croupier.floor.store.durable import open_reader
from croupier.game import Refusal
from croupier.house.cage import messages as m
from croupier.house.cage.codes import code_of, grouped, read_code
from croupier.house.cage.state import NAME, Cage
from croupier.table.terminals import commands as t
from tests.helpers.houses.served import served
from tests.house.test_cage import scanned


@dataclass(slots=True)
class Desk:
    """Somebody who asks the cage over HTTP."""

    address: str
    name: str = "Lee"
    role: str = "cashier"
    ticket: str = ""

    def __post_init__(self) -> None:
        who = {"name": self.name, "role": self.role, "table": "" if self.role != "player" else "EB-1"}
        answer = httpx.post(f"{self.address}/api/enter", json=who, timeout=30)
        assert answer.status_code == 200, answer.text
        self.ticket = answer.json()["ticket"]

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Ticket {self.ticket}"}

    def get(self, path: str) -> httpx.Response:
        return httpx.get(f"{self.address}{path}", headers=self.headers, timeout=30)

    def post(self, kind: str, command_id: str = "", **parts: Any) -> httpx.Response:
        body = {"id": command_id or secrets.token_hex(16), "command": {"type": kind, **parts}}
        return httpx.post(f"{self.address}/api/cage/commands", json=body, headers=self.headers, timeout=30)

    def do(self, kind: str, **parts: Any) -> dict[str, Any]:
        answer = self.post(kind, **parts)
        assert answer.status_code == 200, answer.text
        content: dict[str, Any] = answer.json()
        return content

    def voucher(self, amount: int = 40_000) -> str:
        """A voucher against chips, from the cage itself."""
        if self.get("/api/cage/state").json()["shift"] is None:
            assert self.do("OpenShift", cash=5_000_000, chips=1_000_000)["done"]
        return str(self.do("IssueVoucher", amount=amount)["voucher"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cage")


@pytest.fixture(scope="module")
def house(folder: Path) -> Iterator[str]:
    with served(folder) as (address, _):
        yield address


def payments(folder: Path, code: str) -> int:
    with sqlite3.connect(f"file:{folder}/house.db?mode=ro", uri=True) as database:
        mark = VoucherNumbers((folder / "house.key.vouchers").read_bytes()).mark(code)
        wanted = f'%"VoucherPaid"%{mark}%'
        query = "SELECT count(*) FROM journal WHERE table_name = ? AND body LIKE ?"
        found: int = database.execute(query, (NAME, wanted)).fetchone()[0]
    return found


# ---------------------------------------------------------------- paid once


async def redeem(client: httpx.AsyncClient, desk: Desk, code: str) -> dict[str, Any]:
    body = {"id": secrets.token_hex(16), "command": {"type": "RedeemVoucher", "voucher": code, "amount": 40_000}}
    answer = await client.post(f"{desk.address}/api/cage/commands", json=body, headers=desk.headers)
    content: dict[str, Any] = answer.json()
    return content


LEAN = """
import sys
from pathlib import Path
import uvicorn
from croupier.floor.app import create_app
from croupier.floor.keeping.house import open_house

folder, port = Path(sys.argv[1]), int(sys.argv[2])
house = open_house(f"sqlite:///{folder}/house.db", folder / "house.key", demo=True)
uvicorn.run(create_app(house), port=port, log_level="error")
"""


@contextmanager
def lean(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A server process with a cage and no tables, which starts quickly."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([sys.executable, "-c", LEAN, str(folder), str(port)]) as process:
        try:
            yield _answering(f"http://127.0.0.1:{port}", process), process
        finally:
            process.terminate()


def _answering(address: str, process: subprocess.Popen[bytes]) -> str:
    for _ in range(1200):
        try:
            if httpx.get(f"{address}/health", timeout=30).status_code == 200:
                return address
        except httpx.HTTPError:
            assert process.poll() is None
            time.sleep(0.05)
    raise AssertionError(f"{address} does not answer")


def test_a_server_killed_between_redeeming_and_answering_pays_no_second_time(tmp_path: Path) -> None:
    one, two = secrets.token_hex(16), secrets.token_hex(16)
    with lean(tmp_path) as (address, process):
        desk = Desk(address)
        first, second = desk.voucher(), desk.voucher()
        _ask_and_kill(desk, process, one, first, wait_seconds=0)
    with lean(tmp_path) as (address, process):
        desk = Desk(address)
        _paid_once(desk, one, first)
        _ask_and_kill(desk, process, two, second, wait_seconds=0.02)
    with lean(tmp_path) as (address, _):
        _paid_once(Desk(address), two, second)
    assert [payments(tmp_path, code) for code in (first, second)] == [1, 1]
    assert verify(f"sqlite:///{tmp_path}/house.db", tmp_path / "house.key").fault == ""


def _paid_once(desk: Desk, command_id: str, code: str) -> None:
    """The same command again is answered as it was, or carried out now; any other one is refused."""
    first = desk.post("RedeemVoucher", command_id, voucher=code, amount=40_000).json()
    assert first["done"]
    assert desk.post("RedeemVoucher", command_id, voucher=code, amount=40_000).json() == first
    assert not desk.do("RedeemVoucher", voucher=code, amount=40_000)["done"]


def _ask_and_kill(
    desk: Desk, process: subprocess.Popen[bytes], command_id: str, code: str, *, wait_seconds: float
) -> None:
    """Send a redemption, read no answer, and kill the server a moment later."""
    request = httpx.Request(
        "POST",
        f"{desk.address}/api/cage/commands",
        json={"id": command_id, "command": {"type": "RedeemVoucher", "voucher": code, "amount": 40_000}},
        headers=desk.headers,
    )
    head = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
    with socket.create_connection((request.url.host, request.url.port or 80)) as line:
        line.sendall(f"POST /api/cage/commands HTTP/1.1\r\n{head}\r\n".encode() + request.content)
        time.sleep(wait_seconds)
        process.kill()
        process.wait(20)


def test_two_keepers_of_one_journal_do_not_both_pay(tmp_path: Path) -> None:
    """Two processes that both believe to be the owner decide on the same state; the store takes one line of the two."""

    async def raced() -> None:
        house = open_house(f"sqlite:///{tmp_path}/house.db", tmp_path / "house.key", demo=True)
        mark = house.numbers.mark(code := code_of(secrets.randbelow(10**26)))
        with house.store as store:
            one = Keeper(store, NAME, CAGE, Cage(), Cage())
            await asked(one, m.OpenCage(practice=True), "casino supervisor")
            await asked(one, m.OpenShift(100_000, 0))
            await asked(one, m.IssueVoucher(40_000, mark))
            two = Keeper(store, NAME, CAGE, one.state, one.shown, owned=True)
            pay = m.RedeemVoucher(code, 40_000, msgspec.structs.replace(one.shown.issued[mark], key=mark))
            answers: Any = await asyncio.gather(asked(one, pay), asked(two, pay), return_exceptions=True)
            assert sum(not isinstance(each, Stopped) and each.done for each in answers) == 1
            assert any(isinstance(each, Stopped) for each in answers)
            assert not (await asked(two, pay)).done
            assert payments(tmp_path, code) == 1

    asyncio.run(raced())


async def asked(keeper: Keeper[Cage], what: m.AnyCommand, role: str = "cashier") -> Any:
    return await keeper.ask(secrets.token_hex(16), m.CageRequest(what, "Lee", role, 1000))


# ---------------------------------------------------------------- the answers


def test_what_is_wrong_with_a_voucher_is_told(house: str) -> None:
    desk = Desk(house)
    code = desk.voucher(12_345)
    voucher = desk.get(f"/api/cage/vouchers/{grouped(code)}").json()
    assert (voucher["state"], voucher["amount"]) == ("to pay", 12_345)
    assert voucher["words"] == "One hundred and twenty-three dollars and forty-five cents"
    assert desk.get(f"/api/cage/vouchers/{code[:-1]}").json()["state"] == "mistyped"
    wrong = f"{code[:-1]}{(int(code[-1]) + 1) % 10}"
    assert desk.get(f"/api/cage/vouchers/{wrong}").json()["state"] == "mistyped"
    unknown = desk.get(f"/api/cage/vouchers/{code_of(1)}").json()
    assert (unknown["state"], "was issued here" in unknown["reason"]) == ("not found", True)
    assert "another amount" in desk.do("RedeemVoucher", voucher=code, amount=12_344)["reason"]
    assert desk.do("RedeemVoucher", voucher=grouped(code), amount=12_345)["done"]
    voucher = desk.get(f"/api/cage/vouchers/{code}").json()
    assert (voucher["state"], voucher["ended_by"]) == ("paid", "Lee")


def test_what_a_client_says_about_the_issue_is_not_believed(house: str) -> None:
    desk = Desk(house)
    desk.voucher()
    forged = {"table": "EB-1", "amount": 99, "at_ms": 1, "line": 1}
    answer = desk.do("RedeemVoucher", voucher=code_of(2), amount=99, issued=forged)
    assert (answer["done"], "was issued here" in answer["reason"]) == (False, True)
    assert desk.do("IssueVoucher", amount=100, voucher=code_of(3))["voucher"] != code_of(3)
    known = desk.get("/api/cage/state").json()["drop"]
    expected = next(each["expected"] for each in known if (each["table"], each["box"]) == ("C-1", ""))
    desk.do("CollectDrop", table="C-1", counted=expected, expected=1)
    assert desk.get("/api/cage/report").json()["shift"]["drops"][-1]["expected"] == expected


def test_the_cage_is_for_its_roles(house: str) -> None:
    desk = Desk(house)
    code = desk.voucher()
    paths = ("state", f"vouchers/{code}", "meters", "report", "report.html")
    for role in ("player", "dealer", "game supervisor"):
        other = Desk(house, "Max", role)
        assert {other.get(f"/api/cage/{path}").status_code for path in paths} == {403}
        answer = other.post("RedeemVoucher", voucher=code, amount=40_000)
        assert answer.status_code == 403 or not answer.json()["done"]
    inspector = Desk(house, "Ina", "inspector")
    assert {inspector.get(f"/api/cage/{path}").status_code for path in paths} == {200}
    refused = inspector.post("RedeemVoucher", voucher=code, amount=40_000)
    assert refused.status_code == 403 or "is for the cashier" in refused.json()["reason"]
    assert httpx.get(f"{house}/api/cage/state").status_code == 403
    assert desk.get(f"/api/cage/vouchers/{code}").json()["state"] == "to pay"


DROP = b'{"id":"00000000000000000000000000000002","command":{"type":"CollectDrop","table":"R-1","box":"X","counted":1}}'


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b'{"id":"x","command":{"type":"OpenShift","cash":1}}', 422),
        (b'{"id":"00000000000000000000000000000000","command":{"type":"Nothing"}}', 422),
        (b'{"id":"00000000000000000000000000000000","command":{"type":"OpenShift","cash":"1"}}', 422),
        (b'{"id":"00000000000000000000000000000001","command":{"type":"FillTable","table":"X","amount":1}}', 422),
        (DROP, 422),
    ],
)  # fmt: skip
def test_nonsense_is_one_line(house: str, body: bytes, status: int) -> None:
    answer = httpx.post(f"{house}/api/cage/commands", content=body, headers=Desk(house).headers)
    assert answer.status_code == status
    assert "\n" not in answer.json()["reason"]


def test_a_repeated_issue_gives_the_same_number(house: str) -> None:
    desk, one = Desk(house), secrets.token_hex(16)
    desk.voucher()
    first = desk.post("IssueVoucher", one, amount=700).json()
    assert desk.post("IssueVoucher", one, amount=700).json() == first
    assert read_code(first["voucher"]) == first["voucher"]


def test_liability_drop_meters_and_report_agree_with_the_ledger(house: str, folder: Path) -> None:
    desk = Desk(house)
    code = desk.voucher(4_321)
    report = desk.get("/api/cage/report").json()
    with open_reader(f"sqlite:///{folder}/house.db") as store:
        assert store.balances()["vouchers"] == report["owed"]["cents"]
    assert sum(each["cents"] for each in report["owed"]["ages"]) == report["owed"]["cents"]
    assert sum(each["cents"] for each in report["owed"]["tables"]) == report["owed"]["cents"]
    shift = report["shift"]
    assert sum(flow["cash"] for flow in shift["flows"]) == shift["expected"]["cash"]
    assert sum(flow["chips"] for flow in shift["flows"]) == shift["expected"]["chips"]
    # Ann plays on the first terminal of the electronic table.
    ann = next(each for each in report["meters"] if each["holder"] == "Terminal 1")
    assert ann["cash_in"] == 200_000
    assert code not in desk.get("/api/cage/state").text
    paper = desk.get("/api/cage/report.html")
    assert "PRACTICE · NOT MONEY" in paper.text
    assert "'unsafe" not in paper.headers["content-security-policy"]
    assert desk.get("/api/cage/report?shift=99").status_code == 404


# ---------------------------------------------------------------- paper


def test_a_voucher_on_paper_carries_all_that_it_must(house: str, folder: Path) -> None:
    code = Desk(house).voucher(136_550)
    answer = httpx.get(f"{house}/voucher", params={"id": code})
    assert answer.headers["content-type"].startswith("text/html")
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    for part in (grouped(code), "$1,365.50", "One thousand three hundred and sixty-five dollars and fifty cents"):
        assert part in answer.text
    assert "PRACTICE · NOT MONEY" in answer.text
    assert "no end" in answer.text
    with open_reader(f"sqlite:///{folder}/house.db", key_path=folder / "house.key") as store:
        heads = store.heads(NAME)
    assert any(fingerprint(head) in answer.text for head in heads)
    drawn = re.findall(r'<rect x="(\d+)" width="(\d+)"', answer.text)
    width = int(re.search(r'codebar" viewBox="0 0 (\d+)', answer.text)[1])  # type: ignore[index]
    assert scanned(tuple((int(at), int(wide)) for at, wide in drawn), width) == code
    before = len(heads)
    httpx.get(f"{house}/voucher", params={"id": code})
    with open_reader(f"sqlite:///{folder}/house.db", key_path=folder / "house.key") as store:
        assert len(store.heads(NAME)) == before


@pytest.mark.parametrize("text", ["", "1", "<script>", code_of(5)])
def test_no_paper_for_what_was_never_issued(house: str, text: str) -> None:
    answer = httpx.get(f"{house}/voucher", params={"id": text})
    assert answer.status_code == 404
    assert "\n" not in answer.json()["reason"]


# ---------------------------------------------------------------- from the terminal to the cage


@asynccontextmanager
async def running(folder: Path, *, voucher_days: int | None = None) -> AsyncIterator[House]:
    """A house in this process, with one electronic table that nobody deals at."""
    house = open_house(f"sqlite:///{folder}/house.db", folder / "house.key", demo=True)
    house.voucher_days = voucher_days
    app = create_app(house, TABLES[:1])
    async with app.router.lifespan_context(app):
        yield house


async def at_table(house: House, what: Any, role: str = "game supervisor", by: str = "Sue") -> None:
    answer = await house.hosts["EB-1"].ask(secrets.token_hex(16), what, by=by, role=role)
    assert answer.done, answer


def test_nzeb_3_4d_a_voucher_goes_from_the_terminal_to_the_cage(tmp_path: Path) -> None:
    async def played() -> None:
        async with running(tmp_path) as house:
            await at_table(house, t.ApproveSystem("1", "A-1"))
            await at_table(house, t.PairTerminal(3, 500, 100_000, approval="T-1"))
            name = next(iter(house.hosts["EB-1"].shown.terminals))
            await at_table(house, t.InsertNotes(name, (5_000, 2_000)), "note acceptor", by=name)
            one = secrets.token_hex(16)
            mark = house.numbers.mark(code := house.numbers.number("EB-1", one, "Sue"))
            cash_out: Any = numbered(t.CashOut(name, "12"), lambda: mark)
            answer = await house.hosts["EB-1"].ask(one, cash_out, by="Sue", role="dealer")
            assert house.numbers.reveal(answer, "EB-1", "Sue").voucher == code
            host = house.hosts["EB-1"]
            # The journal holds no number that the cage would pay.
            assert set(host.shown.vouchers) == {mark}
            assert not any(code.encode() in line.body for line in house.store.each_line("EB-1"))
            assert isinstance(numbered(t.RedeemVoucher(code, 7_000), lambda: mark), Refusal)
            assert numbered(t.InsertNotes(name, (1,)), lambda: mark) == t.InsertNotes(name, (1,))
            await _paid(house, code, name)

    asyncio.run(played())
    assert verify(f"sqlite:///{tmp_path}/house.db", tmp_path / "house.key").fault == ""
    with open_reader(f"sqlite:///{tmp_path}/house.db") as store:
        assert store.balances()["vouchers"] == 0


class Client:
    """A cashier of a house in this process."""

    def __init__(self, house: House) -> None:
        self.http = httpx.AsyncClient(transport=httpx.ASGITransport(create_app(house)), base_url="http://house")
        self.headers = {"Authorization": f"Ticket {house.ticket('Lee', 'cashier', '')}"}

    async def do(self, kind: str, **parts: Any) -> dict[str, Any]:
        body = {"id": secrets.token_hex(16), "command": {"type": kind, **parts}}
        answer: dict[str, Any] = (await self.http.post("/api/cage/commands", json=body, headers=self.headers)).json()
        return answer

    async def get(self, path: str) -> dict[str, Any]:
        answer: dict[str, Any] = (await self.http.get(path, headers=self.headers)).json()
        return answer


def test_a_shift_is_counted_and_closed_and_the_next_begins(tmp_path: Path) -> None:
    async def worked() -> None:
        async with running(tmp_path) as house:
            desk = Client(house)
            assert "no shift is open" in (await desk.do("CountDrawer", cash=1))["reason"]
            await desk.do("OpenShift", cash=5_000_000, chips=1_000_000)
            code = (await desk.do("IssueVoucher", amount=40_000))["voucher"]
            assert (await desk.do("RedeemVoucher", voucher=code, amount=40_000))["done"]
            assert "count it first" in (await desk.do("CloseShift"))["reason"]
            assert (await desk.do("CountDrawer", cash=4_958_000, chips=1_040_000))["done"]
            assert "say why" in (await desk.do("CloseShift"))["reason"]
            assert (await desk.do("CloseShift", reason="a twenty is missing"))["done"]
            closed = (await desk.get("/api/cage/report"))["shift"]
            assert closed["counted"]["cash"] - closed["expected"]["cash"] == -2_000
            assert (closed["closed_by"], closed["reason"]) == ("Lee", "a twenty is missing")
            assert (await desk.do("OpenShift", cash=0))["done"]
            assert "bring more from the vault" in (await desk.do("CashChips", amount=100))["reason"]

    asyncio.run(worked())
    assert verify(f"sqlite:///{tmp_path}/house.db", tmp_path / "house.key").fault == ""


async def _paid(house: House, code: str, terminal: str) -> None:
    desk = Client(house)
    await desk.do("OpenShift", cash=100_000)
    voucher = await desk.get(f"/api/cage/vouchers/{code}")
    assert (voucher["state"], voucher["amount"], voucher["table"], voucher["terminal"]) == (
        "to pay",
        7_000,
        "EB-1",
        terminal,
    )
    assert voucher["line"] == house.hosts["EB-1"].shown.entries - 1
    await at_table(house, t.ReportMalfunction("the screen is dark", terminal))
    held = await desk.do("RedeemVoucher", voucher=code, amount=7_000)
    assert (held["done"], held["rule"]) == (False, "NZEB-12.4")
    case = len(house.hosts["EB-1"].shown.cases) - 1
    await at_table(house, t.ReportToInspector(case, "R-9"))
    await at_table(house, t.Investigate(case, "a loose cable"))
    await at_table(house, t.RefundRound(case))
    await at_table(house, t.CloseMalfunction(case))
    assert (await desk.do("RedeemVoucher", voucher=code, amount=7_000))["done"]
    drop = (await desk.get("/api/cage/state"))["drop"]
    assert [(each["box"], each["expected"]) for each in drop] == [("", 0), (terminal, 7_000)]
    assert (await desk.do("CollectDrop", table="EB-1", box=terminal, counted=6_500))["done"]
    drop = (await desk.get("/api/cage/state"))["drop"]
    assert drop[1]["expected"] == 0


def test_the_expiry_of_the_settings_is_that_of_the_cage(tmp_path: Path) -> None:
    async def days(setting: int | None) -> int:
        async with running(tmp_path, voucher_days=setting) as house:
            assert house.cage is not None
            return house.cage.shown.expiry_days

    assert [asyncio.run(days(setting)) for setting in (30, None, 7, 7, 0)] == [30, 30, 7, 7, 0]
    with open_reader(f"sqlite:///{tmp_path}/house.db") as store:
        assert store.last(NAME)[0] == 3


def test_a_payment_that_nobody_issued_is_found(tmp_path: Path) -> None:
    async def forged() -> None:
        async with running(tmp_path) as house:
            assert house.cage is not None
            await asked(house.cage, m.OpenShift(100_000))
            made_up = m.Issued("EB-1", 5_000, 1, 1, practice=True)
            assert (await asked(house.cage, m.RedeemVoucher(code_of(9), 5_000, made_up))).done

    asyncio.run(forged())
    fault = verify(f"sqlite:///{tmp_path}/house.db", tmp_path / "house.key").fault
    assert fault.startswith(f"{NAME}: a voucher was paid for $50 that nobody issued so")
