"""Craps: the point, the shooter and the offer of the dice, the set of dice, and the ceremonies around a throw."""

from __future__ import annotations

import pytest

from croupier.equipment import DICE_TWO
from croupier.game import CardSeen, Choose, DiceFell, Perform, Performed, Refusal, Roll, Wager
from croupier.games.craps import CRAPS
from croupier.games.craps.layout import CrapsLayout, how, total
from croupier.games.craps.procedure import demand, due, offers, perform
from croupier.games.craps.rules import DiceRules
from croupier.round import open_round
from tests.games.craps.test_cases import RULES, Step, bet, played, refused
from tests.helpers.observe import carries

X = "NZ1996-X-"
SEATS = tuple(f"seat {n}" for n in range(1, 8))


def accepts(by: str) -> dict[str, str]:
    return {"choose": "accept_dice", "by": by}


def declines(by: str) -> dict[str, str]:
    return {"choose": "decline_dice", "by": by}


def acts(act: str, by: str = "", detail: str = "") -> Performed:
    return Performed(act, by, detail)


def shown(*steps: Step) -> dict[str, object]:
    return dict(CRAPS.outcome(RULES, played(*steps).state))


# ---------------------------------------------------------------- the point


@pytest.mark.parametrize("faces", DICE_TWO.outcomes)
def test_come_out_roll_sets_the_point_or_none(faces: tuple[int, int]) -> None:
    """1.0: 4, 5, 6, 8, 9 and 10 are points; after any other total the next roll is a come out roll again."""
    this = played(DiceFell(faces))
    point = this.state.point
    assert point == (sum(faces) if sum(faces) in (4, 5, 6, 8, 9, 10) else 0)
    carries(this.due, X + ("5.2" if point else "1.0-def-come-out-roll"))


@pytest.mark.parametrize("point", [4, 5, 6, 8, 9, 10])
@pytest.mark.parametrize("faces", DICE_TWO.outcomes)
def test_the_point_stays_until_it_or_a_seven_falls(point: int, faces: tuple[int, int]) -> None:
    state = CRAPS.apply(RULES, CrapsLayout(point), DiceFell(faces))
    assert isinstance(state, CrapsLayout)
    assert state.point == (0 if sum(faces) in (point, 7) else point)
    assert state.seven_out == (sum(faces) == 7)


def test_1_0_seven_out_only_after_a_point() -> None:
    assert shown("4-4", "3-4")["seven_out"] is True
    assert shown("3-4")["seven_out"] is False
    assert shown("4-4", "3-4", "5-5")["seven_out"] is False


def test_2_4d_the_puck_shows_the_point() -> None:
    assert shown()["puck"] == "Off"
    assert shown("2-3")["puck"] == "On 5"
    assert shown("2-3", "1-4")["puck"] == "Off"
    assert RULES.puck.rule == X + "2.4d"


def test_1_0_total_is_the_sum_of_two_faces() -> None:
    assert shown("3-4")["total"] == total((3, 4)) == 7
    assert shown("6-5")["total"] == 11
    assert [how(RULES, faces, 8) for faces in ((4, 4), (5, 3), (3, 4), (1, 1))] == ["hard", "easy", "seven", None]


@pytest.mark.parametrize("faces", [(3,), (3, 4, 5), ()])
def test_5_5b_one_face_counts_on_each_of_two_dice(faces: tuple[int, ...]) -> None:
    carries(refused(DiceFell(faces)), X + "5.5b")


@pytest.mark.parametrize("faces", [(0, 3), (7, 1), (3, 7), (-1, 8)])
def test_2_3_faces_are_one_to_six(faces: tuple[int, ...]) -> None:
    carries(refused(DiceFell(faces)), X + "2.3")


