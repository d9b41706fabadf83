"""Authority ends when it ends: tickets, lent roles, and what a process knew before it slept."""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import replace
from pathlib import Path
from threading import Lock

import msgspec
import pytest
from starlette.requests import HTTPConnection
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from croupier.floor.doors.live import done
from croupier.floor.keeping.accounts import Hashing
from croupier.floor.keeping.clock import Clock
from croupier.floor.keeping.credentials.sessions import DEVICE, Sessions
from croupier.floor.keeping.credentials.tickets import NoTicket, Ticket, Tickets, secret_beside
from croupier.floor.keeping.house import open_house
from croupier.floor.keeping.peers import Challenge, PeerProof, Peers, answered, is_known
from croupier.floor.rooms.inspector.doors import Telling
from croupier.floor.store.appends import LONGEST_TEXT, BadAppend
from croupier.floor.store.snapshots import program, unpacked
from croupier.floor.wire import Answer, Do, Sorry
from croupier.house.people import decide as book
from croupier.house.people import messages as m
from croupier.house.people.decide import CONSOLE
from croupier.prove.books.instruments import servers as postgres
from croupier.prove.house.entrances import TABLE, name_of, running
from croupier.rulesets import known_game, ruleset
from croupier.table.commands import RaiseDispute, ShowRules, TableRequest
from croupier.table.state import new_table
from tests.helpers.houses.served import served

CHEAP = Hashing(1, 64, 1)


# ---------------------------------------------------------------- tickets


def test_a_line_that_is_open_longer_than_its_ticket_orders_nothing(tmp_path: Path) -> None:
    async def asked() -> None:
        async with running(tmp_path, demo=False) as (house, _, _client):
            ticket = house.admit(house.give(Ticket(name_of("dealer"), "dealer", TABLE), seconds=1))
            assert isinstance(await done(house, ticket, Do(secrets.token_hex(16), ShowRules())), Answer)
            await asyncio.sleep(1.1)
            answer = await done(house, ticket, Do(secrets.token_hex(16), ShowRules()))
            assert isinstance(answer, Sorry)
            assert answer.end

    asyncio.run(asked())


def test_a_line_ends_with_its_ticket(tmp_path: Path) -> None:
    """Whoever may order nothing any more is shown nothing any more, though nobody asks anything."""
    with served(tmp_path) as (address, _):
        tickets = Tickets(secret_beside(tmp_path / "house.key"))
        ticket = tickets.give(Ticket("Dan", "dealer", "EB-1"), seconds=2)
        with connect(f"{address.replace('http', 'ws', 1)}/api/tables/EB-1/live") as line:
            line.send(msgspec.json.encode({"type": "Hello", "ticket": ticket}).decode())
            message, until = msgspec.json.decode(line.recv(30)), time.monotonic() + 30
            assert message["type"] == "View"
            while message["type"] == "View" and time.monotonic() < until:
                message = msgspec.json.decode(line.recv(30))
            assert (message["type"], message["end"]) == ("Sorry", True)
            assert "has ended" in message["reason"]


def test_a_lent_role_is_for_one_command(tmp_path: Path) -> None:
    async def asked() -> None:
        async with running(tmp_path, demo=False) as (house, _, client):
            one, other = secrets.token_hex(16), secrets.token_hex(16)
            lent = house.give(Ticket(name_of("casino manager"), "casino manager", TABLE, command=one), seconds=120)
            ticket = house.admit(lent)
            assert isinstance(await done(house, ticket, Do(other, ShowRules())), Sorry)
            assert isinstance(await done(house, ticket, Do(one, ShowRules())), Answer)
            own = house.admit(house.give(Ticket(name_of("dealer"), "dealer", TABLE)))
            assert isinstance(await done(house, own, Do(other, ShowRules()), ticket), Sorry)
            # It opens no other door of the house.
            shown = {"Authorization": f"Ticket {lent}"}
            assert (await client.get("/api/cage/state", headers=shown)).status_code == 403
            body = {"type": "Add", "name": "Eve", "roles": ["dealer"]}
            assert (await client.post("/api/people", json=body, headers=shown)).status_code == 403

    asyncio.run(asked())


