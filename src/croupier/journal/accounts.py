"""The names of accounts, and how transfers move money between them.

What a player has at a table is chips, or stakes in play; the rest is the house's.  A transfer takes from one account
what it gives to another, so that the sum of all balances is nothing after every event.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from croupier.journal.messages import Transfer
from croupier.money import Cents

CASH = "cash"
CHEQUES = "cheques"
BANK = "bank"
COMMISSION = "commission"
HELD = "held"
VOUCHERS = "vouchers"
HOUSE = "house"
"""The operator's own money."""

Balances = Mapping[str, Cents]


class Unbalanced(Exception):
    """A transfer that no journal can hold: nothing, negative, or from an account to itself."""


def chips_of(player: str) -> str:
    return f"chips:{player}"


def stakes_of(player: str) -> str:
    """A stake is pending here until it is posted (lost to the bank) or voided (back to the player's chips)."""
    return f"stakes:{player}"


def owed_by(player: str) -> str:
    """What a player owes, commission or a payment recovered: a debt, so this account is never above zero."""
    return f"owed:{player}"


def seized_from(player: str) -> str:
    return f"seized:{player}"


def due_from(terminal: str) -> str:
    """What a correction left for whoever had cashed out of a terminal."""
    return f"due:{terminal}"


def waits_for(account: str) -> str:
    """Whom money concerns that a later change of a round gave or took, and that has not moved; else nobody."""
    kind, _, player = account.partition(":")
    return player if kind in ("owed", "due") else ""


def moves(*transfers: Transfer) -> tuple[Transfer, ...]:
    """The transfers that move anything."""
    return tuple([transfer for transfer in transfers if transfer.amount])


def moved(balances: Balances, transfers: Iterable[Transfer]) -> Balances:
    """The balances after these transfers."""
    after = dict(balances)
    known = after.get
    for transfer in transfers:
        debit, credit, amount = transfer.debit, transfer.credit, transfer.amount
        if amount <= 0 or debit == credit:
            raise Unbalanced(f"{debit} to {credit}: {amount}")
        after[debit] = known(debit, 0) - amount
        after[credit] = known(credit, 0) + amount
    return after
