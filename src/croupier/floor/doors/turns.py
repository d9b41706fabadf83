"""Whose turn it is to be read: one piece of what strangers sent in each turn of the loop, one address after another.

Theory of operation.  All lines share one thread.  What comes is not read as it comes, because hundreds of strangers can
send at the same moment, and a command of a player would wait for all of them.  Each connection with something to read
stands in the queue of its address; in each turn of the loop the next address has one piece of one of its connections
read.  So a command, which takes a few turns, waits for a few pieces, however many strangers there are; and who asks
from an address of its own waits for one piece of each other address, however many connections those have.

While a command is in hand (`busy`), or has just come on a line that is known, strangers have one piece in ten
milliseconds: a request is answered after it was read, and some of them take longer than a command does.

A line whose page has shown a good ticket is known (`known`): it does not stand in the queue, and is read a piece in a
turn.  A connection is not read from while it waits, so that what it holds here is what came at once, which the buffer
of its socket bounds (`RECEIVED`).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any, Final

PIECE: Final = 1 << 9
"""Bytes that are read before anybody else has a turn: some eighty of the smallest chunks or pings."""
RECEIVED: Final = 1 << 15
"""Bytes that the system is asked to keep for a connection until they are read; it keeps up to twice as many."""
SENT: Final = 1 << 17
"""The same of what is to be sent."""
HELD_SECONDS: Final = 0.01
KNOWN: Final = "croupier.known"
LINE: Final = "croupier.line"
"""Under which the scope of a line has the line itself (`outbox.OpenLine`)."""


def known(scope: MutableMapping[str, Any]) -> None:
    """From now on this line is one of somebody who has shown who they are."""
    scope[KNOWN] = True


def nothing_in_hand() -> bool:
    return False


@dataclass(slots=True)
class Turns:
    """The addresses that have something to be read, each with what is to be called for it, in their order."""

    busy: Callable[[], bool] = nothing_in_hand
    held_seconds: float = HELD_SECONDS
    held_until: float = 0.0
    waiting: OrderedDict[str, deque[Callable[[], None]]] = field(default_factory=OrderedDict)
    called: bool = False

    def ask(self, address: str, read: Callable[[], None]) -> None:
        """Call `read` when it is the turn of this address, and of this one there."""
        self.waiting.setdefault(address, deque()).append(read)
        self._call()

    def hold(self) -> None:
        """Somebody who is known has said something."""
        self.held_until = asyncio.get_running_loop().time() + self.held_seconds

    def _call(self) -> None:
        if not self.called and self.waiting:
            self.called, loop = True, asyncio.get_running_loop()
            if loop.time() < self.held_until or self.busy():
                loop.call_later(self.held_seconds, self._next)
            else:
                loop.call_soon(self._next)

    def _next(self) -> None:
        self.called = False
        address, queue = self.waiting.popitem(last=False)
        read = queue.popleft()
        if queue:
            self.waiting[address] = queue
        read()
        self._call()


class ReadInTurn(asyncio.Protocol):
    """A connection of which a piece is read at a time; mixed into the protocol that reads it."""

    transport: asyncio.Transport
    unread: bytes = b""
    stands: bool = False
    """Whether it waits for its turn."""

    # What is different for a request and for a line.

    def in_turns(self) -> tuple[Turns, str]:
        """Where to stand, and under which address; under none if it is known."""
        raise NotImplementedError

    def is_read(self) -> bool:
        """Whether anything is to be read from it, as far as its protocol is concerned."""
        raise NotImplementedError

    def read_piece(self, piece: bytes) -> bool:
        """Read a piece; whether this is still the one to read the next."""
        raise NotImplementedError

    # What is the same.

    def data_received(self, data: bytes) -> None:
        self.unread += data
        if self.stands:
            self.transport.pause_reading()
            return
        turns, address = self.in_turns()
        if address:
            self._stand()
        else:
            turns.hold()
            self._read_on()

    def _stand(self) -> None:
        self.stands = True
        turns, address = self.in_turns()
        if address:
            turns.ask(address, self._read_on)
        else:
            asyncio.get_running_loop().call_soon(self._read_on)

    def _read_on(self) -> None:
        self.stands = False
        if self.transport.is_closing():
            self.unread = b""
            return
        piece, self.unread = self.unread[:PIECE], self.unread[PIECE:]
        mine = self.read_piece(piece)
        if self.transport.is_closing():
            self.unread = b""
        elif mine and self.unread:
            self.transport.pause_reading()
            self._stand()
        elif not mine or self.is_read():
            self.transport.resume_reading()
