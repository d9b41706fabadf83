"""The application of a house: its rooms, each a module with routes of its own, and its life.

`/health` says whether the server lives.  A room adds its doors with `routes(app, house)`; the pages come last, because
they answer every other address.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from fastapi import FastAPI, Response

from croupier.floor import pages, tables, watching
from croupier.floor.doors import answer
from croupier.floor.house import House, Planned, clock_ms
from croupier.floor.virtual import Pace

ROOMS: Final[tuple[Callable[[FastAPI, House], None], ...]] = (
    tables.routes,
    watching.routes,
    pages.routes,
)


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

    @app.get("/health")
    async def health() -> Response:
        return answer({"alive": True, "tables": len(house.hosts), "at_ms": clock_ms()})

    for room in ROOMS:
        room(app, house)
    return app
