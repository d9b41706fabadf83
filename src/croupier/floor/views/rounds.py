"""Where the rounds of each table lie in its journal, so that one round is read and not the whole journal.

Theory of operation.  A journal has a hundred thousand lines after some weeks, and anybody at a table may ask for the
story of a round.  So the journal is gone through once, and then from where that ended: of nearly every line a look at
its bytes tells that no round begins or ends with it, and that it names none.  What is kept is the first line of each
round, the later lines that name it, and who raised each dispute.  The lines of a round are read from the store, as all
readers read them: each must follow from the one before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from croupier.floor.store.chain import StoredLine
from croupier.floor.store.durable import PAGE, Store
from croupier.table import events as e
from croupier.table.events import TableEntry, decode
from croupier.table.explain import NAMING, ends_round, lines_of, named_round

_LOOKED_AT: Final = tuple(f'"{kind.__name__}"'.encode() for kind in (*NAMING, e.DisputeRaised))


@dataclass(slots=True)
class _Rounds:
    """The rounds of one journal: the first line of each, later lines by the round that they name, and disputes."""

    read: int = 0
    first: list[int] = field(default_factory=lambda: [1])
    later: dict[int, list[int]] = field(default_factory=dict)
    raised: dict[str, set[int]] = field(default_factory=dict)

    def catch_up(self, store: Store, name: str) -> None:
        for line in store.each_sound_line(name, self.read + 1):
            self.read = line.number
            if any(known in line.body for known in _LOOKED_AT):
                self._take(line.number, decode(line.body).event)

    def _take(self, number: int, event: e.AnyEvent) -> None:
        now, named = len(self.first), named_round(event)
        if named is not None and named != now:
            self.later.setdefault(named, []).append(number)
        if isinstance(event, e.DisputeRaised):
            self.raised.setdefault(event.complainant, set()).add(event.dispute)
        if ends_round(event, now):
            self.first.append(number + 1)


@dataclass(slots=True)
class RoundsKept:
    """The rounds of all tables of a house, as far as they were asked for."""

    tables: dict[str, _Rounds] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def lines(self, store: Store, name: str, number: int) -> list[TableEntry]:
        """The lines of a round; none if there was no such round."""
        return [entry for _, entry in self.stored(store, name, number)]

    def stored(self, store: Store, name: str, number: int) -> list[tuple[StoredLine, TableEntry]]:
        """The same, with the lines as the store has them."""
        with self.lock:
            found = self.tables.setdefault(name, _Rounds())
            found.catch_up(store, name)
        if not 1 <= number <= len(found.first):
            return []
        first = found.first[number - 1]
        last = found.first[number] - 1 if number < len(found.first) else found.read
        read = [*_read(store, name, first, last)]
        read += [line for each in found.later.get(number, ()) for line in _read(store, name, each, each)]
        entries = [decode(line.body) for line in read]
        wanted = {entry.number for entry in lines_of(entries, number, now=number)}
        return [(line, entry) for line, entry in zip(read, entries, strict=True) if entry.number in wanted]

    def raised_by(self, name: str, player: str) -> frozenset[int]:
        """The disputes that somebody raised at a table, as far as its lines were read."""
        with self.lock:
            return frozenset(self.tables[name].raised.get(player, ())) if name in self.tables else frozenset()


def _read(store: Store, name: str, first: int, last: int) -> Iterator[StoredLine]:
    while first <= last and (page := store.sound_lines(name, first, min(PAGE, last - first + 1))):
        yield from page
        first = page[-1].number + 1
