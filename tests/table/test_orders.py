"""Who decides at a live table: the asker's own role, officials who confirm, and what waits for them."""

from __future__ import annotations

import pytest

from croupier.game import Choose, Deal, Perform, Refusal
from croupier.journal.entries import encode
from croupier.table import commands as c
from croupier.table.commands import TableRequest
from croupier.table.decide import decide
from croupier.table.desk import LiveTable, replay
from croupier.table.events import Happened, OrderAwaited, OrderConfirmed, OrderDeclined, Ruled
from croupier.table.state import snapshot
from tests.helpers.desks.table import a_desk, asked, only, refused, until_chance, with_players
from tests.helpers.observe import carries

SUPERVISOR, SENIOR, MANAGER = "game supervisor", "casino supervisor", "casino manager"
INSPECTION = "inspect as game supervisor"
FORGED = {"perform": INSPECTION, "by": SUPERVISOR}


def inspected_once(edition: str = "nz1998") -> LiveTable:
    desk = with_players(a_desk(edition), "ann")
    asked(desk, c.Tell({"perform": "inspect as dealer"}), by="dan")
    return desk


def wrong_order() -> LiveTable:
    """A coup whose cards came out of sequence: the casino supervisor rules (NZ1998 12.6)."""
    desk = with_players(a_desk(), "ann")
    desk.bet("ann", "player", 1000)
    until_chance(desk)
    desk.tell("2h", "3d", "Kc", "Qs")
    return desk


REBUILD = {"irregular": "out_of_sequence", "call": "reconstruct", "found": ["3d", "2h", "Kc", "Qs"]}


# ---------------------------------------------------------------- an order waits for its official


@pytest.mark.parametrize("by", ["", SUPERVISOR, MANAGER, "inspector", "Sue"])
def test_a_dealer_s_word_for_an_official_is_not_believed(by: str) -> None:
    desk = inspected_once()
    order = only(asked(desk, c.Tell({"perform": INSPECTION, "by": by}), by="dan"), OrderAwaited)
    carries(order, "NZ1998-6.1")
    assert (order.official, order.person, order.role) == (SUPERVISOR, "dan", "dealer")
    assert isinstance(desk.state.due, Perform)
    assert desk.state.due.act == INSPECTION, "nothing happened"
    assert [each.official for each in desk.state.awaited] == [SUPERVISOR]


def test_the_official_confirms_in_their_own_name() -> None:
    desk = inspected_once()
    order = only(asked(desk, c.Tell(FORGED), by="dan"), OrderAwaited)
    given = asked(desk, c.ConfirmOrder(order.order), role=SUPERVISOR, by="sue")
    assert only(given, OrderConfirmed).person == "dan"
    assert only(given, Happened).fact == FORGED
    assert [(line.by, line.role) for line in desk.journal[-len(given) :]] == [("sue", SUPERVISOR)] * len(given)
    assert desk.state.awaited == ()
    carries(refused(desk, c.ConfirmOrder(order.order), role=SUPERVISOR, by="sue"), "NZ1996-I-1.0-def-game-supervisor")


@pytest.mark.parametrize(("role", "by"), [("dealer", "dora"), ("stickperson", "stu"), ("inspector", "ivy")])
def test_nobody_below_or_outside_confirms(role: str, by: str) -> None:
    desk = inspected_once()
    order = only(asked(desk, c.Tell(FORGED), by="dan"), OrderAwaited)
    carries(refused(desk, c.ConfirmOrder(order.order), role=role, by=by), "NZ1998-6.1")
    assert len(desk.state.awaited) == 1


@pytest.mark.parametrize("role", ["player", "cashier", "note acceptor"])
def test_whoever_does_not_run_the_game_confirms_nothing(role: str) -> None:
    desk = inspected_once()
    order = only(asked(desk, c.Tell(FORGED), by="dan"), OrderAwaited)
    carries(refused(desk, c.ConfirmOrder(order.order), role=role, by="ann"), "NZ1996-I-1.0-def-game-supervisor")


def test_who_asked_does_not_confirm_it_in_another_role() -> None:
    desk = inspected_once()
    order = only(asked(desk, c.Tell(FORGED), by="dan"), OrderAwaited)
    carries(refused(desk, c.ConfirmOrder(order.order), role=SUPERVISOR, by="dan"), "NZ1998-6.1")


