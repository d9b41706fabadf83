"""The slow path beside the fast one: the kernel's own shoes of baccarat, played by `round.happen`.

A kernel's cards follow from the seed and the number of the shoe, so they can be laid out again and dealt by the rules
themselves.  `compare` plays shoes both ways and lists every wager whose ends were counted differently; an empty list
is the proof.  Coups with the same values are played once and remembered, which is why a hundred thousand shoes are
no great matter.  `ceremony` deals one shoe through the whole procedure, from the cut to the last coup.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np

from croupier.equipment import Card, Shoe, card_name, load
from croupier.exact.automaton import STAKE
from croupier.exact.pricing import pricing
from croupier.game import NORMAL, CardSeen, Choose, Chosen, Deal, Over, Perform, Performed, Refusal, Wager, granted
from croupier.games.baccarat import BACCARAT, play, procedure
from croupier.games.baccarat.own import pair_bets
from croupier.games.baccarat.rules import BANKER, BaccaratRules
from croupier.law.ruleset import Ruleset
from croupier.once import replace
from croupier.round import AnyRound, happen, next_round, open_round, place
from croupier.simulation import kernels, lanes
from croupier.simulation.baccarat import shoe_of, simulated
from croupier.simulation.coups import codes_of
from croupier.simulation.plan import BinEnding, Chunk, Simulated, SimulationSettings, always, run_chunk
from croupier.simulation.settled import ending
from croupier.simulation.streams import WORDS_LOG, keys_of
from croupier.simulation.twins.throws import unlike

Ends: TypeAlias = Counter[tuple[str, BinEnding]]
RUNNER: Final = "runner"
"""Who has all the Runs, and backs the Banker's Hand in every coup."""


@dataclass(frozen=True, slots=True)
class CoupsCompared:
    """How many shoes and coups were played both ways, and what differed."""

    shoes: int
    coups: int
    differences: tuple[str, ...]


def compare(
    ruleset: Ruleset[Any],
    *,
    shoes: int,
    first: int = 0,
    seed: int = 1,
    runs_every: int = 1,
    game: Simulated | None = None,
    goes_on: Callable[[int], bool] = always,
) -> CoupsCompared:
    """Play shoes of the kernel by the rules, and compare what every wager came to in each.

    Runs go from coup to coup, so nothing can be remembered for them: they are compared in one shoe of so many.  After
    each shoe it is asked whether it goes on.
    """
    game = game or simulated(ruleset, SimulationSettings(quick=True))
    play, finished = RulesAtWork(ruleset), Finished(ruleset.rules)
    coups, done, differences = 0, 0, []
    for unit in range(first, first + shoes):
        dealt = Dealt(ruleset, game, seed, unit, finished)
        counted = run_chunk(game.program, Chunk(seed, unit, 1))
        coups += len(dealt.coups)
        if counted.rounds != len(dealt.coups):
            differences.append(f"shoe {unit}: {counted.rounds} coups, by the rules {len(dealt.coups)}")
        with_runs = (unit - first) % runs_every == 0
        kernel, ends = kernel_ends(game, counted.counts, with_runs=with_runs), play.shoe(dealt, with_runs=with_runs)
        differences += [f"shoe {unit}: {words}" for words in unlike(kernel, ends)]
        done += 1
        if not goes_on(done):
            break
    return CoupsCompared(done, coups, tuple(differences))


def kernel_ends(game: Simulated, counts: Any, *, with_runs: bool = True) -> Ends:
    """What a tally says of each wager."""
    ends: Ends = Counter()
    for row in game.rows:
        if pricing(BACCARAT.name, row.wager).coups and not with_runs:
            continue
        for how, times in zip(row.endings, counts[row.first : row.first + len(row.endings)].tolist(), strict=True):
            if how is not None and times:
                ends[row.wager, how] += times
    return ends


# ---------------------------------------------------------------- the cards


class Dealt:
    """The cards of one of the kernel's shoes, and the coups that the edition deals from it."""

    def __init__(self, ruleset: Ruleset[Any], game: Simulated, seed: int, unit: int, finished: Finished) -> None:
        self.finished = finished
        self.cards, self.following = cards_of(ruleset, game, seed, unit)
        self.layout = shoe_of(ruleset.rules, None)
        self.coups: list[tuple[Card, ...]] = []
        self._deal()

    def _deal(self) -> None:
        """Coup by coup, until the rules about the cutting card end the shoe; it comes before the card at its place."""
        at = self.layout.burned[self.cards[0] % 13]
        left: int | None = None
        while left is None or left > 0:
            left = None if left is None else left - 1
            coup: tuple[Card, ...] = ()
            while not self.finished(coup):
                if at == self.layout.cut:
                    left = self.layout.after if coup else self.layout.first
                coup = (*coup, self.cards[at])
                at += 1
            self.coups.append(coup)


