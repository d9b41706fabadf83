"""Super Sevens, and what may be placed on a blackjack layout."""

from __future__ import annotations

import pytest

from croupier.game import Chosen, Sign, Wager
from croupier.games.blackjack import BLACKJACK
from croupier.games.blackjack.stakes import StakeTerms, terms_of
from tests.games.blackjack.test_cases import bet, bets, lines, money, refused, refused_wager, rules, table, tell
from tests.helpers.observe import carries

II = "NZ1996-II-"


# ---------------------------------------------------------------- Super Sevens


@pytest.mark.parametrize(
    ("hand", "pays", "rule", "result"),
    [
        ("6h", 0, "14.4f", "lose"),
        ("7h Kc", 3, "14.4a", "one seven"),
        ("7h 7c stand", 50, "14.4b", "two sevens"),
        ("7h 7c hit 9h", 50, "14.4b", "two sevens"),
        ("7h 7h stand", 100, "14.4c", "two sevens of one suit"),
        ("7h 7h hit 2h", 100, "14.4c", "two sevens of one suit"),
        ("7h 7h hit 7c", 500, "14.4d", "three sevens"),
        ("7h 7c hit 7h", 500, "14.4d", "three sevens"),
        ("7s 7s hit 7s", 5000, "14.4e", "three sevens of one suit"),
        ("7h 7c split", 50, "14.5", "two sevens"),
        ("7h 7h split", 100, "14.5", "two sevens of one suit"),
    ],
)
def test_14_4_super_sevens(hand: str, pays: int, rule: str, result: str) -> None:
    first, *rest = hand.split()
    this = tell(table("main 10, super_sevens 5"), first, "6", *rest)
    entry = this.book[1]
    assert entry.resolution is not None
    carries(entry.resolution, II + rule)
    assert entry.resolution.result == result
    assert money(this)[1].pays_cents == 500 * pays
    carries(this.rules.sevens.figure, II + "14.4")


def test_14_6_paid_and_taken_as_soon_as_decided() -> None:
    assert lines(tell(table("main 10, super_sevens 5"), "6h"))[1] == "lost 0 II-14.4f"
    assert lines(tell(table("main 10, super_sevens 5"), "7h 6 K"))[1] == "won 15 II-14.4a"
    assert lines(tell(table("main 10, super_sevens 5"), "7h 6 7c"))[1] == "open 0 -"
    carries(rules().sevens.at_once, II + "14.6")


def test_14_5_a_split_ends_it_whatever_comes() -> None:
    this = tell(table("main 10, super_sevens 5"), "7h 6 7h split 7h stand 7h stand 10 10")
    assert lines(this)[1] == "won 500 II-14.5"


def test_14_2_every_player_of_the_box_may_have_one() -> None:
    this = tell(table("main 10 by a, main 5 by b, super_sevens 2 by b", sign=Sign(super_sevens=200)), "7h")
    assert lines(this)[2] == "open 0 -"
    carries(refused_wager("main 5 by a, super_sevens 2 by b", sign=Sign(super_sevens=200)), II + "14.2")
    carries(refused_wager("main 5 by a box 2, super_sevens 2 by a box 1"), II + "14.2")


@pytest.mark.parametrize(("amount", "taken"), [("1.99", False), ("2", True), ("2.01", False), ("5", False)])
def test_14_3_the_amount_on_the_sign(amount: str, *, taken: bool) -> None:
    wagers, sign = f"main 10, super_sevens {amount}", Sign(super_sevens=200)
    if taken:
        assert len(table(wagers, sign=sign).book) == 2
    else:
        carries(refused_wager(wagers, sign=sign), II + "14.3")
    carries(refused_wager("main 10, super_sevens 2, super_sevens 2", sign=sign), II + "14.3")


def test_14_1_super_sevens_is_the_operators_choice() -> None:
    assert BLACKJACK.wagers(rules()) == ("main", "insurance", "super_sevens")
    carries(rules().permitted, II + "4.1")
    assert BLACKJACK.wagers(rules(super_sevens=False)) == ("main", "insurance")
    carries(refused_wager("main 10, super_sevens 2", super_sevens=False), II + "14.1")


@pytest.mark.parametrize(("decks", "taken"), [(4, False), (5, False), (6, True), (7, True), (8, True)])
def test_3_1_super_sevens_needs_six_decks(decks: int, *, taken: bool) -> None:
    if taken:
        assert len(table("main 10, super_sevens 2", decks=decks).book) == 2
    else:
        carries(refused_wager("main 10, super_sevens 2", decks=decks), II + "3.1")


# ---------------------------------------------------------------- placing


@pytest.mark.parametrize(("box", "there"), [(0, False), (1, True), (7, True), (8, False)])
def test_2_1_seven_boxes(box: int, *, there: bool) -> None:
    if there:
        assert table(f"main 10 box {box}").state.boxes[0].number == box
    else:
        carries(refused_wager(f"main 10 box {box}"), II + "2.1")


def test_4_1_other_wagers_are_not_permitted() -> None:
    for wager in ("banker 10", "double 10", "split 10"):
        carries(refused_wager(wager), II + "4.1")


def test_4_2_no_wager_after_the_first_card() -> None:
    this = tell(table("main 10"), "7h")
    carries(refused(this, bet("main 10 box 2")), II + "4.2")
    carries(refused(this, bet("super_sevens 10")), II + "4.2")
    assert refused(this, bet("main 10")).whole == "main: no wager once the first card is out"


