"""The lines into the house: how many there may be, and how long one may take to say what it wants.

Theory of operation.  Every connection passes a `Gate`, which counts them in all and for each address; one too many is
told so in a few bytes and closed.  A connection has a few seconds for the head of a request and some more for its body;
whoever sends them drop by drop is cut off.  What a page sends on an open line is one message of bounded size, in UTF-8.
So an outsider can hold a known number of files of this process and no more, and the process raises its limit of files
at the start and keeps some of them back for itself.

All lines share one thread, so that what costs more to read than to send is bounded too.  Some ten kilobytes can come at
once, and hold thousands of headers, of chunks of one byte, or of pings, each of which takes its time and is answered:
they are read a piece at a time, in turns (`turns.py`), and after each piece it is seen whether that was too many.  An
address that is refused so again and again is turned away for some seconds (`Faults`), before anything is made for it.
Whoever does not read what they are sent for half a minute is cut off, whether the connection is open or being closed:
the system would wait for them for ever.

What a page is told is framed here and written straight to the transport, and what it says in one piece is read without
the library (`frames.py`): the way through the server's own interface takes longer than to decide a wager, and has
nothing to add.  Where a page has nothing in hand, whoever keeps the line may take it at once (`at_once`), in which case
no task is woken for it.

What is turned away is told in the log, but not once for each: the first, and then how many since.
"""

from __future__ import annotations

import asyncio
import logging
import resource
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected, get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from croupier.floor.addresses import MOST_ADDRESSES, neighbourhood
from croupier.floor.doors.frames import FrameEnds, Inbox, text_frame, whole_text
from croupier.floor.doors.turns import KNOWN, LINE, PIECE, ReadInTurn, Turns

log = logging.getLogger(__name__)
_FAULTS: Final = logging.getLogger("uvicorn.error.http")
_FAULTS.setLevel(logging.ERROR)

HEAD_SECONDS: Final = 5.0
BODY_SECONDS: Final = 15.0
LARGEST_FRAME: Final = 1 << 16
LARGEST_HEAD: Final = 1 << 14
MOST_HEADERS: Final = 100
FRAMINGS: Final = frozenset({b"content-length", b"transfer-encoding"})
MOST_CHUNKS: Final = 64
"""Chunks of one body, which has 32 KB at most."""
MOST_PARTS: Final = 64
"""Frames of one message."""
MOST_PINGS: Final = 60
"""Pings and pongs of a line within a minute; a page is asked for three pongs, and sends no ping."""
PINGS_SECONDS: Final = 60.0
MOST_FAULTS: Final = 20
FAULTS_SECONDS: Final = 10.0
"""An address whose connections were refused that often within this time is turned away until it is over."""
KEPT_BACK: Final = 256
"""Files that the process keeps for itself: its database, its witnesses, its workers, its pages."""
LOOK_SECONDS: Final = 5.0
MOST_LOOKS: Final = 6
"""A connection that did not take what it is sent, at so many looks one after another, is cut off."""
TOLD_EVERY_SECONDS: Final = 10.0
NOWHERE: Final = "nowhere"
"""What a connection without an address, as one of this machine may be, is counted under."""
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


