"""What reaches the doors: bodies of a bearable size; and our own answers where no door answers.

A body that says it is too large is refused before any of it is read; one that does not say how large it is, as soon as
it is.  What only asks to see something has no body, and none of it is read.

An unknown path, a method that a path does not have, and a part of the path or query that is not what it should be are
answered like everything else here: JSON, with one line in `reason`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.floor.doors import no
from croupier.floor.guard import SAFE

LARGEST_BODY: Final = 1 << 18
"""Bytes: a command has some hundred."""
TOO_LARGE: Final = f"a body has at most {LARGEST_BODY} bytes here"
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


def take_in(app: FastAPI) -> None:
    """Let the application measure bodies, and answer in our own form where no door does."""
    app.add_middleware(Intake)
    app.add_exception_handler(HTTPException, _not_answered)
    app.add_exception_handler(RequestValidationError, _bad_part)


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


def _bad_part(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    return no(f"{first['loc'][-1]}: {first['msg']}", 422)
