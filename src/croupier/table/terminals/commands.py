"""What can be asked of a table about its terminals and the game system.

A terminal is named by the account it plays with ("Terminal 7").  What the outside world decides enters as a fact: the
notes that an acceptor took, the id that a printer put on a voucher, the slip that a screen shows.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from croupier.journal.messages import Command
from croupier.money import Cents

FEATURES = ("layout", "display", "programming", "voucher", "cancel credit")
"""What a terminal may be built to do; the law says which of them it must."""


class ApproveSystem(Command, frozen=True):
    """Record the version of the game system at this table and the reference of its type approval."""

    version: str
    approval: str


def usual_name(number: int) -> str:
    """What a terminal is called that was given no name."""
    return f"Terminal {number}"


class PairTerminal(Command, frozen=True):
    """A terminal joins the table; `name` is its account, `approval` its type approval (none: it cannot be activated).

    `minimum`, `maximum` and `increment` are its own limits for each bet, `kinds` those of single bets, `aggregate` the
    least that all its wagers of a hand come to.  `denomination`: the worth of a credit on its screen.
    """

    number: int
    minimum: Cents
    maximum: Cents
    increment: Cents = 100
    aggregate: Cents = 0
    kinds: dict[str, tuple[Cents, Cents]] = msgspec.field(default_factory=dict)
    denomination: Cents = 100
    notes: tuple[Cents, ...] = (500, 1000, 2000, 5000, 10_000)
    approval: str = ""
    features: tuple[str, ...] = FEATURES
    name: str = ""


class UnpairTerminal(Command, frozen=True):
    terminal: str


class SetTerminalLimits(Command, frozen=True):
    terminal: str
    minimum: Cents
    maximum: Cents
    increment: Cents = 100
    aggregate: Cents = 0
    kinds: dict[str, tuple[Cents, Cents]] = msgspec.field(default_factory=dict)


class InsertNotes(Command, frozen=True):
    """Notes that the acceptor of a terminal took."""

    terminal: str
    notes: tuple[Cents, ...]


class CreditTerminal(Command, frozen=True):
    """Cash or chips tendered to the dealer, who gives `holder` control of a terminal and credits the amount."""

    terminal: str
    amount: Cents
    tender: Literal["cash", "chips"] = "cash"
    holder: str = ""


class CashOut(Command, frozen=True):
    """All uncommitted credits of a terminal on a voucher with this id."""

    terminal: str
    voucher: str


class CancelCredit(Command, frozen=True):
    """The dealer cancels all credits of a terminal and pays their full value in chips to a player."""

    terminal: str
    player: str = ""


class RedeemVoucher(Command, frozen=True):
    """A voucher of this table is presented for payment; `amount`: what it shows."""

    voucher: str
    amount: Cents


class PayDue(Command, frozen=True):
    """What a correction left due to somebody who had cashed out, on a voucher with this id.

    `round` is one that they played, where something is due to several of those who played there.
    """

    terminal: str
    voucher: str
    round: int = 0


class ConfirmSlip(Command, frozen=True):
    """A terminal confirms the wagers it shows: the digest of its slip."""

    terminal: str
    slip: str


class ReturnSlip(Command, frozen=True):
    """A supervisor returns the wagers of a terminal that does not confirm them."""

    terminal: str
    reason: str


class ReportMalfunction(Command, frozen=True):
    """A terminal (or the game system, if none is named) malfunctioned: payment is refused and it is locked.

    `rounds` are those whose payment is refused, the first being that of the malfunction (none: the round in hand).
    `amount` is what was credited beside any round, by a wrong reading of a note for instance.
    """

    fault: str
    terminal: str = ""
    rounds: tuple[int, ...] = ()
    amount: Cents = 0


class ReportToInspector(Command, frozen=True):
    case: int
    reference: str


class Investigate(Command, frozen=True):
    """What was found, and that the fault is dealt with."""

    case: int
    finding: str


class RefundRound(Command, frozen=True):
    """Give back what was wagered on the rounds whose payment was refused."""

    case: int


class CloseMalfunction(Command, frozen=True):
    case: int


AnyTerminalCommand: TypeAlias = (
    ApproveSystem
    | PairTerminal
    | UnpairTerminal
    | SetTerminalLimits
    | InsertNotes
    | CreditTerminal
    | CashOut
    | CancelCredit
    | RedeemVoucher
    | PayDue
    | ConfirmSlip
    | ReturnSlip
    | ReportMalfunction
    | ReportToInspector
    | Investigate
    | RefundRound
    | CloseMalfunction
)
