"""The wagers of blackjack: what is accepted, what choices put down, and how each stake is decided."""

from __future__ import annotations

import pytest

from croupier.equipment import RANKS
from croupier.game import Rounding, Sign, Wager, Won
from croupier.games.blackjack import BLACKJACK
from croupier.games.blackjack.bets import decision
from croupier.games.blackjack.layout import Hand
from croupier.games.blackjack.moves import why_no_early
from croupier.law.readings import all_readings
from croupier.money import to
from croupier.once import replace
from croupier.round import AnyRound
from tests.games.blackjack.test_cases import bet, lines, money, refused, rules, table, tell
from tests.games.blackjack.test_play import cards
from tests.helpers.observe import carries

II = "NZ1996-II-"


def stakes_of(this: AnyRound) -> list[tuple[str, int, int, int | None]]:
    return [(e.wager.on, e.wager.stake_cents, e.wager.hand, e.wager.of) for e in this.book]


# ---------------------------------------------------------------- 4.1


@pytest.mark.parametrize(
    ("hand", "dealer", "rule", "result"),
    [
        ("10 2", "10 6 10", "4.1a", "win"),
        ("10 10", "10 9", "4.1b", "win"),
        ("A K", "10 10", "4.1b", "win"),
        ("A K", "7 7 7", "4.1c", "win"),
        ("5 6 10", "A Q", "4.1d", "lose"),
        ("10 8", "9 9", "4.1e", "stand off"),
        ("A J", "A 10", "4.1e", "stand off"),
        ("7 7 7", "5 6 10", "4.1e", "stand off"),
        ("10 6 6", "10 6 8", "4.1f", "lose"),
        ("10 7", "10 10", "4.1g", "lose"),
        ("10 10", "A K", "4.1g", "lose"),
    ],
)
def test_4_1_each_paragraph_decides(hand: str, dealer: str, rule: str, result: str) -> None:
    layout = replace(table().state, dealer=cards(dealer))
    law = decision(rules(), layout, Hand(cards=cards(hand)))
    carries(law, II + rule)
    assert law.value.result == result


def test_4_1f_a_bust_loses_whatever_the_dealer_does() -> None:
    assert lines(tell(table(), "10 6 6 hit 10 10")) == ["lost 0 II-12.2"]
    law = decision(rules(), replace(table().state, dealer=cards("10 6 10")), Hand(cards=cards("10 6 6")))
    carries(law, II + "4.1f")
    carries(rules().limit, II + "4.1f")


def test_12_2_a_bust_is_taken_before_the_next_player_acts() -> None:
    this = tell(table("main 10 by a, main 20 by b, main 5 by c box 2"), "10 10 6 6 6 hit 10")
    assert lines(this) == ["lost 0 II-12.2", "lost 0 II-12.2", "open 0 -"]


def test_12_2_a_bust_takes_the_wagers_of_that_hand_only() -> None:
    this = tell(table(), "8 6 8 split 8 hit 10")
    assert lines(this) == ["lost 0 II-12.2", "open 0 -"]


def test_4_5_wins_pay_even_and_blackjack_three_to_two() -> None:
    assert lines(tell(table("main 20"), "10 9 K stand 9")) == ["won 20 II-4.5"]
    late = tell(table("main 20"), "A", {"irregular": "omitted_dealer_card", "call": "unnoticed"}, "K complete 10 9")
    assert lines(late) == ["won 30 II-4.5"]
    assert rules().pays.value == to(1)
    assert rules().blackjacks.pays.value == to(3, 2)
    carries(rules().pays, II + "4.5")


@pytest.mark.parametrize("first", RANKS)
def test_8_1_8_2_when_a_blackjack_is_paid(first: str) -> None:
    this = tell(table("main 10"), "A", first, "K")
    if first in ("A", "10", "J", "Q", "K"):
        assert lines(this) == ["open 0 -"]
        assert lines(tell(this, "5")) == ["won 15 II-8.2"]
    else:
        assert lines(this) == ["won 15 II-8.1"]


def test_8_2_a_blackjack_stands_off_against_a_blackjack() -> None:
    this = tell(table("main 10"), "A 10 K A")
    assert lines(this) == ["standoff 0 II-4.1e"]


def test_i_15_3_winnings_go_up_to_the_next_chip() -> None:
    assert BLACKJACK.rounding(rules()) is Rounding.UP
    this = tell(table("main 5", sign=Sign(chip=100)), "A 9 K")
    assert money(this)[0].pays_cents == 800
    carries(rules().rounding, "NZ1996-I-15.3")


# ---------------------------------------------------------------- even money and insurance


