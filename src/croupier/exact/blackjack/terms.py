"""The rules of blackjack as numbers: which cards behave alike, what is open on a hand, what each ending pays.

Nothing of the law is written here a second time.  Hands are laid on a layout and the game itself is asked: `options`
says what is open, `judge` how the wagers on a hand end.  What comes back is kept in small tables, because hands with
the same total behave alike (the game's `view` says so, and its tests hold it).

Cards are told apart by their points, the ace first.  A hand has a place: the only one, the first after a split, or a
later one; a later one may pay differently while every hand before it is bust.  A dealer's hand ends bust, on one of
the totals on which a dealer stands, or as a blackjack.  Payments are whole numbers of `unit`, so that they add up
without rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from croupier.equipment import Card
from croupier.game import CardSeen, Lost, Resolution, StandOff, Void, Wager, Won
from croupier.games.blackjack import BLACKJACK, play
from croupier.games.blackjack.layout import Box, Hand, Layout, count, dealer_draws, finished, natural, points
from croupier.games.blackjack.rules import DOUBLE, MAIN, SPLIT, BlackjackRules
from croupier.law.model import Law, present
from croupier.law.officials import DEALER
from croupier.once import dataclass, once

STAND, HIT, DOUBLING, SPLITTING, GIVING_UP = 1, 2, 4, 8, 16
WORDS: Final = {STAND: "stand", HIT: "hit", DOUBLING: "double", SPLITTING: "split", GIVING_UP: "surrender"}
BITS: Final = {word: bit for bit, word in WORDS.items()}
ONLY, FIRST, LATER, LATER_ALONE = range(4)
"""The places of a hand; `LATER_ALONE` is a later one behind hands that are all bust."""
GIVEN_UP: Final = 0
"""A total that no cards have: that of a hand which was given up."""

STAKE = 1_000_000
EIGHT: Final = 8
"""Doubles that are reckoned with at a time (`loops.vectors`)."""
LANES: Final = 16
WIDE: Final = 32
"""Shoes side by side, where the dealer's hands are walked: behind one first card, and behind all."""
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Unions = NDArray[np.int32]
Numbers = NDArray[np.uint32]
"""Numbers of places: without a sign, as one that has it is first looked at for being negative."""


class NotPriced(ValueError):
    """Rules that these tables cannot hold."""


@dataclass(frozen=True, slots=True)
class HandEnding:
    """How the wagers on a hand end: what they bring per unit of the main wager, in words, and under which rule."""

    net: Fraction
    result: str
    odds: str
    rule: str


@dataclass(frozen=True, slots=True)
class RuleTables:
    """The tables of one rule set.

    `values` and `lows` are what each symbol counts, `completes[up]` the symbol that makes the dealer's blackjack with
    it (-1: none).  `two[hands - 1, a, b]` is what is open on two cards when a box has so many hands, and
    `more[soft, total]` on further cards.  The dealer's endings are numbered: 0 bust, then the totals from `stands` up,
    last a blackjack.  `pay[place, doubled, total, ending]` is in units of `unit`, a total above `limit` being a bust.
    A blackjack of the player has its own tables, and a hand that was given up the total `GIVEN_UP`.  A dealer draws on
    the soft totals `soft_hits` too.

    Where the dealer looks at a hole card, a blackjack of the dealer is met by hands that nobody has played.  As what
    comes from the shoe is as likely in any order, that is worth as much as hands that are played first, of which such a
    blackjack then takes the first stake and no other: so the tables have it, and nothing else needs to know.
    """

    values: tuple[int, ...]
    lows: tuple[int, ...]
    limit: int
    stands: int
    completes: tuple[int, ...]
    two: Ints
    more: Ints
    unit: Fraction
    pay: Ints
    natural_pay: Ints
    even_money: tuple[int | None, ...]
    ending: dict[tuple[bool, int, int], HandEnding]
    natural_ending: dict[tuple[int, int], HandEnding]
    even_money_ending: HandEnding
    split_rule: str
    soft_hits: frozenset[int] = frozenset()

    @property
    def endings(self) -> int:
        return self.limit - self.stands + 3

    @property
    def bust(self) -> int:
        return self.limit + 1

    @property
    def natural(self) -> tuple[int, int]:
        """The two symbols of a blackjack, in order."""
        up = next(up for up, other in enumerate(self.completes) if other >= 0)
        return up, self.completes[up]

    @property
    def separable(self) -> bool:
        """Whether what a hand brings never depends on other hands."""
        return bool((self.pay[LATER] == self.pay[LATER_ALONE]).all())

    def most_hands(self, symbol: int) -> int:
        """How many hands a pair of this symbol can become."""
        hands = 1
        while hands <= len(self.two) and self.two[hands - 1, symbol, symbol] & SPLITTING:
            hands += 1
        return hands

    def floats(self, place: int) -> Floats:
        """`pay` of a place per unit of the main wager."""
        return np.asarray(self.pay[place] * float(self.unit), dtype=np.float64)


