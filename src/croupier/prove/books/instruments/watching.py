"""A process whose every dealing with files is seen, written down and, if so decided, made to fail.

Theory of operation.  The kernel itself asks (seccomp, user notification): a forked child installs a filter and hands
its listener to the parent; from then on each open, read, write, sync, rename, link, unlink and truncation of any of its
threads waits until the parent has looked at it and answered "go on" or an error.  So the store is watched as it is,
with the SQLite that it really runs on, and its second journal, witness and key come into the same record in their true
order.  What the child tells (a line on its standard output) is a write like any other and stands in that order too:
what was acknowledged before which sync is a fact of the record.  What it tells is taken, not written anywhere.

An SQLite file system of our own would see the database only, inside another build of SQLite; a tracer would have to be
installed.  This needs Linux 5.5 and nothing else; elsewhere `NotWatched` says so.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import platform
import select
import signal
import socket
import struct
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Final, NoReturn, TypeAlias

from croupier.floor.store.copies.backup import BadBackup
from croupier.floor.store.engines import BadStore
from croupier.floor.store.heads import BadKey

CALLS: Final[Mapping[str, tuple[int, int, Mapping[int, str]]]] = {
    "x86_64": (0xC000003E, 317, {
        0: "read", 1: "write", 2: "open", 17: "pread", 18: "pwrite", 74: "sync", 75: "sync", 77: "truncate",
        82: "rename", 86: "link", 87: "unlink", 257: "openat", 263: "unlinkat", 264: "renameat", 265: "linkat",
        316: "renameat",
    }),
    "aarch64": (0xC00000B7, 277, {
        35: "unlinkat", 37: "linkat", 38: "renameat", 46: "truncate", 56: "openat", 63: "read", 64: "write",
        67: "pread", 68: "pwrite", 82: "sync", 83: "sync", 276: "renameat",
    }),
}  # fmt: skip
"""For each kind of processor: its mark, the number of `seccomp`, and the calls that are watched."""
ALLOW, ASK = 0x7FFF0000, 0x7FC00000
NO_NEW_PRIVILEGES, SET_FILTER, NEW_LISTENER, GO_ON = 38, 1, 8, 1
RECEIVE, SEND = 0xC0502100, 0xC0182101
NOTICE, ANSWER = struct.Struct("<QIIiIQ6Q"), struct.Struct("<QqiI")
HERE = -100
"""AT_FDCWD: a name is meant from the working directory."""
REFUSED, BROKEN = 2, 1
"""How a child ends that was refused in words, or by an exception that nobody foresaw."""


class NotWatched(Exception):
    """Why no process can be watched here."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One dealing with a file: what, with which, and for a write where and what; `other` is the new name."""

    kind: str
    path: str
    offset: int = 0
    data: bytes = b""
    other: str = ""
    makes: bool = False


@dataclass(slots=True)
class Watched:
    """How a watched process ended (nothing: it had to be killed), and what it told."""

    code: int | None
    lines: list[str] = field(default_factory=list)
    errors: str = ""


Decide: TypeAlias = Callable[[Operation], int]
"""The error that an operation is to end with, or 0: it happens."""


def tell(text: str) -> None:
    """One line, told in one write."""
    os.write(1, f"{text}\n".encode())


def watched(work: Callable[[], None], folder: str, decide: Decide, *, seconds: float = 120.0) -> Watched:
    """Do the work in a child; every operation on what lies in the folder is decided on, one after the other."""
    ours, theirs = socket.socketpair()
    child = os.fork()
    if not child:
        ours.close()
        _live(work, theirs)
    theirs.close()
    with ours:
        _, listeners, _, _ = socket.recv_fds(ours, 1, 1)
    if not listeners:
        os.waitpid(child, 0)
        raise NotWatched("this kernel lets no process be watched (seccomp with user notification)")
    watch = _Watch(child, listeners[0], os.open(f"/proc/{child}/mem", os.O_RDONLY), folder, decide)
    try:
        late = watch.run(monotonic() + seconds)
        if late:
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    finally:
        os.close(watch.listener)
        os.close(watch.memory)
    watch.ended.code = None if late else os.waitstatus_to_exitcode(status)
    return watch.ended


# ---------------------------------------------------------------- the child


def _live(work: Callable[[], None], parent: socket.socket) -> NoReturn:
    try:
        listener = _listen()
        if listener < 0:
            parent.send(b"-")
            os._exit(BROKEN)
        socket.send_fds(parent, [b"+"], [listener])
        os.close(listener)
        parent.close()
        work()
    except (BadStore, BadKey, BadBackup) as error:
        tell(f"refused {error}")
        os._exit(REFUSED)
    except BaseException:
        os.write(2, traceback.format_exc().encode())
        os._exit(BROKEN)
    os._exit(0)


