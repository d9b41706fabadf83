"""What a wager needs to be priced: wagers that must stand beside it, or every card told apart.

Most wagers need nothing said.  This page lists the others by the first part of their names.  Games that depend on how a
hand is played are not here: they have engines of their own.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.game.kinds import wager_kind, wager_run
from croupier.once import dataclass


@dataclass(frozen=True, slots=True)
class Pricing:
    """`beside`: wagers of the same bettor that stand already; `exact_cards`: suits matter; `coups`: over so many.

    `one_row`: all wagers of the kind are worth the same, and a sheet shows the kind once.
    """

    beside: tuple[str, ...] = ()
    exact_cards: bool = False
    coups: int = 0
    one_row: bool = False


ROULETTE_KINDS = ("straight", "split", "street", "corner", "six_line", "column", "dozen")

PRICING: Mapping[tuple[str, str], Pricing] = {
    ("baccarat", "perfect_pairs"): Pricing(exact_cards=True),
    ("baccarat", "insurance"): Pricing(beside=("banker",)),
    **{("roulette", kind): Pricing(one_row=True) for kind in ROULETTE_KINDS},
    ("craps", "pass_odds"): Pricing(beside=("pass",)),
    ("craps", "dont_pass_behind"): Pricing(beside=("dont_pass",)),
    ("craps", "come_odds"): Pricing(beside=("come",)),
    ("craps", "dont_come_behind"): Pricing(beside=("dont_come",)),
}

PLAIN = Pricing()
NEEDS_SUITS = "needs the suits: give --cards"
"""Why a wager has no row where only the ranks are known."""


def pricing(game: str, wager: str) -> Pricing:
    """How a wager of a game is priced."""
    _, coups = wager_run(wager)
    return Pricing(coups=coups) if coups else PRICING.get((game, wager_kind(wager)), PLAIN)
