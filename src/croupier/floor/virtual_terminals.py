"""The terminals of a demonstration: those that play by themselves, the next free one for whoever enters, and slips.

Theory of operation.  An electronic table of the demonstration has an approved system and paired terminals.  The guests
play on the first of them, as a player does: the dealer credits the terminal, wagers are touched on its screen, and at
the cut-off it confirms its slip.  Whoever enters is given the next free terminal with credits, paired in one tap: a
code is offered and used in the same moment, and the page keeps the secret as a device would.

The virtual dealer deals no card while a slip is owed.  A terminal that does not answer in time has its wagers returned
by a virtual supervisor.  While a terminal with wagers, or the system, is locked, nothing is dealt at all.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from croupier.floor.devices import Devices, NotDone
from croupier.floor.host import Host
from croupier.floor.keeper import Stopped
from croupier.house.devices import Device
from croupier.money import LARGEST_AMOUNT
from croupier.table import commands as c
from croupier.table import terminal_commands as t
from croupier.table.commands import AnyCommand
from croupier.table.general import DEALER, GAME_SUPERVISOR, PLAYER
from croupier.table.slips import slip_digest, unconfirmed
from croupier.table.state import Table

NAME: Final = "virtual dealer"
SUPERVISOR: Final = "virtual supervisor"
SYSTEM: Final = ("croupier", "practice only")
APPROVAL: Final = "practice only"
POLL_SECONDS: Final = 0.05
GUEST_CREDITS: Final = 200_000
AGAIN_CREDITS: Final = 100_000


def called(number: int) -> str:
    return f"Terminal {number}"


async def _ask(host: Host, what: AnyCommand, *, by: str, role: str) -> bool:
    return (await host.ask(secrets.token_hex(16), what, by=by, role=role)).done


# ---------------------------------------------------------------- setting up


async def set_up(host: Host, guests: Iterable[str]) -> None:
    """An approved system, and a terminal with credits for each guest."""
    if not host.table.system.approval:
        await _ask(host, t.ApproveSystem(*SYSTEM), by=SUPERVISOR, role=GAME_SUPERVISOR)
    for number, guest in enumerate(guests, 1):
        if called(number) not in host.table.terminals:
            await paired(host, number)
            await credited(host, called(number), holder=guest, cents=GUEST_CREDITS)


async def paired(host: Host, number: int) -> bool:
    """Pair a terminal with the limits of the sign."""
    sign, kinds = host.table.sign, dict(host.table.house.kinds)
    most = LARGEST_AMOUNT if sign.maximum is None else sign.maximum
    what = t.PairTerminal(number, sign.minimum, most, kinds=kinds, approval=APPROVAL)
    return await _ask(host, what, by=SUPERVISOR, role=GAME_SUPERVISOR)


async def credited(host: Host, name: str, *, holder: str, cents: int) -> bool:
    return await _ask(host, t.CreditTerminal(name, cents, holder=holder), by=NAME, role=DEALER)


# ---------------------------------------------------------------- whoever enters


async def take_terminal(devices: Devices, host: Host, holder: str, *, cents: int) -> tuple[Device, str]:
    """The next terminal that is free, and its secret; or the one that this person has, whose secret was told before."""
    async with devices.entering:
        await host.keeper.follow()
        name = _held_by(host.table, holder)
        device = devices.known.paired.get((host.table.name, name))
        if device is not None:
            return device, ""
        name = name or await _free(host)
        if not host.table.terminals[name].active:
            await credited(host, name, holder=holder, cents=cents)
        await host.keeper.follow()
        code = await devices.offer(host, name, by=SUPERVISOR, role=GAME_SUPERVISOR)
        made = None if isinstance(code, NotDone) else await devices.pair(code.text)
    if made is None:
        raise ValueError(f"{name} cannot be paired now: try again")
    return made


def _held_by(table: Table, holder: str) -> str:
    return next((name for name, each in table.terminals.items() if each.active and each.holder == holder), "")


async def _free(host: Host) -> str:
    """A terminal at which nobody plays and nobody looks; if there is none, a new one, or one that was left."""
    watched = {watcher.name for watcher in host.watchers}
    others = [each for each in host.table.terminals.values() if each.name not in watched]
    for each in others:
        if not each.active and each.name not in host.table.locks:
            return each.name
    used = {each.number for each in host.table.terminals.values()}
    number = next(number for number in range(1, len(used) + 2) if number not in used)
    if await paired(host, number):
        await host.keeper.follow()
        return called(number)
    # The guests of the house have the first terminals, so the last are taken first.
    for each in reversed(others):
        if not host.table.staked(each.name) and await _ask(host, t.CancelCredit(each.name), by=NAME, role=DEALER):
            await host.keeper.follow()
            return each.name
    raise ValueError(f"every terminal of {host.table.name} is taken: try again later")


# ---------------------------------------------------------------- guests


@dataclass(slots=True)
class TerminalGuest:
    """A demonstration player at a terminal, who bets something now and then and whose terminal confirms."""

    host: Host
    terminal: str
    holder: str
    stakes: Mapping[str, int]
    closing: asyncio.Event
    every: float = 4.0

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        at = loop.time()
        while True:
            await asyncio.sleep(POLL_SECONDS)
            if not self.host.keeper.owned:
                continue
            with suppress(Stopped):
                await self._confirm()
                if loop.time() >= at:
                    at = loop.time() + self.every * (0.5 + secrets.randbelow(1000) / 1000)
                    await self.bet()

    async def _confirm(self) -> None:
        table = self.host.table
        if self.terminal in unconfirmed(table):
            slip = slip_digest(table, self.terminal)
            await _ask(self.host, t.ConfirmSlip(self.terminal, slip), by=self.terminal, role=PLAYER)

    async def bet(self) -> None:
        """One wager, if the guest has none yet."""
        table = self.host.table
        if table.staked(self.terminal) or not table.open or self.closing.is_set() or self.terminal in table.locks:
            return
        on = secrets.choice(tuple(self.stakes))
        if table.chips(self.terminal) < self.stakes[on]:
            await credited(self.host, self.terminal, holder=self.holder, cents=AGAIN_CREDITS)
        what = c.PlaceWager(self.terminal, on, self.stakes[on])
        await _ask(self.host, what, by=self.terminal, role=PLAYER)


# ---------------------------------------------------------------- the dealer


def blocked(table: Table) -> bool:
    """Whether a malfunction keeps the round from going on."""
    return bool(table.locks) and ("" in table.locks or bool(table.locks & {e.wager.by for e in table.round.book}))


async def slips(host: Host, seconds: float) -> None:
    """Wait until every slip is confirmed; those that do not come in time are returned."""
    ends = asyncio.get_running_loop().time() + seconds
    while unconfirmed(host.table):
        if asyncio.get_running_loop().time() >= ends:
            for name in unconfirmed(host.table):
                what = t.ReturnSlip(name, "the terminal did not confirm its wagers in time")
                await _ask(host, what, by=SUPERVISOR, role=GAME_SUPERVISOR)
            return
        await asyncio.sleep(POLL_SECONDS)
