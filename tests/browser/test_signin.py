"""Signing in, in a real Chromium against a real house with accounts: the first start, the people, and a role lent."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.helpers.browser import PHONE, chromium, needs_chromium, overflow, page_at, quiet_house, unnamed
from tests.helpers.houses.people import GOOD, TABLE, Running, house_with_accounts, manager_of, person, settled
from tests.helpers.houses.people import Page as Visitor

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with house_with_accounts(tmp_path_factory.mktemp("accounts")) as running:
        yield running


def manager_now(house: Running) -> Visitor:
    """The casino manager, who may have signed in before, on the page of the first test."""
    page = Visitor(house.address)
    if page.sign_in("manager", GOOD).status_code != 200:
        return manager_of(house)
    page.client.headers["Authorization"] = f"Ticket {page.ticket('casino manager')}"
    return page


def sign_in(page: Page, name: str, password: str) -> None:
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password or PIN").fill(password)
    page.get_by_role("button", name="Sign in").click()


def set_another(page: Page, old: str, new: str) -> None:
    page.get_by_label("so far").fill(old)
    page.get_by_label("New ").fill(new)
    page.get_by_role("button", name="Set it").click()


def test_from_the_first_start_to_a_dealer_with_a_supervisor_at_the_table(browser: Browser, house: Running) -> None:
    with page_at(browser, house.address) as page:
        expect(page.get_by_role("button", name="Sign in")).to_be_visible()
        expect(page.get_by_role("heading", name="Staff")).to_be_hidden()
        sign_in(page, "manager", house.one_time)
        set_another(page, house.one_time, GOOD)
        expect(page.locator("#signed-in")).to_contain_text("casino manager")
        page.get_by_role("form", name="Add a person").get_by_label("Name").fill("Sam")
        page.get_by_role("checkbox", name="game supervisor").check()
        page.get_by_role("button", name="Add", exact=True).click()
        notice = page.locator(".one-time")
        expect(notice).to_contain_text("Sam: password for one use")
        one_time = (notice.text_content() or "").split()[-1]
        # Ina, the inspector, was made at the machine itself.
        expect(page.locator("#people tbody tr")).to_have_count(3)
        assert unnamed(page) == []
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_role("button", name="Sign in")).to_be_visible()
        expect(page.locator("#people")).to_be_hidden()
    settled(house.address, "Sam", one_time)
    with page_at(browser, house.address, size=PHONE) as page:
        sign_in(page, "sam", GOOD)
        expect(page.locator("#signed-in")).to_contain_text("Sam")
        expect(page.get_by_role("button", name="Game supervisor")).to_be_visible()
        assert overflow(page) <= 0


def test_an_official_lends_a_role_at_the_dealers_screen(browser: Browser, house: Running) -> None:
    manager = manager_now(house)
    settled(house.address, "Dan", person(manager, "Dan", "dealer", kind="pin"), pin="802753")
    settled(house.address, "Sue", person(manager, "Sue", "game supervisor"))
    with page_at(browser, house.address) as page:
        sign_in(page, "Dan", "802753")
        page.get_by_role("button", name="Dealer").click()
        expect(page).to_have_url(f"{house.address}/dealer?table={TABLE}&role=dealer&name=Dan")
        confirm = page.get_by_role("button", name="Game supervisor confirms")
        what, before = page.locator("#due .what"), ""
        for _ in range(12):
            expect(what).not_to_be_empty()
            before = what.text_content() or ""
            if confirm.is_visible():
                break
            page.locator("#main").click()
            expect(what).not_to_have_text(before)
        # Who confirms is asked with the password, and nowhere else: a name alone is nobody's word here.
        expect(page.locator("#official")).to_have_count(0)
        confirm.click()
        lent = page.get_by_role("dialog")
        lent.get_by_label("Name").fill("Sue")
        lent.get_by_label("Password or PIN").fill(GOOD)
        lent.get_by_role("button", name="Confirm as game supervisor").click()
        expect(page.locator("#due .what")).not_to_have_text(before)
        expect(page.get_by_role("dialog")).to_have_count(0)
        # Signed out elsewhere: it is said here, nothing is called live any more, and the way in is one press away.
        lobby = page.context.new_page()
        lobby.goto(house.address)
        lobby.get_by_role("button", name="Sign out").click()
        expect(page.locator("#bands")).to_contain_text("You were signed out")
        expect(page.locator("#who .live")).to_have_text("Offline")
        page.get_by_role("link", name="To the lobby").click()
        expect(page.get_by_role("button", name="Sign in")).to_be_visible()


def test_the_demonstration_enters_any_role_with_one_tap(
    browser: Browser, pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> None:
    address = quiet_house(pytestconfig, tmp_path_factory).address
    with page_at(browser, address) as page:
        page.get_by_label("Your name").fill("Bo")
        page.get_by_label("The supervisor is a").select_option("casino manager")
        expect(page.get_by_role("link", name="Rule book")).to_be_visible()
        page.get_by_role("button", name="Supervisor").click()
        expect(page).to_have_url(re.compile(r"role=casino\+manager"))
        page.goto(address)
        page.get_by_role("button", name="Cashier").click()
        expect(page).to_have_url(re.compile(r"/cage\?table=&role=cashier"))
        expect(page.get_by_role("heading").first).to_be_visible()
