"""What is due, as the dealer reads it: an act that is refused says why where it was pressed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, expect

from tests.helpers.browser import DESK, PHONE, chromium, needs_chromium, page_at, place, quiet_house, tap, terminal
from tests.helpers.houses.devices import DeviceHouse
from tests.helpers.layout import faults

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def house(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> DeviceHouse:
    return replace(quiet_house(pytestconfig, tmp_path_factory), table="B-7", tickets={})


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_an_act_that_is_refused_says_why_in_the_banner(
    browser: Browser, house: DeviceHouse, size: tuple[int, int]
) -> None:
    house.until(act="call No more bets")
    with page_at(browser, f"{house.address}/dealer?table={house.table}", size=size) as page:
        call = page.get_by_role("button", name="Called “No more bets”")
        call.click()
        said = page.locator("#due").get_by_role("alert")
        expect(said).to_contain_text("Not done: no wager is down")
        expect(said.locator(".tag")).to_have_text("NZD5-8.3.s1")
        # It is said once, nothing is asked for that nobody could write down, and the button stays where it was.
        expect(page.get_by_role("alert").filter(has_text="no wager is down")).to_have_count(1)
        expect(page.locator("#due input")).to_have_count(0)
        expect(call).to_be_in_viewport()
        assert faults(page) == []
        # A card that is not due is said under the keys, and the banner is about what is due again.
        page.keyboard.press("9")
        page.keyboard.press("h")
        expect(page.locator("#refused")).to_contain_text("refused: ")
        expect(page.locator("#due .why")).to_contain_text("No more bets")


def test_what_fell_is_to_be_entered_after_the_wheel_was_spun(browser: Browser, house: DeviceHouse) -> None:
    here = replace(house, table="R-3", tickets={})
    here.until("spin")
    with page_at(browser, f"{here.address}/dealer?table={here.table}") as page:
        expect(page.locator("#due .what")).to_have_text("Enter the number")
        expect(page.locator("#due .why")).to_have_text("Where the ball fell.")
        expect(page.locator("#entry-title")).to_have_text("Ball fell")
    assert here.tell("17")["done"]


def test_what_was_told_and_taken_back_keeps_wagers_as_they_are_and_every_page_says_so(
    browser: Browser, house: DeviceHouse
) -> None:
    here = replace(house, table="C-2", tickets={})
    addresses = (
        terminal(house.address, "C-2", "Ann"),
        *(f"{house.address}/{each}?table=C-2" for each in ("dealer", "board")),
    )
    with (
        page_at(browser, addresses[0], size=PHONE) as ann,
        page_at(browser, addresses[1]) as dealer,
        page_at(browser, addresses[2]) as board,
    ):
        tap(ann, "field")
        expect(ann.locator('[data-bet="field"] .stake.confirmed')).to_be_visible()
        here.until("roll")
        assert here.tell("3-1")["done"]
        here.do("dealer", "TakeBack", reason="misread")
        expect(ann.locator("#cutoff-words")).to_have_text("Bets wait")
        expect(ann.locator("#said")).to_contain_text("What came is told again first.")
        assert faults(ann) == []
        # A place that takes nothing now is still tapped, and says why.
        place(ann, "field").click(force=True)
        expect(ann.locator("#toast")).to_have_text("Bets stay as they are. What came is told again first.")
        expect(dealer.locator("#due .why")).to_contain_text("wagers stay as they are until it is entered again")
        expect(board.locator("#ring-words")).to_have_text("Bets stay as they are")
        assert here.tell("3-1")["done"]
        expect(ann.locator("#cutoff-words")).not_to_have_text("Bets wait")
        expect(dealer.locator("#due .why")).not_to_contain_text("entered again")
