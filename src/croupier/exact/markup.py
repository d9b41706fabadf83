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
VOID: Final = frozenset({"meta"})


def el(name: str, /, *content: Part, **attributes: str | float) -> Html:
    """An element.  `cls` is its class, `_` in a name is `-`, and a plain text is escaped."""
    named = {("class" if key == "cls" else key.replace("_", "-")): value for key, value in attributes.items()}
    told = "".join(f' {key}="{escape(_short(value))}"' for key, value in named.items() if value != "")
    return Html(f"<{name}{told}>" + ("" if name in VOID else f"{join(content).text}</{name}>"))


def _short(value: str | float) -> str:
    """Coordinates need no more than hundredths."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def join(content: Iterable[Part]) -> Html:
    """Parts one after another, plain texts escaped."""
    kept = (part for part in content if part is not None)
    return Html("".join(part.text if isinstance(part, Html) else escape(str(part)) for part in kept))
