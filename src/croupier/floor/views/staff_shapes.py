"""What staff see of a table beside what everybody sees, as types: people, the sign, rulings, disputes, terminals."""

from __future__ import annotations

from typing import Any

from croupier.floor.views.parts import Part


class HeldDevice(Part, frozen=True):
    """A prohibited device that was found with a player, since which round, and what was won with it and is left."""

    what: str
    since: int
    detained: bool
    left: int


class PlayerRow(Part, frozen=True):
    """Somebody at the table; `number` is that of the player's card, if there is one.

    `terminal` says that it is one, `advised` that a wager below the minimum was let pass.
    """

    name: str
    seat: int
    chips: int
    staked: int
    owes: int
    idle: int
    personal: tuple[int, int] | None
    overpaid: int
    device: HeldDevice | None
    terminal: bool
    advised: bool
    number: str


class Seating(Part, frozen=True):
    seats: int
    full: bool
    idle_rounds: int
    idle_rule: str
    standing_rule: str
    may_stand: list[str]
    excluded: dict[str, str]
    nominee_rule: str
    nominees: dict[str, str]


class Notice(Part, frozen=True):
    """A notice of other limits; `lawful_ms` is when they may be put up."""

    minimum: int
    maximum: int
    posted_ms: int
    lawful_ms: int
    from_ms: int


class Ground(Part, frozen=True):
    """A ground on which limits may be tightened, and whether it holds now."""

    name: str
    holds: bool
    rule: str


class LimitsShown(Part, frozen=True):
    """The sign's limits and how they change; `personal_above`: the rule that a player's own maximum is above it."""

    personal_above: str
    notice: Notice | None
    minutes: int
    rule: str
    guarded: list[str]
    grounds: list[Ground]


class Differential(Part, frozen=True):
    """How many figures a differential has here: none, one or two."""

    figures: int
    rule: str


class SignAgain(Part, frozen=True):
    """What a closed table would be opened with again, as the command to open it is told."""

    minimum: int
    maximum: int | None
    chip: int
    increment: int
    differential: tuple[int, int] | None
    seats: int
    multiples: bool
    players_per_area: int
    area_cap: str
    refuse_unpayable: bool
    supervisor: str
    kinds: dict[str, tuple[int, int]]
    signs: list[str]
    jackpot: tuple[int, int] | None
    super_sevens: int | None


class Closing(Part, frozen=True):
    closes_ms: int
    minutes: int
    rule: str
    in_play: bool
    posted_ms: int
    lawful_ms: int
    sign: SignAgain | None


class RoundNote(Part, frozen=True):
    """What stands beside the result of a round in a list: when it ended, what was staked, and what became of it."""

    round: int
    at_ms: int
    staked: int | None
    irregular: bool
    corrected: bool
    disputed: bool


class RulingShown(Part, frozen=True):
    """An irregularity of the round that was ruled on; `level` is the official who did."""

    number: int
    what: str
    call: str
    level: int | str
    rule: str


class PaymentShown(Part, frozen=True):
    """A wager that is decided and not settled: what is taken or paid, at which odds, and in which chips.

    `pays` is what the player gets beside the stake, after the `commission`; `chips` are kinds with their numbers.
    """

    number: int
    by: str
    seat: int
    box: int
    hand: int
    on: str
    stake: int
    result: str
    odds: str
    pays: int
    commission: int
    returned: int
    chips: list[tuple[int, int]]
    rule: str


class OrderOpen(Part, frozen=True):
    """What may be ordered now although it is not due: by which word of the law, and by which roles."""

    act: str
    by: str
    official: str
    roles: list[str]
    rule: str


class AwaitedOrder(Part, frozen=True):
    """An order that waits for its official: what is to be ordered, who may (at `least`), and who asked for it."""

    order: int
    fact: dict[str, Any]
    what: str
    official: str
    roles: list[str]
    least: str
    person: str
    role: str
    rule: str


class DisputeShown(Part, frozen=True):
    """A dispute: before which official it is, who may decide it now, and who would review what was decided."""

    number: int
    complainant: str
    about: str
    before: str
    roles: list[str]
    review: str
    decision: str
    resolved: bool
    rule: str


class TroubleGround(Part, frozen=True):
    ground: str
    rule: str


class Measure(Part, frozen=True):
    """A measure against a player; `needs` is what must be told with it: an amount, or who takes over."""

    measure: str
    rule: str
    needs: str


class Trouble(Part, frozen=True):
    """Grounds on which a round is invalidated, and measures; `contravened`: the rule by which others have them too."""

    grounds: list[TroubleGround]
    measures: list[Measure]
    contravened: str


class SystemShown(Part, frozen=True):
    version: str
    approval: str


class TerminalRow(Part, frozen=True):
    """A terminal as staff see it."""

    name: str
    number: int
    active: bool
    holder: str
    credits: int
    staked: int
    due: int
    locked: bool
    confirmed: bool
    minimum: int
    maximum: int
    increment: int
    aggregate: int
    approval: str


class Duty(Part, frozen=True):
    """What is to be done about a malfunction."""

    name: str
    done: bool
    says: str
    rule: str


class CaseShown(Part, frozen=True):
    """A malfunction, of a terminal or of the system."""

    number: int
    terminal: str
    fault: str
    rounds: list[int]
    closed: bool
    duties: list[Duty]


class Electronic(Part, frozen=True):
    """The electronic game; `due` are cents that a correction left to somebody who was paid out, by terminal.

    `dues` are the same for each who played there: the terminal, a round that they played (0: not known), the cents.
    """

    system: SystemShown
    most: int
    locked: bool
    unconfirmed: list[str]
    due: dict[str, int]
    dues: list[tuple[str, int, int]]
    terminals: list[TerminalRow]
    cases: list[CaseShown]


class OnDuty(Part, frozen=True):
    name: str
    role: str
    at_ms: int


class DutyRoster(Part, frozen=True):
    """Who of the staff did something here last, and since when the table is open."""

    supervisor: str
    opened_ms: int
    people: list[OnDuty]


class Asks(Part, frozen=True):
    """The lowest official for a command, and the rule that says so."""

    role: str
    rule: str
