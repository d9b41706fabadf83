"""The ante and the bet: what may be placed, what a choice adds, what they pay, and the maximum payout."""

from __future__ import annotations

import pytest

from croupier.equipment import card_name
from croupier.errors import NotPermitted
from croupier.game import Chosen, Lost, Refusal, Sign, StandOff, Wager, Won
from croupier.games.caribbean_stud import CARIBBEAN_STUD
from croupier.games.caribbean_stud.bets import maximum_payout
from croupier.law.elections import electable
from croupier.money import Odds, dollars, parse_amount, to
from croupier.round import AnyRound, happen, open_round, place
from tests.games.caribbean_stud.test_play import (
    ACE_KING,
    PAIR,
    QUEEN_HIGH,
    R,
    ante,
    go,
    granted,
    jackpot,
    money,
    packets,
    refused,
    results,
    start,
    stud,
)
from tests.helpers.observe import carries

# ---------------------------------------------------------------- placing


def try_to_place(*wagers: Wager, sign: Sign | None = None, **elections: object) -> AnyRound | Refusal:
    return place(open_round(CARIBBEAN_STUD, stud(**elections), sign=sign or Sign()), wagers)


def test_the_wagers_are_ante_and_jackpot() -> None:
    assert CARIBBEAN_STUD.wagers(stud()) == ("ante", "jackpot")
    assert CARIBBEAN_STUD.wagers(stud(jackpot=False)) == ("ante",)
    refusal = refused(try_to_place(Wager("pair", 1000)))
    assert refusal.reason == "'pair' is not a wager here; known are ante, jackpot"
    carries(refusal, "NZ1996-I-14.1a")
    carries(refused(try_to_place(ante(), jackpot(), jackpot=False)), "NZ1996-I-14.1a")


def test_the_jackpot_is_offered_unless_the_operator_leaves_it_out() -> None:
    law = electable(stud())["jackpot"]
    assert law.value.permitted == (True, False)
    assert law.value.elected is True
    carries(law, R + "4.1b")


def test_a_bet_is_not_placed_before_the_cards() -> None:
    carries(refused(try_to_place(ante(), Wager("bet", 2000))), R + "4.6")


def test_one_hand_for_each_player() -> None:
    refusal = refused(try_to_place(ante(box=1, by="ann"), ante(box=2, by="ann")))
    assert refusal.reason == "ann may play one hand only"
    carries(refusal, R + "4.10")
    this = start(stud(), ante(box=1, by="ann"))
    carries(refused(place(this, (ante(box=2, by="ann"),))), R + "4.10")
    assert len(granted(place(this, (ante(box=2, by="ben"),))).state.boxes) == 2


def test_a_player_without_a_name_is_the_one_at_the_box() -> None:
    assert len(start(stud(), ante(box=1), ante(box=2)).state.boxes) == 2


def test_one_wager_for_each_area() -> None:
    refusal = refused(try_to_place(ante(box=3, by="ann"), ante(box=3, by="ben")))
    assert refusal.reason == "box 3 has its ante already"
    carries(refusal, R + "4.11")
    carries(refused(try_to_place(ante(), jackpot(), jackpot())), R + "4.11")


def test_no_wager_after_the_first_card() -> None:
    this = go(start(stud(), ante()), "2c")
    refusal = refused(place(this, (jackpot(),)))
    assert refusal.whole == "jackpot: no wager after the call of 'No more bets'"
    carries(refusal, R + "7.1a")
    carries(refused(place(this, (ante(box=2),))), R + "4.7")


@pytest.mark.parametrize(("dollars", "valid", "void"), [(499, 499, 0), (500, 500, 0), (501, 500, 1), (650, 500, 150)])
def test_an_ante_above_the_maximum_is_valid_up_to_it(dollars: int, valid: int, void: int) -> None:
    this = start(packets(), ante(dollars), sign=Sign(maximum=500_00))
    wager = this.book[0].wager
    assert (wager.stake_cents, wager.voided_cents) == (valid * 100, void * 100)
    assert wager.void_rule == ("NZ1996-I-14.2b" if void else "")
    this = go(this, f"{PAIR} {ACE_KING} bet")
    assert this.book[1].wager.stake_cents == 2 * valid * 100
    assert money(this)[0].returned_cents == (2 * valid + void) * 100


# ---------------------------------------------------------------- the bet


@pytest.mark.parametrize("cents", [0, 1900, 1999, 2000, 2001, 2500])
def test_a_bet_is_exactly_twice_the_ante(cents: int) -> None:
    this = go(start(packets(), ante(10, by="ann")), f"{PAIR} {ACE_KING}")
    after = happen(this, Chosen("bet", amount_cents=cents))
    if cents in (0, 2000):
        bet = granted(after).book[1].wager
        assert (bet.on, bet.stake_cents, bet.of, bet.by, bet.box) == ("bet", 2000, 0, "ann", 1)
    else:
        assert refused(after).reason.startswith("a bet on this ante is $20, not ")
        carries(refused(after), R + "4.6")


