"""Other processes of the same house: a request for a journal that another process keeps is passed on to it.

Theory of operation.  Processes share a PostgreSQL database and the secret beside the key.  The lease of a journal tells
at which address its keeper answers; the process that was asked opens a line there and passes requests on, each under
its command id.  The answer is durable when it comes back.  A request is passed on once: whoever receives it keeps the
journal, or says no.

First both show that they know the secret: the one that is asked says something by chance, the other answers with a
proof over that, over chance of its own and over both addresses, and gets such a proof back.  What was heard on one line
is of no use on another, or at another address; between machines the line is TLS (an `https` address), under a
certificate that the system or this process's own certificate vouches for.

A machine that vanished closes nothing.  So a line is asked for a sign of life every few seconds, and given up without
one; whoever waits on it is told at once.  All who want a line to one address wait for the same attempt to open it, and
an attempt at one address holds nobody up who wants another.

If the line is lost before an answer came, nobody knows whether the request was carried out: the asker is told to ask
again with the same id, and then finds the answer in the store or has it decided anew, perhaps by a new keeper.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from croupier.floor.keeping.keeper import Keeper
from croupier.floor.store.appends import BadAppend, Stopped
from croupier.floor.wire import Answer

PATH: Final = "/api/peers"
SECONDS_TO_CONNECT: Final = 5.0
SECONDS_TO_ANSWER: Final = 15.0
SECONDS_TO_CLOSE: Final = 1.0
SIGN_SECONDS: Final = 4.0
"""A line that says nothing is asked for a sign of life that often, and has as long to give it."""


class PassedOn(msgspec.Struct, frozen=True):
    """A request for a journal, as JSON of its own kind."""

    id: str
    journal: str
    request: msgspec.Raw


class PassedBack(msgspec.Struct, frozen=True):
    """What became of it; without an answer, the reason why not; `bad`: asking again would not help."""

    id: str
    answer: Answer | None = None
    reason: str = ""
    bad: bool = False


_ON = msgspec.json.Decoder(PassedOn)
_BACK = msgspec.json.Decoder(PassedBack)


@dataclass(eq=False, slots=True)
class PeerLine:
    """An open line to another process, and who waits for an answer from it."""

    socket: ClientConnection
    waiting: dict[str, asyncio.Future[PassedBack]] = field(default_factory=dict)
    hearing: asyncio.Task[None] | None = None

    async def hear(self) -> None:
        # A process that answers with something else is not asked on this line any more.
        with suppress(WebSocketException, msgspec.MsgspecError):
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
    address: str = ""
    trust: str = ""
    """The file of the certificate of this house, which others of it may answer under."""
    lines: dict[str, PeerLine] = field(default_factory=dict)
    opening: dict[str, asyncio.Task[PeerLine]] = field(default_factory=dict)

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
                async with asyncio.timeout(SECONDS_TO_ANSWER):
                    back = await asked
            finally:
                line.waiting.pop(command_id, None)
        except (OSError, WebSocketException, TimeoutError) as error:
            why = str(error) or "it does not answer"
            raise Stopped(
                f"{journal} is run at {address}, and that process cannot be asked: {why}; ask again"
            ) from error
        if back.bad:
            raise BadAppend(back.reason)
        if back.answer is None:
            raise Stopped(f"{journal} is run at {address}: {back.reason}: ask again")
        return back.answer

    async def _line(self, address: str) -> PeerLine:
        line = self.lines.get(address)
        if line is not None and line.hearing is not None and not line.hearing.done():
            return line
        if (opening := self.opening.get(address)) is None:
            opening = self.opening[address] = asyncio.create_task(self._opened(address), name=f"opening {address}")
            opening.add_done_callback(lambda done: self._was_opened(address, done))
        # Whoever waits may go away; the others wait on.
        return await asyncio.shield(opening)

    def _was_opened(self, address: str, done: asyncio.Task[PeerLine]) -> None:
        del self.opening[address]
        if not done.cancelled():
            done.exception()

    async def _opened(self, address: str) -> PeerLine:
        line = PeerLine(
            await connect(
                f"ws{address.removeprefix('http')}{PATH}",
                ssl=self._trusted() if address.startswith("https") else None,
                open_timeout=SECONDS_TO_CONNECT,
                ping_interval=SIGN_SECONDS,
                ping_timeout=SIGN_SECONDS,
                close_timeout=SECONDS_TO_CLOSE,
                # A line between processes of the house goes by no proxy.
                proxy=None,
            )
        )
        async with asyncio.timeout(SECONDS_TO_CONNECT):
            await self._greet(line, address)
        line.hearing = asyncio.create_task(line.hear(), name=f"peer at {address}")
        self.lines[address] = line
        return line

    def _trusted(self) -> ssl.SSLContext:
        trusted = ssl.create_default_context()
        if self.trust:
            trusted.load_verify_locations(self.trust)
        return trusted

    async def _greet(self, line: PeerLine, address: str) -> None:
        """Each shows the other that it knows the secret, before anything else is said."""
        try:
            challenge = msgspec.json.decode(await line.socket.recv(), type=Challenge)
            proof = answered(self.secret, challenge, asker=self.address, asked=address)
            await line.socket.send(msgspec.json.encode(proof).decode())
            back = msgspec.json.decode(await line.socket.recv(), type=Counterproof)
            known = _same(back.proof, proof_of(self.secret, "asked", proof, challenge))
        except (msgspec.MsgspecError, WebSocketException):
            known = False
        if not known:
            await line.socket.close()
            raise OSError("whoever answers there does not know the secret of this house")

    async def close(self) -> None:
        for opening in tuple(self.opening.values()):
            opening.cancel()
        for line in self.lines.values():
            await line.socket.close()
            if line.hearing is not None:
                await line.hearing
        self.lines.clear()


class Challenge(msgspec.Struct, frozen=True):
    """What the process that is asked says first: some chance, which was never said before."""

    chance: str


class PeerProof(msgspec.Struct, frozen=True):
    """What the one that asks answers: its own address and the one it means, its own chance, and the proof."""

    asker: str
    asked: str
    chance: str
    proof: str


class Counterproof(msgspec.Struct, frozen=True):
    """That the one that is asked knows the secret too."""

    proof: str


def proof_of(secret: bytes, side: str, proof: PeerProof, challenge: Challenge) -> str:
    """What only a process with the secret can say, on this line, between these two addresses."""
    said = "\n".join(("croupier peers 2", side, proof.asker, proof.asked, challenge.chance, proof.chance))
    return hmac.new(secret, said.encode(), sha256).hexdigest()


def answered(secret: bytes, challenge: Challenge, *, asker: str, asked: str) -> PeerProof:
    """The answer of a process to a challenge."""
    plain = PeerProof(asker, asked, secrets.token_hex(16), "")
    return msgspec.structs.replace(plain, proof=proof_of(secret, "asker", plain, challenge))


def is_known(secret: bytes, challenge: Challenge, proof: PeerProof, *, here: str) -> bool:
    """Whether this is another process of the house, which means to speak to this one."""
    right = proof_of(secret, "asker", proof, challenge)
    return _same(proof.proof, right) and proof.asked == here


def _same(shown: str, right: str) -> bool:
    """Whether a proof is the right one; what somebody says may be any text, of which only bytes can be compared."""
    return hmac.compare_digest(shown.encode(), right.encode())


# ---------------------------------------------------------------- being asked

Find = Callable[[str], Keeper[Any] | None]


def nobody_cares() -> None:
    """Nothing depends on who it is."""


async def answer_peer(
    socket: WebSocket, secret: bytes, find: Find, here: str = "", met: Callable[[], None] = nobody_cares
) -> None:
    """Answer another process; `find` gives the keeper of a journal, `here` is where others reach this one.

    `met` is called when the other side has shown that it knows the secret.
    """
    await socket.accept()
    running: set[asyncio.Task[None]] = set()
    # Whoever sends bytes, nonsense or nothing is no process of this house.
    with suppress(WebSocketDisconnect, KeyError, TimeoutError, msgspec.MsgspecError):
        async with asyncio.timeout(SECONDS_TO_CONNECT):
            welcome = await _met(socket, secret, here)
        if not welcome:
            await socket.close(1008)
            return
        met()
        while True:
            task = asyncio.create_task(_answered(socket, find, await socket.receive_text()))
            running.add(task)
            task.add_done_callback(running.discard)


async def _met(socket: WebSocket, secret: bytes, here: str) -> bool:
    """Whether the other side shows that it knows the secret; then this side shows it too."""
    challenge = Challenge(secrets.token_hex(16))
    await socket.send_text(msgspec.json.encode(challenge).decode())
    proof = msgspec.json.decode(await socket.receive_text(), type=PeerProof)
    if not is_known(secret, challenge, proof, here=here):
        return False
    back = Counterproof(proof_of(secret, "asked", proof, challenge))
    await socket.send_text(msgspec.json.encode(back).decode())
    return True


async def _answered(socket: WebSocket, find: Find, text: str) -> None:
    try:
        passed = _ON.decode(text)
    except msgspec.MsgspecError:
        await socket.close(1007)  # a process of another release, perhaps; it loses its line and asks again
        return
    keeper = find(passed.journal)
    if keeper is None:
        back = PassedBack(passed.id, reason=f"no journal {passed.journal!r:.40} here")
    else:
        try:
            request = msgspec.json.decode(passed.request, type=keeper.kind.request)
            back = PassedBack(passed.id, await keeper.ask(passed.id, request, passed_on=True))
        except (Stopped, BadAppend, msgspec.MsgspecError) as error:
            back = PassedBack(passed.id, reason=str(error), bad=isinstance(error, BadAppend))
    with suppress(RuntimeError, WebSocketDisconnect):  # the other process may be gone
        await socket.send_text(msgspec.json.encode(back).decode())
