"""Rulings at card tables that undo what was settled: the money, and that the journal leads to the same table again."""

from __future__ import annotations

from croupier.law.officials import CASINO_SUPERVISOR, DEALER, GAME_SUPERVISOR, PLAYER
from croupier.table import commands as c
from croupier.table.desk import LiveTable, replay
from croupier.table.state import snapshot
from tests.helpers.desks.table import RICH, a_desk, asked, refused, until_chance, with_players

FLUSH_AND_NOTHING = "2h 2d 3c 4h 4d 5c 6h 6d 8s 8h 8d 9s 10h 10c Jc"


def replays(desk: LiveTable) -> bool:
    again = replay(desk.state.game, desk.state.ruleset, desk.written(), desk.state.name)
    return snapshot(again) == snapshot(desk.state)


def blackjack(cards: str) -> LiveTable:
    desk = with_players(a_desk("nz1996", "blackjack"), "ann", "bob")
    for box, name in enumerate(("ann", "bob"), 1):
        desk.bet(name, "main", 2_000, box=box)
    until_chance(desk)
    for card in cards.split():
        desk.tell(card)
    return desk


def misplaced(to: str) -> c.Tell:
    return c.Tell({"irregular": "misplaced_card", "to": to})


def test_15_8_a_bust_that_was_taken_goes_back_by_the_order_of_a_casino_supervisor_only() -> None:
    desk = blackjack("10h 9h 6c 6h 5h")
    desk.tell({"choose": "hit", "by": "ann"})
    desk.tell("10d")
    assert desk.chips("ann") == RICH - 2_000
    refused(desk, misplaced("box 1"), role=PLAYER, by="ann")
    asked(desk, misplaced("box 1"), role=DEALER)
    assert desk.chips("ann") == RICH - 2_000  # it is awaited, and nothing has moved
    asked(desk, misplaced("box 1"), role=CASINO_SUPERVISOR)
    assert (desk.chips("ann"), desk.state.staked("ann"), desk.state.staked("bob")) == (RICH, 0, 2_000)
    assert replays(desk)


def test_15_3_the_card_left_over_is_the_next_one_after_a_replay_too() -> None:
    desk = with_players(a_desk("nz1996", "blackjack"), "ann", "bob")
    for box, name in ((1, "ann"), (3, "bob")):
        desk.bet(name, "main", 2_000, box=box)
    until_chance(desk)
    for card in ["10h", "9h", "6s", "5h", "4h"]:
        desk.tell(card)
    stray = {"irregular": "card_to_empty_box", "card": "2h", "to": "box 2"}
    asked(desk, c.Tell({**stray, "found": ["10h", "2h", "9h", "6s", "5h", "4h"]}), role=CASINO_SUPERVISOR)
    assert replays(desk)
    desk.tell({"choose": "hit", "by": "ann"})
    refused(desk, c.Tell("3h"), role=DEALER)
    desk.tell("4h")
    assert replays(desk)


def test_8_1_a_review_puts_back_what_was_collected_from_a_dead_hand() -> None:
    desk = with_players(a_desk("nz1996", "caribbean_stud"), "ann", "bob")
    for box, name in enumerate(("ann", "bob"), 1):
        desk.bet(name, "ante", 1_000, box=box)
    until_chance(desk)
    for card in FLUSH_AND_NOTHING.split():
        desk.tell(card)
    desk.ceremony()
    dead = {"irregular": "dead_hand", "to": "box 1", "call": "dead"}
    asked(desk, c.Tell(dead), role=GAME_SUPERVISOR)
    desk.ceremony()
    assert (desk.chips("ann"), desk.state.staked("ann")) == (RICH - 1_000, 0)
    refused(desk, c.Overrule(0, "stands"), role=GAME_SUPERVISOR)
    asked(desk, c.Overrule(0, "stands"), role=CASINO_SUPERVISOR)
    assert (desk.chips("ann"), desk.state.staked("ann")) == (RICH - 1_000, 1_000)
    assert replays(desk)
    desk.tell({"choose": "bet", "by": "box 1"})
    assert replays(desk)


def test_14_10_who_leaves_takes_a_waiting_jackpot_wager_along() -> None:
    desk = with_players(a_desk("nz1996", "caribbean_stud", jackpot=(4_500_000, 200)), "ann", "bob")
    desk.bet("ann", "ante", 1_000, box=1)
    desk.bet("ann", "jackpot", 200, box=1)
    until_chance(desk)
    desk.tell("2h")
    refused(desk, c.Leave("ann"), role=PLAYER, by="ann")
    desk.tell({"irregular": "wrong_count", "to": "box 1", "call": "3"})
    refused(desk, c.Leave("ann"), role=PLAYER, by="ann")
    desk.ceremony()
    assert desk.state.staked("ann") == 200
    refused(desk, c.Leave("ann"), role=PLAYER, by="bob")
    asked(desk, c.Leave("ann"), role=PLAYER, by="ann")
    assert (desk.chips("ann"), desk.state.staked("ann"), "ann" in desk.state.players) == (RICH, 0, False)
    assert replays(desk)
