"""What is decided before the dealer's second card: the game is asked, hand by hand.

A stake that is decided stays so when the shoe runs out; one that waits for the dealer is void then.
"""

from __future__ import annotations

from itertools import product

from croupier.equipment import Card
from croupier.exact.blackjack.terms import (
    FIRST,
    LATER,
    LATER_ALONE,
    ONLY,
    STAKE,
    HandEnding,
    brings,
    symbols,
)
from croupier.game import CardSeen, Resolution, Wager, Won
from croupier.games.blackjack import BLACKJACK
from croupier.games.blackjack.layout import Box, Hand, Layout, count, natural
from croupier.games.blackjack.rules import MAIN, SPLIT, BlackjackRules
from croupier.once import dataclass


@dataclass(frozen=True, slots=True)
class Early:
    """Whether a bust is final by the place of the hand; how a blackjack is paid at once by the first card, if it is."""

    bust: tuple[bool, ...]
    natural: tuple[HandEnding | None, ...]


def early(rules: BlackjackRules) -> Early:
    cards = tuple(rules.points.value.index(value) for value in symbols(rules))
    over = next(hand for hand in product(cards, repeat=3) if count(rules, hand).points > rules.limit.value)
    kept = next(hand for hand in product(cards, repeat=3) if count(rules, hand).points == rules.limit.value)
    pair = next(hand for hand in product(cards, repeat=2) if natural(rules, hand))
    bust, live = Hand(1, over, split=True), Hand(1, kept, said="stand", split=True)
    second, other = Hand(2, over, split=True), Hand(2, kept, said="stand", split=True)
    places = {
        ONLY: ((Hand(1, over),), MAIN),
        FIRST: ((bust, other), MAIN),
        LATER: ((live, second), SPLIT),
        LATER_ALONE: ((bust, second), SPLIT),
    }
    low = next(card for card in cards if not any(natural(rules, (card, each)) for each in cards))
    finals = {place: _judged(rules, hands, on, low) is not None for place, (hands, on) in places.items()}
    naturals = tuple(_paid(_judged(rules, (Hand(1, pair),), MAIN, card)) for card in cards)
    return Early(tuple(finals[place] for place in range(4)), naturals)


def _judged(rules: BlackjackRules, hands: tuple[Hand, ...], on: str, up: Card) -> Resolution | None:
    """How the wager on the last of these hands (a main one: on the first) is decided by the card it got last."""
    which = 0 if on == MAIN else len(hands) - 1
    wager = Wager(on, STAKE, hand=hands[which].number if on == SPLIT else 0)
    box = Box(1, hands=hands)
    was = Box(1, hands=tuple(_without_last(hand) if at == which else hand for at, hand in enumerate(hands)))
    fact = CardSeen(hands[which].cards[-1])
    found = BLACKJACK.judge(rules, wager, Layout((was,), (up,)), fact, Layout((box,), (up,)))
    return None if isinstance(found, Wager) else found


def _without_last(hand: Hand) -> Hand:
    return Hand(hand.number, hand.cards[:-1], hand.said, hand.split)


def _paid(found: Resolution | None) -> HandEnding | None:
    if found is None:
        return None
    return HandEnding(brings(found), found.result, str(found.odds) if isinstance(found, Won) else "", found.rule)
