"""The power goes off: real processes that append to a store, killed at any moment.

Theory of operation.  A child appends for ever, in one thread for each of its tables, and prints a line for each
command: `sent` before it hands it in, `done` when it was acknowledged.  At its start it sends again what its tables
were last asked, as a terminal does that was cut off.  An `eager` child acknowledges before the commit: the control that
must be caught losing lines.

Starting Python and loading the libraries takes longer than a child lives.  So a nursery (this module, run) loads them
once and forks a process for each line it reads.  All write to one pipe; the nursery itself writes `ended` after a
child's last word, so whoever has read that has read everything the child said.
"""

from __future__ import annotations

import ctypes
import importlib.util
import itertools
import logging
import os
import platform
import queue
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import NoReturn

import msgspec

from croupier.floor.store.appends import Append, Appended, LedgerRow, Owned, Repeated, Stale
from croupier.floor.store.chain import Sound, verify_chain, verify_ledger
from croupier.floor.store.durable import Store, open_store
from croupier.journal.accounts import CASH, chips_of
from croupier.journal.entries import encode
from croupier.journal.messages import Transfer
from croupier.table.events import ChipsBought, TableEntry, decode

RULE = "NZ1996-I-8.1"


# ---------------------------------------------------------------- lines with money in them


def bought(number: int, player: str, cents: int) -> bytes:
    """A line of a journal: a player buys chips."""
    event = ChipsBought(
        player=player,
        amount=cents,
        tender="cash",
        rule=RULE,
        transfers=(Transfer(CASH, chips_of(player), cents, RULE),),
    )
    return encode(TableEntry(number, 1_700_000_000_000 + number, "dealer", "dealer", event))


def moved(number: int, body: bytes) -> Iterable[LedgerRow]:
    """The money of a line, as the line itself says it."""
    transfers = decode(body).event.transfers
    return [LedgerRow(number, each.debit, each.credit, each.amount, each.rule) for each in transfers]


# msgspec works a type out at its first use, and two threads that do so at once crash it: so it is used once, here.
moved(1, bought(1, "nobody", 1))


def unit(table: str, after: int, command: str) -> Append:
    """One to three lines that name the command, so that a line can be traced to what asked for it."""
    count = 1 + int(command[:2], 16) % 3
    lines = tuple(bought(after + each, command, 100 + each) for each in range(1, count + 1))
    rows = [row for each, line in enumerate(lines, after + 1) for row in moved(each, line)]
    return Append(table, after, command, lines, tuple(rows), answer_to(command))


def answer_to(command: str) -> bytes:
    return f"answer to {command}".encode()


def command_of(seed: int, table: str, count: int) -> str:
    return sha256(f"{seed} {table} {count}".encode()).hexdigest()[:32]


# ---------------------------------------------------------------- the child


class Birth(msgspec.Struct, frozen=True, kw_only=True):
    """How a child is to live; `again` is what its tables send first."""

    url: str
    key: str
    errors: str
    seed: int = 1
    tables: tuple[str, ...] = ("T1", "T2", "T3", "T4")
    again: dict[str, str] = {}
    eager: bool = False
    lease_seconds: float = 15.0
    file_limit: int = 0
    syncs_fail_after: float = 0.0


def tell(text: str) -> None:
    """One write for one line: a killed process leaves no half line that matters."""
    os.write(1, f"{text}\n".encode())


def append_for_ever(store: Store, table: str, *, birth: Birth) -> None:
    owned = store.own(table).result()
    while not isinstance(owned, Owned):
        time.sleep(0.02)
        owned = store.own(table).result()
    tell(f"owns {table} {owned.epoch}")
    last, again = owned.last, birth.again.get(table)
    for count in itertools.count():
        command = again or command_of(birth.seed, table, count)
        again = None
        tell(f"sent {table} {command}")
        work = unit(table, last, command)
        future = store.append(work)
        if birth.eager:
            tell(f"done {table} {command}")
            last += len(work.lines)
            continue
        match future.result():
            case Appended(_, now, _) | Repeated(_, now, _):
                tell(f"done {table} {command}")
                last = max(last, now)
            case Stale(_, _, now):
                tell(f"stale {table} {command}")
                last = now
            case lost:
                tell(f"lost {table} {command} {lost}")
                return


