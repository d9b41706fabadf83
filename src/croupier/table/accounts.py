"""The names of accounts.  What a player has at a table is chips, or stakes in play; the rest is the house's."""

from __future__ import annotations

CASH = "cash"
CHEQUES = "cheques"
BANK = "bank"
COMMISSION = "commission"
HELD = "held"


def chips_of(player: str) -> str:
    return f"chips:{player}"


def stakes_of(player: str) -> str:
    """A stake is pending here until it is posted (lost to the bank) or voided (back to the player's chips)."""
    return f"stakes:{player}"


def owed_by(player: str) -> str:
    """Commission that a player owes: a debt, so this account is never above zero."""
    return f"owed:{player}"


def seized_from(player: str) -> str:
    return f"seized:{player}"
