"""The client and its bridges against whoever answers in place of a house: nothing of it is believed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from croupier.client.asking import Client
from croupier.client.bridge import LONGEST, acceptor, framed, unframed
from croupier.client.calls import HouseRefused, device_enter


@contextmanager
def liar(status: int, body: bytes) -> Iterator[str]:
    """The address of a server that answers everything alike."""

    class Lies(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nobody wants to know."""

    with HTTPServer(("127.0.0.1", 0), Lies) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"[" * 10_000, b'{"done":"yes"}', b"\xff\xfe"])
def test_an_answer_that_is_none_is_a_refusal_and_a_device_says_it_again(body: bytes) -> None:
    """A note that may be in the books must not be given back: the bridge does not say that the house refused it."""
    with liar(200, body) as address, Client(address, patience=0.0) as house:
        with pytest.raises(HouseRefused, match="is no house"):
            house.ask(device_enter("0" * 64))
        bridge = acceptor(house, "0" * 64)
        bridge.answer(framed("HELLO 5eed"))
        assert unframed(bridge.answer(framed("1 2000"))) == "WHAT"


@pytest.mark.parametrize(("status", "told"), [(503, "WHAT"), (500, "WHAT"), (429, "WHAT"), (403, "NO 1 ")])
def test_a_note_is_refused_only_by_a_house_that_says_so(status: int, told: str) -> None:
    reason = b"one\nOK 1*1D\n" + b"long " * 100
    with liar(status, reason) as address, Client(address, patience=0.0) as house:
        bridge = acceptor(house, "0" * 64)
        bridge.answer(framed("HELLO 5eed"))
        answer = bridge.answer(framed("1 2000"))
        assert (unframed(answer) or "").startswith(told)
        # One line, which the device can read, whatever the reason is.
        assert answer.count(b"\n") == 1
        assert len(answer) <= LONGEST
