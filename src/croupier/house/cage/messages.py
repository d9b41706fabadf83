"""Everything that can be asked of the cage, and everything that can have happened there.

Amounts are in cents, times in milliseconds.  A voucher is issued in the journal of a table (or here, against chips);
what the floor read about its issue enters a command as the fact `issued`, and the money that a table took as the fact
`expected`.  Every event names the rule it happened under and the transfers it made.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.journal.entries import decoded
from croupier.journal.messages import Command, Entry, Event, Request
from croupier.money import Cents


class Issued(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a durable journal says of a voucher: who issued it, where, when, and on which line.

    `paid`: it was redeemed at its table; `held`: why nobody may pay it now; `practice`: it is not money.  `key`: what
    the journals call it, where that is not its number but the mark of it.  `case`: the malfunction for which it is
    held, if it is for one, and `credited` what that credited of all that had left its terminal with the same player,
    who sat there since round `since`.
    """

    table: str
    amount: Cents
    at_ms: int
    line: int
    terminal: str = ""
    practice: bool = False
    paid: bool = False
    held: str = ""
    key: str = ""
    case: int | None = None
    credited: Cents = 0
    since: int = 0


# ---------------------------------------------------------------- commands


class OpenCage(Command, frozen=True):
    """The cage begins; `practice`: nothing in it is money.  `expiry_days`: how long vouchers are paid (0: for ever)."""

    practice: bool
    expiry_days: int = 0


class SetExpiry(Command, frozen=True):
    """How long vouchers issued from now on are paid at the window, in days; 0 is for ever."""

    days: int


class OpenShift(Command, frozen=True):
    """A shift begins with this float in the drawer, taken from the vault."""

    cash: Cents
    chips: Cents = 0


class CountDrawer(Command, frozen=True):
    """What was counted in the drawer."""

    cash: Cents
    chips: Cents = 0


class CloseShift(Command, frozen=True):
    """The shift ends on its last count; a difference is explained, and the money goes to the vault."""

    reason: str = ""


class MoveFloat(Command, frozen=True):
    """Money from the vault to the drawer; below nothing, back to the vault."""

    reason: str
    cash: Cents = 0
    chips: Cents = 0


class CollectDrop(Command, frozen=True):
    """The box of a table was emptied and counted; `box` names a terminal if it was that one's note acceptor.

    `expected` is a fact: what the journal of the table says must be in it.
    """

    table: str
    counted: Cents
    box: str = ""
    expected: Cents = 0


class FillTable(Command, frozen=True):
    """Chips from the drawer to the tray of a table."""

    table: str
    amount: Cents


class CreditTable(Command, frozen=True):
    """Chips from the tray of a table to the drawer."""

    table: str
    amount: Cents


class CashChips(Command, frozen=True):
    """Chips handed in for cash; `cheque` of it is paid by cheque at the patron's request.

    `table` names the table of chips that have a value only there.
    """

    amount: Cents
    cheque: Cents = 0
    promotional: bool = False
    table: str = ""


class SellChips(Command, frozen=True):
    amount: Cents


class IssueVoucher(Command, frozen=True):
    """Chips handed in against a voucher; the floor makes its number."""

    amount: Cents
    voucher: str = ""


class RedeemVoucher(Command, frozen=True):
    """A voucher is presented; `amount` is what is printed on it, `issued` what its journal says."""

    voucher: str
    amount: Cents
    issued: Issued | None = None


class PayLate(Command, frozen=True):
    """A supervisor pays a voucher after its expiry."""

    voucher: str
    amount: Cents
    reason: str
    issued: Issued | None = None


class ExpireVoucher(Command, frozen=True):
    """A voucher past its expiry is no longer owed at the window: its money is held as unclaimed."""

    voucher: str
    issued: Issued | None = None


class VoidVoucher(Command, frozen=True):
    """Payment of a voucher is refused for good, because what it pays was credited by a malfunction.

    `rest`: the number, which the floor makes, of another for what the malfunction did not credit.
    """

    voucher: str
    reason: str
    issued: Issued | None = None
    rest: str = ""


