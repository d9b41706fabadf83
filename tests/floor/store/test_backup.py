"""A house is backed up while it runs and restored elsewhere, whole or not at all."""

from __future__ import annotations

import gzip
import json
from hashlib import sha256
from pathlib import Path

import pytest

from croupier.cli import app as cli
from croupier.floor.audit.verify import verify
from croupier.floor.store.appends import Append, LedgerRow
from croupier.floor.store.copies.backup import BadBackup, back_up, restore
from croupier.floor.store.durable import open_reader, open_store
from croupier.floor.store.engines import BadStore
from croupier.journal.entries import encode
from croupier.prove.books.instruments import servers as postgres
from croupier.rulesets import known_game, ruleset
from croupier.table import commands as c
from croupier.table.commands import TableRequest
from croupier.table.decide import decide
from croupier.table.evolve import after, entries
from croupier.table.state import new_table


def played(url: str, key: Path) -> None:
    """A table that was opened and at which somebody bought chips."""
    table = new_table("EB-1", known_game("baccarat"), ruleset("nz1998", game="baccarat"))
    with open_store(url, key_path=key) as store:
        store.own("EB-1").result()
        asked: tuple[tuple[c.AnyCommand, str], ...] = (
            (c.OpenTable(500, 100_000, supervisor="Sue"), "game supervisor"),
            (c.Sit("Ann", 1), "dealer"),
            (c.BuyChips("Ann", 10_000), "dealer"),
        )
        for number, (what, role) in enumerate(asked):
            request = TableRequest(what, "Sue", role, 1_700_000_000_000)
            events = decide(table, request)
            assert isinstance(events, tuple), events
            lines = entries(table, request, events)
            rows = [
                LedgerRow(line.number + 1, move.debit, move.credit, move.amount, move.rule)
                for line in lines
                for move in line.event.transfers
            ]
            done = Append(
                "EB-1",
                table.entries,
                f"{number:032x}",
                tuple(map(encode, lines)),
                tuple(rows),
                b'{"answer":"\xc3\xa9"}',
            )
            store.append(done).result()
            table = after(table, lines)
        store.sign_head("EB-1", 1_700_000_000_000).result()


def everything(url: str) -> object:
    with open_reader(url) as store:
        return (
            [store.lines(name) for name in store.tables()],
            store.heads("EB-1"),
            store.ledger_rows("EB-1"),
            store.answer(f"{2:032x}"),
        )


def test_a_restored_house_is_the_one_that_was_backed_up(tmp_path: Path) -> None:
    one, two, file = f"sqlite:///{tmp_path}/one.db", f"sqlite:///{tmp_path}/two.db", tmp_path / "house.backup"
    played(one, tmp_path / "key")
    copied = back_up(one, file)
    assert copied.rows["journal"] > 3
    assert restore(file, two) == copied
    assert everything(two) == everything(one)
    assert verify(two, tmp_path / "key").fault == ""


def test_a_house_moves_from_a_file_to_postgresql_and_back(server: str, tmp_path: Path) -> None:
    one, two = f"sqlite:///{tmp_path}/one.db", f"sqlite:///{tmp_path}/two.db"
    there = postgres.new_database(server)
    played(one, tmp_path / "key")
    back_up(one, tmp_path / "first")
    restore(tmp_path / "first", there)
    assert verify(there, tmp_path / "key").fault == ""
    back_up(there, tmp_path / "second")
    restore(tmp_path / "second", two)
    assert everything(two) == everything(one)


def test_a_backup_is_taken_while_the_house_is_open(tmp_path: Path) -> None:
    one = f"sqlite:///{tmp_path}/one.db"
    played(one, tmp_path / "key")
    with open_store(one, key_path=tmp_path / "key"):
        assert back_up(one, tmp_path / "file").rows["journal"] > 3


def test_nothing_is_written_over(tmp_path: Path) -> None:
    one, two, file = f"sqlite:///{tmp_path}/one.db", f"sqlite:///{tmp_path}/two.db", tmp_path / "house.backup"
    played(one, tmp_path / "key")
    back_up(one, file)
    with pytest.raises(BadBackup, match="there is a file already"):
        back_up(one, file)
    restore(file, two)
    with pytest.raises(BadBackup, match="not empty"):
        restore(file, two)


@pytest.mark.parametrize("how", ["cut", "changed", "lines", "other"])
def test_a_spoiled_backup_restores_nothing(tmp_path: Path, how: str) -> None:
    one, two, file = f"sqlite:///{tmp_path}/one.db", f"sqlite:///{tmp_path}/two.db", tmp_path / "house.backup"
    played(one, tmp_path / "key")
    back_up(one, file)
    whole = file.read_bytes()
    match how:
        case "cut":
            file.write_bytes(whole[: len(whole) // 2])
        case "changed":
            file.write_bytes(gzip.compress(gzip.decompress(whole).replace(b"10000", b"90000")))
        case "lines":
            lines = gzip.decompress(whole).splitlines(keepends=True)
            file.write_bytes(gzip.compress(b"".join(lines[:3] + lines[4:])))
        case "other":
            file.write_bytes(b"something else")
    with pytest.raises(BadBackup, match="no whole backup"):
        restore(file, two)
    assert not list(tmp_path.glob("two.db*")), "a database was made for it"


@pytest.mark.parametrize(
    "words", ["restore {0}/none", "people unlock ann", "drill close {0}/toml {0}/books --by sue --for-ever"]
)
def test_what_cannot_be_done_makes_no_database(tmp_path: Path, words: str) -> None:
    url = f"sqlite:///{tmp_path}/none.db"
    (tmp_path / "toml").write_text(f'[store]\nurl = "{url}"\n')
    named = () if "toml" in words else ("--db", url)
    assert cli.run((*words.format(tmp_path).split(), *named)) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["toml"]


def test_a_backup_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadStore, match="no such database"):
        back_up(f"sqlite:///{tmp_path}/none.db", tmp_path / "file")
    assert list(tmp_path.iterdir()) == []


def test_the_commands_say_what_they_did_and_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two, file = f"sqlite:///{tmp_path}/one.db", f"sqlite:///{tmp_path}/two.db", tmp_path / "house.backup"
    played(one, tmp_path / "key")
    assert cli.run(("backup", str(file), "--db", one)) == 0
    assert "of journal" in capsys.readouterr().out
    assert cli.run(("restore", str(file), "--db", two, "--json")) == 0
    assert json.loads(capsys.readouterr().out)["rows"]["head"] == 1
    assert cli.run(("restore", str(file), "--db", two)) == 2
    assert "not empty" in capsys.readouterr().err


def test_a_backup_of_the_version_before_is_read(tmp_path: Path) -> None:
    one, two, file = f"sqlite:///{tmp_path}/one.db", f"sqlite:///{tmp_path}/two.db", tmp_path / "house.backup"
    played(one, tmp_path / "key")
    back_up(one, file)
    rows = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()[:-1]]
    older = [{**rows[0], "revision": "0002"}, *(row[:5] if row[0] == "command" else row for row in rows[1:])]
    text = b"".join(json.dumps(row).encode() + b"\n" for row in older)
    last = {"rows": len(rows) - 1, "sha256": sha256(text).hexdigest()}
    (tmp_path / "older.backup").write_bytes(gzip.compress(text + json.dumps(last).encode() + b"\n"))
    restore(tmp_path / "older.backup", two)
    assert everything(two) == everything(one)
    assert verify(two, tmp_path / "key").fault == ""
