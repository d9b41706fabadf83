"""Caribbean stud at a live table: the ceremonies as every table knows them.  A seat is a box."""

from __future__ import annotations

from dataclasses import replace

from croupier.game import Fact, Performed, Procedure, Refusal, Wager
from croupier.games.caribbean_stud import play, procedure
from croupier.games.caribbean_stud.play import Layout
from croupier.games.caribbean_stud.procedure import EMPTY, Sitting, finished, wagers_closed
from croupier.games.caribbean_stud.rules import StudRules
from croupier.law.model import Law


def closed(rules: StudRules, sitting: Sitting, wager: Wager) -> Refusal | None:
    return wagers_closed(rules, sitting)


def seat(rules: StudRules, sitting: Sitting, wagers: tuple[Wager, ...]) -> Sitting:
    return replace(sitting, layout=play.seat(rules, sitting.layout, wagers))


def complete(rules: StudRules, sitting: Sitting) -> bool:
    """Whether there was a round, or a misdeal, and everything after it is done."""
    return bool(sitting.layout.dealt or sitting.layout.misdeal) and finished(rules, sitting)


def seats(rules: StudRules) -> Law[range]:
    return Law(range(1, rules.seats.value.elected + 1), rules.seats.rules)


def says(rules: StudRules, before: Sitting, fact: Fact, after: Sitting) -> tuple[tuple[str, str], ...]:
    """The value and the result of a hand at the showdown."""
    if not isinstance(fact, Performed) or not fact.act.startswith("announce the value"):
        return ()
    box = before.layout.box(int(fact.act.rpartition(" ")[2]))
    rule = procedure.demand(rules, before).rule
    return ((procedure.announcement(rules, before.layout, box), rule),) if box else ()


LIVE: Procedure[StudRules, Layout] = Procedure(
    begin=lambda rules: Sitting(),
    layout=lambda rules, sitting: sitting.layout,
    demand=procedure.demand,
    apply=procedure.apply,
    attend=lambda rules, sitting, there: sitting,
    seat=seat,
    lift=lambda rules, sitting: replace(sitting, layout=replace(sitting.layout, boxes=())),
    closed=closed,
    complete=complete,
    next_round=lambda rules, sitting: replace(sitting, said=(), layout=EMPTY),
    abandon=lambda rules, sitting: replace(sitting, said=(), layout=EMPTY),
    seats=seats,
    usual=lambda rules, sitting, act, card: "",
    says=says,
)
