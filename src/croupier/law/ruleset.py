"""A rule set: the edition, how it is read, and what the operator elected.

A `Ruleset` is plain data with a stable hash, so that a journal, a sheet or an export can say exactly under which rules
it was made.  It holds the game's rules object with the elections in force; which games there are is not known here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from croupier.law.elections import electable
from croupier.law.model import laws_in

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Ruleset(Generic[R]):
    """One game under one edition and version, with its elections and readings."""

    game: str
    edition: str
    version: str
    rules: R
    readings: Mapping[str, str]

    @property
    def elections(self) -> dict[str, object]:
        """What is in force where the law leaves a choice."""
        chosen = {name: law.value.elected for name, law in electable(self.rules).items()}
        return {name: value for name, value in chosen.items() if name not in self.readings}

    @property
    def hash(self) -> str:
        """The same for the same law, readings and elections, on any machine and in any run."""
        digest = hashlib.sha256()
        for line in self._lines():
            digest.update(line.encode() + b"\n")
        return digest.hexdigest()

    def _lines(self) -> list[str]:
        head = [f"{self.game} {self.edition} {self.version}"]
        readings = [f"reading {name}={choice}" for name, choice in sorted(self.readings.items())]
        laws = [f"{path} {law.rules} {_stable(law.value)}" for path, law in laws_in(self.rules)]
        return head + readings + laws


def _stable(value: object) -> str:
    """A text of a value that does not depend on the order in which a set happens to iterate."""
    if isinstance(value, frozenset | set):
        return "{" + ", ".join(sorted(map(_stable, value))) + "}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_stable(item)}" for key, item in value.items()) + "}"
    return repr(value)
