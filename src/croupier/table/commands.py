"""Everything that can be asked of a table, on one page.

A `TableRequest` is a command with who asks and when: time and people enter here and nowhere else.  Commands are closed
and tagged, so that they travel as JSON and come back as the same values.  Amounts are in cents, times in milliseconds.
What only tables with terminals are asked is on the page beside, `terminals/commands.py`.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from croupier.journal import messages
from croupier.journal.messages import Command
from croupier.money import Cents
from croupier.table.terminals.commands import AnyTerminalCommand

# ---------------------------------------------------------------- the life of a table


class OpenTable(Command, frozen=True):
    """Open with a sign.

    `kinds` are limits of their own for some wagers; `multiples`: wagers are whole multiples of the minimum.
    `players_per_area` and `area_cap` (all, each) are what the operator lets and directs; `refuse_unpayable`: wagers
    that chips cannot pay are turned away.  `signs` are the other notices at the table; `supplies` the card equipment;
    `private` names the guests, `event` what the table is reserved for.  `equipment` is what was measured of the wheel,
    the ball or the shoe, by name.  `chance` is where the results of wheels and
    dice come from: the equipment, the system's random numbers (for practice), or a sequence with a known start.
    """

    minimum: Cents
    maximum: Cents
    chip: Cents = 1
    increment: Cents = 0
    differential: tuple[Cents, Cents] | None = None
    kinds: dict[str, tuple[Cents, Cents]] = msgspec.field(default_factory=dict)
    jackpot: tuple[Cents, Cents] | None = None
    super_sevens: Cents | None = None
    multiples: bool = False
    players_per_area: int = 1
    area_cap: Literal["", "all", "each"] = ""
    refuse_unpayable: bool = False
    seats: int = 0
    sign_shown: bool = True
    signs: tuple[str, ...] = ()
    supplies: str = "shoe"
    supervisor: str = ""
    private: tuple[str, ...] = ()
    event: str = ""
    first_today: bool = False
    equipment: dict[str, str] = msgspec.field(default_factory=dict)
    chance: Literal["equipment", "system", "seeded"] = "equipment"


class PostClosing(Command, frozen=True):
    """Put up the sign with the time at which the table will close."""

    closes_ms: int


class CloseTable(Command, frozen=True):
    pass


# ---------------------------------------------------------------- people and seats


class Sit(Command, frozen=True):
    """A player takes a seat, or joins standing (seat 0); `born` is a date where it is known."""

    player: str
    seat: int = 0
    born: str = ""


class Leave(Command, frozen=True):
    player: str


class AskToLeave(Command, frozen=True):
    """Require a seated player who has not wagered for the set number of rounds to give up the seat; he may stand."""

    player: str


class Exclude(Command, frozen=True):
    player: str
    reason: str


class AllowStanding(Command, frozen=True):
    player: str


class NameNominee(Command, frozen=True):
    """A player names who may bet and, if seated, handle cards on the player's behalf; nobody: no longer."""

    player: str
    nominee: str = ""


class NumberPlayer(Command, frozen=True):
    """The number of a player's card, for as long as that player is at the table or the terminal; nothing: no longer."""

    player: str
    number: str = ""


# ---------------------------------------------------------------- limits


class PostLimits(Command, frozen=True):
    """Put up the sign with new limits and the time from which they hold."""

    minimum: Cents
    maximum: Cents
    from_ms: int


class ChangeLimits(Command, frozen=True):
    """Change the limits; `consent` lists the players who agree, where that is the ground."""

    minimum: Cents
    maximum: Cents
    increment: Cents = 0
    consent: tuple[str, ...] = ()


class SetDifferential(Command, frozen=True):
    least: Cents
    most: Cents
    sign_shown: bool = True


class SetPersonalLimit(Command, frozen=True):
    player: str
    minimum: Cents
    maximum: Cents
    sign_shown: bool = True


# ---------------------------------------------------------------- chips and money


class BuyChips(Command, frozen=True):
    """Cash, a voucher or an authorised token becomes chips at once."""

    player: str
    amount: Cents
    tender: str = "cash"


class ExchangeChips(Command, frozen=True):
    """Chips or vouchers given for chips of the same total."""

    player: str
    given: tuple[Cents, ...]
    wanted: tuple[Cents, ...]


class RedeemChips(Command, frozen=True):
    """Chips for cash, part of it by cheque at the patron's request; promotional chips are apart."""

    player: str
    amount: Cents
    cheque: Cents = 0
    promotional: bool = False


class IssueColour(Command, frozen=True):
    """Non-value chips of one colour, each worth the declared value."""

    player: str
    colour: str
    value: Cents
    chips: int


class RedeemColour(Command, frozen=True):
    player: str
    colour: str
    table: str = ""


class RequireColour(Command, frozen=True):
    """Require a player to use non-value chips, or let value chips be used again."""

    player: str
    required: bool = True


class Tip(Command, frozen=True):
    player: str
    amount: Cents


# ---------------------------------------------------------------- what equipment says


class FixShoe(Command, frozen=True):
    """A virtual shoe before its first card: the hash of its order; and the text whose hash the last one told."""

    commitment: str
    revealed: str = ""


class ShowPool(Command, frozen=True):
    """What a link of jackpots says to its table: the pool, for the `round` in hand (0: whichever that is).

    `paid`: the hands that claimed it were paid on this pool, and got the `prizes` by box.  `shut`: no jackpot wager is
    taken now.  A table without a link plays for the pool on its own sign.
    """

    link: str
    pool: Cents
    round: int = 0
    paid: bool = False
    prizes: dict[int, Cents] = msgspec.field(default_factory=dict)
    shut: bool = False


