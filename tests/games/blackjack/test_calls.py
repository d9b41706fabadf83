"""The calls of a blackjack round: before the first card, against an ace, at the end; and who enters late."""

from __future__ import annotations

import pytest

from croupier.ceremony import acts
from croupier.game import CardSeen, Choose, Chosen, Deal, Over, Perform, Performed, Refusal
from croupier.games.blackjack.calls import announce, announce_turn, late_entry, total_said
from croupier.games.blackjack.layout import Layout
from croupier.games.blackjack.procedure import (
    BlackjackSitting,
    apply,
    demand,
    holds,
    next_round,
    under_way,
    why_no_change,
    why_no_wager,
)
from croupier.law.model import Law
from croupier.once import replace
from tests.games.blackjack.test_cases import rules, table, tell
from tests.games.blackjack.test_play import cards
from tests.games.blackjack.test_procedure import at_play, betting, do, refusal
from tests.helpers.observe import carries

II = "NZ1996-II-"


# ---------------------------------------------------------------- a round


def test_7_2_the_call_comes_before_the_first_card() -> None:
    law = rules()
    sitting = betting(law)
    assert demand(law, sitting) == Perform("put smaller chips on top", "dealer", II + "4.3")
    carries(demand(law, sitting), II + "4.3")
    sitting = do(law, sitting, "!")
    assert demand(law, sitting) == Perform("call No more bets", "dealer", II + "7.2")
    answer = apply(law, sitting, CardSeen(0))
    assert isinstance(answer, Refusal)
    carries(answer, II + "7.2")
    assert why_no_wager(law, sitting) is None
    called = do(law, sitting, "!")
    refused = why_no_wager(law, called)
    assert refused
    carries(refused, II + "7.2")
    assert demand(law, called) == Deal("box 1", II + "7.3a")


def test_4_2_a_supervisor_may_reopen_the_betting_until_the_first_card() -> None:
    law = rules()
    called = at_play(law)
    reopen = Performed("reopen wagers", "game supervisor")
    assert why_no_wager(law, do(law, called, reopen)) is None
    barred = refusal(law, called, replace(reopen, by="dealer"))
    carries(barred, II + "4.2")
    assert "game supervisor or casino supervisor" in barred.reason
    dealt = do(law, called, "10")
    carries(refusal(law, dealt, reopen), II + "4.2")
    late = why_no_wager(law, dealt)
    assert late
    carries(late, II + "4.2")


def test_9_2_against_an_ace_insurance_is_called_and_the_line_swept() -> None:
    law = rules()
    sitting = do(law, at_play(law, "main 10, main 10 box 5"), "10", "10", "A", "9")
    assert isinstance(demand(law, sitting), Deal)
    sitting = do(law, sitting, "9")
    assert demand(law, sitting) == Perform("call Insurance", "dealer", II + "9.2a")
    carries(demand(law, sitting), II + "9.2a")
    carries(refusal(law, sitting, Chosen("insure", box=1)), II + "9.2a")
    sitting = do(law, sitting, "!")
    assert demand(law, sitting) == Perform("sweep insurance line", "dealer", II + "9.2b")
    carries(demand(law, sitting), II + "9.2b")
    insured = do(law, sitting, "!", Chosen("insure", box=1))
    assert insured.layout.boxes[0].insured == ("",)
    assert "call Insurance" not in acts(do(law, at_play(law), "10", "K", "9", "stand").said)


def test_8_1_a_blackjack_paid_at_once_is_removed_before_a_third_card() -> None:
    law = rules()
    sitting = do(law, at_play(law, "main 10, main 10 box 2"), "A", "10", "9", "K", "6")
    assert demand(law, sitting) == Perform("remove paid blackjacks", "dealer", II + "8.1")
    carries(demand(law, sitting), II + "8.1")
    assert isinstance(demand(law, do(law, sitting, "!")), Choose)
    waiting = do(law, at_play(law, "main 10, main 10 box 2"), "A", "10", "10", "K", "6")
    assert isinstance(demand(law, waiting), Choose)


def test_8_3_even_money_cards_stay_while_another_on_the_box_waits() -> None:
    law = rules()
    sitting = do(law, at_play(law, "main 10 by a, main 10 by b"), "A", "A", "K", "!", "!")
    one = do(law, sitting, Chosen("even_money", by="b"))
    assert isinstance(demand(law, one), Deal)
    both = do(law, one, Chosen("even_money", by="a"))
    assert demand(law, both) == Perform("remove even money hands", "dealer", II + "8.3")
    carries(demand(law, both), II + "8.3")


def test_4_8_7_7_pay_collect_discard() -> None:
    law = rules()
    sitting = do(law, at_play(law), "10", "10", "9", "stand", "10")
    for act, rule in (("pay and take", "4.8"), ("collect cards", "7.7a"), ("put cards in discard rack", "7.7b")):
        assert demand(law, sitting) == Perform(act, "dealer", II + rule)
        carries(demand(law, sitting), II + rule)
        sitting = do(law, sitting, "!")
    assert isinstance(demand(law, sitting), Over)


