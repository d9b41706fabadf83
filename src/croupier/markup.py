"""Elements of a page: every text is escaped, and only what was made here passes as it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Html:
    """Text that is HTML already."""

    text: str


Part: TypeAlias = Html | str | int | None
VOID: Final = frozenset({"link", "meta"})


def el(name: str, /, *content: Part, **attributes: str | float) -> Html:
    """An element.  `cls` is its class, `_` in a name is `-`, and a plain text is escaped."""
    named = {("class" if key == "cls" else key.replace("_", "-")): value for key, value in attributes.items()}
    written = "".join(f' {key}="{escape(_short(value))}"' for key, value in named.items() if value != "")
    return Html(f"<{name}{written}>" + ("" if name in VOID else f"{join(content).text}</{name}>"))


def _short(value: str | float) -> str:
    """Coordinates need no more than hundredths."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def join(content: Iterable[Part]) -> Html:
    """Parts one after another, plain texts escaped."""
    kept = (part for part in content if part is not None)
    return Html("".join(part.text if isinstance(part, Html) else escape(str(part)) for part in kept))


def mark(cls: str = "") -> Html:
    """The mark of the house, in the colour of the text beside it."""
    ring = el("path", d="M24.8 23.4A11.5 11.5 0 1 1 24.8 8.6", fill="none", stroke="currentColor", stroke_width=5.5)
    dot = el("circle", cx=16, cy=16, r=4, fill="currentColor")
    return el("svg", ring, dot, cls=cls, viewBox="0 0 32 32", aria_hidden="true")
