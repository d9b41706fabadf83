"""The games, by name; each is imported when it is first asked for, since a command is mostly about one."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Final

from croupier.game import AnyGame
from croupier.once import WhenAsked

NAMES: Final = ("baccarat", "blackjack", "roulette", "tai_sai", "money_wheel", "caribbean_stud", "craps")
"""A game stands in the module of its name, under that name in capitals."""


def _imported(name: str) -> AnyGame:
    game: AnyGame = getattr(import_module(f"{__name__}.{name}"), name.upper())
    return game


GAMES: Final[Mapping[str, AnyGame]] = WhenAsked(**{name: partial(_imported, name) for name in NAMES})


class _CallablePackage(ModuleType):
    """`croupier.games()` lists the games, and Python puts this package in that name's place once it is imported."""

    def __call__(self) -> tuple[str, ...]:
        return tuple(GAMES)


sys.modules[__name__].__class__ = _CallablePackage