def _listen() -> int:
    """Install the filter; the descriptor of its listener."""
    if platform.machine() not in CALLS:
        return -1
    mark, seccomp, calls = CALLS[platform.machine()]
    load, equal, answer = 0x20, 0x15, 0x06
    steps = [(load, 0, 0, 4), (equal, 1, 0, mark), (answer, 0, 0, ALLOW), (load, 0, 0, 0)]
    steps += [(equal, len(calls) - at, 0, number) for at, number in enumerate(calls)]
    steps += [(answer, 0, 0, ALLOW), (answer, 0, 0, ASK)]
    packed = b"".join(struct.pack("<HBBI", *step) for step in steps)
    code = ctypes.create_string_buffer(packed, len(packed))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    program = Program(len(steps), ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return -1
    return int(libc.syscall(seccomp, SET_FILTER, NEW_LISTENER, ctypes.byref(program)))


# ---------------------------------------------------------------- the parent


@dataclass(slots=True)
class _Watch:
    child: int
    listener: int
    memory: int
    folder: str
    decide: Decide
    ended: Watched = field(default_factory=lambda: Watched(None))

    def run(self, until: float) -> bool:
        """Answer until the child has ended; whether that took too long."""
        ready = select.poll()
        ready.register(self.listener, select.POLLIN)
        while (left := until - monotonic()) > 0:
            for _, events in ready.poll(left * 1000):
                if events & select.POLLIN:
                    # A child that was killed meanwhile takes its question with it.
                    with suppress(FileNotFoundError, ProcessLookupError):
                        self._answer()
                elif events & select.POLLHUP:
                    return False
        return True

    def _answer(self) -> None:
        raw = bytearray(NOTICE.size)
        fcntl.ioctl(self.listener, RECEIVE, raw)
        number, _thread, _, call, _, _, *given = NOTICE.unpack(raw)
        name = CALLS[platform.machine()][2][call]
        value, error, flags = 0, 0, GO_ON
        try:
            if name == "write" and given[0] in (1, 2):
                value, flags = self._heard(given), 0
            else:
                failed = next((each for each in map(self.decide, self._operations(name, given)) if each), 0)
                error, flags = (-failed, 0) if failed else (0, GO_ON)
        except OSError:
            pass  # a descriptor that is not open, a name that is none: the kernel says so itself
        fcntl.ioctl(self.listener, SEND, ANSWER.pack(number, value, error, flags))

    def _heard(self, given: list[int]) -> int:
        text = os.pread(self.memory, given[2], given[1]).decode("utf-8", "replace")
        if given[0] == 2:
            self.ended.errors += text
        else:
            for line in text.splitlines():
                self.ended.lines.append(line)
                self.decide(Operation("told", "", data=line.encode()))
        return given[2]

    def _operations(self, name: str, given: list[int]) -> Iterator[Operation]:
        """The call as an operation, if it is about what lies in the folder."""
        operation = self._operation(name, given)
        if operation.path.startswith(self.folder) or operation.other.startswith(self.folder):
            yield operation

    def _operation(self, name: str, given: list[int]) -> Operation:
        match name:
            case "open":
                return self._opened(self._name(HERE, given[0]), given[1])
            case "openat":
                return self._opened(self._name(given[0], given[1]), given[2])
            case "read" | "pread":
                return Operation("read", self._file(given[0]))
            case "write":
                return Operation("write", self._file(given[0]), self._position(given[0]), self._bytes(given))
            case "pwrite":
                return Operation("write", self._file(given[0]), given[3], self._bytes(given))
            case "sync":
                return Operation("sync", self._file(given[0]))
            case "truncate":
                return Operation("truncate", self._file(given[0]), given[1])
            case "rename" | "link":
                return Operation(name, self._name(HERE, given[0]), other=self._name(HERE, given[1]))
            case "renameat" | "linkat":
                return Operation(name[:-2], self._name(given[0], given[1]), other=self._name(given[2], given[3]))
            case "unlink":
                return Operation("unlink", self._name(HERE, given[0]))
            case _:
                return Operation("unlink", self._name(given[0], given[1]))

    def _opened(self, path: str, flags: int) -> Operation:
        makes = bool(flags & os.O_CREAT) and not os.path.exists(path)
        if flags & os.O_TRUNC and os.path.exists(path):
            self.decide(Operation("truncate", path))
        return Operation("open", path, makes=makes)

    def _file(self, descriptor: int) -> str:
        return os.readlink(f"/proc/{self.child}/fd/{descriptor}")

    def _position(self, descriptor: int) -> int:
        with open(f"/proc/{self.child}/fdinfo/{descriptor}", encoding="ascii") as file:
            fields = dict(line.split(":", 1) for line in file if ":" in line)
        if int(fields["flags"], 8) & os.O_APPEND:
            return os.stat(f"/proc/{self.child}/fd/{descriptor}").st_size
        return int(fields["pos"])

    def _bytes(self, given: list[int]) -> bytes:
        return os.pread(self.memory, given[2], given[1])

    def _name(self, beside: int, address: int) -> str:
        """A name in the child's memory, made absolute."""
        text = b""
        while b"\0" not in text:
            text += os.pread(self.memory, 256 - (address + len(text)) % 256, address + len(text))
        name = os.fsdecode(text[: text.index(b"\0")])
        here = ctypes.c_int(beside & 0xFFFFFFFF).value == HERE
        base = f"/proc/{self.child}/cwd" if here else f"/proc/{self.child}/fd/{beside}"
        return name if name.startswith("/") else os.path.join(os.readlink(base), name)
