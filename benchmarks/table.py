"""A table with 30 players: one command through `decide` and `evolve`, beside copying a dictionary.

Baccarat first, by which it is bound; then roulette, craps and blackjack, each with a wager of everybody and the whole
ceremony of a round (at blackjack the seven boxes take three players each, so that twenty-one of the thirty bet).

What is measured is what a house does with a command that it has read: decided, made into lines, and the table after
them.  (`LiveTable` also checks the kinds of what a person typed at a prompt; a house reads those off the wire.)  The
unit of work is a copy of a dictionary of 100 entries, made in the same run on the same machine: a table that did
nothing but keep its balances would cost that much.  Both are the best of several passes, since other work on the
machine can only make a pass slower.  The clock of the processor is asked twice for each command and is a call of the
system: what it takes by itself is measured in the same run and not counted.

Run: `.venv/bin/python -m benchmarks.table`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle
from time import process_time

from croupier.errors import Refused
from croupier.game import Choose, Deal, Perform, Refusal, Roll, Spin
from croupier.law.officials import DEALER, PLAYER
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


@dataclass(frozen=True, slots=True)
class Played:
    """How a game is played here: its rules, how many sit, what each player backs, what chance brings in each round."""

    edition: str
    version: str
    seats: int
    wagers: Callable[[int], c.PlaceWager]
    chance: tuple[str, ...]
    bettors: int = PLAYERS


def _backs(number: int, on: str, box: int = 1) -> c.PlaceWager:
    return c.PlaceWager(f"p{number}", on, 10_000, box=box)


GAMES = {
    "baccarat": Played(
        "nzd5", "full", 14, lambda n: _backs(n, "banker" if n % 3 else "player"), ("2h", "3d", "Kc", "Qs", "8h")
    ),
    "roulette": Played("nz1996", "", 20, lambda n: _backs(n, "red" if n % 3 else f"straight:{n}"), ("17",)),
    "craps": Played("nz1996", "", 20, lambda n: _backs(n, "pass" if n % 3 else "dont_pass"), ("3-4",)),
    "blackjack": Played(
        "nz1996", "", 7, lambda n: _backs(n, "main", n % 7 + 1), ("2h", "3d", "Kc", "Qs", "8h", "9d", "5c"), 21
    ),
}


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


def table(name: str = "table 1", game: str = "baccarat") -> Timed:
    """Chips on a layout: some sit, the others stand."""
    how = GAMES[game]
    this = Timed(
        known_game(game), ruleset(how.edition, game=game, **({"version": how.version} if how.version else {})), name
    )
    this.open(minimum=500, maximum=1_000_000, chip=100, **({"players_per_area": 3} if game == "blackjack" else {}))
    for number in range(PLAYERS):
        this.sit(f"p{number}", number + 1 if number < how.seats else 0, chips=100_000_000)
    return this


def rounds(this: LiveTable, count: int, *, keep: bool = False) -> int:
    """So many rounds with a wager of every player; answers how many commands that took."""
    asked, how = 0, GAMES[this.state.game.name]
    for _ in range(count):
        for number in range(how.bettors):
            wager = how.wagers(number)
            this.ask(wager, role=PLAYER, by=wager.player)
        asked += how.bettors
        chance = cycle(how.chance)
        number_now = this.state.number
        while this.state.number == number_now:
            _go_on(this, chance)
            asked += 1
        if not keep:
            this.journal.clear()
    return asked


def _go_on(this: LiveTable, chance: Iterator[str]) -> None:
    """What is due happens."""
    due = this.state.due
    match due:
        case Deal() | Roll() | Spin():
            this.tell(next(chance))
        case Perform():
            this.act(due)
        case Choose(by=by, options=options, box=box, hand=hand):
            this.tell({"choose": options[-1], "by": by} | ({"box": box, "hand": hand} if box else {}))
        case _:
            raise AssertionError(due)


def one_command(this: Timed) -> float:
    """Seconds in which a command is decided and evolved."""
    this.spent = 0.0
    asked = rounds(this, 10)
    return this.spent / asked


def one_reading() -> float:
    """Seconds that are measured where nothing is done between two looks at the clock."""
    spent = 0.0
    for _ in range(COPIES):
        began = process_time()
        spent += process_time() - began
    return spent / COPIES


def one_copy() -> float:
    """Seconds in which a dictionary of a hundred entries is copied."""
    accounts, began = {f"account {number}": number for number in range(100)}, process_time()
    for _ in range(COPIES):
        dict(accounts)
    return (process_time() - began) / COPIES


def main() -> None:
    for game in GAMES:
        this = table(game=game)
        rounds(this, 5)
        passes = [(one_command(this), one_copy(), one_reading()) for _ in range(PASSES)]
        measured, copy, reading = (min(times) for times in zip(*passes, strict=True))
        command = measured - reading
        print(
            f"{game}: one command through decide and evolve: {command * 1e6:.1f} microseconds of the processor"
            f" ({reading * 1e6:.2f} more with the clock)"
        )
        print(f"that is {command / copy:.0f} copies of a dictionary of 100 entries, {copy * 1e6:.2f} microseconds each")


if __name__ == "__main__":
    main()
