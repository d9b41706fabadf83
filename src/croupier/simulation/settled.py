"""What a resolution comes to per unit staked: the money of `round.settle`, with a stake that any odds divide."""

from __future__ import annotations

from fractions import Fraction

from croupier.exact.automaton import STAKE
from croupier.game import Resolution, Rounding, Wager
from croupier.round import BookLine, settle
from croupier.simulation.plan import BinEnding


def ending(resolution: Resolution) -> BinEnding:
    """How a wager that was decided so ended."""
    return BinEnding(resolution.result, net_of(resolution), resolution.rule)


def net_of(resolution: Resolution, wager: Wager | None = None) -> Fraction:
    """The net per unit of the stake that lay on the layout, a fee paid with it counted."""
    placed = wager or Wager("", STAKE)
    money = settle(BookLine(placed, resolution), Rounding.EXACT, 1)
    paid = placed.stake_cents + placed.voided_cents + placed.fee_cents
    return Fraction(money.net_cents(paid), placed.stake_cents)
