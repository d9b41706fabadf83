"""What the proof of the doors is made of: houses, viewers, cases, asking, and what is wrong with an answer.

Theory of operation.  schemathesis makes requests out of `/openapi.json`, such as fit it and such as do not.  By
themselves these hardly get past the first check: nobody guesses a ticket.  So each is fitted to the house, by chance
but always the same: a table that exists, an id as it should be, a wager that is on offer.  Every viewer then asks it
with what that viewer has to show.  An answer is wrong if it is a 5xx, or of a status, a kind or a form that the
description does not have.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

import httpx
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy
from schemathesis import Case, GenerationMode
from schemathesis.checks import CheckFunction, not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.applications import Starlette
from starlette.types import ASGIApp

from croupier.floor.app import create_app
from croupier.floor.keeping.accounts import Hashing
from croupier.floor.keeping.credentials.sessions import COOKIE, TOKEN
from croupier.floor.keeping.credentials.tickets import Ticket
from croupier.floor.keeping.house import House, open_house
from croupier.floor.keeping.planned import Planned
from croupier.floor.practice.dealer import Pace
from croupier.floor.practice.demonstration import SIGN, TABLES
from croupier.floor.practice.room import practise
from croupier.house.people.decide import CONSOLE
from croupier.house.people.messages import MakeAccount
from croupier.law.officials import CASINO_MANAGER, INSPECTOR, PLAYER, ROLES

AnyCase: TypeAlias = Case[Any]
HERE: Final = "http" + "://127.0.0.1"
SECONDS: Final = 240
CHECKS: Final[tuple[CheckFunction, ...]] = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)
WITH_ACCOUNTS: Final = (Planned("EB-1", "nzeb", "baccarat", "terminals", SIGN),)

LIKELY: Final[Mapping[str, tuple[Any, ...]]] = {
    # Parts of a path.
    "number": (0, 1, 2),
    "rule": ("NZD5-8.4", "nz1996-ii-3.1", "NZEB-3.4"),
    "path": ("terminal", "cage", "lobby.html", "cage.js", "tokens.css", f"{'a' * 300}.css"),
    # Parts of a query; what takes long to reckon is left to other proofs.
    "game": ("roulette", "baccarat", "tai_sai", "money_wheel"),
    "wager": ("red", "banker", "small", "A"),
    "with": ("nz1998", "vic2002/crown", "nz1996"),
    "words": ("tie", "no more bets"),
    "from": (0, 60),
    "before": ("nz1996",),
    "after": ("nz1998",),
    "shift": (0, 1),
    # Parts of a command.
    "player": ("Ann", "Gus", "Terminal 1", "Dee", "a\0b"),
    "on": ("banker", "player", "red"),
    "amount": (1_000, 2_500),
    "role": ROLES,
    "terminal": ("Terminal 1", "Terminal 2"),
    "card": ("2h", "Kc"),
    "fact": ("2h", "17"),
}
ALWAYS: Final = {"game", "rounds", "quick"}
"""What would take long otherwise."""


# ---------------------------------------------------------------- houses


@asynccontextmanager
async def opened(folder: Path, *, demo: bool) -> AsyncIterator[tuple[House, Starlette]]:
    """A house that plays, or one with accounts, and a person for each role."""
    folder.mkdir()
    house = open_house(f"sqlite:///{folder}/house.db", folder / "key", demo=demo, hashing=Hashing(1, 64, 1))
    if demo:
        practise(house, Pace(3.0, 0.3, 0.1))
    app = create_app(house, TABLES if demo else WITH_ACCOUNTS)
    async with app.router.lifespan_context(app):
        for role in ROLES if house.accounts is not None else ():
            assert house.accounts is not None
            what = MakeAccount(name_of(role), (role,), "no verifier", must_change=False)
            await house.accounts.ask(what, by=CONSOLE, role=CONSOLE)
        yield house, app


def name_of(role: str) -> str:
    # Ann has a seat and chips in the demonstration.
    return "Ann" if role == PLAYER else f"the {role}"


# ---------------------------------------------------------------- viewers


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who asks: nobody, or somebody in a role, with a session or with tickets alone."""

    role: str = ""
    session: bool = False

    @property
    def name(self) -> str:
        return f"{self.role or 'nobody'}{' with a session' if self.session else ''}"

    def ticket(self, house: House, table: str) -> str:
        """A ticket that is good now: signing out ends those before."""
        if not self.role:
            return ""
        return house.give(Ticket(name_of(self.role), self.role, table, self._epoch(house)))

    def headers(self, house: House, table: str) -> dict[str, str]:
        shown = {"Authorization": f"Ticket {self.ticket(house, table)}"} if self.role else {}
        if not self.session or house.accounts is None:
            return shown
        person = house.accounts.people.find(name_of(self.role))
        assert person is not None
        session = house.sessions.begin(person)
        text = house.sessions.signer.dumps([session.name, session.epoch, session.began_ms, session.chance])
        return shown | {"Origin": HERE, "Cookie": f"{COOKIE}={text}", TOKEN: house.sessions.token(session)}

    def _epoch(self, house: House) -> int:
        person = house.accounts.people.find(name_of(self.role)) if house.accounts is not None else None
        return person.epoch if person is not None else 0


