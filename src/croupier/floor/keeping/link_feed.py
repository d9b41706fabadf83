"""One table's journal into its link, line by line, each line once.

Theory of operation.  The table and the link are two journals, and no commit holds both.  So the table's journal is the
truth, and the link is told of it by commands whose ids are made of the link, the table, the line and the place among
what the line gives (`feed_id`).  A command that is told again, after a crash between the two commits, by another
process or by two at once, has the one effect and the answer it had.  The time of a command is that of the line.  So the
link is what a replay of its tables' journals makes it, whatever happened to the processes meanwhile.

`Feeder` reads from the store and not from memory, so a start and a busy evening are the same loop: what it has heard is
a number of lines.  At the start it reads the journal from its first line, because a correction may speak of rounds long
ago; of what the link knows already nothing is asked again, page by page.

What the link refuses is told to the log and to whoever looks at the link; the feed goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from croupier.floor.keeping.host import Host
from croupier.floor.store.chain import StoredLine
from croupier.floor.wire import Answer
from croupier.house.jackpot.feed import Feed, hear
from croupier.house.jackpot.messages import AnyCommand
from croupier.table.events import decode

ID_DIGITS: Final = 32


@dataclass(frozen=True, slots=True)
class LinkCommand:
    """A command that a line of a table gives: its id, and when the line was written."""

    id: str
    command: AnyCommand
    line: int
    at_ms: int


Tell = Callable[[LinkCommand], Awaitable[Answer]]


def feed_id(journal: str, table: str, line: int, index: int) -> str:
    """The id of a command: the same whenever and wherever it is made."""
    text = "\n".join((journal, table, str(line), str(index)))
    return sha256(text.encode()).hexdigest()[:ID_DIGITS]


@dataclass(eq=False, slots=True)
class Feeder:
    """What a link was told of one table: the lines `heard`, and the `feed` after them."""

    journal: str
    link: str
    host: Host
    feed: Feed
    heard: int = 0

    async def catch_up(self, tell: Tell) -> None:
        """Tell the link everything that the table's journal holds beyond what was heard."""
        store, table = self.host.keeper.store, self.feed.table
        while self.heard < self.host.shown.entries:
            page = await asyncio.to_thread(store.lines, table, self.heard + 1)
            if not page:
                return
            feed, linked = await asyncio.to_thread(self.follows, page)
            known = await asyncio.to_thread(store.answers, tuple(each.id for each in linked)) if linked else {}
            for each in linked:
                if each.id not in known:
                    await tell(each)
            self.feed, self.heard = feed, page[-1].number

    def follows(self, page: tuple[StoredLine, ...]) -> tuple[Feed, list[LinkCommand]]:
        """The feed after these lines, and what they give; what a table did while it had no link is not for this one."""
        feed, linked = self.feed, list[LinkCommand]()
        for line in page:
            entry = decode(line.body)
            feed, commands = hear(feed, entry)
            if feed.link == self.link:
                linked += [
                    LinkCommand(
                        feed_id(self.journal, feed.table, line.number, index), command, line.number, entry.at_ms
                    )
                    for index, command in enumerate(commands)
                ]
        return feed, linked
