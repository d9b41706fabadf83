"""Craps: what may be placed and when, the limits of odds, units, the maximum and the rounding."""

from __future__ import annotations

import pytest

from croupier.errors import NotPermitted
from croupier.game import Refusal, Sign, Void, Wager
from croupier.games.craps import CRAPS
from croupier.games.craps.placing import accept
from croupier.law.elections import elect
from croupier.round import open_round, place
from tests.games.craps.test_cases import RULES, Step, bet, double_odds, money, played, refused
from tests.helpers.observe import carries

X = "NZ1996-X-"
DOLLAR = Sign(chip=100)

POINT: dict[int, str] = {4: "2-2", 5: "2-3", 6: "3-3", 8: "4-4", 9: "4-5", 10: "5-5"}


# ---------------------------------------------------------------- 3.1: which wagers, and when


@pytest.mark.parametrize("on", ["hop", "place_to_lose:6", "", "PASS", "pass_line", "put"])
def test_3_1_only_the_25_wagers(on: str) -> None:
    carries(refused(bet(on, 10)), X + "3.1")


def test_3_1_names_are_those_of_the_sheet() -> None:
    names = CRAPS.wagers(RULES)
    assert len(names) == len(set(names)) == 4 + 4 * 6 + 3 * 6 + 4 + 2 + 7 + 1 + 4 + 2
    assert {"pass", "come_odds:10", "hardway:4", "horn_high:2", "c_and_e", "world", "big_eight"} <= set(names)
    assert not {"place:7", "hardway:5", "horn_high:7", "horn_high", "place"} & set(names)


@pytest.mark.parametrize(
    ("on", "rule"),
    [
        ("place:7", "3.1i"),
        ("place", "3.1i"),
        ("place:06", "3.1i"),
        ("place:²", "3.1i"),
        ("buy:7", "3.1j"),
        ("lay:7", "3.1k"),
        ("lay:11", "3.1k"),
        ("hardway:5", "3.1l"),
        ("hardway:9", "3.1l"),
        ("horn_high", "3.1w-i"),
        ("horn_high:7", "3.1w-i"),
        ("pass_odds:7", "3.1e"),
        ("dont_pass_behind", "3.1f"),
        ("come_odds:11", "3.1g"),
        ("dont_come_behind:3", "3.1h"),
        ("big_six:6", "3.1m-i"),
        ("field:4", "3.1o"),
        ("world:7", "3.1x"),
    ],
)
def test_number_must_be_one_the_wager_can_have(on: str, rule: str) -> None:
    carries(refused(bet(on, 10)), X + rule)


@pytest.mark.parametrize(("on", "rule"), [("pass", "3.1a"), ("dont_pass", "3.1b")])
def test_line_bets_only_before_a_come_out_roll(on: str, rule: str) -> None:
    carries(refused("4-4", bet(on, 10)), X + rule)
    assert played(bet(on, 10)).standing
    assert played("4-4", "4-4", bet(on, 10)).standing
    assert played("3-4", bet(on, 10)).standing


@pytest.mark.parametrize(("on", "rule"), [("come", "3.1c"), ("dont_come", "3.1d")])
def test_come_bets_only_while_a_point_is_on(on: str, rule: str) -> None:
    carries(refused(bet(on, 10)), X + rule)
    carries(refused("4-4", "3-4", bet(on, 10)), X + rule)
    carries(refused("4-4", bet(on, 10), "4-5", "4-4", bet(on, 10)), X + rule)
    assert played("4-4", bet(on, 10)).standing


ANY_TIME = {
    "place:6": "3.1i",
    "buy:4": "3.1j",
    "lay:4": "3.1k",
    "hardway:8": "3.1l",
    "big_six": "3.1m",
    "big_eight": "3.1n",
    "field": "3.1o",
    "any_seven": "3.1p",
    "any_craps": "3.1q",
    "craps_two": "3.1r",
    "craps_three": "3.1s",
    "craps_twelve": "3.1t",
    "eleven": "3.1u",
    "horn": "3.1v",
    "horn_high:3": "3.1w",
    "world": "3.1x",
    "c_and_e": "3.1y",
}


@pytest.mark.parametrize(("on", "rule"), ANY_TIME.items())
def test_any_time_wagers_on_the_come_out_and_with_a_point_on(on: str, rule: str) -> None:
    for before in ((), ("4-4",)):
        this = played(*before, bet(on, 20))
        assert [wager.on for wager in this.standing] == [on]
        assert RULES.bets[on.partition(":")[0]].placed.rule == X + rule  # type: ignore[union-attr]


