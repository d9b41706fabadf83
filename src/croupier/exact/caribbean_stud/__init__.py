"""Exact odds of Caribbean stud: the best play over every deal, any other play, and the progressive jackpot.

Theory of operation.  A deal is the player's five cards, the dealer's up card and four more of the dealer's:
19,933,230,517,200 of them, each equally likely.  The player sees six cards and folds or bets.  Too many for the
automaton, so this is an engine of its own, in four steps:

- `patterns` asks the law of hands for the value of each of 7,462 patterns of ranks and suits, once;
- `endings` asks the game's judge what ante, bet and jackpot wager come to, for each class of hands and each way in
  which a deal can end;
- `counting` (compiled) counts, for one hand of each of 134,459 classes and every up card, the dealer's hands that do
  not qualify, are lower, equal and higher; the hand bets where that pays more than to fold, or where a given strategy
  says so; deals are tallied by class and ending;
- `policy` and `rows` turn the tallies into exact fractions;
- `without` does the same at once for every deck that lacks one more card.

Pay table, qualifying hand, size of the bet, order of hands and prizes all come from the rules object.  Any part of a
deck from 10 cards up can be counted: suits that hold the same ranks can still be exchanged, the others are told apart.

Results are exact integers and fractions.  Within the compiled part integers have 64 bits; `counting` and
`endings.whole_pays` say why none can overflow.

The slow path is plain play through `round.happen`; twin tests compare them on small decks, deal by deal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from croupier.exact.caribbean_stud.counting import compiling
from croupier.exact.caribbean_stud.decision import Outlook, outlook
from croupier.exact.caribbean_stud.describe import Against
from croupier.exact.caribbean_stud.policy import OPTIMUM, StudPlay, best, play
from croupier.exact.caribbean_stud.rows import StudRow, break_even, rows_of
from croupier.exact.caribbean_stud.strategies import STRATEGIES, BettingTable, Chart, Choose, Strategy, from_chart
from croupier.games.caribbean_stud.rules import StudRules
from croupier.money import Cents

__all__ = [
    "OPTIMUM",
    "STRATEGIES",
    "Against",
    "Outlook",
    "Strategy",
    "StudPlay",
    "StudRow",
    "StudSheet",
    "Table",
    "best",
    "break_even",
    "caribbean_stud_sheet",
    "compiling",
    "from_chart",
    "outlook",
    "play",
]


@dataclass(frozen=True, slots=True, eq=False)
class StudSheet:
    """The rows of the sheet, and the play over all deals on which they rest."""

    rows: tuple[StudRow, ...]
    play: StudPlay

    def row(self, wager: str) -> StudRow:
        return next(row for row in self.rows if row.wager == wager)


def caribbean_stud_sheet(
    rules: StudRules,
    *,
    deck: Sequence[int] | None = None,
    pool_cents: Cents | None = None,
    stake_cents: Cents | None = None,
    ante_cents: Cents | None = None,
    strategy: Strategy | Choose | Chart | BettingTable | None = None,
    on_compile: Callable[[], None] | None = None,
) -> StudSheet:
    """Every wager's worth under the best play of the ante, or under the strategy given.

    `deck` tells for each of 52 cards whether it is there.  `pool_cents` and `stake_cents` are the jackpot's;
    `ante_cents` is needed only where a maximum payout is in force.  The first use on a machine compiles for some
    seconds: then `on_compile` is called before.  Bad input raises `ValueError` with one line.
    """
    if on_compile is not None and compiling():
        on_compile()
    optimum = strategy is None and ante_cents is None
    played = best(rules, deck) if optimum else play(rules, strategy, deck=deck, ante_cents=ante_cents)
    return StudSheet(rows_of(rules, played, pool_cents=pool_cents, stake_cents=stake_cents), played)
