"""Where things lie: the checkout, its tests, and the files that the tests compare with."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
DOCS = ROOT / "docs"
CASES = TESTS / "cases"
GOLDEN = TESTS / "golden"
PLAYTHROUGHS = TESTS / "playthroughs"
