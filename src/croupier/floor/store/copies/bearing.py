"""Heads on their way to their witnesses, beside the writer.

Theory of operation.  A head that was committed goes to a file of its own, which takes a sync of its own, as long as a
commit.  Whoever asked for the head waits for that; whoever appends to another journal meanwhile has nothing to do with
it.  So a thread bears the heads, in the order in which they were committed, and the writer goes on with the next group.

A journal is told in its order what was done there: as long as anything of it waits here (`behind`), what comes later
waits too, though for no witness of its own.
"""

from __future__ import annotations

import queue
import threading
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from croupier.floor.store.copies.witnesses import Witness
from croupier.floor.store.heads import Head


class Borne(Struct, frozen=True):
    """Heads to be borne; what is told before, because it only waited for those before these; and what is told then."""

    tables: Collection[str]
    first: Callable[[], None]
    heads: Sequence[Head]
    then: Callable[[], None]


@dataclass(slots=True)
class Bearer:
    """The thread, what waits for it, and how often each journal is in that; `fail` ends the process."""

    witnesses: Sequence[Witness]
    fail: Callable[[BaseException], None]
    waiting: queue.Queue[Borne | None] = field(default_factory=queue.Queue)
    waits: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)
    thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self._run, name="store-witness", daemon=True)
        self.thread.start()

    def behind(self) -> frozenset[str]:
        """The journals of which something waits here."""
        with self.lock:
            return frozenset(self.waits)

    def bear(self, borne: Borne) -> None:
        with self.lock:
            self.waits.update(borne.tables)
        self.waiting.put(borne)

    def rest(self) -> None:
        """Until nothing waits here."""
        self.waiting.join()

    def stop(self) -> None:
        """Finish what waits, then end the thread."""
        self.waiting.put(None)
        self.thread.join()

    def _run(self) -> None:
        try:
            while (borne := self.waiting.get()) is not None:
                borne.first()
                for witness in self.witnesses:
                    witness.bear(borne.heads)
                borne.then()
                # Only now: what comes later is told at once from here on, and must not be told before this.
                with self.lock:
                    self.waits -= Counter(borne.tables)
                self.waiting.task_done()
        except BaseException as error:
            self.fail(error)
