"""Where in the code a rule lives: the functions that answered with it while a case was played.

While a case runs, every function of the package that returns is looked at.  One that returns something with the rule on
it (a refusal, a demand, a ruling, a resolution, events), and called nobody who did, decided it.  Where no such value
came back, the functions that read the number of the rule from its law are told.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any, Final, TypeVar

import croupier
from croupier.law.model import Law

ROOT: Final = os.path.dirname(os.path.abspath(croupier.__file__)) + os.sep
READ: Final[CodeType] = Law.rule.fget.__code__  # type: ignore[attr-defined]
MOST: Final = 3
DEEP: Final = 12

T = TypeVar("T")


class Places:
    """The functions that answered with each of some rules, in the order in which they first did."""

    def __init__(self, rules: tuple[str, ...]) -> None:
        self.decided: dict[str, dict[str, None]] = {rule: {} for rule in rules}
        self.read: dict[str, dict[str, None]] = {rule: {} for rule in rules}
        self.known: set[int] = set()
        self.kept: list[object] = []

    def told(self) -> dict[str, tuple[str, ...]]:
        """For each rule the first functions that decided under it, or else that read its number."""
        return {rule: tuple(found or self.read[rule])[:MOST] for rule, found in self.decided.items()}

    def returned(self, frame: FrameType, event: str, value: object) -> None:
        if event != "return" or value is None:
            return
        code = frame.f_code
        if code is READ:
            self._noted(self.read, value, frame.f_back)
        elif code.co_filename.startswith(ROOT):
            for part in _parts(value):
                rule = None if isinstance(part, Law) else getattr(part, "rule", None)
                if type(rule) is str and rule in self.decided and id(part) not in self.known:
                    # It is kept, so that no other value can come to have its identity.
                    self.known.add(id(part))
                    self.kept.append(part)
                    self._noted(self.decided, rule, frame)

    def _noted(self, found: dict[str, dict[str, None]], rule: object, frame: FrameType | None) -> None:
        while frame is not None and not _worth(frame.f_code):
            frame = frame.f_back
        if isinstance(rule, str) and rule in found and frame is not None:
            found[rule][place_of(frame.f_code)] = None


def _parts(value: object) -> Iterator[object]:
    """A value, or the first of those it holds."""
    if type(value) in (tuple, list):
        yield from value[:DEEP]  # type: ignore[index]
    else:
        yield value


def _worth(code: CodeType) -> bool:
    """Whether a function may be told: of the package, with a name of its own, and not the law itself."""
    inside = code.co_filename.startswith(ROOT) and not code.co_name.startswith("<")
    return inside and not code.co_filename.startswith((f"{ROOT}law{os.sep}", f"{ROOT}hearing.py"))


def place_of(code: CodeType) -> str:
    """The file and the function, as the concordance tells them."""
    return f"{code.co_filename.removeprefix(ROOT).replace(os.sep, '/')} {code.co_qualname}"


def watched(rules: tuple[str, ...], work: Callable[[], T]) -> tuple[T, dict[str, tuple[str, ...]]]:
    """What some work answers, and the functions that answered with these rules."""
    places = Places(rules)
    look: Any = places.returned
    sys.setprofile(look)
    try:
        done = work()
    finally:
        sys.setprofile(None)
    return done, places.told()
