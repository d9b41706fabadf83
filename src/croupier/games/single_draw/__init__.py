"""What roulette, tai-sai and the money wheel have in common: one draw decides every wager.

`play` is the draw, its wagers and what can go wrong; `procedure` the ceremony round it.
`SingleDraw` joins them: a game gives it the few functions in which it differs, and gets its `Game` and its ceremony.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import field
from typing import Generic, Protocol, TypeVar

from croupier.ceremony import kind_of_act, orders_given
from croupier.equipment import Space
from croupier.game import (
    Demand,
    Effect,
    Game,
    Over,
    Performed,
    Plain,
    Procedure,
    Refusal,
    Resolution,
    Sign,
    Wager,
    no_figures,
    nothing,
    same_state,
)
from croupier.game.circumstances import Circumstances
from croupier.games.single_draw import play, procedure
from croupier.games.single_draw.play import Common, Draw
from croupier.games.single_draw.procedure import DrawCeremony, DrawSitting, Hooks
from croupier.money import Odds
from croupier.once import dataclass

__all__ = ["Draw", "DrawRules", "DrawSitting", "SingleDraw"]


class DrawRules(Protocol):
    """The part of a rules object that is read here."""

    @property
    def common(self) -> Common: ...

    @property
    def ceremony(self) -> DrawCeremony: ...


R = TypeVar("R", bound=DrawRules)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SingleDraw(Generic[R, T]):
    """What a game adds.

    `due` is the wheel or the dice; `chances` the facts that can answer it; `shown` what such a fact shows, None if it
    shows nothing.  `areas` are the wagers; `locate` gives an area its proper name; `decide` says what it wins.
    `figures` is the result for people, `alike` all of it that counts.  `wrong_detail` checks what was recorded with an
    act of ceremony, `usual` is what commonly is; `pays` are the odds of an area; `conditions` are the words of the
    game's scripts; `equipment` says what the law measures of the wheel, the ball or the dice.  `inscribed` are words at
    the table, `display` what its electronics show.
    """

    due: Callable[[R], Demand]
    chances: Callable[[R], Space[Plain]]
    shown: Callable[[R, Effect], T | Refusal | None]
    areas: Callable[[R], tuple[str, ...]]
    locate: Callable[[R, str], str | Refusal]
    decide: Callable[[R, Wager, T], Wager | Resolution]
    figures: Callable[[R, T | None], Mapping[str, object]]
    alike: Callable[[T], Hashable]
    wrong_detail: Callable[[R, DrawSitting[T], Performed], Refusal | None]
    conditions: Callable[[R, DrawSitting[T]], Mapping[str, bool]]
    usual: Callable[[R, DrawSitting[T], str], int | str]
    pays: Callable[[R, str], tuple[Odds, ...]]
    equipment: Mapping[str, Callable[[R, str], Refusal | None]] = field(default_factory=dict)
    inscribed: Callable[[R], tuple[tuple[str, str, str], ...]] = nothing
    display: Callable[[R, DrawSitting[T]], Mapping[str, object]] = no_figures

    def demand(self, rules: R, draw: Draw[T]) -> Demand:
        return play.demand(rules.common, draw, self.due(rules))

    def apply(self, rules: R, draw: Draw[T], fact: Effect) -> Draw[T] | Refusal:
        return play.apply(rules.common, draw, fact, due=self.due(rules), shown=self.shown(rules, fact))

    def accept(self, rules: R, sign: Sign, draw: Draw[T], placed: tuple[Wager, ...]) -> tuple[Wager, ...] | Refusal:
        return play.accept(rules.common, sign, draw, placed, locate=lambda on: self.locate(rules, on))

    def judge(self, rules: R, wager: Wager, before: Draw[T], fact: Effect, after: Draw[T]) -> Wager | Resolution:
        return play.judge(
            rules.common, wager, before, fact, after, decide=lambda each, result: self.decide(rules, each, result)
        )

    def view(self, draw: Draw[T]) -> Hashable:
        """All of a draw that its future can depend on."""
        alike = None if draw.result is None else self.alike(draw.result)
        return (alike, draw.closed, draw.void)

    def outcome(self, rules: R, draw: Draw[T]) -> Mapping[str, object]:
        """The result in figures, and whether the round is void."""
        return {**self.figures(rules, draw.result), "void": bool(draw.void)}

    def sitting_demand(self, rules: R, sitting: DrawSitting[T]) -> Demand:
        """What is due at the table: the first act of staff, else the wheel or the dice."""
        return procedure.demand(rules.ceremony, sitting, self._hooks(rules, sitting))

    def sitting_apply(self, rules: R, sitting: DrawSitting[T], fact: Effect) -> DrawSitting[T] | Refusal:
        """The table after a fact of play or of ceremony, or why it may not happen now."""
        return procedure.apply(rules.common, rules.ceremony, sitting, fact, hooks=self._hooks(rules, sitting))

    def _hooks(self, rules: R, sitting: DrawSitting[T]) -> Hooks[T]:
        return Hooks(
            play=lambda draw, fact: self.apply(rules, draw, fact),
            demands=self.demand(rules, sitting.draw),
            check=lambda fact: self.wrong_detail(rules, sitting, fact),
            holds=self.conditions(rules, sitting),
        )

    def game(
        self, name: str, editions: Mapping[str, Mapping[str, R]], circumstances: Circumstances
    ) -> Game[R, Draw[T]]:
        """The game as all others know it.  It has no cards, and its layout does not depend on who bets."""
        return Game(
            name=name,
            editions=editions,
            begin=lambda rules, following: Draw(),
            seat=same_state,
            demand=self.demand,
            apply=self.apply,
            at_rest=lambda rules, draw: isinstance(self.demand(rules, draw), Over),
            wagers=self.areas,
            accept=lambda rules, sign, draw, standing, placed: self.accept(rules, sign, draw, placed),
            stakes=lambda rules, draw, standing, fact: play.stakes(rules.common, standing, fact),
            judge=self.judge,
            rounding=lambda rules: rules.common.rounding.value,
            circumstances=circumstances,
            irregularities=lambda rules: rules.common.irregularities,
            rule_on=lambda rules, draw, it: play.rule_on(rules.common, draw, it),
            decks=lambda rules: 0,
            symbol=lambda rules, card: card,
            view=lambda rules, draw: self.view(draw),
            outcome=self.outcome,
            chances=self.chances,
            procedure=self.live(),
            beside=lambda rules, draw, standing: play.beside(rules.common, standing),
            kind=lambda rules, act: kind_of_act(act, rules.ceremony),
        )

    def live(self) -> Procedure[R, Draw[T]]:
        """The ceremonies as every table knows them."""
        return Procedure(
            begin=lambda rules: procedure.opened(rules.ceremony),
            layout=lambda rules, sitting: sitting.draw,
            demand=self.sitting_demand,
            apply=self.sitting_apply,
            attend=lambda rules, sitting, there: sitting,
            seat=lambda rules, sitting, wagers: sitting,
            lift=lambda rules, sitting: sitting,
            closed=lambda rules, sitting, wager: procedure.may_bet(rules.common, rules.ceremony, sitting),
            complete=lambda rules, sitting: procedure.is_complete(rules.ceremony, sitting),
            next_round=lambda rules, sitting: procedure.next_game(rules.ceremony, sitting),
            abandon=lambda rules, sitting: DrawSitting(owed=sitting.owed, recent=sitting.recent),
            seats=lambda rules: None,
            usual=lambda rules, sitting, act, card: self.usual(rules, sitting, act),
            paid=lambda rules, sitting: procedure.paid(sitting),
            cites=lambda rules, sitting, fact: procedure.cited(rules.common, rules.ceremony, fact),
            pays=self.pays,
            inscribed=self.inscribed,
            display=self.display,
            equipment=self.equipment,
            untouched=lambda rules, sitting, wager: procedure.may_touch(
                rules.common, rules.ceremony, sitting, area=wager.on, by=wager.by
            ),
            closing=lambda rules: rules.common.closing,
            unpredictable=lambda rules: rules.common.unpredictable,
            beside=lambda rules, sitting: orders_given(rules.ceremony.orders),
        )
