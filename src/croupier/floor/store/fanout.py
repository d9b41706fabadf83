"""Telling viewers that a table has new lines, in this process and in the others.

Theory of operation.  News is only "table T now ends at line n"; whoever hears it reads the lines.  So news may come
twice or be merged, and a listener that was cut off has missed nothing once it hears the last line of each table.  With
SQLite the writer's thread tells the subscribers after the commit.  With PostgreSQL the append's own transaction carries
a NOTIFY, and a thread of each process listens; after a lost connection it tells the last line of every table again.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import psycopg
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from croupier.floor.store.appends import Stopped
from croupier.floor.store.engines import ALIVE, look_after, one_line
from croupier.floor.store.leases import CHANNEL
from croupier.floor.store.ownership import Subscribers
from croupier.floor.store.writer import end_process

log = logging.getLogger(__name__)

POLL_SECONDS = 0.1
RETRY_SECONDS = 1.0

Ends = Callable[[], Iterable[tuple[str, int]]]


@dataclass(slots=True)
class Listener:
    """The thread that hears what other processes append; `ends` gives the last line of every table."""

    engine: Engine
    subscribers: Subscribers
    ends: Ends
    stopped: threading.Event = field(default_factory=threading.Event)
    ready: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None

    def start(self) -> None:
        self.thread = threading.Thread(target=self._run, name="store-listener", daemon=True)
        self.thread.start()
        # An append after the store was opened must be heard, so opening waits until the database listens.
        self.ready.wait(timeout=10 * RETRY_SECONDS)

    def stop(self) -> None:
        self.stopped.set()
        if self.thread is not None:
            self.thread.join()

    def _run(self) -> None:
        try:
            self._keep_listening()
        except BaseException as error:
            # A process that no longer hears the others would show its viewers the past.
            end_process("the listener for news", error)

    def _keep_listening(self) -> None:
        again, told = False, ""
        while not self.stopped.is_set():
            try:
                self._listen(again=again)
            except (psycopg.Error, DBAPIError, Stopped) as error:
                # What keeps it from coming back is told once; when it is lost again, it had been back.
                if self.ready.is_set() or one_line(error) != told:
                    told = one_line(error)
                    log.warning("the connection for news was lost: %s", told)
                # Whoever asks whether this process hears the others is told so from now on.
                self.ready.clear()
                self.stopped.wait(RETRY_SECONDS)
            again = True

    def _listen(self, *, again: bool) -> None:
        _, named = self.engine.dialect.create_connect_args(self.engine.url)
        options: dict[str, Any] = {**named, **ALIVE, "application_name": "croupier listener", "autocommit": True}
        with psycopg.connect(**options) as connection:
            look_after(connection)
            connection.execute(f"LISTEN {CHANNEL}")
            self.ready.set()
            if again:
                self._tell_all()
            while not self.stopped.is_set():
                for notice in connection.notifies(timeout=POLL_SECONDS):
                    last, _, table = notice.payload.partition(" ")
                    self.subscribers.publish(table, int(last))

    def _tell_all(self) -> None:
        for table, last in self.ends():
            self.subscribers.publish(table, last)
