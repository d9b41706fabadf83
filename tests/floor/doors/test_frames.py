"""Frames that are written and read without the library are what the library would have written and read."""

from __future__ import annotations

import asyncio
import itertools
import re
import secrets
import socket
import time
from pathlib import Path
from random import Random

import pytest
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol

from croupier.floor.doors.frames import LOST, FrameEnds, Inbox, frame_parts, text_frame, whole_text
from tests.floor.doors.test_bounds import HEAD as HOST
from tests.floor.doors.test_bounds import KEY, UPGRADE, house, stranger

HEAD = (
    b"GET / HTTP/1.1\r\nHost: house\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
SIZES = (0, 1, 30, 125, 126, 127, 400, 65_535, 65_536)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 65_537])
def test_a_frame_is_the_one_that_the_library_writes(size: int) -> None:
    text = b"x" * size
    assert text_frame(text) == Frame(Opcode.TEXT, text).serialize(mask=False)


@pytest.mark.parametrize("size", SIZES)
def test_a_whole_text_is_read_as_the_library_reads_it(size: int) -> None:
    frame = Frame(Opcode.TEXT, "é".encode() * (size // 2) + b"x" * (size % 2)).serialize(mask=True)
    assert whole_text(frame) == "é" * (size // 2) + "x" * (size % 2)
    assert frame_parts(frame, 0)[1] == len(frame)
    # Neither what lacks anything nor what has more behind it is one whole text.
    assert all(whole_text(frame[:end]) is None for end in {0, 1, 2, 5, len(frame) - 1} if end < len(frame))
    assert whole_text(frame + b"\x81") is None


@pytest.mark.parametrize(
    "frame",
    [
        Frame(Opcode.TEXT, b"plain").serialize(mask=False),
        Frame(Opcode.TEXT, b"part", fin=False).serialize(mask=True),
        Frame(Opcode.CONT, b"last part").serialize(mask=True),
        Frame(Opcode.BINARY, b"bytes").serialize(mask=True),
        Frame(Opcode.TEXT, b"\xff").serialize(mask=True),
        b"\xc1" + Frame(Opcode.TEXT, b"reserved").serialize(mask=True)[1:],
        Frame(Opcode.PING, b"ping").serialize(mask=True),
        Frame(Opcode.CLOSE, b"").serialize(mask=True),
    ],
    ids=["unmasked", "first part", "last part", "bytes", "not UTF-8", "reserved", "ping", "close"],
)
def test_whatever_is_no_whole_masked_text_is_left_to_the_library(frame: bytes) -> None:
    assert whole_text(frame) is None


def opened() -> ServerProtocol:
    """The library, with a line that is open."""
    library = ServerProtocol()
    library.receive_data(HEAD)
    (request,) = library.events_received()
    assert isinstance(request, Request)
    library.send_response(library.accept(request))
    return library


def messages(chance: Random) -> list[bytes]:
    """What a page might send: mostly texts, and everything else that is allowed between them."""
    found: list[bytes] = []
    for _ in range(40):
        body = secrets.token_hex(chance.choice((0, 20, 62, 63, 200, 700))).encode()
        match chance.choice(("text", "text", "text", "ping", "bytes", "parts")):
            case "text":
                found.append(Frame(Opcode.TEXT, body).serialize(mask=True))
            case "ping":
                found.append(Frame(Opcode.PING, body[:100]).serialize(mask=True))
            case "bytes":
                found.append(Frame(Opcode.BINARY, body).serialize(mask=True))
            case _:
                found.append(Frame(Opcode.TEXT, body, fin=False).serialize(mask=True))
                found.append(Frame(Opcode.PING, b"between").serialize(mask=True))
                found.append(Frame(Opcode.CONT, body).serialize(mask=True))
    return found


def cut(frames: list[bytes], chance: Random) -> list[bytes]:
    """The pieces in which they come: most as they were sent, some two at once, some in parts."""
    pieces: list[bytes] = []
    for frame in frames:
        way = chance.random()
        if way < 0.1 and pieces:
            pieces[-1] += frame
        elif way < 0.25:
            at = chance.randrange(2 if chance.random() < 0.2 else 14, len(frame) + 15)
            pieces += [frame[:at], frame[at:]]
        else:
            pieces.append(frame)
    return [piece for piece in pieces if piece]


def heard(library: ServerProtocol, piece: bytes) -> list[tuple[Opcode, bytes, bool]]:
    library.receive_data(piece)
    assert library.parser_exc is None
    return [(each.opcode, bytes(each.data), each.fin) for each in library.events_received() if isinstance(each, Frame)]


def test_what_is_heard_is_the_same_with_and_without_the_library() -> None:
    chance, short = Random(7), 0
    for _ in range(60):
        pieces = cut(messages(chance), chance)
        alone, beside, ends, parts = opened(), opened(), FrameEnds(), False
        for piece in pieces:
            true = heard(alone, piece)
            text = None if ends.owed or parts else whole_text(piece)
            if text is None:
                ends.passed(piece)
                assert heard(beside, piece) == true
            else:
                short += 1
                assert true == [(Opcode.TEXT, text.encode(), True)]
            for opcode, _, whole in true:
                parts = not whole if opcode in (Opcode.TEXT, Opcode.CONT, Opcode.BINARY) else parts
    assert short > 500


def test_a_head_in_two_pieces_is_not_counted_on_from() -> None:
    frame, ends = Frame(Opcode.TEXT, b"x" * 300).serialize(mask=True), FrameEnds()
    ends.passed(frame[:3])
    assert ends.owed == LOST
    ends.passed(frame[3:])
    assert ends.owed == LOST
    for first in range(8, len(frame), 97):
        ends = FrameEnds()
        ends.passed(frame[:first])
        assert ends.owed == len(frame) - first
        ends.passed(frame[first:] + frame)
        assert ends.owed == 0


def test_who_listens_hears_all_in_its_order() -> None:
    async def listening() -> list[int]:
        inbox, found = Inbox(), list[int]()

        async def listen() -> None:
            for _ in range(6):
                found.append(await inbox.get())

        task = asyncio.create_task(listen())
        assert not inbox.listened
        for number, turns in zip(range(6), itertools.cycle((0, 1, 2))):
            for _ in range(turns):
                await asyncio.sleep(0)
            inbox.put_nowait(number)
            assert not inbox.listened
        await task
        assert inbox.empty()
        return found

    assert asyncio.run(listening()) == [*range(6)]


def test_one_who_is_cancelled_takes_no_message_away() -> None:
    async def listening() -> int:
        inbox = Inbox()
        task = asyncio.create_task(inbox.get())
        await asyncio.sleep(0)
        assert inbox.listened
        inbox.put_nowait(1)
        task.cancel()
        await asyncio.wait([task])
        return int(await inbox.get())

    assert asyncio.run(listening()) == 1


def in_every_form(number: int, chance: Random) -> list[bytes]:
    """A ping of a page, which is a text: whole, in two pieces, in two parts with one of the library's between."""
    text = b'{"type":"Ping","at":%d}' % number
    whole = Frame(Opcode.TEXT, text).serialize(mask=True)
    parts = (Frame(Opcode.TEXT, text[:9], fin=False), Frame(Opcode.PING, b"?"), Frame(Opcode.CONT, text[9:]))
    forms = ([whole], [whole], [whole[:10], whole[10:]], [each.serialize(mask=True) for each in parts])
    return chance.choice(forms)


def test_a_house_answers_in_order_in_whatever_form_it_is_asked(tmp_path: Path) -> None:
    chance, most = Random(3), 60
    asked = b"GET /api/tables/EB-1/board HTTP/1.1\r\n" + HOST + UPGRADE + b"Sec-WebSocket-Key: " + KEY + b"\r\n\r\n"
    with house(tmp_path) as (address, _), stranger(address, asked) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Nobody speaks on a line before it is open.
        heard = line.recv(4096)
        assert b" 101 " in heard
        for number in range(most):
            for piece in in_every_form(number, chance):
                line.sendall(piece)
                time.sleep(chance.choice((0, 0, 0.02)))
            # Sometimes the answer is waited for, and sometimes the next is asked meanwhile.
            while chance.random() < 0.5 and f'"at":{number}}}'.encode() not in heard:
                heard += line.recv(1 << 16)
        while f'"at":{most - 1}}}'.encode() not in heard:
            heard += line.recv(1 << 16)
    told = [int(each) for each in re.findall(rb'"type":"Pong","at":(\d+)', heard)]
    assert told == [*range(most)]
