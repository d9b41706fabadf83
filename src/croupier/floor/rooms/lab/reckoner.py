"""Heavy reckoning beside the tables: one worker process, a few waiting questions, and the last answers kept.

Theory of operation.  Tables live in the event loop of this process, so nothing that takes longer than a moment may be
reckoned here.  A `Reckoner` has one worker process, started when it is first needed, of low priority and with its own
compiled kernels.  Questions are asked one after another.  The same question asked again, also while it is being
reckoned, is reckoned once.  When too many questions wait, the next one is told so at once (`Busy`).

The worker holds one end of a pipe and ends when the other end is closed: by `close`, by a question that takes too long,
or because this process is gone, however it went.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from threading import Lock, Thread
from typing import Any, Final, TypeVar

from croupier.floor.doors.bounds import Busy

T = TypeVar("T")

WAITING: Final = 8
KEPT: Final = 96
PATIENCE_S: Final = 180.0
NICE: Final = 5


# ---------------------------------------------------------------- in the worker


def _begin(leash: Connection) -> None:
    """Let the tables go first, leave the keyboard to the house, and end when the house does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICE)
    Thread(target=_held, args=(leash,), daemon=True).start()


def _held(leash: Connection) -> None:
    try:
        leash.recv()
    except (EOFError, OSError):
        os._exit(0)


# ---------------------------------------------------------------- in the house


@dataclass(slots=True)
class _Worker:
    pool: ProcessPoolExecutor
    leash: Connection
    ending: Lock = field(default_factory=Lock)

    def end(self) -> None:
        """The process ends at once, whatever it does; only the thread that minds it is waited for.

        Who waits and who closes may both ask for it at once, in threads of their own: the second finds it done.
        """
        with self.ending:
            if not self.leash.closed:
                self.leash.close()
                self.pool.shutdown(wait=True, cancel_futures=True)


def _started() -> _Worker:
    # A process that has threads must not be forked.
    spawn = multiprocessing.get_context("spawn")
    theirs, ours = spawn.Pipe(duplex=False)
    return _Worker(ProcessPoolExecutor(1, mp_context=spawn, initializer=_begin, initargs=(theirs,)), ours)


@dataclass(slots=True)
class Reckoner:
    """The worker of a house, what waits for it, and the answers that are kept, the latest used last."""

    waiting: int = WAITING
    kept: int = KEPT
    patience_s: float = PATIENCE_S
    closed: bool = False
    _worker: _Worker | None = None
    _asked: dict[object, asyncio.Task[bytes]] = field(default_factory=dict)
    _answers: OrderedDict[object, bytes] = field(default_factory=OrderedDict)

    async def ask(self, question: object, work: Callable[..., bytes], *given: object) -> bytes:
        """The answer to a question: kept from before, on its way already, or reckoned by `work`."""
        if question in self._answers:
            self._answers.move_to_end(question)
            return self._answers[question]
        task = self._asked.get(question)
        if task is None:
            if len(self._asked) >= self.waiting:
                raise Busy(f"{self.waiting} questions wait already: ask again in a few seconds")
            task = asyncio.create_task(self.do(work, *given))
            self._asked[question] = task
            task.add_done_callback(lambda done: self._answered(question, done))
        # Whoever goes away leaves the question to the others who wait for it.
        return await asyncio.shield(task)

    def _answered(self, question: object, task: asyncio.Task[bytes]) -> None:
        self._asked.pop(question, None)
        if task.cancelled() or task.exception() is not None:
            return
        self._answers[question] = task.result()
        while len(self._answers) > self.kept:
            self._answers.popitem(last=False)

    async def do(self, work: Callable[..., T], *given: Any) -> T:
        """Let the worker do something that is not worth keeping."""
        worker, reckoning = self._submitted(work, *given)
        try:
            async with asyncio.timeout(self.patience_s):
                return await asyncio.wrap_future(reckoning)
        except TimeoutError:
            reason = f"this took longer than {self.patience_s:g} seconds and was given up"
        except BrokenProcessPool:
            reason = "the reckoning was lost: ask again"
        except asyncio.CancelledError:
            asker = asyncio.current_task()
            if asker is not None and asker.cancelling():
                raise
            # Not who asked has gone, but the worker, with all that waited for it.
            reason = "the reckoning was lost: ask again"
        await self._end(worker)
        raise Busy(reason)

    def _submitted(self, work: Callable[..., T], *given: Any) -> tuple[_Worker, Future[T]]:
        if self.closed:
            raise Busy("the house is closing")
        worker = self._worker = self._worker or _started()
        try:
            return worker, worker.pool.submit(work, *given)
        except (BrokenProcessPool, RuntimeError):
            worker = self._worker = _started()
            return worker, worker.pool.submit(work, *given)

    async def _end(self, worker: _Worker) -> None:
        """End this worker; the next question gets another, if it has not got one already."""
        if self._worker is worker:
            self._worker = None
        await asyncio.to_thread(worker.end)

    async def close(self) -> None:
        """End the worker; who still waits is told that the reckoning is lost."""
        self.closed = True
        if self._worker is not None:
            await self._end(self._worker)
