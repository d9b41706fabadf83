"""What reaches the doors: bodies of a bearable size; and our own answers where no door answers.

A body that says it is too large is refused before any of it is read; one that does not say how large it is, as soon as
it is.  What only asks to see something has no body, and none of it is read.

An unknown path and a method that a path does not have are answered like everything else here: JSON, with one line in
`reason`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.floor.addresses import neighbourhood
from croupier.floor.doors.common import no
from croupier.floor.doors.door import SAFE
from croupier.floor.keeping.credentials.tickets import NoTicket

LARGEST_BODY: Final = 1 << 15
"""Bytes: a command has some hundred."""
TOO_LARGE: Final = f"a body has at most {LARGEST_BODY} bytes here"
STUDIES: Final = ("/api/lab/", "/api/training/", "/api/rulebook/", "/first")
AT_ONCE: Final = 6
EVERYTHING: Final = "/{path:path}"


@dataclass(slots=True)
class Intake:
    """The middleware."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in SAFE:
            await self.app(scope, receive, send)
        elif _said_length(scope) > LARGEST_BODY:
            await no(TOO_LARGE, 413)(scope, receive, send)
        else:
            await self.app(scope, _measured(receive), send)


def _said_length(scope: Scope) -> int:
    said = dict(scope["headers"]).get(b"content-length", b"0")
    # Whatever is not a number is for the server below; more figures than this are too many in any case.
    return int(said[:20]) if said.isdigit() else 0


def _measured(receive: Receive) -> Receive:
    """What comes in, until it is too much."""
    so_far = 0

    async def measured() -> Message:
        nonlocal so_far
        message = await receive()
        so_far += len(message.get("body", b""))
        if so_far > LARGEST_BODY:
            raise HTTPException(413, TOO_LARGE)
        return message

    return measured


@dataclass(slots=True)
class Studies:
    """The middleware before the rooms where anybody may study: from one address, a few questions at a time in each.

    What is reckoned for long in one room keeps nobody from reading in another.
    """

    app: ASGIApp
    asking: Counter[tuple[str, str]] = field(default_factory=Counter)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        room = next((each for each in STUDIES if scope["type"] == "http" and scope["path"].startswith(each)), "")
        if not room:
            await self.app(scope, receive, send)
            return
        here = neighbourhood(scope["client"][0] if scope.get("client") else ""), room
        if self.asking[here] >= AT_ONCE:
            await no(f"{AT_ONCE} questions from here are being answered: ask again when one is", 429)(
                scope, receive, send
            )
            return
        self.asking[here] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.asking[here] -= 1
            if not self.asking[here]:
                del self.asking[here]


def take_in(app: Starlette) -> None:
    """Let the application measure bodies, and answer in our own form where no door does."""
    app.add_middleware(Intake)
    app.add_middleware(Studies)
    app.add_exception_handler(HTTPException, _not_answered)
    app.add_exception_handler(RecursionError, _too_deep)
    app.add_exception_handler(ClientDisconnect, _gone)
    app.add_exception_handler(NoTicket, _no_ticket)


def _not_answered(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code != 405:
        return no(str(error.detail), error.status_code)
    path, allowed = request.url.path, _methods(request.scope)
    if not allowed:
        return no(f"nothing here under {path!r:.60}", 404)
    answer = no(f"{path:.60} answers to {', '.join(allowed)}, not to {request.method:.20}", 405)
    answer.headers["Allow"] = ", ".join(allowed)
    return answer


def _methods(scope: Scope) -> list[str]:
    """The methods of a path.  The pages take every path, so that below `/api/` only a door of its own counts."""
    routes: list[Any] = [
        route
        for route in scope["app"].router.routes
        if route.matches(scope)[0] is not Match.NONE
        and not (route.path == EVERYTHING and scope["path"].startswith("/api/"))
    ]
    return sorted({method for route in routes for method in getattr(route, "methods", None) or ()})


def _too_deep(_: Request, __: Exception) -> Response:
    return no("this is nested too deeply", 422)


def _gone(_: Request, __: Exception) -> Response:
    """Whoever asked went away in the middle of it: nobody reads this."""
    return no("the request was not finished", 400)


def _no_ticket(_: Request, error: Exception) -> Response:
    return no(str(error), 403)
