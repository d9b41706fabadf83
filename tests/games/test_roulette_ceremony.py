"""Roulette at the table, Division III: the ceremony of a spin, void spins, and what players may touch."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.game import (
    BallFell,
    Called,
    Fact,
    Irregular,
    Performed,
    Refusal,
    Remedy,
    Ruling,
    Spin,
    Wager,
)
from croupier.games.roulette import (
    CIRCUMSTANCES,
    DRAW,
    ROULETTE,
    announcement,
    winning_positions,
)
from croupier.games.single_draw import Draw, DrawSitting
from croupier.games.single_draw.procedure import COLLECT, PAY, PAY_AREA, may_bet, may_touch, next_game
from croupier.once import replace
from croupier.round import open_round, place
from tests.helpers.observe import carries
from tests.helpers.rulings import after_it, ruling_on
from tests.helpers.single_draw import (
    acted,
    check_playthrough,
    check_sitting,
    dues,
    facts_of,
    happened,
    new_game,
    placed,
    playthrough,
    refused,
    rules_of,
    sitting_after,
)

SENIORITY = ("dealer", "game supervisor", "casino supervisor", "shift manager", "casino manager")
CALL = Called("No more bets", "dealer")
BEFORE = (Performed("turn wheel", "dealer", "clockwise"), Performed("spin ball", "dealer", "anticlockwise"))
CLOSING = (Performed("call No more bets", "dealer"), Performed("ring bell", "dealer"))
SPUN = (*BEFORE, *CLOSING, Performed("count turns", "dealer", 5))
SETTLED = (Performed(COLLECT, "dealer"), Performed(PAY, "dealer"), Performed("lift dolly", "dealer"))


def shown(number: int) -> tuple[Performed, ...]:
    return Performed("announce", "dealer", announcement(number)), Performed("place dolly", "dealer", number)


def sat(*facts: Fact, recent: tuple[int, ...] = ()) -> DrawSitting[int]:
    return acted(DRAW, rules_of(ROULETTE), DrawSitting(recent=recent), *facts)


def no(sitting: DrawSitting[int], fact: Fact) -> Refusal:
    return refused(sitting_after(DRAW, rules_of(ROULETTE), sitting, fact))


def test_2_5_each_compartment_is_equally_likely_whatever_came_before() -> None:
    law = rules_of(ROULETTE)
    space = DRAW.chances(law)
    assert Counter(space.at(ticket) for ticket in range(space.total)) == {BallFell(n): 1 for n in range(37)}
    for last in range(37):
        following = next_game(law.ceremony, sat(*SPUN, BallFell(last), *shown(last), *SETTLED))
        assert not isinstance(following, Refusal)
        assert DRAW.sitting_demand(law, acted(DRAW, law, following, *SPUN)) == Spin("dealer", "NZ1996-III-3.2")
    assert DRAW.chances(law) == space


# ---------------------------------------------------------------- the ceremony (3.1-3.7)


def test_3_the_acts_of_a_game_in_their_order() -> None:
    facts: list[Fact] = [*SPUN, BallFell(17), *shown(17), *SETTLED]
    assert dues(DRAW, rules_of(ROULETTE), DrawSitting(), facts) == [
        ("turn wheel by dealer", "III-3.1"),
        ("spin ball by dealer", "III-3.2"),
        ("call No more bets by dealer", "III-3.3"),
        ("ring bell by dealer", "III-3.3"),
        ("count turns by dealer", "III-3.2"),
        ("spin dealer", "III-3.2"),
        ("announce by dealer", "III-3.4a"),
        ("place dolly by dealer", "III-3.4b"),
        ("collect losing wagers by dealer", "III-3.5a"),
        ("pay winning wagers by dealer", "III-3.5b"),
        ("lift dolly by dealer", "III-4.5"),
        ("over", "III-4.7"),
    ]


def test_3_1_the_direction_is_recorded_and_may_stay_the_same() -> None:
    law = rules_of(ROULETTE)
    first = sat(*SPUN, BallFell(17), *shown(17), *SETTLED)
    assert first.detail("turn wheel") == "clockwise"
    again = acted(DRAW, law, new_game(law, first), *BEFORE)
    assert again.detail("turn wheel") == "clockwise"
    turned = acted(DRAW, law, new_game(law, first), Performed("turn wheel", "dealer", "anticlockwise"))
    assert turned.detail("turn wheel") == "anticlockwise"
    wrong = no(DrawSitting(), Performed("turn wheel", "dealer", "sideways"))
    carries(wrong, "NZ1996-III-3.1")
    assert wrong.reason.endswith("clockwise or anticlockwise is due")


def test_3_2_the_ball_goes_against_the_wheel() -> None:
    turned = sat(BEFORE[0])
    carries(no(turned, Performed("spin ball", "dealer", "clockwise")), "NZ1996-III-3.2")
    assert "the same direction" in no(turned, Performed("spin ball", "dealer", "clockwise")).reason
    assert sat(BEFORE[0], Performed("spin ball", "dealer", "anticlockwise")).detail("spin ball") == "anticlockwise"


@pytest.mark.parametrize(("turns", "valid"), [(3, False), (4, True), (5, True), ("", False)])
def test_3_2_four_turns_make_a_spin(turns: int | str, valid: bool) -> None:  # noqa: FBT001
    answer = DRAW.sitting_apply(rules_of(ROULETTE), sat(*BEFORE, *CLOSING), Performed("count turns", "dealer", turns))
    assert isinstance(answer, DrawSitting) == valid
    if not valid:
        carries(refused(answer), "NZ1996-III-3.2")


def test_3_3_no_result_without_the_call_and_the_bell() -> None:
    carries(no(sat(*BEFORE), BallFell(17)), "NZ1996-III-3.3")
    carries(no(sat(*BEFORE, CLOSING[0]), BallFell(17)), "NZ1996-III-3.3")
    assert sat(*BEFORE, Called("No more bets", "dealer"), CLOSING[1]) == sat(*BEFORE, *CLOSING)


def test_3_3_and_4_5_wagers_are_taken_until_the_call_and_not_after_it() -> None:
    law = rules_of(ROULETTE)
    assert may_bet(law.common, law.ceremony, DrawSitting()) is None
    assert may_bet(law.common, law.ceremony, sat(*BEFORE)) is None
    carries(refused(may_bet(law.common, law.ceremony, sat(*BEFORE, *CLOSING))), "NZ1996-III-4.5")
    carries(refused(may_bet(law.common, law.ceremony, sat(*SPUN, BallFell(17)))), "NZ1996-III-4.5")


def test_4_5_betting_opens_again_when_the_dolly_is_lifted() -> None:
    law = rules_of(ROULETTE)
    paid = sat(*SPUN, BallFell(17), *shown(17), *SETTLED[:2])
    carries(refused(next_game(law.ceremony, paid)), "NZ1996-III-4.5")
    following = new_game(law, acted(DRAW, law, paid, SETTLED[2]))
    assert following == DrawSitting(recent=(17,))
    assert may_bet(law.common, law.ceremony, following) is None


def test_3_4_number_and_colour_are_announced_and_the_dolly_goes_on_the_number() -> None:
    assert [announcement(n) for n in (0, 17, 20, 36)] == [
        "zero, green",
        "seventeen, black",
        "twenty, black",
        "thirty-six, red",
    ]
    spun = sat(*SPUN, BallFell(17))
    carries(no(spun, Performed("announce", "dealer", "seventeen, red")), "NZ1996-III-3.4a")
    carries(no(spun, Performed("place dolly", "dealer", 17)), "NZ1996-III-3.4a")
    announced = acted(DRAW, rules_of(ROULETTE), spun, shown(17)[0])
    carries(no(announced, Performed("place dolly", "dealer", 18)), "NZ1996-III-3.4b")
    carries(no(announced, Performed(COLLECT, "dealer")), "NZ1996-III-3.4b")


def test_3_5_losers_are_taken_before_winners_are_paid() -> None:
    marked = sat(*SPUN, BallFell(17), *shown(17))
    carries(no(marked, Performed(PAY, "dealer")), "NZ1996-III-3.5a")
    carries(no(marked, Performed(PAY_AREA, "dealer", "black")), "NZ1996-III-3.5b")
    collected = acted(DRAW, rules_of(ROULETTE), marked, SETTLED[0])
    carries(no(collected, Performed(COLLECT, "dealer")), "NZ1996-III-3.5b")
    carries(no(collected, Performed(PAY_AREA, "dealer", "red")), "NZ1996-III-3.5b")
    carries(no(collected, SETTLED[2]), "NZ1996-III-3.5b")


def test_3_6_nobody_else_lays_hands_on_wheel_or_ball() -> None:
    carries(no(DrawSitting(), Performed("turn wheel", "seat 1", "clockwise")), "NZ1996-III-3.6")
    carries(no(sat(BEFORE[0]), Performed("spin ball", "seat 1", "anticlockwise")), "NZ1996-III-3.6")


def test_3_7_the_ball_may_be_changed_between_spins_only() -> None:
    law = rules_of(ROULETTE)
    change = Performed("change ball", "game supervisor")
    assert change in sat(change).said
    carries(no(sat(*BEFORE), change), "NZ1996-III-3.7")
    stranger = no(DrawSitting(), replace(change, by="seat 1"))
    carries(stranger, "NZ1996-III-3.7")
    assert " or ".join(SENIORITY) in stranger.reason
    assert change in acted(DRAW, law, sat(*SPUN, BallFell(17)), change).said


# ---------------------------------------------------------------- void spins (6.1-6.9)

DEEMED = {
    "same_direction": "6.1",
    "foreign_object": "6.2",
    "hung_ball": "6.3",
    "ball_out": "6.4",
    "interference": "6.5",
    "short_spin_expected": "6.6",
}


def ruling(it: Irregular) -> Ruling:
    found = ruling_on(open_round(ROULETTE, rules_of(ROULETTE)), it)
    assert found is not None
    return found


def test_the_list_of_circumstances_is_closed() -> None:
    assert tuple(CIRCUMSTANCES) == tuple(rules_of(ROULETTE).common.irregularities)
    answer = refused(ROULETTE.rule_on(rules_of(ROULETTE), Draw(), Irregular("earthquake")))
    carries(answer, "NZ1996-I-8.1")
    assert "game supervisor decides" in answer.reason


@pytest.mark.parametrize(("circumstance", "number"), DEEMED.items())
def test_6_a_spin_deemed_void_and_called_is_spun_again_with_its_wagers(circumstance: str, number: str) -> None:
    said = ruling(Irregular(circumstance, call="No spin"))
    carries(said, f"NZ1996-III-{number}")
    assert (said.remedy, said.by, said.call) == (Remedy.AGAIN, "dealer", "No spin")
    this = placed(open_round(ROULETTE, rules_of(ROULETTE)), Wager("red", 1000))
    again = happened(this, CALL, Irregular(circumstance, call="No spin"))
    assert again.due == Spin("dealer", "NZ1996-III-3.2")
    assert again.book == this.book
    assert not isinstance(place(again, (Wager("black", 500),)), Refusal)
    voided = sat(*SPUN, Irregular(circumstance, call="No spin"))
    assert [rule for _, rule in dues(DRAW, rules_of(ROULETTE), voided, [])] == [f"III-{number}"]


@pytest.mark.parametrize("circumstance", DEEMED)
def test_6_7_uncalled_only_the_short_spin_expected_goes_on(circumstance: str) -> None:
    said = ruling(Irregular(circumstance))
    expected = circumstance == "short_spin_expected"
    assert said.remedy is (Remedy.PLAY_ON if expected else Remedy.AGAIN)
    carries(said, "NZ1996-III-6.7" if expected else f"NZ1996-III-{DEEMED[circumstance]}")
    assert rules_of(ROULETTE).common.unannounced.value == set(DEEMED) - {"short_spin_expected"}
    closed: Draw[int] = Draw(closed=True)
    after = after_it(ROULETTE.apply, ROULETTE.rule_on, rules_of(ROULETTE), closed, Irregular(circumstance))
    assert after == (closed if expected else Draw())


@pytest.mark.parametrize("circumstance", DEEMED)
def test_6_7_it_is_void_although_the_ball_came_to_rest(circumstance: str) -> None:
    assert ruling(Irregular(circumstance, to="17", call="No spin")).remedy is Remedy.AGAIN
    this = placed(open_round(ROULETTE, rules_of(ROULETTE)), Wager("red", 1000), Wager("black", 1000))
    undone = happened(this, BallFell(17), Irregular(circumstance, call="No spin"))
    assert undone.book == this.book
    assert undone.state == Draw()
    assert rules_of(ROULETTE).common.at_rest.value == set(DEEMED)


def test_3_2_a_spin_that_was_short_is_no_spin_even_uncalled() -> None:
    said = ruling(Irregular("short_spin"))
    carries(said, "NZ1996-III-3.2")
    assert (said.remedy, said.by, said.call) == (Remedy.AGAIN, "dealer", "")
    assert ruling(Irregular("short_spin", to="17")).remedy is Remedy.AGAIN
    assert sat(*SPUN, Irregular("short_spin")).owed == ("short_spin",)


@pytest.mark.parametrize("who", SENIORITY)
def test_6_1_the_dealer_or_a_senior_announces_it(who: str) -> None:
    assert ruling(Irregular("same_direction", call="No spin", by=who)).by == who


def test_6_1_nobody_else_announces_it() -> None:
    it = Irregular("same_direction", call="No spin", by="seat 1")
    carries(refused(ROULETTE.rule_on(rules_of(ROULETTE), Draw(), it)), "NZ1996-III-6.1")


def test_6_9_a_wrong_display_changes_nothing() -> None:
    this = placed(open_round(ROULETTE, rules_of(ROULETTE)), Wager("straight:18", 1000), Wager("straight:8", 1000))
    ended = happened(this, BallFell(18))
    after = happened(ended, Irregular("display_wrong"))
    assert after.book == ended.book
    said = ruling_on(ended, Irregular("display_wrong"))
    assert said is not None
    carries(said, "NZ1996-III-6.9")
    assert (said.remedy, said.by, said.call) == (Remedy.STAND, "dealer", "")
    assert sat(Irregular("display_wrong")) == DrawSitting()


# ---------------------------------------------------------------- the ceremony of a void spin (6.4, 6.8)


def test_6_8_the_ball_goes_back_to_the_last_number_and_is_spun_again() -> None:
    law = rules_of(ROULETTE)
    voided = sat(*SPUN, Irregular("foreign_object"), recent=(5, 23))
    assert dues(
        DRAW, law, voided, [Performed("remove ball", "shift manager"), Performed("return ball", "dealer", 23)]
    ) == [
        ("remove ball by dealer", "III-6.2"),
        ("return ball by dealer", "III-6.8"),
        ("turn wheel by dealer", "III-3.1"),
    ]
    removed = acted(DRAW, law, voided, Performed("remove ball"))
    carries(no(removed, Performed("return ball", "dealer", 5)), "NZ1996-III-6.8")
    carries(no(removed, BallFell(17)), "NZ1996-III-6.8")
    stranger = no(voided, Performed("remove ball", "seat 1"))
    carries(stranger, "NZ1996-III-3.6")
    assert " or ".join(SENIORITY) in stranger.reason
    assert may_bet(law.common, law.ceremony, voided) is None


def test_6_8_before_the_first_result_any_compartment_will_do() -> None:
    law = rules_of(ROULETTE)
    again = acted(
        DRAW, law, sat(*SPUN, Irregular("hung_ball")), Performed("remove ball"), Performed("return ball", detail=0)
    )
    assert acted(DRAW, law, again, *SPUN, BallFell(9)).draw == Draw(9, closed=True)


def test_6_4_a_ball_that_left_the_wheel_is_examined_first() -> None:
    law = rules_of(ROULETTE)
    voided = sat(*SPUN, Irregular("ball_out", call="No spin"), recent=(23,))
    carries(no(voided, SPUN[0]), "NZ1996-III-6.4")
    carries(no(voided, Performed("return ball", "dealer", 23)), "NZ1996-III-6.4")
    carries(no(voided, Performed("examine ball", "dealer")), "NZ1996-III-3.6")
    facts = [Performed("examine ball", "game supervisor"), Performed("return ball", "dealer", 23)]
    assert dues(DRAW, law, voided, facts) == [
        ("examine ball by game supervisor", "III-6.4"),
        ("return ball by dealer", "III-6.8"),
        ("turn wheel by dealer", "III-3.1"),
    ]


def test_6_6_uncalled_the_spin_goes_on_as_it_was() -> None:
    assert sat(*SPUN, Irregular("short_spin_expected")) == sat(*SPUN)


# ---------------------------------------------------------------- hands off (4.8, 4.9)


def test_4_8_no_wager_is_touched_until_its_area_is_paid() -> None:
    law = rules_of(ROULETTE)
    spun = sat(*SPUN, BallFell(17), *shown(17), SETTLED[0])
    for area in ("straight:17", "black"):
        carries(refused(may_touch(law.common, law.ceremony, spun, area=area)), "NZ1996-III-4.8")
        paid = acted(DRAW, law, spun, Performed(PAY_AREA, "dealer", area))
        assert may_touch(law.common, law.ceremony, paid, area=area) is None
    assert may_touch(law.common, law.ceremony, acted(DRAW, law, spun, SETTLED[1]), area="split:17-20") is None
    assert may_touch(law.common, law.ceremony, DrawSitting(), area="red") is None
    carries(refused(may_touch(law.common, law.ceremony, sat(*SPUN), area="red")), "NZ1996-III-4.5")


@pytest.mark.parametrize("area", ["low", "odd", "black", "column:2", "dozen:2"])
def test_4_9_a_paid_outside_wager_may_be_lifted_by_its_owner(area: str) -> None:
    law = rules_of(ROULETTE)
    paid = sat(*SPUN, BallFell(17), *shown(17), SETTLED[0], Performed(PAY_AREA, "dealer", f"{area} by seat 1"))
    assert may_touch(law.common, law.ceremony, paid, area=area, by="seat 1") is None
    carries(refused(may_touch(law.common, law.ceremony, paid, area=area, by="seat 2")), "NZ1996-III-4.8")


def test_4_9_outside_wagers_are_all_that_name_no_numbers() -> None:
    law = rules_of(ROULETTE)
    inside = {"straight", "split", "street", "corner", "six_line"}
    assert law.ceremony.own_paid.value == set(law.permitted.value) - inside
    sitting = sat(*SPUN, BallFell(17), *shown(17), SETTLED[0], Performed(PAY_AREA, "dealer", "straight:17 by seat 1"))
    carries(refused(may_touch(law.common, law.ceremony, sitting, area="straight:17", by="seat 1")), "NZ1996-III-4.8")


def test_winning_positions_of_17() -> None:
    assert winning_positions(rules_of(ROULETTE), 17) == (
        *("straight:17", "split:16-17", "split:17-18", "split:14-17", "split:17-20", "street:16-17-18"),
        *("corner:13-14-16-17", "corner:14-15-17-18", "corner:16-17-19-20", "corner:17-18-20-21"),
        *("six_line:13-14-15-16-17-18", "six_line:16-17-18-19-20-21", "column:2", "dozen:2", "low", "odd", "black"),
    )


# ---------------------------------------------------------------- whole games


def written_down() -> str:
    wagers = [
        *(
            Wager("straight:17", 1000, by="seat 1"),
            Wager("split:17-20", 1000, by="seat 1"),
            Wager("red", 2000, by="seat 2"),
        ),
        *(
            Wager("black", 2000, by="seat 3"),
            Wager("dozen:2", 1500, by="seat 3"),
            Wager("corner:0-1-2-3", 500, by="seat 2"),
        ),
    ]
    again = (Irregular("foreign_object", call="No spin", by="game supervisor"), Performed("remove ball", "dealer"))
    facts: list[Fact] = [*SPUN, *again, Performed("return ball", "dealer", 23), *SPUN, BallFell(17), *shown(17)]
    facts += [SETTLED[0], Performed(PAY_AREA, "dealer", "black"), *SETTLED[1:]]
    return playthrough(ROULETTE, DRAW, wagers, facts, DrawSitting(recent=(23,)), 2)


def test_playthrough() -> None:
    check_playthrough("roulette", written_down())


@given(st.lists(st.one_of(facts_of(DRAW, ROULETTE), st.sampled_from([*SPUN, *SETTLED])), max_size=25))
def test_the_ceremony_takes_or_refuses_any_fact(facts: list[Fact]) -> None:
    check_sitting(ROULETTE, DRAW, DrawSitting(recent=(23,)), facts)
