"""Who is in a simulated house: terminals that show what they are sent, a dealer, staff, a cashier, guests.

A terminal knows only its view and its answers, as its page does: it bets, shows its slip at the cut-off, confirms what
it shows, and cashes out.  The others look at the table where most of it is known and ask through the network like
everybody.  What each asked and was told is the town's history.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from croupier.answers.declaring import declarations, unlike
from croupier.answers.walker import Stack, Walker, teller
from croupier.floor.keeping.credentials.tickets import NoTicket, Ticket
from croupier.floor.keeping.devices import NotDone
from croupier.floor.keeping.house import House
from croupier.floor.wire import Answer
from croupier.game import Chosen, Deal, Over, Perform
from croupier.house.cage import messages as cage
from croupier.law.officials import CASHIER, DEALER, GAME_SUPERVISOR, PLAYER, doer
from croupier.notation import write_fact
from croupier.prove.world.town import Town, TownAsked, TownLine
from croupier.table import commands as c
from croupier.table.betting.offers import KeptOffers
from croupier.table.commands import AnyCommand
from croupier.table.linked import waits
from croupier.table.state import Table
from croupier.table.terminals import commands as t
from croupier.table.terminals.slips import digest, unconfirmed
from croupier.table.trouble.correcting import CHANCE

BETS: Final = ("banker", "player", "tie")
UNIT: Final = 2_000
"""Five in a hundred of it is a chip, so that nothing is rounded."""
CREDIT: Final = 100_000
SHORT_SECONDS: Final = 0.2
BETTING_SECONDS: Final = 2.0
SLIP_SECONDS: Final = 6.0
AIM: Final = 0.05


@dataclass(eq=False, slots=True)
class Townsperson:
    """Somebody who asks: by name, in a role, at a table or at the cage."""

    town: Town
    name: str
    role: str
    table: str = ""

    def ticket(self, _house: House) -> Ticket:
        return Ticket(self.name, self.role, self.table)

    async def do(self, what: Any, *, meant: int = 0, role: str = "") -> Answer:
        """Ask until there is an answer; what another role does, another person does."""
        asks = self if not role or role == self.role else Townsperson(self.town, f"the {role}", role, self.table)
        asked = TownAsked(self.new_id(), what, asks.name, asks.role, self.table, self.town.loop.now, meant)
        return await self.town.ask(asked, asks.ticket)

    def new_id(self) -> str:
        return f"{self.town.chance.getrandbits(128):032x}"


@dataclass(eq=False, slots=True)
class TownTerminal(Townsperson):
    """A terminal: what it shows, and the slips that it confirmed, by round."""

    role: str = PLAYER
    kind: str = "terminal"
    view: dict[str, Any] = field(default_factory=dict)
    line: TownLine | None = None
    confirmed: dict[int, dict[str, int]] = field(default_factory=dict)
    asking: set[asyncio.Task[None]] = field(default_factory=set)
    plays: bool = True
    vouchers: list[tuple[str, int]] = field(default_factory=list)
    numbers: dict[int, str] = field(default_factory=dict)
    """What each of its wagers is on."""
    aims: TownDealer | None = None
    """The dealer at whose cut-off it aims its wagers."""

    def ticket(self, _house: House) -> Ticket:
        device = _house.devices.known.paired.get((self.table, self.name))
        if device is None:
            raise NoTicket(f"{self.name} is not paired here yet")
        return _house.devices.ticket(device)

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self.town.chance.uniform(0.1, 0.6))
            self._connect()
            if self.view:
                self._act()

    def _connect(self) -> None:
        up = [each for each in self.town.living if self.table in each.house.hosts]
        if up and (self.line is None or not self.line.open):
            self.line = self.town.watch(self.town.chance.choice(up), self.table, self.name, PLAYER, self.see)

    def see(self, view: dict[str, Any]) -> None:
        self.view = view
        self.numbers |= {wager["number"]: wager["on"] for wager in view["wagers"] if wager["mine"]}
        self._confirm()

    # ---------------------------------------------------------------- what it does

    def _soon(self, work: Any) -> None:
        task = self.town.loop.create_task(work)
        self.asking.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self.asking.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.town.faults.append(f"{self.name}: {type(error).__name__}: {error}")

    def _confirm(self) -> None:
        """Confirm what is shown, once for each slip that is owed."""
        number, amounts = self.view["round"], self.shown()
        terminal = self.view.get("terminal")
        if terminal and terminal["slip"]["owed"] and self.confirmed.get(number) != amounts:
            self.confirmed[number] = amounts
            self._soon(self._confirms(number, amounts))

    def shown(self) -> dict[str, int]:
        """What the screen shows: the bets in the order of their names, each with its money."""
        amounts: dict[str, int] = {}
        for wager in self.view["wagers"]:
            if wager["mine"]:
                amounts[wager["on"]] = amounts.get(wager["on"], 0) + wager["stake"]
        return dict(sorted(amounts.items()))

    async def _confirms(self, number: int, amounts: dict[str, int]) -> None:
        answer = await self.do(t.ConfirmSlip(self.name, digest(self.name, number, amounts)))
        if not answer.done and self.confirmed.get(number) == amounts:
            # As the page does: it draws again and asks again if it is still owed.
            await asyncio.sleep(1.0)
            if self.confirmed.get(number) == amounts and self.view["round"] == number:
                del self.confirmed[number]
                self._confirm()

    def _act(self) -> None:
        """Bet, take a bet back, or cash out; one thing at a time, as a person does."""
        chance, terminal = self.town.chance, self.view.get("terminal")
        if len(self.asking) > 1 or not terminal or terminal["locked"] or not self.plays:
            return
        roll, chips = chance.random(), self.view["me"].get("chips", 0)
        if self.view["betting"]["open"] and chips >= UNIT * 2 and roll < 0.5 and len(self.view["wagers"]) < 3:
            what = c.PlaceWager(self.name, chance.choice(BETS), UNIT * chance.randrange(1, 3))
            self._soon(self._bets(what, self.view["round"]))
        elif self.view["betting"]["open"] and roll < 0.55 and self.view["wagers"]:
            what_back = c.WithdrawWager(self.name, chance.choice(self.view["wagers"])["number"])
            self._soon(self._asks(what_back))
        elif roll > 0.995 and chips:
            self._soon(self._cashes_out())

    async def _bets(self, what: c.PlaceWager, meant: int) -> None:
        if self.aims is not None and self.aims.betting_since >= 0:
            cut_off = self.aims.betting_since + self.aims.seconds
            await asyncio.sleep(max(0.0, cut_off - self.town.loop.now + self.town.chance.uniform(-AIM, AIM)))
            self.town.count("wagers about the cut-off")
        await self.do(what, meant=meant)

    async def _asks(self, what: AnyCommand) -> None:
        await self.do(what)

    async def _cashes_out(self) -> None:
        answer = await self.do(t.CashOut(self.name, ""))
        if answer.done:
            self.town.count("cash-outs")
            self.vouchers.append((answer.voucher, answer.line))


# ---------------------------------------------------------------- staff


@dataclass(eq=False, slots=True)
class TownDealer(Townsperson):
    """Answers what is due at one table, from a stack and a source of chance; now and then something goes wrong."""

    role: str = DEALER
    trouble: float = 0.0
    """How often something is declared to have gone wrong, when a card is due."""
    betting_since: float = -1.0
    slips_since: float = -1.0
    walker: Walker | None = None
    seconds: float = BETTING_SECONDS
    offers: KeptOffers = field(default_factory=KeptOffers)

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self.town.chance.uniform(0.04, SHORT_SECONDS))
            host = self.town.keeping(self.table)
            if host is not None and host.shown.open:
                await self.step(host.shown)

    def walks(self, table: Table) -> Walker:
        if self.walker is None:
            stack = Stack(max(1, table.game.decks(table.ruleset.rules)))
            self.walker = Walker(stack, self.town.chance.randrange, self._any_order)
        return self.walker

    def _any_order(self, options: Any) -> list[Chosen]:
        return self.town.chance.sample(options, len(options))

    async def step(self, table: Table) -> None:
        now, bets = self.town.loop.now, self.offers.betting(table)
        if table.locks or table.awaited or waits(table):
            return
        match table.due:
            case Over():
                self.betting_since = -1.0
                return
            case Perform() if bets.state == "closing":
                if not table.round.standing:
                    self.betting_since = -1.0
                    return
                if self.betting_since < 0:
                    self.betting_since = now
                left = self.betting_since + self.seconds - now
                if left > 0:
                    await asyncio.sleep(left)
                    return
            case Deal() if unconfirmed(table):
                if self.slips_since < 0:
                    self.slips_since = now
                if now - self.slips_since > SLIP_SECONDS:
                    self.slips_since = -1.0
                    name = unconfirmed(table)[0]
                    await self.do(t.ReturnSlip(name, "it does not answer"), role=GAME_SUPERVISOR)
                return
            case _:
                self.slips_since = self.betting_since = -1.0
        if isinstance(table.due, Deal) and self.town.chance.random() < self.trouble:
            await self._declares(table)
            return
        await self._tells(table)

    async def _tells(self, table: Table) -> None:
        this, walker = table.attended, self.walks(table)
        for fact in walker.facts(this):
            answer = await self.do(c.Tell(write_fact(fact)), role=teller(fact))
            if answer.done:
                walker.took(this, fact)
            # Where it was refused, the table is perhaps another one now.
            return

    async def _declares(self, table: Table) -> None:
        """Something that could have gone wrong here, as the game's own list has it."""
        walker, chance = self.walks(table), self.town.chance
        card = walker.stack.upcoming
        name = chance.choice(tuple(table.game.circumstances))
        made = unlike(declarations(table.attended, card, name))
        if made:
            answer = await self.do(c.Tell(write_fact(chance.choice(made))))
            if answer.done:
                self.town.count("irregularities")
                walker.stack.lose(card)
        else:
            await self._tells(table)


