"""The doors of whoever looks after the house: that it lives, what it counts, and what its doors are.

Other processes of the same house come in here too; they show that they know its secret.
"""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address
from typing import Any, Final

import msgspec
from starlette.responses import Response
from starlette.websockets import WebSocket

from croupier.floor.doors import answers as a
from croupier.floor.doors.common import HEADERS, answer, bearer, no
from croupier.floor.doors.door import Asked, Door, LineDoor, Media
from croupier.floor.doors.turns import known
from croupier.floor.keeping.clock import clock_ms
from croupier.floor.keeping.house import House
from croupier.floor.keeping.metrics import KIND, exposition
from croupier.floor.keeping.peers import PATH, PassedBack, PassedOn, answer_peer


async def health(asked: Asked[None]) -> Response:
    return answer({"alive": True, "tables": len(asked.house.hosts), "at_ms": clock_ms()})


async def ready(asked: Asked[None]) -> Response:
    reason = asked.house.unready
    return no(reason, 503) if reason else answer({"ready": True, "tables": len(asked.house.hosts), "at_ms": clock_ms()})


async def metrics(asked: Asked[None]) -> Response:
    money = _is_here(asked.address) or bool(bearer(asked.house, asked.request.headers.get("authorization", "")))
    return Response(exposition(asked.house.metrics, asked.house, money=money), headers=dict(HEADERS), media_type=KIND)


def _is_here(address: str) -> bool:
    """Whether somebody asks from the machine itself."""
    try:
        here = ip_address(address)
    except ValueError:
        return False
    return (getattr(here, "ipv4_mapped", None) or here).is_loopback


async def peers(house: House, _: LineDoor, socket: WebSocket) -> None:
    await answer_peer(socket, house.secret, house.keeper, house.address, met=lambda: known(socket.scope))


DOORS: Final = (
    Door("GET /health", health, "house", "Whether the house lives.", a.Health),
    Door(
        "GET /health/ready",
        ready,
        "house",
        "Whether the house takes work now; 503 while it stops or its store cannot keep up.",
        a.Ready,
        ends=(503,),
    ),
    Door(
        "GET /metrics",
        metrics,
        "house",
        "What the running house counts, for Prometheus.",
        Media((KIND.partition(";")[0],)),
        says="The balances are told on the machine itself, or for a key of `[feed]`: `Authorization: Bearer …`.",
    ),
    LineDoor(
        f"WS {PATH}",
        peers,
        "house",
        "The line between processes of the house.",
        PassedOn,
        PassedBack,
        says="The first message is text that proves knowledge of the house's secret.",
    ),
)


def description(document: Callable[[House], dict[str, Any]]) -> tuple[Door, ...]:
    """The doors of the description itself, which can be made only where all doors are known."""

    written: dict[bool, msgspec.Raw] = {}

    async def described(asked: Asked[None]) -> Response:
        # It is long and always the same, and anybody may ask for it.
        demo = asked.house.demo
        if demo not in written:
            written[demo] = msgspec.Raw(msgspec.json.encode(document(asked.house)))
        return answer(written[demo])

    return (
        Door("GET /openapi.json", described, "house", "This document.", dict[str, Any]),
        Door("HEAD /openapi.json", described, "house", "That this document is there.", None),
    )
