"""What can have happened to the terminals and the game system of a table."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from croupier.journal.messages import Event
from croupier.money import Cents


class SystemApproved(Event, frozen=True):
    version: str
    approval: str


class TerminalPaired(Event, frozen=True):
    terminal: str
    number: int
    minimum: Cents
    maximum: Cents
    increment: Cents
    aggregate: Cents = 0
    kinds: dict[str, tuple[Cents, Cents]] = msgspec.field(default_factory=dict)
    denomination: Cents = 1
    notes: tuple[Cents, ...] = ()
    approval: str = ""
    features: tuple[str, ...] = ()


class TerminalUnpaired(Event, frozen=True):
    terminal: str


class TerminalLimitsSet(Event, frozen=True):
    terminal: str
    minimum: Cents
    maximum: Cents
    increment: Cents
    aggregate: Cents = 0
    kinds: dict[str, tuple[Cents, Cents]] = msgspec.field(default_factory=dict)


class TerminalActivated(Event, frozen=True):
    """Somebody plays at a terminal from now on; `means`: by a note, or by the dealer."""

    terminal: str
    means: str


class ControlGiven(Event, frozen=True):
    terminal: str
    holder: str


class NotesInserted(Event, frozen=True):
    terminal: str
    notes: tuple[Cents, ...]


class TerminalCredited(Event, frozen=True):
    terminal: str
    amount: Cents
    tender: str


class TerminalDeactivated(Event, frozen=True):
    terminal: str


class TouchHeld(Event, frozen=True):
    """An amount built up on a bet that is no wager yet and shows no chips; nothing: it is held no more."""

    terminal: str
    on: str
    held: Cents
    round: int


class VoucherIssued(Event, frozen=True):
    """`rounds` are those of which it pays what was due; none: all of them, or it is of the terminal's credits."""

    voucher: str
    terminal: str
    amount: Cents
    rounds: tuple[int, ...] = ()


class VoucherRedeemed(Event, frozen=True):
    voucher: str
    amount: Cents


class VoucherDue(Event, frozen=True):
    """A correction found something for whoever cashed out of a terminal."""

    terminal: str
    round: int
    amount: Cents


class CreditsCancelled(Event, frozen=True):
    terminal: str
    amount: Cents
    player: str


class SlipConfirmed(Event, frozen=True):
    """The wagers of a terminal as it showed them when betting closed, and their digest."""

    terminal: str
    slip: str
    wagers: tuple[tuple[str, Cents], ...]


class SlipReturned(Event, frozen=True):
    terminal: str
    reason: str


class MalfunctionReported(Event, frozen=True):
    """A case is open; no terminal is the game system."""

    case: int
    fault: str
    rounds: tuple[int, ...]
    terminal: str = ""


class PaymentRefused(Event, frozen=True):
    """What a round (0: no round) credited is not paid: `credited` comes back, of which `prize` was above the stakes."""

    case: int
    terminal: str
    round: int
    credited: Cents = 0
    prize: Cents = 0


class LockedOut(Event, frozen=True):
    case: int
    terminal: str = ""


class InspectorTold(Event, frozen=True):
    case: int
    reference: str


class FaultInvestigated(Event, frozen=True):
    case: int
    finding: str


class WagersRefunded(Event, frozen=True):
    """What a terminal wagered on a round whose payment was refused goes back."""

    case: int
    terminal: str
    round: int
    amount: Cents


class RefundsMade(Event, frozen=True):
    """Every refund of a case is made."""

    case: int


class CaseClosed(Event, frozen=True):
    case: int
    terminal: str = ""


AnyTerminalEvent: TypeAlias = (
    SystemApproved
    | TerminalPaired
    | TerminalUnpaired
    | TerminalLimitsSet
    | TerminalActivated
    | ControlGiven
    | NotesInserted
    | TerminalCredited
    | TerminalDeactivated
    | TouchHeld
    | VoucherIssued
    | VoucherRedeemed
    | VoucherDue
    | CreditsCancelled
    | SlipConfirmed
    | SlipReturned
    | MalfunctionReported
    | PaymentRefused
    | LockedOut
    | InspectorTold
    | FaultInvestigated
    | WagersRefunded
    | RefundsMade
    | CaseClosed
)
