"""Requests at a table, sensible and not, and what must hold after each of them.

A driver makes requests at one table: most of them sensible (what is due, a wager that might be accepted), some not (a
wrong role, an act out of turn, a wager nobody may make).  After every request these hold, or the proof fails:

- the sum of all balances is nothing, and no player's chips or stakes are below nothing;
- what is pending as stakes is what lies in the book;
- every wager ever placed has exactly one settlement in force, or is open in the book;
- every event and refusal names a rule that exists;
- the journal, written down and read back, leads to the same table, byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from croupier.answers.walker import Stack, Walker, teller
from croupier.ceremony import CUTTING_CARD
from croupier.equipment import CARDS, card_name
from croupier.game import AnyGame, Chosen, Deal, Over, Refusal
from croupier.journal.accounts import HELD, VOUCHERS, parted
from croupier.journal.entries import encode
from croupier.law.general import in_force
from croupier.law.inventory import parts
from croupier.law.officials import CASINO_MANAGER, DEALER, LADDER, PLAYER, ROLES, doer
from croupier.law.ruleset import Ruleset
from croupier.notation import write_fact
from croupier.prove import terminal_requests
from croupier.table import commands as c
from croupier.table.betting.offers import betting
from croupier.table.commands import AnyCommand, TableRequest
from croupier.table.decide import decide
from croupier.table.desk import replay
from croupier.table.events import (
    RoundCorrected,
    RoundInvalidated,
    StakeAdded,
    TableEntry,
    WagerPlaced,
    WagerReopened,
    WagerSettled,
    WagerWithdrawn,
)
from croupier.table.evolve import after, entries
from croupier.table.state import Awaited, Table, new_table, snapshot
from croupier.table.trouble.correcting import CHANCE
from croupier.table.walk import opening

NAMES = ("ann", "bob", "cid", "dee")
PLAYED = (*CHANCE, Chosen)
CALLS = ("", "stand", "void")
AMOUNTS = (100, 500, 1_000, 2_000, 2_500, 5_000, 10_000, 100_000)


class Broken(AssertionError):
    """An invariant that did not hold."""


class Driver:
    """One table and a source of requests."""

    def __init__(self, game: AnyGame, ruleset: Ruleset[Any], chance: Random) -> None:
        self.game, self.ruleset, self.chance = game, ruleset, chance
        self.table: Table = new_table("proof", game, ruleset)
        self.journal: list[TableEntry] = []
        self.requests = self.refused = 0
        self.walker = Walker(Stack(max(1, game.decks(ruleset.rules))), chance.randrange, self._any_order)
        self.now_ms = 0
        for request in self._opening():
            self.ask(*request)

    def ask(self, what: AnyCommand, role: str = DEALER, by: str = "") -> Refusal | None:
        """Decide one request and check everything that must hold after it."""
        self.requests += 1
        self.now_ms += self.chance.randrange(0, 600_000)
        request = TableRequest(what, by or role, role, self.now_ms)
        events = decide(self.table, request)
        if isinstance(events, Refusal):
            self.refused += 1
            check_rule(events.rule, f"refusal of {what}: {events.reason}")
            return events
        lines = entries(self.table, request, events)
        self.table = after(self.table, lines)
        self.journal += lines
        for line in lines:
            check_rule(line.event.rule, str(line.event))
        check_money(self.table, what)
        return None

    def step(self) -> None:
        """One request, more often than not the one that moves the game on."""
        roll = self.chance.random()
        if roll < 0.55:
            self.go_on()
        elif roll < 0.80:
            self.bet()
        else:
            self.ask_anything()

    def ask_anything(self) -> None:
        """Something that may or may not make sense now."""
        self.ask(*self._anything())

    def _any_order(self, options: Sequence[Chosen]) -> list[Chosen]:
        return self.chance.sample(options, len(options))

    # ---------------------------------------------------------------- requests

    def _opening(self) -> Iterator[tuple[AnyCommand, str]]:
        yield opening(self.table, differential=self._differential()), LADDER[1]
        for seat, name in enumerate(NAMES, 1):
            yield c.Sit(name, seat), DEALER
            yield c.BuyChips(name, 500_000), DEALER
        yield from ((what, role) for what, role, _ in terminal_requests.opening(self.table))

    def _differential(self) -> tuple[int, int] | None:
        """As many figures as the law has, at some of the tables."""
        figures = self.table.layout.differentials
        if not in_force(figures) or self.chance.random() >= 0.3:
            return None
        return 20_000, 40_000 if "minimum" in figures.value else 20_000

    def go_on(self) -> None:
        """Answer what is due, and whoever waits for an answer."""
        at_terminals = terminal_requests.due(self.table, self.chance) if self.table.terminals else None
        if self.table.awaited:
            self._official_answers(self.table.awaited[0])
        elif at_terminals:
            self.ask(*at_terminals)
        elif isinstance(self.table.due, Over):
            self.bet()
        else:
            if not self.table.round.standing and betting(self.table).state == "closing":
                self.bet()
            self._answer()

    def _official_answers(self, order: Awaited) -> None:
        """The official who is awaited confirms the order, or declines it now and then."""
        declines = self.chance.random() < 0.2
        self.ask(c.DeclineOrder(order.order) if declines else c.ConfirmOrder(order.order), doer(order.official))

    def _answer(self) -> None:
        this = self.table.attended
        early = isinstance(this.due, Deal) and self.chance.random() < 0.01
        for fact in (CUTTING_CARD,) if early else self.walker.facts(this):
            if self.ask(c.Tell(write_fact(fact)), teller(fact)) is None:
                self.walker.took(this, fact)
                return

    def _card(self) -> str:
        return card_name(self.chance.randrange(CARDS))

    def bet(self) -> None:
        if self.table.terminals and self.chance.random() < 0.5:
            self.ask(*terminal_requests.bet(self.table, self.chance))
            return
        player = self.chance.choice(NAMES)
        there = self.table.players.get(player)
        on = self.chance.choice(self.game.wagers(self.ruleset.rules))
        amount = self.chance.choice(AMOUNTS)
        box = there.seat if there and there.seat else 1
        found, oral = self.chance.random() < 0.05, self.chance.random() < 0.05
        role = DEALER if found or (oral and self.chance.random() < 0.5) else PLAYER
        self.ask(c.PlaceWager(player, on, amount, box=box, found=found, oral=oral), role, player)

    def _anything(self) -> tuple[AnyCommand, str, str]:
        if self.table.terminals and self.chance.random() < 0.4:
            return terminal_requests.anything(self.table, self.chance)
        player, pick = self.chance.choice(NAMES), self.chance.choice
        some: tuple[AnyCommand, ...] = (
            c.Sit(player, self.chance.randrange(0, 7)),
            c.Leave(player),
            c.BuyChips(player, pick((100, 50_000, 333, -5))),
            c.RedeemChips(player, pick((100, 70_000))),
            c.ChangeLimits(pick((500, 1_000)), pick((50_000, 40_000)), consent=NAMES),
            c.PostLimits(1_000, 50_000, self.now_ms + 1_300_000),
            c.SetDifferential(10_000, pick((10_000, 20_000))),
            c.SetPersonalLimit(player, 1_000, 100_000),
            c.AskToLeave(player),
            c.WithdrawWager(player, pick(self._numbers())),
            c.Tell(self._card()),
            c.Tell({"perform": pick(("shuffle", "cut", "call No more bets", "burn", "collect"))}),
            c.Tell({"choose": pick(("stand", "hit", "double", "split", "fold", "bet", "insure")), "by": player}),
            c.Tell({"take": pick(self.game.wagers(self.ruleset.rules)), "by": player}),
            c.Tell({"irregular": pick(tuple(self.game.circumstances)), "card": self._card(), "call": pick(CALLS)}),
            c.TakeBack("entered by mistake"),
            self._correction(),
            c.Invalidate(max(1, self.table.number - pick((0, 0, 1))), pick(("fire", "fraud", "boredom")), (player,)),
            c.Sanction(player, pick(("void wagers", "seize winnings", "detain")), 100),
            c.DeferCommission(player),
            c.CollectCommission(player),
            c.IssueColour(player, pick(("red", "blue")), 100, 5),
            c.RaiseDispute(player, "a card"),
            c.DecideDispute(0, "as dealt", resolved=pick((True, False)), inspector_named=True),
            c.ReportPaid(max(1, self.table.number - 1), pick(self._numbers()), 5_000),
            c.RecoverPaid(player),
            c.HoldUnclaimed(player, 100),
            c.Overrule(0, pick(CALLS)),
            c.ShowRules(player),
            c.Tip(player, 100),
            c.Advise(player, "stand on 17"),
        )
        role = pick((CASINO_MANAGER, CASINO_MANAGER, CASINO_MANAGER, *ROLES))
        return pick(some), role, player

    def _numbers(self) -> tuple[int, ...]:
        return tuple(entry.wager.number for entry in self.table.round.book) or (0,)

    def _correction(self) -> c.Correct:
        """A recent round with one card, throw or spin another."""
        number = max(1, self.table.number - self.chance.choice((1, 1, 2, 3)))
        record = self.table.record(number)
        facts = [fact for fact in record.facts if isinstance(fact, PLAYED)] if record else []
        written: list[Any] = [write_fact(fact) for fact in facts]
        drawn = [at for at, fact in enumerate(facts) if isinstance(fact, CHANCE)]
        if drawn:
            written[self.chance.choice(drawn)] = self._drawn()
        return c.Correct(number, tuple(written), "it was misread")

    def _drawn(self) -> str:
        """A card, throw or spin."""
        if self.game.chances is None:
            return self._card()
        return str(write_fact(self.chance.choice(self.game.chances(self.ruleset.rules).outcomes)))

    # ---------------------------------------------------------------- the whole journal

    def check_journal(self) -> None:
        """The journal as bytes leads to the same table, and every wager has one settlement in force or is open."""
        again = replay(self.game, self.ruleset, [encode(line) for line in self.journal], "proof")
        if snapshot(again) != snapshot(self.table):
            raise Broken("a replayed journal leads to another table")
        check_settlements(self.table, self.journal)


def check_rule(rule: str, where: str) -> None:
    if not rule or not parts(rule):
        raise Broken(f"no such rule {rule!r}: {where}")


def check_money(table: Table, after_what: object) -> None:
    if sum(table.balances.values()):
        raise Broken(f"the books do not balance after {after_what}")
    for account, cents in table.balances.items():
        kind = parted(account).kind
        if cents < 0 and kind in ("chips", "stakes", HELD, "seized", VOUCHERS, "due"):
            raise Broken(f"{account} is {cents} after {after_what}")
        if cents > 0 and kind == "owed":
            raise Broken(f"{account} is {cents} after {after_what}")
    pending: dict[str, int] = {}
    for entry in table.round.book:
        wager = entry.wager
        if table.is_settled(wager.number):
            continue
        pending[wager.by] = pending.get(wager.by, 0) + wager.stake_cents + wager.voided_cents
    for name in {*pending, *table.players}:
        staked, booked = table.staked(name), pending.get(name, 0)
        if staked != booked:
            raise Broken(f"{name} has {staked} in stakes and {booked} in the book after {after_what}")


def check_settlements(table: Table, journal: list[TableEntry]) -> None:
    """Every wager ever placed is open, taken back, or settled; and settled once, unless a correction replaced it."""
    placed, ended = set[int](), dict[int, int]()
    for line in journal:
        match line.event:
            case WagerPlaced(number=number) | StakeAdded(number=number):
                placed.add(number)
            case WagerWithdrawn(number=number) | WagerSettled(number=number):
                ended[number] = ended.get(number, 0) + 1
            case WagerReopened(number=number):
                ended[number] -= 1
            case _:
                pass
    corrected = any(isinstance(line.event, RoundCorrected) for line in journal)
    if not corrected and any(times > 1 for times in ended.values()):
        raise Broken("a wager was settled twice")
    in_book = {entry.wager.number for entry in table.round.book}
    ended = {number: times for number, times in ended.items() if times}
    if not corrected and {number for number in in_book if not table.is_settled(number)} & set(ended):
        raise Broken("a settled wager is still in the book")
    gone = {number for number in placed if number not in ended and number not in in_book}
    if not corrected and gone - _forfeited(journal):
        raise Broken(f"wagers {sorted(gone)} have no settlement")


def _forfeited(journal: list[TableEntry]) -> set[int]:
    """Wagers that were forfeited with an invalid round: they are told with the round, not one by one."""
    by = {name for line in journal if isinstance(line.event, RoundInvalidated) for name in line.event.forfeited}
    return {
        line.event.number
        for line in journal
        if isinstance(line.event, WagerPlaced | StakeAdded) and line.event.player in by
    }
