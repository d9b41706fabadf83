"""The progressive jackpot: entering it, what it pays to one hand and to several, what becomes of the wager."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.errors import NotPermitted
from croupier.game import Chosen, Irregular, Lost, Refusal, Sign, Void, Wager, Won
from croupier.games.caribbean_stud import CARIBBEAN_STUD
from croupier.games.caribbean_stud.bets import lies
from croupier.games.caribbean_stud.jackpot import claims, payment, payouts, pool_after, winners
from croupier.games.caribbean_stud.procedure import jackpot_area
from croupier.games.caribbean_stud.rules import StudRules
from croupier.law.elections import electable
from croupier.round import AnyRound, happen, open_round, place
from tests.games.caribbean_stud.test_bets import HANDS, LOW_DEALER
from tests.games.caribbean_stud.test_play import (
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

POOL = Sign(jackpot=45_000_00)
QUALIFYING = ("flush", "full house", "four of a kind", "straight flush", "royal flush")


def showdown(cards: str, dealer: str = LOW_DEALER, sign: Sign = POOL, **elections: object) -> AnyRound:
    """A round of one hand with ante 10 and jackpot 2, bet to the end."""
    return go(start(packets(**elections), ante(), jackpot(), sign=sign), f"{cards} {dealer} bet")


# ---------------------------------------------------------------- entering


def test_no_jackpot_without_an_ante() -> None:
    empty = open_round(CARIBBEAN_STUD, stud())
    refusal = refused(place(empty, (jackpot(),)))
    assert refusal.whole == "jackpot: the player of box 1 has no ante on box 1"
    carries(refusal, R + "11.1")
    carries(refused(place(empty, (ante(box=1), jackpot(box=2)))), R + "11.1")
    carries(refused(place(empty, (ante(by="ann"), jackpot(by="ben")))), R + "11.1")
    assert granted(place(empty, (jackpot(), ante()))).state.boxes[0].jackpot
    assert granted(place(start(stud(), ante()), (jackpot(),))).state.boxes[0].jackpot


@pytest.mark.parametrize("cents", [199, 200, 201, 500])
def test_the_jackpot_wager_is_the_amount_on_the_sign(cents: int) -> None:
    empty = open_round(CARIBBEAN_STUD, stud(), sign=Sign(jackpot_wager=200))
    after = place(empty, (ante(), Wager("jackpot", cents)))
    if cents == 200:
        granted(after)
    else:
        assert isinstance(after, Refusal)
        assert after.whole.startswith("jackpot: the wager on the sign is $2, not ")
        carries(after, R + "11.5")


def test_without_an_amount_on_the_sign_any_is_taken() -> None:
    assert granted(place(open_round(CARIBBEAN_STUD, stud()), (ante(), jackpot(5)))).book[1].wager.stake_cents == 500


def test_the_wager_remembers_the_pool() -> None:
    assert start(stud(), ante(), jackpot(), sign=POOL).book[1].wager.seen == (45_000_00,)
    assert start(stud(), ante(), jackpot()).book[1].wager.seen == (0,)


def test_the_jackpot_is_run_electronically_or_by_hand() -> None:
    law = electable(stud())["jackpot_mode"]
    assert (law.value.elected, law.value.permitted) == ("electronic", ("electronic", "manual"))
    carries(law, R + "2.3c")
    with pytest.raises(NotPermitted) as caught:
        stud(jackpot_mode="both")
    carries(caught.value, R + "2.3c")


@pytest.mark.parametrize(
    ("mode", "right", "wrong", "rule"),
    [("electronic", "slot", "area", "2.3c-i"), ("manual", "area", "slot", "2.3c-ii")],
)
def test_where_the_chip_goes(mode: str, right: str, wrong: str, rule: str) -> None:
    rules = stud(jackpot_mode=mode)
    assert jackpot_area(rules, "jackpot", right) is None
    refusal = jackpot_area(rules, "jackpot", wrong)
    assert refusal is not None
    assert refusal.whole == f"jackpot: the chip goes in the {right}, not in the {wrong}"
    carries(refusal, R + rule)


def test_the_light_is_on_while_the_wager_stands() -> None:
    wagers = (ante(box=2), ante(box=5), jackpot(box=5))
    this = start(packets(), *wagers)

    def lit(rules: StudRules) -> list[int]:
        return [wager.box for wager in this.standing if lies(rules, this.state, wager).markers == ("light",)]

    assert lit(this.rules) == [5]
    assert lit(stud(jackpot_mode="manual")) == []
    this = go(this, f"{PAIR} 2h 3h 4h 5h 7h {QUEEN_HIGH} bet")
    assert lit(this.rules) == [5]
    this = go(this, "fold")
    assert lit(this.rules) == []
    carries(this.rules.progressive.light, R + "2.4c")


# ---------------------------------------------------------------- what one hand is paid

PRIZES = [
    ("royal flush", 8_000, 10_000, "12.1a"),
    ("royal flush", 9_999, 10_000, "12.1a"),
    ("royal flush", 10_000, 10_000, "12.1a"),
    ("royal flush", 10_001, 10_001, "12.1a"),
    ("royal flush", 45_000, 45_000, "12.1a"),
    ("straight flush", 8_000, 1_000, "12.1b"),
    ("straight flush", 9_990, 1_000, "12.1b"),
    ("straight flush", 10_000, 1_000, "12.1b"),
    ("straight flush", 10_010, 1_001, "12.1b"),
    ("straight flush", 45_000, 4_500, "12.1b"),
    ("four of a kind", 45_000, 500, "12.1c"),
    ("full house", 45_000, 150, "12.1d"),
    ("flush", 45_000, 100, "12.1e"),
    ("flush", 0, 100, "12.1e"),
]


@pytest.mark.parametrize(("name", "pool", "paid", "rule"), PRIZES)
def test_a_single_qualifying_hand_takes_its_prize(name: str, pool: int, paid: int, rule: str) -> None:
    this = showdown(HANDS[name][0], sign=Sign(jackpot=pool * 100))
    won = this.book[1].resolution
    assert isinstance(won, Won)
    assert won.result == name
    assert money(this)[1].pays_cents == paid * 100
    carries(won, R + rule)


def test_the_jackpot_comes_on_top_of_the_other_winnings() -> None:
    assert results(showdown(HANDS["flush"][0])) == [("ante", "won", 10), ("jackpot", "won", 100), ("bet", "won", 100)]


def test_the_wager_is_kept_when_it_wins() -> None:
    line = money(showdown(HANDS["flush"][0]))[1]
    assert (line.pays_cents, line.returned_cents) == (100_00, 100_00)


@pytest.mark.parametrize("name", [name for name in HANDS if name not in QUALIFYING])
def test_other_hands_do_not_qualify(name: str) -> None:
    this = showdown(HANDS[name][0])
    assert isinstance(this.book[1].resolution, Lost)
    assert money(this)[1].returned_cents == 0
    assert not claims(this.rules, this.state, this.state.boxes[0])


def test_the_jackpot_is_won_whatever_the_dealer_has() -> None:
    without = showdown(HANDS["flush"][0], QUEEN_HIGH.replace("10c", "9c").replace("Qh", "Qd"))
    assert results(without) == [("ante", "won", 10), ("jackpot", "won", 100), ("bet", "void", 0)]
    beaten = showdown(HANDS["flush"][0], "9h 9c 9d 9s 2c")
    assert results(beaten) == [("ante", "lost", 0), ("jackpot", "won", 100), ("bet", "lost", 0)]
    carries(without.rules.progressive.any_dealer, R + "11.2")


def test_without_a_wager_there_is_no_jackpot() -> None:
    this = go(start(packets(), ante(), sign=POOL), f"{HANDS['royal flush'][0]} {LOW_DEALER} bet")
    assert winners(this.rules, this.state) == ()
    assert results(this) == [("ante", "won", 10), ("bet", "won", 5000)]


def test_a_hand_left_face_down_wins_no_jackpot() -> None:
    this = go(start(packets(), ante(), jackpot(), sign=POOL), f"{HANDS['flush'][0]} Qd 9c 7d 5s 3c")
    this = go(granted(happen(this, Chosen("face_down"))), "bet")
    lost = this.book[1].resolution
    assert isinstance(lost, Lost)
    carries(lost, R + "9.3")


# ---------------------------------------------------------------- what becomes of the wager otherwise

ENDINGS = [
    (f"{PAIR} {LOW_DEALER} fold", "8.2a"),
    (f"{HANDS['flush'][0]} {LOW_DEALER} fold", "8.2a"),
    ("2h 2c 6d 4s 5c 9h 9c Kc Qd Js bet", "9.7a"),
    (f"{PAIR} {LOW_DEALER} bet", "9.8a"),
    ("9h 9c 2d 4s Kc 9s 9d 2s 4c Kd bet", "9.9"),
    (f"{PAIR} {QUEEN_HIGH} bet", "9.2"),
]


@pytest.mark.parametrize(("facts", "rule"), ENDINGS)
def test_a_chip_on_the_layout_is_collected_unless_the_hand_qualifies(facts: str, rule: str) -> None:
    this = go(start(packets(jackpot_mode="manual"), ante(), jackpot(), sign=POOL), facts)
    lost = this.book[1].resolution
    assert isinstance(lost, Lost)
    carries(lost, R + rule)


@pytest.mark.parametrize("facts", [facts for facts, _ in ENDINGS])
def test_in_electronic_mode_the_wager_is_in_the_jackpot_once_accepted(facts: str) -> None:
    this = go(start(packets(), ante(), jackpot(), sign=POOL), facts)
    lost = this.book[1].resolution
    assert isinstance(lost, Lost)
    carries(lost, R + ("4.3b" if facts.endswith("fold") else "11.6"))


# ---------------------------------------------------------------- several hands

TWO_SUITS = {
    "flush": ("2h 4h 6h 8h 10h", "2s 4s 6s 8s 10s"),
    "straight flush": ("4h 5h 6h 7h 8h", "4s 5s 6s 7s 8s"),
    "royal flush": ("10d Jd Qd Kd Ad", "10c Jc Qc Kc Ac"),
}


def several(pool: int, *hands: str, dealer: str = "2c 3d 5c 7d 9d") -> AnyRound:
    """A round in which each of these hands has entered a jackpot of so many dollars, and all bet."""
    wagers = [wager for box, _ in enumerate(hands, 1) for wager in (ante(box=box), jackpot(box=box))]
    facts = " ".join(hands)
    this = start(packets(), *wagers, sign=Sign(jackpot=pool * 100))
    return go(this, f"{facts} {dealer} " + "bet " * len(hands))


def paid(this: AnyRound) -> list[int]:
    lines = zip(this.book, money(this), strict=True)
    return [line.pays_cents // 100 for entry, line in lines if entry.wager.on == "jackpot"]


def rules_of(this: AnyRound) -> list[str]:
    found = [entry.resolution for entry in this.book if entry.wager.on == "jackpot"]
    return [each.rule.removeprefix(R) for each in found if each is not None]


def test_fixed_sums_then_straight_flushes_then_royal_flushes() -> None:
    this = several(20_000, "10d Jd Qd Kd Ad", "4s 5s 6s 7s 8s", "2h 4h 6h 8h 10h")
    assert paid(this) == [17_910, 1_990, 100]
    assert rules_of(this) == ["12.2c-ii", "12.2b", "12.2a"]
    assert [box.number for box in winners(this.rules, this.state)] == [3, 2, 1]


def test_the_fixed_sums_are_paid_first_and_deducted() -> None:
    this = several(20_600, "9h 9c 9s 9d 2c", "2h 4h 6h 8h 10h", "4s 5s 6s 7s 8s", dealer="3c 3d 5c 7d Kd")
    assert paid(this) == [500, 100, 2_000]
    full = several(20_250, "9h 9c 9s 4d 4c", "2h 4h 6h 8h 10h", "4s 5s 6s 7s 8s", dealer="3c 3d 5c 7d Kd")
    assert paid(full) == [150, 100, 2_000]
    assert rules_of(full) == ["12.2a", "12.2a", "12.2b"]


def test_every_straight_flush_is_paid_on_one_base() -> None:
    this = several(20_000, *TWO_SUITS["straight flush"])
    assert paid(this) == [2_000, 2_000]
    assert rules_of(this) == ["12.2b", "12.2b"]
    small = several(9_999, *TWO_SUITS["straight flush"])
    assert paid(small) == [1_000, 1_000]


@pytest.mark.parametrize(
    ("pool", "each", "rule"),
    [
        (30_000, 15_000, "12.2c-ii"),
        (20_002, 10_001, "12.2c-ii"),
        (20_000, 10_000, "12.2c-i"),
        (19_998, 10_000, "12.2c-i"),
        (12_000, 10_000, "12.2c-i"),
        (0, 10_000, "12.2c-i"),
    ],
)
def test_royal_flushes_share_what_is_left_but_not_less_than_ten_thousand(pool: int, each: int, rule: str) -> None:
    this = several(pool, *TWO_SUITS["royal flush"])
    assert paid(this) == [each, each]
    assert rules_of(this) == [rule, rule]


def test_a_hand_that_did_not_enter_does_not_count() -> None:
    wagers = (ante(box=1), jackpot(box=1), ante(box=2))
    this = start(packets(), *wagers, sign=Sign(jackpot=30_000_00))
    this = go(this, f"{' '.join(TWO_SUITS['royal flush'])} 2c 3d 5c 7d 9d bet bet")
    assert paid(this) == [30_000]
    assert rules_of(this) == ["12.1a"]


def test_a_hand_that_folded_does_not_count() -> None:
    wagers = (ante(box=1), jackpot(box=1), ante(box=2), jackpot(box=2))
    this = start(packets(), *wagers, sign=Sign(jackpot=30_000_00))
    this = go(this, f"{' '.join(TWO_SUITS['royal flush'])} 2c 3d 5c 7d 9d bet fold")
    assert paid(this) == [30_000, 0]
    assert rules_of(this) == ["12.1a", "4.3b"]


@pytest.mark.parametrize(
    ("pool", "hands", "left"),
    [
        (20_000, ("flush", "straight flush", "royal flush"), 0),
        (20_000, ("flush",), 19_900),
        (20_000, ("straight flush",), 18_000),
        (20_000, ("straight flush", "straight flush"), 16_000),
        (45_000, ("royal flush",), 0),
        (8_000, ("royal flush",), 0),
        (50, ("flush",), 0),
        (50, ("flush", "straight flush"), 0),
    ],
)
def test_payouts_come_from_the_pool_and_the_operator_makes_up_the_rest(
    pool: int, hands: tuple[str, ...], left: int
) -> None:
    given = payouts(stud().progressive, pool * 100, hands)
    assert pool_after(pool * 100, given) == left * 100


def test_a_pool_that_the_fixed_sums_empty_leaves_the_promised_sums() -> None:
    given = payouts(stud().progressive, 50_00, ("flush", "straight flush", "royal flush"))
    assert [each.cents for each in given] == [100_00, 1_000_00, 10_000_00]


# ---------------------------------------------------------------- payment


def test_an_uneven_payout_goes_up_to_the_next_chip() -> None:
    this = showdown(HANDS["straight flush"][0], sign=Sign(chip=100, jackpot=23_456_00))
    assert money(this)[1].pays_cents == 2_346_00
    exact = showdown(HANDS["straight flush"][0], sign=Sign(jackpot=23_456_00))
    assert money(exact)[1].pays_cents == 2_345_60


def test_a_share_of_a_cent_goes_up_too() -> None:
    this = several(10_000, *TWO_SUITS["straight flush"])
    assert paid(this) == [1_000, 1_000]
    odd = payouts(stud().progressive, 10_000_01, ("straight flush",))
    assert odd[0].cents == Fraction(10_000_01, 10)
    assert payment(stud(), "straight flush", odd[0].cents, by="cheque", chip=100) == 1_000_01


@pytest.mark.parametrize("hand", ["royal flush", "straight flush"])
def test_the_two_top_hands_may_be_paid_by_cash_or_cheque(hand: str) -> None:
    amount = Fraction(2_345_60)
    assert payment(stud(), hand, amount, by="chips", chip=100) == 2_346_00
    assert payment(stud(), hand, amount, by="cash", chip=100) == 2_346_00
    assert payment(stud(), hand, amount, by="cheque", chip=100) == 2_345_60


@pytest.mark.parametrize("hand", ["four of a kind", "full house", "flush"])
@pytest.mark.parametrize("by", ["cash", "cheque", "gold"])
def test_other_hands_are_paid_in_chips(hand: str, by: str) -> None:
    assert payment(stud(), hand, Fraction(100_00), by="chips", chip=100) == 100_00
    refusal = payment(stud(), hand, Fraction(100_00), by=by, chip=100)
    assert isinstance(refusal, Refusal)
    carries(refusal, R + "11.8")


def test_a_light_that_stays_off_gives_the_wager_back() -> None:
    """The rest of this rule is among the irregularities."""
    this = start(packets(), ante(), jackpot())
    this = granted(happen(this, Irregular("light_off", call="return")))
    void = this.book[1].resolution
    assert isinstance(void, Void)
    carries(void, R + "11.4")
