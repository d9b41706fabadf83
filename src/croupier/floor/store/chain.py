"""The hash chain of a journal, and what breaks it.

Theory of operation.  The hash of a line is SHA-256 over the hash of the line before and the bytes of its body; before
line 1 stands a hash of the table's name, so a journal cannot be passed off as another table's.  `verify_chain` walks
every table from line 1 and holds the signed heads against the lines they speak of, from the database and from outside.
It stops at the first fault and names it; whatever stands before the fault is as it was written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Protocol, TypeAlias

from croupier.floor.store.appends import LedgerRow
from croupier.floor.store.heads import Head, is_genuine

GENESIS = b"croupier journal 1\n"


@dataclass(frozen=True, slots=True)
class StoredLine:
    """One line of a journal."""

    number: int
    body: bytes
    hash: bytes


@dataclass(frozen=True, slots=True)
class Sound:
    """Everything holds together; `unsigned` counts the lines after the last head of each table.

    `unwitnessed` counts those after the last head that is known outside the database: they could be rewritten unseen.
    """

    tables: int
    lines: int
    heads: int
    unsigned: int
    unwitnessed: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class BrokenLine:
    """The first line of a table that is not as it was written."""

    table: str
    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class BadHead:
    """A head that was not signed by a trusted key, or that says otherwise than the line it speaks of."""

    table: str
    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class MissingHead:
    """A head that must have existed is not in the database."""

    table: str
    ordinal: int


@dataclass(frozen=True, slots=True)
class Truncated:
    """The journal ends at `last`, but line `number` was signed or answered."""

    table: str
    number: int
    last: int


Moved: TypeAlias = Callable[[int, bytes], Iterable[LedgerRow]]
Fault: TypeAlias = BrokenLine | BadHead | MissingHead | Truncated


class Readable(Protocol):
    """What verifying needs of a store."""

    @property
    def trusted(self) -> frozenset[bytes]: ...
    def tables(self) -> tuple[str, ...]: ...
    def lines(self, table: str, first: int = 1) -> tuple[StoredLine, ...]: ...
    def each_line(self, table: str) -> Iterator[StoredLine]: ...
    def heads(self, table: str) -> tuple[Head, ...]: ...
    def headed_tables(self) -> tuple[str, ...]: ...
    def witnessed_heads(self) -> tuple[Head, ...]: ...
    def answered(self) -> Mapping[str, int]: ...
    def ledger_rows(self, table: str, first: int, last: int = ...) -> tuple[LedgerRow, ...]: ...


def genesis(table: str) -> bytes:
    """What stands before line 1."""
    return sha256(GENESIS + table.encode("utf-8", "surrogateescape")).digest()


def link(previous: bytes, body: bytes) -> bytes:
    """The hash of a line."""
    return sha256(previous + body).digest()


def follows(previous: bytes, body: bytes, hash: bytes) -> bool:
    """Whether a line with this body and this hash comes after that hash: what every reader of a chain asks."""
    return link(previous, body) == hash


def verify_chain(store: Readable, known: Iterable[Head] = ()) -> Sound | Fault:
    """The first fault of the whole store, or how much of it is sound; `known` are heads from exports or vouchers."""
    outside = _by_table((*store.witnessed_heads(), *known))
    answered = store.answered()
    total = Sound(0, 0, 0, 0)
    names = {*store.tables(), *store.headed_tables(), *outside, *answered}
    for table in sorted(names):
        found = _verify_table(store, table, outside=outside.get(table, ()), answered=answered.get(table, 0))
        if not isinstance(found, Sound):
            return found
        total = _sum(total, found)
    return total


def _by_table(heads: Iterable[Head]) -> dict[str, list[Head]]:
    sorted_out: dict[str, list[Head]] = {}
    for head in heads:
        sorted_out.setdefault(head.table, []).append(head)
    return sorted_out


def _sum(total: Sound, more: Sound) -> Sound:
    return Sound(
        total.tables + more.tables,
        total.lines + more.lines,
        total.heads + more.heads,
        total.unsigned + more.unsigned,
        total.unwitnessed + more.unwitnessed,
    )


def _verify_table(store: Readable, table: str, *, outside: Sequence[Head], answered: int) -> Sound | Fault:
    # The heads are read first: lines may be added meanwhile, and a head never speaks of a line that is not there yet.
    inside = store.heads(table)
    heads = (*inside, *outside)
    for head in heads:
        if not is_genuine(head, store.trusted):
            return BadHead(table, head.number, "the signature is not by a trusted key")
    walked = _walk(table, store.each_line(table), heads=heads)
    if not isinstance(walked, int):
        return walked
    furthest = max((answered, *(head.number for head in heads)))
    if furthest > walked:
        return Truncated(table, furthest, walked)
    missing = _missing(inside, outside)
    # A journal of which only refusals are known has no line, and so nothing that a head could speak of.
    if missing or (walked and not inside):
        return MissingHead(table, missing or 1)
    signed, known = (max((head.number for head in heads), default=0) for heads in (inside, outside))
    return Sound(1, walked, len(inside), walked - signed, walked - known)


def _walk(table: str, lines: Iterable[StoredLine], *, heads: Iterable[Head]) -> int | BrokenLine | BadHead:
    """The number of the last line, if every line follows from the one before and every head agrees with its line."""
    said: dict[int, set[bytes]] = {}
    for head in heads:
        said.setdefault(head.number, set()).add(head.hash)
    previous, last = genesis(table), 0
    if said.get(0, {previous}) != {previous}:
        return BadHead(table, 0, "the signed hash is not the one before line 1")
    for line in lines:
        if line.number != last + 1:
            return BrokenLine(table, last + 1, f"the line is missing; the next is {line.number}")
        last = line.number
        if not follows(previous, line.body, line.hash):
            return BrokenLine(table, last, "the hash does not follow from the line before and the body")
        previous = line.hash
        if said.get(last, {previous}) != {previous}:
            return BadHead(table, last, "the signed hash is not the hash of the line")
    return last


def _missing(inside: Sequence[Head], outside: Sequence[Head]) -> int | None:
    """The first ordinal that is not in the database though a later one was signed."""
    there = {head.ordinal for head in inside}
    most = max((head.ordinal for head in (*inside, *outside)), default=0)
    return next((ordinal for ordinal in range(1, most + 1) if ordinal not in there), None)


def verify_ledger(store: Readable, moved: Moved) -> BrokenLine | None:
    """The first line whose ledger rows are not the money that its body moved; `moved(number, body)` says what that is.

    The sum of the rows is zero whatever they say, since each takes what it gives; so they are held against the lines.
    """
    for table in store.tables():
        first = 1
        while page := store.lines(table, first):
            fault = _compare(table, page, store.ledger_rows(table, first, page[-1].number), moved=moved)
            if fault is not None:
                return fault
            first = page[-1].number + 1
        beyond = store.ledger_rows(table, first)
        if beyond:
            return BrokenLine(table, beyond[0].number, "ledger rows without a line")
    return None


def _compare(table: str, lines: Iterable[StoredLine], rows: Iterable[LedgerRow], *, moved: Moved) -> BrokenLine | None:
    by_line: dict[int, list[LedgerRow]] = {}
    for row in rows:
        by_line.setdefault(row.number, []).append(row)
    for line in lines:
        if by_line.pop(line.number, []) != list(moved(line.number, line.body)):
            return BrokenLine(table, line.number, "the ledger rows are not the money that the line moved")
    return None
