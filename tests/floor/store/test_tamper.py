"""Whoever can write to the database cannot change the past unseen: each way of trying is caught, and named."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from croupier.floor.store.appends import Append
from croupier.floor.store.chain import (
    BadHead,
    BrokenLine,
    MissingHead,
    Sound,
    Truncated,
    genesis,
    link,
    verify_chain,
    verify_ledger,
)
from croupier.floor.store.copies.witnesses import witnessed
from croupier.floor.store.durable import Store, open_reader, open_store
from croupier.floor.store.heads import BadKey, Head, open_key, signed
from croupier.prove.books.lives import bought, moved

LINES = 10
SIGNED_AT = (4, 7, 10)


@dataclass(frozen=True, slots=True)
class House:
    """A closed store of one table with ten lines and three heads, and a way into its file."""

    folder: Path
    url: str
    heads: tuple[Head, ...]

    def change(self, *statements: str) -> None:
        database = sqlite3.connect(self.folder / "house.db")
        with database:
            for statement in statements:
                database.execute(statement)
        database.close()

    def verified(self, known: tuple[Head, ...] = ()) -> object:
        with self.reader() as store:
            return verify_chain(store, known)

    def ledger(self) -> object:
        with self.reader() as store:
            return verify_ledger(store, moved)

    def reader(self) -> Store:
        return open_reader(self.url, key_path=self.folder / "key")

    def forget_witness(self) -> None:
        (self.folder / "key.heads").unlink()


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> House:
    """Made once; each test works on a copy."""
    folder = tmp_path_factory.mktemp("honest")
    url = f"sqlite:///{folder}/house.db"
    with open_store(url, key_path=folder / "key") as store:
        for number in range(1, LINES + 1):
            body = bought(number, "seat 1", number * 100)
            store.append(Append("A", number - 1, f"{number:032x}", (body,), tuple(moved(number, body)), b"ok"))
            if number in SIGNED_AT:
                store.sign_head("A", number)
        store.keep_snapshot("A", 9, b"state at nine").result()
        return House(folder, url, store.heads("A"))


@pytest.fixture
def house(honest: House, tmp_path: Path) -> House:
    folder = shutil.copytree(honest.folder, tmp_path / "house")
    return House(folder, f"sqlite:///{folder}/house.db", honest.heads)


def test_an_honest_store_is_sound(house: House) -> None:
    assert house.verified() == Sound(tables=1, lines=LINES, heads=3, unsigned=0)
    assert house.verified(house.heads) == Sound(tables=1, lines=LINES, heads=3, unsigned=0)
    assert house.ledger() is None


@pytest.mark.parametrize("number", [1, 5, 10])
def test_a_changed_body_is_caught_at_its_line(house: House, number: int) -> None:
    house.change(f"UPDATE journal SET body = replace(body, 'seat 1', 'seat 2') WHERE number = {number}")
    assert house.verified() == BrokenLine("A", number, "the hash does not follow from the line before and the body")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE journal SET body = body || ' ' WHERE number = 5",
        "UPDATE journal SET body = x'ff' WHERE number = 5",
        "UPDATE journal SET body = CAST(x'fffe' AS TEXT) WHERE number = 5",
        "UPDATE journal SET hash = x'00' WHERE number = 5",
        "UPDATE journal SET hash = 'text' WHERE number = 5",
        "DELETE FROM journal WHERE number = 5",
        "UPDATE journal SET number = 99 WHERE number = 5",
        "UPDATE journal SET number = 'five' WHERE number = 5",
    ],
)
def test_a_spoiled_row_is_caught_at_its_line(house: House, change: str) -> None:
    house.change(change)
    found = house.verified()
    assert isinstance(found, BrokenLine)
    assert (found.table, found.number) == ("A", 5)


def test_the_same_bytes_in_another_storage_class_are_the_same_line(house: House) -> None:
    house.change("UPDATE journal SET body = CAST(body AS BLOB) WHERE number = 5")
    assert isinstance(house.verified(), Sound)


def test_two_lines_in_each_others_place_are_caught(house: House) -> None:
    house.change(
        "UPDATE journal SET number = -1 WHERE number = 5",
        "UPDATE journal SET number = 5 WHERE number = 6",
        "UPDATE journal SET number = 6 WHERE number = -1",
    )
    assert isinstance(found := house.verified(), BrokenLine)
    assert found.number == 5


def test_a_line_put_in_after_the_end_is_caught(
    house: House,
) -> None:
    house.change("INSERT INTO journal VALUES ('A', 11, 'made up', x'00')")
    assert house.verified() == BrokenLine("A", 11, "the hash does not follow from the line before and the body")


def test_a_journal_passed_off_as_another_tables_is_caught(house: House) -> None:
    house.change("UPDATE journal SET table_name = 'B'", "UPDATE head SET table_name = 'B'")
    assert isinstance(house.verified(), BadHead | BrokenLine | Truncated)
    house.change("DELETE FROM head", "DELETE FROM command")
    house.forget_witness()
    assert isinstance(house.verified(), BrokenLine)


# ---------------------------------------------------------------- cutting the end off


@pytest.mark.parametrize("kept", [9, 7, 0])
def test_a_cut_tail_is_caught_by_the_heads_in_the_database(house: House, kept: int) -> None:
    house.change(f"DELETE FROM journal WHERE number > {kept}", f"DELETE FROM command WHERE number > {kept}")
    house.forget_witness()
    assert house.verified() == Truncated("A", 10, kept)


def test_a_cut_tail_is_caught_by_the_answers_alone(house: House) -> None:
    house.change("DELETE FROM journal WHERE number > 9", "DELETE FROM head WHERE number > 9")
    house.forget_witness()
    assert house.verified() == Truncated("A", 10, 9)


CUT = tuple(f"DELETE FROM {name} WHERE number > 7" for name in ("journal", "command", "head", "ledger"))


def test_a_tail_cut_with_its_heads_and_answers_is_caught_by_the_witness(house: House) -> None:
    house.change(*CUT)
    assert house.verified() == Truncated("A", 10, 7)


def test_a_tail_cut_everywhere_is_caught_by_the_inspectors_head(house: House) -> None:
    house.change(*CUT)
    house.forget_witness()
    assert house.verified(known=house.heads[2:]) == Truncated("A", 10, 7)
    # Without any head outside nothing can know: this is why heads leave the house.
    assert isinstance(house.verified(), Sound)


def test_a_table_that_vanished_is_caught(house: House) -> None:
    house.change("DELETE FROM journal", "DELETE FROM command", "DELETE FROM head")
    assert house.verified() == Truncated("A", 10, 0)


# ---------------------------------------------------------------- heads


def test_a_missing_head_is_named(house: House) -> None:
    house.change("DELETE FROM head WHERE ordinal = 2")
    assert house.verified() == MissingHead("A", 2)


def test_the_last_head_missing_is_known_from_the_witness(house: House) -> None:
    house.change("DELETE FROM head WHERE ordinal = 3")
    assert house.verified() == MissingHead("A", 3)


def test_a_table_without_any_head_is_not_sound(house: House) -> None:
    house.change("DELETE FROM head")
    house.forget_witness()
    assert house.verified() == MissingHead("A", 1)


@pytest.mark.parametrize("change", ["number = 6", "at_ms = 1", "hash = x'00'", "signature = x'00'", "key = x'00'"])
def test_a_changed_head_is_caught(house: House, change: str) -> None:
    house.change(f"UPDATE head SET {change} WHERE ordinal = 2")
    assert isinstance(house.verified(), BadHead)


def rewritten(house: House, *, resign: Callable[[Head], Head] | None = None) -> None:
    """Change line 5 and compute the chain again from there; sign the heads again if there is a way."""
    database = sqlite3.connect(house.folder / "house.db")
    chain = genesis("A")
    hashes = {}
    with database:
        database.execute("UPDATE journal SET body = replace(body, 'seat 1', 'seat 2') WHERE number = 5")
        for number, body in database.execute("SELECT number, body FROM journal ORDER BY number").fetchall():
            chain = hashes[number] = link(chain, body.encode())
            database.execute("UPDATE journal SET hash = ? WHERE number = ?", (chain, number))
        for head in house.heads if resign else ():
            assert resign is not None
            made = resign(msgspec.structs.replace(head, hash=hashes[head.number]))
            row = (made.hash, made.key, made.signature, made.ordinal)
            database.execute("UPDATE head SET hash = ?, key = ?, signature = ? WHERE ordinal = ?", row)
    database.close()


def test_a_chain_rewritten_without_the_key_is_caught_at_the_next_head(house: House) -> None:
    rewritten(house)
    assert house.verified() == BadHead("A", 7, "the signed hash is not the hash of the line")


def test_a_chain_rewritten_with_another_key_is_caught(house: House, tmp_path: Path) -> None:
    other = open_key(tmp_path / "forger")
    rewritten(house, resign=lambda head: signed(other, msgspec.structs.replace(head, key=other.public)))
    house.forget_witness()
    assert house.verified() == BadHead("A", 4, "the signature is not by a trusted key")


def test_a_chain_rewritten_with_the_stolen_key_is_caught_by_an_old_head(house: House) -> None:
    rewritten(house, resign=lambda head: signed(open_key(house.folder / "key"), head))
    assert isinstance(house.verified(), BadHead)
    house.forget_witness()
    assert isinstance(house.verified(), Sound)
    assert house.verified(known=house.heads[2:]) == BadHead("A", 10, "the signed hash is not the hash of the line")


def test_another_house_does_not_trust_these_heads_unless_told(house: House, tmp_path: Path) -> None:
    with pytest.raises(BadKey, match="No such file"):
        open_reader(house.url, key_path=tmp_path / "other key")
    with open_reader(house.url, trusted=[open_key(tmp_path / "other key").public]) as store:
        assert isinstance(verify_chain(store), BadHead)
    with open_reader(house.url, trusted=[open_key(house.folder / "key").public]) as store:
        assert isinstance(verify_chain(store), Sound)


def test_a_half_written_line_of_the_witness_is_passed_over(house: House) -> None:
    witness = house.folder / "key.heads"
    witness.write_bytes(witness.read_bytes()[:-40])
    assert witnessed(witness, ()) == house.heads[:2]
    with open_store(house.url, key_path=house.folder / "key") as store:
        store.sign_head("A", 99).result()
        assert [head.ordinal for head in store.witnessed_heads()] == [1, 2, 4]
        assert isinstance(verify_chain(store), Sound)


# ---------------------------------------------------------------- money and snapshots


@pytest.mark.parametrize(
    ("change", "number"),
    [
        ("UPDATE ledger SET cents = cents + 1 WHERE number = 3", 3),
        ("UPDATE ledger SET credit = 'mine' WHERE number = 3", 3),
        ("DELETE FROM ledger WHERE number = 3", 3),
        ("INSERT INTO ledger VALUES ('A', 3, 9, 'bank', 'mine', 5, 'R')", 3),
        ("INSERT INTO ledger VALUES ('A', 11, 0, 'bank', 'mine', 5, 'R')", 11),
    ],
)
def test_money_that_no_line_moved_is_caught(house: House, change: str, number: int) -> None:
    house.change(change)
    assert isinstance(found := house.ledger(), BrokenLine)
    assert found.number == number


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE snapshot SET body = x'00'",
        "UPDATE snapshot SET number = 8",
        "UPDATE snapshot SET signature = x'00'",
        "UPDATE snapshot SET key = x'00'",
        "UPDATE journal SET hash = x'00' WHERE number = 9",
        "DELETE FROM journal WHERE number >= 9",
    ],
)
def test_a_snapshot_that_is_not_as_it_was_signed_is_not_used(house: House, change: str) -> None:
    with house.reader() as store:
        assert store.snapshot("A") is not None
    house.change(change)
    with house.reader() as store:
        assert store.snapshot("A") is None
