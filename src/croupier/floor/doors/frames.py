"""The frames of a line: those of this side are written here, and a whole text of the other side is read here.

Theory of operation.  A frame of this side is its length and its text, and nothing of the protocol's state goes with it:
`Frame.serialize` of `websockets` is the slow way to the same bytes.

What a page says is nearly always one text in one frame that came in one piece, and the library takes longer to read it
than it takes to decide it: a generator for each part, then a frame, an event, a queue.  `FrameEnds` follows where
frames end in all that comes, so that it is known when the library stands between two of them; then such a piece can be
read without it, and `whole_text` gives what `Frame.parse` would.  Whatever else comes is the library's: parts of a
message, pings, the end, bytes that are no text, and every frame that came in two pieces.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Final

try:
    from websockets.speedups import apply_mask
except ImportError:
    from websockets.utils import apply_mask

WHOLE_TEXT: Final = 0x81
MASKED: Final = 0x80
MASK_BYTES: Final = 4
LOST: Final = -1
"""Owed where a head came in two pieces: nobody counts on from there."""


def text_frame(text: bytes) -> bytes:
    """A text as one frame of a server: that it is a whole text, its length in one, two or eight bytes, and the text."""
    size = len(text)
    if size < 126:
        return bytes((WHOLE_TEXT, size)) + text
    if size < 1 << 16:
        return bytes((WHOLE_TEXT, 126, size >> 8, size & 0xFF)) + text
    return bytes((WHOLE_TEXT, 127)) + size.to_bytes(8, "big") + text


def frame_parts(data: bytes, at: int) -> tuple[int, int]:
    """Where the payload of the frame that begins there begins and ends; `LOST` where its head has not come whole."""
    if len(data) < at + 2:
        return LOST, LOST
    size, begins = data[at + 1] & ~MASKED, at + 2
    if size > 125:
        begins += 2 if size == 126 else 8
        if len(data) < begins:
            return LOST, LOST
        size = int.from_bytes(data[at + 2 : begins], "big")
    begins += MASK_BYTES if data[at + 1] & MASKED else 0
    return begins, begins + size


def whole_text(piece: bytes) -> str | None:
    """The text, if this is one frame of a page and nothing else: a whole, masked text in UTF-8."""
    begins, ends = frame_parts(piece, 0)
    if ends != len(piece) or piece[0] != WHOLE_TEXT or not piece[1] & MASKED:
        return None
    try:
        return apply_mask(piece[begins:], piece[begins - MASK_BYTES : begins]).decode()
    except UnicodeDecodeError:
        return None


@dataclass(slots=True)
class FrameEnds:
    """How many bytes of the last frame are still `owed`: none, between two frames."""

    owed: int = 0

    def passed(self, piece: bytes) -> None:
        """This piece has come."""
        at = self.owed
        while LOST < at < len(piece):
            at = frame_parts(piece, at)[1]
        self.owed = at - len(piece) if at > LOST else LOST


@dataclass(slots=True)
class Inbox:
    """What has come on a line for the one who listens there: as much of an `asyncio.Queue` as that takes."""

    waiting: deque[Any] = field(default_factory=deque)
    listener: asyncio.Future[None] | None = None
    held: bool = False
    """Whether what came before is still in hand: nothing is told before that is answered."""

    @property
    def listened(self) -> bool:
        """Whether somebody waits, and nothing waits for them."""
        return self.listener is not None and not self.waiting and not self.held

    def go_on(self) -> None:
        """What was in hand is answered."""
        self.held = False
        if self.waiting:
            self._wake()

    def empty(self) -> bool:
        return not self.waiting

    def put_nowait(self, message: Any) -> None:
        self.waiting.append(message)
        if not self.held:
            self._wake()

    def _wake(self) -> None:
        if self.listener is not None and not self.listener.done():
            self.listener.set_result(None)

    async def get(self) -> Any:
        while not self.waiting:
            self.listener = asyncio.get_running_loop().create_future()
            try:
                await self.listener
            finally:
                self.listener = None
        return self.waiting.popleft()
