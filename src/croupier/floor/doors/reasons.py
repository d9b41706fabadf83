"""A reason for a person: who opens an address in a browser and is refused gets a page, not JSON.

Everything else that asks, a page's own requests among them, gets the JSON that it was given.  A browser says what a
request is for; only what it will show as a document is answered in this way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.markup import el, join

STYLES: Final = ("/kit/tokens.css", "/kit/kit.css", "/kit/reason.css")
NEXT: Final = "Go to the lobby"
TITLES: Final = {403: "Not for you, or not now", 404: "Nothing is here"}
OTHERWISE: Final = "That did not work"


class _Reason(msgspec.Struct):
    reason: str


_REASON = msgspec.json.Decoder(_Reason)


@dataclass(slots=True)
class Reasons:
    """The middleware."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        shown = scope["type"] == "http" and Headers(scope=scope).get("sec-fetch-dest") == "document"
        await self.app(scope, receive, _Page(send) if shown else send)


@dataclass(slots=True)
class _Page:
    """Sends on what comes; a reason in JSON is held until it is whole, and sent as a page."""

    send: Send
    start: Message | None = None
    body: bytes = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_reason(message):
            self.start = message
        elif self.start is None:
            await self.send(message)
        else:
            self.body += message.get("body", b"")
            if not message.get("more_body"):
                await self._sent(self.start)

    async def _sent(self, start: Message) -> None:
        body = html(start["status"], _REASON.decode(self.body).reason).encode()
        headers = MutableHeaders(raw=list(start["headers"]))
        headers["content-type"], headers["content-length"] = "text/html; charset=utf-8", str(len(body))
        await self.send({**start, "headers": headers.raw})
        await self.send({"type": "http.response.body", "body": body})


def _is_reason(start: Message) -> bool:
    kind = Headers(raw=start["headers"]).get("content-type", "")
    return start["status"] >= 400 and kind.startswith("application/json")


def _sentence(reason: str) -> str:
    return f"{reason[:1].upper()}{reason[1:].rstrip('.')}."


def html(status: int, reason: str) -> str:
    title = TITLES.get(status, OTHERWISE)
    head = join(
        (
            el("meta", charset="utf-8"),
            el("meta", name="viewport", content="width=device-width, initial-scale=1"),
            el("title", f"{title} · croupier"),
            el("link", rel="icon", href="/kit/mark.svg"),
            *(el("link", rel="stylesheet", href=style) for style in STYLES),
        )
    )
    way = el("p", el("a", NEXT, href="/", cls="btn main"))
    said = el("main", el("h1", title), el("p", _sentence(reason)), way, cls="reason")
    return "<!doctype html>\n" + el("html", el("head", head), el("body", said), lang="en", data_theme="desk").text
