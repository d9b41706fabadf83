"""A live table as a value.

Everything a table is at a moment: its rule set and sign, the round in hand, who sits where, the balances of all
accounts, what was posted, ruled and disputed.  It changes only by `evolve`, one event at a time; balances only by the
transfers that the events carry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace as changed

from croupier.game import (
    NO_SIGN,
    NORMAL,
    AnyGame,
    Attendance,
    Called,
    Chosen,
    Demand,
    Effect,
    Fact,
    Irregular,
    Next,
    Performed,
    Procedure,
    Refusal,
    Roll,
    Ruling,
    Sign,
    Wager,
)
from croupier.game.kinds import wager_kind
from croupier.journal.accounts import Balances, chips_of, stakes_of
from croupier.journal.names import plain
from croupier.law.areas import AreaRules
from croupier.law.general import GeneralRules
from croupier.law.ruleset import Ruleset
from croupier.money import Cents
from croupier.once import kept, once, replace
from croupier.present import short
from croupier.round import AnyRound, BookLine, happen, open_round, ruled, with_state
from croupier.table.live import live, procedure_of
from croupier.table.terminals.state import MalfunctionCase, System, Terminal, Unfetched, Voucher

HAPPENINGS_KEPT = 16
AFOOT = 1_000
"""Who stands has no number of a seat, and is numbered from here."""
RECORDS_KEPT = 200
"""Finished rounds that a table remembers for correction; older ones are read back from the journal."""


class Player(msgspec.Struct, frozen=True, gc=False):
    """A person at the table.

    `seat` 0 is standing; `colours` with their values, and how many chips were `issued` and not lost since, with what
    wagers in them `won`, which may have been paid in chips of value; `nominee`: who acts for them.
    `number` is that of the player's card, which no other player is told; `arrival` rises in the order in which players
    came to the table, 0 where that is not on record.  `let_stand`: the commission that may stay owed when a shoe has
    ended, by order of management.
    """

    name: str
    seat: int = 0
    personal: tuple[Cents, Cents] | None = None
    idle: int = 0
    deferring: bool = False
    colours: Mapping[str, Cents] = {}
    colours_only: bool = False
    issued: Mapping[str, int] = {}
    won: Mapping[str, int] = {}
    nominee: str = ""
    number: str = ""
    let_stand: Cents = 0
    arrival: int = 0


class HouseChoices(msgspec.Struct, frozen=True, gc=False):
    """What the operator chose for this table beside the sign."""

    seats: int = 0
    kinds: Mapping[str, tuple[Cents, Cents]] = {}
    multiples: bool = False
    players_per_area: int = 1
    area_cap: str = ""
    refuse_unpayable: bool = False
    supervisor: str = ""
    private: frozenset[str] = frozenset()
    event: str = ""
    first_today: bool = False
    signs: frozenset[str] = frozenset()

    def own_limits(self, on: str) -> tuple[Cents, Cents] | None:
        """The limits that the sign has for this wager: for its very place, else for all of its kind."""
        return (self.kinds.get(on) or self.kinds.get(wager_kind(on))) if self.kinds else None


class Linkage(msgspec.Struct, frozen=True, gc=False):
    """The link whose pool the jackpot wagers play for, if any, and the last rounds of this table that it knew of.

    `told`: the round for which it told the pool; `claimed`: whose hands claimed it; `paid`: whose hands it paid.
    `shut`: the link takes no wagers now.  `fed`: what the round that was told brought into the table's own pool.
    """

    link: str = ""
    told: int = 0
    claimed: int = 0
    paid: int = 0
    shut: bool = False
    fed: Cents = 0


class SettledWager(msgspec.Struct, frozen=True, gc=False):
    """A settled wager: how it ended, all that went back, and whether that was apart from the end of its round.

    `commission` was taken from the winnings, `owed` is one that was deferred; one that was paid at placement is the
    wager's own.
    """

    wager: Wager
    result: str
    returned: Cents
    rule: str
    apart: bool = False
    commission: Cents = 0
    owed: Cents = 0

    @property
    def fee_kept(self) -> Cents:
        """What stays of a commission paid at placement."""
        return 0 if self.result == "void" else self.wager.fee_cents

    @property
    def net(self) -> Cents:
        return self.returned - self.wager.stake_cents - self.wager.voided_cents - self.wager.fee_cents


UNHEARD = Performed("unheard")
"""Stands where something was told that is no part of the round: no game knows such an act."""


class Record(msgspec.Struct, frozen=True, gc=False):
    """A finished round: what it began with, what was placed (after so many facts), what happened, how it ended.

    `began` is the layout that it found, in games whose rounds go on from each other, and `by` who threw; `said` are the
    facts, in which a call that took one wager names it by its number.  `level`: the official by whose word the result
    stands, where the law says who overrules whom.  `waiting` is what later changes of this round gave (or, below
    nothing, took) and could not move: it is due to who has gone, or owed.  `beyond`: how much more (or less) than due
    was reported to be paid, by the number of the wager, until that is settled.  `since`: the round since which whoever
    bet at each terminal had played there.  `follows`: how it truly began, where its ceremony had it otherwise than the
    round before left it, and after how many facts that was so.
    """

    number: int
    following: Next
    carried: tuple[Wager, ...]
    placed: tuple[tuple[int, Wager], ...]
    facts: tuple[Fact, ...]
    lines: tuple[SettledWager, ...]
    invalid: str = ""
    outcome: Mapping[str, Any] = {}
    began: Any = None
    by: str = ""
    said: tuple[Fact, ...] = ()
    level: str = ""
    waiting: Mapping[str, Cents] = {}
    beyond: tuple[tuple[int, Cents], ...] = ()
    since: Mapping[str, int] = {}
    follows: tuple[Next, int] | None = None

    @property
    def as_begun(self) -> Record:
        """The same round as it truly began: what was ruled on of cards that were mixed before it is no part of it."""
        if self.follows is None:
            return self
        following, after = self.follows
        facts, said = (
            tuple(UNHEARD if at < after and isinstance(fact, Irregular) else fact for at, fact in enumerate(told))
            for told in (self.facts, self.said)
        )
        return replace(self, following=following, facts=facts, said=said, follows=None)

    @property
    def result(self) -> Mapping[str, Any]:
        """The round in figures, or why it does not count."""
        return {"void": self.invalid} if self.invalid else self.outcome


class RoundStep(msgspec.Struct, frozen=True, gc=False):
    """A fact of the round in hand: the round before it, the ruling if it is irregular, and what was settled by then.

    `person` is who told it; `said` the same by the number of a wager, where it took one by its name.
    """

    before: AnyRound
    fact: Fact
    ruling: Ruling | None = None
    settled: tuple[SettledWager, ...] = ()
    person: str = ""
    said: Fact | None = None


class RulingMade(msgspec.Struct, frozen=True, gc=False):
    """A ruling of the round in hand: the step it was made at, its rule, and whose call is in force."""

    step: int
    rule: str
    level: str


class Dispute(msgspec.Struct, frozen=True, gc=False):
    """`heard`: who decided it so far; each review is another person's."""

    complainant: str
    about: str
    level: int = 0
    decision: str = ""
    resolved: bool = False
    round: int = 0
    heard: tuple[str, ...] = ()


