"""The lines into the house: how many there may be, and how long one may take to say what it wants.

Theory of operation.  Every connection passes a `Gate`, which counts them in all and for each address; one too many is
told so in a few bytes and closed.  A connection has a few seconds for the head of a request and some more for its body;
whoever sends them drop by drop is cut off.  What a page sends on an open line is one message of bounded size, in UTF-8.
So an outsider can hold a known number of files of this process and no more, and the process raises its limit of files
at the start and keeps some of them back for itself.

All lines share one thread, so that what costs more to read than to send is bounded too.  A few hundred kilobytes can
come at once, and hold tens of thousands of headers, of chunks of one byte, or of pings, each of which takes its time
and is answered: they are read a piece at a time, and after each piece it is seen whether that was too many.

What is turned away is told in the log, but not once for each: the first, and then how many since.
"""

from __future__ import annotations

import asyncio
import logging
import resource
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

log = logging.getLogger(__name__)
_FAULTS: Final = logging.getLogger("uvicorn.error.http")
_FAULTS.setLevel(logging.ERROR)

HEAD_SECONDS: Final = 5.0
BODY_SECONDS: Final = 15.0
LARGEST_FRAME: Final = 1 << 16
PIECE: Final = 1 << 12
"""Bytes that are read before anything is looked at again."""
LARGEST_HEAD: Final = 1 << 14
MOST_HEADERS: Final = 100
MOST_CHUNKS: Final = 256
"""Chunks of one body, which has 32 KB at most."""
MOST_PARTS: Final = 64
"""Frames of one message."""
MOST_PINGS: Final = 60
"""Pings and pongs of a line within a minute; a page is asked for three pongs, and sends no ping."""
PINGS_SECONDS: Final = 60.0
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
    not_http: LinesTold = field(
        default_factory=lambda: LinesTold("requests were refused: they are no HTTP, or have too many parts")
    )
    restless: LinesTold = field(default_factory=lambda: LinesTold("lines were closed: they sent too many pings"))

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


def _pieces(data: bytes) -> Iterator[bytes]:
    return (data[start : start + PIECE] for start in range(0, len(data), PIECE))


def protocols(gate: Gate) -> dict[str, Any]:
    """What the server is to speak on its connections, so that they pass the gate; for `uvicorn.Config`."""

    class Http(GatedHttp):
        passed = gate

    class Line(GatedLine):
        passed = gate

    return {"http": Http, "ws": Line, "ws_max_size": LARGEST_FRAME, "ws_per_message_deflate": False}


class FewParts(h11.Connection):
    """HTTP of one connection, whose heads and bodies have no more parts than anybody needs."""

    chunks: int = 0

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        event = super().next_event()
        if isinstance(event, h11.Request):
            self.chunks = 0
            if len(event.headers) > MOST_HEADERS:
                raise h11.RemoteProtocolError("a request has fewer headers here")
        elif isinstance(event, h11.Data) and event.chunk_start:
            self.chunks += 1
            if self.chunks > MOST_CHUNKS:
                raise h11.RemoteProtocolError("a body has fewer chunks here")
        return event


class GatedHttp(H11Protocol):
    """HTTP on a connection that passed the gate, with a time for each part of a request."""

    passed: Gate
    came_from: str | None = None
    waiting_for: object = None
    deadline: asyncio.TimerHandle | None = None

    def __init__(self, *told: Any, **named: Any) -> None:
        super().__init__(*told, **named)
        self.conn = FewParts(h11.SERVER, LARGEST_HEAD)
        # It warns once for each request that is none; how many there were is told at times, below.
        self.logger = _FAULTS

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
        for piece in _pieces(data):
            # It may have been closed meanwhile, or have become a line, on which nobody speaks before it is open.
            if self.came_from is None or self.transport.is_closing():
                return
            super().data_received(piece)
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
        self.passed.not_http.again(self.came_from or "")
        if self.cycle is not None:
            # What the application answers to the first half of it is nobody's any more.
            self.cycle.disconnected = True
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
    pings: int = 0
    pings_since: float = 0.0

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.came_from is not None:
            self.passed.leave(self.came_from)
            self.came_from = None

    def data_received(self, data: bytes) -> None:
        for piece in _pieces(data):
            if self.transport.is_closing():
                return
            super().data_received(piece)

    async def send(self, message: Any) -> None:
        try:
            await super().send(message)
        except RuntimeError:
            # The line was closed for what came on it, while something was on its way to the page.
            if self.transport.is_closing():
                raise ClientDisconnected from None
            raise

    def handle_ping(self) -> None:
        # Nothing waits for pongs to be read, so that those who do not read them would fill the memory.
        if self._is_calm():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._is_calm():
            super().handle_pong(event)

    def _is_calm(self) -> bool:
        """Whether this line pings no more than it may; one that does is closed."""
        if self.transport.is_closing():
            return False
        now = self.loop.time()
        if now >= self.pings_since + PINGS_SECONDS:
            self.pings, self.pings_since = 0, now
        self.pings += 1
        if self.pings <= MOST_PINGS:
            return True
        self.passed.restless.again(self.came_from or "")
        self._refuse(1008, "a line pings less often here")
        return False

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
