"""Tai-sai at the table, Division VI: sealed dice, the call of the result, the terminal, and void rounds."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier import equipment
from croupier.game import (
    BallFell,
    Called,
    DiceFell,
    Fact,
    Irregular,
    Over,
    Performed,
    Refusal,
    Remedy,
    Roll,
    Ruling,
    Void,
    Wager,
    Won,
)
from croupier.games.single_draw import Draw, DrawSitting
from croupier.games.single_draw.procedure import COLLECT, PAY, PAY_AREA, may_bet, may_touch, next_game
from croupier.games.tai_sai import CIRCUMSTANCES, DRAW, TAI_SAI
from croupier.games.tai_sai.procedure import announcement, entered, press
from croupier.games.tai_sai.rules import Faces
from croupier.round import happen, open_round, place, settle
from tests.helpers.observe import carries
from tests.helpers.rulings import ruling_on
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

ROLLS = tuple(product(range(1, 7), repeat=3))
OPENING = (
    Performed("switch on electronics", "casino supervisor"),
    Performed("test lights", "casino supervisor"),
    Performed("test tumbler", "casino supervisor"),
    Performed("check seal", "casino supervisor", "seal untouched"),
)
TUMBLED = (Performed("tumble dice", "dealer", 3), Performed("call Place your bets", "dealer"))
CLOSING = (Performed("call No more bets", "dealer"), Performed("ring bell", "dealer"))
SPUN = (*TUMBLED, *CLOSING, Performed("uncover", "dealer"))
ENTRY = Performed("press entry", "dealer")
SETTLED = (Performed(COLLECT, "dealer"), Performed(PAY, "dealer"))
VOIDED = {"die_not_flat": "7.1", "tumbler_fault": "7.2", "dice_exposed": "7.3", "not_tumbled": "7.4"}


def called(faces: Faces) -> Performed:
    return Performed("announce", "dealer", announcement(rules_of(TAI_SAI), faces))


def keyed(keys: str) -> Performed:
    return Performed("press numbers", "dealer", keys)


def sat(*facts: Fact) -> DrawSitting[Faces]:
    return acted(DRAW, rules_of(TAI_SAI), DrawSitting(), *facts)


def no(sitting: DrawSitting[Faces], fact: Fact) -> Refusal:
    return refused(sitting_after(DRAW, rules_of(TAI_SAI), sitting, fact))


def ruling(it: Irregular, *facts: Fact) -> Ruling:
    found = ruling_on(happened(open_round(TAI_SAI, rules_of(TAI_SAI)), *facts), it)
    assert found is not None
    return found


def test_2_6_each_die_is_fair_and_remembers_nothing() -> None:
    law = rules_of(TAI_SAI)
    space = DRAW.chances(law)
    assert law.dice.value == equipment.DICE_THREE
    assert Counter(space.at(ticket) for ticket in range(space.total)) == {DiceFell(faces): 1 for faces in ROLLS}
    after = new_game(law, sat(*SPUN, DiceFell((1, 1, 1)), called((1, 1, 1)), keyed("1-1-1"), ENTRY, *SETTLED))
    assert DRAW.sitting_demand(law, acted(DRAW, law, after, *SPUN)) == Roll("dealer", "NZ1996-VI-6.1")
    assert DRAW.chances(law) == space


def test_6_1_the_roll_is_due_and_nothing_is_known_before_the_dice_are_uncovered() -> None:
    law = rules_of(TAI_SAI)
    assert TAI_SAI.demand(law, Draw()) == Roll("dealer", "NZ1996-VI-6.1")
    carries(refused(TAI_SAI.apply(law, Draw(), BallFell(5))), "NZ1996-VI-6.1")
    assert dict(TAI_SAI.outcome(law, Draw(closed=True))) == {"dice": None, "total": None, "call": None, "void": False}
    assert sat(*SPUN).draw == Draw(closed=True)


# ---------------------------------------------------------------- the call (6.3, 6.4)


@pytest.mark.parametrize(
    ("faces", "call"),
    [
        ((6, 1, 3), "one, three, six; total ten"),
        ((3, 4, 3), "double three, four; total ten"),
        ((5, 5, 5), "triple five; total fifteen"),
        ((5, 1, 5), "one, double five; total eleven"),
        ((6, 6, 6), "triple six; total eighteen"),
    ],
)
def test_6_4_faces_are_called_from_low_to_high_and_then_the_total(faces: Faces, call: str) -> None:
    law = rules_of(TAI_SAI)
    for order in permutations(faces):
        assert announcement(law, order) == call
    carries(no(sat(*SPUN, DiceFell(faces)), Performed("announce", "dealer", "six")), "NZ1996-VI-6.3")
    assert sat(*SPUN, DiceFell(faces), Performed("announce", "dealer", call)).detail("announce") == call


# ---------------------------------------------------------------- the ceremony (6.1-6.9)


def test_6_the_acts_of_a_game_in_their_order() -> None:
    facts: list[Fact] = [*SPUN, DiceFell((6, 1, 3)), called((1, 3, 6)), keyed("1-3-6"), ENTRY, *SETTLED]
    assert dues(DRAW, rules_of(TAI_SAI), DrawSitting(), facts) == [
        ("tumble dice by dealer", "VI-6.1"),
        ("call Place your bets by dealer", "VI-6.1"),
        ("call No more bets by dealer", "VI-6.2"),
        ("ring bell by dealer", "VI-6.2"),
        ("uncover by dealer", "VI-6.3"),
        ("roll dealer", "VI-6.1"),
        ("announce by dealer", "VI-6.3"),
        ("press numbers by dealer", "VI-6.5a"),
        ("press entry by dealer", "VI-6.5b"),
        ("collect losing wagers by dealer", "VI-6.6a"),
        ("pay winning wagers by dealer", "VI-6.6b"),
        ("over", "VI-3.8"),
    ]


@pytest.mark.parametrize(("spins", "valid"), [(2, False), (3, True), (4, True), ("", False)])
def test_6_1_the_dice_spin_three_times(spins: int | str, valid: bool) -> None:  # noqa: FBT001
    answer = DRAW.sitting_apply(rules_of(TAI_SAI), DrawSitting(), Performed("tumble dice", "dealer", spins))
    assert isinstance(answer, DrawSitting) == valid
    if not valid:
        carries(refused(answer), "NZ1996-VI-6.1")


def test_6_1_nobody_bets_before_the_dice_are_tumbled_and_bets_are_called_for() -> None:
    law = rules_of(TAI_SAI)
    for early in (DrawSitting(), sat(TUMBLED[0])):
        carries(refused(may_bet(law.common, law.ceremony, early)), "NZ1996-VI-6.1")
    carries(no(DrawSitting(), TUMBLED[1]), "NZ1996-VI-6.1")
    assert may_bet(law.common, law.ceremony, sat(*TUMBLED)) is None
    carries(refused(may_bet(law.common, law.ceremony, sat(*TUMBLED, CLOSING[0]))), "NZ1996-VI-3.9")


def test_6_2_the_dice_stay_covered_until_the_call_and_the_bell() -> None:
    carries(no(sat(*TUMBLED), SPUN[-1]), "NZ1996-VI-6.2")
    carries(no(sat(*TUMBLED, CLOSING[0]), SPUN[-1]), "NZ1996-VI-6.2")
    carries(no(sat(*TUMBLED, *CLOSING), DiceFell((1, 2, 3))), "NZ1996-VI-6.3")


def test_6_6_nothing_is_settled_before_the_entry_and_losers_go_first() -> None:
    law = rules_of(TAI_SAI)
    pressed = sat(*SPUN, DiceFell((1, 3, 6)), called((1, 3, 6)), keyed("1-3-6"))
    carries(no(pressed, SETTLED[0]), "NZ1996-VI-6.5b")
    lit_up = acted(DRAW, law, pressed, ENTRY)
    carries(no(lit_up, SETTLED[1]), "NZ1996-VI-6.6a")
    carries(no(lit_up, Performed(PAY_AREA, "dealer", "small")), "NZ1996-VI-6.6b")
    collected = acted(DRAW, law, lit_up, SETTLED[0])
    carries(no(collected, Performed(PAY_AREA, "dealer", "big")), "NZ1996-VI-6.6b")
    paid = acted(DRAW, law, collected, Performed(PAY_AREA, "dealer", "small"), SETTLED[1])
    assert dues(DRAW, law, paid, []) == [("over", "VI-3.8")]


def test_6_8_nobody_else_works_tumbler_or_terminal() -> None:
    carries(no(DrawSitting(), Performed("tumble dice", "seat 1", 3)), "NZ1996-VI-6.8")
    spun = sat(*SPUN, DiceFell((1, 3, 6)), called((1, 3, 6)))
    carries(no(spun, Performed("press numbers", "seat 1", "1-3-6")), "NZ1996-VI-6.8")


def test_6_9_no_wagers_until_every_winner_is_paid() -> None:
    law = rules_of(TAI_SAI)
    collected = sat(*SPUN, DiceFell((1, 3, 6)), called((1, 3, 6)), keyed("1-3-6"), ENTRY, SETTLED[0])
    carries(refused(may_bet(law.common, law.ceremony, collected)), "NZ1996-VI-6.9")
    carries(refused(next_game(law.ceremony, collected)), "NZ1996-VI-6.9")
    assert new_game(law, acted(DRAW, law, collected, SETTLED[1])) == DrawSitting(recent=((1, 3, 6),))


def test_3_10_no_wager_is_touched_until_its_area_is_paid() -> None:
    law = rules_of(TAI_SAI)
    collected = sat(*SPUN, DiceFell((1, 3, 6)), called((1, 3, 6)), keyed("1-3-6"), ENTRY, SETTLED[0])
    carries(refused(may_touch(law.common, law.ceremony, collected, area="small")), "NZ1996-VI-3.10")
    paid = acted(DRAW, law, collected, Performed(PAY_AREA, "dealer", "small"))
    assert may_touch(law.common, law.ceremony, paid, area="small") is None
    carries(refused(may_touch(law.common, law.ceremony, paid, area="total:10")), "NZ1996-VI-3.10")


# ---------------------------------------------------------------- the terminal (2.5f, 6.5, 6.7)


def test_2_5f_the_terminal_shows_the_last_three_numbers_pressed() -> None:
    law = rules_of(TAI_SAI)
    assert press(law, "1-3-6") == (1, 3, 6)
    assert press(law, "1-2-3-4") == (2, 3, 4)
    assert [press(law, f"{key}-{key}-{key}") for key in range(1, 7)] == [(key,) * 3 for key in range(1, 7)]


@pytest.mark.parametrize("keys", ["0-1-2", "1-2-7", "1-x-3", "", "1--3", "1-2-33"])
def test_2_5f_it_has_switches_one_to_six(keys: str) -> None:
    carries(refused(press(rules_of(TAI_SAI), keys)), "NZ1996-VI-2.5f-i")
    spun = sat(*SPUN, DiceFell((1, 3, 6)), called((1, 3, 6)))
    carries(no(spun, keyed(keys)), "NZ1996-VI-2.5f-i")


def test_6_5a_three_numbers_are_pressed() -> None:
    spun = sat(*SPUN, DiceFell((1, 3, 6)), called((1, 3, 6)))
    carries(no(spun, keyed("1-3")), "NZ1996-VI-6.5a")
    carries(no(spun, ENTRY), "NZ1996-VI-6.5a")
    assert entered(rules_of(TAI_SAI), spun) is None
    assert entered(rules_of(TAI_SAI), acted(DRAW, rules_of(TAI_SAI), spun, keyed("3-1-6"))) == (3, 1, 6)


def test_6_7_wrong_numbers_are_amended_under_the_game_supervisor_before_settlement() -> None:
    law = rules_of(TAI_SAI)
    wrong = sat(*SPUN, DiceFell((1, 3, 6)), called((1, 3, 6)), keyed("1-3-5"), ENTRY)
    assert dues(DRAW, law, wrong, []) == [("amend entry by game supervisor", "VI-6.7")]
    carries(no(wrong, SETTLED[0]), "NZ1996-VI-6.7")
    carries(no(wrong, Performed("amend entry", "dealer", "1-3-6")), "NZ1996-VI-6.8")
    carries(no(wrong, Performed("amend entry", "game supervisor", "1-3-4")), "NZ1996-VI-6.7")
    right = acted(DRAW, law, wrong, Performed("amend entry", "game supervisor", "1-3-6"))
    assert entered(law, wrong) == (1, 3, 5)
    assert entered(law, right) == (1, 3, 6)
    assert [fact.detail for fact in right.said if fact.act in ("press numbers", "amend entry")] == ["1-3-5", "1-3-6"]
    assert dues(DRAW, law, right, [])[0][0] == "collect losing wagers by dealer"
    said = ruling(Irregular("wrong_numbers_entered"), DiceFell((1, 3, 6)))
    carries(said, "NZ1996-VI-6.7")
    assert (said.remedy, said.by, said.call) == (Remedy.AGAIN, "game supervisor", "")
    assert acted(DRAW, law, wrong, Irregular("wrong_numbers_entered")) == wrong


def test_6_7_a_right_entry_in_any_order_needs_no_amendment() -> None:
    law = rules_of(TAI_SAI)
    right = sat(*SPUN, DiceFell((1, 3, 6)), called((1, 3, 6)), keyed("6-3-1"), ENTRY)
    carries(no(right, Performed("amend entry", "game supervisor", "1-3-6")), "NZ1996-VI-6.6a")
    assert dues(DRAW, law, right, []) == [("collect losing wagers by dealer", "VI-6.6a")]


# ---------------------------------------------------------------- opening (5.0)


def test_5_0_a_casino_supervisor_opens_the_table() -> None:
    law = rules_of(TAI_SAI)
    assert dues(DRAW, law, DrawSitting(owed=("opening",)), OPENING) == [
        ("switch on electronics by casino supervisor", "VI-5.0a"),
        ("test lights by casino supervisor", "VI-5.0b"),
        ("test tumbler by casino supervisor", "VI-5.0c"),
        ("check seal by casino supervisor", "VI-5.0d"),
        ("tumble dice by dealer", "VI-6.1"),
    ]
    closed: DrawSitting[Faces] = DrawSitting(owed=("opening",))
    for done, rule in enumerate(("5.0a", "5.0b", "5.0c", "5.0d")):
        half = acted(DRAW, law, closed, *OPENING[:done])
        carries(no(half, TUMBLED[0]), f"NZ1996-VI-{rule}")
        carries(no(half, Performed(OPENING[done].act, "game supervisor", OPENING[done].detail)), "NZ1996-VI-6.8")
    carries(no(acted(DRAW, law, closed, *OPENING[:3]), Performed("check seal", detail="seal broken")), "NZ1996-VI-5.0d")


# ---------------------------------------------------------------- void rounds (7.1-7.7)


def test_the_list_of_circumstances_is_closed() -> None:
    assert tuple(CIRCUMSTANCES) == tuple(rules_of(TAI_SAI).common.irregularities)
    answer = refused(TAI_SAI.rule_on(rules_of(TAI_SAI), Draw(), Irregular("flood")))
    carries(answer, "NZ1996-I-8.1")
    assert answer.reason.endswith("the game supervisor decides")


@pytest.mark.parametrize("call", ["", "No spin"])
@pytest.mark.parametrize(("circumstance", "number"), VOIDED.items())
def test_7_5_a_void_spin_makes_the_round_void_called_or_not(circumstance: str, number: str, call: str) -> None:
    law = rules_of(TAI_SAI)
    said = ruling(Irregular(circumstance, call=call))
    carries(said, f"NZ1996-VI-{number}")
    assert (said.remedy, said.by, said.call) == (Remedy.VOID_ROUND, "dealer", "No spin")
    assert law.common.unannounced.value == set(VOIDED)
    this = placed(open_round(TAI_SAI, law), Wager("small", 1000), Wager("face:1", 500))
    late: tuple[tuple[Fact, ...], ...] = ((Called("No more bets"),), (DiceFell((1, 2, 3)),))
    for facts in ((), *(late if circumstance != "dice_exposed" else ())):
        ended = happened(this, *facts, Irregular(circumstance, call=call))
        assert [entry.resolution for entry in ended.book] == [Void(said.rule)] * 2
        assert ended.over
        assert ended.due == Over(said.rule)
        assert TAI_SAI.outcome(law, ended.state)["dice"] is None
        assert sum(settle(entry, TAI_SAI.rounding(law), 1).returned_cents for entry in ended.book) == 1500
        carries(refused(happen(ended, DiceFell((1, 2, 3)))), said.rule)
        carries(refused(place(ended, (Wager("small", 100),))), "NZ1996-VI-3.9")


@pytest.mark.parametrize("circumstance", VOIDED)
def test_7_5_after_a_void_round_a_new_game_starts(circumstance: str) -> None:
    law = rules_of(TAI_SAI)
    voided = sat(*(TUMBLED if circumstance == "dice_exposed" else SPUN), Irregular(circumstance))
    carries(refused(may_bet(law.common, law.ceremony, voided)), "NZ1996-VI-6.9")
    after = new_game(law, voided)
    broken = circumstance == "tumbler_fault"
    assert after == DrawSitting(owed=("malfunction",) if broken else ())
    assert dues(DRAW, law, after, [])[0][1] == ("VI-7.7" if broken else "VI-6.1")


def test_7_1_only_the_dealer_announces_it() -> None:
    it = Irregular("die_not_flat", call="No spin", by="seat 1")
    carries(refused(TAI_SAI.rule_on(rules_of(TAI_SAI), Draw(), it)), "NZ1996-VI-7.1")


def test_7_3_dice_seen_after_the_call_are_no_ground() -> None:
    law = rules_of(TAI_SAI)
    this = placed(open_round(TAI_SAI, law), Wager("small", 1000))
    for facts in ((Called("No more bets"),), (DiceFell((1, 2, 3)),)):
        carries(refused(happen(happened(this, *facts), Irregular("dice_exposed"))), "NZ1996-VI-7.3")


def test_7_6_wrong_lights_change_nothing_but_stop_the_next_game() -> None:
    law = rules_of(TAI_SAI)
    this = happened(placed(open_round(TAI_SAI, law), Wager("small", 100), Wager("big", 100)), DiceFell((1, 2, 3)))
    assert happened(this, Irregular("lights_wrong")).book == this.book
    said = ruling(Irregular("lights_wrong"), DiceFell((1, 2, 3)))
    carries(said, "NZ1996-VI-7.6")
    assert (said.remedy, said.by, said.call) == (Remedy.STAND, "dealer", "")
    carries(refused(TAI_SAI.rule_on(law, Draw(), Irregular("lights_wrong"))), "NZ1996-VI-7.6")
    spun = sat(*SPUN, DiceFell((1, 2, 3)), Irregular("lights_wrong"), Irregular("lights_wrong"))
    settled = acted(DRAW, law, spun, called((1, 2, 3)), keyed("1-2-3"), ENTRY, *SETTLED)
    assert new_game(law, settled).owed == ("malfunction",)


def test_7_7_after_a_fault_the_inspector_is_told_and_it_is_put_right_first() -> None:
    law = rules_of(TAI_SAI)
    broken = new_game(law, sat(*SPUN, Irregular("tumbler_fault")))
    carries(no(broken, TUMBLED[0]), "NZ1996-VI-7.7")
    carries(no(broken, Performed("restore", "operator", "rectified")), "NZ1996-VI-7.7")
    notified = acted(DRAW, law, broken, Performed("notify inspector", "casino manager"))
    carries(no(notified, TUMBLED[0]), "NZ1996-VI-7.7")
    wrong = no(notified, Performed("restore", "operator", "ignored"))
    carries(wrong, "NZ1996-VI-7.7")
    assert wrong.reason.endswith("rectified or safe procedures introduced is due")
    staff = "operator or dealer or game supervisor or casino supervisor or shift manager or casino manager"
    for sitting, act in ((broken, "notify inspector"), (notified, "restore")):
        stranger = no(sitting, Performed(act, "seat 1", "rectified"))
        carries(stranger, "NZ1996-VI-6.8")
        assert staff in stranger.reason
    for how in ("rectified", "safe procedures introduced"):
        facts = [Performed("notify inspector", "operator"), Performed("restore", "operator", how)]
        assert dues(DRAW, law, broken, facts) == [
            ("notify inspector by operator", "VI-7.7"),
            ("restore by operator", "VI-7.7"),
            ("tumble dice by dealer", "VI-6.1"),
        ]


def test_3_6_a_straddling_chip_is_put_right_before_the_call_and_void_after_it() -> None:
    it = Irregular("straddling_chip", to="small")
    before, after = ruling(it), ruling(it, Called("No more bets"))
    assert (before.remedy, after.remedy) == (Remedy.AGAIN, Remedy.VOID_WAGER)
    assert {before.by, after.by, before.call, after.call} == {"dealer", ""}
    for sitting in (sat(*TUMBLED), sat(*TUMBLED, *CLOSING)):
        assert acted(DRAW, rules_of(TAI_SAI), sitting, it) == sitting
    this = placed(open_round(TAI_SAI, rules_of(TAI_SAI)), Wager("small", 100), Wager("total:6", 100))
    ended = happened(this, DiceFell((1, 2, 3)), it)
    assert ended.book[0].resolution == Void("NZ1996-VI-3.6")
    assert isinstance(ended.book[1].resolution, Won)
    carries(before, "NZ1996-VI-3.6")
    carries(after, "NZ1996-VI-3.6")


# ---------------------------------------------------------------- whole games


def written_down() -> str:
    wagers = [
        *(Wager("small", 1000, by="seat 1"), Wager("double:3", 500, by="seat 1"), Wager("triple:3", 100, by="seat 2")),
        *(
            Wager("total:10", 200, by="seat 2"),
            Wager("combination:3-4", 200, by="seat 3"),
            Wager("face:3", 500, by="seat 3"),
        ),
        *(Wager("big", 1000, by="seat 4"), Wager("any_triple", 100, by="seat 4")),
    ]
    facts: list[Fact] = [*OPENING, *SPUN, DiceFell((3, 4, 3)), called((3, 3, 4)), keyed("3-3-5"), ENTRY]
    facts += [Performed("amend entry", "game supervisor", "3-3-4"), *SETTLED]
    return playthrough(TAI_SAI, DRAW, wagers, facts, DrawSitting(owed=("opening",)), len(OPENING) + len(TUMBLED))


def test_playthrough() -> None:
    check_playthrough("tai_sai", written_down())


@given(st.lists(st.one_of(facts_of(DRAW, TAI_SAI), st.sampled_from([*SPUN, ENTRY, *SETTLED])), max_size=25))
def test_the_ceremony_takes_or_refuses_any_fact(facts: list[Fact]) -> None:
    check_sitting(TAI_SAI, DRAW, DrawSitting(), facts)
