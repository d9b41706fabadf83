"""A door: one way to ask something of the house, written down once.

Theory of operation.  Each room lists its doors as data: the operation, who answers it, what it is for, who may pass and
what they show, what it takes and what it answers.  The route is made from that here; the guard lets in whom the door
names (`guard.py`); `/openapi.json` describes it (`openapi.py`); the matrix of permissions prints it
(`permissions.py`); and the tests walk it.  So none of them can differ from the others, and what is no door is refused.

Whoever answers is handed an `Asked`: the house, the request, and the body as the type that the door names.  What every
door has in common is done here: a body that cannot be read, a ticket that is not good, a journal that cannot be written
now are answered in one line, in the same way everywhere.  Bad input is told as such only by a door that says so
(`ends`); anywhere else a `ValueError` is a fault of ours.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeAlias, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from croupier.errors import NotPermitted
from croupier.floor.doors.bounds import LONGEST, Busy
from croupier.floor.doors.common import answer, no, shown_ticket, ticket_in
from croupier.floor.keeping.credentials.tickets import NoTicket, Ticket
from croupier.floor.store.appends import Stopped
from croupier.law.officials import ROLES, Roles

if TYPE_CHECKING:
    from croupier.floor.keeping.house import House

Shown: TypeAlias = Literal["nothing", "session", "ticket", "inside"]
Schema: TypeAlias = Mapping[str, Any]
B = TypeVar("B")

EVERYBODY: Final[Roles] = frozenset(ROLES)
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
Devices: TypeAlias = frozenset[str]
NO_DEVICE: Final[Devices] = frozenset()


# ---------------------------------------------------------------- what is written down


@dataclass(frozen=True, slots=True)
class Parameter:
    """A part of the path, or of the query."""

    name: str
    says: str
    schema: Schema
    where: str = "query"
    required: bool = False


@dataclass(frozen=True, slots=True)
class Media:
    """An answer that is not JSON."""

    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Permit:
    """How somebody shows who they are, and the roles that may pass."""

    shown: Shown
    roles: Roles


@dataclass(frozen=True, slots=True)
class Door:
    """One way to ask, as `GET /api/tables`."""

    operation: str
    handler: Callable[[Asked[Any]], Awaitable[Response]]
    room: str
    summary: str
    answer: Any
    """The type of the answer, or several; or the kind of what is not JSON; None for no body."""
    shown: Shown = "nothing"
    roles: Roles = EVERYBODY
    demo: Shown | None = None
    """What is shown in a demonstration, where that is something else."""
    lent: bool = False
    """A ticket that was lent for one command passes too, for that command."""
    key: bool = False
    """A system passes too, with a key of its own."""
    devices: Devices = NO_DEVICE
    """The kinds of devices that pass with a ticket of theirs; a device has one job, whatever role it has in it."""
    parameters: tuple[Parameter, ...] = ()
    body: Any = None
    ends: tuple[int, ...] = ()
    """Statuses with a reason, beside those that every door may answer."""
    says: str = ""
    paths: tuple[str, ...] = ()
    """The paths to describe it under, where they are not simply the route's."""

    @property
    def method(self) -> str:
        return self.operation.partition(" ")[0]

    @property
    def path(self) -> str:
        return self.operation.partition(" ")[2]

    @property
    def endings(self) -> tuple[int, ...]:
        """Every status with a reason: 403 with every door, 413 with what may send a body, 422 with what takes one."""
        sent = () if self.method in SAFE else (413,)
        return tuple(sorted({403, *sent, *self.ends, *((422,) if self.body is not None else ())}))


@dataclass(frozen=True, slots=True)
class LineDoor:
    """A WebSocket: what may be sent on it, and what comes back.  Who asks is said on it, so nothing is shown before."""

    operation: str
    handler: Callable[[House, LineDoor, WebSocket], Awaitable[None]]
    room: str
    summary: str
    sent: Any
    received: Any
    parameters: tuple[Parameter, ...] = ()
    says: str = ""
    roles: Roles = EVERYBODY
    shown: Shown = "inside"
    devices: Devices = NO_DEVICE

    @property
    def path(self) -> str:
        return self.operation.partition(" ")[2]


AnyDoor: TypeAlias = Door | LineDoor


