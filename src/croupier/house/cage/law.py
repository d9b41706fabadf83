"""The law under which the cage works: one cage serves every table of a house, whatever edition it plays."""

from __future__ import annotations

from typing import Final

from croupier.law.editions import first_with
from croupier.law.ruleset import part_hash

_DOCUMENT, RULES = first_with(lambda document: document.cage)
EDITION: Final = _DOCUMENT.key


def law_hash() -> str:
    """The hash of the law of the cage, which its first line names beside the document."""
    return part_hash(RULES)
