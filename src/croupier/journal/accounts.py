"""The names of accounts, and how transfers move money between them.

What a player has at a table is chips, or stakes in play; the rest is the house's.  A transfer takes from one account
what it gives to another, so that the sum of all balances is nothing after every event.

Journals and ledgers know an account by one text: what it is for, and whose it is.  `account` makes it, and `parted`
takes it apart; nobody else does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, TypeAlias

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

Kind: TypeAlias = (
    Literal["chips", "stakes", "owed", "seized", "due"]
    | Literal["tray", "drop", "pool", "retained", "bank", "entrant", "fees", "buy-ins"]
)
"""What accounts are for that are of somebody, or of a table, a link or a tournament."""

Balances = Mapping[str, Cents]


class Account(NamedTuple):
    """What an account is for, and whose it is; the operator's own are nobody's."""

    kind: str
    whose: str


def account(kind: Kind, whose: str) -> str:
    return f"{kind}:{whose}"


def parted(name: str) -> Account:
    kind, _, whose = name.partition(":")
    return Account(kind, whose)


class Unbalanced(Exception):
    """A transfer that no journal can hold: nothing, negative, or from an account to itself."""


def chips_of(player: str) -> str:
    return account("chips", player)


def stakes_of(player: str) -> str:
    """A stake is pending here until it is posted (lost to the bank) or voided (back to the player's chips)."""
    return account("stakes", player)


def owed_by(player: str) -> str:
    """What a player owes, commission or a payment recovered: a debt, so this account is never above zero."""
    return account("owed", player)


def seized_from(player: str) -> str:
    return account("seized", player)


def due_from(terminal: str) -> str:
    """What a correction left for whoever had cashed out of a terminal."""
    return account("due", terminal)


def waits_for(name: str) -> str:
    """Whom money concerns that a later change of a round gave or took, and that has not moved; else nobody."""
    kind, player = parted(name)
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
