"""Craps at a live table: the set of dice, the shooter, the throw and what staff do after it.

A round is a throw.  New dice are inspected twice before the first; a new shooter chooses two of the set; after a throw
its total is called, the dice are gathered, wagers settled, and the dice passed.  Between a throw and its settlement no
wager is placed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from croupier.ceremony import Done
from croupier.game import (
    NORMAL,
    Attendance,
    Chosen,
    Demand,
    Fact,
    Irregular,
    Perform,
    Performed,
    Procedure,
    Refusal,
    Wager,
    say,
)
from croupier.games.craps import irregular, play, procedure
from croupier.games.craps.layout import Layout, total
from croupier.games.craps.layout import demand as play_demand
from croupier.games.craps.rules import CrapsRules, LineBet, NumberBet, OddsBet, OneRollBet
from croupier.money import Odds

NEW_DICE, FIRST, NEXT, THROW = "new dice", "first shooter", "next shooter", "throw"
SHOOTER = "shooter"


@dataclass(frozen=True, slots=True)
class Sitting:
    """`script` is the one in hand, `done` what was done of it; `shooters` counts those who took the dice."""

    layout: Layout
    script: str = NEW_DICE
    done: Done = ()
    shooters: int = 0
    seats: tuple[str, ...] = ()
    standing: tuple[Wager, ...] = ()


def _act(rules: CrapsRules, sitting: Sitting) -> Perform | None:
    return procedure.due(rules, sitting.script, sitting.done) if sitting.script else None


def demand(rules: CrapsRules, sitting: Sitting) -> Demand:
    wanted = _act(rules, sitting) or procedure.demand(rules, sitting.seats, sitting.layout, sitting.standing)
    return wanted or play_demand(rules, sitting.layout)


def apply(rules: CrapsRules, sitting: Sitting, fact: Fact) -> Sitting | Refusal:
    """An act of the script in hand, or a fact of play once there is none."""
    wanted = _act(rules, sitting)
    if isinstance(fact, Performed) and wanted and fact.act in _acts(rules, sitting.script):
        done = procedure.perform(rules, sitting.script, sitting.done, _as_shooter(sitting, wanted, fact))
        return done if isinstance(done, Refusal) else _turned(rules, replace(sitting, done=done))
    thrown = irregular.thrown(rules, sitting.layout, fact) is not None
    if wanted and (thrown or _of_a_throw(fact)):
        return Refusal(f"a throw: first is due: {say(wanted)}", wanted.rule)
    laid = irregular.apply(rules, sitting.layout, fact)
    return laid if isinstance(laid, Refusal) else _after(replace(sitting, layout=laid), fact, thrown=thrown)


def _of_a_throw(fact: Fact) -> bool:
    """Whether something is said of a throw in hand: of lost dice it can be said at any time."""
    return isinstance(fact, Irregular) and fact.circumstance not in ("dice_lost", "wrong_call")


def _acts(rules: CrapsRules, script: str) -> set[str]:
    return {law.value.act for law in rules.scripts[script]}


def _as_shooter(sitting: Sitting, wanted: Perform, fact: Performed) -> Performed:
    """The shooter acts under his own name; the script calls him `shooter`."""
    own = wanted.by == SHOOTER and fact.by == sitting.layout.shooter
    return replace(fact, by=SHOOTER) if own else fact


def _turned(rules: CrapsRules, sitting: Sitting) -> Sitting:
    """A finished script is put away; that of a throw stays until the round is over."""
    finished = procedure.due(rules, sitting.script, sitting.done) is None and sitting.script != THROW
    return replace(sitting, script="", done=()) if finished else sitting


def _after(sitting: Sitting, fact: Fact, *, thrown: bool) -> Sitting:
    match fact:
        case _ if thrown:
            return replace(sitting, script=THROW, done=())
        case Chosen(option="accept_dice"):
            script = NEXT if sitting.shooters else FIRST
            return replace(sitting, script=script, done=(), shooters=sitting.shooters + 1)
        case _:
            return sitting


def attend(rules: CrapsRules, sitting: Sitting, there: Attendance) -> Sitting:
    seats = tuple(name for _, name in sorted(there.seats.items()))
    return replace(sitting, seats=seats, standing=there.standing)


def closed(rules: CrapsRules, sitting: Sitting, wager: Wager) -> Refusal | None:
    if sitting.script != THROW:
        return None
    settled = rules.scripts[THROW][-1]
    return Refusal(f"{wager.on}: the last throw is not settled yet", settled.rule)


def complete(rules: CrapsRules, sitting: Sitting) -> bool:
    return sitting.script == THROW and _act(rules, sitting) is None


def says(rules: CrapsRules, before: Sitting, fact: Fact, after: Sitting) -> tuple[tuple[str, str], ...]:
    """The total itself, where the script only has the act of calling it."""
    call = rules.scripts[THROW][0]
    if not isinstance(fact, Performed) or fact.act != call.value.act or not before.layout.last:
        return ()
    return ((str(total(before.layout.last)), call.rule),)


def pays(rules: CrapsRules, on: str) -> tuple[Odds, ...]:
    """What the felt says of a wager; bets made of parts are paid as their parts."""
    kind, _, number = on.partition(":")
    bet = rules.bets.get(kind)
    match bet:
        case LineBet(pays=law):
            return (law.value,)
        case OddsBet(pays=scale) | NumberBet(pays=scale) if number.isdigit() and int(number) in scale:
            return (scale[int(number)].value,)
        case NumberBet(pays=scale) | OneRollBet(pays=scale):
            return tuple(dict.fromkeys(law.value for law in scale.values()))
        case _:
            return ()


LIVE: Procedure[CrapsRules, Layout] = Procedure(
    begin=lambda rules: Sitting(play.begin(rules, NORMAL)),
    layout=lambda rules, sitting: sitting.layout,
    demand=demand,
    apply=apply,
    attend=attend,
    seat=lambda rules, sitting, wagers: replace(sitting, layout=play.seat(rules, sitting.layout, wagers)),
    lift=lambda rules, sitting: sitting,
    closed=closed,
    complete=complete,
    next_round=lambda rules, sitting: replace(sitting, script="", done=()),
    abandon=lambda rules, sitting: replace(sitting, script="", done=()),
    seats=lambda rules: None,
    pays=pays,
    says=says,
    usual=lambda rules, sitting, act, card: act if act.startswith("inspect as") else "",
)
