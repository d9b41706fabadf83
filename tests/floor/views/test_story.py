"""The story of a round shows the hands as they truly lay."""

from __future__ import annotations

import pytest

from croupier.floor.views.story import story
from croupier.table import commands as c
from tests.helpers.desks.table import a_desk, asked, played, put, until_chance, until_paid, with_players

MIX_ANEW = {"perform": "shuffle for a compromised mix", "by": "game supervisor"}


@pytest.mark.parametrize("seen", [True, False], ids=["seen", "unseen"])
@pytest.mark.parametrize("during", [True, False], ids=["in the round", "after it"])
def test_no_card_that_went_with_a_shuffle_lies_in_the_next_round(seen: bool, during: bool) -> None:  # noqa: FBT001
    desk = with_players(a_desk("nzd5", version="midi"), "ann")
    excess = {"irregular": "excess_card", "card": "5h", "disclosed": seen}
    asked(desk, put("ann", "player", 2_000), role="player", by="ann")
    for card in ("9h", "2d", "Kc", "Qs"):
        until_chance(desk)
        desk.tell(card)
    if during:
        desk.tell(excess)
    until_paid(desk)
    if not during:
        desk.tell(excess)
    asked(desk, c.Tell(MIX_ANEW), role="game supervisor")
    asked(desk, put("ann", "player", 2_000), role="player", by="ann")
    first = len(desk.journal)
    played(desk, "8h", "3d", "Qc", "Ks")
    felt = story(desk.state, desk.journal[first:], 2, felt=True)["felt"]
    assert felt["cards"] == {"player": ["8h", "Qc"], "banker": ["3d", "Ks"]}
