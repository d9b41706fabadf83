"""The pages of the house and their files, all written here and served as they are."""

from __future__ import annotations

import asyncio
import re
from functools import cache
from importlib.resources import files
from typing import Final

from fastapi import FastAPI, Response

from croupier.floor.demo import compute
from croupier.floor.doors import HEADERS, no
from croupier.floor.house import House
from croupier.floor.page import ICON, html

KINDS: Final = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
PAGES: Final = {"": "lobby.html", "terminal": "terminal.html", "dealer": "dealer.html", "inspector": "inspector.html"}
"""The pages by their addresses."""


def routes(app: FastAPI, _: House) -> None:
    @app.get("/first")
    async def first() -> Response:
        return Response(await asyncio.to_thread(_first), headers=dict(HEADERS), media_type="text/html")

    @app.get("/icon.svg")
    async def icon() -> Response:
        return Response(ICON, headers=dict(HEADERS), media_type="image/svg+xml")

    @app.get("/{path:path}")
    async def page(path: str) -> Response:
        return _file(PAGES.get(path, path))


@cache
def _first() -> str:
    """The first page, computed when somebody asks for it."""
    return html(compute())


def _file(path: str) -> Response:
    """A file of the web room; names are plain, so that nothing outside it can be asked for."""
    found = files("croupier") / "web" / path
    kind = KINDS.get(path.rpartition(".")[2])
    if kind is None or not re.fullmatch(r"[a-z0-9_-]+\.[a-z]+", path) or not found.is_file():
        return no(f"nothing here under {path!r:.60}", 404)
    return Response(found.read_bytes(), headers=dict(HEADERS), media_type=kind)
