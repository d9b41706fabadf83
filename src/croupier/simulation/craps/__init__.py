"""Craps for the kernels: a bettor's wagers become an automaton over throws.

    walk     positions of a bettor and what each throw makes of them
    history  bettors who stake by what happened before

Theory of operation.  The kernel counts (position, throw) of the automaton that `walk` makes.  A plan is data, wagers to
keep up with their stakes in units, or a function of what the bettor sees; a strategy of `betting` also knows what came
before.  Without either, each wager of the law is kept up by a bettor of its own (odds with their base beside them), all
by the same throws.

When the throws asked for are over, every position turns to its *closing* form, in which nothing is placed, and the
dice go on until what stands is decided: wagers that take long are not lost from the count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Final

import numpy as np

from croupier.exact.chain import ChainWalker, in_any_order
from croupier.exact.pricing import pricing
from croupier.exact.sheet import chained
from croupier.exact.ways import worth_of_chain
from croupier.game import NO_SIGN, AnyGame, Plain, Resolution, Wager
from croupier.games.craps import CRAPS
from croupier.law.ruleset import Ruleset
from croupier.simulation import kernels, sessions
from croupier.simulation.betting import BUILT_IN, by_history, in_a_session, strategy_of
from croupier.simulation.craps.history import ByHistory, ThrowBins, stakes
from croupier.simulation.craps.walk import BETTOR, ByPlan, CrapsBettor, CrapsWalk, Plan, Sight, Walked, keep_up
from croupier.simulation.draws import tickets_of
from croupier.simulation.plan import BinEnding, Exact, PlanRow, Program, Simulated, SimulationSettings
from croupier.simulation.settled import net_of

__all__ = ["BETTOR", "STRATEGIES", "Plan", "Sight", "keep_up", "simulated"]

USUAL: Final = "pass"
"""What a strategy stakes on if it names nothing."""

STRATEGIES: Final[Mapping[str, Mapping[str, int]]] = {
    "pass": {"pass": 1},
    "dont_pass": {"dont_pass": 1},
    "pass_with_odds": {"pass": 1, "pass_odds": 1},
    "dont_pass_behind": {"dont_pass": 1, "dont_pass_behind": 1},
    "pass_and_come": {"pass": 1, "pass_odds": 1, "come": 1, "come_odds": 1},
    "place_six_and_eight": {"place:6": 1, "place:8": 1},
    "iron_cross": {"field": 1, "place:5": 1, "place:6": 1, "place:8": 1},
}


def simulated(ruleset: Ruleset[Any], settings: SimulationSettings) -> Simulated:
    """A plan of wagers, or every wager of the law by itself."""
    if settings.boxes != 1 or settings.behind is not None:
        raise ValueError("craps has neither boxes nor a cutting card")
    game, rules = CRAPS, ruleset.rules
    tickets = tickets_of(game, rules)
    bettor, note = _bettor(game, rules, settings)
    if bettor is not None:
        walked = CrapsWalk(game, rules, tickets, bettor).run()
        rows, walks = _plan_rows(walked), [walked]
    else:
        rows, walks = _every_row(game, rules, tickets)
    history = bettor.strategy if isinstance(bettor, ByHistory) else None
    stops = (history.stop_loss, history.win_goal) if history else (0, 0)
    program, figures = _program(walks, len(tickets), settings, stops)
    notes = ("a round is one throw; wagers that stand at the end are thrown out to their decision", note)
    outcomes = {str(total): _places(tickets, total, walks) for total in range(2, 13)} if len(walks) == 1 else {}
    bins = ThrowBins(history.name, walks[0]) if history else None
    return Simulated(program, rows, lambda: _exact(game, rules, rows), notes, outcomes, figures, bins)


def _bettor(game: AnyGame, rules: Any, settings: SimulationSettings) -> tuple[CrapsBettor | None, str]:
    """Who bets, and a sentence about it; None: every wager has a bettor of its own."""
    if by_history(settings.strategy) and not settings.wagers:
        strategy = in_a_session(strategy_of(settings.strategy, USUAL), settings.session)
        return ByHistory(strategy, rules), "a bet is over when all its wagers are decided; then the next is asked for"
    plan, note = _plan(game, rules, settings)
    if plan is None and settings.session:
        plan, note = keep_up(game, rules, STRATEGIES[USUAL]), f"keeps up {USUAL} 1"
    return None if plan is None else ByPlan(plan, tuple(game.wagers(rules))), note


def _plan(game: AnyGame, rules: Any, settings: SimulationSettings) -> tuple[Plan | None, str]:
    strategy = settings.strategy
    if strategy and settings.wagers:
        raise ValueError("give a strategy or stakes, not both")
    if callable(strategy):
        return strategy, "a plan of the user's own"
    wanted: object = settings.wagers or strategy
    if isinstance(wanted, str) and wanted:
        if wanted not in STRATEGIES:
            raise ValueError(f"unknown strategy {wanted!r:.60}; known are {', '.join((*STRATEGIES, *BUILT_IN))}")
        wanted = STRATEGIES[wanted]
    if not wanted:
        return None, "each wager is kept up by a bettor of its own, all by the same throws"
    if not isinstance(wanted, Mapping):
        raise ValueError(f"a strategy of craps is a name, stakes by wager, or a function: {wanted!r:.60}")
    words = ", ".join(f"{name} {units}" for name, units in wanted.items())
    return keep_up(game, rules, wanted), f"keeps up {words}"


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
        walk = CrapsWalk(game, rules, tickets, ByPlan(keep_up(game, rules, wanted), tuple(game.wagers(rules))), applied)
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
    walks: Sequence[Walked], tickets: int, settings: SimulationSettings, stops: tuple[int, int] = (0, 0)
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
        nets += walked.nets if settings.session else []
    grains = lcm(*{net.denominator for net in nets})
    length, bins = settings.session, len(step)
    width = 1
    figures = None
    grained = np.array([int(net * grains) for net in nets] or [0] * bins, dtype=np.int64)
    if length:
        chances = np.full(tickets, 1 / tickets)
        spread = sessions.typical_net(np.array(step), grained, chances, length, start=starts[0])
        width = sessions.width_for(1, length, max(spread, grains))
        staked = np.array([stakes(decisions) for walked in walks for decisions in walked.decided])
        figures = sessions.Bins(bins, grains, width, length, staked)
    stop, goal = (units * grains for units in stops)
    numbers = np.array([tickets, length, bins, width, 0, stop, goal], dtype=np.int64)
    kind = np.uint16 if len(closing) < 1 << 16 else np.int64
    tables = (
        np.array(step, dtype=kind),
        np.array(closing, dtype=kind),
        np.array(starts, dtype=np.int64),
        numbers,
        grained,
    )
    rounds = length or kernels.BLOCK
    each = max(1, int(4_000_000 / rounds / len(walks)))
    return Program(kernels.play_throws, tables, bins + (sessions.SIZE if length else 0), each, rounds), figures


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
