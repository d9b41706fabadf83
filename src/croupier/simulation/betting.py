"""Betting by what happened before: strategies as functions of what a bettor may know, tabulated for the kernels.

Theory of operation.  A strategy is a function `bet(seen)`.  `Knowledge` is all that a bettor may know before a coup:
the last outcomes of this shoe, how many coups it has dealt, the last bet and whether it won, and what the strategy
noted for itself.  It answers with the stakes, in whole units by wager, and perhaps with a new note.  Such a function of
finitely many things is an automaton, so it is asked once for each state that can be reached; the kernel then looks up
the stakes of a coup and the next state, and plays as fast as if nothing were decided.  The slow path is `played`, which
asks the function itself coup by coup; a twin test compares them on the same shoes.

Table limits bound each stake.  A stop-loss and a win goal look at the money of the session and are the kernel's
business: who reached one has gone home.  A bettor sits down anew with each session, or with each shoe where there are
none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm, sqrt
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from croupier.errors import BadInput, unknown
from croupier.present import short
from croupier.simulation.plan import Exact, Ints
from croupier.simulation.sessions import typical_net

Stakes: TypeAlias = Mapping[str, int]
Answer: TypeAlias = Stakes | tuple[Stakes, Hashable]

MOST_STATES: Final = 40_000
MOST_STAKE: Final = 10**6
NO_LIMIT: Final = (1, MOST_STAKE)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a bettor knows before a coup.

    `outcomes` are the last winners of this shoe, the newest last; `coup` how many coups it has dealt, as far as the
    strategy counts them.  `staked` is the last bet, by wager; `result` what it came to.  `note` is what the
    strategy wrote down.  `point` is that of craps, where one is on; there a bet is over when all of it is decided.
    """

    outcomes: tuple[str, ...] = ()
    coup: int = 0
    staked: tuple[tuple[str, int], ...] = ()
    result: Literal["", "won", "lost", "even"] = ""
    note: Hashable = None
    point: int | None = None


@dataclass(frozen=True, slots=True)
class BettingStrategy:
    """A way to bet.  `remember` outcomes and `coups` are how much of the shoe it looks at.

    `limits` are the table's; stakes beyond them are cut to the most, and below them not accepted.  At `stop_loss` units
    lost or `win_goal` units won in a session the bettor leaves.
    """

    name: str
    bet: Callable[[Knowledge], Answer]
    remember: int = 0
    coups: int = 0
    limits: tuple[int, int] = NO_LIMIT
    stop_loss: int = 0
    win_goal: int = 0


def asked(strategy: BettingStrategy, seen: Knowledge, known: Sequence[str]) -> tuple[dict[str, int], Hashable]:
    """The stakes and the note that the strategy answers with, within the limits; nonsense is refused by name."""
    answer = strategy.bet(seen)
    stakes, note = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, seen.note)
    if not isinstance(stakes, Mapping):
        raise BadInput(
            f"strategy {strategy.name}: stakes in units by wager are answered, or these and a note: {answer!r:.60}"
        )
    if not _can_be_kept(note):
        raise BadInput(f"strategy {strategy.name}: a note is a value that does not change, not a list: {note!r:.60}")
    least, most = strategy.limits
    placed: dict[str, int] = {}
    for name, units in stakes.items():
        if name not in known:
            raise unknown("wager of a strategy", str(name), known)
        if type(units) is not int or not 0 <= units <= MOST_STAKE:
            raise BadInput(
                f"strategy {strategy.name}: a stake is a whole number of units to {MOST_STAKE}: {units!r:.40}"
            )
        if units >= least:
            placed[name] = min(units, most)
    return placed, note


def _can_be_kept(note: object) -> bool:
    """Whether states can be told apart by it; a tuple is only as fixed as what it holds."""
    try:
        hash(note)
    except TypeError:
        return False
    return True


def following(
    strategy: BettingStrategy, seen: Knowledge, staked: Stakes, note: Hashable, outcome: str, net: Fraction
) -> Knowledge:
    """What is known after a coup; a coup without a bet leaves the last bet as it was."""
    remembered = (*seen.outcomes, outcome)[-strategy.remember :] if strategy.remember else ()
    after = replace(seen, outcomes=remembered, coup=min(seen.coup + 1, strategy.coups), note=note)
    if not staked:
        return after
    return replace(after, staked=tuple(staked.items()), result="won" if net > 0 else "lost" if net < 0 else "even")


def fresh_shoe(seen: Knowledge) -> Knowledge:
    return replace(seen, outcomes=(), coup=0)


# ---------------------------------------------------------------- the table


