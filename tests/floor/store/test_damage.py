"""What was durable is damaged: a log, a page, the second journal.  It is named, and the house goes on from the rest."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from croupier.cli.losses import LOG, accepted
from croupier.floor.audit.verify import sound_books, verify
from croupier.floor.store.appends import Append
from croupier.floor.store.chain import Sound
from croupier.floor.store.copies.backup import restore
from croupier.floor.store.durable import Store, open_reader, open_store
from croupier.floor.store.engines import BadLog, BadStore
from croupier.floor.store.frames import DamagedLog, damage_in
from croupier.prove.books.lives import bought, moved
from tests.floor.store.test_anchored import GOOD, _house_with, cheap, house, url

__all__ = ["cheap"]


def add(store: Store, number: int, *, sign: bool = False) -> None:
    body = bought(number, "Ann", 500)
    work = Append("A", number - 1, f"{number:032x}", (body,), tuple(moved(number, body)), b"{}", sign=sign)
    store.append(work).result()


def left(folder: Path, lines: int = 12, *, second: bool = False) -> Path:
    """A house that was left without a word: its newest commits are in the log alone.  The copy of it."""
    there = folder / "left"
    there.mkdir()
    _house_with(folder, "Mia", "Ina")
    with open_store(url(folder), key_path=folder / "key", second=folder / "second" if second else None) as store:
        for number in range(1, lines + 1):
            add(store, number, sign=number == lines)
        for path in folder.iterdir():
            if path.is_file():
                shutil.copy(path, there / path.name)
    return there


def flip(path: Path, byte: int) -> None:
    raw = bytearray(path.read_bytes())
    raw[byte] ^= 4
    path.write_bytes(raw)


def test_a_bit_that_flipped_in_the_log_is_named_at_a_start_and_by_verify(tmp_path: Path) -> None:
    there = left(tmp_path)
    log = there / "house.db-wal"
    assert damage_in(log.read_bytes()) is None
    flip(log, log.stat().st_size // 2)
    assert isinstance(damage_in(log.read_bytes()), DamagedLog)
    found = verify(url(there), there / "key")
    assert "the write-ahead log is damaged at frame" in found.fault
    for _ in range(2):
        with pytest.raises(BadLog, match=r"croupier restore.*croupier accept-loss"):
            house(there)
    assert log.exists()


def test_a_damaged_log_is_given_up_by_two_people_only_and_kept(tmp_path: Path) -> None:
    there = left(tmp_path)
    flip(there / "house.db-wal", (there / "house.db-wal").stat().st_size // 2)
    with pytest.raises(ValueError, match="two different people"):
        accepted(url(there), str(there / "key"), "", (("Mia", GOOD), ("Ina", "a wrong one 42")))
    # SQLite has taken its own log away by now; that nobody accepted the loss is known all the same.
    with pytest.raises(BadLog):
        house(there)
    assert "damaged" in verify(url(there), there / "key").fault
    losses = accepted(url(there), str(there / "key"), "", (("Mia", GOOD), ("Ina", GOOD)))
    assert {each["table"] for each in losses["accepted"]} == {"A", LOG}
    house(there)
    assert len(list(there.glob("house.db-wal.accepted.*"))) == 1
    with open_reader(url(there)) as store:
        assert any(b'"LossAccepted"' in line.body for line in store.lines("@people"))


def test_what_the_power_tears_off_a_log_is_no_damage(tmp_path: Path) -> None:
    there = left(tmp_path)
    log = there / "house.db-wal"
    whole = log.read_bytes()
    assert damage_in(b"") is None
    assert damage_in(bytes(32)) is None
    for cut in (len(whole) - 1, len(whole) - 5_000, 40, 31):
        assert damage_in(whole[:cut]) is None, cut
    # The last commit half written, its end before its middle.
    assert damage_in(whole[: -3 * 4120] + bytes(4120) + whole[-2 * 4120 :]) is None
    assert damage_in(bytes(32) + whole[32:]) == DamagedLog(0)
    assert damage_in(b"\xff" + whole[1:]) == DamagedLog(0)


def frames_of(log: bytes) -> int:
    """How many frames a log has by its own count: those of the log before it have another salt."""
    salt, size = log[16:24], 24 + 4_096
    return sum(log[at + 8 : at + 16] == salt for at in range(32, len(log) - size + 1, size))


def test_a_log_does_not_grow_over_the_lives_of_processes_that_are_killed_again_and_again(tmp_path: Path) -> None:
    there, frames = left(tmp_path, lines=2), []
    for life in range(1, 9):
        then = tmp_path / f"life {life}"
        with open_store(url(there), key_path=there / "key") as store:
            assert store.writer is not None
            store.writer.log_pages = 40
            for number in range(3 * life, 3 * life + 3):
                add(store, number)
            shutil.copytree(there, then)  # it is killed, long before its own log would be brought into the database
        there = then
        frames.append(frames_of((there / "house.db-wal").read_bytes()))
    assert max(frames) < 80, frames
    with open_reader(url(there), key_path=there / "key") as store:
        assert [line.number for line in store.each_line("A")] == list(range(1, 27))


def test_a_page_that_cannot_be_read_is_told_in_one_line(tmp_path: Path) -> None:
    left(tmp_path)
    raw = bytearray((tmp_path / "house.db").read_bytes())
    raw[4096:] = b"\x07" * (len(raw) - 4096)
    (tmp_path / "house.db").write_bytes(raw)
    with pytest.raises(BadStore, match=r"house.db: .*malformed"):
        house(tmp_path)
    assert "malformed" in verify(url(tmp_path), tmp_path / "key").fault or "files" in verify(url(tmp_path), None).fault


def test_an_answer_that_was_changed_is_found_with_the_second_journal(tmp_path: Path) -> None:
    left(tmp_path, second=True)
    with sqlite3.connect(tmp_path / "house.db") as database:
        database.execute("UPDATE command SET answer = x'00' WHERE id = ?", (f"{7:032x}",))
    database.close()
    with open_reader(url(tmp_path), key_path=tmp_path / "key") as store:
        assert sound_books(store, tmp_path / "second") == (
            f"the second journal has it otherwise: command {7:032x} is not as it was"
        )
    with pytest.raises(BadStore, match="is not as it was"):
        house(tmp_path, second=tmp_path / "second")


# ---------------------------------------------------------------- the second journal itself


def test_a_second_journal_torn_in_any_part_of_its_last_group_is_mended_and_restored(tmp_path: Path) -> None:
    left(tmp_path, second=True)
    second = tmp_path / "second"
    whole = second.read_bytes()
    with open_store(url(tmp_path), key_path=tmp_path / "key", second=second) as store:
        add(store, 13, sign=True)
    group = second.read_bytes()[len(whole) :]
    for at in range(1, len(group), 37):
        # Its first part is not there, though the rest is: sectors come in any order.
        second.write_bytes(whole + bytes(at) + group[at:])
        shutil.copy(second, tmp_path / "torn")
        house(tmp_path, second=second)
        with open_reader(url(tmp_path), key_path=tmp_path / "key") as store:
            assert isinstance(sound_books(store, second), Sound)
    restore(tmp_path / "torn", f"sqlite:///{tmp_path}/two.db")
    with open_reader(f"sqlite:///{tmp_path}/two.db") as store:
        assert store.last("A")[0] == 12


def test_a_second_journal_damaged_in_its_middle_is_written_anew_from_a_database_that_has_it_all(tmp_path: Path) -> None:
    left(tmp_path, second=True)
    second = tmp_path / "second"
    flip(second, second.stat().st_size // 2)
    with pytest.raises(BadStore, match="the second journal is damaged at byte"):
        restore(second, f"sqlite:///{tmp_path}/two.db")
    shutil.copy(second, tmp_path / "damaged")
    house(tmp_path, second=second)
    with open_reader(url(tmp_path), key_path=tmp_path / "key") as store:
        assert isinstance(sound_books(store, second), Sound)
    # With a database that lacks what follows, nothing is thrown away.
    shutil.copy(tmp_path / "damaged", second)
    with sqlite3.connect(tmp_path / "house.db") as database:
        for name in ("journal", "command", "ledger"):
            database.execute(f"DELETE FROM {name} WHERE table_name = 'A' AND number > 10")
    database.close()
    with pytest.raises(BadStore, match=r"damaged at byte .*not in the database: .* is missing"):
        house(tmp_path, second=second)
    assert second.read_bytes() == (tmp_path / "damaged").read_bytes()


def test_a_second_journal_of_the_first_version_is_read_and_written_anew(tmp_path: Path) -> None:
    left(tmp_path, second=True)
    second = tmp_path / "second"
    rows = [row for row in second.read_text().splitlines() if not row.startswith('["group"')][1:]
    old = "\n".join(['{"croupier_second":1,"revision":"0003"}', *rows, '["journal","A",13,"half'])
    second.write_text(old)
    restore(second, f"sqlite:///{tmp_path}/two.db")
    house(tmp_path, second=second)
    assert json.loads(second.read_text().splitlines()[0])["croupier_second"] == 2
    with open_reader(url(tmp_path), key_path=tmp_path / "key") as store:
        assert isinstance(sound_books(store, second), Sound)
