"""Several processes share one PostgreSQL: one owner per table, a dead one is taken over, a silent one is fenced out."""

from __future__ import annotations

import os
import queue
import secrets
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest

from croupier.floor.store.appends import (
    Append,
    Appended,
    IdTaken,
    NotOwner,
    Owned,
    OwnedElsewhere,
    Repeated,
    Stale,
    Stopped,
)
from croupier.floor.store.chain import Sound, verify_chain
from croupier.floor.store.durable import Store, open_store
from croupier.floor.store.engines import EXIT_FAILED, WRITER, BadStore
from croupier.floor.store.leases import SharedOwnership
from croupier.floor.store.schema import known_commands
from croupier.prove.books.instruments import servers as postgres
from croupier.prove.books.lives import Birth, Heard, Nursery, bear, damage, is_whole, lives, signed_all

Open = Callable[[str], Store]


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    one = Nursery()
    yield one
    one.close()


@pytest.fixture
def url(server: str) -> str:
    return postgres.emptied(server)


@pytest.fixture
def opened(url: str, tmp_path: Path) -> Iterator[Open]:
    """Opens a store as another process would: each has a number, a connection and an address of its own."""
    stores: list[Store] = []

    def open_one(address: str) -> Store:
        stores.append(open_store(url, key_path=tmp_path / "key", address=address))
        return stores[-1]

    yield open_one
    for store in stores:
        store.close()


def line(table: str, after: int) -> Append:
    return Append(table, after, secrets.token_hex(16), (b"line",), (), b"")


def run(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement)


SILENT = "UPDATE lease SET expires = clock_timestamp() - interval '1 second'"


# ---------------------------------------------------------------- one owner


def test_a_table_has_one_owner_and_says_where(opened: Open) -> None:
    one, two = opened("first"), opened("second")
    assert isinstance(one.own("A").result(), Owned)
    assert two.own("A").result() == OwnedElsewhere("A", "first")
    assert two.owner("A") == "first"
    assert two.owner("B") is None


def test_a_hundred_askers_in_two_processes_find_one_owner(opened: Open) -> None:
    stores = [opened("first"), opened("second")]
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda each: stores[each % 2].own("A").result(), range(100)))
    owners = {each % 2 for each, answer in enumerate(answers) if isinstance(answer, Owned)}
    assert len(owners) == 1


def test_who_does_not_own_a_table_cannot_append_sign_or_keep(opened: Open) -> None:
    one, two = opened("first"), opened("second")
    one.own("A").result()
    assert two.append(line("A", 0)).result() == NotOwner("A")
    assert two.sign_head("A", 1).result() == NotOwner("A")
    assert two.keep_snapshot("A", 0, b"").result() == NotOwner("A")
    assert one.lines("A") == ()
    assert one.heads("A") == ()


def test_a_released_table_goes_on_where_it_was(opened: Open) -> None:
    one, two = opened("first"), opened("second")
    one.own("A").result()
    last = one.append(line("A", 0)).result()
    assert isinstance(last, Appended)
    one.release("A").result()
    assert two.own("A").result() == Owned("A", 2, 1, last.hash)
    assert one.append(line("A", 1)).result() == NotOwner("A")
    assert isinstance(two.append(line("A", 1)).result(), Appended)


def test_a_closed_store_leaves_its_tables_to_others_at_once(opened: Open) -> None:
    one, two = opened("first"), opened("second")
    one.own("A").result()
    one.close()
    assert isinstance(two.own("A").result(), Owned)


