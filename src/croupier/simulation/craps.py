"""Craps for the kernels: a plan of wagers becomes an automaton over throws.

Theory of operation.  Between two throws a bettor's plan looks at the point and at what stands, and names wagers; each
is placed if the rules accept it.  So the position before the plan speaks (layout and standing wagers) with a throw
decides everything: which wagers are placed, which are decided and how, and the next position.  The positions are
walked with `accept`, `apply` and `judge`, like those of the exact chains, and the kernel counts (position, throw).

A plan is data, wagers to keep up with their stakes in units, or a function of what the bettor sees.  Without a plan
each wager of the law is kept up by a bettor of its own (odds with their base beside them), all by the same throws.

When the throws asked for are over, every position turns to its *closing* form, in which nothing is placed, and the
dice go on until what stands is decided: wagers that take long are not lost from the count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec.structs import replace as changed

from croupier.exact.automaton import STAKE
from croupier.exact.chain import ChainWalker, in_any_order
from croupier.exact.pricing import pricing
from croupier.exact.sheet import chained
from croupier.exact.ways import worth_of_chain
from croupier.game import NO_SIGN, NORMAL, AnyGame, Plain, Refusal, Resolution, Wager
from croupier.games.craps import CRAPS
from croupier.law.ruleset import Ruleset
from croupier.simulation import kernels, sessions
from croupier.simulation.draws import tickets_of
from croupier.simulation.plan import BinEnding, Exact, PlanRow, Program, Simulated, SimulationSettings
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

STRATEGIES: Final[Mapping[str, Mapping[str, int]]] = {
    "pass": {"pass": 1},
    "dont_pass": {"dont_pass": 1},
    "pass_with_odds": {"pass": 1, "pass_odds": 1},
    "dont_pass_behind": {"dont_pass": 1, "dont_pass_behind": 1},
    "pass_and_come": {"pass": 1, "pass_odds": 1, "come": 1, "come_odds": 1},
    "place_six_and_eight": {"place:6": 1, "place:8": 1},
    "iron_cross": {"field": 1, "place:5": 1, "place:6": 1, "place:8": 1},
}


def keep_up(game: AnyGame, rules: Any, wanted: Mapping[str, int]) -> Plan:
    """The plan to have these wagers standing at all times; a kind without a number means any number it can have."""
    names = game.wagers(rules)
    listed: list[tuple[str, int]] = []
    for name, units in wanted.items():
        chosen = [name] if name in names else [each for each in names if each.partition(":")[0] == name]
        if not chosen:
            raise ValueError(f"{name!r:.60} is not a wager here; known are {', '.join(names)}"[:400])
        if type(units) is not int or units < 1:
            raise ValueError(f"{name}: the stake is a whole number of units, 1 or more: {units!r:.20}")
        listed += [(each, units) for each in chosen]

    def plan(sight: Sight) -> list[tuple[str, int]]:
        held = {each.on for each in sight.standing}
        return [(name, units) for name, units in listed if name not in held]

    return plan


# ---------------------------------------------------------------- the automaton


@dataclass(frozen=True, slots=True)
class CrapsPosition:
    """Before the plan speaks.  A closing position places nothing more."""

    layout: Any
    standing: tuple[Wager, ...]
    closing: bool


Decisions: TypeAlias = tuple[tuple[Wager, Resolution], ...]
Thrown: TypeAlias = tuple[Any, tuple[Wager, ...], Decisions]
"""The layout after a throw, the wagers that still stand, and those that were decided."""


@dataclass(frozen=True, slots=True)
class Walked:
    """Positions numbered from 0, where 0 is "closing, and nothing stands"; 1 is the start."""

    step: list[int]
    closing: list[int]
    decided: list[Decisions]


class _Walk:
    """The walk over the positions of a plan; an object only because its tables grow together."""

    def __init__(
        self,
        game: AnyGame,
        rules: Any,
        tickets: Sequence[Plain],
        plan: Plan,
        applied: dict[tuple[Any, Plain], Any] | None = None,
    ) -> None:
        self.game, self.rules, self.plan = game, rules, plan
        # Which die shows which face is nothing to any rule: throws with equal faces are one.
        self.tickets = [in_any_order(fact) for fact in tickets]
        self.numbers: dict[object, int] = {}
        self.positions: list[CrapsPosition] = []
        self.thrown: dict[tuple[Any, tuple[Wager, ...]], list[Thrown]] = {}
        # Layouts after a throw, which the walks of several plans share.
        self.applied: dict[tuple[Any, Plain], Any] = {} if applied is None else applied

    def run(self) -> Walked:
        start = self.game.begin(self.rules, NORMAL)
        self._number(CrapsPosition(start, (), closing=True))
        self._number(CrapsPosition(start, (), closing=False))
        step: list[int] = []
        closing: list[int] = []
        decided: list[Decisions] = []
        for position in self.positions:
            closing.append(self._number(replace(position, closing=True)))
            for after, how in self._throws(position):
                step.append(self._number(after))
                decided.append(how)
        return Walked(step, closing, decided)

    def _number(self, position: CrapsPosition) -> int:
        over = position.closing and not position.standing
        view = None if over else self.game.view(self.rules, position.layout)
        key = (view, position.standing, position.closing)
        known = self.numbers.get(key)
        if known is None:
            if len(self.positions) == MOST_POSITIONS:
                raise ValueError(f"the plan leads to more than {MOST_POSITIONS} positions")
            known = self.numbers[key] = len(self.positions)
            self.positions.append(position)
        return known

    def _throws(self, position: CrapsPosition) -> list[tuple[CrapsPosition, Decisions]]:
        placed = position if position.closing else self._placed(position)
        key = (placed.layout, placed.standing)
        if key not in self.thrown:
            alike = {fact: self._after(placed, fact) for fact in dict.fromkeys(self.tickets)}
            self.thrown[key] = [alike[fact] for fact in self.tickets]
        return [(CrapsPosition(layout, kept, position.closing), how) for layout, kept, how in self.thrown[key]]

    def _placed(self, position: CrapsPosition) -> CrapsPosition:
        layout, standing = position.layout, position.standing
        point = layout.point if layout.point in self.rules.points.value else None
        for name, units in self.plan(Sight(point, standing)):
            wager = Wager(name, units * STAKE, by=BETTOR, number=len(standing))
            accepted = self.game.accept(self.rules, NO_SIGN, layout, standing, (wager,))
            if not isinstance(accepted, Refusal):
                layout = self.game.seat(self.rules, layout, accepted)
                standing = (*standing, *accepted)
        return replace(position, layout=layout, standing=standing)

    def _after(self, position: CrapsPosition, fact: Plain) -> Thrown:
        layout = self._applied(position.layout, fact)
        kept: list[Wager] = []
        decided: list[tuple[Wager, Resolution]] = []
        for wager in position.standing:
            judged = self.game.judge(self.rules, wager, position.layout, fact, layout)
            if isinstance(judged, Wager):
                kept.append(judged)
            else:
                decided.append((wager, judged))
        return layout, _numbered(kept), tuple(decided)

    def _applied(self, layout: Any, fact: Plain) -> Any:
        if (layout, fact) not in self.applied:
            after = self.game.apply(self.rules, layout, fact)
            assert not isinstance(after, Refusal), after
            self.applied[layout, fact] = after
        return self.applied[layout, fact]


def _numbered(wagers: Sequence[Wager]) -> tuple[Wager, ...]:
    """The wagers in one order with numbers from 0, so that equal books are equal; odds go on following their base."""
    if not wagers or (len(wagers) == 1 and not wagers[0].number and wagers[0].of is None):
        return tuple(wagers)
    order = sorted(wagers, key=lambda wager: (wager.on, repr(wager.seen), wager.stake_cents))
    places = {wager.number: n for n, wager in enumerate(order)}
    return tuple(
        changed(wager, number=n, of=None if wager.of is None else places.get(wager.of)) for n, wager in enumerate(order)
    )


# ---------------------------------------------------------------- the program


def simulated(ruleset: Ruleset[Any], settings: SimulationSettings) -> Simulated:
    """A plan of wagers, or every wager of the law by itself."""
    if settings.boxes != 1 or settings.behind is not None:
        raise ValueError("craps has neither boxes nor a cutting card")
    game, rules = CRAPS, ruleset.rules
    tickets = tickets_of(game, rules)
    plan, note = _plan(game, rules, settings)
    if plan is None and settings.session:
        plan, note = keep_up(game, rules, STRATEGIES["pass"]), "keeps up pass 1"
    if plan is not None:
        walked = _Walk(game, rules, tickets, plan).run()
        rows, walks = _plan_rows(walked), [walked]
    else:
        rows, walks = _every_row(game, rules, tickets)
    program, figures = _program(walks, len(tickets), settings)
    notes = ("a round is one throw; wagers that stand at the end are thrown out to their decision", note)
    outcomes = {str(total): _places(tickets, total, walks) for total in range(2, 13)} if len(walks) == 1 else {}
    return Simulated(program, rows, lambda: _exact(game, rules, rows), notes, outcomes, figures)


def _plan(game: AnyGame, rules: Any, settings: SimulationSettings) -> tuple[Plan | None, str]:
    strategy = settings.strategy
    if strategy and settings.wagers:
        raise ValueError("give a strategy or stakes, not both")
    if callable(strategy):
        return strategy, "a plan of the user's own"
    wanted: object = settings.wagers or strategy
    if isinstance(wanted, str) and wanted:
        if wanted not in STRATEGIES:
            raise ValueError(f"unknown strategy {wanted!r:.60}; known are {', '.join(STRATEGIES)}")
        wanted = STRATEGIES[wanted]
    if not wanted:
        return None, "each wager is kept up by a bettor of its own, all by the same throws"
    if not isinstance(wanted, Mapping):
        raise ValueError(f"a strategy of craps is a name, stakes by wager, or a function: {wanted!r:.60}")
    stakes = ", ".join(f"{name} {units}" for name, units in wanted.items())
    return keep_up(game, rules, wanted), f"keeps up {stakes}"


def _plan_rows(walked: Walked) -> tuple[PlanRow, ...]:
    """A row for each wager of the plan; where several of one name are decided together, one for each in turn."""
    most: dict[tuple[str, int], None] = {}
    counted: list[dict[tuple[str, int], BinEnding]] = []
    for decisions in walked.decided:
        here: dict[tuple[str, int], BinEnding] = {}
        for wager, resolution in decisions:
            key = (wager.on, sum(name == wager.on for name, _ in here))
            here[key] = _ending(wager, resolution)
            most.setdefault(key)
        counted.append(here)
    return tuple(PlanRow(name, 0, tuple(here.get((name, n)) for here in counted)) for name, n in most)


def _every_row(game: AnyGame, rules: Any, tickets: Sequence[Plain]) -> tuple[tuple[PlanRow, ...], list[Walked]]:
    rows: list[PlanRow] = []
    walks: list[Walked] = []
    applied: dict[tuple[Any, Plain], Any] = {}
    first = 0
    for name in game.wagers(rules):
        wanted = {**dict.fromkeys(pricing(game.name, name).beside, 1), name: 1}
        walk = _Walk(game, rules, tickets, keep_up(game, rules, wanted), applied)
        walked = walk.run()
        endings = tuple(
            next((_ending(wager, how) for wager, how in decisions if wager.on == name), None)
            for decisions in walked.decided
        )
        rows.append(PlanRow(name, first, endings))
        walks.append(walked)
        first += len(walked.step)
    return tuple(rows), walks


def _ending(wager: Wager, resolution: Resolution) -> BinEnding:
    return BinEnding(resolution.result, net_of(resolution, wager), resolution.rule)


def _program(
    walks: Sequence[Walked], tickets: int, settings: SimulationSettings
) -> tuple[Program, sessions.Bins | None]:
    """The automata behind each other; position 0 of each, where all is decided, is the first one's."""
    step: list[int] = []
    closing: list[int] = []
    starts: list[int] = []
    nets: list[Fraction] = []
    for walked in walks:
        first = len(closing)
        step += [0 if each == 0 else first + each for each in walked.step]
        closing += [0 if each == 0 else first + each for each in walked.closing]
        starts.append(first + 1)
        nets += [_money(decisions) for decisions in walked.decided] if settings.session else []
    grains = lcm(*{net.denominator for net in nets})
    length, bins = settings.session, len(step)
    width = 1
    figures = None
    if length:
        deviation = max(1.0, float(np.sqrt(np.mean([float(net) ** 2 for net in nets if net])))) if any(nets) else 1.0
        width = sessions.width_for(grains, length, deviation)
        stakes = np.array([_stakes(decisions) for walked in walks for decisions in walked.decided])
        figures = sessions.Bins(bins, grains, width, length, stakes)
    numbers = np.array([tickets, length, bins, width, 0], dtype=np.int64)
    kind = np.uint16 if len(closing) < 1 << 16 else np.int64
    tables = (
        np.array(step, dtype=kind),
        np.array(closing, dtype=kind),
        np.array(starts, dtype=np.int64),
        numbers,
        np.array([int(net * grains) for net in nets] or [0] * bins, dtype=np.int64),
    )
    rounds = length or kernels.BLOCK
    each = max(1, int(4_000_000 / rounds / len(walks)))
    return Program(kernels.play_throws, tables, bins + (sessions.SIZE if length else 0), each, rounds), figures


