"""Vouchers on the floor: new numbers by chance, and the book of those that were issued (and of notes taken).

Theory of operation.  A voucher is issued by a line in the journal of a table (or of the cage), and that line, once
durable, is the only proof of it.  The book reads the journals forward from where it stood, whenever somebody asks, and
remembers where and when each number was issued; it never writes and can be thrown away.  Whether a voucher was paid is
the cage's own knowledge.

A number that was issued twice is nobody's fault but a forger's or a fault's: such a voucher is held.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

import msgspec
from sqlalchemy import func, select

from croupier.floor.keeping.host import Host
from croupier.floor.store.chain import StoredLine
from croupier.floor.store.durable import Store
from croupier.floor.store.heads import is_genuine
from croupier.floor.store.schema import ledger
from croupier.floor.wire import Answer
from croupier.game import Refusal
from croupier.house.cage.codes import CHANCE, MARKED, Mistyped, code_of, is_mark, read_code
from croupier.house.cage.law import RULES
from croupier.house.cage.messages import Issued
from croupier.house.cage.state import NAME
from croupier.journal.accounts import VOUCHERS
from croupier.money import Cents
from croupier.table.commands import AnyCommand, BuyChips
from croupier.table.terminals.commands import CashOut, PayDue, RedeemVoucher
from croupier.table.terminals.malfunctions import credited_by_fault

ISSUED: Final = b'"VoucherIssued"'
REDEEMED: Final = b'"VoucherRedeemed"'
NOTES: Final = b'"NotesInserted"'
VOUCHER: Final = "voucher"
TWICE: Final = "its number was issued twice"
UNCOVERED: Final = "the ledger of its table does not cover it"
UNSIGNED: Final = "its line is not signed yet: try again in a moment"
ENDS: Final = (b'"VoucherPaid"', b'"VoucherExpired"', b'"VoucherVoided"')
MARK_DIGITS: Final = 40
FIGURES: Final = 4


@dataclass(frozen=True, slots=True)
class VoucherNumbers:
    """The numbers of the vouchers of a house, made with a key that is in no journal and no database.

    The number of a voucher follows from the key and the command that issues it, so that the same command again is told
    the same number, and it lies nowhere.  The journals keep its mark, which leads nobody back to it.
    """

    key: bytes = field(repr=False)

    def number(self, journal: str, command: str, by: str) -> str:
        """A number that nobody can guess, with its check pair."""
        return code_of(int.from_bytes(self._keyed("number", journal, command, by)) % 10**CHANCE)

    def mark(self, code: str) -> str:
        """What the journals keep of a number: a keyed hash, and the last figures, by which people tell papers apart."""
        return f"{MARKED}{self._keyed('mark', code).hex()[:MARK_DIGITS]}-{code[-FIGURES:]}"

    def reveal(self, answer: Answer, journal: str, by: str) -> Answer:
        """The answer to whoever may know it: with the number in the place of its mark."""
        if not answer.voucher or not is_mark(answer.voucher):
            return answer
        code = self.number(journal, answer.id, by)
        return msgspec.structs.replace(answer, voucher=code if self.mark(code) == answer.voucher else "")

    def _keyed(self, *parts: str) -> bytes:
        return hmac.digest(self.key, "\n".join(("croupier voucher 1", *parts)).encode(), "sha256")


def at_table(command: AnyCommand, mark: Callable[[], str]) -> AnyCommand | Refusal:
    """What a table may be asked about vouchers from outside: to issue one, under a number whose mark is made now.

    Where there is a cage, a table pays no voucher: it does not know what the cage has paid.
    """
    if isinstance(command, RedeemVoucher):
        return Refusal("vouchers are paid at the cage, which knows whether one was paid before", RULES.redeemed.rule)
    if isinstance(command, BuyChips) and command.tender == VOUCHER:
        said = "a voucher is no tender at a table: the cage pays it, which knows whether it was paid before"
        return Refusal(said, RULES.redeemed.rule)
    if isinstance(command, CashOut | PayDue):
        return msgspec.structs.replace(command, voucher=mark())
    return command


class _Event(msgspec.Struct):
    """The parts of an event that say which voucher it is about, or which notes."""

    type: str
    notes: tuple[int, ...] = ()
    voucher: str = ""
    amount: int = 0
    terminal: str = ""
    table: str = ""


class _Entry(msgspec.Struct):
    at_ms: int
    event: _Event


# Made here and not at the first use, which may be in two threads at once.
_ENTRIES = msgspec.json.Decoder(_Entry)


def plain(voucher: str) -> str:
    """A number as the book keeps it, from before there were marks; what is no number of ours stays as it is."""
    try:
        return read_code(voucher)
    except Mistyped:
        return voucher


@dataclass(slots=True)
class IssuedVouchers:
    """Every voucher that a durable journal issued, and the notes that each terminal took."""

    store: Store
    found: dict[str, Issued] = field(default_factory=dict)
    notes: dict[tuple[str, str], Cents] = field(default_factory=dict)
    read: dict[str, int] = field(default_factory=dict)
    settled: dict[str, dict[str, Cents]] = field(default_factory=dict)
    """What the cage has settled of each table's vouchers: paid, given up or refused, each once."""
    lock: Lock = field(default_factory=Lock)

    def catch_up(self, practice: Mapping[str, bool]) -> None:
        """Read what the journals hold since; `practice` names them, and says which of them are not money."""
        with self.lock:
            for name, not_money in practice.items():
                self._read(name, practice=not_money)

    def _read(self, name: str, *, practice: bool) -> None:
        for line in self.store.each_sound_line(name, self.read.get(name, 0) + 1):
            # Most lines are of no voucher: a look at the bytes is enough for them.
            if ISSUED in line.body or REDEEMED in line.body or NOTES in line.body:
                self._note(name, line, practice=practice)
            elif name == NAME and any(each in line.body for each in ENDS):
                event = _ENTRIES.decode(line.body).event
                self.settled.setdefault(event.table, {})[plain(event.voucher)] = event.amount
            self.read[name] = line.number

    def _note(self, name: str, line: StoredLine, *, practice: bool) -> None:
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


