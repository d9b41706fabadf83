"""A virtual dealer, for practice tables only.

No document allows a virtual shoe in real play, so a table with this dealer is marked as practice wherever it is shown.
The dealer answers what is due: acts of staff as they are usually done, cards from a shoe shuffled with the operating
system's random numbers, dice and wheels by the same.

The order of a shoe is fixed by a hash before its first card, and told when the shoe is done, both in the journal
(`table/chance.py`).  Everybody at the table sees both, so that anybody can check that no card was changed: the SHA-256
of the text that is told must be the hash that was shown.  A cut is ceremony here; the cutting card comes at the place
where it was put.

A choice is waited for if the player's page is there to make it, for so long and no longer.  Whoever is absent or lets
the time pass wants nothing: they decline, stand, fold.  So do the players of the demonstration, mostly, and at once.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from croupier.equipment import CARDS, Card, card_name, shuffled
from croupier.floor.choices import asked, beside
from croupier.floor.host import Host
from croupier.floor.keeper import Stopped
from croupier.floor.views import betting
from croupier.floor.virtual_terminals import blocked, slips
from croupier.floor.wire import Answer
from croupier.game import Choose, Deal, Over, Perform, Roll, Spin
from croupier.notation import write_fact
from croupier.table import commands as c
from croupier.table.commands import AnyCommand
from croupier.table.general import DEALER, LADDER, PLAYER, VIRTUAL_SHOE
from croupier.table.linked import waits
from croupier.table.state import Table

NAME = "virtual dealer"
Offer = tuple[int, str, str]
"""The round, the player, and what is offered."""
MIXED = ("shuffle", "wash", "mix again", "riffle", "remove cards", "replace cards")
INSERTED, CAME = "insert cutting card", "cutting card"
AGAIN_SECONDS = 0.5
POLL_SECONDS = 0.05


async def here(host: Host) -> None:
    """Wait until this process runs the table; a table whose process is gone is taken over."""
    while not host.keeper.owned:
        await host.keeper.take_over()
        if not host.keeper.owned:
            await asyncio.sleep(AGAIN_SECONDS)


def new_id() -> str:
    return secrets.token_hex(16)


@dataclass(slots=True)
class VirtualShoe:
    """A shuffled stack: its whole `order`, and the cards `left` of it.

    `salt` keeps the hash from being guessed before the order is told; `end` is how many cards lie behind the cutting
    card, while that has not come.
    """

    decks: int
    order: tuple[Card, ...] = ()
    left: list[Card] = field(default_factory=list)
    salt: str = ""
    end: int | None = None

    def shuffle(self) -> c.FixShoe:
        """Shuffle all cards; the order of the shoe before, if any card of it was dealt, is no secret any more."""
        revealed = self._told() if len(self.left) < len(self.order) else ""
        self.order = tuple(shuffled(tuple(range(CARDS)) * self.decks, secrets.randbelow))
        self.left = list(reversed(self.order))
        self.salt, self.end = secrets.token_hex(16), None
        return c.FixShoe(sha256(self._told().encode()).hexdigest(), revealed)

    def _told(self) -> str:
        return f"{self.salt} {' '.join(map(card_name, self.order))}"

    def cutting_card_comes(self) -> bool:
        return self.end is not None and len(self.left) <= self.end

    def draw(self) -> str:
        return card_name(self.left.pop())


@dataclass(slots=True)
class Pace:
    """Seconds: how long betting is open, between two cards, between two acts, for a choice, for a terminal's slip."""

    betting: float = 12.0
    card: float = 0.9
    act: float = 0.35
    choice: float = 15.0
    slip: float = 8.0


