"""The people of a house from the machine itself: `croupier people`.

Whoever can write to the database's machine may do this, under the name "console", and each act is a line of the journal
as any other.  Where the house is running, its store is taken: then a manager does the same in the house itself.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any

from croupier.floor.keeping.accounts import Accounts, read_hashing
from croupier.floor.keeping.clock import clock_ms
from croupier.floor.places import key_for
from croupier.floor.store.appends import AccountRow, Stopped
from croupier.floor.store.durable import open_reader, open_store
from croupier.floor.store.engines import there, told_plainly
from croupier.floor.wire import Answer
from croupier.house.people import messages as m
from croupier.house.people.decide import CONSOLE

Work = Callable[[Accounts], Awaitable[tuple[Answer, str]]]


def add(db: str, key: str, name: str, roles: tuple[str, ...], *, pin: bool) -> dict[str, Any]:
    kind: m.Kind = "pin" if pin else "password"
    return _acted(db, key, name, lambda all_: all_.make(name, roles, kind=kind, by=CONSOLE, role=CONSOLE))


def reset(db: str, key: str, name: str) -> dict[str, Any]:
    return _acted(there(db), key, name, lambda all_: all_.reset(name, by=CONSOLE, role=CONSOLE))


def disable(db: str, key: str, name: str) -> dict[str, Any]:
    return _acted(there(db), key, name, lambda all_: _asked(all_, m.Disable(name, "at the console")))


def unlock(db: str, key: str, name: str) -> dict[str, Any]:
    return _acted(there(db), key, name, lambda all_: _asked(all_, m.Unlock(name)))


def listed(db: str) -> dict[str, Any]:
    """Everybody, as the database has them; without the verifiers."""
    with open_reader(db) as store, told_plainly(store.opened.name):
        now = clock_ms()
        return {
            "people": [
                {"name": row.name, "roles": row.roles, "by": row.kind} | {"state": _state(row, now)}
                for row in store.accounts()
            ]
        }


def _state(row: AccountRow, now_ms: int) -> str:
    if row.disabled:
        return "disabled"
    if row.locked_until_ms > now_ms:
        return "locked"
    return "to set a password" if row.must_change else "active"


async def _asked(accounts: Accounts, what: m.AnyCommand) -> tuple[Answer, str]:
    return await accounts.ask(what, by=CONSOLE, role=CONSOLE), ""


def _acted(db: str, key: str, name: str, work: Work) -> dict[str, Any]:
    """Do it, and tell the password for one use if there is one."""
    hashing = read_hashing(os.environ.get("CROUPIER_ARGON2", ""))
    with open_store(db, key_path=key_for(db, key)) as store:
        try:
            answer, secret = asyncio.run(_done(Accounts(store, clock_ms, hashing), work))
        except Stopped as error:
            raise ValueError(str(error)) from error
    if not answer.done:
        raise ValueError(answer.reason)
    return {"name": name} | ({"one_time": secret} if secret else {})


async def _done(accounts: Accounts, work: Work) -> tuple[Answer, str]:
    await accounts.start()
    made = await work(accounts)
    await accounts.sign()
    return made
