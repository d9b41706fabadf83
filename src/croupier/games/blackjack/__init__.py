"""Blackjack: the parts of the game, gathered."""

from croupier.game import Game
from croupier.games.blackjack import bets, irregular, layout, moves, placing, play, stakes
from croupier.games.blackjack.ceremonies import kind
from croupier.games.blackjack.editions import EDITIONS
from croupier.games.blackjack.layout import Layout
from croupier.games.blackjack.live import LIVE
from croupier.games.blackjack.rules import BlackjackRules

BLACKJACK: Game[BlackjackRules, Layout] = Game(
    name="blackjack",
    editions=EDITIONS,
    begin=layout.begin,
    seat=layout.seat,
    demand=play.demand,
    apply=irregular.heard,
    at_rest=play.is_over,
    wagers=placing.wagers,
    accept=placing.accept,
    stakes=stakes.stakes,
    judge=bets.judge,
    rounding=lambda rules: rules.rounding.value,
    circumstances=irregular.CIRCUMSTANCES,
    irregularities=lambda rules: rules.irregularities,
    rule_on=irregular.rule_on,
    reopens=irregular.reopens,
    decks=lambda rules: rules.decks.value.elected,
    symbol=layout.points,
    view=layout.view,
    outcome=layout.outcome,
    procedure=LIVE,
    beside=moves.beside,
    offered=moves.OFFERED,
    bound=moves.bound,
    kind=kind,
    cards=play.cards,
    together=placing.together,
)