def test_a_silent_owner_is_replaced_and_fenced_out(opened: Open, url: str) -> None:
    one, two = opened("first"), opened("second")
    one.own("A").result()
    one.append(line("A", 0)).result()
    run(url, SILENT)
    assert isinstance(two.own("A").result(), Owned)
    # The first does not know it yet, and its number would even be right.
    assert one.append(line("A", 1)).result() == NotOwner("A")
    assert one.sign_head("A", 1).result() == NotOwner("A")
    assert isinstance(two.append(line("A", 1)).result(), Appended)
    run(url, SILENT)
    again = one.own("A").result()
    assert isinstance(again, Owned)
    assert (again.epoch, again.last) == (3, 2)
    assert isinstance(one.append(line("A", 2)).result(), Appended)
    one.sign_head("A", 1).result()
    assert verify_chain(one) == Sound(1, 3, 1, 0)


def test_a_lease_that_ran_out_is_no_loss_while_nobody_takes_it(opened: Open, url: str) -> None:
    one = opened("first")
    one.own("A").result()
    run(url, SILENT)
    assert isinstance(one.append(line("A", 0)).result(), Appended)


def test_a_live_owner_renews_its_lease(url: str, tmp_path: Path) -> None:
    with (
        open_store(url, key_path=tmp_path / "key", lease_seconds=3.0) as one,
        open_store(url, key_path=tmp_path / "key", address="second") as two,
    ):
        one.own("A").result()
        time.sleep(4.5)
        assert isinstance(two.own("A").result(), OwnedElsewhere)


def test_one_command_sent_to_two_processes_has_one_effect(opened: Open) -> None:
    one, two = opened("first"), opened("second")
    one.own("A").result()
    two.own("B").result()
    commands = [secrets.token_hex(16) for _ in range(150)]
    # In opposite order, so that the two must meet in the middle, each holding what the other wants.
    both = [(one, "A", commands), (two, "B", commands[::-1])]

    def send(way: tuple[Store, str, list[str]]) -> int:
        store, table, ids = way
        waiting = [store.append(Append(table, 0, each, (), (), table.encode())) for each in ids]
        answers = [future.result() for future in waiting]
        assert all(isinstance(answer, Appended | IdTaken) for answer in answers)
        return sum(isinstance(answer, Appended) for answer in answers)

    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(send, both)) == len(commands)


