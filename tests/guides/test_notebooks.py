"""The notebooks of the documentation: the code in them, run again, answers what the files show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.notebooks import FOLDER, executed, notebooks

MOST_BYTES = 200_000


def texts(notebook: dict[str, Any]) -> list[str]:
    """What the code cells answer in plain text, in order."""
    found = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            found.append("".join(output["text"] if "text" in output else output["data"]["text/plain"]))
    return found


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_a_notebook_shows_what_its_code_answers(path: Path) -> None:
    written = json.loads(path.read_text(encoding="utf-8"))
    assert (written["nbformat"], written["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in written["cells"]}) == len(written["cells"])
    assert texts(executed(written)) == texts(written)
    assert path.stat().st_size < MOST_BYTES


def test_there_are_two_and_both_are_linked_and_show_tables() -> None:
    assert len(notebooks()) == 2
    tour = (FOLDER.parent / "tour.md").read_text(encoding="utf-8")
    for path in notebooks():
        assert f"notebooks/{path.name}" in tour
        assert "<table" in path.read_text(encoding="utf-8")


def test_an_answer_that_changed_would_be_seen() -> None:
    changed = {"cells": [{"cell_type": "code", "source": ["print(2)\n", "3"], "outputs": []}]}
    assert texts(executed(changed)) == ["2\n", "3"]
