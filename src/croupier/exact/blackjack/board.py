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
from functools import cached_property
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

import numpy as np

from croupier.exact.blackjack.lattice import Dealer, DealerWalk, Lattice, behind, dealers, lattice
from croupier.exact.blackjack.loops import JOINED, LOOPS
from croupier.exact.blackjack.terms import (
    DOUBLING,
    FIRST,
    GIVING_UP,
    HIT,
    LANES,
    LATER,
    ONLY,
    SPLITTING,
    STAND,
    WIDE,
    Bools,
    Bytes,
    Floats,
    Ints,
    RuleTables,
    by_symbol,
    terms,
)
from croupier.games.blackjack.rules import BlackjackRules
from croupier.once import dataclass, once

if TYPE_CHECKING:
    from croupier.exact.blackjack.joint import Ends

NO_CHOICE: Final = np.zeros(0, dtype=np.int64)

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
    """A split hand's play on its family of hands; what it is worth by its second card, with the chance of each, and on
    average."""

    hands: Lattice
    symbol: int
    made: Bytes
    second: Sequence[float]
    seconds: Sequence[float]
    average: float

    @property
    def choice(self) -> Ints:
        """The play by the number of a hand."""
        choice = np.zeros(len(self.hands.size), dtype=np.int64)
        choice[self.hands.with_symbol[self.symbol]] = self.made
        return choice


@dataclass(frozen=True, slots=True)
class SplitWorth:
    """A pair split against one first card: its worth, the play by situation, and which hands are split again."""

    worth: float
    played: Mapping[Situation, SplitHand]
    again_first: bool
    again_second: bool
    again_kept: bool


@dataclass(frozen=True, slots=True)
class Openings:
    """What is open, whatever the shoe: by the number of a hand, for all hands alone, and for those of every split in a
    box of two hands and of three.

    `pairs` is where a split card with each second card is in its family; `rows` where the dealer's chances are behind
    split hands, by how many more of the symbol are gone.  `best` and `chart` are the situations of each pair and how
    many there are, with the best play and with a given one.
    """

    options: Ints
    alone: Ints
    splits: Ints
    pairs: Ints
    rows: Ints
    best: tuple[Ints, Ints]
    chart: tuple[Ints, Ints]
    twos: Ints
    """The numbers of the hands of two cards, as `Board.two_chances` has them."""
    entry: Ints
    chosen: Bools
    doubled: Bools
    given: Bools
    """Which entry of a chart decides each hand (`charts`): hard totals, then soft ones; and whether it decides between
    hit and stand, on a double, on giving up."""


@once
def openings(table: RuleTables) -> Openings:
    hands = lattice(table.lows, table.values[0], table.limit)
    beyond = np.where(hands.size > 2, table.more[hands.soft, hands.total], 0)

    def opened(options: Ints, first: int, boxes: int) -> None:
        """Note what is open on two cards of which the first is known: split aces are not like other hands."""
        options[hands.child[hands.single[first]]] = table.two[boxes - 1, first] & ~SPLITTING

    options, splits, rows = beyond.copy(), [], []
    for symbol, (listed, more) in enumerate(zip(hands.with_symbol, behind(table).more, strict=True)):
        opened(options, symbol, 1)
        both = np.stack([beyond] * 2)
        for at in range(2):
            opened(both[at], symbol, 2 + at)
        splits.append(both[:, listed])
        rows.append(more[np.minimum(np.arange(4), len(more) - 1)][:, listed])
    pairs = [
        np.searchsorted(listed, hands.child[single])
        for listed, single in zip(hands.with_symbol, hands.single, strict=True)
    ]
    return Openings(
        options=options,
        alone=options[hands.all_hands.listed],
        splits=np.ascontiguousarray(np.concatenate(splits, axis=1)),
        pairs=np.array(pairs),
        rows=np.ascontiguousarray(np.concatenate(rows, axis=1)),
        best=_situation_tables(table, AGAIN),
        chart=_situation_tables(table, AGAIN[:-1]),
        entry=hands.soft * (table.limit + 1) + hands.total,
        chosen=(options & STAND > 0) & (options & HIT > 0),
        doubled=options & DOUBLING > 0,
        given=options & GIVING_UP > 0,
        twos=np.array([hands.child[hands.single[a], b] for a, b in _twos(len(table.values))]),
    )


def _twos(kinds: int) -> Iterator[tuple[int, int]]:
    return combinations_with_replacement(range(kinds), 2)


def _situation_tables(table: RuleTables, again: tuple[Situation, ...]) -> tuple[Ints, Ints]:
    """The situations of each pair as the loops have them: place (0 first), other cards gone, unseen; and how many."""
    orders = [_order(table, symbol, again) for symbol in range(len(table.values))]
    plans = np.zeros((len(orders), len(AGAIN), 3), dtype=np.int64)
    for plan, order in zip(plans, orders, strict=True):
        plan[: len(order)] = [(which.place != FIRST, which.others, which.unseen) for which in order]
    return plans, np.array([len(order) for order in orders])