@pytest.mark.parametrize("role", [SUPERVISOR, SENIOR, "shift manager", MANAGER])
def test_the_official_or_one_above_does_it_without_being_asked(role: str) -> None:
    desk = inspected_once()
    asked(desk, c.Tell({"perform": INSPECTION}), role=role, by="sue")
    assert desk.journal[-1].role == role


def test_an_order_is_declined_by_its_official_or_by_who_asked() -> None:
    for role, by in ((SUPERVISOR, "sue"), ("dealer", "dan")):
        desk = inspected_once()
        order = only(asked(desk, c.Tell(FORGED), by="dan"), OrderAwaited)
        carries(refused(desk, c.DeclineOrder(order.order), by="dora"), "NZ1998-6.1")
        assert only(asked(desk, c.DeclineOrder(order.order, "not now"), role=role, by=by), OrderDeclined).reason
        assert desk.state.awaited == ()
        carries(
            refused(desk, c.ConfirmOrder(order.order), role=SUPERVISOR, by="sue"), "NZ1996-I-1.0-def-game-supervisor"
        )


def test_the_same_order_waits_once() -> None:
    desk = inspected_once()
    asked(desk, c.Tell(FORGED), by="dan")
    carries(refused(desk, c.Tell(FORGED), by="dan"), "NZ1998-6.1")


def test_what_happens_meanwhile_ends_what_waited() -> None:
    desk = inspected_once()
    order = only(asked(desk, c.Tell(FORGED), by="dan"), OrderAwaited)
    asked(desk, c.Tell(FORGED), role=SUPERVISOR, by="sue")
    assert desk.state.awaited == ()
    carries(refused(desk, c.ConfirmOrder(order.order), role=SENIOR, by="cas"), "NZ1996-I-1.0-def-game-supervisor")


def test_a_journal_with_orders_is_replayed() -> None:
    desk = inspected_once()
    order = only(asked(desk, c.Tell(FORGED), by="dan"), OrderAwaited)
    lines = [encode(entry) for entry in desk.journal]
    assert snapshot(replay(desk.state.game, desk.state.ruleset, lines)) == snapshot(desk.state)
    asked(desk, c.ConfirmOrder(order.order), role=SUPERVISOR, by="sue")
    lines = [encode(entry) for entry in desk.journal]
    assert snapshot(replay(desk.state.game, desk.state.ruleset, lines)) == snapshot(desk.state)


# ---------------------------------------------------------------- rulings


@pytest.mark.parametrize("role", ["dealer", SUPERVISOR])
def test_12_6_a_ruling_waits_for_the_casino_supervisor_whatever_by_says(role: str) -> None:
    desk = wrong_order()
    for forged in ({}, {"by": SENIOR}, {"by": MANAGER}):
        order = only(asked(desk, c.Tell({**REBUILD, **forged}), role=role, by="dan"), OrderAwaited)
        carries(order, "NZ1998-12.6")
        assert order.official == SENIOR
        asked(desk, c.DeclineOrder(order.order), role=role, by="dan")
    assert not desk.state.rulings


def test_12_6_no_card_and_no_answer_while_a_ruling_waits() -> None:
    desk = wrong_order()
    desk.ceremony()
    order = only(asked(desk, c.Tell(REBUILD), by="dan"), OrderAwaited)
    assert isinstance(desk.state.due, Deal)
    carries(refused(desk, c.Tell("8h")), "NZ1998-12.6")
    given = asked(desk, c.ConfirmOrder(order.order), role=SENIOR, by="cas")
    assert only(given, Ruled).official == SENIOR
    assert only(given, Happened).fact == {**REBUILD, "by": SENIOR}
    assert desk.state.rulings[0].level == SENIOR


def test_a_ruling_is_recorded_with_the_role_that_ordered_it() -> None:
    desk = wrong_order()
    events = asked(desk, c.Tell({**REBUILD, "by": SENIOR}), role=MANAGER, by="max")
    assert only(events, Ruled).official == MANAGER
    assert refused(desk, c.Overrule(0, "void"), role=SENIOR).rule == "NZ1998-12.6"


