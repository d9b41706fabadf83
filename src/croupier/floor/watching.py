"""The line of a page: a WebSocket on which it says who it is, asks commands, and is sent views of its table."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import deque
from collections.abc import Iterable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final

import msgspec
from fastapi import FastAPI, WebSocket, WebSocketDisconnect

from croupier.floor.appends import BadAppend
from croupier.floor.devices import after_unpairing, before_pairing, not_of_device
from croupier.floor.doors import ticket_for
from croupier.floor.eyes import both, inspected_before, is_inspection, needs_another, not_permitted
from croupier.floor.host import Host, Watcher
from croupier.floor.house import House, NoTicket, Ticket
from croupier.floor.keeper import Stopped
from croupier.floor.vouchers import at_table, issued_by
from croupier.floor.wire import Answer, BadMessage, Do, Hello, Ping, Pong, Sorry, ToPage, read, write
from croupier.game import Refusal
from croupier.table.commands import AnyCommand
from croupier.table.terminal_commands import CashOut, PayDue

COMMAND_ID: Final = re.compile(r"[0-9a-f]{32}")
SERVICE_RESTART: Final = 1012
log = logging.getLogger(__name__)

LIVE: Final = "WS /api/tables/{name}/live"


def routes(app: FastAPI, house: House) -> None:
    @app.websocket("/api/tables/{name}/live")
    async def live(socket: WebSocket, name: str) -> None:
        await socket.accept()
        await _watched(house, socket, name)


async def done(house: House, ticket: Ticket, asked: Do, second: Ticket | None = None) -> Answer | Sorry:
    """What became of a command; `second` is the other person, where a command is done by two."""
    if not COMMAND_ID.fullmatch(asked.id):
        return Sorry("a command id is 32 hexadecimal digits")
    host, began = house.hosts[ticket.table], perf_counter()
    try:
        house.check(ticket)
        # Who inspected before must be durable before it is looked up.
        async with house.eyes if is_inspection(host.table, asked.command) else nullcontext():
            answer = await _asked(house, host, ticket, asked, second)
    except NoTicket as error:
        return Sorry(str(error), end=True)
    except BadAppend as error:
        return Sorry(str(error))
    except Stopped:
        house.metrics.told("stopped", perf_counter() - began)
        raise
    house.metrics.told("done" if answer.done else "refused", perf_counter() - began)
    return answer


async def _asked(house: House, host: Host, ticket: Ticket, asked: Do, second: Ticket | None) -> Answer:
    table, command = host.table, asked.command
    refusal = not_permitted(table, command, ticket)
    if house.accounts is not None:
        refusal = refusal or needs_another(table, command, ticket, second)
        refusal = refusal or inspected_before(table, host.recent.lines, command, ticket)
    numbered = at_table(command)
    refusal = refusal or not_of_device(ticket, command)
    if refusal is None and not isinstance(numbered, Refusal):
        return await _done_at(house, host, asked, numbered, by=both(ticket, second), role=ticket.role)
    no = refusal or numbered
    assert isinstance(no, Refusal)
    return Answer(asked.id, done=False, line=host.shown.entries, reason=no.reason, rule=no.rule)


async def _done_at(house: House, host: Host, asked: Do, command: AnyCommand, *, by: str, role: str) -> Answer:
    """What became of a command at its table, with what follows from it for the devices and the vouchers."""
    await before_pairing(house.devices, host, command, by=by, role=role)
    answer = await host.ask(asked.id, command, by=by, role=role, meant=asked.round)
    if not answer.done:
        return answer
    await after_unpairing(house.devices, host, command, by=by, role=role)
    if isinstance(command, CashOut | PayDue):
        # By the line, not by the number that was made just now: a repeated command issued its voucher before.
        number = await asyncio.to_thread(issued_by, house.store, host.table.name, answer.line)
        return msgspec.structs.replace(answer, voucher=number)
    return answer


async def _watched(house: House, socket: WebSocket, name: str) -> None:
    """One page: who it is, then its commands one after another, while views are sent to it."""
    try:
        first = read(await socket.receive_text())
        if not isinstance(first, Hello):
            raise BadMessage("the first message is Hello, with a ticket")
        ticket = ticket_for(house, first.ticket, name, LIVE)
    except (BadMessage, NoTicket) as error:
        await socket.send_text(write(Sorry(str(error), end=True)))
        await socket.close()
        return
    except WebSocketDisconnect:
        return
    out, host = Outbox(), house.hosts[name]
    watcher = Watcher(ticket.name, ticket.role, out.news, out.put)
    host.watchers.add(watcher)
    out.news()
    both_ways = (
        asyncio.create_task(_heard(socket, house, ticket, out)),
        asyncio.create_task(_sent(socket, out, host, watcher)),
    )
    try:
        await asyncio.wait(both_ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        host.watchers.discard(watcher)
        for way in both_ways:
            way.cancel()
        ended = await asyncio.gather(*both_ways, return_exceptions=True)
    await _closed(socket, name, ended)


async def _closed(socket: WebSocket, name: str, ended: Iterable[BaseException | None]) -> None:
    """End a line: the page comes back, perhaps to another process, and asks again what was not answered."""
    for error in ended:
        if isinstance(error, Exception) and not isinstance(error, Stopped | WebSocketDisconnect):
            log.error("a line ended by a fault", exc_info=error, extra={"table": name})
    with suppress(RuntimeError, WebSocketDisconnect):  # most often the page has closed it
        await socket.close(SERVICE_RESTART)


@dataclass(slots=True)
class Outbox:
    """What a page is still to be sent: answers in their order, and the newest view if it has not seen it."""

    waiting: deque[ToPage] = field(default_factory=deque)
    behind: bool = False
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def news(self) -> None:
        self.behind = True
        self.wake.set()

    def put(self, message: ToPage) -> None:
        self.waiting.append(message)
        self.wake.set()


async def _sent(socket: WebSocket, out: Outbox, host: Host, watcher: Watcher) -> None:
    """Send what there is; a view first, so that the answer to a command never precedes what it did."""
    while True:
        await out.wake.wait()
        out.wake.clear()
        if out.behind:
            out.behind = False
            if (told := host.view_for(watcher)) is not None:
                await socket.send_text(told)
        while out.waiting:
            message = out.waiting.popleft()
            await socket.send_text(write(message))
            if isinstance(message, Sorry) and message.end:
                await socket.close()
                return


async def _heard(socket: WebSocket, house: House, ticket: Ticket, out: Outbox) -> None:
    while True:
        text = await socket.receive_text()
        try:
            message = read(text)
        except BadMessage as error:
            out.put(Sorry(str(error)))
            continue
        match message:
            case Do():
                out.put(await done(house, ticket, message))
            case Ping(at=at):
                out.put(Pong(at))
            case Hello():
                out.put(Sorry("this page is known already"))
