"""Everything that can have happened at a table, on one page.

Events are closed, tagged and versioned; each names the rule it happened under and the transfers of money it made.  A
journal of them is the whole truth about a table: replaying it gives the same table, byte for byte.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from croupier.money import Cents

VERSION = 1


class Transfer(msgspec.Struct, frozen=True, array_like=True):
    """Money from one account to another.  `state`: pending (a stake), posted, or voided."""

    debit: str
    credit: str
    amount: Cents
    rule: str


class Event(msgspec.Struct, frozen=True, tag=True, omit_defaults=True, kw_only=True):
    """The base of all events; `rule` is what it happened under, `transfers` the money it moved."""

    rule: str
    transfers: tuple[Transfer, ...] = ()


class TableOpened(Event, frozen=True):
    minimum: Cents
    maximum: Cents
    chip: Cents
    increment: Cents
    differential: tuple[Cents, Cents] | None
    aggregate: Cents
    supervisor: str
    private: tuple[str, ...]
    event: str


class ClosingPosted(Event, frozen=True):
    closes_ms: int
    posted_ms: int


class TableClosed(Event, frozen=True):
    pass


class Seated(Event, frozen=True):
    player: str
    seat: int


class PlayerLeft(Event, frozen=True):
    player: str


class PlayerExcluded(Event, frozen=True):
    player: str
    reason: str


class StandingAllowed(Event, frozen=True):
    player: str


class LimitsPosted(Event, frozen=True):
    minimum: Cents
    maximum: Cents
    from_ms: int
    posted_ms: int


class LimitsChanged(Event, frozen=True):
    minimum: Cents
    maximum: Cents
    increment: Cents


class InspectorNotified(Event, frozen=True):
    about: str


class DifferentialSet(Event, frozen=True):
    least: Cents
    most: Cents


class PersonalLimitSet(Event, frozen=True):
    player: str
    minimum: Cents
    maximum: Cents


class ChipsBought(Event, frozen=True):
    player: str
    amount: Cents
    tender: str


class ChipsExchanged(Event, frozen=True):
    player: str
    amount: Cents


class ChipsRedeemed(Event, frozen=True):
    player: str
    cash: Cents
    cheque: Cents


class ColourIssued(Event, frozen=True):
    player: str
    colour: str
    value: Cents
    chips: int


class ColourRedeemed(Event, frozen=True):
    player: str
    colour: str


class ColourRequired(Event, frozen=True):
    player: str
    required: bool


class WagerPlaced(Event, frozen=True):
    """A wager in the book; `voided` is the part that does not count, `fee` a commission paid at placement."""

    number: int
    player: str
    on: str
    stake: Cents
    box: int = 1
    hand: int = 0
    of: int | None = None
    voided: Cents = 0
    void_rule: str = ""
    fee: Cents = 0
    seen: tuple[Any, ...] = ()
    tolerated: bool = False


class WagerWithdrawn(Event, frozen=True):
    number: int


class WagerReduced(Event, frozen=True):
    number: int
    stake: Cents
    voided: Cents


class WagersReopened(Event, frozen=True):
    pass


class Happened(Event, frozen=True):
    """A fact of the game, with what was due; the rule is that of the demand it answered."""

    fact: Any
    due: str
    by: str


class Ruled(Event, frozen=True):
    """An irregularity was ruled on; the remedy is carried out by the fact itself."""

    number: int
    circumstance: str
    remedy: str
    by: str
    call: str = ""
    next_hand: str = "normal"


class RulingOverruled(Event, frozen=True):
    ruling: int
    call: str
    by: str


class WagerSettled(Event, frozen=True):
    """How a wager ended, in money."""

    number: int
    player: str
    on: str
    result: str
    pays: Cents
    commission: Cents
    returned: Cents


class RoundEnded(Event, frozen=True):
    round: int
    outcome: dict[str, Any]


class RoundBegun(Event, frozen=True):
    round: int


class CommissionDeferred(Event, frozen=True):
    player: str
    deferred: bool


class CommissionCollected(Event, frozen=True):
    player: str
    amount: Cents


class RoundCorrected(Event, frozen=True):
    """An earlier round was recalculated on the true facts; the transfers post the differences."""

    round: int
    facts: tuple[Any, ...]
    reason: str
    differences: dict[str, Cents]
    report: bool = False


class RoundInvalidated(Event, frozen=True):
    round: int
    ground: str
    forfeited: tuple[str, ...] = ()


class PlayerSanctioned(Event, frozen=True):
    player: str
    measure: str
    amount: Cents = 0


class DisputeRaised(Event, frozen=True):
    dispute: int
    complainant: str
    about: str


class DisputeDecided(Event, frozen=True):
    dispute: int
    decision: str
    level: str
    resolved: bool


class PaidOtherwise(Event, frozen=True):
    """Handed over was not what is due; the difference is recoverable."""

    number: int
    due: Cents
    paid: Cents


class UnclaimedHeld(Event, frozen=True):
    player: str
    amount: Cents


class RulesShown(Event, frozen=True):
    player: str


class SeatWanted(Event, frozen=True):
    """A seated player was asked to give up the seat."""

    player: str


class Flagged(Event, frozen=True):
    """Something a person should look at."""

    about: str
    player: str = ""


AnyEvent: TypeAlias = (
    TableOpened
    | ClosingPosted
    | TableClosed
    | Seated
    | PlayerLeft
    | PlayerExcluded
    | StandingAllowed
    | LimitsPosted
    | LimitsChanged
    | InspectorNotified
    | DifferentialSet
    | PersonalLimitSet
    | ChipsBought
    | ChipsExchanged
    | ChipsRedeemed
    | ColourIssued
    | ColourRedeemed
    | ColourRequired
    | WagerPlaced
    | WagerWithdrawn
    | WagerReduced
    | WagersReopened
    | Happened
    | Ruled
    | RulingOverruled
    | WagerSettled
    | RoundEnded
    | RoundBegun
    | CommissionDeferred
    | CommissionCollected
    | RoundCorrected
    | RoundInvalidated
    | PlayerSanctioned
    | DisputeRaised
    | DisputeDecided
    | PaidOtherwise
    | UnclaimedHeld
    | RulesShown
    | SeatWanted
    | Flagged
)


class Entry(msgspec.Struct, frozen=True):
    """A line of the journal: the event, who caused it, and when."""

    number: int
    at_ms: int
    by: str
    role: str
    event: AnyEvent
    version: int = VERSION


def encode(entry: Entry) -> bytes:
    """The bytes of a line, the same on any machine."""
    return msgspec.json.encode(entry, order="deterministic")


def decode(line: bytes | str) -> Entry:
    return msgspec.json.decode(line, type=Entry)
