"""What is told of hands and tables in a tournament: values that commands and events have in common."""

from __future__ import annotations

from typing import Any

import msgspec


class HandResult(msgspec.Struct, frozen=True, array_like=True):
    """What a player did with a hand, in tournament chips: all that was staked, and all that came back."""

    stake: int
    returned: int
    secret: bool = False


class TableLaw(msgspec.Struct, frozen=True):
    """Which game is played at a table, and under which law; unsaid, it is baccarat as usual."""

    game: str = "baccarat"
    edition: str = "vic2002"
    version: str = ""
    elections: dict[str, bool | int | str] = {}
    readings: dict[str, str] = {}


class PlayedHand(msgspec.Struct, frozen=True):
    """A hand as it was played: chips by player and wager, the facts in their order, nominations for Runs.

    `secret`: whose wager was made in secret.
    """

    wagers: dict[str, dict[str, int]]
    facts: tuple[str | dict[str, Any], ...]
    nominate: dict[str, str] = {}
    secret: tuple[str, ...] = ()


class Results(msgspec.Struct, frozen=True):
    """What a hand came to: by player; the chips still open; whether later hands need it, and it took wagers.

    `counted`: it had a result, and is one of those that the round has.
    """

    played: dict[str, HandResult]
    going: dict[str, int]
    needed: bool
    wagered: bool = True
    counted: bool = True
