"""Starting the house: the store, its tables, the pages, until somebody stops it.

A demonstration keeps its journal in a new file unless a database is named, and lets anybody enter in any role; so it
listens on a loopback address and on no other.
"""

from __future__ import annotations

import socket
import sys
import tempfile
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import NoReturn

import uvicorn

from croupier.floor.api import create_app
from croupier.floor.demo import compute
from croupier.floor.engines import BadStore
from croupier.floor.heads import BadKey
from croupier.floor.house import DEMONSTRATION, open_house
from croupier.floor.page import text
from croupier.floor.virtual import Pace

LOOPBACK = "127.0.0.1"
SCHEME = "http://"
BAD_INPUT = 2


def serve(port: int, *, demo: bool, db: str = "", key: str = "", host: str = LOOPBACK, pace: str = "") -> None:
    """Run the house until it is interrupted."""
    if not demo:
        _refuse("there are no accounts yet; start the demonstration with --demo")
    if not _is_loopback(host):
        _refuse(f"a demonstration answers this machine only, not {host}")
    paced = read_pace(pace)
    try:
        listening = _listen(host, port)
    except OSError as error:
        _refuse(f"port {port} of {host} cannot be had ({error.strerror}); choose another with --port")
    folder = Path(tempfile.mkdtemp(prefix="croupier-")) if not (db and key) else Path()
    try:
        house = open_house(db or f"sqlite:///{folder}/house.db", Path(key or folder / "house.key"), demo=demo)
    except (BadStore, BadKey) as error:
        _refuse(str(error))
    app = create_app(house, DEMONSTRATION, paced)
    address = f"{SCHEME}{host}:{listening.getsockname()[1]}"
    print(f"{text(compute())}\n\nThe house is open: {address}  (Ctrl-C stops it)", flush=True)
    config = uvicorn.Config(app, log_level="warning", ws="websockets-sansio", ws_per_message_deflate=False)
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
    print("Stopped.", flush=True)


def read_pace(text: str) -> Pace:
    """Seconds of betting, between cards, between acts: `12,0.9,0.35`."""
    if not text:
        return Pace()
    try:
        betting, card, act = (float(part) for part in text.split(","))
    except ValueError:
        _refuse(f"--pace takes three numbers of seconds, like 12,0.9,0.35: {text!r:.40}")
    return Pace(betting, card, act)


def _listen(host: str, port: int) -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((host, port))
    listening.listen(128)
    return listening


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _refuse(reason: str) -> NoReturn:
    print(f"croupier: {reason}", file=sys.stderr)
    raise SystemExit(BAD_INPUT)
