"""Baccarat: the parts of the game, gathered."""

from croupier.game import Game
from croupier.games.baccarat import bets, irregular, play
from croupier.games.baccarat.ceremonies.sitting import kind
from croupier.games.baccarat.editions import EDITIONS
from croupier.games.baccarat.live import LIVE
from croupier.games.baccarat.play import Coup
from croupier.games.baccarat.rules import BaccaratRules, together

BACCARAT: Game[BaccaratRules, Coup] = Game(
    name="baccarat",
    editions=EDITIONS,
    begin=play.begin,
    seat=play.seat,
    demand=play.demand,
    apply=irregular.apply,
    at_rest=play.is_over,
    wagers=bets.wagers,
    initial=lambda rules: rules.bets,
    accept=bets.accept,
    stakes=lambda rules, coup, standing, fact: (),
    judge=bets.judge,
    rounding=lambda rules: rules.rounding.value,
    circumstances=irregular.CIRCUMSTANCES,
    irregularities=lambda rules: rules.irregularities,
    rule_on=irregular.rule_on,
    decks=lambda rules: rules.decks.value.elected,
    symbol=play.points,
    view=play.view,
    outcome=play.outcome,
    together=together,
    leaves=bets.leaves,
    procedure=LIVE,
    beside=play.beside,
    kind=kind,
    cards=play.cards,
)
