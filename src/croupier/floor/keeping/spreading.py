"""Tables spread over the processes of a house, so that none of them does the work of all.

Theory of operation.  A process takes every table that nobody keeps when it starts, so that the first one has them all.
Each process holds a lease under its own address too: the leases tell which processes live, and how many tables each
keeps.  Now and then a process looks, and where it keeps at least two more than the one with the fewest, it hands half
of the difference on, tables without a wager first.  Each table that is handed on makes the numbers more alike, so that
it comes to an end; two that hand on to one at the same time are put right at the next look.

A table that is handed on has all that was decided here in its journal before another process has it, and a request that
comes meanwhile waits for that and is passed on.  Pages see nothing of it.  The practice tables of a process stay where
their dealer is.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from croupier.floor.keeping.host import Host
from croupier.floor.keeping.telling.trying import Trying
from croupier.floor.store.appends import LivingProcess, OwnedElsewhere
from croupier.floor.store.durable import Store
from croupier.journal.names import Family, is_table, own_name

log = logging.getLogger(__name__)

PROCESS: Final[Family] = "@process:"
"""Before the address of a process, in the name of its own lease."""
LOOKS: Final = 3
"""How often a process looks while a lease lasts."""


@dataclass(eq=False, slots=True)
class Spreading:
    """What one process does for it."""

    store: Store
    hosts: Mapping[str, Host]
    address: str
    now_ms: Callable[[], int]
    closing: asyncio.Event

    async def run(self, lease_seconds: float) -> None:
        """Look again and again, until the process stops; what stops is given nothing more."""
        trying = Trying("the spreading of tables")
        while not self.closing.is_set():
            await trying.once(self.look())
            with suppress(TimeoutError):
                async with asyncio.timeout(lease_seconds / LOOKS):
                    await self.closing.wait()
        await asyncio.wrap_future(self.store.release(PROCESS + self.address))

    async def look(self) -> None:
        """Say that this process lives, keep what it was handed, and hand on what it has too much of."""
        here = await asyncio.wrap_future(self.store.own(PROCESS + self.address))
        if isinstance(here, OwnedElsewhere):
            return  # one that was here before seems to live; its lease will end
        holders = await asyncio.to_thread(self.store.holders)
        me = holders.get(PROCESS + self.address)
        for name, host in self.hosts.items():
            if holders.get(name) == me and not host.keeper.owned:
                await host.keeper.take_over()
        mine = [name for name, host in self.hosts.items() if host.keeper.owned and not host.practice]
        for name, to in surplus(mine, self._in_hand(), me, holders):
            log.info("%s is handed on to %s", name, to.address)
            await self.hosts[name].keeper.hand_on(to, self.now_ms())

    def _in_hand(self) -> frozenset[str]:
        return frozenset(name for name, host in self.hosts.items() if host.table.round.standing)


def surplus(
    mine: list[str], in_hand: frozenset[str], me: LivingProcess | None, holders: Mapping[str, LivingProcess]
) -> list[tuple[str, LivingProcess]]:
    """The tables to hand on, each with the process that is to keep it: the one that keeps the fewest."""
    counted = Counter({each: 0 for name, each in holders.items() if own_name(name, PROCESS) and each != me})
    for name, holder in holders.items():
        if holder in counted and is_table(name):
            counted[holder] += 1
    if not counted:
        return []
    poorest = min(counted, key=lambda each: (counted[each], each.owner))
    give = max(0, len(mine) - counted[poorest]) // 2
    return [(name, poorest) for name in sorted(mine, key=lambda name: (name in in_hand, name))[:give]]
