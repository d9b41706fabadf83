"""The books are anchored as they are written and checked as they are read: heads, witnesses, the second journal."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import sqlite3
import threading
import time
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any

import msgspec
import pytest

from croupier.cli.losses import accepted
from croupier.floor.keeping.accounts import Accounts, Hashing
from croupier.floor.keeping.clock import clock_ms
from croupier.floor.keeping.house import open_house
from croupier.floor.store.appends import Append
from croupier.floor.store.chain import Sound, link, verify_chain
from croupier.floor.store.copies.backup import restore
from croupier.floor.store.copies.witnesses import Accepted, accept, witnessed
from croupier.floor.store.durable import Store, open_reader, open_store
from croupier.floor.store.engines import BadStore
from croupier.floor.store.heads import Head, open_key
from croupier.floor.store.opening import BehindItsWitness, check_opening
from croupier.floor.store.writer import SIGN_SECONDS
from croupier.house.people import messages as m
from croupier.house.people.decide import CONSOLE
from croupier.prove.books.lives import bought, unit

GOOD = "correct horse 42"


def url(folder: Path) -> str:
    return f"sqlite:///{folder}/house.db"


def add(store: Store, number: int, *, sign: bool = False) -> None:
    body = bought(number, "Ann", 500)
    store.append(Append("A", number - 1, f"{number:032x}", (body,), (), b"{}", sign=sign)).result()


def house(folder: Path, **more: Any) -> None:
    """Open a house on what is there, and close it."""
    open_house(url(folder), folder / "key", demo=True, **more).store.close()


# ---------------------------------------------------------------- heads


def test_heads_are_signed_with_rounds_and_every_few_seconds(tmp_path: Path) -> None:
    with open_store(url(tmp_path), key_path=tmp_path / "key") as store:
        add(store, 1)
        add(store, 2, sign=True)
        assert [head.number for head in store.heads("A")] == [2]
        add(store, 3)
        assert [head.number for head in store.heads("A")] == [2]
        deadline = time.monotonic() + 15 * SIGN_SECONDS
        while [head.number for head in store.heads("A")] != [2, 3]:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        # Under load too, where nothing ever waits for the queue to be empty.
        began = time.monotonic()
        number = 3
        while time.monotonic() - began < 2.2 * SIGN_SECONDS:
            add(store, number := number + 1)
        assert len(store.heads("A")) >= 3
        assert witnessed(tmp_path / "key.heads", ()) == store.heads("A")


def test_a_journal_of_which_only_refusals_are_known_is_sound(tmp_path: Path) -> None:
    """A stranger who tries one wrong code in a house without devices does not make its books look spoiled."""
    with open_store(url(tmp_path), key_path=tmp_path / "key") as store:
        store.append(Append("@devices", 0, f"{99:032x}", (), (), b"{}")).result()
        add(store, 1, sign=True)
        found = verify_chain(store)
        assert isinstance(found, Sound)
        assert (found.lines, found.unsigned) == (1, 0)
    house(tmp_path)


# ---------------------------------------------------------------- witnesses


def test_a_store_behind_its_witness_does_not_open_until_two_people_accept_it(tmp_path: Path) -> None:
    _house_with(tmp_path, "Mia", "Ina")
    for name in ("house.db", "house.db-wal"):
        if (tmp_path / name).exists():
            shutil.copy(tmp_path / name, tmp_path / f"old-{name}")
    with open_store(url(tmp_path), key_path=tmp_path / "key") as store:
        for number in (1, 2, 3):
            add(store, number, sign=True)
    house(tmp_path)
    for name in ("house.db", "house.db-wal", "house.db-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    for old in tmp_path.glob("old-*"):
        shutil.copy(old, tmp_path / old.name.removeprefix("old-"))
    with pytest.raises(BehindItsWitness, match="older than its witness"):
        house(tmp_path)
    with pytest.raises(ValueError, match="two different people"):
        accepted(url(tmp_path), str(tmp_path / "key"), "", (("Mia", GOOD), ("Mia", GOOD)))
    with pytest.raises(ValueError, match="two different people"):
        accepted(url(tmp_path), str(tmp_path / "key"), "", (("Mia", GOOD), ("Ina", "a wrong one 42")))
    with pytest.raises(BehindItsWitness):
        house(tmp_path)
    losses = accepted(url(tmp_path), str(tmp_path / "key"), "", (("Mia", GOOD), ("Ina", GOOD)))
    assert {"table": "A", "witnessed": 3, "kept": 0} in losses["accepted"]
    house(tmp_path)
    with open_reader(url(tmp_path)) as store:
        assert any(b'"LossAccepted"' in line.body and b'"second":"Ina"' in line.body for line in store.lines("@people"))


def test_who_may_have_been_shut_out_in_lost_lines_is_shut_out(tmp_path: Path) -> None:
    """An old copy of the house knows an account that was disabled since; nobody can know that any more."""
    _house_with(tmp_path, "Mia", "Ina", "Dan")
    before = _copied(tmp_path)

    async def disabled() -> None:
        with open_store(url(tmp_path), key_path=tmp_path / "key") as store:
            accounts = Accounts(store, clock_ms, Hashing(1, 64, 1))
            await accounts.start()
            assert (await accounts.ask(m.Disable("Dan"), by=CONSOLE, role=CONSOLE)).done
            await accounts.sign()

    asyncio.run(disabled())
    _put_back(before)
    accepted(url(tmp_path), str(tmp_path / "key"), "", (("Mia", GOOD), ("Ina", GOOD)))

    async def found() -> dict[str, bool]:
        with open_store(url(tmp_path), key_path=tmp_path / "key") as store:
            accounts = Accounts(store, clock_ms, Hashing(1, 64, 1))
            await accounts.start()
            return {person.name: person.disabled for person in accounts.people.by_name.values()}

    assert asyncio.run(found()) == {"Mia": False, "Ina": False, "Dan": True}


def test_nobody_but_the_house_gives_up_what_was_witnessed_and_nobody_twice(tmp_path: Path) -> None:
    """Whoever can add a line to a witness, and no more, does not make it forget."""
    _house_with(tmp_path, "Mia", "Ina")
    with open_store(url(tmp_path), key_path=tmp_path / "key") as store:
        for number in (1, 2, 3):
            add(store, number, sign=True)
    before = _copied(tmp_path)
    with open_store(url(tmp_path), key_path=tmp_path / "key") as store:
        add(store, 4, sign=True)
    _put_back(before)
    with pytest.raises(BehindItsWitness):
        house(tmp_path)
    # Somebody with a key of his own says that two people accepted it.
    (tmp_path / "forger").mkdir()
    forger = open_key(tmp_path / "forger" / "key")
    forged = msgspec.json.encode(accept(forger, Accepted("A", 3, clock_ms(), "Mia", "Ina", forger.public)))
    _add_to_witness(tmp_path, forged)
    with pytest.raises(BehindItsWitness):
        house(tmp_path)
    accepted(url(tmp_path), str(tmp_path / "key"), "", (("Mia", GOOD), ("Ina", GOOD)))
    house(tmp_path)
    # What was truly accepted once is said again after the house went on.
    lines = (tmp_path / "key.heads").read_bytes().split(b"\n")
    true = next(line for line in lines if b'"accepted"' in line and b'"table":"A"' in line and line != forged)
    before = _copied(tmp_path)
    with open_store(url(tmp_path), key_path=tmp_path / "key") as store:
        add(store, 4, sign=True)
    _put_back(before)
    _add_to_witness(tmp_path, true)
    with pytest.raises(BehindItsWitness):
        house(tmp_path)


def _copied(folder: Path) -> dict[Path, bytes]:
    """The database as it is, for somebody to put back."""
    return {path: path.read_bytes() for name in ("house.db", "house.db-wal") if (path := folder / name).exists()}


def _put_back(files: dict[Path, bytes]) -> None:
    for path in files:
        for beside in path.parent.glob("house.db*"):
            beside.unlink()
    for path, body in files.items():
        path.write_bytes(body)


def _add_to_witness(folder: Path, line: bytes) -> None:
    with (folder / "key.heads").open("ab") as witness:
        witness.write(b"\n" + line)


def _house_with(folder: Path, *names: str) -> None:
    """A house with casino managers who have passwords."""

    async def made() -> None:
        with open_store(url(folder), key_path=folder / "key") as store:
            accounts = Accounts(store, clock_ms, Hashing(1, 64, 1))
            await accounts.start()
            for name in names:
                verifier = await accounts.verifier(GOOD)
                what = m.MakeAccount(name, ("casino manager",), verifier, must_change=False)
                assert (await accounts.ask(what, by=CONSOLE, role=CONSOLE)).done

    asyncio.run(made())


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_ARGON2", "1,64,1")


def test_a_rewritten_tail_is_found_by_whoever_reads_and_at_the_start(tmp_path: Path) -> None:
    with open_store(url(tmp_path), key_path=tmp_path / "key") as store:
        for number in (1, 2, 3):
            add(store, number, sign=True)
    _rewrite(tmp_path, 2, chain=True)
    # The chain follows from line to line, but it is not the one that was signed.
    with pytest.raises(BadStore, match="rewritten"):
        house(tmp_path)
    _rewrite(tmp_path, 3, chain=False)
    with open_reader(url(tmp_path)) as store, pytest.raises(BadStore, match="line 3: the chain is broken"):
        tuple(store.each_sound_line("A"))


def _rewrite(folder: Path, number: int, *, chain: bool) -> None:
    database = sqlite3.connect(folder / "house.db")
    rows = database.execute("SELECT number, body, hash FROM journal WHERE table_name = 'A' ORDER BY number").fetchall()
    previous = next((hash_ for each, _, hash_ in rows if each == number - 1), b"")
    for each, body, _ in rows:
        if each == number:
            body = body.replace("500", "900")
            database.execute("UPDATE journal SET body = ? WHERE table_name = 'A' AND number = ?", (body, each))
        if each >= number and chain:
            previous = link(previous, body.encode())
            database.execute("UPDATE journal SET hash = ? WHERE table_name = 'A' AND number = ?", (previous, each))
    database.commit()
    database.close()


def test_verify_says_how_much_is_not_witnessed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "volume.heads"
    with open_store(url(tmp_path), key_path=tmp_path / "key", witness=str(elsewhere)) as store:
        store.append(unit("A", 0, f"{1:032x}")).result()
        head = store.sign_head("A", 1).result()
        assert witnessed(elsewhere, ()) == (head,)
        last = store.last("A")[0]
        store.append(Append("A", last, f"{2:032x}", (bought(last + 1, "Ann", 500),), (), b"{}")).result()
        found = verify_chain(store)
        assert isinstance(found, Sound)
        assert (found.unsigned, found.unwitnessed) == (1, 1)
    (tmp_path / "key.heads").unlink()
    for witness, unwitnessed in (("", last + 1), (str(elsewhere), 1)):
        with open_reader(url(tmp_path), key_path=tmp_path / "key", witness=witness) as reader:
            found = verify_chain(reader)
            assert isinstance(found, Sound)
            assert found.unwitnessed == unwitnessed


def test_an_address_takes_heads_and_holds_up_nobody(tmp_path: Path) -> None:
    taken: list[bytes] = []

    class Takes(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            taken.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Quietly."""

    server = HTTPServer(("127.0.0.1", 0), Takes)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    where = f"http://127.0.0.1:{server.server_port}/heads"
    with open_store(url(tmp_path), key_path=tmp_path / "key", witness=where) as store:
        store.append(unit("A", 0, f"{1:032x}")).result()
        store.sign_head("A", 1).result()
        deadline = time.monotonic() + 20
        while not taken:
            assert time.monotonic() < deadline
            time.sleep(0.02)
    server.shutdown()
    server.server_close()
    with open_store(url(tmp_path), key_path=tmp_path / "key", witness=where) as store:
        began = time.monotonic()
        store.sign_head("A", 2).result()
        assert time.monotonic() - began < 5


