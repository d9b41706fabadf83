"""The play of blackjack: what is due, where, from whom, and what the rules refuse."""

from __future__ import annotations

import pytest
from msgspec.structs import replace as changed

from croupier.equipment import parse_card
from croupier.errors import NotPermitted
from croupier.game import Choose, Chosen, Deal, DiceFell, Over, Performed, Refusal, say
from croupier.games.blackjack import BLACKJACK
from croupier.games.blackjack.layout import Layout, count, has_blackjack, is_pair, line, natural
from croupier.games.blackjack.play import in_order, turn
from croupier.notation import read_card
from croupier.once import replace
from croupier.round import AnyRound, happen, open_round
from tests.games.blackjack.test_cases import lines, refused, rules, table, tell
from tests.helpers.observe import carries

II = "NZ1996-II-"


def cards(text: str) -> tuple[int, ...]:
    return tuple(read_card(word) for word in text.split())


def options(this: AnyRound) -> tuple[str, ...]:
    assert isinstance(this.due, Choose), say(this.due)
    return this.due.options


def places(this: AnyRound, *facts: str) -> list[str]:
    """Where each of these cards went, as the demands said."""
    where = []
    for fact in facts:
        where.append(say(this.due))
        this = tell(this, fact)
    return where


# ---------------------------------------------------------------- cards


@pytest.mark.parametrize(
    ("hand", "points", "soft"),
    [
        ("7 9", 16, False),
        ("J Q", 20, False),
        ("K 10", 20, False),
        ("A 6", 17, True),
        ("A A", 12, True),
        ("A A 9", 21, True),
        ("A 5 9", 15, False),
        ("A 6 10", 17, False),
        ("A 10", 21, True),
        ("A A 10", 12, False),
        ("A A A 10 9", 22, False),
    ],
)
def test_3_2_how_a_hand_counts(hand: str, points: int, *, soft: bool) -> None:
    assert count(rules(), cards(hand)) == (points, soft)


@pytest.mark.parametrize("rank", range(2, 11))
def test_3_2a_figures_count_their_value(rank: int) -> None:
    assert count(rules(), cards(str(rank))).points == rank
    carries(rules().points, II + "3.2")


def test_1_0_a_blackjack_is_an_ace_and_a_ten_on_two_cards() -> None:
    assert all(natural(rules(), cards(f"A {ten}")) for ten in ("10", "J", "Q", "K"))
    assert not any(natural(rules(), cards(hand)) for hand in ("7 7 7", "A 9", "10 10", "A 5 5", "A A", "A"))
    carries(rules().blackjack, II + "1.0-def-blackjack")


def test_11_4c_no_blackjack_from_a_split() -> None:
    this = tell(table(), "10 6 K split A")
    hand = this.state.boxes[0].hands[0]
    assert not has_blackjack(this.rules, hand)
    assert has_blackjack(this.rules, replace(hand, split=False))
    carries(this.rules.split.blackjack, II + "11.4c")


def test_11_1_a_pair_is_of_equal_value() -> None:
    assert is_pair(rules(), parse_card("Kc"), parse_card("10d"))
    assert not is_pair(rules(), parse_card("9c"), parse_card("10d"))
    carries(rules().split.alike, II + "11.1")


# ---------------------------------------------------------------- elections


@pytest.mark.parametrize("decks", [4, 5, 6, 7, 8])
def test_3_1_four_to_eight_decks(decks: int) -> None:
    assert BLACKJACK.decks(rules(decks=decks)) == decks
    offered = "super_sevens" in BLACKJACK.wagers(rules(decks=decks))
    assert offered == (decks >= 6)


@pytest.mark.parametrize("decks", [3, 9])
def test_3_1_other_decks_are_refused(decks: int) -> None:
    with pytest.raises(NotPermitted) as refusal:
        rules(decks=decks)
    carries(refusal.value, II + "3.1")
    assert BLACKJACK.decks(rules()) == 8


@pytest.mark.parametrize("number", [0, 3])
def test_3_1_one_or_two_cutting_cards(number: int) -> None:
    with pytest.raises(NotPermitted) as refusal:
        rules(cutting_cards=number)
    carries(refusal.value, II + "3.1")
    assert [rules(cutting_cards=each).cutting_cards.value.elected for each in (1, 2)] == [1, 2]
    assert rules().cutting_cards.value.elected == 1


