"""The store as its callers see it, on an SQLite file and on a real PostgreSQL: one effect, one answer, in order."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from msgspec.structs import replace

from croupier.floor.store import schema
from croupier.floor.store.appends import (
    Append,
    Appended,
    BadAppend,
    IdTaken,
    Kept,
    LedgerRow,
    Owned,
    Released,
    Repeated,
    Stale,
    command_id,
)
from croupier.floor.store.chain import Sound, genesis, link, verify_chain, verify_ledger
from croupier.floor.store.copies.witnesses import Accepted
from croupier.floor.store.durable import Store, open_reader, open_store
from croupier.floor.store.engines import BadStore
from croupier.floor.store.heads import Head
from croupier.prove.books.instruments import servers as postgres
from croupier.prove.books.lives import moved, unit

ONE, TWO = "0" * 31 + "1", "0" * 31 + "2"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/house.db"
    return postgres.emptied(request.getfixturevalue("server"))


@pytest.fixture
def store(url: str, tmp_path: Path) -> Iterator[Store]:
    with open_store(url, key_path=tmp_path / "key") as opened:
        for table in ("A", "B"):
            assert isinstance(opened.own(table).result(), Owned)
        yield opened


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/house.db"


def appended(store: Store, table: str, after: int, command: str) -> Appended:
    answer = store.append(unit(table, after, command)).result()
    assert isinstance(answer, Appended)
    return answer


# ---------------------------------------------------------------- appending


def test_an_append_is_lines_money_and_answer_together(store: Store) -> None:
    work = unit("A", 0, "02" + ONE[2:])
    answer = store.append(work).result()
    assert isinstance(answer, Appended)
    assert [line.body for line in store.lines("A")] == list(work.lines)
    assert store.ledger_rows("A") == work.ledger
    assert store.answer(work.command) == Repeated("A", 3, work.answer)
    assert store.last("A") == (answer.last, answer.hash)


def test_each_hash_covers_the_hash_before_and_the_body(store: Store) -> None:
    last = appended(store, "A", 0, ONE)
    appended(store, "A", last.last, TWO)
    before = genesis("A")
    for line in store.lines("A"):
        assert line.hash == link(before, line.body)
        before = line.hash


def test_a_repeated_command_has_one_effect_and_the_first_answer(store: Store) -> None:
    first = unit("A", 0, ONE)
    store.append(first).result()
    again = Append("A", 1, ONE, (b"other",), (), b"another answer")
    assert store.append(again).result() == Repeated("A", len(first.lines), first.answer)
    assert len(store.lines("A")) == len(first.lines)


def test_a_command_id_is_one_over_all_tables(store: Store) -> None:
    appended(store, "A", 0, ONE)
    assert store.append(unit("B", 0, ONE)).result() == IdTaken("B")
    assert store.tables() == ("A",)


def test_a_command_id_belongs_to_its_request(store: Store) -> None:
    first = replace(unit("A", 0, ONE), request="Ann's")
    store.append(first).result()
    assert store.append(first).result() == Repeated("A", len(first.lines), first.answer, "Ann's")
    assert store.append(replace(first, request="Bob's")).result() == IdTaken("A")


def test_an_answer_of_an_earlier_version_is_known_by_its_journal(store: Store) -> None:
    first = unit("A", 0, ONE)
    store.append(first).result()
    assert isinstance(store.append(replace(first, request="Ann's")).result(), Repeated)
    assert store.append(replace(first, table="B", request="Ann's")).result() == IdTaken("B")


def test_a_uuid_is_the_same_id_with_and_without_hyphens(store: Store) -> None:
    appended(store, "A", 0, "0123456789abcdef0123456789abcdef")
    again = Append("A", 1, "01234567-89AB-CDEF-0123-456789ABCDEF", (), (), b"")
    assert isinstance(store.append(again).result(), Repeated)


@pytest.mark.parametrize(("after", "stale"), [(1, True), (2, False), (3, True)])
def test_an_append_after_another_line_than_the_last_is_refused(store: Store, after: int, *, stale: bool) -> None:
    assert appended(store, "A", 0, "01" + ONE[2:]).last == 2
    answer = store.append(Append("A", after, TWO, (b"next",), (), b"")).result()
    assert answer == Stale("A", after, 2) if stale else isinstance(answer, Appended)
    assert store.last("A")[0] == (2 if stale else 3)


def test_a_stale_command_can_be_sent_again(store: Store) -> None:
    assert isinstance(store.append(unit("A", 5, ONE)).result(), Stale)
    assert store.answer(ONE) is None
    appended(store, "A", 0, ONE)


def test_a_refused_command_keeps_its_answer_without_lines(store: Store) -> None:
    store.append(Append("A", 0, ONE, (), (), b"refused")).result()
    assert store.append(Append("A", 7, ONE, (b"line",), (), b"")).result() == Repeated("A", 0, b"refused")
    assert store.lines("A") == ()


def test_a_hundred_threads_with_one_command_have_one_effect(store: Store) -> None:
    work, gate = unit("A", 0, ONE), threading.Barrier(100)

    def send(_: int) -> object:
        gate.wait()
        return store.append(work).result()

    with ThreadPoolExecutor(100) as pool:
        answers = list(pool.map(send, range(100)))
    assert sum(isinstance(answer, Appended) for answer in answers) == 1
    assert answers.count(Repeated("A", len(work.lines), work.answer)) == 99
    assert len(store.lines("A")) == len(work.lines)


def test_a_hundred_threads_with_a_hundred_commands_for_one_line_have_one_effect(store: Store) -> None:
    with ThreadPoolExecutor(100) as pool:
        units = [unit("A", 0, secrets.token_hex(16)) for _ in range(100)]
        answers = list(pool.map(lambda each: store.append(each).result(), units))
    assert sum(isinstance(answer, Appended) for answer in answers) == 1
    assert sum(isinstance(answer, Stale) for answer in answers) == 99


def test_what_is_queued_in_order_is_appended_in_order(store: Store) -> None:
    waiting: list[Future[object]] = []
    last = 0
    for _ in range(1500):
        work = unit("A", last, secrets.token_hex(16))
        last += len(work.lines)
        waiting.append(store.append(work))  # type: ignore[arg-type]
    assert all(isinstance(future.result(), Appended) for future in waiting)
    assert store.last("A")[0] == last


def test_everything_that_waits_goes_into_one_commit(store: Store) -> None:
    """The writer is held up before its first group; what comes meanwhile is the second."""
    assert store.writer is not None
    groups: list[int] = []
    held = store.writer.ownership.held
    gate = threading.Event()

    def counting(*given: object) -> object:
        gate.wait(10)
        groups.append(len(store.tables()))
        return held(*given)  # type: ignore[arg-type]

    watched = _Watched(store.writer.ownership, counting)
    store.writer.ownership = watched  # type: ignore[assignment]
    waiting = [store.append(Append("A", each, f"{each:032x}", (b"line",), (), b"")) for each in range(300)]
    gate.set()
    assert all(isinstance(future.result(), Appended) for future in waiting)
    assert len(groups) <= 2


class _Watched:
    """An ownership that is asked through another function for what it holds, and is otherwise the same."""

    def __init__(self, one: object, held: object) -> None:
        self.one, self.held = one, held

    def __getattr__(self, name: str) -> object:
        return getattr(self.one, name)


def test_a_future_cannot_be_cancelled(store: Store) -> None:
    future = store.append(unit("A", 0, ONE))
    assert not future.cancel()
    future.result()
    assert store.answer(ONE) is not None


# ---------------------------------------------------------------- what no journal can hold

GOOD_ROW = LedgerRow(1, "cash", "chips", 1, "R")


@pytest.mark.parametrize(
    "work",
    [
        Append("", 0, ONE, (), (), b""),
        Append("x" * 201, 0, ONE, (), (), b""),
        Append("A\nB", 0, ONE, (), (), b""),
        Append("A", -1, ONE, (), (), b""),
        Append("A", 0, "short", (), (), b""),
        Append("A", 0, "g" * 32, (), (), b""),
        Append("A", 0, "0" * 33, (), (), b""),
        Append("A", 0, ONE, (b"",), (), b""),
        Append("A", 0, ONE, (b"a\0b",), (), b""),
        Append("A", 0, ONE, (b"\xff",), (), b""),
        Append("A", 0, ONE, (b"line",), (LedgerRow(0, "cash", "chips", 1, "R"),), b""),
        Append("A", 0, ONE, (b"line",), (LedgerRow(2, "cash", "chips", 1, "R"),), b""),
        Append("A", 0, ONE, (b"line",), (LedgerRow(1, "cash", "chips", 0, "R"),), b""),
        Append("A", 0, ONE, (b"line",), (LedgerRow(1, "cash", "chips", 2**63, "R"),), b""),
        Append("A", 0, ONE, (b"line",), (LedgerRow(1, "cash", "cash", 1, "R"),), b""),
        Append("A", 0, ONE, (b"line",), (LedgerRow(1, "ca\0sh", "chips", 1, "R"),), b""),
    ],
)
def test_bad_input_is_one_line_and_reaches_nothing(work: Append, sqlite_url: str, tmp_path: Path) -> None:
    with open_store(sqlite_url, key_path=tmp_path / "key") as store:
        with pytest.raises(BadAppend) as error:
            store.append(work)
        assert "\n" not in str(error.value)
        appended(store, "A", 0, TWO)


@pytest.mark.parametrize("cents", [1, 2**63 - 1])
def test_the_least_and_the_most_cents_are_kept_exactly(store: Store, cents: int) -> None:
    store.append(Append("A", 0, ONE, (b"line",), (LedgerRow(1, "cash", "chips", cents, "R"),), b"")).result()
    assert store.balances() == {"cash": -cents, "chips": cents}


def test_an_id_with_hyphens_in_other_places_is_no_uuid_but_32_digits_are() -> None:
    assert command_id("A" * 32) == "a" * 32
    with pytest.raises(BadAppend):
        command_id("a" * 32 + "-")


def test_names_and_bodies_keep_every_letter(store: Store) -> None:
    table = "Tisch 7 «Ü» 桌"
    store.own(table).result()
    body = '{"name":"Ngā Whāriki 🎲"}'.encode()
    store.append(Append(table, 0, ONE, (body,), (LedgerRow(1, "ā", "ē", 5, "ü"),), b"\x00\xff")).result()
    assert store.lines(table)[0].body == body
    assert store.answer(ONE) == Repeated(table, 1, b"\x00\xff")
    assert store.balances() == {"ā": -5, "ē": 5}


# ---------------------------------------------------------------- reading


def test_lines_are_read_from_any_number_and_page(store: Store) -> None:
    bodies = [f"line {number}".encode() for number in range(1, 2501)]
    store.append(Append("A", 0, ONE, tuple(bodies), (), b"")).result()
    assert [line.body for line in store.each_line("A")] == bodies
    assert [line.number for line in store.lines("A", 2499)] == [2499, 2500]
    assert [line.number for line in store.lines("A", 7, most=2)] == [7, 8]
    assert store.lines("A", 2501) == ()


def test_an_unknown_table_and_command_are_nothing(store: Store) -> None:
    assert store.tables() == ()
    assert store.last("A") == (0, genesis("A"))
    assert store.answer(ONE) is None
    assert store.snapshot("A") is None
    assert store.balances("A") == {}


def test_balances_are_of_one_table_or_of_all_and_sum_to_zero(store: Store) -> None:
    store.append(Append("A", 0, ONE, (b"a",), (LedgerRow(1, "x", "y", 5, "R"), LedgerRow(1, "y", "z", 2, "R")), b""))
    store.append(Append("B", 0, TWO, (b"b",), (LedgerRow(1, "x", "y", 1, "R"),), b"")).result()
    assert store.balances("A") == {"x": -5, "y": 3, "z": 2}
    assert store.balances() == {"x": -6, "y": 4, "z": 2}
    assert store.tables() == ("A", "B")


def test_a_reader_beside_the_writer_sees_what_was_acknowledged(store: Store, url: str) -> None:
    with open_reader(url) as reader:
        for each in range(20):
            store.append(Append("A", each, f"{each:032x}", (b"line",), (), b"")).result()
            assert reader.last("A")[0] == each + 1
        with pytest.raises(BadStore, match="reading only"):
            reader.append(unit("A", 20, ONE))


def test_what_was_stored_is_there_after_a_restart(url: str, tmp_path: Path) -> None:
    with open_store(url, key_path=tmp_path / "key") as store:
        store.own("A").result()
        last = appended(store, "A", 0, ONE)
    with pytest.raises(BadStore, match="closed"):
        store.append(unit("A", 1, TWO))
    with open_store(url, key_path=tmp_path / "key") as store:
        owned = store.own("A").result()
        assert isinstance(owned, Owned)
        assert (owned.last, owned.hash) == (last.last, last.hash)
        assert isinstance(store.append(unit("A", 0, ONE)).result(), Repeated)


def test_listeners_hear_of_new_lines_and_one_that_fails_harms_nobody(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[tuple[str, int]] = []
    both = threading.Event()

    def fail(table: str, last: int) -> None:
        raise RuntimeError("a listener of the test fails")

    def hear(table: str, last: int) -> None:
        heard.append((table, last))
        if len(heard) == 2:
            both.set()

    store.subscribe(fail)
    store.subscribe(hear)
    store.append(Append("A", 0, ONE, (b"1", b"2"), (), b"")).result()
    store.append(Append("B", 0, TWO, (b"1",), (), b"")).result()
    assert both.wait(10)
    assert heard == [("A", 2), ("B", 1)]
    assert "a listener failed" in caplog.text


# ---------------------------------------------------------------- snapshots


def test_a_snapshot_is_kept_for_a_line_and_replaced_by_the_next(store: Store) -> None:
    store.append(Append("A", 0, ONE, (b"1", b"2", b"3"), (), b"")).result()
    assert store.keep_snapshot("A", 2, b"two").result() == Kept("A", 2)
    store.keep_snapshot("A", 3, b"three").result()
    kept = store.snapshot("A")
    assert kept is not None
    assert (kept.number, kept.body) == (3, b"three")


@pytest.mark.parametrize(("number", "kept"), [(0, True), (2, True), (3, False)])
def test_a_snapshot_belongs_to_a_line_of_the_journal(store: Store, number: int, *, kept: bool) -> None:
    store.append(Append("A", 0, ONE, (b"1", b"2"), (), b"")).result()
    answer = store.keep_snapshot("A", number, b"state").result()
    assert answer == (Kept("A", number) if kept else Stale("A", number, 2))
    assert (store.snapshot("A") is not None) == kept


# ---------------------------------------------------------------- the database itself


def test_migrations_give_the_tables_of_the_program(store: Store) -> None:
    with store.opened.reading.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, schema.metadata) == []
        assert schema.revision_of(connection) == schema.REVISION


def test_readers_cannot_write(store: Store) -> None:
    with store.opened.reading.connect() as connection, pytest.raises(Exception, match=r"read-?only"):
        connection.exec_driver_sql("DELETE FROM journal")


# ---------------------------------------------------------------- heads


def test_heads_are_numbered_signed_and_witnessed(store: Store) -> None:
    last = appended(store, "A", 0, ONE)
    waiting = [store.sign_head("A", 1000 + each) for each in range(3)]
    heads = [future.result() for future in waiting]
    assert all(isinstance(head, Head) for head in heads)
    assert store.heads("A") == tuple(heads)
    assert store.witnessed_heads() == tuple(heads)
    assert [(head.ordinal, head.number, head.at_ms) for head in store.heads("A")] == [
        (1, last.last, 1000),
        (2, last.last, 1001),
        (3, last.last, 1002),
    ]
    assert verify_chain(store) == Sound(tables=1, lines=last.last, heads=3, unsigned=0)
    assert verify_ledger(store, moved) is None


class SlowWitness:
    """A witness that takes heads when it is let, and notes who had been told by then."""

    unsent = 0

    def __init__(self) -> None:
        self.waiting: list[Future[Any]] = []
        self.answered_by_then: list[list[bool]] = []
        self.asked, self.may = threading.Semaphore(0), threading.Semaphore(0)

    def bear(self, heads: Iterable[Head | Accepted]) -> None:
        if tuple(heads):
            self.answered_by_then.append([future.done() for future in self.waiting])
            self.asked.release()
            assert self.may.acquire(timeout=60)

    def close(self) -> None:
        """There is nothing to close."""


def test_only_what_a_head_was_asked_for_waits_for_the_witness(sqlite_url: str, tmp_path: Path) -> None:
    with open_store(sqlite_url, key_path=tmp_path / "key") as store:
        assert store.writer is not None
        witness = SlowWitness()
        store.writer.witnesses.append(witness)
        first = store.sign_head("A", 1)
        # While the witness is slow, what follows gathers to one group.
        assert witness.asked.acquire(timeout=60)
        wager, ended = store.append(unit("A", 0, ONE)), store.append(replace(unit("B", 0, TWO), sign=True))
        witness.waiting = [wager, ended]
        witness.may.release()
        assert witness.asked.acquire(timeout=60)
        assert isinstance(wager.result(timeout=60), Appended)
        assert not ended.done()
        witness.may.release()
        assert isinstance(ended.result(timeout=60), Appended)
        assert isinstance(first.result(), Head)
        assert witness.answered_by_then == [[], [True, False]]
        witness.may.release(10)


def test_only_the_journal_whose_head_is_borne_waits_for_the_witness(sqlite_url: str, tmp_path: Path) -> None:
    with open_store(sqlite_url, key_path=tmp_path / "key") as store:
        assert store.writer is not None
        witness, told = SlowWitness(), list[str]()
        store.writer.witnesses.append(witness)
        ended = store.append(replace(unit("A", 0, ONE), sign=True))
        assert witness.asked.acquire(timeout=60)
        # The witness has the head of A in hand: what comes there waits, a refusal too, and B waits for nothing.
        here = [store.append(replace(unit("A", 1, TWO), lines=(), ledger=())), store.append(unit("A", 7, "3" * 32))]
        for name, future in zip(("ended", "refused", "stale"), (ended, *here), strict=True):
            future.add_done_callback(lambda _, name=name: told.append(name))  # type: ignore[misc]
        assert isinstance(store.append(unit("B", 0, "4" * 32)).result(timeout=60), Appended)
        assert told == []
        gone = store.release("C")
        witness.may.release(10)
        assert [type(future.result(timeout=60)) for future in (ended, *here)] == [Appended, Appended, Stale]
        assert isinstance(gone.result(timeout=60), Released)
        assert told == ["ended", "refused", "stale"]


def test_who_waited_for_a_witness_is_told_by_the_thread_that_commits(sqlite_url: str, tmp_path: Path) -> None:
    """So nobody is told anything while a commit is under way, which may fail."""
    with open_store(sqlite_url, key_path=tmp_path / "key") as store:
        assert store.writer is not None
        witness, told = SlowWitness(), SimpleQueue[str]()
        store.writer.witnesses.append(witness)
        ended = store.append(replace(unit("A", 0, ONE), sign=True))
        assert witness.asked.acquire(timeout=60)
        later = store.append(unit("A", 1, TWO))
        for future in (ended, later):
            future.add_done_callback(lambda _: told.put(threading.current_thread().name))
        witness.may.release(10)
        assert [type(future.result(timeout=60)) for future in (ended, later)] == [Appended, Appended]
        assert [told.get(timeout=60) for _ in range(2)] == ["store-writer"] * 2


def test_what_one_turn_of_a_loop_appends_comes_before_what_it_asks_for_then(sqlite_url: str, tmp_path: Path) -> None:
    async def used(store: Store) -> None:
        store.deliver_on(asyncio.get_running_loop())
        waiting = store.appended(unit("A", 0, ONE)), store.appended(unit("A", 1, TWO))
        head = await asyncio.wrap_future(store.sign_head("A", 1))
        assert isinstance(head, Head)
        answers = await asyncio.gather(*waiting)
        assert [type(answer) for answer in answers] == [Appended, Appended]
        assert head.number == store.last("A")[0]
        last = store.appended(Append("B", 0, "3" * 32, (b"1",), (), b""))
        # What was appended before the store closes is durable, although the turn has not ended.
        store.close()
        assert isinstance(await last, Appended)

    with open_store(sqlite_url, key_path=tmp_path / "key") as store:
        asyncio.run(used(store))
