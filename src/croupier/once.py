"""Asking once: a pure function that remembers its last answer.

Frozen values are asked the same thing many times in a row: what is due at a table, by the rule that allows an act, by
the page that shows it, by each of thirty wagers.  `once` keeps the last answer and gives it again for as long as the
very same objects are asked about.  It is for functions of frozen values that look at nothing else; then nobody can tell
the difference, but for the time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def once(function: Callable[P, T]) -> Callable[P, T]:
    """The function, asked only once about the same objects in a row."""
    last: list[tuple[tuple[object, ...], T]] = []

    def asked(*args: P.args, **kwargs: P.kwargs) -> T:
        for known, answer in last[:1]:
            if not kwargs and len(known) == len(args) and all(a is b for a, b in zip(known, args, strict=True)):
                return answer
        answer = function(*args, **kwargs)
        if not kwargs:
            last[:] = [(args, answer)]
        return answer

    return asked
