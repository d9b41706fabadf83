"""What a terminal is told of itself."""

from __future__ import annotations

import pytest

from croupier.floor.views.terminal import terminal_standing
from tests.helpers.desks.table import asked
from tests.helpers.desks.terminal import SUPERVISOR, approved, pairing


@pytest.mark.parametrize(("name", "named"), [("", False), ("Terminal 7", False), ("Terminal 8", True), ("Bar", True)])
def test_a_page_need_not_read_the_name_to_know_the_number(name: str, named: bool) -> None:  # noqa: FBT001
    desk = approved()
    asked(desk, pairing(7, name=name), role=SUPERVISOR)
    view = terminal_standing(desk.state, name or "Terminal 7", [])
    assert (view.number, view.named) == (7, named)
