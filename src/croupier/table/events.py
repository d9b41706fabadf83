"""Everything that can have happened at a table, on one page.

Events are closed and versioned; each names the rule it happened under and the transfers of money it made.  A journal of
them is the whole truth about a table: replayed, it gives the same bytes.  Those of terminals, and of
what went wrong beside the rounds stand on pages of their own: `terminals/events.py`, `trouble/events.py`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from croupier.journal import messages
from croupier.journal.entries import decoded
from croupier.journal.messages import Event
from croupier.money import Cents
from croupier.table.terminals.events import AnyTerminalEvent
from croupier.table.trouble.events import DeviceFound as DeviceFound
from croupier.table.trouble.events import DisputeDecided as DisputeDecided
from croupier.table.trouble.events import DisputeRaised as DisputeRaised
from croupier.table.trouble.events import Flagged as Flagged
from croupier.table.trouble.events import OverpaymentRecovered as OverpaymentRecovered
from croupier.table.trouble.events import PaidOtherwise as PaidOtherwise
from croupier.table.trouble.events import PlayerSanctioned as PlayerSanctioned
from croupier.table.trouble.events import ReviewAsked as ReviewAsked
from croupier.table.trouble.events import RulesShown as RulesShown
from croupier.table.trouble.events import UnclaimedHeld as UnclaimedHeld

# ---------------------------------------------------------------- the life of a table


class TableOpened(Event, frozen=True):
    """The sign and the operator's choices; `law` says under which rules: game, edition, version, choices, hash.

    `begun_anew`: the ceremony begins as at a table that was never opened; before that was told, it went on.
    `new_day`: wagers that were let pass on an earlier gaming day count no more; before that was told, they did.
    """

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
    begun_anew: bool = False
    new_day: bool = False
    equipment: dict[str, str] = msgspec.field(default_factory=dict)


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
    """Somebody takes part from now on, under the rules of this edition; `arrival`, if told, counts who came before."""

    player: str
    seat: int
    edition: str = ""
    arrival: int = 0


class PlayerLeft(Event, frozen=True):
    player: str


class SeatWanted(Event, frozen=True):
    """A seated player was asked to give up the seat."""

    player: str


class PlayerExcluded(Event, frozen=True):
    player: str
    reason: str
    passes: bool = False  # The roles that somebody holds pass on; lines of earlier releases do not say so.


class StandingAllowed(Event, frozen=True):
    player: str


class NomineeNamed(Event, frozen=True):
    """Somebody acts for a player from now on; nobody: no longer."""

    player: str
    nominee: str


class PlayerNumbered(Event, frozen=True):
    """The house's other systems know this player by a number, until the player leaves; nothing: no longer."""

    player: str
    number: str


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
    """All chips of a colour are exchanged for value chips: as many as were issued, less those lost, with those won."""

    player: str
    colour: str
    value: Cents = 0
    chips: int = 0


class ColourRequired(Event, frozen=True):
    player: str
    required: bool


# ---------------------------------------------------------------- wagers and rounds


class WagerPlaced(Event, frozen=True):
    """A wager in the book: `voided` does not count, `fee` was paid with it, `upon` is where chips were added.

    `tolerated`: below the minimum, and let pass this once; `made_up`: with what was let pass it is not below it.
    """

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
    colour: str = ""
    upon: int | None = None
    made_up: bool = False


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
    """A fact of the game, with what was due, and to which place its card went; the rule is that of what was due."""

    fact: Any
    due: str
    to: str = ""


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


class OrderAwaited(Event, frozen=True):
    """A fact that an official must order was asked for by somebody else, and waits; `order` is its number."""

    order: int
    fact: Any
    official: str
    person: str
    role: str


class OrderConfirmed(Event, frozen=True):
    """An order that `person` had asked for was given, by whoever caused this line."""

    order: int
    person: str
    role: str


class OrderDeclined(Event, frozen=True):
    order: int
    reason: str = ""


class RulingOverruled(Event, frozen=True):
    ruling: int
    call: str


class FactTakenBack(Event, frozen=True):
    fact: Any
    reason: str


