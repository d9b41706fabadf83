"""Roulette with a single zero: Division III of the 1996 gazette.

Theory of operation.  The layout is a grid of twelve rows of three with zero above the first row.  Every inside wager is
a rectangle of that grid, or one of the listed combinations with zero; so the 157 positions are enumerated by geometry
and a wager is legal if one chip can mark it.  A wager names its kind and its numbers: `split:17-20`, `corner:0-1-2-3`,
`dozen:2`, `red`.  `decide` asks which numbers the position covers; zero takes all that do not cover it.

Play asks for the spin.  The ceremony asks for the turning wheel, the ball against it, the call with the bell while the
ball runs, four turns of the track, the announcement, the dolly, and then for losers before winners.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from croupier.ceremony import Act, Order, calling
from croupier.equipment import NOBODY_KNOWS, RED_NUMBERS, ROULETTE_WHEEL, Space, pocket_colour
from croupier.game import (
    BallFell,
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
from croupier.game.kinds import AS_DETAILED, NO_MORE_BETS, wager_kind, wager_place
from croupier.games.single_draw import Draw, DrawSitting, SingleDraw
from croupier.games.single_draw.play import NO_SPIN, Common, DrawCase
from croupier.games.single_draw.procedure import (
    BETWEEN_SPINS,
    COLLECT,
    COLLECTED,
    PAY,
    PAY_AREA,
    DrawCeremony,
    number_words,
    too_few,
    unlike,
)
from croupier.law.elections import Options, choice
from croupier.law.model import Citer, Law, absent, cites
from croupier.law.officials import DEALER, GAME_SUPERVISOR, LADDER
from croupier.money import Odds, to
from croupier.once import dataclass, once

Numbers: TypeAlias = tuple[int, ...]

ROWS: Final = tuple((n, n + 1, n + 2) for n in range(1, 37, 3))
EVERY_NUMBER: Final = tuple(range(1, 37))
BY_PLACE: Final = ("column", "dozen")  # these are named by their place on the layout, not by their numbers
COURTESY_LINE: Final = "courtesy_line"
CLOCKWISE, ANTICLOCKWISE = "clockwise", "anticlockwise"

CIRCUMSTANCES: Circumstances = listed(
    Circumstance(
        "same_direction",
        "the ball was spun in the direction of the wheel",
        "to: where it came to rest, if it did",
        to=DeclaredField("where it came to rest, if it did"),
        call=one_of("No spin"),
    ),
    Circumstance(
        "foreign_object", "something fell into the wheel before the ball came to rest", call=one_of("No spin")
    ),
    Circumstance(
        "hung_ball", "the ball is balanced and takes too long, or hangs in an air pocket", call=one_of("No spin")
    ),
    Circumstance("ball_out", "the ball left the wheel head", call=one_of("No spin")),
    Circumstance(
        "interference", "somebody interfered with the ball or with the rotation of the wheel", call=one_of("No spin")
    ),
    Circumstance(
        "short_spin_expected",
        "the dealer expects fewer than four turns",
        "call: No spin; uncalled, the spin goes on",
        call=one_of("No spin"),
    ),
    Circumstance("short_spin", "the ball in fact made fewer than four turns", call=one_of("No spin")),
    Circumstance("display_wrong", "the winning number display is wrong or out of order"),
)


@dataclass(frozen=True, slots=True)
class Bet:
    """A kind of wager: the sets of numbers that a chip can mark, what makes it lose, and what it pays."""

    places: tuple[Law[tuple[Numbers, ...]], ...]
    loses: Law[range]
    pays: Law[Odds]


@dataclass(frozen=True, slots=True)
class RouletteRules:
    """The law of the game, with the elections in force; `courtesy_line` are the layouts that have one."""

    # the equipment
    wheel_millimetres: Law[int]
    ball_millimetres: Law[range]
    metallic_ball: Law[bool]
    pockets: Law[Space[int]]
    zero_word: Law[str]
    layout: Law[Options[str]]
    courtesy_line: Law[frozenset[str]]
    display: Law[Options[bool]]
    # the wagers
    permitted: Law[tuple[str, ...]]
    bets: Mapping[str, Bet]
    zero_takes: Law[int]
    common: Common
    # the ceremony
    directions: Law[tuple[str, ...]]
    against: Law[bool]
    turns: Law[int]
    ceremony: DrawCeremony


# ---------------------------------------------------------------- the layout


def rectangles(rows: int, columns: int) -> tuple[Numbers, ...]:
    """Every rectangle of so many rows and columns of the grid, each as its numbers in order."""
    return tuple(
        tuple(ROWS[top + down][left + right] for down in range(rows) for right in range(columns))
        for top in range(len(ROWS) - rows + 1)
        for left in range(len(ROWS[0]) - columns + 1)
    )


@once
def positions(rules: RouletteRules) -> Mapping[str, Numbers]:
    """Every position of the layout by the name of its wager, in the order of the gazette."""
    found: dict[str, Numbers] = {}
    for kind in rules.permitted.value:
        sets = [numbers for law in rules.bets[kind].places for numbers in law.value]
        for index, numbers in enumerate(sets, start=1):
            place = str(index) if kind in BY_PLACE else "-".join(map(str, numbers))
            found[kind if len(sets) == 1 else f"{kind}:{place}"] = numbers
    return found


def locate(rules: RouletteRules, on: str) -> str | Refusal:
    """The proper name of a position; numbers may be given in any order, and zero in words."""
    if on == COURTESY_LINE:
        elected, law = rules.layout.value.elected, rules.courtesy_line
        return "straight:0" if elected in law.value else Refusal(f"layout {elected} has no courtesy line", law.rule)
    kind, place = wager_kind(on), wager_place(on)
    if kind not in rules.permitted.value:
        known = ", ".join(rules.permitted.value)
        return Refusal(f"{on!r:.60} is not a wager here; known are {known}", rules.permitted.rule)
    name = kind if on == kind else f"{kind}:{_in_order(rules, place)}"
    if name in positions(rules):
        return name
    return Refusal(f"{on!r:.60} is no position that one chip can mark", rules.bets[kind].places[0].rule)


def _in_order(rules: RouletteRules, place: str) -> str:
    zero = str(rules.zero_takes.value)
    parts = [zero if part == rules.zero_word.value else part for part in place.split("-")]
    return "-".join(sorted(parts, key=lambda part: (len(part), part)))


# ---------------------------------------------------------------- play


def shown(rules: RouletteRules, fact: Effect) -> int | Refusal | None:
    """The number in whose compartment the ball lies; zero may be told in words."""
    match fact:
        case WheelStopped(symbol=word) if word == rules.zero_word.value:
            return rules.zero_takes.value
        case BallFell(number=number) if number in rules.pockets.value.outcomes:
            return number
        case BallFell(number=number):
            return Refusal("no compartment of the wheel", rules.pockets.rule, on=str(number))
        case _:
            return None


def decide(rules: RouletteRules, wager: Wager, spun: int) -> Wager | Resolution:
    """Won if the position covers the number spun; zero takes all others; any other number those that are not on it."""
    bet = rules.bets[wager_kind(wager.on)]
    if spun in covers(rules, wager.on):
        return Won(bet.pays.value, bet.pays.rule)
    if spun == rules.zero_takes.value:
        return Lost(rules.zero_takes.rule, "zero")
    return Lost(bet.loses.rule) if spun in bet.loses.value else wager


def covers(rules: RouletteRules, on: str) -> Numbers:
    """The numbers that a position marks."""
    kind, place = wager_kind(on), wager_place(on)
    sets = rules.bets[kind].places[0].value
    if kind in BY_PLACE:
        return sets[int(place) - 1]
    return tuple(int(part) for part in place.split("-")) if place else sets[0]


def figures(rules: RouletteRules, number: int | None) -> dict[str, object]:
    return {"number": number, "colour": None if number is None else pocket_colour(number)}


# ---------------------------------------------------------------- the ceremony


def wrong_detail(rules: RouletteRules, sitting: DrawSitting[int], fact: Performed) -> Refusal | None:
    """What is wrong with the number or word recorded with an act, if anything."""
    act, detail, result = fact.act, fact.detail, sitting.draw.result
    match act:
        case "turn wheel" | "spin ball" if detail not in rules.directions.value:
            return unlike(act, detail, rules.directions.value, rules.directions.rule)
        case "spin ball" if rules.against.value and detail == sitting.detail("turn wheel"):
            return Refusal("the ball goes against the wheel: declare the same direction", rules.against.rule)
        case "count turns":
            return too_few(act, detail, rules.turns)
        case "return ball" if sitting.recent:
            return unlike(act, detail, sitting.recent[-1:], rules.ceremony.rule_of(act))
        case "announce" if result is not None:
            return unlike(act, detail, (announcement(result),), rules.ceremony.rule_of(act))
        case "change ball" if detail != "":
            return inspect_ball(rules, str(detail))
        case "place dolly":
            return unlike(act, detail, (result,), rules.ceremony.rule_of(act))
        case "pay area" if result is not None:
            return unlike(act, detail, winning_positions(rules, result), rules.ceremony.rule_of(act))
        case _:
            return None


def usual(rules: RouletteRules, sitting: DrawSitting[int], act: str) -> int | str:
    """What is commonly recorded with an act."""
    one_way, other_way = rules.directions.value
    result = sitting.draw.result
    known: dict[str, int | str | None] = {
        "turn wheel": one_way,
        "spin ball": other_way,
        "count turns": rules.turns.value,
        "return ball": sitting.recent[-1] if sitting.recent else "",
        "announce": None if result is None else announcement(result),
        "place dolly": result,
    }
    return known.get(act) or ("" if known.get(act) is None else 0)


def announcement(number: int) -> str:
    """What the dealer says when the ball has come to rest: number and colour."""
    return f"{number_words(number)}, {pocket_colour(number)}"


def winning_positions(rules: RouletteRules, number: int) -> tuple[str, ...]:
    """Every position that a number makes win."""
    return tuple(name for name, numbers in positions(rules).items() if number in numbers)


# ---------------------------------------------------------------- equipment


def inspect_wheel(rules: RouletteRules, measure: str) -> Refusal | None:
    """Why a wheel of so many millimetres may not be used, if so."""
    least = rules.wheel_millimetres
    fits = measure.isdecimal() and int(measure) >= least.value
    return None if fits else Refusal(f"a wheel of {measure!r:.20} mm: at least {least.value} mm", least.rule)


def inspect_compartments(rules: RouletteRules, order: str) -> Refusal | None:
    """Why a wheel with its numbers in this order, clockwise from any of them, may not be used, if so."""
    due = tuple(map(str, rules.pockets.value.outcomes))
    turned = {due[start:] + due[:start] for start in range(len(due))}
    fits = tuple(order.split("-")) in turned
    return None if fits else Refusal("the compartments are not in the order of the diagram", rules.pockets.rule)


METAL: Final = " metal"


def inspect_ball(rules: RouletteRules, measure: str) -> Refusal | None:
    """Why a ball of so many millimetres may not be used, if so; `20 metal` has metal in it."""
    sizes, metal = rules.ball_millimetres, rules.metallic_ball
    balls = {f"{size}{of}": of for size in sizes.value for of in ("", METAL)}
    if measure not in balls:
        return Refusal(f"a ball of {measure!r:.20} mm: from {sizes.value[0]} to {sizes.value[-1]} mm", sizes.rule)
    return Refusal("a ball with metal in it", metal.rule) if balls[measure] == METAL and not metal.value else None


# ---------------------------------------------------------------- the edition


def nz1996() -> RouletteRules:
    """New Zealand Gazette No. 7 of 26 January 1996, Division III."""
    law = cites("NZ1996-III")
    bets = _bets(law)
    return RouletteRules(
        wheel_millimetres=law(750, "2.1"),
        ball_millimetres=law(range(17, 24), "2.4"),
        metallic_ball=law(False, "2.4"),
        pockets=law(ROULETTE_WHEEL, "2.3", "diag-4", "2.5", "2.5a", "2.5b"),
        zero_word=law("zero", "1.0-def-zero"),
        layout=law(choice("3A", "3B"), "diag-3B"),
        courtesy_line=law(frozenset({"3B"}), "diag-3B"),
        display=law(choice(True, False), "2.6e"),
        permitted=law(tuple(bets), "4.1", "NZ1996-I-14.1a"),
        bets=bets,
        zero_takes=law(0, "5.2"),
        common=_common(law),
        directions=law((CLOCKWISE, ANTICLOCKWISE), "3.1"),
        against=law(True, "3.2"),
        turns=law(4, "3.2"),
        ceremony=_ceremony(law),
    )


def _bets(law: Citer) -> dict[str, Bet]:
    """The thirteen kinds, (a) to (m); zero is dealt with by its own rule, so a wager loses on other numbers only."""
    others = range(1, 37)
    columns = tuple(tuple(row[index] for row in ROWS) for index in range(3))
    dozens = tuple(EVERY_NUMBER[start : start + 12] for start in range(0, 36, 12))

    def inside(pay: str, odds: int, *places: Law[tuple[Numbers, ...]], lost: str) -> Bet:
        return Bet(places, law(others, lost), law(to(odds), f"5.1-pay-{pay}", "5.1", "5.3"))

    def outside(item: str, pay: str, odds: int, *sets: Numbers) -> Bet:
        places = law(sets, item, f"{item}-i")
        return Bet((places,), law(others, f"{item}-ii"), law(to(odds), f"5.1-pay-{pay}", "5.1"))

    def zero(item: str, *sets: Numbers) -> Law[tuple[Numbers, ...]]:
        return law(sets, item)

    return {
        "straight": inside("straight-up", 35, law(((0,), *rectangles(1, 1)), "4.1a", "4.1a-i"), lost="4.1a-ii"),
        "split": inside(
            *("split", 17),
            law((*rectangles(1, 2), *rectangles(2, 1)), "4.1b", "4.1b-i"),
            zero("4.1b-ii", (0, 1), (0, 2), (0, 3)),
            lost="4.1b-iii",
        ),
        "street": inside(
            *("street", 11),
            law(rectangles(1, 3), "4.1c", "4.1c-i"),
            zero("4.1c-ii", (0, 1, 2)),
            zero("4.1c-iii", (0, 2, 3)),
            lost="4.1c-iv",
        ),
        "corner": inside(
            *("corner", 8),
            law(rectangles(2, 2), "4.1d", "4.1d-i"),
            zero("4.1d-ii", (0, 1, 2, 3)),
            lost="4.1d-iii",
        ),
        "six_line": inside("six-line", 5, law(rectangles(2, 3), "4.1e", "4.1e-i"), lost="4.1e-ii"),
        "column": outside("4.1f", "column", 2, *columns),
        "dozen": outside("4.1g", "dozen", 2, *dozens),
        "low": outside("4.1h", "low", 1, tuple(range(1, 19))),
        "high": outside("4.1i", "high", 1, tuple(range(19, 37))),
        "even": outside("4.1j", "even", 1, tuple(range(2, 37, 2))),
        "odd": outside("4.1k", "odd", 1, tuple(range(1, 37, 2))),
        "red": outside("4.1l", "red", 1, tuple(sorted(RED_NUMBERS))),
        "black": outside("4.1m", "black", 1, tuple(sorted({*others} - RED_NUMBERS))),
    }


def _common(law: Citer) -> Common:
    invalid = DrawCase("any time", Remedy.AGAIN, LADDER, voids="spin", then="short_spin")

    def again(then: str, rule: str) -> tuple[Law[DrawCase]]:
        return (law(DrawCase("any time", Remedy.AGAIN, LADDER, NO_SPIN, "spin", then=then), rule),)

    anyway = frozenset({"same_direction", "foreign_object", "hung_ball", "ball_out", "interference"})
    return Common(
        unpredictable=law(NOBODY_KNOWS, "2.5c"),
        closing=law("No more bets", "4.5"),
        settled=law(True, "4.7"),
        over_maximum=law("excess void", "NZ1996-I-14.2b"),
        rounding=law(Rounding.UP, "NZ1996-I-15.3"),
        irregularities={
            "same_direction": again("same_direction", "6.1"),
            "foreign_object": again("foreign_object", "6.2"),
            "hung_ball": again("hung_ball", "6.3"),
            "ball_out": again("ball_out", "6.4"),
            "interference": again("interference", "6.5"),
            "short_spin_expected": again("short_spin_expected", "6.6"),
            "short_spin": (law(invalid, "3.2"),),
            "display_wrong": (law(DrawCase("any time", Remedy.STAND, LADDER), "6.9"),),
        },
        unannounced=law(anyway, "6.7"),
        at_rest=law(anyway | {"short_spin_expected"}, "6.7"),
        unprovided=law(GAME_SUPERVISOR, "NZ1996-I-8.1"),
    )


def _ceremony(law: Citer) -> DrawCeremony:
    back = law(Act("return ball"), "6.8")
    removed = {
        "same_direction": "6.1",
        "foreign_object": "6.2",
        "hung_ball": "6.3",
        "interference": "6.5",
        "short_spin_expected": "6.6",
    }
    return DrawCeremony(
        scripts={
            "spin": (
                law(Act("turn wheel"), "3.1"),
                law(Act("spin ball"), "3.2"),
                law(calling(NO_MORE_BETS.of), "3.3"),
                law(Act("ring bell"), "3.3"),
                law(Act("count turns"), "3.2"),
            ),
            "result": (
                law(Act("announce", kind=AS_DETAILED), "3.4a", "3.4"),
                law(Act("place dolly"), "3.4b"),
                law(Act(COLLECT), "3.5a", "3.5"),
                law(Act(PAY), "3.5b"),
                law(Act("lift dolly"), "4.5"),
            ),
            **{name: (law(Act("remove ball"), rule), back) for name, rule in removed.items()},
            "short_spin": (back,),
            "ball_out": (law(Act("examine ball", GAME_SUPERVISOR), "6.4"), back),
        },
        orders=(
            law(Order(PAY_AREA, (DEALER,), COLLECTED), "3.5b"),
            law(Order("change ball", LADDER, BETWEEN_SPINS), "3.7"),
        ),
        shared={"remove ball": law(LADDER, "6.1")},
        hands_off=law(True, "3.6"),
        opens=absent,
        reopens=law("lift dolly", "4.5"),
        untouched=law(True, "4.8"),
        spins="spin ball",
        own_paid=law(frozenset({"low", "high", "even", "odd", "red", "black", *BY_PLACE}), "4.9"),
    )


DRAW: SingleDraw[RouletteRules, int] = SingleDraw(
    due=lambda rules: Spin(DEALER, rules.turns.rule),
    chances=lambda rules: rules.pockets.value.map(BallFell),
    shown=shown,
    areas=lambda rules: tuple(positions(rules)),
    locate=locate,
    decide=decide,
    figures=figures,
    alike=lambda number: number,
    wrong_detail=wrong_detail,
    usual=usual,
    pays=lambda rules, on: (rules.bets[wager_kind(on)].pays.value,),
    conditions=lambda rules, sitting: {},
    equipment={"wheel": inspect_wheel, "compartments": inspect_compartments, "ball": inspect_ball},
)

ROULETTE: Game[RouletteRules, Draw[int]] = DRAW.game("roulette", {"nz1996": {"roulette": nz1996()}}, CIRCUMSTANCES)