def cards_of(ruleset: Ruleset[Any], game: Simulated, seed: int, unit: int) -> tuple[list[Card], list[Card]]:
    """The unit's shoe as a kernel deals it, and the one after it in the same unit."""
    pack = game.program.tables[0]
    k0, k1 = keys_of(seed)
    card_of = {code: card for card, code in reversed(list(enumerate(codes_of(BACCARAT, ruleset.rules))))}
    cut = int(game.program.tables[6][kernels.CUT])
    needed = min(len(pack), cut + 3 * lanes.DEAL)
    first, place_after = kernels.mixed(pack, needed, k0, k1, np.uint64(unit << WORDS_LOG))
    second, _ = kernels.mixed(pack, len(pack), k0, k1, place_after)
    return [card_of[int(code)] for code in first], [card_of[int(code)] for code in second]


class Finished:
    """Whether these cards are a whole coup; asked once for cards of the same values."""

    def __init__(self, rules: BaccaratRules) -> None:
        self.rules = rules
        self.known: dict[tuple[Hashable, ...], bool] = {}
        self.symbols = [BACCARAT.symbol(rules, card) for card in range(52)]

    def __call__(self, coup: tuple[Card, ...]) -> bool:
        key = tuple(self.symbols[card] for card in coup)
        if key not in self.known:
            state = BACCARAT.begin(self.rules, NORMAL)
            for card in coup:
                after = granted(BACCARAT.apply(self.rules, state, CardSeen(card)))
                state = after
            self.known[key] = isinstance(BACCARAT.demand(self.rules, state), Over)
        return self.known[key]


# ---------------------------------------------------------------- by the rules


@dataclass(slots=True)
class RulesAtWork:
    """The rules at work, with a memory of coups that were played before."""

    ruleset: Ruleset[Any]
    known: dict[tuple[int, ...], tuple[tuple[str, BinEnding], ...]] = field(default_factory=dict)
    pairs: dict[tuple[Card, ...], tuple[tuple[str, BinEnding], ...]] = field(default_factory=dict)

    def shoe(self, dealt: Dealt, *, with_runs: bool) -> Ends:
        """How the wagers of every coup of a shoe ended."""
        ends: Ends = Counter()
        for coup in dealt.coups:
            ends.update(self._coup(coup))
            ends.update(self._pair(coup))
        if with_runs:
            ends.update(self._runs(dealt))
        return ends

    def _names(self, kind: str) -> list[str]:
        found = []
        for name in BACCARAT.wagers(self.ruleset.rules):
            how = pricing(BACCARAT.name, name)
            pair = how.exact_cards or name in pair_bets(self.ruleset.rules)
            here = "pair" if pair else "run" if how.coups else "beside" if how.beside else "plain"
            if here == kind:
                found.append(name)
        return found

    def _coup(self, coup: tuple[Card, ...]) -> tuple[tuple[str, BinEnding], ...]:
        values = tuple(BACCARAT.symbol(self.ruleset.rules, card) for card in coup)
        key = tuple(int(str(value)) for value in values)
        if key not in self.known:
            self.known[key] = self._played(coup)
        return self.known[key]

    def _played(self, coup: tuple[Card, ...]) -> tuple[tuple[str, BinEnding], ...]:
        """A coup with every plain wager, each of a bettor of its own, and those that are offered on the way."""
        this = open_round(BACCARAT, self.ruleset.rules)
        this = granted(place(this, tuple(Wager(name, STAKE, by=name) for name in self._names("plain"))))
        for name in self._names("beside"):
            this = granted(place(this, (Wager(BANKER, STAKE, by=f"with {name}"),)))
        for card in coup:
            this = granted(happen(this, CardSeen(card)))
            for name in self._names("beside"):
                offered = place(this, (Wager(name, STAKE, by=f"with {name}"),))
                this = this if isinstance(offered, Refusal) else offered
        return tuple(
            (entry.wager.on, ending(entry.resolution))
            for entry in this.book
            if entry.resolution is not None and entry.wager.by in (entry.wager.on, f"with {entry.wager.on}")
        )

    def _pair(self, coup: tuple[Card, ...]) -> tuple[tuple[str, BinEnding], ...]:
        names = self._names("pair")
        if not names:
            return ()
        key = coup[:4] if pair_bets(self.ruleset.rules) else (coup[0], coup[2])
        if key not in self.pairs:
            this = granted(place(open_round(BACCARAT, self.ruleset.rules), (Wager(BANKER, STAKE, by="pair"),)))
            this = granted(place(this, tuple(Wager(name, STAKE, by="pair") for name in names)))
            for card in coup:
                this = granted(happen(this, CardSeen(card)))
            self.pairs[key] = tuple(
                (entry.wager.on, ending(entry.resolution))
                for entry in this.book
                if entry.resolution is not None and entry.wager.on in names
            )
        return self.pairs[key]

    def _runs(self, dealt: Dealt) -> Ends:
        """Every Run of the shoe, placed again whenever it was decided; what is open goes on with the next shoe."""
        ends: Ends = Counter()
        names = self._names("run")
        if not names:
            return ends
        this = open_round(BACCARAT, self.ruleset.rules)
        for coup in dealt.coups:
            this = self._run_coup(this, coup, names, ends)
        following = list(dealt.following[dealt.layout.burned[dealt.following[0] % 13] :])
        while any(wager.on in names for wager in this.standing):
            coup = ()
            while not dealt.finished(coup):
                coup = (*coup, following.pop(0))
            this = self._run_coup(this, coup, (), ends)
        return ends

    def _run_coup(self, this: AnyRound, coup: tuple[Card, ...], names: Sequence[str], ends: Ends) -> AnyRound:
        standing = {wager.on for wager in this.standing}
        placed = [BANKER, *(name for name in names if name not in standing)]
        decided = {line for line, entry in enumerate(this.book) if entry.resolution is not None}
        this = granted(place(this, tuple(Wager(name, STAKE, by=RUNNER) for name in placed)))
        for card in coup:
            this = granted(happen(this, CardSeen(card)))
        for line, entry in enumerate(this.book):
            if line not in decided and entry.resolution is not None and entry.wager.on != BANKER:
                ends[entry.wager.on, ending(entry.resolution)] += 1
        return next_round(this)


