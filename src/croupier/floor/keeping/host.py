"""The host of one table: its keeper, its last lines, and whoever watches it.

The keeper decides and makes durable; the host remembers the last lines of the journal for the pages, tells every
watcher whom it concerns when something has become durable, and writes the view of the table as that watcher may see it
(`views/kept.py`).  All that became durable together is told together.  A watcher whose line is slow asks for it later
and gets the newest; nothing is written for it meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from croupier.floor.keeping.keeper import Keeper, Kind
from croupier.floor.keeping.telling.in_turn import NewsInTurn
from croupier.floor.store.appends import Awaiting
from croupier.floor.store.durable import Store
from croupier.floor.store.snapshots import packed, unpacked
from croupier.floor.views.board import PUBLIC
from croupier.floor.views.kept import EVERYBODY, KeptViews
from croupier.floor.views.recent import Recent
from croupier.floor.views.viewer import Clocks
from croupier.floor.wire import Answer, ToPage
from croupier.game import AnyGame, Refusal
from croupier.journal.entries import encode
from croupier.law.officials import DEALER, PLAYER
from croupier.law.ruleset import Ruleset
from croupier.table.commands import AnyCommand, PlaceWager, TableRequest
from croupier.table.decide import decide
from croupier.table.events import Events, RoundEnded, TableEntry, decode
from croupier.table.evolve import after, entries
from croupier.table.state import Table, new_table
from croupier.table.terminals.commands import CashOut, PayDue
from croupier.table.terminals.events import VoucherIssued

TOGETHER_SECONDS = 0.1
"""Wagers within this time are shown to staff together; whatever else happens is shown at once."""
FAR = 1_000
"""Lines that a table of another process, which nobody watches here, may be behind."""
LOOKED_BACK = 4_000
"""Lines that a start reads again for the pages: some shoes of results."""


class Meant(TableRequest, frozen=True):
    """A request, and the round that it was meant for; 0 if any."""

    round: int = 0


def decided(table: Table, request: TableRequest) -> Events | Refusal:
    """What a request leads to; a wager that comes after its round, from a line that was held up, is not for the next.

    The keeper has answered a command that it knows before it asks here, so a wager that was taken stays taken.
    """
    if isinstance(request, Meant) and isinstance(request.what, PlaceWager) and request.round not in (0, table.number):
        reason = f"meant for round {request.round}; the table is at round {table.number}"
        return Refusal(reason, _closing_rule(table))
    return decide(table, request)


def _closing_rule(table: Table) -> str:
    """The rule that closes the betting of a round, where the game has one of its own."""
    law = table.procedure.closing(table.ruleset.rules)
    return law.rule if law else table.due.rule


def _said(command: AnyCommand) -> AnyCommand:
    """A command without the number of the voucher, which the house makes."""
    return msgspec.structs.replace(command, voucher="") if isinstance(command, CashOut | PayDue) else command


def _issued(lines: tuple[TableEntry, ...]) -> str:
    return next((line.event.voucher for line in lines if isinstance(line.event, VoucherIssued)), "")


def _signs(lines: tuple[TableEntry, ...]) -> bool:
    """The head is signed with the end of each round, and with each voucher, which may go to the cage at once."""
    return any(isinstance(line.event, RoundEnded | VoucherIssued) for line in lines)


TABLES: Kind[Table] = Kind(
    decided,
    entries,
    after,
    encode,
    decode,
    Meant,
    pack=packed,
    unpack=unpacked,
    said=_said,
    voucher=_issued,
    signs=_signs,
)


@dataclass(eq=False, slots=True)
class Watcher:
    """Somebody who watches a table: who, in which role, how to tell them that there is news, and how to say sorry.

    `seen` is what the last view said, `follows` what that followed from, `looked` and `turn` when that was.  Until
    `rests_until` wagers alone wake nobody who sees all of them.
    """

    name: str
    role: str
    news: Callable[[], None]
    tell: Callable[[ToPage], None]
    seen: bytes = b""
    follows: object = None
    looked: int = -1
    turn: int = -1
    rests_until: float = 0.0


@dataclass(eq=False, slots=True)
class Host:
    """One table of the house; `practice` is marked wherever the table is shown.

    `closes_ms`, `opens_ms` and `choice_ms` are when betting closes, when the next betting begins after a round was
    settled, and when a choice is due at the latest, where a virtual dealer keeps time; `virtual` says that there is one
    (`virtual`, or `paused` while staff deal).  `calls` are the players who called for staff.  `pool` is the jackpot
    link whose meter stands at the table, with what it shows.  `followers` are told that lines have become durable.
    """

    keeper: Keeper[Table]
    practice: bool
    now_ms: Callable[[], int]
    in_turn: NewsInTurn = field(default_factory=NewsInTurn)
    """Where the news of this table waits for those of the others."""
    recent: Recent = field(default_factory=Recent)
    watchers: dict[Watcher, None] = field(default_factory=dict)
    """Who watches, in the order in which they came: a set's would follow from where they lie in memory."""
    closes_ms: int = 0
    opens_ms: int = 0
    choice_ms: int = 0
    virtual: str = ""
    calls: list[str] = field(default_factory=list)
    pool: tuple[str, int] | None = None
    followers: list[Callable[[], object]] = field(default_factory=list)
    kept: KeptViews = field(init=False)
    changes: int = 0
    """Counts how often the table was to be shown."""
    looked: int = -1
    spreading: bool = False
    resting: bool = False

    def __post_init__(self) -> None:
        self.kept = KeptViews(self.practice)
        self.keeper.wanted = self._is_wanted

    def _is_wanted(self) -> bool:
        """Whether what another process does at this table is read as it comes."""
        return bool(self.watchers) or self.keeper.end - self.shown.entries > FAR

    @property
    def table(self) -> Table:
        """The table as decided."""
        return self.keeper.state

    @property
    def shown(self) -> Table:
        """The table as far as it is durable: all that anybody may be told."""
        return self.keeper.shown

    def clocks(self) -> Clocks:
        times = self.closes_ms, self.opens_ms, self.choice_ms
        return Clocks(*times, self.shown_pool, self.kept.offers, self.deals, tuple(self.calls))

    @property
    def dealer(self) -> str:
        """The dealer whose page is open here, if one's is."""
        return next((watcher.name for watcher in self.watchers if watcher.role == DEALER), "")

    @property
    def deals(self) -> str:
        """Who deals: the virtual dealer where one is, who may be paused; else a person, or nobody."""
        return self.virtual or ("person" if self.dealer else "")

    @property
    def shown_pool(self) -> int | None:
        """What the meter of a jackpot link shows at this table, if there is one."""
        return self.pool[1] if self.pool else None

    @property
    def free_seat(self) -> int:
        """The first seat that nobody has; 0, standing, if there is none."""
        free = (number for number in range(1, self.table.house.seats + 1) if number not in self.table.seats)
        return next(free, 0)

    def ask(
        self, command_id: str, what: AnyCommand, *, by: str, role: str, meant: int = 0, second: str = ""
    ) -> Coroutine[Any, Any, Answer]:
        """Decide a command, make it durable, tell everybody; the same id again gets the same answer.

        `meant` is the round for which a wager was meant, if whoever asks said so.
        """
        return self.keeper.ask(command_id, Meant(what, by, role, self.now_ms(), second, meant))

    def at_once(self, command_id: str, what: AnyCommand, waiter: Awaiting, *, by: str, role: str, meant: int) -> bool:
        """The same of one person, if it can be decided now: whoever waits is told when it is durable."""
        return self.keeper.at_once(command_id, Meant(what, by, role, self.now_ms(), "", meant), waiter)

    def heard(self, lines: tuple[TableEntry, ...]) -> None:
        """Lines have become durable."""
        self.recent.hear(lines)
        self.show()
        for follower in self.followers:
            follower()

    def show(self) -> None:
        """Let everybody whom it concerns know that the table has changed, once for all that changes in this turn.

        Each fetches the view when it can be sent.
        """
        self.changes += 1
        if not self.spreading and self.watchers:
            self.spreading = True
            self.in_turn.soon(self._spread)

    def _spread(self) -> None:
        """Wake whom it concerns; staff, who see every wager, see together what was wagered in a moment."""
        self.spreading = False
        self._look()
        loop = asyncio.get_running_loop()
        now, rest, turn = loop.time(), False, self.kept.turn
        touched, everybody = self.kept.touched, EVERYBODY in self.kept.touched
        for watcher in tuple(self.watchers):
            if watcher.looked == self.changes:
                continue
            if watcher.role == PLAYER:
                if everybody or watcher.name in touched:
                    watcher.news()
            elif watcher.turn != turn or (now >= watcher.rests_until and watcher.follows != self._follows(watcher)):
                watcher.rests_until = now + TOGETHER_SECONDS
                watcher.news()
            elif watcher.role != PUBLIC:
                rest = True
        touched.clear()
        if rest and not self.resting:
            self.resting = True
            loop.call_later(TOGETHER_SECONDS, self._spread_rest)

    def _spread_rest(self) -> None:
        self.resting = False
        self._spread()

    def _look(self) -> None:
        if self.looked != self.changes:
            self.looked = self.changes
            self.kept.look(self.shown, self.recent, self.clocks())

    def _follows(self, watcher: Watcher) -> object:
        return self.kept.follows(self.shown, watcher.name, watcher.role)

    def view_for(self, watcher: Watcher) -> bytes | None:
        """The message with the table as this watcher may see it now; nothing if that is what the last one said.

        What many watchers see alike is written down once, and joined to what is their own.  So a wager of one player
        costs the others nothing.
        """
        if watcher.looked == self.changes:
            return None
        self._look()
        watcher.looked, follows = self.changes, self._follows(watcher)
        if follows == watcher.follows:
            return None
        watcher.follows, watcher.turn = follows, self.kept.turn
        seen = self.kept.view(self.shown, self.recent, self.clocks, watcher.name, watcher.role)
        if seen == watcher.seen:
            return None
        watcher.seen = seen
        kind = b"BoardShown" if watcher.role == PUBLIC else b"View"
        return b'{"type":"%b","line":%d,"view":%b,"at_ms":%d}}' % (kind, self.shown.entries, seen, self.now_ms())


async def all_heard(hosts: Iterable[Host]) -> None:
    """Read what was heard of tables and not read, because nobody watches them here."""
    for keeper in [host.keeper for host in hosts]:
        if keeper.end > keeper.shown.entries:
            await keeper.hear()


async def open_host(
    store: Store, name: str, game: AnyGame, ruleset: Ruleset[Any], *, practice: bool, now_ms: Callable[[], int]
) -> Host:
    """The host of a table, with everything that its journal says; this process runs it unless another one does."""
    table = new_table(name, game, ruleset)
    host = Host(Keeper(store, name, TABLES, table, table), practice, now_ms)
    host.keeper.changed = host.heard
    resumed = await host.keeper.resume()
    first = max(1, resumed - LOOKED_BACK + 1)
    if resumed:
        last = await asyncio.to_thread(store.lines, name, first, resumed - first + 1)
        host.recent.hear(decode(line.body) for line in last)
    await host.keeper.take_over()
    await host.keeper.follow()
    return host
