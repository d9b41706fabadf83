"""Odds of blackjack: doubles against fractions, the best play and the best chart, known figures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from croupier.equipment import full_shoe
from croupier.exact.blackjack import chart_tables, dealer_totals, departures, solve, values
from croupier.exact.blackjack import joint as together
from croupier.exact.blackjack.board import Board
from croupier.exact.blackjack.charts import Chart, Search
from croupier.exact.blackjack.policy import SplitPlan, chart_policy, plan_of
from croupier.exact.blackjack.shares import Doubles, mean, shares
from croupier.exact.blackjack.terms import BITS
from croupier.law.model import Law
from tests.helpers.blackjack_shoes import (
    ACE,
    EIGHT,
    FIVES,
    NINE,
    NINES,
    READINGS,
    SEVEN,
    SIX,
    SIXES,
    TEN,
    eight_decks,
    fractions,
    largest_difference,
    ranks,
    rules_of,
    solved,
)

# ---------------------------------------------------------------- doubles and fractions


def test_doubles_agree_with_fractions() -> None:
    """From a shoe of more kinds than the twin's, by both plays."""
    shoe = ranks(a=1, c6=3, c8=3, c9=2, t=6)
    this, slow = solved("first_hand", shoe), fractions("first_hand", shoe)
    for policy in (this.main, this.chart_play):
        exact = shares(this.board, slow, policy)
        assert sum(share.chance for share in exact) == 1
        assert largest_difference(exact, shares(this.board, Doubles(this.board), policy)) < 1e-14
    assert this.main_worth == pytest.approx(float(mean(shares(this.board, slow, this.main))), abs=1e-14)


def test_doubles_agree_with_fractions_from_eight_decks() -> None:
    """Against an ace by the chart; the digits are those of the whole round in fractions."""
    this, slow = eight_decks(), fractions("first_hand", full_shoe(8))
    assert this.chart.columns[ACE].worth == pytest.approx(float(slow.against(ACE, this.chart_play)), abs=1e-15)
    assert -this.main_worth == pytest.approx(0.0053775557121165379574556, abs=1e-15)
    assert -this.chart_worth == pytest.approx(0.0054108650516883370084076, abs=1e-15)


