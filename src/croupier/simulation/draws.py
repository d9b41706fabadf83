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
from croupier.game import NO_SIGN, NORMAL, AnyGame, BallFell, DiceFell, Fact, Refusal, Resolution, Wager, WheelStopped
from croupier.law.ruleset import Ruleset
from croupier.rulesets import known_game
from croupier.simulation import kernels, sessions
from croupier.simulation.exactly import exact_rows
from croupier.simulation.plan import Exact, Program, Row, Settings, Simulated
from croupier.simulation.settled import ending, net_of

MOST_TICKETS = 216
"""The square of it is the size of a kernel's histogram."""


def tickets_of(game: AnyGame, rules: Any) -> tuple[Fact, ...]:
    """Every fact as often as its weight says."""
    assert game.chances is not None
    space = game.chances(rules)
    tickets = tuple(fact for fact, weight in zip(space.outcomes, space.weights, strict=True) for _ in range(weight))
    if len(tickets) > MOST_TICKETS:
        raise ValueError(f"{len(tickets)} tickets where a kernel has room for {MOST_TICKETS}")
    return tickets


def decided(game: AnyGame, rules: Any, name: str, tickets: Sequence[Fact]) -> list[Resolution]:
    """How a wager that was placed is decided by each ticket."""
    before = game.begin(rules, NORMAL)
    accepted = game.accept(rules, NO_SIGN, before, (), (Wager(name, STAKE, by="bettor"),))
    assert not isinstance(accepted, Refusal), accepted
    found: list[Resolution] = []
    for fact in tickets:
        after = game.apply(rules, before, fact)
        assert not isinstance(after, Refusal), after
        judged = game.judge(rules, accepted[0], before, fact, after)
        assert not isinstance(judged, Wager), f"{name} is open after {fact}"
        found.append(judged)
    return found


def simulated(ruleset: Ruleset[Any], settings: Settings) -> Simulated:
    """Every wager of a game of single draws."""
    if settings.strategy:
        raise ValueError(f"unknown strategy {settings.strategy!r:.60}: nothing is to be decided in {ruleset.game}")
    if settings.boxes != 1 or settings.behind is not None:
        raise ValueError(f"{ruleset.game} has neither boxes nor a cutting card")
    game = known_game(ruleset.game)
    tickets = tickets_of(game, ruleset.rules)
    ends = {name: decided(game, ruleset.rules, name, tickets) for name in game.wagers(ruleset.rules)}
    rows = tuple(Row(name, 0, tuple(map(ending, how))) for name, how in ends.items())
    program, figures = _program(len(tickets), ends, settings)
    notes = (f"{len(tickets)} equally likely tickets",)
    return Simulated(program, rows, lambda: _exact(game, ruleset), notes, _outcomes(tickets), figures)


def _program(
    tickets: int, ends: Mapping[str, list[Resolution]], settings: Settings
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
        name: name.partition(":")[0] if pricing(game.name, name).one_row else name
        for name in game.wagers(ruleset.rules)
    }
    return {(name, ""): known[shown, ""] for name, shown in names.items() if (shown, "") in known}


def _outcomes(tickets: tuple[Fact, ...]) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for ticket, fact in enumerate(tickets):
        found[_shown(fact)] = (*found.get(_shown(fact), ()), ticket)
    return found


def _shown(fact: Fact) -> str:
    match fact:
        case BallFell(number=number):
            return str(number)
        case WheelStopped(symbol=symbol):
            return symbol
        case DiceFell(faces=faces):
            return "-".join(str(face) for face in sorted(faces))
        case _:
            return str(fact)