class Awaited(msgspec.Struct, frozen=True, gc=False):
    """An order that waits for its official: its number, the fact, whom it waits for, and who asked in which role."""

    order: int
    fact: Any
    official: str
    person: str
    role: str
    rule: str


class Exclusion(msgspec.Struct, frozen=True):
    """Why somebody was shut out, and under which rule; whether the roles that they hold pass on."""

    reason: str
    rule: str
    passes: bool = False


class FoundDevice(msgspec.Struct, frozen=True):
    """A prohibited device that was found with a player: what it is, since which round, and what was seized for it."""

    what: str
    since: int
    seized: Cents = 0
    detained: bool = False


class FixedShoe(msgspec.Struct, frozen=True):
    """What is known of a virtual shoe: the hash of its order; the hash of the last one that was used, and its text."""

    commitment: str = ""
    before: str = ""
    revealed: str = ""


class Happening(msgspec.Struct, frozen=True, gc=False):
    """The round before and after a fact, and as what the fact took effect."""

    before: AnyRound
    effect: Effect | Refusal
    after: AnyRound | Refusal

    def said(self, fact: Fact) -> Fact | None:
        """A call that took one wager, or part of it, by its number: played again, another may have the same name."""
        if type(fact) is not Called or fact.call != "take" or isinstance(self.after, Refusal):
            return None
        both = zip(self.before.book, self.after.book, strict=True)
        taken = [was.wager.number for was, now in both if was != now]
        return replace(fact, on=f"#{taken[0]}") if len(taken) == 1 else None

    @property
    def ruling(self) -> Ruling | None:
        """The ruling that an irregular fact got."""
        return self.effect if type(self.effect) is Ruling else None


