"""The doors of the house under requests of every kind by everybody: no 5xx, and no answer that is not described.

`http_driver` makes the requests out of `/openapi.json` and says what is wrong with an answer.  This module asks them of
a demonstration in every role and with no ticket at all, and of a house with accounts with nothing, as its manager and
as a player who signed in; then it lets doors answer wrongly, each of which must be found out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from starlette.applications import Starlette
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from croupier.floor.app import DOORS
from croupier.floor.doors.openapi import document
from croupier.floor.keeping.house import House
from croupier.prove import ProofScope as Wanted
from croupier.prove import Tell, Verdict
from croupier.prove.allowance import Allowance
from croupier.prove.http_driver import IN_A_DEMONSTRATION, IN_A_HOUSE, Asker, Viewer, asking, cases_of, fit, opened

EXAMPLES: Final = 40
"""Requests for each operation that fit its description, and as many that do not; each asked by every viewer."""
AT_A_TIME: Final = 8
SHOWN: Final = 20

STUDIES: Final = ("/api/lab/", "/api/rulebook/", "/api/training/")
DOOR: Final = "/health"
JSON: Final = "application/json"
WRONGLY: Final[Mapping[str, Response]] = {
    "a door that fails": Response(b'{"reason": "it fell over"}', 500, media_type=JSON),
    "a status that is not described": Response(b'{"reason": "tea"}', 418, media_type=JSON),
    "a kind that is not described": Response(b"alive", 200, media_type="text/plain"),
    "a field that is not described": Response(
        b'{"alive": true, "tables": 1, "at_ms": 1, "more": 1}', 200, media_type=JSON
    ),
    "a field that is missing": Response(b'{"alive": true, "tables": 1}', 200, media_type=JSON),
}


@dataclass(slots=True)
class DoorsFound:
    """What came of it."""

    operations: int = 0
    requests: int = 0
    viewers: list[str] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    controls: dict[str, bool] = field(default_factory=dict)


def prove(scope: Wanted, tell: Tell) -> Verdict:
    """Ask everything in both houses; then the controls."""
    if scope.game or scope.edition:
        raise ValueError("the proof of the doors has no games and no editions to choose from")
    found = asyncio.run(_proved(scope, tell))
    proved = not found.faults and all(found.controls.values())
    return Verdict(proved, _answer(found, proved=proved), _lines(found))


async def _proved(scope: Wanted, tell: Tell) -> DoorsFound:
    found, examples, time = DoorsFound(), scope.sample or EXAMPLES, scope.time
    with TemporaryDirectory(prefix="croupier-doors-") as folder:
        async with (
            opened(Path(folder, "demo"), demo=True) as (demo, playing),
            opened(Path(folder, "house"), demo=False) as (house, signing),
        ):
            await _asked(found, playing, demo, IN_A_DEMONSTRATION, examples=examples, time=time.share(2), tell=tell)
            await _asked(found, signing, house, IN_A_HOUSE, examples=examples, time=time, tell=tell)
            found.controls = {name: await _caught(demo, said) for name, said in WRONGLY.items()}
    return found


async def _asked(
    found: DoorsFound,
    app: Starlette,
    house: House,
    viewers: tuple[Viewer, ...],
    *,
    examples: int,
    time: Allowance,
    tell: Tell,
) -> None:
    """Every case by every viewer; some for each operation at a time, so that none is left out when the time is over."""
    schema = document(DOORS, demo=house.demo)
    described = schema if house.demo else _of_the_house(schema)
    operations = [name for path in described["paths"].values() for name in path if not name.startswith("x-")]
    found.operations = max(found.operations, len(operations))
    found.viewers += [viewer.name for viewer in viewers]
    async with asking(house, app) as asker:
        turns = [range(examples)[first : first + AT_A_TIME] for first in range(0, examples, AT_A_TIME)]
        name = "a demonstration" if house.demo else "a house"
        for turn in time.each(turns, f"turns of {AT_A_TIME} requests for each operation of {name}"):
            for number, case in enumerate(cases_of(described, examples=len(turn), chance=1 + turn[0])):
                done = turn[0] * len(operations) * 2 + number
                tell(done, len(operations) * examples * 2, f"{case.method} {case.path}")
                table = fit(case, house, asker.random)
                for viewer in viewers:
                    found.faults += filter(None, [await asker.ask(case, viewer, table)])
        _count(found, asker)


def _of_the_house(schema: dict[str, Any]) -> dict[str, Any]:
    """The document without the studies: they are open to all and know nothing of the house, so once is enough."""
    paths = {path: item for path, item in schema["paths"].items() if not path.startswith(STUDIES)}
    return {**schema, "paths": paths}


def _count(found: DoorsFound, asker: Asker) -> None:
    found.requests += asker.asked
    for status, count in asker.statuses.items():
        found.statuses[status] = found.statuses.get(status, 0) + count


async def _caught(house: House, said: Response) -> bool:
    """Whether a wrong answer of one door is found out."""

    async def wrong(scope: Scope, receive: Receive, send: Send) -> None:
        await said(scope, receive, send)

    schema = document(DOORS, demo=house.demo)
    one = {**schema, "paths": {DOOR: schema["paths"][DOOR]}}
    async with asking(house, wrong) as asker:
        found = [await asker.ask(case, Viewer(), "") for case in cases_of(one, examples=1, chance=1)]
        return bool(found) and all(found)


def _answer(found: DoorsFound, *, proved: bool) -> dict[str, object]:
    return {
        "proved": proved,
        "operations": found.operations,
        "requests": found.requests,
        "viewers": found.viewers,
        "statuses": {str(status): count for status, count in sorted(found.statuses.items())},
        "faults": found.faults,
        "controls": found.controls,
    }


def _lines(found: DoorsFound) -> tuple[str, ...]:
    counts = ", ".join(f"{count:,} × {status}" for status, count in sorted(found.statuses.items()))
    return (
        f"{found.requests:,} requests to {found.operations} operations by {len(found.viewers)} viewers: {counts}",
        f"{len(found.faults)} answers were wrong",
        *found.faults[:SHOWN],
        *(f"control: {name}: {'caught' if caught else 'NOT CAUGHT'}" for name, caught in found.controls.items()),
    )
