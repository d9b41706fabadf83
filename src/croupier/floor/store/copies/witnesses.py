"""Witnesses: copies of signed heads outside the database, so that whoever can change that cannot change all.

Theory of operation.  Each head goes to a file beside the key, durable before anybody is told what it was signed for,
and, where the house has named one, to a witness elsewhere: a file on another volume, as durable, or an address that
takes heads by POST and gives all that it took by GET, one a line.  An address that does not answer holds up nobody: its
heads wait, and are sent when it does.  Whoever answers there may be anybody: what is no HTTP is no answer, and neither
the time nor the memory of this house is theirs (`asked_outside`).

A witness may also hold what two people accepted, signed by a key of the house: that the lines of a table after some
line are lost.  Heads that were signed before that and speak of lost lines count no more.
"""

from __future__ import annotations

import contextlib
import http.client
import logging
import os
import queue
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec

from croupier.floor.store.heads import BadKey, Head, Key, add_durably, is_genuine, is_signed, sync_folder

log = logging.getLogger(__name__)


class NowhereElse(urllib.request.HTTPRedirectHandler):
    """Nobody is sent on: what was posted would be asked for elsewhere, without what it said, and seem to be taken.

    Whoever took an address over could make this house ask its own network, too.
    """

    def redirect_request(self, *_: Any) -> None:
        return None


SECONDS: Final = 5.0
READING_SECONDS: Final = 60.0
"""How long a start, or `verify`, waits for all heads of an address, however steadily they come."""
LARGEST_WITNESS: Final = 1 << 28
PIECE: Final = 1 << 16
MOST_WAITING: Final = 100_000
SCHEMES: Final = ("http:", "https:")


@contextlib.contextmanager
def _hurried(seconds: float) -> Iterator[urllib.request.OpenerDirector]:
    """What asks at the address that was named and nowhere else, and is cut off when its time is over."""
    copies: list[socket.socket] = []
    over = threading.Event()

    def cut() -> None:
        over.set()
        for each in copies:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    class Plain(http.client.HTTPConnection):
        def connect(self) -> None:
            super().connect()
            copies.append(self.sock.dup())

    class Secure(http.client.HTTPSConnection, Plain):
        """Its socket is copied before the first word of TLS."""

    class Handler(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
        def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
            return self.do_open(Plain, req)

        def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
            return self.do_open(Secure, req)

    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield urllib.request.build_opener(NowhereElse, Handler)
    except http.client.HTTPException as error:
        raise OSError(f"it does not answer in HTTP: {type(error).__name__}") from None
    finally:
        timer.cancel()
        for each in copies:
            each.close()
    if over.is_set():
        raise TimeoutError("its answer does not end")


def asked_outside(
    what: str | urllib.request.Request,
    *,
    seconds: float,
    in_all: float,
    largest: int,
    enough: Callable[[bytes], bool] = lambda _: False,
) -> bytes:
    """What an address answers, until that is `enough` or ends: an OSError or a ValueError if it is no answer.

    `seconds` are for each word of it, `in_all` for everything.
    """
    with _hurried(in_all) as opener, opener.open(what, timeout=seconds) as answer:
        said = bytearray()
        while (piece := answer.read1(PIECE)) and not enough(said := said + piece):
            if len(said) > largest:
                raise OSError("its answer is too long")
        return bytes(said)


class Accepted(msgspec.Struct, frozen=True, tag="accepted", forbid_unknown_fields=True):
    """Two people accepted that a table goes on from line `number`: what was signed after it is lost."""

    table: str
    number: int
    at_ms: int
    by: str
    second: str
    key: bytes
    signature: bytes = b""


def accepted_text(accepted: Accepted) -> bytes:
    """What is signed of it."""
    fields = ("croupier loss 1", accepted.table, accepted.number, accepted.at_ms, accepted.by, accepted.second)
    return "\n".join(map(str, fields)).encode()


def accept(key: Key, accepted: Accepted) -> Accepted:
    return msgspec.structs.replace(accepted, signature=key.private.sign(accepted_text(accepted)))


# Made here and not at the first use, which may be in two threads at once: msgspec does not survive that.
_HEADS = msgspec.json.Decoder(Head)
_ACCEPTED = msgspec.json.Decoder(Accepted)


class WitnessedStore(Protocol):
    """What is asked of a store here."""

    @property
    def key(self) -> Key | None: ...
    @property
    def elsewhere(self) -> str: ...
    @property
    def trusted(self) -> frozenset[bytes]: ...


class Witness(Protocol):
    @property
    def unsent(self) -> int:
        """How much it was given and has not taken yet."""

    def bear(self, heads: Iterable[Head | Accepted]) -> None:
        """Take heads."""

    def close(self) -> None:
        """Take no more."""


def _text(heads: Iterable[Head | Accepted]) -> bytes:
    # Each begins with a line break of its own, because the power can have failed in the middle of the line before.
    return b"".join(b"\n" + msgspec.json.encode(head) for head in heads)


@dataclass(slots=True)
class FileWitness:
    """A file: lines at its end, durable when `bear` returns.

    It stays open, so that a process that can get no more files can still write what it must.
    """

    path: Path
    file: FileIO
    unsent: int = 0

    def bear(self, heads: Iterable[Head | Accepted]) -> None:
        if text := _text(heads):
            add_durably(self.file, self.path, text)

    def close(self) -> None:
        self.file.close()


@dataclass(slots=True)
class AddressWitness:
    """An address, told by a thread of its own."""

    address: str
    waiting: queue.Queue[bytes | None] = field(default_factory=lambda: queue.Queue(MOST_WAITING))
    given_up: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self._run, name="witness", daemon=True)
        self.thread.start()

    @property
    def unsent(self) -> int:
        return self.waiting.qsize()

    def bear(self, heads: Iterable[Head | Accepted]) -> None:
        try:
            if text := _text(heads):
                self.waiting.put_nowait(text)
        except queue.Full:
            log.error("the witness at %s has not answered for long: heads are not sent to it", self.address)

    def close(self) -> None:
        """Send what waits as far as that can be done in a moment; the file beside the key has it all."""
        with contextlib.suppress(queue.Full):
            self.waiting.put_nowait(None)
        self.thread.join(SECONDS)
        self.given_up.set()

    def _run(self) -> None:
        while not self.given_up.is_set() and (text := self.waiting.get()) is not None:
            wait = 1.0
            while not self._sent(text) and not self.given_up.wait(wait):
                wait = min(60.0, wait * 2)

    def _sent(self, text: bytes) -> bool:
        try:
            asked = urllib.request.Request(self.address, data=text, headers={"Content-Type": "application/x-ndjson"})
            asked_outside(asked, seconds=SECONDS, in_all=2 * SECONDS, largest=PIECE, enough=lambda _: True)
            return True
        except (OSError, ValueError) as error:
            log.warning("the witness at %s does not take heads: %s", self.address, error)
            return False


