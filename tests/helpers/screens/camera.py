"""A camera that keeps pictures small: what a browser sees, in at most 256 colours.

Theory of operation.  A page has few colours, and a picture that names each by a number of eight bits takes a third of
the room.  Chromium unpacks its own picture on a canvas, so that nothing here has to read PNG.  Colours are chosen by
halving: the box of colours that holds the most pixels over the longest side is cut at its middle pixel, until there
are 256; each pixel then takes the mean colour of its box.  No pixel is mixed with its neighbours to hide the steps:
felt has few of them, and letters stay clean.
"""

from __future__ import annotations

import base64
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page

SCREENS = Path(__file__).parents[3] / "docs" / "screens"
COLOURS = 256
_UNPACK = """async picture => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  const sheet = canvas.getContext("2d");
  sheet.drawImage(image, 0, 0);
  const { data } = sheet.getImageData(0, 0, image.width, image.height);
  let text = "";
  for (let at = 0; at < data.length; at += 32768) text += String.fromCharCode(...data.subarray(at, at + 32768));
  return [image.width, image.height, btoa(text)];
}"""
Pixels = NDArray[np.uint8]


@dataclass(slots=True)
class Camera:
    """Takes pictures of pages into the folder of the documents; `browser` unpacks them."""

    browser: Browser
    folder: Path = SCREENS

    def take(self, page: Page, name: str, *, whole: bool = False) -> None:
        """The picture of a page as it is now: of its window, or of the whole page."""
        self.keep(page.screenshot(full_page=whole), name)

    def keep(self, png: bytes, name: str) -> None:
        dark = self.browser.new_page()
        width, height, text = dark.evaluate(_UNPACK, base64.b64encode(png).decode())
        dark.close()
        pixels = np.frombuffer(base64.b64decode(text), np.uint8).reshape(height, width, 4)[:, :, :3]
        small = in_few_colours(pixels)
        (self.folder / f"{name}.png").write_bytes(min(small, png, key=len))


def in_few_colours(pixels: Pixels) -> bytes:
    """A PNG of the pixels whose colours stand in a palette."""
    height, width, _ = pixels.shape
    exact, number, many = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    boxes = _boxes(exact, many)
    palette = np.array([_mean(exact[box], many[box]) for box in boxes], np.uint8)
    box_of = np.empty(len(exact), np.uint8)
    for index, box in enumerate(boxes):
        box_of[box] = index
    rows = np.zeros((height, width + 1), np.uint8)  # The first byte of a row says that it is not filtered.
    rows[:, 1:] = box_of[number.reshape(-1)].reshape(height, width)
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", palette.tobytes()), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in parts)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _mean(colours: Pixels, many: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray(np.rint(np.average(colours, axis=0, weights=many)), np.int64)


def _boxes(colours: Pixels, many: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The colours in at most 256 boxes, as their places in the list."""
    boxes = [np.arange(len(colours))]
    sizes = [_size(colours, many, boxes[0])]
    while len(boxes) < COLOURS and max(sizes) > 0:
        chosen = int(np.argmax(sizes))
        box = boxes.pop(chosen)
        sizes.pop(chosen)
        spread = np.ptp(colours[box].astype(int), axis=0)
        box = box[np.argsort(colours[box, int(np.argmax(spread))], kind="stable")]
        weights = np.cumsum(np.sqrt(many[box]))
        cut = int(np.clip(np.searchsorted(weights, weights[-1] / 2), 1, len(box) - 1))
        for part in (box[:cut], box[cut:]):
            boxes.append(part)
            sizes.append(_size(colours, many, part))
    return boxes


def _size(colours: Pixels, many: NDArray[np.int64], box: NDArray[np.int64]) -> float:
    """How much would be gained by cutting a box; nothing where it holds one colour."""
    if len(box) < 2:
        return 0.0
    spread = float(np.ptp(colours[box].astype(int), axis=0).max())
    return spread * spread * float(np.sqrt(many[box].sum()))
