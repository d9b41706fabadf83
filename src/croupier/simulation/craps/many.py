"""Many tables of craps side by side, for whoever decides outside the kernel.

Theory of operation.  What becomes of a wager depends on the point, the throw, and what the wager has seen: a Come has
gone to a number or not.  So a wager with what it has seen is a *spot*, and the game's own judge says for every spot,
point and throw where its units go next and what they bring.  A table is the point and the units on each spot; a step
places a unit, throws, and moves all units: one compiled call for any number of tables.  When a wager may be placed
depends on the point alone, but for odds, which depend on the units of their base: both are asked of the game once.
The slow path is `gym.environments.CrapsEnv`: the same throws through `round.happen`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec.structs import replace as changed
from numpy.typing import NDArray

from croupier.game import NO_SIGN, DiceFell, Refusal, Wager, granted
from croupier.game.kinds import wager_kind
from croupier.games.craps import CRAPS
from croupier.games.craps.layout import CrapsLayout
from croupier.games.craps.placing import most_odds
from croupier.games.craps.rules import CrapsRules, LineBet, OddsBet, named_number
from croupier.kept.compiling import compiled
from croupier.simulation.plan import Ints
from croupier.simulation.settled import net_of

UNIT: Final = 60_000
"""Cents of a unit, so that any odds and commission of the law are whole cents."""
MOST_UNITS: Final = 100
"""On one wager."""
TOO_MANY: Final = f"no more than {MOST_UNITS} units on a wager"

Spot: TypeAlias = tuple[str, int]
"""A wager, and the number it has gone to (0: none)."""


def spot_of(wager: Wager) -> Spot:
    """Where a wager lies: only a line bet goes to a number that its name does not say."""
    number = next((item for item in wager.seen if isinstance(item, int)), 0) if named_number(wager.on) is None else 0
    return wager.on, number


def spots_of(rules: CrapsRules) -> tuple[Spot, ...]:
    """Every spot: each wager where it is placed, then the line bets gone to each of their numbers."""
    names = CRAPS.wagers(rules)
    lines = [(name, bet) for name in names if isinstance(bet := rules.bets[wager_kind(name)], LineBet)]
    gone = [(name, number) for name, bet in lines for number in sorted(bet.points.value)]
    return (*((name, 0) for name in names), *gone)


@dataclass(frozen=True, slots=True)
class ManyThrows:
    """The tables of a rule set.

    `step[point, throw]` is the next point; `moves[spot, point, throw]` where a unit goes (-1: it is decided) and
    `brings` what it then brings.  A unit is placed on the spot with the wager's own number; `placed[wager, point]`
    says whether it may be, `refusals` the rules against it.  `base[wager]` is the spot that odds follow (-1: these are
    none), and `odds[wager, units]` how many units it allows.
    """

    rules: CrapsRules
    wagers: tuple[str, ...]
    spots: tuple[Spot, ...]
    points: tuple[int, ...]
    throws: tuple[tuple[int, int], ...]
    step: Ints
    moves: Ints
    brings: NDArray[np.float64]
    wager_of: Ints
    placed: NDArray[np.bool_]
    base: Ints
    odds: Ints
    refusals: tuple[tuple[str, ...], ...]

    def after(self, point: Ints, units: Ints, actions: Ints, thrown: Ints) -> NDArray[np.float64]:
        """Place, throw and settle at every table, which are changed, but where the throw is -1: what each brings."""
        rewards = np.zeros(len(point))
        compiled: Any = _after
        compiled(self.step, self.moves, self.brings, point, units, actions, thrown, rewards)
        return rewards

    def refused(self, point: int, units: Ints, wager: int) -> str:
        """The rule against a unit more on a wager, or the limit that is not the law's."""
        bet = self.rules.bets[wager_kind(self.wagers[wager])]
        if not self.placed[wager, point]:
            return self.refusals[wager][point]
        if isinstance(bet, OddsBet) and not units[self.base[wager]]:
            return bet.base.rule
        on = int(units[self.wager_of == wager].sum())
        if on >= MOST_UNITS or not isinstance(bet, OddsBet):
            return TOO_MANY
        return bet.limit.rule

    def open_to(self, point: Ints, units: Ints) -> NDArray[np.int8]:
        """What may be placed at each table; the first action is to place nothing."""
        mask = np.ones((len(point), len(self.wagers) + 1), dtype=np.int8)
        compiled: Any = _open_to
        compiled(self.placed, self.base, self.odds, self.wager_of, point, units, mask)
        return mask


def many_throws(rules: CrapsRules) -> ManyThrows:
    """The tables of the law, by the game's own `apply`, `accept` and `judge`."""
    return _Asking(rules).tables()


