"""Craps: commission, taking down and cutting, calling on and off."""

from __future__ import annotations

import pytest

from croupier.game import Called, Refusal, Void, Wager
from croupier.games.craps.bets import markers
from croupier.money import Cents
from croupier.round import happen, place
from tests.games.craps.test_cases import RULES, Step, bet, money, played, refused
from tests.games.craps.test_placing import ANY_TIME, DOLLAR
from tests.helpers.observe import carries

X = "NZ1996-X-"


def take(on: str, amount: Cents = 0, by: str = "") -> Called:
    return Called("take", by, on, amount)


def call(word: str, on: str = "", by: str = "") -> Called:
    return Called(word, by, on)


# ---------------------------------------------------------------- 3.10, 3.11: commission


@pytest.mark.parametrize(
    ("on", "stake", "fee", "rule"),
    [
        ("buy:4", 20, 1, "3.1j"),
        ("buy:6", 39, 1, "3.1j"),
        ("buy:6", 40, 2, "3.1j"),
        ("buy:6", 41, 2, "3.1j"),
        ("buy:9", 19, 0, "3.1j"),
        ("lay:4", 40, 1, "3.1k-tail"),
        ("lay:4", 39, 0, "3.1k-tail"),
        ("lay:5", 30, 1, "3.1k-tail"),
        ("lay:8", 24, 1, "3.1k-tail"),
        ("lay:8", 47, 1, "3.1k-tail"),
        ("lay:8", 48, 2, "3.1k-tail"),
    ],
)
def test_commission_is_paid_at_placement_and_rounded_down(on: str, stake: int, fee: int, rule: str) -> None:
    this = played(bet(on, stake), sign=DOLLAR)
    assert this.standing[0].fee_cents == fee * 100


def test_3_1j_commission_is_shown_and_not_taken_from_the_winnings() -> None:
    line = money(played("4-4", bet("buy:4", 20), "2-2"))[0]
    assert (line.pays_cents, line.commission_cents, line.returned_cents) == (4000, 100, 6000)
    lost = money(played("4-4", bet("buy:4", 20), "3-4"))[0]
    assert (lost.commission_cents, lost.returned_cents) == (100, 0)
    again = played("4-4", bet("buy:4", 20), "2-2", bet("buy:4", 20))
    assert again.standing[0].fee_cents == 100


@pytest.mark.parametrize("on", [on for on in ANY_TIME if on[:3] not in ("buy", "lay")])
def test_3_11_nothing_else_is_charged(on: str) -> None:
    assert played(bet(on, 100)).standing[0].fee_cents == 0
    carries(refused(Wager(on, 10_000, fee_cents=1)), X + "3.11")


def test_3_11_a_wager_brings_no_commission_of_its_own() -> None:
    answer = refused(Wager("buy:4", 2000, fee_cents=200))
    carries(answer, X + "3.11")
    assert answer.whole == "buy:4: no charge but the commission on buy and lay"


def test_3_10_commission_goes_back_with_the_wager() -> None:
    this = played(bet("buy:4", 20), take("buy:4"))
    resolution = this.book[0].resolution
    assert isinstance(resolution, Void)
    carries(resolution, X + "3.10")
    line = money(this)[0]
    assert (line.returned_cents, line.commission_cents, line.pays_cents) == (2100, 0, 0)


@pytest.mark.parametrize(("taken", "left"), [(1999, 100), (2000, 100), (2001, 99), (1, 199)])
def test_3_10_a_cut_gives_back_the_commission_on_the_part(taken: Cents, left: Cents) -> None:
    wager = played(bet("buy:4", 40), take("buy:4", taken)).standing[0]
    assert (wager.stake_cents, wager.voided_cents, wager.fee_cents) == (4000 - taken, taken, left)
    assert wager.void_rule == X + "3.10"


def test_3_10_what_a_cut_gave_back_is_returned_whatever_the_rest_does() -> None:
    """40 with 2 commission, cut by 20: 20 and 1 come back; the other 20 and 1 are lost to a seven."""
    lost = money(played(bet("buy:4", 40), take("buy:4", 2000), call("on", "buy:4"), "3-4"))[0]
    assert (lost.result, lost.returned_cents, lost.commission_cents) == ("lost", 2100, 100)


# ---------------------------------------------------------------- 3.5 to 3.7: taking down


