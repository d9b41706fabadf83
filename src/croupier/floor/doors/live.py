"""The line of a page: a WebSocket on which it says who it is, asks commands, and is sent views of its table."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from croupier.floor.doors.askers import needs_another, not_permitted, without_factor
from croupier.floor.doors.bounds import CommandRate
from croupier.floor.doors.common import ticket_in
from croupier.floor.doors.door import TABLE, LineDoor
from croupier.floor.doors.lines import TurnedAwayLog
from croupier.floor.doors.outbox import HeardLine, OpenLine, Outbox
from croupier.floor.doors.permissions import AT_THE_TABLE, FOUR_EYES
from croupier.floor.doors.turns import LINE, known
from croupier.floor.keeping.credentials.tickets import ENDED, NoTicket, Ticket
from croupier.floor.keeping.devices import (
    SHOE,
    TERMINAL,
    after_unpairing,
    before_pairing,
    named_otherwise,
    not_of_device,
)
from croupier.floor.keeping.host import Host, Watcher
from croupier.floor.keeping.house import House
from croupier.floor.keeping.vouchers import at_table
from croupier.floor.store.appends import BadAppend, Stopped
from croupier.floor.store.engines import BadStore
from croupier.floor.views.board import PUBLIC
from croupier.floor.wire import (
    Answer,
    BadMessage,
    BoardShown,
    Do,
    FromPage,
    Hello,
    Ping,
    Pong,
    Sorry,
    View,
    read,
    write,
)
from croupier.game import Refusal
from croupier.journal.names import called
from croupier.law.officials import PLAYER
from croupier.table.commands import AnyCommand
from croupier.table.terminals.commands import PairTerminal, UnpairTerminal

COMMAND_ID: Final = re.compile(r"[0-9a-f]{32}")
NORMAL: Final = 1000
SERVICE_RESTART: Final = 1012
FIRST_SECONDS: Final = 5.0
NOTHING_ASKED: Final = "a board is only looked at: it takes no ticket and no commands"
MOST_WAITING: Final = 256
"""Answers that a page may leave unread before its line is closed."""
MOST_NONSENSE: Final = 100
"""Messages of a line that nobody can answer, before it is closed: a page of the house sends none."""
UNREAD: Final = "lines were closed: what they asked was answered and not read, or made no sense"
HASTY: Final = "commands of a player wait: they come faster than anybody plays"
log = logging.getLogger(__name__)


async def done(house: House, ticket: Ticket, asked: Do, second: Ticket | None = None) -> Answer | Sorry:
    """What became of a command; `second` is the other person, where a command is done by two."""
    if not COMMAND_ID.fullmatch(asked.id):
        return Sorry("a command id is 32 hexadecimal digits")
    if ticket.role == PLAYER:
        rate, now = house.keep(CommandRate, CommandRate), asyncio.get_running_loop().time()
        if wait := rate.wait(_asker(ticket), now):
            house.keep(_Hasty, lambda: _Hasty(HASTY)).again(ticket.table)
            await asyncio.sleep(wait)
    host, began = house.hosts[ticket.table], perf_counter()
    try:
        if not house.is_current:
            await house.current()
        _check(house, asked, ticket, second)
        if not house.alone and await house.known_now():
            _check(house, asked, ticket, second)
        answer = await _asked(house, host, ticket, asked, second)
    except NoTicket as error:
        return Sorry(str(error), end=True)
    except BadAppend as error:
        return Sorry(str(error))
    except Stopped:
        house.metrics.counted("stopped", perf_counter() - began)
        raise
    house.metrics.counted("done" if answer.done else "refused", perf_counter() - began, answer.rule)
    return answer


def _asker(ticket: Ticket) -> str:
    """By what it is counted how fast somebody asks."""
    return f"{ticket.table} {ticket.name}"


def _check(house: House, asked: Do, *shown: Ticket | None) -> None:
    """Refuse tickets that have ended, and those that were lent for another command."""
    for ticket in filter(None, shown):
        house.check(ticket)
        if ticket.command not in ("", asked.id):
            raise NoTicket(f"the {ticket.role} was lent for another command")


async def _asked(house: House, host: Host, ticket: Ticket, asked: Do, second: Ticket | None) -> Answer:
    command, by = _permitted(house, host, ticket, asked, second), ticket.name
    if isinstance(command, Refusal):
        return Answer(
            asked.id, done=False, line=host.shown.entries, reason=command.reason, rule=command.rule, on=command.on
        )
    # What a command does for the devices of the house is done around it.
    if isinstance(command, PairTerminal):
        await before_pairing(house.devices, host, command, by=by, role=ticket.role)
    other = second.name if second else ""
    answer = await host.ask(asked.id, command, by=by, role=ticket.role, meant=asked.round, second=other)
    if isinstance(command, UnpairTerminal) and answer.done:
        await after_unpairing(house.devices, host, command, by=by, role=ticket.role)
    return house.numbers.reveal(answer, host.table.name, by)


def _permitted(house: House, host: Host, ticket: Ticket, asked: Do, second: Ticket | None) -> AnyCommand | Refusal:
    """The command as the table is asked it, or why this one may not ask it."""
    table, command = host.table, asked.command
    refusal = not_permitted(table, command, ticket)
    if house.accounts is not None or (second is not None and type(command).__name__ not in FOUR_EYES):
        refusal = refusal or needs_another(table, command, ticket, second)
        if type(command).__name__ in FOUR_EYES:
            refusal = refusal or without_factor(house.factors, called(type(command)), ticket, second)
    by, numbers = ticket.name, house.numbers
    numbered = at_table(command, lambda: numbers.mark(numbers.number(table.name, asked.id, by)))
    return refusal or not_of_device(ticket, command) or named_otherwise(house.people, command) or numbered


@dataclass(eq=False, slots=True)
class AtOnce:
    """What a page asks when nothing of it is in hand: decided where it is read, and answered where it became durable.

    No task is woken for it.  It takes what needs no waiting but for the disk, and nothing that is refused before a
    table is asked; whatever else comes, `_heard` hears, which is the slow way to the same answers (an `Awaiting`).
    """

    house: House
    host: Host
    ticket: Ticket
    line: HeardLine
    out: Outbox
    rate: CommandRate
    who: str
    began: float = 0.0

    def heard(self, text: str) -> bool:
        """Whether this was a command that is in hand now."""
        house, host, ticket, out = self.house, self.host, self.ticket, self.out
        if len(out.waiting) > MOST_WAITING or not house.is_current or not house.alone:
            return False
        if ticket.role == PLAYER and not self.rate.is_free(self.who):
            return False
        try:
            asked = read(text)
            if not isinstance(asked, Do) or not COMMAND_ID.fullmatch(asked.id):
                return False
            _check(house, asked, ticket)
            command = _permitted(house, host, ticket, asked, None)
            if isinstance(command, Refusal | PairTerminal | UnpairTerminal):
                return False
            self.began = perf_counter()
            if not host.at_once(asked.id, command, self, by=ticket.name, role=ticket.role, meant=asked.round):
                return False
        except Exception:
            # Nothing came of it, and nothing comes of it there: the line is told why, or ends.
            return False
        if ticket.role == PLAYER:
            self.rate.wait(self.who, out.loop.time())
        return True

    def done(self) -> bool:
        """A page that has gone takes no answer, and nobody need know here."""
        return self.out.ended.done()

    def set_result(self, answer: Answer, /) -> None:
        what = "done" if answer.done else "refused"
        self.house.metrics.counted(what, perf_counter() - self.began, answer.rule)
        self.out.put(self.house.numbers.reveal(answer, self.host.table.name, self.ticket.name))
        self.line.answered()

    def set_exception(self, error: Exception, /) -> None:
        if isinstance(error, Stopped):
            self.house.metrics.counted("stopped", perf_counter() - self.began)
        self.out.ended.set_exception(error)


async def live(house: House, door: LineDoor, socket: WebSocket) -> None:
    """One page: who it is, then its commands one after another, while views are sent to it."""
    await socket.accept()
    name = str(socket.path_params["name"])
    try:
        async with asyncio.timeout(FIRST_SECONDS):
            first = read(await heard_text(socket))
        if not isinstance(first, Hello):
            raise BadMessage("the first message is Hello, with a ticket")
        await house.current()
        await house.heard(name)
        try:
            ticket = ticket_in(house, first.ticket, name, door)
        except NoTicket:
            if not await house.read_on():
                raise
            ticket = ticket_in(house, first.ticket, name, door)
        if ticket.command:
            raise NoTicket("a role that was lent is for one command, and not for a line")
    except (BadMessage, NoTicket) as error:
        await told_why(socket, Sorry(str(error), end=True))
        return
    except TimeoutError:
        await told_why(socket, Sorry(f"the first message comes within {FIRST_SECONDS:g} seconds", end=True))
        return
    except WebSocketDisconnect:
        return
    except (Stopped, BadStore):
        await _closed(socket, name, ())
        return
    known(socket.scope)
    await _watched(socket, house, house.hosts[name], ticket)


async def board(house: House, _: LineDoor, socket: WebSocket) -> None:
    """One public board: it asks nothing, and is sent what everybody in the room may see."""
    await socket.accept()
    host = house.hosts.get(str(socket.path_params["name"]))
    if host is None:
        await told_why(socket, Sorry("there is no such table", end=True))
        return
    await _watched(socket, house, host, None)


async def _watched(socket: WebSocket, house: House, host: Host, ticket: Ticket | None) -> None:
    """A line while it is open: what the page says, and what it is sent; a board has no ticket."""
    line: HeardLine = socket.scope[LINE]
    role = _sees_as(ticket)
    # What staff see takes as long to write as the views of many players: all of these are told before.
    out = Outbox(line, lambda: host.view_for(watcher), None if role in (PLAYER, PUBLIC) else host.in_turn.after)
    watcher = Watcher(ticket.name if ticket else "", role, out.news, out.put)
    host.watchers[watcher] = None
    if ticket is not None:
        rate = house.keep(CommandRate, CommandRate)
        line.at_once = AtOnce(house, host, ticket, line, out, rate, _asker(ticket)).heard
    ending = _ending(house, ticket, out)
    hearing = asyncio.create_task(_heard(line, house, ticket, out))
    try:
        # What came before anybody watched here was heard of, and not read; whatever comes now is read as it comes.
        await host.keeper.hear()
        out.news()
        await asyncio.wait((hearing, out.ended), return_when=asyncio.FIRST_COMPLETED)
    finally:
        if ending is not None:
            ending.cancel()
        host.watchers.pop(watcher, None)
        hearing.cancel()
        out.ended.cancel()
        ended = await asyncio.gather(hearing, out.ended, return_exceptions=True)
    if any(isinstance(error, TooSlow) for error in ended):
        house.keep(_Unread, lambda: _Unread(UNREAD)).again(socket.client.host if socket.client else "")
        line.cut()
    told_why = ended[1] is None
    await _closed(socket, host.table.name, ended, code=NORMAL if told_why else SERVICE_RESTART)


def _sees_as(ticket: Ticket | None) -> str:
    """The role whose view a line is sent: a shoe tells cards as the dealer does, and sees what any guest sees."""
    if ticket is None:
        return PUBLIC
    return PLAYER if ticket.device == SHOE else ticket.role


def _ending(house: House, ticket: Ticket | None, out: Outbox) -> asyncio.TimerHandle | None:
    """A line ends with its ticket: what nobody may order any more, nobody is shown any more."""
    if ticket is None or not ticket.until_ms:
        return None
    left = (ticket.until_ms - house.tickets.now_ms()) / 1000
    return asyncio.get_running_loop().call_later(max(0.0, left), out.put, Sorry(ENDED, end=True))


class _Unread(TurnedAwayLog):
    """Says in the log that pages do not read."""


class _Hasty(TurnedAwayLog):
    """Says in the log that somebody asks faster than anybody plays."""


class TooSlow(Exception):
    """A page that asks and does not read what it is answered, or asks what nobody can answer."""


EXPECTED: Final = (Stopped, WebSocketDisconnect, TooSlow)
"""How a line may end without a fault of this house."""


async def _closed(
    socket: WebSocket, name: str, ended: Iterable[BaseException | None], *, code: int = SERVICE_RESTART
) -> None:
    """End a line: the page comes back, perhaps to another process, and asks again what was not answered."""
    for error in ended:
        if isinstance(error, Exception) and not isinstance(error, EXPECTED):
            log.error("a line ended by a fault", exc_info=error, extra={"table": name})
    with suppress(RuntimeError, WebSocketDisconnect):  # most often the page has closed it
        await socket.close(code)


async def heard_text(line: WebSocket | OpenLine) -> str:
    """The next message of a line, which is text."""
    message = await line.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message["code"], message.get("reason"))
    text: str | None = message.get("text")
    if text is None:
        raise BadMessage("a message of this table is text, not bytes")
    return text


async def told_why(socket: WebSocket, why: Sorry) -> None:
    """Tell why, and end the line."""
    with suppress(RuntimeError, WebSocketDisconnect):  # the page may have closed it
        await socket.send_text(write(why).decode())
        await socket.close()


async def _heard(line: OpenLine, house: House, ticket: Ticket | None, out: Outbox) -> None:
    while True:
        if len(out.waiting) > MOST_WAITING or out.nonsense > MOST_NONSENSE:
            raise TooSlow
        try:
            message = read(await heard_text(line))
        except BadMessage as error:
            out.put(Sorry(str(error)))
            await asyncio.sleep(0)
            continue
        match message:
            case Do():
                answer = Sorry(NOTHING_ASKED) if ticket is None else await done(house, ticket, message)
                out.put(answer)
                if isinstance(answer, Answer) and answer.done:
                    # It waited for its commit, in which others had their turn.
                    continue
            case Ping(at=at):
                out.put(Pong(at))
            case Hello():
                out.put(Sorry(NOTHING_ASKED if ticket is None else "this page is known already"))
        # What needs no waiting is answered at once, and others have their turn before the next.
        await asyncio.sleep(0)


DOORS: Final = (
    LineDoor(
        "WS /api/tables/{name}/live",
        live,
        "tables",
        "The line of a page at a table.",
        FromPage,
        View | Answer | Pong | Sorry,
        parameters=(TABLE,),
        roles=AT_THE_TABLE,
        devices=frozenset({TERMINAL, SHOE}),
        says="The first message is `Hello` with a ticket; then commands are answered, and a `View` comes whenever "
        "anything has changed.  `Sorry` with `end` ends the line.",
    ),
    LineDoor(
        "WS /api/tables/{name}/board",
        board,
        "tables",
        "The line of a public board.",
        Ping,
        BoardShown | Pong | Sorry,
        parameters=(TABLE,),
        says="A `BoardShown` comes at once and with every change.  It names nobody and tells nobody's money.",
        shown="nothing",
    ),
)
