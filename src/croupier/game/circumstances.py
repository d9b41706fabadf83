"""What can go wrong at a table, and what a declaration of it tells.

Each game has a closed list.  An entry says in words what happened, and as data which facts a declaration gives: the
card, whether it was seen, the cards put right or found, where it went, what was decided.  The form of the dealer,
training, the proofs and the printed list are made from it, so that nobody has to take the words apart.

An edition says of each what is ordered, case by case.  The cases are tried in order, and a table in which two could
apply without saying which comes first is no law: `unambiguous` refuses it when the edition is built.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import combinations
from typing import Any, Final, TypeAlias, TypeVar

from croupier.law.conditions import CaseWhen, OnCall, conditions, in_a_row
from croupier.law.model import Law
from croupier.once import dataclass


@dataclass(frozen=True, slots=True)
class DeclaredField:
    """One thing that is told in words: what it is, the words to choose from, or examples of what is written freely."""

    says: str
    options: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()

    @property
    def tried(self) -> tuple[str, ...]:
        """What can be tried here without knowing the position."""
        return self.options or self.examples


def one_of(*options: str, says: str = "") -> DeclaredField:
    """Words to choose from."""
    return DeclaredField(says or " or ".join(options), options)


@dataclass(frozen=True, slots=True)
class Circumstance:
    """What went wrong.  `note` is what the printed list adds in brackets.

    `card`: the card concerned is named; `disclosed`: whether it was seen; `unseen`: it was not; `found`: the cards put
    right or found in place; `to`: where it went; `call`: what the official decides, or how many there were.
    `overrules`: an official says that the call of one below was wrong.
    """

    name: str
    words: str
    note: str = ""
    card: bool = False
    disclosed: bool = False
    unseen: bool = False
    found: bool = False
    to: DeclaredField | None = None
    call: DeclaredField | None = None
    overrules: bool = False

    @property
    def text(self) -> str:
        return f"{self.words} ({self.note})" if self.note else self.words


Circumstances = Mapping[str, Circumstance]


def listed(*entries: Circumstance) -> Circumstances:
    """The closed list of a game, by name."""
    return {entry.name: entry for entry in entries}


# ---------------------------------------------------------------- which case applies

OTHERWISE: Final = "otherwise"
Cases: TypeAlias = Mapping[str, tuple[Law[Any], ...]]
"""What an edition says of each circumstance, case by case; a case has the conditions `when` it applies."""
L = TypeVar("L", bound=Cases)
_Asked: TypeAlias = frozenset[str | OnCall]


def applies(when: CaseWhen, call: str, holds: Callable[[str], bool]) -> bool:
    """Whether all conditions of a case hold: some ask for a decision of the official, the rest for the layout.

    `otherwise` says that the cases before it come first; whoever tries them in order need not ask.
    """
    return all(
        call == each.call if isinstance(each, OnCall) else holds(each) for each in conditions(when) if each != OTHERWISE
    )


def unambiguous(table: L, known: Collection[str], *apart: frozenset[str | OnCall]) -> L:
    """The table, if no two of its cases could both apply without saying which comes first.

    A case comes before another if it asks for all that the other asks for and more, or if the other says `otherwise`;
    two exclude each other if they ask for different calls, or for conditions that are kept `apart`.
    """
    for name, cases in table.items():
        for law in cases:
            asked = (each for each in conditions(law.value.when) if not isinstance(each, OnCall))
            unknown = [word for word in asked if word not in known and word != OTHERWISE]
            if unknown:
                raise ValueError(f"{name} ({law.rule}): no condition {unknown[0]!r} is known")
        for first, then in combinations(cases, 2):
            if not _ordered(frozenset(conditions(first.value.when)), frozenset(conditions(then.value.when)), apart):
                raise ValueError(f"{name}: {first.rule} and {then.rule} may both apply: {in_a_row(then.value.when)!r}")
    return table


def _ordered(first: _Asked, then: _Asked, apart: tuple[_Asked, ...]) -> bool:
    calls = {each for each in first | then if isinstance(each, OnCall)}
    exclusive = len(calls) > 1 or any(len((first | then) & each) > 1 for each in apart)
    return exclusive or OTHERWISE in then or then < first
