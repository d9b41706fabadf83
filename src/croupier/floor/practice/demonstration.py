"""The demonstration: its tables, who plays at them by themselves, its jackpot link, and the story it begins with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Final

from croupier.floor.keeping.links import PlannedLink
from croupier.floor.keeping.planned import Planned


@dataclass(frozen=True, slots=True)
class Cast:
    """Who plays by themselves at a table: guests with their stakes, and a dealer."""

    guests: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    dealer: bool = True


SIGN: Final = {"minimum": 500, "maximum": 100_000, "chip": 100, "supervisor": "Sue"}
PAIRS: Final = {**SIGN, "kinds": {"perfect_pairs": (500, 20_000)}}
JACKPOT: Final = {**SIGN, "jackpot": (1_000_000, 100), "kinds": {"jackpot": (100, 100)}}

ON_TERMINALS: Final = {
    "Ann": {"banker": 4_000, "player": 2_500},
    "Bob": {"player": 5_000, "banker": 2_000},
    "Cid": {"banker": 10_000, "tie": 500},
}
SHOWN: Final[tuple[tuple[Planned, Cast], ...]] = (
    (Planned("EB-1", "nzeb", "baccarat", "terminals", PAIRS), Cast(ON_TERMINALS)),
    (
        Planned("B-4", "nzd5", "baccarat", "midi", PAIRS),
        Cast({"Gus": {"banker": 2_000, "player": 1_500}, "Hal": {"player": 2_500}}, dealer=False),
    ),
    (Planned("R-1", "nz1996", "roulette", "", SIGN), Cast({"Dee": {"red": 1_000, "straight:17": 500}})),
    (Planned("T-1", "nz1996", "tai_sai", "", SIGN), Cast({"Eve": {"small": 1_000, "total:10": 500}})),
    (Planned("C-1", "nz1996", "craps", "", SIGN), Cast({"Fay": {"pass": 1_000, "field": 500}})),
    (
        Planned("J-1", "nz1996", "blackjack", "", {**SIGN, "super_sevens": 500}),
        Cast({"Ida": {"main": 2_000}, "Jim": {"main": 1_000}}),
    ),
    (
        Planned("S-1", "nz1996", "caribbean_stud", "", JACKPOT),
        Cast({"Kay": {"ante": 1_000, "jackpot": 100}, "Lea": {"ante": 500, "jackpot": 100}}),
    ),
    (Planned("W-1", "nz1996", "money_wheel", "", SIGN), Cast({"Max": {"A": 1_000, "C": 500}})),
)
TABLES: Final = tuple(planned for planned, _ in SHOWN)
CASTS: Final[Mapping[str, Cast]] = {planned.name: cast for planned, cast in SHOWN}
LINKS: Final = (PlannedLink("Grand", ("S-1",), pool_rate=7_500, seed=1_000_000, approval="for practice"),)


def first_case() -> str:
    """A coup with a mistake in it, as `croupier adjudicate` reads it; `make run` tells it first."""
    return (files("croupier") / "floor" / "practice" / "first_case.json").read_text(encoding="utf-8")
