"""The proxy that is shipped, before processes that go and come back: nobody is kept out because one was away."""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from croupier.floor.parcel.certificates import self_signed
from croupier.prove.books.telling import free_port
from tests.floor.parcel.test_deploy import DEPLOY, tool

ASKS = (
    b"GET /api/tables/EB-1/live HTTP/1.1\r\nHost: casino.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
)
OPENS = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
LINES = 8
PATIENCE_SECONDS = 10.0


@contextmanager
def process(port: int, lines: ExitStack) -> Iterator[list[socket.socket]]:
    """A process that opens every line and says nothing on it; it ends with the block, its lines do not."""
    held: list[socket.socket] = []

    def open_lines() -> None:
        while True:
            try:
                line, _ = listening.accept()
            except OSError:
                return
            line.recv(4096)
            line.sendall(OPENS)
            held.append(lines.enter_context(line))

    with socket.create_server(("127.0.0.1", port)) as listening:
        answering = threading.Thread(target=open_lines, daemon=True)
        answering.start()
        try:
            yield held
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            answering.join()


@contextmanager
def proxy(folder: Path, processes: tuple[int, ...]) -> Iterator[int]:
    """nginx with the shipped file before these processes; the port at which it answers."""
    nginx, port = tool("nginx"), free_port()
    certificate, key = self_signed(folder, "casino.example")
    site = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    (one,) = (line for line in site.splitlines() if "server 127.0.0.1:8700 " in line)
    changes = {
        one: "\n".join(one.replace("8700", str(each)) for each in processes),
        "/etc/ssl/certs/croupier.pem": str(certificate),
        "/etc/ssl/private/croupier.key": str(key),
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen [::]:80;": "",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{port} ssl;",
        "listen [::]:443 ssl http2;": "",
    }
    for old, new in changes.items():
        assert old in site, old
        site = site.replace(old, new)
    around = f"daemon off; pid {folder}/pid; error_log {folder}/errors; events {{}}"
    (folder / "nginx.conf").write_text(f"{around} http {{ access_log off; {site} }}", encoding="utf-8")
    with subprocess.Popen([nginx, "-c", folder / "nginx.conf", "-p", folder]) as running:
        try:
            listens(port)
            yield port
        finally:
            running.terminate()


def listens(port: int) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.02)
    pytest.fail("nginx does not answer")


def opened(port: int, lines: ExitStack) -> bytes:
    """The first line of the answer to somebody who wants a line, which stays open."""
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    line = lines.enter_context(trusting.wrap_socket(socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS)))
    line.sendall(ASKS)
    return line.recv(4096).partition(b"\r\n")[0]


def test_a_process_that_comes_back_is_given_every_line_at_once(tmp_path: Path) -> None:
    first, second = free_port(), free_port()
    with ExitStack() as lines, proxy(tmp_path, (first, second)) as port:
        with process(first, lines) as held:
            # The second is away: nginx notices that, and gives all to the first.
            assert {opened(port, lines) for _ in range(LINES)} == {b"HTTP/1.1 101 Switching Protocols"}
            assert len(held) == LINES
        with process(second, lines) as held:
            # Now the first is away.  That the second was is no reason to keep anybody out.
            assert {opened(port, lines) for _ in range(LINES)} == {b"HTTP/1.1 101 Switching Protocols"}
            assert len(held) == LINES
