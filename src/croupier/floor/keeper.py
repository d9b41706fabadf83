"""The keeper of one journal: decides requests in order, makes them durable, and only then tells anybody.

Theory of operation.  A request is decided against the state in memory and the state moves on at once, so that the next
request sees it; but nobody is told anything until the store has made the lines, the money and the answer durable
together.  The store commits in the order in which it was asked, so answers come in that order too, and a group of
requests shares one commit.  A command id that was seen before gets the answer it had, and no second effect.

A journal is kept by one process at a time.  Where another one keeps it, this one follows: it reads the lines that the
other made durable, and passes requests on to it (`pass_on`).  When the other is gone, the next request takes the
journal over.  If the store does not take the lines because another process has taken over, the state in memory is not
true any more: it is read again from the journal, and whoever asked is told to ask again.

What is decided is the business of a `Kind`: a table, the cage.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from croupier.floor.appends import AccountRow, Append, Appended, LedgerRow, Owned, OwnedElsewhere, Repeated
from croupier.floor.store import Store
from croupier.floor.wire import Answer
from croupier.game import Refusal


class Counted(Protocol):
    """A state that a journal leads to: it knows how many lines it has seen."""

    @property
    def entries(self) -> int: ...


S = TypeVar("S", bound=Counted)


def nobody_changes(_state: Any, _request: Any, _lines: tuple[Any, ...]) -> tuple[AccountRow, ...]:
    """A journal that says nothing of the people of the house."""
    return ()


@dataclass(frozen=True, slots=True)
class Kind(Generic[S]):
    """The pure part of a journal: what a request leads to, the lines that this makes, the state after them."""

    decide: Callable[[S, Any], Any]
    entries: Callable[[S, Any, Any], tuple[Any, ...]]
    after: Callable[[S, Iterable[Any]], S]
    encode: Callable[[Any], bytes]
    decode: Callable[[bytes], Any]
    request: type[Any]
    """What a request is, so that one process can pass it on to another."""
    accounts: Callable[[S, Any, tuple[Any, ...]], tuple[AccountRow, ...]] = nobody_changes
    """The people as they are after these lines of a request; only the journal of the people has any."""
    pack: Callable[[S], bytes] | None = None
    """The state as bytes, for a snapshot; without it the journal is always read from its first line."""
    unpack: Callable[[bytes, S], S | None] | None = None


class Stopped(Exception):
    """The journal cannot be written here now: the reason, in one line."""


PassOn = Callable[[str, str, str, Any], Awaitable[Answer]]
"""Ask the process at an address: address, journal, command id, request."""


async def nobody_to_ask(address: str, name: str, _command_id: str, _request: Any) -> Answer:
    raise Stopped(f"{name} is run by another process, at {address or 'an address that it does not tell'}")


def nobody_to_tell(_lines: tuple[Any, ...]) -> None:
    """A journal that nobody watches."""


@dataclass(eq=False, slots=True)
class Keeper(Generic[S]):
    """One journal: `state` as decided, `shown` as far as it is durable; `changed` hears every durable line."""

    store: Store
    name: str
    kind: Kind[S]
    state: S
    shown: S
    changed: Callable[[tuple[Any, ...]], None] = nobody_to_tell
    pass_on: PassOn = nobody_to_ask
    owned: bool = False
    elsewhere: str = ""
    asked: dict[str, asyncio.Task[Answer]] = field(default_factory=dict)
    moving: asyncio.Lock = field(default_factory=asyncio.Lock)
    snapshot_lines: int = 0
    keeping: asyncio.Task[None] | None = None

    # ---------------------------------------------------------------- asking

    async def ask(self, command_id: str, request: Any, *, passed_on: bool = False) -> Answer:
        """Decide a request and make it durable; the same id again gets the same answer.

        What another process has `passed_on` is decided here or not at all.
        """
        working = self.asked.get(command_id)
        if working is None:
            working = asyncio.create_task(self._answered(command_id, request, passed_on=passed_on))
            self.asked[command_id] = working
            working.add_done_callback(lambda done: self._forget(command_id, done))
        # Whoever asked may go away meanwhile; what was decided becomes durable all the same, and is shown.
        return await asyncio.shield(working)

    def _forget(self, command_id: str, done: asyncio.Task[Answer]) -> None:
        """The store answers for a command once it is durable; an error that nobody waits for any more is dropped."""
        self.asked.pop(command_id, None)
        if not done.cancelled():
            done.exception()

    async def _answered(self, command_id: str, request: Any, *, passed_on: bool) -> Answer:
        before = await self.store.lookups.answer(command_id)
        if before is not None:
            return _answer_of(before)
        if not self.owned:
            await self.take_over()
        if not self.owned and passed_on:
            raise Stopped(f"{self.name} is not run here")
        if not self.owned:
            return await self.pass_on(self.elsewhere, self.name, command_id, request)
        return await self._decided(command_id, request)

    async def _decided(self, command_id: str, request: Any) -> Answer:
        events, decided = self.kind.decide(self.state, request), self.state
        number = self.state.entries
        if isinstance(events, Refusal):
            answer = Answer(command_id, done=False, line=number, reason=events.reason, rule=events.rule)
            lines: tuple[Any, ...] = ()
        else:
            lines = self.kind.entries(self.state, request, events)
            decided = self.kind.after(self.state, lines)
            answer = Answer(command_id, done=True, line=decided.entries)
        unit = self._unit(number, command_id, lines, answer)
        if lines:
            unit = replace(unit, accounts=self.kind.accounts(decided, request, lines))
        queued = self.store.append(unit)
        # Only now has it happened here: what no journal can hold was not queued, and changes nothing.
        self.state = decided
        made = await asyncio.wrap_future(queued)
        match made:
            case Appended():
                if lines:
                    self.shown = decided
                    self.changed(lines)
                    self._keep_now_and_then(number, decided)
                return answer
            case Repeated():
                return _answer_of(made)
            case _:
                await self._lost()
                raise Stopped(f"{self.name} is run by another process now: ask again")

    def _unit(self, number: int, command_id: str, lines: tuple[Any, ...], answer: Answer) -> Append:
        rows = tuple(
            LedgerRow(line.number + 1, move.debit, move.credit, move.amount, move.rule)
            for line in lines
            for move in line.event.transfers
        )
        written = tuple(self.kind.encode(line) for line in lines)
        return Append(self.name, number, command_id, written, rows, msgspec.json.encode(answer))

    # ---------------------------------------------------------------- who keeps it

    async def take_over(self) -> None:
        """Become the process that keeps this journal, unless a live one does; the state is then the journal's."""
        async with self.moving:
            if self.owned:
                return
            match await asyncio.wrap_future(self.store.own(self.name)):
                case Owned():
                    await self._follow()
                    self.owned, self.elsewhere = True, ""
                case OwnedElsewhere(address=address):
                    self.elsewhere = address

    async def _lost(self) -> None:
        """Another process took over: what was decided here and did not become durable never happened."""
        async with self.moving:
            self.owned = False
            self.state = self.shown
            await self._follow()

    async def follow(self) -> None:
        """Read what the process that keeps this journal has made durable since."""
        async with self.moving:
            if not self.owned:
                await self._follow()

    async def _follow(self) -> None:
        while page := await asyncio.to_thread(self.store.lines, self.name, self.shown.entries + 1):
            lines = tuple(self.kind.decode(line.body) for line in page)
            self.state = self.shown = self.kind.after(self.shown, lines)
            self.changed(lines)

    # ---------------------------------------------------------------- snapshots

    async def resume(self) -> int:
        """Begin where the last snapshot is, if there is a good one; answers with the line it is of, or 0."""
        kept = await asyncio.to_thread(self.store.snapshot, self.name) if self.kind.unpack is not None else None
        state = self.kind.unpack(kept.body, self.state) if kept is not None and self.kind.unpack is not None else None
        if kept is None or state is None or state.entries != kept.number:
            return 0
        self.state = self.shown = state
        return kept.number

    def _keep_now_and_then(self, before: int, decided: S) -> None:
        """Keep a snapshot each time so many lines are full, beside the work."""
        every = self.snapshot_lines
        if every and before // every < decided.entries // every and (self.keeping is None or self.keeping.done()):
            self.keeping = asyncio.create_task(self.keep(decided), name=f"snapshot of {self.name}")

    async def keep(self, state: S) -> None:
        """Keep a snapshot of a durable state."""
        if self.kind.pack is not None and self.owned and state.entries:
            body = await asyncio.to_thread(self.kind.pack, state)
            await asyncio.wrap_future(self.store.keep_snapshot(self.name, state.entries, body))


_ANSWERS = msgspec.json.Decoder(Answer)


def _answer_of(known: Repeated) -> Answer:
    return _ANSWERS.decode(known.answer)