def test_each_bet_follows_its_own_ante() -> None:
    this = start(packets(), ante(10, box=2, by="ann"), jackpot(box=2, by="ann"), ante(25, box=5, by="ben"))
    this = go(this, f"{PAIR} 2h 3h 4h 5h 7h {QUEEN_HIGH}")
    this = granted(happen(this, Chosen("bet", by="ben")))
    this = granted(happen(this, Chosen("bet", by="ann")))
    bets = [(entry.wager.on, entry.wager.stake_cents, entry.wager.of) for entry in this.book[3:]]
    assert bets == [("bet", 5000, 2), ("bet", 2000, 0)]


def test_a_folded_hand_loses_its_ante() -> None:
    this = go(start(packets(), ante(10)), f"{PAIR} {ACE_KING} fold")
    resolution = this.book[0].resolution
    assert isinstance(resolution, Lost)
    carries(resolution, R + "8.2b")
    assert results(this) == [("ante", "lost", 0)]
    assert money(this)[0].returned_cents == 0


def test_a_fold_is_settled_before_the_others_choose() -> None:
    this = start(packets(), ante(box=1, by="ann"), ante(box=2, by="ben"))
    this = go(this, f"{PAIR} 2h 3h 4h 5h 7h {QUEEN_HIGH} fold")
    assert [entry.resolution is None for entry in this.book] == [False, True]
    carries(this.book[0].resolution, R + "8.2b")  # type: ignore[arg-type]


# ---------------------------------------------------------------- what they pay


@pytest.mark.parametrize("mine", [PAIR, "Jh 10d 7c 5d 2s", "9h 9c 9d 9s 2c"])
def test_a_dealer_who_does_not_qualify_pays_antes_and_returns_bets(mine: str) -> None:
    dealer = "Qh 10c 7d 5s 3c"
    this = go(start(packets(), ante(10)), f"{mine} {dealer} bet")
    assert results(this) == [("ante", "won", 10), ("bet", "void", 0)]
    assert [line.returned_cents for line in money(this)] == [2000, 2000]
    ante_line, bet_line = (entry.resolution for entry in this.book)
    assert isinstance(ante_line, Won)
    assert isinstance(bet_line, StandOff)
    carries(ante_line, R + "9.2a")
    carries(bet_line, R + "9.2-tail")


HANDS = {
    "odd cards": ("Ah Kd Qs 4d 2c", 1, "pair-or-less"),
    "one pair": ("9h 9c 6d 4s 2c", 1, "pair-or-less"),
    "two pairs": ("9h 9c 6d 6s 2c", 2, "two-pairs"),
    "three of a kind": ("9h 9c 9d 4s 2c", 3, "three-kind"),
    "straight": ("4h 5c 6d 7s 8c", 4, "straight"),
    "flush": ("2h 4h 6h 8h 10h", 5, "flush"),
    "full house": ("9h 9c 9d 4s 4c", 7, "full-house"),
    "four of a kind": ("9h 9c 9d 9s 2c", 20, "four-kind"),
    "straight flush": ("4h 5h 6h 7h 8h", 50, "straight-flush"),
    "royal flush": ("10h Jh Qh Kh Ah", 250, "royal-flush"),
}
LOW_DEALER = "As Kc Jd 3s 2d"


@pytest.mark.parametrize("name", HANDS)
def test_a_winning_bet_pays_by_its_hand(name: str) -> None:
    cards, odds, row = HANDS[name]
    this = go(start(packets(), ante(10)), f"{cards} {LOW_DEALER} bet")
    assert results(this) == [("ante", "won", 10), ("bet", "won", 20 * odds)]
    assert [line.returned_cents for line in money(this)] == [2000, 2000 * (odds + 1)]
    ante_line, bet_line = (entry.resolution for entry in this.book)
    assert isinstance(ante_line, Won)
    assert isinstance(bet_line, Won)
    assert (bet_line.odds, bet_line.result) == (to(odds), name)
    carries(ante_line, R + "10.1-pay-ante")
    carries(bet_line, f"{R}10.1-pay-{row}")


@pytest.mark.parametrize(
    ("mine", "dealers", "result", "rule"),
    [
        ("9h 9c 2d 4s Kc", "10h 10c 2s 3s 4c", "lost", "9.5b"),
        ("9h 9c 2d 4s Kc", "9s 9d 2s 4c Kd", "standoff", "9.5c"),
        ("Qh 10c 7d 5s 3c", "Ah Kc 4d 3s 2d", "lost", "9.5b"),
    ],
)
def test_a_hand_that_does_not_win(mine: str, dealers: str, result: str, rule: str) -> None:
    this = go(start(packets(), ante(10)), f"{mine} {dealers} bet")
    assert results(this) == [("ante", result, 0), ("bet", result, 0)]
    back = [0, 0] if result == "lost" else [1000, 2000]
    assert [line.returned_cents for line in money(this)] == back
    for entry in this.book:
        assert isinstance(entry.resolution, Lost | StandOff)
        carries(entry.resolution, R + rule)


