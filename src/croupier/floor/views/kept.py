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
"""

from __future__ import annotations

from collections.abc import Callable
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
    own_following,
    own_standing,
    shared_standing,
)
from croupier.game import Choose, Deal
from croupier.journal.accounts import due_from
from croupier.law.officials import PLAYER
from croupier.round import BookLine, Round
from croupier.table.betting.offers import KeptOffers
from croupier.table.state import Table

WAGERED: Final = frozenset({"round", "placed", "areas", "coloured", "balances", "tolerated", "slips", "entries"})
"""The parts of a table that a wager changes."""
BOOKED: Final = frozenset({"book", "start", "numbered"})
"""The parts of a round that it changes."""
_OF_TABLE: Final = attrgetter(*(name for name in Table.__struct_fields__ if name not in WAGERED))
_OF_ROUND: Final = attrgetter(*(name for name in Round.__struct_fields__ if name not in BOOKED))
_WRITE: Final = msgspec.json.Encoder().encode
Lines: TypeAlias = tuple[BookLine, ...]
NO_LINES: Final[Lines] = ()


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
    wagers: dict[str, Lines] = field(default_factory=dict)
    """The wagers on the layout by whose they are."""
    followed: dict[str, tuple[object, ...]] = field(default_factory=dict)
    """What the views of players follow from, as far as somebody asked since the table was last looked at."""
    orders: dict[tuple[str, str], list[Inscription]] = field(default_factory=dict)
    """The same of what somebody may order."""

    def look(self, table: Table, recent: Recent, clocks: Clocks) -> None:
        """The table is this one now."""
        now = standing(table, recent, clocks, self.offers)
        if now != self.known:
            self.known, self.turn = now, self.turn + 1
            self.parts.clear()
            self.own.clear()
            self.followed.clear()
            self.orders.clear()
        if table is not self.table:
            if self.table is None or table.records is not self.table.records:
                self.recalled.clear()
            self.table, due = table, table.due
            self.choosing = isinstance(due, Choose) or (isinstance(due, Deal) and bool(open_choices(table.attended)))
            self.followed.clear()
            self.orders.clear()
            found: dict[str, list[BookLine]] = {}
            for line in table.round.book:
                found.setdefault(line.wager.by, []).append(line)
            self.wagers = {name: tuple(lines) for name, lines in found.items()}

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
            mine = self.wagers.get(name, NO_LINES)
            areas = table.areas and [table.areas.get(line.wager.number) for line in mine]
            slip = (table.slips.get(name), table.balances.get(due_from(name))) if name in table.terminals else None
            money = table.chips(name), table.staked(name)
            known = self.followed[name] = self.turn, mine, areas, money, slip, self._orders(table, name, role)
        return known

    def _recalled(self, table: Table, name: str) -> list[RecalledRound]:
        if (known := self.recalled.get(name)) is None:
            known = self.recalled[name] = rounds_recalled(table, name)
        return known

    def _orders(self, table: Table, name: str, role: str) -> list[Inscription]:
        if (known := self.orders.get((name, role))) is None:
            known = self.orders[name, role] = orders_for(table, name, role)
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
        lines = table.round.book if staff else self.wagers.get(name, NO_LINES)
        orders = self._orders(table, name, role)
        mine = _WRITE(own_following(table, kept, lines, orders=orders, offers=self.offers))
        more = _WRITE(following_wagers(table, recent, self.offers))[1:-1] + b"," if staff else b""
        return common[:-1] + b"," + more + mine[1:-1]
