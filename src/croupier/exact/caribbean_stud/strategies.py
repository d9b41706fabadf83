"""Ways to play: any function of five cards and the up card, a chart, a table, and the published rules of thumb.

How much a function looks at decides how often it is asked.  One that looks at `ranks` only (and at whether the hand is
of one suit) is asked about 7,462 patterns and 13 up ranks.  One that treats all suits alike, but may see which cards
share a suit, is asked about one hand of each class and every up card: 6.3 million questions, some seconds.  One that
looks at single `cards` is asked about all 122 million, some minutes.

A plain function is taken to treat suits alike.  That is tried out on every class, once with its suits exchanged; a
function that then answers otherwise is asked about every card after all.  To be certain of a function that makes an
exception for very few deals, say `Strategy(..., sees="cards")`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Final, Literal, TypeAlias

import numpy as np

from croupier.equipment import CARDS, RANKS, SUITS, Card, rank, suit
from croupier.exact.caribbean_stud.counting import PATTERNS, Ints, patterns_of
from croupier.exact.caribbean_stud.patterns import Deck, Patterns
from croupier.games.caribbean_stud.hands import ODD_CARDS, Ranking, Value, strength, value
from croupier.games.caribbean_stud.rules import BET, FOLD
from croupier.once import dataclass

Hand: TypeAlias = tuple[Card, ...]
Choose: TypeAlias = Callable[[Hand, Card], bool | np.bool_ | str]
Sees: TypeAlias = Literal["ranks", "suits alike", "cards"]
Chart: TypeAlias = Mapping[str, str]

EVERY_SUIT: Final = sum(1 << len(RANKS) * each for each in range(len(SUITS)))
ANY: Final = "any"


@dataclass(frozen=True, slots=True)
class Strategy:
    """A named way to play: `choose(hand, up)` says whether to bet; the hand comes sorted, cards being 0 to 51."""

    name: str
    choose: Choose
    source: str = ""
    sees: Sees = "suits alike"


@dataclass(frozen=True, slots=True, eq=False)
class BettingTable:
    """For one hand of each class the up cards on which it bets: bit c for card c.

    `ups` are the cards of the deck, and suits of one number in `alike` can be exchanged.  Hands are sorted cards, in
    the order of their `values`; `weights` tells how many are in the class of each.
    """

    ups: Ints
    alike: Ints
    hands: Ints
    values: Ints
    weights: Ints
    bets: Ints

    def bets_on(self, hand: Hand, up: Card) -> bool:
        """What the table says of any hand of the deck."""
        shown, moved = self._counted(hand, up)
        row = np.flatnonzero((self.hands == np.array(shown)).all(axis=1))
        if not len(row):
            raise ValueError(f"no such hand in the table: {hand}")
        return bool(int(self.bets[row[0]]) >> moved & 1)

    def _counted(self, hand: Hand, up: Card) -> tuple[Hand, Card]:
        """The hand that stands for its class, and the up card after the same exchange of suits."""
        held = [sum(1 << rank(card) for card in hand if suit(card) == each) for each in range(len(SUITS))]
        to = [0] * len(SUITS)
        for kind in set(self.alike.tolist()):
            suits = [each for each in range(len(SUITS)) if self.alike[each] == kind]
            for target, source in zip(suits, sorted(suits, key=lambda each: -held[each]), strict=True):
                to[source] = target

        def moved(card: Card) -> Card:
            return to[suit(card)] * len(RANKS) + rank(card)

        return tuple(sorted(map(moved, hand))), moved(up)


def table_of(deck: Deck, bets: Ints) -> BettingTable:
    """The table of a deck's classes of hands with these up cards."""
    values, weights = deck.values[deck.rows].astype(np.int64), deck.weights[deck.rows].astype(np.int64)
    return BettingTable(deck.cards, deck.alike, deck.counted, values, weights, bets)


# ---------------------------------------------------------------- asking a strategy