def test_2_3_throws_are_uniform_and_independent() -> None:
    """The space of a throw: 36 ordered pairs, alike in weight, which is each die by itself."""
    space = RULES.dice.outcomes.value
    assert len(set(space.outcomes)) == 36
    assert set(space.weights) == {1}
    assert RULES.dice.outcomes.rules == (X + "2.3", X + "2.3a", X + "2.3b")


def test_other_facts_do_not_answer() -> None:
    carries(refused(CardSeen(3)), X + "1.0-def-come-out-roll")
    carries(refused("4-4", {"choose": "hit"}), X + "5.2")
    carries(refused({"perform": "shuffle"}), X + "1.0-def-come-out-roll")
    carries(refused({"perform": "rest"}), X + "1.0-def-come-out-roll")
    carries(refused({"perform": "release"}, {"perform": "release"}), X + "1.0-def-come-out-roll")
    carries(refused({"perform": "reason", "detail": "none"}), X + "1.0-def-come-out-roll")


def test_a_table_can_rest_at_any_time() -> None:
    for steps in ((), ("4-4",), (bet("pass", 10), accepts(""))[:1]):
        assert CRAPS.at_rest(RULES, played(*steps).state)
    assert open_round(CRAPS, RULES).over
    assert not played(bet("pass", 10)).over


# ---------------------------------------------------------------- the shooter


def test_5_2_the_shooter_throws() -> None:
    assert played().due == Roll("shooter", X + "1.0-def-come-out-roll")
    named = played(bet("pass", 10, "seat 1"), accepts("seat 1"))
    assert named.due == Roll("seat 1", X + "1.0-def-come-out-roll")
    assert played("4-4").due == Roll("shooter", X + "5.2")


@pytest.mark.parametrize("line", ["pass", "dont_pass"])
def test_5_1_a_shooter_needs_a_line_wager(line: str) -> None:
    carries(refused(accepts("seat 1")), X + "5.1")
    carries(refused(bet("field", 10, "seat 1"), accepts("seat 1")), X + "5.1")
    carries(refused(bet(line, 10, "seat 2"), accepts("seat 1")), X + "5.1")
    this = played(bet(line, 10, "seat 1"), accepts("seat 1"))
    assert this.state.shooter == "seat 1"
    carries(refused(bet(line, 10, "seat 1"), accepts("seat 1"), "5-6", "4-4"), X + "5.1")


def test_5_3_the_shooter_keeps_a_line_wager() -> None:
    steps: tuple[Step, ...] = (
        bet("dont_pass", 10, "seat 1"),
        accepts("seat 1"),
        "4-4",
        bet("field", 5, "seat 1"),
    )
    taken: Step = {"take": "dont_pass", "by": "seat 1"}
    assert played(*steps, "4-5").state.point == 8
    carries(refused(*steps, taken, "4-5"), X + "5.3")
    carries(refused(*steps, taken, {"irregular": "tilted_die", "to": "4-r2"}), X + "5.3")
    this = played(*steps, taken)
    assert demand(RULES, SEATS, this.state, this.standing) == Choose("seat 1", ("pass_dice",), X + "5.3")


@pytest.mark.parametrize("line", ["pass", "dont_pass"])
def test_5_3_either_line_wager_lets_the_shooter_go_on(line: str) -> None:
    this = played(bet(line, 10, "seat 1"), accepts("seat 1"), "4-4", "4-5", "2-2")
    assert (this.state.point, this.state.shooter) == (8, "seat 1")
    assert demand(RULES, SEATS, this.state, this.standing) is None


def test_5_8_the_shooter_may_pass_and_the_point_stays() -> None:
    steps: tuple[Step, ...] = (bet("pass", 10, "seat 1"), bet("pass", 10, "seat 2"), accepts("seat 1"), "3-3")
    this = played(*steps, {"choose": "pass_dice", "by": "seat 1"})
    assert (this.state.point, this.state.shooter) == (6, "")
    carries(this.due, X + "5.9")
    assert played(*steps, "pass_dice", accepts("seat 2"), "3-3").state.point == 0
    carries(refused(*steps, {"choose": "pass_dice", "by": "seat 2"}), X + "5.8")
    carries(refused(*steps, "pass_dice", "pass_dice"), X + "5.8")
    carries(refused(*steps, {"perform": "release"}, "pass_dice"), X + "5.8")
    carries(refused(*steps, "pass_dice", accepts("seat 1")), X + "5.8")


