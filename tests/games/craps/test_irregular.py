"""Craps: void rolls, discretionary "No roll", tilted dice, calls and their overruling."""

from __future__ import annotations

import pytest

from croupier.game import DiceFell, Irregular, Perform, Performed, Refusal, Remedy, Ruling
from croupier.games.craps import CRAPS
from croupier.games.craps.procedure import demand
from croupier.round import happen
from tests.games.craps.test_cases import RULES, Step, bet, played, refused
from tests.helpers.observe import carries
from tests.helpers.rulings import ruling_on

X = "NZ1996-X-"

VOID = {
    "off_table": "7.1a",
    "die_on_die": "7.1b",
    "on_bank": "7.1c",
    "in_bowl_or_on_rail": "7.1d",
    "on_chips_by_sides": "7.1e",
    "fraud": "7.1f",
    "unapproved_dice": "7.1g",
    "uncallable": "7.1h",
}
AT_DISCRETION = {
    "not_together": "7.2a",
    "end_not_struck": "7.2b",
    "improper_throw": "7.2c",
    "other_irregularity": "7.2d",
}
WAITING: tuple[Step, ...] = ("4-4", bet("come", 10), bet("field", 10), bet("place:6", 12), bet("hardway:8", 5))


def ruling(fact: Irregular, *steps: Step) -> Ruling:
    """The ruling on an irregularity after these steps."""
    found = ruling_on(played(*steps), fact)
    assert found is not None, RULES
    return found


# ---------------------------------------------------------------- 7.1: void, called or not


@pytest.mark.parametrize(("circumstance", "rule"), VOID.items())
@pytest.mark.parametrize("said", ["", "no_roll", "No roll"])
def test_7_1_void_rolls(circumstance: str, rule: str, said: str) -> None:
    """Void whether or not it is called; every wager waits for the next roll, and the point stays."""
    fact = Irregular(circumstance, call=said)
    found = ruling(fact, *WAITING)
    assert found == Ruling(
        found.on,
        Remedy.AGAIN,
        X + rule,
        "stickperson",
        (Performed("no_roll", "stickperson", X + rule),),
        call="No roll",
    )
    before = played(*WAITING, {"perform": "release"})
    after = happen(before, fact)
    assert not isinstance(after, Refusal)
    assert after.standing == before.standing
    assert (after.state.point, after.state.dice.where) == (8, "held")
    decided = happen(after, DiceFell((4, 4)))
    assert not isinstance(decided, Refusal)
    assert [wager.on for wager in decided.standing] == ["come", "place:6"]


@pytest.mark.parametrize(("circumstance", "rule"), VOID.items())
def test_7_1_is_called_by_stickperson_or_game_supervisor(circumstance: str, rule: str) -> None:
    assert ruling(Irregular(circumstance, by="game supervisor")).by == "game supervisor"
    carries(refused(Irregular(circumstance, by="seat 2")), X + rule)


def test_7_1_wagers_may_come_down_after_a_void_roll() -> None:
    assert not played(bet("field", 10), {"irregular": "off_table"}, {"take": "field"}).standing


# ---------------------------------------------------------------- 7.2: void if called


@pytest.mark.parametrize(("circumstance", "rule"), AT_DISCRETION.items())
def test_7_2_the_roll_stands_unless_no_roll_is_called(circumstance: str, rule: str) -> None:
    stands = ruling(Irregular(circumstance))
    assert stands == Ruling(stands.on, Remedy.STAND, X + "7.2", "stickperson")
    void = ruling(Irregular(circumstance, call="no_roll", by="game supervisor"))
    assert (void.remedy, void.by, void.call) == (Remedy.AGAIN, "game supervisor", "No roll")
    carries(void, X + rule)
    carries(refused(Irregular(circumstance, call="no_roll", by="dealer")), X + rule)
    assert played(bet("field", 10), Irregular(circumstance), "1-1").book[0].resolution