@dataclass(slots=True)
class TurnedAwayLog:
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
class Faults:
    """How often the connections of an address were refused for what came on them; one number for each, for a while."""

    clock: Callable[[], float] = time.monotonic
    by_address: dict[str, tuple[int, float]] = field(default_factory=dict)

    def again(self, here: str) -> None:
        count, since = self.by_address.pop(here, (0, 0.0))
        if self.clock() >= since + FAULTS_SECONDS:
            count, since = 0, self.clock()
        self.by_address[here] = (count + 1, since)
        if len(self.by_address) > MOST_ADDRESSES:
            del self.by_address[next(iter(self.by_address))]

    def too_many(self, here: str) -> bool:
        count, since = self.by_address.get(here, (0, 0.0))
        return count >= MOST_FAULTS and self.clock() < since + FAULTS_SECONDS


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
    turned_away: TurnedAwayLog = field(
        default_factory=lambda: TurnedAwayLog("connections were turned away: there are too many")
    )
    cut_off: TurnedAwayLog = field(
        default_factory=lambda: TurnedAwayLog("connections were cut off: they did not say what they want")
    )
    not_http: TurnedAwayLog = field(
        default_factory=lambda: TurnedAwayLog("requests were refused: they are no HTTP, or have too many parts")
    )
    restless: TurnedAwayLog = field(
        default_factory=lambda: TurnedAwayLog("lines were closed: they sent too many pings")
    )
    shut_out: TurnedAwayLog = field(
        default_factory=lambda: TurnedAwayLog("connections were turned away: others from there were refused too often")
    )
    unread: TurnedAwayLog = field(
        default_factory=lambda: TurnedAwayLog("connections were cut off: they did not read what they were sent")
    )
    faults: Faults = field(default_factory=Faults)
    turns: Turns = field(default_factory=Turns)
    looks: dict[asyncio.Transport, int] = field(default_factory=dict)
    """The connections, and at how many looks each had something to be sent."""
    looking: asyncio.TimerHandle | None = None

    def watch(self, transport: asyncio.Transport) -> None:
        """Look at a connection now and then: one that is not read from would stay for ever, also when it is closed."""
        self.looks[transport] = 0
        if self.looking is None:
            self.looking = asyncio.get_running_loop().call_later(LOOK_SECONDS, self.look)

    def look(self) -> None:
        """Cut off those that have not taken what they are sent for too long."""
        for transport, times in tuple(self.looks.items()):
            times = times + 1 if transport.get_write_buffer_size() else 0
            self.looks[transport] = times
            if times >= MOST_LOOKS:
                self.unread.again((get_remote_addr(transport) or ("", 0))[0])
                transport.abort()
        self.looking = asyncio.get_running_loop().call_later(LOOK_SECONDS, self.look) if self.looks else None

    def enter(self, address: str) -> bool:
        """Whether one more connection from there may come in; it is counted if it may."""
        here, own = neighbourhood(address), address not in self.proxies
        if own and self.faults.too_many(here):
            self.shut_out.again(address)
            return False
        if self.total >= self.most or (self.open.get(here, 0) >= self.most_each and own):
            self.turned_away.again(address)
            return False
        self.open[here] += 1
        self.total += 1
        return True

    def refused(self, address: str | None, told: TurnedAwayLog) -> None:
        """A connection from there is refused for what came on it."""
        told.again(address or "")
        if address is not None:
            self.faults.again(neighbourhood(address))

    def leave(self, address: str, transport: asyncio.Transport | None = None) -> None:
        if transport is not None:
            self.looks.pop(transport, None)
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

    class Keeper(Doorkeeper):
        passed = gate
        inside = Http

    return {"http": Keeper, "ws": Line, "ws_max_size": LARGEST_FRAME, "ws_per_message_deflate": False}


class FewParts(h11.Connection):
    """HTTP of one connection, whose heads and bodies have no more parts than anybody needs."""

    chunks: int = 0

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        event = super().next_event()
        if isinstance(event, h11.Request):
            self.chunks = 0
            if len(event.headers) > MOST_HEADERS:
                raise h11.RemoteProtocolError("a request has fewer headers here")
            if {name for name, _ in event.headers} >= FRAMINGS:
                # A proxy that goes by the other one takes the end of this body for the next request, perhaps another's.
                raise h11.RemoteProtocolError("a body has its length said in one way")
        elif isinstance(event, h11.Data) and event.chunk_start:
            self.chunks += 1
            if self.chunks > MOST_CHUNKS:
                raise h11.RemoteProtocolError("a body has fewer chunks here")
        return event


class Doorkeeper(asyncio.Protocol):
    """Who meets a connection: nothing else is made for one that does not pass the gate."""

    passed: Gate
    inside: type[GatedHttp]

    def __init__(self, *told: Any, **named: Any) -> None:
        self.made_of = told, named

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        client = get_remote_addr(transport)
        address = client[0] if client else ""
        if not self.passed.enter(address):
            transport.write(TURNED_AWAY)
            transport.close()
            return
        told, named = self.made_of
        http = self.inside(*told, **named)
        transport.set_protocol(http)
        http.came_in(transport, address)


