"""Rounds and tables that play themselves while things go wrong in them.

Theory of operation.  There are two ways to play.  A `Hearing` is a round as an adjudication has it: cards, dice and
choices, without ceremony.  A `WalkedTable` is a live table with its ceremony and its money.  In both what is due is
answered by the one `Walker`; both can be copied at any moment, and know when they are at an end.  Whatever the rules
rule on must leave the game alive.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, Final

from croupier.answers.declaring import declarations, unlike
from croupier.answers.walker import Stack, Walker, teller
from croupier.equipment import Card
from croupier.game import (
    NORMAL,
    AnyGame,
    Deal,
    Demand,
    Fact,
    Irregular,
    Over,
    Perform,
    Plain,
    Refusal,
    Remedy,
    Roll,
    Ruling,
    Spin,
    Void,
    Wager,
    say,
)
from croupier.game.kinds import wager_kind
from croupier.journal.entries import encode
from croupier.law.officials import CASINO_MANAGER, PLAYER
from croupier.law.ruleset import Ruleset
from croupier.notation import write_fact
from croupier.prove import terminal_requests
from croupier.prove.table_driver import Broken, check_money, check_settlements
from croupier.round import AnyRound, BookLine, happen, next_round, open_round, place, ruled, settle
from croupier.table.betting.offers import betting
from croupier.table.commands import PlaceWager, Tell
from croupier.table.events import WagerSettled, decode
from croupier.table.evolve import after
from croupier.table.state import Table, new_table, snapshot
from croupier.table.terminals import screens
from croupier.table.terminals.commands import ConfirmSlip
from croupier.table.terminals.slips import unconfirmed
from croupier.table.walk import PLAYERS, SIGN_KINDS, Chance, Walk, walker

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


def _more(play: Hearing | WalkedTable, trouble: int) -> None:
    """Now and then something else goes wrong as well, if it can: about so many times in a hundred facts."""
    if len(play.trail) < MOST_TROUBLE and trouble and play.chance.below(100) < trouble:
        possible = play.declared(play.chance.pick(tuple(play.plays.circumstances)))
        if possible:
            play.declare(play.chance.pick(possible))


# ---------------------------------------------------------------- a round as it is adjudicated


@dataclass(slots=True)
class Hearing:
    """A round in play without ceremony, its shoe (the next card last), and what has happened in it so far."""

    ruleset: Ruleset[Any]
    game: AnyGame
    chance: Chance
    boxes: tuple[int, ...] = BOXES
    round: AnyRound = field(init=False)
    walker: Walker = field(init=False)
    start: AnyRound = field(init=False)
    facts: list[Fact] = field(default_factory=list)
    rounds: int = 1
    trail: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.walker = walker(self.game, self.ruleset.rules, self.chance)
        self.round = _staked(open_round(self.game, self.ruleset.rules), self.boxes)
        self.start = self.round

    def fork(self) -> Hearing:
        other = copy(self)
        other.chance, other.facts = copy(self.chance), list(self.facts)
        other.walker = replace(self.walker.fork(), below=other.chance.below, prefers=other.chance.prefer)
        return other

    @property
    def due(self) -> Demand:
        return self.round.due

    @property
    def position(self) -> AnyRound:
        return self.round

    @property
    def plays(self) -> AnyGame:
        """The game without ceremony."""
        return self.game

    @property
    def stack(self) -> Stack:
        return self.walker.stack

    @property
    def ended(self) -> bool:
        """Nothing is due and no wager of this round is open."""
        return self.round.over

    def key(self) -> Hashable:
        return self.round.state, self.round.book, self.round.following, len(self.walker.stack.left)

    def declared(self, only: str = "", *, of_the_card: bool = False) -> list[Irregular]:
        return unlike(declarations(self.round, self.upcoming, only, of_the_card=of_the_card))

    @property
    def upcoming(self) -> Card | None:
        return self.walker.stack.upcoming

    def declare(self, it: Irregular) -> Ruling | Refusal:
        """Let it be ruled on; its card comes from the shoe."""
        ruling, due = self.game.rule_on(self.round.rules, self.round.state, it), self.due
        refusal = self._happen(it)
        if refusal:
            return refusal
        self.trail += (f"{it.circumstance} {it.to} {it.call} at {say(due)}",)
        self.walker.stack.lose(it.card)
        return ruling

    def _happen(self, fact: Fact) -> Refusal | None:
        after = happen(self.round, fact)
        if isinstance(after, Refusal):
            return after
        self.facts.append(fact)
        self.round = after
        return None

    def tell(self, fact: Plain) -> Refusal | None:
        """Let this happen, which answers what is due."""
        this = self.round
        refusal = self._happen(fact)
        if refusal is None:
            self.walker.took(this, fact)
        return refusal

    def step(self) -> None:
        """What is due happens; the next round is begun where wagers wait for it."""
        self.go_on()

    def go_on(self) -> None:
        due = self.due
        if isinstance(due, Over):
            self._turn(due)
            return
        refusal = None
        for fact in self.walker.facts(self.round):
            refusal = self.tell(fact)
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
        self.check_replay()
        self.round = self.start = _staked(next_round(self.round), self.boxes, again=True)

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
        self.check_replay()

    def check_replay(self) -> None:
        """The facts since the last check lead there again; the next check begins here."""
        again = self.start
        for fact in self.facts:
            after = happen(again, fact)
            if isinstance(after, Refusal):
                raise Broken(f"replayed, {fact} is refused: {after.reason}")
            again = after
        if again != self.round:
            raise Broken("replayed, the same facts lead to another end")
        self.start, self.facts = again, []


def _may_wait(game: AnyGame, wager: Wager) -> bool:
    return game.name == "craps" or any(part in wager.on for part in CARRIED)


def _staked(this: AnyRound, boxes: tuple[int, ...], *, again: bool = False) -> AnyRound:
    """The round with one wager of each kind, as far as they are taken; later rounds have the main ones only."""
    names = this.game.wagers(this.rules)
    kinds = {wager_kind(name): name for name in reversed(names)}
    for box in boxes:
        for name in names[:2] if again else reversed(kinds.values()):
            placed = place(this, (Wager(name, STAKE, by=f"seat {box}", box=box),))
            this = this if isinstance(placed, Refusal) else placed
    return this


# ---------------------------------------------------------------- a live table


def _is_decided(entry: BookLine) -> bool:
    return entry.resolution is not None and not isinstance(entry.resolution, Void)


@dataclass(slots=True)
class WalkedTable:
    """A live table in play; `held` are the wagers that a ruling made void and must give back.

    `leaves`: a ruling said how the next round begins, so that that one is played to its end as well.  `read_back` is
    the table that the journal led to when it was last read back, up to there.
    """

    walk: Walk
    began: int = 1
    held: frozenset[int] = frozenset()
    leaves: bool = False
    trail: tuple[str, ...] = ()
    bettors: tuple[str, ...] = PLAYERS
    read_back: Table = field(init=False)

    def __post_init__(self) -> None:
        table = self.walk.table
        self.read_back = new_table(table.name, table.game, table.ruleset)

    def fork(self) -> WalkedTable:
        other = copy(self)
        other.walk = self.walk.fork()
        return other

    @property
    def due(self) -> Demand:
        return self.walk.table.due

    @property
    def position(self) -> AnyRound:
        return self.walk.table.attended

    @property
    def plays(self) -> AnyGame:
        """The game without ceremony."""
        return self.walk.table.game

    @property
    def stack(self) -> Stack:
        return self.walk.walker.stack

    @property
    def chance(self) -> Chance:
        return self.walk.chance

    @property
    def rounds(self) -> int:
        return self.walk.table.number

    @property
    def ended(self) -> bool:
        """A table has no end by itself."""
        return False

    def with_terminals(self) -> WalkedTable:
        """The table with its terminals paired and with money in them, where the law has terminals."""
        for what, role, _ in terminal_requests.opening(self.walk.table):
            self.walk.ask(what, role=role)
        return self

    def key(self) -> Hashable:
        table, left = self.walk.table, len(self.walk.walker.stack.left)
        waits = table.awaited, table.disputes, table.cases, table.locks, self.held, self.leaves
        return table.round.state, table.round.book, table.following, table.number, left, waits

    def declared(self, only: str = "", *, of_the_card: bool = False) -> list[Irregular]:
        return unlike(declarations(self.walk.table.attended, self.walk.upcoming, only, of_the_card=of_the_card))

    def declare(self, it: Irregular) -> Ruling | Refusal:
        """Let it be ruled on at the table, by whoever may say so."""
        walk, due = self.walk, self.due
        book, ruling = walk.table.round.book, ruled(walk.table.attended, it)
        events = walk.ask(Tell(write_fact(it)), role=CASINO_MANAGER)
        if isinstance(events, Refusal):
            return events
        self.trail += (f"{it.circumstance} {it.to} {it.call} at {say(due)}",)
        walk.walker.stack.lose(it.card)
        assert isinstance(ruling, Ruling)
        self.began, self.leaves = walk.table.number, ruling.next != NORMAL
        if ruling.remedy is Remedy.VOID_ROUND:
            carried = {entry.wager.number for entry in book if _may_wait(walk.table.game, entry.wager)}
            self.held = frozenset(entry.wager.number for entry in book) - carried
        return ruling

    # ------------------------------------------------------------ betting

    @property
    def may_bet(self) -> bool:
        """Whether it is time to bet in this round, which nobody has done yet: at the last moment, or to begin it."""
        walk, due = self.walk, self.due
        if isinstance(due, Over):
            return True
        if walk.table.number in (walk.betted, walk.idle):
            return False
        return isinstance(due, Deal | Roll | Spin) or betting(walk.table).state == "closing"

    def bets(self) -> Iterator[WalkedTable]:
        """Copies on which every kind of wager was tried, some at a time; and one on which nobody bets."""
        table = self.walk.table
        kinds = tuple({wager_kind(name): name for name in table.game.wagers(table.ruleset.rules)}.values())
        for first in range(0, len(kinds), len(self.bettors)):
            other = self.fork()
            other.walk.betted = table.number
            for at, name in enumerate((*self.bettors, *table.terminals)):
                other.bet(name, kinds[(first + at % len(PLAYERS)) % len(kinds)], at + 1)
            yield other
        if not isinstance(self.due, Over):
            other = self.fork()
            other.walk.idle = table.number
            yield other

    def bet(self, name: str, on: str, box: int) -> None:
        """Place a wager, beside a main one where it needs that; it may be refused."""
        table = self.walk.table
        for each in (on, table.game.wagers(table.ruleset.rules)[0], on):
            place, stake = 0 if name in table.terminals else box, SIGN_KINDS.get(each, (STAKE,))[0]
            asked = self.walk.ask(PlaceWager(name, each, stake, box=place), by=name, role=PLAYER)
            if each == on and not isinstance(asked, Refusal):
                return

    def _bet_at_terminals(self) -> None:
        """At the last moment each terminal that has nothing down backs something, as a guest would."""
        table = self.walk.table
        empty = [name for name in table.terminals if all(wager.by != name for wager in table.round.standing)]
        if empty and isinstance(self.due, Perform) and betting(table).state == "closing":
            for name in empty:
                self.bet(name, self.chance.pick(table.game.wagers(table.ruleset.rules)), 0)

    def _confirm_slips(self) -> None:
        for name in unconfirmed(self.walk.table):
            slip = screens.slip(self.walk.table, name)
            assert not isinstance(slip, Refusal)
            self.walk.ask(ConfirmSlip(name, slip.digest), by=name, role=PLAYER)

    # ------------------------------------------------------------ playing

    def tell(self, fact: Plain) -> Refusal | None:
        """Let this happen, which answers what is due."""
        walk, this = self.walk, self.walk.table.attended
        self._confirm_slips()
        events = walk.ask(Tell(write_fact(fact)), role=teller(fact))
        if isinstance(events, Refusal):
            return events
        walk.walker.took(this, fact)
        return None

    def go_on(self) -> None:
        """What is due happens; players bet where it could not happen without."""
        self._confirm_slips()
        _, events = self.walk.step()
        if isinstance(events, Refusal):
            self.step()

    def step(self) -> None:
        """What is due happens, with players betting where they can."""
        refusal: Refusal | None = None
        for _ in range(MOST_REFUSALS):
            self.walk.prepare()
            self._bet_at_terminals()
            self._confirm_slips()
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
        self.check_replay()
        self._check_returned()

    def check_replay(self) -> None:
        """What was written since the last check leads there again when it is read back; the next check begins here.

        Copies of a table share what was read back before they parted.
        """
        lines = self.walk.journal[self.read_back.entries :]
        self.read_back = after(self.read_back, [decode(encode(line)) for line in lines])
        if snapshot(self.read_back) != snapshot(self.walk.table):
            raise Broken("a replayed journal leads to another table")

    def _played_on(self) -> bool:
        """Whether the round came to its end and the next is in play; where one leaves something to the next, over."""
        table, due = self.walk.table, self.due
        unsettled = [entry.wager.on for entry in table.round.book if _is_decided(entry)]
        if isinstance(due, Roll | Spin) and unsettled:
            raise Broken(f"{say(due)} although {', '.join(unsettled)} was decided and is not settled")
        if self.leaves:
            return table.number >= self.began + 2
        return table.number > self.began and isinstance(due, Deal | Roll | Spin)

    def _check_returned(self) -> None:
        ended = {line.event.number: line.event for line in self.walk.journal if isinstance(line.event, WagerSettled)}
        for number in self.held:
            if number not in ended or ended[number].result not in ("void", "standoff"):
                how = ended[number].result if number in ended else "not settled"
                raise Broken(f"the round was void, but wager {number} is {how}")
