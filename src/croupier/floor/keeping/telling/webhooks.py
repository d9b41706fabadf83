"""Webhooks: the feed of events sent to other systems, each event until it was acknowledged.

Theory of operation.  What a receiver has taken is a journal, "@webhooks", kept by one process at a time; that process
sends each receiver the events after the last it took, signed, and waits for an acknowledgement that names the last
event of the message.  Anything else (an error, silence, a page that answers 200 to whatever comes) is no
acknowledgement: the same is sent again, after a second, then after twice as long each time.  A crash between the
acknowledgement and the line about it sends events again, so a receiver passes over numbers that it knows: each counts
once.  One that fails too often is reported: in the journal, in the log, in the metrics and at `/api/webhooks`.

The signature is that of the Standard Webhooks specification: the headers `webhook-id`, `webhook-timestamp` and
`webhook-signature`, which is `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from croupier.floor.keeping.keeper import Keeper, Kind, PassOn, new_id
from croupier.floor.keeping.telling.feed import EventFeed
from croupier.floor.keeping.telling.trying import Trying
from croupier.floor.store.copies.witnesses import asked_outside
from croupier.floor.store.durable import Store
from croupier.house.feed import hooks as book
from croupier.house.people.decide import CONSOLE

log = logging.getLogger(__name__)

MOST_EVENTS: Final = 200
ANSWER_SECONDS: Final = 10.0
LARGEST_ANSWER: Final = 1 << 16
LONGEST_WAIT: Final = 60.0
LOOK_SECONDS: Final = 1.0
REPORTED_AFTER: Final = 5
"""Tries after which a person should look."""

HOOKS: Kind[book.HooksSoFar] = Kind(
    book.decide, book.entries, book.after, book.encode, book.decode, request=book.HookAsked
)


@dataclass(frozen=True, slots=True)
class Webhook:
    """A receiver, and the secret that signs what is sent to it."""

    name: str
    url: str
    secret: bytes = field(repr=False)


def read_webhook(name: str, url: str, secret: Path) -> Webhook:
    """A receiver whose secret is in a file, which others cannot read."""
    try:
        text = secret.read_bytes().strip()
        if secret.stat().st_mode & 0o077:
            raise ValueError(f"webhook {name}: {secret} can be read by others; chmod 600 it")
    except OSError as error:
        raise ValueError(f"webhook {name}: {secret}: {error.strerror}") from None
    if not text:
        raise ValueError(f"webhook {name}: {secret} is empty")
    return Webhook(name, url, text)


class Received(msgspec.Struct, frozen=True):
    """What a receiver answers: the number of the last event of the message, which it has kept."""

    received: int


class Unacknowledged(Exception):
    """Why a message was not acknowledged, in one line."""


@dataclass(eq=False, slots=True)
class Webhooks:
    """The receivers of a house; `tries` counts how often each failed since it last took anything."""

    store: Store
    feed: EventFeed
    now_ms: Callable[[], int]
    hooks: tuple[Webhook, ...] = ()
    first_wait: float = 1.0
    answer_seconds: float = ANSWER_SECONDS
    keeper: Keeper[book.HooksSoFar] = field(init=False)
    tries: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.keeper = Keeper(self.store, book.JOURNAL, HOOKS, book.HooksSoFar(), book.HooksSoFar())

    async def start(self, pass_on: PassOn) -> None:
        self.keeper.pass_on = pass_on
        if self.hooks:
            await self.keeper.take_over()
        await self.keeper.follow()

    async def run(self, hook: Webhook) -> None:
        """Send one receiver everything, for ever."""
        trying = Trying(f"webhook {hook.name}")
        # A receiver that holds a line for ever holds up one thread, its own.
        with ThreadPoolExecutor(1, f"webhook {hook.name}") as thread:
            while True:
                if not await trying.once(self._looked(hook, thread)):
                    await asyncio.sleep(LOOK_SECONDS)

    async def _looked(self, hook: Webhook, thread: ThreadPoolExecutor) -> None:
        if await self._kept():
            await self._sent(hook, thread)
        else:
            await asyncio.sleep(LOOK_SECONDS)

    async def _kept(self) -> bool:
        if not self.keeper.owned:
            await self.keeper.take_over()
        return self.keeper.owned

    async def _sent(self, hook: Webhook, thread: ThreadPoolExecutor) -> None:
        """The next events, once they were acknowledged; or nothing, after a wait."""
        after = self.keeper.shown.took.get(hook.name, 0)
        await self.feed.wait(after, LOOK_SECONDS)
        events = await asyncio.to_thread(self.feed.page, after, MOST_EVENTS)
        if not events:
            return
        body = msgspec.json.encode({"webhook": hook.name, "last": events[-1].id, "events": events})
        headers = signed(hook.secret, f"{hook.name}-{events[-1].id}", self.now_ms() // 1000, body)
        loop = asyncio.get_running_loop()
        try:
            sending = loop.run_in_executor(thread, post, hook.url, headers, body, self.answer_seconds)
            async with asyncio.timeout(2 * self.answer_seconds):
                received = await asyncio.shield(sending)
            if received != events[-1].id:
                raise Unacknowledged(f"it acknowledged {received}, not {events[-1].id}")
        except (Unacknowledged, TimeoutError) as error:
            await self._failed(hook, str(error) or "it holds the line and does not answer")
            return
        if self.tries.pop(hook.name, 0) >= REPORTED_AFTER:
            log.warning("the webhook takes events again", extra={"webhook": hook.name})
        self.reasons.pop(hook.name, None)
        await self._ask(book.HookTook(hook.name, received))

    async def _failed(self, hook: Webhook, reason: str) -> None:
        tries = self.tries[hook.name] = self.tries.get(hook.name, 0) + 1
        self.reasons[hook.name] = reason
        if tries == REPORTED_AFTER:
            log.error("the webhook does not take events: %s", reason, extra={"webhook": hook.name, "tries": tries})
            await self._ask(book.HookFails(hook.name, tries, reason))
        await asyncio.sleep(min(LONGEST_WAIT, self.first_wait * 2 ** (tries - 1)))

    async def _ask(self, what: book.HookCommand) -> None:
        await self.keeper.ask(new_id(), book.HookAsked(what, CONSOLE, "", self.now_ms()))


def signed(secret: bytes, message: str, at: int, body: bytes) -> dict[str, str]:
    """The headers of a message."""
    text = f"{message}.{at}.".encode() + body
    mark = b64encode(hmac.new(secret, text, sha256).digest()).decode()
    return {
        "Content-Type": "application/json",
        "webhook-id": message,
        "webhook-timestamp": str(at),
        "webhook-signature": f"v1,{mark}",
    }


def _is_received(said: bytes) -> bool:
    try:
        return bool(msgspec.json.decode(said, type=Received))
    except msgspec.DecodeError:
        return False


def post(url: str, headers: dict[str, str], body: bytes, seconds: float) -> int:
    """The event that the receiver acknowledges."""
    asked = urllib.request.Request(url, data=body, headers=headers)
    try:
        said = asked_outside(asked, seconds=seconds, in_all=2 * seconds, largest=LARGEST_ANSWER, enough=_is_received)
        return msgspec.json.decode(said, type=Received).received
    except urllib.error.HTTPError as error:
        error.close()
        raise Unacknowledged(f"it answers {error.code}") from None
    except msgspec.DecodeError:
        raise Unacknowledged("its answer is no acknowledgement") from None
    except (OSError, ValueError) as error:
        raise Unacknowledged(str(error)) from None
