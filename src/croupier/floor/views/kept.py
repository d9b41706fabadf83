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

Whose own a wager changed is found in one walk over what it may have changed (`touched`), so that the others, who see
nothing new, are not gone through one by one.  `follows` is the slow way: of whoever is not touched it says the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
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
    orders_for,
    orders_of,
    own_following,
    own_standing,
    shared_standing,
)
from croupier.game import Choose, Deal, Wager
from croupier.journal.accounts import due_from
from croupier.law.officials import PLAYER
from croupier.round import AnyRound, Round
from croupier.table.betting.offers import KeptOffers
from croupier.table.orders import voice_of
from croupier.table.state import Table

WAGERED: Final = frozenset({"round", "placed", "areas", "coloured", "balances", "tolerated", "slips", "entries"})
"""The parts of a table that a wager changes."""
BOOKED: Final = frozenset({"book", "start", "numbered"})
"""The parts of a round that it changes."""
_OF_TABLE: Final = attrgetter(*(name for name in Table.__struct_fields__ if name not in WAGERED))
_OF_ROUND: Final = attrgetter(*(name for name in Round.__struct_fields__ if name not in BOOKED))
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
    decided = None if len(this.standing) == len(this.book) else (this.book, table.balances)
    by_clock = clocks.closes_ms, clocks.opens_ms, clocks.choice_ms, clocks.pool, clocks.deals, clocks.calls
    return (_OF_TABLE(table), _OF_ROUND(this), ceremony, decided, recent.changes, by_clock)


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
    followed: dict[str, tuple[object, ...]] = field(default_factory=dict)
    """What the views of players follow from, as far as somebody asked since the table was last looked at."""
    touched: set[str] = field(default_factory=set)
    """The players whose views may follow from something else now; whoever wakes them empties it."""
    voices: dict[str, str] = field(default_factory=dict)
    """The names under which players order, as far as somebody asked: what all follow from says who is called how."""
    orders: dict[str, list[Inscription]] = field(default_factory=dict)
    """What may be ordered under each of these."""

    def look(self, table: Table, recent: Recent, clocks: Clocks) -> None:
        """The table is this one now."""
        now = standing(table, recent, clocks, self.offers)
        if now != self.known:
            self.known, self.turn = now, self.turn + 1
            for kept in (self.parts, self.own, self.followed, self.voices, self.orders):
                kept.clear()
            self.touched.add(EVERYBODY)
        before, self.table = self.table, table
        if table is before:
            return
        if before is None or table.records is not before.records:
            self.recalled.clear()
        due, chose = table.due, self.choosing
        self.choosing = isinstance(due, Choose) or (isinstance(due, Deal) and bool(open_choices(table.attended)))
        self.followed.clear()
        was, self.wagers = self.wagers, _by_bettor(table.round)
        if before is None or chose or self.choosing:
            self.touched.add(EVERYBODY)
        elif EVERYBODY not in self.touched:
            self.touched.update(_differ(was, self.wagers), _differ(before.slips, table.slips))
            self.touched.update(_owners(before, table))
        for voice, known in self.orders.items():
            self.orders[voice] = orders = orders_of(table, (voice,))
            if orders != known:
                self.touched.update(name for name, heard in self.voices.items() if heard == voice)

    def _part(self, name: str, made: Callable[[], Any]) -> bytes:
        if (kept := self.parts.get(name)) is None:
            kept = self.parts[name] = _WRITE(made())
        return kept

    def follows(self, table: Table, name: str, role: str) -> object:
        """What the view of somebody follows from: where that is equal, so is the view."""
        if role == PUBLIC:
            return self.turn
        if role != PLAYER or self.choosing:
            return self.turn, table.entries
        if (known := self.followed.get(name)) is None:
            mine = self.wagers.get(name, ())
            areas = [table.areas.get(wager.number) for wager in mine]
            slip = (table.slips.get(name), table.balances.get(due_from(name))) if name in table.terminals else None
            money = table.chips(name), table.staked(name)
            known = self.followed[name] = self.turn, mine, areas, money, slip, self._orders(table, name)
        return known

    def _recalled(self, table: Table, name: str) -> list[RecalledRound]:
        if (known := self.recalled.get(name)) is None:
            known = self.recalled[name] = rounds_recalled(table, name)
        return known

    def _orders(self, table: Table, name: str) -> list[Inscription]:
        """What a player may order, which those who hold nothing share: `orders_for`."""
        if (voice := self.voices.get(name)) is None:
            rules, state = table.ruleset.rules, table.attended.state
            voice = self.voices[name] = table.procedure.heard_as(rules, state, voice_of(table, name))
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
        if (kept := self.own.get((name, role))) is None:
            kept = self.own[name, role] = own_standing(table, name, role, self._recalled)
        wagers = [line.wager for line in table.round.book] if staff else self.wagers.get(name, ())
        orders = orders_for(table, name, role) if staff else self._orders(table, name)
        mine = own_following(table, kept, wagers, orders=orders, offers=self.offers, choosing=self.choosing)
        more = _WRITE(following_wagers(table, recent, self.offers))[1:-1] + b"," if staff else b""
        return common[:-1] + b"," + more + _WRITE(mine)[1:-1]


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
    accounts = (account.partition(":")[2] for account in _differ(before.balances, now.balances))
    areas = (now.round.lines.get(number) for number in _differ(before.areas, now.areas))
    return {*filter(None, accounts), *(line.wager.by for line in areas if line)}


def _differ(before: Mapping[Any, Any], now: Mapping[Any, Any]) -> list[Any]:
    """The names under which two mappings have something else."""
    if before is now:
        return []
    gone = before.keys() - now.keys()
    return [*gone, *(name for name, value in now.items() if before.get(name) != value)]