@dataclass(eq=False, slots=True)
class Supervisor(Townsperson):
    """Confirms what waits, credits terminals, corrects and invalidates rounds, and looks into malfunctions."""

    role: str = GAME_SUPERVISOR
    terminals: tuple[str, ...] = ()
    trouble: float = 0.0

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self.town.chance.uniform(0.3, 0.8))
            host = self.town.keeping(self.table)
            if host is not None and host.shown.open:
                await self.step(host.shown)

    async def step(self, table: Table) -> None:
        chance = self.town.chance
        if table.awaited:
            order = table.awaited[0]
            what = c.DeclineOrder if chance.random() < 0.2 else c.ConfirmOrder
            await self.do(what(order.order), role=doer(order.official))
            return
        open_cases = [number for number, case in enumerate(table.cases) if not case.closed]
        if open_cases:
            await self._duties(open_cases[0])
            return
        poor = [name for name in self.terminals if name in table.terminals and table.chips(name) < UNIT * 4]
        if poor and not table.staked(poor[0]):
            await self._credits(chance.choice(poor))
        elif chance.random() < self.trouble:
            await chance.choice((self._corrects, self._corrects, self._invalidates, self._reports))(table)

    async def _credits(self, name: str) -> None:
        await self.do(t.CreditTerminal(name, CREDIT), role=DEALER)

    async def _duties(self, case: int) -> None:
        duties = (t.ReportToInspector(case, "R-1"), t.Investigate(case, "a cable"), t.RefundRound(case))
        for what in (*duties, t.CloseMalfunction(case)):
            await self.do(what)

    async def _corrects(self, table: Table) -> None:
        """The last round with one card another."""
        record = table.record(table.number - 1)
        facts = [fact for fact in record.facts if isinstance(fact, CHANCE)] if record else []
        if len(facts) < 4 or table.game.name != "baccarat":
            return
        written: list[Any] = [write_fact(fact) for fact in facts]
        written[self.town.chance.randrange(len(written))] = self.town.chance.choice(("2h", "9s", "Kd", "5c"))
        if (await self.do(c.Correct(table.number - 1, tuple(written), "it was misread"))).done:
            self.town.count("corrections")

    async def _invalidates(self, table: Table) -> None:
        if table.records:
            what = c.Invalidate(table.number - 1, self.town.chance.choice(("fire",)))
            if (await self.do(what, role="casino manager")).done:
                self.town.count("invalidations")

    async def _reports(self, _: Table) -> None:
        if self.terminals:
            what = t.ReportMalfunction("smoke", self.town.chance.choice(self.terminals))
            if (await self.do(what)).done:
                self.town.count("malfunctions")


