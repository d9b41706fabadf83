"""How much a request may say, and in which order it is written down to be compared."""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.floor.store.appends import BadAppend

_WRITE = msgspec.json.Encoder(order="deterministic").encode


def in_order(what: Any) -> bytes:
    """A value as text that is the same for equal values, however they were made."""
    try:
        return _WRITE(what)
    except TypeError:
        # Keys that are numbers, as those of boxes, become words first: only words can be put in order.
        return msgspec.json.encode(msgspec.to_builtins(what, order="deterministic", str_keys=True))


LONGEST_TEXT = 2_000
"""The order of a shoe of eight decks is one text, and the longest that anybody has to say."""
MOST_PARTS = 1_000
DEEPEST = 16
LARGEST_REQUEST = 1 << 15


def check_size(encoded: bytes) -> None:
    """Refuse a request with more in it than a person or a device has to say: it would be kept for ever."""
    if len(encoded) <= LONGEST_TEXT and encoded.count(b"[") + encoded.count(b"{") <= DEEPEST:
        return
    if len(encoded) > LARGEST_REQUEST:
        raise BadAppend(f"a request has at most {LARGEST_REQUEST} bytes")
    try:
        _check_parts(msgspec.json.decode(encoded), 0)
    except RecursionError:
        raise BadAppend("a request is not nested so deeply") from None


def _check_parts(part: Any, depth: int) -> None:
    if depth > DEEPEST:
        raise BadAppend("a request is not nested so deeply")
    if isinstance(part, str) and len(part) > LONGEST_TEXT:
        raise BadAppend(f"a text has at most {LONGEST_TEXT} characters: {part[:40]!r}…")
    if isinstance(part, dict):
        part = [*part, *part.values()]
    if isinstance(part, list):
        if len(part) > MOST_PARTS:
            raise BadAppend(f"a list has at most {MOST_PARTS} parts")
        for each in part:
            _check_parts(each, depth + 1)
