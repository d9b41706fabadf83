"""The odds lab's doors: what can be chosen, sheets of odds, their working, comparisons, and simulations to watch.

Every answer depends on the query alone, in the words of the command line, so that an address is enough to see the same
again.  What takes time is asked of the worker; a simulation comes as lines of JSON, one for each slice, and ends when
whoever watches goes away.  Bad input is answered with 422 and one line, too many questions with 503.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from croupier.floor.doors.bounds import Busy
from croupier.floor.doors.common import HEADERS
from croupier.floor.doors.door import HTML, WORD, Asked, Door, Media, Parameter, Schema, whole
from croupier.floor.keeping.house import House
from croupier.floor.rooms.lab import answers as s
from croupier.floor.rooms.lab import studies
from croupier.floor.rooms.lab.plays import StrategyShown
from croupier.floor.rooms.lab.reckoner import Reckoner
from croupier.games import GAMES
from croupier.law.editions import EDITIONS
from croupier.simulation import MOST_SEED

SIMULATIONS: Final = 2
"""At the same time, in the whole house."""
ROUNDS: Final = 10_000_000
MOST_ROUNDS: Final = 100_000_000
LINES: Final = "application/x-ndjson"
GAME: Final[Schema] = {"type": "string", "enum": list(GAMES)}
EDITION: Final[Schema] = {"type": "string", "enum": list(EDITIONS)}


@dataclass(slots=True)
class Lab:
    """The workers, one for what takes long and one for what is read, and how many simulations run."""

    reckoner: Reckoner = field(default_factory=Reckoner)
    reader: Reckoner = field(default_factory=lambda: Reckoner(waiting=64))
    running: int = 0
    most: int = SIMULATIONS

    def check_room(self) -> None:
        if self.running >= self.most:
            raise Busy(f"{self.most} simulations run already: stop one, or try again when one is over")


def lab_of(house: House) -> Lab:
    """The lab of a house; its worker ends with the house."""

    def made() -> Lab:
        lab = Lab()
        house.at_end += [lab.reckoner.close, lab.reader.close]
        return lab

    return house.keep(Lab, made)


async def choices(_: Asked[None]) -> Response:
    return _sent(await asyncio.to_thread(_choices))


@cache
def _choices() -> bytes:
    return studies.choices()


def _sent(body: bytes) -> Response:
    return Response(body, headers=dict(HEADERS), media_type="application/json")


# ---------------------------------------------------------------- sheets


async def sheet(asked: Asked[None]) -> Response:
    choice, _ = studies.read(asked.request.query_params.multi_items())
    return _sent(await lab_of(asked.house).reckoner.ask(("sheet", choice), studies.sheet_of, choice))


async def why(asked: Asked[None]) -> Response:
    choice, more = studies.read(asked.request.query_params.multi_items(), "wager")
    wager = more["wager"]
    if not wager:
        raise ValueError("wager names the wager to explain, like banker")
    return _sent(await lab_of(asked.house).reckoner.ask(("why", choice, wager), studies.why_of, choice, wager))


async def strategy(asked: Asked[None]) -> Response:
    choice, _ = studies.read(asked.request.query_params.multi_items())
    return _sent(await lab_of(asked.house).reckoner.ask(("strategy", choice), studies.strategy_of, choice))


async def compare(asked: Asked[None]) -> Response:
    choice, more = studies.read(asked.request.query_params.multi_items(), "with")
    other = studies.other_side(choice, more["with"])
    return _sent(await lab_of(asked.house).reckoner.ask(("compare", choice, other), studies.compared, choice, other))


async def par(asked: Asked[None]) -> Response:
    choice, _ = studies.read(asked.request.query_params.multi_items())
    page = await lab_of(asked.house).reckoner.ask(("par", choice), studies.par_of, choice)
    # The page carries its own styles, which the policy of this house would not let it use: it is a file to keep.
    name = "-".join(filter(None, ("par", choice.game, choice.edition, choice.version)))
    kept = {**HEADERS, "Content-Disposition": f'attachment; filename="{name}.html"'}
    return Response(page, headers=kept, media_type="text/html")


# ---------------------------------------------------------------- simulations


async def simulation(asked: Asked[None]) -> Response:
    choice, more = studies.read(asked.request.query_params.multi_items(), "rounds", "seed")
    rounds = _whole("rounds", more["rounds"] or str(ROUNDS), range(1, MOST_ROUNDS + 1))
    seed = _whole("seed", more["seed"] or "1", range(MOST_SEED + 1))
    if choice.ranks:
        raise ValueError("ranks: a simulation plays whole shoes, so no cards can be taken out of it")
    lab = lab_of(asked.house)
    lab.check_room()
    lines = _watched(lab, asked.request, choice, rounds, seed)
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
        trials = await asyncio.to_thread(import_module, "croupier.floor.rooms.lab.trials")
        played, report = await lab.reckoner.do(trials.begun, choice)
        yield _line("begun", report | {"asked": rounds, "seed": seed})
        while played.tally.rounds < rounds and not await request.is_disconnected():
            played, report = await lab.reckoner.do(trials.more, choice, seed, rounds, played)
            yield _line("played", report)
        yield _line("over", {"rounds": played.tally.rounds})
    except (Busy, ValueError) as error:
        yield _line("failed", {"reason": str(error)})
    finally:
        lab.running -= 1


def _line(kind: str, body: dict[str, Any]) -> bytes:
    return msgspec.json.encode({"type": kind, **body}) + b"\n"


RULES_OF_A_GAME: Final = (
    Parameter("game", "The game.", GAME, required=True),
    Parameter("edition", "The edition; the first that knows the game, if none is named.", EDITION),
    Parameter("version", "The version of the game.", WORD),
    Parameter("decks", "How many decks.", WORD),
    Parameter("ranks", "13 counts of cards, A to K, instead of a whole shoe.", WORD),
    Parameter("pool", "The jackpot's pool, in cents.", WORD),
    Parameter("stake", "The jackpot's stake, in cents.", WORD),
    Parameter("quick", "Leave out what takes seconds, unless it is empty or 0.", WORD),
    Parameter("elect", "An election, NAME or NAME=VALUE; may be repeated.", {"type": "array", "items": WORD}),
    Parameter("reading", "A reading, NAME=VALUE; may be repeated.", {"type": "array", "items": WORD}),
)


def _door(name: str, handler: Callable[[Asked[None]], Awaitable[Response]], summary: str, kind: Any) -> Door:
    """A door of the lab; what it takes beside the rules of a game is in `MORE`."""
    further = MORE.get(name, ())
    parameters = (*RULES_OF_A_GAME, *further)
    return Door(f"GET /api/lab/{name}", handler, "lab", summary, kind, parameters=parameters, ends=(422, 503))


MORE: Final[Mapping[str, tuple[Parameter, ...]]] = {
    "why": (Parameter("wager", "The wager, like banker.", WORD),),
    "compare": (Parameter("with", "The second edition, like vic2002/crown,decks=6.", WORD),),
    "simulation": (
        Parameter("rounds", "How many rounds.", whole(MOST_ROUNDS, 1)),
        Parameter("seed", "The seed.", whole(MOST_SEED, 0)),
    ),
}

DOORS: Final = (
    Door("GET /api/lab/choices", choices, "lab", "What there is to choose.", s.LabChoices),
    _door("sheet", sheet, "The odds of every wager.", s.OddsSheet),
    _door("why", why, "How the edge of one wager comes about.", s.Working),
    _door("strategy", strategy, "How the game is best played, where a player decides anything.", StrategyShown),
    _door("compare", compare, "Two rule sets side by side.", s.ComparisonShown),
    _door("par", par, "The sheet as a page to keep.", HTML),
    _door(
        "simulation",
        simulation,
        "A simulation to watch: lines of JSON, `begun`, `played` for each slice, then `over` or `failed`.",
        Media((LINES,)),
    ),
)
