"""Asking once: a pure function that remembers its last answer.

Frozen values are asked the same thing many times in a row: what is due at a table, by the rule that allows an act, by
the page that shows it, by each of thirty wagers.  `once` keeps the last answer and gives it again for as long as the
very same object is asked about; `once_of_both` does so for two.  They are for functions of frozen values that look at
nothing else; then nobody can tell the difference, but for the time.

What is kept is one tuple, so that another thread finds either the old answer or the new one, whole.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")


def once(function: Callable[[A], T]) -> Callable[[A], T]:
    """The function, asked only once about the same object in a row."""
    last: tuple[A, T] | None = None

    def asked(about: A) -> T:
        nonlocal last
        known = last
        if known is not None and known[0] is about:
            return known[1]
        answer = function(about)
        last = (about, answer)
        return answer

    return asked


def once_of_both(function: Callable[[A, B], T]) -> Callable[[A, B], T]:
    """The function, asked only once about the same two objects in a row."""
    last: tuple[A, B, T] | None = None

    def asked(about: A, and_about: B) -> T:
        nonlocal last
        known = last
        if known is not None and known[0] is about and known[1] is and_about:
            return known[2]
        answer = function(about, and_about)
        last = (about, and_about, answer)
        return answer

    return asked
