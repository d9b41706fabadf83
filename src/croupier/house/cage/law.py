"""The law under which the cage works: one cage serves every table of a house, whatever edition it plays."""

from __future__ import annotations

from croupier.law.editions import first_with
from croupier.law.ruleset import named_law

_DOCUMENT, RULES = first_with(lambda document: document.cage)


def named() -> dict[str, str]:
    """The law of the cage as its first line tells it: the document, and the hash of its part."""
    return named_law(_DOCUMENT.key, text=RULES)
