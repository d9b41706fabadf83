"""The money wheel, Division VII: symbols, odds, void spins, and the ceremony round the wheel."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier import equipment
from croupier.game import (
    BallFell,
    Called,
    Fact,
    Irregular,
    Over,
    Performed,
    Refusal,
    Remedy,
    Ruling,
    Sign,
    Spin,
    Wager,
    WheelStopped,
    Won,
)
from croupier.games.money_wheel import (
    CIRCUMSTANCES,
    DRAW,
    MONEY_WHEEL,
    inspect_rim,
    inspect_symbols,
    inspect_wheel,
)
from croupier.games.single_draw import Draw, DrawSitting
from croupier.games.single_draw.procedure import COLLECT, PAY, PAY_AREA, may_bet, may_touch, next_game
from croupier.law.areas import nz1996_layouts
from croupier.law.inventory import actionable, division, exists, rules
from croupier.law.model import laws_in
from croupier.once import replace
from croupier.round import happen, open_round, place, settle
from tests.helpers.observe import carries
from tests.helpers.rulings import ruling_on
from tests.helpers.single_draw import (
    Line,
    acted,
    check_case,
    check_playthrough,
    check_sitting,
    check_views,
    check_walk,
    dues,
    edge,
    facts_of,
    happened,
    new_game,
    placed,
    playthrough,
    read_cases,
    refused,
    rules_of,
    signs,
    sitting_after,
    wagers_of,
)

CLOSING = (Performed("call No more bets", "dealer"), Performed("ring bell", "dealer"))
HELD = (Performed("take hold", "dealer", "rim"), Performed("spin wheel", "dealer", "clockwise"))
SPUN = (*CLOSING, *HELD, Performed("count turns", "dealer", 4))
SETTLED = (Performed(COLLECT, "dealer"), Performed(PAY, "dealer"))
VOIDED = {
    "interference": "6.1",
    "unbalanced": "6.1",
    "mechanical_fault": "6.1",
    "on_peg": "6.2",
    "short_spin": "6.3",
}


def sat(*facts: Fact) -> DrawSitting[str]:
    return acted(DRAW, rules_of(MONEY_WHEEL), DrawSitting(), *facts)


def no(sitting: DrawSitting[str], fact: Fact) -> Refusal:
    return refused(sitting_after(DRAW, rules_of(MONEY_WHEEL), sitting, fact))


def ruling(it: Irregular) -> Ruling:
    found = ruling_on(open_round(MONEY_WHEEL, rules_of(MONEY_WHEEL)), it)
    assert found is not None
    return found


# ---------------------------------------------------------------- the law


def test_every_rule_cited_exists_and_only_unpredictability_is_left_to_the_table() -> None:
    cited = {rule for _, law in laws_in(rules_of(MONEY_WHEEL)) for rule in law.rules}
    assert [rule for rule in cited if not exists(rule)] == []
    due = {rule.id for rule in rules("nz1996") if division(rule.id) == "VII" and actionable(rule)}
    layout = {rule for _, law in laws_in(nz1996_layouts()["money_wheel", "money_wheel"]) for rule in law.rules}
    assert due - cited - layout == set()


@pytest.mark.parametrize("line", read_cases("money_wheel"), ids=str)
def test_case(line: Line) -> None:
    check_case(MONEY_WHEEL, line)


# ---------------------------------------------------------------- the wheel (2.1-2.4, 2.8)


def test_2_3_the_rim_has_52_sections() -> None:
    law = rules_of(MONEY_WHEEL)
    counts = Counter(law.rim.value.outcomes)
    assert counts == {"A": 24, "B": 12, "C": 8, "D": 4, "E": 2, "F": 1, "G": 1}
    assert {name: symbol.sections.value for name, symbol in law.symbols.items()} == counts
    assert sum(counts.values()) == law.sections.value == 52
    assert MONEY_WHEEL.wagers(law) == tuple("ABCDEFG")
    assert law.permitted.value == set("ABCDEFG")


def test_diag_8_f_and_g_are_not_neighbours() -> None:
    order = rules_of(MONEY_WHEEL).rim.value.outcomes
    assert rules_of(MONEY_WHEEL).rim.value == equipment.MONEY_WHEEL
    assert not any({here, there} == {"F", "G"} for here, there in zip(order, order[1:] + order[:1], strict=True))


def test_2_2_each_section_is_equally_likely_whatever_came_before() -> None:
    law = rules_of(MONEY_WHEEL)
    space = DRAW.chances(law)
    tickets = Counter(space.at(ticket) for ticket in range(space.total))
    assert tickets == {WheelStopped(name): symbol.sections.value for name, symbol in law.symbols.items()}
    assert set(law.rim.value.weights) == {1}
    for last in law.symbols:
        after = new_game(law, sat(*SPUN, WheelStopped(last), Performed("announce", "dealer", last), *SETTLED))
        assert DRAW.sitting_demand(law, acted(DRAW, law, after, *SPUN)) == Spin("dealer", "NZ1996-VII-3.3")
    assert DRAW.chances(law) == space


@pytest.mark.parametrize(("millimetres", "fits"), [(1499, False), (1500, True), (1501, True)])
def test_2_1_a_wheel_is_at_least_a_metre_and_a_half(millimetres: int, fits: bool) -> None:  # noqa: FBT001
    law = rules_of(MONEY_WHEEL)
    answer = inspect_wheel(law, str(millimetres))
    assert (answer is None) == fits
    if answer:
        carries(answer, "NZ1996-VII-2.1")


@pytest.mark.parametrize("sections", [51, 53])
def test_2_3_a_rim_of_another_size_is_refused(sections: int) -> None:
    answer = inspect_rim(rules_of(MONEY_WHEEL), "A" * sections)
    carries(refused(answer), "NZ1996-VII-2.3")


def swapped(rim: tuple[str, ...], old: str, new: str) -> str:
    """The rim with one section of a symbol showing another."""
    return "".join(rim).replace(old, new, 1)


@pytest.mark.parametrize("letter", "ABCDEFG")
def test_2_3_a_symbol_once_too_rare_is_refused(letter: str) -> None:
    law = rules_of(MONEY_WHEEL)
    fewer = swapped(law.rim.value.outcomes, letter, "X")
    answer = inspect_rim(law, fewer)
    carries(refused(answer), f"NZ1996-VII-2.3{letter.lower()}")


@pytest.mark.parametrize("letter", "ABCDEF")
def test_2_3_a_symbol_once_too_often_is_refused(letter: str) -> None:
    law = rules_of(MONEY_WHEEL)
    more = swapped(law.rim.value.outcomes, "G", letter)
    answer = inspect_rim(law, more)
    carries(refused(answer), f"NZ1996-VII-2.3{letter.lower()}")


def test_2_4_the_symbols_differ() -> None:
    law = rules_of(MONEY_WHEEL)
    images = "star,moon,sun,kiwi,fern,crown"
    assert inspect_symbols(law, f"{images},joker") is None
    carries(refused(inspect_symbols(law, f"{images},star")), "NZ1996-VII-2.4")
    carries(refused(inspect_symbols(law, images)), "NZ1996-VII-2.4")


# ---------------------------------------------------------------- odds (5.0)


def test_5_0_every_symbol_has_the_same_edge() -> None:
    law = rules_of(MONEY_WHEEL)
    assert MONEY_WHEEL.wagers(law) == tuple("ABCDEFG")
    assert [edge(MONEY_WHEEL, DRAW, on) for on in "ABCDEFG"] == [Fraction(1, 13)] * 7
    for symbol in law.symbols.values():
        assert symbol.sections.value * (symbol.pays.value.fraction + 1) == 48


def test_4_1_each_symbol_wins_on_itself_alone() -> None:
    law = rules_of(MONEY_WHEEL)
    for spun in "ABCDEFG":
        this = happened(placed(open_round(MONEY_WHEEL, law), *(Wager(on, 100) for on in "ABCDEFG")), WheelStopped(spun))
        assert [entry.wager.on for entry in this.book if isinstance(entry.resolution, Won)] == [spun]


# ---------------------------------------------------------------- play


def test_3_3_the_spin_is_due_and_nothing_else() -> None:
    law = rules_of(MONEY_WHEEL)
    assert MONEY_WHEEL.demand(law, Draw()) == Spin("dealer", "NZ1996-VII-3.3")
    carries(refused(MONEY_WHEEL.apply(law, Draw(), BallFell(17))), "NZ1996-VII-3.3")
    assert dict(MONEY_WHEEL.outcome(law, Draw("C", closed=True))) == {"symbol": "C", "void": False}


def test_4_6_the_result_settles_by_recorded_area() -> None:
    this = happened(placed(open_round(MONEY_WHEEL, rules_of(MONEY_WHEEL)), Wager("D", 1000)), WheelStopped("D"))
    assert this.due == Over("NZ1996-VII-4.6")
    assert settle(this.book[0], MONEY_WHEEL.rounding(this.rules), 1).pays_cents == 11_000
    carries(refused(place(this, (Wager("D", 1000),))), "NZ1996-VII-4.7")
    carries(refused(happen(this, WheelStopped("D"))), "NZ1996-VII-4.6")


def test_i_14_2b_and_i_15_3_above_the_maximum_and_below_a_chip() -> None:
    sign = Sign(chip=200, maximum=1_500)
    this = happened(
        placed(open_round(MONEY_WHEEL, rules_of(MONEY_WHEEL), sign=sign), Wager("B", 1_501)), WheelStopped("B")
    )
    money = settle(this.book[0], MONEY_WHEEL.rounding(this.rules), sign.chip)
    assert (money.voided_cents, money.pays_cents, money.returned_cents) == (1, 4_600, 6_101)
    assert this.book[0].wager.void_rule == "NZ1996-I-14.2b"
    exact = happened(placed(open_round(MONEY_WHEEL, this.rules, sign=sign), Wager("B", 1_500)), WheelStopped("B"))
    assert exact.book[0].wager.voided_cents == 0


# ---------------------------------------------------------------- void spins (6.1-6.4)


def test_the_list_of_circumstances_is_closed() -> None:
    assert tuple(CIRCUMSTANCES) == tuple(rules_of(MONEY_WHEEL).common.irregularities)
    answer = refused(MONEY_WHEEL.rule_on(rules_of(MONEY_WHEEL), Draw(), Irregular("hail")))
    carries(answer, "NZ1996-I-8.1")
    assert answer.reason.endswith("the game supervisor decides")


@pytest.mark.parametrize("call", ["", "No spin"])
@pytest.mark.parametrize(("circumstance", "number"), VOIDED.items())
def test_6_4_a_void_spin_is_void_called_or_not_and_spun_again(circumstance: str, number: str, call: str) -> None:
    said = ruling(Irregular(circumstance, call=call))
    carries(said, f"NZ1996-VII-{number}")
    assert (said.remedy, said.by, said.call) == (Remedy.AGAIN, "dealer", "No spin")
    assert sat(*SPUN, Irregular(circumstance, call=call)) == DrawSitting()
    assert rules_of(MONEY_WHEEL).common.unannounced.value == set(VOIDED)
    this = placed(open_round(MONEY_WHEEL, rules_of(MONEY_WHEEL)), Wager("A", 1000))
    again = happened(this, Called("No more bets"), Irregular(circumstance, call=call))
    assert again.book == this.book
    assert again.due == Spin("dealer", "NZ1996-VII-3.3")
    assert not isinstance(place(again, (Wager("B", 500),)), Refusal)


@pytest.mark.parametrize("circumstance", VOIDED)
def test_6_1_a_spin_is_void_although_the_indicator_rests_in_a_section(circumstance: str) -> None:
    law = rules_of(MONEY_WHEEL)
    assert law.common.at_rest.value == set(VOIDED) - {"on_peg"}
    this = placed(open_round(MONEY_WHEEL, law), Wager("A", 1000))
    answers = (
        happen(this, Irregular(circumstance, to="A")),
        happen(happened(this, WheelStopped("A")), Irregular(circumstance)),
    )
    for answer in answers:
        if circumstance == "on_peg":
            carries(refused(answer), "NZ1996-VII-6.2")
        else:
            assert not isinstance(answer, Refusal)
            assert (answer.state, answer.book) == (Draw(), this.book)


def test_6_1_dealer_or_game_supervisor_announces_it() -> None:
    for who in ("dealer", "game supervisor"):
        assert ruling(Irregular("unbalanced", by=who)).by == who
    it = Irregular("unbalanced", by="casino supervisor")
    carries(refused(MONEY_WHEEL.rule_on(rules_of(MONEY_WHEEL), Draw(), it)), "NZ1996-VII-6.1")


def test_6_2_a_peg_is_no_section() -> None:
    answer = refused(MONEY_WHEEL.apply(rules_of(MONEY_WHEEL), Draw(), WheelStopped("peg")))
    carries(answer, "NZ1996-VII-6.2")
    assert "declare it" in answer.reason


def test_4_4_a_straddling_chip_is_put_right_before_the_call_and_void_after_it() -> None:
    it = Irregular("straddling_chip", to="A")
    before = MONEY_WHEEL.rule_on(rules_of(MONEY_WHEEL), Draw(), it)
    after = MONEY_WHEEL.rule_on(rules_of(MONEY_WHEEL), Draw(closed=True), it)
    assert isinstance(before, Ruling)
    assert isinstance(after, Ruling)
    assert (before.remedy, after.remedy) == (Remedy.AGAIN, Remedy.VOID_WAGER)
    assert {before.by, after.by, before.call, after.call} == {"dealer", ""}
    for sitting in (DrawSitting(), sat(*CLOSING)):
        assert acted(DRAW, rules_of(MONEY_WHEEL), sitting, it) == sitting
    carries(before, "NZ1996-VII-4.4")
    carries(after, "NZ1996-VII-4.4")


# ---------------------------------------------------------------- the ceremony (3.1-3.6)


def test_3_the_acts_of_a_game_in_their_order() -> None:
    facts: list[Fact] = [*SPUN, WheelStopped("C"), Performed("announce", "dealer", "C"), *SETTLED]
    assert dues(DRAW, rules_of(MONEY_WHEEL), DrawSitting(), facts) == [
        ("call No more bets by dealer", "VII-3.4"),
        ("ring bell by dealer", "VII-3.4"),
        ("take hold by dealer", "VII-3.2"),
        ("spin wheel by dealer", "VII-3.1"),
        ("count turns by dealer", "VII-3.3"),
        ("spin dealer", "VII-3.3"),
        ("announce by dealer", "VII-3.5a"),
        ("collect losing wagers by dealer", "VII-3.5b"),
        ("pay winning wagers by dealer", "VII-3.5c"),
        ("over", "VII-4.6"),
    ]


def test_3_1_the_direction_is_recorded() -> None:
    assert sat(*SPUN).detail("spin wheel") == "clockwise"
    assert sat(*CLOSING, HELD[0], Performed("spin wheel", "dealer", "anticlockwise")).said
    wrong = no(sat(*CLOSING, HELD[0]), Performed("spin wheel", "dealer", "up"))
    carries(wrong, "NZ1996-VII-3.1")
    assert wrong.reason.endswith("clockwise or anticlockwise is due")


def test_3_2_dealer_or_game_supervisor_spins_by_rim_or_knobs() -> None:
    closed = sat(*CLOSING)
    for who in ("dealer", "game supervisor"):
        for hold in ("rim", "knobs"):
            held = acted(DRAW, rules_of(MONEY_WHEEL), closed, Performed("take hold", who, hold))
            assert acted(DRAW, rules_of(MONEY_WHEEL), held, replace(HELD[1], by=who)).said[-1].by == who
    for hold in ("spokes", "pegs", ""):
        wrong = no(closed, Performed("take hold", "dealer", hold))
        carries(wrong, "NZ1996-VII-3.2")
        assert wrong.reason.endswith("rim or knobs is due")
    assert "dealer or game supervisor" in no(closed, Performed("take hold", "seat 1", "rim")).reason
    held = acted(DRAW, rules_of(MONEY_WHEEL), closed, HELD[0])
    assert "dealer or game supervisor" in no(held, Performed("spin wheel", "seat 1", "clockwise")).reason


def test_3_6_nobody_else_touches_the_wheel() -> None:
    carries(no(sat(*CLOSING), Performed("take hold", "seat 1", "rim")), "NZ1996-VII-3.6")
    carries(no(sat(*CLOSING), Performed("take hold", "casino supervisor", "rim")), "NZ1996-VII-3.6")


@pytest.mark.parametrize(("turns", "valid"), [(3, False), (4, True), (5, True), ("four", False)])
def test_3_3_four_turns_make_a_spin(turns: int | str, valid: bool) -> None:  # noqa: FBT001
    answer = DRAW.sitting_apply(rules_of(MONEY_WHEEL), sat(*CLOSING, *HELD), Performed("count turns", "dealer", turns))
    assert isinstance(answer, DrawSitting) == valid
    if not valid:
        carries(refused(answer), "NZ1996-VII-3.3")


def test_3_4_the_call_and_the_bell_come_before_the_spin() -> None:
    law = rules_of(MONEY_WHEEL)
    carries(no(DrawSitting(), HELD[0]), "NZ1996-VII-3.4")
    carries(no(sat(CLOSING[0]), HELD[0]), "NZ1996-VII-3.4")
    carries(no(DrawSitting(), WheelStopped("A")), "NZ1996-VII-3.4")
    assert may_bet(law.common, law.ceremony, DrawSitting()) is None
    carries(refused(may_bet(law.common, law.ceremony, sat(CLOSING[0]))), "NZ1996-VII-4.7")


def test_3_5_announce_then_collect_then_pay() -> None:
    spun = sat(*SPUN, WheelStopped("C"))
    carries(no(spun, SETTLED[1]), "NZ1996-VII-3.5a")
    carries(no(spun, Performed("announce", "dealer", "B")), "NZ1996-VII-3.5a")
    announced = acted(DRAW, rules_of(MONEY_WHEEL), spun, Performed("announce", "dealer", "C"))
    carries(no(announced, SETTLED[1]), "NZ1996-VII-3.5b")
    collected = acted(DRAW, rules_of(MONEY_WHEEL), announced, SETTLED[0])
    carries(no(collected, Performed("announce", "dealer", "C")), "NZ1996-VII-3.5c")
    carries(no(collected, Performed(PAY_AREA, "dealer", "B")), "NZ1996-VII-3.5c")
    carries(no(collected, Performed(PAY_AREA, "seat 1", "C")), "NZ1996-VII-3.5c")
    paid = acted(DRAW, rules_of(MONEY_WHEEL), collected, Performed(PAY_AREA, "dealer", "C"), SETTLED[1])
    assert paid.detail(PAY_AREA) == "C"


def test_6_a_void_spin_begins_again_with_the_call() -> None:
    law = rules_of(MONEY_WHEEL)
    voided = sat(*SPUN, Irregular("on_peg"))
    assert voided == DrawSitting()
    assert may_bet(law.common, law.ceremony, voided) is None


def test_4_8_no_wager_is_touched_until_its_area_is_paid() -> None:
    law = rules_of(MONEY_WHEEL)
    spun = sat(*SPUN, WheelStopped("C"), Performed("announce", "dealer", "C"), SETTLED[0])
    carries(refused(may_touch(law.common, law.ceremony, spun, area="C")), "NZ1996-VII-4.8")
    carries(refused(next_game(law.ceremony, spun)), "NZ1996-VII-4.8")
    own = acted(DRAW, law, spun, Performed(PAY_AREA, "dealer", "C by seat 1"))
    carries(refused(may_touch(law.common, law.ceremony, own, area="C", by="seat 1")), "NZ1996-VII-4.8")
    paid = acted(DRAW, law, spun, Performed(PAY_AREA, "dealer", "C"))
    assert may_touch(law.common, law.ceremony, paid, area="C") is None
    assert new_game(law, acted(DRAW, law, spun, SETTLED[1])) == DrawSitting(recent=("C",))


# ---------------------------------------------------------------- whole games


def written_down() -> str:
    wagers = [Wager("A", 1000, by="seat 1"), Wager("C", 500, by="seat 1"), Wager("G", 200, by="seat 2")]
    facts: list[Fact] = [*SPUN, Irregular("on_peg", call="No spin"), *SPUN, WheelStopped("C")]
    facts += [Performed("announce", "dealer", "C"), *SETTLED]
    return playthrough(MONEY_WHEEL, DRAW, wagers, facts, DrawSitting(), 0)


def test_playthrough() -> None:
    check_playthrough("money_wheel", written_down())


FACTS = facts_of(DRAW, MONEY_WHEEL)


@given(signs(), st.lists(st.tuples(wagers_of(DRAW, MONEY_WHEEL), FACTS), max_size=8))
def test_random_rounds_settle_once_and_replay(sign: Sign, moves: list[tuple[tuple[Wager, ...], Fact]]) -> None:
    check_walk(MONEY_WHEEL, DRAW, sign, moves)


@given(st.lists(FACTS, max_size=12))
def test_states_with_equal_views_behave_alike(moves: list[Fact]) -> None:
    check_views(MONEY_WHEEL, DRAW, moves)


@given(st.lists(st.one_of(FACTS, st.sampled_from([*SPUN, *SETTLED])), max_size=25))
def test_the_ceremony_takes_or_refuses_any_fact(facts: list[Fact]) -> None:
    check_sitting(MONEY_WHEEL, DRAW, DrawSitting(), facts)