class _Asking:
    """Puts wagers on a layout and asks the game; an object only because the tables grow together."""

    def __init__(self, rules: CrapsRules) -> None:
        self.rules, self.wagers = rules, CRAPS.wagers(rules)
        self.points = (rules.no_point.value, *sorted(rules.points.value))
        self.layouts = [CrapsLayout(point) for point in self.points]
        self.throws = tuple((first, second) for first in range(1, 7) for second in range(1, 7))
        self.spots = spots_of(rules)

    def tables(self) -> ManyThrows:
        moves, brings = self._moves()
        spots = self.spots
        bets = [self.rules.bets[wager_kind(name)] for name in self.wagers]
        refusals = tuple(tuple(self._refused(name, layout) for layout in self.layouts) for name in self.wagers)
        odds = np.zeros((len(bets), MOST_UNITS + 1), dtype=np.int64)
        base = np.full(len(bets), -1, dtype=np.int64)
        for n, (name, bet) in enumerate(zip(self.wagers, bets, strict=True)):
            if isinstance(bet, OddsBet):
                base[n] = spots.index((bet.base.value, named_number(name) or 0))
                odds[n] = [self._odds_on(bet, named_number(name) or 0, units) for units in range(MOST_UNITS + 1)]
        return ManyThrows(
            *(self.rules, self.wagers, spots, self.points, self.throws, self._steps(), moves, brings),
            np.array([self.wagers.index(name) for name, _ in spots], dtype=np.int64),
            np.array([[not rule for rule in rules] for rules in refusals]),
            *(base, odds, refusals),
        )

    def _laid(self, name: str) -> Wager:
        """A unit on a wager as the rules lay it down, where some point lets it be placed."""
        for layout in self.layouts:
            wager = Wager(name, UNIT, by="p1", number=9)
            taken = CRAPS.accept(self.rules, NO_SIGN, layout, self._bases(name, 1), (wager,))
            if not isinstance(taken, Refusal):
                return taken[0]
        raise AssertionError(f"{name} can be placed at some time")

    def _bases(self, name: str, units: int) -> tuple[Wager, ...]:
        """So many units of the line bet that odds of this name follow, gone to their number."""
        bet = self.rules.bets[wager_kind(name)]
        if not isinstance(bet, OddsBet) or not units:
            return ()
        return (Wager(bet.base.value, units * UNIT, by="p1", seen=(named_number(name),)),)

    def _refused(self, name: str, layout: CrapsLayout) -> str:
        """The rule against placing a wager at this point; odds are asked for with a base that stands."""
        wager = Wager(name, UNIT, by="p1", number=9)
        taken = CRAPS.accept(self.rules, NO_SIGN, layout, self._bases(name, 1), (wager,))
        return taken.rule if isinstance(taken, Refusal) else ""

    def _odds_on(self, bet: OddsBet, number: int, units: int) -> int:
        """How many units of odds so many units of their base allow."""
        most = most_odds(self.rules, bet, bet.pays[number].value, base_cents=units * UNIT, chip=NO_SIGN.chip)
        return min(most // UNIT, MOST_UNITS) if units else 0

    def _steps(self) -> Ints:
        after = [[self._thrown(layout, throw).point for throw in self.throws] for layout in self.layouts]
        return np.array([[self.points.index(point) for point in row] for row in after], dtype=np.int64)

    def _thrown(self, layout: CrapsLayout, throw: tuple[int, ...]) -> CrapsLayout:
        return granted(CRAPS.apply(self.rules, layout, DiceFell(throw)))

    def _moves(self) -> tuple[Ints, NDArray[np.float64]]:
        """Where the units of each spot go, and what they bring."""
        laid = [self._laid(name) for name in self.wagers]
        lying = [changed(laid[self.wagers.index(on)], seen=(to,)) for on, to in self.spots[len(laid) :]]
        # Which die shows which face is nothing to any rule.
        kinds = sorted({tuple(sorted(throw)) for throw in self.throws})
        which = [kinds.index(tuple(sorted(throw))) for throw in self.throws]
        rows = [
            [[self._judged(wager, layout, throw) for throw in kinds] for layout in self.layouts]
            for wager in (*laid, *lying)
        ]
        found = np.array(rows)[:, :, which]
        return found[..., 0].astype(np.int64), found[..., 1]

    def _judged(self, wager: Wager, layout: CrapsLayout, throw: tuple[int, ...]) -> tuple[int, float]:
        judged = CRAPS.judge(self.rules, wager, layout, DiceFell(throw), self._thrown(layout, throw))
        if isinstance(judged, Wager):
            return self.spots.index(spot_of(judged)), 0.0
        return -1, float(net_of(judged, wager))


@compiled
def _after(step: Any, moves: Any, brings: Any, point: Any, units: Any, actions: Any, thrown: Any, rewards: Any) -> None:
    spots = units.shape[1]
    moved = np.zeros(spots, dtype=np.int64)
    for n in range(len(point)):
        mine, at, throw = units[n], point[n], thrown[n]
        if throw < 0:
            continue
        if actions[n] > 0:
            mine[actions[n] - 1] += 1
        for spot in range(spots):
            moved[spot] = 0
        for spot in range(spots):
            if mine[spot] > 0:
                to = moves[spot, at, throw]
                if to >= 0:
                    moved[to] += mine[spot]
                else:
                    rewards[n] += mine[spot] * brings[spot, at, throw]
        for spot in range(spots):
            mine[spot] = moved[spot]
        point[n] = step[at, throw]


@compiled
def _open_to(placed: Any, base: Any, odds: Any, wager_of: Any, point: Any, units: Any, mask: Any) -> None:
    wagers, spots = len(base), units.shape[1]
    on = np.zeros(wagers, dtype=np.int64)
    for n in range(len(point)):
        for wager in range(wagers):
            on[wager] = units[n, wager]
        for spot in range(wagers, spots):
            on[wager_of[spot]] += units[n, spot]
        for wager in range(wagers):
            most = MOST_UNITS
            if base[wager] >= 0:
                most = odds[wager, min(units[n, base[wager]], MOST_UNITS)]
            mask[n, wager + 1] = placed[wager, point[n]] and on[wager] < most