def test_7_2_no_roll_is_void_at_once_and_the_reason_is_asked_after() -> None:
    this = played(bet("field", 10), {"perform": "release"}, {"perform": "no_roll", "by": "game supervisor"})
    assert this.standing
    assert this.state.dice.where == "held"
    asked = demand(RULES, (), this.state, this.standing)
    assert asked == Perform("reason", "game supervisor", X + "7.2c")
    given: Step = {"perform": "reason", "by": "game supervisor", "detail": "dice slid"}
    answered = happen(this, Performed("reason", "game supervisor", "dice slid"))
    assert not isinstance(answered, Refusal)
    assert demand(RULES, (), answered.state, ()) is None
    carries(refused(given), X + "1.0-def-come-out-roll")
    carries(refused({"perform": "no_roll", "by": "seat 4"}), X + "7.2")


# ---------------------------------------------------------------- 7.3, 7.4, 5.4


@pytest.mark.parametrize("said", ["", "no_roll"])
def test_7_3_touching_chips_is_no_ground(said: str) -> None:
    found = ruling(Irregular("touched_chips", call=said))
    assert found == Ruling(found.on, Remedy.STAND, X + "7.3", "stickperson")


def test_7_4_a_call_after_rest_is_noted_as_late() -> None:
    flying: tuple[Step, ...] = ({"perform": "release"},)
    assert ruling(Irregular("on_bank"), *flying).call == "No roll"
    assert ruling(Irregular("on_bank"), *flying, {"perform": "rest"}).call == "No roll (late)"
    assert RULES.late_call.rule == X + "7.4"


def test_5_4_one_hand_only() -> None:
    found = ruling(Irregular("two_hands"))
    assert found == Ruling(found.on, Remedy.STAND, X + "5.4", "stickperson", call="One hand only")
    carries(ruling(Irregular("two_hands", call="no_roll")), X + "7.2c")


# ---------------------------------------------------------------- 5.5: reading the dice


@pytest.mark.parametrize("side", range(1, 7))
def test_5_5c_a_tilted_die_shows_the_face_opposite_its_rest(side: int) -> None:
    found = ruling(Irregular("tilted_die", to=f"3-r{side}"))
    assert found == Ruling(found.on, Remedy.USE, X + "5.5c", "stickperson", (DiceFell((3, 7 - side)),))


def test_5_5c_both_may_be_tilted_and_wagers_are_decided() -> None:
    this = played(bet("field", 10), {"irregular": "tilted_die", "to": "r6-r6"})
    assert CRAPS.outcome(RULES, this.state)["total"] == 2
    resolution = this.book[0].resolution
    assert resolution is not None
    carries(resolution, X + "6.1-pay-field-2")


@pytest.mark.parametrize("to", ["", "3-4", "3-r7", "3-r0", "r2", "3-r2-r2", "3-r²", "rr-r1", "3-r11"])
def test_5_5c_what_is_no_tilted_throw(to: str) -> None:
    carries(refused(Irregular("tilted_die", to=to)), X + "5.5c")


def test_5_5d_the_game_supervisor_decides_a_disputed_face_or_voids_the_throw() -> None:
    decided = ruling(Irregular("face_disputed", call="4-3"))
    assert decided == Ruling(decided.on, Remedy.USE, X + "5.5d", "game supervisor", (DiceFell((4, 3)),))
    void = ruling(Irregular("face_disputed", call="void"))
    assert (void.remedy, void.call) == (Remedy.AGAIN, "No roll")
    carries(void, X + "5.5d")
    carries(refused(Irregular("face_disputed", call="4-3", by="stickperson")), X + "5.5d")
    carries(refused(Irregular("face_disputed")), X + "5.5d")
    carries(refused(Irregular("face_disputed", call="7-1")), X + "5.5d")
    called: Step = {"perform": "call", "detail": "4-4"}
    assert played(called, Irregular("face_disputed", call="4-3")).state.last == (4, 3)
    above: Step = {"irregular": "wrong_call", "call": "4-4", "by": "casino supervisor"}
    carries(refused(called, above, Irregular("face_disputed", call="4-3")), X + "7.6")


def test_5_5a_the_stickpersons_call_binds() -> None:
    called: Step = {"perform": "call", "by": "stickperson", "detail": "6-5"}
    assert played(called, "5-6").state.last == (5, 6)
    carries(refused(called, "6-4"), X + "5.5a")
    carries(refused(called, called), X + "5.5a")
    carries(refused(called, Irregular("tilted_die", to="6-r1")), X + "5.5a")
    carries(refused({"perform": "call", "detail": "6"}), X + "5.5b")
    carries(refused({"perform": "call", "detail": "eleven"}), X + "5.5b")
    carries(refused({"perform": "call", "detail": "6-7"}), X + "2.3")


