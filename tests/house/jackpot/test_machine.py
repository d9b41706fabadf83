"""A jackpot link under whatever requests Hypothesis can think of."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from croupier.game import Refusal
from croupier.house.jackpot import messages as m
from croupier.house.jackpot.decide import decide
from croupier.house.jackpot.hands import who_is_first
from croupier.house.jackpot.state import Link, retained_by
from croupier.journal.entries import encode
from croupier.journal.messages import Request
from croupier.law.inventory import exists
from tests.helpers.desks.jackpot import DEALER, MANAGER, SUPERVISOR, a_link, joining, replay, snapshot

TABLES = st.sampled_from(["T1", "T2", "T3"])
BOXES = st.integers(1, 3)
QUALIFYING = ("flush", "full house", "four of a kind", "straight flush", "royal flush")


class AnyLink(RuleBasedStateMachine):
    """Requests that make sense and requests that do not; the books and the order of payments are checked after each."""

    @initialize(rate=st.integers(1, 10_000), seed=st.sampled_from([0, 1, 33_333, 1_500_000]))
    def opened(self, rate: int, seed: int) -> None:
        self.desk = a_link(1_234_567, pool_rate=rate, retained_rate=10_000 - rate, seed=seed)

    def ask(self, what: m.AnyCommand, role: str = MANAGER) -> m.Events:
        before = self.desk.link
        answer = decide(before, Request(what, "someone", role))
        if isinstance(answer, Refusal):
            assert exists(answer.rule), answer
            return ()
        events = self.desk.ask(what, role)
        for event in events:
            assert exists(event.rule), event
            assert all(exists(transfer.rule) for transfer in event.transfers)
        self.check_payment(before, events)
        return events

    def check_payment(self, before: Link, events: m.Events) -> None:
        """Nobody who was received earlier waits; each hand is paid once; the pool gives no more than it had."""
        paid = [event for event in events if isinstance(event, m.JackpotPaid)]
        for order in (event for event in events if isinstance(event, m.PayOrder)):
            waiting = [table.moment for name, table in before.tables.items() if name != order.table]
            assert all(moment is None or moment >= order.at_ms for moment in waiting)
        assert len({event.box for event in paid}) == len(paid)
        assert sum(event.from_pool for event in paid) <= before.pool
        for event in paid:
            assert event.paid >= Fraction(event.due)
            assert 0 <= event.from_pool <= event.paid

    @rule(chance=st.randoms(use_true_random=False), times=st.integers(1, 20))
    def goes_on(self, chance: Random, times: int) -> None:
        """What usually comes next at some table, for a while."""
        for _ in range(times):
            name = chance.choice(("T1", "T2", "T3"))
            known = self.desk.link.tables.get(name)
            if known is None:
                self.ask(joining(name))
            elif not known.stakes:
                for box in range(1, chance.randrange(2, 5)):
                    self.ask(m.RecordWager(name, known.round + 1, box, f"{name} {box}", 200), DEALER)
            elif not known.timed:
                for box in known.stakes:
                    first = chance.randrange(50)
                    self.ask(m.TimeHand(name, box, first, first + chance.randrange(9)), DEALER)
            elif not known.claims:
                hands = {box: chance.choice(QUALIFYING) for box in known.stakes if chance.random() < 0.6}
                self.ask(m.ReportHands(name, hands), DEALER)
            else:
                self.ask(m.PayHands(chance.choice((name, who_is_first(self.desk.link)))), SUPERVISOR)

    @rule(table=TABLES, box=BOXES, ahead=st.integers(0, 1), amount=st.sampled_from([200, 199]))
    def wagers(self, table: str, box: int, ahead: int, amount: int) -> None:
        known = self.desk.link.tables.get(table)
        number = known.round + ahead if known else 1
        self.ask(m.RecordWager(table, number, box, f"{table} {box}", amount), DEALER)

    @rule(table=TABLES, box=BOXES, first=st.integers(0, 50), more=st.integers(-1, 9))
    def deals(self, table: str, box: int, first: int, more: int) -> None:
        self.ask(m.TimeHand(table, box, first, first + more), DEALER)

    @rule(table=TABLES, hands=st.dictionaries(BOXES, st.sampled_from([*QUALIFYING, "straight"]), max_size=3))
    def reports(self, table: str, hands: dict[int, str]) -> None:
        self.ask(m.ReportHands(table, hands), DEALER)

    @rule(table=TABLES, by=st.dictionaries(BOXES, st.sampled_from(["cash", "cheque", "gold"]), max_size=1))
    def pays(self, table: str, by: dict[int, str]) -> None:
        self.ask(m.PayHands(table, by), SUPERVISOR)

    @rule(table=TABLES, box=st.integers(0, 3))
    def takes_back(self, table: str, box: int) -> None:
        self.ask(m.ReturnWager(table, box) if box else m.CarryWagers(table))

    @rule(rate=st.integers(-1, 10_001), seed=st.sampled_from([-1, 0, 777]))
    def changes(self, rate: int, seed: int) -> None:
        self.ask(m.ChangeTerms(rate, 10_000 - rate, seed, "CCA"))

    @rule(table=TABLES, off=st.integers(0, 1), role=st.sampled_from([MANAGER, DEALER, "player"]))
    def comes_and_goes(self, table: str, off: int, role: str) -> None:
        self.ask(m.CheckMeter("M1", self.desk.link.pool + off), role)
        self.ask(m.LeaveTable(table), role)
        self.ask(joining(table), role)

    @rule(to=st.sampled_from(["", "grand", "new"]))
    def closes(self, to: str) -> None:
        if self.ask(m.CloseLink(to, "CCA")):
            self.ask(m.OpenLink(6_000, 4_000, 100, "CCA"))

    @invariant()
    def the_books_balance(self) -> None:
        if not hasattr(self, "desk"):
            return
        link = self.desk.link
        assert sum(link.balances.values()) == 0
        assert link.pool >= 0
        assert link.balances.get(retained_by("grand"), 0) >= 0
        assert 0 <= link.carry < 1

    def teardown(self) -> None:
        if hasattr(self, "desk"):
            written = [encode(line) for line in self.desk.journal]
            again = replay("grand", written)
            assert snapshot(again) == snapshot(self.desk.link)
            assert [encode(m.decode(line)) for line in written] == written


AnyLink.TestCase.settings = settings(
    max_examples=40, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)
TestAnyLink = AnyLink.TestCase


@pytest.mark.parametrize("number", range(6))
def test_many_rounds_at_three_tables(number: int) -> None:
    """Long play at random, with what goes wrong now and then."""
    chance, machine = Random(number), AnyLink()
    machine.opened(rate=chance.randrange(1, 10_001), seed=chance.choice((0, 777)))
    for _ in range(60):
        machine.goes_on(chance, 10)
        name, box = chance.choice(("T1", "T2", "T3")), chance.randrange(4)
        chance.choice((
            lambda name=name, box=box: machine.takes_back(name, box),
            lambda: machine.changes(chance.randrange(10_001), 777),
            lambda name=name: machine.comes_and_goes(name, 0, MANAGER),
        ))()  # fmt: skip
        machine.the_books_balance()
    assert sum(isinstance(line.event, m.JackpotPaid) for line in machine.desk.journal) > 20
    machine.teardown()
