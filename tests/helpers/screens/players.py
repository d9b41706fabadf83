"""The pictures of the players' pages: every game at its moments, the boards and the lobby.

Theory of operation.  A house is opened and every game is played, a bet of many kinds in each round, until a round was
won at it.  What the tables told their pages is kept, and shown again to a page that hears nothing else: so a moment
can be looked at for as long as a picture takes, at any size and in any language.  Boards and the lobby are taken as
they stand.
"""

from __future__ import annotations

import base64
import json
import secrets
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, FloatRect, Page, expect
from playwright.sync_api import Error as PlaywrightError

from tests.helpers.browser import DESK, PHONE, ROOM, Wire, page_at, terminal
from tests.helpers.houses.served import served
from tests.helpers.screens.camera import Camera

PACE = "12,0.15,0.05,4"
LONG_S = 300.0
ROUND_MS = 90_000
Bets = dict[str, int]
GAMES: dict[str, tuple[str, Bets]] = {
    "R-1": (
        "-roulette",
        {"straight:17": 1_000, "split:8-11": 500, "split:0-3": 500, "street:31-32-33": 500, "corner:25-26-28-29": 1_000}
        | {"dozen:3": 2_500, "red": 2_500},
    ),
    "T-1": (
        "-tai-sai",
        {"small": 5_000, "double:4": 500, "total:10": 500, "combination:2-4": 1_000, "face:4": 500, "any_triple": 500},
    ),
    "W-1": ("-money-wheel", {"A": 2_500, "B": 1_000, "D": 500, "F": 500}),
    "C-1": (
        "-craps",
        {
            "pass": 2_500,
            "field": 500,
            "place:6": 600,
            "place:8": 600,
            "any_craps": 500,
            "hardway:8": 500,
            "come": 1_000,
        },
    ),
    "J-1": ("-blackjack", {"main": 5_000}),
    "S-1": ("-stud", {"ante": 2_500, "jackpot": 100}),
    "EB-1": ("", {"banker": 10_000, "tie": 1_000, "perfect_pairs": 500}),
}
"""The tables: how their pictures are called, and what is bet there, in cents."""
CLOCKS = {
    "bets": "closes_ms",
    "choice": "choice_ms",
    "first": "",
    "spin": "",
    "last": "",
    "settled": "opens_ms",
    "open": "closes_ms",
}
NAMES = {"choice": "-choice", "spin": "-spin", "last": "", "settled": "-result", "open": ""}
"""The moments that have pictures, in the order in which a page sees them: a round, and the bets of the next one."""
PLAIN = {("C-1", "choice"), *((table, "last") for table in GAMES)}
"""Moments of which no picture is taken: they would show nothing that others do not."""
FELT: FloatRect = {"x": 0, "y": 52, "width": 880, "height": 652}
"""Where the felt is on a page of the desk."""
View = dict[str, Any]
Moments = Mapping[str, View]


def _bet(house: str, table: str, wire: Wire) -> None:
    """All bets of a table at once; what the rules refuse at this moment is left out."""
    messages = map(json.loads, reversed(wire.heard))
    me = next(each["view"]["me"] for each in messages if each["type"] == "View")
    for on, amount in GAMES[table][1].items():
        command = {"type": "PlaceWager", "player": me["name"], "on": on, "amount": amount, "box": me.get("seat") or 0}
        body = {"id": secrets.token_hex(16), "ticket": wire.asked[0]["ticket"], "command": command}
        httpx.post(f"{house}/api/tables/{table}/commands", json=body, timeout=30)


def rounds(views: list[View]) -> list[dict[str, View]]:
    """The moments of every round in which this player had a bet."""
    found: list[dict[str, View]] = []
    now: dict[str, View] = {}
    for view in views:
        me = view["me"]
        if view["opens_ms"] > view["at_ms"] and me.get("last"):
            found += [now | {"settled": view}] if "bets" in now else []
            now = {}
            continue
        if view["betting"]["open"] and me.get("staked"):
            now["bets"] = view
        if me.get("asked") and "cut" not in view["due"].get("options", ()):
            now["choice"] = view
        if not view["betting"]["open"] and "bets" in now:
            now["last"] = view
            if view["layout"].get("number", "") is None:
                now.setdefault("spin", view)
            if any(view["layout"].get("cards", {}).values()):
                now.setdefault("first", view)
    return found


def best(found: list[dict[str, View]]) -> dict[str, View]:
    """The round with the most to see, but the first: a choice, something won; and the bets of the round after it."""

    def worth(pair: tuple[Moments, Moments]) -> tuple[bool, int]:
        won = sum(line["returned"] > line["stake"] for line in pair[0]["settled"]["me"]["last"])
        return "choice" in pair[0], won

    moments, after = max(pairwise(found[1:]), key=worth)
    return {**moments, "open": after["bets"]}


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
                    _bet(house, table, wires[table])
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
        for moment in (each for each in NAMES if each in moments):
            # A wheel that runs is shown to whoever wants to see things move.
            page.emulate_media(reduced_motion="no-preference" if moment == "spin" else "reduce")
            _show(page, wire, moments[moment], moment)
            if (table, moment) not in PLAIN:
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


def take_coup(browser: Browser, house: str, moments: Moments, camera: Camera) -> None:
    """One coup on the felt in four pictures, beside and below each other."""
    wire, frames = Wire(), list[str]()
    with page_at(browser, terminal(house, "EB-1", "Alex"), wire=wire) as page:
        expect(page.locator("#board h2").first).to_be_attached()
        wire.frozen = True
        for moment in ("bets", "first", "last", "settled", "open"):
            _show(page, wire, moments[moment], moment)
            if moment == "last":
                continue
            frames.append(base64.b64encode(page.screenshot(clip=FELT)).decode())
    sheet = browser.new_page(viewport={"width": 1320, "height": 980})
    images = "".join(f'<img width="656" src="data:image/png;base64,{frame}">' for frame in frames)
    sheet.set_content(
        f'<body style="margin: 2px; background: #0d1312; display: grid; grid: auto / 1fr 1fr; gap: 4px">{images}</body>'
    )
    sheet.wait_for_timeout(300)
    camera.take(sheet, "coup")
    sheet.close()


def take_all(browser: Browser, camera: Camera) -> None:
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), pace=PACE) as (house, _):
        for table, moments in played(browser, house).items():
            take(browser, house, table, moments, camera)
            if table == "EB-1":
                take_coup(browser, house, moments, camera)
        for table, name in (("EB-1", "board"), ("R-1", "board-roulette")):
            with page_at(browser, f"{house}/board?table={table}", size=ROOM) as page:
                expect(page.locator("#record h2").first).to_be_visible()
                # The board keeps the cards of a round that it has seen.
                expect(page.locator("#felt .card:not(.empty), #felt .rn").last).to_be_visible(timeout=ROUND_MS)
                expect(page.locator("#ring-words")).to_have_text("No more bets", timeout=ROUND_MS)
                expect(page.locator("#ring-words")).to_have_text("Place your bets", timeout=ROUND_MS)
                camera.take(page, name)
        for size, name in ((DESK, "lobby"), (PHONE, "lobby-phone")):
            with page_at(browser, house, size=size) as page:
                expect(page.locator(".tb").first).to_be_visible()
                camera.take(page, name)
