"""Blackjack at a live table: who cuts and decides, when money moves, what is refused."""

from __future__ import annotations

from typing import Any

from croupier.game import Choose, Deal, Perform
from croupier.journal.messages import Transfer
from croupier.table import commands as c
from croupier.table.desk import LiveTable, replay
from croupier.table.events import Events, Happened, StakeAdded, WagerReopened, WagerSettled
from croupier.table.evolve import after, entries
from croupier.table.state import new_table, snapshot
from tests.helpers.desks.table import RICH, a_desk, asked, moved, only, refused, with_players


def a_table(*names: str, **choices: Any) -> LiveTable:
    return with_players(a_desk("nz1996", "blackjack", **choices), *names)


def until_choice(desk: LiveTable) -> Choose:
    desk.ceremony()
    due = desk.state.due
    assert isinstance(due, Choose)
    return due


def test_a_declined_cut_goes_on_when_its_player_leaves_ii_6_8() -> None:
    desk = a_table("ann", "bob")
    number = desk.bet("ann", "main", 1000, box=1)
    assert until_choice(desk).by == "ann"
    desk.tell({"choose": "decline", "by": "ann"})
    asked(desk, c.WithdrawWager("ann", number), role="player", by="ann")
    asked(desk, c.Leave("ann"))
    due = until_choice(desk)
    desk.tell({"choose": "decline", "by": due.by})
    assert desk.state.due == Perform("cut", "casino employee", "NZ1996-II-6.8")


def test_a_call_that_took_nothing_back_is_refused_and_is_read_where_it_was_written_down() -> None:
    desk = a_table("ann")
    desk.bet("ann", "main", 1000, box=1)
    assert refused(desk, c.Tell({"call": "take", "by": "ann"})).rule == "NZ1996-II-4.2"
    earlier = Happened(fact={"take": "split", "by": "ann"}, due="", rule="NZ1996-II-4.2")
    lines = [*desk.journal, *entries(desk.state, c.TableRequest(c.Tell("take"), "ann", "player", 0), (earlier,))]
    read = after(new_table("table 1", desk.state.game, desk.state.ruleset), lines)
    assert (read.round.book, len(read.steps)) == (desk.state.round.book, 1)


# ---------------------------------------------------------------- when money moves


def dealt(desk: LiveTable, *cards: str) -> Events:
    """Cards in turn, with the acts of staff and a refused cut between them; all that happened."""
    before = len(desk.journal)
    for card in cards:
        while not isinstance(desk.state.due, Deal):
            due = desk.state.due
            if isinstance(due, Choose):
                assert "decline" in due.options, due
                desk.tell({"choose": "decline", "by": due.by})
            desk.ceremony()
        desk.tell(card)
    return tuple(line.event for line in desk.journal[before:])


def settled(events: Events) -> dict[int, tuple[str, int, str]]:
    return {e.number: (e.result, e.returned, e.rule) for e in events if isinstance(e, WagerSettled)}


def test_a_bust_is_collected_at_once_ii_12_2() -> None:
    desk = a_table("ann", "bob")
    desk.bet("ann", "main", 1000, box=1)
    desk.bet("bob", "main", 1000, box=2)
    dealt(desk, "Kh", "9d", "6c", "6h", "9s")
    desk.tell({"choose": "hit", "by": "ann"})
    events = desk.tell("Ks")
    assert settled(events) == {0: ("lost", 0, "NZ1996-II-12.2")}
    assert moved(only(events, WagerSettled), "stakes:ann", "bank").amount == 1000
    assert (desk.state.staked("ann"), desk.state.staked("bob")) == (0, 1000)


def test_a_blackjack_is_paid_before_third_cards_ii_8_1() -> None:
    desk = a_table("ann", "bob")
    desk.bet("ann", "main", 1000, box=1)
    desk.bet("bob", "main", 1000, box=2)
    dealt(desk, "Ah", "9d", "6c", "Kh", "4s")
    assert desk.state.due == Perform("remove paid blackjacks", "dealer", "NZ1996-II-8.1")
    assert refused(desk, c.Tell({"choose": "hit", "by": "bob"})).rule == "NZ1996-II-8.1"
    events = desk.tell({"perform": "remove paid blackjacks"})
    assert settled(events) == {0: ("won", 2500, "NZ1996-II-8.1")}
    assert desk.chips("ann") == RICH + 1500


