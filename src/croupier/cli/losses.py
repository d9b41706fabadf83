"""Accepting a loss: `croupier accept-loss`, by two people with their own passwords.

A database that is behind its witness, or whose log was damaged, does not open.  If nothing newer can be restored, two
people of the house, at least one of them a casino manager or the inspector, accept it here: both prove who they are by
the accounts in that database, a line of the journal of the people says what they accepted, and the witness is told that
the lost lines count no more.  A damaged log is kept beside the database.

Where lines about the people are lost, nobody knows who was shut out in them.  So every account but those of the two is
disabled, and those who manage let the others in again, one by one; the last casino manager stays, so that somebody can.
"""

from __future__ import annotations

import asyncio
import os
from typing import Any

from croupier.floor.keeping.accounts import Accounts, read_hashing
from croupier.floor.keeping.clock import clock_ms
from croupier.floor.places import key_for
from croupier.floor.store.copies.witnesses import Accepted, accept
from croupier.floor.store.durable import Store, open_store
from croupier.floor.store.engines import log_damage, loss_accepted, parsed_url, path_of, set_aside, there
from croupier.floor.store.opening import Behind, behind
from croupier.house.people import messages as m
from croupier.house.people.decide import CONSOLE, JOURNAL, Person
from croupier.journal.names import plain
from croupier.law.officials import CASINO_MANAGER, INSPECTOR

LOG = "the write-ahead log, by its frames"
"""What a damaged log is called among the tables whose lines are lost."""
SHUT_OUT = "lines about the people were lost: who manages lets in again whom they know"
NOT_THESE = "a loss is accepted by two different people with their passwords, one of them a casino manager or inspector"


def accepted(db: str, key: str, witness: str, people: tuple[tuple[str, str], tuple[str, str]]) -> dict[str, Any]:
    """What was accepted, table by table."""
    hashing = read_hashing(os.environ.get("CROUPIER_ARGON2", ""))
    path = path_of(parsed_url(db)) if parsed_url(there(db)).get_backend_name() == "sqlite" else None
    found = log_damage(path) if path is not None else None
    if path is not None and found is not None:
        set_aside(path)
    with open_store(db, key_path=key_for(db, key), witness=witness, whole=found is None) as store:
        log = (Behind(LOG, found.frame, max(0, found.frame - 1)),) if found is not None else ()
        lost = (*behind(store), *log)
        if lost:
            asyncio.run(_accepted(store, Accounts(store, clock_ms, hashing), lost, people))
    if path is not None:
        loss_accepted(path, clock_ms())
    return {"accepted": [{"table": each.table, "witnessed": each.number, "kept": each.last} for each in lost]}


async def _accepted(
    store: Store, accounts: Accounts, lost: tuple[Behind, ...], people: tuple[tuple[str, str], tuple[str, str]]
) -> None:
    await accounts.start()
    tried = [await accounts.tried(name, secret, purpose="a loss") for name, secret in people]
    first, second = _two(*tried)
    for each in lost:
        what = m.AcceptLoss(each.table, each.number, each.last, second.name)
        answer = await accounts.ask(what, by=first.name, role=CASINO_MANAGER)
        if not answer.done:
            raise ValueError(answer.reason)
    assert store.key is not None
    assert store.writer is not None
    if any(each.table in (JOURNAL, LOG) for each in lost):
        await _shut_out(accounts, {plain(first.name), plain(second.name)})
    # What was signed until now is given up, also if the clock was set back since.
    now = max((clock_ms(), *(head.at_ms for head in store.witnessed_heads())))
    given_up = [
        accept(store.key, Accepted(each.table, each.last, now, first.name, second.name, store.key.public))
        for each in lost
    ]
    for witness in store.writer.witnesses:
        witness.bear(given_up)
    await accounts.sign()


async def _shut_out(accounts: Accounts, but: set[str]) -> None:
    """Disable everybody but these; the last casino manager cannot be."""
    for person in tuple(accounts.people.by_name.values()):
        if plain(person.name) not in but and not person.disabled:
            await accounts.ask(m.Disable(person.name, SHUT_OUT), by=CONSOLE, role=CONSOLE)


def _two(first: Person | None, second: Person | None) -> tuple[Person, Person]:
    if first is None or second is None or plain(first.name) == plain(second.name):
        raise ValueError(NOT_THESE)
    if not {CASINO_MANAGER, INSPECTOR} & {*first.roles, *second.roles}:
        raise ValueError(NOT_THESE)
    return first, second