@pytest.mark.parametrize(("name", "wrong", "rule"), [("players_per_box", 4, "13.1"), ("boxes_per_player", 0, "13.4")])
def test_13_elections_outside_the_law_are_refused(name: str, wrong: int, rule: str) -> None:
    with pytest.raises(NotPermitted) as refusal:
        rules(**{name: wrong})
    carries(refusal.value, II + rule)


# ---------------------------------------------------------------- the initial deal


def test_7_3_box_by_box_dealer_box_by_box() -> None:
    this = table("main 10 by c box 7, main 10 by a, main 10 by b box 4")
    due = [this.due]
    for card in ["2", "3", "4", "5", "6", "7"]:
        this = tell(this, card)
        due.append(this.due)
    assert [say(each) for each in due] == [
        *("deal box 1", "deal box 4", "deal box 7", "deal dealer", "deal box 1", "deal box 4", "deal box 7"),
    ]
    for each, rule in zip(due, ("7.3a", "7.3a", "7.3a", "7.3b", "7.3c", "7.3c", "7.3c"), strict=True):
        carries(each, II + rule)
    assert isinstance(tell(this, "8").due, Choose)
    assert [box.number for box in in_order(this.state, this.rules.deal_from)] == [1, 4, 7]
    carries(this.rules.deal_from, II + "7.3")


def test_1_0_the_initial_deal_of_two_boxes_is_five_cards() -> None:
    this = tell(table("main 10, main 10 box 2"), "10 10 6 9")
    carries(this.due, II + "7.3c")
    this = tell(this, "9")
    carries(this.due, II + "7.4")
    assert len(this.state.cards) == 5
    assert len(this.state.dealer) == 1


def test_4_1_no_box_no_round() -> None:
    this = open_round(BLACKJACK, rules())
    carries(this.due, II + "4.1")
    assert this.over
    carries(refused(this, "5h"), II + "4.1")


def test_4_1_an_empty_box_gets_no_card() -> None:
    assert places(table("main 10, main 10 box 3"), "2", "3", "4") == ["deal box 1", "deal box 3", "deal dealer"]
    carries(rules().permitted, II + "4.1")


# ---------------------------------------------------------------- the decisions


def test_7_4_from_the_left_each_hand_to_its_end() -> None:
    this = tell(table("main 10 by a, main 10 by b box 3"), "5 10 6 4 6")
    assert say(this.due).startswith("choose a:")
    this = tell(this, "hit", "9", "stand")
    assert say(this.due).startswith("choose b:")
    carries(this.due, II + "7.4")
    assert say(tell(this, "stand").due) == "deal dealer"


def test_7_4_a_decision_out_of_turn() -> None:
    this = tell(table("main 10 by a, main 10 by b box 3"), "10 10 6 6 6")
    carries(refused(this, {"choose": "stand", "box": 3}), II + "7.4")
    carries(refused(this, {"choose": "stand", "by": "b"}), II + "7.4")
    carries(refused(this, {"choose": "fold"}), II + "7.4")
    carries(refused(this, DiceFell((1, 2))), II + "7.4")
    carries(refused(this, Performed("dance")), II + "7.4")
    assert say(tell(this, {"choose": "stand", "box": 1, "by": "a", "hand": 1}).due).startswith("choose b:")


def test_7_5_a_card_for_a_hit_and_no_other_answer() -> None:
    this = tell(table(), "5 6 6 hit")
    carries(this.due, II + "7.5")
    assert this.due == Deal("box 1", II + "7.5")
    carries(refused(this, "stand"), II + "7.5")
    assert isinstance(tell(this, "4").due, Choose)


@pytest.mark.parametrize(
    ("hand", "open_options", "rule"),
    [
        ("5 6", ("hit", "double"), "12.1d"),
        ("2 3", ("hit",), "12.1d"),
        ("6 6", ("stand", "hit", "split"), "7.4"),
        ("10 2", ("stand", "hit"), "7.4"),
        ("4 4", ("hit", "split"), "12.1d"),
        ("5 5", ("hit", "double", "split"), "12.1d"),
        ("A 8", ("stand", "hit"), "7.4"),
        ("A A", ("stand", "hit", "split"), "7.4"),
        ("10 10", ("stand", "hit", "split"), "7.4"),
        ("4 5", ("hit", "double"), "12.1d"),
        ("4 6", ("hit", "double"), "12.1d"),
        ("3 5", ("hit",), "12.1d"),
        ("5 7", ("stand", "hit"), "7.4"),
    ],
)
def test_7_4_what_is_open_on_two_cards(hand: str, open_options: tuple[str, ...], rule: str) -> None:
    first, second = hand.split()
    this = tell(table(), first, "6", second)
    assert options(this) == open_options
    carries(this.due, II + rule)


