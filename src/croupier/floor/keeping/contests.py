"""The tournaments of a running house: their journals, the chance they need, and the tables they have for themselves.

Theory of operation.  A tournament is a journal "@tournament:NAME", kept as the cage is.  It begins when a director is
appointed, since nobody may hold one without; a name is taken for good.

Tables.  While a round is played, the designated tables serve nobody else (VIC2002-12.3.2).  That is looked at where
every wager of a table passes, whoever asks it and on whatever line: in the `decide` of the table's own keeper, which
`guarding` puts a question to the tournaments before.  The other way would have been a command of the table that
designates it.  It would say the same thing in two journals that cannot change together: after a crash between the two
a table could stay shut with no tournament, or open within a round.  So the tournament's journal alone says it.  Replay
loses nothing: a refused wager has no lines, so the table's journal leads to the same table; and the refusal itself is
durable under the id of its command, as every answer is.  Wagers that were on the layout when the round began are
played out.  Where another process keeps the tournament, its round holds here once its line was read, moments later.

Chance.  Seats and ties are drawn here, by the chance of the operating system, in the place of whatever was sent, and
enter the journal as told.  A repeated command id gets the answer it had and draws nothing.

Facts.  Who is qualified is what the accounts say, and who is excluded at a table may not enter, nor take a seat for
another; a player's own application does not vouch for its criteria.  What is played at a designated table is what that
table's own law says.

Both are put in when a command is decided, and not before: its id belongs to what was said, and that stays the same
however often it is said.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import SystemRandom
from typing import Any, Final, TypeVar

import msgspec

from croupier.floor.keeping.host import Host, all_heard
from croupier.floor.keeping.keeper import Keeper, Kind, PassOn, nobody_to_ask
from croupier.floor.keeping.telling.trying import Trying
from croupier.floor.store.appends import command_id
from croupier.floor.store.durable import Store
from croupier.floor.wire import Answer
from croupier.game import Refusal
from croupier.house.people.decide import People
from croupier.house.tournament import messages as m
from croupier.house.tournament.decide import decide
from croupier.house.tournament.state import Tournament, after, due_to_play, new_tournament
from croupier.journal import entries as journal
from croupier.journal.messages import Request
from croupier.journal.names import Family, own_name, plain
from croupier.law.officials import LADDER, PLAYER
from croupier.table.commands import PlaceWager
from croupier.table.state import Table

PREFIX: Final[Family] = "@tournament:"
NAME: Final = re.compile(r"[^\W_](?:[\w .'&-]{0,38}[\w.'&-])?")
"""A name that can be read aloud and put into an address."""
CHANCE: Final = SystemRandom()
T = TypeVar("T")

TournamentRequest = Request[m.AnyCommand]


def _entries(this: Tournament, request: Any, events: m.Events) -> tuple[Any, ...]:
    return journal.entries(this.entries, request, events)


KIND: Final[Kind[Tournament]] = Kind(decide, _entries, after, journal.encode, m.decode, TournamentRequest)


def begun(name: str) -> tuple[Kind[Tournament], Tournament] | None:
    """How the journal of a tournament is read, and what it begins with; nothing if this is no such journal."""
    own = own_name(name, PREFIX)
    return (KIND, new_tournament(own)) if own else None


class NoTournament(ValueError):
    """There is none of that name, in one line."""


class NotAskable(ValueError):
    """What cannot be asked of a tournament of this house, in one line."""


@dataclass(slots=True, eq=False)
class Contests:
    """The tournaments of a house by their names; `people` are its accounts, where it has any."""

    store: Store
    hosts: Mapping[str, Host]
    now_ms: Callable[[], int]
    people: Callable[[], People | None] = lambda: None
    pass_on: PassOn = nobody_to_ask
    known: dict[str, Keeper[Tournament]] = field(default_factory=dict)
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)

    def keepers(self) -> Iterator[Keeper[Any]]:
        yield from tuple(self.known.values())

    # ---------------------------------------------------------------- the journals

    async def start(self) -> None:
        """Read every tournament there is; those that another process begins are read when they have lines."""
        loop = asyncio.get_running_loop()
        reading: set[asyncio.Task[bool]] = set()

        def read_on() -> None:
            task = asyncio.create_task(Trying("reading the tournaments").once(self.discover()))
            reading.add(task)
            task.add_done_callback(reading.discard)

        def hear(journal: str, _last: int) -> None:
            if own_name(journal, PREFIX) not in ("", *self.known):
                with suppress(RuntimeError):  # the loop may have ended
                    loop.call_soon_threadsafe(read_on)

        await self.discover()
        await self.sign()
        self.store.subscribe(hear)

    async def discover(self) -> None:
        """Know the tournaments of the store."""
        async with self.opening:
            for journal in await asyncio.to_thread(self.store.tables):
                name = own_name(journal, PREFIX)
                if name not in ("", *self.known):
                    self.known[name] = await self._opened(name)

    async def _opened(self, name: str) -> Keeper[Tournament]:
        state = new_tournament(name)
        kind = replace(KIND, decide=self._decided, beside=self._beside)
        keeper = Keeper(self.store, PREFIX + name, kind, state, state, pass_on=self.pass_on)
        await keeper.take_over()
        await keeper.follow()
        return keeper

    async def sign(self) -> None:
        """Sign the heads of the tournaments that this process keeps."""
        for keeper in self.known.values():
            await keeper.sign(self.now_ms())

    async def of(self, name: str) -> Keeper[Tournament]:
        """A tournament that was begun, with all that is durable of it."""
        if name not in self.known:
            await self.discover()
        keeper = self.known.get(name)
        if keeper is None:
            raise NoTournament(f"no tournament {name!r:.60}; there are {', '.join(sorted(self.known)) or 'none'}")
        if not keeper.owned:
            await keeper.follow()
        return keeper

    # ---------------------------------------------------------------- asking

    async def begin(self, asked: str, name: str, what: m.AppointDirector, *, by: str, role: str) -> Answer:
        """A new tournament: its first line is the appointment of its director, without whom there is none."""
        command_id(asked)
        if not NAME.fullmatch(name):
            raise NotAskable(f"{name!r:.60} is no name: 1 to 40 letters, figures, spaces and . ' & -")
        await self.discover()
        async with self.opening:
            taken = any(known.casefold() == name.casefold() for known in self.known)
            keeper = self.known[name] if name in self.known else await self._opened(name)
            # Another process may be about to begin one of the same name.
            if (taken or keeper.shown.entries or not keeper.owned) and not await self._begun_by(asked, keeper):
                raise NotAskable(f"there is a tournament called {name!r} already")
            answer = await self._asked(keeper, asked, what, by=by, role=role)
            if answer.done:
                self.known[name] = keeper
        return answer

    async def _begun_by(self, asked: str, keeper: Keeper[Tournament]) -> bool:
        """Whether this command began it, so that it is asked again and answered as it was."""
        before = await self.store.lookups.answer(asked)
        return before is not None and before.table == keeper.name

    async def ask(self, asked: str, name: str, what: m.AnyCommand, *, by: str, role: str) -> Answer:
        """What became of a command; the same id again gets the same answer, and nothing is drawn a second time."""
        command_id(asked)
        return await self._asked(await self.of(name), asked, what, by=by, role=role)

    async def _asked(self, keeper: Keeper[Tournament], asked: str, what: m.AnyCommand, *, by: str, role: str) -> Answer:
        return await keeper.ask(asked, Request(what, by, role, self.now_ms()))

    def _beside(self, request: Any) -> Awaitable[None] | None:
        """Who is excluded, and what is played, is what the tables say by now."""
        asks = isinstance(request.what, m.Enter | m.TakeSeat | m.DesignateTables)
        return all_heard(self.hosts.values()) if asks else None

    def _decided(self, this: Tournament, request: Any) -> m.Events | Refusal:
        return decide(this, msgspec.structs.replace(request, what=self.with_facts(this, request.what, request.role)))

    def with_facts(self, this: Tournament, what: m.AnyCommand, role: str) -> m.AnyCommand:
        """The command with what the house knows, and what is drawn, in the place of whatever was sent."""
        match what:
            case m.AppointDirector() | m.NameDeputy():
                return self._qualified(what)
            case m.Enter():
                vouched = {"meets": (), "form_filed": True, "entitled": True} if role == PLAYER else {}
                entering = msgspec.structs.replace(what, **vouched)
                entitled = entering.entitled and not self._excluded(what.player)
                return msgspec.structs.replace(entering, entitled=entitled)
            case m.TakeSeat(person=person, entitled=entitled):
                return msgspec.structs.replace(what, entitled=entitled and not self._excluded(person))
            case m.DrawSeats():
                return m.DrawSeats(drawn_seats(this, CHANCE.shuffle))
            case m.EndRound():
                return m.EndRound(tuple(by_lot(this.play.seats if this.play else (), CHANCE.shuffle)))
            case m.DesignateTables(tables=tables) if unknown := sorted(set(tables) - set(self.hosts)):
                raise NotAskable(f"unknown table {unknown[0]!r:.40}; known are {', '.join(self.hosts)}")
            case m.DesignateTables(tables=tables):
                return m.DesignateTables(tables, {name: law_at(self.hosts[name].shown) for name in tables})
            case m.OrdinaryPlay():
                raise NotAskable("whether others may play at a table is asked by the table itself")
            case _:
                return what

    def _excluded(self, person: str) -> bool:
        """Whether somebody is excluded at a table of the house, in whatever spelling."""
        return any(plain(person) in map(plain, host.shown.excluded) for host in self.hosts.values())

    def _qualified(self, what: m.AppointDirector | m.NameDeputy) -> m.AnyCommand:
        """With the highest office of the person; a demonstration has no accounts, and believes what it is told."""
        people = self.people()
        found = people.find(what.person) if people else None
        if people is None:
            return what
        offices = [role for role in LADDER if found and not found.disabled and role in found.roles]
        name = found.name if found else what.person
        return msgspec.structs.replace(what, person=name, qualified_as=offices[-1] if offices else "")

    # ---------------------------------------------------------------- the tables

    def guarding(self, kind: Kind[Table]) -> Kind[Table]:
        """The kind of a table, asked only for what no tournament forbids there."""

        def decided(table: Table, request: Any) -> Any:
            refusal = self.not_ordinary(table.name) if isinstance(request.what, PlaceWager) else None
            return refusal or kind.decide(table, request)

        return replace(kind, decide=decided)

    def not_ordinary(self, table: str) -> Refusal | None:
        """Why nobody may play at a table outside a tournament now."""
        for keeper in self.known.values():
            answer = decide(keeper.state, Request(m.OrdinaryPlay(table), "", ""))
            if isinstance(answer, Refusal):
                return Refusal(f"{answer.reason}: {keeper.state.name}", answer.rule)
        return None


def law_at(table: Table) -> m.TableLaw:
    """What is played at a table, and under which law."""
    law = table.ruleset
    names = {"game": law.game, "edition": law.edition, "version": law.version}
    return msgspec.convert({**names, "elections": law.named()["elections"], "readings": dict(law.readings)}, m.TableLaw)


def drawn_seats(this: Tournament, shuffle: Callable[[list[Any]], None]) -> dict[str, tuple[str, int]]:
    """Everybody who is due, by lot, at as many designated tables as are needed, filled evenly; any table, any seat.

    More players than seats get seats that the round does not have, and the draw is then refused as every such draw is.
    """
    terms = this.round_terms(this.round)
    players = sorted(name for name in due_to_play(this) if this.entrants[name].signed or not this.signatures)
    if terms is None or not players or not this.tables:
        return {}
    tables = by_lot(sorted(this.tables), shuffle)[: min(terms.tables, len(players))]
    deepest = -(-len(players) // len(tables))
    seats = {table: by_lot(range(1, max(terms.seats, deepest) + 1), shuffle) for table in tables}
    places = [(table, seats[table][row]) for row in range(deepest) for table in tables]
    return dict(zip(by_lot(players, shuffle), places, strict=False))


def by_lot(things: Iterable[T], shuffle: Callable[[list[Any]], None]) -> list[T]:
    drawn = list(things)
    shuffle(drawn)
    return drawn
