"""What a player reads of a journal: where hands lie face down, the cards of others stay covered."""

from __future__ import annotations

import pytest

from croupier.floor.views.own import COVERED, own_lines
from croupier.game import Deal
from croupier.games import GAMES
from croupier.table.desk import LiveTable
from croupier.table.events import Happened
from tests.helpers.desks.table import a_desk, until_chance, with_players

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


def told(desk: LiveTable, player: str) -> list[tuple[str, object]]:
    events = (line.event for line in own_lines(desk.journal, player))
    return [(event.due, event.fact) for event in events if isinstance(event, Happened) and isinstance(event.fact, str)]


@pytest.mark.parametrize("player", ["ann", "bob"])
def test_where_hands_lie_face_down_a_player_reads_his_own_cards(player: str) -> None:
    assert GAMES["caribbean_stud"].face_down
    lines = told(dealt("caribbean_stud", "ante"), player)
    own = f"deal box {1 if player == 'ann' else 2}"
    assert len(lines) == len(CARDS)
    assert all((due == own) == (fact != COVERED) for due, fact in lines), lines


def test_where_they_lie_face_up_everybody_reads_all() -> None:
    assert not GAMES["blackjack"].face_down
    lines = told(dealt("blackjack", "main"), "ann")
    assert lines
    assert COVERED not in [fact for _, fact in lines]