def test_8_3_even_money_is_paid_at_once_and_final() -> None:
    this = tell(table("main 20"), "A A K even_money")
    assert lines(this) == ["won 20 II-8.3"]
    assert lines(tell(this, "K")) == ["won 20 II-8.3"]
    carries(refused(tell(table("main 20"), "A A K"), "even_money", "even_money"), II + "8.3")
    carries(refused(tell(table("main 20"), "A K K"), "even_money"), II + "8.3")
    resolution = this.book[0].resolution
    assert isinstance(resolution, Won)
    assert resolution.result == "even money"


def test_13_3g_each_player_elects_even_money_alone() -> None:
    this = tell(table("main 20 by a, main 10 by b"), "A A K", {"choose": "even_money", "by": "b"})
    assert lines(this) == ["open 0 -", "won 10 II-8.3"]
    assert this.state.boxes[0].paid == ("b",)
    carries(this.rules.sharing.each_even_money, II + "13.3g")


def test_13_3f_each_player_insures_alone() -> None:
    this = tell(table("main 20 by a, main 40 by b", sign=Sign(minimum=1000)), "10 A 9")
    carries(refused(this, {"choose": "insure", "by": "b", "amount": 2001}), II + "9.3")
    this = tell(this, {"choose": "insure", "by": "b", "amount": 2000}, {"choose": "insure", "by": "a"})
    assert stakes_of(this)[2:] == [("insurance", 2000, 1, 1), ("insurance", 1000, 1, 0)]
    carries(this.rules.sharing.each_insures, II + "13.3f")


@pytest.mark.parametrize("second", RANKS)
def test_9_1_insurance_wins_on_a_ten_only(second: str) -> None:
    this = tell(table("main 50"), "10 A 9 insure stand", second)
    ten = second in ("10", "J", "Q", "K")
    assert lines(this)[1] == ("won 50 II-9.5" if ten else "lost 0 II-9.6")
    carries(this.rules.insurance.wins_on, II + "9.1")


@pytest.mark.parametrize("first", RANKS)
def test_9_1_insurance_is_offered_against_an_ace_only(first: str) -> None:
    this = tell(table("main 50"), "10", first, "9")
    refusal = why_no_early(this.rules, this.state, "insure")
    assert (refusal is None) == (first == "A")
    if refusal:
        carries(refusal, II + "9.1")


def test_9_2_the_initial_deal_comes_first() -> None:
    this = tell(table("main 10, main 10 box 2"), "10 10 A 9")
    refusal = why_no_early(this.rules, this.state, "insure")
    assert refusal
    carries(refusal, II + "9.2")
    assert why_no_early(this.rules, tell(this, "9").state, "insure") is None


def test_9_3_before_any_further_card() -> None:
    this = tell(table("main 50"), "8 A 8 split")
    assert why_no_early(this.rules, this.state, "insure") is None
    carries(refused(this, "10 insure"), II + "9.3")
    carries(refused(table("main 50"), "10 A 9 stand 5 insure"), II + "9.3")


@pytest.mark.parametrize(
    ("minimum", "amount", "rule"), [(10, 999, "9.3"), (10, 1000, ""), (10, 2500, ""), (10, 2501, "9.3")]
)
def test_9_3_from_the_minimum_to_half_the_wager(minimum: int, amount: int, rule: str) -> None:
    this = tell(table("main 50", sign=Sign(minimum=minimum * 100)), "10 A 9")
    choice = {"choose": "insure", "amount": amount}
    if rule:
        carries(refused(this, choice), II + rule)
        carries(refused(this, Wager("insurance", amount)), II + rule)
    else:
        assert stakes_of(tell(this, choice))[1] == ("insurance", amount, 1, 0)
        assert stakes_of(tell(this, Wager("insurance", amount)))[1] == ("insurance", amount, 1, 0)


@pytest.mark.parametrize(("original", "insures"), [("10", False), ("19.99", False), ("20", True)])
def test_9_3_who_stakes_less_than_twice_the_minimum_cannot_insure(original: str, *, insures: bool) -> None:
    this = tell(table(f"main {original}", sign=Sign(minimum=1000)), "10 A 9")
    if insures:
        assert stakes_of(tell(this, "insure"))[1] == ("insurance", 1000, 1, 0)
    else:
        carries(refused(this, "insure"), II + "9.3")


@pytest.mark.parametrize(("amount", "payable"), [(1200, False), (1250, True), (1500, True)])
def test_9_4_a_win_must_be_payable_in_chips(amount: int, *, payable: bool) -> None:
    this = tell(table("main 50", sign=Sign(chip=500)), "10 A 9")
    choice = {"choose": "insure", "amount": amount}
    if payable:
        assert stakes_of(tell(this, choice))[1][1] == amount
    else:
        carries(refused(this, choice), II + "9.4")