@pytest.mark.parametrize("on", [on for on in ANY_TIME if ANY_TIME[on] >= "3.1o"])
def test_one_roll_wagers_are_gone_after_one_valid_roll(on: str) -> None:
    assert not played(bet(on, 20), "3-3").standing
    assert played(bet(on, 20), {"irregular": "die_on_die"}).standing


def test_3_6_dont_pass_is_not_raised_after_the_come_out_roll() -> None:
    reduced: tuple[Step, ...] = (bet("dont_pass", 20), "3-3", {"take": "dont_pass", "amount": 1000})
    carries(refused(*reduced, bet("dont_pass", 10)), X + "3.6")
    assert played(*reduced, "3-3", bet("dont_pass", 10)).standing


def test_3_7_dont_come_is_raised_only_by_a_new_wager() -> None:
    gone: tuple[Step, ...] = ("4-4", bet("dont_come", 10), "4-5")
    carries(refused(*gone, bet("dont_come:9", 10)), X + "3.7")
    carries(refused(*gone, Wager("dont_come", 1000, seen=(9,))), X + "3.7")
    raised = played(*gone, bet("dont_come", 10), "2-3")
    assert [wager.seen for wager in raised.standing] == [(9,), (5,)]


def test_3_1a_a_pass_brings_no_point_of_its_own() -> None:
    carries(refused(Wager("pass", 1000, seen=(6,))), X + "3.1a")
    carries(refused(Wager("place:6", 1000, seen=("on",))), X + "3.1")


# ---------------------------------------------------------------- 3.2: wagers on thrown dice


def test_3_2_wagers_on_thrown_dice_need_a_confirmation() -> None:
    thrown: dict[str, str] = {"perform": "release"}
    confirm = {"perform": "confirm_wager", "by": "dealer"}
    carries(refused(thrown, bet("field", 10)), X + "3.2")
    assert played(thrown, confirm, bet("field", 10)).standing
    carries(refused(thrown, confirm, bet("field", 10), bet("field", 10)), X + "3.2")
    carries(refused(thrown, confirm, {"perform": "rest"}, bet("field", 10)), X + "3.2")
    carries(refused(thrown, {"perform": "rest"}, confirm), X + "3.2")
    carries(refused(thrown, {"perform": "confirm_wager", "by": "seat 3"}), X + "3.2")
    assert played(thrown, {"perform": "confirm_wager", "by": "game supervisor"}, bet("field", 10)).standing
    assert played(thrown, "4-4", bet("field", 10)).standing


# ---------------------------------------------------------------- 3.1(e) to (h): odds and their limits


@pytest.mark.parametrize(
    ("on", "steps", "rule"),
    [
        ("pass_odds:6", (bet("pass", 10),), "3.1e"),
        ("pass_odds:6", ("3-3",), "3.1e"),
        ("pass_odds:8", (bet("pass", 10), "3-3"), "3.1e"),
        ("pass_odds:6", (bet("pass", 10, "seat 2"), "3-3"), "3.1e"),
        ("pass_odds:6", (bet("pass", 10), "3-3", "3-3"), "3.1e"),
        ("dont_pass_behind:6", (bet("pass", 10), "3-3"), "3.1f"),
        ("dont_pass_behind:6", (bet("dont_pass", 10),), "3.1f"),
        ("come_odds:9", ("3-3", bet("come", 10)), "3.1g"),
        ("come_odds:6", (bet("pass", 10), "3-3"), "3.1g"),
        ("dont_come_behind:9", ("3-3", bet("dont_come", 10)), "3.1h"),
    ],
)
def test_odds_need_a_base_with_their_number(on: str, steps: tuple[Step, ...], rule: str) -> None:
    carries(refused(*steps, bet(on, 1)), X + rule)


def test_odds_follow_their_base_by_its_number_in_the_book() -> None:
    this = played(bet("field", 1), bet("pass", 10), "3-3", bet("come", 10), "4-5", bet("come_odds:9", 10))
    assert this.standing[-1].of == 2
    assert this.standing[-1].seen == (9,)
    assert played(bet("pass", 10), "3-3", bet("pass_odds:6", 5)).standing[-1].of == 0


def odds_refused(kind: str, number: int, base: int, amount: int, *, double: bool = False) -> Refusal | None:
    """Whether an odds bet of so many dollars on a base is refused, chips being one dollar."""
    rules = double_odds() if double else RULES
    line = {
        "pass_odds": "pass",
        "dont_pass_behind": "dont_pass",
        "come_odds": "come",
        "dont_come_behind": "dont_come",
    }[kind]
    first: tuple[Step, ...] = ("3-3" if number != 6 else "4-4",) if "come" in kind else ()
    this = played(*first, bet(line, base), POINT[number], rules=rules, sign=DOLLAR)
    after = place(this, (bet(f"{kind}:{number}", amount),))
    return after if isinstance(after, Refusal) else None


