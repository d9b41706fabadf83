"""Part 15 of blackjack: what goes wrong, what is ordered, and how the round goes on."""

from __future__ import annotations

import pytest

from croupier.equipment import parse_card
from croupier.game import CardSeen, Choose, Deal, Irregular, Perform, Performed, Refusal, Remedy, Ruling, say
from croupier.games.blackjack import BLACKJACK
from croupier.games.blackjack.irregular import CIRCUMSTANCES
from croupier.law.officials import CASINO_SUPERVISOR, DEALER, GAME_SUPERVISOR
from croupier.round import AnyRound
from tests.games.blackjack.test_cases import Step, fact_of, lines, refused, rules, table, tell
from tests.helpers.observe import carries

II = "NZ1996-II-"
TWO = "main 10 by a, main 20 by b box 2"


def ruling(this: AnyRound, **said: object) -> Ruling:
    answer = BLACKJACK.rule_on(this.rules, this.state, irregular(this, **said))
    assert isinstance(answer, Ruling), answer
    return answer


def irregular(this: AnyRound, **said: object) -> Irregular:
    fact = fact_of(this, said)
    assert isinstance(fact, Irregular)
    return fact


def hands(this: AnyRound) -> list[int]:
    return [len(hand.cards) for box in this.state.boxes for hand in box.hands]


def test_the_list_of_circumstances_is_closed() -> None:
    assert set(rules().irregularities) == set(CIRCUMSTANCES)
    answer = refused(table(), Irregular("earthquake"))
    carries(answer, "NZ1996-I-8.1")
    assert "no such circumstance" in answer.reason
    carries(rules().unprovided, "NZ1996-I-8.1")
    assert rules().unprovided.value == GAME_SUPERVISOR


UNNOTICED = {"irregular": "omitted_dealer_card", "call": "unnoticed"}
OMITTED = {"irregular": "omitted_box", "to": "box 1", "call": "unnoticed"}
TOLD = "game supervisor told"


@pytest.mark.parametrize(
    ("facts", "said", "rule", "ordered"),
    [
        (("10",), {"irregular": "face_up_card"}, "15.1", (Remedy.DISCARD, DEALER, "")),
        (("10",), {"irregular": "unexposed_card"}, "15.2", (Remedy.USE, DEALER, "")),
        (("10",), {"irregular": "card_to_empty_box"}, "15.3", (Remedy.RECONSTRUCT, CASINO_SUPERVISOR, "")),
        (("10 6 9 stand",), {"irregular": "card_to_empty_box"}, "15.3", (Remedy.DISCARD, DEALER, "")),
        ((), OMITTED, "15.4", (Remedy.PLAY_ON, DEALER, "")),
        ((), {"irregular": "omitted_box", "to": "1"}, "15.4", (Remedy.RECONSTRUCT, CASINO_SUPERVISOR, "")),
        (("10",), UNNOTICED, "15.5", (Remedy.PLAY_ON, DEALER, "")),
        (("10",), {"irregular": "omitted_dealer_card"}, "15.5", (Remedy.RECONSTRUCT, CASINO_SUPERVISOR, "")),
        (("10", UNNOTICED, "6 hit"), {"irregular": "omitted_dealer_card"}, "15.5", (Remedy.OPTION, DEALER, "")),
        (("10 6 9",), {"irregular": "exposed_on_dealer"}, "15.6", (Remedy.DISCARD, DEALER, "")),
        (("10 6 9 stand",), {"irregular": "exposed_card", "card": "5h"}, "15.7", (Remedy.USE, DEALER, "")),
        (("10 6 9",), {"irregular": "exposed_card", "card": "5h"}, "15.7", (Remedy.OPTION, DEALER, "")),
        (
            ("10c",),
            {"irregular": "misplaced_card", "found": ["10c"]},
            "15.8",
            (Remedy.RECONSTRUCT, CASINO_SUPERVISOR, TOLD),
        ),
        (
            ("10 6 9 hit",),
            {"irregular": "misplaced_card", "to": "1"},
            "15.8",
            (Remedy.VOID_HAND, CASINO_SUPERVISOR, TOLD),
        ),
        (
            ("10 6 9 hit",),
            {"irregular": "misplaced_card", "to": "dealer"},
            "15.8",
            (Remedy.VOID_ROUND, CASINO_SUPERVISOR, TOLD),
        ),
        (("5 6 6",), {"irregular": "absent_player"}, "15.9", (Remedy.PLAY_ON, CASINO_SUPERVISOR, "")),
        (("6 6 6",), {"irregular": "absent_player"}, "15.9", (Remedy.STAND, CASINO_SUPERVISOR, "")),
        (
            ("10",),
            {"irregular": "insufficient_cards"},
            "15.10",
            (Remedy.PLAY_ON, DEALER, "shuffle and cut the discards"),
        ),
        (("10",), {"irregular": "damaged_card"}, "15.11", (Remedy.REPLACE, CASINO_SUPERVISOR, "")),
        (("10",), {"irregular": "missed_reshuffle"}, "15.12", (Remedy.PLAY_ON, DEALER, "")),
        (("10",), {"irregular": "missing_cutting_card"}, "15.13", (Remedy.PLAY_ON, DEALER, "")),
        (("10",), {"irregular": "cards_handled"}, "3.3", (Remedy.PLAY_ON, GAME_SUPERVISOR, TOLD)),
    ],
)
def test_15_what_is_ordered_by_whom_and_what_is_said(
    facts: tuple[Step, ...], said: dict[str, object], rule: str, ordered: tuple[Remedy, str, str]
) -> None:
    found = ruling(tell(table(), *facts), **said)
    assert (found.remedy, found.by, found.call) == ordered
    carries(found, II + rule)


