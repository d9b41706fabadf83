"""Every fact that would be accepted now.

Theory of operation.  What is due is answered by chance (any card, throw or spin, or the one that is bound to come), by
a choice (each option that is open, with its box and hand) or by an act of staff (once, as it is usually recorded).
Beside that the game names what may be open to somebody.  Whatever depends on more than the demand is tried on
the round itself, which is pure: so nothing is told here that the rules would refuse.

Acts with the cards are the same at every table: mixing them, burning them, putting a cutting card into them.  `handles`
says what an act does to the stack, for whoever has one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from croupier.equipment import CARDS, card_name
from croupier.game import (
    CardSeen,
    Choose,
    Chosen,
    Deal,
    Over,
    Perform,
    Performed,
    Plain,
    Refusal,
    Roll,
    Spin,
)
from croupier.round import AnyRound, happen

Handling: TypeAlias = Literal["", "mixed", "shown", "burned", "marked"]

HANDLED: Final[dict[str, Handling]] = {
    "mix": "mixed",
    "mix again": "mixed",
    "order mixing": "mixed",
    "renew": "mixed",
    "burn up": "shown",
    "burn down": "burned",
    "insert": "marked",
}


def handles(this: AnyRound, act: str) -> Handling:
    """What an act does to the stack: it is mixed, cards leave it unused, or a cutting card is put into it."""
    return HANDLED.get(this.game.kind(this.rules, act).verb, "")


def answers(this: AnyRound) -> tuple[Plain, ...]:
    """Every fact that would be accepted in a round: the answers to what is due first, then what is open beside it."""
    return tuple(dict.fromkeys((*answering(this), *beside(this))))


def answering(this: AnyRound) -> tuple[Plain, ...]:
    """The facts that answer what is due; what chance brings is listed as often as it is likely."""
    due = this.due
    match due:
        case Deal() | Roll() | Spin():
            return chances(this)
        case Choose():
            return choices(this)
        case Perform(act=act):
            cards = map(card_name, range(CARDS)) if handles(this, act) == "shown" else ("",)
            return tuple(performed(this, due, card) for card in cards)
        case Over():
            return ()


def chances(this: AnyRound) -> tuple[Plain, ...]:
    """The cards, throws or spins that may come: what is bound to come alone, where the game knows it."""
    game, rules = this.game, this.rules
    bound = game.bound(rules, this.state)
    if bound is not None:
        return (bound,)
    if game.chances is None:
        cards = map(CardSeen, range(CARDS))
        return tuple(card for card in cards if not isinstance(game.apply(rules, this.state, card), Refusal))
    space = game.chances(rules)
    return tuple(outcome for outcome, weight in zip(space.outcomes, space.weights, strict=True) for _ in range(weight))


def performed(this: AnyRound, due: Perform, card: str = "") -> Performed:
    """An act that is due, as it is usually recorded; `card` is the next one, for an act that shows it."""
    return Performed(due.act, due.by, this.game.usual(this.rules, this.state, due.act, card))


def choices(this: AnyRound) -> tuple[Chosen, ...]:
    """The choices that are open: those of whoever is asked, in the order of the options, then those of others."""
    due = this.due
    asked = due if isinstance(due, Choose) else None
    own = [Chosen(option, asked.by, asked.box, asked.hand) for option in asked.options] if asked else []
    others = [fact for fact in _named(this) if isinstance(fact, Chosen)]
    return tuple(fact for fact in dict.fromkeys((*own, *others)) if is_open(this, fact))


def beside(this: AnyRound) -> tuple[Plain, ...]:
    """What is open to somebody although another thing is due."""
    return tuple(fact for fact in _named(this) if is_open(this, fact))


def is_open(this: AnyRound, fact: Plain) -> bool:
    return not isinstance(happen(this, fact), Refusal)


def _named(this: AnyRound) -> Iterator[Plain]:
    yield from this.game.beside(this.rules, this.state, this.standing)
