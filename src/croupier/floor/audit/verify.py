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

from croupier.floor.audit.links import unborne
from croupier.floor.keeping import contests as contest_keeping
from croupier.floor.keeping import links as links_host
from croupier.floor.keeping.accounts import PEOPLE, row_of
from croupier.floor.keeping.devices import DEVICES
from croupier.floor.keeping.house import CAGE
from croupier.floor.keeping.keeper import Kind
from croupier.floor.keeping.telling.feed import FEED
from croupier.floor.keeping.telling.significant import SIGNIFICANT
from croupier.floor.keeping.telling.webhooks import HOOKS
from croupier.floor.keeping.vouchers import IssuedVouchers
from croupier.floor.store.appends import LedgerRow
from croupier.floor.store.chain import Sound, verify_chain, verify_ledger
from croupier.floor.store.copies.second import compared
from croupier.floor.store.durable import Store, open_reader
from croupier.floor.store.engines import BadStore, log_damage, one_line, told_plainly
from croupier.house.cage import state as cage_state
from croupier.house.devices import decide as devices
from croupier.house.feed import hooks as hook_lines
from croupier.house.feed import lines as feed_lines
from croupier.house.jackpot.state import Link
from croupier.house.people import decide as people
from croupier.house.significant import decide as significant
from croupier.house.tournament.state import Tournament
from croupier.journal.entries import BadJournal
from croupier.journal.messages import Transfer
from croupier.money import dollars
from croupier.rulesets import known_game, ruleset_of_journal
from croupier.table.events import TableEntry, TableOpened, WagerSettled, decode
from croupier.table.evolve import after
from croupier.table.money.settling import settled
from croupier.table.state import Table, new_table


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found: `fault` is the first, in one line, or nothing."""

    tables: int
    lines: int
    heads: int
    settlements: int
    fault: str = ""
    unwitnessed: int = 0
    """Lines after the last head that is known outside the database."""


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


def verify(url: str, key_path: Path | None, witness: str = "", second: Path | None = None) -> Verified:
    """The first fault of a store, or how much of it is sound; `witness` is where heads went besides the key's file.

    With a second journal, every row of that must be in the database as it is there.
    """
    with open_reader(url, key_path=key_path, witness=witness) as store:
        found = sound_books(store, second)
        return _verified(store, found) if isinstance(found, Sound) else Verified(0, 0, 0, 0, fault=found)


def sound_books(store: Store, second: Path | None = None) -> Sound | str:
    """Whether files, chain, ledger and second journal hold together, whatever the lines mean; or the first fault."""
    try:
        with told_plainly(store.opened.name):
            if damaged := _damaged(store):
                return damaged
            chain = verify_chain(store)
            if not isinstance(chain, Sound):
                return f"the chain: {chain}"
            if (ledger := verify_ledger(store, moved)) is not None:
                return f"the ledger: {ledger}"
            wrong = compared(store, second) if second is not None else ""
            return f"the second journal has it otherwise: {wrong}" if wrong else chain
    except BadStore as error:
        return str(error)


def _damaged(store: Store) -> str:
    """What the files of the database themselves show: a log that was damaged, pages that do not hang together."""
    if store.opened.shared:
        return ""
    if (found := log_damage(Path(store.opened.name))) is not None:
        return f"the files: {found}"
    with store.opened.reading.connect() as connection:
        answer = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
    return "" if answer == "ok" else f"the files: {one_line(ValueError(answer))}"


def _verified(store: Store, chain: Sound) -> Verified:
    settlements = 0
    for name in store.tables():
        found = replayed(store, name) if kind_of(name) else redecided(store, name)
        if isinstance(found, str):
            return Verified(chain.tables, chain.lines, chain.heads, settlements, fault=f"{name}: {found}")
        settlements += found
    return Verified(chain.tables, chain.lines, chain.heads, settlements, unwitnessed=chain.unwitnessed)


KINDS: Final[Mapping[str, tuple[Kind[Any], Any]]] = {
    cage_state.NAME: (CAGE, cage_state.Cage()),
    people.JOURNAL: (PEOPLE, people.People()),
    devices.JOURNAL: (DEVICES, devices.Devices()),
    feed_lines.JOURNAL: (FEED, feed_lines.FeedProgress()),
    hook_lines.JOURNAL: (HOOKS, hook_lines.HooksSoFar()),
    significant.JOURNAL: (SIGNIFICANT, significant.Significant()),
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
        except BadJournal as error:
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
        case feed_lines.FeedProgress():
            return _untrue(store, state)
        case significant.Significant():
            return _unseen(store, state)
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


def _untrue(store: Store, feed: feed_lines.FeedProgress) -> int | str:
    """That the feed of events tells of no line that is not there."""
    beyond = (name for name, last in feed.ends.items() if store.last(name)[0] < last)
    return next((f"the feed tells of lines of {name} that are not there" for name in beyond), 0)


def _unseen(store: Store, book: significant.Significant) -> int | str:
    """That what somebody is to acknowledge was read from a line that is there."""
    beyond = (each for each in book.open.values() if each.journal and store.last(each.journal)[0] < each.line)
    return next((f"line {each.line} of {each.journal} is to be acknowledged and is not there" for each in beyond), 0)


def _unissued(store: Store, cage: cage_state.Cage) -> int | str:
    """That every voucher the cage paid was issued, by some journal and for that amount."""
    book = IssuedVouchers(store)
    book.catch_up(dict.fromkeys(store.tables(), cage.practice))
    for code, ended in cage.ended.items():
        issued = book.found.get(code)
        if issued is None or issued.amount != ended.amount:
            return f"a voucher was {ended.how} for {dollars(ended.amount)} that nobody issued so: … {code[-8:]}"
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


def table_of(name: str, first: TableEntry) -> Table:
    """The table that a journal begins with, made from the law its first line names."""
    if not isinstance(first.event, TableOpened):
        raise BadJournal(f"{name}: a journal begins with the opening of the table")
    rules = ruleset_of_journal(first.event.law)
    return new_table(name, known_game(rules.game), rules)
