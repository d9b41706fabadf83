"""Shoes that may run out within a round: the special engine beside the game itself, and the share of void rounds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

import pytest

from croupier.equipment import full_shoe
from croupier.exact.blackjack import BlackjackRow, Solved, blackjack_sheet, decide, left_out, solve
from croupier.exact.blackjack.short.engine import Short
from croupier.exact.blackjack.short.rows import MOST_STEPS, steps
from croupier.exact.blackjack.terms import brings, by_symbol, symbols, terms
from croupier.game import CardSeen, Choose, Chosen, Deal, Irregular, Over, Refusal, Wager
from croupier.games.blackjack import BLACKJACK
from croupier.games.blackjack.layout import has_blackjack, points
from croupier.games.blackjack.play import turn
from croupier.games.blackjack.rules import BlackjackRules
from croupier.round import AnyRound, happen, open_round, place
from tests.helpers.blackjack_shoes import READINGS, STAKE, eight_decks, ranks, rules_of

Come: TypeAlias = tuple[Fraction, bool, str]
"""The net per unit of the main wager, whether some stake of it is void, and how insurance would have done."""


class Plain:
    """Every course of a shoe through the game itself, in fractions, by the best play that sees every card, or a chart.

    Where a card is due and none is left, the wagers that are not decided go back.
    """

    def __init__(self, rules: BlackjackRules, shoe: tuple[int, ...], chart: Solved | None = None) -> None:
        self.rules, self.chart, self.left = rules, chart, list(shoe)
        self.card = [rules.points.value.index(value) for value in symbols(rules)]
        self.known: dict[object, Mapping[Come, Fraction]] = {}

    def comes(self) -> Mapping[Come, Fraction]:
        placed = place(open_round(BLACKJACK, self.rules), (Wager("main", STAKE),))
        assert not isinstance(placed, Refusal)
        return self._from(placed)

    def _from(self, this: AnyRound) -> Mapping[Come, Fraction]:
        box, dealer = this.state.boxes[0], this.state.dealer
        hands = tuple((h.number, tuple(sorted(h.cards)), h.cards[:2], h.said, h.split) for h in box.hands)
        key = (hands, dealer[:2], tuple(sorted(dealer)), box.paid)
        if key not in self.known:
            self.known[key] = self._walked(this)
        return self.known[key]

    def _walked(self, this: AnyRound) -> Mapping[Come, Fraction]:
        if self._may_ask(this):
            return self._even_money(this)
        return self._on(this)

    def _on(self, this: AnyRound) -> Mapping[Come, Fraction]:
        match this.due:
            case Deal() if not sum(self.left):
                return {self._come(this): Fraction(1)}
            case Deal():
                return self._dealt(this)
            case Choose(options=options):
                chosen = [self._said(this)] if self.chart else options
                return max((self._from(_after(this, Chosen(word))) for word in chosen), key=_mean)
            case due:
                assert isinstance(due, Over)
                return {self._come(this): Fraction(1)}

    def _come(self, this: AnyRound) -> Come:
        dealer, wins = this.state.dealer, self.rules.insurance.wins_on.value
        net = sum((brings(e.resolution) * e.wager.stake_cents for e in this.book if e.resolution), Fraction(0))
        offered = dealer and points(self.rules, dealer[0]) in self.rules.insurance.against.value
        if not offered or sum(len(hand.cards) for hand in this.state.boxes[0].hands) < 2:
            insured = ""
        elif len(dealer) < 2:
            insured = "void"
        else:
            insured = "won" if points(self.rules, dealer[1]) in wins else "lost"
        return net / STAKE, bool(this.standing), insured

    def _dealt(self, this: AnyRound) -> Mapping[Come, Fraction]:
        found: defaultdict[Come, Fraction] = defaultdict(Fraction)
        total = sum(self.left)
        for symbol, held in enumerate(self.left):
            if held:
                self.left[symbol] -= 1
                for come, chance in self._from(_after(this, CardSeen(self.card[symbol]))).items():
                    found[come] += Fraction(held, total) * chance
                self.left[symbol] += 1
        return dict(found)

    def _said(self, this: AnyRound) -> str:
        now = turn(self.rules, this.state)
        assert self.chart is not None
        assert now.box is not None
        assert now.hand is not None
        return decide(self.chart.chart_play, self.rules, this.state, now.box, now.hand)

    def _may_ask(self, this: AnyRound) -> bool:
        box, dealer = this.state.boxes[0], this.state.dealer
        against = self.rules.blackjacks.even_money_against.value
        if len(dealer) != 1 or box.paid or points(self.rules, dealer[0]) not in against:
            return False
        return has_blackjack(self.rules, box.hands[0])

    def _even_money(self, this: AnyRound) -> Mapping[Come, Fraction]:
        waits, asks = self._on(this), self._from(_after(this, Chosen("even_money")))
        if self.chart:
            up = symbols(self.rules).index(points(self.rules, this.state.dealer[0]))
            return asks if up in self.chart.chart_play.even_money else waits
        return asks if _mean(asks) > _mean(waits) else waits


def _mean(comes: Mapping[Come, Fraction]) -> Fraction:
    return sum((net * chance for (net, _, _), chance in comes.items()), Fraction(0))


def _after(this: AnyRound, fact: CardSeen | Chosen) -> AnyRound:
    after = happen(this, fact)
    assert not isinstance(after, Refusal), after
    return after


TINY = {
    "one card": ranks(t=1),
    "two cards": ranks(a=1, t=1),
    "three cards": ranks(a=1, t=2),
    "four cards": ranks(a=1, c8=2, t=1),
    "eights": ranks(c8=4, c9=1, t=1),
    "aces and tens": ranks(a=3, t=4),
    "sixes": ranks(a=1, c6=4, t=2),
    "low cards": ranks(a=1, c2=3, c3=2, c4=1),
    "fives": ranks(c5=4, c6=1, t=2),
    "sevens": ranks(a=1, c7=3, t=2),
    "one of each": ranks(a=1, c2=1, c3=1, c6=1, c8=1, t=1),
}
SPLITS = ("eights", "sixes", "fives", "aces and tens")
TWINS = [("first_hand", name) for name in TINY] + [(reading, name) for reading in READINGS[1:] for name in SPLITS]


def by_come(found: Any) -> dict[tuple[Fraction, bool], Fraction]:
    chances: defaultdict[tuple[Fraction, bool], Fraction] = defaultdict(Fraction)
    for came, orders in found.came.items():
        chances[came.ending.net, came.void] += _share(orders, found.orders)
    return dict(chances)


def _share(orders: Any, every: Any) -> Fraction:
    return Fraction(orders) / Fraction(every)


def without_insurance(comes: Mapping[Come, Fraction]) -> dict[tuple[Fraction, bool], Fraction]:
    chances: defaultdict[tuple[Fraction, bool], Fraction] = defaultdict(Fraction)
    for (net, void, _), chance in comes.items():
        chances[net, void] += chance
    return dict(chances)


@pytest.mark.parametrize(("reading", "name"), TWINS)
def test_15_10_the_engine_equals_the_game_card_by_card(reading: str, name: str) -> None:
    """Every net result with and without a void stake, and insurance, have exactly the chances that plain play gives."""
    rules = rules_of(reading)
    held = by_symbol(rules, TINY[name])
    found, plain = Short(rules, held).counted(), Plain(rules, held).comes()
    assert by_come(found) == without_insurance(plain)
    for how in ("won", "lost", "void"):
        expected = sum((chance for (_, _, insured), chance in plain.items() if insured == how), Fraction(0))
        assert _share(found.insured[how], found.orders) == expected


@pytest.mark.parametrize("name", ["eights", "sixes", "low cards", "fives", "sevens", "aces and tens"])
def test_15_10_a_chart_is_followed_as_the_game_is_played(name: str) -> None:
    rules, full = rules_of(), eight_decks()
    held = by_symbol(rules, TINY[name])
    found = Short(rules, held, full.chart).counted()
    assert by_come(found) == without_insurance(Plain(rules, held, full).comes())


def test_15_10_doubles_agree_with_whole_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """From more cards than whole numbers of 64 bits allow, doubles are counted; here from few, for the comparison."""
    rules, held = rules_of(), by_symbol(rules_of(), TINY["low cards"])
    exact = by_come(Short(rules, held).counted())
    monkeypatch.setattr("croupier.exact.blackjack.short.engine.MOST_WHOLE", 0)
    doubles = by_come(Short(rules, held).counted())
    assert set(doubles) == set(exact)
    assert max(abs(doubles[key] - exact[key]) for key in exact) < 1e-15


def test_15_10_no_ruling_voids_a_round_for_which_cards_are_missing() -> None:
    """The rule orders discards, not a void round: wagers stay open, and what was decided stays decided."""
    placed = place(open_round(BLACKJACK, rules_of()), (Wager("main", STAKE),))
    assert not isinstance(placed, Refusal)
    after = happen(placed, Irregular("insufficient_cards"))
    assert not isinstance(after, Refusal)
    assert isinstance(after.due, Deal)
    assert len(after.standing) == 1


# ---------------------------------------------------------------- the rows


@lru_cache(maxsize=8)
def rows(name: str) -> tuple[BlackjackRow, ...]:
    return tuple(blackjack_sheet(rules_of(), TINY[name]))


@pytest.mark.parametrize("name", ["one card", "four cards", "eights", "low cards"])
def test_15_10_void_rounds_are_part_of_every_row(name: str) -> None:
    """All shares add up to one, and the edge counts void stakes as returned."""
    found = rows(name)
    assert [row.policy for row in found[:2]] == ["main", "main:chart"]
    for row in found:
        worth = row.worth
        assert worth.win + worth.lose + worth.standoff + worth.void == 1
        assert worth.edge == -sum(pay.net * pay.probability for pay in worth.pays)
        assert worth.void == sum(pay.probability for pay in worth.pays if pay.kind == "void")
        assert row.method == row.shares == "exact"
    assert found[0].worth.void > 0
    assert "NZ1996-II-15.10" in found[0].worth.rules
    assert found[0].worth.edge <= found[1].worth.edge


@pytest.mark.parametrize(("cards", "void"), [(1, 1), (2, 1), (3, 1)])
def test_15_10_without_a_second_card_for_the_dealer_a_round_of_tens_is_void(cards: int, void: int) -> None:
    for row in blackjack_sheet(rules_of(), ranks(t=cards)):
        assert row.worth.void == void
        assert row.worth.edge == 0


def test_15_10_four_tens_stand_off_and_are_never_void_unless_split() -> None:
    """Twenty against twenty; the play that is best does not split, which would leave the dealer without a card."""
    best = blackjack_sheet(rules_of(), ranks(t=4))[0].worth
    assert best.standoff == 1
    assert best.void == 0


def test_9_insurance_from_a_short_shoe_is_by_the_main_play() -> None:
    """Whether the dealer's second card comes depends on the hands before it."""
    insurance = next(row for row in rows("four cards") if row.worth.wager == "insurance")
    assert insurance.policy == "main"
    assert insurance.worth.offered == Fraction(1, 4)
    assert insurance.worth.void > 0


