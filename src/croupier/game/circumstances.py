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
CALL: Final = "call "
Cases: TypeAlias = Mapping[str, tuple[Law[Any], ...]]
"""What an edition says of each circumstance, case by case; a case has the conditions `when` it applies."""
L = TypeVar("L", bound=Cases)


def words(when: str) -> tuple[str, ...]:
    return tuple(word for word in when.split(", ") if word)


def applies(when: str, call: str, holds: Callable[[str], bool]) -> bool:
    """Whether all conditions of a case hold: `call x` asks for that decision of the official, the rest for the layout.

    `otherwise` says that the cases before it come first; whoever tries them in order need not ask.
    """
    return all(
        call == word.removeprefix(CALL) if word.startswith(CALL) else holds(word)
        for word in words(when)
        if word != OTHERWISE
    )


def unambiguous(table: L, known: Collection[str], *apart: frozenset[str]) -> L:
    """The table, if no two of its cases could both apply without saying which comes first.

    A case comes before another if it asks for all that the other asks for and more, or if the other says `otherwise`;
    two exclude each other if they ask for different calls, or for words that are kept `apart`.
    """
    for name, cases in table.items():
        for law in cases:
            asked = (word for word in words(law.value.when) if not word.startswith(CALL) and word != OTHERWISE)
            unknown = [word for word in asked if word not in known]
            if unknown:
                raise ValueError(f"{name} ({law.rule}): no condition {unknown[0]!r} is known")
        for first, then in combinations(cases, 2):
            if not _ordered(frozenset(words(first.value.when)), frozenset(words(then.value.when)), apart):
                raise ValueError(f"{name}: {first.rule} and {then.rule} may both apply: {then.value.when!r}")
    return table


def _ordered(first: frozenset[str], then: frozenset[str], apart: tuple[frozenset[str], ...]) -> bool:
    calls = {word for word in first | then if word.startswith(CALL)}
    exclusive = len(calls) > 1 or any(len((first | then) & each) > 1 for each in apart)
    return exclusive or OTHERWISE in then or then < first