def symbols(rules: BlackjackRules) -> tuple[int, ...]:
    """What the cards count, each once, the ace first."""
    return tuple(dict.fromkeys(rules.points.value))


def by_symbol(rules: BlackjackRules, shoe: Sequence[int]) -> tuple[int, ...]:
    """How many cards of each symbol a shoe holds; it counts 52 cards, or 13 ranks."""
    order = symbols(rules)
    held = [0] * len(order)
    for card, number in enumerate(shoe):
        held[order.index(points(rules, card))] += number
    return tuple(held)


@once
def terms(rules: BlackjackRules) -> RuleTables:
    """The tables of a rule set, or `NotPriced` with what they cannot hold; a sheet asks for the same many times."""
    reason = unpriced(rules)
    if reason:
        raise NotPriced(f"blackjack is not priced with {reason}")
    return _Asking(rules).tables()


def unpriced(rules: BlackjackRules) -> str | None:
    """What in these rules the tables cannot hold, with its rule; None if they can."""
    split, double = rules.split, rules.double
    held: tuple[tuple[bool, str, Law[object]], ...] = (
        (split.alike.value == "value", "pairs told apart by rank", split.alike),
        (split.hands.value <= 3, "more than three hands", split.hands),
        (split.ace_cards.value == 1, "more cards to split aces", split.ace_cards),
        (split.in_turn.value, "split hands dealt together", split.in_turn),
        (not split.blackjack.value, "blackjacks after a split", split.blackjack),
        (double.first_cards.value == 2, "doubling on more than two cards", double.first_cards),
        (double.cards.value == 1, "more than one card to a double", double.cards),
        (rules.second_card.value == "always", "a second card of the dealer that may not come", rules.second_card),
        (rules.bust_taken.value == "at once", "busts that wait", rules.bust_taken),
        ([each.value for each in rules.passes] == ["boxes", DEALER, "boxes"], "another deal", rules.passes[0]),
    )
    return next((f"{what} ({law.rule})" for good, what, law in held if not good), None)


