"""The automaton of somebody who bets at craps: positions before the bettor speaks, and what each throw makes of them.

Theory of operation.  Between two throws a bettor looks at the point and at what stands, and names wagers; each is
placed if the rules accept it.  So the position (layout, standing wagers, what the bettor has in mind) with a throw
decides everything: which wagers are placed, which are decided and how, and the next position.  Positions are walked
with `accept`, `apply` and `judge`, like those of the exact chains.

A plan has nothing in mind: it is a function of what it sees.  `history.ByHistory` remembers what came before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, Protocol, TypeAlias

from msgspec.structs import replace as changed

from croupier.errors import BadInput, unknown
from croupier.exact.automaton import STAKE
from croupier.exact.chain import in_any_order
from croupier.game import NO_SIGN, NORMAL, AnyGame, Plain, Refusal, Resolution, Wager, granted
from croupier.game.kinds import wager_kind
from croupier.simulation.betting import MOST_STAKE
from croupier.simulation.settled import net_of

MOST_POSITIONS: Final = 20_000
BETTOR: Final = "bettor"


@dataclass(frozen=True, slots=True)
class Sight:
    """What the bettor sees between two throws: the point (None before a come out roll) and the wagers that stand."""

    point: int | None
    standing: tuple[Wager, ...]

    def units(self, wager: str) -> int:
        """How many units stand on a wager."""
        return sum(each.stake_cents // STAKE for each in self.standing if each.on == wager)


Plan: TypeAlias = Callable[[Sight], Iterable[tuple[str, int]]]
"""The wagers to place now, with their stakes in units; what the rules refuse is not placed."""

Take: TypeAlias = Callable[[str, int], bool]
"""Place so many units on a wager: whether the rules took it."""

Decisions: TypeAlias = tuple[tuple[Wager, Resolution], ...]


@dataclass(frozen=True, slots=True)
class CrapsThrow:
    """What a throw did: the total, what was decided and its net in units, and what still stands on which layout."""

    total: int
    layout: Any
    standing: tuple[Wager, ...]
    decided: Decisions
    net: Fraction


class CrapsBettor(Protocol):
    """Who bets: what is in mind at first, after placing, and after a throw.  Equal minds must go on alike."""

    @property
    def first(self) -> Hashable: ...

    def place(self, mind: Any, sight: Sight, take: Take, /) -> Hashable: ...

    def seen(self, mind: Any, thrown: CrapsThrow, /) -> Hashable: ...


@dataclass(frozen=True, slots=True)
class ByPlan:
    """A bettor with a plan, and nothing in mind.  What it answers must mean something, whether or not it is taken."""

    plan: Plan
    known: tuple[str, ...]
    first: None = None

    def place(self, _: None, sight: Sight, take: Take) -> None:
        for name, units in self._answered(sight):
            if name not in self.known:
                raise unknown("wager of a plan", name, self.known)
            if type(units) is not int or not 0 <= units <= MOST_STAKE:
                raise BadInput(f"plan of craps: {name} is staked in whole units to {MOST_STAKE}: {units!r:.40}")
            take(name, units)

    def _answered(self, sight: Sight) -> list[tuple[str, int]]:
        answer = self.plan(sight)
        try:
            return [(name, units) for name, units in answer]
        except (TypeError, ValueError) as error:
            raise BadInput(f"a plan of craps answers with pairs of a wager and its units: {answer!r:.60}") from error

    def seen(self, mind: None, _: CrapsThrow) -> None:
        return mind


def spelled(game: AnyGame, rules: Any, wanted: Mapping[str, int]) -> list[tuple[str, int]]:
    """Stakes by wager; a kind without a number means any number it can have."""
    names = game.wagers(rules)
    listed: list[tuple[str, int]] = []
    for name, units in wanted.items():
        chosen = [name] if name in names else [each for each in names if wager_kind(each) == name]
        if not chosen:
            raise unknown("wager", name, names)
        if type(units) is not int or units < 1:
            raise ValueError(f"{name}: the stake is a whole number of units, 1 or more: {units!r:.20}")
        listed += [(each, units) for each in chosen]
    return listed


def keep_up(game: AnyGame, rules: Any, wanted: Mapping[str, int]) -> Plan:
    """The plan to have these wagers standing at all times."""
    listed = spelled(game, rules, wanted)

    def plan(sight: Sight) -> list[tuple[str, int]]:
        held = {each.on for each in sight.standing}
        return [(name, units) for name, units in listed if name not in held]

    return plan


# ---------------------------------------------------------------- the automaton


@dataclass(frozen=True, slots=True)
class CrapsPosition:
    """Before the bettor speaks.  A closing position places nothing more, and nothing is in mind."""

    layout: Any
    standing: tuple[Wager, ...]
    closing: bool
    mind: Hashable = None


@dataclass(frozen=True, slots=True)
class Walked:
    """Positions numbered from 0, where 0 is "closing, and nothing stands"; 1 is the start.

    `step`, `decided` and `nets` go by position × throw; `minds` has of each position what is in mind before and after
    placing, and the units that then stand.
    """

    step: list[int]
    closing: list[int]
    decided: list[Decisions]
    nets: list[Fraction]
    minds: list[tuple[Hashable, Hashable, int]]


class CrapsWalk:
    """The walk over the positions of a bettor; an object only because its tables grow together."""

    def __init__(
        self,
        game: AnyGame,
        rules: Any,
        tickets: Sequence[Plain],
        bettor: CrapsBettor,
        applied: dict[tuple[Any, Plain], Any] | None = None,
    ) -> None:
        self.game, self.rules, self.bettor = game, rules, bettor
        # Which die shows which face is nothing to any rule: throws with equal faces are one.
        self.tickets = [in_any_order(fact) for fact in tickets]
        self.numbers: dict[object, int] = {}
        self.positions: list[CrapsPosition] = []
        self.thrown: dict[tuple[Any, tuple[Wager, ...]], dict[Plain, CrapsThrow]] = {}
        # Layouts after a throw, which the walks of several bettors share.
        self.applied: dict[tuple[Any, Plain], Any] = {} if applied is None else applied

    def run(self) -> Walked:
        start = self.game.begin(self.rules, NORMAL)
        self._number(CrapsPosition(start, (), closing=True))
        self._number(CrapsPosition(start, (), closing=False, mind=self.bettor.first))
        walked = Walked([], [], [], [], [])
        for position in self.positions:
            walked.closing.append(self._number(replace(position, closing=True, mind=None)))
            placed = position if position.closing else self._placed(position)
            units = sum(each.stake_cents for each in placed.standing) // STAKE
            walked.minds.append((position.mind, placed.mind, 0 if position.closing else units))
            throws = self._throws(placed)
            following = {fact: self._number(self._next(placed, thrown)) for fact, thrown in throws.items()}
            walked.step.extend(following[fact] for fact in self.tickets)
            walked.decided.extend(throws[fact].decided for fact in self.tickets)
            walked.nets.extend(throws[fact].net for fact in self.tickets)
        return walked

    def _number(self, position: CrapsPosition) -> int:
        over = position.closing and not position.standing
        view = None if over else self.game.view(self.rules, position.layout)
        key = (view, position.standing, position.closing, position.mind)
        known = self.numbers.get(key)
        if known is None:
            if len(self.positions) == MOST_POSITIONS:
                raise ValueError(f"the plan leads to more than {MOST_POSITIONS} positions: let it remember less")
            known = self.numbers[key] = len(self.positions)
            self.positions.append(position)
        return known

    def _throws(self, placed: CrapsPosition) -> dict[Plain, CrapsThrow]:
        key = (placed.layout, placed.standing)
        if key not in self.thrown:
            self.thrown[key] = {fact: self._after(placed, fact) for fact in dict.fromkeys(self.tickets)}
        return self.thrown[key]

    def _next(self, placed: CrapsPosition, thrown: CrapsThrow) -> CrapsPosition:
        mind = None if placed.closing else self.bettor.seen(placed.mind, thrown)
        return CrapsPosition(thrown.layout, thrown.standing, placed.closing, mind)

    def _placed(self, position: CrapsPosition) -> CrapsPosition:
        layout, standing = position.layout, position.standing
        point = layout.point if layout.point in self.rules.points.value else None

        def take(name: str, units: int) -> bool:
            nonlocal layout, standing
            wager = Wager(name, units * STAKE, by=BETTOR, number=len(standing))
            accepted = self.game.accept(self.rules, NO_SIGN, layout, standing, (wager,))
            if isinstance(accepted, Refusal):
                return False
            layout = self.game.seat(self.rules, layout, accepted)
            standing = (*standing, *accepted)
            return True

        mind = self.bettor.place(position.mind, Sight(point, standing), take)
        return replace(position, layout=layout, standing=standing, mind=mind)

    def _after(self, position: CrapsPosition, fact: Plain) -> CrapsThrow:
        layout = self._applied(position.layout, fact)
        kept: list[Wager] = []
        decided: list[tuple[Wager, Resolution]] = []
        for wager in position.standing:
            judged = self.game.judge(self.rules, wager, position.layout, fact, layout)
            if isinstance(judged, Wager):
                kept.append(judged)
            else:
                decided.append((wager, judged))
        total = sum(getattr(fact, "faces", ()))
        return CrapsThrow(total, layout, _numbered(kept), tuple(decided), money(decided))

    def _applied(self, layout: Any, fact: Plain) -> Any:
        if (layout, fact) not in self.applied:
            after = granted(self.game.apply(self.rules, layout, fact))
            self.applied[layout, fact] = after
        return self.applied[layout, fact]


def money(decisions: Iterable[tuple[Wager, Resolution]]) -> Fraction:
    """What decisions come to, in units."""
    return sum(
        (net_of(resolution, wager) * Fraction(wager.stake_cents, STAKE) for wager, resolution in decisions), Fraction(0)
    )


def _numbered(wagers: Sequence[Wager]) -> tuple[Wager, ...]:
    """The wagers in one order with numbers from 0, so that equal books are equal; odds go on following their base."""
    if not wagers or (len(wagers) == 1 and not wagers[0].number and wagers[0].of is None):
        return tuple(wagers)
    order = sorted(wagers, key=lambda wager: (wager.on, repr(wager.seen), wager.stake_cents))
    places = {wager.number: n for n, wager in enumerate(order)}
    return tuple(
        changed(wager, number=n, of=None if wager.of is None else places.get(wager.of)) for n, wager in enumerate(order)
    )