def test_4_8_winnings_are_taken_up_once_all_are_paid() -> None:
    law = rules()
    sitting = do(law, at_play(law), "10", "10", "9", "stand", "7")
    take_up = Performed("take up winnings", "player")
    carries(refusal(law, sitting, take_up), II + "4.8")
    assert take_up in do(law, sitting, "!", take_up).said
    carries(refusal(law, do(law, sitting, "!"), replace(take_up, by="dealer")), II + "4.8")


def test_1_0_a_round_lasts_from_its_first_card_until_the_cards_are_in_the_rack() -> None:
    law = rules()
    sitting = at_play(law)
    assert why_no_change(law, sitting) is None
    sitting = do(law, sitting, "10")
    deferred = why_no_change(law, sitting)
    assert deferred
    carries(deferred, II + "1.0-def-round")
    sitting = do(law, sitting, "10", "9", "stand", "10", "!", "!")
    assert under_way(law, sitting)
    assert not under_way(law, do(law, sitting, "!"))
    assert holds(law, do(law, sitting, "!"), "between rounds")


def test_the_next_round_begins_on_an_empty_layout_and_keeps_the_shoe() -> None:
    law = rules()
    sitting = do(law, at_play(law, "main 10 by a, main 5 by b"), "10", "10", "9", "stand", "10", "!", "!", "!")
    fresh = next_round(law, sitting)
    assert isinstance(fresh, BlackjackSitting)
    assert (fresh.layout, fresh.said, fresh.shoe) == (Layout(), (), sitting.shoe)
    assert fresh.rounds == (frozenset({"a", "b"}),)


@pytest.mark.parametrize("act", ["collect cards", "call No more bets", "somersault"])
def test_an_act_out_of_turn_names_what_was_due(act: str) -> None:
    law = rules()
    sitting = do(law, at_play(law), "10")
    carries(refusal(law, sitting, Performed(act, "dealer")), II + "7.3b")
    carries(refusal(law, sitting, Chosen("cut")), II + "7.3b")


# ---------------------------------------------------------------- what the dealer says


@pytest.mark.parametrize(
    ("hand", "words"), [("A 6", "soft 17"), ("A 6 10", "hard 17"), ("10 7", "hard 17"), ("A A", "soft 12")]
)
def test_1_0_hard_and_soft_totals(hand: str, words: str) -> None:
    assert total_said(rules(), cards(hand), Law("{}", (II + "7.5",))).text == words
    carries(rules().ace_low, II + "3.2c")


def test_7_4_the_total_before_a_decision() -> None:
    said = announce_turn(rules(), tell(table(), "10 6 5").state)
    assert said
    assert said.text == "box 1: hard 15"
    carries(said, II + "7.4")
    assert announce_turn(rules(), tell(table(), "10 6").state) is None


@pytest.mark.parametrize(
    ("before", "card", "text", "rule"),
    [
        ("5 6 6 hit", "4", "box 1: hard 15", "7.5"),
        ("10 6 6 hit", "10", "box 1: hard 26", "7.5"),
        ("8 6 8 split", "3", "box 1 hand 1: hard 11", "11.4"),
        ("8 6 8 split 3 hit", "A", "box 1 hand 1: hard 12", "7.5"),
        ("A 6", "K", "box 1: blackjack", "8.1"),
        ("A 10", "K", "box 1: blackjack", "8.2"),
        ("10 A 9 stand", "7", "dealer: soft 18", "7.6"),
        ("10 9 9 stand 5", "7", "dealer: hard 21", "7.6"),
    ],
)
def test_7_5_what_is_announced_after_a_card(before: str, card: str, text: str, rule: str) -> None:
    this = tell(table(), before)
    said = announce(this.rules, this.state, tell(this, card).state)
    assert said
    assert said.text == text
    carries(said, II + rule)


@pytest.mark.parametrize(("before", "card"), [("", "10"), ("10 6", "9"), ("10", "6"), ("10 9 9 stand", "5")])
def test_7_5_nothing_is_announced_while_the_deal_or_the_dealers_hand_goes_on(before: str, card: str) -> None:
    this = tell(table(), before)
    assert announce(this.rules, this.state, tell(this, card).state) is None


# ---------------------------------------------------------------- late entry

ROUNDS = (frozenset({"early"}), frozenset({"early", "late"}), frozenset({"early"}))


@pytest.mark.parametrize(
    ("rounds", "name", "rule"),
    [
        ((), "late", ""),
        (ROUNDS[:1], "early", ""),
        (ROUNDS[:1], "late", "4.9a"),
        (ROUNDS[:2], "late", "4.9a"),
        (ROUNDS, "early", ""),
        ((*ROUNDS, frozenset({"late"})), "early", "4.9b"),
    ],
)
def test_4_9_who_may_be_held_to_the_minimum(rounds: tuple[frozenset[str], ...], name: str, rule: str) -> None:
    held = late_entry(rules(late_entry_at_minimum=True), rounds, name)
    assert (held is not None) == bool(rule)
    if held:
        carries(held, II + rule)
    assert late_entry(rules(), rounds, name) is None
    carries(rules().late_entry_at_minimum, II + "4.9")
