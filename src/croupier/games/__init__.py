"""The games, by name."""

from collections.abc import Mapping

from croupier.game import AnyGame
from croupier.games.baccarat import BACCARAT
from croupier.games.blackjack import BLACKJACK
from croupier.games.caribbean_stud import CARIBBEAN_STUD
from croupier.games.craps import CRAPS
from croupier.games.money_wheel import MONEY_WHEEL
from croupier.games.roulette import ROULETTE
from croupier.games.tai_sai import TAI_SAI

GAMES: Mapping[str, AnyGame] = {
    game.name: game for game in (BACCARAT, BLACKJACK, ROULETTE, TAI_SAI, MONEY_WHEEL, CARIBBEAN_STUD, CRAPS)
}