def test_a_lent_role_opens_no_line(tmp_path: Path) -> None:
    with served(tmp_path, pace="30,0.1,0.05") as (address, _):
        lent = Tickets((tmp_path / "house.key.tickets").read_bytes()).give(
            Ticket("Sue", "game supervisor", "EB-1", command=secrets.token_hex(16))
        )
        with connect(f"{address.replace('http', 'ws', 1)}/api/tables/EB-1/live") as line:
            line.send(msgspec.json.encode({"type": "Hello", "ticket": lent}).decode())
            assert "was lent" in msgspec.json.decode(line.recv(20))["reason"]
        _no_stranger_is_a_peer(address, (tmp_path / "house.key.tickets").read_bytes())


# ---------------------------------------------------------------- a process that slept


def test_a_process_that_slept_past_its_lease_reads_again_before_it_admits_anybody(server: str, tmp_path: Path) -> None:
    async def slept() -> None:
        url = postgres.new_database(server)
        one, two = (
            open_house(url, tmp_path / "key", demo=False, hashing=CHEAP, address=f"http://127.0.0.1:{port}")
            for port in (1, 2)
        )
        try:
            for house in (one, two):
                await house.start(())
            assert one.accounts is not None
            assert two.accounts is not None
            made = m.MakeAccount("Ann", ("dealer",), "none", must_change=False)
            assert (await one.accounts.ask(made, by=CONSOLE, role=CONSOLE)).done
            ticket = Ticket("Ann", "dealer", "", 0)
            one.check(ticket)
            # The first stops: it hears nothing more, and the second takes over what it kept.
            assert one.store.listener is not None
            one.store.listener.stop()
            ownership = one.store.writer.ownership if one.store.writer else None
            assert ownership is not None
            before = one.store.lapses
            await asyncio.wrap_future(one.store.release("@people"))
            assert (await two.accounts.ask(m.Disable("Ann"), by=CONSOLE, role=CONSOLE)).done
            one.check(ticket)
            ownership.renewed -= 10_000  # type: ignore[attr-defined]
            assert one.store.lapses == before + 1
            await one.current()
            with pytest.raises(NoTicket):
                one.check(ticket)
        finally:
            for house in (one, two):
                await house.close()

    asyncio.run(slept())


# ---------------------------------------------------------------- processes know each other


def test_a_proof_is_good_on_one_line_between_two_addresses() -> None:
    secret, challenge = b"s" * 32, Challenge("a")
    proof = answered(secret, challenge, asker="http://a", asked="http://b")
    assert is_known(secret, challenge, proof, here="http://b")
    for where, said, shown in (
        ("http://b", Challenge("another"), proof),
        ("http://c", challenge, proof),
        ("http://b", challenge, msgspec.structs.replace(proof, asker="http://d")),
        ("http://b", challenge, PeerProof("http://a", "http://b", "x", "")),
        ("http://b", challenge, PeerProof("http://a", "http://b", "x", "é")),
    ):
        assert not is_known(secret, said, shown, here=where)
    assert not is_known(b"t" * 32, challenge, proof, here="http://b")


def _no_stranger_is_a_peer(address: str, secret: bytes) -> None:
    """A proof that was heard once is of no use again, and one for another address is none."""
    peers = f"{address.replace('http', 'ws', 1)}/api/peers"
    with connect(peers) as line:
        challenge = msgspec.json.decode(line.recv(20), type=Challenge)
        good = msgspec.json.encode(answered(secret, challenge, asker="http://x", asked=address)).decode()
        line.send(good)
        assert "proof" in msgspec.json.decode(line.recv(20))
    elsewhere = msgspec.json.encode(answered(secret, challenge, asker="http://x", asked="http://y")).decode()
    for sent in (good, elsewhere, "", "[" * 5_000, b"\x00"):
        with connect(peers) as line:
            line.recv(20)
            line.send(sent)
            with pytest.raises(ConnectionClosed):
                line.recv(20)


