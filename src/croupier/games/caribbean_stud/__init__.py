"""Caribbean stud: the parts of the game, gathered."""

from croupier.game import Game
from croupier.games.caribbean_stud import bets, irregular, play
from croupier.games.caribbean_stud.editions import EDITIONS
from croupier.games.caribbean_stud.live import LIVE
from croupier.games.caribbean_stud.play import StudLayout
from croupier.games.caribbean_stud.rules import StudRules
from croupier.games.caribbean_stud.scripts import kind

CARIBBEAN_STUD: Game[StudRules, StudLayout] = Game(
    name="caribbean_stud",
    editions=EDITIONS,
    begin=play.begin,
    seat=play.seat,
    demand=play.demand,
    apply=irregular.apply,
    at_rest=play.is_over,
    wagers=bets.wagers,
    accept=bets.accept,
    stakes=bets.stakes,
    judge=bets.judge,
    rounding=lambda rules: rules.rounding.value,
    circumstances=irregular.CIRCUMSTANCES,
    irregularities=lambda rules: rules.irregularities,
    rule_on=irregular.rule_on,
    reopens=play.reopens,
    face_down=True,
    beside=play.beside,
    cards=play.cards,
    shown=play.shown,
    decks=lambda rules: rules.decks.value,
    symbol=lambda rules, card: card,
    view=play.view,
    outcome=play.outcome,
    lies=bets.lies,
    kind=kind,
    procedure=LIVE,
)
