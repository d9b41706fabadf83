"""The compliance matrix: every case of `tests/law/cases` goes as it says, at the door it names.

It also answers as the concordance tells a regulator that it does.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.law.matrix.concordance import CASES, TELL, carried, kept
from tests.law.matrix.language import names, read_folder

NAMED = names(read_folder(CASES))


@pytest.mark.parametrize("name", NAMED)
def test_case(name: str) -> None:
    now = carried(name, NAMED[name], where=False)
    assert name in kept(), TELL
    assert replace(now, where={}) == replace(kept()[name], where={}), TELL


def test_no_case_is_told_that_is_gone() -> None:
    assert kept().keys() == NAMED.keys(), TELL