def open_witness(path: Path) -> Witness:
    """The witness in a file, which others cannot read."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        sync_folder(path.parent)
    except OSError as error:
        raise BadKey(f"{path}: the witness cannot be opened or made: {error.strerror}") from None
    return FileWitness(path, FileIO(descriptor, "ab"))


def witness_at(where: str) -> Witness:
    """The witness at an address, or in a file on another volume."""
    return AddressWitness(where) if where.startswith(SCHEMES) else open_witness(Path(where))


def told_elsewhere(where: str, trusted: Collection[bytes]) -> tuple[Head, ...]:
    """The heads that a witness elsewhere holds; one that does not answer is told in the log."""
    if not where.startswith(SCHEMES):
        return witnessed(Path(where), trusted)
    try:
        said = asked_outside(where, seconds=SECONDS, in_all=READING_SECONDS, largest=LARGEST_WITNESS)
        return heads_in(said, trusted)
    except (OSError, ValueError) as error:
        log.error("the witness at %s cannot be asked: %s", where, error)
        return ()


def furthest(store: WitnessedStore, table: str) -> int:
    """The furthest line of a table that was ever witnessed, whether or not its loss was accepted since."""
    where = [store.key.witness.read_bytes()] if store.key is not None and store.key.witness.exists() else []
    if store.elsewhere and not store.elsewhere.startswith(SCHEMES) and Path(store.elsewhere).exists():
        where.append(Path(store.elsewhere).read_bytes())
    elif store.elsewhere.startswith(SCHEMES):
        where.append(b"\n".join(map(msgspec.json.encode, told_elsewhere(store.elsewhere, store.trusted))))
    heads = (_read(line) for text in where for line in text.split(b"\n") if table.encode() in line)
    known = (each for each in heads if isinstance(each, Head) and each.table == table)
    return max((each.number for each in known if is_genuine(each, store.trusted)), default=0)


def witnessed(path: Path, trusted: Collection[bytes]) -> tuple[Head, ...]:
    """The heads in a witness file or an export, one a line."""
    return heads_in(path.read_bytes(), trusted) if path.exists() else ()


def heads_in(text: bytes, trusted: Collection[bytes]) -> tuple[Head, ...]:
    """The heads among lines, but for those of lines that were given up.

    A line that is no head is passed over: it was half written, and who could spoil it could as well have removed it.
    That lines were given up is taken from a key of the house alone, and of what was signed until then: many can add to
    a witness, and could else give up what they like, or what was given up once again.
    """
    found: list[Head] = []
    for line in text.split(b"\n"):
        read = _read(line)
        if isinstance(read, Head):
            found.append(read)
        elif read is not None and read.key in trusted:
            found = [head for head in found if not _is_given_up(head, read)]
    return tuple(found)


def _is_given_up(head: Head, lost: Accepted) -> bool:
    return head.table == lost.table and head.number > lost.number and head.at_ms <= lost.at_ms


def _read(line: bytes) -> Head | Accepted | None:
    try:
        if b'"type":"accepted"' not in line:
            return _HEADS.decode(line)
        accepted = _ACCEPTED.decode(line)
    except msgspec.DecodeError:
        return None
    genuine = is_signed(
        accepted_text(accepted), key=accepted.key, signature=accepted.signature, trusted=(accepted.key,)
    )
    return accepted if genuine else None
