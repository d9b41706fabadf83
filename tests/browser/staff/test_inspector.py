"""The inspector's lists, in a real Chromium: what they hold, and of how many rounds their figures are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.helpers.browser import DESK, PHONE, Wire, chromium, needs_chromium, page_at, quiet_house
from tests.helpers.houses.devices import DeviceHouse
from tests.helpers.layout import faults

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture
def house(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> DeviceHouse:
    return quiet_house(pytestconfig, tmp_path_factory)


def rounds(first: int, last: int) -> list[dict[str, Any]]:
    result = {"winner": "player", "player": 8, "banker": 3, "natural": True, "player_pair": False, "banker_pair": False}
    return [{"round": number, **result} for number in range(first, last + 1)]


def test_a_list_of_the_latest_rounds_says_that_it_is_one(browser: Browser, house: DeviceHouse) -> None:
    wire = Wire()
    with page_at(browser, f"{house.address}/inspector?table=B-7&role=inspector&name=Ina", wire=wire) as page:
        expect(page.locator("#count")).to_have_text("0 rounds")
        wire.frozen = True
        view = wire.views()[-1]
        wire.show({**view, "history": rounds(1, 3)})
        expect(page.locator("#count")).to_have_text("3 rounds")
        page.get_by_role("button", name="Irregular").click()
        expect(page.locator("#rounds")).to_have_text("No round of this kind.")
        wire.show({**view, "history": rounds(54, 143)})
        expect(page.locator("#count")).to_have_text("the last 90 rounds")
        expect(page.locator("#rounds")).to_contain_text("among the last 90; older ones are read by their number")


def test_every_proof_has_a_name_on_its_button_and_the_list_its_own_room(browser: Browser, house: DeviceHouse) -> None:
    for size in (DESK, PHONE):
        with page_at(browser, f"{house.address}/inspector?table=B-7&role=inspector&name=Ina", size=size) as page:
            page.get_by_role("button", name="Proofs", exact=True).click()
            expect(page.get_by_role("button", name="Run it: Kill")).to_be_attached()
            names = page.locator("#proofs button").evaluate_all("all => all.map((each) => each.ariaLabel)")
            assert len(names) == len(set(names)) > 10
            box = page.locator("#proofs").bounding_box()
            assert box
            assert box["height"] < size[1]
            assert faults(page) == []
