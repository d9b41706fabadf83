"""What the pages of one table are sent, written down once for as long as it is true.

Theory of operation.  Most lines of a journal are wagers, and a wager changes little: the stakes and chips of one
player, and what staff see of them.  Whatever else a view tells follows from the rest of the table (`standing`): the
layout as it lies, the sign, the people, the records, the last lines of the journal, the clocks; and from what the
ceremony makes of those who attend and their wagers, of which only what is shown counts.  So a `KeptViews` keeps what it
wrote together with that rest, and writes it again when any part of that is another.  A part of the table that is not
known to be a wager's alone counts as the rest, so that what is forgotten here costs time and hides nothing.
`shared` and `own` in `viewer.py` are the slow way, with which a twin test holds this one in every game.

Of what is a person's own, most follows from that rest as well (`own_standing`); beside that there are only the wagers
and money of that person, what may be ordered, and the slip of a terminal.  What a player may choose can hang on the
wagers of others: while any choice is open, everybody's own is written anew.

A card, or an act, is told to all, and is mostly nobody's own: of each player's view that part stays as it was written,
as long as nothing is another that it follows from (`owning`).  There the facts of the round count only by what they can
mean to somebody's own; where they mean more (a box with cards, chips that move with the dice, odds that one player may
take and another may not) it is written anew with each.

Whose own a wager changed is found in one walk over what it may have changed (`touched`), so that the others, who see
nothing new, are not gone through one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, Final, TypeAlias

import msgspec

from croupier.floor.views.board import PUBLIC, board_view
from croupier.floor.views.choices import open_choices
from croupier.floor.views.recent import Recent
from croupier.floor.views.shapes import Inscription, OwnView, RecalledRound
from croupier.floor.views.staff import following_wagers
from croupier.floor.views.terminal import rounds_recalled
from croupier.floor.views.viewer import (
    Clocks,
    due_at,
    hands_of,
    orders_for,
    orders_of,
    own_following,
    own_standing,
    shared_standing,
)
from croupier.game import Choose, Deal, Game, Wager
from croupier.journal.accounts import parted
from croupier.law.officials import PLAYER
from croupier.round import AnyRound, Round
from croupier.table.betting.offers import KeptOffers
from croupier.table.money.paying import shows_balances
from croupier.table.orders import asked_of, voice_of
from croupier.table.state import Table
from croupier.table.terminals.slips import betting_closed, dealt

WAGERED: Final = frozenset({"round", "placed", "areas", "coloured", "balances", "tolerated", "slips", "entries"})
"""The parts of a table that a wager changes."""
BOOKED: Final = frozenset({"book", "start", "numbered"})
"""The parts of a round that it changes."""
HAPPENED: Final = frozenset({"steps", "state"})
"""The parts of a table and of a round that whatever happens changes."""
_OF_TABLE: Final = attrgetter(*(name for name in Table.__struct_fields__ if name not in WAGERED))
_OF_ROUND: Final = attrgetter(*(name for name in Round.__struct_fields__ if name not in BOOKED))
_OWN_OF_TABLE: Final = attrgetter(*(name for name in Table.__struct_fields__ if name not in WAGERED | HAPPENED))
_OWN_OF_ROUND: Final = attrgetter(*(name for name in Round.__struct_fields__ if name not in BOOKED | HAPPENED))
_STAYS: Final = next(each.default for each in fields(Game) if each.name == "lies")
"""How wagers lie in a game that moves none."""
_WRITE: Final = msgspec.json.Encoder().encode
Wagers: TypeAlias = Mapping[str, tuple[Wager, ...]]
EVERYBODY: Final = ""
"""Stands for all players where those are named whose own may be another."""


def standing(table: Table, recent: Recent, clocks: Clocks, offers: KeptOffers) -> tuple[object, ...]:
    """All that a view follows from but open wagers and what was paid for them."""
    this, rules, attended = table.round, table.ruleset.rules, table.attended.state
    ceremony = (
        due_at(table, offers.betting(table)),
        table.procedure.roles(rules, attended),
        table.procedure.covered(this.rules, attended),
    )
    by_clock = clocks.closes_ms, clocks.opens_ms, clocks.choice_ms, clocks.pool, clocks.deals, clocks.calls
    return (_OF_TABLE(table), _OF_ROUND(this), ceremony, _decided(table), recent.changes, by_clock)


def _decided(table: Table) -> object:
    """What was decided, and what was paid for it, as soon as anything is."""
    this = table.round
    return None if len(this.standing) == len(this.book) else (this.book, table.balances)


def owning(table: Table, offers: KeptOffers) -> tuple[object, ...] | None:
    """All that players' own follows from, but for wagers, money and orders; nothing where each fact may be in it."""
    if table.game.lies is not _STAYS or any(hand.owners for hand in hands_of(table.round)) or _odds_on(table, offers):
        return None
    if not table.terminals:
        closed = None
    elif any(shows_balances(table, step.fact) for step in table.steps):
        return None
    else:
        closed = betting_closed(table), dealt(table)
    roles = table.procedure.roles(table.ruleset.rules, table.attended.state)
    return _OWN_OF_TABLE(table), _OWN_OF_ROUND(table.round), roles, _decided(table), asked_of(table.due), closed


