"""A whole strategy counted over every deal: what it wins, how often it bets, and the table of its decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final

import numpy as np

from croupier.equipment import check_counts, full_shoe
from croupier.exact.caribbean_stud.counting import FOLDED, Ints, sweep
from croupier.exact.caribbean_stud.describe import Against, described
from croupier.exact.caribbean_stud.endings import Endings, checked, endings, whole_pays
from croupier.exact.caribbean_stud.patterns import Deck, Patterns, deck_of, patterns, qualifying
from croupier.exact.caribbean_stud.strategies import (
    BettingTable,
    Chart,
    Choose,
    Strategy,
    from_chart,
    sets_of,
    table_of,
)
from croupier.games.caribbean_stud.rules import StudRules
from croupier.money import Cents

OPTIMUM: Final = "optimum"
LEAST: Final = 10
NOTHING_GIVEN: Final = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class StudPlay:
    """A strategy over all `deals` of a deck (a hand, an up card, four more of the dealer's), each equally likely.

    `net` is what the player is better off after all of them, in antes: a whole number where all odds are whole.
    `tally[class, ending]` counts deals by the class of the player's hand and by ending, in the order of `endings`.
    """

    policy: str
    source: str
    deals: int
    net: Fraction
    bet_of_ante: int
    tally: Ints
    endings: Endings
    table: BettingTable
    known: Patterns

    @property
    def bet_deals(self) -> int:
        return self.deals - int(self.tally[:, FOLDED].sum())

    @property
    def bet_frequency(self) -> Fraction:
        """How often the hand is bet on."""
        return Fraction(self.bet_deals, self.deals)

    @property
    def edge(self) -> Fraction:
        """The house's, per ante."""
        return -self.net / self.deals

    @property
    def element_of_risk(self) -> Fraction:
        """The house's, per unit of all that is staked on ante and bet."""
        return -self.net / (self.deals + self.bet_of_ante * self.bet_deals)

    def ends(self) -> Iterator[tuple[int, int, int]]:
        """Class, ending and deals, where there are any."""
        for kind, end in zip(*np.nonzero(self.tally), strict=True):
            yield int(kind), int(end), int(self.tally[kind, end])

    @property
    def description(self) -> tuple[Against, ...]:
        """The strategy in few words."""
        return described(self.table, self.known)


def play(
    rules: StudRules,
    strategy: Strategy | Choose | Chart | BettingTable | None = None,
    *,
    deck: Sequence[int] | None = None,
    ante_cents: Cents | None = None,
) -> StudPlay:
    """Count a strategy over every deal; without one, the best.  `deck` tells for 52 cards whether each is there.

    A hand that bets and folds equally well folds.
    """
    staked = checked(rules, ante_cents)
    counts = checked_deck(deck)
    known = patterns(rules.ranking)
    found = endings(rules, known, staked)
    cards = deck_of(known, counts)
    given = NOTHING_GIVEN
    name, source = OPTIMUM, ""
    if isinstance(strategy, BettingTable):
        name, given = "table", _checked_table(strategy, cards)
    elif strategy is not None:
        named = _named(strategy, rules)
        name, source = named.name, named.source
        cards, given = _sets(named, known, cards, counts)
    return _counted(rules, known, cards, found, given, name=name, source=source)


_BEST: list[tuple[StudRules, tuple[int, ...], StudPlay]] = []
"""The best play that was counted last: rules hold mappings, so they cannot be the key of a cache."""


def best(rules: StudRules, deck: Sequence[int] | None = None) -> StudPlay:
    """The best play, remembered for whoever asks for the same again: a sheet's rows and its chart."""
    counts = tuple(checked_deck(deck))
    if not _BEST or _BEST[0][:2] != (rules, counts):
        _BEST[:] = [(rules, counts, play(rules, deck=counts))]
    return _BEST[0][2]


def checked_deck(deck: Sequence[int] | None) -> Sequence[int]:
    """The 52 counts of a deck of which a round can be dealt; without any, a full one."""
    if deck is None:
        return full_shoe(1)
    counts = checked_counts(deck)
    if sum(counts) < LEAST:
        raise ValueError(f"a deck of {sum(counts)} cards: a hand and the dealer's take {LEAST}")
    return counts


def checked_counts(deck: Sequence[int]) -> tuple[int, ...]:
    """The 52 counts of a deck, each card once at most."""
    return check_counts(deck, 52, decks=1)


def _checked_table(table: BettingTable, deck: Deck) -> Ints:
    if not np.array_equal(table.hands, deck.counted) or len(table.bets) != len(table.hands):
        raise ValueError(f"a table of {len(table.hands)} hands for a deck of {len(deck.rows)} other classes of hands")
    return np.ascontiguousarray(table.bets, dtype=np.int64)


def _named(strategy: Strategy | Choose | Chart, rules: StudRules) -> Strategy:
    if isinstance(strategy, Strategy):
        return strategy
    if callable(strategy):
        return Strategy(getattr(strategy, "__name__", "function"), strategy)
    if not isinstance(strategy, Mapping):
        raise ValueError(f"a strategy of Caribbean stud is a name, a chart, a table or a function: {strategy!r:.60}")
    return from_chart(strategy, rules.ranking)


def _sets(strategy: Strategy, known: Patterns, deck: Deck, counts: Sequence[int]) -> tuple[Deck, Ints]:
    """The deck with its classes of hands as the strategy needs them, and the up cards each bets on."""
    every = Strategy(strategy.name, strategy.choose, strategy.source, "cards")
    given = sets_of(strategy, known, deck) if strategy.sees != "cards" else None
    if given is not None:
        return deck, given
    apart = deck_of(known, counts, exchange_suits=False)
    asked = sets_of(every, known, apart)
    assert asked is not None
    return apart, asked


def _counted(
    rules: StudRules, known: Patterns, deck: Deck, found: Endings, given: Ints, *, name: str, source: str
) -> StudPlay:
    classes = len(rules.ranking.order.value)
    pays, parts = whole_pays(found, classes, dealers=comb(deck.size - 6, 4))
    qualifies = qualifying(known, rules.qualifies.value)
    dealer = np.where(qualifies[deck.values], deck.values, np.int16(-1))
    tally, bets = sweep(
        deck.hands, dealer, deck.order, deck.weights, known.classes[deck.values], deck.cards, pays, given
    )
    net = sum(int(count) * int(pay) for count, pay in zip(tally.flat, pays.flat, strict=True))
    return StudPlay(
        policy=name,
        source=source,
        deals=deck.deals,
        net=Fraction(net, parts),
        bet_of_ante=rules.bet_of_ante.value,
        tally=tally,
        endings=found,
        table=table_of(deck, bets),
        known=known,
    )