def test_15_4_a_box_left_out_is_the_dealers_to_see() -> None:
    this = tell(table(TWO), OMITTED, "10 6 9 stand")
    found = ruling(this, irregular="omitted_box", to="box 1")
    assert (found.remedy, found.by, found.call) == (Remedy.VOID_WAGER, DEALER, "")
    assert found.facts == (Performed("void hand", DEALER, "box 1", II + "15.4"),)
    carries(found, II + "15.4")


@pytest.mark.parametrize("order", ["void hand: box 1", "afterwards: shuffle"])
def test_only_a_ruling_gives_an_order_its_rule(order: str) -> None:
    """Whoever tells an act names no rule for it, neither beside it nor in its detail."""
    act, detail = order.split(": ")
    refused(tell(table(), "10 6 9"), Performed(act, DEALER, f"{detail} under {II}15.4"))


# ---------------------------------------------------------------- cards to discard or use


def test_15_1_a_face_up_card_is_discarded() -> None:
    this = tell(table(), "10 6")
    found = ruling(this, irregular="face_up_card", card="5h")
    assert (found.remedy, found.by, found.facts) == (Remedy.DISCARD, DEALER, ())
    carries(found, II + "15.1")
    assert tell(this, {"irregular": "face_up_card", "card": "5h"}).state == this.state


def test_15_2_an_unexposed_card_is_the_next_card() -> None:
    this = tell(table(), "10")
    found = ruling(this, irregular="unexposed_card", card="6h")
    assert (found.remedy, found.facts) == (Remedy.USE, (CardSeen(parse_card("6h")),))
    carries(found, II + "15.2")
    assert tell(this, {"irregular": "unexposed_card", "card": "6h"}).state.dealer == (parse_card("6h"),)
    waiting = tell(table(), "10 6 9")
    assert ruling(waiting, irregular="unexposed_card", card="6h").facts == ()


def test_15_6_an_exposed_card_on_the_dealers_hand_is_discarded() -> None:
    this = tell(table(), "10 6 9")
    found = ruling(this, irregular="exposed_on_dealer", card="5h")
    assert (found.remedy, found.by) == (Remedy.DISCARD, DEALER)
    carries(found, II + "15.6")
    assert tell(this, {"irregular": "exposed_on_dealer", "card": "5h"}).state == this.state


def test_3_3_a_handled_card_is_noted() -> None:
    this = tell(table(), "10 6 9")
    found = ruling(this, irregular="cards_handled")
    assert (found.remedy, found.by, found.call) == (Remedy.PLAY_ON, GAME_SUPERVISOR, "game supervisor told")
    carries(found, II + "3.3")
    assert tell(this, {"irregular": "cards_handled"}).state == this.state


