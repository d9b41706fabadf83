"""How the description of the house, `/openapi.json`, is made.

Theory of operation.  Every door says what it is for, who shows what, what it takes and what it answers, as data: types
are msgspec Structs, and their JSON Schemas are made from them.  From that this module makes one OpenAPI 3.1 document.
What every door has in common is never written down twice: the guard's 403, 413 for whatever may send a body, 422 for
whatever takes one.

A line (a WebSocket) has no place in OpenAPI; it stands under its path as `x-websocket`, with the closed unions that may
be sent and received on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, Final

import msgspec

from croupier.floor.doors.answers import Reason
from croupier.floor.doors.door import AnyDoor, Door, LineDoor, Media, Permit, permit
from croupier.floor.keeping.credentials.sessions import COOKIE, TOKEN

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


def document(doors: Sequence[AnyDoor], *, demo: bool) -> dict[str, Any]:
    """The whole document of a house, with accounts or as a demonstration."""
    book = _Schemas(doors)
    paths: dict[str, dict[str, Any]] = {}
    for each in doors:
        for shown in paths_of(each):
            at = paths.setdefault(shown, {})
            match each:
                case Door():
                    at[each.method.lower()] = _operation(each, shown, book, demo=demo)
                case LineDoor():
                    at["x-websocket"] = _line(each, book)
    return {
        "openapi": "3.1.0",
        "info": {"title": "croupier", "version": version("croupier"), "description": COMMON},
        "tags": [{"name": room} for room in dict.fromkeys(each.room for each in doors)],
        "paths": paths,
        "components": {"schemas": book.components, "responses": _responses(book), "securitySchemes": SECURITY},
    }


def paths_of(door: AnyDoor) -> tuple[str, ...]:
    """The paths of the document for the path of a route: no converters, and `/` for a path that may be empty."""
    if isinstance(door, Door) and door.paths:
        return door.paths
    return (re.sub(r"{(\w+):\w+}", r"{\1}", door.path),)


SECURITY: Final[Mapping[str, Any]] = {
    "ticket": {
        "type": "apiKey",
        "in": "header",
        "name": "Authorization",
        "description": "`Ticket …`, as `/api/enter` gives it: who somebody is, in which role, at which table.",
    },
    "key": {
        "type": "http",
        "scheme": "bearer",
        "description": "The key of a system that reads the feed, as `croupier feed-key` makes it.",
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

    doors: Sequence[AnyDoor]
    by_type: dict[Any, dict[str, Any]] = field(init=False)
    components: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        types = list(dict.fromkeys([Reason, *self._types()]))
        made, self.components = msgspec.json.schema_components(types, ref_template=REF)
        self.by_type = dict(zip(types, made, strict=True))

    def _types(self) -> Iterator[Any]:
        for each in self.doors:
            if isinstance(each, LineDoor):
                yield from (each.sent, each.received)
            else:
                yield from (
                    kind for kind in (*_several(each.answer), *_several(each.body)) if not isinstance(kind, Media)
                )

    def content(self, answer: Any) -> dict[str, Any]:
        """What an answer holds."""
        if answer is None:
            return {}
        if isinstance(answer, Media):
            return {"content": {kind: {"schema": {"type": "string"}} for kind in answer.kinds}}
        made = [self.by_type[kind] for kind in _several(answer)]
        return {"content": {JSON: {"schema": made[0] if len(made) == 1 else {"anyOf": made}}}}


def _several(kind: Any) -> tuple[Any, ...]:
    """The types of an answer, mostly one."""
    return () if kind is None else kind if isinstance(kind, tuple) else (kind,)


def _operation(door: Door, path: str, book: _Schemas, *, demo: bool) -> dict[str, Any]:
    allowed = permit(door, demo=demo)
    operation: dict[str, Any] = {
        "operationId": _id(f"{door.method} {path}"),
        "tags": [door.room],
        "summary": door.summary,
        "description": _description(door, allowed),
        "security": _security(door, allowed),
        "parameters": _parameters(door, path),
        "responses": {
            "200": {"description": STATUSES[200], **book.content(door.answer)},
            **{str(status): {"$ref": f"#/components/responses/{status}"} for status in door.endings},
        },
    }
    if door.body is not None:
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": book.by_type[door.body]}}}
    return operation


def _responses(book: _Schemas) -> dict[str, Any]:
    return {str(status): {"description": says, **_reason(book)} for status, says in STATUSES.items() if status != 200}


def _reason(book: _Schemas) -> dict[str, Any]:
    """Why not: as data, or as a page where a browser opens the address (`reasons.py`)."""
    return {"content": book.content(Reason)["content"] | book.content(Media(("text/html",)))["content"]}


def _description(door: Door, allowed: Permit) -> str:
    roles = ", ".join(sorted(allowed.roles)) if allowed.shown in ("ticket", "inside") else ""
    return "  ".join(filter(None, (door.says, f"For: {roles}." if roles else "")))


def _security(door: Door, allowed: Permit) -> list[dict[str, list[str]]]:
    match allowed.shown:
        case "ticket":
            return [{"ticket": []}, {"key": []}] if door.key else [{"ticket": []}]
        case "session":
            return [{"session": [], "token": []}]
        case _:
            return []


def _parameters(door: AnyDoor, path: str) -> list[dict[str, Any]]:
    return [
        {
            "name": this.name,
            "in": this.where,
            "required": this.required or this.where == "path",
            "description": this.says,
            "schema": this.schema,
        }
        for this in door.parameters
        if this.where != "path" or f"{{{this.name}}}" in path
    ]


def _line(door: LineDoor, book: _Schemas) -> dict[str, Any]:
    return {
        "tags": [door.room],
        "summary": door.summary,
        "description": door.says,
        "parameters": _parameters(door, door.path),
        "send": book.by_type[door.sent],
        "receive": book.by_type[door.received],
    }


def _id(key: str) -> str:
    return "_".join(re.findall(r"\w+", key.lower()))
