"""The page of the significant events in a real Chromium: found from the desks of staff, acknowledged with a note."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.helpers.browser import (
    DESK,
    PHONE,
    ROOM,
    chromium,
    needs_chromium,
    overflow,
    page_at,
    quiet_house,
    small,
    unnamed,
)
from tests.helpers.houses.devices import DeviceHouse

pytestmark = needs_chromium
TABLE = "E-5"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> DeviceHouse:
    shared = quiet_house(request.config, tmp_path_factory)
    return DeviceHouse(shared.address, shared.process, table=TABLE)


def door(house: DeviceHouse, said: str) -> int:
    body = {"id": secrets.token_hex(16), "kind": "door", "table": TABLE, "device": "Terminal 3", "said": said}
    answer = house.post("/api/significant", body, house.ticket("game supervisor")).json()
    assert answer["done"], answer
    return int(answer["line"])


def test_a_supervisor_is_led_to_what_waits_and_acknowledges_it(browser: Browser, house: DeviceHouse) -> None:
    first = door(house, "the belly door stood open")
    with page_at(browser, f"{house.address}/supervisor?table={TABLE}", size=ROOM) as page:
        page.get_by_role("link", name="significant event").click()
        row = page.locator(f'#open > li[data-number="{first}"]')
        expect(row).to_contain_text("A door was opened")
        expect(row).to_contain_text(f"Table {TABLE}, Terminal 3: The belly door stood open.")
        note = row.get_by_label(f"Note on event {first}")
        note.fill("closed it with")
        # Another event comes while somebody types; what is typed stays.
        second = door(house, "again")
        expect(page.locator(f'#open > li[data-number="{second}"]')).to_be_visible()
        expect(note).to_have_value("closed it with")
        note.fill("closed it with the technician")
        row.get_by_role("button", name="Acknowledge").click()
        expect(row).to_have_count(0)
        expect(page.locator("#done")).to_contain_text("the game supervisor")
        expect(page.locator("#done")).to_contain_text("closed it with the technician")
        expect(page.locator(f'#open > li[data-number="{second}"]')).to_be_visible()


def test_an_inspector_sees_them_and_is_told_whom_they_wait_for(browser: Browser, house: DeviceHouse) -> None:
    number = door(house, "for the inspector to see")
    with page_at(browser, f"{house.address}/inspector?table={TABLE}", size=ROOM) as page:
        page.get_by_role("link", name="significant event").click()
        row = page.locator(f'#open > li[data-number="{number}"]')
        expect(row).to_contain_text("It waits for the game supervisor")
        expect(row.get_by_role("button", name="Acknowledge")).to_have_count(0)
        expect(page.locator("#declare-panel")).to_be_hidden()


def test_a_supervisor_declares_what_no_journal_knows_and_a_refusal_is_said(
    browser: Browser, house: DeviceHouse
) -> None:
    where = f"{house.address}/significant?table={TABLE}&role=game%20supervisor&name=Sue"
    with page_at(browser, where, size=DESK) as page:
        page.get_by_label("What happened").select_option("note_acceptor")
        page.get_by_label("Device, if it was at one").fill("Terminal 4")
        page.get_by_label("In words").fill("it swallows notes")
        page.get_by_role("button", name="Declare it").click()
        row = page.locator("#open > li", has_text="it swallows notes".capitalize())
        expect(row).to_contain_text("A fault of a note acceptor")
        number = row.get_attribute("data-number")
        # Somebody else was quicker: the row is gone with the next look, or the house says who it was.
        body = {"id": secrets.token_hex(16), "note": "seen"}
        done = house.post(f"/api/significant/{number}", body, house.ticket("casino supervisor")).json()
        assert done["done"], done
        expect(row).to_have_count(0)
        expect(page.locator("#done")).to_contain_text("the casino supervisor")


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_everything_can_be_named_touched_and_seen(browser: Browser, house: DeviceHouse, size: tuple[int, int]) -> None:
    door(house, "x" * 300)
    where = f"{house.address}/significant?table={TABLE}&role=game%20supervisor&name=Sue"
    with page_at(browser, where, size=size) as page:
        expect(page.get_by_role("button", name="Acknowledge").first).to_be_visible()
        assert overflow(page) <= 0
        assert unnamed(page) == []
        # A tag of a rule carries its area around it.
        assert [each for each in small(page) if "Rule " not in each] == []
