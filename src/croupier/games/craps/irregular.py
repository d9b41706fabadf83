"""Irregularities of craps: void rolls, discretionary "No roll", tilted dice, overruled calls, lost dice.

The table is the law: for each circumstance the cases in the order in which they are tried, the first that applies being
the ruling.  A roll that is void is void whether or not it was called; where the law leaves it to the stickperson or
the game supervisor, only their call of "No roll" makes it so.  After a void roll every wager waits for the next one.

Faces are written as in a throw, `4-3`; a tilted die by the side it rests on, `4-r2`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from croupier.game import DiceFell, Effect, Irregular, Performed, Plain, Refusal, Remedy, Roll, Ruling, told
from croupier.game.circumstances import Circumstance, Circumstances, DeclaredField, applies, listed, one_of, unambiguous
from croupier.games.craps import play
from croupier.games.craps.layout import NO_ROLL, CrapsLayout, Faces, call_in_force, demand, misread, read_faces
from croupier.games.craps.rules import CrapsCase, CrapsRules, Irregularities
from croupier.games.craps.staff import overruling
from croupier.law.conditions import OnCall, in_a_row
from croupier.law.model import Citer, Law
from croupier.law.officials import GAME_SUPERVISOR
from croupier.once import replace
from croupier.round import UNDO

CIRCUMSTANCES: Circumstances = listed(
    Circumstance("off_table", "a die, or both, went off the table"),
    Circumstance("die_on_die", "one die rests on the other"),
    Circumstance("on_bank", "a die rests on the bank of chips in front of the game supervisor"),
    Circumstance("in_bowl_or_on_rail", "a die rests in the dice bowl or on a rail"),
    Circumstance("on_chips_by_sides", "more than one side of a die rests on chips or another object"),
    Circumstance("fraud", "a fraudulent die or technique was used"),
    Circumstance("unapproved_dice", "dice not approved for the game were used"),
    Circumstance("uncallable", "the natural fall of the dice cannot be called"),
    Circumstance(
        "not_together", "the dice did not leave the hand together", "call: no_roll, or none", call=one_of("no_roll")
    ),
    Circumstance(
        "end_not_struck", "a die did not strike an end of the table", "call: no_roll, or none", call=one_of("no_roll")
    ),
    Circumstance(
        "improper_throw",
        "the throw seems improper for another reason",
        "call: no_roll, or none",
        call=one_of("no_roll"),
    ),
    Circumstance("other_irregularity", "something else went wrong", "call: no_roll, or none", call=one_of("no_roll")),
    Circumstance("touched_chips", "the dice touched chips other than the bank"),
    Circumstance("two_hands", "the shooter used both hands", "call: no_roll, or none", call=one_of("no_roll")),
    Circumstance(
        "tilted_die",
        "a die is not flat",
        "to: the faces, a tilted die by the side it rests on: 4-r2",
        to=DeclaredField("the faces, a tilted die by the side it rests on: 4-r2", examples=("4-r2", "r5-6", "r3-1")),
    ),
    Circumstance(
        "face_disputed",
        "it is disputed which face is uppermost",
        "call: the faces, 4-3, or void",
        call=DeclaredField("the faces, 4-3, or void", examples=("void", "4-3", "6-2", "5-5")),
    ),
    Circumstance(
        "wrong_call",
        "the throw was called wrongly",
        "call: the faces, 4-3, or no_roll; by: the official",
        call=DeclaredField("the faces, 4-3, or no_roll", examples=("no_roll", "4-3", "6-2", "5-5")),
        overrules=True,
    ),
    Circumstance("dice_lost", "dice that went off the table were not found", "to: 1 or 2", to=one_of("1", "2")),
)

SAID = "No roll"
ONE_HAND = "One hand only"


def nz1996(law: Citer) -> Irregularities:
    """Parts 4.5, 5 and 7 of Division X."""
    void = CrapsCase("", Remedy.AGAIN, call=SAID)
    if_called = CrapsCase(OnCall("no_roll"), Remedy.AGAIN, call=SAID)
    stands = law(CrapsCase("", Remedy.STAND), "7.2")
    supervisor = (GAME_SUPERVISOR,)
    cases: Irregularities = {
        "off_table": (law(void, "7.1a", "7.1", "7.1-tail"),),
        "die_on_die": (law(void, "7.1b"),),
        "on_bank": (law(void, "7.1c"),),
        "in_bowl_or_on_rail": (law(void, "7.1d"),),
        "on_chips_by_sides": (law(void, "7.1e"),),
        "fraud": (law(void, "7.1f"),),
        "unapproved_dice": (law(void, "7.1g"),),
        "uncallable": (law(void, "7.1h"),),
        "not_together": (law(if_called, "7.2a"), stands),
        "end_not_struck": (law(if_called, "7.2b"), stands),
        "improper_throw": (law(if_called, "7.2c"), stands),
        "other_irregularity": (law(if_called, "7.2d"), stands),
        "touched_chips": (law(CrapsCase("", Remedy.STAND), "7.3"),),
        "two_hands": (law(if_called, "7.2c"), law(CrapsCase("", Remedy.STAND, call=ONE_HAND), "5.4")),
        "tilted_die": (law(CrapsCase("one side", Remedy.USE), "5.5c"),),
        "face_disputed": (
            law(CrapsCase(OnCall("void"), Remedy.AGAIN, by=supervisor, call=SAID), "5.5d"),
            law(CrapsCase("faces called", Remedy.USE, by=supervisor), "5.5d"),
        ),
        "dice_lost": (law(CrapsCase("few lost", Remedy.PLAY_ON), "4.1"), law(CrapsCase("", Remedy.REPLACE), "4.5d")),
    }
    return unambiguous(cases, CONDITIONS, frozenset((OnCall("void"), "faces called")))


# ---------------------------------------------------------------- the ruling

Condition = Callable[[CrapsRules, CrapsLayout, Irregular], bool]

CONDITIONS: Mapping[str, Condition] = {
    "faces called": lambda rules, layout, it: _shown(rules, it.call) is not None,
    "one side": lambda rules, layout, it: "r" in it.to and _shown(rules, _uppermost(rules, it.to)) is not None,
    "few lost": lambda rules, layout, it: _all_lost(layout, it) < rules.dice.lost.value,
}


def is_no_roll(it: Irregular) -> bool:
    return it.call in (NO_ROLL, SAID)


def _shown(rules: CrapsRules, text: str) -> Faces | None:
    """The faces in a text, if two dice can show them."""
    faces = read_faces(text)
    return None if faces is None or misread(rules, faces) else faces


def _uppermost(rules: CrapsRules, text: str) -> str:
    """`4-r2` as the faces that count: opposite the side on which a die rests."""
    opposite = rules.dice.opposite.value
    tilted = {f"r{side}": str(opposite - side) for side in range(1, opposite)}
    return "-".join(tilted.get(part, part) for part in text.split("-"))


def _all_lost(layout: CrapsLayout, it: Irregular) -> int:
    return layout.dice.missing + (2 if it.to == "2" else 1)


def rule_on(rules: CrapsRules, layout: CrapsLayout, it: Irregular) -> Ruling | Refusal:
    """The ruling on what happened, or why there is none."""
    if it.circumstance == "wrong_call":
        return _overruled(rules, layout, it)
    cases = rules.irregularities.get(it.circumstance)
    if cases is None:
        who = rules.unprovided.value
        return Refusal(f"no rule provides for it; the {who} decides", rules.unprovided.rule, on=it.circumstance)
    due = demand(rules, layout)
    if not isinstance(due, Roll) and it.circumstance != "dice_lost":
        return Refusal(f"no throw is in hand; due is: {told(due)}", due.rule, on=it.circumstance)
    call = NO_ROLL if is_no_roll(it) else it.call
    if cases[0].value.when == OnCall(NO_ROLL) and call not in ("", "none", NO_ROLL):
        return Refusal(f"the call is {NO_ROLL}, or none: {it.call!r:.40}", cases[0].rule, on=it.circumstance)
    for law in cases:
        if applies(law.value.when, call, lambda word: CONDITIONS[word](rules, layout, it)):
            return _ruling(rules, layout, law, it)
    wanted = " or ".join(in_a_row(law.value.when) for law in cases)
    return Refusal(f"it needs {wanted}", cases[-1].rule, on=it.circumstance)


def _ruling(rules: CrapsRules, layout: CrapsLayout, law: Law[CrapsCase], it: Irregular) -> Ruling | Refusal:
    case = law.value
    by = it.by or case.by[0]
    if by not in case.by:
        return Refusal(f"for the {' or the '.join(case.by)}, not for {by}", law.rule, on=it.circumstance)
    ruling = Ruling(it, case.remedy, law.rule, by, _facts(rules, layout, law, it), call=case.call)
    if case.remedy is Remedy.AGAIN and layout.dice.where == "at rest":
        return replace(ruling, call=f"{case.call} ({rules.late_call.value})")
    return ruling


def _facts(rules: CrapsRules, layout: CrapsLayout, law: Law[CrapsCase], it: Irregular) -> tuple[Plain, ...]:
    """The facts of the main path that carry the remedy out."""
    by = it.by or law.value.by[0]
    match law.value.remedy:
        case Remedy.AGAIN:
            return (Performed("no_roll", by, law.rule),)
        case Remedy.USE:
            faces = _shown(rules, it.call or _uppermost(rules, it.to))
            called = layout.call is not None and layout.call.faces  # a "No roll" was of the throw before
            overrule = (Performed("overrule", by, it.call),) if it.call and called else ()
            return () if faces is None else (*overrule, DiceFell(faces))
        case Remedy.PLAY_ON | Remedy.REPLACE:
            return (Performed("dice_lost", by, it.to or "1"),)
        case _:
            return ()


def _overruled(rules: CrapsRules, layout: CrapsLayout, it: Irregular) -> Ruling | Refusal:
    """A call put right by a higher official; it can be put right again, by one above, until the round is over.

    Where the throw was entered as it was called, it is taken back and falls as it was ruled.
    """
    by = it.by or GAME_SUPERVISOR
    law = overruling(rules, call_in_force(layout), by, over=bool(layout.last))
    if isinstance(law, Refusal):
        return law
    if not is_no_roll(it) and _shown(rules, it.call) is None:
        return Refusal(f"give the faces, like 4-3, or {NO_ROLL!r}: {it.call!r:.40}", law.rule, on="wrong_call")
    order = Performed("overrule", by, NO_ROLL if is_no_roll(it) else it.call)
    if layout.call or not layout.found:
        return Ruling(it, Remedy.RECONSTRUCT, law.rule, by, (order,))
    faces = _shown(rules, it.call)
    throw = () if faces is None else (DiceFell(faces),)
    return Ruling(it, Remedy.RECONSTRUCT, law.rule, by, (Performed(UNDO, by), order, *throw))


# ---------------------------------------------------------------- carrying out


def apply(rules: CrapsRules, layout: CrapsLayout, fact: Effect) -> CrapsLayout | Refusal:
    """The layout after anything that takes effect: a ruling is carried out, the rest is plain play."""
    if not isinstance(fact, Ruling):
        return play.apply(rules, layout, fact)
    layout = as_found(layout, fact)
    for plain in fact.facts:
        after = layout if _undoes(plain) else play.apply(rules, layout, plain)
        if isinstance(after, Refusal):
            return after
        layout = after
    return layout


def as_found(layout: CrapsLayout, fact: Effect) -> CrapsLayout:
    """The layout on which something takes effect: a throw that is called otherwise is thrown as the last one was."""
    overruled = type(fact) is Ruling and any(map(_undoes, fact.facts))
    return layout.found if overruled and layout.found else layout


def _undoes(fact: Plain) -> bool:
    return isinstance(fact, Performed) and fact.act == UNDO


def thrown(fact: Effect) -> Faces | None:
    """The faces that count by this: a throw, or an irregular one that is read; None for anything else."""
    for plain in fact.facts if type(fact) is Ruling else (fact,):
        if type(plain) is DiceFell:
            return plain.faces
    return None