@pytest.mark.parametrize("how", [b"EHLO\r\n", b"HTTP/1.0 200 OK\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n"])
def test_whoever_answers_in_place_of_a_witness_holds_up_no_start_and_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: bytes
) -> None:
    """What is no HTTP and what never ends is no answer; heads that were not taken are sent again."""
    for name, value in (("READING_SECONDS", 0.3), ("SECONDS", 0.3), ("LARGEST_WITNESS", 1 << 20)):
        monkeypatch.setattr(f"croupier.floor.store.copies.witnesses.{name}", value)
    asked: list[bytes] = []

    class Lies(BaseRequestHandler):
        def handle(self) -> None:
            asked.append(self.request.recv(4))
            with suppress(OSError):
                self.request.sendall(how)
                while how.startswith(b"HTTP"):
                    self.request.sendall(how if b" 100 " in how else b" " * 65_536)

    server = ThreadingTCPServer(("127.0.0.1", 0), Lies)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    where = f"http://127.0.0.1:{server.server_address[1]}/heads"
    began = time.monotonic()
    with open_store(url(tmp_path), key_path=tmp_path / "key", witness=where) as store:
        assert store.witnessed_heads() == ()
        assert time.monotonic() - began < 60
        store.append(unit("A", 0, f"{1:032x}")).result()
        store.sign_head("A", 1).result()
        deadline = time.monotonic() + 60
        while asked.count(b"POST") < (2 if how == b"EHLO\r\n" else 1):
            assert time.monotonic() < deadline
            time.sleep(0.02)
    server.shutdown()
    server.server_close()


