"""Heads on their way to their witnesses, beside the writer.

Theory of operation.  A head that was committed goes to a file of its own, which takes a sync of its own, as long as a
commit.  Whoever asked for the head waits for that; whoever appends to another journal meanwhile has nothing to do with
it.  So a thread bears the heads, in the order in which they were committed, and the writer goes on with the next group.

Telling is the writer's alone, between two commits (`tell`): where a commit fails, nobody is told anything any more.  A
journal is told in its order what was done there: as long as anything of it waits here (`behind`), what comes later
waits too, though for no witness of its own.
"""

from __future__ import annotations

import queue
import threading
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial

from msgspec import Struct

from croupier.floor.store.copies.witnesses import Witness
from croupier.floor.store.heads import Head


class Borne(Struct, frozen=True):
    """Heads to be borne; what is told before, because it only waited for those before these; and what is told then."""

    tables: Collection[str]
    first: Callable[[], None] | None
    heads: Sequence[Head]
    then: Callable[[], None]


@dataclass(slots=True)
class Bearer:
    """The thread and what waits for it; what is to be told since, and how often each journal is in that.

    `wake` says that there is something to tell; `fail` ends the process.
    """

    witnesses: Sequence[Witness]
    wake: Callable[[], None]
    fail: Callable[[BaseException], None]
    waiting: queue.SimpleQueue[Borne | None] = field(default_factory=queue.SimpleQueue)
    telling: queue.SimpleQueue[Callable[[], None]] = field(default_factory=queue.SimpleQueue)
    waits: Counter[str] = field(default_factory=Counter)
    borne: int = 0
    """How many groups are on their way, or not told yet."""
    thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self._run, name="store-witness", daemon=True)
        self.thread.start()

    def behind(self) -> frozenset[str]:
        """The journals of which something waits here."""
        return frozenset(self.waits)

    def bear(self, borne: Borne) -> None:
        self.waits.update(borne.tables)
        self.borne += 1
        self.waiting.put(borne)

    def tell(self) -> None:
        """Tell what may be told by now."""
        while not self.telling.empty():
            self.telling.get()()

    def rest(self) -> None:
        """Tell all, until nothing waits here."""
        while self.borne:
            self.telling.get()()

    def stop(self) -> None:
        """Finish what waits, then end the thread."""
        self.rest()
        self.waiting.put(None)
        self.thread.join()

    def _run(self) -> None:
        try:
            while (borne := self.waiting.get()) is not None:
                if borne.first is not None:
                    self._to_tell(borne.first)
                for witness in self.witnesses:
                    witness.bear(borne.heads)
                self._to_tell(partial(self._told, borne))
        except BaseException as error:
            self.fail(error)

    def _to_tell(self, call: Callable[[], None]) -> None:
        self.telling.put(call)
        self.wake()

    def _told(self, borne: Borne) -> None:
        borne.then()
        # Only now: what comes later is told at once from here on, and must not be told before this.
        self.waits -= Counter(borne.tables)
        self.borne -= 1