@dataclass(eq=False, slots=True)
class AtCage(Townsperson):
    """Pays vouchers, some of them presented twice."""

    role: str = CASHIER
    terminals: tuple[TownTerminal, ...] = ()
    amounts: Callable[[str, int], int] = lambda _table, _line: 0
    paid: dict[str, int] = field(default_factory=dict)

    async def run(self) -> None:
        opened = await self.do(cage.OpenShift(cash=100_000_000, chips=100_000_000))
        assert opened.done, opened.reason
        while True:
            await asyncio.sleep(self.town.chance.uniform(0.5, 1.5))
            for terminal in self.terminals:
                while terminal.vouchers:
                    code, line = terminal.vouchers[0]
                    await self._pays(code, self.amounts(terminal.table, line))
                    terminal.vouchers.pop(0)

    async def _pays(self, code: str, amount: int) -> None:
        what = cage.RedeemVoucher(code, amount)
        both = await asyncio.gather(self.do(what), Townsperson(self.town, "Max", CASHIER).do(what))
        self.paid[code] = self.paid.get(code, 0) + sum(each.done for each in both)
        self.town.count("vouchers presented")
        while not self.paid[code]:
            # Its line is not signed yet, or its terminal is locked: it is presented again.
            await asyncio.sleep(2.0)
            self.paid[code] += (await self.do(what)).done