def test_an_official_s_order_is_not_taken_back_from_below() -> None:
    desk = wrong_order()
    asked(desk, c.Tell(REBUILD), role=SENIOR, by="cas")
    assert isinstance(decide(desk.state, TableRequest(c.TakeBack("no"), "dan", "dealer")), Refusal)
    assert isinstance(decide(desk.state, TableRequest(c.TakeBack("no"), "sue", SUPERVISOR)), Refusal)
    asked(desk, c.TakeBack("mistaken"), role=SENIOR, by="cas")
    assert not desk.state.rulings


def test_blackjack_15_3_rebuilding_the_hands_is_the_casino_supervisor_s() -> None:
    desk = with_players(a_desk("nz1996", "blackjack"), "ann")
    desk.bet("ann", "main", 1000)
    until_chance(desk)
    desk.deal("9h")
    fact = {"irregular": "card_to_empty_box", "card": "5d", "to": "box 4", "by": SENIOR}
    order = only(asked(desk, c.Tell(fact), by="dan"), OrderAwaited)
    carries(order, "NZ1996-II-15.3")
    assert order.official == SENIOR
    carries(refused(desk, c.ConfirmOrder(order.order), role=SUPERVISOR, by="sue"), "NZ1996-II-15.3")


# ---------------------------------------------------------------- choices


def at_the_cut() -> LiveTable:
    desk = with_players(a_desk("nz1996", "blackjack"), "ann", "ben")
    desk.bet("ann", "main", 1000, box=1)
    desk.ceremony()
    assert isinstance(desk.state.due, Choose)
    return desk


def test_ii_6_7_no_card_while_the_cut_is_offered() -> None:
    desk = at_the_cut()
    carries(refused(desk, c.Tell("9h")), desk.state.due.rule)
    carries(refused(desk, c.Tell({"irregular": "unexposed_card", "card": "9h"})), desk.state.due.rule)
    assert not desk.state.round.state.layout.cards


def test_a_choice_is_named_by_the_dealer_and_answered_by_nobody_else() -> None:
    desk = at_the_cut()
    due = desk.state.due
    assert isinstance(due, Choose)
    carries(refused(desk, c.Tell("cut")), due.rule)
    carries(refused(desk, c.Tell({"choose": "cut", "by": "cho"})), due.rule)
    other = "ben" if due.by in ("ann", "box 1") else "ann"
    assert isinstance(decide(desk.state, TableRequest(c.Tell({"choose": "cut"}), other, "player")), Refusal), (
        "not put to this player"
    )
    assert isinstance(
        decide(desk.state, TableRequest(c.Tell({"choose": "cut", "by": due.by}), other, "player")), Refusal
    )
    own = "ann" if other == "ben" else "ben"
    asked(desk, c.Tell({"choose": due.options[0]}), role="player", by=own)
    assert desk.state.due != due


def test_staff_name_a_player_by_his_name_or_by_his_seat() -> None:
    for by in ("ann", "seat 1"):
        desk = with_players(a_desk("nz1998"), "ann")
        desk.bet("ann", "player", 1000)
        desk.ceremony()
        due = desk.state.due
        assert isinstance(due, Choose)
        asked(desk, c.Tell({"choose": "decline", "by": by}))
        assert desk.state.due != due


def test_x_a_player_does_not_do_what_staff_record() -> None:
    desk = with_players(a_desk("nz1996", "craps"), "ann")
    for act, detail in (("dice_lost", "1"), ("no_taker", ""), ("order_pass", "delay")):
        fact = {"perform": act, "detail": detail}
        assert isinstance(decide(desk.state, TableRequest(c.Tell(fact), "ann", "player")), Refusal)
        assert isinstance(decide(desk.state, TableRequest(c.Tell({**fact, "by": "dealer"}), "ann", "player")), Refusal)


def test_what_is_due_is_the_same_whoever_did_the_act_before_it() -> None:
    due, apart = Perform("cut", "dealer", "NZD5-7.5"), Perform("cut", "dealer", "NZD5-7.5", apart="shuffle")
    assert due == apart
    assert (due != apart) is False
    assert due != Perform("cut", "game supervisor", "NZD5-7.5")
