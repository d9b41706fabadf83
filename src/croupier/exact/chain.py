"""Exact odds of wagers that live from throw to throw: absorbing chains over the same play.

Theory of operation.  For dice and wheels every throw is drawn from one space with integer weights, so a wager is a
finite chain: a position is the game's `view` of the layout with what the wager remembers, a throw moves it, and its
resolutions absorb it.  The positions are walked from the start and the linear equations solved in fractions: how likely
each end is, and how many throws it takes on average.  A wager of a single draw is the chain of one step.

A wager may have to wait for its time (a Come Bet for a point) or for another wager (odds for their Pass Bet).  Waiting
is a chain too: it ends where the wager is accepted.  The worth is then given that it was offered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import Any, TypeAlias

from msgspec.structs import replace as changed

from croupier.equipment import Space
from croupier.game import NORMAL, AnyGame, DiceFell, Plain, Refusal, Resolution, Sign, Wager, granted
from croupier.once import dataclass


@dataclass(frozen=True, slots=True)
class Position:
    """A layout, and the wager that watches it; None while nothing is staked yet."""

    state: Any
    wager: Wager | None


@dataclass(frozen=True, slots=True)
class Gone:
    """The wager that was waited for can no longer be placed: its parent was decided."""


End: TypeAlias = Position | Resolution | Gone


@dataclass(frozen=True, slots=True)
class Chain:
    """How a wager ends: the chance of each resolution, the mean number of throws, and how often it is offered.

    `throws` counts every throw for which the wager lies, `throws_on` only those in which it takes part.
    """

    wager: Wager
    ends: dict[Resolution, Fraction]
    throws: Fraction
    throws_on: Fraction
    offered: Fraction


@dataclass(frozen=True, slots=True)
class LastThrow:
    """A throw that decides a wager: from which layout, what fell, how it ended, and how likely all that is."""

    state: Any
    fact: Plain
    how: Resolution
    chance: Fraction


@dataclass(frozen=True, slots=True)
class ChainWalker:
    """One game under one rule set and sign, thrown from one space."""

    game: AnyGame
    rules: Any
    space: Space[Plain]
    sign: Sign
    thrown: dict[Any, list[Any]] = field(default_factory=dict)

    def solve(self, wagers: Sequence[Wager]) -> Chain:
        """The chain of the last of these wagers, each placed as soon as it is accepted beside the one before."""
        starts, offered = self._placed(wagers)
        ends, visits = self._absorbed(starts, self._judge_step)
        decided = {end: chance for end, chance in ends.items() if not isinstance(end, Position | Gone)}
        placed = next(iter(starts)).wager
        assert placed is not None
        on = (often for position, often in visits.items() if not self._is_off(position))
        return Chain(placed, decided, sum(visits.values(), Fraction(0)), sum(on, Fraction(0)), offered)

    def _is_off(self, position: Position) -> bool:
        """Whether the next throw is nothing to the wager, by its call or by rule."""
        wager = position.wager
        return wager is not None and "off" in self.game.lies(self.rules, position.state, wager).markers

    def last_throws(self, wagers: Sequence[Wager]) -> list[LastThrow]:
        """Every throw that decides the last of these wagers, from every layout in which it can."""
        starts, _ = self._placed(wagers)
        visits = self._absorbed(starts, self._judge_step)[1]
        found = []
        for position, often in visits.items():
            for fact, (how, weight) in zip(self.space.outcomes, self._throw(position), strict=True):
                if not isinstance(how, Position):
                    found.append(LastThrow(position.state, fact, how, often * weight / self.space.total))
        return found

    def _placed(self, wagers: Sequence[Wager]) -> tuple[dict[Position, Fraction], Fraction]:
        """Where the last of these wagers begins, each placed beside the one before, and how likely that is."""
        starts: dict[Position, Fraction] = {Position(self.game.begin(self.rules, NORMAL), None): Fraction(1)}
        offered = Fraction(1)
        for wager in wagers:
            starts, offered = self._accepted(starts, wager)
        return starts, offered

    # ------------------------------------------------------------ waiting

    def _accepted(self, starts: dict[Position, Fraction], wager: Wager) -> tuple[dict[Position, Fraction], Fraction]:
        """Where the wager is first accepted, given that it is, and the chance that it is."""
        here = {start: self._join(start, wager) for start in starts}
        if all(here.values()):
            return {joined: starts[start] for start, joined in here.items() if joined}, Fraction(1)

        def step(position: Position) -> Iterator[tuple[End, int, bool]]:
            for after, weight in self._throw(position):
                if not isinstance(after, Position):
                    yield Gone(), weight, True
                    continue
                joined = self._join(after, wager)
                yield (joined, weight, True) if joined else (after, weight, False)

        ends, _ = self._absorbed(starts, step)
        joined = {end: chance for end, chance in ends.items() if isinstance(end, Position)}
        total = sum(joined.values(), Fraction(0))
        if not total:
            raise ValueError(f"{wager.on} is never offered")
        return {end: chance / total for end, chance in joined.items()}, total

    def _join(self, position: Position, wager: Wager) -> Position | None:
        standing = () if position.wager is None else (position.wager,)
        placed = changed(wager, number=len(standing))
        accepted = self.game.accept(self.rules, self.sign, position.state, standing, (placed,))
        if isinstance(accepted, Refusal):
            return None
        return Position(self.game.seat(self.rules, position.state, accepted), accepted[0])

    # ------------------------------------------------------------ throwing

    def _throw(self, position: Position) -> Iterator[tuple[Position | Resolution, int]]:
        if position.state not in self.thrown:
            # What lies after a throw has nothing to do with the wager, so all wagers share it.
            self.thrown[position.state] = [self._lying(position.state, fact) for fact in self.space.outcomes]
        for fact, after, weight in zip(
            self.space.outcomes, self.thrown[position.state], self.space.weights, strict=True
        ):
            yield self._judged(position, fact, after), weight

    def _lying(self, state: Any, fact: Plain) -> Any:
        return granted(self.game.apply(self.rules, state, fact))

    def _judged(self, position: Position, fact: Plain, after: Any) -> Position | Resolution:
        if position.wager is None:
            return Position(after, None)
        judged = self.game.judge(self.rules, position.wager, position.state, fact, after)
        return Position(after, judged) if isinstance(judged, Wager) else judged

    def _judge_step(self, position: Position) -> Iterator[tuple[End, int, bool]]:
        for after, weight in self._throw(position):
            yield after, weight, not isinstance(after, Position)

    # ------------------------------------------------------------ solving

    def _key(self, position: Position) -> Hashable:
        return (self.game.view(self.rules, position.state), position.wager)

    def _absorbed(
        self, starts: dict[Position, Fraction], step: Callable[[Position], Iterator[tuple[End, int, bool]]]
    ) -> tuple[dict[End, Fraction], dict[Position, Fraction]]:
        """The chance of each end, and how often each position is thrown from until one comes, on average."""
        places: dict[Hashable, Position] = {}
        rows: dict[Hashable, Counter[Hashable]] = {}
        exits: dict[Hashable, Counter[End]] = {}
        todo = list(starts)
        while todo:
            position = todo.pop()
            key = self._key(position)
            if key in rows:
                continue
            places[key], rows[key], exits[key] = position, Counter(), Counter()
            for after, weight, final in step(position):
                if final or not isinstance(after, Position):
                    exits[key][after] += weight
                else:
                    rows[key][self._key(after)] += weight
                    todo.append(after)
        begin: dict[Hashable, Fraction] = {}
        for position, often in starts.items():
            begin[self._key(position)] = begin.get(self._key(position), Fraction(0)) + often
        total = self.space.total
        chances = {key: {other: Fraction(n, total) for other, n in row.items()} for key, row in rows.items()}
        visits = mean_visits(chances, begin)
        ends: dict[End, Fraction] = {}
        for key, found in exits.items():
            for end, weight in found.items():
                ends[end] = ends.get(end, Fraction(0)) + visits[key] * Fraction(weight, total)
        return ends, {places[key]: often for key, often in visits.items()}


def in_any_order(fact: Plain) -> Plain:
    """Dice as a set: no rule tells one die from another, so a throw stands for all its orders."""
    return DiceFell(tuple(sorted(fact.faces))) if isinstance(fact, DiceFell) else fact


def mean_visits(
    rows: Mapping[Hashable, Mapping[Hashable, Fraction]], starts: Mapping[Hashable, Fraction]
) -> dict[Hashable, Fraction]:
    """How often each position is thrown from, on average: v = s + v·P, by elimination in fractions.

    Row k says v[k] = free[k] + Σ v[i]·into[k][i].  Positions are taken out one by one, from the last; a chain that ends
    leaves each less than once for itself, so there is always something to divide by.  Most are not joined, and what
    is nothing is not reckoned with.
    """
    into: dict[Hashable, dict[Hashable, Fraction]] = {key: {} for key in rows}
    for key, row in rows.items():
        for other, chance in row.items():
            into[other][key] = into[other].get(key, Fraction(0)) + chance
    free = {key: starts.get(key, Fraction(0)) for key in rows}
    order = list(rows)
    for n in range(len(order) - 1, -1, -1):
        gone = order[n]
        itself = 1 - into[gone].pop(gone, Fraction(0))
        free[gone] /= itself
        into[gone] = {other: chance / itself for other, chance in into[gone].items()}
        for other in order[:n]:
            factor = into[other].pop(gone, None)
            if factor is None:
                continue
            free[other] += factor * free[gone]
            for third, chance in into[gone].items():
                into[other][third] = into[other].get(third, Fraction(0)) + factor * chance
    visits: dict[Hashable, Fraction] = {}
    for key in order:
        visits[key] = free[key] + sum((visits[i] * chance for i, chance in into[key].items()), Fraction(0))
    return visits