@dataclass(frozen=True, slots=True)
class BettorTable:
    """A strategy tabulated: for each state its stakes, and for state × end the net in grains and the next state."""

    strategy: BettingStrategy
    ends: int
    grains: int
    stakes: tuple[Mapping[str, int], ...]
    nets: Ints
    following: Ints
    fresh: Ints

    def typical_stake(self, chances: Sequence[float], rounds: int) -> float:
        """About how much is staked in a round of a session, the ends being so likely; one unit at least."""
        shares = np.array(chances) / sum(chances)
        return max(1.0, typical_net(self.following, self.nets, shares, rounds) / self.grains)


Nets: TypeAlias = Callable[[str, int], Fraction]
"""The net of a wager per unit, by the number of the end."""


def tabulate(
    strategy: BettingStrategy, known: Sequence[str], outcomes: Sequence[str], net: Nets, grain: int = 1
) -> BettorTable:
    """Ask the strategy in every state that can be reached; `outcomes` has the winner of each end.

    The grains of a unit are so many that every net is whole, and a multiple of `grain`.
    """
    states: dict[Knowledge, int] = {Knowledge(): 0}
    todo, stakes = [Knowledge()], []
    nets: list[Fraction] = []
    steps: list[int] = []
    fresh: list[int] = []

    def number(seen: Knowledge) -> int:
        if seen not in states:
            if len(states) >= MOST_STATES:
                raise BadInput(f"strategy {strategy.name} knows more than {MOST_STATES} states: let it remember less")
            states[seen] = len(states)
            todo.append(seen)
        return states[seen]

    for seen in todo:
        placed, note = asked(strategy, seen, known)
        stakes.append(placed)
        fresh.append(number(fresh_shoe(seen)))
        for end, outcome in enumerate(outcomes):
            won = sum((units * net(name, end) for name, units in placed.items()), Fraction(0))
            nets.append(won)
            steps.append(number(following(strategy, seen, placed, note, outcome, won)))
    grains = lcm(grain, *{won.denominator for won in nets})
    return BettorTable(
        strategy,
        len(outcomes),
        grains,
        tuple(stakes),
        np.array([int(won * grains) for won in nets], dtype=np.int64),
        np.array(steps, dtype=np.int64),
        np.array(fresh, dtype=np.int64),
    )


RESULTS: Final = ("even", "won", "lost")
"""The ends of a round of which a bettor is told only whether it won."""


def tabulate_results(strategy: BettingStrategy, wager: str) -> BettorTable:
    """The table of somebody who stakes on one wager and is told whether it won; nets are signs, not amounts."""
    return tabulate(strategy, (wager,), RESULTS, lambda _, end: Fraction((0, 1, -1)[end]))


def played(
    strategy: BettingStrategy, known: Sequence[str], shoes: Iterable[Iterable[tuple[str, Mapping[str, Fraction]]]]
) -> Iterable[tuple[Stakes, Fraction]]:
    """The slow path: the strategy asked before every coup, each told as its winner and the net of each wager."""
    seen, won, gone = Knowledge(), Fraction(0), False
    for number, shoe in enumerate(shoes):
        seen = fresh_shoe(seen) if number else seen
        for outcome, nets in shoe:
            if gone:
                yield {}, Fraction(0)
                continue
            placed, note = asked(strategy, seen, known)
            net = sum((units * nets[name] for name, units in placed.items()), Fraction(0))
            seen, won = following(strategy, seen, placed, note, outcome, net), won + net
            gone = bool(strategy.stop_loss and won <= -strategy.stop_loss) or bool(
                strategy.win_goal and won >= strategy.win_goal
            )
            yield placed, net


# ---------------------------------------------------------------- what it came to


@dataclass(frozen=True, slots=True)
class Betting:
    """What a strategy did over a run, in units: what it cannot change (`edge`), and what it can.

    `expected` is the edge per unit staked of the very mix of wagers, by their exact odds; the strategy's own may
    differ by chance only.  `deviation` is that of one coup.  Who counts cards does change it: `flat` is the edge of one
    unit on every round, `by_count` tells of each count the rounds, the stake and the edge of a unit.
    """

    strategy: str
    coups: int
    bets: int
    staked: int
    net: float
    edge: float
    error: float
    expected: float | None
    z: float | None
    deviation: float
    largest: int
    wagers: tuple[tuple[str, int], ...]
    states: int
    flat: float | None = None
    by_count: tuple[tuple[int, int, int, float], ...] = ()

    def __repr__(self) -> str:
        expected = None if self.expected is None else f"{self.expected:.4%}"
        staked = f"{self.staked:,}"
        return short("Betting", strategy=self.strategy, edge=f"{self.edge:.4%}", expected=expected, staked=staked)

    def beside(self, known: Exact | None) -> Betting:
        """The same beside the exact odds of the one wager that it stakes on."""
        if known is None or not self.error:
            return self
        expected = 0.0 - float(known.mean)
        return replace(self, expected=expected, z=(self.edge - expected) / self.error)


