"""Rulings as the tests ask for them: the one on a declaration, and what it does to a state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.game import Effect, Fact, Irregular, Refusal, Ruling
from croupier.round import AnyRound, ruled


def ruling_on(this: AnyRound, fact: Fact) -> Ruling | None:
    """The ruling that a fact gets in this position, if it is irregular and gets one."""
    effect = ruled(this, fact)
    return effect if isinstance(effect, Ruling) else None


def effect_of(rule_on: Callable[[Any, Any, Irregular], Ruling | Refusal], rules: Any, state: Any, fact: Fact) -> Effect:
    """The fact as it takes effect; a declaration must get a ruling."""
    effect = rule_on(rules, state, fact) if isinstance(fact, Irregular) else fact
    assert not isinstance(effect, Refusal), effect
    return effect


def after_it(
    apply: Callable[[Any, Any, Effect], Any],
    rule_on: Callable[[Any, Any, Irregular], Ruling | Refusal],
    rules: Any,
    state: Any,
    fact: Fact,
) -> Any:
    """The state after a fact, declared or plain; or the refusal it meets."""
    effect = rule_on(rules, state, fact) if isinstance(fact, Irregular) else fact
    return effect if isinstance(effect, Refusal) else apply(rules, state, effect)
