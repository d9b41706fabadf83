"""The terminals of a demonstration: pairing, the next free one for whoever enters, and slips.

Theory of operation.  An electronic table of the demonstration has an approved system and paired terminals.  The guests
play on the first of them.  Whoever enters is given the next free terminal with credits, paired in one tap: a
code is offered and used in the same moment, and the page keeps the secret as a device would.

The virtual dealer deals no card while a slip is owed.  A terminal that does not answer in time has its wagers returned
by a virtual supervisor.  While a terminal with wagers, or the system, is locked, nothing is dealt at all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Final

from croupier.floor.keeping.devices import ACCEPTOR, DeviceKeeping, NotDone
from croupier.floor.keeping.host import Host
from croupier.floor.keeping.keeper import new_id
from croupier.house.devices.decide import Device
from croupier.law.general import in_force
from croupier.law.officials import DEALER, GAME_SUPERVISOR
from croupier.money import LARGEST_AMOUNT
from croupier.table.commands import AnyCommand
from croupier.table.state import Table
from croupier.table.terminals import commands as t
from croupier.table.terminals.slips import unconfirmed

NAME: Final = "virtual dealer"
SUPERVISOR: Final = "virtual supervisor"
SYSTEM: Final = ("croupier", "practice only")
APPROVAL: Final = "practice only"
POLL_SECONDS: Final = 0.05
GUEST_CREDITS: Final = 200_000


called = t.usual_name


async def ask(host: Host, what: AnyCommand, *, by: str, role: str) -> bool:
    return (await host.ask(new_id(), what, by=by, role=role)).done


def on_terminals(table: Table) -> bool:
    """Whether players have terminals here: the law takes wagers on nothing else, or some were paired."""
    return in_force(table.layout.terminals_only) or bool(table.terminals)


# ---------------------------------------------------------------- setting up


async def set_up(host: Host, guests: Iterable[str]) -> None:
    """An approved system, and a terminal with credits for each guest."""
    if not host.table.system.approval:
        await ask(host, t.ApproveSystem(*SYSTEM), by=SUPERVISOR, role=GAME_SUPERVISOR)
    for number, guest in enumerate(guests, 1):
        if called(number) not in host.table.terminals:
            await paired(host, number)
            await credited(host, called(number), holder=guest, cents=GUEST_CREDITS)


async def paired(host: Host, number: int) -> bool:
    """Pair a terminal with the limits of the sign."""
    sign, kinds = host.table.sign, dict(host.table.house.kinds)
    most = LARGEST_AMOUNT if sign.maximum is None else sign.maximum
    what = t.PairTerminal(number, sign.minimum, most, kinds=kinds, approval=APPROVAL)
    return await ask(host, what, by=SUPERVISOR, role=GAME_SUPERVISOR)


async def credited(host: Host, name: str, *, holder: str, cents: int) -> bool:
    return await ask(host, t.CreditTerminal(name, cents, holder=holder), by=NAME, role=DEALER)


# ---------------------------------------------------------------- whoever enters


async def take_terminal(devices: DeviceKeeping, host: Host, holder: str, *, cents: int) -> tuple[Device, str]:
    """The next terminal that is free, and its secret; or the one that this person has, whose secret was told before."""
    await host.keeper.follow()
    name = _held_by(host.table, holder)
    device = devices.known.paired.get((host.table.name, name))
    if device is not None:
        return device, ""
    name = name or await _free(devices, host)
    if not host.table.terminals[name].active:
        await credited(host, name, holder=holder, cents=cents)
    await host.keeper.follow()
    code = await devices.offer(host, name, by=SUPERVISOR, role=GAME_SUPERVISOR)
    made = None if isinstance(code, NotDone) else await devices.pair(code.text)
    if made is None:
        raise ValueError(f"{name} cannot be paired now: try again")
    return made


async def simulated_acceptor(devices: DeviceKeeping, host: Host, terminal: str) -> str:
    """The secret of the note acceptor that the page of a practice terminal plays, a device of its own."""
    code = await devices.offer(host, terminal + ACCEPTOR, by=SUPERVISOR, role=GAME_SUPERVISOR)
    made = None if isinstance(code, NotDone) else await devices.pair(code.text)
    return made[1] if made else ""


def _held_by(table: Table, holder: str) -> str:
    return next((name for name, each in table.terminals.items() if each.active and each.holder == holder), "")


async def _free(devices: DeviceKeeping, host: Host) -> str:
    """A terminal that no device is and at which nobody plays; if there is none a new one, or one of ours that was left.

    What a supervisor paired has an approval of its own and is never given away, whether its device is on the line or
    not.
    """
    table = host.table
    watched = {watcher.name for watcher in host.watchers}
    ours = [each for each in table.terminals.values() if each.approval == APPROVAL and each.name not in table.locks]
    others = [each for each in ours if each.name not in watched]
    for each in others:
        if not each.active and (table.name, each.name) not in devices.known.paired:
            return each.name
    used = {each.number for each in host.table.terminals.values()}
    number = next(number for number in range(1, len(used) + 2) if number not in used)
    if await paired(host, number):
        await host.keeper.follow()
        return called(number)
    # The guests of the house have the first terminals, so the last are taken first.
    for each in reversed(others):
        if host.table.staked(each.name):
            continue
        if not each.active or await ask(host, t.CancelCredit(each.name), by=NAME, role=DEALER):
            await host.keeper.follow()
            return each.name
    raise ValueError(f"every terminal of {host.table.name} is taken: try again later")


# ---------------------------------------------------------------- the dealer


def blocked(table: Table) -> bool:
    """Whether a malfunction keeps the round from going on."""
    return bool(table.locks) and ("" in table.locks or bool(table.locks & {e.wager.by for e in table.round.book}))


async def slips(host: Host, seconds: float, *, every: float = POLL_SECONDS) -> None:
    """Wait until every slip is confirmed; those that do not come in time are returned."""
    ends = asyncio.get_running_loop().time() + seconds
    while unconfirmed(host.table):
        if asyncio.get_running_loop().time() >= ends:
            for name in unconfirmed(host.table):
                what = t.ReturnSlip(name, "the terminal did not confirm its wagers in time")
                await ask(host, what, by=SUPERVISOR, role=GAME_SUPERVISOR)
            return
        await asyncio.sleep(every)
