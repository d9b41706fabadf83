"""The play of craps: what a throw does to the point, who takes the dice, and what players call.

Without the acts of staff (`staff.py`) a throw is one fact, `DiceFell`: thrown, at rest and called.
"""

from __future__ import annotations

from dataclasses import replace

from croupier.game import Called, Chosen, DiceFell, Fact, Next, Performed, Refusal, Roll, Wager
from croupier.games.craps import staff
from croupier.games.craps.layout import (
    Faces,
    Layout,
    demand,
    give_up,
    is_come_out,
    misread,
    not_due,
    replacement_due,
    total,
)
from croupier.games.craps.rules import CrapsRules


def begin(rules: CrapsRules, following: Next) -> Layout:
    """A table at the opening of the game: the first roll is a come out roll."""
    return Layout(rules.no_point.value)


def seat(rules: CrapsRules, layout: Layout, placed: tuple[Wager, ...]) -> Layout:
    """A confirmation is for one placing: the next wager on thrown dice needs its own."""
    return replace(layout, dice=replace(layout.dice, confirmed=False))


def apply(rules: CrapsRules, layout: Layout, fact: Fact) -> Layout | Refusal:
    """The layout after a throw, a choice of the shooter, a call of a player or an act of staff; the rest is refused."""
    match fact:
        case DiceFell(faces=faces):
            return _fallen(rules, layout, faces)
        case Chosen():
            return _chosen(rules, layout, fact)
        case Called():
            return _called(rules, layout, fact)
        case Performed():
            return staff.perform(rules, layout, fact)
        case _:
            return not_due(rules, layout, type(fact).__name__)


def _fallen(rules: CrapsRules, layout: Layout, faces: Faces) -> Layout | Refusal:
    if not isinstance(demand(rules, layout), Roll):
        return not_due(rules, layout, "a throw")
    wrong = misread(rules, faces) or _contradicted(rules, layout, faces)
    if wrong:
        return wrong
    thrown, seven = total(faces), rules.seven.value
    rested = replace(
        layout, dice=replace(layout.dice, where="held", confirmed=False), call=None, last=faces, seven_out=False
    )
    if is_come_out(rules, layout):
        return replace(rested, point=thrown) if thrown in rules.points.value else rested
    if thrown == seven:
        return _seven_out(rules, replace(rested, point=rules.no_point.value, seven_out=True))
    return replace(rested, point=rules.no_point.value) if thrown == layout.point else rested


def _seven_out(rules: CrapsRules, layout: Layout) -> Layout:
    must = rules.shooter.must_pass
    return give_up(layout, must.rule) if must.value else layout


def _contradicted(rules: CrapsRules, layout: Layout, faces: Faces) -> Refusal | None:
    """A result other than the one called; who thinks the call wrong must overrule it."""
    call = layout.call
    if call is None or not call.faces or sorted(call.faces) == sorted(faces) or rules.called.value != "binds":
        return None
    law = rules.overrules.get(call.by, rules.called)
    return Refusal(f"the {call.by} called {total(call.faces)}, not {total(faces)}", law.rule)


# ---------------------------------------------------------------- the shooter


def _chosen(rules: CrapsRules, layout: Layout, fact: Chosen) -> Layout | Refusal:
    match fact.option:
        case "accept_dice":
            return _accepted(rules, layout, fact.by)
        case "decline_dice":
            return _declined(rules, layout, fact.by)
        case "pass_dice":
            return _passed(rules, layout, fact.by)
        case option:
            return not_due(rules, layout, repr(option))


def _accepted(rules: CrapsRules, layout: Layout, by: str) -> Layout | Refusal:
    if replacement_due(rules, layout):
        return not_due(rules, layout, "accept_dice")
    if not by:
        return Refusal("accept_dice: say by whom", rules.shooter.offered.rule)
    if layout.shooter:
        return Refusal(f"{layout.shooter} has the dice", rules.shooter.offered.rule)
    if by == layout.former and not layout.no_taker:
        return Refusal(f"{by} gave up the dice: they are offered to the others first", layout.given_up)
    return replace(layout, shooter=by, former="", given_up="", declined=(), no_taker=False)


def _declined(rules: CrapsRules, layout: Layout, by: str) -> Layout | Refusal:
    if layout.shooter or not by:
        what = f"{layout.shooter} has the dice" if layout.shooter else "decline_dice: say by whom"
        return Refusal(what, rules.shooter.offered.rule)
    return replace(layout, declined=tuple(sorted({*layout.declined, by})))


def _passed(rules: CrapsRules, layout: Layout, by: str) -> Layout | Refusal:
    may = rules.shooter.may_pass
    if layout.given_up or layout.dice.where != "held" or not may.value:
        return Refusal("pass_dice: the shooter does not hold the dice", may.rule)
    if by and by != layout.shooter:
        return Refusal(f"pass_dice: {by} is not the shooter", may.rule)
    return give_up(layout, may.rule)


# ---------------------------------------------------------------- calls of players


def _called(rules: CrapsRules, layout: Layout, fact: Called) -> Layout | Refusal:
    """Wagers taken down, or called on or off: the layout is the same, the wagers hear it."""
    if fact.call == "take":
        if layout.dice.where != rules.removal.value:
            return Refusal(f"take {fact.on}: the dice have left the shooter's hand", rules.removal.rule)
        return layout
    if fact.call not in rules.calls.value:
        return Refusal(
            f"{fact.call!r} is no call: known are take, {', '.join(sorted(rules.calls.value))}", rules.calls.rule
        )
    if layout.dice.where == "at rest":
        return Refusal(f"{fact.call}: the dice are at rest", rules.calls.rule)
    return layout


# ---------------------------------------------------------------- figures


def at_rest(rules: CrapsRules, layout: Layout) -> bool:
    """A craps table may always be left: only wagers keep it going."""
    return True


def view(rules: CrapsRules, layout: Layout) -> tuple[object, ...]:
    """All that the future can depend on: everything but the record of the last throw."""
    who = (layout.shooter, layout.former, layout.given_up, layout.declined, layout.no_taker)
    return (layout.point, *who, layout.dice, layout.call)


def outcome(rules: CrapsRules, layout: Layout) -> dict[str, object]:
    """The table in figures: the last total, the point and its puck, the shooter, the dice in the bowl."""
    off, on = rules.puck.value
    come_out = is_come_out(rules, layout)
    left = rules.dice.count.value - layout.dice.missing
    return {
        "total": total(layout.last) if layout.last else None,
        "point": None if come_out else layout.point,
        "puck": off if come_out else f"{on} {layout.point}",
        "seven_out": layout.seven_out,
        "shooter": layout.shooter or None,
        "dice_in_bowl": max(0, left - rules.dice.kept.value),
    }
