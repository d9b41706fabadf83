"""How the description of the house, `/openapi.json`, is made.

Theory of operation.  `described.py` says of every operation of the permission table what it is for, what it takes and
what it answers, as data: types are msgspec Structs, and their JSON Schemas are made from them.  From that and from the
permission table itself (who shows what) this module makes one OpenAPI 3.1 document.  What every door has in common is
added here and never written down twice: the guard's 403, 413 for whatever may send a body, 422 for whatever takes one.

A line (a WebSocket) has no place in OpenAPI; it stands under its path as `x-websocket`, with the closed unions that may
be sent and received on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, Final, TypeAlias

import msgspec
from fastapi import FastAPI

from croupier.floor.answers import Reason
from croupier.floor.guard import COOKIE, SAFE, TOKEN
from croupier.floor.permissions import Door, door_of

Schema: TypeAlias = Mapping[str, Any]
JSON: Final = "application/json"
REF: Final = "#/components/schemas/{name}"

STATUSES: Final[Mapping[int, str]] = {
    200: "Done.",
    403: "Refused before or at the door: another site's page, another name of the house, or not for whoever asks.",
    404: "There is no such thing here.",
    405: "The path is known, but not with this method; `Allow` names those it has.",
    413: "The body is larger than anything that is taken here, and was not read.",
    422: "Bad input, or a refusal, in one line that says what was wrong.",
    429: "Too many tries from this address: wait a few minutes.",
    503: "Not now: the house is busy, starting or stopping; the same request may be repeated.",
}

COMMON: Final = """\
Everything is answered in JSON unless said otherwise; what cannot be done is one line in `reason`, with the `rule` where
a rule refused it.  Money is in cents, time in milliseconds since 1970.

A body is read as JSON whatever its Content-Type says.  Whatever changes something must come from a page of the house
itself (`Origin`) or from a program, which shows no cookie.  An unknown path answers 404, a known path with another
method 405, both as `Reason`."""


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
    says: str = ""


@dataclass(frozen=True, slots=True)
class Operation:
    """One way to ask: its room, what it is for, what it takes, what it answers, and how else it may end."""

    tag: str
    summary: str
    told: Any
    """The type of the answer, or several; or the kind of what is not JSON; None for no body."""
    parameters: tuple[Parameter, ...] = ()
    body: Any = None
    ends: tuple[int, ...] = ()
    """Statuses with a reason, beside those that every door may answer."""
    says: str = ""
    paths: tuple[str, ...] = ()
    """The paths to describe it under, where they are not simply the route's."""


@dataclass(frozen=True, slots=True)
class Line:
    """A WebSocket: what may be sent on it, and what comes back."""

    tag: str
    summary: str
    sent: Any
    received: Any
    parameters: tuple[Parameter, ...] = ()
    says: str = ""


Described: TypeAlias = Mapping[str, Operation | Line]


def describe(app: FastAPI, described: Described, *, demo: bool) -> None:
    """Let the application answer `/openapi.json` with its true description."""
    made: dict[str, Any] = {}

    def openapi() -> dict[str, Any]:
        if not made:
            made.update(document(described, demo=demo))
        return made

    # The framework asks for the document by this name.
    app.openapi = openapi  # type: ignore[method-assign]


def document(described: Described, *, demo: bool) -> dict[str, Any]:
    """The whole document of a house, with accounts or as a demonstration."""
    book = _Schemas(described)
    paths: dict[str, dict[str, Any]] = {}
    for key, each in described.items():
        method, _, path = key.partition(" ")
        for shown in paths_of(path, each):
            at = paths.setdefault(shown, {})
            match each:
                case Operation():
                    at[method.lower()] = _operation(key, shown, each, book, demo=demo)
                case Line():
                    at["x-websocket"] = _line(each, book)
    return {
        "openapi": "3.1.0",
        "info": {"title": "croupier", "version": version("croupier"), "description": COMMON},
        "tags": [{"name": tag} for tag in dict.fromkeys(each.tag for each in described.values())],
        "paths": paths,
        "components": {"schemas": book.components, "responses": _responses(book), "securitySchemes": SECURITY},
    }


def paths_of(path: str, each: Operation | Line) -> tuple[str, ...]:
    """The paths of the document for the path of a route: no converters, and `/` for a path that may be empty."""
    if isinstance(each, Operation) and each.paths:
        return each.paths
    return (re.sub(r"{(\w+):\w+}", r"{\1}", path),)


