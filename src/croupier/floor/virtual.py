"""A virtual dealer, for practice tables only.

No document allows a virtual shoe in real play, so a table with this dealer is marked as practice wherever it is shown.
The dealer answers what is due: acts of staff as they are usually done, cards from a shoe shuffled with the operating
system's random numbers, dice and wheels by the same.  The order of a shoe is committed by its hash before the first
card and can be revealed when the shoe is done, so that anyone can check that no card was changed.

The players of the demonstration are as simple: they bet by chance and decline what is offered.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from croupier.equipment import CARDS, Card, card_name, shuffled
from croupier.floor.host import Host
from croupier.floor.wire import Answer
from croupier.game import Choose, Deal, Over, Perform, Roll, Spin
from croupier.notation import write_fact
from croupier.table import commands as c
from croupier.table.commands import AnyCommand
from croupier.table.general import DEALER, LADDER, PLAYER

NAME = "virtual dealer"
MIXED = ("shuffle", "wash", "mix again", "riffle", "remove cards", "replace cards")


def new_id() -> str:
    return secrets.token_hex(16)


@dataclass(slots=True)
class VirtualShoe:
    """A shuffled stack; `salt` keeps its hash from being guessed before the order is revealed."""

    decks: int
    cards: list[Card] = field(default_factory=list)
    salt: str = ""

    def shuffle(self) -> str:
        """Shuffle all cards; answers with the hash that commits their order."""
        self.cards = list(shuffled(tuple(range(CARDS)) * self.decks, secrets.randbelow))
        self.salt = secrets.token_hex(16)
        return self.commitment()

    def commitment(self) -> str:
        return sha256(self.revealed().encode()).hexdigest()

    def revealed(self) -> str:
        return f"{self.salt} {' '.join(map(card_name, reversed(self.cards)))}"

    def draw(self) -> str:
        if not self.cards:
            self.shuffle()
        return card_name(self.cards.pop())


@dataclass(slots=True)
class Pace:
    """Seconds: how long betting is open, between two cards, between two acts."""

    betting: float = 12.0
    card: float = 0.9
    act: float = 0.35


@dataclass(slots=True)
class VirtualDealer:
    """Runs one practice table until it is cancelled."""

    host: Host
    pace: Pace
    shoe: VirtualShoe = field(default_factory=lambda: VirtualShoe(1))

    async def run(self) -> None:
        self.shoe = VirtualShoe(max(1, self.host.table.game.decks(self.host.table.ruleset.rules)))
        while True:
            await self.step()

    async def step(self) -> None:
        """One thing that is due."""
        table = self.host.table
        match table.due:
            case Perform(act=act, by=by):
                if self._closes_betting(act):
                    await self._wait_for_wagers()
                    if not self.host.table.round.standing:
                        return
                await asyncio.sleep(self.pace.act)
                if act.startswith(MIXED):
                    self.shoe.shuffle()
                await self._act(act, by)
            case Deal():
                await asyncio.sleep(self.pace.card)
                await self.ask(c.Tell(self.shoe.draw()))
            case Roll() | Spin():
                await asyncio.sleep(self.pace.card)
                assert table.game.chances is not None
                fact = table.game.chances(table.ruleset.rules).draw(secrets.randbelow)
                await self.ask(c.Tell(str(write_fact(fact))))
            case Choose(by=by, options=options):
                await asyncio.sleep(self.pace.act)
                await self.ask(c.Tell({"choose": _modest(options), "by": by}))
            case Over():
                await self._wait_for_wagers()

    def _closes_betting(self, act: str) -> bool:
        table = self.host.table
        return "No more bets" in act or (table.procedure.voice == "seat" and "close betting" in act)

    async def _wait_for_wagers(self) -> None:
        """Betting is open for its time, and for as long as nobody bets."""
        self.host.closes_ms = self.host.now_ms() + int(self.pace.betting * 1000)
        self.host.show()
        await asyncio.sleep(self.pace.betting)
        while not self.host.table.round.standing:
            await asyncio.sleep(min(1.0, self.pace.betting))

    async def _act(self, act: str, by: str) -> None:
        table = self.host.table
        card = self.shoe.draw() if act == "burn face up" else ""
        detail = table.procedure.usual(table.ruleset.rules, table.round.state, act, card)
        fact: dict[str, Any] = {"perform": act, "by": by} | ({} if detail == "" else {"detail": detail})
        await self.ask(c.Tell(fact), role=by if by in LADDER else DEALER)

    async def ask(self, what: AnyCommand, *, role: str = DEALER) -> Answer:
        return await self.host.ask(new_id(), what, by=NAME, role=role)


def _modest(options: tuple[str, ...]) -> str:
    """The choice of somebody who wants nothing: decline, stand, fold."""
    return next((word for word in options if word.startswith(("decline", "stand", "fold"))), options[-1])


@dataclass(slots=True)
class Guest:
    """A demonstration player who bets something now and then."""

    host: Host
    name: str
    stakes: Mapping[str, int]
    every: float = 4.0

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self.every * (0.5 + secrets.randbelow(1000) / 1000))
            await self.bet()

    async def bet(self) -> None:
        """One wager, if the guest has none yet."""
        table = self.host.table
        if table.staked(self.name) or not table.open:
            return
        on = secrets.choice(tuple(self.stakes))
        if table.chips(self.name) < self.stakes[on]:
            await self.host.ask(new_id(), c.BuyChips(self.name, 100_000), by=NAME, role=DEALER)
        what = c.PlaceWager(self.name, on, self.stakes[on], box=max(1, table.players[self.name].seat))
        await self.host.ask(new_id(), what, by=self.name, role=PLAYER)