@dataclass(frozen=True, slots=True)
class BettorBins:
    """Where the visits of each state × end are counted."""

    first: int
    table: BettorTable = field(compare=False)

    def results(self, counts: Ints, exact: Mapping[tuple[str, str], Exact]) -> Betting:
        table = self.table
        visits = counts[self.first : self.first + len(table.nets)].reshape(-1, table.ends)
        by_state = visits.sum(axis=1).tolist()
        placed: dict[str, int] = {}
        for stakes, times in zip(table.stakes, by_state, strict=True):
            for name, units in stakes.items():
                placed[name] = placed.get(name, 0) + units * times
        coups, staked = sum(by_state), sum(placed.values())
        net = sum(n * int(v) for n, v in zip(table.nets.tolist(), visits.ravel().tolist(), strict=True)) / table.grains
        square = float((table.nets.astype(float) ** 2) @ visits.ravel()) / table.grains**2
        known = staked and all((name, "") in exact for name in placed)
        expected = (
            -sum(float(exact[name, ""].mean) * units for name, units in placed.items()) / staked if known else None
        )
        error = sqrt(max(0.0, square)) / staked if staked else 0.0
        edge = 0.0 - net / staked if staked else 0.0
        reached = [sum(stakes.values()) for stakes, times in zip(table.stakes, by_state, strict=True) if times]
        return Betting(
            strategy=table.strategy.name,
            coups=coups,
            bets=sum(times for stakes, times in zip(table.stakes, by_state, strict=True) if stakes),
            staked=staked,
            net=net,
            edge=edge,
            error=error,
            expected=expected,
            z=(edge - expected) / error if expected is not None and error else None,
            deviation=sqrt(max(0.0, square / coups - (net / coups) ** 2)) if coups else 0.0,
            largest=max(reached, default=0),
            wagers=tuple(placed.items()),
            states=len(table.stakes),
        )


# ---------------------------------------------------------------- the known ones


def _flat(on: str, base: int) -> Callable[[Knowledge], Answer]:
    return lambda _: {on: base}


def _martingale(on: str, base: int) -> Callable[[Knowledge], Answer]:
    """Twice the stake after a loss, or the table's most where that is less; the first one again after a win."""

    def bet(seen: Knowledge) -> Answer:
        last = dict(seen.staked).get(on, base)
        return {on: {"lost": last * 2, "even": last}.get(seen.result, base)}

    return bet


def _paroli(on: str, base: int) -> Callable[[Knowledge], Answer]:
    """Twice the stake after a win, three times in a row at most."""

    def bet(seen: Knowledge) -> Answer:
        last = dict(seen.staked).get(on, base)
        up = last * 2 if last < 4 * base else base
        return {on: {"won": up, "even": last}.get(seen.result, base)}

    return bet


def _dalembert(on: str, base: int) -> Callable[[Knowledge], Answer]:
    """A unit more after a loss, a unit less after a win."""

    def bet(seen: Knowledge) -> Answer:
        last = dict(seen.staked).get(on, base)
        return {on: max(base, last + {"lost": base, "won": -base}.get(seen.result, 0))}

    return bet


def _fibonacci(on: str, base: int) -> Callable[[Knowledge], Answer]:
    """One step on in the sequence after a loss, two back after a win; the note is the place in it."""

    def bet(seen: Knowledge) -> Answer:
        place = seen.note if isinstance(seen.note, int) else 0
        place = max(0, place + {"lost": 1, "won": -2}.get(seen.result, 0))
        first, second = 1, 1
        for _ in range(min(place, 40)):
            first, second = second, first + second
        return {on: min(base * first, MOST_STAKE)}, min(place, 40)

    return bet


def _unless_streak(on: str, base: int) -> Callable[[Knowledge], Answer]:
    """On one hand, unless the last three coups went to the other: then on that."""
    other = {"player": "banker", "banker": "player"}.get(on)
    if other is None:
        raise BadInput(
            f"strategy unless_streak: it follows the hands of baccarat, on=player or on=banker, not {on!r:.40}"
        )
    return lambda seen: {other if seen.outcomes == (other,) * 3 else on: base}


