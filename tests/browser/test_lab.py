"""The odds lab and the rule browser in a real Chromium, against a real house."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.survey.diff import difference
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
from tests.helpers.layout import faults

pytestmark = needs_chromium
LONG_MS = 90_000
"""What is reckoned for the first time on a busy machine may take its time."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def house(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> str:
    return quiet_house(pytestconfig, tmp_path_factory).address


def in_order(page: Page) -> None:
    """Nothing without a name, nothing too small (tags carry their area around them), nothing beside the window."""
    assert unnamed(page) == []
    assert [each for each in small(page) if "tag" not in each and "Rule " not in each] == []
    assert overflow(page) <= 0


def reckoned(page: Page) -> None:
    expect(page.locator("#sheet > table")).to_be_visible(timeout=LONG_MS)
    expect(page.locator("#state.wait")).to_have_count(0, timeout=LONG_MS)


def edge_of(page: Page, wager: str) -> str:
    return page.locator("tr", has=page.locator(f'[data-wager="{wager}"]')).locator(".edge").first.inner_text()


def asked(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_choosing_asking_why_and_disturbing_the_shoe_all_stay_in_the_address(browser: Browser, house: str) -> None:
    with page_at(browser, f"{house}/lab?game=baccarat&edition=nzd5&version=full", size=ROOM) as page:
        reckoned(page)
        assert edge_of(page, "banker") == "1.0579 %"
        expect(page.locator("#sheet")).to_contain_text("114753351728/10847218479825")
        in_order(page)

        page.get_by_role("switch", name="No commission").click()
        expect(page.get_by_role("switch", name="No commission")).to_have_attribute("aria-checked", "true")
        expect(page.get_by_role("switch", name="No commission")).to_be_focused()
        expect(page.locator("tr", has_text="Banker").locator(".edge").first).to_have_text("1.4581 %", timeout=LONG_MS)
        reckoned(page)
        assert asked(page)["elect"] == ["no_commission=true"]

        # The working of a wager, and what a rule says, one key away.
        page.get_by_role("button", name="Banker").press("Enter")
        why = page.get_by_role("region", name="Why: Banker")
        expect(why).to_contain_text("win with six", timeout=LONG_MS)
        expect(why).to_contain_text("orders of 6 cards")
        why.get_by_role("button", name="Rule NZD5-5.11.s1").first.press("Enter")
        expect(page.locator("#rulesheet")).to_contain_text("without commission")
        expect(page.locator("#rulesheet").get_by_role("link")).to_have_attribute("href", "/rulebook?rule=NZD5-5.11.s1")
        page.keyboard.press("Escape")
        expect(page.locator("#rulesheet")).to_be_hidden()

        # Three sixes leave the shoe; the old figure stays beside the new one.
        six = page.get_by_role("button", name="Take one of the 6s out")
        for _ in range(3):
            six.click()
        expect(page.locator("#shoe .left")).to_contain_text("413")
        moved = page.locator(".moves tr", has_text="Banker")
        expect(moved.locator(".delta")).to_contain_text("▼", timeout=LONG_MS)
        expect(moved).to_contain_text("1.4581")
        link = page.url

    with page_at(browser, link, size=ROOM) as page:
        reckoned(page)
        expect(page.locator("#shoe .left")).to_contain_text("413")
        expect(page.get_by_role("region", name="Why: Banker")).to_contain_text("win with six", timeout=LONG_MS)
        expect(page.locator(".moves tr", has_text="Banker").locator(".delta")).to_contain_text("▼", timeout=LONG_MS)
        page.get_by_role("button", name="Full shoe").click()
        expect(page.locator("#shoe .left")).to_contain_text("none taken out")
        assert "ranks" not in asked(page)


def test_two_editions_side_by_side_and_the_player_advantage_in_words(browser: Browser, house: str) -> None:
    choice = "game=baccarat&edition=nzd5&version=full&with=vic2002/crown,runs=false"
    with page_at(browser, f"{house}/lab?{choice}", size=DESK) as page:
        reckoned(page)
        row = page.locator("#sheet tr", has=page.locator('[data-wager="banker"]'))
        expect(row.locator(".edge.b")).to_have_text("1.4581 %")
        expect(row.locator(".d")).to_have_text("+$0.40")
        expect(page.locator(".warn")).to_contain_text("Insurance favours the player", ignore_case=True)
        expect(page.get_by_role("img", name="House edge")).to_be_visible()
        in_order(page)
        page.get_by_role("switch", name="Compare with").click()
        expect(page.locator("#sheet .b")).to_have_count(0, timeout=LONG_MS)
        page.go_back()
        expect(page.locator("#sheet .edge.b").first).to_be_visible(timeout=LONG_MS)


def test_readings_are_those_of_the_chosen_edition(browser: Browser, house: str) -> None:
    choice = "game=baccarat&edition=vic2002&version=crown&elect=runs=false&reading=run_and_void_coups=refunded"
    with page_at(browser, f"{house}/lab?{choice}", size=DESK) as page:
        chosen = page.locator('select[data-name="Reading: run and void coups"]')
        expect(chosen).to_have_value("refunded")
        expect(page.locator('select[data-name^="Reading:"]')).to_have_count(3)
        page.locator('select[data-name="Edition"]').select_option("nz1998")
        expect(page.locator('select[data-name^="Reading:"]')).to_have_count(1)
        expect(page.locator("#choose .election", has_text="Reading:").locator(".tag")).to_have_text("NZ1998-5.14")
        assert "reading" not in asked(page)
        reckoned(page)
        # What holds for both is chosen for both.
        page.get_by_role("switch", name="Compare with").click()
        page.locator('select[data-name="Second edition"]').select_option("vic2002")
        expect(chosen).to_have_value("not_counted")


def test_a_simulation_meets_the_exact_figure_and_can_be_stopped(browser: Browser, house: str) -> None:
    with page_at(browser, f"{house}/lab?game=roulette&rounds=1000000&seed=5", size=PHONE) as page:
        reckoned(page)
        in_order(page)
        page.get_by_role("button", name="Simulate").click()
        expect(page.locator("#sim-state")).to_have_text("Done", timeout=LONG_MS)
        expect(page.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "100")
        expect(page.locator(".verd")).to_contain_text("The exact figure lies")
        expect(page.locator(".est2")).to_contain_text("2.7027 %")
        in_order(page)

        page.locator("#rounds").select_option("100 million")
        page.get_by_role("button", name="Simulate").click()
        page.get_by_role("button", name="Stop").click()
        expect(page.locator("#sim-state")).to_have_text("Stopped")
        expect(page.get_by_role("button", name="Simulate")).to_be_visible()


def test_an_address_that_the_law_forbids(browser: Browser, house: str) -> None:
    # A browser logs every answer of 422 as an error, so this page is not held to have none.
    page = browser.new_page()
    page.goto(f"{house}/lab?game=baccarat&edition=nz1998&elect=decks=6")
    expect(page.locator("#problem")).to_contain_text("the edition permits 8", timeout=LONG_MS)
    expect(page.locator("#problem .tag")).to_have_text("NZ1998-3.4a")
    page.get_by_role("button", name="Back to the edition’s own rules").click()
    reckoned(page)
    expect(page.locator("#problem")).to_be_hidden()
    page.goto(f"{house}/rulebook?rule=NZD5-5.10z")
    expect(page.locator("#problem")).to_contain_text("near to it are")
    page.close()


def test_a_rule_is_found_read_and_followed(browser: Browser, house: str) -> None:
    with page_at(browser, f"{house}/rulebook", size=ROOM) as page:
        expect(page.locator("#count")).to_have_text("2,181 rules")
        page.get_by_role("searchbox").fill("5.10b commission")
        expect(page.locator("#count")).to_contain_text(" of 2,181")
        page.get_by_label("Edition").select_option("nzd5")
        page.locator("#rows a[href*='edition=nzd5']", has_text="NZD5-5.10b").first.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("NZD5-5.10b")
        expect(page.locator("#rule")).to_contain_text("New Zealand, 1998")
        expect(page.locator("#places")).to_contain_text("games/baccarat/editions.py:", timeout=LONG_MS)
        expect(page.locator("#places")).to_contain_text("nzd5/coups.case:NZD5-5.10b")
        page.locator("details.case summary").first.click()
        expect(page.locator("details.case").first).to_contain_text("won 95 on=banker")
        assert asked(page) == {"words": ["5.10b commission"], "edition": ["nzd5"], "rule": ["NZD5-5.10b"]}
        in_order(page)
        page.locator("#rule .tag", has_text="NZ1998-5.7b").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("NZ1998-5.7b")
        page.go_back()
        expect(page.get_by_role("heading", level=1)).to_have_text("NZD5-5.10b")


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_what_changed_between_two_editions(browser: Browser, house: str, size: tuple[int, int]) -> None:
    with page_at(browser, f"{house}/rulebook?before=nz1998&after=nzd5&game=baccarat", size=size) as page:
        changes = difference("nz1998", "nzd5", "baccarat").comparisons[0].changes
        expect(page.locator(".diff")).to_contain_text(f"{len(changes)} changes", timeout=LONG_MS)
        in_order(page)
        page.get_by_role("button", name="Dark theme").click()
        in_order(page)


def word_of(page: Page, table: str, row: str, up: str) -> str | None:
    """What a chart says to a hand against the dealer's first card, by the headings of its row and column."""
    chart = page.locator("table.chart2", has=page.locator("caption", has_text=table))
    heads = chart.locator("thead th").all_inner_texts()
    line = chart.locator("tbody tr", has=page.locator("th", has_text=re.compile(rf"^{row}$")))
    return line.locator("td b").nth(heads.index(up) - 1).get_attribute("aria-label")


def test_the_charts_of_blackjack_say_the_best_play_and_what_cards_taken_out_change(
    browser: Browser, house: str
) -> None:
    with page_at(browser, f"{house}/lab?game=blackjack", size=ROOM) as page:
        expect(page.locator("table.chart2")).to_have_count(3, timeout=LONG_MS)
        # What is known of every game of eight decks in which the dealer stands on all seventeens.
        expected = {
            ("Hard", "16", "10"): "hit",
            ("Hard", "17", "10"): "stand",
            ("Hard", "11", "6"): "double",
            ("Soft", "A-8", "6"): "stand",
            ("Pairs", "A-A", "6"): "split",
            ("Pairs", "10-10", "6"): "as total",
        }
        assert {key: word_of(page, *key) for key in expected} == expected
        in_order(page)
        assert faults(page) == []
        # Without its fives a shoe is another game, and the chart says where.
        expect(page.locator("td.ch")).to_have_count(0)
        for _ in range(32):
            page.get_by_role("button", name="Take one of the 5s out").click()
        page.get_by_role("button", name="For the cards left").click()
        expect(page.locator(".chg2[role=status]")).to_contain_text("of its entries", timeout=LONG_MS)
        changed = page.locator("td.ch").count()
        assert changed == page.locator(".chg2[role=status] li").count() > 0
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        in_order(page)


def test_the_chart_of_stud_has_a_line_for_every_card_of_the_dealer(browser: Browser, house: str) -> None:
    with page_at(browser, f"{house}/lab?game=caribbean_stud", size=ROOM) as page:
        expect(page.locator("table.raise tbody tr")).to_have_count(13, timeout=LONG_MS)
        expect(page.locator(".stud2")).to_contain_text("5.2")
        in_order(page)
        assert faults(page) == []
