"""The public board: every game has one, it names nobody, and the shoe on it is the one that is dealt from."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from croupier.floor.keeping.host import Watcher
from croupier.floor.views.board import PUBLIC
from croupier.floor.wire import BoardShown
from croupier.law.ruleset import Ruleset
from croupier.rulesets import every_ruleset, ruleset
from tests.helpers.desks.practice import Practice, practice

ONE_EACH = list({rules.game: rules for rules in every_ruleset() if rules.version != "terminals"}.values())
STEPS = 80


def seen(table: Practice) -> str:
    text = table.host.view_for(Watcher("", PUBLIC, lambda: None, lambda _: None))
    assert text is not None
    return text.decode()


@pytest.mark.parametrize("rules", ONE_EACH, ids=[rules.game for rules in ONE_EACH])
def test_a_board_names_nobody_and_tells_nobodys_money(rules: Ruleset[Any]) -> None:
    async def walked() -> None:
        table = await practice(rules)
        await table.sit("Annabel", 1)
        guest = table.guest("Annabel", {table.table.game.wagers(rules.rules)[0]: 1_000})
        for _ in range(STEPS):
            await guest.bet()
            text = seen(table)
            view = msgspec.json.decode(text, type=BoardShown).view
            assert "Annabel" not in text
            assert not {"wagers", "me", "players", "due", "said"} & set(msgspec.json.decode(text)["view"])
            assert "boxes" not in view.layout
            assert view.table.game == rules.game
            await table.dealer.step()

    asyncio.run(walked())


def test_the_shoe_on_the_board_is_counted_from_its_loading() -> None:
    async def walked() -> tuple[set[int], int]:
        table = await practice(ruleset("nzd5", game="baccarat", version="midi"))
        await table.sit("Ann", 1)
        guest = table.guest("Ann", {"player": 1_000})
        numbers, least = set[int](), 416
        while len(numbers) < 2:
            await guest.bet()
            await table.dealer.step()
            shoe = msgspec.json.decode(seen(table), type=BoardShown).view.shoe
            if isinstance(shoe.left, int):
                assert isinstance(shoe.number, int)
                # The table's own shoe has as many cards left as the board says, once it is loaded and burned.
                numbers.add(shoe.number)
                least = min(least, shoe.left)
                if table.table.due.__class__.__name__ == "Deal":
                    assert shoe.left == len(table.dealer.shoe.left)
        return numbers, least

    numbers, least = asyncio.run(walked())
    assert numbers == {1, 2}
    assert least < 100