def test_3_5_pass_and_come_stay_once_they_have_their_point() -> None:
    carries(refused(bet("pass", 10), "4-4", take("pass")), X + "3.5")
    carries(refused(bet("pass", 10), "4-4", take("pass", 500)), X + "3.5")
    carries(refused("4-4", bet("come", 10), "4-5", take("come")), X + "3.5")
    carries(refused("4-4", bet("come", 10), "4-5", take("come:9")), X + "3.5")
    for steps in ((bet("pass", 10), take("pass")), ("4-4", bet("come", 10), take("come"))):
        resolution = played(*steps).book[0].resolution
        assert isinstance(resolution, Void)
        carries(resolution, X + "3.5")


def test_3_5_a_come_on_its_area_comes_down_beside_one_that_went() -> None:
    this = played("4-4", bet("come", 10), "4-5", bet("come", 10), take("come"))
    assert [wager.seen for wager in this.standing] == [(9,)]


def test_3_5_not_once_the_dice_have_left_the_hand() -> None:
    carries(refused(bet("place:6", 12), {"perform": "release"}, take("place:6")), X + "3.5")
    assert not played(bet("place:6", 12), {"perform": "release"}, {"irregular": "on_bank"}, take("place:6")).standing


@pytest.mark.parametrize(
    "what", [take("place:6"), take("place:8", by="seat 2"), take("lay:8"), take("place:8", 1201), take("")]
)
def test_3_5_what_does_not_stand_cannot_be_taken(what: Called) -> None:
    carries(refused(bet("place:8", 12), what), X + "3.5")


@pytest.mark.parametrize(("amount", "left"), [(1199, 1), (1200, 0), (0, 0), (1, 1199)])
def test_3_5_reducing(amount: Cents, left: Cents) -> None:
    this = played(bet("place:8", 12), take("place:8", amount))
    assert sum(wager.stake_cents for wager in this.standing) == left
    line = money(this)[0]
    assert line.voided_cents == 1200 - left


def test_3_5_two_like_wagers_are_taken_together_or_not_at_all() -> None:
    both: tuple[Step, ...] = (bet("place:8", 12), bet("place:8", 6))
    assert not played(*both, take("place:8")).standing
    assert not played(*both, take("place:8", 1800)).standing
    carries(refused(*both, take("place:8", 600)), X + "3.5")


def test_a_bet_in_parts_is_cut_by_units() -> None:
    assert played(bet("horn", 8), take("horn", 400)).standing[0].stake_cents == 400
    carries(refused(bet("horn", 8), take("horn", 3)), X + "3.1v")
    assert played(bet("c_and_e", 9, craps=6), take("c_and_e", 300)).standing[0].seen == (400,)
    carries(refused(bet("c_and_e", 9, craps=6), take("c_and_e", 1)), X + "3.1y-i")


@pytest.mark.parametrize(
    ("on", "behind", "steps", "rule", "orphan"),
    [
        ("dont_pass", "dont_pass_behind:9", (bet("dont_pass", 10), "4-5"), "3.6", "3.1f-iii"),
        ("dont_come", "dont_come_behind:9", ("4-4", bet("dont_come", 10), "4-5"), "3.7", "3.1h-iii"),
        ("dont_come:9", "dont_come_behind:9", ("4-4", bet("dont_come", 10), "4-5"), "3.7", "3.1h-iii"),
    ],
)
def test_dont_wagers_come_down_at_any_time(
    on: str, behind: str, steps: tuple[Step, ...], rule: str, orphan: str
) -> None:
    """3.6 and 3.7; what lies behind goes back with them, also when they go in parts."""
    placed = (*steps, bet(behind, 12))
    for taken in ((take(on),), (take(on, 1000),), (take(on, 400), take(on, 600)), (take(on, 400), take(on))):
        down, back = (entry.resolution for entry in played(*placed, *taken).book)
        assert isinstance(down, Void)
        assert isinstance(back, Void)
        carries(down, X + rule)
        carries(back, X + orphan)
    cut = played(*placed, take(on, 999))
    assert [wager.stake_cents for wager in cut.standing] == [1, 1200]
    assert played(*placed, take(behind)).standing[0].on == on.partition(":")[0]


def test_pass_odds_stay_when_another_players_pass_is_taken() -> None:
    this = played(bet("dont_pass", 10), bet("dont_pass", 10, "seat 2"), "3-3", bet("dont_pass_behind:6", 12))
    after = happen(this, take("dont_pass", by="seat 2"))
    assert not isinstance(after, Refusal)
    assert [wager.on for wager in after.standing] == ["dont_pass", "dont_pass_behind:6"]


# ---------------------------------------------------------------- 3.8: on and off