def child(birth: Birth) -> None:
    store = open_store(birth.url, key_path=Path(birth.key), lease_seconds=birth.lease_seconds)
    if birth.file_limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (birth.file_limit, birth.file_limit))
    threads = [
        threading.Thread(target=append_for_ever, args=(store, table), kwargs={"birth": birth}) for table in birth.tables
    ]
    for thread in threads:
        thread.start()
    if birth.syncs_fail_after:
        time.sleep(birth.syncs_fail_after)
        fail_syncs()
        tell("syncs fail from here")
    for thread in threads:
        thread.join()
    store.close()


def fail_syncs() -> None:
    """From here on the kernel answers every sync of this process with an I/O error, by a seccomp filter."""
    calls = {"x86_64": (0xC000003E, 317, (74, 75)), "aarch64": (0xC00000B7, 277, (82, 83))}
    architecture, seccomp, (fsync, fdatasync) = calls[platform.machine()]
    allow, error = 0x7FFF0000, 0x00050005
    load, equal, answer = 0x20, 0x15, 0x06
    steps = [
        (load, 0, 0, 4),
        (equal, 0, 3, architecture),
        (load, 0, 0, 0),
        (equal, 2, 0, fsync),
        (equal, 1, 0, fdatasync),
        (answer, 0, 0, allow),
        (answer, 0, 0, error),
    ]
    packed = b"".join(
        code.to_bytes(2, "little") + bytes((yes, no)) + value.to_bytes(4, "little") for code, yes, no, value in steps
    )
    code = ctypes.create_string_buffer(packed, len(packed))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    program = Program(len(steps), ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) or libc.syscall(seccomp, 1, 1, ctypes.byref(program)):
        tell("no seccomp")
        os._exit(0)


# ---------------------------------------------------------------- the parent


@dataclass(slots=True)
class Heard:
    """What the children said, over all their lives."""

    done: list[tuple[str, str]] = field(default_factory=list)
    sent: dict[str, str] = field(default_factory=dict)
    other: list[str] = field(default_factory=list)
    kills: int = 0

    def hear(self, text: str) -> None:
        match text.split():
            case ["sent", table, command]:
                self.sent[table] = command
            case ["done", table, command]:
                self.done.append((table, command))
            case _:
                self.other.append(text)


