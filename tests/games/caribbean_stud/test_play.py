"""The deal, the choices and the showdown of Caribbean stud; here are also the tools with which its other tests play."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.equipment import card_name, parse_card
from croupier.errors import NotPermitted
from croupier.game import NO_SIGN, Called, CardSeen, Choose, Chosen, Deal, Over, Performed, Refusal, Sign, Wager
from croupier.games.caribbean_stud import CARIBBEAN_STUD
from croupier.games.caribbean_stud.play import StudBox, StudLayout, face_up, verdict
from croupier.games.caribbean_stud.rules import StudRules
from croupier.law.elections import elect, electable
from croupier.notation import read_fact
from croupier.round import AnyRound, Settlement, happen, open_round, place, settle
from tests.helpers.observe import carries

# ---------------------------------------------------------------- tools

R = "NZ1996-VIII-"


def stud(**elections: object) -> StudRules:
    """The rules of 1996, with these elections."""
    rules: StudRules = CARIBBEAN_STUD.editions["nz1996"]["caribbean_stud"]
    return elect(rules, elections)


def packets(**elections: object) -> StudRules:
    """Dealt from a shuffler: five cards to each box in turn, then five to the dealer, which is easier to read."""
    return stud(device="shuffler", **elections)


def ante(dollars: int = 10, *, box: int = 1, by: str = "") -> Wager:
    return Wager("ante", dollars * 100, by, box)


def jackpot(dollars: int = 2, *, box: int = 1, by: str = "") -> Wager:
    return Wager("jackpot", dollars * 100, by, box)


def granted(result: AnyRound | Refusal) -> AnyRound:
    assert not isinstance(result, Refusal), result
    return result


def refused(result: object) -> Refusal:
    assert isinstance(result, Refusal), result
    return result


def start(rules: StudRules, *wagers: Wager, sign: Sign = NO_SIGN) -> AnyRound:
    """A round with these wagers on the layout."""
    return granted(place(open_round(CARIBBEAN_STUD, rules, sign=sign), wagers))


def go(this: AnyRound, facts: str) -> AnyRound:
    """The round after these facts: cards and words."""
    for text in facts.split():
        this = granted(happen(this, read_fact(text, this.due)))
    return this


def cards(this: AnyRound, box: int = 1) -> str:
    """The cards on a box, or with 0 the dealer's."""
    lying = this.state.box(box).cards if box else this.state.dealer
    return " ".join(map(card_name, lying))


def money(this: AnyRound) -> list[Settlement]:
    return [settle(entry, CARIBBEAN_STUD.rounding(this.rules), this.sign.chip) for entry in this.book]


