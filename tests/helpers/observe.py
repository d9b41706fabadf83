"""Comparing something that carries a rule (a demand, a resolution, a refusal, a ruling, an event) with that rule."""

from __future__ import annotations

from typing import Protocol


class Cited(Protocol):
    @property
    def rule(self) -> str: ...


def carries(thing: Cited, rule: str) -> None:
    """Assert that what was produced carries this rule."""
    assert thing.rule == rule, f"{thing} should carry {rule}"