# The most that is accepted for a base of so many dollars: without and with the operator's double odds.
LIMITS = [
    ("pass_odds", 6, 7, 10, 14),
    ("pass_odds", 6, 10, 10, 20),
    ("pass_odds", 8, 1, 5, 5),
    ("pass_odds", 8, 2, 5, 5),
    ("pass_odds", 8, 3, 5, 6),
    ("pass_odds", 5, 5, 6, 10),
    ("pass_odds", 9, 6, 6, 12),
    ("pass_odds", 4, 7, 7, 14),
    ("pass_odds", 10, 1, 1, 2),
    ("come_odds", 9, 5, 6, 10),
    ("come_odds", 6, 10, 10, 20),
    ("come_odds", 10, 3, 3, 6),
    ("dont_pass_behind", 4, 10, 20, 40),
    ("dont_pass_behind", 10, 3, 6, 12),
    ("dont_pass_behind", 5, 10, 15, 30),
    ("dont_pass_behind", 9, 7, 12, 21),
    ("dont_pass_behind", 6, 7, 12, 16),
    ("dont_pass_behind", 8, 1, 6, 6),
    ("dont_come_behind", 6, 10, 12, 24),
    ("dont_come_behind", 5, 4, 6, 12),
    ("dont_come_behind", 4, 5, 10, 20),
]
LIMIT_RULE = {
    "pass_odds": "3.1e-i",
    "dont_pass_behind": "3.1f-i",
    "come_odds": "3.1g-i",
    "dont_come_behind": "3.1h-i",
}


@pytest.mark.parametrize(("kind", "number", "base", "single", "double"), LIMITS)
def test_limit_of_odds(kind: str, number: int, base: int, single: int, double: int) -> None:
    """The base by stake or winnings, or the smallest payable unit above it; the option doubles, never narrows."""
    for most, doubled in ((single, False), (double, True)):
        assert odds_refused(kind, number, base, most - 1 or 1, double=doubled) is None
        assert odds_refused(kind, number, base, most, double=doubled) is None
        above = odds_refused(kind, number, base, most + 1, double=doubled)
        assert above is not None
        carries(above, X + LIMIT_RULE[kind])


def test_limit_counts_odds_that_stand_already() -> None:
    steps: tuple[Step, ...] = (bet("pass", 10), "3-3", bet("pass_odds:6", 6), bet("pass_odds:6", 4))
    assert len(played(*steps, sign=DOLLAR).standing) == 3
    carries(refused(*steps, bet("pass_odds:6", 1), sign=DOLLAR), X + "3.1e-i")
    together = (bet("pass_odds:6", 6), bet("pass_odds:6", 5))
    answer = place(played(bet("pass", 10), "3-3", sign=DOLLAR), together)
    assert isinstance(answer, Refusal)
    carries(answer, X + "3.1e-i")
    two_bases = played(bet("pass", 10), bet("pass", 5), "3-3", bet("pass_odds:6", 15), sign=DOLLAR)
    assert len(two_bases.standing) == 3


def test_double_odds_is_the_operators_to_elect() -> None:
    assert not RULES.double_odds.value.elected
    assert double_odds().double_odds.value.elected
    with pytest.raises(NotPermitted, match=X + "3.1e-i"):
        elect(RULES, {"double_odds": 3})


# ---------------------------------------------------------------- 3.1(v) to (y): units


@pytest.mark.parametrize(
    ("on", "unit", "rule"),
    [("horn", 4, "3.1v"), ("horn_high:12", 5, "3.1w-i"), ("world", 5, "3.1x-i"), ("c_and_e", 2, "3.1y-i")],
)
def test_bets_in_parts_come_in_units(on: str, unit: int, rule: str) -> None:
    for amount in (unit, 2 * unit, 7 * unit):
        assert played(bet(on, amount), sign=DOLLAR).standing
    for amount in (unit - 1, unit + 1, 2 * unit - 1):
        carries(refused(bet(on, amount), sign=DOLLAR), X + rule)


