"""A baccarat table with 30 players: one command through `decide` and `evolve`, beside copying a dictionary.

What is measured is what a house does with a command that it has read: decided, made into lines, and the table after
them.  (`LiveTable` also checks the kinds of what a person typed at a prompt; a house reads those off the wire.)  The
unit of work is a copy of a dictionary of 100 entries, made in the same run on the same machine: a table that did
nothing but keep its balances would cost that much.  Both are the best of several passes, since other work on the
machine can only make a pass slower.  Run: `.venv/bin/python -m benchmarks.table`.
"""

from __future__ import annotations

from time import process_time

from croupier.errors import Refused
from croupier.game import Choose, Deal, Perform, Refusal
from croupier.law.officials import DEALER
from croupier.rulesets import known_game, ruleset
from croupier.table import commands as c
from croupier.table.commands import AnyCommand, TableRequest
from croupier.table.decide import decide
from croupier.table.desk import LiveTable
from croupier.table.events import Events
from croupier.table.evolve import after, entries

PLAYERS = 30
PASSES = 15
COPIES = 20_000
CARDS = ("2h", "3d", "Kc", "Qs", "8h")


class Timed(LiveTable):
    """A table that counts the seconds of the processor in which it decides and evolves, and nothing else."""

    spent = 0.0

    def ask(self, what: AnyCommand, *, by: str = "", role: str = DEALER) -> Events:
        request, began = TableRequest(what, by or role, role, self.now_ms), process_time()
        events = decide(self.state, request)
        if isinstance(events, Refusal):
            raise Refused(events)
        lines = entries(self.state, request, events)
        self.state = after(self.state, lines)
        self.spent += process_time() - began
        self.journal += lines
        return events


def table(name: str = "table 1") -> Timed:
    """Chips on a layout beside terminals: nine sit, the others stand and share the areas."""
    this = Timed(known_game("baccarat"), ruleset("nzeb", game="baccarat", version="hybrid"), name)
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


def one_command(this: Timed) -> float:
    """Seconds in which a command is decided and evolved."""
    this.spent = 0.0
    asked = rounds(this, 10)
    return this.spent / asked


def one_copy() -> float:
    """Seconds in which a dictionary of a hundred entries is copied."""
    accounts, began = {f"account {number}": number for number in range(100)}, process_time()
    for _ in range(COPIES):
        dict(accounts)
    return (process_time() - began) / COPIES


def main() -> None:
    this = table()
    rounds(this, 5)
    passes = [(one_command(this), one_copy()) for _ in range(PASSES)]
    command, copy = (min(times) for times in zip(*passes, strict=True))
    print(f"one command through decide and evolve: {command * 1e6:.1f} microseconds of the processor")
    print(f"that is {command / copy:.0f} copies of a dictionary of 100 entries, {copy * 1e6:.2f} microseconds each")


if __name__ == "__main__":
    main()
