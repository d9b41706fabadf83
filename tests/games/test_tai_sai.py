"""Tai-sai, Division VI: fifty areas, their odds, the dice and the chips."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.game import (
    DiceFell,
    Fact,
    Lost,
    Over,
    Refusal,
    Sign,
    Wager,
    Won,
)
from croupier.games.single_draw import Draw
from croupier.games.tai_sai import DRAW, TAI_SAI
from croupier.games.tai_sai.bets import lit, locate, pays
from croupier.games.tai_sai.procedure import inspect_die
from croupier.games.tai_sai.rules import Faces
from croupier.law.areas import nz1996_layouts
from croupier.law.inventory import actionable, division, exists, rules
from croupier.law.model import laws_in
from croupier.round import happen, open_round, place, settle
from tests.helpers.observe import carries
from tests.helpers.single_draw import (
    Line,
    check_case,
    check_views,
    check_walk,
    edge,
    facts_of,
    happened,
    net_of,
    placed,
    read_cases,
    refused,
    rules_of,
    signs,
    wagers_of,
)

ROLLS = tuple(product(range(1, 7), repeat=3))


# ---------------------------------------------------------------- the law


def test_every_rule_cited_exists_and_only_unpredictability_is_left_to_the_table() -> None:
    cited = {rule for _, law in laws_in(rules_of(TAI_SAI)) for rule in law.rules}
    assert [rule for rule in cited if not exists(rule)] == []
    due = {rule.id for rule in rules("nz1996") if division(rule.id) == "VI" and actionable(rule)}
    layout = {rule for _, law in laws_in(nz1996_layouts()["tai_sai", "tai_sai"]) for rule in law.rules}
    assert due - cited - layout == set()


@pytest.mark.parametrize("line", read_cases("tai_sai"), ids=str)
def test_case(line: Line) -> None:
    check_case(TAI_SAI, line)


# ---------------------------------------------------------------- the layout (2.3, 2.4, 3.1)


def areas() -> list[str]:
    return [
        "small",
        *(f"double:{n}" for n in range(1, 7)),
        *(f"triple:{n}" for n in range(1, 7)),
        *("any_triple", "big"),
        *(f"total:{n}" for n in range(4, 18)),
        *(f"combination:{low}-{high}" for low, high in combinations(range(1, 7), 2)),
        *(f"face:{n}" for n in range(1, 7)),
    ]


def test_2_3_the_layout_marks_fifty_areas_in_order() -> None:
    law = rules_of(TAI_SAI)
    assert list(TAI_SAI.wagers(law)) == areas()
    assert len(areas()) == 50
    assert law.permitted.value == {name.partition(":")[0] for name in areas()}


def test_2_3_the_odds_marked_are_the_odds_paid() -> None:
    law = rules_of(TAI_SAI)
    marked = {area: ", ".join(map(str, pays(law, area))) for area in areas()}
    paid: dict[str, set[str]] = {}
    for area, faces in product(marked, ROLLS):
        net = net_of(TAI_SAI, area, DiceFell(faces))
        if net > 0:
            paid.setdefault(area, set()).add(f"{net} to 1")
    assert {area: set(odds.split(", ")) for area, odds in marked.items()} == paid
    assert marked["face:1"] == "1 to 1, 2 to 1, 12 to 1"


@pytest.mark.parametrize(
    "on", ["", ":", "total", "total:", "total:4-5", "small:", "combination:1", "combination:1-2-3", "face:x"]
)
def test_3_1_nonsense_is_refused_in_one_line(on: str) -> None:
    refusal = refused(locate(rules_of(TAI_SAI), on))
    assert "\n" not in refusal.reason
    assert repr(on) in refusal.reason


def test_2_4_all_winning_areas_are_lit() -> None:
    law = rules_of(TAI_SAI)
    expected = ("small", "double:2", "total:8", "combination:2-4", "face:2", "face:4")
    assert lit(law, (2, 2, 4)) == lit(law, (4, 2, 2)) == expected
    for faces in ROLLS:
        won = {area for area in areas() if net_of(TAI_SAI, area, DiceFell(faces)) > 0}
        assert set(lit(law, faces)) == won


# ---------------------------------------------------------------- odds (4.0)

EDGES = {
    "small": Fraction(1, 36),
    "big": Fraction(1, 36),
    "triple": Fraction(35, 216),
    "double": Fraction(1, 9),
    "any_triple": Fraction(1, 9),
    "combination": Fraction(1, 36),
    "face": Fraction(1, 27),
}
TOTAL_EDGES = {
    4: Fraction(1, 8),
    5: Fraction(1, 9),
    6: Fraction(13, 108),
    7: Fraction(7, 72),
    8: Fraction(1, 8),
    9: Fraction(2, 27),
    10: Fraction(1, 8),
}


@pytest.mark.parametrize("area", areas())
def test_4_0_the_edge_of_every_area(area: str) -> None:
    kind, _, place = area.partition(":")
    total = int(place) if kind == "total" else 0
    expected = TOTAL_EDGES[min(total, 21 - total)] if kind == "total" else EDGES[kind]
    assert edge(TAI_SAI, DRAW, area) == expected


def independent(area: str, faces: Faces) -> int:
    """What an area nets per unit, written from the table of odds without the rules object."""
    low, middle, high = sorted(faces)
    total, triple = low + middle + high, low == high
    kind, _, place = area.partition(":")
    match kind:
        case "small":
            return 1 if 4 <= total <= 10 and not triple else -1
        case "big":
            return 1 if 11 <= total <= 17 and not triple else -1
        case "triple":
            return 180 if triple and low == int(place) else -1
        case "any_triple":
            return 31 if triple else -1
        case "double":
            return 11 if middle == int(place) and middle in (low, high) else -1
        case "total":
            odds = dict(zip(range(4, 18), (62, 31, 18, 12, 8, 7, 6, 6, 7, 8, 12, 18, 31, 62), strict=True))
            return odds[total] if total == int(place) else -1
        case "combination":
            return 6 if {int(number) for number in place.split("-")} <= set(faces) else -1
        case _:
            return {0: -1, 1: 1, 2: 2, 3: 12}[faces.count(int(place))]


def test_4_0_all_216_results_on_all_fifty_areas() -> None:
    law = rules_of(TAI_SAI)
    this = placed(open_round(TAI_SAI, law), *(Wager(on, 100) for on in areas()))
    assert {bet.loses.value for bet in law.bets.values()} == {range(3, 19)}
    for faces in ROLLS:
        for entry in happened(this, DiceFell(faces)).book:
            money = settle(entry, TAI_SAI.rounding(law), 1)
            assert money.net_cents(100) == 100 * independent(entry.wager.on, faces)
            assert isinstance(entry.resolution, Won | Lost)


def test_3_1h_a_single_number_wins_in_three_ways() -> None:
    law, ways = rules_of(TAI_SAI), Counter[str]()
    for faces in ROLLS:
        after = TAI_SAI.apply(law, Draw(), DiceFell(faces))
        assert not isinstance(after, Refusal)
        result = TAI_SAI.judge(law, Wager("face:5", 100), Draw(), DiceFell(faces), after)
        assert isinstance(result, Won | Lost)
        ways[result.result] += 1
    assert ways == {"one die": 75, "two dice": 15, "three dice": 1, "lose": 125}


# ---------------------------------------------------------------- the dice (2.5e, 2.6, 3.2, 3.3)


@pytest.mark.parametrize(
    ("faces", "rule"),
    [
        ((1, 2), "2.5e"),
        ((1, 2, 3, 4), "3.3"),
        ((1, 2, 7), "2.5e"),
        ((0, 2, 3), "2.5e"),
        ((), "2.5e"),
        ((1,) * 6, "3.3"),
    ],
)
def test_3_3_one_face_of_each_of_three_dice(faces: Faces, rule: str) -> None:
    carries(refused(TAI_SAI.apply(rules_of(TAI_SAI), Draw(), DiceFell(faces))), f"NZ1996-VI-{rule}")


def test_3_3_faces_from_one_to_six_are_taken() -> None:
    for faces in ((1, 1, 1), (6, 6, 6), (2, 5, 6)):
        assert TAI_SAI.apply(rules_of(TAI_SAI), Draw(), DiceFell(faces)) == Draw(faces, closed=True)


def test_2_5e_opposite_faces_sum_to_seven() -> None:
    law = rules_of(TAI_SAI)
    assert inspect_die(law, "1-6,2-5,3-4") is None
    for wrong in ("1-5,2-6,3-4", "1-6,2-5,3-3", "0-7,2-5,3-4", "1-6,2-5", "1-2-4,3-5-6", ""):
        carries(refused(inspect_die(law, wrong)), "NZ1996-VI-2.5e")


def test_3_8_the_uppermost_faces_decide_by_recorded_area() -> None:
    law = rules_of(TAI_SAI)
    this = happened(placed(open_round(TAI_SAI, law), Wager("total:13", 1000)), DiceFell((2, 5, 6)))
    assert this.due == Over("NZ1996-VI-3.8")
    assert settle(this.book[0], TAI_SAI.rounding(law), 1).pays_cents == 8_000
    assert dict(TAI_SAI.outcome(law, this.state)) == {
        "dice": [2, 5, 6],
        "total": 13,
        "call": "two, five, six; total thirteen",
        "void": False,
    }
    carries(refused(place(this, (Wager("total:13", 1000),))), "NZ1996-VI-3.9")
    carries(refused(happen(this, DiceFell((1, 1, 1)))), "NZ1996-VI-3.8")


def test_i_14_2b_and_i_15_3_above_the_maximum_and_below_a_chip() -> None:
    law, sign = rules_of(TAI_SAI), Sign(chip=500, maximum=10_000)
    this = happened(placed(open_round(TAI_SAI, law, sign=sign), Wager("small", 10_001)), DiceFell((1, 2, 3)))
    assert (this.book[0].wager.voided_cents, this.book[0].wager.void_rule) == (1, "NZ1996-I-14.2b")
    exact = placed(open_round(TAI_SAI, law, sign=sign), Wager("small", 10_000), Wager("small", 250))
    assert exact.book[0].wager.voided_cents == 0
    money = settle(happened(exact, DiceFell((1, 2, 3))).book[1], TAI_SAI.rounding(law), 500)
    assert money.pays_cents == 500


# ---------------------------------------------------------------- chips (2.5a, 3.4, 3.5)


# ---------------------------------------------------------------- whole games


FACTS = facts_of(DRAW, TAI_SAI)


@given(signs(), st.lists(st.tuples(wagers_of(DRAW, TAI_SAI), FACTS), max_size=8))
def test_random_rounds_settle_once_and_replay(sign: Sign, moves: list[tuple[tuple[Wager, ...], Fact]]) -> None:
    check_walk(TAI_SAI, DRAW, sign, moves)


@settings(max_examples=30)
@given(st.lists(FACTS, max_size=10))
def test_states_with_equal_views_behave_alike(moves: list[Fact]) -> None:
    check_views(TAI_SAI, DRAW, moves)