# ---------------------------------------------------------------- the second journal


def test_a_second_journal_survives_the_loss_of_the_first(tmp_path: Path) -> None:
    second = tmp_path / "elsewhere.journal"
    _house_with(tmp_path, "Mia", "Ina")
    with open_store(url(tmp_path), key_path=tmp_path / "key", second=second) as store:
        for number in range(1, 6):
            add(store, number)
        store.append(unit("B", 0, f"{77:032x}")).result()
    for name in ("house.db", "house.db-wal", "house.db-shm", "house.db.lock"):
        (tmp_path / name).unlink(missing_ok=True)
    with pytest.raises(BadStore, match="the first disk has lost lines"):
        open_store(url(tmp_path), key_path=tmp_path / "key", second=second)
    for name in ("house.db", "house.db-wal", "house.db-shm", "house.db.lock"):
        (tmp_path / name).unlink(missing_ok=True)
    restore(second, url(tmp_path))
    with open_store(url(tmp_path), key_path=tmp_path / "key", second=second) as store:
        check_opening(store)
        assert store.last("A")[0] == 5
        assert store.answer(f"{77:032x}") is not None
        assert [row.name for row in store.accounts()] == ["Ina", "Mia"]
        add(store, 6, sign=True)
        store.sign_head("B", 1).result()
        assert isinstance(verify_chain(store), Sound)


