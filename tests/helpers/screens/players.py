"""The pictures of the players' pages: every game at its moments, the boards and the lobby.

Theory of operation.  A house is opened and every game is played, a bet of many kinds in each round, until a round was
won at it.  What the tables told their pages is kept, and shown again to a page that hears nothing else: so a moment
can be looked at for as long as a picture takes, at any size and in any language.  Boards and the lobby are taken as
they stand.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import Error as PlaywrightError

from tests.helpers.browser import DESK, PHONE, ROOM, Wire, page_at, terminal
from tests.helpers.houses.served import served
from tests.helpers.screens.camera import Camera

PACE = "20,0.15,0.05,4"
LONG_S = 420.0
GAMES = {
    "R-1": (
        "-roulette",
        "1 straight:17 straight:17 split:8-11 split:0-3 street:31-32-33 corner:25-26-28-29 2 dozen:3 red",
    ),
    "T-1": ("-tai-sai", "2 small small 1 double:4 total:10 combination:2-4 combination:2-4 face:4 any_triple"),
    "W-1": ("-money-wheel", "2 A 1 B B D F"),
    "C-1": ("-craps", "2 pass 1 field place:6 place:8 any_craps hardway:8 come odds:6 odds:8"),
    "J-1": ("-blackjack", "2 main main"),
    "S-1": ("-stud", "2 ante 1 jackpot"),
    "EB-1": ("", "3 banker 1 tie tie perfect_pairs"),
}
"""The tables: how their pictures are called, and what is bet there; a figure takes another chip."""
CLOCKS = {"open": "closes_ms", "choice": "choice_ms", "last": "", "settled": "opens_ms"}
NAMES = {"open": "", "choice": "-choice", "settled": "-result"}
View = dict[str, Any]
Moments = Mapping[str, View]


def _bet(page: Page, words: str) -> None:
    for word in words.split():
        if word.isdigit():
            page.keyboard.press(word)
            continue
        area = page.locator(f'[data-on="{word}"].own-seat' if word == "main" else f'[data-on="{word}"]').first
        with suppress(PlaywrightError):
            area.press("Enter", timeout=1_500)


def rounds(views: list[View]) -> list[dict[str, View]]:
    """The moments of every round in which this player had a bet."""
    found: list[dict[str, View]] = []
    now: dict[str, View] = {}
    for view in views:
        me = view["me"]
        if view["opens_ms"] > view["at_ms"] and me.get("last"):
            found += [now | {"settled": view}] if "open" in now else []
            now = {}
            continue
        if view["betting"]["open"] and me.get("staked"):
            now["open"] = view
        if me.get("asked") and "cut" not in view["due"].get("options", ()):
            now["choice"] = view
        if not view["betting"]["open"] and "open" in now:
            now["last"] = view
    return found


def best(found: list[dict[str, View]]) -> dict[str, View]:
    """The round with the most to see: a choice, and something won."""

    def worth(moments: Moments) -> tuple[bool, int]:
        return "choice" in moments, sum(line["returned"] > line["stake"] for line in moments["settled"]["me"]["last"])

    return max(found, key=worth)


def played(browser: Browser, house: str) -> dict[str, dict[str, View]]:
    """Every table with the moments of its best round."""
    with ExitStack() as opened:
        wires = {table: Wire() for table in GAMES}
        pages = {
            table: opened.enter_context(page_at(browser, terminal(house, table, "Alex"), wire=wire))
            for table, wire in wires.items()
        }
        ends, begun = time.monotonic() + LONG_S, dict[str, str]()
        while time.monotonic() < ends:
            for table, page in pages.items():
                number = page.locator("#round").inner_text()
                if page.locator("#cutoff[data-open=true]").count() and begun.get(table) != number:
                    begun[table] = number
                    _bet(page, GAMES[table][1])
                with suppress(PlaywrightError):
                    page.locator(".choice:enabled").last.click(timeout=200)
            next(iter(pages.values())).wait_for_timeout(100)
        return {table: best(rounds(wire.views())) for table, wire in wires.items()}


def _show(page: Page, wire: Wire, view: View, moment: str) -> None:
    """Let the page see a moment as at its beginning."""
    clocks = dict.fromkeys(filter(None, CLOCKS.values()), 0)
    if CLOCKS[moment]:
        clocks[CLOCKS[moment]] = view["at_ms"] + (4_000 if moment == "settled" else 12_000)
    wire.show({**view, **clocks})
    expect(page.locator(f'#cutoff[data-settled="{str(moment == "settled").lower()}"]')).to_be_visible()
    page.wait_for_timeout(400)


def take(browser: Browser, house: str, table: str, moments: Moments, camera: Camera) -> None:
    """The pictures of one game: its moments on the desk, and the last of them on a phone."""
    name, wire = GAMES[table][0], Wire()
    with page_at(browser, terminal(house, table, "Alex"), wire=wire) as page:
        expect(page.locator("#board h2").first).to_be_attached()
        wire.frozen = True
        for moment in (each for each in CLOCKS if each in moments):
            _show(page, wire, moments[moment], moment)
            if moment in NAMES and (moment != "choice" or table != "C-1"):
                camera.take(page, f"terminal{name}{NAMES[moment]}")
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        moment = "choice" if "choice" in moments else "open"
        _show(page, wire, moments[moment], moment)
        camera.take(page, f"terminal{name}-phone")
        if table == "EB-1":
            page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
            page.locator("select.language").select_option("zh-Hans")
            _show(page, wire, moments["open"], "open")
            camera.take(page, "terminal-zh")


def take_all(browser: Browser, camera: Camera) -> None:
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), pace=PACE) as (house, _):
        for table, moments in played(browser, house).items():
            take(browser, house, table, moments, camera)
        for table, name in (("EB-1", "board"), ("R-1", "board-roulette")):
            with page_at(browser, f"{house}/board?table={table}", size=ROOM) as page:
                expect(page.locator("#record h2").first).to_be_visible()
                camera.take(page, name)
        for size, name in ((DESK, "lobby"), (PHONE, "lobby-phone")):
            with page_at(browser, house, size=size) as page:
                expect(page.locator(".tb").first).to_be_visible()
                camera.take(page, name)