def test_what_no_journal_can_hold_is_said_to_the_process_that_passed_it_on(tmp_path: Path) -> None:
    """The asker does not wait in vain, nor is it told to ask again; the line between the two goes on."""

    async def passed(address: str) -> None:
        peers = Peers(secret_beside(tmp_path / "house.key"), "http://x")

        async def ask(text: str) -> Answer:
            request = TableRequest(RaiseDispute("Dan", text), "Dan", "dealer")
            return await peers.pass_on(address, "B-4", secrets.token_hex(16), request)

        try:
            with pytest.raises(BadAppend, match="a text has at most"):
                await ask("x" * (LONGEST_TEXT + 1))
            line = peers.lines[address]
            assert (await ask("the last coup")).id
            assert (peers.lines[address], line.waiting) == (line, {})
        finally:
            await peers.close()

    with served(tmp_path, pace="600,0.1,0.05") as (address, _):
        asyncio.run(passed(address))


# ---------------------------------------------------------------- the clock, and damage


def test_a_clock_that_is_set_back_refuses_nothing_and_frees_nothing(caplog: pytest.LogCaptureFixture) -> None:
    wall, steady = [1_000_000_000], [5_000]
    clock = Clock(lambda: wall[0], lambda: steady[0])
    tickets = Tickets(b"s" * 32, clock)
    text = tickets.give(Ticket("Ann", "dealer", ""), seconds=10)
    steady[0] += 1_000
    wall[0] -= 3_600_000
    assert clock() == 1_000_001_000
    assert "went back" in caplog.text
    assert tickets.read(text).name == "Ann"
    steady[0] += 10_000
    with pytest.raises(NoTicket):
        tickets.read(text)
    wall[0] = 1_000_100_000
    assert clock() == 1_000_100_000
    clock.not_before(1_000_200_000)
    assert clock() >= 1_000_200_000
    clock.not_before(1_000_200_000 + 48 * 3_600_000)
    assert clock() < 1_000_300_000


def test_any_damage_to_a_snapshot_means_that_there_is_none() -> None:
    fresh = new_table("B-1", known_game("baccarat"), ruleset("nz1998", game="baccarat"))
    for body in (
        b"",
        b"\x80",
        b"\x80\x05cos\nsystem\n.",
        b"\x80\x05K\x01.",
        b"\xff" * 40,
        b"\x80\x05\x8c\x04nope\x51.",
    ):
        assert unpacked(program() + body, fresh) is None


# ---------------------------------------------------------------- two people are two people


def test_roles_are_given_by_two_people_who_manage(tmp_path: Path) -> None:
    async def asked() -> None:
        async with running(tmp_path, demo=False) as (house, _, client):
            first, second = (
                house.give(Ticket(name_of(role), role, "")) for role in ("casino manager", "shift manager")
            )
            shown = {"Authorization": f"Ticket {first}"}
            add = {"type": "Add", "name": "Eve", "roles": ["dealer"]}
            lent = house.give(Ticket(name_of("dealer"), "dealer", ""))
            for other in ("", first, lent):
                refused = await client.post("/api/people", json=add | {"second": other}, headers=shown)
                assert (refused.status_code, "two people" in refused.json()["reason"]) == (403, True)
                assert refused.json().get("wants", "") == ("" if other else "second")
            # What the other lent for another command is not for this, nor what they do in another role.
            one, manager = (
                secrets.token_hex(16),
                Ticket(name_of("shift manager"), "shift manager", "", command="0" * 32),
            )
            for unfit in (manager, replace(manager, role="dealer", command="")):
                acted = add | {"id": one, "second": house.tickets.give(unfit)}
                assert (await client.post("/api/people", json=acted, headers=shown)).status_code == 403
            given = await client.post("/api/people", json=add | {"second": second}, headers=shown)
            assert given.status_code == 200, given.text
            body = house.store.lines("@people", house.store.last("@people")[0], 1)[0].body
            line = msgspec.json.decode(body)
            assert (line["by"], line["second"]) == (name_of("casino manager"), name_of("shift manager"))
            # A player's account gives nobody power over others; one manager makes it.
            player = {"type": "Add", "name": "Pam", "roles": ["player"]}
            assert (await client.post("/api/people", json=player, headers=shown)).status_code == 200
            for act in ({"type": "Disable", "name": name_of("shift manager")}, {"type": "Reset", "name": "Eve"}):
                assert (await client.post("/api/people", json=act, headers=shown)).status_code == 403
            nobody = await client.post("/api/people", json={"type": "Disable", "name": "Nobody"}, headers=shown)
            assert (nobody.status_code, "wants" in nobody.json()) == (403, False)

    asyncio.run(asked())


