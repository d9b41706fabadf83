"""Other processes of the same house: a request for a journal that another process keeps is passed on to it.

Theory of operation.  Processes share a PostgreSQL database and the secret beside the key.  The lease of a journal tells
at which address its keeper answers; the process that was asked opens a line there, shows that it knows the secret, and
passes requests on, each under its command id.  The answer is durable when it comes back.  A request is passed on once:
whoever receives it keeps the journal, or says no.

If the line is lost before an answer came, nobody knows whether the request was carried out: the asker is told to ask
again with the same id, and then finds the answer in the store or has it decided anew, perhaps by a new keeper.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from itsdangerous import BadData, URLSafeTimedSerializer
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from croupier.floor.keeper import Keeper, Stopped
from croupier.floor.wire import Answer

PATH: Final = "/api/peers"
SECONDS_TO_CONNECT: Final = 5.0
SECONDS_TO_ANSWER: Final = 15.0
SECONDS_OF_A_GREETING: Final = 60
LARGEST: Final = 1 << 20


class PassedOn(msgspec.Struct, frozen=True):
    """A request for a journal, as JSON of its own kind."""

    id: str
    journal: str
    request: msgspec.Raw


class PassedBack(msgspec.Struct, frozen=True):
    """What became of it; without an answer, the reason why not."""

    id: str
    answer: Answer | None = None
    reason: str = ""


_ON = msgspec.json.Decoder(PassedOn)
_BACK = msgspec.json.Decoder(PassedBack)


@dataclass(eq=False, slots=True)
class Line:
    """An open line to another process, and who waits for an answer from it."""

    socket: ClientConnection
    waiting: dict[str, asyncio.Future[PassedBack]] = field(default_factory=dict)
    hearing: asyncio.Task[None] | None = None

    async def hear(self) -> None:
        with suppress(WebSocketException):
            async for text in self.socket:
                back = _BACK.decode(text)
                if (asked := self.waiting.get(back.id)) is not None and not asked.done():
                    asked.set_result(back)
        for asked in self.waiting.values():
            if not asked.done():
                asked.set_result(PassedBack("", reason="the line to it was lost"))


@dataclass(eq=False, slots=True)
class Peers:
    """The lines of this process to the others."""

    secret: bytes = field(repr=False)
    lines: dict[str, Line] = field(default_factory=dict)
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def pass_on(self, address: str, journal: str, command_id: str, request: Any) -> Answer:
        """The answer of the process at an address."""
        if not address:
            raise Stopped(f"{journal} is run by a process that does not say where: ask again")
        try:
            line = await self._line(address)
            asked: asyncio.Future[PassedBack] = asyncio.get_running_loop().create_future()
            line.waiting[command_id] = asked
            try:
                passed = PassedOn(command_id, journal, msgspec.Raw(msgspec.json.encode(request)))
                await line.socket.send(msgspec.json.encode(passed).decode())
                back = await asyncio.wait_for(asked, SECONDS_TO_ANSWER)
            finally:
                line.waiting.pop(command_id, None)
        except (OSError, WebSocketException, TimeoutError) as error:
            why = str(error) or "it does not answer"
            raise Stopped(
                f"{journal} is run at {address}, and that process cannot be asked: {why}; ask again"
            ) from error
        if back.answer is None:
            raise Stopped(f"{journal} is run at {address}: {back.reason}: ask again")
        return back.answer

    async def _line(self, address: str) -> Line:
        async with self.opening:
            line = self.lines.get(address)
            if line is None or line.hearing is None or line.hearing.done():
                opened = connect(f"ws{address.removeprefix('http')}{PATH}", open_timeout=SECONDS_TO_CONNECT)
                line = Line(await opened)
                await line.socket.send(greeting(self.secret))
                line.hearing = asyncio.create_task(line.hear(), name=f"peer at {address}")
                self.lines[address] = line
            return line

    async def close(self) -> None:
        for line in self.lines.values():
            await line.socket.close()
            if line.hearing is not None:
                await line.hearing
        self.lines.clear()


def greeting(secret: bytes) -> str:
    """What a process says first: proof that it knows the secret, good for a minute."""
    return URLSafeTimedSerializer(secret, salt="peer").dumps("peer")


def knows(secret: bytes, text: str) -> bool:
    try:
        return bool(URLSafeTimedSerializer(secret, salt="peer").loads(text, max_age=SECONDS_OF_A_GREETING) == "peer")
    except BadData:
        return False


# ---------------------------------------------------------------- being asked

Find = Callable[[str], Keeper[Any] | None]


def listen(app: FastAPI, secret: bytes, find: Find) -> None:
    """Answer other processes; `find` gives the keeper of a journal."""

    @app.websocket(PATH)
    async def peers(socket: WebSocket) -> None:
        await socket.accept()
        running: set[asyncio.Task[None]] = set()
        with suppress(WebSocketDisconnect):
            if not knows(secret, await socket.receive_text()):
                await socket.close(1008)
                return
            while True:
                task = asyncio.create_task(_answered(socket, find, await socket.receive_text()))
                running.add(task)
                task.add_done_callback(running.discard)


async def _answered(socket: WebSocket, find: Find, text: str) -> None:
    passed = _ON.decode(text)
    keeper = find(passed.journal)
    if keeper is None:
        back = PassedBack(passed.id, reason=f"no journal {passed.journal!r:.40} here")
    else:
        try:
            request = msgspec.json.decode(passed.request, type=keeper.kind.request)
            back = PassedBack(passed.id, await keeper.ask(passed.id, request, passed_on=True))
        except (Stopped, msgspec.MsgspecError) as error:
            back = PassedBack(passed.id, reason=str(error))
    with suppress(RuntimeError, WebSocketDisconnect):  # the other process may be gone
        await socket.send_text(msgspec.json.encode(back).decode())


def follow_news(keepers: Callable[[], Iterable[Keeper[Any]]]) -> Callable[[str, int], None]:
    """What hears the store's news, in another thread: the keeper of that journal reads on, if another one writes it."""
    loop = asyncio.get_running_loop()
    reading: set[asyncio.Task[None]] = set()

    def read_on(journal: str) -> None:
        for keeper in keepers():
            if keeper.name == journal and not keeper.owned:
                task = asyncio.create_task(keeper.follow())
                reading.add(task)
                task.add_done_callback(reading.discard)

    def hear(journal: str, _last: int) -> None:
        with suppress(RuntimeError):  # the loop may have ended
            loop.call_soon_threadsafe(read_on, journal)

    return hear
