"""The odds lab's doors: what can be chosen, sheets of odds, their working, comparisons, and simulations to watch.

Every answer depends on the query alone, in the words of the command line, so that an address is enough to see the same
again.  What takes time is asked of the worker; a simulation comes as lines of JSON, one for each slice, and ends when
whoever watches goes away.  Bad input is answered with 422 and one line, too many questions with 503.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, Final

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.responses import StreamingResponse

from croupier.floor import studies
from croupier.floor.doors import HEADERS, answer, no
from croupier.floor.house import House
from croupier.floor.reckoner import Busy, Reckoner
from croupier.law.model import NotPermitted
from croupier.simulation import MOST_SEED

SIMULATIONS: Final = 2
"""At the same time, in the whole house."""
ROUNDS: Final = 10_000_000
MOST_ROUNDS: Final = 100_000_000
LINES: Final = "application/x-ndjson"


@dataclass(slots=True)
class Lab:
    """The worker, and how many simulations run."""

    reckoner: Reckoner = field(default_factory=Reckoner)
    running: int = 0
    most: int = SIMULATIONS

    def check_room(self) -> None:
        if self.running >= self.most:
            raise Busy(f"{self.most} simulations run already: stop one, or try again when one is over")


def routes(app: FastAPI, _: House) -> None:
    lab = Lab()
    app.state.lab = lab
    _closing(app, lab)

    @app.get("/api/lab/choices")
    async def choices() -> Response:
        return _sent(await asyncio.to_thread(_choices))

    @app.get("/api/lab/sheet")
    async def sheet(request: Request) -> Response:
        return await _reckoned(lambda: _sheet(lab, request))

    @app.get("/api/lab/why")
    async def why(request: Request) -> Response:
        return await _reckoned(lambda: _why(lab, request))

    @app.get("/api/lab/compare")
    async def compare(request: Request) -> Response:
        return await _reckoned(lambda: _compare(lab, request))

    @app.get("/api/lab/par")
    async def par(request: Request) -> Response:
        return await _reckoned(lambda: _par(lab, request))

    @app.get("/api/lab/simulation")
    async def simulation(request: Request) -> Response:
        return await _reckoned(lambda: _simulation(lab, request))


def _closing(app: FastAPI, lab: Lab) -> None:
    """The worker ends with the house."""
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def around(this: Any) -> AsyncIterator[Any]:
        async with inner(this) as state:
            try:
                yield state
            finally:
                await lab.reckoner.close()

    app.router.lifespan_context = around


@cache
def _choices() -> bytes:
    return studies.choices()


def _sent(body: bytes) -> Response:
    return Response(body, headers=dict(HEADERS), media_type="application/json")


async def _reckoned(work: Callable[[], Awaitable[Response]]) -> Response:
    """The answer; or why there is none, in one line."""
    try:
        return await work()
    except NotPermitted as error:
        return answer({"reason": error.reason, "rule": error.rule or None}, 422)
    except ValueError as error:
        return no(str(error), 422)
    except Busy as error:
        busy = no(str(error), 503)
        busy.headers["Retry-After"] = "3"
        return busy


# ---------------------------------------------------------------- sheets


async def _sheet(lab: Lab, request: Request) -> Response:
    choice, _ = studies.read(request.query_params.multi_items())
    return _sent(await lab.reckoner.ask(("sheet", choice), studies.sheet_of, choice))


async def _why(lab: Lab, request: Request) -> Response:
    choice, more = studies.read(request.query_params.multi_items(), "wager")
    wager = more["wager"]
    if not wager:
        raise ValueError("wager names the wager to explain, like banker")
    return _sent(await lab.reckoner.ask(("why", choice, wager), studies.why_of, choice, wager))


async def _compare(lab: Lab, request: Request) -> Response:
    choice, more = studies.read(request.query_params.multi_items(), "with")
    other = studies.other_side(choice, more["with"])
    return _sent(await lab.reckoner.ask(("compare", choice, other), studies.compared, choice, other))


async def _par(lab: Lab, request: Request) -> Response:
    choice, _ = studies.read(request.query_params.multi_items())
    page = await lab.reckoner.ask(("par", choice), studies.par_of, choice)
    # The page carries its own styles, which the policy of this house would not let it use: it is a file to keep.
    name = "-".join(filter(None, ("par", choice.game, choice.edition, choice.version)))
    kept = {**HEADERS, "Content-Disposition": f'attachment; filename="{name}.html"'}
    return Response(page, headers=kept, media_type="text/html")


# ---------------------------------------------------------------- simulations


async def _simulation(lab: Lab, request: Request) -> Response:
    choice, more = studies.read(request.query_params.multi_items(), "rounds", "seed")
    rounds = _whole("rounds", more["rounds"] or str(ROUNDS), range(1, MOST_ROUNDS + 1))
    seed = _whole("seed", more["seed"] or "1", range(MOST_SEED + 1))
    if choice.ranks:
        raise ValueError("ranks: a simulation plays whole shoes, so no cards can be taken out of it")
    lab.check_room()
    lines = _watched(lab, request, choice, rounds, seed)
    return StreamingResponse(lines, headers=dict(HEADERS), media_type=LINES)


def _whole(name: str, word: str, among: range) -> int:
    plain = word.replace("_", "").replace(",", "")
    if not (plain.isascii() and plain.isdigit() and len(plain) <= 20 and int(plain) in among):
        raise ValueError(f"{name} is a whole number from {among[0]} to {among[-1]}: {word!r:.40}")
    return int(plain)


async def _watched(lab: Lab, request: Request, choice: studies.Choice, rounds: int, seed: int) -> AsyncIterator[bytes]:
    """One line for the start, one for each slice, one for the end; nothing more when nobody listens."""
    lab.running += 1
    try:
        if lab.running > lab.most:
            lab.check_room()
        # The kernels take seconds to import, so a house does it when somebody simulates, and beside its tables.
        trials = await asyncio.to_thread(import_module, "croupier.floor.trials")
        played, told = await lab.reckoner.do(trials.begun, choice)
        yield _line("begun", told | {"asked": rounds, "seed": seed})
        while played.tally.rounds < rounds and not await request.is_disconnected():
            played, told = await lab.reckoner.do(trials.more, choice, seed, rounds, played)
            yield _line("played", told)
        yield _line("over", {"rounds": played.tally.rounds})
    except (Busy, ValueError) as error:
        yield _line("failed", {"reason": str(error)})
    finally:
        lab.running -= 1


def _line(kind: str, told: dict[str, Any]) -> bytes:
    return msgspec.json.encode({"type": kind, **told}) + b"\n"
