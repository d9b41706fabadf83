"""What staff do and say around a throw: dice in flight, calls and overruling, the dice taken away or replaced.

Each is a `Performed` fact.  A call of the stickperson binds until an official above overrules it, and an official's
until one above that does, also when the faces were entered already.  "No roll" makes the throw void.
"""

from __future__ import annotations

from croupier.game import Performed, Refusal, Roll
from croupier.games.craps.layout import (
    NO_ROLL,
    Call,
    CrapsLayout,
    Dice,
    demand,
    give_up,
    misread,
    out_of_turn,
    read_faces,
    replacement_due,
    total,
)
from croupier.games.craps.rules import CrapsRules
from croupier.law.model import Law
from croupier.law.officials import DEALER, GAME_SUPERVISOR
from croupier.once import replace


def perform(rules: CrapsRules, layout: CrapsLayout, fact: Performed) -> CrapsLayout | Refusal:
    match fact.act:
        case "release" | "rest" | "confirm_wager":
            return _in_flight(rules, layout, fact)
        case "call" | "overrule" | "no_roll" | "reason":
            return _announced(rules, layout, fact)
        case "order_pass" | "no_taker" | "stickperson_throws":
            return _directed(rules, layout, fact)
        case "dice_lost":
            return _lost(rules, layout, str(fact.detail))
        case "replace_dice":
            return _replaced(rules, layout)
        case rules.dice.told.value if layout.dice.missing:
            return replace(layout, dice=replace(layout.dice, told=True))
        case act:
            return out_of_turn(rules, layout, act)


def _in_flight(rules: CrapsRules, layout: CrapsLayout, fact: Performed) -> CrapsLayout | Refusal:
    """The dice leave the hand and come to rest; in between a dealer or supervisor may confirm a wager."""
    dice, confirmers = layout.dice, rules.confirmers
    match fact.act, dice.where:
        case "release", "held" if isinstance(demand(rules, layout), Roll):
            return replace(layout, dice=replace(dice, where="thrown"), call=None)
        case "rest", "thrown":
            return replace(layout, dice=replace(dice, where="at rest", confirmed=False))
        case "confirm_wager", "thrown" if (fact.by or DEALER) in confirmers.value:
            return replace(layout, dice=replace(dice, confirmed=True))
        case "confirm_wager", _:
            return Refusal(f"by {fact.by or DEALER}, with the dice {dice.where}", confirmers.rule, on="confirm_wager")
        case _:
            return out_of_turn(rules, layout, fact.act)


def _announced(rules: CrapsRules, layout: CrapsLayout, fact: Performed) -> CrapsLayout | Refusal:
    by = fact.by or rules.caller.value
    match fact.act:
        case "no_roll":
            return _no_roll(rules, layout, by, str(fact.detail))
        case "reason" if layout.call is not None and not layout.call.faces and layout.call.by == by:
            return replace(layout, call=replace(layout.call, reason=str(fact.detail)))
        case "reason":
            return out_of_turn(rules, layout, "a reason")
        case "overrule":
            ruled = overruling(rules, layout.call, by)
            if isinstance(ruled, Refusal):
                return ruled
            void = fact.detail == NO_ROLL
            return _void(layout, by, ruled.rule) if void else _say(rules, layout, by, str(fact.detail))
        case _:
            return _first_call(rules, layout, by, str(fact.detail))


def _no_roll(rules: CrapsRules, layout: CrapsLayout, by: str, reason: str) -> CrapsLayout | Refusal:
    """The throw is void: every wager waits for the next one."""
    discretion = rules.irregularities["improper_throw"][-1]
    if not isinstance(demand(rules, layout), Roll):
        return out_of_turn(rules, layout, "no_roll")
    if by not in discretion.value.by:
        return Refusal(f'"No roll" is for the {" or the ".join(discretion.value.by)}, not for {by}', discretion.rule)
    if layout.call is not None and layout.call.faces and layout.call.by in rules.overrules:
        ruled = overruling(rules, layout.call, by)
        if isinstance(ruled, Refusal):
            return ruled
    return _void(layout, by, reason)


def _void(layout: CrapsLayout, by: str, reason: str) -> CrapsLayout:
    return replace(layout, dice=replace(layout.dice, where="held", confirmed=False), call=Call((), by, reason))


