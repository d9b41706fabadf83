"""How an open text is read.

Theory of operation.  Where a gazette contradicts itself, is damaged, or is silent on what must be decided, somebody
has to choose.  Each such choice is a numbered reading in `readings.toml`: the question, the reading chosen, the reason.
Most offer the one reading; where another is defensible and built, it is an option, and a rule set may choose it.

Code that rests on a reading names it; `choices` gives the key in force for each name, so a rule set carries its
readings as plain data.  `docs/readings.md` is made of them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, final

from croupier.law.inventory import parts
from croupier.once import dataclass

ALL_GAMES: Final = "all"


@final
@dataclass(frozen=True, slots=True)
class Reading:
    """One reading; `choice` is the default among `options`, `others` says what the further options mean."""

    id: str
    name: str
    games: tuple[str, ...]
    rules: tuple[str, ...]
    question: str
    choice: str
    says: str
    reason: str
    options: tuple[str, ...]
    others: Mapping[str, str] = field(hash=False)

    @property
    def rule(self) -> str:
        """The rule to cite."""
        return self.rules[0]

    def applies_to(self, game: str) -> bool:
        return game in self.games or ALL_GAMES in self.games


@cache
def all_readings() -> tuple[Reading, ...]:
    """Every reading, by number."""
    return tuple(map(_reading, _entries(_text())))


@cache
def open_choices() -> tuple[Reading, ...]:
    """The readings with more than one key, by number: all that a rule set needs of the file."""
    entries = [f"[[reading]]{entry}" for entry in _text().split("[[reading]]")[1:] if "\noptions" in entry]
    found = map(_reading, _entries("".join(entries)))
    return tuple(each for each in found if len(each.options) > 1)


def _text() -> str:
    return Path(__file__).with_name("readings.toml").read_text(encoding="utf-8")


def _entries(text: str) -> list[Mapping[str, Any]]:
    import tomllib

    return list(tomllib.loads(text)["reading"])


def _reading(entry: Mapping[str, Any]) -> Reading:
    return Reading(
        id=entry["id"],
        name=entry["name"],
        games=tuple(entry["games"]),
        rules=tuple(entry["rules"]),
        question=entry["question"],
        choice=entry["choice"],
        says=entry["says"],
        reason=entry["reason"],
        options=tuple(entry.get("options", (entry["choice"],))),
        others=MappingProxyType(dict(entry.get("others", {}))),
    )


def reading(name: str) -> Reading:
    """The reading with this name or number (`R-001`)."""
    for each in all_readings():
        if name in {each.name, each.id}:
            return each
    known = ", ".join(each.name for each in open_choices())
    raise ValueError(f"unknown reading {name!r}; those with a choice: {known}")


def for_game(game: str) -> tuple[Reading, ...]:
    """The readings a game rests on, the general ones included; a game of which no reading speaks has only these."""
    return tuple(each for each in all_readings() if each.applies_to(game))


def choices(readings: Mapping[str, str], game: str) -> Mapping[str, str]:
    """The key in force for each reading of a game: the defaults, and over them the choices given."""
    in_force = {each.name: each.choice for each in for_game(game)}
    for name, choice in readings.items():
        chosen = reading(name)
        if chosen.name not in in_force:
            raise ValueError(f"reading {name!r} is not one of {game}: it belongs to {', '.join(chosen.games)}")
        if choice not in chosen.options:
            raise ValueError(f"reading {name!r} cannot be {choice!r}: one of {', '.join(chosen.options)}")
        in_force[chosen.name] = choice
    return MappingProxyType(in_force)


def for_rule(rule_id: str) -> tuple[Reading, ...]:
    """The readings that rest on a rule; a parent and its sentence parts answer for each other."""
    rows = _rows(rule_id)
    return tuple(each for each in all_readings() if any(rows & _rows(cited) for cited in each.rules))


@cache
def _rows(rule_id: str) -> frozenset[str]:
    return frozenset({rule_id, *(row.id for row in parts(rule_id))})
