"""Verifying a jackpot link: that its books add up, and that its tables say what it says of them.

A link that was told of a wager which nobody placed would have a pool that nobody fed.  So every wager that it recorded
must be one that the journal of that table gives, and every hand that it paid one that the table claimed there.  The
tables may say more: what they wrote last is perhaps not heard yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Protocol

from croupier.floor.store.chain import StoredLine
from croupier.house.jackpot import messages as m
from croupier.house.jackpot.feed import Feed, hear
from croupier.house.jackpot.state import Link
from croupier.table.events import decode


class Journals(Protocol):
    """As much of a store as this needs."""

    def each_line(self, table: str, first: int = 1) -> Iterator[StoredLine]: ...


def unborne(store: Journals, journal: str, link: Link) -> str:
    """The first thing in the journal of a link that its books or its tables do not bear out, or nothing."""
    if sum(link.balances.values()):
        return "the balances do not add up to nothing"
    lines = [m.decode(line.body) for line in store.each_line(journal)]
    given: dict[str, Counter[tuple[str, ...]]] = {}
    devices = {line.event.table: line.event.device for line in lines if isinstance(line.event, m.TableJoined)}
    for line in lines:
        for table, what in _says(line.event):
            if table not in given:
                given[table] = _given(store, link.name, table, devices.get(table, ""))
            given[table][what] -= 1
            if given[table][what] < 0:
                return f"line {line.number + 1}: {table} does not say so: {', '.join(what)}"
    return ""


def _says(event: m.AnyEvent) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What an event says of its table."""
    match event:
        case m.WagerRecorded():
            yield event.table, ("wager", str(event.round), str(event.box), event.player, str(event.amount))
        case m.HandQualified():
            yield event.table, ("hand", str(event.round), str(event.box), event.hand)
        case _:
            return


def _given(store: Journals, link: str, table: str, device: str) -> Counter[tuple[str, ...]]:
    """What the journal of a table gives to its link."""
    found: Counter[tuple[str, ...]] = Counter()
    feed = Feed(table, device)
    for line in store.each_line(table):
        number = feed.round
        feed, commands = hear(feed, decode(line.body))
        for command in commands if feed.link == link else ():
            match command:
                case m.RecordWager():
                    found["wager", str(number), str(command.box), command.player, str(command.amount)] += 1
                case m.ReportHands():
                    found.update(("hand", str(number), str(box), hand) for box, hand in command.hands.items())
                case _:
                    pass
    return found
