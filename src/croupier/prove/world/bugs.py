"""Bugs to plant in the real code of a house, each of which a simulated day must find.

Each is one small change such as somebody could make by mistake: a check left out, an order changed, a cache kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any, Final
from unittest.mock import patch

import msgspec

from croupier.floor.keeping.host import Host
from croupier.floor.keeping.house import CAGE, House
from croupier.floor.keeping.keeper import Keeper
from croupier.floor.store.appends import Awaiting, Owned, OwnedElsewhere
from croupier.floor.store.lookups import Lookups
from croupier.house.cage.state import NAME
from croupier.journal.accounts import BANK, chips_of
from croupier.journal.messages import Transfer
from croupier.prove.house.voucher import Hasty, as_found, carelessly
from croupier.prove.world import people
from croupier.prove.world.days import Bug
from croupier.prove.world.town import Town
from croupier.table import decide as table_decide
from croupier.table.money import settling
from croupier.table.terminals import slips
from croupier.table.terminals.commands import CashOut
from croupier.table.trouble import outcomes


@contextmanager
def eager(town: Town) -> Iterator[None]:
    town.disk.eager = True
    yield


@contextmanager
def unchecked_lease(town: Town) -> Iterator[None]:
    town.disk.rechecked = False
    yield


@contextmanager
def ids_forgotten(_: Town) -> Iterator[None]:
    """Neither the keeper nor the store knows a command again; the id is written anew each time."""
    fresh = iter(range(1, 1 << 62))
    unit = Keeper._unit

    async def unknown(_: Lookups, __: str) -> None:
        return None

    def renamed(keeper: Keeper[Any], number: int, _: str, lines: Any, answer: Any, **more: Any) -> Any:
        return unit(keeper, number, f"{next(fresh):032x}", lines, answer, **more)

    with patch.object(Lookups, "answer", unknown), patch.object(Keeper, "_unit", renamed):
        yield


@contextmanager
def ledger_left_out(_: Town) -> Iterator[None]:
    """Of the money that a command moves only the first transfer is in the ledger."""
    true = Keeper._unit

    def unit(keeper: Keeper[Any], number: int, command: str, lines: Any, answer: Any, **more: Any) -> Any:
        made = true(keeper, number, command, lines, answer, **more)
        return msgspec.structs.replace(made, ledger=made.ledger[:1])

    with patch.object(Keeper, "_unit", unit):
        yield


@contextmanager
def server_only_close(_: Town) -> Iterator[None]:
    """The dealer and the table wait for no slip."""
    with ExitStack() as stack:
        for module in (slips, people):
            stack.enter_context(patch.object(module, "unconfirmed", lambda _: ()))
        yield


@contextmanager
def paid_more(_: Town) -> Iterator[None]:
    """A chip too much on every winning Player."""
    true = settling._moved

    def moved(table: Any, entry: Any, money: Any, **how: Any) -> tuple[Transfer, ...]:
        wins = money.result == "won" and entry.wager.on == "player"
        more = (Transfer(BANK, chips_of(entry.wager.by), 100, money.rule),) if wins else ()
        return (*true(table, entry, money, **how), *more)

    with patch.object(settling, "_moved", moved):
        yield


@contextmanager
def correction_not_posted(_: Town) -> Iterator[None]:
    with patch.object(outcomes, "posted", lambda *_, **__: ()):
        yield


@contextmanager
def hasty_cage(town: Town) -> Iterator[None]:
    def plant(house: House) -> None:
        true = house.cage
        assert true is not None
        kind = replace(CAGE, decide=as_found, after=carelessly)
        house.cage = Hasty(
            house.store, NAME, kind, true.state, true.shown, owned=true.owned, pass_on=true.pass_on,
            elsewhere=true.elsewhere,
        )  # fmt: skip

    town.planted = plant
    yield


@contextmanager
def stale_views(_: Town) -> Iterator[None]:
    def show(self: Host) -> None:
        for watcher in tuple(self.watchers):
            watcher.news()

    with patch.object(Host, "show", show):
        yield


@contextmanager
def times_as_asked(_: Town) -> Iterator[None]:
    true = Keeper._queued

    def queued(self: Keeper[Any], command: str, request: Any, mark: str, waiting: Awaiting) -> Any:
        self.last_ms = 0
        return true(self, command, request, mark, waiting)

    with patch.object(Keeper, "_queued", queued):
        yield


@contextmanager
def credits_kept(_: Town) -> Iterator[None]:
    """A voucher is printed, and the credits stay on the terminal."""
    decisions: Any = table_decide.DECISIONS
    may, true = decisions[CashOut]

    def kept(table: Any, request: Any, command: Any) -> Any:
        found = true(table, request, command)
        return (
            tuple(msgspec.structs.replace(each, transfers=()) for each in found[:1])
            if isinstance(found, tuple)
            else found
        )

    with patch.dict(decisions, {CashOut: (may, kept)}):
        yield


@contextmanager
def takeover_from_memory(_: Town) -> Iterator[None]:
    """Whoever takes a journal over believes what is in memory."""

    async def take_over(self: Keeper[Any]) -> None:
        async with self.moving:
            match await asyncio.wrap_future(self.store.own(self.name)):
                case Owned(epoch=epoch):
                    self.owned, self.elsewhere, self.epoch = True, "", epoch
                case OwnedElsewhere(address=address):
                    self.elsewhere = address

    with patch.object(Keeper, "take_over", take_over):
        yield


BUGS: Final[Mapping[str, Bug]] = {
    "an answer before the commit": eager,
    "a lease that is not looked at again": unchecked_lease,
    "command ids that are forgotten": ids_forgotten,
    "money that is in a line and not in the ledger": ledger_left_out,
    "a close that waits for no slip": server_only_close,
    "a chip too much for a winner": paid_more,
    "a correction that posts nothing": correction_not_posted,
    "a cage that checks and then acts": hasty_cage,
    "a view that is kept too long": stale_views,
    "lines with the time as it was asked": times_as_asked,
    "a voucher that leaves the credits": credits_kept,
    "a takeover that reads nothing": takeover_from_memory,
}
