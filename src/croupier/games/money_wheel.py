"""The money wheel: Division VII of the 1996 gazette.

Theory of operation.  The rim has 52 sections with seven symbols, A to G; a wager names one of them.  Unlike roulette,
betting closes before the wheel is spun.  The drawing of the rim is lost, which does not matter to the odds: they depend
on the counts alone, and `inspect_rim` holds every rim to these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from croupier import equipment
from croupier.ceremony import Act, Order, calling
from croupier.equipment import NOBODY_KNOWS, Space
from croupier.game import (
    Effect,
    Game,
    Lost,
    Performed,
    Refusal,
    Remedy,
    Resolution,
    Rounding,
    Spin,
    Wager,
    WheelStopped,
    Won,
)
from croupier.game.circumstances import Circumstance, Circumstances, DeclaredField, listed, one_of
from croupier.game.kinds import AS_DETAILED, NO_MORE_BETS
from croupier.games.single_draw import Draw, DrawSitting, SingleDraw
from croupier.games.single_draw.play import ACROSS, NO_SPIN, Common, DrawCase
from croupier.games.single_draw.procedure import (
    COLLECT,
    COLLECTED,
    PAY,
    PAY_AREA,
    DrawCeremony,
    too_few,
    unlike,
)
from croupier.law.elections import Options
from croupier.law.model import Citer, Law, absent, cites
from croupier.law.officials import DEALER, GAME_SUPERVISOR
from croupier.money import Odds, to
from croupier.once import dataclass

PEG: Final = "peg"
SPINNERS: Final = (DEALER, GAME_SUPERVISOR)

CIRCUMSTANCES: Circumstances = listed(
    Circumstance(
        "interference",
        "something interfered with the spin",
        "to: where the indicator came to rest, if it did",
        to=DeclaredField("where the indicator came to rest, if it did"),
        call=one_of("No spin"),
    ),
    Circumstance("unbalanced", "the wheel became unbalanced during the spin", call=one_of("No spin")),
    Circumstance("mechanical_fault", "the wheel or what supports it failed during the spin", call=one_of("No spin")),
    Circumstance("on_peg", "the indicator came to rest on a peg between two sections", call=one_of("No spin")),
    Circumstance("short_spin", "the wheel made fewer than four turns", call=one_of("No spin")),
    Circumstance(
        "straddling_chip",
        "a wager does not lie wholly in one area",
        "to: the area it counts for; call: whose it is",
        to=DeclaredField("the area it counts for"),
        call=DeclaredField("whose it is"),
    ),
)


@dataclass(frozen=True, slots=True)
class Symbol:
    """How many sections show the symbol, and what it pays."""

    sections: Law[int]
    pays: Law[Odds]


@dataclass(frozen=True, slots=True)
class MoneyWheelRules:
    """The law of the game, with the elections in force."""

    # the equipment
    wheel_millimetres: Law[int]
    rim: Law[Space[str]]
    sections: Law[int]
    distinct: Law[bool]
    symbols: Mapping[str, Symbol]
    name: Law[Options[str]]
    # the wagers
    permitted: Law[frozenset[str]]
    wins: Law[bool]
    loses: Law[bool]
    within: Law[str]
    common: Common
    # the ceremony
    directions: Law[tuple[str, ...]]
    held_by: Law[tuple[str, ...]]
    turns: Law[int]
    ceremony: DrawCeremony


# ---------------------------------------------------------------- play and wagers


def shown(rules: MoneyWheelRules, fact: Effect) -> str | Refusal | None:
    """The symbol of the section in which the indicator rests; a peg is no section."""
    match fact:
        case WheelStopped(symbol=symbol) if symbol in rules.rim.value.outcomes:
            return symbol
        case WheelStopped(symbol=symbol) if symbol == PEG:
            (peg,) = rules.common.irregularities["on_peg"]
            return Refusal("the indicator rests on a peg: declare it", peg.rule)
        case WheelStopped(symbol=symbol):
            return Refusal("no symbol of the wheel", rules.sections.rule, on=symbol[:20])
        case _:
            return None


def locate(rules: MoneyWheelRules, on: str) -> str | Refusal:
    """A symbol, if a wager may be placed on it; a chip across two areas is in neither."""
    if rules.within.value in on:
        return Refusal("a wager lies wholly within one area", rules.within.rule, on=on[:40])
    if on not in rules.permitted.value:
        known = ", ".join(sorted(rules.permitted.value))
        return Refusal(f"{on!r:.40} is not a wager here; known are {known}", rules.permitted.rule)
    return on


def areas(rules: MoneyWheelRules) -> tuple[str, ...]:
    return tuple(symbol for symbol in rules.symbols if symbol in rules.permitted.value)


def decide(rules: MoneyWheelRules, wager: Wager, spun: str) -> Wager | Resolution:
    """Won on its own symbol, lost on any other."""
    pays = rules.symbols[wager.on].pays
    if spun == wager.on:
        return Won(pays.value, pays.rule) if rules.wins.value else wager
    return Lost(rules.loses.rule) if rules.loses.value else wager


# ---------------------------------------------------------------- the ceremony


def wrong_detail(rules: MoneyWheelRules, sitting: DrawSitting[str], fact: Performed) -> Refusal | None:
    """What is wrong with the number or word recorded with an act, if anything."""
    act, detail, result = fact.act, fact.detail, sitting.draw.result
    match act:
        case "take hold":
            return unlike(act, detail, rules.held_by.value, rules.held_by.rule)
        case "spin wheel":
            return unlike(act, detail, rules.directions.value, rules.directions.rule)
        case "count turns":
            return too_few(act, detail, rules.turns)
        case "announce":
            return unlike(act, detail, (result,), rules.ceremony.rule_of(act))
        case "pay area":
            return unlike(act, detail, (result,), rules.ceremony.rule_of(act))
        case _:
            return None


def usual(rules: MoneyWheelRules, sitting: DrawSitting[str], act: str) -> int | str:
    """What is commonly recorded with an act."""
    known: dict[str, int | str] = {
        "take hold": rules.held_by.value[0],
        "spin wheel": rules.directions.value[0],
        "count turns": rules.turns.value,
        "announce": sitting.draw.result or "",
    }
    return known.get(act, "")


# ---------------------------------------------------------------- equipment


def inspect_wheel(rules: MoneyWheelRules, measure: str) -> Refusal | None:
    """Why a wheel of so many millimetres may not be used, if so."""
    least = rules.wheel_millimetres
    fits = measure.isdecimal() and int(measure) >= least.value
    return None if fits else Refusal(f"a wheel of {measure!r:.20} mm: at least {least.value} mm", least.rule)


def inspect_rim(rules: MoneyWheelRules, rim: str) -> Refusal | None:
    """Why a rim with these symbols, one a section, may not be used, if so: their number, or how often one is on it."""
    if len(rim) != rules.sections.value:
        return Refusal(f"a rim of {len(rim)} sections: {rules.sections.value} are due", rules.sections.rule)
    counts = Counter(rim)
    for name, symbol in rules.symbols.items():
        if counts[name] != symbol.sections.value:
            reason = f"{name} on {counts[name]} sections: {symbol.sections.value} are due"
            return Refusal(reason, symbol.sections.rule)
    return None


def inspect_symbols(rules: MoneyWheelRules, images: str) -> Refusal | None:
    """Why these images, with commas between, may not stand for the symbols A to G, if so: each has its own."""
    shown = images.split(",")
    if rules.distinct.value and not len(set(shown)) == len(shown) == len(rules.symbols):
        return Refusal(f"{len(rules.symbols)} symbols that differ are needed", rules.distinct.rule)
    return None


# ---------------------------------------------------------------- the edition


def nz1996() -> MoneyWheelRules:
    """New Zealand Gazette No. 7 of 26 January 1996, Division VII."""
    law = cites("NZ1996-VII")
    symbols = _symbols(law)
    return MoneyWheelRules(
        wheel_millimetres=law(1500, "2.1"),
        rim=law(equipment.MONEY_WHEEL, "diag-8", "2.2", "2.2a", "2.2b"),
        sections=law(52, "2.3"),
        distinct=law(True, "2.4"),
        symbols=symbols,
        name=law(Options((), "Money Wheel"), "2.8"),
        permitted=law(frozenset(symbols), "4.1", "NZ1996-I-14.1a"),
        wins=law(True, "4.1a"),
        loses=law(True, "4.1b"),
        within=law(ACROSS, "4.4"),
        common=_common(law),
        directions=law(("clockwise", "anticlockwise"), "3.1"),
        held_by=law(("rim", "knobs"), "3.2"),
        turns=law(4, "3.3"),
        ceremony=_ceremony(law),
    )


def _symbols(law: Citer) -> dict[str, Symbol]:
    """The column of symbols is lost from the table of odds; for each, count times return is 48."""

    def symbol(item: str, sections: int, odds: int) -> Symbol:
        return Symbol(law(sections, f"2.3{item.lower()}"), law(to(odds), f"5.0-pay-{item}", "5.0"))

    return {
        "A": symbol("A", 24, 1),
        "B": symbol("B", 12, 3),
        "C": symbol("C", 8, 5),
        "D": symbol("D", 4, 11),
        "E": symbol("E", 2, 23),
        "F": symbol("F", 1, 47),
        "G": symbol("G", 1, 47),
    }


def _common(law: Citer) -> Common:
    void = DrawCase("any time", Remedy.AGAIN, SPINNERS, NO_SPIN, "spin")
    fault = law(void, "6.1")
    return Common(
        unpredictable=law(NOBODY_KNOWS, "2.2c"),
        closing=law("No more bets", "4.7"),
        settled=law(True, "4.6"),
        over_maximum=law("excess void", "NZ1996-I-14.2b"),
        rounding=law(Rounding.UP, "NZ1996-I-15.3"),
        irregularities={
            "interference": (fault,),
            "unbalanced": (fault,),
            "mechanical_fault": (fault,),
            "on_peg": (law(void, "6.2"),),
            "short_spin": (law(void, "6.3"),),
            "straddling_chip": (
                law(DrawCase("betting open", Remedy.AGAIN), "4.4"),
                law(DrawCase("betting closed", Remedy.VOID_WAGER, voids="wager"), "4.4"),
            ),
        },
        unannounced=law(frozenset({"interference", "unbalanced", "mechanical_fault", "on_peg", "short_spin"}), "6.4"),
        at_rest=law(frozenset({"interference", "unbalanced", "mechanical_fault", "short_spin"}), "6.1"),
        unprovided=law(GAME_SUPERVISOR, "NZ1996-I-8.1"),
    )


def _ceremony(law: Citer) -> DrawCeremony:
    return DrawCeremony(
        scripts={
            "spin": (
                law(calling(NO_MORE_BETS.of), "3.4"),
                law(Act("ring bell"), "3.4"),
                law(Act("take hold"), "3.2"),
                law(Act("spin wheel"), "3.1"),
                law(Act("count turns"), "3.3"),
            ),
            "result": (
                law(Act("announce", kind=AS_DETAILED), "3.5a", "3.5"),
                law(Act(COLLECT), "3.5b"),
                law(Act(PAY), "3.5c"),
            ),
        },
        orders=(law(Order(PAY_AREA, (DEALER,), COLLECTED), "3.5c"),),
        shared={"take hold": law(SPINNERS, "3.2"), "spin wheel": law(SPINNERS, "3.2")},
        hands_off=law(True, "3.6"),
        opens=absent,
        reopens=law(PAY, "4.8"),
        untouched=law(True, "4.8"),
        own_paid=absent,
        spins="spin wheel",
    )


DRAW: SingleDraw[MoneyWheelRules, str] = SingleDraw(
    due=lambda rules: Spin(DEALER, rules.turns.rule),
    chances=lambda rules: rules.rim.value.map(WheelStopped),
    shown=shown,
    areas=areas,
    locate=locate,
    decide=decide,
    figures=lambda rules, symbol: {"symbol": symbol},
    alike=lambda symbol: symbol,
    wrong_detail=wrong_detail,
    usual=usual,
    pays=lambda rules, on: (rules.symbols[on].pays.value,),
    equipment={"wheel": inspect_wheel, "rim": inspect_rim, "symbols": inspect_symbols},
    inscribed=lambda rules: ((rules.name.value.elected, rules.name.rule, ""),),
    conditions=lambda rules, sitting: {},
)

MONEY_WHEEL: Game[MoneyWheelRules, Draw[str]] = DRAW.game(
    "money_wheel", {"nz1996": {"money_wheel": nz1996()}}, CIRCUMSTANCES
)