def test_5_8a_a_seven_out_passes_the_dice() -> None:
    steps: tuple[Step, ...] = (bet("pass", 10, "seat 1"), accepts("seat 1"), "3-3", "3-4", bet("pass", 10, "seat 1"))
    assert played(*steps).state.shooter == ""
    carries(refused(*steps, accepts("seat 1")), X + "5.8a")
    carries(refused(*steps, "3-3"), X + "5.9")
    assert played(*steps).due == Choose("next shooter", ("accept_dice", "decline_dice"), X + "5.9")
    assert played(bet("pass", 10, "seat 1"), accepts("seat 1"), "3-4").state.shooter == "seat 1"
    assert played(*steps, {"perform": "no_taker"}, accepts("seat 1")).state.shooter == "seat 1"


def test_5_8a_a_seven_on_an_inherited_point_is_a_seven_out() -> None:
    lines = (bet("pass", 10, "seat 1"), bet("pass", 10, "seat 2"))
    this = played(*lines, accepts("seat 1"), "3-3", "pass_dice", accepts("seat 2"), "3-4")
    assert (this.state.seven_out, this.state.former, this.state.given_up) == (True, "seat 2", X + "5.8a")


@pytest.mark.parametrize("reason", ["delay", "invalid_rolls", "breach"])
def test_5_8b_the_game_supervisor_may_order_a_pass(reason: str) -> None:
    steps: tuple[Step, ...] = (bet("pass", 10, "seat 1"), accepts("seat 1"), "3-3")
    this = played(*steps, acts("order_pass", "game supervisor", reason))
    assert (this.state.shooter, this.state.former, this.state.given_up) == ("", "seat 1", X + "5.8b")
    carries(refused(*steps, acts("order_pass", "game supervisor", "luck")), X + "5.8b")
    carries(refused(*steps, acts("order_pass", "dealer", reason)), X + "5.8b")
    carries(refused(*steps, acts("order_pass", "", reason), accepts("seat 1")), X + "5.8b")


def test_5_9_one_shooter_at_a_time() -> None:
    steps: tuple[Step, ...] = (bet("pass", 10, "seat 1"), bet("pass", 10, "seat 2"), accepts("seat 1"))
    carries(refused(*steps, accepts("seat 2")), X + "5.9")
    carries(refused(*steps, declines("seat 2")), X + "5.9")
    carries(refused(*steps, {"perform": "no_taker"}), X + "5.9")
    carries(refused(bet("pass", 10), "accept_dice"), X + "5.9")
    carries(refused("decline_dice"), X + "5.9")


def in_turn(layout: CrapsLayout, *wagers: Wager) -> list[tuple[str, str]]:
    return [(offer.by, offer.rule.removeprefix(X)) for offer in offers(RULES, SEATS, layout, wagers)]


def test_4_3_first_offers_go_clockwise_from_the_supervisors_left() -> None:
    layout = open_round(CRAPS, RULES).state
    assert in_turn(layout) == [(seat, "4.3") for seat in SEATS]
    _, second, _ = offers(RULES, ("seat 1", "seat 4", "seat 7"), layout, ())
    assert second == Choose("seat 4", ("accept_dice", "decline_dice"), X + "4.3")