def sets_of(strategy: Strategy, known: Patterns, deck: Deck) -> Ints | None:
    """The up cards on which each hand that counts bets, or None if the suits of the deck are not alike to it."""
    if strategy.sees == "ranks":
        return _by_rank(strategy.choose, known, deck)
    if strategy.sees == "suits alike" and not _treats_alike(strategy.choose, deck):
        return None
    ups = deck.cards.tolist()
    asked = (_asked(strategy.choose, hand, ups) for hand in _hands_of(deck))
    return np.fromiter(asked, dtype=np.int64, count=len(deck.rows))


def _hands_of(deck: Deck) -> Iterator[Hand]:
    """The hands that count, not all made tuples at once."""
    rows = deck.counted
    for start in range(0, len(rows), 1 << 16):
        yield from map(tuple, rows[start : start + (1 << 16)].tolist())


def _asked(choose: Choose, hand: Hand, ups: list[Card]) -> int:
    bets = 0
    for up in ups:
        if up not in hand and says_bet(choose(hand, up)):
            bets |= 1 << up
    return bets


def says_bet(answer: object) -> bool:
    """A strategy may answer with a truth value or with the word of the choice."""
    if answer is True or answer is False:
        return answer
    if answer in (BET, FOLD):
        return answer == BET
    if isinstance(answer, np.bool_):
        return bool(answer)
    raise ValueError(f"a strategy answered {answer!r:.60}: say True or {BET!r}, False or {FOLD!r}")


