"""The games, by name."""

from collections.abc import Mapping

from croupier.game import AnyGame
from croupier.games.baccarat import BACCARAT

GAMES: Mapping[str, AnyGame] = {game.name: game for game in (BACCARAT,)}
