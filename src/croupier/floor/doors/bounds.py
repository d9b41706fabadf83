"""How much may be asked: the longest word of a query, and what is said when too much is asked at once."""

from __future__ import annotations

from typing import Final

LONGEST: Final = 200
"""Characters of one word of a query."""


class Busy(Exception):
    """Nothing is reckoned now, but the same may be asked again: the reason, in one line."""
