"""The inspector's doors: a tampered store is found while it runs, an export proves itself, reports are collected."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.floor.audit.export import (
    BadExport,
    read_export,
    seal_text,
    trusted_key,
    verify_either,
    verify_export,
    written,
)
from croupier.floor.store.heads import open_key
from croupier.table.events import decode
from tests.helpers.houses.served import served

PATIENCE_S = 60


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("inspected")


@pytest.fixture(scope="module")
def house(folder: Path) -> Iterator[httpx.Client]:
    """A house in which some rounds were played."""
    with (
        served(folder, pace="0.5,0.03,0.02") as (address, _),
        httpx.Client(base_url=address, timeout=PATIENCE_S) as client,
    ):
        for _ in range(PATIENCE_S * 4):
            first, _, *others = client.get("/api/tables").json()["tables"]  # nobody deals at the second by himself
            if all(table["round"] > 1 for table in (first, *others[:3])):
                break
            time.sleep(0.25)
        yield client


def ticket(house: httpx.Client, role: str, table: str = "") -> dict[str, str]:
    given = house.post("/api/enter", json={"name": "Ina", "role": role, "table": table})
    return {"Authorization": f"Ticket {given.json()['ticket']}"}


def verified(house: httpx.Client) -> list[dict[str, Any]]:
    answer = house.post("/api/inspect/verify", headers=ticket(house, "inspector"))
    assert answer.status_code == 200
    return [json.loads(line) for line in answer.text.splitlines()]


@pytest.fixture(scope="module")
def export(house: httpx.Client, folder: Path) -> Path:
    answer = house.get("/api/inspect/export", params={"table": "EB-1"}, headers=ticket(house, "inspector"))
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == 'attachment; filename="croupier-EB-1.jsonl"'
    (folder / "export.jsonl").write_bytes(answer.content)
    return folder / "export.jsonl"


# ---------------------------------------------------------------- who may


@pytest.mark.parametrize("role", ["dealer", "cashier", "game supervisor", "casino supervisor"])
def test_the_doors_are_for_inspectors_and_managers(house: httpx.Client, role: str) -> None:
    doors = (
        ("POST", "/api/inspect/verify"),
        ("GET", "/api/inspect/export?table=EB-1"),
        ("GET", "/api/inspect/reports"),
    )
    for method, path in doors:
        assert house.request(method, path).status_code == 403
        assert house.request(method, path, headers=ticket(house, role)).status_code == 403


# ---------------------------------------------------------------- verifying


def test_a_running_store_is_verified_table_by_table(house: httpx.Client) -> None:
    *steps, verdict = verified(house)
    assert verdict["over"]
    assert verdict["fault"] == ""
    assert [step["at"] for step in steps] == list(range(1, len(steps) + 1))
    assert {step["of"] for step in steps} == {len(steps)}
    assert {"EB-1", "R-1", "@cage"} <= {step["table"] for step in steps}
    assert verdict["lines"] == steps[-1]["lines"] > 100
    assert verdict["settlements"] > 0
    assert verdict["heads"] >= len(steps)


def tampered(folder: Path, table: str, number: int, body: str) -> str:
    """The line as it was; the house runs on and knows nothing of the change."""
    with sqlite3.connect(folder / "house.db", timeout=PATIENCE_S) as other:
        where = (table, number)
        (was,) = other.execute("SELECT body FROM journal WHERE table_name = ? AND number = ?", where).fetchone()
        other.execute("UPDATE journal SET body = ? WHERE table_name = ? AND number = ?", (body, *where))
    other.close()
    text: str = was
    return text


def test_a_verification_whose_asker_has_gone_holds_up_nobody(house: httpx.Client) -> None:
    shown = ticket(house, "inspector")
    for _ in range(3):
        with house.stream("POST", "/api/inspect/verify", headers=shown) as answer:
            assert answer.status_code in (200, 503)
    answer = house.post("/api/inspect/verify", headers=shown)
    for _ in range(PATIENCE_S * 4):
        if answer.status_code == 200:
            break
        time.sleep(0.25)
        answer = house.post("/api/inspect/verify", headers=shown)
    assert json.loads(answer.text.splitlines()[-1])["fault"] == ""


def test_a_line_changed_behind_the_back_of_the_house_is_found_live(house: httpx.Client, folder: Path) -> None:
    was = tampered(folder, "R-1", 3, "{}")
    try:
        verdict = verified(house)[-1]
        assert verdict["fault"].startswith("the chain: table R-1, line 3:")
        assert verdict["tables"] < 9
    finally:
        tampered(folder, "R-1", 3, was)
    assert verified(house)[-1]["fault"] == ""


def test_money_moved_behind_the_back_of_the_house_is_found_live(house: httpx.Client, folder: Path) -> None:
    first = "(SELECT min(number) FROM ledger WHERE table_name = 'T-1')"
    change = f"UPDATE ledger SET cents = cents + ? WHERE table_name = 'T-1' AND number = {first}"
    with sqlite3.connect(folder / "house.db", timeout=PATIENCE_S) as other:
        assert other.execute(change, (100,)).rowcount
    try:
        assert verified(house)[-1]["fault"].startswith("the ledger: table T-1, line ")
    finally:
        with sqlite3.connect(folder / "house.db", timeout=PATIENCE_S) as other:
            other.execute(change, (-100,))
        other.close()


# ---------------------------------------------------------------- exports


def test_an_export_proves_itself_without_the_house(export: Path, folder: Path) -> None:
    done = verify_export(export, open_key(folder / "house.key", make=False).public.hex())
    assert done.found.fault == ""
    assert (done.table, done.practice, done.trusted) == ("EB-1", True, True)
    assert done.found.lines == len(read_export(export).lines) > 20
    assert done.found.heads >= 2
    assert done.found.settlements > 0
    header = json.loads(export.read_bytes().splitlines()[0])
    assert header["law"]["edition"] == "nzeb"
    assert header["by"] == "Ina"


def command(*words: str) -> subprocess.CompletedProcess[str]:
    asked = [sys.executable, "-m", "croupier", "verify", *words]
    return subprocess.run(asked, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def test_the_command_line_says_what_it_found(export: Path, folder: Path) -> None:
    report = verify_either("", str(folder / "house.key"), str(export))
    assert (report["fault"], report["table"], report["practice"], report["trusted"]) == ("", "EB-1", True, True)
    changed = folder / "changed.jsonl"
    changed.write_bytes(export.read_bytes().replace(b"dealer", b"deAler", 1))
    bad = command("--export", str(changed))
    assert bad.returncode not in (0, 2)
    assert "fault: the seal" in bad.stdout
    with pytest.raises(ValueError, match="--export"):
        verify_either("", "", "")


def resealed(rows: list[bytes], key: Ed25519PrivateKey) -> bytes:
    """A changed export, signed anew by somebody who has a key of his own."""
    digest = sha256(b"".join(rows)).digest()
    seal = {
        "sha256": digest.hex(),
        "key": key.public_key().public_bytes_raw().hex(),
        "signature": key.sign(seal_text(digest)).hex(),
    }
    return b"".join(rows) + json.dumps(seal).encode() + b"\n"


def fault(folder: Path, raw: bytes, key: str = "") -> str:
    (folder / "other.jsonl").write_bytes(raw)
    return verify_export(folder / "other.jsonl", key).found.fault


def test_whatever_is_changed_in_an_export_is_caught(export: Path, folder: Path) -> None:
    rows = export.read_bytes().splitlines(keepends=True)
    trusted = open_key(folder / "house.key", make=False)
    own = trusted.private
    assert fault(folder, resealed(rows[:-1], own)) == ""
    for at in range(0, len(rows) - 1, 5):
        middle = len(rows[at]) // 2
        spoiled = rows[at][:middle] + bytes([rows[at][middle] ^ 1]) + rows[at][middle + 1 :]
        with suppress(BadExport):
            assert fault(folder, b"".join([*rows[:at], spoiled, *rows[at + 1 :]]))
    stranger = Ed25519PrivateKey.generate()
    assert "not by the one that is trusted" in fault(folder, resealed(rows[:-1], stranger), trusted.public.hex())


def test_even_the_holder_of_the_key_cannot_change_a_line_or_drop_a_head(export: Path, folder: Path) -> None:
    rows = export.read_bytes().splitlines(keepends=True)[:-1]
    own = open_key(folder / "house.key", make=False).private
    header = json.loads(rows[0])
    line = json.loads(rows[5])
    line["body"] = line["body"].replace('"at_ms":', '"at_ms":1')
    changed = [*rows[:5], json.dumps(line).encode() + b"\n", *rows[6:]]
    assert fault(folder, resealed(changed, own)).startswith(f"line {line['number']}: the hash")
    fewer = json.dumps(header | {"heads": header["heads"] - 1}).encode() + b"\n"
    without_first = [fewer, *rows[1 : 1 + header["lines"]], *rows[2 + header["lines"] :]]
    assert "head 1 is missing" in fault(folder, resealed(without_first, own))
    shorter = json.dumps(header | {"lines": header["lines"] - 1}).encode() + b"\n"
    cut = [shorter, *rows[1 : header["lines"]], *rows[1 + header["lines"] :]]
    assert "cut off" in fault(folder, resealed(cut, own))


@pytest.mark.parametrize("raw", [b"", b"{}\n", b"{}\n{}\n", b"\x00\xff\n\n"])
def test_what_is_no_export_is_one_line(folder: Path, raw: bytes) -> None:
    (folder / "none.jsonl").write_bytes(raw)
    with pytest.raises(BadExport, match="none"):
        read_export(folder / "none.jsonl")
    with pytest.raises(BadExport, match="missing"):
        read_export(folder / "missing.jsonl")
    with pytest.raises(ValueError, match="hexadecimal"):
        trusted_key("x" * 64)


def test_one_round_alone_is_a_page_to_print_that_proves_itself(house: httpx.Client, folder: Path) -> None:
    shown = ticket(house, "inspector")
    asked = {"table": "EB-1", "round": "1"}
    assert house.get("/api/inspect/round", params=asked, headers=ticket(house, "dealer")).status_code == 403
    assert house.get("/api/inspect/round", params=asked | {"round": "900000"}, headers=shown).status_code == 404
    assert house.get("/api/inspect/round", params=asked | {"round": "x"}, headers=shown).status_code == 422
    answer = house.get("/api/inspect/round", params=asked, headers=shown)
    assert answer.headers["content-disposition"] == 'attachment; filename="croupier-EB-1-round-1.html"'
    assert "PRACTICE" in answer.text
    assert "table EB-1, round 1" in answer.text.replace("Table EB-1", "table EB-1")
    page = folder / "round.html"
    page.write_text(answer.text, encoding="utf-8")
    found = verify_export(page)
    assert (found.found.fault, found.table, found.practice) == ("", "EB-1", True)
    story = house.get("/api/tables/EB-1/rounds/1", headers=shown).json()["entries"]
    kept = [decode(line.body) for line in read_export(page).lines]
    assert [(entry.number, type(entry.event).__name__) for entry in kept] == [
        (each["line"], each["type"]) for each in story
    ]
    assert found.found.lines == len(kept)

    # Another word in the page, another byte in a line, a line less: each is found.
    def changed(old: str, new: str) -> str:
        assert old in answer.text
        page.write_text(answer.text.replace(old, new, 1), encoding="utf-8")
        try:
            return verify_export(page).found.fault
        except BadExport as error:  # a head stands where a line should
            return str(error)

    assert "the page" in changed("What happened", "What never happened")
    line = read_export(page).lines[1]
    assert changed(line.hash.hex(), "0" * 64)
    rows = answer.text.partition("</pre>")[0].splitlines()
    assert changed(rows[-3] + "\n", "")


def test_the_holder_of_the_key_cannot_leave_a_line_out_of_a_round(house: httpx.Client, folder: Path) -> None:
    text = house.get(
        "/api/inspect/round", params={"table": "EB-1", "round": "2"}, headers=ticket(house, "inspector")
    ).text
    page = folder / "cut.html"
    page.write_text(text, encoding="utf-8")
    whole = read_export(page)
    key = open_key(folder / "house.key", make=False)
    gap = {whole.lines[0].number: whole.before[whole.lines[0].number]}
    short = (*whole.lines[:2], *whole.lines[3:])
    header = msgspec.structs.replace(whole.header, lines=len(short), heads=0, page="")
    (folder / "cut.jsonl").write_bytes(b"".join(written(header, short, (), key, before=gap)))
    assert "is missing" in verify_export(folder / "cut.jsonl").found.fault


def test_an_unknown_table_has_no_export(house: httpx.Client) -> None:
    answer = house.get("/api/inspect/export", params={"table": "X-9"}, headers=ticket(house, "inspector"))
    assert answer.status_code == 404
    assert "X-9" in answer.json()["reason"]


# ---------------------------------------------------------------- reports


def test_what_the_inspector_is_told_of_is_collected_with_its_round_and_rule(house: httpx.Client) -> None:
    supervisor = ticket(house, "casino supervisor", "R-1")["Authorization"].removeprefix("Ticket ")
    asked = {"type": "RaiseDispute", "complainant": "Dee", "about": "the ball was touched"}
    sent = {"ticket": supervisor, "id": "ab" * 16, "command": asked}
    assert house.post("/api/tables/R-1/commands", json=sent).json()["done"]
    answer = house.get("/api/inspect/reports", headers=ticket(house, "inspector")).json()
    (report,) = [each for each in answer["reports"] if each["type"] == "DisputeRaised"]
    assert (report["table"], report["kind"], report["practice"]) == ("R-1", "dispute", True)
    assert report["rule"].startswith("NZ1996-I-")
    assert report["summary"]
    assert report["round"] > 1
    assert report["event"]["about"] == "the ball was touched"
    again = house.get("/api/inspect/reports", headers=ticket(house, "inspector")).json()["reports"]
    assert len([each for each in again if each["type"] == "DisputeRaised"]) == 1
    assert len(answer["key"]) == 64