AnyCommand: TypeAlias = (
    OpenCage
    | SetExpiry
    | OpenShift
    | CountDrawer
    | CloseShift
    | MoveFloat
    | CollectDrop
    | FillTable
    | CreditTable
    | CashChips
    | SellChips
    | IssueVoucher
    | RedeemVoucher
    | PayLate
    | ExpireVoucher
    | VoidVoucher
)
CageRequest: TypeAlias = Request[AnyCommand]


def said(what: AnyCommand) -> AnyCommand:
    """A command as it was asked: without the facts and the number that the floor puts in."""
    match what:
        case RedeemVoucher() | PayLate() | ExpireVoucher():
            return replace(what, issued=None)
        case VoidVoucher():
            return replace(what, issued=None, rest="")
        case IssueVoucher():
            return replace(what, voucher="")
        case CollectDrop():
            return replace(what, expected=0)
        case _:
            return what


# ---------------------------------------------------------------- events


class CageOpened(Event, frozen=True):
    """The cage begins; `law` names the document of its law and the hash of it, which once went unsaid."""

    practice: bool
    expiry_days: int
    law: dict[str, str] = msgspec.field(default_factory=dict)


class ExpirySet(Event, frozen=True):
    days: int


class ShiftOpened(Event, frozen=True):
    shift: int
    cash: Cents
    chips: Cents


class DrawerCounted(Event, frozen=True):
    """What should have been in the drawer, and what was."""

    shift: int
    expected_cash: Cents
    counted_cash: Cents
    expected_chips: Cents
    counted_chips: Cents


class ShiftClosed(Event, frozen=True):
    """The differences (below nothing: short) and why; the counted money went to the vault."""

    shift: int
    cash_difference: Cents
    chips_difference: Cents
    reason: str


class FloatMoved(Event, frozen=True):
    cash: Cents
    chips: Cents
    reason: str


class DropCollected(Event, frozen=True):
    table: str
    box: str
    expected: Cents
    counted: Cents


class TableFilled(Event, frozen=True):
    table: str
    amount: Cents


class TableCredited(Event, frozen=True):
    table: str
    amount: Cents


class ChipsCashed(Event, frozen=True):
    cash: Cents
    cheque: Cents


class ChipsSold(Event, frozen=True):
    amount: Cents


class VoucherIssued(Event, frozen=True):
    voucher: str
    amount: Cents


class VoucherPaid(Event, frozen=True):
    """A voucher is paid, once; `late`: after its expiry, for this reason."""

    voucher: str
    amount: Cents
    table: str
    issued_ms: int
    terminal: str = ""
    late: bool = False
    reason: str = ""


class VoucherExpired(Event, frozen=True):
    voucher: str
    amount: Cents
    table: str
    terminal: str = ""


class VoucherVoided(Event, frozen=True):
    """A voucher is refused for good; `rest` of it the malfunction `case` did not credit, and another pays that.

    `since`: since which round its player sat at the terminal, where that is known.
    """

    voucher: str
    amount: Cents
    table: str
    reason: str
    terminal: str = ""
    case: int | None = None
    rest: Cents = 0
    since: int = 0

    @property
    def refused(self) -> Cents:
        return self.amount - self.rest


AnyCageEvent: TypeAlias = (
    CageOpened
    | ExpirySet
    | ShiftOpened
    | DrawerCounted
    | ShiftClosed
    | FloatMoved
    | DropCollected
    | TableFilled
    | TableCredited
    | ChipsCashed
    | ChipsSold
    | VoucherIssued
    | VoucherPaid
    | VoucherExpired
    | VoucherVoided
)
Events: TypeAlias = tuple[AnyCageEvent, ...]
CageEntry: TypeAlias = Entry[AnyCageEvent]

_LINES: msgspec.json.Decoder[Entry[AnyCageEvent]] = msgspec.json.Decoder(Entry[AnyCageEvent])


def decode(line: bytes | str) -> CageEntry:
    """A line of the cage's journal."""
    return decoded(_LINES, line)


def issued_by(lines: tuple[CageEntry, ...]) -> str:
    """The voucher that these lines issue, if they issue one."""
    return next((line.event.voucher for line in lines if isinstance(line.event, VoucherIssued)), "")