SECURITY: Final[Mapping[str, Any]] = {
    "ticket": {
        "type": "apiKey",
        "in": "header",
        "name": "Authorization",
        "description": "`Ticket …`, as `/api/enter` gives it: who somebody is, in which role, at which table.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "The cookie of a session, from `/api/sign-in`.",
    },
    "token": {
        "type": "apiKey",
        "in": "header",
        "name": TOKEN.title(),
        "description": "The token of the session, from `/api/me`; wanted beside the cookie wherever anything changes.",
    },
}


# ---------------------------------------------------------------- its parts


@dataclass(slots=True)
class _Schemas:
    """The schema of every type that the description names, made in one go so that names are the same everywhere."""

    described: Described
    by_type: dict[Any, dict[str, Any]] = field(init=False)
    components: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        types = list(dict.fromkeys([Reason, *self._types()]))
        made, self.components = msgspec.json.schema_components(types, ref_template=REF)
        self.by_type = dict(zip(types, made, strict=True))

    def _types(self) -> Iterator[Any]:
        for each in self.described.values():
            if isinstance(each, Line):
                yield from (each.sent, each.received)
            else:
                yield from (
                    kind for kind in (*_several(each.told), *_several(each.body)) if not isinstance(kind, Media)
                )

    def content(self, told: Any) -> dict[str, Any]:
        """What an answer holds."""
        if told is None:
            return {}
        if isinstance(told, Media):
            return {"content": {kind: {"schema": {"type": "string"}} for kind in told.kinds}}
        made = [self.by_type[kind] for kind in _several(told)]
        return {"content": {JSON: {"schema": made[0] if len(made) == 1 else {"anyOf": made}}}}


def _several(kind: Any) -> tuple[Any, ...]:
    """The types of an answer, mostly one."""
    return () if kind is None else kind if isinstance(kind, tuple) else (kind,)


def _operation(key: str, path: str, each: Operation, book: _Schemas, *, demo: bool) -> dict[str, Any]:
    door = door_of(key, demo=demo)
    told: dict[str, Any] = {
        "operationId": _id(f"{key.partition(' ')[0]} {path}"),
        "tags": [each.tag],
        "summary": each.summary,
        "description": _description(each, door),
        "security": _security(door),
        "parameters": _parameters(each, path),
        "responses": {
            "200": {"description": STATUSES[200], **book.content(each.told)},
            **{str(status): {"$ref": f"#/components/responses/{status}"} for status in endings(key, each)},
        },
    }
    if each.body is not None:
        told["requestBody"] = {"required": True, "content": {JSON: {"schema": book.by_type[each.body]}}}
    return told


def endings(key: str, each: Operation) -> list[int]:
    """Every status with a reason that an operation may answer."""
    sent = () if key.partition(" ")[0] in SAFE else (413,)
    return sorted({403, *sent, *each.ends, *((422,) if each.body is not None else ())})


def _responses(book: _Schemas) -> dict[str, Any]:
    return {str(status): {"description": says, **_reason(book)} for status, says in STATUSES.items() if status != 200}


def _reason(book: _Schemas) -> dict[str, Any]:
    """Why not: as data, or as a page where a browser opens the address (`reasons.py`)."""
    return {"content": book.content(Reason)["content"] | book.content(Media(("text/html",)))["content"]}


def _description(each: Operation, door: Door | None) -> str:
    roles = ", ".join(sorted(door.roles)) if door and door.shown in ("ticket", "inside") else ""
    return "  ".join(filter(None, (each.says, f"For: {roles}." if roles else "")))


def _security(door: Door | None) -> list[dict[str, list[str]]]:
    match door.shown if door else "nothing":
        case "ticket":
            return [{"ticket": []}]
        case "session":
            return [{"session": [], "token": []}]
        case _:
            return []


def _parameters(each: Operation | Line, path: str) -> list[dict[str, Any]]:
    return [
        {
            "name": this.name,
            "in": this.where,
            "required": this.required or this.where == "path",
            "description": this.says,
            "schema": this.schema,
        }
        for this in each.parameters
        if this.where != "path" or f"{{{this.name}}}" in path
    ]


def _line(each: Line, book: _Schemas) -> dict[str, Any]:
    return {
        "tags": [each.tag],
        "summary": each.summary,
        "description": each.says,
        "parameters": _parameters(each, "{name}"),
        "send": book.by_type[each.sent],
        "receive": book.by_type[each.received],
    }


def _id(key: str) -> str:
    return "_".join(re.findall(r"\w+", key.lower()))
