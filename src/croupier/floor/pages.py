"""The pages of the house and their files, all written here and served as they are."""

from __future__ import annotations

import asyncio
import gzip
import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from fastapi import FastAPI, Request, Response

from croupier.floor.demo import compute
from croupier.floor.doors import HEADERS, no
from croupier.floor.house import House
from croupier.floor.page import ICON, html

KINDS: Final = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
PAGES: Final = {
    "": "lobby.html",
    "terminal": "terminal.html",
    "dealer": "dealer.html",
    "supervisor": "supervisor.html",
    "inspector": "inspector.html",
    "cage": "cage.html",
    "tournament": "tournament.html",
    "lab": "lab.html",
    "rulebook": "rulebook.html",
    "training": "training.html",
}
"""The pages by their addresses."""


def routes(app: FastAPI, _: House) -> None:
    @app.get("/first")
    async def first() -> Response:
        return Response(await asyncio.to_thread(_first), headers=dict(HEADERS), media_type="text/html")

    @app.get("/icon.svg")
    async def icon() -> Response:
        return Response(ICON, headers=dict(HEADERS), media_type="image/svg+xml")

    @app.get("/{path:path}")
    async def page(path: str, request: Request) -> Response:
        return _file(PAGES.get(path, path), zipped=_takes_gzip(request.headers.get("accept-encoding", "")))


@cache
def _first() -> str:
    """The first page, computed when somebody asks for it."""
    return html(compute())


def _takes_gzip(accepted: str) -> bool:
    """Whether the client takes files as gzip; an entry with the weight of nothing is a no."""
    named = {name.strip(): weight.replace(" ", "") for name, _, weight in _entries(accepted)}
    weight = named.get("gzip", named.get("*", "q=0"))
    return not re.fullmatch(r"q=0(\.0{0,3})?", weight)


def _entries(accepted: str) -> list[tuple[str, str, str]]:
    return [each.partition(";") for each in accepted.lower().split(",")]


@lru_cache(maxsize=256)
def _zipped(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


def _file(path: str, *, zipped: bool) -> Response:
    """A file of the web room; names are plain, so that nothing outside it can be asked for."""
    found = files("croupier") / "web" / path
    kind = KINDS.get(path.rpartition(".")[2])
    if kind is None or not re.fullmatch(r"[a-z0-9_-]{1,80}\.[a-z]{1,9}", path) or not found.is_file():
        return no(f"nothing here under {path!r:.60}", 404)
    body, headers = found.read_bytes(), {**HEADERS, "Vary": "Accept-Encoding"}
    if zipped:
        body, headers = _zipped(body), headers | {"Content-Encoding": "gzip"}
    return Response(body, headers=headers, media_type=kind)