def test_split_hands_together_bring_what_they_bring_one_by_one() -> None:
    """The mean of the net results of every split equals the sum of its hands."""
    this = eight_decks()
    board, step = this.board, together.net_step(this.board.terms) * float(this.board.terms.unit)
    for (up, symbol), plan in this.main.plans.items():
        if symbol in (ACE, SIX, EIGHT, NINE):
            nets = together.split_nets(board, up, symbol, together.cases(board, symbol, plan))
            brought = float(nets @ (np.arange(len(nets)) - len(nets) // 2)) * step
            assert brought == pytest.approx(this.splits[up, symbol].worth, abs=1e-10)
            assert nets.sum() == pytest.approx(1, abs=1e-10)


def test_one_order_more_of_the_series_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    this = eight_decks()
    courses = together.cases(this.board, SEVEN, this.main.plans[SEVEN, SEVEN])
    nets = together.split_nets(this.board, SEVEN, SEVEN, courses)
    order = together.order_for
    monkeypatch.setattr(together, "order_for", lambda cards: order(cards) + 1)
    more = together.split_nets(this.board, SEVEN, SEVEN, courses)
    weight = this.board.up_chance(SEVEN) * this.board.pair_chance(SEVEN, SEVEN, SEVEN)
    assert np.abs(more - nets).max() * weight < 1e-14


# ---------------------------------------------------------------- the best play


def test_8_3_even_money_is_taken_where_tens_are_many() -> None:
    """With more than a third of tens left, waiting for 3 to 2 is worth less than 1 to 1 at once; and not before."""
    rich, poor = ranks(a=3, c6=4, c8=4, t=12), ranks(a=3, c6=8, c8=8, t=9)
    for shoe, taken in ((rich, True), (poor, False)):
        this = solved("first_hand", shoe)
        found = values(this, up=11, hand=(11, 10))
        assert (found["even_money"] > found["stand"]) is taken
        assert (ACE in this.main.even_money) is taken
        assert (ACE in this.chart_play.even_money) is taken
        left = sum(shoe) - 3
        assert found["stand"] == pytest.approx(1.5 * (1 - (shoe[9] - 1) / left), abs=1e-15)
        assert found["even_money"] == 1.0


def test_no_other_choice_on_a_split_hand_gains() -> None:
    """Each choice of the best play of each situation is turned over, in fractions; none is worth more."""
    this = solved("first_hand", SIXES)
    board, slow = this.board, fractions("first_hand", SIXES)
    tried = 0
    for (up, symbol), split in this.splits.items():
        plan = plan_of(split)
        best = slow.split_worth(up, symbol, plan)
        assert split.worth == pytest.approx(float(best), abs=1e-14)
        for other in _others(board, symbol, plan):
            assert slow.split_worth(up, symbol, other) <= best
            tried += 1
    assert tried > 500


def _others(board: Board, symbol: int, plan: SplitPlan) -> list[SplitPlan]:
    """The plan with one choice turned over, each choice that the shoe and the rules allow."""
    found = []
    for which, choice in plan.choices.items():
        options = board.open.splits[0 if which.others == 1 else 1, board.hands.starts[symbol] :]
        for place, hand in enumerate(board.hands.with_symbol[symbol]):
            held = all(board.hands.cards[hand] <= board.shoe)
            for bit in (BITS["stand"], BITS["hit"], BITS["double"]):
                if held and options[place] & bit and choice[hand] != bit:
                    turned = choice.copy()
                    turned[hand] = bit
                    found.append(replace(plan, choices={**plan.choices, which: turned}))
    if board.terms.most_hands(symbol) == 3:
        found += [replace(plan, again_first=not plan.again_first), replace(plan, again_second=not plan.again_second)]
    return found


def test_11_7_readings_are_ordered_as_they_favour_the_player() -> None:
    """`original_only` gives back most, `busted_plus_one` least; by the book's reading first_hand lies between.

    They differ where split hands can be bust against an ace or a ten; split nines stand there, split aces have ended.
    """
    for shoe, differ in ((SIXES, True), (FIVES, True), (NINES, False)):
        least, middle, most = (solved(r, shoe).main_worth for r in ("busted_plus_one", "first_hand", "original_only"))
        assert (least < middle < most) if differ else (least == middle == most)


def test_the_best_play_is_worth_more_than_the_chart_and_both_less_than_nothing() -> None:
    this = eight_decks()
    assert this.chart_worth < this.main_worth < 0


@pytest.mark.parametrize(
    ("up", "hand", "open_to"),
    [
        (10, (10, 6), ("hit", "stand")),
        (6, (5, 6), ("double", "hit")),
        (6, (5, 5), ("double", "hit", "split")),
        (6, (8, 8), ("hit", "split", "stand")),
        (6, (11, 8), ("hit", "stand")),
        (6, (5, 3, 3), ("hit",)),
        (6, (10, 5, 6), ("stand",)),
        (9, (11, 10), ("stand",)),
    ],
    ids=str,
)
def test_10_1_12_1_values_name_what_is_open(up: int, hand: tuple[int, ...], open_to: tuple[str, ...]) -> None:
    assert set(values(eight_decks(), up=up, hand=hand)) == set(open_to)


@pytest.mark.parametrize("hand", [(10,), (10, 10, 10)], ids=str)
def test_values_refuse_what_is_not_a_hand(hand: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="not a hand of two cards or more"):
        values(eight_decks(), up=6, hand=hand)


# ---------------------------------------------------------------- the chart


def test_the_chart_of_eight_decks() -> None:
    """The well-known chart for a dealer who stands on all seventeens, with doubles on 9 to 11 and after splits."""
    hard, soft, pairs = chart_tables(eight_decks())
    assert hard.ups == (2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
    letters = {"stand": "S", "hit": "H", "double": "D", "split": "P", "as total": "-"}
    shown = {
        (table.part, row): "".join(letters[word] for word in words)
        for table in (hard, soft, pairs)
        for row, words in table.rows
    }
    assert {row: shown["hard", row] for row in range(8, 18)} == {
        17: "SSSSSSSSSS",
        16: "SSSSSHHHHH",
        15: "SSSSSHHHHH",
        14: "SSSSSHHHHH",
        13: "SSSSSHHHHH",
        12: "HHSSSHHHHH",
        11: "DDDDDDDDDH",
        10: "DDDDDDDDHH",
        9: "HDDDDHHHHH",
        8: "HHHHHHHHHH",
    }
    assert {row: shown["soft", row] for row in (17, 18, 19)} == {
        17: "HHHHHHHHHH",
        18: "SSSSSSSHHH",
        19: "SSSSSSSSSS",
    }
    assert [shown["pairs", row] for row in (11, 10, 9, 8, 7, 6, 5, 4, 3, 2)] == [
        "PPPPPPPPPP",
        "----------",
        "PPPPP-PP--",
        "PPPPPPPPPP",
        "PPPPPP----",
        "PPPPP-----",
        "----------",
        "---PP-----",
        "PPPPPP----",
        "PPPPPP----",
    ]


def test_entries_of_small_margin_are_right_in_fractions() -> None:
    """The closest entries against the cards with short trees, turned over: the loss is what the search says."""
    this, slow = eight_decks(), fractions("first_hand", full_shoe(8))
    close = sorted((-gain, up, at) for up in (SEVEN, EIGHT, NINE, TEN) for at, gain in _gains(this.chart, up))[:2]
    for loss, up, at in close:
        entries = this.chart.columns[up].entries.copy()
        entries[at] = 1 - entries[at]
        column = Search(this.board, up).weighed(entries)
        other = chart_policy(this.board, replace(this.chart, columns={**this.chart.columns, up: column}))
        exact = slow.against(up, this.chart_play) - slow.against(up, other)
        assert exact > 0
        assert loss == pytest.approx(float(exact), abs=1e-13)


def _gains(chart: Chart, up: int) -> list[tuple[int, float]]:
    return [(at, float(gain)) for at, gain in enumerate(chart.columns[up].gains) if gain]


def test_no_change_of_one_entry_gains() -> None:
    for reading in READINGS:
        for column in solved(reading, SIXES).chart.columns.values():
            assert column.gains.max() <= 1e-15


def test_departures_from_the_chart_gain() -> None:
    """Known up to six decks: ten and two against a four is hit, though twelve stands there.  Not so from eight."""
    found = departures(solved("first_hand", full_shoe(4)))
    assert all(each.gain > 0 for each in found)
    assert (4, (2, 10), "stand", "hit") in {(each.up, each.hand, each.chart, each.best) for each in found}
    assert departures(eight_decks()) == ()


# ---------------------------------------------------------------- published figures

ONE_DECK = {
    # M. Shackleford, The Wizard of Odds, wizardofodds.com/games/blackjack/appendix/2b, of 20 July 2004: one deck,
    # dealer stands on soft 17, before any look at the second card.
    11: (0.126128, 0.131003, 0.129486, 0.131553, 0.0515646, 0.313726, 0.11654),
    2: (0.138976, 0.131762, 0.131815, 0.123948, 0.120526, 0, 0.352973),
    3: (0.130313, 0.130946, 0.123761, 0.123345, 0.116047, 0, 0.375588),
    4: (0.130973, 0.114163, 0.120679, 0.116286, 0.115096, 0, 0.402803),
    5: (0.119687, 0.123483, 0.116909, 0.104694, 0.106321, 0, 0.428905),
    6: (0.166948, 0.106454, 0.107192, 0.100705, 0.0978785, 0, 0.420823),
    7: (0.372345, 0.138583, 0.0773344, 0.0788967, 0.072987, 0, 0.259854),
    8: (0.130857, 0.362989, 0.129445, 0.0682898, 0.0697914, 0, 0.238627),
}


def test_12_3_the_dealer_ends_as_published() -> None:
    found = dealer_totals(rules_of(), full_shoe(1))
    assert set(found) == {2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
    for ends in found.values():
        assert sum(ends.values()) == 1
    for up, published in ONE_DECK.items():
        chances = [float(found[up][name]) for name in ("17", "18", "19", "20", "21", "blackjack", "bust")]
        assert chances == pytest.approx(published, abs=6e-7)


FIVE_DECKS = [
    # M. Shackleford, The Wizard of Odds, wizardofodds.com/games/blackjack/appendix/9: five decks,
    # dealer stands on soft 17, against an ace without a blackjack.
    ((2, 11), "stand", -0.666073),
    ((2, 11), "hit", -0.059817),
    ((3, 11), "hit", -0.095965),
    ((3, 2), "hit", -0.281526),
    ((5, 3), "hit", -0.200797),
    ((5, 4), "double", -0.425176),
    ((6, 4), "double", -0.002174),
    ((6, 5), "hit", 0.148532),
    ((6, 5), "double", 0.133896),
    ((6, 11), "stand", -0.478961),
    ((6, 11), "hit", -0.183653),
]


@pytest.mark.parametrize(("hand", "action", "published"), FIVE_DECKS, ids=str)
def test_10_5_values_against_an_ace_are_as_published(hand: tuple[int, int], action: str, published: float) -> None:
    """There the dealer looks first.  Here a blackjack comes last and takes the original only, which is the same game:
    the value is that of the other, and one unit lost as often as the dealer has a blackjack."""
    found = values(solved("first_hand", full_shoe(5)), up=11, hand=hand)[action]
    blackjack = 80 / (260 - 3)
    assert (found + blackjack) / (1 - blackjack) == pytest.approx(published, abs=6e-7)


def test_edge_of_five_decks_is_near_the_published_game() -> None:
    """The same source: -0.003804 with doubles on any two cards, splits to four hands, doubles after splits.

    `original_only` is that game but for the fourth hand, which is worth less than two in ten thousand.
    """
    double = rules_of().double
    any_two = replace(double, totals=Law(frozenset(range(4, 22)), ("made-up",)), with_ace=Law(True, ("made-up",)))
    worth = solve(replace(rules_of("original_only"), double=any_two), full_shoe(5)).main_worth
    assert -0.003804 - 0.0002 < worth <= -0.003804 + 0.00001


def test_edge_of_eight_decks_lies_where_such_games_lie() -> None:
    """Eight decks, all seventeens, doubles on 9 to 11 and after splits, three hands: about half a percent."""
    assert 0.0050 < -eight_decks().main_worth < 0.0060