class GatedHttp(ReadInTurn, H11Protocol):
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

    def came_in(self, transport: asyncio.Transport, address: str) -> None:
        self.connection_made(transport)
        self.passed.watch(transport)
        self.came_from = address
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._wait_no_more()
        if self.came_from is not None:
            self.passed.leave(self.came_from, self.transport)
            self.came_from = None

    def eof_received(self) -> bool:  # type: ignore[override]
        """Who has said all there is to say may still wait for the answer: while it is unread, or not yet begun."""
        return self.stands or bool(self.unread) or (self.cycle is not None and not self.cycle.response_started)

    def in_turns(self) -> tuple[Turns, str]:
        return self.passed.turns, neighbourhood(self.came_from or NOWHERE)

    def is_read(self) -> bool:
        return not self.flow.read_paused

    def read_piece(self, piece: bytes) -> bool:
        H11Protocol.data_received(self, piece)
        # It may have become a line, on which nobody speaks before it is open.
        return self.came_from is not None

    def handle_events(self) -> None:
        """Called for what has come, and again after an answer for what came with that request: both are waited for."""
        super().handle_events()
        if self.timeout_keep_alive_task is None:
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
        self.passed.refused(self.came_from, self.passed.not_http)
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


def nothing_to_send() -> None:
    """Nobody sends on this line yet."""


def nothing_at_once(_text: str) -> bool:
    """Whatever is said on this line is heard by whoever listens."""
    return False


class GatedLine(ReadInTurn, WebSocketsSansIOProtocol):
    """A line of a page (an `outbox.OpenLine`); its place at the gate is free again when it ends."""

    passed: Gate
    when_room: Callable[[], None] = staticmethod(nothing_to_send)
    at_once: Callable[[str], bool] = staticmethod(nothing_at_once)
    came_from: str | None = None
    pings: int = 0
    pings_since: float = 0.0
    queue: Inbox  # type: ignore[assignment]

    def __init__(self, *told: Any, **named: Any) -> None:
        super().__init__(*told, **named)
        self.queue, self.ends = Inbox(), FrameEnds()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.came_from is not None:
            self.passed.leave(self.came_from, self.transport)
            self.came_from = None

    def data_received(self, data: bytes) -> None:
        if self.came_from is None:
            # The head of its request, which was read already.
            WebSocketsSansIOProtocol.data_received(self, data)
        elif KNOWN in self.scope and len(data) <= PIECE and not (self.unread or self.stands) and self._is_heard(data):
            # All there was to read is one piece, for which the queue is not needed.
            self.passed.turns.hold()
        else:
            super().data_received(data)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            self.scope[LINE] = self  # type: ignore[typeddict-unknown-key]

    @property
    def has_room(self) -> bool:
        return self.writable.is_set()

    def tell(self, texts: Iterable[bytes]) -> None:
        if not (self.close_sent or self.transport.is_closing()):
            self.transport.write(b"".join(map(text_frame, texts)))

    def resume_writing(self) -> None:
        super().resume_writing()
        self.when_room()

    def cut(self) -> None:
        if not self.transport.is_closing():
            self.passed.refused(self.came_from, self.passed.unread)
            self.transport.abort()

    def in_turns(self) -> tuple[Turns, str]:
        return self.passed.turns, "" if KNOWN in self.scope else neighbourhood(self.came_from or NOWHERE)

    def is_read(self) -> bool:
        return not self.read_paused

    def read_piece(self, piece: bytes) -> bool:
        if not self._is_heard(piece):
            self.ends.passed(piece)
            WebSocketsSansIOProtocol.data_received(self, piece)
        return True

    def _is_heard(self, piece: bytes) -> bool:
        """Whether this was a whole text and somebody waits for it: they have it then, as the library would tell it."""
        between = self.handshake_complete and not (self.ends.owed or self.frames or self.close_sent)
        if not between or not self.queue.listened or self.transport.is_closing():
            return False
        text = whole_text(piece)
        if text is None:
            return False
        if self.at_once(text):
            self.queue.held = True
        else:
            self.queue.put_nowait({"type": "websocket.receive", "text": text})
        return True

    def answered(self) -> None:
        self.queue.go_on()

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
        self.passed.refused(self.came_from, self.passed.restless)
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
