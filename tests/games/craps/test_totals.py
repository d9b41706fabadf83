"""Craps: what every throw does to every wager of part 3.1, and that no total is left out or counted twice.

The lists below are the gazette's, written out by total.  Each wager meets every throw of two dice: once as a hard
double and once the easy way where both are possible.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from croupier.game import DiceFell, Lost, Refusal, Resolution, Sign, Won
from croupier.games.craps import CRAPS
from croupier.games.craps.bets import shares
from croupier.games.craps.rules import Commission, Limit, LineBet, NumberBet, OddsBet, OneRollBet, PartsBet
from croupier.law.model import Law, present
from croupier.money import Odds, percent, to
from croupier.round import AnyRound, happen
from tests.games.craps.test_cases import RULES, Step, bet, played, refused
from tests.helpers.observe import carries

X = "NZ1996-X-"
THROWS = [(low, high) for low in range(1, 7) for high in range(low, 7)]
EVERY_TOTAL = set(range(2, 13))
POINTS = {4, 5, 6, 8, 9, 10}
HARD_ROLL = {4: "2-2", 5: "2-3", 6: "3-3", 8: "4-4", 9: "4-5", 10: "5-5"}
OTHER_POINT = {number: "3-3" if number != 6 else "4-4" for number in POINTS}


def decided(before: AnyRound, faces: tuple[int, int], on: str) -> Resolution | None:
    """How the last wager of this name is decided by a throw; None if it waits."""
    after = happen(before, DiceFell(faces))
    assert not isinstance(after, Refusal), f"{on}: {after}"
    return [entry.resolution for entry in after.book if entry.wager.on == on][-1]


def words_of(resolution: Resolution | None) -> tuple[str, str]:
    """The name of a decision and its rule without the division: ("Lost", "3.1a-ii-A")."""
    if resolution is None:
        return "waits", ""
    return type(resolution).__name__, resolution.rule.removeprefix(X)


# ---------------------------------------------------------------- the list of 3.1

LETTERS = [
    "pass",
    "dont_pass",
    "come",
    "dont_come",
    "pass_odds",
    "dont_pass_behind",
    "come_odds",
    "dont_come_behind",
    "place",
    "buy",
    "lay",
    "hardway",
    "big_six",
    "big_eight",
    "field",
    "any_seven",
    "any_craps",
    "craps_two",
    "craps_three",
    "craps_twelve",
    "eleven",
    "horn",
    "horn_high",
    "world",
    "c_and_e",
]


def test_3_1_permits_the_wagers_a_to_y() -> None:
    assert len(LETTERS) == 25
    assert RULES.permitted.value == set(LETTERS)
    assert [name.partition(":")[0] for name in dict.fromkeys(CRAPS.wagers(RULES))][:4] == LETTERS[:4]
    assert {name.partition(":")[0] for name in CRAPS.wagers(RULES)} == set(LETTERS)
    carries(RULES.permitted, X + "3.1")


# ---------------------------------------------------------------- 3.1(a) to (d): the first roll of a line bet

# For each wager: what the first roll does, the totals that do it, and the rule that says so.
FIRST_ROLL: dict[str, list[tuple[str, set[int], str]]] = {
    "pass": [
        ("Won", {7, 11}, "3.1a-i-A"),
        ("Lost", {2, 3, 12}, "3.1a-ii-A"),
        ("waits", POINTS, "3.1a-i-B"),
    ],
    "dont_pass": [
        ("Won", {2, 3}, "3.1b-i-A"),
        ("Lost", {7, 11}, "3.1b-ii-A"),
        ("StandOff", {12}, "3.1b-iii"),
        ("waits", POINTS, "3.1b-i-B"),
    ],
    "come": [
        ("Won", {7, 11}, "3.1c-i-A"),
        ("Lost", {2, 3, 12}, "3.1c-ii-A"),
        ("waits", POINTS, "3.1c-i-B"),
    ],
    "dont_come": [
        ("Won", {2, 3}, "3.1d-i-A"),
        ("Lost", {7, 11}, "3.1d-ii-A"),
        ("StandOff", {12}, "3.1d-iii"),
        ("waits", POINTS, "3.1d-i-B"),
    ],
}
PAID_AS = {"pass": "pass", "dont_pass": "dont-pass", "come": "come", "dont_come": "dont-come"}


def placed_line(kind: str) -> AnyRound:
    return played(*(("4-4",) if "come" in kind else ()), bet(kind, 10))


@pytest.mark.parametrize("kind", FIRST_ROLL)
def test_the_first_roll_decides_a_line_bet_or_gives_it_its_number(kind: str) -> None:
    before = placed_line(kind)
    for faces in THROWS:
        [(result, _, rule)] = [line for line in FIRST_ROLL[kind] if sum(faces) in line[1]]
        paid = f"6.1-pay-{PAID_AS[kind]}" if result == "Won" else "" if result == "waits" else rule
        assert words_of(decided(before, faces, kind)) == (result, paid), faces
        after = happen(before, DiceFell(faces))
        assert not isinstance(after, Refusal)
        assert [wager.seen for wager in after.standing] == ([(sum(faces),)] if result == "waits" else [])


@pytest.mark.parametrize("kind", FIRST_ROLL)
def test_each_total_of_a_first_roll_has_one_effect(kind: str) -> None:
    """The lists of winning, losing, void totals and of points share none and leave none out."""
    listed = RULES.bets[kind]
    assert isinstance(listed, LineBet)
    laws = {"Won": listed.wins_at_once, "Lost": listed.loses_at_once, "waits": listed.points}
    if present(listed.void_at_once):
        laws["StandOff"] = listed.void_at_once
    for result, totals, rule in FIRST_ROLL[kind]:
        assert laws[result].value == totals
        carries(laws[result], X + rule)
    assert sorted(total for law in laws.values() for total in law.value) == sorted(EVERY_TOTAL)


# ---------------------------------------------------------------- a number against the seven

ODDS_BASE = {
    "pass_odds": ("pass", "stake", "3.1e"),
    "dont_pass_behind": ("dont_pass", "winnings", "3.1f"),
    "come_odds": ("come", "stake", "3.1g"),
    "dont_come_behind": ("dont_come", "winnings", "3.1h"),
}
# Who waits for a number: does it win on the number or on the seven, and the rules for winning and for losing.
WAITING = {
    "pass": ("number", "3.1a-i-B", "3.1a-ii-B"),
    "dont_pass": ("seven", "3.1b-i-B", "3.1b-ii-B"),
    "come": ("number", "3.1c-i-B", "3.1c-ii-B"),
    "dont_come": ("seven", "3.1d-i-B", "3.1d-ii-B"),
    "pass_odds": ("number", "3.1e-ii", "3.1e-iii"),
    "dont_pass_behind": ("seven", "3.1f-ii", "3.1f-iii"),
    "come_odds": ("number", "3.1g-ii", "3.1g-iii"),
    "dont_come_behind": ("seven", "3.1h-ii", "3.1h-iii"),
    "place": ("number", "3.1i-i", "3.1i-ii"),
    "buy": ("number", "3.1j", "3.1j"),
    "lay": ("seven", "3.1k-i", "3.1k-ii"),
    "big_six": ("number", "3.1m-i", "3.1m-ii"),
    "big_eight": ("number", "3.1n-i", "3.1n-ii"),
}
NUMBERS = {kind: {"big_six": {6}, "big_eight": {8}}.get(kind, POINTS) for kind in WAITING}


def waiting(kind: str, number: int) -> tuple[AnyRound, str]:
    """A table on which this wager waits for this number, and the wager's name."""
    base = ODDS_BASE.get(kind, (kind,))[0]
    first: tuple[Step, ...] = (OTHER_POINT[number],) if "pass" not in base else ()
    if isinstance(RULES.bets[base], LineBet):
        gone: tuple[Step, ...] = (*first, bet(base, 10), HARD_ROLL[number])
        odds: tuple[Step, ...] = (bet(f"{kind}:{number}", 5),) if kind in ODDS_BASE else ()
        return played(*gone, *odds), f"{kind}:{number}" if odds else kind
    on = kind if kind.startswith("big_") else f"{kind}:{number}"
    return played(*first, bet(on, 20)), on


