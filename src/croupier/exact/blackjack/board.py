"""One shoe, and the value of every hand and action from it.

Theory of operation.  A hand that is not split is played against the dealer's first card with all that the player can
see: its own cards and that card.  The values are found from the last hands to the first, exactly.

Split hands are played one after another.  The play of a split hand may look at the dealer's first card, at the cards of
that hand, at the pairs that were dealt (how many cards of the split value lie as first cards, and whether the first
hand began with another) and at its place; it does not look at what else the other hands drew.  The best play of this
class is found exactly, without a search, by two facts about exchangeable cards.  First, what the dealer draws after a
hand has ended is as likely as if the hands behind it had drawn nothing: so a hand is worth what it was worth when it
ended, however the others are played.  Second, cards that a play does not look at might as well lie at the end of the
shoe.  So each hand is solved alone, in its *situation*: its place, the number of other cards of the split value that
are gone, and whether one more card is gone of which only is known that it is not of that value (the card to which the
first hand began).

Where what a hand brings depends on whether all hands before it are bust (the reading `busted_plus_one`), hands do not
add up, and `joint` corrects the value; the play is then found by search: see `dependent`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np

from croupier.exact.blackjack import kernels
from croupier.exact.blackjack.lattice import Dealer, dealers, lattice
from croupier.exact.blackjack.terms import (
    DOUBLING,
    FIRST,
    GIVING_UP,
    HIT,
    LATER,
    ONLY,
    SPLITTING,
    Floats,
    Ints,
    RuleTables,
    by_symbol,
    terms,
)
from croupier.games.blackjack.rules import BlackjackRules
from croupier.once import dataclass

BEST, STANDS, HITS, DOUBLES, GIVES_UP = range(5)
"""The columns of a table of worths."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What a split hand's play may know of other cards: `others` of the split value are gone besides its own."""

    place: int
    others: int
    unseen: bool


FIRST_OF_TWO: Final = Situation(FIRST, 1, unseen=False)
FIRST_OF_THREE: Final = Situation(FIRST, 2, unseen=False)
LATER_OF_THREE: Final = Situation(LATER, 2, unseen=False)
"""A later hand when three cards of the value were dealt: the first hand was split again, or kept its pair."""
SECOND_OF_TWO: Final = Situation(LATER, 1, unseen=False)
"""The second hand where two is the most."""
SECOND: Final = Situation(LATER, 1, unseen=True)
AFTER_SECOND: Final = Situation(LATER, 2, unseen=True)
"""The second and third hand, when the second was split again."""
AFTER_KEPT: Final = Situation(LATER, 3, unseen=False)
"""The second and third hand, when the first kept its pair and the second was split again."""


@dataclass(frozen=True, slots=True)
class HandWorth:
    """A hand's play and worth: over all hands, and by its second card with the chance of each."""

    choice: Ints
    worth: Floats
    second: Floats
    seconds: Floats

    @property
    def average(self) -> float:
        return float(self.second @ self.seconds)


@dataclass(frozen=True, slots=True)
class SplitWorth:
    """A pair split against one first card: its worth, the play by situation, and which hands are split again."""

    worth: float
    played: Mapping[Situation, HandWorth]
    again_first: bool
    again_second: bool
    again_kept: bool