# ---------------------------------------------------------------- a box without a wager, a box passed over


def test_15_3_a_stray_card_goes_where_it_was_due() -> None:
    """Boxes 1 and 3 have wagers; the second card went to box 2, and belongs to box 3."""
    this = tell(table("main 10 by a, main 10 by b box 3"), "10")
    found = ruling(this, irregular="card_to_empty_box", to="box 2", card="5h")
    assert (found.remedy, found.by) == (Remedy.RECONSTRUCT, CASINO_SUPERVISOR)
    carries(found, II + "15.3")
    this = tell(this, {"irregular": "card_to_empty_box", "to": "box 2", "card": "5h"})
    assert hands(this) == [1, 1]
    assert say(this.due) == "deal dealer"
    carries(refused(this, {"irregular": "card_to_empty_box", "to": "box 3", "card": "5h"}), II + "15.3")


def test_15_3_found_later_the_hands_are_laid_again() -> None:
    this = tell(table("main 10 by a, main 10 by b box 3"), "10c 5c Kc 9c")
    found = ["10c", "7h", "5c", "Kc", "9c"]
    this = tell(this, {"irregular": "card_to_empty_box", "to": "box 2", "card": "7h", "found": found})
    assert [hand.cards for hand in this.state.hands()] == [
        *((parse_card("10c"), parse_card("Kc")), (parse_card("7h"), parse_card("9c"))),
    ]
    assert this.state.dealer == (parse_card("5c"),)
    wrong = {"irregular": "card_to_empty_box", "to": "box 2", "card": "7h", "found": ["10c", "7h"]}
    carries(refused(this, wrong), II + "15.3")


def test_15_3_after_a_decision_the_stray_card_is_discarded() -> None:
    this = tell(table("main 10 by a, main 10 by b box 3"), "10 10 6 6 6 stand")
    found = ruling(this, irregular="card_to_empty_box", to="box 2", card="5h")
    assert (found.remedy, found.by, found.facts) == (Remedy.DISCARD, DEALER, ())
    carries(found, II + "15.3")


def test_15_3_to_insure_is_a_decision() -> None:
    this = tell(table("main 10"), "10 A 6")
    assert isinstance(BLACKJACK.rule_on(this.rules, this.state, Irregular("card_to_empty_box", to="box 2")), Refusal)
    assert ruling(tell(this, "insure"), irregular="card_to_empty_box", to="box 2").remedy is Remedy.DISCARD
    even = tell(table("main 10"), "A A K even_money")
    assert ruling(even, irregular="card_to_empty_box", to="box 2").remedy is Remedy.DISCARD


def test_15_3_what_was_paid_is_undone_with_the_hands() -> None:
    """A blackjack paid at once was none: the cards are laid again, and the wager is open again."""
    this = tell(table("main 10, super_sevens 5"), "Ah 9c Kh")
    assert lines(this) == ["won 15 II-8.1", "lost 0 II-14.4f"]
    found = ["7d", "Ah", "9c"]
    this = tell(table("main 10, super_sevens 5"), "Ah 9c")
    this = tell(this, {"irregular": "card_to_empty_box", "to": "box 2", "card": "7d", "found": found})
    assert lines(this) == ["open 0 -", "won 15 II-14.4a"]
    assert say(this.due).startswith("choose box 1")


def test_15_4_a_box_passed_over_is_put_right_while_nobody_has_decided() -> None:
    this = tell(table(TWO), "10c")
    found = ruling(this, irregular="omitted_box", to="box 2")
    assert (found.remedy, found.by, found.facts) == (Remedy.RECONSTRUCT, CASINO_SUPERVISOR, ())
    carries(found, II + "15.4")
    this = tell(this, {"irregular": "omitted_box", "to": "box 2", "call": "unnoticed"}, "6c 9c")
    assert say(this.due).startswith("choose a:")
    carries(refused(this, {"irregular": "omitted_box", "to": "box 2"}), II + "15.4")
    this = tell(this, {"irregular": "omitted_box", "to": "box 2", "found": ["10c", "6c", "9c"]})
    assert say(this.due) == "deal box 1"
    assert hands(this) == [1, 1]
    # A box that has played was not passed over, and its hands are not rebuilt.
    split = tell(table(), "8 6 8 split")
    passed = {"irregular": "omitted_box", "to": "box 1 hand 2", "found": ["8c", "6c", "8c"]}
    assert "it has played" in refused(split, passed).reason


