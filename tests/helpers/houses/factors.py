"""Second factors for tests: a telephone that makes codes, and a walk through their doors."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

from pyotp import TOTP

STEP = 30
Ask = Callable[..., Awaitable[Any]]


class Telephone:
    """What makes codes: the next one each time, because one counts once."""

    def __init__(self, secret: str) -> None:
        self.totp, self.step = TOTP(secret), int(time.time()) // STEP - 2

    def code(self) -> str:
        """A code that was not shown before; it waits for the next one if it must."""
        self.step = max(self.step + 1, int(time.time()) // STEP - 1)
        while self.step > int(time.time()) // STEP + 1:
            time.sleep(0.2)
        return str(self.totp.generate_otp(self.step))


async def visit_factors(ask: Ask, lent: dict[str, str], password: str, headers: dict[str, str]) -> None:
    """Every door of second factors, by somebody who is signed in and has lent a role."""
    wanted = {"kind": "passkey", "password": password}
    await ask("POST /api/factors/offer", body=wanted, headers=headers)
    offered = await ask("POST /api/factors/offer", body=wanted | {"kind": "totp"}, headers=headers)
    telephone = Telephone(offered["secret"])
    added = {"offer": offered["offer"], "shown": {"code": telephone.code()}}
    await ask("POST /api/factors", body=added, headers=headers)
    listed = await ask("GET /api/factors")
    await ask("POST /api/factors/challenge", headers=headers)
    asked = {"ticket": lent["ticket"], "command": lent["command"]}
    await ask("POST /api/step-up/challenge", body=asked)
    await ask("POST /api/step-up", body=asked | {"shown": {"code": telephone.code()}})
    removed = {"factor": listed["factors"][0]["id"], "shown": {"code": telephone.code()}}
    await ask("POST /api/factors/remove", body=removed, headers=headers)
