"""A table that plays itself for a lesson: the real rules, with chance from a seed.

Theory of operation.  A `Walk` is a live table and a source of chance.  `step` answers what is due as the usual people
would: staff do their acts, the shoe or the dice give what they give, players bet and choose.  Everything goes through
`decide` and `after` as at any table, so a lesson can show nothing that a table would not do.  Chance is SHA-256 over
the seed and a counter: the same seed is the same lesson, on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from croupier.equipment import CARDS, Card, below_from_bits, card_name, shuffled
from croupier.game import AnyGame, Choose, Deal, Over, Perform, Refusal, Roll, Spin
from croupier.law.ruleset import Ruleset
from croupier.notation import write_fact
from croupier.rulesets import known_game
from croupier.table.commands import AnyCommand, BuyChips, OpenTable, PlaceWager, Request, Sit, Tell
from croupier.table.decide import decide
from croupier.table.events import Entry, Events
from croupier.table.evolve import after, entries
from croupier.table.general import DEALER, GAME_SUPERVISOR, LADDER, PLAYER
from croupier.table.state import Table, new_table

PLAYERS: Final = ("Ann", "Bob", "Cid")
AMOUNTS: Final = (1_000, 1_500, 2_000, 2_500, 5_000)
MIXED: Final = ("shuffle", "wash", "mix again", "riffle", "remove cards", "replace cards", "turn down, stack")
INSERTED, CUTTING_CARD = "insert cutting card", "cutting card"
MODEST: Final = ("decline", "stand", "ride", "refuse", "pass")
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


@dataclass(slots=True)
class Walk:
    """A table in play, its shoe (the next card last), and how many cards lie behind the cutting card.

    `journal` is all that was written down; `game` is another than the one of that name, for who wants to try one.
    """

    ruleset: Ruleset[Any]
    chance: Chance
    table: Table = field(init=False)
    shoe: list[Card] = field(default_factory=list)
    behind: int | None = None
    betted: int = 0
    idle: int = 0
    journal: list[Entry] = field(default_factory=list)
    game: AnyGame | None = None

    def __post_init__(self) -> None:
        game = self.game or known_game(self.ruleset.game)
        self.table = new_table("training", game, self.ruleset)
        self.shuffle()
        self._open()

    # ---------------------------------------------------------------- asking

    def ask(self, what: AnyCommand, *, by: str = "", role: str = DEALER) -> Events | Refusal:
        """The events that follow, which then have happened; or the refusal, and nothing has."""
        request = Request(what, by or role, role, 0)
        events = decide(self.table, request)
        if not isinstance(events, Refusal):
            lines: tuple[Entry, ...] = tuple(entries(self.table, request, events))
            self.table = after(self.table, lines)
            self.journal += lines
        return events

    def would(self, fact: Any, *, role: str = DEALER) -> Events | Refusal:
        """What the table would answer to a fact; nothing happens."""
        return decide(self.table, Request(Tell(fact), role, role, 0))

    def _open(self) -> None:
        wagers = self.table.game.wagers(self.ruleset.rules)
        elections, law = self.ruleset.elections, self.table.procedure.seats(self.ruleset.rules)
        shuffler = elections.get("shuffler", elections.get("device")) in ("continuous", "shuffler")
        self.ask(
            OpenTable(
                minimum=500,
                maximum=50_000,
                chip=100,
                kinds={kind: limits for kind, limits in SIGN_KINDS.items() if kind in wagers},
                super_sevens=500,
                jackpot=(500_000, 100),
                signs=tuple(law.value for law in self.table.layout.notices.values()),
                seats=SEATS if law is None else min(SEATS, law.value[-1]),
                supplies="shuffler" if shuffler else "shoe",
                supervisor="Sue",
            ),
            role=GAME_SUPERVISOR,
        )
        for seat, name in enumerate(PLAYERS, 1):
            self.ask(Sit(name, seat))
            self.ask(BuyChips(name, 10_000_000))

    # ---------------------------------------------------------------- going on

    def prepare(self) -> None:
        """Let players bet where they still can, so that what is due is due with wagers on the table."""
        due, number = self.table.due, self.table.number
        shut = isinstance(due, Perform) and ("No more bets" in due.act or "close betting" in due.act)
        if number in (self.betted, self.idle) and not isinstance(due, Over) and not (shut and number != self.idle):
            return
        if isinstance(due, Perform) and shut and number != self.betted and self._nobody_bets(due):
            self.idle = number
            return
        placed = [self._bet(name, seat) for seat, name in enumerate(PLAYERS, 1)]
        if any(placed) and (shut or isinstance(self.table.due, Roll | Deal)):
            self.betted = number

    def _nobody_bets(self, due: Perform) -> bool:
        """Whether this round goes without wagers, which the law must allow."""
        idle = self.chance.one_in(IDLE_ONE_IN)
        return idle and not isinstance(self.would(self.act_fact(due.act, due.by)), Refusal)

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

    def step(self) -> tuple[Any, Events | Refusal]:
        """What is due happens: the fact as it was told, and what followed."""
        match self.table.due:
            case Perform(act=act, by=by):
                return self._act(act, by)
            case Deal():
                return self._deal()
            case Choose(by=by, options=options):
                return self._choose(by, options)
            case Roll() | Spin():
                return self._tell(self._fallen())
            case Over(rule=rule):
                return "", Refusal("nobody bets", rule)

    def _fallen(self) -> str:
        """What dice, ball or wheel show: what was called of them, if anything was."""
        called = getattr(getattr(self.felt, "call", None), "faces", ())
        if called:
            return "-".join(map(str, called))
        assert self.table.game.chances is not None
        return str(write_fact(self.table.game.chances(self.ruleset.rules).draw(self.chance.below)))

    def _tell(self, fact: Any, role: str = DEALER) -> tuple[Any, Events | Refusal]:
        return fact, self.ask(Tell(fact), role=role)

    def act_fact(self, act: str, by: str) -> dict[str, Any]:
        """An act as it is usually done."""
        card = card_name(self.shoe[-1]) if self.shoe else "5s"
        detail = self.table.procedure.usual(self.ruleset.rules, self.table.round.state, act, card)
        return {"perform": act, "by": by} | ({} if detail == "" else {"detail": detail})

    def _act(self, act: str, by: str) -> tuple[Any, Events | Refusal]:
        if act.startswith(MIXED):
            self.shuffle()
        fact = self.act_fact(act, by)
        told = self._tell(fact, by if by in LADDER else DEALER)
        detail = fact.get("detail")
        if act == "burn face up":
            self.draw()
        if act == "burn face down":
            for _ in range(detail if isinstance(detail, int) else 1):
                self.draw()
        if act == INSERTED and isinstance(detail, int):
            self.behind = detail
        return told

    def _deal(self) -> tuple[Any, Events | Refusal]:
        if self.behind is not None and len(self.shoe) <= self.behind:
            self.behind = None
            return self._tell({"perform": CUTTING_CARD, "by": DEALER})
        exposed = getattr(self.felt, "exposed", None) if self.ruleset.game == "blackjack" else None
        if exposed is not None:
            # A card that lies exposed is the next one, wherever it goes.
            told = self._tell(card_name(exposed))
            if not isinstance(told[1], Refusal):
                return told
        return self._tell(card_name(self.draw()))

    def _choose(self, by: str, options: tuple[str, ...]) -> tuple[Any, Events | Refusal]:
        """Any option, the modest ones more often; one that cannot be paid for gives way to the next."""
        modest = tuple(each for each in options if each.startswith(MODEST))
        told: tuple[Any, Events | Refusal] = ("", Refusal("no choice", ""))
        for option in (*self.chance.mix(modest if modest and self.chance.below(3) else options), *options):
            box = [each.number for each in self._boxes() if by in getattr(each, "asked", ())][:1]
            fact = {"choose": option, "by": by} | ({"box": box[0], "hand": 0} if option == "ride" and box else {})
            told = self._tell(fact)
            if not isinstance(told[1], Refusal):
                break
        return told

    def _boxes(self) -> tuple[Any, ...]:
        return tuple(getattr(self.felt, "boxes", ()))

    @property
    def felt(self) -> Any:
        """What lies on the layout."""
        return self.table.procedure.layout(self.ruleset.rules, self.table.round.state)

    # ---------------------------------------------------------------- the shoe

    def shuffle(self) -> None:
        decks = max(1, self.table.game.decks(self.ruleset.rules))
        self.shoe = list(self.chance.mix(tuple(range(CARDS)) * decks))
        self.behind = None

    def draw(self) -> Card:
        if not self.shoe:
            self.shuffle()
        return self.shoe.pop()