def results(this: AnyRound) -> list[tuple[str, str, int]]:
    """For each stake its name, the result and what it pays in dollars."""
    lines = zip(this.book, money(this), strict=True)
    return [(entry.wager.on, line.result, line.pays_cents // 100) for entry, line in lines]


PAIR = "9h 9c 6d 4s 2c"
ACE_KING = "Ah Kc 9d 4d 3s"
QUEEN_HIGH = "Qh 10c 7d 5s 3c"


# ---------------------------------------------------------------- the deal


def test_no_cards_without_an_ante() -> None:
    empty = open_round(CARIBBEAN_STUD, stud())
    assert isinstance(empty.due, Over)
    carries(empty.due, R + "4.1")
    carries(refused(happen(empty, CardSeen(0))), R + "4.1")


def test_a_shoe_deals_one_card_at_a_time_in_five_passes() -> None:
    this = start(stud(), ante(box=2, by="ann"), ante(box=5, by="ben"))
    seen = []
    for card in range(15):
        assert isinstance(this.due, Deal)
        seen.append((this.due.to, this.due.rule.removeprefix(R)))
        this = granted(happen(this, CardSeen(card)))
    assert seen[:3] == [("box 2", "7.3a"), ("box 5", "7.3a"), ("dealer", "7.3b")]
    assert seen[3:] == [("box 2", "7.3c"), ("box 5", "7.3c"), ("dealer", "7.3d")] * 4
    assert this.state.box(2).cards == (0, 3, 6, 9, 12)
    assert this.state.box(5).cards == (1, 4, 7, 10, 13)
    assert this.state.dealer == (2, 5, 8, 11, 14)


def test_a_shuffler_deals_five_cards_at_a_time() -> None:
    this = start(packets(), ante(box=2, by="ann"), ante(box=5, by="ben"))
    seen = []
    for card in range(15):
        assert isinstance(this.due, Deal)
        seen.append((this.due.to, this.due.rule.removeprefix(R)))
        this = granted(happen(this, CardSeen(card)))
    assert seen == [("box 2", "7.4a")] * 5 + [("box 5", "7.4a")] * 5 + [("dealer", "7.4b")] * 5
    assert this.state.box(5).cards == (5, 6, 7, 8, 9)


def test_cards_go_from_the_left_of_the_dealer_whoever_bet_first() -> None:
    this = start(stud(), ante(box=6, by="ann"), ante(box=1, by="ben"), ante(box=3, by="cat"))
    order = []
    for card in range(4):
        assert isinstance(this.due, Deal)
        order.append(this.due.to)
        this = granted(happen(this, CardSeen(card)))
    assert order == ["box 1", "box 3", "box 6", "dealer"]


def test_the_last_card_of_the_dealer_lies_face_up() -> None:
    this = start(stud(), ante())
    assert face_up(this.rules, this.state) is None
    this = go(this, "2c 3c 4c 5c 6c 7c 8c 9c 10c")
    assert face_up(this.rules, this.state) is None
    this = go(this, "Jc")
    up = face_up(this.rules, this.state)
    assert up is not None
    assert up.value == 4
    assert card_name(this.state.dealer[up.value]) == "Jc"
    carries(up, R + "7.2")


@pytest.mark.parametrize(("elected", "card"), [("first", "Qh"), ("last", "3c")])
def test_from_a_shuffler_the_bottom_card_is_turned_up(elected: str, card: str) -> None:
    this = go(start(packets(bottom_card=elected), ante()), f"{PAIR} {QUEEN_HIGH}")
    up = face_up(this.rules, this.state)
    assert up is not None
    assert card_name(this.state.dealer[up.value]) == card
    carries(up, R + "7.4-tail")


def test_the_bottom_card_is_the_first_unless_elected_otherwise() -> None:
    law = electable(stud())["bottom_card"]
    assert (law.value.elected, law.value.permitted) == ("first", ("first", "last"))
    carries(law, R + "7.4-tail")


def test_seven_hands_and_the_dealer_take_forty_cards_of_one_deck() -> None:
    this = start(stud(), *(ante(box=box, by=f"seat {box}") for box in range(1, 8)))
    this = granted(happen(this, CardSeen(17)))
    carries(refused(happen(this, CardSeen(17))), R + "3.1")
    for card in [card for card in range(40) if card != 17]:
        this = granted(happen(this, CardSeen(card)))
    assert isinstance(this.due, Choose)
    assert len(set(this.state.cards)) == 40
    assert CARIBBEAN_STUD.decks(stud()) == 1


@pytest.mark.parametrize("seats", [1, 6, 7, 8, 9])
def test_a_table_has_up_to_nine_boxes(seats: int) -> None:
    rules = stud(seats=seats)
    this = start(rules, ante(box=seats))
    assert this.state.boxes[0].number == seats
    carries(refused(place(this, (ante(box=seats + 1, by="ann"),))), R + "2.1")
    carries(refused(place(this, (ante(box=0, by="ann"),))), R + "2.1")


@pytest.mark.parametrize("seats", [0, 10])
def test_no_table_has_ten_boxes_or_none(seats: int) -> None:
    with pytest.raises(NotPermitted) as caught:
        stud(seats=seats)
    carries(caught.value, R + "2.1")


def test_seven_boxes_unless_elected_otherwise() -> None:
    law = electable(stud())["seats"]
    assert law.value.elected == 7
    assert sorted(law.value.permitted) == list(range(1, 10))
    carries(law, R + "2.1")


def test_cards_come_from_a_shoe_or_a_shuffler() -> None:
    law = electable(stud())["device"]
    assert law.value.permitted == ("shoe", "shuffler")
    assert law.value.elected == "shoe"
    carries(law, R + "2.5a")
    with pytest.raises(NotPermitted) as caught:
        stud(device="hand")
    carries(caught.value, R + "2.5a")


# ---------------------------------------------------------------- the choices


def test_after_the_deal_each_player_folds_or_bets() -> None:
    this = go(start(packets(), ante(box=1, by="ann"), ante(box=2, by="ben")), f"{PAIR} 2h 3h 4h 5h 7h {QUEEN_HIGH}")
    assert this.due == Choose("box 1", ("fold", "bet"), R + "8.1", box=1, hand=1)
    this = go(this, "bet")
    assert this.due == Choose("box 2", ("fold", "bet"), R + "8.1", box=2, hand=1)
    this = go(this, "fold")
    assert isinstance(this.due, Over)
    assert [(box.bet, bool(box.out)) for box in this.state.boxes] == [(True, False), (False, True)]


def test_players_choose_in_any_order() -> None:
    this = go(start(packets(), ante(box=1, by="ann"), ante(box=2, by="ben")), f"{PAIR} 2h 3h 4h 5h 7h {QUEEN_HIGH}")
    this = granted(happen(this, Chosen("bet", box=2)))
    assert this.due == Choose("box 1", ("fold", "bet"), R + "8.1", box=1, hand=1)
    this = granted(happen(this, Chosen("bet", by="ann")))
    assert isinstance(this.due, Over)


@pytest.mark.parametrize(
    "choice",
    [Chosen("raise"), Chosen("bet", box=3), Chosen("bet", by="cat"), Chosen("bet", by="ann", box=2)],
)
def test_a_choice_that_is_not_the_players_is_refused(choice: Chosen) -> None:
    this = go(start(packets(), ante(box=1, by="ann"), ante(box=2, by="ben")), f"{PAIR} 2h 3h 4h 5h 7h {QUEEN_HIGH}")
    carries(refused(happen(this, choice)), R + "8.1")


def test_no_choice_before_the_deal_is_complete() -> None:
    this = go(start(stud(), ante()), "2c 3c 4c 5c 6c 7c 8c 9c 10c")
    carries(refused(happen(this, Chosen("bet"))), R + "7.3d")
    carries(refused(happen(this, Chosen("face_down"))), R + "7.3d")
    carries(go(this, "Jc").due, R + "8.1")


def test_a_choice_is_not_taken_back() -> None:
    this = go(start(packets(), ante(box=1, by="ann"), ante(box=2, by="ben")), f"{PAIR} 2h 3h 4h 5h 7h {QUEEN_HIGH}")
    this = go(this, "bet")
    carries(refused(happen(this, Chosen("fold", box=1))), R + "4.12")
    carries(refused(happen(this, Chosen("bet", box=1, amount_cents=9999))), R + "4.12")


def test_no_ante_is_taken_back_or_altered_after_the_first_card() -> None:
    this = start(stud(), ante(by="ann"))
    assert refused(happen(this, Called("take", on="ante"))).rule == R + "7.3a"
    this = go(this, "2c")
    refusal = refused(happen(this, Called("take", on="ante")))
    assert refusal.reason == "ante may not be taken back after the first card"
    carries(refusal, R + "4.7")
    carries(refused(place(this, (ante(box=2, by="ben"),))), R + "4.7")


def test_nothing_is_due_once_all_have_chosen() -> None:
    this = go(start(packets(), ante()), f"{PAIR} {ACE_KING} bet")
    assert this.over
    for fact in (CardSeen(parse_card("Jd")), Chosen("bet"), Chosen("face_down"), Performed("misdeal", "", "x")):
        refusal = refused(happen(this, fact))
        assert "over" in refusal.reason
        carries(refusal, R + "9.1")


@pytest.mark.parametrize(
    "fact", [Performed("dance"), Performed("dead hand", "", "box 9"), Performed("misdeal", "", "x"), Called("nominate")]
)
def test_what_is_not_due_is_refused_with_what_is(fact: Performed | Called) -> None:
    this = start(stud(), ante())
    carries(refused(happen(this, fact)), R + "7.3a")


# ---------------------------------------------------------------- the showdown


@pytest.mark.parametrize(
    ("dealer", "qualifies"),
    [
        ("Ah Kc 4d 3s 2d", True),
        ("Ah Kc Qd Js 9d", True),
        ("Ah Qc Jd 10s 8d", False),
        ("Kh Qc Jd 10s 8d", False),
        ("2h 2d 4d 5s 7d", True),
        ("Ah 2d 3d 4d 5s", True),
    ],
)
def test_the_dealer_qualifies_with_ace_and_king_or_better(dealer: str, *, qualifies: bool) -> None:
    this = go(start(packets(), ante()), f"8h 8c 6d 4c 2c {dealer} bet")
    assert this.game.outcome(this.rules, this.state)["qualifies"] is qualifies
    carries(this.due, R + ("9.1" if qualifies else "9.2"))


def test_the_round_ends_with_the_last_fold() -> None:
    this = go(start(packets(), ante()), f"{PAIR} {ACE_KING} fold")
    carries(this.due, R + "8.2b")
    assert this.game.outcome(this.rules, this.state)["dealer"] is None


@pytest.mark.parametrize(
    ("mine", "dealers", "word", "rule"),
    [
        ("9h 9c 4d 4s Kc", "10h 10c 2d 3s 4c", "win", "9.5a"),
        ("9h 9c 2d 4s Kc", "10h 10c 2s 3s 4c", "lose", "9.5b"),
        ("9h 9c 2d 4s Kc", "9s 9d 2s 4c Kd", "stand off", "9.5c"),
    ],
)
def test_hands_are_compared(mine: str, dealers: str, word: str, rule: str) -> None:
    this = go(start(packets(), ante()), f"{mine} {dealers} bet")
    law = verdict(this.rules, this.state, this.state.boxes[0])
    assert law.value == word
    carries(law, R + rule)
    assert result_of(this) == word


def result_of(this: AnyRound) -> object:
    """The result of the first box, as the outcome tells it."""
    boxes: Any = this.game.outcome(this.rules, this.state)["boxes"]
    return boxes[0]["result"]


def test_the_outcome_tells_the_round_in_figures() -> None:
    this = start(packets(), ante(box=1, by="ann"), ante(box=2, by="ben"))
    assert this.game.outcome(this.rules, this.state)["boxes"] == [
        {"box": 1, "hand": None, "result": None},
        {"box": 2, "hand": None, "result": None},
    ]
    this = go(this, f"{PAIR} 2h 3h 4h 5h 7h {QUEEN_HIGH} bet fold")
    assert this.game.outcome(this.rules, this.state) == {
        "dealer": "odd cards",
        "qualifies": False,
        "up_card": "Qh",
        "misdeal": None,
        "boxes": [
            {"box": 1, "hand": "one pair", "result": "dealer does not qualify"},
            {"box": 2, "hand": "flush", "result": "out"},
        ],
    }


def test_a_position_on_the_felt_says_what_is_due() -> None:
    """A layout needs no history: what lies there is enough."""
    layout = StudLayout((StudBox(3, cards=(1, 2)),), dealer=(3,))
    due = CARIBBEAN_STUD.demand(stud(), layout)
    assert due == Deal("dealer", R + "7.3d")
