"""What those at a baccarat table are shown beside what is due: how cards lie, what may be ordered, a role's duties.

A card that was dealt face down is nobody's to see until its hand is turned up, revealed or announced.  Where the law
leaves the face to an official who has said nothing, a hand that somebody is to turn lies face down.

An order is open to whoever may give it, while its conditions hold.  Who accepted a hand or the shoe is bound by every
rule that speaks of the hand being handled: these are the duties of the role.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.ceremony import Order, Script
from croupier.game import NORMAL
from croupier.game.kinds import ActKind
from croupier.games.baccarat.ceremonies.parts import (
    GAME_SYSTEM,
    HAND,
    HANDLER,
    HANDLERS,
    HANDS,
    SHOE_HANDLER,
    SHUFFLER,
    STANDS_FOR,
    THIRD,
)
from croupier.games.baccarat.ceremonies.sitting import (
    BaccaratSitting,
    acts_for,
    chosen_face,
    handler,
    holds,
    kinds,
    order_for,
    round_complete,
    style_of,
)
from croupier.games.baccarat.due import layout
from croupier.games.baccarat.rules import BaccaratCeremony, BaccaratRules, Style
from croupier.law.conditions import conditions
from croupier.law.model import Law
from croupier.law.officials import PLAYER, STRANGER, acting
from croupier.once import once, once_of_both

ANYBODY = "somebody who plays"
NO_PERSON = ("", STRANGER, GAME_SYSTEM, SHUFFLER, HANDLER, SHOE_HANDLER)


# ---------------------------------------------------------------- how cards lie


def covered(rules: BaccaratRules, sitting: BaccaratSitting) -> Mapping[str, frozenset[int]]:
    """The cards of each hand that lie face down, by their places in it."""
    if round_complete(rules, sitting):
        return {}
    style, done = style_of(rules, sitting), kinds(rules, sitting.said)
    first, third = chosen_face(rules, sitting).value, style.third_face.value
    found: dict[str, frozenset[int]] = {}
    for hand in HANDS:
        script = tuple(acts_for(law, hand) for law in style.third)
        down = set()
        if _lies_down(first, style.shown, hand, HAND) and not done & _turnings(hand, HAND):
            down |= {0, 1}
        if _lies_down(third, script, hand, THIRD) and not done & _turnings(hand, THIRD):
            down.add(2)
        found[hand] = frozenset(down)
    return found


def unseen(rules: BaccaratRules, sitting: BaccaratSitting) -> Mapping[str, frozenset[int]]:
    """The same to those who bet: with a card that nobody saw and that opens the coup, until the next one is dealt."""
    coup = layout(rules, sitting)
    if not coup.opened or coup.hand != NORMAL.hand:
        return covered(rules, sitting)
    return {hand: frozenset(range(len(getattr(coup, hand)))) for hand in HANDS}


def _lies_down(face: str, script: Script, hand: str, what: str) -> bool:
    """Whether cards lie face down: the law says so, or leaves it open and somebody is to turn them."""
    turned = any(law.value.kind in (ActKind("turn", hand, what), ActKind("reveal", hand, what)) for law in script)
    return face == "down" or (face == "either" and turned)


def _turnings(hand: str, what: str) -> set[ActKind]:
    """What shows that a hand, or its third card, was turned up; the count of both is announced once it was."""
    return {ActKind("turn", hand, what), ActKind("reveal", hand, what), ActKind("announce", hand, what)}


# ---------------------------------------------------------------- what may be ordered


def as_named(rules: BaccaratRules, sitting: BaccaratSitting, by: str, wanted: tuple[str, ...]) -> str:
    """The name among those wanted under which somebody may act: a supervisor is an employee, a guest is a player."""
    for name in wanted:
        acts_as = (
            by in STANDS_FOR.get(name, ())
            or (name == PLAYER and by not in NO_PERSON and acting(by) is None)
            or (name == HANDLER and any(seat == by and answer == "accept" for _, seat, answer in sitting.handlers))
            or (name in HANDLERS and by == handler(rules, sitting, HANDLERS[name]))
        )
        if acts_as:
            return name
    return by


def orders(rules: BaccaratRules, sitting: BaccaratSitting, by: str) -> tuple[tuple[str, str], ...]:
    """What somebody may order or ask for now, each with its rule.

    Pages ask it after every wager, and players who hold nothing may all order the same: what `_orders_of` finds for one
    of them.
    """
    name = heard_as(rules, sitting, by)
    return _of_any_player(rules, sitting) if name == ANYBODY else _orders_of(rules, sitting, name)


def heard_as(rules: BaccaratRules, sitting: BaccaratSitting, by: str) -> str:
    """The name under which somebody orders: players who hold nothing have one, which no wager changes."""
    holds_nothing = not sitting.handlers or all(seat != by for _, seat, _ in sitting.handlers)
    return ANYBODY if holds_nothing and acting(by) is None and by not in _words(rules.ceremony) else by


@once
def _words(ceremony: BaccaratCeremony) -> frozenset[str]:
    """The words under which somebody orders who is no player by name."""
    named = (word for law in ceremony.orders for word in law.value.by)
    return frozenset((*NO_PERSON, *named, *(word for words in STANDS_FOR.values() for word in words)))


@once_of_both
def _of_any_player(rules: BaccaratRules, sitting: BaccaratSitting) -> tuple[tuple[str, str], ...]:
    return _orders_of(rules, sitting, ANYBODY)


def _orders_of(rules: BaccaratRules, sitting: BaccaratSitting, by: str) -> tuple[tuple[str, str], ...]:
    return tuple(
        (law.value.act, law.rule)
        for law in _orders_now(rules, sitting)
        if as_named(rules, sitting, by, law.value.by) in law.value.by
    )


@once_of_both
def _orders_now(rules: BaccaratRules, sitting: BaccaratSitting) -> tuple[Law[Order], ...]:
    """The orders that somebody may give as the table stands: every player's page asks for its own among them."""
    return tuple(
        law
        for law in rules.ceremony.orders
        if order_for(rules, sitting, law.value.act) is law and holds(rules, sitting, law.value.when)
    )


# ---------------------------------------------------------------- who holds what, and what that asks of him


def roles(rules: BaccaratRules, sitting: BaccaratSitting) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Each hand that a player accepted, or the shoe: by whom, and the rules that bind him, as they come to bear."""
    style = style_of(rules, sitting)
    held = ((role, handler(rules, sitting, role)) for role in style.roles)
    return tuple((role, by, _binding(style, role)) for role, by in held if by and not round_complete(rules, sitting))


def _binding(style: Style, role: str) -> tuple[str, ...]:
    handled = f"{role} handled"
    shown = [law for law in style.shown if conditions(law.value.when)[:1] == (handled,)]
    third = [law for law in style.third if conditions(acts_for(law, role).value.when) == (handled,)]
    return tuple(dict.fromkeys(rule for law in (*shown, *third) for rule in law.rules))
