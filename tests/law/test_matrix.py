"""The compliance matrix: every case of `tests/law/cases` goes as it says, at the door it names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.law.matrix.language import Case, names, read_folder
from tests.law.matrix.run import run

CASES = Path(__file__).parent / "cases"
NAMED = names(read_folder(CASES))


@pytest.mark.parametrize("case", NAMED.values(), ids=NAMED)
def test_case(case: Case) -> None:
    for law in case.laws:
        run(case, law)