# ---------------------------------------------------------------- the ceremony


def ceremony(rules: BaccaratRules, cards: Sequence[Card], behind: int) -> list[tuple[Card, ...]]:
    """The coups of a shoe dealt through the whole procedure, every offer declined, until the cards are to be mixed."""
    shoe, finished = load(cards).insert_cutting_card(behind), Finished(rules)
    wagers = (Wager(BANKER, 100, by="seat 1"),)
    sitting = procedure.BaccaratSitting(seats=(1,), wagers=wagers)
    coups: list[tuple[Card, ...]] = []
    here: tuple[Card, ...] = ()
    while True:
        wanted = procedure.demand(rules, sitting)
        if here and not isinstance(wanted, Deal) and sitting.coup.dealt == len(here) and finished(here):
            coups.append(here)
            here = ()
        fact: Chosen | Performed | CardSeen
        match wanted:
            case Choose(by=by, options=options):
                fact = Chosen(options[-1], by)
            case Perform(act="mix again" | "remove cards") if sitting.rounds:
                return coups
            case Perform(act=act, by=by):
                detail, shoe = _detail(rules, sitting, act, behind, shoe)
                fact = Performed(act, by, detail)
            case _:
                item, shoe = shoe.draw()
                if isinstance(item, int):
                    here = (*here, item)
                    fact = CardSeen(item)
                else:
                    fact = Performed("cutting card")
        after = granted(procedure.apply(rules, sitting, fact))
        sitting = replace(after, wagers=wagers)


def _detail(
    rules: BaccaratRules, sitting: procedure.BaccaratSitting, act: str, behind: int, shoe: Shoe
) -> tuple[int | str, Shoe]:
    """What is recorded with an act; burned cards leave the shoe."""
    match act:
        case "cut":
            return 104, shoe
        case "insert cutting card":
            return behind, shoe
        case "burn face up":
            (card,), shoe = shoe.burn(1)
            assert isinstance(card, int)
            return card_name(card), shoe
        case "burn face down":
            number = procedure.burn_value(rules, sitting)
            return number, shoe.burn(number)[1]
        case "burn one face down":
            return "", shoe.burn(1)[1]
        case "enter outcome":
            return play.winner(rules, sitting.coup), shoe
        case _:
            return "", shoe
