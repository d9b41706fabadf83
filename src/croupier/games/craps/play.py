"""The play of craps: what a throw does to the point, who takes the dice, and what players call.

Without the acts of staff (`staff.py`) a throw is one fact, `DiceFell`: thrown, at rest and called.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.game import Called, Chosen, DiceFell, Next, Performed, Plain, Refusal, Roll, Wager
from croupier.game.kinds import wager_kind
from croupier.games.craps import staff
from croupier.games.craps.layout import (
    Call,
    CrapsLayout,
    Faces,
    demand,
    give_up,
    is_come_out,
    misread,
    out_of_turn,
    replacement_due,
    total,
)
from croupier.games.craps.rules import CrapsRules, LineBet
from croupier.once import replace


def begin(rules: CrapsRules, following: Next) -> CrapsLayout:
    """A table at the opening of the game: the first roll is a come out roll."""
    return CrapsLayout(rules.no_point.value)


def seat(rules: CrapsRules, layout: CrapsLayout, placed: tuple[Wager, ...]) -> CrapsLayout:
    """A confirmation is for one placing: the next wager on thrown dice needs its own.

    Once chips lie there for the next throw the last one is not called otherwise any more: its round is corrected.
    """
    layout = replace(layout, found=None) if layout.found and placed else layout
    return replace(layout, dice=replace(layout.dice, confirmed=False)) if layout.dice.confirmed else layout


def apply(rules: CrapsRules, layout: CrapsLayout, fact: Plain) -> CrapsLayout | Refusal:
    """The layout after a throw, a choice of the shooter, a call of a player or an act of staff; the rest is refused."""
    after = _applied(rules, layout, fact)
    if layout.found is None or isinstance(after, Refusal) or isinstance(fact, DiceFell):
        return after
    return replace(after, found=_found_after(rules, layout.found, fact))


def _found_after(rules: CrapsRules, found: CrapsLayout, fact: Plain) -> CrapsLayout | None:
    """The table as the last throw found it, and as it would be now: what was said and ordered since, stays.

    What begins another throw ends the time in which the last one is called otherwise.
    """
    lasts = isinstance(fact, Performed) and fact.act in ("order_pass", "dice_lost", rules.dice.told.value)
    if not lasts and not isinstance(fact, Called):
        return None
    same = _applied(rules, found, fact)
    return found if isinstance(same, Refusal) else same


def _applied(rules: CrapsRules, layout: CrapsLayout, fact: Plain) -> CrapsLayout | Refusal:
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
            return out_of_turn(rules, layout)


def _fallen(rules: CrapsRules, layout: CrapsLayout, faces: Faces) -> CrapsLayout | Refusal:
    if not isinstance(demand(rules, layout), Roll):
        return out_of_turn(rules, layout, "a throw")
    wrong = misread(rules, faces) or _contradicted(rules, layout, faces)
    if wrong:
        return wrong
    thrown, seven = total(faces), rules.seven.value
    call = layout.call if layout.call and layout.call.faces else Call(faces, rules.caller.value)
    held = replace(layout, dice=replace(layout.dice, where="held", confirmed=False), found=None)
    rested = replace(held, call=None, last=faces, seven_out=False, found=replace(held, call=call))
    if thrown in (seven, layout.point) or is_come_out(rules, layout):
        rested = replace(rested, lifted=())
    if is_come_out(rules, layout):
        return replace(rested, point=thrown) if thrown in rules.points.value else rested
    if thrown == seven:
        return _seven_out(rules, replace(rested, point=rules.no_point.value, seven_out=True))
    return replace(rested, point=rules.no_point.value) if thrown == layout.point else rested


def _seven_out(rules: CrapsRules, layout: CrapsLayout) -> CrapsLayout:
    must = rules.shooter.must_pass
    return give_up(layout, must.rule) if must.value else layout


def _contradicted(rules: CrapsRules, layout: CrapsLayout, faces: Faces) -> Refusal | None:
    """A result other than the one called; who thinks the call wrong must overrule it."""
    call = layout.call
    if call is None or not call.faces or sorted(call.faces) == sorted(faces) or rules.called.value != "binds":
        return None
    law = rules.overrules.get(call.by, rules.called)
    return Refusal(f"the {call.by} called {total(call.faces)}, not {total(faces)}", law.rule)


# ---------------------------------------------------------------- the shooter


def _chosen(rules: CrapsRules, layout: CrapsLayout, fact: Chosen) -> CrapsLayout | Refusal:
    match fact.option:
        case "accept_dice":
            return _accepted(rules, layout, fact.by)
        case "decline_dice":
            return _declined(rules, layout, fact.by)
        case "pass_dice":
            return _passed(rules, layout, fact.by)
        case option:
            return out_of_turn(rules, layout, option)


def _accepted(rules: CrapsRules, layout: CrapsLayout, by: str) -> CrapsLayout | Refusal:
    if replacement_due(rules, layout):
        return out_of_turn(rules, layout, "accept_dice")
    if not by:
        return Refusal("say by whom", rules.shooter.offered.rule, on="accept_dice")
    if layout.shooter:
        return Refusal(f"{layout.shooter} has the dice", rules.shooter.offered.rule)
    if by == layout.former and not layout.no_taker:
        return Refusal(f"{by} gave up the dice: they are offered to the others first", layout.given_up)
    return replace(layout, shooter=by, former="", given_up="", declined=(), no_taker=False)


def _declined(rules: CrapsRules, layout: CrapsLayout, by: str) -> CrapsLayout | Refusal:
    if layout.shooter or not by:
        what = f"{layout.shooter} has the dice" if layout.shooter else "say by whom"
        return Refusal(what, rules.shooter.offered.rule, on="decline_dice")
    return replace(layout, declined=tuple(sorted({*layout.declined, by})))


def _passed(rules: CrapsRules, layout: CrapsLayout, by: str) -> CrapsLayout | Refusal:
    may = rules.shooter.may_pass
    if layout.given_up or layout.dice.where != "held" or not may.value:
        return Refusal("the shooter does not hold the dice", may.rule, on="pass_dice")
    if by and by != layout.shooter:
        return Refusal(f"{by} is not the shooter", may.rule, on="pass_dice")
    return give_up(layout, may.rule)


# ---------------------------------------------------------------- calls of players


def beside(rules: CrapsRules, layout: CrapsLayout, standing: tuple[Wager, ...]) -> Iterator[Plain]:
    """The shooter may pass the dice; a bettor may call a wager down, on or off."""
    if layout.shooter:
        yield Chosen("pass_dice", layout.shooter)
    yield from (Called(call, by=wager.by, on=wager.on) for wager in standing for call in ("take", *rules.calls.value))


def bound(rules: CrapsRules, layout: CrapsLayout) -> DiceFell | None:
    """Dice show what was called of them, until that is overruled."""
    return DiceFell(layout.call.faces) if layout.call and layout.call.faces else None


def _called(rules: CrapsRules, layout: CrapsLayout, fact: Called) -> CrapsLayout | Refusal:
    """Wagers taken down, or called on or off: the layout is the same, the wagers hear it."""
    if fact.call == "take":
        if layout.dice.where != rules.removal.value:
            return Refusal("the dice have left the shooter's hand", rules.removal.rule, on=f"take {fact.on}")
        bet = rules.bets.get(wager_kind(fact.on))
        stays_down = isinstance(bet, LineBet) and (bet.placed.value, bet.taken.value) == ("come out", "any time")
        return replace(layout, lifted=tuple(sorted({*layout.lifted, fact.by}))) if stays_down else layout
    if fact.call not in rules.calls.value:
        return Refusal(
            f"{fact.call!r} is no call: known are take, {', '.join(sorted(rules.calls.value))}", rules.calls.rule
        )
    if layout.dice.where == "at rest":
        return Refusal("the dice are at rest", rules.calls.rule, on=fact.call)
    return layout


# ---------------------------------------------------------------- figures


def at_rest(rules: CrapsRules, layout: CrapsLayout) -> bool:
    """A craps table may always be left: only wagers keep it going."""
    return True


def view(rules: CrapsRules, layout: CrapsLayout) -> tuple[object, ...]:
    """All that the future can depend on: everything but the last throw and how it was called."""
    who = (layout.shooter, layout.former, layout.given_up, layout.declined, layout.no_taker)
    return (layout.point, *who, layout.dice, layout.call)


def outcome(rules: CrapsRules, layout: CrapsLayout) -> dict[str, object]:
    """The table in figures: the last throw, the point and its puck, the shooter, the dice in the bowl."""
    off, on = rules.puck.value
    come_out = is_come_out(rules, layout)
    left = rules.dice.count.value - layout.dice.missing
    return {
        "dice": list(layout.last) or None,
        "total": total(layout.last) if layout.last else None,
        "point": None if come_out else layout.point,
        "puck": off if come_out else f"{on} {layout.point}",
        "seven_out": layout.seven_out,
        "shooter": layout.shooter or None,
        "dice_in_bowl": max(0, left - rules.dice.kept.value),
    }
