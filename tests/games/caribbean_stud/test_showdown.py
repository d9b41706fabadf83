"""The acts of staff at the showdown: the dealer's hand, each hand from the right, and at last the jackpot."""

from __future__ import annotations

import pytest

from croupier.game import Chosen, Over, Perform, Performed
from croupier.games.caribbean_stud import play
from croupier.games.caribbean_stud.procedure import StudSitting, agenda, announcement, apply, demand, misdeclared
from croupier.games.caribbean_stud.rules import StudRules
from tests.games.caribbean_stud.test_bets import HANDS, LOW_DEALER
from tests.games.caribbean_stud.test_play import PAIR, QUEEN_HIGH, R, packets, refused
from tests.games.caribbean_stud.test_procedure import Line, check, done, facts, ready, run
from tests.helpers.observe import carries

FLUSH = HANDS["flush"][0]


def showdown(
    rules: StudRules, cards: str, *boxes: int, entered: tuple[int, ...] = ()
) -> tuple[StudSitting, list[Line]]:
    """All bet: every act from the turn of the dealer's cards to the end of the round."""
    sitting = ready(rules, cards, *boxes, entered=entered)
    return run(rules, facts(rules, sitting, *(Chosen("bet", box=box) for box in boxes)))


def test_the_dealer_does_not_turn_the_cards_before_all_have_chosen() -> None:
    rules = packets()
    sitting = ready(rules, f"{PAIR} {LOW_DEALER}", 1)
    carries(refused(apply(rules, sitting, Performed("turn the dealer's cards and declare the hand"))), R + "8.1")
    carries(demand(rules, facts(rules, sitting, Chosen("bet"))), R + "8.3")


def test_a_dealer_who_does_not_qualify() -> None:
    _, lines = showdown(packets(jackpot_mode="manual"), f"{PAIR} {QUEEN_HIGH}", 1, entered=(1,))
    check(
        lines,
        """
        8.3: turn the dealer's cards and declare the hand (dealer)
        9.2: announce that the dealer does not qualify (dealer)
        9.2: collect the jackpot wager of box 1 (dealer)
        9.2a: pay the ante of box 1 (dealer)
        9.2-tail: return the bet of box 1 (dealer)
        9.2b: count and discard the cards of box 1 (dealer)
        """,
    )


def test_a_hand_that_wins() -> None:
    _, lines = showdown(packets(jackpot_mode="manual"), f"{PAIR} {LOW_DEALER}", 1, entered=(1,))
    check(
        lines,
        """
        8.3: turn the dealer's cards and declare the hand (dealer)
        13.4: declare the hand of box 1 (player of box 1)
        9.4a: arrange the cards of box 1 (dealer)
        9.4b: compare box 1 with the dealer's hand (dealer)
        9.4c: announce the value and the result of box 1 (dealer)
        9.8a: collect the jackpot wager of box 1 (dealer)
        9.8b: pay the ante of box 1 (dealer)
        9.8c: pay the bet of box 1 (dealer)
        9.8d: count and discard the cards of box 1 (dealer)
        """,
    )


def test_a_hand_that_loses() -> None:
    _, lines = showdown(packets(jackpot_mode="manual"), "2h 2c 6d 4s 5c 9h 9c Kc Qd Js", 1, entered=(1,))
    check(
        lines[5:],
        """
        9.7a: collect the jackpot wager of box 1 (dealer)
        9.7b: collect the ante and the bet of box 1 (dealer)
        9.7c: count and discard the cards of box 1 (dealer)
        """,
    )


def test_a_hand_that_stands_off() -> None:
    _, lines = showdown(packets(jackpot_mode="manual"), "9h 9c 2d 4s Kc 9s 9d 2s 4c Kd", 1, entered=(1,))
    check(
        lines[5:],
        """
        9.9: collect the jackpot wager of box 1 (dealer)
        9.9: count and discard the cards of box 1 (dealer)
        """,
    )


def test_hands_are_settled_from_the_right_of_the_dealer() -> None:
    rules = packets()
    _, lines = showdown(rules, "2h 2c 6d 4s 5c 7h 7c 3d 4h 5h 8h 8c 3h 4c 5s 9h 9c Kc Qd Js", 1, 3, 6)
    order = [act.split()[-1] for act, _, rule in lines if rule == "9.7b"]
    assert order == ["6", "3", "1"]
    carries(rules.from_right, R + "9.4")


