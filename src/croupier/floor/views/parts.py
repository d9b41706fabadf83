"""What every part of a view is built on."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct

Figures: TypeAlias = dict[str, Any]
"""The figures of a game, each game its own."""
Choice: TypeAlias = dict[str, Any]
"""A choice that may be made, as the table would be told of it."""


class Part(Struct, frozen=True, kw_only=True):
    """The base of all parts of a view."""
