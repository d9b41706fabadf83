"""What the pages tell of a journal's last lines, kept as the lines come, so that no view reads them again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from croupier.table.events import (
    Announced,
    FactTakenBack,
    Happened,
    RoundCorrected,
    RoundEnded,
    TableEntry,
    TableOpened,
)

SAID: Final = 6
RESULTS: Final = 90
LINES: Final = 400
"""Lines from which it is read who is on duty, and who inspected last."""


@dataclass(slots=True)
class ShoeInUse:
    """The shoe that is dealt from: the how manieth since the table was opened, its first round, and cards drawn.

    `opened`: the opening was seen, so that the number is known.  A shoe begins when it is loaded; what is burned then
    is out of it as what is dealt.
    """

    opened: bool = False
    number: int = 0
    began: int = 0
    drawn: int = 0

    def comes(self, fact: object, number: int) -> None:
        match fact:
            case str():
                self.drawn += 1
            case {"perform": "load"}:
                self.number, self.began, self.drawn = self.number + 1, number, 0
            case {"perform": "burn face up"}:
                self.drawn += 1
            case {"perform": "burn face down", **more}:
                burned = more.get("detail", 1)
                self.drawn += burned if isinstance(burned, int) else 1
            case _:
                pass


@dataclass(slots=True)
class Recent:
    """The last lines, things said, rounds that ended and when, or were corrected, and when the table was opened.

    `changes` counts the lines that changed any of it but the last lines themselves.
    """

    lines: deque[TableEntry] = field(default_factory=lambda: deque(maxlen=LINES))
    said: deque[str] = field(default_factory=lambda: deque(maxlen=SAID))
    ended: deque[RoundEnded] = field(default_factory=lambda: deque(maxlen=RESULTS))
    ended_ms: deque[int] = field(default_factory=lambda: deque(maxlen=RESULTS))
    corrected: deque[int] = field(default_factory=lambda: deque(maxlen=RESULTS))
    opened_ms: int = 0
    shoe: ShoeInUse = field(default_factory=ShoeInUse)
    changes: int = 0

    def hear(self, lines: Iterable[TableEntry]) -> None:
        for line in lines:
            self.lines.append(line)
            self.changes += 1
            match line.event:
                case Announced(text=text):
                    self.said.append(text)
                case Happened(fact=fact):
                    self.shoe.comes(fact, self.ended[-1].round + 1 if self.ended else int(self.shoe.opened))
                case FactTakenBack(fact=str()):
                    self.shoe.drawn -= 1
                case RoundEnded() as event:
                    self.ended.append(event)
                    self.ended_ms.append(line.at_ms)
                case RoundCorrected(round=number):
                    self.corrected.append(number)
                case TableOpened():
                    self.opened_ms = line.at_ms
                    self.shoe = ShoeInUse(opened=True)
                case _:
                    self.changes -= 1