# ---------------------------------------------------------------- wagers


class PlaceWager(Command, frozen=True):
    """A wager on the layout.

    `area` is the numbered area (the own seat's, if none is named).  `oral`: spoken, with chips `tendered` or not.
    `stack`: its chips from the bottom up, where they were seen.  `found`: it lay there unnoticed, and is dealt with as
    the law says of wagers made against the limits.  `against`: another player, if not the house; `partner`: with whom
    the player acts together.  `put`: the place with a name into which the chip went, where a layout has such.  `colour`
    of non-value chips and the `table` that issued them; `craps` is the part of a C & E on craps.
    """

    player: str
    on: str
    amount: Cents
    box: int = 1
    area: int = 0
    oral: bool = False
    tendered: bool = True
    stack: tuple[Cents, ...] = ()
    found: bool = False
    against: str = ""
    partner: str = ""
    colour: str = ""
    table: str = ""
    craps: Cents = 0
    put: str = ""


class WithdrawWager(Command, frozen=True):
    player: str
    number: int


# ---------------------------------------------------------------- the round


class Tell(Command, frozen=True):
    """A fact of the game, in the notation: a card, dice, a choice, an act, a call, an irregularity."""

    fact: str | dict[str, Any]


class ConfirmOrder(Command, frozen=True):
    """An official gives an order that waited for one: the fact happens in the official's own name."""

    order: int


class DeclineOrder(Command, frozen=True):
    """An order that waited is not given, or not wanted any more."""

    order: int
    reason: str = ""


class TakeBack(Command, frozen=True):
    """The last fact was entered by mistake: it is taken back, on the record."""

    reason: str


class DeferCommission(Command, frozen=True):
    """Let a player owe commissions, or no longer; `beyond_shoe`: what is owed now may stay owed when the shoe ends."""

    player: str
    deferred: bool = True
    beyond_shoe: bool = False


class CollectCommission(Command, frozen=True):
    """Collect what a player owes: at the end of the shoe, on request, on leaving, or by order of management."""

    player: str
    ground: Literal["end of shoe", "on request", "on leaving", "by management"] = "end of shoe"


# ---------------------------------------------------------------- when something goes wrong


class Overrule(Command, frozen=True):
    """A higher official replaces the call on a ruling of this round."""

    ruling: int
    call: str


class Correct(Command, frozen=True):
    """The true facts of an earlier round: every wager of it is recalculated and the difference posted."""

    round: int
    facts: tuple[str | dict[str, Any], ...]
    reason: str


class Invalidate(Command, frozen=True):
    """Invalidate the outcome of a round on a ground; the wagers are refunded, a fraudster's may be forfeited."""

    round: int
    ground: str
    forfeit: tuple[str, ...] = ()


class ReportDevice(Command, frozen=True):
    """A device that records or analyses play was found with a player: `what` it is, since which round it was there."""

    player: str
    what: str = ""
    since: int = 0


class Sanction(Command, frozen=True):
    """A measure against the holder of a prohibited device, or on another `ground` where the law has one.

    `to`: the authorised person who takes over.
    """

    player: str
    measure: Literal["void wagers", "exclude", "seize winnings", "confiscate device", "detain", "hand over"]
    amount: Cents = 0
    to: str = ""
    ground: str = ""


class RaiseDispute(Command, frozen=True):
    """`round` is the one that is disputed, where it is one."""

    complainant: str
    about: str
    round: int = 0


class DecideDispute(Command, frozen=True):
    """Decide it, or leave it unresolved: then the complainant has been told of the inspector."""

    dispute: int
    decision: str
    resolved: bool = True
    inspector_named: bool = False


class AskReview(Command, frozen=True):
    """The complainant asks the next official to review what was decided."""

    dispute: int


class ReportPaid(Command, frozen=True):
    """What was really handed over for a settled wager, where it was not what is due."""

    round: int
    number: int
    paid: Cents
    in_chips: bool = True


class RecoverPaid(Command, frozen=True):
    """Take back what a player was paid too much."""

    player: str


class HoldUnclaimed(Command, frozen=True):
    """Winnings that nobody collected are held."""

    player: str
    amount: Cents


class ShowRules(Command, frozen=True):
    player: str = ""


class Advise(Command, frozen=True):
    """Advice on how to play: never given by staff.  `by`: the player or spectator who gave it unasked, as reported."""

    player: str
    text: str
    by: str = ""
    asked: bool = False


AnyCommand: TypeAlias = (
    OpenTable
    | PostClosing
    | CloseTable
    | Sit
    | Leave
    | AskToLeave
    | Exclude
    | AllowStanding
    | NameNominee
    | NumberPlayer
    | PostLimits
    | ChangeLimits
    | SetDifferential
    | SetPersonalLimit
    | BuyChips
    | ExchangeChips
    | RedeemChips
    | IssueColour
    | RedeemColour
    | RequireColour
    | Tip
    | FixShoe
    | ShowPool
    | PlaceWager
    | WithdrawWager
    | Tell
    | ConfirmOrder
    | DeclineOrder
    | TakeBack
    | DeferCommission
    | CollectCommission
    | Overrule
    | Correct
    | Invalidate
    | ReportDevice
    | Sanction
    | RaiseDispute
    | DecideDispute
    | AskReview
    | ReportPaid
    | RecoverPaid
    | HoldUnclaimed
    | ShowRules
    | Advise
    | AnyTerminalCommand
)


class TableRequest(messages.Request[AnyCommand], frozen=True, forbid_unknown_fields=True):
    """A command of a table, who asks, in which role, and when."""
