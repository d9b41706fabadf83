"""Every resource of a running house is bounded: an outsider who takes what there is takes little, and is told so."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from croupier.floor.addresses import MOST_ADDRESSES, neighbourhood
from croupier.floor.doors.bounds import MOST_PEOPLE, CommandRate
from croupier.floor.doors.lines import FAULTS_SECONDS, MOST_FAULTS, Faults, Gate
from croupier.floor.doors.live import MOST_NONSENSE
from croupier.floor.keeping.credentials.sessions import Patience
from croupier.floor.practice.dealer import VirtualShoe
from croupier.floor.store.appends import LONGEST_TEXT, BadAppend, check_size
from tests.helpers.houses.served import SCHEME, _answering

SETTINGS = """
[server]
lines = 120
lines_per_address = 60
"""
STRANGER = "127.0.0.2"
KEY = b"dGhlIHNhbXBsZSBub25jZQ=="


@contextmanager
def house(folder: Path, *, files: int = 0) -> Iterator[tuple[str, Path]]:
    """A demonstration with few lines, and its log; `files`: the most files that it may have open."""
    config, log = folder / "house.toml", folder / "log"
    config.write_text(SETTINGS)
    command = [sys.executable, "-m", "croupier", "serve", "--demo", "--port", "0", "--pace", "30,0.1,0.05"]
    command += ["--db", f"sqlite:///{folder}/house.db", "--key", f"{folder}/house.key", "--config", str(config)]

    command = ["prlimit", f"--nofile={files}", *command] if files else command
    with log.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT) as run:
        try:
            for _ in range(600):
                if SCHEME in log.read_text():
                    break
                time.sleep(0.1)
            yield _answering(SCHEME + log.read_text().split(SCHEME, 1)[1].split()[0]), log
            assert run.poll() is None, log.read_text()
        finally:
            run.terminate()
            run.wait(20)
    assert "Traceback" not in log.read_text()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    with house(tmp_path_factory.mktemp("bounds")) as found:
        yield found


def stranger(address: str, sent: bytes = b"", local: str = STRANGER) -> socket.socket:
    """A connection from another address of this machine."""
    to = urlsplit(address)
    line = socket.create_connection((to.hostname or "", to.port or 0), timeout=20, source_address=(local, 0))
    if sent:
        line.sendall(sent)
    return line


def read_all(line: socket.socket) -> bytes:
    found = b""
    try:
        while more := line.recv(4096):
            found += more
    except ConnectionResetError:
        pass
    return found


def test_unfinished_requests_are_few_and_short_and_harm_nobody_else(running: tuple[str, Path]) -> None:
    address, log = running
    with ExitStack() as held:
        began = time.monotonic()
        lines = [held.enter_context(stranger(address, b"GET /health HTTP/1.1\r\nHost: x\r\n")) for _ in range(90)]
        assert httpx.get(f"{address}/health", timeout=20).status_code == 200
        answers = [read_all(line) for line in lines]
        assert time.monotonic() - began < 30
    assert sum(b" 503 " in each and b"too many connections" in each for each in answers) >= 30
    assert sum(each == b"" for each in answers) <= 60
    assert "connections were turned away" in log.read_text()
    assert "connections were cut off" in log.read_text()
    with stranger(address, b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n") as line:
        assert b" 200 " in read_all(line)


def test_a_body_that_never_comes_is_not_waited_for(running: tuple[str, Path]) -> None:
    """Nor is one whose head came together with an earlier request, and is read when that was answered."""
    head = b"POST /api/enter HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n{"
    before = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with ExitStack() as held:
        began = time.monotonic()
        lines = [held.enter_context(stranger(running[0], sent)) for sent in (head, before + head, before + head)]
        lines[-1].shutdown(socket.SHUT_WR)
        answers = [read_all(line) for line in lines]
        assert 10 < time.monotonic() - began < 19
    assert [each.count(b"HTTP/1.1 200 ") for each in answers] == [0, 1, 1]


def live(address: str) -> ClientConnection:
    return connect(f"{address.replace('http', 'ws', 1)}/api/tables/EB-1/live")


def entered(address: str, name: str = "Zoe") -> str:
    body = {"name": name, "role": "dealer", "table": "EB-1"}
    return str(httpx.post(f"{address}/api/enter", json=body, timeout=20).json()["ticket"])


def test_a_line_that_says_nothing_is_ended(running: tuple[str, Path]) -> None:
    with live(running[0]) as line:
        began = time.monotonic()
        assert "within 5 seconds" in json.loads(line.recv(15))["reason"]
        assert time.monotonic() - began > 4
        with pytest.raises(ConnectionClosed):
            line.recv(15)


def answer_to(line: ClientConnection) -> dict[str, Any]:
    while (message := json.loads(line.recv(20)))["type"] == "View":
        pass
    found: dict[str, Any] = message
    return found


def test_hostile_messages_get_a_short_refusal(running: tuple[str, Path]) -> None:
    address, _ = running
    with live(address) as line:
        line.send(json.dumps({"type": "Hello", "ticket": entered(address)}))
        line.send(b"\x00\x01")
        assert "text, not bytes" in answer_to(line)["reason"]
        line.send('{"type":"Do","id":"' + "0" * 32 + '","command":{"type":"Tell","fact":{"a":' + "[" * 20_000)
        assert len(answer_to(line)["reason"]) < 200
        deep: Any = []
        for _ in range(200):
            deep = [deep]
        tell = {"type": "Tell", "fact": {"perform": deep}}
        line.send(json.dumps({"type": "Do", "id": secrets.token_hex(16), "command": tell}))
        assert len(answer_to(line).get("reason", "")) in range(1, 200)
        long = {"type": "RaiseDispute", "complainant": "Zoe", "about": "x" * 20_000}
        line.send(json.dumps({"type": "Do", "id": secrets.token_hex(16), "command": long}))
        assert "a text has at most" in answer_to(line)["reason"]
    for sent in ("x" * (1 << 17), None):
        with live(address) as line:
            if sent is None:
                line.socket.sendall(b"\x81\x82\x00\x00\x00\x00\xff\xff")
            else:
                line.send(sent)
            with pytest.raises(ConnectionClosed):
                line.recv(15)
    deep_body = b'{"name":' + b"[" * 10_000
    answer = httpx.post(f"{address}/api/enter", content=deep_body, timeout=20)
    assert (answer.status_code, len(answer.text) < 300) == (422, True)
    assert httpx.get(f"{address}/health", timeout=20).status_code == 200


def frame(text: bytes) -> bytes:
    return b"\x81\xfe" + len(text).to_bytes(2, "big") + b"\0\0\0\0" + text


def test_a_page_that_asks_and_does_not_read_is_closed(running: tuple[str, Path]) -> None:
    address, _ = running
    to = urlsplit(address)
    line = socket.create_connection((to.hostname or "", to.port or 0), timeout=2)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.sendall(
        f"GET /api/tables/EB-1/live HTTP/1.1\r\nHost: {to.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {KEY.decode()}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    line.sendall(frame(json.dumps({"type": "Hello", "ticket": entered(address), "seen": 0}).encode().ljust(200)))
    asks = frame(json.dumps({"type": "Do", "id": "x", "command": {"type": "ShowRules"}}).encode().ljust(1000))
    with line, pytest.raises((ConnectionError, TimeoutError)):
        _sent_until_closed(line, asks * 64)


def test_a_page_that_asks_what_nobody_can_answer_is_closed(running: tuple[str, Path]) -> None:
    address, log = running
    with live(address) as line:
        line.send(json.dumps({"type": "Hello", "ticket": entered(address, "Zed")}))
        read = 0
        with suppress(ConnectionClosed):
            while read <= MOST_NONSENSE + 1:
                line.send(json.dumps({"type": "Do", "id": "x", "command": {"type": "ShowRules"}}))
                read += answer_to(line)["type"] == "Sorry"
        assert read <= MOST_NONSENSE + 1
    assert "or made no sense" in log.read_text()


def _sent_until_closed(line: socket.socket, asks: bytes) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        line.sendall(asks)


HEAD = b"Host: 127.0.0.1\r\n"
CHUNKED = b"POST /api/enter HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
UPGRADE = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
PING, PONG = b"\x89\x80\0\0\0\0", b"\x8a\x80\0\0\0\0"


def answered(address: str, sent: bytes, local: str = STRANGER) -> bytes:
    with stranger(address, local=local) as line:
        with suppress(ConnectionError):
            line.sendall(sent)
        return read_all(line)


def test_what_is_little_to_send_is_little_to_read(running: tuple[str, Path]) -> None:
    """A hundred kilobytes of headers, or of chunks of one byte, would each hold up the whole house for a second."""
    address, log = running
    close = HEAD + b"Connection: close\r\n"
    assert b" 200 " in answered(address, b"GET /health HTTP/1.1\r\n" + close + b"a: b\r\n" * 90 + b"\r\n")
    assert b" 400 " in answered(address, b"GET /health HTTP/1.1\r\n" + close + b"a: b\r\n" * 120 + b"\r\n")
    large = b"GET /health HTTP/1.1\r\n" + close + b"a: " + b"b" * 40_000 + b"\r\n\r\n"
    # What is refused before all of it was read may end without the answer.
    assert answered(address, large)[9:12] in (b"400", b"")
    few = answered(address, CHUNKED.replace(HEAD, close) + b"1\r\n \r\n" * 60 + b"0\r\n\r\n")
    assert b" 422 " in few
    assert answered(address, CHUNKED + b"1\r\n \r\n" * 20_000 + b"0\r\n\r\n")[9:12] in (b"400", b"")
    assert "they are no HTTP, or have too many parts" in log.read_text()


@pytest.mark.parametrize("sent", [PING, PONG])
def test_a_line_that_pings_without_end_is_closed(running: tuple[str, Path], sent: bytes) -> None:
    """Nobody waits until a pong is read, so that the memory of the process would be filled with them."""
    address, log = running
    asked = b"GET /api/tables/EB-1/board HTTP/1.1\r\n" + HEAD + UPGRADE + b"Sec-WebSocket-Key: " + KEY + b"\r\n\r\n"
    with stranger(address, asked) as line:
        assert b" 101 " in line.recv(4096)
        line.sendall(sent * 30)
        with pytest.raises((ConnectionError, TimeoutError)):
            _sent_until_closed(line, sent * 500)
    assert "they sent too many pings" in log.read_text()


def test_what_is_no_http_is_told_at_times_and_leaves_no_traceback(running: tuple[str, Path]) -> None:
    address, log = running
    # The second half is none, when the first has begun to be answered.
    half = CHUNKED.replace(b"/api/enter", b"/api/people") + b"3\r\nabc\r\nZZZZ\r\n"
    before = log.read_text().count("\n")
    for number in range(60):
        assert b" 400 " in answered(address, b"\x16\x03\x01\0\r\n\r\n", f"127.0.7.{number}")
        assert b" 400 " in answered(address, half, f"127.0.7.{number}")
    assert httpx.get(f"{address}/health", timeout=20).status_code == 200
    lines = log.read_text()
    assert lines.count("\n") - before < 60, lines[-2000:]
    assert "Traceback" not in lines


def test_a_body_whose_length_is_said_in_two_ways_is_no_body(running: tuple[str, Path]) -> None:
    """A proxy that goes by the one, and a house that goes by the other, do not agree where the next request begins."""
    hidden = b"0\r\n\r\nGET /health HTTP/1.1\r\n" + HEAD + b"\r\n"
    said = CHUNKED.replace(b"\r\n\r\n", b"\r\nContent-Length: %d\r\n\r\n" % len(hidden)) + hidden
    answer = answered(running[0], said, "127.0.9.1")
    assert b" 400 " in answer
    assert b"alive" not in answer


def test_who_has_said_all_there_is_to_say_is_still_answered(running: tuple[str, Path]) -> None:
    parts = urlsplit(running[0])
    ask = b"GET /health HTTP/1.1\r\n" + HEAD + b"Connection: close\r\n\r\n"
    for said, answer in ((ask, b"HTTP/1.1 200 "), (ask[:30], b"")):
        with socket.create_connection((parts.hostname, parts.port), 20) as line:
            line.sendall(said)
            line.shutdown(socket.SHUT_WR)
            assert line.recv(4_096)[:13] == answer


def test_an_address_that_is_refused_again_and_again_is_turned_away_and_no_other(running: tuple[str, Path]) -> None:
    address, log = running
    answers = [answered(address, b"\x16\x03\x01\0\r\n\r\n", "127.0.8.1") for _ in range(MOST_FAULTS + 5)]
    assert [b" 503 " in each for each in answers] == [False] * MOST_FAULTS + [True] * 5
    for good in ("127.0.0.1", "127.0.8.2"):
        close = b"GET /health HTTP/1.1\r\n" + HEAD + b"Connection: close\r\n\r\n"
        assert b" 200 " in answered(address, close, good)
    assert "others from there were refused too often" in log.read_text()


def test_faults_are_counted_by_network_and_forgotten_in_time() -> None:
    now = 100.0
    gate = Gate(100, 50, proxies={"10.0.0.9"}, faults=Faults(lambda: now))
    for _ in range(MOST_FAULTS):
        assert gate.enter("2001:db8::1")
        gate.refused("2001:db8::1", gate.not_http)
        gate.refused("10.0.0.9", gate.not_http)
    assert not gate.enter("2001:db8::2")
    assert gate.enter("2001:db8:0:1::1")
    assert gate.enter("10.0.0.9")
    now += FAULTS_SECONDS
    assert gate.enter("2001:db8::2")
    for number in range(MOST_ADDRESSES + 5):
        gate.faults.again(f"address {number}")
    assert len(gate.faults.by_address) == MOST_ADDRESSES


def test_a_line_that_is_closed_for_what_came_on_it_leaves_no_traceback(running: tuple[str, Path]) -> None:
    """The first view is on its way to the page when its line is refused."""
    address, log = running
    asked = b"GET /api/tables/EB-1/board HTTP/1.1\r\n" + HEAD + UPGRADE + b"Sec-WebSocket-Key: " + KEY + b"\r\n\r\n"
    for _ in range(40):
        with stranger(address, asked) as line:
            line.recv(30)
            line.sendall(b"\x81\x82\0\0\0\0\xff\xff")
            read_all(line)
    assert httpx.get(f"{address}/health", timeout=20).status_code == 200
    assert "Traceback" not in log.read_text()


def test_a_process_without_files_left_still_writes_what_it_must(tmp_path: Path) -> None:
    with house(tmp_path, files=380) as (address, _), ExitStack() as held:
        for _ in range(110):
            held.enter_context(stranger(address, b"POST /api/devices/pair HTTP/1.1\r\nHost: 127.0.0.1\r\n"))
        answer = httpx.post(f"{address}/api/devices/pair", json={"code": "aaaa-bbbb-cccc"}, timeout=20)
        assert answer.status_code == 403
        assert entered(address)


def test_a_text_that_is_too_long_is_kept_nowhere() -> None:
    check_size(json.dumps({"reason": "x" * LONGEST_TEXT}).encode())
    for bad in ({"reason": "x" * (LONGEST_TEXT + 1)}, {"all": list(range(1_001))}, ["x"] * 20_000):
        with pytest.raises(BadAppend):
            check_size(json.dumps(bad).encode())


def test_a_player_who_asks_without_end_waits_and_nobody_else_does() -> None:
    rate = CommandRate(per_second=10.0, stock=5)
    assert [rate.wait("ann", 0.0) for _ in range(8)] == [0, 0, 0, 0, 0, 0.1, 0.2, 0.3]
    assert rate.wait("bob", 0.0) == 0
    assert rate.wait("ann", 100.0) == 0
    # Whoever asks at the pace that is given never waits, however long.
    assert not any(rate.wait("cat", number / 10) for number in range(1_000))
    for number in range(MOST_PEOPLE + 5):
        rate.wait(f"player {number}", 200.0)
    assert len(rate.left) == MOST_PEOPLE


def test_what_a_virtual_shoe_tells_of_the_last_one_is_no_longer_than_a_text_may_be() -> None:
    shoe = VirtualShoe(8)
    shoe.shuffle()
    shoe.left.pop()
    last = shoe.shuffle()
    check_size(msgspec.json.encode(last))
    assert len(last.revealed) > LONGEST_TEXT / 2


def test_addresses_are_counted_by_their_network_and_forgotten() -> None:
    assert neighbourhood("2001:db8::1") == neighbourhood("2001:db8::ffff") != neighbourhood("2001:db8:0:1::1")
    gate = Gate(3, 2, proxies={"10.0.0.9"})
    assert [gate.enter("10.0.0.1") for _ in range(3)] == [True, True, False]
    assert [gate.enter("10.0.0.9"), gate.enter("10.0.0.9")] == [True, False]
    gate.leave("10.0.0.1")
    assert gate.enter("10.0.0.9")
    patience = Patience(lambda: 0)
    for number in range(MOST_ADDRESSES + 5):
        assert not patience.is_over(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
    assert len(patience.tries) <= MOST_ADDRESSES


def test_one_address_asks_a_few_study_questions_at_a_time(running: tuple[str, Path]) -> None:
    async def asked() -> list[int]:
        async with httpx.AsyncClient(timeout=120) as client:
            seeds = [f"{running[0]}/api/training/lesson?game=blackjack&seed={seed}" for seed in range(20)]
            return [each.status_code for each in await asyncio.gather(*map(client.get, seeds))]

    found = asyncio.run(asked())
    assert set(found) <= {200, 429}
    assert found.count(200) >= 6
    assert 429 in found