def journals(hosts: Mapping[str, Host], *, practice: bool) -> dict[str, bool]:
    """The journals that issue vouchers: those of the tables, and the cage's."""
    return {**{name: host.practice for name, host in hosts.items()}, NAME: practice}


def locked(issued: Issued, hosts: Mapping[str, Host]) -> Issued:
    """The issue with the hold that a malfunction at its table puts on it.

    By reading of NZEB-12.4 and 12.5b: while a case about a terminal (or the whole system) is open, what it printed
    since the malfunction is not paid, since nobody knows yet which of it was credited by the fault.  What it printed
    before is paid as ever (10.6).
    """
    host = hosts.get(issued.table)
    if host is None or issued.held:
        return issued
    table = host.shown
    where = issued.terminal if issued.terminal in table.locks else "the game system" if "" in table.locks else ""
    found = credited_by_fault(table, issued.terminal, issued.key) if where else None
    if found is None:
        return issued
    reason = f"{where} of {issued.table} is locked while a malfunction is looked into"
    return msgspec.structs.replace(issued, held=reason, case=found.case, since=found.since, credited=found.credited)


def issue_of(
    book: IssuedVouchers, hosts: Mapping[str, Host], numbers: VoucherNumbers, voucher: str, *, practice: bool
) -> Issued | None:
    """What the durable journals say of a voucher, now; one that its table's money does not bear is held."""
    book.catch_up(journals(hosts, practice=practice))
    code = plain(voucher)
    key = numbers.mark(code)
    key = key if key in book.found else code
    issued = book.found.get(key)
    if issued is None:
        return None
    issued = msgspec.structs.replace(issued, key=key, held=issued.held or unborne(book, key, issued))
    return locked(issued, hosts)


def unborne(book: IssuedVouchers, key: str, issued: Issued) -> str:
    """Why the journal and the ledger of its table do not bear a voucher; nothing if they do.

    Whoever can write to the database can add a line that follows from the last, and even money; nobody but this house
    can sign it.
    """
    head = book.store.last_head(issued.table)
    if head is None or head.number < issued.line or not is_genuine(head, book.store.trusted):
        return UNSIGNED
    settled = sum(cents for each, cents in book.settled.get(issued.table, {}).items() if each != key)
    return "" if settled + issued.amount <= owed_by(book.store, issued.table) else UNCOVERED


def owed_by(store: Store, table: str) -> Cents:
    """What a journal put on vouchers, by its ledger, less what it paid itself; the cage pays everybody's."""
    cents = func.coalesce(func.sum(ledger.c.cents), 0)
    issued = select(cents).where(ledger.c.table_name == table, ledger.c.credit == VOUCHERS)
    paid = select(cents).where(ledger.c.table_name == table, ledger.c.debit == VOUCHERS)
    with store.reading() as connection:
        put = int(connection.execute(issued).scalar() or 0)
        return put if table == NAME else put - int(connection.execute(paid).scalar() or 0)


def newest(book: IssuedVouchers) -> Iterable[tuple[str, Issued]]:
    """The vouchers, the newest first."""
    return sorted(book.found.items(), key=lambda each: (-each[1].at_ms, each[1].line))