@pytest.mark.parametrize(("total", "stands"), [("2 3 6", False), ("2 3 7", True), ("2 3 5", False)])
def test_12_1d_eleven_draws_twelve_may_stand(total: str, *, stands: bool) -> None:
    first, second, third = total.split()
    this = tell(table(), first, "6", second, "hit", third)
    assert ("stand" in options(this)) == stands
    if not stands:
        carries(refused(this, "stand"), II + "12.1d")


@pytest.mark.parametrize(("third", "asked"), [("5", True), ("6", False), ("7", False)])
def test_12_1_a_hand_below_twenty_one_may_draw(third: str, *, asked: bool) -> None:
    this = tell(table(), "10 6 5 hit", third)
    assert isinstance(this.due, Choose) == asked
    if third == "6":
        carries(refused(this, "hit"), II + "12.1a")
    if third == "7":
        carries(refused(this, "hit"), II + "12.2")


def test_12_1a_no_choice_at_twenty_one_or_blackjack() -> None:
    assert say(tell(table(), "A 10 K").due) == "deal dealer"
    assert say(tell(table(), "A 10 5 hit 5").due) == "deal dealer"
    carries(refused(tell(table(), "A 10 K"), "hit"), II + "12.1a")


# ---------------------------------------------------------------- doubles


@pytest.mark.parametrize(("hand", "rule"), [("3 5", "10.1a"), ("5 7", "10.1a"), ("A 8", "10.1b"), ("A 9", "10.1b")])
def test_10_1_no_double(hand: str, rule: str) -> None:
    first, second = hand.split()
    carries(refused(table(), first, "6", second, "double"), II + rule)


def test_10_1_no_double_on_three_cards() -> None:
    carries(refused(table(), "2 6 3 hit 4 double"), II + "10.1")


def test_10_3_one_card_after_a_double() -> None:
    this = tell(table(), "5 6 6 double")
    carries(this.due, II + "10.3")
    this = tell(this, "2")
    assert say(this.due) == "deal dealer"
    carries(refused(this, "hit"), II + "10.3")
    carries(refused(this, "stand"), II + "10.3")


# ---------------------------------------------------------------- splits


def test_11_3_the_first_hand_is_finished_before_the_second_gets_a_card() -> None:
    this = tell(table(), "8 6 8 split")
    carries(this.due, II + "11.3")
    assert say(this.due) == "deal box 1 hand 1"
    this = tell(this, "2")
    assert options(this) == ("hit", "double")
    this = tell(this, "hit 9 stand")
    assert say(this.due) == "deal box 1 hand 2"
    carries(tell(this, "10").due, II + "11.4")


def test_11_4a_a_hand_split_off_is_played_right_after_the_one_it_came_from() -> None:
    this = tell(table(), "8 6 8 split 8 split")
    assert [hand.number for hand in this.state.boxes[0].hands] == [1, 3, 2]
    this = tell(this, "10 stand")
    assert say(this.due) == "deal box 1 hand 3"
    this = tell(this, "10 stand")
    assert say(this.due) == "deal box 1 hand 2"


@pytest.mark.parametrize(("splits", "open_still"), [(1, True), (2, False)])
def test_11_4a_three_hands_at_most(splits: int, *, open_still: bool) -> None:
    this = tell(table(), "8 6 8", *["split 8"] * splits)
    assert ("split" in options(this)) == open_still
    if not open_still:
        carries(refused(this, "split"), II + "11.4a")
    assert len(this.state.boxes[0].hands) == splits + 1


def test_11_4a_the_second_hand_may_be_split_again_instead() -> None:
    this = tell(table(), "8 6 8 split 10 stand 8 split 10 stand 9 stand")
    assert [hand.number for hand in this.state.boxes[0].hands] == [1, 2, 3]
    assert say(this.due) == "deal dealer"