class _Asking:
    """Puts hands on a layout and asks the game; an object only because the questions share their cards."""

    def __init__(self, rules: BlackjackRules) -> None:
        self.rules = rules
        self.values = symbols(rules)
        ranks = rules.points.value
        self.card: tuple[Card, ...] = tuple(ranks.index(value) for value in self.values)
        self.ace = self.card[0]
        self.limit = rules.limit.value
        self.stands = rules.dealer_stands.value.start
        self.nets: dict[tuple[object, ...], Fraction] = {}
        self.examples = self._examples()
        self.dealers = self._dealers()

    def tables(self) -> RuleTables:
        ending = {
            (doubled, total, end): self._ending(ONLY, doubled=doubled, total=total, end=end)
            for doubled, total, end in product((False, True), sorted(self.examples), range(len(self.dealers)))
            if self._reached(doubled=doubled, total=total)
        }
        if present(self.rules.surrender):
            ending |= {(False, GIVEN_UP, end): self._given_up(end) for end in range(len(self.dealers))}
        places = {place: self._nets(place) for place in (FIRST, LATER, LATER_ALONE)}
        places[ONLY] = {key: each.net for key, each in ending.items()}
        naturals = self._naturals()
        even = self.rules.blackjacks.even_money
        even_ending = HandEnding(even.value.fraction, "even money", str(even.value), even.rule)
        nets = [net for nets in places.values() for net in nets.values()]
        nets += [each.net for each in naturals.values()] + [even_ending.net]
        unit = Fraction(1, lcm(*(net.denominator for net in nets)))
        ends = len(self.dealers)
        pay = np.zeros((4, 2, self.limit + 2, ends), dtype=np.int64)
        for place, found in places.items():
            for (doubled, total, end), net in found.items():
                pay[place, int(doubled), total, end] = net / unit
        natural_pay = np.zeros((len(self.values), ends), dtype=np.int64)
        for (up, end), each in naturals.items():
            natural_pay[up, end] = each.net / unit
        against = self.rules.blackjacks.even_money_against.value
        return RuleTables(
            values=self.values,
            lows=(self.rules.ace_low.value, *self.values[1:]),
            limit=self.limit,
            stands=self.stands,
            completes=self._completes(),
            two=self._two(),
            more=self._more(),
            unit=unit,
            pay=pay,
            natural_pay=natural_pay,
            even_money=tuple(int(even_ending.net / unit) if value in against else None for value in self.values),
            ending=ending,
            natural_ending=naturals,
            even_money_ending=even_ending,
            split_rule=self.rules.split.pays.rule,
            soft_hits=self.rules.soft_hits.value if present(self.rules.soft_hits) else frozenset(),
        )

    # ------------------------------------------------------------ what is open

    def _open(self, cards: tuple[Card, ...], hands: int) -> int:
        """What is open on a hand in a box of so many hands, as bits."""
        hand = Hand(1, cards, split=hands > 1)
        others = tuple(Hand(number, cards[:1], split=True) for number in range(2, hands + 1))
        box = Box(1, hands=(hand, *others))
        if finished(self.rules, hand):
            return 0
        return sum(BITS[option] for option in play.options(self.rules, Layout((box,)), box, hand))

    def _two(self) -> Ints:
        kinds = len(self.values)
        table = np.zeros((3, kinds, kinds), dtype=np.int64)
        for hands, a, b in product((1, 2, 3), range(kinds), range(kinds)):
            table[hands - 1, a, b] = self._open((self.card[a], self.card[b]), hands)
        return table

    def _more(self) -> Ints:
        table = np.zeros((2, self.limit + 1), dtype=np.int64)
        for total, cards in {count(self.rules, cards): cards for cards in self._threes()}.items():
            if total.points <= self.limit:
                table[int(total.soft), total.points] = self._open(cards, 1)
        return table

    def _threes(self) -> list[tuple[Card, ...]]:
        """Hands of three cards and some longer ones: every total that further cards can reach is among them."""
        small = tuple(self.card[:3])
        threes: list[tuple[Card, ...]] = list(product(self.card, repeat=3))
        return threes + [(*small[:1], *small[:1], *pair) for pair in product(self.card, repeat=2)]

    def _completes(self) -> tuple[int, ...]:
        found = []
        for up in self.card:
            others = [k for k, other in enumerate(self.card) if natural(self.rules, (up, other))]
            found.append(others[0] if others else -1)
        return tuple(found)

    # ------------------------------------------------------------ what it pays

    def _examples(self) -> dict[int, tuple[Card, ...]]:
        """Cards for each total on which a hand can end, three where they can be; one above the limit is every bust."""
        found: dict[int, tuple[Card, ...]] = {}
        for cards in (*product(self.card, repeat=3), *product(self.card, repeat=2)):
            found.setdefault(min(count(self.rules, cards).points, self.limit + 1), cards)
        return found

    def _dealers(self) -> tuple[tuple[Card, ...], ...]:
        """Cards for each ending of the dealer, in order."""
        wanted = [self.limit + 1, *range(self.stands, self.limit + 1)]
        hands = [hand for size in (2, 3) for hand in product(self.card, repeat=size) if self._stops(hand)]
        natural_hand = next(hand for hand in hands if natural(self.rules, hand))
        plain = [hand for hand in hands if not natural(self.rules, hand)]
        found = [
            next(hand for hand in plain if min(count(self.rules, hand).points, self.limit + 1) == total)
            for total in wanted
        ]
        return (*found, natural_hand)

    def _stops(self, hand: tuple[Card, ...]) -> bool:
        """Whether a dealer draws all these cards and no more."""
        return not dealer_draws(self.rules, hand) and dealer_draws(self.rules, hand[:-1])

    def _nets(self, place: int) -> dict[tuple[bool, int, int], Fraction]:
        return {
            (doubled, total, end): self._ending(place, doubled=doubled, total=total, end=end).net
            for doubled, total, end in product((False, True), self.examples, range(len(self.dealers)))
            if self._reached(doubled=doubled, total=total)
        }

    def _reached(self, *, doubled: bool, total: int) -> bool:
        """Whether a hand can end on a total; a double has three cards."""
        return not doubled or len(self.examples[total]) > 2

    def _ending(self, place: int, *, doubled: bool, total: int, end: int) -> HandEnding:
        """How the wagers on a hand in this place end."""
        if present(self.rules.hole_card) and end == len(self.dealers) - 1 and (doubled or place != ONLY):
            alone = self._ending(ONLY, doubled=False, total=min(total, self.limit - 1), end=end)
            return alone if place in (ONLY, FIRST) else replace(alone, net=Fraction(0))
        hand = Hand(1, self.examples[total], said="double" if doubled else "stand", split=place != ONLY)
        live, bust = self.examples[self.limit], self.examples[self.limit + 1]
        if place == ONLY:
            return self._judged((hand,), 0, self.dealers[end])
        if place == FIRST:
            return self._judged((hand, Hand(2, live, said="stand", split=True)), 0, self.dealers[end])
        before = Hand(1, live if place == LATER else bust, said="stand", split=True)
        later = Hand(2, hand.cards, said=hand.said, split=True)
        return self._judged((before, later), 1, self.dealers[end])

    def _given_up(self, end: int) -> HandEnding:
        """A hand given up once the dealer has looked; a blackjack of the dealer leaves nothing to give up."""
        if end == len(self.dealers) - 1:
            return self._ending(ONLY, doubled=False, total=self.limit - 1, end=end)
        return self._judged((Hand(1, self.examples[self.limit - 1][:2], said="surrender"),), 0, self.dealers[end])

    def _judged(self, hands: tuple[Hand, ...], which: int, dealer: tuple[Card, ...]) -> HandEnding:
        """What the game says of the wagers on one of these hands once the dealer is done."""
        rules, hand = self.rules, hands[which]
        on = MAIN if hand.number == 1 else SPLIT
        wagers = [Wager(on, STAKE, hand=hand.number if on == SPLIT else 0)]
        base = Fraction(1) if on == MAIN else rules.split.part.value
        parts = [base]
        if hand.said == "double":
            wagers.append(Wager(DOUBLE, STAKE, hand=hand.number, of=0))
            parts.append(base * rules.double.part.value)
        before = Layout((Box(1, hands=hands),), dealer[:-1])
        after = Layout(before.boxes, dealer)
        fact = CardSeen(dealer[-1])
        ends = [_decided(BLACKJACK.judge(rules, wager, before, fact, after)) for wager in wagers]
        key, last = (on, *ends), ends[-1]
        if key not in self.nets:
            self.nets[key] = sum((brings(end) * part for end, part in zip(ends, parts, strict=True)), Fraction(0))
        word = f"double {last.result}" if len(ends) > 1 else last.result
        return HandEnding(self.nets[key], word, str(last.odds) if isinstance(last, Won) else "", last.rule)

    def _naturals(self) -> dict[tuple[int, int], HandEnding]:
        """How a blackjack of the player ends by the dealer's first card and ending."""
        cards = next((a, b) for a, b in product(self.card, repeat=2) if natural(self.rules, (a, b)))
        found = {}
        for up, end in product(range(len(self.values)), range(len(self.dealers))):
            dealer = self._dealer_from(up, end)
            if dealer:
                found[up, end] = self._judged((Hand(1, cards),), 0, dealer)
        return found

    def _dealer_from(self, up: int, end: int) -> tuple[Card, ...] | None:
        """Cards of a dealer with this first card that end so; a blackjack needs the right first card."""
        sample = self.dealers[end]
        if natural(self.rules, sample):
            other = self._completes()[up]
            return (self.card[up], self.card[other]) if other >= 0 else None
        wanted = min(count(self.rules, sample).points, self.limit + 1)
        for size in (2, 3, 4):
            for rest in product(self.card, repeat=size - 1):
                hand = (self.card[up], *rest)
                reached = min(count(self.rules, hand).points, self.limit + 1)
                if reached == wanted and self._stops(hand) and not natural(self.rules, hand):
                    return hand
        raise AssertionError(f"no dealer's hand from {self.values[up]} ends on {wanted}")


def _decided(end: Wager | Resolution) -> Resolution:
    assert not isinstance(end, Wager), "the round is over"
    return end


def brings(end: Resolution) -> Fraction:
    """What a resolved wager brings per unit staked."""
    match end:
        case Won(odds=odds, part=part):
            return (1 + odds.fraction) * part - 1
        case Lost(back=back):
            return back - 1
        case StandOff() | Void():
            return Fraction(0)
