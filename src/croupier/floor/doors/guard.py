"""The guard before every door: where a request comes from, and whether the door lets it in.

Theory of operation.  One piece of middleware stands before all routes.  It finds the route that would answer, looks at
its door, and checks what that asks for: nothing, a session (with its token, where anything can change), or a ticket of
a fitting role.  A route that is no door is refused, whatever it does.

A page of another site must not use somebody's browser to reach this house.  So whatever can change anything, and every
line, must come from a page of the house itself or of an origin that was configured: the browser says which in `Origin`.
Programs send no `Origin`; they are let in as long as they show no cookie, which only a browser has by itself.  The
`Host` that was asked must be a name of this house, so that another name cannot be pointed at it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import HTTPConnection, Request
from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

from croupier.floor.addresses import Origins
from croupier.floor.doors.common import bearer, header_ticket, no, not_for
from croupier.floor.doors.door import SAFE, AnyDoor, Door, permit
from croupier.floor.keeping.credentials.sessions import COOKIE
from croupier.floor.keeping.credentials.tickets import NoTicket
from croupier.floor.store.appends import Stopped
from croupier.floor.store.engines import BadStore

if TYPE_CHECKING:
    from croupier.floor.keeping.house import House

LIVES: Final = "/health"
TABLES: Final = "/api/tables/"
NOT_HERE: Final = "this was asked from a page of another site"


@dataclass(slots=True)
class Guard:
    """The middleware."""

    app: ASGIApp
    house: House

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        asked, status = HTTPConnection(scope), 403
        try:
            # That the process lives is true whatever it has read.
            if scope["path"] != LIVES:
                await self.house.current()
            # A door that is asked for a table tells of that one; whoever only asks whether this process works, of none.
            if not scope["path"].startswith(LIVES):
                await self.house.heard(_table(scope["path"]))
            foreign = _foreign(self.house.origins, asked)
            reason = foreign or self._refused(scope, asked)
            if not foreign and await (self.house.read_on() if reason else self._known_now(scope)):
                reason = self._refused(scope, asked)
        except (Stopped, BadStore) as error:
            reason, status = str(error), 503
        if not reason:
            await self.app(scope, receive, send)
            return
        self.house.metrics.turned_away.inc()
        if scope["type"] == "http":
            await no(reason, status)(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": reason[:120]})

    async def _known_now(self, scope: Scope) -> bool:
        """Whether it was just read who may order something, for somebody who may; whoever only looks hears the news.

        What a message inside says is looked at by whoever takes it.
        """
        door: AnyDoor | None = getattr(_route(scope), "door", None)
        shown = permit(door, demo=self.house.demo).shown if door is not None else "nothing"
        orders = scope.get("method", "") not in SAFE or self.house.store.deaf
        return orders and shown in ("session", "ticket") and await self.house.known_now()

    def _refused(self, scope: Scope, asked: HTTPConnection) -> str:
        """Why this may not pass; nothing if it may."""
        route = _route(scope)
        if route is None:
            return ""  # nobody answers here: the application says so
        door: AnyDoor | None = getattr(route, "door", None)
        if door is None:
            return f"{scope.get('method', 'WS')} {route.path} is not in the permission table"
        allowed = permit(door, demo=self.house.demo)
        match allowed.shown:
            case "nothing" | "inside":
                return ""
            case "session":
                return self.house.sessions.refused(asked, changing=scope["method"] not in SAFE)
            case "ticket":
                return self._not_shown(Request(scope), door)

    def _not_shown(self, request: Request, door: AnyDoor) -> str:
        if isinstance(door, Door) and door.key and bearer(self.house, request.headers.get("authorization", "")):
            return ""
        try:
            ticket = header_ticket(self.house, request)
        except NoTicket as error:
            return str(error)
        if ticket.command and not (isinstance(door, Door) and door.lent):
            return f"the {ticket.role} was lent for another command"
        return not_for(ticket, door)


def _table(path: str) -> str:
    """The table that a path is about; nothing if it may be about any."""
    return path.removeprefix(TABLES).partition("/")[0] if path.startswith(TABLES) else ""


def _foreign(origins: Origins, asked: HTTPConnection) -> str:
    """Why a request is not from a page of this house, where that matters."""
    host, origin = asked.headers.get("host", ""), asked.headers.get("origin")
    # No browser opens a line without saying where its page is from: another process of the house does.
    program = asked.scope["type"] == "websocket" and origin is None
    if not program and not origins.known(host):
        return f"this house is not called {host!r:.60}"
    if asked.scope["type"] == "http" and asked.scope["method"] in SAFE:
        return ""
    if origin is not None:
        # Whoever is between a browser and the house can make pages of its name, but none that came by https.
        secure = asked.scope.get("scheme") in ("https", "wss")
        return "" if origins.may_ask(origin, host, secure=secure) else NOT_HERE
    # A browser that hides where a page is from still shows its cookies, or says that the site is another one.
    if asked.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return NOT_HERE
    return "a session needs the Origin of its page" if COOKIE in asked.cookies else ""


def _route(scope: Scope) -> Any:
    """The route that would answer."""
    routes: list[Any] = scope["app"].router.routes
    return next((route for route in routes if route.matches(scope)[0] is Match.FULL), None)
