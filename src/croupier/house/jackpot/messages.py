"""Everything that can be asked of a jackpot link, and everything that can have happened to it.

Rates are in hundredths of a percent, amounts in cents, times in milliseconds.  Every event names the rule it happened
under and the transfers it made.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from croupier.journal.entries import decoded
from croupier.journal.messages import Command, Entry, Event
from croupier.money import Cents

# ---------------------------------------------------------------- commands


class OpenLink(Command, frozen=True):
    """Open with the terms that the Authority approved: what goes to the pool, what is kept, what starts the pool."""

    pool_rate: int
    retained_rate: int
    seed: Cents
    approval: str


class ChangeTerms(Command, frozen=True):
    """Other terms for the wagers and the seeds to come; what is in the pool stays there."""

    pool_rate: int
    retained_rate: int
    seed: Cents
    approval: str


class JoinTable(Command, frozen=True):
    """A table plays for this pool from now on; `wager` is the amount on its sign, `chip` its smallest chip."""

    table: str
    device: str
    mode: str
    wager: Cents
    chip: Cents = 1
    meters: tuple[str, ...] = ()


class LeaveTable(Command, frozen=True):
    table: str


class RecordWager(Command, frozen=True):
    """A jackpot wager was accepted on a box, in a round of a table."""

    table: str
    round: int
    box: int
    player: str
    amount: Cents


class ReturnWager(Command, frozen=True):
    """A wager goes back before its hand is dealt: its light was off, or it was carried and found no ante."""

    table: str
    box: int


class TimeHand(Command, frozen=True):
    """When the hand on a box got its first card, and when it had all of them."""

    table: str
    box: int
    first_card_ms: int
    all_cards_ms: int


class CarryWagers(Command, frozen=True):
    """The hands were misdealt: the wagers wait for the next round."""

    table: str


class ReportHands(Command, frozen=True):
    """The round was played to its end: the hands that qualify, by box; nobody else wins."""

    table: str
    hands: dict[int, str] = msgspec.field(default_factory=dict)


class PayHands(Command, frozen=True):
    """Pay the hands that were reported; `by` names the boxes paid by cash or cheque, the others get chips."""

    table: str
    by: dict[int, str] = msgspec.field(default_factory=dict)


class CorrectHands(Command, frozen=True):
    """What hands of a round that was paid, or claimed to be, come to in the end, by box; the others stay as they were.

    `returned` are the boxes whose wagers go back; `carry`: the round has no result and its wagers wait for the next.
    """

    table: str
    round: int
    paid: dict[int, Cents]
    returned: tuple[int, ...] = ()
    carry: bool = False


class CheckMeter(Command, frozen=True):
    """What a meter was seen to show."""

    meter: str
    shows: Cents


class CloseLink(Command, frozen=True):
    """End the link; what is in the pool goes to the pool of another, with approval."""

    to: str = ""
    approval: str = ""


class ReceivePool(Command, frozen=True):
    """What another link left when it was closed comes into this pool."""

    link: str
    amount: Cents
    approval: str


AnyCommand: TypeAlias = (
    OpenLink
    | ChangeTerms
    | JoinTable
    | LeaveTable
    | RecordWager
    | ReturnWager
    | TimeHand
    | CarryWagers
    | ReportHands
    | PayHands
    | CorrectHands
    | CheckMeter
    | CloseLink
    | ReceivePool
)

# ---------------------------------------------------------------- events


class TermsSet(Event, frozen=True):
    """The link is open under these terms; `first`: it was just opened.

    `law` names the document of its law and the hash of each part, which once went unsaid.
    """

    pool_rate: int
    retained_rate: int
    seed: Cents
    approval: str
    first: bool = False
    law: dict[str, str] = msgspec.field(default_factory=dict)


class PoolSeeded(Event, frozen=True):
    """The operator puts the approved seed into an empty pool."""

    amount: Cents


class TableJoined(Event, frozen=True):
    table: str
    device: str
    mode: str
    wager: Cents
    chip: Cents
    meters: tuple[str, ...] = ()


class TableLeft(Event, frozen=True):
    table: str


class WagerRecorded(Event, frozen=True):
    """A wager, and what the equipment records with it: all that was wagered at the table, and the pool."""

    table: str
    round: int
    box: int
    player: str
    amount: Cents
    at_table: Cents
    pool: Cents


class WagerReturned(Event, frozen=True):
    table: str
    box: int
    player: str
    amount: Cents


class MetersShow(Event, frozen=True):
    """All meters of the link show the pool."""

    amount: Cents
    meters: tuple[str, ...]


class HandTimed(Event, frozen=True):
    """The moment that counts for this hand, as the dealing device decides."""

    table: str
    round: int
    box: int
    at_ms: int


class WagersCarried(Event, frozen=True):
    table: str
    boxes: tuple[int, ...]


class HandQualified(Event, frozen=True):
    table: str
    round: int
    box: int
    player: str
    hand: str


class PayOrder(Event, frozen=True):
    """Nobody with a claim on the pool got a hand before this table's: it is paid now."""

    table: str
    round: int
    at_ms: int


class JackpotPaid(Event, frozen=True):
    """A hand was paid.  `due` is exact, in cents; `paid` is what was handed over, `from_pool` the pool's part."""

    table: str
    round: int
    box: int
    player: str
    hand: str
    due: str
    paid: Cents
    from_pool: Cents
    by: str


class ClaimsDropped(Event, frozen=True):
    """Hands that claimed the pool and were not paid claim it no more."""

    table: str
    round: int
    boxes: tuple[int, ...]


class HandsCorrected(Event, frozen=True):
    """What the hands of a round come to now, by box: paid, and the pool's part of it."""

    table: str
    round: int
    prizes: dict[str, tuple[Cents, Cents]]
    returned: tuple[int, ...] = ()
    carried: bool = False


class RoundClosed(Event, frozen=True):
    table: str
    round: int


class MeterChecked(Event, frozen=True):
    """A meter was compared with the pool; one that is wrong does not count until it is right again."""

    meter: str
    shows: Cents
    pool: Cents


class LinkClosed(Event, frozen=True):
    to: str
    amount: Cents
    approval: str


class PoolReceived(Event, frozen=True):
    link: str
    amount: Cents
    approval: str


AnyEvent: TypeAlias = (
    TermsSet
    | PoolSeeded
    | TableJoined
    | TableLeft
    | WagerRecorded
    | WagerReturned
    | MetersShow
    | HandTimed
    | WagersCarried
    | HandQualified
    | PayOrder
    | JackpotPaid
    | ClaimsDropped
    | HandsCorrected
    | RoundClosed
    | MeterChecked
    | LinkClosed
    | PoolReceived
)

Events: TypeAlias = tuple[AnyEvent, ...]

_LINES = msgspec.json.Decoder(Entry[AnyEvent])


def decode(line: bytes | str) -> Entry[AnyEvent]:
    return decoded(_LINES, line)
