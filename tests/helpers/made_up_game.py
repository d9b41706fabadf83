"""A whole game in one short file: the three-colour wheel.

A wheel of ten sections stops at red (six), blue (three) or gold (one).  Red pays evens, blue 2 to 1, gold 8 to 1.  If
it stops on the line between two sections the spin is void and the wheel is spun again.  `docs/adding-a-game.md` walks
through it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from croupier.equipment import Space
from croupier.game import (
    Demand,
    Effect,
    Game,
    Irregular,
    Lost,
    Next,
    Over,
    Refusal,
    Remedy,
    Resolution,
    Rounding,
    Ruling,
    Sign,
    Spin,
    Wager,
    WheelStopped,
    Won,
    same_state,
)
from croupier.game.circumstances import Circumstance, listed
from croupier.law.editions import EDITIONS as DOCUMENTS
from croupier.law.model import Law, absent, cites
from croupier.money import Odds, to
from croupier.once import replace

law = cites("MADE")


@dataclass(frozen=True, slots=True)
class WheelRules:
    """What the law fixes: the sections, the odds, what becomes of a stop on a line, and of odd amounts."""

    sections: Law[Mapping[str, int]]
    pays: Mapping[str, Law[Odds]]
    loses: Law[str]
    on_a_line: Law[str]
    rounding: Law[Rounding]


RULES = WheelRules(
    sections=law({"red": 6, "blue": 3, "gold": 1}, "1.1"),
    pays={"red": law(to(1), "2.1"), "blue": law(to(2), "2.2"), "gold": law(to(8), "2.3")},
    loses=law("any other colour", "2.4"),
    on_a_line=law("spun again", "3.1"),
    rounding=law(Rounding.UP, "2.5"),
)


@dataclass(frozen=True, slots=True)
class Wheel:
    stopped: str = ""


def begin(rules: WheelRules, following: Next) -> Wheel:
    return Wheel()


def demand(rules: WheelRules, wheel: Wheel) -> Demand:
    return Over(rules.sections.rule) if wheel.stopped else Spin("dealer", rules.sections.rule)


def apply(rules: WheelRules, wheel: Wheel, fact: Effect) -> Wheel | Refusal:
    match fact:
        case WheelStopped(symbol=colour) if colour in rules.sections.value and not wheel.stopped:
            return replace(wheel, stopped=colour)
        case Ruling():
            return wheel
        case _:
            return Refusal("the wheel is due" if not wheel.stopped else "the spin is over", rules.sections.rule)


def accept(
    rules: WheelRules, sign: Sign, wheel: Wheel, standing: tuple[Wager, ...], placed: tuple[Wager, ...]
) -> tuple[Wager, ...] | Refusal:
    for wager in placed:
        if wager.on not in rules.pays:
            return Refusal(f"{wager.on!r} is no colour of the wheel", rules.sections.rule)
        if wheel.stopped:
            return Refusal("the wheel has stopped", rules.sections.rule)
    return placed


def judge(rules: WheelRules, wager: Wager, before: Wheel, fact: Effect, after: Wheel) -> Wager | Resolution:
    if not after.stopped:
        return wager
    pays = rules.pays[wager.on]
    return Won(pays.value, pays.rule) if after.stopped == wager.on else Lost(rules.loses.rule)


def rule_on(rules: WheelRules, wheel: Wheel, it: Irregular) -> Ruling | Refusal:
    if wheel.stopped:
        return Refusal("the wheel has stopped clear of the lines", rules.on_a_line.rule)
    return Ruling(it, Remedy.AGAIN, rules.on_a_line.rule, "dealer")


DOCUMENT = replace(
    DOCUMENTS["nz1996"],
    key="made",
    prefix="MADE",
    title="A made-up wheel",
    divisions={("three_colours", "wheel"): ""},
    layouts={},
    links=absent,
)
"""The record of the document that has the game: what it needs beside the rules of the game."""

THREE_COLOURS: Game[WheelRules, Wheel] = Game(
    name="three_colours",
    editions={"made": {"wheel": RULES}},
    begin=begin,
    seat=same_state,
    demand=demand,
    apply=apply,
    at_rest=lambda rules, wheel: bool(wheel.stopped),
    wagers=lambda rules: tuple(rules.pays),
    accept=accept,
    stakes=lambda rules, wheel, standing, fact: (),
    judge=judge,
    rounding=lambda rules: rules.rounding.value,
    circumstances=listed(Circumstance("on_a_line", "the wheel stopped between two sections")),
    irregularities=lambda rules: {},
    rule_on=rule_on,
    decks=lambda rules: 0,
    symbol=lambda rules, card: card,
    view=lambda rules, wheel: wheel.stopped,
    outcome=lambda rules, wheel: {"stopped": wheel.stopped or None},
    chances=lambda rules: Space(tuple(rules.sections.value), tuple(rules.sections.value.values())).map(WheelStopped),
)
