"""The application of a house: its rooms, each a module with routes of its own, and its life.

`/health` says whether the server lives.  A room adds its doors with `routes(app, house)`; the pages come last, because
they answer every other address.  Every door is in the permission table and in `described.py`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from fastapi import FastAPI, Response

from croupier.floor import (
    cage_desk,
    contests,
    device_doors,
    entrance,
    inspecting,
    lab,
    links,
    metrics,
    pages,
    rulebook,
    supervising,
    tables,
    training,
    watching,
)
from croupier.floor.described import DESCRIBED
from croupier.floor.doors import answer
from croupier.floor.guard import Guard
from croupier.floor.house import House, Planned, clock_ms
from croupier.floor.intake import take_in
from croupier.floor.openapi import describe
from croupier.floor.peers import listen
from croupier.floor.reasons import Reasons
from croupier.floor.virtual import Pace

ROOMS: Final[tuple[Callable[[FastAPI, House], None], ...]] = (
    entrance.routes,
    metrics.routes,
    tables.routes,
    watching.routes,
    device_doors.routes,
    supervising.routes,
    cage_desk.routes,
    contests.routes,
    links.routes,
    lab.routes,
    rulebook.routes,
    training.routes,
    inspecting.routes,
    pages.routes,
)


def create_app(house: House, planned: tuple[Planned, ...] = (), pace: Pace | None = None) -> FastAPI:
    """The application of a house; its tables are opened when it starts."""

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        await house.start(planned, pace or Pace())
        yield
        await house.close()

    app = FastAPI(title="croupier", lifespan=running, docs_url=None, redoc_url=None)
    app.state.house = house
    take_in(app)
    app.add_middleware(Guard, house=house)
    app.add_middleware(Reasons)
    describe(app, DESCRIBED, demo=house.demo)

    @app.get("/health")
    async def health() -> Response:
        return answer({"alive": True, "tables": len(house.hosts), "at_ms": clock_ms()})

    listen(app, house.secret, house.keeper)
    for room in ROOMS:
        room(app, house)
    return app
