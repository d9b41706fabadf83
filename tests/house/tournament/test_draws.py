"""The chance of a tournament and what is due in it: draws that are fair and stand, a way to the prizes, the words."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, get_args

import pytest

from croupier.floor.keeping.contests import NAME, drawn_seats
from croupier.floor.rooms.tournament.words import WORDS, said
from croupier.game import Refusal
from croupier.house.tournament import messages as m
from croupier.house.tournament.decide import decide
from croupier.house.tournament.due import Due, due
from croupier.law.inventory import exists
from tests.floor.rooms.test_contests import OFFICE
from tests.helpers.desks.tournament import (
    DIRECTOR,
    MANAGER,
    SIX,
    Desk,
    V,
    approved,
    conditions,
    drawn,
    entered,
    hand,
    started,
)

# ---------------------------------------------------------------- chance


def test_12_1_1_every_seat_is_as_likely_for_everybody() -> None:
    """Seeded: 3,000 draws of six players; each seat is each player's a sixth of the time, give or take."""
    this, chance = entered(), Random(12)
    this.ask(m.DesignateTables(("B1", "B2")))
    times: Counter[tuple[str, str]] = Counter()
    for _ in range(3_000):
        seats = drawn_seats(this.state, chance.shuffle)
        assert not isinstance(decide(this.state, this.request(m.DrawSeats(seats))), Refusal)
        times.update((name, f"{table} {seat}") for name, (table, seat) in seats.items())
    assert len(times) == 36
    assert all(400 < count < 600 for count in times.values()), times


@pytest.mark.parametrize(("players", "tables"), [(1, 1), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2)])
def test_tables_are_filled_evenly(players: int, tables: int) -> None:
    this = entered(*SIX[:players])
    this.ask(m.DesignateTables(("B1", "B2", "B3")))
    seats = drawn_seats(this.state, Random(players).shuffle)
    sizes = Counter(table for table, _ in seats.values())
    assert (len(seats), len(sizes)) == (players, tables)
    assert max(sizes.values()) - min(sizes.values()) <= 1


def test_12_1_1_nobody_draws_until_the_seats_please() -> None:
    this = drawn()
    other = (
        {name: (table, 4 - seat) for name, (table, seat) in this.state.play.seats.items()} if this.state.play else {}
    )
    refused = this.refused(m.DrawSeats(other))
    assert (refused.rule, "stands" in refused.reason) == (V + "12.1.1", True)
    # When the tables are not even any more, because two of one table left, there is a new draw.
    this.ask(m.Retire("ann"))
    this.refused(m.DrawSeats(drawn_seats(this.state, Random(1).shuffle)))
    this.ask(m.Retire("cat"))
    this.ask(m.DrawSeats(drawn_seats(this.state, Random(1).shuffle)))


def test_a_draw_between_equals_is_told_and_one_that_settled_nothing_is_not() -> None:
    for wins, expected in ((0, SIX[::-1]), (50, ())):
        this = started()
        for _ in range(3):
            this.hand("B1", ann=100, cat=wins and 90, eve=0)
            this.hand("B2", ben=100, dee=0, fay=0)
        for table in ("B1", "B2"):
            this.ask(m.EndTable(table))
        ended = next(each for each in this.ask(m.EndRound(SIX[::-1])) if isinstance(each, m.RoundEnded))
        assert ended.drawn == expected


# ---------------------------------------------------------------- what is due


def answered(this: Desk, one: Due) -> m.AnyCommand | None:
    """The command that a due thing asks for."""
    play = this.state.play
    match one.command:
        case "":
            this.now = one.from_ms
            return None
        case "TakeSeat":
            return m.TakeSeat(one.about, one.about)
        case "RecordHand":
            seated = [name for name in play.at(one.about) if name in play.seated] if play else []
            return hand(one.about, **{name: (min(10, this.chips(name)), 0) for name in seated})
        case "DrawSeats":
            return m.DrawSeats(drawn_seats(this.state, Random(this.state.round).shuffle))
        case "EndRound":
            return m.EndRound(tuple(play.seats) if play else ())
        case "Enter":
            return m.Enter(next(name for name in SIX if name not in this.state.entrants))
        case "SignConditions":
            return m.SignConditions(one.about)
        case "CheckIn":
            return m.CheckIn(one.about)
        case "EndTable":
            return m.EndTable(one.about)
        case "Brief":
            return m.Brief(tuple(this.state.entrants))
        case "DesignateTables":
            return m.DesignateTables(("B1", "B2"))
        case "PublishConditions":
            return m.PublishConditions(conditions())
        case "RecordApproval":
            return m.RecordApproval(OFFICE, "7")
        case "AppointDirector":
            return m.AppointDirector(DIRECTOR, "game supervisor")
        case other:
            kind: Any = getattr(m, other)
            return kind()  # type: ignore[no-any-return]


@pytest.mark.parametrize("signed", [False, True])
def test_whoever_does_what_is_due_first_gets_to_the_prizes(signed: bool) -> None:  # noqa: FBT001
    """Nothing that is said to be due is refused, and every rule it names exists."""
    this, done = (Desk(), []) if not signed else (approved(), [])
    if signed:
        this.ask(m.RequireSignatures())
    for _ in range(100):
        things = due(this.state, at_ms=this.now)
        assert all(exists(each.rule) for each in things)
        if not things:
            break
        command = answered(this, things[0])
        if command is not None:
            this.ask(command, role=MANAGER)
            done.append(type(command).__name__)
    assert this.state.over
    assert {"Enter", "Brief", "DrawSeats", "StartRound", "TakeSeat", "EndTable", "AwardPrizes"} <= set(done)
    assert ("SignConditions" in done) == signed


def test_12_2_5_a_round_without_its_director_waits_for_one() -> None:
    this = started()
    this.ask(m.CheckOut(DIRECTOR))
    first = due(this.state, at_ms=this.now)[0]
    assert (first.command, first.rule) == ("CheckIn", V + "12.2.5")


# ---------------------------------------------------------------- names and words


@pytest.mark.parametrize(
    ("name", "good"),
    [("A", True), ("x" * 40, True), ("x" * 41, False), ("", False), ("a ", False), (" a", False), ("@a", False),
     ("Spring Cup '26", True), ("a/b", False), ("a\nb", False), ("../x", False)],
)  # fmt: skip
def test_names(name: str, good: bool) -> None:  # noqa: FBT001
    assert bool(NAME.fullmatch(name)) == good


@pytest.mark.parametrize(("name", "good"), [("x" * 100, True), ("x" * 101, False), ("a\0b", False), (" ", False)])
def test_nobody_enters_without_a_name_that_can_be_read(name: str, good: bool) -> None:  # noqa: FBT001
    answer = decide(approved().state, Desk().request(m.Enter(name)))
    assert isinstance(answer, Refusal) != good
    assert not isinstance(answer, Refusal) or answer.rule == V + "12.2.1h"


def test_every_event_has_words() -> None:
    assert set(WORDS) == set(get_args(m.AnyEvent))
    for this in (drawn(), started()):
        for line in this.journal:
            words = said(line.event)
            assert words
            assert "{" not in words
