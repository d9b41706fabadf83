"""Rounds and tables that play themselves, and everything that can be declared to have gone wrong in them.

Theory of operation.  There are two ways to play.  A `Hearing` is a round as an adjudication has it: cards, dice and
choices, without ceremony.  A `Sitting` is a live table with its ceremony and its money, played as a lesson plays it.
Both answer what is due with legal facts, can be copied at any moment, and know when they are at an end.

`declarations` makes every declaration of every circumstance of a game that its fields leave open, sensible or not; what
the rules refuse is no concern here, whatever they rule on must leave the game alive.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Final

from croupier.equipment import CARDS, Card
from croupier.game import (
    AnyGame,
    CardSeen,
    Choose,
    Chosen,
    Deal,
    Demand,
    DiceFell,
    Fact,
    Irregular,
    Over,
    Perform,
    Performed,
    Refusal,
    Remedy,
    Roll,
    Ruling,
    Spin,
    Void,
    Wager,
    say,
)
from croupier.house.training_mistakes import CARD, FIELDS, FOUND, SEEN, TO
from croupier.house.training_walk import Chance, Walk
from croupier.law.ruleset import Ruleset
from croupier.notation import write_fact
from croupier.prove.table_driver import Broken, check_money, check_settlements
from croupier.round import AnyRound, Entry, happen, next_round, open_round, place, settle
from croupier.table.commands import Tell
from croupier.table.desk import replay
from croupier.table.events import WagerSettled, encode
from croupier.table.general import CASINO_MANAGER, LADDER
from croupier.table.state import snapshot

MOST_FACTS: Final = 400
"""Facts within which a round must come to its end; the longest opening has some fifty acts, a round some forty."""
MOST_ROUNDS: Final = 12
"""Rounds through which a wager may be carried: a Run has up to six coups, and void ones do not count."""
MOST_REFUSALS: Final = 3
MOST_TROUBLE: Final = 4
"""What goes wrong on one way to the end, at most: a game that is disturbed for ever has none."""
BOXES: Final = (1, 2, 3)
STAKE: Final = 2_000
CARRIED: Final = ("_run_", "jackpot")
"""Wagers that the end of a round may leave open; at craps every wager waits for its number."""
SHOWN_LYING: Final = ("caribbean_stud",)
"""Games in which something can be said of a card that lies where it belongs."""
LEAVES_OVER: Final = ("baccarat",)
"""Games in which a ruling may say how the next round begins."""


# ---------------------------------------------------------------- what can be declared


def declarations(
    game: AnyGame, rules: Any, felt: Any, *, card: Card, standing: tuple[Wager, ...], only: str = ""
) -> list[Irregular]:
    """Every declaration of all circumstances, or one, that the game rules on in this position; alike ones once."""
    game = replace(game, circumstances={only: only}) if only else game
    found: dict[tuple[object, ...], Irregular] = {}
    for it in _every(game, rules, felt, card, standing):
        ruling = game.rule_on(rules, felt, it)
        if isinstance(ruling, Ruling):
            alike = (it.circumstance, ruling.remedy, ruling.rule, ruling.facts, ruling.next, ruling.by, _whose(it))
            found.setdefault(alike, it)
    return list(found.values())


def _whose(it: Irregular) -> str:
    """A void wager is ordered by no fact: the declaration itself names it."""
    return it.to if it.circumstance == "straddling_chip" else ""


def _every(game: AnyGame, rules: Any, felt: Any, card: Card, standing: tuple[Wager, ...]) -> Iterator[Irregular]:
    out = _out(felt)
    for circumstance in game.circumstances:
        tells = FIELDS.get(game.name, {}).get(circumstance, ())
        lying = (*out[:1], *out[-1:]) if game.name in SHOWN_LYING else ()
        cards: tuple[Card | None, ...] = (None, card, *lying) if CARD in tells else (None,)
        places = _places(game, felt, circumstance, standing) if TO in tells else ("",)
        seen = (False, True) if SEEN in tells else (False,)
        calls = _calls(rules, circumstance)
        for one, to, disclosed, call, by in product(
            dict.fromkeys(cards), places, seen, calls, _officials(circumstance)
        ):
            for found in _orders(out, one) if FOUND in tells else ((),):
                yield Irregular(circumstance, one, to, disclosed, found, call, by)


def _out(felt: Any) -> tuple[Card, ...]:
    """The cards on the layout."""
    if hasattr(felt, "cards"):
        return tuple(felt.cards)
    return (*getattr(felt, "player", ()), *getattr(felt, "banker", ()))


def _orders(out: tuple[Card, ...], card: Card | None) -> tuple[tuple[Card, ...], ...]:
    """No cards; those that are out, with the one concerned, as they lie or the first of them last."""
    with_it = (*out, *(() if card is None else (card,)))
    turned = (*with_it[2:], *with_it[:2])
    return tuple(dict.fromkeys(((), with_it, turned)))


PLACES: Final[dict[str, tuple[str, ...]]] = {
    "tilted_die": ("4-r2", "r5-6", "r3-1"),
    "dice_lost": ("", "1", "2"),
    "baccarat": ("", "player", "banker"),
}


def _places(game: AnyGame, felt: Any, circumstance: str, standing: tuple[Wager, ...]) -> tuple[str, ...]:
    if circumstance in PLACES:
        return PLACES[circumstance]
    if circumstance == "straddling_chip":
        return tuple(dict.fromkeys(("", *(wager.on for wager in standing))))
    if game.name in PLACES:
        return PLACES[game.name]
    boxes = getattr(felt, "boxes", None)
    if boxes is None:
        return ("",)
    hands = [f"box {box.number} hand {hand.number}" for box in boxes for hand in getattr(box, "hands", ())]
    empty = [f"box {number}" for number in (*BOXES, 4, 5) if number not in {box.number for box in boxes}][:1]
    return ("", *(f"box {box.number}" for box in boxes), *hands, "dealer", *empty)


CALLS: Final[dict[str, tuple[str, ...]]] = {
    "wrong_count": ("4", "5", "6"),
    "stray_cards": ("2", "5"),
    "deck_count": ("51", "52", "53"),
    "face_disputed": ("void", "4-3", "6-2", "5-5"),
    "wrong_call": ("no_roll", "4-3", "6-2", "5-5"),
    "wrong_third_card": ("", "shoe ended"),
    "excess_card": ("", "shoe ended"),
    "misplaced_card": ("", "void"),
}
"""Decisions and counts that the cases do not name as words."""


def _calls(rules: Any, circumstance: str) -> tuple[str, ...]:
    """No decision, and every one that a case of the edition asks for or announces."""
    if circumstance in CALLS:
        return CALLS[circumstance]
    common = getattr(rules, "common", rules)
    cases = getattr(common, "irregularities", {}).get(circumstance, ())
    atoms = [atom for law in cases for atom in law.value.when.split(", ")]
    asked = [atom.removeprefix("call ") for atom in atoms if atom.startswith("call ")]
    return tuple(dict.fromkeys(("", *asked, *filter(None, (getattr(law.value, "call", "") for law in cases)))))


def _officials(circumstance: str) -> tuple[str, ...]:
    return ("", *LADDER[1:]) if circumstance == "wrong_call" else ("",)


def _more(play: Hearing | Sitting, trouble: int) -> None:
    """Now and then something else goes wrong as well: about so many times in a hundred facts."""
    if len(play.trail) < MOST_TROUBLE and trouble and play.chance.below(100) < trouble:
        possible = play.declared()
        if possible:
            play.declare(play.chance.pick(possible))


# ---------------------------------------------------------------- a round as it is adjudicated


@dataclass(slots=True)
class Hearing:
    """A round in play without ceremony, its shoe (the next card last), and what has happened in it so far."""

    ruleset: Ruleset[Any]
    game: AnyGame
    chance: Chance
    round: AnyRound = field(init=False)
    shoe: list[Card] = field(default_factory=list)
    start: AnyRound = field(init=False)
    facts: list[Fact] = field(default_factory=list)
    rounds: int = 1
    trail: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        decks = max(1, self.game.decks(self.ruleset.rules))
        self.shoe = list(self.chance.mix(tuple(range(CARDS)) * decks))
        self.round = _staked(open_round(self.game, self.ruleset.rules))
        self.start = self.round

    def fork(self) -> Hearing:
        other = copy(self)
        other.chance, other.shoe, other.facts = copy(self.chance), list(self.shoe), list(self.facts)
        return other

    @property
    def due(self) -> Demand:
        return self.round.due

    @property
    def ended(self) -> bool:
        """Nothing is due and no wager of this round is open."""
        return self.round.over

    def key(self) -> str:
        return f"{self.round.state}{self.round.book}{self.round.following}{len(self.shoe)}"

    def declared(self, only: str = "") -> list[Irregular]:
        this, card = self.round, self._upcoming()
        return declarations(self.game, this.rules, this.state, card=card, standing=this.standing, only=only)

    def _upcoming(self) -> Card:
        return self.shoe[-1] if self.shoe else 0

    def declare(self, it: Irregular) -> Ruling | Refusal:
        """Let it be ruled on; its card comes from the shoe."""
        ruling, due = self.game.rule_on(self.round.rules, self.round.state, it), self.due
        refusal = self._happen(it)
        if refusal:
            return refusal
        self.trail += (f"{it.circumstance} {it.to} {it.call} at {say(due)}",)
        if it.card is not None and self.shoe[-1:] == [it.card]:
            self.shoe.pop()
        return ruling

    def _happen(self, fact: Fact) -> Refusal | None:
        after = happen(self.round, fact)
        if isinstance(after, Refusal):
            return after
        self.facts.append(fact)
        self.round = after
        return None

    def step(self) -> None:
        """What is due happens; the next round is begun where wagers wait for it."""
        due = self.due
        if isinstance(due, Over):
            self._turn(due)
            return
        refusal: Refusal | None = None
        for fact in self._answers(due):
            refusal = self._happen(fact)
            if refusal is None:
                return
        raise Broken(f"nothing answers {say(due)}: {refusal.reason if refusal else 'no answer is known'}")

    def _turn(self, due: Over) -> None:
        left = [wager.on for wager in self.round.standing if not _may_wait(self.game, wager)]
        if left:
            raise Broken(f"the round is over ({due.rule}) and {', '.join(left)} still open")
        self.rounds += 1
        if self.rounds > MOST_ROUNDS:
            raise Broken(f"{[wager.on for wager in self.round.standing]} still open after {MOST_ROUNDS} rounds")
        self._check_replay()
        self.round = _staked(next_round(self.round), again=True)
        self.start, self.facts = self.round, []

    def _answers(self, due: Demand) -> Iterator[Fact]:
        match due:
            case Deal():
                exposed = getattr(self.round.state, "exposed", None)
                if self.game.name == "blackjack" and exposed is not None:
                    yield CardSeen(exposed)
                yield CardSeen(self.shoe.pop() if self.shoe else self.chance.below(CARDS))
            case Choose(by=by, options=options):
                for option in (*self.chance.mix(options), *options):
                    yield from (Chosen(option, by=by, hand=hand) for hand in (0, 1, 2, 3))
            case Perform(act=act, by=by):
                yield Performed(act, by)
            case Roll() | Spin():
                assert self.game.chances is not None
                called = getattr(getattr(self.round.state, "call", None), "faces", ())
                yield DiceFell(called) if called else self.game.chances(self.round.rules).draw(self.chance.below)
            case Over():
                return

    def finish(self, trouble: int = 0) -> None:
        """Play on to the end, which must come; every wager is decided once, and the facts lead there again."""
        for _ in range(MOST_FACTS):
            if self.ended:
                break
            _more(self, trouble)
            self.step()
        else:
            raise Broken(f"no end after {MOST_FACTS} facts: {say(self.due)}")
        for entry in self.round.book:
            money = settle(entry, self.game.rounding(self.round.rules), self.round.sign.chip)
            staked = entry.wager.stake_cents + entry.wager.voided_cents + entry.wager.fee_cents
            if money.result in ("void", "standoff") and money.returned_cents + entry.wager.fee_cents < staked:
                raise Broken(f"{entry.wager.on} came to nothing and {money.returned_cents} of {staked} went back")
        self._check_replay()

    def _check_replay(self) -> None:
        again = self.start
        for fact in self.facts:
            after = happen(again, fact)
            if isinstance(after, Refusal):
                raise Broken(f"replayed, {fact} is refused: {after.reason}")
            again = after
        if again != self.round:
            raise Broken("replayed, the same facts lead to another end")


def _may_wait(game: AnyGame, wager: Wager) -> bool:
    return game.name == "craps" or any(part in wager.on for part in CARRIED)


def _staked(this: AnyRound, *, again: bool = False) -> AnyRound:
    """The round with one wager of each kind, as far as they are taken; later rounds have the main ones only."""
    names = this.game.wagers(this.rules)
    kinds = {name.partition(":")[0]: name for name in reversed(names)}
    for box in BOXES:
        for name in names[:2] if again else reversed(kinds.values()):
            placed = place(this, (Wager(name, STAKE, by=f"seat {box}", box=box),))
            this = this if isinstance(placed, Refusal) else placed
    return this


# ---------------------------------------------------------------- a live table


def _is_decided(entry: Entry) -> bool:
    return entry.resolution is not None and not isinstance(entry.resolution, Void)


@dataclass(slots=True)
class Sitting:
    """A live table in play; `held` are the wagers that a ruling made void and must give back."""

    walk: Walk
    began: int = 1
    held: frozenset[int] = frozenset()
    trail: tuple[str, ...] = ()

    def fork(self) -> Sitting:
        walk = copy(self.walk)
        walk.chance, walk.shoe, walk.journal = copy(walk.chance), list(walk.shoe), list(walk.journal)
        return replace(self, walk=walk)

    @property
    def due(self) -> Demand:
        return self.walk.table.due

    @property
    def chance(self) -> Chance:
        return self.walk.chance

    def key(self) -> str:
        table = self.walk.table
        return f"{table.round.state}{table.round.book}{table.following}{table.number}{len(self.walk.shoe)}"

    def declared(self, only: str = "") -> list[Irregular]:
        walk, table = self.walk, self.walk.table
        card = walk.shoe[-1] if walk.shoe else 0
        standing = table.round.standing
        return declarations(table.game, walk.ruleset.rules, walk.felt, card=card, standing=standing, only=only)

    def declare(self, it: Irregular) -> Ruling | Refusal:
        """Let it be ruled on at the table, by whoever may say so."""
        walk = self.walk
        ruling = walk.table.game.rule_on(walk.ruleset.rules, walk.felt, it)
        book, due = walk.table.round.book, self.due
        events = walk.ask(Tell(write_fact(it)), role=CASINO_MANAGER)  # type: ignore[arg-type]
        if isinstance(events, Refusal):
            return events
        self.trail += (f"{it.circumstance} {it.to} {it.call} at {say(due)}",)
        if it.card is not None and walk.shoe[-1:] == [it.card]:
            walk.draw()
        self.began = walk.table.number
        if isinstance(ruling, Ruling) and ruling.remedy is Remedy.VOID_ROUND:
            carried = {entry.wager.number for entry in book if _may_wait(walk.table.game, entry.wager)}
            self.held = frozenset(entry.wager.number for entry in book) - carried
        return ruling

    def step(self) -> None:
        """What is due happens, with players betting where they can."""
        refusal: Refusal | None = None
        for _ in range(MOST_REFUSALS):
            self.walk.prepare()
            _, events = self.walk.step()
            if not isinstance(events, Refusal):
                return
            refusal = events
        raise Broken(f"{say(self.due)} cannot be done: {refusal.reason if refusal else ''}")

    def finish(self, trouble: int = 0) -> None:
        """Play to the end of this round and of the next; then the books and the journal must be in order."""
        for _ in range(MOST_FACTS):
            if self._played_on():
                break
            _more(self, trouble)
            self.step()
        else:
            raise Broken(f"no end of round {self.walk.table.number} after {MOST_FACTS} facts: {say(self.due)}")
        table, journal = self.walk.table, self.walk.journal
        check_money(table, "the round")
        check_settlements(table, journal)
        again = replay(table.game, table.ruleset, [encode(line) for line in journal], table.name)
        if snapshot(again) != snapshot(table):
            raise Broken("a replayed journal leads to another table")
        self._check_returned()

    def _played_on(self) -> bool:
        """Whether the round came to its end and the next is in play; where one leaves something to the next, over."""
        table, due = self.walk.table, self.due
        unsettled = [entry.wager.on for entry in table.round.book if _is_decided(entry)]
        if isinstance(due, Roll | Spin) and unsettled:
            raise Broken(f"{say(due)} although {', '.join(unsettled)} was decided and is not settled")
        if table.game.name in LEAVES_OVER:
            return table.number >= self.began + 2
        return table.number > self.began and isinstance(due, Deal | Roll | Spin)

    def _check_returned(self) -> None:
        ended = {line.event.number: line.event for line in self.walk.journal if isinstance(line.event, WagerSettled)}
        for number in self.held:
            if number not in ended or ended[number].result not in ("void", "standoff"):
                how = ended[number].result if number in ended else "not settled"
                raise Broken(f"the round was void, but wager {number} is {how}")