def test_9_3_the_bare_word_insures_half_in_chips() -> None:
    this = tell(table("main 25", sign=Sign(chip=500)), "10 A 9 insure")
    assert stakes_of(this)[1] == ("insurance", 1000, 1, 0)


def test_4_7_insurance_is_locked() -> None:
    this = tell(table("main 50"), "10 A 9 insure")
    carries(refused(this, {"take": "insurance"}), II + "4.7")
    carries(refused(this, "insure"), II + "4.7")


@pytest.mark.parametrize("dealt", ["", "10 A 9"])
def test_4_2_a_wager_that_does_not_stand_is_not_taken_back(dealt: str) -> None:
    this = tell(table("main 50 by ann"), dealt)
    whole = [refused(this, fact).whole for fact in ({"call": "take"}, {"call": "take", "by": "ann"})]
    assert whole == ["take: it names no wager"] * 2
    assert refused(this, {"take": "zebra", "by": "ann"}).whole == "take zebra: no such wager of ann stands"
    carries(refused(this, {"take": "main"}), II + "4.2")


def test_9_3_insurance_placed_as_a_wager_needs_one_on_the_box() -> None:
    this = tell(table("main 50 by a"), "10 A 9")
    carries(refused(this, bet("insurance 10 by b")), II + "9.3")
    carries(refused(this, bet("insurance 10 by a box 2")), II + "9.3")
    insured = tell(this, bet("insurance 10 by a"))
    carries(refused(insured, {"choose": "insure", "by": "a"}), II + "4.7")
    carries(refused(insured, {"choose": "insure", "by": "z"}), II + "9.3")


# ---------------------------------------------------------------- doubles and splits


@pytest.mark.parametrize(("amount", "taken"), [(999, False), (1000, True), (5000, True), (5001, False)])
def test_10_2_from_the_minimum_to_the_wager(amount: int, *, taken: bool) -> None:
    this = tell(table("main 50", sign=Sign(minimum=1000)), "6 6 5")
    choice = {"choose": "double", "amount": amount}
    if taken:
        assert stakes_of(tell(this, choice))[1] == ("double", amount, 1, 0)
    else:
        carries(refused(this, choice), II + "10.2")


def test_10_2_the_maximum_does_not_test_a_double() -> None:
    this = tell(table("main 500", sign=Sign(maximum=50000)), "6 6 5 double 9 10 10")
    assert lines(this) == ["won 500 II-4.5", "won 500 II-10.4"]


def test_10_4_10_5_original_and_addition() -> None:
    assert lines(tell(table("main 20"), "6 9 5 double 9 K")) == ["won 20 II-4.5", "won 20 II-10.4"]
    blackjack = tell(table("main 20"), "6 A 5 double 9 K")
    assert [(each.result, each.returned_cents) for each in money(blackjack)] == [("lost", 0), ("standoff", 2000)]


@pytest.mark.parametrize(("amount", "taken"), [(2999, False), (3000, True), (3001, False)])
def test_11_2_a_split_wager_is_equal(amount: int, *, taken: bool) -> None:
    this = tell(table("main 30"), "8 6 8")
    choice = {"choose": "split", "amount": amount}
    if taken:
        assert stakes_of(tell(this, choice))[1] == ("split", 3000, 2, 0)
    else:
        carries(refused(this, choice), II + "11.2")


def test_11_2_a_second_split_is_measured_by_the_hand_it_parts() -> None:
    this = tell(table("main 30"), "8 6 8 split 8 hit 10 8 split 3 double")
    assert stakes_of(this) == [
        *(("main", 3000, 0, None), ("split", 3000, 2, 0), ("split", 3000, 3, 0), ("double", 3000, 2, 0)),
    ]
    assert lines(this)[0] == "lost 0 II-12.2"


def test_two_wagers_of_one_player_count_together() -> None:
    this = tell(table("main 30, main 20"), "8 6 8 split 3 double")
    assert stakes_of(this)[2:] == [("split", 5000, 2, 0), ("double", 3000 + 2000, 1, 0)]


def test_11_6_split_hands_pay_even() -> None:
    this = tell(table(), "10 8 K split A 7 stand 10")
    assert lines(this) == ["won 10 II-11.6", "lost 0 II-4.1g"]


def test_13_3c_others_may_double_and_need_not() -> None:
    this = tell(table("main 20 by a, main 10 by b, main 6 by c"), "6 6 5 double", {"choose": "double", "by": "c"}, "9")
    assert stakes_of(this)[3:] == [("double", 2000, 1, 0), ("double", 600, 1, 2)]
    assert len(this.state.boxes[0].hands[0].cards) == 3
    carries(this.rules.sharing.others_double, II + "13.3c")


