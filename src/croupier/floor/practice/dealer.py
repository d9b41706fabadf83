"""A virtual dealer, for practice tables only.

No document allows a virtual shoe in real play, so a table with this dealer is marked as practice wherever it is shown.
The dealer answers what is due: acts of staff as they are usually done, cards from a shoe shuffled with the operating
system's random numbers, dice and wheels by the same.

The order of a shoe is fixed by a hash before its first card, and told when the shoe is done, both in the journal
(`table/chance.py`).  Everybody at the table sees both, so that anybody can check that no card was changed: the SHA-256
of the text that is told must be the hash that was shown.  A cut is ceremony here; the cutting card comes at the place
where it was put.

A choice is waited for as long as the player's page is there to make it, up to its time.  Whoever is absent, leaves or
lets the time pass wants nothing: they decline, stand, fold.  So do the players of the demonstration, mostly, and at
once.  Insurance at baccarat, which is open to some after bets are closed, is waited for in the same way.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from croupier.answers.facts import handles
from croupier.answers.walker import Stack, Walker, modest_first, teller
from croupier.equipment import Card, card_name
from croupier.floor.keeping.host import Host
from croupier.floor.keeping.keeper import new_id
from croupier.floor.practice.guests import here
from croupier.floor.practice.terminals import NAME, SUPERVISOR, blocked, slips
from croupier.floor.store.appends import Stopped
from croupier.floor.views.choices import asked, beside
from croupier.floor.wire import Answer
from croupier.game import Choose, Chosen, Deal, Over, Perform, Performed, Roll, Spin
from croupier.law.officials import DEALER, PLAYER, VIRTUAL_SHOE
from croupier.notation import write_fact
from croupier.table import commands as c
from croupier.table.betting.offers import KeptOffers
from croupier.table.commands import AnyCommand
from croupier.table.linked import waits

Offer = tuple[int, str, str]
"""The round, the player, and what is offered."""
AGAIN_SECONDS = 0.5
POLL_SECONDS = 0.05
SETTLED_SECONDS = 4.0
"""Losing bets go, winnings come, and for about two seconds and a half nothing moves."""
DEALT_SECONDS, DEALT_CARDS = 4.0, 5
"""A hand that lies face down is dealt without a look at each card: so long for all hands of so many cards."""
RENEWED_SECONDS = 0.15
"""So long before its end a betting time in which nobody bet is made longer, so that it never seems to be over."""


@dataclass(slots=True)
class VirtualShoe(Stack):
    """A stack whose whole `order` is fixed by a hash; `salt` keeps it from being guessed before the order is told."""

    order: tuple[Card, ...] = ()
    salt: str = ""

    def shuffle(self) -> c.FixShoe:
        """Shuffle all cards; the order of the shoe before, if any card of it was dealt, is no secret any more."""
        revealed = self._order_text() if len(self.left) < len(self.order) else ""
        self.mix(secrets.randbelow)
        self.order, self.salt = tuple(reversed(self.left)), secrets.token_hex(16)
        return c.FixShoe(sha256(self._order_text().encode()).hexdigest(), revealed)

    def _order_text(self) -> str:
        return f"{self.salt} {' '.join(map(card_name, self.order))}"


@dataclass(slots=True)
class Pace:
    """Seconds: how long betting is open, between two cards, between two acts, for a choice, for a terminal's slip.

    What follows from these: a wheel turns longer than a card takes, and what was settled is left to be read before the
    next betting begins.
    """

    betting: float = 12.0
    card: float = 0.9
    act: float = 0.35
    choice: float = 15.0
    slip: float = 8.0

    @property
    def spin(self) -> float:
        return self.card * 5

    @property
    def fall(self) -> float:
        """What the pages need to show how a ball falls or a wheel stops, before the result is read."""
        return self.card * 3

    @property
    def throw(self) -> float:
        return self.card * 1.5

    @property
    def settled(self) -> float:
        return min(SETTLED_SECONDS, self.betting / 3)


@dataclass(slots=True)
class VirtualDealer:
    """Runs one practice table until it is cancelled; `passed` are the offers of a round that players let pass."""

    host: Host
    pace: Pace
    closing: asyncio.Event
    shoe: VirtualShoe = field(default_factory=lambda: VirtualShoe(1))
    guests: frozenset[str] = frozenset()
    opened: int = 0
    rested: int = 0
    spun: bool = False
    passed: set[Offer] = field(default_factory=set)
    offers: KeptOffers = field(default_factory=KeptOffers)

    @property
    def walker(self) -> Walker:
        """Who answers what is due: what nobody chose in time is chosen as by somebody who wants nothing."""
        return Walker(self.shoe, secrets.randbelow, self._preferred)

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
        if self.host.virtual == "paused":
            await self._rest()
        table = self.host.table
        if not table.open or blocked(table) or waits(table):
            await asyncio.sleep(AGAIN_SECONDS)
            return
        await self._settled()
        await self._confirm()
        match self.host.table.due:
            case Perform():
                if self.offers.betting(self.host.table).state == "closing" and not await self._wagers():
                    return
                await asyncio.sleep(self.pace.act)
                await self._answer()
            case Deal():
                await self._people()
                await slips(self.host, self.pace.slip, every=min(POLL_SECONDS, self.pace.act))
                await asyncio.sleep(self._between_cards())
                if isinstance(self.host.table.due, Deal):
                    await self._answer()
            case Roll() | Spin():
                await self._draw()
            case Choose():
                await self._choose()
            case Over():
                # Nothing is due before the first wager; its countdown begins with it.
                self.host.closes_ms = 0
                await asyncio.sleep(min(POLL_SECONDS, self.pace.betting))

    async def _rest(self) -> None:
        """Staff deal for a while; if they did, the order that was fixed is the shoe's no more, and another is."""
        before = self.host.table.entries
        while self.host.virtual == "paused":
            await asyncio.sleep(POLL_SECONDS)
        if self.host.table.entries != before:
            self.shoe = VirtualShoe(self.shoe.decks)

    # ---------------------------------------------------------------- staff

    async def _confirm(self) -> None:
        """A player's call that waits for the dealer is heard."""
        for order in self.host.table.awaited:
            if order.official == DEALER:
                await self.ask(c.ConfirmOrder(order.order))

    async def _answer(self) -> None:
        """What is due happens, as far as the table lets it; the order of a shoe is fixed before it is used."""
        this = self.host.table.attended
        if isinstance(this.due, Deal) and not self.shoe.left:
            # A house that starts within a shoe has lost its order.
            await self._shuffle()
        for fact in self.walker.facts(this):
            mixes = isinstance(fact, Performed) and handles(this, fact.act) == "mixed"
            if mixes:
                await self._shuffle()
            answer = await self.ask(c.Tell(write_fact(fact)), role=teller(fact))
            if answer.done and not mixes:
                self.walker.took(this, fact)
            if answer.done:
                return

    async def _wagers(self) -> bool:
        """Betting is open for its time, and again as long as nobody bets; false if nothing stands in the end."""
        while True:
            self.host.closes_ms = self.host.now_ms() + int(self.pace.betting * 1000)
            self.host.show()
            await asyncio.sleep(max(0.0, self.pace.betting - RENEWED_SECONDS))
            if self.host.virtual == "paused":
                return False
            if self.host.table.round.standing or not self.host.table.open:
                await asyncio.sleep(min(RENEWED_SECONDS, self.pace.betting))
                return bool(self.host.table.round.standing)

    async def _settled(self) -> None:
        """After a round its end is left to be read; wagers for the next are taken already, but their time waits."""
        host = self.host
        if self.rested == host.table.number or not host.table.records:
            return
        self.rested = host.table.number
        seconds = self.pace.settled + (self.pace.fall if self.spun else 0.0)
        self.spun = False
        host.closes_ms, host.opens_ms = 0, host.now_ms() + int(seconds * 1000)
        host.show()
        await asyncio.sleep(seconds)
        host.opens_ms = 0

    # ---------------------------------------------------------------- chance

    def _between_cards(self) -> float:
        """The time before the next card."""
        this = self.host.table.round
        hands = this.game.cards(this.rules, this.state)
        quick = DEALT_SECONDS / (DEALT_CARDS * len(hands)) if this.game.face_down else self.pace.card
        return min(self.pace.card, quick)

    async def _shuffle(self) -> None:
        await self.ask(self.shoe.shuffle(), role=VIRTUAL_SHOE)

    async def _draw(self) -> None:
        """Dice or a wheel; where no call closes the betting, as at craps, it is open for its time before the throw."""
        table = self.host.table
        if self.offers.betting(table).state != "closed" and (self.opened != table.number or not table.round.standing):
            self.opened = table.number
            await self._wagers()
            return
        await asyncio.sleep(self.pace.spin if isinstance(table.due, Spin) else self.pace.throw)
        self.spun = isinstance(table.due, Spin)
        await self._answer()

    # ---------------------------------------------------------------- choices

    async def _choose(self) -> None:
        """The choice of whoever is asked: their own, if they are here and make it in time."""
        before = self.host.table.entries
        await self._people()
        await asyncio.sleep(self.pace.act)
        table = self.host.table
        if table.entries == before and isinstance(table.due, Choose):
            await self._answer()

    def _preferred(self, options: Sequence[Chosen]) -> list[Chosen]:
        """What nobody chose; a demonstration in which every hand is folded would show little of the game."""
        plays = asked(self.host.table) in self.guests and secrets.randbelow(2)
        bets = [choice for choice in options if plays and choice.option == BET]
        return [*bets, *modest_first(options)]

    async def _people(self) -> None:
        """Wait for those who are here and have something to choose, until one does, all left, or the time is over."""
        host, open_to, seen = self.host, self._open_to(), self.host.table.entries
        names = {name for _, name, _ in open_to}
        if not open_to:
            return
        ends = asyncio.get_running_loop().time() + self.pace.choice
        host.choice_ms = host.now_ms() + int(self.pace.choice * 1000)
        host.show()
        while host.table.entries == seen and asyncio.get_running_loop().time() < ends and names & self._here_now():
            await asyncio.sleep(min(POLL_SECONDS, self.pace.choice))
        if host.table.entries == seen:
            self.passed |= {offer for offer in open_to if offer[-1] != DUE}
        host.choice_ms = 0
        host.show()

    def _open_to(self) -> set[Offer]:
        """Who of those who are here may choose what now, but for what they have let pass in this round."""
        table = self.host.table
        here_now = self._here_now()
        if not here_now:
            return set()
        wanted: set[Offer] = {(table.number, asked(table), DUE)} if asked(table) in here_now else set()
        offers = {(table.number, name, str(offer)) for name in here_now for offer in beside(table, name)}
        self.passed = {offer for offer in self.passed if offer[0] == table.number}
        return (wanted | offers | self._late(here_now)) - self.passed

    def _late(self, here_now: set[str]) -> set[Offer]:
        """Wagers that are open to somebody although bets are closed, as insurance before a third card is dealt."""
        table = self.host.table
        if not isinstance(table.due, Deal) or self.offers.betting(table).state != "closed":
            return set()
        return {(table.number, name, on) for name in here_now for on in self.offers.opens(table, name)}

    def _here_now(self) -> set[str]:
        """The players whose page is open."""
        return {watcher.name for watcher in self.host.watchers if watcher.role == PLAYER}

    async def ask(self, what: AnyCommand, *, role: str = DEALER) -> Answer:
        by = NAME if role in (DEALER, VIRTUAL_SHOE) else SUPERVISOR
        return await self.host.ask(new_id(), what, by=by, role=role)


DUE, BET = "due", "bet"
