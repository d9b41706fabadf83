"""The application of a house: the doors of its rooms, what stands before them, and its life.

Every room lists its doors as data (`doors/door.py`).  The pages come last, because they answer every other address.
Before all of them stand the measuring of bodies, the guard, and the page for a person who is refused.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any, Final

from starlette.applications import Starlette

from croupier.floor.doors import live, pages
from croupier.floor.doors.door import AnyDoor, routes
from croupier.floor.doors.guard import Guard
from croupier.floor.doors.intake import take_in
from croupier.floor.doors.openapi import document
from croupier.floor.doors.reasons import Reasons
from croupier.floor.keeping.house import House
from croupier.floor.keeping.planned import Planned
from croupier.floor.rooms.cage import doors as cage
from croupier.floor.rooms.entrance import doors as entrance
from croupier.floor.rooms.entrance import factors
from croupier.floor.rooms.feed import doors as feed
from croupier.floor.rooms.inspector import doors as inspector
from croupier.floor.rooms.inspector import proofs
from croupier.floor.rooms.lab import doors as lab
from croupier.floor.rooms.links import doors as links
from croupier.floor.rooms.rulebook import doors as rulebook
from croupier.floor.rooms.significant import doors as significant
from croupier.floor.rooms.supervisor import doors as supervisor
from croupier.floor.rooms.tables import doors as tables
from croupier.floor.rooms.terminal import doors as terminal
from croupier.floor.rooms.tournament import doors as tournament
from croupier.floor.rooms.training import doors as training
from croupier.floor.rooms.upkeep import doors as upkeep


@cache
def described(*, demo: bool) -> dict[str, Any]:
    """What `/openapi.json` answers: every door of a house with accounts, or of a demonstration."""
    return document(DOORS, demo=demo)


DOORS: Final[tuple[AnyDoor, ...]] = (
    *upkeep.DOORS,
    *upkeep.description(lambda house: described(demo=house.demo)),
    *entrance.DOORS,
    *factors.DOORS,
    *tables.DOORS,
    *live.DOORS,
    *supervisor.DOORS,
    *terminal.DOORS,
    *cage.DOORS,
    *tournament.DOORS,
    *links.DOORS,
    *inspector.DOORS,
    *feed.DOORS,
    *significant.DOORS,
    *proofs.DOORS,
    *lab.DOORS,
    *rulebook.DOORS,
    *training.DOORS,
    *pages.DOORS,
)


def create_app(house: House, planned: tuple[Planned, ...] = ()) -> Starlette:
    """The application of a house; its tables are opened when it starts."""

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        await house.start(planned)
        yield
        await house.close()

    app = Starlette(routes=routes(DOORS, house), lifespan=running)
    take_in(app)
    app.add_middleware(Guard, house=house)
    app.add_middleware(Reasons)
    return app
