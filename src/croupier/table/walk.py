"""A table that plays itself: the real rules, with chance from a seed.

Theory of operation.  A `Walk` is a live table and a source of chance.  `step` answers what is due as the usual people
would, by the one `Walker`; `prepare` lets players bet.  Everything goes through `decide` and `after` as at any table,
so nothing can be shown or proved here that a table would not do.  Chance is SHA-256 over the seed and a counter: the
same seed is the same play, on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from croupier.answers.walker import Stack, Walker, modest_first, teller
from croupier.equipment import Card, below_from_bits, shuffled
from croupier.game import AnyGame, Chosen, Deal, Over, Perform, Plain, Refusal, Roll
from croupier.law.officials import DEALER, GAME_SUPERVISOR, PLAYER
from croupier.law.ruleset import Ruleset
from croupier.notation import write_fact
from croupier.once import replace
from croupier.rulesets import known_game
from croupier.table.betting.offers import betting
from croupier.table.commands import AnyCommand, BuyChips, OpenTable, PlaceWager, Sit, TableRequest, Tell
from croupier.table.decide import decide
from croupier.table.events import Events, TableEntry
from croupier.table.evolve import after, entries
from croupier.table.state import Table, new_table

PLAYERS: Final = ("Ann", "Bob", "Cid")
AMOUNTS: Final = (1_000, 1_500, 2_000, 2_500, 5_000)
CHIPS: Final = 10_000_000
SIGN_KINDS: Final = {"super_sevens": (500, 500), "jackpot": (100, 100)}
TRIES = 6
SEATS = 5
IDLE_ONE_IN = 7
"""Now and then nobody bets on a round, so that what the law says of it can be asked."""


@dataclass(slots=True)
class Chance:
    """Random numbers that follow from a text."""

    seed: str
    drawn: int = 0

    def bits(self, width: int) -> int:
        self.drawn += 1
        digest = sha256(f"croupier training {self.seed} {self.drawn}".encode()).digest()
        return int.from_bytes(digest) >> (256 - width)

    def below(self, n: int) -> int:
        return below_from_bits(n, self.bits)

    def one_in(self, n: int) -> bool:
        return self.below(n) == 0

    def pick(self, items: Any) -> Any:
        return items[self.below(len(items))]

    def mix(self, items: Any) -> tuple[Any, ...]:
        return shuffled(tuple(items), self.below)

    def prefer(self, options: Sequence[Chosen]) -> list[Chosen]:
        """What players like: two times in three what puts no money down, else anything."""
        return modest_first(options) if self.below(3) else list(self.mix(options))


def walker(game: AnyGame, rules: Any, chance: Chance) -> Walker:
    """Somebody to answer what is due in a game, with a stack that is mixed."""
    stack = Stack(max(1, game.decks(rules)))
    stack.mix(chance.below)
    return Walker(stack, chance.below, chance.prefer)


def opening(table: Table, **more: Any) -> OpenTable:
    """How such a table is opened: every sign that the law wants, and as many seats as it lets there be."""
    ruleset = table.ruleset
    wagers, elections = table.game.wagers(ruleset.rules), ruleset.elections
    law = table.procedure.seats(ruleset.rules)
    shuffler = elections.get("shuffler", elections.get("device")) in ("continuous", "shuffler")
    return OpenTable(
        minimum=500,
        maximum=50_000,
        chip=100,
        kinds={kind: limits for kind, limits in SIGN_KINDS.items() if kind in wagers},
        super_sevens=500,
        jackpot=(500_000, 100),
        signs=tuple(law.value for law in table.layout.notices.values()),
        seats=SEATS if law is None else min(SEATS, law.value[-1]),
        supplies="shuffler" if shuffler else "shoe",
        supervisor="Sue",
        **more,
    )


@dataclass(slots=True)
class Walk:
    """A table in play, and whoever plays it.

    `journal` is all that was written down; `game` is another than the one of that name, for who wants to try one.
    """

    ruleset: Ruleset[Any]
    chance: Chance
    table: Table = field(init=False)
    walker: Walker = field(init=False)
    betted: int = 0
    idle: int = 0
    journal: list[TableEntry] = field(default_factory=list)
    game: AnyGame | None = None

    def __post_init__(self) -> None:
        game = self.game or known_game(self.ruleset.game)
        self.table = new_table("training", game, self.ruleset)
        self.walker = walker(game, self.ruleset.rules, self.chance)
        self.ask(opening(self.table), role=GAME_SUPERVISOR)
        for seat, name in enumerate(PLAYERS, 1):
            self.ask(Sit(name, seat))
            self.ask(BuyChips(name, CHIPS))

    def fork(self) -> Walk:
        """The same table, which goes on by itself."""
        other = copy(self)
        other.chance, other.journal = copy(self.chance), list(self.journal)
        other.walker = replace(self.walker.fork(), below=other.chance.below, prefers=other.chance.prefer)
        return other

    @property
    def upcoming(self) -> Card | None:
        """The next card of the shoe."""
        return self.walker.stack.upcoming

    # ---------------------------------------------------------------- asking

    def ask(self, what: AnyCommand, *, by: str = "", role: str = DEALER) -> Events | Refusal:
        """The events that follow, which then have happened; or the refusal, and nothing has."""
        request = TableRequest(what, by or role, role, 0)
        events = decide(self.table, request)
        if not isinstance(events, Refusal):
            lines: tuple[TableEntry, ...] = tuple(entries(self.table, request, events))
            self.table = after(self.table, lines)
            self.journal += lines
        return events

    def would(self, fact: Any, *, role: str = DEALER) -> Events | Refusal:
        """What the table would answer to a fact; nothing happens."""
        return decide(self.table, TableRequest(Tell(fact), role, role, 0))

    # ---------------------------------------------------------------- going on

    def prepare(self) -> None:
        """Let players bet where they still can, so that what is due is due with wagers on the table."""
        due, number = self.table.due, self.table.number
        shut = isinstance(due, Perform) and betting(self.table).state == "closing"
        if number in (self.betted, self.idle) and not isinstance(due, Over) and not (shut and number != self.idle):
            return
        if shut and number != self.betted and self._nobody_bets():
            self.idle = number
            return
        placed = [self._bet(name, seat) for seat, name in enumerate(PLAYERS, 1)]
        if any(placed) and (shut or isinstance(self.table.due, Roll | Deal)):
            self.betted = number

    def _nobody_bets(self) -> bool:
        """Whether this round goes without wagers, which the law must allow."""
        return self.chance.one_in(IDLE_ONE_IN) and any(
            not isinstance(self.would(write_fact(fact), role=teller(fact)), Refusal) for fact in self.facts()
        )

    def _bet(self, name: str, seat: int) -> bool:
        """One wager of a player who has none, if one is to be had; one that is void as a whole is none.

        Where nothing is due before a wager, one that the last round left over is not enough: a jackpot wager waits for
        an ante.
        """
        own = [wager.number for wager in self.table.round.standing if wager.by == name]
        carried = {wager.number for wager in self.table.carried}
        if own and not (isinstance(self.table.due, Over) and carried.issuperset(own)):
            return True
        wagers = self.table.game.wagers(self.ruleset.rules)
        first = wagers[:3] if self.chance.below(3) else wagers
        for _ in range(TRIES):
            on, amount = self.chance.pick(first), self.chance.pick(AMOUNTS)
            stake = SIGN_KINDS.get(on, (amount,))[0]
            placed = self.ask(PlaceWager(name, on, stake, box=seat), by=name, role=PLAYER)
            if not isinstance(placed, Refusal) and any(wager.by == name for wager in self.table.round.standing):
                self._beside(name, seat)
                return True
        return False

    def _beside(self, name: str, seat: int) -> None:
        """The side wager of a box, now and then."""
        for on in SIGN_KINDS:
            if on in self.table.game.wagers(self.ruleset.rules) and self.chance.one_in(2):
                self.ask(PlaceWager(name, on, SIGN_KINDS[on][0], box=seat), by=name, role=PLAYER)

    def facts(self) -> list[Plain]:
        """What answers what is due, in the order in which to try it."""
        return list(self.walker.facts(self.table.attended))

    def step(self) -> tuple[Any, Events | Refusal]:
        """What is due happens: the fact as it was told, and what followed."""
        this = self.table.attended
        result: tuple[Any, Events | Refusal] = ("", Refusal("nobody bets", self.table.due.rule))
        for fact in self.facts():
            written = write_fact(fact)
            result = written, self.ask(Tell(written), role=teller(fact))
            if not isinstance(result[1], Refusal):
                self.walker.took(this, fact)
                break
        return result
