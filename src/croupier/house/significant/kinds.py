"""The kinds of significant events, one closed list, and who acknowledges each.

The list is that of the standards for gaming machines and for the systems that watch over them (GLI-11 and GLI-13): a
door that was opened, power that failed, a malfunction, a correction, a large win, a lock-out, a jackpot, a fault of a
note acceptor or of another device; and money that was held back.  What a journal of the house says already is read from
there (`seen.py`); what none can know is declared, by the device itself or by a supervisor.

Whoever caused a correction does not acknowledge it: it is looked at by somebody else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from croupier.law.officials import CASINO_SUPERVISOR, GAME_SUPERVISOR, INSPECTOR, Roles, at_least

KindName: TypeAlias = Literal[
    "door",
    "power",
    "malfunction",
    "correction",
    "large_win",
    "lock_out",
    "jackpot",
    "note_acceptor",
    "device",
    "unpaid",
]

_SUPERVISOR: Final = at_least(GAME_SUPERVISOR)
_SENIOR: Final = at_least(CASINO_SUPERVISOR)


@dataclass(frozen=True, slots=True)
class SignificantKind:
    """What an event of this kind says, and who acknowledges it.

    `declared`: no journal knows of it by itself.  `by_another`: not whoever caused it.
    """

    says: str
    acknowledged_by: Roles
    declared: bool = False
    by_another: bool = False


KINDS: Final[Mapping[KindName, SignificantKind]] = {
    "door": SignificantKind("A door was opened", _SUPERVISOR, declared=True),
    "power": SignificantKind("The house started after it was not stopped: power failed, or it was killed", _SENIOR),
    "malfunction": SignificantKind("A malfunction was reported", _SUPERVISOR),
    "correction": SignificantKind("A round was corrected or declared invalid", _SENIOR | {INSPECTOR}, by_another=True),
    "large_win": SignificantKind("A large win", _SENIOR),
    "lock_out": SignificantKind("A terminal or the game system was locked", _SUPERVISOR),
    "jackpot": SignificantKind("The pool of a jackpot was won", _SENIOR),
    "note_acceptor": SignificantKind("A fault of a note acceptor", _SUPERVISOR, declared=True),
    "device": SignificantKind("A fault of a device", _SUPERVISOR, declared=True),
    "unpaid": SignificantKind("Money was held back that somebody may come for", _SUPERVISOR),
}

DECLARERS: Final[Roles] = _SUPERVISOR
