"""The doors of the tournaments: the list, one tournament, beginning one, and its commands.

Everybody of the house may read conditions, draw, places and prizes; in a house with accounts that is whoever is signed
in.  A command travels as `{"id", "command"}`, decided like those of a table: the same id again has one effect and the
same answer.  Who may ask what is the law's business (`house/tournament.py`): the operator's officials, the director in
person, dealers for hands and seats, players for themselves.

What a command says of chance and of qualifications is never believed; `contest_keeping.py` puts what the house draws
and knows in its place, and holds the tables that a round has for itself.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import msgspec
from fastapi import FastAPI, Request, Response

from croupier.floor.appends import BadAppend
from croupier.floor.contest_keeping import NotAskable, NoTournament
from croupier.floor.contest_views import LINES, listed, told, with_lines
from croupier.floor.doors import answer, no, shown_ticket
from croupier.floor.house import House, NoTicket, clock_ms
from croupier.floor.keeper import Keeper, Stopped
from croupier.house import tournament_messages as m
from croupier.house.tournament_state import Tournament

LIST: Final = "/api/tournaments"


class Beginning(msgspec.Struct, forbid_unknown_fields=True):
    """A new tournament under an id that the page made: its name, and who is appointed to direct it."""

    id: str
    name: str
    director: str
    qualified_as: str = ""


class Posted(msgspec.Struct, forbid_unknown_fields=True):
    """A command over HTTP, under an id that the page made."""

    id: str
    command: m.AnyCommand


_BEGINNING = msgspec.json.Decoder(Beginning)
_POSTED = msgspec.json.Decoder(Posted)


def routes(app: FastAPI, house: House) -> None:
    @app.get(LIST)
    async def contests() -> Response:
        await house.contests.discover()
        these = await _all(house)
        return answer(listed(these, house.hosts, at_ms=clock_ms(), demo=house.demo))

    @app.get("/api/tournaments/{name}")
    async def contest(name: str) -> Response:
        try:
            keeper = await house.contests.of(name)
        except NoTournament as error:
            return no(str(error), 404)
        return answer(await _view(house, keeper))

    @app.post(LIST)
    async def begin(request: Request) -> Response:
        return await _safely(_begun(house, request))

    @app.post("/api/tournaments/{name}/commands")
    async def command(name: str, request: Request) -> Response:
        return await _safely(_asked(house, name, request))


async def _safely(work: Any) -> Response:
    """The answer; what cannot be asked, and a journal that cannot be written, are one line."""
    try:
        return answer(await work)
    except NoTicket as error:
        return no(str(error), 403)
    except NoTournament as error:
        return no(str(error), 404)
    except (msgspec.MsgspecError, BadAppend, NotAskable) as error:
        return no(str(error), 422)
    except Stopped as error:
        return no(str(error), 503)


async def _begun(house: House, request: Request) -> object:
    ticket = shown_ticket(house, request)
    asked = _BEGINNING.decode(await request.body())
    what = m.AppointDirector(asked.director, asked.qualified_as)
    return await house.contests.begin(asked.id, asked.name, what, by=ticket.name, role=ticket.role)


async def _asked(house: House, name: str, request: Request) -> object:
    ticket = shown_ticket(house, request)
    posted = _POSTED.decode(await request.body())
    return await house.contests.ask(posted.id, name, posted.command, by=ticket.name, role=ticket.role)


async def _all(house: House) -> list[Tournament]:
    """Every tournament as far as it is durable."""
    for keeper in house.contests.keepers():
        if not keeper.owned:
            await keeper.follow()
    return [keeper.shown for keeper in house.contests.known.values()]


async def _view(house: House, keeper: Keeper[Tournament]) -> object:
    this = keeper.shown
    view = told(this, await _all(house), house.hosts, at_ms=clock_ms(), demo=house.demo)
    first = max(1, this.entries - LINES + 1)
    lines = await asyncio.to_thread(house.store.lines, keeper.name, first, LINES)
    return with_lines(view, (m.decode(line.body) for line in lines))