class Nursery:
    """The process that forks children, and the thread that hears them."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "croupier.prove.books.lives"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.heard = Heard()
        self.news: queue.SimpleQueue[list[str]] = queue.SimpleQueue()
        self.reader = threading.Thread(target=self._listen, daemon=True)
        self.reader.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            words = line.split()
            if words[0] in ("born", "ended"):
                self.news.put(words)
            else:
                self.heard.hear(line.strip())

    def ask(self, *, text: str) -> list[str]:
        assert self.process.stdin is not None
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        return self.news.get(timeout=60)

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(60)
        self.reader.join(60)
        self.process.stdout.close()


@dataclass(frozen=True, slots=True)
class Life:
    """A process that appends until it is killed."""

    nursery: Nursery
    birth: Birth
    process: int

    def acknowledged(self, more: int, seconds: float = 30) -> None:
        """Wait until so many more commands are acknowledged."""
        report = self.nursery.heard
        goal, limit = len(report.done) + more, time.monotonic() + seconds
        while len(report.done) < goal:
            assert time.monotonic() < limit, (
                f"{more} commands not acknowledged in {seconds} s: {report.other[-3:]} {self.errors()}"
            )
            time.sleep(0.002)

    def owning(self, takeovers: int, seconds: float = 30) -> None:
        """Wait until tables were taken so many times, by this child and those before it."""
        report, limit = self.nursery.heard, time.monotonic() + seconds
        while sum(text.startswith("owns ") for text in report.other) < takeovers:
            assert time.monotonic() < limit, (
                f"{takeovers} takings not seen in {seconds} s: {report.other} {self.errors()}"
            )
            time.sleep(0.002)

    def kill(self) -> None:
        os.kill(self.process, signal.SIGKILL)
        assert self.wait() == -signal.SIGKILL

    def wait(self) -> int:
        """How it ended; everything it said has been heard then."""
        return int(self.nursery.ask(text=str(self.process))[2])

    def errors(self) -> str:
        """What it told stderr."""
        return Path(self.birth.errors).read_text()


def bear(nursery: Nursery, birth: Birth) -> Life:
    word = nursery.ask(text=msgspec.json.encode(birth).decode())
    return Life(nursery, birth, int(word[1]))


def lives(nursery: Nursery, birth: Birth, *, kills: Iterable[int]) -> Heard:
    """Start a child, kill it at a random moment, and start the next, which asks again what the last one asked."""
    chance = random.Random(birth.seed)
    nursery.heard = report = Heard()
    for life in kills:
        one = bear(nursery, msgspec.structs.replace(birth, seed=birth.seed * 1000 + life, again=dict(report.sent)))
        one.acknowledged(chance.choice((1, 2, 5, 20, 60)))
        time.sleep(chance.random() * 0.02)
        one.kill()
        report.kills += 1
    return report


def nurse() -> None:
    """Fork a child for each birth that is asked for; wait for a child where its number is."""
    _warm_up()
    for line in sys.stdin:
        if line.strip().isdigit():
            _, status = os.waitpid(int(line), 0)
            tell(f"ended {int(line)} {os.waitstatus_to_exitcode(status)}")
            continue
        birth = msgspec.json.decode(line, type=Birth)
        process = os.fork()
        if process:
            tell(f"born {process}")
        else:
            _live(birth)


def _warm_up() -> None:
    """Have everything loaded that a store loads when it is first used."""
    importlib.import_module("sqlalchemy.dialects.postgresql.psycopg")
    importlib.import_module("croupier.floor.store.fanout")
    logging.disable()
    with tempfile.TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/db", key_path=Path(folder, "key")):
        pass
    logging.disable(logging.NOTSET)


def _live(birth: Birth) -> NoReturn:
    errors = os.open(birth.errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(errors, 2)
    try:
        child(birth)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


@dataclass(frozen=True, slots=True)
class Damage:
    """What a store owes to those it told "done"."""

    lost: int
    doubled: int
    chain: object
    ledger: object
    sum: int


def damage(store: Store, report: Heard) -> Damage:
    """Hold what was acknowledged against what is there."""
    lines: dict[tuple[str, str], int] = {}
    for table in store.tables():
        for line in store.each_line(table):
            event = decode(line.body).event
            assert isinstance(event, ChipsBought)
            lines[table, event.player] = lines.get((table, event.player), 0) + 1
    wanted = {done: 1 + int(done[1][:2], 16) % 3 for done in {*report.done, *lines}}
    lost = sum(lines.get(done, 0) < wanted[done] or not _is_answered(store, done) for done in set(report.done))
    doubled = sum(count > wanted[asked] for asked, count in lines.items())
    chain = verify_chain(store)
    return Damage(lost, doubled, chain, verify_ledger(store, moved), sum(store.balances().values()))


def _is_answered(store: Store, done: tuple[str, str]) -> bool:
    stored = store.answer(done[1])
    return stored is not None and (stored.table, stored.answer) == (done[0], answer_to(done[1]))


def signed_all(store: Store) -> None:
    """Sign the head of every table, so that the chain can be verified as a whole."""
    for table in store.tables():
        assert isinstance(store.own(table).result(), Owned)
        store.sign_head(table, 1_700_000_000_000).result()


def is_whole(found: Damage) -> bool:
    """Nothing lost, nothing doubled, all of it sound."""
    return (found.lost, found.doubled, found.ledger, found.sum) == (0, 0, None, 0) and isinstance(found.chain, Sound)


if __name__ == "__main__":
    nurse()
