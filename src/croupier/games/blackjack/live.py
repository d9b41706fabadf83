"""Blackjack at a live table: the ceremonies as every table knows them.  A seat is a box."""

from __future__ import annotations

from dataclasses import replace

from croupier.game import NORMAL, Attendance, CardSeen, Chosen, Fact, Over, Procedure, Refusal, Wager
from croupier.games.blackjack import procedure
from croupier.games.blackjack.calls import announce, announce_turn
from croupier.games.blackjack.layout import Layout, begin
from croupier.games.blackjack.procedure import Sitting
from croupier.games.blackjack.rules import INSURANCE, MAIN, SUPER_SEVENS, BlackjackRules
from croupier.games.blackjack.shoe import cards_in_stack
from croupier.money import Odds


def attend(rules: BlackjackRules, sitting: Sitting, there: Attendance) -> Sitting:
    boxes = {box.number for box in sitting.layout.boxes}
    seats = tuple(sorted({*there.seats, *boxes}))
    first = sitting.first_box if sitting.first_box in seats else next(iter(seats), 0)
    return replace(sitting, seats=seats, first_box=first)


def closed(rules: BlackjackRules, sitting: Sitting, wager: Wager) -> Refusal | None:
    return procedure.why_no_wager(rules, sitting)


def complete(rules: BlackjackRules, sitting: Sitting) -> bool:
    """Whether there was a round and its cards are in the rack; one may be void before any card lies on the layout."""
    return bool(sitting.layout.boxes) and isinstance(procedure.demand(rules, sitting), Over)


def usual(rules: BlackjackRules, sitting: Sitting, act: str, card: str) -> int | str:
    match act:
        case "cut":
            return cards_in_stack(rules) // 2
        case "insert cutting card":
            return rules.ceremony.cutting_card_from_back.value
        case _:
            return ""


def says(rules: BlackjackRules, before: Sitting, fact: Fact, after: Sitting) -> tuple[tuple[str, str], ...]:
    """A total after each card, and the total before a player decides."""
    if not isinstance(fact, CardSeen | Chosen):
        return ()
    told = (announce(rules, before.layout, after.layout), announce_turn(rules, after.layout))
    return tuple((each.text, each.rule) for each in told if each)


def pays(rules: BlackjackRules, on: str) -> tuple[Odds, ...]:
    """What the felt says of a wager."""
    sevens = rules.sevens
    scale = (sevens.one, sevens.two, sevens.two_suited, sevens.three, sevens.three_suited)
    known = {MAIN: (rules.pays, rules.blackjacks.pays), INSURANCE: (rules.insurance.pays,), SUPER_SEVENS: scale}
    return tuple(law.value for law in known.get(on, ()))


LIVE: Procedure[BlackjackRules, Layout] = Procedure(
    begin=lambda rules: Sitting(layout=begin(rules, NORMAL)),
    layout=lambda rules, sitting: sitting.layout,
    demand=procedure.demand,
    apply=procedure.apply,
    attend=attend,
    seat=procedure.seated,
    lift=lambda rules, sitting: replace(sitting, layout=replace(sitting.layout, boxes=())),
    closed=closed,
    complete=complete,
    next_round=procedure.next_round,
    abandon=lambda rules, sitting: replace(sitting, layout=begin(rules, NORMAL), said=()),
    seats=lambda rules: rules.boxes,
    usual=usual,
    says=says,
    pays=pays,
    spoken=lambda rules: rules.ceremony.spoken_needs_chips,
)
