"""Places at a table, as facts, demands and journals name them: `seat 4`, `box 2`, `box 2 hand 1`.

People write such words, and so do games where nobody's name is known.  Whoever needs the number asks for the place: the
words are taken apart here and nowhere else.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

_WRITTEN: Final = re.compile(r"(seat|box|standing|terminal) ([0-9]{1,9})(?: hand ([0-9]{1,2}))?")


class TablePlace(NamedTuple):
    """A numbered place; `hand` is one of the hands on a box, 0 for all of them."""

    kind: str
    number: int
    hand: int = 0


@lru_cache(4096)
def read_place(words: str) -> TablePlace | None:
    """The place that words name; nothing for the name of a person or a role."""
    read = _WRITTEN.fullmatch(words)
    return TablePlace(read[1], int(read[2]), int(read[3] or 0)) if read else None