def test_11_4b_split_aces_get_one_card_each_and_are_not_split_again() -> None:
    this = tell(table(), "A 6 A split")
    carries(this.due, II + "11.4b")
    this = tell(this, "A")
    assert say(this.due) == "deal box 1 hand 2"
    carries(refused(this, "split"), II + "11.4b")
    assert say(tell(this, "5").due) == "deal dealer"


def test_11_4b_aces_are_split_once_even_if_they_could_draw() -> None:
    law = rules()
    drawing = replace(law, split=replace(law.split, ace_cards=replace(law.split.ace_cards, value=9)))
    this = tell(changed(table(), rules=drawing), "A 6 A split A")
    carries(refused(this, "split"), II + "11.4b")


def test_11_5_a_declined_split_bars_the_hand() -> None:
    this = tell(table(), "4 6 4 hit 4")
    assert "split" not in options(this)
    carries(refused(this, "split"), II + "11.5")
    carries(refused(table(), "2 6 4 hit 4 split"), II + "11.1")


def test_11_5_declining_on_one_hand_does_not_bar_another() -> None:
    this = tell(table(), "8 6 8 split 8 stand 8")
    assert "split" in options(this)


def test_11_4_after_a_split_there_is_doubling() -> None:
    this = tell(table(), "6 6 6 split 5")
    assert options(this) == ("hit", "double")
    this = tell(this, "double 10 10")
    carries(this.due, II + "11.4")


# ---------------------------------------------------------------- the dealer


def test_7_6_the_dealers_second_card_is_always_due() -> None:
    this = tell(table(), "10 6 6 hit 10")
    assert this.due == Deal("dealer", II + "7.6")
    carries(this.due, II + "7.6")
    carries(tell(this, "10").due, II + "12.4")


def test_7_6_no_dealer_card_while_a_player_decides() -> None:
    carries(refused(table("main 10, main 10 box 4"), "10 10 6 6 6 stand 9"), II + "7.4")


@pytest.mark.parametrize(("second", "over"), [("6", False), ("7", True), ("8", True), ("A", True)])
def test_12_3_the_dealer_draws_to_sixteen_and_stands_on_seventeen(second: str, *, over: bool) -> None:
    this = tell(table(), "10 10 8 stand", second)
    assert isinstance(this.due, Over) == over
    carries(this.due, II + "12.3")


@pytest.mark.parametrize(("second", "over"), [("5", False), ("6", True)])
def test_12_3_a_soft_seventeen_stands(second: str, *, over: bool) -> None:
    assert isinstance(tell(table(), "10 A 8 stand", second).due, Over) == over


@pytest.mark.parametrize(
    ("facts", "rule"),
    [
        ("10 6 6 hit 10 10", "12.4"),
        ("A 10 K 6", "12.4"),
        ("10 6 2 stand 10", "12.3"),
    ],
)
def test_12_4_no_third_card_when_no_hand_depends_on_it(facts: str, rule: str) -> None:
    this = tell(table(), facts)
    carries(this.due, II + rule)
    assert isinstance(this.due, Over) == (rule == "12.4")


def test_12_4_one_live_hand_is_enough() -> None:
    this = tell(table("main 10, main 10 box 2"), "10 10 6 6 2 hit 10 stand 10")
    assert this.due == Deal("dealer", II + "12.3")


def test_the_round_is_over_once() -> None:
    this = tell(table(), "10 9 9 stand 10")
    carries(this.due, II + "12.3")
    assert this.over
    answer = happen(this, Chosen("hit"))
    assert isinstance(answer, Refusal)
    assert lines(this) == ["standoff 0 II-4.1e"]


# ---------------------------------------------------------------- who sits, who decides


def test_13_3b_the_seated_players_wager_lies_nearest() -> None:
    this = table("main 20 by a, main 10 by b, main 5 by c")
    box = this.state.boxes[0]
    assert (box.seated, box.others) == ("a", ("b", "c"))
    assert line(this.rules, box) == ("a", "b", "c")
    assert BLACKJACK.outcome(this.rules, this.state)["boxes"] == [
        {"box": 1, "players": ["a", "b", "c"], "hands": [{"hand": 1, "total": 0}]}
    ]
    carries(this.rules.sharing.nearest, II + "13.3b")


@pytest.mark.parametrize("option", ["hit", "stand"])
def test_13_3a_only_the_seated_player_decides(option: str) -> None:
    this = tell(table("main 20 by a, main 10 by b"), "10 6 6")
    carries(refused(this, {"choose": option, "by": "b"}), II + "13.3a")
    assert isinstance(tell(this, {"choose": option, "by": "a"}).due, Deal)


