"""What must be true of a day when it is over, and a tiny model of the money that knows nothing of the house's code.

The model of the money takes only what people asked and were told was done, in the order of the lines they were told:
credits, wagers, vouchers, cards, corrections.  It settles by a second opinion (`prove/paying/plain.py`).  A round in
which something was declared to have gone wrong is settled by the law of irregularities, which the model does not have:
there it takes the ledger's word, and counts that it did.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

import msgspec

from croupier.floor.audit.verify import moved, redecided, replayed, table_of
from croupier.floor.keeping.host import Watcher
from croupier.floor.store.chain import Sound, verify_chain, verify_ledger
from croupier.floor.store.durable import Store
from croupier.floor.wire import Answer
from croupier.house.jackpot.messages import WagerRecorded
from croupier.house.jackpot.messages import decode as read_link
from croupier.journal.accounts import HELD, parted
from croupier.journal.entries import BadJournal
from croupier.journal.names import is_table
from croupier.law.officials import PLAYER
from croupier.prove.paying.plain import baccarat, counts
from croupier.prove.table_driver import Broken, check_money, check_settlements
from croupier.prove.world.days import EB, STUD, Day
from croupier.prove.world.town import TownAsked
from croupier.table import commands as c
from croupier.table.events import RoundEnded, TableEntry, WagerPlaced, WagerWithdrawn, decode
from croupier.table.evolve import after
from croupier.table.state import snapshot
from croupier.table.terminals import commands as t

ASIDE: Final = ("due", "owed", HELD)
OWN: Final = ("chips", "stakes", *ASIDE)


def check(day: Day) -> None:
    """Look at everything; what is wrong goes to the faults of the day."""
    store = day.town.disk.reader()
    for looked in (_tables, _acknowledged, _link, _paid):
        day.faults += looked(day, store)
    day.faults += [*books_faults(store), *_times(store)]
    day.faults += _screens(day)
    day.faults += MoneyModel(day, store).faults()


# ---------------------------------------------------------------- the books


def books_faults(store: Store) -> Iterator[str]:
    """The chain, the ledger, and every journal by its rules."""
    chain = verify_chain(store)
    if not isinstance(chain, Sound):
        yield f"the chain: {chain}"
        return
    if (ledger := verify_ledger(store, moved)) is not None:
        yield f"the ledger: {ledger}"
    for name in store.tables():
        found = redecided(store, name) if is_table(name) else replayed(store, name)
        if isinstance(found, str):
            yield f"{name}: {found}"


def lines_of(store: Store, name: str) -> list[TableEntry]:
    return [decode(line.body) for line in store.each_line(name)]


def _tables(day: Day, store: Store) -> Iterator[str]:
    """What the processes show is what the journals lead to, and its money adds up."""
    for name in (planned.name for planned in day.town.tables):
        lines = lines_of(store, name)
        try:
            table = after(table_of(name, lines[0]), lines)
            check_money(table, "the day")
            check_settlements(table, lines)
        except (Broken, BadJournal) as error:
            yield f"{name}: {error}"
            continue
        for process in day.town.living:
            if snapshot(process.house.hosts[name].shown) != snapshot(table):
                yield f"{name}: {process.address} shows another table than its journal leads to"


def _acknowledged(day: Day, store: Store) -> Iterator[str]:
    """Everything that somebody was told is what the store says was answered."""
    for asked in day.town.history:
        if asked.answer is None or (not asked.answer.line and not asked.answer.done):
            continue
        kept = store.answer(asked.id)
        if kept is None:
            if asked.answer.done:
                yield f"{asked.by} was told that {asked.what} is done, and no journal knows of it"
            continue
        stored = msgspec.json.decode(kept.answer, type=Answer)
        if (stored.done, stored.line) != (asked.answer.done, asked.answer.line):
            yield f"{asked.by} was told {asked.answer} of {asked.what}, and the store has {stored}"


def _times(store: Store) -> Iterator[str]:
    for name in store.tables():
        times = [int(msgspec.json.decode(line.body)["at_ms"]) for line in store.each_line(name)]
        if times != sorted(times):
            yield f"{name}: the time of its lines goes back"


def _link(day: Day, store: Store) -> Iterator[str]:
    """Every jackpot wager that stood at the end of its round is recorded once, and no other is."""
    if not day.town.links:
        return
    placed: dict[int, tuple[int, int]] = {}
    number = 1
    for line in lines_of(store, STUD):
        match line.event:
            case WagerPlaced(on="jackpot", number=wager, box=box):
                placed[wager] = (number, box)
            case WagerWithdrawn(number=wager):
                placed.pop(wager, None)
            case RoundEnded():
                number += 1
            case _:
                pass
    link = [read_link(line.body).event for line in store.each_line("@link:Grand")]
    recorded = sorted((event.round, event.box) for event in link if isinstance(event, WagerRecorded))
    wanted = sorted(each for each in placed.values() if each[0] < number)
    if [each for each in recorded if each[0] < number] != wanted:
        yield f"the link recorded {len(recorded)} jackpot wagers, and {len(wanted)} were made"


def _paid(day: Day, store: Store) -> Iterator[str]:
    """Every voucher that was issued is paid once."""
    assert day.cage is not None
    for code, times in day.cage.paid.items():
        if times != 1:
            yield f"a voucher …{code[-4:]} was paid {times} times"
    if owed := store.balances().get("vouchers", 0):
        yield f"{owed} cents of vouchers are owed at the end of the day"


def _screens(day: Day) -> Iterator[str]:
    """What every terminal shows is what its table is."""
    host = day.town.keeping(EB)
    for terminal in day.terminals if host is not None else ():
        assert host is not None
        text = host.view_for(Watcher(terminal.name, PLAYER, lambda: None, lambda _: None))
        true = msgspec.json.decode(text or "{}").get("view", {})
        shown = terminal.view
        wrong = [part for part in true if part != "at_ms" and true[part] != shown.get(part)]
        if wrong:
            yield f"{terminal.name} shows another {', '.join(wrong)} than its table has"


# ---------------------------------------------------------------- the money


@dataclass(slots=True)
class ModelRound:
    """A round as the model has it: cards, bets, what everybody won; `troubled` if that is the ledger's word."""

    points: list[int] = field(default_factory=list)
    bets: dict[str, dict[str, int]] = field(default_factory=dict)
    nets: dict[str, int] = field(default_factory=dict)
    troubled: bool = False


