"""A game as a live table plays it: its ceremony and its play as one game over a sitting.

The table drives rounds with the same `happen` as an adjudication does.  Only the state is another: a sitting (the
layout, and what was said and done around it).  Each function of the game is asked about the layout within; acts of
ceremony that leave the layout as it is are nothing to the wagers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.game import (
    AnyGame,
    Effect,
    Irregular,
    Next,
    Plain,
    Procedure,
    Refusal,
    Ruling,
    Sign,
    Wager,
)
from croupier.once import replace


def procedure_of(game: AnyGame) -> Procedure[Any, Any]:
    if game.procedure is None:
        raise ValueError(f"{game.name} has no procedure for a live table")
    return game.procedure


def live(game: AnyGame) -> AnyGame:
    """The game with its ceremony around it."""
    ceremony = procedure_of(game)
    layout = ceremony.layout

    def begin(rules: Any, following: Next) -> Any:
        return ceremony.begin(rules)

    def accept(
        rules: Any, sign: Sign, sitting: Any, standing: tuple[Wager, ...], placed: tuple[Wager, ...]
    ) -> tuple[Wager, ...] | Refusal:
        return game.accept(rules, sign, layout(rules, sitting), standing, placed)

    def stakes(rules: Any, sitting: Any, standing: tuple[Wager, ...], fact: Effect) -> tuple[Wager, ...] | Refusal:
        return game.stakes(rules, layout(rules, sitting), standing, fact)

    def rule_on(rules: Any, sitting: Any, fact: Irregular) -> Ruling | Refusal:
        return game.rule_on(rules, layout(rules, sitting), fact)

    def beside(rules: Any, sitting: Any, standing: tuple[Wager, ...]) -> Iterator[Plain]:
        yield from game.beside(rules, layout(rules, sitting), standing)
        yield from ceremony.beside(rules, sitting)

    return replace(
        game,
        begin=begin,
        seat=ceremony.seat,
        demand=ceremony.demand,
        apply=ceremony.apply,
        at_rest=ceremony.complete,
        accept=accept,
        stakes=stakes,
        rule_on=ceremony.rule_on or rule_on,
        felt=layout,
        view=lambda rules, sitting: game.view(rules, layout(rules, sitting)),
        outcome=lambda rules, sitting: game.outcome(rules, layout(rules, sitting)),
        beside=beside,
        bound=lambda rules, sitting: game.bound(rules, layout(rules, sitting)),
        usual=ceremony.usual,
        cards=lambda rules, sitting: game.cards(rules, layout(rules, sitting)),
        lies=lambda rules, sitting, wager: game.lies(rules, layout(rules, sitting), wager),
    )
