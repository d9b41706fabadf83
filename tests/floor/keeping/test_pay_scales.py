"""One Perfect Pairs scale in the whole house, and where it is displayed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from croupier.floor.keeping.house import open_house
from croupier.floor.keeping.planned import Planned
from croupier.house.pay_scales import another_scale
from croupier.rulesets import known_game, ruleset
from croupier.table.desk import LiveTable
from croupier.table.state import Table
from tests.helpers.desks.table import opened
from tests.helpers.observe import carries

SCALE = "NZD5-11A.8"


def table(name: str, edition: str = "nzd5", **elections: object) -> LiveTable:
    return LiveTable(known_game("baccarat"), ruleset(edition, elections=elections), name)


@pytest.mark.parametrize(
    ("edition", "elections", "alike"),
    [
        ("nzd5", {"pay_scale": 2}, True),
        ("nzd5", {"pay_scale": 1}, False),
        ("nzeb", {"pay_scale": 1}, False),
        ("nzd5", {"pay_scale": 1, "perfect_pairs": False}, True),
        ("nz1998", {}, True),
        ("vic2002", {}, True),
    ],
)
def test_11a_8_a_table_opens_with_the_scale_of_the_house(
    edition: str, elections: Mapping[str, object], *, alike: bool
) -> None:
    first: Table = opened(table("one", pay_scale=2)).state
    second = table("two", edition, **elections).state
    refusal = another_scale(second, (first, second))
    if alike:
        assert refusal is None
    else:
        assert refusal is not None
        carries(refusal, SCALE)


def test_11a_8_a_closed_table_holds_nobody_to_its_scale() -> None:
    assert another_scale(table("two", pay_scale=1).state, (table("one", pay_scale=2).state,)) is None


def test_11a_8_the_scale_in_operation_is_displayed() -> None:
    desk = table("one", pay_scale=2)
    inscriptions = desk.state.procedure.inscribed(desk.state.ruleset.rules)
    assert inscriptions == (("Perfect Pairs: Pay Scale 2 (6 to 1, 12 to 1, 25 to 1)", SCALE, "perfect_pairs"),)
    without = table("one", perfect_pairs=False)
    assert without.state.procedure.inscribed(without.state.ruleset.rules) == ()


def test_11a_8_a_house_keeps_a_table_closed_that_would_pay_by_another_scale(tmp_path: Path) -> None:
    sign = {"minimum": 1000, "maximum": 100_000, "supervisor": "sue"}

    async def opened_tables() -> dict[str, bool]:
        house = open_house(f"sqlite:///{tmp_path}/house.db", tmp_path / "key", demo=True)
        for name, scale in (("one", 2), ("two", 1), ("three", 2)):
            await house.open(Planned(name, "nzd5", "baccarat", "midi", sign, elections={"pay_scale": scale}))
        found = {name: host.table.open for name, host in house.hosts.items()}
        await house.close()
        return found

    assert asyncio.run(opened_tables()) == {"one": True, "two": False, "three": True}