def test_1_0_only_the_stickperson_calls() -> None:
    for by in ("dealer", "seat 1", "game supervisor"):
        carries(refused({"perform": "call", "by": by, "detail": "6-5"}), X + "1.0-def-stickperson")
    for by in ("stickperson", ""):
        call = played({"perform": "call", "by": by, "detail": "6-5"}).state.call
        assert (call.faces, call.by) == ((6, 5), "stickperson")


# ---------------------------------------------------------------- 7.5 to 7.7: overruling

LADDER = {
    "stickperson": 0,
    "game supervisor": 1,
    "casino supervisor": 2,
    "shift manager": 3,
    "casino manager": 3,
}
OVERRULES = {"game supervisor": "7.5", "casino supervisor": "7.6", "shift manager": "7.7", "casino manager": "7.7"}


def ruled(by: str, faces: str) -> Irregular:
    return Irregular("wrong_call", call=faces, by=by)


@pytest.mark.parametrize("first", OVERRULES)
@pytest.mark.parametrize("second", OVERRULES)
def test_an_official_overrules_only_those_below(first: str, second: str) -> None:
    called: tuple[Step, ...] = ({"perform": "call", "detail": "3-4"}, ruled(first, "4-4"))
    this = played(*called)
    assert this.state.call is not None
    assert (this.state.call.faces, this.state.call.by) == ((4, 4), first)
    if LADDER[second] > LADDER[first]:
        found = ruling(ruled(second, "5-4"), *called)
        assert found == Ruling(
            found.on, Remedy.RECONSTRUCT, X + OVERRULES[second], second, (Performed("overrule", second, "5-4"),)
        )
        assert played(*called, ruled(second, "5-4"), "5-4").state.last == (5, 4)
        carries(refused(*called, ruled(second, "5-4"), "4-4"), X + OVERRULES[second])
    else:
        carries(refused(*called, ruled(second, "5-4")), X + OVERRULES[first])
        carries(refused(*called, Performed("overrule", second, "5-4")), X + OVERRULES[first])


def test_7_5_settled_on_what_the_supervisor_ruled() -> None:
    this = played(bet("any_seven", 5), bet("big_eight", 5), {"perform": "call", "detail": "3-4"})
    after = happen(this, ruled("game supervisor", "4-4"))
    assert not isinstance(after, Refusal)
    assert len(after.standing) == 2
    settled = happen(after, DiceFell((4, 4)))
    assert not isinstance(settled, Refusal)
    lost, won = (entry.resolution for entry in settled.book)
    assert lost is not None
    assert won is not None
    carries(lost, X + "3.1p-ii")
    carries(won, X + "6.1-pay-big-eight")


def test_7_5_there_must_be_a_call_and_an_official() -> None:
    carries(refused(ruled("game supervisor", "4-4")), X + "7.5")
    called: Step = {"perform": "call", "detail": "3-4"}
    carries(refused(called, ruled("dealer", "4-4")), X + "7.5")
    carries(refused(called, "3-4", {"perform": "release"}, ruled("game supervisor", "4-4")), X + "7.5")
    carries(refused(called, ruled("casino supervisor", "eight")), X + "7.6")
    carries(refused(called, ruled("game supervisor", "")), X + "7.5")


def test_7_5_a_throw_that_was_entered_as_called_falls_as_the_supervisor_ruled() -> None:
    called: Step = {"perform": "call", "detail": "3-4"}
    for entered in ((called, "3-4"), ("3-4",)):
        after = played(bet("any_seven", 5), bet("big_eight", 5), *entered, ruled("game supervisor", "4-4"))
        lost, won = (entry.resolution for entry in after.book)
        assert lost is not None
        assert won is not None
        carries(lost, X + "3.1p-ii")
        carries(won, X + "6.1-pay-big-eight")
        assert after.state.point == 8


