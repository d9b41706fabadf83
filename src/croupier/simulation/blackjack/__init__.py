"""Blackjack simulated: whole shoes, any number of boxes, each with its own strategy.

    strategies  ways to play: the odds engine's, a chart, a function; what each does with every hand
    counted     one box played and staked by the count of cards
    hands       all strategies of a table as one small automaton
    kernel      the compiled play of shoes
    outcomes    what is counted, and what it means to each wager
    twin        the slow path: the same shoes through `round.happen`

A strategy is a name ("basic": the odds engine's best chart; "main": its best play that looks at every card of a hand;
"basic insured": the chart, with insurance whenever it is offered), a chart, a function, or a list of these, one for
each box.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, cast

from croupier.equipment import full_shoe
from croupier.exact.blackjack.paper.sheet import full_solved
from croupier.exact.blackjack.terms import terms
from croupier.game import Refusal
from croupier.games.blackjack.rules import BlackjackRules
from croupier.games.blackjack.shoe import cards_in_stack, why_no_depth
from croupier.law.ruleset import Ruleset
from croupier.simulation.betting import BUILT_IN, BettorTable, by_history
from croupier.simulation.blackjack import counted
from croupier.simulation.blackjack.exactly import exact_rows
from croupier.simulation.blackjack.strategies import (
    Chart,
    Choose,
    Seen,
    StrategyTables,
    from_chart,
    from_function,
    from_policy,
)
from croupier.simulation.blackjack.tables import lattice_of, names_of, table_of
from croupier.simulation.count.systems import SYSTEMS, Counting, counting_of
from croupier.simulation.plan import Exact, Simulated, SimulationSettings, of_each_box

__all__ = ["NAMES", "Seen", "StrategyTables", "plan_of", "plans_of", "simulated", "table_of"]

BASIC: Final = "basic"
OWN: Final = "own:"
"""Before the name of a user's strategy, so that none is taken for one of these."""
NAMES: Final = (BASIC, "main", "basic insured")


def simulated(ruleset: Ruleset[Any], settings: SimulationSettings) -> Simulated:
    """The simulation of a blackjack table; bad input raises `ValueError` with one line."""
    rules = ruleset.rules
    assert isinstance(rules, BlackjackRules)
    behind = _behind(rules, settings.behind)
    staking: Counting | BettorTable | None = counting_of(settings.strategy)
    if staking is None and by_history(settings.strategy):
        staking = counted.bettor_of(settings.strategy, settings)
    if staking is not None:
        base = plan_of(rules, "")
        exact = _exact(rules, () if settings.quick else (base,))
        return counted.simulated(rules, base, staking, behind=behind, settings=settings, exact=exact)
    table = table_of(rules, plans_of(rules, settings), behind=behind, settings=settings)
    cards = cards_in_stack(rules)
    notes = (
        f"{rules.decks.value.elected} decks, the cutting card {behind} of {cards} cards from the back, whole shoes",
        *(f"box {box}: {plan.name}" for box, plan in enumerate(table.plans, 1)),
        "the exact odds are of the first round of a shoe",
    )
    exact = _exact(rules, () if settings.quick else table.plans)
    return Simulated(table.program, table.rows, exact, notes, table.outcomes, table.sessions)


def _exact(rules: BlackjackRules, plans: tuple[StrategyTables, ...]) -> Callable[[], Mapping[tuple[str, str], Exact]]:
    """The exact odds, when they are asked for; those of the main wager by these strategies take seconds."""
    return lambda: exact_rows(rules, full_shoe(rules.decks.value.elected), names_of(plans), lambda: full_solved(rules))


# ---------------------------------------------------------------- what is asked for


def _behind(rules: BlackjackRules, behind: int | None) -> int:
    if behind is None:
        return rules.ceremony.cutting_card_from_back.value
    refusal = why_no_depth(rules, behind, directed=True)
    if isinstance(refusal, Refusal):
        raise ValueError(f"{refusal.reason} ({refusal.rule})")
    return behind


def plans_of(rules: BlackjackRules, settings: SimulationSettings) -> tuple[StrategyTables, ...]:
    """The strategy of each box."""
    most = min(max(rules.boxes.value), rules.boxes_per_player.value.elected)
    made = partial(plan_of, rules)
    return of_each_box(settings, made, label="name", most=most, where="blackjack", rule=rules.boxes.rule)


def plan_of(rules: BlackjackRules, strategy: object) -> StrategyTables:
    """A strategy by name, chart or function."""
    if isinstance(strategy, StrategyTables):
        return strategy
    if isinstance(strategy, str):
        return _named(rules, strategy or BASIC)
    held = terms(rules)
    if isinstance(strategy, Mapping):
        return from_chart(cast(Chart, strategy), held, lattice_of(held), OWN + "chart")
    if callable(strategy):
        name = OWN + getattr(strategy, "__name__", "function")
        return from_function(cast(Choose, strategy), held, lattice_of(held), name)
    raise ValueError(f"a strategy is a name ({', '.join(NAMES)}), a chart or a function, not {strategy!r:.40}")


def _named(rules: BlackjackRules, name: str) -> StrategyTables:
    if name not in (*NAMES, "main:chart"):
        raise ValueError(
            f"no strategy {name!r:.40} for blackjack; known are {', '.join((*NAMES, *BUILT_IN, *SYSTEMS))}"
        )
    solved = full_solved(rules)
    if name == "main":
        return from_policy(solved.main, solved.board.terms)
    plan = from_policy(solved.chart_play, solved.board.terms, insure=name == "basic insured")
    return replace(plan, name=name) if name == "basic insured" else plan
