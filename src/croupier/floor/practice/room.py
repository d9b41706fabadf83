"""The practice of a house: virtual dealers and guests at its practice tables, and a place for whoever enters.

Theory of operation.  A house knows practice as a `Practice` that it may or may not have; it never imports this room.
Whoever starts a demonstration, or a house with practice tables, calls `practise` before the house opens.  From then on
the house says which practice table it has opened, and what plays there is run with the house and ends with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from croupier.floor.keeping.host import Host
from croupier.floor.keeping.house import House
from croupier.floor.keeping.planned import Planned
from croupier.floor.practice.dealer import Pace, VirtualDealer
from croupier.floor.practice.demonstration import CASTS, Cast
from croupier.floor.practice.guests import Guest, TerminalGuest, seat_guest
from croupier.floor.practice.terminals import NAME, called, on_terminals, set_up, simulated_acceptor, take_terminal
from croupier.floor.wire import Answer
from croupier.house.devices.decide import Device
from croupier.law.officials import DEALER
from croupier.table.commands import BuyChips, RedeemChips

GUEST_CENTS: Final = 200_000
ENTERED_CENTS: Final = 100_000


@dataclass(slots=True)
class PracticeRoom:
    """What plays at the practice tables of one house; `entering` is held while somebody is found a place."""

    pace: Pace
    casts: Mapping[str, Cast] = field(default_factory=dict)
    entering: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def play(self, house: House, host: Host, planned: Planned) -> None:
        cast = self.casts.get(planned.name) or Cast(dealer=planned.practice)
        if on_terminals(host.table) and (cast.guests or cast.dealer):
            await set_up(host, cast.guests)
        for seat, guest in enumerate(cast.guests, 1):
            stakes, every = cast.guests[guest], self.pace.betting / 3
            if on_terminals(host.table):
                playing = TerminalGuest(host, called(seat), guest, stakes, house.closing, every).run()
            else:
                await seat_guest(host, guest, seat=seat, chips=GUEST_CENTS)
                playing = Guest(host, guest, stakes, house.closing, every=every).run()
            house.run(playing, f"{guest} at {planned.name}")
        if cast.dealer:
            host.virtual = "virtual"
            dealer = VirtualDealer(host, self.pace, house.closing, guests=frozenset(cast.guests))
            house.run(dealer.run(), f"dealer of {planned.name}")

    async def exchange(self, host: Host, name: str, cents: int, *, command_id: str) -> Answer:
        """Chips for practice money, or practice money for chips, at the hands of the virtual dealer."""
        if on_terminals(host.table):
            why = "a terminal takes notes, and pays by voucher"
            return Answer(command_id, done=False, line=host.table.entries, reason=why)
        what = BuyChips(name, cents) if cents > 0 else RedeemChips(name, -cents)
        return await host.ask(command_id, what, by=NAME, role=DEALER)

    async def receive(self, house: House, host: Host, name: str) -> tuple[Device, str, str] | None:
        if not on_terminals(host.table):
            cast = self.casts.get(host.table.name) or Cast()
            async with self.entering:
                await seat_guest(host, name, chips=ENTERED_CENTS, resident=cast.guests)
            return None
        async with self.entering:
            await set_up(host, ())
            device, secret = await take_terminal(house.devices, host, name, cents=ENTERED_CENTS)
            acceptor = await simulated_acceptor(house.devices, host, device.name) if secret else ""
            return device, secret, acceptor


def practise(house: House, pace: Pace | None = None) -> None:
    """Let the practice tables of a house play; the guests of the demonstration come to a demonstration only."""
    house.practice = PracticeRoom(pace or Pace(), CASTS if house.demo else {})
