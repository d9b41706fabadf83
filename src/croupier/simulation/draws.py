"""Roulette, tai-sai and the money wheel for the kernels: one draw decides every wager.

Theory of operation.  The game's space of chances becomes tickets, equally likely; a kernel counts tickets, and each
wager's `judge` on each ticket's fact says what the counts mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from croupier.exact.automaton import STAKE
from croupier.exact.pricing import pricing
from croupier.game import NO_SIGN, NORMAL, AnyGame, BallFell, DiceFell, Plain, Resolution, Wager, WheelStopped, granted
from croupier.game.kinds import wager_kind
from croupier.law.ruleset import Ruleset
from croupier.rulesets import known_game
from croupier.simulation import kernels, sessions
from croupier.simulation.betting import BettorBins, in_a_session, strategy_of, tabulate
from croupier.simulation.exactly import exact_rows
from croupier.simulation.plan import Exact, PlanRow, Program, Simulated, SimulationSettings
from croupier.simulation.settled import ending, net_of

MOST_TICKETS = 216
"""The square of it is the size of a kernel's histogram."""


def tickets_of(game: AnyGame, rules: Any) -> tuple[Plain, ...]:
    """Every fact as often as its weight says."""
    assert game.chances is not None
    space = game.chances(rules)
    tickets = tuple(fact for fact, weight in zip(space.outcomes, space.weights, strict=True) for _ in range(weight))
    if len(tickets) > MOST_TICKETS:
        raise ValueError(f"{len(tickets)} tickets where a kernel has room for {MOST_TICKETS}")
    return tickets


def decided(game: AnyGame, rules: Any, name: str, tickets: Sequence[Plain]) -> list[Resolution]:
    """How a wager that was placed is decided by each ticket."""
    before = game.begin(rules, NORMAL)
    accepted = granted(game.accept(rules, NO_SIGN, before, (), (Wager(name, STAKE, by="bettor"),)))
    found: list[Resolution] = []
    for fact in tickets:
        after = granted(game.apply(rules, before, fact))
        judged = game.judge(rules, accepted[0], before, fact, after)
        assert not isinstance(judged, Wager), f"{name} is open after {fact}"
        found.append(judged)
    return found


def simulated(ruleset: Ruleset[Any], settings: SimulationSettings) -> Simulated:
    """Every wager of a game of single draws."""
    if settings.strategy and settings.wagers:
        raise ValueError("a strategy says what is staked; give no stakes beside it")
    if settings.boxes != 1 or settings.behind is not None:
        raise ValueError(f"{ruleset.game} has neither boxes nor a cutting card")
    game = known_game(ruleset.game)
    tickets = tickets_of(game, ruleset.rules)
    ends = {name: decided(game, ruleset.rules, name, tickets) for name in game.wagers(ruleset.rules)}
    rows = tuple(PlanRow(name, 0, tuple(map(ending, how))) for name, how in ends.items())
    notes, bettor = (f"{len(tickets)} equally likely tickets",), None
    if settings.strategy:
        program, figures, bettor = _by_history(tickets, ends, settings)
    else:
        program, figures = _program(len(tickets), ends, settings)
    return Simulated(program, rows, lambda: _exact(game, ruleset), notes, _outcomes(tickets), figures, bettor)


def _by_history(
    tickets: Sequence[Plain], ends: Mapping[str, list[Resolution]], settings: SimulationSettings
) -> tuple[Program, sessions.Bins | None, BettorBins]:
    """Somebody who stakes by what happened before; on the wager of the least variance, if none is named."""
    spread = {name: float(np.var([float(net_of(how)) for how in decided])) for name, decided in ends.items()}
    strategy = strategy_of(settings.strategy, min(spread, key=lambda name: spread[name]))
    length = settings.session
    in_a_session(strategy, length)
    table = tabulate(
        strategy, tuple(ends), [_shown(fact) for fact in tickets], lambda name, end: net_of(ends[name][end])
    )
    bettor = BettorBins(len(tickets), table)
    at = len(tickets) + len(table.nets)
    stakes = [sum(each.values()) for each in table.stakes]
    width, figures = 1, None
    if length:
        chances = np.full(len(tickets), 1 / len(tickets))
        typical = sessions.typical_net(table.following, table.nets, chances, length)
        width = sessions.width_for(1, length, max(typical, table.grains))
        staked = np.repeat(np.array(stakes, dtype=float), len(tickets))
        figures = sessions.Bins(at, table.grains, width, length, staked, len(tickets))
    stops = [units * table.grains for units in (strategy.stop_loss, strategy.win_goal)]
    numbers = np.array([len(tickets), length, at, width, *stops], dtype=np.int64)
    each = length or kernels.BLOCK
    tables = (numbers, table.nets, table.following)
    bins = at + (sessions.SIZE if length else 0)
    return Program(kernels.play_draw_bettor, tables, bins, max(1, 1_000_000 // each), each), figures, bettor


def _program(
    tickets: int, ends: Mapping[str, list[Resolution]], settings: SimulationSettings
) -> tuple[Program, sessions.Bins | None]:
    length = settings.session
    if not length:
        numbers = np.array([tickets], dtype=np.int64)
        return Program(kernels.play_draws, (numbers,), tickets, 1024, kernels.BLOCK), None
    staked = settings.wagers or {next(iter(ends)): 1}
    for name, units in staked.items():
        if name not in ends:
            raise ValueError(f"{name!r:.60} is not a wager here; known are {', '.join(ends)}"[:400])
        if type(units) is not int or units < 1:
            raise ValueError(f"{name}: the stake is a whole number of units, 1 or more: {units!r:.20}")
    nets = [sum((units * net_of(ends[name][n]) for name, units in staked.items()), Fraction(0)) for n in range(tickets)]
    grains = lcm(*(net.denominator for net in nets))
    deviation = float(np.std([float(net) for net in nets]))
    width = sessions.width_for(grains, length, deviation)
    figures = sessions.Bins(tickets, grains, width, length, np.full(tickets, float(sum(staked.values()))))
    tables = (
        np.array([tickets, length, tickets, width], dtype=np.int64),
        np.array([int(net * grains) for net in nets], dtype=np.int64),
    )
    each = max(1, 4_000_000 // length)
    return Program(kernels.play_draw_sessions, tables, tickets + sessions.SIZE, each, length), figures


def _exact(game: AnyGame, ruleset: Ruleset[Any]) -> Mapping[tuple[str, str], Exact]:
    """The sheet's rows; where it has one row a kind, every wager of the kind has it."""
    known = exact_rows(game, ruleset)
    names = {
        name: wager_kind(name) if pricing(game.name, name).one_row else name for name in game.wagers(ruleset.rules)
    }
    return {(name, ""): known[shown, ""] for name, shown in names.items() if (shown, "") in known}


def _outcomes(tickets: tuple[Plain, ...]) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for ticket, fact in enumerate(tickets):
        found[_shown(fact)] = (*found.get(_shown(fact), ()), ticket)
    return found


def _shown(fact: Plain) -> str:
    match fact:
        case BallFell(number=number):
            return str(number)
        case WheelStopped(symbol=symbol):
            return symbol
        case DiceFell(faces=faces):
            return "-".join(str(face) for face in sorted(faces))
        case _:
            return str(fact)
