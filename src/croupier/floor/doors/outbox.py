"""What a page is sent: the newest view of its table, and behind it the answers to what it asked, in their order.

Theory of operation.  Whatever happens at a table is told to an `Outbox` by a call: that there is news, or an answer.
Once in a turn of the loop the outbox then asks for the view, which is nothing if its page would see no change, and
writes it and the answers to the line together.  The view comes first, so that an answer never precedes what it did.  A
line whose page is slow has no room for a while: nothing is written meanwhile, views that it missed are never made, and
the outbox is told when there is room again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from croupier.floor.wire import Sorry, ToPage, write


class OpenLine(Protocol):
    """A line as whoever sends on it knows it."""

    when_room: Callable[[], None]
    """What is called when there is room again."""

    @property
    def has_room(self) -> bool:
        """Whether its page takes what it is sent."""

    def tell(self, texts: Iterable[bytes]) -> None:
        """Write messages, one behind the other, without waiting; nothing if the line is closed."""

    def cut(self) -> None:
        """End the line at once, whatever is still to be sent on it, and count that against its address."""

    async def receive(self) -> Any:
        """What comes next, as an application is told it."""


class HeardLine(OpenLine, Protocol):
    """A line as whoever listens on it knows it."""

    at_once: Callable[[str], bool]
    """What is asked of a text that came whole while nothing is in hand: whether it is in hand now, until `answered`."""

    def answered(self) -> None:
        """What `at_once` took in hand is answered: what came meanwhile is to be heard."""


@dataclass(eq=False, slots=True)
class Outbox:
    """What one page is still to be sent.  `view` writes the view that it has not seen, if there is one."""

    line: OpenLine
    view: Callable[[], bytes | None]
    soon: Callable[[Callable[[], None]], object] | None = None
    """Who calls it when its turn has come; without one, the loop does in its next turn."""
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    waiting: deque[ToPage] = field(default_factory=deque)
    nonsense: int = 0
    called: bool = False
    ended: asyncio.Future[None] = field(init=False)
    """Done when the page was told that its line ends; or by the fault that nothing can be sent for."""

    def __post_init__(self) -> None:
        self.ended = self.loop.create_future()
        self.line.when_room = self.news

    def put(self, message: ToPage) -> None:
        self.nonsense += isinstance(message, Sorry)
        self.waiting.append(message)
        self.news()

    def news(self) -> None:
        """There is something to be seen."""
        if not self.called:
            self.called = True
            (self.soon or self.loop.call_soon)(self._send)

    def _send(self) -> None:
        self.called = False
        if self.ended.done() or not self.line.has_room:
            return
        try:
            self.line.tell(self._texts())
        except Exception as error:  # whoever keeps the line says it in the log
            if not self.ended.done():
                self.ended.set_exception(error)

    def _texts(self) -> list[bytes]:
        view = self.view()
        texts = [] if view is None else [view]
        while self.waiting and not self.ended.done():
            message = self.waiting.popleft()
            texts.append(write(message))
            if isinstance(message, Sorry) and message.end:
                self.ended.set_result(None)
        return texts
