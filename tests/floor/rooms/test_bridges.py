"""Devices on serial lines, over a pseudo-terminal; and a printed voucher, read back by an independent decoder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import httpx
import numpy as np
import pytest
import zxingcpp

from croupier.client.bridge import framed, unframed
from croupier.floor.rooms.cage.escpos import BEGIN, CUT, raster, voucher_escpos
from croupier.house.cage.messages import Issued
from tests.helpers.houses.devices import Device, DeviceHouse, device_house

CODE = "0123456789012345678901234567"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeviceHouse]:
    with device_house(tmp_path_factory.mktemp("bridges")) as running:
        running.do("game supervisor", "ApproveSystem", version="1.0", approval="TA-0")
        yield running


@contextmanager
def bridged(house: DeviceHouse, kind: str, secret: str, folder: Path) -> Iterator[BinaryIO]:
    """The device's end of the line of a bridge, which is a process of its own."""
    ours, theirs = os.openpty()
    (folder / "secret").write_text(secret)
    words = [sys.executable, "-m", "croupier.client.bridge", kind, house.address, str(folder / "secret")]
    with subprocess.Popen([*words, os.ttyname(theirs)], stderr=subprocess.DEVNULL) as process:
        with os.fdopen(ours, "r+b", buffering=0) as line:
            # A device says hello until somebody answers; the line itself echoes nothing once the bridge has it.
            while unframed(said(line, b"\n" + framed("HELLO 5eed"))) != "OK HELLO":
                pass
            yield line
            process.kill()
        os.close(theirs)


def said(line: BinaryIO, text: bytes) -> bytes:
    line.write(text)
    answer = line.readline()
    while answer.strip(b"\r\n") in (b"", text.strip()) or (unframed(answer) == "WHAT" and text.startswith(b"\n")):
        answer = line.readline()
    return answer


def answered(line: BinaryIO, text: str) -> str:
    return unframed(said(line, framed(text))) or ""


def chips(device: Device) -> int:
    return int(device.view()["me"]["chips"])


def test_a_note_acceptor_credits_each_note_once_however_often_it_says_so(house: DeviceHouse, tmp_path: Path) -> None:
    device = house.device(1)
    with bridged(house, "notes", device.acceptor, tmp_path) as line:
        assert answered(line, "1 2000") == "OK 1"
        assert answered(line, "1 2000") == "OK 1"
        assert answered(line, "2 5000") == "OK 2"
        spoiled = framed("3 5000").replace(b"5000", b"9000")
        assert unframed(said(line, spoiled)) == "WHAT"
        assert answered(line, "3 lots").startswith("NO 3")
        assert answered(line, "4 1").startswith("NO 4")
    assert chips(device) == 7000
    # Another bridge after it, for a device whose power was never off, knows the same lines again.
    with bridged(house, "notes", device.acceptor, tmp_path) as line:
        assert answered(line, "2 5000") == "OK 2"
    assert chips(device) == 7000


def test_a_shoe_tells_its_cards_and_is_told_what_is_not_due(house: DeviceHouse, tmp_path: Path) -> None:
    device = house.device(2)
    house.do("dealer", "CreditTerminal", terminal=device.name, amount=5000)
    with bridged(house, "shoe", house.pair("shoe"), tmp_path) as line:
        assert answered(line, "1 9c").startswith("NO 1 ")
        house.until(act="close betting")
        assert device.touch("player", 1000)["done"]
        house.until("deal")
        assert device.confirm()["done"]
        answers = [answered(line, f"{number} {card}") for number, card in enumerate(("9c", "Kh", "10d", "7s"), 2)]
        assert answers == [f"OK {number}" for number in range(2, 6)]
        assert answered(line, "5 7s") == "OK 5"
    house.until(act="close betting")
    assert chips(device) == 6000


# ---------------------------------------------------------------- paper


def dots(printed: bytes) -> np.ndarray:
    """The picture in what a printer is sent, as grey values."""
    at = printed.index(b"\x1dv0")
    wide, high = (int.from_bytes(printed[at + 4 + 2 * n : at + 6 + 2 * n], "little") for n in (0, 1))
    rows = np.frombuffer(printed[at + 8 : at + 8 + wide * high], np.uint8).reshape(high, wide)
    return np.pad((1 - np.unpackbits(rows, axis=1)) * np.uint8(255), 20, constant_values=255)


def test_the_printed_barcode_is_read_back_by_an_independent_decoder() -> None:
    issued = Issued(amount=123_456, table="EB-1\x1b@", terminal="Terminal 7", at_ms=0, line=42, practice=True)
    printed = voucher_escpos(CODE, issued, expires_ms=0, head=None)
    (found,) = zxingcpp.read_barcodes(dots(printed))
    assert (found.text, found.format) == (CODE, zxingcpp.BarcodeFormat.Code128)
    assert b"$1,234.56" in printed
    assert b"PRACTICE" in printed
    # A name cannot smuggle a command to the printer.
    assert (printed.count(BEGIN), printed.endswith(CUT)) == (1, True)
    wrong = bytearray(raster(CODE))
    wrong[8:] = bytes(len(wrong) - 8)
    assert not zxingcpp.read_barcodes(dots(bytes(wrong)))


def test_a_voucher_is_printed_for_whoever_has_its_number(house: DeviceHouse, tmp_path: Path) -> None:
    device = house.device(3)
    house.do("dealer", "CreditTerminal", terminal=device.name, amount=5000)
    number = device.do("CashOut", terminal=device.name, voucher="")["voucher"]
    paper = tmp_path / "paper"
    paper.touch()
    words = [sys.executable, "-m", "croupier.client.bridge", "print", house.address, number, str(paper)]
    subprocess.run(words, check=True)
    (found,) = zxingcpp.read_barcodes(dots(paper.read_bytes()))
    assert found.text == number
    assert httpx.get(f"{house.address}/voucher/escpos", params={"id": CODE}).status_code == 404