def test_command_ids_are_looked_up_only_where_one_was_used_or_a_number_is_wrong(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was used is answered as it was, though its number is wrong by now; a number alone that is wrong is stale."""
    looked: list[int] = []
    real = known_commands

    def counted(connection: Any, ids: Sequence[str]) -> Sequence[Any]:
        looked.append(len(ids))
        return real(connection, ids)

    monkeypatch.setattr("croupier.floor.store.plan.known_commands", counted)
    one = opened("first")
    one.own("A").result()
    first = line("A", 0)
    assert isinstance(one.append(first).result(), Appended)
    assert isinstance(one.append(line("A", 1)).result(), Appended)
    assert looked == []
    assert isinstance(one.append(first).result(), Repeated)
    assert isinstance(one.append(msgspec.structs.replace(first, after=2)).result(), Repeated)
    assert isinstance(one.append(line("A", 0)).result(), Stale)
    assert looked == [1, 1, 1]
    assert [each.number for each in one.lines("A")] == [1, 2]


# ---------------------------------------------------------------- fan-out


def test_every_process_hears_of_new_lines(opened: Open) -> None:
    one, two = opened("first"), opened("second")
    heard: queue.SimpleQueue[tuple[str, int]] = queue.SimpleQueue()
    two.subscribe(lambda table, last: heard.put((table, last)))
    one.own("Tisch 7 Ü").result()
    one.append(line("Tisch 7 Ü", 0)).result()
    assert heard.get(timeout=10) == ("Tisch 7 Ü", 1)
    assert two.last("Tisch 7 Ü")[0] == 1


def test_a_listener_that_was_cut_off_hears_where_every_table_stands(
    opened: Open, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    one = opened("first")
    one.own("A").result()
    one.append(line("A", 0)).result()
    time.sleep(0.3)
    heard: queue.SimpleQueue[tuple[str, int]] = queue.SimpleQueue()
    one.subscribe(lambda table, last: heard.put((table, last)))
    run(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'croupier listener'")
    assert heard.get(timeout=10) == ("A", 1)
    one.append(line("A", 1)).result()
    assert heard.get(timeout=10) == ("A", 2)
    assert "connection for news was lost" in caplog.text


# ---------------------------------------------------------------- the server's own settings


@pytest.mark.parametrize("setting", ["synchronous_commit", "fsync", "full_page_writes"])
def test_a_server_that_loses_commits_is_refused(url: str, tmp_path: Path, setting: str) -> None:
    run(url, f"ALTER SYSTEM SET {setting} = off")
    run(url, "SELECT pg_reload_conf()")
    try:
        _wait_until(url, setting, "off")
        with pytest.raises(BadStore, match=f"{setting} is off"):
            open_store(url, key_path=tmp_path / "key")
    finally:
        run(url, f"ALTER SYSTEM RESET {setting}")
        run(url, "SELECT pg_reload_conf()")
        _wait_until(url, setting, "on")


def _wait_until(url: str, setting: str, value: str) -> None:
    limit = time.monotonic() + 10
    while time.monotonic() < limit:
        with psycopg.connect(url) as connection:
            if connection.execute(f"SHOW {setting}").fetchone() == (value,):
                return
        time.sleep(0.02)
    raise AssertionError(f"{setting} did not become {value}")


def test_two_processes_that_start_on_an_empty_database_make_its_tables_once(server: str, tmp_path: Path) -> None:
    url = postgres.new_database(server)
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(lambda _: open_store(url, key_path=tmp_path / "key"), range(4)))
    for store in stores:
        store.close()


# ---------------------------------------------------------------- processes that die


def birth(url: str, tmp_path: Path, **how: object) -> Birth:
    return Birth(**({"url": url, "key": str(tmp_path / "key"), "errors": str(tmp_path / "errors")} | how))  # type: ignore[arg-type]


def whole(url: str, tmp_path: Path, record: Heard) -> bool:
    with open_store(url, key_path=tmp_path / "key") as store:
        signed_all(store)
        return is_whole(damage(store, record))


def test_a_killed_owner_is_taken_over_and_nothing_is_lost_or_doubled(
    nursery: Nursery, url: str, tmp_path: Path
) -> None:
    """Two processes at all times: the owner is killed, the other takes over, and a new one waits for its turn."""
    nursery.heard = record = Heard()
    # The lease outlasts the test: the database must notice the death by itself.
    base = birth(url, tmp_path, lease_seconds=600.0)
    children = [bear(nursery, msgspec.structs.replace(base, seed=seed)) for seed in (1, 2)]
    for life in range(6):
        for child in children:
            child.acknowledged(15)
        children.pop(0).kill()
        children.append(bear(nursery, msgspec.structs.replace(base, seed=10 + life, again=dict(record.sent))))
    for child in children:
        child.kill()
    assert whole(url, tmp_path, record)
    for table in base.tables:
        epochs = [int(word.split()[2]) for word in record.other if word.startswith(f"owns {table} ")]
        assert epochs == sorted(set(epochs))
        assert len(epochs) > 2


def test_an_eager_store_is_caught_losing_lines_here_too(nursery: Nursery, url: str, tmp_path: Path) -> None:
    record = lives(nursery, birth(url, tmp_path, eager=True, seed=5), kills=range(3))
    assert not whole(url, tmp_path, record)


def test_whoever_reads_while_the_server_is_away_is_told_to_ask_again(server: str, tmp_path: Path) -> None:
    """They are told nothing of where the database is; when it is back, everything goes on, and the news too."""
    url = postgres.new_database(server)
    name = url.split("@/")[1].split("?")[0]
    away = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
    with (
        open_store(url, key_path=tmp_path / "key", address="here") as store,
        psycopg.connect(server, autocommit=True) as administrator,
    ):
        assert isinstance(store.own("A").result(), Owned)
        assert isinstance(store.append(Append("A", 0, f"{1:032x}", (b"1",), (), b"")).result(), Appended)
        administrator.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        administrator.execute(away, (name,))
        with pytest.raises(Stopped) as told:
            store.last("A")
        assert str(told.value) == "the database cannot be asked now: ask again"
        work = store.append(Append("A", 1, f"{2:032x}", (b"2",), (), b""))
        administrator.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        assert isinstance(work.result(60), Appended)
        assert store.last("A")[0] == 2


def test_an_owner_that_slept_through_its_lease_appends_nothing_when_it_wakes(
    nursery: Nursery, url: str, tmp_path: Path
) -> None:
    nursery.heard = record = Heard()
    sleeper = bear(nursery, birth(url, tmp_path, lease_seconds=0.6))
    # A table that the sleeper never had, or that it still holds because it sleeps within its append, is one it may
    # lawfully go on with: it must have had all, and the heir must have taken all.
    sleeper.owning(len(sleeper.birth.tables))
    sleeper.acknowledged(20)
    os.kill(sleeper.process, signal.SIGSTOP)
    heir = bear(nursery, birth(url, tmp_path, seed=2))
    heir.owning(2 * len(heir.birth.tables))
    heir.acknowledged(60)
    os.kill(sleeper.process, signal.SIGCONT)
    # It is told that it owns nothing, or finds its connection cut because it slept within a transaction.
    assert sleeper.wait() in (0, EXIT_FAILED)
    heir.acknowledged(20)
    heir.kill()
    assert whole(url, tmp_path, record)


def test_a_lost_connection_loses_nothing_and_acknowledges_nothing_that_is_not_there(
    nursery: Nursery, url: str, tmp_path: Path
) -> None:
    """In the middle of its work: it ends if a commit was in flight, and goes on with another connection if none was."""
    nursery.heard = record = Heard()
    child = bear(nursery, birth(url, tmp_path))
    for _ in range(5):
        child.acknowledged(20)
        run(url, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{WRITER}'")
        try:
            child.acknowledged(20, seconds=5)
        except AssertionError:
            assert child.wait() == EXIT_FAILED
            assert "the store failed and the process ends" in child.errors().splitlines()[-1]
            break
    else:
        child.kill()
    assert whole(url, tmp_path, record)


def test_a_lost_connection_is_made_again_where_nothing_was_in_flight(opened: Open, url: str) -> None:
    store = opened("here")
    assert isinstance(store.own("A").result(), Owned)
    assert isinstance(store.append(Append("A", 0, f"{1:032x}", (b"1",), (), b"")).result(), Appended)
    before = store.lapses
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as server:
        server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'croupier%'")
    assert isinstance(store.append(Append("A", 1, f"{2:032x}", (b"2",), (), b"")).result(20), Appended)
    assert store.last("A")[0] == 2
    # Others may have written meanwhile: this process is told to read again.
    assert store.lapses > before


def test_a_lost_connection_that_lives_on_in_the_database_does_not_keep_its_owner_out(opened: Open, url: str) -> None:
    """When a cable is pulled nobody tells the database, and what it holds for the lost connection is held for hours."""
    one = opened("here")
    assert isinstance(one.own("A").result(), Owned)
    assert one.writer is not None
    owner = one.writer.ownership
    assert isinstance(owner, SharedOwnership)
    with psycopg.connect(url, autocommit=True) as left:
        left.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{WRITER}'")
        left.execute("SELECT pg_advisory_lock(%s)", (owner.owner,))
        assert isinstance(one.own("A").result(timeout=60), Owned)
        with pytest.raises(psycopg.OperationalError):
            left.execute("SELECT 1")


def test_nobody_waits_for_an_owner_that_is_gone_in_the_middle_of_a_renewal(opened: Open, url: str) -> None:
    """Who waits renews nothing: one machine that is gone would take the tables of all from them."""
    one, two = opened("first"), opened("second")
    one.own("A").result()
    two.own("B").result()
    with psycopg.connect(url) as left:
        left.execute("UPDATE lease SET expires = expires WHERE table_name = 'A'")
        assert two.own("A").result(timeout=10) == OwnedElsewhere("A", "first")
        assert isinstance(two.append(line("B", 0)).result(timeout=10), Appended)


def test_who_looks_for_the_owner_of_a_table_locks_nothing(opened: Open, url: str) -> None:
    """One that looked and was gone before it said so would keep the owner from renewing and from appending."""
    one, two = opened("first"), opened("second")
    one.own("A").result()
    with psycopg.connect(url, autocommit=True) as database:
        locked = "SELECT xmax::text FROM lease WHERE table_name = 'A'"
        before = database.execute(locked).fetchone()
        assert two.own("A").result() == OwnedElsewhere("A", "first")
        assert database.execute(locked).fetchone() == before


def test_leases_that_ended_while_the_server_was_away_are_renewed_before_anything_is_appended(
    server: str, tmp_path: Path
) -> None:
    """Who appended under one that has ended would be cut off in the middle by the next who wants the table."""
    url = postgres.new_database(server)
    name = url.split("@/")[1].split("?")[0]
    with (
        open_store(url, key_path=tmp_path / "key", address="here", lease_seconds=1.5) as store,
        psycopg.connect(server, autocommit=True) as administrator,
    ):
        assert isinstance(store.own("A").result(), Owned)
        run(url, "CREATE TABLE seen AS SELECT 0::bigint AS number, true AS lasts")
        run(
            url,
            "CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO seen SELECT new.number,"
            " expires > clock_timestamp() FROM lease WHERE table_name = new.table_name; RETURN new; END $$",
        )
        run(url, "CREATE TRIGGER looks AFTER INSERT ON journal FOR EACH ROW EXECUTE FUNCTION look()")
        administrator.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        gone = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
        # Just after a line, so that it is the next one, and no renewal, that finds the connection lost.
        assert isinstance(store.append(line("A", 0)).result(), Appended)
        administrator.execute(gone, (name,))
        late = store.append(line("A", 1))
        time.sleep(2.0)
        administrator.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        assert isinstance(late.result(60), Appended)
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT lasts FROM seen ORDER BY number").fetchall() == [(True,)] * 3


def test_readers_outlive_a_cut_connection(opened: Open, url: str) -> None:
    """A connection that the server closed while nobody used it is found out before it is asked for anything."""
    store = opened("here")
    assert isinstance(store.own("A").result(), Owned)
    assert isinstance(store.append(Append("A", 0, f"{1:032x}", (b"1",), (), b"")).result(), Appended)
    for _ in range(3):
        assert store.last("A")[0] == 1
        with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as server:
            server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'croupier reader'"
            )
        assert store.last("A")[0] == 1
        assert [line.number for line in store.lines("A")] == [1]


def test_a_table_that_is_handed_on_is_the_others_and_nobody_elses(opened: Open) -> None:
    one, two, three = opened("first"), opened("second"), opened("third")
    for store, name in ((one, "A"), (two, "B")):
        assert isinstance(store.own(name).result(), Owned)
    last = one.append(line("A", 0)).result()
    one.release("A", one.holders()["B"]).result()
    # It is the other one's before that was ever asked for it, and a third process is told so.
    assert three.own("A").result() == OwnedElsewhere("A", "second")
    assert isinstance(one.append(line("A", 1)).result(), NotOwner)
    owned = two.own("A").result()
    assert isinstance(owned, Owned)
    assert isinstance(last, Appended)
    assert (owned.last, owned.hash) == (1, last.hash)
    assert isinstance(two.append(line("A", 1)).result(), Appended)
    assert {name: holder.address for name, holder in three.holders().items()} == {"A": "second", "B": "second"}
    two.close()
    assert isinstance(three.own("A").result(), Owned)