def test_4_6_4_7_no_wager_is_withdrawn() -> None:
    this = tell(table("main 10, super_sevens 5"), "7h 6 7c")
    carries(refused(this, {"take": "main"}), II + "4.6")
    carries(refused(this, {"take": "super_sevens"}), II + "4.7")
    carries(refused(tell(this, "split"), {"take": "split"}), II + "4.7")
    doubled = tell(table("main 10"), "6 6 5 double")
    carries(refused(doubled, {"take": "double"}), II + "4.7")


@pytest.mark.parametrize(
    ("elected", "players", "room"), [(3, "abc", True), (3, "abcd", False), (2, "abc", False), (1, "a", True)]
)
def test_13_1_players_on_a_box(elected: int, players: str, *, room: bool) -> None:
    wagers = ", ".join(f"main 5 by {name}" for name in players)
    if room:
        assert len(table(wagers, players_per_box=elected).book) == len(players)
    else:
        carries(refused_wager(wagers, players_per_box=elected), II + "13.1")


def test_13_1_by_default_three() -> None:
    assert rules().players_per_box.value.elected == 3
    this = table("main 5 by a, main 5 by b, main 5 by c")
    carries(refused(this, bet("main 5 by d")), II + "13.1")
    assert len(tell(this, bet("main 5 by c")).book) == 4


@pytest.mark.parametrize(("boxes", "room"), [(2, True), (3, False)])
def test_13_4_boxes_of_a_player(boxes: int, *, room: bool) -> None:
    wagers = ", ".join(f"main 5 box {number}" for number in range(1, boxes + 1))
    if room:
        assert len(table(wagers, boxes_per_player=2).book) == boxes
    else:
        carries(refused_wager(wagers, boxes_per_player=2), II + "13.4")


def test_13_4_by_default_all_seven() -> None:
    this = table(", ".join(f"main 5 box {number}" for number in range(1, 8)))
    assert len(this.state.boxes) == 7
    for most in range(1, 8):
        wagers = ", ".join(f"main 5 box {number}" for number in range(1, most + 1))
        assert len(table(wagers, boxes_per_player=most).state.boxes) == most
    carries(rules().boxes_per_player, II + "13.4")


@pytest.mark.parametrize(("second", "taken"), [("9.99", False), ("10", True), ("10.01", True)])
def test_13_6_the_minimum_on_each_box(second: str, *, taken: bool) -> None:
    wagers, sign = f"main 10, main {second} box 2", Sign(minimum=1000)
    if taken:
        assert len(table(wagers, sign=sign).book) == 2
    else:
        carries(refused_wager(wagers, sign=sign), II + "13.6")


@pytest.mark.parametrize(
    ("cap", "second", "taken"),
    [("box", 199, True), ("box", 200, True), ("box", 201, False), ("player", 201, True), ("none", 201, True)],
)
def test_13_2_the_total_on_a_box(cap: str, second: int, *, taken: bool) -> None:
    wagers, sign = f"main 300 by a, main {second} by b", Sign(maximum=50000)
    if taken:
        assert len(table(wagers, sign=sign, box_maximum=cap).book) == 2
    else:
        carries(refused_wager(wagers, sign=sign, box_maximum=cap), II + "13.2")
    assert len(table(wagers, box_maximum=cap).book) == 2


def test_13_2_the_total_of_a_player_on_a_box() -> None:
    sign = Sign(maximum=50000)
    carries(refused_wager("main 300 by a, main 201 by a", sign=sign, box_maximum="player"), II + "13.2")
    assert len(table("main 300 by a, main 201 by a box 2", sign=sign, box_maximum="player").book) == 2
    assert len(table("main 300 by a, main 201 by a", sign=sign).book) == 2
    carries(rules().box_maximum, II + "13.2")


@pytest.mark.parametrize(("amount", "valid", "void"), [("499.99", 49999, 0), ("500", 50000, 0), ("500.01", 50000, 1)])
def test_i_14_2b_above_the_maximum_the_excess_is_void(amount: str, valid: int, void: int) -> None:
    this = table(f"main {amount}", sign=Sign(maximum=50000))
    wager = this.book[0].wager
    assert (wager.stake_cents, wager.voided_cents) == (valid, void)
    lost = money(tell(this, "10 9 8 stand 10"))[0]
    assert (lost.result, lost.returned_cents) == ("lost", void)
    carries(this.rules.over_maximum, "NZ1996-I-14.2b")


def test_a_wager_remembers_the_sign_only_where_it_asks_for_something() -> None:
    assert table("main 10").book[0].wager.seen == ()
    signed = table("main 10", sign=Sign(minimum=500, chip=100)).book[0].wager
    assert terms_of(signed) == StakeTerms(500, 100)


def test_choices_without_wagers_put_nothing_down() -> None:
    """The automaton walks the play with nobody's money on it."""
    this = table("main 10")
    state = tell(this, "8 A 8").state
    for option in ("insure", "split", "hit", "stand"):
        assert BLACKJACK.stakes(this.rules, state, (), Chosen(option)) == ()
    assert bets("main 10, main 5 by b box 2")[1] == Wager("main", 500, "b", 2)