class WagerSettled(Event, frozen=True):
    """How a wager ended, in money; `apart`: not by the end of its round, but called down or voided by an official.

    `deferred` is the part of the commission that the player owes: the winnings were paid without taking it.
    """

    number: int
    player: str
    on: str
    result: str
    pays: Cents = 0
    commission: Cents = 0
    returned: Cents = 0
    apart: bool = False
    deferred: Cents = 0


class WagerReopened(Event, frozen=True):
    """A settlement undone before its round was over: the stake is pending again, `returned` came back for it."""

    number: int
    player: str
    on: str
    returned: Cents = 0


class RoundEnded(Event, frozen=True):
    round: int
    outcome: dict[str, Any]


class CommissionDeferred(Event, frozen=True):
    """Whether a player owes commissions to come; `let_stand`: what may stay owed beyond the shoe, by management."""

    player: str
    deferred: bool
    let_stand: Cents = 0


class CommissionCollected(Event, frozen=True):
    player: str
    amount: Cents


# ---------------------------------------------------------------- rounds put right


class RoundCorrected(Event, frozen=True):
    """An earlier round was recalculated on the true facts; the transfers post the differences.

    `settled` are the wagers whose settlement changed; `report`: a supervisor must look, since somebody had not enough.
    `resumed`: what followed goes on from the layout as it truly was (a point); `anew`: so does the round in hand, with
    all said and placed in it; `spoken`: what came between throws counts for the next; `in_full`: odds are payable in
    chips of the table, and what was said of a wager that came down is heard; `turn`: why another throws now; `begun`:
    each round is played again as its ceremony had it begin, and one broken off was one of its shoe.
    """

    round: int
    facts: tuple[Any, ...]
    reason: str
    settled: tuple[WagerSettled, ...] = ()
    differences: dict[str, int] = msgspec.field(default_factory=dict)
    report: bool = False
    resumed: bool = False
    anew: bool = False
    spoken: bool = False
    in_full: bool = False
    turn: str = ""
    begun: bool = False


class RoundInvalidated(Event, frozen=True):
    """A round has no outcome; `settled` are the settlements that it changed, where it was over already.

    `recalculated`: wagers that live longer were played again without it; `resumed` to `begun` as above.
    """

    round: int
    ground: str
    settled: tuple[WagerSettled, ...] = ()
    forfeited: tuple[str, ...] = ()
    recalculated: bool = False
    resumed: bool = False
    anew: bool = False
    spoken: bool = False
    in_full: bool = False
    turn: str = ""
    begun: bool = False


AnyEvent: TypeAlias = (
    TableOpened | SignShown | ClosingPosted | TableClosed | Seated | PlayerLeft | SeatWanted | PlayerExcluded
    | StandingAllowed | NomineeNamed | PlayerNumbered | LimitsPosted | LimitsChanged | InspectorNotified
    | DifferentialSet | PersonalLimitSet | ChipsBought | ChipsExchanged | ChipsRedeemed | ColourIssued | ColourRedeemed
    | ColourRequired | WagerPlaced | ShoeFixed | PoolShown | JackpotClaimed | PlacementShown | StakeAdded
    | WagerWithdrawn | WagerReduced | Happened | Announced | Ruled | OrderAwaited | OrderConfirmed | OrderDeclined
    | RulingOverruled | FactTakenBack | WagerSettled | WagerReopened | RoundEnded | CommissionDeferred
    | CommissionCollected | RoundCorrected | RoundInvalidated | DeviceFound | PlayerSanctioned | DisputeRaised
    | DisputeDecided | ReviewAsked | PaidOtherwise | OverpaymentRecovered | UnclaimedHeld | RulesShown | Flagged
    | AnyTerminalEvent
)  # fmt: skip

Events: TypeAlias = tuple[AnyEvent, ...]


class TableEntry(messages.Entry[AnyEvent], frozen=True):
    """A line of a table's journal."""


_LINES = msgspec.json.Decoder(TableEntry)
"""Made here once: the first use of a type must not be in two threads."""


def decode(line: bytes | str) -> TableEntry:
    return decoded(_LINES, line)
