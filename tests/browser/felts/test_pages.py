"""Every player page at its moments, looked at for faults of the layout: sizes, 200 %, English and Chinese.

Theory of operation.  All games are played once at the same time, and what the tables told their pages is kept: a view
with bets open, one with a choice to make, one of the settled round.  Then each page is shown these views again, and
nothing else, so that every size and language sees the very same moment, however long the looking takes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import Error as PlaywrightError

from tests.helpers.browser import DESK, PHONE, ROOM, Wire, chromium, needs_chromium, page_at, terminal
from tests.helpers.houses.served import served
from tests.helpers.layout import faults

pytestmark = needs_chromium

BETS = {
    "R-1": ("straight:17", "split:17-20", "street:1-2-3", "corner:1-2-4-5", "dozen:2", "red", "black", "even", "odd"),
    "T-1": ("small", "big", "any_triple", "triple:1", "double:2", "total:9", "combination:2-4", "face:4"),
    "W-1": ("A", "B", "C", "D", "E", "F", "G"),
    "C-1": ("pass", "field", "place:6", "any_seven", "hardway:8", "big_six"),
    "J-1": ("main",),
    "S-1": ("ante", "jackpot"),
    "EB-1": ("player", "tie", "perfect_pairs"),
}
"""Bets of many kinds, so that the ledgers and the sums are as long as they may become."""
ZOOMED, ZOOMED_ROOM = (640, 400), (960, 540)
"""The desk and the room at 200 %: half as many pixels of the page in each direction."""
SIZES = {"desk": DESK, "room": ROOM, "phone": PHONE, "desk at 200 %": ZOOMED, "room at 200 %": ZOOMED_ROOM}
CLOCKS = {"open": "closes_ms", "choice": "choice_ms", "settled": "opens_ms"}
"""The moments in their order, and the clock that runs in each."""
WAGERED = {"en": "Wagered", "zh-Hans": "已下注"}
"""The languages that are looked at, and a word of each."""
LONG_S = 120.0
Moments = Mapping[str, Mapping[str, dict[str, Any]]]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("house"), pace="5,0.03,0.01,1.5") as (address, _):
        yield address


@pytest.fixture(scope="module")
def moments(browser: Browser, house: str) -> Moments:
    """The moments of one round at every table, by table and name."""
    with ExitStack() as opened:
        wires = {table: Wire() for table in BETS}
        pages = {
            table: opened.enter_context(page_at(browser, terminal(house, table, "Mo"), wire=wire))
            for table, wire in wires.items()
        }
        ends = time.monotonic() + LONG_S
        found: dict[str, dict[str, dict[str, Any]]] = {}
        while len(found) < len(BETS):
            assert time.monotonic() < ends, f"not settled: {BETS.keys() - found.keys()}"
            for table in BETS.keys() - found.keys():
                kept = _moments(wires[table].views())
                if {"open", "settled"} <= kept.keys():
                    found[table] = kept
                elif pages[table].locator("#cutoff[data-open=true]").count() and "$0.00" in _wagered(pages[table]):
                    _bet(pages[table], BETS[table])
            next(iter(pages.values())).wait_for_timeout(50)
    return found


def _wagered(page: Page) -> str:
    return page.locator("#wagered").inner_text()


def _bet(page: Page, kinds: tuple[str, ...]) -> None:
    """Bet by the keyboard, which needs no place in sight; what comes too late is for the next time."""
    page.keyboard.press("1")
    for on in kinds:
        area = page.locator(f'[data-on="{on}"].own-seat' if on == "main" else f'[data-on="{on}"]').first
        with suppress(PlaywrightError):
            area.press("Enter", timeout=2_000)


def _moments(views: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for view in views:
        me = view["me"]
        if view["opens_ms"] > view["at_ms"] and me.get("last"):
            return found | {"settled": view}
        if view["betting"]["open"] and me.get("staked"):
            found["open"] = view
        if me.get("asked") and me.get("may") is not None and "cut" not in view["due"].get("options", ()):
            found["choice"] = view
    return found


def _again(view: dict[str, Any], moment: str) -> dict[str, Any]:
    """The view as at its beginning, with time enough for a look."""
    return {**view, **dict.fromkeys(CLOCKS.values(), 0), CLOCKS[moment]: view["at_ms"] + 9_000}


@pytest.mark.parametrize("table", BETS)
def test_nothing_overflows_overlaps_or_is_cut(browser: Browser, house: str, moments: Moments, table: str) -> None:
    wire = Wire()
    wrong: dict[str, list[str]] = {}
    with page_at(browser, terminal(house, table, "Look"), wire=wire) as page:
        expect(page.locator("#live")).to_have_text("Live")
        wire.frozen = True
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for language in WAGERED:
                # A betting time ends the moment before it on every page; so the open one comes first.
                for moment in sorted(moments[table], key=list(CLOCKS).index):
                    wire.show(_again(moments[table][moment], moment))
                    expect(page.locator(f'#cutoff[data-settled="{str(moment == "settled").lower()}"]')).to_be_visible()
                    page.locator("select.language").select_option(language)
                    expect(page.locator("#wagered-name")).to_have_text(re.compile(WAGERED[language]))
                    expect(page.locator("#board h2").first).to_be_attached()
                    found = faults(page) + (_hidden_meters(page) if size == "phone" else [])
                    if found:
                        wrong[f"{moment}, {size}, {language}"] = found
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        page.locator("#rules").click()
        expect(page.locator("#rules-pays td").first).to_be_visible()
        if found := faults(page):
            wrong["rules"] = found
    assert wrong == {}


def _hidden_meters(page: Page) -> list[str]:
    """The six items that a terminal shows at all times (NZEB-3.4b), if the tray of a phone lies on one of them."""
    tray = page.locator(".tray").bounding_box()
    assert tray is not None
    boxes = [(item.get_attribute("data-rule"), item.bounding_box()) for item in page.locator("[data-rule]").all()]
    under = {rule: box["y"] + box["height"] - tray["y"] for rule, box in boxes if box}
    return [f"{rule} lies {depth:.0f} under the tray" for rule, depth in under.items() if depth > 1]


def test_lobby_and_boards_are_in_order_too(browser: Browser, house: str) -> None:
    wrong: dict[str, list[str]] = {}
    with page_at(browser, house) as page:
        for name, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for language in WAGERED:
                page.locator("select.language").select_option(language)
                expect(page.locator("html")).to_have_attribute("lang", language)
                expect(page.locator(".tb").first).to_be_visible()
                if found := faults(page):
                    wrong[f"lobby, {name}, {language}"] = found
        page.set_viewport_size({"width": ROOM[0], "height": ROOM[1]})
        for table in BETS:
            page.goto(f"{house}/board?table={table}")
            expect(page.locator("#record h2").first).to_be_visible()
            if found := faults(page):
                wrong[f"board of {table}"] = found
    assert wrong == {}