@dataclass(eq=False, slots=True)
class TownGuest(Townsperson):
    """Somebody at a layout, who bets on the game and on the jackpot."""

    role: str = PLAYER
    box: int = 1
    plays: bool = True

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self.town.chance.uniform(0.5, 2.0))
            host = self.town.keeping(self.table)
            if host is not None and host.shown.open and self.plays:
                await self.step(host.shown)

    async def step(self, table: Table) -> None:
        if table.staked(self.name) or table.chips(self.name) < 5_000:
            if not table.staked(self.name):
                await Townsperson(self.town, "Dot", DEALER, self.table).do(c.BuyChips(self.name, CREDIT))
            return
        done = await self.do(c.PlaceWager(self.name, "ante", 1_000, box=self.box), meant=table.number)
        if done.done:
            await self.do(c.PlaceWager(self.name, "jackpot", 100, box=self.box), meant=table.number)


async def set_up(town: Town, table: str, count: int) -> tuple[TownTerminal, ...]:
    """Approve the system, pair so many terminals and their devices, and give them credits."""
    sue = Townsperson(town, "Sue", GAME_SUPERVISOR, table)
    await sue.do(t.ApproveSystem("1.0", "TA-0"))
    made = []
    for number in range(1, count + 1):
        name = f"Terminal {number}"
        await sue.do(t.PairTerminal(number, 500, 100_000, approval="TA-1"))
        await sue.do(t.CreditTerminal(name, CREDIT), role=DEALER)
        process = town.living[0]
        code = await process.house.devices.offer(process.house.hosts[table], name, by="Sue", role=GAME_SUPERVISOR)
        assert not isinstance(code, NotDone), code
        await process.house.devices.pair(code.text)
        made.append(TownTerminal(town, name, table=table))
    return tuple(made)
