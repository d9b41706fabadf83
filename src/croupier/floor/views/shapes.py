"""What a view is made of: the closed set of its parts, as types.

Theory of operation.  A page of a table is sent a `TableView`: the part that all players, or all staff, see alike
(`SharedView`), and the part that is one person's own (`OwnView`).  Every part is one of these records, so a field that
is not here cannot be sent, and the message on the line is described in `/openapi.json` by the same types.
`web/kit/view.js` is made from them for the pages (`jsdoc.py`).

Players see their own wagers and money; staff see everybody's, and all that stands in `staff_shapes.py`.  Nobody is
given advice.  Money is in cents, time in milliseconds.  `UNSET` marks what is left out where there is nothing to
tell.  What a game says of its round in figures of its own is `Figures`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import UNSET, UnsetType, field

from croupier.floor.views.parts import Choice, Figures, Part
from croupier.floor.views.staff_shapes import (
    Asks,
    AwaitedOrder,
    Closing,
    Differential,
    DisputeShown,
    DutyRoster,
    Electronic,
    LimitsShown,
    OrderOpen,
    PaymentShown,
    PlayerRow,
    RoundNote,
    RulingShown,
    Seating,
    Trouble,
)

# ---------------------------------------------------------------- the table and its round


class TableShown(Part, frozen=True):
    """Which table this is, and who `deals` there; `practice` is marked wherever it is shown."""

    name: str
    game: str
    edition: str
    version: str
    practice: bool
    deals: str
    open: bool
    seats: int


class SignView(Part, frozen=True):
    """The sign on the table; `kinds` are the limits of wagers that have their own, `notice` what comes from when on.

    `closing`: when the table closes, if a sign says so.
    """

    minimum: int
    maximum: int | None
    chip: int
    increment: int | None
    differential: tuple[int, int] | None
    kinds: dict[str, tuple[int, int]]
    notice: tuple[int, int, int] | None
    closing: int | None


class BettingShown(Part, frozen=True):
    """Whether anything can be backed now, why not, what nobody may (`shut`), and whether what came was `taken_back`."""

    open: bool
    reason: str
    rule: str
    shut: list[str]
    taken_back: bool = False


class ActShown(Part, frozen=True):
    """What an act is, whatever it is called; `of`: of which hand, box or role, or the words of a call."""

    verb: str
    of: str


class DueShown(Part, frozen=True):
    """What is due: its kind (`deal`, `roll`, `spin`, `choose`, `perform`, `over`), in words, and as data for buttons.

    `to` is where a card goes and `face` how it is to lie, `act` what is to be done, by which `official` at least, and
    `does` of what kind that is; `options` are what may be chosen, on which `box` and `hand`; `usual` is what is mostly
    recorded with the act, and `closes_betting` whether it ends the betting or the leave to take wagers back, `settles`
    the wagers that are settled with it, `places` where it goes in this order.
    """

    kind: str
    says: str
    rule: str
    summary: str
    by: str | UnsetType = UNSET
    to: str | UnsetType = UNSET
    act: str | UnsetType = UNSET
    does: ActShown | UnsetType = UNSET
    official: str | UnsetType = UNSET
    options: list[str] | UnsetType = UNSET
    usual: int | str | UnsetType = UNSET
    closes_betting: bool | UnsetType = UNSET
    settles: list[int] | UnsetType = UNSET
    face: str | UnsetType = UNSET
    face_rule: str | UnsetType = UNSET
    places: list[str] | UnsetType = UNSET
    places_rule: str | UnsetType = UNSET
    box: int | UnsetType = UNSET
    hand: int | UnsetType = UNSET


class Inscription(Part, frozen=True):
    """Words with their rule: what stands on the cloth, and of which wager; what may be ordered, who took a role."""

    text: str
    rule: str
    on: str = ""


Rate: TypeAlias = tuple[int, int, str]
"""Odds: what is won, for what is staked, and how many percent are taken of it."""


class PayLine(Part, frozen=True):
    """What a wager pays on a hand: at odds, or a sum and, where it has a share, that part of the pool if it is more."""

    on: str
    hand: str
    rule: str
    odds: Rate | None = None
    cents: int = 0
    share: str = ""


class ShoeTold(Part, frozen=True):
    """The order of a virtual shoe that is done, and the hash that was shown before its first card."""

    commitment: str
    order: str


class ShoeShown(Part, frozen=True):
    """The shoe in use: its number since the opening, its first round and the cards `left` in it, where they are known.

    Of a virtual one also what was fixed, and what is told of the last one.
    """

    commitment: str | UnsetType = UNSET
    revealed: ShoeTold | UnsetType | None = UNSET
    number: int | UnsetType = UNSET
    began: int | UnsetType = UNSET
    left: int | UnsetType = UNSET


# ---------------------------------------------------------------- what is somebody's own


class WagerShown(Part, frozen=True):
    """A wager on the layout; players are shown their own, staff everybody's.

    `of` is the wager to which a choice added it, `at` the number that it went to, `markers` what lies beside it.
    """

    number: int
    on: str
    stake: int
    voided: int
    by: str
    box: int
    area: int
    mine: bool
    hand: int
    of: int | None
    fee: int
    at: int | None
    markers: list[str]


class LastLine(Part, frozen=True):
    """What became of a wager of the last round."""

    on: str
    result: str
    stake: int
    returned: int
    commission: int
    box: int
    hand: int
    at: int | None


class RecalledLine(Part, frozen=True):
    """What became of a wager of a round that a terminal recalls."""

    on: str
    stake: int
    result: str
    returned: int


class Me(Part, frozen=True):
    """Who is looking; for a player the money, what is open to nobody else (`opens`), and what may be chosen.

    `number` is that of the player's own card, if there is one, `asked` says whether the choice that is due is this
    player's, `may` what may be chosen apart from that, `costs` what each puts down (`double@3`), `boxes` are the
    player's own with all cards, `orders` what the viewer may order, `duties` what a role asks of its holder.
    """

    name: str
    role: str
    seat: int | UnsetType = UNSET
    chips: int | UnsetType = UNSET
    staked: int | UnsetType = UNSET
    limits: tuple[int | None, int | None] | UnsetType = UNSET
    number: str | UnsetType = UNSET
    last: list[LastLine] | UnsetType = UNSET
    opens: list[str] | UnsetType = UNSET
    asked: bool | UnsetType = UNSET
    may: list[Choice] | UnsetType = UNSET
    costs: dict[str, int] | UnsetType = UNSET
    boxes: list[Figures] | UnsetType = UNSET
    orders: list[Inscription] = field(default_factory=list)
    duties: list[Inscription] = field(default_factory=list)


class ShownItem(Part, frozen=True):
    """One of the items that a terminal must show, and the rule that wants it."""

    value: Any
    rule: str


class SlipView(Part, frozen=True):
    owed: bool
    confirmed: bool
    rule: str


class RecalledRound(Part, frozen=True):
    """A round that a terminal can show again."""

    round: int
    cards: list[str]
    result: Figures
    wagers: list[RecalledLine]
    won: int
    returned: int
    void: str
    rule: str


class TerminalShown(Part, frozen=True):
    """What a terminal is told of itself, and nobody else is; the digest of its slip it makes of what it shows.

    `named`: it has a name of its own beside its number.
    """

    number: int
    named: bool
    holder: str
    active: bool
    locked: bool
    due: int
    approval: str
    denomination: int
    notes: list[int]
    display: dict[str, ShownItem]
    held: dict[str, int]
    slip: SlipView
    recall: list[RecalledRound]
    minimum: int
    maximum: int
    increment: int | None
    aggregate: int | None
    limits: dict[str, tuple[int | None, int | None]]


# ---------------------------------------------------------------- the view


class SharedView(Part, frozen=True):
    """What all players see alike, or all staff; what stands after `pool` is for staff.

    `totals` are those of a hand on which a choice is open, by the choice; of one that is open from a total on, that.
    `sides` are the hands that wagers of somebody's own edition are on, where that is one hand alone.
    """

    table: TableShown
    sign: SignView
    round: int
    betting: BettingShown
    due: DueShown
    layout: Figures
    offers: list[str]
    odds: dict[str, list[Rate]]
    scale: list[PayLine]
    totals: dict[str, list[int]]
    inscriptions: list[Inscription]
    sides: dict[str, str]
    roles: dict[str, Inscription]
    reds: list[int]
    shoe: ShoeShown
    said: list[str]
    history: list[Figures]
    closes_ms: int
    opens_ms: int
    choice_ms: int
    pool: int | None
    players: list[PlayerRow] | UnsetType = UNSET
    seating: Seating | UnsetType = UNSET
    limits: LimitsShown | UnsetType = UNSET
    differential: Differential | UnsetType = UNSET
    closing: Closing | UnsetType = UNSET
    payments: list[PaymentShown] | UnsetType = UNSET
    orders: list[OrderOpen] | UnsetType = UNSET
    notes: list[RoundNote] | UnsetType = UNSET
    rulings: list[RulingShown] | UnsetType = UNSET
    awaited: list[AwaitedOrder] | UnsetType = UNSET
    disputes: list[DisputeShown] | UnsetType = UNSET
    trouble: Trouble | UnsetType = UNSET
    may: list[Choice] | UnsetType = UNSET
    electronic: Electronic | UnsetType | None = UNSET
    duty: DutyRoster | UnsetType = UNSET
    asks: dict[str, Asks] | UnsetType = UNSET
    irregularities: dict[str, Any] | UnsetType = UNSET
    calls: list[str] | UnsetType = UNSET


class OwnView(Part, frozen=True):
    """What is one person's own."""

    wagers: list[WagerShown]
    me: Me
    terminal: TerminalShown | UnsetType = UNSET


class TableView(SharedView, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table as one viewer may see it: what many see alike, joined with what is the viewer's own."""

    wagers: list[WagerShown]
    me: Me
    at_ms: int
    terminal: TerminalShown | UnsetType = UNSET
