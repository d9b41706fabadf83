"""The pages of the house and their files, all written here and served as they are."""

from __future__ import annotations

import gzip
import re
from functools import lru_cache
from importlib.resources import files
from typing import Final

from starlette.responses import Response

from croupier.floor.doors.common import HEADERS, no
from croupier.floor.doors.door import TEXT, Asked, Door, Media, Parameter

KINDS: Final = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "ftl": "text/plain",
}
PAGES: Final = (
    "lobby",
    "terminal",
    "board",
    "dealer",
    "supervisor",
    "inspector",
    "significant",
    "cage",
    "tournament",
    "lab",
    "rulebook",
    "training",
)
"""The pages: each has a folder of its name, which is its address too; the lobby is also at the root."""
PATH: Final = r"(?:[a-z0-9_-]{1,80}/){1,2}[a-z0-9_-]{1,80}\.[a-z]{1,9}"
"""A file of a page's folder, or of a folder in it."""


async def page(asked: Asked[None]) -> Response:
    name = asked.part("path") or "lobby"
    file = f"{name}/page.html" if name in PAGES else name
    return _file(file, zipped=_takes_gzip(asked.request.headers.get("accept-encoding", "")))


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
    """A file of a folder of the web room; names are plain, so that nothing outside it can be asked for."""
    found = files("croupier") / "web" / path
    kind = KINDS.get(path.rpartition(".")[2])
    if kind is None or not re.fullmatch(PATH, path) or not found.is_file():
        return no(f"nothing here under {path!r:.60}", 404)
    body, headers = found.read_bytes(), {**HEADERS, "Vary": "Accept-Encoding"}
    if zipped:
        body, headers = _zipped(body), headers | {"Content-Encoding": "gzip"}
    return Response(body, headers=headers, media_type=kind)


DOORS: Final = (
    Door(
        "GET /{path:path}",
        page,
        "pages",
        "The pages of the house and their files.",
        Media(tuple(KINDS.values())),
        parameters=(Parameter("path", "A page, or a file of one.", TEXT, "path"),),
        ends=(404,),
        paths=("/", "/{path}"),
    ),
)
