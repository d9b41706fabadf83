"""The way of a wager is the one that `docs/architecture.md` tells: its functions, in its order, and no more than 25."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from starlette.applications import Starlette
from starlette.types import Message

from croupier.floor.app import create_app
from croupier.floor.doors.turns import LINE
from croupier.floor.keeping.accounts import Hashing
from croupier.floor.keeping.house import House, open_house
from croupier.floor.keeping.planned import Planned
from tests.helpers.places import ROOT

ROW = re.compile(r"^\| \d+ \| `([\w.]+)` \|", re.MULTILINE)
MOST = 25
REST_SECONDS = 2.5
PATH = "/api/tables/B-1/live"
SIGN: dict[str, Any] = {"minimum": 1_000, "maximum": 100_000, "chip": 100, "supervisor": "sue"}
SOURCE = str(ROOT / "src" / "croupier") + "/"


class Called:
    """The functions that are called in every thread that begins after this, while it listens."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.listening = False

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if self.listening and event == "call" and code.co_filename.startswith(SOURCE):
            module = code.co_filename.removeprefix(SOURCE).removesuffix(".py").replace("/", ".")
            self.names.append(f"{module}.{code.co_qualname}")

    @contextmanager
    def installed(self) -> Iterator[Called]:
        threading.setprofile(self)
        try:
            yield self
        finally:
            threading.setprofile(None)
            sys.setprofile(None)


class Line:
    """A page's line to the application, without a network between them (an `outbox.OpenLine`)."""

    has_room = True
    when_room: Callable[[], None]

    def __init__(self, app: Starlette, ticket: str, *, waits: bool = False) -> None:
        self.app, self.waits = app, waits
        self.at_once: Callable[[str], bool] = lambda _: False
        self.in_hand, self.meanwhile = False, list[Message]()
        self.sent: asyncio.Queue[Message] = asyncio.Queue()
        self.told: asyncio.Queue[Message] = asyncio.Queue()
        self.receive = self.sent.get
        self.sent.put_nowait({"type": "websocket.connect"})
        self.say({"type": "Hello", "ticket": ticket})

    async def __aenter__(self) -> Line:
        headers = [(b"host", b"house"), (b"origin", b"http://house")]
        scope: dict[str, Any] = {"type": "websocket", "path": PATH, "headers": headers, "query_string": b""}
        scope |= {"client": ("127.0.0.1", 1), LINE: self}
        self.task = asyncio.create_task(self.app(scope, self.sent.get, self.told.put))
        await self.heard("View")
        return self

    def tell(self, texts: Iterable[bytes]) -> None:
        for text in texts:
            self.told.put_nowait({"type": "websocket.send", "text": text.decode()})

    def cut(self) -> None:
        raise AssertionError("an honest line was cut")

    def answered(self) -> None:
        self.in_hand = False
        for message in self.meanwhile:
            self.sent.put_nowait(message)
        self.meanwhile.clear()

    async def __aexit__(self, *_: object) -> None:
        self.sent.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self.task

    def say(self, message: dict[str, Any]) -> None:
        """What a line hears at once is heard so, unless whoever listens there has it all (`waits`)."""
        text, heard = json.dumps(message), {"type": "websocket.receive"}
        if self.in_hand:
            self.meanwhile.append({**heard, "text": text})
        elif not self.waits and self.at_once(text):
            self.in_hand = True
        else:
            self.sent.put_nowait({**heard, "text": text})

    async def heard(self, kind: str) -> dict[str, Any]:
        """The next message of a kind."""
        async with asyncio.timeout(30):
            while True:
                message = json.loads((await self.told.get()).get("text") or "{}")
                if message.get("type") == kind:
                    return dict(message)

    async def ask(self, **command: Any) -> dict[str, Any]:
        self.say({"type": "Do", "id": secrets.token_hex(16), "command": command})
        return await self.heard("Answer")


async def at_rest(house: House) -> None:
    """Until the house has told all that came before: its feed and its significant events follow by themselves."""
    since, lines = time.monotonic(), -1
    while time.monotonic() - since < REST_SECONDS:
        await asyncio.sleep(0.1)
        if (now := sum(house.store.last(name)[0] for name in house.store.tables())) != lines:
            since, lines = time.monotonic(), now


async def placed(folder: Path, called: Called) -> None:
    """One wager, at a table of a house that runs; what is called for it is listened to."""
    house = open_house(f"sqlite:///{folder}/house.db", folder / "key", demo=True, hashing=Hashing(1, 64, 1))
    app = create_app(house, (Planned("B-1", "nz1998", "baccarat", "", SIGN),))
    async with app.router.lifespan_context(app):
        async with Line(app, house.ticket("dan", "dealer", "B-1")) as desk:
            assert (await desk.ask(type="Sit", player="ann", seat=1))["done"]
            assert (await desk.ask(type="BuyChips", player="ann", amount=50_000))["done"]
        async with Line(app, house.ticket("ann", "player", "B-1")) as page:
            await at_rest(house)
            called.listening = True
            sys.setprofile(called)
            answer = await page.ask(type="PlaceWager", player="ann", on="banker", amount=10_000)
            sys.setprofile(None)
            called.listening = False
            assert answer["done"]


def test_a_wager_goes_the_way_that_is_written_down(tmp_path: Path) -> None:
    way = ROW.findall((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"))
    assert 0 < len(way) <= MOST
    with Called().installed() as called:
        asyncio.run(placed(tmp_path, called))
    assert [name for name in way if name not in called.names] == []
    met = sorted(way, key=called.names.index)
    assert met == way