class Table(msgspec.Struct, frozen=True, dict=True):
    """One table.

    `steps`, `placed`, `settled` and `carried` are the round in hand; `areas` where its wagers lie, `coloured`
    which of them in non-value chips.  `overpaid` is what somebody was paid too much (or, below nothing, too little) and
    has not settled yet.  Of those in `tolerated` a wager below the minimum was let pass once, the last of them the one
    in `let_pass`; `devices` are what was found, with whom.  `slips` are the digests that terminals confirmed last,
    `locks` the terminals that nobody may operate (the empty name: the game system).  Those in `retired` were terminals
    of this table once.
    """

    name: str
    game: AnyGame
    ruleset: Ruleset[Any]
    round: AnyRound
    procedure: Procedure[Any, Any]
    general: GeneralRules
    layout: AreaRules
    open: bool = False
    sign: Sign = NO_SIGN
    house: HouseChoices = HouseChoices()
    number: int = 1
    following: Next = NORMAL
    steps: tuple[RoundStep, ...] = ()
    carried: tuple[Wager, ...] = ()
    placed: tuple[tuple[int, Wager], ...] = ()
    settled: tuple[SettledWager, ...] = ()
    areas: Mapping[int, int] = {}
    coloured: tuple[tuple[int, str], ...] = ()
    players: Mapping[str, Player] = {}
    balances: Balances = {}
    overpaid: Mapping[str, Cents] = {}
    excluded: Mapping[str, Exclusion] = {}
    tolerated: frozenset[str] = frozenset()
    let_pass: Mapping[str, int] = {}
    devices: Mapping[str, FoundDevice] = {}
    standing_allowed: frozenset[str] = frozenset()
    closing: tuple[int, int] | None = None
    posted: tuple[Cents, Cents, int, int] | None = None
    records: tuple[Record, ...] = ()
    rulings: tuple[RulingMade, ...] = ()
    uncovered: bool = False
    """What chance gave was told, taken back, and not told again yet."""
    awaited: tuple[Awaited, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    system: System = System()
    terminals: Mapping[str, Terminal] = {}
    retired: frozenset[str] = frozenset()
    slips: Mapping[str, str] = {}
    vouchers: Mapping[str, Voucher] = {}
    unfetched: tuple[Unfetched, ...] = ()
    cases: tuple[MalfunctionCase, ...] = ()
    locks: frozenset[str] = frozenset()
    linkage: Linkage = Linkage()
    shoe: FixedShoe = FixedShoe()
    vacancies: int = 0
    entries: int = 0

    def __repr__(self) -> str:
        players = len(self.players)
        return short("State", name=self.name, rules=self.ruleset.label, round=self.number, players=players)

    @property
    def seats(self) -> Mapping[int, str]:
        """Who sits on which number, in the order in which they came to the table."""
        return _seats(self.players)

    @kept
    def attended(self) -> AnyRound:
        """The round with its sitting told who is there and what they staked."""
        this, players = self.round, self.players
        seats, first = _seats(players), _first_to_come(players)
        out = _shut_out(players, self.excluded) if self.excluded else frozenset()
        afoot = _afoot(players)
        there = Attendance(seats, this.staked, this.standing, self.vacancies, self.house.seats, first, out, afoot)
        return with_state(this, self.procedure.attend(this.rules, this.state, there))

    @kept
    def _happenings(self) -> dict[Fact, Happening]:
        return {}

    def happening(self, fact: Fact) -> Happening:
        """What a fact does to the round in hand.

        Who may tell it, what follows from it and the table after it all ask this in turn, so that the last few answers
        stay with the table; they depend on nothing else.
        """
        known = self._happenings.get(fact)
        if known is None:
            before = self.attended
            effect = ruled(before, fact)
            known = Happening(before, effect, effect if isinstance(effect, Refusal) else happen(before, effect))
            if len(self._happenings) >= HAPPENINGS_KEPT:
                self._happenings.clear()
            self._happenings[fact] = known
        return known

    @kept
    def due(self) -> Demand:
        """What is due now, given who is there and what they staked."""
        return self.attended.due

    def chips(self, player: str) -> Cents:
        return self.balances.get(chips_of(player), 0)

    def staked(self, player: str) -> Cents:
        return self.balances.get(stakes_of(player), 0)

    @property
    def follows(self) -> tuple[Next, int] | None:
        """How the round in hand began, where its ceremony had it otherwise than the one before left it."""
        states = [step.before.state for step in self.steps]
        return self.procedure.follows(self.ruleset.rules, states, self.following)

    @property
    def begun(self) -> Any:
        """The layout that the round in hand found, in games whose rounds go on from each other."""
        resumes = self.procedure.resume is not None and self.steps
        return self.procedure.layout(self.ruleset.rules, self.steps[0].before.state) if resumes else None

    @property
    def thrower(self) -> str:
        """Who threw in the round in hand, where that decides whose turn is next."""
        due = (step.before.due for step in reversed(self.steps)) if self.procedure.turn else ()
        return next((each.by for each in due if isinstance(each, Roll)), "")

    def record(self, number: int) -> Record | None:
        return next((record for record in reversed(self.records) if record.number == number), None)

    def is_settled(self, number: int) -> bool:
        """Whether the money of a wager of the round in hand has moved."""
        return any(line.wager.number == number for line in self.settled)

    def line(self, number: int) -> BookLine | None:
        """A line of the book in hand, by its number."""
        return self.round.lines.get(number)


@once
def _seats(players: Mapping[str, Player]) -> Mapping[int, str]:
    return {player.seat: name for name, player in players.items() if player.seat}


def _shut_out(players: Mapping[str, Player], excluded: Mapping[str, Exclusion]) -> frozenset[int]:
    """The seats of those who are shut out, however their names were written."""
    names = {plain(name) for name, each in excluded.items() if each.passes}
    return frozenset(
        seat for seat, name in (*_seats(players).items(), *_afoot(players).items()) if plain(name) in names
    )


@once
def _afoot(players: Mapping[str, Player]) -> Mapping[int, str]:
    """Those who have no seat, the first to come first."""
    came = sorted((player.arrival, name) for name, player in players.items() if not player.seat)
    return {AFOOT + number: name for number, (_, name) in enumerate(came)}


@once
def _first_to_come(players: Mapping[str, Player]) -> int:
    """The seat of whoever came before all others that sit here; 0 where that is not on record."""
    came = min([(player.arrival, player.seat) for player in players.values() if player.seat], default=(0, 0))
    return came[1] if came[0] else 0


def new_table(name: str, game: AnyGame, ruleset: Ruleset[Any]) -> Table:
    """A table that was never opened."""
    return Table(
        name=name,
        game=game,
        ruleset=ruleset,
        round=open_round(live(game), ruleset.rules),
        procedure=procedure_of(game),
        general=ruleset.law.general,
        layout=ruleset.layout,
    )


def reveals(fact: Fact) -> bool:
    """Whether a fact shows something of what chance gave, as no act, choice or call does."""
    return not isinstance(fact, Performed | Chosen | Called)


def as_begun(table: Table) -> Table:
    """The table with each of its finished rounds as it truly began."""
    return changed(table, records=tuple(record.as_begun for record in table.records))


def with_player(table: Table, name: str, **changes: Any) -> Table:
    """The table with one player changed, or added."""
    player = table.players.get(name) or Player(name)
    return changed(table, players={**table.players, name: replace(player, **changes)})


def snapshot(table: Table) -> bytes:
    """The table as bytes, the same for equal tables on any machine; what never changes is left out."""
    this = table.round
    values = {name: getattr(table, name) for name in table.__struct_fields__ if name not in _FIXED}
    values["round"] = (this.state, this.book, this.start, this.following, this.numbered)
    values["steps"] = [step.fact for step in table.steps]
    values["areas"] = sorted(table.areas.items())
    return msgspec.json.encode(values, order="deterministic", enc_hook=repr)


_FIXED = ("game", "ruleset", "round", "procedure", "general", "layout", "steps", "areas")
