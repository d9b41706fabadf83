"""Everything that can have happened at a table, on one page.

Events are closed, tagged and versioned; each names the rule it happened under and the transfers of money it made.  A
journal of them is the whole truth about a table: replaying it gives the same table, byte for byte.  What happens only
to terminals is on the page beside, `terminal_events.py`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from croupier.money import Cents
from croupier.table.base import Event as Event
from croupier.table.base import Transfer as Transfer
from croupier.table.terminal_events import AnyTerminalEvent

VERSION = 1


# ---------------------------------------------------------------- the life of a table


class TableOpened(Event, frozen=True):
    """The sign and the operator's choices; `law` says under which rules: game, edition, version, choices, hash."""

    minimum: Cents
    maximum: Cents
    chip: Cents
    increment: Cents
    seats: int
    supervisor: str
    law: dict[str, Any]
    differential: tuple[Cents, Cents] | None = None
    kinds: dict[str, tuple[Cents, Cents]] = msgspec.field(default_factory=dict)
    jackpot: tuple[Cents, Cents] | None = None
    super_sevens: Cents | None = None
    multiples: bool = False
    players_per_area: int = 1
    area_cap: str = ""
    refuse_unpayable: bool = False
    private: tuple[str, ...] = ()
    event: str = ""
    first_today: bool = False


class SignShown(Event, frozen=True):
    """A notice stands at the table from now on."""

    sign: str


class ClosingPosted(Event, frozen=True):
    closes_ms: int
    posted_ms: int


class TableClosed(Event, frozen=True):
    pass


# ---------------------------------------------------------------- people, limits, chips


class Seated(Event, frozen=True):
    """Somebody takes part from now on, under the rules of this edition."""

    player: str
    seat: int
    edition: str = ""


class PlayerLeft(Event, frozen=True):
    player: str


class SeatWanted(Event, frozen=True):
    """A seated player was asked to give up the seat."""

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


# ---------------------------------------------------------------- wagers and rounds


class WagerPlaced(Event, frozen=True):
    """A wager in the book; `voided` is the part that does not count, `fee` a commission paid at placement."""

    number: int
    player: str
    on: str
    stake: Cents
    box: int = 1
    area: int = 0
    hand: int = 0
    voided: Cents = 0
    void_rule: str = ""
    fee: Cents = 0
    seen: tuple[Any, ...] = ()
    tolerated: bool = False


class ShoeFixed(Event, frozen=True):
    """The order of a virtual shoe is fixed by its hash; `revealed` is the text of the shoe before, if it was used."""

    commitment: str
    revealed: str = ""


class PoolShown(Event, frozen=True):
    """The pool of a link; `paid`: the hands of this round that claimed it are paid on this pool, by box `prizes`."""

    link: str
    pool: Cents
    round: int
    paid: bool = False
    prizes: dict[str, Cents] = msgspec.field(default_factory=dict)
    shut: bool = False


class JackpotClaimed(Event, frozen=True):
    """The hands that win the pool of a link, by box; `void` are jackpot wagers of the round that do not count."""

    round: int
    link: str
    hands: dict[str, str]
    void: tuple[int, ...] = ()


class PlacementShown(Event, frozen=True):
    """A wager that staff placed on instructions is shown back to its owner, who must see that it lies right."""

    number: int
    player: str


class StakeAdded(Event, frozen=True):
    """A further stake that a choice put down: a double, a split, an insurance, a bet."""

    number: int
    player: str
    on: str
    stake: Cents
    of: int | None = None


class WagerWithdrawn(Event, frozen=True):
    number: int


class WagerReduced(Event, frozen=True):
    """A wager made smaller: by the differential, or called down in part; `returned` went back at once."""

    number: int
    stake: Cents
    returned: Cents
    fee: Cents = 0
    seen: tuple[Any, ...] = ()


class Happened(Event, frozen=True):
    """A fact of the game, with what was due; the rule is that of the demand it answered."""

    fact: Any
    due: str


class Announced(Event, frozen=True):
    """What the dealer says."""

    text: str


class Ruled(Event, frozen=True):
    """An irregularity was ruled on; the remedy is carried out by the fact itself."""

    ruling: int
    circumstance: str
    remedy: str
    official: str
    call: str = ""
    next_hand: str = "normal"


class RulingOverruled(Event, frozen=True):
    ruling: int
    call: str


class FactTakenBack(Event, frozen=True):
    fact: Any
    reason: str


class WagerSettled(Event, frozen=True):
    """How a wager ended, in money; `apart`: not by the end of its round, but called down or voided by an official."""

    number: int
    player: str
    on: str
    result: str
    pays: Cents = 0
    commission: Cents = 0
    returned: Cents = 0
    apart: bool = False


class RoundEnded(Event, frozen=True):
    round: int
    outcome: dict[str, Any]


class CommissionDeferred(Event, frozen=True):
    player: str
    deferred: bool


class CommissionCollected(Event, frozen=True):
    player: str
    amount: Cents


# ---------------------------------------------------------------- when something goes wrong


class RoundCorrected(Event, frozen=True):
    """An earlier round was recalculated on the true facts; the transfers post the differences.

    `settled` are the wagers whose settlement changed; `report`: a supervisor must look, since somebody had not enough.
    """

    round: int
    facts: tuple[Any, ...]
    reason: str
    settled: tuple[WagerSettled, ...] = ()
    differences: dict[str, int] = msgspec.field(default_factory=dict)
    report: bool = False


class RoundInvalidated(Event, frozen=True):
    round: int
    ground: str
    settled: tuple[WagerSettled, ...] = ()
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
    """Handed over was not what is due; what was too much is recoverable, what was missing is still due."""

    round: int
    number: int
    player: str
    due: Cents
    paid: Cents


class OverpaymentRecovered(Event, frozen=True):
    player: str
    amount: Cents


class UnclaimedHeld(Event, frozen=True):
    player: str
    amount: Cents


class RulesShown(Event, frozen=True):
    player: str
    edition: str = ""


class Flagged(Event, frozen=True):
    """Something a person should look at."""

    about: str
    player: str = ""


AnyEvent: TypeAlias = (
    TableOpened
    | SignShown
    | ClosingPosted
    | TableClosed
    | Seated
    | PlayerLeft
    | SeatWanted
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
    | ShoeFixed
    | PoolShown
    | JackpotClaimed
    | PlacementShown
    | StakeAdded
    | WagerWithdrawn
    | WagerReduced
    | Happened
    | Announced
    | Ruled
    | RulingOverruled
    | FactTakenBack
    | WagerSettled
    | RoundEnded
    | CommissionDeferred
    | CommissionCollected
    | RoundCorrected
    | RoundInvalidated
    | PlayerSanctioned
    | DisputeRaised
    | DisputeDecided
    | PaidOtherwise
    | OverpaymentRecovered
    | UnclaimedHeld
    | RulesShown
    | Flagged
    | AnyTerminalEvent
)

Events: TypeAlias = tuple[AnyEvent, ...]


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


_ENTRIES = msgspec.json.Decoder(Entry)
"""Made here once: the first use of a type must not be in two threads."""


def decode(line: bytes | str) -> Entry:
    return _ENTRIES.decode(line)
