"""A baccarat table with 30 players: commands decided and evolved in a second, beside copying a dictionary.

The unit of work is a copy of a dictionary of 100 entries, made in the same run on the same machine: a table that did
nothing but keep its balances would cost that much.  Run: `.venv/bin/python benchmarks/table.py`.
"""

from __future__ import annotations

from time import process_time

from croupier.game import Choose, Deal, Perform
from croupier.rulesets import known_game, ruleset
from croupier.table import commands as c
from croupier.table.desk import LiveTable

PLAYERS = 30
CARDS = ("2h", "3d", "Kc", "Qs", "8h")


def table() -> LiveTable:
    """Terminals: thirty places, standing players sharing the areas."""
    this = LiveTable(known_game("baccarat"), ruleset("nzeb", game="baccarat", version="terminals"))
    this.open(minimum=500, maximum=1_000_000, chip=100)
    for number in range(PLAYERS):
        this.sit(f"p{number}", number + 1 if number < 9 else 0, chips=100_000_000)
    return this


def rounds(this: LiveTable, count: int) -> int:
    """So many rounds with a wager of every player; answers how many commands that took."""
    asked = 0
    for _ in range(count):
        for number in range(PLAYERS):
            name, on = f"p{number}", "banker" if number % 3 else "player"
            this.ask(c.PlaceWager(name, on, 10_000), role="player", by=name)
        asked += PLAYERS
        cards = iter(CARDS)
        number_now = this.state.number
        while this.state.number == number_now:
            due = this.state.due
            match due:
                case Deal():
                    this.tell(next(cards))
                case Perform():
                    this.act(due)
                case Choose(by=by, options=options):
                    this.tell({"choose": options[-1], "by": by})
                case _:
                    raise AssertionError(due)
            asked += 1
        this.journal.clear()
    return asked


def copies(count: int) -> float:
    """Seconds for so many copies of a dictionary of a hundred entries."""
    accounts = {f"account {number}": number for number in range(100)}
    start = process_time()
    for _ in range(count):
        dict(accounts)
    return process_time() - start


def main() -> None:
    this = table()
    rounds(this, 2)
    start = process_time()
    asked = rounds(this, 20)
    taken = process_time() - start
    copy = copies(200_000) / 200_000
    each = taken / asked
    print(f"{asked} commands, {1 / each:,.0f} a second of processor time")
    print(f"one command costs {each / copy:.0f} copies of a dictionary of 100 entries")


if __name__ == "__main__":
    main()
