"""The doors of the tables: the list of them, entering, commands, the story of a round, and what a rule says."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import msgspec
from fastapi import FastAPI, Request, Response

from croupier.floor.doors import answer, no, shown_ticket, ticket_for
from croupier.floor.entrance import NotGiven, ticket_of
from croupier.floor.host import Host
from croupier.floor.house import House, NoTicket, seat_guest, seat_person
from croupier.floor.keeper import Stopped
from croupier.floor.own import own_lines
from croupier.floor.views import betting, results
from croupier.floor.virtual_terminals import take_terminal
from croupier.floor.watching import done
from croupier.floor.wire import Answer, Do
from croupier.law import inventory
from croupier.table.commands import AnyCommand
from croupier.table.events import decode
from croupier.table.explain import explain, lines_of, say_event
from croupier.table.general import PLAYER

LOBBY_RESULTS: Final = 60
GUEST_CHIPS: Final = 100_000
COMMANDS: Final = "POST /api/tables/{name}/commands"


class Posted(msgspec.Struct, forbid_unknown_fields=True):
    """A command over HTTP: its id, the ticket of who asks, the command, and the ticket of a second person, if any."""

    id: str
    ticket: str
    command: AnyCommand
    second: str = ""


class Entering(msgspec.Struct, forbid_unknown_fields=True):
    """Somebody enters in a role, at a table; in the demonstration under any name, else under that of the account."""

    role: str
    table: str
    name: str = ""


_POSTED = msgspec.json.Decoder(Posted)
_ENTERING = msgspec.json.Decoder(Entering)


def routes(app: FastAPI, house: House) -> None:
    @app.get("/api/tables")
    async def tables() -> Response:
        return answer({"demo": house.demo, "tables": [_table(host) for host in house.hosts.values()]})

    @app.post("/api/enter")
    async def enter(request: Request) -> Response:
        try:
            asked = _ENTERING.decode(await request.body())
            return await (_entered(house, asked) if house.demo else _came(house, asked, request))
        except (msgspec.MsgspecError, ValueError) as error:
            return no(str(error), 422)
        except Stopped as error:
            return no(str(error), 503)

    @app.post("/api/tables/{name}/commands")
    async def command(name: str, request: Request) -> Response:
        try:
            posted = _POSTED.decode(await request.body())
            ticket = ticket_for(house, posted.ticket, name, COMMANDS)
            second = house.admit(posted.second) if posted.second else None
        except (msgspec.MsgspecError, NoTicket) as error:
            return no(str(error), 403 if isinstance(error, NoTicket) else 422)
        try:
            told = await done(house, ticket, Do(posted.id, posted.command), second)
        except Stopped as error:
            return no(str(error), 503)
        return answer(told) if isinstance(told, Answer) else no(told.reason, 422)

    @app.get("/api/tables/{name}/rounds/{number}")
    async def story(name: str, number: int, request: Request) -> Response:
        if name not in house.hosts:
            return no(f"unknown table {name!r:.40}", 404)
        player = ""
        if not house.demo:
            ticket = shown_ticket(house, request)
            if ticket.table not in ("", name):
                return no(f"this ticket is for {ticket.table}, not for {name}", 403)
            player = ticket.name if ticket.role == PLAYER else ""
        return answer(await asyncio.to_thread(_story, house, name, number, player))

    @app.get("/api/rules/{rule}")
    async def told(rule: str) -> Response:
        rows = inventory.parts(rule)
        if not rows:
            return no(f"no rule {rule!r:.60}", 404)
        summary = " ".join(row.summary for row in rows)
        return answer({"id": rule, "summary": summary, "others": _others(rule)})


async def _entered(house: House, asked: Entering) -> Response:
    """Somebody enters the demonstration; a player finds chips there, or a terminal with credits."""
    ticket = house.ticket(asked.name, asked.role, asked.table)
    if asked.role == PLAYER and house.hosts[asked.table].table.terminals:
        host = house.hosts[asked.table]
        device, secret = await take_terminal(house.devices, host, asked.name.strip(), cents=GUEST_CHIPS)
        return answer({"ticket": house.give(house.devices.ticket(device)), "name": device.name, "secret": secret})
    if asked.role == PLAYER:
        await seat_guest(house.hosts[asked.table], asked.name.strip(), chips=GUEST_CHIPS)
    return answer({"ticket": ticket})


async def _came(house: House, asked: Entering, request: Request) -> Response:
    """Somebody who is signed in comes to a table, or into the house, in a role of the account."""
    found = house.sessions.of(request)
    if found is None:
        return no("nobody is signed in here: sign in first", 403)
    session, person = found
    ticket = ticket_of(house, person, asked.role, asked.table)
    if isinstance(ticket, NotGiven):
        return no(ticket.reason, 403)
    if asked.role == PLAYER:
        await seat_person(house.hosts[asked.table], person.name)
    return house.sessions.keep(answer({"ticket": ticket, "name": person.name}), session, request)


def _story(house: House, name: str, number: int, player: str = "") -> dict[str, Any]:
    """A round as text and line by line, with what its rules say; of what is others' own, a player is told nothing."""
    journal = [decode(line.body) for line in house.store.each_line(name)]
    if player:
        journal = own_lines(journal, player)
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
        "pool": host.shown_pool,
        "history": results(host.recent, table.records)[-LOBBY_RESULTS:],
    }
