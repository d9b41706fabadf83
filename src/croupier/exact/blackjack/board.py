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

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from croupier.exact.blackjack import kernels, valuing
from croupier.exact.blackjack.lattice import Dealer, DealerWalk, Lattice, behind, dealers, lattice
from croupier.exact.blackjack.terms import (
    FIRST,
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

if TYPE_CHECKING:
    from croupier.exact.blackjack.joint import Ends

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
ONCE: Final = (FIRST_OF_TWO, SECOND_OF_TWO)
AGAIN: Final = (FIRST_OF_TWO, FIRST_OF_THREE, LATER_OF_THREE, SECOND, AFTER_SECOND, AFTER_KEPT)
"""The situations of a pair that becomes two hands at most, and of others; the last only where a pair may be kept."""


@dataclass(frozen=True, slots=True)
class HandWorth:
    """The play and worth of hands that are not split."""

    choice: Ints
    worth: Floats


@dataclass(frozen=True, slots=True)
class SplitHand:
    """A split hand's play on its family of hands, and what it is worth by its second card with the chance of each."""

    hands: Lattice
    symbol: int
    made: Ints
    second: Floats
    seconds: Floats

    @property
    def choice(self) -> Ints:
        """The play by the number of a hand."""
        choice = np.zeros(len(self.hands.size), dtype=np.int64)
        choice[self.hands.with_symbol[self.symbol]] = self.made
        return choice

    @property
    def average(self) -> float:
        return float(self.second @ self.seconds)


@dataclass(frozen=True, slots=True)
class SplitWorth:
    """A pair split against one first card: its worth, the play by situation, and which hands are split again."""

    worth: float
    played: Mapping[Situation, SplitHand]
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
        self.behind: DealerWalk = behind(self.terms)
        self._split_options: dict[int, Ints] = {}
        self.split_pay: dict[tuple[int, int], tuple[Floats, Floats]] = {}
        self.split_ends: dict[tuple[int, str, bytes], Ends] = {}

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

    @cached_property
    def chances(self) -> Floats:
        """The dealer's chances by first card behind everything that can be gone."""
        tree = self.behind
        found = np.empty((self.kinds, len(tree.gone), self.terms.endings))
        walk = (tree.symbol, tree.used, tree.depth, tree.start, tree.row, tree.ways)
        kernels.dealer_tables(*walk, np.array(self.shoe, dtype=np.float64), tree.gone, found)
        return found

    def known(self, up: int) -> Floats:
        """The dealer's chances behind each hand."""
        return np.asarray(self.chances[up])

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

    def split_options(self, symbol: int) -> Ints:
        """What is open on each hand that began with a split card, in a box of two hands and of three."""
        if symbol not in self._split_options:
            options = np.stack([self._beyond()] * 2)
            for at in range(2):
                self._open(options[at], symbol, 2 + at)
            self._split_options[symbol] = options[:, self.hands.with_symbol[symbol]].copy()
        return self._split_options[symbol]

    def _beyond(self) -> Ints:
        hands = self.hands
        return np.where(hands.size > 2, self.terms.more[hands.soft, hands.total], 0)

    def _open(self, options: Ints, first: int, hands: int) -> None:
        """Note what is open on two cards of which the first is known: split aces are not like other hands."""
        options[self.hands.child[self.hands.single[first]]] = self.terms.two[hands - 1, first] & ~SPLITTING

    # ------------------------------------------------------------ hands

    def alone(self, up: int, choice: Ints | None = None) -> HandWorth:
        """Every hand that is not split, with the best play or a given one."""
        hands = self.hands.all_hands
        count, listed, follow = len(self.hands.size), hands.listed, int(choice is not None)
        options, made = self.options[listed], np.zeros(len(listed), dtype=np.int64)
        if choice is not None:
            valuing.allowed(options, choice[listed], made)
        worth, best = np.empty((len(listed), 4)), np.empty(len(listed) + 1)
        valuing.hand_values(
            hands.cards,
            hands.after,
            hands.total,
            options,
            self.chances[up],
            listed,
            listed,
            self.left(up),
            -1,
            self.terms.completes[up],
            self.pay[ONLY],
            follow,
            made,
            worth,
            best,
        )
        played = HandWorth(np.zeros(count, dtype=np.int64), np.zeros((count, 5)))
        played.choice[listed], played.worth[listed, BEST], played.worth[listed, STANDS:] = made, best[:-1], worth
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

    # ------------------------------------------------------------ splits

    def can_split(self, up: int, symbol: int) -> bool:
        """Whether the rules and the shoe allow this pair and its split."""
        enough = self.shoe[symbol] - (1 if up == symbol else 0) >= 2
        return enough and self.terms.most_hands(symbol) > 1

    def split(self, up: int, symbol: int, choice: Ints | None = None) -> SplitWorth:
        """A pair split once, with the best play; with a given choice the hands follow it and pairs are split again.

        `split_pay` may say what a first and a later hand bring on average, where hands do not add up.
        """
        order = ONCE if self.terms.most_hands(symbol) == 2 else AGAIN if choice is None else AGAIN[:-1]
        played = dict(zip(order, self._hands(up, symbol, order, choice), strict=True))
        one = played[FIRST_OF_TWO]
        if order is ONCE:
            return SplitWorth(one.average + played[SECOND_OF_TWO].average, played, False, False, False)
        three = played[FIRST_OF_THREE].average + 2 * played[LATER_OF_THREE].average
        second, again_second = self._second(played[SECOND], played[AFTER_SECOND], symbol, forced=choice is not None)
        pair = float(one.second[symbol])
        others = one.average - pair * float(one.seconds[symbol]) + (1 - pair) * second
        if choice is not None:
            return SplitWorth(pair * three + others, played, True, True, True)
        kept, again_kept = self._second(played[LATER_OF_THREE], played[AFTER_KEPT], symbol, forced=False)
        kept += float(one.seconds[symbol])
        return SplitWorth(pair * max(three, kept) + others, played, three >= kept, again_second, again_kept)

    def _hands(self, up: int, symbol: int, order: tuple[Situation, ...], choice: Ints | None) -> Iterator[SplitHand]:
        """Split hands in their situations, with the best play or a given one; their worths stay in `split_worths`."""
        hands, many = self.hands.families[symbol], len(order)
        made = np.zeros((many, len(hands.listed)), dtype=np.int64)
        asked = made[0] if choice is None else choice[hands.listed]
        second, seconds = np.empty((many, self.kinds)), np.empty((many, self.kinds))
        pays = np.stack(self.split_pay.get((up, symbol), (self.pay[FIRST], self.pay[LATER])))
        valuing.split_values(
            situation_table(order),
            symbol,
            hands.cards,
            hands.after,
            self.pairs[symbol],
            hands.total,
            self.split_options(symbol),
            self.chances[up],
            self.rows[symbol],
            self.left(up),
            self.terms.completes[up],
            pays,
            int(choice is not None),
            asked,
            made,
            second,
            seconds,
            self.split_worths(symbol, many),
        )
        return (SplitHand(self.hands, symbol, *each) for each in zip(made, second, seconds, strict=True))

    def split_worths(self, symbol: int, many: int) -> Floats:
        """The worths of the hands that were split last, by situation."""
        count = len(self.hands.with_symbol[symbol])
        return self._worths[: many * count * 4].reshape(many, count, 4)

    @cached_property
    def _worths(self) -> Floats:
        return np.empty(len(AGAIN) * len(self.listed) * 4)

    @cached_property
    def pairs(self) -> tuple[Ints, ...]:
        """Where a split card with each second card is among the hands with that symbol."""
        hands = self.hands
        firsts = zip(hands.with_symbol, hands.single, strict=True)
        return tuple(np.searchsorted(listed, hands.child[single]) for listed, single in firsts)

    @cached_property
    def rows(self) -> tuple[Ints, ...]:
        """Where the dealer's chances are behind hands with a symbol, by how many more of it are gone."""
        listed = self.hands.with_symbol
        return tuple(np.ascontiguousarray(more[:, mine]) for more, mine in zip(self.behind.more, listed, strict=True))

    def _second(self, hand: SplitHand, after: SplitHand, symbol: int, *, forced: bool) -> tuple[float, bool]:
        """What the second hand is worth with its pair split again or kept, and which of the two."""
        pair, keeps, splits = float(hand.second[symbol]), float(hand.seconds[symbol]), 2 * after.average
        again = forced or splits >= keeps
        return hand.average + (pair * (splits - keeps) if again else 0.0), again


@lru_cache(maxsize=8)
def situation_table(order: tuple[Situation, ...]) -> Ints:
    """Situations as the kernels have them: place (0 first), other cards gone, unseen."""
    return np.array([(which.place != FIRST, which.others, which.unseen) for which in order], dtype=np.int64)


def tree_arrays(tree: Dealer) -> tuple[Ints, Ints, Ints, Floats, Ints]:
    return tree.symbol, tree.used, tree.drawn, tree.ways.astype(np.float64), tree.end