@pytest.mark.parametrize("on", ["place:6", "buy:6", "hardway:6"])
def test_3_8a_off_on_a_come_out_roll(on: str) -> None:
    assert played(bet(on, 20), "3-4").standing
    assert played(bet(on, 20), "3-3").standing
    assert not played(bet(on, 20), call("on", on), "3-4").standing
    assert not played(bet(on, 20), "4-4", "3-4").standing


@pytest.mark.parametrize(
    ("on", "faces"), [("lay:4", "3-4"), ("big_six", "3-4"), ("big_eight", "4-4"), ("field", "1-1")]
)
def test_3_8_other_wagers_are_always_on(on: str, faces: str) -> None:
    assert not played(bet(on, 20), faces).standing
    carries(refused(bet(on, 20), call("off", on)), X + "3.8")


@pytest.mark.parametrize(
    ("on", "base"),
    [("pass_odds:9", "pass"), ("dont_pass_behind:9", "dont_pass"), ("dont_come_behind:9", "dont_come")],
)
def test_3_8_of_the_odds_only_those_on_the_come_are_called(on: str, base: str) -> None:
    first: tuple[Step, ...] = ("4-4",) if base == "dont_come" else ()
    carries(refused(*first, bet(base, 10), "4-5", bet(on, 10), call("off", on)), X + "3.8")


def test_3_8a_come_odds_are_off_on_a_come_out_roll_and_the_come_is_not() -> None:
    gone: tuple[Step, ...] = ("4-4", bet("come", 10), "4-5", bet("come_odds:9", 10), "4-4")
    come, odds = (entry.resolution for entry in played(*gone, "3-4").book)
    assert come is not None
    assert isinstance(odds, Void)
    carries(come, X + "3.1c-ii-B")
    carries(odds, X + "3.8a")
    on = [entry.resolution for entry in played(*gone, call("on", "come_odds:9"), "4-5").book]
    assert on[1] is not None
    carries(on[1], X + "6.1-pay-odds-come-5-9")


def test_3_8a_one_marker_covers_similar_wagers_of_that_player() -> None:
    this = played(bet("place:6", 12), bet("place:8", 12), bet("place:5", 10, "seat 2"), call("on", "place:6"))
    assert [markers(RULES, wager) for wager in this.standing] == [("on",), ("on",), ()]
    later = place(this, (bet("place:9", 10), bet("buy:4", 20)))
    assert not isinstance(later, Refusal)
    assert [markers(RULES, wager) for wager in later.standing[-2:]] == [("on",), ("buy",)]


def test_3_8a_unless_the_player_specifies_otherwise() -> None:
    this = played(bet("place:6", 12), bet("place:8", 12), call("on", "place:6 only"), bet("place:9", 10))
    assert [markers(RULES, wager) for wager in this.standing] == [("on",), (), ()]
    off = played(bet("place:6", 12), bet("place:8", 12), call("on", "place"), call("off", "place:6"))
    assert [markers(RULES, wager) for wager in off.standing] == [("off",), ("on",)]


def test_3_8b_off_or_on_at_any_time() -> None:
    assert played("4-4", bet("place:6", 12), call("off", "place:6"), "3-4").standing
    assert played("4-4", bet("place:6", 12), bet("hardway:6", 5), call("off"), "3-4").standing
    assert not played("4-4", bet("place:6", 12), call("off", "place"), call("on", "place"), "3-4").standing
    assert played(bet("place:6", 12), {"perform": "release"}, call("on", "place:6"), "3-3").book[0].resolution
    at_rest: tuple[Step, ...] = (bet("place:6", 12), {"perform": "release"}, {"perform": "rest"})
    carries(refused(*at_rest, call("on", "place:6")), X + "3.8b")
    carries(refused(call("on", "place:6")), X + "3.8b")
    carries(refused(bet("place:6", 12), call("on", "place:8")), X + "3.8b")
    carries(refused(bet("place:6", 12), call("working", "place:6")), X + "3.8b")


def test_2_4c_markers_on_wagers() -> None:
    this = played(bet("buy:4", 20), bet("lay:5", 30), bet("place:6", 12), call("off", "place:6"), call("off", "buy:4"))
    assert [markers(RULES, wager) for wager in this.standing] == [("buy", "off"), ("lay",), ("off",)]
    on = played(bet("buy:4", 20), bet("hardway:6", 5), bet("field", 5), call("on"))
    assert [markers(RULES, wager) for wager in on.standing] == [("buy", "on"), ("on",), ()]
    assert RULES.markers.rule == X + "2.4c"
