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
import ssl
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from ipaddress import ip_address
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn

from croupier.errors import NotPermitted
from croupier.floor.addresses import is_loopback, origins_of
from croupier.floor.app import create_app
from croupier.floor.doors.lines import gate_for, protocols
from croupier.floor.doors.turns import RECEIVED, SENT
from croupier.floor.keeping.accounts import Accounts, Hashing, first_account, read_hashing
from croupier.floor.keeping.clock import clock_ms
from croupier.floor.keeping.house import House, open_house
from croupier.floor.keeping.links import PlannedLink
from croupier.floor.keeping.planned import Planned
from croupier.floor.keeping.telling.webhooks import read_webhook
from croupier.floor.logs import start_log
from croupier.floor.places import data_folder, key_for
from croupier.floor.rooms.inspector.proofs import announce
from croupier.floor.settings import LinkSettings, Settings, TableSettings
from croupier.own import KNOWN_HERE, named

BACKLOG = 128
HANDED_OVER = 3
"""The first descriptor that systemd hands over (sd_listen_fds)."""
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
        if self.started:
            _tell_systemd("READY=1")

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if sig != signal.SIGTERM or self._loop is None or self._house.closing.is_set():
            super().handle_exit(sig, frame)
        else:
            self._house.closing.set()
            _tell_systemd("STOPPING=1")
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


def serve(
    settings: Settings, *, demo: bool, pace: str = "", greeting: str = "", proofs: Mapping[str, str] | None = None
) -> None:
    """Run the house until it is interrupted; a demonstration greets with a text of its own.

    `proofs` are those that the inspector can start, each with what it shows.
    """
    paced, server = read_pace(pace), settings.server
    if demo and not is_loopback(server.host):
        raise ValueError(f"a demonstration answers this machine only, not {server.host}")
    start_log(server.log)
    try:
        tables = tuple(planned(each, settings.links) for each in settings.tables)
        links = tuple(map(planned_link, settings.links))
        if server.certificate:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(server.certificate, server.certificate_key)
        with ExitStack() as unless_opened:
            listening = unless_opened.enter_context(_listen(server.host, server.port))
            for kept, most in ((socket.SO_RCVBUF, RECEIVED), (socket.SO_SNDBUF, SENT)):
                listening.setsockopt(socket.SOL_SOCKET, kept, most)
            scheme = "https" if server.certificate else "http"
            address = f"{scheme}://{_reached(server.host)}:{listening.getsockname()[1]}"
            house = _opened(settings, address, demo=demo)
            # Whoever asks one process alone waits until it is open; where there are others, it is for them to answer.
            if not house.store.opened.shared:
                listening.listen(BACKLOG)
            unless_opened.pop_all()
    except ssl.SSLError as error:
        raise ValueError(f"{server.certificate}: no certificate with its key: {error.reason or error}") from None
    except OSError as error:
        raise ValueError(str(error)) from None
    if demo or any(each.practice for each in tables):
        tables, links = _with_practice(house, tables, links, paced)
    house.planned_links = links
    announce(house, proofs or {})
    print(greeting if demo else _first_start(house), flush=True)
    print(f"The house is open: {address}  (Ctrl-C stops it)", flush=True)
    app = create_app(house, tables)
    gate = gate_for(server.lines, server.lines_per_address, server.proxies)
    gate.turns.busy = lambda: bool(house.store.lookups.asked)
    config = uvicorn.Config(
        app,
        log_config=None,
        timeout_graceful_shutdown=LAST_SECONDS,
        proxy_headers=bool(server.proxies),
        forwarded_allow_ips=list(server.proxies),
        ssl_certfile=server.certificate or None,
        ssl_keyfile=server.certificate_key or None,
        **protocols(gate),
    )
    with suppress(KeyboardInterrupt):
        Stopping(config, house, 0.0 if demo else server.grace_seconds).run(sockets=[listening])
    print("Stopped.", flush=True)


def _with_practice(
    house: House, tables: tuple[Planned, ...], links: tuple[PlannedLink, ...], pace: tuple[float, ...]
) -> tuple[tuple[Planned, ...], tuple[PlannedLink, ...]]:
    """Let the practice tables play; a demonstration has tables and a link of its own.

    Only here is the room of practice imported, so a house without practice tables does not have it in its process.
    """
    from croupier.floor.practice import demonstration
    from croupier.floor.practice.dealer import Pace
    from croupier.floor.practice.room import practise

    practise(house, Pace(*pace))
    return (demonstration.TABLES + tables, demonstration.LINKS + links) if house.demo else (tables, links)


def _opened(settings: Settings, address: str, *, demo: bool) -> House:
    server, store = settings.server, settings.store
    hooks = tuple(read_webhook(each.name, each.url, Path(each.secret)) for each in settings.webhooks)
    url = store.url or f"sqlite:///{_folder(demo=demo)}/house.db"
    house = open_house(
        url,
        key_for(url, store.key),
        demo=demo,
        hashing=_hashing(settings),
        origins=origins_of(server.host, server.origins),
        address=server.address or address,
        lease_seconds=store.lease_seconds,
        witness=store.witness,
        second=Path(store.second) if store.second else None,
    )
    house.snapshot_lines, house.voucher_days = store.snapshot_lines, settings.cage.voucher_days
    house.peers.trust = server.certificate
    house.feed.readers = dict(settings.feed.readers)
    house.webhooks.hooks = hooks
    house.significant.large_win = settings.significant.large_win
    if house.factors is not None:
        house.factors.wanted = settings.people.second_factor
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
    try:
        edition = named(table.edition)
    except ValueError as error:
        raise ValueError(f"table {table.name}: {error}") from None
    if edition in KNOWN_HERE and not table.practice:
        raise ValueError(f"table {table.name}: {edition} is not gazetted, so that it is for practice = true only")
    made = Planned(
        table.name,
        edition,
        table.game,
        table.version,
        _sign(table, links),
        practice=table.practice,
        elections=table.elections,
        readings=table.readings,
    )
    try:
        made.rules()
    except (ValueError, NotPermitted) as error:
        raise ValueError(f"table {table.name}: {error}") from None
    return made


def read_pace(text: str) -> tuple[float, ...]:
    """Seconds of betting, between cards, between acts, and, if it is said, for a choice: `12,0.9,0.35,15`."""
    try:
        seconds = tuple(float(part) for part in text.split(",")) if text else ()
    except ValueError:
        seconds = (0.0,)
    if len(seconds) not in (0, 3, 4):
        raise ValueError(f"--pace takes three or four numbers of seconds, like 12,0.9,0.35,15: {text!r:.40}")
    return seconds


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
    """The address to answer at; where systemd holds it for the house, the one that it hands over."""
    if os.environ.get("LISTEN_PID") == str(os.getpid()) and os.environ.get("LISTEN_FDS", "0") != "0":
        return socket.socket(fileno=HANDED_OVER)
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        why = f"port {port} of {host} cannot be had ({error.strerror}); choose another with --port"
        raise ValueError(why) from None
    return listening


def _tell_systemd(word: str) -> None:
    """Where systemd waits to hear how the server is (`Type=notify`): a restart of one has then ended before another."""
    where = os.environ.get("NOTIFY_SOCKET", "")
    if where:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.sendto(word.encode(), f"\0{where[1:]}" if where.startswith("@") else where)


def _reached(host: str) -> str:
    """The host of the address that other machines are told: an address that stands for all is nobody's."""
    try:
        known = ip_address(host)
    except ValueError:
        return host
    if known.is_unspecified:
        return socket.gethostname()
    return f"[{host}]" if known.version == 6 else host