class Board:
    """A shoe under one rule set; the tables of the dealer's chances are made when they are first needed."""

    def __init__(self, rules: BlackjackRules, shoe: Sequence[int]) -> None:
        self.terms: RuleTables = terms(rules)
        self.shoe: tuple[int, ...] = by_symbol(rules, shoe)
        self.hands = lattice(self.terms.lows, self.terms.values[0], self.terms.limit)
        self.trees: tuple[Dealer, ...] = dealers(self.terms)
        self.listed: Ints = np.flatnonzero(self.hands.size > 1)
        self.pay: tuple[Floats, ...] = tuple(self.terms.floats(place) for place in range(4))
        self._known: dict[int, Floats] = {}
        self._shifted: dict[tuple[int, int, int], Floats] = {}
        self._mixed: dict[tuple[int, int, int], Floats] = {}
        self._split_options: dict[tuple[int, int], Ints] = {}
        self.split_pay: dict[tuple[int, int], tuple[Floats, Floats]] = {}

    @property
    def kinds(self) -> int:
        return len(self.shoe)

    @property
    def ups(self) -> tuple[int, ...]:
        """The first cards that the dealer can have."""
        return tuple(up for up in range(self.kinds) if self.shoe[up])

    # ------------------------------------------------------------ cards and chances

    def left(self, up: int, symbol: int = 0, gone: int = 0) -> Floats:
        """The shoe without the dealer's first card and some cards of one symbol."""
        left = np.array(self.shoe, dtype=np.float64)
        left[up] -= 1
        left[symbol] -= gone
        return left

    def known(self, up: int) -> Floats:
        """The dealer's chances behind each hand."""
        if up not in self._known:
            self._known[up] = self._table(up)
        return self._known[up]

    def shifted(self, up: int, symbol: int, times: int) -> Floats:
        """The dealer's chances behind each hand with a symbol, with so many more of it gone."""
        key = (up, symbol, times)
        if key not in self._shifted:
            self._shifted[key] = self._table(up, symbol, times)
        return self._shifted[key]

    def mixed(self, up: int, symbol: int, times: int) -> Floats:
        """As `shifted`, with one more card gone that is not of the symbol."""
        key = (up, symbol, times)
        if key not in self._mixed:
            table = np.empty((len(self.hands.size), self.terms.endings))
            shoe, listed = self.left(up, symbol, times), self.hands.with_symbol[symbol]
            seen, more = self.shifted(up, symbol, times), self.shifted(up, symbol, times + 1)
            kernels.unseen_table(listed, self.hands.cards, shoe, symbol, seen, more, table)
            self._mixed[key] = table
        return self._mixed[key]

    def _table(self, up: int, symbol: int = 0, times: int = 0) -> Floats:
        """Copied from the plain table where the hand with those cards is itself a hand."""
        hands = self.hands
        table = np.empty((len(hands.size), self.terms.endings))
        listed = hands.with_symbol[symbol] if times else self.listed
        if times:
            same = listed
            for _ in range(times):
                same = np.where(same >= 0, hands.child[same, symbol], -1)
            table[listed] = self.known(up)[same]
            listed = listed[same < 0]
        shoe = self.left(up, symbol, times)
        kernels.dealer_table(*tree_arrays(self.trees[up]), shoe, hands.cards, listed, table)
        return table

    def pair_chance(self, up: int, a: int, b: int) -> float:
        """The chance of these two first cards behind the dealer's."""
        left = self.left(up)
        total = left.sum()
        second = left[b] - (1 if a == b else 0)
        return float((1 if a == b else 2) * left[a] * second / (total * (total - 1)))

    def up_chance(self, up: int) -> float:
        return self.shoe[up] / sum(self.shoe)

    # ------------------------------------------------------------ what is open

    @cached_property
    def options(self) -> Ints:
        """What is open on each hand that is not split, the split itself left out."""
        options = self._beyond()
        for symbol in range(self.kinds):
            self._open(options, symbol, 1)
        return options

    def split_options(self, symbol: int, hands: int) -> Ints:
        """What is open on each hand that began with a split card, in a box of so many hands."""
        key = (symbol, hands)
        if key not in self._split_options:
            options = self._beyond()
            self._open(options, symbol, hands)
            self._split_options[key] = options
        return self._split_options[key]

    def _beyond(self) -> Ints:
        hands = self.hands
        return np.where(hands.size > 2, self.terms.more[hands.soft, hands.total], 0)

    def _open(self, options: Ints, first: int, hands: int) -> None:
        """Note what is open on two cards of which the first is known: split aces are not like other hands."""
        options[self.hands.child[self.hands.single[first]]] = self.terms.two[hands - 1, first] & ~SPLITTING

    # ------------------------------------------------------------ hands

    def alone(self, up: int, choice: Ints | None = None) -> HandWorth:
        """Every hand that is not split, with the best play or a given one."""
        played = self._play(self.listed, self.options, self.known(up), self.left(up), -1, up, self.pay[ONLY], choice)
        self._naturals(up, played)
        return played

    def _naturals(self, up: int, played: HandWorth) -> None:
        """A blackjack is no hand like others: it is paid its own way, or at once on request."""
        a, b = self.terms.natural
        hand = self.hands.child[self.hands.single[a], b]
        waits = float(self.known(up)[hand] @ self.terms.natural_pay[up]) * float(self.terms.unit)
        even = self.terms.even_money[up]
        at_once = waits if even is None else even * float(self.terms.unit)
        played.worth[hand] = (max(waits, at_once), waits, at_once, 0.0, 0.0)

    def takes_even_money(self, up: int, worth: Floats) -> bool:
        """Whether a blackjack against this first card is better paid at once."""
        a, b = self.terms.natural
        hand = self.hands.child[self.hands.single[a], b]
        return self.terms.even_money[up] is not None and bool(worth[hand, HITS] > worth[hand, STANDS])

    def situation(
        self, up: int, symbol: int, which: Situation, *, pay: Floats | None = None, choice: Ints | None = None
    ) -> HandWorth:
        """A split hand in a situation, with the best play or a given one."""
        options = self.split_options(symbol, 2 if which.others == 1 else 3)
        dealer = (self.mixed if which.unseen else self.shifted)(up, symbol, which.others)
        return self._play(
            self.hands.with_symbol[symbol],
            options,
            dealer,
            self.left(up, symbol, which.others),
            symbol if which.unseen else -1,
            up,
            self.pay[which.place] if pay is None else pay,
            choice,
            start=symbol,
        )

    def _play(
        self,
        listed: Ints,
        options: Ints,
        dealer: Floats,
        shoe: Floats,
        unseen: int,
        up: int,
        pay: Floats,
        choice: Ints | None,
        *,
        start: int = -1,
    ) -> HandWorth:
        hands = self.hands
        made = np.zeros(len(hands.size), dtype=np.int64) if choice is None else choice.copy()
        made[(made == DOUBLING) & (options & DOUBLING == 0)] = HIT
        made[(made == GIVING_UP) & (options & GIVING_UP == 0)] = HIT
        worth = np.zeros((len(hands.size), 5))
        lists = (listed, hands.cards, hands.child, hands.total, options)
        chances = (dealer, shoe, unseen, self.terms.completes[up])
        kernels.hand_values(*lists, *chances, pay, int(choice is not None), made, worth)
        second, seconds = np.zeros(self.kinds), np.zeros(self.kinds)
        if start >= 0:
            left = shoe.copy()
            left[start] -= 1
            number = float(left.sum())
            if left.min() >= 0 and number > 0:
                second = np.array([kernels.chance(left, number, symbol, unseen) for symbol in range(self.kinds)])
            pairs = hands.child[hands.single[start]]
            seconds = worth[pairs, BEST]
        return HandWorth(made, worth, second, seconds)

    # ------------------------------------------------------------ splits

    def can_split(self, up: int, symbol: int) -> bool:
        """Whether the rules and the shoe allow this pair and its split."""
        enough = self.shoe[symbol] - (1 if up == symbol else 0) >= 2
        return enough and self.terms.most_hands(symbol) > 1

    def split(self, up: int, symbol: int, choice: Ints | None = None) -> SplitWorth:
        """A pair split once, with the best play; with a given choice the hands follow it and pairs are split again.

        `split_pay` may say what a first and a later hand bring on average, where hands do not add up.
        """
        first, later = self.split_pay.get((up, symbol), (self.pay[FIRST], self.pay[LATER]))
        played: dict[Situation, HandWorth] = {}

        def play(which: Situation) -> HandWorth:
            if which not in played:
                pay = first if which.place == FIRST else later
                played[which] = self.situation(up, symbol, which, pay=pay, choice=choice)
            return played[which]

        one = play(FIRST_OF_TWO)
        if self.terms.most_hands(symbol) == 2:
            return SplitWorth(one.average + play(SECOND_OF_TWO).average, played, False, False, False)
        three = play(FIRST_OF_THREE).average + 2 * play(LATER_OF_THREE).average
        second, again_second = self._second(play(SECOND), play(AFTER_SECOND), symbol, forced=choice is not None)
        pair = float(one.second[symbol])
        others = one.average - pair * float(one.seconds[symbol]) + (1 - pair) * second
        if choice is not None:
            return SplitWorth(pair * three + others, played, True, True, True)
        kept, again_kept = self._second(play(LATER_OF_THREE), play(AFTER_KEPT), symbol, forced=False)
        kept += float(one.seconds[symbol])
        return SplitWorth(pair * max(three, kept) + others, played, three >= kept, again_second, again_kept)

    def _second(self, hand: HandWorth, after: HandWorth, symbol: int, *, forced: bool) -> tuple[float, bool]:
        """What the second hand is worth with its pair split again or kept, and which of the two."""
        pair, keeps, splits = float(hand.second[symbol]), float(hand.seconds[symbol]), 2 * after.average
        again = forced or splits >= keeps
        return hand.average + (pair * (splits - keeps) if again else 0.0), again


def tree_arrays(tree: Dealer) -> tuple[Ints, Ints, Ints, Floats, Ints, Ints]:
    return tree.parent, tree.symbol, tree.used, tree.ways.astype(np.float64), tree.end, tree.drawn