def test_a_complaint_is_made_in_ones_own_name(tmp_path: Path) -> None:
    async def asked() -> None:
        async with running(tmp_path, demo=False) as (house, _, _client):
            ticket = house.admit(house.give(Ticket(name_of("player"), "player", TABLE)))
            for name, is_done in ((name_of("dealer"), False), (name_of("player"), True)):
                answer = await done(house, ticket, Do(secrets.token_hex(16), RaiseDispute(name, "the last coup")))
                assert isinstance(answer, Answer)
                assert answer.done == is_done

    asyncio.run(asked())


def test_a_stranger_cannot_lock_out_a_device_that_is_known() -> None:
    people = book.after(book.People(), ())

    def happened(people: book.People, what: m.AnyCommand, at_ms: int) -> book.People:
        asked = m.Asked(what, CONSOLE, CONSOLE, at_ms)
        events = book.decide(people, asked)
        assert isinstance(events, tuple), events
        return book.after(people, book.entries(people, asked, events))

    people = happened(people, m.MakeAccount("Ann", ("dealer",), "none", must_change=False), 0)
    for _ in range(12):
        people = happened(people, m.Try("Ann", right=False), 1_000)
    ann = people.find("Ann")
    assert ann is not None
    assert ann.locked_until_ms > 1_000
    assert isinstance(book.decide(people, m.Asked(m.Try("Ann", right=True), "Ann", "", 2_000)), tuple)
    (refused,) = book.decide(people, m.Asked(m.Try("Ann", right=True), "Ann", "", 2_000))  # type: ignore[misc]
    (let_in,) = book.decide(people, m.Asked(m.Try("Ann", right=True, known=True), "Ann", "", 2_000))  # type: ignore[misc]
    assert isinstance(refused, m.SignInRefused)
    assert isinstance(let_in, m.SignedIn)
    # A stolen device has its own few tries, and frees no others.
    people = happened(people, m.Try("Ann", right=True, known=True), 2_000)
    ann = people.find("Ann")
    assert ann is not None
    assert ann.locked_until_ms > 2_000
    for _ in range(book.TRIES):
        people = happened(people, m.Try("Ann", right=False, known=True), 3_000)
    (locked,) = book.decide(people, m.Asked(m.Try("Ann", right=True, known=True), "Ann", "", 3_500))  # type: ignore[misc]
    assert isinstance(locked, m.SignInRefused)


def test_a_device_is_known_for_a_name_and_never_for_none() -> None:
    sessions = Sessions(b"s" * 32, None, lambda: 0)

    def on(cookie: str) -> HTTPConnection:
        headers = [(b"cookie", f"{DEVICE}={cookie}".encode())] if cookie else []
        return HTTPConnection({"type": "http", "headers": headers})

    anns = on(str(sessions.devices.dumps(["Ann"])))
    assert sessions.knows(anns, "Ann")
    for device in (on(""), on("nonsense"), on(str(sessions.devices.dumps([""]))), anns):
        for name in ("", " ", "Bob"):
            assert not sessions.knows(device, name), name


def test_verifying_is_released_whatever_becomes_of_its_asker() -> None:
    busy = Lock()
    for begun in (False, True):
        assert busy.acquire(blocking=False)
        verifying = Telling(iter((b"1", b"2")), busy)
        if begun:
            next(verifying)
        del verifying
        assert not busy.locked()
    assert busy.acquire(blocking=False)
    assert list(Telling(iter((b"1",)), busy)) == [b"1"]
    assert not busy.locked()
