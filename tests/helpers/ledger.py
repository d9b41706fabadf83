"""The ledger: double entry in whole cents, derived from the transfers of a journal and from nothing else.

Every transfer takes from one account what it gives to another, so the sum of all balances is zero after every event.
A stake is pending on the player's stake account until the wager is settled: then it is posted to the bank or goes back.
The ledger keeps, for each posting, the number of the journal line and the rule, so that any cent can be asked why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from croupier.journal.accounts import chips_of, moved, stakes_of
from croupier.journal.messages import Entry, Transfer
from croupier.money import Cents


@dataclass(frozen=True, slots=True)
class Posting:
    """One transfer with the journal line that made it."""

    line: int
    transfer: Transfer


@dataclass(frozen=True, slots=True)
class Ledger:
    """All balances, and every posting in order."""

    balances: Mapping[str, Cents] = field(default_factory=dict)
    postings: tuple[Posting, ...] = ()

    def of(self, account: str) -> Cents:
        return self.balances.get(account, 0)

    @property
    def total(self) -> Cents:
        """Zero, always."""
        return sum(self.balances.values())

    def worth_of(self, player: str) -> Cents:
        """What a player has at the table, in chips and in stakes."""
        return self.of(chips_of(player)) + self.of(stakes_of(player))

    def statement(self, account: str) -> tuple[Posting, ...]:
        """The postings that touched an account."""
        return tuple(p for p in self.postings if account in (p.transfer.debit, p.transfer.credit))


def _postings(entry: Entry[Any]) -> tuple[Posting, ...]:
    return tuple(Posting(entry.number, transfer) for transfer in entry.event.transfers)


def books(journal: Iterable[Entry[Any]]) -> Ledger:
    """The ledger of a whole journal, in time proportional to its length."""
    postings = tuple(posting for entry in journal for posting in _postings(entry))
    return Ledger(moved({}, (posting.transfer for posting in postings)), postings)
