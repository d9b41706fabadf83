"""Vouchers on the floor: new numbers by chance, and the book of those that were issued (and of notes taken).

Theory of operation.  A voucher is issued by a line in the journal of a table (or of the cage), and that line, once
durable, is the only proof of it.  The book reads the journals forward from where it stood, whenever somebody asks, and
remembers where and when each number was issued; it never writes and can be thrown away.  Whether a voucher was paid is
the cage's own knowledge.

A number that was issued twice is nobody's fault but a forger's or a fault's: such a voucher is held.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

import msgspec

from croupier.floor.chain import Line
from croupier.floor.host import Host
from croupier.floor.store import Store
from croupier.game import Refusal
from croupier.house.cage_law import CAGE_RULES as RULES
from croupier.house.cage_messages import Issued
from croupier.house.cage_state import NAME
from croupier.house.voucher_code import CHANCE, Mistyped, code_of, read_code
from croupier.money import Cents
from croupier.table.commands import AnyCommand, BuyChips
from croupier.table.terminal_commands import CashOut, PayDue, RedeemVoucher

ISSUED: Final = b'"VoucherIssued"'
REDEEMED: Final = b'"VoucherRedeemed"'
NOTES: Final = b'"NotesInserted"'
VOUCHER: Final = "voucher"
TWICE: Final = "its number was issued twice"


def new_code() -> str:
    """A number that nobody can guess, with its check pair."""
    return code_of(secrets.randbelow(10**CHANCE))


def at_table(command: AnyCommand) -> AnyCommand | Refusal:
    """What a table may be asked about vouchers from outside: to issue one, under a number that is made here.

    Where there is a cage, a table pays no voucher: it does not know what the cage has paid.
    """
    if isinstance(command, RedeemVoucher):
        return Refusal("vouchers are paid at the cage, which knows whether one was paid before", RULES.redeemed.rule)
    if isinstance(command, BuyChips) and command.tender == VOUCHER:
        said = "a voucher is no tender at a table: the cage pays it, which knows whether it was paid before"
        return Refusal(said, RULES.redeemed.rule)
    if isinstance(command, CashOut | PayDue):
        return msgspec.structs.replace(command, voucher=new_code())
    return command


class _Event(msgspec.Struct):
    """The parts of an event that say which voucher it is about, or which notes."""

    type: str
    notes: tuple[int, ...] = ()
    voucher: str = ""
    amount: int = 0
    terminal: str = ""


class _Entry(msgspec.Struct):
    at_ms: int
    event: _Event


# Made here and not at the first use, which may be in two threads at once.
_ENTRIES = msgspec.json.Decoder(_Entry)


def plain(voucher: str) -> str:
    """A number as the book keeps it; what is no number of ours stays as it is."""
    try:
        return read_code(voucher)
    except Mistyped:
        return voucher


@dataclass(slots=True)
class Book:
    """Every voucher that a durable journal issued, and the notes that each terminal took."""

    store: Store
    found: dict[str, Issued] = field(default_factory=dict)
    notes: dict[tuple[str, str], Cents] = field(default_factory=dict)
    read: dict[str, int] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def catch_up(self, practice: Mapping[str, bool]) -> None:
        """Read what the journals hold since; `practice` names them, and says which of them are not money."""
        with self.lock:
            for name, not_money in practice.items():
                self._read(name, practice=not_money)

    def _read(self, name: str, *, practice: bool) -> None:
        for line in self.store.each_line(name, self.read.get(name, 0) + 1):
            # Most lines are of no voucher: a look at the bytes is enough for them.
            if ISSUED in line.body or REDEEMED in line.body or NOTES in line.body:
                self._note(name, line, practice=practice)
            self.read[name] = line.number

    def _note(self, name: str, line: Line, *, practice: bool) -> None:
        entry = _ENTRIES.decode(line.body)
        code, event = plain(entry.event.voucher), entry.event
        before = self.found.get(code)
        if event.type == "VoucherRedeemed" and before is not None:
            self.found[code] = msgspec.structs.replace(before, paid=True)
        elif event.type == "NotesInserted":
            box = (name, event.terminal)
            self.notes[box] = self.notes.get(box, 0) + sum(event.notes)
        elif event.type == "VoucherIssued" and before is not None:
            self.found[code] = msgspec.structs.replace(before, held=TWICE)
        elif event.type == "VoucherIssued":
            self.found[code] = Issued(name, event.amount, entry.at_ms, line.number, event.terminal, practice)


def issued_by(store: Store, journal: str, last: int) -> str:
    """The number of the voucher that a command issued whose last line this is; a repeated command gets the same.

    A cash-out may free its terminal on the line after.
    """
    lines = store.lines(journal, max(1, last - 1), 2 if last > 1 else 1)
    found = [_ENTRIES.decode(line.body).event.voucher for line in lines if ISSUED in line.body]
    return plain(found[-1]) if found else ""


def journals(hosts: Mapping[str, Host], *, practice: bool) -> dict[str, bool]:
    """The journals that issue vouchers: those of the tables, and the cage's."""
    return {**{name: host.practice for name, host in hosts.items()}, NAME: practice}


def locked(issued: Issued, hosts: Mapping[str, Host]) -> Issued:
    """The issue with the hold that a malfunction at its table puts on it.

    By reading of NZEB-12.4 and 12.5b: while a case about a terminal (or the whole system) is open, what it printed is
    not paid, since nobody knows yet which of it was credited by the fault.
    """
    host = hosts.get(issued.table)
    if host is None or issued.held:
        return issued
    locks = host.shown.locks
    where = issued.terminal if issued.terminal in locks else "the game system" if "" in locks else ""
    reason = f"{where} of {issued.table} is locked while a malfunction is looked into"
    return msgspec.structs.replace(issued, held=reason) if where else issued


def issue_of(book: Book, hosts: Mapping[str, Host], voucher: str, *, practice: bool) -> Issued | None:
    """What the durable journals say of a voucher, now."""
    book.catch_up(journals(hosts, practice=practice))
    issued = book.found.get(plain(voucher))
    return None if issued is None else locked(issued, hosts)


def newest(book: Book) -> Iterable[tuple[str, Issued]]:
    """The vouchers, the newest first."""
    return sorted(book.found.items(), key=lambda each: (-each[1].at_ms, each[1].line))
