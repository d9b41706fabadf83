"""Every page of staff at the moments of one story, looked at for faults of the layout: at four sizes and at 200 %.

The story is the one that the pictures of the documents are taken of (`tests/helpers/screens/staff.py`).
"""

from __future__ import annotations

from playwright.sync_api import Page

from tests.helpers.browser import DESK, PHONE, ROOM, chromium, needs_chromium
from tests.helpers.layout import faults
from tests.helpers.screens import staff

pytestmark = needs_chromium
SIZES = {
    "room": ROOM,
    "desk": DESK,
    "tablet": (820, 1180),
    "phone": PHONE,
    "desk at 200 %": (640, 400),
    "room at 200 %": (960, 540),
}
COVERED = """() => [...document.querySelectorAll(".changed .pill")].flatMap((pill) => {
  const one = pill.getBoundingClientRect();
  const lies = (other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  return [...document.querySelectorAll(".hand .card")].filter((card) => lies(card.getBoundingClientRect()))
    .map((card) => `"${pill.textContent}" lies on the ${card.getAttribute("aria-label")}`);
})"""
"""Cards under the words that mark a changed one; the general look leaves pictures out."""


def test_nothing_is_cut_beside_the_window_or_on_something_else() -> None:
    found: dict[str, list[str]] = {}
    seen: list[str] = []

    def look(page: Page, moment: str) -> None:
        seen.append(moment)
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            if wrong := faults(page) + page.evaluate(COVERED):
                found[f"{moment}, {size}"] = wrong
        page.set_viewport_size({"width": ROOM[0], "height": ROOM[1]})

    with chromium() as browser:
        staff.tell_all(browser, look)
    assert found == {}
    assert sorted(seen) == sorted(staff.PICTURES)