def test_15_4_after_a_decision_of_another_the_box_is_left_out() -> None:
    this = table("main 10 by a, main 20 by b box 2, main 5 by c box 2, super_sevens 5 by b box 2")
    passed = ruling(tell(this, "10"), irregular="omitted_box", to="box 2", call="unnoticed")
    assert (passed.remedy, passed.by) == (Remedy.PLAY_ON, DEALER)
    this = tell(this, "10", {"irregular": "omitted_box", "to": "box 2", "call": "unnoticed"}, "6 8 hit")
    found = ruling(this, irregular="omitted_box", to="box 2")
    assert (found.remedy, found.by) == (Remedy.VOID_WAGER, DEALER)
    carries(found, II + "15.4")
    this = tell(this, {"irregular": "omitted_box", "to": "box 2"})
    assert lines(this) == ["open 0 -", "void 0 II-15.4", "void 0 II-15.4", "void 0 II-15.4"]
    this = tell(this, "2 stand 10 10")
    assert lines(this)[0] == "won 10 II-4.5"
    assert this.over


def test_15_4_only_the_others_decisions_count() -> None:
    """Box 1 got one card of its two, and its own player insured: the hands are still rebuilt."""
    this = tell(table("main 10 by a, main 20 by b box 2"), "10c 9c Ac")
    this = tell(this, {"irregular": "omitted_box", "to": "box 1", "call": "unnoticed"}, "8c")
    assert ruling(this, irregular="omitted_box", to="box 1", found=["10c", "9c", "Ac", "8c"]).remedy is (
        Remedy.RECONSTRUCT
    )
    decided = tell(this, {"choose": "stand", "by": "b"})
    assert ruling(decided, irregular="omitted_box", to="box 1").remedy is Remedy.VOID_WAGER
    carries(refused(this, {"irregular": "omitted_box", "to": "box 7"}), II + "15.4")
    carries(refused(this, {"irregular": "omitted_box", "to": "box 2", "call": "unnoticed"}), II + "15.4")


def test_15_4_an_omitted_box_gets_no_second_card_and_no_choice() -> None:
    this = tell(table(TWO), "10", {"irregular": "omitted_box", "to": "2", "call": "unnoticed"}, "6 9 stand")
    assert say(this.due) == "deal dealer"
    ace = tell(table(TWO), "10", {"irregular": "omitted_box", "to": "2", "call": "unnoticed"}, "A 9")
    assert len(tell(ace, {"choose": "insure", "box": 1}).book) == 3
    assert lines(tell(this, {"irregular": "omitted_box", "to": "2"})) == ["open 0 -", "void 0 II-15.4"]
    this = tell(this, "10 10")
    assert lines(this) == ["won 10 II-4.5", "void 0 II-15.4"]
    assert this.over


# ---------------------------------------------------------------- an exposed card

EXPOSED = {"irregular": "exposed_card", "card": "10h"}


def test_15_7_an_exposed_card_is_the_next_card() -> None:
    this = tell(table(), "5 6 6 hit")
    found = ruling(this, **EXPOSED)
    assert (found.remedy, found.by) == (Remedy.USE, DEALER)
    carries(found, II + "15.7")
    assert tell(this, EXPOSED).state.boxes[0].hands[0].cards[-1] == parse_card("10h")


def test_15_7_a_player_may_take_it() -> None:
    this = tell(table(), "5 6 6")
    assert ruling(this, **EXPOSED).remedy is Remedy.OPTION
    this = tell(this, EXPOSED)
    assert this.due == Choose("box 1", ("hit", "double", "refuse"), II + "12.1d", box=1, hand=1)
    this = tell(this, "hit")
    carries(this.due, II + "15.7")
    carries(refused(this, "9h"), II + "15.7")
    assert lines(tell(this, "10h 10 10")) == ["won 10 II-4.5"]