def test_even_money_is_paid_at_once_and_cited_ii_8_3() -> None:
    desk = a_table("ann", "bob")
    desk.bet("ann", "main", 1000, box=1)
    desk.bet("bob", "main", 1000, box=2)
    dealt(desk, "Ah", "Kd", "Ac", "Kh", "As")
    desk.ceremony()
    events = desk.tell({"choose": "even_money", "by": "ann"})
    assert settled(events) == {0: ("won", 2000, "NZ1996-II-8.3")}
    assert only(events, Happened).rule == "NZ1996-II-8.3"
    assert desk.state.due == Perform("remove even money hands", "dealer", "NZ1996-II-8.3")
    desk.ceremony()
    desk.tell({"choose": "even_money", "by": "bob"})
    assert desk.state.due == Perform("remove even money hands", "dealer", "NZ1996-II-8.3")


def test_a_lost_insurance_is_collected_before_further_cards_ii_9_6() -> None:
    desk = a_table("ann")
    desk.bet("ann", "main", 2000)
    dealt(desk, "Kh", "Ac", "9h")
    desk.ceremony()
    events = desk.tell({"choose": "insure", "by": "ann"})
    assert only(events, Happened).rule == "NZ1996-II-9.3"
    assert only(events, StakeAdded).rule == "NZ1996-II-9.3"
    desk.tell({"choose": "stand", "by": "ann"})
    events = desk.tell("2c")
    assert settled(events) == {1: ("lost", 0, "NZ1996-II-9.6")}
    assert desk.state.due == Deal("dealer", "NZ1996-II-12.3")


def test_super_sevens_is_settled_with_its_result_ii_14_6() -> None:
    desk = a_table("ann", "bob", super_sevens=200)
    desk.bet("ann", "main", 1000, box=1)
    desk.bet("bob", "main", 1000, box=2)
    desk.bet("ann", "super_sevens", 200, box=1)
    desk.bet("bob", "super_sevens", 200, box=2)
    events = dealt(desk, "7h", "9d", "6c", "Kh")
    assert settled(events) == {3: ("lost", 0, "NZ1996-II-14.4f"), 2: ("won", 800, "NZ1996-II-14.4a")}


def test_a_ruling_that_undoes_takes_back_what_was_paid_ii_15_8() -> None:
    desk = a_table("ann", "bob")
    desk.bet("ann", "main", 1000, box=1)
    desk.bet("bob", "main", 1000, box=2)
    dealt(desk, "Ah", "9d", "6c", "Kh", "4s")
    desk.ceremony()
    fault = {"irregular": "misplaced_card", "to": "dealer", "call": "void", "by": "casino supervisor"}
    events = asked(desk, c.Tell(fault), role="casino supervisor")
    assert only(events, WagerReopened) == WagerReopened(
        number=0,
        player="ann",
        on="main",
        returned=2500,
        rule="NZ1996-II-15.8",
        transfers=(
            Transfer("chips:ann", "bank", 2500, "NZ1996-II-15.8"),
            Transfer("bank", "stakes:ann", 1000, "NZ1996-II-15.8"),
        ),
    )
    assert settled(events) == {0: ("void", 1000, "NZ1996-II-15.8"), 1: ("void", 1000, "NZ1996-II-15.8")}
    assert (desk.chips("ann"), desk.chips("bob")) == (RICH, RICH)


def test_a_card_taken_back_takes_back_what_it_settled() -> None:
    desk = a_table("ann")
    desk.bet("ann", "main", 1000)
    dealt(desk, "Kh", "6c", "6h")
    desk.tell({"choose": "hit", "by": "ann"})
    desk.tell("Ks")
    assert desk.state.staked("ann") == 0
    asked(desk, c.TakeBack("it was the 2s"))
    assert (desk.state.staked("ann"), desk.state.settled) == (1000, ())
    events = desk.tell("2s")
    assert settled(events) == {}
    again = replay(desk.state.game, desk.state.ruleset, desk.written())
    assert snapshot(again) == snapshot(desk.state)
