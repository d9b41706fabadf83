"""Many proofs in one run: each in a process of its own, as many at a time as there are processors, the longest first.

Theory of operation.  A process runs one proof and tells its parent, on a line between them, how far it is and in the
end what it found.  It is forked from a process that has loaded what nearly all of them need, and has nothing else.
Proofs that mostly wait (for leases to end, for machines to come back) have lanes of their own beside those that
compute, so that no processor waits with them.  What is asked for in the order of the list is there as soon as it is
known; meanwhile the others go on.

Each process leads a session of its own, so that an interrupt at the keyboard comes to the parent alone: it passes the
interrupt on once, gives everybody time to clean up, and ends with their whole group whoever is still there.  While it
starts one, interrupts wait: a process that was started and not noted would be nobody's.  A process whose parent is gone
has nobody to tell how far it is, and ends by that.
"""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import connection, get_context
from multiprocessing.context import ForkServerContext, ForkServerProcess
from time import monotonic, sleep
from typing import Final

from croupier.prove import PROOFS, ProofScope, Tell, Verdict, again, run, source

BETWEEN_SECONDS: Final = 0.2
"""How far it is is told no more often."""
PATIENCE_SECONDS: Final = 20.0
"""For cleaning up after an interrupt."""
ENDINGS: Final = (signal.SIGINT, signal.SIGTERM)
WAITING_LANES: Final = 2
LOADED: Final = ("croupier.prove.bytecode", "croupier.floor.serve", "croupier.prove.table_driver")
"""What is loaded before any of them is forked."""


@dataclass(frozen=True, slots=True)
class ProofAtWork:
    """A proof that is running, and the line to its process."""

    name: str
    process: ForkServerProcess
    line: connection.Connection

    def end(self) -> None:
        """Whatever of its group is still there ends."""
        assert self.process.pid is not None
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        # It may not have come to lead a group yet.
        self.process.kill()
        self.process.join()
        self.line.close()


@dataclass(slots=True)
class ProofsTogether:
    """A run of several proofs: those that wait for their turn, those at work, and what was found."""

    names: Sequence[str]
    scope: ProofScope
    processors: int
    waiting: list[str] = field(default_factory=list)
    working: list[ProofAtWork] = field(default_factory=list)
    found: dict[str, Verdict] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.waiting = sorted(self.names, key=lambda name: PROOFS[name].cost, reverse=True)

    def verdict(self, name: str, tell: Tell) -> Verdict:
        """What one of them found, waiting for it if need be."""
        says: dict[str, str] = {}
        while name not in self.found:
            self._begin()
            for one in connection.wait([each.line for each in self.working], timeout=1.0):
                work = next(each for each in self.working if each.line is one)
                match self._heard(work):
                    case Verdict() as verdict:
                        work.end()
                        self.working.remove(work)
                        self.found[work.name] = verdict
                    case text:
                        says[work.name] = text
            at_work = "; ".join(f"{each.name} {says.get(each.name, '')}".strip() for each in self.working)
            tell(len(self.found), len(self.names), at_work)
        return self.found[name]

    def _begin(self) -> None:
        """Begin whatever has a lane free."""
        for waits, lanes in ((True, WAITING_LANES), (False, self.processors)):
            busy = sum(PROOFS[each.name].waits == waits for each in self.working)
            for name in [each for each in self.waiting if PROOFS[each].waits == waits][: lanes - busy]:
                with _undisturbed():
                    self.waiting.remove(name)
                    self.working.append(_started(name, self.scope))

    def _heard(self, work: ProofAtWork) -> Verdict | str:
        try:
            said: Verdict | str = work.line.recv()
        except EOFError:
            work.process.join()
            return _without(work.name, self.scope, f"its process ended with {work.process.exitcode}")
        return said

    def close(self) -> None:
        """Interrupt whoever is at work, and wait until all have cleaned up."""
        for each in self.working:
            assert each.process.pid is not None
            with suppress(ProcessLookupError):
                os.kill(each.process.pid, signal.SIGINT)
        until = monotonic() + PATIENCE_SECONDS
        while any(each.process.is_alive() for each in self.working) and monotonic() < until:
            for each in self.working:
                # Nobody reads any more what is said: whoever would wait for that must not.
                with suppress(EOFError, OSError):
                    while each.line.poll():
                        each.line.recv_bytes()
            sleep(0.05)
        for each in self.working:
            each.end()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Interrupts that come within the block are heard at its end."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def together(names: Sequence[str], scope: ProofScope) -> Iterator[ProofsTogether]:
    """All of these proofs at work; what is still running at the end of the block is ended."""
    with closing(ProofsTogether(names, scope, len(os.sched_getaffinity(0)))) as these:
        yield these


def forking() -> ForkServerContext:
    """The way to start a process that has the program loaded, and shares nothing with this one."""
    context = get_context("forkserver")
    context.set_forkserver_preload(list(LOADED))
    return context


def _started(name: str, scope: ProofScope) -> ProofAtWork:
    context = forking()
    hears, says = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(name, scope, says), name=f"proof {name}")
    process.start()
    says.close()
    return ProofAtWork(name, process, hears)


def _without(name: str, scope: ProofScope, why: str) -> Verdict:
    """What is said of a proof that came to no verdict."""
    line = f"it came to no verdict: {why}"
    answer = {
        "proof": name, "proved": False, "length": scope.length, "seed": scope.seed, "source": source(),
        "again": again(name, scope), "faults": [line], "controls": {}, "seconds": 0.0,
        "processor_seconds": 0.0,
    }  # fmt: skip
    return Verdict(False, answer, (f"FAULT: {line}",))


# ---------------------------------------------------------------- in a process of its own


def _work(name: str, scope: ProofScope, line: connection.Connection) -> None:
    os.setsid()
    # In the background of a shell an interrupt is ignored, and whoever is started there inherits that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for room in ("croupier", "asyncio"):
        logging.getLogger(room).addHandler(logging.NullHandler())
    last = 0.0

    def tell(done: int, of: int, what: str) -> None:
        nonlocal last
        if monotonic() > last + BETWEEN_SECONDS:
            last = monotonic()
            line.send(f"{done:,}/{of:,} {what}")

    try:
        # Those that came while this process was started have waited.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)
        line.send(run(name, scope, tell))
    except KeyboardInterrupt:
        return
    except Exception as error:  # whatever it is, the other proofs go on
        with suppress(BrokenPipeError):
            line.send(_without(name, scope, f"{type(error).__name__}: {error}"))
