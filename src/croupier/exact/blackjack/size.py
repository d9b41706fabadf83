"""How many cards a round can take, and so how a shoe is priced.

A round for which the shoe is too short is finished with reshuffled discards, whose cards the counts of a shoe do not
tell.  So hands have a value of their own only in shoes that cannot run out, whatever the player does; others are left
to `short`, which counts whole rounds and the void ones among them.  The number of cards is an upper bound: all cards
but the last of each hand count less together than a total on which nobody draws any more, the dealer's likewise, and
the longest round uses the lowest cards of the shoe.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.equipment import full_shoe
from croupier.exact.blackjack.terms import RuleTables, by_symbol
from croupier.games.blackjack.rules import BlackjackRules


def most_cards(table: RuleTables, shoe: Sequence[int]) -> int:
    """The most cards that a round can take from a shoe of so many cards of each symbol."""
    return _round(table, shoe, room=table.stands - 1, last=1)


def second_card(table: RuleTables, shoe: Sequence[int]) -> int:
    """The most cards up to the dealer's second, which decides insurance."""
    return min(_round(table, shoe, room=0, last=2), most_cards(table, shoe))


def dealer_cards(table: RuleTables, shoe: Sequence[int]) -> int:
    """The most cards that a dealer can take."""
    return 1 + _fitting(table, shoe, table.stands - 1)


def _round(table: RuleTables, shoe: Sequence[int], *, room: int, last: int) -> int:
    """The most cards of hands and dealer, of whom `last` cards come whatever the others have used of the `room`."""
    each = table.limit - 1
    most = 1 + last + _fitting(table, shoe, each + room)
    for symbol, held in enumerate(shoe):
        hands = min(table.most_hands(symbol), held)
        if hands > 1 and not table.two[hands - 1, symbol].any():
            most = max(most, 2 * hands + last + _fitting(table, shoe, room))
        elif hands > 1:
            left = [count - hands * (at == symbol) for at, count in enumerate(shoe)]
            drawn = _fitting(table, left, hands * (each - table.lows[symbol]) + room)
            most = max(most, 2 * hands + last + drawn)
    return most


def _fitting(table: RuleTables, shoe: Sequence[int], room: int) -> int:
    """The most cards that count no more than `room` together, an ace as little as it can."""
    most = 0
    for low, held in sorted(zip(table.lows, shoe, strict=True)):
        fits = min(held, room // low)
        most, room = most + fits, room - fits * low
    return most


def why_short(rules: BlackjackRules, *, need: int, shoe: Sequence[int], table: RuleTables) -> str | None:
    """Why a shoe is not priced for what may need so many cards, in one line; None if it is."""
    if need <= sum(shoe):
        return None
    law, decks = rules.irregularities["insufficient_cards"][0], rules.decks.value.elected
    # No part of a shoe has a longer round than the whole.
    always = most_cards(table, by_symbol(rules, full_shoe(decks)))
    return (
        f"a round may need {need} cards and the shoe holds {sum(shoe)}: it would be finished with reshuffled discards "
        f"({law.rule}), which is not priced; from {always} cards up every shoe of {decks} decks is"
    )


def why_long(rules: BlackjackRules, *, shoe: Sequence[int], table: RuleTables) -> str:
    """Why a shoe that may run out is not counted, in one line."""
    decks = rules.decks.value.elected
    always = most_cards(table, by_symbol(rules, full_shoe(decks)))
    return (
        f"a round may need more than the {sum(shoe)} cards of the shoe, which has too many parts to count its void "
        f"rounds one by one; from {always} cards up every shoe of {decks} decks is priced"
    )
