"""The closed list of what a door can answer, so that a misspelt word fails instead of never being seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.house.cage import messages as cage
from croupier.house.devices import decide as devices
from croupier.house.jackpot import messages as jackpot
from croupier.house.people import messages as people
from croupier.house.tournament import messages as tournament
from croupier.table import events as table
from tests.law.matrix.answers import ABOUT, MAIN, words_of
from tests.law.matrix.facts import members
from tests.law.matrix.language import Seen

UNIONS: Final = (
    table.AnyEvent, cage.AnyCageEvent, jackpot.AnyEvent, tournament.AnyEvent, people.AnyEvent, devices.AnyEvent,
)  # fmt: skip
FREE: Final = ("outcome", "next", "betting", "sign", "round", *MAIN, *sorted(ABOUT))
"""Answers whose figures depend on the game or the page."""


def _events() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for union in UNIONS:
        for kind in members(union):
            name = words_of(kind.__name__)
            found[name] = found.get(name, frozenset({"by", "role"})) | frozenset(kind.__struct_fields__)
    return found


EVENTS: Final[Mapping[str, frozenset[str]]] = _events()


def check(seen: Seen) -> None:
    """Refuse a kind that no door answers, and a figure that an event does not have."""
    words = f" {' '.join(seen.words)} "
    if any(f" {kind} " in words for kind in FREE if kind not in EVENTS):
        return
    kinds = [kind for kind in EVENTS if words.startswith(f" {kind} ")]
    if not kinds:
        raise ValueError(f"{words.strip()!r} is no answer of any door")
    fields = EVENTS[max(kinds, key=len)]
    unknown = [name for name, _ in seen.named if name.partition(".")[0] not in fields]
    if unknown:
        raise ValueError(f"{words.strip()!r} has no {unknown[0]}; it has {', '.join(sorted(fields))}")
