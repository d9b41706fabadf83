"""The doors of the tables: the list of them, entering, commands, the story of a round, and what a rule says."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

import msgspec
from starlette.responses import Response

from croupier.floor.doors import answers as a
from croupier.floor.doors.common import answer, no
from croupier.floor.doors.door import RULE, TABLE, Asked, Door, Parameter
from croupier.floor.doors.live import COMMAND_ID, done
from croupier.floor.doors.permissions import AT_THE_TABLE
from croupier.floor.keeping.credentials.tickets import NoTicket
from croupier.floor.keeping.devices import SHOE, TERMINAL
from croupier.floor.keeping.host import Host
from croupier.floor.keeping.house import House
from croupier.floor.keeping.keeper import new_id
from croupier.floor.rooms.entrance.doors import NotGiven, ticket_of
from croupier.floor.views.board import public_results
from croupier.floor.views.own import own_lines
from croupier.floor.views.rounds import RoundsKept
from croupier.floor.views.story import story as told_story
from croupier.floor.wire import Answer, Do
from croupier.law import inventory
from croupier.law.officials import DEALER, PLAYER, at_least
from croupier.table import commands as c
from croupier.table.commands import AnyCommand

LOBBY_RESULTS: Final = 60
MOST_EXCHANGED: Final = 10_000_000
MOST_CALLS: Final = 60


class TablePosted(msgspec.Struct, forbid_unknown_fields=True):
    """A command over HTTP: its id, the ticket of who asks, the command, and the ticket of a second person, if any."""

    id: str
    ticket: str
    command: AnyCommand
    second: str = ""


class TableEntering(msgspec.Struct, forbid_unknown_fields=True):
    """Somebody enters in a role, at a table; in the demonstration under any name, else under that of the account."""

    role: str
    table: str
    name: str = ""


class Exchanging(msgspec.Struct, forbid_unknown_fields=True):
    """A player of a practice table buys in with so many cents, or cashes out so many less than nothing."""

    id: str
    cents: Annotated[int, msgspec.Meta(ge=-MOST_EXCHANGED, le=MOST_EXCHANGED)]


class Answering(msgspec.Struct, forbid_unknown_fields=True):
    """The call of a player is answered."""

    player: str


class Pausing(msgspec.Struct, forbid_unknown_fields=True):
    """The virtual dealer of a practice table rests, or goes on."""

    paused: bool


async def tables(asked: Asked[None]) -> Response:
    house = asked.house
    # The name of an account is half of what a stranger needs to enter.
    named = house.demo or house.sessions.of(asked.request) is not None
    return answer({"demo": house.demo, "tables": [_table(host, named=named) for host in house.hosts.values()]})


async def enter(asked: Asked[TableEntering]) -> Response:
    return await (_entered(asked.house, asked.body) if asked.house.demo else _came(asked.house, asked))


async def exchange(asked: Asked[Exchanging]) -> Response:
    """Practice credits; what the law of the table refuses is told in the answer, as for every command."""
    house, name, ticket = asked.house, asked.part("name"), asked.ticket
    if ticket.table != name or name not in house.hosts:
        return no(f"this ticket is for {ticket.table or 'the house'}, not for {name!r:.40}", 403)
    host = house.hosts[name]
    if house.practice is None or not host.practice:
        return no("only a practice table has practice credits", 422)
    if not COMMAND_ID.fullmatch(asked.body.id) or asked.body.cents == 0:
        return no("an id of 32 hexadecimal digits and an amount are needed", 422)
    return answer(await house.practice.exchange(host, ticket.name, asked.body.cents, command_id=asked.body.id))


async def call(asked: Asked[None]) -> Response:
    """A player calls for staff: the pages of staff at this table show it until somebody has answered."""
    host = _own_host(asked)
    if asked.ticket.name not in host.calls and len(host.calls) < MOST_CALLS:
        host.calls.append(asked.ticket.name)
        host.show()
    return answer({"calls": len(host.calls)})


async def answered(asked: Asked[Answering]) -> Response:
    """Somebody of the staff has come to a player who called."""
    host = _own_host(asked)
    if asked.body.player in host.calls:
        host.calls.remove(asked.body.player)
        host.show()
    return answer({"calls": len(host.calls)})


def _own_host(asked: Asked[Any]) -> Host:
    """The table of the path, which the ticket must be for."""
    name, ticket = asked.part("name"), asked.ticket
    if ticket.table != name or name not in asked.house.hosts:
        raise NoTicket(f"this ticket is for {ticket.table or 'the house'}, not for {name!r:.40}")
    return asked.house.hosts[name]


async def pause(asked: Asked[Pausing]) -> Response:
    """Whoever deals at a practice table lets the virtual dealer rest and deals, or lets it go on."""
    host = _own_host(asked)
    if not host.virtual:
        return no("no virtual dealer deals here", 422)
    host.virtual = "paused" if asked.body.paused else "virtual"
    host.closes_ms = host.opens_ms = host.choice_ms = 0
    host.show()
    return answer({"deals": host.virtual})


async def command(asked: Asked[TablePosted]) -> Response:
    house, posted = asked.house, asked.body
    ticket = asked.ticket_in(posted.ticket, asked.part("name"))
    second = house.admit(posted.second) if posted.second else None
    outcome = await done(house, ticket, Do(posted.id, posted.command), second)
    return answer(outcome) if isinstance(outcome, Answer) else no(outcome.reason, 422)


async def story(asked: Asked[None]) -> Response:
    house, name, number = asked.house, asked.part("name"), asked.whole("number")
    if name not in house.hosts:
        return no(f"unknown table {name!r:.40}", 404)
    player = ""
    # In a demonstration nothing need be shown; but who shows a player's ticket is told what a player may see.
    if not house.demo or asked.request.headers.get("authorization", "").partition(" ")[2]:
        ticket = asked.ticket
        if ticket.table not in ("", name):
            return no(f"this ticket is for {ticket.table or 'the house'}, not for {name}", 403)
        player = ticket.name if ticket.role == PLAYER else ""
    stories, rounds = house.keep(_Stories, _Stories), house.keep(RoundsKept, RoundsKept)
    async with stories.turn:
        return answer(await asyncio.to_thread(_story, house, rounds, name, number, player))


async def rule(asked: Asked[None]) -> Response:
    wanted = asked.part("rule")
    rows = inventory.parts(wanted)
    if not rows:
        return no(f"no rule {wanted!r:.60}", 404)
    return answer({"id": wanted, "summary": " ".join(row.summary for row in rows), "others": _others(wanted)})


async def _entered(house: House, asked: TableEntering) -> Response:
    """Somebody enters the demonstration; a player finds chips there, or a terminal with credits."""
    ticket = house.ticket(asked.name, asked.role, asked.table)
    found = await _received(house, asked.table, asked.name.strip()) if asked.role == PLAYER else None
    return answer(found or {"ticket": ticket})


async def _received(house: House, table: str, name: str) -> dict[str, str] | None:
    """What somebody is given who comes to play at a practice table of terminals; elsewhere nothing beside a seat."""
    if house.practice is None:
        return None
    found = await house.practice.receive(house, house.hosts[table], name)
    if found is None:
        return None
    device, secret, acceptor = found
    ticket = house.give(house.devices.ticket(device))
    return {"ticket": ticket, "name": device.name, "secret": secret, "acceptor": acceptor}


async def _came(house: House, asked: Asked[TableEntering]) -> Response:
    """Somebody who is signed in comes to a table, or into the house, in a role of the account."""
    found, body = house.sessions.of(asked.request), asked.body
    if found is None:
        return no("nobody is signed in here: sign in first", 403)
    session, person = found
    ticket = ticket_of(house, person, body.role, body.table)
    if isinstance(ticket, NotGiven):
        return no(ticket.reason, 403)
    admission = {"ticket": ticket, "name": person.name}
    if body.role == PLAYER and house.hosts[body.table].practice:
        admission = await _received(house, body.table, person.name) or admission
    elif body.role == PLAYER:
        await _seated(house.hosts[body.table], person.name)
    return house.sessions.keep(answer(admission), session, asked.request)


async def _seated(host: Host, name: str) -> None:
    """Somebody with an account takes the first seat that is free, if the table lets them; money is another matter."""
    if name not in host.table.players:
        await host.ask(new_id(), c.Sit(name, host.free_seat), by=name, role=PLAYER)


class _Stories:
    """One story is read at a time: whoever asks for many waits, and holds up no other work of the house."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()


