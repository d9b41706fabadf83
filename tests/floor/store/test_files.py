"""The files of a store: what is refused in one line, who may open it, and the key that signs."""

from __future__ import annotations

import logging
import os
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from croupier.floor.store import schema
from croupier.floor.store.appends import Append, Appended, Repeated
from croupier.floor.store.durable import open_reader, open_store
from croupier.floor.store.engines import BadStore, check_sqlite, told_plainly
from croupier.floor.store.heads import BadKey, open_key
from croupier.prove.books.lives import bought

ONE = "0" * 31 + "1"


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/house.db"


def test_the_program_asks_for_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_current_head() == schema.REVISION


def test_a_database_of_a_later_version_is_refused(sqlite_url: str, tmp_path: Path) -> None:
    open_store(sqlite_url, key_path=tmp_path / "key").close()
    with sqlite3.connect(tmp_path / "house.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    with pytest.raises(BadStore, match="another version"):
        open_store(sqlite_url, key_path=tmp_path / "key")


def test_the_journal_can_be_read_with_plain_sql(sqlite_url: str, tmp_path: Path) -> None:
    with open_store(sqlite_url, key_path=tmp_path / "key") as store:
        store.append(Append("A", 0, ONE, (bought(1, "p", 500),), (), b"")).result()
    database = sqlite3.connect(tmp_path / "house.db")
    query = "SELECT json_extract(body, '$.event.amount') FROM journal WHERE table_name = 'A'"
    assert database.execute(query).fetchall() == [(500,)]
    database.close()


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ("synchronous=NORMAL", "synchronous is 1"),
        ("synchronous=OFF", "synchronous is 0"),
        ("journal_mode=DELETE", "wal"),
    ],
)
def test_settings_that_lose_commits_are_refused(tmp_path: Path, setting: str, reason: str) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/x.db")
    with engine.connect() as connection:
        for each in ("journal_mode=WAL", "synchronous=FULL", setting):
            connection.exec_driver_sql(f"PRAGMA {each}")
        with pytest.raises(BadStore, match=reason):
            check_sqlite(connection, "x.db")
    engine.dispose()


