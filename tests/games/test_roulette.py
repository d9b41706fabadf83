"""Roulette, Division III: positions, payouts, the wheel and the chips."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.equipment import RED_NUMBERS, pocket_colour
from croupier.game import (
    BallFell,
    Called,
    DiceFell,
    Fact,
    Lost,
    Over,
    Sign,
    Spin,
    Wager,
    WheelStopped,
    Won,
)
from croupier.games.roulette import (
    DRAW,
    ROULETTE,
    covers,
    locate,
    positions,
)
from croupier.games.single_draw import Draw
from croupier.law.areas import nz1996_layouts
from croupier.law.elections import elect
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
    placed,
    read_cases,
    refused,
    rules_of,
    signs,
    wagers_of,
)

CALL = Called("No more bets", "dealer")


# ---------------------------------------------------------------- the law


def test_every_rule_cited_exists_and_only_unpredictability_is_left_to_the_table() -> None:
    cited = {rule for _, law in laws_in(rules_of(ROULETTE)) for rule in law.rules}
    assert [rule for rule in cited if not exists(rule)] == []
    due = {rule.id for rule in rules("nz1996") if division(rule.id) == "III" and actionable(rule)}
    layout = {rule for _, law in laws_in(nz1996_layouts()["roulette", "roulette"]) for rule in law.rules}
    assert due - cited - layout == set()


@pytest.mark.parametrize("line", read_cases("roulette"), ids=str)
def test_case(line: Line) -> None:
    check_case(ROULETTE, line)


# ---------------------------------------------------------------- positions (4.1)


def test_4_1_there_are_157_positions() -> None:
    kinds = Counter(name.partition(":")[0] for name in ROULETTE.wagers(rules_of(ROULETTE)))
    assert [kinds[kind] for kind in ("straight", "split", "street", "corner", "six_line")] == [37, 60, 14, 23, 11]
    assert [kinds[kind] for kind in ("column", "dozen")] == [3, 3]
    assert sum(kinds.values()) == 157
    assert list(kinds) == [
        *("straight", "split", "street", "corner", "six_line", "column", "dozen"),
        *("low", "high", "even", "odd", "red", "black"),
    ]


def test_4_1_every_kind_is_listed_from_low_to_high_and_zero_last() -> None:
    law = rules_of(ROULETTE)
    for kind in ("straight", "split", "street", "corner", "six_line"):
        for places in law.bets[kind].places:
            straight_on = [numbers for numbers in places.value if numbers[-1] - numbers[0] < 3 or len(numbers) > 2]
            upright = [numbers for numbers in places.value if numbers not in straight_on]
            assert list(places.value) == sorted(straight_on) + sorted(upright)


def test_4_1_outside_wagers_cover_these_numbers_in_order() -> None:
    law = rules_of(ROULETTE)
    found = {name: numbers for name, numbers in positions(law).items() if len(numbers) >= 12}
    assert all(list(numbers) == sorted(numbers) for numbers in found.values())
    assert [found[f"dozen:{n}"][0] for n in (1, 2, 3)] == [1, 13, 25]
    assert [found[f"column:{n}"] for n in (1, 2, 3)] == [tuple(range(n, 37, 3)) for n in (1, 2, 3)]
    assert [len(numbers) for numbers in found.values()] == [12] * 6 + [18] * 6


def test_4_1_every_wager_is_decided_by_every_number() -> None:
    law = rules_of(ROULETTE)
    this = placed(open_round(ROULETTE, law), *(Wager(on, 100) for on in ROULETTE.wagers(law)))
    assert {bet.loses.value for bet in law.bets.values()} == {range(1, 37)}
    for number in range(37):
        ended = happened(this, BallFell(number))
        for entry in ended.book:
            bet = law.bets[entry.wager.on.partition(":")[0]]
            assert isinstance(entry.resolution, Won) == (number in covers(law, entry.wager.on))
            if isinstance(entry.resolution, Lost):
                carries(entry.resolution, bet.loses.rule if number else "NZ1996-III-5.2")
            else:
                assert isinstance(entry.resolution, Won)


def test_4_1_the_positions_are_those_of_a_chip_on_the_drawn_layout() -> None:
    """A second way to the same positions: where a chip may lie on the lines and crossings of the drawing."""
    place = {row * 3 + column + 1: (column, row) for row in range(12) for column in range(3)}

    def near(a: int, b: int) -> bool:
        return sum(abs(p - q) for p, q in zip(place[a], place[b], strict=True)) == 1

    splits = {(a, b) for a in place for b in place if a < b and near(a, b)} | {(0, 1), (0, 2), (0, 3)}
    corners = {(n, n + 1, n + 3, n + 4) for n in range(1, 33) if n % 3} | {(0, 1, 2, 3)}
    streets = {(n, n + 1, n + 2) for n in range(1, 37, 3)} | {(0, 1, 2), (0, 2, 3)}
    lines = {tuple(range(n, n + 6)) for n in range(1, 33, 3)}
    found = positions(rules_of(ROULETTE))
    assert {numbers for name, numbers in found.items() if name.startswith("split:")} == splits
    assert {numbers for name, numbers in found.items() if name.startswith("corner:")} == corners
    assert {numbers for name, numbers in found.items() if name.startswith("street:")} == streets
    assert {numbers for name, numbers in found.items() if name.startswith("six_line:")} == lines


@given(st.lists(st.integers(0, 38), min_size=1, max_size=7), st.sampled_from(["straight", "split", "street", "corner"]))
def test_4_1_a_set_of_numbers_is_accepted_only_if_it_is_a_position(numbers: list[int], kind: str) -> None:
    found = locate(rules_of(ROULETTE), f"{kind}:{'-'.join(map(str, numbers))}")
    legal = {tuple(s) for name, s in positions(rules_of(ROULETTE)).items() if name.startswith(f"{kind}:")}
    assert (tuple(sorted(numbers)) in legal) == isinstance(found, str)
    if isinstance(found, str):
        assert covers(rules_of(ROULETTE), found) == tuple(sorted(numbers))


@pytest.mark.parametrize(
    "on", ["", ":", "split", "split:", "split:-", "split:1-", "column:two", "red:", "straight:1-1"]
)
def test_4_1_nonsense_is_refused_in_one_line(on: str) -> None:
    refusal = refused(locate(rules_of(ROULETTE), on))
    assert "\n" not in refusal.reason
    assert repr(on) in refusal.reason


def test_every_name_is_its_own_position_and_covers_its_numbers() -> None:
    for name, numbers in positions(rules_of(ROULETTE)).items():
        assert locate(rules_of(ROULETTE), name) == name
        assert covers(rules_of(ROULETTE), name) == numbers


def test_diag_3b_has_a_courtesy_line_for_zero() -> None:
    with_line = elect(rules_of(ROULETTE), {"layout": "3B"})
    this = placed(open_round(ROULETTE, with_line), Wager("courtesy_line", 1000))
    assert happened(this, BallFell(0)).book[0].wager.on == "straight:0"
    carries(won(happened(this, BallFell(0)).book[0].resolution), "NZ1996-III-5.1-pay-straight-up")
    carries(refused(locate(rules_of(ROULETTE), "courtesy_line")), "NZ1996-III-diag-3B")


def won(resolution: object) -> Won:
    assert isinstance(resolution, Won)
    return resolution


# ---------------------------------------------------------------- odds (5.1)


def test_5_1_every_position_has_the_same_edge() -> None:
    assert {edge(ROULETTE, DRAW, on) for on in ROULETTE.wagers(rules_of(ROULETTE))} == {Fraction(1, 37)}


def test_5_1_odds_plus_one_times_numbers_covered_is_36() -> None:
    law = rules_of(ROULETTE)
    for name, numbers in positions(law).items():
        pays = law.bets[name.partition(":")[0]].pays
        assert (pays.value.fraction + 1) * len(numbers) == 36


def test_5_2_zero_takes_all_but_the_nine_positions_with_zero() -> None:
    law = rules_of(ROULETTE)
    this = placed(open_round(ROULETTE, law), *(Wager(on, 1000) for on in ROULETTE.wagers(law)))
    ended = happened(this, BallFell(0))
    winners = [entry.wager.on for entry in ended.book if isinstance(entry.resolution, Won)]
    assert winners == [
        *("straight:0", "split:0-1", "split:0-2", "split:0-3", "street:0-1-2", "street:0-2-3", "corner:0-1-2-3"),
    ]
    for entry in ended.book:
        if isinstance(entry.resolution, Lost):
            carries(entry.resolution, "NZ1996-III-5.2")


def test_red_and_black_are_the_colours_of_the_wheel() -> None:
    law = rules_of(ROULETTE)
    for number in range(1, 37):
        assert (number in covers(law, "red")) == (pocket_colour(number) == "red")
        assert (number in covers(law, "black")) == (pocket_colour(number) == "black")


# ---------------------------------------------------------------- the wheel (2.1-2.5, 3.2, 4.7)


def test_2_3_the_wheel_has_37_compartments_in_alternate_colours() -> None:
    order = rules_of(ROULETTE).pockets.value.outcomes
    assert sorted(order) == list(range(37))
    assert order[0] == 0
    assert {order[1], order[-1]} == {26, 32}
    colours = [pocket_colour(number) for number in order[1:]]
    assert all(here != there for here, there in pairwise(colours))
    assert sum(RED_NUMBERS) == 332


@pytest.mark.parametrize(("number", "fits"), [(-1, False), (0, True), (1, True), (35, True), (36, True), (37, False)])
def test_2_3_the_ball_falls_on_a_number_of_the_wheel(number: int, fits: bool) -> None:  # noqa: FBT001
    answer = ROULETTE.apply(rules_of(ROULETTE), Draw(), BallFell(number))
    if fits:
        assert answer == Draw(number, closed=True)
    else:
        carries(refused(answer), "NZ1996-III-2.3")


def test_1_0_zero_is_the_figure_and_the_word() -> None:
    law = rules_of(ROULETTE)
    assert ROULETTE.apply(law, Draw(), WheelStopped("zero")) == ROULETTE.apply(law, Draw(), BallFell(0))
    carries(refused(ROULETTE.apply(law, Draw(), WheelStopped("double zero"))), "NZ1996-III-3.2")


def test_3_2_the_spin_is_due_and_nothing_else() -> None:
    law = rules_of(ROULETTE)
    assert ROULETTE.demand(law, Draw()) == Spin("dealer", "NZ1996-III-3.2")
    carries(refused(ROULETTE.apply(law, Draw(), DiceFell((1, 2, 3)))), "NZ1996-III-3.2")
    assert ROULETTE.outcome(law, Draw()) == {"number": None, "colour": None, "void": False}


def test_4_7_the_result_ends_the_game_and_settles_by_recorded_position() -> None:
    this = placed(open_round(ROULETTE, rules_of(ROULETTE)), Wager("black", 1000), Wager("straight:20", 1000))
    ended = happened(this, BallFell(17))
    assert ended.due == Over("NZ1996-III-4.7")
    assert ended.over
    assert dict(ROULETTE.outcome(ended.rules, ended.state)) == {"number": 17, "colour": "black", "void": False}
    assert [type(entry.resolution) for entry in ended.book] == [Won, Lost]
    carries(refused(place(ended, (Wager("straight:17", 1000),))), "NZ1996-III-4.5")
    carries(refused(happen(ended, BallFell(20))), "NZ1996-III-4.7")


# ---------------------------------------------------------------- amounts


def test_i_14_2b_what_is_above_the_maximum_is_void() -> None:
    for stake, valid in ((49_999, 49_999), (50_000, 50_000), (50_001, 50_000), (65_000, 50_000)):
        this = placed(open_round(ROULETTE, rules_of(ROULETTE), sign=Sign(maximum=50_000)), Wager("red", stake))
        wager = this.book[0].wager
        assert (wager.stake_cents, wager.voided_cents) == (valid, stake - valid)
        if stake > valid:
            assert wager.void_rule == "NZ1996-I-14.2b"
        money = settle(happened(this, BallFell(32)).book[0], ROULETTE.rounding(this.rules), 1)
        assert (money.pays_cents, money.returned_cents) == (valid, stake + valid)


def test_i_15_3_winnings_go_up_to_the_next_chip() -> None:
    this = placed(open_round(ROULETTE, rules_of(ROULETTE), sign=Sign(chip=500)), Wager("red", 250))
    money = settle(happened(this, BallFell(32)).book[0], ROULETTE.rounding(this.rules), 500)
    assert (money.pays_cents, money.returned_cents) == (500, 750)


def test_4_5_a_wager_is_taken_down_whole_by_its_owner_before_the_call() -> None:
    this = placed(
        open_round(ROULETTE, rules_of(ROULETTE)), Wager("red", 1000, by="seat 1"), Wager("red", 500, by="seat 2")
    )
    down = happened(this, Called("take", "seat 1", "red"))
    assert [entry.resolution is None for entry in down.book] == [False, True]
    for take in (
        Called("take", "seat 3", "red"),
        Called("take", "seat 1", "black"),
        Called("take", "seat 1", "red", 500),
    ):
        carries(refused(happen(this, take)), "NZ1996-III-4.5")
    carries(refused(happen(happened(this, CALL), Called("take", "seat 1", "red"))), "NZ1996-III-4.5")
    carries(refused(happen(happened(this, CALL), CALL)), "NZ1996-III-4.5")


# ---------------------------------------------------------------- whole games


FACTS = facts_of(DRAW, ROULETTE)
MOVES = st.lists(st.tuples(wagers_of(DRAW, ROULETTE), FACTS), max_size=8)


@given(signs(), MOVES)
def test_random_rounds_settle_once_and_replay(sign: Sign, moves: list[tuple[tuple[Wager, ...], Fact]]) -> None:
    check_walk(ROULETTE, DRAW, sign, moves)


@settings(max_examples=20)
@given(st.lists(FACTS, max_size=10))
def test_states_with_equal_views_behave_alike(moves: list[Fact]) -> None:
    check_views(ROULETTE, DRAW, moves)
