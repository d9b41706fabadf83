"""The rows of Runs on an odds sheet.

Theory of operation.  A Run reads the outcomes of coups, and the game's own judge says what each outcome does to it: so
a Run is a small machine of its own, made by playing one coup of each outcome and asking.  From it follow the sequences
of outcomes that decide the wager.  Up to three coups each sequence has its exact chance within the shoe; of longer
Runs each chance is within the shoe too, and proven to be nearer than `MOST_ERROR` to the exact one (`longer`).  Where
that cannot be proven, because the shoe is small, the coups are taken as independent, and the machine is solved as an
absorbing chain.

A combination Run follows the hand its bettor nominates for each coup; the row is for nominating the Banker each time,
which is the likelier hand.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from croupier.exact.automaton import STAKE, Automaton, symbols_of
from croupier.exact.chain import mean_visits
from croupier.exact.compositions import ways_from
from croupier.exact.runs import CARDS, MOST_ERROR
from croupier.exact.runs.counting import EXACT_COUPS, Chances, Joined, Runs, runs_of
from croupier.exact.ways import Method, Worth, worth_of
from croupier.game import NORMAL, AnyGame, Called, CardSeen, Refusal, Resolution, Wager, Won, granted
from croupier.games.baccarat.rules import BANKER, PLAYER, TIE, RunBet
from croupier.games.baccarat.runs import run_bet

OUTCOMES: Final = (PLAYER, BANKER, TIE)
BETTOR: Final = "bettor"
NOMINATED: Final = "banker each coup"


@dataclass(frozen=True)
class RunTable:
    """Runs under one rule set; it may be asked for many shoes."""

    game: AnyGame
    rules: Any

    @cached_property
    def automaton(self) -> Automaton:
        return ways_from(self.game, self.rules, at_start=OUTCOMES).automaton

    @cached_property
    def finals(self) -> Mapping[int, int]:
        """The outcome of each final position: which of the main wagers wins."""
        decided = self.automaton.decided
        found = {
            at: [isinstance(how, Won) for how in decided[at]] for at, over in enumerate(self.automaton.over) if over
        }
        return {at: won.index(True) for at, won in found.items() if any(won)}

    @cached_property
    def runs(self) -> Runs:
        return runs_of(self.automaton, self.finals, len(OUTCOMES))

    @cached_property
    def coups(self) -> tuple[tuple[int, ...], ...]:
        """For each outcome the cards of a coup that has it."""
        cards = tuple(symbols_of(self.game, self.rules, exact_cards=False).values())
        found: dict[int, tuple[int, ...]] = {}
        todo: list[tuple[int, tuple[int, ...]]] = [(0, ())]
        for at, dealt in todo:
            if self.automaton.over[at]:
                found.setdefault(self.finals[at], dealt)
            else:
                todo += [(after, (*dealt, card)) for after, card in zip(self.automaton.step[at], cards, strict=True)]
            if len(found) == len(OUTCOMES):
                break
        return tuple(found[kind] for kind in range(len(OUTCOMES)))

    def after(self, wager: Wager, outcome: int) -> Wager | Resolution:
        """The wager after a coup of an outcome, as the game's judge has it."""
        state = self.game.begin(self.rules, NORMAL)
        named = self.game.apply(self.rules, state, Called("nominate", by=wager.by, on=BANKER))
        state = state if isinstance(named, Refusal) else named
        held: Wager | Resolution = wager
        for card in self.coups[outcome]:
            then = granted(self.game.apply(self.rules, state, CardSeen(card)))
            if isinstance(held, Wager):
                held = self.game.judge(self.rules, held, state, CardSeen(card), then)
            state = then
        return held

    def rows(self, names: Sequence[str], shoe: Sequence[int]) -> tuple[list[Worth], list[tuple[str, str]]]:
        """A row for each Run that this shoe can decide, and the others with the reason; `shoe` is by symbol."""
        most = sum(shoe) // CARDS
        lengths = {name: _length(self.rules, name) for name in names}
        short = [name for name in names if lengths[name] > most]
        priced = [name for name in names if lengths[name] <= most]
        left_out = [(name, f"needs {CARDS * lengths[name]} cards, and the shoe has {sum(shoe)}") for name in short]
        if not priced:
            return [], left_out
        longest = max(lengths[name] for name in priced)
        chances = self.runs.from_shoe(shoe, coups=min(EXACT_COUPS, longest))
        if longest > EXACT_COUPS:
            chances = replace(chances, longer=self._longer(shoe, chances, priced))
        return [self._row(name, chances) for name in priced], left_out

    def _longer(self, shoe: Sequence[int], chances: Chances, names: Sequence[str]) -> dict[tuple[int, ...], Joined]:
        """What is proven of the coups that the Runs of these names ask for."""
        from croupier.exact.runs.longer import longer

        asked: dict[int, int] = {}
        for name in names:
            bet, length = _run(self.rules, name)
            outcome = OUTCOMES.index(bet.outcome or BANKER)
            asked[outcome] = max(length, asked.get(outcome, 0))
        found: dict[tuple[int, ...], Joined] = {}
        for outcome, length in asked.items():
            found |= longer(self.runs, shoe, chances, outcome, coups=length)
        return found

    def _row(self, name: str, chances: Chances) -> Worth:
        wager = Wager(name, STAKE, by=BETTOR)
        ends = self.within_shoe(wager, chances)
        length = _length(self.rules, name)
        method: Method = "independent" if not ends else "exact" if length <= EXACT_COUPS else "bounded"
        found = ends or self.independent(wager, chances)
        policy = NOMINATED if _follows_nomination(self.rules, name) else ""
        row = worth_of(name, found, offered=Fraction(1), throws=self._coups(wager, chances) or Fraction(length))
        return replace(row, policy=policy, method=method, shares=method)

    def within_shoe(self, wager: Wager, chances: Chances) -> dict[Resolution, Fraction] | None:
        """The chance of each end; None where some sequence of outcomes is too long to be reckoned, or too unsure."""
        ends: dict[Resolution, Fraction] = {}
        unsure = 0.0
        todo: list[tuple[Wager, tuple[int, ...]]] = [(wager, ())]
        for held, seen in todo:
            for outcome in range(len(OUTCOMES)):
                sequence = (*seen, outcome)
                chance = chances.of(sequence)
                if chance is None:
                    return None
                then = self.after(held, outcome)
                if isinstance(then, Wager):
                    todo.append((then, sequence))
                else:
                    ends[then] = ends.get(then, Fraction(0)) + chance
                    # What is left by subtraction telescopes: no end is less sure than all others together.
                    unsure += chances.unsure(sequence)
        return ends if unsure < MOST_ERROR else None

    def independent(self, wager: Wager, chances: Chances) -> dict[Resolution, Fraction]:
        """The chance of each end if every coup were dealt from this same shoe."""
        exits, visits = self._chain(wager, chances)
        ends: dict[Resolution, Fraction] = {}
        for key, found in exits.items():
            for how, chance in found.items():
                ends[how] = ends.get(how, Fraction(0)) + visits[key] * chance
        return ends

    def _coups(self, wager: Wager, chances: Chances) -> Fraction:
        """How many coups it takes to decide the wager, on average, with the coups as independent."""
        return sum(self._chain(wager, chances)[1].values(), Fraction(0))

    def _chain(
        self, wager: Wager, chances: Chances
    ) -> tuple[dict[Hashable, dict[Resolution, Fraction]], dict[Hashable, Fraction]]:
        rows: dict[Hashable, dict[Hashable, Fraction]] = {}
        exits: dict[Hashable, dict[Resolution, Fraction]] = {}
        todo = [wager]
        for held in todo:
            if held in rows:
                continue
            rows[held], exits[held] = {}, {}
            for outcome, chance in enumerate(chances.one):
                then = self.after(held, outcome)
                if isinstance(then, Wager):
                    rows[held][then] = rows[held].get(then, Fraction(0)) + chance
                    todo.append(then)
                else:
                    exits[held][then] = exits[held].get(then, Fraction(0)) + chance
        return exits, mean_visits(rows, {wager: Fraction(1)})


def _run(rules: Any, name: str) -> tuple[RunBet, int]:
    found = run_bet(rules, name)
    assert found is not None, name
    return found


def _length(rules: Any, name: str) -> int:
    return _run(rules, name)[1]


def _follows_nomination(rules: Any, name: str) -> bool:
    return _run(rules, name)[0].outcome is None
