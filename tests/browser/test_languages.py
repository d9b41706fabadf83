"""The board, the kiosk and the languages of the player pages in a real Chromium, against a real house.

One house, one page a moment: every message of the English catalogue is put into brackets, and then no text of a page
may stand outside them, unless it is marked as not to be translated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from croupier.floor.words import LANGUAGES, catalogue, say
from tests.helpers.browser import (
    DESK,
    PHONE,
    ROOM,
    chromium,
    needs_chromium,
    overflow,
    page_at,
    small,
    terminal,
    unnamed,
)
from tests.helpers.houses.served import served

pytestmark = needs_chromium
WEB = Path(str(files("croupier") / "web"))
GAMES = ("EB-1", "R-1", "T-1", "W-1", "C-1", "J-1", "S-1")
FOUR_K = (3840, 2160)
NOT_SAID = re.compile(r"[A-Za-z]{2,}")
TEXTS = """() => {
  const found = [];
  const said = (node) => node.closest("[translate=no], script, style, title, option") === null;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode()); )
    if (node.data.trim() && said(node.parentElement)) found.push(node.data);
  for (const node of document.querySelectorAll("[aria-label]")) found.push(node.getAttribute("aria-label"));
  return found;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("house"), pace="4,0.05,0.02,1.5") as (address, _):
        yield address


def _bracketed() -> str:
    """The English catalogue with every message in brackets."""
    english = (WEB / "words" / "en.ftl").read_text(encoding="utf-8").replace("calls-as-printed = yes", "")
    blocks = [block.rstrip() for block in re.split(r"\n(?=\S)", english)]
    marked = [re.sub(r"^([\w-]+ = )(.*)$", r"\1⟦\2⟧", block, flags=re.DOTALL) for block in blocks]
    return "\n".join((*marked, "within = { $word }", "calls-as-printed = no"))


def bracketed(route: Route) -> None:
    route.fulfill(body=_bracketed(), content_type="text/plain; charset=utf-8")


def outside(text: str, named: tuple[str, ...]) -> str:
    """What of a text is in no brackets, less the names of people, tables and the product."""
    left, before = text, ""
    while left != before:
        before, left = left, re.sub(r"⟦[^⟦⟧]*⟧", "", left)
    for name in (*named, "croupier", "EB-1", "Terminal"):
        left = re.sub(re.escape(name), "", left, flags=re.IGNORECASE)
    return left


def foreign(page: Page, *named: str) -> list[str]:
    """Texts of a page that come from no catalogue."""
    texts: list[str] = page.evaluate(TEXTS)
    assert any("⟦" in text for text in texts)
    return [text for text in texts if NOT_SAID.search(outside(text, named))]


@pytest.mark.parametrize("table", GAMES)
def test_no_text_of_a_terminal_or_a_board_comes_from_outside_the_catalogue(
    browser: Browser, house: str, table: str
) -> None:
    names = ("Zed", "Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Ida", "Jim", "Kay", "Lea", "Max", "stickperson")
    with page_at(browser, "about:blank") as page:
        page.context.route("**/words/en.ftl", bracketed)
        page.goto(terminal(house, table, "Zed"))
        for moment in ("#cutoff[data-open=true]", "#cutoff[data-open=false]", "#cutoff[data-settled=true]"):
            expect(page.locator(moment)).to_be_visible()
            expect(page.locator("croupier-board section").first).to_be_attached()
            assert foreign(page, *names) == []
        page.locator("#rules").click()
        expect(page.locator("#rules-pays td").first).to_be_visible()
        assert foreign(page, *names) == []
        page.goto(f"{house}/board?table={table}")
        expect(page.locator("#record h2").first).to_be_visible()
        assert foreign(page, *names) == []


def test_no_text_of_the_lobby_comes_from_outside_the_catalogue(browser: Browser, house: str) -> None:
    with page_at(browser, "about:blank") as page:
        page.context.route("**/words/en.ftl", bracketed)
        page.goto(house)
        expect(page.locator(".tb")).to_have_count(8)
        expect(page.locator("#date")).not_to_be_empty()
        assert foreign(page) == []
        expect(page.locator(".tb.byhand .deal")).to_be_visible()
        expect(page.locator("#by-itself .tb")).to_have_count(7)


