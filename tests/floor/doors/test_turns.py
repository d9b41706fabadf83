"""Whose turn it is to be read: what is counted are pieces and turns, not times."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from croupier.floor.doors.lines import MOST_LOOKS, Gate
from croupier.floor.doors.turns import PIECE, ReadInTurn, Turns
from tests.floor.doors.test_bounds import HEAD, KEY, UPGRADE, house, stranger


class Read(ReadInTurn):
    """A connection of which it is noted which piece was read in which turn of the loop."""

    def __init__(self, turns: Turns, address: str, note: Callable[[str, bytes], None]) -> None:
        self.turns, self.address, self.note = turns, address, note

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def in_turns(self) -> tuple[Turns, str]:
        return self.turns, self.address

    def is_read(self) -> bool:
        return True

    def read_piece(self, piece: bytes) -> bool:
        self.note(self.address, piece)
        return True


class Ends(asyncio.Protocol):
    """The other end of a connection, which is noted when it is gone."""

    def __init__(self, ended: list[Ends]) -> None:
        self.ended = ended

    def connection_lost(self, _: Exception | None) -> None:
        self.ended.append(self)


async def read_in_turns(turns: Turns, addresses: dict[str, int], rounds: int) -> list[list[str]]:
    """What was read in each turn of the loop, of as many pieces as each address has."""
    loop, here = asyncio.get_running_loop(), [list[str]() for _ in range(rounds)]
    turn = 0
    ended: list[Ends] = []
    server = await loop.create_server(partial(Ends, ended), "127.0.0.1", 0)
    where = server.sockets[0].getsockname()
    made = [partial(Read, turns, address, lambda one, _: here[turn].append(one)) for address in addresses]
    opened = [(await loop.create_connection(each, *where))[1] for each in made]
    for protocol, pieces in zip(opened, addresses.values(), strict=True):
        protocol.data_received(b"x" * (PIECE * pieces))
    for turn in range(rounds):  # noqa: B007
        await asyncio.sleep(0)
    for protocol in opened:
        protocol.transport.close()
    while len(ended) < len(opened):
        await asyncio.sleep(0)
    server.close()
    return here


def test_strangers_have_one_piece_in_a_turn_and_each_address_its_share() -> None:
    found = asyncio.run(read_in_turns(Turns(), {"a": 6, "b": 2, "c": 1}, 40))
    assert max(map(len, found)) == 1
    order = [each for turn in found for each in turn]
    assert order == ["a", "b", "c", "a", "b", "a", "a", "a", "a"]


def test_who_is_known_does_not_wait_for_strangers() -> None:
    found = asyncio.run(read_in_turns(Turns(held_seconds=0.0), {"a": 5, "": 3}, 40))
    order = [each for turn in found for each in turn]
    assert (order.count("a"), order.count("")) == (5, 3)
    assert order.index("") == 0  # its first piece was read at once, before any turn
    assert max(turn.count("") for turn in found[1:]) == 1


@pytest.mark.parametrize(("in_hand", "read"), [(1, 0), (0, 4)])
def test_while_a_command_is_in_hand_strangers_are_held_back(in_hand: int, read: int) -> None:
    turns = Turns(busy=lambda: bool(in_hand), held_seconds=3600.0)
    found = asyncio.run(read_in_turns(turns, {"a": 4}, 20))
    assert sum(map(len, found)) == read


def test_what_was_just_said_by_somebody_known_holds_strangers_back() -> None:
    found = asyncio.run(read_in_turns(Turns(held_seconds=3600.0), {"": 1, "a": 4}, 20))
    assert [each for turn in found for each in turn] == [""]


def test_who_does_not_read_what_they_are_sent_is_cut_off_and_no_other() -> None:
    """Also one that is being closed: the system would wait for ever until all of it was sent."""

    async def looked() -> list[bool]:
        gate, lost = Gate(10, 10), []

        class Sent(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                assert isinstance(transport, asyncio.Transport)
                gate.watch(transport)
                self.transport = transport

            def connection_lost(self, _: Exception | None) -> None:
                lost.append(self)

        server = await asyncio.get_running_loop().create_server(Sent, "127.0.0.1", 0)
        where = server.sockets[0].getsockname()
        kept = [await asyncio.open_connection(*where) for _ in range(3)]
        while len(gate.looks) < 3:
            await asyncio.sleep(0)
        unread, closing, idle = gate.looks
        for each in (unread, closing):
            each.write(b"x" * (1 << 24))
        closing.close()
        for _ in range(MOST_LOOKS - 1):
            gate.look()
        assert not unread.is_closing()
        gate.look()
        while len(lost) < 2:
            await asyncio.sleep(0)
        found = [each.is_closing() for each in (unread, closing, idle)]
        for _, writer in kept:
            writer.close()
        while len(lost) < 3:
            await asyncio.sleep(0)
        server.close()
        return found

    assert asyncio.run(looked()) == [True, True, False]


def test_pieces_make_the_same_requests_and_lines_as_a_whole(tmp_path: Path) -> None:
    """A head and a body of many pieces, requests one after another, and a line that is opened by many pieces."""
    with house(tmp_path) as (address, _):
        body = b'{"name":"Zoe","role":"dealer","table":"EB-1"}' + b" " * 5_000
        head = b"POST /api/enter HTTP/1.1\r\n" + HEAD + b"X-Long: " + b"y" * 3_000
        asked = head + b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        last = b"GET /health HTTP/1.1\r\n" + HEAD + b"Connection: close\r\n\r\n"
        with stranger(address, asked + last) as line:
            found = b""
            while more := line.recv(4096):
                found += more
        assert found.count(b" 200 OK") == 2
        opened = b"GET /api/tables/EB-1/board HTTP/1.1\r\n" + HEAD + UPGRADE + b"X-Long: " + b"y" * 3_000
        with stranger(address, opened + b"\r\nSec-WebSocket-Key: " + KEY + b"\r\n\r\n") as line:
            found = b""
            while b"BoardShown" not in found:
                found += line.recv(4096)
            line.sendall(b"\x81\xfe\x0f\xa0\0\0\0\0" + b'{"type":"Ping","at":1}'.ljust(4_000))
            while b"Pong" not in found:
                found += line.recv(4096)