def _by_rank(choose: Choose, known: Patterns, deck: Deck) -> Ints:
    """Each pattern is asked about with every rank up, in a suit that the hand leaves free."""
    sets = np.zeros(2 * PATTERNS, np.int64)
    for pattern, hand in known.shown:
        for each in range(len(RANKS)):
            up = next((each + s * len(RANKS) for s in range(len(SUITS)) if each + s * len(RANKS) not in hand), None)
            if up is not None and says_bet(choose(tuple(sorted(hand)), up)):
                sets[pattern] |= EVERY_SUIT << each
    shown: Ints = patterns_of(deck.hands[deck.rows], deck.cards % len(RANKS), deck.cards // len(RANKS))
    return np.take(sets, shown)


def _treats_alike(choose: Choose, deck: Deck) -> bool:
    """Whether an exchange of suits leaves the answer as it is, tried once on every hand, the up cards in turn."""
    ups, exchanges = deck.cards.tolist(), _exchanges(deck.alike.tolist())
    for number, hand in enumerate(_hands_of(deck) if exchanges else ()):
        up, to = ups[number % len(ups)], exchanges[number % len(exchanges)]
        moved = tuple(sorted(to[card] for card in hand))
        if up not in hand and says_bet(choose(hand, up)) != says_bet(choose(moved, to[up])):
            return False
    return True


def _exchanges(alike: list[int]) -> list[list[Card]]:
    """Where each card goes when two suits that are alike change places."""
    return [
        [{one: other, other: one}.get(suit(card), suit(card)) * len(RANKS) + rank(card) for card in range(CARDS)]
        for one, other in combinations(range(len(SUITS)), 2)
        if alike[one] == alike[other]
    ]


# ---------------------------------------------------------------- charts


def from_chart(chart: Chart, ranking: Ranking, name: str = "chart") -> Strategy:
    """A chart says from which hand upward to bet on which up ranks: `{"A K Q": "2 3 4", "one pair": "any"}`.

    A line begins with a class of hands, or with ranks from the top for odd cards, or with both ("one pair 10"); it
    holds up to the next line.  It ends with the ranks to bet on, "any", or nothing.  Below the first line hands fold.
    """
    for start, ups in chart.items():
        if not isinstance(start, str) or not isinstance(ups, str):
            raise ValueError(f"a chart has lines of words by words, as in {{'one pair': 'any'}}: {start!r:.40}")
    lines = sorted((_least(ranking, start), _up_ranks(start, ups)) for start, ups in chart.items())

    def choose(hand: Hand, up: Card) -> bool:
        mine = value(ranking, hand)
        held = [ups for least, ups in lines if mine >= least]
        return bool(held) and RANKS[rank(up)] in held[-1]

    return Strategy(name, choose, sees="ranks")


def _least(ranking: Ranking, start: str) -> Value:
    """The lowest value that a line of a chart is for."""
    order = ranking.order.value
    made = next((each for each in sorted(order, key=len, reverse=True) if start.startswith(each)), ODD_CARDS)
    names = start.removeprefix(made).split()
    unknown = [each for each in names if each not in RANKS]
    if unknown or not start.strip():
        raise ValueError(f"chart line {start!r:.60}: begin with a class of hands ({', '.join(order)}) or with ranks")
    return (order.index(made), *(strength(ranking, each) for each in names))


def _up_ranks(start: str, ups: str) -> tuple[str, ...]:
    names = tuple(ups.split())
    if names == (ANY,):
        return RANKS
    unknown = [each for each in names if each not in RANKS]
    if unknown:
        raise ValueError(f"chart line {start!r:.60}: {unknown[0]!r:.20} is no rank ({', '.join(RANKS)}, or any)")
    return names


# ---------------------------------------------------------------- published rules of thumb

SHACKLEFORD: Final = "M. Shackleford, The Wizard of Odds, Caribbean Stud Poker"
ACE, KING, QUEEN, JACK = 14, 13, 12, 11


def _height(card: Card) -> int:
    """2 to 14, the ace being high."""
    return rank(card) + 1 if rank(card) else ACE


def _odd_cards(hand: Hand) -> list[int] | None:
    """The heights from the top if the hand is less than a pair, else None."""
    heights = sorted(map(_height, hand), reverse=True)
    runs = heights[0] - heights[4] == 4 or heights == [ACE, 5, 4, 3, 2]
    if len(set(heights)) < 5 or runs or len(set(map(suit, hand))) == 1:
        return None
    return heights


def _pair(hand: Hand, _up: Card) -> bool:
    return _odd_cards(hand) is None


def _ace_king(hand: Hand, _up: Card) -> bool:
    heights = _odd_cards(hand)
    return heights is None or heights[:2] == [ACE, KING]


def _ace_king_jack_eight_three(hand: Hand, _up: Card) -> bool:
    heights = _odd_cards(hand)
    return heights is None or heights >= [ACE, KING, JACK, 8, 3]


def _matching_rank(hand: Hand, up: Card) -> bool:
    heights = _odd_cards(hand)
    return heights is None or (heights[:2] == [ACE, KING] and _height(up) in heights)


def _three_rules(hand: Hand, up: Card) -> bool:
    heights, shown = _odd_cards(hand), _height(up)
    if heights is None or heights[:2] != [ACE, KING]:
        return heights is None
    if shown >= KING:
        return heights[2] in (QUEEN, JACK)
    return shown in heights or (heights[2] == QUEEN and shown < heights[3])


STRATEGIES: Final[Mapping[str, Strategy]] = {
    each.name: each
    for each in (
        Strategy("three rules of thumb", _three_rules, SHACKLEFORD, "ranks"),
        Strategy("A K J 8 3 or better", _ace_king_jack_eight_three, SHACKLEFORD, "ranks"),
        Strategy("matching rank", _matching_rank, SHACKLEFORD, "ranks"),
        Strategy("pair or better", _pair, SHACKLEFORD, "ranks"),
        Strategy("ace and king or better", _ace_king, SHACKLEFORD, "ranks"),
        Strategy("every hand", lambda _hand, _up: True, SHACKLEFORD, "ranks"),
    )
}
"""Rules of thumb in print, with the source that gives their cost where a royal flush pays 100 to 1."""