def test_5_9_later_offers_go_clockwise_from_the_last_shooter() -> None:
    """Seat 3 gives up; those with a line wager come first, then the others."""
    layout = CrapsLayout(0, former="seat 3", given_up=X + "5.8")
    backed = (bet("pass", 10, "seat 1"), bet("dont_pass", 10, "seat 5"), bet("field", 10, "seat 4"))
    assert in_turn(layout, *backed) == [
        ("seat 5", "5.9a"),
        ("seat 1", "5.9b"),
        ("seat 4", "5.9b"),
        ("seat 6", "5.9b"),
        ("seat 7", "5.9b"),
        ("seat 2", "5.9b"),
    ]


def test_5_9_with_a_point_on_only_those_with_a_line_wager_can_take_the_dice() -> None:
    layout = CrapsLayout(6, former="seat 3", given_up=X + "5.8")
    backed = (bet("pass", 10, "seat 1"), bet("pass", 10, "seat 3"), bet("dont_pass", 10, "seat 5"))
    assert in_turn(layout, *backed) == [("seat 5", "5.9a"), ("seat 1", "5.9b")]
    assert in_turn(layout) == []


def test_5_9_the_dice_are_offered_to_the_next_who_has_not_declined() -> None:
    lines = (bet("pass", 10, "seat 3"), bet("pass", 10, "seat 5"), bet("pass", 10, "seat 1"))
    steps: tuple[Step, ...] = (*lines, accepts("seat 3"), "4-4", "pass_dice")
    first = played(*steps)
    offered = demand(RULES, SEATS, first.state, first.standing)
    assert offered == Choose("seat 5", ("accept_dice", "decline_dice"), X + "5.9a")
    second = played(*steps, declines("seat 5"))
    assert demand(RULES, SEATS, second.state, second.standing) == Choose(
        "seat 1", ("accept_dice", "decline_dice"), X + "5.9b"
    )
    taken = played(*steps, declines("seat 5"), accepts("seat 1"))
    assert demand(RULES, SEATS, taken.state, taken.standing) is None
    assert taken.state.declined == ()


def test_5_9_nothing_is_offered_while_someone_throws() -> None:
    this = played(bet("pass", 10, "seat 1"), accepts("seat 1"))
    assert demand(RULES, SEATS, this.state, this.standing) is None


def test_5_11_the_stickperson_throws_for_want_of_a_shooter() -> None:
    lines = (bet("pass", 10, "seat 1"), bet("place:8", 12, "seat 2"))
    steps: tuple[Step, ...] = (*lines, accepts("seat 1"), "3-3", "pass_dice")
    throws: Step = {"perform": "stickperson_throws"}
    carries(refused(*steps, throws), X + "5.11")
    alone = played(*steps)
    assert demand(RULES, SEATS, alone.state, alone.standing) == Perform("no_taker", "dealer", X + "5.11")
    offered = played(*steps, {"perform": "no_taker"})
    assert demand(RULES, SEATS, offered.state, offered.standing) == Perform(
        "stickperson_throws", "stickperson", X + "5.11"
    )
    declined = played(*(declines(seat) for seat in SEATS))
    assert demand(RULES, SEATS, declined.state, ()) == Perform("no_taker", "dealer", X + "5.11")
    none: Step = {"perform": "no_taker"}
    carries(refused(*steps, none, {"perform": "stickperson_throws", "by": "dealer"}), X + "5.11")
    this = played(*steps, none, throws)
    assert this.due == Roll("stickperson", X + "5.11")
    assert demand(RULES, SEATS, this.state, this.standing) is None
    out = played(*steps, none, throws, "3-4")
    assert out.state.seven_out
    carries(out.due, X + "5.9")


def test_5_11_only_while_a_wager_is_undecided() -> None:
    steps: tuple[Step, ...] = (
        bet("pass", 10, "seat 1"),
        accepts("seat 1"),
        "3-3",
        "pass_dice",
        {"perform": "no_taker"},
    )
    made = (*steps, {"perform": "stickperson_throws"}, "3-3")
    carries(refused(*made, "4-4"), X + "5.11")
    nothing_open = (bet("pass", 10, "seat 1"), accepts("seat 1"), "3-4", "pass_dice", {"perform": "no_taker"})
    carries(refused(*nothing_open, {"perform": "stickperson_throws"}), X + "5.11")
    assert played(*nothing_open, bet("pass", 10, "seat 1"), accepts("seat 1")).state.shooter == "seat 1"
    rest = played(*nothing_open)
    assert demand(RULES, SEATS, rest.state, rest.standing) is None


