"""What the tests observed of the law.

A rule counts as exercised when something that carries it (a demand, a resolution, a refusal, a ruling, an event) was
produced and compared in a test.  `carries` makes that comparison and notes it; so do the case files and the
playthroughs, through `note`.  `marks` is for the few rules that return nothing: it is listed apart.
"""

from __future__ import annotations

import os
from collections import defaultdict
from typing import Protocol

SEEN: defaultdict[str, set[str]] = defaultdict(set)
MARKED: defaultdict[str, set[str]] = defaultdict(set)


class Cited(Protocol):
    @property
    def rule(self) -> str: ...


def carries(thing: Cited, rule: str) -> None:
    """Assert that what was produced carries this rule, and note that it was compared."""
    assert thing.rule == rule, f"{thing} should carry {rule}"
    note(rule)


def note(rule: str) -> None:
    """Note that something carrying this rule was produced and compared in the running test."""
    SEEN[rule].add(_test())


def marks(*rules: str) -> None:
    """Note that the running test is about rules that return nothing."""
    for rule in rules:
        MARKED[rule].add(_test())


def _test() -> str:
    """The running test without its parameters: `tests/test_x.py::test_y`."""
    return os.environ.get("PYTEST_CURRENT_TEST", "").split(" ")[0].split("[")[0]