BUILT_IN: Final[Mapping[str, tuple[Callable[[str, int], Callable[[Knowledge], Answer]], int]]] = {
    "flat": (_flat, 0),
    "martingale": (_martingale, 0),
    "paroli": (_paroli, 0),
    "dalembert": (_dalembert, 0),
    "fibonacci": (_fibonacci, 0),
    "unless_streak": (_unless_streak, 3),
}
"""Each with how many outcomes it remembers."""
OPTIONS: Final = ("on", "base", "minimum", "maximum", "stop_loss", "win_goal")
USUAL_MOST: Final = 500
"""Units: the table's most where none is named, so that a progression meets a limit as it would in a house."""


def by_history(given: object) -> bool:
    """Whether a strategy says what is staked by what came before: one of these, its name with options, or a file."""
    name = given.partition(":")[0] if isinstance(given, str) else ""
    return isinstance(given, BettingStrategy) or name in BUILT_IN or name.endswith(".py")


def in_a_session(strategy: BettingStrategy, rounds: int) -> BettingStrategy:
    """The strategy, if its stops have a session to be in."""
    if (strategy.stop_loss or strategy.win_goal) and not rounds:
        raise ValueError(f"strategy {strategy.name}: a stop-loss or a win goal is of a session; give --session")
    return strategy


def strategy_of(given: object, usual: str) -> BettingStrategy:
    """A strategy: itself, a function, a name with options (`martingale:on=player,maximum=100`), or a Python file."""
    if isinstance(given, BettingStrategy):
        return given
    if callable(given):
        return BettingStrategy(getattr(given, "__name__", "own"), given, getattr(given, "remember", 0))
    if not isinstance(given, str):
        raise BadInput(f"a strategy is a name, a file, a function or a BettingStrategy: {given!r:.60}")
    name, _, written = given.partition(":")
    options = _options(given, written)
    limits = int(options.get("minimum", "1")), int(options.get("maximum", str(USUAL_MOST)))
    stop, goal = (int(options.get(word, "0")) for word in ("stop_loss", "win_goal"))
    if limits[0] > limits[1]:
        raise BadInput(f"strategy {given!r:.60}: minimum {limits[0]} is above maximum {limits[1]}")
    if name.endswith(".py"):
        found = _from_file(name)
        bounds = limits if {"minimum", "maximum"} & options.keys() else found.limits
        return replace(found, limits=bounds, stop_loss=stop, win_goal=goal)
    if name not in BUILT_IN:
        raise unknown("strategy", name, BUILT_IN)
    make, remember = BUILT_IN[name]
    bet = make(options.get("on", usual), int(options.get("base", "1")))
    return BettingStrategy(given, bet, remember, limits=limits, stop_loss=stop, win_goal=goal)


def _options(given: str, written: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in filter(None, written.split(",")):
        word, _, value = (text.strip() for text in part.partition("="))
        if word not in OPTIONS or word in options:
            raise unknown("option of a strategy", word, OPTIONS)
        if word != "on" and not re.fullmatch(r"[0-9]{1,6}", value):
            raise BadInput(f"strategy {given!r:.60}: {word} is a whole number of units: {value!r:.40}")
        options[word] = value
    return options


def _from_file(name: str) -> BettingStrategy:
    """`bet(seen)` of a Python file, with `REMEMBER` outcomes and `COUPS` of the shoe where it names them."""
    try:
        text = Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise BadInput(f"{name}: {getattr(error, 'strerror', None) or error}") from error
    found: dict[str, Any] = {"__name__": Path(name).stem, "__file__": name}
    try:
        exec(compile(text, name, "exec"), found)
    except (Exception, SystemExit) as error:
        raise _of_file(name, error) from error
    remember, coups = (found.get(word, 0) for word in ("REMEMBER", "COUPS"))
    if not callable(found.get("bet")) or type(remember) is not int or type(coups) is not int:
        raise BadInput(f"{name}: a function bet(seen) is needed, and REMEMBER and COUPS as whole numbers if at all")

    def bet(seen: Knowledge) -> Answer:
        try:
            answer: Answer = found["bet"](seen)
        except (Exception, SystemExit) as error:
            raise _of_file(name, error) from error
        return answer

    return BettingStrategy(Path(name).name, bet, remember, coups)


def _of_file(name: str, error: BaseException) -> BadInput:
    """What a file raised, with the last of its lines that was reached: its mistake, and none of croupier's."""
    line = error.lineno if isinstance(error, SyntaxError) else None
    trace = error.__traceback__
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == name else line
        trace = trace.tb_next
    return BadInput(f"{name}{'' if line is None else f' line {line}'}: {type(error).__name__}: {error}")