def test_a_second_journal_that_is_behind_is_brought_up_to_date(tmp_path: Path) -> None:
    second = tmp_path / "elsewhere.journal"
    with open_store(url(tmp_path), key_path=tmp_path / "key", second=second) as store:
        add(store, 1)
    with open_store(url(tmp_path), key_path=tmp_path / "key") as store:
        add(store, 2)
    with second.open("ab") as file:
        file.write(b'["journal","A",3,"half a li')
    open_store(url(tmp_path), key_path=tmp_path / "key", second=second).close()
    restore(second, f"sqlite:///{tmp_path}/two.db")
    with open_reader(f"sqlite:///{tmp_path}/two.db") as store:
        assert store.last("A")[0] == 2
        assert store.answer(f"{2:032x}") is not None


@pytest.mark.parametrize("what", ["second", "heads"])
def test_what_a_full_disk_took_half_of_or_lost_the_name_of_is_not_told_to_anybody(tmp_path: Path, what: str) -> None:
    """The system writes what fits and tells how much; a file that was taken away takes all and keeps nothing."""
    path = tmp_path / ("second" if what == "second" else "key.heads")
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    with open_store(url(tmp_path), key_path=tmp_path / "key", second=tmp_path / "second") as store:
        store.append(unit("A", 0, f"{1:032x}")).result()
        head = store.sign_head("A", 1).result()
        assert isinstance(head, Head)
        assert store.writer is not None
        (beside,), second = store.writer.witnesses, store.writer.second
        assert second is not None
        add = partial(second.add, b'["account"]\n') if what == "second" else partial(beside.bear, (head,))
        kept = path.read_bytes()
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(kept) + 5, most[1]))
        try:
            with pytest.raises(OSError, match=path.name):
                add()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, most)
        os.truncate(path, len(kept))
        add()
        path.rename(tmp_path / "elsewhere")
        with pytest.raises(OSError, match=path.name):
            add()
        (tmp_path / "elsewhere").rename(path)
        os.truncate(path, len(kept))


def test_two_journals_that_differ_do_not_open(tmp_path: Path) -> None:
    second = tmp_path / "elsewhere.journal"
    with open_store(url(tmp_path), key_path=tmp_path / "key", second=second) as store:
        for number in (1, 2):
            add(store, number)
    _rewrite(tmp_path, 2, chain=True)
    with pytest.raises(BadStore, match="differ at line 2 of A"):
        open_store(url(tmp_path), key_path=tmp_path / "key", second=second)


def test_files_are_their_owners_alone(tmp_path: Path) -> None:
    (tmp_path / "house.db").touch(0o644)
    second = tmp_path / "elsewhere.journal"
    with open_store(
        url(tmp_path), key_path=tmp_path / "key", second=second, witness=str(tmp_path / "volume.heads")
    ) as store:
        add(store, 1, sign=True)
        open_ones = [path.name for path in tmp_path.iterdir() if path.is_file() and path.stat().st_mode & 0o077]
    assert open_ones == []