def _first_call(rules: CrapsRules, layout: CrapsLayout, by: str, text: str) -> CrapsLayout | Refusal:
    if by != rules.caller.value:
        return Refusal(f"the throw is called by the {rules.caller.value}, not by {by}", rules.caller.rule)
    if not isinstance(demand(rules, layout), Roll):
        return out_of_turn(rules, layout, "a call")
    if layout.call is not None and layout.call.faces:
        return Refusal(f"the throw was called {total(layout.call.faces)} already", rules.called.rule)
    return _say(rules, layout, by, text)


def _say(rules: CrapsRules, layout: CrapsLayout, by: str, text: str) -> CrapsLayout | Refusal:
    faces = read_faces(text)
    if faces is None:
        return Refusal(f"a call gives both faces, like 4-3: {text!r:.40}", rules.dice.thrown.rule)
    wrong = misread(rules, faces)
    if wrong:
        return wrong
    return replace(layout, dice=replace(layout.dice, where="at rest", confirmed=False), call=Call(faces, by))


def overruling(rules: CrapsRules, call: Call | None, by: str, *, over: bool = False) -> Law[frozenset[str]] | Refusal:
    """The law under which this official may overrule a call; or why not.  `over`: there was a throw, and it is over."""
    law = rules.overrules.get(by)
    lowest = next(iter(rules.overrules.values()))
    if call is None:
        told = ": one that is over is corrected with its round" if over else ""
        return Refusal(f"no call of a throw is in force{told}", lowest.rule)
    if law is None or call.by not in law.value:
        higher = rules.overrules.get(call.by, lowest)
        return Refusal(f"the {by} may not overrule the {call.by}", higher.rule)
    return law


def _directed(rules: CrapsRules, layout: CrapsLayout, fact: Performed) -> CrapsLayout | Refusal:
    """The dice taken from a shooter, offered in vain, or thrown by the stickperson."""
    shooter = rules.shooter
    match fact.act:
        case "order_pass":
            return _ordered(rules, layout, fact)
        case _ if layout.shooter:
            return Refusal(f"{layout.shooter} has the dice", shooter.offered.rule, on=fact.act)
        case "no_taker":
            return replace(layout, no_taker=True)
        case _ if not layout.no_taker or (fact.by or shooter.nobody.value) != shooter.nobody.value:
            return Refusal("only where no player takes the dice", shooter.nobody.rule, on=fact.act)
        case _ if replacement_due(rules, layout):
            return out_of_turn(rules, layout, fact.act)
        case _:
            # Whoever did not want the dice is not asked again in this game.
            asked = tuple(sorted({*layout.declined, *filter(None, (layout.former,))}))
            return replace(layout, shooter=shooter.nobody.value, former="", given_up="", declined=asked, no_taker=False)


def _ordered(rules: CrapsRules, layout: CrapsLayout, fact: Performed) -> CrapsLayout | Refusal:
    ordered = rules.shooter.ordered
    if (fact.by or GAME_SUPERVISOR) != GAME_SUPERVISOR:
        return Refusal(f"for the {GAME_SUPERVISOR}, not for {fact.by}", ordered.rule, on="order_pass")
    if str(fact.detail) not in ordered.value:
        return Refusal(f"the reason is one of {', '.join(sorted(ordered.value))}", ordered.rule, on="order_pass")
    return give_up(layout, ordered.rule)


def _lost(rules: CrapsRules, layout: CrapsLayout, text: str) -> CrapsLayout | Refusal:
    dice, kept = layout.dice, rules.dice.kept.value
    lost = int(text) if text in map(str, range(1, kept + 1)) else 0
    if not lost or dice.missing + lost > rules.dice.count.value:
        return Refusal(f"one to {kept} of those in play, not {text!r:.20}", rules.dice.lost.rule, on="dice_lost")
    return replace(layout, dice=replace(dice, missing=dice.missing + lost, serving=not layout.given_up))


def _replaced(rules: CrapsRules, layout: CrapsLayout) -> CrapsLayout | Refusal:
    if not layout.dice.missing:
        return Refusal("none is lost", rules.dice.lost.rule, on="replace_dice")
    if not layout.dice.told:
        return Refusal("a Government inspector is told first", rules.dice.told.rule, on="replace_dice")
    return replace(layout, dice=Dice())
