"""The law under which the cage works: New Zealand's, with the electronic division's on vouchers.

One cage serves every table of a house, whatever edition it plays, and no other document has a law of the cage.
"""

from __future__ import annotations

from typing import Final

from croupier.law.cage import CageRules
from croupier.law.editions import EDITIONS
from croupier.law.model import present

EDITION: Final = "nzeb"


def _rules() -> CageRules:
    rules = EDITIONS[EDITION].cage
    assert present(rules), f"{EDITION} has a law of the cage"
    return rules


RULES: Final = _rules()
