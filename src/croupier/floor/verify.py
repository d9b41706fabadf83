"""Verifying a store: nothing was changed, nothing was cut off, the money is what the lines moved, the rules were kept.

Four questions, each of the whole store: does every line follow from the one before, and every signed head agree; are
the ledger rows the money of the lines, with a sum of nothing; does every journal lead to a table, fact by fact, by the
rules it was opened under; and is every settlement what those rules make of the round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from croupier.floor.appends import LedgerRow
from croupier.floor.chain import Sound, verify_chain, verify_ledger
from croupier.floor.store import Store, open_reader
from croupier.rulesets import known_game, ruleset
from croupier.table.events import Entry, TableOpened, WagerSettled, decode
from croupier.table.evolve import BadJournal, after
from croupier.table.settling import settled
from croupier.table.state import Table, new_table


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found: `fault` is the first, in one line, or nothing."""

    tables: int
    lines: int
    heads: int
    settlements: int
    fault: str = ""


def moved(number: int, body: bytes) -> Iterator[LedgerRow]:
    """The money that a line moved."""
    for move in decode(body).event.transfers:
        yield LedgerRow(number, move.debit, move.credit, move.amount, move.rule)


def verify(url: str, key_path: Path | None) -> Verified:
    """The first fault of a store, or how much of it is sound."""
    with open_reader(url, key_path=key_path) as store:
        chain = verify_chain(store)
        if not isinstance(chain, Sound):
            return Verified(0, 0, 0, 0, fault=f"the chain: {chain}")
        ledger = verify_ledger(store, moved)
        if ledger is not None:
            return Verified(chain.tables, chain.lines, chain.heads, 0, fault=f"the ledger: {ledger}")
        settlements = 0
        for name in store.tables():
            found = redecided(store, name)
            if isinstance(found, str):
                return Verified(chain.tables, chain.lines, chain.heads, settlements, fault=f"{name}: {found}")
            settlements += found
    return Verified(chain.tables, chain.lines, chain.heads, settlements)


def redecided(store: Store, name: str) -> int | str:
    """How many settlements of a table are what its rules make of its rounds; or the first that is not."""
    table: Table | None = None
    checked = 0
    for line in store.each_line(name):
        entry = decode(line.body)
        table = table or table_of(name, entry)
        if isinstance(entry.event, WagerSettled) and not entry.event.apart:
            booked = table.line(entry.event.number)
            if booked is None or settled(table, booked) != entry.event:
                return f"line {line.number}: wager {entry.event.number} was not settled as its rules say"
            checked += 1
        try:
            table = after(table, (entry,))
        except BadJournal as error:
            return f"line {line.number}: {error}"
    if table is not None and table.balances and sum(table.balances.values()):
        return "the balances do not add up to nothing"
    return checked


def table_of(name: str, first: Entry) -> Table:
    """The table that a journal begins with, made from the law its first line names."""
    if not isinstance(first.event, TableOpened):
        raise BadJournal(f"{name}: a journal begins with the opening of the table")
    law: dict[str, Any] = first.event.law
    rules = ruleset(
        law["edition"],
        game=law["game"],
        version=law["version"],
        elections=law["elections"],
        readings=law["readings"],
    )
    return new_table(name, known_game(law["game"]), rules)
