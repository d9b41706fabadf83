"""When something of the law applies: under one condition, or under several that must all hold.

A condition is a word that the game understands (`betting closed`), or the decision of an official that a case waits
for.  Several are a tuple: no text is taken apart to find them.  People read them in a row, and so they stand in the
hash of a rule set, as they did when they were one text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias, TypeVar

from croupier.once import dataclass


@dataclass(frozen=True, slots=True)
class OnCall:
    """The decision of an official that a case waits for."""

    call: str

    def __str__(self) -> str:
        return f"call {self.call}"


When: TypeAlias = str | tuple[str, ...]
"""Nothing is always so."""
CaseWhen: TypeAlias = str | OnCall | tuple[str | OnCall, ...]
Condition = TypeVar("Condition", bound=str | OnCall)


def conditions(when: Condition | tuple[Condition, ...]) -> tuple[Condition, ...]:
    """Each condition by itself."""
    return when if isinstance(when, tuple) else (when,) if when else ()


def in_a_row(when: CaseWhen) -> str:
    """The conditions as people read them."""
    return ", ".join(map(str, conditions(when)))


AS_TEXT: Final = "as text"
IN_A_ROW: Final[Mapping[str, object]] = {AS_TEXT: in_a_row}
"""What a field of conditions says of itself: how it stands in the hash."""
