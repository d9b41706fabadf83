"""Second factors in a real Chromium: codes of a telephone, a passkey, and what they open."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect
from pyotp import TOTP

from tests.browser.test_signin import set_another, sign_in
from tests.helpers.browser import chromium, needs_chromium, page_at, unnamed
from tests.helpers.houses.people import GOOD, Running, house_with_accounts

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with house_with_accounts(tmp_path_factory.mktemp("factors"), second_factor="required") as running:
        yield running


@contextmanager
def authenticator(page: Page) -> Iterator[None]:
    """A security key in the browser, whose owner always touches it."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "usb",
        "hasResidentKey": False,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    yield
    session.detach()


def add_person(page: Page, name: str) -> None:
    page.get_by_role("form", name="Add a person").get_by_label("Name").fill(name)
    page.get_by_role("checkbox", name="game supervisor").check()
    page.get_by_role("button", name="Add", exact=True).click()


def begin(page: Page, kind: str, label: str) -> None:
    page.get_by_label("Your password").fill(GOOD)
    page.get_by_label("A name for it").fill(label)
    page.get_by_role("button", name=kind).click()


def next_code(secret: str, last: str) -> str:
    """A code other than the last, which counted; the one to come is taken too."""
    made = TOTP(secret)
    for step in (0, 1):
        if (code := made.at(int(time.time()), step)) != last:
            return code
    raise AssertionError("two codes are alike")


def test_codes_and_a_passkey_are_added_and_shown_for_a_role(browser: Browser, house: Running) -> None:
    # Passkeys are for names, and 127.0.0.1 is none.
    address = house.address.replace("127.0.0.1", "localhost")
    with page_at(browser, address) as page, authenticator(page):
        sign_in(page, "manager", house.one_time)
        set_another(page, house.one_time, GOOD)
        page.get_by_role("button", name="Second factor").click()
        begin(page, "Codes of a telephone", "phone")
        expect(page.get_by_role("img", name="for a telephone to read")).to_be_visible()
        secret = (page.locator("#factor-secret").text_content() or "").replace(" ", "")
        first = TOTP(secret).now()
        page.get_by_label("The code it shows now").fill(first)
        page.get_by_role("button", name="Add it").click()
        expect(page.locator(".factors li")).to_contain_text("Codes phone")
        assert unnamed(page) == []

        # Whoever has one shows it to add another.
        begin(page, "A passkey", "key")
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Code of 6 figures").fill(next_code(secret, first))
        dialog.get_by_role("button", name="Show it").click()
        expect(page.locator(".factors li")).to_have_count(2)
        expect(page.locator(".factors li").last).to_contain_text("Passkey key")
        page.get_by_role("button", name="Back").click()

        page.reload()
        for name in ("Sam", "Sue"):
            add_person(page, name)
            page.get_by_role("dialog").get_by_role("button", name="Use a passkey").click()
            expect(page.locator(".one-time")).to_contain_text(f"{name}: password for one use")
        expect(page.locator("#people tbody tr")).to_have_count(4)
        # Nobody is added by whoever shows nothing.
        add_person(page, "Eve")
        page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        expect(page.locator(".one-time")).to_contain_text("no second factor was shown")
        expect(page.locator("#people tbody tr")).to_have_count(4)
