"""The doors of the tournaments: the list, one tournament, beginning one, and its commands.

Everybody of the house may read conditions, draw, places and prizes; in a house with accounts that is whoever is signed
in.  A command travels as `{"id", "command"}`, decided like those of a table: the same id again has one effect and the
same answer.  Who may ask what is the business of the law (`house/tournament/decide.py`): the operator's officials, the
director in person, dealers for hands and seats, players for themselves.

What a command says of chance and of qualifications is never believed; `keeping/contests.py` puts what the house draws
and knows in its place, and holds the tables that a round has for itself.
"""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec
from starlette.responses import Response

from croupier.floor.doors.common import answer, no
from croupier.floor.doors.door import TEXT, Asked, Door, Parameter
from croupier.floor.doors.permissions import DEALERS, SENIORS
from croupier.floor.keeping.clock import clock_ms
from croupier.floor.keeping.contests import NoTournament
from croupier.floor.keeping.house import House
from croupier.floor.keeping.keeper import Keeper
from croupier.floor.rooms.tournament import answers as t
from croupier.floor.rooms.tournament.views import LINES, contest_view, listed, with_lines
from croupier.floor.wire import Answer
from croupier.house.tournament import messages as m
from croupier.house.tournament.state import Tournament
from croupier.law.officials import PLAYER

NAME: Final = Parameter("name", "The tournament.", TEXT, "path")


class Beginning(msgspec.Struct, forbid_unknown_fields=True):
    """A new tournament under an id that the page made: its name, and who is appointed to direct it."""

    id: str
    name: str
    director: str
    qualified_as: str = ""


class TournamentPosted(msgspec.Struct, forbid_unknown_fields=True):
    """A command over HTTP, under an id that the page made."""

    id: str
    command: m.AnyCommand


async def contests(asked: Asked[None]) -> Response:
    house = asked.house
    await house.contests.discover()
    return answer(listed(await _all(house), house.hosts, at_ms=clock_ms(), demo=house.demo))


async def contest(asked: Asked[None]) -> Response:
    try:
        keeper = await asked.house.contests.of(asked.part("name"))
    except NoTournament as error:
        return no(str(error), 404)
    return answer(await _view(asked.house, keeper))


async def begin(asked: Asked[Beginning]) -> Response:
    ticket, new = asked.ticket, asked.body
    what = m.AppointDirector(new.director, new.qualified_as)
    begun = await asked.house.contests.begin(new.id, new.name, what, by=ticket.name, role=ticket.role)
    return answer(begun)


async def command(asked: Asked[TournamentPosted]) -> Response:
    ticket, posted, name = asked.ticket, asked.body, asked.part("name")
    try:
        done = await asked.house.contests.ask(posted.id, name, posted.command, by=ticket.name, role=ticket.role)
    except NoTournament as error:
        return no(str(error), 404)
    return answer(done)


async def _all(house: House) -> list[Tournament]:
    """Every tournament as far as it is durable."""
    for keeper in house.contests.keepers():
        if not keeper.owned:
            await keeper.follow()
    return [keeper.shown for keeper in house.contests.known.values()]


async def _view(house: House, keeper: Keeper[Tournament]) -> object:
    this = keeper.shown
    view = contest_view(this, await _all(house), house.hosts, at_ms=clock_ms(), demo=house.demo)
    first = max(1, this.entries - LINES + 1)
    lines = await asyncio.to_thread(house.store.lines, keeper.name, first, LINES)
    return with_lines(view, (m.decode(line.body) for line in lines))


DOORS: Final = (
    Door(
        "GET /api/tournaments",
        contests,
        "tournaments",
        "The tournaments of the house.",
        t.ListedContests,
        shown="session",
        demo="nothing",
    ),
    Door(
        "GET /api/tournaments/{name}",
        contest,
        "tournaments",
        "A tournament: its conditions, what is due, draw, places and prizes.",
        t.ContestView,
        shown="session",
        demo="nothing",
        parameters=(NAME,),
        ends=(404,),
    ),
    Door(
        "POST /api/tournaments",
        begin,
        "tournaments",
        "Begin a tournament by appointing its director.",
        Answer,
        shown="ticket",
        roles=SENIORS,
        body=Beginning,
        ends=(404, 503),
        says="The same id again has one effect and the same answer.  In a house with accounts the office of the "
        "director is what the account says.",
    ),
    # Who may ask which command is decided by the law of tournaments.
    Door(
        "POST /api/tournaments/{name}/commands",
        command,
        "tournaments",
        "Ask a command of a tournament.",
        Answer,
        shown="ticket",
        roles=DEALERS | {PLAYER},
        parameters=(NAME,),
        body=TournamentPosted,
        ends=(404, 503),
        says="The same id again has one effect and the same answer.  Seats and ties are drawn by the house, in the "
        "place of whatever was sent; what the rules refuse is answered with 200 and `done` false.",
    ),
)
