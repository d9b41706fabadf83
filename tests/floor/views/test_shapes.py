"""A view is a closed set of records: every real view is one, nothing else is, and the pages have the same types."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from croupier.floor.keeping.host import Watcher
from croupier.floor.practice.guests import TerminalGuest
from croupier.floor.views.jsdoc import WHERE, records, written
from croupier.floor.views.shapes import TableView
from croupier.floor.wire import View
from croupier.law.ruleset import Ruleset
from croupier.rulesets import every_ruleset
from croupier.table.betting.offers import betting
from tests.helpers.desks.practice import Practice, practice

NAMES = [f"{rules.game} {rules.edition} {rules.version}" for rules in every_ruleset()]
STEPS = 60


def test_the_types_of_the_pages_are_those_of_the_view() -> None:
    assert WHERE.read_text(encoding="utf-8") == written(), "python -m croupier.floor.views.jsdoc writes it again"
    assert len(records(TableView)) > 30


@pytest.mark.parametrize("rules", every_ruleset(), ids=NAMES)
def test_every_view_of_every_game_is_a_table_view(rules: Ruleset[Any]) -> None:
    """Walked through a round by a virtual dealer: what each viewer is sent is read back as the closed record."""

    async def walked() -> tuple[int, int]:
        table = await practice(rules)
        await table.sit("Ann", 1)
        guest = table.guest("Ann", {table.table.game.wagers(rules.rules)[0]: 1_000})
        seen, closed = 0, 0
        for _ in range(STEPS):
            await guest.bet()
            seen += looked_at(table)
            closed += check_closing(table)
            if isinstance(guest, TerminalGuest):
                await guest.confirm()
            await table.dealer.step()
        return seen, closed

    seen, closed = asyncio.run(walked())
    assert seen == STEPS
    assert closed or rules.game == "craps", "some act closes the betting, but at craps, where none does"


def looked_at(table: Practice) -> int:
    for role in ("player", "dealer", "inspector"):
        text = table.host.view_for(Watcher("Ann", role, lambda: None, lambda _: None))
        assert text is not None
        view = msgspec.json.decode(text, type=View).view
        assert (view.me.role, isinstance(view.players, list)) == (role, role != "player")
    return 1


def check_closing(table: Practice) -> int:
    """Where an act is told to close the betting, it was open; the walk goes on and does it."""
    return betting(table.table).state == "closing"


def test_a_field_that_is_no_part_of_a_view_is_not_one() -> None:
    async def shown() -> str:
        table = await practice(every_ruleset()[0])
        text = table.host.view_for(Watcher("Ann", "dealer", lambda: None, lambda _: None))
        assert text is not None
        return text.decode()

    text = asyncio.run(shown())
    with pytest.raises(msgspec.ValidationError, match="advice"):
        msgspec.json.decode(text.replace('"round":', '"advice":"hit","round":', 1), type=View)