@pytest.mark.parametrize("cards", [1, 2])
def test_9_insurance_is_never_offered_before_the_initial_deal_is_over(cards: int) -> None:
    missing = dict(left_out(rules_of(), ranks(a=cards)))
    assert "never offered" in missing["insurance"]


def test_14_super_sevens_is_void_where_its_next_card_does_not_come() -> None:
    """One seven and no second card; two sevens and no third to draw; two sevens split need none."""
    for cards, voids in ((1, (1, 1, 1)), (2, (1, 1, 1)), (3, (1, 0, 0)), (4, (0, 0, 0))):
        shoe = tuple(cards if card == 6 else 0 for card in range(52))
        found = {row.policy: row.worth for row in blackjack_sheet(rules_of(), shoe)}
        plays = ("draw", "split", "chart")
        assert [int(found[f"super_sevens:{play}"].void) for play in plays] == list(voids)
    other = blackjack_sheet(rules_of(), tuple(1 if card == 5 else 0 for card in range(52)))[-1].worth
    assert other.lose == 1


def test_15_10_a_short_shoe_of_too_many_parts_is_left_out_with_the_reason() -> None:
    """Low cards of five kinds: rounds may run out, and there are too many ways to count one by one.

    The dealer's second card always comes, so insurance is priced, and depends on no play.
    """
    shoe = ranks(a=3, c2=8, c3=7, c4=6, c5=5)
    assert steps(terms(rules_of()), by_symbol(rules_of(), shoe)) > MOST_STEPS
    missing = dict(left_out(rules_of(), shoe))
    assert "the 29 cards of the shoe" in missing["main"]
    assert "from 58 cards up every shoe of 8 decks is priced" in missing["main"]
    assert "insurance" not in missing
    (insurance,) = blackjack_sheet(rules_of(), shoe)
    assert (insurance.worth.wager, insurance.policy) == ("insurance", "")


def test_the_last_priced_and_the_first_short_shoe_are_close() -> None:
    """Eight sixes, two eights and tens: with four tens rounds may run out by the bound, with five they cannot."""
    short = blackjack_sheet(rules_of(), ranks(c6=8, c8=2, t=4))[0].worth
    longer = solve(rules_of(), ranks(c6=8, c8=2, t=5)).main_worth
    assert short.void == 0
    assert abs(float(-short.edge) - longer) < 0.1


def test_no_full_shoe_is_short() -> None:
    for decks in (4, 8):
        assert left_out(rules_of(), full_shoe(decks)) == ()