def test_13_3c_a_rider_doubles_only_on_the_hand_ridden() -> None:
    this = tell(table("main 20 by a, main 10 by b"), "8 6 8 split", {"choose": "ride", "by": "b", "hand": 2})
    carries(refused(this, "3 double", {"choose": "double", "by": "b"}), II + "13.3e")
    this = tell(this, "10 stand 3 double", {"choose": "double", "by": "b"}, "9 10 10")
    assert stakes_of(this)[1:] == [
        *(("main", 1000, 2, None), ("split", 2000, 2, 0), ("double", 2000, 2, 0), ("double", 1000, 2, 1)),
    ]
    assert {each.result for each in money(this)} == {"won"}


def test_13_3d_riding_and_covering() -> None:
    this = table("main 20 by a, main 10 by b, main 5 by c")
    this = tell(this, "8 10 8 split", {"choose": "ride", "by": "b", "hand": 2}, {"choose": "split", "by": "c"})
    this = tell(this, "10 stand 2 hit 3 hit 10 7")
    assert stakes_of(this) == [
        *(("main", 2000, 0, None), ("main", 1000, 2, None), ("main", 500, 0, None)),
        *(("split", 2000, 2, 0), ("split", 500, 2, 2)),
    ]
    assert [each.result for each in money(this)] == ["won", "lost", "won", "lost", "lost"]


# ---------------------------------------------------------------- the dealer's blackjack, by reading

BUST_FIRST = "8 A 8 split 8 hit 10 10 stand K"
BUST_SECOND = "8 A 8 split 10 stand 8 hit 10 K"
THREE_LIVE = "8 A 8 split 8 split 10 stand 10 stand 10 stand K"
BUST_FIRST_OF_THREE = "8 A 8 split 8 split 8 hit 10 10 stand 10 stand K"


@pytest.mark.parametrize(
    ("reading", "facts", "lost"),
    [
        ("first_hand", BUST_FIRST, [True, False]),
        ("first_hand", BUST_SECOND, [True, True]),
        ("first_hand", THREE_LIVE, [True, False, False]),
        ("first_hand", BUST_FIRST_OF_THREE, [True, False, False]),
        ("busted_plus_one", BUST_FIRST, [True, True]),
        ("busted_plus_one", BUST_SECOND, [True, True]),
        ("busted_plus_one", THREE_LIVE, [True, False, False]),
        ("busted_plus_one", BUST_FIRST_OF_THREE, [True, False, True]),
        ("original_only", BUST_FIRST, [True, False]),
        ("original_only", BUST_SECOND, [True, False]),
        ("original_only", THREE_LIVE, [True, False, False]),
        ("original_only", BUST_FIRST_OF_THREE, [True, False, False]),
    ],
)
def test_11_7_what_a_dealers_blackjack_takes(reading: str, facts: str, lost: list[bool]) -> None:
    this = tell(table(dealer_blackjack=reading), facts)
    assert [each.result == "lost" for each in money(this)] == lost
    assert all(each.returned_cents == (0 if each.result == "lost" else 1000) for each in money(this))
    returned = [entry.resolution for entry in this.book if entry.resolution and entry.resolution.result == "returned"]
    for resolution in returned:
        carries(resolution, II + "11.7")
    carries(this.rules.dealer_blackjack, II + "11.7")


def test_11_7_the_readings_are_those_on_offer() -> None:
    reading = next(each for each in all_readings() if each.name == "dealer_blackjack")
    options = rules().dealer_blackjack.value
    assert set(options.permitted) == set(reading.options)
    assert options.elected == reading.choice == "first_hand"
    carries(rules().dealer_blackjack, II + "11.7")


def test_11_7_a_riders_only_wager_is_the_original() -> None:
    this = table("main 20 by a, main 10 by b")
    this = tell(this, "8 A 8 split", {"choose": "ride", "by": "b", "hand": 2}, "10 stand 10 stand K")
    assert [each.result for each in money(this)] == ["lost", "lost", "standoff"]


def test_11_7_by_the_second_reading_each_player_loses_one_live_hand() -> None:
    this = table("main 20 by a, main 10 by b, main 5 by c", dealer_blackjack="busted_plus_one")
    this = tell(this, "8 A 8 split", {"choose": "ride", "by": "b", "hand": 2}, {"choose": "split", "by": "c"})
    this = tell(this, "8 hit 10 10 stand K")
    assert [each.result for each in money(this)] == ["lost", "lost", "lost", "lost", "lost"]
