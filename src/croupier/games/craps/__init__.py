"""Craps: the parts of a game, gathered."""

from croupier.ceremony import kind_of_act
from croupier.game import DiceFell, Game
from croupier.games.craps import bets, irregular, layout, placing, play
from croupier.games.craps.editions import EDITIONS
from croupier.games.craps.layout import CrapsLayout
from croupier.games.craps.live import LIVE
from croupier.games.craps.rules import CrapsRules

CRAPS: Game[CrapsRules, CrapsLayout] = Game(
    name="craps",
    editions=EDITIONS,
    begin=play.begin,
    seat=play.seat,
    demand=layout.demand,
    apply=irregular.apply,
    at_rest=play.at_rest,
    wagers=bets.wagers,
    accept=placing.accept,
    stakes=placing.stakes,
    judge=bets.judge,
    rounding=lambda rules: rules.rounding.value,
    circumstances=irregular.CIRCUMSTANCES,
    irregularities=lambda rules: rules.irregularities,
    rule_on=irregular.rule_on,
    decks=lambda rules: 0,
    symbol=lambda rules, card: card,
    view=play.view,
    outcome=play.outcome,
    chances=lambda rules: rules.dice.outcomes.value.map(DiceFell),
    procedure=LIVE,
    beside=play.beside,
    bound=play.bound,
    kind=lambda rules, act: kind_of_act(act, rules.scripts),
    lies=bets.lies,
    renews=lambda effect: irregular.thrown(effect) is not None,
)
