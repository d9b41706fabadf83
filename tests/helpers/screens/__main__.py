"""Take the pictures again: all of them, or those of the words that follow (`players`, `staff`)."""

from __future__ import annotations

import sys
from collections.abc import Callable

from tests.helpers.browser import chromium
from tests.helpers.screens import players, staff
from tests.helpers.screens.camera import Camera

TAKEN: dict[str, Callable[..., None]] = {"players": players.take_all, "staff": staff.take_all}


def main(words: list[str]) -> None:
    with chromium() as browser:
        camera = Camera(browser)
        for word in words or TAKEN:
            TAKEN[word](browser, camera)


if __name__ == "__main__":
    main(sys.argv[1:])