def _story(house: House, rounds: RoundsKept, name: str, number: int, player: str = "") -> dict[str, Any]:
    """A round as text and as data, with what its rules say; of what is others' own, a player is told nothing.

    The table is looked at before its lines are read: a round that began since is one that it does not know yet.
    """
    table = house.hosts[name].shown
    lines = rounds.lines(house.store, name, number)
    if player:
        lines = own_lines(lines, player, table, now=number, before=rounds.raised_by(name, player))
    return told_story(table, lines, number, felt=not player)


def _others(rule: str) -> list[dict[str, str]]:
    """How other editions say it."""
    found = [row for other in inventory.other_editions(rule) for row in inventory.parts(other)]
    return [{"edition": inventory.edition_of(row.id), "id": row.id, "summary": row.summary} for row in found]


def _table(host: Host, *, named: bool) -> dict[str, Any]:
    """A table of the lobby; `named`: with the name of its dealer."""
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
        "deals": host.deals,
        "dealer": host.dealer if named else "",
        "round": table.number,
        "players": len(table.players),
        "closes_ms": host.closes_ms,
        "betting": host.kept.offers.betting(table).state != "closed",
        "pool": host.shown_pool,
        "history": public_results(table, host.recent)[-LOBBY_RESULTS:],
    }


DOORS: Final = (
    Door("GET /api/tables", tables, "tables", "The tables of the house, with their last results.", a.ListedTables),
    Door(
        "GET /api/rules/{rule}",
        rule,
        "tables",
        "What a rule says, in our own words.",
        a.SaidRule,
        parameters=(RULE,),
        ends=(404,),
    ),
    Door(
        "POST /api/enter",
        enter,
        "people",
        "Get a ticket for a role, at a table or in the house.",
        a.Entered,
        shown="session",
        demo="nothing",
        body=TableEntering,
        ends=(503,),
    ),
    Door(
        "POST /api/tables/{name}/credits",
        exchange,
        "tables",
        "Practice credits: buy in, or cash out an amount below nothing.",
        Answer,
        shown="ticket",
        roles=frozenset({PLAYER}),
        devices=frozenset({TERMINAL}),
        parameters=(TABLE,),
        body=Exchanging,
        ends=(503,),
        says="Only at a practice table; the same id again exchanges once and has the same answer.",
    ),
    Door(
        "POST /api/tables/{name}/call",
        call,
        "tables",
        "A player calls for staff.",
        a.CallsOpen,
        shown="ticket",
        roles=frozenset({PLAYER}),
        devices=frozenset({TERMINAL}),
        parameters=(TABLE,),
    ),
    Door(
        "POST /api/tables/{name}/answered",
        answered,
        "tables",
        "The call of a player is answered.",
        a.CallsOpen,
        shown="ticket",
        roles=at_least(DEALER),
        parameters=(TABLE,),
        body=Answering,
    ),
    Door(
        "POST /api/tables/{name}/virtual",
        pause,
        "tables",
        "Pause the virtual dealer of a practice table, or let it go on.",
        a.WhoDeals,
        shown="ticket",
        roles=at_least(DEALER),
        parameters=(TABLE,),
        body=Pausing,
    ),
    Door(
        "POST /api/tables/{name}/commands",
        command,
        "tables",
        "Ask a command of a table.",
        Answer,
        shown="inside",
        devices=frozenset({TERMINAL, SHOE}),
        parameters=(TABLE,),
        body=TablePosted,
        ends=(503,),
        says="The same id again has one effect and the same answer; an id is 32 hexadecimal digits.  What the rules "
        "refuse is answered with 200 and `done` false.  The ticket is in the body.",
    ),
    Door(
        "GET /api/tables/{name}/rounds/{number}",
        story,
        "tables",
        "The story of a round.",
        a.Story,
        shown="ticket",
        demo="nothing",
        roles=AT_THE_TABLE,
        devices=frozenset({TERMINAL}),
        parameters=(TABLE, Parameter("number", "The number of a round.", {"type": "integer"}, "path")),
        ends=(404, 422),
    ),
)
