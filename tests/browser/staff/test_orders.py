"""An order that waits for its official: called for at the dealer's console, confirmed on the official's own page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.test_dealer import PACE, TABLE, ask, due, tell
from tests.helpers.browser import DESK, ROOM, Wire, chromium, needs_chromium, page_at
from tests.helpers.houses.served import served

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("house"), pace=PACE) as (address, _):
        tell(address, {"perform": "inspect as dealer"})
        yield address


def test_the_dealer_calls_the_supervisor_who_confirms_on_a_page_of_their_own(browser: Browser, house: str) -> None:
    dealer_s, supervisor_s = f"{house}/dealer?table={TABLE}", f"{house}/supervisor?table={TABLE}"
    wire = Wire()
    with (
        page_at(browser, dealer_s, size=DESK, wire=wire) as dealer,
        page_at(browser, supervisor_s, size=ROOM) as supervisor,
    ):
        due(dealer, "Inspect as game supervisor")
        # The banner has room for its words beside the ways to the official.
        assert dealer.locator("#due").evaluate("each => each.scrollHeight <= each.clientHeight")
        # It is the supervisor's to do, and said so before anybody calls.
        expect(supervisor.locator("#attention .what")).to_have_text("Inspect as game supervisor")
        call = dealer.get_by_role("button", name="Call the game supervisor")
        call.click()
        band = dealer.locator(".awaited")
        expect(band).to_contain_text("The game supervisor is awaited: inspect as game supervisor.")
        due(dealer, "Inspect as game supervisor")
        # Who was called is not called twice.
        expect(dealer.get_by_role("button", name="The game supervisor is called")).to_be_disabled()
        band.get_by_role("button", name="Withdraw").click()
        expect(band).to_have_count(0)
        call.click()
        expect(supervisor.locator("#attention .what")).to_have_text("Inspect as game supervisor: your order is wanted")
        supervisor.get_by_role("button", name="Confirm it").click()
        expect(band).to_have_count(0)
        due(dealer, "Spread in rows or columns for players")
        expect(supervisor.locator("#attention .what")).to_have_text("Nothing needs you")
        ask(house, "game supervisor", {"type": "TakeBack", "reason": "not looked at"})
        due(dealer, "Inspect as game supervisor")
        supervisor.locator("#attention").get_by_role("button", name="Done").click()
        due(dealer, "Spread in rows or columns for players")
        expect(supervisor.locator("#attention .what")).to_have_text("Nothing needs you")
        # A table that is not heard is nowhere called live.
        wire.refusing = True
        wire.cut()
        expect(dealer.locator("#who .live")).to_have_text("Offline")
        wire.refusing = False
        expect(dealer.locator("#who .live")).to_have_text("Live")