def test_a_hand_left_face_down_loses_to_a_dealer_who_qualifies() -> None:
    this = go(start(packets(), ante(10)), f"9h 9c 9d 9s 2c {LOW_DEALER}")
    this = go(granted(happen(this, Chosen("face_down", box=1))), "bet")
    assert results(this) == [("ante", "lost", 0), ("bet", "lost", 0)]
    for entry in this.book:
        assert isinstance(entry.resolution, Lost)
        carries(entry.resolution, R + "9.6")


def test_a_hand_left_face_down_is_paid_by_a_dealer_who_does_not_qualify() -> None:
    this = go(start(packets(), ante(10)), f"9h 9c 9d 9s 2c {QUEEN_HIGH}")
    this = go(granted(happen(this, Chosen("face_down"))), "bet")
    assert results(this) == [("ante", "won", 10), ("bet", "void", 0)]


def test_a_hand_that_left_the_round_cannot_lie_face_down() -> None:
    this = go(start(packets(), ante(box=1), ante(box=2)), f"{PAIR} 2h 3h 4h 5h 7h {QUEEN_HIGH} fold")
    carries(refused(happen(this, Chosen("face_down", box=1))), R + "9.6")
    carries(refused(happen(this, Chosen("face_down"))), R + "9.6")


def test_winnings_that_chips_cannot_pay_go_up() -> None:
    this = start(packets(), Wager("ante", 10_01), sign=Sign(chip=100))
    this = go(this, f"{HANDS['two pairs'][0]} {LOW_DEALER} bet")
    assert [line.pays_cents for line in money(this)] == [11_00, 41_00]


# ---------------------------------------------------------------- the maximum payout

NOTICE = "approved 14/96, on the table notice"


@pytest.mark.parametrize(
    ("cap", "pays"), [("4999.99", 4999_99), ("5000", 5000_00), ("5000.01", 5000_00), ("100", 100_00)]
)
def test_a_bet_pays_no_more_than_the_maximum_payout(cap: str, pays: int) -> None:
    this = go(start(packets(maximum_payout=f"{cap} {NOTICE}"), ante(10)), f"{HANDS['royal flush'][0]} {LOW_DEALER} bet")
    won = this.book[1].resolution
    assert isinstance(won, Won)
    assert money(this)[1].pays_cents == pays
    assert money(this)[1].returned_cents == pays + 20_00
    carries(won, R + ("10.2" if pays < 5000_00 else "10.1-pay-royal-flush"))
    assert won.result == "royal flush"


def test_the_maximum_payout_is_for_each_bet_and_leaves_the_ante_alone() -> None:
    rules = packets(maximum_payout=f"30 {NOTICE}")
    this = start(rules, ante(50, box=1), ante(10, box=2))
    this = go(this, f"{HANDS['straight'][0]} {HANDS['royal flush'][0]} {LOW_DEALER} bet bet")
    assert [line.pays_cents for line in money(this)] == [50_00, 10_00, 30_00, 30_00]


@pytest.mark.parametrize("text", ["5000", "5000 ", "many, by notice", "0 by notice", "-5 by notice"])
def test_a_maximum_payout_that_nobody_approved_is_refused(text: str) -> None:
    refusal = refused(place(open_round(CARIBBEAN_STUD, stud(maximum_payout=text)), (ante(),)))
    assert refusal.reason.startswith(f"maximum payout {text!r}: ")
    carries(refusal, R + "10.2")


@pytest.mark.parametrize("cap", ["4999.99", "5000", "5000.01"])
def test_a_maximum_payout_is_payable_in_chips(cap: str) -> None:
    rules = packets(maximum_payout=f"{cap} {NOTICE}")
    after = place(open_round(CARIBBEAN_STUD, rules, sign=Sign(chip=100)), (ante(),))
    if cap == "5000":
        granted(after)
    else:
        assert refused(after).reason == f"maximum payout {dollars(parse_amount(cap))}: chips cannot pay it"
        carries(refused(after), R + "10.2")


def test_there_is_no_maximum_payout_unless_the_operator_sets_one() -> None:
    assert maximum_payout(stud()) is None
    carries(stud().maximum_payout, R + "10.2")
    with pytest.raises(NotPermitted) as caught:
        stud(maximum_payout=5000)
    carries(caught.value, R + "10.2")


def test_a_sum_is_paid_as_odds_on_the_stake() -> None:
    this = go(
        start(packets(maximum_payout=f"123.45 {NOTICE}"), ante(10)), f"{HANDS['royal flush'][0]} {LOW_DEALER} bet"
    )
    won = this.book[1].resolution
    assert isinstance(won, Won)
    assert won.odds == Odds(2469, 400)
    assert card_name(this.state.boxes[0].cards[0]) == "10h"
