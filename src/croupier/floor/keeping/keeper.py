"""The keeper of one journal: decides requests in order, makes them durable, and only then tells anybody.

Theory of operation.  A request is decided against the state in memory and the state moves on at once, so that the next
request sees it; but nobody is told anything until the store has made the lines, the money and the answer durable
together.  The store commits in the order in which it was asked, so answers come in that order too, and a group of
requests shares one commit.

A command id belongs to its request: the journal, who asks in which role, and what they said.  The same request again
gets the answer it had, and no second effect; anything else under that id is refused, and told nothing of the first.
Whether an id is known is asked before a request is decided, unless this process keeps the journal and has not answered
that id lately (`store/lookups.py`); where it shows only at the commit, because it was used long ago or by another
process, what was decided here is taken back, and whatever was decided upon it is decided again.

A journal is kept by one process at a time.  Where another one keeps it, this one follows: it reads the lines that the
other made durable, and passes requests on to it (`pass_on`).  When the other is gone, the next request takes the
journal over.  If the store does not take the lines because another process has taken over, the state in memory is not
true any more: it is read again from the journal, and whoever asked is told to ask again.

What is decided is the business of a `Kind`: a table, the cage.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from croupier.floor.keeping.sizes import check_size, in_order
from croupier.floor.keeping.telling.trying import Trying
from croupier.floor.store.appends import (
    AccountRow,
    Append,
    AppendAnswer,
    Appended,
    Awaiting,
    IdTaken,
    LedgerRow,
    LivingProcess,
    Owned,
    OwnedElsewhere,
    Repeated,
    Stale,
    Stopped,
)
from croupier.floor.store.appends import command_id as plain_id
from croupier.floor.store.durable import Store
from croupier.floor.store.lookups import InWork
from croupier.floor.wire import Answer
from croupier.game import Refusal

log = logging.getLogger(__name__)

AT_ONCE = 250
"""Lines of another process that are followed in one turn of the loop, in which everybody else waits."""
TAKEN = "this command id was used for another request: make a new one"


def new_id() -> str:
    """An id for a command that the house itself asks for."""
    return secrets.token_hex(16)


class JournaledState(Protocol):
    """A state that a journal leads to: it knows how many lines it has seen."""

    @property
    def entries(self) -> int: ...


S = TypeVar("S", bound=JournaledState)


def nobody_changes(_state: Any, _request: Any, _lines: tuple[Any, ...]) -> tuple[AccountRow, ...]:
    """A journal that says nothing of the people of the house."""
    return ()


def as_it_is(what: Any) -> Any:
    """A command in which the house fills nothing in."""
    return what


def nothing_beside(_request: Any) -> Awaitable[None] | None:
    """What is decided by the journal alone."""
    return None


def nothing_revealed(_lines: tuple[Any, ...]) -> str:
    """A journal that issues no vouchers."""
    return ""


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
    said: Callable[[Any], Any] = as_it_is
    """A command as its asker said it, without what the house fills in; the command id belongs to that."""
    signs: Callable[[tuple[Any, ...]], bool] = bool
    """Whether the head is signed with these lines; of a journal that grows slowly, with every line."""
    voucher: Callable[[tuple[Any, ...]], str] = nothing_revealed
    """The voucher that these lines issue; it is told, and kept, with the answer."""
    beside: Callable[[Any], Awaitable[None] | None] = nothing_beside
    """What has to be read of other journals before a request is decided, if anything has."""


class Queued(msgspec.Struct, Generic[S], frozen=True):
    """A decision that waits for the disk: upon which line it was made, what it leads to, and its answer.

    `turn` and `epoch` are the keeper's when it was made.
    """

    number: int
    lines: tuple[Any, ...]
    decided: S
    answer: Answer
    turn: int
    epoch: int | None


class Deciding(msgspec.Struct, eq=False):
    """A new command that was decided at once: the store tells it what became of it, and it tells whoever waits."""

    keeper: Keeper[Any]
    known: str
    command: str
    request: Any
    working: InWork
    queued: Queued[Any] | None = None

    def done(self) -> bool:
        """Whoever asked may have gone; that it is durable is to be known all the same."""
        return False

    def set_result(self, outcome: AppendAnswer, /) -> None:
        keeper, queued = self.keeper, self.queued
        assert queued is not None
        if isinstance(outcome, Appended):
            keeper.finish(self.known, self.working, partial(keeper.show, queued))
        else:
            settled = keeper.settled(queued, outcome, self.command, self.request, self.working.mark)
            keeper.later(self.working, self.known, settled)

    def set_exception(self, error: BaseException, /) -> None:
        def failed() -> Answer:
            raise error

        self.keeper.finish(self.known, self.working, failed)


PassOn = Callable[[str, str, str, Any], Awaitable[Answer]]
"""Ask the process at an address: address, journal, command id, request."""


async def nobody_to_ask(address: str, name: str, _command_id: str, _request: Any) -> Answer:
    raise Stopped(f"{name} is run by another process, at {address or 'an address that it does not tell'}")


def always() -> bool:
    """A journal of the house itself, of which every process must know."""
    return True


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
    epoch: int | None = None
    """The ownership of this process, as long as it has one; what was decided under an earlier one is not appended."""
    turn: int = 0
    """Counts how often what was decided here was taken back."""
    moving: asyncio.Lock = field(default_factory=asyncio.Lock)
    snapshot_lines: int = 0
    keeping: asyncio.Task[None] | None = None
    last_ms: int = 0
    """When the last line was written: what was asked before that and came later is written no earlier."""
    wanted: Callable[[], bool] = always
    """Whether what another process writes is read as soon as it is heard of; if not, when somebody asks."""
    end: int = 0
    """The last line that was heard of, where another process keeps the journal."""

    # ---------------------------------------------------------------- asking

    async def ask(self, command_id: str, request: Any, *, passed_on: bool = False) -> Answer:
        """Decide a request and make it durable; the same request again, under its id, gets the same answer.

        What another process has `passed_on` is decided here or not at all.
        """
        if (reading := self.kind.beside(request)) is not None:
            await reading
        waiter: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        if not self.at_once(command_id, request, waiter):
            mark, known, asked = self._mark(request), plain_id(command_id), self.store.lookups.asked
            while (working := asked.get(known)) is not None and working.mark != mark:
                # Under this id something else is asked just now, perhaps by one to whom it does not belong.
                await working.over()
                if (before := await self.store.lookups.answer(command_id)) is not None:
                    return self._told_before(before, command_id, mark)
            if working is None:
                working = asked[known] = InWork(mark)
                self.later(working, known, self._answered(command_id, request, mark, passed_on=passed_on))
            working.waiting.append(waiter)
        # Whoever asked may go away meanwhile; what was decided becomes durable all the same, and is shown.
        return await waiter

    def at_once(self, command_id: str, request: Any, waiter: Awaiting) -> bool:
        """Decide a new command now, if this process keeps the journal; whoever waits is told when it is durable.

        `ask` is the way for all others: a command that may be known, or is being worked on, or another process's.
        """
        known, lookups = plain_id(command_id), self.store.lookups
        if not self.owned or known in lookups.asked or lookups.may_be_known(known):
            return False
        mark = self._mark(request)
        working = lookups.asked[known] = InWork(mark, [waiter])
        deciding = Deciding(self, known, command_id, request, working)
        try:
            deciding.queued = self._queued(command_id, request, mark, deciding)
        except BaseException:
            self._forget(known)
            raise
        return True

    def later(self, working: InWork, known: str, work: Coroutine[Any, Any, Answer]) -> None:
        working.task = asyncio.create_task(work)
        working.task.add_done_callback(lambda done: self.finish(known, working, done.result))

    def finish(self, known: str, working: InWork, answered: Callable[[], Answer]) -> None:
        """Tell whoever still waits; an error that nobody waits for any more is dropped."""
        self._forget(known)
        try:
            answer = answered()
        except (Exception, asyncio.CancelledError) as error:
            for waiter in working.waiting:
                if not waiter.done():
                    waiter.set_exception(error)
        else:
            for waiter in working.waiting:
                if not waiter.done():
                    waiter.set_result(answer)

    def _mark(self, request: Any) -> str:
        """What a command id belongs to: this journal, who asks, and what they said, whenever they say it."""
        said = msgspec.structs.replace(request, what=self.kind.said(request.what), at_ms=0)
        text = in_order((self.name, said))
        check_size(text)
        return sha256(text).hexdigest()

    def _told_before(self, before: Repeated, command: str, mark: str) -> Answer:
        return _answer_of(before) if before.is_of(self.name, mark) else self._taken(command)

    def _taken(self, command: str) -> Answer:
        return Answer(command, done=False, line=self.shown.entries, reason=TAKEN)

    def _forget(self, known: str) -> None:
        """The store answers for a command once it is durable."""
        self.store.lookups.asked.pop(known, None)
        self.store.lookups.remember(known)

    async def _answered(self, command: str, request: Any, mark: str, *, passed_on: bool) -> Answer:
        if not self.owned or self.store.lookups.may_be_known(plain_id(command)):
            before = await self.store.lookups.answer(command)
            if before is not None:
                return self._told_before(before, command, mark)
        if not self.owned:
            await self.take_over()
        if not self.owned and passed_on:
            raise Stopped(f"{self.name} is not run here")
        if not self.owned:
            answer = await self.pass_on(self.elsewhere, self.name, command, request)
            # Whoever asked here sees here what became of it, before the answer.
            if answer.line > self.shown.entries:
                await self.follow()
            return answer
        durable: asyncio.Future[AppendAnswer] = asyncio.get_running_loop().create_future()
        queued = self._queued(command, request, mark, durable)
        return await self.settled(queued, await durable, command, request, mark)

    def _queued(self, command: str, request: Any, mark: str, waiting: Awaiting) -> Queued[S]:
        """Decide a request and have it made durable."""
        if request.at_ms < self.last_ms:
            request = msgspec.structs.replace(request, at_ms=self.last_ms)
        events, decided = self.kind.decide(self.state, request), self.state
        number = self.state.entries
        if isinstance(events, Refusal):
            answer = Answer(command, done=False, line=number, reason=events.reason, rule=events.rule, on=events.on)
            lines: tuple[Any, ...] = ()
        else:
            lines = self.kind.entries(self.state, request, events)
            decided = self.kind.after(self.state, lines)
            self.last_ms = request.at_ms
            answer = Answer(command, done=True, line=decided.entries, voucher=self.kind.voucher(lines))
        accounts = self.kind.accounts(decided, request, lines) if lines else ()
        unit = self._unit(number, command, lines, answer, accounts=accounts, request=mark)
        self.store.append_for(unit, waiting)
        # Only now has it happened here: what no journal can hold was not queued, and changes nothing.
        self.state = decided
        return Queued(number, lines, decided, answer, self.turn, self.epoch)

    def show(self, queued: Queued[S]) -> Answer:
        """What was queued is durable: let it be seen, and answer."""
        # After a sleep these lines may have been read from the journal already.
        if queued.lines and queued.decided.entries > self.shown.entries:
            self.shown = queued.decided
            self.changed(queued.lines)
            self._keep_now_and_then(queued.number, queued.decided)
        return queued.answer

    async def settled(self, queued: Queued[S], outcome: AppendAnswer, command: str, request: Any, mark: str) -> Answer:
        """The answer, durable; where the state that it was decided upon was taken back, it is decided again."""
        while True:
            match outcome:
                case Appended():
                    return self.show(queued)
                case Repeated() as made:
                    self._take_back(queued.turn, queued.lines)
                    return _answer_of(made)
                case IdTaken():
                    self._take_back(queued.turn, queued.lines)
                    return self._taken(command)
                case Stale(last=last) if self.owned and (self.turn != queued.turn or last == self.shown.entries):
                    self._take_back(queued.turn, (queued.number,))
                    durable: asyncio.Future[AppendAnswer] = asyncio.get_running_loop().create_future()
                    queued = self._queued(command, request, mark, durable)
                    outcome = await durable
                case _:
                    if queued.epoch == self.epoch:
                        # Another process took over: what was decided here and did not become durable never happened.
                        await self.read_again()
                    raise Stopped(f"{self.name} is run by another process now: ask again")

    def _take_back(self, turn: int, moved: tuple[Any, ...]) -> None:
        """What moved the state did not become durable: go on from what is, once for all that was decided upon it."""
        if moved and self.turn == turn:
            self.turn += 1
            self.state = self.shown

    def _unit(self, number: int, command: str, lines: tuple[Any, ...], answer: Answer, **more: Any) -> Append:
        rows = tuple(
            [
                LedgerRow(line.number + 1, move.debit, move.credit, move.amount, move.rule)
                for line in lines
                for move in line.event.transfers
            ]
        )
        written, said = tuple([self.kind.encode(line) for line in lines]), msgspec.json.encode(answer)
        sign = self.kind.signs(lines)
        return Append(self.name, number, command, written, rows, said, sign=sign, epoch=self.epoch, **more)

    # ---------------------------------------------------------------- who keeps it

    async def take_over(self) -> None:
        """Become the process that keeps this journal, unless a live one does; the state is then the journal's."""
        async with self.moving:
            if self.owned:
                return
            match await asyncio.wrap_future(self.store.own(self.name)):
                case Owned(epoch=epoch):
                    await self._follow()
                    # What was decided again meanwhile, under the turn before, the store refuses: it never happened.
                    self.turn += 1
                    self.state = self.shown
                    self.owned, self.elsewhere, self.epoch = True, "", epoch
                case OwnedElsewhere(address=address):
                    self.elsewhere = address

    async def hand_on(self, to: LivingProcess, at_ms: int) -> None:
        """Let another process keep this journal, once all that was decided here is durable and its head is signed."""
        async with self.moving:
            if not self.owned:
                return
            self.owned = False
            self.store.sign_head(self.name, at_ms)
            await asyncio.wrap_future(self.store.release(self.name, to))

    async def sign(self, at_ms: int) -> None:
        """Sign the head of the journal, if this process keeps it and there is anything in it."""
        if self.owned and self.shown.entries:
            await asyncio.wrap_future(self.store.sign_head(self.name, at_ms))

    async def read_again(self) -> None:
        """Trust nothing that is only in memory: the journal is read on, and kept again when it is next asked."""
        async with self.moving:
            self.owned = False
            self.turn += 1
            self.state = self.shown
            await self._follow()

    async def follow(self) -> None:
        """Read what the process that keeps this journal has made durable since."""
        async with self.moving:
            if not self.owned:
                await self._follow()

    async def hear(self) -> None:
        """Read as far as was heard of; what cannot be read now is read with the next news of it."""
        if self.owned or self.shown.entries >= self.end:
            return
        async with self.moving:
            # Who had the lock before may have read it.
            if self.owned or self.shown.entries >= (until := self.end):
                return
            await Trying(f"reading {self.name}").once(self._follow())
            if self.shown.entries < until == self.end:
                self.end = self.shown.entries

    async def _follow(self) -> None:
        full = True
        while full:
            page = await asyncio.to_thread(self.store.sound_lines, self.name, self.shown.entries + 1, AT_ONCE)
            full = len(page) == AT_ONCE
            # What was decided here became durable, and was shown, while the page was read.
            lines = tuple(self.kind.decode(line.body) for line in page if line.number > self.shown.entries)
            if lines:
                self.state = self.shown = self.kind.after(self.shown, lines)
                self.last_ms = max(self.last_ms, lines[-1].at_ms)
                self.changed(lines)

    # ---------------------------------------------------------------- snapshots

    async def resume(self) -> int:
        """Begin where the last snapshot is, if there is a good one; answers with the line it is of, or 0."""
        if self.kind.unpack is None:
            return 0
        # News may have had the journal read already, further than the snapshot.
        async with self.moving:
            kept = await asyncio.to_thread(self.store.snapshot, self.name)
            state = self.kind.unpack(kept.body, self.state) if kept is not None else None
            if kept is None or state is None or state.entries != kept.number or kept.number < self.shown.entries:
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
