"""Wagers beside the customary ones in a real Chromium: Victoria's Insurance and Runs, a Dragon Bonus, own editions.

Every one of them has its place on the felt and takes a tap, and the table has it.  Insurance is open only while the
cards lie so, and only to whoever has a main wager: bets are closed then, and one place is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import croupier
from tests.helpers.browser import (
    DESK,
    PHONE,
    Wire,
    chromium,
    needs_chromium,
    page_at,
    small,
    tap,
    terminal,
    unnamed,
)
from tests.helpers.houses.served import served
from tests.helpers.layout import faults

pytestmark = needs_chromium

EXAMPLES = Path(croupier.__file__).parent / "law" / "examples"
BACCARAT = 'game = "baccarat"'
SCALE = """'''source = "the operator's own"
natural = 1
margins = { 9 = 30, 8 = 10, 7 = 6, 6 = 4, 5 = 2, 4 = 1 }'''"""
TABLES = {
    "VIC": (BACCARAT, 'edition = "vic2002"', 'version = "crown"'),
    "DRAGON": (BACCARAT, 'edition = "nzeb"', 'version = "terminals"', f"elections = {{ dragon_bonus = {SCALE} }}"),
    "SEVEN": (
        BACCARAT,
        f'edition = "{EXAMPLES / "barred_seven.toml"}"',
    ),
    "SIXES": (
        BACCARAT,
        f'edition = "{EXAMPLES / "family_of_sixes.toml"}"',
    ),
    "SIZES": (
        BACCARAT,
        f'edition = "{EXAMPLES / "pairs_and_sizes.toml"}"',
    ),
    "NEVADA": ('game = "blackjack"', f'edition = "{EXAMPLES / "american.toml"}"'),
}
OFFERED = {
    "DRAGON": ("dragon_player", "dragon_banker"),
    "SEVEN": ("dragon_7", "panda_8"),
    "SIXES": ("super_6", "lucky_6", "big_tiger"),
    "SIZES": ("player_pair", "banker_pair", "either_pair", "perfect_pair", "small", "big", "five_cards", "six_cards"),
}
_TABLE = """
[[tables]]
name = "{}"
{}
minimum = 500
maximum = 100000
chip = 500
supervisor = "Sue"
practice = true
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("house")
    settings = folder / "house.toml"
    settings.write_text("".join(_TABLE.format(name, "\n".join(lines)) for name, lines in TABLES.items()))
    with served(folder, pace="4,0.02,0.01,8", config=str(settings)) as (address, _):
        yield address


def in_order(page: Page) -> None:
    """As soon as the page has laid itself out for the size it was just given."""
    for _ in range(20):
        if not faults(page):
            break
        page.wait_for_timeout(100)
    assert (faults(page), unnamed(page), small(page)) == ([], [], [])


def lies(page: Page, on: str, amount: str = "$5") -> None:
    expect(page.locator(f'[data-bet="{on}"] .stake.confirmed')).to_have_text(amount)


def bet(page: Page, on: str) -> None:
    """Bet on a place; what came too late for its round is tapped again in the next."""
    said = ""
    for _ in range(4):
        expect(page.locator("#cutoff[data-open=true]")).to_be_visible()
        tap(page, on, chip="$5 chip")
        expect(page.locator(".stake.pending")).to_have_count(0)
        if page.locator(f'[data-bet="{on}"] .stake.confirmed').count():
            return
        said = page.locator("#toast").inner_text()
        page.wait_for_timeout(500)
    raise AssertionError(f"{on}: {said}")


def test_runs_of_victoria_are_tapped_and_ride_on(browser: Browser, house: str) -> None:
    wire = Wire()
    with page_at(browser, terminal(house, "VIC", "Vera"), wire=wire) as page:
        expect(page.locator("#cutoff[data-open=true]")).to_be_visible()
        tap(page, "player_run_4", chip="$5 chip")
        lies(page, "player_run_4")
        wire.frozen = True
        for size in (DESK, PHONE):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            lies(page, "player_run_4")
            in_order(page)


