"""Craps: exact edges by a small absorbing chain over the rules, random play, honest views, and the rows covered."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.equipment import DICE_TWO
from croupier.game import (
    NORMAL,
    Called,
    Choose,
    Chosen,
    DiceFell,
    Fact,
    Irregular,
    Perform,
    Performed,
    Plain,
    Refusal,
    Resolution,
    Roll,
    Sign,
    StandOff,
    Void,
    Wager,
    Won,
)
from croupier.game.kinds import wager_kind
from croupier.games.craps import CRAPS
from croupier.games.craps.layout import CrapsLayout
from croupier.games.craps.rules import OddsBet, named_number
from croupier.law.inventory import ACTIONABLE, exists, rules
from croupier.law.model import laws_in
from croupier.once import replace
from croupier.round import AnyRound, happen, open_round, place, settle
from tests.games.craps.test_cases import RULES, Step, double_odds, step

# What needs the people, chips or accounts of a live table.
OWNED_BY_TABLE = {"NZ1996-X-3.3", "NZ1996-X-3.4", "NZ1996-X-3.9"}

STAKE = 36_000_000


# ---------------------------------------------------------------- exact edges


def worth(resolution: Resolution) -> Fraction:
    """What one unit staked gains."""
    match resolution:
        case Won(odds=odds, part=part):
            return part * odds.fraction - (1 - part)
        case StandOff() | Void():
            return Fraction(0)
        case _:
            return Fraction(-1)


def key_of(layout: CrapsLayout, wager: Wager) -> Hashable:
    return CRAPS.view(RULES, layout), wager.seen


def after_throw(layout: CrapsLayout, wager: Wager, faces: tuple[int, int]) -> tuple[CrapsLayout, Wager | Resolution]:
    assert isinstance(CRAPS.demand(RULES, layout), Roll)
    then = CRAPS.apply(RULES, layout, DiceFell(faces))
    assert isinstance(then, CrapsLayout)
    return then, CRAPS.judge(RULES, wager, layout, DiceFell(faces), then)


def gain(layout: CrapsLayout, wager: Wager) -> Fraction:
    """The expected gain of one unit, commission apart: a linear equation for each position, solved exactly."""
    places: dict[Hashable, int] = {key_of(layout, wager): 0}
    queue, rows = [(layout, wager)], []
    for here in queue:
        row, constant = {places[key_of(*here)]: Fraction(1)}, Fraction(0)
        for faces, weight in zip(DICE_TWO.outcomes, DICE_TWO.weights, strict=True):
            chance = Fraction(weight, sum(DICE_TWO.weights))
            then, result = after_throw(*here, faces)
            if not isinstance(result, Wager):
                constant += chance * worth(result)
                continue
            key = key_of(then, result)
            if key not in places:
                places[key] = len(places)
                queue.append((then, result))
            row[places[key]] = row.get(places[key], Fraction(0)) - chance
        rows.append((row, constant))
    return solve(rows)


def solve(rows: list[tuple[dict[int, Fraction], Fraction]]) -> Fraction:
    """The first unknown of a square system, by elimination from the last row up."""
    for index in range(len(rows) - 1, 0, -1):
        row, constant = rows[index]
        pivot = row.pop(index)
        for other in range(index):
            target, value = rows[other]
            factor = target.pop(index, Fraction(0)) / pivot
            for column, entry in row.items():
                target[column] = target.get(column, Fraction(0)) - factor * entry
            rows[other] = (target, value - factor * constant)
    row, constant = rows[0]
    return constant / row[0]


def start(on: str) -> tuple[CrapsLayout, Wager]:
    """The wager where it can first be made, accepted by the rules as it is placed."""
    layout = CRAPS.begin(RULES, NORMAL)
    bet = RULES.bets[wager_kind(on)]
    wager = Wager(on, STAKE)
    if isinstance(bet, OddsBet):
        number = named_number(on)
        assert number is not None
        base = Wager(bet.base.value, STAKE * 2, number=7, seen=(number,))
        point = number if "pass" in on else 5
        accepted = CRAPS.accept(RULES, Sign(), replace(layout, point=point), (base,), (wager,))
        assert not isinstance(accepted, Refusal)
        return replace(layout, point=point), accepted[0]
    if on in ("come", "dont_come"):
        layout = replace(layout, point=6)
    accepted = CRAPS.accept(RULES, Sign(), layout, (), (wager,))
    assert not isinstance(accepted, Refusal)
    return layout, accepted[0]


def edge(on: str) -> Fraction:
    layout, wager = start(on)
    return Fraction(wager.fee_cents, STAKE) - gain(layout, wager)


EDGES = {
    "pass": "7/495",
    "dont_pass": "3/220",
    "come": "7/495",
    "dont_come": "3/220",
    "pass_odds:4": "0",
    "pass_odds:9": "0",
    "pass_odds:6": "0",
    "dont_pass_behind:10": "0",
    "dont_pass_behind:5": "0",
    "dont_pass_behind:8": "0",
    "come_odds:9": "0",
    "dont_come_behind:4": "0",
    "place:4": "1/15",
    "place:5": "1/25",
    "place:6": "1/66",
    "place:8": "1/66",
    "place:9": "1/25",
    "place:10": "1/15",
    "buy:4": "1/20",
    "buy:6": "1/20",
    "lay:4": "1/40",
    "lay:5": "1/30",
    "lay:6": "1/24",
    "hardway:4": "1/9",
    "hardway:6": "1/11",
    "hardway:8": "1/11",
    "hardway:10": "1/9",
    "big_six": "1/11",
    "big_eight": "1/11",
    "field": "1/18",
    "any_seven": "1/6",
    "any_craps": "1/9",
    "craps_two": "5/36",
    "craps_three": "1/9",
    "craps_twelve": "5/36",
    "eleven": "1/9",
    "horn": "1/8",
    "horn_high:2": "23/180",
    "horn_high:11": "11/90",
    "world": "2/15",
    "c_and_e": "1/9",
}


@pytest.mark.parametrize(("on", "expected"), EDGES.items())
def test_exact_edge(on: str, expected: str) -> None:
    """The known figures, with stand-offs counted, per unit placed; the Field as this gazette pays it."""
    assert edge(on) == Fraction(expected)


def test_come_odds_are_returned_in_part_of_the_rolls_only() -> None:
    """Come odds that are off on come out rolls still cost nothing: they are returned, not lost."""
    layout, wager = start("come_odds:4")
    assert gain(layout, wager) == 0
    assert wager.of == 7


# ---------------------------------------------------------------- the table of part 6

TRUE = {4: "2 to 1", 5: "3 to 2", 6: "6 to 5", 8: "6 to 5", 9: "3 to 2", 10: "2 to 1"}
LAID = {4: "1 to 2", 5: "2 to 3", 6: "5 to 6", 8: "5 to 6", 9: "2 to 3", 10: "1 to 2"}
PRINTED = {
    **{f"{kind}:{n}": odds for kind in ("pass_odds", "come_odds", "buy") for n, odds in TRUE.items()},
    **{f"{kind}:{n}": odds for kind in ("dont_pass_behind", "dont_come_behind", "lay") for n, odds in LAID.items()},
    **dict.fromkeys(("pass", "dont_pass", "come", "dont_come", "big_six", "big_eight"), "1 to 1"),
    "place:4": "9 to 5",
    "place:5": "7 to 5",
    "place:6": "7 to 6",
    "place:8": "7 to 6",
    "place:9": "7 to 5",
    "place:10": "9 to 5",
    "hardway:4": "7 to 1",
    "hardway:6": "9 to 1",
    "hardway:8": "9 to 1",
    "hardway:10": "7 to 1",
    "any_seven": "4 to 1",
    "any_craps": "7 to 1",
    "eleven": "15 to 1",
    "craps_two": "30 to 1",
    "craps_three": "15 to 1",
    "craps_twelve": "30 to 1",
}


@pytest.mark.parametrize(("on", "odds"), PRINTED.items())
def test_6_1_pays_the_printed_odds(on: str, odds: str) -> None:
    """Every line of the table but the Field: however the wager is won, it is at these odds, under its line."""
    layout, wager = start(on)
    won = {result for _, result in wins(layout, wager)}
    assert {str(each.odds) for each in won} == {odds}
    for each in won:
        assert each.part == 1
        assert each.rule.startswith("NZ1996-X-6.1-pay-")


def test_6_1_pays_the_field() -> None:
    layout, wager = start("field")
    paid = {sum(faces): str(result.odds) for faces, result in wins(layout, wager)}
    single = dict.fromkeys((3, 4, 9, 10, 11), "1 to 1")
    assert paid == {2: "2 to 1", 12: "2 to 1", **single}


def wins(layout: CrapsLayout, wager: Wager) -> list[tuple[tuple[int, int], Won]]:
    """Every way to win: the last throw of it, from each position that can be reached."""
    seen, queue, found = {key_of(layout, wager)}, [(layout, wager)], []
    for here in queue:
        for faces in DICE_TWO.outcomes:
            then, result = after_throw(*here, faces)
            if isinstance(result, Won):
                found.append((faces, result))
            if isinstance(result, Wager) and key_of(then, result) not in seen:
                seen.add(key_of(then, result))
                queue.append((then, result))
    return found


# ---------------------------------------------------------------- random play

NAMES = CRAPS.wagers(RULES)
WHO = st.sampled_from(["", "seat 1", "seat 2"])
STAFF = st.sampled_from(
    ["", "stickperson", "dealer", "game supervisor", "casino supervisor", "shift manager", "seat 1"]
)
FACES = st.tuples(st.integers(1, 6), st.integers(1, 6))
ODD_FACES = st.lists(st.integers(0, 7), max_size=3).map(tuple)
TEXTS = st.sampled_from(
    ["", "no_roll", "No roll", "void", "4-4", "3-r2", "r1-r1", "2", "1", "x", "7-7", "delay", "breach"]
)
AMOUNTS = st.sampled_from([0, 1, 100, 400, 500, 1000, 1200, 2000])
ACTS = st.sampled_from(
    [
        "release",
        "rest",
        "confirm_wager",
        "call",
        "overrule",
        "no_roll",
        "reason",
        "order_pass",
        "no_taker",
        "stickperson_throws",
        "dice_lost",
        "notify_government_inspector",
        "replace_dice",
        "dance",
    ]
)
ON = st.sampled_from([*NAMES, "place", "dont_come:9", "place:6 only", "", "hop", "place:7", "horn_high"])


def wager_steps() -> st.SearchStrategy[Step]:
    return st.builds(
        Wager,
        on=ON,
        stake_cents=AMOUNTS.filter(bool),
        by=WHO,
        fee_cents=st.sampled_from([0, 0, 0, 5]),
        seen=st.sampled_from([(), (), (), (100,), (6,), ("on",)]),
    )


def fact_steps() -> st.SearchStrategy[Step]:
    return st.one_of(
        FACES.map(DiceFell),
        FACES.map(DiceFell),
        ODD_FACES.map(DiceFell),
        st.builds(Called, st.sampled_from(["take", "on", "off", "sing"]), WHO, ON, AMOUNTS),
        st.builds(Chosen, st.sampled_from(["accept_dice", "decline_dice", "pass_dice", "hit"]), WHO),
        st.builds(Performed, ACTS, STAFF, TEXTS),
        st.builds(Irregular, st.sampled_from([*CRAPS.circumstances, "fog"]), to=TEXTS, call=TEXTS, by=STAFF),
    )


STEPS = st.lists(st.one_of(wager_steps(), fact_steps()), max_size=40)
SIGNS = st.sampled_from([Sign(), Sign(chip=100), Sign(chip=100, maximum=1100)])


def walk(steps: list[Step], sign: Sign, chosen: object = RULES) -> tuple[AnyRound, list[Step]]:
    """The table after what the rules allowed of these steps, and that."""
    this: AnyRound = open_round(CRAPS, chosen, sign=sign)
    allowed: list[Step] = []
    for what in steps:
        after = step(this, what)
        if isinstance(after, Refusal):
            assert exists(after.rule), after
            assert after.reason
            continue
        this = after
        allowed.append(what)
    return this, allowed


def finish(this: AnyRound) -> AnyRound:
    """Play on until every wager is decided: all called on, then throws by whoever may throw."""
    faces = [(4, 4), (3, 4)]
    for by in ("", "seat 1", "seat 2"):
        this = go_on(this, Called("on", by))
    for turn in range(200):
        if not this.standing:
            return this
        this = go_on(this, *_closing(this, faces[turn % 2]))
    raise AssertionError(f"still open: {this.standing} in {this.state}")


def _closing(this: AnyRound, faces: tuple[int, int]) -> tuple[Fact, ...]:
    match this.due:
        case Perform(act=act, by=by):
            return (Performed(act, by),)
        case Choose():
            return (Performed("no_taker"), Performed("stickperson_throws"))
        case _:
            said = this.state.call.faces if this.state.call else ()
            taken_away = Performed("order_pass", "game supervisor", "breach")
            alone = this.state.shooter not in ("", "stickperson")
            return (taken_away,) if alone else (DiceFell(said or faces),)


def go_on(this: AnyRound, *facts: Fact) -> AnyRound:
    for fact in facts:
        after = happen(this, fact)
        this = this if isinstance(after, Refusal) else after
    return this


@settings(max_examples=400, deadline=None)
@given(STEPS, SIGNS, st.sampled_from(["single", "double"]))
def test_random_play_keeps_its_books(steps: list[Step], sign: Sign, odds: str) -> None:
    """No exception; money within its bounds; one resolution each at the end; the same again when replayed."""
    chosen = double_odds() if odds == "double" else RULES
    this, allowed = walk(steps, sign, chosen)
    again, _ = walk(allowed, sign, chosen)
    assert again == this
    ended = finish(this)
    assert not ended.standing
    for entry in ended.book:
        assert entry.resolution is not None
        assert exists(entry.resolution.rule)
        wager = entry.wager
        line = settle(entry, CRAPS.rounding(RULES), sign.chip)
        placed = wager.stake_cents + wager.voided_cents
        assert 0 <= wager.voided_cents <= line.returned_cents <= placed + wager.fee_cents + line.pays_cents
        assert (line.pays_cents > 0) == (line.result == "won")
        assert wager.fee_cents == 0 or wager_kind(wager.on) in ("buy", "lay")


@settings(max_examples=200, deadline=None)
@given(STEPS, st.lists(fact_steps(), min_size=1, max_size=8))
def test_layouts_with_equal_views_behave_alike(steps: list[Step], facts: list[Plain]) -> None:
    """The record of the last throw is all that a view leaves out; nothing that follows depends on it."""
    this, _ = walk(steps, Sign())
    state = this.state
    other = replace(state, last=(1, 1), seven_out=not state.seven_out)
    assert CRAPS.view(RULES, state) == CRAPS.view(RULES, other)
    assert CRAPS.demand(RULES, state) == CRAPS.demand(RULES, other)
    for fact in facts:
        assert CRAPS.stakes(RULES, state, this.standing, fact) == CRAPS.stakes(RULES, other, this.standing, fact)
        first, second = CRAPS.apply(RULES, state, fact), CRAPS.apply(RULES, other, fact)
        if isinstance(first, Refusal) or isinstance(second, Refusal):
            assert first == second
            continue
        assert CRAPS.view(RULES, first) == CRAPS.view(RULES, second)
        for wager in this.standing:
            assert CRAPS.judge(RULES, wager, state, fact, first) == CRAPS.judge(RULES, wager, other, fact, second)


def test_views_of_plain_play_are_the_seven_points() -> None:
    layouts = {CRAPS.view(RULES, CRAPS.begin(RULES, NORMAL)): CRAPS.begin(RULES, NORMAL)}
    queue = list(layouts.values())
    for layout in queue:
        for faces in DICE_TWO.outcomes:
            then = CRAPS.apply(RULES, layout, DiceFell(faces))
            assert isinstance(then, CrapsLayout)
            if CRAPS.view(RULES, then) not in layouts:
                layouts[CRAPS.view(RULES, then)] = then
                queue.append(then)
    assert sorted(layout.point for layout in layouts.values()) == [0, 4, 5, 6, 8, 9, 10]


# ---------------------------------------------------------------- rows


def test_every_row_of_the_division_is_cited_or_the_tables() -> None:
    cited = {rule for _, law in laws_in(RULES) for rule in law.rules}
    due = {row.id for row in rules("nz1996") if row.id.startswith("NZ1996-X-") and row.software in ACTIONABLE}
    assert due - cited == OWNED_BY_TABLE
    assert [rule for rule in cited if not exists(rule)] == []


def test_place_accepts_nothing_unknown() -> None:
    assert isinstance(place(open_round(CRAPS, RULES), (Wager("hop:6", 100),)), Refusal)
