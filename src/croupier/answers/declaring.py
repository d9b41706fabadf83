"""Everything that could be declared to have gone wrong in a round, sensible or not, from the game's own list.

The list says of each circumstance what a declaration of it tells: the card, the place, whether it was seen, the
official's decision, the cards put right.  Each is tried with all that the layout gives; what the rules refuse
is no concern here, and of several that are ruled on alike one is enough for most.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from croupier.equipment import Card
from croupier.game import AnyGame, Irregular, Ruling
from croupier.game.circumstances import Circumstance, DeclaredField
from croupier.law.officials import DEALER, LADDER
from croupier.round import AnyRound, ruled

MOST_BOXES = 9


def provided(game: AnyGame, rules: Any) -> dict[str, tuple[str, ...]]:
    """What can go wrong under these rules, in the order of the list: the name, and the rules that remedy it."""
    laws = game.irregularities(rules)
    higher = tuple(game.procedure.overrules(rules).values()) if game.procedure else ()
    found = {name: higher if entry.overrules else laws.get(name, ()) for name, entry in game.circumstances.items()}
    return {name: tuple(dict.fromkeys(law.rule for law in each)) for name, each in found.items() if each}


def declarations(
    this: AnyRound, card: Card | None, only: str = "", *, of_the_card: bool = False
) -> list[tuple[Irregular, Ruling]]:
    """Every declaration of all circumstances, or of one, or of this card, that the game rules on, with its ruling."""
    named = (only,) if only else tuple(this.game.circumstances)
    made = (it for name in named for it in _declared(this, this.game.circumstances[name], card))
    wanted = (it for it in made if it.card is not None and it.card == card) if of_the_card else made
    return [(it, ruling) for it in wanted if isinstance(ruling := ruled(this, it), Ruling)]


def unlike(made: list[tuple[Irregular, Ruling]]) -> list[Irregular]:
    """One declaration of all that are ruled on alike."""
    found: dict[tuple[object, ...], Irregular] = {}
    for it, ruling in made:
        # Where the ruling orders nothing, the declaration itself says whose wager is void.
        whose = "" if ruling.facts else it.to
        alike = (it.circumstance, ruling.remedy, ruling.rule, ruling.facts, ruling.next, ruling.by, whose)
        found.setdefault(alike, it)
    return list(found.values())


def lying(this: AnyRound) -> tuple[Card, ...]:
    """The cards on the layout."""
    return tuple(card for hand in this.game.cards(this.rules, this.state) for card in hand.cards)


def _declared(this: AnyRound, entry: Circumstance, card: Card | None) -> Iterator[Irregular]:
    out = lying(this)
    # Of a card that lies where it belongs something can be said if it lay face down.
    shown = (*out[:1], *out[-1:]) if this.game.face_down else ()
    cards = dict.fromkeys((None, card, *shown)) if entry.card else (None,)
    places = _places(this, entry.to) if entry.to else ("",)
    seen = (False, True) if entry.disclosed else (False,)
    calls = ("", *entry.call.tried) if entry.call else ("",)
    officials = ("", *LADDER[1:]) if entry.overrules else ("",)
    for one, to, disclosed, call, by in product(cards, places, seen, calls, officials):
        for found in _orders(out, one) if entry.found else ((),):
            yield Irregular(entry.name, one, to, disclosed, found, call, by)


def _orders(out: tuple[Card, ...], card: Card | None) -> tuple[tuple[Card, ...], ...]:
    """No cards; those that are out, with the one concerned, as they lie or the first of them last."""
    with_it = (*out, *(() if card is None else (card,)))
    turned = (*with_it[2:], *with_it[:2]) if len(with_it) > 2 else with_it[::-1]
    return tuple(dict.fromkeys(((), with_it, turned)))


def _places(this: AnyRound, field: DeclaredField) -> tuple[str, ...]:
    """No place, and those that the list names; else the areas with a wager, or hands, boxes and one that is empty."""
    if field.tried:
        return ("", *field.tried)
    if not this.game.decks(this.rules):
        return tuple(dict.fromkeys(("", *(wager.on for wager in this.standing))))
    hands = [hand for hand in this.game.cards(this.rules, this.state) if hand.box]
    boxes = tuple(dict.fromkeys(hand.box for hand in hands))
    empty = [number for number in range(1, MOST_BOXES + 1) if number not in boxes][:1]
    named = (*(f"box {number}" for number in boxes), *(f"box {hand.box} hand {hand.hand}" for hand in hands))
    return ("", *named, DEALER, *(f"box {number}" for number in empty))