def test_insurance_is_open_to_whoever_has_a_wager_while_the_cards_lie_so(browser: Browser, house: str) -> None:
    wire = Wire()
    with page_at(browser, terminal(house, "VIC", "Ines"), wire=wire) as page:
        insurance = page.locator('[data-on="insurance"]')
        expect(insurance).to_have_attribute("aria-disabled", re.compile("true|false"))
        ring, late = page.locator("#cutoff"), page.locator('[data-on="insurance"].late')
        # One coup of about seventeen has a Banker of six against a hand that draws; the line is frozen before that
        # and shown the position as the table would tell it, so that nobody has to wait for the cards.
        expect(page.locator("#cutoff[data-open=true]")).to_be_visible()
        tap(page, "banker", chip="$5 chip")
        lies(page, "banker")
        wire.frozen = True
        view = next(each for each in reversed(wire.views()) if each["betting"]["open"] and each["wagers"])
        closed = {"open": False, "reason": "no wager after the call", "rule": "VIC2002-8.2.2a", "shut": []}
        cards = {"player": ["2h", "3d"], "banker": ["Kc", "6s"]}
        position = {
            **view,
            "betting": closed,
            "closes_ms": 0,
            "opens_ms": 0,
            "layout": {**view["layout"], "cards": cards},
            "me": {**view["me"], "opens": ["insurance"]},
            "choice_ms": view["at_ms"] + 9_000,
        }
        wire.show(position)
        expect(late).to_be_visible()
        expect(ring).to_contain_text("to choose")
        expect(insurance).to_have_attribute("aria-disabled", "false")
        expect(page.locator('[data-on="banker"]')).to_have_attribute("aria-disabled", "true")
        page.locator('[data-on="banker"]').click(force=True)
        expect(page.locator("#toast")).to_contain_text("No more bets")
        page.get_by_role("button", name="$5 chip", exact=True).click()
        insurance.click()
        # The table itself has no such cards now, and says so.
        expect(page.locator("#toast")).to_contain_text("$5 on Insurance was not taken")
        placed = [asked["command"]["on"] for asked in wire.commands() if asked["command"]["type"] == "PlaceWager"]
        assert placed == ["banker", "insurance"]
        in_order(page)


@pytest.mark.parametrize("table", OFFERED)
def test_what_an_operator_or_an_own_edition_offers_is_on_the_felt(browser: Browser, house: str, table: str) -> None:
    with page_at(browser, terminal(house, table, "Otto"), size=DESK) as page:
        expect(page.locator('[data-on="player"]')).to_be_visible()
        drawn = page.locator("[data-on]").evaluate_all("all => all.map(each => each.dataset.on)")
        assert {*OFFERED[table], "player", "banker", "tie"} <= set(drawn)
        for on in OFFERED[table]:
            bet(page, on)
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        for on in OFFERED[table]:
            expect(page.locator(f'[data-on="{on}"]')).to_be_visible()
        in_order(page)


def test_american_blackjack_has_its_hole_card_and_every_choice(browser: Browser, house: str) -> None:
    with page_at(browser, terminal(house, "NEVADA", "Abe")) as page:
        words = page.locator("#choices .word")
        surrender = page.locator(".choice:enabled", has_text="Surrender")
        # A hand may be over with the deal: then the next one is played.
        for _ in range(6):
            bet(page, "main")
            expect(page.locator(".choice:visible, #cutoff[data-settled=true]").first).to_be_visible()
            if surrender.is_visible():
                break
        expect(words).to_have_text(["Stand", "Hit", "Double", "Split", "Surrender"])
        expect(page.locator("#turn-words")).to_contain_text("against")
        expect(page.locator(".dealer-hand .back")).to_be_attached()
        page.locator("select.language").select_option("zh-Hans")
        expect(words.last).to_have_text("投降")
        for size in (DESK, PHONE):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            in_order(page)
        surrender = page.locator(".choice:enabled").last
        surrender.click()
        expect(page.locator("#sums .net .num")).to_have_text("\u2212 $2.50")
