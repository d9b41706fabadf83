"""Whether journals have grown, asked many times a second where several processes share a database.

Theory of operation.  Before anybody orders anything, a process asks whether another one has written of people or
devices since (`keeping/catching_up.py`).  It is always the same question, and nearly always the answer is no.  So it
has a connection of its own, outside any transaction, with a statement that the server has prepared, and a thread of its
own: one message there and one back, whatever else is read at the time.  A connection that is lost is opened again once;
if that fails, whoever asks is told to ask again.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import psycopg
from sqlalchemy import Engine

from croupier.floor.store.appends import Stopped
from croupier.floor.store.engines import ALIVE, look_after

# The limit keeps the planner from reading a whole journal for all names at once, the setting from doing it for one.
_LONGER = (
    "SELECT name FROM unnest(%b::text[], %b::bigint[]) AS after (name, line), LATERAL"
    " (SELECT FROM journal WHERE table_name = name AND number = line LIMIT 1) AS there"
)
_BY_INDEX = "SET enable_seqscan = off"


@dataclass(slots=True)
class EndsAsked:
    """The question, and the connection for it."""

    engine: Engine
    connection: psycopg.Connection[Any] | None = None
    closed: bool = False
    gate: threading.Lock = field(default_factory=threading.Lock)
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "store-ends"))

    def longer(self, ends: Mapping[str, int]) -> frozenset[str]:
        """Those of the journals that have a line after the one that is named."""
        after = list(ends), [last + 1 for last in ends.values()]
        with self.gate:
            if self.closed:
                raise Stopped("the store of this process is closed: ask again")
            try:
                if self.connection is not None:
                    return self._asked(self.connection, after)
            except psycopg.Error:
                self._close()
            try:
                self.connection = self._opened()
                return self._asked(self.connection, after)
            except psycopg.Error:
                self._close()
                raise Stopped("the database cannot be asked now: ask again") from None

    def _asked(self, connection: psycopg.Connection[Any], after: tuple[list[str], list[int]]) -> frozenset[str]:
        return frozenset(name for (name,) in connection.execute(_LONGER, after, prepare=True))

    def _opened(self) -> psycopg.Connection[Any]:
        _, named = self.engine.dialect.create_connect_args(self.engine.url)
        options: dict[str, Any] = {**named, **ALIVE, "application_name": "croupier reader", "autocommit": True}
        connection = psycopg.connect(**options)
        look_after(connection)
        connection.execute(_BY_INDEX)
        return connection

    def _close(self) -> None:
        if self.connection is not None:
            with suppress(psycopg.Error):
                self.connection.close()
            self.connection = None

    def close(self) -> None:
        """Whoever asks from now on is told to ask another process."""
        with self.gate:
            self.closed = True
            self._close()
