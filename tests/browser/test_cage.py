"""The cage in a real browser: scanning, paying, every refusal in words, a shift from float to count, and the paper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from croupier.house.cage.codes import code_of, grouped
from tests.browser.test_dealer import faint
from tests.floor.rooms.test_cage_desk import Desk
from tests.helpers.browser import DESK, PHONE, ROOM, chromium, needs_chromium, overflow, page_at, small, unnamed
from tests.helpers.houses.served import served

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("cage"), pace="12,0.9,0.35") as (address, _):
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def scan(page: Page, code: str) -> None:
    """A scanner is a keyboard that ends with Enter; the page must be ready for it without a click."""
    expect(page.locator("#code")).to_be_focused()
    page.keyboard.type(code)
    page.keyboard.press("Enter")


def clear(page: Page) -> None:
    page.locator("#code").fill("")
    page.locator("#code").focus()


def test_a_voucher_is_scanned_confirmed_and_paid_with_the_keyboard_alone(house: str, browser: Browser) -> None:
    desk = Desk(house)
    code = desk.voucher(40_000)
    with page_at(browser, f"{house}/cage?name=Lee") as page:
        expect(page.locator("#practice")).to_be_visible()
        scan(page, code)
        expect(page.locator(".amt")).to_have_text("$400.00")
        expect(page.locator(".slip .no")).to_have_text(grouped(code))
        expect(page.locator("tr.on")).to_contain_text("400.00")
        pay = page.get_by_role("button", name="Pay $400.00")
        pay.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_be_visible()
        assert desk.get(f"/api/cage/vouchers/{code}").json()["state"] == "to pay"
        page.keyboard.press("Enter")
        expect(page.locator(".verdict.ok b")).to_have_text("Paid")
        assert desk.get(f"/api/cage/vouchers/{code}").json()["ended_by"] == "Lee"
        scan(page, grouped(code))
        expect(page.locator(".verdict b")).to_have_text("Already paid")
        expect(page.locator(".verdict")).to_contain_text("by Lee")


def test_a_scan_during_the_question_does_not_answer_it(house: str, browser: Browser) -> None:
    desk = Desk(house)
    first, second = desk.voucher(7_700), desk.voucher(8_800)
    with page_at(browser, f"{house}/cage") as page:
        scan(page, first)
        page.get_by_role("button", name="Pay $77.00").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.type(second)
        page.keyboard.press("Enter")
        expect(page.locator(".amt")).to_have_text("$88.00")
        expect(page.get_by_role("dialog")).to_be_hidden()
    assert {desk.get(f"/api/cage/vouchers/{code}").json()["state"] for code in (first, second)} == {"to pay"}


def test_what_is_wrong_is_said_with_what_to_do(house: str, browser: Browser) -> None:
    code = Desk(house).voucher(5_000)
    with page_at(browser, f"{house}/cage") as page:
        for typed, title in ((code_of(77), "Not found"), ("123", "Mistyped")):
            clear(page)
            scan(page, typed)
            expect(page.locator(".verdict b")).to_have_text(title)
            expect(page.locator(".verdict .hint")).not_to_be_empty()
        clear(page)
        scan(page, code)
        page.get_by_role("button", name="Pay $50.00").click()
        page.get_by_label("Amount printed on the paper, $").fill("500.00")
        page.get_by_role("dialog").get_by_role("button", name="Pay $50.00").click()
        expect(page.locator(".verdict b")).to_have_text("Another amount")
        page.locator(".law .tag").click()
        expect(page.locator("#sheet")).to_contain_text("redeemed")
        clear(page)
        scan(page, code)
        page.get_by_role("button", name="Pay $50.00").click()
        page.get_by_role("button", name="Back").click()
        assert Desk(house).get(f"/api/cage/vouchers/{code}").json()["state"] == "to pay"


def test_a_shift_from_its_float_to_its_count(house: str, browser: Browser) -> None:
    desk = Desk(house)
    if (shift := desk.get("/api/cage/state").json()["shift"]) is not None:
        desk.do("CountDrawer", **shift["expected"])
        assert desk.do("CloseShift")["done"]
    with page_at(browser, f"{house}/cage") as page:
        page.get_by_label("Float in cash, $").fill("50,000")
        page.get_by_label("Float in chips, $").fill("1000.50")
        page.get_by_role("button", name="Open the shift").click()
        expect(page.locator("tfoot")).to_contain_text("50,000.00")
        page.get_by_role("button", name="Drop", exact=True).click()
        page.get_by_label("Counted in B-4, drop box, dollars").fill("3980")
        page.get_by_role("button", name="Collect the drop of B-4, drop box").click()
        expect(page.locator("#alert")).to_contain_text("Drop is $20.00 short")
        page.get_by_role("button", name="Shift", exact=True).click()
        page.get_by_role("button", name="Close the shift").click()
        expect(page.locator("#refused")).to_contain_text("count it first")
        page.get_by_label("Counted cash, $").fill("53970.00")
        page.get_by_label("Counted chips, $").fill("1000.50")
        page.get_by_role("button", name="Record the count").click()
        expect(page.locator("tfoot .bad")).to_contain_text("−10.00")
        page.get_by_label("Reason, if anything differs").fill("a ten fell behind the desk")
        page.get_by_role("button", name="Close the shift").click()
        expect(page.get_by_role("button", name="Open the shift")).to_be_visible()
    report = desk.get("/api/cage/report").json()["shift"]
    assert (report["reason"], report["closed_by"]) == ("a ten fell behind the desk", "Lee")
    assert desk.do("OpenShift", cash=5_000_000, chips=100_000)["done"]


def test_what_is_no_amount_moves_no_money(house: str, browser: Browser) -> None:
    desk = Desk(house)
    if desk.get("/api/cage/state").json()["shift"] is None:
        assert desk.do("OpenShift", cash=5_000_000, chips=100_000)["done"]
    before = desk.get("/api/cage/state").json()["shift"]["expected"]
    with page_at(browser, f"{house}/cage?role=casino+supervisor&name=Cas") as page:
        page.get_by_role("button", name="Chips", exact=True).click()
        vault = page.locator("form", has=page.get_by_role("heading", name="Vault"))
        vault.get_by_label("Reason").fill("for the evening")
        for typed in ("12.345", "-twelve", "abc"):
            vault.get_by_label("Cash to the drawer").fill(typed)
            vault.get_by_role("button", name="Move").click()
            expect(page.locator("#refused")).to_contain_text(f"“{typed}” is no amount")
            expect(vault.get_by_label("Cash to the drawer")).to_be_focused()
        assert desk.get("/api/cage/state").json()["shift"]["expected"] == before
        vault.get_by_label("Cash to the drawer").fill("-$1,000.50")
        vault.get_by_role("button", name="Move").click()
        expect(page.locator("#refused")).to_be_empty()
        expect(vault.get_by_label("Reason")).to_have_value("")
    assert desk.get("/api/cage/state").json()["shift"]["expected"]["cash"] == before["cash"] - 100_050
    assert desk.do("MoveFloat", cash=100_050, reason="back again")["done"]


def test_chips_become_a_voucher_that_can_be_printed(house: str, browser: Browser) -> None:
    Desk(house).voucher(100)
    with page_at(browser, f"{house}/cage") as page:
        page.get_by_role("button", name="Chips", exact=True).click()
        form = page.locator("form", has_text="Chips for a voucher")
        form.get_by_label("Amount, $").fill("12.50")
        form.get_by_role("button", name="Issue").click()
        expect(page.locator(".amt")).to_have_text("$12.50")
        link = page.get_by_role("link", name="Print the voucher").get_attribute("href")
        page.get_by_role("button", name="Owed", exact=True).click()
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save the shift report").click()
        report = Path(saved.value.path()).read_text()
        assert "PRACTICE · NOT MONEY" in report
    with page_at(browser, f"{house}{link}") as page:
        expect(page.locator("h1")).to_have_text("$12.50")
        expect(page.get_by_role("img", name="Barcode of")).to_be_visible()
        # The style is allowed by its hash: without it the amount would be as small as its words.
        assert page.locator("h1").evaluate("each => getComputedStyle(each).fontSize") == "48px"


@pytest.mark.parametrize("size", [DESK, ROOM, PHONE], ids=["desk", "room", "phone"])
def test_everything_fits_is_named_and_can_be_touched(house: str, browser: Browser, size: tuple[int, int]) -> None:
    code = Desk(house).voucher(123_456)
    with page_at(browser, f"{house}/cage", size=size) as page:
        scan(page, code)
        expect(page.locator("#pay")).to_be_visible()
        for tab in ("Shift", "Drop", "Chips", "Owed"):
            page.get_by_role("button", name=tab, exact=True).click()
            expect(page.locator("#work-title")).to_have_text(tab)
            assert overflow(page) <= 0
            assert unnamed(page) == []
            assert faint(page) == []
            # The tag of a rule is drawn small and has a larger place to touch around it.
            assert [each for each in small(page) if 'class="t' not in each] == []


def test_the_inspector_reads_and_may_not_act(house: str, browser: Browser) -> None:
    with page_at(browser, f"{house}/cage?role=inspector&name=Ina") as page:
        expect(page.locator(".live")).to_be_visible()
        page.get_by_label("Float in cash, $").or_(page.get_by_label("Counted cash, $")).fill("1")
        page.get_by_role("button", name="Open the shift").or_(
            page.get_by_role("button", name="Record the count")
        ).click()
        expect(page.locator("#refused")).to_be_visible()


def test_nothing_can_be_scanned_before_the_page_listens(house: str, browser: Browser) -> None:
    code = Desk(house).voucher(5_000)
    page, held = browser.new_page(), list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/cage/page.js", hold)
    page.goto(f"{house}/cage", wait_until="commit")
    expect(page.locator("#code")).to_be_disabled()
    held[0].continue_()
    scan(page, code)
    expect(page.locator("#pay")).to_be_visible()
    # A house that does not answer is said to, where the voucher would be: nobody waits for it for ever.
    page.route("**/api/cage/vouchers/*", lambda route: route.abort())
    clear(page)
    scan(page, code)
    expect(page.locator(".verdict")).to_contain_text("Pay nothing yet")
    page.close()
