"""What the pages tell of a journal's last lines, kept as the lines come, so that no view reads them again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from croupier.table.events import Announced, Entry, RoundCorrected, RoundEnded, TableOpened

SAID: Final = 6
RESULTS: Final = 90
LINES: Final = 400
"""Lines from which it is read who is on duty, and who inspected last."""


@dataclass(slots=True)
class Recent:
    """The last lines, things said, rounds that ended or were corrected, and when the table was opened last."""

    lines: deque[Entry] = field(default_factory=lambda: deque(maxlen=LINES))
    said: deque[str] = field(default_factory=lambda: deque(maxlen=SAID))
    ended: deque[RoundEnded] = field(default_factory=lambda: deque(maxlen=RESULTS))
    corrected: deque[int] = field(default_factory=lambda: deque(maxlen=RESULTS))
    opened_ms: int = 0

    def hear(self, lines: Iterable[Entry]) -> None:
        for line in lines:
            self.lines.append(line)
            match line.event:
                case Announced(text=text):
                    self.said.append(text)
                case RoundEnded() as event:
                    self.ended.append(event)
                case RoundCorrected(round=number):
                    self.corrected.append(number)
                case TableOpened():
                    self.opened_ms = line.at_ms
                case _:
                    pass


def recent_of(journal: Iterable[Entry]) -> Recent:
    """What a journal leaves to be told."""
    recent = Recent()
    recent.hear(journal)
    return recent