def test_15_7_who_refuses_gets_no_more_cards() -> None:
    """On eleven, too: the special rule prevails over the duty to draw."""
    this = tell(table(TWO), "5 10 6 6 5", EXPOSED, "refuse")
    assert say(this.due).startswith("choose b:")
    this = tell(this, "refuse")
    assert this.due == Deal("dealer", II + "15.7")
    carries(refused(this, "9h"), II + "15.7")
    this = tell(this, "10h")
    assert this.due == Deal("dealer", II + "12.3")
    assert lines(tell(this, "10")) == ["won 10 II-4.5", "won 20 II-4.5"]


def test_15_7_it_is_offered_to_the_next_player_only_if_refused() -> None:
    this = tell(table(TWO), "5 10 6 6 5", EXPOSED, "hit 10h")
    assert isinstance(this.due, Choose)
    assert "refuse" not in this.due.options
    carries(refused(this, "refuse"), II + "7.4")


def test_15_7_only_after_the_initial_deal_and_with_a_card() -> None:
    carries(refused(tell(table(), "5"), EXPOSED), II + "15.7")
    carries(refused(tell(table(), "5 6 6"), {"irregular": "exposed_card"}), II + "15.7")
    carries(refused(tell(table(), "5 6 6", EXPOSED), EXPOSED), II + "15.7")


# ---------------------------------------------------------------- other misplaced cards


def test_15_8_rebuilt_under_a_casino_supervisor() -> None:
    this = tell(table(TWO), "10c 9c 6c 8c 7c")
    found = ruling(this, irregular="misplaced_card", to="box 1", found=["9c", "10c", "6c", "8c", "7c"])
    assert (found.remedy, found.by, found.call) == (Remedy.RECONSTRUCT, CASINO_SUPERVISOR, "game supervisor told")
    carries(found, II + "15.8")
    this = tell(this, {"irregular": "misplaced_card", "to": "box 1", "found": ["9c", "10c", "6c", "8c", "7c"]})
    assert this.state.boxes[0].hands[0].cards == (parse_card("9c"), parse_card("8c"))
    carries(refused(this, {"irregular": "misplaced_card", "to": "box 1"}), II + "15.8")
    carries(refused(tell(table(), "10c"), {"irregular": "misplaced_card", "to": "box 1"}), II + "15.8")


def test_15_8_a_hand_that_cannot_be_rebuilt_is_void() -> None:
    this = tell(table(TWO), "10 9 6 8 7")
    void = ruling(this, irregular="misplaced_card", to="box 1", call="void")
    assert (void.remedy, void.by) == (Remedy.VOID_HAND, CASINO_SUPERVISOR)
    carries(void, II + "15.8")
    this = tell(this, {"irregular": "misplaced_card", "to": "box 1", "call": "void"})
    assert lines(this) == ["void 0 II-15.8", "open 0 -"]
    assert say(this.due).startswith("choose b:")


def test_15_8_after_a_decision_the_hand_is_void() -> None:
    this = tell(table(TWO), "10 9 6 8 7 stand")
    assert ruling(this, irregular="misplaced_card", to="box 2", found=[]).remedy is Remedy.VOID_HAND
    split = tell(table(), "8 6 8 split 10 stand")
    split = tell(split, {"irregular": "misplaced_card", "to": "box 1 hand 2"})
    assert lines(split) == ["open 0 -", "void 0 II-15.8"]
    assert say(split.due) == "deal dealer"
    carries(refused(this, {"irregular": "misplaced_card", "to": "box 9"}), II + "15.8")
    carries(refused(split, {"irregular": "misplaced_card", "to": "box 1 hand 3"}), II + "15.8")


def test_15_8_insurance_goes_with_its_box() -> None:
    this = tell(table("main 10, main 10 by b box 2"), "10 9 A 8 7", {"choose": "insure", "box": 1})
    this = tell(this, {"irregular": "misplaced_card", "to": "box 1"})
    assert lines(this) == ["void 0 II-15.8", "open 0 -", "void 0 II-15.8"]


