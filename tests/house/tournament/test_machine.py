"""Tournaments under whatever requests Hypothesis can think of."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from croupier.game import Refusal
from croupier.house.tournament import conditions as t
from croupier.house.tournament import messages as m
from croupier.house.tournament.decide import decide
from croupier.house.tournament.state import buy_ins_of, due_to_play, fees_of, standings
from croupier.journal.entries import encode
from croupier.law.inventory import exists
from tests.helpers.desks.tournament import (
    DEPUTY,
    DIRECTOR,
    MANAGER,
    MINUTE,
    SIX,
    V,
    entered,
    hand,
    in_secret,
    replay,
    seats,
    snapshot,
)

NAMES = st.sampled_from(SIX)
WHO = st.sampled_from([DIRECTOR, DIRECTOR, DIRECTOR, DEPUTY, "ann", ""])
TABLES = st.sampled_from(["B1", "B2", "B9"])


class AnyTournament(RuleBasedStateMachine):
    """A tournament that goes its way, with anything asked in between."""

    @initialize(
        how=st.sampled_from(["collected", "carried", "cash"]),
        ties=st.sampled_from(["drawn", "all go on"]),
        late=st.sampled_from(["plays on", "eliminated"]),
        absent=st.sampled_from(["keeps place", "eliminated"]),
        players=st.sampled_from([6, 5, 3, 2]),
    )
    def entered(self, how: Any, ties: Any, late: Any, absent: Any, players: int) -> None:
        rounds = (
            t.RoundTerms(MINUTE, hands=2, minutes=30, tables=2, seats=3, progress=1, best_others=1),
            t.RoundTerms(MINUTE, hands=2, minutes=0, tables=2, seats=3, progress=1, repechage=True),
            t.RoundTerms(MINUTE, hands=1, minutes=0, tables=2, seats=6),
        )
        self.desk = entered(
            *SIX[:players],
            structure=t.Structure(rounds, ties=ties),
            chips=t.ChipTerms(1_000, 100, how, 3),
            lateness=t.LateTerms(1, late, absent),
            buy_back=t.BuyBackTerms(1, (1, 2), 333, "at the desk"),
            leaving=t.LeavingTerms(("x",), retirement=True, fee_refund=3_333, buy_in_refund=6_667),
        )
        self.prizes: dict[str, int] = {}
        self.desk.ask(m.DesignateTables(("B1", "B2")))

    def ask(self, what: m.AnyCommand, by: str = DIRECTOR, role: str = MANAGER) -> m.Events:
        answer = decide(self.desk.state, self.desk.request(what, by, role))
        if isinstance(answer, Refusal):
            assert exists(answer.rule), answer
            return ()
        events = self.desk.ask(what, by, role)
        for event in events:
            assert exists(event.rule), event
            assert all(exists(transfer.rule) for transfer in event.transfers)
            if isinstance(event, m.PrizeAwarded):
                assert event.player not in self.prizes
                self.prizes[event.player] = event.amount
        return events

    @rule(chance=st.randoms(use_true_random=False), times=st.integers(1, 20))
    def goes_on(self, chance: Random, times: int) -> None:
        """What usually comes next, for a while."""
        for _ in range(times):
            state, play = self.desk.state, self.desk.state.play
            self.desk.now += chance.randrange(MINUTE)
            if play is None:
                self.prepare(chance)
            elif not state.playing:
                self.desk.now = max(self.desk.now, state.starts_ms(state.round))
                self.ask(m.StartRound())
            elif not play.seated:
                for name in play.seats:
                    self.ask(m.TakeSeat(name, name), role="dealer")
            elif play.tables - play.ended:
                self.play_on(chance, chance.choice(sorted(play.tables - play.ended)))
            else:
                self.ask(m.EndRound(tuple(chance.sample(SIX, 6))))
                self.check_round()

    def prepare(self, chance: Random) -> None:
        self.ask(m.CheckIn(DIRECTOR))
        self.ask(m.Brief(tuple(self.desk.state.entrants)))
        for name in sorted(self.desk.state.entrants):
            self.ask(m.BuyBack(name)) if chance.random() < 0.1 else None
            self.ask(m.SignConditions(name)) if self.desk.state.signatures else None
        due = sorted(due_to_play(self.desk.state))
        self.ask(m.DrawSeats(seats(*chance.sample(due, len(due)))) if due else m.EndRound())
        if chance.random() < 0.3:
            self.ask(m.AwardPrizes())

    def play_on(self, chance: Random, table: str) -> None:
        play = self.desk.state.play
        there = [name for name in play.at(table) if name in play.seated] if play else []
        stakes = {name: min(self.desk.chips(name), chance.choice((10, 100, 500))) for name in there}
        played = {name: (stake, stake * chance.choice((0, 0, 2))) for name, stake in stakes.items()}
        if not self.ask(hand(table, **played), role="dealer"):
            self.ask(m.CheckIn(DIRECTOR))
            self.desk.now += 10 * MINUTE
            self.ask(m.EndTable(table, SIX))

    @rule(some=st.sets(NAMES), person=st.sampled_from(["", "", "zoe"]))
    def sits(self, some: set[str], person: str) -> None:
        for name in sorted(some):
            self.ask(m.TakeSeat(name, person or name), role="dealer")

    @rule(
        table=TABLES,
        stakes=st.lists(st.integers(-1, 600), min_size=6, max_size=6),
        times=st.sampled_from([0, 0, 1, 2, 9]),
    )
    def plays(self, table: str, stakes: list[int], times: int) -> None:
        play = self.desk.state.play
        there = [name for name in play.at(table) if name in play.seated] if play else []
        mine = {name: min(stake, self.desk.chips(name)) for name, stake in zip(there, stakes, strict=False)}
        secret = tuple(name for name, stake in mine.items() if stake % 7 == 0)
        played = {name: (stake, min(2, times) * stake) for name, stake in mine.items()}
        self.ask(in_secret(hand(table, **played), *secret), role="dealer")

    @rule(order=st.permutations(SIX), agreed=st.sets(NAMES), minutes=st.sampled_from([0, 40]))
    def ends(self, order: list[str], agreed: set[str], minutes: int) -> None:
        self.desk.now += minutes * MINUTE
        for table in ("B1", "B2"):
            self.ask(m.EndTable(table, tuple(sorted(agreed))))
        self.ask(m.EndRound(tuple(order)))
        self.check_round()

    def check_round(self) -> None:
        places = standings(self.desk.state)
        assert [place.place for place in places] == sorted(place.place for place in places)
        assert len({place.player for place in places}) == len(places)

    @rule(
        what=st.one_of(
            st.builds(m.Retire, NAMES),
            st.builds(m.Withdraw, NAMES),
            st.builds(m.BuyBack, NAMES),
            st.builds(m.Enter, st.sampled_from(["gus", "ann"])),
            st.builds(m.RefuseEntry, NAMES),
            st.builds(m.SignConditions, NAMES),
            st.just(m.RequireSignatures()),
            st.builds(m.Disqualify, NAMES, st.sampled_from(["x", "y"])),
            st.builds(m.NominateSubstitute, NAMES, st.sampled_from(["zoe", "ann"])),
            st.builds(m.ApproveSubstitute, NAMES),
            st.builds(m.OrdinaryPlay, TABLES),
            st.builds(m.CheckOut, st.sampled_from([DIRECTOR, DEPUTY])),
            st.builds(m.CheckIn, st.sampled_from([DIRECTOR, DEPUTY, "ann"])),
            st.builds(m.AlterStart, st.integers(0, 4), st.integers(0, 10**7), st.just(SIX)),
            st.builds(m.ApplyModification, st.sampled_from([V + "6.5", V + "6.4", "x"])),
            st.just(m.AwardPrizes()),
            st.just(m.PublishConditions(t.Conditions())),
        ),
        by=WHO,
        role=st.sampled_from([MANAGER, MANAGER, "player", "dealer", ""]),
    )
    def asks_anything(self, what: m.AnyCommand, by: str, role: str) -> None:
        self.ask(what, by, role)

    @invariant()
    def all_is_well(self) -> None:
        if not hasattr(self, "desk"):
            return
        state = self.desk.state
        assert sum(state.balances.values()) == 0
        assert all(entrant.chips >= 0 for entrant in state.entrants.values())
        assert state.balances.get(fees_of("cup"), 0) >= 0
        assert state.balances.get(buy_ins_of("cup"), 0) >= 0
        assert sum(self.prizes.values()) <= 170_001

    def teardown(self) -> None:
        if hasattr(self, "desk"):
            written = [encode(line) for line in self.desk.journal]
            assert snapshot(replay("cup", written)) == snapshot(self.desk.state)
            assert [encode(m.decode(line)) for line in written] == written


AnyTournament.TestCase.settings = settings(
    max_examples=40, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)
TestAnyTournament = AnyTournament.TestCase


@pytest.mark.parametrize("number", range(40))
def test_whole_tournaments(number: int) -> None:
    """Tournaments at random from the draw to the prizes, with somebody leaving now and then."""
    chance, machine = Random(number), AnyTournament()
    machine.entered(
        how=chance.choice(("collected", "carried", "cash")),
        ties=chance.choice(("drawn", "all go on")),
        late=chance.choice(("plays on", "eliminated")),
        absent=chance.choice(("keeps place", "eliminated")),
        players=chance.randrange(2, 7),
    )
    for _ in range(300):
        machine.goes_on(chance, 1)
        if chance.random() < 0.02:
            machine.ask(chance.choice((m.Retire(chance.choice(SIX)), m.Disqualify(chance.choice(SIX), "x"))))
        machine.all_is_well()
        if machine.desk.state.over:
            break
    assert machine.desk.state.over
    assert sum(machine.prizes.values()) == sum((100_000, 50_001, 20_000)[: len(standings(machine.desk.state))])
    machine.teardown()
