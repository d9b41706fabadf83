"""The sign on a table, and what becomes of winnings that chips cannot pay."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from croupier.money import Cents


class Sign(Struct, frozen=True, gc=False):
    """What the sign on the table says, in cents.  Without a sign: chips of one cent and no limits.

    `reduces`: wagers beyond the differential are reduced to it, as the dealer may choose to.  Where the maximum is what
    is left of it to one player, `staked` is what that player has on the same already.
    """

    chip: Cents = 1
    minimum: Cents = 0
    maximum: Cents | None = None
    increment: Cents = 0
    differential: tuple[Cents, Cents] | None = None
    super_sevens: Cents | None = None
    jackpot: Cents | None = None
    jackpot_wager: Cents | None = None
    reduces: bool = True
    staked: Cents = 0

    def displayed(self, on: str) -> Cents | None:
        """The one amount of a wager for which the sign shows one."""
        field = SHOWN_AMOUNTS.get(on)
        return getattr(self, field) if field else None


SHOWN_AMOUNTS: Final = {"super_sevens": "super_sevens", "jackpot": "jackpot_wager"}
"""The wagers of which the sign shows the one amount, and where it stands."""

NO_SIGN: Final = Sign()


class Rounding(StrEnum):
    """What becomes of winnings that chips cannot pay."""

    EXACT = "exact"
    UP = "up to the next chip"