def _odds_on(table: Table, offers: KeptOffers) -> bool:
    """Whether anything may be open to one bettor and not to another."""
    bettor = next(iter(table.round.backed), None)
    if bettor is None or not table.open:
        return False
    offers.opens(table, bettor)
    return bool(offers.tried)


@dataclass(slots=True)
class KeptViews:
    """The views of one table; `practice` is marked in all of them."""

    practice: bool
    offers: KeptOffers = field(default_factory=KeptOffers)
    table: Table | None = None
    known: tuple[object, ...] = ()
    turn: int = 0
    """Counts how often the rest of the table was another."""
    choosing: bool = False
    """Whether anybody may choose anything."""
    parts: dict[str, bytes] = field(default_factory=dict)
    own: dict[tuple[str, str], OwnView] = field(default_factory=dict)
    """What stands of each person's own, by name and role."""
    recalled: dict[str, list[RecalledRound]] = field(default_factory=dict)
    """What terminals can show again, as far as somebody asked since a round last ended or was corrected."""
    wagers: Wagers = field(default_factory=dict)
    """The wagers on the layout by whose they are."""
    owned: tuple[object, ...] | None = None
    """What stands of players' own follows from this."""
    mine: dict[str, bytes] = field(default_factory=dict)
    """What is each player's own, as far as somebody asked and it is still true."""
    touched: set[str] = field(default_factory=set)
    """The players whose views may follow from something else now; whoever wakes them empties it."""
    voices: dict[str, str] = field(default_factory=dict)
    """The names under which players order, as far as somebody asked: what all follow from says who is called how."""
    orders: dict[str, list[Inscription]] = field(default_factory=dict)
    """What may be ordered under each of these."""

    def look(self, table: Table, recent: Recent, clocks: Clocks) -> None:
        """The table is this one now."""
        now = standing(table, recent, clocks, self.offers)
        another = now != self.known
        if another:
            self.known, self.turn = now, self.turn + 1
            self.parts.clear()
            self.touched.add(EVERYBODY)
        before, self.table = self.table, table
        if table is before:
            return
        if before is None or table.records is not before.records:
            self.recalled.clear()
        due, chose = table.due, self.choosing
        self.choosing = isinstance(due, Choose) or (isinstance(due, Deal) and bool(open_choices(table.attended)))
        was, self.wagers = self.wagers, _by_bettor(table.round)
        differ = self._own_again(table) if another else set[str]()
        for voice, known in self.orders.items():
            self.orders[voice] = orders = orders_of(table, (voice,))
            if orders != known:
                differ.update(name for name, heard in self.voices.items() if heard == voice)
        if before is None or chose or self.choosing:
            self.mine.clear()
            self.touched.add(EVERYBODY)
            return
        differ.update(_differ(was, self.wagers), _differ(before.slips, table.slips), _owners(before, table))
        for name in differ:
            self.mine.pop(name, None)
        self.touched |= differ

    def _own_again(self, table: Table) -> set[str]:
        """Forget what is not true any more of players' own, since the rest of the table is another.

        Answers with those who order under another name than before.
        """
        was, self.owned = self.owned, owning(table, self.offers)
        if self.owned is None or self.owned != was:
            for kept in (self.own, self.mine, self.voices, self.orders):
                kept.clear()
        before, self.voices = self.voices, {name: _heard_as(table, name) for name in self.voices}
        return {name for name, voice in self.voices.items() if voice != before[name]}

    def _part(self, name: str, made: Callable[[], Any]) -> bytes:
        if (kept := self.parts.get(name)) is None:
            kept = self.parts[name] = _WRITE(made())
        return kept

    def follows(self, table: Table, name: str, role: str) -> object:
        """What the view of somebody follows from: where that is equal, so is the view."""
        if role == PUBLIC:
            return self.turn
        return self.turn, self._mine(table, name) if role == PLAYER else table.entries

    def _mine(self, table: Table, name: str) -> bytes:
        """What is a player's own, without the ends of the object."""
        if (known := self.mine.get(name)) is None:
            wagers, orders = self.wagers.get(name, ()), self._orders(table, name)
            known = self.mine[name] = self._own(table, name, PLAYER, wagers, orders)
            if self.offers.tried:
                # What may be open to this player is in it, and hangs on every fact.
                self.owned = None
        return known

    def _own(self, table: Table, name: str, role: str, wagers: Iterable[Wager], orders: list[Inscription]) -> bytes:
        if (kept := self.own.get((name, role))) is None:
            kept = self.own[name, role] = own_standing(table, name, role, self._recalled)
        mine = own_following(table, kept, wagers, orders=orders, offers=self.offers, choosing=self.choosing)
        return _WRITE(mine)[1:-1]

    def _recalled(self, table: Table, name: str) -> list[RecalledRound]:
        if (known := self.recalled.get(name)) is None:
            known = self.recalled[name] = rounds_recalled(table, name)
        return known

    def _orders(self, table: Table, name: str) -> list[Inscription]:
        """What a player may order, which those who hold nothing share: `orders_for`."""
        if (voice := self.voices.get(name)) is None:
            voice = self.voices[name] = _heard_as(table, name)
        if (known := self.orders.get(voice)) is None:
            known = self.orders[voice] = orders_of(table, (voice,))
        return known

    def view(self, table: Table, recent: Recent, clocks: Callable[[], Clocks], name: str, role: str) -> bytes:
        """The table as somebody may see it, without the end of the object."""
        if role == PUBLIC:
            return self._part(PUBLIC, lambda: board_view(table, recent, practice=self.practice, clocks=clocks()))[:-1]
        staff = role != PLAYER
        common = self._part(
            "staff" if staff else "players",
            lambda: shared_standing(table, recent, staff=staff, practice=self.practice, clocks=clocks()),
        )
        if not staff:
            return common[:-1] + b"," + self._mine(table, name)
        wagers = [line.wager for line in table.round.book]
        mine = self._own(table, name, role, wagers, orders_for(table, name, role))
        more = _WRITE(following_wagers(table, recent, self.offers))[1:-1]
        return b",".join((common[:-1], more, mine))


def _heard_as(table: Table, name: str) -> str:
    """The name under which a player orders."""
    return table.procedure.heard_as(table.ruleset.rules, table.attended.state, voice_of(table, name))


def _by_bettor(this: AnyRound) -> Wagers:
    """The wagers in the book by whose they are; while none is decided the round knows that."""
    if len(this.standing) == len(this.book):
        return this.backed
    found: dict[str, tuple[Wager, ...]] = {}
    for line in this.book:
        found[line.wager.by] = (*found.get(line.wager.by, ()), line.wager)
    return found


def _owners(before: Table, now: Table) -> set[str]:
    """Whose money is another, and whose wagers lie elsewhere."""
    accounts = (parted(name).whose for name in _differ(before.balances, now.balances))
    areas = (now.round.lines.get(number) for number in _differ(before.areas, now.areas))
    return {*filter(None, accounts), *(line.wager.by for line in areas if line)}


def _differ(before: Mapping[Any, Any], now: Mapping[Any, Any]) -> list[Any]:
    """The names under which two mappings have something else."""
    if before is now:
        return []
    gone = before.keys() - now.keys()
    return [*gone, *(name for name, value in now.items() if before.get(name) != value)]
