"""How much may be asked: the longest word of a query, how fast a player may ask, and what is said of too much."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

LONGEST: Final = 200
"""Characters of one word of a query."""
COMMANDS_PER_SECOND: Final = 20.0
COMMANDS_AT_ONCE: Final = 200
MOST_PEOPLE: Final = 10_000


class Busy(Exception):
    """Nothing is reckoned now, but the same may be asked again: the reason, in one line."""


@dataclass(slots=True)
class CommandRate:
    """How fast players ask: each has a stock of commands, which fills up again by so many a second.

    What a player asks is answered, and every answer is kept for ever, also a refusal.  So nobody is refused for asking
    fast, but who has used up the stock waits a moment for each answer, on however many lines.
    """

    per_second: float = COMMANDS_PER_SECOND
    stock: float = COMMANDS_AT_ONCE
    left: dict[str, tuple[float, float]] = field(default_factory=dict)

    def wait(self, who: str, now: float) -> float:
        """The seconds that one more command of theirs waits; it is counted."""
        left, since = self.left.pop(who, (self.stock, now))
        left = min(self.stock, left + (now - since) * self.per_second) - 1
        self.left[who] = (left, now)
        if len(self.left) > MOST_PEOPLE:
            del self.left[next(iter(self.left))]
        return max(0.0, -left / self.per_second)

    def is_free(self, who: str) -> bool:
        """Whether one more command of theirs does not wait, by what was left after the last; it is not counted."""
        known = self.left.get(who)
        return known is None or known[0] >= 1
