"""A sample consumer of the feed: it keeps totals of its own, and they are the house's, to the cent.

    python -m croupier.client.consumer https://casino.example:8700 totals.db --key KEY [--trust FILE] [--drops FOLDER]

Theory of operation.  The totals and the number of the last event that is in them are one transaction of a database of
its own, so that each event counts once, however often this program or the house is killed.  An event that is known is
passed over; one that is not the next is asked for again.  If the house was restored from an old copy and says so, the
totals are counted anew from the first event: that is always right, and rarely needed.

With `--drops`, whenever a shift of the cage was closed, what every account of the house moved since the shift before is
written to `shift-N.json` and `shift-N.csv`, for systems that take files.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from croupier.client.asking import Client
from croupier.client.calls import FeedEvent

FEED: Final = "@feed"
TABLES: Final = """
CREATE TABLE IF NOT EXISTS seen (last INTEGER NOT NULL, counted INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS total (
    journal TEXT, account TEXT, cents INTEGER, shift INTEGER, PRIMARY KEY (journal, account)
);
INSERT INTO seen SELECT 0, 0 WHERE NOT EXISTS (SELECT 1 FROM seen);
"""
ADD: Final = """
INSERT INTO total VALUES (?1, ?2, ?3, ?3)
ON CONFLICT DO UPDATE SET cents = cents + excluded.cents, shift = shift + excluded.shift
"""


class Totals:
    """What every account of every journal has, by the events so far."""

    def __init__(self, path: Path, drops: Path | None = None) -> None:
        self.database, self.drops = sqlite3.connect(path, isolation_level=None), drops
        self.database.executescript(TABLES)
        self.database.execute("PRAGMA journal_mode=WAL")
        self.database.execute("PRAGMA synchronous=FULL")

    @property
    def last(self) -> int:
        """The last event that was taken."""
        return int(self.database.execute("SELECT last FROM seen").fetchone()[0])

    def take(self, events: Iterable[FeedEvent]) -> None:
        """Count events, each once and in order, in one transaction with the number of the last."""
        self.database.execute("BEGIN IMMEDIATE")
        try:
            last, counted = self.database.execute("SELECT last, counted FROM seen").fetchone()
            for event in events:
                if event.id <= last:
                    continue
                if event.id != last + 1:
                    raise ValueError(f"event {event.id} after {last}: one is missing")
                last = event.id
                if event.journal != FEED:
                    self._count(event)
                    counted = event.id
                elif counted >= event.entry["event"].get("first", last):
                    # Events that were counted here are lost to the house: everything is counted anew.
                    self.database.execute("DELETE FROM total")
                    last = counted = 0
                    break
            self.database.execute("UPDATE seen SET last = ?, counted = ?", (last, counted))
            self.database.execute("COMMIT")
        except BaseException:
            self.database.execute("ROLLBACK")
            raise

    def _count(self, event: FeedEvent) -> None:
        for money in event.money:
            self.database.execute(ADD, (event.journal, money.debit, -money.cents))
            self.database.execute(ADD, (event.journal, money.credit, money.cents))
        body = event.entry["event"]
        if body["type"] == "ShiftClosed":
            self._dropped(int(body["shift"]))

    def _dropped(self, shift: int) -> None:
        """What moved since the shift before, as files that appear whole."""
        rows = self.database.execute("SELECT journal, account, shift, cents FROM total ORDER BY 1, 2").fetchall()
        self.database.execute("UPDATE total SET shift = 0")
        if self.drops is None:
            return
        names = ("journal", "account", "moved_cents", "balance_cents")
        accounts = [dict(zip(names, row, strict=True)) for row in rows]
        draft = self.drops / f".shift-{shift}.draft"
        draft.write_text(json.dumps({"shift": shift, "accounts": accounts}, indent=1), encoding="utf-8")
        draft.rename(self.drops / f"shift-{shift}.json")
        with draft.open("w", newline="", encoding="utf-8") as file:
            out = csv.DictWriter(file, names)
            out.writeheader()
            out.writerows(accounts)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(self.drops / f"shift-{shift}.csv")

    def balances(self) -> dict[str, int]:
        """The balance of every account over all journals."""
        rows = self.database.execute("SELECT account, sum(cents) FROM total GROUP BY account HAVING sum(cents) != 0")
        return {str(name): int(cents) for name, cents in rows}


def main() -> None:
    words = argparse.ArgumentParser(description="Keep totals of a house by its feed of events.")
    words.add_argument("address")
    words.add_argument("database", type=Path)
    words.add_argument("--key", default=os.environ.get("CROUPIER_FEED_KEY", ""))
    words.add_argument("--trust", default="")
    words.add_argument("--drops", type=Path)
    given = words.parse_args()
    totals = Totals(given.database, given.drops)
    with Client(given.address, trust=given.trust, patience=600) as house:
        while True:
            totals.take(house.page(totals.last, key=given.key))


if __name__ == "__main__":
    main()