@dataclass(slots=True)
class VirtualDealer:
    """Runs one practice table until it is cancelled; `passed` are the offers of a round that players let pass."""

    host: Host
    pace: Pace
    closing: asyncio.Event
    shoe: VirtualShoe = field(default_factory=lambda: VirtualShoe(1))
    guests: frozenset[str] = frozenset()
    opened: int = 0
    passed: set[Offer] = field(default_factory=set)

    async def run(self) -> None:
        self.shoe = VirtualShoe(max(1, self.host.table.game.decks(self.host.table.ruleset.rules)))
        while True:
            await here(self.host)
            try:
                await self.step()
            except Stopped:
                await asyncio.sleep(AGAIN_SECONDS)

    async def step(self) -> None:
        """One thing that is due."""
        table = self.host.table
        if not table.open or blocked(table) or waits(table):
            await asyncio.sleep(AGAIN_SECONDS)
            return
        match table.due:
            case Perform(act=act, by=by):
                await self._perform(act, by)
            case Deal():
                await self._people()
                await slips(self.host, self.pace.slip)
                await asyncio.sleep(self.pace.card)
                if isinstance(self.host.table.due, Deal):
                    await self._deal()
            case Roll() | Spin():
                await self._draw()
            case Choose():
                await self._choose()
            case Over():
                # Nothing is due before the first wager; its countdown begins with it.
                self.host.closes_ms = 0
                await asyncio.sleep(min(POLL_SECONDS, self.pace.betting))

    # ---------------------------------------------------------------- staff

    async def _perform(self, act: str, by: str) -> None:
        if self._closes_betting(act) and not await self._wagers():
            return
        await asyncio.sleep(self.pace.act)
        if act.startswith(MIXED):
            await self._shuffle()
        await self._act(act, by)

    def _closes_betting(self, act: str) -> bool:
        table = self.host.table
        return "No more bets" in act or (table.procedure.voice == "seat" and "close betting" in act)

    async def _wagers(self) -> bool:
        """Betting is open for its time, and again as long as nobody bets; false if nothing stands in the end."""
        while True:
            self.host.closes_ms = self.host.now_ms() + int(self.pace.betting * 1000)
            self.host.show()
            await asyncio.sleep(self.pace.betting)
            if self.host.table.round.standing or not self.host.table.open:
                return bool(self.host.table.round.standing)

    async def _act(self, act: str, by: str) -> None:
        table = self.host.table
        card = await self._drawn() if act == "burn face up" else ""
        detail = table.procedure.usual(table.ruleset.rules, table.round.state, act, card)
        fact: dict[str, Any] = {"perform": act, "by": by} | ({} if detail == "" else {"detail": detail})
        answer = await self.ask(c.Tell(fact), role=by if by in LADDER else DEALER)
        if answer.done and act == "burn face down":
            for _ in range(detail if isinstance(detail, int) else 1):
                await self._drawn()
        if answer.done and act == INSERTED and isinstance(detail, int):
            self.shoe.end = detail

    # ---------------------------------------------------------------- chance

    async def _deal(self) -> None:
        if self.shoe.cutting_card_comes():
            self.shoe.end = None
            await self.ask(c.Tell({"perform": CAME, "by": DEALER}))
            return
        await self.ask(c.Tell(await self._drawn()))

    async def _drawn(self) -> str:
        """The next card; a house that starts within a shoe has lost its order, and fixes another."""
        if not self.shoe.left:
            await self._shuffle()
        return self.shoe.draw()

    async def _shuffle(self) -> None:
        await self.ask(self.shoe.shuffle(), role=VIRTUAL_SHOE)

    async def _draw(self) -> None:
        """Dice or a wheel; where no call closes the betting, as at craps, it is open for its time before the throw."""
        table = self.host.table
        if betting(table)["open"] and (self.opened != table.number or not table.round.standing):
            self.opened = table.number
            await self._wagers()
            return
        await asyncio.sleep(self.pace.card)
        assert table.game.chances is not None
        fact = table.game.chances(table.ruleset.rules).draw(secrets.randbelow)
        await self.ask(c.Tell(str(write_fact(fact))))

    # ---------------------------------------------------------------- choices

    async def _choose(self) -> None:
        """The choice of whoever is asked: their own, if they are here and make it in time."""
        before = self.host.table.entries
        await self._people()
        await asyncio.sleep(self.pace.act)
        table = self.host.table
        if table.entries == before and isinstance(table.due, Choose):
            fact = modest(table, table.due)
            # A demonstration in which every hand is folded would show little of the game.
            plays = BET in table.due.options and asked(table) in self.guests and secrets.randbelow(2)
            await self.ask(c.Tell(fact | {"choose": BET} if plays else fact))

    async def _people(self) -> None:
        """Wait for those who are here and have something to choose, until one of them does or the time is over."""
        host, open_to, seen = self.host, self._open_to(), self.host.table.entries
        if not open_to:
            return
        ends = asyncio.get_running_loop().time() + self.pace.choice
        host.choice_ms = host.now_ms() + int(self.pace.choice * 1000)
        host.show()
        while host.table.entries == seen and asyncio.get_running_loop().time() < ends:
            await asyncio.sleep(min(POLL_SECONDS, self.pace.choice))
        if host.table.entries == seen:
            self.passed |= {offer for offer in open_to if offer[-1] != DUE}
        host.choice_ms = 0
        host.show()

    def _open_to(self) -> set[Offer]:
        """Who of those who are here may choose what now, but for what they have let pass in this round."""
        table = self.host.table
        here_now = {watcher.name for watcher in self.host.watchers if watcher.role == PLAYER}
        if not here_now:
            return set()
        wanted: set[Offer] = {(table.number, asked(table), DUE)} if asked(table) in here_now else set()
        offers = {(table.number, name, str(offer)) for name in here_now for offer in beside(table, name)}
        self.passed = {offer for offer in self.passed if offer[0] == table.number}
        return (wanted | offers) - self.passed

    async def ask(self, what: AnyCommand, *, role: str = DEALER) -> Answer:
        return await self.host.ask(new_id(), what, by=NAME, role=role)


BESIDE: Final = {"jackpot": "ante"}
"""Wagers that need another one beside them."""
DUE, BET = "due", "bet"
MODEST = ("decline", "stand", "fold", "ride", "hit", "refuse", "pass")


def modest(table: Table, due: Choose) -> dict[str, Any]:
    """The choice of somebody who wants nothing: decline, stand, fold; else whatever puts no money down."""
    option = next((each for word in MODEST for each in due.options if each.startswith(word)), due.options[-1])
    fact: dict[str, Any] = {"choose": option, "by": due.by}
    if option != "ride":
        return fact
    # A wager of another player rides on the first of the two hands that a split has made.
    felt = table.procedure.layout(table.ruleset.rules, table.round.state)
    (box, *_) = [box for box in felt.boxes if due.by in box.asked]
    return fact | {"box": box.number, "hand": box.parted[0].number}


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
            await self.host.ask(new_id(), c.BuyChips(self.name, 100_000), by=NAME, role=DEALER)
        what = c.PlaceWager(self.name, on, self.stakes[on], box=max(1, table.players[self.name].seat))
        done = await self.host.ask(new_id(), what, by=self.name, role=PLAYER)
        for further, other in BESIDE.items():
            if done.done and other == on and further in self.stakes:
                more = c.PlaceWager(self.name, further, self.stakes[further], box=what.box)
                await self.host.ask(new_id(), more, by=self.name, role=PLAYER)
