"""Exact odds of wagers that live from throw to throw: absorbing chains over the same play.

Theory of operation.  For dice and wheels every throw is drawn from one space with integer weights, so a wager is a
finite chain: a position is the game's `view` of the layout with what the wager remembers, a throw moves it, and its
resolutions absorb it.  The positions are walked from the start and the linear equations solved in fractions: how likely
each end is, and how many throws it takes on average.  A wager of a single draw is the chain of one step.

A wager may have to wait for its time (a Come Bet for a point) or for another wager (odds for their Pass Bet).  Waiting
is a chain too: it ends where the wager is accepted.  The worth is then given that it was offered.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from msgspec.structs import replace as changed

from croupier.equipment import Space
from croupier.game import NORMAL, AnyGame, Fact, Refusal, Resolution, Sign, Wager


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
    """How a wager ends: the chance of each resolution, the mean number of throws, and how often it is offered."""

    wager: Wager
    ends: dict[Resolution, Fraction]
    throws: Fraction
    offered: Fraction


@dataclass(frozen=True, slots=True)
class LastThrow:
    """A throw that decides a wager: from which layout, what fell, how it ended, and how likely all that is."""

    state: Any
    fact: Fact
    how: Resolution
    chance: Fraction


@dataclass(frozen=True, slots=True)
class Walker:
    """One game under one rule set and sign, thrown from one space."""

    game: AnyGame
    rules: Any
    space: Space[Fact]
    sign: Sign

    def solve(self, wagers: Sequence[Wager]) -> Chain:
        """The chain of the last of these wagers, each placed as soon as it is accepted beside the one before."""
        starts, offered = self._placed(wagers)
        ends, visits = self._absorbed(starts, self._judge_step)
        decided = {end: chance for end, chance in ends.items() if not isinstance(end, Position | Gone)}
        placed = next(iter(starts)).wager
        assert placed is not None
        return Chain(placed, decided, sum(visits.values(), Fraction(0)), offered)

    def last_throws(self, wagers: Sequence[Wager]) -> list[LastThrow]:
        """Every throw that decides the last of these wagers, from every layout in which it can."""
        starts, _ = self._placed(wagers)
        visits = self._absorbed(starts, self._judge_step)[1]
        found = []
        for position, often in visits.items():
            for fact, weight in zip(self.space.outcomes, self.space.weights, strict=True):
                how = self._after(position, fact)
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

        def step(position: Position) -> list[tuple[End, Fraction, bool]]:
            found: list[tuple[End, Fraction, bool]] = []
            for after, chance in self._throw(position):
                if not isinstance(after, Position):
                    found.append((Gone(), chance, True))
                    continue
                joined = self._join(after, wager)
                found.append((joined, chance, True) if joined else (after, chance, False))
            return found

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

    def _throw(self, position: Position) -> list[tuple[Position | Resolution, Fraction]]:
        return [
            (self._after(position, fact), Fraction(weight, self.space.total))
            for fact, weight in zip(self.space.outcomes, self.space.weights, strict=True)
        ]

    def _after(self, position: Position, fact: Fact) -> Position | Resolution:
        state = self.game.apply(self.rules, position.state, fact)
        assert not isinstance(state, Refusal), state
        if position.wager is None:
            return Position(state, None)
        judged = self.game.judge(self.rules, position.wager, position.state, fact, state)
        return Position(state, judged) if isinstance(judged, Wager) else judged

    def _judge_step(self, position: Position) -> list[tuple[End, Fraction, bool]]:
        return [(after, chance, not isinstance(after, Position)) for after, chance in self._throw(position)]

    # ------------------------------------------------------------ solving

    def _key(self, position: Position) -> Hashable:
        return (self.game.view(self.rules, position.state), position.wager)

    def _absorbed(
        self, starts: dict[Position, Fraction], step: Callable[[Position], list[tuple[End, Fraction, bool]]]
    ) -> tuple[dict[End, Fraction], dict[Position, Fraction]]:
        """The chance of each end, and how often each position is thrown from until one comes, on average."""
        places: dict[Hashable, Position] = {}
        rows: dict[Hashable, dict[Hashable, Fraction]] = {}
        exits: dict[Hashable, dict[End, Fraction]] = {}
        todo = list(starts)
        while todo:
            position = todo.pop()
            key = self._key(position)
            if key in rows:
                continue
            places[key], rows[key], exits[key] = position, {}, {}
            for after, chance, final in step(position):
                if final or not isinstance(after, Position):
                    exits[key][after] = exits[key].get(after, Fraction(0)) + chance
                else:
                    other = self._key(after)
                    rows[key][other] = rows[key].get(other, Fraction(0)) + chance
                    todo.append(after)
        begin: dict[Hashable, Fraction] = {}
        for position, weight in starts.items():
            begin[self._key(position)] = begin.get(self._key(position), Fraction(0)) + weight
        visits = mean_visits(rows, begin)
        ends: dict[End, Fraction] = {}
        for key, found in exits.items():
            for end, chance in found.items():
                ends[end] = ends.get(end, Fraction(0)) + visits[key] * chance
        return ends, {places[key]: often for key, often in visits.items()}


def mean_visits(
    rows: dict[Hashable, dict[Hashable, Fraction]], starts: dict[Hashable, Fraction]
) -> dict[Hashable, Fraction]:
    """How often each position is thrown from, on average: v = s + v·P, by elimination in fractions."""
    order = list(rows)
    index = {key: n for n, key in enumerate(order)}
    size = len(order)
    matrix = [[Fraction(int(i == j)) for j in range(size)] + [starts.get(order[i], Fraction(0))] for i in range(size)]
    for key, row in rows.items():
        for other, chance in row.items():
            matrix[index[other]][index[key]] -= chance
    for pivot in range(size):
        swap = next(r for r in range(pivot, size) if matrix[r][pivot])
        matrix[pivot], matrix[swap] = matrix[swap], matrix[pivot]
        scale = matrix[pivot][pivot]
        matrix[pivot] = [value / scale for value in matrix[pivot]]
        for r in range(size):
            factor = matrix[r][pivot]
            if r != pivot and factor:
                matrix[r] = [a - factor * b for a, b in zip(matrix[r], matrix[pivot], strict=True)]
    return {key: matrix[index[key]][size] for key in order}
