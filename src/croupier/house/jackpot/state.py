"""A jackpot link as a value: the tables that play for one pool, and how events change it.

The pool is an account in whole cents.  A wager adds its approved part exactly: what is less than a cent waits in
`carry` until it makes one, so that nothing is lost over many wagers.  The link's books face the tables' banks: a bank
hands over the wager it took in and is made good for the prize it pays out, so the players' money stays in the journal
of their table, and the two sets of books meet in the bank.

What a table has in hand is what it staked, timed and claimed, without a phase: wagers, then the moments of the hands,
then the hands that qualify; paying or reporting that nobody won clears it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import assert_never

import msgspec
from msgspec.structs import replace as changed

from croupier.games.caribbean_stud import CARIBBEAN_STUD
from croupier.games.caribbean_stud.rules import StudRules
from croupier.house.jackpot import messages as m
from croupier.house.jackpot.messages import AnyEvent
from croupier.journal.accounts import Balances, account, moved
from croupier.journal.entries import BadJournal, in_order
from croupier.journal.messages import Entry
from croupier.law.editions import first_with
from croupier.law.general import GeneralRules
from croupier.law.links import LinkRules
from croupier.money import Cents
from croupier.table.state import RECORDS_KEPT

BETWEEN = "between links"
"""Where the pool of a closed link waits for the one that receives it."""


def pool_of(link: str) -> str:
    return account("pool", link)


def retained_by(link: str) -> str:
    """The portion of the wagers that the operator may keep."""
    return account("retained", link)


def bank_of(table: str) -> str:
    return account("bank", table)


# ---------------------------------------------------------------- the link


@dataclass(frozen=True, slots=True)
class Stake:
    """A jackpot wager, and the rate at which it fed the pool."""

    player: str
    amount_cents: Cents
    pool_rate: int


@dataclass(frozen=True, slots=True)
class PaidPrize:
    """What a hand was paid, and the pool's part of it."""

    paid_cents: Cents
    from_pool_cents: Cents


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round that is over: its wagers and prizes by box, and the pool on which these were paid."""

    stakes: Mapping[int, Stake]
    prizes: Mapping[int, PaidPrize] = field(default_factory=dict)
    pool_cents: Cents = 0


@dataclass(frozen=True, slots=True)
class Linked:
    """A table of the link: how it plays, what was ever wagered there, and the round in hand by box.

    `paying` are the prizes of the round in hand as they are paid, on the pool `paying_on`; `history` are the rounds
    that its table can still correct.
    """

    device: str
    mode: str
    wager_cents: Cents
    chip_cents: Cents
    meters: tuple[str, ...]
    wagered_cents: Cents = 0
    round: int = 0
    closed_round: int = 0
    stakes: Mapping[int, Stake] = field(default_factory=dict)
    timed: Mapping[int, int] = field(default_factory=dict)
    claims: Mapping[int, str] = field(default_factory=dict)
    paying: Mapping[int, PaidPrize] = field(default_factory=dict)
    paying_on: Cents = 0
    history: Mapping[int, PlayedRound] = field(default_factory=dict)

    @property
    def moment(self) -> int | None:
        """When the first hand was received that claims, or may still come to claim, a part of the pool."""
        return min((self.timed[box] for box in self.claims or self.timed), default=None)


@dataclass(frozen=True, slots=True)
class PoolTerms:
    pool_rate: int
    retained_rate: int
    seed_cents: Cents
    approval: str


class Link(msgspec.Struct, frozen=True):
    """One pool and its tables; `wrong` are meters that were seen to show something else than the pool."""

    name: str
    edition: str
    rules: LinkRules
    stud: StudRules
    general: GeneralRules
    open: bool = False
    terms: PoolTerms | None = None
    carry: Fraction = Fraction(0)
    tables: Mapping[str, Linked] = {}
    wrong: frozenset[str] = frozenset()
    balances: Balances = {}
    entries: int = 0

    @property
    def pool(self) -> Cents:
        """What the meters show."""
        return self.balances.get(pool_of(self.name), 0)

    @property
    def meters(self) -> tuple[str, ...]:
        return tuple(sorted({meter for table in self.tables.values() for meter in table.meters}))


def new_link(name: str) -> Link:
    """A link that was never opened."""
    document, rules = first_with(lambda each: each.links)
    (stud,) = CARIBBEAN_STUD.editions[document.key].values()
    return Link(name, document.key, rules, stud, document.general)


# ---------------------------------------------------------------- evolving


def evolve(link: Link, event: AnyEvent) -> Link:
    """The link after an event; money moves by its transfers alone."""
    if event.transfers:
        link = changed(link, balances=moved(link.balances, event.transfers))
    match event:
        case m.TermsSet():
            terms = PoolTerms(event.pool_rate, event.retained_rate, event.seed, event.approval)
            return changed(link, open=True, terms=terms)
        case m.TableJoined():
            joined = Linked(event.device, event.mode, event.wager, event.chip, event.meters)
            return changed(link, tables={**link.tables, event.table: joined})
        case m.TableLeft():
            return changed(link, tables={name: each for name, each in link.tables.items() if name != event.table})
        case m.WagerRecorded():
            return _recorded(link, event)
        case m.WagerReturned():
            return _returned(link, event)
        case m.HandTimed():
            timed = {**_table(link, event.table).timed, event.box: event.at_ms}
            return _with(link, event.table, timed=timed)
        case m.WagersCarried():
            misdealt = _table(link, event.table).round
            return _with(link, event.table, round=misdealt + 1, closed_round=misdealt, timed={})
        case m.HandQualified():
            claims = {**_table(link, event.table).claims, event.box: event.hand}
            return _with(link, event.table, claims=claims)
        case m.PayOrder():
            return _with(link, event.table, paying={}, paying_on=link.pool)
        case m.JackpotPaid():
            paying = {**_table(link, event.table).paying, event.box: PaidPrize(event.paid, event.from_pool)}
            return _with(link, event.table, paying=paying)
        case m.ClaimsDropped():
            return _with(link, event.table, claims={})
        case m.HandsCorrected():
            return _corrected(link, event)
        case m.RoundClosed():
            return _closed(link, event)
        case m.MeterChecked():
            good = event.shows == event.pool
            return changed(link, wrong=link.wrong - {event.meter} if good else link.wrong | {event.meter})
        case m.LinkClosed():
            return changed(link, open=False, terms=None, carry=Fraction(0), tables={}, wrong=frozenset())
        case m.PoolSeeded() | m.MetersShow() | m.PoolReceived():
            return link
        case unreachable:
            assert_never(unreachable)


def _table(link: Link, name: str) -> Linked:
    if name not in link.tables:
        raise BadJournal(f"{name} is not a table of {link.name}")
    return link.tables[name]


def _with(link: Link, name: str, **changes: object) -> Link:
    return changed(link, tables={**link.tables, name: replace(_table(link, name), **changes)})  # type: ignore[arg-type]


def _recorded(link: Link, event: m.WagerRecorded) -> Link:
    table = _table(link, event.table)
    rate = link.terms.pool_rate if link.terms else 0
    stakes = {**table.stakes, event.box: Stake(event.player, event.amount, rate)}
    after = _with(link, event.table, round=event.round, stakes=stakes, wagered_cents=event.at_table)
    return changed(after, carry=split(link, event.amount, rate)[1])


def _returned(link: Link, event: m.WagerReturned) -> Link:
    table = _table(link, event.table)
    stakes = {box: stake for box, stake in table.stakes.items() if box != event.box}
    after = _with(link, event.table, stakes=stakes, wagered_cents=table.wagered_cents - event.amount)
    return changed(after, carry=split(link, -event.amount, table.stakes[event.box].pool_rate)[1])


def _closed(link: Link, event: m.RoundClosed) -> Link:
    table = _table(link, event.table)
    history = {number: one for number, one in table.history.items() if number > event.round - RECORDS_KEPT}
    played = PlayedRound(table.stakes, table.paying, table.paying_on)
    return _with(
        link,
        event.table,
        closed_round=event.round,
        stakes={},
        timed={},
        claims={},
        paying={},
        paying_on=0,
        history={**history, event.round: played} if played.stakes else history,
    )


def _corrected(link: Link, event: m.HandsCorrected) -> Link:
    table = _table(link, event.table)
    if event.round not in table.history:
        raise BadJournal(f"round {event.round} of {event.table} was corrected, but never played")
    was = table.history[event.round]
    back = [was.stakes[box] for box in event.returned]
    stakes = {box: stake for box, stake in was.stakes.items() if box not in event.returned}
    prizes = {int(box): PaidPrize(*prize) for box, prize in event.prizes.items() if int(box) in stakes}
    others = {number: one for number, one in table.history.items() if number != event.round}
    wagered = table.wagered_cents - sum(stake.amount_cents for stake in back)
    after = changed(link, carry=returned_from_pool(link, back)[1])
    if event.carried:
        round = event.round + 1
        return _with(after, event.table, wagered_cents=wagered, round=round, stakes=stakes, history=others)
    played = replace(was, stakes=stakes, prizes=prizes)
    history = dict(sorted({**others, event.round: played}.items()))
    return _with(after, event.table, wagered_cents=wagered, history=history)


def returned_from_pool(link: Link, stakes: Sequence[Stake]) -> tuple[Cents, Fraction]:
    """What wagers that go back take from the pool in whole cents, and what waits for more after that."""
    parts = (Fraction(stake.amount_cents * stake.pool_rate, link.rules.whole.value) for stake in stakes)
    total = link.carry - sum(parts)
    whole = total.__floor__()
    return -whole, total - whole


def split(link: Link, amount: Cents, pool_rate: int) -> tuple[Cents, Fraction]:
    """What a wager adds to the pool in whole cents (or takes from it, if it goes back), and what waits for more."""
    total = link.carry + Fraction(amount * pool_rate, link.rules.whole.value)
    whole = total.__floor__()
    return whole, total - whole


def after(link: Link, lines: Iterable[Entry[AnyEvent]]) -> Link:
    """The link after these lines of its journal."""
    link, number = in_order(link, link.entries, lines, lambda now, line: evolve(now, line.event))
    return changed(link, entries=number)