def test_15_8_the_dealers_hand_makes_the_round_void() -> None:
    this = tell(table("main 10 by a, super_sevens 5 by a, main 20 by b box 2"), "10 9 6 8 7 hit 9")
    found = ruling(this, irregular="misplaced_card", to="dealer")
    assert (found.remedy, found.by) == (Remedy.VOID_ROUND, CASINO_SUPERVISOR)
    carries(found, II + "15.8")
    assert lines(this)[:2] == ["lost 0 II-12.2", "lost 0 II-14.4f"]
    this = tell(this, {"irregular": "misplaced_card", "to": "dealer"})
    assert lines(this) == ["void 0 II-15.8"] * 3
    carries(this.due, II + "15.8")
    assert this.over


# ---------------------------------------------------------------- an absent player


@pytest.mark.parametrize(
    ("hand", "remedy"),
    [
        ("4 4", Remedy.PLAY_ON),
        ("5 6", Remedy.PLAY_ON),
        ("6 6", Remedy.STAND),
        ("A 3", Remedy.STAND),
        ("10 3", Remedy.STAND),
    ],
)
def test_15_9_cards_are_directed_to_an_absent_player_up_to_hard_eleven(hand: str, remedy: Remedy) -> None:
    first, second = hand.split()
    this = tell(table(), first, "6", second)
    found = ruling(this, irregular="absent_player")
    assert (found.remedy, found.by) == (remedy, CASINO_SUPERVISOR)
    carries(found, II + "15.9")
    after = tell(this, {"irregular": "absent_player"})
    assert after.due == (Deal("box 1", II + "7.5") if remedy is Remedy.PLAY_ON else Deal("dealer", II + "7.6"))
    carries(this.rules.absent_up_to, II + "15.9")


def test_15_9_only_where_a_decision_is_due() -> None:
    carries(refused(tell(table(), "10"), {"irregular": "absent_player"}), II + "15.9")
    split = tell(table("main 10 by a, main 5 by b"), "8 6 8 split")
    carries(refused(split, {"irregular": "absent_player"}), II + "15.9")


# ---------------------------------------------------------------- the cards themselves


def test_15_10_the_discards_finish_the_round() -> None:
    this = tell(table(), "10 6 9 stand")
    found = ruling(this, irregular="insufficient_cards")
    assert (found.remedy, found.by, found.call) == (Remedy.PLAY_ON, DEALER, "shuffle and cut the discards")
    carries(found, II + "15.10")
    assert tell(this, {"irregular": "insufficient_cards"}).due == this.due
    carries(refused(tell(table(), "10 6 9"), {"irregular": "insufficient_cards"}), II + "15.10")


@pytest.mark.parametrize(
    ("circumstance", "remedy", "by", "act", "rule"),
    [
        ("damaged_card", Remedy.REPLACE, CASINO_SUPERVISOR, "replace damaged cards", "15.11"),
        ("missed_reshuffle", Remedy.PLAY_ON, DEALER, "shuffle", "15.12"),
        ("missing_cutting_card", Remedy.PLAY_ON, DEALER, "shuffle", "15.13"),
    ],
)
def test_15_11_to_15_13_put_off_to_the_end_of_the_round(
    circumstance: str, remedy: Remedy, by: str, act: str, rule: str
) -> None:
    this = tell(table(), "10 6 9")
    found = ruling(this, irregular=circumstance)
    assert (found.remedy, found.by) == (remedy, by)
    carries(found, II + rule)
    after = tell(this, {"irregular": circumstance})
    assert after.due == this.due
    assert after.state.afterwards == (Perform(act, by, II + rule),)


# ---------------------------------------------------------------- orders of staff as plain facts


@pytest.mark.parametrize(
    "fact",
    [
        {"perform": "void hand", "detail": "nonsense"},
        {"perform": "void hand", "detail": "box 1"},
        {"perform": "pass over", "detail": "box 9"},
        {"perform": "expose", "detail": 52},
        {"perform": "expose", "detail": "5h"},
        {"perform": "somersault"},
    ],
)
def test_an_order_that_means_nothing_is_refused(fact: dict[str, object]) -> None:
    this = tell(table(), "10")
    carries(refused(this, fact), II + "7.3b")