# ---------------------------------------------------------------- the set of dice


def test_4_4_two_dice_are_kept_and_the_rest_is_in_the_bowl() -> None:
    assert shown()["dice_in_bowl"] == 3
    law: DiceRules = RULES.dice
    assert law.kept.rules == (X + "4.4", X + "5.10")


def test_4_1_one_lost_die_is_played_without() -> None:
    this = played({"irregular": "off_table"}, {"irregular": "dice_lost"})
    carries(this.due, X + "1.0-def-come-out-roll")
    assert CRAPS.outcome(RULES, this.state)["dice_in_bowl"] == 2
    assert played("4-4", {"irregular": "dice_lost", "to": "1"}, "3-4", "4-4").state.point == 8


def test_4_5d_two_lost_dice_bring_a_new_set_when_the_shooter_is_done() -> None:
    """The shooter goes on with the old set, makes the point and goes on; a seven out brings the new one."""
    steps: tuple[Step, ...] = ("4-4", {"irregular": "dice_lost", "to": "2"}, "4-4", "3-3")
    carries(played(*steps).due, X + "5.2")
    out: tuple[Step, ...] = (*steps, "3-4")
    tell, new = acts("notify_government_inspector"), acts("replace_dice")
    assert played(*out).due == Perform("notify_government_inspector", "game supervisor", X + "4.5e")
    carries(refused(*out, "4-4"), X + "4.5e")
    carries(refused(*out, new), X + "4.5e")
    carries(played(*out, tell).due, X + "4.5d")
    carries(refused(*out, tell, "4-4"), X + "4.5d")
    carries(played(*out, tell, new).due, X + "1.0-def-come-out-roll")
    assert CRAPS.outcome(RULES, played(*out, tell, new).state)["dice_in_bowl"] == 3


@pytest.mark.parametrize("lost", ["1", "2"])
def test_4_5d_n_dice_lost(lost: str) -> None:
    """One is played without, two are not; two in turn are as good as two at once."""
    this = played({"irregular": "dice_lost", "to": lost}, "pass_dice")
    assert isinstance(this.due, Perform) == (lost == "2")
    twice = played({"irregular": "dice_lost"}, {"irregular": "dice_lost"}, "pass_dice")
    carries(twice.due, X + "4.5e")


def test_4_5d_given_up_dice_of_a_known_shooter() -> None:
    lines = (bet("pass", 10, "seat 1"), bet("pass", 10, "seat 2"))
    steps: tuple[Step, ...] = (*lines, accepts("seat 1"), "4-4", {"irregular": "dice_lost", "to": "2"}, "pass_dice")
    carries(refused(*steps, accepts("seat 2")), X + "4.5e")
    carries(refused(*steps, {"perform": "no_taker"}, {"perform": "stickperson_throws"}), X + "4.5e")
    waiting = played(*steps)
    assert demand(RULES, SEATS, waiting.state, waiting.standing) is None
    notified = (*steps, acts("notify_government_inspector"), acts("replace_dice"))
    assert played(*notified, accepts("seat 2")).state.shooter == "seat 2"


def test_4_5d_too_few_dice_to_go_on() -> None:
    steps: tuple[Step, ...] = ("4-4", {"irregular": "dice_lost", "to": "2"}, {"irregular": "dice_lost", "to": "1"})
    carries(played(*steps).due, X + "5.2")
    carries(played(*steps, {"irregular": "dice_lost", "to": "1"}).due, X + "4.5e")