@dataclass(slots=True)
class MoneyModel:
    """The money of the terminals, from what they and the staff were told."""

    day: Day
    store: Store
    worth: dict[str, int] = field(default_factory=dict)
    aside: dict[str, int] = field(default_factory=dict)
    """What of it is no credit: due to somebody who was paid out, or owed by one (below nothing)."""
    since: dict[str, int] = field(default_factory=dict)
    """The round since which somebody plays at a terminal; none while nobody does."""
    waiting: dict[tuple[int, str], int] = field(default_factory=dict)
    """What changes of a round left aside, by round and terminal."""
    rounds: dict[int, ModelRound] = field(default_factory=dict)
    number: int = 1
    reported: list[tuple[str, int]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def hand(self) -> ModelRound:
        return self.rounds.setdefault(self.number, ModelRound())

    def faults(self) -> list[str]:
        ended = {entry.number + 1 for entry in lines_of(self.store, EB) if isinstance(entry.event, RoundEnded)}
        done = [each for each in self.day.town.history if each.table == EB and each.answer and each.answer.done]
        steps = {each.answer.line: each for each in done if each.answer}
        before = 0
        for line in sorted(steps):
            self._take(steps[line], line)
            for _ in range(sum(before < end <= line for end in ended)):
                self._ends(line)
            before = line
        self._compare(before)
        troubled = sum(hand.troubled for hand in self.rounds.values())
        for what, count in (("rounds settled by the model", self.number - 1 - troubled), ("by the ledger", troubled)):
            self.day.town.happened[what] = self.day.town.happened.get(what, 0) + count
        return self.wrong

    def _take(self, asked: TownAsked, line: int) -> None:
        """One thing that was done."""
        what, hand = asked.what, self.hand
        match what:
            case t.CreditTerminal():
                worth = self.worth.get(what.terminal, 0)
                if worth == self.aside.get(what.terminal, 0):
                    # Without credits and wagers nobody plays there: this is a new player.
                    self.since[what.terminal] = self.number
                self.worth[what.terminal] = worth + what.amount
            case t.CashOut():
                staked = self._staked(what.terminal)
                self.worth[what.terminal] = staked + self.aside.get(what.terminal, 0)
                if not staked:
                    self.since.pop(what.terminal, None)
            case c.PlaceWager():
                if asked.round not in (0, self.number):
                    self.wrong.append(f"{asked.by}: a wager meant for round {asked.round} lies in round {self.number}")
                bets = hand.bets.setdefault(what.player, {})
                bets[what.on] = bets.get(what.on, 0) + what.amount
            case c.WithdrawWager():
                terminal = next(each for each in self.day.terminals if each.name == what.player)
                hand.bets.get(what.player, {}).pop(terminal.numbers[what.number], None)
            case t.ReturnSlip():
                hand.bets.pop(what.terminal, None)
            case t.ReportMalfunction():
                self.reported.append((what.terminal, self.number))
            case t.RefundRound():
                name, number = self.reported[what.case]
                self.rounds.setdefault(number, ModelRound()).bets.pop(name, None)
            case c.Tell(fact=str(card)):
                self._card(card)
            case c.Tell(fact={"irregular": _}) | c.ConfirmOrder():
                hand.troubled = True
            case c.Correct():
                self._again(what.round, [_point(str(card)) for card in what.facts], line)
            case c.Invalidate():
                self._again(what.round, None, line)
            case _:
                pass

    def _card(self, card: str) -> None:
        hand = self.hand
        if not hand.points:
            for terminal in self.day.terminals:
                shown, lies = terminal.confirmed.get(self.number, {}), hand.bets.get(terminal.name, {})
                if lies and lies != shown:
                    self.wrong.append(f"round {self.number}: {terminal.name} confirmed {shown}, and {lies} is played")
        hand.points.append(_point(card))

    def _ends(self, line: int) -> None:
        hand = self.hand
        if hand.troubled or counts(hand.points) is None:
            hand.troubled = True
            self._believe(line)
        else:
            self._settle(hand)
        self.number += 1

    def _settle(self, hand: ModelRound) -> None:
        hand.nets = _nets(hand)
        for name, net in hand.nets.items():
            self.worth[name] = self.worth.get(name, 0) + net

    def _again(self, number: int, points: list[int] | None, line: int) -> None:
        """A round was corrected, or did not count."""
        hand = self.rounds.setdefault(number, ModelRound())
        if hand.troubled:
            self._believe(line)
            return
        before, hand.nets = hand.nets, {}
        hand.points, hand.bets = (points, hand.bets) if points is not None else ([], {})
        now = _nets(hand)
        for name, net in before.items():
            self._differs(name, number, now.get(name, 0) - net)
        hand.nets = now

    def _staked(self, name: str) -> int:
        return sum(self.hand.bets.get(name, {}).values())

    def _differs(self, name: str, number: int, cents: int) -> None:
        """What a later change of a round gives or takes: from whoever plays there still, as far as the credits go.

        What an earlier change of the same round left aside, due or owed, is cleared first.
        """
        self.worth[name] = self.worth.get(name, 0) + cents
        played, waited = number >= self.since.get(name, number + 1), self.waiting.get((number, name), 0)
        back = max(min(cents, -waited), 0) if cents > 0 else min(max(cents, -waited), 0)
        credits = self.worth[name] - cents - self.aside.get(name, 0) - self._staked(name) if played else 0
        aside = back + (cents - back if not played else min(0, cents - back + credits))
        self.waiting[number, name] = waited + aside
        self.aside[name] = self.aside.get(name, 0) + aside

    def _believe(self, line: int) -> None:
        """Take the ledger's word for what everybody has after a line, and for what of it is no credit."""
        self.worth |= self._ledger(line)
        self.aside |= self._ledger(line, ASIDE)

    def _ledger(self, line: int, kinds: tuple[str, ...] = OWN) -> dict[str, int]:
        """What the ledger has for every terminal after a line."""
        found = {terminal.name: 0 for terminal in self.day.terminals}
        for row in self.store.ledger_rows(EB, 1, line):
            for account, cents in ((row.debit, -row.cents), (row.credit, row.cents)):
                kind, name = parted(account)
                if kind in kinds and name in found:
                    found[name] += cents
        return found

    def _compare(self, line: int) -> None:
        books = self._ledger(line)
        for name, cents in books.items():
            if self.worth.get(name, 0) != cents:
                self.wrong.append(f"{name} should have {self.worth.get(name, 0)} cents, and the ledger says {cents}")


def _nets(hand: ModelRound) -> dict[str, int]:
    """What everybody won or lost."""
    return {
        name: int(
            sum((baccarat(on, hand.points, half_on_six=False) * cents for on, cents in bets.items()), Fraction(0))
        )
        for name, bets in hand.bets.items()
    }


def _point(card: str) -> int:
    return 1 if card[0] == "A" else int(card[0]) if card[0].isdigit() and card[0] != "1" else 0
