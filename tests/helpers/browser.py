"""A real Chromium for tests: pages that may not err, and a line to the table that a test can hold, cut and read.

Files whose tests deal by hand, or need no table at all, share one house for as long as the tests run; it hardly does
anything by itself.  Files that need virtual dealers who keep dealing start a house of their own.

The content policy of the pages forbids evaluated strings, so a test waits by locators and never by functions.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, WebSocketRoute, expect, sync_playwright

from tests.helpers.houses.devices import TABLE as FIRST_ELECTRONIC
from tests.helpers.houses.devices import DeviceHouse
from tests.helpers.houses.served import served

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
VIOLATIONS = "window.violations = []; addEventListener('securitypolicyviolation', e => violations.push(e.blockedURI))"
DESK, ROOM, PHONE = (1280, 800), (1920, 1080), (390, 844)
PATIENCE_MS = 20_000
"""How long a page may take on a machine that does other things too."""
expect.set_options(timeout=PATIENCE_MS)
needs_chromium = pytest.mark.skipif(not CHROMIUM, reason="NOT TESTED: no chromium on this machine")


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


QUIET = "600,0.1,0.05"
BY_HAND = {
    FIRST_ELECTRONIC: ("baccarat", "nzeb", "terminals"),
    "E-3": ("baccarat", "nzeb", "terminals"),
    "E-4": ("baccarat", "nzeb", "terminals"),
    "E-5": ("baccarat", "nzeb", "terminals"),
    "B-5": ("baccarat", "nzd5", "midi"),
    "B-6": ("baccarat", "nzd5", "midi"),
    "B-7": ("baccarat", "nzd5", "midi"),
    "B-8": ("baccarat", "nzd5", "midi"),
    "B-9": ("baccarat", "nzd5", "midi"),
    "V-1": ("baccarat", "vic2002", "traditional"),
    "V-2": ("baccarat", "vic2002", "traditional"),
    "J-2": ("blackjack", "nz1996", ""),
    "S-2": ("caribbean_stud", "nz1996", ""),
    "R-2": ("roulette", "nz1996", ""),
    "R-3": ("roulette", "nz1996", ""),
    "C-2": ("craps", "nz1996", ""),
}
"""Tables of the quiet house at which nobody deals by himself: game, edition and version."""
_TABLE = """
[[tables]]
name = "{}"
game = "{}"
edition = "{}"
version = "{}"
minimum = 500
maximum = 100000
supervisor = "Sue"
"""
_HOUSE = pytest.StashKey[DeviceHouse]()


def quiet_house(config: pytest.Config, folders: pytest.TempPathFactory) -> DeviceHouse:
    """The house that files share: started by the first that asks, stopped when all tests of this process are over."""
    if _HOUSE not in config.stash:
        folder = folders.mktemp("quiet")
        settings = folder / "house.toml"
        settings.write_text("".join(_TABLE.format(name, *rules) for name, rules in BY_HAND.items()))
        running = ExitStack()
        config.add_cleanup(running.close)
        address, process = running.enter_context(served(folder, pace=QUIET, config=str(settings)))
        config.stash[_HOUSE] = DeviceHouse(address, process)
    return config.stash[_HOUSE]


@dataclass(slots=True)
class Wire:
    """The line between one page and the server: what the page asked and heard, and ways to disturb it.

    A line that is `frozen` hands on no views, and all the rest: the page sees what a test lets it see.  It freezes by
    itself `after` the first view that is as wished, however short the moment is.
    """

    asked: list[dict[str, Any]] = field(default_factory=list)
    heard: list[str | bytes] = field(default_factory=list)
    holding: bool = False
    frozen: bool = False
    after: Callable[[dict[str, Any]], bool] | None = None
    deaf: bool = False
    refusing: bool = False
    held: list[tuple[WebSocketRoute, str | bytes]] = field(default_factory=list)
    line: WebSocketRoute | None = None

    def route(self) -> Callable[[WebSocketRoute], None]:
        """What Playwright calls for every new line; it marks what it is given, and a slotted object takes no marks."""
        return lambda line: self._taken_over(line)  # noqa: PLW0108

    def _taken_over(self, page_side: WebSocketRoute) -> None:
        if self.refusing:
            page_side.close()
            return
        server_side = page_side.connect_to_server()
        self.line = page_side
        page_side.on_message(lambda text: self._asks(server_side, text))
        server_side.on_message(lambda text: self._tells(page_side, text))

    def _asks(self, server_side: WebSocketRoute, text: str | bytes) -> None:
        self.asked.append(json.loads(text))
        if not self.deaf:
            server_side.send(text)

    def _tells(self, page_side: WebSocketRoute, text: str | bytes) -> None:
        self.heard.append(text)
        if self.frozen and json.loads(text)["type"] == "View":
            return
        if self.after and (message := json.loads(text))["type"] == "View" and self.after(message["view"]):
            self.frozen = True
        if self.holding:
            self.held.append((page_side, text))
        else:
            page_side.send(text)

    def release(self) -> None:
        """Everything that was held goes on to the page."""
        self.holding = False
        for page_side, text in self.held:
            page_side.send(text)
        self.held.clear()

    def cut(self) -> None:
        assert self.line is not None
        self.line.close()

    def views(self) -> list[dict[str, Any]]:
        """Every view that the server has sent so far, whether it was held or not."""
        messages = (json.loads(text) for text in list(self.heard))
        return [message["view"] for message in messages if message["type"] == "View"]

    def show(self, view: dict[str, Any]) -> None:
        """Let the page see this view, whatever the server says."""
        assert self.line is not None
        self.line.send(json.dumps({"type": "View", "line": 1, "view": view}))

    def commands(self) -> list[dict[str, Any]]:
        return [message for message in self.asked if message["type"] == "Do"]


@contextmanager
def page_at(
    browser: Browser, address: str, *, size: tuple[int, int] = DESK, wire: Wire | None = None
) -> Iterator[Page]:
    """A page of its own; afterwards it must have had no error and nothing stopped by the content policy."""
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.add_init_script(VIOLATIONS)
    if wire:
        page.route_web_socket("**/live", wire.route())
    page.goto(address)
    try:
        yield page
        assert wrong == []
        assert page.evaluate("violations") == []
    finally:
        context.close()


def unnamed(page: Page) -> list[str]:
    """Controls that are seen and that nothing names."""
    found: list[str] = page.locator(
        "button:visible, [role=button]:visible, a:visible, input:visible, select:visible"
    ).evaluate_all(
        """all => all.filter(each => !(each.getAttribute("aria-label") || each.textContent || each.labels?.length))
                     .map(each => each.outerHTML.slice(0, 80))"""
    )
    return found


def small(page: Page, least: int = 44) -> list[str]:
    """Controls that are seen and too small for a finger; one that was hidden since it was found has no size.

    The lines and crossings of roulette are smaller, as on any layout: they are pressed, read and released.
    """
    found: list[str] = page.locator(
        "button:visible, [role=button]:visible, a:visible, input:visible, select:visible"
    ).evaluate_all(
        f"""all => all.map(each => [each, each.getBoundingClientRect()])
                      .filter(([each]) => !each.matches(".hit"))
                      .filter(([, box]) => box.width && Math.min(box.width, box.height) < {least} - 0.5)
                      .map(([each, box]) => `${{each.outerHTML.slice(0, 80)}} ${{box.width}} by ${{box.height}}`)"""
    )
    return found


def overflow(page: Page) -> int:
    """How many pixels of the page lie beside the window."""
    beyond: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return beyond


def terminal(house: str, table: str, name: str) -> str:
    """The address of a terminal."""
    return f"{house}/terminal?table={table}&name={name}"


def betting_opens(page: Page) -> None:
    """Wait for the beginning of a betting time, so that there is time to act in it."""
    expect(page.locator("#cutoff[data-open=false]")).to_be_visible()
    expect(page.locator("#cutoff[data-open=true]")).to_be_visible()


def tap(page: Page, on: str, *, chip: str = "$25 chip") -> None:
    """Bet with one chip."""
    page.get_by_role("button", name=chip, exact=True).click()
    place(page, on).click()


def place(page: Page, on: str) -> Locator:
    """Where a wager is tapped: its area, at its words where the middle of it is not its own, or the own box's."""
    area = page.locator(f'[data-on="{on}"]')
    words = area.locator("text").first
    if on in ("pass", "big_six", "big_eight") and words.is_visible():
        return words
    return page.locator(f'[data-on="{on}"].own-seat') if on == "main" else area
