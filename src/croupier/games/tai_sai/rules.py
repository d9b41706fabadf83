"""What the law fixes about tai-sai, typed.

The bets are of four shapes: a range of totals, a number on so many dice, one total, and a pair of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from croupier.equipment import Space
from croupier.games.single_draw.play import Common
from croupier.games.single_draw.procedure import DrawCeremony
from croupier.law.model import Law
from croupier.money import Odds
from croupier.once import dataclass

Faces: TypeAlias = tuple[int, ...]

TUMBLE, UNCOVER, KEYS, ENTRY, AMEND = "tumble dice", "uncover", "press numbers", "press entry", "amend entry"
ENTRY_WRONG: Final = "entry wrong"


@dataclass(frozen=True, slots=True)
class RangeBet:
    """Small and big: a range of totals, unless a triple of these numbers makes one."""

    totals: Law[range]
    not_by_triple: Law[range]
    loses: Law[range]
    pays: Law[Odds]


@dataclass(frozen=True, slots=True)
class CountBet:
    """A number on so many dice; `any_number`: whichever it is.  It pays by how many dice show it."""

    numbers: Law[range]
    any_number: bool
    dice: tuple[Law[range], ...]
    loses: Law[range]
    pays: Mapping[int, Law[Odds]]


@dataclass(frozen=True, slots=True)
class TotalBet:
    """One total, however it is made."""

    totals: Law[range]
    loses: Law[range]
    pays: Mapping[int, Law[Odds]]


@dataclass(frozen=True, slots=True)
class DicePairBet:
    """Two different numbers, both of which must show."""

    pairs: Law[tuple[tuple[int, int], ...]]
    both: Law[int]
    loses: Law[range]
    pays: Law[Odds]


Bet: TypeAlias = RangeBet | CountBet | TotalBet | DicePairBet


@dataclass(frozen=True, slots=True)
class TaiSaiRules:
    """The law of the game, with the elections in force."""

    # the equipment
    dice: Law[Space[Faces]]
    die: Law[range]
    opposite_faces: Law[int]
    number_of_dice: Law[int]
    uppermost: Law[int]
    keys: Law[range]
    led: Law[int]
    lights: Law[bool]
    # the wagers
    marked: Law[tuple[str, ...]]
    permitted: Law[frozenset[str]]
    bets: Mapping[str, Bet]
    within: Law[str]
    common: Common
    # the ceremony
    spins: Law[int]
    multiples: Law[Mapping[int, str]]
    sealed: Law[str]
    rectified: Law[tuple[str, ...]]
    ceremony: DrawCeremony
