"""What can be asked of the store's writer, and what it answers, on one page.

An `Append` is one unit of work: the lines of one command with the money they move and the answer the command gets.  It
is durable as a whole or not at all.  The answers are a closed union; a "no" is a value, never an exception.  Input that
no journal can hold is a `BadAppend`, raised where it is handed in, before anything is queued.  What there is one of
for every command is a struct, which is made in a tenth of the time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from croupier.money import Cents

LONGEST_NAME = 200
GREATEST_NUMBER = 2**63 - 1

_COMMAND_ID = re.compile(r"[0-9a-f]{32}\Z")


class BadAppend(ValueError):
    """Work that cannot be stored as it is, in one line that names the input."""


class Stopped(Exception):
    """A journal cannot be written or read here now, but the same may be asked again: the reason, in one line."""


class Awaiting(Protocol):
    """Who waits for an answer: a future, or somebody who does without one and is told where the answer became known."""

    def done(self) -> bool:
        """Whether nothing is waited for any more."""

    def set_result(self, result: Any, /) -> None: ...

    def set_exception(self, exception: Any, /) -> None: ...


class LedgerRow(Struct, frozen=True, gc=False):
    """Money that line `number` of the journal moved."""

    number: int
    debit: str
    credit: str
    cents: Cents
    rule: str


@dataclass(frozen=True, slots=True)
class AccountRow:
    """What is now true of a person of the house; no verifier means that the one there is stays."""

    name: str
    roles: str
    kind: str
    failures: int
    locked_until_ms: int
    must_change: bool
    disabled: bool
    verifier: str = field(default="", repr=False)


class Append(Struct, frozen=True):
    """New lines for a table whose last line is `after`; a refused command has an answer but no lines.

    `accounts` are written with the lines that speak of them, so that neither is ever true without the other.
    `request` marks what was asked and by whom: the command id belongs to that, and to nothing else.
    """

    table: str
    after: int
    command: str
    lines: tuple[bytes, ...]
    ledger: tuple[LedgerRow, ...]
    answer: bytes
    accounts: tuple[AccountRow, ...] = ()
    request: str = ""
    sign: bool = False
    """Whether the head is to be signed with these lines: a round has ended, say."""
    epoch: int | None = None
    """The ownership under which it was decided; under a later one, others may have written in its place."""


@dataclass(frozen=True, slots=True)
class SignHead:
    """Sign the head of a table's chain as it then is; the time is the caller's."""

    table: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class KeepSnapshot:
    """Keep the state of a table after line `number`, in place of the one kept before."""

    table: str
    number: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Own:
    """Become the one process that appends to a table."""

    table: str


@dataclass(frozen=True, slots=True)
class LivingProcess:
    """A process that shares the database: its number as an owner, and where it answers."""

    owner: int
    address: str


@dataclass(frozen=True, slots=True)
class Release:
    """Let another process own a table: whoever takes it first, or the one that is named."""

    table: str
    to: LivingProcess | None = None


Work: TypeAlias = Append | SignHead | KeepSnapshot | Own | Release

# ---------------------------------------------------------------- answers


class Appended(Struct, frozen=True, gc=False):
    """Durable: the table's last line is now `last`, and `hash` the hash of its chain."""

    table: str
    last: int
    hash: bytes


class Repeated(Struct, frozen=True, gc=False):
    """The command id is known: nothing was done, and this is the answer it got then."""

    table: str
    last: int
    answer: bytes
    request: str = ""

    def is_of(self, table: str, request: str) -> bool:
        """Whether it was this that was asked then; what an earlier version answered is known by its journal only."""
        return self.table == table and self.request in ("", request)


@dataclass(frozen=True, slots=True)
class IdTaken:
    """The command id belongs to another request.  Nothing was done, and nothing is told of the other."""

    table: str


@dataclass(frozen=True, slots=True)
class Stale:
    """The table has moved on: its last line is `last`, not the one expected.  Nothing was done."""

    table: str
    expected: int
    last: int


@dataclass(frozen=True, slots=True)
class NotOwner:
    """Another process owns the table, or none does.  Nothing was done."""

    table: str


@dataclass(frozen=True, slots=True)
class Owned:
    """This process owns the table; `epoch` counts its owners, `last` and `hash` are where its journal stands."""

    table: str
    epoch: int
    last: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class OwnedElsewhere:
    """A live process owns the table and answers at `address`."""

    table: str
    address: str


@dataclass(frozen=True, slots=True)
class Kept:
    """The snapshot is durable."""

    table: str
    number: int


@dataclass(frozen=True, slots=True)
class Released:
    table: str


AppendAnswer: TypeAlias = Appended | Repeated | IdTaken | Stale | NotOwner

# ---------------------------------------------------------------- what a journal can hold


def command_id(text: str) -> str:
    """A 128-bit id as 32 hexadecimal digits; a UUID's hyphens and capitals are put aside."""
    if _COMMAND_ID.match(text):
        return text
    plain = text.replace("-", "").lower()
    if not _COMMAND_ID.match(plain) or len(text) not in (32, 36):
        raise BadAppend(f"command id {text[:60]!r}: 32 hexadecimal digits, or a UUID")
    return plain


def checked_table(name: str) -> str:
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise BadAppend(f"table name {name[:60]!r}: 1 to {LONGEST_NAME} printable characters")
    return name


def checked(unit: Append) -> Append:
    """The unit with its command id in the plain form, if a journal can hold it."""
    checked_table(unit.table)
    if unit.after < 0:
        raise BadAppend(f"{unit.table}: the last line cannot be {unit.after}")
    for line in unit.lines:
        _check_line(unit.table, line)
    for row in unit.ledger:
        _check_row(unit, row)
    if unit.accounts and not unit.lines:
        raise BadAppend(f"{unit.table}: people cannot change without a line that says so")
    plain = command_id(unit.command)
    return unit if plain == unit.command else replace(unit, command=plain)


def _check_line(table: str, line: bytes) -> None:
    """A line is text to SQL, in both databases: UTF-8 without the character zero."""
    if not line.isascii():
        try:
            line.decode()
        except UnicodeDecodeError:
            raise BadAppend(f"{table}: a line that is not UTF-8: {line[:40]!r}") from None
    if not line or b"\0" in line:
        raise BadAppend(f"{table}: a line that is empty or holds the character zero: {line[:40]!r}")


def _check_row(unit: Append, row: LedgerRow) -> None:
    if not unit.after < row.number <= unit.after + len(unit.lines):
        raise BadAppend(f"{unit.table}: money on line {row.number}, which is not among the new lines")
    if not 0 < row.cents <= GREATEST_NUMBER or row.debit == row.credit:
        raise BadAppend(f"{unit.table}: no transfer: {row.cents} from {row.debit!r} to {row.credit!r}")
    if "\0" in row.debit + row.credit + row.rule:
        raise BadAppend(f"{unit.table}: the character zero in an account or a rule: {row.debit!r}, {row.credit!r}")
