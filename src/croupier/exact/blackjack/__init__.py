"""Blackjack: the value of every hand and action, the best play and chart, and what each wager is worth.

Theory of operation.  An automaton of all positions would be far too big: split hands remember every card.  This engine
works with two other things.  Hands are multisets of symbols, 3,083 of them, and cards are exchangeable: what the dealer
does behind a hand does not depend on how other hands are played, so hands are solved one at a time.

    terms      the rules as small tables, asked of the game itself; nothing of the law is written twice
    lattice    the hands, and the tree of all dealer's hands behind a first card
    loops      the inner loops, compiled
    board      the dealer's chances behind every hand, the best play of every hand, splits hand by hand
    charts     the best chart by totals, found by search
    policy     a stated play: what it does on any layout
    joint      split hands together: the chance of each net result
    rational   a stated play in fractions, the slow path of all this
    shares     every result of the main wager with its chance and rule
    sevens     Super Sevens, exactly
    solve      everything from one shoe
    size       how many cards a round can take, and so which shoes may run out
    early      what is decided before the dealer's second card
    short      rounds from a shoe that may run out, with the void ones, by all parts of it
    paper      for readers: the rows of the odds sheet with what is left out, charts, and the dealer's ends

The play called best looks at the cards of the hand, the dealer's first card, and, once hands are split, at the pairs
that were dealt; not at what else other hands drew.  Its optimum is exact.  The best chart is found by search.  The twin
tests hold the numbers against the game played card by card (`round.happen`) from small shoes, for every reading.
"""

from croupier.exact.blackjack.paper.rows import BlackjackRow, public
from croupier.exact.blackjack.paper.sheet import blackjack_sheet, left_out, may_run_out, solved_of
from croupier.exact.blackjack.paper.tables import ChartTable, Departure, chart_tables, dealer_totals, departures
from croupier.exact.blackjack.policy import Policy, decide
from croupier.exact.blackjack.solve import Solved, best_worth, solve, values
from croupier.exact.blackjack.terms import NotPriced

__all__ = [
    "BlackjackRow",
    "ChartTable",
    "Departure",
    "NotPriced",
    "Policy",
    "Solved",
    "best_worth",
    "blackjack_sheet",
    "chart_tables",
    "dealer_totals",
    "decide",
    "departures",
    "left_out",
    "may_run_out",
    "public",
    "solve",
    "solved_of",
    "values",
]
