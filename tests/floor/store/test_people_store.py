"""Accounts on a real store, SQLite and PostgreSQL; sessions, tickets and patience at their limits."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from croupier.floor.addresses import origins_of
from croupier.floor.keeping.accounts import Accounts, Hashing, read_hashing
from croupier.floor.keeping.credentials.sessions import Patience, Sessions
from croupier.floor.keeping.credentials.tickets import NoTicket, Ticket, Tickets, new_secret, open_secret
from croupier.floor.store.appends import Append, BadAppend
from croupier.floor.store.durable import Store, open_store
from croupier.floor.store.heads import BadKey
from croupier.house.people.decide import CONSOLE, JOURNAL, TRIES
from croupier.house.people.messages import Disable
from croupier.prove.books.instruments import servers as postgres

CHEAP = Hashing(1, 64, 1)
NOW = 1_000_000


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/house.db"
    return postgres.emptied(request.getfixturevalue("server"))


@pytest.fixture
def store(url: str, tmp_path: Path) -> Iterator[Store]:
    with open_store(url, key_path=tmp_path / "key") as opened:
        yield opened


async def opened(store: Store) -> tuple[Accounts, str]:
    """The accounts of a new house, and the password of its manager."""
    accounts = Accounts(store, lambda: NOW, CHEAP)
    await accounts.start()
    made = await accounts.first()
    assert made is not None
    return accounts, made[1]


def test_the_row_and_the_line_say_the_same(store: Store) -> None:
    async def lived() -> None:
        accounts, secret = await opened(store)
        row = store.account("manager")
        assert row is not None
        assert row.verifier.startswith("$argon2id$")
        assert (row.roles, row.failures, row.must_change, row.disabled) == ("casino manager", 0, True, False)
        assert await accounts.tried("Manager", "wrong", purpose="") is None
        after = store.account("manager")
        assert after is not None
        assert (after.failures, after.verifier) == (1, row.verifier)
        person = await accounts.tried(" MANAGER ", secret, purpose="")
        assert person is not None
        assert person.name == "manager"
        assert store.accounts()[0].failures == 0
        assert store.last(JOURNAL)[0] == 3

    asyncio.run(lived())


def test_many_guesses_at_once_do_not_outrun_the_lock(store: Store) -> None:
    async def guessed() -> None:
        accounts, secret = await opened(store)
        guesses = [accounts.tried("manager", f"guess {number}", purpose="") for number in range(TRIES)]
        found = await asyncio.gather(*guesses, accounts.tried("manager", secret, purpose=""))
        assert found == [None] * (TRIES + 1)

    asyncio.run(guessed())


def test_a_verifier_that_was_put_there_opens_nothing(store: Store, url: str) -> None:
    async def altered() -> None:
        accounts, _ = await opened(store)
        row = store.account("manager")
        assert row is not None
        verifier = await accounts.verifier("the thief's own")
        sleight = Append(JOURNAL, 1, "0" * 32, (b"{}",), (), b"", (replace(row, verifier=verifier),))
        store.append(sleight).result()
        assert await accounts._right("manager", "the thief's own") is False

    asyncio.run(altered())


def test_people_do_not_change_without_a_line(store: Store) -> None:
    async def tried() -> None:
        await opened(store)
        row = store.account("manager")
        assert row is not None
        with pytest.raises(BadAppend, match="without a line"):
            store.append(Append(JOURNAL, 1, "0" * 32, (), (), b"", (row,)))

    asyncio.run(tried())


def test_what_one_process_ends_ends_in_the_other(server: str, tmp_path: Path) -> None:
    url = postgres.emptied(server)

    async def ended() -> None:
        with open_store(url, key_path=tmp_path / "a") as one, open_store(url, key_path=tmp_path / "b") as two:
            accounts, _ = await opened(one)
            await accounts.make("Dan", ("dealer",), kind="pin", by=CONSOLE, role=CONSOLE)
            other = Accounts(two, lambda: NOW, CHEAP)
            heard: list[str] = []
            other.ended = heard.append
            await other.start()
            assert not other.keeper.owned
            ticket = Ticket("Dan", "dealer", "")
            other.check(ticket)
            await accounts.ask(Disable("Dan"), by=CONSOLE, role=CONSOLE)
            await other.keeper.follow()
            assert heard == ["Dan"]
            with pytest.raises(NoTicket):
                other.check(ticket)

    asyncio.run(ended())


# ---------------------------------------------------------------- sessions


def asked(cookie: str) -> Request:
    headers = [(b"host", b"here"), (b"cookie", cookie.encode())]
    return Request(
        {"type": "http", "method": "GET", "path": "/", "headers": headers, "query_string": b"", "scheme": "http"}
    )


@pytest.mark.parametrize(("seconds", "lives"), [(9, True), (10, True), (11, False)])
def test_a_session_ends_some_time_after_it_began_however_much_it_is_used(
    tmp_path: Path, seconds: int, *, lives: bool
) -> None:
    async def aged() -> None:
        with open_store(f"sqlite:///{tmp_path}/house.db", key_path=tmp_path / "key") as store:
            accounts, _ = await opened(store)
            now = [NOW]
            sessions = Sessions(new_secret(), accounts, lambda: now[0], longest_seconds=10)
            person = accounts.people.find("manager")
            assert person is not None
            begun = sessions.begin(person)
            kept = sessions.keep(Response(), begun, asked("")).headers["set-cookie"].split(";")[0]
            now[0] += seconds * 1000
            assert (sessions.of(asked(kept)) is not None) == lives
            assert sessions.of(asked(kept[:-9] + ("a" if kept[-9] != "a" else "b") + kept[-8:])) is None
            idle = Sessions(sessions.secret, accounts, lambda: NOW, idle_seconds=-1)
            assert idle.of(asked(kept)) is None
            stranger = Sessions(new_secret(), accounts, lambda: NOW)
            assert stranger.of(asked(kept)) is None

    asyncio.run(aged())


def test_patience_ends_with_the_last_try_and_comes_back() -> None:
    now = [0]
    patience = Patience(lambda: now[0], most=3, within_ms=100)
    assert [patience.is_over("here") for _ in range(5)] == [False, False, False, True, True]
    assert not patience.is_over("there")
    now[0] = 99
    assert patience.is_over("here")
    now[0] = 100
    assert not patience.is_over("here")
    now[0] = 10_000
    patience.is_over("elsewhere")
    assert list(patience.tries) == ["elsewhere"]


# ---------------------------------------------------------------- tickets


def test_a_ticket_is_read_by_its_house_for_its_time() -> None:
    house, other = Tickets(new_secret()), Tickets(new_secret())
    ticket = Ticket("Dan", "dealer", "B-1", 3)
    assert house.read(house.give(ticket)) == ticket
    for text in (other.give(ticket), house.give(ticket, seconds=-1), "", "made up", house.give(ticket)[:-1]):
        with pytest.raises(NoTicket):
            house.read(text)


def test_the_secret_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    first = open_secret(path)
    assert (open_secret(path), path.stat().st_mode & 0o777) == (first, 0o600)
    os.chmod(path, 0o640)
    with pytest.raises(BadKey, match="can be read by others"):
        open_secret(path)
    os.chmod(path, 0o600)
    path.write_bytes(first[:-1])
    with pytest.raises(BadKey, match="32 bytes, this file 31"):
        open_secret(path)


@pytest.mark.parametrize("text", ["cheap", "1,2", "0,64,1", "1,1,1", "1,64,1,1"])
def test_a_cost_that_argon2_cannot_have_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="argon2 takes"):
        read_hashing(text)
    assert read_hashing("") == Hashing()
    assert read_hashing("1,64,1") == CHEAP


# ---------------------------------------------------------------- where requests come from


@pytest.mark.parametrize(
    ("origin", "host", "may"),
    [
        ("http://127.0.0.1:8700", "127.0.0.1:8700", True),
        ("https://127.0.0.1:8700", "127.0.0.1:8700", True),
        ("http://127.0.0.1:8701", "127.0.0.1:8700", False),
        ("http://localhost:8700", "127.0.0.1:8700", False),
        ("https://floor.example", "127.0.0.1:8700", True),
        ("https://floor.example.evil", "127.0.0.1:8700", False),
        ("null", "127.0.0.1:8700", False),
        ("", "", False),
    ],
)
def test_which_pages_may_ask(origin: str, host: str, *, may: bool) -> None:
    origins = origins_of("127.0.0.1", ("https://floor.example",))
    assert origins.may_ask(origin, host) == may


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1:8700", True),
        ("localhost", True),
        ("[::1]:8700", True),
        ("floor.example", True),
        ("FLOOR.example:443", True),
        ("evil.example", False),
        ("", False),
    ],
)
def test_the_names_of_a_house_on_a_loopback_address(host: str, *, known: bool) -> None:
    assert origins_of("127.0.0.1", ("https://floor.example",)).known(host) == known
    assert origins_of("0.0.0.0", ()).known(host)


def test_a_name_that_nobody_has_takes_the_same_way(store: Store) -> None:
    """One verification and one line, so that the time does not tell."""

    async def tried() -> None:
        accounts, _ = await opened(store)
        lines = store.last(JOURNAL)[0]
        assert await accounts.tried("nobody", "wrong", purpose="") is None
        assert store.last(JOURNAL)[0] == lines + 1
        assert await accounts.tried("manager", "wrong", purpose="") is None
        assert store.last(JOURNAL)[0] == lines + 2
        assert accounts.hasher.check_needs_rehash(accounts.nobody) is False

    asyncio.run(tried())
