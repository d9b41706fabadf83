"""The cage as its journal leaves it: the drawer, the shift in hand, and what became of vouchers.

Money has the signs of the tables' ledgers: an account above nothing is owed to somebody, and what the house has in a
drawer, a vault or a tray stands below nothing.  So the account `vouchers`, credited by the tables and debited here, is
over all journals what the house still owes on vouchers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from croupier.house.cage import messages as m
from croupier.house.cage.messages import AnyCageEvent, CageEntry, Issued
from croupier.journal.accounts import Balances, account, moved
from croupier.journal.entries import BadJournal, in_order
from croupier.money import Cents

NAME = "@cage"
CASH, CHIPS = "drawer:cash", "drawer:chips"
VAULT = "vault"
OVER_AND_SHORT = "over and short"
DROP_DIFFERENCE = "drop difference"
UNCLAIMED = "unclaimed"
REFUSED = "refused"
SHIFTS_KEPT = 60
DAY_MS = 24 * 60 * 60 * 1000


def tray_of(table: str) -> str:
    return account("tray", table)


def drop_of(table: str, box: str = "") -> str:
    """What the box of a table held so far, or the note acceptor of one of its terminals."""
    return account("drop", f"{table}:{box}" if box else table)


@dataclass(frozen=True, slots=True)
class Flow:
    """What one kind of business did to the drawer during a shift."""

    count: int = 0
    cash: Cents = 0
    chips: Cents = 0


@dataclass(frozen=True, slots=True)
class Drop:
    """A box that was emptied during the shift."""

    table: str
    box: str
    expected: Cents
    counted: Cents


@dataclass(frozen=True, slots=True)
class Shift:
    """A shift; `counted` is its last count (cash, chips) as long as nothing moved since."""

    number: int
    opened_ms: int
    opened_by: str
    flows: Mapping[str, Flow] = field(default_factory=dict)
    drops: tuple[Drop, ...] = ()
    counted: tuple[Cents, Cents] | None = None
    expected: tuple[Cents, Cents] = (0, 0)
    closed_ms: int = 0
    closed_by: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """What became of a voucher: paid, expired or voided, when and by whom."""

    how: str
    at_ms: int
    by: str
    amount: Cents
    late: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Cage:
    """The cage.  `terms` are the expiry settings with the time from which each counts, the last in force.

    `withheld` is what was refused on vouchers for each malfunction: by table, case, terminal and its player.
    """

    opened: bool = False
    practice: bool = False
    terms: tuple[tuple[int, int], ...] = ()
    balances: Balances = field(default_factory=dict)
    shift: Shift | None = None
    shifts: int = 0
    closed: tuple[Shift, ...] = ()
    issued: Mapping[str, Issued] = field(default_factory=dict)
    ended: Mapping[str, Ended] = field(default_factory=dict)
    withheld: Mapping[tuple[str, int, str, int], Cents] = field(default_factory=dict)
    entries: int = 0

    @property
    def cash(self) -> Cents:
        """The cash that should be in the drawer."""
        return -self.balances.get(CASH, 0)

    @property
    def chips(self) -> Cents:
        return -self.balances.get(CHIPS, 0)

    @property
    def expiry_days(self) -> int:
        return self.terms[-1][1] if self.terms else 0

    def dropped(self, table: str, box: str = "") -> Cents:
        """What a box should have held, all its counts together; a difference was booked when it was counted."""
        return self.balances.get(drop_of(table, box), 0)

    def expires_ms(self, issued_ms: int) -> int:
        """The last moment at which a voucher issued then is paid at the window, by the setting of that time; 0: none.

        A setting that comes later does not change what is printed on a voucher.
        """
        days = next((days for from_ms, days in reversed(self.terms) if from_ms <= issued_ms), 0)
        return issued_ms + days * DAY_MS if days else 0


# ---------------------------------------------------------------- evolving


def after(cage: Cage, lines: Iterable[CageEntry]) -> Cage:
    """The cage after these lines of its journal."""
    cage, number = in_order(cage, cage.entries, lines, evolve)
    return replace(cage, entries=number)


def evolve(cage: Cage, line: CageEntry) -> Cage:
    event = line.event
    cage = replace(cage, balances=moved(cage.balances, event.transfers))
    cage = CHANGES[type(event)](cage, line, event)
    if cage.shift is not None and event.transfers and type(event) in KINDS:
        cage = replace(cage, shift=_flowed(cage.shift, event))
    return cage


def _flowed(shift: Shift, event: AnyCageEvent) -> Shift:
    """The shift after money moved: a count made before counts no more."""
    kind = KINDS[type(event)]
    before = shift.flows.get(kind, Flow())
    flow = Flow(before.count + 1, before.cash + _into(event, CASH), before.chips + _into(event, CHIPS))
    return replace(shift, flows={**shift.flows, kind: flow}, counted=None)


def _into(event: AnyCageEvent, account: str) -> Cents:
    """What came into a drawer; it stands below nothing, so a debit brings something in."""
    came = sum(move.amount for move in event.transfers if move.debit == account)
    return came - sum(move.amount for move in event.transfers if move.credit == account)


def _opened(cage: Cage, line: CageEntry, event: m.CageOpened) -> Cage:
    return replace(cage, opened=True, practice=event.practice, terms=((line.at_ms, event.expiry_days),))


def _terms(cage: Cage, line: CageEntry, event: m.ExpirySet) -> Cage:
    return replace(cage, terms=(*cage.terms, (line.at_ms, event.days)))


def _shift_opened(cage: Cage, line: CageEntry, event: m.ShiftOpened) -> Cage:
    return replace(cage, shift=Shift(event.shift, line.at_ms, line.by), shifts=event.shift)


def _counted(cage: Cage, _: CageEntry, event: m.DrawerCounted) -> Cage:
    expected = (event.expected_cash, event.expected_chips)
    return _with_shift(cage, counted=(event.counted_cash, event.counted_chips), expected=expected)


def _shift_closed(cage: Cage, line: CageEntry, event: m.ShiftClosed) -> Cage:
    if cage.shift is None:
        raise BadJournal(f"line {line.number} closes a shift that is not open")
    closed = replace(cage.shift, closed_ms=line.at_ms, closed_by=line.by, reason=event.reason)
    return replace(cage, shift=None, closed=(*cage.closed, closed)[-SHIFTS_KEPT:])


def _drop(cage: Cage, line: CageEntry, event: m.DropCollected) -> Cage:
    if cage.shift is None:
        raise BadJournal(f"line {line.number} brings a drop to no shift")
    found = Drop(event.table, event.box, event.expected, event.counted)
    return _with_shift(cage, drops=(*cage.shift.drops, found))


def _issued(cage: Cage, line: CageEntry, event: m.VoucherIssued) -> Cage:
    # Lines of a journal are counted from 1 where people see them.
    made = Issued(NAME, event.amount, line.at_ms, line.number + 1, practice=cage.practice)
    return replace(cage, issued={**cage.issued, event.voucher: made})


def _paid(cage: Cage, line: CageEntry, event: m.VoucherPaid) -> Cage:
    ended = Ended("paid", line.at_ms, line.by, event.amount, event.late, event.reason)
    if event.voucher in cage.ended and cage.ended[event.voucher].how != "expired":
        raise BadJournal(f"line {line.number} pays {event.voucher} a second time")
    return replace(cage, ended={**cage.ended, event.voucher: ended})


def _expired(cage: Cage, line: CageEntry, event: m.VoucherExpired) -> Cage:
    ended = Ended("expired", line.at_ms, line.by, event.amount)
    return replace(cage, ended={**cage.ended, event.voucher: ended})


def _voided(cage: Cage, line: CageEntry, event: m.VoucherVoided) -> Cage:
    ended = Ended("voided", line.at_ms, line.by, event.amount, reason=event.reason)
    cage = replace(cage, ended={**cage.ended, event.voucher: ended})
    if event.case is None:
        return cage
    of = (event.table, event.case, event.terminal, event.since)
    return replace(cage, withheld={**cage.withheld, of: cage.withheld.get(of, 0) + event.refused})


def _with_shift(cage: Cage, **changes: Any) -> Cage:
    if cage.shift is None:
        raise BadJournal("money moved at the cage while no shift was open")
    return replace(cage, shift=replace(cage.shift, **changes))


def _moves_money(cage: Cage, _: CageEntry, __: AnyCageEvent) -> Cage:
    """Only money moves: the transfers say all."""
    return cage


Change: TypeAlias = Callable[[Cage, CageEntry, Any], Cage]
CHANGES: Mapping[type[AnyCageEvent], Change] = {
    m.CageOpened: _opened,
    m.ExpirySet: _terms,
    m.ShiftOpened: _shift_opened,
    m.DrawerCounted: _counted,
    m.ShiftClosed: _shift_closed,
    m.FloatMoved: _moves_money,
    m.DropCollected: _drop,
    m.TableFilled: _moves_money,
    m.TableCredited: _moves_money,
    m.ChipsCashed: _moves_money,
    m.ChipsSold: _moves_money,
    m.VoucherIssued: _issued,
    m.VoucherPaid: _paid,
    m.VoucherExpired: _expired,
    m.VoucherVoided: _voided,
}

KINDS: Mapping[type[AnyCageEvent], str] = {
    m.ShiftOpened: "float",
    m.FloatMoved: "float moved",
    m.DropCollected: "drop",
    m.TableFilled: "fills to tables",
    m.TableCredited: "credits from tables",
    m.ChipsCashed: "chips cashed",
    m.ChipsSold: "chips sold",
    m.VoucherIssued: "vouchers issued",
    m.VoucherPaid: "vouchers paid",
}
"""The kinds of business that move the drawer, as a reconciliation lists them."""
