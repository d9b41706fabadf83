"""A sample consumer of the feed: it keeps totals of its own, and they are the house's, to the cent.

    python -m croupier.client.consumer https://casino.example:8700 totals.db --key KEY [--trust FILE] [--drops FOLDER]

Theory of operation.  The totals and the number of the last event that is in them are one transaction of a database of
its own, so that each event counts once, however often this program or the house is killed.  An event that is known is
passed over; one that is not the next is asked for again.  If the house was restored from an old copy and says so, the
totals are counted anew from the first event: that is always right, and rarely needed.

With `--drops`, whenever a shift of the cage was closed, what every account of the house moved since the shift before is
written to `shift-N.json` and `shift-N.csv`, for systems that take files; and to `shift-N-players.csv` what went to and
from the chips of each player's number while its player was there.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from croupier.client.asking import Client
from croupier.client.calls import FeedEvent

FEED: Final = "@feed"
TABLES: Final = """
CREATE TABLE IF NOT EXISTS seen (last INTEGER NOT NULL, counted INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS total (
    journal TEXT, account TEXT, cents INTEGER, shift INTEGER, PRIMARY KEY (journal, account)
);
CREATE TABLE IF NOT EXISTS card (journal TEXT, player TEXT, number TEXT, PRIMARY KEY (journal, player));
CREATE TABLE IF NOT EXISTS visit (
    number TEXT, journal TEXT, credited INTEGER, debited INTEGER, PRIMARY KEY (number, journal)
);
INSERT INTO seen SELECT 0, 0 WHERE NOT EXISTS (SELECT 1 FROM seen);
"""
ADD: Final = """
INSERT INTO total VALUES (?1, ?2, ?3, ?3)
ON CONFLICT DO UPDATE SET cents = cents + excluded.cents, shift = shift + excluded.shift
"""

PLAYED: Final = """
INSERT INTO visit VALUES (?1, ?2, ?3, ?4)
ON CONFLICT DO UPDATE SET credited = credited + excluded.credited, debited = debited + excluded.debited
"""
CHIPS: Final = "chips:"
"""The accounts of players begin so."""


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
                    for table in ("total", "card", "visit"):
                        self.database.execute(f"DELETE FROM {table}")
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
            self._played(event.journal, money.debit, 0, money.cents)
            self._played(event.journal, money.credit, money.cents, 0)
        body = event.entry["event"]
        self._carded(event.journal, body)
        if body["type"] == "ShiftClosed":
            self._dropped(int(body["shift"]))

    def _played(self, journal: str, account: str, credited: int, debited: int) -> None:
        """What went to the chips of a player who has a number, and what came from there."""
        here = (journal, account.removeprefix(CHIPS))
        found = self.database.execute("SELECT number FROM card WHERE journal = ? AND player = ?", here).fetchone()
        if found is not None and account.startswith(CHIPS):
            self.database.execute(PLAYED, (found[0], journal, credited, debited))

    def _carded(self, journal: str, body: dict[str, Any]) -> None:
        """Whose number is whose from now on; who leaves, and a terminal at which nobody plays, has none."""
        player = body.get("player") if body["type"] != "TerminalDeactivated" else body["terminal"]
        if body["type"] in ("PlayerNumbered", "PlayerLeft", "TerminalDeactivated"):
            self.database.execute("DELETE FROM card WHERE journal = ? AND player = ?", (journal, player))
            if number := body.get("number"):
                self.database.execute("INSERT INTO card VALUES (?, ?, ?)", (journal, player, number))

    def _dropped(self, shift: int) -> None:
        """What moved since the shift before, as files that appear whole."""
        rows = self.database.execute("SELECT journal, account, shift, cents FROM total ORDER BY 1, 2").fetchall()
        self.database.execute("UPDATE total SET shift = 0")
        visits = self.database.execute("SELECT number, journal, credited, debited FROM visit ORDER BY 1, 2").fetchall()
        self.database.execute("DELETE FROM visit")
        if self.drops is None:
            return
        names = ("journal", "account", "moved_cents", "balance_cents")
        accounts = [dict(zip(names, row, strict=True)) for row in rows]
        heads = ("number", "journal", "credited_cents", "debited_cents")
        players = [dict(zip(heads, row, strict=True)) for row in visits]
        draft, whole = self.drops / f".shift-{shift}.draft", {"shift": shift, "accounts": accounts, "players": players}
        draft.write_text(json.dumps(whole, indent=1), encoding="utf-8")
        draft.rename(self.drops / f"shift-{shift}.json")
        for end, columns, listed in (("-players", heads, players), ("", names, accounts)):
            with draft.open("w", newline="", encoding="utf-8") as file:
                out = csv.DictWriter(file, columns)
                out.writeheader()
                out.writerows(listed)
                file.flush()
                os.fsync(file.fileno())
            draft.rename(self.drops / f"shift-{shift}{end}.csv")

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
