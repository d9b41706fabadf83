"""The rules' no: a value, never an exception."""

from __future__ import annotations

from typing import TypeVar

from croupier.once import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Refusal:
    """The rules said no.  `on` is what was asked for, by its key (a wager, an act, a card): no part of the reason."""

    reason: str
    rule: str
    on: str = ""

    @property
    def whole(self) -> str:
        """The reason with what it is about, for whoever has one line for both."""
        return f"{self.on}: {self.reason}" if self.on else self.reason


def worded(key: str) -> str:
    """A key as a reason says it: `no_roll` is "no roll".  A person's name is no key, and stays as it is."""
    return key.replace("_", " ")


def granted(answer: T | Refusal) -> T:
    """An answer to something that was due, which the rules cannot refuse."""
    assert not isinstance(answer, Refusal), answer
    return answer
