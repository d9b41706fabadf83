"""The craps table between two throws: what lies on it, what was said and still binds, and what is due.

`CrapsLayout` holds the puck, the shooter, an offer of the dice, a call of the stickperson, the state of the set of
dice.  Wagers are no part of it.  Nothing needs a name: where no shooter was named, dice simply follow dice.  Once a
player accepted the dice the table knows its shooters, and after a seven out another must accept.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from croupier.game import (
    Choose,
    Demand,
    Perform,
    Refusal,
    Roll,
    not_due,
)
from croupier.games.craps.rules import CrapsRules, How
from croupier.law.officials import DEALER, GAME_SUPERVISOR
from croupier.once import in_a_line, replace

Faces: TypeAlias = tuple[int, ...]

NO_ROLL = "no_roll"
"""The call that makes a throw void, as a decision is written."""


class Dice(Struct, frozen=True, gc=False):
    """Where the pair in play is, and how the set stands.

    `confirmed`: a wager may still be placed although the dice are thrown.  `missing` dice are lost; `told`: the
    inspector knows of it; `serving`: the shooter of that time goes on with the rest of the set.
    """

    where: Literal["held", "thrown", "at rest"] = "held"
    confirmed: bool = False
    missing: int = 0
    told: bool = False
    serving: bool = False

    __repr__ = in_a_line


class Call(Struct, frozen=True, gc=False):
    """What was called for the throw in hand, and by whom; no faces: "No roll", with the reason once it was given."""

    faces: Faces
    by: str
    reason: str = ""

    __repr__ = in_a_line


class CrapsLayout(Struct, frozen=True, gc=False):
    """The table between two throws.

    `given_up` is the rule under which the last shooter, `former`, gave up the dice; it is empty while someone holds
    them.  `lifted` are those who took a Don't Pass down, or part of it, since the come out roll.  `declined` are those
    who refused them since; `no_taker`: they went round and nobody wanted them.  `last` is the last valid throw, for the
    record.  `found` is the table as that throw found it, with the call in force, as long as it may still be overruled.
    """

    point: int
    shooter: str = ""
    former: str = ""
    given_up: str = ""
    declined: tuple[str, ...] = ()
    no_taker: bool = False
    dice: Dice = Dice()
    call: Call | None = None
    last: Faces = ()
    seven_out: bool = False
    lifted: tuple[str, ...] = ()
    found: CrapsLayout | None = None

    __repr__ = in_a_line


def is_come_out(rules: CrapsRules, layout: CrapsLayout) -> bool:
    return layout.point == rules.no_point.value


def call_in_force(layout: CrapsLayout) -> Call | None:
    """What was called of the throw in hand, or else of the last one, if that may still be overruled."""
    return layout.found.call if layout.call is None and layout.found else layout.call


def total(faces: Faces) -> int:
    return sum(faces)


def how(rules: CrapsRules, faces: Faces, number: int) -> How | None:
    """What a throw is to a number: it, the hard way or the easy way; a seven; or nothing."""
    if total(faces) == number:
        return "hard" if len(set(faces)) == 1 else "easy"
    return "seven" if total(faces) == rules.seven.value else None


def read_faces(text: str) -> Faces | None:
    """Faces as they are written, `4-3`; None if the text is none."""
    parts = text.split("-")
    if not all(part.isascii() and part.isdigit() and len(part) == 1 for part in parts):
        return None
    return tuple(int(part) for part in parts)


# ---------------------------------------------------------------- what is due


def demand(rules: CrapsRules, layout: CrapsLayout) -> Demand:
    if replacement_due(rules, layout):
        if not layout.dice.told:
            return Perform(rules.dice.told.value, GAME_SUPERVISOR, rules.dice.told.rule)
        return Perform("replace_dice", DEALER, rules.dice.lost.rule)
    shooter = rules.shooter
    if layout.given_up and layout.former:
        return Choose("next shooter", shooter.offered.value, shooter.offered.rule)
    if layout.shooter == shooter.nobody.value:
        return Roll(layout.shooter, shooter.nobody.rule)
    by = layout.shooter or shooter.throws.value
    return Roll(by, rules.no_point.rule if is_come_out(rules, layout) else shooter.throws.rule)


def replacement_due(rules: CrapsRules, layout: CrapsLayout) -> bool:
    """Whether a new set must come: dice are lost, and their shooter is done or has not enough left to throw."""
    dice = layout.dice
    left = rules.dice.count.value - dice.missing
    return dice.missing >= rules.dice.lost.value and (not dice.serving or left < rules.dice.kept.value)


def out_of_turn(rules: CrapsRules, layout: CrapsLayout, what: str = "") -> Refusal:
    return not_due(demand(rules, layout), what)


# ---------------------------------------------------------------- changes


def give_up(layout: CrapsLayout, rule: str) -> CrapsLayout:
    """The shooter lets go of the dice; the point stays with the wagers."""
    if layout.given_up:
        return layout
    gone = replace(layout, dice=replace(layout.dice, serving=False), shooter="", declined=(), no_taker=False)
    return replace(gone, former=layout.shooter, given_up=rule) if layout.shooter else gone


def misread(rules: CrapsRules, faces: Faces) -> Refusal | None:
    """Faces that two dice cannot show, one uppermost face each."""
    thrown, outcomes = rules.dice.thrown, rules.dice.outcomes
    if len(faces) != thrown.value:
        return Refusal(f"{len(faces)} faces for a throw of {thrown.value} dice: one face counts on each", thrown.rule)
    if faces not in outcomes.value.outcomes:
        return Refusal("no dice show that", outcomes.rule, on="-".join(map(str, faces)))
    return None
