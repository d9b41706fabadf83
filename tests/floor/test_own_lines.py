"""What a player reads of a journal: where hands lie face down, the cards of others stay covered."""

from __future__ import annotations

import pytest

import croupier
from croupier.floor.views.own import COVERED, own_lines
from croupier.floor.views.viewer import layout
from croupier.game import Deal
from croupier.games import GAMES
from croupier.table.commands import TakeBack, Tell
from croupier.table.desk import LiveTable
from croupier.table.events import FactTakenBack, Happened, OrderAwaited
from tests.helpers.desks.table import ROUND, a_desk, opened, until_chance, until_paid, with_players

CARDS = ["2h", "3d", "4c", "5s", "6h", "7d", "8c", "9s"]


def dealt(game: str, on: str) -> LiveTable:
    """A table with two players, in the middle of the deal."""
    desk = with_players(a_desk("nz1996", game), "ann", "bob")
    for box, name in enumerate(("ann", "bob"), 1):
        desk.bet(name, on, 2_000, box=box)
    for card in CARDS:
        until_chance(desk)
        if isinstance(desk.state.due, Deal):
            desk.tell(card)
    return desk


def seen_by_player(desk: LiveTable, player: str) -> list[tuple[str, object]]:
    events = (line.event for line in own_lines(desk.journal, player, desk.state))
    return [(event.due, event.fact) for event in events if isinstance(event, Happened) and isinstance(event.fact, str)]


@pytest.mark.parametrize("player", ["ann", "bob"])
def test_where_hands_lie_face_down_a_player_reads_his_own_cards(player: str) -> None:
    assert GAMES["caribbean_stud"].face_down
    lines = seen_by_player(dealt("caribbean_stud", "ante"), player)
    own = f"deal box {1 if player == 'ann' else 2}"
    assert len(lines) == len(CARDS)
    assert all((due == own) == (fact != COVERED) for due, fact in lines), lines


def test_where_they_lie_face_up_everybody_reads_all() -> None:
    assert not GAMES["blackjack"].face_down
    lines = seen_by_player(dealt("blackjack", "main"), "ann")
    assert lines
    assert COVERED not in [fact for _, fact in lines]


def american() -> LiveTable:
    """A practice table whose dealer has a hole card, with a player to decide."""
    desk = opened(LiveTable(GAMES["blackjack"], croupier.ruleset("american.toml", game="blackjack")))
    with_players(desk, "ann").bet("ann", "main", 2_000)
    for card in ("Kh", "9c", "6s", "9c"):
        until_chance(desk)
        desk.tell(card)
    return desk


def test_a_hole_card_is_told_in_no_story_and_no_figure_before_it_is_turned() -> None:
    desk = american()
    assert seen_by_player(desk, "ann")[-2:] == [("deal box 1", "6s"), ("deal dealer", COVERED)]
    assert ("deal dealer", "9c") in seen_by_player(desk, "ann")
    seen = layout(desk.state, hidden=True)
    assert (seen["dealer"], seen["cards"]["dealer"]) == (None, ["9c", "?"])
    assert layout(desk.state, hidden=False)["dealer"] == 18
    desk.tell({"choose": "stand", "by": "ann"})
    assert seen_by_player(desk, "ann")[-1] == ("deal dealer", "9c")
    assert layout(desk.state, hidden=True)["dealer"] == 18


def test_a_hole_card_that_was_entered_wrongly_is_not_told_either() -> None:
    desk = american()
    desk.ask(TakeBack("misread"), role="dealer")
    desk.tell("7d")
    lines = own_lines(desk.journal, "ann", desk.state)
    assert [line.event.fact for line in lines if isinstance(line.event, FactTakenBack)] == [COVERED]
    assert [fact for due, fact in seen_by_player(desk, "ann") if due == "deal dealer"] == ["9c", COVERED, COVERED]