def test_3_1y_i_craps_and_eleven_as_the_player_divides_it() -> None:
    assert played(bet("c_and_e", 3, craps=2), sign=DOLLAR).standing
    assert played(bet("c_and_e", 3, craps=1), sign=DOLLAR).standing
    carries(refused(bet("c_and_e", 3, craps=3), sign=DOLLAR), X + "3.1y-i")
    carries(refused(bet("c_and_e", 1, craps=1), sign=DOLLAR), X + "3.1y-i")
    carries(refused(Wager("c_and_e", 300, seen=(50,)), sign=DOLLAR), X + "3.1y-i")
    carries(refused(Wager("c_and_e", 300, seen=("half",)), sign=DOLLAR), X + "3.1y-i")


@pytest.mark.parametrize(
    ("on", "amount", "rule"), [("horn", 4, "6.2"), ("horn_high:2", 5, "3.1w-i"), ("world", 5, "3.1x-i")]
)
def test_other_bets_in_parts_are_not_the_players_to_divide(on: str, amount: int, rule: str) -> None:
    carries(refused(Wager(on, amount * 100, seen=(100,)), sign=DOLLAR), X + rule)


@pytest.mark.parametrize(
    ("on", "amount", "faces", "pays", "returned", "rule"),
    [
        ("horn", 4, "1-2", 15, 16, "6.2"),
        ("horn_high:12", 5, "6-6", 60, 62, "6.2"),
        ("world", 5, "3-4", 4, 5, "6.3"),
        ("c_and_e", 2, "6-6", 7, 8, "6.4"),
    ],
)
def test_parts_are_paid_as_separate_wagers(
    on: str, amount: int, faces: str, pays: int, returned: int, rule: str
) -> None:
    """6.2 to 6.4: the winning part is paid and returned, the others are lost; World on seven nets nothing."""
    line = money(played(bet(on, amount), faces))[0]
    carries(line, X + rule)
    assert (line.pays_cents, line.returned_cents) == (pays * 100, returned * 100)


# ---------------------------------------------------------------- the sign, and rounding


@pytest.mark.parametrize(("amount", "valid"), [(499, 499), (500, 500), (501, 500), (650, 500)])
def test_above_the_maximum_the_excess_is_void(amount: int, valid: int) -> None:
    sign = Sign(chip=100, maximum=50_000)
    won = money(played(bet("field", amount), "1-3", sign=sign))[0]
    assert (won.pays_cents, won.voided_cents) == (valid * 100, (amount - valid) * 100)
    assert won.returned_cents == (amount + valid) * 100
    lost = money(played(bet("field", amount), "3-4", sign=sign))[0]
    assert lost.returned_cents == (amount - valid) * 100
    wager = played(bet("field", amount), sign=sign).standing[0]
    assert wager.void_rule == ("NZ1996-I-14.2b" if amount > valid else "")


def test_above_the_maximum_a_bet_in_parts_keeps_its_units() -> None:
    sign = Sign(chip=100, maximum=1_000)
    horn = played(bet("horn", 12), sign=sign).standing[0]
    assert (horn.stake_cents, horn.voided_cents) == (800, 400)
    divided = played(bet("c_and_e", 40, craps=39), sign=sign).standing[0]
    assert (divided.stake_cents, divided.seen) == (1_000, (900,))
    nothing = played(bet("world", 15), sign=Sign(chip=300, maximum=900))
    assert isinstance(nothing.book[0].resolution, Void)


@pytest.mark.parametrize(("stake", "pays"), [(5, 6), (6, 7), (7, 9), (12, 14)])
def test_winnings_go_up_to_the_next_chip(stake: int, pays: int) -> None:
    line = money(played("4-4", bet("place:6", stake), "3-3", sign=DOLLAR))[0]
    assert line.pays_cents == pays * 100


# ---------------------------------------------------------------- precedence


def test_the_first_refusal_places_nothing() -> None:
    this = open_round(CRAPS, RULES)
    answer = place(this, (bet("field", 10), bet("come", 10)))
    assert isinstance(answer, Refusal)
    carries(answer, X + "3.1c")


@pytest.mark.parametrize(
    ("wager", "rule"),
    [
        (Wager("hop", 1, fee_cents=1), "3.1"),
        (Wager("place:7", 1, fee_cents=1), "3.1i"),
        (Wager("come", 1, fee_cents=1), "3.11"),
        (Wager("come", 1), "3.2"),
        (Wager("horn", 1), "3.2"),
    ],
)
def test_refusals_come_in_the_documented_order(wager: Wager, rule: str) -> None:
    state = played({"perform": "release"}).state
    answer = accept(RULES, DOLLAR, state, (), (wager,))
    assert isinstance(answer, Refusal)
    carries(answer, X + rule)
