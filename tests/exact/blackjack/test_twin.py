"""Odds of blackjack beside the game itself: every course of small shoes played card by card, in fractions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from croupier.equipment import rank
from croupier.exact.blackjack import BlackjackRow, Policy, Solved, blackjack_sheet, decide, joint, solve
from croupier.exact.blackjack.policy import plan_of
from croupier.exact.blackjack.shares import Doubles, shares
from croupier.exact.blackjack.size import most_cards
from croupier.exact.blackjack.terms import brings, by_symbol, symbols, terms
from croupier.game import CardSeen, Choose, Chosen, Deal, Over, Refusal, Wager
from croupier.games.blackjack import BLACKJACK
from croupier.games.blackjack.layout import has_blackjack, points
from croupier.games.blackjack.play import turn
from croupier.games.blackjack.rules import BlackjackRules
from croupier.round import AnyRound, happen, open_round, place
from tests.helpers.blackjack_shoes import (
    ACE,
    READINGS,
    SIXES,
    SMALL,
    STAKE,
    by_net,
    fractions,
    largest_difference,
    ranks,
    rules_of,
    solved,
)


class Walk:
    """A stated play followed through every course of the game; equal positions are walked once."""

    def __init__(self, rules: BlackjackRules, shoe: tuple[int, ...], policy: Policy) -> None:
        self.rules, self.policy, self.left = rules, policy, list(shoe)
        self.card = [rules.points.value.index(value) for value in symbols(rules)]
        self.known: dict[object, Mapping[Fraction, Fraction]] = {}

    def nets(self) -> Mapping[Fraction, Fraction]:
        """The chance of each net result per unit of the main wager."""
        placed = place(open_round(BLACKJACK, self.rules), (Wager("main", STAKE),))
        assert not isinstance(placed, Refusal)
        return self._from(placed)

    def _from(self, this: AnyRound) -> Mapping[Fraction, Fraction]:
        box = this.state.boxes[0]
        hands = tuple((h.number, tuple(sorted(h.cards)), h.cards[1:2], h.said, h.split) for h in box.hands)
        first = this.state.dealer if len(this.state.dealer) < 2 else ()
        key = (hands, first, tuple(sorted(this.state.dealer)), box.paid)
        if key not in self.known:
            self.known[key] = self._walked(this)
        return self.known[key]

    def _walked(self, this: AnyRound) -> Mapping[Fraction, Fraction]:
        due = this.due
        if self._wants_even_money(this):
            return self._from(self._happen(this, Chosen("even_money")))
        if isinstance(due, Deal):
            return self._dealt(this)
        if isinstance(due, Choose):
            now = turn(self.rules, this.state)
            assert now.box is not None
            assert now.hand is not None
            word = decide(self.policy, self.rules, this.state, now.box, now.hand)
            assert word in due.options
            return self._from(self._happen(this, Chosen(word)))
        assert isinstance(due, Over)
        assert not this.standing
        net = sum((brings(e.resolution) * e.wager.stake_cents for e in this.book if e.resolution), Fraction(0))
        return {net / STAKE: Fraction(1)}

    def _dealt(self, this: AnyRound) -> Mapping[Fraction, Fraction]:
        found: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
        total = sum(self.left)
        for symbol, held in enumerate(self.left):
            if held:
                self.left[symbol] -= 1
                for net, chance in self._from(self._happen(this, CardSeen(self.card[symbol]))).items():
                    found[net] += Fraction(held, total) * chance
                self.left[symbol] += 1
        return dict(found)

    def _wants_even_money(self, this: AnyRound) -> bool:
        box, dealer = this.state.boxes[0], this.state.dealer
        if len(dealer) != 1 or box.paid or not has_blackjack(self.rules, box.hands[0]):
            return False
        return symbols(self.rules).index(points(self.rules, dealer[0])) in self.policy.even_money

    def _happen(self, this: AnyRound, fact: CardSeen | Chosen) -> AnyRound:
        after = happen(this, fact)
        assert not isinstance(after, Refusal), after
        return after


TWINS = [
    *((reading, "sixes and eights") for reading in READINGS),
    *((reading, "fives and sixes") for reading in ("first_hand", "busted_plus_one")),
    ("first_hand", "aces, sevens and nines"),
]


@pytest.mark.parametrize(("reading", "name"), TWINS)
def test_11_7_the_engine_equals_the_game_card_by_card(reading: str, name: str) -> None:
    """Every net result of a play has exactly the chance that plain play through the game gives it."""
    shoe = SMALL[name]
    this = solved(reading, shoe)
    for policy in (this.main, this.chart_play) if reading == "first_hand" else (this.main,):
        exact = shares(this.board, fractions(reading, shoe), policy)
        assert by_net(exact) == Walk(rules_of(reading), this.board.shoe, policy).nets()
        assert largest_difference(exact, shares(this.board, Doubles(this.board), policy)) < 1e-14


KEEPING: dict[str, dict[str, Any]] = {
    "first": {"again_first": False, "again_kept": True},
    "first and second": {"again_first": False, "again_kept": False},
    "second": {"again_first": True, "again_second": False},
}


@pytest.mark.parametrize("reading", ["first_hand", "busted_plus_one"])
@pytest.mark.parametrize("keeping", KEEPING.values(), ids=KEEPING.keys())
def test_11_5_pairs_kept_on_split_hands_are_weighed(reading: str, keeping: dict[str, Any]) -> None:
    """A play that splits a pair but keeps one of the next: the engine, in fractions and doubles, equals the game."""
    this = solved(reading, SIXES)
    plans = {at: replace(plan, **keeping) if at[1] != ACE else plan for at, plan in this.main.plans.items()}
    policy = replace(this.main, plans=plans)
    exact = shares(this.board, fractions(reading, SIXES), policy)
    assert by_net(exact) == Walk(rules_of(reading), this.board.shoe, policy).nets()
    assert largest_difference(exact, shares(this.board, Doubles(this.board), policy)) < 1e-14


LONGEST = {
    "sevens": ranks(c7=4, t=8),
    "eights": ranks(c8=4, t=9),
    "aces": ranks(a=2, c9=1, t=10),
}


def test_a_series_of_split_hands_comes_to_what_is_counted_at_every_point() -> None:
    """Twos against a seven from a deck, split again, with busts; the control: a series that ends too soon."""
    board = solve(rules_of(), (4,) * 13).board
    course = next(each for each in joint.cases(board, 1, plan_of(board.split(6, 1))) if each.extra)
    weighing = joint.Weighing(board, 6, board.left(6, 1, 3))
    found = []
    for nodes, order in ((10**9, 6), (0, 6), (0, 2)):
        weighing.nodes, weighing.order = nodes, order
        found.append(weighing.nets([course.hands[0]], course.hands[1:]))
    counted, developed, short = found
    assert np.abs(counted - developed).max() < 1e-9
    assert np.abs(counted - short).max() > 1e-7


@pytest.mark.parametrize("shoe", LONGEST.values(), ids=LONGEST.keys())
def test_15_10_no_round_takes_more_cards_than_the_engine_says(shoe: tuple[int, ...]) -> None:
    """The longest round of the game, whatever is chosen and comes, is within the bound and close to it."""
    rules = rules_of()
    held = by_symbol(rules, shoe)
    found = _longest(rules, list(held))
    assert found <= most_cards(terms(rules), held) <= min(found + 2, sum(shoe))


def _longest(rules: BlackjackRules, left: list[int]) -> int:
    cards = [rules.points.value.index(value) for value in symbols(rules)]
    known: dict[object, int] = {}

    def walk(this: AnyRound) -> int:
        box = this.state.boxes[0]
        key = (
            tuple((tuple(sorted(h.cards)), h.cards[:1], h.said) for h in box.hands),
            tuple(sorted(this.state.dealer)),
        )
        if key not in known:
            known[key] = longest(this)
        return known[key]

    def longest(this: AnyRound) -> int:
        if isinstance(this.due, Choose):
            return max(walk(after(this, Chosen(word))) for word in this.due.options)
        if not isinstance(this.due, Deal):
            return 0
        most = 0
        for symbol, held in enumerate(left):
            if held:
                left[symbol] -= 1
                most = max(most, 1 + walk(after(this, CardSeen(cards[symbol]))))
                left[symbol] += 1
        return most

    def after(this: AnyRound, fact: CardSeen | Chosen) -> AnyRound:
        following = happen(this, fact)
        assert not isinstance(following, Refusal), following
        return following

    placed = place(open_round(BLACKJACK, rules), (Wager("main", STAKE),))
    assert not isinstance(placed, Refusal)
    return walk(placed)


# ---------------------------------------------------------------- Super Sevens


def sevens_shoe() -> tuple[int, ...]:
    """Seven sevens of three suits, fives, eights and tens of clubs."""
    held = {6: 3, 19: 2, 32: 2, 4: 3, 7: 3, 9: 6}
    return tuple(held.get(card, 0) for card in range(52))


@lru_cache(maxsize=1)
def sevens() -> tuple[Solved, Mapping[str, BlackjackRow]]:
    rows = blackjack_sheet(rules_of(), sevens_shoe())
    return solve(rules_of(), sevens_shoe()), {row.policy: row for row in rows}


@pytest.mark.parametrize("play", ["draw", "split", "chart"])
def test_14_4_super_sevens_equals_the_game_card_by_card(play: str) -> None:
    this, rows = sevens()
    found: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    for pay in rows[f"super_sevens:{play}"].worth.pays:
        found[pay.net] += pay.probability
    assert dict(found) == _sevens_by_play(rules_of(), sevens_shoe(), this, play)


def _sevens_by_play(rules: BlackjackRules, shoe: tuple[int, ...], this: Solved, play: str) -> dict[Fraction, Fraction]:
    found: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    left = list(shoe)

    def walk(now: AnyRound, chance: Fraction) -> None:
        end = now.book[1].resolution
        if end is not None:
            found[brings(end)] += chance
        elif isinstance(now.due, Deal):
            total = sum(left)
            for card, held in enumerate(left):
                if held:
                    left[card] -= 1
                    after = happen(now, CardSeen(card))
                    assert not isinstance(after, Refusal)
                    walk(after, chance * Fraction(held, total))
                    left[card] += 1
        else:
            after = happen(now, Chosen(choice(now)))
            assert not isinstance(after, Refusal)
            walk(after, chance)

    def choice(now: AnyRound) -> str:
        box = now.state.boxes[0]
        assert [rank(card) for card in box.hands[0].cards] == [6, 6]
        if play == "chart":
            return decide(this.chart_play, rules, now.state, box, box.hands[0])
        return {"draw": "hit", "split": "split"}[play]

    placed = place(open_round(BLACKJACK, rules), (Wager("main", STAKE), Wager("super_sevens", STAKE)))
    assert not isinstance(placed, Refusal)
    walk(placed, Fraction(1))
    return dict(found)