IN_A_DEMONSTRATION: Final = (Viewer(), *map(Viewer, ROLES))
IN_A_HOUSE: Final = (Viewer(), Viewer(CASINO_MANAGER, session=True), Viewer(PLAYER, session=True))


# ---------------------------------------------------------------- cases


def cases_of(document: dict[str, Any], *, examples: int, chance: int) -> Iterator[AnyCase]:
    """So many requests for each operation that fit the description, and as many that do not."""
    schema = schemathesis.openapi.from_dict(document)
    for found in schema.get_all_operations():
        if not isinstance(found, Ok):
            raise found.err()
        operation = found.ok()
        yield from _made(operation, GenerationMode.POSITIVE, examples, chance)
        # What takes nothing, or any word, cannot be asked wrongly.
        if operation.body or any(each.definition["schema"] != {"type": "string"} for each in _asked(operation)):
            yield from _made(operation, GenerationMode.NEGATIVE, examples, chance)


def _asked(operation: Any) -> Iterator[Any]:
    yield from operation.path_parameters
    yield from operation.query


def _made(operation: Any, mode: GenerationMode, examples: int, chance: int) -> list[AnyCase]:
    made: list[AnyCase] = []

    def keep(case: AnyCase) -> None:
        made.append(case)

    usual = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    strategy: SearchStrategy[AnyCase] = operation.as_strategy(generation_mode=mode)
    run: Callable[[], None] = seed(chance)(usual(given(strategy)(keep)))
    try:
        run()
    except Unsatisfiable:
        return []
    return made


def fit(case: AnyCase, house: House, random: Random) -> str:
    """Put what this house knows into a request, here and there; answers with the table that it is about."""
    table = random.choice(list(house.hosts))
    known = {**LIKELY, "table": (table,), "name": (table,), "rounds": (1, 500), "quick": (1,)}
    for given_in, wanted in ((case.path_parameters, 0.8), (case.query, 0.5)):
        _put(given_in, known, random, wanted)
    if "/lab/" in case.path:
        case.query |= {name: random.choice(known[name]) for name in ALWAYS if name != "rounds" or "sim" in case.path}
        if random.random() < 0.7:
            case.query = {name: value for name, value in case.query.items() if name in {*ALWAYS, "wager", "with"}}
    if isinstance(case.body, dict):
        _put(case.body, known | {"id": (f"{random.getrandbits(128):032x}",)}, random, 0.8)
        if isinstance(case.body.get("command"), dict):
            _put(case.body["command"], known, random, 0.6)
    named = (case.path_parameters or {}).get("name")
    return named if isinstance(named, str) and named in house.hosts else table


def _put(into: Any, known: Mapping[str, tuple[Any, ...]], random: Random, wanted: float) -> None:
    for name in list(into or ()):
        if name in known and random.random() < wanted:
            into[name] = random.choice(known[name])


# ---------------------------------------------------------------- asking


@dataclass(slots=True)
class Asker:
    """Asks an application in this process, and counts what it is told."""

    house: House
    client: httpx.AsyncClient
    random: Random = field(default_factory=lambda: Random(1))
    asked: int = 0
    statuses: dict[int, int] = field(default_factory=dict)

    async def ask(self, case: AnyCase, viewer: Viewer, table: str) -> str:
        """What is wrong with the answer, if anything."""
        if isinstance(case.body, dict) and "ticket" in case.body:
            case.body["ticket"] = viewer.ticket(self.house, table)
            if case.body.get("second"):
                case.body["second"] = Viewer(INSPECTOR).ticket(self.house, table)
        shown = viewer.headers(self.house, table if viewer.role == PLAYER else self.random.choice(("", table)))
        sent = _sent(case, shown)
        headers = [(name, str(value)) for name, value in sent.headers.items()]
        answer = await self.client.request(str(sent.method), str(sent.url), headers=headers, content=_body(sent))
        self.asked += 1
        self.statuses[answer.status_code] = self.statuses.get(answer.status_code, 0) + 1
        wrong = fault(case, answer)
        return f"{viewer.name}: {wrong}" if wrong else ""


@asynccontextmanager
async def asking(house: House, app: ASGIApp) -> AsyncIterator[Asker]:
    """An asker of an application, which may be another than the house's own."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, timeout=SECONDS) as client:
        yield Asker(house, client)


def _sent(case: AnyCase, shown: Mapping[str, str]) -> requests.PreparedRequest:
    """The request as it would travel."""
    said = case.as_transport_kwargs(base_url=HERE)
    said["headers"] = {**said["headers"], **shown}
    return requests.Request(**said).prepare()


def _body(sent: requests.PreparedRequest) -> bytes:
    return sent.body.encode() if isinstance(sent.body, str) else sent.body if isinstance(sent.body, bytes) else b""


def fault(case: AnyCase, answer: httpx.Response) -> str:
    """What is wrong with an answer, in one line; nothing if nothing is."""
    try:
        case.validate_response(answer, checks=list(CHECKS))
    except FailureGroup as group:
        found = "; ".join(f"{each.title}: {each.message}".replace("\n", " ")[:300] for each in group.exceptions)
        return f"{case.method} {answer.request.url} answered {answer.status_code}: {found}"
    return ""
