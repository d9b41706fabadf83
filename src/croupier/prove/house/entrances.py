"""A house with accounts and a person for each role, for proofs that walk its doors; and credentials that are not good.

The house runs in this process.  Whoever asks shows a ticket, made here for the role at hand; a command has the fields
that it must have, whatever they say.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, get_args

import httpx
from msgspec.inspect import (
    BoolType,
    DictType,
    IntType,
    LiteralType,
    StrType,
    StructType,
    UnionType,
    VarTupleType,
    type_info,
)
from starlette.applications import Starlette

from croupier.floor.app import create_app
from croupier.floor.keeping.accounts import Hashing
from croupier.floor.keeping.credentials.tickets import Ticket, Tickets
from croupier.floor.keeping.house import House, open_house
from croupier.floor.keeping.planned import Planned
from croupier.floor.practice.demonstration import SIGN
from croupier.house.people.decide import CONSOLE
from croupier.house.people.messages import MakeAccount
from croupier.law.officials import CASHIER, DEALER, PLAYER, ROLES
from croupier.prove.house.desks import HERE
from croupier.table.commands import AnyCommand

TABLE: Final = "B-1"
OTHER: Final = "B-2"
PLANNED: Final = (Planned(TABLE, "nzeb", "baccarat", "hybrid", SIGN),)
KINDS: Final = {each.__name__: each for each in get_args(AnyCommand)}
VALUES: Final[tuple[tuple[type[Any], Any], ...]] = (
    (StrType, "Pat"),
    (IntType, 1),
    (BoolType, True),
    (VarTupleType, []),
    (DictType, {}),
)
PATHS: Final = {
    "{name}": TABLE, "{number}": "1", "{rule}": "NZD5-8.4", "{path:path}": "nothing.css", "{code}": "1234",
}  # fmt: skip


@asynccontextmanager
async def running(folder: Path, *, demo: bool) -> AsyncIterator[tuple[House, Starlette, httpx.AsyncClient]]:
    house = open_house(f"sqlite:///{folder}/house.db", folder / "key", demo=demo, hashing=Hashing(1, 64, 1))
    app = create_app(house, () if demo else PLANNED)
    async with app.router.lifespan_context(app):
        if house.accounts is not None:
            await made(house)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=HERE, headers={"Origin": HERE}) as client:
            yield house, app, client


async def made(house: House) -> None:
    """A person for each role, named after it."""
    assert house.accounts is not None
    for role in ROLES:
        what = MakeAccount(name_of(role), (role,), "no verifier", must_change=False)
        assert (await house.accounts.ask(what, by=CONSOLE, role=CONSOLE)).done


def name_of(role: str) -> str:
    return f"the {role}"


def shown(house: House, role: str) -> dict[str, str]:
    table = TABLE if role == PLAYER else ""
    return {"Authorization": f"Ticket {house.give(Ticket(name_of(role), role, table))}"}


def operations(app: Starlette) -> Iterator[tuple[str, str]]:
    for route in app.router.routes:
        methods = getattr(route, "methods", None) or {"WS"}
        yield from ((method, str(getattr(route, "path", ""))) for method in sorted(methods))


def address(path: str) -> str:
    for part, value in PATHS.items():
        path = path.replace(part, value)
    return path


def body_of(command: str) -> dict[str, Any]:
    """The command with the fields that it must have, whatever they say."""
    wanted = type_info(KINDS[command])
    assert isinstance(wanted, StructType)
    return {"type": command} | {each.name: _value(each.type) for each in wanted.fields if each.required}


def _value(kind: Any) -> Any:
    if isinstance(kind, UnionType):
        return _value(kind.types[0])
    if isinstance(kind, LiteralType):
        return kind.values[0]
    return next(value for of, value in VALUES if isinstance(kind, of))


def is_refused(answer: httpx.Response) -> bool:
    """Whether the permission table said no, and not the work behind the door."""
    reason = answer.json()["reason"] if answer.status_code == 403 else ""
    return any(
        words in reason for words in ("not for the", "permission table", "no ticket was shown", "is signed in here")
    )


def credentials(house: House, role: str, table: str) -> Iterator[tuple[str, str]]:
    """Tickets of a role that are not good: what is wrong with each, and the ticket."""
    name, another = name_of(role), name_of(DEALER if role != DEALER else CASHIER)
    one = secrets.token_hex(16)
    yield "expired", house.give(Ticket(name, role, table), seconds=-1)
    yield "lent for another command", house.give(Ticket(name, role, table, command=one), seconds=120)
    yield "a second factor for another command", house.give(Ticket(name, role, table, command=one, factor=True))
    yield "of an account that changed since", house.give(Ticket(name, role, table, epoch=7))
    yield "of somebody who has not this role", house.give(Ticket(another, role, table))
    yield "of nobody", house.give(Ticket("Eve", role, table))
    yield "of another house", Tickets(b"x" * 32).give(Ticket(name, role, table))
    yield "no ticket", ""
    yield "nonsense", "a.b.c"