def test_a_winning_jackpot_hand_stays_until_it_is_paid_after_all_else() -> None:
    rules = packets(jackpot_mode="manual")
    sitting, lines = showdown(rules, f"{FLUSH} 9s 9c 6d 4s 2c {LOW_DEALER}", 1, 2, entered=(1, 2))
    assert [rule for _, _, rule in lines][1:9] == ["13.4", "9.4a", "9.4b", "9.4c", "9.8a", "9.8b", "9.8c", "9.8d"]
    assert [rule for _, _, rule in lines][9:15] == ["13.4", "9.4a", "9.4b", "9.4c", "9.8b", "9.8c"]
    check(
        lines[15:],
        """
        11.10: verify the hand of box 1 and notify the game supervisor (dealer)
        11.11: count the deck for box 1 (dealer)
        11.7: pay the jackpot of box 1 (dealer)
        11.7: collect the paid jackpot wager of box 1 (dealer)
        9.3: count and discard the cards of box 1 (dealer)
        """,
    )
    assert isinstance(play.demand(rules, sitting.layout), Over)


def test_in_electronic_mode_no_chip_is_collected() -> None:
    _, lines = showdown(packets(), f"{FLUSH} {LOW_DEALER}", 1, entered=(1,))
    assert [rule for _, _, rule in lines][-4:] == ["11.10", "11.11", "11.7", "9.3"]


def test_no_jackpot_is_paid_before_the_wagers_are_settled_and_the_supervisor_knows() -> None:
    rules = packets()
    sitting = facts(rules, ready(rules, f"{FLUSH} {LOW_DEALER}", 1, entered=(1,)), Chosen("bet"))
    pay = Performed("pay the jackpot of box 1")
    waits = []
    while isinstance(asked := demand(rules, sitting), Perform) and asked.act != pay.act:
        refusal = refused(apply(rules, sitting, pay))
        carries(refusal, asked.rule)
        waits.append(asked.rule.removeprefix(R))
        sitting = facts(rules, sitting, Performed(asked.act))
    assert waits[-4:] == ["9.8b", "9.8c", "11.10", "11.11"]
    facts(rules, sitting, pay)


def test_the_cards_of_a_jackpot_hand_are_not_collected_before_it_is_paid() -> None:
    rules = packets()
    sitting = facts(rules, ready(rules, f"{FLUSH} {LOW_DEALER}", 1, entered=(1,)), Chosen("bet"))
    while isinstance(asked := demand(rules, sitting), Perform) and asked.rule != R + "11.7":
        sitting = facts(rules, sitting, Performed(asked.act))
    carries(refused(apply(rules, sitting, Performed("count and discard the cards of box 1"))), R + "11.7")
    sitting = facts(rules, sitting, Performed("pay the jackpot of box 1"))
    carries(demand(rules, sitting), R + "9.3")


@pytest.mark.parametrize("count", [51, 52, 53])
def test_the_deck_is_counted_when_a_jackpot_is_paid(count: int) -> None:
    rules = packets()
    sitting = facts(rules, ready(rules, f"{FLUSH} {LOW_DEALER}", 1, entered=(1,)), Chosen("bet"))
    while isinstance(asked := demand(rules, sitting), Perform) and asked.rule != R + "11.11":
        sitting = facts(rules, sitting, Performed(asked.act))
    after = apply(rules, sitting, Performed("count the deck for box 1", "dealer", count))
    if count == 52:
        carries(demand(rules, done(after)), R + "11.7")
    else:
        assert refused(after).whole == f"count the deck for box 1: {count}, not 52; declare a deck count"
        carries(refused(after), R + "14.9")


def test_jackpots_are_paid_in_the_order_of_the_law() -> None:
    rules = packets()
    cards = "10d Jd Qd Kd Ad 4s 5s 6s 7s 8s 2h 4h 6h 8h 10h 2c 3d 5c 7d 9d"
    sitting, _ = showdown(rules, cards, 1, 2, 3, entered=(1, 2, 3))
    assert [box for name, box in agenda(rules, sitting.layout) if name == "jackpot"] == [3, 2, 1]


def test_the_result_is_announced_and_the_cards_settle() -> None:
    rules = packets()
    sitting = facts(rules, ready(rules, f"9h 9c 6d 6s 2c {LOW_DEALER}", 1), Chosen("bet"))
    box = sitting.layout.boxes[0]
    assert announcement(rules, sitting.layout, box) == "two pairs, win"
    assert misdeclared(rules, box, "two pairs") is None
    refusal = misdeclared(rules, box, "one pair")
    assert refusal is not None
    assert refusal.reason == "declared as one pair, but the cards make two pairs"
    carries(refusal, R + "13.4")
