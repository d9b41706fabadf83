"""Sending calls: for a program that waits, and for one that does not.

Theory of operation.  A call that may be sent twice is sent again when the line is lost or the house says that it cannot
answer now: the process that kept the table may be gone, and another one keeps it a moment later.  What the house
refuses is a `HouseRefused` with the reason and the rule.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import httpx
import msgspec

from croupier.client.calls import Done, FeedEvent, HouseCall, HouseRefused, SignedIn, events

T = TypeVar("T")
TOKEN: Final = "X-Croupier-Token"
AGAIN: Final = frozenset({502, 503, 504})
NOT_UNDERSTOOD: Final = 0
"""The status of a refusal that nobody expressed: what was answered is no answer."""
PAUSE_SECONDS: Final = 0.2
WAIT_SECONDS: Final = 20
LONGEST_REASON: Final = 200


@dataclass(slots=True)
class _Asking:
    """What both clients share: how a call is spelled, and what an answer means."""

    address: str
    token: str = ""

    def spelled(self, call: HouseCall[Any]) -> dict[str, Any]:
        headers = {"Origin": self.address, **({TOKEN: self.token} if self.token else {}), **call.headers}
        content = None if call.body is None else json.dumps(call.body).encode()
        kind = {} if content is None else {"Content-Type": "application/json"}
        query = {name: value for name, value in call.query.items() if value}
        return {"method": call.method, "url": call.path, "content": content, "params": query, "headers": headers | kind}

    def understood(self, call: HouseCall[T], answer: httpx.Response) -> T:
        if answer.status_code != 200:
            refusal = _reason(answer)
            raise HouseRefused(
                str(refusal.get("reason", answer.text[:LONGEST_REASON])),
                str(refusal.get("rule") or ""),
                answer.status_code,
            )
        if issubclass(call.answer, str):
            return call.answer(answer.text)
        if issubclass(call.answer, bytes):
            return call.answer(answer.content)
        try:
            made = msgspec.json.decode(answer.content, type=call.answer)
        except msgspec.DecodeError as error:
            raise HouseRefused(f"whoever answers there is no house: {error}", "", NOT_UNDERSTOOD) from None
        if isinstance(made, SignedIn):
            self.token = made.token
        if isinstance(made, Done) and not made.done:
            raise HouseRefused(f"{made.on}: {made.reason}" if made.on else made.reason, made.rule)
        return made


def _reason(answer: httpx.Response) -> dict[str, Any]:
    try:
        body = answer.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


class Client:
    """A house, for a program that waits; `trust` is the file of a certificate that signs itself."""

    def __init__(self, address: str, *, trust: str = "", patience: float = 30.0, timeout: float = 30.0) -> None:
        self._asking, self._patience = _Asking(address.rstrip("/")), patience
        self._trusted = ssl.create_default_context(cafile=trust or None)
        self._http = httpx.Client(base_url=self._asking.address, verify=self._trusted, timeout=timeout)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def ask(self, call: HouseCall[T]) -> T:
        until = time.monotonic() + self._patience
        while True:
            try:
                answer = self._http.request(**self._asking.spelled(call))
                if not (call.again and answer.status_code in AGAIN and time.monotonic() < until):
                    return self._asking.understood(call, answer)
            except httpx.TransportError as error:
                # What never reached the house may be sent again, whatever it is.
                if not (call.again or isinstance(error, httpx.ConnectError)) or time.monotonic() > until:
                    raise
            time.sleep(PAUSE_SECONDS)

    def view(self, table: str, ticket: str) -> dict[str, Any]:
        """The table as whoever has this ticket sees it now."""
        from websockets.exceptions import WebSocketException
        from websockets.sync.client import connect

        address = f"ws{self._asking.address.removeprefix('http')}/api/tables/{table}/live"
        until, message = time.monotonic() + self._patience, dict[str, Any]()
        while not message:
            try:
                with connect(address, ssl=self._trusted if address.startswith("wss") else None) as line:
                    line.send(json.dumps({"type": "Hello", "ticket": ticket}))
                    said = json.loads(line.recv(self._patience))
                    message = said if isinstance(said, dict) else {"reason": "whoever answers there is no house"}
            except (WebSocketException, OSError):
                if time.monotonic() > until:
                    raise
                time.sleep(PAUSE_SECONDS)
        if message.get("type") != "View" or not isinstance(message.get("view"), dict):
            raise HouseRefused(str(message.get("reason", message))[:LONGEST_REASON])
        seen: dict[str, Any] = message["view"]
        return seen

    def follow(self, after: int = 0, **shown: str) -> Iterator[FeedEvent]:
        """Every event after an id, each once and in order, as they come; it never ends by itself."""
        while True:
            for event in self.page(after, **shown):
                if event.id > after:
                    yield event
                    after = event.id

    def page(self, after: int = 0, *, key: str = "", ticket: str = "") -> tuple[FeedEvent, ...]:
        """The next events, once there are any; none after some time."""
        return self.ask(events(after, wait=WAIT_SECONDS, key=key, ticket=ticket)).events


class AsyncClient:
    """The same for a program that does not wait; `lines` is how many requests may be on their way at one time."""

    def __init__(
        self, address: str, *, trust: str = "", patience: float = 30.0, timeout: float = 30.0, lines: int = 100
    ) -> None:
        self._asking, self._patience = _Asking(address.rstrip("/")), patience
        trusted, limits = ssl.create_default_context(cafile=trust or None), httpx.Limits(max_connections=lines)
        self._http = httpx.AsyncClient(base_url=self._asking.address, verify=trusted, timeout=timeout, limits=limits)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def ask(self, call: HouseCall[T]) -> T:
        until = time.monotonic() + self._patience
        while True:
            try:
                answer = await self._http.request(**self._asking.spelled(call))
                if not (call.again and answer.status_code in AGAIN and time.monotonic() < until):
                    return self._asking.understood(call, answer)
            except httpx.TransportError as error:
                # What never reached the house may be sent again, whatever it is.
                if not (call.again or isinstance(error, httpx.ConnectError)) or time.monotonic() > until:
                    raise
            await asyncio.sleep(PAUSE_SECONDS)

    async def follow(self, after: int = 0, *, key: str = "", ticket: str = "") -> AsyncIterator[FeedEvent]:
        while True:
            for event in (await self.ask(events(after, wait=WAIT_SECONDS, key=key, ticket=ticket))).events:
                if event.id > after:
                    yield event
                    after = event.id