def test_7_5_a_no_roll_may_be_overruled_and_ruled() -> None:
    void: Step = {"irregular": "not_together", "call": "no_roll"}
    stands = played(bet("field", 10), void, ruled("game supervisor", "1-1"), "1-1")
    assert not stands.standing
    called: Step = {"perform": "call", "detail": "1-1"}
    waits = played(bet("field", 10), called, ruled("casino supervisor", "No roll"))
    assert waits.standing
    carries(refused(called, ruled("casino supervisor", "1-2"), void), X + "7.6")
    carries(
        refused(bet("field", 10), called, ruled("shift manager", "no_roll"), ruled("game supervisor", "1-1")), X + "7.7"
    )
    assert not played(bet("field", 10), called, ruled("casino manager", "no_roll"), "1-1").standing


# ---------------------------------------------------------------- 4.5, and what no rule provides


def test_4_5d_lost_dice() -> None:
    one = ruling(Irregular("dice_lost", to="1"))
    assert one == Ruling(
        one.on, Remedy.PLAY_ON, X + "4.1", "stickperson", (Performed("dice_lost", "stickperson", "1"),)
    )
    two = ruling(Irregular("dice_lost", to="2"))
    assert two == Ruling(
        two.on, Remedy.REPLACE, X + "4.5d", "stickperson", (Performed("dice_lost", "stickperson", "2"),)
    )
    carries(ruling(Irregular("dice_lost"), Irregular("dice_lost")), X + "4.5d")


STICK, SUPERVISOR = "stickperson", "game supervisor"
BOTH = (STICK, SUPERVISOR)
TABLE = [
    *((name, "", Remedy.AGAIN, rule, BOTH, "No roll") for name, rule in VOID.items()),
    *((name, "no_roll", Remedy.AGAIN, rule, BOTH, "No roll") for name, rule in AT_DISCRETION.items()),
    *((name, "", Remedy.STAND, "7.2", BOTH, "") for name in AT_DISCRETION),
    ("touched_chips", "", Remedy.STAND, "7.3", BOTH, ""),
    ("two_hands", "no_roll", Remedy.AGAIN, "7.2c", BOTH, "No roll"),
    ("two_hands", "", Remedy.STAND, "5.4", BOTH, "One hand only"),
    ("face_disputed", "void", Remedy.AGAIN, "5.5d", (SUPERVISOR,), "No roll"),
    ("face_disputed", "4-3", Remedy.USE, "5.5d", (SUPERVISOR,), ""),
    ("dice_lost", "", Remedy.PLAY_ON, "4.1", BOTH, ""),
]


@pytest.mark.parametrize(("name", "said", "remedy", "rule", "officials", "call"), TABLE)
def test_table_of_irregularities(
    name: str, said: str, remedy: Remedy, rule: str, officials: tuple[str, ...], call: str
) -> None:
    """Remedy, rule, call and the officials who may say so, the first of them if nobody is named."""
    for by in (*officials, ""):
        found = ruling(Irregular(name, call=said, by=by))
        assert (found.remedy, found.by, found.call) == (remedy, by or officials[0], call)
        carries(found, X + rule)
    for by in {STICK, SUPERVISOR, "dealer", "casino supervisor"} - set(officials):
        carries(refused(Irregular(name, call=said, by=by)), X + rule)


def test_supervisor_may_read_a_tilted_die_and_find_dice_lost() -> None:
    for by in BOTH:
        tilted, lost = Irregular("tilted_die", to="3-r2", by=by), Irregular("dice_lost", to="2", by=by)
        assert (ruling(tilted).by, ruling(lost).by) == (by, by)
        carries(ruling(tilted), X + "5.5c")
        carries(ruling(lost), X + "4.5d")


def test_what_no_rule_provides_for() -> None:
    answer = CRAPS.rule_on(RULES, played().state, Irregular("earthquake"))
    assert isinstance(answer, Refusal)
    carries(answer, "NZ1996-I-8.1")
    assert "the game supervisor decides" in answer.reason


def test_every_circumstance_has_a_ruling() -> None:
    assert set(CRAPS.circumstances) == set(RULES.irregularities) | {"wrong_call"}


def test_no_throw_is_in_hand() -> None:
    steps: tuple[Step, ...] = (bet("pass", 10, "seat 1"), {"choose": "accept_dice", "by": "seat 1"}, "pass_dice")
    carries(refused(*steps, {"irregular": "off_table"}), X + "5.9")
    carries(refused(*steps, {"perform": "call", "detail": "3-4"}), X + "5.9")
    carries(refused(*steps, {"perform": "no_roll"}), X + "5.9")
    carries(refused(*steps, {"perform": "release"}), X + "5.9")
