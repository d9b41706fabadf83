"""Verifying a store: nothing was changed, nothing was cut off, the money is what the lines moved, the rules were kept.

Four questions, each of the whole store: does every line follow from the one before, and every signed head agree; are
the ledger rows the money of the lines, with a sum of nothing; does every journal lead to a table, fact by fact, by the
rules it was opened under; and is every settlement what those rules make of the round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from croupier.floor import contest_keeping, links_host
from croupier.floor.accounts import PEOPLE, row_of
from croupier.floor.appends import LedgerRow
from croupier.floor.chain import Sound, verify_chain, verify_ledger
from croupier.floor.devices import DEVICES
from croupier.floor.house import CAGE
from croupier.floor.keeper import Kind
from croupier.floor.links_verify import unborne
from croupier.floor.store import Store, open_reader
from croupier.floor.vouchers import Book
from croupier.house import cage_state, devices, people
from croupier.house.jackpot_state import Link
from croupier.house.journal import BadJournal as HouseBadJournal
from croupier.house.tournament_state import Tournament
from croupier.rulesets import known_game, ruleset
from croupier.table.events import Entry, TableOpened, Transfer, WagerSettled, decode
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


class _Moving(msgspec.Struct):
    """The part of an event, of whatever journal, that moves money."""

    transfers: tuple[Transfer, ...] = ()


class _Moved(msgspec.Struct):
    event: _Moving


_MOVED = msgspec.json.Decoder(_Moved)


def moved(number: int, body: bytes) -> Iterator[LedgerRow]:
    """The money that a line moved."""
    for move in _MOVED.decode(body).event.transfers:
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
            found = replayed(store, name) if kind_of(name) else redecided(store, name)
            if isinstance(found, str):
                return Verified(chain.tables, chain.lines, chain.heads, settlements, fault=f"{name}: {found}")
            settlements += found
    return Verified(chain.tables, chain.lines, chain.heads, settlements)


KINDS: Final[Mapping[str, tuple[Kind[Any], Any]]] = {
    cage_state.NAME: (CAGE, cage_state.Cage()),
    people.JOURNAL: (PEOPLE, people.People()),
    devices.JOURNAL: (DEVICES, devices.Devices()),
}
"""The journals of the house that are no tables: how each is read, and what it begins with."""


def kind_of(name: str) -> tuple[Kind[Any], Any] | None:
    """The same for any name; nothing if it is that of a table."""
    return KINDS.get(name) or links_host.begun(name) or contest_keeping.begun(name)


def readable(store: Store, name: str) -> Any:
    """What a journal of the house leads to, read from end to end; or, in words, where it cannot be read."""
    found = kind_of(name)
    if found is None:
        return "no journal of the house"
    kind, state = found
    for line in store.each_line(name):
        try:
            state = kind.after(state, (kind.decode(line.body),))
        except HouseBadJournal as error:
            return f"line {line.number}: {error}"
    return state


def replayed(store: Store, name: str) -> int | str:
    """That a journal of the house can be read from end to end and its balances add up; it has no settlements."""
    state = readable(store, name)
    match state:
        case str():
            return state
        case cage_state.Cage() | Link() | Tournament() if sum(state.balances.values()):
            return "the balances do not add up to nothing"
        case cage_state.Cage():
            return _unissued(store, state)
        case people.People():
            return _altered(store, state)
        case Link():
            return unborne(store, name, state) or 0
        case _:
            return 0


def _altered(store: Store, known: people.People) -> int | str:
    """That the accounts in the database are what the journal says of them, with the passwords that were set."""
    there = {people.plain(row.name): row for row in store.accounts()}
    for name in sorted({*there, *known.by_name}):
        row, person = there.get(name), known.by_name.get(name)
        if row is None or person is None or row != row_of(person, row.verifier):
            return f"the account of {name!r} is not what the journal says"
        if people.mark_of(row.verifier) != person.mark:
            return f"the password of {name!r} is not the one that was set"
    return 0


def _unissued(store: Store, cage: cage_state.Cage) -> int | str:
    """That every voucher the cage paid was issued, by some journal and for that amount."""
    book = Book(store)
    book.catch_up(dict.fromkeys(store.tables(), cage.practice))
    for code, ended in cage.ended.items():
        issued = book.found.get(code)
        if issued is None or issued.amount != ended.amount:
            return f"a voucher was {ended.how} for {ended.amount} cents that nobody issued so: … {code[-8:]}"
        if ended.how == "paid" and issued.paid:
            return f"a voucher was paid here and at table {issued.table}: … {code[-8:]}"
    return 0


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