def permit(door: AnyDoor, *, demo: bool) -> Permit:
    """Who may pass a door, of a house with accounts or of a demonstration."""
    shown = door.demo if demo and isinstance(door, Door) and door.demo else door.shown
    return Permit(shown, door.roles)


# ---------------------------------------------------------------- what is asked


@dataclass(frozen=True, slots=True)
class Asked(Generic[B]):
    """Something that is asked at a door: where, by which request, and with which body."""

    house: House
    door: Door
    request: Request
    body: B

    def part(self, name: str) -> str:
        """A part of the path."""
        return str(self.request.path_params[name])

    @property
    def query(self) -> dict[str, str]:
        return dict(self.request.query_params)

    def whole(self, name: str, usual: int = 0) -> int:
        """A whole number of the path or the query."""
        given = self.request.path_params.get(name, self.request.query_params.get(name, usual))
        try:
            return int(given)
        except ValueError:
            raise ValueError(f"{name}: a whole number, not {given!r:.40}") from None

    @property
    def ticket(self) -> Ticket:
        """The ticket that the request shows in its header."""
        return shown_ticket(self.house, self.request)

    def ticket_for(self, command: str) -> Ticket:
        """The same, where it may have been lent for this command."""
        return shown_ticket(self.house, self.request, command)

    def ticket_in(self, text: str, table: str) -> Ticket:
        """The ticket inside the body, if it is good for this table, and its role for this door."""
        return ticket_in(self.house, text, table, self.door)

    @property
    def address(self) -> str:
        """Where the request comes from."""
        return self.request.client.host if self.request.client else ""


# ---------------------------------------------------------------- the routes


@dataclass(slots=True)
class _Answering:
    """What stands behind a route: reads the body, lets the handler answer, and tells what cannot be done."""

    door: Door
    house: House
    reader: msgspec.json.Decoder[Any] | None = field(init=False)

    def __post_init__(self) -> None:
        self.reader = None if self.door.body is None else msgspec.json.Decoder(self.door.body)

    async def __call__(self, request: Request) -> Response:
        try:
            body = None if self.reader is None else self.reader.decode(await request.body())
            asked = Asked(self.house, self.door, request, body)
            try:
                return await self.door.handler(asked)
            except NoTicket:
                # Whoever is refused for who they are has had nothing done yet.
                if not await self.house.read_on():
                    raise
                return await self.door.handler(asked)
        except NoTicket as error:
            return no(str(error), 403)
        except NotPermitted as error:
            return answer({"reason": error.reason, "rule": error.rule or None}, 422)
        except (msgspec.MsgspecError, ValueError) as error:
            if 422 not in self.door.endings:
                raise
            return no(str(error), 422)
        except Busy as error:
            busy = no(str(error), 503)
            busy.headers["Retry-After"] = "3"
            return busy
        except Stopped as error:
            return no(str(error), 503)


class DoorRoute(Route):
    """The route of a door; it answers to the method of the door and to no other."""

    def __init__(self, door: Door, house: House) -> None:
        answering = _Answering(door, house)

        async def endpoint(request: Request) -> Response:
            return await answering(request)

        super().__init__(door.path, endpoint, methods=[door.method])
        self.methods = {door.method}
        self.door = door


class LineRoute(WebSocketRoute):
    """The route of a line."""

    def __init__(self, door: LineDoor, house: House) -> None:
        async def endpoint(socket: WebSocket) -> None:
            await door.handler(house, door, socket)

        super().__init__(door.path, endpoint)
        self.door = door


def routes(doors: Iterable[AnyDoor], house: House) -> list[BaseRoute]:
    return [DoorRoute(each, house) if isinstance(each, Door) else LineRoute(each, house) for each in doors]


# ---------------------------------------------------------------- what several rooms take

TEXT: Final[Schema] = {"type": "string"}
WORD: Final[Schema] = {"type": "string", "maxLength": LONGEST}
HTML: Final = Media(("text/html",))
TABLE: Final = Parameter("name", "The table.", TEXT, "path")
RULE: Final = Parameter("rule", "The id of a rule, like NZD5-8.4.", TEXT, "path")


def whole(most: int, least: int) -> Schema:
    """The schema of a whole number."""
    return {"type": "integer", "minimum": least, "maximum": most}