def test_4_5d_what_cannot_be_lost_or_replaced() -> None:
    carries(refused(acts("dice_lost", "", "3")), X + "4.5d")
    carries(refused(acts("dice_lost", "", "many")), X + "4.5d")
    carries(refused(acts("replace_dice")), X + "4.5d")
    carries(refused(acts("notify_government_inspector")), X + "1.0-def-come-out-roll")
    all_gone = ({"irregular": "dice_lost", "to": "2"}, {"irregular": "dice_lost", "to": "2"})
    carries(refused(*all_gone, {"irregular": "dice_lost", "to": "2"}), X + "4.5d")
    assert shown(*all_gone)["dice_in_bowl"] == 0


# ---------------------------------------------------------------- scripts

SCRIPTS = {
    "new dice": [
        ("inspect as dealer", "dealer", "4.2"),
        ("inspect as game supervisor", "game supervisor", "4.2"),
        ("put in bowl", "dealer", "4.2"),
    ],
    "first shooter": [
        ("offer the set", "stickperson", "4.3"),
        ("choose two dice", "shooter", "4.4"),
        ("bowl before the stickperson", "dealer", "4.4"),
    ],
    "next shooter": [
        ("offer the set", "dealer", "5.9"),
        ("choose two dice", "shooter", "5.10"),
        ("bowl before the stickperson", "dealer", "5.10"),
    ],
    "throw": [
        ("call the total", "stickperson", "5.5a"),
        ("gather the dice", "stickperson", "5.6"),
        ("settle", "dealer", "5.7"),
        ("pass the dice", "stickperson", "5.7"),
    ],
    "off the table": [
        ("search", "dealer", "4.5a"),
        ("offer the rest", "dealer", "4.5b"),
        ("choose dice again", "shooter", "4.5b"),
        ("inspect what was found", "game supervisor", "4.5c"),
        ("return what was found", "game supervisor", "4.5c"),
    ],
}


@pytest.mark.parametrize(("name", "script"), SCRIPTS.items())
def test_scripts_go_in_order(name: str, script: list[tuple[str, str, str]]) -> None:
    """Each act is due in turn, from the right person, under its rule; anything else is refused with what was due."""
    done: tuple[Performed, ...] = ()
    for index, (act, by, rule) in enumerate(script):
        wanted = due(RULES, name, done)
        assert wanted == Perform(act, by, X + rule)
        for other in (*script[:index], *script[index + 1 :]):
            answer = perform(RULES, name, done, acts(other[0], other[1]))
            assert isinstance(answer, Refusal)
            carries(answer, X + rule)
        answer = perform(RULES, name, done, acts(act, "seat 9"))
        assert isinstance(answer, Refusal)
        carries(answer, X + rule)
        after = perform(RULES, name, done, acts(act, by, "found" if act == "search" else f"person {index}"))
        assert not isinstance(after, Refusal)
        done = after
    assert due(RULES, name, done) is None
    more = perform(RULES, name, done, acts("settle"))
    assert isinstance(more, Refusal)
    carries(more, X + script[-1][2])


def test_4_2_two_persons_inspect_new_dice() -> None:
    done = perform(RULES, "new dice", (), acts("inspect as dealer", "dealer"))
    assert not isinstance(done, Refusal)
    second = due(RULES, "new dice", done)
    assert second is not None
    assert second.apart == "inspect as dealer"
    carries(second, X + "4.2")


def test_4_5_dice_that_were_not_found_are_not_returned() -> None:
    searched = perform(RULES, "off the table", (), acts("search", "dealer", "lost"))
    assert not isinstance(searched, Refusal)
    offered = perform(RULES, "off the table", searched, acts("offer the rest", "dealer"))
    assert not isinstance(offered, Refusal)
    chosen = perform(RULES, "off the table", offered, acts("choose dice again", "shooter"))
    assert not isinstance(chosen, Refusal)
    assert due(RULES, "off the table", chosen) is None
