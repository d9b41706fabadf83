"""HTTP and WebSocket: the doors of the house.

`/health` says whether the server lives; `/api/tables` lists the tables; a page enters with `/api/enter` (demonstration
only), gets a ticket, and opens `/api/tables/NAME/live`, where the messages of `wire.py` travel.  The same commands can
be posted to `/api/tables/NAME/commands`.  The story of a round and the journal are there to be read.

Everything is answered in JSON; what cannot be done is one line in `reason`, with the rule where one refused it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec
from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect

from croupier.floor.demo import compute
from croupier.floor.host import Host, Stopped, Watcher
from croupier.floor.house import House, NoTicket, Planned, Ticket, clock_ms, seat_guest
from croupier.floor.page import ICON, html
from croupier.floor.views import betting, results
from croupier.floor.virtual import Pace
from croupier.floor.wire import Answer, BadMessage, Do, Hello, Ping, Pong, Sorry, ToPage, read, write
from croupier.law import inventory
from croupier.table.commands import AnyCommand
from croupier.table.events import decode
from croupier.table.explain import explain, lines_of, say_event
from croupier.table.general import PLAYER

OWN: Final = ("connect", "img", "script", "style")
HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": "default-src 'none'; " + "; ".join(f"{kind}-src 'self'" for kind in OWN),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
KINDS: Final = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
PAGES: Final = {"": "lobby.html", "terminal": "terminal.html", "dealer": "dealer.html", "inspector": "inspector.html"}
COMMAND_ID: Final = re.compile(r"[0-9a-f]{32}")
QUEUE: Final = 64
LOBBY_RESULTS: Final = 60
GUEST_CHIPS: Final = 100_000


class Posted(msgspec.Struct, forbid_unknown_fields=True):
    """A command over HTTP: its id, the ticket of who asks, and the command."""

    id: str
    ticket: str
    command: AnyCommand


class Entering(msgspec.Struct, forbid_unknown_fields=True):
    """Somebody enters the demonstration: under a name, in a role, at a table."""

    name: str
    role: str
    table: str


_POSTED = msgspec.json.Decoder(Posted)
_ENTERING = msgspec.json.Decoder(Entering)


def create_app(house: House, planned: tuple[Planned, ...] = (), pace: Pace | None = None) -> FastAPI:
    """The application of a house; its tables are opened when it starts."""

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        for each in planned:
            await house.open(each, pace or Pace())
        yield
        await house.close()

    app = FastAPI(title="croupier", lifespan=running, docs_url=None, redoc_url=None)
    app.state.house = house
    _routes(app, house)
    return app


def _json(answer: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(answer), status, headers=dict(HEADERS), media_type="application/json")


def _no(reason: str, status: int) -> Response:
    return _json({"reason": reason}, status)


def _routes(app: FastAPI, house: House) -> None:
    @app.get("/health")
    async def health() -> Response:
        return _json({"alive": True, "tables": len(house.hosts), "at_ms": clock_ms()})

    @app.get("/api/tables")
    async def tables() -> Response:
        return _json({"demo": house.demo, "tables": [_table(host) for host in house.hosts.values()]})

    @app.post("/api/enter")
    async def enter(request: Request) -> Response:
        if not house.demo:
            return _no("only a demonstration lets people enter without an account", 403)
        try:
            asked = _ENTERING.decode(await request.body())
            ticket = house.ticket(asked.name, asked.role, asked.table)
        except (msgspec.MsgspecError, ValueError) as error:
            return _no(str(error), 422)
        try:
            if asked.role == PLAYER:
                await seat_guest(house.hosts[asked.table], asked.name.strip(), chips=GUEST_CHIPS)
        except Stopped as error:
            return _no(str(error), 503)
        return _json({"ticket": ticket})

    @app.post("/api/tables/{name}/commands")
    async def command(name: str, request: Request) -> Response:
        try:
            posted = _POSTED.decode(await request.body())
            ticket = _admitted(house, posted.ticket, name)
        except (msgspec.MsgspecError, NoTicket) as error:
            return _no(str(error), 403 if isinstance(error, NoTicket) else 422)
        answer = await _done(house.hosts[name], ticket, Do(posted.id, posted.command))
        return _json(answer) if isinstance(answer, Answer) else _no(answer.reason, 422)

    @app.get("/api/tables/{name}/rounds/{number}")
    async def story(name: str, number: int) -> Response:
        if name not in house.hosts:
            return _no(f"unknown table {name!r:.40}", 404)
        return _json(await asyncio.to_thread(_story, house, name, number))

    @app.get("/api/rules/{rule}")
    async def told(rule: str) -> Response:
        rows = inventory.parts(rule)
        if not rows:
            return _no(f"no rule {rule!r:.60}", 404)
        summary = " ".join(row.summary for row in rows)
        return _json({"id": rule, "summary": summary, "others": _others(rule)})

    @app.websocket("/api/tables/{name}/live")
    async def live(socket: WebSocket, name: str) -> None:
        await socket.accept()
        await _watched(house, socket, name)

    @app.get("/first")
    async def first() -> Response:
        return Response(await asyncio.to_thread(_first), headers=dict(HEADERS), media_type="text/html")

    @app.get("/icon.svg")
    async def icon() -> Response:
        return Response(ICON, headers=dict(HEADERS), media_type="image/svg+xml")

    @app.get("/{path:path}")
    async def page(path: str) -> Response:
        return _file(PAGES.get(path, path))


def _story(house: House, name: str, number: int) -> dict[str, Any]:
    """A round as text and line by line, with what its rules say."""
    journal = [decode(line.body) for line in house.store.each_line(name)]
    lines = lines_of(journal, number)
    cited = {rule for line in lines for rule in (line.event.rule, *(move.rule for move in line.event.transfers))}
    return {
        "table": name,
        "round": number,
        "story": explain(journal, number),
        "entries": [
            {"line": line.number, "at_ms": line.at_ms, "by": line.by, "role": line.role}
            | {"type": type(line.event).__name__, "words": say_event(line.event), "rule": line.event.rule}
            | {"transfers": [msgspec.structs.asdict(move) for move in line.event.transfers]}
            for line in lines
        ],
        "rules": {rule: " ".join(row.summary for row in inventory.parts(rule)) for rule in sorted(cited)},
    }


def _others(rule: str) -> list[dict[str, str]]:
    """How other editions say it."""
    found = [row for other in inventory.other_editions(rule) for row in inventory.parts(other)]
    return [{"edition": inventory.edition_of(row.id), "id": row.id, "summary": row.summary} for row in found]


def _table(host: Host) -> dict[str, Any]:
    table = host.shown
    return {
        "name": table.name,
        "game": table.ruleset.game,
        "edition": table.ruleset.edition,
        "version": table.ruleset.version,
        "minimum": table.sign.minimum,
        "maximum": table.sign.maximum,
        "open": table.open,
        "practice": host.practice,
        "round": table.number,
        "players": len(table.players),
        "closes_ms": host.closes_ms,
        "betting": betting(table)["open"],
        "history": results(tuple(host.recent))[-LOBBY_RESULTS:],
    }


@cache
def _first() -> str:
    """The first page, computed when somebody asks for it."""
    return html(compute())


def _file(path: str) -> Response:
    """A file of the web room; names are plain, so that nothing outside it can be asked for."""
    found = files("croupier") / "web" / path
    kind = KINDS.get(path.rpartition(".")[2])
    if kind is None or not re.fullmatch(r"[a-z0-9_-]+\.[a-z]+", path) or not found.is_file():
        return _no(f"nothing here under {path!r:.60}", 404)
    return Response(found.read_bytes(), headers=dict(HEADERS), media_type=kind)


def _admitted(house: House, text: str, table: str) -> Ticket:
    ticket = house.admit(text)
    if ticket.table != table or table not in house.hosts:
        raise NoTicket(f"this ticket is for {ticket.table}, not for {table!r:.40}")
    return ticket


async def _done(host: Host, ticket: Ticket, asked: Do) -> Answer | Sorry:
    if not COMMAND_ID.fullmatch(asked.id):
        return Sorry("a command id is 32 hexadecimal digits")
    try:
        return await host.ask(asked.id, asked.command, by=ticket.name, role=ticket.role)
    except Stopped as error:
        return Sorry(str(error), end=True)


# ---------------------------------------------------------------- watching


async def _watched(house: House, socket: WebSocket, name: str) -> None:
    """One page: who it is, then its commands one after another, while views are sent to it."""
    try:
        first = read(await socket.receive_text())
        if not isinstance(first, Hello):
            raise BadMessage("the first message is Hello, with a ticket")
        ticket = _admitted(house, first.ticket, name)
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
                _put(out, await _done(host, ticket, message))
            case Ping(at=at):
                _put(out, Pong(at))
            case Hello():
                _put(out, Sorry("this page is known already"))