def test_both_readers_of_the_catalogues_say_the_same(browser: Browser, house: str) -> None:
    given: dict[str, str | int] = {
        "count": 2,
        "number": 3,
        "word": "hand",
        "amount": "$5",
        "seat": 0,
        "whose": "yours",
        "parity": "odd",
    }
    with page_at(browser, house) as page:
        for language in LANGUAGES:
            sentences = page.evaluate(
                """async ([language, ids, given]) => {
                    const words = await import("/kit/words.js");
                    await words.speak(language);
                    return ids.map((id) => words.t(id, given));
                }""",
                [language, list(catalogue(language)), given],
            )
            assert sentences == [say(catalogue(language), name, **given) for name in catalogue(language)]


def test_a_language_changes_in_mid_hand_and_everything_stays(browser: Browser, house: str) -> None:
    with page_at(browser, terminal(house, "B-4", "Lin")) as page:
        page.get_by_role("button", name="$25 chip", exact=True).click()
        page.locator('[data-on="player"]').click()
        expect(page.locator("#wagered")).to_have_text("$25.00")
        page.get_by_label("Language").select_option("zh-Hans")
        expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
        expect(page.locator("#wagered-name")).to_have_text("本局已下注")
        expect(page.locator('[data-bet="player"] .stake.confirmed')).to_have_text("$25")
        expect(page.locator("#wagered")).to_have_text("$25.00")
        expect(page.locator('[data-rule="NZEB-3.4b.iv"]')).to_have_count(1)
        for size in (DESK, ROOM, PHONE):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            expect(page.locator("#layout .area").first).to_be_visible()
            assert (overflow(page), unnamed(page), small(page)) == (0, [], [])
        page.reload()
        expect(page.locator("#wagered-name")).to_have_text("本局已下注")
        page.get_by_label("语言").select_option("mi")
        expect(page.locator("#undo")).to_have_text("Whakahokia")
        page.locator("#undo").click()
        expect(page.locator("#wagered")).to_have_text("$0.00")


@pytest.mark.parametrize("table", ["EB-1", "R-1", "C-1"])
def test_the_board_fills_the_screen_and_takes_nothing(browser: Browser, house: str, table: str) -> None:
    with page_at(browser, f"{house}/board?table={table}", size=ROOM) as page:
        expect(page.locator("#felt .bcap").first).to_have_text(re.compile("result|This"))
        for size in (ROOM, FOUR_K):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            expect(page.locator("#ring-words")).not_to_be_empty()
            beyond = page.evaluate(
                """() => [...document.querySelectorAll("header, main section, footer, .bstat div, #record > *")].filter(
                    (each) => each.offsetParent && (each.scrollWidth > each.clientWidth + 1
                      || each.getBoundingClientRect().bottom > innerHeight + 1)).map((each) => each.className)"""
            )
            assert beyond == []
        # It is looked at: nothing on it can be pressed, and what is asked on its line is refused.
        assert page.locator("button, a, input, select").count() == 0
        if table == "EB-1":
            expect(page.locator("#shoe")).to_have_text(re.compile(r"Shoe \d"))
            expect(page.locator("#record .road")).to_have_count(5)
            expect(page.locator("#limits")).to_contain_text("$5 – $1,000")


def test_a_board_of_no_table_says_so(browser: Browser, house: str) -> None:
    with page_at(browser, f"{house}/board?table=Nowhere", size=ROOM) as page:
        expect(page.locator("#line")).to_contain_text("there is no such table")
        # Whoever came here by hand finds the boards that there are, and so does one who named none.
        page.goto(f"{house}/board")
        expect(page.get_by_role("heading", name="Choose a table")).to_be_visible()
        page.get_by_role("link", name="EB-1").click()
        expect(page.locator("#table")).to_have_text("Table EB-1")
        expect(page.locator("#felt")).not_to_contain_text("Choose a table")


def test_a_kiosk_has_no_way_out_and_begins_again_by_itself(browser: Browser, house: str) -> None:
    with page_at(browser, f"{terminal(house, 'B-4', 'Kio')}&kiosk=1", size=DESK) as page:
        expect(page.locator("#live")).to_have_text("Live")
        page.locator("#rules").click()
        expect(page.locator("#rules-pays td").first).to_be_visible()
        assert page.locator("a[href]").count() == 0
        page.keyboard.press("Escape")
        page.evaluate("() => { document.body.dataset.before = 'yes'; dispatchEvent(new Event('error')); }")
        expect(page.locator("body[data-before]")).to_have_count(0, timeout=30_000)
        expect(page.locator("#live")).to_have_text("Live")
