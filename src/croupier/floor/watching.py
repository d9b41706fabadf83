"""The line of a page: a WebSocket on which it says who it is, asks commands, and is sent views of its table."""

from __future__ import annotations

import asyncio
import re
from typing import Final

from fastapi import FastAPI, WebSocket, WebSocketDisconnect

from croupier.floor.doors import ticket_for
from croupier.floor.host import Host, Watcher
from croupier.floor.house import House, NoTicket, Ticket
from croupier.floor.keeper import Stopped
from croupier.floor.wire import Answer, BadMessage, Do, Hello, Ping, Pong, Sorry, ToPage, read, write

COMMAND_ID: Final = re.compile(r"[0-9a-f]{32}")
QUEUE: Final = 64


def routes(app: FastAPI, house: House) -> None:
    @app.websocket("/api/tables/{name}/live")
    async def live(socket: WebSocket, name: str) -> None:
        await socket.accept()
        await _watched(house, socket, name)


async def done(host: Host, ticket: Ticket, asked: Do) -> Answer | Sorry:
    """What became of a command."""
    if not COMMAND_ID.fullmatch(asked.id):
        return Sorry("a command id is 32 hexadecimal digits")
    try:
        return await host.ask(asked.id, asked.command, by=ticket.name, role=ticket.role)
    except Stopped as error:
        return Sorry(str(error), end=True)


async def _watched(house: House, socket: WebSocket, name: str) -> None:
    """One page: who it is, then its commands one after another, while views are sent to it."""
    try:
        first = read(await socket.receive_text())
        if not isinstance(first, Hello):
            raise BadMessage("the first message is Hello, with a ticket")
        ticket = ticket_for(house, first.ticket, name)
    except (BadMessage, NoTicket) as error:
        await socket.send_text(write(Sorry(str(error), end=True)))
        await socket.close()
        return
    except WebSocketDisconnect:
        return
    out: asyncio.Queue[ToPage] = asyncio.Queue(QUEUE)
    host = house.hosts[name]
    watcher = Watcher(ticket.name, ticket.role, lambda message: _put(out, message))
    host.watchers.add(watcher)
    host.show_to(watcher)
    sending = asyncio.create_task(_sent(socket, out))
    try:
        await _heard(socket, host, ticket, out)
    except WebSocketDisconnect:
        pass
    finally:
        host.watchers.discard(watcher)
        sending.cancel()


def _put(out: asyncio.Queue[ToPage], message: ToPage) -> None:
    """A page that is slow misses views, never answers: the next view tells it all."""
    if out.full():
        kept = [waiting for waiting in _drained(out) if isinstance(waiting, Answer | Sorry)]
        for waiting in kept[-QUEUE + 1 :]:
            out.put_nowait(waiting)
    out.put_nowait(message)


def _drained(out: asyncio.Queue[ToPage]) -> list[ToPage]:
    return [out.get_nowait() for _ in range(out.qsize())]


async def _sent(socket: WebSocket, out: asyncio.Queue[ToPage]) -> None:
    while True:
        await socket.send_text(write(await out.get()))


async def _heard(socket: WebSocket, host: Host, ticket: Ticket, out: asyncio.Queue[ToPage]) -> None:
    while True:
        text = await socket.receive_text()
        try:
            message = read(text)
        except BadMessage as error:
            _put(out, Sorry(str(error)))
            continue
        match message:
            case Do():
                _put(out, await done(host, ticket, message))
            case Ping(at=at):
                _put(out, Pong(at))
            case Hello():
                _put(out, Sorry("this page is known already"))
