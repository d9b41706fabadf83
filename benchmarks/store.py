"""Durable appends a second, as a ratio to a bare SQLite loop of one insert and one commit in the same run.

    python -m benchmarks.store [SECONDS]

A client sends the next command when the last one was acknowledged, and each has a table of its own.  An append is one
line with one ledger row, a command id and an answer; the bare loop writes the same line and nothing else, as durably.
"""

from __future__ import annotations

import logging
import queue
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

from croupier.floor.store.appends import Append, Appended, LedgerRow
from croupier.floor.store.durable import Store, open_store
from croupier.floor.store.engines import DURABLE

CLIENTS = (1, 30, 300)
BODY = b'{"number":1,"at_ms":1700000000000,"by":"seat 1","role":"player","event":{"type":"WagerPlaced","stake":10000}}'


def bare(folder: Path, seconds: float) -> float:
    """Inserts with a commit each, a second."""
    database = sqlite3.connect(folder / "bare.db", isolation_level=None)
    for setting in DURABLE:
        database.execute(f"PRAGMA {setting}")
    database.execute("CREATE TABLE line (number INTEGER PRIMARY KEY, body TEXT NOT NULL)")
    body, count, begun = BODY.decode(), 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        database.execute("BEGIN IMMEDIATE")
        database.execute("INSERT INTO line (body) VALUES (?)", (body,))
        database.execute("COMMIT")
        count += 1
    took = time.perf_counter() - begun
    database.close()
    return count / took


def durable(folder: Path, seconds: float, *, clients: int) -> tuple[float, float, float]:
    """Acknowledged appends a second, how long 99 of 100 clients waited at most, and the processor's time of each.

    The times are in milliseconds.
    """
    with open_store(f"sqlite:///{folder}/house-{clients}.db", key_path=folder / "key") as store:
        ready: queue.SimpleQueue[int] = queue.SimpleQueue()
        last, sent, waited = [0] * clients, [0.0] * clients, []
        begun, spent = time.perf_counter(), time.process_time()
        for client in range(clients):
            _send(store, ready, client, after=0, sent=sent)
        while (now := time.perf_counter()) - begun < seconds:
            client = ready.get()
            waited.append(time.perf_counter() - sent[client])
            last[client] += 1
            _send(store, ready, client, after=last[client], sent=sent)
        took, spent = now - begun, time.process_time() - spent
    waited.sort()
    return len(waited) / took, waited[len(waited) * 99 // 100] * 1000, spent / len(waited) * 1000


def _send(store: Store, ready: queue.SimpleQueue[int], client: int, *, after: int, sent: list[float]) -> None:
    row = LedgerRow(after + 1, f"chips:{client}", f"stakes:{client}", 10000, "NZEB-3.4")
    work = Append(f"T{client}", after, f"{client:016x}{after:016x}", (BODY,), (row,), b'{"accepted":true}')
    sent[client] = time.perf_counter()
    future = store.append(work)

    def acknowledged(done: object) -> None:
        assert isinstance(future.result(), Appended), done
        ready.put(client)

    future.add_done_callback(acknowledged)


def main(seconds: float) -> None:
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Before and after, so that a disk that others use meanwhile shows.
        first = bare(folder, seconds)
        rows = [(clients, *durable(folder, seconds, clients=clients)) for clients in CLIENTS]
        (folder / "bare.db").unlink()
        unit = (first + bare(folder, seconds)) / 2
    print(f"{'durable appends':<34} {'a second':>10} {'p99 ms':>8} {'ratio':>8}")
    print(f"{'bare insert and commit':<34} {unit:>10.0f} {'':>8} {1:>8.2f}")
    for clients, rate, late, _ in rows:
        print(f"{f'store, {clients} clients':<34} {rate:>10.0f} {late:>8.1f} {rate / unit:>8.2f}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
