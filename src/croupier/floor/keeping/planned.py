"""A table as it is to be opened: its rules and its sign."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from croupier.law.ruleset import Ruleset
from croupier.rulesets import ruleset


@dataclass(frozen=True, slots=True)
class Planned:
    """A table of the settings, of a demonstration or of a test; `practice` is marked wherever it is shown."""

    name: str
    edition: str
    game: str
    version: str = ""
    sign: Mapping[str, Any] = field(default_factory=dict)
    practice: bool = False
    elections: Mapping[str, Any] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)

    def rules(self) -> Ruleset[Any]:
        """The rules of the table, if the law has such rules."""
        return ruleset(
            self.edition,
            game=self.game,
            version=self.version,
            elections=dict(self.elections),
            readings=dict(self.readings),
        )
