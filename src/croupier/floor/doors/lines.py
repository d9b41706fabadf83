"""The lines into the house: how many there may be, and how long one may take to say what it wants.

Theory of operation.  Every connection passes a `Gate`, which counts them in all and for each address; one too many is
told so in a few bytes and closed.  A connection has a few seconds for the head of a request and some more for its body;
whoever sends them drop by drop is cut off.  What a page sends on an open line is one message of bounded size, in UTF-8.
So an outsider can hold a known number of files of this process and no more, and the process raises its limit of files
at the start and keeps some of them back for itself.

What is turned away is told in the log, but not once for each: the first, and then how many since.
"""

from __future__ import annotations

import asyncio
import logging
import resource
import time
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

log = logging.getLogger(__name__)

HEAD_SECONDS: Final = 5.0
BODY_SECONDS: Final = 15.0
LARGEST_FRAME: Final = 1 << 16
MOST_PARTS: Final = 64
"""Frames of one message."""
KEPT_BACK: Final = 256
"""Files that the process keeps for itself: its database, its witnesses, its workers, its pages."""
TOLD_EVERY_SECONDS: Final = 10.0
NETWORK_BITS: Final = 64
"""Of an IPv6 address, whoever has one has all that share these."""
FULL: Final = b'{"reason":"too many connections: try again in a moment"}'
TURNED_AWAY: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 5\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(FULL), FULL)
)


def raise_file_limit() -> int:
    """As many files as the system lets this process have; answers with that."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def neighbourhood(address: str) -> str:
    """The address as it is counted."""
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if isinstance(known, IPv6Address) and known.ipv4_mapped is None:
        return str(IPv6Address(int(known) >> NETWORK_BITS << NETWORK_BITS))
    return address


@dataclass(slots=True)
class LinesTold:
    """Says in the log that something was turned away: the first time, and then at times how often since."""

    what: str
    clock: Callable[[], float] = time.monotonic
    count: int = 0
    until: float = 0.0

    def again(self, address: str) -> None:
        self.count += 1
        if self.clock() >= self.until:
            log.warning("%s", self.what, extra={"address": address, "count": self.count})
            self.count, self.until = 0, self.clock() + TOLD_EVERY_SECONDS


@dataclass(slots=True)
class Gate:
    """The connections that are open, in all and by address; those of a named proxy are its own to limit."""

    most: int
    most_each: int
    proxies: Collection[str] = ()
    head_seconds: float = HEAD_SECONDS
    body_seconds: float = BODY_SECONDS
    open: Counter[str] = field(default_factory=Counter)
    total: int = 0
    turned_away: LinesTold = field(
        default_factory=lambda: LinesTold("connections were turned away: there are too many")
    )
    cut_off: LinesTold = field(
        default_factory=lambda: LinesTold("connections were cut off: they did not say what they want")
    )

    def enter(self, address: str) -> bool:
        """Whether one more connection from there may come in; it is counted if it may."""
        here = neighbourhood(address)
        if self.total >= self.most or (self.open[here] >= self.most_each and address not in self.proxies):
            self.turned_away.again(address)
            return False
        self.open[here] += 1
        self.total += 1
        return True

    def leave(self, address: str) -> None:
        here = neighbourhood(address)
        self.total -= 1
        self.open[here] -= 1
        if not self.open[here]:
            del self.open[here]


def gate_for(lines: int, lines_each: int, proxies: Collection[str] = ()) -> Gate:
    """The gate of a process: so many lines as it was told, if it can have the files for them."""
    return Gate(max(1, min(lines, raise_file_limit() - KEPT_BACK)), lines_each, frozenset(proxies))


def protocols(gate: Gate) -> dict[str, Any]:
    """What the server is to speak on its connections, so that they pass the gate; for `uvicorn.Config`."""

    class Http(GatedHttp):
        passed = gate

    class Line(GatedLine):
        passed = gate

    return {"http": Http, "ws": Line, "ws_max_size": LARGEST_FRAME, "ws_per_message_deflate": False}


class GatedHttp(H11Protocol):
    """HTTP on a connection that passed the gate, with a time for each part of a request."""

    passed: Gate
    came_from: str | None = None
    waiting_for: object = None
    deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if not self.passed.enter(address):
            transport.write(TURNED_AWAY)
            transport.close()
            return
        self.came_from = address
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._wait_no_more()
        if self.came_from is not None:
            self.passed.leave(self.came_from)
            self.came_from = None

    def data_received(self, data: bytes) -> None:
        if self.came_from is None:
            return
        super().data_received(data)
        self._wait()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        # From here on the line is another protocol's, and so is its place.
        self._wait_no_more()
        address, self.came_from = self.came_from, None
        super().handle_websocket_upgrade(event)
        line = self.transport.get_protocol()
        if address is not None and isinstance(line, GatedLine):
            line.came_from = address

    def send_400_response(self, msg: str) -> None:
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:  # an answer is on its way already
            self.transport.close()

    def _wait(self) -> None:
        """Begin to wait for the part of a request that is due, unless that is being waited for."""
        state = self.conn.their_state
        if self.came_from is None or state not in (h11.IDLE, h11.SEND_BODY):
            self._wait_no_more()
        elif self.waiting_for is not state:
            self._wait_no_more()
            seconds = self.passed.head_seconds if state is h11.IDLE else self.passed.body_seconds
            self.waiting_for, self.deadline = state, self.loop.call_later(seconds, self._late)

    def _wait_no_more(self) -> None:
        self.waiting_for = None
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def _late(self) -> None:
        if not self.transport.is_closing():
            self.passed.cut_off.again(self.came_from or "")
            self.transport.abort()


class GatedLine(WebSocketsSansIOProtocol):
    """A line of a page; its place at the gate is free again when it ends."""

    passed: Gate
    came_from: str | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.came_from is not None:
            self.passed.leave(self.came_from)
            self.came_from = None

    def handle_events(self) -> None:
        super().handle_events()
        if len(self.frames) > MOST_PARTS:
            self._refuse(1009, "a message has fewer parts here")

    def send_receive_event_to_app(self) -> None:
        try:
            if self.curr_msg_data_type == "text":
                b"".join(self.frames).decode()
        except UnicodeDecodeError:
            self._refuse(1007, "a message is UTF-8")
            return
        super().send_receive_event_to_app()

    def _refuse(self, code: int, reason: str) -> None:
        self.frames = []
        if not self.close_sent and not self.transport.is_closing():
            self.conn.fail(code, reason)
            self.handle_parser_exception()
