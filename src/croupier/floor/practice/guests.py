"""The guests of a demonstration, who bet something now and then: on a seat, or at a terminal.

A guest on a seat buys chips from the virtual dealer.  The seats of a practice table do not run out: somebody who left
keeps the chips, but where all seats are taken the seat goes to whoever comes.  A guest at a terminal plays as a player
does: the dealer credits the terminal, wagers are touched on its screen, and at the cut-off it confirms its slip.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from croupier.floor.keeping.host import Host
from croupier.floor.keeping.keeper import new_id
from croupier.floor.practice.terminals import NAME, POLL_SECONDS, ask, credited
from croupier.floor.store.appends import Stopped
from croupier.law.officials import DEALER, PLAYER
from croupier.table import commands as c
from croupier.table.terminals import commands as t
from croupier.table.terminals.slips import slip_digest, unconfirmed

AGAIN_CENTS: Final = 100_000
AGAIN_SECONDS: Final = 0.5
BESIDE: Final = {"jackpot": "ante"}
"""Wagers that need another one beside them."""


async def here(host: Host) -> None:
    """Wait until this process runs the table; a table whose process is gone is taken over."""
    while not host.keeper.owned:
        await host.keeper.take_over()
        if not host.keeper.owned:
            await asyncio.sleep(AGAIN_SECONDS)


async def seat_guest(host: Host, name: str, *, seat: int = 0, chips: int, resident: Collection[str] = ()) -> None:
    """Somebody sits down with chips, unless they do already; without a seat named, on the first that is free.

    Those who are `resident` keep their seats though no page of theirs is open.
    """
    known = host.table.players.get(name)
    if known and known.seat:
        return
    place = seat or host.free_seat or await _seat_of_somebody_gone(host, resident)
    if place or not known:
        await host.ask(new_id(), c.Sit(name, place), by=NAME, role=DEALER)
    if not known:
        await host.ask(new_id(), c.BuyChips(name, chips), by=NAME, role=DEALER)


async def _seat_of_somebody_gone(host: Host, resident: Collection[str]) -> int:
    """The seat of a player without a page and without a wager, who stands from now on; 0 if there is none."""
    here_now = {watcher.name for watcher in host.watchers}
    for place, name in host.table.seats.items():
        if name in resident or name in here_now or host.table.staked(name):
            continue
        if (await host.ask(new_id(), c.Sit(name, 0), by=NAME, role=DEALER)).done:
            return place
    return 0


@dataclass(slots=True)
class Guest:
    """A demonstration player who bets something now and then."""

    host: Host
    name: str
    stakes: Mapping[str, int]
    closing: asyncio.Event
    every: float = 4.0

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self.every * (0.5 + secrets.randbelow(1000) / 1000))
            await here(self.host)
            with suppress(Stopped):
                await self.bet()

    async def bet(self) -> None:
        """One wager, if the guest has none yet."""
        table = self.host.table
        if table.staked(self.name) or not table.open or self.closing.is_set():
            return
        on = secrets.choice([on for on in self.stakes if on not in BESIDE])
        if table.chips(self.name) < self.stakes[on]:
            await self.host.ask(new_id(), c.BuyChips(self.name, AGAIN_CENTS), by=NAME, role=DEALER)
        what = c.PlaceWager(self.name, on, self.stakes[on], box=max(1, table.players[self.name].seat))
        done = await self.host.ask(new_id(), what, by=self.name, role=PLAYER)
        for further, other in BESIDE.items():
            if done.done and other == on and further in self.stakes:
                more = c.PlaceWager(self.name, further, self.stakes[further], box=what.box)
                await self.host.ask(new_id(), more, by=self.name, role=PLAYER)


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
            await asyncio.sleep(min(POLL_SECONDS, self.every))
            if not self.host.keeper.owned:
                continue
            with suppress(Stopped):
                await self.confirm()
                if loop.time() >= at:
                    at = loop.time() + self.every * (0.5 + secrets.randbelow(1000) / 1000)
                    await self.bet()

    async def confirm(self) -> None:
        """The terminal says what it shows, if that is owed."""
        table = self.host.table
        if self.terminal in unconfirmed(table):
            slip = slip_digest(table, self.terminal)
            await ask(self.host, t.ConfirmSlip(self.terminal, slip), by=self.terminal, role=PLAYER)

    async def bet(self) -> None:
        """One wager, if the guest has none yet."""
        table = self.host.table
        if table.staked(self.terminal) or not table.open or self.closing.is_set() or self.terminal in table.locks:
            return
        on = secrets.choice(tuple(self.stakes))
        if table.chips(self.terminal) < self.stakes[on]:
            await credited(self.host, self.terminal, holder=self.holder, cents=AGAIN_CENTS)
        what = c.PlaceWager(self.terminal, on, self.stakes[on])
        await ask(self.host, what, by=self.terminal, role=PLAYER)