@pytest.mark.parametrize("kind", WAITING)
def test_a_number_against_the_seven(kind: str) -> None:
    """The number decides whether it falls hard or easy; the seven decides the other way; all else changes nothing."""
    side, _, losing = WAITING[kind]
    for number in sorted(NUMBERS[kind]):
        before, on = waiting(kind, number)
        for faces in THROWS:
            result = decided(before, faces, on)
            if sum(faces) not in (number, 7):
                assert result is None, (on, faces)
            elif (sum(faces) == number) == (side == "number"):
                assert isinstance(result, Won), (on, faces)
            else:
                assert isinstance(result, Lost), (on, faces)
                carries(result, X + losing)


@pytest.mark.parametrize("number", [4, 6, 8, 10])
def test_3_1l_a_hardway_wins_on_the_double_alone(number: int) -> None:
    before = played(OTHER_POINT[number], bet(f"hardway:{number}", 5))
    for faces in THROWS:
        result = decided(before, faces, f"hardway:{number}")
        if faces == (number // 2, number // 2):
            assert isinstance(result, Won)
        elif sum(faces) in (number, 7):
            assert isinstance(result, Lost)
            carries(result, X + "3.1l-ii")
        else:
            assert result is None


@pytest.mark.parametrize(
    ("kind", "rule"), [("place", "3.1i"), ("buy", "3.1j"), ("lay", "3.1k"), *[(kind, "") for kind in ODDS_BASE]]
)
def test_each_point_and_nothing_else_can_be_named(kind: str, rule: str) -> None:
    rule = rule or ODDS_BASE[kind][2]
    assert {name for name in CRAPS.wagers(RULES) if name.startswith(f"{kind}:")} == {f"{kind}:{n}" for n in POINTS}
    listed = RULES.bets[kind]
    assert isinstance(listed, NumberBet | OddsBet)
    assert listed.numbers.value == POINTS
    carries(listed.numbers, X + rule)
    for number in EVERY_TOTAL - POINTS:
        carries(refused(bet(f"{kind}:{number}", 10)), X + rule)


def test_3_1l_hardways_are_on_the_even_points() -> None:
    assert [name for name in CRAPS.wagers(RULES) if name.startswith("hardway")] == [
        f"hardway:{n}" for n in (4, 6, 8, 10)
    ]
    for number in EVERY_TOTAL - {4, 6, 8, 10}:
        carries(refused(bet(f"hardway:{number}", 10)), X + "3.1l")


@pytest.mark.parametrize("kind", ODDS_BASE)
def test_odds_follow_their_own_line_bet_and_no_other(kind: str) -> None:
    """Once their base: by its stake on the side of the number, by what it can win on the side of the seven."""
    base, measure, rule = ODDS_BASE[kind]
    for number in sorted(POINTS):
        for line in FIRST_ROLL:
            first: tuple[Step, ...] = () if "pass" in line else (OTHER_POINT[number],)
            steps: tuple[Step, ...] = (*first, bet(line, 10), HARD_ROLL[number], bet(f"{kind}:{number}", 5))
            if line == base:
                assert [wager.on for wager in played(*steps).standing] == [base, f"{kind}:{number}"]
            else:
                carries(refused(*steps), X + rule)
    listed = RULES.bets[kind]
    assert isinstance(listed, OddsBet)
    assert (listed.base.value, listed.limit.value.times, listed.limit.value.of) == (base, 1, measure)
    assert isinstance(listed.limit.value, Limit)
    carries(listed.limit, f"{X}{rule}-i")


def test_3_1j_and_3_1k_commission_is_on_the_stake_of_a_buy_and_the_winnings_of_a_lay() -> None:
    for kind, measure, rule in (("buy", "stake", "3.1j"), ("lay", "winnings", "3.1k-tail")):
        listed = RULES.bets[kind]
        assert isinstance(listed, NumberBet)
        assert isinstance(listed.commission, Law)
        assert listed.commission.value == Commission(percent(5), measure)  # type: ignore[arg-type]
        carries(listed.commission, X + rule)


# ---------------------------------------------------------------- 3.1(o) to (y): one roll

# For each wager: what each winning total pays, the rule of its winning, the rule of its losing.
ONE_ROLL: dict[str, tuple[dict[int, Odds], str, str]] = {
    "field": ({2: to(2), 3: to(1), 4: to(1), 9: to(1), 10: to(1), 11: to(1), 12: to(2)}, "3.1o-i", "3.1o-ii"),
    "any_seven": ({7: to(4)}, "3.1p-i", "3.1p-ii"),
    "any_craps": ({2: to(7), 3: to(7), 12: to(7)}, "3.1q-i", "3.1q-ii"),
    "craps_two": ({2: to(30)}, "3.1r-i", "3.1r-ii"),
    "craps_three": ({3: to(15)}, "3.1s-i", "3.1s-ii"),
    "craps_twelve": ({12: to(30)}, "3.1t-i", "3.1t-ii"),
    "eleven": ({11: to(15)}, "3.1u-i", "3.1u-ii"),
}
HORN = ["craps_two", "craps_three", "craps_twelve", "eleven"]
# For each wager in parts: the one-roll wagers that it is, in the order of the gazette, and its three rules.
PARTS: dict[str, tuple[list[str], str, str, str]] = {
    "horn": (HORN, "3.1v-i", "3.1v-ii", "6.2"),
    "horn_high:2": ([*HORN, "craps_two"], "3.1w-ii", "3.1w-iii", "6.2"),
    "horn_high:3": ([*HORN, "craps_three"], "3.1w-ii", "3.1w-iii", "6.2"),
    "horn_high:11": ([*HORN, "eleven"], "3.1w-ii", "3.1w-iii", "6.2"),
    "horn_high:12": ([*HORN, "craps_twelve"], "3.1w-ii", "3.1w-iii", "6.2"),
    "world": ([*HORN, "any_seven"], "3.1x-ii", "3.1x-iii", "6.3"),
    "c_and_e": (["any_craps", "eleven"], "3.1y-ii", "3.1y-iii", "6.4"),
}


@pytest.mark.parametrize("kind", ONE_ROLL)
def test_a_one_roll_wager_wins_on_its_totals_and_loses_on_all_others(kind: str) -> None:
    pays, winning, losing = ONE_ROLL[kind]
    before = played(bet(kind, 10))
    for faces in THROWS:
        result = decided(before, faces, kind)
        if sum(faces) in pays:
            assert isinstance(result, Won)
            assert result.odds == pays[sum(faces)], (kind, faces)
        else:
            assert isinstance(result, Lost)
            carries(result, X + losing)
    listed = RULES.bets[kind]
    assert isinstance(listed, OneRollBet)
    assert sorted((*listed.wins.value, *listed.loses.value)) == sorted(EVERY_TOTAL)
    carries(listed.wins, X + winning)


@pytest.mark.parametrize("on", PARTS)
def test_a_wager_in_parts_is_paid_as_its_parts(on: str) -> None:
    """The part that wins is paid on its share of the stake; the whole loses where no part wins."""
    names, winning, losing, paid = PARTS[on]
    before = played(bet(on, 20), sign=Sign(chip=100))
    for faces in THROWS:
        result = decided(before, faces, on)
        [winner] = {name for name in names if sum(faces) in ONE_ROLL[name][0]} or {""}
        if winner:
            assert isinstance(result, Won)
            carries(result, X + paid)
            assert (result.odds, result.part) == (
                ONE_ROLL[winner][0][sum(faces)],
                Fraction(names.count(winner), len(names)),
            )
        else:
            assert isinstance(result, Lost)
            carries(result, X + losing)
    listed = RULES.bets[on.partition(":")[0]]
    assert isinstance(listed, PartsBet)
    assert sorted((*listed.wins.value, *listed.loses.value)) == sorted(EVERY_TOTAL)
    carries(listed.wins, X + winning)
    assert list(shares(listed, bet(on, 20))) == list(dict.fromkeys(names))
    if present(listed.high):
        carries(listed.high, X + "3.1w-i")


# ---------------------------------------------------------------- the dice


def test_2_3_each_pair_of_faces_has_one_ticket() -> None:
    space = RULES.dice.outcomes.value
    assert [space.at(ticket) for ticket in range(36)] == list(product(range(1, 7), repeat=2))
    carries(RULES.dice.outcomes, X + "2.3")
