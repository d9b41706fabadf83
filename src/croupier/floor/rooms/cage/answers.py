"""What the doors of the cage answer, as types; see `answers.py`."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from croupier.floor.doors.answers import Answered


class CountedSum(Answered):
    name: str
    count: int
    cents: int


class VoucherStands(Answered):
    state: str
    reason: str
    amount: int
    table: str
    terminal: str
    issued_ms: int
    ended_ms: int
    ended_by: str


class VoucherRow(VoucherStands):
    """A voucher by its last figures: whoever knows the whole number can be paid."""

    last: str


class Liability(Answered):
    """What the house owes on vouchers; a report leaves out the `recent` ones."""

    count: int
    cents: int
    ages: list[CountedSum]
    tables: list[CountedSum]
    unclaimed: int
    refused: int
    recent: list[VoucherRow] | UnsetType = UNSET


class Drawer(Answered):
    cash: int
    chips: int
    vault: int
    over_and_short: int


class CashAndChips(Answered):
    cash: int
    chips: int


class FlowShown(Answered):
    kind: str
    count: int
    cash: int
    chips: int


class DropShown(Answered):
    table: str
    box: str
    expected: int
    counted: int


class CageShift(Answered):
    """A shift and its reconciliation; nothing is counted before it is closed."""

    number: int
    opened_ms: int
    opened_by: str
    closed_ms: int
    closed_by: str
    reason: str
    flows: list[FlowShown]
    drops: list[DropShown]
    expected: CashAndChips
    counted: CashAndChips | None


class Credits(Answered):
    cents: int
    count: int


class DropBox(Answered):
    table: str
    box: str
    taken: int
    expected: int
    tray: int


class CageState(Answered):
    at_ms: int
    practice: bool
    expiry_days: int
    shift: CageShift | None
    last_shift: CageShift | None
    drawer: Drawer
    owed: Liability
    credits: Credits
    drop: list[DropBox]


class Meters(Answered):
    """The meters of one holder; a meter that never moved is left out."""

    table: str
    holder: str
    cash_in: int | UnsetType = UNSET
    wagered: int | UnsetType = UNSET
    returned: int | UnsetType = UNSET
    won: int | UnsetType = UNSET
    lost: int | UnsetType = UNSET
    vouchers: int | UnsetType = UNSET
    cash_out: int | UnsetType = UNSET
    cheques: int | UnsetType = UNSET
    moved: int | UnsetType = UNSET
    other: int | UnsetType = UNSET


class ShiftReport(Answered):
    at_ms: int
    practice: bool
    shift: CageShift
    owed: Liability
    credits: Credits
    drop: list[DropBox]
    meters: list[Meters]


class ShownVoucher(VoucherStands):
    """A voucher, as whoever holds it may see it; `bars` and `modules` are its barcode."""

    code: str
    grouped: str
    rule: str
    words: str
    line: int
    expires_ms: int
    practice: bool
    bars: list[tuple[int, int]]
    modules: int


class NoVoucher(Answered):
    """There is no such voucher, or its number was mistyped."""

    state: str
    reason: str
    rule: str


class CageAnswer(Answered):
    """What became of a command of the cage, with the number of the voucher if one was issued."""

    type: str
    id: str
    done: bool
    line: int
    reason: str | UnsetType = UNSET
    rule: str | UnsetType = UNSET
    voucher: str | UnsetType = UNSET
