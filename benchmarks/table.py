"""A baccarat table with 30 players: commands decided and evolved in a second, beside copying a dictionary.

The unit of work is a copy of a dictionary of 100 entries, made in the same run on the same machine: a table that did
nothing but keep its balances would cost that much.  Both are the best of several passes, since other work on the
machine can only make a pass slower.  Run: `.venv/bin/python benchmarks/table.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

from croupier.game import Choose, Deal, Perform
from croupier.rulesets import known_game, ruleset
from croupier.table import commands as c
from croupier.table.desk import LiveTable

PLAYERS = 30
PASSES = 15
CARDS = ("2h", "3d", "Kc", "Qs", "8h")


def table(name: str = "table 1") -> LiveTable:
    """Chips on a layout beside terminals: nine sit, the others stand and share the areas."""
    this = LiveTable(known_game("baccarat"), ruleset("nzeb", game="baccarat", version="hybrid"), name)
    this.open(minimum=500, maximum=1_000_000, chip=100)
    for number in range(PLAYERS):
        this.sit(f"p{number}", number + 1 if number < 9 else 0, chips=100_000_000)
    return this


def rounds(this: LiveTable, count: int, *, keep: bool = False) -> int:
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
        if not keep:
            this.journal.clear()
    return asked


def copies(count: int) -> int:
    """So many copies of a dictionary of a hundred entries."""
    accounts = {f"account {number}": number for number in range(100)}
    for _ in range(count):
        dict(accounts)
    return count


def seconds_each(work: Callable[[], int]) -> float:
    """Seconds of processor time for one of the things that a piece of work does, in its best pass."""
    best = float("inf")
    for _ in range(PASSES):
        start = process_time()
        done = work()
        best = min(best, (process_time() - start) / done)
    return best


def main() -> None:
    this = table()
    rounds(this, 5)
    each, copy = seconds_each(lambda: rounds(this, 10)), seconds_each(lambda: copies(20_000))
    print(f"{1 / each:,.0f} commands a second of processor time, decided and evolved")
    print(f"one command costs {each / copy:.0f} copies of a dictionary of 100 entries")


if __name__ == "__main__":
    main()