def test_13_3d_the_others_answer_in_any_order_before_a_card() -> None:
    this = tell(table("main 20 by a, main 10 by b, main 5 by c"), "8 6 8 split")
    assert this.due == Choose("b", ("split", "ride"), II + "13.3d", box=1, hand=1)
    carries(refused(this, "5"), II + "13.3d")
    this = tell(this, {"choose": "split", "by": "c"})
    this = tell(this, {"choose": "ride", "hand": 1})
    assert [hand.backers for hand in this.state.boxes[0].hands] == [("c", "b"), ("c",)]
    assert say(this.due) == "deal box 1 hand 1"
    carries(this.rules.sharing.others_answer, II + "13.3d")


def test_13_3d_only_those_on_the_hand_are_asked_at_a_second_split() -> None:
    this = tell(table("main 20 by a, main 10 by b, main 5 by c"), "8 6 8 split")
    this = tell(this, {"choose": "ride", "by": "b", "hand": 1}, {"choose": "ride", "by": "c", "hand": 2}, "8 split")
    assert this.due == Choose("b", ("split", "ride"), II + "13.3d", box=1, hand=1)
    carries(refused(this, {"choose": "ride", "by": "b", "hand": 2}), II + "13.3d")
    this = tell(this, {"choose": "ride", "by": "b", "hand": 3})
    assert [(hand.number, hand.backers) for hand in this.state.boxes[0].hands] == [(1, ()), (3, ("b",)), (2, ("c",))]


def test_13_4_a_player_may_decide_on_every_box_played() -> None:
    this = tell(table("main 10 by a, main 10 by a box 3"), "10 10 6 6 6", {"choose": "stand", "by": "a", "box": 1})
    assert turn(this.rules, this.state).box == this.state.boxes[1]
    assert say(tell(this, {"choose": "stand", "by": "a"}).due) == "deal dealer"
    carries(this.rules.boxes_per_player, II + "13.4")


def test_13_5_who_is_seated_elsewhere_only_backs() -> None:
    this = tell(table("main 20 by a, main 10 by b box 5, main 5 by a box 5"), "10 10 6 6 6 stand")
    carries(refused(this, {"choose": "hit", "by": "a", "box": 5}), II + "13.5")


# ---------------------------------------------------------------- wagers taken back


def test_4_2_before_the_first_card_a_wager_may_be_taken_back() -> None:
    this = tell(table("main 20 by a, main 10 by b, main 5 by c box 2"), {"take": "main", "by": "a"})
    assert this.state.boxes[0].seated == "b"
    assert lines(this) == ["void 0 II-4.2", "open 0 -", "open 0 -"]
    this = tell(this, {"take": "main", "by": "b"})
    assert [box.number for box in this.state.boxes] == [2]
    carries(refused(this, {"take": "main", "by": "b"}), II + "4.2")


def test_4_2_super_sevens_alone_may_be_taken_back() -> None:
    this = tell(table("main 20, super_sevens 5"), {"take": "super_sevens"})
    assert lines(this) == ["open 0 -", "void 0 II-4.2"]


def test_4_6_what_is_settled_lies_apart() -> None:
    """14.6 and 8.3: stake and winnings may be taken up before the round is over."""
    this = tell(table("main 20, super_sevens 5"), "7h 6 K")
    assert tell(this, {"take": "super_sevens"}).book == this.book
    carries(refused(this, {"take": "main"}), II + "4.6")
    even = tell(table("main 20"), "A A K even_money")
    assert tell(even, {"take": "main"}).book == even.book


# ---------------------------------------------------------------- positions


def test_an_empty_layout_is_what_a_round_begins_with() -> None:
    assert open_round(BLACKJACK, rules()).state == Layout()


def test_the_outcome_in_figures() -> None:
    this = tell(table("main 10, main 10 box 2"), "10 A 10 6 K hit 10 8")
    assert BLACKJACK.outcome(this.rules, this.state) == {
        "dealer": 18,
        "dealer_blackjack": False,
        "boxes": [
            {"box": 1, "players": [""], "hands": [{"hand": 1, "total": 26, "state": "bust"}]},
            {"box": 2, "players": [""], "hands": [{"hand": 1, "total": 21, "state": "blackjack"}]},
        ],
        "void": False,
    }