def _money(decisions: Decisions) -> Fraction:
    """What a throw comes to, in units."""
    return sum(
        (net_of(resolution, wager) * Fraction(wager.stake_cents, STAKE) for wager, resolution in decisions), Fraction(0)
    )


def _stakes(decisions: Decisions) -> float:
    """What was staked on the wagers that a throw decided, in units."""
    return sum(wager.stake_cents for wager, _ in decisions) / STAKE


def _places(tickets: Sequence[Plain], total: int, walks: Sequence[Walked]) -> tuple[int, ...]:
    """The bins in which the dice showed a total."""
    shown = [n for n, fact in enumerate(tickets) if sum(getattr(fact, "faces", ())) == total]
    positions = len(walks[0].closing)
    return tuple(position * len(tickets) + n for position in range(positions) for n in shown)


def _exact(game: AnyGame, rules: Any, rows: Sequence[PlanRow]) -> Mapping[tuple[str, str], Exact]:
    """The chains of the exact odds; a wager of a plan is the same chain, whenever it was placed."""
    assert game.chances is not None
    walker = ChainWalker(game, rules, game.chances(rules).map(in_any_order), NO_SIGN)
    found: dict[tuple[str, str], Exact] = {}
    for name in dict.fromkeys(row.wager for row in rows):
        line = worth_of_chain(chained(walker, name))
        found[name, ""] = Exact(-line.edge, line.variance)
    return found
