"""Caribbean stud simulated: a fresh pack each round, any number of boxes, each with its own strategy.

    dealing  in which order cards go to hands
    lookup   hands and decisions as tables
    tables   a whole table, ready for the kernel
    kernel   the compiled deal
    outcomes what is counted, and what it means to each wager
    twin     the slow path: the same cards through `round.happen`

A strategy is "optimum" (the exact engine's), the name of a rule of thumb, or whatever that engine takes: a function of
five cards and the up card, a chart, a table, a `Strategy`; or a list of these, one for each box.  A strategy of
`simulation.betting` says what is staked by what happened before instead; its box is played by the optimum.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Final

from croupier.exact.caribbean_stud import OPTIMUM, STRATEGIES, StudPlay, play
from croupier.games.caribbean_stud.rules import ANTE, StudRules
from croupier.law.ruleset import Ruleset
from croupier.money import LARGEST_AMOUNT
from croupier.simulation.betting import BUILT_IN, BettorTable, by_history, in_a_session, strategy_of, tabulate_results
from croupier.simulation.plan import Simulated, SimulationSettings, of_each_box
from croupier.simulation.stud.tables import StudBettorBins, StudTable

__all__ = ["NAMES", "StudTable", "plays_of", "simulated"]

NAMES: Final = (OPTIMUM, *STRATEGIES)


def simulated(ruleset: Ruleset[Any], settings: SimulationSettings) -> Simulated:
    """The simulation of a table of Caribbean stud; bad input raises `ValueError` with one line.

    The jackpot has a row where its pool and the stake are given; its prizes are counted anyway.
    """
    rules = ruleset.rules
    assert isinstance(rules, StudRules)
    _check_jackpot(settings)
    staking = _staking(settings)
    plays = plays_of(rules, replace(settings, strategy="") if staking else settings)
    table = StudTable(rules, plays, settings, settings.pool_cents, settings.stake_cents, staking)
    notes = ("one deck, shuffled for every round", *(f"box {box}: {each.policy}" for box, each in enumerate(plays, 1)))
    if staking:
        notes = (*notes, "stakes are units of the ante; the bet behind it is in the net")
    bettor = StudBettorBins(table, staking) if staking else None
    return Simulated(table.program, table.rows, table.exact, notes, table.outcomes(), table.sessions(), bettor)


def _staking(settings: SimulationSettings) -> BettorTable | None:
    """Who stakes by what happened before, if that was asked for: on the ante, by the best play."""
    if not by_history(settings.strategy):
        return None
    if settings.wagers or settings.boxes != 1:
        raise ValueError("who stakes by a strategy plays one box: give neither boxes nor stakes")
    return tabulate_results(in_a_session(strategy_of(settings.strategy, ANTE), settings.session), ANTE)


def _check_jackpot(settings: SimulationSettings) -> None:
    pool, stake = settings.pool_cents, settings.stake_cents
    if pool is None and stake is None:
        return
    if pool is None or stake is None:
        raise ValueError("a jackpot is simulated with its pool and the stake, not with one of them")
    for name, cents, least in (("pool", pool, 0), ("stake", stake, 1)):
        if type(cents) is not int or not least <= cents <= LARGEST_AMOUNT:
            raise ValueError(f"a jackpot's {name} is a whole number of cents, {least} or more: {cents!r:.40}")


def plays_of(rules: StudRules, settings: SimulationSettings) -> tuple[StudPlay, ...]:
    """The strategy of each box, counted by the exact engine."""
    where, law = "this table of Caribbean stud", rules.seats
    made = partial(_play_of, rules)
    return of_each_box(settings, made, label="policy", most=law.value.elected, where=where, rule=law.rule)


def _play_of(rules: StudRules, strategy: Any) -> StudPlay:
    if isinstance(strategy, StudPlay):
        return strategy
    if isinstance(strategy, str):
        name = strategy or OPTIMUM
        if name not in NAMES:
            raise ValueError(f"no strategy {name!r:.40} for Caribbean stud; known are {', '.join((*NAMES, *BUILT_IN))}")
        return play(rules, STRATEGIES.get(name))
    return play(rules, strategy)
