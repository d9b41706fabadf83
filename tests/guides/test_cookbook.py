"""The thirty tasks of the cookbook, run as they stand."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

PAGE = Path("docs/cookbook.md")


def test_thirty_tasks_run() -> None:
    assert len(re.findall(r"^\*\*\d+\. ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)) == 30
    failed, tried = doctest.testfile(str(PAGE.resolve()), module_relative=False, encoding="utf-8")
    assert tried > 40
    assert failed == 0
