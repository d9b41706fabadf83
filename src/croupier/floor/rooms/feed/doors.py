"""The doors of the feed of events: reading it from any number on, following it, and how the webhooks fare.

`GET /api/events?after=N` answers with the events after N.  With `wait` the answer comes when there is one.  Whoever
accepts `text/event-stream` gets them as they come, as server-sent events, and goes on by `Last-Event-ID` after a line
was lost.  A system shows a key of its own (`Authorization: Bearer …`, named under `[feed]` in the settings); an
inspector or a manager shows a ticket.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import msgspec
from starlette.responses import Response, StreamingResponse

from croupier.floor.doors.common import HEADERS, answer, bearer
from croupier.floor.doors.door import Asked, Door, Parameter, whole
from croupier.floor.doors.permissions import INSPECTORS
from croupier.floor.keeping.credentials.tickets import NoTicket
from croupier.floor.keeping.house import House
from croupier.floor.keeping.telling.feed import EventFeed, MovedMoney
from croupier.floor.store.appends import Stopped

MOST: Final = 1_000
USUAL: Final = 200
LONGEST_WAIT: Final = 30
BEAT_SECONDS: Final = 15.0
LAST: Final = 2**53
STREAM: Final = "text/event-stream"


class ServedEvent(msgspec.Struct, frozen=True):
    """An event of the feed: a line of a journal as it was written, and the money that it moved."""

    id: int
    journal: str
    line: int
    entry: dict[str, Any]
    money: tuple[MovedMoney, ...] = ()


class ServedEvents(msgspec.Struct, frozen=True):
    """Events in order, and the number of the last there is."""

    events: tuple[ServedEvent, ...]
    last: int


class ListedWebhook(msgspec.Struct, frozen=True):
    """How a webhook fares: the last event that it took, how many there are since, and why it fails if it does."""

    name: str
    took: int
    behind: int
    tries: int
    reason: str = ""


class ListedWebhooks(msgspec.Struct, frozen=True):
    webhooks: tuple[ListedWebhook, ...]


def _number(asked: Asked[None], name: str, usual: int, most: int) -> int:
    found = asked.whole(name, usual)
    if not 0 <= found <= most:
        raise ValueError(f"{name}: 0 to {most}, not {found}")
    return found


async def events(asked: Asked[None]) -> Response:
    feed, after, may_read = asked.house.feed, _number(asked, "after", 0, LAST), _reader(asked)
    most, wait = _number(asked, "most", USUAL, MOST), _number(asked, "wait", 0, LONGEST_WAIT)
    if STREAM in asked.request.headers.get("accept", ""):
        seen = asked.request.headers.get("last-event-id", "")
        return _followed(asked.house, int(seen) if seen.isdecimal() and len(seen) < 16 else after, may_read)
    if wait:
        await feed.wait(after, wait)
        may_read()
    found = await asyncio.to_thread(feed.page, after, most)
    return answer({"events": found, "last": feed.last})


def _reader(asked: Asked[None]) -> Callable[[], None]:
    """What refuses whoever asks once they may read no more: an answer that goes on ends with its ticket."""
    house, shown = asked.house, asked.request.headers.get("authorization", "")
    if house.demo or bearer(house, shown):
        return lambda: None
    ticket = asked.ticket
    return lambda: house.check(ticket)


def _followed(house: House, after: int, may_read: Callable[[], None]) -> Response:
    headers = {**HEADERS, "X-Accel-Buffering": "no"}
    return StreamingResponse(_stream(house, house.feed, after, may_read), headers=headers, media_type=STREAM)


async def _stream(house: House, feed: EventFeed, after: int, may_read: Callable[[], None]) -> AsyncIterator[bytes]:
    """Server-sent events, and a word now and then so that nobody takes the line for dead."""
    yield b": the feed of events\n\n"
    while not house.closing.is_set():
        await feed.wait(after, BEAT_SECONDS)
        found = await asyncio.to_thread(feed.page, after, USUAL)
        try:
            # Where they were shut out at another process, the news of it may be slower than the next event.
            await house.known_now()
            may_read()
        except (NoTicket, Stopped):
            return
        for event in found:
            yield b"id: %d\ndata: %s\n\n" % (event.id, msgspec.json.encode(event))
        after = found[-1].id if found else after
        if not found:
            yield b": still here\n\n"


async def webhooks(asked: Asked[None]) -> Response:
    hooks, last = asked.house.webhooks, asked.house.feed.last
    await hooks.keeper.follow()
    known = hooks.keeper.shown
    return answer(
        ListedWebhooks(
            tuple(
                ListedWebhook(
                    hook.name,
                    took := known.took.get(hook.name, 0),
                    last - took,
                    hooks.tries.get(hook.name, 0),
                    hooks.reasons.get(hook.name, known.failing.get(hook.name, "")),
                )
                for hook in hooks.hooks
            )
        )
    )


DOORS: Final = (
    Door(
        "GET /api/events",
        events,
        "feed",
        "Everything that happened after an event, in order, each event once.",
        ServedEvents,
        shown="ticket",
        demo="nothing",
        roles=INSPECTORS,
        key=True,
        parameters=(
            Parameter("after", "The last event that the asker knows; 0: none.", whole(LAST, 0)),
            Parameter("most", "The most events of one answer.", whole(MOST, 0)),
            Parameter("wait", "Seconds to wait for an event, if there is none yet.", whole(LONGEST_WAIT, 0)),
        ),
        ends=(422,),
        says="A system shows its key (Authorization: Bearer); text/event-stream gives server-sent events.",
    ),
    Door(
        "GET /api/webhooks",
        webhooks,
        "feed",
        "How the webhooks fare.",
        ListedWebhooks,
        shown="ticket",
        roles=INSPECTORS,
    ),
)
