"""There is room for everything: on the narrowest phones, for cards on their way, for what is posted, for the doors.

The house hardly does anything by itself: bets are open for ten minutes, and a page is shown what a test lets it see.
"""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.helpers.browser import DESK, PHONE, QUIET, ROOM, Wire, chromium, needs_chromium, overflow, page_at, terminal
from tests.helpers.houses.served import served
from tests.helpers.layout import faults

pytestmark = needs_chromium

NARROW = (360, 640)
TABLES = ("EB-1", "R-1", "T-1", "W-1", "C-1", "J-1", "S-1")
OUTSIDE = """all => all.map((each) => [each, each.getBoundingClientRect()])
  .filter(([, box]) => box.left < 0 || box.right > innerWidth || box.top < 0 || box.bottom > innerHeight)
  .map(([each]) => each.outerHTML.slice(0, 60))"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("house"), pace=QUIET) as (address, _):
        yield address


def posted(house: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    asked = Request(house + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(asked, timeout=10) as answer:
        content: dict[str, Any] = json.load(answer)
        return content


def with_cards(view: dict[str, Any]) -> dict[str, Any]:
    """The view with all six cards on the layout, among them the one with the longest name."""
    cards = {"player": ["2h", "3d", "Qd"], "banker": ["Kc", "5s", "Qd"]}
    closed = {"open": False, "reason": "", "rule": "", "shut": []}
    return {**view, "betting": closed, "closes_ms": 0, "layout": {**view["layout"], "cards": cards}}


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_card_on_its_way_makes_no_page_wider(browser: Browser, house: str, motion: Any) -> None:
    wire = Wire()
    width, height = PHONE
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion=motion)
    page = context.new_page()
    page.route_web_socket("**/live", wire.route())
    page.goto(terminal(house, "EB-1", "Wai"))
    expect(page.locator("#cutoff[data-open=true]")).to_be_visible()
    # Time stands still for whatever moves: a card that has just come stays where its way begins.
    line = context.new_cdp_session(page)
    line.send("Animation.enable")
    line.send("Animation.setPlaybackRate", {"playbackRate": 0})
    wire.frozen = True
    wire.show(with_cards(wire.views()[-1]))
    expect(page.locator(".card.dealt")).to_have_count(6)
    assert (page.evaluate("document.getAnimations().length") > 0) == (motion == "no-preference")
    assert overflow(page) <= 0
    context.close()


@pytest.mark.parametrize("table", TABLES)
def test_the_narrowest_phone_has_every_key_and_every_word(browser: Browser, house: str, table: str) -> None:
    wire = Wire()
    with page_at(browser, terminal(house, table, "Nan"), size=NARROW, wire=wire) as page:
        expect(page.locator("#cutoff[data-open=true]")).to_be_visible()
        for language in ("en", "mi"):
            page.locator("select.language").select_option(language)
            expect(page.locator("html")).to_have_attribute("lang", language)
            expect(page.locator(".pick")).to_have_count(5)
            assert page.locator(".tray button:visible").evaluate_all(OUTSIDE) == []
            assert faults(page) == []
            if table == "EB-1":
                wire.frozen = True
                wire.show(with_cards(wire.views()[-1]))
                expect(page.locator(".card.dealt")).to_have_count(6)
                assert faults(page) == []
                wire.show(wire.views()[-1])
                expect(page.locator("#cutoff[data-open=true]")).to_be_visible()


def _written(page: Page) -> list[str]:
    parts: list[str] = page.locator("#limits").evaluate("each => [...each.children].map((part) => part.textContent)")
    return parts


def _clock(page: Page, at_ms: int) -> str:
    """The time of day where this browser is."""
    shown: str = page.evaluate("(ms) => new Date(ms).toTimeString().slice(0, 5)", at_ms)
    return shown


def test_when_the_table_closes_is_told_at_the_terminal_and_on_the_board(browser: Browser, house: str) -> None:
    closes = int(time.time() * 1000) + 45 * 60_000
    command = {"type": "PostClosing", "closes_ms": closes}
    for table in ("R-1", "EB-1"):
        max_ = posted(house, "/api/enter", {"name": "Max", "role": "casino manager", "table": table})["ticket"]
        body = {"id": secrets.token_hex(16), "ticket": max_, "command": command}
        assert posted(house, f"/api/tables/{table}/commands", body)["done"]
        for size in (DESK, PHONE):
            with page_at(browser, terminal(house, table, "Clo"), size=size) as page:
                expect(page.locator("#limits")).to_contain_text("Table closes")
                assert _written(page)[-2:] == ["Table closes", _clock(page, closes)]
                # The line itself lies above the tray, whose height the tallest layouts leave.
                last, tray = page.locator("#limits dd").last.bounding_box(), page.locator(".tray").bounding_box()
                assert last
                assert tray
                assert size == DESK or last["y"] + last["height"] <= tray["y"] + 1
                page.locator("select.language").select_option("zh-Hans")
                expect(page.locator("#limits")).to_contain_text("本桌关闭时间")
        with page_at(browser, f"{house}/board?table={table}", size=ROOM) as board:
            expect(board.locator("#limits")).to_contain_text("Table closes")
            assert _written(board)[-2:] == ["Table closes", _clock(board, closes)]
            assert faults(board) == []


def test_the_lobby_shows_all_its_doors_at_once_in_every_language(browser: Browser, house: str) -> None:
    with page_at(browser, house) as page:
        for language in ("en", "zh-Hans", "zh-Hant", "mi"):
            page.locator("select.language").select_option(language)
            expect(page.locator("html")).to_have_attribute("lang", language)
            expect(page.locator(".doors2 .d2")).to_have_count(8)
            assert page.locator(".doors2 .d2, .doors2 select").evaluate_all(OUTSIDE) == []
            # In one row: what lies over the tables leaves them in sight.
            assert len({round(box["y"]) for each in page.locator(".d2").all() if (box := each.bounding_box())}) == 1
            assert faults(page) == []
        # Te reo, of whose days a browser has no names, is written in figures, not in another language.
        expect(page.locator("#date")).to_have_text(re.compile(r"^\d{1,2}/\d{2}/\d{4}$|Rā"))


def test_a_pressed_place_of_roulette_is_read_and_a_key_is_told_nothing_of_a_release(
    browser: Browser, house: str
) -> None:
    with page_at(browser, terminal(house, "R-1", "Kay")) as page:
        expect(page.locator("#cutoff[data-open=true]")).to_be_visible()
        area = page.locator('[data-on="dozen:2"]')
        area.focus()
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".say text")).to_have_count(1)
        box = area.bounding_box()
        assert box
        page.mouse.move(box["x"] + 20, box["y"] + box["height"] / 2)
        page.mouse.down()
        hint = page.locator(".say .hint")
        expect(hint).to_have_text("Release to bet $25, slide off to cancel")
        # On the cloth its words are light, as all of them are; the paper of the label is light itself.
        assert hint.evaluate("each => getComputedStyle(each).fill") != page.locator(".say text").first.evaluate(
            "each => getComputedStyle(each).fill"
        )
        assert faults(page) == []
        page.mouse.move(10, 10)
        page.mouse.up()


def test_undo_takes_the_last_chip_back_whatever_lies_under_it(browser: Browser, house: str) -> None:
    wire = Wire()
    # At the layout more than the credits is refused; a terminal shows the next lower wager (NZEB-3.4c).
    for table, on, shown in (("T-1", "small", "$50.00"), ("EB-1", "player", "$1,000.00")):
        with page_at(browser, terminal(house, table, "Una"), wire=wire) as page:
            expect(page.locator("#cutoff[data-open=true]")).to_be_visible()
            area, wagered = page.locator(f'[data-on="{on}"]'), page.locator("#wagered")
            # Two taps at once are two chips; what the table refused is none.
            area.press("Enter")
            area.press("Enter")
            expect(wagered).to_have_text("$50.00")
            page.get_by_role("button", name="$1,000 chip", exact=True).click()
            area.press("Enter")
            expect(page.locator("#toast")).to_be_visible()
            expect(wagered).to_have_text(shown)
            for left in ("$50.00", "$25.00", "$0.00") if shown != "$50.00" else ("$25.00", "$0.00"):
                page.locator("#undo").click()
                expect(wagered).to_have_text(left)
            expect(page.locator("#undo")).to_be_disabled()
            expect(page.locator("#credits")).to_have_text("$1,000.00")


def test_a_reader_hears_which_box_is_the_own_one(browser: Browser, house: str) -> None:
    with page_at(browser, terminal(house, "J-1", "Rea")) as page:
        expect(page.locator("#cutoff[data-open=true]")).to_be_visible()
        seat = page.locator('[data-on="main"].own-seat')
        number = seat.get_attribute("data-box")
        expect(seat).to_have_attribute(
            "aria-label", re.compile(rf"^Box {number}, your seat: Main wager, box {number}, ")
        )
        seat.press("Enter")
        expect(seat).to_have_attribute("aria-label", re.compile(rf"^Box {number}, yours: .*you have \$25"))
        expect(page.get_by_role("button", name=re.compile(r"^Box \d, \w+: "))).not_to_have_count(0)


def test_craps_says_who_throws_in_every_language_and_lies_in_the_middle_of_a_tablet(
    browser: Browser, house: str
) -> None:
    wire = Wire()
    with page_at(browser, terminal(house, "C-1", "Tab"), size=(820, 1180), wire=wire) as page:
        expect(page.locator(".halves > .cloth").first).to_be_visible()
        wire.frozen = True
        view = wire.views()[-1]
        for shooter, language, said in (
            ("stickperson", "en", "Stickperson throws."),
            ("stickperson", "zh-Hans", "由 掌杖员 掷骰。"),
            ("stickperson", "mi", "Mā Kaipupuri rākau e maka."),
            ("Ann", "zh-Hans", "由 Ann 掷骰。"),
        ):
            wire.show({**view, "layout": {**view["layout"], "shooter": shooter}})
            page.locator("select.language").select_option(language)
            expect(page.locator(".roll .now")).to_contain_text(said)
        box = page.locator(".halves > .cloth").first.bounding_box()
        assert box
        assert abs(box["x"] + box["width"] / 2 - 410) < 3
