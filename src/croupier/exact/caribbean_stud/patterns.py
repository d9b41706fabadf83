"""The values of hands as numbers, read from the law of hands.

A hand's value depends on its ranks and on whether it is of one suit: its pattern, of which there are 7,462.  Each is
asked once of `games.caribbean_stud.hands.value`; the values found are numbered from the lowest up.  So the fast
ranking is a table of the law's own answers and has no rules of poker of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np
import numpy.typing as npt

from croupier.equipment import CARDS, RANKS, SUITS, Card, rank, suit
from croupier.exact.caribbean_stud.counting import PATTERNS, Bytes, Ints, Shorts, all_hands, weights_of
from croupier.games.caribbean_stud.hands import ODD_CARDS, Ranking, Value, laid_out, leads, strength, value


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """`shown` has every pattern's number with a hand that shows it, `value_of` the value of each (-1: there is none).

    Values are numbers from 0, the lowest; for each there is a hand, its class, and the law's own value.
    """

    ranking: Ranking
    shown: tuple[tuple[int, tuple[Card, ...]], ...]
    value_of: Shorts
    hands: tuple[tuple[Card, ...], ...]
    classes: Ints
    values: tuple[Value, ...]

    def name(self, number: int) -> str:
        """A value in words: "A K 9 5 2", "two pairs 9 9 4 4 K"."""
        held = tuple(RANKS[rank(card)] for card in self.hands[number])
        laid = laid_out(self.ranking, held)
        text = " ".join(sorted(held, key=lambda name: laid.index(strength(self.ranking, name))))
        made = self.ranking.order.value[int(self.classes[number])]
        return text if made == ODD_CARDS else f"{made} {text}"


@lru_cache(maxsize=8)
def qualifying(known: Patterns, ranks: tuple[str, ...]) -> npt.NDArray[np.bool_]:
    """For each value, whether a dealer who has it qualifies."""
    return np.array([leads(known.ranking, hand, ranks) for hand in known.hands])


@lru_cache(maxsize=8)
def patterns(ranking: Ranking) -> Patterns:
    """The values of all patterns under a law of hands."""
    shown = tuple(_one_of_each())
    found = {number: value(ranking, hand) for number, hand in shown}
    hand_of = {found[number]: hand for number, hand in shown}
    values = tuple(sorted(hand_of))
    numbers = {each: index for index, each in enumerate(values)}
    value_of = np.full(2 * PATTERNS, -1, np.int16)
    for number, each in found.items():
        value_of[number] = numbers[each]
    classes = np.array([each[0] for each in values], dtype=np.int64)
    return Patterns(ranking, shown, value_of, tuple(hand_of[each] for each in values), classes, values)


def _one_of_each() -> Iterator[tuple[int, tuple[Card, ...]]]:
    """Every pattern's number with a hand that shows it."""
    for ranks in combinations_with_replacement(range(len(RANKS)), 5):
        number = sum(comb(each + i, i + 1) for i, each in enumerate(ranks))
        kinds = len(set(ranks))
        if kinds == 5:
            yield number + PATTERNS, ranks
        if kinds > 1:
            yield number, _mixed(ranks)


def _mixed(ranks: tuple[int, ...]) -> tuple[Card, ...]:
    """Cards of these ranks, not all of one suit: equal ranks take suits in turn, and the last card the next suit."""
    suits = [ranks[:i].count(each) for i, each in enumerate(ranks)]
    suits[-1] += len(set(ranks)) == 5
    return tuple(suit * len(RANKS) + each for suit, each in zip(suits, ranks, strict=True))


# ---------------------------------------------------------------- the hands of a deck


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """The cards of a deck by rank and then suit, which suits can be exchanged, and every hand by rising value.

    `weights` is the size of a class for one hand of each and 0 for the others; `rows` are the hands that count, in
    the order of their values.
    """

    cards: Ints
    alike: Ints
    hands: Bytes
    values: Shorts
    order: Ints
    weights: Bytes
    rows: Ints

    @property
    def size(self) -> int:
        return len(self.cards)

    @property
    def counted(self) -> Ints:
        """The hands that count as sorted cards."""
        return np.sort(self.cards[self.hands[self.rows]], axis=1)

    @property
    def deals(self) -> int:
        """A hand, an up card, and four more of the dealer's."""
        return comb(self.size, 5) * (self.size - 5) * comb(self.size - 6, 4)


def cards_in(counts: Sequence[int]) -> Ints:
    """The cards of a deck by rank and then suit."""
    held = [card for card in range(CARDS) if counts[card]]
    return np.array(sorted(held, key=lambda card: (rank(card), suit(card))), dtype=np.int64)


def deck_of(known: Patterns, counts: Sequence[int], *, exchange_suits: bool = True) -> Deck:
    """The deck that holds these of the 52 cards.  Suits with the same ranks in it can be exchanged, if wanted."""
    cards = cards_in(counts)
    ranks, suits = cards % len(RANKS), cards // len(RANKS)
    sets = [tuple(counts[s * len(RANKS) : (s + 1) * len(RANKS)]) for s in range(len(SUITS))]
    alike = np.array([sets.index(each) if exchange_suits else s for s, each in enumerate(sets)], dtype=np.int64)
    hands, values, order = all_hands(ranks, suits, known.value_of)
    weights = weights_of(hands, ranks, suits, alike)
    return Deck(cards, alike, hands, values, order, weights, order[weights[order] > 0])