def test_a_card_of_a_round_that_the_table_looked_at_does_not_know_is_not_told() -> None:
    desk = with_players(a_desk("vic2002", version="crown"), "ann")
    before = desk.state
    for _ in range(2):
        desk.bet("ann", "player", 2_000)
        for card in ROUND["player"]:
            until_chance(desk)
            desk.tell(card)
        until_paid(desk)
    desk.bet("ann", "player", 2_000)
    until_chance(desk)
    desk.tell("2h")
    facts = [line.event.fact for line in own_lines(desk.journal, "ann", before) if isinstance(line.event, Happened)]
    assert "2h" not in facts
    assert facts.count("9h") == 2


def test_baccarat_cards_that_lie_face_down_are_told_once_they_are_turned() -> None:
    desk = with_players(a_desk("vic2002", version="crown"), "ann")
    desk.bet("ann", "player", 2_000)
    for card in ROUND["player"]:
        until_chance(desk)
        desk.tell(card)
    assert layout(desk.state, hidden=True)["cards"] == {"player": ["?", "?"], "banker": ["?", "?"]}
    assert [fact for due, fact in seen_by_player(desk, "ann") if due.startswith("deal ")] == [COVERED] * 4
    until_paid(desk)
    assert [fact for due, fact in seen_by_player(desk, "ann") if due.startswith("deal ")] == [*ROUND["player"]]


@pytest.mark.parametrize(("edition", "version"), [("nz1998", "full"), ("nz1996", "mini"), ("vic2002", "crown")])
def test_a_card_that_nobody_saw_is_told_to_nobody_while_the_hand_that_it_begins_takes_bets(
    edition: str, version: str
) -> None:
    desk = with_players(a_desk(edition, version=version), "ann")
    desk.bet("ann", "player", 2_000)
    for card in ROUND["player"]:
        until_chance(desk)
        desk.tell(card)
    desk.tell({"irregular": "excess_card", "card": "4d"})
    assert _declared(desk) == [COVERED]
    until_paid(desk)
    assert layout(desk.state, hidden=False)["cards"]["player"] == ["4d"]
    assert layout(desk.state, hidden=True)["cards"] == {"player": ["?"], "banker": []}
    assert _declared(desk) == [COVERED]


def test_a_card_that_all_saw_begins_a_hand_without_bets_and_is_told() -> None:
    desk = with_players(a_desk("nz1998", version="full"), "ann")
    desk.bet("ann", "player", 2_000)
    for card in ROUND["player"]:
        until_chance(desk)
        desk.tell(card)
    desk.tell({"irregular": "excess_card", "card": "4d", "disclosed": True})
    until_paid(desk)
    assert layout(desk.state, hidden=True)["cards"]["player"] == ["4d"]
    assert _declared(desk) == ["4d"]


def test_a_card_drawn_in_error_and_not_shown_is_not_told_before_it_is_used() -> None:
    desk = dealt("blackjack", "main")
    desk.tell({"irregular": "unexposed_card", "card": "Jd"})
    assert _declared(desk) == [COVERED]


def test_what_waits_for_an_official_tells_no_card_that_lies_face_down() -> None:
    desk = with_players(a_desk("vic2002", version="crown"), "ann")
    desk.bet("ann", "player", 2_000)
    for card in ROUND["player"]:
        until_chance(desk)
        desk.tell(card)
    found = list(reversed(ROUND["player"]))
    desk.ask(Tell({"irregular": "out_of_sequence", "call": "reconstruct", "found": found}), role="dealer")
    lines = own_lines(desk.journal, "ann", desk.state)
    assert [line.event.fact["found"] for line in lines if isinstance(line.event, OrderAwaited)] == [COVERED]


def _declared(desk: LiveTable) -> list[object]:
    """The cards of declarations, as a player reads them."""
    facts = [line.event.fact for line in own_lines(desk.journal, "ann", desk.state) if isinstance(line.event, Happened)]
    return [fact["card"] for fact in facts if isinstance(fact, dict) and "card" in fact]
