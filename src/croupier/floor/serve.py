"""Starting the house: the store, its tables, the pages, until somebody stops it.

A demonstration keeps its journal in a new file unless a database is named, and lets anybody enter in any role; so it
listens on a loopback address and on no other.  Any other house has accounts.  It has no default password: the first
start makes one casino manager and tells a password for one use, once.  Its journal is kept in the user's folder for
such data, unless a database and a key are named.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import tempfile
from contextlib import ExitStack, suppress
from ipaddress import ip_address
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn

from croupier.floor.accounts import Accounts, Hashing, first_account, read_hashing
from croupier.floor.api import create_app
from croupier.floor.demo import compute
from croupier.floor.guard import origins_of
from croupier.floor.house import DEMONSTRATION, DEMONSTRATION_LINKS, House, Planned, clock_ms, open_house
from croupier.floor.links_host import PlannedLink
from croupier.floor.logs import start_log
from croupier.floor.page import text
from croupier.floor.places import data_folder, key_for
from croupier.floor.settings import LinkSettings, Settings, TableSettings
from croupier.floor.virtual import Pace
from croupier.law.model import NotPermitted

SCHEME = "http://"
LAST_SECONDS = 5
"""How long a page that reads something long may hold up the end."""


COLLECTED = (50_000, 20, 100)
"""New objects before a look at the young ones; looks before one at the older, and at the oldest."""


class Stopping(uvicorn.Server):
    """A server that lets the rounds in hand end before it stops; asked a second time, it stops at once."""

    def __init__(self, config: uvicorn.Config, house: House, grace_seconds: float) -> None:
        super().__init__(config)
        self._house, self._grace_seconds = house, grace_seconds
        self._loop: asyncio.AbstractEventLoop | None = None
        self._draining: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        calm_collector()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if sig != signal.SIGTERM or self._loop is None or self._house.closing.is_set():
            super().handle_exit(sig, frame)
        else:
            self._house.closing.set()
            self._loop.call_soon_threadsafe(self._drain)

    def _drain(self) -> None:
        async def drained() -> None:
            await self._house.drain(self._grace_seconds)
            self.should_exit = True

        self._draining = asyncio.create_task(drained(), name="waiting for the rounds in hand")


def calm_collector() -> None:
    """Let the garbage collector look at the past less often: at a large house its pauses are the longest waits.

    What is there when the house has opened stays; what comes later is rarely garbage in a circle.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED)


def serve(settings: Settings, *, demo: bool, pace: str = "") -> None:
    """Run the house until it is interrupted."""
    paced, server = read_pace(pace), settings.server
    if demo and not _is_loopback(server.host):
        raise ValueError(f"a demonstration answers this machine only, not {server.host}")
    start_log(server.log)
    try:
        tables = (DEMONSTRATION if demo else ()) + tuple(planned(each, settings.links) for each in settings.tables)
        with ExitStack() as unless_opened:
            listening = unless_opened.enter_context(_listen(server.host, server.port))
            address = f"{SCHEME}{server.host}:{listening.getsockname()[1]}"
            house = _opened(settings, address, demo=demo)
            unless_opened.pop_all()
        house.planned_links = (DEMONSTRATION_LINKS if demo else ()) + tuple(map(planned_link, settings.links))
    except OSError as error:
        raise ValueError(str(error)) from None
    print(f"{text(compute())}\n" if demo else _first_start(house), flush=True)
    print(f"The house is open: {address}  (Ctrl-C stops it)", flush=True)
    app = create_app(house, tables, paced)
    config = uvicorn.Config(
        app,
        log_config=None,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=LAST_SECONDS,
    )
    with suppress(KeyboardInterrupt):
        Stopping(config, house, 0.0 if demo else server.grace_seconds).run(sockets=[listening])
    print("Stopped.", flush=True)


def _opened(settings: Settings, address: str, *, demo: bool) -> House:
    server, store = settings.server, settings.store
    url = store.url or f"sqlite:///{_folder(demo=demo)}/house.db"
    house = open_house(
        url,
        key_for(url, store.key),
        demo=demo,
        hashing=_hashing(settings),
        origins=origins_of(server.host, loopback=_is_loopback(server.host), extra=server.origins),
        address=server.address or address,
        lease_seconds=store.lease_seconds,
    )
    house.snapshot_lines, house.voucher_days = store.snapshot_lines, settings.cage.voucher_days
    return house


def _hashing(settings: Settings) -> Hashing:
    people = settings.people
    asked = os.environ.get("CROUPIER_ARGON2", "")
    usual = Hashing(people.argon2_passes, people.argon2_memory_kib, people.argon2_lanes)
    return read_hashing(asked) if asked else usual


def planned_link(link: LinkSettings) -> PlannedLink:
    return PlannedLink(link.name, link.tables, link.pool_rate, link.seed, link.approval)


def _sign(table: TableSettings, links: tuple[LinkSettings, ...]) -> dict[str, Any]:
    """What a table is opened with; the jackpot wager is that of its link."""
    sign, link = table.sign(), next((each for each in links if table.name in each.tables), None)
    if link is None:
        return sign
    kinds = {**sign["kinds"], "jackpot": (link.wager, link.wager)}
    return {**sign, "jackpot": (link.seed, link.wager), "kinds": kinds}


def planned(table: TableSettings, links: tuple[LinkSettings, ...]) -> Planned:
    """A table of the settings, if the law knows such a table."""
    made = Planned(
        table.name,
        table.edition,
        table.game,
        table.version,
        _sign(table, links),
        virtual=table.practice,
        practice=table.practice,
        elections=table.elections,
        readings=table.readings,
    )
    try:
        made.rules()
    except (ValueError, NotPermitted) as error:
        raise ValueError(f"table {table.name}: {error}") from None
    return made


def read_pace(text: str) -> Pace:
    """Seconds of betting, between cards, between acts, and, if it is said, for a choice: `12,0.9,0.35,15`."""
    if not text:
        return Pace()
    try:
        betting, card, act, *choice = (float(part) for part in text.split(","))
        return Pace(betting, card, act, *choice)
    except (TypeError, ValueError):
        why = f"--pace takes three or four numbers of seconds, like 12,0.9,0.35,15: {text!r:.40}"
        raise ValueError(why) from None


def _first_start(house: House) -> str:
    """What is told when a house with accounts starts: at the first start, how its manager gets in."""
    accounts = Accounts(house.store, clock_ms, house.accounts.hashing if house.accounts else Hashing())
    made = asyncio.run(first_account(accounts))
    if made is None:
        return f"{len(accounts.people.by_name)} people have accounts here."
    name, secret = made
    return (
        "This house has no casino manager yet, so an account was made for one.\n"
        f"  name      {name}\n  password  {secret}\n"
        "The password is good for one use: another one is set at the first sign-in.  It is not told again."
    )


def _folder(*, demo: bool) -> Path:
    """Where a house is kept, if nobody says where; a demonstration is not kept."""
    return Path(tempfile.mkdtemp(prefix="croupier-")) if demo else data_folder()


def _listen(host: str, port: int) -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        why = f"port {port} of {host} cannot be had ({error.strerror}); choose another with --port"
        raise ValueError(why) from None
    listening.listen(128)
    return listening


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
