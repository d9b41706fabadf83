"""Chips, wagers, colours and commissions ordered at the dealer's console, in a real Chromium against a real house."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.helpers.browser import DESK, PHONE, ROOM, chromium, needs_chromium, overflow, page_at, quiet_house
from tests.helpers.houses.devices import DeviceHouse

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture
def house(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> DeviceHouse:
    return quiet_house(pytestconfig, tmp_path_factory)


def at(house: DeviceHouse, table: str) -> DeviceHouse:
    return replace(house, table=table, tickets={})


def player(house: DeviceHouse, name: str) -> dict[str, Any]:
    """A player as the table itself has him."""
    seen = house.view(house.ticket("game supervisor"))["players"]
    found: dict[str, Any] = next(each for each in seen if each["name"] == name)
    return found


def opened(page: Page, *, by_key: bool = True) -> Locator:
    """The dialog, opened with its key alone or by a finger."""
    expect(page.locator("#due .what")).not_to_be_empty()
    if by_key:
        page.keyboard.press("w")
    else:
        page.get_by_role("button", name="Chips and wagers").click()
    tray = page.get_by_role("dialog", name="Chips and wagers")
    expect(tray).to_be_visible()
    return tray


def act(tray: Locator, group: str, words: str) -> Locator:
    tray.get_by_role("radio", name=group, exact=True).check()
    tray.get_by_role("radio", name=words, exact=True).check()
    form = tray.get_by_role("form", name=words)
    expect(form).to_be_visible()
    return form


def chosen(form: Locator, name: str) -> Locator:
    """A list to choose from, by its name alone: what it offers is no part of that."""
    return form.get_by_role("combobox", name=name, exact=True)


def test_a_player_without_a_page_is_served_with_the_keyboard(browser: Browser, house: DeviceHouse) -> None:
    here = at(house, "B-9")
    with page_at(browser, f"{here.address}/dealer?table=B-9", size=ROOM) as page:
        tray = opened(page)
        form = act(tray, "Seats", "Sit")
        form.get_by_label("Name").fill("Ivo")
        page.keyboard.press("Enter")
        status = tray.locator(".status-line")
        expect(status).to_contain_text("Ivo sits on ")
        before = player(here, "Ivo")["chips"]

        # From the act to its first field with Enter, and by Tab to the amount; Enter orders it, once.
        form = act(tray, "Chips", "Sell chips")
        page.keyboard.press("Enter")
        expect(chosen(form, "Player")).to_be_focused()
        chosen(form, "Player").select_option("Ivo")
        page.keyboard.press("Tab")
        page.keyboard.type("200")
        page.keyboard.press("Enter")
        expect(status).to_have_text("Ivo has bought chips for $200.00.")
        expect(chosen(form, "Player")).to_have_value("Ivo")
        assert player(here, "Ivo")["chips"] == before + 20_000

        # Chips are typed as they lie; what are none is said before anything is asked.
        form = act(tray, "Chips", "Exchange")
        chosen(form, "Player").select_option("Ivo")
        form.get_by_label("Chips given").fill("100")
        form.get_by_label("Chips wanted").fill("4xx25")
        page.keyboard.press("Enter")
        expect(status).to_contain_text("Chips wanted: give chips in dollars, like 100 or 4x25")
        form.get_by_label("Chips wanted").fill("3x25 20 5")
        page.keyboard.press("Enter")
        expect(status).to_have_text("Ivo has other chips for $100.00.")

        form = act(tray, "Wagers", "Place for a player")
        chosen(form, "Player").select_option("Ivo")
        chosen(form, "On").select_option("banker")
        form.get_by_label("Amount").fill("7.03")
        page.keyboard.press("Enter")
        # What is refused keeps what was typed; its rule opens, and Escape shuts only that.
        expect(status.locator(".tag")).to_be_visible()
        expect(form.get_by_label("Amount")).to_have_value("7.03")
        status.locator(".tag").click()
        expect(tray.locator(".rulesheet")).to_be_visible()
        page.keyboard.press("Escape")
        expect(tray.locator(".rulesheet")).to_be_hidden()
        expect(tray).to_be_visible()
        assert player(here, "Ivo")["staked"] == 0

        form.get_by_label("Amount").fill("20")
        form.get_by_label("Amount").press("Enter")
        expect(status).to_have_text("$20.00 of Ivo lies on Banker.")
        expect(page.locator("#wagers")).to_contain_text("Ivo")
        assert player(here, "Ivo")["staked"] == 2_000

        form = act(tray, "Wagers", "Take back")
        expect(chosen(form, "Wager")).to_contain_text("Ivo: Banker $20.00")
        form.get_by_role("button", name="Give the wager back").click()
        expect(status).to_have_text("The wager went back.")
        expect(chosen(form, "Wager").locator("option")).to_have_count(0)
        assert player(here, "Ivo")["chips"] == before + 20_000

        # What a supervisor must order is ordered with the supervisor's role; winnings that lie there are held.
        form = act(tray, "Chips", "Unclaimed")
        expect(tray).to_contain_text("The game supervisor orders this")
        form.get_by_label("Player").fill("Ivo")
        form.get_by_label("Amount").fill("50")
        page.keyboard.press("Enter")
        expect(status).to_contain_text("Ordered by the game supervisor.")
        assert player(here, "Ivo")["chips"] == before + 15_000
        expect(tray.get_by_role("radio", name="Colours")).to_have_count(0)
        expect(tray.get_by_role("radio", name="Commission")).to_have_count(0)
        page.keyboard.press("Escape")
        expect(tray).to_be_hidden()


def test_a_colour_comes_back_and_a_wrong_payment_is_recorded(browser: Browser, house: DeviceHouse) -> None:
    here = at(house, "R-3")
    here.do("dealer", "Sit", player="Joy", seat=0)
    here.do("dealer", "BuyChips", player="Joy", amount=10_000)
    with page_at(browser, f"{here.address}/dealer?table=R-3", size=PHONE) as page:
        tray = opened(page, by_key=False)
        status = tray.locator(".status-line")
        form = act(tray, "Colours", "Issue")
        chosen(form, "Player").select_option("Joy")
        form.get_by_label("Colour").fill("green")
        form.get_by_label("Value of a chip").fill("2")
        form.get_by_label("Chips", exact=True).fill("20")
        form.get_by_role("button", name="Issue the colour").click()
        expect(status).to_have_text("Joy has 20 green chips of $2.00.")
        rack = here.view(here.ticket("dealer"))["layout"]["rack"]
        assert (rack["green"]["value"], rack["green"]["by"]) == (200, "Joy")
        assert overflow(page) <= 0
        assert tray.evaluate("each => each.scrollWidth - each.clientWidth") <= 0

        form = act(tray, "Colours", "Redeem")
        form.get_by_role("button", name="Redeem the colour").click()
        expect(status).to_have_text("green is redeemed, and free again.")
        assert here.view(here.ticket("dealer"))["layout"]["rack"] == {}

        # A wager of hers wins; the dealer hands over ten dollars too much, and it is recorded on the wager itself.
        here.until(act="call No more bets")
        here.do("dealer", "PlaceWager", player="Joy", on="straight:17", amount=500)
        form = act(tray, "Chips", "Paid wrongly")
        here.until("spin")
        here.tell("17")
        here.until(act="call No more bets")
        before = player(here, "Joy")["chips"]
        expect(chosen(form, "Settled wager")).to_contain_text("Joy: Straight up 17, due $180.00")
        form.get_by_label("Handed over in all, with the stake").fill("190")
        form.get_by_role("button", name="Record what was handed over").click()
        expect(status).to_have_text("$190.00 is recorded as handed over. Ordered by the game supervisor.")
        assert player(here, "Joy")["overpaid"] == 1_000
        assert player(here, "Joy")["chips"] == before + 1_000


def test_what_management_orders_of_commissions_is_named(browser: Browser, house: DeviceHouse) -> None:
    here = at(house, "V-2")
    here.do("dealer", "Sit", player="Kit", seat=4)
    with page_at(browser, f"{here.address}/dealer?table=V-2", size=DESK) as page:
        tray = opened(page)
        status = tray.locator(".status-line")
        form = act(tray, "Commission", "Defer")
        chosen(form, "Player").select_option("Kit")
        form.get_by_role("button", name="Set it").click()
        expect(status).to_have_text("Kit may owe commission.")
        form = act(tray, "Commission", "Let it stand")
        expect(tray).to_contain_text("The shift manager orders this")
        chosen(form, "Player").select_option("Kit")
        form.get_by_role("button", name="Let it stand").click()
        expect(status).to_contain_text("Kit owes nothing")
        expect(status.locator(".tag")).to_have_text("VIC2002-10.2.1a.iii")
        heights = tray.locator("button:not(.tag), select, input:not([type=radio])").evaluate_all(
            "all => all.map(each => each.getBoundingClientRect().height)"
        )
        assert len(heights) >= 3
        assert min(heights) >= 43.5