def test_the_writer_really_runs_with_full_sync(sqlite_url: str, tmp_path: Path) -> None:
    with open_store(sqlite_url, key_path=tmp_path / "key") as store:
        store.own("A").result()
        writing = store.opened.write_engine.raw_connection()
        assert writing.cursor().execute("PRAGMA synchronous").fetchone() == (2,)
        assert writing.cursor().execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_old_sqlite_is_logged(sqlite_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        open_store(sqlite_url, key_path=tmp_path / "key").close()
    assert ("one writer keeps it safe" in caplog.text) == (sqlite3.sqlite_version_info < (3, 51, 3))


def test_a_second_writer_is_refused_in_one_line(sqlite_url: str, tmp_path: Path) -> None:
    (tmp_path / "other name.db").symlink_to(tmp_path / "house.db")
    with open_store(sqlite_url, key_path=tmp_path / "key"):
        for name in ("house.db", "other name.db"):
            with pytest.raises(BadStore, match=f"process {os.getpid()}"):
                open_store(f"sqlite:///{tmp_path}/{name}", key_path=tmp_path / "key")
        code = (
            "import sys, logging; logging.disable()\n"
            "from pathlib import Path; from croupier.floor.store.durable import open_store\n"
            "try: open_store(sys.argv[1], key_path=Path(sys.argv[2]))\n"
            "except ValueError as error: sys.exit(f'{error}')\n"
        )
        second = subprocess.run(
            [sys.executable, "-c", code, sqlite_url, tmp_path / "key"], capture_output=True, text=True, check=False
        )
    assert second.returncode == 1
    assert second.stderr.count("\n") == 1
    assert f"another process has this store open (process {os.getpid()})" in second.stderr


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("house.db", "no database URL"),
        ("mysql://host/x", "not supported"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        ("sqlite:///x.db?synchronous=OFF", "no options"),
        ("sqlite:////no/such/folder/x.db", "lock file"),
        ("postgresql://nobody@127.0.0.1:1/x", "onnection"),
    ],
)
def test_a_bad_url_is_one_line(given: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(BadStore, match=reason) as error:
        open_store(given, key_path=tmp_path / "key")
    assert "\n" not in str(error.value)


def test_a_file_that_is_no_database_is_refused_and_left_alone(sqlite_url: str, tmp_path: Path) -> None:
    (tmp_path / "house.db").write_bytes(b"a letter to a friend" * 100)
    with pytest.raises(BadStore, match="not a database"):
        open_store(sqlite_url, key_path=tmp_path / "key")
    assert (tmp_path / "house.db").read_bytes() == b"a letter to a friend" * 100
    with pytest.raises(BadStore, match="no such database"):
        open_reader(f"sqlite:///{tmp_path}/other.db")


def test_a_schema_with_a_flipped_bit_is_refused_in_one_line(sqlite_url: str, tmp_path: Path) -> None:
    """SQLite's own words about it are then no text, which is told as no fault of the program's."""
    open_store(sqlite_url, key_path=tmp_path / "key").close()
    whole = (tmp_path / "house.db").read_bytes()
    (tmp_path / "house.db").write_bytes(whole.replace(b"CREATE TABLE", b"CREATE TABL\xc5", 1))
    with pytest.raises(BadStore, match="its schema is damaged"):
        open_store(sqlite_url, key_path=tmp_path / "key")
    with open_reader(sqlite_url) as store, pytest.raises(BadStore, match="its schema is damaged"), told_plainly("here"):
        store.tables()


# ---------------------------------------------------------------- keys and heads


def test_the_key_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "key"
    first = open_key(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert open_key(path).public == first.public
    assert [each.name for each in tmp_path.iterdir()] == ["key"]


def test_a_key_that_others_can_read_or_of_another_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key"
    open_key(path)
    path.chmod(0o640)
    with pytest.raises(BadKey, match="chmod 600"):
        open_key(path)
    path.write_bytes(b"x" * 31)
    with pytest.raises(BadKey, match="31"):
        open_key(path)


def test_threads_that_make_a_key_at_once_make_one(tmp_path: Path) -> None:
    made = subprocess.run(
        [sys.executable, "-c", _MAKE_KEYS, tmp_path / "key"], capture_output=True, text=True, check=True
    )
    assert len(set(made.stdout.split())) == 1


_MAKE_KEYS = """
import os, sys
from pathlib import Path
from croupier.floor.store.heads import open_key
children = []
for _ in range(8):
    child = os.fork()
    if not child:
        os.write(1, open_key(Path(sys.argv[1])).public.hex().encode() + b"\\n")
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
"""


def test_closing_twice_closes_nothing_else(sqlite_url: str, tmp_path: Path) -> None:
    store = open_store(sqlite_url, key_path=tmp_path / "key")
    store.close()
    # The next file gets the number that the lock file had.
    with open(tmp_path / "letter", "w") as letter:
        store.close()
        letter.write("still open")
    assert (tmp_path / "letter").read_text() == "still open"


def test_threads_that_append_while_the_store_closes_are_answered_or_refused(sqlite_url: str, tmp_path: Path) -> None:
    store = open_store(sqlite_url, key_path=tmp_path / "key")
    gate = threading.Barrier(9)

    def send(thread: int) -> int:
        gate.wait()
        for number in range(10_000):
            try:
                future = store.append(Append(f"T{thread}", number, f"{thread:016x}{number:016x}", (b"x",), (), b""))
            except BadStore:
                return number
            assert isinstance(future.result(timeout=30), Appended)
        raise AssertionError("the store never closed")

    with ThreadPoolExecutor(8) as pool:
        ends = [pool.submit(send, thread) for thread in range(8)]
        gate.wait()
        time.sleep(0.05)
        store.close()
        counts = [end.result() for end in ends]
    with open_reader(sqlite_url) as reader:
        assert [reader.last(f"T{thread}")[0] for thread in range(8)] == counts


def test_a_database_of_the_first_version_opens_and_keeps_its_answers(sqlite_url: str, tmp_path: Path) -> None:
    from alembic import command

    engine = create_engine(sqlite_url)
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
        connection.exec_driver_sql(
            "INSERT INTO command (id, table_name, number, answer) VALUES (?, 'A', 0, x'7b7d')", (ONE,)
        )
    engine.dispose()
    with open_store(sqlite_url, key_path=tmp_path / "key") as store:
        again = store.append(Append("A", 0, ONE, (bought(1, "p", 500),), (), b"", request="mine")).result()
        assert isinstance(again, Repeated)
        assert again.answer == b"{}"