def _order(table: RuleTables, symbol: int, again: tuple[Situation, ...]) -> tuple[Situation, ...]:
    return ONCE if table.most_hands(symbol) == 2 else again


class Room:
    """Room for the loops to work in.

    `made` and `worth` are of the hands that were last valued alone; `worths` of those that were split last, by
    situation, of the symbols for which they were asked.
    `means` is what split hands bring that stand, against the first card `up`, as far as `known_means` says.
    """

    def __init__(self, hands: Lattice, kinds: int) -> None:
        most, every = len(hands.all_hands.total), len(hands.families.total)
        self.best, self.reach, self.stands = np.empty(most + 1), np.empty(most + 1), np.empty(most)
        self.left, self.from_shoe = np.empty(kinds), np.empty(kinds)
        self.made, self.worth = np.empty(most, dtype=np.uint8), np.empty((most, 4))
        self.worths = np.empty((len(AGAIN), every, 4))
        self.up, self.means, self.known_means = -1, np.empty((2, 4, every)), np.zeros(kinds, dtype=np.int64)


class Board:
    """A shoe under one rule set; the tables of the dealer's chances are made when they are first needed."""

    def __init__(self, rules: BlackjackRules, shoe: Sequence[int]) -> None:
        self.terms: RuleTables = terms(rules)
        self.shoe: tuple[int, ...] = by_symbol(rules, shoe)
        self.hands = lattice(self.terms.lows, self.terms.values[0], self.terms.limit)
        self.listed: Ints = self.hands.all_hands.listed
        self.pay: tuple[Floats, ...] = tuple(self.terms.floats(place) for place in range(4))
        self.behind: DealerWalk = behind(self.terms)
        self.open: Openings = openings(self.terms)
        self.room = Room(self.hands, self.kinds)
        self.split_pay: dict[tuple[int, int], tuple[Floats, Floats]] = {}
        self.split_ends: dict[tuple[int, str, bytes], Ends] = {}

    @cached_property
    def trees(self) -> tuple[Dealer, ...]:
        """The dealer's hands behind each first card."""
        return dealers(self.terms)

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
        deep = int(tree.depth.max()) + 1
        rows = (self.kinds, deep, deep, self.kinds * self.terms.endings, 1, 1, 1)
        room = (np.empty(many * WIDE) for many in rows)
        walk = (tree.symbol, tree.used, tree.depth, tree.start, tree.row, tree.ways)
        LOOPS.functions["dealing.dealer_tables"](*walk, np.array(self.shoe, dtype=float), tree.gone, found, *room)
        return found

    def known(self, up: int) -> Floats:
        """The dealer's chances behind each hand."""
        return np.asarray(self.chances[up])

    def pair_chance(self, up: int, a: int, b: int) -> float:
        """The chance of these two first cards behind the dealer's."""
        return self.pair_chances[up][a][b]

    @cached_property
    def pair_chances(self) -> tuple[tuple[tuple[float, ...], ...], ...]:
        """The chance of two first cards behind each of the dealer's."""
        found, total = [], sum(self.shoe) - 1
        for up in range(self.kinds):
            left = [held - (up == symbol) for symbol, held in enumerate(self.shoe)]
            found.append(
                tuple(
                    tuple(
                        (2 - (a == b)) * left[a] * (left[b] - (a == b)) / max(total * (total - 1), 1)
                        for b in range(self.kinds)
                    )
                    for a in range(self.kinds)
                )
            )
        return tuple(found)

    def two_chances(self, up: int) -> list[float]:
        """The chances of all hands of two cards behind the dealer's first, as `Openings.twos` has them."""
        return [self.pair_chances[up][a][b] for a, b in _twos(self.kinds)]

    def up_chance(self, up: int) -> float:
        return self.shoe[up] / sum(self.shoe)

    # ------------------------------------------------------------ hands

    def alone(self, up: int, choice: Ints | None = None) -> HandWorth:
        """Every hand that is not split, with the best play or a given one."""
        hands, room = self.hands.all_hands, self.room
        count, listed = len(self.hands.size), hands.listed
        LOOPS.functions["valuing.alone_values"](
            hands.cards,
            hands.size,
            hands.after,
            hands.total,
            self.hands.most,
            self.open.alone,
            self.chances[up],
            listed,
            self.left(up),
            self.terms.completes[up],
            self.pay[ONLY],
            choice is not None,
            NO_CHOICE if choice is None else choice,
            room.made,
            room.worth,
            room.best,
            room.left,
            room.stands,
        )
        played = HandWorth(np.zeros(count, dtype=np.int64), np.zeros((count, 5)))
        played.choice[listed], played.worth[listed, BEST] = room.made, room.best[: len(listed)]
        played.worth[listed, STANDS:] = room.worth
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

    def split(self, up: int, symbol: int) -> SplitWorth:
        """A pair split once, with the best play."""
        return self.splits(up, (symbol,))[symbol]

    def splits(
        self, up: int, symbols: Sequence[int], choice: Ints | None = None, *, keep: Ints | None = None
    ) -> dict[int, SplitWorth]:
        """Pairs split once, with the best play; with a given choice the hands follow it and pairs are split again.

        `split_pay` may say what a first and a later hand bring on average, where hands do not add up.  Of the symbols
        to `keep` (1) the worths of all hands stay in `room.worths`.
        """
        families, room, kinds = self.hands.families, self.room, self.kinds
        plans, many = self.open.best if choice is None else self.open.chart
        made = np.empty((len(AGAIN), len(families.listed)), dtype=np.uint8)
        second, seconds = np.empty((2, kinds, len(AGAIN), kinds))
        average = np.empty((kinds, len(AGAIN)))
        if room.up != up or choice is None:  # A best play may be sought again because payments have changed.
            room.known_means[list(symbols) if room.up == up else slice(None)] = 0
            room.up = up
        LOOPS.functions["valuing.split_values"](
            np.array(symbols, dtype=np.int64),
            plans,
            many,
            self.hands.starts,
            families.listed,
            families.cards,
            families.size,
            families.after,
            self.open.pairs,
            families.total,
            self.hands.most,
            self.open.splits,
            self.chances[up],
            self.open.rows,
            self.left(up),
            self.terms.completes[up],
            self._pays(up),
            choice is not None,
            NO_CHOICE if choice is None else choice,
            np.zeros(kinds, dtype=np.int64) if keep is None else keep,
            made,
            second,
            seconds,
            average,
            room.worths,
            room.best,
            room.left,
            room.from_shoe,
            room.means,
            room.known_means,
        )
        found = {}
        for symbol in symbols:
            mine = made[:, self.hands.starts[symbol] : self.hands.starts[symbol + 1]]
            hands = zip(mine, second[symbol].tolist(), seconds[symbol].tolist(), average[symbol].tolist(), strict=True)
            order = _order(self.terms, symbol, AGAIN if choice is None else AGAIN[:-1])
            played = {which: SplitHand(self.hands, symbol, *each) for which, each in zip(order, hands, strict=False)}
            found[symbol] = self._together(symbol, played, forced=choice is not None)
        return found

    def _pays(self, up: int) -> Floats:
        """What a first and a later hand of each split bring."""
        plain = (self.pay[FIRST], self.pay[LATER])
        return np.array([self.split_pay.get((up, symbol), plain) for symbol in range(self.kinds)])

    def _together(self, symbol: int, played: Mapping[Situation, SplitHand], *, forced: bool) -> SplitWorth:
        """What the hands of a split are worth together; `forced` is that pairs are split as often as they can be."""
        one = played[FIRST_OF_TWO]
        if SECOND_OF_TWO in played:
            return SplitWorth(one.average + played[SECOND_OF_TWO].average, played, False, False, False)
        three = played[FIRST_OF_THREE].average + 2 * played[LATER_OF_THREE].average
        second, again_second = self._second(played[SECOND], played[AFTER_SECOND], symbol, forced=forced)
        pair = one.second[symbol]
        others = one.average - pair * one.seconds[symbol] + (1 - pair) * second
        if forced:
            return SplitWorth(pair * three + others, played, True, True, True)
        kept, again_kept = self._second(played[LATER_OF_THREE], played[AFTER_KEPT], symbol, forced=False)
        kept += one.seconds[symbol]
        return SplitWorth(pair * max(three, kept) + others, played, three >= kept, again_second, again_kept)

    def _second(self, hand: SplitHand, after: SplitHand, symbol: int, *, forced: bool) -> tuple[float, bool]:
        """What the second hand is worth with its pair split again or kept, and which of the two."""
        pair, keeps, splits = hand.second[symbol], hand.seconds[symbol], 2 * after.average
        again = forced or splits >= keeps
        return hand.average + (pair * (splits - keeps) if again else 0.0), again


def dealer_chances(tree: Dealer, left: Floats, gone: Ints, table: Floats) -> None:
    """Fill a table of noughts with the dealer's chances behind one first card and each multiset gone."""
    deep = (int(tree.drawn.max()) + 1) * LANES
    sizes = (len(left) * LANES, (int(tree.end.max()) + 1) * LANES, deep, deep)
    walk = (tree.symbol, tree.used, tree.drawn, tree.ways.astype(np.float64), tree.end)
    JOINED.functions["joining.dealer_table"](*walk, left, gone, table, *map(np.empty, sizes))


def sequence_chances(cards: Ints, left: Floats) -> Floats:
    """The chance to draw each multiset in one order."""
    found = np.empty(len(cards))
    JOINED.functions["joining.sequence_chances"](cards, left, found)
    return found
